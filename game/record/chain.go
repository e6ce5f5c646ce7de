package record

import (
	"crypto/sha256"
	"encoding/hex"
)

// A Link identifies an event and all before it: the SHA-256 of the previous event's link and that
// event as stored. So the link after a table's last event changes with every byte of the table's
// history. The first event's link is zero.
type Link [sha256.Size]byte

// Next returns the link of the event after one that is stored as data and has link l.
func (l Link) Next(data []byte) Link {
	hash := sha256.New()
	hash.Write(l[:])
	hash.Write(data)
	return Link(hash.Sum(nil))
}

// chain returns the link after the last of a table's stored events.
func chain(events [][]byte) (l Link) {
	for _, data := range events {
		l = l.Next(data)
	}
	return l
}

func (l Link) String() string { return hex.EncodeToString(l[:]) }

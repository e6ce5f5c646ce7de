package record

import (
	"crypto/sha256"
	"encoding/hex"
)

// A Link ties an event to those before it: the SHA-256 of the link of the event
// before and that event as it is stored. So the link behind a table's last event
// changes with every byte of the table's history. The first event's is zero.
type Link [sha256.Size]byte

// Next returns the link of the event behind the one that is stored as data and has the
// link l.
func (l Link) Next(data []byte) Link {
	hash := sha256.New()
	hash.Write(l[:])
	hash.Write(data)
	return Link(hash.Sum(nil))
}

// Chain returns the link behind the last of a table's events, as they are stored.
func Chain(events [][]byte) (l Link) {
	for _, data := range events {
		l = l.Next(data)
	}
	return l
}

func (l Link) String() string { return hex.EncodeToString(l[:]) }

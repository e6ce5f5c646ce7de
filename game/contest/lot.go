package contest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
)

// lots draws a number for each of n, by which they are ordered where nothing else
// does: the first eight bytes of HMAC-SHA256(seed, what ‖ i), i as eight bytes,
// big-endian, counting from 0. It depends on nobody else's number, so a late entry
// changes no lot that was drawn.
func (s Seed) lots(what string, n int) []uint64 {
	all := make([]uint64, n)
	for i := range all {
		all[i] = s.lot(what, uint64(i))
	}
	return all
}

func (s Seed) lot(what string, i ...uint64) uint64 {
	h := hmac.New(sha256.New, s[:])
	h.Write([]byte(what))
	for _, n := range i {
		h.Write(binary.BigEndian.AppendUint64(nil, n))
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}

// lotOf is a lot by who somebody is.
func (s Seed) lotOf(id string) uint64 { return s.lot("candidate " + id) }

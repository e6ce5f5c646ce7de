package contest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
)

// lots draws n numbers that break ties if no other rule does: the first eight bytes of
// HMAC-SHA256(seed, what ‖ i), with i as eight bytes, big-endian, counted from 0. Numbers
// are independent of each other, so a late entry doesn't change the ones already drawn.
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

// lotOf returns the lot of a person, by their id.
func (s Seed) lotOf(id string) uint64 { return s.lot("candidate " + id) }

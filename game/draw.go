package game

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// A Seed determines every draw of a game. It mixes the host's secret, to which the host committed
// when the table opened, with the ids of the players' join requests, which the host couldn't know
// then. So neither the host nor a player can choose the tiles. Once the secret is published at the
// end, anyone can repeat the draws.
type Seed [32]byte

// NewSeed returns the SHA-256 of the line "rackmate draws 1\n", the secret, and each join's request
// id in seat order, each preceded by its length as four big-endian bytes.
func NewSeed(secret Secret, joins []string) Seed {
	h := sha256.New()
	h.Write([]byte("rackmate draws 1\n"))
	h.Write(secret[:])
	for _, id := range joins {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(id))))
		h.Write([]byte(id))
	}
	return Seed(h.Sum(nil))
}

// Draw draws n tiles from a bag, or all if there are fewer, in the event with the given number. The
// result depends on nothing else:
//
// The bag is sorted by tile, blanks last. Random numbers are the 64-bit big-endian words of
// HMAC-SHA256(seed, event number ‖ block), both numbers as eight big-endian bytes, blocks counting
// from 0. For each tile, the next number below the largest multiple of the bag's size is taken modulo
// that size (larger numbers are discarded); the tile at that index leaves the bag, and the rest moves
// up.
func (seed Seed) Draw(event int, bag Tiles, n int) (drawn, left Tiles) {
	return seed.draws(event)(bag, n)
}

// draws returns a Draw for an event with several draws. Each continues with the random numbers
// where the previous one stopped.
func (seed Seed) draws(event int) func(bag Tiles, n int) (drawn, left Tiles) {
	next := seed.numbers(event)
	return func(bag Tiles, n int) (drawn, left Tiles) { return draw(next, bag, n) }
}

func draw(next func() uint64, bag Tiles, n int) (drawn, left Tiles) {
	rest := []byte(bag.Sorted())
	var out []byte
	for len(out) < n && len(rest) > 0 {
		i := randomBelow(len(rest), next)
		out = append(out, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	return Tiles(out), Tiles(rest)
}

// pick draws one of n things in the event with the given number, and returns its index. It uses a
// random number the way Draw does for a tile.
func (seed Seed) pick(event, n int) int { return randomBelow(n, seed.numbers(event)) }

// randomBelow returns a number below n, made from a stream of 64-bit ones.
func randomBelow(n int, next func() uint64) int {
	size := uint64(n)
	over := -size % size // 2^64 modulo size: how many of the largest values to reject
	v := next()
	for over > 0 && v >= -over {
		v = next()
	}
	return int(v % size)
}

// numbers returns the stream of random numbers of one event.
func (seed Seed) numbers(event int) func() uint64 {
	var block []byte
	count := uint64(0)
	return func() uint64 {
		if len(block) == 0 {
			mac := hmac.New(sha256.New, seed[:])
			mac.Write(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(event)), count))
			block = mac.Sum(nil)
			count++
		}
		v := binary.BigEndian.Uint64(block)
		block = block[8:]
		return v
	}
}

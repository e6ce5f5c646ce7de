package game

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// A Seed settles every draw of a game. It mixes the host's secret, to which
// the host committed when the table opened, with the ids of the requests that
// the players joined with, which the host could not know then. So neither the
// host nor a player can choose the tiles, and when the secret is published at
// the end anybody can do the draws again.
type Seed [32]byte

// NewSeed returns the SHA-256 over the line "rackmate draws 1\n", the secret, and each
// join's request id in the order of the seats, each id after its length as
// four bytes, big-endian.
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

// Draw takes n tiles from a bag in the event with the given number, or all of
// them where there are fewer. It depends on nothing else:
//
// The bag is sorted by tile, blanks last. Random numbers are the 64-bit
// big-endian words of HMAC-SHA256(seed, event number ‖ block), both numbers as
// eight bytes, big-endian, blocks counting from 0. For each tile the next
// number below the largest multiple of the bag's size is taken modulo that
// size (larger ones are thrown away), and the tile at that place leaves the
// bag, the rest closing up.
func (seed Seed) Draw(event int, bag Tiles, n int) (drawn, left Tiles) {
	return seed.draws(event)(bag, n)
}

// draws returns Draw for an event that draws from more than one bag: each draw goes
// on with the random numbers where the one before it ended.
func (seed Seed) draws(event int) func(bag Tiles, n int) (drawn, left Tiles) {
	next := seed.numbers(event)
	return func(bag Tiles, n int) (drawn, left Tiles) { return draw(next, bag, n) }
}

func draw(next func() uint64, bag Tiles, n int) (drawn, left Tiles) {
	rest := []byte(bag.Sorted())
	var out []byte
	for len(out) < n && len(rest) > 0 {
		i := below(len(rest), next)
		out = append(out, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	return Tiles(out), Tiles(rest)
}

// Pick draws one of n things, by its place from 0, in the event with the given
// number. It takes its number as Draw takes one for a tile.
func (seed Seed) Pick(event, n int) int { return below(n, seed.numbers(event)) }

// below makes a number below n of a stream of 64-bit ones.
func below(n int, next func() uint64) int {
	size := uint64(n)
	over := -size % size // 2^64 modulo size: that number of values is too large
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

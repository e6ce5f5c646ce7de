package lexicon

import (
	"encoding/binary"
	"slices"
)

// Jumbles leads from letters in any order to the words that they spell. It is
// immutable and safe for concurrent use.
//
// Letters in any order are told by the sum of their codes, numbers as good as
// random. The words of each length are apart: a blocked Bloom filter (Putze, Sanders
// and Singler, 2007) says of most sums at once that no word has them; of the others a
// table leads to the places of their words. An English list takes 4.5 MB in all.
type Jumbles struct {
	code [MaxLetters + 1]uint64
	of   [MaxWord + 1]JumblesOf
}

// JumblesOf is the words of one length by their letters.
type JumblesOf struct {
	code   *[MaxLetters + 1]uint64
	n      int // letters
	blocks []uint64
	shift  uint // what is left of a sum's bits says which block and bucket

	// A bucket has words whose sums have the same block, in alphabet order: their
	// places in texts, with some bits of their sums above. Bucket i goes from
	// begins[i] to begins[i+1].
	begins []uint32
	places []uint32
	texts  []byte // of all lengths
}

// perBlock is how many words a block of 64 bits has at most on average; each sets three of
// them. So one look at memory answers, and wrong in less than one of a hundred cases.
const perBlock = 5

const (
	placeOfText = 1<<24 - 1        // of what a bucket has: the place; the rest is of the sum
	maxTexts    = placeOfText - 64 // so long can the texts be
)

// Jumbles is the words by their letters. They are gone through when it is first
// asked for, which takes some milliseconds. It is nil where a list is too long.
func (x *Lexicon) Jumbles() *Jumbles {
	x.once.Do(func() { x.jumbles = newJumbles(x) })
	return x.jumbles
}

func newJumbles(x *Lexicon) *Jumbles {
	if x.words > maxTexts/6 { // most words are longer
		return nil
	}
	j := &Jumbles{}
	for l := range j.code {
		// The steps of SplitMix64 (Steele and others, 2014): numbers without
		// a pattern, and the same each time.
		c := uint64(l+1) * 0x9e3779b97f4a7c15
		c = (c ^ c>>30) * 0xbf58476d1ce4e5b9
		c = (c ^ c>>27) * 0x94d049bb133111eb
		j.code[l] = c ^ c>>31
	}
	b := jumbler{x: x, Jumbles: j, sums: make([]uint64, 0, x.words), lengths: make([]uint8, 0, x.words)}
	b.texts = make([]byte, 0, 10*x.words)
	b.from(x.Forward(), spelling{}, 0, 0)
	if len(b.texts) > maxTexts {
		return nil
	}
	b.sort()
	return j
}

// A jumbler takes in a list's words.
type jumbler struct {
	*Jumbles
	x *Lexicon
	// Of the words in alphabet order: the letters of one after another, the sums of
	// their codes, how many there are.
	texts   []byte
	sums    []uint64
	lengths []uint8
	count   [MaxWord + 1]int // of words by length
}

// A spelling is the letters of a word, a byte each.
type spelling struct{ first, second, third uint64 }

// with is the letters with one put after n others.
func (w spelling) with(n int, l Letter) spelling {
	switch bits := uint64(l) << (n % 8 * 8); n / 8 {
	case 0:
		w.first |= bits
	case 1:
		w.second |= bits
	default:
		w.third |= bits
	}
	return w
}

// from takes in the words that go on from a node after n letters, which have a sum.
func (b *jumbler) from(at Node, w spelling, n int, sum uint64) {
	for {
		for m := at.Ends; m != 0; m &= m - 1 {
			l := m.First()
			b.add(w.with(n, l), n+1, sum+b.code[l&MaxLetters])
		}
		if at.Next == 0 {
			return
		}
		cell, m := at.first, at.Next
		for ; m&(m-1) != 0; cell, m = cell+1, m&(m-1) {
			l := m.First()
			b.from(b.x.node(b.x.cells[cell]&placeMask), w.with(n, l), n+1, sum+b.code[l&MaxLetters])
		}
		l := m.First()
		at, w, n, sum = b.x.node(b.x.cells[cell]&placeMask), w.with(n, l), n+1, sum+b.code[l&MaxLetters]
	}
}

// add takes in a word of n letters.
func (b *jumbler) add(w spelling, n int, sum uint64) {
	start := len(b.texts)
	if start > maxTexts {
		return // it is too long a list
	}
	if cap(b.texts)-start < 24 {
		b.texts = slices.Grow(b.texts, max(start/2, 24))
	}
	text := b.texts[start : start+24] // what is too long is written over
	binary.LittleEndian.PutUint64(text, w.first)
	binary.LittleEndian.PutUint64(text[8:], w.second)
	binary.LittleEndian.PutUint64(text[16:], w.third)
	b.texts = b.texts[:start+n]
	b.sums = append(b.sums, sum)
	b.lengths = append(b.lengths, uint8(n))
	b.count[n]++
}

// sort puts the words into their blocks and buckets. It doesn't do so as they are
// found, for here the processor can wait for many places of memory at once.
func (b *jumbler) sort() {
	blocks := 0
	for n := range b.of {
		j := &b.of[n]
		j.code, j.n, j.shift = &b.code, n, 64
		for k := 1; k < b.count[n]/perBlock; k *= 2 {
			j.shift--
		}
		blocks += 1 << (64 - j.shift)
	}
	// Those of all lengths lie together.
	allBlocks, allBegins := make([]uint64, blocks), make([]uint32, blocks+len(b.of))
	allPlaces := make([]uint32, len(b.sums))
	for n := range b.of {
		j := &b.of[n]
		blocks := 1 << (64 - j.shift)
		j.blocks, allBlocks = allBlocks[:blocks], allBlocks[blocks:]
		j.begins, allBegins = allBegins[:blocks+1], allBegins[blocks+1:]
		j.places, allPlaces = allPlaces[:b.count[n]], allPlaces[b.count[n]:]
		j.texts = b.texts
	}
	for i, sum := range b.sums {
		j := &b.of[b.lengths[i]]
		block, bits := j.at(sum)
		j.blocks[block] |= bits
		j.begins[block]++
	}
	for n := range b.of {
		end := uint32(0)
		for i, words := range b.of[n].begins {
			end += words
			b.of[n].begins[i] = end
		}
	}
	// Each bucket fills from its end.
	place := len(b.texts)
	for i := len(b.sums) - 1; i >= 0; i-- {
		sum, n := b.sums[i], b.lengths[i]
		j := &b.of[n]
		at := &j.begins[sum>>j.shift]
		*at--
		place -= int(n)
		j.places[*at] = uint32(place) | tag(sum)
	}
}

// tag is the bits of a sum that a bucket has.
func tag(sum uint64) uint32 { return uint32(sum) &^ placeOfText }

// Code is a letter's number. Letters in any order are told by the sum of theirs.
func (j *Jumbles) Code(l Letter) uint64 { return j.code[l&MaxLetters] }

// Of is the words of n letters, up to [MaxWord].
func (j *Jumbles) Of(n int) *JumblesOf { return &j.of[n] }

// May reports whether there may be a word with the letters that have this sum.
func (j *JumblesOf) May(sum uint64) bool {
	block, bits := j.at(sum)
	return j.blocks[block]&bits == bits
}

// at is where a sum's bits are.
func (j *JumblesOf) at(sum uint64) (block, bits uint64) {
	// A sum's own bits are as good as random: it is one of random numbers.
	return sum >> j.shift, 1<<(sum&63) | 1<<(sum>>6&63) | 1<<(sum>>12&63)
}

// Words goes through the words that have this sum, in alphabet order.
func (j *JumblesOf) Words(sum uint64) Jumbled {
	block := sum >> j.shift
	return Jumbled{j, sum, j.places[j.begins[block]:j.begins[block+1]]}
}

// Jumbled goes through the words with the same letters.
type Jumbled struct {
	*JumblesOf
	sum  uint64
	left []uint32 // of the bucket
}

// Next is the letters of the next word, or nil after the last.
func (w *Jumbled) Next() []byte {
	for i, place := range w.left {
		if place&^placeOfText != tag(w.sum) {
			continue
		}
		text, sum := w.texts[place&placeOfText:][:w.n], w.sum
		for _, l := range text {
			sum -= w.code[l&MaxLetters]
		}
		if sum == 0 {
			w.left = w.left[i+1:]
			return text
		}
	}
	return nil
}

// Size is how many bytes of memory they take.
func (j *Jumbles) Size() int {
	size := len(j.of[0].texts)
	for i := range j.of {
		of := &j.of[i]
		size += 8*len(of.blocks) + 4*len(of.begins) + 4*len(of.places)
	}
	return size
}

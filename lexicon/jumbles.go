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
// bucket has the words that may, side by side. An English list takes 4 MB in all.
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

	// A bucket has words whose sums have the same block, in alphabet order. That of
	// block i has those numbered from begins[i] to begins[i+1]: a tag, some bits of
	// the sum, and n letters for each.
	begins []uint32
	tags   []byte
	texts  []byte
}

// perBlock is how many words a block of 64 bits has at most on average; each sets three of
// them. So one look at memory answers, and wrong in less than one of a hundred cases.
const perBlock = 5

// lengths are how many words have so many letters.
type lengths [MaxWord + 1]int

// shift returns the shift for words of n letters; 1<<(64-shift) is how many blocks they have.
func (of *lengths) shift(n int) uint {
	shift := uint(64)
	for k := 1; k < of[n]/perBlock; k *= 2 {
		shift--
	}
	return shift
}

// blocks returns how many blocks the words of all lengths have.
func (of *lengths) blocks() int {
	sum := 0
	for n := range of {
		sum += 1 << (64 - of.shift(n))
	}
	return sum
}

// begins returns how many numbers say where buckets begin, and the last ends.
func (of *lengths) begins() int { return of.blocks() + len(of) }

// size returns how many bytes the words take.
func (of *lengths) size() int {
	size := 8*of.blocks() + 4*of.begins()
	for n, words := range of {
		size += (1 + n) * words
	}
	return size
}

// jumbles lays the words of all lengths over the parts of a file, which are as long as
// they must be.
func (of *lengths) jumbles(blocks []uint64, begins []uint32, tags, texts []byte) *Jumbles {
	j := &Jumbles{code: codes}
	for n, words := range of {
		shift := of.shift(n)
		size := 1 << (64 - shift)
		j.of[n] = JumblesOf{
			code: &j.code, n: n, shift: shift,
			blocks: blocks[:size:size], begins: begins[: size+1 : size+1], tags: tags[:words:words], texts: texts[: n*words : n*words],
		}
		blocks, begins, tags, texts = blocks[size:], begins[size+1:], tags[words:], texts[n*words:]
	}
	return j
}

// codes are the letters' numbers.
var codes = func() (codes [MaxLetters + 1]uint64) {
	for l := range codes {
		// The steps of SplitMix64 (Steele and others, 2014): numbers without
		// a pattern, and the same each time.
		c := uint64(l+1) * 0x9e3779b97f4a7c15
		c = (c ^ c>>30) * 0xbf58476d1ce4e5b9
		c = (c ^ c>>27) * 0x94d049bb133111eb
		codes[l] = c ^ c>>31
	}
	return codes
}()

// Jumbles returns the words by their letters. A file has them; where the list comes from
// somewhere else its words are gone through when this is first asked for, which takes some
// milliseconds.
func (x *Lexicon) Jumbles() *Jumbles {
	x.once.Do(func() {
		words := min(x.words, len(x.cells)) // a damaged file can say that there are many more
		b := jumbler{x: x, sums: make([]uint64, 0, words), letters: make([]uint8, 0, words), texts: make([]byte, 0, 10*words+24)}
		b.from(x.Forward(), spelling{}, 0, 0)
		x.jumbles = b.sort()
	})
	return x.jumbles
}

// A jumbler takes in a list's words.
type jumbler struct {
	x *Lexicon
	// Of the words in alphabet order: the letters of one after another, the sums of
	// their codes, how many letters they have.
	texts   []byte
	sums    []uint64
	letters []uint8
	of      lengths
}

// A spelling is the letters of a word, a byte each.
type spelling struct{ first, second, third uint64 }

// with returns the letters with one put after n others.
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
			b.add(w.with(n, l), n+1, sum+codes[l&MaxLetters])
		}
		if at.Next == 0 {
			return
		}
		cell, m := at.first, at.Next
		for ; m&(m-1) != 0; cell, m = cell+1, m&(m-1) {
			l := m.First()
			b.from(b.x.node(b.x.cells[cell]&placeMask), w.with(n, l), n+1, sum+codes[l&MaxLetters])
		}
		l := m.First()
		at, w, n, sum = b.x.node(b.x.cells[cell]&placeMask), w.with(n, l), n+1, sum+codes[l&MaxLetters]
	}
}

// add takes in a word of n letters.
func (b *jumbler) add(w spelling, n int, sum uint64) {
	start := len(b.texts)
	if cap(b.texts)-start < 24 {
		b.texts = slices.Grow(b.texts, max(start/2, 24))
	}
	text := b.texts[start : start+24] // what is too long is written over
	binary.LittleEndian.PutUint64(text, w.first)
	binary.LittleEndian.PutUint64(text[8:], w.second)
	binary.LittleEndian.PutUint64(text[16:], w.third)
	b.texts = b.texts[:start+n]
	b.sums = append(b.sums, sum)
	b.letters = append(b.letters, uint8(n))
	b.of[n]++
}

// sort puts the words into their blocks and buckets. It doesn't do so as they are
// found, for here the processor can wait for many places of memory at once.
func (b *jumbler) sort() *Jumbles {
	j := b.of.jumbles(make([]uint64, b.of.blocks()), make([]uint32, b.of.begins()), make([]byte, len(b.sums)), make([]byte, len(b.texts)))
	for i, sum := range b.sums {
		of := &j.of[b.letters[i]]
		block, bits := of.at(sum)
		of.blocks[block] |= bits
		of.begins[block]++
	}
	for n := range j.of {
		end := uint32(0)
		for i, words := range j.of[n].begins {
			end += words
			j.of[n].begins[i] = end
		}
	}
	// Each bucket fills from its end.
	text := b.texts
	for i := len(b.sums) - 1; i >= 0; i-- {
		sum, n := b.sums[i], int(b.letters[i])
		of := &j.of[n]
		at := &of.begins[sum>>of.shift]
		*at--
		of.tags[*at] = tag(sum)
		copy(of.texts[n*int(*at):][:n], text[len(text)-n:])
		text = text[:len(text)-n]
	}
	return j
}

// sound reports whether what was read from a file leads nowhere else, with n letters in
// the alphabet.
func (j *Jumbles) sound(letters int) bool {
	for i := range j.of {
		of := &j.of[i]
		last := of.begins[len(of.begins)-1]
		if !slices.IsSorted(of.begins) || of.begins[0] != 0 || int(last) != of.words() {
			return false
		}
		for _, l := range of.texts {
			if l == 0 || int(l) > letters {
				return false
			}
		}
	}
	return true
}

// tag returns the bits of a sum that a bucket has.
func tag(sum uint64) byte { return byte(sum >> 24) }

// Code returns a letter's number. The sum of codes identifies letters in any order.
func (j *Jumbles) Code(l Letter) uint64 { return j.code[l&MaxLetters] }

// Of returns the words of n letters, up to [MaxWord].
func (j *Jumbles) Of(n int) *JumblesOf { return &j.of[n] }

// words returns how many there are.
func (j *JumblesOf) words() int { return len(j.tags) }

// May reports whether there may be a word with the letters that have this sum.
func (j *JumblesOf) May(sum uint64) bool {
	block, bits := j.at(sum)
	return j.blocks[block]&bits == bits
}

// at returns where a sum's bits are.
func (j *JumblesOf) at(sum uint64) (block, bits uint64) {
	// A sum's own bits are as good as random: it is one of random numbers.
	return sum >> j.shift, 1<<(sum&63) | 1<<(sum>>6&63) | 1<<(sum>>12&63)
}

// Words goes through the words that have this sum, in alphabet order.
func (j *JumblesOf) Words(sum uint64) Jumbled {
	block := sum >> j.shift
	return Jumbled{j, sum, int(j.begins[block]), int(j.begins[block+1])}
}

// Jumbled goes through the words with the same letters.
type Jumbled struct {
	*JumblesOf
	sum     uint64
	at, end int // of what is left of the bucket
}

// Next returns the letters of the next word, or nil after the last.
func (w *Jumbled) Next() []byte {
	for ; w.at < w.end; w.at++ {
		if w.tags[w.at] != tag(w.sum) {
			continue
		}
		text, sum := w.texts[w.at*w.n:][:w.n], w.sum
		for _, l := range text {
			sum -= w.code[l&MaxLetters]
		}
		if sum == 0 {
			w.at++
			return text
		}
	}
	return nil
}

// Size returns how many bytes of memory they take.
func (j *Jumbles) Size() int {
	var of lengths
	for n := range j.of {
		of[n] = j.of[n].words()
	}
	return of.size()
}

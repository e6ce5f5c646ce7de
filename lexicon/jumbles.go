package lexicon

import (
	"encoding/binary"
	"slices"
)

// Jumbles finds the words that letters spell in any order. It is immutable and safe for concurrent use.
//
// Letters in any order are identified by the sum of their codes, which are practically random numbers.
// The words of each length are separate: a blocked Bloom filter (Putze, Sanders and Singler, 2007)
// rejects most sums that no word has; for the others a bucket has the candidate words side by side. An
// English list takes 4 MB in all.
type Jumbles struct {
	code [MaxLetters + 1]uint64
	of   [MaxWord + 1]JumblesOf
}

// JumblesOf holds the words of one length by their letters.
type JumblesOf struct {
	code   *[MaxLetters + 1]uint64
	n      int // letters of a word
	blocks []uint64
	shift  uint // shift of a sum that gives its block and bucket

	// A bucket has the words whose sums have the same block, in alphabetical order. Bucket i has
	// the words from begins[i] to begins[i+1], each with a tag, which is some bits of the sum, and
	// n letters.
	begins []uint32
	tags   []byte
	texts  []byte
}

// perBlock is the average number of words in a block of 64 bits. Each word sets three of the
// bits. So one memory access gives the answer, which is wrong in less than one of a hundred
// cases.
const perBlock = 5

// lengths holds the number of words by length.
type lengths [MaxWord + 1]int

// shift returns the shift for words of n letters; they have 1<<(64-shift) blocks.
func (of *lengths) shift(n int) uint {
	shift := uint(64)
	for k := 1; k < of[n]/perBlock; k *= 2 {
		shift--
	}
	return shift
}

// blocks returns the number of blocks of all lengths.
func (of *lengths) blocks() int {
	sum := 0
	for n := range of {
		sum += 1 << (64 - of.shift(n))
	}
	return sum
}

// begins returns the number of bucket starts, plus an end for each length.
func (of *lengths) begins() int { return of.blocks() + len(of) }

// size returns the size of the index in bytes.
func (of *lengths) size() int {
	size := 8*of.blocks() + 4*of.begins()
	for n, words := range of {
		size += (1 + n) * words
	}
	return size
}

// jumbles returns the index that lengths describe, over the parts of a file, which must have the
// right sizes.
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

// codes holds the letters' codes.
var codes = func() (codes [MaxLetters + 1]uint64) {
	for l := range codes {
		// The steps of SplitMix64 (Steele and others, 2014): numbers without a pattern, and the
		// same each time.
		c := uint64(l+1) * 0x9e3779b97f4a7c15
		c = (c ^ c>>30) * 0xbf58476d1ce4e5b9
		c = (c ^ c>>27) * 0x94d049bb133111eb
		codes[l] = c ^ c>>31
	}
	return codes
}()

// Jumbles returns the words by their letters. A file contains them; for other lists they are
// computed on first use, which takes some milliseconds.
func (x *Lexicon) Jumbles() *Jumbles {
	x.once.Do(func() {
		words := min(x.words, len(x.cells)) // a damaged file can claim many more
		b := jumbler{x: x, sums: make([]uint64, 0, words), letters: make([]uint8, 0, words), texts: make([]byte, 0, 10*words+24)}
		b.from(x.Forward(), spelling{}, 0, 0)
		x.jumbles = b.sort()
	})
	return x.jumbles
}

// A jumbler collects a list's words.
type jumbler struct {
	x *Lexicon
	// For the words in alphabetical order: their letters in sequence, the sums of their codes,
	// their lengths.
	texts   []byte
	sums    []uint64
	letters []uint8
	of      lengths
}

// A spelling holds the letters of a word, one byte each.
type spelling struct{ first, second, third uint64 }

// with returns the spelling with a letter after n others.
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

// from adds the words that continue from a node after n letters with a sum.
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

// add adds a word of n letters.
func (b *jumbler) add(w spelling, n int, sum uint64) {
	start := len(b.texts)
	if cap(b.texts)-start < 24 {
		b.texts = slices.Grow(b.texts, max(start/2, 24))
	}
	text := b.texts[start : start+24] // excess bytes are overwritten later
	binary.LittleEndian.PutUint64(text, w.first)
	binary.LittleEndian.PutUint64(text[8:], w.second)
	binary.LittleEndian.PutUint64(text[16:], w.third)
	b.texts = b.texts[:start+n]
	b.sums = append(b.sums, sum)
	b.letters = append(b.letters, uint8(n))
	b.of[n]++
}

// sort distributes the words to their blocks and buckets. Doing so after they are found lets the
// processor wait for many memory accesses at once.
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
	// Each bucket is filled from its end.
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

// isSound reports whether an index read from a file is consistent, with n letters in the alphabet.
func (j *Jumbles) isSound(letters int) bool {
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

// tag returns the bits of a sum that a bucket stores.
func tag(sum uint64) byte { return byte(sum >> 24) }

// Code returns a letter's code. The sum of codes identifies letters in any order.
func (j *Jumbles) Code(l Letter) uint64 { return j.code[l&MaxLetters] }

// Of returns the words of n letters, up to [MaxWord].
func (j *Jumbles) Of(n int) *JumblesOf { return &j.of[n] }

// words returns the number of words.
func (j *JumblesOf) words() int { return len(j.tags) }

// MayContain reports whether there may be a word with this sum of codes.
func (j *JumblesOf) MayContain(sum uint64) bool {
	block, bits := j.at(sum)
	return j.blocks[block]&bits == bits
}

// at returns the block and the bits of a sum.
func (j *JumblesOf) at(sum uint64) (block, bits uint64) {
	// A sum's own bits are practically random, as it is a sum of random numbers.
	return sum >> j.shift, 1<<(sum&63) | 1<<(sum>>6&63) | 1<<(sum>>12&63)
}

// Words returns an iterator over the words with this sum, in alphabetical order.
func (j *JumblesOf) Words(sum uint64) Jumbled {
	block := sum >> j.shift
	return Jumbled{j, sum, int(j.begins[block]), int(j.begins[block+1])}
}

// Jumbled iterates over words with the same letters.
type Jumbled struct {
	*JumblesOf
	sum     uint64
	at, end int // rest of the bucket
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

// size returns the size of the index in memory, in bytes.
func (j *Jumbles) size() int {
	var of lengths
	for n := range j.of {
		of[n] = j.of[n].words()
	}
	return of.size()
}

package lexicon

import (
	"encoding/binary"
	"slices"
)

// Jumbles leads from letters in any order to the words that they spell, of
// [ShortestJumble] letters or more. It is immutable and safe for concurrent use.
//
// Letters in any order are told by the sum of their codes, numbers as good as
// random. A blocked Bloom filter (Putze, Sanders and Singler, 2007) says of most
// sums at once that no word has them; of the others a table leads to the places of
// their words. The words of an English list take 4.1 MB in all.
type Jumbles struct {
	code   [MaxLetters + 1]uint64
	blocks []uint64
	shift  uint // what is left of a sum's bits says which block and bucket

	// A bucket has words whose sums have the same block, in alphabet order: their
	// places in texts, with some bits of their sums above. Bucket i goes from
	// begins[i] to begins[i+1].
	begins []uint32
	places []uint32
	texts  []byte // words, the last letter of each marked with lastLetter
}

// lastLetter marks the last letter of a word in texts.
const lastLetter = 0x80

// ShortestJumble is how many letters the words of Jumbles have at the least.
const ShortestJumble = 6

// perBlock is how many words a block of 64 bits has; each sets jumbleBits of
// them. So one look at memory answers, and wrong in less than one of a hundred cases.
const (
	perBlock   = 5
	jumbleBits = 3
)

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
	if x.words > maxTexts/ShortestJumble { // most of its words are longer, so texts would be
		return nil
	}
	j := &Jumbles{shift: 64}
	for l := range j.code {
		// The steps of SplitMix64 (Steele and others, 2014): numbers without
		// a pattern, and the same each time.
		c := uint64(l+1) * 0x9e3779b97f4a7c15
		c = (c ^ c>>30) * 0xbf58476d1ce4e5b9
		c = (c ^ c>>27) * 0x94d049bb133111eb
		j.code[l] = c ^ c>>31
	}
	for n := 1; n < x.words/perBlock; n *= 2 {
		j.shift--
	}
	j.blocks = make([]uint64, uint64(1)<<(64-j.shift))
	j.begins = make([]uint32, len(j.blocks)+1)
	b := jumbler{x: x, Jumbles: j, found: make([]found, 0, x.words)}
	b.texts = make([]byte, 0, 10*x.words)
	b.from(x.Forward(), 0, 0)
	if len(j.texts) > maxTexts {
		return nil
	}
	b.sort()
	return j
}

// A jumbler takes in a list's words.
type jumbler struct {
	*Jumbles
	x     *Lexicon
	word  [3]uint64 // its letters up to where the jumbler is, a byte each
	found []found
}

// A found is a word and the sum of its letters.
type found struct {
	sum   uint64
	place uint32 // in texts
}

// from takes in the words that go on from a node after n letters, which have a sum.
func (b *jumbler) from(at Node, n int, sum uint64) {
	if n+1 >= ShortestJumble {
		for m := at.Ends; m != 0; m &= m - 1 {
			b.add(m.First(), n, sum+b.code[m.First()&MaxLetters])
		}
	}
	part, shift := &b.word[n/8], n%8*8
	for i, m := at.first, at.Next; m != 0; i, m = i+1, m&(m-1) {
		l := m.First()
		*part = *part&^(0xff<<shift) | uint64(l)<<shift
		b.from(b.x.node(b.x.cells[i]&placeMask), n+1, sum+b.code[l&MaxLetters])
	}
}

// add takes in the word of n letters and a last one.
func (b *jumbler) add(last Letter, n int, sum uint64) {
	start := len(b.texts)
	if start > maxTexts {
		return // it is too long a list
	}
	if cap(b.texts)-start < 8*len(b.word) {
		b.texts = slices.Grow(b.texts, max(start/2, 8*len(b.word)))
	}
	text := b.texts[start : start+8*len(b.word)] // what is too long is written over
	for i, part := range b.word {
		binary.LittleEndian.PutUint64(text[8*i:], part)
	}
	text[n] = byte(last) | lastLetter
	b.texts = b.texts[:start+n+1]
	b.found = append(b.found, found{sum, uint32(start)})
}

// sort puts the words into their blocks and buckets. It doesn't do so as they are
// found, for here the processor can wait for many places of memory at once.
func (b *jumbler) sort() {
	for i := range b.found {
		block, bits := b.at(b.found[i].sum)
		b.blocks[block] |= bits
		b.begins[block]++
	}
	b.places = make([]uint32, len(b.found))
	end := uint32(0)
	for i, n := range b.begins {
		end += n
		b.begins[i] = end
	}
	// Each bucket fills from its end.
	for i := len(b.found) - 1; i >= 0; i-- {
		f := b.found[i]
		at := &b.begins[f.sum>>b.shift]
		*at--
		b.places[*at] = f.place | tag(f.sum)
	}
}

// tag is the bits of a sum that a bucket has.
func tag(sum uint64) uint32 { return uint32(sum) &^ placeOfText }

// Code is a letter's number. Letters in any order are told by the sum of theirs.
func (j *Jumbles) Code(l Letter) uint64 { return j.code[l&MaxLetters] }

// May reports whether there may be a word with the letters that have this sum.
func (j *Jumbles) May(sum uint64) bool {
	block, bits := j.at(sum)
	return j.blocks[block]&bits == bits
}

// at is where a sum's bits are.
func (j *Jumbles) at(sum uint64) (block, bits uint64) {
	// A sum's own bits are as good as random: it is one of random numbers.
	block = sum >> j.shift
	for range jumbleBits {
		bits |= 1 << (sum & 63)
		sum >>= 6
	}
	return block, bits
}

// Words goes through the words of n letters that have this sum, in alphabet order.
// Of the last byte of each the letter is what [MaxLetters] leaves.
func (j *Jumbles) Words(sum uint64, n int) Jumbled {
	block := sum >> j.shift
	return Jumbled{j, sum, n, j.places[j.begins[block]:j.begins[block+1]]}
}

// Jumbled goes through the words with the same letters.
type Jumbled struct {
	*Jumbles
	sum  uint64
	n    int      // letters
	left []uint32 // of the bucket
}

// Next is the next word, or nil after the last.
func (w *Jumbled) Next() []byte {
	for i, place := range w.left {
		if place&^placeOfText != tag(w.sum) {
			continue
		}
		if text := w.texts[place&placeOfText:]; w.spells(text) {
			w.left = w.left[i+1:]
			return text[:w.n]
		}
	}
	return nil
}

// spells reports whether a text begins with a word of that number of letters and
// that sum.
func (w *Jumbled) spells(text []byte) bool {
	if len(text) < w.n || text[w.n-1] < lastLetter {
		return false
	}
	sum, inside := w.sum, byte(0)
	for _, l := range text[:w.n-1] {
		sum -= w.code[l&MaxLetters]
		inside |= l
	}
	return sum == w.code[text[w.n-1]&MaxLetters] && inside < lastLetter
}

// Size is how many bytes of memory it takes.
func (j *Jumbles) Size() int {
	return 8*len(j.blocks) + 4*len(j.begins) + 4*len(j.places) + len(j.texts)
}

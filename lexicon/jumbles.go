package lexicon

import (
	"math/bits"
)

// Jumbles leads from letters in any order to the words that they spell, of
// [ShortestJumble] letters or more. It is immutable and safe for concurrent use.
//
// Letters in any order are told by the sum of their codes, numbers as good as
// random. A blocked Bloom filter (Putze, Sanders and Singler, 2007) says of most
// sums at once that no word has them; of the others a hash table leads to the
// place in texts where their words lie side by side. The words of an English
// list take 4.1 MB in all.
type Jumbles struct {
	code   [MaxLetters + 1]uint64
	blocks []uint64
	shift  uint // what is left of a number's bits says which block

	// slots have the places of sums in texts, one more than that, in the low
	// bits, and some bits of the sum above them; 0 is a free slot. A sum's slot
	// is the first that fits from its own on.
	slots []uint32
	texts []byte // words, the last letter of each marked with lastLetter
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
	textBits = 24               // of a slot that say where
	maxTexts = 1<<textBits - 64 // so long can the texts be
	textMask = 1<<textBits - 1
)

// Jumbles is the words by their letters. They are gone through when it is first
// asked for, which takes some milliseconds. It is nil where a list is too long.
func (x *Lexicon) Jumbles() *Jumbles {
	x.once.Do(func() { x.jumbles = newJumbles(x) })
	return x.jumbles
}

func newJumbles(x *Lexicon) *Jumbles {
	j := &Jumbles{shift: 64}
	for l := range j.code {
		// The steps of SplitMix64 (Steele and others, 2014): numbers without
		// a pattern, and the same each time.
		c := uint64(l+1) * 0x9e3779b97f4a7c15
		c = (c ^ c>>30) * 0xbf58476d1ce4e5b9
		c = (c ^ c>>27) * 0x94d049bb133111eb
		j.code[l] = c ^ c>>31
	}
	b := jumbler{x: x, code: &j.code, sums: make([]uint64, 0, x.words), ends: make([]uint32, 0, x.words)}
	b.texts = make([]byte, 0, 10*x.words)
	b.from(x.Forward(), 0, nil)
	if len(b.texts) > maxTexts {
		return nil
	}
	for n := 1; n < len(b.sums)/perBlock; n *= 2 {
		j.shift--
	}
	j.blocks = make([]uint64, uint64(1)<<(64-j.shift))

	// Words with the same letters are chained, the last first.
	table := make([]uint32, len(b.sums)*11/10+1) // by slot: the latest word's number, and 1
	before := make([]uint32, len(b.sums))
	for i, sum := range b.sums {
		block, bits := j.at(sum)
		j.blocks[block] |= bits
		at := slotOf(sum, len(table))
		for table[at] != 0 && b.sums[table[at]-1] != sum {
			if at++; at == len(table) {
				at = 0
			}
		}
		before[i] = table[at]
		table[at] = uint32(i + 1)
	}
	j.texts = make([]byte, 0, len(b.texts)+MaxWord)
	for at, i := range table {
		if i == 0 {
			continue
		}
		table[at] = uint32(len(j.texts)+1) | tag(b.sums[i-1])
		for ; i != 0; i = before[i-1] {
			start := uint32(0)
			if i > 1 {
				start = b.ends[i-2]
			}
			j.texts = append(j.texts, b.texts[start:b.ends[i-1]]...)
		}
	}
	j.slots = table
	return j
}

// slotOf is a sum's own slot of n.
func slotOf(sum uint64, slots int) int {
	at, _ := bits.Mul64(sum, uint64(slots))
	return int(at)
}

// tag is the bits of a sum that a slot has.
func tag(sum uint64) uint32 { return uint32(sum) &^ textMask }

// A jumbler lists a list's words and the sums of their letters.
type jumbler struct {
	x     *Lexicon
	code  *[MaxLetters + 1]uint64
	texts []byte
	ends  []uint32 // by word, in texts
	sums  []uint64
}

// from takes in the words that go on from a node; sum is of the letters before.
func (b *jumbler) from(n Node, sum uint64, word []byte) {
	if len(word)+1 >= ShortestJumble {
		for l := range n.Ends.All() {
			b.texts = append(append(b.texts, word...), byte(l)|lastLetter)
			b.ends = append(b.ends, uint32(len(b.texts)))
			b.sums = append(b.sums, sum+b.code[l])
		}
	}
	for l := range n.Next.All() {
		b.from(b.x.Child(n, l), sum+b.code[l], append(word, byte(l)))
	}
}

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
	for range jumbleBits {
		bits |= 1 << (sum & 63)
		sum >>= 6
	}
	return sum >> (j.shift - 6*jumbleBits), bits
}

// Words is the words of n letters that have this sum, one after another, and
// after them others, which [Jumbles.Has] tells from them. It is nil when there
// are none.
func (j *Jumbles) Words(sum uint64, n int) []byte {
	for at := slotOf(sum, len(j.slots)); j.slots[at] != 0; {
		if s := j.slots[at]; s&^textMask == tag(sum) {
			if texts := j.texts[s&textMask-1:]; j.Has(texts, n, sum) {
				return texts
			}
		}
		if at++; at == len(j.slots) {
			at = 0
		}
	}
	return nil
}

// Has reports whether texts begin with a word of n letters that have this sum.
// Of its last byte the letter is what [MaxLetters] leaves.
func (j *Jumbles) Has(texts []byte, n int, sum uint64) bool {
	if len(texts) < n || texts[n-1] < lastLetter {
		return false
	}
	inside := byte(0)
	for _, l := range texts[:n-1] {
		sum -= j.code[l&MaxLetters]
		inside |= l
	}
	return sum == j.code[texts[n-1]&MaxLetters] && inside < lastLetter
}

// Size is how many bytes of memory it takes.
func (j *Jumbles) Size() int { return 8*len(j.blocks) + 4*len(j.slots) + len(j.texts) }

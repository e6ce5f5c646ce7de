package lexicon

// Jumbles tells quickly that letters are no word in any order. It is a blocked
// Bloom filter (Putze, Sanders and Singler, 2007): of the words' letters in any
// order it says yes, of others nearly always no. It is immutable and safe for
// concurrent use.
type Jumbles struct {
	code   [MaxLetters + 1]uint64
	blocks []uint64
	shift  uint // what is left of a number's bits says which block
}

// perBlock is how many words a block of 64 bits has; each sets jumbleBits of
// them. So one look at memory answers, and wrong in less than one of a hundred cases.
const (
	perBlock   = 5
	jumbleBits = 3
)

// Jumbles is the words' letters. They are gone through when it is first asked
// for, which takes some milliseconds.
func (x *Lexicon) Jumbles() *Jumbles {
	x.once.Do(func() { x.jumbles = newJumbles(x) })
	return x.jumbles
}

func newJumbles(x *Lexicon) *Jumbles {
	a := &Jumbles{shift: 64}
	for n := 1; n < x.words/perBlock; n *= 2 {
		a.shift--
	}
	a.blocks = make([]uint64, uint64(1)<<(64-a.shift))
	for l := range a.code {
		// The steps of SplitMix64 (Steele and others, 2014): numbers without
		// a pattern, and the same each time.
		c := uint64(l+1) * 0x9e3779b97f4a7c15
		c = (c ^ c>>30) * 0xbf58476d1ce4e5b9
		c = (c ^ c>>27) * 0x94d049bb133111eb
		a.code[l] = c ^ c>>31
	}
	a.add(x, x.Forward(), 0)
	return a
}

// add takes in the words that go on from a node; sum is of the letters before.
func (a *Jumbles) add(x *Lexicon, n Node, sum uint64) {
	for l := range n.Ends.All() {
		block, bits := a.at(sum + a.code[l])
		a.blocks[block] |= bits
	}
	for l := range n.Next.All() {
		a.add(x, x.Child(n, l), sum+a.code[l])
	}
}

// Code is a letter's number. Letters in any order are told by the sum of theirs.
func (a *Jumbles) Code(l Letter) uint64 { return a.code[l&MaxLetters] }

// May reports whether there may be a word with the letters that have this sum.
func (a *Jumbles) May(sum uint64) bool {
	block, bits := a.at(sum)
	return a.blocks[block]&bits == bits
}

// at is where a sum's bits are.
func (a *Jumbles) at(sum uint64) (block, bits uint64) {
	// A sum's own bits are as good as random: it is one of random numbers.
	for range jumbleBits {
		bits |= 1 << (sum & 63)
		sum >>= 6
	}
	return sum >> (a.shift - 6*jumbleBits), bits
}

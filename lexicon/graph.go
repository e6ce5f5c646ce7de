package lexicon

import (
	"iter"
	"math/bits"
)

// A Set is a set of letters, a bit each: bit l for letter l. In [Node.Next]
// bit 0 stands for [Turn].
type Set uint64

// SetOf is the set of one letter.
func SetOf(l Letter) Set { return 1 << l }

// Has reports whether a letter is in the set.
func (s Set) Has(l Letter) bool { return s>>l&1 != 0 }

// Len is the number of letters in the set.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// First is the lowest letter of a set that isn't empty.
func (s Set) First() Letter { return Letter(bits.TrailingZeros64(uint64(s))) }

// All goes through the letters in order.
func (s Set) All() iter.Seq[Letter] {
	return func(yield func(Letter) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(s.First()) {
				return
			}
		}
	}
}

// Turn is the mark in the GADDAG where reading changes direction: what comes
// before it was read from the right to the left, what comes after is read
// from the left to the right. It takes the place of letter 0.
const Turn Letter = 0

// A Node is a place in the word graph: what has been read so far leads there.
// The zero Node leads nowhere.
type Node struct {
	Ends  Set    // letters that finish a word here
	Next  Set    // letters, and [Turn], after which more can follow
	first uint32 // the cell with the node for the lowest letter of Next
}

// A graph holds a list's words twice over, in one structure.
//
// The forward part is the DAWG: the smallest automaton that reads the words
// from the left to the right. The GADDAG (Gordon, "A faster Scrabble move
// generation algorithm", 1994) can begin a word at any of its letters: for
// each way of cutting a word in two, the head backwards, a Turn, and the tail
// forwards; and the whole word backwards, with no Turn. After the Turn what
// can follow is what can follow that head in the DAWG, so the Turn simply
// leads there.
//
// The nodes lie one after another in cells. A node has a mask of the letters
// that lead on; if the mask's top bit is set, a mask of the letters that end a
// word; and a cell for each letter that leads on, in order, that says where.
// So a step is a test, a popcount and a load, whatever the number of letters,
// and a letter that only ends a word costs no cell. Most nodes lead on by one
// letter alone: these have one cell in place of the mask and what follows it,
// marked by the second highest bit, with the letter's number above the place.
// A node comes after all those it leads to, and no two nodes read the same
// words, in either part. The first cells are a node that leads nowhere, and
// after the last node there is a spare cell.
//
// With more than [narrowLetters] letters the masks take two cells each, are
// both always there, and no node is shortened.
type graph struct {
	cells   []uint32
	wide    bool
	forward uint32 // where the node lies that words begin at in the DAWG
	gaddag  uint32 // and in the GADDAG
}

const (
	narrowLetters = 29               // bit 0 is for Turn, the top two are flags
	endsFlag      = 1 << 31          // the mask of letters that end words follows
	oneFlag       = 1 << 30          // one letter leads on: its number and the place
	narrowMask    = oneFlag - 1      // the letters that lead on, without oneFlag
	placeBits     = 24               // of a cell that says where a letter leads
	placeMask     = 1<<placeBits - 1 //
	maxCells      = 1 << placeBits   // so many cells can a graph have
	emptyNode     = 0                // where the node that leads nowhere lies
	firstNode     = 4                // where the others begin
)

// node reads the node at a place.
func (g *graph) node(at uint32) Node {
	c := g.cells
	if g.wide {
		return Node{Ends: Set(c[at+2]) | Set(c[at+3])<<32, Next: Set(c[at]) | Set(c[at+1])<<32, first: at + 4}
	}
	head := c[at]
	ends := head >> 31
	n := Node{Ends: Set(c[at+1] & -ends), Next: Set(head & narrowMask), first: at + 1 + ends}
	if head&oneFlag != 0 {
		n.Next, n.first = 1<<(head>>placeBits&31), at
	}
	return n
}

// place is where the node lies that a letter leads to, which must be in n.Next.
func (g *graph) place(n Node, l Letter) uint32 {
	before := n.Next & (1<<(l&MaxLetters) - 1)
	return g.cells[n.first+uint32(before.Len())] & placeMask
}

// Forward is the node where words begin that are read from the left to the
// right.
func (x *Lexicon) Forward() Node { return x.node(x.forward) }

// Gaddag is the node where words begin that are read from one of their letters
// to the left, and after a [Turn] from the next letter to the right.
func (x *Lexicon) Gaddag() Node { return x.node(x.gaddag) }

// Child is the node that a letter of n.Next, or [Turn], leads to. It must be
// there: a caller that doesn't know uses [Lexicon.Walk].
func (x *Lexicon) Child(n Node, l Letter) Node { return x.node(x.place(n, l)) }

// Walk is the node that the letters of w lead to from n, one after another:
// the zero Node when they lead nowhere.
func (x *Lexicon) Walk(n Node, w Word) Node {
	for i := range len(w) {
		if !n.Next.Has(Letter(w[i])) {
			return Node{}
		}
		n = x.Child(n, Letter(w[i]))
	}
	return n
}

// end is the place after a node.
func (g *graph) end(at uint32, n Node) uint32 {
	return max(n.first+uint32(n.Next.Len()), at+1+g.cells[at]>>31)
}

// appendNode puts a node at the end of some cells. places says where each
// letter of next leads, and Turn.
func appendNode(c []uint32, wide bool, ends, next Set, places *[MaxLetters + 1]uint32) []uint32 {
	head := uint32(next)
	if !wide && next.Len() == 1 {
		l := next.First()
		head = oneFlag | uint32(l)<<placeBits | places[l]
		next = 0
	}
	switch {
	case wide:
		c = append(c, head, uint32(next>>32), uint32(ends), uint32(ends>>32))
	case ends != 0:
		c = append(c, head|endsFlag, uint32(ends))
	default:
		c = append(c, head)
	}
	for l := range next.All() {
		c = append(c, places[l])
	}
	return c
}

// sound reports whether the cells are a graph for an alphabet of so many
// letters: nodes one after another, each leading only to nodes before it. What
// walks a sound graph can't leave it or go round in it.
func (g *graph) sound(letters int) bool {
	if len(g.cells) <= firstNode || len(g.cells) > maxCells {
		return false
	}
	known := Set(1)<<letters<<1 - 1 // the letters there are, and Turn
	begins := make([]uint64, len(g.cells)/64+1)
	begins[0] = 1 << emptyNode
	isNode := func(at uint32) bool { return begins[at/64]>>(at%64)&1 != 0 }
	at, spare := uint32(firstNode), uint32(len(g.cells)-1)
	for at < spare {
		if g.wide && spare-at < 4 {
			return false
		}
		n := g.node(at)
		end := g.end(at, n)
		if (n.Ends|n.Next)&^known != 0 || end > spare {
			return false
		}
		for _, c := range g.cells[n.first:][:n.Next.Len()] {
			if place := c & placeMask; place >= at || !isNode(place) {
				return false
			}
		}
		begins[at/64] |= 1 << (at % 64)
		at = end
	}
	return g.forward < at && isNode(g.forward) && g.gaddag < at && isNode(g.gaddag)
}

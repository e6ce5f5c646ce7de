package lexicon

import (
	"iter"
	"math/bits"
)

// A Set is a set of letters: bit l for letter l. In [Node.Next] bit 0 stands for [Turn].
type Set uint64

// SetOf returns the set of one letter.
func SetOf(l Letter) Set { return 1 << l }

// Has reports whether a letter is in the set.
func (s Set) Has(l Letter) bool { return s>>l&1 != 0 }

// len returns the number of letters in the set.
func (s Set) len() int { return bits.OnesCount64(uint64(s)) }

// First returns the lowest letter of a non-empty set.
func (s Set) First() Letter { return Letter(bits.TrailingZeros64(uint64(s))) }

// All yields the letters in order.
func (s Set) All() iter.Seq[Letter] {
	return func(yield func(Letter) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(s.First()) {
				return
			}
		}
	}
}

// Turn marks the change of direction in the GADDAG: what comes before it is read from right to
// left, what comes after from left to right. It uses the number 0.
const Turn Letter = 0

// A Node is a place in the word graph, reached by the letters read so far. The zero Node leads
// nowhere.
type Node struct {
	Ends  Set    // letters that end a word here
	Next  Set    // letters, and [Turn], that can be followed by more
	first uint32 // cell with the node for the lowest letter of Next
}

// A graph stores a list's words twice in one structure.
//
// The forward part is the DAWG: the smallest automaton that reads the words from left to right. The
// GADDAG (Gordon, "A faster Scrabble move generation algorithm", 1994) can start a word at any of its
// letters: for each way to split a word it has the head backwards, a Turn, and the tail forwards; and
// it has the whole word backwards, without a Turn. After the Turn the same can follow as after that
// head in the DAWG, so the Turn simply leads there.
//
// The nodes are stored one after another in cells. A node has a mask of the letters that lead on; if
// the mask's top bit is set, a mask of the letters that end a word; and for each letter that leads on,
// in order, a cell with the target's place. So a step is a test, a popcount and a load, whatever the
// number of letters, and a letter that only ends a word takes no cell. Most nodes have a single letter
// that leads on: these have one cell instead of the mask and the target, marked by the second highest
// bit, with the letter's number above the place. No two nodes read the same words, in either part. The
// first cells are a node that leads nowhere, and the last node is followed by a spare cell.
//
// With more than [narrowLetters] letters each mask takes two cells and both are always present, and no
// node has the short form.
type graph struct {
	cells   []uint32
	wide    bool
	forward uint32 // place of the DAWG's root
	gaddag  uint32 // place of the GADDAG's root
}

const (
	narrowLetters = 29               // bit 0 is for Turn, the top two are flags
	endsFlag      = 1 << 31          // the mask of letters that end words follows
	oneFlag       = 1 << 30          // one letter leads on: its number and the place
	narrowMask    = oneFlag - 1      // letters that lead on, without oneFlag
	placeBits     = 24               // place bits of a cell
	placeMask     = 1<<placeBits - 1 //
	maxCells      = 1 << placeBits   // most cells of a graph
	emptyNode     = 0                // place of the node that leads nowhere
	firstNode     = 4                // place of the first other node
)

// node returns the node at a place.
func (g *graph) node(at uint32) Node {
	c := g.cells
	if g.wide {
		return Node{Ends: Set(c[at+2]) | Set(c[at+3])<<32, Next: Set(c[at]) | Set(c[at+1])<<32, first: at + 4}
	}
	return narrowNode(c, at)
}

// narrowNode returns the node at a place if the alphabet is narrow. It has no branches, because
// they would be unpredictable.
func narrowNode(c []uint32, at uint32) Node {
	head := c[at]
	ends, one := head>>31, head>>30&1
	next := head & narrowMask
	next ^= (next ^ 1<<(head>>placeBits&31)) & -one
	return Node{Ends: Set(c[at+1] & -ends), Next: Set(next), first: at + (1+ends)&(one-1)}
}

// place returns the place of the node that a letter leads to, which must be in n.Next.
func (g *graph) place(n Node, l Letter) uint32 {
	before := n.Next & (1<<(l&MaxLetters) - 1)
	return g.cells[n.first+uint32(before.len())] & placeMask
}

// Forward returns the root for reading words from left to right.
func (x *Lexicon) Forward() Node {
	x.ensureWords()
	return x.node(x.forward)
}

// Gaddag returns the root for reading words from one of their letters to the left and, after a
// [Turn], from the next letter to the right.
func (x *Lexicon) Gaddag() Node {
	x.ensureGaddag()
	return x.node(x.gaddag)
}

// Child returns the node that a letter of n.Next, or [Turn], leads to. The letter must be there;
// otherwise use [Lexicon.Walk].
func (x *Lexicon) Child(n Node, l Letter) Node { return x.node(x.place(n, l)) }

// A Kid is a node with the letter that leads to it.
type Kid struct {
	Node
	Letter Letter
}

// Kids reads the nodes that letters lead to, which must all be in n.Next, and stores those where a
// letter of ends ends a word or one of next leads on. It returns their number; they are in letter
// order. Reading all of them before using one lets the processor fetch them in parallel.
func (x *Lexicon) Kids(n Node, letters, ends, next Set, kids *[MaxLetters + 1]Kid) int {
	if x.wide {
		return x.kidsWide(n, letters, ends, next, kids)
	}
	kept := 0
	c := x.cells
	for m := letters; m != 0; m &= m - 1 {
		before := n.Next & (m&-m - 1)
		at := c[n.first+uint32(before.len())] & placeMask
		k := &kids[kept&MaxLetters]
		k.Node = narrowNode(c, at)
		k.Letter = m.First()
		if k.Ends&ends|k.Next&next != 0 {
			kept++
		}
	}
	return kept
}

func (x *Lexicon) kidsWide(n Node, letters, ends, next Set, kids *[MaxLetters + 1]Kid) int {
	kept := 0
	for l := range letters.All() {
		k := Kid{x.Child(n, l), l}
		if k.Ends&ends|k.Next&next != 0 {
			kids[kept] = k
			kept++
		}
	}
	return kept
}

// Walk returns the node that the letters of w lead to from n, or the zero Node if they lead
// nowhere.
func (x *Lexicon) Walk(n Node, w Word) Node {
	for i := range len(w) {
		if !n.Next.Has(Letter(w[i])) {
			return Node{}
		}
		n = x.Child(n, Letter(w[i]))
	}
	return n
}

// end returns the place after a node.
func (g *graph) end(at uint32, n Node) uint32 {
	return max(n.first+uint32(n.Next.len()), at+1+g.cells[at]>>31)
}

// appendNode appends a node to cells. places has the target of each letter of next, and of Turn.
func appendNode(c []uint32, wide bool, ends, next Set, places *[MaxLetters + 1]uint32) []uint32 {
	at := len(c)
	c = appendMasks(c, wide, mask{ends, next})
	if !wide && next.len() == 1 {
		c[at] |= places[next.First()]
		return c
	}
	for l := range next.All() {
		c = append(c, places[l])
	}
	return c
}

// A mask is the set of letters that end a word at a node, and that lead on.
type mask struct{ ends, next Set }

// appendMasks appends the start of a node to cells, without the targets of its letters. Those go
// into the cells after it or, if one letter leads on and the alphabet is narrow, into the first
// cell.
func appendMasks(c []uint32, wide bool, m mask) []uint32 {
	head := uint32(m.next)
	switch {
	case wide:
		return append(c, head, uint32(m.next>>32), uint32(m.ends), uint32(m.ends>>32))
	case m.next.len() == 1:
		head = oneFlag | uint32(m.next.First())<<placeBits
	}
	if m.ends != 0 {
		return append(c, head|endsFlag, uint32(m.ends))
	}
	return append(c, head)
}

// arrange reorders the nodes from a place on, which belong to the GADDAG, by the step at which they
// are reached. So the nodes that a node leads to tend to be adjacent, which saves the move
// generator one in four of its cache misses. Looking words up works better with the DAWG in build
// order, in which words with common prefixes are together.
func (g *graph) arrange(from uint32) {
	old := *g
	moved := make([]uint32, len(old.cells)) // new place of the node at a place
	var order []uint32
	next := from
	reach := func(at uint32) {
		if at >= from && moved[at] == 0 {
			moved[at] = next
			next += old.end(at, old.node(at)) - at
			order = append(order, at)
		}
	}
	reach(old.gaddag)
	for i := 0; i < len(order); i++ {
		n := old.node(order[i])
		for l := range n.Next.All() {
			reach(old.place(n, l))
		}
	}
	g.cells = make([]uint32, len(old.cells))
	copy(g.cells, old.cells[:from])
	for _, at := range order {
		n, to := old.node(at), moved[at]
		copy(g.cells[to:], old.cells[at:old.end(at, n)])
		places := g.cells[to+n.first-at:][:n.Next.len()]
		for i, c := range places {
			if place := c & placeMask; place >= from {
				places[i] = c&^placeMask | moved[place]
			}
		}
	}
	if g.gaddag >= from {
		g.gaddag = moved[g.gaddag]
	}
}

// isSound reports whether the cells form a graph for an alphabet of n letters: consecutive nodes that
// only lead to nodes. A walk can't leave a sound graph.
func (g *graph) isSound(letters int) bool {
	if len(g.cells) <= firstNode || len(g.cells) > maxCells {
		return false
	}
	known := Set(1)<<letters<<1 - 1 // valid letters, and Turn
	spare := uint32(len(g.cells) - 1)
	nodes, places := newBitmap(spare), newBitmap(spare) // actual and expected starts of nodes
	nodes.set(emptyNode)
	for at := uint32(firstNode); at < spare; {
		if g.wide && spare-at < 4 {
			return false
		}
		n := g.node(at)
		end := g.end(at, n)
		if (n.Ends|n.Next)&^known != 0 || end > spare {
			return false
		}
		for _, c := range g.cells[n.first:][:n.Next.len()] {
			if !places.set(c & placeMask) {
				return false
			}
		}
		nodes.set(at)
		at = end
	}
	if !places.set(g.forward) || !places.set(g.gaddag) {
		return false
	}
	for i := range places {
		if places[i]&^nodes[i] != 0 {
			return false
		}
	}
	return true
}

// A bitmap has a bit for each cell.
type bitmap []uint64

func newBitmap(cells uint32) bitmap { return make(bitmap, (cells+63)/64) }

// set sets a bit. It returns false if there is no such cell.
func (b bitmap) set(i uint32) bool {
	if i/64 >= uint32(len(b)) {
		return false
	}
	b[i/64] |= 1 << (i % 64)
	return true
}

package lexicon

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// The lengths of the words a list can have, in letters. The longest is the
// side of the largest board.
const (
	MinWord = 2
	MaxWord = 21
)

// A LineError says what is wrong with a line of a word list.
type LineError struct {
	Line   int // counted from 1
	Text   string
	Fault  Fault
	Reason string // the fault in detail
}

func (e *LineError) Error() string {
	return fmt.Sprintf("line %d: %.40q: %s", e.Line, e.Text, e.Reason)
}

// A Fault is one sort of mistake in a line of a word list.
type Fault uint8

const (
	NotText  Fault = iota + 1 // it isn't UTF-8
	NoTile                    // a character of it is on no tile
	TooShort                  // it has fewer letters than MinWord
	TooLong                   // it has more than MaxWord
)

// String says what lines with the fault have in common.
func (f Fault) String() string {
	switch f {
	case NotText:
		return "not UTF-8 text"
	case NoTile:
		return "with a character that is on no tile"
	case TooShort:
		return fmt.Sprintf("of fewer than %d letters", MinWord)
	case TooLong:
		return fmt.Sprintf("of more than %d letters", MaxWord)
	}
	return fmt.Sprintf("Fault(%d)", uint8(f))
}

// ErrTooLarge says that a list's graph would outgrow the form it is kept in,
// which has room for some three million words as long as English ones.
var ErrTooLarge = errors.New("the word list is too large")

// maxLineErrors is how many bad lines Build names before it gives up: enough
// to see what is wrong with a file, few enough to read.
const maxLineErrors = 10

// Build compiles a word list, as [ReadList] reads it, if every line is fit. The
// first bad lines come back together, each a [*LineError]; no lexicon is made then.
// The error can also be [ErrTooLarge], [ErrNotText] or the reader's.
func Build(name string, a *Alphabet, r io.Reader) (*Lexicon, error) {
	words, bad, err := ReadList(a, r)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, line := range bad[:min(len(bad), maxLineErrors)] {
		errs = append(errs, line)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return New(name, a, words)
}

// New makes a lexicon of words in any order; one that is there twice counts
// once. The error can be [ErrTooLarge].
func New(name string, a *Alphabet, words []Word) (*Lexicon, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	words = slices.Compact(slices.Sorted(slices.Values(words)))
	g, ok := buildGraph(a, words, maxCells)
	if !ok {
		return nil, ErrTooLarge
	}
	x := &Lexicon{name: name, alphabet: a, words: len(words), graph: g}
	x.hash = x.sum()
	return x, nil
}

// ErrNotText says that a file is no word list at all.
var ErrNotText = errors.New("not a text file: a word list has a word a line")

// With makes a list of the same name with words added and others taken out,
// which take precedence. The error can be [ErrTooLarge].
func (x *Lexicon) With(added, removed []Word) (*Lexicon, error) {
	words := slices.AppendSeq(slices.Clone(added), x.Words())
	out := make(map[Word]bool, len(removed))
	for _, w := range removed {
		out[w] = true
	}
	return New(x.name, x.alphabet, slices.DeleteFunc(words, func(w Word) bool { return out[w] }))
}

// ReadList reads a word list: a word a line, in either case and any order, with
// either line ending. Empty lines and lines that begin with "#" are passed over.
// Lines that are no word of the alphabet's come back apart, in their order. The
// error is [ErrNotText] or the reader's.
func ReadList(a *Alphabet, r io.Reader) (words []Word, bad []*LineError, err error) {
	list, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, fmt.Errorf("read word list: %w", err)
	}
	if bytes.HasPrefix(list, []byte("\xff\xfe")) || bytes.HasPrefix(list, []byte("\xfe\xff")) {
		return nil, nil, fmt.Errorf("%w, in UTF-8; this file is in UTF-16: save it as UTF-8", ErrNotText)
	}
	if bytes.IndexByte(list, 0) >= 0 {
		return nil, nil, ErrNotText
	}
	list = bytes.TrimPrefix(list, []byte("\ufeff")) // some editors' byte order mark
	n := 0
	for line := range bytes.Lines(list) {
		n++
		text := string(bytes.TrimSpace(line))
		if text == "" || text[0] == '#' {
			continue
		}
		w, fault, reason := readWord(a, text)
		if fault != 0 {
			bad = append(bad, &LineError{n, text, fault, reason})
			continue
		}
		for _, way := range a.Readings(w) {
			if len(way) <= MaxWord {
				words = append(words, way)
			}
		}
	}
	return words, bad, nil
}

// readWord reads the word on a line; fault is 0 if it is one.
func readWord(a *Alphabet, text string) (w Word, fault Fault, reason string) {
	if !utf8.ValidString(text) {
		return "", NotText, "not UTF-8 text: convert the list first"
	}
	w, err := a.Parse(text)
	if err != nil {
		return "", NoTile, err.Error()
	}
	if len(w) >= MinWord && len(w) <= MaxWord {
		return w, 0, ""
	}
	reason = fmt.Sprintf("has %d letters; a word has %d to %d", len(w), MinWord, MaxWord)
	if len(w) < MinWord {
		return "", TooShort, reason
	}
	return "", TooLong, reason
}

// sum is the sha256 of the words as the graph has them, in order, one a line.
func (x *Lexicon) sum() [sha256.Size]byte {
	h := sha256.New()
	buf := bufio.NewWriter(h)
	for w := range x.Words() {
		buf.WriteString(x.alphabet.String(w))
		buf.WriteByte('\n')
	}
	buf.Flush() // a hash takes everything
	return [sha256.Size]byte(h.Sum(nil))
}

// buildGraph makes the graph of sorted words; ok is false when it needs more
// cells than the limit.
func buildGraph(a *Alphabet, words []Word, limit int) (g graph, ok bool) {
	b := builder{graph: graph{cells: make([]uint32, firstNode+1), wide: a.Len() > narrowLetters}, table: make([]uint32, 1<<12), limit: limit}
	for _, w := range words {
		b.add(w)
	}
	b.forward = b.finish()
	b.addGaddag()
	return b.graph, !b.full
}

// withGaddag is a graph of a DAWG alone, whose cells have a spare one at their end,
// with the GADDAG after it, as buildGraph makes it.
func withGaddag(dawg graph) (g graph, ok bool) {
	b := builder{graph: dawg, table: make([]uint32, 1<<12), limit: maxCells}
	b.cells = slices.Clone(dawg.cells)
	for at := uint32(firstNode); at < uint32(len(b.cells)-1); {
		b.table[b.find(b.cellsOf(at))] = at
		if b.closed++; b.closed*2 >= len(b.table) {
			b.grow()
		}
		at = b.end(at, b.node(at))
	}
	b.addGaddag()
	return b.graph, !b.full
}

// addGaddag makes the GADDAG of the words that are in the DAWG.
func (b *builder) addGaddag() {
	from := uint32(len(b.cells) - 1)
	b.heads = b.appendHeads([]head{{}}, b.node(b.forward), 0, 1)
	if b.full {
		return
	}
	unread := make([]reading, len(b.heads)-1)
	for i := range unread {
		unread[i] = reading{uint32(i + 1), uint32(i + 1)}
	}
	b.backwards(unread, make([]reading, len(unread)), 0)
	b.gaddag = b.close(0)
	b.heads = nil
	b.arrange(from)
}

// A head is what a word begins with: what the GADDAG reads backwards before a
// Turn. They form a tree: each is one letter longer than another. The first head
// of all is empty.
type head struct {
	shorter uint32 // the head without its last letter, by number
	last    uint32 // the place in the DAWG after it, its last letter, headEnds
}

const headEnds = 1 << 31 // the head is a word itself

func (h head) letter() Letter { return Letter(h.last >> placeBits & MaxLetters) }

// mostHeads is how many heads there can be: with more the graph would be too large.
const mostHeads = 4 * maxCells

// appendHeads adds the heads that go on from one, with what is in the DAWG behind it;
// they are so long.
func (b *builder) appendHeads(heads []head, n Node, shorter uint32, long int) []head {
	if b.full = b.full || long > MaxWord || len(heads) > mostHeads; b.full {
		return heads
	}
	for l := range (n.Ends | n.Next).All() {
		h := head{shorter, uint32(l) << placeBits}
		if n.Ends.Has(l) {
			h.last |= headEnds
		}
		if n.Next.Has(l) {
			h.last |= b.place(n, l)
		}
		heads = append(heads, h)
		if at := h.last & placeMask; at != emptyNode {
			heads = b.appendHeads(heads, b.node(at), uint32(len(heads)-1), long+1)
		}
	}
	return heads
}

// A reading is a head that is being read backwards, and what is left of it: a
// head too.
type reading struct{ head, left uint32 }

// few is how many readings are put in order one by one.
const few = 12

// backwards opens the node that reads what is left of some heads, whose letters
// behind that are the same, that many of them. One of them may be left empty:
// then ends says whether it is a word. spare is room for as many.
func (b *builder) backwards(all, spare []reading, behind int) (ends bool) {
	next := func(r reading) Letter { return b.heads[r.left].letter() } // 0 at the end
	if len(all) <= few {
		for i := 1; i < len(all); i++ {
			for k := i; k > 0 && next(all[k]) < next(all[k-1]); k-- {
				all[k], all[k-1] = all[k-1], all[k]
			}
		}
	} else {
		var starts [MaxLetters + 2]int
		for _, r := range all {
			starts[next(r)+1]++
		}
		for l := range MaxLetters {
			starts[l+1] += starts[l]
		}
		for _, r := range all {
			l := next(r)
			spare[starts[l]] = r
			starts[l]++
		}
		all, spare = spare, all
	}
	o := &b.open[behind]
	for i := 0; i < len(all); {
		from, l := i, next(all[i])
		if l == 0 {
			h := b.heads[all[i].head]
			ends = h.last&headEnds != 0
			if at := h.last & placeMask; at != emptyNode {
				o.next |= SetOf(Turn)
				o.places[Turn] = at
			}
			i++
			continue
		}
		for ; i < len(all) && next(all[i]) == l; i++ {
			all[i].left = b.heads[all[i].left].shorter
		}
		if b.backwards(all[from:i], spare[from:i], behind+1) {
			o.ends |= SetOf(l)
		}
		if at := b.close(behind + 1); at != emptyNode {
			o.next |= SetOf(l)
			o.places[l] = at
		}
	}
	return ends
}

// common is how many letters two words begin alike with.
func common(v, w Word) int {
	n := 0
	for n < len(v) && n < len(w) && v[n] == w[n] {
		n++
	}
	return n
}

// A builder makes the smallest graph of words that come in order (Daciuk and
// others, "Incremental construction of minimal acyclic finite-state automata",
// 2000): the nodes along the latest word are open; when the next word leaves
// them they are closed, last first, and one that reads the same as a closed
// node before gives way to it.
type builder struct {
	graph
	open   [MaxWord + 1]openNode
	latest Word
	table  []uint32 // closed nodes by hash, open addressing, 0 where free
	closed int
	limit  int  // cells
	full   bool // past the limit: no more nodes are made
	heads  []head
}

type openNode struct {
	ends, next Set
	places     [MaxLetters + 1]uint32
}

// add takes the next word.
func (b *builder) add(w Word) {
	b.closeBelow(common(w, b.latest))
	b.latest = w
	b.open[len(w)-1].ends |= SetOf(Letter(w[len(w)-1]))
}

// finish closes every node and says where the one is that words begin at.
func (b *builder) finish() uint32 {
	b.closeBelow(0)
	b.latest = ""
	return b.close(0)
}

func (b *builder) closeBelow(depth int) {
	for d := len(b.latest); d > depth; d-- {
		if at := b.close(d); at != emptyNode {
			l := Letter(b.latest[d-1])
			b.open[d-1].next |= SetOf(l)
			b.open[d-1].places[l] = at
		}
	}
}

func (b *builder) close(depth int) uint32 {
	o := &b.open[depth]
	if o.ends|o.next == 0 || b.full {
		return emptyNode
	}
	// The node is made at the end of the cells, and taken back if there is one
	// like it.
	at := uint32(len(b.cells) - 1)
	b.cells = append(appendNode(b.cells[:at], b.wide, o.ends, o.next, &o.places), 0)
	b.full = len(b.cells) > b.limit
	o.ends, o.next = 0, 0
	if b.closed*2 >= len(b.table) {
		b.grow()
	}
	slot := b.find(b.cellsOf(at))
	if like := b.table[slot]; like != 0 {
		b.cells = append(b.cells[:at], 0)
		return like
	}
	b.table[slot] = at
	b.closed++
	return at
}

// find is the slot of the closed node that is like one, or else a free slot for it.
func (b *builder) find(node []uint32) int {
	slot := b.slot(node)
	for ; b.table[slot] != 0 && !slices.Equal(b.cellsOf(b.table[slot]), node); slot = (slot + 1) % len(b.table) {
	}
	return slot
}

// cellsOf is the cells of the node at a place.
func (b *builder) cellsOf(at uint32) []uint32 { return b.cells[at:b.end(at, b.node(at))] }

func (b *builder) slot(node []uint32) int {
	h := uint64(14695981039346656037) // FNV-1a, by cells
	for _, c := range node {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return int((h ^ h>>32) % uint64(len(b.table)))
}

func (b *builder) grow() {
	old := b.table
	b.table = make([]uint32, 2*len(old))
	for _, at := range old {
		if at == 0 {
			continue
		}
		slot := b.slot(b.cellsOf(at))
		for b.table[slot] != 0 {
			slot = (slot + 1) % len(b.table)
		}
		b.table[slot] = at
	}
}

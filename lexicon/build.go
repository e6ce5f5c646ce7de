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

// The lengths of words in a list, in letters. The longest is the side of the largest board.
const (
	MinWord = 2
	MaxWord = 21
)

// A LineError reports a bad line of a word list.
type LineError struct {
	Line   int // counted from 1
	Text   string
	Fault  Fault
	Reason string // details of the fault
}

func (e *LineError) Error() string {
	return fmt.Sprintf("line %d: %.40q: %s", e.Line, e.Text, e.Reason)
}

// A Fault is a kind of mistake in a line of a word list.
type Fault uint8

const (
	NotText  Fault = iota + 1 // not UTF-8
	NoTile                    // has a character that is on no tile
	TooShort                  // fewer letters than MinWord
	TooLong                   // more letters than MaxWord
)

// String returns a description of lines with the fault.
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

// ErrTooLarge reports that a list's graph would exceed the format, which has room for about three
// million words of English length.
var ErrTooLarge = errors.New("the word list is too large")

// maxLineErrors limits the bad lines that Build reports before it stops: enough to see what is
// wrong with a file, few enough to read.
const maxLineErrors = 10

// Build compiles a word list in the format of [ReadList] if every line is valid. Otherwise it
// returns the first bad lines together, each a [*LineError], and no lexicon. The error can also be
// [ErrTooLarge], [ErrNotText] or the reader's.
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

// New returns a lexicon of words in any order; duplicates count once. The error can be
// [ErrTooLarge].
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

// ErrNotText reports a file that isn't a word list at all.
var ErrNotText = errors.New("not a text file: a word list has one word a line")

// With returns a list of the same name with words added and others removed; removal takes
// precedence. The error can be [ErrTooLarge].
func (x *Lexicon) With(added, removed []Word) (*Lexicon, error) {
	words := slices.AppendSeq(slices.Clone(added), x.Words())
	out := make(map[Word]bool, len(removed))
	for _, w := range removed {
		out[w] = true
	}
	return New(x.name, x.alphabet, slices.DeleteFunc(words, func(w Word) bool { return out[w] }))
}

// ReadList parses a word list: one word a line, in either case and any order, with either line
// ending. It skips empty lines and lines that start with "#". It returns invalid lines separately,
// in their order. The error is [ErrNotText] or the reader's.
func ReadList(a *Alphabet, r io.Reader) (words []Word, bad []*LineError, err error) {
	list, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, fmt.Errorf("read word list: %w", err)
	}
	if bytes.HasPrefix(list, []byte("\xff\xfe")) || bytes.HasPrefix(list, []byte("\xfe\xff")) {
		return nil, nil, fmt.Errorf("%w in UTF-8; this file is in UTF-16: save it as UTF-8", ErrNotText)
	}
	if bytes.IndexByte(list, 0) >= 0 {
		return nil, nil, ErrNotText
	}
	list = bytes.TrimPrefix(list, []byte("\ufeff")) // byte order mark of some editors
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
		for _, way := range a.readings(w) {
			if len(way) <= MaxWord {
				words = append(words, way)
			}
		}
	}
	return words, bad, nil
}

// readWord parses the word on a line; fault is 0 if it is valid.
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

// sum returns the SHA-256 of the words in the graph's order, one a line.
func (x *Lexicon) sum() [sha256.Size]byte {
	h := sha256.New()
	buf := bufio.NewWriter(h)
	for w := range x.Words() {
		buf.WriteString(x.alphabet.String(w))
		buf.WriteByte('\n')
	}
	buf.Flush() // a hash accepts everything
	return [sha256.Size]byte(h.Sum(nil))
}

// buildGraph returns the graph of sorted words; ok is false if it needs more cells than the limit.
func buildGraph(a *Alphabet, words []Word, limit int) (g graph, ok bool) {
	b := builder{graph: graph{cells: make([]uint32, firstNode+1), wide: a.Len() > narrowLetters}, table: make([]uint32, 1<<12), limit: limit}
	for _, w := range words {
		b.add(w)
	}
	b.forward = b.finish()
	b.addGaddag()
	return b.graph, !b.full
}

// withGaddag returns a DAWG with its GADDAG appended: the same graph as that of buildGraph. The
// cells of the DAWG must end with a spare one.
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

// addGaddag appends the GADDAG of the words in the DAWG.
func (b *builder) addGaddag() {
	from := uint32(len(b.cells) - 1)
	r := backwards{builder: b, made: make([]made, 1<<12)}
	b.gaddag = r.root(from)
	b.arrange(from)
}

// A reading is one way in which the DAWG reads some letters: from place begin to place last, with
// endsWord set if they end a word there.
type reading struct{ begin, last uint32 }

const endsWord = 1 << 31 // flag added to a place

// mostReadings limits the readings: with more the graph would be too large.
const mostReadings = 64 * maxCells

// backwards builds the nodes of the GADDAG before a Turn. What can follow letters read backwards
// depends only on how the DAWG reads them: equal readings give the same node, and others a
// different one, because no two places of a DAWG are equivalent. So each node is made once for its
// readings, and found by them afterwards.
type backwards struct {
	*builder
	ways   []uint32  // edges that lead to the DAWG's nodes: a letter, and the place where it starts
	into   []uint32  // by place: start in ways of the edges that lead to it
	made   []made    // by sum; open addressing
	nodes  int       // number of entries in made
	spare  []reading // buffer of readings, used up to its length
	looked int       // readings so far
}

// A made entry is a node with the sum of its readings. The zero made is empty.
type made struct {
	sum
	at uint32 // its place
}

// A sum is a hash of readings in any order. Two nodes have the same sum with a chance of one in
// 2^96.
type sum struct {
	first  uint64
	second uint32
}

// root builds the nodes and returns the place of the root. end is the place after the DAWG.
func (r *backwards) root(end uint32) uint32 {
	var to [MaxLetters + 1]int
	var letters Set
	r.into = make([]uint32, end+1)
	for at := uint32(firstNode); at < end; {
		n := r.node(at)
		letters |= n.Ends | n.Next
		for l := range (n.Ends | n.Next).All() {
			to[l]++
		}
		for _, c := range r.cells[n.first:][:n.Next.len()] {
			r.into[c&placeMask+1]++
		}
		at = r.end(at, n)
	}
	for i, n := range r.into[:end] {
		r.into[i+1] += n
	}
	r.ways = make([]uint32, r.into[end])
	begin := r.sort(letters, &to)
	for at := uint32(firstNode); at < end; {
		n := r.node(at)
		for l := range (n.Ends | n.Next).All() {
			one := reading{begin: at}
			if n.Next.Has(l) {
				one.last = r.place(n, l)
				r.ways[r.into[one.last]] = uint32(l)<<placeBits | at
				r.into[one.last]++
			}
			if n.Ends.Has(l) {
				one.last |= endsWord
			}
			r.spare[to[l]] = one
			to[l]++
		}
		at = r.end(at, n)
	}
	copy(r.into[1:], r.into[:end]) // each is now the start of the next one
	r.into[0] = 0
	r.follow(letters, begin, &to, 0)
	return r.close(0)
}

// sort reserves room for the readings that each letter leads to, to[l] of them, and returns its
// start. From then on to has the positions at which to store each letter's next reading.
func (r *backwards) sort(letters Set, to *[MaxLetters + 1]int) (begin int) {
	begin = len(r.spare)
	at := begin
	for m := letters; m != 0; m &= m - 1 {
		l := m.First()
		to[l], at = at, at+to[l]
	}
	r.spare = slices.Grow(r.spare, at-begin)[:at]
	return begin
}

// follow builds the nodes that letters lead to from the open node at a depth. A letter's readings
// are in the room that starts at begin, up to to[l].
func (r *backwards) follow(letters Set, begin int, to *[MaxLetters + 1]int, behind int) {
	o, from := &r.open[behind], begin
	for m := letters; m != 0; m &= m - 1 {
		l := m.First()
		all := r.spare[from:to[l]]
		from = to[l]
		sum, ends := r.sum(all)
		if ends {
			o.ends |= SetOf(l)
		}
		known := r.made[r.find(sum)]
		at := known.at
		if known.sum != sum {
			at = r.read(all, behind+1)
			r.add(made{sum, at})
		}
		if at != emptyNode {
			o.next |= SetOf(l)
			o.places[l] = at
		}
	}
	r.spare = r.spare[:begin]
}

// read builds the node of some readings of behind letters, and returns its place.
func (r *backwards) read(all []reading, behind int) uint32 {
	r.looked += len(all)
	if r.full = r.full || behind > MaxWord || r.looked > mostReadings; r.full {
		return emptyNode
	}
	o, leads := &r.open[behind], false
	var to [MaxLetters + 1]int
	var letters Set
	for _, one := range all {
		leads = leads || one.last&placeMask != emptyNode
		if one.begin == r.forward {
			if at := one.last & placeMask; at != emptyNode {
				o.next |= SetOf(Turn)
				o.places[Turn] = at
			}
		}
		for _, way := range r.ways[r.into[one.begin]:r.into[one.begin+1]] {
			l := Letter(way >> placeBits)
			letters |= SetOf(l)
			to[l]++
		}
	}
	begin := r.sort(letters, &to)
	for _, one := range all {
		for _, way := range r.ways[r.into[one.begin]:r.into[one.begin+1]] {
			l := way >> placeBits
			r.spare[to[l]] = reading{way & placeMask, one.last}
			to[l]++
		}
	}
	r.follow(letters, begin, &to, behind)
	if leads { // add a Turn, which no node of the DAWG has
		return r.put(behind)
	}
	return r.close(behind)
}

// sum returns the sum of some readings. Whether the letters read are a word themselves doesn't
// affect their node, so ends reports that separately.
func (r *backwards) sum(all []reading) (s sum, ends bool) {
	for _, one := range all {
		if one.begin == r.forward {
			ends = one.last&endsWord != 0
			if one.last &= placeMask; one.last == emptyNode {
				continue
			}
		}
		// The steps of SplitMix64 (Steele and others, 2014).
		h := uint64(one.begin)<<32 | uint64(one.last)
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		s.first += h ^ h>>31
		s.second += uint32(h * 0x9e3779b97f4a7c15 >> 32)
	}
	return s, ends
}

// find returns the slot of a node, or a free slot for it.
func (r *backwards) find(s sum) int {
	slot := int(s.first) & (len(r.made) - 1)
	for r.made[slot].sum != s && r.made[slot] != (made{}) {
		slot = (slot + 1) & (len(r.made) - 1)
	}
	return slot
}

// add stores a node.
func (r *backwards) add(m made) {
	if r.nodes++; r.nodes*4 > len(r.made)*3 {
		old := r.made
		r.made = make([]made, 2*len(old))
		for _, m := range old {
			if m != (made{}) {
				r.made[r.find(m.sum)] = m
			}
		}
	}
	r.made[r.find(m.sum)] = m
}

// commonPrefix returns the length of the common prefix of two words.
func commonPrefix(v, w Word) int {
	n := 0
	for n < len(v) && n < len(w) && v[n] == w[n] {
		n++
	}
	return n
}

// A builder builds the smallest graph of sorted words (Daciuk and others, "Incremental construction
// of minimal acyclic finite-state automata", 2000). The nodes along the latest word are open. When
// the next word leaves them they are closed, last first; a node equivalent to an earlier closed one
// is replaced by it.
type builder struct {
	graph
	open   [MaxWord + 1]openNode
	latest Word
	table  []uint32 // closed nodes by hash; open addressing, 0 for free
	closed int
	limit  int  // limit of cells
	full   bool // past the limit: no more nodes are made
}

type openNode struct {
	ends, next Set
	places     [MaxLetters + 1]uint32
}

// add adds the next word.
func (b *builder) add(w Word) {
	b.closeBelow(commonPrefix(w, b.latest))
	b.latest = w
	b.open[len(w)-1].ends |= SetOf(Letter(w[len(w)-1]))
}

// finish closes every node and returns the place of the root.
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

// close closes the open node at a depth and returns its place.
func (b *builder) close(depth int) uint32 {
	// The node is appended to the cells, and removed again if there is an equivalent one.
	at := b.put(depth)
	if at == emptyNode {
		return at
	}
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

// put stores a new node.
func (b *builder) put(depth int) uint32 {
	o := &b.open[depth]
	if o.ends|o.next == 0 || b.full {
		return emptyNode
	}
	at := uint32(len(b.cells) - 1)
	b.cells = append(appendNode(b.cells[:at], b.wide, o.ends, o.next, &o.places), 0)
	b.full = len(b.cells) > b.limit
	o.ends, o.next = 0, 0
	return at
}

// find returns the slot of the closed node equivalent to one, or a free slot for it.
func (b *builder) find(node []uint32) int {
	slot := b.slot(node)
	for ; b.table[slot] != 0 && !slices.Equal(b.cellsOf(b.table[slot]), node); slot = (slot + 1) % len(b.table) {
	}
	return slot
}

// cellsOf returns the cells of the node at a place.
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

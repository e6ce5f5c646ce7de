package lexicon

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/klauspost/compress/flate"
)

// A packed lexicon is much smaller than a compiled one and unpacks to the same cells. It contains only
// the DAWG, from which the GADDAG can be made. Up to the number of cells it has the form of a compiled
// one, with another magic and version, and then it has:
//
//	check     4 bytes, CRC-32C of the compiled file from the name up to the start of
//	          the GADDAG
//	dawg      4 bytes, the number of cells up to there
//	nodes     4 bytes, the number of nodes of the DAWG
//	masks     4 bytes, the number of distinct masks
//	packed    4 bytes, the inflated size of the rest, which is deflated
//
// The inflated rest has the masks, commonest first: which letters end a word and which lead on, as
// varints. Then it has the mask of each node, in the order of the graph, as the varint of the mask's
// number. Then it has a bit for each edge of a node, lowest bit of a byte first: 1 if it leads to the
// next node to be reached. Then it has a varint for each other edge, the number of its target. The
// next node to be reached is the last of the earlier nodes that no edge has led to yet; the edges of a
// node are visited from the last.
const (
	packedMagic   = "rmpacks"
	packedVersion = 2
)

// size returns the number of cells that a node takes.
func (m mask) size(wide bool) uint32 {
	n := uint32(m.next.len())
	switch {
	case wide:
		return 4 + n
	case n == 1:
		n = 0
	}
	if m.ends != 0 {
		n++
	}
	return 1 + n
}

// WritePackedTo writes the lexicon as a file that [Open] and [OpenSound] read too. It is much
// smaller than that of [Lexicon.WriteTo], and slower on first use.
func (x *Lexicon) WritePackedTo(w io.Writer) (int64, error) {
	x.ensureWords()
	nodes, number, dawg := x.orderNodes()
	used := map[mask]int{}
	for _, n := range nodes {
		used[mask{n.Ends, n.Next}]++
	}
	masks := slices.SortedFunc(maps.Keys(used), func(a, b mask) int {
		return cmp.Or(cmp.Compare(used[b], used[a]), cmp.Compare(a.ends, b.ends), cmp.Compare(a.next, b.next))
	})
	ids := map[mask]uint64{}
	var body []byte
	for i, m := range masks {
		ids[m] = uint64(i)
		body = binary.AppendUvarint(binary.AppendUvarint(body, uint64(m.ends)), uint64(m.next))
	}
	for _, n := range nodes {
		body = binary.AppendUvarint(body, ids[mask{n.Ends, n.Next}])
	}
	body = x.appendWays(body, nodes, number)

	le := binary.LittleEndian
	out := append([]byte(packedMagic), packedVersion)
	out = x.appendHead(out)
	for _, n := range []uint32{x.check(dawg), dawg, uint32(len(nodes)), uint32(len(masks)), uint32(len(body))} {
		out = le.AppendUint32(out, n)
	}
	deflated := bytes.NewBuffer(out)
	z, err := flate.NewWriter(deflated, flate.BestCompression)
	if err != nil {
		return 0, err
	}
	if _, err := z.Write(body); err != nil {
		return 0, err
	}
	if err := z.Close(); err != nil {
		return 0, err
	}
	return deflated.WriteTo(w)
}

// orderNodes returns the nodes in the order of their cells, their numbers by cell, and the cell after
// the last.
func (x *Lexicon) orderNodes() (nodes []Node, number []uint32, dawg uint32) {
	number = make([]uint32, len(x.cells))
	dawg = firstNode
	for dawg < uint32(len(x.cells)-1) {
		n := x.node(dawg)
		number[dawg] = uint32(len(nodes))
		nodes = append(nodes, n)
		last := dawg == x.forward
		if dawg = x.end(dawg, n); last {
			break
		}
	}
	return nodes, number, dawg
}

// appendWays appends the targets of each node's letters: a bit if it is the next node to be
// reached, and otherwise its number.
func (x *Lexicon) appendWays(body []byte, nodes []Node, number []uint32) []byte {
	var ways bitString
	var rest []byte
	track := newTracker(len(nodes))
	for i, n := range nodes {
		to := make([]uint32, 0, MaxLetters+1)
		for l := range n.Next.All() {
			to = append(to, number[x.place(n, l)])
		}
		for _, far := range slices.Backward(to) {
			next := track.next()
			ways.add(far == next)
			if far != next {
				rest = binary.AppendUvarint(rest, uint64(far))
			}
			track.reached[far] = true
		}
		track.open = append(track.open, uint32(i))
	}
	return append(append(body, ways.bytes...), rest...)
}

// A bitString is read and appended to bit by bit, lowest bit of each byte first.
type bitString struct {
	bytes []byte
	n     int
}

func (b *bitString) add(set bool) {
	if b.n%8 == 0 {
		b.bytes = append(b.bytes, 0)
	}
	if set {
		b.bytes[b.n/8] |= 1 << (b.n % 8)
	}
	b.n++
}

// A tracker determines which node is the next to be reached while the edges of a DAWG are visited.
type tracker struct {
	reached []bool
	open    []uint32 // nodes visited, most of them not reached by an edge yet
}

const noNode = ^uint32(0)

func newTracker(nodes int) *tracker { return &tracker{reached: make([]bool, nodes)} }

// next returns the next node to be reached.
func (t *tracker) next() uint32 {
	for last := len(t.open) - 1; last >= 0; last-- {
		if !t.reached[t.open[last]] {
			return t.open[last]
		}
		t.open = t.open[:last]
	}
	return noNode
}

// check returns the CRC-32C of the head and the first cells of a compiled file, as
// [Lexicon.WriteTo] writes them.
func (x *Lexicon) check(cells uint32) uint32 {
	sum, chunk := crc32.Checksum(x.appendHead(nil), castagnoli), make([]byte, 0, 64<<10)
	for part := range slices.Chunk(x.cells[:cells], cap(chunk)/4) {
		chunk = chunk[:0]
		for _, c := range part {
			chunk = binary.LittleEndian.AppendUint32(chunk, c)
		}
		sum = crc32.Update(sum, castagnoli, chunk)
	}
	return sum
}

// A packing holds what is needed to make the cells of a packed lexicon.
type packing struct {
	once               sync.Once // for the DAWG
	err                error
	deflated           []byte
	check              uint32
	cells              uint32 // number of cells of DAWG and GADDAG, including the spare one
	dawg, nodes, masks uint32
	size               uint32 // inflated size

	// The GADDAG is made on first use, in cells reserved from the start, so that concurrent readers
	// of words don't see it.
	gaddagOnce sync.Once
	gaddagErr  error
	prepare    sync.Once
}

// openPacked opens a lexicon saved by [Lexicon.WritePackedTo].
func openPacked(file []byte) (*Lexicon, error) {
	r := reader{rest: file[len(packedMagic):]}
	if v := r.byte(); !r.short && v != packedVersion {
		return nil, ErrVersion
	}
	x, cells, err := readHead(&r)
	if err != nil {
		return nil, err
	}
	p := &packing{cells: cells, check: r.uint32(), dawg: r.uint32(), nodes: r.uint32(), masks: r.uint32(), size: r.uint32()}
	p.deflated = r.rest
	if r.short || p.dawg >= cells || p.nodes > p.dawg || p.masks > p.nodes || uint64(p.size) > 32*uint64(p.dawg) {
		return nil, ErrDamaged
	}
	x.packed.Store(p)
	x.forwards.Store(p)
	return x, nil
}

// ensureWords unpacks the words if necessary. The caller of [OpenSound] promises that the file
// is sound, so if it can't be unpacked the program itself is damaged.
func (x *Lexicon) ensureWords() {
	if p := x.packed.Load(); p != nil {
		x.mustBeSound(x.unpack(p))
	}
}

// ensureGaddag unpacks the list and makes the GADDAG, if necessary.
func (x *Lexicon) ensureGaddag() {
	x.ensureWords()
	if p := x.forwards.Load(); p != nil {
		x.mustBeSound(x.addGaddag(p))
	}
}

// IsPacked reports whether the list must still be unpacked before plays can be generated, by
// [Lexicon.Gaddag] and what needs it.
func (x *Lexicon) IsPacked() bool { return x.forwards.Load() != nil }

// Prepare starts in the background what [Lexicon.Gaddag] would do on first use. It does nothing if
// all is ready.
func (x *Lexicon) Prepare() {
	if p := x.forwards.Load(); p != nil {
		p.prepare.Do(func() { go x.ensureGaddag() })
	}
}

func (x *Lexicon) mustBeSound(err error) {
	if err != nil {
		panic(fmt.Sprintf("word list %s: %v", x.name, err))
	}
}

func (x *Lexicon) unpack(p *packing) error {
	p.once.Do(func() {
		if x.cells, p.err = p.unpack(x.wide, x.forward); p.err == nil && x.check(p.dawg) != p.check {
			p.err = ErrDamaged
		}
		if p.err == nil {
			x.packed.Store(nil)
		}
	})
	return p.err
}

// addGaddag makes the GADDAG of the unpacked words.
func (x *Lexicon) addGaddag(p *packing) error {
	p.gaddagOnce.Do(func() {
		dawg := graph{cells: x.cells[:p.dawg+1], wide: x.wide, forward: x.forward}
		g, ok := withGaddag(dawg)
		if !ok || len(g.cells) != len(x.cells) || g.gaddag != x.gaddag {
			p.gaddagErr = ErrDamaged
			return
		}
		copy(x.cells[p.dawg:], g.cells[p.dawg:])
		x.forwards.Store(nil)
	})
	return p.gaddagErr
}

// unpack returns the cells of the DAWG, whose root is its last node, followed by room for the
// others.
func (p *packing) unpack(wide bool, forward uint32) ([]uint32, error) {
	body := make([]byte, p.size)
	if _, err := io.ReadFull(flate.NewReader(bytes.NewReader(p.deflated)), body); err != nil {
		return nil, err
	}
	r := varints{rest: body}
	masks := make([]mask, p.masks)
	for i := range masks {
		masks[i] = mask{Set(r.next()), Set(r.next())}
	}
	// First compute the places of the nodes by number.
	of, places, ways := make([]uint32, p.nodes), make([]uint32, p.nodes), 0
	at := uint32(firstNode)
	for i := range of {
		id := r.next()
		if id >= uint64(len(masks)) {
			return nil, ErrDamaged
		}
		of[i], places[i] = uint32(id), at
		ways += masks[id].next.len()
		at += masks[id].size(wide)
	}
	if at != p.dawg || len(places) == 0 || places[len(places)-1] != forward || len(r.rest) < (ways+7)/8 {
		return nil, ErrDamaged
	}
	kinds := r.rest[:(ways+7)/8]
	r.rest = r.rest[(ways+7)/8:]
	way := 0
	cells := make([]uint32, firstNode, p.cells)
	track := newTracker(int(p.nodes))
	for i, id := range of {
		m := masks[id]
		n := m.next.len()
		cells = appendMasks(cells, wide, m)
		leads := cells[len(cells) : len(cells)+n]
		if !wide && n == 1 {
			// a single target is in the first cell, and the mask of ends in the second
			leads = cells[places[i]:][:1]
		} else {
			cells = cells[:len(cells)+n]
		}
		for k := range leads {
			to := track.next()
			if kinds[way/8]>>(way%8)&1 == 0 {
				to = uint32(r.next())
			}
			way++
			if to >= uint32(i) { // targets must be earlier nodes, so that there are no cycles
				return nil, ErrDamaged
			}
			leads[n-1-k] |= places[to]
			track.reached[to] = true
		}
		track.open = append(track.open, uint32(i))
	}
	return cells[:p.cells], nil
}

// varints reads varints in sequence; past their end it returns [noNumber].
type varints struct{ rest []byte }

const noNumber = 1 << 63

func (r *varints) next() uint64 {
	if len(r.rest) > 0 && r.rest[0] < 0x80 {
		n := r.rest[0]
		r.rest = r.rest[1:]
		return uint64(n)
	}
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		return noNumber
	}
	r.rest = r.rest[size:]
	return n
}

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

// A packed lexicon is a small part of the size of a compiled one, and unpacks to
// the same cells: it has the DAWG alone, of which the GADDAG can be made. It begins
// as a compiled one does, with another magic and version, up to the number of cells,
// and then has
//
//	check     4 bytes, CRC-32C of the compiled file from the name up to where the
//	          GADDAG begins
//	dawg      4 bytes, how many cells that is
//	nodes     4 bytes, how many nodes the DAWG has
//	masks     4 bytes, how many different ones there are
//	packed    4 bytes, how many bytes come out of the rest, which is deflated
//
// What comes out has the masks, commonest first: what ends a word and what leads
// on, as varints. Then the mask of each node, in their order in the graph, as the
// varint of its number. Then a bit for each way from a node, the lowest of a byte
// first: 1 if it leads to the node that is the next to be reached. Then a varint
// for each other way, the number of the node that it leads to. What is next is
// the last node, of those before, that no way has led to yet; and the ways from a
// node are gone through from the last.
const (
	packedMagic   = "rmpacks"
	packedVersion = 2
)

// size returns how many cells a node takes.
func (m mask) size(wide bool) uint32 {
	n := uint32(m.next.Len())
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

// WritePackedTo saves the lexicon as a file that [Open] and [OpenSound] read too: a
// small part as long as that of [Lexicon.WriteTo], and slower to use for the first time.
func (x *Lexicon) WritePackedTo(w io.Writer) (int64, error) {
	x.ready()
	nodes, number, dawg := x.numbered()
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

// numbered returns the nodes in the order of their cells, their numbers by cell, and the cell
// behind the last.
func (x *Lexicon) numbered() (nodes []Node, number []uint32, dawg uint32) {
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

// appendWays appends where the letters of each node lead: a bit where that is the next node
// that nothing has reached yet, and the number of another.
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

// Bits are read and added one by one, from the lowest of each byte.
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

// A tracker knows, while the ways of a DAWG are gone through, which node is the
// next to be reached.
type tracker struct {
	reached []bool
	open    []uint32 // nodes gone through, most of them reached by no way yet
}

const noNode = ^uint32(0)

func newTracker(nodes int) *tracker { return &tracker{reached: make([]bool, nodes)} }

// next returns the next node to be reached by a way.
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

// packing is how the cells of a packed lexicon are made.
type packing struct {
	once               sync.Once // for the DAWG
	err                error
	deflated           []byte
	check              uint32
	cells              uint32 // of the DAWG and the GADDAG, with the spare one
	dawg, nodes, masks uint32
	size               uint32 // of what comes out

	// The GADDAG is made when it is first asked for, in cells that are there from
	// the beginning: those who only read words in the meantime don't see it.
	gaddagOnce sync.Once
	gaddagErr  error
	prepare    sync.Once
}

// openPacked reads a lexicon that [Lexicon.WritePackedTo] saved.
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

// ready unpacks the words if they haven't been. Whoever opened the list has
// vouched that it can be; if it can't, the program itself is damaged.
func (x *Lexicon) ready() {
	if p := x.packed.Load(); p != nil {
		x.vouched(x.unpack(p))
	}
}

// whole unpacks the list, and makes the GADDAG if it hasn't been made.
func (x *Lexicon) whole() {
	x.ready()
	if p := x.forwards.Load(); p != nil {
		x.vouched(x.addGaddag(p))
	}
}

// Packed reports whether something is still to be made of what is packed before plays can
// be looked for, by [Lexicon.Gaddag] and what needs it.
func (x *Lexicon) Packed() bool { return x.forwards.Load() != nil }

// Prepare begins to make, in the background, what [Lexicon.Gaddag] would otherwise make
// when it is first called. It does nothing where all is there.
func (x *Lexicon) Prepare() {
	if p := x.forwards.Load(); p != nil {
		p.prepare.Do(func() { go x.whole() })
	}
}

func (x *Lexicon) vouched(err error) {
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

// addGaddag makes the GADDAG of what is unpacked.
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

// unpack makes the cells of the DAWG, whose words begin at its last node, and leaves
// room behind them for the others.
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
	// First where the nodes lie, by their numbers.
	of, places, ways := make([]uint32, p.nodes), make([]uint32, p.nodes), 0
	at := uint32(firstNode)
	for i := range of {
		id := r.next()
		if id >= uint64(len(masks)) {
			return nil, ErrDamaged
		}
		of[i], places[i] = uint32(id), at
		ways += masks[id].next.Len()
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
		n := m.next.Len()
		cells = appendMasks(cells, wide, m)
		leads := cells[len(cells) : len(cells)+n]
		if !wide && n == 1 {
			// One way is in the first cell, and what ends a word in the second.
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
			if to >= uint32(i) { // each leads to nodes before it, so that none leads round
				return nil, ErrDamaged
			}
			leads[n-1-k] |= places[to]
			track.reached[to] = true
		}
		track.open = append(track.open, uint32(i))
	}
	return cells[:p.cells], nil
}

// varints are read one after another; past their end they are [noNumber].
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

package lexicon

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"github.com/klauspost/compress/flate"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"sync"
)

// A packed lexicon is a third of the size of a compiled one, and unpacks to the
// same cells. It begins as a compiled one does, with another magic and version,
// up to the number of cells, and then has
//
//	check     4 bytes, that of the compiled file
//	dawg      4 bytes, how many nodes the DAWG has
//	nodes     4 bytes, how many there are
//	masks     4 bytes, how many different ones there are
//	packed    4 bytes, how many bytes come out of the rest, which is deflated
//
// What comes out has the masks, commonest first: what ends a word and what leads
// on, as varints. Then the mask of each node, in their order in the graph, as the
// varint of its number. Then a bit for each way from a node, the lowest of a byte
// first: 1 if it leads to the node that is the next to be reached. Then a varint
// for each other way, the number of the node that it leads to. What is next is,
// in the DAWG, where ways lead to nodes before, the last that no way has led to
// yet; and the ways from a node are gone through from the last. In the GADDAG it
// is the first that no way has led to yet.
const (
	packedMagic   = "rmpacks"
	packedVersion = 1
)

// size is how many cells a node takes.
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
// third as long as that of [Lexicon.WriteTo], and slower to use for the first time.
func (x *Lexicon) WritePackedTo(w io.Writer) (int64, error) {
	x.ready()
	var nodes []Node
	number := make([]uint32, len(x.cells))
	used := map[mask]int{}
	dawg := 0
	for at := uint32(firstNode); at < uint32(len(x.cells)-1); {
		n := x.node(at)
		number[at] = uint32(len(nodes))
		nodes = append(nodes, n)
		used[mask{n.Ends, n.Next}]++
		if at == x.forward {
			dawg = len(nodes)
		}
		at = x.end(at, n)
	}
	masks := slices.SortedFunc(maps.Keys(used), func(a, b mask) int {
		return cmp.Or(cmp.Compare(used[b], used[a]), cmp.Compare(a.ends, b.ends), cmp.Compare(a.next, b.next))
	})
	ids := map[mask]uint64{}
	var body, rest []byte
	for i, m := range masks {
		ids[m] = uint64(i)
		body = binary.AppendUvarint(binary.AppendUvarint(body, uint64(m.ends)), uint64(m.next))
	}
	for _, n := range nodes {
		body = binary.AppendUvarint(body, ids[mask{n.Ends, n.Next}])
	}
	var ways bitString
	track := newTracker(len(nodes), dawg)
	for i, n := range nodes {
		to := make([]uint32, 0, MaxLetters+1)
		for l := range n.Next.All() {
			to = append(to, number[x.place(n, l)])
		}
		for k := range to {
			far, next := to[track.way(i, k, len(to))], track.next(i)
			ways.add(far == next)
			if far != next {
				rest = binary.AppendUvarint(rest, uint64(far))
			}
			track.reach(i, far)
		}
		track.done(i)
	}
	body = append(append(body, ways.bytes...), rest...)

	le := binary.LittleEndian
	out := append([]byte(packedMagic), packedVersion)
	out = x.appendHead(out)
	for _, n := range []uint32{x.check(), uint32(dawg), uint32(len(nodes)), uint32(len(masks)), uint32(len(body))} {
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

// A tracker knows, while the ways of a graph are gone through, which node is the
// next to be reached.
type tracker struct {
	dawg    int      // nodes of it, which come first
	reached []bool   // of the DAWG
	open    []uint32 // of the DAWG, most of them reached by no way yet
	fresh   uint32   // of the GADDAG, the first reached by no way yet
}

const noNode = ^uint32(0)

func newTracker(nodes, dawg int) *tracker {
	return &tracker{dawg: dawg, reached: make([]bool, nodes), fresh: uint32(dawg) + 1}
}

// way is the place among the n ways from a node of that which is gone through
// after k others.
func (t *tracker) way(node, k, n int) int {
	if node < t.dawg {
		return n - 1 - k
	}
	return k
}

// next is the next node to be reached by a way from a node.
func (t *tracker) next(node int) uint32 {
	if node >= t.dawg {
		return t.fresh
	}
	for last := len(t.open) - 1; last >= 0; last-- {
		if !t.reached[t.open[last]] {
			return t.open[last]
		}
		t.open = t.open[:last]
	}
	return noNode
}

// reach goes a way from a node to another.
func (t *tracker) reach(node int, to uint32) {
	switch {
	case node < t.dawg:
		t.reached[to] = true
	case to == t.fresh:
		t.fresh++
	}
}

// done says that all ways from a node were gone.
func (t *tracker) done(node int) {
	if node < t.dawg {
		t.open = append(t.open, uint32(node))
	}
}

// check is the CRC-32C of a compiled file, as [Lexicon.WriteTo] writes it.
func (x *Lexicon) check() uint32 {
	sum, chunk := crc32.Checksum(x.appendHead(nil), castagnoli), make([]byte, 0, 64<<10)
	for cells := range slices.Chunk(x.cells, cap(chunk)/4) {
		chunk = chunk[:0]
		for _, c := range cells {
			chunk = binary.LittleEndian.AppendUint32(chunk, c)
		}
		sum = crc32.Update(sum, castagnoli, chunk)
	}
	return sum
}

// packing is how the cells of a packed lexicon are made.
type packing struct {
	once                      sync.Once
	err                       error
	file                      io.ReaderAt
	at                        int64 // where what is deflated begins in it
	check                     uint32
	cells, dawg, nodes, masks uint32
	size                      uint32 // of what comes out
}

// openPacked reads a lexicon that [Lexicon.WritePackedTo] saved, of which head is
// the beginning.
func openPacked(head []byte, file io.ReaderAt) (*Lexicon, error) {
	r := reader{rest: head[len(packedMagic):]}
	if v := r.byte(); !r.short && v != packedVersion {
		return nil, ErrVersion
	}
	x, cells, err := readHead(&r)
	if err != nil {
		return nil, err
	}
	p := &packing{cells: cells, check: r.uint32(), dawg: r.uint32(), nodes: r.uint32(), masks: r.uint32(), size: r.uint32()}
	p.file, p.at = file, int64(len(head)-len(r.rest))
	if r.short || p.dawg > p.nodes || p.nodes >= cells || p.masks > p.nodes || uint64(p.size) > 32*uint64(cells) {
		return nil, ErrDamaged
	}
	x.packed.Store(p)
	return x, nil
}

// ready unpacks the words if they haven't been. Whoever opened the list has
// vouched that it can be; if it can't, the program itself is damaged.
func (x *Lexicon) ready() {
	if p := x.packed.Load(); p != nil {
		if err := x.unpack(p); err != nil {
			panic(fmt.Sprintf("word list %s: %v", x.name, err))
		}
	}
}

func (x *Lexicon) unpack(p *packing) error {
	p.once.Do(func() {
		if x.cells, p.err = p.unpack(x.wide); p.err == nil && x.check() != p.check {
			p.err = ErrDamaged
		}
		if p.err == nil {
			x.packed.Store(nil)
		}
	})
	return p.err
}

func (p *packing) unpack(wide bool) ([]uint32, error) {
	body := make([]byte, p.size)
	if _, err := io.ReadFull(flate.NewReader(bufio.NewReader(io.NewSectionReader(p.file, p.at, 1<<40))), body); err != nil {
		return nil, err
	}
	r := varints{rest: body}
	masks := make([]mask, p.masks)
	for i := range masks {
		masks[i] = mask{Set(r.next()), Set(r.next())}
	}
	// First where the nodes lie, for ways lead to nodes that come later.
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
	if at != p.cells-1 || len(r.rest) < (ways+7)/8 {
		return nil, ErrDamaged
	}
	kinds := r.rest[:(ways+7)/8]
	r.rest = r.rest[(ways+7)/8:]
	way := 0
	cells := make([]uint32, firstNode, p.cells)
	track := newTracker(int(p.nodes), int(p.dawg))
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
		for k := range n {
			to := track.next(i)
			if kinds[way/8]>>(way%8)&1 == 0 {
				to = uint32(r.next())
			}
			way++
			if to >= p.nodes {
				return nil, ErrDamaged
			}
			leads[track.way(i, k, n)] |= places[to]
			track.reach(i, to)
		}
		track.done(i)
	}
	return append(cells, 0), nil
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

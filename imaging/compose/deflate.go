package compose

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A token is what deflate codes: a byte, below runs; runs+n for the byte
// before n times more; or copies and, as the next two, a length and a
// distance. Lengths are 3 to 258. As nothing is more common, there is also
// zeros+n for a zero and a run of n more.
type token uint16

const (
	runs       token = 256
	minLength        = 3
	maxLength        = 258
	zeros            = runs + maxLength + 1
	copies           = zeros + maxLength + 1
	tokenKinds       = copies + 1
)

// appendRun appends a byte n times.
func appendRun(ts []token, b byte, n int) []token {
	if n == 0 {
		return ts
	}
	if b == 0 && n > minLength {
		l := min(n-1, maxLength)
		ts = append(ts, zeros+token(l))
		n -= 1 + l
	} else {
		ts = append(ts, token(b))
		n--
	}
	for n >= minLength {
		l := min(n, maxLength)
		ts = append(ts, runs+token(l))
		n -= l
	}
	for ; n > 0; n-- {
		ts = append(ts, token(b))
	}
	return ts
}

// appendMatch appends bytes that were there a distance before; the length is
// at least 3.
func appendMatch(ts []token, length, distance int) []token {
	for length > 0 {
		l := min(length, maxLength)
		if rest := length - l; rest > 0 && rest < minLength {
			l -= minLength
		}
		ts = append(ts, copies, token(l), token(distance))
		length -= l
	}
	return ts
}

// The alphabets of deflate: bytes, the end and the classes of lengths share
// one, the classes of distances have another. The lengths of their codes are
// written in a third.
const (
	end           = 256
	symbols       = 286
	distances     = 30
	codeLengths   = 19
	maxBits       = 15
	maxLengthBits = 7
)

// lengthClass is the symbol of a length, and what follows it: the value of so
// many extra bits.
func lengthClass(length int) (symbol int, extra uint64, n uint) {
	l := length - minLength
	switch {
	case length == maxLength:
		return symbols - 1, 0, 0
	case l < 8:
		return 257 + l, 0, 0
	}
	n = uint(bits.Len(uint(l)) - 3)
	return 257 + 4*int(n+1) + l>>n&3, uint64(l) & (1<<n - 1), n
}

// distanceClass is the same for a distance.
func distanceClass(distance int) (symbol int, extra uint64, n uint) {
	d := distance - 1
	if d < 4 {
		return d, 0, 0
	}
	n = uint(bits.Len(uint(d)) - 2)
	return 2*int(n+1) + d>>n&1, uint64(d) & (1<<n - 1), n
}

// The most bytes that a block's header and a token take.
const (
	maxHeader = 512
	maxToken  = 7
)

// A word is a few bits to write.
type word struct {
	bits uint64
	n    uint
}

func (w word) then(v word) word { return word{w.bits | v.bits<<w.n, w.n + v.n} }

// A code is the Huffman code of one picture's tokens.
type code struct {
	counts                         [tokenKinds]int
	symbolCounts                   [symbols]int
	distanceCounts                 [distances]int
	symbols, distances             []word
	words                          [tokenKinds]word // but for copies
	symbolLengths, distanceLengths []uint8
	tree                           tree
}

// deflate appends tokens, as one block with a code of their own.
func (c *code) deflate(out []byte, ts []token) []byte {
	c.count(ts)
	c.symbolLengths = c.tree.lengths(c.symbolLengths, c.symbolCounts[:], maxBits)
	c.distanceLengths = c.tree.lengths(c.distanceLengths, c.distanceCounts[:], maxBits)
	c.symbols = huffman(c.symbols, c.symbolLengths)
	c.distances = huffman(c.distances, c.distanceLengths)
	copy(c.words[:], c.symbols[:end])
	for l := minLength; l <= maxLength; l++ {
		c.words[runs+token(l)] = c.length(l).then(c.distances[0])
		c.words[zeros+token(l)] = c.symbols[0].then(c.words[runs+token(l)])
	}

	w := writer{out: slices.Grow(out, maxHeader+len(ts)*maxToken+8)}
	c.writeHeader(&w)
	c.writeTokens(&w, ts)
	w.put(c.symbols[end])
	return w.finish()
}

// writeTokens does what a loop of w.put would, in local variables, which takes
// half the time.
func (c *code) writeTokens(w *writer, ts []token) {
	at, acc, n := len(w.out), w.bits, w.n
	out := w.out[:cap(w.out)]
	for i := 0; i < len(ts); i++ {
		v := c.words[ts[i]]
		if ts[i] == copies {
			symbol, extra, bits := distanceClass(int(ts[i+2]))
			v = c.length(int(ts[i+1])).then(c.distances[symbol]).then(word{extra, bits})
			i += 2
		}
		acc |= v.bits << (n & 63)
		n += v.n
		binary.LittleEndian.PutUint64(out[at:at+8], acc)
		at += int(n >> 3)
		acc >>= n &^ 7 & 63
		n &= 7
	}
	w.out, w.bits, w.n = out[:at], acc, n
}

func (c *code) count(ts []token) {
	clear(c.counts[:])
	clear(c.symbolCounts[:])
	clear(c.distanceCounts[:])
	// A decoder may want two distances at least.
	c.distanceCounts[0], c.distanceCounts[1] = 1, 1
	for i := 0; i < len(ts); i++ {
		c.counts[ts[i]]++
		if ts[i] == copies {
			symbol, _, _ := lengthClass(int(ts[i+1]))
			c.symbolCounts[symbol]++
			symbol, _, _ = distanceClass(int(ts[i+2]))
			c.distanceCounts[symbol]++
			i += 2
		}
	}
	copy(c.symbolCounts[:], c.counts[:end])
	c.symbolCounts[end] = 1
	for l := minLength; l <= maxLength; l++ {
		n := c.counts[runs+token(l)] + c.counts[zeros+token(l)]
		c.symbolCounts[0] += c.counts[zeros+token(l)]
		symbol, _, _ := lengthClass(l)
		c.symbolCounts[symbol] += n
		c.distanceCounts[0] += n
	}
}

// length is the code of a length.
func (c *code) length(l int) word {
	symbol, extra, n := lengthClass(l)
	return c.symbols[symbol].then(word{extra, n})
}

// writeHeader says that this is the last block, and what its codes are.
func (c *code) writeHeader(w *writer) {
	all := slices.Concat(c.symbolLengths, c.distanceLengths)
	var counts [codeLengths]int
	for _, l := range all {
		counts[l]++
	}
	lengths := c.tree.lengths(nil, counts[:], maxLengthBits)
	codes := huffman(nil, lengths)

	w.put(word{1 | 2<<1, 3})
	w.put(word{symbols - 257, 5})
	w.put(word{distances - 1, 5})
	w.put(word{codeLengths - 4, 4})
	for _, l := range [codeLengths]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15} {
		w.put(word{uint64(lengths[l]), 3})
	}
	for _, l := range all {
		w.put(codes[l])
	}
}

// huffman is the codes of given lengths, in the order that deflate wants, and
// turned round, for they are written from the highest bit on.
func huffman(codes []word, lengths []uint8) []word {
	codes = slices.Grow(codes[:0], len(lengths))[:len(lengths)]
	next := uint(0)
	for n := uint(1); n <= maxBits; n++ {
		for symbol, l := range lengths {
			if uint(l) == n {
				codes[symbol] = word{uint64(bits.Reverse16(uint16(next)) >> (16 - n)), n}
				next++
			}
		}
		next <<= 1
	}
	return codes
}

// A tree is memory for finding Huffman codes.
type tree struct {
	leaves  []uint64 // a count and its symbol
	weights []uint64 // of the leaves, fewest first, then of the nodes above them
	parents []int
}

// lengths finds the lengths of a Huffman code, in bits, for symbols that are
// there so often; at least two are.
func (t *tree) lengths(lengths []uint8, counts []int, limit uint8) []uint8 {
	lengths = slices.Grow(lengths[:0], len(counts))[:len(counts)]
	for shift := 0; ; shift++ {
		clear(lengths)
		t.leaves, t.weights, t.parents = t.leaves[:0], t.weights[:0], t.parents[:0]
		for symbol, n := range counts {
			if n > 0 {
				t.leaves = append(t.leaves, uint64(max(1, n>>shift))<<16|uint64(symbol))
			}
		}
		slices.Sort(t.leaves)
		for _, l := range t.leaves {
			t.weights = append(t.weights, l>>16)
		}
		// The two lightest get a parent, again and again. New nodes never weigh
		// less than those before them, so both kinds stay sorted.
		n := len(t.leaves)
		leaf, node := 0, n
		lightest := func() (at int) {
			if leaf < n && (node == len(t.weights) || t.weights[leaf] <= t.weights[node]) {
				leaf++
				return leaf - 1
			}
			node++
			return node - 1
		}
		t.parents = slices.Grow(t.parents, 2*n)[:2*n-1]
		for len(t.weights) < 2*n-1 {
			a, b := lightest(), lightest()
			t.parents[a], t.parents[b] = len(t.weights), len(t.weights)
			t.weights = append(t.weights, t.weights[a]+t.weights[b])
		}
		// From the root down, the weights become depths.
		t.weights[2*n-2] = 0
		deepest := uint64(0)
		for i := 2*n - 3; i >= 0; i-- {
			t.weights[i] = t.weights[t.parents[i]] + 1
			deepest = max(deepest, t.weights[i])
		}
		for i, l := range t.leaves {
			lengths[l&0xFFFF] = uint8(t.weights[i])
		}
		if deepest <= uint64(limit) {
			return lengths
		}
		// Too deep: rare symbols are taken for less rare.
	}
}

// A writer writes bits, the lowest first, to a slice that has room for them
// and for 8 bytes more.
type writer struct {
	out  []byte
	bits uint64
	n    uint // below 8 between words
}

// put writes a word of at most 56 bits.
func (w *writer) put(v word) {
	w.bits |= v.bits << w.n
	w.n += v.n
	at := len(w.out)
	binary.LittleEndian.PutUint64(w.out[at:at+8], w.bits)
	w.out = w.out[:at+int(w.n>>3)]
	w.bits >>= w.n &^ 7
	w.n &= 7
}

func (w *writer) finish() []byte {
	if w.n > 0 {
		w.out = append(w.out, byte(w.bits))
	}
	return w.out
}

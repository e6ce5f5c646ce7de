package compose

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// A token is a unit of deflate's code: a byte, below runs; runs+n for n more of the previous byte;
// or copies followed by two tokens, a length and a distance. Lengths are 3 to 258. As the commonest
// case, zeros+n is a zero and a run of n more.
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

// appendMatch appends a copy of bytes at a distance back; the length must be at least 3.
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

// Deflate's alphabets: bytes, the end and classes of lengths share one; classes of distances have
// another. The code lengths are written in a third.
const (
	end           = 256
	symbols       = 286
	distances     = 30
	codeLengths   = 19
	maxBits       = 15
	maxLengthBits = 7
)

// lengthClass returns the symbol of a length, and its extra bits.
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

// distanceClass returns the symbol of a distance, and its extra bits.
func distanceClass(distance int) (symbol int, extra uint64, n uint) {
	d := distance - 1
	if d < 4 {
		return d, 0, 0
	}
	n = uint(bits.Len(uint(d)) - 2)
	return 2*int(n+1) + d>>n&1, uint64(d) & (1<<n - 1), n
}

// The most bytes of a block's header and of a token.
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

// A Code holds the Huffman codes of deflate's bytes, end and lengths, and of its distances. Every
// symbol has one, because any may occur. Pictures of the same sprites can share a code: making one
// for each picture would save 1 % of the bytes and take a sixth more time. A Code is safe for
// concurrent use.
type Code struct {
	lengths            []uint8 // in bits; symbols, then distances
	header             []word
	symbols, distances []word
	words              [tokenKinds]word // except copies
}

// Train returns the code for pictures similar to the given ones.
func Train(pictures [][]Band) (*Code, error) {
	var symbolCounts [symbols]int
	var distanceCounts [distances]int
	symbolCounts[end] = len(pictures)
	var e Encoder
	for _, bands := range pictures {
		if _, _, err := e.tokenize(bands); err != nil {
			return nil, err
		}
		count(e.tokens, &symbolCounts, &distanceCounts)
	}
	// Other symbols may occur later.
	for i := range symbolCounts {
		symbolCounts[i] = max(symbolCounts[i], 1)
	}
	for i := range distanceCounts {
		distanceCounts[i] = max(distanceCounts[i], 1)
	}
	return newCode(slices.Concat(lengths(symbolCounts[:], maxBits), lengths(distanceCounts[:], maxBits))), nil
}

// count adds the symbols of tokens to the counts.
func count(ts []token, symbols *[symbols]int, distances *[distances]int) {
	length := func(l, distance int) {
		symbol, _, _ := lengthClass(l)
		symbols[symbol]++
		symbol, _, _ = distanceClass(distance)
		distances[symbol]++
	}
	for i := 0; i < len(ts); i++ {
		switch t := ts[i]; {
		case t == copies:
			length(int(ts[i+1]), int(ts[i+2]))
			i += 2
		case t >= zeros:
			symbols[0]++
			length(int(t-zeros), 1)
		case t >= runs:
			length(int(t-runs), 1)
		default:
			symbols[t]++
		}
	}
}

// String returns the code as [ParseCode] accepts it: a hexadecimal digit for each code length.
func (c *Code) String() string {
	var b strings.Builder
	for _, l := range c.lengths {
		b.WriteString(strconv.FormatUint(uint64(l), 16))
	}
	return b.String()
}

// ParseCode parses what String returns.
func ParseCode(s string) (*Code, error) {
	if len(s) != symbols+distances {
		return nil, fmt.Errorf("the code has %d digits, want %d", len(s), symbols+distances)
	}
	all := make([]uint8, len(s))
	for i := range s {
		l, err := strconv.ParseUint(s[i:i+1], 16, 8)
		if err != nil || l == 0 {
			return nil, fmt.Errorf("digit %d of the code is %q, want 1 to f", i, s[i])
		}
		all[i] = uint8(l)
	}
	for _, part := range [][]uint8{all[:symbols], all[symbols:]} {
		used := 0
		for _, l := range part {
			used += 1 << (maxBits - l)
		}
		if used != 1<<maxBits {
			return nil, errors.New("the lengths don't form a Huffman code")
		}
	}
	return newCode(all), nil
}

func newCode(lengths []uint8) *Code {
	c := &Code{lengths: lengths, header: header(lengths), symbols: huffman(lengths[:symbols]), distances: huffman(lengths[symbols:])}
	copy(c.words[:], c.symbols[:end])
	for l := minLength; l <= maxLength; l++ {
		c.words[runs+token(l)] = c.length(l).then(c.distances[0])
		c.words[zeros+token(l)] = c.symbols[0].then(c.words[runs+token(l)])
	}
	return c
}

// deflate appends tokens as one block.
func (c *Code) deflate(out []byte, ts []token) []byte {
	w := writer{out: slices.Grow(out, maxHeader+len(ts)*maxToken+8)}
	for _, v := range c.header {
		w.put(v)
	}
	c.writeTokens(&w, ts)
	w.put(c.symbols[end])
	return w.finish()
}

// writeTokens writes tokens like a loop of w.put, but with local variables, which takes half the
// time.
func (c *Code) writeTokens(w *writer, ts []token) {
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

// length returns the code of a length.
func (c *Code) length(l int) word {
	symbol, extra, n := lengthClass(l)
	return c.symbols[symbol].then(word{extra, n})
}

// header returns the bits of the block header: last block, and code lengths.
func header(code []uint8) []word {
	var counts [codeLengths]int
	for _, l := range code {
		counts[l]++
	}
	used := lengths(counts[:], maxLengthBits)
	codes := huffman(used)

	words := []word{{1 | 2<<1, 3}, {symbols - 257, 5}, {distances - 1, 5}, {codeLengths - 4, 4}}
	for _, l := range [codeLengths]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15} {
		words = append(words, word{uint64(used[l]), 3})
	}
	for _, l := range code {
		words = append(words, codes[l])
	}
	return words
}

// huffman returns the codes of given lengths in deflate's order, reversed because they are written
// starting with the highest bit.
func huffman(lengths []uint8) []word {
	codes := make([]word, len(lengths))
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

// lengths returns the lengths of a Huffman code, in bits, for symbols with these counts, at least
// two of them nonzero.
func lengths(counts []int, limit int) []uint8 {
	for shift := 0; ; shift++ {
		var leaves []uint64 // count and symbol
		for symbol, n := range counts {
			if n > 0 {
				leaves = append(leaves, uint64(max(1, n>>shift))<<16|uint64(symbol))
			}
		}
		slices.Sort(leaves)
		n := len(leaves)
		weights := make([]uint64, 0, 2*n-1) // of the leaves, rarest first, then of the nodes above them
		for _, l := range leaves {
			weights = append(weights, l>>16)
		}
		// Repeatedly give the two lightest a parent. New nodes never weigh less than earlier ones,
		// so both kinds stay sorted.
		leaf, node := 0, n
		lightest := func() (at int) {
			if leaf < n && (node == len(weights) || weights[leaf] <= weights[node]) {
				leaf++
				return leaf - 1
			}
			node++
			return node - 1
		}
		parents := make([]int, 2*n-1)
		for len(weights) < 2*n-1 {
			a, b := lightest(), lightest()
			parents[a], parents[b] = len(weights), len(weights)
			weights = append(weights, weights[a]+weights[b])
		}
		// Compute depths from the root down.
		depths := make([]int, 2*n-1)
		for i := 2*n - 3; i >= 0; i-- {
			depths[i] = depths[parents[i]] + 1
		}
		if slices.Max(depths) > limit {
			continue // retry with rare symbols counted as less rare
		}
		lengths := make([]uint8, len(counts))
		for i, l := range leaves {
			lengths[l&0xFFFF] = uint8(depths[i])
		}
		return lengths
	}
}

// A writer writes bits, lowest first, to a slice with room for them and 8 more bytes.
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

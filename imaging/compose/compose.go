// Package compose writes PNG pictures that are composed of sprites.
//
// A picture consists of bands, one below another, and a band of sprites side by side. There are two
// encoders. [Plain] lays out the pixels and deflates them. [Encoder] gives the same pixels in a
// fraction of the time: the slow part of compression is finding repetitions in the pixels, and it
// does that once for each sprite, when the sprite is made.
//
// This works because PNG's Up filter (ISO/IEC 15948, 9.2) replaces each pixel by its difference
// from the one above. Within a sprite that depends on nothing outside it, so its lines can be
// stored as tokens of deflate (RFC 1951): literal bytes and repetitions. The tokens of a picture
// are its sprites' tokens in sequence; only the first line of each band must be computed from
// pixels. Most differences are 0, so the ends of a line are stored as numbers of zeros, which merge
// into one run with the neighbours'. All tokens use a Huffman code that was made beforehand: see
// [Code]. Not even the checksum needs pixels: see [sums].
package compose

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// A Sprite is a rectangle of pixels, each a palette index.
type Sprite struct {
	W, H int
	Pix  []uint8 // row by row from the top, W*H of them

	// Set by Prepare. The first line stays empty.
	lines  []line
	tokens []token
	sums
}

// A line holds the differences between a line of a sprite and the one above: zeros, then the tokens
// from first to last, then zeros from end on.
type line struct {
	lead, end   uint16 // in pixels
	first, last uint32
}

// A Band is a sequence of sprites of one height, side by side.
type Band []*Sprite

// Prepare prepares a sprite for repeated use. Call it before sharing the sprite; the pixels must
// not change afterwards. An unprepared sprite, such as one used once, is compressed with its
// picture.
func (s *Sprite) Prepare() *Sprite {
	s.lines = make([]line, s.H)
	s.sums, s.tokens = sums{}, nil
	diff := make([]uint8, s.W)
	for y := 1; y < s.H; y++ {
		subtract(diff, s.row(y), s.row(y-1))
		inner := bytes.Trim(diff, "\x00")
		l := line{lead: uint16(len(diff) - len(bytes.TrimLeft(diff, "\x00"))), first: uint32(len(s.tokens))}
		if len(inner) > 0 {
			l.end = l.lead + uint16(len(inner))
		}
		s.tokens = s.encode(s.tokens, inner, int(l.lead), y)
		l.last = uint32(len(s.tokens))
		s.lines[y] = l
	}
	return s
}

func (s *Sprite) row(y int) []uint8 { return s.Pix[y*s.W : (y+1)*s.W] }

// at returns the tokens of a line.
func (s *Sprite) at(y int) []token { return s.tokens[s.lines[y].first:s.lines[y].last] }

// A sums value holds what the Adler-32 checksum needs about some bytes: their sum, and the sums of
// each byte times its column and times its row. Their position in the picture can be applied later.
type sums struct{ bytes, byColumn, byRow uint64 }

// encode appends the tokens of bytes starting at a column, and adds the bytes to the sums.
func (s *sums) encode(ts []token, line []uint8, column, row int) []token {
	var bytes, byColumn uint64
	for x := 0; x < len(line); {
		b, n := line[x], run(line[x:])
		if n <= minLength {
			// The number is unpredictable to the processor, so avoid branches.
			ts = append(ts, token(b), token(b), token(b))[:len(ts)+n]
		} else {
			ts = appendRun(ts, b, n)
		}
		all := uint64(b) * uint64(n)
		bytes += all
		byColumn += all*uint64(column+x) + uint64(b)*uint64(n*(n-1)/2)
		x += n
	}
	s.bytes += bytes
	s.byColumn += byColumn
	s.byRow += bytes * uint64(row)
	return ts
}

// A checksum is the Adler-32 (RFC 1950) of a stream of known length whose bytes may arrive in any
// order. Its two halves are the sum of the bytes, and the sum of each byte times the number of
// bytes from it to the end.
type checksum struct{ length, a, b uint64 }

func newChecksum(length int) checksum {
	return checksum{length: uint64(length), a: 1, b: uint64(length)}
}

// add adds the bytes of a rectangle whose top left one is at a place in the stream and whose rows
// are stride apart.
func (c *checksum) add(s *sums, place, stride int) {
	c.a += s.bytes
	c.b += s.bytes*(c.length-uint64(place)) - s.byColumn - s.byRow*uint64(stride)
}

func (c *checksum) value() uint32 { return uint32(c.b%65521)<<16 | uint32(c.a%65521) }

// maxWidth limits how far back deflate can refer, in pixels.
const maxWidth = 1 << 15

// size returns the width and height of a picture in pixels. The error says which sprite doesn't
// fit.
func size(bands []Band) (w, h int, err error) {
	for i, b := range bands {
		wide := 0
		for j, s := range b {
			wide += s.W
			if s.W < 1 || s.H != b[0].H || len(s.Pix) != s.W*s.H {
				return 0, 0, fmt.Errorf("band %d, sprite %d: %d x %d pixels don't fit", i, j, s.W, s.H)
			}
		}
		if i == 0 {
			w = wide
		}
		if wide == 0 || b[0].H < 1 || wide != w || wide > maxWidth {
			return 0, 0, fmt.Errorf("band %d is %d pixels wide, want %d and at most %d", i, wide, w, maxWidth)
		}
		h += b[0].H
	}
	if h == 0 {
		return 0, 0, errors.New("the picture has no bands")
	}
	return w, h, nil
}

// Row copies a line of pixels to line.
func (b Band) Row(line []uint8, y int) {
	for _, s := range b {
		copy(line, s.row(y))
		line = line[s.W:]
	}
}

func (b Band) isPrepared() bool {
	for _, s := range b {
		if s.lines == nil {
			return false
		}
	}
	return true
}

// An Encoder writes pictures the quick way. It reuses its memory, and must not be used
// concurrently.
type Encoder struct {
	file        file
	tokens      []token
	line, above []uint8 // pixels of this line and the previous one
	diff        []uint8 // their difference
	place       int     // position in the stream of filtered lines
	sum         checksum
	code        *Code
	spots       []spot // positions of a band's sprites
}

// NewEncoder returns an encoder that uses a code.
func NewEncoder(c *Code) *Encoder { return &Encoder{code: c} }

// A spot is the position of a sprite in a band, in pixels, and the index of an earlier equal
// sprite, or -1.
type spot struct{ left, before int }

// up is the byte before a line with filter Up.
const up = 2

// Encode writes a picture. The palette has red, green and blue of each colour. The result is valid
// until the next call.
func (e *Encoder) Encode(bands []Band, palette []byte) ([]byte, error) {
	w, h, err := e.tokenize(bands)
	if err != nil {
		return nil, err
	}
	f := &e.file
	f.start(w, h, palette)
	idat := f.begin("IDAT")
	f.bytes = append(f.bytes, 0x78, 0x01) // zlib: deflate, window of 32 kB
	f.bytes = e.code.deflate(f.bytes, e.tokens)
	f.bytes = binary.BigEndian.AppendUint32(f.bytes, e.sum.value())
	f.end(idat)
	return f.finish(), nil
}

// tokenize computes the tokens of a picture and returns its size in pixels.
func (e *Encoder) tokenize(bands []Band) (w, h int, err error) {
	w, h, err = size(bands)
	if err != nil {
		return 0, 0, err
	}
	e.tokens, e.place, e.sum = e.tokens[:0], 0, newChecksum(h*(w+1))
	e.line, e.above, e.diff = resize(e.line, w), resize(e.above, w), resize(e.diff, w)
	clear(e.above) // PNG's assumed line above the first
	for _, b := range bands {
		first := 0
		if b.isPrepared() {
			e.encodeBand(b)
			first = b[0].H
		}
		for y := first; y < b[0].H; y++ {
			b.Row(e.line, y)
			e.encodeLine()
		}
	}
	return w, h, nil
}

func resize(b []uint8, n int) []uint8 {
	if cap(b) < n {
		return make([]uint8, n)
	}
	return b[:n]
}

// startLine adds the byte before a line.
func (e *Encoder) startLine() {
	e.tokens = append(e.tokens, up)
	e.sum.add(&sums{bytes: up}, e.place, 0)
	e.place++
}

// encodeLine encodes e.line.
func (e *Encoder) encodeLine() {
	e.startLine()
	var s sums
	if bytes.Equal(e.line, e.above) { // as with half of the lines
		e.tokens = appendRun(e.tokens, 0, len(e.line))
	} else {
		subtract(e.diff, e.line, e.above)
		e.tokens = s.encode(e.tokens, e.diff, 0, 0)
	}
	e.sum.add(&s, e.place, 0)
	e.place += len(e.line)
	e.line, e.above = e.above, e.line
}

// encodeBand encodes a band of prepared sprites.
func (e *Encoder) encodeBand(b Band) {
	e.spots = e.spots[:0]
	x := 0
	for i, s := range b {
		e.sum.add(&s.sums, e.place+1+x, len(e.line)+1)
		at := spot{left: x, before: i - 1}
		for at.before >= 0 && b[at.before] != s {
			at.before--
		}
		e.spots = append(e.spots, at)
		x += s.W
	}
	b.Row(e.line, 0)
	e.encodeLine()
	for y := 1; y < b[0].H; y++ {
		e.startLine()
		e.encodeSprites(b, y)
		e.place += len(e.line)
	}
	b.Row(e.above, b[0].H-1)
}

// enough is the number of tokens in a sprite's line from which a reference to an equal earlier line
// is shorter than repeating it.
const enough = 3

// encodeSprites encodes a line of prepared sprites.
func (e *Encoder) encodeSprites(b Band, y int) {
	zeros := 0
	for i := 0; i < len(b); {
		l := &b[i].lines[y]
		if l.first == l.last {
			zeros += b[i].W
			i++
			continue
		}
		e.tokens = appendRun(e.tokens, 0, zeros+int(l.lead))
		n, distance := 1, 0
		if l.last-l.first >= enough {
			n, distance = e.findRepeat(b, i, y)
		}
		if distance == 0 {
			e.tokens = append(e.tokens, b[i].tokens[l.first:l.last]...)
		} else {
			length := int(b[i+n-1].lines[y].end) - int(l.lead)
			for _, s := range b[i : i+n-1] {
				length += s.W
			}
			e.tokens = appendMatch(e.tokens, length, distance)
		}
		i += n
		zeros = b[i-1].W - int(b[i-1].lines[y].end)
	}
	e.tokens = appendRun(e.tokens, 0, zeros)
}

// findRepeat returns how many sprites, from the i-th on, have the same line as earlier ones in the
// band, and their distance in pixels. The last of them has some tokens. The distance is 0 if the
// line is new. It compares only with the same sprite and the neighbour, whose edges are often
// equal: comparing with all would save 2 % of the bytes and take 10 % more time.
func (e *Encoder) findRepeat(b Band, i, y int) (n, distance int) {
	j := e.spots[i].before
	if j < 0 {
		if j = i - 1; j < 0 || !sameLine(b[i], b[j], y) {
			return 1, 0
		}
	}
	n = 1
	for k := 1; i+k < len(b) && sameLine(b[i+k], b[j+k], y); k++ {
		if len(b[i+k].at(y)) > 0 {
			n = k + 1
		}
	}
	return n, e.spots[i].left - e.spots[j].left
}

func sameLine(s, t *Sprite, y int) bool {
	if s == t {
		return true
	}
	a, b := &s.lines[y], &t.lines[y]
	return a.lead == b.lead && a.end == b.end && s.W == t.W && slices.Equal(s.at(y), t.at(y))
}

// run returns the number of equal bytes at the start of line.
func run(line []uint8) (n int) {
	first := uint64(line[0]) * 0x0101010101010101
	for ; n+8 <= len(line); n += 8 {
		if other := binary.LittleEndian.Uint64(line[n:]) ^ first; other != 0 {
			return n + bits.TrailingZeros64(other)/8
		}
	}
	for n < len(line) && line[n] == line[0] {
		n++
	}
	return n
}

package imaging

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"math/bits"
	"time"
)

// A gifWriter writes an animated GIF (GIF89a) frame by frame. Of each frame it stores only the
// rectangle that changed, with unchanged pixels as transparent.
type gifWriter struct {
	out     []byte
	numbers [256]uint8 // numbers of the colours in the file, by number in the canvas
	clear   uint8      // number of transparent, after all colours
	depth   int        // bits of a number
	last    *canvas
	part    []uint8
	blank   []uint8 // transparent line
	lzw     lzw
}

// newGIF starts a file for canvases of one size. numbers maps each palette number to one of the
// colours.
func newGIF(w, h int, colours []color.RGBA, numbers [256]uint8) *gifWriter {
	g := &gifWriter{numbers: numbers, clear: uint8(len(colours)), depth: max(2, bits.Len(uint(len(colours))))}
	g.blank = bytes.Repeat([]byte{g.clear}, w)
	g.out = append(g.out, "GIF89a"...)
	g.number(w, h)
	g.out = append(g.out, 0x80|uint8(g.depth-1), 0, 0)
	for i := range 1 << g.depth {
		c := color.RGBA{}
		if i < len(colours) {
			c = colours[i]
		}
		g.out = append(g.out, c.R, c.G, c.B)
	}
	g.out = append(g.out, "\x21\xFF\x0BNETSCAPE2.0\x03\x01\x00\x00\x00"...) // loop forever
	return g
}

func (g *gifWriter) number(ns ...int) {
	for _, n := range ns {
		g.out = binary.LittleEndian.AppendUint16(g.out, uint16(n))
	}
}

// add appends a frame that is shown for some time.
func (g *gifWriter) add(c *canvas, seen time.Duration) {
	r := c.bounds()
	if g.last != nil {
		r = c.changes(g.last)
	}
	g.part = resize(g.part, r.Dx()*r.Dy())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		line, part := c.row(y, r.Min.X, r.Max.X), g.part[(y-r.Min.Y)*r.Dx():][:r.Dx()]
		if g.last == nil {
			for i, n := range line {
				part[i] = g.numbers[n]
			}
			continue
		}
		before := g.last.row(y, r.Min.X, r.Max.X)
		copy(part, g.blank)
		for i := 0; i < len(line); i++ {
			if i += sameStart(line[i:], before[i:]); i < len(line) {
				part[i] = g.numbers[line[i]]
			}
		}
	}
	if g.last == nil {
		g.last = c.clone()
	} else {
		copy(g.last.Pix, c.Pix)
	}

	const keep, transparent = 1 << 2, 1 // keep it below the next frame, and show the previous one through
	g.out = append(g.out, 0x21, 0xF9, 4, keep|transparent)
	g.number(int(seen / (10 * time.Millisecond)))
	g.out = append(g.out, g.clear, 0, 0x2C)
	g.number(r.Min.X, r.Min.Y, r.Dx(), r.Dy())
	g.out = append(g.out, 0, uint8(g.depth))
	data := g.lzw.encode(g.part, g.depth, g.clear)
	for len(data) > 0 {
		n := min(len(data), 255)
		g.out = append(append(g.out, uint8(n)), data[:n]...)
		data = data[n:]
	}
	g.out = append(g.out, 0)
}

func (g *gifWriter) finish() []byte { return append(g.out, 0x3B) }

// changes returns the smallest rectangle containing the differences between canvases of one size:
// one pixel if there are none.
func (c *canvas) changes(d *canvas) image.Rectangle {
	r := image.Rectangle{}
	for y := range c.H {
		a, b := c.row(y, 0, c.W), d.row(y, 0, c.W)
		first := sameStart(a, b)
		if first == c.W {
			continue
		}
		last := c.W - 1
		for a[last] == b[last] {
			last--
		}
		r = r.Union(image.Rect(first, y, last+1, y+1))
	}
	if r.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return r
}

// sameStart returns the number of equal pixels at the start of two lines.
func sameStart(a, b []uint8) int {
	n := 0
	for ; n+8 <= len(a); n += 8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
	}
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n
}

// lzw implements GIF's compression. compress/lzw looks up every pixel, but nearly all pixels of a
// replay are transparent, in long runs. This one knows the codes of such runs.
type lzw struct {
	codes [maxCodes << 8]uint16 // by a phrase's code and the next pixel
	runs  []uint16              // of 1, 2, 3 and more transparent pixels
	out   []byte
	bits  uint64
	n     int
}

const maxCodes = 1 << 12

// encode compresses pixels of some number of bits. The result is valid until the next call.
func (z *lzw) encode(pix []uint8, depth int, transparent uint8) []byte {
	clearCode := 1 << depth
	z.out, z.bits, z.n = z.out[:0], 0, 0
	next, width := clearCode+2, depth+1
	z.put(clearCode, width)
	clear(z.codes[:])
	z.runs = append(z.runs[:0], uint16(transparent))
	for len(pix) > 0 {
		// The longest phrase with a code.
		phrase, n := int(pix[0]), 1
		if pix[0] == transparent {
			longest := min(len(z.runs), len(pix))
			n += sameStart(pix[1:longest], pix[:longest-1])
			phrase = int(z.runs[n-1])
		}
		for n < len(pix) {
			code := z.codes[phrase<<8|int(pix[n])]
			if code == 0 {
				break
			}
			phrase = int(code)
			n++
		}
		z.put(phrase, width)
		if pix = pix[n:]; len(pix) == 0 {
			break
		}
		// With the next pixel it is a new phrase. When no code is left for that, the table starts
		// over, which is better than going on with the old codes.
		if next == maxCodes {
			z.put(clearCode, width)
			clear(z.codes[:])
			z.runs = z.runs[:1]
			next, width = clearCode+2, depth+1
			continue
		}
		z.codes[phrase<<8|int(pix[0])] = uint16(next)
		if pix[0] == transparent && phrase == int(z.runs[len(z.runs)-1]) {
			z.runs = append(z.runs, uint16(next))
		}
		if next == 1<<width {
			width++
		}
		next++
	}
	z.put(clearCode+1, width)
	return binary.LittleEndian.AppendUint64(z.out, z.bits)[:len(z.out)+(z.n+7)/8]
}

func (z *lzw) put(code, width int) {
	z.bits |= uint64(code) << z.n
	z.n += width
	z.out = binary.LittleEndian.AppendUint64(z.out, z.bits)[:len(z.out)+z.n/8]
	z.bits >>= z.n &^ 7
	z.n &= 7
}

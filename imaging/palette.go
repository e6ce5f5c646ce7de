package imaging

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"sync/atomic"

	"github.com/fogleman/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
)

// A blend is a pair of inks that meet in a picture: at the edge of a shape, or as text on its
// ground.
type blend struct{ from, to ink }

// blends lists all pairs that meet in letters, and the commonest at the edges of shapes. An ink's
// number is in its first blend, so the commonest comes first.
var blends = [...]blend{
	{tile, tileInk}, {tile, blankInk}, {newTile, tileInk}, {newTile, blankInk},
	{tripleWord, onTripleWord}, {doubleWord, onDoubleWord},
	{tripleLetter, onTripleLetter}, {doubleLetter, onDoubleLetter}, {square, muted},
	{page, text}, {page, muted}, {panel, text}, {panel, muted}, {raised, text}, {raised, muted},
	{page, panel}, {page, accent}, {raised, accent},
	{gap, tile}, {gap, tileEdge}, {gap, newEdge}, {page, tile}, {page, tileEdge},
	{tile, tileEdge}, {tile, tripleLetter}, {newTile, newEdge},
	{page, tripleLetter}, {page, tripleWord},
}

// A palette holds the colours of a theme's pictures: for each blend a ramp of levels+1 colours from
// one ink to the other, as gg makes for letters. An ink has a number in each of its ramps, one of
// which is used for plain areas. So text differs from its ground by the same few numbers
// everywhere, which compresses well. A palette is safe for concurrent use.
type palette struct {
	colours []color.RGBA
	ramps   [inks][inks]uint8 // start of the ramp of a blend
	solid   [inks]uint8       // number of an ink
	// twice is the number of a pixel with ink of two letters, by start of the ramp and levels.
	twice [256][levels + 1][levels + 1]uint8
	// found caches numbers: a colour, and one more than its number.
	found [1 << 12]atomic.Uint32
}

// coverage is how much of its ground each level of ink hides, out of 255.
var coverage = func() (all [levels + 1]uint8) {
	for i := range all {
		all[i] = uint8((i*255 + levels/2) / levels)
	}
	return all
}()

func newPalette(colours [inks]color.RGBA) *palette {
	p, dc := &palette{}, gg.NewContext(1, 1)
	known := [inks]bool{}
	for _, b := range blends {
		start := uint8(len(p.colours))
		p.ramps[b.from][b.to] = start
		if !known[b.from] {
			known[b.from], p.solid[b.from] = true, start
		}
		if !known[b.to] {
			known[b.to], p.solid[b.to] = true, start+levels
		}
		for level := range levels + 1 {
			p.colours = append(p.colours, inkColour(dc, colours[b.from], colours[b.to], level))
		}
	}
	for _, b := range blends {
		start := p.ramps[b.from][b.to]
		for first := range levels + 1 {
			for second := range levels + 1 {
				p.twice[start][first][second] = p.number(inkColour(dc, p.colours[int(start)+first], colours[b.to], second))
			}
		}
	}
	return p
}

// inkColour returns the colour of a pixel after gg writes a letter with a level of ink there. It draws
// on dc, which has one pixel.
func inkColour(dc *gg.Context, ground, ink color.RGBA, level int) color.RGBA {
	dc.SetColor(ground)
	dc.Clear()
	dc.SetColor(ink)
	dc.SetFontFace(dot(coverage[level]))
	dc.DrawString(".", 0, 0)
	return dc.Image().(*image.RGBA).RGBAAt(0, 0)
}

// A dot is a font whose letters are one pixel with the given coverage.
type dot uint8

func (d dot) Glyph(at fixed.Point26_6, _ rune) (image.Rectangle, image.Image, image.Point, fixed.Int26_6, bool) {
	one := image.Rect(0, 0, 1, 1)
	return one, &image.Alpha{Pix: []uint8{uint8(d)}, Stride: 1, Rect: one}, image.Point{}, 0, true
}

func (dot) GlyphBounds(rune) (fixed.Rectangle26_6, fixed.Int26_6, bool) {
	return fixed.Rectangle26_6{}, 0, true
}
func (dot) GlyphAdvance(rune) (fixed.Int26_6, bool) { return 0, true }
func (dot) Kern(rune, rune) fixed.Int26_6           { return 0 }
func (dot) Metrics() font.Metrics                   { return font.Metrics{} }
func (dot) Close() error                            { return nil }

// number returns the index of the nearest colour, the first among equals.
func (p *palette) number(c color.RGBA) uint8 {
	return p.find(uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16)
}

// find returns the index of a colour given as its bytes in a picture's memory.
func (p *palette) find(rgb uint32) uint8 {
	kept := &p.found[rgb*0x9E3779B1>>20]
	if k := kept.Load(); k>>8 == rgb && k&0xFF != 0 {
		return uint8(k) - 1
	}
	best, least := 0, math.MaxInt
	for n, c := range p.colours {
		r, g, b := int(c.R)-int(rgb&0xFF), int(c.G)-int(rgb>>8&0xFF), int(c.B)-int(rgb>>16)
		if d := r*r + g*g + b*b; d < least {
			best, least = n, d
		}
	}
	kept.Store(rgb<<8 | uint32(best+1))
	return uint8(best)
}

// opaque is the alpha of a pixel in a picture's memory.
const opaque = 0xFF << 24

// numbers stores the index of the nearest colour of each pixel: four bytes, red first. It leaves
// dst unchanged where the ground shows.
func (p *palette) numbers(dst, pix []uint8, ground color.RGBA) {
	skip := binary.LittleEndian.Uint32([]byte{ground.R, ground.G, ground.B, ground.A})
	last, n := uint32(opaque), p.find(0)
	for i := range dst {
		c := binary.LittleEndian.Uint32(pix[4*i:])
		if c == skip {
			continue
		}
		if c != last {
			last, n = c, p.find(c&^opaque)
		}
		dst[i] = n
	}
}

// bytes returns the palette in PNG's form.
func (p *palette) bytes() []byte {
	var b []byte
	for _, c := range p.colours {
		b = append(b, c.R, c.G, c.B)
	}
	return b
}

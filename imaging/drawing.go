package imaging

import (
	"image"
	"image/color"
	"image/draw"

	"github.com/fogleman/gg"
	"golang.org/x/image/math/fixed"
)

// A painter draws with the colours and fonts of a theme.
type painter struct {
	palette *palette
	inks    [inks]color.RGBA
	tile    family
	text    family
	bold    family
}

// solid returns the number of an ink in the palette.
func (p *painter) solid(i ink) uint8 { return p.palette.solid[i] }

// A drawing is a picture, or a part of one, in a gg.Context. Shapes look the same wherever they are
// drawn, so a part can be drawn separately once and then be placed.
type drawing struct {
	*painter
	size   image.Point
	dc     *gg.Context
	ground ink         // colour of the background
	origin image.Point // origin of what is drawn next
	// numbers holds the palette numbers to use for colours that have several.
	numbers map[color.RGBA]uint8
}

// draw starts a drawing of w by h pixels. Its context is never small, because gg draws curves more
// finely in contexts of up to 120 pixels a side.
func (p *painter) draw(w, h int, ground ink) drawing {
	d := drawing{painter: p, size: image.Pt(w, h), dc: gg.NewContext(max(w, 121), h), ground: ground, numbers: map[color.RGBA]uint8{}}
	d.shape(ground).Clear()
	return d
}

// at returns the drawing with another origin.
func (d drawing) at(x, y int) drawing {
	d.origin = image.Pt(x, y)
	return d
}

func (d drawing) image() *image.RGBA { return d.dc.Image().(*image.RGBA) }

// canvas returns the drawing in palette colours.
func (d drawing) canvas() *canvas {
	c := &canvas{}
	d.onto(c)
	return c
}

// onto copies the drawing to a canvas.
func (d drawing) onto(c *canvas) {
	c.resize(d.size.X, d.size.Y)
	c.fill(c.bounds(), d.palette.number(d.inks[d.ground]))
	img := d.image()
	for y := range c.H {
		d.palette.numbers(c.row(y, 0, c.W), img.Pix[y*img.Stride:], d.inks[d.ground])
	}
	var numbers [256]uint8
	for i := range numbers {
		numbers[i] = uint8(i)
	}
	for colour, n := range d.numbers {
		numbers[d.palette.number(colour)] = n
	}
	for i, n := range c.Pix {
		c.Pix[i] = numbers[n]
	}
}

// shape returns the context for drawing a shape in an ink. gg truncates coordinates to 64ths of a
// pixel; adding half of one makes it round, so that tiny errors don't show.
func (d drawing) shape(i ink) *gg.Context {
	const half = 1.0 / 128
	d.dc.Identity()
	d.dc.Translate(float64(d.origin.X)+half, float64(d.origin.Y)+half)
	d.dc.SetColor(d.inks[i])
	d.numbers[d.inks[i]] = d.solid(i)
	return d.dc
}

// fill fills a rectangle without gg, since its edges lie between pixels.
func (d drawing) fill(r image.Rectangle, i ink) {
	d.numbers[d.inks[i]] = d.solid(i)
	draw.Draw(d.image(), r.Add(d.origin), image.NewUniform(d.inks[i]), image.Point{}, draw.Over)
}

// frame draws a line of a width inside the edges of a rectangle.
func (d drawing) frame(r image.Rectangle, width int, i ink) {
	in := r.Inset(width)
	d.fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, in.Min.Y), i)
	d.fill(image.Rect(r.Min.X, in.Max.Y, r.Max.X, r.Max.Y), i)
	d.fill(image.Rect(r.Min.X, in.Min.Y, in.Min.X, in.Max.Y), i)
	d.fill(image.Rect(in.Max.X, in.Min.Y, r.Max.X, in.Max.Y), i)
}

// A run is a sequence of runes to write, in visual order.
type run struct {
	style    *style
	x        fixed.Int26_6 // x of the first origin, in pixels
	baseline int
	runes    []rune
	ground   ink // colour of the background
	ink      ink
}

// write writes a run with gg.
func (d drawing) write(r run) {
	d.numbers[d.inks[r.ink]] = d.palette.ramps[r.ground][r.ink] + levels
	p := r.style.borrowPen()
	defer p.put()
	d.dc.Identity()
	d.dc.Translate(float64(d.origin.X), float64(d.origin.Y))
	d.dc.SetColor(d.inks[r.ink])
	d.dc.SetFontFace(p)
	d.dc.DrawString(string(r.runes), float64(r.x)/64, float64(r.baseline))
}

// inkBounds returns the bounds of a run's ink.
func (r run) inkBounds() (box image.Rectangle) {
	p := r.style.borrowPen()
	defer p.put()
	dot, before := fixed.Point26_6{X: r.x, Y: fixed.I(r.baseline)}, rune(-1)
	for _, c := range r.runes {
		if before >= 0 {
			dot.X += p.Kern(before, c)
		}
		if at, _, _, advance, ok := p.Glyph(dot, c); ok {
			box = box.Union(at)
			dot.X += advance
			before = c
		}
	}
	return box
}

// centred returns a run with its ink centred on x, in pixels.
func (r run) centred(x float64) run {
	b := r.style.bounds(r.runes)
	r.x = fixed.Int26_6(x*64) - (b.Min.X+b.Max.X)/2
	return r
}

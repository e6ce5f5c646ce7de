package imaging

import (
	"image"
	"image/color"
	"image/draw"
	"iter"

	"github.com/fogleman/gg"
	"golang.org/x/image/math/fixed"
)

// A painter draws in the colours of a theme, and with its fonts.
type painter struct {
	palette *palette
	inks    [inks]color.RGBA
	tile    family
	text    family
	bold    family
}

// solid is the number of an ink in the palette.
func (p *painter) solid(i ink) uint8 { return p.palette.solid[i] }

// A drawing is a picture, or a part of one, in a gg.Context. What is drawn of a
// thing doesn't depend on where it is drawn: so a part can be drawn by itself once,
// and be placed where it would stand.
type drawing struct {
	*painter
	size   image.Point
	dc     *gg.Context
	ground ink         // what was there before
	origin image.Point // of what is drawn next
	// numbers are those that colours get which have several.
	numbers map[color.RGBA]uint8
}

// draw begins a drawing of w by h pixels. Its context is never a small one: in those
// of up to 120 pixels a side curves come out finer than in the others.
func (p *painter) draw(w, h int, ground ink) drawing {
	d := drawing{painter: p, size: image.Pt(w, h), dc: gg.NewContext(max(w, 121), h), ground: ground, numbers: map[color.RGBA]uint8{}}
	d.shape(ground).Clear()
	return d
}

// at is the same drawing with another origin.
func (d drawing) at(x, y int) drawing {
	d.origin = image.Pt(x, y)
	return d
}

func (d drawing) image() *image.RGBA { return d.dc.Image().(*image.RGBA) }

// canvas is the drawing in the colours of the palette.
func (d drawing) canvas() *canvas {
	c := &canvas{}
	d.onto(c)
	return c
}

// onto makes a canvas of the drawing.
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

// shape is the context for drawing a shape in an ink. gg cuts measures down to
// 64ths of a pixel; half of one more has it round them instead, so that the
// smallest error doesn't show.
func (d drawing) shape(i ink) *gg.Context {
	const half = 1.0 / 128
	d.dc.Identity()
	d.dc.Translate(float64(d.origin.X)+half, float64(d.origin.Y)+half)
	d.dc.SetColor(d.inks[i])
	d.numbers[d.inks[i]] = d.solid(i)
	return d.dc
}

// fill fills a rectangle, without gg: its edges are between pixels.
func (d drawing) fill(r image.Rectangle, i ink) {
	d.numbers[d.inks[i]] = d.solid(i)
	draw.Draw(d.image(), r.Add(d.origin), image.NewUniform(d.inks[i]), image.Point{}, draw.Over)
}

// frame draws a line of a width in a rectangle, along its edges.
func (d drawing) frame(r image.Rectangle, width int, i ink) {
	in := r.Inset(width)
	d.fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, in.Min.Y), i)
	d.fill(image.Rect(r.Min.X, in.Max.Y, r.Max.X, r.Max.Y), i)
	d.fill(image.Rect(r.Min.X, in.Min.Y, in.Min.X, in.Max.Y), i)
	d.fill(image.Rect(in.Max.X, in.Min.Y, r.Max.X, in.Max.Y), i)
}

// A run is runes to write, in the order seen.
type run struct {
	style    *style
	x        fixed.Int26_6 // of the first dot, in pixels
	baseline int
	runes    []rune
	ground   ink // what is there already
	ink      ink
}

// write writes a run, without gg, which would ask for each pixel of a letter whether it moved.
func (d drawing) write(r run) {
	d.numbers[d.inks[r.ink]] = d.palette.ramps[r.ground][r.ink] + levels
	img, ink := d.image(), d.inks[r.ink]
	for g, at := range r.letters() {
		at = at.Add(d.origin)
		on := at.Intersect(img.Rect)
		for y := on.Min.Y; y < on.Max.Y; y++ {
			pix := img.Pix[img.PixOffset(on.Min.X, y):]
			for i, level := range g.ink[(y-at.Min.Y)*at.Dx()+on.Min.X-at.Min.X:][:on.Dx()] {
				hide(pix[4*i:][:4], ink, coverage[level])
			}
		}
	}
}

// hide covers so much of a pixel, of 255, with an ink, to the bit as gg does.
func hide(pix []uint8, ink color.RGBA, much uint8) {
	part := uint32(much) * 0x101
	for i, c := range [4]uint8{ink.R, ink.G, ink.B, ink.A} {
		pix[i] = uint8((uint32(pix[i])*0x101*(0xffff-part)/0xffff + uint32(c)*0x101*part/0xffff) >> 8)
	}
}

// letters are the glyphs of a run, and the rectangles of their ink.
func (r run) letters() iter.Seq2[*glyph, image.Rectangle] {
	return func(yield func(*glyph, image.Rectangle) bool) {
		p := r.style.pen()
		defer p.put()
		x, before := r.x, rune(-1)
		for _, c := range r.runes {
			m := p.metrics(c)
			if m.font < 0 {
				continue
			}
			if before >= 0 {
				x += p.kern(before, c)
			}
			pixel, phase := place(x)
			g := r.style.glyph(c, phase)
			if !yield(g, g.rect.Add(image.Pt(pixel, r.baseline))) {
				return
			}
			x += m.advance
			before = c
		}
	}
}

// inked is where a run has ink.
func (r run) inked() (box image.Rectangle) {
	for _, at := range r.letters() {
		box = box.Union(at)
	}
	return box
}

// centred moves a run so that its ink is centred on x, in pixels.
func (r run) centred(x float64) run {
	b := r.style.bounds(r.runes)
	r.x = fixed.Int26_6(x*64) - (b.Min.X+b.Max.X)/2
	return r
}

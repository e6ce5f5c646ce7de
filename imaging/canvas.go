package imaging

import "image"

// A canvas is pixels, each a number in a palette. Sprites are canvases too.
type canvas struct {
	w, h int
	pix  []uint8
}

func newCanvas(w, h int) *canvas { return &canvas{w: w, h: h, pix: make([]uint8, w*h)} }

// resize makes the canvas another size, with any pixels.
func (c *canvas) resize(w, h int) {
	c.w, c.h = w, h
	if cap(c.pix) < w*h {
		c.pix = make([]uint8, w*h)
	}
	c.pix = c.pix[:w*h]
}

func (c *canvas) clone() *canvas {
	d := newCanvas(c.w, c.h)
	copy(d.pix, c.pix)
	return d
}

func (c *canvas) bounds() image.Rectangle { return image.Rect(0, 0, c.w, c.h) }

// row is the pixels of a line from x0 up to x1.
func (c *canvas) row(y, x0, x1 int) []uint8 { return c.pix[y*c.w+x0 : y*c.w+x1] }

// fill gives a rectangle one colour.
func (c *canvas) fill(r image.Rectangle, colour uint8) {
	r = r.Intersect(c.bounds())
	if r.Empty() {
		return
	}
	first := c.row(r.Min.Y, r.Min.X, r.Max.X)
	for i := range first {
		first[i] = colour
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(c.row(y, r.Min.X, r.Max.X), first)
	}
}

// blit copies a sprite with its top left corner at x, y.
func (c *canvas) blit(s *canvas, x, y int) { c.blitPart(s, s.bounds(), x, y) }

// blitPart copies a rectangle of a sprite.
func (c *canvas) blitPart(s *canvas, part image.Rectangle, x, y int) {
	shift := image.Pt(x, y).Sub(part.Min)
	r := part.Add(shift).Intersect(c.bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		copy(c.row(y, r.Min.X, r.Max.X), s.row(y-shift.Y, r.Min.X-shift.X, r.Max.X-shift.X))
	}
}

// overlay copies a sprite of the canvas's size but for its ground.
func (c *canvas) overlay(s *canvas, ground uint8) {
	for i, n := range s.pix {
		if n != ground {
			c.pix[i] = n
		}
	}
}

// blitWide copies a sprite widened to w by repeating its middle column.
func (c *canvas) blitWide(s *canvas, x, y, w int) {
	half := s.w / 2
	c.blitPart(s, image.Rect(0, 0, half, s.h), x, y)
	for i := range s.h {
		c.fill(image.Rect(x+half, y+i, x+w-half, y+i+1), s.pix[i*s.w+half])
	}
	c.blitPart(s, image.Rect(half, 0, s.w, s.h), x+w-s.w+half, y)
}

// stencil inks a glyph with its dot at x on a baseline. The ramp's colours go
// from the ground to full ink; where glyphs overlap the darker wins.
func (c *canvas) stencil(g *glyph, x, baseline int, ramp uint8) {
	at := g.rect.Add(image.Pt(x, baseline))
	r := at.Intersect(c.bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		ink := g.ink[(y-at.Min.Y)*at.Dx()+r.Min.X-at.Min.X:]
		line := c.row(y, r.Min.X, r.Max.X)
		for i := range line {
			if ink[i] == 0 {
				continue
			}
			if full := ramp + ink[i]; line[i] < ramp || line[i] > ramp+levels || line[i] < full {
				line[i] = full
			}
		}
	}
}

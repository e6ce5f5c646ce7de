package imaging

import (
	"image"

	"github.com/rackmate/rackmate/imaging/compose"
)

// A canvas is a sprite being drawn.
type canvas compose.Sprite

func newCanvas(w, h int) *canvas { return &canvas{W: w, H: h, Pix: make([]uint8, w*h)} }

// sprite returns the canvas as a sprite for one picture, and preparedSprite as one that
// many pictures can share.
func (c *canvas) sprite() *compose.Sprite         { return (*compose.Sprite)(c) }
func (c *canvas) preparedSprite() *compose.Sprite { return c.sprite().Prepare() }

// resize changes the size of the canvas, with undefined pixels.
func (c *canvas) resize(w, h int) {
	c.W, c.H = w, h
	c.Pix = resize(c.Pix, w*h)
}

// resize returns n pixels, reusing the memory of p if it suffices.
func resize(p []uint8, n int) []uint8 {
	if cap(p) < n {
		return make([]uint8, n)
	}
	return p[:n]
}

func (c *canvas) clone() *canvas {
	d := newCanvas(c.W, c.H)
	copy(d.Pix, c.Pix)
	return d
}

func (c *canvas) bounds() image.Rectangle { return image.Rect(0, 0, c.W, c.H) }

// row returns the pixels of a line from x0 to before x1.
func (c *canvas) row(y, x0, x1 int) []uint8 { return c.Pix[y*c.W+x0 : y*c.W+x1] }

// fill fills a rectangle with one colour.
func (c *canvas) fill(r image.Rectangle, colour uint8) {
	r = r.Intersect(c.bounds())
	if r.Empty() {
		return
	}
	first := c.row(r.Min.Y, r.Min.X, r.Max.X)
	first[0] = colour
	for n := 1; n < len(first); n *= 2 {
		copy(first[n:], first[:n])
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

// blitWide copies a sprite, widened to w by repeating its middle column.
func (c *canvas) blitWide(s *canvas, x, y, w int) {
	half := s.W / 2
	c.blitPart(s, image.Rect(0, 0, half, s.H), x, y)
	for i := 0; i < s.H; {
		first, middle := i, s.Pix[i*s.W+half]
		for i < s.H && s.Pix[i*s.W+half] == middle {
			i++
		}
		c.fill(image.Rect(x+half, y+first, x+w-half, y+i), middle)
	}
	c.blitPart(s, image.Rect(half, 0, s.W, s.H), x+w-s.W+half, y)
}

package imaging

import (
	"errors"
	"fmt"
	"image"
	"slices"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/rackmate/rackmate/lexicon"
)

// Fonts are the fonts of pictures, as the bytes of TTF or OTF files. A rune
// that a font lacks is looked for in Text and then in Others, in order.
//
// Arabic letters are joined by way of their presentation forms, which the
// font must have. Scripts whose letters change order or merge otherwise
// (Devanagari, Khmer and their kin) would come out wrong: give no font for
// them, and their runes are left out instead.
type Fonts struct {
	Tile   []byte   // letters on tiles: bold, with forms that can't be confused
	Tiles  [][]byte // the same, for tile sets with a letter that Tile lacks
	Text   []byte   // names, notes, captions: semibold
	Bold   []byte   // scores, labels, the values of tiles
	Others [][]byte // for the runes that those lack

	// Light are for what is still lacking. They are read when something first is,
	// and drawn bolder than they are.
	Light []func() ([]byte, error)
}

// A family is fonts in order of preference.
type family []typeface

type typeface struct {
	font  func() *sfnt.Font // nil where it can't be read
	light bool              // to be drawn bolder than it is
}

// glyph is what the font draws a rune with; it is false where it lacks it.
func (f typeface) glyph(buf *sfnt.Buffer, r rune) (sfnt.GlyphIndex, bool) {
	font := f.font()
	if font == nil {
		return 0, false
	}
	g, err := font.GlyphIndex(buf, r)
	return g, err == nil && g != 0
}

func (f Fonts) parse() (tile, text, bold family, err error) {
	if f.Tile == nil || f.Text == nil || f.Bold == nil {
		return nil, nil, nil, errors.New("fonts: Tile, Text and Bold are needed")
	}
	files := slices.Concat([][]byte{f.Tile}, f.Tiles, [][]byte{f.Bold, f.Text}, f.Others)
	all := make(family, len(files))
	for i, b := range files {
		font, err := sfnt.Parse(b)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("parse font %d of %d: %w", i+1, len(files), err)
		}
		all[i] = typeface{font: func() *sfnt.Font { return font }}
	}
	for _, read := range f.Light {
		all = append(all, typeface{light: true, font: sync.OnceValue(func() *sfnt.Font {
			b, err := read()
			if err != nil {
				return nil
			}
			font, _ := sfnt.Parse(b) // nil with an error
			return font
		})})
	}
	bold = all[1+len(f.Tiles):]
	return all, bold[1:], bold, nil
}

// leading is the family with the first font in front that has all the letters of
// an alphabet, so that they go together.
func (f family) leading(a *lexicon.Alphabet) family {
	var buf sfnt.Buffer
	for i, font := range f {
		has := true
		for l := range a.Len() {
			for _, r := range a.Text(lexicon.Letter(l + 1)) {
				_, ok := font.glyph(&buf, r)
				has = has && ok
			}
		}
		if has {
			return slices.Insert(slices.Delete(slices.Clone(f), i, i+1), 0, font)
		}
	}
	return f
}

// find is the first font that has a rune, and its glyph there. It is -1 when
// none has.
func (f family) find(buf *sfnt.Buffer, r rune) (int, sfnt.GlyphIndex) {
	for i, font := range f {
		if g, ok := font.glyph(buf, r); ok {
			return i, g
		}
	}
	return -1, 0
}

// Letters stand at quarters of a pixel, and have levels of grey between no
// ink and full ink. More of either can't be told apart by eye.
const (
	phases = 4
	levels = 6
)

// A style is a family at one size. It is safe for concurrent use: font.Face
// is not, so each call borrows a pen that has faces of its own.
type style struct {
	family family
	size   float64 // pixels an em
	pens   sync.Pool
	warm   [phases][128]glyph // ASCII glyphs drawn beforehand
}

// A pen is what one goroutine needs for setting text.
type pen struct {
	buf   sfnt.Buffer
	faces []font.Face
	dots  []fixed.Int26_6
}

// A glyph is the ink of a letter: a level, 0 to levels, for each pixel of a
// rectangle around the dot on the baseline.
type glyph struct {
	rect image.Rectangle
	ink  []uint8
}

func newStyle(f family, size float64) *style {
	st := &style{family: f, size: size}
	st.pens.New = func() any { return &pen{faces: make([]font.Face, len(f))} }
	return st
}

// heat draws the glyphs of some ASCII runes beforehand.
func (st *style) heat(first, last rune) *style {
	p := st.pens.Get().(*pen)
	defer st.pens.Put(p)
	for phase := range st.warm {
		for r := first; r <= last; r++ {
			st.warm[phase][r] = st.drawGlyph(p, r, phase)
		}
	}
	return st
}

func (st *style) ppem() fixed.Int26_6 { return fixed.Int26_6(st.size*64 + 0.5) }

func (st *style) face(p *pen, i int) font.Face {
	if p.faces[i] == nil {
		// NewFace gives no error.
		p.faces[i], _ = opentype.NewFace(st.family[i].font(), &opentype.FaceOptions{Size: st.size, DPI: 72})
	}
	return p.faces[i]
}

func (st *style) drawGlyph(p *pen, r rune, phase int) (g glyph) {
	i, _ := st.family.find(&p.buf, r)
	if i < 0 {
		return glyph{}
	}
	dot := fixed.Point26_6{X: fixed.Int26_6(phase * 64 / phases)}
	rect, mask, _, _, ok := st.face(p, i).Glyph(dot, r)
	alpha, isAlpha := mask.(*image.Alpha)
	if !ok || !isAlpha || rect.Empty() {
		return glyph{}
	}
	g.rect, g.ink = rect, make([]uint8, len(alpha.Pix))
	for i, a := range alpha.Pix {
		g.ink[i] = uint8((int(a)*levels + 127) / 255)
	}
	if st.family[i].light {
		return g.bolder()
	}
	return g
}

// bolder is the glyph with each stroke a pixel wider.
func (g glyph) bolder() glyph {
	wide := g.rect
	wide.Max.X++
	b := glyph{rect: wide, ink: make([]uint8, wide.Dx()*wide.Dy())}
	for y := range wide.Dy() {
		for x := range g.rect.Dx() {
			ink := g.ink[y*g.rect.Dx()+x]
			at := y*wide.Dx() + x
			b.ink[at] = max(b.ink[at], ink)
			b.ink[at+1] = ink
		}
	}
	return b
}

// set finds the place of each rune's dot, from 0, and the width of it all.
// The dots are the pen's, until it sets the next text.
func (st *style) set(p *pen, rs []rune) (dots []fixed.Int26_6, width fixed.Int26_6) {
	p.dots = p.dots[:0]
	ppem := st.ppem()
	last, lastGlyph := -1, sfnt.GlyphIndex(0)
	for _, r := range rs {
		i, g := st.family.find(&p.buf, r)
		if i < 0 {
			p.dots = append(p.dots, width)
			continue
		}
		if i == last {
			if k, err := st.family[i].font().Kern(&p.buf, lastGlyph, g, ppem, font.HintingNone); err == nil {
				width += k
			}
		}
		p.dots = append(p.dots, width)
		if a, err := st.family[i].font().GlyphAdvance(&p.buf, g, ppem, font.HintingNone); err == nil {
			width += a
		}
		last, lastGlyph = i, g
	}
	return p.dots, width
}

// width is the room that runes take, in pixels.
func (st *style) width(rs []rune) int {
	p := st.pens.Get().(*pen)
	defer st.pens.Put(p)
	_, w := st.set(p, rs)
	return w.Ceil()
}

// bounds is the rectangle of the runes' ink around the first dot.
func (st *style) bounds(rs []rune) (b fixed.Rectangle26_6) {
	p := st.pens.Get().(*pen)
	defer st.pens.Put(p)
	dots, _ := st.set(p, rs)
	for n, r := range rs {
		if i, _ := st.family.find(&p.buf, r); i >= 0 {
			if gb, _, ok := st.face(p, i).GlyphBounds(r); ok {
				b = b.Union(gb.Add(fixed.Point26_6{X: dots[n]}))
			}
		}
	}
	return b
}

// fit cuts runes, which are in reading order, to a width in pixels; what it
// cuts it ends with an ellipsis, and where not even that fits nothing is left.
func (st *style) fit(rs []rune, width int) []rune {
	if st.width(rs) <= width {
		return rs
	}
	p := st.pens.Get().(*pen)
	defer st.pens.Put(p)
	_, room := st.set(p, []rune{'…'})
	if room = fixed.I(width) - room; room < 0 {
		return nil
	}
	dots, _ := st.set(p, rs)
	n := len(rs) - 1
	for n > 0 && (dots[n] > room || rs[n-1] == ' ') {
		n--
	}
	return append(rs[:n:n], '…')
}

// draw sets runes in the order seen on a canvas, from x in pixels and on a
// baseline. The canvas must have the ramp's first colour there.
func (st *style) draw(c *canvas, x fixed.Int26_6, baseline int, rs []rune, ramp uint8) {
	p := st.pens.Get().(*pen)
	defer st.pens.Put(p)
	dots, _ := st.set(p, rs)
	for i, r := range rs {
		at := x + dots[i] + 64/phases/2
		phase := int(at&63) * phases / 64
		if r < 128 && st.warm[phase][r].ink != nil {
			c.stencil(&st.warm[phase][r], at.Floor(), baseline, ramp)
			continue
		}
		g := st.drawGlyph(p, r, phase)
		c.stencil(&g, at.Floor(), baseline, ramp)
	}
}

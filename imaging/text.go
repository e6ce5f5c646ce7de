package imaging

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/fogleman/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/rackmate/rackmate/lexicon"
)

// Fonts holds the fonts of pictures, as the bytes of TTF or OTF files. Runes that a font lacks are
// taken from Text and then from Others, in order.
//
// Arabic letters are joined using their presentation forms, which the font must have. Scripts whose
// letters are reordered or merge in other ways (such as Devanagari and Khmer) would be shown
// wrongly: give no font for them, and their runes are left out.
type Fonts struct {
	Tile   []byte   // letters on tiles: bold, with distinct forms
	Tiles  [][]byte // the same for tile sets with a letter that Tile lacks
	Text   []byte   // names, notes and captions: semibold
	Bold   []byte   // scores, labels and values of tiles
	Others [][]byte // for runes that those lack

	// Light fonts are for runes still missing. They are read on first use and drawn bolder than
	// they are.
	Light []func() ([]byte, error)
}

// A family lists fonts in order of preference.
type family []typeface

type typeface struct {
	font  func() *sfnt.Font // nil if it can't be read
	light bool              // drawn bolder than it is
}

// glyph returns the font's glyph of a rune, or false if it lacks it.
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
			font, _ := sfnt.Parse(b) // nil on an error
			return font
		})})
	}
	bold = all[1+len(f.Tiles):]
	return all, bold[1:], bold, nil
}

// preferFontFor returns the family with the first font that has all letters of an alphabet moved to the
// front, so that they match.
func (f family) preferFontFor(a *lexicon.Alphabet) family {
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

// find returns the index of the first font with a rune, and its glyph there; -1 if none has it.
func (f family) find(buf *sfnt.Buffer, r rune) (int, sfnt.GlyphIndex) {
	for i, font := range f {
		if g, ok := font.glyph(buf, r); ok {
			return i, g
		}
	}
	return -1, 0
}

// Letters are placed at quarters of a pixel, with levels of grey between no ink and full ink. Finer
// steps of either aren't visible.
const (
	phases = 4
	levels = 6
)

// A style is a family at one size. It is safe for concurrent use, but a font.Face isn't, so text is
// set with a borrowed pen.
type style struct {
	family family
	size   float64 // pixels per em
	pens   sync.Pool
	ascii  [128]letter // cache for the commonest letters
	others lazy[phased, *glyph]
}

// A phased is a rune at a quarter-pixel position.
type phased struct {
	rune  rune
	phase int
}

// A letter caches what a style knows of a rune, each part on first use.
type letter struct {
	metrics atomic.Pointer[metrics]
	glyphs  [phases]atomic.Pointer[glyph]
}

// A metrics value gives a rune's font in the family (-1 for none), its glyph there, and its
// advance.
type metrics struct {
	font    int
	glyph   sfnt.GlyphIndex
	advance fixed.Int26_6
}

// A pen is a style as a font.Face. A rune that the family lacks has no glyph and no width.
type pen struct {
	*style
	buf   sfnt.Buffer
	faces []font.Face
}

// A glyph is the ink of a letter: a level, 0 to levels, for each pixel of a rectangle around its
// origin on the baseline.
type glyph struct {
	rect image.Rectangle
	ink  []uint8
}

func newStyle(f family, size float64) *style {
	st := &style{family: f, size: size}
	st.others.limit = 300
	st.pens.New = func() any { return &pen{style: st, faces: make([]font.Face, len(f))} }
	return st
}

// borrowPen borrows a pen, which must be returned.
func (st *style) borrowPen() *pen { return st.pens.Get().(*pen) }

func (p *pen) put() { p.pens.Put(p) }

func (p *pen) ppem() fixed.Int26_6 { return fixed.Int26_6(p.size*64 + 0.5) }

func (p *pen) face(i int) font.Face {
	if p.faces[i] == nil {
		// NewFace never fails here.
		p.faces[i], _ = opentype.NewFace(p.family[i].font(), &opentype.FaceOptions{Size: p.size, DPI: 72})
	}
	return p.faces[i]
}

// place returns the pixel and quarter of an origin.
func place(x fixed.Int26_6) (pixel, phase int) {
	x += 64 / phases / 2
	return x.Floor(), int(x&63) * phases / 64
}

// mask returns the coverage of each pixel of a glyph, from the font. Light fonts get strokes one
// pixel wider.
func (p *pen) mask(r rune, phase int) (image.Rectangle, *image.Alpha) {
	i := p.metrics(r).font
	rect, mask, _, _, ok := p.face(i).Glyph(fixed.Point26_6{X: fixed.Int26_6(phase * 64 / phases)}, r)
	from, isAlpha := mask.(*image.Alpha)
	if !ok || !isAlpha || rect.Empty() {
		return image.Rectangle{}, image.NewAlpha(image.Rectangle{})
	}
	light := p.family[i].light
	if light {
		rect.Max.X++
	}
	to := image.NewAlpha(image.Rectangle{Max: rect.Size()})
	for y := range from.Rect.Dy() {
		for x, a := range from.Pix[y*from.Stride:][:from.Rect.Dx()] {
			at, hides := y*to.Stride+x, coverage[(int(a)*levels+127)/255]
			to.Pix[at] = max(to.Pix[at], hides)
			if light {
				to.Pix[at+1] = hides
			}
		}
	}
	return rect, to
}

// Glyph returns a letter with its origin at the nearest quarter of a pixel, in levels of ink that
// the palette has colours for.
func (p *pen) Glyph(dot fixed.Point26_6, r rune) (dr image.Rectangle, mask image.Image, maskp image.Point, advance fixed.Int26_6, ok bool) {
	m := p.metrics(r)
	if m.font < 0 {
		return image.Rectangle{}, nil, image.Point{}, 0, false
	}
	x, phase := place(dot.X)
	rect, ink := p.mask(r, phase)
	return rect.Add(image.Pt(x, dot.Y.Floor())), ink, image.Point{}, m.advance, true
}

// glyph returns what gg writes for a rune.
func (st *style) glyph(r rune, phase int) *glyph {
	if r < 0 || int(r) >= len(st.ascii) {
		return st.others.get(phased{r, phase}, st.drawGlyph)
	}
	kept := &st.ascii[r].glyphs[phase]
	g := kept.Load()
	if g == nil {
		g = st.drawGlyph(phased{r, phase})
		kept.Store(g)
	}
	return g
}

func (st *style) drawGlyph(of phased) *glyph {
	p := st.borrowPen()
	defer p.put()
	rect, _ := p.mask(of.rune, of.phase)
	g := &glyph{rect: rect, ink: make([]uint8, rect.Dx()*rect.Dy())}
	if rect.Empty() {
		return g
	}
	dc := gg.NewContext(rect.Dx(), rect.Dy())
	dc.SetColor(color.Black)
	dc.Clear()
	dc.SetColor(color.White)
	dc.SetFontFace(p)
	dc.Translate(float64(-rect.Min.X), float64(-rect.Min.Y))
	dc.DrawString(string(of.rune), float64(of.phase)/phases, 0)
	for i, img := 0, dc.Image().(*image.RGBA); i < len(g.ink); i++ {
		g.ink[i] = uint8((int(img.Pix[4*i])*levels + 127) / 255)
	}
	return g
}

func (p *pen) metrics(r rune) metrics {
	if r < 0 || int(r) >= len(p.ascii) {
		return p.findMetrics(r)
	}
	kept := &p.ascii[r].metrics
	m := kept.Load()
	if m == nil {
		found := p.findMetrics(r)
		m = &found
		kept.Store(m)
	}
	return *m
}

func (p *pen) findMetrics(r rune) (m metrics) {
	if m.font, m.glyph = p.family.find(&p.buf, r); m.font >= 0 {
		// If a font doesn't know a glyph's width, the width is 0.
		m.advance, _ = p.family[m.font].font().GlyphAdvance(&p.buf, m.glyph, p.ppem(), font.HintingNone)
	}
	return m
}

// GlyphAdvance returns the distance to the next letter.
func (p *pen) GlyphAdvance(r rune) (fixed.Int26_6, bool) {
	m := p.metrics(r)
	return m.advance, m.font >= 0
}

// GlyphBounds returns the bounds of a letter's ink around its origin.
func (p *pen) GlyphBounds(r rune) (fixed.Rectangle26_6, fixed.Int26_6, bool) {
	m := p.metrics(r)
	if m.font < 0 {
		return fixed.Rectangle26_6{}, 0, false
	}
	return p.face(m.font).GlyphBounds(r)
}

// Kern returns the kerning between two letters of one font.
func (p *pen) Kern(a, b rune) fixed.Int26_6 {
	first, second := p.metrics(a), p.metrics(b)
	if first.font < 0 || first.font != second.font {
		return 0
	}
	k, err := p.family[first.font].font().Kern(&p.buf, first.glyph, second.glyph, p.ppem(), font.HintingNone)
	if err != nil { // no such pair
		return 0
	}
	return k
}

// Metrics returns only the size; callers need nothing else.
func (p *pen) Metrics() font.Metrics { return font.Metrics{Height: p.ppem()} }

// Close does nothing: a style outlives its pens.
func (p *pen) Close() error { return nil }

// width returns the width of runes, in pixels.
func (st *style) width(rs []rune) int {
	p := st.borrowPen()
	defer p.put()
	return font.MeasureString(p, string(rs)).Ceil()
}

// bounds returns the bounds of the runes' ink around the first origin.
func (st *style) bounds(rs []rune) fixed.Rectangle26_6 {
	p := st.borrowPen()
	defer p.put()
	b, _ := font.BoundString(p, string(rs))
	return b
}

// fit cuts runes, given in reading order, to a width in pixels. A cut text ends with an ellipsis;
// if not even that fits, nothing is left.
func (st *style) fit(rs []rune, width int) []rune {
	if st.width(rs) <= width {
		return rs
	}
	p := st.borrowPen()
	defer p.put()
	room := fixed.I(width) - font.MeasureString(p, "…")
	if room < 0 {
		return nil
	}
	n := 0
	for i, r := range rs {
		if i > 0 {
			room -= p.Kern(rs[i-1], r)
		}
		if room -= p.metrics(r).advance; room < 0 {
			break
		}
		if r != ' ' {
			n = i + 1
		}
	}
	return append(rs[:n:n], '…')
}

package imaging

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"github.com/fogleman/gg"
	"golang.org/x/image/math/fixed"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging/compose"
	"github.com/rackmate/rackmate/lexicon"
)

// A mark is how a tile is shown.
type mark uint8

const (
	plainTile    mark = iota
	lastTile          // of the last play: another colour and an outline
	proposedTile      // of a play that has not been made: a broken outline
	marks        = iota
)

// boardSprites are the sprites of squares, by premium.
type boardSprites struct {
	squares [game.TripleWord + 1]*compose.Sprite
	starts  [game.TripleWord + 1]*compose.Sprite // the same, for the square that the first play must cover
}

func (b *boardSprites) of(p game.Premium, start bool) *compose.Sprite {
	if start {
		return b.starts[p]
	}
	return b.squares[p]
}

// tileSprites are the sprites of a tile set, by tile.
type tileSprites [256]*compose.Sprite

// painter draws sprites. Shapes are gg's; letters are ours.
type painter struct {
	palette *palette
	inks    [inks]color.RGBA
	tile    family
	bold    family
}

// lettered is the painter with the font that has all letters of a set.
func (p *painter) lettered(set *game.TileSet) *painter {
	q := *p
	q.tile = p.tile.leading(set.Alphabet())
	return &q
}

// ramp is where the ramp of a blend starts in the palette.
func (p *painter) ramp(from, to ink) uint8 { return p.palette.ramps[from][to] }

// solid is the number of an ink in the palette.
func (p *painter) solid(i ink) uint8 { return p.palette.solid[i] }

// shape draws with gg on a ground of one ink, and brings what comes out to
// the nearest colours of some blends.
func (p *painter) shape(w, h int, ground ink, blends []blend, draw func(dc *gg.Context)) *canvas {
	dc := gg.NewContext(w, h)
	dc.SetColor(p.inks[ground])
	dc.Clear()
	draw(dc)
	c := newCanvas(w, h)
	img := dc.Image().(*image.RGBA)
	nearest := map[color.RGBA]uint8{p.inks[ground]: p.solid(ground)}
	for i := range c.Pix {
		at := color.RGBA{img.Pix[4*i], img.Pix[4*i+1], img.Pix[4*i+2], 255}
		n, ok := nearest[at]
		if !ok {
			n = p.nearest(at, blends)
			nearest[at] = n
		}
		c.Pix[i] = n
	}
	return c
}

func (p *painter) nearest(at color.RGBA, blends []blend) (best uint8) {
	square := func(a, b uint8) int { return (int(a) - int(b)) * (int(a) - int(b)) }
	least := math.MaxInt
	try := func(n uint8) {
		c := p.palette.colours[n]
		if d := square(at.R, c.R) + square(at.G, c.G) + square(at.B, c.B); d < least {
			best, least = n, d
		}
	}
	for _, b := range blends {
		try(p.solid(b.from))
		try(p.solid(b.to))
		for i := uint8(1); i < levels; i++ {
			try(p.ramp(b.from, b.to) + i)
		}
	}
	return best
}

// centre writes runes with their ink centred on x, on a baseline.
func (p *painter) centre(c *canvas, st *style, x float64, baseline int, rs []rune, ramp uint8) {
	b := st.bounds(rs)
	st.draw(c, fixed.Int26_6(x*64)-(b.Min.X+b.Max.X)/2, baseline, rs, ramp)
}

// label writes runes in the middle of a cell.
func (p *painter) label(c *canvas, st *style, text string, ramp uint8) {
	p.centre(c, st, float64(c.W)/2, (c.H+capHeight(st))/2, []rune(text), ramp)
}

// capHeight is how tall a style's capitals are, in pixels.
func capHeight(st *style) int { return -st.bounds([]rune{'H'}).Min.Y.Round() }

// premiums are how the premium squares look.
var premiums = [game.TripleWord + 1]struct {
	label    string
	fill, on ink
}{
	game.Plain:        {"", square, muted},
	game.DoubleLetter: {"2L", doubleLetter, onDoubleLetter},
	game.TripleLetter: {"3L", tripleLetter, onTripleLetter},
	game.DoubleWord:   {"2W", doubleWord, onDoubleWord},
	game.TripleWord:   {"3W", tripleWord, onTripleWord},
}

// A boardSheet is what squares are drawn for.
type boardSheet struct {
	cell int  // pixels a side
	gone bool // the last turn took the tile away
}

// drawBoardSprites draws the squares of a board. Those that a tile was taken
// from have a frame in the colour of the last play's tiles.
func (p *painter) drawBoardSprites(sheet boardSheet) *boardSprites {
	b := &boardSprites{}
	k := float64(sheet.cell) / 60
	st := newStyle(p.bold, 22*k)
	for i, look := range premiums {
		s := p.bareSquare(sheet.cell, look.fill)
		start := s.clone()
		p.star(start, look.fill, look.on)
		p.label(s, st, look.label, p.ramp(look.fill, look.on))
		if sheet.gone {
			s.frame(1, px(5, k), p.solid(newEdge))
			start.frame(1, px(5, k), p.solid(newEdge))
		}
		b.squares[i], b.starts[i] = s.ready(), start.ready()
	}
	return b
}

// bareSquare is a square with nothing on it, and the lines around it.
func (p *painter) bareSquare(cell int, fill ink) *canvas {
	c := newCanvas(cell, cell)
	c.fill(c.bounds(), p.solid(gap))
	c.fill(c.bounds().Inset(1), p.solid(fill))
	return c
}

// A printSheet is what letters printed on the board are drawn for.
type printSheet struct {
	faces   string // see game.TileSet.Faces
	premium game.Premium
	cell    int // pixels a side
}

// drawPrintSprites draws squares of a kind with the letters of a set printed on
// them.
func (p *painter) drawPrintSprites(set *game.TileSet, s printSheet) *tileSprites {
	p = p.lettered(set)
	all := &tileSprites{}
	look, k := premiums[s.premium], float64(s.cell)/60
	for i := range set.Alphabet().Len() {
		l := lexicon.Letter(i + 1)
		c := p.bareSquare(s.cell, look.fill)
		letter := set.Alphabet().Text(l)
		p.label(c, p.fitted([]rune(letter), 40*k, 44*k, 36*k), letter, p.ramp(look.fill, look.on))
		all[game.LetterTile(l)] = c.ready()
	}
	return all
}

// A tileSheet is what tile sprites are made for.
type tileSheet struct {
	faces  string // see game.TileSet.Faces
	mark   mark
	cell   int // pixels a side
	ground ink // what shows between the tiles
}

// drawTileSprites draws all tiles of a set.
func (p *painter) drawTileSprites(set *game.TileSet, s tileSheet) *tileSprites {
	p = p.lettered(set)
	all := &tileSprites{}
	bare := p.bareTile(s.cell, s.mark, s.ground)
	for i := range set.Alphabet().Len() {
		l := lexicon.Letter(i + 1)
		all[game.LetterTile(l)] = p.letterTile(bare, set, game.LetterTile(l), s.mark).ready()
		all[game.BlankAs(l)] = p.blankTile(bare, set, game.BlankAs(l), s.mark).ready()
	}
	all[game.Blank] = p.blankTile(bare, set, game.Blank, s.mark).ready()
	return all
}

// star marks the square that the first play must cover.
func (p *painter) star(c *canvas, ground, ink ink) {
	s := p.shape(c.W-2, c.H-2, ground, []blend{{ground, ink}}, func(dc *gg.Context) {
		mid := float64(c.W-2) / 2
		star(dc, mid, mid+float64(c.W)/60, 15*float64(c.W)/60)
		dc.SetColor(p.inks[ink])
		dc.Fill()
	})
	c.blit(s, 1, 1)
}

// face is the colour of a tile's face.
func (m mark) face() ink {
	if m == lastTile {
		return newTile
	}
	return tile
}

// bareTile is a tile without a letter.
func (p *painter) bareTile(cell int, m mark, ground ink) *canvas {
	k := float64(cell) / 60
	side := float64(cell) - 2
	edges := []blend{{ground, tile}, {ground, tileEdge}, {tile, tileEdge}}
	switch m {
	case lastTile:
		edges = []blend{{ground, newEdge}, {newTile, newEdge}}
	case proposedTile:
		edges = append(edges, blend{tile, tripleLetter})
	}
	return p.shape(cell, cell, ground, edges, func(dc *gg.Context) {
		if m == lastTile {
			// An outline as two shapes, one in the other.
			w := 3.5 * k
			dc.DrawRoundedRectangle(1, 1, side, side, 7*k)
			dc.SetColor(p.inks[newEdge])
			dc.Fill()
			dc.DrawRoundedRectangle(1+w, 1+w, side-2*w, side-2*w, 7*k-w)
			dc.SetColor(p.inks[newTile])
			dc.Fill()
			return
		}
		dc.DrawRoundedRectangle(1, 1, side, side, 7*k)
		dc.SetColor(p.inks[tileEdge])
		dc.Fill()
		dc.DrawRoundedRectangle(1, 1, side, side-3*k, 7*k)
		dc.SetColor(p.inks[tile])
		dc.Fill()
		if m == proposedTile {
			w := 3 * k
			dc.DrawRoundedRectangle(1+w, 1+w, side-2*w, side-2*w-3*k, 5*k)
			dc.SetLineWidth(3 * k)
			// Sixteen dashes go round evenly.
			around := 4*(side-2*w) - 6*k - (8-2*math.Pi)*5*k
			dc.SetDash(around/16*0.6, around/16*0.4)
			dc.SetColor(p.inks[tripleLetter])
			dc.Stroke()
		}
	})
}

// letterTile puts the letter and its value on a tile. Single letters stand on
// one baseline, a little to the left of the middle and above it, for the value
// to have room; several characters are smaller, and stand higher.
func (p *painter) letterTile(bare *canvas, set *game.TileSet, t game.Tile, m mark) *canvas {
	c := bare.clone()
	k := float64(c.W) / 60
	ramp := p.ramp(m.face(), tileInk)
	value := []rune(strconv.Itoa(set.Value(t)))
	letter := []rune(set.Alphabet().Text(t.Letter()))

	left, size := 4*k, 18*k
	if len(value) > 1 {
		left, size = 8*k, 16.5*k // Q's tail must not run into the 1 of 10
	}
	right, bottom := 5*k, 5*k
	switch m { // clear of the outline
	case lastTile:
		right, bottom = 7.5*k, 7.5*k
	case proposedTile:
		right, bottom = 7.5*k, 9*k
	}
	st := newStyle(p.bold, size)
	x := fixed.Int26_6((float64(c.W)-right)*64) - st.bounds(value).Max.X
	st.draw(c, x, c.H-int(bottom), value, ramp)

	full := newStyle(p.tile, 49*k)
	st = p.fitted(letter, 49*k, 44*k, 36.5*k)
	high, up := float64(capHeight(full)), 4.5*k
	if len(letter) > 1 {
		high, left, up = float64(capHeight(st)), 1*k, 7*k
	}
	ink := st.bounds(letter)
	left = min(left, (float64(c.W)-float64(ink.Max.X-ink.Min.X)/64)/2-5*k)
	p.centre(c, st, float64(c.W)/2-left, int(float64(c.H)/2-up+high/2+0.5), letter, ramp)
	return c
}

// blankTile is a blank: a ring, its letter smaller in it, and no value.
func (p *painter) blankTile(bare *canvas, set *game.TileSet, t game.Tile, m mark) *canvas {
	c := bare.clone()
	k := float64(c.W) / 60
	face := m.face()
	x, y, radius := float64(c.W)/2, float64(c.H)/2, 22.5*k
	if m == proposedTile {
		y, radius = y-1.5*k, 20.5*k // clear of the outline
	}
	ring := p.shape(c.W, c.H, face, []blend{{face, blankInk}}, func(dc *gg.Context) {
		dc.DrawCircle(x, y, radius)
		dc.SetLineWidth(2.5 * k)
		dc.SetColor(p.inks[blankInk])
		dc.Stroke()
	})
	c.overlay(ring, p.solid(face))
	letter := []rune("?")
	if t != game.Blank {
		letter = []rune(set.Alphabet().Text(t.Letter()))
	}
	st := p.fitted(letter, 1.64*radius, 1.5*radius, 1.42*radius)
	p.centre(c, st, x, int(y+float64(capHeight(st))/2+0.5), letter, p.ramp(face, blankInk))
	return c
}

// fitted is the tile family at a size, or at the largest below at which runes
// are no wider and no higher above the baseline than said, all in pixels.
func (p *painter) fitted(rs []rune, size, width, height float64) *style {
	b := newStyle(p.tile, size).bounds(rs)
	if w := float64(b.Max.X-b.Min.X) / 64; w > width {
		size *= width / w
		height *= w / width
	}
	if h := float64(-b.Min.Y) / 64; h > height {
		size *= height / h
	}
	return newStyle(p.tile, size)
}

// star adds the path of a star with five points, as large as a circle.
func star(dc *gg.Context, x, y, radius float64) {
	const points = 5
	for i := range 2 * points {
		r := radius
		if i%2 == 1 {
			r *= 0.45
		}
		sin, cos := math.Sincos(math.Pi * float64(i) / points)
		dc.LineTo(x+r*sin, y-r*cos)
	}
	dc.ClosePath()
}

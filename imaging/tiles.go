package imaging

import (
	"image"
	"math"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/fogleman/gg"
	"golang.org/x/image/math/fixed"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging/compose"
)

// A mark is a highlight of a tile.
type mark uint8

const (
	plainTile    mark = iota
	lastTile          // a tile of the last play: another colour and an outline
	proposedTile      // a tile of a proposed play: a broken outline
	marks        = iota
)

// face returns the colour of a tile's face.
func (m mark) face() ink {
	if m == lastTile {
		return newTile
	}
	return tile
}

// A squareLook is the appearance of a square: its tile, or else its printed letter, or else its
// premium.
type squareLook struct {
	tile    game.Tile // or NoTile
	mark    mark      // highlight of the tile
	printed game.Tile // or NoTile
	premium game.Premium
	start   bool // it is the start square
	gone    bool // the last turn removed its tile
}

// look returns the appearance of a square; start is the start square. Tiles that aren't in the set
// are invisible.
func (v *View) look(sq, start game.Square) squareLook {
	l := squareLook{premium: v.Equipment.Layout.Premium(sq), start: sq == start}
	if t := v.Board.Tile(sq); v.Equipment.Tiles.Has(t) {
		l.tile, l.mark = t, v.mark(sq)
	} else if t := v.Printed.Tile(sq); v.Equipment.Tiles.Has(t) {
		l.printed = t
	} else {
		l.gone = len(v.Gone) > 0 && slices.Contains(v.Gone, sq)
	}
	return l
}

// A sheet caches sprites of all squares of boards and tiles of racks, each made on first use.
type sheet struct {
	*painter
	set     *game.TileSet
	side    int                                                       // side of a square, in pixels
	ground  ink                                                       // colour between the tiles
	squares [game.TripleWord + 1][2][2]atomic.Pointer[compose.Sprite] // by premium, start and gone
	printed [game.TripleWord + 1][256]atomic.Pointer[compose.Sprite]  // by premium and tile
	tiles   [marks][256]atomic.Pointer[compose.Sprite]                // by mark and tile
}

// A sheetKey identifies a sheet.
type sheetKey struct {
	faces  string // see game.TileSet.Faces
	side   int
	ground ink
}

// sheet returns the sheet for a tile set.
func (r *Renderer) sheet(set *game.TileSet, side int, ground ink) *sheet {
	return r.sheets.get(sheetKey{set.Faces(), side, ground}, func(sheetKey) *sheet {
		return &sheet{painter: r.withFontFor(set), set: set, side: side, ground: ground}
	})
}

// of returns the sprite of a square's appearance.
func (s *sheet) of(l squareLook) *compose.Sprite {
	at := &s.squares[l.premium][index(l.start)][index(l.gone)]
	if l.tile != game.NoTile {
		at = &s.tiles[l.mark][l.tile]
	} else if l.printed != game.NoTile {
		at = &s.printed[l.premium][l.printed]
	}
	sprite := at.Load()
	if sprite == nil {
		d := s.draw(s.side, s.side, s.ground)
		d.square(s.set, l, s.side)
		sprite = d.canvas().preparedSprite()
		at.Store(sprite) // another goroutine may have drawn the same
	}
	return sprite
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// withFontFor returns the painter with a font that has all letters of a set.
func (p *painter) withFontFor(set *game.TileSet) *painter {
	q := *p
	q.tile = p.tile.preferFontFor(set.Alphabet())
	return &q
}

// premiums holds the appearance of premium squares.
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

// square draws a square's appearance. The caller has already drawn the lines around it.
func (d drawing) square(set *game.TileSet, l squareLook, side int) {
	switch {
	case l.tile == game.NoTile:
		d.bareSquare(set, l, side)
	case l.tile.IsBlank():
		d.blankTile(set, l.tile, l.mark, side)
	default:
		d.letterTile(set, l.tile, l.mark, side)
	}
}

// bareSquare draws a square without a tile. One whose tile was removed gets a frame in the colour
// of the last play.
func (d drawing) bareSquare(set *game.TileSet, l squareLook, side int) {
	look, k := premiums[l.premium], float64(side)/60
	inner := image.Rect(0, 0, side, side).Inset(1)
	d.fill(inner, look.fill)
	switch {
	case l.printed != game.NoTile:
		letter := []rune(set.Letter(l.printed))
		d.label(d.fitFamily(letter, 40*k, 44*k, 36*k), letter, side, look.fill, look.on)
	case l.start:
		dc, mid := d.shape(look.on), float64(side)/2
		star(dc, mid, mid+k, 15*k)
		dc.Fill()
	default:
		d.label(newStyle(d.bold, 22*k), []rune(look.label), side, look.fill, look.on)
	}
	if l.gone {
		d.frame(inner, px(5, k), newEdge)
	}
}

// label writes runes in the middle of a square.
func (d drawing) label(st *style, rs []rune, side int, ground, i ink) {
	d.write(run{style: st, baseline: (side + capHeight(st)) / 2, runes: rs, ground: ground, ink: i}.centred(float64(side) / 2))
}

// capHeight returns the height of a style's capitals, in pixels.
func capHeight(st *style) int { return -st.bounds([]rune{'H'}).Min.Y.Round() }

// bareTile draws a tile without a letter.
func (d drawing) bareTile(m mark, side int) {
	k, outer := float64(side)/60, float64(side)-2
	rounded := func(inset, width, height, radius float64, i ink) *gg.Context {
		dc := d.shape(i)
		dc.DrawRoundedRectangle(1+inset, 1+inset, width, height, radius)
		return dc
	}
	if m == lastTile {
		// An outline as two nested shapes.
		w := 3.5 * k
		rounded(0, outer, outer, 7*k, newEdge).Fill()
		rounded(w, outer-2*w, outer-2*w, 7*k-w, newTile).Fill()
		return
	}
	rounded(0, outer, outer, 7*k, tileEdge).Fill()
	rounded(0, outer, outer-3*k, 7*k, tile).Fill()
	if m == proposedTile {
		w := 3 * k
		dc := rounded(w, outer-2*w, outer-2*w-3*k, 5*k, tripleLetter)
		dc.SetLineWidth(3 * k)
		dc.SetLineCapButt() // round ones depend on their position in the picture
		// Sixteen dashes fit evenly around.
		around := 4*(outer-2*w) - 6*k - (8-2*math.Pi)*5*k
		dc.SetDash(around/16*0.72, around/16*0.28)
		dc.Stroke()
		dc.SetDash()
	}
}

// letterTile draws a tile with its letter and value. Single letters share a baseline, slightly left
// of and above the middle to leave room for the value; several characters are smaller and higher.
func (d drawing) letterTile(set *game.TileSet, t game.Tile, m mark, side int) {
	d.bareTile(m, side)
	k := float64(side) / 60
	value, letter := []rune(strconv.Itoa(set.Value(t))), []rune(set.Letter(t))

	left, size := 4*k, 18*k
	if len(value) > 1 {
		left, size = 8*k, 16.5*k // Q's tail must not touch the 1 of 10
	}
	right, bottom := 5*k, 5*k
	switch m { // keep clear of the outline
	case lastTile:
		right, bottom = 7.5*k, 7.5*k
	case proposedTile:
		right, bottom = 7.5*k, 9*k
	}
	st := newStyle(d.bold, size)
	x := fixed.Int26_6((float64(side)-right)*64) - st.bounds(value).Max.X
	d.write(run{st, x, side - int(bottom), value, m.face(), tileInk})

	full := newStyle(d.tile, 49*k)
	st = d.fitFamily(letter, 49*k, 44*k, 36.5*k)
	high, up := float64(capHeight(full)), 4.5*k
	if len(letter) > 1 {
		high, left, up = float64(capHeight(st)), 1*k, 7*k
	}
	ink := st.bounds(letter)
	left = min(left, (float64(side)-float64(ink.Max.X-ink.Min.X)/64)/2-5*k)
	baseline := int(float64(side)/2 - up + high/2 + 0.5)
	d.write(run{st, 0, baseline, letter, m.face(), tileInk}.centred(float64(side)/2 - left))
}

// blankTile draws a blank: a ring with a smaller letter in it, and no value.
func (d drawing) blankTile(set *game.TileSet, t game.Tile, m mark, side int) {
	d.bareTile(m, side)
	k := float64(side) / 60
	x, y, radius := float64(side)/2, float64(side)/2, 22.5*k
	if m == proposedTile {
		y, radius = y-1.5*k, 20.5*k // clear of the outline
	}
	// The ring is the area between two circles, because gg's strokes along a curve depend on their
	// position in the picture.
	dc := d.shape(blankInk)
	dc.DrawCircle(x, y, radius+1.25*k)
	dc.DrawCircle(x, y, radius-1.25*k)
	dc.SetFillRuleEvenOdd()
	dc.Fill()
	dc.SetFillRuleWinding()
	letter := []rune("?")
	if t != game.Blank {
		letter = []rune(set.Letter(t))
	}
	st := d.fitFamily(letter, 1.64*radius, 1.5*radius, 1.42*radius)
	baseline := int(y + float64(capHeight(st))/2 + 0.5)
	d.write(run{st, 0, baseline, letter, m.face(), blankInk}.centred(x))
}

// fitFamily returns the tile family at size, or at the largest smaller size at which runes fit a width
// and a height above the baseline, all in pixels.
func (p *painter) fitFamily(rs []rune, size, width, height float64) *style {
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

// star adds the path of a five-pointed star inscribed in a circle.
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

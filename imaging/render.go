package imaging

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/fogleman/gg"
	"golang.org/x/image/math/fixed"

	"github.com/rackmate/rackmate/game"
)

// A Renderer makes pictures in one theme. It is safe for concurrent use, and
// its goroutines share nothing that changes.
//
// It draws the letters and shapes once: those of the cards when it is made,
// those of tiles when it first sees such tiles. Tile sets that look the same
// share their sprites.
type Renderer struct {
	painter
	plte []byte
	text family

	roomy, tight look
	coordinate   *style
	card         [2]*canvas // of a player who waits, and of one to move
	arrow        *canvas

	boards lazy[int, *boardSprites] // by the side of a cell, in pixels
	tiles  lazy[tileSheet, *tileSprites]
	frames sync.Pool
}

// A look is how the cards are set: roomy for one or two players.
type look struct {
	name, note, score                         *style
	pad                                       int
	nameBaseline, noteBaseline, scoreBaseline int
	noteBesideScore                           bool
}

// A lazy keeps what it has made. Whoever asks for a thing in the making waits
// for it. When it has more than lazyLimit things it throws all away, so that
// one who invents tile sets can't fill the memory.
type lazy[K comparable, V any] struct {
	made sync.Map // of K to func() V
	n    atomic.Int32
}

// lazyLimit is far more than a host needs that offers a dozen tile sets. The
// sprites of one set take half a megabyte for each mark.
const lazyLimit = 40

func (l *lazy[K, V]) get(key K, draw func(K) V) V {
	once, ok := l.made.Load(key)
	if !ok {
		once, ok = l.made.LoadOrStore(key, sync.OnceValue(func() V { return draw(key) }))
	}
	if !ok && l.n.Add(1) > lazyLimit {
		l.n.Store(0)
		l.made.Clear()
	}
	return once.(func() V)()
}

// A frame is what a picture in the making needs.
type frame struct {
	canvas
	*encoder
}

// NewRenderer makes a renderer. The fonts' bytes must not change afterwards.
func NewRenderer(theme Theme, fonts Fonts) (*Renderer, error) {
	colours, err := theme.colours()
	if err != nil {
		return nil, err
	}
	tile, text, bold, err := fonts.parse()
	if err != nil {
		return nil, err
	}
	r := &Renderer{
		painter: painter{palette: newPalette(colours), inks: colours, tile: tile, bold: bold},
		text:    text,
		roomy: look{
			name: newStyle(text, 29).heat('!', '~'), note: newStyle(text, 23).heat('!', '~'), score: newStyle(bold, 56).heat('0', '9'),
			pad: 20, nameBaseline: 54, noteBaseline: 90, scoreBaseline: 81,
		},
		tight: look{
			name: newStyle(text, 26).heat('!', '~'), score: newStyle(bold, 44).heat('0', '9'),
			pad: 14, nameBaseline: 48, noteBaseline: 92, scoreBaseline: 92, noteBesideScore: true,
		},
		coordinate: newStyle(text, 22).heat('!', '~'),
	}
	r.tight.note = r.roomy.note
	r.plte = r.palette.bytes()
	r.drawCards()
	r.frames.New = func() any { return &frame{encoder: newEncoder()} }
	return r, nil
}

// The measures of a picture, in pixels.
const (
	headerHeight  = 112 // player cards
	headerMargin  = 12  // what is left of that when there are no players
	letterHeight  = 36  // column letters
	gutter        = 40  // row numbers
	rightMargin   = 20
	captionHeight = 64
	minWidth      = 960

	cardMargin = 14 // from the page's edge
	cardGap    = 12
	cardTop    = 12
	cardHeight = 96
	maxCards   = 4
)

// A plan is where things are in a picture, in pixels.
type plan struct {
	w, h  int
	cell  int
	board image.Rectangle
}

// planOf finds the plan for a board of n squares a side. Cells are such that
// 13x13 and 15x15 come out 960 wide; on larger boards they stay large enough
// to read, and the picture grows.
func planOf(n int, players int) plan {
	p := plan{cell: min(max(900/n, 48), 72)}
	side := n * p.cell
	p.w = max(minWidth, gutter+side+rightMargin)
	top := headerHeight
	if players == 0 {
		top = headerMargin
	}
	p.board = image.Rect(0, 0, side, side).Add(image.Pt(gutter+(p.w-gutter-side-rightMargin)/2, top+letterHeight))
	p.h = p.board.Max.Y + captionHeight
	return p
}

// PNG draws a view. The error says what the view lacks.
func (r *Renderer) PNG(v View) ([]byte, error) {
	if v.Equipment.Tiles == nil {
		return nil, errors.New("the view has no tile set")
	}
	n := v.Equipment.Layout.Size()
	if n == 0 {
		return nil, errors.New("the view has no board layout")
	}
	p := planOf(n, len(v.Players))
	f := r.frames.Get().(*frame)
	defer r.frames.Put(f)
	f.resize(p.w, p.h)
	f.fill(f.bounds(), r.solid(page))
	others := r.drawPlayers(&f.canvas, &v)
	r.drawBoard(&f.canvas, &v, p)
	r.drawFooter(&f.canvas, &v, p, others)
	return f.finish(r.plte)
}

// finish is the frame as a file of its own bytes.
func (f *frame) finish(plte []byte) ([]byte, error) {
	b, err := f.encode(&f.canvas, plte)
	if err != nil {
		return nil, fmt.Errorf("write picture: %w", err)
	}
	return bytes.Clone(b), nil
}

// drawCards draws the sprites of the header.
func (r *Renderer) drawCards() {
	const w, radius, border = 64, 12, 4
	r.card[0] = r.shape(w, cardHeight, page, []blend{{page, panel}}, func(dc *gg.Context) {
		dc.DrawRoundedRectangle(0, 0, w, cardHeight, radius)
		dc.SetColor(r.inks[panel])
		dc.Fill()
	})
	r.card[1] = r.shape(w, cardHeight, page, []blend{{page, accent}, {raised, accent}}, func(dc *gg.Context) {
		dc.DrawRoundedRectangle(0, 0, w, cardHeight, radius)
		dc.SetColor(r.inks[accent])
		dc.Fill()
		dc.DrawRoundedRectangle(border, border, w-2*border, cardHeight-2*border, radius-border)
		dc.SetColor(r.inks[raised])
		dc.Fill()
	})
	r.arrow = r.shape(18, 20, raised, []blend{{raised, accent}}, func(dc *gg.Context) {
		dc.MoveTo(0, 0)
		dc.LineTo(18, 10)
		dc.LineTo(0, 20)
		dc.ClosePath()
		dc.SetColor(r.inks[accent])
		dc.Fill()
	})
}

// drawPlayers draws the header, and says how many players it had no card for:
// of many it shows those with the highest scores.
func (r *Renderer) drawPlayers(c *canvas, v *View) (others int) {
	type seat struct {
		Player
		number int
	}
	seats := make([]seat, len(v.Players))
	for i, p := range v.Players {
		seats[i] = seat{p, i + 1}
	}
	if len(seats) > maxCards {
		slices.SortStableFunc(seats, func(a, b seat) int { return cmp.Compare(b.Score, a.Score) })
		others = len(seats) - maxCards
		seats = seats[:maxCards]
	}
	look := &r.roomy
	if len(seats) > 2 {
		look = &r.tight
	}
	room := c.w - 2*cardMargin + cardGap
	for i, s := range seats {
		left := cardMargin + i*room/len(seats)
		right := cardMargin + (i+1)*room/len(seats) - cardGap
		r.drawPlayer(c, look, s.Player, s.number, v.toMove(s.Player), left, right)
	}
	return others
}

// drawPlayer draws a card from left to right.
func (r *Renderer) drawPlayer(c *canvas, look *look, p Player, number int, toMove bool, left, right int) {
	ground, card := panel, r.card[0]
	if toMove {
		ground, card = raised, r.card[1]
	}
	c.blitWide(card, left, cardTop, right-left)
	left, right = left+look.pad, right-look.pad

	digits := []rune(strconv.Itoa(p.Score))
	if p.Score < 0 {
		digits[0] = '−'
	}
	scoreLeft := right - look.score.width(digits)
	look.score.draw(c, fixed.I(scoreLeft), look.scoreBaseline, digits, r.ramp(ground, text))

	nameLeft, nameRight, noteRight := left, scoreLeft-look.pad, scoreLeft-look.pad
	if look.noteBesideScore {
		nameRight = right
	}
	if toMove {
		c.blit(r.arrow, left, look.nameBaseline-20)
		nameLeft += 27
	}
	name := r.text.readable(p.Name)
	if !named(name) {
		name = []rune("Player " + strconv.Itoa(number))
	}
	r.line(c, look.name, nameLeft, nameRight, look.nameBaseline, name, startsRightToLeft(name), r.ramp(ground, text))

	// Colour alone never says whose turn it is, so the words come first; but
	// where there is no room for both, the arrow does and the note stays.
	note := r.text.readable(p.Note)
	if toMove {
		words := []rune("to move")
		if len(note) > 0 {
			words = append([]rune("to move · "), note...)
		}
		if len(note) == 0 || look.note.width(words) <= noteRight-left {
			note = words
		}
	}
	r.line(c, look.note, left, noteRight, look.noteBaseline, note, false, r.ramp(ground, muted))
}

// line sets one line of runes, cut to the room there is.
func (r *Renderer) line(c *canvas, st *style, left, right, baseline int, rs []rune, rightToLeft bool, ramp uint8) {
	st.draw(c, fixed.I(left), baseline, seen(st.fit(rs, right-left), rightToLeft), ramp)
}

// drawBoard draws the squares, the tiles and the coordinates.
func (r *Renderer) drawBoard(c *canvas, v *View, p plan) {
	layout := v.Equipment.Layout
	n := layout.Size()
	ramp := r.ramp(page, muted)
	middle := capHeight(r.coordinate) / 2
	for i := range n {
		at := i*p.cell + p.cell/2
		r.centre(c, r.coordinate, float64(p.board.Min.X+at), p.board.Min.Y-letterHeight/2+middle, []rune(column(i)), ramp)
		r.centre(c, r.coordinate, float64(p.board.Min.X-gutter/2), p.board.Min.Y+at+middle, []rune(strconv.Itoa(i+1)), ramp)
	}

	// With the gap of the outer squares this makes a frame as wide as the
	// lines between squares.
	c.fill(p.board.Inset(-1), r.solid(gap))
	squares := r.boards.get(p.cell, r.drawBoardSprites)
	var tiles [marks]*tileSprites
	set := v.Equipment.Tiles
	start := layout.Start()
	for row := range n {
		for col := range n {
			sq := game.Square{Row: row, Col: col}
			sprite := squares.squares[layout.Premium(sq)]
			if sq == start {
				sprite = squares.starts[layout.Premium(sq)]
			}
			if t := v.Board.Tile(sq); t != game.NoTile {
				m := v.mark(sq)
				if tiles[m] == nil {
					tiles[m] = r.tileSprites(set, tileSheet{set.Faces(), m, p.cell, gap})
				}
				if s := tiles[m][t]; s != nil { // else no tile of this set
					sprite = s
				}
			}
			c.blit(sprite, p.board.Min.X+col*p.cell, p.board.Min.Y+row*p.cell)
		}
	}
}

// tileSprites are the sprites of a set that has the sheet's faces.
func (r *Renderer) tileSprites(set *game.TileSet, s tileSheet) *tileSprites {
	return r.tiles.get(s, func(s tileSheet) *tileSprites { return r.drawTileSprites(set, s) })
}

// column is the letter of a column, counted from 0.
func column(i int) string { return string(rune('A' + i)) }

// drawFooter draws the caption, and at its end the bag and those players who
// have no card.
func (r *Renderer) drawFooter(c *canvas, v *View, p plan, others int) {
	status := ""
	switch {
	case others > 0 && v.Bag >= 0:
		status = fmt.Sprintf("%d more players · Bag %d", others, v.Bag)
	case others > 0:
		status = fmt.Sprintf("%d more players", others)
	case v.Bag >= 0:
		status = fmt.Sprintf("Bag %d", v.Bag)
	}
	r.drawLine(c, gutter, p.w-rightMargin, p.board.Max.Y, v.Caption, status)
}

// drawLine writes a caption and, at the end of the line, a note, below top.
func (r *Renderer) drawLine(c *canvas, left, right, top int, caption, note string) {
	st := r.roomy.name
	baseline := top + (captionHeight+capHeight(st))/2
	if rs := r.text.readable(note); len(rs) > 0 {
		rs = st.fit(rs, (right-left)/2)
		at := right - st.width(rs)
		r.line(c, st, at, right, baseline, rs, false, r.ramp(page, muted))
		right = at - 24
	}
	r.line(c, st, left, right, baseline, r.text.readable(caption), false, r.ramp(page, text))
}

package imaging

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/fogleman/gg"
	"golang.org/x/image/math/fixed"

	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging/compose"
)

// A Renderer makes pictures in one theme. It is safe for concurrent use, and
// its goroutines share nothing that changes.
//
// It draws letters and shapes once, when it first needs them, as sprites from
// which package compose puts pictures together. Tile sets that look the same
// share their sprites. Those of pictures that few ask for, [Renderer.Zoom] and
// [Renderer.Print], are not kept: they are large, and of many sizes.
type Renderer struct {
	painter
	plte []byte
	code *compose.Code
	text family

	scales lazy[float64, *scale]
	rulers lazy[plan, *rulers]
	boards lazy[boardSheet, *boardSprites]
	tiles  lazy[tileSheet, *tileSprites]
	prints lazy[printSheet, *tileSprites]
	blanks lazy[image.Point, *compose.Sprite]
	strips lazy[strip, *compose.Sprite]
	frames sync.Pool
}

// codeOfBoards is the code that boards are written in. The palettes of all
// themes have one order, so one code is good for all. TestCode says what it
// was made from.
//
//go:embed code.txt
var codeOfBoards string

// A lazy keeps what it has made. Whoever asks for a thing in the making waits
// for it. When it has more than lazyLimit things it throws all away, so that
// one who invents tile sets can't fill the memory.
type lazy[K comparable, V any] struct {
	made  sync.Map // of K to func() V
	n     atomic.Int32
	limit int32 // lazyLimit where it is 0
}

// lazyLimit is far more than a host needs that offers a dozen tile sets. The
// sprites of one set take half a megabyte for each mark.
const lazyLimit = 40

func (l *lazy[K, V]) get(key K, draw func(K) V) V {
	once, ok := l.made.Load(key)
	if !ok {
		once, ok = l.made.LoadOrStore(key, sync.OnceValue(func() V { return draw(key) }))
		if !ok && l.n.Add(1) > cmp.Or(l.limit, lazyLimit) {
			l.n.Store(0)
			l.made.Clear()
		}
	}
	return once.(func() V)()
}

// A frame is what a picture in the making needs.
type frame struct {
	head, foot canvas // above and below the board
	bands      []compose.Band
	quick      *compose.Encoder

	sheet canvas // the whole of a picture without a board
	plain compose.Plain
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
	code, err := compose.ParseCode(strings.TrimSpace(codeOfBoards))
	if err != nil {
		return nil, err
	}
	p := newPalette(colours)
	r := &Renderer{painter: painter{palette: p, inks: colours, tile: tile, bold: bold}, plte: p.bytes(), code: code, text: text}
	return r.fresh(), nil
}

// fresh is the renderer without the sprites it has drawn.
func (r *Renderer) fresh() *Renderer {
	fresh := &Renderer{painter: r.painter, plte: r.plte, code: r.code, text: r.text}
	fresh.strips.limit = stripLimit
	return fresh
}

// frame borrows a frame, which must be put back.
func (r *Renderer) frame() *frame {
	if f, ok := r.frames.Get().(*frame); ok {
		return f
	}
	return &frame{quick: compose.NewEncoder(r.code)}
}

// The measures of a picture, in pixels at scale 1.
const (
	headerHeight  = 112 // player cards
	headerMargin  = 12  // what is left of that when there are no players
	letterHeight  = 36  // column letters
	gutter        = 40  // row numbers
	rightMargin   = 20
	captionHeight = 64
	minWidth      = 960
	minCell       = 48 // the side of a square
	maxCell       = 72
	maxZoomCell   = 100

	cardMargin = 14 // from the page's edge
	cardGap    = 12
	cardTop    = 12
	cardHeight = 96
	maxCards   = 4

	printScale = 2
	zoomSide   = 9 // squares
	zoomMargin = 2 // squares around the last play
)

// A plan is where things are in a picture, in pixels.
type plan struct {
	scale float64
	w     int
	top   int // the height of what is above the column letters
	cell  int
	left  int             // of the board
	part  image.Rectangle // of the board, in squares
	// mirrored says that the first column is on the right, for words that are
	// read from there.
	mirrored bool
}

// planOf finds the plan for a square part of the board. Cells are such that
// 13x13 and 15x15 come out 960 wide at scale 1; on larger boards they stay
// large enough to read, and the picture grows.
func (v *View) planOf(part image.Rectangle, largest int, scale float64) plan {
	n := part.Dx()
	if n == 0 {
		return plan{}
	}
	p := plan{scale: scale, part: part, top: px(headerHeight, scale)}
	p.mirrored = v.Equipment.Tiles != nil && v.Equipment.Tiles.RightToLeft()
	if len(v.Players) == 0 {
		p.top = px(headerMargin, scale)
	}
	p.cell = px(min(max(900/n, minCell), largest), scale)
	around := px(gutter+rightMargin, scale)
	p.w = max(px(minWidth, scale), n*p.cell+around)
	p.left = px(gutter, scale) + (p.w-n*p.cell-around)/2
	return p
}

// px is a measure at a scale.
func px(n int, scale float64) int { return int(float64(n)*scale + 0.5) }

// column is the column of the board that is the n-th from the picture's left.
func (p plan) column(i int) int {
	if p.mirrored {
		return p.part.Max.X - 1 - i
	}
	return p.part.Min.X + i
}

// right is the right side of the board.
func (p plan) right() int { return p.left + p.part.Dx()*p.cell }

// Size is how large PNG draws a view, in pixels; zero where it lacks a board.
func (v View) Size() image.Point {
	p := v.plan(1)
	if p.part.Empty() {
		return image.Point{}
	}
	return image.Pt(p.w, p.top+px(letterHeight, p.scale)+p.part.Dy()*p.cell+px(captionHeight, p.scale))
}

// PNG draws a view. The error says what the view lacks.
func (r *Renderer) PNG(v View) ([]byte, error) { return r.png(&v, v.plan(1)) }

// Print draws a view with twice as many pixels a side.
func (r *Renderer) Print(v View) ([]byte, error) { return r.fresh().png(&v, v.plan(printScale)) }

// Zoom draws the part of a view around the last play, for small screens: nine
// squares a side, or more if a long play asks for it. When no play is marked
// all tiles stay in sight.
func (r *Renderer) Zoom(v View) ([]byte, error) {
	return r.fresh().png(&v, v.planOf(v.closeUp(), maxZoomCell, 1))
}

// plan is the plan for all of the board.
func (v *View) plan(scale float64) plan { return v.planOf(v.whole(), maxCell, scale) }

// whole is all of the board, in squares.
func (v *View) whole() image.Rectangle {
	n := v.Equipment.Layout.Size()
	return image.Rect(0, 0, n, n)
}

// closeUp is the part of the board, in squares, that Zoom shows.
func (v *View) closeUp() image.Rectangle {
	board := v.whole()
	if board.Empty() {
		return board
	}
	n := board.Dx()
	at := func(sq game.Square) image.Rectangle { return image.Rect(sq.Col, sq.Row, sq.Col+1, sq.Row+1) }
	var seen image.Rectangle
	for _, sq := range v.latest() {
		seen = seen.Union(at(sq).Intersect(board))
	}
	if seen.Empty() {
		for i := range n * n {
			if sq := (game.Square{Row: i / n, Col: i % n}); v.Board.Tile(sq) != game.NoTile {
				seen = seen.Union(at(sq))
			}
		}
	}
	if seen.Empty() {
		seen = at(v.Equipment.Layout.Start())
	}
	side := min(n, max(zoomSide, seen.Dx()+2*zoomMargin, seen.Dy()+2*zoomMargin))
	first := func(lo, hi int) int { return min(max((lo+hi-side)/2, 0), n-side) }
	x, y := first(seen.Min.X, seen.Max.X), first(seen.Min.Y, seen.Max.Y)
	return image.Rect(x, y, x+side, y+side)
}

func (r *Renderer) png(v *View, p plan) ([]byte, error) {
	f := r.frame()
	defer r.frames.Put(f)
	if err := r.compose(f, v, p); err != nil {
		return nil, err
	}
	return f.quickPNG(r.plte)
}

// quickPNG is the bands as a file, of the bytes that the sprites have ready.
func (f *frame) quickPNG(plte []byte) ([]byte, error) {
	b, err := f.quick.Encode(f.bands, plte)
	if err != nil {
		return nil, fmt.Errorf("write picture: %w", err)
	}
	return bytes.Clone(b), nil
}

// compose puts the bands of a picture into a frame: the players, the column
// letters, the rows of the board, the caption.
func (r *Renderer) compose(f *frame, v *View, p plan) error {
	if v.Equipment.Tiles == nil {
		return errors.New("the view has no tile set")
	}
	if p.part.Empty() {
		return errors.New("the view has no board layout")
	}
	s, rulers := r.scales.get(p.scale, r.drawScale), r.rulers.get(p, r.drawRulers)

	f.head.resize(p.w, p.top)
	f.head.fill(f.head.bounds(), r.solid(page))
	others := s.drawPlayers(&f.head, v)

	f.foot.resize(p.w, s.px(captionHeight))
	f.foot.fill(f.foot.bounds(), r.solid(page))
	f.foot.fill(image.Rect(p.left-1, 0, p.right()+1, 1), r.solid(gap))
	s.drawFooter(&f.foot, v, others)

	f.bands = slices.Grow(f.bands[:0], p.part.Dy()+3)
	f.add(f.head.sprite())
	f.add(rulers.letters)
	r.addBoard(f, v, p, rulers)
	f.add(f.foot.sprite())
	return nil
}

// add appends a band, in the memory of one before where there is any.
func (f *frame) add(sprites ...*compose.Sprite) {
	n := len(f.bands)
	f.bands = f.bands[:n+1]
	f.bands[n] = append(f.bands[n][:0], sprites...)
}

// plainPNG is the sheet as a file of its own bytes.
func (f *frame) plainPNG(plte []byte) ([]byte, error) {
	b, err := f.plain.Encode([]compose.Band{{f.sheet.sprite()}}, plte)
	if err != nil {
		return nil, fmt.Errorf("write picture: %w", err)
	}
	return bytes.Clone(b), nil
}

// addBoard adds the rows of the board, with their numbers.
func (r *Renderer) addBoard(f *frame, v *View, p plan, rulers *rulers) {
	squares := r.newSquares(v, p)
	for row := p.part.Min.Y; row < p.part.Max.Y; row++ {
		f.add(rulers.numbers[row-p.part.Min.Y])
		band := &f.bands[len(f.bands)-1]
		for i := range p.part.Dx() {
			*band = append(*band, squares.at(game.Square{Row: row, Col: p.column(i)}))
		}
		*band = append(*band, rulers.margin)
	}
}

// boardSquares are the sprites of a view's board.
type boardSquares struct {
	*Renderer
	v     *View
	cell  int
	bare  *boardSprites
	tiles [marks]*tileSprites // those that were needed so far
}

func (r *Renderer) newSquares(v *View, p plan) *boardSquares {
	return &boardSquares{Renderer: r, v: v, cell: p.cell, bare: r.boards.get(boardSheet{p.cell, false}, r.drawBoardSprites)}
}

// at is a square, with the tile that lies there.
func (s *boardSquares) at(sq game.Square) *compose.Sprite {
	v := s.v
	layout, set := v.Equipment.Layout, v.Equipment.Tiles
	premium, start := layout.Premium(sq), layout.Start()
	sprite := s.bare.of(premium, sq == start)
	if slices.Contains(v.Gone, sq) {
		sprite = s.boards.get(boardSheet{s.cell, true}, s.drawBoardSprites).of(premium, sq == start)
	}
	if t := v.Printed.Tile(sq); t != game.NoTile {
		if one := s.printSprites(set, printSheet{set.Faces(), premium, s.cell})[t]; one != nil {
			sprite = one
		}
	}
	if t := v.Board.Tile(sq); t != game.NoTile {
		m := v.mark(sq)
		if s.tiles[m] == nil {
			s.tiles[m] = s.tileSprites(set, tileSheet{set.Faces(), m, s.cell, gap})
		}
		if one := s.tiles[m][t]; one != nil { // else no tile of this set
			sprite = one
		}
	}
	return sprite
}

// printSprites are the sprites of letters printed on the board.
func (r *Renderer) printSprites(set *game.TileSet, s printSheet) *tileSprites {
	return r.prints.get(s, func(s printSheet) *tileSprites { return r.drawPrintSprites(set, s) })
}

// tileSprites are the sprites of a set that has the sheet's faces.
func (r *Renderer) tileSprites(set *game.TileSet, s tileSheet) *tileSprites {
	return r.tiles.get(s, func(s tileSheet) *tileSprites { return r.drawTileSprites(set, s) })
}

// rulers are what stands around the board, with a frame as wide as the lines
// between its squares.
type rulers struct {
	letters *compose.Sprite   // above
	numbers []*compose.Sprite // on the left
	margin  *compose.Sprite   // on the right
}

func (r *Renderer) drawRulers(p plan) *rulers {
	st, ramp := r.scales.get(p.scale, r.drawScale).coordinate, r.ramp(page, muted)
	middle := capHeight(st) / 2
	blank := func(w, h int) *canvas {
		c := newCanvas(w, h)
		c.fill(c.bounds(), r.solid(page))
		return c
	}
	all := &rulers{}
	letters := blank(p.w, px(letterHeight, p.scale))
	letters.fill(image.Rect(p.left-1, letters.H-1, p.right()+1, letters.H), r.solid(gap))
	for i := range p.part.Dx() {
		x := p.left + i*p.cell + p.cell/2
		r.centre(letters, st, float64(x), letters.H/2+middle, []rune(column(p.column(i))), ramp)
	}
	all.letters = letters.ready()
	for row := p.part.Min.Y; row < p.part.Max.Y; row++ {
		number := blank(p.left, p.cell)
		number.fill(image.Rect(p.left-1, 0, p.left, p.cell), r.solid(gap))
		r.centre(number, st, float64(p.left)-gutter*p.scale/2, p.cell/2+middle, []rune(strconv.Itoa(row+1)), ramp)
		all.numbers = append(all.numbers, number.ready())
	}
	margin := blank(p.w-p.right(), p.cell)
	margin.fill(image.Rect(0, 0, 1, p.cell), r.solid(gap))
	all.margin = margin.ready()
	return all
}

// column is the letter of a column, counted from 0.
func column(i int) string { return string(rune('A' + i)) }

// A scale has the letters and shapes of pictures that are a number of times the
// usual size.
type scale struct {
	*Renderer
	k            float64
	roomy, tight look
	coordinate   *style
	card         [2]*canvas // of a player who waits, and of one to move
	arrow        *canvas
}

func (s *scale) px(n int) int { return px(n, s.k) }

// A look is how the cards are set: roomy for one or two players.
type look struct {
	name, note, score                         *style
	pad                                       int
	nameBaseline, noteBaseline, scoreBaseline int
	noteBesideScore                           bool
}

// drawScale draws the sprites of the header.
func (r *Renderer) drawScale(k float64) *scale {
	size := func(pixels int) float64 { return float64(pixels) * k }
	s := &scale{
		Renderer: r, k: k,
		roomy: look{
			name: newStyle(r.text, size(29)).heat('!', '~'), note: newStyle(r.text, size(23)).heat('!', '~'), score: newStyle(r.bold, size(56)).heat('0', '9'),
			pad: px(20, k), nameBaseline: px(54, k), noteBaseline: px(90, k), scoreBaseline: px(81, k),
		},
		tight: look{
			name: newStyle(r.text, size(26)).heat('!', '~'), score: newStyle(r.bold, size(44)).heat('0', '9'),
			pad: px(14, k), nameBaseline: px(48, k), noteBaseline: px(92, k), scoreBaseline: px(92, k), noteBesideScore: true,
		},
		coordinate: newStyle(r.text, size(22)),
	}
	s.tight.note = s.roomy.note

	w, h, radius, border := size(64), size(cardHeight), size(12), size(4)
	s.card[0] = r.shape(px(64, k), px(cardHeight, k), page, []blend{{page, panel}}, func(dc *gg.Context) {
		dc.DrawRoundedRectangle(0, 0, w, h, radius)
		dc.SetColor(r.inks[panel])
		dc.Fill()
	})
	s.card[1] = r.shape(px(64, k), px(cardHeight, k), page, []blend{{page, accent}, {raised, accent}}, func(dc *gg.Context) {
		dc.DrawRoundedRectangle(0, 0, w, h, radius)
		dc.SetColor(r.inks[accent])
		dc.Fill()
		dc.DrawRoundedRectangle(border, border, w-2*border, h-2*border, radius-border)
		dc.SetColor(r.inks[raised])
		dc.Fill()
	})
	s.arrow = r.shape(px(18, k), px(20, k), raised, []blend{{raised, accent}}, func(dc *gg.Context) {
		dc.MoveTo(0, 0)
		dc.LineTo(size(18), size(10))
		dc.LineTo(0, size(20))
		dc.ClosePath()
		dc.SetColor(r.inks[accent])
		dc.Fill()
	})
	return s
}

// A seat is a player and, for one without a name, the player's number.
type seat struct {
	Player
	number int
}

// seats are the players who get a card, and how many don't: of many, those
// with the highest scores do.
func (v *View) seats() (seats []seat, others int) {
	seats = make([]seat, len(v.Players))
	for i, p := range v.Players {
		seats[i] = seat{p, i + 1}
	}
	if len(seats) > maxCards {
		slices.SortStableFunc(seats, func(a, b seat) int { return cmp.Compare(b.Score, a.Score) })
		others = len(seats) - maxCards
		seats = seats[:maxCards]
	}
	return seats, others
}

// drawPlayers draws the header, and says how many players have no card there.
func (s *scale) drawPlayers(c *canvas, v *View) (others int) {
	seats, others := v.seats()
	look := &s.roomy
	if len(seats) > 2 {
		look = &s.tight
	}
	room := c.W - s.px(2*cardMargin-cardGap)
	for i, seat := range seats {
		left := s.px(cardMargin) + i*room/len(seats)
		right := s.px(cardMargin-cardGap) + (i+1)*room/len(seats)
		s.drawPlayer(c, v.Tongue, look, seat.Player, seat.number, v.toMove(seat.Player), left, right)
	}
	return others
}

// drawPlayer draws a card from left to right.
func (s *scale) drawPlayer(c *canvas, to *sentences.Tongue, look *look, p Player, number int, toMove bool, left, right int) {
	ground, card := panel, s.card[0]
	if toMove {
		ground, card = raised, s.card[1]
	}
	c.blitWide(card, left, s.px(cardTop), right-left)
	left, right = left+look.pad, right-look.pad

	digits := []rune(strconv.Itoa(p.Score))
	if p.Score < 0 {
		digits[0] = '−'
	}
	scoreLeft := right - look.score.width(digits)
	look.score.draw(c, fixed.I(scoreLeft), look.scoreBaseline, digits, s.ramp(ground, text))

	nameLeft, nameRight, noteRight := left, scoreLeft-look.pad, scoreLeft-look.pad
	if look.noteBesideScore {
		nameRight = right
	}
	if toMove {
		c.blit(s.arrow, left, look.nameBaseline-s.arrow.H)
		nameLeft += s.px(27)
	}
	name := s.text.readable(p.Name)
	if !named(name) {
		name = []rune(numbered(to, number))
	}
	s.line(c, look.name, nameLeft, nameRight, look.nameBaseline, name, startsRightToLeft(name), s.ramp(ground, text))

	// Colour alone never says whose turn it is, so the words come first; but
	// where there is no room for both, the arrow does and the note stays.
	note := s.text.readable(p.Note)
	if toMove {
		words := s.text.readable(say(to, "to move"))
		if len(note) > 0 {
			words = slices.Concat(words, []rune(" · "), note)
		}
		if len(note) == 0 || look.note.width(words) <= noteRight-left {
			note = words
		}
	}
	s.line(c, look.note, left, noteRight, look.noteBaseline, look.note.wholeWords(note, noteRight-left), false, s.ramp(ground, muted))
}

// wholeWords is as many words of a text as there is room for, the text where
// there is none for the first.
func (st *style) wholeWords(rs []rune, room int) []rune {
	for short := rs; ; {
		if st.width(short) <= room {
			return short
		}
		space := strings.LastIndex(string(short), " ")
		if space < 0 {
			return rs
		}
		short = []rune(string(short)[:space])
	}
}

// line sets one line of runes, cut to the room there is.
func (r *Renderer) line(c *canvas, st *style, left, right, baseline int, rs []rune, rightToLeft bool, ramp uint8) {
	st.draw(c, fixed.I(left), baseline, seen(st.fit(rs, right-left), rightToLeft), ramp)
}

// drawFooter draws the caption, and at its end the bag and those players who
// have no card.
func (s *scale) drawFooter(c *canvas, v *View, others int) {
	var status []string
	if others > 0 {
		status = append(status, morePlayers(v.Tongue, others))
	}
	if v.Bag >= 0 {
		status = append(status, say(v.Tongue, "Bag {n}", v.Bag))
	}
	s.drawLine(c, s.px(gutter), c.W-s.px(rightMargin), 0, v.Caption, strings.Join(status, " · "))
}

// drawLine writes a caption and, at the end of the line, a note, below top.
func (s *scale) drawLine(c *canvas, left, right, top int, caption, note string) {
	st := s.roomy.name
	baseline := top + (s.px(captionHeight)+capHeight(st))/2
	if rs := s.text.readable(note); len(rs) > 0 {
		rs = st.fit(rs, (right-left)/2)
		at := right - st.width(rs)
		s.line(c, st, at, right, baseline, rs, false, s.ramp(page, muted))
		right = at - s.px(24)
	}
	s.line(c, st, left, right, baseline, s.text.readable(caption), false, s.ramp(page, text))
}

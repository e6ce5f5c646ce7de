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

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging/compose"
)

// A Renderer draws pictures in one theme. It is safe for concurrent use; its goroutines share no
// mutable state.
//
// All is drawn by gg. [Renderer.Plain] draws a picture as a whole. The quick ways cache what recurs
// (squares, tiles, cards) as sprites drawn on first use, let gg write the words of each picture,
// and place both, which gives the same pixels. Package compose encodes them. Tile sets that look
// the same share their sprites.
type Renderer struct {
	painter
	plte []byte
	code *compose.Code

	scales lazy[float64, *scale]
	rulers lazy[plan, *rulers]
	sheets lazy[sheetKey, *sheet]
	blanks lazy[image.Point, *compose.Sprite]
	strips lazy[strip, *compose.Sprite]
	frames sync.Pool
}

// codeOfBoards is the code for pictures of boards. The palettes of all themes have the same order,
// so one code suits all. TestEmbeddedCodeIsCurrent shows how it was made.
//
//go:embed code.txt
var codeOfBoards string

// A lazy caches values made on first use. A caller that needs a value being made waits for it.
// Beyond lazyLimit values it drops all of them, so that a user who invents tile sets can't fill the
// memory.
type lazy[K comparable, V any] struct {
	made  sync.Map // K to func() V
	n     atomic.Int32
	limit int32 // 0 for lazyLimit
}

// lazyLimit is far more than a host with a dozen tile sets needs. All tiles of a set take half a
// megabyte for each highlight.
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

// A frame holds the buffers for making a picture.
type frame struct {
	head, foot canvas // above and below the board
	bands      []compose.Band
	quick      *compose.Encoder

	crossed []int // where two letters of a run overlap, in pixels of its canvas

	sheet canvas // the whole picture
	plain compose.Plain
}

// NewRenderer returns a renderer. The fonts' bytes must not change afterwards.
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
	p := painter{palette: newPalette(colours), inks: colours, tile: tile, text: text, bold: bold}
	r := &Renderer{painter: p, plte: p.palette.bytes(), code: code}
	return r.fresh(), nil
}

// fresh returns the renderer with empty caches.
func (r *Renderer) fresh() *Renderer {
	fresh := &Renderer{painter: r.painter, plte: r.plte, code: r.code}
	fresh.strips.limit = stripLimit
	return fresh
}

// frame borrows a frame, which must be returned.
func (r *Renderer) frame() *frame {
	if f, ok := r.frames.Get().(*frame); ok {
		return f
	}
	return &frame{quick: compose.NewEncoder(r.code)}
}

// The measures of a picture, in pixels at scale 1.
const (
	headerHeight  = 112 // height of player cards
	headerMargin  = 12  // the same without players
	letterHeight  = 36  // height of column letters
	gutter        = 40  // width of row numbers
	rightMargin   = 20
	captionHeight = 64
	minWidth      = 960
	minCell       = 48 // side of a square
	maxCell       = 72
	maxZoomCell   = 100

	cardMargin = 14 // distance from the page's edge
	cardGap    = 12
	cardTop    = 12
	cardHeight = 96
	maxCards   = 4

	printScale = 2
	zoomSide   = 9 // squares
	zoomMargin = 2 // squares around the last play
)

// A plan holds the positions of a picture's parts, in pixels.
type plan struct {
	scale float64
	w     int
	top   int // height above the column letters
	cell  int
	left  int             // left side of the board
	part  image.Rectangle // part of the board, in squares
	// mirrored puts the first column on the right, for words read from there.
	mirrored bool
}

// planOf returns the plan for a square part of the board. Cells are sized so that 13x13 and 15x15
// are 960 wide at scale 1; on larger boards they stay readable, and the picture grows.
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

// px returns a measure at a scale.
func px(n int, scale float64) int { return int(float64(n)*scale + 0.5) }

// column returns the board column at the i-th place from the picture's left.
func (p plan) column(i int) int {
	if p.mirrored {
		return p.part.Max.X - 1 - i
	}
	return p.part.Min.X + i
}

// right returns the right side of the board.
func (p plan) right() int { return p.left + p.part.Dx()*p.cell }

// height returns the height of the picture.
func (p plan) height() int { return p.foot() + px(captionHeight, p.scale) }

// board returns the top of the board, and foot its bottom.
func (p plan) board() int { return p.top + px(letterHeight, p.scale) }
func (p plan) foot() int  { return p.board() + p.part.Dy()*p.cell }

// Size returns the size of a view's PNG in pixels, or zero without a board.
func (v View) Size() image.Point {
	p := v.plan(1)
	if p.part.Empty() {
		return image.Point{}
	}
	return image.Pt(p.w, p.height())
}

// PNG draws a view. The error says what the view lacks.
func (r *Renderer) PNG(v View) ([]byte, error) {
	return r.png(&v, v.plan(1))
}

// Print draws a view with twice as many pixels a side.
func (r *Renderer) Print(v View) ([]byte, error) { return r.fresh().png(&v, v.plan(printScale)) }

// Zoom draws the part of a view around the last play, for small screens: nine squares a side, or
// more for a long play. Without a highlighted play all tiles are included.
func (r *Renderer) Zoom(v View) ([]byte, error) {
	return r.fresh().png(&v, v.planOf(v.closeUp(), maxZoomCell, 1))
}

// Plain draws the same pixels as [Renderer.PNG], but all in one gg.Context, which takes longer.
func (r *Renderer) Plain(v View) ([]byte, error) {
	if err := v.check(); err != nil {
		return nil, err
	}
	return r.drawnPNG(r.drawing(&v, v.plan(1), 0))
}

// plan returns the plan for the whole board.
func (v *View) plan(scale float64) plan { return v.planOf(v.whole(), maxCell, scale) }

// whole returns the whole board, in squares.
func (v *View) whole() image.Rectangle {
	n := v.Equipment.Layout.Size()
	return image.Rect(0, 0, n, n)
}

// closeUp returns the part of the board that Zoom shows, in squares.
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

// check returns an error that says what a view lacks for drawing.
func (v *View) check() error {
	switch {
	case v.Equipment.Tiles == nil:
		return errors.New("the view has no tile set")
	case v.whole().Empty():
		return errors.New("the view has no board layout")
	}
	return nil
}

func (r *Renderer) png(v *View, p plan) ([]byte, error) {
	f := r.frame()
	defer r.frames.Put(f)
	if err := r.compose(f, v, p); err != nil {
		return nil, err
	}
	return f.quickPNG(r.plte)
}

// drawing draws a view in one gg.Context, with some pixels left free below the board.
func (r *Renderer) drawing(v *View, p plan, below int) drawing {
	s := r.scales.get(p.scale, r.drawScale)
	d := r.withFontFor(v.Equipment.Tiles).draw(p.w, p.height()+below, page)
	others := s.drawPlayers(d, p.w, v)
	s.drawLetters(d.at(0, p.top), p)
	for row := range p.part.Dy() {
		top := p.board() + row*p.cell
		s.drawNumber(d.at(0, top), p, p.part.Min.Y+row)
		drawMargin(d.at(p.right(), top), p)
	}
	d.drawBoard(v, p, p.board())
	drawEdge(d.at(0, p.foot()), p)
	s.drawFooter(d.at(0, p.foot()+below), p.w, v, others)
	return d
}

// drawBoard draws the squares of the part of the board in the plan.
func (d drawing) drawBoard(v *View, p plan, top int) {
	board := image.Rect(0, 0, p.part.Dx(), p.part.Dy())
	d.fill(image.Rectangle{Max: board.Max.Mul(p.cell)}.Add(image.Pt(p.left, top)), gap)
	start := v.Equipment.Layout.Start()
	for y := range board.Max.Y {
		for x := range board.Max.X {
			look := v.look(game.Square{Row: p.part.Min.Y + y, Col: p.column(x)}, start)
			d.at(p.left+x*p.cell, top+y*p.cell).square(v.Equipment.Tiles, look, p.cell)
		}
	}
}

// quickPNG returns the bands as a file, using the sprites' prepared bytes.
func (f *frame) quickPNG(plte []byte) ([]byte, error) {
	b, err := f.quick.Encode(f.bands, plte)
	if err != nil {
		return nil, fmt.Errorf("write picture: %w", err)
	}
	return bytes.Clone(b), nil
}

// compose puts the bands of a picture into a frame: players, column letters, rows of the board,
// caption.
func (r *Renderer) compose(f *frame, v *View, p plan) error {
	if err := v.check(); err != nil {
		return err
	}
	s, rulers := r.scales.get(p.scale, r.drawScale), r.rulers.get(p, r.drawRulers)

	f.head.resize(p.w, p.top)
	f.head.fill(f.head.bounds(), r.solid(page))
	others := s.drawPlayers(placer{&r.painter, f, &f.head}, p.w, v)

	f.foot.resize(p.w, px(captionHeight, p.scale))
	f.foot.fill(f.foot.bounds(), r.solid(page))
	f.foot.blit(rulers.edge, 0, 0)
	s.drawFooter(placer{&r.painter, f, &f.foot}, p.w, v, others)

	f.bands = slices.Grow(f.bands[:0], p.part.Dy()+3)
	f.add(f.head.sprite())
	f.add(rulers.letters)
	r.addBoard(f, v, p, rulers)
	f.add(f.foot.sprite())
	return nil
}

// add appends a band, reusing the memory of an earlier one.
func (f *frame) add(sprites ...*compose.Sprite) {
	n := len(f.bands)
	f.bands = f.bands[:n+1]
	f.bands[n] = append(f.bands[n][:0], sprites...)
}

// drawnPNG returns a drawing as a PNG file.
func (r *Renderer) drawnPNG(d drawing) ([]byte, error) {
	f := r.frame()
	defer r.frames.Put(f)
	d.onto(&f.sheet)
	b, err := f.plain.Encode([]compose.Band{{f.sheet.sprite()}}, r.plte)
	if err != nil {
		return nil, fmt.Errorf("write picture: %w", err)
	}
	return bytes.Clone(b), nil
}

// addBoard adds the rows of the board with their numbers.
func (r *Renderer) addBoard(f *frame, v *View, p plan, rulers *rulers) {
	sheet, start := r.sheet(v.Equipment.Tiles, p.cell, gap), v.Equipment.Layout.Start()
	for row := p.part.Min.Y; row < p.part.Max.Y; row++ {
		f.add(rulers.numbers[row-p.part.Min.Y])
		band := &f.bands[len(f.bands)-1]
		for i := range p.part.Dx() {
			*band = append(*band, sheet.of(v.look(game.Square{Row: row, Col: p.column(i)}, start)))
		}
		*band = append(*band, rulers.margin)
	}
}

// A rulers value holds the surroundings of the board, with a frame as wide as the lines between its
// squares.
type rulers struct {
	letters *compose.Sprite   // above
	numbers []*compose.Sprite // on the left
	margin  *compose.Sprite   // on the right
	edge    *canvas           // below
}

func (r *Renderer) drawRulers(p plan) *rulers {
	s, all := r.scales.get(p.scale, r.drawScale), &rulers{}
	letters := r.draw(p.w, px(letterHeight, p.scale), page)
	s.drawLetters(letters, p)
	all.letters = letters.canvas().preparedSprite()
	for row := p.part.Min.Y; row < p.part.Max.Y; row++ {
		number := r.draw(p.left, p.cell, page)
		s.drawNumber(number, p, row)
		all.numbers = append(all.numbers, number.canvas().preparedSprite())
	}
	margin := r.draw(p.w-p.right(), p.cell, page)
	drawMargin(margin, p)
	all.margin = margin.canvas().preparedSprite()
	edge := r.draw(p.w, 1, page)
	drawEdge(edge, p)
	all.edge = edge.canvas()
	return all
}

// drawLetters draws the column letters.
func (s *scale) drawLetters(d drawing, p plan) {
	h := px(letterHeight, p.scale)
	d.fill(image.Rect(p.left-1, h-1, p.right()+1, h), gap)
	for i := range p.part.Dx() {
		s.coordinate(d, float64(p.left+i*p.cell+p.cell/2), h/2, column(p.column(i)))
	}
}

// drawNumber draws the number of a row, counted from 0.
func (s *scale) drawNumber(d drawing, p plan, row int) {
	d.fill(image.Rect(p.left-1, 0, p.left, p.cell), gap)
	s.coordinate(d, float64(p.left)-gutter*p.scale/2, p.cell/2, strconv.Itoa(row+1))
}

// coordinate writes a letter or a number around a point.
func (s *scale) coordinate(d drawing, x float64, y int, text string) {
	d.write(run{s.small, 0, y + capHeight(s.small)/2, []rune(text), page, muted}.centred(x))
}

// drawMargin draws the part to the right of a row, and drawEdge the part below the board.
func drawMargin(d drawing, p plan) { d.fill(image.Rect(0, 0, 1, p.cell), gap) }
func drawEdge(d drawing, p plan)   { d.fill(image.Rect(p.left-1, 0, p.right()+1, 1), gap) }

// column returns the letter of a column, counted from 0.
func column(i int) string { return string(rune('A' + i)) }

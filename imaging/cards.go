package imaging

import (
	"cmp"
	"image"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/math/fixed"

	"github.com/rackmate/rackmate/data/sentences"
)

// A scale holds the letters and shapes of pictures at a multiple of the usual size.
type scale struct {
	*Renderer
	k            float64
	roomy, tight cardLook
	small        *style
	card         [2]*canvas // of a waiting player, and of one to move
	arrow        *canvas
}

func (s *scale) px(n int) int { return px(n, s.k) }

// A cardLook is a layout of the cards: roomy for one or two players.
type cardLook struct {
	name, note, score                         *style
	pad                                       int
	nameBaseline, noteBaseline, scoreBaseline int
	noteBesideScore                           bool
}

func (r *Renderer) drawScale(k float64) *scale {
	size := func(pixels int) float64 { return float64(pixels) * k }
	s := &scale{
		Renderer: r, k: k,
		roomy: cardLook{
			name: newStyle(r.text, size(29)), note: newStyle(r.text, size(23)), score: newStyle(r.bold, size(56)),
			pad: px(20, k), nameBaseline: px(54, k), noteBaseline: px(90, k), scoreBaseline: px(81, k),
		},
		tight: cardLook{
			name: newStyle(r.text, size(26)), score: newStyle(r.bold, size(44)),
			pad: px(14, k), nameBaseline: px(48, k), noteBaseline: px(92, k), scoreBaseline: px(92, k), noteBesideScore: true,
		},
		small: newStyle(r.text, size(22)),
	}
	s.tight.note = s.roomy.note
	for i := range s.card {
		d := r.draw(px(64, k), s.px(cardHeight), page)
		d.card(s, 0, 0, px(64, k), i == 1)
		s.card[i] = d.canvas()
	}
	d := r.draw(px(18, k), px(20, k), raised)
	d.arrow(s, 0, 0)
	s.arrow = d.canvas()
	return s
}

// A surface draws cards and lines. There are two: a drawing draws with gg, and a placer copies
// cards and letters that gg drew earlier. Both give the same pixels.
type surface interface {
	// card draws the card of a player at a given width.
	card(s *scale, left, top, width int, toMove bool)
	// arrow draws the arrow at the name of the player to move.
	arrow(s *scale, left, top int)
	write(run)
}

func (d drawing) card(s *scale, left, top, width int, toMove bool) {
	w, h, radius, border := float64(width), float64(s.px(cardHeight)), 12*s.k, 0.0
	d = d.at(d.origin.X+left, d.origin.Y+top)
	rounded := func(i ink) {
		dc := d.shape(i)
		dc.DrawRoundedRectangle(border, border, w-2*border, h-2*border, radius-border)
		dc.Fill()
	}
	if !toMove {
		rounded(panel)
		return
	}
	rounded(accent)
	border = 4 * s.k
	rounded(raised)
}

func (d drawing) arrow(s *scale, left, top int) {
	dc := d.at(d.origin.X+left, d.origin.Y+top).shape(accent)
	dc.MoveTo(0, 0)
	dc.LineTo(18*s.k, 10*s.k)
	dc.LineTo(0, 20*s.k)
	dc.ClosePath()
	dc.Fill()
}

// A placer copies cards and letters that gg drew earlier to a canvas.
type placer struct {
	*painter
	frame  *frame
	canvas *canvas
}

func (p placer) card(s *scale, left, top, width int, toMove bool) {
	p.canvas.blitWide(s.card[index(toMove)], left, top, width)
}

func (p placer) arrow(s *scale, left, top int) { p.canvas.blit(s.arrow, left, top) }

// write places the letters of a run. If the canvas can't show how letters overlap, gg writes the
// whole run.
func (p placer) write(r run) {
	pen := r.style.borrowPen()
	defer pen.put()
	p.frame.crossed = p.frame.crossed[:0]
	x, before := r.x, rune(-1)
	for _, c := range r.runes {
		m := pen.metrics(c)
		if m.font < 0 {
			continue
		}
		if before >= 0 {
			x += pen.Kern(before, c)
		}
		pixel, phase := place(x)
		if !p.placeLetter(r.style.glyph(c, phase), pixel, r) {
			p.drawSeparately(r)
			return
		}
		x += m.advance
		before = c
	}
}

// placeLetter places a glyph with its origin at x. It returns false if a pixel has ink of
// two letters already, or a colour outside the run's ramp.
func (p placer) placeLetter(g *glyph, x int, of run) bool {
	c, ground, ramp := p.canvas, p.solid(of.ground), p.palette.ramps[of.ground][of.ink]
	at := g.rect.Add(image.Pt(x, of.baseline))
	r := at.Intersect(c.bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		ink := g.ink[(y-at.Min.Y)*at.Dx()+r.Min.X-at.Min.X:]
		line := c.row(y, r.Min.X, r.Max.X)
		for i, level := range ink[:len(line)] {
			switch now := line[i]; {
			case level == 0:
			case now == ground:
				line[i] = ramp + level
			default:
				pixel := y*c.W + r.Min.X + i
				if now-ramp > levels || slices.Contains(p.frame.crossed, pixel) {
					return false
				}
				line[i] = p.palette.twice[ramp][now-ramp][level]
				p.frame.crossed = append(p.frame.crossed, pixel)
			}
		}
	}
	return true
}

// drawSeparately writes a run with gg on its ground, separately from the canvas, and places the result.
func (p placer) drawSeparately(r run) {
	box := r.inkBounds().Intersect(p.canvas.bounds())
	if box.Empty() {
		return
	}
	d := p.draw(box.Dx(), box.Dy(), r.ground).at(-box.Min.X, -box.Min.Y)
	d.write(r)
	img := d.image()
	for y := range box.Dy() {
		p.palette.numbers(p.canvas.row(box.Min.Y+y, box.Min.X, box.Max.X), img.Pix[y*img.Stride:], p.inks[r.ground])
	}
}

// A seat is a player and their number in the view, from 1.
type seat struct {
	Player
	number int
}

// displayName returns the readable part of the player's name, or "Player 3" if it has no
// letter or digit.
func (p seat) displayName(f family, to *sentences.Locale) []rune {
	if name := f.readable(p.Name); isReadableName(name) {
		return name
	}
	return []rune(numberedName(to, p.number))
}

// seats returns the players who get a card, and the number of others. With more than maxCards
// players, those with the highest scores get one.
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

// drawPlayers draws the header, and returns the number of players without a card.
func (s *scale) drawPlayers(on surface, width int, v *View) (others int) {
	seats, others := v.seats()
	look := &s.roomy
	if len(seats) > 2 {
		look = &s.tight
	}
	room := width - s.px(2*cardMargin-cardGap)
	for i, seat := range seats {
		left := s.px(cardMargin) + i*room/len(seats)
		right := s.px(cardMargin-cardGap) + (i+1)*room/len(seats)
		s.drawPlayer(on, v.Locale, look, seat, v.toMove(seat.Player), left, s.px(cardTop), right)
	}
	return others
}

// drawPlayer draws a player's card between left and right, below top.
func (s *scale) drawPlayer(on surface, to *sentences.Locale, look *cardLook, p seat, toMove bool, left, top, right int) {
	ground := panel
	if toMove {
		ground = raised
	}
	on.card(s, left, top, right-left, toMove)
	left, right, top = left+look.pad, right-look.pad, top-s.px(cardTop)

	score := strconv.Itoa(p.Score)
	if p.Score < 0 {
		score = "−" + score[1:]
	}
	digits := look.score.fit([]rune(score), right-left)
	scoreLeft := right - look.score.width(digits)
	on.write(run{look.score, fixed.I(scoreLeft), top + look.scoreBaseline, digits, ground, text})

	nameLeft, nameRight, noteRight := left, scoreLeft-look.pad, scoreLeft-look.pad
	if look.noteBesideScore {
		nameRight = right
	}
	if toMove {
		on.arrow(s, left, top+look.nameBaseline-s.arrow.H)
		nameLeft += s.px(27)
	}
	name := p.displayName(s.text, to)
	on.write(look.name.line(nameLeft, nameRight, top+look.nameBaseline, name, startsRightToLeft(name), ground, text))

	// Colour alone must never show whose turn it is, so the words come first; if there isn't room
	// for both, the arrow shows it and the note stays.
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
	on.write(look.note.line(left, noteRight, top+look.noteBaseline, look.note.wholeWords(note, noteRight-left), false, ground, muted))
}

// wholeWords returns as many words of a text as fit, or the whole text if not even the first does.
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

// line returns a line of runes, given in reading order, cut to the space available.
func (st *style) line(left, right, baseline int, rs []rune, rightToLeft bool, ground, i ink) run {
	return run{st, fixed.I(left), baseline, visualOrder(st.fit(rs, right-left), rightToLeft), ground, i}
}

// drawFooter draws the caption, and at its end the bag and the number of players without a card.
func (s *scale) drawFooter(on surface, width int, v *View, others int) {
	var status []string
	if others > 0 {
		status = append(status, morePlayers(v.Locale, others))
	}
	if v.Bag >= 0 {
		status = append(status, say(v.Locale, "Bag {n}", v.Bag))
	}
	s.drawLine(on, s.px(gutter), width-s.px(rightMargin), 0, v.Caption, strings.Join(status, " · "))
}

// drawLine writes a caption and, at the end of the line, a note, below top.
func (s *scale) drawLine(on surface, left, right, top int, caption, note string) {
	st := s.roomy.name
	baseline := top + (s.px(captionHeight)+capHeight(st))/2
	if rs := s.text.readable(note); len(rs) > 0 {
		rs = st.fit(rs, (right-left)/2)
		at := right - st.width(rs)
		on.write(st.line(at, right, baseline, rs, false, page, muted))
		right = at - s.px(24)
	}
	on.write(st.line(left, right, baseline, s.text.readable(caption), false, page, text))
}

package imaging

import (
	"errors"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fogleman/gg"

	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
)

// A FinalCard summarizes a finished game, for everyone.
type FinalCard struct {
	Players []Finalist
	Caption string // one line about the result: "Ann wins by 27"
	// Locale is the language of its words; nil is English.
	Locale *sentences.Locale
}

// A Finalist holds what a final card shows about a player. The score is the final one.
type Finalist struct {
	Player
	Totals []int      // points after each of the player's turns
	Best   string     // best play: "RELIGION at K5 for 78"; "" if none
	Play   game.Tiles // tiles of the best play
	Points int        // points for the best play
	Bingos int        // plays of a whole rack
}

// The measures of a final card, in pixels.
const (
	plotHeight  = 380
	plotLeft    = 76
	plotRight   = 36
	plotTop     = 28
	plotBottom  = 48
	factsHeight = 84 // height of the facts about each player
)

// series holds the styles of the players' lines in the plot, which differ in shape as well as
// colour.
var series = [maxCards]struct {
	ink   ink
	shape func(dc *gg.Context, x, y, radius float64)
}{
	{tripleLetter, func(dc *gg.Context, x, y, r float64) { dc.DrawCircle(x, y, r) }},
	{tripleWord, func(dc *gg.Context, x, y, r float64) { dc.DrawRectangle(x-r*0.9, y-r*0.9, 1.8*r, 1.8*r) }},
	{text, func(dc *gg.Context, x, y, r float64) { dc.DrawRegularPolygon(3, x, y+0.2*r, 1.3*r, 0) }},
	{muted, func(dc *gg.Context, x, y, r float64) { dc.DrawRegularPolygon(4, x, y, 1.3*r, math.Pi/4) }},
}

// Final draws a final card as PNG. With many players it shows those with the highest scores.
func (r *Renderer) Final(card FinalCard) ([]byte, error) {
	if len(card.Players) == 0 {
		return nil, errors.New("the final card has no players")
	}
	v := View{Over: true, Caption: card.Caption, Bag: -1, Locale: card.Locale}
	for _, p := range card.Players {
		v.Players = append(v.Players, p.Player)
	}
	seats, others := v.seats()

	s := r.scales.get(1, r.drawScale)
	d := r.draw(minWidth, headerHeight+plotHeight+factsHeight*len(seats)+captionHeight, page)
	s.drawPlayers(d, minWidth, &v)
	var shown []Finalist
	for _, seat := range seats {
		shown = append(shown, card.Players[seat.number-1])
	}
	d.drawPlot(s.small, shown, image.Rect(plotLeft, headerHeight+plotTop, minWidth-plotRight, headerHeight+plotHeight-plotBottom))
	top := headerHeight + plotHeight
	for i, p := range shown {
		s.drawFacts(d, card.Locale, p, seats[i], i, top)
		top += factsHeight
	}
	note := ""
	if others > 0 {
		note = morePlayers(card.Locale, others)
	}
	s.drawLine(d, plotRight, minWidth-plotRight, top, card.Caption, note)
	return r.drawnPNG(d)
}

// points returns the values of a player's line in the plot, starting at 0. They are limited to a
// range that games reach, so that no score makes the plot endless.
func (p Finalist) points() []int {
	const most = 100_000
	all := append([]int{0}, p.Totals...)
	if all[len(all)-1] != p.Score {
		all = append(all, p.Score) // adjustment at the end of the game
	}
	for i, n := range all {
		all[i] = min(max(n, -most), most)
	}
	return all
}

// drawPlot draws the players' points by turn.
func (d drawing) drawPlot(st *style, players []Finalist, area image.Rectangle) {
	turns, low, high := 1, 0, 50
	for _, p := range players {
		points := p.points()
		turns = max(turns, len(points)-1)
		low, high = min(low, slices.Min(points)), max(high, slices.Max(points))
	}
	// Four to eight lines, at round numbers.
	step := 10
	for i := 0; (high-low)/step > 6; i++ {
		step = step * []int{5, 2}[i%2]
	}
	low, high = -(-low+step-1)/step*step, (high+step-1)/step*step
	x := func(turn int) int { return area.Min.X + turn*area.Dx()/turns }
	y := func(points int) int {
		return area.Max.Y - int(float64(points-low)/float64(high-low)*float64(area.Dy())+0.5)
	}

	middle := capHeight(st) / 2
	for points := low; points <= high; points += step {
		line := panel
		if points == 0 {
			line = muted
		}
		d.fill(image.Rect(area.Min.X, y(points)-1, area.Max.X, y(points)+1), line)
		label := []rune(strconv.Itoa(points))
		d.write(st.line(area.Min.X-16-st.width(label), area.Min.X, y(points)+middle, label, false, page, muted))
	}
	every := max(1, (turns+9)/10)
	for turn := every; turn <= turns; turn += every {
		d.write(run{st, 0, area.Max.Y + 36, []rune(strconv.Itoa(turn)), page, muted}.centred(float64(x(turn))))
	}

	// The first player's line is on top.
	radius := min(6.5, float64(area.Dx())/float64(turns)/3)
	for i, p := range slices.Backward(players) {
		dc := d.shape(series[i].ink)
		dc.SetLineWidth(4)
		for turn, n := range p.points() {
			dc.LineTo(float64(x(turn)), float64(y(n)))
		}
		dc.Stroke()
		for turn, n := range p.points()[1:] {
			series[i].shape(dc, float64(x(turn+1)), float64(y(n)), radius)
			dc.Fill()
		}
	}
}

// drawFacts writes the key to a player's line and the facts about them.
func (s *scale) drawFacts(d drawing, to *sentences.Locale, p Finalist, of seat, i, top int) {
	const width = 36
	dc := d.at(plotRight, top+8).shape(series[i].ink)
	dc.SetLineWidth(4)
	dc.DrawLine(0, 14, width, 14)
	dc.Stroke()
	series[i].shape(dc, width/2, 14, 9)
	dc.Fill()
	s.drawPerson(d, to, of, p.facts(to), plotRight+width+16, top)
}

// drawPerson writes a player's name and, below it, the facts.
func (s *scale) drawPerson(d drawing, to *sentences.Locale, p seat, facts string, left, top int) {
	name, right := p.displayName(s.text, to), minWidth-plotRight
	d.write(s.roomy.name.line(left, right, top+32, name, startsRightToLeft(name), page, text))
	d.write(s.roomy.note.line(left, right, top+66, s.text.readable(facts), false, page, muted))
}

// facts returns the facts about a player besides the points.
func (p Finalist) facts(to *sentences.Locale) string {
	best := say(to, "No play")
	if p.Best != "" {
		best = say(to, "Best play {play}", p.Best)
	}
	if p.Bingos == 0 {
		return best
	}
	return best + " · " + say(to, "{n, plural, one {# bingo} other {# bingos}}", p.Bingos)
}

// Fact returns the facts about a player in one line.
func (p Finalist) Fact(to *sentences.Locale) string {
	return p.Name + ": " + p.facts(to)
}

// altFacts returns a description of a player of a finished game, with the facts on their card, in
// words.
func altFacts(to *sentences.Locale, i int, p Player, facts string) string {
	facts = strings.ReplaceAll(shorten(facts, 2*maxAltNote), " · ", ", ")
	v := View{Over: true, Locale: to}
	return sentence(v.altPlayer(i, p)) + " " + sentence(facts)
}

// Alt returns the card in words for screen readers, in at most 1000 characters.
func (card FinalCard) Alt() string {
	s := append(altCaption(card.Caption), altPlayers(card.Locale, len(card.Players), maxAltPlayers, func(i int) string {
		p := card.Players[i]
		return altFacts(card.Locale, i, p.Player, p.facts(card.Locale))
	})...)
	return shorten(strings.Join(s, " "), maxAlt)
}

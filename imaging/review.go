package imaging

import (
	"errors"
	"fmt"
	"image"
	"strconv"
	"strings"
)

// A ReviewCard says how well a game that is over was played, for everybody.
// It has no place for a rack. Its figures are those of whoever reviewed the
// game; a player in [ReviewCard.Missed] is called as in Players.
type ReviewCard struct {
	Players []Reviewed
	Missed  []Missed // the best plays that nobody saw, the costliest first
	Caption string   // one line below: "Review by the robot, list en"
}

// A Reviewed is what a review card shows of a player. The score is that of
// the end.
type Reviewed struct {
	Player
	Loss     float64  // what the player gave up a turn, on average, in points
	Accuracy int      // percent
	Phonies  []string // words played that are in no list and stood
}

// A Missed is a play that would have been better than the one made.
type Missed struct {
	Turn   int // of the game, from 1
	Player string
	Play   string  // the word and where: "QUARTZ 8D"
	Score  int     // points
	Loss   float64 // points that the player gave up
}

// The measures of a review card, in pixels.
const (
	maxMissed    = 5
	missedHeight = captionHeight
	titleHeight  = 64
	reviewMargin = 20 // below the players' cards
)

// Review draws a review card: of many players those with the highest scores,
// and the first five missed plays.
func (r *Renderer) Review(card ReviewCard) ([]byte, error) {
	if len(card.Players) == 0 {
		return nil, errors.New("the review card has no players")
	}
	v := View{Over: true}
	for _, p := range card.Players {
		v.Players = append(v.Players, p.Player)
	}
	seats, others := v.seats()
	missed := card.Missed[:min(len(card.Missed), maxMissed)]

	f := r.frame()
	defer r.frames.Put(f)
	c, s := &f.sheet, r.scales.get(1, r.drawScale)
	c.resize(minWidth, headerHeight+reviewMargin+factsHeight*len(seats)+titleHeight+missedHeight*max(1, len(missed))+captionHeight)
	c.fill(c.bounds(), r.solid(page))
	s.drawPlayers(c, &v)
	top := headerHeight + reviewMargin
	for _, seat := range seats {
		s.drawPerson(c, seat, card.Players[seat.number-1].facts(), plotRight, top)
		top += factsHeight
	}

	left, right := plotRight, minWidth-plotRight
	s.line(c, s.roomy.note, left, right, top+titleHeight-22, []rune("Best missed plays"), false, r.ramp(page, muted))
	top += titleHeight
	if len(missed) == 0 {
		s.drawLine(c, left, right, top, "None", "")
		top += missedHeight
	}
	for _, m := range missed {
		c.fill(image.Rect(left, top, right, top+2), r.solid(panel))
		s.drawLine(c, left, right, top, m.what(), m.cost())
		top += missedHeight
	}
	c.fill(image.Rect(left, top, right, top+2), r.solid(panel))
	note := ""
	if others > 0 {
		note = fmt.Sprintf("%d more players", others)
	}
	s.drawLine(c, left, right, top, card.Caption, note)
	return f.plainPNG(r.plte)
}

// facts is what there is to say of how a player played.
func (p Reviewed) facts() string {
	s := fmt.Sprintf("Gave up %s points a turn · accuracy %d %%", points(p.Loss), p.Accuracy)
	switch len(p.Phonies) {
	case 0:
		return s
	case 1:
		return s + " · a phony stood: " + p.Phonies[0]
	}
	return s + " · phonies that stood: " + strings.Join(p.Phonies, ", ")
}

// points is a number of points, which may be no whole one.
func points(n float64) string { return strings.TrimSuffix(strconv.FormatFloat(n, 'f', 1, 64), ".0") }

// what is the play missed, and cost what that came to.
func (m Missed) what() string {
	return fmt.Sprintf("Turn %d, %s: %s for %d", m.Turn, m.Player, m.Play, m.Score)
}

func (m Missed) cost() string { return "gave up " + points(m.Loss) }

// Alt is the card in words, for screen readers, in at most [MaxAlt]
// characters.
func (card ReviewCard) Alt() string {
	var s []string
	if card.Caption != "" {
		s = append(s, sentence(shorten(card.Caption, maxAltCaption)))
	}
	for i, p := range card.Players {
		if i == maxAltPlayers {
			s = append(s, fmt.Sprintf("%d more players.", len(card.Players)-i))
			break
		}
		s = append(s, altFacts(i, p.Player, p.facts()))
	}
	for i, m := range card.Missed {
		if i == maxMissed {
			break
		}
		m.Player = shorten(m.Player, maxAltName)
		what := fmt.Sprintf("Turn %d, %s: missed %s for %d", m.Turn, m.Player, shorten(m.Play, maxAltNote), m.Score)
		s = append(s, sentence(what+", "+m.cost()))
	}
	return shorten(strings.Join(s, " "), MaxAlt)
}

package imaging

import (
	"errors"
	"image"
	"math"
	"strings"

	"github.com/rackmate/rackmate/data/sentences"
)

// A ReviewCard summarizes how well a finished game was played, for everyone. It can't contain a
// rack. A player in [ReviewCard.Missed] has the same name as in Players.
type ReviewCard struct {
	Players []ReviewedPlayer
	Missed  []MissedPlay // best plays that were missed, costliest first
	Caption string       // line below: "Review by the robot, list en"
	// Locale is the language of its words; nil is English.
	Locale *sentences.Locale
}

// A ReviewedPlayer holds what a review card shows about a player. The score is the final
// one.
type ReviewedPlayer struct {
	Player
	Loss     float64  // average loss a turn, in points
	Accuracy int      // percent
	Phonies  []string // invalid words played that stood
}

// A MissedPlay is a play that would have been better than the one made.
type MissedPlay struct {
	Turn   int // turn of the game, from 1
	Player string
	Play   string  // word and square: "QUARTZ 8D"
	Score  int     // points
	Loss   float64 // points lost by the player
}

// The measures of a review card, in pixels.
const (
	maxMissed    = 5
	missedHeight = captionHeight
	titleHeight  = 64
	reviewMargin = 20 // below the players' cards
)

// Review draws a review card as PNG. With many players it shows those with the highest scores, and
// it shows the first five missed plays.
func (r *Renderer) Review(card ReviewCard) ([]byte, error) {
	if len(card.Players) == 0 {
		return nil, errors.New("the review card has no players")
	}
	v := View{Over: true, Locale: card.Locale}
	for _, p := range card.Players {
		v.Players = append(v.Players, p.Player)
	}
	seats, others := v.seats()
	missed := card.Missed[:min(len(card.Missed), maxMissed)]

	s := r.scales.get(1, r.drawScale)
	d := r.draw(minWidth, headerHeight+reviewMargin+factsHeight*len(seats)+titleHeight+missedHeight*max(1, len(missed))+captionHeight, page)
	s.drawPlayers(d, minWidth, &v)
	top := headerHeight + reviewMargin
	for _, seat := range seats {
		s.drawPerson(d, card.Locale, seat, card.Players[seat.number-1].facts(card.Locale), plotRight, top)
		top += factsHeight
	}

	left, right := plotRight, minWidth-plotRight
	d.write(s.roomy.note.line(left, right, top+titleHeight-22, s.text.readable(say(card.Locale, "Best missed plays")), false, page, muted))
	top += titleHeight
	if len(missed) == 0 {
		s.drawLine(d, left, right, top, say(card.Locale, "None"), "")
		top += missedHeight
	}
	for _, m := range missed {
		d.fill(image.Rect(left, top, right, top+2), panel)
		s.drawLine(d, left, right, top, say(card.Locale, "Turn {n}, {who}: {play} for {score}", m.Turn, m.Player, m.Play, m.Score), say(card.Locale, "cost {points} points", formatPoints(card.Locale, m.Loss)))
		top += missedHeight
	}
	d.fill(image.Rect(left, top, right, top+2), panel)
	note := ""
	if others > 0 {
		note = morePlayers(card.Locale, others)
	}
	s.drawLine(d, left, right, top, card.Caption, note)
	return r.drawnPNG(d)
}

// facts returns a line about how a player played.
func (p ReviewedPlayer) facts(to *sentences.Locale) string {
	s := say(to, "Gave away {points} points a turn · accuracy {percent}%", formatPoints(to, p.Loss), p.Accuracy)
	if len(p.Phonies) == 0 {
		return s
	}
	return s + " · " + say(to, "{n, plural, one {a phony stood: {words}} other {phonies that stood: {words}}}", len(p.Phonies), strings.Join(p.Phonies, ", "))
}

// formatPoints returns a number of points as text, with tenths if needed.
func formatPoints(to *sentences.Locale, n float64) string {
	if tenths := math.Round(10 * n); math.Mod(tenths, 10) != 0 {
		return to.Tenths(sentences.Tenths(n))
	}
	return to.Number(int(math.Round(n)))
}

// Alt returns the card in words for screen readers, in at most 1000 characters.
func (card ReviewCard) Alt() string {
	s := append(altCaption(card.Caption), altPlayers(card.Locale, len(card.Players), maxAltPlayers, func(i int) string {
		p := card.Players[i]
		return altFacts(card.Locale, i, p.Player, p.facts(card.Locale))
	})...)
	for i, m := range card.Missed {
		if i == maxMissed {
			break
		}
		s = append(s, say(card.Locale, "Turn {n}, {who}: missed {play} for {score}, which cost {points} points.", m.Turn, shorten(m.Player, maxAltName), shorten(m.Play, maxAltNote), m.Score, formatPoints(card.Locale, m.Loss)))
	}
	return shorten(strings.Join(s, " "), maxAlt)
}

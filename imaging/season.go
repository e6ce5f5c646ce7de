package imaging

import (
	"errors"
	"fmt"
	"image"
	"strings"

	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/imaging/compose"
)

// A SeasonCard summarizes the games of a place and period, for everyone: wins and highlights.
type SeasonCard struct {
	Title   string       // "The season, January to March 2026"
	Lines   []SeasonLine // players, best first
	Facts   []string     // highlights: "Best play: QUARTZ for 74, by Ann"
	Caption string       // line below: "48 games played"
	// Locale is the language of its words; nil is English.
	Locale *sentences.Locale
}

// A SeasonLine is a player's season.
type SeasonLine struct {
	Name  string
	Won   int // games won
	Games int // games played
	Note  string
}

// The measures of a season card, in pixels.
const (
	maxSeasonLines = 40
	maxSeasonFacts = 5
	seasonHeight   = 76 // height of a player
	seasonDense    = 62 // height of a player among more than mostRoomyLines
	mostRoomyLines = 10
	seasonBar      = 10 // thickness of the bar for games
)

// Season draws a season card as PNG, with the first forty players and the first five facts. The
// length of a player's bar shows the games played, and its filled part the games won.
func (r *Renderer) Season(card SeasonCard) ([]byte, error) {
	if len(card.Lines) == 0 {
		return nil, errors.New("the season card has no players")
	}
	lines, facts := card.Lines[:min(len(card.Lines), maxSeasonLines)], card.Facts[:min(len(card.Facts), maxSeasonFacts)]
	most := 1
	for _, l := range lines {
		most = max(most, l.Games)
	}

	height, gap := seasonHeight, 14
	if len(lines) > mostRoomyLines {
		height, gap = seasonDense, 18
	}
	s := r.scales.get(1, r.drawScale)
	f := r.frame()
	defer r.frames.Put(f)
	sheet := &f.head
	sheet.resize(minWidth, reviewMargin+titleHeight+height*len(lines)+missedHeight*len(facts)+captionHeight)
	sheet.fill(sheet.bounds(), r.solid(page))
	d := placer{&r.painter, f, sheet}
	left, right, top := plotRight, minWidth-plotRight, reviewMargin
	title := s.text.readable(card.Title)
	d.write(s.roomy.name.line(left, right, top+36, title, startsRightToLeft(title), page, text))
	top += titleHeight
	for i, l := range lines {
		name := seat{Player{Name: l.Name}, i + 1}.displayName(s.text, card.Locale)
		s.drawLine(d, left, right, top-gap, fmt.Sprintf("%d. %s", i+1, string(name)), l.figures(card.Locale))
		bar := top + height - 2*seasonBar - seasonBar*height/seasonHeight
		along := func(games int) int {
			return left + int(float64(right-left)*float64(max(games, 0))/float64(most))
		}
		long, won := along(l.Games), along(min(l.Won, l.Games))
		sheet.fill(image.Rect(left, bar, long, bar+seasonBar), r.solid(panel))
		sheet.fill(image.Rect(left, bar, won, bar+seasonBar), r.solid(tripleWord))
		top += height
	}
	for _, fact := range facts {
		s.drawLine(d, left, right, top, fact, "")
		top += missedHeight
	}
	sheet.fill(image.Rect(left, top, right, top+2), r.solid(panel))
	note := ""
	if others := len(card.Lines) - len(lines); others > 0 {
		note = morePlayers(card.Locale, others)
	}
	s.drawLine(d, left, right, top, card.Caption, note)
	f.bands = append(f.bands[:0], compose.Band{sheet.sprite()})
	return f.quickPNG(r.plte)
}

// figures returns a short text about a player's games.
func (l SeasonLine) figures(to *sentences.Locale) string {
	figures := say(to, "{won} of {games} won", l.Won, l.Games)
	if l.Note != "" {
		figures += " · " + l.Note
	}
	return figures
}

// Alt returns the card in words for screen readers, in at most 1000 characters.
func (card SeasonCard) Alt() string {
	s := []string{sentence(shorten(card.Title, maxAltCaption))}
	s = append(s, altPlayers(card.Locale, len(card.Lines), maxSeasonLines, func(i int) string {
		l := card.Lines[i]
		return sentence(fmt.Sprintf("%d: %s, %s", i+1, shorten(l.Name, maxAltName), strings.ReplaceAll(shorten(l.figures(card.Locale), maxAltNote), " · ", ", ")))
	})...)
	for _, fact := range card.Facts[:min(len(card.Facts), maxSeasonFacts)] {
		s = append(s, sentence(shorten(fact, 2*maxAltNote)))
	}
	s = append(s, altCaption(card.Caption)...)
	return shorten(strings.Join(s, " "), maxAlt)
}

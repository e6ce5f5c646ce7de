package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
)

// premiums are what squares without a tile are shown as, by their signs in a
// layout (game.Layout.Text). Letters would be taken for tiles.
var premiums = map[byte]string{
	'd': "'", 't': `"`, 'D': "-", 'T': "=", '*': "*", '+': "*",
}

// boardText draws a board in characters: capitals are tiles, small letters are
// blanks.
func boardText(s bot.Scene) string {
	width := 1
	for _, t := range s.Board {
		width = max(width, utf8.RuneCountInString(tileText(t)))
	}
	var b strings.Builder
	b.WriteString("   ")
	for c := range s.Size {
		fmt.Fprintf(&b, " %-*c", width, 'A'+c)
	}
	b.WriteString("\n")
	for r := range s.Size {
		fmt.Fprintf(&b, "%3d", r+1)
		for c := range s.Size {
			i := r*s.Size + c
			shown := "."
			switch p, ok := premiums[s.Squares[i]]; {
			case s.Board[i] != "":
				shown = tileText(s.Board[i])
			case len(s.Printed) > 0 && s.Printed[i] != "":
				shown = strings.ToLower(s.Printed[i])
			case ok:
				shown = p
			}
			fmt.Fprintf(&b, " %-*s", width, shown)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// tileText is a tile on the board: a blank is a small letter, or in brackets
// where its script has none.
func tileText(tile string) string {
	letter, blank := strings.CutPrefix(tile, "?")
	if !blank {
		return tile
	}
	if small := strings.ToLower(letter); small != letter {
		return small
	}
	return "(" + letter + ")"
}

// rackText is a player's rack, with the points of each tile.
func rackText(s bot.Sight) string {
	values := map[string]int{}
	for _, t := range s.Tiles {
		values[t.Text] = t.Value
	}
	var all []string
	for _, t := range s.Own.Rack {
		all = append(all, fmt.Sprintf("%s %d", t, values[t]))
	}
	return strings.Join(all, "   ")
}

// turnText is a line of the list of moves.
func turnText(t bot.Turn) bot.Text {
	switch {
	case t.Player == "":
		return bot.Plain(t.Text)
	case t.Score == 0:
		return bot.Glue(t.Player, ": ", t.Text)
	}
	return bot.Say("{who}: {what}, {n, plural, one {# point} other {# points}}, {total} in all", t.Player, t.Text, t.Score, t.Total)
}

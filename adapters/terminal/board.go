package terminal

import (
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// rackText returns a player's rack, with the points of each tile.
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

// turnText returns a line of the list of moves.
func turnText(t bot.Turn) text.Text {
	switch {
	case t.Player == "":
		return text.Plain(t.Text)
	case t.Score == 0:
		return text.Glue(t.Player, ": ", t.Text)
	}
	return text.Say("{who}: {what}, {n, plural, one {# point} other {# points}}, {total} in all", t.Player, t.Text, t.Score, t.Total)
}

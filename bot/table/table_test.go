package table_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// Typed tiles are read as tiles on the rack, if possible.
func TestTypedTilesMatchRack(t *testing.T) {
	var kinds []game.Kind
	for _, text := range strings.Fields("A C CH H L LL O") {
		kinds = append(kinds, game.Kind{Text: text, Count: 4, Value: 1})
	}
	set, err := game.NewTileSet("spanish", kinds, game.Kind{Count: 2})
	gametest.Must(t, err)
	for _, tt := range []struct{ rack, typed, want string }{
		{"[CH]AL", "cha", "[CH]A"},
		{"[C][H]AL", "cha", "[C][H]A"},
		{"[C][H][CH]A", "ch", "[CH]"},
		{"[C][H][CH]A", "c h", "[C][H]"},
		{"[C][H][CH]A", "c|h", "[C][H]"},
		{"[L][L][LL]?", "ll ?", "[LL]?"},
		{"[L][L][LL]?", "l l ll", "[L][L][LL]"},
		{"AO", "llave", ""},
		{"AO", "ll", "[LL]"}, // the rack has no such tiles in any reading
	} {
		rack, err := set.Parse(tt.rack)
		gametest.Must(t, err)
		got, err := table.TypedTiles(set, tt.typed, func(tiles game.Tiles) bool {
			_, there := rack.Minus(tiles)
			return there
		})
		want, wrong := set.Parse(tt.want)
		if wrong != nil || got != want || (err == nil) != (tt.want != "") {
			t.Errorf("%s from %s is read %s (%v), want %s", tt.typed, tt.rack, set.Print(got), err, tt.want)
		}
	}
}

package view_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// In a game where all play at once, the best players come first, with their own name, place
// and seat, as many as there is room for.
func TestPlayersByRank(t *testing.T) {
	for _, n := range []int{3, 6, 20} {
		s := game.State{Phase: game.Playing, Rules: game.Rules{Name: "classic", Variant: "duplicate"}, Equipment: gametest.Equipment(t)}
		s.Board = gametest.Board(t, s.Equipment, "")
		for i := range n {
			s.Seats = append(s.Seats, game.Seat{Person: game.Person{ID: game.PlayerID(fmt.Sprint("p", i)), Name: fmt.Sprint("P", i)}, Score: i})
		}
		scene := view.Scene(table.Table{State: s}, nil, false)
		var got []string
		for _, p := range scene.Players {
			got = append(got, fmt.Sprintf("%s %d on %d: %s", p.Name, p.Score, p.Seat, p.Note))
		}
		var want []string
		for place := range min(n, 12) {
			i := n - 1 - place
			want = append(want, fmt.Sprintf("P%d %d on %d: %d of %d", i, i, i, place+1, n))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d players:\n%s", n, strings.Join(got, "\n"))
		}
	}
}

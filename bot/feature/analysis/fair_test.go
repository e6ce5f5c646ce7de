package analysis_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/analysis"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
)

// A rated game under way can't be analysed by anyone, in a private window or with a few tiles
// changed. When it is over it can, and unrated ones always can, except by their players.
func TestAnalyseRunningGame(t *testing.T) {
	long, state := featuretest.Underway(t, 10)
	early, small := featuretest.Underway(t, 2)
	racks := []game.Tiles{"", ""}
	squares := func(b game.Board) (all []game.Square) {
		for i := range game.MaxSize * game.MaxSize {
			if sq := (game.Square{Row: i / game.MaxSize, Col: i % game.MaxSize}); b.Tile(sq) != game.NoTile {
				all = append(all, sq)
			}
		}
		return all
	}
	if n := len(squares(state.Board)); n < 19 {
		t.Fatalf("the board has %d tiles after 10 turns", n)
	}
	if n := len(squares(small.Board)); n >= 15 {
		t.Fatalf("the board has %d tiles after 2 turns", n)
	}
	// changed returns the board without some tiles, with others instead of some, moved, and turned.
	changed := func(b game.Board, less, other, right int, turn bool) (c game.Board) {
		for i, sq := range squares(b) {
			tile := b.Tile(sq)
			if i < less {
				continue
			}
			if i < less+other {
				tile = tile%20 + 1
			}
			sq.Col += right
			if turn {
				sq.Row, sq.Col = sq.Col, sq.Row
			}
			c.Put(sq, tile)
		}
		return c
	}
	blanks := func(b game.Board) game.Board {
		n := 0
		for _, sq := range squares(b) {
			if n < 2 && !b.Tile(sq).IsBlank() {
				n++
				b.Put(sq, b.Tile(sq)|game.Blank)
			}
		}
		return b
	}
	added := func(b game.Board, n int) game.Board {
		for i := range 225 {
			if sq := (game.Square{Row: i / 15, Col: i % 15}); n > 0 && b.Tile(sq) == game.NoTile {
				b.Put(sq, state.Equipment.Tiles.All().At(20+n))
				n--
			}
		}
		return b
	}
	unrated := slices.Clone(long)
	opened := unrated[0].Fact.(game.Opened)
	opened.Rules.Unrated = true
	unrated[0].Fact = opened
	b := state.Board
	for _, c := range []struct {
		name    string
		log     []game.Event
		board   game.Board
		refused map[string]bool // by person; "" is a visitor without a name
	}{
		{"the board", long, b, map[string]bool{"": true, "ann": true, "eve": true}},
		{"two tiles added", long, added(b, 2), map[string]bool{"": true, "eve": true}},
		{"three tiles added", long, added(b, 3), map[string]bool{"": true, "ann": true}},
		{"three tiles removed", long, changed(b, 3, 0, 0, false), map[string]bool{"": true, "bob": true}},
		{"letters exchanged", long, changed(b, 0, 3, 0, false), map[string]bool{"": true}},
		{"one removed, one exchanged and two added", long, added(changed(b, 1, 1, 0, false), 1), map[string]bool{"": true}},
		{"blanks for letters", long, blanks(b), map[string]bool{"": true}},
		{"rows for columns", long, changed(b, 0, 0, 0, true), map[string]bool{"": true}},
		{"rows for columns, two removed", long, changed(b, 2, 0, 0, true), map[string]bool{"": true}},
		{"moved by a column", long, changed(b, 1, 0, 1, false), map[string]bool{"": true}},
		{"another board", long, changed(b, 5, 0, 0, false), map[string]bool{"": false, "eve": false}},
		{"a small board", early, small.Board, map[string]bool{"": false, "ann": false, "eve": false}},
		{"when it is over", featuretest.Resigned(t, 10), b, map[string]bool{"": false, "ann": false, "eve": false}},
		{"an unrated game", unrated, b, map[string]bool{"": false, "eve": false, "ann": true, "bob": true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := featuretest.New(t)
				featuretest.Put(t, w.Config.Store, featuretest.Parlour, c.log)
				for who, refused := range c.refused {
					q := analysis.Question{CGP: record.Position{Board: c.board, Racks: racks, Scores: []int{0, 0}}.CGP(state.Equipment)}
					_, err := featuretest.Ask[analysis.Analysis](w, "/analyse/ask", bot.Request{Channel: featuretest.Parlour, User: bottest.People[who]}, q)
					if (err != nil) != refused || err != nil && !strings.Contains(err.Error(), "once") {
						t.Errorf("%q: %v, want a refusal: %t", who, err, refused)
					}
				}
			})
		})
	}
}

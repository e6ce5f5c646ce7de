package ladder

import (
	"slices"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// Each badge is awarded at its threshold and not just below it.
func TestBadgeThresholds(t *testing.T) {
	times := func(n int) feats { return feats{Games: n, Whole: n, MostWhole: n} }
	for _, c := range []struct {
		name          string
		short, enough badgeCounts
	}{
		{"first game", badgeCounts{}, badgeCounts{feats: feats{Games: 1}}},
		{"100 games", badgeCounts{feats: feats{Games: 99}}, badgeCounts{feats: feats{Games: 100}}},
		{"1000 games", badgeCounts{feats: feats{Games: 999}}, badgeCounts{feats: feats{Games: 1000}}},
		{"first win", badgeCounts{feats: feats{Games: 9}}, badgeCounts{feats: feats{Wins: 1}}},
		{"100 wins", badgeCounts{feats: feats{Wins: 99}}, badgeCounts{feats: feats{Wins: 100}}},
		{"first bingo", badgeCounts{}, badgeCounts{feats: feats{Bingos: 1}}},
		{"10 bingos", badgeCounts{feats: feats{Bingos: 9}}, badgeCounts{feats: feats{Bingos: 10}}},
		{"100 bingos", badgeCounts{feats: feats{Bingos: 99}}, badgeCounts{feats: feats{Bingos: 100}}},
		{"two triples", badgeCounts{}, badgeCounts{feats: feats{Triples: 1}}},
		{"100 points", badgeCounts{feats: feats{Best: &namedPlay{Score: 99}}}, badgeCounts{feats: feats{Best: &namedPlay{Score: 100}}}},
		{"10 letters", badgeCounts{feats: feats{Longest: &namedPlay{Size: 9}}}, badgeCounts{feats: feats{Longest: &namedPlay{Size: 10}}}},
		{"400 points", badgeCounts{feats: feats{High: 399}}, badgeCounts{feats: feats{High: 400}}},
		{"500 points", badgeCounts{feats: feats{High: 499}}, badgeCounts{feats: feats{High: 500}}},
		{"first phony", badgeCounts{feats: feats{Phonies: 3}}, badgeCounts{feats: feats{Caught: 1}}},
		{"25 phonies", badgeCounts{feats: feats{Caught: 24}}, badgeCounts{feats: feats{Caught: 25}}},
		{"100 whole", badgeCounts{feats: times(99)}, badgeCounts{feats: times(100)}},
		{"3 languages", badgeCounts{feats: feats{Tiles: []string{"english", "german"}}}, badgeCounts{feats: feats{Tiles: []string{"english", "french", "german"}}}},
		{"10 languages", badgeCounts{feats: feats{Tiles: make([]string, 9)}}, badgeCounts{feats: feats{Tiles: make([]string, 10)}}},
		{"first board", badgeCounts{}, badgeCounts{days: 1}},
		{"7 boards", badgeCounts{days: 20, inARow: 6}, badgeCounts{inARow: 7}},
		{"30 boards", badgeCounts{days: 29}, badgeCounts{days: 30}},
		{"365 boards", badgeCounts{days: 364}, badgeCounts{days: 365}},
	} {
		i := slices.IndexFunc(badges, func(b badge) bool { return b.name == c.name })
		if i < 0 {
			t.Errorf("there is no badge %q", c.name)
			continue
		}
		if badges[i].earned(c.short) || !badges[i].earned(c.enough) {
			t.Errorf("%s: %t for too little, %t for enough", c.name, badges[i].earned(c.short), badges[i].earned(c.enough))
		}
	}
	if len(badges) != 22 || len(badges) > 30 {
		t.Errorf("there are %d badges, and the table above has 22", len(badges))
	}
}

// Counts add up over games in any order of parts: a forfeit ends a run of completed games,
// and each tile set counts once.
func TestBadgesAddUp(t *testing.T) {
	var f feats
	for i := range 120 {
		g := feats{Games: 1, Whole: 1, MostWhole: 1, Tiles: []string{[]string{"english", "german"}[i%2]}}
		if i == 100 {
			g = feats{Games: 1, Forfeits: 1, Tiles: []string{"dutch"}}
		}
		f.add(g)
	}
	if f.Whole != 19 || f.MostWhole != 100 || f.Forfeits != 1 || !slices.Equal(f.Tiles, []string{"dutch", "english", "german"}) {
		t.Errorf("they add up to %+v", f)
	}
}

func TestCrossesTriples(t *testing.T) {
	eq := gametest.Equipment(t)
	play := func(word string, at game.Square) game.Move {
		var tiles []game.Tile
		for i := range word {
			if word[i] == '.' {
				tiles = append(tiles, game.NoTile)
				continue
			}
			ts, err := eq.Tiles.Parse(word[i : i+1])
			gametest.Must(t, err)
			tiles = append(tiles, ts.At(0))
		}
		return game.Move{Kind: game.PlayTiles, At: at, Tiles: game.TilesOf(tiles...)}
	}
	for _, c := range []struct {
		word string
		at   game.Square
		want bool
	}{
		{"HORN.EST", game.Square{}, true},               // 1A to 1H, through a tile already on the board
		{"HORNEST", game.Square{}, false},               // one triple word only
		{".ORNEST", game.Square{}, false},               // no triple word
		{"HORNES.", game.Square{Col: 1}, false},         // the second triple word was covered before
		{"HORNEST", game.Square{Row: 7, Col: 3}, false}, // no triple word in the middle of the board
	} {
		if got := crossesTriples(eq.Layout, play(c.word, c.at)); got != c.want {
			t.Errorf("%s at %v: %t", c.word, c.at, got)
		}
	}
}

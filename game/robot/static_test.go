package robot

import (
	"math/rand/v2"
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/lexicon"
)

// A duel is games between two who choose by equity alone.
type duel struct {
	rules   game.Rules
	eq      game.Equipment
	players [2]*appraiser
	w       world
}

// newDuel has the first think of leaves, and the second if it is told to.
func newDuel(tb testing.TB, variant string, both bool) *duel {
	tb.Helper()
	d := &duel{rules: game.Classic()}
	d.rules.Variant = variant
	d.rules, d.eq = gametest.Varied(tb, d.rules)
	file, err := data.Lexicon("en")
	if err != nil {
		tb.Fatal(err)
	}
	lex, err := lexicon.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	if file, err = data.Leaves("english"); err != nil {
		tb.Fatal(err)
	}
	leaves, err := OpenLeaves(gametest.Equipment(tb).Tiles, file)
	if err != nil {
		tb.Fatal(err)
	}
	gen, err := movegen.New(lex, d.eq, d.rules)
	if err != nil {
		tb.Fatal(err)
	}
	d.players[0] = newAppraiser(gen, &d.rules, d.eq, leaves)
	if !both {
		leaves = nil
	}
	d.players[1] = newAppraiser(gen, &d.rules, d.eq, leaves)
	return d
}

// game plays the n-th game. Players begin in turn.
func (d *duel) game(n int) (lead int) {
	rng := rand.New(rand.NewPCG(11, uint64(n)))
	bag := []byte(d.eq.Tiles.All())
	rng.Shuffle(len(bag), func(i, k int) { bag[i], bag[k] = bag[k], bag[i] })
	tiles := game.Tiles(bag)
	d.w = world{rules: &d.rules, set: d.eq.Tiles, turn: n % 2, seats: append(d.w.seats[:0], hand{rack: tiles[:7]}, hand{rack: tiles[7:14]}), bag: tiles[14:]}
	for !d.w.over {
		p := d.players[d.w.turn]
		p.weigh(&d.w.board, d.w.seats[d.w.turn].rack, len(d.w.bag), d.eq.Tiles.Sum(d.w.seats[1-d.w.turn].rack), 1)
		c := p.best(&d.w.board)
		d.w.move(c)
	}
	return d.w.seats[0].score - d.w.seats[1].score
}

// Whoever thinks of the tiles they keep wins, also on the junior board, where no
// bonus is to be had for good tiles.
func TestWhoThinksOfLeavesWins(t *testing.T) {
	const games = 200
	for _, variant := range []string{"", "junior"} {
		d := newDuel(t, variant, false)
		wins, lead := 0, 0
		for n := range games {
			points := d.game(n)
			lead += points
			if points > 0 {
				wins++
			}
		}
		if t.Logf("%q: %d of %d games, %d points in all", variant, wins, games, lead); wins < games*52/100 {
			t.Errorf("%q: leaves won %d of %d games", variant, wins, games)
		}
	}
}

// BenchmarkStaticGame is games of the static robot against itself.
func BenchmarkStaticGame(b *testing.B) {
	d := newDuel(b, "", true)
	d.game(0)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		d.game(n)
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "games/s")
}

package gametest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// Lexicon is the identifier of [SmallDictionary] in the games' first events.
var Lexicon = game.LexiconID{Name: "small", Hash: "0123456789abcdef"}

// People lists four players.
var People = []game.Person{{ID: "ann", Name: "Ann"}, {ID: "bob", Name: "Bob"}, {ID: "cat", Name: "Cat"}, {ID: "dan", Name: "Dan"}}

// RandomGame plays a whole game, including the lobby, with the small dictionary and rules.Variant,
// always the same for a seed, rules and number of players. Players know some words and try phonies,
// challenge rightly and wrongly, exchange and pass, and sometimes resign or agree to end the game.
// Every action goes through [game.Decide]; a rejected one fails the test.
func RandomGame(tb testing.TB, seed uint64, players int, rules game.Rules) []game.Event {
	tb.Helper()
	g := &random{
		tb: tb, rules: rules, players: players,
		rng:  rand.New(rand.NewPCG(seed, uint64(players))),
		env:  game.Env{Dict: SmallDictionary(tb), Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)},
		name: fmt.Sprintf("random game (seed %d, %d players, %s, %s, %s)", seed, players, rules.Name, rules.Challenge, rules.Variant),
	}
	g.rules, g.eq = EquipVariant(tb, rules)
	for w := range g.env.Dict.(Dictionary) {
		g.words = append(g.words, w)
	}
	slices.Sort(g.words)
	g.env.SetUp = func(seed game.Seed) (game.SetUp, error) { return game.PrintWords(g.eq, g.words, seed) }
	if rules.Variant == "unscrabble" {
		g.env.SetUp = func(game.Seed) (game.SetUp, error) { return game.SetUp{Board: FinalBoard(tb, seed)}, nil }
	}
	for i := range g.env.Secret {
		g.env.Secret[i] = byte(g.rng.Uint32())
	}
	g.open()
	for g.s.Phase != game.Over {
		if len(g.events) > 10_000 { // rules without a limit on scoreless turns allow long games: 1,403 by seed 1610
			tb.Fatalf("%s does not end", g.name)
		}
		g.turn()
	}
	return g.events
}

// Log returns the first n events of a random two-player game by the classic rules that has at least
// n, for benchmarks to replay.
func Log(tb testing.TB, n int) []game.Event {
	tb.Helper()
	logs.Lock()
	defer logs.Unlock()
	for seed := range 100 {
		if seed == len(logs.known) {
			logs.known = append(logs.known, RandomGame(tb, uint64(seed), 2, game.Classic()))
		}
		if events := logs.known[seed]; len(events) >= n {
			return slices.Clone(events[:n])
		}
	}
	tb.Fatalf("no random game has %d events", n)
	return nil
}

var logs struct {
	sync.Mutex
	known [][]game.Event // by seed
}

// A random is a random game in progress.
type random struct {
	tb      testing.TB
	name    string
	rules   game.Rules
	eq      game.Equipment
	players int
	rng     *rand.Rand
	env     game.Env
	words   []lexicon.Word
	s       game.State
	events  []game.Event
	actions int
}

// chance reports true with the given probability in percent.
func (g *random) chance(percent int) bool { return g.rng.IntN(100) < percent }

// do performs an action, a minute after the previous one.
func (g *random) do(who game.Person, a game.Action) {
	g.tb.Helper()
	g.actions++
	g.env.Cause = fmt.Sprintf("request-%d", g.actions)
	if g.s.Ticks() {
		g.env.Posted = g.env.Now.Add(time.Duration(g.rng.IntN(20)) * time.Second)
	}
	g.env.Now = g.env.Now.Add(time.Minute)
	events, err := game.Decide(g.s, who, a, g.env)
	if err != nil {
		g.tb.Fatalf("%s, event %d: %T by %s: %v", g.name, g.s.Number, a, who.Name, err)
	}
	for _, e := range events {
		g.s = g.s.Apply(e)
	}
	g.events = append(g.events, events...)
}

func (g *random) open() {
	g.do(People[0], game.Open{Rules: g.rules, Equipment: g.eq, Lexicon: Lexicon, Seats: min(g.players+g.rng.IntN(2), g.rules.MaxPlayers)})
	for _, p := range People[1:g.players] {
		g.do(p, game.Join{})
		if g.s.Phase == game.Lobby && g.chance(20) {
			g.do(p, game.Leave{})
			g.do(p, game.Join{})
		}
	}
	if g.s.Phase == game.Lobby {
		g.do(People[0], game.Start{})
	}
}

// turn performs one action of one player.
func (g *random) turn() {
	if g.s.TwoBags && g.chance(5) {
		i := g.s.Active()[0]
		g.do(g.s.Seats[i].Person, game.Prefer{Vowels: g.rng.IntN(1 + g.rules.RackSize)})
	}
	if g.challengeLatest() {
		return
	}
	active := g.s.Active()
	if g.s.Phase == game.Voting {
		g.vote()
		return
	}
	if g.s.Phase == game.Closing {
		if g.chance(20) {
			g.env.Now = g.s.Until
			g.do(game.Person{ID: "the host"}, game.TimeUp{})
			return
		}
		for _, i := range active {
			if i != g.s.Latest.Seat && !g.s.Seats[i].Accepted {
				g.do(g.s.Seats[i].Person, game.Pass{})
				return
			}
		}
	}
	if g.rules.Agreement && g.chance(2) {
		if i := active[g.rng.IntN(len(active))]; !g.s.Seats[i].Agreed {
			g.do(g.s.Seats[i].Person, game.Agree{})
			return
		}
	}
	if g.s.Electable() && g.chance(30) {
		g.do(g.s.Seats[active[0]].Person, game.Agree{})
		return
	}
	if g.rng.IntN(1000) < 5*(len(active)-1) {
		g.do(g.s.Seats[active[g.rng.IntN(len(active))]].Person, game.Resign{})
		return
	}
	if seat := g.s.Seats[g.s.Turn]; g.s.Printed.Empty() || !g.cover(seat) {
		g.move(seat)
	}
}

// move plays the turn of the player to move.
func (g *random) move(seat game.Seat) {
	bold := 7 // percentage of turns with a phony
	if len(g.s.Bag) == 0 {
		bold = 40
	}
	switch {
	case !g.s.Printed.Empty() && len(g.s.Bag) > 0 && seat.Rack != "" && g.chance(90):
		g.do(seat.Person, game.Exchange{Tiles: seat.Rack[:1]})
	case !g.s.Printed.Empty():
		g.do(seat.Person, game.Pass{})
	case g.rules.Variant == "unscrabble":
		g.remove(seat)
	case g.chance(bold) && !g.rules.Challenge.Void && g.playPhony(seat):
	case g.chance(92) && g.playWord(seat):
	case g.chance(90) && len(g.s.Bag) >= max(1, g.rules.ExchangeMin):
		put := []byte(seat.Rack)
		g.rng.Shuffle(len(put), func(i, j int) { put[i], put[j] = put[j], put[i] })
		most := min(len(put), len(g.s.Bag))
		g.do(seat.Person, game.Exchange{Tiles: game.Tiles(put[:1+g.rng.IntN(most)])})
	default:
		g.do(seat.Person, game.Pass{})
	}
}

// vote votes for some order or none, or lets the time for it pass.
func (g *random) vote() {
	if g.chance(10) {
		g.env.Now = g.s.Until
		g.do(game.Person{ID: "the host"}, game.TimeUp{})
		return
	}
	who := g.s.Seats[g.rng.IntN(len(g.s.Seats))].Person
	if orders := g.s.Orders(); g.chance(80) {
		g.do(who, game.Vote{Order: orders[g.rng.IntN(len(orders))]})
	} else {
		g.do(who, game.Vote{})
	}
}

// challengeLatest challenges the latest play: often if it is a phony, seldom if not, and sometimes only
// one of its words.
func (g *random) challengeLatest() bool {
	p := g.s.Latest
	if p == nil || g.rules.Challenge.Void {
		return false
	}
	var open, bad []game.Tiles
	for _, w := range p.UnjudgedWords() {
		open = append(open, w.Tiles)
		if !g.env.Dict.Has(w.Letters()) {
			bad = append(bad, w.Tiles)
		}
	}
	if len(open) == 0 || !g.chance(4) && (len(bad) == 0 || !g.chance(70)) {
		return false
	}
	var a game.Challenge
	if g.chance(30) {
		a.Words = open[:1]
	}
	for _, i := range g.s.Active() {
		if i != p.Seat && g.chance(60) {
			g.do(g.s.Seats[i].Person, a)
			return true
		}
	}
	return false
}

// playWord plays a word of the dictionary, if one fits.
func (g *random) playWord(seat game.Seat) bool {
	tried := 0
	has := g.letters(seat.Rack)
	for _, i := range g.rng.Perm(len(g.words)) {
		if !has.possible(g.words[i]) {
			continue
		}
		if tried++; tried > 40 {
			return false // the player overlooks it
		}
		sp := make(game.Spelling, len(g.words[i]))
		for j := range sp {
			sp[j].Letter = lexicon.Letter(g.words[i][j])
		}
		spots := g.rules.Spots(g.s.Equipment, &g.s.Board, seat.Rack, sp, g.env.Dict)
		if len(spots) > 0 {
			g.do(seat.Person, g.play(spots[g.rng.IntN(len(spots))].Move))
			return true
		}
	}
	return false
}

// A letters value holds the letters available for words.
type letters struct {
	held    [256]uint8 // number of each tile on the rack
	onBoard [256]bool  // letters on the board, blanks by their letter
}

func (g *random) letters(rack game.Tiles) (all letters) {
	for i := range len(rack) {
		all.held[rack.At(i)]++
	}
	on := g.s.Board.Tiles()
	for i := range len(on) {
		all.onBoard[on.At(i).Letter()] = true
	}
	return all
}

// possible reports whether a word's letters are on the rack or on the board.
func (l letters) possible(w lexicon.Word) bool {
	for i := range len(w) {
		t := game.LetterTile(lexicon.Letter(w[i]))
		switch {
		case l.held[t] > 0:
			l.held[t]--
		case l.held[game.Blank] > 0:
			l.held[game.Blank]--
		case !l.onBoard[t]:
			return false
		}
	}
	return true
}

// playPhony plays arbitrary tiles wherever they fit: as many as the rack has if the bag is empty, so
// that games end by going out.
func (g *random) playPhony(seat game.Seat) bool {
	m, ok := g.guess(seat.Rack)
	if ok {
		g.do(seat.Person, g.play(m))
	}
	return ok
}

// guess returns a play of arbitrary tiles of a rack wherever they fit.
func (g *random) guess(rack game.Tiles) (game.Move, bool) {
	n := g.s.Equipment.Layout.Size()
	for range 100 {
		tiles := []byte(rack)
		g.rng.Shuffle(len(tiles), func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
		if len(g.s.Bag) > 0 {
			tiles = tiles[:1+g.rng.IntN(len(tiles))]
		}
		m := game.Move{Kind: game.PlayTiles, At: game.Square{Row: g.rng.IntN(n), Col: g.rng.IntN(n)}, Dir: game.Across}
		if g.chance(50) {
			m.Dir = game.Down
		}
		m.Tiles = g.through(m.At, m.Dir, tiles)
		if _, err := g.rules.Tally(g.s.Equipment, &g.s.Board, m); err == nil {
			return m, true
		}
	}
	return game.Move{}, false
}

// through returns tiles laid in a line, around those on the board, with letters for the blanks.
func (g *random) through(sq game.Square, d game.Dir, tiles []byte) game.Tiles {
	var out []game.Tile
	for n := 0; len(tiles) > 0 || g.s.Board.Tile(sq.Step(d, n)) != game.NoTile; n++ {
		if g.s.Board.Tile(sq.Step(d, n)) != game.NoTile {
			out = append(out, game.NoTile)
			continue
		}
		t := game.Tile(tiles[0])
		if t == game.Blank {
			t = game.BlankAs(lexicon.Letter(1 + g.rng.IntN(g.s.Equipment.Tiles.Alphabet().Len())))
		}
		out, tiles = append(out, t), tiles[1:]
	}
	return game.TilesOf(out...)
}

package game_test

import (
	"flag"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// actions returns every action. Variants reject the actions of others.
func actions() []game.Action {
	return []game.Action{
		game.Join{}, game.Leave{}, game.Start{}, game.Play{}, game.Exchange{}, game.Pass{}, game.Challenge{}, game.Resign{}, game.Agree{}, game.TimeUp{},
		game.Hint{}, game.Vote{}, game.Prefer{}, game.Submit{}, game.EndTurn{}, game.Remove{},
		game.Expire{}, game.Claim{}, game.WaitOn{}, game.ComeBack{}, game.Vacate{}, game.Adopt{}, game.Abandon{},
	}
}

// A script is the input of a fuzz target, read byte by byte.
type script struct{ bytes []byte }

func (s *script) next() int {
	if len(s.bytes) == 0 {
		return 0
	}
	b := s.bytes[0]
	s.bytes = s.bytes[1:]
	return int(b)
}

// fill fills a value with what a person might send, or not. Tiles mostly come from a rack.
func (s *script) fill(v reflect.Value, rack game.Tiles) {
	switch v.Interface().(type) {
	case game.Tiles:
		var tiles []game.Tile
		for range s.next() % 9 {
			switch b := s.next(); {
			case b < 200 && rack != "":
				tiles = append(tiles, rack.At(b%len(rack)))
			default:
				tiles = append(tiles, game.Tile(b))
			}
		}
		v.SetString(string(game.TilesOf(tiles...)))
		return
	case game.PlayerID:
		v.SetString(string(gametest.People[s.next()%len(gametest.People)].ID))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			s.fill(v.Field(i), rack)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), s.next()%5, 4))
		for i := range v.Len() {
			s.fill(v.Index(i), rack)
		}
	case reflect.Int:
		v.SetInt(int64(s.next()%20 - 2))
	case reflect.Uint8:
		v.SetUint(uint64(s.next() % 5))
	case reflect.Bool:
		v.SetBool(s.next()%2 == 0)
	}
}

// FuzzVariants performs actions from bytes at tables of every variant: out of turn, with an empty
// bag, with wrong counts, from other variants, during the vote on the order. A rejected action must
// be a breach of the rules and change nothing; a performed one must preserve the tiles and replay
// to the same state.
func FuzzVariants(f *testing.F) {
	names := []string{""}
	for _, v := range game.Variants() {
		names = append(names, v.Name)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 12 * len(names) {
		b := make([]byte, 500)
		for j := range b {
			b[j] = byte(rng.Uint32())
		}
		b[0] = byte(i)
		f.Add(b)
	}
	dict := gametest.SmallDictionary(f)
	words := strings.Fields(gametest.SmallList)
	few := fewTiles(f)
	var printable []lexicon.Word
	for w := range dict {
		printable = append(printable, w)
	}
	slices.Sort(printable)
	final := gametest.FinalBoard(f, 1)
	done := map[string]int{}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		if len(bytes) > 800 {
			return
		}
		in := &script{bytes}
		variant, _ := game.FindVariant(names[in.next()%len(names)])
		rules := game.RuleSets()[in.next()%len(game.RuleSets())]
		rules.Challenge = game.ChallengeRules()[in.next()%len(game.ChallengeRules())]
		rules.Order = game.Orders()[in.next()%len(game.Orders())]
		eq := gametest.Equipment(t)
		if in.next()%2 == 0 {
			eq.Tiles = few
		}
		rules, eq, err := variant.Vary(rules, eq, gametest.Layouts(t))
		gametest.Must(t, err)
		players := min(rules.MaxPlayers, max(rules.MinPlayers, 1+in.next()%3))
		setUp := func(seed game.Seed) (game.SetUp, error) {
			switch {
			case variant.Name != "unscrabble":
				return game.PrintWords(eq, printable, seed)
			case eq.Tiles == few:
				return game.SetUp{Board: hornBoard(t, few)}, nil
			}
			return game.SetUp{Board: final}, nil
		}
		var s game.State
		var log []game.Event
		now := time.Unix(0, 0).UTC()
		do := func(who game.Person, a game.Action) bool {
			step := time.Minute / 8
			if variant.Shared {
				step = time.Second // turns have their own time
			}
			now = now.Add(time.Duration(in.next()) * step)
			before := s
			events, err := game.Decide(s, who, a, game.Env{Dict: dict, Now: now, Cause: "c", Posted: now.Add(-time.Minute), Secret: game.Secret{7}, SetUp: setUp})
			if !reflect.DeepEqual(s, before) {
				t.Fatalf("%T changed the state it was asked about", a)
			}
			if err != nil {
				if e := ruleError(t, err); e.Code == 0 || len(events) > 0 {
					t.Fatalf("%T: %v, %d events", a, e, len(events))
				}
				return false
			}
			for _, e := range events {
				s = s.Apply(e)
			}
			log = append(log, events...)
			if got, want := (tilesOf(s) + s.Common).Sorted(), eq.Tiles.All(); got != want {
				t.Fatalf("after %T there are the tiles %s, not %s", a, eq.Tiles.Print(got), eq.Tiles.Print(want))
			}
			done[reflect.TypeOf(a).Name()]++
			return true
		}
		if !do(gametest.People[0], game.Open{Rules: rules, Equipment: eq, Seats: players}) {
			return // too few tiles for all of them
		}
		for i := 1; i < players; i++ {
			do(gametest.People[i], game.Join{})
		}
		all := actions()
		for steps := 0; len(in.bytes) > 0 && steps < 100; steps++ {
			who := gametest.People[in.next()%4]
			if in.next()%3 > 0 && len(s.Seats) > 0 {
				who = s.Seats[s.Turn%len(s.Seats)].Person
			}
			var rack game.Tiles
			if seat, ok := s.SeatOf(who.ID); ok {
				rack = s.RackOf(seat)
			}
			if s.Latest != nil && in.next()%4 == 0 {
				do(who, game.Challenge{})
				continue
			}
			if spots := s.CoverMoves(rack); !s.Printed.Empty() && len(spots) > 0 && in.next()%2 == 0 {
				if do(who, game.Play{Move: spots[in.next()%len(spots)].Move}) {
					done["Cover"]++
				}
				continue
			}
			if !s.Board.Empty() && variant.Name == "unscrabble" && in.next()%2 == 0 {
				squares := game.Removal(s.Board, dict, 1+in.next()%game.MostRemoved)
				do(who, game.Remove{Squares: squares})
				continue
			}
			if in.next()%2 == 0 { // a word that fits, perhaps with a wish
				sp, err := game.ParseSpelling(eq.Tiles, words[in.next()*len(words)/256])
				gametest.Must(t, err)
				if spots := rules.Spots(eq, &s.Board, rack, sp, nil); len(spots) > 0 {
					m := spots[in.next()%len(spots)].Move
					wish := game.Wish{Given: in.next()%2 == 0, Vowels: in.next()%10 - 1}
					do(who, []game.Action{game.Play{Move: m, Draw: wish}, game.Submit{Move: m}}[in.next()%2])
				}
				continue
			}
			a := reflect.New(reflect.TypeOf(all[in.next()%len(all)])).Elem()
			in.fill(a, rack)
			do(who, a.Interface().(game.Action))
		}
		if again, err := game.Replay(log); err != nil || !reflect.DeepEqual(again, s) {
			t.Fatalf("the log replays to something else: %v", err)
		}
	})
	if flag.Lookup("test.fuzz").Value.String() != "" {
		return
	}
	// The seeds cover the variants' own actions, and votes.
	for _, what := range []string{"Prefer", "Vote", "Submit", "EndTurn", "Play", "Exchange", "Challenge", "Cover", "Remove"} {
		if done[what] == 0 {
			f.Errorf("no input has a %s that is taken", what)
		}
	}
}

// hornBoard returns a board with one word on it.
func hornBoard(tb testing.TB, set *game.TileSet) game.Board {
	tiles, err := set.Parse("HORN")
	gametest.Must(tb, err)
	var b game.Board
	b.Lay(game.Move{Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: tiles})
	return b
}

// fewTiles returns a set with one of each letter, so that the bag is soon empty.
func fewTiles(f *testing.F) *game.TileSet {
	kinds := slices.Clone(gametest.Equipment(f).Tiles.Kinds())
	for i := range kinds {
		kinds[i].Count = 1
	}
	last := len(kinds) - 1
	set, err := game.NewTileSet("few", kinds[:last], kinds[last])
	gametest.Must(f, err)
	return set
}

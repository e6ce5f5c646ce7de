package game_test

import (
	"errors"
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

// seeds adds the first inputs of a fuzz target.
func seeds[T any](f *testing.F, inputs ...T) {
	f.Helper()
	if len(inputs) == 0 {
		f.Fatal("no seeds")
	}
	for _, in := range inputs {
		f.Add(in)
	}
}

func FuzzParseAt(f *testing.F) {
	seeds(f, "8H", "h8", " 15O", "A1", "21U", "8HH", "0H", "99999999999999999999H", "８H", "ⅷh", "")
	f.Fuzz(func(t *testing.T, text string) {
		sq, dir, err := game.ParseAt(text)
		if err != nil {
			if !errors.Is(err, game.ErrNoSquare) {
				t.Fatal(err)
			}
			return
		}
		if sq.Row < 0 || sq.Col < 0 || sq.Row >= game.MaxSize || sq.Col >= game.MaxSize {
			t.Fatalf("%q is %v", text, sq)
		}
		if again, d, err := game.ParseAt(sq.At(dir)); err != nil || again != sq || d != dir {
			t.Fatalf("%q is %s, which is %s, %v", text, sq.At(dir), again.At(d), err)
		}
	})
}

// FuzzParseSpelling checks that a parsed word can be printed and parsed to the same, and can be
// placed or is rejected.
func FuzzParseSpelling(f *testing.F) {
	seeds(f, "QUIZ", "q?uiz", "R..D", "R(EA)D", "[LL]", "cholla", "c[h]", "(?A)", "A?", "((", "Ñ", "\xff", "[", "(.[ch])")
	eq := gametest.Equipment(f)
	es, err := game.ParseTileSet("spanish", spanish)
	gametest.Must(f, err)
	board := gametest.Board(f, eq, " 8 .......LOC")
	f.Fuzz(func(t *testing.T, text string) {
		for _, set := range []*game.TileSet{eq.Tiles, es} {
			sp, err := game.ParseSpelling(set, text)
			if err != nil {
				if e := ruleError(t, err); e.Code != game.BadWord || e.Text != text {
					t.Fatalf("%q: %v", text, e)
				}
				continue
			}
			var b strings.Builder
			for _, s := range sp {
				letter := "[" + set.Alphabet().Text(s.Letter) + "]"
				switch {
				case s.Letter == 0:
					letter = "."
				case s.Through:
					letter = "(" + letter + ")"
				case s.Blank:
					letter = "?" + letter
				}
				b.WriteString(letter)
			}
			if again, err := game.ParseSpelling(set, b.String()); err != nil || !slices.Equal(again, sp) {
				t.Fatalf("%q is %v; written %s it is %v, %v", text, sp, b.String(), again, err)
			}
			eq := game.Equipment{Layout: eq.Layout, Tiles: set}
			rack := set.All()[:7] + game.TilesOf(game.Blank)
			for _, at := range []game.Square{{Row: 7, Col: 7}, {Row: 7, Col: 6}, {Row: 6, Col: 8}, {}} {
				m, err := game.Place(eq, &board, rack, at, game.Across, sp)
				if err != nil {
					ruleError(t, err)
					continue
				}
				if _, ok := rack.Minus(m.Tiles.Faces()); !ok || len(m.Tiles) != len(sp) {
					t.Fatalf("%q is placed as %s", text, m.Text(set))
				}
			}
		}
	})
}

// FuzzParseTiles checks that parsed tiles print so that they parse to the same.
func FuzzParseTiles(f *testing.F) {
	seeds(f, "QU.Z?", "quiz", "[L]L[ll]", "LLL", "cChH", "[", "[]", "Ñ", "\xff", "")
	es, err := game.ParseTileSet("spanish", spanish)
	gametest.Must(f, err)
	en := gametest.Equipment(f).Tiles
	f.Fuzz(func(t *testing.T, text string) {
		for _, set := range []*game.TileSet{en, es} {
			ts, err := set.Parse(text)
			if err != nil {
				if !errors.Is(err, lexicon.ErrNoLetter) {
					t.Fatal(err)
				}
				continue
			}
			if again, err := set.Parse(set.Print(ts)); err != nil || again != ts {
				t.Fatalf("%q prints as %s, which reads as %q, %v", text, set.Print(ts), again, err)
			}
		}
	})
}

func FuzzParseLayout(f *testing.F) {
	seeds(f, gametest.Equipment(f).Layout.Text, "*.\n..", "+.\r\n..\r\n", "*", "..\n..", "*..\n...\n..", "*é\n..", strings.Repeat("\n", 30))
	f.Fuzz(func(t *testing.T, text string) {
		l, err := game.ParseLayout("fuzz", text)
		if err != nil {
			return
		}
		if again, err := game.ParseLayout("fuzz", l.Text); err != nil || again != l {
			t.Fatalf("%q is read as %q, then as %q, %v", text, l.Text, again.Text, err)
		}
		if l.Size() < 2 || l.Size() > game.MaxSize || !l.On(l.Start()) {
			t.Fatalf("size %d, start %s", l.Size(), l.Start())
		}
		for row := range l.Size() {
			for col := range l.Size() {
				l.Premium(game.Square{Row: row, Col: col})
			}
		}
	})
}

func FuzzParseTileSet(f *testing.F) {
	seeds(f, spanish, "A\t1\t1\n", "?\t1\t0\n", "A\t1\t1\tv\r\n# c\n\nB\t0\t0\n", "A\t-1\t1", "", "[\t1\t1", "ß\t1\t1\nSS\t1\t1")
	f.Fuzz(func(t *testing.T, text string) {
		set, err := game.ParseTileSet("fuzz", text)
		if err != nil {
			return
		}
		total, points := 0, 0
		for _, k := range set.Kinds() {
			total += k.Count
			points += k.Count * k.Value
		}
		all := set.All()
		if len(all) != total || set.Sum(all) != points || all != all.Sorted() || total == 0 {
			t.Fatalf("%d tiles of %d points, want %d of %d", len(all), set.Sum(all), total, points)
		}
		for i := range len(all) {
			if !set.Has(all.At(i)) {
				t.Fatalf("the set has no %q", all[i])
			}
		}
		_ = set.Print(all)
	})
}

// FuzzDecide plays what the bytes say. A rejected action must be a breach of the rules and change
// nothing; a performed one must preserve the tiles and replay to the same state.
func FuzzDecide(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	var inputs [][]byte
	for range 2 * gametest.Share(20) {
		b := make([]byte, 400)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		inputs = append(inputs, b)
	}
	seeds(f, inputs...)
	eq := gametest.Equipment(f)
	dict := gametest.SmallDictionary(f)
	words := strings.Fields(gametest.SmallList)
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 600 {
			return
		}
		next := func() int {
			if len(script) == 0 {
				return 0
			}
			b := script[0]
			script = script[1:]
			return int(b)
		}
		rules := game.RuleSets()[next()%2]
		rules.Challenge = game.ChallengeRules()[next()%len(game.ChallengeRules())]
		players := 2 + next()%3
		tiles := func(rack game.Tiles, n int) game.Tiles {
			var out []game.Tile
			for range n {
				switch b := next(); {
				case b < 200 && len(rack) > 0:
					tile := rack.At(b % len(rack))
					if tile == game.Blank {
						tile = game.BlankAs(5)
					}
					out = append(out, tile)
				case b < 230:
					out = append(out, game.NoTile)
				default:
					out = append(out, game.Tile(next()))
				}
			}
			return game.TilesOf(out...)
		}
		var s game.State
		var log []game.Event
		now := time.Unix(0, 0).UTC()
		do := func(who int, a game.Action) {
			now = now.Add(time.Duration(next()) * time.Minute)
			before := s
			events, err := game.Decide(s, gametest.People[who], a, game.Env{Dict: dict, Now: now, Cause: "c", Secret: game.Secret{byte(next())}})
			if !reflect.DeepEqual(s, before) {
				t.Fatalf("%T changed the state it was asked about", a)
			}
			if err != nil {
				if e := ruleError(t, err); e.Code == 0 || len(events) > 0 {
					t.Fatalf("%T: %v, %d events", a, e, len(events))
				}
				return
			}
			if len(events) == 0 {
				t.Fatalf("%T did nothing", a)
			}
			if _, opens := a.(game.Open); opens {
				s, log = game.State{}, nil
			}
			for _, e := range events {
				s = s.Apply(e)
			}
			log = append(log, events...)
			held := s.Board.Tiles().Faces() + s.Bag + s.Removed
			for _, seat := range s.Seats {
				held += seat.Rack
			}
			if held.Sorted() != eq.Tiles.All() {
				t.Fatalf("after %T there are %d tiles", a, len(held))
			}
		}
		do(0, game.Open{Rules: rules, Equipment: eq, Seats: players})
		for i := 1; i < players; i++ {
			do(i, game.Join{})
		}
		for steps := 0; len(script) > 0 && steps < 100; steps++ {
			who := next() % 4
			if next()%4 > 0 && len(s.Seats) > 0 {
				who = slices.IndexFunc(gametest.People, func(p game.Person) bool { return p == s.Seats[s.Turn%len(s.Seats)].Person })
			}
			var rack game.Tiles
			if seat, ok := s.SeatOf(gametest.People[who].ID); ok {
				rack = s.Seats[seat].Rack
			}
			var a game.Action
			switch op := next() % 24; op {
			case 0:
				a = game.Open{Rules: rules, Equipment: eq, Seats: next()%6 - 1}
			case 1:
				a = []game.Action{game.Join{}, game.Leave{}, game.Start{}, game.TimeUp{}}[next()%4]
			case 2:
				if next()%8 == 0 {
					a = game.Resign{}
				} else {
					a = game.Agree{}
				}
			case 3, 4, 5:
				a = game.Pass{}
			case 6, 7:
				a = game.Exchange{Tiles: tiles(rack, next()%9)}
			case 8, 9, 10:
				c := game.Challenge{}
				if s.Latest != nil && next()%2 == 0 {
					c.Words = append(c.Words, s.Latest.Words[next()%len(s.Latest.Words)].Tiles)
				}
				if next()%8 == 0 {
					c.Words = append(c.Words, tiles(rack, next()%5))
				}
				a = c
			case 11, 12, 13:
				a = game.Play{Move: game.Move{
					Kind: game.MoveKind(1 + next()/80), At: game.Square{Row: next() % 17, Col: next() % 17},
					Dir: game.Dir(1 + next()/120), Tiles: tiles(rack, next()%10),
				}}
			default:
				sp, err := game.ParseSpelling(eq.Tiles, words[next()*len(words)/256])
				gametest.Must(t, err)
				a = game.Pass{}
				if spots := rules.Spots(eq, &s.Board, rack, sp, nil); len(spots) > 0 {
					a = game.Play{Move: spots[next()%len(spots)].Move}
				}
			}
			do(who, a)
		}
		if again, err := game.Replay(log); err != nil || !reflect.DeepEqual(again, s) {
			t.Fatalf("the log replays to something else: %v", err)
		}
	})
}

// FuzzReplay breaks the logs of real games in one field or place. The result must be an error or a
// state, never a panic, and no action at such a table may panic either.
func FuzzReplay(f *testing.F) {
	var inputs []uint64
	for seed := range uint64(gametest.Share(400)) {
		inputs = append(inputs, seed)
	}
	seeds(f, inputs...)
	var logs [][]game.Event
	for _, challenge := range game.ChallengeRules() {
		rules := game.Club()
		rules.Challenge = challenge
		for seed := range uint64(3) {
			logs = append(logs, gametest.RandomGame(f, seed, 2+int(seed), rules))
		}
	}
	dict := gametest.SmallDictionary(f)
	f.Fuzz(func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 0))
		log := slices.Clone(logs[rng.IntN(len(logs))])
		log = log[:1+rng.IntN(len(log))]
		i := rng.IntN(len(log))
		switch rng.IntN(8) {
		case 0:
			log = slices.Delete(log, i, i+1)
		case 1:
			log = slices.Insert(log, i, log[rng.IntN(len(log))])
		case 2:
			j := rng.IntN(len(log))
			log[i], log[j] = log[j], log[i]
		case 3:
			log[i].Fact = nil
		default:
			fact := reflect.New(reflect.TypeOf(log[i].Fact)).Elem()
			fact.Set(reflect.ValueOf(log[i].Fact))
			spoil(rng, fact)
			log[i].Fact = fact.Interface().(game.Fact)
		}
		if rng.IntN(4) > 0 { // correct the numbers again
			for n := range log {
				log[n].Number = n
			}
		}
		s, err := game.Replay(log)
		if err != nil {
			return
		}
		for _, who := range gametest.People {
			for _, a := range []game.Action{
				game.Join{}, game.Leave{}, game.Start{}, game.Pass{}, game.Challenge{}, game.Resign{}, game.Agree{}, game.TimeUp{},
				game.Exchange{Tiles: game.TilesOf(1)}, game.Play{Move: game.Move{Kind: game.PlayTiles, Dir: game.Across, Tiles: game.TilesOf(1, 2)}},
			} {
				if _, err := game.Decide(s, who, a, game.Env{Dict: dict, Now: time.Now()}); err != nil {
					ruleError(t, err)
				}
			}
		}
		for i := range s.Seats {
			s.Unseen(i)
		}
	})
}

// spoil changes a part of a value.
func spoil(rng *rand.Rand, v reflect.Value) {
	numbers := []int64{-1, 0, 1, 2, 3, 7, 99, 255, 1 << 40, -1 << 62}
	switch v.Kind() {
	case reflect.Struct:
		if n := v.NumField(); n > 0 && v.Type() != reflect.TypeFor[time.Time]() {
			spoil(rng, v.Field(rng.IntN(n)))
		}
	case reflect.Slice:
		fresh := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(fresh, v)
		switch n := v.Len(); {
		case n > 0 && rng.IntN(3) > 0:
			spoil(rng, fresh.Index(rng.IntN(n)))
		case n > 0 && rng.IntN(2) == 0:
			fresh = fresh.Slice(0, n-1)
		default:
			fresh = reflect.Append(fresh, reflect.Zero(v.Type().Elem()))
		}
		v.Set(fresh)
	case reflect.String:
		b := []byte(v.String())
		switch rng.IntN(4) {
		case 0:
			b = nil
		case 1:
			b = append(b, byte(rng.Uint32()))
		case 2:
			b = append(b, b...)
		default:
			if len(b) > 0 {
				b[rng.IntN(len(b))] = byte(rng.Uint32())
			}
		}
		v.SetString(string(b))
	case reflect.Int, reflect.Int64:
		v.SetInt(numbers[rng.IntN(len(numbers))])
	case reflect.Uint8:
		v.SetUint(uint64(byte(rng.Uint32())))
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Pointer:
		v.SetZero()
	}
}

package game_test

import (
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

const full = "AEINRST" // an arbitrary rack

// TestWorkedExample plays the example at the end of document 003.
func TestWorkedExample(t *testing.T) {
	g := sit(t, game.Classic(), "HORNEEE", "FAMEEEE")
	for i, c := range []struct {
		rack, play string
		score      int
	}{
		{"HORNEEE", "8F HORN", 14},
		{"FAMEEEE", "H6 FA.M", 9},
		{"PASTEEE", "10F PASTE", 25},
		{"OBEEEEE", "9H .OB", 16},
		{"BITEEEE", "11E BIT", 16},
	} {
		g.rack(i%2, c.rack)
		if got := g.plays(i%2, c.play); got != c.score {
			t.Errorf("%s scores %d, want %d", c.play, got, c.score)
		}
	}
	g.wantScores(14+25+16, 9+16)
	g.wantBoard(`
   ABCDEFGHIJ
 6 .......F
 7 .......A
 8 .....HORN
 9 .......MOB
10 .....PASTE
11 ....BIT
`)
}

// TestPlayRefills checks that a player draws as many tiles as were played, or all that are left
// (000 play 2, 004).
func TestPlayRefills(t *testing.T) {
	for _, c := range []struct{ name, bag, rack string }{
		{"the bag is full enough", "ZZZZZZZ", "EEEZZZZ"},
		{"just enough", "ZZZZ", "EEEZZZZ"},
		{"too few", "ZZ", "EEEZZ"},
		{"none", "", "EEE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := sit(t, game.Classic(), "HORNEEE", full)
			g.bag(c.bag)
			g.plays(ann, "8H HORN")
			g.wantRack(ann, c.rack)
			if want := max(0, len(c.bag)-4); len(g.s.Bag) != want {
				t.Errorf("%d tiles in the bag, want %d", len(g.s.Bag), want)
			}
			g.wantTurn(bob)
		})
	}
}

// TestPlayRefused checks that errors say what is wrong with a play, tile by tile.
func TestPlayRefused(t *testing.T) {
	for _, c := range []struct {
		name, rack, play string
		code             game.Code
		square, tile     string
	}{
		{"D8 needs the Q at D10", "AEINRS", "D8 AEQ", game.NotOnRack, "D10", "Q"},
		{"one E is not two", "AEINRST", "8H TEE", game.NotOnRack, "J8", "E"},
		{"no blank", "AEINRST", "8H TEn", game.NotOnRack, "J8", "?"},
		{"squares played through need no tile", "EINRST", "8H ..Q", game.NotOnRack, "J8", "Q"},
		{"not over the start", "AEINRST", "8A TEN", game.MissesStart, "H8", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := sit(t, game.Classic(), c.rack, full)
			e := g.refused(ann, game.Play{Move: g.move(c.play)}, c.code)
			if e.Square.String() != c.square || c.tile != "" && g.s.Equipment.Tiles.Text(e.Tile) != c.tile {
				t.Errorf("%s at %s, want %s at %s", g.s.Equipment.Tiles.Text(e.Tile), e.Square, c.tile, c.square)
			}
			if e.Move != g.move(c.play) {
				t.Errorf("the move is %s", e.Move.Text(g.s.Equipment.Tiles))
			}
			if c.code == game.NotOnRack && e.Rack != g.tiles(c.rack) {
				t.Errorf("the rack is %s", g.s.Equipment.Tiles.Print(e.Rack))
			}
			g.wantTurn(ann)
		})
	}
}

// TestVoidRuleRejectsPhonies checks that the void rule rejects a play with invalid words and names each.
func TestVoidRuleRejectsPhonies(t *testing.T) {
	rules := game.Classic()
	rules.Challenge = game.Void
	g := sit(t, rules, "HORNXQE", "SJOEEEE")
	if e := g.refused(ann, game.Play{Move: g.move("8H XQ")}, game.NotAWord); len(e.Words) != 1 || e.Words[0] != g.tiles("XQ") {
		t.Errorf("the words are %q", e.Words)
	}
	g.plays(ann, "8H HORN")
	e := g.refused(bob, game.Play{Move: g.move("L8 SJO")}, game.NotAWord) // HORNS is valid
	if len(e.Words) != 1 || e.Words[0] != g.tiles("SJO") {
		t.Errorf("the words are %q", e.Words)
	}
	e = g.refused(bob, game.Play{Move: g.move("9H JO")}, game.NotAWord) // JO is invalid
	if len(e.Words) != 2 || e.Words[0] != g.tiles("HJ") || e.Words[1] != g.tiles("OO") {
		t.Errorf("the words are %q, want JO's two cross words", e.Words)
	}
	g.plays(bob, "L8 SO")
	g.refused(ann, game.Challenge{}, game.NoChallenge)
}

// TestExchange checks that an exchange needs seven tiles in the bag, and that the new tiles are
// drawn before the old ones go back (000 play 7, 004).
func TestExchange(t *testing.T) {
	g := sit(t, game.Classic(), "AABCDEF", full)
	g.bag("ZZZZZZZ")
	g.does(ann, game.Exchange{Tiles: g.tiles("AAB")})
	g.wantRack(ann, "CDEFZZZ")
	if want := g.tiles("AABZZZZ"); g.s.Bag != want {
		t.Errorf("the bag is %s, want AABZZZZ", g.s.Equipment.Tiles.Print(g.s.Bag))
	}
	g.wantTurn(bob)
	g.wantScores(0, 0)
	g.does(bob, game.Exchange{Tiles: g.tiles(full)}) // the whole rack
	if g.s.Scoreless != 2 {
		t.Errorf("%d scoreless turns, want 2", g.s.Scoreless)
	}
}

func TestExchangeRefused(t *testing.T) {
	anyNumber := game.Classic()
	anyNumber.ExchangeMin = 0
	for _, c := range []struct {
		name    string
		rules   game.Rules
		bag     string
		put     string
		code    game.Code
		n, need int
	}{
		{"six in the bag", game.Classic(), "ZZZZZZ", "A", game.BagTooSmall, 6, 7},
		{"six in the bag, club", game.Club(), "ZZZZZZ", "A", game.BagTooSmall, 6, 7},
		{"an empty bag", game.Classic(), "", "A", game.BagTooSmall, 0, 7},
		{"any number, but more than the bag gives", anyNumber, "ZZ", "ABC", game.BagTooSmall, 2, 3},
		{"nothing", game.Classic(), "ZZZZZZZ", "", game.NothingPut, 0, 0},
		{"a tile of another's", game.Classic(), "ZZZZZZZ", "AS", game.NotOnRack, 0, 0},
		{"one A twice", game.Classic(), "ZZZZZZZ", "AA", game.NotOnRack, 0, 0},
		{"more than a rack", game.Classic(), "ZZZZZZZZZ", "ABCDEFGA", game.NotOnRack, 0, 0},
		{"a square", game.Classic(), "ZZZZZZZ", ".", game.NotOnRack, 0, 0},
		{"a blank that has a letter", game.Classic(), "ZZZZZZZ", "a", game.NotOnRack, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := sit(t, c.rules, "ABCDEFG", full)
			g.bag(c.bag)
			e := g.refused(ann, game.Exchange{Tiles: g.tiles(c.put)}, c.code)
			if e.N != c.n || e.Need != c.need {
				t.Errorf("%d, need %d; want %d, need %d", e.N, e.Need, c.n, c.need)
			}
			if c.code == game.NotOnRack && e.Rack != g.tiles("ABCDEFG") {
				t.Errorf("the rack is %s", g.s.Equipment.Tiles.Print(e.Rack))
			}
		})
	}
	t.Run("any number that the bag gives", func(t *testing.T) {
		g := sit(t, anyNumber, "ABCDEFG", full)
		g.bag("ZZ")
		g.does(ann, game.Exchange{Tiles: g.tiles("AB")})
		g.wantRack(ann, "CDEFGZZ")
	})
}

// TestTurnsRotate checks that the turn passes from player to player (000), with 2 to 4 players.
func TestTurnsRotate(t *testing.T) {
	for players := 2; players <= 4; players++ {
		g := sit(t, game.Classic(), []string{"EEEEEEE", "AAAAAAA", "IIIIIII", "OOOOOOO"}[:players]...)
		for i := range 5 {
			turn := i % players
			g.wantTurn(turn)
			for other := range players {
				if other != turn {
					if e := g.refused(other, game.Pass{}, game.NotYourTurn); e.Seat != turn {
						t.Errorf("told that it is %d's turn, it is %d's", e.Seat, turn)
					}
				}
			}
			g.pass(turn)
		}
	}
}

// TestForbiddenActions checks every action by a person without a seat, before the start and after the end.
func TestForbiddenActions(t *testing.T) {
	actions := []game.Action{game.Play{}, game.Exchange{}, game.Pass{}, game.Challenge{}, game.Resign{}, game.Agree{}}
	lobby := sit(t, game.Club(), full, full)
	lobby.s.Phase = game.Lobby
	running := sit(t, game.Club(), full, full)
	over := sit(t, game.Club(), full, full)
	over.does(ann, game.Resign{})
	var none table
	none.T = t
	for _, a := range actions {
		none.refused(ann, a, game.NotStarted)
		lobby.refused(ann, a, game.NotStarted)
		running.refused(cat, a, game.NotPlaying)
		over.refused(bob, a, game.GameOver)
	}
	for _, a := range []game.Action{game.Join{}, game.Leave{}, game.Start{}} {
		none.refused(ann, a, game.NotStarted)
		running.refused(ann, a, game.AlreadyStarted)
		running.refused(cat, a, game.AlreadyStarted)
		over.refused(ann, a, game.GameOver)
	}
	for _, g := range []*table{&none, lobby, running, over} {
		g.refused(ann, game.TimeUp{}, game.NothingToJudge)
	}
	running.refused(ann, game.Challenge{}, game.NothingToJudge)
}

// TestHostileMoves checks that hostile input is rejected without a panic.
func TestHostileMoves(t *testing.T) {
	const far = int(^uint(0) >> 1)
	long := string(make([]byte, 2_000))
	e := game.LetterTile(5)
	for name, m := range map[string]game.Move{
		"nothing":                   {},
		"no kind":                   {At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: game.TilesOf(e, e)},
		"an exchange":               {Kind: game.ExchangeTiles, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: game.TilesOf(e, e)},
		"an unknown kind":           {Kind: 200, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: game.TilesOf(e, e)},
		"no direction":              {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Tiles: game.TilesOf(e, e)},
		"an unknown direction":      {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Dir: 77, Tiles: game.TilesOf(e, e)},
		"no tiles":                  {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Dir: game.Across},
		"far right":                 {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: far}, Dir: game.Across, Tiles: game.TilesOf(e, e)},
		"far down":                  {Kind: game.PlayTiles, At: game.Square{Row: far, Col: far}, Dir: game.Down, Tiles: game.TilesOf(e, e)},
		"far left":                  {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: -far - 1}, Dir: game.Across, Tiles: game.TilesOf(e, e)},
		"left of the board":         {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: -1}, Dir: game.Across, Tiles: game.TilesOf(e, e)},
		"off the board of 15":       {Kind: game.PlayTiles, At: game.Square{Row: 17, Col: 17}, Dir: game.Across, Tiles: game.TilesOf(e, e)},
		"over its edge":             {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 14}, Dir: game.Across, Tiles: game.TilesOf(e, e)},
		"squares alone":             {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: game.TilesOf(0, 0, 0)},
		"a blank without letter":    {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: game.TilesOf(e, game.Blank)},
		"a tile beyond the set":     {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: game.TilesOf(e, 99)},
		"a blank beyond the set":    {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: game.TilesOf(e, game.Blank|99)},
		"the blank's own number":    {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: game.TilesOf(e, game.Blank|27)},
		"longer than the board":     {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: game.TilesOf(e) + game.Tiles(long)},
		"more squares than a board": {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: game.Tiles(long)},
		"one tile alone":            {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: game.TilesOf(e)},
		"played through nothing":    {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 7}, Dir: game.Across, Tiles: game.TilesOf(e, 0, e)},
		"more tiles than a rack's":  {Kind: game.PlayTiles, At: game.Square{Row: 7, Col: 2}, Dir: game.Across, Tiles: game.TilesOf(e, e, e, e, e, e, e, e, e)},
	} {
		t.Run(name, func(t *testing.T) {
			g := sit(t, game.Classic(), "EEEEE??", full)
			_, err := g.try(ann, game.Play{Move: m})
			e := ruleError(t, err)
			_ = e.Error()
			_ = m.Text(g.s.Equipment.Tiles)
			if name == "a blank without letter" && (e.Code != game.BlankUnnamed || e.Square.String() != "I8") {
				t.Errorf("%v at %s", e, e.Square)
			}
		})
	}
}

func TestMoveText(t *testing.T) {
	eq := gametest.Equipment(t)
	for _, text := range []string{"8H HORN", "H8 .aRM", "exchange AEI?", "pass"} {
		if got := gametest.Move(t, eq, text).Text(eq.Tiles); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
}

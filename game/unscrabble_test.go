package game_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// lifting returns a table of unscrabble with a board at which Ann is to move.
func lifting(t *testing.T, players int, board string) *table {
	g := sit(t, vary(game.Family(), "unscrabble"), make([]string, players)...)
	g.board(board)
	return g
}

func removing(t *testing.T, squares ...string) game.Remove {
	t.Helper()
	var a game.Remove
	for _, text := range squares {
		sq, _, err := game.ParseAt(text)
		gametest.Must(t, err)
		a.Squares = append(a.Squares, sq)
	}
	return a
}

// TestUnscrabble checks each statement of document 002, variations, about what a player may take
// off a board.
func TestUnscrabble(t *testing.T) {
	const horn = "8 .......HORN"
	for what, test := range map[string]struct {
		board   string
		take    []string
		refused game.Code // 0 if allowed
		score   int
	}{
		"002 variations: one tile":                                            {"8 .......HORNS", []string{"L8"}, 0, 1},
		"002 variations: up to six tiles":                                     {"8 ....PAINTERS", []string{"G8", "H8", "I8", "J8", "K8", "L8"}, 0, 6},
		"002 variations: not seven":                                           {"8 ....PAINTERS", []string{"F8", "G8", "H8", "I8", "J8", "K8", "L8"}, game.WrongCount, 0},
		"002 variations: at least one":                                        {horn, nil, game.WrongCount, 0},
		"002 variations: the letters left must spell proper words":            {horn, []string{"H8"}, game.NotAWord, 0},
		"002 variations: in both directions":                                  {"8 .......HO\n9 .......O\n10 .......R\n11 .......N", []string{"H11"}, game.NotAWord, 0},
		"002 variations: interlocked with one another":                        {"8 .......HORN\n9 .......O", []string{"I8", "J8", "K8"}, 0, 3},
		"002 variations: words in two parts are not":                          {"8 .......HORN\n9 .......O..O", []string{"I8", "J8"}, game.NotWholeLeft, 0},
		"002 variations: a single letter spells no word":                      {"8 .......HO", []string{"I8"}, game.NotWholeLeft, 0},
		"002 variations: nothing that is left spells nothing wrong":           {"8 .......HO", []string{"H8", "I8"}, 0, 5},
		"002 variations: a stock of face values, premium squares don't count": {"8 .......HORN", []string{"H8", "I8", "J8", "K8"}, 0, 7},
		"002 variations: a blank is worth nothing":                            {"8 .......HoRN", []string{"H8", "I8", "J8", "K8"}, 0, 6},
		"no tile lies there":                                                  {horn, []string{"A1"}, game.Gap, 0},
		"the board ends before":                                               {horn, []string{"U21"}, game.Gap, 0},
		"a tile is taken once":                                                {horn, []string{"K8", "K8"}, game.NamedTwice, 0},
	} {
		t.Run(what, func(t *testing.T) {
			g := lifting(t, 2, test.board)
			if test.refused != 0 {
				g.refused(ann, removing(t, test.take...), test.refused)
				return
			}
			g.does(ann, removing(t, test.take...))
			if got := g.s.Seats[ann].Score; got != test.score {
				t.Errorf("%d points, want %d", got, test.score)
			}
			if got := g.s.Equipment.Tiles.Sum(g.s.Seats[ann].Taken); got != test.score || len(g.s.Seats[ann].Taken) != len(test.take) {
				t.Errorf("the stock is %q", g.s.Equipment.Tiles.Print(g.s.Seats[ann].Taken))
			}
		})
	}
}

// TestUnscrabbleEnds checks that the game ends when no one can remove more tiles, and that the most
// valuable stock wins (document 002, variations).
func TestUnscrabbleEnds(t *testing.T) {
	for _, test := range []struct {
		what    string
		board   string
		take    [][]string // moves of Ann, Bob and so on; nil for a pass
		reason  game.EndReason
		winners []int
	}{
		{"all is taken", "8 .......HORN", [][]string{{"H8", "I8", "J8", "K8"}}, game.StuckEnd, []int{ann}},
		{"the other took more", "8 .......HORNS", [][]string{{"L8"}, {"H8", "I8", "J8", "K8"}}, game.StuckEnd, []int{bob}},
		{"what is left is one word, too long to take", "8 ....RELIGIONS", [][]string{{"M8"}}, game.StuckEnd, []int{ann}},
		{"all pass in turn, a tie", "8 .......HORN", [][]string{nil, nil}, game.PassedEnd, []int{ann, bob}},
		{"a pass, and a tile", "8 .......HORNS", [][]string{nil, {"L8"}, nil, nil}, game.PassedEnd, []int{bob}},
	} {
		t.Run(test.what, func(t *testing.T) {
			g := lifting(t, 2, test.board)
			g.env.Dict = gametest.Words(t, "HORN HORNS RELIGION RELIGIONS")
			for i, squares := range test.take {
				if g.s.Phase != game.Playing {
					t.Fatalf("over after %d turns", i)
				}
				if squares == nil {
					g.does(i%2, game.Pass{})
				} else {
					g.does(i%2, removing(t, squares...))
				}
			}
			if g.s.End == nil || g.s.End.Reason != test.reason || !slices.Equal(g.s.End.Winners, test.winners) {
				t.Errorf("the end is %+v", g.s.End)
			}
		})
	}
}

// TestUnscrabbleRefuses checks that actions of other games, and actions out of turn, are rejected.
func TestUnscrabbleRefuses(t *testing.T) {
	g := lifting(t, 3, "8 .......HORNS")
	g.refused(bob, removing(t, "L8"), game.NotYourTurn)
	g.refused(ann, game.Play{Move: g.move("8H HORN")}, game.NotHere)
	g.refused(ann, game.Exchange{}, game.NotHere)
	g.refused(ann, game.Challenge{}, game.NoChallenge)
	g.refused(ann, game.Hint{}, game.NotHere)
	g.does(bob, game.Resign{})
	g.does(ann, removing(t, "L8"))
	g.refused(bob, removing(t, "H8"), game.NotPlaying)
	if g.s.Turn != cat {
		t.Errorf("it is the turn of seat %d", g.s.Turn)
	}
	ordinary := sit(t, game.Classic(), "HORNFAM", "HORNFAM")
	ordinary.refused(ann, removing(t, "H8"), game.NotHere)
}

// TestRemoval compares Removal with trying every set of tiles.
func TestRemoval(t *testing.T) {
	eq := gametest.Equipment(t)
	rng := rand.New(rand.NewPCG(1, 2))
	found := [2]int{}
	for seed := range uint64(gametest.Share(24) + 6) {
		rules := game.Classic()
		rules.Challenge = game.Void
		events := gametest.RandomGame(t, seed, 2, rules)
		// Make only some of the played words valid: few words leave a valid part.
		dict := gametest.Dictionary{}
		legal := func(b game.Board) bool { return game.IsConnected(&b, dict) }
		var s game.State
		plays := 2 + rng.IntN(3)
		for _, e := range events {
			s = s.Apply(e)
			if f, ok := e.Fact.(game.Played); ok {
				for _, w := range f.Words {
					dict[w.Letters()] = rng.IntN(2) == 0
				}
				if plays--; plays == 0 {
					break
				}
			}
		}
		var squares []game.Square
		for row := range 15 {
			for col := range 15 {
				if sq := (game.Square{Row: row, Col: col}); s.Board.Tile(sq) != game.NoTile {
					squares = append(squares, sq)
				}
			}
		}
		if len(squares) > 11 {
			continue
		}
		for most := 1; most <= 6; most++ {
			want := false
			for set := 1; set < 1<<len(squares) && !want; set++ {
				n, b := 0, s.Board
				for i, sq := range squares {
					if set>>i&1 == 1 {
						n++
						b.Put(sq, game.NoTile)
					}
				}
				want = n <= most && legal(b)
			}
			got := game.Removal(s.Board, dict, most)
			if (got != nil) != want {
				t.Fatalf("seed %d, %d tiles: %v, want %t from\n%s", seed, most, got, want, gametest.Picture(eq, s.Board))
			}
			if got == nil {
				found[0]++
			} else {
				found[1]++
				b := s.Board
				for _, sq := range got {
					b.Put(sq, game.NoTile)
				}
				if len(got) > most || !legal(b) {
					t.Fatalf("%v leaves\n%s", got, gametest.Picture(eq, b))
				}
			}
		}
	}
	if found[0] < 5 || found[1] < 5 {
		t.Errorf("only %d boards with no removal, %d with one", found[0], found[1])
	}
}

package game_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// The statements of the rules documents that a test can tell, by the number of
// the document (000 club, 001 rulebook, 002 family, 003 match, 004 classic) and
// what it is about. What a whole file is about is tested there: scoring in
// score_test.go, clocks in clock_test.go, matches in match_test.go, draws in
// draw_test.go, proofs in package record.
func TestDocuments(t *testing.T) {
	sets := map[string]game.Rules{"000": game.Club(), "001": game.Rulebook(), "002": game.Family(), "003": game.Match(), "004": game.Classic()}
	for what, test := range map[string]func(*testing.T, game.Rules){
		// Equipment.
		"000 equipment: 225 squares, 164 plain, 24 double and 12 triple letter, 17 double and 8 triple word": layout,
		"004 equipment: 100 tiles, 98 with letters, Q and Z are worth 10, blanks 0": func(t *testing.T, r game.Rules) {
			set := gametest.Equipment(t).Tiles
			all := set.All()
			if len(all) != 100 || all.Count(game.Blank) != 2 || set.Value(game.Blank) != 0 || set.Sum(gametest.Tiles(t, gametest.Equipment(t), "QZ")) != 20 {
				t.Errorf("%d tiles", len(all))
			}
		},

		// The first turn, and joining.
		"000 play 1: the first word covers the star": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			g.refused(ann, game.Play{Move: g.move("7H HORN")}, game.MissesStart)
			g.plays(ann, "8E HORN")
		},
		"001 make a play: the first word has two letters or more": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			g.refused(ann, game.Play{Move: g.move("8H H")}, game.TooShort)
		},
		"004 plays: one continuous word": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			g.refused(ann, game.Play{Move: g.move("8G HO.RN")}, game.Gap)
		},
		"002 plays: all new words use the letters that lie there": func(t *testing.T, r game.Rules) {
			g := sit(t, r, full, "FARMEEE")
			g.board("8 .......HORN")
			g.pass(ann)
			g.refused(bob, game.Play{Move: g.move("2B FARM")}, game.NotJoined)
			g.plays(bob, "J6 FA.M")
		},
		"000 play 6: no tile moves once it is played": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "FARMEEE", full)
			g.board("8 .......HORN")
			g.refused(ann, game.Play{Move: g.move("8H FARM")}, game.Occupied)
		},
		"003 plays: a blank has a letter, and keeps it": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HO?NFAM", "FAMSEEE")
			g.refused(ann, game.Play{Move: g.move("8H HO?N")}, game.BlankUnnamed)
			g.plays(ann, "8H HOrN")
			g.refused(bob, game.Play{Move: g.move("8H ..S.")}, game.Occupied)
		},

		// Scoring.
		"003 scoring: the worked example": func(t *testing.T, r game.Rules) {
			g := sit(t, game.Rules{Name: "003", RackSize: 7, Order: game.Drawn, Challenge: game.Single, OutBonus: game.OutDeduct}, "HORNEEE", full)
			for i, c := range []struct {
				rack, play string
				want       int
			}{{"HORNEEE", "8F HORN", 14}, {"FAMEEEE", "H6 FA.M", 9}, {"PASTEEE", "10F PASTE", 25}, {"OBEEEEE", "9H .OB", 16}, {"BITEEEE", "11E BIT", 16}} {
				seat := i % 2
				g.rack(seat, c.rack)
				if got := g.plays(seat, c.play); got != c.want {
					t.Errorf("%s scores %d, want %d", c.play, got, c.want)
				}
			}
		},
		"000 scoring 6: a blank on a word premium still multiplies": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "?ORNFAM", full)
			if got := g.plays(ann, "8H hORN"); got != 2*(0+1+1+1) {
				t.Errorf("%d", got)
			}
		},
		"002 scoring: 50 for all seven tiles": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "RETAINS", full)
			if got := g.plays(ann, "8H RETAINS"); got != 50+2*8 {
				t.Errorf("%d", got)
			}
		},

		// Turns that lay no tiles.
		"000 play 7: no exchange with fewer than seven in the bag": exchanges(6, 1, false),
		"000 play 7: an exchange with seven in the bag":            exchanges(7, 7, true),
		"001 options: no exchange with fewer than seven":           exchanges(6, 1, false),
		"002 exchange: any number that the bag can give":           exchanges(3, 3, true),
		"002 exchange: no more than the bag can give":              exchanges(3, 4, false),
		"003 exchange: all, some, as many as the bag can give":     exchanges(1, 1, true),
		"003 exchange: not without a tile in the bag":              exchanges(0, 1, false),
		"004 exchange: at least seven must remain":                 exchanges(6, 1, false),
		"000 play 8: passing at any time": func(t *testing.T, r game.Rules) {
			g := sit(t, r, full, full)
			g.bag("")
			g.pass(ann, bob)
		},
		"004 rack: who draws takes what there is": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			g.bag("AE")
			g.plays(ann, "8H HORN")
			if got := len(g.s.Seats[ann].Rack); got != 5 || g.s.Bag != "" {
				t.Errorf("%d tiles", got)
			}
		},

		// Phonies.
		"000 play 12: an invalid play is removed, and the turn lost":  caught,
		"004 challenge: the tiles go back, and the turn is forfeited": caught,
		"000 play 12: a wrong challenge costs nothing":                wrongIsFree,
		"001 make a play: only valid words":                           onlyWords,
		"002 plays: only words":                                       onlyWords,
		"003 plays: only words of the list":                           onlyWords,
		"004 challenge: any of the words formed": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "FARMSEE", full)
			g.board("8 .......HORN")
			g.plays(ann, "L7 SEE")
			f, _ := g.challenges(bob, "HORNE")
			if len(f.Words) != 1 || len(f.Invalid) != 1 {
				t.Errorf("%+v", f)
			}
		},
		"000 play 11: no dictionaries during the game":            func(t *testing.T, r game.Rules) { wantIs(t, "a word check", r.WordCheck, false) },
		"001 before the start: the players agree on a dictionary": func(t *testing.T, r game.Rules) { wantIs(t, "a word check", r.WordCheck, true) },

		// The end.
		"000 scoring 9: who goes out gets double what the others hold": goesOut(2*3, 0),
		"001 ends: one plays every tile, the bag being empty":          goesOut(3, -3),
		"002 ends: the others' tiles go to who is out":                 goesOut(3, -3),
		"003 unplayed letters: reduced, and added to who is out":       goesOut(3, -3),
		"004 the end: reduced, and added to who is out":                goesOut(3, -3),
		"000 scoring 11: six scoreless turns end the game": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "AEE", "AE")
			g.pass(ann, bob, ann, bob, ann)
			g.wantTurn(bob)
			g.pass(bob)
			g.wantEnd(game.ScorelessEnd, []int{-3, -2}, bob)
		},
		"000 scoring 11: the players may simply agree": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "AEE", "AE")
			g.does(ann, game.Agree{})
			g.wantTurn(ann)
			g.does(bob, game.Agree{})
			g.wantEnd(game.AgreementEnd, []int{-3, -2}, bob)
		},
		"001 ends: at least six scoreless turns, and a player decides": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "AEE", "AE")
			g.pass(ann, bob, ann, bob, ann)
			g.refused(bob, game.Agree{}, game.TooFewScoreless)
			g.pass(bob, ann)
			g.does(ann, game.Agree{})
			g.wantEnd(game.ScorelessEnd, []int{-3, -2}, bob)
		},
		"001 ends: six scoreless turns alone don't end it, and a play starts the count again": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			g.pass(ann, bob, ann, bob, ann, bob)
			g.plays(ann, "8H HORN")
			g.refused(bob, game.Agree{}, game.TooFewScoreless)
		},
		"002 ends: nobody can think of a word, all pass in turn": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "AEE", "AE", "A")
			g.pass(ann, bob)
			g.does(cat, game.Exchange{Tiles: g.tiles("A")})
			g.pass(ann, bob)
			g.wantTurn(cat)
			g.pass(cat)
			if g.s.End == nil || g.s.End.Reason != game.PassedEnd {
				t.Errorf("%+v", g.s.End)
			}
		},
		"003 ends: both pass twice in a row, four passes": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "AEE", "AE")
			g.pass(ann, bob, ann)
			g.does(bob, game.Exchange{Tiles: g.tiles("A")})
			g.rack(bob, "AE")
			g.pass(ann, bob, ann)
			g.wantTurn(bob)
			g.pass(bob)
			g.wantEnd(game.PassedEnd, []int{-3, -2}, bob)
		},
		"003 ends: six scoreless turns that are no passes don't end it": func(t *testing.T, r game.Rules) {
			g := sit(t, r, full, full)
			for i := range 10 {
				g.does(i%2, game.Exchange{Tiles: g.s.Seats[i%2].Rack[:1]})
			}
			g.wantTurn(ann)
		},
		"004 scoreless turns: a pass, an exchange, a phony, and a play of blanks only": func(t *testing.T, r game.Rules) {
			wantIs(t, "a play for nothing is scoreless", r.ZeroPlays, true)
		},

		// Who wins.
		"000 scoring 10: ties are not broken": tie(ann, bob),
		"003 scoring: tie":                    tie(ann),
		"003 rules: two players": func(t *testing.T, r game.Rules) {
			wantIs(t, "players", r.MinPlayers == 2 && r.MaxPlayers == 2 && r.Games == 2, true)
		},

		// Clocks.
		"000 playing equipment: 25 minutes, 10 points for each minute over": func(t *testing.T, r game.Rules) {
			wantIs(t, "the clock", r.Clock == game.Clock{Time: 25 * time.Minute, Penalty: 10}, true)
		},
	} {
		t.Run(what, func(t *testing.T) { test(t, sets[what[:3]]) })
	}
}

func wantIs(t *testing.T, what string, got, want bool) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %t, want %t", what, got, want)
	}
}

func layout(t *testing.T, _ game.Rules) {
	eq := gametest.Equipment(t)
	count := map[[2]int]int{}
	for row := range 15 {
		for col := range 15 {
			p := eq.Layout.Premium(game.Square{Row: row, Col: col})
			count[[2]int{p.Letter(), p.Word()}]++
		}
	}
	for premium, want := range map[[2]int]int{{1, 1}: 164, {2, 1}: 24, {3, 1}: 12, {1, 2}: 17, {1, 3}: 8} {
		if count[premium] != want {
			t.Errorf("%d squares %v, want %d", count[premium], premium, want)
		}
	}
}

// exchanges has a player put n tiles back, of so many in the bag.
func exchanges(inBag, n int, may bool) func(*testing.T, game.Rules) {
	return func(t *testing.T, r game.Rules) {
		g := sit(t, r, full, full)
		g.s.Bag = g.s.Bag[:inBag]
		a := game.Exchange{Tiles: g.s.Seats[ann].Rack[:n]}
		if !may {
			g.refused(ann, a, game.BagTooSmall)
			return
		}
		g.does(ann, a)
		g.wantTurn(bob)
	}
}

func caught(t *testing.T, r game.Rules) {
	g := sit(t, r, "HORNFAM", full)
	g.plays(ann, "8H NORHF")
	g.challenges(bob)
	if g.s.Seats[ann].Rack.Sorted() != g.tiles("HORNFAM").Sorted() || g.s.Seats[ann].Score != 0 || !g.s.Board.Empty() {
		t.Errorf("Ann has %+v", g.s.Seats[ann])
	}
	g.wantTurn(bob)
}

func wrongIsFree(t *testing.T, r game.Rules) {
	g := sit(t, r, "HORNFAM", full)
	g.plays(ann, "8H HORN")
	g.challenges(bob)
	if g.s.Seats[ann].Score != 14 {
		t.Errorf("Ann has %d points", g.s.Seats[ann].Score)
	}
	g.wantTurn(bob)
}

func onlyWords(t *testing.T, r game.Rules) {
	g := sit(t, r, "HORNFAM", full)
	g.refused(ann, game.Play{Move: g.move("8H NORHF")}, game.NotAWord)
	g.wantTurn(ann)
}

// goesOut has Ann go out while Bob holds three points.
func goesOut(hers, his int) func(*testing.T, game.Rules) {
	return func(t *testing.T, r game.Rules) {
		g := sit(t, r, "HORN", "AEE")
		g.bag("")
		g.plays(ann, "8H HORN")
		if g.s.Phase == game.Closing {
			g.pass(bob)
		}
		g.wantEnd(game.WentOut, []int{hers, his}, ann)
	}
}

// tie has both come to the same score, Ann with more before the racks.
func tie(winners ...int) func(*testing.T, game.Rules) {
	return func(t *testing.T, r game.Rules) {
		g := sit(t, r, "AEE", "AE")
		g.s.Seats[ann].Score, g.s.Seats[bob].Score = 11, 10
		for g.s.Phase == game.Playing {
			g.pass(g.s.Turn)
		}
		if !slices.Equal(g.s.End.Winners, winners) {
			t.Errorf("won by %v, want %v", g.s.End.Winners, winners)
		}
	}
}

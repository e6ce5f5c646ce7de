package game_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
)

// with returns a rule set with another challenge rule.
func with(r game.Rules, c game.ChallengeRule) game.Rules {
	r.Challenge = c
	return r
}

// phony returns a game in which Ann has just played ZORN and drawn.
func phony(t *testing.T, rules game.Rules, others ...string) *table {
	t.Helper()
	g := sit(t, rules, append([]string{"ZORNEEE"}, others...)...)
	if got := g.plays(ann, "8H ZORN"); got != 26 {
		t.Fatalf("ZORN scores %d", got)
	}
	return g
}

// TestRightChallenge checks that the play is removed and its turn lost (000 play 12, 004).
func TestRightChallenge(t *testing.T) {
	for _, rule := range []game.ChallengeRule{game.Single, game.Double, game.FivePoint, game.TenPoint} {
		t.Run(rule.String(), func(t *testing.T) {
			g := sit(t, with(game.Classic(), rule), "ZORNEEE", "SAEEIII")
			before := g.s
			g.plays(ann, "8H ZORN")
			f, events := g.challenges(bob)
			if f.By != bob || f.Player != ann || f.Bonus != 0 || f.LosesTurn || f.LosesGame || len(events) != 1 {
				t.Errorf("%+v, %d events", f, len(events))
			}
			if !slices.Equal(f.Invalid, []game.Tiles{g.tiles("ZORN")}) {
				t.Errorf("invalid are %q", f.Invalid)
			}
			g.wantBoard("")
			g.wantScores(0, 0)
			g.wantRack(ann, "ZORNEEE")
			if g.s.Bag != before.Bag {
				t.Error("the tiles drawn did not go back into the bag")
			}
			if g.s.Scoreless != 1 {
				t.Errorf("%d scoreless turns, want 1 (000 scoring 11)", g.s.Scoreless)
			}
			g.wantTurn(bob)
			g.refused(bob, game.Challenge{}, game.NothingToJudge)
		})
	}
}

// TestWrongChallenge checks the penalty under each rule, with one word and two.
func TestWrongChallenge(t *testing.T) {
	for _, c := range []struct {
		rule     game.ChallengeRule
		one, two int // points that the player gains
		cost     int // points that the challenger loses for each word
		lost     bool
	}{
		{game.Single, 0, 0, 0, false},
		{game.Double, 0, 0, 0, true},
		{game.FivePoint, 5, 10, 0, false},
		{game.TenPoint, 10, 20, 0, false},
		{game.ChallengeRule{Name: "7 off", Cost: 7}, 0, 0, 7, false},
	} {
		t.Run(c.rule.String(), func(t *testing.T) {
			g := sit(t, with(game.Classic(), c.rule), "HORNEEE", "SOEEIII")
			g.plays(ann, "8H HORN")
			f, events := g.challenges(bob)
			if f.Bonus != c.one || f.Cost != c.cost || f.LosesTurn != c.lost || f.LosesGame || len(f.Invalid) > 0 || len(f.Words) != 1 {
				t.Errorf("%+v", f)
			}
			g.wantScores(14+c.one, -c.cost)
			g.wantBoard(` 8 .......HORN`)
			e := g.refused(bob, game.Challenge{}, game.AlreadyJudged)
			if !slices.Equal(e.Words, []game.Tiles{g.tiles("HORN")}) {
				t.Errorf("judged are %q", e.Words)
			}
			if !c.lost {
				g.wantTurn(bob)
				g.plays(bob, "L8 SO") // forms HORNS and SO
				f, _ = g.challenges(ann)
				if f.Bonus != c.two || f.Cost != 2*c.cost || len(f.Words) != 2 {
					t.Errorf("%+v, want %d points for two words", f, c.two)
				}
				g.wantTurn(ann)
				return
			}
			if _, ok := events[1].Fact.(game.TurnLost); !ok || len(events) != 2 {
				t.Errorf("%+v, want a lost turn", events)
			}
			g.wantTurn(ann)
			if g.s.Scoreless != 1 {
				t.Errorf("%d scoreless turns, want 1", g.s.Scoreless)
			}
		})
	}
}

// TestTripleChallenge checks that the player in the wrong loses the game.
func TestTripleChallenge(t *testing.T) {
	rules := with(game.Classic(), game.Triple)
	t.Run("2 players, right: the player loses", func(t *testing.T) {
		g := phony(t, rules, full)
		f, _ := g.challenges(bob)
		if !f.LosesGame || f.LosesTurn {
			t.Errorf("%+v", f)
		}
		g.wantScores(0, 0)
		g.wantEnd(game.TripleEnd, []int{0, 0}, bob)
	})
	t.Run("2 players, wrong: the challenger loses, though ahead", func(t *testing.T) {
		g := sit(t, rules, "HORNEEE", full)
		g.s.Seats[bob].Score = 300
		g.plays(ann, "8H HORN")
		g.challenges(bob)
		g.wantEnd(game.TripleEnd, []int{0, 0}, ann)
		g.wantScores(14, 300)
	})
	t.Run("3 players, right: the player is out, the others go on", func(t *testing.T) {
		g := phony(t, rules, "AAEEIII", "OOUUIII")
		g.challenges(cat)
		if !g.s.Seats[ann].Out || g.s.Removed != g.tiles("EEENORZ") || g.s.Seats[ann].Rack != "" {
			t.Errorf("Ann's tiles did not leave play: %+v, %q", g.s.Seats[ann], g.s.Removed)
		}
		g.wantBoard("")
		g.wantTurn(bob)
		g.refused(ann, game.Pass{}, game.NotPlaying)
		g.pass(bob, cat)
		g.wantTurn(bob)
	})
	t.Run("3 players, wrong by the next: the turn goes on", func(t *testing.T) {
		g := sit(t, rules, "HORNEEE", "AAEEIII", "OOUUIII")
		g.plays(ann, "8H HORN")
		g.challenges(bob)
		if !g.s.Seats[bob].Out || g.s.Removed != g.tiles("AAEEIII") {
			t.Errorf("Bob's tiles did not leave play: %q", g.s.Removed)
		}
		g.wantTurn(cat)
		g.pass(cat)
		g.wantTurn(ann)
	})
	t.Run("3 players, two in turn: the last wins", func(t *testing.T) {
		g := sit(t, rules, "HORNEEE", "SOEEIII", "OOUUIII")
		g.plays(ann, "8H HORN")
		g.challenges(cat)
		g.plays(bob, "L8 SO")
		g.challenges(ann)
		g.wantEnd(game.TripleEnd, []int{0, 0, 0}, bob)
	})
}

// TestOnlyNamedWordsAreJudged checks that only the words named by the challenger are judged.
func TestOnlyNamedWordsAreJudged(t *testing.T) {
	// SJO is invalid, HORNS valid.
	start := func(t *testing.T, rule game.ChallengeRule) *table {
		g := sit(t, with(game.Classic(), rule), "HORNEEE", "SJOEIII", "OOUUIII")
		g.plays(ann, "8H HORN")
		g.plays(bob, "L8 SJO")
		return g
	}
	t.Run("the valid one while another is invalid: the challenge fails", func(t *testing.T) {
		g := start(t, game.FivePoint)
		f, _ := g.challenges(cat, "HORNS")
		if f.Bonus != 5 || len(f.Invalid) > 0 || len(f.Words) != 1 {
			t.Errorf("%+v", f)
		}
		t.Run("and the other can still be challenged", func(t *testing.T) {
			f, _ := g.challenges(ann)
			if len(f.Words) != 1 || len(f.Invalid) != 1 {
				t.Errorf("%+v, want SJO alone", f)
			}
			g.wantScores(14, 5, 0) // the bonus remains, the play's score doesn't
			g.wantBoard(` 8 .......HORN`)
			g.wantTurn(cat)
		})
	})
	t.Run("the invalid one", func(t *testing.T) {
		g := start(t, game.Single)
		f, _ := g.challenges(ann, "SJO")
		if len(f.Words) != 1 || len(f.Invalid) != 1 {
			t.Errorf("%+v", f)
		}
	})
	t.Run("both words, one named twice", func(t *testing.T) {
		g := start(t, game.Single)
		f, _ := g.challenges(ann, "SJO", "HORNS", "SJO")
		if len(f.Words) != 2 || len(f.Invalid) != 1 {
			t.Errorf("%+v", f)
		}
	})
	t.Run("blanks or not, a word is its letters", func(t *testing.T) {
		g := start(t, game.Single)
		f, _ := g.challenges(ann, "sJo")
		if len(f.Invalid) != 1 || f.Invalid[0] != g.tiles("SJO") {
			t.Errorf("%+v", f)
		}
	})
	t.Run("one word formed, one not", func(t *testing.T) {
		g := start(t, game.Double)
		f, _ := g.challenges(ann, "ZZZ", "SJO", "HORN")
		if len(f.Words) != 1 || f.Words[0] != g.tiles("SJO") {
			t.Errorf("%+v", f)
		}
	})
	t.Run("no word that was formed", func(t *testing.T) {
		g := start(t, game.Double)
		e := g.refused(ann, g.challenge("HORN", "ZZZ"), game.WordNotPlayed)
		if !slices.Equal(e.Words, []game.Tiles{g.tiles("HORN"), g.tiles("ZZZ")}) {
			t.Errorf("%q", e.Words)
		}
	})
	t.Run("one that was judged", func(t *testing.T) {
		g := start(t, game.Single)
		g.challenges(cat, "HORNS")
		e := g.refused(ann, g.challenge("SJO", "HORNS"), game.AlreadyJudged)
		if !slices.Equal(e.Words, []game.Tiles{g.tiles("HORNS")}) {
			t.Errorf("%q", e.Words)
		}
	})
	t.Run("nonsense", func(t *testing.T) {
		g := start(t, game.Single)
		for _, w := range []game.Tiles{"", "\x00", "\xff\xff", game.TilesOf(game.Blank), game.Tiles(make([]byte, 5000))} {
			g.refused(ann, game.Challenge{Words: []game.Tiles{w}}, game.WordNotPlayed)
		}
	})
	t.Run("a word that the play forms twice is judged once", func(t *testing.T) {
		g := sit(t, with(game.Classic(), game.TenPoint), "BIIIIII", full)
		g.board(`
 7 .......A
 8 ......A
`)
		g.bag("")
		g.rack(ann, "B")
		g.plays(ann, "8G .B") // forms AB twice
		f, _ := g.challenges(bob, "AB")
		if f.Bonus != 10 || len(f.Words) != 1 {
			t.Errorf("%+v", f)
		}
		g.wantEnd(game.WentOut, []int{7, -7}, ann) // no word is left to challenge
	})
}

// TestOnlyLatestPlayCanBeChallenged checks that any opponent can challenge only the latest play, until the next
// player acts.
func TestOnlyLatestPlayCanBeChallenged(t *testing.T) {
	rules := game.Classic()
	for name, act := range map[string]game.Action{
		"a pass":        game.Pass{},
		"an exchange":   game.Exchange{Tiles: "\x01"},
		"a resignation": game.Resign{},
	} {
		t.Run(name, func(t *testing.T) {
			g := phony(t, rules, "AAEEIII", "OOUUIII")
			g.does(bob, act)
			g.refused(cat, game.Challenge{}, game.NothingToJudge)
			g.refused(bob, game.Challenge{}, map[bool]game.Code{true: game.NotPlaying, false: game.NothingToJudge}[g.s.Seats[bob].Out])
		})
	}
	t.Run("another play", func(t *testing.T) {
		g := phony(t, rules, "SOEEIII", "OOUUIII")
		g.plays(bob, "L8 SO") // forms ZORNS and SO
		f, _ := g.challenges(cat)
		if f.Player != bob || !slices.Equal(f.Invalid, []game.Tiles{g.tiles("ZORNS")}) {
			t.Errorf("%+v", f)
		}
		g.wantBoard(` 8 .......ZORN`)
		g.wantTurn(cat)
	})
	t.Run("not the player's own play", func(t *testing.T) {
		g := phony(t, rules, full)
		g.refused(ann, game.Challenge{}, game.OwnPlay)
	})
	t.Run("another player resigns: it stays open", func(t *testing.T) {
		g := phony(t, rules, "AAEEIII", "OOUUIII")
		g.does(cat, game.Resign{})
		f, _ := g.challenges(bob)
		if len(f.Invalid) != 1 {
			t.Errorf("%+v", f)
		}
	})
	t.Run("the player resigns: it stands", func(t *testing.T) {
		g := phony(t, rules, "AAEEIII", "OOUUIII")
		g.does(ann, game.Resign{})
		g.refused(bob, game.Challenge{}, game.NothingToJudge)
		g.wantBoard(` 8 .......ZORN`)
	})
}

// TestWrongChallengerMissesTurn checks that a wrong challenger misses their next turn under the double rule.
func TestWrongChallengerMissesTurn(t *testing.T) {
	rules := with(game.Classic(), game.Double)
	start := func(t *testing.T) *table {
		g := sit(t, rules, "HORNEEE", "SJOEIII", "OOUUIII", "AAADDDI")
		g.plays(ann, "8H HORN")
		return g
	}
	t.Run("the next player's is lost at once", func(t *testing.T) {
		g := start(t)
		g.challenges(bob)
		g.wantTurn(cat)
	})
	t.Run("another player's turn comes", func(t *testing.T) {
		g := start(t)
		_, events := g.challenges(dan)
		if len(events) != 1 || g.s.Seats[dan].LostTurns != 1 {
			t.Errorf("%d events, %d turns to lose", len(events), g.s.Seats[dan].LostTurns)
		}
		g.wantTurn(bob)
		g.pass(bob, cat)
		g.wantTurn(ann)
		g.plays(ann, "7G EE")
		g.pass(bob, cat)
		g.wantTurn(dan)
	})
	t.Run("the play before a lost turn stays open", func(t *testing.T) {
		g := start(t)
		g.challenges(cat)
		g.plays(bob, "L8 SJO") // invalid; Cat's turn is lost, Dan is to move
		g.wantTurn(dan)
		f, _ := g.challenges(cat)
		if len(f.Invalid) != 1 {
			t.Errorf("%+v", f)
		}
		g.wantTurn(dan)
		g.wantRack(bob, "SJOEIII")
		if g.s.Scoreless != 2 {
			t.Errorf("%d scoreless turns, want Bob's and Cat's", g.s.Scoreless)
		}
	})
	t.Run("several, one after another", func(t *testing.T) {
		g := start(t)
		g.plays(bob, "L8 SO")
		g.challenges(dan, "SO")
		g.challenges(dan, "HORNS")
		if g.s.Seats[dan].LostTurns != 2 {
			t.Fatalf("%d turns to lose, want 2", g.s.Seats[dan].LostTurns)
		}
		g.wantTurn(cat)
		g.pass(cat)
		g.wantTurn(ann)
		g.plays(ann, "7G EE")
		g.pass(bob, cat)
		g.wantTurn(ann)
		g.rack(ann, "EEEEEEE")
		g.plays(ann, "6F EE")
		g.pass(bob, cat)
		g.wantTurn(dan)
	})
	t.Run("resigning pays them off", func(t *testing.T) {
		g := start(t)
		g.challenges(cat)
		g.does(cat, game.Resign{})
		g.pass(bob)
		g.wantTurn(dan)
	})
}

// TestLastPlayStaysOpen checks that the play that goes out can be challenged until every opponent
// has accepted it or the time is over.
func TestLastPlayStaysOpen(t *testing.T) {
	for _, rules := range []game.Rules{game.Classic(), game.Club()} {
		// Ann holds the letters of FARM or of a phony, and the bag is empty.
		lastPlay := func(t *testing.T, rack, play string, others ...string) *table {
			g := sit(t, rules, append([]string{"EEEEEEE"}, others...)...)
			g.board(` 8 .......HORN`)
			g.rack(ann, rack)
			g.bag("")
			events := g.does(ann, game.Play{Move: g.move(play)})
			last, ok := events[len(events)-1].Fact.(game.LastPlay)
			if !ok || !last.Until.Equal(g.env.Now.Add(rules.ChallengeTime)) || !g.s.Until.Equal(last.Until) {
				t.Fatalf("%+v, want the last play to be open for %v", events, rules.ChallengeTime)
			}
			g.wantClosing()
			return g
		}
		adjust := func(ann, bob, cat int) []int {
			if rules.OutBonus == game.OutDouble {
				return []int{-2 * (bob + cat), 0, 0}
			}
			return []int{-bob - cat, bob, cat}
		}
		t.Run(rules.Name, func(t *testing.T) {
			t.Run("everybody accepts", func(t *testing.T) {
				g := lastPlay(t, "FAM", "J6 FA.M", "QAAIIII", "JOOUUUI")
				g.does(cat, game.Pass{}) // in any order
				g.wantClosing()
				g.refused(cat, game.Pass{}, game.AlreadyAgreed)
				g.refused(ann, game.Pass{}, game.OwnPlay)
				g.pass(bob)
				g.wantEnd(game.WentOut, adjust(0, -16, -14), ann)
			})
			t.Run("time up", func(t *testing.T) {
				g := lastPlay(t, "FAM", "J6 FA.M", "QAAIIII", "JOOUUUI")
				g.refused(dan, game.TimeUp{}, game.TooEarly)
				g.env.Now = g.s.Until.Add(-10 * time.Second)
				g.refused(dan, game.TimeUp{}, game.TooEarly) // five seconds too early
				g.does(dan, game.TimeUp{})
				g.wantEnd(game.WentOut, adjust(0, -16, -14), ann)
			})
			t.Run("a wrong challenge", func(t *testing.T) {
				g := lastPlay(t, "FAM", "J6 FA.M", "QAAIIII", "JOOUUUI")
				g.challenges(bob)
				g.wantEnd(game.WentOut, adjust(0, -16, -14), ann)
			})
			t.Run("a right challenge brings the game back", func(t *testing.T) {
				g := lastPlay(t, "FAQ", "J6 FA.Q", "AAAIIII", "JOOUUUI")
				g.pass(bob)
				g.challenges(cat)
				g.wantTurn(bob)
				g.wantRack(ann, "FAQ")
				g.wantScores(0, 0, 0)
				g.wantBoard(` 8 .......HORN`)
				g.pass(bob, cat)
				g.wantTurn(ann)
				// The second time Bob must accept it again.
				g.plays(ann, "J6 FA.Q")
				g.wantClosing()
				g.pass(cat)
				g.wantClosing()
				g.pass(bob)
				g.wantEnd(game.WentOut, adjust(0, -7, -14), ann)
			})
			t.Run("a player who accepted may still challenge", func(t *testing.T) {
				g := lastPlay(t, "FAQ", "J6 FA.Q", "AAAIIII", "JOOUUUI")
				g.pass(bob)
				g.challenges(bob)
				g.wantTurn(bob)
			})
			t.Run("nothing else is possible", func(t *testing.T) {
				g := lastPlay(t, "FAM", "J6 FA.M", "QAAIIII", "JOOUUUI")
				for _, seat := range []int{ann, bob, cat} {
					for _, a := range []game.Action{game.Play{Move: g.move("7G AI")}, game.Exchange{Tiles: g.tiles("A")}, game.Resign{}} {
						if e := g.refused(seat, a, game.OnlyChallenge); e.Seat != ann {
							t.Errorf("the last play is said to be %d's", e.Seat)
						}
					}
				}
				g.refused(dan, game.Pass{}, game.NotPlaying)
				g.refused(dan, game.Challenge{}, game.NotPlaying)
				g.refused(ann, game.Challenge{}, game.OwnPlay)
				if rules.Agreement {
					g.refused(bob, game.Agree{}, game.OnlyChallenge)
				}
			})
		})
	}
}

// TestLastPlayRules checks the last play under the other challenge rules.
func TestLastPlayRules(t *testing.T) {
	start := func(t *testing.T, rule game.ChallengeRule, rack, play string, others ...string) *table {
		g := sit(t, with(game.Classic(), rule), append([]string{"EEEEEEE"}, others...)...)
		g.board(` 8 .......HORN`)
		g.rack(ann, rack)
		g.bag("")
		g.plays(ann, play)
		return g
	}
	t.Run("void: over at once", func(t *testing.T) {
		g := start(t, game.Void, "FAM", "J6 FA.M", "QAAIIII")
		g.wantEnd(game.WentOut, []int{16, -16}, ann)
	})
	t.Run("5-point: the bonus still counts", func(t *testing.T) {
		g := start(t, game.FivePoint, "FAM", "J6 FA.M", "QAAIIII")
		g.challenges(bob)
		g.wantScores(17+5+16, -16)
		g.wantEnd(game.WentOut, []int{16, -16}, ann)
	})
	t.Run("10-point, word by word", func(t *testing.T) {
		g := start(t, game.TenPoint, "SO", "L8 SO", "QAAIIII")
		g.challenges(bob, "SO")
		g.wantClosing()
		g.challenges(bob, "HORNS")
		g.wantEnd(game.WentOut, []int{16, -16}, ann)
		g.wantScores(9+3+20+16, -16)
	})
	t.Run("double: no turn left to lose", func(t *testing.T) {
		g := start(t, game.Double, "FAM", "J6 FA.M", "QAAIIII", "JOOUUUI")
		_, events := g.challenges(cat)
		if len(events) != 2 {
			t.Errorf("%d events, want the challenge and the end", len(events))
		}
		g.wantEnd(game.WentOut, []int{30, -16, -14}, ann)
	})
	t.Run("double, and right with turns to lose: they are lost", func(t *testing.T) {
		g := start(t, game.Double, "SJO", "L8 SJO", "QAAIIII", "UOOUUUI")
		g.challenges(bob, "HORNS")
		g.challenges(cat)
		g.wantTurn(cat)
		g.wantRack(ann, "SJO")
	})
	t.Run("triple, wrong, 2 players", func(t *testing.T) {
		g := start(t, game.Triple, "FAM", "J6 FA.M", "QAAIIII")
		g.challenges(bob)
		g.wantEnd(game.TripleEnd, []int{0, 0}, ann)
	})
	t.Run("triple, right, 2 players", func(t *testing.T) {
		g := start(t, game.Triple, "FAQ", "J6 FA.Q", "AAAIIII")
		g.challenges(bob)
		g.wantEnd(game.TripleEnd, []int{0, 0}, bob)
	})
	t.Run("triple, wrong, 3 players: the challenger's tiles don't count", func(t *testing.T) {
		g := start(t, game.Triple, "FAM", "J6 FA.M", "QAAIIII", "JOOUUUI")
		g.challenges(bob)
		g.wantEnd(game.WentOut, []int{14, 0, -14}, ann)
	})
	t.Run("triple, right, 3 players: the others play on", func(t *testing.T) {
		g := start(t, game.Triple, "FAQ", "J6 FA.Q", "AAAIIII", "JOOUUUI")
		g.challenges(cat)
		g.wantTurn(bob)
		g.pass(bob, cat)
		g.wantTurn(bob)
	})
}

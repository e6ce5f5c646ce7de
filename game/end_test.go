package game_test

import (
	"slices"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestGoingOut checks all out bonuses with 2, 3 and 4 players. Bob, Cat and Dan hold 16, 14 and 7
// points.
func TestGoingOut(t *testing.T) {
	others := []string{"QAAIIII", "JOOUUUI", "AAAIIII"}
	for _, c := range []struct {
		name    string
		rules   game.Rules
		players int
		adjust  []int
	}{
		{"004, 2 players: they lose their racks, whose sum the player gains", game.Classic(), 2, []int{16, -16}},
		{"004, 3 players", game.Classic(), 3, []int{30, -16, -14}},
		{"004, 4 players", game.Classic(), 4, []int{37, -16, -14, -7}},
		{"000 scoring 9, 2 players: twice the other's rack", game.Club(), 2, []int{32, 0}},
		{"000 scoring 9, 3 players", game.Club(), 3, []int{60, 0, 0}},
		{"000 scoring 9, 4 players", game.Club(), 4, []int{74, 0, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := sit(t, with(c.rules, game.Void), append([]string{"EEEEEEE"}, others[:c.players-1]...)...)
			g.board(` 8 .......HORN`)
			g.rack(ann, "FAM")
			g.bag("")
			g.plays(ann, "J6 FA.M")
			g.wantEnd(game.WentOut, c.adjust, ann)
			scores := slices.Clone(c.adjust)
			scores[ann] += 17
			g.wantScores(scores...)
			for i, rack := range g.s.End.Racks {
				if rack != g.s.Seats[i].Rack.Sorted() {
					t.Errorf("seat %d's rack is given as %s", i, g.s.Equipment.Tiles.Print(rack))
				}
			}
			if g.s.Ended.IsZero() {
				t.Error("no time of the end")
			}
		})
	}
	t.Run("not while there are tiles in the bag", func(t *testing.T) {
		g := sit(t, with(game.Classic(), game.Void), "EEEEEEE", full)
		g.board(` 8 .......HORN`)
		g.rack(ann, "FAM")
		g.bag("Z")
		g.plays(ann, "J6 FA.M")
		g.wantRack(ann, "Z")
		g.wantTurn(bob)
	})
	t.Run("a blank left on a rack is worth nothing", func(t *testing.T) {
		g := sit(t, with(game.Classic(), game.Void), "EEEEEEE", "??AAIII")
		g.board(` 8 .......HORN`)
		g.rack(ann, "FAM")
		g.bag("")
		g.plays(ann, "J6 FA.M")
		g.wantEnd(game.WentOut, []int{5, -5}, ann)
	})
	t.Run("a player who resigned neither pays nor gains", func(t *testing.T) {
		g := sit(t, with(game.Classic(), game.Void), "EEEEEEE", "QAAIIII", "JOOUUUI")
		g.board(` 8 .......HORN`)
		g.rack(ann, "FAM")
		g.bag("")
		g.does(bob, game.Resign{})
		g.plays(ann, "J6 FA.M")
		g.wantEnd(game.WentOut, []int{14, 0, -14}, ann)
	})
}

// TestScorelessTurns checks that six scoreless turns in a row end the game, and that everyone loses
// the value of their rack (000 scoring 11, 004). Each letter is a turn of the next player: p a
// pass, x an exchange, w a play that is challenged off, b a play of only blanks, s a play that
// scores.
func TestScorelessTurns(t *testing.T) {
	for _, c := range []struct {
		name    string
		rules   game.Rules
		players int
		turns   string
		ends    bool
	}{
		{"six passes", game.Classic(), 2, "pppppp", true},
		{"six passes", game.Club(), 2, "pppppp", true},
		{"five passes", game.Classic(), 2, "ppppp", false},
		{"six exchanges", game.Classic(), 2, "xxxxxx", true},
		{"passes and exchanges", game.Club(), 2, "pxpxpx", true},
		{"a play between", game.Classic(), 2, "pppspppp", false},
		{"a play between, then six", game.Classic(), 2, "pppspppppp", true},
		{"withdrawn plays", game.Classic(), 2, "wwwwww", true},
		{"withdrawn plays", game.Club(), 2, "wxpwxp", true},
		{"a play that stood, then a withdrawn one", game.Classic(), 2, "ppppswppp", false},
		{"3 players, six turns", game.Classic(), 3, "pppppp", true},
		{"4 players, six turns", game.Classic(), 4, "pppppp", true},
		{"4 players, five turns", game.Classic(), 4, "pwxpw", false},
		{"blanks alone score 0: a scoreless turn (004)", game.Classic(), 2, "bppppp", true},
		{"blanks alone: tiles were placed (000)", game.Club(), 2, "bppppp", false},
		{"blanks alone: tiles were placed (000)", game.Club(), 2, "bpppppp", true},
	} {
		t.Run(c.rules.Name+" "+c.name, func(t *testing.T) {
			racks := []string{"AASEEI?", "AASEEI?", "AANIIUU", "AANIIUU"}[:c.players]
			g := sit(t, c.rules, racks...)
			for i, turn := range c.turns {
				g.wantTurn(i % c.players)
				seat, next := i%c.players, (i+1)%c.players
				switch turn {
				case 'p':
					g.pass(seat)
				case 'x':
					g.does(seat, game.Exchange{Tiles: g.s.Seats[seat].Rack[:2]})
				case 'w':
					g.rack(seat, "VVVVVVV")
					if g.s.Board.Empty() {
						g.plays(seat, "8H VV")
					} else {
						g.plays(seat, "8G ..V") // forms ASV
					}
					g.challenges(next)
				case 's':
					g.rack(seat, "ASEEIII")
					g.plays(seat, "8G AS")
				case 'b':
					g.rack(seat, "??EEIII")
					if got := g.plays(seat, "8G as"); got != 0 {
						t.Fatalf("two blanks score %d", got)
					}
				}
			}
			if !c.ends {
				g.wantOpen()
				return
			}
			var adjust []int
			for _, seat := range g.s.Seats {
				adjust = append(adjust, -g.s.Equipment.Tiles.Sum(seat.Rack))
			}
			if g.s.End == nil || g.s.End.Reason != game.ScorelessEnd || !slices.Equal(g.s.End.Adjust, adjust) {
				t.Fatalf("%+v, want an end that costs everybody their racks %v", g.s.End, adjust)
			}
		})
	}
}

// TestBlankPlayAsSixth checks that a play of only blanks as the sixth scoreless turn is the last
// play and can be challenged.
func TestBlankPlayAsSixth(t *testing.T) {
	for name, c := range map[string]struct {
		word string
		last game.Action
	}{
		"let stand":        {"as", game.Pass{}},
		"wrong challenge":  {"as", game.Challenge{}},
		"right challenge":  {"zz", game.Challenge{}},
		"time is up later": {"as", nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := sit(t, game.Classic(), "ASEEIII", "??AAAAA")
			g.pass(ann, bob, ann, bob, ann)
			g.plays(bob, "8G "+c.word)
			g.wantClosing()
			if c.last == nil {
				g.env.Now = g.s.Until
				c.last = game.TimeUp{}
			}
			g.does(ann, c.last)
			drawn := g.s.Equipment.Tiles.Sum(g.s.Seats[bob].Rack)
			g.wantEnd(game.ScorelessEnd, []int{-7, -drawn}, map[bool]int{true: ann, false: bob}[drawn > 7])
		})
	}
}

// TestLostTurnIsScoreless checks that a turn lost for a wrong challenge counts as scoreless (000
// scoring 11: "any combination of challenges, passes and exchanges").
func TestLostTurnIsScoreless(t *testing.T) {
	g := sit(t, with(game.Classic(), game.Double), "HORNEEE", "AAEEIII")
	g.plays(ann, "8H HORN")
	g.challenges(bob)
	g.pass(ann, bob, ann, bob)
	g.wantTurn(ann)
	g.pass(ann)
	if g.s.End == nil || g.s.End.Reason != game.ScorelessEnd {
		t.Errorf("%+v", g.s.End)
	}
}

// TestResign checks that with two players the game ends, and that with more the seat is skipped and
// its tiles leave play.
func TestResign(t *testing.T) {
	t.Run("2 players: the other wins, though behind, and racks don't count", func(t *testing.T) {
		g := sit(t, game.Classic(), "HORNEEE", full)
		g.plays(ann, "8H HORN")
		g.does(ann, game.Resign{}) // not on her turn
		g.wantEnd(game.ResignationEnd, []int{0, 0}, bob)
		g.wantScores(14, 0)
		if g.s.Seats[ann].Rack == "" || g.s.Removed != "" {
			t.Errorf("of a game that is over Ann's tiles %q are out of play, and on her rack are %q", g.s.Removed, g.s.Seats[ann].Rack)
		}
		if g.s.End.Racks[bob] != g.tiles(full) {
			t.Error("the racks at the end are not given")
		}
	})
	t.Run("3 players", func(t *testing.T) {
		g := sit(t, game.Classic(), "EEEEEEE", "QAAIIII", "JOOUUUI")
		bag := g.s.Bag
		g.does(bob, game.Resign{})
		if g.s.Removed != g.tiles("AAIIIIQ") || g.s.Seats[bob].Rack != "" || g.s.Bag != bag {
			t.Errorf("Bob's tiles did not leave play: %+v", g.s.Seats[bob])
		}
		g.wantTurn(ann)
		g.pass(ann)
		g.wantTurn(cat)
		for _, a := range []game.Action{game.Pass{}, game.Resign{}, game.Challenge{}} {
			g.refused(bob, a, game.NotPlaying)
		}
		g.pass(cat)
		g.wantTurn(ann)
		g.does(ann, game.Resign{}) // on her turn
		g.wantEnd(game.ResignationEnd, []int{0, 0, 0}, cat)
	})
	t.Run("on the player's turn", func(t *testing.T) {
		g := sit(t, game.Classic(), "EEEEEEE", "QAAIIII", "JOOUUUI", "AAAIIII")
		g.does(ann, game.Resign{})
		g.wantTurn(bob)
		g.pass(bob)
		g.does(cat, game.Resign{})
		g.wantTurn(dan)
		g.pass(dan)
		g.wantTurn(bob)
		if g.s.Scoreless != 2 {
			t.Errorf("%d scoreless turns: resigning is none", g.s.Scoreless)
		}
	})
}

// TestAgreement checks 000 scoring 11: "the players may simply agree that the game is over".
func TestAgreement(t *testing.T) {
	t.Run("2 players", func(t *testing.T) {
		g := sit(t, game.Club(), "QAAIIII", "EEEEEEE")
		g.does(bob, game.Agree{}) // on any turn
		g.refused(bob, game.Agree{}, game.AlreadyAgreed)
		g.wantTurn(ann)
		g.does(ann, game.Agree{})
		g.wantEnd(game.AgreementEnd, []int{-16, -7}, bob)
	})
	t.Run("a turn takes it back", func(t *testing.T) {
		g := sit(t, game.Club(), "QAAIIII", "EEEEEEE")
		g.does(bob, game.Agree{})
		g.pass(ann)
		g.does(ann, game.Agree{})
		g.wantOpen()
		g.does(bob, game.Agree{})
		g.wantEnd(game.AgreementEnd, []int{-16, -7}, bob)
	})
	t.Run("everybody must", func(t *testing.T) {
		g := sit(t, game.Club(), "QAAIIII", "EEEEEEE", "JOOUUUU")
		g.does(bob, game.Agree{})
		g.does(cat, game.Agree{})
		g.wantOpen()
		g.does(ann, game.Agree{})
		g.wantEnd(game.AgreementEnd, []int{-16, -7, -14}, bob)
	})
	t.Run("everybody who still plays", func(t *testing.T) {
		g := sit(t, game.Club(), "QAAIIII", "EEEEEEE", "JOOUUUU")
		g.does(bob, game.Agree{})
		g.does(cat, game.Agree{})
		g.does(ann, game.Resign{})
		g.wantEnd(game.AgreementEnd, []int{0, -7, -14}, bob)
	})
	t.Run("not in classic", func(t *testing.T) {
		g := sit(t, game.Classic(), full, "EEEEEEE")
		g.refused(ann, game.Agree{}, game.NoAgreement)
	})
}

// TestTies checks that ties aren't broken (000 scoring 10).
func TestTies(t *testing.T) {
	for _, c := range []struct {
		name    string
		scores  []int
		winners []int
	}{
		{"both", []int{10, 10}, []int{ann, bob}},
		{"two of three", []int{3, 10, 10}, []int{bob, cat}},
		{"all of four", []int{0, 0, 0, 0}, []int{ann, bob, cat, dan}},
		{"below zero", []int{-20, -20}, []int{ann, bob}},
		{"no tie", []int{10, 9}, []int{ann}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := sit(t, game.Club(), []string{"AEIOUNR", "AEIOUNR", "AEIOUNR", "AEIOUNR"}[:len(c.scores)]...)
			for i, n := range c.scores {
				g.s.Seats[i].Score = n
			}
			for i := range c.scores {
				g.does(i, game.Agree{})
			}
			if !slices.Equal(g.s.End.Winners, c.winners) {
				t.Errorf("won by %v, want %v", g.s.End.Winners, c.winners)
			}
		})
	}
}

// TestRobotsLastPlayStands checks that a robot's last play ends the game at once, because robots
// play valid words.
func TestRobotsLastPlayStands(t *testing.T) {
	for id, want := range map[game.PlayerID]game.Phase{"robot:easy": game.Over, "ann": game.Closing} {
		g := sit(t, game.Classic(), "HORN", "AEE")
		g.bag("")
		g.s.Seats[ann].Person.ID = id
		events, err := game.Decide(g.s, g.s.Seats[ann].Person, game.Play{Move: g.move("8H HORN")}, g.env)
		gametest.Must(t, err)
		for _, e := range events {
			g.s = g.s.Apply(e)
		}
		if g.s.Phase != want {
			t.Errorf("after the last play of %s: phase %v, want %v", id, g.s.Phase, want)
		}
	}
}

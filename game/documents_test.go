package game_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestDocuments checks the statements of the rules documents that a test can check, by the number
// of the document (000 club, 001 rulebook, 002 family, 003 match, 004 classic) and subject.
// Subjects with test files of their own are tested there: scoring in score_test.go, clocks in
// clock_test.go, matches in match_test.go, draws in draw_test.go, proofs in package record.
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

		"000 players: club games are always two-player games": func(t *testing.T, r game.Rules) {
			if n := r.Seats(); n != 2 {
				t.Errorf("a table opens with %d seats", n)
			}
		},
		"001 players: as many as sit down, two to four":                 opensWith(4),
		"002 players: as many as sit down, two to four":                 opensWith(4),
		"003 rules: games only have two players":                        opensWith(2),
		"004 players: a table has seats for four":                       opensWith(4),
		"000 players: two, three or four":                               players(4),
		"004 players: two to four":                                      players(4),
		"003 rules: only two":                                           players(2),
		"000 table 1: the point value and the frequency of each letter": letters,
		"003 letters: how many of each, and what they are worth":        letters,
		"000 equipment: the first word covers the centre, which doubles": func(t *testing.T, r game.Rules) {
			if l := gametest.Equipment(t).Layout; l.Start() != (game.Square{Row: 7, Col: 7}) || l.Premium(l.Start()).Word() != 2 {
				t.Errorf("the start is %s", l.Start())
			}
		},

		// The first turn, and joining.
		"000 play 1: the first word covers the star": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			g.refused(ann, game.Play{Move: g.move("7H HORN")}, game.MissesStart)
			g.plays(ann, "8E HORN")
		},
		"000 starting: who draws nearest to A begins, a blank is best, equals draw again":     drawnOrder,
		"002 play: who draws nearest to A plays first":                                        drawnOrder,
		"004 order: nearest to the beginning of the alphabet, blanks before A":                drawnOrder,
		"000 starting: the tiles are returned to the bag, and equals redraw from all of them": redrawFromAll,
		"000 starting: the tiles drawn for the first turn go back into the bag": func(t *testing.T, r game.Rules) {
			s, order := begun(t, r, 2)
			if len(order) == 0 || len(s.Bag) != 100-2*7 {
				t.Errorf("%d draws for the first turn, %d tiles in the bag", len(order), len(s.Bag))
			}
		},
		"001 before the start: a random order": func(t *testing.T, r game.Rules) { wantIs(t, "drawn at random", r.Order == game.Random, true) },
		"001 before the start: or the players vote on one": func(t *testing.T, r game.Rules) {
			r.Order = game.Voted
			s, _ := begun(t, r, 3)
			g := &table{T: t, s: s}
			g.does(ann, game.Vote{Order: []int{2, 0, 1}})
			g.does(bob, game.Vote{})
			g.does(cat, game.Vote{Order: []int{2, 0, 1}})
			if got := g.s.Seats[0].Person; got != gametest.People[cat] || g.s.Turn != 0 {
				t.Errorf("%s begins", got.Name)
			}
		},
		"001 before the start: each draws seven tiles": sevenTiles,
		"002 play: each picks seven tiles":             sevenTiles,
		"003 rules: seven tiles each":                  sevenTiles,
		"004 racks: seven tiles":                       sevenTiles,
		"000 play 1: across or down, not diagonally": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			m := g.move("8H HORN")
			m.Dir = 0
			if _, err := g.try(ann, game.Play{Move: m}); err == nil {
				t.Error("a play in no direction was taken")
			}
			g.plays(ann, "H8 HORN")
		},
		"000 play 1: two or more letters": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			g.refused(ann, game.Play{Move: g.move("8H H")}, game.TooShort)
		},
		"004 plays: the first word covers the centre and scores double": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			g.refused(ann, game.Play{Move: g.move("8I HORN")}, game.MissesStart)
			if got := g.plays(ann, "8H HORN"); got != 14 {
				t.Errorf("%d", got)
			}
		},
		"000 play 2: as many new tiles as were played": refills,
		"002 play: as many tiles as were used":         refills,
		"003 rules: a letter for each that was played": refills,
		"001 make a play: the rack is filled to seven": refills,
		"000 play 4a: letters added to a word": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "SEEEEEE", full)
			g.board("8 .......HORN")
			if got := g.plays(ann, "8H ....S"); got != 9 {
				t.Errorf("%d", got)
			}
		},
		"000 play 4b: a word at right angles": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "FAMEEEE", "SOEEEEE")
			g.board("8 .......HORN")
			g.plays(ann, "J6 FA.M")
			g.plays(bob, "L8 SO") // adds a letter to it
		},
		"000 play 4c: a word beside another": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "OEEEEEE", full)
			g.board("8 .......HORN")
			if got := g.plays(ann, "9H OE"); got != 11 {
				t.Errorf("%d", got)
			}
		},
		"003 rules: the first word covers the centre": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			g.refused(ann, game.Play{Move: g.move("7H HORN")}, game.MissesStart)
			if got := g.plays(ann, "8E HORN"); got != 14 {
				t.Errorf("%d", got)
			}
		},
		"003 rules: a word at right angles uses a letter, or adds one": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "FAMEEEE", "SOEEEEE")
			g.board("8 .......HORN")
			g.plays(ann, "J6 FA.M")
			g.plays(bob, "L8 SO")
		},
		"003 rules: a word parallel to another": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "OEEEEEE", full)
			g.board("8 .......HORN")
			if got := g.plays(ann, "9H OE"); got != 11 {
				t.Errorf("%d", got)
			}
		},
		"003 rules: one letter or more added to a word": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "SEEEEEE", full)
			g.board("8 .......HORN")
			if got := g.plays(ann, "8H ....S"); got != 9 {
				t.Errorf("%d", got)
			}
		},
		"003 rules: no word reads diagonally": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			m := g.move("8H HORN")
			m.Dir = 0
			g.refused(ann, game.Play{Move: m}, game.NoTiles)
		},
		"003 rules: each new word connects": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "FAMEEEE", full)
			g.board("8 .......HORN")
			g.refused(ann, game.Play{Move: g.move("2B FAM")}, game.NotJoined)
		},
		"001 make a play: beside the cluster, or with a letter of it": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "FAMEEEE", full)
			g.board("8 .......HORN")
			g.refused(ann, game.Play{Move: g.move("2B FAM")}, game.NotJoined)
		},
		"000 play 3: one line, one whole word": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			g.refused(ann, game.Play{Move: g.move("8G HO.RN")}, game.Gap)
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
		"002 plays: joining or interlocking, beside a word too": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "OEEEEEE", full)
			g.board("8 .......HORN")
			g.plays(ann, "9H OE")
		},
		"002 plays: to the letter, where the table wants it so": func(t *testing.T, r game.Rules) {
			r.UseLetter = true
			g := sit(t, r, "HORNOEE", "FASOEEE")
			g.plays(ann, "8H HORN") // the first word can use no letter
			g.refused(bob, game.Play{Move: g.move("9H OE")}, game.UsesNoLetter)
			g.refused(bob, game.Play{Move: g.move("L8 SO")}, game.UsesNoLetter) // HORNS does, but the main word is SO
			g.refused(bob, game.Play{Move: g.move("2B FA")}, game.NotJoined)
			g.plays(bob, "8H ....S")
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
			g := sit(t, r, "HORNEEE", full)
			g.env.Dict = gametest.Words(t, "HORN FARM PASTE FARMS NOT MOB BIT PI AT BE")
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
		"000 scoring 2: light blue doubles the letter":               scores("", "8D HORNS", 24),
		"000 scoring 2: dark blue triples it":                        scores("8 .......HORN", "J6 FA.M", 17),
		"000 scoring 3: two pink squares, four times":                scores("8 ....E..HORN\n 9 ....E\n10 ....L", "E5 STE...S", 28),
		"000 scoring 3: two red squares, nine times":                 scores("4 A\n 5 I\n 6 N\n 7 ET", "A1 STR....S", 72),
		"001 scoring: letters before words":                          scores("", "8D HORNS", 24),
		"003 scoring: two premium words multiply":                    scores("8 ....E..HORN\n 9 ....E\n10 ....L", "E5 STE...S", 28),
		"000 scoring 5: premiums apply in the turn of their use":     scores("8 .......HORN", "8H ....S", 9),
		"001 scoring: premiums count under newly placed tiles alone": scores("8 .......HORN", "8H ....S", 9),
		"002 play: premiums only the first time":                     scores("8 .......HORN", "8H ....S", 9),
		"003 scoring: later at face value":                           scores("8 .......HORN", "8H ....S", 9),
		"000 scoring 7: two words, the common letters count in each": scores("8 .......HORN", "L8 SO", 12),
		"001 scoring: each word is scored, and they are added up":    scores("8 .......HORN", "9H OE", 11),
		"003 scoring: the common letter counts for each":             scores("8 .......HORN", "L8 SO", 12),
		"002 play: a score for any word made or changed":             scores("8 .......HORN", "L8 SO", 12),
		"004 plays: other words that are formed are scored as well":  scores("8 .......HORN", "9H OE", 11),
		"000 scoring 1: a blank is worth nothing":                    scores("", "8D hORNS", 8),
		"004 blank: not touched by a premium letter":                 scores("", "8D hORNS", 8),
		"004 blank: but its square multiplies the word":              scores("", "8H hORN", 6),
		"001 make a play: a blank scores nothing":                    scores("", "8D hORNS", 8),
		"000 scoring 8: 50 for all seven":                            scores("", "8H RETAINS", 66),
		"001 scoring: 50 for seven tiles, after the words":           scores("", "8H RETAINS", 66),
		"003 scoring: 50 for seven tiles":                            scores("", "8H RETAINS", 66),
		"002 play: the first word scores double":                     scores("", "8H HORN", 14),
		"001 scoring: the centre is a double word":                   scores("", "8H HORN", 14),
		"000 scoring 6: a blank on a red square triples the word":    scores("8 ..........TONE", "8K ....s", 3*4),
		"003 scoring: a blank on a red square triples the word":      scores("8 ..........TONE", "8K ....s", 3*4),
		"004 blank: on a red square the word counts three times":     scores("8 ..........TONE", "8K ....s", 3*4),
		"003 scoring: a blank on a pink square doubles the word":     scores("", "8H hORN", 6),
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
		"001 options: an exchange with seven in the bag":           exchanges(7, 1, true),
		"004 exchange: with seven in the bag":                      exchanges(7, 7, true),
		"002 exchange: not without a tile in the bag":              exchanges(0, 1, false),
		"002 exchange: any number that the bag can give":           exchanges(3, 3, true),
		"002 exchange: no more than the bag can give":              exchanges(3, 4, false),
		"003 exchange: all, some, as many as the bag can give":     exchanges(1, 1, true),
		"003 exchange: not without a tile in the bag":              exchanges(0, 1, false),
		"004 exchange: at least seven must remain":                 exchanges(6, 1, false),
		"000 play 7: the discarded are mixed in after the draw":    discardedAfter,
		"003 exchange: draw, then mix the discarded in":            discardedAfter,
		"001 options: pass, exchange, play": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			g.pass(ann)
			g.does(bob, game.Exchange{Tiles: g.s.Seats[bob].Rack[:1]})
			g.plays(ann, "8H HORN")
			g.wantScores(14, 0)
		},
		"004 options: a pass and an exchange score nothing": func(t *testing.T, r game.Rules) {
			g := sit(t, r, full, full)
			g.pass(ann)
			g.does(bob, game.Exchange{Tiles: g.s.Seats[bob].Rack[:1]})
			g.wantScores(0, 0)
		},
		"003 exchange: none, which is a pass": func(t *testing.T, r game.Rules) {
			g := sit(t, r, full, full)
			g.refused(ann, game.Exchange{}, game.NothingPut)
			g.pass(ann)
			g.wantTurn(bob)
		},
		"001 make a play: who draws takes all that is left": drawsTheRest,
		"003 rules: unless there are not enough tiles left": drawsTheRest,
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
		"000 play 12: the same word may be played again": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "SOEEEEE", full)
			g.board("8 .......HORN\n 9 .......O")
			g.rack(ann, "HORNEEE")
			g.plays(ann, "H8 ..RN")
		},
		"000 play 12: the clock stands while words are looked up": func(t *testing.T, r game.Rules) {
			g := clocked(t, r, "HORNFAM", full)
			g.after(time.Minute).does(ann, game.Play{Move: g.move("8H HORN")})
			g.env.Posted = time.Time{} // the play's post isn't delivered yet
			g.env.Now = g.env.Now.Add(time.Hour)
			g.challenges(bob)
			g.wantUsed(bob, 0)
		},
		"004 challenge: all of the words":                         caught,
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
		"000 play 9: the bag is empty and a rack too":      goesOut(2*3, 0),
		"001 ends: whatever the others still hold":         goesOut(3, -3),
		"002 ends: unplayed letters are deducted":          goesOut(3, -3),
		"004 the end: in tournaments double, no deduction": func(t *testing.T, r game.Rules) { r.OutBonus = game.OutDouble; goesOut(2*3, 0)(t, r) },
		"000 scoring 11: challenges, passes and exchanges count": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			g.plays(ann, "8H NORHF")
			g.challenges(bob)
			g.pass(bob)
			g.does(ann, game.Exchange{Tiles: g.tiles("H")})
			g.pass(bob, ann)
			g.wantTurn(bob)
			g.pass(bob)
			if g.s.End == nil || g.s.End.Reason != game.ScorelessEnd {
				t.Errorf("%+v", g.s.End)
			}
		},
		"001 ends: more than ten minutes of overtime, and the player who uses them loses": func(t *testing.T, r game.Rules) {
			g := clocked(t, r, "HORNFAM", "AEE")
			g.s.Seats[ann].Score = 130
			g.after(35*time.Minute+time.Second).does(ann, game.Play{Move: g.move("8H HORN")})
			g.wantEnd(game.OvertimeEnd, []int{-g.s.Equipment.Tiles.Sum(g.tiles("HORNFAM")), -3}, bob)
		},
		"001 ends: ten minutes of overtime are not more than ten, and cost nothing": func(t *testing.T, r game.Rules) {
			g := clocked(t, r, "HORN", "AEE")
			g.bag("")
			g.after(35*time.Minute).does(ann, game.Play{Move: g.move("8H HORN")})
			g.wantEnd(game.WentOut, []int{3, -3}, ann)
			g.wantScores(14+3, -3)
		},
		"001 items: board, tiles, racks and a bag, no clock": func(t *testing.T, r game.Rules) {
			wantIs(t, "a clock that runs", r.Clock.On, false)
		},
		"002 ends: nobody can think of new words, and all say so": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "AEE", "AE", "A")
			g.does(cat, game.Agree{})
			g.does(ann, game.Agree{})
			g.wantTurn(ann)
			g.does(bob, game.Agree{})
			g.wantEnd(game.AgreementEnd, []int{-3, -2, -1}, cat)
		},
		"003 ends: not because the players agree": func(t *testing.T, r game.Rules) {
			sit(t, r, full, full).refused(ann, game.Agree{}, game.NoAgreement)
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
		"004 scoreless turns: a pass, an exchange, a phony, and a play of blanks only": blanksOnly(1),
		"001 ends: a play of blanks only is a scoreless turn":                          blanksOnly(1),
		"000 scoring 11: a play of blanks only places tiles, and is no scoreless turn": blanksOnly(0),
		"000 scoring 12: players may keep track of the tiles that are not yet played": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "HORNFAM", full)
			g.plays(ann, "8H HORN")
			all := g.s.Equipment.Tiles.All()
			unseen, ok := all.Minus(g.s.Board.Tiles() + g.s.Seats[ann].Rack)
			if got := g.s.Unseen(ann); !ok || got != unseen.Sorted() {
				t.Errorf("Ann can still meet %s", g.s.Equipment.Tiles.Print(got))
			}
		},

		// Who wins.
		"000 scoring 10: ties are not broken": tie(ann, bob),
		"004 the end: a tie stands":           tie(ann, bob),
		"002 winner: the highest score": func(t *testing.T, r game.Rules) {
			g := sit(t, r, "AEE", "AE", "A")
			g.s.Seats[cat].Score = 9
			g.pass(ann, bob, cat)
			g.wantEnd(game.PassedEnd, []int{-3, -2, -1}, cat)
		},
		"001 the end: a tie stands": tie(ann, bob),
		"002 winner: a tie stands":  tie(ann, bob),
		"003 scoring: of equals the player with more before the racks wins": tie(ann),

		// Variations.
		"002 variations: double-bag divides the tiles into vowels and consonants": func(t *testing.T, r game.Rules) {
			s, _ := begun(t, vary(r, "double-bag"), 2)
			racks := s.Seats[ann].Rack + s.Seats[bob].Rack
			rest, _ := s.Bag.Minus(s.Vowels)
			for _, k := range s.Equipment.Tiles.Kinds() {
				tile := gametest.Tiles(t, s.Equipment, k.Text).At(0)
				if in, other := s.Vowels.Count(tile), rest.Count(tile); tile != game.Blank && (k.Vowel && other > 0 || !k.Vowel && in > 0) || in+other+racks.Count(tile) != k.Count {
					t.Errorf("%s: %d in the bag of the vowels, %d in the other", k.Text, in, other)
				}
			}
		},
		"002 variations: junior has 13 by 13 squares, and its scoring is simplified": func(t *testing.T, r game.Rules) {
			g := sit(t, vary(r, "junior"), "HORNSA?", full)
			if n := g.s.Equipment.Layout.Size(); n != 13 {
				t.Errorf("%d squares a side", n)
			}
			if got := g.plays(ann, "7G HoRN"); got != 4 {
				t.Errorf("four letters score %d", got)
			}
		},
		"002 variations: young children place tiles on words already printed": func(t *testing.T, _ game.Rules) {
			g := printed(t, threeWords, "HORI", "NED")
			g.refused(ann, game.Play{Move: g.move("2B HO")}, game.NotPrinted)
			g.plays(ann, "7D HO")
		},
		"002 variations: solitaire is for one player": func(t *testing.T, r game.Rules) {
			r, eq := gametest.EquipVariant(t, vary(r, "solitaire"))
			g := &table{T: t}
			g.refused(ann, game.Open{Rules: r, Equipment: eq, Seats: 2}, game.TooManyPlayers)
			g.does(ann, game.Open{Rules: r, Equipment: eq, Seats: 1})
			g.wantTurn(ann)
		},
		"002 variations: in unscrabble players remove between one and six tiles": func(t *testing.T, _ game.Rules) {
			g := lifting(t, 2, "8 ....PAINTERS")
			g.refused(ann, game.Remove{}, game.WrongCount)
			g.refused(ann, removing(t, "F8", "G8", "H8", "I8", "J8", "K8", "L8"), game.WrongCount)
			g.does(ann, removing(t, "G8", "H8", "I8", "J8", "K8", "L8"))
		},
		"002 variations: what unscrabble leaves are proper words, interlocked": func(t *testing.T, _ game.Rules) {
			lifting(t, 2, "8 .......HORN").refused(ann, removing(t, "H8"), game.NotAWord)
			lifting(t, 2, "8 .......HORN\n9 .......O..O").refused(ann, removing(t, "I8", "J8"), game.NotWholeLeft)
		},
		"002 variations: unscrabble ends when nobody can remove any more, and the highest stock wins": func(t *testing.T, _ game.Rules) {
			g := lifting(t, 2, "8 .......HORNS")
			g.env.Dict = gametest.Words(t, "HORN HORNS")
			g.does(ann, removing(t, "L8"))
			g.does(bob, removing(t, "H8", "I8", "J8", "K8"))
			g.wantEnd(game.StuckEnd, []int{0, 0}, bob)
			g.wantScores(1, 7)
		},
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

// exchanges lets a player exchange n tiles with the given number in the bag.
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

// goesOut lets Ann go out while Bob holds three points.
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

// tie gives both the same total, with Ann ahead before the racks.
func tie(winners ...int) func(*testing.T, game.Rules) {
	return func(t *testing.T, r game.Rules) {
		g := sit(t, r, "AEE", "AE")
		g.s.Seats[ann].Score, g.s.Seats[bob].Score = 11, 10
		for g.s.Phase == game.Playing {
			if g.s.Electable() {
				g.does(g.s.Turn, game.Agree{})
				continue
			}
			g.pass(g.s.Turn)
		}
		if !slices.Equal(g.s.End.Winners, winners) {
			t.Errorf("won by %v, want %v", g.s.End.Winners, winners)
		}
	}
}

// blanksOnly lets Ann play both her blanks, for 0 points.
func blanksOnly(scoreless int) func(*testing.T, game.Rules) {
	return func(t *testing.T, r game.Rules) {
		g := sit(t, r, "??EEEEE", full)
		if got := g.plays(ann, "8H so"); got != 0 || g.s.Scoreless != scoreless {
			t.Errorf("%d points, %d scoreless turns, want %d", got, g.s.Scoreless, scoreless)
		}
	}
}

// opensWith opens a table with the default number of seats.
func opensWith(seats int) func(*testing.T, game.Rules) {
	return func(t *testing.T, r game.Rules) {
		if n := r.Seats(); n != seats {
			t.Errorf("a table opens with %d seats, want %d", n, seats)
		}
	}
}

func players(most int) func(*testing.T, game.Rules) {
	return func(t *testing.T, r game.Rules) {
		eq := gametest.Equipment(t)
		for n := range 6 {
			_, err := game.Decide(game.State{}, gametest.People[ann], game.Open{Rules: r, Equipment: eq, Seats: n}, game.Env{})
			if may := n >= 2 && n <= most; (err == nil) != may {
				t.Errorf("a table for %d: %v", n, err)
			}
		}
	}
}

// letters checks the tables in documents 000 and 003: numbers and values of the letters.
func letters(t *testing.T, _ game.Rules) {
	set := gametest.Equipment(t).Tiles
	all := set.All()
	for letter, want := range map[string][2]int{
		"A": {9, 1}, "B": {2, 3}, "C": {2, 3}, "D": {4, 2}, "E": {12, 1}, "F": {2, 4}, "G": {3, 2}, "H": {2, 4}, "I": {9, 1},
		"J": {1, 8}, "K": {1, 5}, "L": {4, 1}, "M": {2, 3}, "N": {6, 1}, "O": {8, 1}, "P": {2, 3}, "Q": {1, 10}, "R": {6, 1},
		"S": {4, 1}, "T": {6, 1}, "U": {4, 1}, "V": {2, 4}, "W": {2, 4}, "X": {1, 8}, "Y": {2, 4}, "Z": {1, 10}, "?": {2, 0},
	} {
		tile := gametest.Tiles(t, gametest.Equipment(t), letter).At(0)
		if got := [2]int{all.Count(tile), set.Value(tile)}; got != want {
			t.Errorf("%s: %d tiles worth %d, want %v", letter, got[0], got[1], want)
		}
	}
}

// begun starts a game like people do, and returns what was drawn for the first turn.
func begun(t *testing.T, r game.Rules, players int) (s game.State, order []game.OrderDrawn) {
	r, eq := gametest.EquipVariant(t, r)
	g := &table{T: t}
	g.does(ann, game.Open{Rules: r, Equipment: eq, Seats: players})
	for i := 1; i < players; i++ {
		for _, e := range g.does(i, game.Join{}) {
			if f, ok := e.Fact.(game.OrderDrawn); ok {
				order = append(order, f)
			}
		}
	}
	return g.s, order
}

func drawnOrder(t *testing.T, r game.Rules) {
	wantIs(t, "drawn tiles", r.Order == game.Drawn, true)
	eq := gametest.Equipment(t)
	for drawn, want := range map[string][]int{"CAB": {1}, "A?A": {1}, "BCB": {0, 2}, "ZYX": {2}} {
		f := game.OrderDrawn{Seats: []int{0, 1, 2}, Tiles: gametest.Tiles(t, eq, drawn)}
		if got := f.Best(); !slices.Equal(got, want) {
			t.Errorf("of %s %v are best, want %v", drawn, got, want)
		}
	}
	// The first player drew best, and equals drew again.
	s, order := begun(t, r, 2)
	last := order[len(order)-1]
	if best := last.Best(); len(best) != 1 || best[0] != s.First {
		t.Errorf("%v drew best, %d begins", best, s.First)
	}
	for _, f := range order[:len(order)-1] {
		if len(f.Best()) < 2 {
			t.Error("they drew again though one was best")
		}
	}
}

// redrawFromAll checks that every draw for the first turn is from the whole bag, so that a player
// who draws again may draw the tile just put back.
func redrawFromAll(t *testing.T, r game.Rules) {
	redrawn := 0
	for seed := range byte(100) {
		g := &table{T: t}
		g.env.Secret = game.Secret{seed}
		g.does(ann, game.Open{Rules: r, Equipment: gametest.Equipment(t), Seats: 2})
		draws := 0
		before := g.s
		for _, e := range g.does(bob, game.Join{}) {
			if f, ok := e.Fact.(game.OrderDrawn); ok {
				whole := g.s.Equipment.Tiles.All()
				if want, _ := g.s.Seed().Draw(e.Number, whole, len(f.Seats)); f.Tiles != want || before.Bag != whole {
					t.Errorf("seed %d, draw %d: %q, from the whole bag %q", seed, draws, f.Tiles, want)
				}
				draws++
			}
			before = before.Apply(e)
		}
		redrawn += max(0, draws-1)
	}
	if redrawn == 0 {
		t.Error("nobody drew again")
	}
}

func sevenTiles(t *testing.T, r game.Rules) {
	s, _ := begun(t, r, 2)
	for _, seat := range s.Seats {
		if len(seat.Rack) != 7 {
			t.Errorf("%s has %d tiles", seat.Person.Name, len(seat.Rack))
		}
	}
}

func refills(t *testing.T, r game.Rules) {
	g := sit(t, r, "HORNFAM", full)
	g.plays(ann, "8H HORN")
	if got := len(g.s.Seats[ann].Rack); got != 7 {
		t.Errorf("%d tiles", got)
	}
}

func drawsTheRest(t *testing.T, r game.Rules) {
	g := sit(t, r, "HORNFAM", full)
	g.bag("AE")
	g.plays(ann, "8H HORN")
	g.wantRack(ann, "FAMAE")
}

// scores lets Ann make a play on a board. The racks have what it takes.
func scores(board, play string, want int) func(*testing.T, game.Rules) {
	return func(t *testing.T, r game.Rules) {
		g := sit(t, r, full, full)
		if board != "" {
			g.board(" " + board)
		}
		m := g.move(play)
		g.s.Seats[ann].Rack = m.Tiles.Faces()
		g.s.Rules.Challenge = game.Single // word validity is tested elsewhere
		g.env.Dict = nil
		if got := g.plays(ann, play); got != want {
			t.Errorf("%s scores %d, want %d", play, got, want)
		}
	}
}

// discardedAfter checks that exchanged tiles can't be drawn in their own place.
func discardedAfter(t *testing.T, r game.Rules) {
	g := sit(t, r, full, full)
	g.rack(ann, "QQQQQQQ")
	g.bag("EEEEEEE")
	g.does(ann, game.Exchange{Tiles: g.tiles("QQQQQQQ")})
	g.wantRack(ann, "EEEEEEE")
	if g.s.Bag != g.tiles("QQQQQQQ") {
		t.Errorf("the bag has %s", g.s.Equipment.Tiles.Print(g.s.Bag))
	}
}

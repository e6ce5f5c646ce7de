package record_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// TestReplayWholeGame checks a whole game to the last point, and that each position is written as
// it is parsed.
func TestReplayWholeGame(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "cmd", "internal", "lab", "gallery.gcg"))
	gametest.Must(t, err)
	g, err := record.ParseGCG(data)
	gametest.Must(t, err)
	eq := gametest.Equipment(t)
	got, err := record.Replay(game.Club(), eq, g)
	gametest.Must(t, err)
	last := g.Turns[len(g.Turns)-1]
	if got.Scores[last.Player] != last.Total || len(got.Boards) < 20 {
		t.Errorf("it ends at %d after %d turns, the last line says %d", got.Scores[last.Player], len(got.Boards), last.Total)
	}
	for i, board := range got.Boards {
		turn := g.Turns[i]
		p := record.Position{Board: board, Racks: []game.Tiles{got.Racks[i], ""}, Scores: []int{turn.Total, 0}, Ops: []string{"lex en"}}
		written := p.CGP(eq)
		read, err := record.ParseCGP(eq, written)
		if err != nil || read.CGP(eq) != written || read.Board.Tiles() != board.Tiles() {
			t.Errorf("after turn %d: %s reads as %s (%v)", i+1, written, read.CGP(eq), err)
		}
	}
}

// sample is a made-up game with something of everything. The first turn is line 3.
const sample = `#player1 ann Ann Example
#player2 bob Bob Example
>ann: ADHNORS 8G HORN +14 14
>bob: ?AFMTUU I6 FA.M +13 13
>bob: ?AFMTUU -- -13 0
>ann: ADEQSUZ - +0 14
>bob: ?AFMTUU I6 FA.M +13 13
>ann: ADEQSUZ 10I SAD +16 30
>ann: EIQTTUZ (challenge) +5 35
>bob: ?TUUVWX -UUVW +0 13
>ann: EIQTTUZ -2 +0 35
>bob: ?AEETTX 6I (F)lEX +13 26
>bob: (EIQUZ) +46 72
>ann: EIQUZ (EIQUZ) -23 12
>bob: (time) -10 62
`

func replay(t *testing.T, text string) (record.Result, error) {
	t.Helper()
	g, err := record.ParseGCG([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return record.Replay(game.Club(), gametest.Equipment(t), g)
}

func TestReplay(t *testing.T) {
	got, err := replay(t, sample)
	gametest.Must(t, err)
	// There are 5 plays (one withdrawn), 2 exchanges and 1 pass.
	if got.Moves != 8 || !slices.Equal(got.Scores, []int{12, 62}) {
		t.Errorf("replayed to %d moves and %v, want 8 and 12, 62", got.Moves, got.Scores)
	}
	g := parse(t, sample)
	var lying []int
	for _, b := range got.Boards {
		lying = append(lying, len(b.Tiles()))
	}
	if n := len(g.Turns); len(lying) != n || lying[0] != 4 || lying[n-1] != slices.Max(lying) {
		t.Errorf("tiles on the board after each of %d turns: %v", n, lying)
	}
}

// TestReplayOtherNotations replays other notations of the sample with the same content.
func TestReplayOtherNotations(t *testing.T) {
	for name, change := range map[string][2]string{
		"dots for tiles played through":   {"(F)lEX", ".lEX"},
		"a dot in the brackets":           {"(F)lEX", "(.)lEX"},
		"all letters of the word":         {"(F)lEX", "FlEX"},
		"brackets down":                   {"FA.M", "FA(R)M"},
		"no rack":                         {"ADEQSUZ 10I", "10I"},
		"part of the rack":                {"?AEETTX 6I", "?EX 6I"},
		"a rack in another order":         {"ADEQSUZ 10I", "ZUSQEDA 10I"},
		"a rack in lower case":            {"ADEQSUZ 10I", "adeqsuz 10I"},
		"a blank on the rack with letter": {"?AEETTX 6I", "lAEETTX 6I"},
		"tiles of a rack unknown":         {"ADEQSUZ 10I", "AD..S.. 10I"},
		"coordinates in lower case":       {"10I SAD", "10i SAD"},
		"no plus":                         {"SAD +16 30", "SAD 16 30"},
		"the bonus alone":                 {"EIQTTUZ (challenge) +5", "+5"},
		"the bonus with the play's rack":  {"EIQTTUZ (challenge)", "ADEQSUZ (challenge)"},
		"exchange by letters":             {"-2 +0", "-TT +0"},
		"exchange by number":              {"-UUVW +0", "-4 +0"},
		"the own rack once":               {"EIQUZ (EIQUZ) -23", "(EIQUZ) -23"},
		"the others' tiles in any case":   {"(EIQUZ) +46", "(eiquz) +46"},
		"the others' tiles once":          {"(EIQUZ) +46 72\n>ann: EIQUZ (EIQUZ) -23 12\n>bob: (time) -10 62", "(EIQUZ) +23 49"},
		"no end":                          {">bob: (EIQUZ) +46 72\n>ann: EIQUZ (EIQUZ) -23 12\n>bob: (time) -10 62", ""},
		"spaces":                          {"bob: (EIQUZ) +46 72", "bob:    (EIQUZ)   +46\t\t72  "},
		"a blank left":                    {"(EIQUZ) -23 12", "(EIQUZ) -23 12\n>ann: (?) +0 12"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := replay(t, change1(t, sample, change)); err != nil {
				t.Error(err)
			}
		})
	}
}

// change1 replaces the first occurrence of a text, which must exist.
func change1(t *testing.T, s string, change [2]string) string {
	t.Helper()
	if !strings.Contains(s, change[0]) {
		t.Fatalf("%q isn't in the sample", change[0])
	}
	return strings.Replace(s, change[0], change[1], 1)
}

// TestReplayMismatches changes one thing in the sample to be wrong.
func TestReplayMismatches(t *testing.T) {
	for name, c := range map[string]struct {
		change [2]string
		want   string
	}{
		"a score":                       {[2]string{"SAD +16 30", "SAD +15 29"}, "line 8: recorded 15, computed 16: the score of SAD"},
		"a total":                       {[2]string{"SAD +16 30", "SAD +16 31"}, "line 8: recorded 31, computed 30: the running total"},
		"a blank for a tile":            {[2]string{"lEX", "LEX"}, "line 12: recorded ?AEETTX, computed LEX: the tile L is not on the rack"},
		"a tile for a blank":            {[2]string{"SAD", "SaD"}, "line 8: recorded ADEQSUZ, computed S?D: the tile ? is not on the rack"},
		"a tile not on the rack":        {[2]string{"ADEQSUZ 10I", "DEEQSUZ 10I"}, "line 8: recorded DEEQSUZ, computed SAD: the tile A is"},
		"eight tiles":                   {[2]string{"ADEQSUZ 10I", "AADEQSUZ 10I"}, "line 8: recorded AADEQSUZ, computed SAD: a rack has at most 7 tiles, not 8"},
		"no such tile":                  {[2]string{"ADEQSUZ 10I", "ADEQSÜZ 10I"}, "line 8: recorded ADEQSÜZ, computed SAD: rack: 'Ü' not in the alphabet"},
		"two Z":                         {[2]string{"ADEQSUZ 10I", "ADSZZ 10I"}, "line 8: recorded ADSZZ, computed SAD: that is more tiles Z than the set has"},
		"another square":                {[2]string{"10I SAD", "12I SAD"}, "line 8: recorded 12I, computed -: against the rules (not joined)"},
		"off the board":                 {[2]string{"10I SAD", "10N SAD"}, "line 8: recorded 10N, computed -: against the rules (off the board)"},
		"far off the board":             {[2]string{"10I SAD", "21T SAD"}, "line 8: recorded 21T, computed -: against the rules (off the board)"},
		"through an empty square":       {[2]string{"SAD", "S.D"}, "line 8: recorded 10I, computed -: against the rules (gap) (J10)"},
		"over another tile":             {[2]string{"FA.M", "FATM"}, "line 4: recorded I6, computed -: against the rules (occupied) (I8)"},
		"brackets round another letter": {[2]string{"(F)lEX", "(A)lEX"}, "line 12: recorded (A)lEX, computed -: A is not on I6 to be played through"},
		"brackets round the whole word": {[2]string{"8G HORN", "8G (HO)RN"}, "line 3: recorded (HO)RN, computed -: H is not on G8"},
		"a bracket open":                {[2]string{"(F)lEX", "(FlEX"}, "line 12"},
		"a digit in a word":             {[2]string{"SAD", "S4D"}, "line 8: recorded S4D, computed -: '4' can't stand in a play"},
		"the first word elsewhere":      {[2]string{"8G HORN", "9G HORN"}, "line 3: recorded 9G, computed -: against the rules (misses the start) (H8)"},
		"more than was withdrawn":       {[2]string{"-- -13 0", "-- -14 -1"}, "line 5: recorded -14, computed -13: what the withdrawn play scored"},
		"withdrawn, but not laid":       {[2]string{">ann: ADEQSUZ - +0 14", ">ann: ADEQSUZ -- -14 0"}, "line 6: recorded -14, computed -: the player has no latest play"},
		"not withdrawn":                 {[2]string{">bob: ?AFMTUU -- -13 0\n", ""}, "line 6: recorded I6, computed -: against the rules"},
		"a pass that scores":            {[2]string{"- +0 14", "- +1 15"}, "line 6: recorded 1, computed 0: a pass scores nothing"},
		"an exchange that scores":       {[2]string{"-2 +0 35", "-2 +1 36"}, "line 11: recorded 1, computed 0: an exchange scores nothing"},
		"tiles exchanged not held":      {[2]string{"-UUVW", "-UUUVW"}, "line 10: recorded ?TUUVWX, computed UUUVW: the tile U is not on the rack"},
		"eight exchanged":               {[2]string{"-2 +0", "-8 +0"}, "line 11: recorded 8, computed 7: 8 tiles exchanged"},
		"the other player's bonus":      {[2]string{">ann: EIQTTUZ (challenge) +5 35", ">bob: (challenge) +5 18"}, "line 9: recorded 5, computed -: the latest play is not this player's"},
		"an odd bonus":                  {[2]string{"(challenge) +5 35", "(challenge) +4 34"}, "line 9: recorded 4, computed -: no challenge rule gives or takes that for a word"},
		"a bonus for three words":       {[2]string{"(challenge) +5 35", "(challenge) +25 55"}, "line 9: recorded 25, computed -"},
		"too much for the end":          {[2]string{"(EIQUZ) +46 72", "(EIQUZ) +48 74"}, "line 13: recorded 48, computed 46: the others' tiles EIQUZ, twice"},
		"too little lost":               {[2]string{"(EIQUZ) -23 12", "(EIQUZ) -22 13"}, "line 14: recorded -22, computed -23: the player's own tiles EIQUZ"},
		"another's rack lost":           {[2]string{"EIQUZ (EIQUZ) -23", "EIUZ (EIQUZ) -23"}, "line 14: recorded EIQUZ, computed EIUZ: the player loses another rack"},
		"tiles left that are played":    {[2]string{"(EIQUZ) +46", "(EIQUZX) +62"}, "line 13: recorded EIQUZX, computed -: that is more tiles X than the set has"},
		"time that is won":              {[2]string{"(time) -10 62", "(time) +10 82"}, "line 15: recorded 10, computed -: a time penalty gives no points"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := replay(t, change1(t, sample, c.change))
			var bad *record.Mismatch
			if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("error %v\nwant  %s", err, c.want)
			}
		})
	}
}

// TestReplayExchangeFromSmallBag uses twenty-four tiles and three racks of seven, which leaves
// three in the bag.
func TestReplayExchangeFromSmallBag(t *testing.T) {
	for turn, want := range map[string]string{
		"-3":    "",
		"-AAA":  "",
		"-4":    "line 4: recorded 4, computed 3: 4 tiles exchanged, with 3 in the bag",
		"-AAAO": "line 4: recorded 4, computed 3: 4 tiles exchanged, with 3 in the bag",
	} {
		g, err := record.ParseGCG([]byte("#player1 ana\n#player2 bea\n#player3 cruz\n>ana: " + turn + " +0 0"))
		gametest.Must(t, err)
		_, err = record.Replay(game.Club(), spanish(t), g)
		if got := errorText(err); got != want {
			t.Errorf("%s: error %q, want %q", turn, got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestReplayLongTiles checks that a two-letter tile is one tile and scores as one.
func TestReplayLongTiles(t *testing.T) {
	for turn, want := range map[string]string{
		"3B O[LL]A +10 10":   "",
		"3B OLLA +10 10":     "",
		"3B O[L][L]A +4 4":   "",
		"3B O[ll]A +2 2":     "",
		"3B O[L][L]A +10 10": "line 2: recorded 10, computed 4: the score of O[L]LA",
	} {
		g, err := record.ParseGCG([]byte("#player1 ana\n>ana: " + turn))
		gametest.Must(t, err)
		_, err = record.Replay(game.Club(), spanish(t), g)
		if got := errorText(err); got != want {
			t.Errorf("%s: error %q, want %q", turn, got, want)
		}
	}
}

// TestReplayUnknownRacks checks racks recorded as UNKNOWN, or as a question mark for
// each tile.
func TestReplayUnknownRacks(t *testing.T) {
	for lines, want := range map[string]string{
		">ana: UNKNOWN - +0 0":                                    "",
		">ana: unknown -3 +0 0":                                   "",
		">ana: ??????? - +0 0":                                    "",
		">ana: ??????? 3B OLLA +10 10":                            "",
		">ana: UNKNOWN 3B OLLA +10 10\n>ana: UNKNOWN -- -10 0":    "",
		">ana: ??? 3B OLLA +10 10\n>ana: ??????? (time) -10 0":    "",
		">ana: 3B O[LL]A +10 10\n>ana: UNKNOWN (challenge) +5 15": "",
		">ana: ?????? 3B O[LL]A +10 10\n>ana: UNKNOWN (OA) -2 8":  "",
		">ana: ?? 3B OLLA +10 10":                                 "line 2: recorded ??, computed O[LL]A: the tile O is not on the rack",
		">ana: UNKNOWN 3B OLLA +11 11":                            "line 2: recorded 11, computed 10: the score of O[LL]A",
		">ana: UNKNOWN 3B O[LL][LL]A +18 18":                      "line 2: recorded UNKNOWN, computed O[LL][LL]A: that is more tiles LL than the set has",
	} {
		g, err := record.ParseGCG([]byte("#player1 ana\n" + lines))
		gametest.Must(t, err)
		_, err = record.Replay(game.Club(), spanish(t), g)
		if got := errorText(err); got != want {
			t.Errorf("%s: error %q, want %q", lines, got, want)
		}
		if again, err := record.ParseGCG([]byte(g.String())); err != nil || again.String() != g.String() {
			t.Errorf("%s: read again %v, %s", lines, err, again)
		}
	}
}

package webpage_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestSightOfPlayersAndWatchers plays a few turns and checks what players and watchers see.
func TestSightOfPlayersAndWatchers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, "", "classic", "double", []string{"bag:EEEEEEEEEE", "ann:HORNSE?", "bob:ZZYXWVU"}))
		ann := w.Sees(bottest.People["ann"])
		if ann.Phase != "playing" || ann.Size != 15 || len(ann.Squares) != 225 || len(ann.Board) != 225 || len(ann.Tiles) != 27 {
			t.Errorf("the table: %+v", ann.Scene)
		}
		if ann.Own == nil || strings.Join(ann.Own.Rack, "") != "HORNSE?" || !ann.Own.Turn || ann.Own.Exchange != 7 || ann.Own.Lays != "play" {
			t.Fatalf("Ann's own: %+v", ann.Own)
		}
		if bob := w.Sees(bottest.People["bob"]).Own; bob == nil || bob.Turn || bob.Exchange != 0 || strings.Join(bob.Rack, "") != "ZZYXWVU" {
			t.Errorf("Bob's own: %+v", bob)
		}
		if eve := w.Sees(bottest.People["eve"]); eve.Own != nil {
			t.Errorf("Eve has %+v", eve.Own)
		}

		if r := w.Does(bottest.People["ann"], "/play horn?s 8h"); r.Refused {
			t.Fatal(r.Text)
		}
		s := w.Sees(bottest.People["eve"])
		if got := strings.Join(s.Board[7*15+7:7*15+12], ","); got != "H,O,R,N,?S" {
			t.Errorf("on the board: %s", got)
		}
		if !slices.Equal(s.Fresh, []int{112, 113, 114, 115, 116}) {
			t.Errorf("the last play is on %v", s.Fresh)
		}
		if len(s.Turns) != 1 || s.Turns[0].Number != 1 || s.Turns[0].Text != "8H HORNs" || s.Turns[0].Total != s.Players[0].Score || len(s.Turns[0].Changes) != 5 {
			t.Errorf("the turns: %+v", s.Turns)
		}
		if !s.Players[1].ToMove || s.Words {
			t.Errorf("the players: %+v; refused words: %v", s.Players, s.Words)
		}
		// A challenge can be made besides playing; the rack is in view.
		for who, want := range map[string]string{"bob": "Challenge", "ann": "", "eve": ""} {
			var can []string
			for _, b := range w.Sees(bottest.People[who]).Buttons {
				can = append(can, b.Label)
			}
			if got := strings.Join(can, ", "); got != want {
				t.Errorf("%s can %q, want %q", who, got, want)
			}
		}
	})
}

// TestSightWithoutTable looks at a channel without a table.
func TestSightWithoutTable(t *testing.T) {
	w := featuretest.New(t)
	if _, err := w.Host.Sight(t.Context(), bot.Request{Channel: featuretest.Parlour, User: bottest.People["ann"]}); err != bot.ErrNoTable {
		t.Errorf("no table: %v", err)
	}
}

// TestDraftScores checks draft scores under rules that refuse invalid words and under rules that let them
// be challenged.
func TestDraftScores(t *testing.T) {
	for _, c := range []struct {
		challenge, word, at string
		want                string
	}{
		{"double", "HORN", "8H", "HORN 14 = 14"},
		{"double", "HNOR", "8H", "HNOR 14 = 14"},
		{"void", "HNOR", "8H", "HNOR 14 invalid = 14"},
		{"void", "HOR?N", "8H", "HORN 12 = 12"},
		{"void", "HORN", "1A", "problem"},
		{"void", "QUIZ", "8H", "problem"},
	} {
		t.Run(c.challenge+" "+c.word+" "+c.at, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := featuretest.New(t)
				featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, "", "classic", c.challenge, []string{"bag:EEEEEEEEEE", "ann:HORNSE?", "bob:ZZYXWVU"}))
				d, err := w.Host.Draft(t.Context(), bot.Request{Channel: featuretest.Parlour, User: bottest.People["ann"], Command: "play", Args: map[string]string{"word": c.word, "at": c.at}})
				gametest.Must(t, err)
				var said []string
				for _, word := range d.Words {
					s := fmt.Sprint(word.Text, " ", word.Score)
					if word.Invalid {
						s += " invalid"
					}
					said = append(said, s)
				}
				got := strings.Join(said, ", ") + fmt.Sprint(" = ", d.Score)
				if d.Problem != "" {
					got = "problem"
				}
				if got != c.want {
					t.Errorf("got %s, want %s (%s)", got, c.want, d.Problem)
				}
			})
		})
	}
}

// TestDraftOfRemoval drafts the removal of each tile in an unscrabble game: a removal refused as a
// draft is refused as a move too.
func TestDraftOfRemoval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		w.Does(bottest.People["ann"], "/new variant:unscrabble seats:2")
		w.Does(bottest.People["bob"], "/join")
		who := bottest.People["ann"]
		if !w.Sees(who).Own.Turn {
			who = bottest.People["bob"]
		}
		draft := func(squares string) bot.Draft {
			d, err := w.Host.Draft(t.Context(), bot.Request{Channel: featuretest.Parlour, User: who, Command: "try", Args: map[string]string{"squares": squares}})
			gametest.Must(t, err)
			return d
		}
		if d := draft("o15 o15"); d.Problem == "" {
			t.Error("a square can be named twice")
		}
		s := w.Sees(who)
		empty, lies := false, false // whether such a square was tried
		for i, tile := range s.Board {
			name := game.Square{Row: i / s.Size, Col: i % s.Size}.String()
			d := draft(name)
			if tile == "" && d.Problem == "" {
				t.Fatalf("nothing lies on %s, and it can be taken", name)
			}
			if d.Problem == "" || tile == "" && empty || tile != "" && lies {
				continue
			}
			empty, lies = empty || tile == "", lies || tile != ""
			if r := w.Does(who, "/remove "+name); !r.Refused || r.Text.String() != d.Problem {
				t.Errorf("%s: %s, after the draft said %s", name, r.Text, d.Problem)
			}
		}
		if !empty || !lies {
			t.Error("every tile can be taken alone")
		}
	})
}

// TestSightOfVariants checks the first turn of every variant.
func TestSightOfVariants(t *testing.T) {
	for name, c := range map[string]struct {
		opens string
		lays  string
		size  int
	}{
		"junior": {"/new variant:junior seats:2", "play", 13}, "21x21": {"/new variant:21x21 seats:2", "play", 21},
		"double-bag": {"/new variant:double-bag seats:2", "play", 15}, "solitaire": {"/new variant:solitaire", "play", 15},
		"junior-starter": {"/new variant:junior-starter seats:2", "cover", 13}, "unscrabble": {"/new variant:unscrabble seats:2", "remove", 15},
		"duplicate": {"/new variant:duplicate", "submit", 15},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := featuretest.New(t)
				if r := w.Does(bottest.People["ann"], c.opens); r.Refused {
					t.Fatal(r.Text)
				}
				w.Does(bottest.People["bob"], "/join")
				w.Does(bottest.People["ann"], "/start")
				s := w.Sees(bottest.People["ann"])
				if !s.Players[0].ToMove && name != "duplicate" {
					s = w.Sees(bottest.People["bob"])
				}
				if s.Own == nil || !s.Own.Turn || s.Own.Lays != c.lays || s.Size != c.size {
					t.Fatalf("%+v", s.Own)
				}
				if (name == "unscrabble") != (s.Began != nil) || (name == "junior-starter") != (s.Own.Covers != nil) || s.Own.Draws != (name == "double-bag") {
					t.Errorf("a board to begin with: %v; to cover: %v; two bags: %v", s.Began != nil, s.Own.Covers, s.Own.Draws)
				}
				for _, b := range s.Buttons {
					if b.Label == "Pass" || b.Label == "Join" {
						t.Errorf("a button to %s, which the board has or a player has no use for", b.Label)
					}
				}
				if _, err := json.Marshal(s); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

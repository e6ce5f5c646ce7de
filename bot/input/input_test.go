package input_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// dealt returns a table with HORN across the middle where Bob is to move, and its lists.
func dealt(t *testing.T, challenge, rack string) (*lexicons.Lists, table.Table) {
	t.Helper()
	small := bottest.Small(t)
	log := bottest.Dealt(t, small.Hash(), "classic", challenge, []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:" + rack})
	s, err := game.Replay(log)
	gametest.Must(t, err)
	m, err := game.Place(s.Equipment, &s.Board, s.Seats[0].Rack, game.Square{Row: 7, Col: 7}, game.Across, spelling(t, s, "horn"))
	gametest.Must(t, err)
	s.Board.Lay(m)
	s.Turn = 1
	return lexicons.New(gametest.Equipment(t), nil, nil, []*lexicon.Lexicon{small}, nil, func(string) string { return "small" }), table.Table{State: s}
}

func spelling(t *testing.T, s game.State, word string) game.Spelling {
	t.Helper()
	sp, err := game.ParseSpelling(s.Equipment.Tiles, word)
	gametest.Must(t, err)
	return sp
}

func asks(who, word, at string) bot.Request {
	return bot.Request{User: bottest.People[who], Command: "play", Args: map[string]string{"word": word, "at": at}}
}

// A play names its place unless only one is possible. An impossible play is explained.
func TestPlaceOfPlay(t *testing.T) {
	for _, c := range []struct {
		who, word, at, challenge string
		want                     string // the square and the word, or the error
	}{
		{"bob", "farm", "g8", "single", "G8 FARM"},
		{"bob", "FARM", "8G", "single", "occupied"},
		{"bob", "farm", "z99", "single", "z99 isn't a square"},
		{"bob", "farm", strings.Repeat("x", 500), "single", "x… isn't a square"},
		{"bob", "horns", "", "void", "8H HORNS"}, // only one place is valid when words are judged
		{"bob", "farms", "", "single", "many placements"},
		{"bob", "quart", "", "single", "no placement"},
		{"bob", "hornm", "", "void", "not a word"},
		{"bob", "f4rm", "8h", "single", "bad word"},
		{"eve", "farm", "g8", "single", "not playing"},
	} {
		lists, at := dealt(t, c.challenge, "FARMQIS")
		m, err := input.Play(lists, at, asks(c.who, c.word, c.at))
		got := m.At.At(m.Dir) + " " + strings.ToUpper(c.word)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s's /play %s %s under %s: %q, want %q", c.who, c.word, c.at, c.challenge, got, c.want)
		}
	}
}

// Places are offered best first, with the other words they form. If words are judged, only
// valid plays are offered.
func TestSquaresAreOfferedBestFirst(t *testing.T) {
	for _, c := range []struct {
		who, word, challenge string
		n                    int
		first                string
	}{
		{"bob", "farms", "single", 27, "L8 down · 43 · also HORNF"},
		{"bob", "horns", "void", 1, "8H across"},
		{"bob", "hornm", "void", 0, ""},
		{"bob", "f4rm", "single", 0, ""},
		{"eve", "farm", "single", 0, ""},
	} {
		lists, at := dealt(t, c.challenge, "FARMQIS")
		offers := input.Squares(lists, at, asks(c.who, c.word, ""))
		first := ""
		if len(offers) > 0 {
			first = offers[0].Label.String()
		}
		if len(offers) != c.n || !strings.HasPrefix(first, c.first) {
			t.Errorf("%s is offered %d places for %s under %s, the first %q; want %d, %q", c.who, len(offers), c.word, c.challenge, first, c.n, c.first)
		}
	}
}

// Texts and names lose odd spaces, and every person has a name.
func TestTidyTextsAndNames(t *testing.T) {
	was := bot.Request{User: bot.User{ID: "a", Name: " Ann\n\u202eB. "}, People: []bot.User{{ID: "b", Name: "\t"}, {ID: "c", Name: strings.Repeat("é", 200)}}, Args: map[string]string{"word": " horn ", "at": "8h"}}
	r := input.Tidy(was)
	if r.User.Name != "Ann B." || r.People[0].Name != "Somebody" || len([]rune(r.People[1].Name)) != bot.MaxName || r.Args["word"] != "horn" || r.Args["at"] != "8h" {
		t.Errorf("%+v", r)
	}
	if was.Args["word"] != " horn " || was.People[0].Name != "\t" {
		t.Errorf("what was given has changed: %+v", was)
	}
}

package input_test

import (
	"os"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/lexicon"
)

// A word with several spellings is read in the way that the rack can lay and the list has.
func TestAmbiguousSpellings(t *testing.T) {
	for _, tt := range []struct {
		code, list string
		rack       string
		word       string
		want       string // the tiles laid, as the language prints them; "" if the play is refused
	}{
		{"cy", "DAN|GOS", "D A N G O S NG", "dangos", "DA[N][G]OS"},
		{"cy", "DAN|GOS", "D A N G O S E", "DANGOS", "DA[N][G]OS"},
		{"cy", "DAN|GOS", "D A NG O S E E", "dangos", "DANGOS"}, // invalid, but the only spelling that can be laid
		{"cy", "DAN|GOS\nANGEN", "A E N N G E E", "angen", ""},  // the rack lacks NG, and the list has no N+G
		{"cy", "ANGEN", "A E N NG G E E", "angen", "ANGEN"},
		{"cy", "DAN|GOS", "D A N G O S E", "da[ng]os", ""},
		{"hr", "IN|JEKCIJA\nKONJ", "K O N J A A A", "konj", ""},
		{"hr", "IN|JEKCIJA\nKONJ", "K O NJ J A A N", "konj", "KONJ"},
		{"hu", "CSAK", "C S A K CS E E", "csak", "CSAK"},
		{"hu", "CSAK", "C S A K E E E", "csak", "[C][S]AK"},
		{"hu", "CSAK", "C S A L E E E", "csal", "[C][S]AL"}, // invalid, but it can be laid
		{"hu", "CSAK", "CS A K E E E E", "c|sak", ""},
		{"es", "CHAL", "C H A L E E E", "chal", ""},
		{"es", "CHAL", "CH A L E E E E", "CHAL", "CHAL"},
		{"es", "CHAL", "? A L E E E E", "chal", "chAL"},
	} {
		text, err := os.ReadFile("../../data/languages/" + tt.code + ".json")
		gametest.Must(t, err)
		l, err := language.Parse(text)
		gametest.Must(t, err)
		list, err := lexicon.Build(tt.code, l.Tiles.Alphabet(), strings.NewReader(tt.list))
		gametest.Must(t, err)
		rack := ""
		for tile := range strings.FieldsSeq(tt.rack) {
			if tile != "?" {
				tile = "[" + tile + "]"
			}
			rack += tile
		}
		tiles, err := l.Tiles.Parse(rack)
		gametest.Must(t, err)
		eq := gametest.Equipment(t)
		eq.Tiles = l.Tiles
		rules := game.Classic()
		s := game.State{Rules: rules, Equipment: eq, Lexicon: game.LexiconID{Name: tt.code, Hash: list.Hash()}, Phase: game.Playing,
			Seats: []game.Seat{{Person: game.Person{ID: "ann", Name: "Ann"}, Rack: tiles}}}
		all := lexicons.New(eq, []*language.Language{l}, nil, []*lexicon.Lexicon{list}, nil, func(string) string { return tt.code })
		req := bot.Request{User: bot.User{ID: "ann", Name: "Ann"}, Command: "play", Args: map[string]string{"word": tt.word, "at": "8H"}}
		m, err := input.Play(all, table.Table{State: s}, req)
		got := ""
		if err == nil {
			got = l.Tiles.Print(m.Tiles)
		}
		want := ""
		if tt.want != "" {
			w, err := l.Tiles.Parse(tt.want)
			gametest.Must(t, err)
			want = l.Tiles.Print(w)
		}
		if got != want {
			t.Errorf("%s: %s from %s lays %q (%v), want %q", tt.code, tt.word, tt.rack, got, err, want)
		}
	}
}

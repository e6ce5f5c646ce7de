package web_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/lexicon"
)

// In a Hebrew game on a phone, the board, the rack and the blank's letters begin on the
// right, words run from right to left, and axe finds no faults.
func TestHebrewGame(t *testing.T) {
	rules := axe(t)
	browser := chromium(t)
	text, err := os.ReadFile(filepath.Join("..", "..", "data", "languages", "he.json"))
	gametest.Must(t, err)
	hebrew, err := language.Parse(text)
	gametest.Must(t, err)
	h := newHouse(t)
	h.stop()
	h.equipment.Tiles = hebrew.Tiles
	var words strings.Builder // any two or three letters are a word, so every rack has a play
	letters := []rune("אבגדהוזחטיכלמנסעפצקרשת")
	for _, a := range letters {
		for _, b := range letters {
			fmt.Fprintf(&words, "%c%c\n", a, b)
			for _, c := range letters {
				fmt.Fprintf(&words, "%c%c%c\n", a, b, c)
			}
		}
	}
	if h.lexicon, err = lexicon.Build("he-any", hebrew.Tiles.Alphabet(), strings.NewReader(words.String())); err != nil {
		t.Fatal(err)
	}
	h.start()
	server := h.serves()
	ann := newWindow(t, browser, "Ann", server.URL, 390, 844)
	ann.onPhone(390, 844)
	ann.wait(`document.activeElement?.id === "entry-name"`)
	ann.types("Ann")
	ann.key("Enter")
	ann.wait(`document.querySelector(".welcome")`)
	h.says(dora, "web:general", "/new seats:2")
	ann.tap(`[...document.querySelectorAll("#messages .button")].findLast((b) => b.innerText === "Join")`)
	ann.wait(`document.querySelectorAll(".rack button").length === 7`)
	if !eval[bool](ann, `((at) => at(0).left > at(14).left && at(0).top < at(210).top)((n) => document.querySelector('[data-square="' + n + '"]').getBoundingClientRect())`) {
		t.Error("the board begins on the left")
	}
	if !eval[bool](ann, `((all) => all[0].getBoundingClientRect().left > all[6].getBoundingClientRect().left)(document.querySelectorAll(".rack button"))`) {
		t.Error("the rack begins on the left")
	}
	g, err := movegen.New(h.lexicon, h.equipment, h.state().Rules)
	gametest.Must(t, err)
	for turn := range 3 {
		s := h.state()
		do := h.move(g, s)
		if len(do.laid) == 0 {
			t.Fatalf("turn %d: %s, and there is a play", turn, do.line)
		}
		if s.Seats[s.Turn].Person.ID == dora.ID {
			h.says(dora, "web:general", do.line)
		} else {
			ann.lays(do.laid)
			ann.canPlay(do.score)
			ann.click(".acts .play")
		}
		ann.shows("#board .caption", fmt.Sprintf("for %d", do.score))
		ann.wait(fmt.Sprintf(`document.querySelector('[data-square="%d"]').innerText.includes(%q)`, do.laid[0].square, do.laid[0].letter))
	}
	if s := h.state(); s.Phase != game.Playing {
		t.Fatalf("the game is %v", s.Phase)
	}
	ann.still()
	ann.accessible("a Hebrew game", rules)
	ann.quiet("")
}

package slack_test

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A step is a command, its options, and the expected answer.
type step struct{ command, text, told string }

// ownSteps lists the steps of variants with turns of their own; other variants have the
// turns of ordinary play.
var ownSteps = map[string][]step{
	"double-bag":     {{"/draw", "4", "you hold 4 vowels"}, {"/pass", "sure:yes", "You pass"}},
	"duplicate":      {{"/submit", "qqqq 8h", "8H needs"}, {"/pass", "sure:yes", "you have no play"}},
	"junior-starter": {{"/cover", "qqq", "isn't a word on the board"}, {"/pass", "sure:yes", "You pass"}},
	"solitaire":      {{"/pass", "sure:yes", "You pass"}, {"/end", "", "total"}},
	"unscrabble":     {{"/remove", "u21", "U21 is empty"}, {"/pass", "sure:yes", "You pass"}},
}

// TestEveryVariantPlays opens a table of each variant and plays a turn of it, by commands and
// buttons, and checks that private answers reach nobody else.
func TestEveryVariantPlays(t *testing.T) {
	t.Parallel()
	for _, v := range game.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			w := newWorld(t, slacktest.Options{})
			if got := w.slash(ann, "/help", v.Name); len(got.Said()) < 80 {
				t.Errorf("/help %s tells %q", v.Name, got.Said())
			}
			w.slash(ann, "/new", "variant:"+v.Name) // answers at once that the table is being opened
			w.await("the answer to /new", func() bool { return len(w.s.Private(ann)) == 3 })
			opened := w.post("wants to play: " + v.Name)
			mover, other := ann, bob
			if w.state().Phase == game.Lobby {
				w.press(bob, opened, "Join", nil)
				w.press(bob, w.post("At the table: Ann and Bob"), "Start", nil)
				if w.turn() == bob {
					mover, other = bob, ann
				}
			}
			begins := cmp.Or(map[string]string{"duplicate": "The rack for turn 1", "solitaire": "The game begins"}[v.Name], "Bob play")
			board := w.post(begins)
			if !board.Shows() || len(slacktest.Labels(board.Blocks)) == 0 {
				t.Errorf("the board has no picture or no buttons: %s", board.Said())
			}
			steps := []step{{"/pass", "sure:yes", "You pass"}}
			if own := ownSteps[v.Name]; own != nil {
				steps = own
			}
			told := len(w.s.Private(other))
			for _, s := range slices.Concat([]step{{"/rack", "", ""}, {"/board", "text", ""}}, steps) {
				got := w.slash(mover, s.command, s.text)
				if said := got.Said(); said == "" || !strings.Contains(said, s.told) {
					t.Errorf("%s tells %q, want %q", s.command, said, s.told)
				}
			}
			if n := len(w.s.Private(other)); n != told {
				t.Errorf("the other was shown %d answers", n-told)
			}
		})
	}
}

// TestSubmitByForm checks that the button under a duplicate turn asks for the play.
func TestSubmitByForm(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/new", "variant:duplicate turn:3m")
	w.press(ann, w.post("wants to play"), "Start", nil)
	gametest.Must(t, w.s.Press(ann, w.post("The rack for turn 1"), "Submit", nil))
	mistakes, err := w.s.Submit(w.form(ann, "Submit"), map[string]any{"word": "qqqq", "at": "8h"})
	if err != nil || !strings.Contains(mistakes["word"]+mistakes["at"], "8H needs") {
		t.Errorf("%v, %v; want a mistake at the field", mistakes, err)
	}
}

// TestEditKeepsPictureAndButtons checks that an edited post keeps its picture and its buttons, and that an
// outdated post stays folded.
func TestEditKeepsPictureAndButtons(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	message := func(key, words string, edit bool) bot.Message {
		return bot.Message{
			Key: key, Edit: edit, Channel: "slack:" + slacktest.Team + "/" + games, Table: 1, Number: 1, Text: text.Text{{Text: words}}, Line: text.Text{{Text: "over"}},
			Picture: &bot.Picture{Alt: text.Say("the board"), PNG: []byte("\x89PNG")}, Buttons: []bot.Button{{ID: "1:1:1:rack:", Label: text.Say("My rack")}},
		}
	}
	post := func(m bot.Message) []slacktest.Message {
		t.Helper()
		gametest.Must(t, w.adapter.Post(t.Context(), m))
		return w.s.Messages(games)
	}
	post(message("k", "0 of 2", false))
	got := post(message("k", "1 of 2", true))
	if len(got) != 1 || !strings.Contains(got[0].Said(), "1 of 2") || !got[0].Shows() || !slices.Contains(slacktest.Labels(got[0].Blocks), "My rack") {
		t.Errorf("changed to %s", said(got))
	}
	post(message("l", "the next", false))
	w.adapter.Wait()
	if got := post(message("k", "2 of 2", true)); len(got) != 2 || !strings.Contains(got[0].Said(), "over") {
		t.Errorf("what was folded says %s", said(got))
	}
}

// TestTurnStartsWhenBoardArrives checks that the time of a duplicate turn starts when Slack
// has its board, however late that is.
func TestTurnStartsWhenBoardArrives(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/new", "variant:duplicate turn:3m")
	w.post("wants to play")
	w.slash(bob, "/join", "")
	w.await("Bob at the table", func() bool { return len(w.state().Seats) == 2 })
	w.s.Fail("chat.postMessage", slacktest.Fault{RetryAfter: 10 * time.Minute})
	w.slash(ann, "/start", "")
	w.await("the board put off", func() bool { return strings.Contains(w.log.String(), "post postponed") })
	w.later(10 * time.Minute)
	m := w.post("The rack for turn 1")
	until := regexp.MustCompile(`<!date\^(\d+)\^`).FindStringSubmatch(m.Said())
	if until == nil {
		t.Fatalf("it doesn't say until when: %s", m.Said())
	}
	seconds, _ := strconv.ParseInt(until[1], 10, 64)
	if left := time.Unix(seconds, 0).Sub(w.now()); left < 2*time.Minute+30*time.Second {
		t.Errorf("%s are left when the board is there, of 3 minutes", left)
	}
	w.later(2*time.Minute + 20*time.Second)
	if w.slash(ann, "/pass", "sure:yes"); w.state().Turns != 0 {
		t.Error("the turn is over before its time")
	}
}

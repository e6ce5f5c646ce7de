package slack_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestPlayFormPreviewsScore checks that the Play form previews the score while the person types, and
// plays it: a word without a square goes where it scores most.
func TestPlayFormPreviewsScore(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, second, line := w.dealWord("")
	gametest.Must(t, w.s.Press(first, w.post("it's your turn"), "Play", nil))
	form := w.form(first, "Play")
	if form.Submit != "Play" || !strings.ContainsAny(form.Text(), "₁₂₃₄₅₈") {
		t.Errorf("the form can be sent by %q and says %s", form.Submit, form.Text())
	}
	word, _, _ := strings.Cut(line, " ")
	enter := func(word string) {
		t.Helper()
		updates := form.Updates
		gametest.Must(t, w.s.Enter(form, "word", map[string]string{"word": word}))
		w.await("what "+word+" scores", func() bool { form, _ = w.s.View(form.ID, first); return form.Updates > updates })
	}
	enter("zzzzz")
	if form.Submit != "Play" || !strings.Contains(form.Text(), "ZZZZZ") {
		t.Errorf("ZZZZZ: %q, %s", form.Submit, form.Text())
	}
	enter(line)
	if !strings.HasPrefix(form.Submit, "Play for ") {
		t.Errorf("%s: %q, %s", line, form.Submit, form.Text())
	}
	enter(word)
	if !strings.HasPrefix(form.Submit, "Play for ") || !strings.Contains(form.Text(), " scores ") {
		t.Errorf("%s: %q, %s", word, form.Submit, form.Text())
	}
	if mistakes, err := w.s.Submit(form, map[string]any{"word": word}); err != nil || mistakes != nil {
		t.Fatalf("%v, %v", mistakes, err)
	}
	w.post(" plays ")
	if points := strings.TrimPrefix(form.Submit, "Play for "); !strings.Contains(w.post(" plays ").Said(), "for *"+points+"*") {
		t.Errorf("it said %q, and: %s", form.Submit, w.post(" plays ").Said())
	}
	// A player who isn't to move can plan ahead.
	_ = second
	gametest.Must(t, w.s.Press(first, w.post("it's your turn"), "Play", nil))
	w.await("the form for the next turn", func() bool { v, _ := w.s.Top(first); return v.Submit == "Plan it" })
}

// TestPlayFormAsksForVowels checks that the form asks how many new tiles should be vowels only
// if there are two bags.
func TestPlayFormAsksForVowels(t *testing.T) {
	for _, options := range []string{"", "variant:double-bag"} {
		t.Run(options, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, slacktest.Options{})
			first, _, line := w.dealWord(options)
			gametest.Must(t, w.s.Press(first, w.post("it's your turn"), "Play", nil))
			form := w.form(first, "Play")
			asks := slices.ContainsFunc(form.Blocks, func(b map[string]any) bool { return b["block_id"] == "draw" })
			if asks != (options != "") {
				t.Fatalf("it asks for a draw: %v", asks)
			}
			if !asks {
				return
			}
			word, at, _ := strings.Cut(line, " ")
			if mistakes, err := w.s.Submit(form, map[string]any{"word": word, "at": at, "draw": "0"}); err != nil || mistakes != nil {
				t.Fatalf("%v, %v", mistakes, err)
			}
			w.post(" plays ")
			laid := game.Played{}
			_, events, err := w.db.Events(t.Context(), 1, -1)
			gametest.Must(t, err)
			for _, e := range events {
				if p, ok := e.Fact.(game.Played); ok {
					laid = p
				}
			}
			if laid.Vowels != 0 {
				t.Errorf("%d vowels were drawn, and none was wanted", laid.Vowels)
			}
			if len(laid.Drew) == 0 {
				t.Error("nothing was drawn")
			}
		})
	}
}

// TestUnseenScoreIsPreviewed checks that a play submitted before its score was shown is
// previewed first.
func TestUnseenScoreIsPreviewed(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, _, line := w.dealWord("")
	gametest.Must(t, w.s.Press(first, w.post("it's your turn"), "Play", nil))
	form := w.form(first, "Play")
	word, _, _ := strings.Cut(line, " ")
	for range 2 {
		if mistakes, err := w.s.Submit(form, map[string]any{"word": word}); err != nil || mistakes != nil {
			t.Fatalf("%v, %v", mistakes, err)
		}
		if form, _ = w.s.View(form.ID, first); w.state().Turns == 0 && !strings.HasPrefix(form.Submit, "Play for ") {
			t.Fatalf("the form can be sent by %q", form.Submit)
		}
	}
	w.post(" plays ")
}

// TestExchangeTakesThreePresses checks that an exchange takes three presses: the menu, its option, and
// the form.
func TestExchangeTakesThreePresses(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, _ := w.deal("")
	gametest.Must(t, w.s.Press(first, w.post("it's your turn"), "Exchange…", nil))
	form := w.form(first, "Exchange")
	field, _ := form.Blocks[0]["element"].(map[string]any)
	options, _ := field["options"].([]any)
	if len(options) != 7 {
		t.Fatalf("it has %d tiles", len(options))
	}
	var ticked []string
	for _, o := range options[:2] {
		ticked = append(ticked, o.(map[string]any)["value"].(string))
	}
	if mistakes, err := w.s.Submit(form, map[string]any{"tiles": ticked}); err != nil || mistakes != nil {
		t.Fatalf("%v, %v", mistakes, err)
	}
	w.post("exchanges 2 tiles")
}

// TestFirstTileTakesThreePresses checks that it takes three presses and a word from the installation to the
// first tile.
func TestFirstTileTakesThreePresses(t *testing.T) {
	for _, c := range []struct {
		name string
		open func(w *world) error // the first press
	}{
		{"from the page Home", func(w *world) error {
			if err := w.s.OpenHome(ann); err != nil {
				return err
			}
			w.await("her page", func() bool { _, ok := w.s.Home(ann); return ok })
			page, _ := w.s.Home(ann)
			return w.s.PressIn(page, "Play Beginner (robot)", nil)
		}},
		{"in a channel", func(w *world) error {
			if err := w.s.Slash(ann, games, "/rackmate", ""); err != nil {
				return err
			}
			return w.s.PressIn(w.launcher(ann), "Play a robot", nil)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, slacktest.Options{})
			gametest.Must(t, c.open(w))
			form := w.form(ann, "Play")
			if fields(form) != 2 {
				t.Errorf("the form has %d fields", fields(form))
			}
		})
	}
}

// TestChallengePersonByName challenges a person with only the app's command and their name.
func TestChallengePersonByName(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/rackmate", "<@"+bob+"|bob>")
	if m := w.post("wants to play"); !strings.Contains(m.Said(), "<@"+bob+">") {
		t.Errorf("the table: %s", m.Said())
	}
}

// TestPlayInPlainText checks that a game in direct messages is played in plain text, and that
// plain text in a game's thread is chat, even if an earlier installation still reports it
// to the app.
func TestPlayInPlainText(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	direct := "D" + ann
	gametest.Must(t, w.s.OpenMessages(ann))
	w.await("a greeting", func() bool { return strings.Contains(said(w.s.Direct(ann)), "Type a word and its square") })
	say := func(who, channel, thread, text, says string) {
		t.Helper()
		had := len(w.s.Private(who))
		gametest.Must(t, w.s.Say(who, channel, thread, text))
		if got := w.answer(who, had); !strings.Contains(got.Said(), says) {
			t.Errorf("%s: %q, want %q", text, got.Said(), says)
		}
	}
	say(ann, direct, "", "hello there friend", "Type a word and its square")
	say(ann, direct, "", "new robots:beginner", "Your rack")
	w.await("the game", func() bool { return strings.Contains(said(w.s.Direct(ann)), "(robot) play") })
	w.await("her turn", func() bool { return strings.Contains(said(w.s.Direct(ann)), "it's your turn") })
	say(ann, direct, "", "rack", "Your rack")
	say(ann, direct, "", "zzzzz 8h", "Z")
	say(ann, direct, "", "zzzzz", "Z")

	w.slash(bob, "/rm", "new seats:2 thread:true")
	table := w.post("wants to play")
	w.press(cat, table, "Join", nil)
	table = w.post("it's your turn")
	had := len(w.s.Private(bob))
	for _, talk := range []string{"play nice", "pass me the salt", "well done", "8h is a nice square", "rack", "horn 8h"} {
		gametest.Must(t, w.s.Say(bob, games, table.Thread, talk))
	}
	if n := len(w.s.Private(bob)); n != had {
		t.Errorf("talk was answered: %s", said(w.s.Private(bob)[had:]))
	}
}

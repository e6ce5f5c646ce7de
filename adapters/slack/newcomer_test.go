package slack_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// TestHelpOffersButtons checks that mentioning the app alone, or help, offers commands as buttons:
// from there it takes a press, a word and a press to the first tile.
func TestHelpOffersButtons(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	gametest.Must(t, w.s.Mention(ann, games, "", ""))
	help := w.answer(ann, 0)
	if got := slacktest.Labels(help.Blocks); !slices.Equal(got, []string{"New", "Play a robot", "Games", "Stats", "Settings"}) {
		t.Errorf("help has the buttons %v", got)
	}
	gametest.Must(t, w.s.Press(ann, help, "Play a robot", nil))
	w.post("it's your turn")
	w.adapter.Wait()
	if got := w.slash(ann, "/rackmate", "help"); !slices.Equal(slacktest.Labels(got.Blocks), []string{"Play", "Exchange", "Pass", "Rack", "Board"}) {
		t.Errorf("in a game help has the buttons %v", slacktest.Labels(got.Blocks))
	} else if err := w.s.Press(ann, got, "Play", nil); err != nil {
		t.Fatal(err)
	}
	if form := w.form(ann, "Play"); fields(form) != 2 {
		t.Errorf("the form Play has %d fields", fields(form))
	}
}

// TestWholeGameInPlainText plays a whole game against a robot in direct messages without
// typing a slash, from the greeting's button to the end.
func TestWholeGameInPlainText(t *testing.T) {
	list := gametest.Part(t, "en")
	w := newWorldOf(t, list, slacktest.Options{})
	direct := "D" + ann
	gametest.Must(t, w.s.OpenMessages(ann))
	w.await("a greeting", func() bool { return len(w.s.Direct(ann)) == 1 })
	gametest.Must(t, w.s.Press(ann, w.s.Direct(ann)[0], "Play Beginner (robot)", nil))
	state := func() (s game.State) {
		_, events, err := w.db.Table(t.Context(), bot.ChannelID("slack:"+slacktest.Team+"/"+direct))
		if err == nil && len(events) > 0 {
			s, err = game.Replay(events)
		}
		gametest.Must(t, err)
		return s
	}
	hers := func() bool {
		s := state()
		return s.Phase != game.Playing || strings.HasSuffix(string(s.Seats[s.Turn].Person.ID), ann)
	}
	w.await("the game", func() bool { return state().Phase == game.Playing })
	g, err := movegen.New(list, gametest.Equipment(t), state().Rules)
	gametest.Must(t, err)
	passed := 0
	for turn := 0; ; turn++ {
		w.await("her turn, or the end", hers)
		s := state()
		if s.Phase != game.Playing {
			break
		}
		if turn > 60 {
			t.Fatal("the game doesn't end")
		}
		line := strongest(g, s)
		switch {
		case line != "":
		case len(s.Bag) >= s.Rules.ExchangeMin:
			line = "exchange " + s.Equipment.Tiles.Text(s.Seats[s.Turn].Rack.At(0))
		default:
			line = "pass"
		}
		had := len(w.s.Private(ann))
		gametest.Must(t, w.s.Say(ann, direct, "", line))
		if got := w.answer(ann, had); line == "pass" {
			passed++
			gametest.Must(t, w.s.Press(ann, got, "Yes, pass", nil))
		}
		w.await("her move", func() bool { return state().Number > s.Number })
	}
	t.Logf("%d turns, of which %d passes", state().Turns, passed)
	if s := state(); s.Phase == game.Closing { // the last play can be challenged
		gametest.Must(t, w.s.Say(ann, direct, "", "pass"))
	}
	w.await("the end", func() bool { return strings.Contains(said(w.s.Direct(ann)), " wins") })
}

// TestCommandWordsCanBePlayed checks that words that are also commands can be played with their
// squares during a game.
func TestCommandWordsCanBePlayed(t *testing.T) {
	w := newWorldOf(t, gametest.Part(t, "en"), slacktest.Options{})
	gametest.Must(t, w.s.OpenMessages(ann))
	w.await("a greeting", func() bool { return len(w.s.Direct(ann)) == 1 })
	says := func(line string) string {
		had := len(w.s.Private(ann))
		gametest.Must(t, w.s.Say(ann, "D"+ann, "", line))
		return w.answer(ann, had).Said()
	}
	if got := says("join 8h"); !strings.Contains(got, "means here") {
		t.Errorf("before the game join 8h is answered %s", got)
	}
	gametest.Must(t, w.s.Press(ann, w.s.Direct(ann)[0], "Play Beginner (robot)", nil))
	w.await("the game", func() bool { return len(w.s.Direct(ann)) > 1 })
	for _, line := range []string{"join 1a", "board 1a", "check 1a"} { // doesn't cover the centre, if they are on the rack
		if got := says(line); strings.Contains(got, "means here") || strings.Contains(got, "1a") {
			t.Errorf("%s is answered %s", line, got)
		}
	}
	if got := says("check join"); !strings.Contains(strings.ToLower(got), "join") {
		t.Errorf("check join is answered %s", got)
	}
}

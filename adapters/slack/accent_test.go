package slack_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestNothingIsLeftInEnglish checks that Home, the launcher and forms are in the reader's
// language: see [bottest.Ear].
func TestNothingIsLeftInEnglish(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	ear := bottest.NewEar("Ann Bob Rackmate", "small")
	ear.Learns(w.host, bot.Request{Channel: "slack:" + slacktest.Team + "/" + games, User: bot.User{ID: "slack:" + slacktest.Team + "/" + ann, Name: "Ann"}})
	ear.LearnsTitles(w.host)
	w.slash(ann, "/settings", "speak:en-XA")
	reads := func(where string, v slacktest.View) {
		t.Helper()
		ear.At(where)
		b, err := json.Marshal(v.Blocks)
		gametest.Must(t, err)
		if v.Kind == "modal" {
			ear.Reads("the title", v.Title)
		}
		ear.ReadsJSON(t, "the view", b, "text", "accessibility_label", "alt_text")
	}
	home := func(says string) slacktest.View {
		t.Helper()
		gametest.Must(t, w.s.OpenHome(ann))
		w.await("a page that says "+says, func() bool { v, _ := w.s.Home(ann); return strings.Contains(v.Text(), says) })
		v, _ := w.s.Home(ann)
		return v
	}
	reads("Home without a game", home("Ýóúŕ ğáḿéś"))
	gametest.Must(t, w.s.Slash(ann, games, "/rackmate", ""))
	reads("the launcher", w.launcher(ann))
	gametest.Must(t, w.s.PressIn(w.launcher(ann), "New", nil))
	reads("the form of a new table", w.form(ann, "New"))
	ear.Check(t)
}

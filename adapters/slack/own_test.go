package slack_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestGameOutsideChannel checks that a player has the board, the rack, the possible
// moves, and a link to the channel's board outside the channel.
func TestGameOutsideChannel(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.stop()
	deal(t, w.memory, "HORNSA?", "FARMQI?", "EE")
	w.start()
	home := func(who, says string) slacktest.View {
		t.Helper()
		w.await("a page that says "+says, func() bool { v, _ := w.s.Home(who); return strings.Contains(v.Text(), says) })
		v, _ := w.s.Home(who)
		return v
	}
	gametest.Must(t, w.s.OpenHome(ann))
	page := home(ann, "*It's your turn.*")
	if !strings.Contains(page.Text(), "  A B C D E F G H") {
		t.Errorf("her page has no board: %s", page.Text())
	}
	gametest.Must(t, w.s.PressIn(page, "Play", nil))
	if mistakes, err := w.s.Submit(w.form(ann, "Play"), map[string]any{"word": "horn", "at": "8h"}); err != nil || mistakes != nil {
		t.Fatalf("%v, %v", mistakes, err)
	}
	board := w.post("plays *HORN*")
	w.card(ann, "S A ?")
	way := "/archives/" + games + "/p" + strings.ReplaceAll(board.TS, ".", "") + "|open the board>"
	w.await("the way to the board on Bob's page", func() bool { // recorded when Slack has answered
		gametest.Must(t, w.s.OpenHome(bob))
		page, _ = w.s.Home(bob)
		return strings.Contains(page.Text(), way)
	})
	if !strings.Contains(page.Text(), "*It's your turn.*") || !strings.Contains(page.Text(), "H O R N") {
		t.Errorf("Bob's page says %s", page.Text())
	}
}

// TestHomeBoardIsFetched checks that the board on the home page is fetched from a reachable
// host.
func TestHomeBoardIsFetched(t *testing.T) {
	w := newWorld(t, slacktest.Options{}, overHTTP, func(c *slack.Config) { c.OAuth.URL = "https://play.example.org" })
	first, _ := w.deal("")
	gametest.Must(t, w.s.OpenHome(first))
	shows := func() bool {
		v, _ := w.s.Home(first)
		return slices.ContainsFunc(v.Blocks, func(b map[string]any) bool { return b["image_url"] != nil })
	}
	w.await("the board", shows)
	w.s.Fail("views.publish", slacktest.Fault{Error: "invalid_arguments", Says: "failed to fetch image URL [json-pointer:/view/blocks/3/image_url]"})
	gametest.Must(t, w.s.OpenHome(first))
	w.await("the board as text", func() bool { v, _ := w.s.Home(first); return !shows() && strings.Contains(v.Text(), "  A B C D") })
}

// TestHomePagesKeepOrder checks that a page made before a game began doesn't replace a
// newer one.
func TestHomePagesKeepOrder(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	made, goOn := make(chan bool), make(chan bool)
	var before atomic.Bool
	w.looked = func() {
		if before.CompareAndSwap(false, true) {
			close(made)
			<-goOn
		}
	}
	w.restartWith(func(d time.Duration) <-chan time.Time {
		if d == slack.AckTime {
			return over()
		}
		return soon(d)
	})
	gametest.Must(t, w.s.OpenHome(ann))
	<-made
	w.deal("")
	gametest.Must(t, w.s.OpenHome(ann))
	for range 10 { // time for the other one to appear
		w.slash(ann, "/board", "text")
	}
	close(goOn)
	w.adapter.Wait()
	if page, _ := w.s.Home(ann); !strings.Contains(page.Text(), "open the board") {
		t.Errorf("the page has no game: %s", page.Text())
	}
}

// TestPassNeedsConfirmation checks that a pass needs a confirmation wherever it is chosen, and takes at
// most three presses.
func TestPassNeedsConfirmation(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, _ := w.deal("")
	if got := w.press(first, w.post("it's your turn"), "Pass…", nil); !strings.Contains(got.Said(), "Pass your turn?") {
		t.Errorf("under the board: %s", got.Said())
	}
	gametest.Must(t, w.s.Slash(first, games, "/rackmate", ""))
	launcher := w.launcher(first)
	gametest.Must(t, w.s.PressIn(launcher, "Pass", nil))
	w.await("the question", func() bool {
		v, _ := w.s.View(launcher.ID, first)
		return strings.Contains(v.Text(), "Pass your turn?")
	})
	question, _ := w.s.View(launcher.ID, first)
	gametest.Must(t, w.s.PressIn(question, "Yes, pass", nil))
	w.post("passes")
}

// TestCommandsInGerman checks that commands after the umbrella work in English and in the
// person's language, and are shown in the latter.
func TestCommandsInGerman(t *testing.T) {
	w := newWorld(t, slacktest.Options{}, func(c *slack.Config) { c.Locales = locales() })
	w.slash(ann, "/settings", "speak:de")
	if got := w.slash(ann, "/rackmate", "hilfe spielen").Text; !strings.Contains(got, "/rackmate spielen wort [feld]") {
		t.Errorf("the help says %q", got)
	}
	if got := w.slash(ann, "/rackmate", "nachschlagen wörter: horn").Text; !strings.Contains(got, "HORN") {
		t.Errorf("the answer is %q", got)
	}
	if got := w.slash(bob, "/rackmate", "nachschlagen horn").Text; !strings.Contains(got, "There is no command") {
		t.Errorf("who reads English is answered %q", got)
	}
}

// TestDirectMessagesUsePersonsLanguage checks that private messages use the language that the
// person has set in Slack, not the workspace's.
func TestDirectMessagesUsePersonsLanguage(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.s.Reads(bob, "de-DE")
	if got := w.adapter.Platform().LocaleOf(t.Context(), "slack:T0SLACK/"+bob); got != "de-DE" {
		t.Errorf("Bob reads %q", got)
	}
	if got := w.adapter.Platform().LocaleOf(t.Context(), "slack:T0SLACK/U0NOBODY"); got != "" {
		t.Errorf("nobody reads %q", got)
	}
}

// TestAdditionsAreTranslated checks that additions to posts, the launcher and pages for
// browsers are in the reader's language.
func TestAdditionsAreTranslated(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, second := w.deal("")
	w.slash(ann, "/settings", "for:channel speak:de")
	w.slash(first, "/pass", "sure:yes")
	w.await("a board with German buttons", func() bool {
		return slices.ContainsFunc(w.s.Messages(games), func(m slacktest.Message) bool { return slices.Contains(slacktest.Labels(m.Blocks), "Alle Befehle …") })
	})
	w.slash(second, "/settings", "speak:de")
	gametest.Must(t, w.s.Slash(second, games, "/rackmate", ""))
	if labels := slacktest.Labels(w.launcher(second).Blocks); !slices.Contains(labels, "Passen") {
		t.Errorf("the launcher has %v", labels)
	}
	o := newOpenWorld(t)
	req := httptest.NewRequest("GET", "/slack/oauth", nil)
	req.Header.Set("Accept-Language", "de-AT,en;q=0.5")
	got := httptest.NewRecorder()
	o.adapter.ServeHTTP(got, req)
	if !strings.Contains(got.Body.String(), "Bitte beginne noch einmal") {
		t.Errorf("the page says %s", got.Body)
	}
}

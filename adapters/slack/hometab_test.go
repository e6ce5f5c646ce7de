package slack_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestAnswersLeadHome checks that an answer without buttons, or with a refusal, links to
// the home page if the person has one.
func TestAnswersLeadHome(t *testing.T) {
	const home = "<slack://app?id=A0APP&amp;tab=home&amp;team=" + slacktest.Team + "|Home tab>"
	w := newWorld(t, slacktest.Options{})
	leads := func(what, said string, want bool) {
		t.Helper()
		if strings.Contains(said, home) != want {
			t.Errorf("%s leads to the page Home: %v\n%s", what, !want, said)
		}
	}
	leads("what can't be done", w.slash(ann, "/rackmate", "rack").Said(), true)
	leads("a line that isn't read", w.slash(ann, "/rackmate", "nonsense").Said(), true)
	leads("an answer without buttons", w.slash(ann, "/rackmate", "check horn").Said(), true)
	gametest.Must(t, w.s.Mention(bob, games, "", "rack"))
	leads("an answer in the channel", w.answer(bob, 0).Said(), true)

	first, second := w.deal("")
	leads("a rack, which has buttons", w.slash(first, "/rackmate", "rack").Said(), false)
	leads("a move out of turn", w.slash(second, "/rackmate", "exchange").Said(), true)
	w.slash(second, "/rackmate", "nudge") // the next can't be done
	gametest.Must(t, w.s.Slash(second, games, "/rackmate", ""))
	gametest.Must(t, w.s.PressIn(w.launcher(second), "Nudge", nil))
	w.await("why it can't be done", func() bool { v, _ := w.s.Top(second); return strings.Contains(v.Text(), home) })

	// In an organisation it is the page in the person's workspace.
	c := w.s.Type(cat, games, "/rackmate", "rack")
	c["team_id"], c["enterprise_id"], c["is_enterprise_install"] = "T1", "E1", "true"
	if _, err := w.s.Send("slash_commands", map[string]any(c)); err != nil {
		t.Fatal(err)
	}
	if got := w.answer(cat, 0).Said(); !strings.Contains(got, "team=T1|") {
		t.Errorf("in an organisation: %s", got)
	}
	// A person from another workspace, in a shared channel, has no page there.
	board := w.post("it's your turn")
	leads("Eve's answer", w.press(eve, board, "My rack", nil).Said(), false)
}

// TestHomeWithoutDirectMessages checks that a person who accepts no direct messages is
// informed on the home page if a game or the launcher would need them, and that nothing
// opens.
func TestHomeWithoutDirectMessages(t *testing.T) {
	for _, label := range []string{"Play Beginner (robot)", "Games and commands…"} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, slacktest.Options{})
			gametest.Must(t, w.s.OpenHome(ann))
			w.await("her page", func() bool { _, ok := w.s.Home(ann); return ok })
			page, _ := w.s.Home(ann)
			fault := slacktest.Fault{Error: "cannot_dm_bot"}
			w.s.Fail("conversations.open", fault, fault, fault, fault)
			gametest.Must(t, w.s.PressIn(page, label, nil))
			w.await("why not", func() bool { v, ok := w.s.Top(ann); return ok && strings.Contains(v.Text(), "I can't message you.") })
		})
	}
}

package slack_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestFirstAnswerLinksHome checks that a person's first answer links to their home page, if
// they have one and haven't opened it, and that no later answer does.
func TestFirstAnswerLinksHome(t *testing.T) {
	const home = "<slack://app?id=A0APP&amp;tab=home&amp;team=" + slacktest.Team + "|Home tab>"
	w := newWorld(t, slacktest.Options{})
	leads := func(what, said string, want bool) {
		t.Helper()
		if strings.Contains(said, home) != want {
			t.Errorf("%s leads to the page Home: %v\n%s", what, !want, said)
		}
	}
	leads("the first answer", w.slash(ann, "/rackmate", "rack").Said(), true)
	leads("the second", w.slash(ann, "/rackmate", "check horn").Said(), false)
	gametest.Must(t, w.s.OpenHome(bob))
	w.await("his page", func() bool { _, ok := w.s.Home(bob); return ok })
	gametest.Must(t, w.s.Mention(bob, games, "", "rack"))
	leads("an answer to Bob, who has opened it", w.answer(bob, 0).Said(), false)
	w.restart(0)
	leads("the first after a restart", w.slash(ann, "/rackmate", "rack").Said(), false)
	w.deal("")

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

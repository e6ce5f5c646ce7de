package slack_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game/gametest"
)

// setsUp presses a button or chooses from a menu under a manager's latest answer or, to begin with, under
// a message. It waits until an answer says something, and returns it.
func (w *world) setsUp(under slacktest.Message, label, says string) (answer slacktest.Message) {
	w.t.Helper()
	gametest.Must(w.t, w.s.Press(ann, under, label, nil))
	w.await(label, func() bool {
		all := w.s.Private(ann)
		if len(all) > 0 {
			answer = all[len(all)-1]
		}
		return strings.Contains(answer.Said(), says)
	})
	return answer
}

// choosesHour chooses an hour for the daily board such that the first comes at once: the latest of those
// offered that has struck where Ann lives.
func (w *world) choosesHour(choices slacktest.Message) {
	w.t.Helper()
	berlin, err := time.LoadLocation("Europe/Berlin")
	gametest.Must(w.t, err)
	hour := min(time.Now().In(berlin).Hour(), 22)
	if hour < 6 {
		hour = 22
	}
	w.setsUp(choices, fmt.Sprintf("%d:00", hour), "A board is posted here each day")
}

// TestInvitationOffersSetup invites the app into a new channel: one message offers the set-up, and
// from there the first board of the day is five presses away, of which a choice takes two, without a
// typed character.
func TestInvitationOffersSetup(t *testing.T) {
	t.Parallel()
	w := newWorld(t, slacktest.Options{})
	const lunch = "C0LUNCH"
	w.s.Channel(lunch)
	w.s.Leave(lunch)
	w.s.Invite(lunch)
	w.await("the offer", func() bool { return strings.Contains(said(w.s.Messages(lunch)), "If you manage this place") })
	offer := w.s.Messages(lunch)[0]
	if got := w.press(bob, offer, "Set up", nil); !strings.Contains(got.Said(), "Only managers") {
		t.Errorf("Bob manages nothing, and reads %s", got.Said())
	}
	choices := w.setsUp(offer, "Set up", "Where games are played")
	choices = w.setsUp(choices, "Only in this channel", "Games are played only in this channel now.")
	w.choosesHour(choices)
	w.await("the first board", func() bool { return strings.Contains(said(w.s.Messages(lunch)), "Daily board") })
	w.s.Leave(lunch)
	w.s.Invite(lunch)
	if _, err := w.adapter.Receive("events_api", fmt.Appendf(nil, `{"type":"event_callback","event_id":"Ev9","team_id":%q,"authorizations":[{"team_id":%[1]q,"user_id":%q}],"event":{"type":"member_joined_channel","user":%q,"channel":"C0TALK"}}`, slacktest.Team, slacktest.BotUser, bob)); err != nil {
		t.Error(err)
	}
	w.adapter.Wait()
	w.settled()
	if got := w.s.Messages(lunch); len(got) != 2 {
		t.Errorf("after another invitation there are, instead of the offer and the board:\n%s", said(got))
	}
	if got := w.s.Messages("C0TALK"); len(got) > 0 {
		t.Errorf("where Bob has come there is %s", said(got))
	}
}

// TestOldManifestOffersSetupAtFirstTable checks that an app whose manifest has no scope for invitations
// offers the set-up in the reply to a manager's first table.
func TestOldManifestOffersSetupAtFirstTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t, slacktest.Options{Scopes: slack.Scopes()})
	w.s.Leave(games)
	w.s.Invite(games)
	gametest.Must(t, w.s.Slash(ann, games, "/new", "seats:2"))
	offer := w.answer(ann, 1) // the first tries whether the app may post
	w.choosesHour(w.setsUp(offer, "Set up", "Where games are played"))
	w.post("Daily board")
	if got := w.s.Messages(games); len(got) != 2 {
		t.Errorf("instead of the table and the board there are:\n%s", said(got))
	}
}

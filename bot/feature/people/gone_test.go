package people_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// games seats Ann and Bob in two channels of a home, and Cat alone in a third.
func games(w *featuretest.World) {
	ann, bob, cat := bottest.People["ann"], bottest.People["bob"], bottest.People["cat"]
	in := func(ch bot.ChannelID, who bot.User, line string) {
		req := w.Request(who, line)
		req.Channel, req.Home = ch, "test:house"
		if r := w.Host.Handle(w.T.Context(), req); r.Refused {
			w.T.Fatalf("%s: %s", line, r.Text)
		}
	}
	for _, ch := range []bot.ChannelID{"test:one", "test:two"} {
		in(ch, ann, "/new seats:2")
		in(ch, bob, "/join")
	}
	in("test:three", cat, "/new seats:3")
}

// When a channel or a whole home is gone, its games end without a winner, their players are
// notified once in private, and waiting tables close silently.
func TestDeletedChannelEndsGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		games(w.World)
		w.Run()
		synctest.Wait()
		w.Posts.Take()
		told := func(who string) (all []string) {
			for _, m := range w.Posts.All() {
				if m.To != nil && m.To.Name == who {
					all = append(all, m.Text.String())
				}
			}
			return all
		}
		for range 2 { // platforms may report it twice
			gametest.Must(t, w.Host.ChannelGone(t.Context(), "test:one"))
			synctest.Wait()
		}
		if s, _ := w.Replayed("test:one"); s.Phase != game.Over || len(s.End.Winners) != 0 {
			t.Errorf("the game there is in phase %v: %+v", s.Phase, s.End)
		}
		if s, _ := w.Replayed("test:two"); s.Phase != game.Playing {
			t.Errorf("the game in another channel is in phase %v", s.Phase)
		}
		for who, other := range map[string]string{"Ann": "Bob", "Bob": "Ann"} {
			want := []string{"Your game with " + other + " has ended unfinished: I don't host games in its channel any more. The score was Ann 0 · Bob 0 · 86 tiles in the bag, and it doesn't count for anybody. /new opens a table somewhere you both are."}
			if got := told(who); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s is told %q, want %q", who, got, want)
			}
		}
		gametest.Must(t, w.Host.HomeGone(t.Context(), "test:house"))
		synctest.Wait()
		if s, _ := w.Replayed("test:three"); s.Phase != game.Over || s.End != nil || len(told("Cat")) > 0 {
			t.Errorf("the table that waited is in phase %v, and Cat is told %q", s.Phase, told("Cat"))
		}
		if s, _ := w.Replayed("test:two"); s.Phase != game.Over || len(told("Ann")) != 2 {
			t.Errorf("the other game is in phase %v, and Ann was told %q", s.Phase, told("Ann"))
		}
	})
}

// A member who leaves a home loses their seats there, which others can take, and keeps
// those elsewhere.
func TestLeavingMemberLosesSeats(t *testing.T) {
	w := newWorld(t)
	games(w.World)
	bob := bottest.People["bob"]
	for _, home := range []string{"test:elsewhere", ""} {
		gametest.Must(t, w.Host.MemberLeft(t.Context(), home, bob.ID))
		if s, _ := w.Replayed("test:one"); s.Seats[1].Vacant {
			t.Errorf("who leaves %q has no seat here any more", home)
		}
	}
	for range 2 {
		gametest.Must(t, w.Host.MemberLeft(t.Context(), "test:house", bob.ID))
	}
	for _, ch := range []bot.ChannelID{"test:one", "test:two"} {
		if s, log := w.Replayed(ch); !s.Seats[1].Vacant || s.Seats[0].Vacant {
			t.Errorf("in %s the seats are %+v after %d events", ch, s.Seats, len(log))
		}
	}
}

// A command in a private conversation goes to the game it fits: the only one, the only one
// where it's the sender's turn, or the one they choose.
func TestPrivateCommandFindsGame(t *testing.T) {
	w := newWorld(t)
	games(w.World)
	var first bot.User // the player to move in the first channel
	s, _ := w.Replayed("test:one")
	first = s.Seats[s.Turn].Person
	said := func(who bot.User, id, line string) bot.Reply {
		req := w.Request(who, line)
		req.ID, req.Channel = id, "test:dm-"+bot.ChannelID(who.Name)
		return w.Host.Handle(t.Context(), req)
	}
	if r := said(bottest.People["eve"], "eve", "/board"); !r.Refused || !strings.HasPrefix(r.Text.String(), "No table") {
		t.Errorf("Eve, who plays nowhere, is told %q", r.Text)
	}
	which := said(first, "which", "/rack")
	if len(which.Buttons) != 2 || !strings.HasPrefix(which.Text.String(), "Which of your games do you mean?") {
		t.Fatalf("asked %q with %d buttons", which.Text, len(which.Buttons))
	}
	press, _ := bot.Request{ID: "pressed", Channel: "test:dm-x", User: first}.Press(which.Buttons[0].ID)
	if r := w.Host.Handle(t.Context(), press); r.Refused || !strings.HasPrefix(r.Text.String(), "Your rack: ") {
		t.Errorf("the chosen one says %q", r.Text)
	}
	gametest.Must(t, w.Host.ChannelGone(t.Context(), "test:two"))
	before := len(featuretest.Events(t, w.Config.Store, "test:one"))
	for range 2 { // the platform sends the request twice
		if r := said(first, "passes", "/pass"); r.Refused {
			t.Errorf("a pass in the only game: %q", r.Text)
		}
	}
	if after := len(featuretest.Events(t, w.Config.Store, "test:one")); after != before+1 {
		t.Errorf("%d events came of a pass", after-before)
	}
}

// A player is shown what would be deleted before it is, and unknown choices are rejected.
func TestDeletionIsConfirmed(t *testing.T) {
	w := newWorld(t)
	games(w.World)
	ann := bottest.People["ann"]
	if got := w.Does(ann, "/data delete").Text.String(); !strings.Contains(got, "You have 2 games in progress. Leaving resigns them.") {
		t.Errorf("Ann is asked %q", got)
	}
	req := w.Request(ann, "/data export")
	req.Args["what"] = "burn"
	if got := w.Host.Handle(t.Context(), req).Text.String(); got != "what can't be burn: choose export or delete." {
		t.Errorf("/data burn is answered %q", got)
	}
}

// Two accounts that a platform reports as one person are joined as by /link, up to the
// limit.
func TestPlatformJoinsAccounts(t *testing.T) {
	w := newWorld(t)
	ann := bottest.People["ann"]
	same := func(n int) {
		t.Helper()
		gametest.Must(t, w.Host.Same(t.Context(), ann.ID, game.PlayerID(fmt.Sprint("test:phone-", n))))
	}
	for n := range bot.LimitIdentities.Most - 1 {
		same(n)
	}
	other := bot.User{ID: "test:last", Name: "Last"}
	code := featuretest.LinkCode(t, w.Does(other, "/link"))
	if got := w.Does(ann, "/link "+code).Text.String(); !strings.HasPrefix(got, fmt.Sprintf("That would link %d accounts, and the limit is %d.", bot.LimitIdentities.Most+1, bot.LimitIdentities.Most)) {
		t.Errorf("one too many is answered %q", got)
	}
	if got := w.Does(ann, "/link").Text.String(); !strings.Contains(got, "You're already linked with ") {
		t.Errorf("Ann, who is linked, is told %q", got)
	}
	if got := w.Does(ann, "/link undo:yes"); got.Refused {
		t.Errorf("undone: %q", got.Text)
	}
	if got := w.Does(ann, "/link").Text.String(); strings.Contains(got, "already linked") {
		t.Errorf("separated again, Ann is told %q", got)
	}
}

func TestCommandsAtEachFault(t *testing.T) {
	ann := bottest.People["ann"]
	featuretest.LinesAtEachFault(t, games, ann, []string{"/games", "/settings", "/settings ping:dm quiet:22-8", "/settings dm:off", "/link AAAA-AAAA", "/link undo:yes", "/privacy", "/data delete", "/data export", "/board"})
	linked := func(w *featuretest.World) {
		games(w)
		gametest.Must(w.T, w.Host.Same(w.T.Context(), ann.ID, "test:phone"))
	}
	featuretest.LinesAtEachFault(t, linked, bot.User{ID: "test:phone", Name: "Ann on the phone"}, []string{"/games", "/rack", "/link undo:yes"})
}

// Cleaning up after a place or a person succeeds on retry, whichever storage call fails.
func TestLeavingAtEachFault(t *testing.T) {
	stands := func(ctx context.Context, h bot.Host) (string, error) {
		anns, wrong := h.Games(ctx, "test:ann")
		bobs, err := h.Games(ctx, "test:bob")
		return fmt.Sprint(len(anns), len(bobs)), errors.Join(err, wrong)
	}
	for name, does := range map[string]func(ctx context.Context, h bot.Host) error{
		"the channel is gone": func(ctx context.Context, h bot.Host) error { return h.ChannelGone(ctx, "test:one") },
		"the home is gone":    func(ctx context.Context, h bot.Host) error { return h.HomeGone(ctx, "test:house") },
		"Bob leaves":          func(ctx context.Context, h bot.Host) error { return h.MemberLeft(ctx, "test:house", "test:bob") },
		"Ann is another":      func(ctx context.Context, h bot.Host) error { return h.Same(ctx, "test:ann", "test:phone") },
	} {
		t.Run(name, func(t *testing.T) {
			featuretest.AtEachFault(t, games, func(w *featuretest.World) (string, error) {
				if err := does(t.Context(), w.Host); err != nil {
					return "", err
				}
				return stands(t.Context(), w.Host)
			})
		})
	}
}

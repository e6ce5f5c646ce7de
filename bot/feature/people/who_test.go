package people_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// The sender's language is stored if their platform reveals it only with requests, but not
// if it can be looked up later.
func TestSendersLanguageIsStored(t *testing.T) {
	locales, err := sentences.Load(fstest.MapFS{"de.json": {Data: []byte(`{"name": "Deutsch", "complete": true, "sentences": {}}`)}})
	gametest.Must(t, err)
	asked := func(context.Context, game.PlayerID) string { return "pl" }
	for _, c := range []struct {
		name   string
		locale func(context.Context, game.PlayerID) string
		want   string
	}{{"a platform that can't be asked", nil, `"de"`}, {"one that can", asked, ""}} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, func(hc *host.Config) {
				hc.Locales = locales
				hc.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", Locale: c.locale}} }
			})
			req := w.Request(bottest.People["ann"], "/games")
			req.Locale = "de-AT"
			w.Host.Handle(t.Context(), req)
			if row, err := w.Config.Notes.Get(t.Context(), "locales", "test:ann"); err != nil || string(row) != c.want {
				t.Errorf("of Ann is noted %q, %v; want %q", row, err, c.want)
			}
		})
	}
}

// A command that fits only one of a player's games goes to that one.
func TestCommandGoesToFittingGame(t *testing.T) {
	w := newWorld(t)
	deal := func(ch bot.ChannelID, first, second string) {
		featuretest.Put(t, w.Config.Store, ch, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "void", []string{"bag:EEEEEEEEEE", first + ":HORNSE?", second + ":FARMQI?"}))
	}
	deal("test:one", "ann", "bob")
	deal("test:two", "bob", "ann")
	pass := func(id string) bot.Reply {
		req := w.Request(bottest.People["ann"], "/pass")
		req.ID, req.Channel = id, "test:dm-ann"
		return w.Host.Handle(t.Context(), req)
	}
	for range 2 { // the platform sends it twice, and by then it isn't Ann's turn anywhere
		featuretest.Wants(t, pass("the same"), false, "You pass")
	}
	if one, two := len(featuretest.Events(t, w.Config.Store, "test:one")), len(featuretest.Events(t, w.Config.Store, "test:two")); one != two+1 {
		t.Errorf("there are %d and %d events", one, two)
	}
	if r := pass("another"); !strings.HasPrefix(r.Text.String(), "Which of your games do you mean?") {
		t.Errorf("where it fits none she is told %s", r.Text)
	}
	deal("test:three", "ann", "bob")
	deal("test:four", "ann", "bob")
	if r := pass("a third"); len(r.Buttons) != 2 {
		t.Errorf("of four games, two of which are hers to move, there are %d to choose from: %s", len(r.Buttons), r.Text)
	}
}

// If one of several accounts is separated, the others stay linked. If one of two is,
// neither is linked.
func TestSeparateOneAccount(t *testing.T) {
	w := newWorld(t)
	ann, bob, cat := bottest.People["ann"], bottest.People["bob"], bottest.People["cat"]
	for _, other := range []bot.User{bob, cat} {
		featuretest.Wants(t, w.Does(other, "/link "+featuretest.LinkCode(t, w.Does(ann, "/link"))), false)
	}
	featuretest.Put(t, w.Config.Store, "test:one", bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "void", []string{"bag:EEEE", "cat:HORNSE?", "dan:FARMQI?"}))
	sees := func(when string, who bot.User, want bool) {
		t.Helper()
		if said := w.Does(who, "/games").Text.String(); strings.Contains(said, "1 game running") != want {
			t.Errorf("%s %s is told %s", when, who.Name, said)
		}
	}
	sees("linked", ann, true)
	sees("linked", bob, true)
	featuretest.Wants(t, w.Does(bob, "/link undo"), false, "separate again")
	sees("when Bob is separate", ann, true)
	sees("when Bob is separate", bob, false)
	featuretest.Wants(t, w.Does(cat, "/link undo"), false, "separate again")
	sees("when all are", ann, false)
	sees("when all are", cat, true)
	if said := w.Does(ann, "/link").Text.String(); strings.Contains(said, "already linked") {
		t.Errorf("nobody is linked with Ann, who is told %s", said)
	}
	featuretest.Wants(t, w.Does(ann, "/link undo"), false, "You aren't linked with another account.")
}

// Exactly as many accounts as the limit allows can be linked.
func TestLinkUpToLimit(t *testing.T) {
	w := newWorld(t)
	ann := bottest.People["ann"]
	for n := 1; n < bot.LimitIdentities.Most; n++ {
		phone := bot.User{ID: game.PlayerID(fmt.Sprint("test:phone-", n)), Name: "Ann on the phone"}
		featuretest.Wants(t, w.Does(phone, "/link "+featuretest.LinkCode(t, w.Does(ann, "/link"))), false)
	}
	last := bot.User{ID: "test:last", Name: "Last"}
	featuretest.Wants(t, w.Does(last, "/link "+featuretest.LinkCode(t, w.Does(ann, "/link"))), true, "the limit is")
}

// A long list of games has pages, puts waiting games first and counts them.
func TestGamesListHasPages(t *testing.T) {
	w := newWorld(t)
	for n := range 21 {
		first, second := "ann", "bob"
		if n%3 > 0 {
			first, second = second, first
		}
		featuretest.Put(t, w.Config.Store, bot.ChannelID(fmt.Sprint("test:room-", n)), bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "void", []string{"bag:EEEE", first + ":HORNSE?", second + ":FARMQI?"}))
	}
	lines := 0
	r := w.Does(bottest.People["ann"], "/games")
	featuretest.Wants(t, r, false, "You have 21 games running; 7 are waiting for you.")
	pages := 1
	for ; ; pages++ {
		lines += strings.Count(r.Text.String(), "\n")
		if len(r.Buttons) == 0 {
			break
		}
		req, ok := bot.Request{ID: fmt.Sprint("page", pages), Channel: featuretest.Parlour, User: bottest.People["ann"]}.Press(r.Buttons[0].ID)
		if !ok || pages > 5 {
			t.Fatalf("page %d has the button %s", pages, r.Buttons[0].ID)
		}
		r = w.Host.Handle(t.Context(), req)
	}
	if pages != 3 || lines != 21 {
		t.Errorf("21 games are %d lines on %d pages", lines, pages)
	}
	for page, want := range map[string]string{"0": "Next (2 of 3)", "2": "Next (3 of 3)", "99": ""} {
		req := w.Request(bottest.People["ann"], "/games")
		req.Args["page"] = page
		got := ""
		if r := w.Host.Handle(t.Context(), req); len(r.Buttons) > 0 {
			got = r.Buttons[0].Label.String()
		}
		if got != want {
			t.Errorf("page %s leads on by %q, want %q", page, got, want)
		}
	}
}

// Exactly one page of games has no button to another.
func TestFullPageHasNoNext(t *testing.T) {
	w := newWorld(t)
	for n := range 8 {
		featuretest.Put(t, w.Config.Store, bot.ChannelID(fmt.Sprint("test:room-", n)), bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "void", []string{"bag:EEEE", "ann:HORNSE?", "bob:FARMQI?"}))
	}
	r := w.Does(bottest.People["ann"], "/games")
	if lines := strings.Count(r.Text.String(), "\n"); lines != 8 || len(r.Buttons) != 0 {
		t.Errorf("eight games are %d lines, and lead on by %+v", lines, r.Buttons)
	}
}

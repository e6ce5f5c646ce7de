package host_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/gametest"
)

// deal puts a game on the parlour's table.
func (w *world) deal(t *testing.T, challenge string, tiles ...string) {
	t.Helper()
	featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", challenge, tiles))
}

// A board in a page shows a player their own tiles and possible actions, and a watcher only the
// table. Without a table it says so.
func TestSightOfPlayersAndWatchers(t *testing.T) {
	w := newWorld(t)
	ann, eve := bottest.People["ann"], bottest.People["eve"]
	at := bot.Request{Channel: featuretest.Parlour, User: ann}
	if s, err := w.Host.Sight(t.Context(), at); !errors.Is(err, bot.ErrNoTable) {
		t.Errorf("where there is no table one sees %+v, %v", s, err)
	}
	w.Does(ann, "/new")
	w.Does(ann, "/leave")
	if s, err := w.Host.Sight(t.Context(), at); !errors.Is(err, bot.ErrNoTable) {
		t.Errorf("of a table that was closed one sees %+v, %v", s, err)
	}
	w.deal(t, "single", "bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQIE")
	w.Does(ann, "/play horn 8h")
	see := func(who bot.User) string {
		t.Helper()
		s := w.Sees(who)
		rack := "nothing"
		if s.Own != nil {
			rack = strings.Join(s.Own.Rack, "")
		}
		var buttons []string
		for _, b := range s.Buttons {
			buttons = append(buttons, b.Label)
		}
		var players []string
		for _, p := range s.Players {
			players = append(players, p.Name)
		}
		return fmt.Sprintf("%s; %q play; holds %s; can press %q", s.Caption, players, rack, buttons)
	}
	for _, c := range []struct {
		who  bot.User
		want string
	}{
		{ann, "Ann played HORN at 8H for 14; [\"Ann\" \"Bob\"] play; holds SA?EEEE; can press []"},
		{bottest.People["bob"], "Ann played HORN at 8H for 14; [\"Ann\" \"Bob\"] play; holds FARMQIE; can press [\"Challenge\"]"},
		{eve, "Ann played HORN at 8H for 14; [\"Ann\" \"Bob\"] play; holds nothing; can press []"},
	} {
		if got := see(c.who); got != c.want {
			t.Errorf("%s sees %q, want %q", c.who.Name, got, c.want)
		}
	}
}

// A draft shows what a play would score, which of its words are invalid if the rules refuse them,
// or why it can't be played.
func TestDraftScores(t *testing.T) {
	for _, c := range []struct{ challenge, word, at, want string }{
		{"single", "horn", "8h", "{Words:[{Text:HORN Score:14 Invalid:false}] Score:14 Problem:}"},
		{"single", "hrno", "8h", "{Words:[{Text:HRNO Score:14 Invalid:false}] Score:14 Problem:}"},
		{"void", "hrno", "8h", "{Words:[{Text:HRNO Score:14 Invalid:true}] Score:14 Problem:}"},
		{"void", "quiz", "8h", "{Words:[] Score:0 Problem:8H needs a U on I8, and you have AHNORS?. Try another word or square.}"},
	} {
		w := newWorld(t)
		w.deal(t, c.challenge, "bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQIE")
		d, err := w.Host.Draft(t.Context(), bot.Request{Channel: featuretest.Parlour, User: bottest.People["ann"], Command: "try", Args: map[string]string{"word": c.word, "at": c.at}})
		gametest.Must(t, err)
		if got := fmt.Sprintf("%+v", d); got != c.want {
			t.Errorf("%s under %s is %q, want %q", c.word, c.challenge, got, c.want)
		}
	}
	w := newWorld(t)
	w.Does(bottest.People["ann"], "/new variant:unscrabble")
	d, err := w.Host.Draft(t.Context(), bot.Request{Channel: featuretest.Parlour, User: bottest.People["ann"], Command: "remove", Args: map[string]string{"squares": "8h"}})
	if got, want := fmt.Sprintf("%+v, %v", d, err), "{Words:[] Score:0 Problem:H8 is empty. Nothing was taken. /board shows what there is to take.}, <nil>"; got != want {
		t.Errorf("of a variant a draft is %q, want %q", got, want)
	}
}

// A button under a private message works for people at its table wherever they press it. Others
// learn where it belongs, or that its table is gone.
func TestPrivateButtonsWorkElsewhere(t *testing.T) {
	w := newWorld(t)
	ann := bottest.People["ann"]
	w.deal(t, "single", "bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQIE")
	press := func(who string, table bot.TableID) string {
		req, ok := (bot.Request{ID: fmt.Sprint(who, table), Channel: "test:dm-" + bot.ChannelID(who), User: bottest.People[who]}).Press(bot.ButtonID(table, 0, "rack", nil))
		if !ok {
			t.Fatal("it is no button")
		}
		return w.Host.Handle(t.Context(), req).Text.String()
	}
	for _, c := range []struct {
		who   string
		table bot.TableID
		want  string
	}{
		{"ann", 1, "Your rack: H O R N S A ?"},
		{"eve", 1, "That button belongs to a table in another channel. Press it there."},
		{"ann", 9, "That button belongs to a table that is gone. /new opens another."},
	} {
		if got := press(c.who, c.table); got != c.want {
			t.Errorf("%s presses that of table %d: %q, want %q", c.who, c.table, got, c.want)
		}
	}
	req := w.Request(ann, "/play horn 8h")
	w.deal(t, "single", "bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQIE")
	req.Table, req.Number = 1, 6
	if got := w.Host.Handle(t.Context(), req).Text.String(); got != "That button belongs to an earlier table. /board shows the current one." {
		t.Errorf("a button of an earlier table says %q", got)
	}
}

// What only some hosts have is absent if no feature provides it.
func TestHostWithoutFeatures(t *testing.T) {
	w := newWorld(t, func(c *host.Config) { c.Features, c.Order = nil, host.Order{} })
	h := w.Host
	for name, is := range map[string]bool{"tables": h.TablePages() != nil, "pages": h.Pages() != nil} {
		if is {
			t.Errorf("it has %s", name)
		}
	}
	if r := h.Handle(t.Context(), bot.Request{ID: "r", Channel: featuretest.Parlour, User: bottest.People["ann"], Command: "play"}); !r.Refused {
		t.Errorf("/play is answered %q", r.Text)
	}
}

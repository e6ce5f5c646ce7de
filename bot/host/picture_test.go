package host_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
)

// posted returns the key by which a message's picture is requested again.
func posted(m bot.Message) bot.Posted {
	return bot.Posted{Channel: m.Channel, Table: m.Table, Number: m.Number, To: bot.PlayerID(featuretest.To(m))}
}

// Every picture of a game can be drawn again as it was posted, also by another host on the same
// store, long after the game has moved on.
func TestPicturesCanBeRedrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, featuretest.DarkPictures(t))
		w.Run()
		w.Does(bottest.People["ann"], "/new seats:2")
		w.Does(bottest.People["bob"], "/join")
		for range 3 {
			synctest.Wait() // or the board would be outdated before it is posted
			if r := w.Does(bottest.People["ann"], "/pass"); r.Refused {
				w.Does(bottest.People["bob"], "/pass") // it was his turn
			}
		}
		synctest.Wait()
		resign, ok := w.Request(bottest.People["bob"], "/resign").Press(w.Does(bottest.People["bob"], "/resign").Buttons[0].ID)
		if r := w.Host.Handle(t.Context(), resign); !ok || r.Refused {
			t.Fatalf("the button: %s", r.Text)
		}
		synctest.Wait()
		all := w.Posts.Take()
		later := host.New(w.Config)
		kinds := map[string]int{}
		for _, m := range all {
			again, err := later.Picture(t.Context(), posted(m), false)
			if m.Picture == nil {
				kinds["none"]++
				if !errors.Is(err, bot.ErrNoPicture) {
					t.Errorf("%s had no picture; now there is %v, %v", m.Key, again, err)
				}
				continue
			}
			kinds[featuretest.To(m)]++
			if err != nil || again.Alt.String() != m.Picture.Alt.String() || !bytes.Equal(again.PNG, m.Picture.PNG) {
				t.Errorf("%s is drawn differently the second time: %v", m.Key, err)
				continue
			}
			dark, err := later.Picture(t.Context(), posted(m), true)
			if err != nil || dark.Alt.String() != m.Picture.Alt.String() || bytes.Equal(dark.PNG, m.Picture.PNG) {
				t.Errorf("%s for a dark screen: %v", m.Key, err)
			}
		}
		if log := w.Log.String(); strings.Contains(log, "level=ERROR") {
			t.Errorf("the operator reads\n%s", log)
		}
		if kinds[""] < 5 || kinds["test:ann"] == 0 || kinds["none"] == 0 {
			t.Fatalf("the game had pictures for %v: too few to tell", kinds)
		}

		last := all[slices.IndexFunc(all, func(m bot.Message) bool { return m.To != nil })-1]
		rack := all[slices.IndexFunc(all, func(m bot.Message) bool { return featuretest.To(m) == "test:ann" })]
		for what, change := range map[string]func(*bot.Posted){
			"of another channel":      func(p *bot.Posted) { p.Channel = "test:attic" },
			"of another table":        func(p *bot.Posted) { p.Table = 99 },
			"of no table":             func(p *bot.Posted) { p.Table = 0 },
			"of the future":           func(p *bot.Posted) { p.Number++ },
			"before the beginning":    func(p *bot.Posted) { p.Number = 0 },
			"of a negative number":    func(p *bot.Posted) { p.Number = -1 },
			"for one without a seat":  func(p *bot.Posted) { p.To = "test:eve" },
			"before the deal":         func(p *bot.Posted) { p.Number = 1 },
			"of a rack before a deal": func(p *bot.Posted) { p.Number, p.To = 1, rack.To.ID },
		} {
			p := posted(last)
			change(&p)
			if got, err := later.Picture(t.Context(), p, false); !errors.Is(err, bot.ErrNoPicture) {
				t.Errorf("a picture %s: %v, %v", what, got, err)
			}
		}
	})
}

// Private replies match the person's screen; paper is never dark.
func TestRepliesMatchDarkScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, featuretest.DarkPictures(t))
		oneTheme := host.New(func() host.Config { c := w.Config; c.Platforms = func() []bot.Platform { return nil }; return c }())
		wordsOnly := host.New(func() host.Config {
			c := w.Config
			c.Renderer = nil
			return c
		}())
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}))
		for line, differs := range map[string]bool{
			"/rack": true, "/board picture": true, "/board zoom": true, "/board print": false, "/try horn 8h": true, "/replay": true,
		} {
			drawn := func(h *host.Host, dark bool) string {
				req := w.Request(bottest.People["ann"], line)
				req.Dark = dark
				r := h.Handle(t.Context(), req)
				return featuretest.AllText(r.Text, r.Picture, nil, nil, r.Files)
			}
			light := drawn(w.Host, false)
			if got := drawn(w.Host, true) != light; got != differs {
				t.Errorf("%s: a dark screen makes a difference: %v, want %v", line, got, differs)
			}
			if drawn(oneTheme, true) != light {
				t.Errorf("%s: without a renderer for dark screens they get something else", line)
			}
			if drawn(wordsOnly, true) != drawn(wordsOnly, false) {
				t.Errorf("%s: pictures where there should be none", line)
			}
		}
	})
}

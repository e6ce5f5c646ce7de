package people_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
)

func TestLinkJoinsTwoPlatforms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *host.Config) {
			link := func(_ context.Context, ch bot.ChannelID, home string) string {
				return "https://" + string(ch) + "/" + home
			}
			c.Platforms = func() []bot.Platform {
				return []bot.Platform{{Name: "test", Title: "the test", Link: link}, {Name: "slack", Title: "Slack", Link: link}}
			}
		})
		const den = bot.ChannelID("slack:T1/C1")
		ann, anna, eve := bottest.People["ann"], bot.User{ID: "slack:T1/U1", Name: "Anna"}, bottest.People["eve"]
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEE", "bob:FARMQI?", "ann:HORNSA?"}))
		log := bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEE", "ann:HORNSA?", "bob:FARMQI?"})
		for i, e := range log {
			log[i] = e.Rename(ann.ID, anna)
		}
		featuretest.Put(t, w.Config.Store, den, log)

		for who, want := range map[bot.User]int{ann: 1, anna: 1, eve: 0} {
			if n := strings.Count(w.Does(who, "/games").Text.String(), "open the board"); n != want {
				t.Errorf("%s has %d games, want %d", who.Name, n, want)
			}
		}
		code := featuretest.LinkCode(t, w.On(featuretest.Parlour, ann, "/link"))
		if r := w.Does(ann, "/link "+code); !r.Refused {
			t.Errorf("her own code: %s", r.Text)
		}
		req := w.Request(anna, "/link "+strings.ToLower(strings.ReplaceAll(code, "-", "")))
		req.Channel = den
		for range 2 { // a repeat of the request
			if r := w.Host.Handle(t.Context(), req); r.Refused {
				t.Fatalf("a good code: %s", r.Text)
			}
		}
		if r := w.Does(eve, "/link "+code); !r.Refused {
			t.Errorf("a code that was used: %s", r.Text)
		}
		for ch, who := range map[bot.ChannelID]bot.User{featuretest.Parlour: ann, den: anna} {
			r := w.On(ch, who, "/games")
			var links []string
			for _, s := range r.Text {
				if s.Link != "" {
					links = append(links, s.Link)
				}
			}
			// The game where it's her turn comes first.
			if fmt.Sprint(links) != "[https://slack:T1/C1/ https://test:parlour/]" {
				t.Errorf("%s: %s %v", who.Name, r.Text, links)
			}
			if strings.Contains(featuretest.ReplySaid(r), "H O R N") || r.Picture != nil {
				t.Errorf("a list of games shows a rack: %s", r.Text)
			}
		}
		if text := w.Does(ann, "/link undo").Text.String(); !strings.Contains(text, "separate again") {
			t.Error(text)
		}
		if text := w.On(den, anna, "/games").Text.String(); strings.Count(text, "open the board") != 1 {
			t.Errorf("separated again: %s", text)
		}
	})
}

// A linked account takes part in the person's game: it sees the rack and the score of a
// draft, and can move. Once separated it only watches.
func TestLinkedAccountPlaysSeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}))
		ann, phone, eve := bottest.People["ann"], bot.User{ID: "test:phone", Name: "Ann on the phone"}, bottest.People["eve"]
		if own := w.Sees(phone).Own; own != nil {
			t.Fatalf("a stranger has %+v", own)
		}
		if r := w.Does(phone, "/link "+featuretest.LinkCode(t, w.On(featuretest.Parlour, ann, "/link"))); r.Refused {
			t.Fatal(r.Text)
		}
		if own := w.Sees(phone).Own; own == nil || strings.Join(own.Rack, "") != "HORNSA?" {
			t.Fatalf("on the phone Ann has %+v", own)
		}
		if r := w.Does(phone, "/rack"); !r.Rack || r.Refused {
			t.Errorf("her rack: %s", r.Text)
		}
		draft, err := w.Host.Draft(t.Context(), bot.Request{Channel: featuretest.Parlour, User: phone, Command: "try", Args: map[string]string{"word": "horn", "at": "8h"}})
		if err != nil || draft.Score != 14 {
			t.Errorf("a draft: %+v, %v", draft, err)
		}
		if r := w.Does(phone, "/play horn 8h"); r.Refused {
			t.Fatalf("a play: %s", r.Text)
		}
		if r := w.Does(eve, "/pass"); !r.Refused {
			t.Errorf("Eve passes: %s", r.Text)
		}
		all := featuretest.Events(t, w.Config.Store, featuretest.Parlour)
		if f, ok := all[len(all)-1].Fact.(game.Played); !ok || f.Seat != 0 {
			t.Errorf("the last event is %+v", all[len(all)-1].Fact)
		}
		w.Does(phone, "/link undo")
		if own := w.Sees(phone).Own; own != nil {
			t.Errorf("separated again: %+v", own)
		}
	})
}

func TestCodesAreHardToGuess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ann, bob, eve := bottest.People["ann"], bottest.People["bob"], bottest.People["eve"]
		first := featuretest.LinkCode(t, w.On(featuretest.Parlour, ann, "/link"))
		second := featuretest.LinkCode(t, w.On(featuretest.Parlour, ann, "/link"))
		if first == second || !w.Does(bob, "/link "+first).Refused {
			t.Error("a newer code leaves the older one good")
		}
		time.Sleep(11 * time.Minute)
		if !w.Does(bob, "/link "+second).Refused {
			t.Error("a code is good after eleven minutes")
		}
		good := featuretest.LinkCode(t, w.On(featuretest.Parlour, ann, "/link"))
		for i := range 5 {
			if r := w.Does(eve, fmt.Sprintf("/link AAAA-AAA%d", i+2)); !strings.Contains(r.Text.String(), "code isn't valid") {
				t.Errorf("guess %d: %s", i, r.Text)
			}
		}
		if r := w.Does(eve, "/link "+good); !strings.Contains(r.Text.String(), "too many") {
			t.Errorf("a sixth try: %s", r.Text)
		}
		time.Sleep(11 * time.Minute)
		good = featuretest.LinkCode(t, w.On(featuretest.Parlour, ann, "/link"))
		if r := w.Does(eve, "/link "+good); r.Refused {
			t.Errorf("ten minutes later: %s", r.Text)
		}
		for key, value := range featuretest.StoredRows(t, w.Config.Notes, "codes", "links", "tries") {
			if plain := strings.ReplaceAll(good, "-", ""); strings.Contains(key+value, plain) || strings.Contains(key+value, good) {
				t.Errorf("the code is kept as it is: %s %s", key, value)
			}
		}
		if log := w.Log.String(); strings.Contains(log, good) {
			t.Errorf("the code is in the log: %s", log)
		}
		seen := map[string]bool{}
		for range 200 {
			code := featuretest.LinkCode(t, w.On(featuretest.Parlour, bob, "/link"))
			if seen[code] {
				t.Fatalf("%s comes twice", code)
			}
			seen[code] = true
		}
	})
}

package webpage_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A player's link is valid for ten minutes, and people without a seat get one to watch. Without a
// public address nothing links to pages.
func TestLinksToPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, func(c *host.Config) { c.URL = "https://play.example.org" })
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, "", "classic", "double", []string{"bag:EEEEEEEEEE", "ann:HORNSE?", "bob:ZZYXWVU"}))
		watch := w.Does(bottest.People["eve"], "/board page:yes").Buttons[0].Link
		mine := w.Does(bottest.People["ann"], "/board page:yes").Buttons[0].Link
		address, pass, ok := strings.Cut(mine, "#pass=")
		if !ok || address != watch || len(mine) > 512 { // longest link that a Discord button can open
			t.Fatalf("Ann's link is %s, Eve's %s", mine, watch)
		}
		key := strings.TrimPrefix(address, "https://play.example.org/g/")
		time.Sleep(10*time.Minute + 2*time.Second)
		var no *bot.PageError
		if _, err := w.Enter("/g/{key}", key, pass); !errors.As(err, &no) || !strings.Contains(no.Error(), "ten minutes") {
			t.Errorf("an old pass: %v", err)
		}
		_, pass, _ = strings.Cut(w.Does(bottest.People["ann"], "/board page:yes").Buttons[0].Link, "#pass=")
		if who, err := w.Enter("/g/{key}", key, pass); err != nil || who != bottest.People["ann"] {
			t.Errorf("a fresh pass: %v, %v", who, err)
		}
		if r := w.Does(bottest.People["ann"], "/rack"); !slices.ContainsFunc(r.Buttons, func(b bot.Button) bool { return b.Label.String() == "Play on the board" }) {
			t.Errorf("the rack's buttons: %v", r.Buttons)
		}

		plain := featuretest.New(t)
		featuretest.Put(t, plain.Config.Store, featuretest.Parlour, bottest.Dealt(t, "", "classic", "double", []string{"bag:EEEEEEEEEE", "ann:HORNSE?", "bob:ZZYXWVU"}))
		if r := plain.Does(bottest.People["ann"], "/board page:yes"); !r.Refused {
			t.Errorf("a host without an address answers %v", r)
		}
		if r := plain.Does(bottest.People["ann"], "/rack"); slices.ContainsFunc(r.Buttons, func(b bot.Button) bool { return b.Label.String() == "Play on the board" }) {
			t.Error("a host without an address offers its page")
		}
	})
}

// The files of a finished game contain its moves in the reader's language on every path, even in
// variants that GCG can't express.
func TestFilesContainMoves(t *testing.T) {
	for _, v := range game.Variants() {
		rules := game.Classic()
		rules.Variant = v.Name
		log := gametest.RandomGame
		if v.Shared {
			rules, log = gametest.Duplicate(time.Hour), gametest.RandomDuplicate
		}
		players := 2
		if v.Name == "solitaire" {
			players = 1
		}
		t.Run(v.Name, func(t *testing.T) {
			w := featuretest.New(t)
			events := log(t, 1, players, rules)
			featuretest.Put(t, w.Config.Store, featuretest.Parlour, events)
			answer := w.Does(bottest.People["eve"], "/export")
			var page []bot.File
			for _, name := range []string{"moves", "proof"} {
				f, err := w.File("/g/{key}", "files/"+name, bot.Visit{Request: bot.Request{Table: 1}})
				gametest.Must(t, err)
				page = append(page, f)
			}
			command, err := features.Export(1, events)
			gametest.Must(t, err)
			want := "rackmate-1.gcg"
			if !v.GCG {
				want = "rackmate-1-moves.txt"
			}
			for from, files := range map[string][]bot.File{"/export": answer.Files, "the page": page, "rackmate export": command} {
				if len(files) < 2 {
					t.Errorf("%s has %d files", from, len(files))
				} else if f := files[0]; f.Name != want || len(f.Data) == 0 {
					t.Errorf("%s has %d bytes of moves in %s, want some in %s", from, len(f.Data), f.Name, want)
				}
			}
		})
	}
}

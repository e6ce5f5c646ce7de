package features_test

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/data/sentences"
)

// All transcripts are played with English in pseudo-accents; see [bottest.Ear].
func TestNothingIsLeftInEnglish(t *testing.T) {
	learnt := bottest.NewEar("former player", "data.json") // a former player's name in games, and a file
	for _, p := range people {
		learnt.Knows(p.Name)
	}
	// Use a separate host: a completion can draw a secret, which would change the tiles.
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(c *host.Config) { c.Locales = sentences.New(sentences.Pseudo) })
		learnt.Knows(w.Config.DefaultLexicon)
		learnt.Learns(w.Host, bot.Request{Channel: parlour, User: people["ann"]})
	})
	for _, file := range transcripts(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		ear := learnt.Another()
		synctest.Test(t, func(t *testing.T) {
			sc := featuretest.NewScene(t, func(c *host.Config) { c.Locales = sentences.New(sentences.Pseudo) })
			handle := sc.Handle
			sc.Handle = func(req bot.Request) bot.Reply {
				ear.At(name+": /"+req.Command, slices.Collect(maps.Values(req.Args))...)
				req.Locale, req.HomeLocale = sentences.Pseudo.Code(), sentences.Pseudo.Code()
				aside := req.Aside
				req.Aside = func(ctx context.Context, title string) (bot.ChannelID, error) {
					ear.Reads("the title of a thread", title)
					return aside(ctx, title)
				}
				r := handle(req)
				ear.CheckAll("the answer", r.Text, r.Picture, r.Buttons, r.Menus)
				for _, f := range r.Files {
					ear.Hears("the words beside a file", f.Alt)
				}
				if sight, err := sc.Host.Sight(t.Context(), req); err == nil {
					ear.Sees(sight)
				}
				return r
			}
			sc.Posts.Fail = func(m bot.Message) error {
				ear.CheckAll("a post", slices.Concat(m.Text, m.Whole, m.Line, m.Title, m.Result), m.Picture, m.Buttons, m.Menus)
				return nil
			}
			sc.Play(featuretest.Script(t, file))
		})
		ear.Check(t)
	}
}

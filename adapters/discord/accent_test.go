package discord_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
)

// TestNothingIsLeftInEnglish checks that forms, completions and the adapter's own answers
// are in the reader's language: see [bottest.Ear].
func TestNothingIsLeftInEnglish(t *testing.T) {
	w := newWorld(t, func(w *world) {
		w.locales = sentences.New(sentences.Pseudo)
		w.build(discord.Config{}, w.store)
	})
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	ear := bottest.NewEar("Ann Bob Eve HORN", "small")
	ear.Learns(w.host, bot.Request{Channel: bot.ChannelID("discord:" + w.channel.ID), User: bot.User{ID: player(w.ann), Name: "Ann"}})
	ear.LearnsTitles(w.host)
	w.ann.Gives(w.channel, "settings", "speak", "en-XA").Answer()
	w.bob.Gives(w.channel, "settings", "speak", "en-XA").Answer()
	w.ann.Gives(w.channel, "pass", "sure", "true").Answer()
	post := w.channel.Posts(1)[0]

	ear.At("the form of a button")
	tried := w.bob.Presses(post, "Try")
	ear.ReadsJSON(t, "Try", tried.Asks(), "title", "label", "description", "placeholder")
	ear.At("what a form answers", "farm 8h")
	preview := w.bob.Fills(tried, "word", "farm", "at", "8h").Answer()
	ear.ReadsMarkup("the preview", preview.Content)
	for _, label := range preview.Labels() {
		ear.Reads("a button", label)
	}
	ear.At("completion")
	for _, c := range []struct{ command, option string }{{"new", "lexicon"}, {"settings", "speak"}, {"settings", "zone"}, {"new", "language"}} {
		for _, choice := range w.ann.Types(w.channel, c.command, c.option, c.option, "") {
			if choice.Name != choice.Value && !strings.HasSuffix(choice.Name, "English") {
				ear.Reads(c.command+" "+c.option, choice.Name)
			}
		}
	}
	ear.At("the adapter itself")
	ear.ReadsMarkup("a menu on a message that shows no play", w.ann.OpensMenuOn(w.channel, preview, discord.ChallengeMenu).Answer().Content)
	w.channel.Grant(0)
	ear.ReadsMarkup("no permissions", w.ann.Gives(w.channel, "new").Answer().Content)
	ear.Check(t)
}

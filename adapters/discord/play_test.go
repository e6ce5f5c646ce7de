package discord_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestPlayFromCommandToPost makes a play, from typing the command to the post in the channel and the rack in
// the player's direct messages.
func TestPlayFromCommandToPost(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	offered := w.ann.Types(w.channel, "play", "at", "word", "horn", "at", "")
	if len(offered) == 0 || offered[0].Value == "" || !strings.Contains(offered[0].Name, " · 14") {
		t.Errorf("squares offered for horn: %v", offered)
	}
	answer := w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer()
	if !answer.Private() || answer.For != w.ann.ID || !answer.Says("Your rack: **S A ? E E E E**") {
		t.Errorf("Ann is told %q, private %v", answer.Content, answer.Private())
	}
	if len(answer.Files) != 1 || !strings.HasPrefix(answer.Files[0].Alt, "Your rack: S, A, blank") {
		t.Errorf("the rack's picture: %+v", alts(answer))
	}
	post := w.channel.Posts(1)[0]
	if !post.Says("Ann plays **HORN** at 8H for **14**.") || !slices.Equal(post.Pings, []string{w.bob.ID}) {
		t.Errorf("posted %q, pinging %v", post.Content, post.Pings)
	}
	if got := alts(post); len(got) != 1 || !strings.Contains(got[0], "HORN") {
		t.Errorf("the board's words: %q", got)
	}
	if got := post.Labels(); !slices.Equal(got, []string{"My rack", "Try", "Challenge", "More"}) {
		t.Errorf("buttons %q", got)
	}
	if card := w.card(w.ann, "Your rack: **S A ? E E E E**"); !card.Says("<#" + w.channel.ID + ">") {
		t.Errorf("Ann is sent %q", card.Content)
	}
	if sent := w.bob.Sees(w.bob.DM()); len(sent) > 0 {
		t.Errorf("Bob, whose rack hasn't changed, is sent %q", sent[0].Content)
	}

	// The menus of the post and of the player offer more.
	if got := w.eve.OpensMenuOn(w.channel, post, discord.BoardMenu).Answer(); !got.Says("HORN") || !got.Private() || len(got.Files) > 0 {
		t.Errorf("the board as text: %q", got.Content)
	}
	if got := w.eve.OpensMenuOf(w.channel, w.ann, discord.StatsMenu).Answer(); !got.Says("Ann") || !got.Private() {
		t.Errorf("Ann's stats: %q", got.Content)
	}

	// The next play folds the previous post.
	w.bob.Gives(w.channel, "play", "word", "farm", "at", "9g").Answer()
	posts := w.channel.Posts(2)
	if old := w.folded(posts[0]); old.Content != "Ann played HORN at 8H for 14 (Ann 14, Bob 0)" {
		t.Errorf("folded to %q", old.Content)
	}
	if len(posts[1].Labels()) == 0 {
		t.Error("the newest post has no buttons")
	}
	replay := w.eve.Gives(w.channel, "replay").Answer()
	if got := alts(replay); len(got) != 1 || !strings.Contains(got[0], "FARM") {
		t.Errorf("the words of the replay: %q", got)
	}
}

// changed waits for an edit of the only post of a channel, a lobby, and returns it.
func (w *world) changed(c *discordtest.Channel) discordtest.Message {
	w.t.Helper()
	return w.once(c.Posts(1)[0], "the lobby's post is changed", func(m discordtest.Message) bool { return m.Edited > 0 })
}

// folded waits until a post is one line, without picture or components, and returns it.
func (w *world) folded(post discordtest.Message) discordtest.Message {
	w.t.Helper()
	return w.once(post, fmt.Sprintf("%q is folded", post.Content), func(m discordtest.Message) bool {
		return m.ID != "" && len(m.Files) == 0 && len(m.Labels()) == 0
	})
}

// once waits until so returns true for a message, and returns it.
func (w *world) once(m discordtest.Message, what string, so func(discordtest.Message) bool) (now discordtest.Message) {
	w.t.Helper()
	w.d.Wait(what, func() bool { now = w.d.Message(m.ID); return so(now) })
	return now
}

func alts(m discordtest.Message) (all []string) {
	for _, f := range m.Files {
		all = append(all, f.Alt)
	}
	return all
}

// TestRenamedPlayerHasNewName checks that a player who has a new name on Discord plays on under it: it is in the next
// message and its picture, in the other player's messages and in their lists. A button on a direct
// message, where nobody has a nickname, changes no name.
func TestRenamedPlayerHasNewName(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.ann.Gives(w.channel, "rack").Answer()
	w.ann.Rename("Annabel")
	w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer()
	post := w.channel.Posts(1)[0]
	if !post.Says("Annabel plays **HORN** at 8H for **14**.") || !strings.Contains(alts(post)[0], "Annabel 14") {
		t.Errorf("posted %q with %q", post.Content, alts(post))
	}
	if got := w.bob.Gives(w.bob.DM(), "games").Answer(); !got.Says("Annabel 14") {
		t.Errorf("Bob's games: %q", got.Content)
	}
	w.bob.Gives(w.channel, "play", "word", "farm", "at", "9g").Answer()
	posts := w.channel.Posts(2)
	if next := posts[1]; !strings.Contains(alts(next)[0], "Annabel 14") {
		t.Errorf("the next board: %q", alts(next))
	}
	w.ann.Rename("Captain")
	w.ann.Presses(w.card(w.ann, "Your rack"), "Pass…").Answer()
	if got := w.bob.Gives(w.bob.DM(), "games").Answer(); !got.Says("Annabel 14") {
		t.Errorf("after a press on the card: %q", got.Content)
	}
}

// TestSquaresDontRevealWords checks that the suggested squares don't reveal whether a word is
// valid if plays can be challenged: a phony gets squares too. Otherwise it gets none.
func TestSquaresDontRevealWords(t *testing.T) {
	for _, c := range []struct {
		challenge game.ChallengeRule
		offered   bool
	}{{game.Double, true}, {game.Void, false}} {
		w := newWorld(t)
		w.table(c.challenge, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
		offered := w.ann.Types(w.channel, "play", "at", "word", "hrno", "at", "")
		offered = slices.DeleteFunc(offered, func(o discordtest.Choice) bool { return strings.Contains(o.Name, "no place") })
		if (len(offered) > 0) != c.offered || len(offered) > 25 {
			t.Errorf("%s: %d squares for a phony", c.challenge, len(offered))
		}
		word := w.ann.Types(w.channel, "play", "at", "word", "horn", "at", "")
		if c.offered && !slices.Equal(word, offered) {
			t.Errorf("%s: %v for HORN, %v for a phony of the same tiles", c.challenge, word, offered)
		}
	}
}

// TestPlayInOneInput checks that a play can be typed into one input, which suggests the places of
// the word or says that there are none.
func TestPlayInOneInput(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	offered := w.ann.Types(w.channel, "play", "word", "word", "horn")
	if len(offered) == 0 || !strings.HasPrefix(offered[0].Name, "HORN ") || !strings.HasPrefix(offered[0].Value, "horn ") {
		t.Errorf("offered for horn: %v", offered)
	}
	if got := w.ann.Types(w.channel, "play", "word", "word", "horn 8h"); len(got) != 1 || got[0].Value != "horn 8H" {
		t.Errorf("offered for horn 8h: %v", got)
	}
	for _, option := range []string{"word", "at"} {
		options := []string{"word", "zzzzz"}
		if option == "at" {
			options = append(options, "at", "")
		}
		if got := w.ann.Types(w.channel, "play", option, options...); len(got) != 1 || got[0].Name != "ZZZZZ has no place there now, with your tiles" {
			t.Errorf("offered for an impossible word: %v", got)
		}
	}
	if got := w.ann.Gives(w.channel, "exchange", "tiles", "all").Answer(); !got.Says("Put back **H O R N S A ?**") {
		t.Errorf("/exchange all: %q", got.Content)
	}
	w.ann.Gives(w.channel, "play", "word", "horn 8h").Answer()
	if post := w.channel.Posts(1)[0]; !post.Says("Ann plays **HORN** at 8H") {
		t.Errorf("posted %q", post.Content)
	}
}

// TestManyCommandsAtOnce checks that many commands given at once are all answered.
// [BenchmarkSimultaneousPlays] measures how long the first responses take.
func TestManyCommandsAtOnce(t *testing.T) {
	w := newWorld(t)
	w.timers.set(time.After)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	var all []*discordtest.Interaction
	for n := range gametest.Rounds(20, 100) {
		all = append(all, w.ann.Gives(w.channel, "rack"), w.bob.Gives(w.channel, "board", "as", "picture"), w.eve.Gives(w.guild.Channel(fmt.Sprint("c", n)), "new", "seats", "2"))
	}
	for n, i := range all {
		if got := i.Answer(); got.Says("went wrong") || got.Says("too late") {
			t.Errorf("command %d is answered: %s", n, got.Content)
		}
	}
	t.Logf("the slowest first response took %s", w.d.Slowest())
}

package features_test

import (
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// Whoever manages a server adds words to its list and takes some out; tables are
// opened with those words, and keep the ones they were opened with.
func TestHouseWords(t *testing.T) {
	w := newWorld(t)
	channel := bot.ChannelID("test:a")
	say := func(ch bot.ChannelID, manager bool, line string) string {
		req := w.request(people["ann"], line)
		req.Channel, req.Manager, req.Home = ch, manager, "test:server"
		return shown(w.host.Handle(t.Context(), req).Text)
	}
	for _, tt := range []struct {
		manager    bool
		line, want string
	}{
		{false, "/words", "For this server, the word list `small` is as it came."},
		{false, "/words add zzz", "Only those who manage the server can change its words. `/words list` shows them."},
		{true, "/words add", "Say which words: `/words add qat zax`."},
		{true, "/words add zz9", "`zz9` can't be a word of the list: it has 2 to 21 letters, all of them on tiles."},
		{true, "/words add zzz qqq horn", "For this server, the word list `small` also has `QQQ ZZZ`. New tables play with that; those that are open keep the words they have."},
		{false, "/check zzz qqq horn", "In the word list `small`:\n✓ ZZZ is valid\n✓ QQQ is valid\n✓ HORN is valid"},
		{true, "/words remove qqq horn", "For this server, the word list `small` also has `ZZZ`, and doesn't have `HORN`. New tables play with that; those that are open keep the words they have."},
	} {
		if got := say(channel, tt.manager, tt.line); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.line, got, tt.want)
		}
	}
	say(channel, false, "/new")
	say(channel, true, "/words remove zzz")
	say("test:b", false, "/new")
	ids := map[bot.ChannelID]game.LexiconID{}
	for _, ch := range []bot.ChannelID{channel, "test:b"} {
		log := events(t, w.config.Store, ch)
		if len(log) == 0 {
			t.Fatalf("no table in %s", ch)
		}
		ids[ch] = log[0].Fact.(game.Opened).Lexicon
	}
	before, after := ids[channel], ids["test:b"]
	if before.Added != "ZZZ" || before.Removed != "HORN" || after.Added != "" || after.Removed != "HORN" {
		t.Errorf("tables have %+v and %+v", before, after)
	}
	if plain := w.config.Lexicons[0].Hash(); before.Hash == plain || after.Hash == plain || before.Hash == after.Hash {
		t.Errorf("the hashes don't tell the lists apart: %s, %s, %s", plain, before.Hash, after.Hash)
	}
	if got, want := say(channel, false, "/check zzz horn"), "In the word list `small`:\n✓ ZZZ is valid\n✗ HORN is not valid"; got != want {
		t.Errorf("at the table of before: %s, want %s", got, want)
	}
	if got, want := say("test:b", false, "/check zzz horn"), "In the word list `small`:\n✗ ZZZ is not valid\n✗ HORN is not valid"; got != want {
		t.Errorf("at the table of after: %s, want %s", got, want)
	}
}

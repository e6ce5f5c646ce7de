package study_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// A server's manager adds words to its list and removes some. New tables use them, and open
// tables keep theirs.
func TestOwnWordsApplyToNewTables(t *testing.T) {
	w := featuretest.New(t)
	channel := bot.ChannelID("test:a")
	say := func(ch bot.ChannelID, manager bool, line string) string {
		req := w.Request(bottest.People["ann"], line)
		req.Channel, req.Manager, req.Home = ch, manager, "test:server"
		return featuretest.Shown(w.Host.Handle(t.Context(), req).Text)
	}
	for _, tt := range []struct {
		manager    bool
		line, want string
	}{
		{false, "/words", "For this server, the word list `small` is unchanged."},
		{false, "/words add zzz", "Only managers of this server can change its words. `/words list` shows them."},
		{true, "/words add", "Say which words: `/words add qat zax`."},
		{true, "/words add zz9", "`zz9` can't be a word in this list: a word has 2 to 21 letters, with a tile for each."},
		{true, "/words add zzz qqq horn", "For this server, the word list `small` also has `QQQ ZZZ`. New tables use these words; tables that are already open keep theirs."},
		{false, "/check zzz qqq horn", "In the word list `small`:\n✓ ZZZ is valid\n✓ QQQ is valid\n✓ HORN is valid"},
		{true, "/words remove qqq horn", "For this server, the word list `small` also has `ZZZ`, and doesn't have `HORN`. New tables use these words; tables that are already open keep theirs."},
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
		log := featuretest.Events(t, w.Config.Store, ch)
		if len(log) == 0 {
			t.Fatalf("no table in %s", ch)
		}
		ids[ch] = log[0].Fact.(game.Opened).Lexicon
	}
	before, after := ids[channel], ids["test:b"]
	if before.Added != "ZZZ" || before.Removed != "HORN" || after.Added != "" || after.Removed != "HORN" {
		t.Errorf("tables have %+v and %+v", before, after)
	}
	if plain := w.Config.Lexicons[0].Hash(); before.Hash == plain || after.Hash == plain || before.Hash == after.Hash {
		t.Errorf("the hashes don't tell the lists apart: %s, %s, %s", plain, before.Hash, after.Hash)
	}
	if got, want := say(channel, false, "/check zzz horn"), "In the word list `small`:\n✓ ZZZ is valid\n✗ HORN is not valid"; got != want {
		t.Errorf("at the table of before: %s, want %s", got, want)
	}
	if got, want := say("test:b", false, "/check zzz horn"), "In the word list `small`:\n✗ ZZZ is not valid\n✗ HORN is not valid"; got != want {
		t.Errorf("at the table of after: %s, want %s", got, want)
	}
}

// The proof of a game includes the words that its server had added, and verifies.
func TestProofHasOwnWords(t *testing.T) {
	w := featuretest.New(t)
	say := func(who, line string) {
		t.Helper()
		req := w.Request(bottest.People[who], line)
		req.Manager, req.Home = who == "ann", "test:server"
		if r := w.Host.Handle(t.Context(), req); r.Refused && line != "/pass" {
			t.Fatalf("%s: %s: %s", who, line, r.Text)
		}
	}
	say("ann", "/words add zzz")
	say("ann", "/new seats:2 rules:family")
	say("bob", "/join")
	for _, who := range []string{"ann", "bob", "ann", "bob"} {
		say(who, "/pass") // refused out of turn
	}
	p, err := record.NewProof(featuretest.Events(t, w.Config.Store, featuretest.Parlour))
	gametest.Must(t, err)
	file, err := p.File()
	gametest.Must(t, err)
	if !strings.Contains(string(file), "ZZZ") {
		t.Errorf("the proof doesn't tell of ZZZ:\n%s", file)
	}
	again, err := record.ParseProof(file)
	if err == nil {
		_, err = again.Check()
	}
	if err != nil {
		t.Errorf("the proof doesn't hold: %v", err)
	}
}

package table_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A hint stays between the player and the host: it is no news of the table, makes no button
// out of date, and the turn goes on.
func TestHintIsNoNews(t *testing.T) {
	g := deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	dealt := len(g.Events)
	g.Do("ann", game.Hint{})
	at := tableOf(t, g)
	if at.Number != dealt+1 || at.News() != dealt || !table.Private(at, g.Events[dealt:]) || table.Private(at, g.Events[dealt-1:]) {
		t.Errorf("after %d events and a hint the news is up to %d", dealt, at.News())
	}
	if !at.SameTurn(dealt) || at.ChangedSince(bot.Request{Number: dealt}) || at.ChangedSince(bot.Request{}) {
		t.Error("a hint has changed the turn")
	}
	g.Play("ann", "8H HORN")
	at = tableOf(t, g)
	if at.News() != at.Number || at.SameTurn(dealt) || !at.ChangedSince(bot.Request{Number: dealt}) || !at.ChangedSince(bot.Request{Number: at.Number + 1}) || at.ChangedSince(bot.Request{Number: at.Number}) {
		t.Errorf("after the play the news is up to %d of %d", at.News(), at.Number)
	}
	if at.ShowsLatest(dealt+1) || !at.ShowsLatest(at.Number) {
		t.Error("the play was seen before it was made, or not after")
	}
	g.Do("ann", game.Resign{})
	if over := tableOf(t, g); over.SameTurn(over.Number) {
		t.Error("when the game is over its turn goes on")
	}

	at.Variant.Private = func(_ game.State, f game.Fact) bool { _, played := f.(game.Played); return played }
	if !table.Private(at, at.Events[at.Number-1:]) {
		t.Error("what is private in a variant is news")
	}
}

// A lobby is deserted if no one has come or gone for a day, or for three days if it is for
// a rematch. A game never is.
func TestDesertedLobby(t *testing.T) {
	for name, c := range map[string]struct {
		first game.Person
		join  bool
		after time.Duration
		want  bool
	}{
		"a day less a minute":       {after: 23*time.Hour + 59*time.Minute},
		"a day":                     {after: 24 * time.Hour, want: true},
		"a day after somebody came": {join: true, after: 24 * time.Hour},
		"a day of a rematch":        {first: bottest.People["bob"], after: 24 * time.Hour},
		"three days of a rematch":   {first: bottest.People["bob"], after: 72 * time.Hour, want: true},
	} {
		g := bottest.Open(t, "ann", game.Open{Rules: game.Classic(), Equipment: gametest.Equipment(t), Lexicon: gametest.Lexicon, Seats: 3, First: c.first})
		opened := g.Now
		if c.join {
			g.Do("bob", game.Join{})
		}
		if got := tableOf(t, g).IsDeserted(opened.Add(c.after)); got != c.want {
			t.Errorf("%s: deserted is %t", name, got)
		}
	}
	g := deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	if tableOf(t, g).IsDeserted(g.Now.Add(1000 * time.Hour)) {
		t.Error("a game is deserted")
	}
}

// Only players have a seat, and only during a game.
func TestOnlyPlayersHaveSeats(t *testing.T) {
	open := game.Open{Rules: game.Classic(), Equipment: gametest.Equipment(t), Lexicon: gametest.Lexicon, Seats: 2}
	voting := open
	voting.Rules.Order = game.Voted
	lobby, poll := bottest.Open(t, "ann", open), bottest.Open(t, "ann", voting)
	poll.Do("bob", game.Join{})
	playing := deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO", "cat:QI")
	out := deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO", "cat:QI")
	out.Do("bob", game.Resign{})
	over := deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	over.Do("bob", game.Resign{})
	for _, c := range []struct {
		g    *bottest.Game
		who  string
		want game.Code
	}{
		{lobby, "ann", game.NotStarted}, {poll, "ann", game.OrderOpen}, {over, "ann", game.GameOver},
		{playing, "bob", 0}, {playing, "eve", game.NotPlaying}, {out, "bob", game.NotPlaying}, {out, "ann", 0},
	} {
		at := tableOf(t, c.g)
		seat, err := at.Seat(bot.Request{User: bottest.People[c.who]})
		var rule *game.RuleError
		switch {
		case c.want == 0:
			if err != nil || at.Seats[seat].Person.ID != bottest.People[c.who].ID {
				t.Errorf("%s sits on seat %d: %v", c.who, seat, err)
			}
		case !errors.As(err, &rule) || rule.Code != c.want:
			t.Errorf("%s has seat %d: %v, want %s", c.who, seat, err, c.want)
		}
	}
	if _, err := (table.Table{}).Seat(bot.Request{}); err == nil {
		t.Error("there is a seat where there is no table")
	}
}

// Hidden from a player are the bag, the others' racks, and the tiles of players who left.
func TestHiddenTiles(t *testing.T) {
	g := deal(t, "single", nil, "bag:II", "ann:HORN", "bob:FARM", "cat:QI")
	g.Do("cat", game.Resign{})
	at := tableOf(t, g)
	for seat, want := range map[int]string{0: "AFIIIMQR", 1: "HIIINOQR", -1: "AFHIIIMNOQRR"} {
		if got := at.Equipment.Tiles.Print(at.UnseenBy(seat)); got != want {
			t.Errorf("from seat %d %s is hidden, want %s", seat, got, want)
		}
	}
	racks := table.Racks(at.State)
	if got := at.Equipment.Tiles.Print(racks["test:ann"]) + " " + at.Equipment.Tiles.Print(racks["test:bob"]); got != "HNOR AFMR" {
		t.Errorf("the racks are %s", got)
	}
}

// A spelled play parses to the same tiles.
func TestSpelledPlayParses(t *testing.T) {
	set, err := game.NewTileSet("spanish", []game.Kind{{Text: "A", Count: 2, Value: 1}, {Text: "CH", Count: 2, Value: 1}}, game.Kind{Count: 2})
	gametest.Must(t, err)
	tiles, err := set.Parse("[ch].aA")
	gametest.Must(t, err)
	if got := table.Spelling(set, game.Move{Tiles: tiles}); got != "?[CH].?AA" {
		t.Errorf("it is spelled %s", got)
	}
}

// A turn is checked when its time is up, and a late turn when the game would end.
func TestWhenTurnIsChecked(t *testing.T) {
	g := deal(t, "single", func(o *game.Opened) { o.Pace.Turn = 24 * time.Hour }, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	began := g.Now
	if at, ok := table.LookAt(g.State); !ok || !at.Equal(began.Add(24*time.Hour)) {
		t.Errorf("it is looked at %v, %t", at, ok)
	}
	g.Wait(24 * time.Hour)
	g.Do("", game.Expire{})
	if at, ok := table.LookAt(g.State); !ok || !at.Equal(began.Add(28*24*time.Hour)) {
		t.Errorf("a late one is looked at %v, %t", at, ok)
	}
	g.Do("bob", game.Claim{})
	if at, ok := table.LookAt(g.State); ok {
		t.Errorf("one that is over is looked at %v", at)
	}
}

// Waiting posts are dropped if a later one of their queue replaces them: who joined a
// lobby, or a turn that another has followed. A table's first post and the deal are always
// sent.
func TestReplacedPostsAreDropped(t *testing.T) {
	g := bottest.Open(t, "ann", game.Open{Rules: game.Classic(), Equipment: gametest.Equipment(t), Lexicon: gametest.Lexicon, Seats: 3})
	n := []int{0, len(g.Events)} // number of events before each post
	step := func(does func()) {
		does()
		n = append(n, len(g.Events))
	}
	step(func() { g.Do("bob", game.Join{}) })
	step(func() { g.Do("ann", game.Start{}) })
	step(func() { g.Do(strings.ToLower(g.Seats[g.Turn].Person.Name), game.Pass{}) })
	step(func() { g.Do(strings.ToLower(g.Seats[g.Turn].Person.Name), game.Pass{}) })
	now := tableOf(t, g)
	for i, want := range []struct{ overtaken, outdated bool }{{}, {overtaken: true}, {}, {outdated: true}, {}} {
		then, err := now.At(n[i+1])
		gametest.Must(t, err)
		post := bot.Post{From: n[i], To: n[i+1]}
		outdated, err := then.IsOutdated(now, post)
		if overtaken := then.IsOvertaken(now, post); err != nil || overtaken != want.overtaken || outdated != want.outdated {
			t.Errorf("post %d of events %d to %d is overtaken %t, outdated %t, %v; want %+v", i, post.From, post.To, overtaken, outdated, err, want)
		}
		if then.IsOvertaken(then, post) {
			t.Errorf("post %d is overtaken by itself", i)
		}
	}
}

// A clock runs from the arrival of the turn's news, and not while that is on its way.
func TestClockRunsFromArrival(t *testing.T) {
	g := deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	told := len(g.Events)
	g.Do("ann", game.Hint{})
	at := tableOf(t, g)
	for _, c := range []struct {
		news table.News
		want time.Time
	}{
		{table.News{Table: 7, To: told, At: noon}, noon},
		{table.News{Table: 7, To: told - 1, At: noon}, time.Time{}},
		{table.News{Table: 6, To: told, At: noon}, time.Time{}},
	} {
		if got := c.news.Since(at); !got.Equal(c.want) {
			t.Errorf("%+v: the clock runs since %v, want %v", c.news, got, c.want)
		}
	}
}

// However many submit within five seconds, the message with the count is edited once.
func TestCountsAreBatched(t *testing.T) {
	g := deal(t, "single", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	dealt := len(g.Events)
	hint := func(after time.Duration) []bot.Timer {
		before := tableOf(t, g)
		g.Now = noon.Add(after)
		g.DoSeen("ann", game.Hint{}, g.Now)
		return table.CountTimer(before, g.Events[before.Number:])
	}
	for _, c := range []struct{ after, want time.Duration }{
		{1 * time.Second, 5 * time.Second}, {2 * time.Second, 0}, {4999 * time.Millisecond, 0}, {5 * time.Second, 10 * time.Second}, {16 * time.Second, 20 * time.Second},
	} {
		timers := hint(c.after)
		if c.want == 0 {
			if timers != nil {
				t.Errorf("%v after noon: %+v", c.after, timers)
			}
			continue
		}
		if len(timers) != 1 || !timers[0].At.Equal(noon.Add(c.want)) || timers[0].Kind != table.CountKind || timers[0].Number != dealt {
			t.Errorf("%v after noon: %+v, want one at %v", c.after, timers, c.want)
		}
	}
	before := tableOf(t, g)
	g.Play("ann", "8H HORN")
	if timers := table.CountTimer(before, g.Events[before.Number:]); timers != nil {
		t.Errorf("news is counted: %+v", timers)
	}
}

// A count edits the post of the latest news, which covers all events of one request. If
// there is newer news, it edits nothing.
func TestCountEditsLatestPost(t *testing.T) {
	g := deal(t, "double", nil, "bag:IIIIIIII", "ann:HORNSA?", "bob:PASTEZO")
	g.Play("ann", "8H HORN")
	from := len(g.Events)
	g.Do("bob", game.Challenge{})
	to := len(g.Events)
	if to < from+2 {
		t.Fatal("a wrong challenge is one event")
	}
	g.Do("ann", game.Hint{})
	count := bot.Post{Channel: "test:1", Table: 7, To: len(g.Events)}
	if post, ok, err := tableOf(t, g).LatestPost(count); err != nil || !ok || post != (bot.Post{Channel: "test:1", Table: 7, From: from, To: to}) {
		t.Errorf("it changes %+v, %t, %v", post, ok, err)
	}
	g.Play("ann", "pass")
	if post, ok, err := tableOf(t, g).LatestPost(count); err != nil || ok {
		t.Errorf("after more news it changes %+v, %v", post, err)
	}
	broken := tableOf(t, g)
	broken.Events[1].Number = 9
	if _, _, err := broken.LatestPost(count); err == nil {
		t.Error("a log that can't be replayed has a post")
	}
}

// /new offers the ordinary game and each variant, and finds them by name in any case.
func TestVariantsAreFound(t *testing.T) {
	all := table.Variants{{Name: "junior", Label: text.Plain("Junior")}, {Name: "duplicate", Label: text.Plain("Duplicate")}}
	var offered []string
	for _, c := range all.Choices() {
		offered = append(offered, c.Value)
	}
	if got := strings.Join(offered, " "); got != "ordinary junior duplicate" {
		t.Errorf("/new offers %s", got)
	}
	for typed, want := range map[string]string{"JUNIOR": "junior", "duplicate": "duplicate", "": "", "chess": ""} {
		if got := all.Named(typed).Name; got != want {
			t.Errorf("%q is the variant %q, want %q", typed, got, want)
		}
	}
	if !(table.Table{State: game.State{Rules: game.Rules{Variant: "duplicate"}}}).SharesRack() || (table.Table{}).SharesRack() {
		t.Error("in duplicate everybody has one rack, and in ordinary play nobody")
	}
}

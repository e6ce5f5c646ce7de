package discord_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/storetest"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestRefusedPosts checks the result of posts that Discord refuses.
func TestRefusedPosts(t *testing.T) {
	const messages = "POST /channels/"
	dropped := func(err error) string { return outcome(err) }
	for _, c := range []struct {
		name  string
		fault discordtest.Fault
		do    func(w *world)
		want  string
	}{
		{name: "taken", want: "delivered"},
		{name: "rate limit of the route", fault: discordtest.Fault{Request: messages, Times: 1, Status: 429, After: 3 * time.Second}, want: "again after 3s"},
		{name: "rate limit of the bot", fault: discordtest.Fault{Request: messages, Times: 1, Status: 429, After: 1 * time.Second, Global: true}, want: "again after 1s"},
		{name: "server error", fault: discordtest.Fault{Request: messages, Times: 1, Status: 500}, want: "again"},
		{name: "bad gateway", fault: discordtest.Fault{Request: messages, Times: 1, Status: 502}, want: "again"},
		{name: "overloaded", fault: discordtest.Fault{Request: messages, Times: 1, Status: 503}, want: "again"},
		{name: "no answer", fault: discordtest.Fault{Request: messages, Times: 1}, want: "again"},
		{name: "answer lost", fault: discordtest.Fault{Request: messages, Times: 1, Taken: true}, want: "again"},
		{name: "channel deleted", do: func(w *world) { w.channel.Delete() }, want: "dropped"},
		{name: "no access", do: func(w *world) { w.channel.Grant(0) }, want: "again after 1m0s"},
		{name: "may not post", do: func(w *world) { w.channel.Grant(discordtest.ViewChannel) }, want: "again after 1m0s"},
		{name: "may not attach files", do: func(w *world) { w.channel.Grant(discordtest.ViewChannel | discordtest.SendMessages) }, want: "again after 1m0s"},
		{name: "removed from the server", do: func(w *world) { w.guild.RemoveBot() }, want: "again after 1m0s"},
		{name: "token taken away", fault: discordtest.Fault{Request: messages, Times: 1, Status: 401}, want: "again after 10m0s"},
		{name: "refused for another reason", fault: discordtest.Fault{Request: messages, Times: 1, Status: 404, Code: 10008}, want: "dropped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newDiscord(t)
			w.build(discord.Config{}, w.store)
			if c.do != nil {
				c.do(w)
			}
			if c.fault.Request != "" {
				w.d.Fail(c.fault)
			}
			m := w.message("1-2-0000abcd")
			if got := dropped(w.adapter.Post(t.Context(), m)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if c.fault.Request == "" || c.want == "dropped" || c.fault.Status == 429 {
				return
			}
			// The next try succeeds, and there is one message.
			if err := w.adapter.Post(t.Context(), m); err != nil {
				t.Errorf("the next try: %v", err)
			}
			if n := len(w.channel.Posts(1)); n != 1 {
				t.Errorf("%d messages", n)
			}
		})
	}
}

func (w *world) message(key string) bot.Message {
	return bot.Message{
		Key: key, Channel: bot.ChannelID("discord:" + w.channel.ID), Table: 1, Number: 2,
		Text:    text.Text{{Text: "Ann plays "}, {Text: "HORN", Strong: true}},
		Picture: &bot.Picture{Alt: text.Say("The board"), PNG: []byte("\x89PNG")},
		Buttons: []bot.Button{{ID: "1:1:2:rack:", Label: text.Say("My rack")}},
		Line:    text.Text{{Text: "HORN " + key}},
	}
}

// outcome describes what the host does with a post's error.
func outcome(err error) string {
	var failed *bot.PostError
	switch {
	case err == nil:
		return "delivered"
	case !errors.As(err, &failed) || !failed.Permanent && failed.RetryAfter == 0:
		return "again"
	case failed.Permanent:
		return "dropped"
	}
	return "again after " + failed.RetryAfter.String()
}

// TestBlockedChannelIsRetriedForADay checks that a channel where the bot may not post is tried for a day,
// and that a successful post starts the day again.
func TestBlockedChannelIsRetriedForADay(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	for _, blocked := range []int{1, 2} {
		w.channel.Grant(0)
		for hours := range 24 {
			want := "again after 10m0s"
			if hours == 0 {
				want = "again after 1m0s"
			}
			if got := outcome(w.adapter.Post(t.Context(), w.message("k"))); got != want {
				t.Fatalf("time %d, after %d hours: %s", blocked, hours, got)
			}
			w.d.Advance(time.Hour)
		}
		if blocked == 2 {
			break
		}
		w.channel.Grant(discordtest.ViewChannel | discordtest.SendMessages | discordtest.AttachFiles)
		gametest.Must(t, w.adapter.Post(t.Context(), w.message("k")))
		if err := w.notes.Put(t.Context(), "last", w.channel.ID, nil); err != nil { // so that it is sent again
			t.Fatal(err)
		}
	}
	if got := outcome(w.adapter.Post(t.Context(), w.message("k"))); got != "dropped" {
		t.Errorf("after a day: %s", got)
	}
}

// TestWaitingPostsFollowReadmission checks that waiting messages are posted when the bot is used in the
// channel after it has been readmitted.
func TestWaitingPostsFollowReadmission(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.channel.Grant(0)
	w.ann.Gives(w.ann.DM(), "pass", "sure", "true").Answer()
	w.awaitLog("post postponed")
	w.channel.Grant(discordtest.ViewChannel | discordtest.SendMessages | discordtest.AttachFiles)
	w.bob.Gives(w.channel, "rack").Answer()
	w.channel.Posts(1)
}

// TestFinishedCallIsNotRepostedAfterKill checks that a call posted just before a kill, whose turn is over at
// the restart, isn't posted again, and that the next one follows it.
func TestFinishedCallIsNotRepostedAfterKill(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	board := func(key string) bot.Message {
		m := w.message(key)
		m.Live, m.Text = "board", text.Text{{Text: "Board " + key + " "}, {Text: "Ann", Person: player(w.ann), Notify: true}}
		m.Whole = m.Text
		return m
	}
	post := func(key string) {
		t.Helper()
		gametest.Must(t, w.adapter.Post(t.Context(), board(key)))
		w.adapter.Tidied()
	}
	post("a")
	w.notes = killedBefore{w.notes, "b"}
	w.build(discord.Config{}, w.store)
	if err := w.adapter.Post(t.Context(), board("b")); err == nil {
		t.Fatal("the note of the post was written")
	}
	root := w.channel.Posts(1)[0]
	thread := w.d.Thread(root)
	if n := len(thread.Posts(1)); n != 1 || !w.channel.Posts(1)[0].Says("Board b") {
		t.Fatalf("%d calls at the kill", n)
	}
	w.notes = w.store.Notes(discord.Platform)
	w.build(discord.Config{}, w.store)
	for range 2 {
		gametest.Must(t, w.adapter.Recall(t.Context(), board("b")))
	}
	w.adapter.Tidied()
	post("c")
	if all, calls := w.channel.Posts(1), thread.Posts(2); len(all) != 1 || !all[0].Says("Board c") || len(calls) != 2 || !calls[0].Says("Board b") || !calls[1].Says("Board c") || len(calls[1].Pings) != 1 {
		t.Errorf("%d messages, the first %q, and %d calls", len(all), all[0].Content, len(calls))
	}
	if err := w.adapter.Recall(t.Context(), board("d")); err != nil || len(w.channel.Posts(1)) != 1 {
		t.Errorf("one that was never on its way is there: %v", err)
	}
}

// A killedBefore holds the notes of a program that is killed before it records a post.
type killedBefore struct {
	bot.Notes
	key string
}

func (n killedBefore) Change(ctx context.Context, fn func(bot.Rows) error) error {
	return n.Notes.Change(ctx, func(rows bot.Rows) error { return fn(killedRows{rows, n.key}) })
}

type killedRows struct {
	bot.Rows
	key string
}

func (r killedRows) Put(shelf, key string, value []byte) error {
	if bytes.Contains(value, []byte(`"key":"`+r.key+`"`)) {
		return errors.New("killed")
	}
	return r.Rows.Put(shelf, key, value)
}

// TestTidyKeepsOthersRecords checks that a process which tidies up keeps what another has
// recorded in the meantime.
func TestTidyKeepsOthersRecords(t *testing.T) {
	w := newDiscord(t)
	own := w.notes
	beside, trying := storetest.AlsoPosting(t, own, `"old"`)
	w.notes = beside
	w.build(discord.Config{}, w.store)
	for _, key := range []string{"a", "b"} {
		gametest.Must(t, w.adapter.Post(t.Context(), w.message(key)))
		w.adapter.Tidied()
	}
	if got := w.channel.Posts(2)[0].Content; got != "HORN a" {
		t.Errorf("the first post says %q", got)
	}
	b, err := own.Get(t.Context(), "last", w.channel.ID)
	if want := fmt.Sprintf(`"trying":%q`, trying()); err != nil || bytes.Contains(b, []byte(`"old"`)) || !bytes.Contains(b, []byte(want)) {
		t.Errorf("after the tidying there is %s, want %s (%v)", b, want, err)
	}
}

// TestStalledProcessKeepsNewerBoard checks that a stalled process doesn't reset a board to an earlier
// state.
func TestStalledProcessKeepsNewerBoard(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	for key, held := range []bool{true, true, false} {
		m := w.message(fmt.Sprint(key))
		m.Live, m.Text = "board", text.Text{{Text: fmt.Sprint("Board ", key)}}
		m.Whole = m.Text
		ctx, _ := bot.Delivering(t.Context(), bot.Post{}, func() bool { return held })
		if err := w.adapter.Post(ctx, m); (err == nil) != held {
			t.Errorf("board %d: %v", key, err)
		}
	}
	if got := w.channel.Posts(1); len(got) != 1 || got[0].Content != "Board 1" {
		t.Errorf("%d boards, the first %q", len(got), got[0].Content)
	}
}

// TestRedeliveredPostAppearsOnce checks that a post appears once, however often it is delivered
// and wherever the process was killed.
func TestRedeliveredPostAppearsOnce(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	post := func(key string) {
		t.Helper()
		gametest.Must(t, w.adapter.Post(t.Context(), w.message(key)))
	}
	post("a")
	post("a")
	// Killed before the note was written.
	gametest.Must(t, w.notes.Put(t.Context(), "last", w.channel.ID, nil))
	post("a")
	if n := len(w.channel.Posts(1)); n != 1 {
		t.Errorf("%d messages", n)
	}
	post("b")
	w.adapter.Tidied()
	posts := w.channel.Posts(2)
	if len(posts) != 2 || posts[0].Content != "HORN a" || len(posts[0].Labels()) > 0 || len(posts[1].Labels()) != 1 {
		t.Errorf("%d messages, the first %q", len(posts), posts[0].Content)
	}
	// Killed again, and the turn is over before it is posted again.
	post("c")
	gametest.Must(t, w.notes.Put(t.Context(), "last", w.channel.ID, nil))
	gametest.Must(t, w.adapter.Post(t.Context(), bot.Message{Key: "c", Channel: bot.ChannelID("discord:" + w.channel.ID), Text: text.Text{{Text: "HORN in a line"}}}))
	post("d")
	w.adapter.Tidied()
	if got := w.channel.Posts(4)[2]; got.Content != "HORN in a line" || len(got.Labels()) > 0 || len(got.Files) > 0 {
		t.Errorf("the turn that is over is told by %q with %q", got.Content, got.Labels())
	}
	// A deleted post needs no folding.
	w.d.Delete(w.channel.Posts(4)[3])
	post("e")
	w.adapter.Tidied()
}

// TestFoldsDontDelayPosts checks that folding delays no post, and that a failed fold is
// retried until it succeeds or is refused for good.
func TestFoldsDontDelayPosts(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	w.adapter.SetAfter(func(time.Duration) <-chan time.Time { return time.After(0) })
	lines := func(n int) (all []string) {
		for _, m := range w.channel.Posts(n) {
			all = append(all, m.Content)
		}
		return all
	}
	post := func(key string, failing int) {
		t.Helper()
		w.d.Fail(discordtest.Fault{Request: "PATCH /channels/", Times: failing, Status: 500})
		if err := w.adapter.Post(t.Context(), w.message(key)); err != nil {
			t.Errorf("%s: %v", key, err)
		}
		w.adapter.Tidied()
	}
	board := "Ann plays **HORN**"
	post("a", 0)
	for i, key := range []string{"b", "c"} {
		post(key, 3+2*i)
		if got := lines(2 + i); got[i] != "HORN "+string(rune('a'+i)) || got[i+1] != board {
			t.Errorf("after %s: %q", key, got)
		}
	}
	w.d.Fail(discordtest.Fault{Request: "PATCH /channels/", Times: 1, Status: 403, Code: 50013})
	post("d", 0)
	post("e", 0)
	if got := lines(5)[2:]; !slices.Equal(got, []string{board, "HORN d", board}) {
		t.Errorf("after one that Discord refuses for good: %q", got)
	}
}

// beforeTheStart returns a world before its start, and the two posts of the program before it.
func beforeTheStart(t *testing.T) (w *world, all []discordtest.Message) {
	w = newDiscord(t)
	w.build(discord.Config{}, w.store)
	for _, key := range []string{"a", "b"} {
		gametest.Must(t, w.notes.Put(t.Context(), "last", w.channel.ID, nil))
		gametest.Must(t, w.adapter.Post(t.Context(), w.message(key)))
	}
	return w, w.channel.Posts(2)
}

// TestStartFoldsLeftPosts checks that a starting program folds and deletes the posts that
// the last one still had to, even if an earlier release stored them.
func TestStartFoldsLeftPosts(t *testing.T) {
	w, all := beforeTheStart(t)
	former := fmt.Sprintf(`{"v":1,"key":"b","message":%q,"line":[{"Text":"HORN b"}],"table":1,"folding":{"v":1,"key":"a","message":%q,"line":[{"Text":"HORN a"}],"tries":3}}`, all[1].ID, all[0].ID)
	gametest.Must(t, w.notes.Put(t.Context(), "last", w.channel.ID, []byte(former)))
	w.start()
	w.once(all[0], "a line", func(m discordtest.Message) bool { return m.Content == "HORN a" })
	gametest.Must(t, w.adapter.Post(t.Context(), w.message("c")))
	w.adapter.Tidied()
	if got := w.channel.Posts(3); got[1].Content != "HORN b" {
		t.Errorf("after the next post the second says %q", got[1].Content)
	}
}

// TestStartDeletesLeftBoards checks that a starting program deletes the boards that the last one
// left to delete, and forgets the ones that no longer exist.
func TestStartDeletesLeftBoards(t *testing.T) {
	w, all := beforeTheStart(t)
	left := fmt.Sprintf(`{"v":3,"key":"b","latest":{"id":%q},"old":[{"id":"1152921504999999999","gone":true},{"id":%q,"gone":true}]}`, all[1].ID, all[0].ID)
	gametest.Must(t, w.notes.Put(t.Context(), "last", w.channel.ID, []byte(left)))
	w.start()
	w.once(all[0], "it is deleted", func(m discordtest.Message) bool { return m.ID == "" })
	w.adapter.Tidied()
	if got := w.channel.Posts(1); len(got) != 1 || got[0].ID != all[1].ID {
		t.Errorf("%d posts are left", len(got))
	}
}

// TestLimitedChannelDoesntDelayOthers checks that a limit or an error in one channel doesn't delay
// others.
func TestLimitedChannelDoesntDelayOthers(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	other := w.guild.Channel("other")
	for name, fault := range map[string]discordtest.Fault{
		"a limit": {Status: 429, After: time.Hour}, "an error": {Status: 500},
	} {
		fault.Request, fault.Times = "POST /channels/"+w.channel.ID, 1
		w.d.Fail(fault)
		if got := outcome(w.adapter.Post(t.Context(), w.message(name))); !strings.HasPrefix(got, "again") {
			t.Errorf("%s: %s", name, got)
		}
		m := w.message(name)
		m.Channel = bot.ChannelID("discord:" + other.ID)
		if err := w.adapter.Post(t.Context(), m); err != nil {
			t.Errorf("%s, in the other channel: %v", name, err)
		}
	}
}

// TestStopDuringRateLimit checks that the program stops in time even while Discord refuses
// all requests.
func TestStopDuringRateLimit(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.d.Fail(discordtest.Fault{Request: "POST /channels/", Times: -1, Status: 429, After: 10 * time.Minute, Global: true})
	w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer()
	w.d.Wait("the board is refused", func() bool { return w.d.Tried("POST /channels/") > 0 })
	w.bob.Gives(w.channel, "rack") // its answer is under way
	stopped := make(chan struct{})
	go func() { w.stop(); close(stopped) }()
	select {
	case <-stopped:
	case <-time.After(time.Minute):
		t.Error("it goes on for a minute")
		<-stopped
	}
}

// TestRacksOfTwoTablesDontFoldEachOther checks that a new rack only folds the previous one of the same
// table.
func TestRacksOfTwoTablesDontFoldEachOther(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	other := w.guild.Channel("other")
	for _, c := range []struct{ key, channel string }{{"a1", w.channel.ID}, {"b1", other.ID}, {"a2", w.channel.ID}} {
		m := w.message(c.key)
		m.Channel, m.To = bot.ChannelID("discord:"+c.channel), &bot.User{ID: player(w.ann), Name: "Ann"}
		gametest.Must(t, w.adapter.Post(t.Context(), m))
	}
	w.adapter.Tidied()
	var folded []bool
	for _, m := range w.ann.DM().Posts(3) {
		folded = append(folded, len(m.Labels()) == 0)
	}
	if !slices.Equal(folded, []bool{true, false, false}) {
		t.Errorf("folded: %v, want the first alone", folded)
	}
}

// TestNoDirectMessagesToUnknownUsers checks that no direct messages can be sent to nonexistent
// users.
func TestNoDirectMessagesToUnknownUsers(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	m := w.message("k")
	for who, want := range map[game.PlayerID]string{
		"discord:12": "dropped", "web:ann": "dropped", "discord:": "dropped", "discord:x": "dropped", player(w.ann): "delivered",
	} {
		m.To = &bot.User{ID: who, Name: "x"}
		if got := outcome(w.adapter.Post(t.Context(), m)); got != want {
			t.Errorf("%s: %s, want %s", who, got, want)
		}
	}
	m.To, m.Channel = nil, "web:general"
	if got := outcome(w.adapter.Post(t.Context(), m)); got != "dropped" {
		t.Errorf("to another platform: %s", got)
	}
}

// TestUnableGuestsArentInvited checks that people who can't play aren't invited: bots, and people to a
// conversation that they can't see.
func TestUnableGuestsArentInvited(t *testing.T) {
	w := newWorld(t)
	robot := w.d.User("Helper")
	robot.IsBot()
	if got := w.ann.Gives(w.channel, "new", "opponent", robot.ID).Answer(); !got.Says("Helper is a bot, and bots can't play") || !got.Private() {
		t.Errorf("told %q", got.Content)
	}
	if got := w.ann.OpensMenuOf(w.channel, robot, discord.InviteMenu).Answer(); !got.Says("bots can't play") {
		t.Errorf("told %q", got.Content)
	}
	if got := w.ann.Gives(w.ann.DM(), "new", "opponent", w.bob.ID).Answer(); !got.Says("Bob can't see this conversation") {
		t.Errorf("told %q", got.Content)
	}
	if got := w.ann.Gives(w.ann.DM(), "new", "variant", "unscrabble").Answer(); !got.Says("nobody else can see this conversation") {
		t.Errorf("told %q", got.Content)
	}
	for _, c := range []*discordtest.Channel{w.channel, w.ann.DM()} {
		if got := w.ann.Gives(c, "rack").Answer(); !got.Says("No table") {
			t.Errorf("told %q", got.Content)
		}
	}
}

// TestClosedDMsAreRetried checks that a person with closed direct messages is
// tried again as soon as they use the bot, and after some days.
func TestClosedDMsAreRetried(t *testing.T) {
	w := newWorld(t)
	m := w.message("k")
	m.To = &bot.User{ID: player(w.ann), Name: "Ann"}
	w.ann.CloseDMs(true)
	for range 2 { // the second isn't sent
		if got := outcome(w.adapter.Post(t.Context(), m)); got != "dropped" {
			t.Error(got)
		}
	}
	if n := len(w.d.Requests("POST /channels/")); n != 1 {
		t.Errorf("%d messages were tried, want 1", n)
	}
	w.ann.CloseDMs(false)
	w.ann.Gives(w.channel, "help").Answer()
	if err := w.adapter.Post(t.Context(), m); err != nil {
		t.Errorf("after a word of hers: %v", err)
	}
	w.ann.CloseDMs(true)
	m.Key = "l"
	if got := outcome(w.adapter.Post(t.Context(), m)); got != "dropped" {
		t.Error(got)
	}
	w.ann.CloseDMs(false)
	w.d.Advance(4 * 24 * time.Hour)
	if err := w.adapter.Post(t.Context(), m); err != nil {
		t.Errorf("four days later: %v", err)
	}
}

// TestRefusedRequestsStopBeforeBan checks that refused requests stop long before Discord bans the
// address.
func TestRefusedRequestsStopBeforeBan(t *testing.T) {
	t.Parallel()
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	w.channel.Grant(0)
	for range discord.MostRefusals + 50 {
		if got := outcome(w.adapter.Post(t.Context(), w.message("k"))); !strings.HasPrefix(got, "again") {
			t.Fatal(got)
		}
	}
	if n := len(w.d.Requests("POST")); n != discord.MostRefusals {
		t.Errorf("%d requests were sent, want %d", n, discord.MostRefusals)
	}
	w.d.Advance(discord.RefusalSpan)
	w.channel.Grant(discordtest.ViewChannel | discordtest.SendMessages | discordtest.AttachFiles)
	if err := w.adapter.Post(t.Context(), w.message("k")); err != nil {
		t.Errorf("ten minutes later: %v", err)
	}
}

// TestAnswersSurviveFaults checks that answers to interactions survive faults on the way.
func TestAnswersSurviveFaults(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]discordtest.Fault{
		"server error": {Request: "POST /interactions/", Times: 2, Status: 503},
		"rate limit":   {Request: "POST /interactions/", Times: 1, Status: 429, After: 100 * time.Millisecond},
		"no answer":    {Request: "POST /interactions/", Times: 1},
		"answer lost":  {Request: "POST /interactions/", Times: 1, Taken: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.d.Fail(fault)
			if got := w.ann.Gives(w.channel, "help").Answer(); !got.Says("What you can do") {
				t.Errorf("told %q", got.Content)
			}
		})
	}
}

// TestMissingPermissionsAreNamed checks that the bot names the permissions that it lacks
// for posting.
func TestMissingPermissionsAreNamed(t *testing.T) {
	w := newWorld(t)
	w.channel.Grant(discordtest.ViewChannel)
	if got := w.ann.Gives(w.channel, "new").Answer(); !got.Says("grant me Send Messages and Attach Files in this channel") {
		t.Errorf("told %q", got.Content)
	}
	w.channel.Grant(discordtest.ViewChannel | discordtest.SendMessages | discordtest.AttachFiles)
	if got := w.ann.Gives(w.channel, "new", "thread", "true").Answer(); !got.Says("Create Public Threads and Send Messages in Threads") {
		t.Errorf("told %q", got.Content)
	}
	w.table(game.Single, "EEEE", "HORNSA?", "FARMQI?")
	w.channel.Grant(0)
	if got := w.ann.Gives(w.channel, "rack").Answer(); !got.Says("Your rack") || !got.Says("View Channels, Send Messages and Attach Files") {
		t.Errorf("told %q", got.Content)
	}
}

// TestRefusedThreadIsExplained checks that /new says what to do if Discord refuses a thread, even
// if permissions looked right or a limit is exceeded. No message of a failed thread may
// stay in the channel.
func TestRefusedThreadIsExplained(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status, code int
		want         string
	}{
		"missing permission": {403, 50013, "grant me View Channels, Send Messages, Create Public Threads and Send Messages in Threads in this channel"},
		"missing access":     {403, 50001, "grant me View Channels"},
		"too many threads":   {400, 160006, "as many active threads as Discord allows"},
		"no threads here":    {400, 50024, "Leave thread out"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.d.Fail(discordtest.Fault{Request: "POST /channels/" + w.channel.ID + "/messages/", Times: 1, Status: c.status, Code: c.code})
			if got := w.ann.Gives(w.channel, "new", "thread", "true").Answer(); !got.Says(c.want) || !got.Private() {
				t.Errorf("told %q", got.Content)
			}
			if n := len(w.channel.Posts(0)); n != 0 {
				t.Errorf("%d messages stay in the channel", n)
			}
			// The same works once the problem is fixed.
			if got := w.ann.Gives(w.channel, "new", "thread", "true").Answer(); !got.Says("Your table is open") {
				t.Errorf("told %q", got.Content)
			}
		})
	}
	// The thread's message can be refused already.
	w := newWorld(t)
	w.d.Fail(discordtest.Fault{Request: "POST /channels/" + w.channel.ID + "/messages", Times: 1, Status: 403, Code: 50013})
	if got := w.ann.Gives(w.channel, "new", "thread", "true").Answer(); !got.Says("Send Messages in Threads") {
		t.Errorf("told %q", got.Content)
	}
	// Nobody there can fix a server error: the general sentence.
	w.d.Fail(discordtest.Fault{Request: "POST /channels/" + w.channel.ID + "/messages/", Times: 1, Status: 500})
	if got := w.ann.Gives(w.channel, "new", "thread", "true").Answer(); !got.Says("went wrong") {
		t.Errorf("told %q", got.Content)
	}
	for where, c := range map[string]*discordtest.Channel{"direct messages": w.ann.DM(), "voice": w.guild.Voice("Lounge")} {
		if got := w.ann.Gives(c, "new", "thread", "true").Answer(); !got.Says("I can't open a thread here. Leave") {
			t.Errorf("%s: %q", where, got.Content)
		}
	}
}

// TestStartErrorsNameRemedy checks that a problem only the operator can fix ends the adapter with
// instructions.
func TestStartErrorsNameRemedy(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(w *world)
		want string
	}{
		"wrong token":      {func(w *world) { w.d.Fail(discordtest.Fault{Request: "GET /applications", Times: -1, Status: 401}) }, "Reset Token"},
		"token taken away": {func(w *world) { w.d.Gateway.RefuseNext(4004) }, "Reset Token"},
		"intents":          {func(w *world) { w.d.Gateway.RefuseNext(4014) }, "newest version"},
		"shards":           {func(w *world) { w.d.Gateway.RefuseNext(4011) }, "--discord-shards"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newDiscord(t)
			w.build(discord.Config{}, w.store)
			c.do(w)
			err := w.adapter.Run(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want something about %s", err, c.want)
			}
		})
	}
	for name, c := range map[string]discord.Config{
		"no token": {}, "a token with spaces": {Token: "a b"}, "half a key": {Token: "x", PublicKey: "abcd"},
		"no address": {Token: "x", API: "discord"}, "a file": {Token: "x", API: "file:///x"},
	} {
		c.Now, c.Log = time.Now, slog.New(slog.DiscardHandler)
		if _, err := discord.New(c); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// TestUnreachableDiscordIsRetried checks that Discord is tried again if it can't be reached, with a line in
// the log.
func TestUnreachableDiscordIsRetried(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	w.d.Fail(discordtest.Fault{Request: "GET /applications", Times: 2, Status: 503})
	w.d.Fail(discordtest.Fault{Request: "GET /gateway/bot", Times: 1})
	w.adapter.SetAfter(soon)
	w.start()
	w.d.Gateway.Connected(1, 1, 0)
	if log := w.log.String(); !strings.Contains(log, "Discord can't be reached; trying again. Check the network") {
		t.Errorf("the log:\n%s", log)
	}
}

// TestServerWithoutApplications checks that the bot still runs on a server that doesn't
// support applications or commands.
func TestServerWithoutApplications(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	w.d.Fail(discordtest.Fault{Request: "GET /applications", Times: -1, Status: 404})
	w.start()
	w.d.Gateway.Connected(1, 1, 0)
	if log := w.log.String(); !strings.Contains(log, "can't register the commands") {
		t.Errorf("the log:\n%s", log)
	}
}

// soon returns time.After without the wait between tries, except for waits that must not
// end early.
func soon(d time.Duration) <-chan time.Time {
	if d == discord.Patience {
		d = time.Minute
	}
	if d > 2*time.Minute || d == time.Minute || d == 30*time.Second {
		return time.After(d)
	}
	return time.After(time.Millisecond)
}

// TestShutdownAnswersFirst checks that a person who presses during a shutdown gets an
// answer.
func TestShutdownAnswersFirst(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	i := w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h")
	i.Response()
	w.stop()
	if got := i.Answer(); !got.Says("Your rack") {
		t.Errorf("told %q", got.Content)
	}
	// The post is there now, or comes with the next start.
	w.build(discord.Config{}, w.store)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { w.host.Deliver(ctx, discord.Platform, w.adapter); close(done) }()
	if n := len(w.channel.Posts(1)); n != 1 {
		t.Errorf("%d posts", n)
	}
	cancel()
	<-done
}

// TestLogHasNoTokens checks that no token is ever logged: neither the bot's, nor an
// interaction's, which occurs in addresses.
func TestLogHasNoTokens(t *testing.T) {
	for name, fault := range map[string]discordtest.Fault{
		"no answer": {Times: 40}, "server errors": {Times: 40, Status: 500}, "refused": {Times: 40, Status: 403, Code: 50001},
		"limits": {Times: 40, Status: 429, After: time.Millisecond}, "not found": {Times: 40, Status: 404, Code: 10062},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, func(w *world) { w.adapter.SetAfter(soon) })
			w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
			for _, request := range []string{"POST /interactions/", "PATCH /webhooks/", "POST /webhooks/", "POST /channels/", "POST /users/"} {
				fault.Request = request
				w.d.Fail(fault)
			}
			w.ann.Gives(w.channel, "help")
			w.ann.Gives(w.channel, "rack")
			w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h")
			w.ann.Gives(w.channel, "new", "thread", "true")
			w.d.Wait("it fails", func() bool { return w.d.Tried("POST /interactions/") >= 4 && w.d.Tried("POST /channels/") >= 1 })
			w.d.Gateway.Drop()
			w.stop()
			log := w.log.String()
			for _, secret := range []string{discordtest.Token, "token-", "HORNSA", "FARMQI"} {
				if strings.Contains(log, secret) {
					t.Errorf("%q is in the log:\n%s", secret, log)
				}
			}
			if !strings.Contains(log, "can't answer") {
				t.Errorf("nothing was noisy:\n%s", log)
			}
		})
	}
}

package discord_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestInviteFromUserMenu plays from the invitation in a person's menu to the first rack.
func TestInviteFromUserMenu(t *testing.T) {
	w := newWorld(t)
	answer := w.ann.OpensMenuOf(w.channel, w.bob, discord.InviteMenu).Answer()
	if !answer.Says("Your table is open.") {
		t.Errorf("Ann is told %q", answer.Content)
	}
	post := w.channel.Posts(1)[0]
	if !slices.Equal(post.Pings, []string{w.bob.ID}) || !post.Says("Waiting for <@"+w.bob.ID+">") {
		t.Errorf("posted %q, pinging %v", post.Content, post.Pings)
	}
	if got := w.eve.Presses(post, "Join").Answer(); !got.Says("reserved for the people who were invited") || got.For != w.eve.ID {
		t.Errorf("Eve is told %q", got.Content)
	}
	if got := w.bob.Presses(post, "Join").Answer(); !got.Says("Your rack: ") || len(got.Files) != 1 {
		t.Errorf("Bob is told %q", got.Content)
	}
	w.channel.Posts(2)
	for _, u := range []*discordtest.User{w.ann, w.bob} {
		got := w.card(u, "Your rack: ")
		if len(got.Files) != 1 || !slices.Equal(got.Labels(), []string{"Play", "Exchange…", "Pass…", "Open the board", "Stop these"}) {
			t.Errorf("%s is sent %q with %d files, %q", u.Name, got.Content, len(got.Files), got.Labels())
		}
	}
}

// TestForumThreads checks that a thread in a forum is another post, and that threads of channels
// can't have threads.
func TestForumThreads(t *testing.T) {
	w := newWorld(t)
	forum, first := w.guild.Forum("games")
	if got := w.ann.Gives(first, "new", "opponent", w.bob.ID, "thread", "true").Answer(); !got.Says("Your table is open.") {
		t.Fatalf("Ann is told %q", got.Content)
	}
	posts := forum.Posted()
	if len(posts) != 1 || posts[0].Name != "Ann's table" {
		t.Fatalf("%d posts in the forum", len(posts))
	}
	w.bob.Presses(posts[0].Posts(2)[1], "Join").Answer()
	if got := posts[0].Posts(3)[2]; !got.Says(" play.") {
		t.Errorf("posted %q", got.Content)
	}
	if n := len(first.Posts(0)); n != 0 {
		t.Errorf("%d messages in the post where the command was given", n)
	}
	w.ann.Gives(w.channel, "new", "thread", "true").Answer()
	thread := w.d.Thread(w.channel.Posts(1)[0])
	if got := w.eve.Gives(thread, "new", "thread", "true").Answer(); !got.Says("Leave thread out") {
		t.Errorf("Eve is told %q", got.Content)
	}
}

// TestHostThreadBelongsToMessage checks that a thread opened by the host belongs to a message, and that the same
// key returns the same thread.
func TestHostThreadBelongsToMessage(t *testing.T) {
	w := newWorld(t)
	open := w.adapter.Platform().Aside
	beside := bot.ChannelID("discord:" + w.channel.ID)
	ch, err := open(t.Context(), beside, "spring/1/2", "Spring, round 1, table 2", nil)
	gametest.Must(t, err)
	if again, err := open(t.Context(), beside, "spring/1/2", "Spring", nil); again != ch || err != nil {
		t.Errorf("the same key gets %s, %v, want %s", again, err, ch)
	}
	if other, err := open(t.Context(), beside, "spring/1/3", "Spring, round 1, table 3", nil); other == ch || err != nil {
		t.Errorf("another key gets %s, %v", other, err)
	}
	if posts := w.channel.Posts(2); len(posts) != 2 || posts[0].Content != "Spring, round 1, table 2" {
		t.Errorf("%d messages in the channel, the first %q", len(posts), posts[0].Content)
	}
}

// TestGameInOwnThread names opponents by options and opens a thread with its own channel. The post that
// the thread hangs on is the lobby, then the board. A move wakes the thread from the archive.
func TestGameInOwnThread(t *testing.T) {
	w := newWorld(t, func(w *world) { w.oneBoard = true })
	answer := w.ann.Gives(w.channel, "new", "opponent", w.bob.ID, "seats", "2", "thread", "true").Answer()
	if !answer.Says("Your table is open.") {
		t.Fatalf("Ann is told %q", answer.Content)
	}
	root := w.once(w.channel.Posts(1)[0], "the lobby", func(m discordtest.Message) bool { return m.Says("Ann wants to play") })
	thread := w.d.Thread(root)
	if got := thread.Posts(1)[0]; !slices.Equal(got.Pings, []string{w.bob.ID}) {
		t.Errorf("the guest is called by %q, which rings for %v", got.Content, got.Pings)
	}
	w.bob.Presses(root, "Join").Answer()
	posts := thread.Posts(2)
	thread.Archive()
	first := w.ann
	if slices.Equal(posts[1].Pings, []string{w.bob.ID}) {
		first = w.bob
	}
	if got := first.Gives(thread, "pass", "sure", "true").Answer(); !got.Says("You pass.") {
		t.Errorf("told %q", got.Content)
	}
	thread.Posts(3)
	if thread.Asleep() {
		t.Error("the thread sleeps")
	}
	if now := w.once(root, "the board says who passed", func(m discordtest.Message) bool { return m.Says("passes") }); !now.Says("Ann 0") || len(now.Files) != 1 {
		t.Errorf("the channel reads %q with %d files", now.Content, len(now.Files))
	}
	if got := w.ann.Gives(thread, "new", "thread", "true").Answer(); !got.Says("Leave thread out") {
		t.Errorf("a thread in a thread: %q", got.Content)
	}
	if n := len(w.channel.Posts(1)); n != 1 {
		t.Errorf("%d messages in the channel", n)
	}
}

// TestTryFormPlaysWord checks that Try asks for the word in a form, and that its answer has a button
// that plays it and turns into the new rack.
func TestTryFormPlaysWord(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.ann.Gives(w.channel, "pass", "sure", "true").Answer()
	post := w.channel.Posts(1)[0]
	pressed := w.bob.Presses(post, "Try")
	if title, inputs := pressed.Form(); title != "Try" || !slices.Equal(inputs, []string{"word", "at"}) {
		t.Errorf("a form %q with %v", title, inputs)
	}
	preview := w.bob.Fills(pressed, "word", "farm", "at", "8h").Answer()
	if !preview.Private() || !preview.Says("**FARM** at 8H would score **18**") || !slices.Equal(preview.Labels(), []string{"Play it for 18"}) || len(preview.Files) != 1 {
		t.Errorf("the preview: %q %q", preview.Content, preview.Labels())
	}
	if n := len(w.channel.Posts(1)); n != 1 {
		t.Errorf("trying posted %d messages", n-1)
	}
	rack := w.bob.Presses(preview, "Play it for 18").Answer()
	w.once(preview, "the preview has become the rack", func(m discordtest.Message) bool { return m.Says("Your rack") })
	if rack.ID != preview.ID {
		t.Error("the rack is a message of its own")
	}
	// The preview's button is gone, but a client may still send it.
	if got := w.bob.UsesID(preview, preview.CustomIDs()[0]).Answer(); !got.Says("It's Ann's turn") {
		t.Errorf("pressed again: %q", got.Content)
	}
}

// TestExchangeFromMenu exchanges tiles from a menu, after a confirmation.
func TestExchangeFromMenu(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "AABHOR?", "FARMQI?")
	rack := w.ann.Gives(w.channel, "rack").Answer()
	if got := rack.Labels(); !slices.Equal(got, []string{"Shuffle", "Sort", "Exchange tiles"}) {
		t.Errorf("under the rack: %q", got)
	}
	shuffled := w.ann.Presses(rack, "Shuffle").Answer()
	if shuffled.ID != rack.ID {
		t.Error("shuffling makes a new message")
	}
	question := w.ann.Chooses(w.now(shuffled), "A", "A", "? (blank)").Answer()
	if !question.Says("Put back **A A ?** and draw 3 new tiles?") {
		t.Errorf("asked %q", question.Content)
	}
	if got := w.ann.Presses(w.now(question), "Exchange AA?").Answer(); !got.Says("Your rack: **B H O R E E E**") {
		t.Errorf("told %q", got.Content)
	}
	if post := w.channel.Posts(1)[0]; !post.Says("Ann exchanges 3 tiles.") {
		t.Errorf("posted %q", post.Content)
	}
}

// TestExchangeByForm checks that tiles ticked in a form are exchanged without further
// questions, and that the host explains why none can be exchanged.
func TestExchangeByForm(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "AABHOR?", "FARMQI?")
	form := w.ann.Gives(w.channel, "exchange")
	if title, fields := form.Form(); title != "Exchange" || !slices.Equal(fields, []string{"tiles"}) {
		t.Errorf("a form %q with %v", title, fields)
	}
	if got := w.bob.Gives(w.channel, "exchange").Answer(); !got.Private() || !got.Says("turn") {
		t.Errorf("whose turn it isn't is told %q", got.Content)
	}
	if got := w.eve.Gives(w.channel, "exchange").Answer(); !got.Says("You aren't in this game.") {
		t.Errorf("who watches is told %q", got.Content)
	}
	if got := w.ann.Fills(form, "tiles", "1:A,2:A,7:?").Answer(); !got.Says("Your rack: **B H O R E E E**") {
		t.Errorf("told %q", got.Content)
	}
	if post := w.channel.Posts(1)[0]; !post.Says("Ann exchanges 3 tiles.") {
		t.Errorf("posted %q", post.Content)
	}
	if got := w.ann.Fills(form, "tiles", "1:A").Answer(); !got.Says("out of date") {
		t.Errorf("the form once more: %q", got.Content)
	}
}

// now returns the current state of a message.
func (w *world) now(m discordtest.Message) discordtest.Message {
	return w.once(m, "a message is there", func(m discordtest.Message) bool { return m.ID != "" })
}

// TestBystanderGetsNoForm checks that a person outside a game gets no form: they can watch it, or
// join the next one.
func TestBystanderGetsNoForm(t *testing.T) {
	w := newWorld(t)
	w.table(game.Double, "EEEEEEEEEEEE", "HORNSA?", "FAMQIAE")
	w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer()
	post := w.channel.Posts(1)[0]
	got := w.eve.Presses(post, "Try").Answer()
	if !got.Says("You aren't in this game.") {
		t.Errorf("Eve: %q", got.Content)
	}
	if watched := w.eve.Presses(got, "Watch").Answer(); len(watched.Files) != 1 {
		t.Errorf("she watches %q", watched.Content)
	}
	if got = w.eve.Presses(got, "Join the next").Answer(); !got.Says("Your table is open") {
		t.Errorf("she joins %q", got.Content)
	}
}

// TestChallengeByButtonOrMenu challenges a play by its button, by choosing words, and by the menu of its
// message; old messages and other people are refused.
func TestChallengeByButtonOrMenu(t *testing.T) {
	w := newWorld(t)
	w.table(game.Double, "EEEEEEEEEEEE", "HORNSA?", "FAMQIAE")
	w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer()
	w.bob.Gives(w.channel, "play", "word", "fame", "at", "9g").Answer()
	posts := w.channel.Posts(2)

	if got := w.bob.OpensMenuOn(w.channel, posts[0], discord.ChallengeMenu).Answer(); !got.Says("out of date") && !got.Says("no play to challenge") {
		t.Errorf("an old play: %q", got.Content)
	}
	if got := w.eve.Presses(posts[1], "Challenge").Answer(); !got.Says("You aren't in this game") {
		t.Errorf("Eve: %q", got.Content)
	}
	for _, c := range w.ann.Types(w.channel, "challenge", "words", "words", "f") {
		if c.Value != "FAME" {
			t.Errorf("offered %v", c)
		}
	}
	question := w.ann.OpensMenuOn(w.channel, posts[1], discord.ChallengeMenu).Answer()
	if !question.Says("Challenge Bob's play?") {
		t.Errorf("asked %q", question.Content)
	}
	if got := w.ann.Chooses(question, "FAME", "OM").Answer(); !got.Says("FAME is not in the word list") {
		t.Errorf("told %q", got.Content)
	}
	if post := w.channel.Posts(3)[2]; !post.Says("Bob's play comes off the board") {
		t.Errorf("posted %q", post.Content)
	}
}

// TestStaleButtons checks that a button under a folded message, or of a table elsewhere,
// works or explains why it does nothing.
func TestStaleButtons(t *testing.T) {
	w := newWorld(t)
	w.table(game.Double, "EEEEEEEEEEEE", "HORNSA?", "FAMQIAE")
	w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer()
	first := w.channel.Posts(1)[0]
	w.bob.Gives(w.channel, "pass", "sure", "true").Answer()
	w.channel.Posts(2)
	for label, want := range map[string]string{"Challenge": "out of date", "My rack": "Your rack: "} {
		if got := w.ann.Presses(first, label).Answer(); !got.Says(want) || !got.Private() {
			t.Errorf("%s: %q", label, got.Content)
		}
	}
	elsewhere := w.guild.Channel("elsewhere")
	forged := first
	forged.Channel = elsewhere.ID
	if got := w.eve.Presses(forged, "My rack").Answer(); !got.Says("belongs to a table in another channel") {
		t.Errorf("from another channel: %q", got.Content)
	}
	for _, id := range []string{"", "x", "1:1:1:play", "1:999:1:rack:", "1:0:0:rack:", "9:1:1:rack:", "1:1:1:drop:", strings.Repeat("1", 100), "1:18446744073709551616:1:rack:", "1:1:-1:rack:", "\x00"} {
		if got := w.eve.UsesID(first, id).Answer(); got.Content == "" || !got.Private() {
			t.Errorf("button %q: %q", id, got.Content)
		}
	}
}

// TestNamesBecomePlainText checks that names become plain text: they ping nobody and aren't markup.
func TestNamesBecomePlainText(t *testing.T) {
	w := newWorld(t)
	for n, name := range []string{"@everyone <@&1>", "[x](https://evil.example) `x`", "<@" + w.eve.ID + ">", strings.Repeat("*", 32)} {
		c := w.guild.Channel(fmt.Sprintf("c%d", n))
		bad := w.d.User(name)
		if got := bad.Gives(c, "new", "order", "random").Answer(); !got.Says("Your table is open") {
			t.Fatalf("%q: %q", name, got.Content)
		}
		w.bob.Presses(c.Posts(1)[0], "Join").Answer()
		if got := bad.Gives(c, "start").Answer(); !got.Says("Your rack") {
			t.Fatalf("%q: %q", name, got.Content)
		}
		for _, post := range c.Posts(2) {
			for _, id := range post.Pings {
				if id != bad.ID && id != w.bob.ID {
					t.Errorf("%q pings %s: %s", name, id, post.Content)
				}
			}
		}
	}
}

// TestRefusedCardIsTriedOnce checks that a refused rack card is tried once, turns cards off for
// its player, and is mentioned at their next command alone.
func TestRefusedCardIsTriedOnce(t *testing.T) {
	w := newWorld(t)
	w.bob.CloseDMs(true)
	w.ann.Gives(w.channel, "new", "opponent", w.bob.ID).Answer()
	w.bob.Presses(w.channel.Posts(1)[0], "Join").Answer()
	toBob := "POST /channels/" + w.bob.DM().ID + "/"
	w.d.Wait("Bob is refused a message", func() bool { return w.d.Tried(toBob) == 1 })
	w.card(w.ann, "Your rack: ")
	w.settled()
	const says = "I couldn't send you your rack, so I've stopped."
	if got := w.bob.Gives(w.channel, "rack").Answer(); !got.Says("Your rack: ") || !got.Says(says) {
		t.Errorf("/rack: %q", got.Content)
	}
	if got := w.bob.Gives(w.channel, "rack").Answer(); got.Says(says) {
		t.Errorf("/rack again: %q", got.Content)
	}
	for range 2 {
		w.exchanges()
	}
	if n := w.d.Tried(toBob); n != 1 {
		t.Errorf("%d messages were tried", n)
	}
	w.bob.CloseDMs(false)
	w.bob.Gives(w.channel, "settings", "dm", "on").Answer()
	w.card(w.bob, "Your rack: ")
}

// TestStopEndsCards checks that "Stop these" empties the card and ends it, until its player turns
// cards on again. The same message is edited all the time.
func TestStopEndsCards(t *testing.T) {
	w := newWorld(t)
	w.ann.Gives(w.channel, "new", "opponent", w.bob.ID).Answer()
	w.bob.Presses(w.channel.Posts(1)[0], "Join").Answer()
	card := w.card(w.bob, "Your rack: ")
	if got := w.bob.Presses(card, "Stop these").Answer(); !got.Says("Your rack isn't sent to you") || !got.Private() {
		t.Errorf("Stop these: %q", got.Content)
	}
	if got := w.card(w.bob, "Your rack isn't sent to you"); len(got.Files) > 0 || !slices.Equal(got.Labels(), []string{"My rack"}) {
		t.Errorf("the card is %q, with %d files", got.Labels(), len(got.Files))
	}
	for range 2 {
		w.exchanges()
	}
	if got := w.card(w.bob, "Your rack isn't sent to you"); got.Edited != 1 {
		t.Errorf("the card was edited %d times", got.Edited)
	}
	if got := w.bob.Presses(w.card(w.bob, ""), "My rack").Answer(); !got.Says("Your rack: ") {
		t.Errorf("My rack: %q", got.Content)
	}
	w.bob.Gives(w.channel, "settings", "dm", "on").Answer()
	if got := w.card(w.bob, "Your rack: "); got.ID != card.ID || len(got.Files) != 1 {
		t.Errorf("the card is %s with %d files, was %s", got.ID, len(got.Files), card.ID)
	}
}

// TestLeavingMemberFreesSeat checks that a player who leaves the server frees a seat, which others
// can take. This needs an intent that must be enabled; without it the game waits for them.
func TestLeavingMemberFreesSeat(t *testing.T) {
	for name, told := range map[string]bool{"with the intent": true, "without it": false} {
		t.Run(name, func(t *testing.T) {
			w := newDiscord(t)
			w.build(discord.Config{}, w.store)
			if told {
				w.d.Gateway.TellOfMembers()
			}
			w.start()
			w.d.Gateway.Connected(1, 1, 0)
			dan := w.d.User("Dan")
			w.ann.Gives(w.channel, "new", "seats", "3").Answer()
			w.bob.Presses(w.channel.Posts(1)[0], "Join").Answer()
			w.eve.Presses(w.changed(w.channel), "Join").Answer()
			w.channel.Posts(2)
			w.guild.Lose(w.bob)
			if !told {
				if !strings.Contains(w.log.String(), "Server Members Intent") {
					t.Errorf("the operator isn't told of the intent:\n%s", w.log)
				}
				return
			}
			free := w.channel.Posts(3)[2]
			if !free.Says("Bob's seat is free") {
				t.Errorf("posted %q", free.Content)
			}
			w.guild.Lose(w.bob) // Discord repeats the event
			if got := dan.Presses(free, "Take the free seat").Answer(); !got.Says("Your rack: ") {
				t.Errorf("Dan is told %q", got.Content)
			}
			if got := w.channel.Posts(4)[3]; !got.Says("Dan plays on for Bob") {
				t.Errorf("posted %q", got.Content)
			}
		})
	}
}

// TestOpenTableByForm opens a table by a form of at most five questions, with rarer options in
// a second one, without typing.
func TestOpenTableByForm(t *testing.T) {
	w := newWorld(t)
	form := w.ann.Gives(w.channel, "new")
	if title, fields := form.Form(); title != "A new table" || !slices.Equal(fields, []string{"opponents", "robots", "pace", "rules"}) { // there is only one language here
		t.Errorf("a form %q with %v", title, fields)
	}
	got := w.ann.Fills(form, "opponents", w.bob.ID, "pace", "1d", "rules", "club").Answer()
	post := w.channel.Posts(1)[0]
	if !got.Private() || !post.Says("Ann wants to play") || !slices.Contains(post.Pings, w.bob.ID) || !post.Says("club") {
		t.Errorf("told %q, posted %q", got.Content, post.Content)
	}
	// More: a button leads from the first form to the second, because a form can't.
	other := w.guild.Channel("other")
	more := w.ann.Fills(w.ann.Gives(other, "new"), "pace", "3d", "rules", "more").Answer()
	if !slices.Equal(more.Labels(), []string{"Choose", "Open it as it is"}) {
		t.Errorf("asked %q %q", more.Content, more.Labels())
	}
	second := w.ann.Presses(more, "Choose")
	if _, fields := second.Form(); !slices.Equal(fields, []string{"opponents", "rules", "variant", "challenge", "clock"}) {
		t.Errorf("a second form with %v", fields)
	}
	w.ann.Fills(second, "challenge", "double", "rules", "classic").Answer()
	if post := other.Posts(1)[0]; !post.Says("a wrong challenge costs the turn") {
		t.Errorf("posted %q", post.Content)
	}

	// In direct messages with the bot there is nobody to invite.
	if _, fields := w.eve.Gives(w.eve.DM(), "new").Form(); !slices.Equal(fields, []string{"robots", "pace", "rules"}) {
		t.Errorf("in direct messages a form with %v", fields)
	}
}

// TestForumTags checks that a forum's posts are tagged as running or over if the forum has
// such tags, and that a post gets some tag if the forum requires one.
func TestForumTags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		required    bool
		tags        []string
		begins, end string
	}{
		{"running and over", false, []string{"help", "Running", "Over"}, "Running", "Over"},
		{"running alone", false, []string{"running"}, "running", "running"},
		{"others", false, []string{"help"}, "", ""},
		{"others, and one is needed", true, []string{"help"}, "help", "help"},
		{"none", false, nil, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			forum, first := w.guild.Forum("games")
			forum.Tags(c.required, c.tags...)
			if got := w.ann.Gives(first, "new", "opponent", w.bob.ID, "thread", "true").Answer(); !got.Says("Your table is open.") {
				t.Fatalf("Ann is told %q", got.Content)
			}
			post := forum.Posted()[0]
			if got := strings.Join(post.Tagged(), " "); got != c.begins {
				t.Errorf("it begins with the tag %q, want %q", got, c.begins)
			}
			w.bob.Presses(post.Posts(2)[1], "Join").Answer()
			post.Posts(3)
			sure := w.ann.Gives(post, "resign").Answer()
			w.ann.Presses(sure, sure.Labels()[0]).Answer()
			told := post.Posts(4)
			tagged := func() string { return strings.Join(post.Tagged(), " ") }
			for end := time.Now().Add(2 * time.Minute); tagged() != c.end && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			}
			if got := tagged(); got != c.end {
				t.Errorf("it ends with the tag %q, want %q, after: %s", got, c.end, told[len(told)-1].Content)
			}
		})
	}
}

// TestInvisibleNameBecomesUsername checks that a person whose display name shows nothing goes by their
// username.
func TestInvisibleNameBecomesUsername(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"\u200b", "\u3164", "\u2800 \u2800", "\u0301"} {
		nobody := w.d.User(name)
		channel := w.guild.Channel("games")
		nobody.Gives(channel, "new", "seats", "2").Answer()
		if got := channel.Posts(1)[0]; !got.Says("user" + nobody.ID) {
			t.Errorf("%q is called %q", name, got.Content)
		}
	}
}

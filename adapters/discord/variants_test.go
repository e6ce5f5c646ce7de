package discord_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A step is a command, its options, and the expected answer.
type step struct {
	command string
	options []string
	told    string
}

// ownSteps lists the steps of variants with turns of their own; other variants have the
// turns of ordinary play.
var ownSteps = map[string][]step{
	"double-bag":     {{"draw", []string{"vowels", "4"}, "you hold 4 vowels"}, {"pass", []string{"sure", "true"}, "You pass"}},
	"duplicate":      {{"submit", []string{"word", "qqqq", "at", "8h"}, "8H needs"}, {"pass", []string{"sure", "true"}, "you have no play"}},
	"junior-starter": {{"cover", []string{"word", "qqq"}, "isn't a word on the board"}, {"pass", []string{"sure", "true"}, "You pass"}},
	"solitaire":      {{"pass", []string{"sure", "true"}, "You pass"}, {"end", nil, "total"}},
	"unscrabble":     {{"remove", []string{"squares", "u21"}, "U21 is empty"}, {"pass", []string{"sure", "true"}, "You pass"}},
}

// TestEveryVariantPlays opens a table of each variant and plays a turn of it, by commands and
// buttons, and checks that private answers reach nobody else.
func TestEveryVariantPlays(t *testing.T) {
	t.Parallel()
	for _, v := range game.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			w := newWorld(t)
			if got := w.ann.Gives(w.channel, "help", "command", v.Name).Answer(); len(got.Content) < 80 {
				t.Errorf("/help %s tells %q", v.Name, got.Content)
			}
			w.ann.Gives(w.channel, "new", "variant", v.Name).Answer()
			if post := w.channel.Posts(1)[0]; !strings.Contains(post.Content, v.Name) {
				t.Errorf("posted %q", post.Content)
			}
			mover, other, posts := w.ann, w.bob, 1
			if s := w.state(); s.Phase == game.Lobby {
				w.bob.Presses(w.channel.Posts(1)[0], "Join").Answer()
				w.bob.Presses(w.changed(w.channel), "Start").Answer()
				posts = 2
				if s := w.state(); s.Seats[s.Turn].Person.ID == player(w.bob) {
					mover, other = w.bob, w.ann
				}
			}
			latest := w.channel.Posts(posts)[posts-1]
			if len(latest.Files) != 1 || latest.Files[0].Alt == "" || len(latest.Labels()) == 0 {
				t.Errorf("the board is posted with %d pictures and the buttons %q", len(latest.Files), latest.Labels())
			}
			steps := []step{{"pass", []string{"sure", "true"}, "You pass"}}
			if own := ownSteps[v.Name]; own != nil {
				steps = own
			}
			steps = slices.Concat([]step{{"rack", nil, ""}, {"board", []string{"as", "text"}, ""}}, steps)
			for _, s := range steps {
				got := mover.Gives(w.channel, s.command, s.options...).Answer()
				if !got.Private() || got.For != mover.ID || !got.Says(s.told) || got.Content == "" {
					t.Errorf("/%s tells %q, private %v; want %q", s.command, got.Content, got.Private(), s.told)
				}
				for _, m := range other.Sees(w.channel) {
					if m.For == mover.ID {
						t.Errorf("the other sees what is private: %q", m.Content)
					}
				}
			}
		})
	}
}

// state returns the state of the game in the channel.
func (w *world) state() game.State {
	w.t.Helper()
	_, events, err := w.store.Table(w.t.Context(), bot.ChannelID("discord:"+w.channel.ID))
	gametest.Must(w.t, err)
	s, err := game.Replay(events)
	gametest.Must(w.t, err)
	return s
}

// TestSubmitByForm checks that the button under a duplicate turn asks for the play.
func TestSubmitByForm(t *testing.T) {
	w := newWorld(t)
	w.ann.Gives(w.channel, "new", "variant", "duplicate", "turn", "3m").Answer()
	w.ann.Gives(w.channel, "start").Answer()
	turn := w.channel.Posts(2)[1]
	if at := w.state().Until.Unix(); !turn.Says(fmt.Sprintf("<t:%d:f> (<t:%[1]d:R>)", at)) {
		t.Errorf("the turn ends at %d, and is announced with %q", at, turn.Content)
	}
	asked := w.ann.Presses(turn, "Submit")
	if title, inputs := asked.Form(); title != "Submit" || !slices.Equal(inputs, []string{"word", "at"}) {
		t.Fatalf("the form %q asks for %q", title, inputs)
	}
	if got := w.ann.Fills(asked, "word", "qqqq", "at", "8h").Answer(); got.For != w.ann.ID || !got.Says("8H needs") {
		t.Errorf("told %q", got.Content)
	}
}

// TestEditKeepsPictureAndButtons checks that an edited post keeps its picture and its buttons and notifies nobody
// again, and that an outdated post stays folded.
func TestEditKeepsPictureAndButtons(t *testing.T) {
	w := newWorld(t)
	m := w.message("k")
	m.Picture = &bot.Picture{Alt: text.Say("the board"), PNG: []byte("\x89PNG")}
	m.Buttons = []bot.Button{{ID: "1:1:1:rack:", Label: text.Say("My rack")}}
	m.Text = text.Text{{Text: "0 of 2 "}, {Text: "Ann", Person: player(w.ann), Notify: true}}
	m.Line = text.Text{{Text: "over"}}
	post := func(m bot.Message) discordtest.Message {
		t.Helper()
		gametest.Must(t, w.adapter.Post(t.Context(), m))
		return w.channel.Posts(1)[0]
	}
	post(m)
	edit := m
	edit.Edit, edit.Text = true, text.Text{{Text: "1 of 2 "}, {Text: "Ann", Person: player(w.ann), Notify: true}}
	got := post(edit)
	if !got.Says("1 of 2") || len(got.Files) != 1 || !slices.Equal(got.Labels(), []string{"My rack"}) || got.Edited != 1 {
		t.Errorf("changed to %q, %d files, buttons %q, %d edits", got.Content, len(got.Files), got.Labels(), got.Edited)
	}
	if n := len(w.channel.Posts(1)); n != 1 {
		t.Errorf("%d posts", n)
	}
	post(w.message("l"))
	w.adapter.Tidied()
	if got := post(edit); got.Content != "over" {
		t.Errorf("what was folded says %q", got.Content)
	}
	w.d.Delete(w.channel.Posts(2)[1])
	gone := w.message("l")
	gone.Edit = true
	if err := w.adapter.Post(t.Context(), gone); err != nil {
		t.Errorf("an edit of what is gone: %v", err)
	}
}

// TestBoardStaysInPlace checks that a board stays in its place, however much people write, that calls are
// replies in its thread, which is opened for the first, and that what people do there is about
// the channel's game.
func TestBoardStaysInPlace(t *testing.T) {
	w := newWorld(t)
	w.liveBoard("k", true)
	board := w.channel.Posts(1)[0]
	for n, calls := range []bool{false, true, true, false, true} {
		w.d.Writes(w.bob, w.channel, "hm")
		w.liveBoard(string(rune('l'+n)), calls)
	}
	if got := w.channel.Posts(1); len(got) != 1 || got[0].ID != board.ID || !got[0].Says("all of p") || got[0].Edited != 5 {
		t.Errorf("%d boards, the first says %q and was edited %d times", len(got), got[0].Content, got[0].Edited)
	}
	thread := w.d.Thread(board)
	replies := thread.Posts(3)
	for _, m := range replies {
		if !slices.Equal(m.Pings, []string{w.ann.ID}) || len(m.Files) > 0 {
			t.Errorf("a reply rings for %v: %q", m.Pings, m.Content)
		}
	}
	if n := len(w.d.Requests("POST /channels/" + w.channel.ID + "/messages/" + board.ID + "/threads")); n != 1 || len(replies) != 3 || thread.Name != "Ann · Bob" {
		t.Errorf("%d threads were opened, the last %q with %d replies", n, thread.Name, len(replies))
	}
	if got := w.bob.Gives(thread, "new", "seats", "2").Answer(); !got.Says("Your table is open") || len(w.channel.Posts(2)) != 2 {
		t.Errorf("in the thread Bob is told %q", got.Content)
	}
}

// liveBoard posts the state of a game, which calls Ann if calls is set.
func (w *world) liveBoard(key string, calls bool) {
	w.t.Helper()
	m := w.message(key)
	m.Live, m.Whole = "board", text.Text{{Text: "all of " + key + "\n"}, {Text: "Ann", Person: player(w.ann), Notify: calls}, {Text: ", your turn"}}
	m.Text, m.Title = m.Whole, text.Text{{Text: "Ann · Bob"}}
	gametest.Must(w.t, w.adapter.Post(w.t.Context(), m))
	w.adapter.Tidied()
}

// TestBoardIsRepostedWithoutThreads checks that where the bot may not open threads, a board which mentions
// someone, or which people have written below, is posted again, and the previous one deleted.
func TestBoardIsRepostedWithoutThreads(t *testing.T) {
	w := newWorld(t)
	w.channel.Grant(discordtest.ViewChannel | discordtest.SendMessages | discordtest.AttachFiles | discordtest.SendMessagesInThread)
	w.liveBoard("k", true)
	board := w.channel.Posts(1)[0].ID
	for n, calls := range []bool{true, true, false, false, true} {
		key := string(rune('l' + n))
		w.liveBoard(key, calls)
		posts := w.channel.Posts(1)
		if len(posts) != 1 || !posts[0].Says("all of "+key) || calls == (posts[0].ID == board) || calls != (len(posts[0].Pings) == 1 && posts[0].Edited == 0) {
			t.Errorf("%s: %d posts, the first %q, edited %d times, rings for %v", key, len(posts), posts[0].Content, posts[0].Edited, posts[0].Pings)
		}
		board = posts[0].ID
	}
	// Interactions reveal the chat.
	w.d.Writes(w.bob, w.channel, "hm")
	w.bob.Gives(w.channel, "check", "words", "horn").Answer()
	w.liveBoard("q", true)
	if got := w.channel.Posts(1); len(got) != 1 || got[0].ID == board || !got[0].Says("all of q") || len(got[0].Pings) != 1 {
		t.Errorf("after talk: %d posts, the first %q", len(got), got[0].Content)
	}
	if asked := w.d.Requests("GET /channels/"); len(asked) > 0 {
		t.Errorf("asked for %q, without the permission", asked)
	}
	if n := len(w.d.Requests("POST /channels/")) - 5; n != 1 {
		t.Errorf("asked for a thread %d times", n)
	}
}

// TestFinishedPostBecomesResult checks that the post of a finished game becomes its result, with buttons for what comes
// next, and that the thread ends with how it ended.
func TestFinishedPostBecomesResult(t *testing.T) {
	w := newWorld(t, func(w *world) { w.oneBoard = true })
	w.ann.Gives(w.channel, "new", "opponent", w.bob.ID).Answer()
	root := w.channel.Posts(1)[0]
	w.bob.Presses(root, "Join").Answer()
	w.settled()
	w.ann.Presses(w.ann.Gives(w.channel, "resign").Answer(), "Yes, resign").Answer()
	w.settled()
	now := w.channel.Posts(1)
	if got := now[0]; len(now) != 1 || !got.Says("**Bob wins because Ann resigned**.\nAnn 0 · **Bob 0** · 0 moves") || len(got.Files) != 1 || !slices.Equal(got.Labels(), []string{"Rematch", "Replay", "Review", "Join the next"}) {
		t.Errorf("%d posts, the first %q with %d pictures and %q", len(now), got.Content, len(got.Files), got.Labels())
	}
	if all := w.d.Thread(root).Posts(2); !all[1].Says("resigns") || len(all[1].Pings)+len(all[1].Files)+len(all[1].Labels()) > 0 {
		t.Errorf("the thread ends with %q %q", all[1].Content, all[1].Labels())
	}
}

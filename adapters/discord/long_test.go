package discord_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestSixtyMovesLeaveOneBoard checks that a game of 60 moves leaves one post in the channel, or if boards are
// folded, a line per move. Each turn notifies once. A move costs three requests besides the
// answer, whether people chat or not: the board, the call in its thread, and the mover's rack
// card.
func TestSixtyMovesLeaveOneBoard(t *testing.T) {
	moves := gametest.Share(60)
	for _, c := range []struct {
		name, board string
		chat        bool
		messages    int
		requests    float64
	}{
		{"folded", "folded", false, moves + 2, 3},
		{"live", "", false, 1, 3},
		{"live, with chat between", "", true, 1, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			english := gametest.Part(t, "en")
			w := newDiscord(t)
			w.lists = append(w.lists, english)
			w.oneBoard = true
			w.build(discord.Config{}, w.store)
			w.start()
			w.d.Gateway.Connected(1, 1, 0)
			if c.board != "" {
				w.ann.Gives(w.channel, "settings", "for", "channel", "board", c.board).Answer()
			}
			w.ann.Gives(w.channel, "new", "lexicon", "en", "opponent", w.bob.ID).Answer()
			w.bob.Presses(w.channel.Posts(1)[0], "Join").Answer()
			w.settled()
			slow := gametest.SlowPlays(t, english, w.state().Rules)
			before, answers := len(w.d.Requests("")), len(w.d.Requests("POST /interactions"))
			rung := map[string]int{}
			calls := func() []discordtest.Message {
				all := w.channel.Posts(1)
				if c.board == "" {
					all = append(all, w.d.Thread(all[0]).Posts(1)...)
				}
				return all
			}
			for _, m := range calls() {
				rung[m.ID] = 0 // the invitation, the deal
			}
			there := len(rung)
			for n := range moves {
				s := w.state()
				mover, other := w.ann, w.bob
				if s.Seats[s.Turn].Person.ID == player(w.bob) {
					mover, other = w.bob, w.ann
				}
				if c.chat {
					w.d.Writes(other, w.channel, "hm")
				}
				word, at := slow(s)
				if word == "" {
					mover.Gives(w.channel, "pass", "sure", "true").Answer()
				} else {
					mover.Gives(w.channel, "play", "word", word, "at", at).Answer()
				}
				if w.state().Turns == s.Turns {
					t.Fatalf("move %d, %s %s, wasn't made", n+1, word, at)
				}
				w.settled()
				for _, m := range calls() {
					if _, known := rung[m.ID]; len(m.Pings) > 0 && !known {
						rung[m.ID] = n
						if len(m.Pings) != 1 || m.Pings[0] != other.ID {
							t.Errorf("move %d rings for %v", n+1, m.Pings)
						}
					}
				}
			}
			answers = len(w.d.Requests("POST /interactions")) - answers
			requests := float64(len(w.d.Requests(""))-before-answers) / float64(moves)
			posts := w.channel.Posts(1)
			t.Logf("%d moves leave %d messages; %.2f requests a move beside the answer, %d rings", moves, len(posts), requests, len(rung)-there)
			if requests > c.requests+0.1 {
				t.Errorf("%.2f requests a move, want at most %.0f", requests, c.requests)
			}
			if len(posts) > c.messages {
				t.Errorf("%d moves leave %d messages, want at most %d", moves, len(posts), c.messages)
			}
			if n := len(rung) - there; n != moves {
				t.Errorf("%d moves rang %d times", moves, n)
			}
			boards := 0
			for _, m := range posts {
				if len(m.Files) > 0 && len(m.Labels()) > 0 {
					boards++
				}
			}
			if boards != 1 {
				t.Errorf("%d boards", boards)
			}
		})
	}
}

// settled waits until everything due is done, posted and folded; the clock moves to what is
// due in a moment. A timer's posts are stored before the timer is removed, and a post's
// timers before the post.
func (w *world) settled() {
	w.t.Helper()
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(time.Millisecond) {
		soon := w.d.Now().Add(5 * time.Second)
		due, _, errDue := w.store.DueTimers(w.t.Context(), soon, 1)
		ready, next, errPosts := w.store.PendingPosts(w.t.Context(), discord.Platform, w.d.Now().Add(time.Hour))
		again, _, errAgain := w.store.DueTimers(w.t.Context(), soon, 1)
		if err := errors.Join(errDue, errPosts, errAgain); err != nil || time.Now().After(end) {
			w.t.Fatalf("it never settles: %v, timers %v, posts %v, next %s", err, due, ready, next)
		}
		if len(due)+len(ready)+len(again) == 0 && next.IsZero() {
			w.adapter.Tidied()
			return
		}
		if len(due) > 0 {
			if wait := due[0].At.Sub(w.d.Now()); wait > 0 {
				w.d.Advance(wait)
				w.host.Rouse("")
			}
		}
	}
}

// TestHundredsAtOneTable lets hundreds sit down at a duplicate table, many at once, and submit
// a play: there must be one lobby message, each answer in time, the board at once, and the
// turn must end with the last submission.
func TestHundredsAtOneTable(t *testing.T) {
	w := newDuplicate(t)
	many := gametest.Rounds(30, 300)
	players := []*discordtest.User{w.ann}
	for n := range many - 1 {
		players = append(players, w.d.User(fmt.Sprint("Player ", n)))
	}
	const together = 8 // more would be late on a busy machine; BenchmarkSimultaneousPlays uses all
	joining := w.all(players[1:], together, func(u *discordtest.User) *discordtest.Interaction { return u.Gives(w.channel, "join") })
	if n := len(w.state().Seats); n != many {
		t.Fatalf("%d sit at the table, want %d", n, many)
	}
	if n := len(w.channel.Posts(1)); n != 1 {
		t.Errorf("%d messages in the lobby, want 1", n)
	}
	w.ann.Gives(w.channel, "start").Answer()
	w.settled()
	posts := w.channel.Posts(2)
	if len(posts) != 2 || len(posts[1].Files) != 1 || w.state().Phase != game.Playing {
		t.Fatalf("%d messages when the game has begun", len(posts))
	}
	turns := w.state().Turns
	submitting := w.all(players, together, w.submission())
	if after := w.state(); after.Turns != turns+1 {
		t.Errorf("%d turns are over when all have submitted, want %d", after.Turns, turns+1)
	}
	posts = w.channel.Posts(3)
	if len(posts) != 3 || len(posts[2].Files) != 1 || len(posts[1].Files) != 0 {
		t.Errorf("%d messages after a turn", len(posts))
	}
	t.Logf("%d joins made %d requests for the channel, and %d submissions %d; the slowest acknowledgment took %s", many-1, joining, many, submitting, w.d.Slowest())
}

// BenchmarkSimultaneousPlays lets 300 duplicate players join at one instant, and submit at one: an
// operation is a turn, with the next board posted. slowest-ms is the longest wait for a
// first response, in milliseconds. Discord allows 3,000; none should exceed 1,000 on an
// idle machine.
func BenchmarkSimultaneousPlays(b *testing.B) {
	w := newDuplicate(b)
	players := []*discordtest.User{w.ann}
	for n := range 299 {
		players = append(players, w.d.User(fmt.Sprint("Player ", n)))
	}
	w.all(players[1:], len(players), func(u *discordtest.User) *discordtest.Interaction { return u.Gives(w.channel, "join") })
	w.ann.Gives(w.channel, "start").Answer()
	w.settled()
	for b.Loop() {
		w.all(players, len(players), w.submission())
	}
	b.ReportMetric(w.d.Slowest().Seconds()*1000, "slowest-ms")
}

// newDuplicate returns a Discord with a duplicate table opened by Ann.
func newDuplicate(tb testing.TB) *world {
	w := newDiscord(tb)
	w.lists = append(w.lists, gametest.Part(tb, "en"))
	w.build(discord.Config{}, w.store)
	w.start()
	w.d.Gateway.Connected(1, 1, 0)
	w.ann.Gives(w.channel, "new", "variant", "duplicate", "lexicon", "en").Answer()
	w.channel.Posts(1)
	return w
}

// submission returns a function that submits a play of the turn's rack for any player.
func (w *world) submission() func(*discordtest.User) *discordtest.Interaction {
	s := w.state()
	word, at := gametest.SlowPlays(w.t, w.lists[0], s.Rules)(s)
	if word == "" { // a rack of only consonants
		return func(u *discordtest.User) *discordtest.Interaction { return u.Gives(w.channel, "pass", "sure", "true") }
	}
	return func(u *discordtest.User) *discordtest.Interaction {
		return u.Gives(w.channel, "submit", "word", word, "at", at)
	}
}

// all lets people act, together at a time, and checks that each gets an answer of their
// own. It returns the number of requests that changed messages in the channel.
func (w *world) all(of []*discordtest.User, together int, does func(*discordtest.User) *discordtest.Interaction) int {
	w.t.Helper()
	changes := func() int {
		return len(w.d.Requests("PATCH /channels/")) + len(w.d.Requests("POST /channels/"))
	}
	before := changes()
	for some := range slices.Chunk(of, together) {
		var given []*discordtest.Interaction
		for _, u := range some {
			given = append(given, does(u))
		}
		for _, i := range given {
			if got := i.Answer(); !got.Private() {
				w.t.Fatalf("told %q", got.Content)
			}
		}
	}
	w.settled()
	return changes() - before
}

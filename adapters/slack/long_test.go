package slack_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestSixtyMovesLeaveOneBoard checks that a game of 60 moves leaves in the channel its opening, a line
// per move and the board, only that with buttons and a picture; with a live board only that,
// and the calls in its thread. It logs the requests per move.
func TestSixtyMovesLeaveOneBoard(t *testing.T) {
	moves := gametest.Share(60)
	english := gametest.ShippedList(t, "en")
	for _, board := range []string{"folded", "live", "thread"} {
		t.Run(board, func(t *testing.T) {
			t.Parallel()
			w := newWorldOf(t, english, slacktest.Options{Ready: time.Millisecond})
			if board != "thread" {
				w.slash(ann, "/settings", "for:channel board:"+board)
				w.deal("")
			} else {
				w.slash(ann, "/settings", "for:channel board:live")
				w.slash(ann, "/new", "seats:2 thread:true")
				w.place = w.post("wants to play").TS
				w.press(bob, w.post("wants to play"), "Join", nil)
				w.post("it's your turn")
			}
			slow := gametest.SlowPlays(t, english, w.state().Rules)
			w.settled()
			before := total(w.s.Requests())
			for n := range moves {
				s := w.state()
				word, at := slow(s)
				if word == "" {
					w.slash(w.turn(), "/pass", "sure:yes")
				} else if board == "thread" {
					w.slash(w.turn(), "/play", word+" "+at)
				} else {
					w.slash(w.turn(), "/play", word+" "+at)
				}
				if w.state().Turns == s.Turns {
					t.Fatalf("move %d, %s %s, wasn't made", n+1, word, at)
				}
				w.later(10 * time.Second) // within the limit of edits, which cards share
				w.settled()
			}
			requests := total(w.s.Requests()) - before
			posts := w.s.Messages(games)
			t.Logf("%d moves leave %d messages and %d files; %.1f requests a move", moves, len(posts), w.s.Files(), float64(requests)/float64(moves))
			if board != "folded" {
				most := map[string]int{"live": 1, "thread": 2}[board] // the board, and the list of the channel's games
				beside := slices.DeleteFunc(slices.Clone(posts), func(m slacktest.Message) bool { return m.Thread != "" })
				if len(beside) > most || !beside[0].Shows() || len(slacktest.Labels(beside[0].Blocks)) == 0 {
					t.Errorf("beside the thread there are %d messages: %s", len(beside), said(beside))
				}
				posts = slices.DeleteFunc(posts, func(m slacktest.Message) bool { return m.Thread != beside[0].TS })
				for i, m := range posts {
					if m.Shows() || !strings.Contains(m.Said(), "it's your turn") {
						t.Errorf("message %d of %d in the thread: %q", i+1, len(posts), m.Said())
					}
				}
				if len(posts) != moves+1 || w.s.Calls("chat.delete") > 0 {
					t.Errorf("%d moves have %d calls, and %d messages were deleted", moves, len(posts), w.s.Calls("chat.delete"))
				}
				return
			}
			if want := moves + 2; len(posts) > want { // the opening, and the board of each turn
				t.Errorf("%d moves leave %d messages, want at most %d", moves, len(posts), want)
			}
			for i, m := range posts {
				last := i == len(posts)-1
				if m.Shows() != last || len(slacktest.Labels(m.Blocks)) > 0 != last || !last && strings.Count(strings.Replace(m.Said(), "\nFair draws", "", 1), "\n") > 1 {
					t.Errorf("message %d of %d: a picture %v, %d buttons, %q", i+1, len(posts), m.Shows(), len(slacktest.Labels(m.Blocks)), m.Said())
				}
			}
		})
	}
}

// total returns the number of our requests.
func total(requests map[string]int) (n int) {
	for method, times := range requests {
		if method != "fetched" { // requests by Slack
			n += times
		}
	}
	return n
}

// settled waits until no timer is due and everything is posted and folded.
func (w *world) settled() {
	w.t.Helper()
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(time.Millisecond) {
		due, _, errDue := w.db.DueTimers(w.t.Context(), w.now(), 1)
		ready, next, errPosts := w.db.PendingPosts(w.t.Context(), slack.Platform, w.now().Add(time.Hour))
		again, _, errAgain := w.db.DueTimers(w.t.Context(), w.now(), 1)
		if err := errors.Join(errDue, errPosts, errAgain); err != nil || time.Now().After(end) {
			w.t.Fatalf("it never settles: %v, timers %v, posts %v, next %s", err, due, ready, next)
		}
		if len(due)+len(ready)+len(again) == 0 && next.IsZero() {
			w.adapter.Wait()
			return
		}
	}
}

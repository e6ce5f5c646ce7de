package slack_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/storetest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A channel's bookmark leads to the latest board while a game is on, and goes with
// it.
func TestBookmark(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/new", "seats:2")
	w.post("opens a table")
	w.adapter.Wait()
	if marks := w.s.Bookmarks(games); len(marks) > 0 {
		t.Errorf("a lobby has the bookmarks %v", marks)
	}
	w.press(bob, w.post("opens a table"), "Join", nil)
	w.leadsToBoard()
	first := w.s.Bookmarks(games)[0]
	if title := first.Title; !strings.HasPrefix(title, "Board: ") || !strings.Contains(title, "Ann") || !strings.Contains(title, "Bob") {
		t.Errorf("it is called %q", title)
	}
	w.restart(0)
	w.slash(w.turn(), "/pass", "sure:yes")
	w.post("passes")
	w.leadsToBoard()
	w.adapter.Wait()
	if now, edits := w.s.Bookmarks(games)[0], w.s.Calls("bookmarks.edit"); now != first || edits > 0 {
		t.Errorf("it was %v and is %v, edited %d times: once a game is enough", first, now, edits)
	}
	who := w.turn()
	gametest.Must(t, w.s.Press(who, w.slash(who, "/resign", ""), "Yes, resign", nil))
	w.await("no bookmark", func() bool { return len(w.s.Bookmarks(games)) == 0 })
	if n := w.s.Calls("bookmarks.add"); n != 1 {
		t.Errorf("%d were added, want 1", n)
	}
}

// leadsToBoard waits until the channel's one bookmark leads to its end, where the board
// is.
func (w *world) leadsToBoard() {
	w.t.Helper()
	w.await("a bookmark that leads to the board", func() bool {
		all, marks := w.s.Messages(games), w.s.Bookmarks(games)
		return len(all) > 0 && len(marks) == 1 && marks[0].Link == slack.LinkTo(bot.ChannelID("slack:"+slacktest.Team+"/"+games))
	})
}

// A live board that is edited in its place leaves the bookmark as it is.
func TestBookmarkOfALiveBoard(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/settings", "for:channel board:live")
	for _, who := range []string{ann, bob} {
		w.slash(who, "/settings", "ping:silent")
	}
	w.slash(ann, "/new", "seats:2")
	w.press(bob, w.post("opens a table"), "Join", nil)
	w.leadsToBoard()
	for range 2 {
		w.slash(w.turn(), "/pass", "sure:yes")
	}
	w.await("the board edited", func() bool { return w.s.Messages(games)[len(w.s.Messages(games))-1].Edited })
	w.settled()
	w.adapter.Wait()
	w.leadsToBoard()
	if n := w.s.Calls("bookmarks.edit"); n > 0 {
		t.Errorf("it was edited %d times", n)
	}
}

// What goes wrong with a bookmark holds nothing up, and is given up.
func TestFaultsOfABookmark(t *testing.T) {
	passes := func(w *world, n int) {
		w.t.Helper()
		for range n {
			w.slash(w.turn(), "/pass", "sure:yes")
			w.post("<@" + w.turn() + ">, it's your turn")
			w.settled()
			w.adapter.Wait()
		}
	}
	t.Run("without the scope", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, slacktest.Options{Scopes: unmarked})
		w.deal("")
		passes(w, 2)
		if n, links := w.s.Calls("bookmarks.add"), w.s.Calls("chat.getPermalink"); n != 1 || links > 0 {
			t.Errorf("it was tried %d times, with %d addresses, want 1 and 1", n, links)
		}
		if log := w.log.String(); strings.Contains(log, "missing_scope") {
			t.Errorf("the log speaks of it:\n%s", log)
		}
	})
	for _, c := range []struct {
		name   string
		faults []slacktest.Fault
		adds   int
		there  bool
	}{
		{"a limit", []slacktest.Fault{{RetryAfter: time.Second}}, 2, true},
		{"trouble", []slacktest.Fault{{Error: "internal_error"}}, 2, true},
		{"trouble that lasts", slices.Repeat([]slacktest.Fault{{Error: "internal_error"}}, 3), 3, false},
		{"too many", []slacktest.Fault{{Error: "too_many_bookmarks"}}, 1, false},
		{"the answer lost", []slacktest.Fault{{Lost: true}}, 1, true}, // nobody knows it, so there is no second
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, slacktest.Options{})
			w.restartWith(func(d time.Duration) <-chan time.Time { // the clock goes on instead
				if ample(d) {
					return time.After(time.Minute)
				}
				w.ahead.Add(int64(d))
				return over()
			})
			w.s.Fail("bookmarks.add", c.faults...)
			w.deal("")
			w.settled()
			w.adapter.Wait()
			if n, there := w.s.Calls("bookmarks.add"), len(w.s.Bookmarks(games)) == 1; n < c.adds || there != c.there {
				t.Errorf("it was tried %d times, want %d; it is there: %v", n, c.adds, there)
			}
			passes(w, 1)
			if n := len(w.s.Bookmarks(games)); n > 1 {
				t.Errorf("there are %d bookmarks", n)
			}
		})
	}
	t.Run("removed by somebody", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, slacktest.Options{})
		w.deal("")
		w.leadsToBoard()
		w.adapter.Wait()
		w.s.RemoveBookmarks(games)
		passes(w, 2)
		if n, edits := w.s.Calls("bookmarks.add"), w.s.Calls("bookmarks.edit"); n != 1 || edits > 0 {
			t.Errorf("it was added %d times and edited %d times, want 1 and 0: they want none", n, edits)
		}
	})
}

// A game in a thread has no bookmark: a channel has one for its own.
func TestNoBookmarkOfAThread(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/new", "seats:2 thread:true")
	w.await("the thread", func() bool { return w.s.Calls("chat.postMessage") > 1 })
	w.adapter.Wait()
	if n := w.s.Calls("bookmarks.add"); n > 0 {
		t.Errorf("%d bookmarks were added", n)
	}
}

// Two processes look at once: the one that comes later adds no second bookmark, and
// leaves what the other has noted.
func TestBookmarkBesideAnother(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.stop()
	const theirs = `{"v":1,"table":1}` // it is being added
	var own bot.Notes
	w.among = func(n bot.Notes) bot.Notes {
		own = n
		return storetest.BesideNotes{Notes: n, Then: func(shelf, key string) {
			if shelf != "bookmarks" || w.state().Phase != game.Playing {
				return
			}
			if err := n.Put(t.Context(), shelf, key, []byte(theirs)); err != nil {
				t.Error(err)
			}
		}}
	}
	w.start()
	w.deal("")
	w.settled()
	w.adapter.Wait()
	if n := w.s.Calls("bookmarks.add"); n > 0 {
		t.Errorf("%d bookmarks are added beside the other's", n)
	}
	if b, err := own.Get(t.Context(), "bookmarks", "slack:T0SLACK/C0GAMES"); err != nil || string(b) != theirs {
		t.Errorf("noted is %s, want %s (%v)", b, theirs, err)
	}
}

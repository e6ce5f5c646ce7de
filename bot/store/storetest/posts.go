package storetest

import (
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

const everybody game.PlayerID = ""

func testQueueOrder(s *subject) {
	for range 3 {
		s.post(den, everybody)
	}
	ids := s.ready(start, time.Time{}, "web:den 0")
	s.ready(start, time.Time{}, "web:den 0")
	s.must(s.RemovePost(s.Context(), ids["web:den 0"]))
	s.ready(start, time.Time{}, "web:den 1")
	s.post(den, everybody)
	s.mustEqual("posts, one after another", s.send(), []string{"web:den 1", "web:den 2", "web:den 3"})
	s.ready(start, time.Time{})
	s.post(den, everybody)
	s.ready(start, time.Time{}, "web:den 4")
}

func testQueuesAreIndependent(s *subject) {
	s.post(parlour, ben, everybody, ann)
	s.post(den, everybody)
	s.post(parlour, ann, everybody)
	ids := s.ready(start, time.Time{}, "web:parlour 0 for web:ben", "web:parlour 0", "web:parlour 0 for web:ann", "web:den 0")
	s.must(s.RemovePost(s.Context(), ids["web:parlour 0"]))
	s.ready(start, time.Time{}, "web:parlour 0 for web:ben", "web:parlour 0 for web:ann", "web:den 0", "web:parlour 1")

	posts, _, err := s.PendingPosts(s.Context(), "web", start)
	s.must(err)
	last := uint64(0)
	for _, p := range posts {
		if p.ID <= last {
			s.Errorf("post %d comes after post %d", p.ID, last)
		}
		last = p.ID
		id, _, err := s.Table(s.Context(), p.Channel)
		s.must(err)
		s.mustEqual("table of the post", p.Table, id)
	}
}

func testPostDeferred(s *subject) {
	s.post(den, everybody, ann)
	s.post(den, everybody, ann)
	s.post(parlour, everybody)
	ids := s.ready(start, time.Time{}, "web:den 0", "web:den 0 for web:ann", "web:parlour 0")
	soon, later := start.Add(1500*time.Millisecond), start.Add(time.Hour+time.Nanosecond)

	s.must(s.Defer(s.Context(), ids["web:den 0"], later))
	s.ready(start, later, "web:den 0 for web:ann", "web:parlour 0")
	s.must(s.Defer(s.Context(), ids["web:parlour 0"], soon))
	s.ready(start, soon, "web:den 0 for web:ann")
	s.ready(soon.Add(-1), soon, "web:den 0 for web:ann")
	s.ready(soon, later, "web:den 0 for web:ann", "web:parlour 0 after 1 tries")

	// Nothing overtakes a postponed post, even after a restart.
	s.post(den, everybody)
	s.must(s.RemovePost(s.Context(), ids["web:den 0 for web:ann"]))
	s.must(s.RemovePost(s.Context(), ids["web:parlour 0"]))
	s.restart()
	s.ready(later.Add(-1), later, "web:den 1 for web:ann")
	s.ready(later, time.Time{}, "web:den 0 after 1 tries", "web:den 1 for web:ann")

	s.must(s.Defer(s.Context(), ids["web:den 0"], later.Add(time.Hour)))
	s.must(s.Defer(s.Context(), ids["web:den 0"], soon))
	s.ready(soon, time.Time{}, "web:den 0 after 3 tries", "web:den 1 for web:ann")

	// The posts behind it haven't been tried.
	s.must(s.RemovePost(s.Context(), ids["web:den 0"]))
	s.ready(start, time.Time{}, "web:den 1", "web:den 1 for web:ann")
}

func testSentTwice(s *subject) {
	s.post(den, everybody)
	s.post(den, everybody)
	ids := s.ready(start, time.Time{}, "web:den 0")
	for range 2 {
		s.must(s.RemovePost(s.Context(), ids["web:den 0"]))
		s.ready(start, time.Time{}, "web:den 1")
	}
	s.must(s.Defer(s.Context(), ids["web:den 0"], start.Add(time.Hour)))
	s.ready(start, time.Time{}, "web:den 1")
	s.mustEqual("posts", s.send(), []string{"web:den 1"})
	s.must(s.RemovePost(s.Context(), bot.Post{}))
	s.must(s.RemovePost(s.Context(), bot.Post{ID: 1 << 40}))
}

func testPlatforms(s *subject) {
	s.post("webby:den", everybody)
	s.post("web:den", everybody)
	s.post("we:den", everybody)
	s.post("web", everybody)
	ready, ids, _ := s.pending("web", start)
	s.mustEqual("posts of web", ready, []string{"web:den 0", "web 0"})
	s.must(s.Defer(s.Context(), ids["web:den 0"], start.Add(time.Hour)))
	ready, _, next := s.pending("webby", start)
	s.mustEqual("posts of webby", ready, []string{"webby:den 0"})
	s.mustEqual("time of webby's next", next, time.Time{})
	ready, _, next = s.pending("slack", start)
	if len(ready) != 0 || !next.IsZero() {
		s.Errorf("slack has %v, next %v, and never was here", ready, next)
	}
}

// testPostsWithEvents checks that a reader that sees an event can see its posts, and vice versa.
func testPostsWithEvents(s *subject) {
	const n = 50
	s.post(den, everybody)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range n {
			if err := s.Update(s.Context(), den, "", func(r *bot.Room) error {
				at := len(r.Events)
				r.Append = log("post", at, at+1)
				r.Posts = []bot.Post{{From: at, To: at + 1}}
				return nil
			}); err != nil {
				s.Error(err)
				return
			}
		}
	}()
	sent := 0
	for over := false; ; {
		select {
		case <-done:
			over = true // but posts may be left
		default:
		}
		posts, _, err := s.PendingPosts(s.Context(), "web", start)
		s.must(err)
		if over && len(posts) == 0 {
			break
		}
		for _, p := range posts {
			_, events, err := s.Events(s.Context(), p.Table, p.To)
			s.must(err)
			if len(events) != p.To || p.From != sent {
				s.Fatalf("post %d tells of events %d to %d and comes %d. in the queue; the table shows %d events", p.ID, p.From, p.To, sent+1, len(events))
			}
			s.must(s.RemovePost(s.Context(), p))
			sent++
		}
	}
	s.has(den, n+1)
	s.mustEqual("number of posts", sent, n+1)
}

func testTimers(s *subject) {
	set := func(ch bot.ChannelID, at ...time.Duration) {
		s.must(s.Update(s.Context(), ch, "", func(r *bot.Room) error {
			r.Append = log("timer", len(r.Events), len(r.Events)+1)
			for _, d := range at {
				r.Timers = append(r.Timers, bot.Timer{At: start.Add(d)})
			}
			return nil
		}))
	}
	due := func(after time.Duration) (at []time.Duration, next time.Time) {
		s.Helper()
		ts, next, err := s.DueTimers(s.Context(), start.Add(after), 1000)
		s.must(err)
		for _, t := range ts {
			at = append(at, t.At.Sub(start))
		}
		return at, next
	}
	const sec, hour = time.Second, time.Hour
	set(den, 3*sec, sec, 25*hour)
	set(parlour, 2*sec+1, -hour, sec)
	for _, c := range []struct {
		after time.Duration
		due   []time.Duration
		next  time.Duration
	}{
		{-2 * hour, nil, -hour},
		{0, []time.Duration{-hour}, sec},
		{sec - 1, []time.Duration{-hour}, sec},
		{sec, []time.Duration{-hour, sec, sec}, 2*sec + 1},
		{2 * sec, []time.Duration{-hour, sec, sec}, 2*sec + 1},
		{4 * sec, []time.Duration{-hour, sec, sec, 2*sec + 1, 3 * sec}, 25 * hour},
	} {
		got, next := due(c.after)
		s.mustEqual("timers due after "+c.after.String(), got, c.due)
		s.mustEqual("next", next, start.Add(c.next))
	}
	got, next := due(25 * hour)
	s.mustEqual("timers due after all", got, []time.Duration{-hour, sec, sec, 2*sec + 1, 3 * sec, 25 * hour})
	s.mustEqual("next", next, time.Time{})

	for _, n := range []int{0, 2, 5, 6, 7} {
		ts, next, err := s.DueTimers(s.Context(), start.Add(25*hour), n)
		s.must(err)
		s.mustEqual(fmt.Sprint("number of timers due, ", n, " wanted"), len(ts), min(n, 6))
		s.mustEqual("next", next, time.Time{})
	}
	some, next, err := s.DueTimers(s.Context(), start.Add(sec), 3)
	s.must(err)
	s.mustEqual("number of timers due, and no more", len(some), 3)
	s.mustEqual("next", next, start.Add(2*sec+1))

	ts, _, err := s.DueTimers(s.Context(), start, 1000)
	s.must(err)
	s.mustEqual("a timer", ts, []bot.Timer{{ID: ts[0].ID, At: start.Add(-hour), Channel: parlour, Table: s.has(parlour, 1)}})
}

func testFired(s *subject) {
	far := time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC)
	s.must(s.Update(s.Context(), den, "", func(r *bot.Room) error {
		r.Append = log("timer", 0, 1)
		zone := time.FixedZone("", 5*3600)
		r.Timers = []bot.Timer{{At: start, Kind: "a kind"}, {At: start.In(zone)}, {At: far}, {}}
		return nil
	}))
	s.restart()
	ts, next, err := s.DueTimers(s.Context(), start, 1000)
	s.must(err)
	s.mustEqual("next", next, far)
	if len(ts) != 3 || !ts[0].At.IsZero() || ts[1].At != start || ts[2].At != start || ts[1].ID == ts[2].ID {
		s.Fatalf("due: %+v", ts)
	}
	s.mustEqual("kinds", []string{ts[0].Kind, ts[1].Kind, ts[2].Kind}, []string{"", "a kind", ""})
	for range 2 {
		s.must(s.RemoveTimers(s.Context(), ts[0]))
		s.must(s.RemoveTimers(s.Context(), ts[1]))
		left, _, err := s.DueTimers(s.Context(), start, 1000)
		s.must(err)
		s.mustEqual("timers left", left, ts[2:])
	}
	s.must(s.RemoveTimers(s.Context(), bot.Timer{ID: 1 << 40}))
}

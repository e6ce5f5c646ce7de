package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

const (
	fox bot.Holder = "fox"
	owl bot.Holder = "owl"

	// life is the time that stay lets a holder live.
	life = 10 * time.Second
)

// stay renews the lives of holders from now on.
func (s *subject) stay(holders ...bot.Holder) {
	s.Helper()
	for _, h := range holders {
		s.must(s.Stay(s.Context(), h, s.clock.Now().Add(life)))
	}
}

// claim fails the test unless a holder gets the wanted posts of platform "web".
func (s *subject) claim(h bot.Holder, limit int, want ...string) (posts []bot.Post, next time.Time) {
	s.Helper()
	posts, next, err := s.ClaimPosts(s.Context(), h, "web", nil, s.clock.Now(), limit)
	s.must(err)
	var got []string
	for _, p := range posts {
		text := fmt.Sprintf("%s %d", p.Channel, p.From)
		if p.For != "" {
			text += fmt.Sprintf(" for %s", p.For)
		}
		if p.Fence == 0 {
			s.Errorf("%s is claimed without a fencing number", text)
		}
		got = append(got, text)
	}
	s.mustEqual(fmt.Sprintf("what the %s claims", h), got, want)
	return posts, next
}

// mustLose fails the test unless something was refused because another holder has claimed it.
func (s *subject) mustLose(what string, err error) {
	s.Helper()
	if !errors.Is(err, bot.ErrLost) {
		s.Fatalf("%s: error %v, want ErrLost", what, err)
	}
}

func testClaimQueue(s *subject) {
	s.post(den, everybody, ann)
	s.post(den, everybody)
	s.post(parlour, everybody)
	s.stay(fox, owl)
	posts, _ := s.claim(fox, 2, "web:den 0", "web:den 0 for web:ann")
	if posts[0].Last {
		s.Error("the first post of a queue is marked as its last, and another waits behind it")
	}
	_, next := s.claim(owl, 9, "web:parlour 0")
	s.mustEqual("when the fox's may be taken", next, start.Add(life))
	s.claim(fox, 9)
	s.claim(owl, 9)

	// A queue's next post is free once the one before it is gone.
	s.must(s.RemovePost(s.Context(), posts[0]))
	s.claim(owl, 9, "web:den 1")
	s.claim(fox, 9)

	s.post(den, ben)
	s.claim("nobody who lives", 9)
	s.claim(fox, 0)
	s.claim(fox, 9, "web:den 2 for web:ben")
}

func testClaimLapses(s *subject) {
	s.post(den, everybody)
	s.post(parlour, everybody)
	s.stay(fox, owl)
	first, _ := s.claim(fox, 1, "web:den 0")
	s.clock.pass(life - time.Millisecond)
	s.stay(owl)
	s.claim(owl, 9, "web:parlour 0")
	s.clock.pass(time.Millisecond)
	again, _ := s.claim(owl, 9, "web:den 0")
	if again[0].Fence <= first[0].Fence {
		s.Errorf("the fencing number is %d after %d", again[0].Fence, first[0].Fence)
	}
	s.claim(fox, 9)

	// A holder that leaves releases everything at once.
	s.stay(fox)
	s.must(s.Leave(s.Context(), owl))
	s.claim(fox, 9, "web:den 0", "web:parlour 0")
}

func testClaimFences(s *subject) {
	s.post(den, everybody)
	s.post(den, everybody)
	s.stay(fox)
	slow, _ := s.claim(fox, 1, "web:den 0")

	// Late, but nobody else has claimed it.
	s.clock.pass(life)
	s.must(s.RemovePost(s.Context(), slow[0]))
	s.stay(fox)
	slow, _ = s.claim(fox, 1, "web:den 1")

	s.clock.pass(life)
	s.stay(fox, owl) // too late: the first to come takes it
	s.clock.pass(life)
	s.stay(owl)
	quick, _ := s.claim(owl, 1, "web:den 1")
	s.stay(fox)
	s.mustLose("a slow holder's Sent", s.RemovePost(s.Context(), slow[0]))
	s.mustLose("a slow holder's Defer", s.Defer(s.Context(), slow[0], start.Add(time.Hour)))
	s.mustLose("Sent of one that never claimed it", s.RemovePost(s.Context(), bot.Post{ID: quick[0].ID}))
	s.claim(fox, 1)
	s.must(s.RemovePost(s.Context(), quick[0]))
	s.ready(s.clock.Now(), time.Time{})
}

func testClaimDeferred(s *subject) {
	s.post(den, everybody)
	s.stay(fox, owl)
	posts, _ := s.claim(fox, 1, "web:den 0")
	s.must(s.Defer(s.Context(), posts[0], start.Add(time.Second)))
	_, next := s.claim(owl, 1)
	s.mustEqual("when it may be tried again", next, start.Add(time.Second))
	s.clock.pass(time.Second)
	again, _ := s.claim(owl, 1, "web:den 0")
	s.mustEqual("tries", again[0].Tries, 1)
	s.mustLose("Sent by the one before", s.RemovePost(s.Context(), posts[0]))
}

// wind sets timers at den, one second apart.
func (s *subject) wind(kinds ...string) {
	s.Helper()
	s.must(s.Update(s.Context(), den, "", func(r *bot.Room) error {
		r.Append = log("timer", len(r.Events), len(r.Events)+1)
		for i, kind := range kinds {
			r.Timers = append(r.Timers, bot.Timer{At: start.Add(time.Duration(i) * time.Second), Kind: kind})
		}
		return nil
	}))
}

// mustClaim fails the test unless a holder gets timers of the wanted kinds.
func (s *subject) mustClaim(h bot.Holder, k bot.Kinds, limit int, want ...string) (timers []bot.Timer, next time.Time) {
	s.Helper()
	timers, next, err := s.ClaimTimers(s.Context(), h, k, s.clock.Now(), limit)
	s.must(err)
	var got []string
	for _, t := range timers {
		got = append(got, t.Kind)
	}
	s.mustEqual(fmt.Sprintf("the timers that the %s claims", h), got, want)
	return timers, next
}

func testClaimTimer(s *subject) {
	s.wind("a", "b", "c")
	s.stay(fox, owl)
	as, next := s.mustClaim(fox, bot.Kinds{}, 9, "a")
	s.mustEqual("when the next is due", next, start.Add(time.Second))
	s.mustEqual("a timer's time", as[0].At, start)
	s.clock.pass(time.Second)
	bs, next := s.mustClaim(owl, bot.Kinds{}, 9, "b")
	s.mustEqual("when the next is due", next, start.Add(2*time.Second))
	s.mustClaim(fox, bot.Kinds{}, 9)
	s.clock.pass(life - time.Second)
	s.stay(owl)
	taken, _ := s.mustClaim(owl, bot.Kinds{}, 9, "a", "c")
	s.mustLose("Fired by one that lapsed", s.RemoveTimers(s.Context(), as[0]))
	s.mustLose("Fired by one that never claimed it", s.RemoveTimers(s.Context(), bot.Timer{ID: as[0].ID}))
	s.mustLose("Fired, of several of which one has lapsed", s.RemoveTimers(s.Context(), as[0], bs[0]))
	due, _, err := s.DueTimers(s.Context(), s.clock.Now(), 9)
	s.must(err)
	s.mustEqual("how many timers are left", len(due), 2)
	s.must(s.RemoveTimers(s.Context(), append(taken, bs...)...))
	s.must(s.RemoveTimers(s.Context(), taken[0]))
	due, _, err = s.DueTimers(s.Context(), s.clock.Now(), 9)
	s.must(err)
	s.mustEqual("timers left", due, []bot.Timer{})
}

func testClaimKinds(s *subject) {
	s.wind("robot", "", "robot", "digest", "")
	s.clock.pass(4 * time.Second)
	s.stay(fox)
	s.mustClaim(fox, bot.Kinds{Except: []string{"robot", "digest"}}, 1, "")
	s.mustClaim(fox, bot.Kinds{Only: []string{}}, 9)
	s.mustClaim(fox, bot.Kinds{Only: []string{"robot"}}, 1, "robot")
	s.mustClaim(fox, bot.Kinds{Only: []string{"robot", "digest"}}, 9, "robot", "digest")
	s.mustClaim(fox, bot.Kinds{Except: []string{"robot"}}, 9, "")
	s.mustClaim(fox, bot.Kinds{}, 9)
}

// testClaimPostsCrowd checks that concurrent holders get each post once, and the posts of a queue in
// order. Each claims as soon as it lives, while others read who is alive.
func testClaimPostsCrowd(s *subject) {
	const queues, posts = 5, 8
	for i := range queues {
		for range posts {
			s.post(bot.ChannelID(fmt.Sprint("web:", i)), everybody)
		}
	}
	var mu sync.Mutex
	sent := map[bot.ChannelID][]int{}
	runTogether(4, func(i int) {
		for n := 0; ; n++ {
			h := bot.Holder(fmt.Sprint("holder ", i, ".", n))
			s.stay(h)
			mu.Lock()
			all := 0
			for _, list := range sent {
				all += len(list)
			}
			mu.Unlock()
			if all >= queues*posts {
				return
			}
			claimed, _, err := s.ClaimPosts(s.Context(), h, "web", nil, start, 2)
			if err != nil {
				s.Error(err)
				return
			}
			for _, p := range claimed {
				mu.Lock()
				sent[p.Channel] = append(sent[p.Channel], p.From)
				mu.Unlock()
				if err := s.RemovePost(s.Context(), p); err != nil {
					s.Error(err)
					return
				}
			}
		}
	})
	for ch, list := range sent {
		if len(list) != posts || !slices.IsSorted(list) {
			s.Errorf("posts of %s were claimed as %v", ch, list)
		}
	}
}

// testLeftPosts leaves a post to others: the holder that leaves it gets another table's post behind it,
// and the other holder gets it at once.
func testLeftPosts(s *subject) {
	s.post(den, everybody)
	s.post(den, everybody)
	unread := s.has(den, 2)
	s.must(s.Update(s.Context(), den, "", func(r *bot.Room) error {
		r.Append = log("another", 0, 12)
		r.Posts = []bot.Post{{From: 10, To: 11}, {From: 11, To: 12}}
		return nil
	}))
	s.post("web:quiet", everybody)
	s.stay(fox, owl)
	posts, _ := s.claim(fox, 1, "web:den 0")
	s.must(s.Defer(s.Context(), posts[0], s.clock.Now()))
	left := func(h bot.Holder, limit int, want ...string) ([]bot.Post, time.Time) {
		s.Helper()
		posts, next, err := s.ClaimPosts(s.Context(), h, "web", []bot.TableID{unread}, s.clock.Now(), limit)
		s.must(err)
		var got []string
		for _, p := range posts {
			got = append(got, fmt.Sprintf("%s %d", p.Channel, p.From))
		}
		s.mustEqual(fmt.Sprintf("what the %s claims without the table", h), got, want)
		return posts, next
	}
	mine, _ := left(fox, 9, "web:den 10", "web:quiet 0")
	left(fox, 9)
	theirs, _ := s.claim(owl, 9, "web:den 0")
	s.must(s.RemovePost(s.Context(), mine[0]))
	mine, _ = left(fox, 9, "web:den 11")
	later := s.clock.Now().Add(3 * time.Second)
	s.must(s.Defer(s.Context(), mine[0], later))
	if _, next := left(fox, 9); next.After(later) || next.IsZero() {
		s.Errorf("the next may be taken at %v, want %v at the latest", next, later)
	}
	s.must(s.RemovePost(s.Context(), theirs[0]))
	theirs, _ = s.claim(owl, 9, "web:den 1")
	s.must(s.RemovePost(s.Context(), theirs[0]))
	s.clock.pass(4 * time.Second)
	s.claim(owl, 9, "web:den 11")
}

// testReleaseTimer releases a timer, which another holder gets at once. A holder that excludes its
// table doesn't get it.
func testReleaseTimer(s *subject) {
	s.must(s.Update(s.Context(), den, "", func(r *bot.Room) error {
		r.Append, r.Timers = log("timers", 0, 1), []bot.Timer{{At: s.clock.Now()}}
		return nil
	}))
	s.stay(fox, owl)
	timers, _, err := s.ClaimTimers(s.Context(), fox, bot.Kinds{}, s.clock.Now(), 3)
	s.must(err)
	if len(timers) != 1 {
		s.Fatalf("the fox claims %v", timers)
	}
	s.must(s.Release(s.Context(), timers...))
	none, _, err := s.ClaimTimers(s.Context(), fox, bot.Kinds{Without: []bot.TableID{timers[0].Table}}, s.clock.Now(), 3)
	s.must(err)
	again, _, err := s.ClaimTimers(s.Context(), owl, bot.Kinds{}, s.clock.Now(), 3)
	s.must(err)
	if len(none) != 0 || len(again) != 1 {
		s.Fatalf("without the table the fox claims %v, and the owl %v", none, again)
	}
	s.must(s.Release(s.Context(), timers...)) // the fox's, which the owl holds by now
	s.mustLose("the fox's", s.RemoveTimers(s.Context(), timers...))
	if more, _, err := s.ClaimTimers(s.Context(), fox, bot.Kinds{}, s.clock.Now(), 3); err != nil || len(more) > 0 {
		s.Errorf("what the owl has the fox claims: %v, %v", more, err)
	}
	s.must(s.RemoveTimers(s.Context(), again...))
}

// testClaimTimersCrowd checks the same for timers.
func testClaimTimersCrowd(s *subject) {
	kinds := make([]string, 40)
	s.wind(kinds...)
	s.clock.pass(time.Minute)
	var mu sync.Mutex
	times := map[time.Time]int{}
	runTogether(4, func(i int) {
		for n := 0; ; n++ {
			h := bot.Holder(fmt.Sprint("holder ", i, ".", n))
			s.stay(h)
			claimed, _, err := s.ClaimTimers(s.Context(), h, bot.Kinds{}, s.clock.Now(), 3)
			if err != nil {
				s.Error(err)
				return
			}
			mu.Lock()
			for _, t := range claimed {
				times[t.At]++
			}
			all := len(times)
			mu.Unlock()
			for _, t := range claimed {
				if err := s.RemoveTimers(s.Context(), t); err != nil {
					s.Error(err)
				}
			}
			if all == len(kinds) {
				return
			}
		}
	})
	for at, n := range times {
		if n != 1 {
			s.Errorf("the timer of %v was claimed %d times", at, n)
		}
	}
}

// job fails the test unless Elect reports whether a holder has a job as wanted.
func (s *subject) job(h bot.Holder, job string, want bool) {
	s.Helper()
	got, err := s.Elect(s.Context(), h, job, s.clock.Now())
	s.must(err)
	if got != want {
		s.Fatalf("the %s has the job %q: %t, want %t", h, job, got, want)
	}
}

func testElect(s *subject) {
	s.job(fox, "shard 0", false) // isn't alive
	s.stay(fox, owl)
	s.job(fox, "shard 0", true)
	s.job(owl, "shard 0", false)
	s.job(owl, "shard 1", true)
	s.job(fox, "shard 0", true)

	s.clock.pass(life - 1)
	s.stay(owl)
	s.job(owl, "shard 0", false)
	s.clock.pass(1)
	s.job(owl, "shard 0", true)
	s.stay(fox)
	s.job(fox, "shard 0", false)

	s.must(s.Leave(s.Context(), owl))
	s.job(fox, "shard 0", true)
	s.job(owl, "shard 1", false)
	s.job(fox, "shard 1", true)
}

func testElectCrowd(s *subject) {
	var mu sync.Mutex
	elected := 0
	runTogether(8, func(i int) {
		h := bot.Holder(fmt.Sprint("holder ", i))
		s.stay(h)
		ok, err := s.Elect(s.Context(), h, "a job", start)
		if err != nil {
			s.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		if ok {
			elected++
		}
	})
	s.mustEqual("holders that were elected", elected, 1)
}

func testHolders(s *subject) {
	s.post(den, everybody, ann)
	s.wind("")
	s.stay(owl, fox)
	s.claim(fox, 9, "web:den 0", "web:den 0 for web:ann")
	s.mustClaim(fox, bot.Kinds{}, 9, "")
	s.job(fox, "b", true)
	s.job(fox, "a", true)
	s.job(owl, "c", true)
	all := func() []bot.Holding {
		list, err := s.Holders(s.Context(), s.clock.Now())
		s.must(err)
		return list
	}
	until := start.Add(life)
	s.mustEqual("who holds what", all(), []bot.Holding{
		{Holder: fox, Until: until, Jobs: []string{"a", "b"}, Posts: 2, Timers: 1},
		{Holder: owl, Until: until, Jobs: []string{"c"}},
	})
	s.must(s.Leave(s.Context(), fox))
	s.mustEqual("who is left", all(), []bot.Holding{{Holder: owl, Until: until, Jobs: []string{"c"}}})
	s.clock.pass(life)
	s.mustEqual("who lives in the end", all(), []bot.Holding{})
}

// mustHint fails the test unless each thing that is done causes a hint, once there has been one at
// all: a hint of that thing, or to look everywhere. do does the nth thing, and of reports whether a
// hint is of it.
func mustHint[H comparable](s *subject, watch func(context.Context, func(H)) error, do func(n int), of func(h H, n int) bool) {
	s.Helper()
	ctx, cancel := context.WithCancel(s.Context())
	var mu sync.Mutex
	var heard []H
	news := make(chan bool, 1)
	var all sync.WaitGroup
	all.Go(func() {
		if err := watch(ctx, func(h H) {
			mu.Lock()
			heard = append(heard, h)
			mu.Unlock()
			select {
			case news <- true:
			default:
			}
		}); err != nil {
			s.Error(err)
		}
	})
	defer all.Wait()
	defer cancel()
	came := func(n int, patience time.Duration) bool {
		late := time.After(patience)
		for {
			mu.Lock()
			found := slices.ContainsFunc(heard, func(h H) bool { var everywhere H; return h == everywhere || of(h, n) })
			mu.Unlock()
			if found {
				return true
			}
			select {
			case <-news:
			case <-late:
				return false
			}
		}
	}
	const most, more = 1000, 9
	begun := 0
	for do(begun); !came(begun, 100*time.Millisecond); do(begun) {
		if begun++; begun == most {
			s.Error("no hint arrived")
			return
		}
	}
	for n := most; n < most+more; n++ {
		mu.Lock()
		heard = nil
		mu.Unlock()
		if do(n); !came(n, Patience) {
			s.Errorf("no hint came of number %d, nor one to look everywhere", n-most)
			return
		}
	}
}

func testWatchUpdate(s *subject) {
	ch := func(n int) bot.ChannelID { return bot.ChannelID(fmt.Sprint("web:room ", n)) }
	mustHint(s, s.Watch, func(n int) { s.post(ch(n), everybody) }, func(h bot.ChannelID, n int) bool { return h == ch(n) })
}

func testWatchNotes(s *subject) {
	notes := s.Notes("web")
	word := func(n int) string { return fmt.Sprint("a \x00 word ", n) }
	mustHint(s, notes.Watch, func(n int) { s.must(notes.Tell(s.Context(), word(n))) }, func(h bot.Hint, n int) bool { return h.Text == word(n) })
}

// testConcludes checks that a post is removed with the change that delivers it, or neither happens.
func testConcludes(s *subject) {
	s.post(den, everybody)
	s.post(den, everybody)
	s.stay(fox)
	slow, _ := s.claim(fox, 1, "web:den 0")
	web := s.Notes("web")
	deliver := func(p bot.Post, key, line string) (n uint64, added bool, d *bot.Delivery, err error) {
		ctx, d := bot.Delivering(s.Context(), p, nil)
		n, added, err = add(bot.Concluding(ctx), web, "den", key, line)
		return n, added, d, err
	}

	s.clock.pass(life)
	s.stay(owl)
	quick, _ := s.claim(owl, 1, "web:den 0")
	_, _, d, err := deliver(slow[0], "post.0", "slow")
	s.mustLose("a slow holder's line", err)
	s.mustEqual("the slow holder's delivery is done", d.Done(), false)
	s.entries(web, "den", 0, 9)

	n, added, d, err := deliver(quick[0], "post.0", "first")
	s.must(err)
	s.mustEqual("the first line", fmt.Sprint(n, added, d.Done()), "1 true true")
	_, _, _, err = deliver(quick[0], "post.0", "again") // when the success wasn't reported
	s.must(err)
	next, _ := s.claim(owl, 9, "web:den 1")

	// The entry exists, from a process that ended before it could say so.
	s.addEntry(web, "den", "post.1", "second", 2, true)
	n, added, d, err = deliver(next[0], "post.1", "second once more")
	s.must(err)
	s.mustEqual("a line that was there", fmt.Sprint(n, added, d.Done()), "2 false true")
	s.ready(s.clock.Now(), time.Time{})
	s.entries(web, "den", 0, 9, "1 first", "2 second")

	// In a context that isn't from Concluding an entry is only an entry.
	s.post(den, everybody)
	ctx, d := bot.Delivering(s.Context(), bot.Post{ID: next[0].ID + 1}, nil)
	_, _, err = add(ctx, web, "den", "third", "third")
	s.must(err)
	s.mustEqual("an ordinary line concludes", d.Done(), false)
	s.claim(owl, 9, "web:den 2")
}

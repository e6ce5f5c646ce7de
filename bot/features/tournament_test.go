package features_test

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/memory"
)

// playing is a tournament in which some play.
func playing(t *testing.T, w *world, line string, who ...string) {
	t.Helper()
	for _, does := range append([]string{"ann: " + line}, enters(who)...) {
		name, line, _ := strings.Cut(does, ": ")
		if r := w.does(people[name], line); r.Refused {
			t.Fatalf("%s: %s", does, r.Text)
		}
	}
}

func enters(who []string) (all []string) {
	for _, name := range who {
		all = append(all, name+": /tournament join")
	}
	return all
}

func tournaments() func(*host.Config) {
	return func(c *host.Config) {
		c.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", Aside: besideThere}} }
	}
}

// Two hosts on one store carry out the same press at once, and one that was killed goes
// on: a round is paired once, and the same to the byte.
func TestTwoHostsPairOnce(t *testing.T) {
	var stored []string
	for _, hosts := range []int{1, 2, 2} {
		synctest.Test(t, func(t *testing.T) {
			shared := memory.New()
			var all []*world
			for range hosts {
				all = append(all, newWorld(t, tournaments(), func(c *host.Config) {
					c.Store, c.Notes, c.Name = shared, shared.Notes("host"), "h"+string(rune('0'+len(all)))
				}))
			}
			playing(t, all[0], "/tournament new name:Spring rounds:3", "bob", "cat", "dan", "eve", "fay")
			all[0].does(people["ann"], "/tournament close")
			req := all[0].request(people["ann"], "/tournament pair")
			var both sync.WaitGroup
			for _, w := range all {
				both.Go(func() { w.host.Handle(t.Context(), req) })
			}
			both.Wait()
			b, err := shared.Notes("host").Get(t.Context(), "tournaments", "00000001")
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(b), `"kind":"pair"`); n != 1 {
				t.Errorf("by %d hosts it is paired %d times", hosts, n)
			}
			_, contest, _ := strings.Cut(string(b), `"contest":`)
			contest, _, _ = strings.Cut(contest, `,"news"`)
			stored = append(stored, contest)
		})
	}
	if stored[0] == "" || stored[0] != stored[1] || stored[1] != stored[2] {
		t.Errorf("the pairings differ:\n%s", strings.Join(stored, "\n"))
	}
}

// A channel that is deleted calls the tournament off; who leaves the server is withdrawn;
// a director who has gone is stood in for by whoever manages the server.
func TestTournamentGoesOnOrEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, tournaments())
		req := w.request(people["ann"], "/tournament new name:Spring rounds:3")
		req.Home = "test:house"
		if r := w.host.Handle(t.Context(), req); r.Refused {
			t.Fatal(r.Text)
		}
		for _, name := range []string{"bob", "cat", "dan", "eve"} {
			w.does(people[name], "/tournament join")
		}
		w.does(people["ann"], "/tournament close")
		if err := w.host.MemberLeft(t.Context(), "test:house", people["eve"].ID); err != nil {
			t.Fatal(err)
		}
		if err := w.host.MemberLeft(t.Context(), "test:house", people["ann"].ID); err != nil {
			t.Fatal(err)
		}
		pair := w.request(people["mod"], "/tournament pair")
		pair.Manager = true
		r := w.host.Handle(t.Context(), pair)
		if said := r.Text.String(); r.Refused || strings.Contains(said, "Eve") || !strings.Contains(said, "has a bye") {
			t.Errorf("whoever manages the server is told %q", said)
		}
		if err := w.host.ChannelGone(t.Context(), parlour); err != nil {
			t.Fatal(err)
		}
		if r := w.does(people["bob"], "/tournament"); !strings.Contains(r.Text.String(), "called off") {
			t.Errorf("when the channel is gone: %s", r.Text)
		}
	})
}

// Somebody who is in it under one name isn't entered under another that they have.
func TestLinkedPersonEntersOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, tournaments())
		playing(t, w, "/tournament new name:Spring", "bob")
		if err := w.host.Same(t.Context(), people["bob"].ID, people["cat"].ID); err != nil {
			t.Fatal(err)
		}
		if r := w.does(people["cat"], "/tournament join"); !r.Refused || !strings.Contains(r.Text.String(), "under another of their names: Bob") {
			t.Errorf("they are told %s", r.Text)
		}
	})
}

// What a host has begun when it ends another does to the end: the news of a round and its
// tables, each once.
func TestTournamentAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := memory.New()
		same := func(c *host.Config) { c.Store, c.Notes = shared, shared.Notes("host") }
		w := newWorld(t, tournaments(), same)
		playing(t, w, "/tournament new name:Spring rounds:1 wait:never", "bob", "cat", "dan", "eve")
		for _, do := range []string{"close", "pair", "start"} {
			w.does(people["ann"], "/tournament "+do)
		}
		// No loop ran so far: nothing has been told. Another host comes.
		next := newWorld(t, tournaments(), same)
		next.run()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		said := map[string]int{}
		for _, m := range next.posts.take() {
			switch {
			case m.To != nil:
				said["private"]++
			case m.Channel == parlour:
				said["channel"]++
			default:
				said["tables"]++
			}
		}
		if said["private"] != 5 || said["channel"] != 2 || said["tables"] != 2 {
			t.Errorf("told were %v, want 4 players and the director, 2 tables, and in the channel the invitation and the round", said)
		}
	})
}

package loops_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/loops"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game/gametest"
)

// A failed task is set aside for longer each time. Tasks are listed by failures, and
// forgotten once they succeed.
func TestFailedTaskIsSetAside(t *testing.T) {
	var a loops.Retries
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	for tries, wait := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
		s := a.Fail("post 1", now, loops.FailedTask{What: "post", Channel: "test:a", Table: 7, Err: errors.New("no line\nat x.go:1")})
		if s.Tries != tries+1 || s.Until != now.Add(wait) || a.RetryAt("post 1") != s.Until {
			t.Errorf("after %d failures it is set aside as %+v", tries+1, s)
		}
	}
	a.Fail("post 2", now, loops.FailedTask{What: "post", Channel: "test:b", Err: errors.New("no line")})
	all := a.List()
	if len(all) != 2 || all[0].String() != "post of table 7 in test:a failed 3 times: no line" || all[1].Channel != "test:b" {
		t.Errorf("%v", all)
	}
	a.RetryNow()
	if !a.RetryAt("post 1").IsZero() || a.List()[0].Tries != 3 {
		t.Errorf("when the clock was put back: %v", a.List())
	}
	a.Remove("post 1")
	if all = a.List(); len(all) != 1 || !a.RetryAt("post 1").IsZero() {
		t.Errorf("%v", all)
	}
}

// A panic in a task becomes an error with its stack trace, and ends nothing else.
func TestGuardCatchesPanic(t *testing.T) {
	err := loops.Guard(func() error { panic("index out of range") })
	if err == nil || !strings.HasPrefix(err.Error(), "panic: index out of range\n") || !strings.Contains(err.Error(), "aside_test.go") {
		t.Errorf("a panic is %v", err)
	}
	want := errors.New("no line")
	if err := loops.Guard(func() error { return want }); err != want {
		t.Errorf("an error is %v", err)
	}
}

// The store is queried for timers that may be due, and fully once a minute. Its answer
// holds until then. Timers that are set during a query count too.
func TestAgendaQueriesStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		l, _ := looped(store)
		a := &l.Agenda
		a.QueryApart([]string{"slow"})
		set := func(kind string, at time.Time) {
			gametest.Must(t, l.Hear(store).Update(t.Context(), "test:den", "", func(r *bot.Room) error {
				r.Timers = []bot.Timer{{At: at, Kind: kind}}
				return nil
			}))
		}
		next := time.Now().Add(30 * time.Second)
		answers(t, a, time.Now(), next)
		if ask, at := asks(a, "", time.Now()); ask || at != next {
			t.Errorf("asked again: %t, the next at %v", ask, at)
		}
		time.Sleep(30 * time.Second)
		soon, sooner := time.Now().Add(20*time.Second), time.Now().Add(10*time.Second)
		at, err := a.Query("", time.Now(), func() (time.Time, bool, error) {
			set("quick", sooner)
			set("slow", time.Now())
			return soon, false, nil
		})
		if err != nil || !at.Equal(sooner) {
			t.Errorf("what is set during the query is due at %v, and the next at %v, %v", sooner, at, err)
		}
		if ask, at := asks(a, "", time.Now()); ask || !at.Equal(sooner) {
			t.Errorf("asked again: %t, the next at %v", ask, at)
		}
		if ask, _ := asks(a, "slow", time.Now()); !ask {
			t.Error("what nobody asked for yet isn't asked for")
		}
		a.Query("slow", time.Now(), func() (time.Time, bool, error) { return time.Time{}, false, nil })
		set("slow", soon)
		set("slow", soon.Add(time.Second))
		if ask, at := asks(a, "slow", time.Now()); ask || !at.Equal(soon) {
			t.Errorf("the slow one that is due at %v is asked for: %t, next at %v", soon, ask, at)
		}
		time.Sleep(time.Minute)
		for _, kind := range []string{"", "slow"} {
			if ask, _ := asks(a, kind, time.Now()); !ask {
				t.Errorf("a minute later the store isn't asked about %q", kind)
			}
		}
	})
}

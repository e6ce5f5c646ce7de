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
// holds until then, or until a hint says that others have set timers.
func TestAgendaQueriesStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, _ := looped(memory.New())
		a := &l.Agenda
		kinds := bot.Kinds{}
		ask, _, asked := a.Due("all", kinds, time.Now())
		if !ask {
			t.Fatal("nothing is known, and the store isn't asked")
		}
		next := time.Now().Add(30 * time.Second)
		asked(next)
		if ask, at, _ := a.Due("all", kinds, time.Now()); ask || at != next {
			t.Errorf("asked again: %t, the next at %v", ask, at)
		}
		time.Sleep(30 * time.Second)
		ask, _, asked = a.Due("all", kinds, time.Now())
		if !ask {
			t.Error("what is due isn't asked for")
		}
		a.Reset() // a hint arrives during the query
		asked(time.Time{})
		if ask, _, _ = a.Due("all", kinds, time.Now()); !ask {
			t.Error("an answer of before a hint is taken for one of after")
		}
		_, _, asked = a.Due("all", kinds, time.Now())
		asked(time.Time{})
		if ask, at, _ := a.Due("all", kinds, time.Now()); ask || !at.IsZero() {
			t.Errorf("where there is nothing it is asked %t, at %v", ask, at)
		}
		time.Sleep(time.Minute)
		if ask, _, _ := a.Due("all", kinds, time.Now()); !ask {
			t.Error("a minute later the store isn't asked about everything")
		}
	})
}

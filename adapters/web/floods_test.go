package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
)

// Floods of strangers are harmless: people from elsewhere can still enter.
func TestFloodsBlockNobody(t *testing.T) {
	t.Parallel()
	t.Run("20,000 newcomers of a /55", func(t *testing.T) {
		s := open(t)
		s.enter("Keeper of keys")
		came, kept := 0, 0
		for i := range 20_000 {
			if w := (&visitor{site: s}).from(fmt.Sprintf("[2001:db8:1:%x::1]", i%512), "POST", "/api/enter", obj{"name": fmt.Sprint("Flood ", i)}); w.Code == http.StatusOK {
				came++
			} else if w.Code != http.StatusTooManyRequests {
				t.Fatalf("newcomer %d: %d %s", i, w.Code, w.Body)
			}
			if i%250 == 0 {
				if w := (&visitor{site: s}).from(fmt.Sprintf("[2001:db8:2:%x::1]", i), "POST", "/api/enter", obj{"name": fmt.Sprint("Honest ", i)}); w.Code != http.StatusOK {
					kept++
				}
			}
		}
		if came > 200 || kept > 0 {
			t.Errorf("%d of 20,000 got in, want 200 at most; %d of 80 honest ones were kept out", came, kept)
		}
	})
	t.Run("2,326 wrong passwords", func(t *testing.T) {
		s := behind(t, web.DoorPassword)
		looked, kept := 0, 0
		for i := range 2326 {
			if w := s.knock(fmt.Sprintf("[2001:db8:3:%x::1]", i), url.Values{"name": {"Eve"}, "password": {"12345678"}}); w.Code == http.StatusUnprocessableEntity {
				looked++
			}
			if i%116 == 0 {
				if w := s.knock(fmt.Sprintf("203.0.113.%d", i/116), url.Values{"name": {fmt.Sprintf("Honest %d", i)}, "password": {"correct horse"}}); !in(w) {
					kept++
				}
			}
		}
		if looked > 60 || kept > 0 {
			t.Errorf("%d of 2,326 guesses were checked, want 60 at most; %d of 21 honest people were kept out", looked, kept)
		}
	})
	t.Run("199 channels at once", func(t *testing.T) {
		s := open(t)
		s.enter("Keeper of keys")
		var all []*visitor
		for i := range 10 {
			v := s.enterFrom(40*i, fmt.Sprint("Eve ", i))
			v.say("general", "hello")
			all = append(all, v)
		}
		var made atomic.Int32
		flood := func() {
			var waiting sync.WaitGroup
			for i := range 199 {
				waiting.Go(func() {
					if w := all[i%10].from("198.51.100.7", "POST", "/api/channels", obj{"name": fmt.Sprint("spam-", s.clock.now().Unix(), "-", i)}); w.Code == http.StatusOK {
						made.Add(1)
					}
				})
			}
			waiting.Wait()
		}
		flood()
		if n := made.Load(); n != 0 {
			t.Errorf("newcomers made %d channels", n)
		}
		s.clock.pass(8 * 24 * time.Hour) // they are no longer newcomers
		flood()
		if n := made.Load(); n > 20 {
			t.Errorf("one network made %d channels, want 20 at most", n)
		}
	})
}

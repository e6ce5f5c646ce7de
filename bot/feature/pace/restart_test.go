package pace_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// up runs the loops of a new host over the same store until down is called.
func (w *world) up() (down func()) {
	w.Host = host.New(w.Config)
	return sync.OnceFunc(w.Goes())
}

// state returns the game in the parlour.
func (w *world) state() game.State {
	w.T.Helper()
	s, err := game.Replay(featuretest.Events(w.T, w.Config.Store, featuretest.Parlour))
	gametest.Must(w.T, err)
	return s
}

// mover returns the player to move.
func (w *world) mover() bot.User {
	s := w.state()
	return s.Seats[s.Turn].Person
}

func (w *world) wantUsed(who bot.User, want time.Duration) {
	w.T.Helper()
	s := w.state()
	seat, _ := s.SeatOf(who.ID)
	if got := s.Seats[seat].Used; got != want {
		w.T.Errorf("%s has used %v, want %v", who.Name, got, want)
	}
}

// begins opens a table as Ann and seats Bob.
func (w *world) begins(line string) {
	w.T.Helper()
	w.Does(bottest.People["ann"], line)
	if r := w.Does(bottest.People["bob"], "/join"); r.Refused {
		w.T.Fatal(r.Text)
	}
	synctest.Wait()
}

// An awayShelf takes no rows of one shelf while it is away.
type awayShelf struct {
	bot.Notes
	shelf string
	is    atomic.Bool
}

func (a *awayShelf) Change(ctx context.Context, fn func(bot.Rows) error) error {
	return a.Notes.Change(ctx, func(r bot.Rows) error { return fn(awayRows{r, a}) })
}

type awayRows struct {
	bot.Rows
	a *awayShelf
}

func (r awayRows) Put(shelf, key string, value []byte) error {
	if shelf == r.a.shelf && r.a.is.Load() {
		return errors.New("the store is away")
	}
	return r.Rows.Put(shelf, key, value)
}

// A clock runs from the post of the turn to the move, whether or not hosts restart in
// between.
func TestClockAcrossRestarts(t *testing.T) {
	t.Run("it runs on while no host is up", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			down := w.up()
			w.begins("/new rules:rulebook seats:2 clock:on")
			first := w.mover()
			time.Sleep(10 * time.Minute)
			down()
			time.Sleep(5 * time.Minute)
			defer w.up()()
			w.Does(first, "/pass")
			w.wantUsed(first, 15*time.Minute)
		})
	})
	t.Run("it waits until the turn is posted", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			down := w.up()
			w.begins("/new rules:rulebook seats:2 clock:on")
			down()
			w.Does(w.mover(), "/pass") // the host stops before it posts the move
			next := w.mover()
			time.Sleep(time.Hour)
			defer w.up()()
			time.Sleep(2 * time.Minute)
			w.Does(next, "/pass")
			w.wantUsed(next, 2*time.Minute)
		})
	})
	t.Run("it stops during a challenge", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			var lost atomic.Bool
			w.Posts.Fail = func(bot.Message) error {
				if lost.Load() {
					return errors.New("the platform is away")
				}
				return nil
			}
			down := w.up()
			w.begins("/new rules:club clock:on seats:2")
			first := w.mover()
			s := w.state()
			rack := strings.ReplaceAll(s.Equipment.Tiles.Print(s.Seats[s.Turn].Rack), "?", "")
			if r := w.Does(first, "/play "+rack[:2]+" 8h"); r.Refused {
				t.Fatal(r.Text)
			}
			synctest.Wait()
			second := w.mover()
			time.Sleep(30 * time.Second)
			lost.Store(true)
			if r := w.Does(second, "/challenge"); r.Refused {
				t.Fatal(r.Text)
			}
			w.wantUsed(second, 30*time.Second)
			time.Sleep(30 * time.Minute)
			down()
			lost.Store(false)
			w.Posts.Take()
			defer w.up()()
			next := w.mover()
			// delivery is retried at least every ten minutes
			for len(w.Posts.Take()) == 0 {
				time.Sleep(time.Second)
				synctest.Wait()
			}
			before := 30 * time.Second
			if next.ID == first.ID {
				before = 0
			}
			time.Sleep(time.Minute)
			w.Does(next, "/pass")
			s = w.state()
			seat, _ := s.SeatOf(next.ID)
			if took := s.Seats[seat].Used - before; took < time.Minute || took > time.Minute+2*time.Second {
				t.Errorf("the outcome was on its way for half an hour, and %s's clock ran for %v", next.Name, took)
			}
		})
	})
	t.Run("it starts late if the store couldn't record the post's time", func(t *testing.T) {
		for name, waits := range map[string]bool{"nothing waits to be posted": false, "a post waits": true} {
			synctest.Test(t, func(t *testing.T) {
				away := &awayShelf{shelf: "posted"}
				w := newWorld(t, func(c *host.Config) { away.Notes, c.Notes = c.Notes, away })
				defer w.up()()
				away.is.Store(true)
				w.begins("/new seats:2 clock:1m+5s")
				away.is.Store(false)
				if waits {
					gametest.Must(t, w.Config.Store.Update(t.Context(), featuretest.Parlour, "", func(r *bot.Room) error {
						r.Posts = []bot.Post{{Kind: "unknown to this host"}}
						return nil
					}))
				}
				time.Sleep(10 * time.Minute)
				if s := w.state(); (s.End == nil) != waits {
					t.Errorf("%s, and after ten minutes the end of the game is %+v", name, s.End)
				}
			})
		}
	})
	t.Run("overtime ends the game when a host is up again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			down := w.up()
			w.begins("/new rules:rulebook seats:2 clock:on")
			late := w.mover()
			down()
			time.Sleep(36 * time.Minute)
			defer w.up()()
			s := w.state()
			seat, _ := s.SeatOf(late.ID)
			if s.End == nil || s.End.Reason != game.OvertimeEnd || !s.HasLostOnTime(seat) || slices.Contains(s.End.Winners, seat) {
				t.Errorf("phase %d, %+v", s.Phase, s.End)
			}
		})
	})
}

// A host restarts at every step of a two-game match. The second game opens once, the other
// player begins it, and the result is announced.
func TestMatchAcrossRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		restarted := func() {
			t.Helper()
			down := w.up()
			time.Sleep(time.Minute)
			synctest.Wait()
			down()
		}
		w.Host = host.New(w.Config)
		w.Does(bottest.People["ann"], "/new rules:match")
		restarted()
		w.Does(bottest.People["bob"], "/join")
		restarted()
		first := w.mover()
		for range 4 {
			if r := w.Does(w.mover(), "/pass"); r.Refused {
				t.Fatal(r.Text)
			}
		}
		one := w.state()
		if !one.MatchGoesOn() {
			t.Fatalf("phase %d, %+v", one.Phase, one.End)
		}
		restarted()
		restarted() // the second game opens only once
		two := w.state()
		if two.Phase != game.Lobby || len(two.Earlier) != 2 || len(two.Seats) != 1 {
			t.Fatalf("phase %d, %d seats, %+v", two.Phase, len(two.Seats), two.Earlier)
		}
		for _, who := range []string{"ann", "bob"} {
			if r := w.Does(bottest.People[who], "/join"); r.Refused && bottest.People[who].ID != two.Seats[0].Person.ID {
				t.Fatal(r.Text)
			}
		}
		restarted()
		if got := w.mover(); got.ID == first.ID {
			t.Errorf("%s begins both games", got.Name)
		}
		w.Posts.Take()
		for range 4 {
			w.Does(w.mover(), "/pass")
		}
		restarted()
		over := w.state()
		if len(over.MatchWinners()) == 0 {
			t.Fatalf("phase %d, %+v", over.Phase, over.End)
		}
		told := 0
		for _, m := range w.Posts.Take() {
			if m.To == nil && (strings.Contains(m.Text.String(), "wins the match") || strings.Contains(m.Text.String(), "The match is tied")) {
				told++
			}
		}
		if told != 1 {
			t.Errorf("the result of the match was told %d times", told)
		}
		restarted()
		if s := w.state(); s.Number != over.Number {
			t.Error("a third game was opened")
		}
	})
}

package notify_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// cardWorld returns a world on a platform with cards. Its clock is past the introduction of
// cards.
func cardWorld(t *testing.T) *world {
	w := newWorld(t, func(c *host.Config) {
		c.Platforms = func() []bot.Platform {
			return []bot.Platform{{Name: "test", Cards: true, Link: func(_ context.Context, ch bot.ChannelID, _ string) string { return "https://example.org/" + string(ch) }}}
		}
	})
	w.Run()
	synctest.Wait()
	return w
}

// cards returns what the cards sent since the last call say, with their buttons. "~" marks
// a card that only edits an earlier one.
func (w *world) cards() (all []string) {
	synctest.Wait()
	for _, m := range w.Posts.Take() {
		if m.Kind != table.RackKind {
			continue
		}
		said := m.To.Name
		if m.Amends {
			said = "~" + said
		}
		all = append(all, said+": "+m.Text.String()+" "+featuretest.ButtonsShown(m.Buttons))
	}
	return all
}

// wantCards compares the cards sent since the last call with the expected ones.
func (w *world) wantCards(when string, want ...string) {
	w.T.Helper()
	got := w.cards()
	ok := len(got) == len(want)
	for i := range want {
		ok = ok && strings.HasPrefix(got[i], want[i])
	}
	if !ok {
		w.T.Errorf("%s: the cards are\n%s\nwant\n%s", when, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// rackOf returns what the card of a player must say first.
func (w *world) rackOf(who string) string {
	s, _ := w.Replayed(featuretest.Parlour)
	seat, _ := s.SeatOf(bottest.People[who].ID)
	var tiles []string
	for i := range len(s.Seats[seat].Rack) {
		tiles = append(tiles, s.Equipment.Tiles.Text(s.Seats[seat].Rack.At(i)))
	}
	return bottest.People[who].Name + ": Your rack: " + strings.Join(tiles, " ") + " [Play*] [Exchange…] [Pass…] [Open the board] [Stop these]"
}

// startTwo starts a game of Ann and Bob, and returns who begins and who waits.
func (w *world) startTwo() (begins, waits string) {
	w.T.Helper()
	w.Must("ann", "/new seats:2")
	w.Must("bob", "/join")
	if s, _ := w.Replayed(featuretest.Parlour); s.Seats[s.Turn].Person.ID == bottest.People["bob"].ID {
		return "bob", "ann"
	}
	return "ann", "bob"
}

// resign makes a player resign without the question.
func (w *world) resign(who string) {
	w.T.Helper()
	req := w.Request(bottest.People[who], "/resign")
	asked := w.Host.Handle(w.T.Context(), req)
	req, _ = bot.Request{ID: req.ID + " yes", Channel: req.Channel, User: req.User}.Press(asked.Buttons[0].ID)
	if r := w.Host.Handle(w.T.Context(), req); r.Refused {
		w.T.Fatal(r.Text)
	}
}

// Each player gets one card when the game starts, no matter who started it. It changes
// only with the player's own rack, and shows the result at the end.
func TestCardsFollowTheRack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := cardWorld(t)
		begins, waits := w.startTwo()
		w.wantCards("at the start", w.rackOf("ann"), w.rackOf("bob"))
		s, _ := w.Replayed(featuretest.Parlour)
		w.Must(begins, "/exchange "+strings.ToLower(s.Equipment.Tiles.Text(s.Seats[s.Turn].Rack.At(0))))
		w.wantCards("after an exchange", w.rackOf(begins))
		w.Must(waits, "/pass")
		w.wantCards("after a pass")
		w.resign(begins)
		w.wantCards("at the end", "~Ann: The game is over. ", "~Bob: The game is over. ")
	})
}

// After a challenge that takes a play back, the card shows the tiles that came back.
func TestCardShowsReturnedTiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := cardWorld(t)
		log := bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"})
		for i := range log {
			log[i].At = time.Now()
		}
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, log)
		before := w.rackOf("ann")
		w.Must("ann", "/play rohn 8h")
		w.wantCards("after the play", w.rackOf("ann"))
		if w.rackOf("ann") == before {
			t.Fatal("nothing was drawn")
		}
		w.Must("bob", "/challenge")
		w.wantCards("after the challenge", w.rackOf("ann"))
		if got := strings.Split(w.rackOf("ann"), " "); !strings.Contains(strings.Join(got, ""), "N") {
			t.Errorf("Ann has %s after the challenge, had %s", got, before)
		}
	})
}

// A card is posted only when its player wants one, and never when they want to hear nothing.
func TestCardsFollowWishes(t *testing.T) {
	for name, tt := range map[string]struct {
		settings string
		start    string // Ann's card at the start; "" if there is none
		later    time.Duration
		posted   bool // whether it is posted later
	}{
		"by default":            {"", "Ann", 0, false},
		"turned off":            {"dm:off", "", 0, false},
		"not told of turns":     {"ping:silent", "", 0, false},
		"asked for nonetheless": {"ping:silent dm:on", "Ann", 0, false},
		"in quiet hours":        {"quiet:0-8 zone:UTC", "~Ann", 8 * time.Hour, true},
		"with the digest":       {"ping:digest zone:UTC", "~Ann", 8 * time.Hour, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := cardWorld(t)
				w.Must("bob", "/settings dm:off")
				if tt.settings != "" {
					w.Must("ann", "/settings "+tt.settings)
				}
				w.startTwo()
				if tt.start == "" {
					w.wantCards("at the start")
				} else {
					w.wantCards("at the start", tt.start+": Your rack")
				}
				time.Sleep(tt.later)
				if tt.posted {
					w.wantCards("later", w.rackOf("ann"))
				}
			})
		})
	}
}

// A card that waits for a digest doesn't come to a player who has gone away meanwhile. It comes with
// their next draw.
func TestWaitingCardSparesAbsentPlayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := cardWorld(t)
		w.Must("bob", "/settings dm:off")
		w.Must("ann", "/settings ping:digest zone:UTC")
		begins, _ := w.startTwo()
		w.wantCards("at the start", "~Ann: Your rack")
		w.Must("ann", "/away 2")
		time.Sleep(9 * time.Hour)
		w.wantCards("at the digest")
		w.Must("ann", "/away back")
		if begins == "bob" {
			w.Must("bob", "/pass")
		}
		s, _ := w.Replayed(featuretest.Parlour)
		w.Must("ann", "/exchange "+strings.ToLower(s.Equipment.Tiles.Text(s.Seats[s.Turn].Rack.At(0))))
		time.Sleep(24 * time.Hour)
		w.wantCards("after her draw", "~Ann: Your rack", w.rackOf("ann"))
	})
}

// "Stop these" empties a person's cards and ends them; /settings dm:on brings them back.
func TestStopEndsCards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := cardWorld(t)
		begins, _ := w.startTwo()
		w.cards()
		name := bottest.People[begins].Name
		w.Must(begins, "/settings dm:off")
		w.wantCards("turned off", "~"+name+": Your rack isn't sent to you by direct message")
		s, _ := w.Replayed(featuretest.Parlour)
		w.Must(begins, "/exchange "+strings.ToLower(s.Equipment.Tiles.Text(s.Seats[s.Turn].Rack.At(0))))
		w.wantCards("after a draw")
		w.Must(begins, "/settings dm:on")
		w.wantCards("turned on", w.rackOf(begins))
	})
}

// A refused card turns cards off for its player, who learns of it once.
func TestRefusedCardTurnsCardsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := cardWorld(t)
		tries := 0
		w.Posts.Fail = func(m bot.Message) error {
			if m.Kind != table.RackKind || m.To.ID != bottest.People["ann"].ID {
				return nil
			}
			tries++
			return &bot.PostError{Permanent: true, Closed: true, Err: errors.New("she takes none")}
		}
		w.startTwo()
		w.wantCards("at the start", w.rackOf("bob"))
		const says = "I couldn't send you your rack, so I've stopped."
		if got := w.Does(bottest.People["ann"], "/rack").Text.String(); !strings.Contains(got, says) || !strings.Contains(got, "Your rack: ") {
			t.Errorf("her next command says %s", got)
		}
		if got := w.Does(bottest.People["ann"], "/rack").Text.String(); strings.Contains(got, says) {
			t.Errorf("the one after it says it again: %s", got)
		}
		w.resign("ann")
		w.startTwo()
		w.cards()
		if tries != 1 {
			t.Errorf("she was sent %d cards", tries)
		}
		w.Posts.Fail = nil
		w.Must("ann", "/settings dm:on")
		w.wantCards("turned on", w.rackOf("ann"))
	})
}

// Games that started before cards were introduced have none until their player asks.
func TestOldGamesHaveNoCards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := cardWorld(t)
		log := bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"})
		for i := range log {
			log[i].At = time.Now().Add(-time.Hour)
		}
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, log)
		w.Must("ann", "/play horn 8h")
		for _, said := range w.cards() {
			if !strings.HasPrefix(said, "~") {
				t.Errorf("posted: %s", said)
			}
		}
		w.Must("ann", "/settings dm:on")
		w.wantCards("asked for", w.rackOf("ann"))
	})
}

// A card follows its seat: it is closed for a player who leaves, and posted to the one who
// takes the seat.
func TestCardsFollowTheSeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := cardWorld(t)
		w.Must("ann", "/new seats:3")
		w.Must("bob", "/join")
		w.Must("cat", "/join")
		w.wantCards("at the start", w.rackOf("ann"), w.rackOf("bob"), w.rackOf("cat"))
		if err := w.Host.MemberLeft(t.Context(), "test:home", bottest.People["bob"].ID); err != nil {
			t.Fatal(err)
		}
		s, _ := w.Replayed(featuretest.Parlour)
		if seat, _ := s.SeatOf(bottest.People["bob"].ID); s.Seats[seat].Out {
			w.wantCards("when Bob has left", "~Bob: You're out of this game.")
			w.Must("dan", "/adopt")
			w.wantCards("when Dan has come", w.rackOf("dan"))
		} else {
			w.resign("bob")
			w.wantCards("when Bob has resigned", "~Bob: You're out of this game.")
		}
		if s.Phase != game.Playing {
			t.Errorf("the game is %v", s.Phase)
		}
	})
}

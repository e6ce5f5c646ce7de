package ladder_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/ladder"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// counted puts a game that is over into a channel, to be counted when timers run.
func (w *world) counted(ch bot.ChannelID, log []game.Event) {
	w.T.Helper()
	gametest.Must(w.T, w.Config.Store.Update(w.T.Context(), ch, "", func(r *bot.Room) error {
		r.Append = log
		r.Timers = append(r.Timers, bot.Timer{At: time.Now(), Kind: "record"})
		return nil
	}))
}

// A page shows what somebody has won, of whom and how their rating went, until they take
// themselves off the leaderboards; and of nobody who has played nothing.
func TestProfilesAndStandings(t *testing.T) {
	log := featuretest.GameOver(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.counted(featuretest.Parlour, log)
		stop := w.Run()
		time.Sleep(time.Hour)
		synctest.Wait()
		stop()
		ranks := w.Host.Standings()
		s, _ := w.Replayed(featuretest.Parlour)
		for seat, who := range s.Seats {
			other := s.Seats[1-seat]
			p, ok, err := ranks.Profile(t.Context(), who.Person.ID)
			if err != nil || !ok {
				t.Fatalf("%s has no profile: %v", who.Person.Name, err)
			}
			won := 0
			if s.End.Winners[0] == seat {
				won = 1
			}
			if p.Games != 1 || p.Won != won || p.Average != float64(who.Score) {
				t.Errorf("%s has %+v", who.Person.Name, p)
			}
			if len(p.Results) != 1 || p.Results[0].Score != who.Score || len(p.Results[0].Others) != 1 || p.Results[0].Others[0] != (bot.Opponent{ID: other.Person.ID, Name: other.Person.Name, Score: other.Score}) {
				t.Errorf("%s has the results %+v", who.Person.Name, p.Results)
			}
			if len(p.Ratings) != 1 || len(p.Ratings[0].Over) != 1 || (p.Ratings[0].Value > 1500) != (won == 1) {
				t.Errorf("%s has the ratings %+v", who.Person.Name, p.Ratings)
			}
			if len(p.Rivals) != 1 || p.Rivals[0].ID != other.Person.ID || p.Rivals[0].Won != won || p.Rivals[0].Lost != 1-won || len(p.Best) != 1 || p.Best[0].Score == 0 {
				t.Errorf("%s has the rivals %+v and best plays %+v", who.Person.Name, p.Rivals, p.Best)
			}
		}
		w.Does(bottest.People["bob"], "/top me:out")
		if p, ok, err := ranks.Profile(t.Context(), "test:bob"); ok || err != nil {
			t.Errorf("Bob, who is off the leaderboards, has %+v, %v", p, err)
		}
		if p, ok, err := ranks.Profile(t.Context(), "test:ann"); !ok || err != nil || p.Results[0].Others[0].Name != "" || len(p.Rivals) != 0 {
			t.Errorf("of Ann's games with Bob there is %+v, %v", p, err)
		}
		if p, ok, err := ranks.Profile(t.Context(), "test:eve"); ok || err != nil {
			t.Errorf("Eve, who has played nothing, has %+v, %v", p, err)
		}
	})
}

// The table of duplicate is of how much of the best each has scored, over all games that
// two or more have played.
func TestTopOfDuplicate(t *testing.T) {
	log := gametest.RandomDuplicate(t, 3, 3, gametest.Duplicate(time.Hour))
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ann := bottest.People["ann"]
		if got := w.InHouse(featuretest.Parlour, "test:house", ann, "/top duplicate").Text.String(); !strings.HasPrefix(got, "Nobody is in the table of duplicate yet") {
			t.Errorf("of no game there is %q", got)
		}
		w.counted(featuretest.Parlour, log)
		stop := w.Run()
		time.Sleep(time.Hour)
		synctest.Wait()
		stop()
		s, _ := w.Replayed(featuretest.Parlour)
		best := 0
		for _, e := range log {
			if f, ok := e.Fact.(game.TurnScored); ok {
				best += f.Score
			}
		}
		got := w.InHouse(featuretest.Parlour, "test:house", ann, "/top duplicate").Text.String()
		for _, seat := range s.Seats {
			if want := fmt.Sprintf("%.1f %%  %s (1)", float64((1000*seat.Score+best/2)/best)/10, seat.Person.Name); !strings.Contains(got, want) {
				t.Errorf("%s isn't in\n%s", want, got)
			}
		}
	})
}

// Whatever fails once, the leaderboards come out as they are.
func TestLeaderboardsAtEachFault(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	prepare := func(plain *featuretest.World) {
		w := &world{plain}
		w.ended(1, at, "ann", "bob", 320, 300, nil)
		w.ended(2, at.Add(time.Hour), "bob", "ann", 280, 200, nil)
		if _, err := ladder.Recount(w.T.Context(), w.Config.Notes); err != nil {
			w.T.Fatal(err)
		}
	}
	ann := bottest.People["ann"]
	featuretest.LinesAtEachFault(t, prepare, ann, []string{"/stats", "/top channel", "/top server", "/top month", "/top season", "/top records", "/top duplicate", "/top me:out", "/top page:me", "/settings"})
	for name, does := range map[string]func(w *featuretest.World) (any, error){
		"profile": func(w *featuretest.World) (any, error) {
			p, ok, err := w.Host.Standings().Profile(t.Context(), ann.ID)
			return []any{p, ok}, err
		},
		"standings": func(w *featuretest.World) (any, error) {
			pool, all, err := w.Host.Standings().Standings(t.Context(), string(featuretest.Parlour))
			return []any{pool.String(), all}, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			featuretest.AtEachFault(t, prepare, func(w *featuretest.World) (string, error) {
				v, err := does(w)
				b, wrong := json.Marshal(v)
				return string(b), errors.Join(err, wrong)
			})
		})
	}
}

package featuretest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A Week plays in one channel of a platform's stand-in: three games a day, a league of eight people,
// and the daily board.
type Week struct {
	T       testing.TB
	Host    *host.Host
	Store   bot.Store
	Channel bot.ChannelID
	Home    string
	People  []bot.User // twelve; the first begins the league
	// Later advances the clock and lets the host and the adapter do everything that is due.
	Later func(time.Duration)

	requests int
}

// does handles a command, and confirms it if it asks.
func (w *Week) does(ch bot.ChannelID, who bot.User, command string, args map[string]string, invited ...bot.User) {
	w.T.Helper()
	w.requests++
	req := bot.Request{
		ID: fmt.Sprintf("%s:week-%d", w.Channel.Platform(), w.requests), Channel: ch, Home: w.Home, User: who, Command: command, Args: args, People: invited, Manager: who.ID == w.People[0].ID,
	}
	r := w.Host.Handle(w.T.Context(), req)
	if command == "resign" && len(r.Buttons) > 0 {
		req, _ = req.Press(r.Buttons[0].ID)
		req.ID += ":sure"
		r = w.Host.Handle(w.T.Context(), req)
	}
	if r.Refused {
		w.T.Fatalf("%s gives %s %v in %s: %s", who.Name, command, args, ch, r.Text)
	}
	w.Later(time.Second)
}

// Plays sets the channel up and plays for some days.
func (w *Week) Plays(days int) {
	w.T.Helper()
	ann := w.People[0]
	w.does(w.Channel, ann, "settings", map[string]string{"for": "channel", "daily": "9:00", "zone": "Europe/Berlin"})
	w.does(w.Channel, ann, "league", map[string]string{"do": "new", "name": "Club", "pace": "3d", "season": "14"})
	for _, who := range w.People[:8] {
		w.does(w.Channel, who, "league", map[string]string{"do": "join"})
	}
	w.does(w.Channel, ann, "league", map[string]string{"do": "start"})
	for day := range days {
		for n := range 3 {
			i := 3*day + n
			w.playsGame(w.People[i%12], w.People[(i+1+i/12)%12])
			w.Later(4 * time.Hour)
		}
		w.playsLeague(4)
		w.Later(12 * time.Hour)
	}
}

// playsGame plays a game in the channel: four turns, and then one of the two resigns.
func (w *Week) playsGame(a, b bot.User) {
	w.T.Helper()
	w.does(w.Channel, a, "new", map[string]string{"seats": "2"}, b)
	w.does(w.Channel, b, "join", map[string]string{"sure": "true"})
	for range 4 {
		w.moves(w.Channel, "pass")
	}
	w.moves(w.Channel, "resign")
}

// playsLeague passes in each game of the league, and ends some of them by resigning. A game may
// have ended before, by its last allowed pass.
func (w *Week) playsLeague(ends int) {
	w.T.Helper()
	tables, err := w.Store.TablesPlayed(w.T.Context(), "")
	gametest.Must(w.T, err)
	for i, id := range tables {
		ch, _, err := w.Store.Events(w.T.Context(), id, 0)
		gametest.Must(w.T, err)
		w.moves(ch, "pass")
		if i < ends {
			w.moves(ch, "resign")
		}
	}
}

// moves gives a command for the player to move, if the game isn't over.
func (w *Week) moves(ch bot.ChannelID, command string) {
	w.T.Helper()
	_, events, err := w.Store.Table(w.T.Context(), ch)
	gametest.Must(w.T, err)
	s, err := game.Replay(events)
	gametest.Must(w.T, err)
	if s.Phase == game.Over {
		return
	}
	w.does(ch, s.Seats[s.Turn].Person, command, map[string]string{"sure": "true"})
}

// Counts counts the games that were opened, and the turns that began in them.
func (w *Week) Counts() (games, turns int) {
	w.T.Helper()
	for id := bot.TableID(1); ; id++ {
		_, events, err := w.Store.Events(context.Background(), id, -1)
		if errors.Is(err, bot.ErrNoTable) {
			return games, turns
		}
		gametest.Must(w.T, err)
		games++
		var s, before game.State
		for i, e := range events {
			if s = s.Apply(e); i+1 < len(events) && events[i+1].Cause == e.Cause {
				continue // the request isn't over: a last pass is followed by the game's end
			}
			if isDealt(s) && (!isDealt(before) || before.Turns != s.Turns) {
				turns++
			}
			before = s
		}
	}
}

// isDealt reports whether the players have their racks and one of them is to move.
func isDealt(s game.State) bool {
	return s.Phase == game.Playing && len(s.Seats) == 2 && s.Seats[0].Rack != ""
}

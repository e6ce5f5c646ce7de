package featuretest

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/robot"
)

// GameOver returns the log of a finished game of Ann and Bob, played as robots play.
func GameOver(t testing.TB) []game.Event {
	log, s := playTurns(t, 200)
	if s.Phase != game.Over || s.Turns < 8 {
		t.Fatalf("phase %d after %d turns", s.Phase, s.Turns)
	}
	return log
}

// Resigned returns the log of the same game, resigned by a player after a number of turns.
func Resigned(t testing.TB, turns int) []game.Event {
	log, s := playTurns(t, turns)
	events, err := game.Decide(s, s.Seats[s.Turn].Person, game.Resign{}, game.Env{Now: time.Now(), Cause: "resigns"})
	gametest.Must(t, err)
	return append(log, events...)
}

// Underway returns the log of the same game after a number of turns, and its state.
func Underway(t testing.TB, turns int) ([]game.Event, game.State) { return playTurns(t, turns) }

// playTurns plays a game of Ann and Bob as robots play, until it is over or has had a number of turns.
// It returns the log and the state.
func playTurns(t testing.TB, turns int) ([]game.Event, game.State) {
	var log []game.Event
	var s game.State
	do := func(p game.Person, a game.Action) {
		t.Helper()
		events, err := game.Decide(s, p, a, game.Env{Dict: bottest.Small(t), Now: time.Now(), Cause: fmt.Sprint(s.Number), Secret: game.Secret{6}})
		gametest.Must(t, err)
		for _, e := range events {
			s = s.Apply(e)
		}
		log = append(log, events...)
	}
	do(bottest.People["ann"], game.Open{Rules: game.Classic(), Equipment: Equipment(t), Lexicon: game.LexiconID{Name: "small", Hash: bottest.Small(t).Hash()}, Seats: 2})
	do(bottest.People["bob"], game.Join{})
	for turn := 0; s.Phase == game.Playing && turn < turns; turn++ {
		a, err := Mind(bottest.Small(t)).Choose(t.Context(), robot.Yardsticks()[turn%2], robot.See(s, s.Turn), 0, 1)
		gametest.Must(t, err)
		do(s.Seats[s.Turn].Person, a)
	}
	return log, s
}

// SomePlay returns the command of a person who knows the small list: the best play that it has,
// else an exchange or a pass.
func SomePlay(t testing.TB, s game.State, rack game.Tiles) string {
	best, line := -1, "/pass"
	if len(s.Bag) >= max(1, s.Rules.ExchangeMin) {
		line = "/exchange " + s.Equipment.Tiles.Print(rack[:1])
	}
	for word := range strings.FieldsSeq(gametest.SmallList) {
		sp, err := game.ParseSpelling(s.Equipment.Tiles, word)
		if err != nil {
			continue
		}
		if spots := s.Rules.Spots(s.Equipment, &s.Board, rack, sp, bottest.Small(t)); len(spots) > 0 && spots[0].Tally.Total > best {
			best = spots[0].Tally.Total
			line = "/play " + table.Spelling(s.Equipment.Tiles, spots[0].Move) + " " + spots[0].Move.At.At(spots[0].Move.Dir)
		}
	}
	return line
}

// Fills returns a command that plays a player's letters below the words on the board, from row
// 9 on, or "" if a third of the tiles are played. The words are phonies, which the rules must
// accept.
func Fills(s game.State) string {
	if 3*len(s.Board.Tiles()) >= len(s.Equipment.Tiles.All()) {
		return ""
	}
	letters := strings.ReplaceAll(s.Equipment.Tiles.Print(s.Seats[s.Turn].Rack), "?", "")
	for row := 8; ; row++ {
		if s.Board.Tile(game.Square{Row: row, Col: 7}) == game.NoTile {
			return fmt.Sprintf("/play %s %dh", letters, row+1)
		}
	}
}

// Goes starts the loops; stop ends them.
func (w *World) Goes() (stop func()) {
	ctx, cancel := context.WithCancel(w.T.Context())
	var all sync.WaitGroup
	all.Go(func() { w.Host.Deliver(ctx, "test", &w.Posts) })
	all.Go(func() { w.Host.RunTimers(ctx) })
	synctest.Wait()
	return func() { cancel(); all.Wait() }
}

// An Unreadable store has a table that can't be read.
type Unreadable struct {
	bot.Store
	ID     bot.TableID
	Panics bool // whether reading it panics instead of failing
}

// Events fails for the unreadable table.
func (s Unreadable) Events(ctx context.Context, id bot.TableID, n int) (bot.ChannelID, []game.Event, error) {
	if id == s.ID && s.Panics {
		panic("slice bounds out of range")
	}
	if id == s.ID {
		return "", nil, fmt.Errorf("read table %d: %w", id, bot.ErrUnreadable)
	}
	return s.Store.Events(ctx, id, n)
}

// Asides adds a platform that opens places beside a channel.
func Asides() func(*host.Config) {
	return func(c *host.Config) {
		c.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", Aside: BesideThere}} }
	}
}

var codeShown = regexp.MustCompile(`/link ([A-Z2-9]{4}-[A-Z2-9]{4})`)

// LinkCode returns the code in the reply to /link.
func LinkCode(t testing.TB, r bot.Reply) string {
	t.Helper()
	m := codeShown.FindStringSubmatch(r.Text.String())
	if m == nil {
		t.Fatalf("/link shows no code: %s", r.Text)
	}
	return m[1]
}

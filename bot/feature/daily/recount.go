package daily

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
)

// A recountResult is the outcome of [Recount].
type recountResult struct {
	Players     int
	Differences int // streaks that contradict the answers
}

// An exportedAnswer is an exported answer: one line of JSON.
type exportedAnswer struct {
	Place  bot.ChannelID `json:"place"`
	Day    puzzle.Day    `json:"day"`
	Player game.PlayerID `json:"player"`
	answerRow
}

// Recount rebuilds all streaks from the stored answers and days, corrects the rows that differ, and
// writes each answer to out unless out is nil.
func Recount(ctx context.Context, kept bot.Notes, out io.Writer) (r recountResult, err error) {
	s := newShelves(shelf.NewRoom(kept, nil).Owner("recount"))
	var given []exportedAnswer
	err = s.own.Change(ctx, func(tx shelf.Tx) error {
		r, given = recountResult{}, nil
		days, places := map[dayKey]dayRow{}, map[bot.ChannelID]placeRow{}
		if err := errors.Join(
			s.answers.In(tx).Each(func(k answerKey, a answerRow) error {
				given = append(given, exportedAnswer{bot.ChannelID(k.First.First), markDay(k.First.Second), game.PlayerID(k.Second), a})
				return nil
			}),
			s.days.In(tx).Each(func(k dayKey, d dayRow) error { days[k] = d; return nil }),
			s.places.In(tx).Each(func(ch shelf.Channel, p placeRow) error { places[bot.ChannelID(ch)] = p; return nil }),
		); err != nil {
			return err
		}
		slices.SortStableFunc(given, func(a, b exportedAnswer) int { return a.Tries[0].At.Compare(b.Tries[0].At) })
		counts := func(ch bot.ChannelID) func(puzzle.Day) bool {
			return func(d puzzle.Day) bool { return places[ch].counts(days[keyOfDay(ch, d)]) }
		}
		streaks := map[game.PlayerID]streak{}
		for _, g := range given {
			streaks[g.Player] = streaks[g.Player].play(g.Day, counts(g.Place))
		}
		return s.recountPlayers(tx, streaks, &r)
	})
	if err != nil || out == nil {
		return r, err
	}
	lines := json.NewEncoder(out)
	for _, g := range given {
		if err := lines.Encode(g); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (s shelves) recountPlayers(tx shelf.Tx, streaks map[game.PlayerID]streak, r *recountResult) error {
	players := s.players.In(tx)
	now := map[shelf.Person]playerRow{}
	if err := players.Each(func(who shelf.Person, p playerRow) error { now[who] = p; return nil }); err != nil {
		return err
	}
	for who, streak := range streaks {
		r.Players++
		p := now[shelf.Person(who)]
		if p.Streak == streak {
			continue
		}
		r.Differences++
		p.V, p.Streak = 1, streak
		if err := players.Put(shelf.Person(who), p); err != nil {
			return err
		}
	}
	return nil
}

package daily

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
)

// A Recounting is what [Recount] found.
type Recounting struct {
	Players, Places int
	Differences     int // streaks that were otherwise than the answers say
}

// A Given is an answer as it is exported: one line of JSON.
type Given struct {
	Place  bot.ChannelID `json:"place"`
	Day    puzzle.Day    `json:"day"`
	Player game.PlayerID `json:"player"`
	Answer
}

// Recount makes all streaks again from the answers and the days that are stored, puts
// right what differs, and writes each answer to out, where that isn't nil.
func Recount(ctx context.Context, kept bot.Notes, out io.Writer) (r Recounting, err error) {
	s := newShelves(shelf.NewRoom(kept, nil).Owner("recount"))
	var given []Given
	err = s.own.Change(ctx, func(tx shelf.Tx) error {
		r, given = Recounting{}, nil
		days, places := map[dayKey]Day{}, map[bot.ChannelID]Place{}
		var outages []Outage
		if err := errors.Join(
			s.answers.In(tx).Each(func(k answerKey, a Answer) error {
				given = append(given, Given{bot.ChannelID(k.First.First), markDay(k.First.Second), game.PlayerID(k.Second), a})
				return nil
			}),
			s.days.In(tx).Each(func(k dayKey, d Day) error { days[k] = d; return nil }),
			s.places.In(tx).Each(func(ch shelf.Channel, p Place) error { places[bot.ChannelID(ch)] = p; return nil }),
			s.outages.In(tx).Each(func(_ shelf.Mark, o Outage) error { outages = append(outages, o); return nil }),
		); err != nil {
			return err
		}
		slices.SortStableFunc(given, func(a, b Given) int { return a.Tries[0].At.Compare(b.Tries[0].At) })
		counts := func(ch bot.ChannelID) func(puzzle.Day) bool {
			return func(d puzzle.Day) bool {
				if day, had := days[keyOfDay(ch, d)]; had && day.Over {
					return day.Excuse == ""
				}
				if places[ch].Day > 0 {
					return false
				}
				var away time.Duration
				for _, o := range outages {
					away += overlap(o, d.Date(), d.Date().AddDate(0, 0, 1))
				}
				return away < tooLong
			}
		}
		streaks := map[game.PlayerID]Streak{}
		for _, g := range given {
			streaks[g.Player] = streaks[g.Player].play(g.Day, counts(g.Place))
		}
		if err := s.recountPlayers(tx, streaks, &r); err != nil {
			return err
		}
		return s.recountPlaces(tx, places, days, given, &r)
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

func (s shelves) recountPlayers(tx shelf.Tx, streaks map[game.PlayerID]Streak, r *Recounting) error {
	players := s.players.In(tx)
	now := map[shelf.Person]Player{}
	if err := players.Each(func(who shelf.Person, p Player) error { now[who] = p; return nil }); err != nil {
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

func (s shelves) recountPlaces(tx shelf.Tx, places map[bot.ChannelID]Place, days map[dayKey]Day, given []Given, r *Recounting) error {
	for ch, p := range places {
		r.Places++
		var over []puzzle.Day
		for k, d := range days {
			if bot.ChannelID(k.First) == ch && d.Over {
				over = append(over, markDay(k.Second))
			}
		}
		slices.Sort(over)
		was := p
		p.Streak, p.Ever = PlaceStreak{}, 0
		played, first := map[puzzle.Day]int{}, map[game.PlayerID]puzzle.Day{}
		for _, g := range given {
			day := days[keyOfDay(ch, g.Day)]
			if g.Place != ch || g.Day != p.Day && !day.Over {
				continue // elsewhere, or by themselves: no board was posted there then
			}
			played[g.Day]++
			if day.First && g.Tries[len(g.Tries)-1].At.Before(day.Opens) {
				continue // by themselves too, hours before the first board was posted
			}
			if d, had := first[g.Player]; !had || g.Day < d {
				first[g.Player] = g.Day
			}
		}
		for _, d := range over {
			ever := 0
			for _, since := range first {
				if since <= d {
					ever++
				}
			}
			p.Streak = p.Streak.day(played[d], ever, days[keyOfDay(ch, d)].Excuse == "")
		}
		if p.Ever = len(first); p == was {
			continue
		}
		r.Differences++
		if err := s.places.In(tx).Put(shelf.Channel(ch), p); err != nil {
			return err
		}
	}
	return nil
}

package daily

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// editEvery is the minimum time between two edits of a day's message.
const editEvery = 5 * time.Minute

// A ledger records the tries.
type ledger struct {
	desk     feature.Desk
	own      *shelf.Owner
	days     *shelf.Shelf[dayKey, dayRow]
	answers  *shelf.Shelf[answerKey, answerRow]
	players  *shelf.Shelf[shelf.Person, playerRow]
	calendar *calendar
}

// A tryResult is the outcome of a try.
type tryResult struct {
	tries    []attempt
	number   int // of the try, from 1
	refused  text.Text
	again    bool // whether it had been tried before
	newcomer bool // whether it is their first try of the day here
	streak   streak
}

// take records a try, once for each request. It refuses the try if none are left or the day is over
// by the host's clock.
func (l *ledger) take(ctx context.Context, user bot.User, who game.PlayerID, t today, try attempt) (done tryResult, err error) {
	for {
		before, _, err := l.players.Get(ctx, shelf.Person(who))
		if err != nil {
			return done, err
		}
		var failed error
		streak := before.Streak.play(t.day, l.calendar.countedDays(ctx, t.place, &failed))
		if failed != nil {
			return done, failed
		}
		err = l.own.Change(ctx, func(tx shelf.Tx) error {
			players, answers := l.players.In(tx), l.answers.In(tx)
			p, _, err := players.Get(shelf.Person(who))
			if err != nil {
				return err
			}
			if p.Streak != before.Streak {
				return errChanged
			}
			_, had, err := answers.Get(keyOfAnswer(t.place, t.day, who))
			if err != nil {
				return err
			}
			tries := p.Boards[t.boardID().key()]
			if done = t.judge(try, tries, had); done.number == 0 {
				return nil
			}
			done.streak = streak
			p.V, p.Streak, p.Place = 1, streak, t.place
			p.keep(t.boardID(), done.tries)
			if err := players.Put(shelf.Person(who), p); err != nil {
				return err
			}
			if !t.posted { // the day of a person who plays alone
				if err := l.days.In(tx).Put(keyOfDay(t.place, t.day), t.dayRow); err != nil {
					return err
				}
			}
			return answers.Put(keyOfAnswer(t.place, t.day, who), answerRow{V: 1, Name: user.Name, List: t.List, Tries: done.tries})
		})
		if !errors.Is(err, errChanged) {
			return done, err
		}
	}
}

// judge decides the outcome of one more try. had reports whether the person has an answer in this
// place. The outcome's number is 0 if nothing changes.
func (t today) judge(try attempt, tries []attempt, had bool) tryResult {
	done := tryResult{newcomer: !had}
	i := slices.IndexFunc(tries, func(old attempt) bool { return old.ID == try.ID })
	if try.ID == "" { // they have tried the board elsewhere and now come here
		if i = len(tries) - 1; had || i < 0 {
			return done
		}
	}
	if i < 0 {
		i = slices.IndexFunc(tries, func(old attempt) bool { return old.Play == try.Play && old.Score == try.Score })
		done.again = i >= 0
	}
	switch {
	case i >= 0:
	case !try.At.Before(t.Ends):
		done.refused = text.Say("That board is over. {daily} shows today's.", text.Code("/daily"))
		return done
	case triesLeft(tries) == 0:
		done.refused = t.progress(tries)
		return done
	default:
		tries = append(slices.Clone(tries), try)
		i = len(tries) - 1
	}
	done.tries, done.number = tries, i+1
	return done
}

// isBetter reports whether the try is of a better band than all before it.
func (t tryResult) isBetter() bool {
	for _, old := range t.tries[:t.number-1] {
		if old.Band <= t.tries[t.number-1].Band {
			return false
		}
	}
	return true
}

// scheduleEdit schedules an edit of the day's message, which shows how many people have played and how
// well.
func (l *ledger) scheduleEdit(ctx context.Context, t today, done tryResult) error {
	if !t.posted || !done.newcomer && (done.again || !done.isBetter()) {
		return nil
	}
	return wake(ctx, l.desk, t.place, countKind, int(t.day), l.desk.Now().UTC().Truncate(editEvery).Add(editEvery))
}

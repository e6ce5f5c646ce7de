package robots

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
)

// This file makes reviews. A request is recorded, and a timer due at once is stored. A
// worker judges move by move and stores what it has judged in the notes, where it can be
// read meanwhile. A worker that is stopped resumes there after the restart. Finished
// reviews are kept and never made twice.

// reviewerKind is the kind of the timers that make reviews. Their number is the table's ID,
// since it need not be the latest table of its channel.
const reviewerKind = "robot-reviews"

// A storedReview is a review as far as it has been made. It contains no names: players are
// seats of the table.
type storedReview struct {
	V    int    `json:"v"`
	List string `json:"list"` // hash of the word list it was judged by
	// Queued is when a timer to make it was set.
	Queued time.Time         `json:"queued,omitzero"`
	Turns  []storedJudgement `json:"turns,omitempty"`
	// By is the timer whose worker makes it, and Until the end of that worker's lease.
	By    uint64    `json:"by,omitempty"`
	Until time.Time `json:"until,omitzero"`
	// Asked lists the seats whose players get the finished review. Everybody requests a
	// public post of it.
	Asked     []int `json:"asked,omitempty"`
	Everybody bool  `json:"everybody,omitempty"`
}

type storedJudgement struct {
	Made    storedChoice   `json:"made"`
	Best    []storedChoice `json:"best"`
	Loss    float64        `json:"loss"`
	Sure    robot.Sureness `json:"sure,omitempty"`
	GivesUp *storedChance  `json:"gives_up,omitempty"`
	Phonies []storedTiles  `json:"phonies,omitempty"`
}

type storedChoice struct {
	Kind   game.MoveKind  `json:"kind,omitempty"`
	Row    int            `json:"row,omitempty"`
	Col    int            `json:"col,omitempty"`
	Dir    game.Dir       `json:"dir,omitempty"`
	Tiles  storedTiles    `json:"tiles,omitempty"`
	Points int            `json:"points,omitempty"`
	Equity float64        `json:"equity"`
	Sure   robot.Sureness `json:"sure,omitempty"`
	Chance *storedChance  `json:"chance,omitempty"`
}

// A storedChance is a chance to win, from 0 to 1, or the difference of two. It is missing
// if it wasn't estimated.
type storedChance struct {
	Win   float64 `json:"win"`
	Error float64 `json:"error"`
}

func storeChance(c robot.Chance) *storedChance {
	if !c.Known {
		return nil
	}
	return &storedChance{c.Win, c.Error}
}

func (c *storedChance) chance() robot.Chance {
	if c == nil {
		return robot.Chance{}
	}
	return robot.Chance{Win: c.Win, Error: c.Error, Known: true}
}

// storedTiles holds tiles, a byte each.
type storedTiles []byte

func storeChoice(c robot.Choice) storedChoice {
	return storedChoice{c.Move.Kind, c.Move.At.Row, c.Move.At.Col, c.Move.Dir, storedTiles(c.Move.Tiles), c.Points, c.Equity, c.Sure, storeChance(c.Chance)}
}

func (c storedChoice) choice() robot.Choice {
	m := game.Move{Kind: c.Kind, At: game.Square{Row: c.Row, Col: c.Col}, Dir: c.Dir, Tiles: game.Tiles(c.Tiles)}
	return robot.Choice{Move: m, Points: c.Points, Equity: c.Equity, Sure: c.Sure, Chance: c.Chance.chance()}
}

func storeJudgement(j robot.Judgement) storedJudgement {
	s := storedJudgement{Made: storeChoice(j.Made), Loss: j.Loss, Sure: j.Sure, GivesUp: storeChance(j.GivesUp)}
	for _, c := range j.Best {
		s.Best = append(s.Best, storeChoice(c))
	}
	for _, w := range j.Phonies {
		s.Phonies = append(s.Phonies, storedTiles(w))
	}
	return s
}

// judgement returns the judgement of a decision.
func (s storedJudgement) judgement(d robot.Decision) robot.Judgement {
	j := robot.Judgement{Decision: d, Made: s.Made.choice(), Loss: s.Loss, Sure: s.Sure, GivesUp: s.GivesUp.chance()}
	for _, c := range s.Best {
		j.Best = append(j.Best, c.choice())
	}
	for _, w := range s.Phonies {
		j.Phonies = append(j.Phonies, game.Tiles(w))
	}
	return j
}

// judgements returns the judgements that a review has so far.
func (s storedReview) judgements(all []robot.Decision) []robot.Judgement {
	var turns []robot.Judgement
	for i, t := range s.Turns[:min(len(s.Turns), len(all))] {
		turns = append(turns, t.judgement(all[i]))
	}
	return turns
}

// reviewVersion is the version of storedReview. Reviews of other versions are made again:
// the first judged moves only by their score and the tiles they keep.
const reviewVersion = 2

// forList returns the review for a word list. If it was made by another list or version, it has
// no judged turns.
func (s storedReview) forList(list string) storedReview {
	if s.V != reviewVersion || s.List != list {
		s.Turns = nil
	}
	s.V, s.List = reviewVersion, list
	return s
}

// changeReview changes a table's review and returns the result.
func (f *Feature) changeReview(ctx context.Context, id bot.TableID, list string, fn func(*storedReview)) (s storedReview, err error) {
	err = f.reviews.Change(ctx, shelf.Table(id), func(now *storedReview) (keep bool, err error) {
		*now = now.forList(list)
		fn(now)
		s = *now
		return true, nil
	})
	return s, err
}

// judging is the approximate processor time it takes to judge a move.
const judging = 140 * time.Millisecond

// queuedFor sets how long a queued review isn't queued again.
const queuedFor = 10 * time.Minute

// askForReview returns the review of a game with moves moves, as far as it has been made.
// If there is more to make, it queues a worker, and records that who, if they played, or
// everyone should get the result.
func (f *Feature) askForReview(ctx context.Context, t table.Table, list string, moves int, who game.PlayerID, everybody bool) (storedReview, error) {
	s, _, err := f.reviews.Get(ctx, shelf.Table(t.ID))
	if err != nil {
		return s, err
	}
	if s = s.forList(list); len(s.Turns) >= moves && !everybody {
		return s, nil
	}
	if left := moves - len(s.Turns); left > 0 && f.desk.Now().Sub(s.Queued) > queuedFor {
		if err := f.Charge(ctx, time.Duration(left)*judging); err != nil {
			return s, err
		}
	}
	due := false
	s, err = f.changeReview(ctx, t.ID, list, func(s *storedReview) {
		if due = false; len(s.Turns) >= moves && !everybody {
			return
		}
		if seat, ok := t.SeatOf(who); everybody {
			s.Everybody = true
		} else if ok && !slices.Contains(s.Asked, seat) {
			s.Asked = append(s.Asked, seat)
		}
		if now := f.desk.Now(); everybody || now.Sub(s.Queued) > queuedFor {
			due, s.Queued = true, now.UTC()
		}
	})
	if err != nil || !due {
		return s, err
	}
	return s, f.setReviewer(ctx, t, f.desk.Now())
}

// setReviewer sets a timer that makes a table's review.
func (f *Feature) setReviewer(ctx context.Context, t table.Table, at time.Time) error {
	return f.desk.Update(ctx, t.Channel, "", func(r *feature.Room) error {
		r.Timer(bot.Timer{At: at, Kind: reviewerKind, Number: int(t.ID)})
		return nil
	})
}

// madeFor is the length of a worker's lease on a review, so that two don't do the same
// work. Each save renews it.
const madeFor = time.Minute

// makeReview makes the review that a timer names and sends it to the players who wait for
// it.
func (f *Feature) makeReview(ctx context.Context, timer bot.Timer) error {
	t, mind, err := f.loadFinished(ctx, bot.Request{Channel: timer.Channel, Table: bot.TableID(timer.Number)})
	if errors.Is(err, bot.ErrNoTable) || words.IsMistake(err) {
		return nil // the game can't be reviewed any more
	}
	if err != nil {
		return err
	}
	mine := false
	s, err := f.changeReview(ctx, t.ID, mind.Words().Hash(), func(s *storedReview) {
		now := f.desk.Now()
		if mine = s.By == timer.ID || !now.Before(s.Until); mine && len(s.Turns) < len(robot.Decisions(t.Events)) {
			s.By, s.Until = timer.ID, now.Add(madeFor).UTC()
		}
	})
	if err != nil {
		return fmt.Errorf("review table %d: %w", t.ID, err)
	}
	if !mine { // try again when the other's lease ends
		return f.setReviewer(ctx, t, s.Until)
	}
	if s, err = f.judgeAll(ctx, t, mind); err != nil {
		return err
	}
	return f.sendReview(ctx, timer, t, s)
}

// keepEvery is the time between saves of judged moves.
const keepEvery = 200 * time.Millisecond

// judgeAll judges the remaining moves of a game and saves them.
func (f *Feature) judgeAll(ctx context.Context, t table.Table, mind *robot.Mind) (storedReview, error) {
	list, all, reviewer := mind.Words().Hash(), robot.Decisions(t.Events), mind.Reviewer()
	s, err := f.changeReview(ctx, t.ID, list, func(*storedReview) {})
	turns, kept := s.Turns, f.desk.Now()
	for err == nil && len(turns) < len(all) {
		var j robot.Judgement
		j, err = feature.Heavy(ctx, f.desk, nil, func(ctx context.Context) (robot.Judgement, error) {
			j, err := reviewer.Judge(ctx, all[len(turns)])
			return j, errors.Join(err, ctx.Err()) // the search was cut short
		})
		if err != nil {
			break
		}
		turns = append(turns, storeJudgement(j))
		if now := f.desk.Now(); len(turns) == len(all) || now.Sub(kept) >= keepEvery {
			kept = now
			s, err = f.changeReview(ctx, t.ID, list, func(s *storedReview) {
				if len(s.Turns) < len(turns) { // no other worker has judged more
					s.Turns = turns
				}
				switch {
				case len(s.Turns) == len(all):
					s.By, s.Until = 0, time.Time{} // done: release the lease
				case s.By != 0:
					s.Until = now.Add(madeFor).UTC()
				}
			})
			turns = s.Turns
		}
	}
	if err != nil {
		return s, fmt.Errorf("review table %d: %w", t.ID, err)
	}
	return s, nil
}

// sendReview sends a review to the players who wait for it, and posts it if that was asked.
// If its table isn't the channel's latest any more, it sends nothing, and they have to ask
// again.
func (f *Feature) sendReview(ctx context.Context, timer bot.Timer, t table.Table, s storedReview) error {
	if len(s.Asked) == 0 && !s.Everybody {
		return nil
	}
	if timer.Table == t.ID {
		err := feature.AtTable(ctx, f.desk, timer, func(r *feature.Room) error {
			now := r.Table
			post := bot.Post{From: now.Number, To: now.Number, Kind: reviewKind}
			if s.Everybody {
				r.Post(post)
			}
			for _, seat := range s.Asked {
				post.For = now.Seats[seat].Person.ID
				r.Post(post)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	_, err := f.changeReview(ctx, t.ID, s.List, func(now *storedReview) {
		now.Asked = slices.DeleteFunc(now.Asked, func(seat int) bool { return slices.Contains(s.Asked, seat) })
		now.Everybody = now.Everybody && !s.Everybody
		now.Queued, now.By, now.Until = time.Time{}, 0, time.Time{}
	})
	return err
}

package robots

import (
	"context"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
)

// This file gives hints: the move of a robot that knows every word, revealed in steps.
// Hints are private until the game is over; then everyone sees how many there were.

// hintSteps limits how often a player can ask at a turn: for the best play's score, its
// place, and the play itself.
const hintSteps = 3

func (f *Feature) hint(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.desk.Change(ctx, req, func(t table.Table) (game.Action, error) {
		if f.Mind == nil || !table.RobotsKnow(t.Rules) {
			return nil, &game.RuleError{Code: game.NoHints}
		}
		if t.ChangedSince(req) {
			return nil, words.OutOfDate()
		}
		seat, seated := t.SeatOf(req.User.ID)
		if seated && t.Phase == game.Playing && t.Turn == seat && t.Seats[seat].HintsNow == hintSteps {
			// Everything has been revealed: repeat it without counting it.
			reply, err := f.reply(ctx, t, seat)
			if err != nil {
				return nil, err
			}
			return nil, &words.Refusal{Reply: reply}
		}
		return game.Hint{}, nil
	})
}

// judgeTime limits the search for a hint, including the wait for other work before it. The
// player is waiting for the answer.
const judgeTime = 2 * time.Second

// A position is everything that a hint depends on and that changes during a game. All steps
// of a hint share one search.
type position struct {
	table             bot.TableID
	board             game.Board
	rack, unseen      game.Tiles
	passes, scoreless int
}

// bestOf returns the best move of a position. If it isn't cached, it calls search, whose
// context ends after judgeTime; search then returns the best move found so far. If the host
// has no time for the asker, search runs with an ended context, so that a hint, which
// counts, always has an answer.
func (f *Feature) bestOf(ctx context.Context, p position, search func(context.Context) (robot.Choice, error)) (robot.Choice, error) {
	hurried, stop := context.WithTimeout(ctx, judgeTime)
	defer stop()
	var hasty *robot.Choice
	best, err := feature.Heavy(hurried, f.desk, p, func(ctx context.Context) (robot.Choice, error) {
		c, err := search(ctx)
		if err == nil && ctx.Err() != nil { // too hasty to cache
			hasty, err = &c, ctx.Err()
		}
		return c, err
	})
	switch {
	case hasty != nil:
		return *hasty, nil
	case words.IsMistake(err) || err != nil && hurried.Err() != nil:
		stop()
		return search(hurried)
	}
	return best, err
}

// reply returns the part of a hint that a player has asked for at this turn.
func (f *Feature) reply(ctx context.Context, t table.Table, seat int) (bot.Reply, error) {
	dict, err := f.desk.Lists().Dictionary(t.State)
	if err != nil {
		return bot.Reply{}, err
	}
	v := robot.See(t.State, seat)
	mind, step := f.Mind(dict), t.Seats[seat].HintsNow
	first, err := mind.First(v)
	if err != nil {
		return bot.Reply{}, fmt.Errorf("find a hint: %w", err)
	}
	if step == 1 { // the player waits for this; later steps search longer
		said, next := hintText(t, first, first, step)
		return hintReply(t, first, said, next), nil
	}
	best, err := f.bestOf(ctx, position{t.ID, v.Board, v.Rack, v.Unseen, v.Passes, v.Scoreless}, func(ctx context.Context) (robot.Choice, error) {
		all, err := mind.Best(ctx, v, 1)
		if err != nil {
			return robot.Choice{}, err
		}
		return all[0], nil
	})
	if err != nil {
		return bot.Reply{}, fmt.Errorf("find a hint: %w", err)
	}
	said, next := hintText(t, first, best, step)
	return hintReply(t, best, said, next), nil
}

func hintReply(t table.Table, best robot.Choice, said, next text.Text) bot.Reply {
	r := bot.Reply{Text: said}
	if next != nil {
		r.Buttons = []bot.Button{t.Button(next, "hint", bot.Ordinary, nil)}
	} else if best.Move.Kind != game.PassTurn {
		r.Buttons = []bot.Button{moveButton(t, best.Move, best.Points)}
	}
	return r
}

// hintText returns a step of a hint and the label of the next step, or nil if there is
// none. The best move may turn out to differ from the one described in the first step.
func hintText(t table.Table, first, best robot.Choice, step int) (said, next text.Text) {
	set, m := t.Equipment.Tiles, best.Move
	another := best.Move != first.Move
	switch m.Kind {
	case game.PassTurn:
		if another {
			return text.Say("Looking further ahead, I'd {pass}: anything you play helps the others more.", text.Code("/pass")), nil
		}
		return text.Say("I can't find a play, and tiles can't be exchanged now, so all you can do is {pass}.", text.Code("/pass")), nil
	case game.ExchangeTiles:
		if step == 1 {
			return text.Say("I'd exchange {n, plural, one {# tile} other {# tiles}}: better tiles are worth more than any play I can find. Asking which ones counts as another hint.", len(m.Tiles)), text.Say("Which?")
		}
		if another {
			return text.Say("Looking further ahead, I'd rather put back {tiles}.", text.Strong(words.SpacedTiles(set, m.Tiles))), nil
		}
		return text.Say("I'd put back {tiles}.", text.Strong(words.SpacedTiles(set, m.Tiles))), nil
	}
	at := m.At.At(m.Dir)
	switch step {
	case 1:
		return text.Say("Best play: {score} points with {n, plural, one {# tile} other {# tiles}}. Asking where it goes counts as another hint.", text.Strong(best.Points), len(m.LaidSquares())), text.Say("Where?")
	case 2:
		if another {
			return text.Say("Looking further ahead, I prefer another play: it scores {score}, starts at {square} and reads {way, select, across {across} other {down}}.", text.Strong(best.Points), text.Strong(at), m.Dir), text.Say("Show me")
		}
		return text.Say("It scores {score}, starts at {square} and reads {way, select, across {across} other {down}}.", text.Strong(best.Points), text.Strong(at), m.Dir), text.Say("Show me")
	}
	return text.Say("{word} at {square} scores {score}.", text.Strong(words.PlainWord(set, mainWord(t, m))), at, text.Strong(best.Points)), nil
}

// mainWord returns the main word of a play, including tiles on the board.
func mainWord(t table.Table, m game.Move) game.Tiles {
	tally, err := t.Rules.Tally(t.Equipment, &t.Board, m)
	if err != nil {
		return m.Tiles
	}
	return tally.Words[0].Tiles
}

// moveButton returns the button that makes a proposed move.
func moveButton(t table.Table, m game.Move, points int) bot.Button {
	set := t.Equipment.Tiles
	if m.Kind == game.ExchangeTiles {
		tiles := set.Print(m.Tiles)
		return t.Button(text.Say("Exchange {tiles}", tiles), "exchange", bot.Primary, map[string]string{"tiles": tiles})
	}
	return t.Button(text.Say("Play it for {score}", points), "play", bot.Primary, map[string]string{"word": table.Spelling(set, m), "at": m.At.At(m.Dir)})
}

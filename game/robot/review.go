package robot

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// This file judges the moves that people made, by what they could see.

// A Choice is a move that could be made, and what it is worth.
type Choice struct {
	Move   game.Move
	Points int // that it scores
	// Equity is the points and what the tiles kept are worth. When the bag is
	// empty and two play, it is what the move gains on the other player until
	// the end of the game, if both then play well.
	Equity float64
}

// A Decision is a move that somebody made, and what they saw when they did.
type Decision struct {
	Turn   int // of the game, from 1
	Number int // of the event
	View   View
	Move   game.Move
	// TakenOff says that the play was challenged, and came off the board.
	TakenOff bool
}

// Decisions lists the moves of a game, the turns lost to a challenge left out.
// Events are a log that replays.
func Decisions(events []game.Event) []Decision {
	var all []Decision
	var s game.State
	turn := 0
	for _, e := range events {
		d := Decision{Turn: turn + 1, Number: e.Number}
		seat := -1
		switch f := e.Fact.(type) {
		case game.Played:
			seat, d.Move = f.Seat, f.Move
		case game.Exchanged:
			seat, d.Move = f.Seat, game.Move{Kind: game.ExchangeTiles, Tiles: f.Put}
		case game.Passed:
			seat, d.Move = f.Seat, game.Move{Kind: game.PassTurn}
		case game.TurnLost:
			turn++
		case game.Challenged:
			if len(f.Invalid) > 0 {
				all[len(all)-1-trailing(all, f.Player)].TakenOff = true
			}
		}
		if seat >= 0 {
			d.View = See(s, seat)
			all = append(all, d)
			turn++
		}
		s = s.Apply(e)
	}
	return all
}

// trailing is how many decisions came after a seat's last one. A lost turn may
// lie between a play and its challenge, but no other's move.
func trailing(all []Decision, seat int) int {
	for i := range all {
		if all[len(all)-1-i].View.Me == seat {
			return i
		}
	}
	return 0
}

// A Judgement is what there is to say of a decision.
type Judgement struct {
	Decision
	Made Choice
	// Best are the moves that would have been best, the first of all first.
	Best []Choice
	// Loss is how much more the first of Best was worth, in points of equity:
	// 0 or more. A play that came off the board is worth what a pass is.
	Loss float64
	// Phonies are the words that were formed and are in no list.
	Phonies []game.Tiles
}

// Accuracy is a percentage: 100 for a move that nothing beats, and half as much
// for every 20 points that a move gives up.
func (j Judgement) Accuracy() float64 { return 100 * math.Exp2(-j.Loss/20) }

// mostBest is how many moves a judgement names.
const mostBest = 5

// Judge says what a decision was worth, and what would have been better.
func (m *Mind) Judge(ctx context.Context, d Decision) (Judgement, error) {
	j := Judgement{Decision: d, Made: Choice{Move: d.Move}}
	v := &d.View
	if d.Move.Kind == game.PlayTiles {
		tally, err := v.Rules.Tally(v.Equipment, &v.Board, d.Move)
		if err != nil {
			return j, fmt.Errorf("judge turn %d: %w", d.Turn, err)
		}
		j.Made.Points, j.Phonies = tally.Total, tally.Phonies(m.lex)
	}
	b, err := m.bench(ctx, d.View)
	if err != nil {
		return j, err
	}
	defer b.done()
	counts := j.Made
	if d.TakenOff {
		counts = Choice{Move: game.Move{Kind: game.PassTurn}}
	}
	j.Made.Equity = b.equity(counts.Move, counts.Points)
	j.Best = b.best(mostBest, j.Made)
	j.Loss = max(0, j.Best[0].Equity-j.Made.Equity)
	return j, nil
}

// Best lists the best moves of a player, the first of all first: there is one at
// the least, and so many at the most.
func (m *Mind) Best(ctx context.Context, v View, most int) ([]Choice, error) {
	b, err := m.bench(ctx, v)
	if err != nil {
		return nil, err
	}
	defer b.done()
	return b.best(most, Choice{}), nil
}

// A bench is where moves are judged: by one who knows every word, and thinks no
// further than the tiles that are kept; but when the bag is empty, to the end.
type bench struct {
	thought
	ctx    context.Context
	solver *solver // nil while there are tiles in the bag, or others than two play
	ending ending
}

func (m *Mind) bench(ctx context.Context, v View) (*bench, error) {
	t, err := m.think(Level{knowledge: knowledge{tier: lexicon.Rare}, leaves: true}, v)
	if err != nil {
		return nil, err
	}
	b := &bench{thought: *t, ctx: ctx}
	if w, _ := b.world(); v.Bag == 0 && len(w.seats) == 2 {
		b.solver = &solver{gen: t.gen, rules: v.Rules, set: v.Equipment.Tiles}
		b.ending = ending{board: v.Board, racks: [2]game.Tiles{v.Rack, v.Unseen}, passes: v.Passes, scoreless: v.Scoreless}
	}
	return b, nil
}

// The moves of an ending that look best are searched, so many positions each.
const (
	endingMoves     = 8
	endingPositions = 200
)

// equity is what a move is worth.
func (b *bench) equity(m game.Move, points int) float64 {
	if b.solver == nil {
		return b.worth.equity(m, points).Float()
	}
	next, gain, over := b.solver.made(&b.ending, m, points)
	if over {
		return float64(gain)
	}
	return float64(gain - b.solver.solve(b.ctx, next, endingPositions).value)
}

// best lists the best moves. made is one whose worth is known already.
func (b *bench) best(most int, made Choice) []Choice {
	var all []Choice
	if b.solver == nil {
		for _, c := range b.choices() {
			all = append(all, Choice{c.move, c.points, c.equity.Float()})
		}
		return all[:min(most, len(all))]
	}
	options := slices.Clone(b.solver.options(&b.ending, 0))
	slices.SortStableFunc(options, better)
	for _, o := range options[:min(endingMoves, len(options))] {
		c := Choice{Move: game.Move{Kind: game.PassTurn}}
		if !o.pass {
			c.Move, c.Points = o.play.Move(), int(o.play.Score)
		}
		if c.Move == made.Move {
			c.Equity = made.Equity
		} else {
			c.Equity = b.equity(c.Move, c.Points)
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b Choice) int { return cmp.Compare(b.Equity, a.Equity) })
	return all[:min(most, len(all))]
}

// A Review is what there is to say of a game's moves.
type Review struct {
	Turns []Judgement
	// Players are the game's, by seat.
	Players []Reviewed
}

// A Reviewed is how one player played.
type Reviewed struct {
	Turns    int     // that they had a choice in
	Loss     float64 // points of equity given up a turn, on average
	Accuracy float64 // the average of the turns', in percent; see [Judgement.Accuracy]
	Phonies  []game.Tiles
	// Phonies are the words they played that are in no list and stood.
}

// Review judges all decisions of a game of so many players.
func (m *Mind) Review(ctx context.Context, players int, all []Decision) (Review, error) {
	r := Review{Players: make([]Reviewed, players)}
	for _, d := range all {
		j, err := m.Judge(ctx, d)
		if err != nil {
			return Review{}, err
		}
		r.Turns = append(r.Turns, j)
		p := &r.Players[d.View.Me]
		p.Turns++
		p.Loss += j.Loss
		p.Accuracy += j.Accuracy()
		if !d.TakenOff {
			p.Phonies = append(p.Phonies, j.Phonies...)
		}
	}
	for i := range r.Players {
		if p := &r.Players[i]; p.Turns > 0 {
			p.Loss /= float64(p.Turns)
			p.Accuracy /= float64(p.Turns)
		}
	}
	return r, nil
}

// Missed lists the turns that gave up a point or more, the costliest first.
func (r Review) Missed() []Judgement {
	var all []Judgement
	for _, j := range r.Turns {
		if j.Loss >= 1 {
			all = append(all, j)
		}
	}
	slices.SortStableFunc(all, func(a, b Judgement) int { return cmp.Compare(b.Loss, a.Loss) })
	return all
}

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
	// the end of the game, if both then play as well as can be.
	Equity float64
	// Sure says how to take the equity of a move in an ending.
	Sure Sureness
	// Chance is the chance to win after the move, where there are tiles in the bag and it was
	// looked for.
	Chance Chance
}

// A Sureness says how to take a number of points that was searched for.
type Sureness uint8

const (
	// Plain is a number as it stands: proven in an ending, and elsewhere what
	// points and the tiles kept come to.
	Plain Sureness = iota
	// AtLeast is a number that the search, which wasn't done, can only raise.
	AtLeast
	// About is a number that the search, which wasn't done, can change.
	About
)

// String is "at least", "about", or nothing for a plain number.
func (s Sureness) String() string { return [...]string{"", "at least", "about"}[s] }

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
	// 0 or more. A play that came off the board is worth what a pass is. With tiles in the
	// bag it is how many points more the first of Best brought, and 0 where it isn't sure that
	// it was better.
	Loss float64
	Sure Sureness // of the loss
	// GivesUp is by how much less the move leaves of the chance to win than the first of
	// Best; it is known with tiles in the bag.
	GivesUp Chance
	// Phonies are the words that were formed and are in no list.
	Phonies []game.Tiles
}

// Accuracy is a percentage: 100 for a move that nothing beats, and half as much
// for every 20 points that a move gives up.
func (j Judgement) Accuracy() float64 { return 100 * math.Exp2(-j.Loss/20) }

// Mistake reports whether something else was better, as far as that is sure.
func (j Judgement) Mistake() bool {
	if j.GivesUp.Known {
		return j.GivesUp.Sure() && j.GivesUp.Win >= leastGiven
	}
	return j.Loss >= leastLoss
}

// What is less than these nobody calls a mistake: a part of the chance to win, and points.
const (
	leastGiven = 0.001
	leastLoss  = 0.05
)

// mostBest is how many moves a judgement names.
const mostBest = 5

// Judge says what one decision was worth, and what would have been better.
func (m *Mind) Judge(ctx context.Context, d Decision) (Judgement, error) {
	return m.Reviewer().Judge(ctx, d)
}

// judge is Judge with what is known of the game's endings, which it adds to.
func (m *Mind) judge(ctx context.Context, d Decision, known *findings) (Judgement, error) {
	j := Judgement{Decision: d, Made: Choice{Move: d.Move}}
	v := &d.View
	if d.Move.Kind == game.PlayTiles {
		tally, err := v.Rules.Tally(v.Equipment, &v.Board, d.Move)
		if err != nil {
			return j, fmt.Errorf("judge turn %d: %w", d.Turn, err)
		}
		j.Made.Points, j.Phonies = tally.Total, tally.Phonies(m.lex)
	}
	b, err := m.bench(ctx, d.View, known)
	if err != nil {
		return j, err
	}
	defer b.done()
	counts := Choice{Move: game.Move{Kind: game.PassTurn}}
	if !d.TakenOff {
		counts = j.Made
	}
	b.judge(&j, counts)
	return j, nil
}

// Best lists the best moves of a player, the first of all first: there is one at
// the least, and no more than the second number.
func (m *Mind) Best(ctx context.Context, v View, most int) ([]Choice, error) {
	b, err := m.bench(ctx, v, newFindings())
	if err != nil {
		return nil, err
	}
	defer b.done()
	if b.solver == nil {
		all := b.bestWeighed(b.weigh(ctx, nil, hintPositions))
		return all[:min(most, len(all))], nil
	}
	return b.endings(most, hintPositions), nil
}

// First is the best move of a player by what it scores and keeps, in a thousandth of the time
// that [Mind.Best] takes.
func (m *Mind) First(v View) (Choice, error) {
	t, err := m.think(Level{knowledge: knowledge{tier: lexicon.Rare}, leaves: true}, v)
	if err != nil {
		return Choice{}, err
	}
	defer t.done()
	c := t.worth.best(&t.Board)
	return Choice{Move: c.move, Points: c.points, Equity: c.equity.Float()}, nil
}

// CanPlay reports whether the whole list has a play from any of some racks.
func (m *Mind) CanPlay(s game.State, racks ...game.Tiles) (bool, error) {
	p := m.part(Level{knowledge: knowledge{tier: lexicon.Rare}})
	g, err := p.generator(s.Equipment, s.Rules)
	if err != nil {
		return false, err
	}
	defer p.idle.Put(g)
	return slices.ContainsFunc(racks, func(rack game.Tiles) bool { return len(g.Plays(&s.Board, rack)) > 0 }), nil
}

// A bench is where moves are judged: by one who knows every word, in worlds that may be, and
// when the bag is empty to the end.
type bench struct {
	thought
	ctx    context.Context
	solver *solver // nil while there are tiles in the bag, or others than two play
	ending ending
}

// bench makes a bench. What is known of the game's endings is added to.
func (m *Mind) bench(ctx context.Context, v View, known *findings) (*bench, error) {
	t, err := m.think(Level{knowledge: knowledge{tier: lexicon.Rare}, leaves: true}, v)
	if err != nil {
		return nil, err
	}
	b := &bench{thought: *t, ctx: ctx}
	if w, _ := b.world(); v.Bag == 0 && len(w.seats) == 2 {
		b.solver = newSolver(t.gen, v.Rules, v.Equipment.Tiles)
		b.solver.known = known
		b.ending = t.ending()
	}
	return b, nil
}

// How many positions are looked at: to weigh up a move while tiles are in the bag; to find a
// hint; to find the best move of an ending, to find what another gains, and to find the next best
// moves. A game has some 24 moves, of which 20 are made with tiles in the bag, and its review
// takes 4 seconds or so.
const (
	weighPositions  = 10_000
	hintPositions   = 18_000
	endingPositions = 60_000
	madePositions   = 30_000
	nextPositions   = 3_000
)

// judge says what a move was worth, and what would have been better. counts is
// what became of it.
func (b *bench) judge(j *Judgement, counts Choice) {
	made := &j.Made
	if b.solver == nil {
		b.judgeByChance(j, counts)
		return
	}
	j.Best = b.endings(mostBest, endingPositions)
	i := slices.IndexFunc(j.Best, func(c Choice) bool { return c.Move == counts.Move })
	if i < 0 || j.Best[i].Sure != Plain {
		counts.Equity, counts.Sure = b.gains(counts.Move, counts.Points)
		if j.Best[0].Sure == Plain {
			counts.Equity = min(counts.Equity, j.Best[0].Equity)
		}
		if i >= 0 {
			j.Best = slices.Delete(j.Best, i, i+1)
		}
		j.Best = append(j.Best, counts)
		slices.SortStableFunc(j.Best, worthMore)
		j.Best = j.Best[:min(mostBest, len(j.Best))]
	} else {
		counts = j.Best[i]
	}
	made.Equity, made.Sure = counts.Equity, counts.Sure
	j.Loss, j.Sure = j.Best[0].Equity-made.Equity, max(j.Best[0].Sure, made.Sure)
}

// judgeByChance is judge while there are tiles in the bag.
func (b *bench) judgeByChance(j *Judgement, counts Choice) {
	made := &j.Made
	equity := b.worth.equity(counts.Move, counts.Points)
	made.Equity = equity.Float()
	all := b.weigh(b.ctx, &choice{counts.Move, counts.Points, equity}, weighPositions)
	i := slices.IndexFunc(all, func(m weighed) bool { return m.move == counts.Move })
	made.Chance = all[i].Chance
	by, points := all[0].before(&all[i])
	by.Win = max(0, by.Win)
	j.GivesUp, j.Sure = by, About
	if j.Mistake() {
		j.Loss = max(0, points)
	}
	j.Best = b.bestWeighed(all)
	j.Best = j.Best[:min(mostBest, len(j.Best))]
}

// bestWeighed is moves that were weighed up as choices.
func (b *bench) bestWeighed(moves []weighed) []Choice {
	var all []Choice
	for _, m := range moves {
		all = append(all, Choice{Move: m.move, Points: m.points, Equity: m.equity.Float(), Chance: m.Chance})
	}
	return all
}

// worthMore orders choices by what they are worth, of equals those that are sure
// first.
func worthMore(a, b Choice) int {
	return cmp.Or(cmp.Compare(b.Equity, a.Equity), cmp.Compare(a.Sure, b.Sure))
}

// gains is what a move of an ending gains.
func (b *bench) gains(m game.Move, points int) (equity float64, sure Sureness) {
	next, gain, over := b.solver.made(&b.ending, m, points)
	if over {
		return float64(gain), Plain
	}
	found := b.solver.solve(b.ctx, next, madePositions, 1)
	if !found.exact {
		sure = About
	}
	return float64(gain - found.lines[0].value), sure
}

// endings lists the best moves of an ending.
func (b *bench) endings(most, positions int) []Choice {
	best := b.solver.solve(b.ctx, b.ending, positions, 1)
	next := b.solver.solve(b.ctx, b.ending, nextPositions, most)
	var all []Choice
	for _, l := range distinct(append(best.lines, next.lines...)) {
		c := Choice{Move: l.move(), Points: int(l.play.Score), Equity: float64(l.value)}
		switch {
		case !l.exact:
			c.Sure = About
		case !best.exact:
			c.Sure = AtLeast
		}
		if best.exact {
			c.Equity = min(c.Equity, float64(best.lines[0].value))
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, worthMore)
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

// Review judges all decisions of a game of n players.
func (m *Mind) Review(ctx context.Context, players int, all []Decision) (Review, error) {
	r := m.Reviewer()
	var turns []Judgement
	for _, d := range all {
		j, err := r.Judge(ctx, d)
		if err != nil {
			return Review{}, err
		}
		turns = append(turns, j)
	}
	return Reviewing(players, turns), nil
}

// A Reviewer judges the decisions of one game: what it finds of one ending helps
// with the next. It is not safe for concurrent use.
type Reviewer struct {
	mind  *Mind
	known *findings
}

// Reviewer makes a reviewer of a game.
func (m *Mind) Reviewer() *Reviewer { return &Reviewer{m, newFindings()} }

// Judge says what a decision was worth, and what would have been better.
func (r *Reviewer) Judge(ctx context.Context, d Decision) (Judgement, error) {
	return r.mind.judge(ctx, d, r.known)
}

// Reviewing is the review of a game of n players, as far as its turns are
// judged.
func Reviewing(players int, turns []Judgement) Review {
	r := Review{Turns: turns, Players: make([]Reviewed, players)}
	for _, j := range turns {
		p := &r.Players[j.View.Me]
		p.Turns++
		p.Loss += j.Loss
		p.Accuracy += j.Accuracy()
		if !j.TakenOff {
			p.Phonies = append(p.Phonies, j.Phonies...)
		}
	}
	for i := range r.Players {
		if p := &r.Players[i]; p.Turns > 0 {
			p.Loss /= float64(p.Turns)
			p.Accuracy /= float64(p.Turns)
		}
	}
	return r
}

// Missed lists the mistakes that gave up a point or more, or a hundredth of the chance to win,
// the costliest first.
func (r Review) Missed() []Judgement {
	var all []Judgement
	for _, j := range r.Turns {
		if j.Mistake() && (j.Loss >= 1 || j.GivesUp.Win >= 0.01) {
			all = append(all, j)
		}
	}
	slices.SortStableFunc(all, func(a, b Judgement) int {
		return cmp.Or(cmp.Compare(b.Loss, a.Loss), cmp.Compare(b.GivesUp.Win, a.GivesUp.Win))
	})
	return all
}

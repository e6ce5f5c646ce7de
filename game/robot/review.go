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

// This file judges moves by what the player could see.

// A Choice is a possible move and its value.
type Choice struct {
	Move   game.Move
	Points int // points that the move scores
	// Equity is the points plus the value of the tiles kept. When the bag is empty and two play, it
	// is what the move gains on the opponent until the end of the game, with best play by both.
	Equity float64
	// Sure qualifies the equity of a move in an ending.
	Sure Sureness
	// Chance is the chance to win after the move, if there are tiles in the bag and it was
	// computed.
	Chance Chance
}

// A Sureness qualifies a number of points that a search found.
type Sureness uint8

const (
	// Plain is an unqualified number: proven in an ending, or an estimate from points and leaves
	// elsewhere.
	Plain Sureness = iota
	// AtLeast is a lower bound from an unfinished search.
	AtLeast
	// About is an estimate from an unfinished search.
	About
)

// String returns "at least", "about" or, for a plain number, "".
func (s Sureness) String() string { return [...]string{"", "at least", "about"}[s] }

// A Decision is a move that a player made, with what they could see.
type Decision struct {
	Turn   int // turn of the game, from 1
	Number int // number of the event
	View   View
	Move   game.Move
	// TakenOff is set if the play was challenged off the board.
	TakenOff bool
}

// Decisions returns the moves of a game, without the turns lost to a challenge. The events must be
// a log that replays.
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
				all[len(all)-1-countTrailing(all, f.Player)].TakenOff = true
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

// countTrailing returns the number of decisions after a seat's last one. A lost turn may lie between a
// play and its challenge, but no other player's move.
func countTrailing(all []Decision, seat int) int {
	for i := range all {
		if all[len(all)-1-i].View.Me == seat {
			return i
		}
	}
	return 0
}

// A Judgement evaluates a decision.
type Judgement struct {
	Decision
	Made Choice
	// Best lists the best moves, best first.
	Best []Choice
	// Loss is how much more the first of Best was worth, in points of equity; at least 0. A play
	// that was challenged off counts as a pass. With tiles in the bag it is how many points more
	// the first of Best brought, or 0 if it isn't sure to be better.
	Loss float64
	Sure Sureness // qualifies the loss
	// GivesUp is the loss in the chance to win compared with the first of Best. It is known only
	// with tiles in the bag.
	GivesUp Chance
	// Phonies lists the words formed that the word list lacks.
	Phonies []game.Tiles
}

// accuracy returns a percentage: 100 if no move was better, halved for every 20 points lost.
func (j Judgement) accuracy() float64 { return 100 * math.Exp2(-j.Loss/20) }

// Mistake reports whether another move was surely better.
func (j Judgement) Mistake() bool {
	if j.GivesUp.Known {
		return j.GivesUp.isSure() && j.GivesUp.Win >= leastGiven
	}
	return j.Loss >= leastLoss
}

// Smaller losses don't count as mistakes: in the chance to win, and in points.
const (
	leastGiven = 0.001
	leastLoss  = 0.05
)

// mostBest limits the moves that a judgement names.
const mostBest = 5

// Judge evaluates a decision and finds the better moves.
func (m *Mind) Judge(ctx context.Context, d Decision) (Judgement, error) {
	return m.Reviewer().Judge(ctx, d)
}

// judge evaluates a decision. It uses the known findings of the game's endings and adds to them.
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

// Best returns the best moves for a player, best first. There is at least one; most limits their
// number.
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
	return b.solveEndings(most, hintPositions), nil
}

// First returns the best move by points and leave, in a thousandth of the time that [Mind.Best]
// takes.
func (m *Mind) First(v View) (Choice, error) {
	t, err := m.think(Level{knowledge: knowledge{tier: lexicon.Rare}, leaves: true}, v)
	if err != nil {
		return Choice{}, err
	}
	defer t.done()
	c := t.worth.bestMove(&t.Board)
	return Choice{Move: c.move, Points: c.points, Equity: c.equity.Float()}, nil
}

// CanPlay reports whether the full word list has a play from any of the racks.
func (m *Mind) CanPlay(s game.State, racks ...game.Tiles) (bool, error) {
	p := m.part(Level{knowledge: knowledge{tier: lexicon.Rare}})
	g, err := p.generator(s.Equipment, s.Rules)
	if err != nil {
		return false, err
	}
	defer p.idle.Put(g)
	return slices.ContainsFunc(racks, func(rack game.Tiles) bool { return len(g.Plays(&s.Board, rack)) > 0 }), nil
}

// A bench judges moves with knowledge of every word: by simulated worlds, or by solving the ending
// when the bag is empty.
type bench struct {
	thought
	ctx    context.Context
	solver *solver // nil unless the bag is empty and two play
	ending ending
}

// bench returns a bench for a view. It adds to the known findings of the game's endings.
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

// Positions searched: to judge a move with tiles in the bag; for a hint; to find the best move of
// an ending, to evaluate the move made there, and to find the next best moves. A game has some 24
// moves, 20 of them with tiles in the bag, and its review takes about 4 seconds.
const (
	weighPositions  = 10_000
	hintPositions   = 18_000
	endingPositions = 60_000
	madePositions   = 30_000
	nextPositions   = 3_000
)

// judge fills in a judgement. counts is the move as it counted: a pass if the play was taken off.
func (b *bench) judge(j *Judgement, counts Choice) {
	made := &j.Made
	if b.solver == nil {
		b.judgeByChance(j, counts)
		return
	}
	j.Best = b.solveEndings(mostBest, endingPositions)
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

// judgeByChance fills in a judgement while there are tiles in the bag.
func (b *bench) judgeByChance(j *Judgement, counts Choice) {
	made := &j.Made
	equity := b.worth.equity(counts.Move, counts.Points)
	made.Equity = equity.Float()
	all := b.weigh(b.ctx, &choice{counts.Move, counts.Points, equity}, weighPositions)
	i := slices.IndexFunc(all, func(m weighed) bool { return m.move == counts.Move })
	made.Chance = all[i].Chance
	by, points := all[0].compare(&all[i])
	by.Win = max(0, by.Win)
	j.GivesUp, j.Sure = by, About
	if j.Mistake() {
		j.Loss = max(0, points)
	}
	j.Best = b.bestWeighed(all)
	j.Best = j.Best[:min(mostBest, len(j.Best))]
}

// bestWeighed converts weighed moves to choices.
func (b *bench) bestWeighed(moves []weighed) []Choice {
	var all []Choice
	for _, m := range moves {
		all = append(all, Choice{Move: m.move, Points: m.points, Equity: m.equity.Float(), Chance: m.Chance})
	}
	return all
}

// worthMore compares choices for sorting: by equity, highest first, then the surer first.
func worthMore(a, b Choice) int {
	return cmp.Or(cmp.Compare(b.Equity, a.Equity), cmp.Compare(a.Sure, b.Sure))
}

// gains returns what a move gains in an ending.
func (b *bench) gains(m game.Move, points int) (equity float64, sure Sureness) {
	next, gain, over := b.solver.afterMove(&b.ending, m, points)
	if over {
		return float64(gain), Plain
	}
	found := b.solver.solve(b.ctx, next, madePositions, 1)
	if !found.exact {
		sure = About
	}
	return float64(gain - found.lines[0].value), sure
}

// solveEndings returns the best moves of an ending.
func (b *bench) solveEndings(most, positions int) []Choice {
	best := b.solver.solve(b.ctx, b.ending, positions, 1)
	next := b.solver.solve(b.ctx, b.ending, nextPositions, most)
	var all []Choice
	for _, l := range removeDuplicates(append(best.lines, next.lines...)) {
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

// A Review evaluates the moves of a game.
type Review struct {
	Turns []Judgement
	// Players lists the players by seat.
	Players []Reviewed
}

// A Reviewed summarizes how one player played.
type Reviewed struct {
	Turns    int          // turns in which they had a choice
	Loss     float64      // average loss a turn, in points of equity
	Accuracy float64      // average accuracy of the turns, in percent
	Phonies  []game.Tiles // invalid words they played that stood
}

// Review judges all decisions of a game with some number of players.
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
	return NewReview(players, turns), nil
}

// A Reviewer judges the decisions of one game, and reuses what it finds about its endings. It isn't
// safe for concurrent use.
type Reviewer struct {
	mind  *Mind
	known *findings
}

// Reviewer returns a reviewer for one game.
func (m *Mind) Reviewer() *Reviewer { return &Reviewer{m, newFindings()} }

// Judge evaluates a decision and finds the better moves.
func (r *Reviewer) Judge(ctx context.Context, d Decision) (Judgement, error) {
	return r.mind.judge(ctx, d, r.known)
}

// NewReview returns the review of a game from the judgements of its turns so far.
func NewReview(players int, turns []Judgement) Review {
	r := Review{Turns: turns, Players: make([]Reviewed, players)}
	for _, j := range turns {
		p := &r.Players[j.View.Me]
		p.Turns++
		p.Loss += j.Loss
		p.Accuracy += j.accuracy()
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

// Mistakes returns the mistakes that cost a point or more, or a hundredth of the chance to win,
// costliest first.
func (r Review) Mistakes() []Judgement {
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

package robot

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
)

// An ending is a position of two players with an empty bag: each knows the
// other's rack, so it can be searched as chess is. The side to move has
// racks[0]. The racks are sorted.
type ending struct {
	board game.Board
	racks [2]game.Tiles
	// How many turns in a row were passed and were scoreless in the game, and
	// how many were passed since the search began.
	passes, scoreless, idle int
	// laid tells the tiles on the board from others.
	laid uint64
}

// newEnding is the ending that begins on a board.
func newEnding(b *game.Board, racks [2]game.Tiles, passes, scoreless int) ending {
	p := ending{board: *b, passes: passes, scoreless: scoreless}
	for i, rack := range racks {
		p.racks[i] = rack.Sorted()
	}
	for row := range game.MaxSize {
		for col := range game.MaxSize {
			sq := game.Square{Row: row, Col: col}
			if t := b.Tile(sq); t != game.NoTile {
				p.laid += fingerprint(sq, t)
			}
		}
	}
	return p
}

// stalemate is the number of passes in a row after which the players are where they
// were: they would go on passing until the rules end the game.
const stalemate = 2

// A solver searches endings: alpha-beta, a ply deeper each time, best first,
// and all moves but the first only to see whether they are better at all.
// What lies beyond is judged by playing on greedily. Values are the points that
// the side to move gains on the other from there to the end of the game.
//
// What it has found of one ending helps with the others of the same game.
type solver struct {
	gen   *movegen.Generator
	rules game.Rules
	set   *game.TileSet

	ctx     context.Context
	left    budget
	least   budget // to be left over
	hasty   budget // is left when the context counts
	stopped bool   // because there is none left, or the context is done

	lists [][]option // the options at each ply, to be used again
	keep  []Equity   // what greedy play thinks of the tiles kept
	known map[uint64]finding
}

// newSolver makes a solver for a table.
func newSolver(gen *movegen.Generator, rules game.Rules, set *game.TileSet) *solver {
	return &solver{gen: gen, rules: rules, set: set, known: map[uint64]finding{}}
}

// An option is a move in an ending.
type option struct {
	play movegen.Play
	pass bool
	// number is its place in the list of the position's options.
	number int32
	guess  int // how good it looks, or of the first ply how good the search before found it
	worth  int // what a search of the first ply found
}

func (o *option) move() game.Move {
	if o.pass {
		return game.Move{Kind: game.PassTurn}
	}
	return o.play.Move()
}

// key tells the endings of a game apart, those with other tiles on the board or
// on the racks by a sum that is hardly ever the same (one chance in 2^64 for
// any two).
func (p *ending) key() uint64 {
	sum := p.laid + scramble(uint64(p.passes)<<32|uint64(p.scoreless)<<16|uint64(p.idle)<<8|3<<48)
	for i, rack := range p.racks {
		for k := range len(rack) {
			sum += scramble(uint64(rack[k]) | uint64(i+1)<<48)
		}
	}
	return sum
}

// A finding is what is known of an ending: its value, or a bound of it.
type finding struct {
	value    int32
	best     int32 // the option's number
	depth    int16 // plies looked ahead
	bound    bound
	complete bool
}

type bound uint8

const (
	precise bound = iota + 1
	atLeast
	atMost
)

// infinity is more than any ending gains.
const infinity = math.MaxInt32 / 2

// A line is a move in an ending, and what the search found of it.
type line struct {
	option
	value int // points gained until the end
	// exact says that it gains so much, whatever the other does, and no more if
	// the other does their best.
	exact bool
}

// A solution is the best moves found in an ending, the best first: as many as
// were asked for, and at least one.
type solution struct {
	lines []line
	// exact says that no other move gains more than the last of them.
	exact bool
}

// solve looks for the best moves until the game is searched to its end, the
// context is done, or the number of positions has been looked at. It has one in
// any case: at the least the greedy one.
//
// When it has looked a little ahead it tries to search everything at once, which
// takes fewer positions than to come there ply by ply, most of them for playing
// on. If that takes too many it goes on by plies.
func (s *solver) solve(ctx context.Context, p ending, positions, moves int) solution {
	work := budgetOf(positions)
	s.ctx, s.left, s.least, s.stopped = ctx, work, 0, false
	s.hasty = work - inAnyCase
	options := slices.Clone(s.options(&p, 0))
	var found solution
	for i := range min(moves, len(options)) {
		raise(options[i:])
		found.lines = append(found.lines, line{option: options[i], value: max(options[i].guess, 0)})
	}
	for depth := 1; ; depth++ {
		if depth == little {
			s.least = budget(float64(work) * (1 - allAtOnce))
			if all := s.deepen(&p, options, everything, len(found.lines)); all.exact {
				return all
			}
			s.least, s.stopped = 0, false
		}
		now := s.deepen(&p, options, depth, len(found.lines))
		if s.stopped {
			// What is known now comes before what was known a ply before.
			found.lines = distinct(append(now.lines, found.lines...))[:len(found.lines)]
			return found
		}
		if found = now; found.exact {
			return found
		}
		for i := range options {
			options[i].guess = options[i].worth
		}
	}
}

// decide finds out whether the side to move gains more than a number of points, just that, or
// less, which takes a small part of what it takes to say how many. The value is on the same side
// of that number as what it gains, if that is proven.
func (s *solver) decide(ctx context.Context, p ending, positions, points int) (value int, proven bool) {
	s.ctx, s.left, s.least, s.stopped = ctx, budgetOf(positions), 0, false
	s.hasty = s.left
	for depth := 1; ; depth++ {
		if depth == little {
			depth = everything
		}
		v, complete := s.search(&p, 0, depth, points-1, points+1)
		if s.stopped {
			return value, false
		}
		if value = v; complete {
			return v, true
		}
	}
}

const (
	inAnyCase  = 10_000_000 // of work, also when the context is done
	little     = 3          // plies
	everything = 1000       // plies
	allAtOnce  = 0.6        // of the work
)

// deepen searches the moves of an ending as far as a number of plies, for as
// many of the best as are wanted.
func (s *solver) deepen(p *ending, options []option, depth, moves int) solution {
	found := solution{exact: true}
	for i := range options {
		raise(options[i:])
		o := &options[i]
		alpha, full := -infinity, len(found.lines) == moves
		if full {
			alpha = found.lines[moves-1].value
		}
		value, whole := s.tryBetter(p, o, 1, len(options) == 1, depth, alpha, infinity, full)
		if s.stopped {
			found.exact = false
			return found
		}
		o.worth = value
		found.exact = found.exact && whole
		if value > alpha {
			at := len(found.lines)
			for at > 0 && found.lines[at-1].value < value {
				at--
			}
			found.lines = slices.Insert(found.lines, at, line{option: *o, value: value, exact: whole})
			found.lines = found.lines[:min(moves, len(found.lines))]
		}
	}
	return found
}

// distinct leaves out the lines whose move came before.
func distinct(lines []line) []line {
	var all []line
	for _, l := range lines {
		if !slices.ContainsFunc(all, func(other line) bool { return other.number == l.number }) {
			all = append(all, l)
		}
	}
	return all
}

// search is the value of an ending as far as a number of plies shows it, if it
// lies between alpha and beta, or else a bound of it on their side. It is
// complete when every line that matters was searched to the end of the game.
func (s *solver) search(p *ending, ply, depth, alpha, beta int) (value int, complete bool) {
	key := p.key()
	f, seen := s.known[key]
	if seen && (f.complete || int(f.depth) >= depth) {
		v := int(f.value)
		if f.bound == precise || f.bound == atLeast && v >= beta || f.bound == atMost && v <= alpha {
			return v, f.complete
		}
	}
	if depth <= 0 {
		value := s.playOn(*p)
		if !s.stopped {
			s.known[key] = finding{value: int32(value), bound: precise, best: -1}
		}
		return value, false
	}
	options := s.options(p, ply)
	if s.stopped {
		return 0, false
	}
	if seen && f.depth > 0 {
		for i := range options {
			if options[i].number == f.best {
				options[i].guess = infinity // first
			}
		}
	}
	found := finding{bound: atMost, depth: int16(depth), complete: true}
	best := -infinity
	for i := range options {
		raise(options[i:])
		o := &options[i]
		v, whole := s.tryBetter(p, o, ply+1, len(options) == 1, depth, max(alpha, best), beta, i > 0)
		if s.stopped {
			return 0, false
		}
		if v > best {
			best, found.best = v, o.number
			if v > alpha {
				found.bound = precise
			}
		}
		if v >= beta {
			found.bound, found.complete = atLeast, whole
			break
		}
		found.complete = found.complete && whole
	}
	found.value = int32(best)
	s.known[key] = found
	return best, found.complete
}

// tryBetter is try. If a move is expected to be no better than alpha it sees to
// that first, which is done sooner.
func (s *solver) tryBetter(p *ending, o *option, ply int, only bool, depth, alpha, beta int, doubtful bool) (value int, complete bool) {
	if doubtful && beta-alpha > 1 {
		value, complete = s.try(p, o, ply, only, depth, alpha, alpha+1)
		if value <= alpha || value >= beta || s.stopped {
			return value, complete
		}
	}
	return s.try(p, o, ply, only, depth, alpha, beta)
}

// try is what an option gains, looking n plies ahead. What
// nobody has a choice about costs no ply.
func (s *solver) try(p *ending, o *option, ply int, only bool, depth, alpha, beta int) (value int, complete bool) {
	next, gain, over := s.made(p, o.move(), int(o.play.Score))
	if over {
		return gain, true
	}
	if !only {
		depth--
	}
	v, complete := s.search(&next, ply, depth, gain-beta, gain-alpha)
	return gain - v, complete
}

// made is the position after a move with this score, the other to move, and what the
// move gains at once.
func (s *solver) made(p *ending, m game.Move, score int) (next ending, gain int, over bool) {
	next = *p
	next.racks = [2]game.Tiles{p.racks[1], p.racks[0]}
	if m.Kind == game.PassTurn {
		next.passes++
		next.scoreless++
		next.idle++
	} else {
		next.passes, next.idle = 0, 0
		gain = score
		if gain > 0 || !s.rules.ZeroPlays {
			next.scoreless = 0
		} else {
			next.scoreless++
		}
		next.board.Lay(m)
		next.racks[1], _ = p.racks[0].Minus(m.Tiles.Faces())
		for i := range len(m.Tiles) {
			if t := m.Tiles.At(i); t != game.NoTile {
				next.laid += fingerprint(m.At.Step(m.Dir, i), t)
			}
		}
		if next.racks[1] == "" {
			// Whether the player out gains twice the other's tiles, or gains
			// them once and the other loses them, it is the same between two.
			return next, gain + 2*s.set.Sum(next.racks[0]), true
		}
	}
	if next.idle == stalemate || given(s.rules.PassRounds*2, next.passes) || given(s.rules.ScorelessTurns, next.scoreless) {
		return next, gain + s.set.Sum(next.racks[0]) - s.set.Sum(next.racks[1]), true
	}
	return next, gain, false
}

// given reports whether there were enough turns of a sort in a row that the
// rules end the game, if they do for those.
func given(rule, turns int) bool { return rule > 0 && turns >= rule }

// fingerprint is a number for a tile on a square.
func fingerprint(sq game.Square, t game.Tile) uint64 {
	return scramble(uint64(sq.Row)<<16 | uint64(sq.Col)<<8 | uint64(t))
}

// scramble is the step of the generator SplitMix64 (Steele and others, 2014):
// numbers that differ little become numbers that differ in every bit.
func scramble(x uint64) uint64 {
	x = (x + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// options lists the moves of an ending, in no order but for the pass, which is
// last. The list is good until the next one for the same ply.
func (s *solver) options(p *ending, ply int) []option {
	for len(s.lists) <= ply {
		s.lists = append(s.lists, nil)
	}
	list := s.lists[ply][:0]
	rack := p.racks[0]
	goesOut := 2*s.set.Sum(p.racks[1]) + s.set.Sum(rack)
	var plays []movegen.Play
	s.look(func() { plays = s.gen.Plays(&p.board, rack) })
	for i := range plays {
		list = append(list, option{play: plays[i], number: int32(i), guess: s.promise(&plays[i], rack, goesOut)})
	}
	list = append(list, option{pass: true, number: int32(len(plays)), guess: -infinity})
	s.lists[ply] = list
	return list
}

// look looks for plays, counts the work, and sees to it that the search stops.
func (s *solver) look(do func()) {
	yielded := s.left.charge(s.gen, do)
	if s.left < s.least || yielded && s.left < s.hasty && s.ctx.Err() != nil {
		s.stopped = true
	}
}

// raise brings the most promising option to the front.
func raise(options []option) {
	best := 0
	for i := range options {
		if options[i].guess > options[best].guess {
			best = i
		}
	}
	options[0], options[best] = options[best], options[0]
}

// promise is how good a play looks: its points and those of the tiles it gets
// rid of; or the points that it gains by going out.
func (s *solver) promise(play *movegen.Play, rack game.Tiles, goesOut int) int {
	uses := play.Uses(rack)
	if bits.OnesCount32(uses) == len(rack) {
		return int(play.Score) + goesOut
	}
	sum := int(play.Score)
	for m := uses; m != 0; m &= m - 1 {
		sum += s.set.Value(rack.At(bits.TrailingZeros32(m)))
	}
	return sum
}

// playOn is what the side to move gains if both play on greedily.
func (s *solver) playOn(p ending) int {
	sum, sign := 0, 1
	for {
		var m game.Move
		var score int
		s.look(func() { m, score = s.greedy(&p) })
		next, gain, over := s.made(&p, m, score)
		sum += sign * gain
		if over || s.stopped {
			return sum
		}
		p, sign = next, -sign
	}
}

// greedy is the most promising move of an ending, and what it scores.
func (s *solver) greedy(p *ending) (game.Move, int) {
	rack := p.racks[0]
	if len(rack) > longestRack {
		return s.greedyOfAll(p)
	}
	s.keep = append(s.keep[:0], make([]Equity, 1<<len(rack))...)
	for kept := 1; kept < len(s.keep); kept++ {
		s.keep[kept] = s.keep[kept&(kept-1)] - Points(s.set.Value(rack.At(bits.TrailingZeros(uint(kept)))))
	}
	s.keep[0] = Points(2 * s.set.Sum(p.racks[1]))
	if play, _, ok := s.gen.Best(&p.board, rack, s.keep); ok {
		return play.Move(), int(play.Score)
	}
	return game.Move{Kind: game.PassTurn}, 0
}

// greedyOfAll is greedy with a rack too long to think of all its parts.
func (s *solver) greedyOfAll(p *ending) (game.Move, int) {
	best := option{pass: true, guess: -infinity}
	goesOut := 2*s.set.Sum(p.racks[1]) + s.set.Sum(p.racks[0])
	for _, play := range s.gen.Plays(&p.board, p.racks[0]) {
		if guess := s.promise(&play, p.racks[0], goesOut); guess > best.guess {
			best = option{play: play, guess: guess}
		}
	}
	return best.move(), int(best.play.Score)
}

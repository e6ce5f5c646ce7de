package robot

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
)

// An ending is a position of two players with an empty bag: each knows the
// other's rack, so it can be searched as chess is. The side to move has
// racks[0].
type ending struct {
	board game.Board
	racks [2]game.Tiles
	// How many turns in a row were passed and were scoreless in the game, and
	// how many were passed since the search began.
	passes, scoreless, idle int
	// laid tells the tiles laid since the search began from others.
	laid uint64
}

// stalemate is so many passes in a row that the players are back where they
// were: they would go on passing until the rules end the game.
const stalemate = 2

// A solver searches endings: alpha-beta, a ply deeper each time, best first.
// What lies beyond is judged by playing on greedily. Values are the points that
// the side to move gains on the other from there to the end of the game.
type solver struct {
	gen   *movegen.Generator
	rules game.Rules
	set   *game.TileSet

	ctx     context.Context
	left    int  // positions whose plays may still be listed
	stopped bool // because there are none, or the context is done

	lists [][]option // the options at each ply, to be used again
	known map[endingKey]finding
}

// An option is a move in an ending.
type option struct {
	play movegen.Play
	pass bool
	// guess is how good it looks, or of the first ply how good the search
	// before found it.
	guess int
}

// An endingKey tells the endings of one search apart.
type endingKey struct {
	laid                    uint64
	racks                   [2]game.Tiles
	passes, scoreless, idle int
}

func (p *ending) key() endingKey {
	return endingKey{p.laid, [2]game.Tiles{p.racks[0].Sorted(), p.racks[1].Sorted()}, p.passes, p.scoreless, p.idle}
}

// A finding is what is known of an ending: its value, or a bound of it.
type finding struct {
	value    int
	bound    bound
	depth    int // plies looked ahead
	complete bool
	best     option
}

type bound uint8

const (
	precise bound = iota + 1
	atLeast
	atMost
)

// infinity is more than any ending gains.
const infinity = math.MaxInt32

// A solution is the best move found in an ending.
type solution struct {
	option
	value int // points gained until the end
	// exact says that nothing gains more, whatever the other does.
	exact bool
}

// solve looks for the best move until the game is searched to its end, the
// context is done, or so many positions have been looked at. It has a move in
// any case: at the least the greedy one.
func (s *solver) solve(ctx context.Context, p ending, positions int) solution {
	s.ctx, s.left, s.stopped = ctx, positions, false
	s.known = map[endingKey]finding{}
	options := slices.Clone(s.options(&p, 0))
	slices.SortStableFunc(options, better)
	best := solution{option: options[0], value: options[0].guess}
	for depth := 1; ; depth++ {
		complete := true
		alpha := -infinity
		for i := range options {
			o := &options[i]
			value, whole := s.try(&p, o, 1, len(options) == 1, depth, alpha, infinity)
			if s.stopped {
				return best
			}
			o.guess = value
			complete = complete && whole
			if value > alpha {
				alpha = value
				best = solution{option: *o, value: value}
			}
		}
		if complete {
			best.exact = true
			return best
		}
		slices.SortStableFunc(options, better)
	}
}

func better(a, b option) int { return cmp.Compare(b.guess, a.guess) }

// search is the value of an ending as far as a number of plies shows it, if it
// lies between alpha and beta, or else a bound of it on their side. It is
// complete when every line that matters was searched to the end of the game.
func (s *solver) search(p *ending, ply, depth, alpha, beta int) (value int, complete bool) {
	key := p.key()
	f, seen := s.known[key]
	if seen && (f.complete || f.depth >= depth) {
		if f.bound == precise || f.bound == atLeast && f.value >= beta || f.bound == atMost && f.value <= alpha {
			return f.value, f.complete
		}
	}
	if depth <= 0 {
		value := s.playOn(*p)
		s.known[key] = finding{value: value, bound: precise}
		return value, false
	}
	options := s.options(p, ply)
	if seen && f.depth > 0 {
		for i := range options {
			if options[i].pass == f.best.pass && options[i].play == f.best.play {
				options[i].guess = infinity // first
			}
		}
	}
	found := finding{value: -infinity, bound: atMost, depth: depth, complete: true}
	for i := range options {
		raise(options[i:])
		o := &options[i]
		v, whole := s.try(p, o, ply+1, len(options) == 1, depth, max(alpha, found.value), beta)
		if s.stopped {
			return 0, false
		}
		if v > found.value {
			found.value, found.best = v, *o
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
	s.known[key] = found
	return found.value, found.complete
}

// try is what an option gains, when so many plies are looked ahead. What
// nobody has a choice about costs no ply.
func (s *solver) try(p *ending, o *option, ply int, only bool, depth, alpha, beta int) (value int, complete bool) {
	next, gain, over := s.after(p, o)
	if over {
		return gain, true
	}
	if !only {
		depth--
	}
	v, complete := s.search(&next, ply, depth, gain-beta, gain-alpha)
	return gain - v, complete
}

// after is the position after a move, the other to move, and what the move
// gains at once.
func (s *solver) after(p *ending, o *option) (next ending, gain int, over bool) {
	if o.pass {
		return s.made(p, game.Move{Kind: game.PassTurn}, 0)
	}
	return s.made(p, o.play.Move(), int(o.play.Score))
}

// made is after, for any move and what it scores.
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
		next.laid += fingerprint(m)
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

// given reports whether there were so many turns of a sort in a row that the
// rules end the game, if they do for those.
func given(rule, turns int) bool { return rule > 0 && turns >= rule }

// fingerprint tells sets of tiles on squares apart: sums of fingerprints are
// the same for the same tiles, in whatever order they came, and hardly ever for
// others (one chance in 2^64 for any two).
func fingerprint(m game.Move) uint64 {
	sum := uint64(0)
	for i := range len(m.Tiles) {
		if t := m.Tiles.At(i); t != game.NoTile {
			sq := m.At.Step(m.Dir, i)
			sum += scramble(uint64(sq.Row)<<16 | uint64(sq.Col)<<8 | uint64(t))
		}
	}
	return sum
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
	out := 2 * s.set.Sum(p.racks[1])
	for _, play := range s.generate(p) {
		list = append(list, option{play: play, guess: s.promise(&play, p.racks[0], out)})
	}
	list = append(list, option{pass: true, guess: -infinity})
	s.lists[ply] = list
	return list
}

// generate lists the plays of an ending, and sees to it that the search stops.
func (s *solver) generate(p *ending) []movegen.Play {
	s.left--
	if s.left < 0 || s.left%16 == 0 && s.ctx.Err() != nil {
		s.stopped = true
	}
	return s.gen.Plays(&p.board, p.racks[0])
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
func (s *solver) promise(play *movegen.Play, rack game.Tiles, out int) int {
	laid := play.Move().Tiles.Faces()
	if len(laid) == len(rack) {
		return int(play.Score) + out + s.set.Sum(rack)
	}
	return int(play.Score) + s.set.Sum(laid)
}

// playOn is what the side to move gains if both play on greedily.
func (s *solver) playOn(p ending) int {
	sum, sign := 0, 1
	for {
		o := s.greedy(&p)
		next, gain, over := s.after(&p, &o)
		sum += sign * gain
		if over {
			return sum
		}
		p, sign = next, -sign
	}
}

// greedy is the most promising move of an ending.
func (s *solver) greedy(p *ending) option {
	best := option{pass: true, guess: -infinity}
	out := 2 * s.set.Sum(p.racks[1])
	for _, play := range s.generate(p) {
		if guess := s.promise(&play, p.racks[0], out); guess > best.guess {
			best = option{play: play, guess: guess}
		}
	}
	return best
}

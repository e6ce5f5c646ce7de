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
	turns
	// laid tells the tiles on the board from others.
	laid uint64
}

// Turns are how many in a row were passed and were scoreless in the game, and how many were
// passed since the search began.
type turns struct{ passes, scoreless, idle int }

// newEnding is the ending that begins on a board.
func newEnding(b *game.Board, racks [2]game.Tiles, passes, scoreless int) ending {
	p := ending{board: *b, turns: turns{passes: passes, scoreless: scoreless}}
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
// Moves that the other side refutes by going out, at once or by a plan in two
// turns, aren't searched. What lies beyond is judged by playing on greedily. Values
// are the points that the side to move gains on the other from there to the end of
// the game.
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

	racks   [2]tileSet // those of the ending that is searched
	lists   []lists    // at each ply, to be used again
	moves   []option   // those that the lists are of, the pass first
	keep    []Equity   // what greedy play thinks of the tiles kept
	known   *findings
	plans   planner
	singles singles // of the node that is looked at
}

// newSolver makes a solver for a table.
func newSolver(gen *movegen.Generator, rules game.Rules, set *game.TileSet) *solver {
	return &solver{gen: gen, rules: rules, set: set, known: newFindings()}
}

// An option is a move in an ending.
type option struct {
	play movegen.Play
	pass bool
	uses uint32 // the tiles that it lays, of the rack at the search's beginning
	sum  int    // their points
	// laid is the sum of the fingerprints of the tiles that it lays: 0 for a pass, and for
	// plays hardly ever the same.
	laid uint64
	// What it needs of the board, and what it would change there.
	needs, changes movegen.Squares
}

// layOn lays the option's tiles on a board.
func (o *option) layOn(b *game.Board) {
	for sq, t := range o.play.Laid {
		b.Put(sq, t)
	}
}

// An item is an option on a list.
type item struct {
	at    int32  // its place among the solver's moves
	guess int32  // how good it looks
	worth int32  // what a search of the first ply found
	uses  uint32 // as the option
}

// Lists are what is listed at a ply.
type lists struct {
	all     []item // the options
	outs    []item // the other side's plays that go out
	hopeful []item // the options that nothing refutes before they are searched
}

// thePass is where the pass is.
const thePass = 0

func (o *option) move() game.Move {
	if o.pass {
		return game.Move{Kind: game.PassTurn}
	}
	return o.play.Move()
}

// A node is an ending in a search, and what is known of its plays.
type node struct {
	stage
	board game.Board
	plays [2]earlierPlays // by the solver's racks
}

// A stage is what an ending has beside its board, which laid stands for.
type stage struct {
	laid  uint64
	left  [2]uint32 // the tiles that are left of the solver's racks
	mover int       // whose rack of them the side to move has
	turns
}

// tiles is how many are on both racks.
func (n *stage) tiles() int { return bits.OnesCount32(n.left[0]) + bits.OnesCount32(n.left[1]) }

// EarlierPlays are those that a rack had at an earlier position, and what has changed on the
// board since.
type earlierPlays struct {
	all   []item
	known bool
	since movegen.Squares
}

// key tells the endings of a game apart, those with other tiles on the board or
// on the racks by a sum that is hardly ever the same (one chance in 2^64 for
// any two).
func (s *solver) key(n *stage) uint64 {
	sum := n.laid + scramble(uint64(n.passes)<<32|uint64(n.scoreless)<<16|uint64(n.idle)<<8|3<<48)
	return sum + s.racks[n.mover].key(n.left[n.mover], 0) + s.racks[1-n.mover].key(n.left[1-n.mover], 1)
}

// begin makes an ending the one that is searched.
func (s *solver) begin(p *ending) node {
	s.moves = append(s.moves[:0], option{pass: true})
	n := node{board: p.board, stage: stage{laid: p.laid, turns: p.turns}}
	for i, rack := range p.racks {
		s.racks[i] = newTileSet(rack, s.set)
		n.left[i] = s.racks[i].all()
	}
	return n
}

// ending is a node as an ending.
func (s *solver) ending(n *node) ending {
	p := ending{board: n.board, laid: n.laid, turns: n.turns}
	for i, of := range [...]int{n.mover, 1 - n.mover} {
		p.racks[i] = s.racks[of].tiles(n.left[of])
	}
	return p
}

// What a search costs beside what the generator does, in nanoseconds.
const (
	nodeWork   = 700
	keptWork   = 4    // each earlier play
	listedWork = 2500 // a list of plays
	foundWork  = 100  // each play on it
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
// When it has looked a little ahead, of the moves that look best, it tries to search everything at
// once, which takes fewer positions than to come there ply by ply, most of them for playing on. If
// that takes too many it goes on by plies.
func (s *solver) solve(ctx context.Context, p ending, positions, moves int) solution {
	s.allow(ctx, positions)
	work := s.left
	s.hasty = work - inAnyCase
	root := s.begin(&p)
	options := slices.Clone(s.options(&root, 0, noItem))
	slices.SortStableFunc(options, func(a, b item) int { return int(b.guess - a.guess) })
	var found solution
	for _, o := range options[:min(moves, len(options))] {
		found.lines = append(found.lines, line{option: s.moves[o.at], value: max(int(o.guess), 0)})
	}
	for depth := 1; ; depth++ {
		looked := options
		if depth < little {
			looked = options[:min(max(fewMoves, moves), len(options))]
		}
		if depth == little {
			s.least = budget(float64(work) * (1 - allAtOnce))
			if all := s.deepen(&root, options, everything, len(found.lines)); all.exact {
				return all
			}
			s.least, s.stopped = 0, false
		}
		now := s.deepen(&root, looked, depth, len(found.lines))
		if s.stopped {
			// What is known now comes before what was known a ply before.
			found.lines = distinct(append(now.lines, found.lines...))[:len(found.lines)]
			return found
		}
		if found = now; found.exact && len(looked) == len(options) {
			return found
		}
		slices.SortStableFunc(looked, func(a, b item) int { return int(b.worth - a.worth) })
	}
}

// decide finds out whether the side to move gains more than a number of points, just that, or
// less, which takes a small part of what it takes to say how many. The value is on the same side
// of that number as what it gains, if that is proven.
func (s *solver) decide(ctx context.Context, p ending, positions, points int) (value int, proven bool) {
	s.allow(ctx, positions)
	for depth := 1; ; depth++ {
		if depth == little {
			depth = everything
		}
		root := s.begin(&p)
		key := s.key(&root.stage)
		known := s.known.of(key)
		if known.settles(depth, points-1, points+1) && known.complete {
			return int(known.value), true
		}
		v, complete := s.search(&root, key, known, 0, depth, points-1, points+1)
		if s.stopped {
			return value, false
		}
		if value = v; complete {
			return v, true
		}
	}
}

// allow lets the next search look at a number of positions, or until the context is done.
func (s *solver) allow(ctx context.Context, positions int) {
	s.ctx, s.left, s.least, s.stopped = ctx, budgetOf(positions), 0, false
	s.hasty = s.left
}

// reach finds a move that gains a number of points, where no move is known to gain more: that is
// less work than to find out the number.
func (s *solver) reach(ctx context.Context, p ending, positions, points int) (best line, ok bool) {
	s.allow(ctx, positions)
	root := s.begin(&p)
	sought := s.known.of(s.key(&root.stage)).best
	options := slices.Clone(s.options(&root, 0, noItem))
	for i := range options {
		if at := options[i].at; at != thePass && s.moves[at].laid == sought {
			options[i].guess = infinity
		}
	}
	for i := range options {
		raise(options[i:])
		value, whole := s.try(&root, options[i].at, 1, len(options) == 1, everything, points-1, points)
		if s.stopped {
			break
		}
		if value >= points {
			return line{option: s.moves[options[i].at], value: points, exact: whole}, whole
		}
	}
	return best, false
}

const (
	inAnyCase  = 10_000_000 // of work, also when the context is done
	little     = 3          // plies
	fewMoves   = 100        // are looked ahead of at first, those that look best
	everything = 1000       // plies
	allAtOnce  = 0.6        // of the work
)

// deepen searches moves of an ending, in order, as far as a number of plies, for as
// many of the best as are wanted.
func (s *solver) deepen(n *node, options []item, depth, moves int) solution {
	found := solution{exact: true}
	for i := range options {
		o := &options[i]
		alpha, full := -infinity, len(found.lines) == moves
		if full {
			alpha = found.lines[moves-1].value
		}
		value, whole := s.tryBetter(n, o.at, 1, len(options) == 1, depth, alpha, infinity, full)
		if s.stopped {
			found.exact = false
			return found
		}
		o.worth = int32(value)
		found.exact = found.exact && whole
		if value > alpha {
			at := len(found.lines)
			for at > 0 && found.lines[at-1].value < value {
				at--
			}
			found.lines = slices.Insert(found.lines, at, line{option: s.moves[o.at], value: value, exact: whole})
			found.lines = found.lines[:min(moves, len(found.lines))]
		}
	}
	return found
}

// distinct leaves out the lines whose move came before.
func distinct(lines []line) []line {
	var all []line
	for _, l := range lines {
		if !slices.ContainsFunc(all, func(other line) bool { return other.laid == l.laid }) {
			all = append(all, l)
		}
	}
	return all
}

// A visit is the search of a node: how far it is from the first, how far it looks ahead, and
// between which bounds the value matters.
type visit struct {
	*node
	ply, depth  int // plies
	alpha, beta int

	best  int // of what was tried
	found finding
}

// limit is what an option must gain more than to matter.
func (t *visit) limit() int { return max(t.alpha, t.best) }

// toEnd reports whether everything is searched.
func (t *visit) toEnd() bool { return t.depth > everything/2 }

// take takes in what was found of an option, and reports whether no other is to be tried.
func (t *visit) take(o *option, v int, whole bool) bool {
	if v > t.best {
		t.best, t.found.best = v, o.laid
		if v > t.alpha {
			t.found.bound = precise
		}
	}
	if v >= t.beta {
		t.found.bound, t.found.complete = atLeast, whole
		return true
	}
	t.found.complete = t.found.complete && whole
	return false
}

// search is the value of an ending as far as a number of plies shows it, if it
// lies between alpha and beta, or else a bound of it on their side. It is
// complete when every line that matters was searched to the end of the game.
// What is known of the ending, by its key, doesn't settle it.
func (s *solver) search(n *node, key uint64, known finding, ply, depth, alpha, beta int) (value int, complete bool) {
	if depth <= 0 {
		value := s.playOn(s.ending(n))
		if !s.stopped {
			s.known.keep(key, finding{value: int32(value), bound: precise})
		}
		return value, false
	}
	if s.spend(nodeWork); s.stopped {
		return 0, false
	}
	sought := uint64(0)
	if known.depth > 0 {
		sought = known.best
	}
	t := visit{node: n, ply: ply, depth: depth, alpha: alpha, beta: beta, best: -infinity}
	t.found = finding{bound: atMost, depth: int16(depth), complete: true}
	// The most promising of the earlier plays nearly always does where one does, and then no others
	// need be found.
	first := s.first(n, sought, depth)
	if first == noItem || !s.tried(&t, first, false, false) {
		s.tryOthers(&t, first, sought)
	}
	if s.stopped {
		return 0, false
	}
	t.found.value = int32(t.best)
	s.known.keep(key, t.found)
	return t.best, t.found.complete
}

// tried tries an option, and reports whether no other is to be tried.
func (s *solver) tried(t *visit, at int32, only, doubtful bool) (cut bool) {
	v, whole := s.tryBetter(t.node, at, t.ply+1, only, t.depth, t.limit(), t.beta, doubtful)
	return s.stopped || t.take(&s.moves[at], v, whole)
}

// tryOthers tries the options that haven't been tried, those that promise most first.
func (s *solver) tryOthers(t *visit, first int32, sought uint64) {
	before := len(s.moves)
	defer func() { s.moves = s.moves[:before] }()
	options := s.options(t.node, t.ply, first)
	if s.stopped {
		return
	}
	only := len(options) == 1
	if first != noItem {
		options = options[1:] // it was tried
	}
	hopeful, cut := s.hopeful(t, options, sought)
	for i := 0; i < len(hopeful) && !cut; i++ {
		raise(hopeful[i:])
		work := s.left
		cut = s.tried(t, hopeful[i].at, only, first != noItem || i > 0)
		s.plans.searched[t.tiles()].add(int(work-s.left), 1)
	}
}

// hopeful takes in the options of which enough is known without a search, and gives the others.
func (s *solver) hopeful(t *visit, options []item, sought uint64) (hopeful []item, cut bool) {
	outs := s.outs(t.node, t.ply)
	if t.toEnd() {
		s.spend(len(s.lists[t.ply].all) * keptWork)
		s.singles.seek(s.lists[t.ply].all)
	}
	hopeful = s.lists[t.ply].hopeful[:0]
	for _, o := range options {
		goesOut := o.uses == t.left[t.mover]
		v := s.most(t.node, o.at, outs)
		if t.toEnd() && v > t.limit() && !goesOut {
			v = min(v, s.mostAlone(t.node, o.at, t.limit()))
		}
		if v <= t.limit() || goesOut {
			if t.take(&s.moves[o.at], v, true) {
				return nil, true
			}
			continue
		}
		if o.at != thePass && s.moves[o.at].laid == sought {
			o.guess = infinity // first
		}
		hopeful = append(hopeful, o)
	}
	s.lists[t.ply].hopeful = hopeful
	if t.toEnd() {
		refuted, most := noItem, 0
		if hopeful, refuted, most = s.unrefuted(t.node, t.ply, hopeful, t.limit()); refuted != noItem {
			cut = t.take(&s.moves[refuted], most, true)
		}
	}
	return hopeful, cut
}

// tryBetter is try. If a move is expected to be no better than alpha it sees to
// that first, which is done sooner.
func (s *solver) tryBetter(n *node, at int32, ply int, only bool, depth, alpha, beta int, doubtful bool) (value int, complete bool) {
	if doubtful && beta-alpha > 1 {
		value, complete = s.try(n, at, ply, only, depth, alpha, alpha+1)
		if value <= alpha || value >= beta || s.stopped {
			return value, complete
		}
	}
	return s.try(n, at, ply, only, depth, alpha, beta)
}

// try is what an option gains, looking n plies ahead. What
// nobody has a choice about costs no ply.
func (s *solver) try(n *node, at int32, ply int, only bool, depth, alpha, beta int) (value int, complete bool) {
	o := &s.moves[at]
	then, gain, over := s.after(&n.stage, o)
	if over {
		return gain, true
	}
	if !only {
		depth--
	}
	key := s.key(&then)
	known := s.known.of(key)
	if known.settles(depth, gain-beta, gain-alpha) {
		return gain - int(known.value), known.complete
	}
	next := node{stage: then, board: n.board, plays: n.plays}
	o.layOn(&next.board)
	for i := range next.plays {
		next.plays[i].since.Join(&o.changes)
	}
	v, complete := s.search(&next, key, known, ply, depth, gain-beta, gain-alpha)
	return gain - v, complete
}

// after is the stage after an option, and what the option gains at once.
func (s *solver) after(n *stage, o *option) (next stage, gain int, over bool) {
	mine, theirs := &s.racks[n.mover], &s.racks[1-n.mover]
	if o.uses == n.left[n.mover] {
		return next, int(o.play.Score) + 2*theirs.sum(n.left[1-n.mover]), true
	}
	next = *n
	next.mover = 1 - n.mover
	gain = int(o.play.Score)
	s.count(&next.turns, o.pass, gain)
	if !o.pass {
		next.left[n.mover] = mine.without(n.left[n.mover], o.uses)
		next.laid += o.laid
	}
	if s.over(next.turns) {
		return next, gain + theirs.sum(next.left[1-n.mover]) - mine.sum(next.left[n.mover]), true
	}
	return next, gain, false
}

// made is the position after a move with this score, the other to move, and what the
// move gains at once.
func (s *solver) made(p *ending, m game.Move, score int) (next ending, gain int, over bool) {
	next = *p
	next.racks = [2]game.Tiles{p.racks[1], p.racks[0]}
	gain = score
	s.count(&next.turns, m.Kind == game.PassTurn, gain)
	if m.Kind != game.PassTurn {
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
	if s.over(next.turns) {
		return next, gain + s.set.Sum(next.racks[0]) - s.set.Sum(next.racks[1]), true
	}
	return next, gain, false
}

// count counts a turn, a pass or a play that gains some points.
func (s *solver) count(t *turns, pass bool, gain int) {
	switch {
	case pass:
		t.passes++
		t.scoreless++
		t.idle++
	case gain > 0 || !s.rules.ZeroPlays:
		*t = turns{}
	default:
		*t = turns{scoreless: t.scoreless + 1}
	}
}

// over reports whether turns without tiles end the game, or the search.
func (s *solver) over(t turns) bool {
	return t.idle == stalemate || given(s.rules.PassRounds*2, t.passes) || given(s.rules.ScorelessTurns, t.scoreless)
}

// overNow reports whether one more of them, without points, does.
func (s *solver) overNow(t turns) bool {
	return s.over(turns{t.passes + 1, t.scoreless + 1, t.idle + 1})
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

// options lists the moves of an ending, in no order but for one that is to be the first, if
// there is such, and the pass, which is last. The list is good until the next one for the same ply.
func (s *solver) options(n *node, ply int, first int32) []item {
	for len(s.lists) <= ply {
		s.lists = append(s.lists, lists{})
	}
	list := s.lists[ply].all[:0]
	if first != noItem {
		list = append(list, item{at: first, uses: s.moves[first].uses})
	}
	left, rack := n.left[n.mover], &s.racks[n.mover]
	goesOut := 2 * s.racks[1-n.mover].sum(n.left[1-n.mover])
	before := &n.plays[n.mover]
	var plays []movegen.Play
	if tiles := rack.tiles(left); before.known {
		s.spend(len(before.all) * keptWork)
		for _, it := range before.all {
			if it.at != first && s.has(n, n.mover, it) {
				it.guess = promise(&s.moves[it.at], left, goesOut)
				list = append(list, it)
			}
		}
		if before.since != (movegen.Squares{}) {
			s.look(func() { plays = s.gen.PlaysIn(&n.board, tiles, &before.since) })
		}
	} else {
		s.look(func() { plays = s.gen.Plays(&n.board, tiles) })
	}
	s.spend(listedWork + len(plays)*foundWork)
	for i := range plays {
		at := len(s.moves)
		s.moves = append(s.moves, option{play: plays[i]})
		o := &s.moves[at]
		o.read(&n.board, rack)
		list = append(list, item{at: int32(at), guess: promise(o, left, goesOut), uses: o.uses})
	}
	if first != thePass {
		list = append(list, item{at: thePass, guess: -infinity})
	}
	s.lists[ply].all = list
	n.plays[n.mover] = earlierPlays{all: list, known: true}
	return list
}

// read sets what follows from the option's play on a board, from a rack.
func (o *option) read(b *game.Board, rack *tileSet) {
	o.uses, o.needs, o.changes = rack.used(&o.play), o.play.Needs(), o.play.Changes(b)
	o.sum = rack.sum(o.uses)
	for sq, t := range o.play.Laid {
		o.laid += fingerprint(sq, t)
	}
}

// has reports whether an earlier play is still one.
func (s *solver) has(n *node, whose int, it item) bool {
	return it.uses&^n.left[whose] == 0 && it.at != thePass && !s.moves[it.at].needs.Meet(&n.plays[whose].since)
}

// noItem is where no option is.
const noItem int32 = -1

// first is the most promising of the earlier plays that are still some, or the one that is sought
// if it is one of them. Who had no play before passes first, where everything is searched: they
// hardly ever have one now.
func (s *solver) first(n *node, sought uint64, depth int) int32 {
	before := &n.plays[n.mover]
	best, most := noItem, int32(-infinity)
	left := n.left[n.mover]
	goesOut := 2 * s.racks[1-n.mover].sum(n.left[1-n.mover])
	s.spend(len(before.all) * keptWork)
	for _, it := range before.all {
		if !s.has(n, n.mover, it) {
			continue
		}
		o := &s.moves[it.at]
		if sought != 0 && o.laid == sought {
			return it.at
		}
		if guess := promise(o, left, goesOut); guess > most {
			best, most = it.at, guess
		}
	}
	if depth > everything/2 && before.known && len(before.all) == 1 {
		return thePass
	}
	return best
}

// outs lists the earlier plays by which the other side would go out, those that score most first.
func (s *solver) outs(n *node, ply int) []item {
	list := s.lists[ply].outs[:0]
	other := 1 - n.mover
	for _, it := range n.plays[other].all {
		if it.uses == n.left[other] && s.has(n, other, it) {
			it.guess = s.moves[it.at].play.Score
			list = append(list, it)
		}
	}
	slices.SortFunc(list, func(a, b item) int { return int(b.guess - a.guess) })
	s.lists[ply].outs = list
	return list
}

// most is the most that a move gains as far as that is known without a search; infinity where it
// isn't. A play that goes out gains just that. After a pass the other side may pass too, and
// after any move it may go out by the first of some plays that the move leaves.
func (s *solver) most(n *node, at int32, outs []item) int {
	o := &s.moves[at]
	mine, theirs := s.racks[n.mover].sum(n.left[n.mover]), s.racks[1-n.mover].sum(n.left[1-n.mover])
	most := infinity
	switch {
	case o.uses == n.left[n.mover]:
		return int(o.play.Score) + 2*theirs
	case o.pass:
		most = theirs - mine
	}
	if len(outs) == 0 || o.play.Score == 0 && s.overNow(n.turns) {
		return most // or the game may be over first
	}
	for _, it := range outs {
		if out := &s.moves[it.at]; !out.needs.Meet(&o.changes) {
			return min(most, int(o.play.Score)-int(out.play.Score)-2*(mine-o.sum))
		}
	}
	return most
}

// look looks for plays, counts the work, and sees to it that the search stops.
func (s *solver) look(do func()) {
	before := s.gen.Work()
	do()
	s.spend(s.gen.Work() - before)
}

// spend counts work, and sees to it that the search stops.
func (s *solver) spend(work int) {
	yielded := s.left.spend(work)
	if s.left < s.least || yielded && s.left < s.hasty && s.ctx.Err() != nil {
		s.stopped = true
	}
}

// raise brings the most promising option to the front.
func raise(options []item) {
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
func promise(o *option, left uint32, goesOut int) int32 {
	guess := int(o.play.Score) + o.sum
	if o.uses == left {
		guess += goesOut
	}
	return int32(guess)
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
	best, most := option{pass: true}, -infinity
	goesOut := 2 * s.set.Sum(p.racks[1])
	for _, play := range s.gen.Plays(&p.board, p.racks[0]) {
		uses := play.Uses(p.racks[0])
		guess := int(play.Score)
		for m := uses; m != 0; m &= m - 1 {
			guess += s.set.Value(p.racks[0].At(bits.TrailingZeros32(m)))
		}
		if bits.OnesCount32(uses) == len(p.racks[0]) {
			guess += goesOut
		}
		if guess > most {
			best, most = option{play: play}, guess
		}
	}
	return best.move(), int(best.play.Score)
}

package robot

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
)

// An ending is a two-player position with an empty bag. Each player knows the other's rack, so it
// can be searched like chess. The side to move has racks[0]. The racks are sorted.
type ending struct {
	board game.Board
	racks [2]game.Tiles
	turns
	// laid is a hash of the tiles on the board.
	laid uint64
}

// A turns value counts the consecutive passes and scoreless turns of the game, and the consecutive
// passes since the search began (idle).
type turns struct{ passes, scoreless, idle int }

// newEnding returns the ending that starts from a board.
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

// stalemate is the number of consecutive passes after which the players would go on passing until
// the rules end the game.
const stalemate = 2

// A solver searches endings with iterative deepening, alpha-beta and null windows for all moves but
// the first. It doesn't search moves that the other side refutes by going out, at once or by a plan
// in two turns. Positions beyond the search depth are evaluated by playing on greedily. Values are
// the points that the side to move gains on the other from there to the end of the game.
//
// Findings about one ending help with others of the same game.
type solver struct {
	gen   *movegen.Generator
	rules game.Rules
	set   *game.TileSet

	ctx        context.Context
	left       budget
	least      budget // budget that must remain
	checkBelow budget // budget below which ctx is checked
	stopped    bool   // the budget is spent or ctx is done

	racks   [2]tileSet // racks of the ending being searched
	lists   []lists    // one per ply, reused
	moves   []option   // the options
	keep    []Equity   // greedy play's values of leaves
	known   *findings
	plans   planner
	singles singles // of the current node
}

// newSolver returns a solver for a table.
func newSolver(gen *movegen.Generator, rules game.Rules, set *game.TileSet) *solver {
	return &solver{gen: gen, rules: rules, set: set, known: newFindings()}
}

// An option is a move in an ending.
type option struct {
	play movegen.Play
	pass bool
	uses uint32 // tiles that it lays, as bits of the rack at the start of the search
	sum  int    // points of those tiles
	// laid is the sum of the fingerprints of the tiles that it lays: 0 for a pass, and almost
	// always unique among plays.
	laid uint64
	// The squares that it depends on, and the squares that it changes.
	needs, changes movegen.Squares
}

// layOn places the option's tiles on a board.
func (o *option) layOn(b *game.Board) {
	for sq, t := range o.play.Laid {
		b.Put(sq, t)
	}
}

// An item is a list entry for an option.
type item struct {
	at    int32  // index among the solver's moves
	guess int32  // estimated value
	worth int32  // value from the search of the first ply
	uses  uint32 // the option's uses
}

// A lists value holds the lists of one ply.
type lists struct {
	all     []item // the options
	outs    []item // plays by which the other side goes out
	hopeful []item // options not refuted before they are searched
}

// thePass is the index of the pass.
const thePass = 0

func (o *option) move() game.Move {
	if o.pass {
		return game.Move{Kind: game.PassTurn}
	}
	return o.play.Move()
}

// A node is an ending in a search, with what is known of its plays.
type node struct {
	stage
	board game.Board
	plays [2]earlierPlays // by rack of the solver
}

// A stage holds the state of an ending besides its board, which laid identifies.
type stage struct {
	laid  uint64
	left  [2]uint32 // tiles left of the solver's racks
	mover int       // index of the rack of the side to move
	turns
}

// tiles returns the number of tiles on both racks.
func (n *stage) tiles() int { return bits.OnesCount32(n.left[0]) + bits.OnesCount32(n.left[1]) }

// An earlierPlays value holds the plays that a rack had at an earlier position, and the squares
// that have changed since.
type earlierPlays struct {
	all   []item
	known bool
	since movegen.Squares
}

// key returns a hash of a stage: the tiles on the board and racks, the side to move and the turns.
// Two different stages have the same key with a chance of one in 2^64.
func (s *solver) key(n *stage) uint64 {
	sum := n.laid + scramble(uint64(n.passes)<<32|uint64(n.scoreless)<<16|uint64(n.idle)<<8|3<<48)
	return sum + s.racks[n.mover].key(n.left[n.mover], 0) + s.racks[1-n.mover].key(n.left[1-n.mover], 1)
}

// begin sets the ending to search and returns its node.
func (s *solver) begin(p *ending) node {
	s.moves = append(s.moves[:0], option{pass: true})
	n := node{board: p.board, stage: stage{laid: p.laid, turns: p.turns}}
	for i, rack := range p.racks {
		s.racks[i] = newTileSet(rack, s.set)
		n.left[i] = s.racks[i].all()
	}
	return n
}

// asEnding returns a node as an ending.
func (s *solver) asEnding(n *node) ending {
	p := ending{board: n.board, laid: n.laid, turns: n.turns}
	for i, of := range [...]int{n.mover, 1 - n.mover} {
		p.racks[i] = s.racks[of].tiles(n.left[of])
	}
	return p
}

// Costs of a search besides the generator's, in nanoseconds.
const (
	nodeWork   = 700
	keptWork   = 4    // for each earlier play
	listedWork = 2500 // for a list of plays
	foundWork  = 100  // for each play on the list
)

// infinity is more than any ending can gain.
const infinity = math.MaxInt32 / 2

// A line is a move in an ending with the result of its search.
type line struct {
	option
	value int // points gained until the end of the game
	// exact is set if the value is proven for best play by both sides.
	exact bool
}

// A solution holds the best moves found in an ending, best first: as many as requested, and at
// least one.
type solution struct {
	lines []line
	// exact is set if no other move gains more than the last line.
	exact bool
}

// solve searches for the best moves until the tree is exhausted, ctx is done or the budget is
// spent. It always returns at least one move, the greedy one if nothing better.
//
// After a shallow search of the most promising moves, it tries to search everything at once, which
// takes fewer positions than deepening ply by ply, where most go into playing on. If that takes too
// many, it continues to deepen.
func (s *solver) solve(ctx context.Context, p ending, positions, moves int) solution {
	s.allow(ctx, positions)
	work := s.left
	s.checkBelow = work - leastWork
	root := s.begin(&p)
	options := slices.Clone(s.options(&root, 0, noItem))
	slices.SortStableFunc(options, func(a, b item) int { return int(b.guess - a.guess) })
	var found solution
	for _, o := range options[:min(moves, len(options))] {
		found.lines = append(found.lines, line{option: s.moves[o.at], value: max(int(o.guess), 0)})
	}
	for depth := 1; ; depth++ {
		looked := options
		if depth < shallow {
			looked = options[:min(max(fewMoves, moves), len(options))]
		}
		if depth == shallow {
			s.least = budget(float64(work) * (1 - wholeShare))
			if all := s.deepen(&root, options, unlimited, len(found.lines)); all.exact {
				return all
			}
			s.least, s.stopped = 0, false
		}
		now := s.deepen(&root, looked, depth, len(found.lines))
		if s.stopped {
			// Lines from this ply come before those from the previous one.
			found.lines = removeDuplicates(append(now.lines, found.lines...))[:len(found.lines)]
			return found
		}
		if found = now; found.exact && len(looked) == len(options) {
			return found
		}
		slices.SortStableFunc(looked, func(a, b item) int { return int(b.worth - a.worth) })
	}
}

// decide finds whether the side to move gains more than, exactly or less than a number of points,
// which takes a small part of the work of finding the gain. If proven, the returned value lies on
// the same side of points as the true gain.
func (s *solver) decide(ctx context.Context, p ending, positions, points int) (value int, proven bool) {
	s.allow(ctx, positions)
	for depth := 1; ; depth++ {
		if depth == shallow {
			depth = unlimited
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

// allow sets the budget and the context of the next search.
func (s *solver) allow(ctx context.Context, positions int) {
	s.ctx, s.left, s.least, s.stopped = ctx, budgetOf(positions), 0, false
	s.checkBelow = s.left
}

// reach finds a move that gains a number of points if no move is known to gain more. That takes
// less work than finding the number.
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
		swapBestFirst(options[i:])
		value, whole := s.try(&root, options[i].at, 1, len(options) == 1, unlimited, points-1, points)
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
	leastWork  = 10_000_000 // work done even if ctx is done
	shallow    = 3          // plies; shallow depth
	fewMoves   = 100        // most promising moves, for the shallow search
	unlimited  = 1000       // plies; unlimited depth
	wholeShare = 0.6        // share of the work
)

// deepen searches the given options, in order, to a depth in plies, and returns the best moves of
// them.
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

// removeDuplicates returns the lines without later duplicates of a move.
func removeDuplicates(lines []line) []line {
	var all []line
	for _, l := range lines {
		if !slices.ContainsFunc(all, func(other line) bool { return other.laid == l.laid }) {
			all = append(all, l)
		}
	}
	return all
}

// A visit holds the search of a node: its distance from the root, its depth, and the bounds between
// which the value matters.
type visit struct {
	*node
	ply, depth  int // plies
	alpha, beta int

	best  int // best value so far
	found finding
}

// limit returns the value that an option must exceed to matter.
func (t *visit) limit() int { return max(t.alpha, t.best) }

// toEnd reports whether the search is of unlimited depth.
func (t *visit) toEnd() bool { return t.depth > unlimited/2 }

// take records the value of an option, and reports whether the remaining options can be skipped.
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

// search returns the value of an ending to a depth in plies if it lies between alpha and beta, and
// otherwise a bound on the same side. complete is set if every line that matters was searched to
// the end of the game. known is the earlier finding for key; it must not settle the search already.
func (s *solver) search(n *node, key uint64, known finding, ply, depth, alpha, beta int) (value int, complete bool) {
	if depth <= 0 {
		value := s.playOn(s.asEnding(n))
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
	// The most promising earlier play usually causes a cutoff if any play does, and then the others
	// needn't be generated.
	first := s.first(n, sought, depth)
	if first == noItem || !s.searchOption(&t, first, false, false) {
		s.tryOthers(&t, first, sought)
	}
	if s.stopped {
		return 0, false
	}
	t.found.value = int32(t.best)
	s.known.keep(key, t.found)
	return t.best, t.found.complete
}

// searchOption searches an option, and reports whether the remaining options can be skipped.
func (s *solver) searchOption(t *visit, at int32, only, doubtful bool) (cut bool) {
	v, whole := s.tryBetter(t.node, at, t.ply+1, only, t.depth, t.limit(), t.beta, doubtful)
	return s.stopped || t.take(&s.moves[at], v, whole)
}

// tryOthers searches the options other than first, most promising first.
func (s *solver) tryOthers(t *visit, first int32, sought uint64) {
	before := len(s.moves)
	defer func() { s.moves = s.moves[:before] }()
	options := s.options(t.node, t.ply, first)
	if s.stopped {
		return
	}
	only := len(options) == 1
	if first != noItem {
		options = options[1:] // already searched
	}
	hopeful, cut := s.recordHopeful(t, options, sought)
	for i := 0; i < len(hopeful) && !cut; i++ {
		swapBestFirst(hopeful[i:])
		work := s.left
		cut = s.searchOption(t, hopeful[i].at, only, first != noItem || i > 0)
		s.plans.searched[t.tiles()].add(int(work-s.left), 1)
	}
}

// recordHopeful records the options whose value is known without a search, and returns the others.
func (s *solver) recordHopeful(t *visit, options []item, sought uint64) (hopeful []item, cut bool) {
	outs := s.outs(t.node, t.ply)
	if t.toEnd() {
		s.spend(len(s.lists[t.ply].all) * keptWork)
		s.singles.seek(s.lists[t.ply].all)
	}
	hopeful = s.lists[t.ply].hopeful[:0]
	for _, o := range options {
		goesOut := o.uses == t.left[t.mover]
		v := s.gainBound(t.node, o.at, outs)
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
			o.guess = infinity // searched first
		}
		hopeful = append(hopeful, o)
	}
	s.lists[t.ply].hopeful = hopeful
	if t.toEnd() {
		refuted, most := noItem, 0
		if hopeful, refuted, most = s.dropRefuted(t.node, t.ply, hopeful, t.limit()); refuted != noItem {
			cut = t.take(&s.moves[refuted], most, true)
		}
	}
	return hopeful, cut
}

// tryBetter evaluates an option like try. If the option is doubtful, it first checks with a null
// window whether it beats alpha at all, which is quicker.
func (s *solver) tryBetter(n *node, at int32, ply int, only bool, depth, alpha, beta int, doubtful bool) (value int, complete bool) {
	if doubtful && beta-alpha > 1 {
		value, complete = s.try(n, at, ply, only, depth, alpha, alpha+1)
		if value <= alpha || value >= beta || s.stopped {
			return value, complete
		}
	}
	return s.try(n, at, ply, only, depth, alpha, beta)
}

// try returns what an option gains, searched to a depth in plies. A forced move (only) doesn't
// count as a ply.
func (s *solver) try(n *node, at int32, ply int, only bool, depth, alpha, beta int) (value int, complete bool) {
	o := &s.moves[at]
	then, gain, over := s.advance(&n.stage, o)
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

// advance returns the stage after an option, and what the option gains at once. over reports whether
// it ends the game.
func (s *solver) advance(n *stage, o *option) (next stage, gain int, over bool) {
	mine, theirs := &s.racks[n.mover], &s.racks[1-n.mover]
	if o.uses == n.left[n.mover] {
		return next, int(o.play.Score) + 2*theirs.sum(n.left[1-n.mover]), true
	}
	next = *n
	next.mover = 1 - n.mover
	gain = int(o.play.Score)
	s.count(&next.turns, o.pass, gain)
	if !o.pass {
		next.left[n.mover] = mine.subtract(n.left[n.mover], o.uses)
		next.laid += o.laid
	}
	if s.over(next.turns) {
		return next, gain + theirs.sum(next.left[1-n.mover]) - mine.sum(next.left[n.mover]), true
	}
	return next, gain, false
}

// afterMove returns the position after a move with this score, and what the move gains at once. The
// other side is to move.
func (s *solver) afterMove(p *ending, m game.Move, score int) (next ending, gain int, over bool) {
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
			// Between two players it makes no difference whether the player who goes out gains
			// twice the other's tiles, or gains them once while the other loses them.
			return next, gain + 2*s.set.Sum(next.racks[0]), true
		}
	}
	if s.over(next.turns) {
		return next, gain + s.set.Sum(next.racks[0]) - s.set.Sum(next.racks[1]), true
	}
	return next, gain, false
}

// count updates the counters for a pass, or for a play with a gain.
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

// over reports whether passes or scoreless turns end the game, or the search.
func (s *solver) over(t turns) bool {
	return t.idle == stalemate || isRuleReached(s.rules.PassRounds*2, t.passes) || isRuleReached(s.rules.ScorelessTurns, t.scoreless)
}

// overNow reports whether one more scoreless pass would end the game or the search.
func (s *solver) overNow(t turns) bool {
	return s.over(turns{t.passes + 1, t.scoreless + 1, t.idle + 1})
}

// isRuleReached reports whether enough turns of a kind came in a row for a rule to end the game; rule 0
// never does.
func isRuleReached(rule, turns int) bool { return rule > 0 && turns >= rule }

// fingerprint returns a hash of a tile on a square.
func fingerprint(sq game.Square, t game.Tile) uint64 {
	return scramble(uint64(sq.Row)<<16 | uint64(sq.Col)<<8 | uint64(t))
}

// scramble returns a hash of x by the step of the generator SplitMix64 (Steele and others, 2014):
// similar numbers become numbers that differ in every bit.
func scramble(x uint64) uint64 {
	x = (x + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// options returns the moves of a node, unordered except that first, unless it is noItem, comes
// first and the pass last. The list is valid until the next call for the same ply.
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
			if it.at != first && s.isPossible(n, n.mover, it) {
				it.guess = estimateValue(&s.moves[it.at], left, goesOut)
				list = append(list, it)
			}
		}
		if before.since != (movegen.Squares{}) {
			s.generate(func() { plays = s.gen.PlaysIn(&n.board, tiles, &before.since) })
		}
	} else {
		s.generate(func() { plays = s.gen.Plays(&n.board, tiles) })
	}
	s.spend(listedWork + len(plays)*foundWork)
	for i := range plays {
		at := len(s.moves)
		s.moves = append(s.moves, option{play: plays[i]})
		o := &s.moves[at]
		o.read(&n.board, rack)
		list = append(list, item{at: int32(at), guess: estimateValue(o, left, goesOut), uses: o.uses})
	}
	if first != thePass {
		list = append(list, item{at: thePass, guess: -infinity})
	}
	s.lists[ply].all = list
	n.plays[n.mover] = earlierPlays{all: list, known: true}
	return list
}

// read sets the fields that follow from the option's play on a board.
func (o *option) read(b *game.Board, rack *tileSet) {
	o.uses, o.needs, o.changes = rack.usedTiles(&o.play), o.play.Needs(), o.play.Changes(b)
	o.sum = rack.sum(o.uses)
	for sq, t := range o.play.Laid {
		o.laid += fingerprint(sq, t)
	}
}

// isPossible reports whether an earlier play is still possible.
func (s *solver) isPossible(n *node, whose int, it item) bool {
	return it.uses&^n.left[whose] == 0 && it.at != thePass && !s.moves[it.at].needs.Meet(&n.plays[whose].since)
}

// noItem stands for no option.
const noItem int32 = -1

// first returns the sought play if it is still possible, or else the most promising earlier play.
// In a search of unlimited depth, a side that had no play before tries the pass first, because it
// hardly ever has a play now.
func (s *solver) first(n *node, sought uint64, depth int) int32 {
	before := &n.plays[n.mover]
	best, most := noItem, int32(-infinity)
	left := n.left[n.mover]
	goesOut := 2 * s.racks[1-n.mover].sum(n.left[1-n.mover])
	s.spend(len(before.all) * keptWork)
	for _, it := range before.all {
		if !s.isPossible(n, n.mover, it) {
			continue
		}
		o := &s.moves[it.at]
		if sought != 0 && o.laid == sought {
			return it.at
		}
		if guess := estimateValue(o, left, goesOut); guess > most {
			best, most = it.at, guess
		}
	}
	if depth > unlimited/2 && before.known && len(before.all) == 1 {
		return thePass
	}
	return best
}

// outs returns the earlier plays by which the other side would go out, highest score first.
func (s *solver) outs(n *node, ply int) []item {
	list := s.lists[ply].outs[:0]
	other := 1 - n.mover
	for _, it := range n.plays[other].all {
		if it.uses == n.left[other] && s.isPossible(n, other, it) {
			it.guess = s.moves[it.at].play.Score
			list = append(list, it)
		}
	}
	slices.SortFunc(list, func(a, b item) int { return int(b.guess - a.guess) })
	s.lists[ply].outs = list
	return list
}

// gainBound returns an upper bound on a move's gain as far as one is known without a search, and
// infinity otherwise. For a play that goes out it is exact. After a pass the other side may pass
// too, and after any move it may go out by the first of outs that the move leaves possible.
func (s *solver) gainBound(n *node, at int32, outs []item) int {
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
		return most // the game may end before the other side goes out
	}
	for _, it := range outs {
		if out := &s.moves[it.at]; !out.needs.Meet(&o.changes) {
			return min(most, int(o.play.Score)-int(out.play.Score)-2*(mine-o.sum))
		}
	}
	return most
}

// generate generates plays, and counts the work; see spend.
func (s *solver) generate(do func()) {
	before := s.gen.Work()
	do()
	s.spend(s.gen.Work() - before)
}

// spend subtracts work from the budget, and stops the search if the budget is spent or ctx is done.
func (s *solver) spend(work int) {
	yielded := s.left.spend(work)
	if s.left < s.least || yielded && s.left < s.checkBelow && s.ctx.Err() != nil {
		s.stopped = true
	}
}

// swapBestFirst swaps the most promising option to the front.
func swapBestFirst(options []item) {
	best := 0
	for i := range options {
		if options[i].guess > options[best].guess {
			best = i
		}
	}
	options[0], options[best] = options[best], options[0]
}

// estimateValue returns the estimated value of a play: its points plus the points of the tiles it lays,
// plus the bonus if it goes out.
func estimateValue(o *option, left uint32, goesOut int) int32 {
	guess := int(o.play.Score) + o.sum
	if o.uses == left {
		guess += goesOut
	}
	return int32(guess)
}

// playOn returns what the side to move gains if both sides play on greedily.
func (s *solver) playOn(p ending) int {
	sum, sign := 0, 1
	for {
		var m game.Move
		var score int
		s.generate(func() { m, score = s.greedy(&p) })
		next, gain, over := s.afterMove(&p, m, score)
		sum += sign * gain
		if over || s.stopped {
			return sum
		}
		p, sign = next, -sign
	}
}

// greedy returns the most promising move of an ending, and its score.
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

// greedyOfAll returns the same as greedy for a rack too long to value all its leaves.
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

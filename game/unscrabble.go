package game

import (
	"errors"
	"fmt"
	"slices"
)

// unscrabble returns the variant that plays in reverse (document 002, variations): it starts with
// the final position of a game, and players take one to six tiles off the board in each move. The
// rest must be valid words in one connected group, or nothing. Tiles taken score their face values.
// The game ends when no more tiles can be taken or, because people overlook moves, when everyone
// passes in turn.
func unscrabble() Variant {
	return Variant{
		Name:    "unscrabble",
		looksUp: true,
		Rules: func(r Rules) Rules {
			r.Games = 0
			r.Challenge = Void
			r.ScorelessTurns, r.Elect, r.PassRounds = 0, false, 1
			r.Hints, r.Unrated = false, true
			return r
		},
		flaw: func(r Rules) Flaw {
			if r.UseLetter {
				return NothingToJoin
			}
			return 0
		},
		act: func(d *decision, a Action) (bool, error) {
			switch a.(type) {
			case Play, Exchange, Hint:
				return true, &RuleError{Code: NotHere}
			}
			return false, nil
		},
		setUp: func(d *decision) error {
			f, err := d.position()
			switch {
			case err != nil:
				return err
			case f.Board.Empty():
				return FewWordsToFill.ruleError()
			}
			f.Aside = true
			d.emit(f)
			return nil
		},
		ending: func(s *State) EndReason {
			if s.Stuck {
				return StuckEnd
			}
			return 0
		},
		settle: func(*State, int) int { return 0 },
	}
}

// MostRemoved limits the tiles that a move of unscrabble removes.
const MostRemoved = 6

// Remove takes tiles off the board.
type Remove struct{ Squares []Square }

// Lifted records that tiles were taken off the board. Last means that no more tiles can be
// taken.
type Lifted struct {
	Seat    int
	Squares []Square
	Tiles   Tiles // tiles of Squares, in the same order
	Score   int
	Last    bool
}

// Act returns the action. Whether more tiles can be taken depends on the word list, which isn't
// available when a log is checked against the rules, so the action uses the recorded answer.
func (f Lifted) Act() (int, Action) {
	return f.Seat, lifted{Remove{f.Squares}, f.Last}
}

// lifted is a Remove from a log. last says whether no more tiles could be taken after it.
type lifted struct {
	Remove
	last bool
}

func (a lifted) decide(d *decision) error { return a.lift(d, func(Board) bool { return a.last }) }

func (Remove) looksUp() bool { return true }

func (a Remove) decide(d *decision) error {
	return a.lift(d, func(left Board) bool { return Removal(left, d.env.Dict, MostRemoved) == nil })
}

// Check returns why the tiles can't be taken off a board, or nil.
func (a Remove) Check(b Board, dict Dictionary) error {
	_, _, err := a.liftFrom(b, dict)
	return err
}

// liftFrom returns the board without the tiles, and the tiles in the order of the squares.
func (a Remove) liftFrom(b Board, dict Dictionary) (left Board, taken Tiles, err error) {
	if len(a.Squares) < 1 || len(a.Squares) > MostRemoved {
		return b, "", &RuleError{Code: WrongCount, N: len(a.Squares), Need: MostRemoved}
	}
	left = b
	var tiles []Tile
	for i, sq := range a.Squares {
		t := b.Tile(sq)
		switch {
		case t == NoTile:
			return b, "", &RuleError{Code: Gap, Square: sq}
		case slices.Contains(a.Squares[:i], sq):
			return b, "", &RuleError{Code: NamedTwice, Square: sq}
		}
		tiles = append(tiles, t)
		left.Put(sq, NoTile)
	}
	return left, TilesOf(tiles...), checkConnected(&left, dict)
}

// lift takes the tiles if the rules allow it. last reports whether no more can be taken afterwards.
func (a Remove) lift(d *decision, last func(left Board) bool) error {
	seat, err := d.movingSeat()
	switch {
	case err != nil:
		return err
	case d.Rules.Variant != unscrabble().Name:
		return &RuleError{Code: NotHere}
	}
	left, taken, err := a.liftFrom(d.Board, d.env.Dict)
	if err != nil {
		return err
	}
	d.emit(Lifted{Seat: seat, Squares: slices.Clone(a.Squares), Tiles: taken, Score: d.Equipment.Tiles.Sum(taken), Last: last(left)})
	d.turnOver()
	return nil
}

func (f Lifted) check(s *State) error {
	if len(f.Tiles) != len(f.Squares) || len(f.Tiles) == 0 {
		return fmt.Errorf("%d tiles from %d squares", len(f.Tiles), len(f.Squares))
	}
	if s.Rules.Variant != unscrabble().Name {
		return errors.New("this table doesn't take tiles off the board")
	}
	for i, sq := range f.Squares {
		if t := f.Tiles.At(i); t == NoTile || s.Board.Tile(sq) != t || slices.Contains(f.Squares[:i], sq) {
			return fmt.Errorf("that tile does not lie on %s", sq)
		}
	}
	return s.requireSeats(Playing, f.Seat)
}

func (f Lifted) apply(s *State) {
	for _, sq := range f.Squares {
		s.Board.Put(sq, NoTile)
	}
	seat := &s.Seats[f.Seat]
	seat.Taken += f.Tiles.Faces()
	seat.Score += f.Score
	s.Stuck, s.Scoreless, s.Passes = f.Last, 0, 0
	s.addIncrement(f.Seat)
	s.finishTurn(f.Seat)
}

// IsConnected reports whether the tiles on a board form valid words in one connected group. An empty
// board does.
func IsConnected(b *Board, dict Dictionary) bool { return checkConnected(b, dict) == nil }

func checkConnected(b *Board, dict Dictionary) error {
	var bad []Tiles
	for _, w := range b.runs() {
		if !dict.Has(w.Letters()) {
			bad = append(bad, w.Tiles)
		}
	}
	if len(bad) > 0 {
		return &RuleError{Code: NotAWord, Words: bad}
	}
	if parts := b.parts(); len(parts) > 1 || len(parts) == 1 && len(parts[0]) == 1 {
		return &RuleError{Code: NotWholeLeft, N: len(parts)}
	}
	return nil
}

// parts returns the connected groups of tiles, as squares.
func (b *Board) parts() [][]Square {
	var parts [][]Square
	seen := map[Square]bool{}
	for i, t := range b.tiles {
		sq := Square{i / MaxSize, i % MaxSize}
		if t == NoTile || seen[sq] {
			continue
		}
		part := []Square{sq}
		seen[sq] = true
		for k := 0; k < len(part); k++ {
			for _, next := range []Square{part[k].Step(Across, 1), part[k].Step(Across, -1), part[k].Step(Down, 1), part[k].Step(Down, -1)} {
				if b.Tile(next) != NoTile && !seen[next] {
					seen[next] = true
					part = append(part, next)
				}
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// Removal returns a way to take one to most tiles off the board so that the rest is whole, or nil
// if there is none.
//
// It takes one tile, and then the tiles that this makes necessary: all groups but one, single
// tiles, one tile of each invalid word.
func Removal(b Board, dict Dictionary, most int) []Square {
	r := remover{dict: dict, failed: map[Board]int{}}
	for i, t := range b.tiles {
		if t != NoTile {
			if found := r.tryWithout(b, []Square{{i / MaxSize, i % MaxSize}}, nil, most); found != nil {
				return found
			}
		}
	}
	return nil
}

// A remover searches for a removal.
type remover struct {
	dict   Dictionary
	failed map[Board]int // by board: a number of further tiles that isn't enough
}

// tryWithout takes squares off a board and mends the rest.
func (r *remover) tryWithout(b Board, squares, taken []Square, most int) []Square {
	if len(squares) > most {
		return nil
	}
	for _, sq := range squares {
		b.Put(sq, NoTile)
	}
	return r.repair(b, slices.Concat(taken, squares), most-len(squares))
}

// repair takes up to most more tiles off a board to make it whole.
func (r *remover) repair(b Board, taken []Square, most int) []Square {
	if tried, ok := r.failed[b]; ok && tried >= most {
		return nil
	}
	parts := b.parts()
	if len(parts) > 1 || len(parts) == 1 && len(parts[0]) == 1 {
		for keep := range len(parts) + 1 { // keep one of them, or none
			if keep < len(parts) && len(parts[keep]) == 1 {
				continue
			}
			rest := slices.Concat(slices.Delete(slices.Clone(parts), keep, min(keep+1, len(parts)))...)
			if found := r.tryWithout(b, rest, taken, most); found != nil {
				return found
			}
		}
		r.failed[b] = most
		return nil
	}
	for _, w := range b.runs() {
		if r.dict.Has(w.Letters()) {
			continue
		}
		for i := range len(w.Tiles) {
			if found := r.tryWithout(b, []Square{w.At.Step(w.Dir, i)}, taken, most); found != nil {
				return found
			}
		}
		r.failed[b] = most
		return nil
	}
	return taken
}

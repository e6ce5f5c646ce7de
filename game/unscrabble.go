package game

import (
	"errors"
	"fmt"
	"slices"
)

// unscrabble returns the game in reverse (document 002, variations): it begins from
// the end of a game, and players take from one to six tiles off the board at
// each move. What they leave must be words, joined into one whole; a board from
// which all is taken leaves nothing that could be wrong. Tiles taken score
// their face values. It ends when nobody can take any more, and, for people
// don't see all that can be taken, when everybody passes in turn.
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
				return FewWordsToFill.refused()
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

// MostRemoved is the most tiles that a move of unscrabble takes.
const MostRemoved = 6

// Remove takes tiles off the board.
type Remove struct{ Squares []Square }

// Lifted says that tiles were taken off the board. Last says that no more can be.
type Lifted struct {
	Seat    int
	Squares []Square
	Tiles   Tiles // that lay there, in the same order
	Score   int
	Last    bool
}

// Act returns what was done. Whether more can be taken is the word list's to say,
// which isn't at hand when a log is put to the rules once more: that is as the
// log has it.
func (f Lifted) Act() (int, Action) {
	return f.Seat, lifted{Remove{f.Squares}, f.Last}
}

// lifted is a Remove of which it is known whether it was the last.
type lifted struct {
	Remove
	last bool
}

func (a lifted) decide(d *decision) error { return a.lift(d, func(Board) bool { return a.last }) }

func (Remove) looksUp() bool { return true }

func (a Remove) decide(d *decision) error {
	return a.lift(d, func(left Board) bool { return Removal(left, d.env.Dict, MostRemoved) == nil })
}

// Check returns why the tiles can't be taken off a board, or nil if they can.
func (a Remove) Check(b Board, dict Dictionary) error {
	_, _, err := a.off(b, dict)
	return err
}

// off returns what is left of a board without the tiles, and the tiles, in the order of the
// squares.
func (a Remove) off(b Board, dict Dictionary) (left Board, taken Tiles, err error) {
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
	return left, TilesOf(tiles...), whole(&left, dict)
}

// lift takes the tiles, where it may be. last says whether no more can be taken
// after it.
func (a Remove) lift(d *decision, last func(left Board) bool) error {
	seat, err := d.mover()
	switch {
	case err != nil:
		return err
	case d.Rules.Variant != unscrabble().Name:
		return &RuleError{Code: NotHere}
	}
	left, taken, err := a.off(d.Board, d.env.Dict)
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
		return errors.New("nothing is taken off the board at this table")
	}
	for i, sq := range f.Squares {
		if t := f.Tiles.At(i); t == NoTile || s.Board.Tile(sq) != t || slices.Contains(f.Squares[:i], sq) {
			return fmt.Errorf("that tile does not lie on %s", sq)
		}
	}
	return s.seated(Playing, f.Seat)
}

func (f Lifted) apply(s *State) {
	for _, sq := range f.Squares {
		s.Board.Put(sq, NoTile)
	}
	seat := &s.Seats[f.Seat]
	seat.Taken += f.Tiles.Faces()
	seat.Score += f.Score
	s.Stuck, s.Scoreless, s.Passes = f.Last, 0, 0
	s.gain(f.Seat)
	s.turnDone(f.Seat)
}

// Whole reports whether what lies on a board is words that hang together, or
// nothing.
func Whole(b *Board, dict Dictionary) bool { return whole(b, dict) == nil }

func whole(b *Board, dict Dictionary) error {
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

// parts returns the tiles that hang together, as squares.
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

// Removal returns a way to take from one to most tiles off the board, so that words
// are left which hang together, or nothing; nil when there is none.
//
// It takes one tile, and then those that this makes necessary: all parts of the
// board but one, a tile that is left alone, one of a run that is no word.
func Removal(b Board, dict Dictionary, most int) []Square {
	r := remover{dict: dict, failed: map[Board]int{}}
	for i, t := range b.tiles {
		if t != NoTile {
			if found := r.without(b, []Square{{i / MaxSize, i % MaxSize}}, nil, most); found != nil {
				return found
			}
		}
	}
	return nil
}

// A remover looks for a removal.
type remover struct {
	dict   Dictionary
	failed map[Board]int // by board, a number of tiles that isn't enough from there
}

// without takes squares off a board, and mends what is left.
func (r *remover) without(b Board, squares, taken []Square, most int) []Square {
	if len(squares) > most {
		return nil
	}
	for _, sq := range squares {
		b.Put(sq, NoTile)
	}
	return r.mend(b, slices.Concat(taken, squares), most-len(squares))
}

// mend takes up to most tiles more off a board, so that it is whole.
func (r *remover) mend(b Board, taken []Square, most int) []Square {
	if tried, ok := r.failed[b]; ok && tried >= most {
		return nil
	}
	parts := b.parts()
	if len(parts) > 1 || len(parts) == 1 && len(parts[0]) == 1 {
		for keep := range len(parts) + 1 { // one of them, or none
			if keep < len(parts) && len(parts[keep]) == 1 {
				continue
			}
			rest := slices.Concat(slices.Delete(slices.Clone(parts), keep, min(keep+1, len(parts)))...)
			if found := r.without(b, rest, taken, most); found != nil {
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
			if found := r.without(b, []Square{w.At.Step(w.Dir, i)}, taken, most); found != nil {
				return found
			}
		}
		r.failed[b] = most
		return nil
	}
	return taken
}

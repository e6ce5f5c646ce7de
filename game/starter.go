package game

import (
	"cmp"
	"slices"

	"github.com/rackmate/rackmate/lexicon"
)

// juniorStarter returns the variant for children learning to read (document 002, variations): words
// are printed on a board of 13 by 13 squares, and the players cover them with tiles.
//
//   - A turn covers one or two open letters of one word with matching tiles, in order, starting with
//     the first open letter. A letter where two words cross is covered for both.
//   - Laying the last tile of a word scores a point, or two if it completes two words.
//   - The bag has one tile for each printed letter and no blanks. The other tiles aren't used.
//   - A player who can't or won't cover a letter exchanges as many tiles as the bag can replace, or
//     passes. A player without tiles misses the turn.
//   - The game ends when no remaining tile can be laid: every letter is covered, or the missing tiles
//     left play with a player who left. It also ends after [starterStall] turns in a row without a tile laid.
//     Tiles left cost nothing. Most points win.
func juniorStarter() Variant {
	return Variant{
		Name: "junior-starter", Layout: "junior-13",
		Rules: func(r Rules) Rules {
			r.Bonus, r.BonusTiles, r.ExchangeMin = 0, 0, 0
			r.Order, r.Games, r.TieBreak = Drawn, 0, false
			r.Challenge = Void // the printed words are valid, so there is nothing to challenge
			r.ScorelessTurns, r.Elect, r.ZeroPlays, r.PassRounds = starterStall, false, false, 0
			r.OutBonus = OutDeduct
			r.Hints, r.Unrated = false, true
			return r
		},
		flaw: func(r Rules) Flaw {
			switch {
			case r.UseLetter:
				return NothingToJoin
			case r.Order != Drawn || !r.Challenge.Void:
				return DrawnUnchallenged
			}
			return 0
		},
		setUp: func(d *decision) error {
			f, err := d.position()
			if err != nil {
				return err
			}
			d.emit(f)
			return nil
		},
		tally:   func(s *State, m Move) (Tally, error) { return s.scoreCovered(m) },
		idle:    func(s *State) bool { return s.Seats[s.Turn].Rack == "" && s.Bag == "" },
		ending:  starterEnd,
		settle:  func(*State, int) int { return 0 },
		looksUp: true,
	}
}

const (
	// MostCovered limits the letters covered in a turn of junior-starter.
	MostCovered  = 2
	starterStall = 12
)

// PrintWords returns the starting position of a game of junior-starter.
func PrintWords(eq Equipment, words []lexicon.Word, seed Seed) (SetUp, error) {
	b, ok := Crossword(eq, words, seed)
	if !ok {
		return SetUp{}, FewWordsToPrint.ruleError()
	}
	return SetUp{Printed: b, Fitted: true}, nil
}

// A PrintedWord is a word printed on the board.
type PrintedWord struct {
	At    Square
	Dir   Dir
	Tiles Tiles // letters of the word
}

// PrintedWords returns the words printed on the board: across first, from the top.
func (s *State) PrintedWords() []PrintedWord {
	var all []PrintedWord
	for _, w := range s.Printed.runs() {
		all = append(all, PrintedWord{w.At, w.Dir, w.Tiles})
	}
	slices.SortFunc(all, func(a, b PrintedWord) int {
		return cmp.Or(cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.At.Row, b.At.Row), cmp.Compare(a.At.Col, b.At.Col))
	})
	return all
}

// printedWord returns the word through a square, possibly of one letter.
func (s *State) printedWord(sq Square, d Dir) PrintedWord {
	for s.Printed.Tile(sq.Step(d, -1)) != NoTile {
		sq = sq.Step(d, -1)
	}
	var b []byte
	for n := 0; s.Printed.Tile(sq.Step(d, n)) != NoTile; n++ {
		b = append(b, byte(s.Printed.Tile(sq.Step(d, n))))
	}
	return PrintedWord{sq, d, Tiles(b)}
}

// openSquares returns the uncovered squares of a word, in order.
func (s *State) openSquares(w PrintedWord) []Square {
	var all []Square
	for i := range len(w.Tiles) {
		if sq := w.At.Step(w.Dir, i); s.Board.Tile(sq) == NoTile {
			all = append(all, sq)
		}
	}
	return all
}

// coverMove returns the move that covers the first n open letters of a word.
func (s *State) coverMove(w PrintedWord, n int) Move {
	open := s.openSquares(w)[:n]
	last := open[n-1]
	m := Move{Kind: PlayTiles, At: open[0], Dir: w.Dir}
	var b []byte
	for i := 0; ; i++ {
		sq := m.At.Step(w.Dir, i)
		t := NoTile
		if slices.Contains(open, sq) {
			t = s.Printed.Tile(sq)
		}
		b = append(b, byte(t))
		if sq == last {
			m.Tiles = Tiles(b)
			return m
		}
	}
}

// scoreCovered checks a turn of junior-starter and scores it: a point for each word completed. The first
// of its words is the one whose letters it covers, complete or not; the others are completed across
// that one.
func (s State) scoreCovered(m Move) (Tally, error) {
	if m.Kind != PlayTiles || m.Dir != Across && m.Dir != Down || len(m.Tiles) == 0 {
		return Tally{}, &RuleError{Code: NoTiles}
	}
	if end := m.At.Step(m.Dir, len(m.Tiles)-1); !s.Equipment.Layout.On(m.At) || !s.Equipment.Layout.On(end) {
		return Tally{}, &RuleError{Code: OffBoard, Move: m}
	}
	w := s.printedWord(m.At, m.Dir)
	laid := m.LaidSquares()
	switch open := s.openSquares(w); {
	case len(w.Tiles) < 2:
		return Tally{}, &RuleError{Code: NotPrinted, Move: m, Square: m.At}
	case len(open) == 0:
		return Tally{}, &RuleError{Code: AllCovered, Words: []Tiles{w.Tiles}}
	case len(laid) < 1 || len(laid) > MostCovered:
		return Tally{}, &RuleError{Code: WrongCount, N: len(laid), Need: MostCovered}
	case len(laid) > len(open) || s.coverMove(w, len(laid)) != m:
		return Tally{}, &RuleError{Code: NotNext, Move: m, Square: open[0], Tile: s.Printed.Tile(open[0]), Words: []Tiles{w.Tiles}}
	}
	s.Board.Lay(m) // s is a copy
	var t Tally
	add := func(w PrintedWord) {
		score := 0
		if len(s.openSquares(w)) == 0 {
			score = 1
		}
		t.Words = append(t.Words, ScoredWord{Tiles: w.Tiles, At: w.At, Dir: w.Dir, Score: score})
		t.Total += score
	}
	add(w)
	for _, sq := range laid {
		if cross := s.printedWord(sq, m.Dir.Other()); len(cross.Tiles) > 1 && len(s.openSquares(cross)) == 0 {
			add(cross)
		}
	}
	return t, nil
}

// CoverWord returns the turn of junior-starter for a typed word: it covers the word's next open letters
// that the rack has, up to most of them (1 or 2), or as many as possible if most is 0. Errors are
// *[RuleError]: WrongCount, NotPrinted, AllCovered, NotOnRack.
func (s State) CoverWord(rack Tiles, sp Spelling, most int) (Move, error) {
	if most < 0 || most > MostCovered {
		return Move{}, &RuleError{Code: WrongCount, N: most, Need: MostCovered}
	}
	var found *PrintedWord
	for _, w := range s.PrintedWords() {
		if !spells(w, sp) {
			continue
		}
		if found == nil || len(s.openSquares(*found)) == 0 {
			found = &w
		}
	}
	if found == nil {
		return Move{}, &RuleError{Code: NotPrinted}
	}
	open := s.openSquares(*found)
	if len(open) == 0 {
		return Move{}, &RuleError{Code: AllCovered, Words: []Tiles{found.Tiles}}
	}
	n := min(len(open), MostCovered)
	if most > n {
		return Move{}, &RuleError{Code: WrongCount, N: most, Need: n}
	}
	if most > 0 {
		n = most
	}
	m := s.coverMove(*found, n)
	if i := rack.firstMissing(m.Tiles.Faces()); i == 1 && most == 0 {
		return s.coverMove(*found, 1), nil
	} else if i >= 0 {
		return Move{}, &RuleError{Code: NotOnRack, Move: m, Square: open[i], Tile: m.Tiles.Faces().At(i), Rack: rack}
	}
	return m, nil
}

// spells reports whether a typed word is the printed word w.
func spells(w PrintedWord, sp Spelling) bool {
	if len(sp) != len(w.Tiles) {
		return false
	}
	for i, l := range sp {
		if l.Letter != w.Tiles.At(i).Letter() || l.Blank || l.Through {
			return false
		}
	}
	return true
}

// CoverMoves returns what a rack can cover: a move for each word, most points and tiles first.
func (s State) CoverMoves(rack Tiles) []Spot {
	var all []Spot
	for _, w := range s.PrintedWords() {
		for n := min(MostCovered, len(s.openSquares(w))); n > 0; n-- {
			m := s.coverMove(w, n)
			if rack.firstMissing(m.Tiles.Faces()) >= 0 {
				continue
			}
			if t, err := s.scoreCovered(m); err == nil {
				all = append(all, Spot{m, t})
			}
			break
		}
	}
	slices.SortStableFunc(all, func(a, b Spot) int {
		if a.Tally.Total != b.Tally.Total {
			return b.Tally.Total - a.Tally.Total
		}
		return len(b.Move.LaidSquares()) - len(a.Move.LaidSquares())
	})
	return all
}

// starterEnd returns the reason to end junior-starter if no tile in play can be covered next, or 0.
func starterEnd(s *State) EndReason {
	if s.Printed.Empty() {
		return 0
	}
	left := s.Bag
	for _, i := range s.Active() {
		left += s.Seats[i].Rack
	}
	for _, w := range s.PrintedWords() {
		if open := s.openSquares(w); len(open) > 0 && left.Count(s.Printed.Tile(open[0])) > 0 {
			return 0
		}
	}
	return StuckEnd
}

// LostTiles returns the tiles that left play with a player, sorted. It omits tiles that a board with
// printed letters doesn't use, which everyone knows.
func (s State) LostTiles() Tiles {
	if s.Printed.Empty() {
		return s.Removed
	}
	aside, _ := s.Equipment.Tiles.All().Minus(s.Printed.Tiles())
	lost, _ := s.Removed.Minus(aside)
	return lost
}

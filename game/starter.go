package game

import (
	"cmp"
	"slices"

	"github.com/rackmate/rackmate/lexicon"
)

// juniorStarter returns the variant for children who learn to read (document 002, variations):
// words are printed on a board of 13 by 13 squares, and the players lay tiles on
// them.
//
//   - A turn covers one or two open letters of one word, with the same letters'
//     tiles, in order: always the first that is open. A letter where two words
//     cross is covered for both.
//   - Whoever lays the last tile of a word scores a point for it, and two if it
//     is the last of two words.
//   - The bag has a tile for each printed letter and no other, no blank. The
//     other tiles stay aside.
//   - A player who can't or won't cover a letter exchanges tiles, any number that the
//     bag can give, or passes. A player whose tiles are used up misses the turn.
//   - The game ends when no tile that is left can be laid, which is when every
//     letter is covered, or those that lack a tile left play with a player; and
//     after [starterStall] turns in a row without a tile. Tiles left cost
//     nothing. Most points win.
func juniorStarter() Variant {
	return Variant{
		Name: "junior-starter", Layout: "junior-13",
		Rules: func(r Rules) Rules {
			r.Bonus, r.BonusTiles, r.ExchangeMin = 0, 0, 0
			r.Order, r.Games, r.TieBreak = Drawn, 0, false
			r.Challenge = Void // the words are real ones, so there is nothing to doubt
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
		tally:   func(s *State, m Move) (Tally, error) { return s.covers(m) },
		idle:    func(s *State) bool { return s.Seats[s.Turn].Rack == "" && s.Bag == "" },
		ending:  allCovered,
		settle:  func(*State, int) int { return 0 },
		looksUp: true,
	}
}

const (
	// MostCovered is how many letters a turn of junior-starter covers at most.
	MostCovered  = 2
	starterStall = 12
)

// PrintWords returns the position that a game of junior-starter begins from.
func PrintWords(eq Equipment, words []lexicon.Word, seed Seed) (SetUp, error) {
	b, ok := Crossword(eq, words, seed)
	if !ok {
		return SetUp{}, FewWordsToPrint.refused()
	}
	return SetUp{Printed: b, Fitted: true}, nil
}

// A PrintedWord is a word on the board.
type PrintedWord struct {
	At    Square
	Dir   Dir
	Tiles Tiles // its letters
}

// PrintedWords lists the words that are printed on the board, across first,
// from the top.
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

// printedAt returns the word through a square, of one letter where none reads that
// way.
func (s *State) printedAt(sq Square, d Dir) PrintedWord {
	for s.Printed.Tile(sq.Step(d, -1)) != NoTile {
		sq = sq.Step(d, -1)
	}
	var b []byte
	for n := 0; s.Printed.Tile(sq.Step(d, n)) != NoTile; n++ {
		b = append(b, byte(s.Printed.Tile(sq.Step(d, n))))
	}
	return PrintedWord{sq, d, Tiles(b)}
}

// open returns the squares of a word that no tile lies on, in order.
func (s *State) open(w PrintedWord) []Square {
	var all []Square
	for i := range len(w.Tiles) {
		if sq := w.At.Step(w.Dir, i); s.Board.Tile(sq) == NoTile {
			all = append(all, sq)
		}
	}
	return all
}

// cover returns the move that covers the first n open letters of a word.
func (s *State) cover(w PrintedWord, n int) Move {
	open := s.open(w)[:n]
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

// covers checks a turn of junior-starter and scores it: a point for each word
// that it completes. The first of its words is the one that it covers letters
// of, complete or not; the others are those that it completes across that one.
func (s State) covers(m Move) (Tally, error) {
	if m.Kind != PlayTiles || m.Dir != Across && m.Dir != Down || len(m.Tiles) == 0 {
		return Tally{}, &RuleError{Code: NoTiles}
	}
	if end := m.At.Step(m.Dir, len(m.Tiles)-1); !s.Equipment.Layout.On(m.At) || !s.Equipment.Layout.On(end) {
		return Tally{}, &RuleError{Code: OffBoard, Move: m}
	}
	w := s.printedAt(m.At, m.Dir)
	laid := m.Laid()
	switch open := s.open(w); {
	case len(w.Tiles) < 2:
		return Tally{}, &RuleError{Code: NotPrinted, Move: m, Square: m.At}
	case len(open) == 0:
		return Tally{}, &RuleError{Code: AllCovered, Words: []Tiles{w.Tiles}}
	case len(laid) < 1 || len(laid) > MostCovered:
		return Tally{}, &RuleError{Code: WrongCount, N: len(laid), Need: MostCovered}
	case len(laid) > len(open) || s.cover(w, len(laid)) != m:
		return Tally{}, &RuleError{Code: NotNext, Move: m, Square: open[0], Tile: s.Printed.Tile(open[0]), Words: []Tiles{w.Tiles}}
	}
	s.Board.Lay(m) // s is a copy
	var t Tally
	add := func(w PrintedWord) {
		score := 0
		if len(s.open(w)) == 0 {
			score = 1
		}
		t.Words = append(t.Words, ScoredWord{Tiles: w.Tiles, At: w.At, Dir: w.Dir, Score: score})
		t.Total += score
	}
	add(w)
	for _, sq := range laid {
		if cross := s.printedAt(sq, m.Dir.Other()); len(cross.Tiles) > 1 && len(s.open(cross)) == 0 {
			add(cross)
		}
	}
	return t, nil
}

// Cover turns a typed word into a turn of junior-starter: its next open letters
// that the rack has tiles for, as many as most, which is 1 or 2; with 0, as many
// as can be. The errors are *[RuleError]: WrongCount, NotPrinted, AllCovered,
// NotOnRack.
func (s State) Cover(rack Tiles, sp Spelling, most int) (Move, error) {
	if most < 0 || most > MostCovered {
		return Move{}, &RuleError{Code: WrongCount, N: most, Need: MostCovered}
	}
	var found *PrintedWord
	for _, w := range s.PrintedWords() {
		if !spells(w, sp) {
			continue
		}
		if found == nil || len(s.open(*found)) == 0 {
			found = &w
		}
	}
	if found == nil {
		return Move{}, &RuleError{Code: NotPrinted}
	}
	open := s.open(*found)
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
	m := s.cover(*found, n)
	if i := rack.missing(m.Tiles.Faces()); i == 1 && most == 0 {
		return s.cover(*found, 1), nil
	} else if i >= 0 {
		return Move{}, &RuleError{Code: NotOnRack, Move: m, Square: open[i], Tile: m.Tiles.Faces().At(i), Rack: rack}
	}
	return m, nil
}

// spells reports whether a word is spelled so.
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

// Coverable lists what a rack can cover, a move for each word, that with more
// points and more tiles first.
func (s State) Coverable(rack Tiles) []Spot {
	var all []Spot
	for _, w := range s.PrintedWords() {
		for n := min(MostCovered, len(s.open(w))); n > 0; n-- {
			m := s.cover(w, n)
			if rack.missing(m.Tiles.Faces()) >= 0 {
				continue
			}
			if t, err := s.covers(m); err == nil {
				all = append(all, Spot{m, t})
			}
			break
		}
	}
	slices.SortStableFunc(all, func(a, b Spot) int {
		if a.Tally.Total != b.Tally.Total {
			return b.Tally.Total - a.Tally.Total
		}
		return len(b.Move.Laid()) - len(a.Move.Laid())
	})
	return all
}

// allCovered ends junior-starter when none of the tiles in play is one of the
// letters that can be covered next.
func allCovered(s *State) EndReason {
	if s.Printed.Empty() {
		return 0
	}
	left := s.Bag
	for _, i := range s.Active() {
		left += s.Seats[i].Rack
	}
	for _, w := range s.PrintedWords() {
		if open := s.open(w); len(open) > 0 && left.Count(s.Printed.Tile(open[0])) > 0 {
			return 0
		}
	}
	return StuckEnd
}

// Lost returns the tiles that left play with a player, sorted: not those that a
// board with printed letters has no use for, which everybody knows.
func (s State) Lost() Tiles {
	if s.Printed.Empty() {
		return s.Removed
	}
	aside, _ := s.Equipment.Tiles.All().Minus(s.Printed.Tiles())
	lost, _ := s.Removed.Minus(aside)
	return lost
}

package game

import "github.com/rackmate/rackmate/lexicon"

// A ScoredWord is a word formed or changed by a play.
type ScoredWord struct {
	Tiles Tiles // the whole word, blanks with their letters
	At    Square
	Dir   Dir
	Score int // points, including premiums
}

// Letters returns the word in the lexicon's form.
func (w ScoredWord) Letters() lexicon.Word {
	b := make([]byte, len(w.Tiles))
	for i := range b {
		b[i] = byte(w.Tiles.At(i).Letter())
	}
	return lexicon.Word(b)
}

// A Tally holds the words and the score of a play.
type Tally struct {
	Words []ScoredWord // the main word first
	Bonus int          // points for playing a whole rack
	Total int          // points: words and bonus
}

// LaidSquares returns the squares where a play puts tiles.
func (m Move) LaidSquares() []Square {
	var laid []Square
	for i := range len(m.Tiles) {
		if m.Tiles.At(i) != NoTile {
			laid = append(laid, m.At.Step(m.Dir, i))
		}
	}
	return laid
}

// Lay puts the tiles of a play on the board.
func (b *Board) Lay(m Move) {
	for i := range len(m.Tiles) {
		if t := m.Tiles.At(i); t != NoTile {
			b.Put(m.At.Step(m.Dir, i), t)
		}
	}
}

// Lift removes the tiles of a play from the board.
func (b *Board) Lift(m Move) {
	for _, sq := range m.LaidSquares() {
		b.Put(sq, NoTile)
	}
}

// Tally checks that a play fits the board and scores it. Its tiles must be in one line on free
// squares, its main word complete, and joined to the tiles there or covering the start; if the
// rules require it, it must use a letter on the board. Tally doesn't check racks or valid words.
// Errors are *[RuleError].
//
// Premiums count only under new tiles, in every word that the tile forms. Letter premiums come
// before word premiums, and word premiums multiply (documents 000, 001 and 003, scoring).
func (r Rules) Tally(eq Equipment, b *Board, m Move) (Tally, error) {
	if err := r.checkPlay(eq, b, m); err != nil {
		return Tally{}, err
	}
	var t Tally
	main := scoreWord(eq, b, m)
	t.Words = append(t.Words, main)
	t.Total = main.Score
	for i := range len(m.Tiles) {
		tile := m.Tiles.At(i)
		if tile == NoTile {
			continue
		}
		if w, ok := crossWord(eq, b, m.At.Step(m.Dir, i), m.Dir.Other(), tile); ok {
			t.Words = append(t.Words, w)
			t.Total += w.Score
		}
	}
	if r.BonusTiles > 0 && len(m.Tiles.Faces()) >= r.BonusTiles {
		t.Bonus = r.Bonus
		t.Total += r.Bonus
	}
	return t, nil
}

// scoreWord returns a word of the play m with its score.
func scoreWord(eq Equipment, b *Board, m Move) ScoredWord {
	w := ScoredWord{At: m.At, Dir: m.Dir}
	word := make([]byte, len(m.Tiles))
	sum, times := 0, 1
	for i := range len(m.Tiles) {
		sq, tile := m.At.Step(m.Dir, i), m.Tiles.At(i)
		if tile == NoTile {
			tile = b.Tile(sq)
			sum += eq.Tiles.Value(tile)
		} else {
			p := eq.Layout.Premium(sq)
			sum += eq.Tiles.Value(tile) * p.Letter()
			times *= p.Word()
		}
		word[i] = byte(tile)
	}
	w.Tiles, w.Score = Tiles(word), sum*times
	return w
}

// crossWord returns the word that one new tile forms at right angles to the main word, if any.
func crossWord(eq Equipment, b *Board, sq Square, d Dir, tile Tile) (ScoredWord, bool) {
	before, after := 0, 0
	for b.Tile(sq.Step(d, -before-1)) != NoTile {
		before++
	}
	for b.Tile(sq.Step(d, after+1)) != NoTile {
		after++
	}
	if before+after == 0 {
		return ScoredWord{}, false
	}
	tiles := make([]byte, before+1+after)
	tiles[before] = byte(tile)
	return scoreWord(eq, b, Move{Kind: PlayTiles, At: sq.Step(d, -before), Dir: d, Tiles: Tiles(tiles)}), true
}

// runs returns the words on a board: runs of two tiles or more.
func (b *Board) runs() []ScoredWord {
	var all []ScoredWord
	for _, d := range []Dir{Across, Down} {
		for i := range MaxSize {
			start := Square{i, 0}
			if d == Down {
				start = Square{0, i}
			}
			for at := 0; at < MaxSize; at++ {
				n := 0
				for b.Tile(start.Step(d, at+n)) != NoTile {
					n++
				}
				if n >= 2 {
					w := make([]byte, n)
					for k := range w {
						w[k] = byte(b.Tile(start.Step(d, at+k)))
					}
					all = append(all, ScoredWord{Tiles: Tiles(w), At: start.Step(d, at), Dir: d})
				}
				at += n
			}
		}
	}
	return all
}

// hasNeighbour reports whether a tile on a square, in a word of the given direction, would form a cross
// word.
func (b *Board) hasNeighbour(sq Square, d Dir) bool {
	side := d.Other()
	return b.Tile(sq.Step(side, -1)) != NoTile || b.Tile(sq.Step(side, 1)) != NoTile
}

// checkPlay returns an error unless the play fits the board.
func (r Rules) checkPlay(eq Equipment, b *Board, m Move) error {
	if m.Kind != PlayTiles || m.Dir != Across && m.Dir != Down || len(m.Tiles) == 0 {
		return &RuleError{Code: NoTiles}
	}
	end := m.At.Step(m.Dir, len(m.Tiles)-1)
	if !eq.Layout.On(m.At) || !eq.Layout.On(end) {
		return &RuleError{Code: OffBoard, Move: m}
	}
	joined, uses, laid := false, false, 0
	for i := range len(m.Tiles) {
		sq, tile := m.At.Step(m.Dir, i), m.Tiles.At(i)
		there := b.Tile(sq)
		if tile == NoTile {
			if there == NoTile {
				return &RuleError{Code: Gap, Move: m, Square: sq}
			}
			joined, uses = true, true
			continue
		}
		if there != NoTile {
			return &RuleError{Code: Occupied, Move: m, Square: sq, Tile: tile, There: there}
		}
		if !eq.Tiles.Has(tile) || tile == Blank {
			return &RuleError{Code: BlankUnnamed, Move: m, Square: sq}
		}
		laid++
		joined = joined || b.hasNeighbour(sq, m.Dir)
	}
	if laid == 0 {
		return &RuleError{Code: NoTiles, Move: m}
	}
	for _, sq := range []Square{m.At.Step(m.Dir, -1), end.Step(m.Dir, 1)} {
		if there := b.Tile(sq); there != NoTile {
			return &RuleError{Code: NotWhole, Move: m, Square: sq, There: there}
		}
	}
	if len(m.Tiles) < 2 {
		return &RuleError{Code: TooShort, Move: m}
	}
	if b.Empty() {
		start := eq.Layout.Start()
		if joined = covers(m.At, m.Dir, len(m.Tiles), start); !joined {
			return &RuleError{Code: MissesStart, Move: m, Square: start}
		}
	}
	switch {
	case !joined:
		return &RuleError{Code: NotJoined, Move: m}
	case r.UseLetter && !uses && !b.Empty():
		return &RuleError{Code: UsesNoLetter, Move: m}
	}
	return nil
}

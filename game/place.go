package game

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/lexicon"
)

// A SpelledLetter is a letter of a typed word.
type SpelledLetter struct {
	Letter  lexicon.Letter // 0 for any tile on the board
	Blank   bool           // "?" before the letter: must be a blank
	Through bool           // "(R)": is on the board
}

// A Spelling is a typed word.
type Spelling []SpelledLetter

// ParseSpelling parses a word in either case (phones change it): "QUIZ", "Q?UIZ" to make the U a
// blank, "R..D" or "R(EA)D" for tiles played through. The error is a *[RuleError] with the code
// BadWord.
func ParseSpelling(set *TileSet, text string) (Spelling, error) {
	bad := &RuleError{Code: BadWord, Text: text}
	var sp Spelling
	blank, through := false, false
	for rest := set.Alphabet().Fold(strings.TrimSpace(text)); rest != ""; {
		switch c := rest[0]; {
		case c == '|' && !blank: // separates letters that would be read as one
			rest = rest[1:]
		case c == '?' && !blank && !through:
			blank, rest = true, rest[1:]
		case c == '(' && !through && !blank:
			through, rest = true, rest[1:]
		case c == ')' && through:
			through, rest = false, rest[1:]
		case c == '.' && !blank:
			sp, rest = append(sp, SpelledLetter{Through: true}), rest[1:]
		default:
			l, _, n := set.Alphabet().Next(rest)
			if n == 0 {
				return nil, bad
			}
			marked := strings.HasPrefix(rest, "[?")
			sp, rest = append(sp, SpelledLetter{Letter: l, Blank: blank || marked, Through: through}), rest[n:]
			blank = false
		}
	}
	if blank || through || len(sp) == 0 {
		return nil, bad
	}
	return sp, nil
}

// Place returns the play of a typed word from a rack at a square. Letters already on the board are
// played through. It uses a blank if the rack lacks a letter, and prefers real tiles; if a letter
// occurs twice, the blank goes where it costs least. Errors are *[RuleError]: OffBoard, Gap,
// Occupied, NotOnRack.
func Place(eq Equipment, b *Board, rack Tiles, at Square, d Dir, sp Spelling) (Move, error) {
	m := Move{Kind: PlayTiles, At: at, Dir: d}
	if len(sp) == 0 {
		return m, &RuleError{Code: NoTiles}
	}
	if !eq.Layout.On(at) || !eq.Layout.On(at.Step(d, len(sp)-1)) {
		return m, &RuleError{Code: OffBoard, Move: m}
	}
	tiles := make([]byte, len(sp))
	blanks := rack.Count(Blank)
	for i, s := range sp {
		sq := at.Step(d, i)
		there := b.Tile(sq)
		switch {
		case there != NoTile && s.Blank && s.Letter == there.Letter():
			return m, &RuleError{Code: Occupied, Move: m, Square: sq, Tile: BlankAs(s.Letter), There: there}
		case there != NoTile && (s.Letter == 0 || s.Letter == there.Letter()):
			// played through
		case there != NoTile:
			return m, &RuleError{Code: Occupied, Move: m, Square: sq, Tile: LetterTile(s.Letter), There: there}
		case s.Through:
			return m, &RuleError{Code: Gap, Move: m, Square: sq}
		case s.Blank && blanks == 0:
			return m, &RuleError{Code: NotOnRack, Move: m, Square: sq, Tile: Blank, Rack: rack}
		case s.Blank:
			blanks--
			tiles[i] = byte(BlankAs(s.Letter))
		default:
			tiles[i] = byte(LetterTile(s.Letter))
		}
	}
	var lacking []Tile // letters that blanks stand for
	for i := range tiles {
		t := Tile(tiles[i])
		if t == NoTile || t.IsBlank() || Tiles(tiles[:i+1]).Count(t) <= rack.Count(t) {
			continue
		}
		if len(lacking) == blanks {
			return m, &RuleError{Code: NotOnRack, Move: m, Square: at.Step(d, i), Tile: t, Rack: rack}
		}
		lacking = append(lacking, t)
	}
	for _, t := range lacking {
		i := cheapest(eq, b, Move{Kind: PlayTiles, At: at, Dir: d, Tiles: Tiles(tiles)}, t)
		tiles[i] = byte(BlankAs(t.Letter()))
	}
	m.Tiles = Tiles(tiles)
	if len(m.Tiles.Faces()) == 0 {
		return m, &RuleError{Code: NoTiles, Move: m}
	}
	return m, nil
}

// cheapest returns the index in a play where a tile is worth least, counting the main word and any
// cross word.
func cheapest(eq Equipment, b *Board, m Move, t Tile) int {
	times := 1 // factor of the main word
	for _, sq := range m.LaidSquares() {
		times *= eq.Layout.Premium(sq).Word()
	}
	best, least := -1, 0
	for i := range len(m.Tiles) {
		if m.Tiles.At(i) != t {
			continue
		}
		sq := m.At.Step(m.Dir, i)
		p := eq.Layout.Premium(sq)
		worth := p.Letter() * times
		if b.hasNeighbour(sq, m.Dir) {
			worth += p.Letter() * p.Word()
		}
		if best < 0 || worth < least {
			best, least = i, worth
		}
	}
	return best
}

// A Spot is a place where a word can be played.
type Spot struct {
	Move  Move
	Tally Tally
}

// squares is a set of squares, one bit each: by rows for words across, by columns for words down.
type squares [MaxSize]uint32

// nearSquares returns the squares with a tile, and those where a tile would form a cross word, for words
// across and down.
func (b *Board) nearSquares() (across, down squares) {
	for i, tile := range b.tiles {
		if tile != NoTile {
			row, col := i/MaxSize, i%MaxSize
			across[row] |= 1 << col
			down[col] |= 1 << row
		}
	}
	return across.withNeighbours(), down.withNeighbours()
}

// withNeighbours returns the squares and those next to them in the adjacent lines.
func (s *squares) withNeighbours() (all squares) {
	for i, line := range s {
		all[i] |= line
		if i > 0 {
			all[i-1] |= line
		}
		if i+1 < len(all) {
			all[i+1] |= line
		}
	}
	return all
}

// meets reports whether a word of n letters, which must fit on the board, covers any of the
// squares.
func (s *squares) meets(at Square, d Dir, n int) bool {
	line, from := at.Row, at.Col
	if d == Down {
		line, from = from, line
	}
	return s[line]>>from&(1<<n-1) != 0
}

// covers reports whether a word of n letters covers a square.
func covers(at Square, d Dir, n int, one Square) bool {
	for i := range n {
		if at.Step(d, i) == one {
			return true
		}
	}
	return false
}

// matchesBoard reports whether a word matches the tiles on the board where it would lie, and is played
// through no empty square.
func (b *Board) matchesBoard(at Square, d Dir, sp Spelling) bool {
	for i, s := range sp {
		there := b.Tile(at.Step(d, i))
		if there == NoTile && s.Through || there != NoTile && s.Letter != 0 && (s.Blank || s.Letter != there.Letter()) {
			return false
		}
	}
	return true
}

// lacks reports whether a word needs tiles that a rack lacks. held counts the rack's tiles by kind.
func (b *Board) lacks(held [256]uint8, at Square, d Dir, sp Spelling) bool {
	for i, s := range sp {
		if b.Tile(at.Step(d, i)) != NoTile {
			continue
		}
		t := LetterTile(s.Letter)
		if s.Blank || held[t] == 0 {
			t = Blank
		}
		if held[t] == 0 {
			return true
		}
		held[t]--
	}
	return false
}

// mayComplete reports whether a rack and the board together have the letters of a word, wherever it
// is played. held counts the rack's tiles by kind.
func (b *Board) mayComplete(held [256]uint8, sp Spelling) bool {
	blanks := int(held[Blank])
	var lacking []lexicon.Letter
	for _, s := range sp {
		switch t := LetterTile(s.Letter); {
		case s.Through || s.Letter == 0:
		case s.Blank:
			blanks--
		case held[t] > 0:
			held[t]--
		default:
			lacking = append(lacking, s.Letter)
		}
	}
	if len(lacking) <= blanks {
		return true
	}
	var there [256]bool
	for _, tile := range b.tiles {
		if tile != NoTile {
			there[tile.Letter()] = true
		}
	}
	for _, letter := range lacking {
		if !there[letter] {
			blanks--
		}
	}
	return blanks >= 0
}

// Spots returns every place where a typed word can be played from a rack, best score first. With a
// dictionary only plays that form valid words count. dict is nil if plays can be challenged.
func (r Rules) Spots(eq Equipment, b *Board, rack Tiles, sp Spelling, dict Dictionary) []Spot {
	var spots []Spot
	var held [256]uint8 // number of each tile
	for i := range len(rack) {
		held[rack.At(i)]++
	}
	if !b.mayComplete(held, sp) {
		return nil
	}
	n, empty, start := eq.Layout.Size(), b.Empty(), eq.Layout.Start()
	across, down := b.nearSquares()
	for _, d := range []Dir{Across, Down} {
		near := &across
		if d == Down {
			near = &down
		}
		for row := range n {
			for col := range n {
				at := Square{row, col}
				last := at.Step(d, len(sp)-1)
				if last.Row >= n || last.Col >= n || !empty && !near.meets(at, d, len(sp)) || empty && !covers(at, d, len(sp), start) || !b.matchesBoard(at, d, sp) || b.lacks(held, at, d, sp) {
					continue // Place would reject it, at more cost
				}
				m, err := Place(eq, b, rack, at, d, sp)
				if err != nil {
					continue
				}
				t, err := r.Tally(eq, b, m)
				if err != nil || dict != nil && len(t.Phonies(dict)) > 0 {
					continue
				}
				spots = append(spots, Spot{m, t})
			}
		}
	}
	slices.SortStableFunc(spots, func(a, b Spot) int { return cmp.Compare(b.Tally.Total, a.Tally.Total) })
	return spots
}

// A Dictionary knows the valid words. *lexicon.Lexicon implements it.
type Dictionary interface{ Has(lexicon.Word) bool }

// Phonies returns the words formed that a dictionary lacks.
func (t Tally) Phonies(dict Dictionary) []Tiles {
	var out []Tiles
	for _, w := range t.Words {
		if !dict.Has(w.Letters()) {
			out = append(out, w.Tiles)
		}
	}
	return out
}

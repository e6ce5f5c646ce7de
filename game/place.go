package game

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/lexicon"
)

// A Spelled is a letter of a word as a player types it.
type Spelled struct {
	Letter  lexicon.Letter // 0: whatever tile lies there
	Blank   bool           // "?" before the letter: it must be a blank
	Through bool           // "(R)": it lies on the board
}

// A Spelling is a word as a player types it.
type Spelling []Spelled

// ParseSpelling reads a word in either case (phones change it): "QUIZ",
// "Q?UIZ" to make the U a blank, "R..D" or "R(EA)D" for tiles played through.
// The error is a *[RuleError] with the code BadWord.
func ParseSpelling(set *TileSet, text string) (Spelling, error) {
	bad := &RuleError{Code: BadWord, Text: text}
	var sp Spelling
	blank, through := false, false
	for rest := strings.TrimSpace(text); rest != ""; {
		switch c := rest[0]; {
		case c == '?' && !blank && !through:
			blank, rest = true, rest[1:]
		case c == '(' && !through && !blank:
			through, rest = true, rest[1:]
		case c == ')' && through:
			through, rest = false, rest[1:]
		case c == '.' && !blank:
			sp, rest = append(sp, Spelled{Through: true}), rest[1:]
		default:
			l, _, n := set.Alphabet().Next(rest)
			if n == 0 {
				return nil, bad
			}
			sp, rest = append(sp, Spelled{Letter: l, Blank: blank, Through: through}), rest[n:]
			blank = false
		}
	}
	if blank || through || len(sp) == 0 {
		return nil, bad
	}
	return sp, nil
}

// Place turns a typed word into a play from a rack at a square. A letter that
// lies on the board already is played through; a blank serves where the rack
// lacks the letter; the real tile is preferred where both could, and where a
// letter comes twice the blank goes to the square where it costs least.
// The errors are *[RuleError]: OffBoard, Gap, Occupied, NotOnRack.
func Place(eq Equipment, b *Board, rack Tiles, at Square, d Dir, sp Spelling) (Move, error) {
	m := Move{Kind: PlayTiles, At: at, Dir: d}
	if len(sp) == 0 {
		return m, &RuleError{Code: NoTiles}
	}
	if !eq.Layout.On(at) || !eq.Layout.On(at.Step(d, len(sp)-1)) {
		return m, &RuleError{Code: OffBoard, Move: m}
	}
	tiles := make([]byte, len(sp))
	wanted := map[lexicon.Letter][]int{} // letters that are free to be real or blank, and where
	left := rack
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
		case s.Blank:
			var ok bool
			if left, ok = left.Minus(TilesOf(Blank)); !ok {
				return m, &RuleError{Code: NotOnRack, Move: m, Square: sq, Tile: Blank, Rack: rack}
			}
			tiles[i] = byte(BlankAs(s.Letter))
		default:
			wanted[s.Letter] = append(wanted[s.Letter], i)
			tiles[i] = byte(LetterTile(s.Letter))
		}
	}
	times := 1
	for i, t := range tiles {
		if Tile(t) != NoTile {
			times *= eq.Layout.Premium(at.Step(d, i)).Word()
		}
	}
	for i, s := range sp { // in the word's order, so that the error names the first letter missing
		places := wanted[s.Letter]
		if len(places) == 0 || places[0] != i {
			continue
		}
		// The letters the rack lacks become blanks, on the squares worth least.
		real := min(left.Count(LetterTile(s.Letter)), len(places))
		lacking := len(places) - real
		if lacking > left.Count(Blank) {
			return m, &RuleError{Code: NotOnRack, Move: m, Square: at.Step(d, places[real]), Tile: LetterTile(s.Letter), Rack: rack}
		}
		slices.SortStableFunc(places, func(i, j int) int {
			return cmp.Compare(weight(eq, b, at.Step(d, i), d, times), weight(eq, b, at.Step(d, j), d, times))
		})
		for _, i := range places[:lacking] {
			tiles[i] = byte(BlankAs(s.Letter))
			left, _ = left.Minus(TilesOf(Blank))
		}
	}
	m.Tiles = Tiles(tiles)
	if len(m.Tiles.Faces()) == 0 {
		return m, &RuleError{Code: NoTiles, Move: m}
	}
	return m, nil
}

// weight is how many times a tile's value counts on a square: in the main
// word, whose word factor is times, and in the cross word if there is one.
func weight(eq Equipment, b *Board, sq Square, d Dir, times int) int {
	p := eq.Layout.Premium(sq)
	if side := d.Other(); b.Tile(sq.Step(side, -1)) != NoTile || b.Tile(sq.Step(side, 1)) != NoTile {
		times += p.Word()
	}
	return p.Letter() * times
}

// A Spot is somewhere a word can be played.
type Spot struct {
	Move  Move
	Tally Tally
}

// Spots lists everywhere a typed word can be played from a rack, best score
// first. With a dictionary only plays that form valid words count; without one
// (where challenges are on) the board alone decides.
func (r Rules) Spots(eq Equipment, b *Board, rack Tiles, sp Spelling, dict Dictionary) []Spot {
	var spots []Spot
	n := eq.Layout.Size()
	for _, d := range []Dir{Across, Down} {
		for row := range n {
			for col := range n {
				m, err := Place(eq, b, rack, Square{row, col}, d, sp)
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

// A Dictionary knows the valid words. *lexicon.Lexicon is one.
type Dictionary interface{ Has(lexicon.Word) bool }

// Phonies lists the words formed that a dictionary does not have.
func (t Tally) Phonies(dict Dictionary) []Tiles {
	var out []Tiles
	for _, w := range t.Words {
		if !dict.Has(w.Letters()) {
			out = append(out, w.Tiles)
		}
	}
	return out
}

package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rackmate/rackmate/lexicon"
)

// A Tile is a piece of the game. In the bag and on a rack it is a letter of the tile set's
// alphabet, or [Blank]. On the board a blank has its final letter: Blank|letter. [NoTile] is an
// empty square or, in a move, a square played through.
type Tile uint8

// Tiles without a letter.
const (
	NoTile Tile = 0
	Blank  Tile = 0x80
)

// LetterTile returns the plain tile of a letter.
func LetterTile(l lexicon.Letter) Tile { return Tile(l) }

// BlankAs returns a blank played as a letter.
func BlankAs(l lexicon.Letter) Tile { return Blank | Tile(l) }

// IsBlank reports whether the tile is a blank, given a letter or not.
func (t Tile) IsBlank() bool { return t&Blank != 0 }

// Letter returns the letter of the tile: 0 for NoTile and for a blank without one.
func (t Tile) Letter() lexicon.Letter { return lexicon.Letter(t &^ Blank) }

// Face returns the tile as it was on a rack or in the bag: a played blank is a plain Blank again.
func (t Tile) Face() Tile {
	if t.IsBlank() {
		return Blank
	}
	return t
}

// Tiles is an immutable sequence of tiles, one byte each: a rack, a bag, the tiles of a move. It is
// comparable; its bytes aren't text.
type Tiles string

// TilesOf returns a sequence of tiles.
func TilesOf(ts ...Tile) Tiles {
	b := make([]byte, len(ts))
	for i, t := range ts {
		b[i] = byte(t)
	}
	return Tiles(b)
}

// At returns the i-th tile.
func (ts Tiles) At(i int) Tile { return Tile(ts[i]) }

// Count returns the number of times a tile occurs.
func (ts Tiles) Count(t Tile) int {
	n := 0
	for i := range len(ts) {
		if Tile(ts[i]) == t {
			n++
		}
	}
	return n
}

// Sorted returns the same tiles in alphabet order, blanks last.
func (ts Tiles) Sorted() Tiles {
	b := []byte(ts)
	slices.Sort(b)
	return Tiles(b)
}

// Faces returns the tiles as they were on a rack: without the squares played through, and blanks
// without letters.
func (ts Tiles) Faces() Tiles {
	b := make([]byte, 0, len(ts))
	for i := range len(ts) {
		if t := Tile(ts[i]); t != NoTile {
			b = append(b, byte(t.Face()))
		}
	}
	return Tiles(b)
}

// Minus removes each tile of out from ts once. If one is missing, ok is false and left is ts.
func (ts Tiles) Minus(out Tiles) (left Tiles, ok bool) {
	b := []byte(ts)
	for i := range len(out) {
		at := slices.Index(b, out[i])
		if at < 0 {
			return ts, false
		}
		b = slices.Delete(b, at, at+1)
	}
	return Tiles(b), true
}

// firstMissing returns the index in want of the first tile that ts has too few of, or -1.
func (ts Tiles) firstMissing(want Tiles) int {
	for i := range len(want) {
		if t := want.At(i); want[:i+1].Count(t) > ts.Count(t) {
			return i
		}
	}
	return -1
}

// A Kind is a kind of tile in a set: its text, number and value.
type Kind struct {
	Text  string
	Count int
	Value int // points
	Vowel bool
}

// A TileSet holds the tiles of a game and their alphabet. It is immutable and safe for concurrent
// use.
type TileSet struct {
	name     string
	kinds    []Kind // by letter-1; the last is the blank
	alphabet *lexicon.Alphabet
	faces    string
}

// NewTileSet returns a tile set of letters in sorting order and a blank.
func NewTileSet(name string, letters []Kind, blank Kind) (*TileSet, error) {
	texts := make([]string, len(letters))
	total := 0
	for i, k := range append(letters[:len(letters):len(letters)], blank) {
		if k.Count < 0 || k.Value < 0 || k.Count > 1000 || k.Value > 1000 {
			return nil, fmt.Errorf("tile %q: impossible count %d or value %d", k.Text, k.Count, k.Value)
		}
		total += k.Count
		if i < len(letters) {
			texts[i] = k.Text
		}
	}
	if total == 0 {
		return nil, fmt.Errorf("tile set %s has no tiles", name)
	}
	a, err := lexicon.NewAlphabet(texts)
	if err != nil {
		return nil, fmt.Errorf("tile set %s: %w", name, err)
	}
	blank.Text = "?"
	kinds := append(slices.Clone(letters), blank)
	for i := range letters {
		kinds[i].Text = a.Text(lexicon.Letter(i + 1))
	}
	var faces strings.Builder
	for _, k := range kinds {
		fmt.Fprintf(&faces, "%s %d\n", k.Text, k.Value)
	}
	return &TileSet{name: name, kinds: kinds, alphabet: a, faces: faces.String()}, nil
}

// ParseTileSet parses a tile set: one tile a line with tab-separated fields (letter, count, value,
// and v for a vowel), in sorting order. The blank is "?"; "#" starts a comment line.
func ParseTileSet(name, text string) (*TileSet, error) {
	var letters []Kind
	var blank Kind
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var k Kind
		f := strings.Split(line, "\t")
		if len(f) < 3 || len(f) > 4 || len(f) == 4 && f[3] != "v" {
			return nil, fmt.Errorf("tile set %s, line %d: want letter, count, value and perhaps v, separated by tabs", name, i+1)
		}
		k.Text, k.Vowel = f[0], len(f) == 4
		var err1, err2 error
		k.Count, err1 = strconv.Atoi(f[1])
		k.Value, err2 = strconv.Atoi(f[2])
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("tile set %s, line %d: count and value are numbers", name, i+1)
		}
		switch {
		case k.Text != "?":
			letters = append(letters, k)
		case blank.Text == "":
			blank = k
		default:
			return nil, fmt.Errorf("tile set %s, line %d: duplicate blank", name, i+1)
		}
	}
	return NewTileSet(name, letters, blank)
}

// Name returns the tile set's name, such as "english".
func (s *TileSet) Name() string { return s.name }

// Alphabet returns the alphabet of the tiles.
func (s *TileSet) Alphabet() *lexicon.Alphabet { return s.alphabet }

// Faces returns the letters and values of the tiles as a string for comparison: sets with the same
// faces look the same.
func (s *TileSet) Faces() string { return s.faces }

// Kinds returns the letters' kinds in alphabet order, then the blank.
func (s *TileSet) Kinds() []Kind { return slices.Clone(s.kinds) }

// Value returns the score of a tile in points. A blank has the value of the set's blank whatever
// its letter: zero in every known set.
func (s *TileSet) Value(t Tile) int {
	if t.IsBlank() {
		return s.kinds[len(s.kinds)-1].Value
	}
	if t == NoTile || int(t) >= len(s.kinds) {
		return 0
	}
	return s.kinds[t-1].Value
}

// Vowel reports whether a tile is a vowel; a blank counts as its letter.
func (s *TileSet) Vowel(t Tile) bool {
	l := int(t.Letter())
	return 0 < l && l < len(s.kinds) && s.kinds[l-1].Vowel
}

// HasVowels reports whether the set marks any vowels. The Hebrew set doesn't.
func (s *TileSet) HasVowels() bool {
	return slices.ContainsFunc(s.kinds, func(k Kind) bool { return k.Vowel })
}

// Sum returns the total value of some tiles in points.
func (s *TileSet) Sum(ts Tiles) int {
	sum := 0
	for i := range len(ts) {
		sum += s.Value(ts.At(i))
	}
	return sum
}

// All returns every tile of the set, in alphabet order, blanks last.
func (s *TileSet) All() Tiles {
	var b []byte
	for i, k := range s.kinds {
		t := LetterTile(lexicon.Letter(i + 1))
		if i == len(s.kinds)-1 {
			t = Blank
		}
		for range k.Count {
			b = append(b, byte(t))
		}
	}
	return Tiles(b)
}

// Has reports whether the set has a tile (a blank may have a letter).
func (s *TileSet) Has(t Tile) bool {
	return t == Blank || t.Letter() != 0 && int(t.Letter()) < len(s.kinds)
}

// WithFolding returns the same set with another folding of text to letters.
func (s *TileSet) WithFolding(f lexicon.Folding) *TileSet {
	t := *s
	t.alphabet = s.alphabet.WithFolding(f)
	return &t
}

// RightToLeft reports whether the tiles' script is read from right to left.
func (s *TileSet) RightToLeft() bool {
	for _, r := range s.kinds[0].Text {
		return unicode.In(r, unicode.Hebrew, unicode.Arabic)
	}
	return false
}

// Letter returns the letter printed on a tile, or the letter that a blank stands for: "Q". Without
// a letter it returns the same as Text.
func (s *TileSet) Letter(t Tile) string {
	if t.Letter() == 0 {
		return s.Text(t)
	}
	return s.alphabet.Text(t.Letter())
}

// Text returns one tile in notation: "Q", "q" for a blank played as Q ("?א" in a script without
// lower case), "?" for a blank, "." for NoTile.
func (s *TileSet) Text(t Tile) string {
	switch {
	case t == NoTile:
		return "."
	case t == Blank:
		return "?"
	case t.IsBlank():
		if lower := s.alphabet.Lower(t.Letter()); lower != s.alphabet.Text(t.Letter()) {
			return lower
		}
		return "?" + s.alphabet.Text(t.Letter())
	}
	return s.alphabet.Text(t.Letter())
}

// Print returns tiles in GCG notation: upper case for letters, lower case for blanks with a letter,
// "?" for blanks without, "." for a square played through, and brackets around a tile of several
// characters, or one that would otherwise be read as part of a longer tile (Spanish [L]L for two
// tiles). A blank in a script without lower case is [?א].
func (s *TileSet) Print(ts Tiles) string {
	out := ""
	for i := len(ts) - 1; i >= 0; i-- {
		t := s.Text(ts.At(i))
		if ts.At(i).Letter() != 0 {
			if _, _, n := s.alphabet.Next(t + out); n != len(t) || utf8.RuneCountInString(t) > 1 {
				t = "[" + t + "]"
			}
		}
		out = t + out
	}
	return out
}

// Parse parses what Print returns. The error wraps [lexicon.ErrNoLetter].
func (s *TileSet) Parse(text string) (Tiles, error) {
	var b []byte
	for rest := s.alphabet.Compose(text); rest != ""; {
		switch rest[0] {
		case '?':
			b, rest = append(b, byte(Blank)), rest[1:]
		case '.':
			b, rest = append(b, byte(NoTile)), rest[1:]
		default:
			l, blank, n := s.alphabet.Next(rest)
			if n == 0 {
				r := []rune(rest)[0]
				return "", fmt.Errorf("%q %w", r, lexicon.ErrNoLetter)
			}
			t := LetterTile(l)
			if blank {
				t = BlankAs(l)
			}
			b, rest = append(b, byte(t)), rest[n:]
		}
	}
	return Tiles(b), nil
}

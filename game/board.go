package game

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// MaxSize is the longest side of a board, in squares.
const MaxSize = 21

// A Square is a place on the board. Rows and columns count from 0 at the top left.
type Square struct{ Row, Col int }

// A Dir is the direction of a word.
type Dir uint8

// The two directions.
const (
	Across Dir = iota + 1
	Down
)

// Other returns the direction at right angles.
func (d Dir) Other() Dir { return Across + Down - d }

func (d Dir) String() string {
	switch d {
	case Across:
		return "across"
	case Down:
		return "down"
	}
	return "Dir(" + strconv.Itoa(int(d)) + ")"
}

// Step returns the square n steps further in a direction.
func (sq Square) Step(d Dir, n int) Square {
	if d == Across {
		return Square{sq.Row, sq.Col + n}
	}
	return Square{sq.Row + n, sq.Col}
}

func (sq Square) column() string { return string(rune('A' + sq.Col)) }
func (sq Square) row() string    { return strconv.Itoa(sq.Row + 1) }

// String returns the square's name, column first: "H8".
func (sq Square) String() string { return sq.column() + sq.row() }

// At returns the start and direction of a word in GCG notation: "8H" is row 8, column H, across;
// "H8" is the same square, down.
func (sq Square) At(d Dir) string {
	if d == Across {
		return sq.row() + sq.column()
	}
	return sq.column() + sq.row()
}

// ErrNoSquare reports a text that isn't a coordinate.
var ErrNoSquare = errors.New("not a square: write 8H for across, H8 for down")

// ParseAt parses what At returns, in either case. It doesn't know the size of the board, only
// [MaxSize].
func ParseAt(s string) (Square, Dir, error) {
	up := strings.ToUpper(strings.TrimSpace(s))
	letter, digits, dir := "", "", Down
	if n := strings.IndexFunc(up, func(r rune) bool { return r < '0' || r > '9' }); n > 0 {
		digits, letter, dir = up[:n], up[n:], Across
	} else if n == 0 {
		letter, digits = up[:1], up[1:]
	}
	row, err := strconv.Atoi(digits)
	if err != nil || digits[0] < '1' || digits[0] > '9' || len(letter) != 1 || letter[0] < 'A' || letter[0] >= 'A'+MaxSize || row > MaxSize {
		return Square{}, 0, ErrNoSquare
	}
	return Square{row - 1, int(letter[0] - 'A')}, dir, nil
}

// A Premium is the bonus of a square for the first tile played on it.
type Premium uint8

// The kinds of squares.
const (
	Plain Premium = iota
	DoubleLetter
	TripleLetter
	DoubleWord
	TripleWord
)

// Letter returns the factor of a letter's value.
func (p Premium) Letter() int {
	switch p {
	case DoubleLetter:
		return 2
	case TripleLetter:
		return 3
	}
	return 1
}

// Word returns the factor of a word's score.
func (p Premium) Word() int {
	switch p {
	case DoubleWord:
		return 2
	case TripleWord:
		return 3
	}
	return 1
}

// A Layout is a board without tiles: its size, premium squares and start square, which the first
// play must cover. It is comparable; the zero Layout has no squares.
type Layout struct {
	Name string
	// Text has a line for each row, top first: "d" and "t" double and triple a letter, "D" and "T"
	// a word, "." is plain; "*" is the start and doubles the word, "+" is a plain start.
	Text string
}

// ParseLayout parses the rows of a square board with one start; see [Layout.Text].
func ParseLayout(name, text string) (Layout, error) {
	l := Layout{Name: name, Text: strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))}
	rows := strings.Split(l.Text, "\n")
	if n := len(rows); n < 2 || n > MaxSize {
		return Layout{}, fmt.Errorf("layout %s: %d rows, want 2 to %d", name, n, MaxSize)
	}
	for i, r := range rows {
		if len(r) != len(rows) {
			return Layout{}, fmt.Errorf("layout %s: row %d has %d squares, want %d as there are rows", name, i+1, len(r), len(rows))
		}
		if bad := strings.Trim(r, ".dtDT*+"); bad != "" {
			return Layout{}, fmt.Errorf("layout %s: row %d: %q isn't a square", name, i+1, bad[0])
		}
	}
	if n := strings.Count(l.Text, "*") + strings.Count(l.Text, "+"); n != 1 {
		return Layout{}, fmt.Errorf("layout %s: %d start squares, want 1", name, n)
	}
	return l, nil
}

// Size returns the number of rows, which equals the number of columns.
func (l Layout) Size() int {
	if n := strings.IndexByte(l.Text, '\n'); n >= 0 {
		return n
	}
	return len(l.Text)
}

// On reports whether a square is on the board.
func (l Layout) On(sq Square) bool {
	n := l.Size()
	return sq.Row >= 0 && sq.Col >= 0 && sq.Row < n && sq.Col < n
}

// Premium returns the premium of a square.
func (l Layout) Premium(sq Square) Premium {
	switch l.Text[sq.Row*(l.Size()+1)+sq.Col] {
	case 'd':
		return DoubleLetter
	case 't':
		return TripleLetter
	case 'D', '*':
		return DoubleWord
	case 'T':
		return TripleWord
	}
	return Plain
}

// Start returns the square that the first play must cover.
func (l Layout) Start() Square {
	at := strings.IndexByte(l.Text, '*')
	if at < 0 {
		at = strings.IndexByte(l.Text, '+')
	}
	n := l.Size() + 1
	return Square{at / n, at % n}
}

// A Board holds the tiles on the squares. It is comparable; the zero Board is empty and fits any
// layout. Squares off the board are empty.
type Board struct {
	tiles [MaxSize * MaxSize]Tile
}

// Tile returns the tile on a square, or NoTile.
func (b *Board) Tile(sq Square) Tile {
	if sq.Row < 0 || sq.Col < 0 || sq.Row >= MaxSize || sq.Col >= MaxSize {
		return NoTile
	}
	return b.tiles[sq.Row*MaxSize+sq.Col]
}

// Row returns the tiles of a row, counted from 0. Entries beyond the board are NoTile.
func (b *Board) Row(row int) [MaxSize]Tile { return [MaxSize]Tile(b.tiles[row*MaxSize:]) }

// Put places a tile on a square; NoTile removes one.
func (b *Board) Put(sq Square, t Tile) { b.tiles[sq.Row*MaxSize+sq.Col] = t }

// Empty reports whether the board has no tiles.
func (b *Board) Empty() bool { return *b == Board{} }

// Tiles returns every tile on the board, row by row from the top.
func (b *Board) Tiles() Tiles {
	var ts []byte
	for _, t := range b.tiles {
		if t != NoTile {
			ts = append(ts, byte(t))
		}
	}
	return Tiles(ts)
}

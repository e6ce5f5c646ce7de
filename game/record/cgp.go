package record

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/game"
)

// A Position is a game at one moment. In CGP (crossword game position) it is one line:
//
//	15/15/15/15/15/15/15/6HORN5/15/15/15/15/15/15/15 AEIPRT?/ 14/0 0 lex en;
//
// It has the rows of the board, top first, with a number for a run of empty squares, a lower-case
// letter for a blank and square brackets around a multi-character tile; the racks; the scores; the
// number of consecutive scoreless turns; and operations, each ending in a semicolon.
type Position struct {
	Board game.Board
	// Racks are the players' racks in turn order, the side to move first; Scores, in points, have
	// the same order. An unknown rack is empty.
	Racks     []game.Tiles
	Scores    []int
	Scoreless int      // consecutive scoreless turns
	Ops       []string // operations as written, such as "lex en"
}

// ParseCGP parses a position for a board and a tile set. The error says which part, row and column
// is wrong. A board of another size than the layout's is an error. It does not check tile counts.
func ParseCGP(eq game.Equipment, s string) (Position, error) {
	var p Position
	rest := strings.TrimSpace(s)
	var part [4]string
	for i, name := range []string{"board", "racks", "scores", "number of scoreless turns"} {
		end := strings.IndexAny(rest, " \t\r\n")
		if end < 0 {
			end = len(rest)
		}
		part[i], rest = rest[:end], strings.TrimSpace(rest[end:])
		if part[i] == "" {
			return p, fmt.Errorf("missing %s: a CGP is a board, racks, scores and scoreless turns, separated by spaces", name)
		}
	}
	if err := p.parseBoard(eq, part[0]); err != nil {
		return p, err
	}
	if err := p.parsePlayers(eq.Tiles, part[1], part[2]); err != nil {
		return p, err
	}
	n, err := strconv.Atoi(part[3])
	if err != nil || n < 0 {
		return p, fmt.Errorf("scoreless turns: %q isn't a count", part[3])
	}
	p.Scoreless = n
	for op := range strings.SplitSeq(rest, ";") {
		if op = strings.Join(strings.Fields(op), " "); op != "" {
			p.Ops = append(p.Ops, op)
		}
	}
	return p, nil
}

func (p *Position) parseBoard(eq game.Equipment, s string) error {
	size := eq.Layout.Size()
	rows := strings.Split(eq.Tiles.Alphabet().Compose(s), "/")
	if len(rows) != size {
		return fmt.Errorf("the board has %d rows, but the layout %s has %d", len(rows), eq.Layout.Name, size)
	}
	for r, row := range rows {
		col := 0
		for row != "" {
			at := func(format string, args ...any) error {
				return fmt.Errorf("row %d, column %d: %s", r+1, col+1, fmt.Sprintf(format, args...))
			}
			if digits := len(row) - len(strings.TrimLeft(row, "0123456789")); digits > 0 {
				n, err := strconv.Atoi(row[:digits])
				if err != nil || n == 0 || n > size-col {
					return at("%s empty squares don't fit in a row of %d", row[:digits], size)
				}
				col, row = col+n, row[digits:]
				continue
			}
			l, lower, n := eq.Tiles.Alphabet().Next(row)
			if n == 0 {
				return at("%q isn't a tile of the %s set", []rune(row)[0], eq.Tiles.Name())
			}
			if col >= size {
				return at("the row is longer than %d squares", size)
			}
			t := game.LetterTile(l)
			if lower {
				t = game.BlankAs(l)
			}
			p.Board.Put(game.Square{Row: r, Col: col}, t)
			col, row = col+1, row[n:]
		}
		if col != size {
			return fmt.Errorf("row %d has %d squares, but the layout %s has %d", r+1, col, eq.Layout.Name, size)
		}
	}
	return nil
}

func (p *Position) parsePlayers(set *game.TileSet, racks, scores string) error {
	for i, text := range strings.Split(racks, "/") {
		rack, err := parseRack(set, text)
		if err != nil {
			return fmt.Errorf("rack %d: %w", i+1, err)
		}
		if len(rack) > game.MaxSize {
			return fmt.Errorf("rack %d: %d tiles are too many", i+1, len(rack))
		}
		p.Racks = append(p.Racks, rack)
	}
	if n := len(p.Racks); n < 2 || n > maxPlayers {
		return fmt.Errorf("%d racks: want one for each of 2 to %d players, with / between, left empty when not known", n, maxPlayers)
	}
	for i, text := range strings.Split(scores, "/") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("score %d: %q isn't a number", i+1, text)
		}
		p.Scores = append(p.Scores, n)
	}
	if len(p.Scores) != len(p.Racks) {
		return fmt.Errorf("%d scores for %d racks", len(p.Scores), len(p.Racks))
	}
	return nil
}

// maxPlayers limits the players in a recorded game.
const maxPlayers = 4

var errRackTile = errors.New("a rack holds letters in upper case, and ? for a blank")

// parseRack parses the tiles of a rack, in which no blank has a letter.
func parseRack(set *game.TileSet, text string) (game.Tiles, error) {
	rack, err := set.Parse(text)
	if err != nil {
		return "", err
	}
	if rack.Faces() != rack {
		return "", fmt.Errorf("%s: %w", text, errRackTile)
	}
	return rack, nil
}

// CGP returns the position on one line for a board and a tile set.
func (p Position) CGP(eq game.Equipment) string {
	var b strings.Builder
	size := eq.Layout.Size()
	for r := range size {
		if r > 0 {
			b.WriteByte('/')
		}
		for c := 0; c < size; {
			empty, run := 0, game.Tiles("")
			for ; c < size && p.Board.Tile(game.Square{Row: r, Col: c}) == game.NoTile; c++ {
				empty++
			}
			if empty > 0 {
				b.WriteString(strconv.Itoa(empty))
			}
			for ; c < size && p.Board.Tile(game.Square{Row: r, Col: c}) != game.NoTile; c++ {
				run += game.TilesOf(p.Board.Tile(game.Square{Row: r, Col: c}))
			}
			b.WriteString(eq.Tiles.Print(run))
		}
	}
	for i, rack := range p.Racks {
		b.WriteByte(" /"[min(i, 1)])
		b.WriteString(eq.Tiles.Print(rack))
	}
	for i, score := range p.Scores {
		b.WriteByte(" /"[min(i, 1)])
		b.WriteString(strconv.Itoa(score))
	}
	fmt.Fprintf(&b, " %d", p.Scoreless)
	for _, op := range p.Ops {
		b.WriteString(" " + op + ";")
	}
	return b.String()
}

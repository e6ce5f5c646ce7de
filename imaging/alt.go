package imaging

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
)

// maxAlt limits the characters of an alternative text: Slack rejects more than 1000, Discord more
// than 1024.
const maxAlt = 1000

// User text is cut to these lengths, in characters, to leave room for the board.
const (
	maxAltCaption = 240
	maxAltName    = 32
	maxAltNote    = 40
	maxAltPlayers = 6
)

// Alt returns the view in words for screen readers: caption, scores, player to move, bag, tiles
// removed, and the runs of letters in each row ("Row 8: D HORN, J AT."). Lower case is a blank, or
// on a board with printed letters a letter that isn't covered. The text has at most 1000
// characters. If the board needs more, Alt leaves out the rows furthest from the last play, and
// says which.
func (v View) Alt() string {
	s := altCaption(v.Caption)
	if v.Preview {
		s = append(s, say(v.Locale, "Not played yet."))
	}
	s = append(s, altPlayers(v.Locale, len(v.Players), maxAltPlayers, func(i int) string { return sentence(v.altPlayer(i, v.Players[i])) })...)
	if v.Bag >= 0 {
		s = append(s, say(v.Locale, "{n, plural, one {# tile in the bag.} other {# tiles in the bag.}}", v.Bag))
	}
	if len(v.Gone) > 0 {
		s = append(s, say(v.Locale, "Taken off: {squares}.", squares(v.Gone)))
	}
	head := strings.Join(s, " ")
	return strings.TrimSpace(head + v.altBoard(maxAlt-utf8.RuneCountInString(head)))
}

// altCaption returns a picture's caption as a sentence, or nothing without a caption.
func altCaption(caption string) []string {
	if caption == "" {
		return nil
	}
	return []string{sentence(shorten(caption, maxAltCaption))}
}

// altPlayers returns a description of each of n players, or of the first most and the number of the
// others.
func altPlayers(to *sentences.Locale, n, most int, about func(i int) string) (s []string) {
	for i := range min(n, most) {
		s = append(s, about(i))
	}
	if n > most {
		s = append(s, sentence(morePlayers(to, n-most)))
	}
	return s
}

func (v *View) altPlayer(i int, p Player) string {
	s := shorten(p.Name, maxAltName)
	if s == "" {
		s = numberedName(v.Locale, i+1)
	}
	switch note := shorten(p.Note, maxAltNote); {
	case v.toMove(p) && note != "":
		return say(v.Locale, "{who} {score}, to move, {note}", s, p.Score, note)
	case v.toMove(p):
		return say(v.Locale, "{who} {score}, to move", s, p.Score)
	case note != "":
		return fmt.Sprintf("%s %d, %s", s, p.Score, note)
	}
	return fmt.Sprintf("%s %d", s, p.Score)
}

// squares returns the names of squares: "D8, E8".
func squares(all []game.Square) string {
	var s []string
	for _, sq := range all {
		s = append(s, sq.String())
	}
	return strings.Join(s, ", ")
}

// letters returns the board as it should be read: capitals for tiles, lower case for blanks. On a
// board with printed letters, lower case is for letters without a tile, and blanks are like other
// tiles.
func (v *View) letters() (b game.Board) {
	if v.Printed.Empty() {
		return v.Board
	}
	n := v.Equipment.Layout.Size()
	for i := range n * n {
		sq := game.Square{Row: i / n, Col: i % n}
		if t := v.Board.Tile(sq); t != game.NoTile {
			b.Put(sq, game.LetterTile(t.Letter()))
		} else if t := v.Printed.Tile(sq); t != game.NoTile {
			b.Put(sq, game.BlankAs(t.Letter()))
		}
	}
	return b
}

// altBoard returns the rows with letters, in at most room characters.
func (v *View) altBoard(room int) string {
	if v.Equipment.Tiles == nil {
		return ""
	}
	board := v.letters()
	n := v.Equipment.Layout.Size()
	rows, total := make([]string, n), 0
	hasLower := false
	for row := range n {
		rows[row] = v.altRow(&board, row, n, &hasLower)
		total += utf8.RuneCountInString(rows[row])
	}
	if total == 0 {
		return " " + say(v.Locale, "The board is empty.")
	}
	tail := v.altTail(hasLower)
	room -= utf8.RuneCountInString(tail)
	if total > room {
		room -= utf8.RuneCountInString(v.leftOut([]int{9, 10, 19, 20}))
		if out := v.leaveOut(rows, room); len(out) > 0 {
			tail = v.leftOut(out) + tail
		}
	}
	return strings.Join(rows, "") + tail
}

// altTail returns an explanation of the rows.
func (v *View) altTail(hasLower bool) (tail string) {
	set := v.Equipment.Tiles
	switch marked := marksBlanks(set); {
	case !hasLower:
	case marked && v.Printed.Empty():
		tail = " " + say(v.Locale, "A letter after ? is a blank.")
	case marked:
		tail = " " + say(v.Locale, "A letter after ? is printed, with no tile on it.")
	case v.Printed.Empty():
		tail = " " + say(v.Locale, "Lower case is a blank.")
	default:
		tail = " " + say(v.Locale, "Lower case is printed, with no tile on it.")
	}
	if set.RightToLeft() {
		tail = " " + say(v.Locale, "Column A is on the right.") + tail
	}
	return tail
}

// leaveOut empties the rows that don't fit into room characters, and returns them in order. Rows
// near the last play matter most; without a play, those in the middle.
func (v *View) leaveOut(rows []string, room int) (out []int) {
	n := len(rows)
	first, last := n/2, n/2
	if latest := v.latest(); len(latest) > 0 {
		first, last = n, 0
		for _, sq := range latest {
			first, last = min(first, sq.Row), max(last, sq.Row)
		}
	}
	distance := func(row int) int { return max(first-row, row-last, 0) }
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return distance(a) - distance(b) })
	for i, row := range order {
		if room -= utf8.RuneCountInString(rows[row]); room < 0 {
			out = order[i:]
			break
		}
	}
	for _, row := range out {
		rows[row] = ""
	}
	slices.Sort(out)
	return out
}

// marksBlanks reports whether the tile set's script has no lower case, so that a ? precedes a
// blank's letter.
func marksBlanks(set *game.TileSet) bool { return set.Text(game.BlankAs(1))[0] == '?' }

// altRow returns the runs of letters in a row, each preceded by its first column; "" if the row is
// empty.
func (v *View) altRow(board *game.Board, row, n int, hasLower *bool) string {
	var runs []string
	var run []byte
	for col := range n + 1 {
		t := game.NoTile
		if col < n {
			t = board.Tile(game.Square{Row: row, Col: col})
		}
		if t != game.NoTile {
			run = append(run, byte(t))
			*hasLower = *hasLower || t.IsBlank()
		} else if len(run) > 0 {
			text := v.Equipment.Tiles.Print(game.Tiles(run))
			runs = append(runs, column(col-len(run))+" "+sentences.Isolated(text, text))
			run = run[:0]
		}
	}
	if len(runs) == 0 {
		return ""
	}
	return " " + say(v.Locale, "Row {n}: {words}.", row+1, strings.Join(runs, ", "))
}

// leftOut returns a sentence about the rows left out of an alternative text. rows are sorted,
// counted from 0, and on one or both sides of those included.
func (v *View) leftOut(rows []int) string {
	var s []string
	for i := 0; i < len(rows); {
		first := rows[i]
		for i++; i < len(rows) && rows[i] == rows[i-1]+1; i++ {
		}
		if last := rows[i-1]; last > first {
			s = append(s, say(v.Locale, "{first} to {last}", first+1, last+1))
		} else {
			s = append(s, strconv.Itoa(first+1))
		}
	}
	if len(s) == 2 {
		return " " + say(v.Locale, "Left out here: rows {some} and {others}.", s[0], s[1])
	}
	return " " + say(v.Locale, "Left out here: rows {rows}.", strings.Join(s, ", "))
}

// sentence returns a text with a full stop, unless it has its own end.
func sentence(s string) string {
	if strings.HasSuffix(s, "…") || strings.ContainsAny(s[max(0, len(s)-1):], ".!?") {
		return s
	}
	return s + "."
}

// shorten returns a text on one line of at most n characters, cut between words if possible.
func shorten(s string, n int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	s = s[:cut(s, n-1)]
	if at := strings.LastIndexByte(s, ' '); at > len(s)/2 {
		s = s[:at]
	}
	return s + "…"
}

// Text returns the board in monospaced characters, for eyes and braille, with a line that explains
// the squares. If words are read from right to left, column A is on the right.
func (v View) Text() string {
	set, layout := v.Equipment.Tiles, v.Equipment.Layout
	n := layout.Size()
	if set == nil || n == 0 {
		return ""
	}
	// A cell is as wide as the widest tile on the board.
	width, hasLower := 1, false
	board := v.letters()
	tiles := board.Tiles()
	for i := range len(tiles) {
		width = max(width, utf8.RuneCountInString(set.Text(tiles.At(i))))
		hasLower = hasLower || tiles.At(i).IsBlank()
	}
	var b strings.Builder
	line := func(first string, cell func(i int) string) {
		s := fmt.Sprintf("%2s", first)
		if set.RightToLeft() {
			s = sentences.Mark + s
		}
		for i := range n {
			if set.RightToLeft() {
				i = n - 1 - i
			}
			text := cell(i)
			s += fmt.Sprintf(" %-*s", width, text)
			if set.RightToLeft() && strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) && r > unicode.MaxASCII }) {
				s += sentences.Mark
			}
		}
		b.WriteString(strings.TrimRight(s, " ") + "\n")
	}
	line("", column)
	for row := range n {
		line(strconv.Itoa(row+1), func(col int) string {
			sq := game.Square{Row: row, Col: col}
			if t := board.Tile(sq); t != game.NoTile {
				return set.Text(t)
			}
			if slices.Contains(v.Gone, sq) {
				return "×"
			}
			if sq == layout.Start() {
				return "*"
			}
			return [...]string{game.Plain: ".", game.DoubleLetter: "'", game.TripleLetter: `"`, game.DoubleWord: "-", game.TripleWord: "="}[layout.Premium(sq)]
		})
	}
	b.WriteString(strings.Join(v.textKey(hasLower), "  "))
	return b.String()
}

// textKey returns the explanation of the characters in Text.
func (v *View) textKey(hasLower bool) (key []string) {
	for _, k := range []struct{ rune, text string }{{"D", "- 2W"}, {"T", "= 3W"}, {"d", "' 2L"}, {"t", `" 3L`}} {
		if strings.ContainsAny(v.Equipment.Layout.Text, k.rune) {
			key = append(key, k.text)
		}
	}
	key = append(key, "* "+say(v.Locale, "start"))
	lower := "abc"
	if marksBlanks(v.Equipment.Tiles) {
		lower = "?"
	}
	switch {
	case hasLower && v.Printed.Empty():
		key = append(key, lower+" "+say(v.Locale, "blank"))
	case hasLower:
		key = append(key, lower+" "+say(v.Locale, "printed"))
	}
	if len(v.Gone) > 0 {
		key = append(key, "× "+say(v.Locale, "taken off"))
	}
	return key
}

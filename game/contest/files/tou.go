package files

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// WriteTOU writes an event for WESPA's rating officers. The first line has the date and the
// name. Each division has a line with its name, a line with a 0, and a line for each
// player: the name in 20 columns, then for each game a space and a block of eight
// characters: 2 for a win, 1 for a draw or a blank, the score in three digits, and the
// opponent's number in four, with a + if the player moved first. With 100 or more players,
// numbers take five. A name longer than its columns is cut.
//
// A round without a game is written as one against oneself, which isn't rated: 2001 and a +
// for one that was won (a bye, or a forfeit by the opponent), 0 for one that was lost, 1350
// for a round after the player left. So all lines of a division have the same number of
// rounds, as readers require. A round with open games is left out, along with all later
// ones.
func WriteTOU(e Event) (file []byte, changes []Change, err error) {
	var b bytes.Buffer
	title, ok := transliterate(e.Name)
	if !ok {
		title = "Tournament"
	}
	fmt.Fprintf(&b, "*M%s %s\r\n", e.Date.Format("02.01.2006"), title)
	for i, d := range e.Divisions {
		s, err := sheetOf(d)
		if err != nil {
			return nil, nil, err
		}
		names := s.names(touName)
		width := 4
		if len(s.players) >= 100 {
			width = 5
		}
		fmt.Fprintf(&b, "*%s\r\n%38s0\r\n", divisionLabel(d.Name, i), "")
		rounds := s.countFinished()
		for i := range s.players {
			fmt.Fprintf(&b, "%-20s", names[i])
			for r := range rounds {
				score, who := s.touBlock(i, r)
				fmt.Fprintf(&b, " %4s%*s", score, width, who)
			}
			b.WriteString("\r\n")
		}
		changes = append(changes, s.changes...)
	}
	b.WriteString("*** END OF FILE ***\r\n")
	return b.Bytes(), changes, nil
}

// touName returns a name in twenty columns, or "" if a word has no letter: readers would
// take a number for a score.
func touName(name string) string {
	name = surnameLast(name)
	for _, word := range strings.Fields(name) {
		if !strings.ContainsFunc(word, unicode.IsLetter) {
			return ""
		}
	}
	return strings.TrimSpace(name[:min(len(name), 20)])
}

// touBlock returns a player's score in a round, preceded by its outcome, and their
// opponent.
func (s *sheet) touBlock(i, round int) (score, opponent string) {
	if round >= len(s.rows[i]) {
		return "1350", fmt.Sprint(i + 1)
	}
	c := s.rows[i][round]
	switch c.kind {
	case won:
		return "2001", fmt.Sprintf("+%d", i+1)
	case lost:
		return "0", fmt.Sprint(i + 1)
	}
	mine, theirs := c.scores[0], c.scores[1]
	written := min(max(mine, 0), 999)
	if written != mine {
		s.changes = append(s.changes, Change{BadScore, fmt.Sprintf("%s: %d", s.players[i].Name, mine), fmt.Sprint(written)})
	}
	opponent = fmt.Sprint(c.opponent + 1)
	if c.first {
		opponent = "+" + opponent
	}
	switch {
	case mine > theirs:
		return fmt.Sprintf("2%03d", written), opponent
	case mine == theirs:
		return fmt.Sprintf("1%03d", written), opponent
	}
	return fmt.Sprint(written), opponent
}

// countFinished counts the rounds up to the first with an open game.
func (s *sheet) countFinished() (n int) {
	for _, row := range s.rows {
		n = max(n, len(row))
	}
	for _, row := range s.rows {
		if i := slices.IndexFunc(row, func(c cell) bool { return c.kind == open }); i >= 0 {
			n = min(n, i)
		}
	}
	return n
}

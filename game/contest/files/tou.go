package files

import (
	"bytes"
	"fmt"
	"strings"
)

// WriteTOU is an event as WESPA's rating officers take it. Each player has a line: the
// name in 20 columns, then for each game a space and a block of eight characters: 2 for
// a win, 1 for a draw or a blank, the score in three digits, and the opponent's number
// in four, with a + where the player moved first. From 100 players on numbers take
// five. A bye is a game against oneself, 1 and 300 with the spread (1350, or 1250 for a
// round that was lost without a game), which rates nobody.
//
// Games that aren't over have no place in it; they end a player's line. A name longer
// than its columns is cut.
func WriteTOU(e Event) ([]byte, error) {
	var b bytes.Buffer
	title, ok := Transliterate(e.Name)
	if !ok {
		title = "Tournament"
	}
	for i, d := range e.Divisions {
		s, err := sheetOf(d)
		if err != nil {
			return nil, err
		}
		names, err := s.names(func(name string) string {
			name = surnameLast(name)
			return strings.TrimSpace(name[:min(len(name), 20)])
		})
		if err != nil {
			return nil, err
		}
		width := 4
		if len(s.players) >= 100 {
			width = 5
		}
		fmt.Fprintf(&b, "*M%s %s\r\n*%s\r\n%38s0\r\n", e.Date.Format("02.01.2006"), title, divisionLabel(d.Name, i), "")
		for i := range s.players {
			fmt.Fprintf(&b, "%-20s", names[i])
			for _, c := range s.rows[i] {
				outcome, score, opponent := " ", c.scores[0], fmt.Sprint(c.opponent+1)
				switch {
				case c.kind == won:
					outcome, score, opponent = "1", 350, fmt.Sprint(i+1)
				case c.kind == lost:
					outcome, score, opponent = "1", 250, fmt.Sprint(i+1)
				case c.scores[0] > c.scores[1]:
					outcome = "2"
				case c.scores[0] == c.scores[1]:
					outcome = "1"
				}
				if c.kind == open {
					break
				}
				if score < 0 || score > 999 {
					return nil, fail(BadScore, 0, fmt.Sprintf("%s: %d", s.players[i].Name, score))
				}
				if c.first {
					opponent = "+" + opponent
				}
				digits := fmt.Sprintf("%3d", score)
				if outcome != " " {
					digits = fmt.Sprintf("%03d", score)
				}
				fmt.Fprintf(&b, " %s%s%*s", outcome, digits, width, opponent)
			}
			b.WriteString("\r\n")
		}
	}
	b.WriteString("*** END OF FILE ***\r\n")
	return b.Bytes(), nil
}

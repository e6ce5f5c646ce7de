package files

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/game/contest"
)

// WriteTSH writes an event as a TSH division file, or as several in one, each after
// "#begin_file name=A.t". It has a line for each player with name, rating, opponents by
// number, scores, table numbers ("board"), and who moved first ("p12": 1 first, 2 second, 0
// nobody), which readers of other programs expect. Opponent 0 is a bye or a forfeit: 50 was
// won and -50 lost.
func WriteTSH(e Event) (file []byte, changes []Change, err error) {
	var b bytes.Buffer
	for i, d := range e.Divisions {
		several := len(e.Divisions) > 1
		if several {
			fmt.Fprintf(&b, "#begin_file name=%s.t\n", divisionLabel(d.Name, i))
		}
		more, err := writeLines(&b, d, true, false)
		if err != nil {
			return nil, nil, err
		}
		changes = append(changes, more...)
		if several {
			b.WriteString("#end_file\n")
		}
	}
	return b.Bytes(), changes, nil
}

// WriteNASPA writes an event in the text form that NASPA accepts from directors: "#division
// A" and then TSH's lines, with member numbers after the names.
func WriteNASPA(e Event) (file []byte, changes []Change, err error) {
	var b bytes.Buffer
	for i, d := range e.Divisions {
		fmt.Fprintf(&b, "#division %s\n", divisionLabel(d.Name, i))
		more, err := writeLines(&b, d, false, true)
		if err != nil {
			return nil, nil, err
		}
		changes = append(changes, more...)
	}
	return b.Bytes(), changes, nil
}

var notLabel = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// divisionLabel returns the name of a division as one word, or a letter if it can't be
// converted.
func divisionLabel(name string, i int) string {
	if ascii, ok := transliterate(name); ok {
		if label := strings.Trim(notLabel.ReplaceAllString(ascii, "_"), "_"); label != "" {
			return label
		}
	}
	return string(rune('A' + i%26))
}

func writeLines(b *bytes.Buffer, d Division, firsts, members bool) ([]Change, error) {
	s, err := sheetOf(d)
	if err != nil {
		return nil, err
	}
	names := s.names(surnameFirst)
	for i, p := range s.players {
		b.WriteString(names[i])
		if members && p.Member != "" {
			fmt.Fprintf(b, ":%s", p.Member)
		}
		fmt.Fprintf(b, " %d", p.Rating)
		for _, c := range s.rows[i] {
			fmt.Fprintf(b, " %d", c.opponent+1)
		}
		b.WriteString(";")
		for _, c := range s.rows[i] {
			switch c.kind {
			case played:
				fmt.Fprintf(b, " %d", c.scores[0])
			case won:
				fmt.Fprintf(b, " %d", contest.ForfeitSpread)
			case lost:
				fmt.Fprintf(b, " %d", -contest.ForfeitSpread)
			}
		}
		if firsts && len(s.rows[i]) > 0 {
			b.WriteString("; board")
			for _, c := range s.rows[i] {
				fmt.Fprintf(b, " %d", c.table)
			}
			b.WriteString("; p12")
			for _, c := range s.rows[i] {
				switch {
				case c.opponent < 0:
					b.WriteString(" 0")
				case c.first:
					b.WriteString(" 1")
				default:
					b.WriteString(" 2")
				}
			}
			b.WriteString(";")
		}
		b.WriteString("\n")
	}
	return s.changes, nil
}

// ReadRoster returns the players of TSH's division files, or of NASPA's text form of
// them. It skips their games.
func ReadRoster(data []byte) (all []contest.Player, err error) {
	if !utf8.Valid(data) {
		return nil, fail(Encoding, 0, "")
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	for i, l := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		l = strings.TrimSpace(l)
		switch {
		case l == "", strings.HasPrefix(l, "#"), configLine.MatchString(l):
			continue
		case strings.Contains(l, "\t"):
			return nil, fail(Tab, i+1, l)
		}
		p, err := readPlayer(l, i+1)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, fail(Empty, 0, "")
	}
	return all, nil
}

// configLine matches a line of TSH's configuration, which precedes the divisions in a
// combined file.
var configLine = regexp.MustCompile(`^(config|division|classes|autopair|prize|perl|include) `)

// readPlayer parses the name, member number and rating of "Surname, First, Jr:AA000123 1500
// 3 0 2; 350 50 401".
func readPlayer(l string, at int) (p contest.Player, err error) {
	head, _, _ := strings.Cut(l, ";")
	words := strings.Fields(head)
	end := 1
	for end < len(words) && strings.Trim(words[end], "0123456789") != "" {
		end++
	}
	if len(words) == 0 {
		return p, fail(NameMissing, at, l)
	}
	if end == len(words) {
		return p, fail(BadRating, at, words[len(words)-1])
	}
	p.Name, p.Member, _ = strings.Cut(strings.Join(words[:end], " "), ":")
	p.Name, p.Member = strings.TrimSpace(p.Name), strings.TrimSpace(p.Member)
	if strings.Trim(p.Name, " ,") == "" {
		return p, fail(NameMissing, at, l)
	}
	if p.Rating, err = strconv.Atoi(words[end]); err != nil || p.Rating > 9999 {
		return p, fail(BadRating, at, words[end])
	}
	return p, nil
}

// GivenFirst returns "Ann Alder" for "Alder, Ann", and "Ann Alder Jr" for "Alder, Ann, Jr".
func GivenFirst(name string) string {
	parts := strings.Split(name, ", ")
	if len(parts) > 1 {
		parts[0], parts[1] = parts[1], parts[0]
	}
	return strings.Join(parts, " ")
}

package files

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/game/contest"
)

// WriteTSH is an event as TSH's division file, or several in one, each after
// "#begin_file name=A.t": a line for each player with name, rating, opponents by number,
// scores, the numbers of tables ("board") and who moved first ("p12": 1 first, 2 second, 0
// nobody), as readers of others ask for. Opponent 0 is a bye or a forfeit: 50 was won and
// -50 lost.
func WriteTSH(e Event) ([]byte, error) {
	var b bytes.Buffer
	for i, d := range e.Divisions {
		several := len(e.Divisions) > 1
		if several {
			fmt.Fprintf(&b, "#begin_file name=%s.t\n", divisionLabel(d.Name, i))
		}
		if err := writeLines(&b, d, true, false); err != nil {
			return nil, err
		}
		if several {
			b.WriteString("#end_file\n")
		}
	}
	return b.Bytes(), nil
}

// WriteNASPA is an event in the text form that NASPA takes from directors: "#division A"
// and then TSH's lines, with members' numbers behind the names.
func WriteNASPA(e Event) ([]byte, error) {
	var b bytes.Buffer
	for i, d := range e.Divisions {
		fmt.Fprintf(&b, "#division %s\n", divisionLabel(d.Name, i))
		if err := writeLines(&b, d, false, true); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

var notLabel = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// divisionLabel is the name of a division in one word.
func divisionLabel(name string, i int) string {
	if ascii, ok := Transliterate(name); ok {
		if label := strings.Trim(notLabel.ReplaceAllString(ascii, "_"), "_"); label != "" {
			return label
		}
	}
	return string(rune('A' + i%26))
}

func writeLines(b *bytes.Buffer, d Division, firsts, members bool) error {
	s, err := sheetOf(d)
	if err != nil {
		return err
	}
	names, err := s.names(surnameFirst)
	if err != nil {
		return err
	}
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
	return nil
}

// ReadTSH reads TSH's division files, and NASPA's text form of them. Without lines that
// begin a division all is one.
func ReadTSH(data []byte) ([]Division, error) {
	if !utf8.Valid(data) {
		return nil, fail(Encoding, 0, "")
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	var all []Division
	var lines []line
	name := "A"
	end := func() error {
		if len(lines) == 0 {
			return nil
		}
		c, err := readDivision(lines)
		if err != nil {
			return err
		}
		all = append(all, Division{name, c})
		lines = nil
		return nil
	}
	for i, l := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		l = strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(l, "#begin_file"), strings.HasPrefix(l, "#division"):
			if err := end(); err != nil {
				return nil, err
			}
			_, after, _ := strings.Cut(l, " ")
			name = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(after), "name="), ".t")
		case strings.HasPrefix(l, "#end_file"):
			if err := end(); err != nil {
				return nil, err
			}
			name = "A"
		case l == "", strings.HasPrefix(l, "#"), configLine.MatchString(l):
		case strings.Contains(l, "\t"):
			return nil, fail(Tab, i+1, l)
		default:
			lines = append(lines, line{i + 1, l})
		}
	}
	if err := end(); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fail(Empty, 0, "")
	}
	return all, nil
}

// configLine is a line of TSH's configuration, which stands before its files where they
// are one.
var configLine = regexp.MustCompile(`^(config|division|classes|autopair|prize|perl|include) `)

type line struct {
	at   int
	text string
}

// A row is a player's line as it is read.
type row struct {
	line      int
	player    contest.Player
	opponents []int
	scores    []int
	firsts    []int
	boards    []int
}

func readDivision(lines []line) (*contest.Contest, error) {
	rows, err := readRows(lines)
	if err != nil {
		return nil, err
	}
	c := &contest.Contest{}
	rounds := 0
	for _, r := range rows {
		c.Enter(contest.Entrant{Player: r.player})
		rounds = max(rounds, len(r.opponents))
	}
	for n := range rounds {
		r, err := rows.round(n)
		if err != nil {
			return nil, err
		}
		c.Rounds = append(c.Rounds, r)
	}
	return c, nil
}

// rows are those of all players, by their numbers less one.
type rows []row

func readRows(lines []line) (all rows, err error) {
	if len(lines) > contest.MaxEntrants {
		return nil, fail(TooMany, lines[contest.MaxEntrants].at, "")
	}
	names := make(map[string]bool)
	for _, l := range lines {
		r, err := readRow(l)
		if err != nil {
			return nil, err
		}
		key := strings.ToLower(r.player.Name)
		if names[key] {
			return nil, fail(NameTwice, l.at, r.player.Name)
		}
		names[key] = true
		all = append(all, r)
	}
	return all, nil
}

// round is what the rows have of a round, from 0.
func (all rows) round(n int) (contest.Round, error) {
	r := contest.Round{Method: contest.Method{Kind: contest.ByHand}}
	for i, mine := range all {
		switch {
		case n >= len(mine.opponents):
		case mine.opponents[n] != 0:
			p, first, err := all.pairing(n, i)
			if err != nil {
				return r, err
			}
			if first {
				r.Pairings = append(r.Pairings, p)
			}
		case n >= len(mine.scores):
			return r, fail(BadScore, mine.line, "")
		default:
			r.Pairings = append(r.Pairings, contest.Pairing{A: contest.No(i + 1), Missed: mine.scores[n] <= 0})
		}
	}
	table := func(p contest.Pairing) int { // where it is played, behind all others where nobody says
		if b := all[p.A-1].boards; p.B != 0 && n < len(b) && b[n] > 0 {
			return b[n]
		}
		return contest.MaxEntrants
	}
	slices.SortStableFunc(r.Pairings, func(x, y contest.Pairing) int { return table(x) - table(y) })
	return r, nil
}

// pairing is whom a player, from 0, meets in a round; first says that no row before has it.
func (all rows) pairing(n, i int) (p contest.Pairing, first bool, err error) {
	mine := all[i]
	other := mine.opponents[n]
	if other < 0 || other > len(all) || other == i+1 || n >= len(all[other-1].opponents) || all[other-1].opponents[n] != i+1 {
		return p, false, fail(BadOpponent, mine.line, strconv.Itoa(other))
	}
	if i+1 > other {
		return p, false, nil
	}
	theirs := all[other-1]
	g := contest.Game{}
	switch {
	case n < len(mine.scores) && n < len(theirs.scores):
		g.Result = contest.Result{How: contest.Played, Scores: [2]int{mine.scores[n], theirs.scores[n]}}
	case n < len(mine.scores) || n < len(theirs.scores):
		return p, false, fail(BadScore, mine.line, "")
	}
	p = contest.Pairing{A: contest.No(i + 1), B: contest.No(other)}
	if n < len(mine.firsts) && mine.firsts[n] == 2 {
		p.A, p.B = p.B, p.A
		g.Result.Scores[0], g.Result.Scores[1] = g.Result.Scores[1], g.Result.Scores[0]
	}
	p.Games = []contest.Game{g}
	return p, true, nil
}

// readRow reads "Surname, First, Jr:AA000123 1500 3 0 2; 350 50 401; p12 1 0 2".
func readRow(l line) (row, error) {
	parts := strings.Split(l.text, ";")
	r := row{line: l.at}
	words := strings.Fields(parts[0])
	end := 1
	for end < len(words) && strings.Trim(words[end], "0123456789") != "" {
		end++
	}
	if len(words) == 0 {
		return r, fail(NameMissing, l.at, l.text)
	}
	if end == len(words) {
		return r, fail(BadRating, l.at, words[len(words)-1])
	}
	name := strings.Join(words[:end], " ")
	r.player.Name, r.player.Member, _ = strings.Cut(name, ":")
	r.player.Name, r.player.Member = strings.TrimSpace(r.player.Name), strings.TrimSpace(r.player.Member)
	if strings.Trim(r.player.Name, " ,") == "" {
		return r, fail(NameMissing, l.at, l.text)
	}
	numbers, err := ints(words[end:], l.at, BadOpponent)
	if err != nil {
		return r, err
	}
	if numbers[0] > 9999 {
		return r, fail(BadRating, l.at, words[end])
	}
	r.player.Rating, r.opponents = numbers[0], numbers[1:]
	if len(parts) > 1 {
		if r.scores, err = ints(strings.Fields(parts[1]), l.at, BadScore); err != nil {
			return r, err
		}
	}
	if len(r.scores) > len(r.opponents) {
		return r, fail(BadScore, l.at, strings.TrimSpace(parts[1]))
	}
	for _, more := range parts[min(2, len(parts)):] {
		fields := strings.Fields(more)
		to := map[string]*[]int{"p12": &r.firsts, "board": &r.boards}
		if len(fields) == 0 || to[fields[0]] == nil {
			continue
		}
		if *to[fields[0]], err = ints(fields[1:], l.at, BadScore); err != nil {
			return r, err
		}
	}
	return r, nil
}

// ints reads numbers of which none has more than five digits.
func ints(words []string, line int, p Problem) ([]int, error) {
	var all []int
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n > 99_999 || n < -99_999 {
			return nil, fail(p, line, w)
		}
		all = append(all, n)
	}
	return all, nil
}

// GivenFirst is "Ann Alder" for "Alder, Ann", and "Ann Alder Jr" for "Alder, Ann, Jr".
func GivenFirst(name string) string {
	parts := strings.Split(name, ", ")
	if len(parts) > 1 {
		parts[0], parts[1] = parts[1], parts[0]
	}
	return strings.Join(parts, " ")
}

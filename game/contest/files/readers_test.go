package files

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/contest"
	"github.com/rackmate/rackmate/game/gametest"
)

// The readers below implement the formats' descriptions independently of the package: they
// read files column by column and recount them. They are first checked against lines
// written by hand.

// A counted is what a reader makes of a player.
type counted struct {
	name              string
	won2, spread      int // wins in halves
	first, second     int
	opponents, scores []int
	boards            []string
}

// readT reads a division from TSH's or NASPA's lines: the words from the right are
// opponents, up to the rating, which is the first number after the name.
func readT(text string) (all []counted, err error) {
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if strings.ContainsAny(line, "\t\r") || strings.Contains(line, "  ") {
			return nil, fmt.Errorf("%q has more than single spaces", line)
		}
		head, rest, _ := strings.Cut(line, ";")
		parts := strings.Split(rest, ";")
		scores, firsts, boards := parts[0], "", ""
		for _, part := range parts[1:] {
			switch name, value, _ := strings.Cut(strings.TrimSpace(part), " "); name {
			case "p12":
				firsts = value
			case "board":
				boards = value
			}
		}
		words := strings.Split(head, " ")
		at := slices.IndexFunc(words, func(w string) bool { _, err := strconv.Atoi(w); return err == nil })
		if at < 1 {
			return nil, fmt.Errorf("%q has no rating", line)
		}
		one := counted{name: strings.Join(words[:at], " ")}
		for _, w := range words[at+1:] {
			n, err := strconv.Atoi(w)
			if err != nil {
				return nil, fmt.Errorf("%q: opponent %s", line, w)
			}
			one.opponents = append(one.opponents, n)
		}
		for _, w := range strings.Fields(scores) {
			n, err := strconv.Atoi(w)
			if err != nil {
				return nil, fmt.Errorf("%q: score %s", line, w)
			}
			one.scores = append(one.scores, n)
		}
		for _, w := range strings.Fields(firsts) {
			switch w {
			case "1":
				one.first++
			case "2":
				one.second++
			}
		}
		one.boards = strings.Fields(boards)
		all = append(all, one)
	}
	for i := range all {
		one := &all[i]
		for r, score := range one.scores {
			theirs := 0
			if o := one.opponents[r]; o > 0 {
				if all[o-1].opponents[r] != i+1 {
					return nil, fmt.Errorf("%s meets %d in round %d, who meets %d", one.name, o, r+1, all[o-1].opponents[r])
				}
				theirs = all[o-1].scores[r]
				if b := one.boards; len(b) > 0 && (b[r] == "0" || b[r] != all[o-1].boards[r]) {
					return nil, fmt.Errorf("%s plays at table %s in round %d, the opponent at %s", one.name, b[r], r+1, all[o-1].boards[r])
				}
			}
			one.count(score, theirs)
		}
	}
	return all, nil
}

func (c *counted) count(mine, theirs int) {
	c.spread += mine - theirs
	c.won2 += 1 + cmp.Compare(mine, theirs)
}

// readTOU reads a division of TOU: a name in twenty columns, then blocks of a space, an
// outcome, three digits and the opponent, eight or nine columns wide after the space.
func readTOU(text string, width int) (all []counted, err error) {
	lines := strings.Split(text, "\r\n")
	if !strings.HasPrefix(lines[0], "*M") || !strings.HasPrefix(lines[1], "*") || lines[len(lines)-2] != "*** END OF FILE ***" {
		return nil, fmt.Errorf("its frame is %q", lines[:2])
	}
	type block struct {
		outcome  byte
		score    int
		opponent int
		first    bool
	}
	var rows [][]block
	for _, line := range lines[3 : len(lines)-2] {
		if (len(line)-20)%(width+1) != 0 {
			return nil, fmt.Errorf("%q is %d columns", line, len(line))
		}
		all = append(all, counted{name: strings.TrimRight(line[:20], " ")})
		var row []block
		for at := 20; at < len(line); at += width + 1 {
			cell := line[at : at+width+1]
			score, err := strconv.Atoi(strings.TrimLeft(cell[2:5], " "))
			if cell[0] != ' ' || err != nil {
				return nil, fmt.Errorf("%q: block %q", line, cell)
			}
			who := strings.TrimLeft(cell[5:], " ")
			b := block{outcome: cell[1], score: score, first: strings.HasPrefix(who, "+")}
			if b.opponent, err = strconv.Atoi(strings.TrimPrefix(who, "+")); err != nil {
				return nil, fmt.Errorf("%q: opponent %q", line, cell)
			}
			row = append(row, b)
		}
		rows = append(rows, row)
	}
	for i := range rows {
		for r, b := range rows[i] {
			if b.opponent == i+1 { // no game: a win, a loss or half of one, without spread
				all[i].won2 += strings.IndexByte(" 12", b.outcome)
				continue
			}
			o := rows[b.opponent-1][r]
			if o.opponent != i+1 || o.first == b.first || o.outcome == b.outcome && b.outcome != '1' {
				return nil, fmt.Errorf("%s in round %d: %+v against %+v", all[i].name, r+1, b, o)
			}
			if want := " 12"[1+cmp.Compare(b.score, o.score)]; b.outcome != want {
				return nil, fmt.Errorf("%s in round %d: outcome %q of %d to %d", all[i].name, r+1, b.outcome, b.score, o.score)
			}
			all[i].count(b.score, o.score)
			if b.first {
				all[i].first++
			} else {
				all[i].second++
			}
		}
	}
	return all, nil
}

// TestReadersOnDocumentedLines checks the readers with lines from the formats' descriptions.
func TestReadersOnDocumentedLines(t *testing.T) {
	all, err := readT("#division A\nSurname, First, Jr:AA000123 1500 3 0 2; 350 50 401\nTwo, Bob 1400 0 3 1; 50 390 300\nSolo 0 1 2 0; 420 380 -50\n")
	if err != nil || all[0].won2 != 4 || all[0].spread != -70+50+101 || all[2].won2 != 2 || all[2].spread != 70-10-50 {
		t.Errorf("%+v, %v", all, err)
	}
	tou := "*M30.11.2025 Cup\r\n*A\r\n" + strings.Repeat(" ", 38) + "0\r\n" +
		"Ann Alder            2412  +2 1400   3\r\nBob Boole             377   1 2001  +2\r\nCid                     0   3 1400  +1\r\n*** END OF FILE ***\r\n"
	all, err = readTOU(tou, 8)
	if err != nil || all[0].won2 != 3 || all[0].spread != 35 || all[0].first != 1 || all[1].won2 != 2 || all[1].spread != -35 || all[2].won2 != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestWrittenFilesMatchStandings checks that written files, as read by the readers, match the
// contest's standings, for tournaments of many sizes with byes, forfeits and draws.
func TestWrittenFilesMatchStandings(t *testing.T) {
	for seed := range uint64(30) {
		n := []int{2, 5, 8, 33, 99, 100, 131}[seed%7]
		e := tournament(t, people(n), 5, seed)
		c := e.Divisions[0].Contest
		for r := range c.Rounds {
			for i := range c.Rounds[r].Pairings {
				p := &c.Rounds[r].Pairings[i]
				switch {
				case p.B == 0 || (i+r)%9 > 1:
				case (i+r)%9 == 0:
					p.Games[0].Result = contest.Forfeit(contest.Side(r % 2))
				default:
					p.Games[0].Result.Scores[1] = p.Games[0].Result.Scores[0]
				}
			}
		}
		want := map[string]contest.Score{}
		for _, s := range c.Standings(-1) {
			want[c.Entrants[s.No-1].Name] = s.Score
		}
		tsh, _, err := WriteTSH(e)
		gametest.Must(t, err)
		naspa, _, err := WriteNASPA(e)
		gametest.Must(t, err)
		tou, _, err := WriteTOU(e)
		gametest.Must(t, err)
		width := 8
		if n >= 100 {
			width = 9
		}
		for form, read := range map[string]func() ([]counted, error){
			"TSH":   func() ([]counted, error) { return readT(string(tsh)) },
			"NASPA": func() ([]counted, error) { return readT(string(naspa)) },
			"TOU":   func() ([]counted, error) { return readTOU(string(tou), width) },
		} {
			all, err := read()
			if err != nil || len(all) != n {
				t.Fatalf("seed %d, %s: %d of %d, %v", seed, form, len(all), n, err)
			}
			for i, one := range all {
				s := want[c.Entrants[i].Name]
				if form == "TOU" { // byes and forfeits have no spread there
					if one.won2 != s.Points || one.spread != s.For-s.Against {
						t.Errorf("seed %d, %s: %+v, want %+v", seed, form, one, s)
					}
					continue
				}
				if form == "TSH" && (one.first+one.second == 0 || one.first > s.Firsts || one.second > s.Seconds) {
					t.Errorf("seed %d: %+v moved first %d times, second %d", seed, one, s.Firsts, s.Seconds)
				}
				if one.won2 != s.Points || one.spread != s.Spread {
					t.Errorf("seed %d, %s: %+v, want %+v", seed, form, one, s)
				}
			}
		}
	}
}

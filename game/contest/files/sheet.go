package files

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/game/contest"
)

// A sheet is a division as rounds of single games between single players, which is all that
// most formats support.
type sheet struct {
	name    string
	players []contest.Player
	rows    [][]cell // by player, then by round
	changes []Change
}

// A cell is a player's game in a round.
type cell struct {
	kind     kind
	opponent int // index of a player, -1 for none
	scores   [2]int
	first    bool // moved first
	table    int  // its number in the round, from 1
}

type kind int

const (
	absent kind = iota // no game and no loss: they weren't taking part any more
	played
	won  // without a game: a bye, or a forfeit by the opponent
	lost // without a game
	open // not played yet
)

// sheetOf converts a contest to a sheet. Boards of a team match become games of its
// players, and the games of a match become rounds. Void games, and the rounds of a round
// robin in which a player met nobody, become byes; unless all players have the same number
// of these, the void games are returned as changes.
func sheetOf(d Division) (*sheet, error) {
	l := &layout{sheet: &sheet{name: d.Name}, contest: d.Contest, at: make(map[contest.No][]int)}
	for _, e := range d.Contest.Entrants {
		if !hasLeft(d.Contest, e) {
			l.enter(e)
		}
	}
	l.idle = make([]int, len(l.players))
	for _, r := range d.Contest.Rounds {
		if err := l.round(r); err != nil {
			return nil, err
		}
	}
	for i, n := range l.idle {
		if n > 0 && l.isStaying(i) && slices.ContainsFunc(l.idle, func(m int) bool { return m != n }) {
			l.changes = append(l.changes, l.voids...)
			break
		}
	}
	l.trim()
	return l.sheet, nil
}

// A layout is a sheet under construction.
type layout struct {
	*sheet
	contest *contest.Contest
	at      map[contest.No][]int // an entrant's players, by their numbers in the sheet
	idle    []int                // by player: rounds without a game, which are written as byes
	voids   []Change             // games that don't count
}

// enter adds an entrant's players.
func (l *layout) enter(e contest.Entrant) {
	team := e.Team
	if len(team) == 0 {
		team = []contest.Player{e.Player}
	}
	if boards := l.contest.Format.Boards; boards > 0 {
		team = team[:min(len(team), boards)]
	}
	for _, p := range team {
		l.at[e.No] = append(l.at[e.No], len(l.players))
		l.players = append(l.players, p)
		l.rows = append(l.rows, nil)
	}
}

// round adds a column for each successive game of a round's pairings.
func (l *layout) round(r contest.Round) error {
	games := 1
	for _, p := range r.Pairings {
		n, err := gamesOf(l.contest, p)
		if err != nil {
			return err
		}
		games = max(games, n)
	}
	for g := range games {
		column := make([]cell, len(l.players))
		table := 0
		for _, p := range r.Pairings {
			if p.B != 0 {
				table++
			}
			if err := l.fill(column, p, g, games); err != nil {
				return err
			}
			for _, i := range slices.Concat(l.at[p.A], l.at[p.B]) {
				if column[i].opponent >= 0 && p.B != 0 {
					column[i].table = table
				}
			}
		}
		for i := range column {
			if column[i].kind == absent && r.Method.Kind == contest.RoundRobin && l.isStaying(i) {
				column[i] = cell{kind: won, opponent: -1}
				l.idle[i]++
			}
			l.rows[i] = append(l.rows[i], column[i])
		}
	}
	return nil
}

// trim shortens the rows of players who have left or are out of a knock-out.
func (l *layout) trim() {
	for i := range l.rows {
		for n := len(l.rows[i]); n > 0 && l.rows[i][n-1].kind == absent; n-- {
			l.rows[i] = l.rows[i][:n-1]
		}
		for j := range l.rows[i] {
			if l.rows[i][j].kind == absent {
				l.rows[i][j] = cell{kind: lost, opponent: -1}
			}
		}
	}
}

// hasLeft reports whether an entrant has left and has no game that counts.
func hasLeft(c *contest.Contest, e contest.Entrant) bool {
	if e.Out == 0 {
		return false
	}
	for _, r := range c.Rounds {
		for _, p := range r.Pairings {
			if !p.Has(e.No) {
				continue
			}
			if p.B == 0 || slices.ContainsFunc(p.Games, func(g contest.Game) bool { return g.Result.How != contest.Void }) {
				return false
			}
		}
	}
	return true
}

// isStaying reports whether a player hasn't left.
func (l *layout) isStaying(i int) bool {
	for no, players := range l.at {
		if slices.Contains(players, i) {
			return l.contest.Entrants[no-1].Out == 0
		}
	}
	return false
}

// gamesOf returns how many games of a pairing are played one after another; for teams, the
// number of matches.
func gamesOf(c *contest.Contest, p contest.Pairing) (int, error) {
	if p.B == 0 {
		return 1, nil
	}
	n := max(c.Format.Games, 1)
	if c.Format.Boards > 0 {
		return n, nil
	}
	if n == 1 {
		return max(len(p.Games), 1), nil // including tie-breaking games
	}
	over := 0
	for _, g := range p.Games {
		if g.Result.Over() {
			over++
		}
	}
	return over, nil
}

// fill puts a game of a pairing into the cells of its players.
func (l *layout) fill(column []cell, p contest.Pairing, g, games int) error {
	c := l.contest
	if p.B == 0 {
		k := won
		if p.Missed {
			k = lost
		}
		for _, i := range l.at[p.A] {
			column[i] = cell{kind: k, opponent: -1}
		}
		return nil
	}
	a, b := l.at[p.A], l.at[p.B]
	if len(a) == 0 || len(b) == 0 {
		return nil // the opponent has left, so the game is void
	}
	if c.Format.Boards == 0 {
		if n, _ := gamesOf(c, p); n != games {
			return fail(Uneven, 0, c.Entrants[p.A-1].Name)
		}
		l.put(column, a[0], b[0], p.Games[g], p)
		return nil
	}
	for _, game := range p.Games[g*c.Format.Boards : min((g+1)*c.Format.Boards, len(p.Games))] {
		board := game.Board - 1
		if board < 0 || board >= len(a) || board >= len(b) {
			return fail(BadOpponent, 0, c.Entrants[p.A-1].Name)
		}
		l.put(column, a[board], b[board], game, p)
	}
	return nil
}

// put puts a game into the cells of two players. A game that doesn't count becomes a bye
// for both.
func (l *layout) put(column []cell, a, b int, g contest.Game, p contest.Pairing) {
	byForfeit := func(s contest.Side) cell {
		if halves, _ := g.Result.Worth(s); halves > 0 {
			return cell{kind: won, opponent: -1}
		}
		return cell{kind: lost, opponent: -1}
	}
	switch g.Result.How {
	case contest.Open:
		column[a] = cell{kind: open, opponent: b, first: g.First == contest.A}
		column[b] = cell{kind: open, opponent: a, first: g.First == contest.B}
	case contest.Played:
		sc := g.Result.Scores
		column[a] = cell{kind: played, opponent: b, scores: sc, first: g.First == contest.A}
		column[b] = cell{kind: played, opponent: a, scores: [2]int{sc[1], sc[0]}, first: g.First == contest.B}
	case contest.Void:
		c := l.contest
		l.voids = append(l.voids, Change{Problem: VoidGame, What: c.Entrants[p.A-1].Name + " - " + c.Entrants[p.B-1].Name})
		for _, i := range []int{a, b} {
			column[i] = cell{kind: won, opponent: -1}
			l.idle[i]++
		}
	default:
		column[a], column[b] = byForfeit(contest.A), byForfeit(contest.B)
	}
}

// names converts the players' names to ASCII. A name that can't be converted becomes
// "Player" and a letter, and if two names become the same, the second gets a letter too.
func (s *sheet) names(form func(string) string) (all []string) {
	seen := make(map[string]bool)
	for i, p := range s.players {
		ascii, ok := transliterate(p.Name)
		if ok {
			ascii = form(ascii)
		}
		problem := Problem("")
		if !ok || ascii == "" || strings.ContainsAny(ascii, ";:#\t\r\n") || numberIn(ascii) {
			problem, ascii = NameLost, form("Player "+letters(i))
		}
		base := ascii
		for n := 1; seen[strings.ToLower(ascii)]; n++ {
			ascii = strings.TrimSpace(base[:min(len(base), 17)]) + " " + letters(n)
			problem = cmp.Or(problem, NameTwice)
		}
		if problem != "" {
			s.changes = append(s.changes, Change{problem, p.Name, ascii})
		}
		seen[strings.ToLower(ascii)] = true
		all = append(all, ascii)
	}
	return all
}

// letters writes a number, from 0, in letters: A to Z, AA, AB ...
func letters(n int) string {
	if n < 26 {
		return string(rune('A' + n))
	}
	return letters(n/26-1) + letters(n%26)
}

// numberIn reports whether a word of a name other than the first is a number, which a
// reader would take for a rating.
func numberIn(name string) bool {
	for i, word := range strings.Fields(name) {
		if i > 0 && strings.Trim(word, "0123456789+-") == "" {
			return true
		}
	}
	return false
}

// surnameFirst returns a name as "Surname, First". Names with a comma and names of a single
// word stay as they are.
func surnameFirst(name string) string {
	if strings.Contains(name, ",") {
		return name
	}
	words := strings.Fields(name)
	if len(words) < 2 {
		return name
	}
	last := len(words) - 1
	return words[last] + ", " + strings.Join(words[:last], " ")
}

// surnameLast returns "Surname, First" as "First Surname".
func surnameLast(name string) string {
	sur, first, found := strings.Cut(name, ",")
	if !found {
		return name
	}
	return strings.TrimSpace(strings.TrimSpace(first) + " " + strings.TrimSpace(sur))
}

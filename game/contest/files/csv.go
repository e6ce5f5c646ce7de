package files

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/game/contest"
)

// byteOrderMark begins a CSV file so that spreadsheets read it as UTF-8.
const byteOrderMark = "\ufeff"

// write returns rows as a CSV file (RFC 4180). Cells that a spreadsheet would take for a
// formula get a leading apostrophe.
func write(rows [][]string) []byte {
	var b bytes.Buffer
	b.WriteString(byteOrderMark)
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	for _, r := range rows {
		for i, cell := range r {
			if _, err := strconv.Atoi(cell); err != nil && cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				r[i] = "'" + cell
			}
		}
		_ = w.Write(r) // can't fail: the buffer is in memory
	}
	w.Flush()
	return b.Bytes()
}

// points formats halves for a spreadsheet.
func points(halves int) string {
	if halves%2 == 1 {
		return strconv.Itoa(halves/2) + ".5"
	}
	return strconv.Itoa(halves / 2)
}

// StandingsCSV returns the standings of all divisions.
func StandingsCSV(e Event) []byte {
	rows := [][]string{{"Division", "Place", "Name", "Member", "Rating", "Points", "Won", "Drawn", "Lost", "Spread", "Byes", "First", "Second"}}
	for _, d := range e.Divisions {
		for _, s := range d.Contest.Table() {
			p := d.Contest.Entrants[s.No-1]
			place := ""
			if s.Place > 0 {
				place = strconv.Itoa(s.Place)
			}
			rows = append(rows, []string{d.Name, place, p.Name, p.Member, strconv.Itoa(p.Rating), points(s.Points),
				strconv.Itoa(s.Won), strconv.Itoa(s.Drawn), strconv.Itoa(s.Lost), strconv.Itoa(s.Spread),
				strconv.Itoa(s.Byes), strconv.Itoa(s.Firsts), strconv.Itoa(s.Seconds)})
		}
	}
	return write(rows)
}

// PairingsCSV returns the pairings of all rounds.
func PairingsCSV(e Event) []byte {
	rows := [][]string{{"Division", "Round", "Table", "First", "Second"}}
	for _, d := range e.Divisions {
		for i, r := range d.Contest.Rounds {
			for j, p := range r.Pairings {
				rows = append(rows, []string{d.Name, strconv.Itoa(i + 1), strconv.Itoa(j + 1), nameOf(d, p.A), opponentName(d, p)})
			}
		}
	}
	return write(rows)
}

func nameOf(d Division, no contest.No) string {
	e, ok := d.Contest.Entrant(no)
	if !ok {
		return ""
	}
	return e.Name
}

func opponentName(d Division, p contest.Pairing) string {
	switch {
	case p.Missed:
		return "(missed)"
	case p.B == 0:
		return "(bye)"
	}
	return nameOf(d, p.B)
}

var resultNames = map[contest.How]string{
	contest.Open: "open", contest.Played: "played", contest.LostByA: "forfeit", contest.LostByB: "forfeit",
	contest.LostByBoth: "double forfeit", contest.Void: "void",
}

// GamesCSV returns all games with their results, one per line, with the player who moved
// first in front.
func GamesCSV(e Event) []byte {
	rows := [][]string{{"Division", "Round", "Board", "First", "Second", "Result", "First's score", "Second's score", "Winner"}}
	for _, d := range e.Divisions {
		for i, r := range d.Contest.Rounds {
			for _, p := range r.Pairings {
				for _, g := range p.Games {
					rows = append(rows, append([]string{d.Name, strconv.Itoa(i + 1)}, gameCells(d, p, g)...))
				}
			}
		}
	}
	return write(rows)
}

// gameCells returns the cells of a game's line after its division and round.
func gameCells(d Division, p contest.Pairing, g contest.Game) []string {
	var names, scores [2]string
	board, winner := "", ""
	if g.Board > 0 {
		board = strconv.Itoa(g.Board)
	}
	for n, side := range []contest.Side{g.First, g.First.Other()} {
		no := p.Entrant(side)
		names[n] = nameOf(d, no)
		if x, _ := d.Contest.Entrant(no); g.Board > 0 && g.Board <= len(x.Team) {
			names[n] = x.Team[g.Board-1].Name
		}
		if g.Result.How == contest.Played {
			scores[n] = strconv.Itoa(g.Result.Scores[side])
		}
		if halves, _ := g.Result.Worth(side); halves == 2 {
			winner = names[n]
		}
	}
	return []string{board, names[0], names[1], resultNames[g.Result.How], scores[0], scores[1], winner}
}

// A Record is the file of a game.
type Record struct {
	Name string
	Data []byte
}

// Zip packs records into one file, with the same bytes for the same records. If two have
// the same name, the later gets a number.
func Zip(records []Record, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	taken := make(map[string]bool)
	for _, r := range records {
		name := strings.NewReplacer("/", "_", "\\", "_", "\x00", "").Replace(r.Name)
		for n := 2; taken[strings.ToLower(name)]; n++ {
			base, ext, _ := strings.Cut(r.Name, ".")
			name = base + "-" + strconv.Itoa(n) + "." + ext
		}
		taken[strings.ToLower(name)] = true
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: date.UTC()})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(r.Data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

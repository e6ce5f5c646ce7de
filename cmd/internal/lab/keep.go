package lab

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game/record"
)

// A keeper saves the games of a match: their results as CSV, or each as GCG in a folder. The zero
// keeper saves nothing.
type keeper struct {
	match  *match
	folder string
	file   *os.File
	table  *csv.Writer
}

// columns names the columns of the results. There is a row for each contestant of each game, in the
// order of play. A draw is half a win; ms is milliseconds of processor time for all moves, most for
// one.
var columns = []string{"game", "seat", "player", "score", "won", "turns", "seed", "moves", "ms", "most"}

// keepGames returns a keeper for the value of --out and, if the match is resumed, the games it
// already has, in whole rounds. Games that began in the middle can't be written as GCG.
func (m *match) keepGames(out string, resume bool) (k keeper, kept []playedGame, err error) {
	csvFile := strings.EqualFold(filepath.Ext(out), ".csv")
	switch {
	case resume && !csvFile:
		return k, nil, cli.UsageError("--resume needs --out FILE.csv, whose results it continues")
	case out == "":
		return k, nil, nil
	case !csvFile:
		if m.starts != nil {
			return k, nil, cli.UsageError("GCG files hold whole games: with --from, name a file that ends in .csv")
		}
		if err := os.MkdirAll(out, 0o755); err != nil {
			return k, nil, fmt.Errorf("keep games: %w", err)
		}
		return keeper{match: m, folder: out}, nil, nil
	}
	end := int64(0)
	if resume {
		if kept, end, err = m.readResults(out); err != nil {
			return k, nil, err
		}
	}
	file, err := os.OpenFile(out, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return k, nil, fmt.Errorf("keep results: %w", err)
	}
	k = keeper{match: m, file: file, table: csv.NewWriter(file)}
	err = file.Truncate(end)
	if _, e := file.Seek(end, io.SeekStart); e != nil {
		err = errors.Join(err, e)
	}
	if end == 0 {
		err = errors.Join(err, k.table.Write(columns))
	}
	return k, kept, err
}

// readResults returns the games of the whole rounds in a file of results, and the offset where they
// end. A missing file has no games.
func (m *match) readResults(name string) (all []playedGame, end int64, err error) {
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return nil, 0, fmt.Errorf("resume: %w", err)
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1] // the last row may be incomplete
	if len(text) == 0 {
		return nil, 0, nil
	}
	rows := csv.NewReader(bytes.NewReader(text))
	if first, err := rows.Read(); err != nil || !slices.Equal(first, columns) {
		return nil, 0, cli.UsageError(name + " has no results of this version: name another file")
	}
	end = rows.InputOffset()
	size := len(m.contestants)
	for n := 0; ; n++ {
		p := playedGame{n: n, did: make([]result, size)}
		for i := range size {
			row, err := rows.Read()
			if err == io.EOF {
				return all[:len(all)/size*size], end, nil
			}
			who, r := 0, result{}
			if err == nil {
				who, r, err = m.readRow(row, n, i)
			}
			if err != nil || slices.Contains(p.order, who) {
				line, _ := rows.FieldPos(0)
				return nil, 0, cli.UsageError(fmt.Sprintf("%s:%d belongs to another match: name another file, or the same robots and seed", name, line))
			}
			p.order = append(p.order, who)
			p.did[who] = r
		}
		all = append(all, p)
		if len(all)%size == 0 {
			end = rows.InputOffset()
		}
	}
}

// readRow parses the row of the player who moved i-th in the n-th game.
func (m *match) readRow(row []string, n, i int) (who int, r result, err error) {
	who = slices.IndexFunc(m.contestants, func(c contestant) bool { return c.name == row[2] })
	if size := len(m.contestants); who >= 0 && size == 2 && m.contestants[0].name == m.contestants[1].name {
		who = (n + i) % size // both have the same name
	}
	var whole [4]int
	for k, col := range []int{0, 1, 3, 7} {
		whole[k], err = strconv.Atoi(row[col])
		if err != nil {
			return who, r, err
		}
	}
	won, err := strconv.ParseFloat(row[4], 64)
	ms, err2 := strconv.ParseFloat(row[8], 64)
	most, err3 := strconv.ParseFloat(row[9], 64)
	if who < 0 || whole[0] != n+1 || whole[1] != i+1 || row[6] != strconv.FormatUint(m.seed, 10) {
		err = errors.New("another match")
	}
	r = result{score: whole[2], won: won, turns: whole[3], thought: time.Duration(ms * 1e6), most: time.Duration(most * 1e6)}
	return who, r, errors.Join(err, err2, err3)
}

// keep saves the next game.
func (k *keeper) keep(p playedGame) error {
	switch {
	case k.table != nil:
		err := k.write(p)
		k.table.Flush() // a match takes hours, and the file may be read meanwhile
		if err = errors.Join(err, k.table.Error()); err != nil {
			return fmt.Errorf("keep results: %w", err)
		}
	case k.folder != "":
		g, err := record.FromEvents(p.log)
		if err != nil {
			return fmt.Errorf("keep game %d: %w", p.n+1, err)
		}
		if err := os.WriteFile(filepath.Join(k.folder, fmt.Sprintf("game-%05d.gcg", p.n+1)), []byte(g.String()), 0o644); err != nil {
			return fmt.Errorf("keep games: %w", err)
		}
	}
	return nil
}

// write writes the rows of a game.
func (k *keeper) write(p playedGame) error {
	var errs []error
	for i, who := range p.order {
		r := p.did[who]
		ms := func(d time.Duration) string { return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 1, 64) }
		errs = append(errs, k.table.Write([]string{
			strconv.Itoa(p.n + 1), strconv.Itoa(i + 1), k.match.contestants[who].name, strconv.Itoa(r.score),
			strconv.FormatFloat(r.won, 'g', 3, 64), strconv.Itoa(p.turns), strconv.FormatUint(k.match.seed, 10),
			strconv.Itoa(r.turns), ms(r.thought), ms(r.most),
		}))
	}
	return errors.Join(errs...)
}

// close closes the output.
func (k *keeper) close() error {
	if k.table == nil {
		return nil
	}
	k.table.Flush()
	if err := k.table.Error(); err != nil {
		return fmt.Errorf("keep results: %w", err)
	}
	return k.file.Close()
}

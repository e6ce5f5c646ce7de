package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
)

// A keeper keeps the games of a match: a CSV of their results, or a folder with
// each as GCG. The zero keeper keeps nothing.
type keeper struct {
	folder string
	file   *os.File
	table  *csv.Writer
}

// keepGames makes a keeper by what --out says. Games that began in the middle
// can't be written as GCG.
func keepGames(out string, middle bool) (keeper, error) {
	switch {
	case out == "":
		return keeper{}, nil
	case !strings.EqualFold(filepath.Ext(out), ".csv"):
		if middle {
			return keeper{}, usageError("GCG tells whole games: with --from name a file that ends in .csv")
		}
		if err := os.MkdirAll(out, 0o755); err != nil {
			return keeper{}, fmt.Errorf("keep games: %w", err)
		}
		return keeper{folder: out}, nil
	}
	file, err := os.Create(out)
	if err != nil {
		return keeper{}, fmt.Errorf("keep results: %w", err)
	}
	k := keeper{file: file, table: csv.NewWriter(file)}
	return k, k.table.Write([]string{"game", "seat", "player", "score", "won", "turns"})
}

// keep keeps the n-th game, from 0. A draw is half a win.
func (k *keeper) keep(n int, s game.State, log []game.Event) error {
	switch {
	case k.table != nil:
		for i, seat := range s.Seats {
			won := "0"
			for _, w := range s.End.Winners {
				if w == i {
					won = strconv.FormatFloat(1/float64(len(s.End.Winners)), 'g', 3, 64)
				}
			}
			order := (i - s.First + len(s.Seats)) % len(s.Seats)
			row := []string{strconv.Itoa(n + 1), strconv.Itoa(order + 1), seat.Person.Name, strconv.Itoa(seat.Score), won, strconv.Itoa(s.Turns)}
			if err := k.table.Write(row); err != nil {
				return fmt.Errorf("keep results: %w", err)
			}
		}
		k.table.Flush() // a match takes hours, and can be looked at meanwhile
	case k.folder != "":
		g, err := record.FromEvents(log)
		if err != nil {
			return fmt.Errorf("keep game %d: %w", n+1, err)
		}
		if err := os.WriteFile(filepath.Join(k.folder, fmt.Sprintf("game-%05d.gcg", n+1)), []byte(g.String()), 0o644); err != nil {
			return fmt.Errorf("keep games: %w", err)
		}
	}
	return nil
}

// close ends what is kept.
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

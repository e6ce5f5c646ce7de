package record

import (
	"errors"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/game"
)

// A notation converts tiles and squares to and from text, and keeps the first error.
type notation struct {
	set *game.TileSet
	err error
}

// parseTime parses a time as storeTime writes it.
func (n *notation) parseTime(text string) time.Time {
	at, err := time.Parse(timeFormat, text)
	n.fail(err)
	return at
}

// parseDuration parses a duration as [time.Duration] prints it.
func (n *notation) parseDuration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	n.fail(err)
	return d
}

var errNoSet = errors.New("unknown tile set: a table's first event names it")

func (n *notation) fail(err error) {
	if n.err == nil {
		n.err = err
	}
}

// print returns tiles in a form that parses to the same tiles.
func (n *notation) print(ts game.Tiles) string {
	if n.set == nil {
		n.fail(errNoSet)
		return ""
	}
	text := n.set.Print(ts)
	if again, err := n.set.Parse(text); err != nil || again != ts {
		n.fail(fmt.Errorf("the tiles %q of the %s set can't be written", text, n.set.Name()))
	}
	return text
}

func (n *notation) read(text string) game.Tiles {
	if n.set == nil {
		n.fail(errNoSet)
		return ""
	}
	ts, err := n.set.Parse(text)
	n.fail(err)
	return ts
}

func (n *notation) printAll(all []game.Tiles) []string {
	var out []string
	for _, ts := range all {
		out = append(out, n.print(ts))
	}
	return out
}

func (n *notation) readAll(all []string) []game.Tiles {
	var out []game.Tiles
	for _, text := range all {
		out = append(out, n.read(text))
	}
	return out
}

func (n *notation) formatSpot(sq game.Square, d game.Dir) string {
	text := sq.At(d)
	if sq2, d2, err := game.ParseAt(text); err != nil || sq2 != sq || d2 != d {
		n.fail(fmt.Errorf("%+v %v isn't a square and direction", sq, d))
	}
	return text
}

func (n *notation) parseSpot(text string) (game.Square, game.Dir) {
	sq, d, err := game.ParseAt(text)
	if err != nil {
		n.fail(fmt.Errorf("%q is %w", text, err))
	}
	return sq, d
}

// storeWords returns the stored words of a play; readWords is the reverse.
func (n *notation) storeWords(all []game.ScoredWord) []wordV1 {
	var out []wordV1
	for _, w := range all {
		out = append(out, wordV1{n.formatSpot(w.At, w.Dir), n.print(w.Tiles), w.Score})
	}
	return out
}

func (n *notation) readWords(all []wordV1) []game.ScoredWord {
	var out []game.ScoredWord
	for _, stored := range all {
		w := game.ScoredWord{Tiles: n.read(stored.Tiles), Score: stored.Score}
		w.At, w.Dir = n.parseSpot(stored.At)
		out = append(out, w)
	}
	return out
}

// boardRows returns each row up to its last tile.
func (n *notation) boardRows(b *game.Board) []string {
	var rows []string
	var last int
	for row := range game.MaxSize {
		var tiles []game.Tile
		end := 0
		for col := range game.MaxSize {
			t := b.Tile(game.Square{Row: row, Col: col})
			if tiles = append(tiles, t); t != game.NoTile {
				end, last = col+1, row+1
			}
		}
		rows = append(rows, n.print(game.TilesOf(tiles[:end]...)))
	}
	return rows[:last]
}

func (n *notation) readBoard(rows []string) game.Board {
	var b game.Board
	for row, text := range rows {
		tiles := n.read(text)
		if row >= game.MaxSize || len(tiles) > game.MaxSize {
			n.fail(fmt.Errorf("a board has %d squares a side at most", game.MaxSize))
			return b
		}
		for col := range len(tiles) {
			b.Put(game.Square{Row: row, Col: col}, tiles.At(col))
		}
	}
	return b
}

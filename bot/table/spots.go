package table

import (
	"cmp"
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/lexicon"
)

// ValidSpots lists where a word can go and forms only valid words. The move generator finds
// the places, in microseconds on any board; game.Place decides which of them take the word
// as spelled, and with which tiles.
func ValidSpots(t Table, rack game.Tiles, word game.Spelling, dict *lexicon.Lexicon) ([]game.Spot, error) {
	w, named := chooseWord(word)
	if !named {
		return t.Rules.Spots(t.Equipment, &t.Board, rack, word, dict), nil
	}
	g, err := movegen.New(dict, t.Equipment, t.Rules)
	if err != nil {
		return nil, err
	}
	var spots []game.Spot
	for _, p := range g.PlaysOf(&t.Board, rack, w) {
		m := p.Move()
		// With a blank on the rack, a word can be played in several ways in one place; they
		// come one after another here.
		if n := len(spots); n > 0 && spots[n-1].Move.At == m.At && spots[n-1].Move.Dir == m.Dir {
			continue
		}
		if m, err = game.Place(t.Equipment, &t.Board, rack, m.At, m.Dir, word); err != nil {
			continue // the spelling names a blank that isn't needed there
		}
		tally, err := t.Rules.Tally(t.Equipment, &t.Board, m)
		if err != nil {
			return nil, err
		}
		spots = append(spots, game.Spot{Move: m, Tally: tally})
	}
	slices.SortFunc(spots, func(a, b game.Spot) int {
		return cmp.Or(b.Tally.Total-a.Tally.Total, int(a.Move.Dir)-int(b.Move.Dir), a.Move.At.Row-b.Move.At.Row, a.Move.At.Col-b.Move.At.Col)
	})
	return spots, nil
}

// chooseWord returns the word of a spelling. named is false if the spelling leaves letters to
// the board.
func chooseWord(sp game.Spelling) (w lexicon.Word, named bool) {
	b := make([]byte, len(sp))
	for i, s := range sp {
		if s.Letter == 0 {
			return "", false
		}
		b[i] = byte(s.Letter)
	}
	return lexicon.Word(b), true
}

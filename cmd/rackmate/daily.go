package main

import (
	"fmt"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/lexicon"
)

// verifyDaily checks the proof of a daily board, by making the board again, and says
//
//	ok FILE daily=329 best=8H QUARTZ score=74 commitment=HEX
//
// The commitment is to be compared with the one that stood in the board of the day before.
func verifyDaily(std stdio, file string, p puzzle.Proof) error {
	pos, err := remake(p)
	if err != nil {
		fmt.Fprintf(std.out, "bad %s: %v\n", file, err)
		return errFailed
	}
	fmt.Fprintf(std.out, "ok %s daily=%d best=%s score=%d commitment=%s\n", file, p.Number, pos.Best, pos.Score, p.Commitment)
	return nil
}

// remade is a board that was made again.
type remade struct {
	Best  string
	Score int
}

func remake(p puzzle.Proof) (remade, error) {
	mind, eq, err := playing(p.Lexicon)
	if err != nil {
		return remade{}, fmt.Errorf("the word list %s: %w", p.Lexicon, err)
	}
	var clean *lexicon.Lexicon
	if file, err := data.Lexicon(p.Lexicon + "-clean"); err == nil {
		if clean, err = lexicon.OpenSound(file); err != nil {
			return remade{}, err
		}
	}
	pos, err := puzzle.NewMaker(puzzle.Known(mind, clean), eq).Check(p)
	return remade{pos.Best.Text(eq.Tiles), pos.Score}, err
}

package lab

import (
	"fmt"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/lexicon"
)

// verifyDaily checks the proof of a daily board by building the board again, and prints
//
//	ok FILE daily=329 best=8H QUARTZ score=74 commitment=HEX
//
// posted is the digest in the previous day's post, or "".
func verifyDaily(std cli.Std, file string, p puzzle.Proof, posted string) error {
	made, err := remake(p)
	if err == nil {
		err = compare(p.Commitment, posted)
	}
	if err != nil {
		fmt.Fprintf(std.Out, "bad %s: %v\n", file, err)
		return cli.ErrFailed
	}
	fmt.Fprintf(std.Out, "ok %s daily=%d %s commitment=%s\n", file, p.Number, made, p.Commitment)
	hint(std, p.Commitment, posted)
	return nil
}

// remake builds a board again and describes its best play.
func remake(p puzzle.Proof) (string, error) {
	maker, err := dailyMaker(p.Lexicon)
	if err != nil {
		return "", fmt.Errorf("the word list %s: %w", p.Lexicon, err)
	}
	pos, err := maker.Check(p)
	return fmt.Sprintf("best=%s score=%d", pos.Best.Text(maker.Equipment().Tiles), pos.Score), err
}

// dailyMaker returns a maker of a word list's daily boards, as a host has it.
func dailyMaker(list string) (*puzzle.Maker, error) {
	mind, eq, err := cli.OpenMind(list)
	if err != nil {
		return nil, err
	}
	var clean *lexicon.Lexicon
	if file, err := data.Lexicon(list + "-clean"); err == nil {
		if clean, err = lexicon.OpenSound(file); err != nil {
			return nil, err
		}
	}
	return puzzle.NewMaker(puzzle.KnownWords(mind, clean), eq), nil
}

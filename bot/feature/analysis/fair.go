package analysis

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Limits of what counts as the board of a running game.
const (
	fewestTiles  = 15 // smaller boards can be analysed freely
	mostDistinct = 3  // squares
)

// mayAnalyse returns an error if a board is nearly that of a rated game under way, of a game
// that the person is playing, or of a puzzle that they have yet to solve.
func (f *Feature) mayAnalyse(ctx context.Context, who game.PlayerID, b game.Board) error {
	entered := outlineOf(b)
	if len(entered.squares) >= fewestTiles {
		// Replaying all running games takes long. The result isn't shared, since any move may change it.
		_, err := feature.Heavy(ctx, f.desk, nil, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, f.checkNotRunning(ctx, who, entered)
		})
		if err != nil {
			return err
		}
	}
	return f.unsolved(ctx, who, b)
}

// checkNotRunning returns an error if a board is nearly that of a running game.
func (f *Feature) checkNotRunning(ctx context.Context, who game.PlayerID, entered outline) error {
	tables, err := f.running(ctx)
	if err != nil {
		return err
	}
	for _, id := range tables {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, err := feature.LoadTable(ctx, f.desk, id)
		switch {
		case errors.Is(err, bot.ErrUnreadable):
			continue // nobody can play on there
		case err != nil:
			return err
		}
		if t.Phase != game.Playing && t.Phase != game.Closing {
			continue // it ended a moment ago
		}
		_, own := t.SeatOf(who)
		if !own && !t.IsRated() || !entered.resembles(outlineOf(t.Board)) {
			continue
		}
		if own {
			return words.Refusing("That's the board of a game you're playing. You can analyse it once it's over.")
		}
		return words.Refusing("That's nearly the board of a rated game that is still on. You can analyse it once that game is over.")
	}
	return nil
}

// An outline is a board as the letters on its squares. Blanks count as the letters they stand
// for: swapping one for the other gives the same words.
type outline struct {
	squares []letterAt
	letters [128]int // number of tiles by letter
}

type letterAt struct {
	game.Square
	letter game.Tile
}

// outlineOf returns the outline of a board.
func outlineOf(b game.Board) (o outline) {
	for row := range game.MaxSize {
		for col := range game.MaxSize {
			sq := game.Square{Row: row, Col: col}
			if tile := b.Tile(sq); tile != game.NoTile {
				tile &^= game.Blank
				o.squares = append(o.squares, letterAt{sq, tile})
				o.letters[tile]++
			}
		}
	}
	return o
}

// resembles reports whether two boards differ by at most mostDistinct tiles that were added,
// removed or exchanged for others. Moving all tiles by some squares, or reading rows as
// columns, makes no difference: nearly the same plays score there.
func (o outline) resembles(other outline) bool {
	apart := 0
	for i, n := range o.letters {
		apart += max(n-other.letters[i], other.letters[i]-n)
	}
	if apart > 2*mostDistinct {
		return false // most boards: comparing letters is quick
	}
	return o.matches(other) || o.matches(other.transpose())
}

// transpose returns the outline with rows and columns exchanged.
func (o outline) transpose() outline {
	turned := outline{letters: o.letters}
	for _, s := range o.squares {
		turned.squares = append(turned.squares, letterAt{game.Square{Row: s.Col, Col: s.Row}, s.letter})
	}
	return turned
}

// matches reports whether two outlines differ little after some shift.
func (o outline) matches(other outline) bool {
	there := map[game.Square]game.Tile{}
	for _, s := range other.squares {
		there[s.Square] = s.letter
	}
	// If they match, at least one of any mostDistinct+1 tiles is on both boards.
	for _, from := range o.squares[:min(len(o.squares), mostDistinct+1)] {
		for _, to := range other.squares {
			if from.letter != to.letter {
				continue
			}
			same := 0
			for _, s := range o.squares {
				if there[game.Square{Row: s.Row + to.Row - from.Row, Col: s.Col + to.Col - from.Col}] == s.letter {
					same++
				}
			}
			if max(len(o.squares), len(other.squares))-same <= mostDistinct {
				return true
			}
		}
	}
	return false
}

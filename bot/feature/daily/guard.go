package daily

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
)

// A Guard stops people with tries left from solving a board with other commands.
type Guard struct {
	desk     feature.Desk
	calendar *calendar
	boards   *boards
	players  *players
}

// mostHeld limits how many tiles of an open rack a lookup may contain.
const mostHeld = 5

// mostBlanks limits how many blanks of a lookup count as tiles of the rack.
const mostBlanks = 2

// Letters rejects a lookup of letters that contain the rack of a board for which the person has
// tries left.
func (g *Guard) Letters(ctx context.Context, who game.PlayerID, letters game.Tiles) error {
	if len(letters) <= mostHeld {
		return nil
	}
	return g.eachUnsolved(ctx, who, func(b board) error {
		if countHeld(letters, b.Rack) > mostHeld {
			return words.Refusing("That is today's rack. Once you have used your tries, or the day is over, you can look it up.")
		}
		return nil
	})
}

// countHeld returns how many tiles of a rack are among letters. Blanks among the letters may stand for
// others.
func countHeld(letters, rack game.Tiles) (n int) {
	rest := letters
	for i := range len(rack) {
		if less, ok := rest.Minus(game.TilesOf(rack.At(i))); ok {
			n, rest = n+1, less
		}
	}
	return n + min(mostBlanks, letters.Count(game.Blank))
}

// Board rejects a search for plays on a board for which the person has tries left, whatever the
// rack.
func (g *Guard) Board(ctx context.Context, who game.PlayerID, on game.Board) error {
	if on.Empty() {
		return nil // every game begins with an empty board
	}
	return g.eachUnsolved(ctx, who, func(b board) error {
		if b.Board == on {
			return words.Refusing("That is today's board. Once you have used your tries, or the day is over, you can analyse it.")
		}
		return nil
	})
}

// eachUnsolved calls check for each board for which the person has tries left, until it returns an
// error.
func (g *Guard) eachUnsolved(ctx context.Context, who game.PlayerID, check func(board) error) error {
	open, err := g.calendar.openBoards(ctx)
	if err != nil {
		return err
	}
	_, p, err := g.players.load(ctx, who)
	if err != nil {
		return err
	}
	for key := range p.Boards { // they may be playing a board alone
		if w, ok := readKey(key); ok && w.day == puzzle.DayOf(g.desk.Now().UTC()) && !slices.ContainsFunc(open, func(o boardID) bool { return o.key() == key }) {
			open = append(slices.Clone(open), w)
		}
	}
	for _, w := range open {
		tries := p.Boards[w.key()]
		if triesLeft(tries) == 0 {
			continue
		}
		b, err := g.boards.board(ctx, w)
		if err != nil {
			continue // its list is gone, so nobody can play it
		}
		if err := check(b); err != nil {
			return err
		}
	}
	return nil
}

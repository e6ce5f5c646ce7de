package robot

import (
	"github.com/rackmate/rackmate/game"
)

// A world is a game as a robot imagines it, with one possible arrangement of the tiles that it
// can't see. Its seats are the active ones, in turn order; seat 0 is the robot's.
type world struct {
	rules *game.Rules
	set   *game.TileSet

	board     game.Board
	seats     []hand
	turn      int
	bag       game.Tiles // in drawing order
	passes    int        // consecutive passes
	scoreless int        // consecutive scoreless turns
	over      bool
}

type hand struct {
	rack  game.Tiles
	kept  Equity // value of the tiles that the last move kept
	score int    // points
}

// copyTo copies the world into another one and reuses that one's memory.
func (w *world) copyTo(to *world) {
	seats := append(to.seats[:0], w.seats...)
	*to = *w
	to.seats = seats
}

// move makes a move for the seat to move.
func (w *world) move(c choice) {
	w.seats[w.turn].kept = c.keptValue()
	if c.move.Kind == game.PlayTiles {
		w.play(c.move, c.points)
	} else {
		w.exchange(c.move.Tiles)
	}
}

// play lays tiles, adds points and draws.
func (w *world) play(m game.Move, points int) {
	h := &w.seats[w.turn]
	w.board.Lay(m)
	h.score += points
	h.rack, _ = h.rack.Minus(m.Tiles.Faces())
	w.draw(h)
	w.passes = 0
	w.scoreless++
	if points > 0 || !w.rules.ZeroPlays {
		w.scoreless = 0
	}
	w.turnDone()
}

// exchange puts tiles back at the bottom of the bag, because they are unlikely to be drawn again
// soon. Without tiles it is a pass.
func (w *world) exchange(put game.Tiles) {
	h := &w.seats[w.turn]
	h.rack, _ = h.rack.Minus(put)
	w.draw(h)
	w.bag += put
	w.scoreless++
	w.passes++
	if put != "" {
		w.passes = 0
	}
	w.turnDone()
}

func (w *world) draw(h *hand) {
	n := max(0, min(w.rules.RackSize-len(h.rack), len(w.bag)))
	h.rack += w.bag[:n]
	w.bag = w.bag[n:]
}

// turnDone moves on to the next seat, or settles the racks if the game is over.
func (w *world) turnDone() {
	out := len(w.seats[w.turn].rack) == 0
	w.over = out || isRuleReached(w.rules.PassRounds*len(w.seats), w.passes) || isRuleReached(w.rules.ScorelessTurns, w.scoreless)
	if w.over {
		sum := 0
		for i := range w.seats {
			left := w.set.Sum(w.seats[i].rack)
			sum += left
			if !out || w.rules.OutBonus.Deduct {
				w.seats[i].score -= left
			}
		}
		if out {
			w.seats[w.turn].score += w.rules.OutBonus.Times * sum
		}
	}
	w.turn = (w.turn + 1) % len(w.seats)
}

// lead returns the robot's score minus the best score of the others.
func (w *world) lead() int {
	best := w.seats[1].score
	for _, h := range w.seats[2:] {
		best = max(best, h.score)
	}
	return w.seats[0].score - best
}

// Package view returns the public view of a table: the board to draw, the list of moves,
// the final card, a judged move. Apart from [Own] and the [Review] of a finished game, nothing in
// it shows a rack.
package view

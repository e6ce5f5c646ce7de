// Package view returns the public view of a table: the board to draw, the list of moves,
// the final card. Apart from [Own], nothing in it shows a rack.
package view

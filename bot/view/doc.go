// Package view is what everybody may see of a table: the board to draw, the list
// of moves, the card that sums a game up. Nothing in it has a rack.
package view

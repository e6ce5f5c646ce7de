// Package play implements the game itself: the lobby, the turns, and the views of a table.
package play

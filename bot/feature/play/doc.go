// Package play is the game itself: the lobby, the turns, looking at a table.
package play

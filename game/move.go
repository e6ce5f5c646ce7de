package game

// A MoveKind is one of the three things a player can do with a turn.
type MoveKind uint8

// The kinds of moves.
const (
	PlayTiles MoveKind = iota + 1
	ExchangeTiles
	PassTurn
)

// A Move is what a player does with a turn. It carries no score: scores are
// computed, never supplied.
type Move struct {
	Kind MoveKind
	// At and Dir say where the main word of a play starts and how it reads.
	At  Square
	Dir Dir
	// Tiles of a play are its main word's: NoTile for a square played
	// through, a blank with its letter. Of an exchange, the tiles put back.
	Tiles Tiles
}

// Equipment is the board and the tiles that a game is played with.
type Equipment struct {
	Layout Layout
	Tiles  *TileSet
}

// Text writes a move as chat and logs do: "8H QU.Z", "exchange AEI", "pass".
func (m Move) Text(s *TileSet) string {
	switch m.Kind {
	case PlayTiles:
		return m.At.At(m.Dir) + " " + s.Print(m.Tiles)
	case ExchangeTiles:
		return "exchange " + s.Print(m.Tiles)
	}
	return "pass"
}

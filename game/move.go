package game

// A MoveKind is one of the three things a player can do in a turn.
type MoveKind uint8

// The kinds of moves.
const (
	PlayTiles MoveKind = iota + 1
	ExchangeTiles
	PassTurn
)

// A Move describes a player's move in a turn. It has no score: scores are always computed.
type Move struct {
	Kind MoveKind
	// At and Dir are the start and direction of a play's main word.
	At  Square
	Dir Dir
	// Tiles are the main word of a play, with NoTile for a square played through and a blank with
	// its letter; or the tiles put back in an exchange.
	Tiles Tiles
}

// Equipment is the board and the tiles that a game is played with.
type Equipment struct {
	Layout Layout
	Tiles  *TileSet
}

// Text returns a move in notation: "8H QU.Z", "exchange AEI", "pass".
func (m Move) Text(s *TileSet) string {
	switch m.Kind {
	case PlayTiles:
		return m.At.At(m.Dir) + " " + s.Print(m.Tiles)
	case ExchangeTiles:
		return "exchange " + s.Print(m.Tiles)
	}
	return "pass"
}

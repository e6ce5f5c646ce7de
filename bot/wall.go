package bot

import (
	"context"

	"github.com/rackmate/rackmate/bot/text"
)

// Walls are the pages of tournaments in the browser, at addresses that nobody guesses.
// What they show is for everybody: it has no place for a rack. Their methods are safe
// for concurrent use.
type Walls interface {
	// Wall is the tournament that a key names. The error is ErrNoTable where there is
	// none.
	Wall(ctx context.Context, key string) (Wall, error)
	// WallPicture draws the board of one of the tables that a wall has, by its place among
	// them. The error is ErrNoPicture where there is none.
	WallPicture(ctx context.Context, key string, board int, to *text.Tongue) (*Picture, error)
}

// A Wall is a tournament as everybody may see it.
type Wall struct {
	Name     string
	Phase    string // entering, between, playing, ended or off
	Planned  int    // rounds, 0 where that isn't settled
	Games    int    // of a match
	Entrants []WallEntrant
	Rounds   []WallRound // that have begun
	Boards   []WallBoard // of the round that is on, or was the last
	Digest   string      // SHA-256 of the secret that the lots come from
	Secret   string      // once the tournament is over
	Delay    int         // minutes by which all of this is behind
}

// A WallEntrant is a player, or a team of several.
type WallEntrant struct {
	Name    string
	Players []string // of a team
	Rating  int
	Out     bool
}

// A WallRound is who met whom, and how everybody stood after it.
type WallRound struct {
	Pairings  []WallPairing
	Standings []WallStanding
}

// A WallPairing is who meets whom, by their places among the entrants; whoever moves
// first in the first game is the first.
type WallPairing struct {
	A, B   int    // B is -1 in a bye, and where A misses the round
	Missed bool   // rather than a bye
	Result string // as far as there is one: "412:377"
	Worth  string // the same for the cross table, to A: "1", "½", "0" or ""
	Over   bool
}

// A WallStanding is where somebody stands.
type WallStanding struct {
	Entrant          int
	Place            int
	Points, Spread   string
	Won, Drawn, Lost int
	Out              bool
}

// A WallBoard is a table where two play.
type WallBoard struct {
	Title  string // its number: "3", or "3.1" for the first board of a match of teams
	Names  [2]string
	Scores [2]int
	Record [2]string // how each stands in the tournament: "2–1 +84"
	ToMove int       // -1: neither
	Last   text.Text // the last play
	Unseen string    // the tiles that nobody who watches can see
	Count  int       // of those
	Link   string    // the game's page, "" where there is none
	Number int       // of the game's events, so that a picture is known to be another
	On     bool      // there is a board to show
	Over   bool
}

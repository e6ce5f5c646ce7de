package bot

import (
	"context"
	"time"
)

// Leagues are the pages of leagues in the browser, at addresses that nobody guesses. Safe for
// concurrent use.
type Leagues interface {
	// League is the league that a key names. The error is ErrNoTable where there is none.
	League(ctx context.Context, key string) (League, error)
}

// A League is a league as everybody may see it: its season that is on, or was the last.
type League struct {
	Name      string
	Phase     string    // entering, playing or over
	Season    int       // that is on, or for which people register
	Until     time.Time // registration closes, or the season ends
	Entered   []string  // who has registered
	Shown     int       // the season whose divisions there are, 0 before the first
	Divisions []LeagueDivision
}

// A LeagueDivision is those who play each other in a season.
type LeagueDivision struct {
	Players   []string
	Standings []LeagueStanding
	Games     []LeagueGame
}

// A LeagueStanding is where somebody stands.
type LeagueStanding struct {
	WallStanding
	Left        int    // games still to be played
	Best, Worst int    // places that are possible still; 0 when that is settled
	Move        string // up or down, when the season is over
}

// A LeagueGame is a game of a division, by the places of its two among the players;
// whoever moves first is the first.
type LeagueGame struct {
	A, B   int
	Result string // "412:377", "" while there is none
	Worth  string // of it to A, for the cross table: "1", "½", "0" or ""
	Void   bool   // it counts for nothing
	On     bool   // it is being played
	Link   string // its page, "" where there is none
}

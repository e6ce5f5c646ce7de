package bot

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot/text"
)

// Standings are what finished games say of players, for pages that everybody may see. Who
// left the leaderboards isn't there. Its methods are safe for concurrent use.
type Standings interface {
	// Standings are the players of a home by rating, the best first; pool says which rating.
	Standings(ctx context.Context, home string) (pool text.Text, all []Standing, err error)
	// Profile is what somebody did. ok is false where there is nothing that others may see.
	Profile(ctx context.Context, who PlayerID) (p Profile, ok bool, err error)
}

// A Standing is a line of a leaderboard.
type Standing struct {
	ID         PlayerID
	Name       string // as of their last game
	Rating     int
	Sure       bool // after enough games
	Games, Won int
}

// A Profile is what somebody did in all their games that count.
type Profile struct {
	Games, Won, Tied, Bingos, High int
	Average                        float64 // points a game
	Ratings                        []ProfileRating
	Badges                         []text.Text
	Rivals                         []Rival        // the most played first
	Results                        []PlayerResult // the latest first
	Best                           []TopPlay      // of those games
}

// A ProfileRating is a rating in one pool, and how it came.
type ProfileRating struct {
	Pool  text.Text
	Value int
	Error int // it is within this, nearly always
	Games int
	Over  []RatingAt // the oldest first, as far as it was kept
}

// A RatingAt is a rating after a game.
type RatingAt struct {
	At    time.Time
	Value int
}

// A Rival is somebody whom a player met. The name of those who aren't to be seen is "".
type Rival struct {
	ID              PlayerID
	Name            string
	Won, Lost, Tied int
}

// A PlayerResult is a game of a player's. To is their rating after it, 0 where it went into
// none.
type PlayerResult struct {
	Table    TableID
	Channel  ChannelID
	Ended    time.Time
	Score    int
	Place    int
	From, To int
	Others   []Opponent
}

// An Opponent is one of the others in a game. The name of those who are not to be seen is "".
type Opponent struct {
	ID    PlayerID
	Name  string
	Score int
}

// A TopPlay is a play that scored well.
type TopPlay struct {
	Word    string
	Score   int
	Table   TableID
	Channel ChannelID
}

package analysis

import (
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/view"
)

// A Question is a position, and what to answer about it.
type Question struct {
	List string `json:"list"` // word list; "" means the usual one
	CGP  string `json:"cgp"`  // first position; "" means an empty board
	// Steps lead on from there: "8H HORN", "exchange QV", "pass", or "rack AEINST?", which
	// sets the rack of the side to move.
	Steps []string `json:"steps"`
	// Try requests only the score of a play, given as for /play.
	Try *view.Attempt `json:"try,omitempty"`
	// Judge requests the best moves, which takes a moment, instead of all plays.
	Judge bool `json:"judge"`
}

// An Analysis is the answer about a position.
type Analysis struct {
	Sight bot.Sight `json:"sight"` // its first player is the side to move, with the rack
	CGP   string    `json:"cgp"`
	List  string    `json:"list"`
	// Last describes the latest step.
	Last  string       `json:"last,omitempty"`
	Draft *bot.Draft   `json:"draft,omitempty"`
	Over  bool         `json:"over,omitempty"`  // whether a player has gone out
	Count int          `json:"count"`           // number of legal plays
	Plays []view.Worth `json:"plays,omitempty"` // the highest-scoring plays
	Best  []view.Worth `json:"best,omitempty"`
	// Ending is the best continuation with an empty bag. It is Proven if neither side can
	// do better. Value is the gain of the side to move.
	Ending []view.Worth `json:"ending,omitempty"`
	Proven bool         `json:"proven,omitempty"`
	Value  int          `json:"value,omitempty"`
}

// A Position is a position of a recorded game, before a move.
type Position struct {
	CGP    string `json:"cgp"`
	Player string `json:"player"`
	Move   string `json:"move"`
	Score  int    `json:"score"`
}

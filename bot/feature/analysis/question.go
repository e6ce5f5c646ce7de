package analysis

import "github.com/rackmate/rackmate/bot"

// A Question is a position, and what to say of it.
type Question struct {
	List string `json:"list"` // the word list, "" for the usual one
	CGP  string `json:"cgp"`  // where it begins, "" for an empty board
	// Steps lead from there: "8H HORN", "exchange QV", "pass", or "rack AEINST?", which gives
	// the side to move that rack.
	Steps []string `json:"steps"`
	// Try asks what a play would score, as /play takes it, and nothing else.
	Try *bot.Attempt `json:"try,omitempty"`
	// Judge asks for the best moves, which takes a moment, and not for all plays.
	Judge bool `json:"judge"`
}

// An Analysis is what there is to say of a position.
type Analysis struct {
	Sight bot.Sight `json:"sight"` // the side to move is its first player, and has its rack
	CGP   string    `json:"cgp"`
	List  string    `json:"list"`
	// Last is the latest of the steps in words.
	Last  string      `json:"last,omitempty"`
	Draft *bot.Draft  `json:"draft,omitempty"`
	Over  bool        `json:"over,omitempty"`  // somebody has gone out
	Count int         `json:"count"`           // of legal plays
	Plays []bot.Worth `json:"plays,omitempty"` // those that score most
	Best  []bot.Worth `json:"best,omitempty"`
	// Ending is how the game ends if both play as well as can be, with an empty bag; it is
	// Proven where neither can do better. Value is what the side to move gains by it.
	Ending []bot.Worth `json:"ending,omitempty"`
	Proven bool        `json:"proven,omitempty"`
	Value  int         `json:"value,omitempty"`
}

// A Position is one of a written game, before a move.
type Position struct {
	CGP    string `json:"cgp"`
	Player string `json:"player"`
	Move   string `json:"move"`
	Score  int    `json:"score"`
}

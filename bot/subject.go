package bot

import (
	"context"
	"github.com/rackmate/rackmate/bot/text"
)

// TablePages are the pages of games in the browser. Each table has one, at an address
// that nobody guesses: whoever sits there plays on it, and others watch. Its
// methods are safe for concurrent use.
type TablePages interface {
	// Page returns the table whose page a key names. The error is ErrNoTable if there
	// is none.
	Page(ctx context.Context, key string) (Subject, error)
	// Key names the page of a table, as Page takes it.
	Key(ctx context.Context, t TableID) (string, error)
	// Picture is what sites show beside a link to the page, for a light or a dark screen.
	Picture(ctx context.Context, t TableID, dark bool) (*Picture, error)
	// Watch calls fn with each channel whose table has changed, until ctx is
	// done. It is a hint: "" says to look everywhere.
	Watch(ctx context.Context, fn func(ChannelID)) error
}

// A Subject is the table that a page shows.
type Subject struct {
	Channel ChannelID
	Table   TableID
	Over    bool
	// Draws is the SHA-256 of the secret that the draws come from.
	Draws string
}

// A PageError says why a page can't do something, in a sentence for whoever looks
// at it.
type PageError struct{ Text text.Text }

func (e *PageError) Error() string { return e.Text.String() }

// A Review is a finished game's moves that are judged, out of how many.
type Review struct {
	Turns []Judged `json:"turns"`
	Moves int      `json:"moves"`
	// Accuracy is how well each seat played, in percent, once all moves are judged.
	Accuracy []int `json:"accuracy,omitempty"`
}

// An Attempt is a play that somebody would make at a turn, as /play takes it.
type Attempt struct {
	Turn  int    `json:"turn"` // as Turn.Number counts
	Word  string `json:"word"`
	At    string `json:"at"`
	Judge bool   `json:"judge"` // rather than only what it scores
}

// A Tried is what an attempt would have been.
type Tried struct {
	Draft
	Judged *Judged `json:"judged,omitempty"` // where it is valid, and was to be judged
}

// A Judged is a move of a finished game, and what would have been better.
type Judged struct {
	Turn int      `json:"turn"` // as Turn.Number counts
	Seat int      `json:"seat"`
	Rack []string `json:"rack"`
	Loss float64  `json:"loss"`           // points that it gave up
	Sure string   `json:"sure,omitempty"` // how to take that: "at least"
	// Chance is what it gave up of the chance to win, with its error, if that is a mistake: "4 ± 1%".
	Chance string  `json:"chance,omitempty"`
	Made   Worth   `json:"made"`
	Best   []Worth `json:"best"`
	Remark string  `json:"remark,omitempty"` // that the play was none of words
}

// A Worth is a move and what it is worth; one that lays no tiles has no squares.
type Worth struct {
	Text    string   `json:"text"` // "QUARTZ 8D"
	Points  int      `json:"points"`
	Equity  float64  `json:"equity"`           // with the tiles that are kept
	Reason  string   `json:"reason,omitempty"` // why it is worth that, where a position is analysed,
	Step    string   `json:"step,omitempty"`   // and the move as one of the steps of a Question
	Chance  string   `json:"chance,omitempty"` // to win, with its error, where that was looked for: "62 ± 1%"
	Squares []int    `json:"squares,omitempty"`
	Tiles   []string `json:"tiles,omitempty"`
}

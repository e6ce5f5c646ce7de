package bot

import (
	"context"
	"github.com/rackmate/rackmate/bot/text"
)

// TablePages serves the pages of games in the browser. Each table has one at an unguessable
// address: its players play on it, and others watch. Its methods are safe for concurrent use.
type TablePages interface {
	// Page returns the table whose page a key identifies. It returns ErrNoTable if there is none.
	Page(ctx context.Context, key string) (Subject, error)
	// Key returns the key of a table's page for Page.
	Key(ctx context.Context, t TableID) (string, error)
	// Picture returns the preview that sites show beside a link to the page, for a light or a dark
	// screen.
	Picture(ctx context.Context, t TableID, dark bool) (*Picture, error)
	// Watch calls fn with each channel whose table has changed, until ctx is done. This is only a
	// hint: "" means to look everywhere.
	Watch(ctx context.Context, fn func(ChannelID)) error
}

// A Subject is the table that a page shows.
type Subject struct {
	Channel ChannelID
	Table   TableID
	Over    bool
	// Draws is the SHA-256 of the secret that determines the draws.
	Draws string
}

// A PageError says why a page can't do something, in a sentence for the visitor.
type PageError struct{ Text text.Text }

func (e *PageError) Error() string { return e.Text.String() }

// A Review has the judged moves of a finished game, and the number of all moves.
type Review struct {
	Turns []Judged `json:"turns"`
	Moves int      `json:"moves"`
	// Accuracy is each seat's accuracy in percent, once all moves are judged.
	Accuracy []int `json:"accuracy,omitempty"`
}

// An Attempt is another play at a turn, as /play takes it.
type Attempt struct {
	Turn  int    `json:"turn"` // as in Turn.Number
	Word  string `json:"word"`
	At    string `json:"at"`
	Judge bool   `json:"judge"` // whether to judge it, not only score it
}

// A Tried is the outcome of an attempt.
type Tried struct {
	Draft
	Judged *Judged `json:"judged,omitempty"` // if it is valid and was to be judged
}

// A Judged is a move of a finished game, with the moves that would have been better.
type Judged struct {
	Turn int      `json:"turn"` // as in Turn.Number
	Seat int      `json:"seat"`
	Rack []string `json:"rack"`
	Loss float64  `json:"loss"`           // points that it gave up
	Sure string   `json:"sure,omitempty"` // qualifies Loss: "at least"
	// Chance is how much of the chance to win a mistake gave up, with its error: "4 ± 1%".
	Chance string  `json:"chance,omitempty"`
	Made   Worth   `json:"made"`
	Best   []Worth `json:"best"`
	Remark string  `json:"remark,omitempty"` // says that the play formed invalid words
}

// A Worth is a move and its value. A move that lays no tiles has no squares.
type Worth struct {
	Text    string   `json:"text"` // "QUARTZ 8D"
	Points  int      `json:"points"`
	Equity  float64  `json:"equity"`           // including the tiles kept
	Reason  string   `json:"reason,omitempty"` // reason for the value, in an analysed position
	Step    string   `json:"step,omitempty"`   // the move as a step of a Question
	Chance  string   `json:"chance,omitempty"` // chance to win with its error, if computed: "62 ± 1%"
	Squares []int    `json:"squares,omitempty"`
	Tiles   []string `json:"tiles,omitempty"`
}

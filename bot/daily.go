package bot

import (
	"context"

	"github.com/rackmate/rackmate/bot/text"
)

// Dailies are the pages of daily boards in the browser. A page is that of a board, which
// all places share, or of a place's day, at an address that nobody guesses. While the day
// is open it has nothing that tells the best play. Their methods are safe for concurrent
// use.
type Dailies interface {
	// DailyToday names the page of the board that whoever asks can play now.
	DailyToday(ctx context.Context, req Request) (key string, err error)
	// DailyPlace is the place whose day a key names, "" for the board of all places. The
	// error is ErrNoTable where the key names nothing.
	DailyPlace(ctx context.Context, key string) (ChannelID, error)
	// Daily is a page as whoever asks sees it, who may be nobody. The error is ErrNoTable
	// where the board isn't open yet, or there is none.
	Daily(ctx context.Context, key string, req Request) (Daily, error)
	// DailyDraft is what a play would score. It says nothing of whether words are valid.
	DailyDraft(ctx context.Context, key string, req Request) (Draft, error)
	// EnterDaily takes the pass out of a link that one person was given, and says who
	// they are and where they asked for it. It takes each pass once. The error is a
	// *PageError where the pass doesn't serve.
	EnterDaily(ctx context.Context, key, pass string) (User, ChannelID, error)
	// DailyPicture is what sites show beside a link to the page: the board, without its
	// best play.
	DailyPicture(ctx context.Context, key string, to *text.Tongue) (*Picture, error)
	// DailyProof is what proves a board that is over. The error is ErrNoTable while it
	// is open.
	DailyProof(ctx context.Context, key string) (File, error)
}

// A Daily is the page of a board as one person sees it, in their language.
type Daily struct {
	Sight  Sight       `json:"sight"`
	Number int         `json:"number"` // of the board
	Title  string      `json:"title"`
	Date   string      `json:"date"` // 2026-11-25
	Over   bool        `json:"over"`
	State  text.Text   `json:"-"` // how it stands for whoever asks
	Tries  []DailyTry  `json:"tries,omitempty"`
	Streak string      `json:"streak,omitempty"`
	Share  string      `json:"share,omitempty"` // what they can show others
	Facts  []text.Text `json:"-"`               // once it is over: how it went
	// Plays are the best there were, and Results who played, once it is over.
	Plays   []BestPlay    `json:"plays,omitempty"`
	Results []DailyResult `json:"results,omitempty"`
	// Before and After are the keys of the days around it, "" where there is none.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	Digest string `json:"digest,omitempty"` // of the next board
	Proof  bool   `json:"proof,omitempty"`  // there is what proves it
	Left   int    `json:"left"`             // how many tries whoever asks has
}

// A DailyTry is a play that somebody has tried on a daily board.
type DailyTry struct {
	Level int    `json:"level"` // of its band: 0 is the best play
	Band  string `json:"band"`  // in words
	Play  string `json:"play"`
	Score int    `json:"score"`
}

// A BestPlay is one of the best plays of a daily board.
type BestPlay struct {
	Play    string   `json:"play"` // "8H HORN"
	Score   int      `json:"score"`
	Squares []int    `json:"squares"` // that it lays tiles on
	Tiles   []string `json:"tiles"`
}

// A DailyResult is how somebody did on a place's day.
type DailyResult struct {
	Place   int        `json:"place"`
	Name    string     `json:"name"`
	Score   int        `json:"score"`
	Percent int        `json:"percent"` // of the best play's
	Own     bool       `json:"own,omitempty"`
	Tries   []DailyTry `json:"tries"`
}

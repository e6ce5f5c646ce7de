package view

import (
	"cmp"
	"math"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
)

// A Review has the judged moves of a finished game, and the number of all moves.
type Review struct {
	Turns []Judgement `json:"turns"`
	Moves int         `json:"moves"`
	// Accuracy is each seat's accuracy in percent, once all moves are judged.
	Accuracy []int `json:"accuracy,omitempty"`
}

// An Attempt is another play at a turn, as /play takes it.
type Attempt struct {
	Turn  int    `json:"turn"` // as in bot.Turn.Number
	Word  string `json:"word"`
	At    string `json:"at"`
	Judge bool   `json:"judge"` // whether to judge it, not only score it
}

// An Outcome is the outcome of an attempt.
type Outcome struct {
	bot.Draft
	Judged *Judgement `json:"judged,omitempty"` // if the play is valid and was to be judged
}

// A Judgement is a move of a finished game, with the moves that would have been better.
type Judgement struct {
	Turn int      `json:"turn"` // as in bot.Turn.Number
	Seat int      `json:"seat"`
	Rack []string `json:"rack"`
	Loss float64  `json:"loss"`           // points that it gave up
	Sure string   `json:"sure,omitempty"` // qualifies Loss: "at least"
	// Chance is the chance to win that a mistake gave up, with its error: "4 ± 1%".
	Chance string `json:"chance,omitempty"`
	// Given is the same chance, from 0 to 1, known in endings too.
	Given  float64 `json:"given,omitempty"`
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
	Step    string   `json:"step,omitempty"`   // the move as a step of an analysis
	Chance  string   `json:"chance,omitempty"` // chance to win with its error, if computed: "62 ± 1%"
	Win     *float64 `json:"win,omitempty"`    // chance to win after it, from 0 to 1, if known
	Squares []int    `json:"squares,omitempty"`
	Tiles   []string `json:"tiles,omitempty"`
}

// WorthOf returns a move that a player may choose in a position, with its value, worded in a
// language and with the squares of a board.
func WorthOf(v robot.View, c robot.Choice, to *text.Locale) Worth {
	w := Worth{Text: DescribeMove(v, c.Move).In(to).String(), Points: c.Points}
	if !math.IsNaN(c.Equity) && !math.IsInf(c.Equity, 0) {
		w.Equity = Tenths(c.Equity)
	}
	if c.Chance.Known {
		w.Chance = Chance(c.Chance).In(to).String()
	}
	w.Win = winAfter(v, c)
	if c.Move.Kind == game.PlayTiles {
		w.Squares = SquareNumbers(v.Equipment.Layout.Size(), c.Move.LaidSquares())
		w.Tiles = TileTexts(v.Equipment.Tiles, NewTiles(c.Move))
	}
	return w
}

// winAfter returns the chance to win after a move. With an empty bag, when all racks
// are known, the points that the move gains until the end decide. It returns nil if the
// chance is unknown.
func winAfter(v robot.View, c robot.Choice) *float64 {
	if c.Chance.Known {
		return &c.Chance.Win
	}
	if v.Bag > 0 || len(v.Seats) != 2 || math.IsNaN(c.Equity) {
		return nil
	}
	margin := float64(v.Seats[v.Me].Score-v.Seats[1-v.Me].Score) + c.Equity
	win := float64(cmp.Compare(margin, 0)+1) / 2
	return &win
}

// DescribeMove describes a move in a position briefly: "QUARTZ 8D", "exchange QVV".
func DescribeMove(v robot.View, m game.Move) text.Text {
	set := v.Equipment.Tiles
	switch m.Kind {
	case game.PassTurn:
		return text.Item("pass")
	case game.ExchangeTiles:
		return text.Item("exchange {tiles}", set.Print(m.Tiles))
	}
	word := m.Tiles
	if tally, err := v.Rules.Tally(v.Equipment, &v.Board, m); err == nil {
		word = tally.Words[0].Tiles
	}
	return text.Plain(set.Print(word) + " " + m.At.At(m.Dir))
}

// Chance formats a chance to win, with its error: "4 ± 1%".
func Chance(c robot.Chance) text.Text {
	return text.Item("{n} ± {error}%", formatPercent(c.Win), formatPercent(c.Error))
}

// formatPercent formats a share in percent, with a tenth if it is below 1.
func formatPercent(share float64) text.Text {
	if p := 100 * share; p < 1 {
		return Points(p)
	}
	return text.Glue(int(math.Round(100 * share)))
}

// Points formats points with a decimal only if needed: "3", "3.5".
func Points(p float64) text.Text {
	if p = Tenths(p); p == math.Trunc(p) {
		return text.Glue(int(p))
	}
	return text.Glue(text.Tenths(p))
}

// Tenths rounds points to a tenth.
func Tenths(points float64) float64 { return math.Round(10*points) / 10 }

package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Moves lists a game's moves, a line each: "3. Ann  8H HORN  14  41". Its columns are as
// wide as the players' names in a language.
func Moves(t table.Table, to *text.Locale) []text.Text {
	if history := t.Variant.History; history != nil {
		return history(t)
	}
	wide := 0
	for _, seat := range t.Seats {
		wide = max(wide, width(seat.Person, to))
	}
	var lines []text.Text
	n := 0
	_, turns := turnsOf(t)
	for _, turn := range turns {
		n = max(n, turn.Number)
		if turn.Number == 0 && turn.Score == 0 {
			lines = append(lines, text.Glue("     ", text.Join(slices.DeleteFunc([]text.Text{turn.name(), turn.does}, func(t text.Text) bool { return t == nil }), " ")))
			continue
		}
		pad := strings.Repeat(" ", max(0, wide-width(turn.who, to)))
		lines = append(lines, text.Glue(fmt.Sprintf("%3d. ", n), turn.name(), pad, "  ", turn.does, fmt.Sprintf(" %+d = %d", turn.Score, turn.Total)))
	}
	return lines
}

// MovesTable returns the list of moves as a table, with a row for each line of [Moves].
func MovesTable(t table.Table) *text.Table {
	if history := t.Variant.History; history != nil {
		all := &text.Table{Columns: []text.Column{{Head: text.Item("Moves")}}}
		for _, line := range history(t) {
			all.Rows = append(all.Rows, []text.Text{line})
		}
		return all
	}
	all := &text.Table{Columns: []text.Column{{Head: text.Plain("#"), Right: true}, {Head: text.Item("Player")}, {Head: text.Item("Move")}, {Head: text.Item("Points"), Right: true}, {Head: text.Item("Total"), Right: true}}}
	n := 0
	_, turns := turnsOf(t)
	for _, turn := range turns {
		n = max(n, turn.Number)
		row := []text.Text{nil, turn.name(), turn.does, nil, nil}
		if turn.Number != 0 || turn.Score != 0 {
			row[0], row[3], row[4] = text.Plain(strconv.Itoa(n)), text.Plain(fmt.Sprintf("%+d", turn.Score)), text.Plain(strconv.Itoa(turn.Total))
		}
		all.Rows = append(all.Rows, row)
	}
	return all
}

// width returns the width of a player's name in a language, in characters.
func width(p game.Person, to *text.Locale) int {
	return utf8.RuneCountInString(text.PlainNameIn(to, p))
}

// MovesFile returns the list of moves as a file, with columns as wide as a language needs.
func MovesFile(t table.Table, to *text.Locale) bot.File {
	return bot.File{
		Name: fmt.Sprintf("rackmate-%d-moves.txt", t.ID), Type: "text/plain; charset=utf-8",
		Text: text.Glue(text.Lines(Moves(t, to)...), "\n"),
	}
}

// A turn is a line of the list of moves whose Player and Text haven't been translated yet.
type turn struct {
	bot.Turn
	who  game.Person // the zero Person if no player acts
	does text.Text
}

// name returns the name of the player whose turn it is, or nil if there is none.
func (t turn) name() text.Text {
	if t.who == (game.Person{}) {
		return nil
	}
	return text.Text{text.PlainName(t.who)}
}

// translate returns the turn in a language.
func (t turn) translate(to *text.Locale) bot.Turn {
	t.Player, t.Text = t.name().In(to).String(), t.does.In(to).String()
	return t.Turn
}

// turnsOf lists a game's turns with the squares that each changed. began is the board at
// the start, square by square, or nil if it was empty.
func turnsOf(t table.Table) (began []string, all []turn) {
	var s game.State
	size, n := t.Equipment.Layout.Size(), 0
	for _, e := range t.Events {
		before := s
		s = s.Apply(e)
		lines := tellTurn(t.Variant, before, e.Fact)
		changes := changedSquares(t.Equipment, &before.Board, &s.Board)
		switch {
		case len(lines) == 0 && len(changes) > 0 && len(all) == 0:
			began = make([]string, size*size)
			for _, c := range changes {
				began[c.Square] = c.Tile
			}
			continue
		case len(lines) == 0 && len(changes) > 0:
			lines = []turn{{Turn: bot.Turn{Number: 1}, does: words.CaptionOf(t.Variant, before, e.Fact)}}
		case len(lines) == 0:
			continue
		}
		if lines[0].Number > 0 {
			n++
			lines[0].Number = n
		}
		lines[0].Changes = changes
		all = append(all, lines...)
	}
	return began, all
}

// changedSquares lists the squares where two boards differ.
func changedSquares(eq game.Equipment, before, after *game.Board) []bot.Change {
	var all []bot.Change
	for row := range eq.Layout.Size() {
		for col := range eq.Layout.Size() {
			sq := game.Square{Row: row, Col: col}
			if tile := after.Tile(sq); tile != before.Tile(sq) {
				all = append(all, bot.Change{Square: row*eq.Layout.Size() + col, Tile: tileText(eq.Tiles, tile)})
			}
		}
	}
	return all
}

// tellTurn returns the lines of the list of moves for a fact. Their Number is 1 if the fact
// is a turn, and else 0.
func tellTurn(v table.Variant, before game.State, f game.Fact) []turn {
	set := before.Equipment.Tiles
	scores := func(number, seat int, does text.Text, score int) []turn {
		return []turn{{bot.Turn{Number: number, Score: score, Total: before.Seats[seat].Score + score}, before.Seats[seat].Person, does}}
	}
	if line, ok := v.Describe(before, f); ok {
		if line.Move == nil {
			return nil
		}
		return scores(1, line.Seat, line.Move, line.Score)
	}
	remark := func(seat int, does text.Text) []turn {
		return []turn{{who: before.Seats[seat].Person, does: does}}
	}
	switch f := f.(type) {
	case game.Played:
		return scores(1, f.Seat, text.Plain(f.Move.At.At(f.Move.Dir)+" "+set.Print(f.Words[0].Tiles)), f.Score)
	case game.Exchanged:
		return scores(1, f.Seat, text.Item("exchanges {n, plural, one {# tile} other {# tiles}}", len(f.Put)), 0)
	case game.Passed:
		return scores(1, f.Seat, text.Item("passes"), 0)
	case game.TurnLost:
		return scores(1, f.Seat, text.Item("loses the turn"), 0)
	case game.Challenged:
		var lines []turn
		switch {
		case len(f.Invalid) > 0:
			lines = scores(0, f.Player, text.Item("challenged off"), -before.Latest.Score)
		case f.Bonus > 0:
			lines = scores(0, f.Player, text.Item("wrongly challenged"), f.Bonus)
		}
		if f.LosesGame {
			out := f.By
			if len(f.Invalid) > 0 {
				out = f.Player
			}
			lines = append(lines, remark(out, text.Item("is out of the game"))...)
		}
		return lines
	case game.Resigned:
		return remark(f.Seat, text.Item("resigns"))
	case game.Vacated:
		return []turn{{does: text.Say("{who}'s seat is free", text.PlainName(before.Seats[f.Seat].Person))}}
	case game.Adopted:
		return []turn{{who: f.Person, does: text.Item("plays on for {who}", text.PlainName(before.Seats[f.Seat].Person))}}
	case game.Ended:
		var lines []turn
		for i, points := range f.Adjust {
			if points != 0 {
				lines = append(lines, scores(0, i, text.Item("tiles left"), points)...)
			}
		}
		return lines
	}
	return nil
}

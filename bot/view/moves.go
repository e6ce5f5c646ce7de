package view

import (
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Moves lists a game's moves, a line each: "3. Ann  8H HORN  14  41".
func Moves(t table.Table) []string {
	if history := t.Variant.History; history != nil {
		return history(t)
	}
	wide := 0
	for _, seat := range t.Seats {
		wide = max(wide, len([]rune(seat.Person.Name)))
	}
	var lines []string
	n := 0
	_, turns := turnsOf(t)
	for _, turn := range turns {
		n = max(n, turn.Number)
		if turn.Number == 0 && turn.Score == 0 {
			lines = append(lines, "     "+strings.TrimSpace(turn.Player+" "+turn.Text))
			continue
		}
		pad := strings.Repeat(" ", max(0, wide-len([]rune(turn.Player))))
		lines = append(lines, fmt.Sprintf("%3d. %s%s  %s %+d = %d", n, turn.Player, pad, turn.Text, turn.Score, turn.Total))
	}
	return lines
}

// turnsOf lists a game's turns, with what each did to the board.
func turnsOf(t table.Table) (began []string, all []bot.Turn) {
	var s game.State
	size, n := t.Equipment.Layout.Size(), 0
	all = []bot.Turn{}
	for _, e := range t.Events {
		before := s
		s = s.Apply(e)
		lines := tellTurn(t.Variant, before, e.Fact)
		changes := changed(t.Equipment, &before.Board, &s.Board)
		switch {
		case len(lines) == 0 && len(changes) > 0 && len(all) == 0:
			began = make([]string, size*size)
			for _, c := range changes {
				began[c.Square] = c.Tile
			}
			continue
		case len(lines) == 0 && len(changes) > 0:
			lines = []bot.Turn{{Number: 1, Text: words.CaptionOf(t.Variant, before, e.Fact).String()}}
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

// changed is where two boards differ.
func changed(eq game.Equipment, before, after *game.Board) []bot.Change {
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

// tellTurn is a fact as lines of the list of moves; the Number of what is a turn
// is 1.
func tellTurn(v table.Variant, before game.State, f game.Fact) []bot.Turn {
	set := before.Equipment.Tiles
	turn := func(number, seat int, text string, score int) []bot.Turn {
		return []bot.Turn{{Number: number, Player: before.Seats[seat].Person.Name, Text: text, Score: score, Total: before.Seats[seat].Score + score}}
	}
	if line, ok := v.Told(before, f); ok {
		if line.Move == "" {
			return nil
		}
		return turn(1, line.Seat, line.Move, line.Score)
	}
	remark := func(seat int, text string) []bot.Turn {
		return []bot.Turn{{Player: before.Seats[seat].Person.Name, Text: text}}
	}
	switch f := f.(type) {
	case game.Played:
		return turn(1, f.Seat, f.Move.At.At(f.Move.Dir)+" "+set.Print(f.Words[0].Tiles), f.Score)
	case game.Exchanged:
		return turn(1, f.Seat, "exchanges "+words.Count(len(f.Put), "tile"), 0)
	case game.Passed:
		return turn(1, f.Seat, "passes", 0)
	case game.TurnLost:
		return turn(1, f.Seat, "loses the turn", 0)
	case game.Challenged:
		var lines []bot.Turn
		switch {
		case len(f.Invalid) > 0:
			lines = turn(0, f.Player, "challenged off", -before.Latest.Score)
		case f.Bonus > 0:
			lines = turn(0, f.Player, "wrongly challenged", f.Bonus)
		}
		if f.LosesGame {
			out := f.By
			if len(f.Invalid) > 0 {
				out = f.Player
			}
			lines = append(lines, remark(out, "is out of the game")...)
		}
		return lines
	case game.Resigned:
		return remark(f.Seat, "resigns")
	case game.Vacated:
		return []bot.Turn{{Text: before.Seats[f.Seat].Person.Name + "'s seat is free"}}
	case game.Adopted:
		return []bot.Turn{{Player: f.Person.Name, Text: "plays on for " + before.Seats[f.Seat].Person.Name}}
	case game.Ended:
		var lines []bot.Turn
		for i, points := range f.Adjust {
			if points != 0 {
				lines = append(lines, turn(0, i, "tiles left", points)...)
			}
		}
		return lines
	}
	return nil
}

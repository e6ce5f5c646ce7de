package view

import (
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Scene returns the public view of a table, worded in a language. If plain is set, it
// includes the board in characters.
func Scene(t table.Table, to *text.Locale, plain bool) bot.Scene {
	v := View(t, to)
	size, set := v.Equipment.Layout.Size(), v.Equipment.Tiles
	s := bot.Scene{
		Table: t.ID, Number: t.Number, Variant: t.Rules.Variant, Size: size, Squares: strings.ReplaceAll(v.Equipment.Layout.Text, "\n", ""),
		Phase: map[game.Phase]string{game.Lobby: "lobby", game.Voting: "voting", game.Playing: "playing", game.Closing: "closing", game.Over: "over"}[t.Phase],
		Board: boardSquares(v.Equipment, v.Board), Fresh: SquareNumbers(size, v.New), Gone: SquareNumbers(size, v.Gone),
		Players: players(t, to), Seats: t.SeatCount, Supply: words.BagWords(t).In(to).String(), Caption: words.Caption(t).In(to).String(), Words: t.Rules.Challenge == game.Void,
	}
	for _, k := range set.Kinds() {
		s.Tiles = append(s.Tiles, bot.Letter{Text: k.Text, Value: k.Value})
	}
	if plain {
		s.Text = v.Text()
	}
	if !v.Printed.Empty() {
		s.Printed = boardSquares(v.Equipment, v.Printed)
	}
	if s.Moved = t.Began; t.Phase == game.Over {
		s.Moved = t.Ended
	}
	if at, ok := t.Deadline(); ok {
		s.Until = at.UnixMilli()
	} else if !t.Until.IsZero() && t.Phase != game.Over {
		s.Until = t.Until.UnixMilli()
	}
	if t.Phase == game.Over && t.End != nil {
		s.Ending = ending(t, to)
	}
	began, turns := turnsOf(t)
	s.Began, s.Turns = began, []bot.Turn{}
	for _, turn := range turns {
		s.Turns = append(s.Turns, turn.translate(to))
	}
	return s
}

// ending returns the summary of a finished game, as on its final card.
func ending(t table.Table, to *text.Locale) *bot.Ending {
	card := FinalCard(t, to)
	e := &bot.Ending{Result: card.Caption, By: margin(t.State)}
	for i, seat := range standings(t)[:len(card.Players)] {
		f := card.Players[i]
		e.Players = append(e.Players, bot.Finalist{
			Seat: seat, Name: text.PlainNameIn(to, t.Seats[seat].Person), Score: f.Score, Won: slices.Contains(t.End.Winners, seat), Best: f.Best,
			Play: TileTexts(t.Equipment.Tiles, f.Play), Points: f.Points, Bingos: f.Bingos,
		})
	}
	return e
}

// margin returns the winner's lead over the second, in points. It returns 0 if there isn't
// one winner or points didn't decide the game.
func margin(s game.State) int {
	byPoints := []game.EndReason{game.WentOut, game.ScorelessEnd, game.AgreementEnd, game.PassedEnd, game.StuckEnd}
	if len(s.End.Winners) != 1 || !slices.Contains(byPoints, s.End.Reason) || slices.ContainsFunc(s.Active(), s.HasLostOnTime) {
		return 0
	}
	next := 0
	for i := range s.Seats {
		if i != s.End.Winners[0] {
			next = max(next, s.Seats[i].Score)
		}
	}
	if len(s.Seats) < 2 {
		return 0
	}
	return max(0, s.Seats[s.End.Winners[0]].Score-next)
}

// mostPlayers is the maximum number of players in a scene. If there are more, it shows the
// best.
const mostPlayers = 12

// players returns a table's players by seat, or by rank if all play at once.
func players(t table.Table, to *text.Locale) []bot.Player {
	var all []bot.Player
	for _, seat := range standings(t)[:min(len(t.Seats), mostPlayers)] {
		all = append(all, Player(t, seat, to))
	}
	return all
}

func standings(t table.Table) []int {
	if t.SharesRack() && t.IsDealt() {
		return t.Ranking()
	}
	seats := make([]int, len(t.Seats))
	for i := range seats {
		seats[i] = i
	}
	return seats
}

// Player returns the public view of the player on a seat.
func Player(t table.Table, seat int, to *text.Locale) bot.Player {
	who := t.Seats[seat].Person
	p := bot.Player{Seat: seat, ID: who.ID, Name: text.PlainNameIn(to, who), Score: t.Seats[seat].Score, Robot: who.ID.IsRobot(), ToMove: toMove(t.State, seat) && !t.SharesRack()}
	switch result := resultNote(t.State, seat); {
	case result != nil:
		p.Note = result.In(to).String()
	case t.SharesRack() && t.IsDealt() && len(t.Seats) > 1:
		p.Note = words.PlaceNote(t.State, seat).In(to).String()
	}
	return p
}

// NewTiles returns the tiles that a play puts on the board.
func NewTiles(m game.Move) (ts game.Tiles) {
	for i := range len(m.Tiles) {
		if m.Tiles.At(i) != game.NoTile {
			ts += m.Tiles[i : i+1]
		}
	}
	return ts
}

// boardSquares returns a board square by square.
func boardSquares(eq game.Equipment, b game.Board) []string {
	size := eq.Layout.Size()
	all := make([]string, size*size)
	for _, sq := range table.OccupiedSquares(&b) {
		all[sq.Row*size+sq.Col] = tileText(eq.Tiles, b.Tile(sq))
	}
	return all
}

// SquareNumbers returns squares as numbers: row by row from the top left, from 0.
func SquareNumbers(size int, squares []game.Square) []int {
	var all []int
	for _, sq := range squares {
		all = append(all, sq.Row*size+sq.Col)
	}
	return all
}

// TileTexts returns the text of each tile, as it prints.
func TileTexts(set *game.TileSet, ts game.Tiles) []string {
	all := []string{}
	for i := range len(ts) {
		all = append(all, tileText(set, ts.At(i)))
	}
	return all
}

// tileText returns a tile's text in a Scene.
func tileText(set *game.TileSet, tile game.Tile) string {
	switch {
	case tile == game.NoTile:
		return ""
	case tile != game.Blank && tile.IsBlank():
		return "?" + set.Alphabet().Text(tile.Letter())
	}
	return set.Text(tile)
}

// Draft returns the words and score of a play. invalid lists the words to mark as invalid.
func Draft(t table.Table, tally game.Tally, invalid []game.Tiles) bot.Draft {
	d := bot.Draft{Score: tally.Total}
	for _, w := range tally.Words {
		d.Words = append(d.Words, bot.DraftWord{Text: words.PlainWord(t.Equipment.Tiles, w.Tiles), Score: w.Score, Invalid: slices.Contains(invalid, w.Tiles)})
	}
	return d
}

// Position returns a scene of a position that belongs to no table.
func Position(eq game.Equipment, b game.Board) bot.Scene {
	s := bot.Scene{
		Phase: "over", Size: eq.Layout.Size(), Squares: strings.ReplaceAll(eq.Layout.Text, "\n", ""),
		Board: boardSquares(eq, b), Players: []bot.Player{}, Turns: []bot.Turn{},
	}
	for _, k := range eq.Tiles.Kinds() {
		s.Tiles = append(s.Tiles, bot.Letter{Text: k.Text, Value: k.Value})
	}
	return s
}

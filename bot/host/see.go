package host

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// Sight is the table in a channel, or the one that the request names, as
// whoever asks sees it. The error is ErrNoTable where there is none.
func (h *Host) Sight(ctx context.Context, req bot.Request) (bot.Sight, error) {
	t, err := h.table(ctx, req)
	if err != nil {
		return bot.Sight{}, err
	}
	if t.Phase == game.NoTable || t.Phase == game.Over && t.End == nil {
		return bot.Sight{}, bot.ErrNoTable
	}
	s := bot.Sight{Scene: scene(t)}
	if err := h.runClocks(ctx, t, s.Players); err != nil {
		return bot.Sight{}, err
	}
	if seat, err := t.seat(req); err == nil {
		s.Own = own(t, seat)
	}
	needless := onBoard
	if s.Own != nil {
		needless = append(needless[:len(needless):len(needless)], "join")
	}
	for _, b := range publicButtons(t) {
		if press, ok := (bot.Request{}).Press(b.ID); ok && !slices.Contains(needless, press.Command) {
			s.Buttons = append(s.Buttons, bot.SightButton(b))
		}
	}
	return s, nil
}

// onBoard are the commands that one gives by playing on a board, or that it makes
// needless.
var onBoard = []string{"rack", "try", "play", "submit", "cover", "remove", "help", "history"}

// Draft is what a play would form and score, for the player alone: /try without
// its words and picture.
func (h *Host) Draft(ctx context.Context, req bot.Request) (bot.Draft, error) {
	t, err := h.table(ctx, req)
	if err != nil {
		return bot.Draft{}, err
	}
	m, err := h.placed(t, req)
	if err == nil {
		var tally game.Tally
		if tally, err = t.Tally(m); err == nil {
			return h.drafted(t, tally)
		}
	}
	if isMistake(err) {
		return bot.Draft{Problem: explain(t, req, err).Text.String()}, nil
	}
	return bot.Draft{}, err
}

func (h *Host) drafted(t table, tally game.Tally) (bot.Draft, error) {
	var invalid []game.Tiles
	if t.Rules.Challenge == game.Void {
		dict, err := h.dictionary(t.State)
		if err != nil {
			return bot.Draft{}, err
		}
		invalid = tally.Phonies(dict)
	}
	d := bot.Draft{Score: tally.Total}
	for _, w := range tally.Words {
		d.Words = append(d.Words, bot.DraftWord{Text: plainWord(t.Equipment.Tiles, w.Tiles), Score: w.Score, Invalid: slices.Contains(invalid, w.Tiles)})
	}
	return d, nil
}

// scene is what everybody may see of a table.
func scene(t table) bot.Scene {
	v := view(t)
	size, set := v.Equipment.Layout.Size(), v.Equipment.Tiles
	s := bot.Scene{
		Table: t.ID, Number: t.Number, Variant: t.Rules.Variant, Size: size, Squares: strings.ReplaceAll(v.Equipment.Layout.Text, "\n", ""),
		Phase: map[game.Phase]string{game.Lobby: "lobby", game.Voting: "voting", game.Playing: "playing", game.Closing: "closing", game.Over: "over"}[t.Phase],
		Board: laidOut(v.Equipment, v.Board), Fresh: numbered(size, v.New), Gone: numbered(size, v.Gone),
		Players: players(t, v), Seats: t.SeatCount, Supply: bagWords(t), Caption: v.Caption, Words: t.Rules.Challenge == game.Void,
	}
	for _, k := range set.Kinds() {
		s.Tiles = append(s.Tiles, bot.Letter{Text: k.Text, Value: k.Value})
	}
	if !v.Printed.Empty() {
		s.Printed = laidOut(v.Equipment, v.Printed)
	}
	if at, ok := t.Deadline(); ok {
		s.Until = at.UnixMilli()
	} else if !t.Until.IsZero() && t.Phase != game.Over {
		s.Until = t.Until.UnixMilli()
	}
	s.Began, s.Turns = turnsOf(t)
	return s
}

// mostPlayers is how many players a scene has at most, the best first where
// there are more.
const mostPlayers = 12

func players(t table, v imaging.View) []bot.Player {
	var all []bot.Player
	for i, p := range v.Players[:min(len(v.Players), mostPlayers)] {
		one := bot.Player{Name: p.Name, Score: p.Score, ToMove: p.ToMove}
		if len(v.Players) == len(t.Seats) { // the others are a ranking
			one.Robot = bot.IsRobot(t.Seats[i].Person.ID)
			one.ID, one.Name = t.Seats[i].Person.ID, t.Seats[i].Person.Name
		}
		if !t.Ticks() {
			one.Note = p.Note
		}
		all = append(all, one)
	}
	return all
}

// runClocks says what the clocks show now.
func (h *Host) runClocks(ctx context.Context, t table, all []bot.Player) error {
	if !t.Ticks() {
		return nil
	}
	shown, err := h.postedIn(ctx, t.Channel)
	if err != nil {
		return err
	}
	since := shown.since(t)
	for i := range all {
		c := bot.Clock{Left: t.Left(i, 0).Milliseconds()}
		if i == t.Turn && !since.IsZero() {
			c.Left, c.Runs = t.Left(i, h.Now().Sub(since)).Milliseconds(), true
		}
		all[i].Clock = &c
	}
	return nil
}

// own is what a player sees of their own.
func own(t table, seat int) *bot.Own {
	v := t.Variant
	o := &bot.Own{
		Seat: seat, Rack: tileTexts(t.Equipment.Tiles, t.RackOf(seat)), Lays: cmp.Or(v.lays, "play"), Draws: t.Parted,
		Turn: t.Phase == game.Playing && (t.Turn == seat || v.lay != nil), Pass: t.Phase == game.Playing && (t.Turn == seat || v.lay != nil),
	}
	if m := exchangeMenus(t, seat); len(m) > 0 {
		o.Exchange = m[0].Most
	}
	if !t.Printed.Empty() {
		o.Covers = ways(t, seat)
	}
	if sub := t.Submission(seat); sub.In() {
		o.Submitted = &bot.Submitted{Squares: numbered(t.Equipment.Layout.Size(), sub.Move.Laid()), Letters: tileTexts(t.Equipment.Tiles, newTiles(sub.Move)), Score: sub.Score}
	}
	return o
}

// ways are how a player can cover printed letters: each word's next two, or one.
func ways(t table, seat int) []bot.Way {
	set, all := t.Equipment.Tiles, []bot.Way{}
	add := func(m game.Move) {
		if tally, err := t.Tally(m); err == nil {
			all = append(all, bot.Way{Word: plainWord(set, tally.Words[0].Tiles), Squares: numbered(t.Equipment.Layout.Size(), m.Laid()), Letters: tileTexts(set, newTiles(m)), Score: tally.Total})
		}
	}
	rack := t.Seats[seat].Rack
	for _, spot := range t.Coverable(rack) {
		add(spot.Move)
		sp, err := game.ParseSpelling(set, plainWord(set, spot.Tally.Words[0].Tiles))
		if err != nil || len(spot.Move.Laid()) == 1 {
			continue
		}
		if one, err := t.Cover(rack, sp, 1); err == nil {
			add(one)
		}
	}
	return all
}

// newTiles are the tiles that a play puts on the board.
func newTiles(m game.Move) (ts game.Tiles) {
	for i := range len(m.Tiles) {
		if m.Tiles.At(i) != game.NoTile {
			ts += m.Tiles[i : i+1]
		}
	}
	return ts
}

// laidOut is a board square by square.
func laidOut(eq game.Equipment, b game.Board) []string {
	size := eq.Layout.Size()
	all := make([]string, size*size)
	for _, sq := range occupied(&b) {
		all[sq.Row*size+sq.Col] = tileText(eq.Tiles, b.Tile(sq))
	}
	return all
}

func numbered(size int, squares []game.Square) []int {
	var all []int
	for _, sq := range squares {
		all = append(all, sq.Row*size+sq.Col)
	}
	return all
}

func tileTexts(set *game.TileSet, ts game.Tiles) []string {
	all := []string{}
	for i := range len(ts) {
		all = append(all, tileText(set, ts.At(i)))
	}
	return all
}

// tileText is a tile as a Scene has it.
func tileText(set *game.TileSet, tile game.Tile) string {
	switch {
	case tile == game.NoTile:
		return ""
	case tile != game.Blank && tile.IsBlank():
		return "?" + set.Alphabet().Text(tile.Letter())
	}
	return set.Text(tile)
}

// turnsOf lists a game's turns, with what each did to the board.
func turnsOf(t table) (began []string, all []bot.Turn) {
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
			lines = []bot.Turn{{Number: 1, Text: captionOf(t.Variant, before, e.Fact)}}
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
func tellTurn(v variant, before game.State, f game.Fact) []bot.Turn {
	set := before.Equipment.Tiles
	turn := func(number, seat int, text string, score int) []bot.Turn {
		return []bot.Turn{{Number: number, Player: before.Seats[seat].Person.Name, Text: text, Score: score, Total: before.Seats[seat].Score + score}}
	}
	if line, ok := v.told(before, f); ok {
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
		return turn(1, f.Seat, "exchanges "+count(len(f.Put), "tile"), 0)
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

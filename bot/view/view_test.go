package view_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

func tableOf(t *testing.T, g *bottest.Game) table.Table {
	t.Helper()
	all, err := table.Variants(nil).Replay("test:1", 7, g.Events)
	gametest.Must(t, err)
	return all
}

// eventful returns a game with nearly every kind of event in the list of moves.
func eventful(t *testing.T) *bottest.Game {
	g := bottest.Deal(t, "classic", "5-point", []string{"bag:IIIIIIIIIIIIIIIIII", "ann:HORNSA?", "bob:PASTEZO", "cat:FARMQIE"}, nil)
	g.Play("ann", "8H HORN")
	g.Do("bob", game.Challenge{})
	g.Play("bob", "exchange ZO")
	g.Play("cat", "pass")
	g.Play("ann", "H8 .IAS")
	g.Do("bob", game.Challenge{})
	g.Do("", game.Vacate{Player: "test:cat"})
	g.Do("dan", game.Adopt{})
	g.Play("bob", "7H PASTE")
	g.Do("dan", game.Resign{})
	for range 3 {
		g.Play("ann", "pass")
		g.Play("bob", "pass")
	}
	return g
}

func wantText(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

func wantLines(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s told:\n%s\nwant:\n%s", what, g, w)
	}
}

// The list of moves has the same lines as text and as a table.
func TestMovesAreListed(t *testing.T) {
	at := tableOf(t, eventful(t))
	var lines []string
	for _, line := range view.Moves(at, nil) {
		lines = append(lines, line.String())
	}
	wantLines(t, "the list", lines, "  1. Ann  8H HORN +14 = 14", "  1. Ann  wrongly challenged +5 = 19", "  2. Bob  exchanges 2 tiles +0 = 0", "  3. Cat  passes +0 = 0", "  4. Ann  H8 HIAS +7 = 26", "  4. Ann  challenged off -7 = 19", "     Cat's seat is free", "     Dan plays on for Cat", "  5. Bob  7H PASTE +22 = 22", "     Dan resigns", "  6. Ann  passes +0 = 19", "  7. Bob  passes +0 = 22", "  8. Ann  passes +0 = 19", "  9. Bob  passes +0 = 22", " 10. Ann  passes +0 = 19", " 11. Bob  passes +0 = 22", " 11. Ann  tiles left -6 = 13", " 11. Bob  tiles left -7 = 15")
	file := view.MovesFile(at, nil)
	if got, want := file.Text.String(), strings.Join(lines, "\n")+"\n"; file.Name != "rackmate-7-moves.txt" || got != want {
		t.Errorf("the file %s is %q, want %q", file.Name, got, want)
	}
	var columns []string
	for _, c := range view.MovesTable(at).Columns {
		columns = append(columns, fmt.Sprintf("%s, right: %t", c.Head, c.Right))
	}
	wantLines(t, "the columns", columns, "#, right: true", "Player, right: false", "Move, right: false", "Points, right: true", "Total, right: true")
	var rows []string
	for _, row := range view.MovesTable(at).Rows {
		var cells []string
		for _, cell := range row {
			cells = append(cells, cell.String())
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	wantLines(t, "the table", rows, "1|Ann|8H HORN|+14|14", "1|Ann|wrongly challenged|+5|19", "2|Bob|exchanges 2 tiles|+0|0", "3|Cat|passes|+0|0", "4|Ann|H8 HIAS|+7|26", "4|Ann|challenged off|-7|19", "||Cat's seat is free||", "|Dan|plays on for Cat||", "5|Bob|7H PASTE|+22|22", "|Dan|resigns||", "6|Ann|passes|+0|19", "7|Bob|passes|+0|22", "8|Ann|passes|+0|19", "9|Bob|passes|+0|22", "10|Ann|passes|+0|19", "11|Bob|passes|+0|22", "11|Ann|tiles left|-6|13", "11|Bob|tiles left|-7|15")
}

// A player eliminated by a challenge appears in the list below it.
func TestMovesShowEliminatedPlayer(t *testing.T) {
	g := bottest.Deal(t, "classic", "triple", []string{"bag:IIIIIIIIIIIIIIIIII", "ann:HORNSA?", "bob:PASTEZO", "cat:FARMQIE"}, nil)
	g.Play("ann", "8H HORN")
	g.Do("cat", game.Challenge{})
	g.Play("bob", "9G STEP")
	g.Do("ann", game.Challenge{})
	var lines []string
	for _, line := range view.Moves(tableOf(t, g), nil) {
		lines = append(lines, line.String())
	}
	wantLines(t, "the list", lines, "  1. Ann  8H HORN +14 = 14", "     Cat is out of the game", "  2. Bob  9G STEP +20 = 20", "  2. Bob  challenged off -20 = 0", "     Bob is out of the game")
}

// The moves begin on the board that a variant set up, which is no move itself, or else on
// an empty board. Turns without a description from the variant aren't listed.
func TestMovesStartFromSetUpBoard(t *testing.T) {
	g := bottest.Deal(t, "classic", "single", []string{"bag:FARMEEEEEEEE", "ann:HORNSAT", "bob:FARMQIS"}, nil)
	g.Play("ann", "8H HORN")
	g.Play("bob", "pass")
	at := tableOf(t, g)
	if scene := view.Scene(at, nil, false); scene.Began != nil || len(scene.Turns) != 2 {
		t.Errorf("on an empty board the moves %+v begin with %v", scene.Turns, scene.Began)
	}
	set := game.Event{Fact: game.SetUp{Board: gametest.Board(t, at.Equipment, "\n14 ...FARM")}}
	before := slices.IndexFunc(at.Events, func(e game.Event) bool { _, dealt := e.Fact.(game.Dealt); return dealt })
	at.Events = slices.Insert(slices.Clone(at.Events), before, set)
	scene := view.Scene(at, nil, false)
	var lies []string
	for square, tile := range scene.Began {
		if tile != "" {
			lies = append(lies, fmt.Sprint(square, " ", tile))
		}
	}
	if got := strings.Join(lies, ", "); got != "198 F, 199 A, 200 R, 201 M" || len(scene.Began) != 15*15 || len(scene.Turns) != 2 {
		t.Errorf("on a board that was set up the moves %+v begin with %s on %d squares", scene.Turns, got, len(scene.Began))
	}
	says := func(move text.Text) []bot.Turn {
		at.Variant.Tell = func(_ game.State, f game.Fact) (table.Telling, bool) {
			passed, ok := f.(game.Passed)
			return table.Telling{Seat: passed.Seat, Move: move, Score: 3}, ok
		}
		return view.Scene(at, nil, false).Turns
	}
	if turns := says(nil); len(turns) != 1 || turns[0].Text != "8H HORN" {
		t.Errorf("without the turns of which the variant says nothing the moves are %+v", turns)
	}
	if turns := says(text.Plain("waves it on")); len(turns) != 2 || turns[1].Text != "waves it on" || turns[1].Score != 3 || turns[1].Number != 2 {
		t.Errorf("with what the variant says of a turn the moves are %+v", turns)
	}
}

// A variant can list its moves itself.
func TestVariantListsMoves(t *testing.T) {
	at := tableOf(t, eventful(t))
	at.Variant.History = func(table.Table) []text.Text { return []text.Text{text.Plain("one"), text.Plain("two")} }
	if got := view.Moves(at, nil); len(got) != 2 || got[1].String() != "two" {
		t.Errorf("the list is %v", got)
	}
	if got := view.MovesTable(at); len(got.Columns) != 1 || len(got.Rows) != 2 || got.Rows[0][0].String() != "one" {
		t.Errorf("the table is %+v", got)
	}
}

// The scene shows whose turn it is, which tiles were laid last, and when time is up.
func TestSceneOfGame(t *testing.T) {
	g := bottest.Deal(t, "classic", "void", []string{"bag:IIIIIIIIIIIIIIIIII", "ann:HORNSA?", "bob:PASTEZO"}, func(o *game.Opened) { o.Pace.Turn = 24 * time.Hour })
	g.Play("ann", "8H HORn")
	g.Play("bob", "9K OP")
	scene := view.Scene(tableOf(t, g), nil, true)
	wantText(t, "the caption", scene.Caption, "Bob played OP at 9K for 5")
	var players []string
	for _, p := range scene.Players {
		players = append(players, fmt.Sprintf("%s %d, to move: %t", p.Name, p.Score, p.ToMove))
	}
	wantLines(t, "the players", players, "Ann 12, to move: true", "Bob 5, to move: false")
	if scene.Phase != "playing" || !slices.Equal(scene.Fresh, []int{130, 131}) || scene.Supply != "12 tiles in the bag" {
		t.Errorf("%s, fresh %v, %s", scene.Phase, scene.Fresh, scene.Supply)
	}
	if want := g.Now.Add(24 * time.Hour).UnixMilli(); scene.Until != want || !scene.Words {
		t.Errorf("until %d, want %d; words are looked up at once: %t", scene.Until, want, scene.Words)
	}
	on := map[int]string{}
	for sq, tile := range scene.Board {
		if tile != "" {
			on[sq] = tile
		}
	}
	if got, want := fmt.Sprint(on), "map[112:H 113:O 114:R 115:?N 130:O 131:P]"; got != want {
		t.Errorf("on the board lie %q, want %q", got, want)
	}
	if !strings.Contains(scene.Text, "H O R n") {
		t.Errorf("in characters the board is\n%s", scene.Text)
	}
	var turns []string
	for _, turn := range scene.Turns {
		turns = append(turns, fmt.Sprintf("%d. %s %s %d = %d %v", turn.Number, turn.Player, turn.Text, turn.Score, turn.Total, turn.Changes))
	}
	wantLines(t, "the turns", turns, "1. Ann 8H HORn 12 = 12 [{112 H} {113 O} {114 R} {115 ?N}]", "2. Bob 9K OP 5 = 5 [{130 O} {131 P}]")
}

// During a vote, or while the last play is open, the scene shows until when.
func TestWaitingScene(t *testing.T) {
	g := bottest.Deal(t, "classic", "single", []string{"ann:HORN", "bob:PAS"}, nil)
	g.Play("ann", "8H HORN")
	scene := view.Scene(tableOf(t, g), nil, false)
	if scene.Phase != "closing" || scene.Until != g.Now.Add(24*time.Hour).UnixMilli() || scene.Text != "" {
		t.Errorf("%s until %d, in characters %q", scene.Phase, scene.Until, scene.Text)
	}
}

// A finished game is summed up with its winner, the margin, and the best plays.
func TestFinishedGameIsSummedUp(t *testing.T) {
	scene := view.Scene(tableOf(t, eventful(t)), nil, false)
	var players []string
	for _, p := range scene.Ending.Players {
		players = append(players, fmt.Sprintf("%+v", p))
	}
	wantText(t, "the result", scene.Ending.Result, "Game over: Bob wins")
	if scene.Ending.By != 2 {
		t.Errorf("won by %d", scene.Ending.By)
	}
	wantLines(t, "the players", players, "{Seat:0 Name:Ann Score:13 Won:false Best:HORN at 8H for 14 Play:[H O R N] Points:14 Bingos:0 Rating:0 Change:0}", "{Seat:1 Name:Bob Score:15 Won:true Best:PASTE at 7H for 22 Play:[P A S T E] Points:22 Bingos:0 Rating:0 Change:0}", "{Seat:2 Name:Dan Score:0 Won:false Best: Play:[] Points:0 Bingos:0 Rating:0 Change:0}")

	if scene.Until != 0 {
		t.Errorf("a game that is over waits until %d", scene.Until)
	}

	// A turn's total includes what a challenge gave or took, and a play taken back is no
	// best play.
	var totals []string
	for _, p := range view.FinalCard(tableOf(t, eventful(t)), nil).Players {
		totals = append(totals, fmt.Sprint(p.Name, p.Totals, p.Best))
	}
	wantLines(t, "the card", totals, "Ann[19 19 19 19 19]HORN at 8H for 14", "Bob[0 22 22 22 22]PASTE at 7H for 22", "Dan[0]")

	g := bottest.Deal(t, "classic", "single", []string{"bag:IIIIII", "ann:ORANGES", "bob:PAS"}, nil)
	g.Play("ann", "8H ORANGES")
	g.Do("bob", game.Resign{})
	at := tableOf(t, g)
	card := view.FinalCard(at, nil)
	if p := card.Players[0]; p.Bingos != 1 || p.Best != "ORANGES at 8H for 70" || fmt.Sprint(p.Totals) != "[70]" {
		t.Errorf("Ann's part is %+v", p)
	}
	if p := card.Players[1]; p.Bingos != 0 || p.Best != "" || len(p.Totals) != 0 {
		t.Errorf("Bob's part is %+v", p)
	}
	if by := view.Scene(at, nil, false).Ending.By; by != 0 {
		t.Errorf("where one resigned it is won by %d points", by)
	}
	g = bottest.Deal(t, "classic", "single", []string{"bag:IIIIIIIIII", "ann:ORANGES", "bob:PAS"}, nil)
	g.Play("ann", "8H ORANGES")
	g.Play("bob", "pass")
	g.Play("ann", "H7 I.")
	g.Do("bob", game.Resign{})
	if p := view.FinalCard(tableOf(t, g), nil).Players[0]; p.Best != "ORANGES at 8H for 70" || p.Bingos != 1 || len(p.Totals) != 2 {
		t.Errorf("after a smaller play Ann's part is %+v", p)
	}
	if link := view.Link(at)(nil); len(link.Facts) != 2 || !strings.Contains(link.Facts[0], "ORANGES at 8H for 70") {
		t.Errorf("beside a link stand %q", link.Facts)
	}
	if link := view.Link(tableOf(t, bottest.Deal(t, "classic", "single", []string{"bag:IIIIII", "ann:ORANGES", "bob:PAS"}, nil)))(nil); len(link.Facts) != 0 {
		t.Errorf("beside a link to a game that goes on stand %q", link.Facts)
	}
}

// The players of a finished game have notes: won, tied, or out. A play without points is no
// best play.
func TestNotesOfFinishedGame(t *testing.T) {
	for _, c := range []struct {
		rack, other string
		first       string
		want        []string
	}{
		{"HORN", "FARMQ", "pass", []string{"Ann won", "Bob ", "Cat out"}},
		{"HORN", "HORN", "pass", []string{"Ann tied", "Bob tied", "Cat out"}},
		{"??", "HORN", "8G ho", []string{"Ann won", "Bob ", "Cat out"}},
	} {
		g := bottest.Deal(t, "classic", "single", []string{"bag:IIII", "ann:" + c.rack, "bob:" + c.other, "cat:QI"}, nil)
		g.Do("cat", game.Resign{})
		g.Play("ann", c.first)
		for g.Phase == game.Playing {
			g.Do(strings.ToLower(g.Seats[g.Turn].Person.Name), game.Pass{})
		}
		if g.Phase == game.Closing {
			g.Do("bob", game.Pass{})
		}
		at := tableOf(t, g)
		var notes []string
		for _, p := range view.View(at, nil).Players {
			notes = append(notes, p.Name+" "+p.Note)
		}
		if !slices.Equal(notes, c.want) {
			t.Errorf("%s against %s: %q, want %q", c.rack, c.other, notes, c.want)
		}
		for _, p := range view.FinalCard(at, nil).Players {
			if p.Best != "" {
				t.Errorf("%s's best play is %q", p.Name, p.Best)
			}
		}
	}
}

// A replay shows the game's boards in order, with the new tiles and the player to move.
func TestReplayViews(t *testing.T) {
	var seen []string
	all := view.Views(tableOf(t, eventful(t)), nil)
	for i, v := range all {
		if last := i == len(all)-1; v.Over != last {
			t.Errorf("the board after %q is of a game that is over: %t", v.Caption, v.Over)
		}
		seen = append(seen, fmt.Sprintf("%s, %d new", v.Caption, len(v.New)))
	}
	wantLines(t, "the replay", seen, "Ann goes first, 0 new", "Ann played HORN at 8H for 14, 4 new", "Bob challenged, and the play stands, 4 new", "Bob exchanged 2 tiles, 0 new", "Cat passed, 0 new", "Ann played HIAS at H8 for 7, 3 new", "Bob challenged HIAS off the board, 0 new", "Cat's seat is free, 0 new", "Dan plays on for Cat, 0 new", "Bob played PASTE at 7H for 22, 5 new", "Dan resigned, 5 new", "Ann passed, 0 new", "Bob passed, 0 new", "Ann passed, 0 new", "Bob passed, 0 new", "Ann passed, 0 new", "Bob passed, 0 new", "Bob wins, 0 new")
}

// An endless game is replayed by its latest boards rather than by each pass.
func TestLongReplay(t *testing.T) {
	g := bottest.Deal(t, "classic", "single", []string{"bag:IIIIIIIIIIIIIIIIII", "ann:HORNSA?", "bob:PASTEZO"}, func(o *game.Opened) { o.Rules.ScorelessTurns = 0 })
	for range 130 {
		g.Play("ann", "pass")
		g.Play("bob", "pass")
	}
	g.Play("ann", "8H HORN")
	g.Play("bob", "pass")
	var seen []string
	for _, v := range view.Views(tableOf(t, g), nil) {
		seen = append(seen, v.Caption)
	}
	wantLines(t, "the replay", seen, "Ann played HORN at 8H for 14", "Bob passed")
}

// A player sees their own rack, what they can do with it, and when.
func TestPlayersOwnView(t *testing.T) {
	g := bottest.Deal(t, "classic", "single", []string{"bag:IIIIIIIIIIIIIIIIII", "ann:HORNSA?", "bob:PASTEZO"}, nil)
	at := tableOf(t, g)
	own, err := json.Marshal(view.Own(at, 0))
	gametest.Must(t, err)
	wantText(t, "Ann's", string(own), `{"seat":0,"rack":["H","O","R","N","S","A","?"],"lays":"play","turn":true,"pass":true,"hints":true,"exchange":7}`)
	if own, err = json.Marshal(view.Own(at, 1)); err != nil {
		t.Fatal(err)
	}
	wantText(t, "Bob's", string(own), `{"seat":1,"rack":["P","A","S","T","E","Z","O"],"lays":"play","turn":false,"pass":false,"hints":true,"exchange":0}`)
}

// In a game with printed words, each way to cover one is listed: its next two letters, or
// one.
func TestWaysToCover(t *testing.T) {
	g := bottest.Deal(t, "classic", "void", []string{"variant:junior-starter", "printed:7D-HORN,F7-RED,G6-IN", "ann:HORI", "bob:NED"}, nil)
	own := view.Own(tableOf(t, g), 0)
	if got, want := fmt.Sprint(own.Covers), "[{HORN [81 82] [H O] 0} {HORN [81] [H] 0} {IN [71] [I] 0} {RED [83] [R] 0}]"; got != want {
		t.Errorf("to cover there is %q, want %q", got, want)
	}
}

// A tried play is drawn only for the player who tries it, with its invalid words.
func TestTriedPlayIsDrawn(t *testing.T) {
	g := bottest.Deal(t, "classic", "single", []string{"bag:IIIIIIIIIIIIIIIIII", "ann:HORNSA?", "bob:PASTEZO"}, nil)
	at := tableOf(t, g)
	m := gametest.Move(t, at.Equipment, "8H HORnS")
	tally, err := at.Tally(m)
	gametest.Must(t, err)
	v := view.Preview(at, m, tally)(nil)
	wantText(t, "the caption", v.Caption, "HORNS at 8H would score 16")
	if !v.Preview || len(v.New) != 5 || v.Board.Tile(m.At) == game.NoTile || at.Board.Tile(m.At) != game.NoTile {
		t.Errorf("the preview has %v on %v", v.New, v.Board)
	}
	draft := view.Draft(at, tally, []game.Tiles{tally.Words[0].Tiles})
	if want := (bot.DraftWord{Text: "HORNS", Score: 16, Invalid: true}); draft.Score != 16 || len(draft.Words) != 1 || draft.Words[0] != want {
		t.Errorf("the draft is %+v, want %+v", draft, want)
	}
	if draft = view.Draft(at, tally, nil); draft.Words[0].Invalid {
		t.Error("a word is invalid without having been told to be")
	}
	position := view.Position(at.Equipment, v.Board)
	if at := m.At.Row*15 + m.At.Col; position.Board[at] != "H" || position.Board[at+3] != "?N" || position.Phase != "over" || len(position.Tiles) == 0 {
		t.Errorf("the position is %+v", position)
	}
}

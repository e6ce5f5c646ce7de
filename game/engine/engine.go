// Package engine lets programs that play crossword-tile games ask each other for moves, over standard
// input and output.
//
// # The protocol
//
// The client writes one line for each move it wants, and the engine answers each with one line, in
// order. Text is UTF-8 and lines end with LF. Empty lines are ignored. The engine exits at the end of
// its input. Its standard error is for people.
//
// A question is a position in CGP:
//
//	15/15/15/15/15/15/15/6HORN5/15/15/15/15/15/15/15 AEIPRT?/ 0/14 0 lex en; rules classic; ms 450; lm 8G HORN;
//
// It has the rows of the board, top first, with a number for a run of empty squares and a lower-case
// letter for a blank; the racks, that of the side to move first and the others empty, because it
// can't see them; the scores in the same order; the number of consecutive scoreless turns; then
// operations, each ending in a semicolon, which an engine may ignore:
//
//	lex en         the word list
//	rules classic  the rules
//	ms 450         limit of processor time, in milliseconds
//	lm 8G HORN     the previous turn was this play, in the form of an answer; its tiles are on the board
//	lm -3          the previous turn was an exchange of this number of tiles
//
// From the previous turn an engine can infer what that player kept. The operation lm is part of CGP.
// "rackmate engine" also accepts an exchange with its letters (-AEI) and ignores anything else;
// versions that don't know the operation ignore it.
//
// The first question may be for a move that isn't played: the client waits for the answer before it
// starts the clock, so that the engine can load what it needs.
//
// An answer is one of
//
//	8H ...S       tiles on squares from 8H on, across (H8: down); a dot for a tile on the board
//	exchange AEI  an exchange of these tiles
//	pass
//	error why     the engine can't answer; the client reports that and stops
//
// A blank is played as a lower-case letter and exchanged as "?". Instead of a dot, an answer may have
// the letter on the board.
//
//	$ echo '15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0' | rackmate engine --level static
//	8D NASTIER
package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/game/robot"
)

// PositionView returns the view of the side to move in a position, by some rules. With two players, an empty
// bag and known racks, the unseen tiles are the other rack; otherwise they are the tiles of the set
// that aren't visible.
func PositionView(rules game.Rules, eq game.Equipment, p record.Position) robot.View {
	v := robot.View{
		Phase: game.Playing, Rules: rules, Equipment: eq, Board: p.Board,
		Rack: p.Racks[0], Scoreless: p.Scoreless,
	}
	v.Unseen, _ = eq.Tiles.All().Minus(p.Board.Tiles().Faces() + p.Racks[0])
	others := len(p.Racks) - 1
	v.Bag = max(0, len(v.Unseen)-others*rules.RackSize)
	if others == 1 && v.Bag == 0 && p.Racks[1] != "" {
		v.Unseen = p.Racks[1].Sorted()
	}
	if v.Bag == 0 {
		v.Passes = p.Scoreless // practically only passes are scoreless now
	}
	for i, score := range p.Scores {
		tiles := len(p.Racks[0])
		if i > 0 {
			tiles = (len(v.Unseen) - v.Bag) / others
		}
		v.Seats = append(v.Seats, robot.SeatView{Score: score, Tiles: tiles})
	}
	v.Before = readTurn(v, p.Ops)
	return v
}

// lastMove is the operation with the previous turn.
const lastMove = "lm"

// readTurn returns the turn before the view, made by the last seat, or nil if no operation has
// one that fits.
func readTurn(v robot.View, ops []string) *robot.TurnView {
	last := robot.TurnView{Seat: len(v.Seats) - 1}
	i := slices.IndexFunc(ops, func(op string) bool { return strings.HasPrefix(op, lastMove+" ") })
	if i < 0 {
		return nil
	}
	told := append(strings.Fields(ops[i]), "", "")
	if put, exchanged := strings.CutPrefix(told[1], "-"); exchanged {
		n, err := strconv.Atoi(put)
		if err != nil {
			tiles, _ := v.Equipment.Tiles.Parse(put)
			n = len(tiles)
		}
		if n < 1 || n > v.Rules.RackSize {
			return nil
		}
		last.Move.Kind, last.Tiles, last.Drew = game.ExchangeTiles, n, n
		return &last
	}
	m, err := parseMove(v.Equipment, &game.Board{}, told[1]+" "+told[2])
	if err != nil {
		return nil
	}
	for i := range len(m.Tiles) {
		if t := m.Tiles.At(i); t != game.NoTile && v.Board.Tile(m.At.Step(m.Dir, i)) != t {
			return nil
		}
	}
	before := v.Board
	before.Lift(m)
	tally, err := v.Rules.Tally(v.Equipment, &before, m)
	if err != nil {
		return nil
	}
	last.Move, last.Points, last.Tiles = m, tally.Total, len(m.LaidSquares())
	kept := v.Rules.RackSize - last.Tiles
	last.Drew = max(0, v.Seats[last.Seat].Tiles-kept)
	return &last
}

// writeTurn returns the turn before the view as an operation, or "" if the previous player
// didn't make it.
func writeTurn(v robot.View) string {
	switch last := v.Before; {
	case last == nil || (last.Seat+1)%len(v.Seats) != v.Me:
		return ""
	case last.Move.Kind == game.ExchangeTiles:
		return fmt.Sprintf("%s -%d", lastMove, last.Tiles)
	default:
		return lastMove + " " + last.Move.Text(v.Equipment.Tiles)
	}
}

// position returns a player's view as a position, to be read by [See] on the other side. It appends
// the previous turn to the operations.
func position(v robot.View, ops ...string) record.Position {
	if last := writeTurn(v); last != "" {
		ops = append(slices.Clip(ops), last)
	}
	p := record.Position{Board: v.Board, Racks: make([]game.Tiles, len(v.Seats)), Scoreless: v.Scoreless, Ops: ops}
	p.Racks[0] = v.Rack
	for i := range v.Seats {
		p.Scores = append(p.Scores, v.Seats[(v.Me+i)%len(v.Seats)].Score)
	}
	return p
}

// parseMove parses the move of an answer, on a board.
func parseMove(eq game.Equipment, b *game.Board, text string) (game.Move, error) {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	switch first {
	case "pass":
		return game.Move{Kind: game.PassTurn}, nil
	case "exchange":
		tiles, err := eq.Tiles.Parse(rest)
		if err == nil && tiles == "" {
			err = errors.New("an exchange of no tiles")
		}
		return game.Move{Kind: game.ExchangeTiles, Tiles: tiles.Faces()}, err
	case "error":
		return game.Move{}, errors.New(rest)
	}
	at, dir, err := game.ParseAt(first)
	if err != nil {
		return game.Move{}, fmt.Errorf("%q isn't a move", text)
	}
	tiles, err := eq.Tiles.Parse(rest)
	if err != nil {
		return game.Move{}, fmt.Errorf("%q isn't a move: %w", text, err)
	}
	laid := []game.Tile{}
	for i := range len(tiles) {
		t := tiles.At(i)
		if lies := b.Tile(at.Step(dir, i)); lies != game.NoTile && t != game.NoTile && lies.Letter() == t.Letter() {
			t = game.NoTile
		}
		laid = append(laid, t)
	}
	return game.Move{Kind: game.PlayTiles, At: at, Dir: dir, Tiles: game.TilesOf(laid...)}, nil
}

// Serve answers the questions on in until it ends or ctx is done.
func Serve(ctx context.Context, in io.Reader, out io.Writer, eq game.Equipment, choose func(context.Context, record.Position) (game.Move, error)) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() && ctx.Err() == nil {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		answer := ""
		p, err := record.ParseCGP(eq, line)
		if err == nil {
			var m game.Move
			if m, err = choose(ctx, p); err == nil {
				answer = m.Text(eq.Tiles)
			}
		}
		if err != nil {
			answer = "error " + strings.Join(strings.Fields(err.Error()), " ")
		}
		if _, err := fmt.Fprintln(out, answer); err != nil {
			return fmt.Errorf("answer: %w", err)
		}
	}
	return errors.Join(ctx.Err(), lines.Err())
}

// An Engine is another program that chooses moves. It isn't safe for concurrent use.
type Engine struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner

	ended func() error // waits for its process to end
}

// Start starts an engine with a shell command line. The engine's standard error goes to errors. It
// is killed when ctx is done.
func Start(ctx context.Context, command string, errors io.Writer) (*Engine, error) {
	command = strings.TrimPrefix(strings.TrimSpace(command), "exec ") // added below
	cmd := exec.CommandContext(ctx, "sh", "-c", "exec "+command)
	cmd.Stderr = errors
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start engine: %w", err)
	}
	return &Engine{cmd, in, bufio.NewScanner(out), sync.OnceValue(cmd.Wait)}, nil
}

// Choose asks the engine for a move.
func (e *Engine) Choose(v robot.View, ops ...string) (game.Move, error) {
	// Writing to an engine that has ended fails, but how it ended is more informative.
	_, asking := fmt.Fprintln(e.in, position(v, ops...).CGP(v.Equipment))
	if !e.out.Scan() {
		if err := e.out.Err(); err != nil {
			return game.Move{}, fmt.Errorf("read the engine's answer: %w", err)
		}
		return game.Move{}, e.failure()
	}
	if asking != nil {
		return game.Move{}, fmt.Errorf("ask the engine: %w", asking)
	}
	return parseMove(v.Equipment, &v.Board, e.out.Text())
}

// failure returns how the engine ended, in the shell's words.
func (e *Engine) failure() error {
	e.in.Close()
	var exit *exec.ExitError
	switch err := e.ended(); {
	case errors.As(err, &exit) && exit.ExitCode() == 127:
		return errors.New("the engine didn't start: no such command")
	case errors.As(err, &exit) && exit.ExitCode() == 126:
		return errors.New("the engine didn't start: its file can't be run")
	case err != nil:
		return fmt.Errorf("the engine ended without an answer: %w", err)
	}
	return errors.New("the engine ended without an answer")
}

// PID returns the id of its process.
func (e *Engine) PID() int { return e.cmd.Process.Pid }

// Close stops the engine.
func (e *Engine) Close() error {
	e.in.Close()
	return e.ended()
}

package engine_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/engine"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/game/robot"
)

const opening = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 HORNSAI/ 0/0 0 lex en;"

// TestServeAnswersEachLine checks that each line gets one line as an answer, even if there isn't a move.
func TestServeAnswersEachLine(t *testing.T) {
	eq := gametest.Equipment(t)
	asked := 0
	choose := func(_ context.Context, p record.Position) (game.Move, error) {
		switch asked++; asked {
		case 1:
			return gametest.Move(t, eq, "8H HORN"), nil
		case 2:
			return game.Move{Kind: game.ExchangeTiles, Tiles: p.Racks[0]}, nil
		case 3:
			return game.Move{Kind: game.PassTurn}, nil
		}
		return game.Move{}, errors.New("no\nidea")
	}
	var out bytes.Buffer
	in := strings.Join([]string{opening, "", opening, opening, opening, "nonsense", ""}, "\n")
	gametest.Must(t, engine.Serve(t.Context(), strings.NewReader(in), &out, eq, choose))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 5 || lines[0] != "8H HORN" || !strings.HasPrefix(lines[1], "exchange ") || lines[2] != "pass" || lines[3] != "error no idea" || !strings.HasPrefix(lines[4], "error ") || asked != 4 {
		t.Errorf("it answers %q", lines)
	}
	over, end := context.WithCancel(t.Context())
	end()
	if err := engine.Serve(over, strings.NewReader(opening), &out, eq, choose); !errors.Is(err, context.Canceled) {
		t.Errorf("when it is over: %v", err)
	}
}

// TestParseAnswers checks that answers are parsed as moves on the current board, and that errors
// describe invalid ones.
func TestParseAnswers(t *testing.T) {
	s := game.State{Rules: game.Classic(), Equipment: gametest.Equipment(t)}
	p, err := record.ParseCGP(s.Equipment, opening)
	gametest.Must(t, err)
	v := engine.PositionView(s.Rules, s.Equipment, p)
	for answer, want := range map[string]string{
		"8H HORN":     "8H HORN",
		"pass":        "pass",
		"exchange HO": "exchange HO",
	} {
		got, err := ask(t, v, answer)
		if err != nil || got.Text(s.Equipment.Tiles) != want {
			t.Errorf("%q is read as %s, %v", answer, got.Text(s.Equipment.Tiles), err)
		}
	}
	for answer, want := range map[string]string{
		"error no idea": "no idea",
		"exchange":      "an exchange of no tiles",
		"99Z HORN":      `"99Z HORN" isn't a move`,
		"8H H0RN":       `"8H H0RN" isn't a move`,
		"":              "the engine ended without an answer",
	} {
		if _, err := ask(t, v, answer); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", answer, err, want)
		}
	}
}

// ask asks an engine that has one fixed answer, or none if answer is "".
func ask(t *testing.T, v robot.View, answer string) (game.Move, error) {
	t.Helper()
	does := "sh -c 'read line'"
	if answer != "" {
		does = "sh -c 'read line; echo " + answer + "'"
	}
	e, err := engine.Start(t.Context(), does, &bytes.Buffer{})
	gametest.Must(t, err)
	if e.PID() == 0 {
		t.Error("it has no process")
	}
	m, asked := e.Choose(v, "lex en")
	gametest.Must(t, e.Close())
	return m, asked
}

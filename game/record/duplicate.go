package record

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/game"
)

// This file contains the stored forms of the facts of duplicate, and its exports.

type (
	duplicateV1 struct {
		TurnTime  string `json:"turn_time"` // as time.Duration prints
		TopPlay   bool   `json:"top_play,omitempty"`
		IdleTurns int    `json:"idle_turns"`
	}
	rackDrawnV1 struct {
		Put  string `json:"put,omitempty"`
		Drew string `json:"drew"`
	}
	// submittedV1 has no words and squares if the player has no play.
	submittedV1 struct {
		Seat  int      `json:"seat"`
		At    string   `json:"at,omitempty"`
		Tiles string   `json:"tiles,omitempty"`
		Words []wordV1 `json:"words,omitempty"`
		Score int      `json:"score,omitempty"`
	}
	turnScoredV1 struct {
		By      int      `json:"by"` // -1 for no one
		At      string   `json:"at,omitempty"`
		Tiles   string   `json:"tiles,omitempty"`
		Words   []wordV1 `json:"words,omitempty"`
		Score   int      `json:"score,omitempty"`
		Scores  []int    `json:"scores"`
		Invalid []string `json:"invalid,omitempty"`
	}
)

func storeDuplicate(v game.Duplicate) *duplicateV1 {
	if v == (game.Duplicate{}) {
		return nil
	}
	return &duplicateV1{v.TurnTime.String(), v.TopPlay, v.IdleTurns}
}

func (s *duplicateV1) rules(r *notation) game.Duplicate {
	if s == nil {
		return game.Duplicate{}
	}
	return game.Duplicate{TurnTime: r.parseDuration(s.TurnTime), TopPlay: s.TopPlay, IdleTurns: s.IdleTurns}
}

// storedPlay returns the stored form of a play, or nothing for a pass.
func (w *notation) storedPlay(m game.Move, words []game.ScoredWord) (at, tiles string, stored []wordV1) {
	switch m.Kind {
	case game.PlayTiles:
		return w.formatSpot(m.At, m.Dir), w.print(m.Tiles), w.storeWords(words)
	case game.PassTurn:
	default:
		w.fail(errors.New("neither a play nor a pass"))
	}
	return "", "", nil
}

// play parses what storedPlay returns.
func (r *notation) play(at, tiles string, stored []wordV1) (game.Move, []game.ScoredWord) {
	if at == "" {
		if tiles != "" || stored != nil {
			r.fail(errors.New("a play without its square"))
		}
		return game.Move{Kind: game.PassTurn}, nil
	}
	m := game.Move{Kind: game.PlayTiles, Tiles: r.read(tiles)}
	m.At, m.Dir = r.parseSpot(at)
	return m, r.readWords(stored)
}

func storeRackDrawn(w *notation, f game.RackDrawn) rackDrawnV1 {
	return rackDrawnV1{w.print(f.Put), w.print(f.Drew)}
}

func storeSubmitted(w *notation, f game.Submitted) submittedV1 {
	s := submittedV1{Seat: f.Seat, Score: f.Score}
	s.At, s.Tiles, s.Words = w.storedPlay(f.Move, f.Words)
	return s
}

func storeTurnScored(w *notation, f game.TurnScored) turnScoredV1 {
	s := turnScoredV1{By: f.By, Score: f.Score, Scores: f.Scores, Invalid: w.printAll(f.Invalid)}
	s.At, s.Tiles, s.Words = w.storedPlay(f.Move, f.Words)
	return s
}

func (s *rackDrawnV1) fact(r *notation) game.Fact {
	return game.RackDrawn{Put: r.read(s.Put), Drew: r.read(s.Drew)}
}

func (s *submittedV1) fact(r *notation) game.Fact {
	f := game.Submitted{Seat: s.Seat, Score: s.Score}
	f.Move, f.Words = r.play(s.At, s.Tiles, s.Words)
	return f
}

func (s *turnScoredV1) fact(r *notation) game.Fact {
	f := game.TurnScored{By: s.By, Score: s.Score, Scores: s.Scores, Invalid: r.readAll(s.Invalid)}
	f.Move, f.Words = r.play(s.At, s.Tiles, s.Words)
	return f
}

// masterGame returns a game of duplicate as the GCG of one player: the plays that went on the
// board, with the racks they were made from. A turn without a play is a pass. Notes say who
// made each play and how many players submitted one. [Scores] has everyone's scores.
func masterGame(events []game.Event, end game.State) GCG {
	set := end.Equipment.Tiles
	g := GCG{Players: []Player{{"master", "Best play of each turn"}}, Pragmas: aboutGame(end)}
	var s game.State
	for _, e := range events {
		f, ok := e.Fact.(game.TurnScored)
		if !ok {
			s = s.Apply(e)
			continue
		}
		t := Turn{Kind: Pass, Rack: set.Print(s.Common.Sorted())}
		if f.Move.Kind == game.PlayTiles {
			t = Turn{Kind: Play, Rack: t.Rack, At: f.Move.At, Dir: f.Move.Dir, Tiles: set.Print(f.Move.Tiles), Score: f.Score}
		}
		if n := len(g.Turns); n > 0 {
			t.Total = g.Turns[n-1].Total
		}
		t.Total += t.Score
		who := "Nobody had a valid play"
		switch {
		case f.By != game.Nobody:
			who = oneLine(s.Seats[f.By].Person.Name)
		case f.Move.Kind == game.PlayTiles:
			who = "The host"
		}
		in, of := s.CountSubmitted()
		t.Pragmas = []Pragma{{"note", fmt.Sprintf("%s; %d of %d submitted.", who, in, of)}}
		g.Turns = append(g.Turns, t)
		s = s.Apply(e)
	}
	return g
}

// Scores returns everyone's submissions and scores in a finished game of duplicate, as CSV (RFC 4180)
// in UTF-8. The first line names the columns:
//
//	turn    from 1
//	rack    as it was, sorted; ? is a blank
//	player  the name
//	square  of the play's first letter, as in GCG; empty for none
//	tiles   as in GCG: a lower-case letter is a blank, . a tile on the board
//	face    what the play was worth, if its words were valid
//	score   what it scored
//	total   the player's points after the turn
//	rank    by the total, from 1, equal for equal totals
//	board   1 for the play that went on the board, else 0
//
// There is a line for each seat and turn, by rank, and one with an empty player if the host's play
// went on the board. A name that a spreadsheet would take for a formula is preceded by '. The error is
// [ErrNotOver], or describes a broken log.
func Scores(events []game.Event) ([]byte, error) {
	end, err := replayFinished(events)
	if err != nil {
		return nil, err
	}
	set := end.Equipment.Tiles
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	line := func(fields ...any) {
		texts := make([]string, len(fields))
		for i, f := range fields {
			texts[i] = fmt.Sprint(f)
		}
		w.Write(texts) // can't fail: it writes to a buffer
	}
	laid := func(m game.Move) (at, tiles string) {
		if m.Kind != game.PlayTiles {
			return "", ""
		}
		return m.At.At(m.Dir), set.Print(m.Tiles)
	}
	line("turn", "rack", "player", "square", "tiles", "face", "score", "total", "rank", "board")
	var s game.State
	for _, e := range events {
		before := s
		s = s.Apply(e)
		f, ok := e.Fact.(game.TurnScored)
		if !ok {
			continue
		}
		rack := set.Print(before.Common.Sorted())
		if f.By == game.Nobody && f.Move.Kind == game.PlayTiles {
			at, tiles := laid(f.Move)
			line(s.Turns, rack, "", at, tiles, f.Score, 0, 0, 0, 1)
		}
		rank := 0
		ranking := s.Ranking()
		for i, seat := range ranking {
			if i == 0 || s.Seats[seat].Score < s.Seats[ranking[i-1]].Score {
				rank = i + 1
			}
			sub := before.Submission(seat)
			at, tiles := laid(sub.Move)
			board := 0
			if seat == f.By {
				board = 1
			}
			line(s.Turns, rack, plainCell(oneLine(s.Seats[seat].Person.Name)), at, tiles, sub.Score, f.Scores[seat], s.Seats[seat].Score, rank, board)
		}
	}
	w.Flush()
	return out.Bytes(), nil
}

// plainCell returns a text in a form that no spreadsheet takes for a formula.
func plainCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@", rune(text[0])) {
		return "'" + text
	}
	return text
}

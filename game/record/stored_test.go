package record_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// TestStoredLogsReplayForEver replays the logs in testdata, which were stored by version 1 of the
// format with the additions of each dialect. They must always parse and give the same table; never
// change these files. If this test fails, the program has lost people's games.
func TestStoredLogsReplayForEver(t *testing.T) {
	files, err := filepath.Glob("testdata/v1-*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d logs: %v", len(files), err)
	}
	kinds := map[string]bool{}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			gametest.Must(t, err)
			lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
			events, err := record.UnmarshalLog(lines)
			gametest.Must(t, err)
			s, err := game.Replay(events)
			gametest.Must(t, err)
			if s.End != nil {
				p, err := record.NewProof(events)
				gametest.Must(t, err)
				if _, err := p.Check(); err != nil {
					t.Errorf("by the rules of today it is another game: %v", err)
				}
			}
			want, err := os.ReadFile(strings.TrimSuffix(name, ".jsonl") + ".txt")
			gametest.Must(t, err)
			if got := describe(s); got != string(want) {
				t.Errorf("the log comes to\n%s\nand it was\n%s", got, want)
			}
			for _, e := range events {
				kinds[fmt.Sprintf("%T", e.Fact)] = true
			}
		})
	}
	for _, f := range facts(spanish(t)) {
		if !kinds[fmt.Sprintf("%T", f)] {
			t.Errorf("%T is in none of the logs", f)
		}
	}
}

// describe returns a complete description of a table as text.
func describe(s game.State) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	set := s.Equipment.Tiles
	phases := map[game.Phase]string{game.Lobby: "lobby", game.Playing: "playing", game.Closing: "closing", game.Over: "over"}
	r := s.Rules
	line("phase %s, %d events, %d turns, %d scoreless", phases[s.Phase], s.Number, s.Turns, s.Scoreless)
	line("opened by %s (%s), %d seats", s.Host.Name, s.Host.ID, s.SeatCount)
	for _, p := range s.Invited {
		line("invited %s (%s)", p.Name, p.ID)
	}
	line("rules %s: %d-%d players, racks of %d, %d points for %d tiles, exchange from %d", r.Name, r.MinPlayers, r.MaxPlayers, r.RackSize, r.Bonus, r.BonusTiles, r.ExchangeMin)
	line("  challenge %s, %s at the end; %d scoreless turns, zero plays %t; out %s; agreement %t; word check %t",
		r.Challenge, r.ChallengeTime, r.ScorelessTurns, r.ZeroPlays, r.OutBonus, r.Agreement, r.WordCheck)
	if r.Hints {
		line("  hints allowed")
	}
	if r.Unrated {
		line("  unrated")
	}
	if s.Begins.ID != "" {
		line("%s (%s) is to begin", s.Begins.Name, s.Begins.ID)
	}
	if r.Order != game.Drawn || r.Elect || r.PassRounds > 0 || r.Games > 0 || r.TieBreak || r.Clock != (game.Clock{}) {
		line("  order %s, games %d, elect %t, pass rounds %d, tie break %t, clock {On:%t Time:%s Penalty:%d Limit:%s}", r.Order, r.Games, r.Elect, r.PassRounds, r.TieBreak, r.Clock.On, r.Clock.Time, r.Clock.Penalty, r.Clock.Limit)
		if r.Clock.Increment > 0 {
			line("  increment %s", r.Clock.Increment)
		}
	}
	if r.DefaultSeats > 0 || r.UseLetter || r.Clock.Loses {
		line("  usual seats %d, words use a letter %t, over the limit loses %t", r.DefaultSeats, r.UseLetter, r.Clock.Loses)
	}
	for _, st := range s.Earlier {
		line("in the match %s (%s) had %d wins and %d points", st.Player.Name, st.Player.ID, st.Wins, st.Points)
	}
	if w := s.MatchWinners(); w != nil {
		line("the match is won by %v", w)
	}
	line("lexicon %s %s", s.Lexicon.Name, s.Lexicon.Hash)
	line("commitment %s", s.Secret.Commitment())
	line("seed %x", s.Seed())
	for _, day := range []struct {
		name string
		at   fmt.Stringer
		zero bool
	}{{"started", s.Started, s.Started.IsZero()}, {"ended", s.Ended, s.Ended.IsZero()}} {
		if !day.zero {
			line("%s %s", day.name, day.at)
		}
	}
	for i, seat := range s.Seats {
		line("seat %d: %s (%s), %d points, rack %s, out %t, lost turns %d, agreed %t, accepted %t, joined by %s",
			i, seat.Person.Name, seat.Person.ID, seat.Score, set.Print(seat.Rack), seat.Out, seat.LostTurns, seat.Agreed, seat.Accepted, seat.Joined)
	}
	for i, seat := range s.Seats {
		if seat.Hints > 0 {
			line("seat %d: %d hints, %d at this turn", i, seat.Hints, seat.HintsNow)
		}
	}
	if p := s.Pace; p.Turn > 0 {
		line("pace %s a turn, bank %s, weekend %s, late %s; the turn began %s, late %t", p.Turn, p.Bank, p.Weekend, p.Late, s.Began, s.Late)
		for i, seat := range s.Seats {
			line("  seat %d: %s of the bank used, vacant %t, away %v", i, seat.BankUsed, seat.Vacant, seat.Away)
		}
	}
	if d := r.Duplicate; d.TurnTime > 0 {
		line("duplicate: turns of %s, top play %t, %d idle turns", d.TurnTime, d.TopPlay, d.IdleTurns)
		line("everybody's rack %s, until %s", set.Print(s.Common), s.Until)
		for i := range s.Seats {
			sub := s.Submission(i)
			line("seat %d: move %d at %s, %s, %d words, %d points, event %d", i, sub.Move.Kind, sub.Move.At.At(sub.Move.Dir), set.Print(sub.Move.Tiles), len(sub.Words), sub.Score, sub.Number)
		}
	}
	for i, seat := range s.Seats {
		if seat.Used > 0 {
			line("seat %d: %s on the clock", i, seat.Used)
		}
	}
	line("first %d, turn %d", s.First, s.Turn)
	line("bag %s, removed %s", set.Print(s.Bag), set.Print(s.Removed))
	if s.TwoBags {
		line("vowels %s", set.Print(s.Vowels))
	}
	if rows := s.Printed.Tiles(); rows != "" {
		line("printed %s", set.Print(rows))
	}
	for i, seat := range s.Seats {
		if seat.Taken != "" {
			line("seat %d: %s taken off the board, stuck %t", i, set.Print(seat.Taken), s.Stuck)
		}
	}
	if f := s.End; f != nil {
		line("end %d, winners %v", f.Reason, f.Winners)
		if f.By.ID != "" {
			line("  ended by %s (%s)", f.By.Name, f.By.ID)
		}
		if f.Overtime != nil {
			line("  points off for time %v", f.Overtime)
		}
		for i := range f.Racks {
			line("  seat %d: rack %s, adjusted by %d", i, set.Print(f.Racks[i]), f.Adjust[i])
		}
	}
	line("tile set %s: %s", set.Name(), set.Print(set.All()))
	for _, k := range set.Kinds() {
		line("  %s %d points, vowel %t", k.Text, k.Value, k.Vowel)
	}
	line("layout %s", s.Equipment.Layout.Name)
	for row, premiums := range strings.Split(s.Equipment.Layout.Text, "\n") {
		tiles := make([]game.Tile, len(premiums))
		for col := range tiles {
			tiles[col] = s.Board.Tile(game.Square{Row: row, Col: col})
		}
		line("  %s  %s", premiums, set.Print(game.TilesOf(tiles...)))
	}
	return b.String()
}

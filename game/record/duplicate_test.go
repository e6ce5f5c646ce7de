package record_test

import (
	"encoding/csv"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

func duplicateGames(t *testing.T, try func(t *testing.T, events []game.Event, end game.State)) {
	for _, players := range []int{1, 4, 40} {
		for i, change := range []func(*game.Rules){
			func(*game.Rules) {}, func(r *game.Rules) { r.Challenge = game.Void }, func(r *game.Rules) { r.Duplicate.TopPlay = true },
		} {
			rules := gametest.Duplicate(12 * time.Hour)
			change(&rules)
			seed := uint64(7 + i)
			t.Run(fmt.Sprintf("%d players, seed %d", players, seed), func(t *testing.T) {
				events := gametest.RandomDuplicate(t, seed, players, rules)
				end, err := game.Replay(events)
				gametest.Must(t, err)
				try(t, events, end)
			})
		}
	}
}

// TestDuplicateSurvivesStorage checks that a game of duplicate survives storage, that its draws can be
// verified, that the rules accept its master game in GCG, and that its scores add up.
func TestDuplicateSurvivesStorage(t *testing.T) {
	duplicateGames(t, func(t *testing.T, events []game.Event, end game.State) {
		lines, err := record.MarshalLog(events)
		gametest.Must(t, err)
		if back, err := record.UnmarshalLog(lines); err != nil || !reflect.DeepEqual(back, events) {
			t.Errorf("the log does not come back (%v)", err)
		}

		proof, err := record.NewProof(events)
		gametest.Must(t, err)
		drawn := 0
		for _, e := range events {
			if f, ok := e.Fact.(game.RackDrawn); ok && f.Drew != "" {
				drawn++
			}
		}
		if draws, err := proof.Check(); err != nil || draws != drawn {
			t.Errorf("%d draws proved of %d: %v", draws, drawn, err)
		}

		g, err := record.FromEvents(events)
		gametest.Must(t, err)
		back, err := record.ParseGCG([]byte(g.String()))
		if err != nil {
			t.Fatalf("%v\n%s", err, g)
		}
		result, err := record.Replay(end.Rules, end.Equipment, back)
		if err != nil || len(back.Turns) != end.Turns {
			t.Fatalf("%v, %d turns of %d\n%s", err, len(back.Turns), end.Turns, g)
		}
		sum := 0
		for _, e := range events {
			if f, ok := e.Fact.(game.TurnScored); ok {
				sum += f.Score
			}
		}
		if result.Scores[0] != sum {
			t.Errorf("the master game scores %d, its plays %d", result.Scores[0], sum)
		}

		scores, err := record.Scores(events)
		gametest.Must(t, err)
		rows, err := csv.NewReader(strings.NewReader(string(scores))).ReadAll()
		gametest.Must(t, err)
		// The host has a line exactly if its own play went on the board.
		hosts, of := map[string]string{}, map[string]int{}
		for _, row := range rows[1:] {
			if of[row[0]]++; row[2] == "" {
				hosts[row[0]] = strings.Join(row[3:], ",")
			}
		}
		for at, e := range events {
			f, ok := e.Fact.(game.TurnScored)
			if !ok {
				continue
			}
			turn, want, lines := "", "", len(end.Seats)
			if s, err := game.Replay(events[:at+1]); err != nil {
				t.Fatal(err)
			} else if turn = fmt.Sprint(s.Turns); f.By == game.Nobody && f.Move.Kind == game.PlayTiles {
				want, lines = fmt.Sprintf("%s,%s,%d,0,0,0,1", f.Move.At.At(f.Move.Dir), s.Equipment.Tiles.Print(f.Move.Tiles), f.Score), lines+1
			}
			if hosts[turn] != want || of[turn] > lines {
				t.Errorf("turn %s has %d lines, want %d at most, the host's is %q, want %q", turn, of[turn], lines, hosts[turn], want)
			}
		}
		sums, totals := map[string]int{}, map[string]string{}
		for _, row := range rows[1:] {
			n, err := strconv.Atoi(row[6])
			gametest.Must(t, err)
			sums[row[2]] += n
			totals[row[2]] = row[7]
		}
		for _, seat := range end.Seats {
			name := seat.Person.Name
			if _, played := totals[name]; played && (totals[name] != fmt.Sprint(seat.Score) || sums[name] != seat.Score) {
				t.Errorf("%s has %d points; the lines add up to %d, the last says %s", name, seat.Score, sums[name], totals[name])
			}
		}
	})
}

// TestDuplicateProofDetectsChanges checks that the proof detects a changed draw or score.
func TestDuplicateProofDetectsChanges(t *testing.T) {
	events := gametest.RandomDuplicate(t, 8, 4, gametest.Duplicate(12*time.Hour))
	for _, change := range []struct {
		name string
		do   func(game.Fact) (game.Fact, bool)
	}{
		{"a draw", func(f game.Fact) (game.Fact, bool) {
			d, ok := f.(game.RackDrawn)
			ok = ok && len(d.Drew) > 1 && d.Drew[0] != d.Drew[1]
			if ok {
				d.Drew = d.Drew[1:2] + d.Drew[:1] + d.Drew[2:]
			}
			return d, ok
		}},
		{"a score", func(f game.Fact) (game.Fact, bool) {
			s, ok := f.(game.TurnScored)
			if ok {
				s.Scores = append([]int{s.Scores[0] + 1}, s.Scores[1:]...)
			}
			return s, ok
		}},
		{"a deadline", func(f game.Fact) (game.Fact, bool) {
			o, ok := f.(game.TurnOpened)
			o.Until = o.Until.Add(time.Second)
			return o, ok
		}},
		{"a submission's score", func(f game.Fact) (game.Fact, bool) {
			s, ok := f.(game.Submitted)
			s.Score++
			return s, ok && s.Move.Kind == game.PlayTiles
		}},
	} {
		t.Run(change.name, func(t *testing.T) {
			proof, err := record.NewProof(events)
			gametest.Must(t, err)
			for i, e := range proof.Events {
				f, ok := change.do(e.Fact)
				if !ok {
					continue
				}
				other := append([]game.Event(nil), proof.Events...)
				other[i].Fact = f
				proof.Events = other
				if _, err := proof.Check(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("event %d ", i)) {
					t.Errorf("event %d was changed: %v", i, err)
				}
				return
			}
			t.Fatal("there is none")
		})
	}
}

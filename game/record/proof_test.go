package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// provenGame returns a finished game with every kind of draw in it.
func provenGame(t testing.TB) []game.Event {
	t.Helper()
	rules := game.Club()
	rules.Challenge = game.TenPoint
	// Seed 27 has them all, as long as random games don't change.
	for seed := uint64(27); seed < 80; seed++ {
		events := gametest.RandomGame(t, seed, 2, rules)
		var exchanged, bonus, withdrawn, out bool
		for _, e := range events {
			switch f := e.Fact.(type) {
			case game.Exchanged:
				exchanged = true
			case game.Challenged:
				bonus = bonus || f.Bonus > 0
				withdrawn = withdrawn || len(f.Invalid) > 0
			case game.Ended:
				out = f.Reason == game.WentOut
			}
		}
		if exchanged && bonus && withdrawn && out {
			return events
		}
	}
	t.Fatal("no such game among the seeds from 27 to 79")
	return nil
}

func TestProofDetectsChanges(t *testing.T) {
	events := provenGame(t)
	set := gametest.Equipment(t).Tiles
	find := func(want func(game.Event) bool) int {
		t.Helper()
		i := slices.IndexFunc(events, want)
		if i < 0 {
			t.Fatal("there is no such event")
		}
		return i
	}
	isPlay := func(e game.Event) bool { f, ok := e.Fact.(game.Played); return ok && len(f.Drew) > 0 }
	// other returns another tile than the one drawn.
	other := func(ts game.Tiles) game.Tiles {
		tile := game.LetterTile(1)
		if ts.At(0) == tile {
			tile = game.LetterTile(2)
		}
		return game.TilesOf(tile) + ts[1:]
	}
	for name, change := range map[string]func(p *record.Proof) (want string){
		"nothing": func(p *record.Proof) string { return "" },
		"the commitment": func(p *record.Proof) string {
			p.Commitment = strings.Repeat("0", 64)
			return "the secret gives the commitment " + p.Secret.Commitment() + ", the file says 000"
		},
		"another secret, with its commitment": func(p *record.Proof) string {
			p.Secret[0]++
			p.Commitment = p.Secret.Commitment()
			return "event 0 doesn't open a table with that secret"
		},
		"another secret all over": func(p *record.Proof) string {
			p.Secret[0]++
			p.Commitment = p.Secret.Commitment()
			f := p.Events[0].Fact.(game.Opened)
			f.Secret = p.Secret
			p.Events[0].Fact = f
			return "drew"
		},
		"the id of a joining request": func(p *record.Proof) string {
			p.Events[find(func(e game.Event) bool { _, ok := e.Fact.(game.Joined); return ok && e.Number > 1 })].Cause += "x"
			return ""
		},
		"a tile in the draw for the first turn": func(p *record.Proof) string {
			i := find(func(e game.Event) bool { _, ok := e.Fact.(game.OrderDrawn); return ok })
			f := p.Events[i].Fact.(game.OrderDrawn)
			was := f.Tiles
			f.Tiles = other(was)
			p.Events[i].Fact = f
			return fmt.Sprintf("event %d drew %s, the seed gives %s", i, set.Print(f.Tiles), set.Print(was))
		},
		"a tile of a rack": func(p *record.Proof) string {
			i := find(func(e game.Event) bool { _, ok := e.Fact.(game.Dealt); return ok })
			f := p.Events[i].Fact.(game.Dealt)
			f.Racks = slices.Clone(f.Racks)
			f.Racks[1] = other(f.Racks[1])
			p.Events[i].Fact = f
			return fmt.Sprintf("event %d drew", i)
		},
		"who begins": func(p *record.Proof) string {
			i := find(func(e game.Event) bool { _, ok := e.Fact.(game.Dealt); return ok })
			f := p.Events[i].Fact.(game.Dealt)
			f.First = 1 - f.First
			p.Events[i].Fact = f
			return fmt.Sprintf("event %d is {", i)
		},
		"a tile after a play": func(p *record.Proof) string {
			i := find(isPlay)
			f := p.Events[i].Fact.(game.Played)
			was := f.Drew
			f.Drew = other(was)
			p.Events[i].Fact = f
			return fmt.Sprintf("event %d drew %s, the seed gives %s", i, set.Print(f.Drew), set.Print(was))
		},
		"a tile after an exchange": func(p *record.Proof) string {
			i := find(func(e game.Event) bool { _, ok := e.Fact.(game.Exchanged); return ok })
			f := p.Events[i].Fact.(game.Exchanged)
			was := f.Drew
			f.Drew = other(was)
			p.Events[i].Fact = f
			return fmt.Sprintf("event %d drew %s, the seed gives %s", i, set.Print(f.Drew), set.Print(was))
		},
		"a score": func(p *record.Proof) string {
			i := find(isPlay)
			f := p.Events[i].Fact.(game.Played)
			f.Score++
			p.Events[i].Fact = f
			return fmt.Sprintf("event %d scored %d, the rules give %d", i, f.Score, f.Score-1)
		},
		"a challenge bonus": func(p *record.Proof) string {
			i := find(func(e game.Event) bool { f, ok := e.Fact.(game.Challenged); return ok && f.Bonus > 0 })
			f := p.Events[i].Fact.(game.Challenged)
			f.Bonus += 10
			p.Events[i].Fact = f
			return fmt.Sprintf("event %d is {", i)
		},
		"whose turn it was": func(p *record.Proof) string {
			i := find(func(e game.Event) bool { _, ok := e.Fact.(game.Exchanged); return ok })
			f := p.Events[i].Fact.(game.Exchanged)
			f.Seat = 1 - f.Seat
			p.Events[i].Fact = f
			return fmt.Sprintf("event %d: against the rules", i)
		},
		"the points for the tiles left": func(p *record.Proof) string {
			i := len(p.Events) - 1
			f := p.Events[i].Fact.(game.Ended)
			f.Adjust = slices.Clone(f.Adjust)
			f.Adjust[0] += 2
			p.Events[i].Fact = f
			return fmt.Sprintf("event %d is {", i)
		},
		"an event taken out": func(p *record.Proof) string {
			i := find(isPlay)
			p.Events = slices.Delete(p.Events, i, i+1)
			return fmt.Sprintf("event %d", i)
		},
		"the end cut off": func(p *record.Proof) string {
			p.Events = p.Events[:len(p.Events)-1]
			return ""
		},
		"no events": func(p *record.Proof) string {
			p.Events = nil
			return "no events"
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := record.NewProof(slices.Clone(events))
			gametest.Must(t, err)
			want := change(&p)
			_, err = p.Check()
			switch {
			case name == "nothing":
				if err != nil {
					t.Error(err)
				}
			case err == nil || !strings.Contains(err.Error(), want):
				t.Errorf("error %v, want %q", err, want)
			}
		})
	}
}

func TestParseProofErrors(t *testing.T) {
	secret := strings.Repeat("00", 32)
	for name, c := range map[string]struct{ file, want string }{
		"nothing":        {"", "not a proof: EOF"},
		"a GCG":          {"#player1 ann", "not a proof: invalid character"},
		"another format": {`{"format":"rackmate proof 2"}`, `not a proof: its format is "rackmate proof 2"`},
		"half a secret":  {`{"format":"rackmate proof 1","secret":"00"}`, "the secret is not 32 bytes in hex"},
		"a bad event":    {`{"format":"rackmate proof 1","secret":"` + secret + `","events":[{"v":3}]}`, "it has format 3"},
		"a null event":   {`{"format":"rackmate proof 1","secret":"` + secret + `","events":[null]}`, "it has format 0"},
		"more than that": {`{"format":"rackmate proof 1","secret":"` + secret + `","signature":"x"}`, `unknown field "signature"`},
	} {
		if _, err := record.ParseProof([]byte(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// smallProof returns the smallest proof: two sit down and one resigns.
func smallProof(t testing.TB) []byte {
	t.Helper()
	var p record.Proof
	var s game.State
	ann, bob := gametest.People[0], gametest.People[1]
	for _, step := range []struct {
		by game.Person
		do game.Action
	}{
		{ann, game.Open{Rules: game.Classic(), Equipment: spanish(t), Lexicon: gametest.Lexicon, Seats: 2}},
		{bob, game.Join{}},
		{ann, game.Resign{}},
	} {
		events, err := game.Decide(s, step.by, step.do, game.Env{Dict: gametest.SmallDictionary(t)})
		gametest.Must(t, err)
		for _, e := range events {
			s = s.Apply(e)
		}
		p.Events = append(p.Events, events...)
	}
	p, err := record.NewProof(p.Events)
	gametest.Must(t, err)
	file, err := p.File()
	gametest.Must(t, err)
	return file
}

func FuzzParseProof(f *testing.F) {
	f.Add(smallProof(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := record.ParseProof(data)
		if err != nil {
			return
		}
		if _, err := p.Check(); err != nil {
			return
		}
		// A verified proof is of a finished game, so it can be made again.
		if _, err := record.NewProof(p.Events); err != nil {
			t.Errorf("it checks, but %v", err)
		}
	})
}

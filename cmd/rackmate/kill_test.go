package main

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"context"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// A killer kills the server at random moments, a few requests after each start, while one is in
// progress.
type killer struct {
	*server
	rng   *rand.Rand
	left  int // requests until the next kill
	apart int // most requests between kills
	kills int
}

// ask sends a request until it succeeds, and restarts the server when it has been killed. The
// request has an id, so it must be executed once.
func (k *killer) ask(v *visitor, path string, in, out any) {
	k.t.Helper()
	for {
		if k.left--; k.left == 0 {
			victim := k.cmd.Process
			time.AfterFunc(time.Duration(k.rng.IntN(12000))*time.Microsecond, func() { victim.Kill() })
		}
		status, err := v.post(path, in, out)
		switch {
		case err == nil && status == http.StatusOK:
			return
		case err == nil && status != http.StatusTooManyRequests:
			k.t.Fatalf("%s: status %d", path, status)
		}
		k.kill()
		k.kills++
		k.start()
		k.left = 1 + k.rng.IntN(k.apart)
	}
}

// say sends a line and returns the private answer.
func (k *killer) say(v *visitor, line string) said {
	var out struct{ Reply said }
	k.ask(v, "/api/say", map[string]string{"stream": "general", "id": v.nextID(), "text": line}, &out)
	return out.Reply
}

// TestKilledAtAnyMoment kills the process repeatedly during a game. No move, post or rack may be
// lost or duplicated.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	k := &killer{server: newProcess(t), rng: rand.New(rand.NewPCG(seed, 0)), left: 3, apart: 60}
	tired := 15 // turns before they only exchange and pass
	if gametest.Long() {
		k.apart, tired = 8, 60
	}
	lex, err := cli.OpenLexicon("en")
	gametest.Must(t, err)
	players := []*visitor{k.enter("Ann"), k.enter("Bob")}
	opened := k.say(players[0], "/new challenge:void seats:2")
	joined := k.say(players[1], "/join")
	if opened.Refused || joined.Refused {
		t.Fatalf("%v; %v", opened, joined)
	}

	played, over := 0, false
	for turns := 0; !over; turns++ {
		for _, v := range players {
			r := k.turn(v, lex, turns > tired)
			switch {
			case !r.Refused:
				played++
			case strings.Contains(r.String(), "over"):
				over = true
			}
		}
		if turns > 120 {
			t.Fatal("the game does not end")
		}
	}
	k.kill()
	k.start()
	k.left = 0 // no more killing
	eventually(t, "the end is posted", func() bool {
		all := players[0].messages("general")
		last := all[len(all)-1].String()
		return strings.Contains(last, "wins") || strings.Contains(last, "tie")
	})
	posts := k.posts(players[0])
	checkExport(t, k.data) // from the running host
	k.stop()
	checkExport(t, k.data) // from the file
	t.Logf("%d turns, killed %d times", played, k.kills)
	// A short game has fewer.
	if k.kills < min(gametest.Share(20), played/2) {
		t.Errorf("killed only %d times", k.kills)
	}
	s, turns := checkKept(t, k.data, posts)
	if s.Phase != game.Over {
		t.Errorf("the game is in phase %d", s.Phase)
	}
	if len(turns) != played {
		t.Errorf("%d turns were answered, %d are in the log", played, len(turns))
	}
}

// TestKilledWhileRobotsThink kills the process repeatedly while a robot thinks. Each of its moves
// must be made once.
func TestKilledWhileRobotsThink(t *testing.T) {
	t.Parallel()
	rounds := gametest.Rounds(2, 3)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	k := &killer{server: newProcess(t), rng: rand.New(rand.NewPCG(seed, 0)), left: 2, apart: 2}
	ann := k.enter("Ann")
	if opened := k.say(ann, "/new robots:strong challenge:void"); opened.Refused {
		t.Fatal(opened)
	}
	looks := 0
	for round := range rounds {
		k.left = 1 + k.rng.IntN(k.apart)
		eventuallyIn(t, 3*time.Minute, "the robot has moved", func() bool {
			if looks++; looks%25 != 0 {
				return false // asking more often is rejected
			}
			if k.kills > 2*round {
				k.left = 0 // let it move
			}
			return !k.say(ann, "/pass sure:yes").Refused
		})
	}
	k.kill() // the robot has just started to think
	k.kills++
	k.start()
	k.left = 0 // no more killing
	eventuallyIn(t, 3*time.Minute, "the robot has moved", func() bool { looks++; return looks%25 == 0 && !k.say(ann, "/pass sure:yes").Refused })
	k.stop()
	s, turns := checkKept(t, k.data, nil)
	seats := map[int]int{}
	for _, seat := range turns {
		seats[seat]++
	}
	if t.Logf("turns by seat %v, killed %d times", seats, k.kills); k.kills == 0 {
		t.Error("never killed")
	}
	for seat := range s.Seats {
		if seats[seat] < rounds {
			t.Errorf("seat %d had %d turns", seat, seats[seat])
		}
	}
}

// checkKept checks table 1. If posts isn't empty, the channel's posts announced that many events
// each: no event may be missing or duplicated. turns maps the requests to the seats that made them.
func checkKept(t *testing.T, data string, posts []int) (s game.State, turns map[string]int) {
	t.Helper()
	db, err := bolt.Open(data, time.Now)
	gametest.Must(t, err)
	defer db.Close()
	_, events, err := db.Events(context.Background(), 1, -1)
	gametest.Must(t, err)
	if s, err = game.Replay(events); err != nil {
		t.Fatal(err)
	}
	turns = map[string]int{}
	done := func(cause string, seat int) {
		if _, twice := turns[cause]; twice {
			t.Errorf("request %s was carried out twice", cause)
		}
		turns[cause] = seat
	}
	ends := []int{} // last event of each request
	for i, e := range events {
		switch f := e.Fact.(type) {
		case game.Played:
			done(e.Cause, f.Seat)
		case game.Exchanged:
			done(e.Cause, f.Seat)
		case game.Passed:
			done(e.Cause, f.Seat)
		}
		if i+1 == len(events) || events[i+1].Cause != e.Cause {
			ends = append(ends, i+1)
		}
	}
	if posts != nil && !slices.Equal(posts, ends) {
		t.Errorf("the posts in the channel tell of the events up to %v, the log has %v", posts, ends)
	}
	return s, turns
}

// checkExport exports table 1 and checks the files with the other tools.
func checkExport(t *testing.T, data string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "games") // doesn't exist yet
	status, out, err := command(t, "", "export", "--data", data, "-o", dir, "1")
	files := strings.Fields(out)
	if status != 0 || len(files) != 2 {
		t.Fatalf("export: status %d, %q, %s", status, out, err)
	}
	for i, tool := range []string{"replay", "verify"} {
		if status, out, err := command(t, "", tool, files[i]); status != 0 || !strings.HasPrefix(out, "ok ") {
			t.Errorf("%s %s: status %d, %q, %s", tool, files[i], status, out, err)
		}
	}
	if status, _, err := command(t, "", "export", "--data", data, "7"); status != 1 || !strings.Contains(err, "no table 7") {
		t.Errorf("export of no table: status %d, %s", status, err)
	}
}

// posts returns the number of events that each of the host's posts announces.
func (k *killer) posts(v *visitor) (ends []int) {
	before := uint64(0)
	for {
		var out struct{ Messages []said }
		k.ask(v, "/api/messages", map[string]any{"stream": "general", "before": before}, &out)
		var page []int
		for _, m := range out.Messages {
			if m.Table != 0 {
				page = append(page, m.Events)
			}
		}
		ends = append(page, ends...)
		if len(out.Messages) == 0 || out.Messages[0].Number == 1 {
			return ends
		}
		before = out.Messages[0].Number
	}
}

// turn makes a sensible move for a player: the first of some words that fits the board, or an
// exchange, or a pass.
func (k *killer) turn(v *visitor, lex *lexicon.Lexicon, tired bool) said {
	rack := k.say(v, "/rack")
	_, text, ok := strings.Cut(rack.String(), ": ")
	if rack.Refused || !ok {
		return rack
	}
	tiles := strings.ReplaceAll(text, " ", "")
	if !tired {
		for _, word := range k.words(lex, tiles, 8) {
			var out struct{ Choices []struct{ Insert string } }
			k.ask(v, "/api/complete", map[string]string{"stream": "general", "line": "/play " + word + " "}, &out)
			if len(out.Choices) > 0 {
				if r := k.say(v, "/play "+word+" "+out.Choices[0].Insert); !strings.Contains(r.String(), "Is that what you want?") {
					return r
				} // needs a blank: try another word
			}
		}
		if r := k.say(v, "/exchange "+tiles[:1+k.rng.IntN(len(tiles))]); !r.Refused {
			return r
		}
	}
	return k.say(v, "/pass sure:yes")
}

// words returns some words that the tiles spell, alone or with one letter more.
func (k *killer) words(lex *lexicon.Lexicon, tiles string, most int) []string {
	letters, err := lex.Alphabet().Parse(strings.ReplaceAll(tiles, "?", ""))
	gametest.Must(k.t, err)
	var all []string
	for w := range lex.Subanagrams(letters, strings.Count(tiles, "?")+k.rng.IntN(2)) {
		all = append(all, lex.Alphabet().String(w))
	}
	k.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	slices.SortStableFunc(all, func(a, b string) int { return len(b)/3 - len(a)/3 }) // longer ones first, roughly
	return all[:min(len(all), most)]
}

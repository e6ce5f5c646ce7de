package slack_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// strongest returns the play with the highest score as it is typed, or "" if there is none.
func strongest(g *movegen.Generator, s game.State) string {
	plays := g.Plays(&s.Board, s.Seats[s.Turn].Rack)
	if len(plays) == 0 {
		return ""
	}
	top := slices.MaxFunc(plays, func(a, b movegen.Play) int { return cmp.Compare(a.Score, b.Score) })
	return typed(s, top.Move())
}

// typed returns a play as it is typed.
func typed(s game.State, m game.Move) string {
	var b strings.Builder
	at := m.At
	for i := range len(m.Tiles) {
		tile := m.Tiles.At(i)
		if tile == game.NoTile {
			tile = s.Board.Tile(at)
		} else if tile.IsBlank() {
			b.WriteString("?")
		}
		b.WriteString(s.Equipment.Tiles.Alphabet().Text(tile.Letter()))
		at = at.Step(m.Dir, 1)
	}
	return strings.ToLower(b.String() + " " + m.At.At(m.Dir))
}

// TestWholeGameWithRestart plays a game of two people to its end. Halfway the host restarts with the
// same file; earlier buttons must still work.
func TestWholeGameWithRestart(t *testing.T) {
	list := gametest.ShippedList(t, "en") // with fewer words, more games end by passing
	w := newWorldOf(t, list, slacktest.Options{Looks: 2})
	for _, who := range []string{ann, bob} {
		gametest.Must(t, w.s.OpenHome(who))
	}
	w.deal("")
	g, err := movegen.New(list, gametest.Equipment(t), w.state().Rules)
	gametest.Must(t, err)
	restarts, scoreless := 0, 0
	for turn := 0; w.state().Phase == game.Playing; turn++ {
		if turn > 150 {
			t.Fatal("the game doesn't end")
		}
		if turn == 4 || turn == 9 {
			before := w.post("it's your turn")
			w.stop()
			w.start()
			restarts++
			w.press(ann, before, "My rack", nil)
		}
		s, who := w.state(), w.turn()
		command, text := "/play", strongest(g, s)
		scoreless++
		if text != "" {
			scoreless = 0
		} else {
			command, text = "/pass", "sure:yes"
			if len(s.Bag) >= s.Rules.ExchangeMin {
				command, text = "/exchange", s.Equipment.Tiles.Text(s.Seats[s.Turn].Rack.At(0))
			}
		}
		w.slash(who, command, text)
		if after := w.state(); after.Number == s.Number {
			t.Fatalf("%s %s changed nothing: %s", command, text, said(w.s.Private(who)[len(w.s.Private(who))-1:]))
		}
	}
	// The last play can be challenged until the opponent lets it stand.
	if s := w.state(); s.Phase == game.Closing {
		other := ann
		if strings.HasSuffix(string(s.Seats[s.Latest.Seat].Person.ID), ann) {
			other = bob
		}
		w.press(other, w.post("last tile"), "Accept it", nil)
	}
	if restarts != 2 {
		t.Errorf("%d restarts, want 2", restarts)
	}
	w.post(" wins")
	for _, m := range w.s.Messages(games) {
		if m.Metadata["event_type"] != "rackmate_post" {
			t.Errorf("a post without metadata: %s", m.Text)
		}
	}
	ends := game.WentOut
	if scoreless == 6 { // in one game of 400
		ends = game.ScorelessEnd
	}
	if s := w.state(); s.End == nil || s.End.Reason != ends {
		t.Errorf("the game ended by %+v, want %v", s.End, ends)
	}
	w.await("all boards but the last to be folded", func() bool {
		open := 0
		for _, m := range w.s.Messages(games) {
			if len(slacktest.Labels(m.Blocks)) > 0 {
				open++
			}
		}
		return open == 1
	})
	keys := map[any]int{}
	for _, m := range w.s.Messages(games) {
		payload, _ := m.Metadata["event_payload"].(map[string]any)
		keys[payload["key"]]++
	}
	for key, n := range keys {
		if n > 1 {
			t.Errorf("the post %v is there %d times", key, n)
		}
	}
	w.await("empty home pages", func() bool {
		return !slices.ContainsFunc([]string{ann, bob}, func(who string) bool {
			v, _ := w.s.Home(who)
			return !strings.Contains(v.Text(), "You have no games running")
		})
	})
}

// TestLobbyIsOneMessage checks that people who sit down edit the lobby's post, and that the
// board comes at once, however many they are.
func TestLobbyIsOneMessage(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/new", "variant:duplicate")
	w.post("wants to play")
	many := max(60, gametest.Share(300))
	for i := range many {
		w.s.Invent(fmt.Sprintf("U9%03d", i), games)
	}
	for i := range many {
		gametest.Must(t, w.s.Slash(fmt.Sprintf("U9%03d", i), games, "/rackmate", "join"))
	}
	w.adapter.Wait()
	w.await("the last of them in the lobby's post", func() bool {
		all := w.s.Messages(games)
		return strings.Contains(all[0].Said(), "others. Anybody can") && strings.Contains(all[0].Said(), "wants to play")
	})
	if n := len(w.s.Messages(games)); n != 1 {
		t.Errorf("%d messages in the lobby, want 1", n)
	}
	w.slash(ann, "/start", "")
	w.post("The rack for turn 1")
	if n := len(w.s.Messages(games)); n != 2 {
		t.Errorf("%d messages when the game has begun, want 2", n)
	}
	w.await("the lobby folded", func() bool { return strings.HasPrefix(w.s.Messages(games)[0].Said(), "Ann's table") })
}

// TestLiveBoardStaysInPlace checks that a place set to board:live has one post for a game, edited in place:
// its lobby, its board, its result. Calls are replies in its thread, and nothing is deleted.
func TestLiveBoardStaysInPlace(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/settings", "for:channel board:live")
	w.deal("")
	boards := func() (n int) {
		for _, m := range w.s.Messages(games) {
			if m.Shows() {
				n++
			}
		}
		return n
	}
	for range 2 {
		w.slash(w.turn(), "/pass", "sure:yes")
		w.post("<@" + w.turn() + ">, it's your turn") // an outdated board calls nobody
	}
	w.await("the board, and three calls below it", func() bool {
		all := w.s.Messages(games)
		return len(all) == 4 && strings.Contains(all[0].Said(), "passes") && all[0].Shows() && boards() == 1 &&
			all[0].Thread == "" && all[1].Thread == all[0].TS && all[3].Thread == all[0].TS && strings.Contains(all[3].Said(), "passed")
	})
	// People who don't play can press there too, and what is typed there is about the game.
	if got := w.press(cat, w.s.Messages(games)[3], "My rack", nil); !strings.Contains(got.Said(), "You aren't in this game.") || got.Thread == "" {
		t.Errorf("pressed in the thread: %q in the thread %q", got.Said(), got.Thread)
	}
	if got := w.slash(w.turn(), "/board", ""); strings.Contains(got.Said(), "Coming up") {
		t.Errorf("/board: %q", got.Said())
	}
	for _, who := range []string{ann, bob} {
		w.slash(who, "/settings", "ping:silent")
	}
	ts := w.s.Messages(games)[0].TS
	for range 2 {
		w.slash(w.turn(), "/pass", "sure:yes")
	}
	w.await("the board edited in its place, alone", func() bool {
		all := w.s.Messages(games)
		return len(all) == 4 && all[0].TS == ts && all[0].Edited && boards() == 1
	})
	leaves := w.turn()
	if asked := w.slash(leaves, "/resign", ""); len(slacktest.Labels(asked.Blocks)) > 0 {
		gametest.Must(t, w.s.Press(leaves, asked, slacktest.Labels(asked.Blocks)[0], nil))
	}
	w.await("the result, with the digest", func() bool {
		all := w.s.Messages(games)
		return len(all) == 5 && all[0].TS == ts && strings.Contains(all[0].Said(), "Fair draws") && all[0].Shows() && strings.Contains(all[0].Said(), "resigns") &&
			strings.Contains(all[4].Said(), "resigns") && w.s.Calls("chat.delete") == 0
	})
}

// TestUnusualRulesNeedOnePress checks that a colleague sits down with one press where
// the rules are unusual, and reads about them once.
func TestUnusualRulesNeedOnePress(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	const warning = "You haven't played this way before"
	for game := range 2 {
		w.slash(ann, "/rackmate", "new seats:2 pace:12h")
		got := w.press(bob, w.post("wants to play"), "Join", nil)
		w.post("it's your turn")
		if first := game == 0; strings.Contains(got.Said(), warning) != first || first != strings.Contains(got.Said(), "Turns are short") {
			t.Errorf("in game %d Bob is told %s", game+1, got.Said())
		}
		gametest.Must(t, w.s.Press(ann, w.slash(ann, "/rackmate", "resign"), "Yes, resign", nil))
		w.post("Bob wins")
	}
}

package slack_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/internal/standin"
	"github.com/rackmate/rackmate/game"
)

// Two people play a game to its end. In the middle the host goes down and
// comes back over the same file; the buttons of before still work.
func TestWholeGame(t *testing.T) {
	w := newWorld(t, standin.Options{Looks: 2})
	for _, who := range []string{ann, bob} {
		if err := w.s.OpenHome(who); err != nil {
			t.Fatal(err)
		}
	}
	w.deal("")
	restarts := 0
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
		command, text := "/play", best(s)
		if text == "" {
			command = "/pass"
			if len(s.Bag) >= s.Rules.ExchangeMin {
				command, text = "/exchange", s.Equipment.Tiles.Text(s.Seats[s.Turn].Rack.At(0))
			}
		}
		w.slash(who, command, text)
		if after := w.state(); after.Number == s.Number {
			t.Fatalf("%s %s changed nothing: %s", command, text, said(w.s.Private(who)[len(w.s.Private(who))-1:]))
		}
	}
	if restarts != 2 {
		t.Errorf("%d restarts, want 2", restarts)
	}
	w.post("SHA-256")
	w.post("The secret of the draws was")
	open := 0
	for _, m := range w.s.Messages(games) {
		if m.Metadata["event_type"] != "rackmate_post" {
			t.Errorf("a post without metadata: %s", m.Text)
		}
		if strings.Contains(fmt.Sprint(standin.Labels(m.Blocks)), "My rack") {
			open++
		}
	}
	w.await("all boards but the last to be folded", func() bool {
		open := 0
		for _, m := range w.s.Messages(games) {
			if len(standin.Labels(m.Blocks)) > 0 {
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
			return !strings.Contains(v.Text(), "You are in no game")
		})
	})
}

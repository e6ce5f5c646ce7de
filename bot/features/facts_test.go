package features_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// silent lists the facts that the channel isn't told, with the reasons.
var silent = map[string]string{
	"Hinted":       "a hint is for one player, who is told in private",
	"Preferred":    "the tiles that follow show what somebody would rather draw",
	"Started":      "the post says who goes first, or shows the first rack",
	"Submitted":    "what is submitted is secret until the turn is over",
	"Timed":        "the clock has a line of its own",
	"TurnExtended": "the message of the turn says until when it is open",
	"TurnOpened":   "the line below the board says until when the turn is open",
}

// Each fact has a sentence, or a reason to be silent. The stored games contain every kind.
func TestEveryFactHasASentence(t *testing.T) {
	logs, err := filepath.Glob("../../game/record/testdata/v*.jsonl")
	if err != nil || len(logs) == 0 {
		t.Fatalf("no stored games: %v", err)
	}
	variants := host.New(host.Config{Features: features.All}).Variants()
	seen, told := map[string]bool{}, map[string]bool{}
	for _, log := range logs {
		text, err := os.ReadFile(log)
		gametest.Must(t, err)
		events, err := record.UnmarshalLog(bytes.Split(bytes.TrimSpace(text), []byte("\n")))
		if err != nil {
			t.Fatalf("%s: %v", log, err)
		}
		whole, err := variants.Replay("test:parlour", 1, events)
		if err != nil {
			t.Fatalf("%s: %v", log, err)
		}
		for i, e := range events {
			before, err := whole.At(i)
			gametest.Must(t, err)
			name := reflect.TypeOf(e.Fact).Name()
			seen[name] = true
			if len(words.Sentence(whole.Variant, before.State, e)) > 0 {
				told[name] = true
			}
		}
	}
	facts := gametest.FactNames(t)
	for _, name := range facts {
		why, hush := silent[name]
		switch {
		case !seen[name]:
			t.Errorf("no stored game has the fact %s: add one to the logs in game/record/testdata", name)
		case !told[name] && !hush:
			t.Errorf("nobody is told of %s: give it a sentence in bot/words or in its variant, or a reason to be silent here", name)
		case told[name] && hush:
			t.Errorf("%s is silent (%s), and yet it is told", name, why)
		}
	}
	for name := range silent {
		if !slices.Contains(facts, name) {
			t.Errorf("there is no fact %s to be silent about", name)
		}
	}
}

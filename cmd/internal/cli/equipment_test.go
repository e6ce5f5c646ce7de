package cli

import (
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// TestEmbeddedListsAreSound verifies the embedded lists, because the program opens them without
// verifying.
func TestEmbeddedListsAreSound(t *testing.T) {
	t.Parallel()
	names := data.Lexicons()
	if len(names) < 2 {
		t.Fatalf("only %v", names)
	}
	for _, name := range names {
		file, err := data.Lexicon(name)
		gametest.Must(t, err)
		if name != "en" && !gametest.Long() {
			continue // TestLexiconSave verifies a packed one
		}
		if x, err := lexicon.Open(file); err != nil || x.Name() != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

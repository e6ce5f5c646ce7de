package features_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// An operator can export a finished game from the store. A running game's racks stay secret, and a
// broken log is reported.
func TestExportFinishedGame(t *testing.T) {
	over := featuretest.GameOver(t)
	files, err := features.Export(1, over)
	gametest.Must(t, err)
	var names []string
	for _, f := range files {
		if len(f.Data) == 0 {
			t.Errorf("%s is empty", f.Name)
		}
		names = append(names, f.Name)
	}
	if want := []string{"rackmate-1.gcg", "rackmate-1-proof.json"}; !slices.Equal(names, want) {
		t.Errorf("the files are %q, want %q", names, want)
	}
	if _, err := features.Export(1, over[:len(over)/2]); !errors.Is(err, record.ErrNotOver) {
		t.Errorf("of a game that runs: %v", err)
	}
	if files, err := features.Export(1, over[1:]); err == nil || errors.Is(err, record.ErrNotOver) {
		t.Errorf("of a log that lacks its beginning: %d files, %v", len(files), err)
	}
}

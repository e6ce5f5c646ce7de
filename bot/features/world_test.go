package features_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game/gametest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	pgtest.StopShared()
	os.Exit(code)
}

// A world is a host with all features.
type world struct{ *featuretest.World }

func newWorld(t testing.TB, changes ...func(*host.Config)) *world {
	return &world{featuretest.New(t, changes...)}
}

const parlour = featuretest.Parlour

var (
	people      = bottest.People
	dealt       = bottest.Dealt
	put         = featuretest.Put
	events      = featuretest.Events
	pictures    = featuretest.Pictures
	replySaid   = featuretest.ReplySaid
	messageSaid = featuretest.MessageSaid
	equipment   = featuretest.Equipment
	mind        = featuretest.Mind
)

var update = flag.Bool("update", false, "write the transcripts of all features anew")

// TestTranscripts plays the transcripts that involve several features. The others are with their
// feature; -update writes them all.
func TestTranscripts(t *testing.T) {
	if *update {
		for _, file := range transcripts(t) {
			t.Run(filepath.Base(file), func(t *testing.T) {
				gametest.Must(t, os.WriteFile(file, []byte(featuretest.Played(t, featuretest.Script(t, file))), 0o666))
			})
		}
		return
	}
	featuretest.Transcripts(t)
}

// transcripts returns the transcripts of all features.
func transcripts(t testing.TB) []string {
	files, err := filepath.Glob("../feature/*/testdata/*.txt")
	own, _ := filepath.Glob("testdata/*.txt")
	host, _ := filepath.Glob("../host/testdata/*.txt")
	if files = slices.Concat(files, own, host); err != nil || len(files) < 20 {
		t.Fatalf("transcripts: %v, %v", files, err)
	}
	return files
}

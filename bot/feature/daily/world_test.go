package daily_test

import (
	"testing"

	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
)

// A world is a house with all features, whose robots know half of the words.
type world struct{ *featuretest.World }

func newWorld(t testing.TB, changes ...func(*host.Config)) *world {
	half := func(c *host.Config) { c.Mind = featuretest.HalfKnown }
	return &world{featuretest.New(t, append([]func(*host.Config){half}, changes...)...)}
}

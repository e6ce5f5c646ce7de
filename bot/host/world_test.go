package host_test

import (
	"testing"

	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
)

// A world is a host with all features.
type world struct{ *featuretest.World }

func newWorld(t testing.TB, changes ...func(*host.Config)) *world {
	return &world{featuretest.New(t, changes...)}
}

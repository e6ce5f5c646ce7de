package ladder_test

import (
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
)

// A world is a host with all features.
type world struct{ *featuretest.World }

func newWorld(t testing.TB, changes ...func(*host.Config)) *world {
	return &world{featuretest.New(t, changes...)}
}

// profileOf returns a player's page as plain text.
func profileOf(w *featuretest.World, who bot.User) (string, error) {
	return w.PageText("/@{player}", bot.Visit{Request: bot.Request{People: []bot.User{who}}})
}

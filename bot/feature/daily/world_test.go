package daily_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature/daily"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
)

// A world is a host with all features whose robots know half of the words.
type world struct{ *featuretest.World }

func newWorld(t testing.TB, changes ...func(*host.Config)) *world {
	half := func(c *host.Config) { c.Mind = featuretest.HalfKnown }
	return &world{featuretest.New(t, append([]func(*host.Config){half}, changes...)...)}
}

// boardPages asks for the pages of boards.
type boardPages struct{ w *featuretest.World }

func (p boardPages) todayKey(_ context.Context, req bot.Request) (string, error) {
	page, err := p.w.Page("/d", bot.Visit{Request: req})
	return strings.TrimPrefix(page.Go, "/d/"), err
}

func (p boardPages) page(_ context.Context, key string, req bot.Request) (daily.Page, error) {
	return featuretest.AskAt[daily.Page](p.w, "/d/{key}/table", bot.Visit{Key: key, Request: req}, struct{}{})
}

func (p boardPages) draft(_ context.Context, key string, req bot.Request) (bot.Draft, error) {
	return featuretest.AskAt[bot.Draft](p.w, "/d/{key}/draft", bot.Visit{Key: key, Request: req}, req.Args)
}

func (p boardPages) file(_ context.Context, key, name string) (bot.File, error) {
	return p.w.File("/d/{key}", name, bot.Visit{Key: key, Request: bot.Request{Channel: featuretest.Parlour}})
}

package platformtest

import (
	"context"
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A host records the requests it gets. Its only table waits for players for ever.
type host struct {
	mu    sync.Mutex
	asked []bot.Request
	reply func(bot.Request) bot.Reply // nil means every request succeeds
}

func (h *host) requests() []bot.Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]bot.Request(nil), h.asked...)
}

// answer sets the reply to later requests.
func (h *host) answer(reply func(bot.Request) bot.Reply) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reply = reply
}

func (h *host) Handle(_ context.Context, req bot.Request) bot.Reply {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked = append(h.asked, req)
	if h.reply == nil {
		return bot.Reply{Text: text.Plain("All right.")}
	}
	return h.reply(req)
}

func (h *host) Commands() bot.Commands {
	return bot.Commands{
		{Name: "play", Help: "Lay a word", Example: "/play horn 8h", Options: []bot.Option{{Name: "word", Help: "The word", Required: true}, {Name: "at", Help: "Where"}}},
		{Name: "rack", Help: "See your rack", Example: "/rack", Options: []bot.Option{{Name: "order", Help: "How it is sorted"}}},
	}
}

func (h *host) Complete(context.Context, bot.Request, string) []bot.Choice { return nil }

func (h *host) Picture(context.Context, bot.Posted, bool) (*bot.Picture, error) {
	return nil, bot.ErrNoPicture
}

func (h *host) Sight(context.Context, bot.Request) (bot.Sight, error) {
	return bot.Sight{Scene: bot.Scene{Table: 1, Phase: "lobby"}}, nil
}

func (h *host) Usual(context.Context, bot.Request) (map[string]string, error) { return nil, nil }

func (h *host) LocaleFor(context.Context, bot.Request) *text.Locale { return nil }

func (h *host) Draft(context.Context, bot.Request) (bot.Draft, error) { return bot.Draft{}, nil }

func (h *host) Games(context.Context, bot.PlayerID) ([]bot.Game, error) { return nil, nil }

func (h *host) MaySay(context.Context, string, bot.PlayerID) (text.Text, error) { return nil, nil }

func (h *host) Blocks(context.Context, bot.PlayerID, bot.PlayerID) (bool, error) { return false, nil }

func (h *host) Same(context.Context, bot.PlayerID, bot.PlayerID) error { return nil }

func (h *host) Joined(context.Context, bot.ChannelID, string, string) error { return nil }

func (h *host) MemberLeft(context.Context, string, bot.PlayerID) error { return nil }
func (h *host) MemberRenamed(context.Context, string, bot.User) error  { return nil }

func (h *host) ChannelGone(context.Context, bot.ChannelID) error { return nil }

func (h *host) HomeGone(context.Context, string) error { return nil }

func (h *host) Retry(context.Context, func(bot.ChannelID) bool) {}

package people

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/person"
	"github.com/rackmate/rackmate/bot/settings"
)

// Feature is what people set, who they are elsewhere, and what is kept of
// them.
func Feature() host.Feature {
	return host.Feature{
		Commands: []host.Command{
			{Command: bot.Command{Name: "games", Help: "See all your games, those first that wait for you", Example: "/games", Options: gamesOptions()}, Run: games, Complete: nil},
			{Command: bot.Command{Name: "link", Help: "Be one person on several surfaces", Example: "/link", Options: linkOptions()}, Run: link, Complete: nil},
			{Command: bot.Command{Name: "data", Help: "Get all that is kept of you, or have it removed", Example: "/data export", Options: dataOptions()}, Run: data, Complete: nil},
			{Command: bot.Command{Name: "settings", Help: "See and change how you are told things", Example: "/settings ping:dm quiet:22-8", Options: settingsOptions()}, Run: showSettings, Complete: map[string]host.Completer{"zone": zones, "quiet": quietHours}},
		},
		Elsewhere:  elsewhere,
		Heard:      keepLocale,
		Identities: person.Identities,
		Speaks:     person.Speaks,
		Settings:   []settings.Setting{settings.SpeakSetting()},
		Begin:      forgetLeavers,
		Same:       same,
		Kept:       &host.Keeping{Shelves: []string{person.SettingsShelf, settings.LocalesShelf, person.LinksShelf, triesShelf, elsewhereShelf}, Own: codesOf, Forget: unlinkLeaver},
	}
}

// keepLocale notes the language of whoever asks, where their platform can't be asked
// for it later.
func keepLocale(ctx context.Context, h *host.Host, req bot.Request) error {
	if h.Platform(req.Channel).Locale != nil {
		return nil
	}
	return h.KeepLocale(ctx, req)
}

package host

import "github.com/rackmate/rackmate/bot"

// peopleFeature is what people set, who they are elsewhere, and what is kept of
// them.
func peopleFeature() Feature {
	return Feature{
		Commands: []command{
			{bot.Command{Name: "games", Help: "See all your games, those first that wait for you", Example: "/games", Options: gamesOptions()}, (*Host).games, nil},
			{bot.Command{Name: "link", Help: "Be one person on several surfaces", Example: "/link", Options: linkOptions()}, (*Host).link, nil},
			{bot.Command{Name: "data", Help: "Get all that is kept of you, or have it removed", Example: "/data export", Options: dataOptions()}, (*Host).data, nil},
			{bot.Command{Name: "settings", Help: "See and change how you are told things", Example: "/settings ping:dm quiet:22-8", Options: settingsOptions()}, (*Host).settings, map[string]completer{"zone": (*Host).zones, "quiet": (*Host).quietHours}},
		},
		Posts: map[string]posting{goneKind: {Tell: (*Host).goneMessage}},
		Begin: (*Host).forgetLeavers,
		Kept:  &keeping{Shelves: []string{settingsShelf, linksShelf, triesShelf, elsewhereShelf}, Own: codesOf, Forget: unlinkLeaver},
	}
}

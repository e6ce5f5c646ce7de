package people

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// A Feature manages people's settings, linked accounts and data, and what happens to their
// games when they leave or the channel is gone.
type Feature struct {
	desk feature.Desk
	own  *shelf.Owner
	Others

	links     *shelf.Shelf[shelf.Person, storedLink]
	codes     *shelf.Shelf[shelf.Mark, storedCode] // by hash of the code
	tries     *shelf.Shelf[shelf.Person, storedTries]
	offers    *shelf.Shelf[shelf.Home, storedOffer]
	elsewhere *shelf.Shelf[shelf.Person, storedElsewhere]
}

// Others holds what the feature needs from the host and from other features.
type Others struct {
	Settings *settings.Settings
	Archive  feature.Archive
	// URL and Contact are explained at [feature.Resources].
	URL, Contact string
	// ClearRefusal deletes the record that a person's direct messages were refused. It
	// reports whether there was one.
	ClearRefusal func(ctx context.Context, who game.PlayerID) (refused bool, err error)
	// RefreshCards shows a change of a person's settings in their rack cards.
	RefreshCards func(ctx context.Context, who game.PlayerID, cause string) error
	// RefreshOverviews shows a change of a place's settings in the overviews of its games.
	RefreshOverviews func(ctx context.Context, req bot.Request) error
	// PinOverview pins the overview of a channel's games.
	PinOverview func(ctx context.Context, req bot.Request) (bot.Reply, error)
	// Front is the function of [feature.Linker].
	Front func(context.Context, table.Table) (string, error)
	// Invited lists the tables that wait for a person who was invited to them.
	Invited func(ctx context.Context, who game.PlayerID) ([]table.Table, error)
	// ChooseZone returns the zone in which an hour for a channel's daily board is meant, or refuses.
	ChooseZone func(ctx context.Context, req bot.Request) (string, error)
	// Schedules describe what is posted in a channel at set times.
	Schedules []Schedule
}

// ways returns the functions that link to games.
func (f *Feature) ways() feature.Linker {
	return feature.Linker{Home: f.Others.Settings.HomeOf, Front: f.Front}
}

// A Schedule returns an option of /settings that posts something in a channel at set times, and
// its value there, or "" if nothing is posted.
type Schedule func(ctx context.Context, ch bot.ChannelID) (option, value string, err error)

// New returns the feature.
func New(d feature.Desk, own *shelf.Owner, o Others) *Feature {
	f := &Feature{
		desk: d, own: own, Others: o,
		codes:     shelf.Open(own, "codes", shelf.Spec[shelf.Mark, storedCode]{Why: "the codes that people were given to link themselves, for ten minutes", Whose: func(c storedCode) game.PlayerID { return c.For }}),
		tries:     shelf.Open(own, "tries", shelf.Spec[shelf.Person, storedTries]{Why: "how many wrong codes somebody typed lately"}),
		offers:    shelf.Open(own, "set up", shelf.Spec[shelf.Home, storedOffer]{Why: "that the managers of a server were offered to set it up, which happens once"}),
		elsewhere: shelf.Open(own, "elsewhere", shelf.Spec[shelf.Person, storedElsewhere]{Why: "the game that somebody's latest request was for"}),
	}
	f.links = shelf.Open(own, "links", shelf.Spec[shelf.Person, storedLink]{
		Why: "who somebody is on other surfaces", Rename: unlink,
		Find: func(tx shelf.Tx, who game.PlayerID, _ []bot.TableID) (all []shelf.Person, err error) {
			ids, err := f.linkedIdentities(tx, who)
			for _, id := range ids {
				all = append(all, shelf.Person(id))
			}
			return all, err
		},
	})
	return f
}

// Hooks returns what the feature adds to a host.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{
		Commands:  f.commands,
		Settings:  []settings.Setting{settings.SpeakSetting(), settings.ZoneSetting()},
		Posts:     map[string]feature.Posting{goneKind: {Tell: f.goneMessage}, setupKind: {Tell: f.setupMessage, Apart: true}},
		Persons:   f,
		Hear:      f.hear,
		Elsewhere: f.findGame,
		Join:      f.postSetup,
		Leave:     f.leave,
	}
}

func (f *Feature) leave(ctx context.Context, l feature.Leaving) error {
	switch l.What {
	case feature.ChannelGone:
		return f.channelGone(ctx, l.Channel)
	case feature.MemberLeft:
		return f.memberLeft(ctx, l.Home, l.Person)
	}
	return nil
}

// commands returns the feature's commands.
func (f *Feature) commands() []feature.Command {
	set := feature.Command{Command: bot.Command{Name: "settings", Help: "See and change your settings, or this place's", Example: "/settings ping:dm quiet:22-8", Options: append(settingsOptions(), settings.Options(f.Others.Settings.All())...)}, Run: f.showSettings, Complete: map[string]feature.Completer{"quiet": quietHours}}
	for _, s := range f.Others.Settings.All() {
		if s.Complete != nil {
			set.Complete[s.Name] = func(_ context.Context, req bot.Request) []bot.Choice { return s.OrUnset(f.Others.Settings.Has(), req) }
		}
	}
	return []feature.Command{
		{Command: bot.Command{Name: "games", Help: "See your games, your turn first", Example: "/games", Options: []bot.Option{{Name: "page", Help: "Which page of a long list", Kind: bot.Words}}}, Run: f.games},
		{Command: bot.Command{Name: "link", Help: "Link your accounts on several platforms", Example: "/link", Options: linkOptions()}, Run: f.link},
		{Command: bot.Command{Name: "data", Help: "Get everything that's kept about you, or have it removed", Example: "/data export", Options: dataOptions()}, Run: f.data},
		{Command: bot.Command{Name: "privacy", Help: "See what is kept about you, why, how long, and by whom", Example: "/privacy"}, Run: f.privacy},
		set,
	}
}

// hear stores the sender's language if their platform can't look it up later.
func (f *Feature) hear(ctx context.Context, req bot.Request) (text.Text, error) {
	if f.desk.Platform(req.Channel).Locale != nil {
		return nil, nil
	}
	return nil, f.Others.Settings.KeepLocale(ctx, req)
}

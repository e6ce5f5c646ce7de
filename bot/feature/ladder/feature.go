package ladder

import (
	"context"
	"math"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// A Feature keeps the records and ratings of finished games.
type Feature struct {
	desk     feature.Desk
	settings preferences
	*book
	// Named returns the tables whose events name a player.
	Named func(ctx context.Context, who game.PlayerID) ([]bot.TableID, error)
	// Unrated reports whether a game is unrated for a reason outside its rules.
	Unrated func(ctx context.Context, t table.Table) (bool, error)
	// Zone returns the time zone that another feature uses for its posts in a channel, or nil.
	Zone func(ctx context.Context, ch bot.ChannelID) (*time.Location, error)
	// Page returns the path of a table's page.
	Page func(ctx context.Context, t bot.TableID) (string, error)
	// Boards returns the number of days on which a player played daily boards, and their
	// longest streak.
	Boards func(ctx context.Context, who game.PlayerID) (days, inARow int, err error)
}

// preferences is the part of the settings that the feature reads.
type preferences interface {
	Of(ctx context.Context, who game.PlayerID) (settings.Person, error)
	// HomeOf and HomeFor return the home of a channel and of a request, or "".
	HomeOf(ctx context.Context, ch bot.ChannelID) (string, error)
	HomeFor(ctx context.Context, req bot.Request) (string, error)
	// OpenChannel returns a thread's parent channel, or the channel itself if it isn't a
	// thread.
	OpenChannel(ctx context.Context, ch bot.ChannelID) (bot.ChannelID, error)
}

// New returns the feature.
func New(d feature.Desk, own *shelf.Owner, s preferences) *Feature {
	return &Feature{desk: d, settings: s, book: newBook(own)}
}

// Hooks returns what the feature adds to a host.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{
		Commands:   f.commands,
		Extensions: map[string]feature.Extension{"settings": {Options: []bot.Option{weekOption}, Run: f.setWeek}},
		Due:        map[string]feature.Due{recordKind: {Do: f.record}, weekKind: {Do: f.endWeek}},
		Posts:      map[string]feature.Posting{weekKind: {Tell: f.weekMessage, Apart: true}},
		Pages:      f.pages(),
		Sight:      f.rateEnding,
		Result:     f.addToResult,
		Timers:     func(_ context.Context, s feature.Step) []bot.Timer { return recordIn(s.After, s.Done) },
		Leave: func(ctx context.Context, l feature.Leaving) error {
			if l.What != feature.SeatLeft {
				return nil
			}
			// Before the player is erased, so that nothing is counted for them later.
			return f.record(ctx, bot.Timer{Channel: l.Channel, Table: l.Table})
		},
	}
}

// commands returns the feature's commands.
func (f *Feature) commands() []feature.Command {
	return []feature.Command{
		{Command: bot.Command{Name: "stats", Help: "See your stats, or somebody else's", Example: "/stats", Options: []bot.Option{{Name: "player", Help: "Whose stats. Leave it out for your own.", Kind: bot.People}}}, Run: f.stats},
		{Command: bot.Command{Name: "top", Help: "See this server's best players and plays", Example: "/top month", Options: topOptions()}, Run: f.top},
	}
}

// Rating returns a player's rating in the pool they have played most, or 0 if they have
// none.
func (f *Feature) Rating(ctx context.Context, who game.PlayerID) (int, error) {
	p, _, err := f.players.Get(ctx, shelf.Person(who))
	if all := pools(p.Ratings); err == nil && len(all) > 0 {
		return int(math.Round(p.Ratings[all[0]].Value)), nil
	}
	return 0, err
}

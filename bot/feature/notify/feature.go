package notify

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// A Feature tells people that it is their turn, and keeps their plans.
type Feature struct {
	desk feature.Desk
	own  *shelf.Owner
	Others

	digests *shelf.Shelf[shelf.Person, storedDigest]
	nudges  *shelf.Shelf[shelf.Mark, storedNudge] // by the table's number
	plans   *shelf.Shelf[planKey, storedPlan]
	refused *shelf.Shelf[shelf.Person, storedRefusal]
}

// Others are what it has of the host and of other features.
type Others struct {
	// Home returns the home of a channel, and Wishes how a person wants to hear of a table.
	Home   func(ctx context.Context, ch bot.ChannelID) (string, error)
	Wishes func(ctx context.Context, who game.PlayerID, t bot.TableID) (settings.Wishes, error)
	Away   Away
	// Moved has a channel looked at once more.
	Moved func(bot.ChannelID)
	// Board puts the board and its buttons under a message.
	Board func(ctx context.Context, t table.Table, m *bot.Message) error
	// Front is as in [feature.Ways].
	Front func(context.Context, table.Table) (string, error)
}

// ways lead to games.
func (f *Feature) ways() feature.Ways {
	return feature.Ways{Home: f.Home, Front: f.Front}
}

// Away knows who is away.
type Away interface {
	// IsAway reports whether somebody is at a table, and SaysAway whether they have
	// said so.
	IsAway(ctx context.Context, t table.Table, who game.PlayerID) (bool, error)
	SaysAway(ctx context.Context, who game.PlayerID) (bool, error)
}

// New makes the feature.
func New(d feature.Desk, own *shelf.Owner, o Others) *Feature {
	return &Feature{
		desk: d, own: own, Others: o,
		digests: shelf.Open(own, "digests", shelf.Spec[shelf.Person, storedDigest]{Why: "when somebody was last sent the list of their games"}),
		nudges:  shelf.Open(own, "nudges", shelf.Spec[shelf.Mark, storedNudge]{Why: "when the player to move at a table was last nudged"}),
		plans:   shelf.Open(own, "plans", shelf.Spec[planKey, storedPlan]{Why: "what somebody means to play at their next turn"}),
		refused: shelf.Open(own, "refused", shelf.Spec[shelf.Person, storedRefusal]{Why: "when a direct message to somebody was last refused"}),
	}
}

// Hooks returns what the feature adds to a host.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{
		Commands: f.commands,
		Due:      f.due(),
		Posts:    f.posts(),
		Hear:     f.hear,
		Timers:   f.timers,
		Follow:   f.follow,
		Send:     f.wants,
		Refused:  f.noteRefused,
		Hush:     f.hush,
	}
}

// commands are those of the feature.
func (f *Feature) commands() []feature.Command {
	return []feature.Command{
		{Command: bot.Command{Name: "plan", Help: "Plan your next play in private", Example: "/plan horn 8h least:20", Options: planOptions()}, Run: f.plan, Complete: map[string]feature.Completer{"at": feature.Squares(f.desk), "least": leastPoints}},
		{Command: bot.Command{Name: "nudge", Help: "Remind the player to move (once a day)", Example: "/nudge"}, Run: f.nudge},
	}
}

// due is what the timers do that Timers sets.
func (f *Feature) due() map[string]feature.Due {
	return map[string]feature.Due{
		turnKind:   {Do: f.planCall},
		sentKind:   {Do: f.planCall},
		callKind:   {Do: f.callTurn},
		remindKind: {Do: f.remindTurn},
		digestKind: {Do: f.digest, Last: true}, // it tells how things stand then
	}
}

// posts are those of the feature.
func (f *Feature) posts() map[string]feature.Posting {
	return map[string]feature.Posting{
		planKind: {Tell: f.planMessage}, callKind: {Tell: f.callMessage},
		remindKind: {Tell: f.callMessage}, digestKind: {Tell: f.digestMessage},
	}
}

// hear tries direct messages again with whoever says something.
func (f *Feature) hear(ctx context.Context, req bot.Request) error {
	if req.Command == "settings" {
		return nil // which says it first
	}
	_, err := f.TakesAgain(ctx, req.User.ID)
	return err
}

// wishes are how somebody wants to be called to their turns at a table, as far as that
// can be.
func (f *Feature) wishes(ctx context.Context, who game.PlayerID, t bot.TableID) (settings.Wishes, error) {
	w, err := f.Wishes(ctx, who, t)
	if err == nil && (w.Ping == settings.PingDM || w.Digests()) {
		var refused bool
		if refused, err = f.refuses(ctx, who); refused {
			w.Ping = settings.PingHere
		}
	}
	return w, err
}

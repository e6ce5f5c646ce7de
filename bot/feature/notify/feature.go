package notify

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

// A Feature notifies players of their turns and keeps their plans.
type Feature struct {
	desk feature.Desk
	Others

	digests *shelf.Shelf[shelf.Person, storedDigest]
	nudges  *shelf.Shelf[shelf.Mark, storedNudge] // by table number
	plans   *shelf.Shelf[planKey, storedPlan]
	refused *shelf.Shelf[shelf.Person, storedRefusal]
	since   *shelf.Shelf[shelf.Mark, storedSince]
}

// Others holds what the feature needs from the host and from other features.
type Others struct {
	// Home returns the home of a channel, and Wishes a person's notification settings for a
	// table.
	Home   func(ctx context.Context, ch bot.ChannelID) (string, error)
	Wishes func(ctx context.Context, who game.PlayerID, t bot.TableID) (settings.Wishes, error)
	// StopRacks sets that a person gets no racks by direct message.
	StopRacks func(ctx context.Context, who game.PlayerID) error
	Away      Away
	// Moved marks a channel so that its plans are checked again.
	Moved func(bot.ChannelID)
	// Board adds the board and its buttons to a message.
	Board func(ctx context.Context, t table.Table, m *bot.Message) error
	// Front is the function of [feature.Linker].
	Front func(context.Context, table.Table) (string, error)
}

// ways returns the functions that link to games.
func (f *Feature) ways() feature.Linker {
	return feature.Linker{Home: f.Home, Front: f.Front}
}

// An Away reports who is away.
type Away interface {
	// IsAway reports whether a person is away at a table, and SaysAway whether they have
	// announced an absence that runs now.
	IsAway(ctx context.Context, t table.Table, who game.PlayerID) (bool, error)
	SaysAway(ctx context.Context, who game.PlayerID) (bool, error)
}

// New returns the feature.
func New(d feature.Desk, own *shelf.Owner, o Others) *Feature {
	return &Feature{
		desk: d, Others: o,
		digests: shelf.Open(own, "digests", shelf.Spec[shelf.Person, storedDigest]{Why: "when somebody was last sent the list of their games"}),
		nudges:  shelf.Open(own, "nudges", shelf.Spec[shelf.Mark, storedNudge]{Why: "when the player to move at a table was last nudged"}),
		plans:   shelf.Open(own, "plans", shelf.Spec[planKey, storedPlan]{Why: "what somebody means to play at their next turn"}),
		refused: shelf.Open(own, "refused", shelf.Spec[shelf.Person, storedRefusal]{Why: "when a direct message to somebody was last refused"}),
		since:   shelf.Open(own, "rack cards", shelf.Spec[shelf.Mark, storedSince]{Why: "since when players have a private message with their rack"}),
	}
}

// Hooks returns what the feature adds to a host.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{
		Commands: f.commands,
		Due:      f.dueHandlers(),
		Posts:    f.posts(),
		Hear:     f.hear,
		Timers:   f.timers,
		Follow:   f.follow,
		Send:     f.wants,
		Refused:  f.noteRefused,
		Hush:     f.hush,
	}
}

// commands returns the feature's commands.
func (f *Feature) commands() []feature.Command {
	return []feature.Command{
		{Command: bot.Command{Name: "plan", Help: "Plan your next play in private", Example: "/plan horn 8h least:20", Options: planOptions()}, Run: f.plan, Complete: map[string]feature.Completer{"at": feature.Squares(f.desk), "least": leastPoints}},
		{Command: bot.Command{Name: "nudge", Help: "Remind the player to move (once a day)", Example: "/nudge"}, Run: f.nudge},
	}
}

// dueHandlers returns the handlers of the feature's timers.
func (f *Feature) dueHandlers() map[string]feature.Due {
	return map[string]feature.Due{
		turnKind:   {Do: f.planCall},
		sentKind:   {Do: f.planCall},
		cardsKind:  {Do: f.postCard},
		callKind:   {Do: f.callTurn},
		remindKind: {Do: f.remindTurn},
		digestKind: {Do: f.digest, Last: true}, // last, so that it lists the state after the other timers
	}
}

// posts returns the feature's posts.
func (f *Feature) posts() map[string]feature.Posting {
	return map[string]feature.Posting{
		table.RackKind: {Tell: f.cardMessage},
		planKind:       {Tell: f.planMessage}, callKind: {Tell: f.callMessage},
		remindKind: {Tell: f.callMessage}, digestKind: {Tell: f.digestMessage},
	}
}

// hear makes the host try direct messages again with a player who has used a command. If their
// rack was refused last, it returns a note about that.
func (f *Feature) hear(ctx context.Context, req bot.Request) (text.Text, error) {
	if req.Command == "settings" {
		return nil, nil // it calls ClearRefusal itself
	}
	last, refused, err := f.takeRefusal(ctx, req.User.ID)
	if !refused || !last.Rack {
		return nil, err
	}
	return text.Say("I couldn't send you your rack, so I've stopped. Allow direct messages from me, then {settings} sends it again.", text.Code("/settings dm:on")), nil
}

// wishes returns how a player wants to be called to turns at a table. If direct messages to
// them are refused, it returns calls in the channel instead.
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

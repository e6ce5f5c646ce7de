package feature

import (
	"context"
	"log/slog"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/lexicon"
)

// A Desk is where a feature works with tables. It is safe for concurrent use.
type Desk interface {
	// Load is the table that a request is about: the one that its button names, or
	// the latest of its channel. A request of a table alone is about that one.
	Load(ctx context.Context, req bot.Request) (table.Table, error)
	// Seated lists the tables where somebody is in the middle of a game.
	Seated(ctx context.Context, who game.PlayerID) ([]bot.TableID, error)

	// Change is the one way in which a request changes a table: load, judge, append,
	// queue, commit; then the answer. A request seen before changes nothing, and is
	// answered from what came of it then.
	Change(ctx context.Context, req bot.Request, want Intent) (bot.Reply, error)
	// Judge says what would be wrong with a change of a table, and changes nothing.
	Judge(t table.Table, req bot.Request, want Intent) error
	// Update changes a channel's table, or posts something there, in one
	// transaction. cause is an id of what is done; by it [Room.Receipt] tells that
	// it was done before. The store may run fn again, so it must do nothing but fill
	// the room.
	Update(ctx context.Context, ch bot.ChannelID, cause string, fn func(*Room) error) error

	// Rack shows a player their rack, in the order that the request asks for.
	Rack(ctx context.Context, t table.Table, seat int, req bot.Request) bot.Reply
	// Pen draws for a channel, and perhaps for somebody whose screen is dark.
	Pen(ctx context.Context, ch bot.ChannelID, dark bool) Pen
	// Tongue is the language of what whoever asks is told in private.
	Tongue(ctx context.Context, req bot.Request) *text.Tongue

	// Heavy does work that takes a processor for long; use the function [Heavy].
	Heavy(ctx context.Context, key any, do func(context.Context) (any, error)) (any, error)

	// Rule is the value of a setting that counts in a channel.
	Rule(ctx context.Context, ch bot.ChannelID, setting string) (string, error)
	Lists() *lexicons.Lists
	Platform(ch bot.ChannelID) bot.Platform
	// Identities are all that somebody is, on every surface, themselves first.
	Identities(ctx context.Context, who game.PlayerID) ([]game.PlayerID, error)

	Now() time.Time
	Log() *slog.Logger
}

// An Intent turns a request into an action on the table as it stands. Its
// *game.RuleErrors and *words.Refusals are the person's to mend.
type Intent func(t table.Table) (game.Action, error)

// Always is the intent that is the same whatever the table looks like.
func Always(a game.Action) Intent {
	return func(table.Table) (game.Action, error) { return a, nil }
}

// A Seating is an action of a person's, or none, after which robots sit down, or one
// takes a free seat in a game.
type Seating struct {
	game.Action
	Robots []game.Person
	Adopts bool
}

// Means are what a host has for its games, beside word lists.
type Means struct {
	// Mind is what robots know of a word list; nil where there are no robots.
	Mind func(*lexicon.Lexicon) *robot.Mind
	// Thinkers is how many robots may think at once, each on a processor.
	Thinkers int
	Thought  func(level string, took time.Duration) // is told of their thoughts
	// Common lists the common words of a word list; nil where all are as common.
	Common func(*lexicon.Lexicon) []lexicon.Word
	// Layouts are the boards that variants of the game need.
	Layouts []game.Layout
	// URL is what browsers elsewhere find the host at, "" where nobody said.
	URL string
	// Contact is how people reach whoever runs the host, "" where nobody said.
	Contact string
}

// A Guard refuses to look up letters that somebody has to find words of by themselves.
type Guard func(ctx context.Context, who game.PlayerID, letters game.Tiles) error

// TimerCause begins the causes of what the host does by itself, and RobotCause those
// of what robots do.
const (
	TimerCause = "timer:"
	RobotCause = "robot"
)

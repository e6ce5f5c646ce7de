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

// A Desk gives a feature access to tables. It is safe for concurrent use.
type Desk interface {
	// Load returns the table that a request is about: the one that its button names, or the
	// channel's latest. If the request has only a table, it returns that one.
	Load(ctx context.Context, req bot.Request) (table.Table, error)
	// TablesOf lists the tables where a person is in the middle of a game.
	TablesOf(ctx context.Context, who game.PlayerID) ([]bot.TableID, error)

	// Change carries out a request that changes a table: load, judge, append, queue,
	// commit, answer. It is the only way to do so. A repeated request changes nothing and
	// gets the answer to what it did before.
	Change(ctx context.Context, req bot.Request, want Intent) (bot.Reply, error)
	// Judge returns the error that a change of a table would cause, without changing
	// anything.
	Judge(t table.Table, req bot.Request, want Intent) error
	// Update changes a channel's table, or posts there, in one transaction. cause
	// identifies the change, so that [Room.Receipt] can tell whether it was made before.
	// The store may run fn several times, so fn must do nothing but fill the room.
	Update(ctx context.Context, ch bot.ChannelID, cause string, fn func(*Room) error) error

	// Rack shows a player their rack, in the order that the request asks for.
	Rack(ctx context.Context, t table.Table, seat int, req bot.Request) bot.Reply
	// Painter returns a painter that draws for a channel, in dark colours if dark is set.
	Painter(ctx context.Context, ch bot.ChannelID, dark bool) Painter
	// LocaleFor returns the language of private replies to a request's sender.
	LocaleFor(ctx context.Context, req bot.Request) *text.Locale

	// Heavy runs work that takes much processor time; call it through the function [Heavy].
	Heavy(ctx context.Context, key any, do func(context.Context) (any, error)) (any, error)

	// Rule returns the value of a setting that applies in a channel.
	Rule(ctx context.Context, ch bot.ChannelID, setting string) (string, error)
	Lists() *lexicons.Lists
	Platform(ch bot.ChannelID) bot.Platform
	// Identities returns all identities of a person on every platform, who first.
	Identities(ctx context.Context, who game.PlayerID) ([]game.PlayerID, error)

	Now() time.Time
	Log() *slog.Logger
}

// An Intent turns a request into an action on the table as it stands. Its *game.RuleErrors
// and *words.Refusals are mistakes that the person can correct.
type Intent func(t table.Table) (game.Action, error)

// Always returns the intent that is a regardless of the table.
func Always(a game.Action) Intent {
	return func(table.Table) (game.Action, error) { return a, nil }
}

// A Seating is a person's action, or none, after which robots sit down or, if Adopts is
// set, one takes a free seat.
type Seating struct {
	game.Action
	Robots []game.Person
	Adopts bool
}

// Resources holds what a host offers to its features besides word lists.
type Resources struct {
	// Mind returns a robot's knowledge of a word list. It is nil if there are no robots.
	Mind func(*lexicon.Lexicon) *robot.Mind
	// Thinkers limits how many robots think at once, each on one processor.
	Thinkers int
	Thought  func(level string, took time.Duration) // called after each thought of a robot
	// Common lists the common words of a word list. It is nil if the host doesn't know
	// which words are common.
	Common func(*lexicon.Lexicon) []lexicon.Word
	// Layouts lists the boards that variants need.
	Layouts []game.Layout
	// URL is the host's address for browsers elsewhere, or "" if it isn't configured.
	URL string
	// Contact is how people reach the host's operator, or "" if it isn't configured.
	Contact string
}

// A Guard refuses to look up letters that a person has to solve by themselves.
type Guard func(ctx context.Context, who game.PlayerID, letters game.Tiles) error

// TimerCause is the prefix of the causes of the host's own changes, and RobotCause the
// prefix of the causes of robots' actions.
const (
	TimerCause = "timer:"
	RobotCause = "robot"
)

package feature

import (
	"context"
	"errors"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// A Feature is what a feature adds to a host. Fields that it has no use for stay nil. Its
// functions are safe for concurrent use.
type Feature struct {
	// Commands lists what people can ask of it. It is called once, when the settings of
	// all features are known.
	Commands func() []Command
	// Extensions are what it adds to the commands of other features, by their names.
	Extensions map[string]Extension
	// Settings are what the managers of a place can set.
	Settings []settings.Setting
	// Variant is a way of playing, to which its commands belong.
	Variant *table.Variant
	// Due is what happens when a timer falls due, by its kind.
	Due map[string]Due
	// Posts are what posts tell, by their kind.
	Posts map[string]Posting

	// Pages and TablePages are pages in the browser.
	Pages      []bot.Pages
	TablePages bot.TablePages

	// Persons knows who is one person, and Orders moderates.
	Persons Persons
	Orders  Orders

	// Hear is told of a request before it is carried out, and can refuse it.
	Hear func(ctx context.Context, req bot.Request) error
	// Elsewhere finds the game that a command OfGame is about if no button names it, and
	// returns the request in that game's channel. fits is the command's.
	Elsewhere func(ctx context.Context, req bot.Request, fits func(OwnGame) bool) (bot.Request, error)

	// Open reads its part of the command that opens a table.
	Open func(o *Opening) error
	// AtOnce returns what a player does at once because of how a table stands; a nil
	// action is nothing.
	AtOnce func(s game.State) (game.Person, game.Action)
	// Answer tells a person in private what came of their request at a table; ok is false
	// to leave that to the features before it in the list.
	Answer func(ctx context.Context, o Outcome) (r bot.Reply, ok bool, err error)
	// Sight adds to what a person sees of a table. seat is theirs, -1 if they have none.
	Sight func(ctx context.Context, t table.Table, seat int, s *bot.Sight) error
	// Buttons adds buttons below a message that shows a table.
	Buttons func(ctx context.Context, t table.Table) ([]bot.Button, error)
	// Timers returns the timers that follow from what happened at a table, which are stored
	// with it in one transaction.
	Timers func(ctx context.Context, s Step) []bot.Timer
	// Follow looks at a channel whose table has changed. When a host starts it is called
	// with "": any may have changed.
	Follow func(ctx context.Context, ch bot.ChannelID) error

	// Send is called each time a post is about to be sent, and reports whether it is wanted:
	// one for a person alone, or the news of a table. A *bot.PostError puts it off.
	Send func(ctx context.Context, post bot.Post) (wanted bool, err error)
	// Refused is told of a private post to a person who takes no direct messages.
	Refused func(ctx context.Context, post bot.Post) error
	// Hush takes mentions that people don't want now out of a text for everybody.
	Hush func(ctx context.Context, t table.Table, post bot.Post, said text.Text) (text.Text, error)

	// Leave is told of those who are gone or about to be.
	Leave func(ctx context.Context, l Leaving) error
}

// Persons knows who is one person; see [bot.Host].
type Persons interface {
	// Identities lists all that a person is, themselves first.
	Identities(ctx context.Context, who game.PlayerID) ([]game.PlayerID, error)
	Same(ctx context.Context, a, b game.PlayerID) error
}

// Orders moderates.
type Orders interface {
	// MaySay refuses, by a *words.Refusal, what a muted person wants others to read.
	MaySay(ctx context.Context, home string, who game.PlayerID) error
	// Blocks reports whether a person has blocked another.
	Blocks(ctx context.Context, who, whom game.PlayerID) (bool, error)
}

// A Leaving tells that a channel or a person is gone, or about to be.
type Leaving struct {
	What    Departure
	Channel bot.ChannelID
	Home    string
	Table   bot.TableID
	Person  game.PlayerID
}

// A Departure is what a [Leaving] tells of.
type Departure int

const (
	// ChannelGone is for a channel that can't be reached any more.
	ChannelGone Departure = iota + 1
	// MemberLeft is for a person who has left a home.
	MemberLeft
	// Forgetting is for a person who is to be forgotten, before they get up from their
	// tables.
	Forgetting
	// SeatLeft is for a table in a channel from which a person who is to be forgotten has got
	// up. It still names them.
	SeatLeft
)

// A House is what the list of features is made in. Those who make the list hand
// features what they need of it beside their desk and shelves.
type House interface {
	// Open is a desk, and the shelves of one more feature. No two have one name.
	Open(name string) (Desk, *shelf.Owner)
	Means() Means
	Settings() *settings.Settings
	// Commands and Variants are those of all features: for use in requests, not
	// while the list is made.
	Commands() []Command
	Variants() table.Variants
	// Read asks all Opens what they read of a command that opens a table.
	Read(o *Opening) error
	// Moved has the Follows look at a channel.
	Moved(ch bot.ChannelID)
	// Named lists the tables whose events name somebody.
	Named(ctx context.Context, who game.PlayerID) ([]bot.TableID, error)
	// Untold reports whether news of a table waits to be posted.
	Untold(ctx context.Context, t table.Table) (bool, error)
	// Watch calls fn with each channel whose table has changed, until ctx is done: a
	// hint, "" where all may have.
	Watch(ctx context.Context, fn func(bot.ChannelID)) error
	// Waiting is how many timers of a kind are due, of the first few hundred.
	Waiting(ctx context.Context, kind string) (int, error)
	// Charge counts work that will be done later because of who asks now, by about how
	// long a processor takes for it. The error is a *words.Refusal as that of [Heavy].
	Charge(ctx context.Context, work time.Duration) error
	// Board puts the board and its buttons under a message for everybody.
	Board(ctx context.Context, t table.Table, m *bot.Message) error
	Archive
}

// An Archive is all that is kept of people.
type Archive interface {
	// Export is all that is kept of somebody, in files.
	Export(ctx context.Context, who bot.User) ([]bot.File, error)
	// Forget removes all that is kept of somebody. What is begun is done to the
	// end, by the next host if this one is stopped.
	Forget(ctx context.Context, who bot.User) error
}

// A Due is what is done when a timer falls due. A timer only asks to look: what is to
// be done, if anything still is, the table itself says. So it does no harm when it is
// done twice.
type Due struct {
	Do func(ctx context.Context, timer bot.Timer) error
	// Workers is how many may be seen to at once, beside the loop that sees to the
	// timers of other kinds. It is 0 for those that take no time.
	Workers int
	// Last says that they come after all others that are due.
	Last bool
}

// A Posting is what posts of a kind tell.
type Posting struct {
	// Tell fills in a message. The table is as it was after what the post tells of,
	// and as it is now. The error is [ErrNothingToTell] where that is so.
	Tell func(ctx context.Context, post bot.Post, t, now table.Table, m bot.Message) (bot.Message, error)
	// Picture draws its picture again, where that isn't the board.
	Picture func(ctx context.Context, t table.Table, dark bool) (*bot.Picture, error)
	// Apart says that they are about no table: Tell is given none. Drawn draws the
	// picture of one again.
	Apart bool
	Drawn func(ctx context.Context, p bot.Posted, dark bool) (*bot.Picture, error)
	// Sent is told when one has arrived, perhaps more than once.
	Sent func(ctx context.Context, post bot.Post) error
}

// ErrNothingToTell says that a post has become pointless.
var ErrNothingToTell = errors.New("there is nothing to tell any more")

// A Step is what happened at a table in one go.
type Step struct {
	Before table.Table // as it was
	// Start and After are its state at the beginning, which is empty for a new
	// table, and at the end.
	Start, After game.State
	Done         []game.Event
	// Sent are those who are sent their rack because of it.
	Sent []game.PlayerID
}

// Last is the latest event of it.
func (s Step) Last() game.Event { return s.Done[len(s.Done)-1] }

// An Outcome is what a request did to a table.
type Outcome struct {
	Request       bot.Request
	Before, Table table.Table // as it was, and as it left it
	Fact          game.Fact
	Seat          int // the asker's, -1 for somebody who has none
}

// NewRack reports whether the asker has other tiles to play with than before.
func (o Outcome) NewRack() bool {
	if o.Seat < 0 || o.Table.Seats[o.Seat].Out || o.Table.Phase == game.Over {
		return false
	}
	held := func(s game.State) (rack game.Tiles) {
		if seat, ok := s.SeatOf(o.Request.User.ID); ok {
			rack = s.Seats[seat].Rack.Sorted()
		}
		return rack
	}
	return held(o.Before.State) != held(o.Table.State)
}

// An Opening is a table on its way: what the command that opens one asks for.
type Opening struct {
	game.Open
	Request bot.Request
	Robots  []game.Person // who sit down at once
}

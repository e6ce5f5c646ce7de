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

// A Feature lists what a feature adds to a host. Unused fields stay nil. Its functions
// are safe for concurrent use.
type Feature struct {
	// Commands lists the feature's commands. It is called once, after the settings of all
	// features are known.
	Commands func() []Command
	// Extensions holds additions to other features' commands, by command name.
	Extensions map[string]Extension
	// Settings lists what the managers of a place can set.
	Settings []settings.Setting
	// Variant is the variant that its commands belong to, if any.
	Variant *table.Variant
	// Due holds the handlers of timers by kind.
	Due map[string]Due
	// Posts holds the message writers of posts by kind.
	Posts map[string]Posting

	// Pages and TablePages are pages for browsers.
	Pages      []bot.Pages
	TablePages bot.TablePages

	// Persons links the identities of a person, and Moderation decides what people may say.
	Persons    Persons
	Moderation Moderation

	// Hear is called before a request is carried out, and can reject it. The note, if any, is
	// added to the reply.
	Hear func(ctx context.Context, req bot.Request) (note text.Text, err error)
	// Elsewhere finds the game that a command OfGame is about if no button names it, and
	// returns the request in that game's channel. fits is the command's.
	Elsewhere func(ctx context.Context, req bot.Request, fits func(OwnGame) bool) (bot.Request, error)

	// Open reads its options of the command that opens a table.
	Open func(o *Opening) error
	// AtOnce returns a player's immediate action in the state of a table; a nil action
	// means none.
	AtOnce func(s game.State) (game.Person, game.Action)
	// Answer replies in private to a request that changed a table. If ok is false, an
	// earlier feature in the list replies.
	Answer func(ctx context.Context, o Outcome) (r bot.Reply, ok bool, err error)
	// Sight adds to what a person sees of a table. seat is theirs, or -1 if they have none.
	Sight func(ctx context.Context, t table.Table, seat int, s *bot.Sight) error
	// Result returns a line to add to the card of a finished game, or nil.
	Result func(ctx context.Context, t table.Table) (text.Text, error)
	// Buttons returns buttons to add to a message that shows a table.
	Buttons func(ctx context.Context, t table.Table) ([]bot.Button, error)
	// Timers returns the timers that follow from a change of a table. They are stored in
	// the same transaction.
	Timers func(ctx context.Context, s Step) []bot.Timer
	// Invited lists the tables that wait for a person who was invited to them.
	Invited func(ctx context.Context, who game.PlayerID) ([]table.Table, error)
	// Follow is called with a channel whose table has changed, and when a host starts with
	// "", since any may have changed.
	Follow func(ctx context.Context, ch bot.ChannelID) error

	// Send is called each time a post is about to be sent, whether private or public, and
	// reports whether it is wanted. A *bot.PostError postpones it.
	Send func(ctx context.Context, post bot.Post) (wanted bool, err error)
	// Refused is called for a private post to a person who doesn't accept direct messages.
	Refused func(ctx context.Context, post bot.Post) error
	// Blocked is called when the platform begins to refuse posts in a channel.
	Blocked func(ctx context.Context, post bot.Post) error
	// Hush removes mentions that people don't want now from a public text.
	Hush func(ctx context.Context, t table.Table, post bot.Post, said text.Text) (text.Text, error)

	// Join is called when the host was added to a channel, perhaps more than once.
	Join func(ctx context.Context, ch bot.ChannelID, home, homeLocale string) error
	// Leave is called when a channel or person is gone or about to be.
	Leave func(ctx context.Context, l Leaving) error
}

// Persons links the identities of a person; see [bot.Host].
type Persons interface {
	// Identities returns all identities of a person, who first.
	Identities(ctx context.Context, who game.PlayerID) ([]game.PlayerID, error)
	Same(ctx context.Context, a, b game.PlayerID) error
}

// Moderation decides what people may say and to whom.
type Moderation interface {
	// MaySay rejects messages from muted people with a *words.Refusal.
	MaySay(ctx context.Context, home string, who game.PlayerID) error
	// Blocks reports whether a person has blocked another.
	Blocks(ctx context.Context, who, whom game.PlayerID) (bool, error)
}

// A Leaving describes a channel or person that is gone, or about to be.
type Leaving struct {
	What    Departure
	Channel bot.ChannelID
	Home    string
	Table   bot.TableID
	Person  game.PlayerID
}

// A Departure is the kind of a [Leaving].
type Departure int

const (
	// ChannelGone means that a channel can't be reached any more.
	ChannelGone Departure = iota + 1
	// MemberLeft means that a person has left a home.
	MemberLeft
	// Forgetting means that a person is about to be erased; they still have their seats.
	Forgetting
	// SeatLeft means that a person who is being erased has left a table, which still names
	// them.
	SeatLeft
)

// A Registry is the environment in which the list of features is made. The list passes
// features what they need of it besides their desk and shelves.
type Registry interface {
	// Open returns a desk and the owner of the shelves of one more feature. Names are
	// unique.
	Open(name string) (Desk, *shelf.Owner)
	Resources() Resources
	Settings() *settings.Settings
	// Commands and Variants return all features' commands and variants. They may be called
	// in requests, but not while the list is made.
	Commands() []Command
	Variants() table.Variants
	// Read runs all features' Open functions on a request that opens a table.
	Read(o *Opening) error
	// Moved makes all features' Follow functions check a channel.
	Moved(ch bot.ChannelID)
	// TablesNaming lists the tables whose events name a person.
	TablesNaming(ctx context.Context, who game.PlayerID) ([]bot.TableID, error)
	// RunningTables lists the tables where anyone is playing an unfinished game.
	RunningTables(ctx context.Context) ([]bot.TableID, error)
	// HasNews reports whether news of a table waits to be posted.
	HasNews(ctx context.Context, t table.Table) (bool, error)
	// MarkSeen records that everyone can see a table as of now, which delivering its news
	// usually does. It does nothing while the channel waits for posts.
	MarkSeen(ctx context.Context, t table.Table) error
	// Watch calls fn with each channel whose table has changed, until ctx is done. Calls
	// are hints; "" means that any channel may have changed.
	Watch(ctx context.Context, fn func(bot.ChannelID)) error
	// CountDue returns how many timers of a kind are due, counting at most a few hundred.
	CountDue(ctx context.Context, kind string) (int, error)
	// Charge charges the sender with work that will be done later, by its approximate
	// processor time. The error is a *words.Refusal, like the one of [Heavy].
	Charge(ctx context.Context, work time.Duration) error
	// Board adds the board and its buttons to a public message.
	Board(ctx context.Context, t table.Table, m *bot.Message) error
	Archive
}

// An Archive exports and erases what is stored about people.
type Archive interface {
	// Export returns everything stored about a person, in files.
	Export(ctx context.Context, who bot.User) ([]bot.File, error)
	// Forget erases a person. If the host stops, the next one finishes.
	Forget(ctx context.Context, who bot.User) error
}

// A Due handles timers of one kind. A timer only triggers a check: the table itself shows
// what is left to do, so running a handler twice is harmless.
type Due struct {
	Do func(ctx context.Context, timer bot.Timer) error
	// Workers limits how many timers of the kind are handled at once, besides the loop
	// for other kinds. It is 0 for quick handlers.
	Workers int
	// Last marks handlers that run after all others that are due.
	Last bool
}

// A Posting writes the messages of one kind of post.
type Posting struct {
	// Tell fills in a message. t is the table after the events that the post announces, and
	// now the table as it is now. The error is [ErrNothingToTell] if the post is pointless
	// by now.
	Tell func(ctx context.Context, post bot.Post, t, now table.Table, m bot.Message) (bot.Message, error)
	// Picture draws the message's picture again if it isn't the board.
	Picture func(ctx context.Context, t table.Table, dark bool) (*bot.Picture, error)
	// Apart marks posts that aren't about a table: Tell gets none. Drawn draws the picture
	// of such a post again.
	Apart bool
	Drawn func(ctx context.Context, p bot.Posted, dark bool) (*bot.Picture, error)
	// Sent is called when a post has arrived, perhaps more than once.
	Sent func(ctx context.Context, post bot.Post) error
}

// ErrNothingToTell means that a post has become pointless.
var ErrNothingToTell = errors.New("there is nothing to tell any more")

// A Step is a batch of events at a table.
type Step struct {
	Before table.Table // the table before
	// Start and After are the states at the beginning, which is empty for a new table, and
	// at the end.
	Start, After game.State
	Done         []game.Event
}

// Last returns the latest event of the step.
func (s Step) Last() game.Event { return s.Done[len(s.Done)-1] }

// An Outcome records what a request did to a table.
type Outcome struct {
	Request       bot.Request
	Before, Table table.Table // before and after the request
	Fact          game.Fact
	Seat          int // seat of the sender, or -1 if they have none
}

// NewRack reports whether the sender has other tiles to play with than before.
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

// An Opening is a table about to be opened, as the command describes it.
type Opening struct {
	game.Open
	Request bot.Request
	Robots  []game.Person // robots that sit down at once
}

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

// A Feature implements some of the interfaces below; the engine refuses one that
// implements none, or has a method of one with another signature.
type Feature any

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

// The interfaces of commands.
type (
	// Commands are what people can ask of a feature.
	Commands interface{ Commands() []Command }
	// Extensions are what it adds to the commands of other features, by their names.
	Extensions interface{ Extensions() map[string]Extension }
	// Settings are what those who manage a place can set of it.
	Settings interface{ Settings() []settings.Setting }
	// Hears is told of somebody's request before it is carried out, and can refuse
	// it. HeardReads says what of the store that takes; see [shelf.Shelf.Ahead].
	Hears interface {
		Heard(ctx context.Context, req bot.Request) error
		HeardReads(ctx context.Context, req bot.Request)
	}
	// Elsewhere is asked for the game that is meant where a command OfGame is given
	// by no button; it gives the request back, in the game's channel. fits is the
	// command's.
	Elsewhere interface {
		Elsewhere(ctx context.Context, req bot.Request, fits func(OwnGame) bool) (bot.Request, error)
	}
)

// The interfaces of tables.
type (
	// Variant is a way of playing that a feature brings.
	Variant interface{ Variant() table.Variant }
	// Opens reads what it can of the command that opens a table.
	Opens interface{ Opens(o *Opening) error }
	// AtOnce is what somebody does at once because of how a table stands; a nil
	// action is nothing.
	AtOnce interface {
		AtOnce(s game.State) (game.Person, game.Action)
	}
	// Answers tell somebody in private what came of their request at a table; ok is
	// false to leave that to the features before it in the list.
	Answers interface {
		Answer(ctx context.Context, o Outcome) (r bot.Reply, ok bool, err error)
	}
	// Owns adds to what a player alone sees of a table.
	Owns interface {
		Own(ctx context.Context, t table.Table, seat int, own *bot.Own) error
	}
	// Ends adds to how a game that is over is summed up, for the player on a seat, or with -1
	// for others.
	Ends interface {
		Ending(ctx context.Context, t table.Table, seat int, e *bot.Ending) error
	}
	// Beside adds buttons to what is shown of a table.
	Beside interface {
		Beside(ctx context.Context, t table.Table) ([]bot.Button, error)
	}
	// Paged has pages in the browser.
	Paged interface{ Pages() []bot.Pages }
	// Tabled has the pages of games in the browser.
	Tabled interface{ TablePages() bot.TablePages }
	// Walled has the pages of tournaments in the browser.
	Walled interface{ Walls() bot.Walls }
	// Leagued has the pages of leagues in the browser.
	Leagued interface{ Leagues() bot.Leagues }
	// Daily has the pages of daily boards in the browser.
	Daily interface{ Dailies() bot.Dailies }
	// Follows looks at a channel whose table has changed; at the start of a host, at
	// those that it lists.
	Follows interface {
		Follow(ctx context.Context, ch bot.ChannelID) error
		Following(ctx context.Context) ([]bot.ChannelID, error)
	}
)

// The interfaces of what happens later.
type (
	// Timers are those that what happened at a table asks for, which are stored with
	// it, and by their kind what is done when one is due. The store sets their
	// channel and table.
	Timers interface {
		Timers(ctx context.Context, s Step) []bot.Timer
		Due() map[string]Due
	}
	// Reads says what Timers reads of a table, before it is changed.
	Reads interface {
		TimersRead(ctx context.Context, t table.Table)
	}
	// Posts say what posts tell, by their kind.
	Posts interface{ Posts() map[string]Posting }
	// Wants says whether somebody wants what is for them alone, and Refused is done
	// when such a post was refused, for they take no direct messages. An error that
	// is a *bot.PostError puts the post off.
	Wants interface {
		Wants(ctx context.Context, post bot.Post) (bool, error)
		Refused(ctx context.Context, post bot.Post) error
	}
	// Tells is called before what happened is told to everybody, each time that is
	// tried.
	Tells interface {
		Telling(ctx context.Context, post bot.Post) error
	}
	// Hushes takes the calls out of a text for everybody that people don't want now.
	Hushes interface {
		Hush(ctx context.Context, t table.Table, post bot.Post, said text.Text) (text.Text, error)
	}
)

// The interfaces of people and places.
type (
	// Persons knows who is one person; see [bot.Host]. Identities are all that
	// somebody is, themselves first.
	Persons interface {
		Identities(ctx context.Context, who game.PlayerID) ([]game.PlayerID, error)
		Same(ctx context.Context, a, b game.PlayerID) error
	}
	// Orders moderates: MaySay refuses, by an error that is a *words.Refusal, what a
	// muted person wants others to read, and Blocks reports whether a person has
	// blocked another.
	Orders interface {
		MaySay(ctx context.Context, home string, who game.PlayerID) error
		Blocks(ctx context.Context, who, whom game.PlayerID) (bool, error)
	}
	// Goes is told when a channel can't be reached any more, and Leaves when
	// somebody has left a home.
	Goes interface {
		ChannelGone(ctx context.Context, ch bot.ChannelID) error
	}
	Leaves interface {
		MemberLeft(ctx context.Context, home string, who game.PlayerID) error
	}
	// Withdraws is told that somebody is to be forgotten before they get up from their
	// tables, so that it can take them out of what goes on beside those.
	Withdraws interface {
		Withdraw(ctx context.Context, who game.PlayerID) error
	}
	// Parts is told when somebody who is to be forgotten has got up from a table,
	// while it still names them.
	Parts interface {
		Parting(ctx context.Context, ch bot.ChannelID, t bot.TableID) error
	}
)

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

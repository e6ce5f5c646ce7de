package host

import (
	"context"
	"maps"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// A Feature is something that a host can do, with all that belongs to it. The
// engine goes through the list of them, and knows none by name. What a feature
// has nothing of stays zero.
type Feature struct {
	// Commands are what people can ask of it.
	Commands []Command
	// Settings are what those who manage a place can set; the options of the
	// command "settings" come from them.
	Settings []settings.Setting
	// Variant is a way of playing that it brings.
	Variant *table.Variant
	// Options are what it adds to commands of other features, by their names,
	// and Instead carries such a command out where one of them is given. Those
	// of /new are for Open to read.
	Options map[string][]bot.Option
	Instead map[string]Run
	Open    func(h *Host, o *Opening) error
	// SetUp makes the position from which games of its Variant begin.
	SetUp func(h *Host, s game.State, dict *lexicon.Lexicon, seed game.Seed) (game.SetUp, error)

	// AtOnce is what somebody does at once because of how a table stands; a nil
	// action is nothing.
	AtOnce func(s game.State) (game.Person, game.Action)
	// Timers are those that what happened at a table asks for; they are stored
	// with it. The store sets their channel and table.
	Timers func(ctx context.Context, h *Host, s Step) []bot.Timer
	// Due says what is done when a timer falls due, by its kind.
	Due map[string]Due
	// Posts says what posts tell, by their kind.
	Posts map[string]Posting
	// Own adds to what a player alone sees of a table.
	Own func(ctx context.Context, h *Host, t table.Table, seat int, own *bot.Own) error
	// Answer tells somebody in private what came of their request at a table;
	// ok is false to leave that to the features before it in the list.
	Answer func(ctx context.Context, h *Host, o Outcome) (r bot.Reply, ok bool, err error)

	// Identities are all that somebody is, themselves first.
	Identities func(ctx context.Context, h *Host, who game.PlayerID) ([]game.PlayerID, error)
	// Speaks is the code of the language that somebody wants to be spoken to in, ""
	// where they have not said.
	Speaks func(ctx context.Context, h *Host, who game.PlayerID) (string, error)
	// Beside are buttons that it adds to what is shown of a table.
	Beside func(ctx context.Context, h *Host, t table.Table) ([]bot.Button, error)

	// Wants reports whether somebody wants what is for them alone. An error
	// that is a *bot.PostError puts it off.
	Wants func(ctx context.Context, h *Host, post bot.Post) (bool, error)
	// Refused is done when a post for somebody alone was refused, for they take
	// no direct messages.
	Refused func(ctx context.Context, h *Host, post bot.Post) error
	// Telling is done before what happened is told to everybody, each time that
	// is tried.
	Telling func(ctx context.Context, h *Host, post bot.Post) error
	// Heard is done before somebody's request is carried out.
	Heard func(ctx context.Context, h *Host, req bot.Request) error
	// Elsewhere is asked for the game that is meant where a command OfGame is
	// given by no button; it gives the request back, in the game's channel.
	Elsewhere func(ctx context.Context, h *Host, req bot.Request) (bot.Request, error)
	// Hush takes the calls out of a text for everybody that people don't want
	// now.
	Hush func(ctx context.Context, h *Host, t table.Table, post bot.Post, said text.Text) (text.Text, error)

	// MaySay refuses, by an error that is a *words.Refusal, what somebody wants
	// others to read.
	MaySay func(ctx context.Context, h *Host, s bot.Saying) error
	// Same makes two one person; see [bot.Host].
	Same func(ctx context.Context, h *Host, a, b game.PlayerID) error
	// Blocks reports whether somebody wants to hear nothing from somebody else.
	Blocks func(ctx context.Context, h *Host, who, whom game.PlayerID) (bool, error)

	// Begin goes on with what a host began that was stopped.
	Begin func(ctx context.Context, h *Host) error
	// Follow looks at a channel whose table has changed.
	Follow func(ctx context.Context, h *Host, ch bot.ChannelID) error

	// ChannelGone is done when a channel can't be reached any more, and
	// MemberLeft when somebody has left a home.
	ChannelGone func(ctx context.Context, h *Host, ch bot.ChannelID) error
	MemberLeft  func(ctx context.Context, h *Host, home string, who game.PlayerID) error

	// Kept is what it keeps of people.
	Kept *Keeping
}

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

// Last is the event that it ended with.
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

// A Due is what is done when a timer falls due. A timer only asks to look: what
// is to be done, if anything still is, the table itself says. So it does no harm
// when it is done twice.
type Due struct {
	Do func(ctx context.Context, h *Host, timer bot.Timer) error
	// Workers is how many may be seen to at once, beside the loop that sees to
	// the timers of other kinds. It is nil for those that take no time.
	Workers func(h *Host) int
	// Last says that they come after all others that are due.
	Last bool
}

// A Posting is what posts of a kind tell.
type Posting struct {
	// Tell fills in a message. The table is as it was after what the post tells
	// of, and as it is now. The error is errNothingToTell where that is so.
	Tell func(ctx context.Context, h *Host, post bot.Post, t, now table.Table, m bot.Message) (bot.Message, error)
	// Picture draws its picture again, where that isn't the board.
	Picture func(ctx context.Context, h *Host, t table.Table, dark bool) (*bot.Picture, error)
	// Apart says that they are about no table: Tell is given none.
	Apart bool
}

// An Opening is a table on its way: what /new asks for.
type Opening struct {
	game.Open
	Request bot.Request
	Robots  []game.Person // who sit down at once
}

// Keeping is what a feature keeps of people.
type Keeping struct {
	// Shelves are those of the host's notes whose keys are players.
	Shelves []string
	// Parted are the shelves whose keys have a player as their last part; see
	// [notes.Key].
	Parted []string
	// Own lists other rows that are about one person alone. tables are those
	// that name them.
	Own func(rows bot.Rows, who game.PlayerID, tables []bot.TableID) ([]NoteKey, error)
	// Export is what it keeps that is about others too, by what it is called.
	Export func(rows bot.Rows, who game.PlayerID, tables []bot.TableID) (map[string]any, error)
	// Forget takes somebody's name out of that. It comes before the rows that
	// are their own are removed.
	Forget func(rows bot.Rows, who game.PlayerID, former bot.User, tables []bot.TableID) error
	// LeaveTable is done when somebody has got up from a table for good.
	LeaveTable func(ctx context.Context, h *Host, ch bot.ChannelID, t bot.TableID) error
}

// A NoteKey is where a row of the notes is.
type NoteKey struct{ Shelf, Key string }

// A registry is what the features of a host bring together.
type registry struct {
	Parts     []Feature
	Handlers  []Command
	commands  bot.Commands
	Placeable []settings.Setting
	Variants  table.Variants
	due       map[string]Due
	posts     map[string]Posting
}

// Register makes a registry. order lists commands as help shows them, and by
// command the options that several features add to; what it doesn't name comes
// last.
func Register(features []Feature, order map[string][]string) registry {
	r := registry{Parts: features, due: map[string]Due{table.CountKind: {Do: recount}}, posts: map[string]Posting{}}
	options := map[string][]bot.Option{}
	for _, f := range features {
		r.Placeable = append(r.Placeable, f.Settings...)
		for name, more := range f.Options {
			options[name] = append(options[name], more...)
		}
		if f.Variant != nil {
			r.Variants = append(r.Variants, *f.Variant)
		}
		for kind, d := range f.Due {
			r.due[kind] = d
		}
		for kind, p := range f.Posts {
			r.posts[kind] = p
		}
	}
	options["new"] = append(options["new"], bot.Option{Name: "variant", Help: "Another way of playing; /help and its name explain it", Kind: bot.Pick, Choices: r.Variants.Choices()})
	slices.SortStableFunc(r.Placeable, func(a, b settings.Setting) int { return by(order["settings"], a.Name, b.Name) })
	options["settings"] = settings.Options(r.Placeable)
	for _, f := range features {
		for _, c := range f.Commands {
			if c.Name == "settings" {
				c.Complete = maps.Clone(c.Complete)
				for _, s := range r.Placeable {
					if s.Complete != nil {
						c.Complete[s.Name] = func(_ context.Context, h *Host, req bot.Request) []bot.Choice { return s.OrUnset(h.Has(), req) }
					}
				}
			}
			c.Options = slices.Concat(c.Options, options[c.Name])
			for _, other := range features {
				if instead := other.Instead[c.Name]; instead != nil {
					c.Run = c.Run.unless(other.Options[c.Name], instead)
				}
			}
			for i, o := range c.Options {
				c.Options[i].Completes = o.Completes || c.Complete[o.Name] != nil
			}
			slices.SortStableFunc(c.Options, func(a, b bot.Option) int { return by(order[c.Name], a.Name, b.Name) })
			r.Handlers = append(r.Handlers, c)
		}
	}
	slices.SortStableFunc(r.Handlers, func(a, b Command) int { return by(order[""], a.Name, b.Name) })
	r.commands = Contract(r.Handlers)
	return r
}

// unless is a command that another carries out where one of its options is given.
func (r Run) unless(options []bot.Option, instead Run) Run {
	return func(ctx context.Context, h *Host, req bot.Request) (bot.Reply, error) {
		if slices.ContainsFunc(options, func(o bot.Option) bool { return req.Args[o.Name] != "" }) {
			return instead(ctx, h, req)
		}
		return r(ctx, h, req)
	}
}

// by compares names by their places in a list, those that aren't there last.
func by(list []string, a, b string) int {
	i, j := slices.Index(list, a), slices.Index(list, b)
	switch {
	case i < 0 && j < 0, i == j:
		return 0
	case i < 0:
		return 1
	case j < 0:
		return -1
	}
	return i - j
}

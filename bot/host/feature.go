package host

import (
	"context"
	"maps"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// A Feature is something that a host can do, with all that belongs to it. The
// engine goes through the list of them, and knows none by name. What a feature
// has nothing of stays zero.
type Feature struct {
	// Commands are what people can ask of it.
	Commands []command
	// Settings are what those who manage a place can set; the options of the
	// command "settings" come from them.
	Settings []placeSetting
	// Variant is a way of playing that it brings.
	Variant *variant
	// Options are what it adds to commands of other features, by their names,
	// and Instead carries such a command out where one of them is given. Those
	// of /new are for Open to read.
	Options map[string][]bot.Option
	Instead map[string]run
	Open    func(h *Host, o *opening) error
	// SetUp makes the position from which games of its Variant begin.
	SetUp func(h *Host, s game.State, dict *lexicon.Lexicon, seed game.Seed) (game.SetUp, error)

	// AtOnce is what somebody does at once because of how a table stands; a nil
	// action is nothing.
	AtOnce func(s game.State) (game.Person, game.Action)
	// Timers are those that what happened at a table asks for. The store sets
	// their channel and table.
	Timers func(h *Host, s step) []bot.Timer
	// Due says what is done when a timer falls due, by its kind.
	Due map[string]due
	// Posts says what posts tell, by their kind.
	Posts map[string]posting
	// Answer tells somebody in private what came of their request at a table;
	// ok is false to leave that to others. seat is -1 for somebody who has none.
	Answer func(h *Host, ctx context.Context, t table, seat int, f game.Fact, req bot.Request) (r bot.Reply, ok bool, err error)

	// Wants reports whether somebody wants what is for them alone. An error
	// that is a *bot.PostError puts it off.
	Wants func(h *Host, ctx context.Context, post bot.Post) (bool, error)
	// Refused is done when a post for somebody alone was refused, for they take
	// no direct messages.
	Refused func(h *Host, ctx context.Context, post bot.Post) error
	// Heard is done before somebody's request is carried out.
	Heard func(h *Host, ctx context.Context, req bot.Request) error
	// Hush takes the calls out of a text for everybody that people don't want
	// now.
	Hush func(h *Host, ctx context.Context, t table, post bot.Post, text bot.Text) (bot.Text, error)

	// Begin goes on with what a host began that was stopped.
	Begin func(h *Host, ctx context.Context) error
	// Follow looks at a channel whose table has changed.
	Follow func(h *Host, ctx context.Context, ch bot.ChannelID) error

	// Kept is what it keeps of people.
	Kept *keeping
}

// A step is what happened at a table in one go.
type step struct {
	Before table // as it was
	// Start and After are its state at the beginning, which is empty for a new
	// table, and at the end.
	Start, After game.State
	Done         []game.Event
	// Sent are those who are sent their rack because of it.
	Sent []game.PlayerID
}

// at is when it happened.
func (s step) last() game.Event { return s.Done[len(s.Done)-1] }

// A due is what is done when a timer falls due. A timer only asks to look: what
// is to be done, if anything still is, the table itself says. So it does no harm
// when it is done twice.
type due struct {
	Do func(h *Host, ctx context.Context, timer bot.Timer) error
	// Workers is how many may be seen to at once, beside the loop that sees to
	// the timers of other kinds. It is nil for those that take no time.
	Workers func(h *Host) int
	// Last says that they come after all others that are due.
	Last bool
}

// A posting is what posts of a kind tell.
type posting struct {
	// Tell fills in a message. The table is as it was after what the post tells
	// of, and as it is now. The error is errNothingToTell where that is so.
	Tell func(h *Host, ctx context.Context, post bot.Post, t, now table, m bot.Message) (bot.Message, error)
	// Picture draws its picture again, where that isn't the board.
	Picture func(h *Host, ctx context.Context, t table, dark bool) (*bot.Picture, error)
}

// An opening is a table on its way: what /new asks for.
type opening struct {
	game.Open
	Request bot.Request
	Robots  []game.Person // who sit down at once
}

// keeping is what a feature keeps of people.
type keeping struct {
	// Shelves are those of the host's notes whose keys are players.
	Shelves []string
	// Own lists other rows that are about one person alone. tables are those
	// that name them.
	Own func(rows bot.Rows, who game.PlayerID, tables []bot.TableID) ([]noteKey, error)
	// Export is what it keeps that is about others too, by what it is called.
	Export func(rows bot.Rows, who game.PlayerID, tables []bot.TableID) (map[string]any, error)
	// Forget takes somebody's name out of that. It comes before the rows that
	// are their own are removed.
	Forget func(rows bot.Rows, who game.PlayerID, former bot.User, tables []bot.TableID) error
	// LeaveTable is done when somebody has got up from a table for good.
	LeaveTable func(h *Host, ctx context.Context, ch bot.ChannelID, t bot.TableID) error
}

// A noteKey is where a row of the notes is.
type noteKey struct{ Shelf, Key string }

// A registry is what the features of a host bring together.
type registry struct {
	features  []Feature
	commands  []command
	placeable []placeSetting
	variants  variantList
	due       map[string]due
	posts     map[string]posting
}

// register makes a registry. order lists commands as help shows them, and by
// command the options that several features add to; what it doesn't name comes
// last.
func register(features []Feature, order map[string][]string) registry {
	r := registry{features: features, due: map[string]due{countKind: {Do: (*Host).recount}}, posts: map[string]posting{}}
	options := map[string][]bot.Option{}
	for _, f := range features {
		r.placeable = append(r.placeable, f.Settings...)
		for name, more := range f.Options {
			options[name] = append(options[name], more...)
		}
		if f.Variant != nil {
			r.variants = append(r.variants, *f.Variant)
		}
		for kind, d := range f.Due {
			r.due[kind] = d
		}
		for kind, p := range f.Posts {
			r.posts[kind] = p
		}
	}
	options["new"] = append(options["new"], bot.Option{Name: "variant", Help: "Another way of playing; /help and its name explain it", Kind: bot.Pick, Choices: variantChoices(r.variants)})
	slices.SortStableFunc(r.placeable, func(a, b placeSetting) int { return by(order["settings"], a.Name, b.Name) })
	options["settings"] = placeOptions(r.placeable)
	for _, f := range features {
		for _, c := range f.Commands {
			if c.Name == "settings" {
				c.complete = maps.Clone(c.complete)
				for _, s := range r.placeable {
					if s.complete != nil {
						c.complete[s.Name] = s.orUnset
					}
				}
			}
			c.Options = slices.Concat(c.Options, options[c.Name])
			for _, other := range features {
				if instead := other.Instead[c.Name]; instead != nil {
					c.run = c.run.unless(other.Options[c.Name], instead)
				}
			}
			for i, o := range c.Options {
				c.Options[i].Completes = o.Completes || c.complete[o.Name] != nil
			}
			slices.SortStableFunc(c.Options, func(a, b bot.Option) int { return by(order[c.Name], a.Name, b.Name) })
			r.commands = append(r.commands, c)
		}
	}
	slices.SortStableFunc(r.commands, func(a, b command) int { return by(order[""], a.Name, b.Name) })
	return r
}

// unless is a command that another carries out where one of its options is given.
func (r run) unless(options []bot.Option, instead run) run {
	return func(h *Host, ctx context.Context, req bot.Request) (bot.Reply, error) {
		if slices.ContainsFunc(options, func(o bot.Option) bool { return req.Args[o.Name] != "" }) {
			return instead(h, ctx, req)
		}
		return r(h, ctx, req)
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

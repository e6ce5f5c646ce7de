package bot

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"github.com/rackmate/rackmate/bot/text"
)

// A Command is something people can ask of the host. The one list of them,
// its [Commands], is what every platform registers, completes, explains and
// parses by.
type Command struct {
	Name    string // lower case
	Help    string // what it does, at most 100 characters
	Example string // how it is typed
	Options []Option
	// Ours says that it is for a platform of our own, where the host keeps order.
	Ours bool
	// Manages says that it is for those who manage the place.
	Manages bool
	// Former are names from earlier versions. Buttons that were posted then, and people
	// who are used to them, still reach the command; nothing offers them.
	Former []string
}

// Called reports whether a name is the command's, or was in an earlier version.
func (c Command) Called(name string) bool { return c.Name == name || slices.Contains(c.Former, name) }

// Key is the command's name as the catalogues have it: "/play".
func (c Command) Key() string { return "/" + c.Name }

// NameIn is what the command is called in a tongue, "" where it has no name of
// its own there.
func (c Command) NameIn(to *text.Tongue) string {
	return strings.TrimPrefix(to.Own(c.Key()), "/")
}

// Commands lists what people can ask of a host, in the order that help shows
// it.
type Commands []Command

// Elsewhere are the commands, and their options, for platforms that keep order
// themselves.
func (cs Commands) Elsewhere() Commands {
	all := slices.DeleteFunc(slices.Clone(cs), func(c Command) bool { return c.Ours })
	for i := range all {
		all[i].Options = slices.DeleteFunc(slices.Clone(all[i].Options), func(o Option) bool { return o.Ours })
	}
	return all
}

// Find finds a command by its name, or by one that it had in an earlier version.
func (cs Commands) Find(name string) (Command, bool) {
	i := slices.IndexFunc(cs, func(c Command) bool { return c.Called(name) })
	if i < 0 {
		return Command{}, false
	}
	return cs[i], true
}

// FindIn finds a command by its name in English, else by the one in a tongue, with
// its accents or without.
func (cs Commands) FindIn(name string, to *text.Tongue) (Command, bool) {
	if c, ok := cs.Find(name); ok || to.IsEnglish() || name == "" {
		return c, ok
	}
	i := meant(cs, name, func(c Command) string { return c.NameIn(to) })
	if i < 0 {
		return Command{}, false
	}
	return cs[i], true
}

// Option finds an option of the command by its name in English, else by the one
// in a tongue, with its accents or without, in either case.
func (c Command) Option(name string, to *text.Tongue) (Option, bool) {
	i := slices.IndexFunc(c.Options, func(o Option) bool { return strings.EqualFold(o.Name, name) })
	if i < 0 {
		i = meant(c.Options, name, func(o Option) string { return o.NameIn(to) })
	}
	if i < 0 {
		return Option{}, false
	}
	return c.Options[i], true
}

// Meant finds an option as Option does, or else the only one whose name is a letter
// away: "robot" for "robots".
func (c Command) Meant(name string, to *text.Tongue) (Option, bool) {
	if o, ok := c.Option(name, to); ok {
		return o, true
	}
	near := slices.DeleteFunc(slices.Clone(c.Options), func(o Option) bool {
		return !slices.ContainsFunc([]string{o.Name, o.NameIn(to)}, func(own string) bool {
			return levenshtein.ComputeDistance(Unaccented(own), Unaccented(name)) == 1
		})
	})
	if len(near) != 1 {
		return Option{}, false
	}
	return near[0], true
}

// Knows reports whether there is a command for a request: one that a pressed
// button made may name what there was in an earlier version.
func (cs Commands) Knows(r Request) bool {
	_, ok := cs.Find(r.Command)
	return ok
}

// Asks lists the options to ask the person for before a pressed button's request is made:
// those that the button names without a value, or, if the command can't do without one that
// is missing, all that are. A platform that can't ask makes the request as it is, and the
// answer says what to type.
func (cs Commands) Asks(r Request) []Option {
	c, _ := cs.Find(r.Command)
	var named, missing []Option
	needed := false
	for _, o := range c.Options {
		value, has := r.Args[o.Name]
		if value != "" || o.Kind == People {
			continue
		}
		if missing = append(missing, o); has {
			named = append(named, o)
		}
		needed = needed || o.Required
	}
	if needed {
		return missing
	}
	return named
}

// An Option is something a command can be told.
type Option struct {
	Name      string // lower case
	Help      string // at most 100 characters
	Kind      Kind
	Required  bool
	Choices   []Choice // for Pick: the values there are
	List      bool     // for Pick: several may be typed, with commas between them
	Completes bool     // Host.Complete knows what could be meant
	// ByLabel says that it can be completed from the beginning of a label, as well as
	// from that of a value.
	ByLabel bool
	// Question asks for a required option that is left out, and Without says what to
	// do instead.
	Question, Without text.Text
	// Rare says that few want it: it is not offered before its name is begun.
	Rare bool
	// Place says that it is a setting of a channel or a home, which those who
	// manage it can change.
	Place bool
	// Ours says that it is for a platform of our own, as Command.Ours does.
	Ours bool
}

// Key is the option's name as the catalogues have it: "word:". Of people it is
// what one of them is called.
func (o Option) Key() string {
	if o.Kind == People {
		return strings.TrimSuffix(o.Name, "s") + ":"
	}
	return o.Name + ":"
}

// NameIn is what the option is called in a tongue, "" where it has no name of its
// own there.
func (o Option) NameIn(to *text.Tongue) string {
	return strings.TrimSuffix(to.Own(o.Key()), ":")
}

// ChoiceIn is what one of the option's choices is called in a tongue, in one word:
// what its label says before a sign, as "clásicas" or "12-horas". It is "" where that
// is long, or two choices would be called so.
func (o Option) ChoiceIn(c Choice, to *text.Tongue) string {
	if to.IsEnglish() {
		return ""
	}
	own := c.nameIn(to)
	for _, other := range o.Choices {
		if other.Value != c.Value && (other.nameIn(to) == own || strings.EqualFold(other.Value, own)) {
			return ""
		}
	}
	return own
}

// A Kind is what sort of value an option takes. It lets free text be read in
// any order: "play horn 8h" is "play 8h horn".
type Kind uint8

const (
	Word     Kind = iota + 1 // a word, perhaps with "?" before blanks
	Square                   // 8H or H8
	Letters                  // tiles of a rack
	Words                    // words separated by spaces or commas; takes all that is left
	Pick                     // one of Choices, or what Host.Complete offers
	People                   // persons; the adapter turns them into Request.People
	YesNo                    // true or false
	Sentence                 // any text, as it is typed; takes all that is left
)

// A Choice is a value that an option can take, and how to show it.
type Choice struct {
	Value string
	Label text.Text // at most 100 characters; longer ones are cut
}

func (c Choice) nameIn(to *text.Tongue) string {
	name := c.Label.In(to).String()
	if i := strings.IndexAny(name, ":;,.("); i >= 0 {
		name = name[:i]
	}
	if name = strings.ToLower(strings.Join(strings.Fields(name), "-")); utf8.RuneCountInString(name) > MaxName {
		return ""
	}
	return name
}

package bot

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"github.com/rackmate/rackmate/bot/text"
)

// A Command is something that people can ask the host to do. Every platform registers, completes,
// explains and parses the same list of them, the host's [Commands].
type Command struct {
	Name    string // lower case
	Help    string // what it does, at most 100 characters
	Example string // typical use
	Options []Option
	// Ours marks a command for our own platforms, which the host moderates.
	Ours bool
	// Manages marks a command for managers of a place.
	Manages bool
	// Former lists names from earlier versions. They still work, typed or on old buttons, but
	// aren't offered.
	Former []string
}

// Called reports whether a name is the command's, now or in an earlier version.
func (c Command) Called(name string) bool { return c.Name == name || slices.Contains(c.Former, name) }

// Key returns the command's name in the catalogues: "/play".
func (c Command) Key() string { return "/" + c.Name }

// NameIn returns the command's name in a locale, or "" if there is none.
func (c Command) NameIn(to *text.Locale) string {
	return strings.TrimPrefix(to.Translation(c.Key()), "/")
}

// Commands lists the commands of a host in the order of the help.
type Commands []Command

// Elsewhere returns the commands and options for platforms that moderate themselves.
func (cs Commands) Elsewhere() Commands {
	all := slices.DeleteFunc(slices.Clone(cs), func(c Command) bool { return c.Ours })
	for i := range all {
		all[i].Options = slices.DeleteFunc(slices.Clone(all[i].Options), func(o Option) bool { return o.Ours })
	}
	return all
}

// Find finds a command by its name or a former one.
func (cs Commands) Find(name string) (Command, bool) {
	i := slices.IndexFunc(cs, func(c Command) bool { return c.Called(name) })
	if i < 0 {
		return Command{}, false
	}
	return cs[i], true
}

// FindIn finds a command by its English name, else by the one in a locale, with or without accents.
func (cs Commands) FindIn(name string, to *text.Locale) (Command, bool) {
	if c, ok := cs.Find(name); ok || to.IsEnglish() || name == "" {
		return c, ok
	}
	i := matchName(cs, name, func(c Command) string { return c.NameIn(to) })
	if i < 0 {
		return Command{}, false
	}
	return cs[i], true
}

// Option finds an option by its English name, else by the one in a locale, with or without accents.
// Case doesn't matter.
func (c Command) Option(name string, to *text.Locale) (Option, bool) {
	i := slices.IndexFunc(c.Options, func(o Option) bool { return strings.EqualFold(o.Name, name) })
	if i < 0 {
		i = matchName(c.Options, name, func(o Option) string { return o.NameIn(to) })
	}
	if i < 0 {
		return Option{}, false
	}
	return c.Options[i], true
}

// Meant finds an option like Option, or else the only one whose name differs by one letter: "robot"
// for "robots".
func (c Command) Meant(name string, to *text.Locale) (Option, bool) {
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

// Knows reports whether a request's command exists. An old button may name a command from an
// earlier version.
func (cs Commands) Knows(r Request) bool {
	_, ok := cs.Find(r.Command)
	return ok
}

// Asks lists the options to ask for before a pressed button's request is made: the ones that the
// button names without a value, or, if a required one is missing, all that are missing. A platform
// that can't ask makes the request as it is, and the answer says what to type.
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

// An Option is an option of a command.
type Option struct {
	Name      string // lower case
	Help      string // at most 100 characters
	Kind      Kind
	Required  bool
	Choices   []Choice // for Pick: the possible values
	List      bool     // for Pick: several may be typed, separated by commas
	Completes bool     // Host.Complete suggests values
	// ByLabel means that completion also matches the beginning of labels.
	ByLabel bool
	// Question asks for a required option that is missing, and Without says what to do instead.
	Question, Without text.Text
	// Rare marks an option that few need: it is offered only once its name is begun.
	Rare bool
	// Place marks a setting of a channel or a home, which its managers can change.
	Place bool
	// Ours marks an option for our own platforms, like Command.Ours.
	Ours bool
}

// Key returns the option's name in the catalogues: "word:". For People it is in the singular.
func (o Option) Key() string {
	if o.Kind == People {
		return strings.TrimSuffix(o.Name, "s") + ":"
	}
	return o.Name + ":"
}

// NameIn returns the option's name in a locale, or "" if there is none.
func (o Option) NameIn(to *text.Locale) string {
	return strings.TrimSuffix(to.Translation(o.Key()), ":")
}

// ChoiceIn returns the name of a choice in a locale, in one word: its label up to a punctuation
// mark, such as "clásicas" or "12-horas". It returns "" if the name would be too long or not
// unique.
func (o Option) ChoiceIn(c Choice, to *text.Locale) string {
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

// A Kind is the sort of value that an option takes. Kinds allow values in any order: "play horn 8h"
// is "play 8h horn".
type Kind uint8

const (
	Word     Kind = iota + 1 // a word, perhaps with "?" before blanks
	Square                   // 8H or H8
	Letters                  // tiles of a rack
	Words                    // words separated by spaces or commas; takes the rest of the line
	Pick                     // one of Choices, or what Host.Complete offers
	People                   // people; the adapter turns them into Request.People
	YesNo                    // true or false
	Sentence                 // any text as typed; takes the rest of the line
)

// A Choice is a possible value of an option, with its label.
type Choice struct {
	Value string
	Label text.Text // at most 100 characters; longer ones are cut
	// Without lists the options that make no sense together with this choice.
	Without []string
}

func (c Choice) nameIn(to *text.Locale) string {
	name := c.Label.In(to).String()
	if i := strings.IndexAny(name, ":;,.("); i >= 0 {
		name = name[:i]
	}
	if name = strings.ToLower(strings.Join(strings.Fields(name), "-")); utf8.RuneCountInString(name) > MaxName {
		return ""
	}
	return name
}

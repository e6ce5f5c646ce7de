package discord

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file arranges the commands in the list that appears when people type /. Commands
// used in every game are at the top level; all others are below one root, so that they
// don't clash with a server's own /help, /report or /block. New commands go below the root
// by default.

// root is the command above the others.
const root = "rackmate"

// top lists the commands at the top level. With the root and the Activity's entry point
// there are twelve.
var top = []string{"play", "exchange", "pass", "challenge", "rack", "board", "check", "new", "join", "games"}

// A group is a set of commands below the root, which has room for 25 commands and groups.
type group struct {
	name     string
	help     text.Text
	commands []string
}

// groups lists the commands that people seldom type. rest takes commands if there are
// more than mostOptions.
var (
	groups = []group{
		{"table", text.Say("Commands rarely used at a table"), []string{
			"leave", "vote", "start", "claim", "wait", "adopt", "end", "nudge", "unseat",
		}},
		{"study", text.Say("Words, notes, and games that are over"), []string{
			"anagram", "hooks", "pattern", "unseen", "note", "plan", "review", "replay", "export",
		}},
		{"lists", text.Say("Lists for clubs and tournaments"), []string{"roster"}},
	}
	rest = group{name: "more", help: text.Say("What else there is")}
)

// mostOptions limits the options, commands or groups below a command or a group.
const mostOptions = 25

// A catalog records where commands are found.
type catalog struct {
	commands bot.Commands
	at       map[string][]string // path by name: "rackmate", "table", "leave"
	typing   []string            // path of typeCommand
}

// catalogOf arranges commands: at the top level all of them, or only the ones in top.
func catalogOf(commands bot.Commands, all bool) catalog {
	c := catalog{commands.Elsewhere(), map[string][]string{}, []string{root, typeCommand}}
	if all {
		c.typing = []string{typeCommand}
	}
	var below []string
	for _, one := range c.commands {
		i := slices.IndexFunc(groups, func(g group) bool { return slices.Contains(g.commands, one.Name) })
		switch {
		case all || slices.Contains(top, one.Name):
			c.at[one.Name] = []string{one.Name}
		case slices.Contains(unlisted, one.Name):
			c.at[one.Name] = append(slices.Clip(c.typing), one.Name)
		case i >= 0:
			c.at[one.Name] = []string{root, groups[i].name, one.Name}
		default:
			below = append(below, one.Name)
		}
	}
	room := mostOptions - len(groups) - 1 // for typeCommand
	if len(below) > room {
		room-- // for the rest
	}
	for n, name := range below {
		if c.at[name] = []string{root, name}; n >= room {
			c.at[name] = []string{root, rest.name, name}
		}
	}
	return c
}

// typedName returns a command as it is typed, without the slash, with its name in the reader's language.
func (c catalog) typedName(command bot.Command, to *text.Locale) string {
	name := cmp.Or(command.NameIn(to), command.Name)
	if at := c.at[command.Name]; len(at) > 1 {
		return strings.Join(at[:len(at)-1], " ") + " " + name
	}
	return name
}

// registeredCommands returns the chat commands to register.
func (in localizer) registeredCommands(c catalog) []Command {
	var all []Command
	below := Command{Type: chatCommand, Name: root}
	help := text.Say("Everything else: settings, results, help and more")
	below.Description, below.DescriptionLocalizations = help.String(), in.text(help)
	for _, one := range c.commands {
		at := c.at[one.Name]
		if len(at) == 1 {
			all = append(all, Command{
				Type: chatCommand, Name: one.Name, NameLocalizations: in.each(one.NameIn),
				Description: one.Help, DescriptionLocalizations: in.text(text.Known(one.Help)), Options: in.options(one), Permissions: permissionsFor(one),
			})
			continue
		}
		if at[1] == typeCommand {
			continue
		}
		sub := Option{
			Type: subcommand, Name: one.Name, NameLocalizations: in.each(one.NameIn),
			Description: one.Help, DescriptionLocalizations: in.text(text.Known(one.Help)), Options: completeTyped(in.options(one)),
		}
		if len(at) == 2 {
			below.Options = append(below.Options, sub)
			continue
		}
		i := slices.IndexFunc(below.Options, func(o Option) bool { return o.Type == subcommands && o.Name == at[1] })
		if i < 0 {
			g := rest
			if k := slices.IndexFunc(groups, func(g group) bool { return g.name == at[1] }); k >= 0 {
				g = groups[k]
			}
			i = len(below.Options)
			below.Options = append(below.Options, Option{Type: subcommands, Name: g.name, Description: g.help.String(), DescriptionLocalizations: in.text(g.help)})
		}
		below.Options[i].Options = append(below.Options[i].Options, sub)
	}
	if typing := in.typeCommand(); len(c.typing) == 1 {
		all = append(all, Command{
			Type: chatCommand, Name: typing.Name, NameLocalizations: typing.NameLocalizations,
			Description: typing.Description, DescriptionLocalizations: typing.DescriptionLocalizations, Options: typing.Options,
		})
	} else {
		below.Options = append(below.Options, typing)
	}
	if len(below.Options) > 0 {
		all = append(all, below)
	}
	return all
}

// permissionsFor returns the permissions that people need to see a command. Commands below
// the root can't have any of their own; there the host refuses.
func permissionsFor(c bot.Command) permissionSet {
	if c.Manages {
		return permissionSet(manageGuild.number())
	}
	return ""
}

// completeTyped makes options suggest their choices while the person types, because listing
// all choices would exceed the limit of a command.
func completeTyped(options []Option) []Option {
	for i := range options {
		if o := &options[i]; len(o.Choices) > 0 {
			o.Choices, o.Autocomplete = nil, true
		}
	}
	return options
}

// length returns the number of characters that Discord counts: for each name, description
// and value the longest of all languages.
func (c *Command) length() int {
	n := longest(c.Name, c.NameLocalizations) + longest(c.Description, c.DescriptionLocalizations)
	for i := range c.Options {
		n += c.Options[i].length()
	}
	return n
}

func (o *Option) length() int {
	n := longest(o.Name, o.NameLocalizations) + longest(o.Description, o.DescriptionLocalizations)
	for i := range o.Options {
		n += o.Options[i].length()
	}
	for _, c := range o.Choices {
		n += longest(c.Name, c.NameLocalizations) + utf8.RuneCountInString(c.Value)
	}
	return n
}

func longest(english string, own map[string]string) int {
	n := utf8.RuneCountInString(english)
	for _, said := range own {
		n = max(n, utf8.RuneCountInString(said))
	}
	return n
}

// A directory is a catalog with Discord's command ids, which make commands in sentences
// clickable.
type directory struct {
	catalog
	ids atomic.Pointer[map[string]snowflake] // by name of the registered command; nil until known
}

// learn records the ids of the registered commands.
func (d *directory) learn(there []Command) {
	ids := map[string]snowflake{}
	for _, c := range there {
		if c.Type == chatCommand && c.ID.valid() {
			ids[c.Name] = c.ID
		}
	}
	d.ids.Store(&ids)
}

// commandLink is the prefix of a span's link that marks a clickable command.
const commandLink = "discord-command:"

// linkCommands makes the commands in a text clickable, and writes their options after them
// as Discord asks for them. to returns the reader's language, or nil if it isn't known.
func (d *directory) linkCommands(t text.Text, to func() *text.Locale) text.Text {
	plain := t.In(nil)
	for _, press := range []bool{true, false} {
		t, length := text.Text(nil), 0
		for _, s := range plain {
			for _, s := range d.spans(s, to, press) {
				length += units(s.Text) + units(s.Link)
				t = append(t, s)
			}
		}
		if length <= maxContent-100 || !press {
			return t
		}
	}
	return plain
}

// spans converts a code span that starts with a command. If press is false, the text has no
// room for clickable commands.
func (d *directory) spans(s text.Span, reader func() *text.Locale, press bool) text.Text {
	typed, ok := strings.CutPrefix(s.Text, "/")
	if !s.Code || !ok || strings.Contains(typed, "\n") {
		return text.Text{s}
	}
	name, options, _ := strings.Cut(typed, " ")
	c, known := d.commands.Find(name)
	if !known {
		return text.Text{s}
	}
	at, to := d.at[c.Name], reader()
	given, ok := asOptions(d.commands, c, options, to)
	if ok = ok && !slices.Contains(at, typeCommand); !ok {
		at = d.typing
		given = nameIn(lineName, to) + ": " + strings.TrimSpace(cmp.Or(c.NameIn(to), c.Name)+" "+localizeTyped(c, options, to))
	}
	if ids := d.ids.Load(); press && ids != nil {
		if id := (*ids)[at[0]]; id != "" {
			s.Link = commandLink + strings.Join(at, " ") + ":" + string(id)
		}
	}
	if s.Link == "" {
		s.Text = "/" + strings.Join(at, " ")
		if ok {
			s.Text = "/" + d.typedName(c, to)
		}
	}
	if given == "" {
		return text.Text{s}
	}
	return text.Text{s, {Text: " "}, {Text: given, Code: true}}
}

// asOptions converts text typed after a command to the options that Discord asks for, such
// as "word: horn, at: 8h". Text that can't be parsed stays as it is. ok is false if one of
// the options isn't listed and the command has no other that takes it.
func asOptions(all bot.Commands, c bot.Command, typed string, to *text.Locale) (options string, ok bool) {
	var people, others []string
	for _, w := range strings.Fields(typed) {
		if strings.HasPrefix(w, "@") {
			people = append(people, w)
		} else {
			others = append(others, w)
		}
	}
	_, args, refusal := all.ParseLine(c.Name+" "+strings.Join(others, " "), to)
	if refusal != nil {
		return localizeTyped(c, typed, to), true
	}
	var said, more []string
	for _, o := range c.Options {
		own, value := cmp.Or(o.NameIn(to), o.Name), args[o.Name]
		if o.Kind == bot.People {
			own, value = strings.TrimSuffix(own, "s"), strings.Join(people, ", ")
			people = nil
		}
		switch {
		case value == "":
		case isListed(c.Name, o.Name):
			said = append(said, own+": "+value)
		default:
			more = append(more, own+":"+value)
		}
	}
	if len(more) > 0 {
		said = append(said, nameIn(moreName, to)+": "+strings.Join(more, " "))
	}
	return strings.Join(append(said, people...), ", "), len(more) == 0 || hasMore(c.Name)
}

// localizeTyped returns what is typed after a command, with the options' names in the reader's
// language.
func localizeTyped(c bot.Command, typed string, to *text.Locale) string {
	words := strings.Fields(typed)
	for i, w := range words {
		name, value, named := strings.Cut(w, ":")
		if !named {
			continue
		}
		if o, ok := c.Option(name, to); ok {
			words[i] = cmp.Or(o.NameIn(to), o.Name) + ":" + value
		}
	}
	return strings.Join(words, " ")
}

package discord

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file keeps the list of commands short, but lets people give every command with every
// option. Commands with buttons, menus or forms for the rest are listed with few options. Some
// have one more that takes the others as a line of text, such as "clock:25m hints:allowed",
// and typeCommand takes any command with any options, including options of rare variants,
// which aren't listed.

// listed holds the options that Discord lists, by command. A command without an entry lists all
// its options.
var listed = map[string][]string{
	"play":       {"word", "at"},
	"board":      {"as"},
	"new":        {opponents, "robots", "rules", "variant", "language", "pace", "thread"},
	"games":      {},
	"note":       {"text"},
	"plan":       {"word", "at"},
	"review":     {"move"},
	"top":        {"of"},
	"league":     {"who"},
	"tournament": {"who"},
	"club":       {"who"},
	"words":      {},
	"settings":   {},
	"link":       {"code"},
	"block":      {"who"},
	"report":     {"who", "why", "note"},
}

// unlisted names commands that are given by buttons, or as text with typeCommand.
var unlisted = []string{"draw", "submit", "cover", "remove"}

const (
	// moreOption is the option that takes the others as text.
	moreOption = "more"
	// typeCommand is the command below the root that takes any command as text, in its
	// option lineOption.
	typeCommand = "type"
	lineOption  = "line"
)

// The names of the options and the command in other languages.
var (
	moreName = text.Item("more:")
	lineName = text.Item("line:")
	typeName = text.Item("/type")
)

// nameIn returns one of these names in a language.
func nameIn(name text.Text, to *text.Locale) string {
	return strings.Trim(name.In(to).String(), "/:")
}

// moreExamples shows what can be typed into moreOption, by the commands that have it.
var moreExamples = map[string]string{
	"new": "clock:25m hints:allowed", "settings": "ping:dm quiet:22-8", "league": "join", "tournament": "join", "club": "join",
	"words": "add qat zax", "review": "show:best", "top": "page:2", "plan": "least:20",
}

// isListed reports whether Discord lists an option of a command.
func isListed(command, option string) bool {
	names, short := listed[command]
	return !short || slices.Contains(names, option)
}

// hasMore reports whether a command has moreOption.
func hasMore(command string) bool { return moreExamples[command] != "" }

// moreOption returns the option that takes a command's other options as text.
func (in localizer) moreOption(c bot.Command) Option {
	help := text.Say("Anything else, in words: {example}", moreExamples[c.Name])
	return in.typedOption(moreOption, moreName, help)
}

// typeCommand returns the command that takes any command as text.
func (in localizer) typeCommand() Option {
	help, line := text.Say("Give any command as a line of text"), text.Say("The command, like {example}", "submit horn 8h")
	o := in.typedOption(lineOption, lineName, line)
	o.Required = true
	return Option{
		Type: subcommand, Name: typeCommand, NameLocalizations: in.each(func(to *text.Locale) string { return nameIn(typeName, to) }),
		Description: help.String(), DescriptionLocalizations: in.text(help), Options: []Option{o},
	}
}

func (in localizer) typedOption(name string, own, help text.Text) Option {
	return Option{
		Type: textOption, Name: name, NameLocalizations: in.each(func(to *text.Locale) string { return nameIn(own, to) }),
		Description: help.String(), DescriptionLocalizations: in.text(help), Autocomplete: true,
	}
}

// readTyped parses what a person typed into typeCommand or moreOption, and adds it to the
// interaction. It returns a refusal if that makes no sense.
func (in *inbox) readTyped(ctx context.Context, i *interaction) (refusal text.Text) {
	if i.Type != commandGiven || i.Data.Type != chatCommand {
		return nil
	}
	name := i.Data.Name
	at := slices.IndexFunc(i.Data.Options, func(o givenOption) bool {
		return o.Name == moreOption && hasMore(name) || o.Name == lineOption && name == typeCommand
	})
	if at < 0 {
		return nil
	}
	line := valueText(i.Data.Options[at].Value)
	i.Data.Options = slices.Delete(i.Data.Options, at, at+1)
	if name != typeCommand {
		line = name + " " + line
	}
	name, args, refusal := in.Host.Commands().Elsewhere().ParseLine(line, in.locale(ctx, i))
	if refusal == nil {
		i.Data.Name, i.typed = name, args
	}
	return refusal
}

// addTyped adds options that were typed as text, unless they were also given as options.
func addTyped(args, typed map[string]string) {
	for name, value := range typed {
		if args[name] == "" {
			args[name] = value
		}
	}
}

// completeTyped suggests how a line of options or a line with a command can go on.
func (in *inbox) completeTyped(ctx context.Context, i *interaction, req bot.Request) (all []bot.Choice) {
	at := slices.IndexFunc(i.Data.Options, func(o givenOption) bool { return o.Focused })
	if at < 0 {
		return nil
	}
	to, line := in.locale(ctx, i), valueText(i.Data.Options[at].Value)
	commands := in.Host.Commands().Elsewhere()
	before := ""
	c, found := commands.Find(i.Data.Name)
	if i.Data.Name == typeCommand {
		name, rest, more := strings.Cut(strings.TrimLeft(line, " /"), " ")
		if c, found = commands.FindIn(strings.ToLower(name), to); !more {
			return suggestCommands(commands, strings.ToLower(name), to)
		}
		before, line = name+" ", rest
		req.Command = c.Name
	}
	if !found {
		return nil
	}
	cut := strings.LastIndexByte(line, ' ') + 1
	before, last := before+line[:cut], line[cut:]
	name, value, named := strings.Cut(last, ":")
	if !named {
		for _, o := range c.Options {
			own := cmp.Or(o.NameIn(to), o.Name)
			if _, given := req.Args[o.Name]; given || o.Kind == bot.People || i.Data.Name != typeCommand && isListed(c.Name, o.Name) || !strings.HasPrefix(own, strings.ToLower(name)) {
				continue
			}
			all = append(all, bot.Choice{Value: before + own + ":", Label: text.Glue(before, own, ": ", text.Known(o.Help).In(to))})
		}
		return all
	}
	o, ok := c.Option(name, to)
	if !ok {
		return nil
	}
	req.Args = maps.Clone(req.Args)
	req.Args[o.Name] = value
	choices := in.Host.Complete(ctx, req, o.Name)
	if len(choices) == 0 {
		choices = slices.DeleteFunc(bot.ChoicesIn(to, o.Choices), func(c bot.Choice) bool { return !strings.HasPrefix(c.Value, value) })
	}
	for _, one := range choices {
		all = append(all, bot.Choice{Value: before + name + ":" + one.Value, Label: text.Glue(before, name, ": ", one.Label)})
	}
	return all
}

// suggestCommands lists the commands whose name begins with a text.
func suggestCommands(commands bot.Commands, typed string, to *text.Locale) (all []bot.Choice) {
	for _, c := range commands {
		own := cmp.Or(c.NameIn(to), c.Name)
		if strings.HasPrefix(own, typed) || strings.HasPrefix(c.Name, typed) {
			all = append(all, bot.Choice{Value: own, Label: text.Glue(own, ": ", text.Known(c.Help).In(to))})
		}
	}
	return all
}

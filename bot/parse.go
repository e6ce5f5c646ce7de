package bot

import (
	"slices"
	"strings"

	"github.com/rackmate/rackmate/game"
)

// ParseLine reads a command as people type it: its name, with or without "/",
// and its options' values in any order that tells them apart ("/play horn 8h",
// "/play 8h horn"), or by name ("/new seats:3 rules:club"). The refusal is nil
// when the line could be read.
func ParseLine(line string) (command string, args map[string]string, refusal Text) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return "", nil, say("Type a command. ", code("/help"), " lists them.")
	}
	command = strings.ToLower(strings.TrimPrefix(words[0], "/"))
	c, ok := FindCommand(command)
	if !ok {
		return "", nil, unknownCommand(command)
	}
	args = map[string]string{}
	for _, w := range words[1:] {
		o, value, ok := c.optionFor(w, args)
		if !ok {
			return "", nil, say("I don't know what ", code(w), " means here. ", usage(c))
		}
		if old := args[o.Name]; old != "" {
			value = old + " " + value
		}
		args[o.Name] = value
	}
	return command, args, nil
}

// FindCommand finds a command by its name.
func FindCommand(name string) (Command, bool) {
	all := Commands()
	i := slices.IndexFunc(all, func(c Command) bool { return c.Name == name })
	if i < 0 {
		return Command{}, false
	}
	return all[i], true
}

// optionFor finds which option a word of a typed line is for: the one that it
// names ("seats:3"), else the first that could take it.
func (c Command) optionFor(w string, have map[string]string) (Option, string, bool) {
	if key, value, ok := strings.Cut(w, ":"); ok {
		for _, o := range c.Options {
			if o.Name == strings.ToLower(key) && value != "" && (have[o.Name] == "" || o.many()) {
				return o, value, true
			}
		}
	}
	for _, o := range c.Options {
		if (have[o.Name] == "" || o.many()) && o.takes(w) {
			return o, w, true
		}
	}
	return Option{}, "", false
}

// many reports whether an option takes more than one word of a line.
func (o Option) many() bool { return o.Kind == Words || o.Kind == People || o.Kind == Letters }

// takes reports whether a typed word can be a value of the option.
func (o Option) takes(w string) bool {
	switch o.Kind {
	case Square:
		_, _, err := game.ParseAt(w)
		return err == nil
	case Word:
		_, _, err := game.ParseAt(w)
		return err != nil
	case Pick:
		return len(o.Choices) == 0 || slices.ContainsFunc(o.Choices, func(c Choice) bool { return strings.EqualFold(c.Value, w) })
	case People:
		return strings.HasPrefix(w, "@") || strings.HasPrefix(w, "<@")
	}
	return true
}

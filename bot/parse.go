package bot

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseLine reads a command as people type it: its name, with or without "/",
// and its options' values in any order that tells them apart ("/play horn 8h",
// "/play 8h horn"), or by name ("/new seats:3 rules:club"). The refusal is nil
// when the line could be read.
func (cs Commands) ParseLine(line string) (command string, args map[string]string, refusal Text) {
	words := Listed(line)
	if len(words) == 0 {
		return "", nil, Say("Type a command. {help} lists them.", Code("/help"))
	}
	command = strings.ToLower(strings.TrimPrefix(words[0], "/"))
	c, ok := cs.Find(command)
	if !ok {
		return "", nil, UnknownCommand(command)
	}
	args = map[string]string{}
	if name, text, ok := c.line(line); ok {
		args[name] = text
		return command, args, nil
	}
	for _, w := range words[1:] {
		if w = strings.Trim(w, "\"'“”„‘’«»`"); w == "" {
			continue
		}
		o, value, ok := c.optionFor(w, args)
		if !ok {
			return "", nil, Say("I don't know what {word} means here. {usage}", Code(Shorten(w, MaxName)), Usage(c))
		}
		if old := args[o.Name]; old != "" {
			value = old + " " + value
		}
		args[o.Name] = value
	}
	return command, args, nil
}

// line is the text after a command's name, where the command takes it as it is
// typed: unless it begins with the name of another option.
func (c Command) line(typed string) (option, text string, ok bool) {
	i := slices.IndexFunc(c.Options, func(o Option) bool { return o.Kind == Sentence })
	if i < 0 {
		return "", "", false
	}
	typed = strings.TrimSpace(typed)
	at := strings.IndexFunc(typed, unicode.IsSpace)
	if at < 0 {
		return "", "", false
	}
	text = strings.TrimSpace(typed[at:])
	name, value, named := strings.Cut(text, ":")
	switch {
	case !named || !slices.ContainsFunc(c.Options, func(o Option) bool { return o.Name == strings.ToLower(name) }):
		return c.Options[i].Name, text, text != ""
	case c.Options[i].Name == strings.ToLower(name):
		return c.Options[i].Name, strings.TrimSpace(value), true
	}
	return "", "", false
}

// optionFor finds which option a word of a typed line is for, and its value:
// the option that it names ("seats:3"), else the first that has it among its
// choices, else the first that takes anything of the kind.
func (c Command) optionFor(w string, have map[string]string) (Option, string, bool) {
	free := func(o Option) bool { return have[o.Name] == "" || o.many() }
	if key, value, ok := strings.Cut(w, ":"); ok {
		for _, o := range c.Options {
			if o.Name == strings.ToLower(key) {
				return o, o.choice(value), value != "" && free(o)
			}
		}
	}
	for _, o := range c.Options {
		if i := slices.IndexFunc(o.Choices, func(c Choice) bool { return strings.EqualFold(c.Value, w) }); i >= 0 && free(o) {
			return o, o.Choices[i].Value, true
		}
	}
	for _, o := range c.Options {
		if free(o) && o.takes(w) {
			return o, w, true
		}
	}
	return Option{}, "", false
}

// choice is a typed value as the option's choices have it, or as it is.
func (o Option) choice(value string) string {
	for _, c := range o.Choices {
		if strings.EqualFold(c.Value, value) {
			return c.Value
		}
	}
	return value
}

// many reports whether an option takes more than one word of a line.
func (o Option) many() bool { return o.Kind == Words || o.Kind == People || o.Kind == Letters }

// takes reports whether a typed word that is none of the choices can be a value
// of the option.
func (o Option) takes(w string) bool {
	if len(o.Choices) > 0 {
		return false
	}
	switch o.Kind {
	case Square:
		return likeSquare(w)
	case Word:
		return !likeSquare(w)
	case Pick:
		return o.Completes && !strings.Contains(w, ":")
	case YesNo:
		return false // by name alone
	case People:
		return strings.HasPrefix(w, "@") || strings.HasPrefix(w, "<@")
	}
	return true
}

// likeSquare reports whether a typed word is meant for a square, even if there
// is none: digits and a letter, or a letter and digits.
func likeSquare(w string) bool {
	if letter := strings.Trim(w, "0123456789"); letter == w || utf8.RuneCountInString(letter) != 1 {
		return false
	}
	return w[0] > '9' != (w[len(w)-1] > '9')
}

// UnknownCommand tells somebody that there is no such command.
func UnknownCommand(name string) Text {
	return Say("There is no command {command}. {help} lists them.", Code("/"+Shorten(name, MaxName)), Code("/help"))
}

// Missing asks for an option that a command can't do without.
func Missing(c Command, o Option) Text {
	which := Say("What {option}?", o.Name)
	switch o.Kind {
	case Word:
		which = Say("Which word?")
	case Letters:
		which = Say("Which tiles?")
	case Words:
		which = Say("Which {option}?", o.Name)
	}
	return Sentences(which, Say("For instance {example}.", Code(c.Example)), o.Without)
}

// Usage shows how a command is typed.
func Usage(c Command) Text {
	line := "/" + c.Name
	for _, o := range c.Options {
		if o.Required {
			line += " " + o.Name
		} else {
			line += " [" + o.Name + "]"
		}
	}
	return Say("Type {line}.", Code(line))
}

// Listed are the words of a list that spaces or commas separate.
func Listed(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' })
}

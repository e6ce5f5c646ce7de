package bot

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot/text"
	"golang.org/x/text/unicode/norm"
)

// ParseLine parses a command as people type it: its name, with or without "/", and its options'
// values in any unambiguous order ("/play horn 8h", "/play 8h horn"), or by name ("/new seats:3
// rules:club"). Commands, options and choices may also have their names in the reader's locale
// ("/spielen wort:horn"), with or without accents; English names take precedence. refusal is nil if
// the line could be parsed.
func (cs Commands) ParseLine(line string, reader *text.Locale) (command string, args map[string]string, refusal text.Text) {
	words := SplitList(line)
	if len(words) == 0 {
		return "", nil, text.Say("Type a command. {help} lists them.", text.Code("/help all"))
	}
	typed := strings.ToLower(strings.TrimPrefix(words[0], "/"))
	c, ok := cs.FindIn(typed, reader)
	if !ok {
		return "", nil, UnknownCommand(typed)
	}
	args = map[string]string{}
	if name, text, ok := c.line(line, reader); ok {
		args[name] = text
		return c.Name, args, nil
	}
	for i, field := range strings.Fields(line) {
		var last Option // option of the previous word in the same comma-separated field
		for j, w := range SplitList(field) {
			if w = strings.Trim(w, "\"'“”„‘’«»`"); w == "" || i == 0 && j == 0 {
				continue
			}
			o, value, ok := last, w, last.List && !strings.Contains(w, ":")
			if !ok {
				o, value, ok = c.optionFor(w, args, reader)
			}
			if !ok {
				if key, second, named := strings.Cut(w, ":"); named {
					if o, found := c.Meant(key, reader); found && args[o.Name] != "" {
						return "", nil, text.Say("{option} is there twice: {first} and {second}. Choose one.", text.Code(o.Name), text.Code(text.Shorten(args[o.Name], MaxName)), text.Code(text.Shorten(second, MaxName)))
					}
				}
				return "", nil, text.Say("I don't know what {word} means here. {usage}", text.Code(text.Shorten(w, MaxName)), Usage(c))
			}
			if old := args[o.Name]; old != "" {
				value = old + " " + value
			}
			args[o.Name], last = value, o
		}
	}
	return c.Name, args, nil
}

// line returns the text after a command's name if the command takes free text, unless the text
// begins with the name of another option.
func (c Command) line(typed string, reader *text.Locale) (option, said string, ok bool) {
	i := slices.IndexFunc(c.Options, func(o Option) bool { return o.Kind == Sentence })
	if i < 0 {
		return "", "", false
	}
	typed = strings.TrimSpace(typed)
	at := strings.IndexFunc(typed, unicode.IsSpace)
	if at < 0 {
		return "", "", false
	}
	said = strings.TrimSpace(typed[at:])
	name, value, named := strings.Cut(said, ":")
	switch o, known := c.Option(name, reader); {
	case !named || !known:
		return c.Options[i].Name, said, said != ""
	case c.Options[i].Name == o.Name:
		return o.Name, strings.TrimSpace(value), true
	}
	return "", "", false
}

// optionFor finds the option for a word of a typed line, and its value: the option that the word
// names ("seats:3", "seat:3"), else the first that has it among its choices, else the first that
// accepts its kind.
func (c Command) optionFor(w string, have map[string]string, reader *text.Locale) (Option, string, bool) {
	free := func(o Option) bool { return have[o.Name] == "" || o.many() }
	if key, value, ok := strings.Cut(w, ":"); ok {
		if o, found := c.Meant(key, reader); found {
			if choice, ok := o.choice(value, reader); ok {
				value = choice
			}
			return o, value, value != "" && free(o)
		}
	}
	for _, to := range []*text.Locale{nil, reader} {
		for _, o := range c.Options {
			if value, ok := o.choice(w, to); ok && free(o) && o.Kind != YesNo {
				return o, value, true
			}
		}
	}
	for _, people := range []bool{true, false} { // a mention is a person first of all
		for _, o := range c.Options {
			if free(o) && o.accepts(w) && (!people || o.Kind == People) {
				return o, w, true
			}
		}
	}
	return Option{}, "", false
}

// choice finds the value of an option that a typed word stands for, in English or in the reader's
// locale.
func (o Option) choice(typed string, reader *text.Locale) (value string, ok bool) {
	if o.Kind == YesNo {
		for value, said := range map[string]text.Text{"yes": text.Say("Yes"), "no": text.Say("No")} {
			if Alike(said.In(reader).String(), typed) {
				return value, true
			}
		}
	}
	for _, c := range o.Choices {
		if strings.EqualFold(c.Value, typed) {
			return c.Value, true
		}
	}
	if i := matchName(o.Choices, typed, func(c Choice) string { return o.ChoiceIn(c, reader) }); i >= 0 {
		return o.Choices[i].Value, true
	}
	return "", false
}

// matchName returns the index of the thing that a typed name stands for: the one with that name, else
// the only one that matches without accents, else -1.
func matchName[T any](all []T, typed string, name func(T) string) int {
	if typed == "" {
		return -1
	}
	if i := slices.IndexFunc(all, func(one T) bool { return strings.EqualFold(name(one), typed) }); i >= 0 {
		return i
	}
	found := -1
	for i, one := range all {
		if !Alike(name(one), typed) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// umlauts maps umlauts to the way Germans write them without.
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue")

// Alike reports whether a typed word can stand for a name. It ignores case and accents, and accepts
// AE, OE and UE for umlauts.
func Alike(name, typed string) bool {
	if typed = Unaccented(typed); typed == "" {
		return false
	}
	return Unaccented(name) == typed || Unaccented(umlauts.Replace(norm.NFC.String(strings.ToLower(name)))) == typed
}

// Unaccented returns a name in lower case without accents: "zamien" for "zamień".
func Unaccented(name string) string {
	name = strings.ToLower(name)
	if !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return name
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(name) {
		switch {
		case r == 'ß':
			b.WriteString("ss")
		case r == 'ł': // Unicode doesn't decompose it
			b.WriteByte('l')
		case !unicode.Is(unicode.Mn, r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// many reports whether an option takes more than one word of a line.
func (o Option) many() bool { return o.Kind == Words || o.Kind == People || o.Kind == Letters }

// accepts reports whether a typed word that matches no choice can be a value of the option.
func (o Option) accepts(w string) bool {
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
		return false // only by name
	case People:
		return strings.HasPrefix(w, "@") || strings.HasPrefix(w, "<@")
	}
	return true
}

// Parted returns a command's arguments. If the argument for a word includes the square, "horn 8h"
// or "8h horn", it is split.
func (c Command) Parted(args map[string]string) map[string]string {
	of := func(k Kind) string {
		if i := slices.IndexFunc(c.Options, func(o Option) bool { return o.Kind == k }); i >= 0 {
			return c.Options[i].Name
		}
		return ""
	}
	word, square := of(Word), of(Square)
	said := strings.Fields(args[word])
	if word == "" || square == "" || args[square] != "" || len(said) != 2 || likeSquare(said[0]) == likeSquare(said[1]) {
		return args
	}
	if likeSquare(said[0]) {
		said[0], said[1] = said[1], said[0]
	}
	args = maps.Clone(args)
	args[word], args[square] = said[0], said[1]
	return args
}

// likeSquare reports whether a typed word looks like a square, even one off the board: digits and a
// letter, or a letter and digits. A sign before it makes no difference.
func likeSquare(w string) bool {
	w = strings.TrimLeft(w, "-−+")
	if letter := strings.Trim(w, "0123456789"); letter == w || utf8.RuneCountInString(letter) != 1 {
		return false
	}
	return w[0] > '9' != (w[len(w)-1] > '9')
}

// UnknownCommand returns the refusal of a command that doesn't exist.
func UnknownCommand(name string) text.Text {
	return text.Say("There is no command {command}. {help} lists them.", text.Code("/"+text.Shorten(name, MaxName)), text.Code("/help all"))
}

// Missing asks for a required option.
func Missing(c Command, o Option) text.Text {
	return text.Sentences(o.Question, text.Say("For example, {example}.", text.Code(c.Example)), o.Without)
}

// Usage shows how a command is typed.
func Usage(c Command) text.Text { return text.Say("Type {line}.", text.Code(c.Line(nil))) }

// Line returns a command with its options as typed in a locale.
func (c Command) Line(to *text.Locale) string {
	line := "/" + cmp.Or(c.NameIn(to), c.Name)
	for _, o := range c.Options {
		name := cmp.Or(o.NameIn(to), o.Name)
		if !o.Required {
			name = "[" + name + "]"
		}
		line += " " + name
	}
	return line
}

// SplitList splits a list at spaces, commas and semicolons.
func SplitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' })
}

package discordtest

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// This file contains the rules that are missing from Discord's description, or differ from
// its documentation.

// checkMessage checks a message against the rules.
func checkMessage(p messageRequest, files []file) error {
	if n := utf8.RuneCountInString(deref(p.Content)); n > 2000 {
		return invalid("content has %d characters, more than 2000", n)
	}
	if n := utf8.RuneCountInString(p.Nonce); n > 25 {
		return invalid("nonce has %d characters, more than 25", n)
	}
	if len(p.Components) > 5 && p.Flags&laidOut == 0 {
		return invalid("%d rows of components", len(p.Components))
	}
	seen := map[string]bool{}
	for _, row := range p.Components {
		if row.Type != 1 {
			return invalid("a component of type %d without the flag for it", row.Type)
		}
		for _, c := range row.Components {
			if err := checkComponent(c, len(row.Components), seen); err != nil {
				return err
			}
		}
	}
	referenced := map[string]bool{}
	for _, a := range p.attachments() {
		referenced[a.ID] = true
		if n := utf8.RuneCountInString(a.Description); n > 1024 {
			return invalid("words for a picture of %d characters", n)
		}
	}
	for n, f := range files {
		if p.Attachments != nil && !referenced[itoa(n)] {
			return invalid("file %d has no attachment", n)
		}
		if len(f.data) > 10<<20 || len(f.data) == 0 {
			return invalid("a file of %d bytes", len(f.data))
		}
		if strings.ContainsAny(f.name, "/\\\x00") {
			return invalid("a file called %q", f.name)
		}
	}
	return nil
}

// laidOut is the flag of a message that consists only of components.
const laidOut = 1 << 15

// blocks returns the text of a message that consists only of components, and its rows of
// buttons and menus. Edits can't turn it into a message with content.
func (p messageRequest) blocks(m *Message, files []file) (said string, rows []row, err error) {
	if p.Flags&laidOut == 0 && len(p.Components) == 0 || p.Content != nil {
		return "", nil, invalid("content in a message that is laid out")
	}
	var texts []string
	shown, all := map[string]bool{}, 0
	for _, r := range p.Components {
		all += 1 + len(r.Components)
		switch r.Type {
		case 1:
			rows = append(rows, r)
		case 9:
			if all++; r.Accessory == nil || r.Accessory.Type != 2 || len(r.Components) < 1 || len(r.Components) > 3 {
				return "", nil, invalid("a section of %d texts, with %v", len(r.Components), r.Accessory)
			}
			for _, c := range r.Components {
				texts = append(texts, c.Content)
			}
			rows = append(rows, row{Type: 1, Components: []component{*r.Accessory}})
		case 10:
			texts = append(texts, r.Content)
		case 12:
			for _, i := range r.Items {
				shown[i.Media.URL] = true
			}
			if n := len(r.Items); n < 1 || n > 10 {
				return "", nil, invalid("a gallery of %d", n)
			}
		case 13:
			if r.File == nil {
				return "", nil, invalid("no file in a file")
			}
			shown[r.File.URL] = true
		case 14:
		default:
			return "", nil, invalid("a component of type %d", r.Type)
		}
	}
	said = strings.Join(texts, "\n")
	if all > 40 || utf8.RuneCountInString(said) > 4000 || slices.Contains(texts, "") {
		return "", nil, invalid("%d components, texts %q", all, texts)
	}
	for _, f := range files {
		if !shown["attachment://"+f.name] {
			return "", nil, invalid("the file %s is shown in no component", f.name)
		}
	}
	return said, rows, nil
}

// chatCommand is the default type of commands.
const chatCommand = 1

// linkButton is the style of a link button, which sends no interaction.
const linkButton = 5

// Types of components in forms.
const (
	userSelect    = 5
	radioGroup    = 21
	checkboxGroup = 22
)

// checkField checks a field of a form against the rules.
func checkField(c component, seen map[string]bool) error {
	if c.Type != radioGroup && c.Type != userSelect && c.Type != checkboxGroup {
		if c.Type == 3 && c.MaxValues == 0 {
			c.MaxValues = 1
		}
		return checkComponent(c, 1, seen)
	}
	if c.CustomID == "" || utf8.RuneCountInString(c.CustomID) > 100 || seen[c.CustomID] {
		return invalid("custom_id %q is empty, too long or used twice", c.CustomID)
	}
	seen[c.CustomID] = true
	if c.Type == radioGroup && (len(c.Options) < 2 || len(c.Options) > 10) {
		return invalid("a radio group of %d options", len(c.Options))
	}
	if n := len(c.Options); c.Type == checkboxGroup && (n < 1 || n > 10 || c.MaxValues > n || c.MinValues > c.MaxValues) {
		return invalid("a group of %d boxes, %d to %d of which are ticked", n, c.MinValues, c.MaxValues)
	}
	return nil
}

func checkComponent(c component, inRow int, seen map[string]bool) error {
	if c.Type == 2 && c.Style == linkButton {
		if n := utf8.RuneCountInString(c.Label); n == 0 || n > 80 || inRow > 5 || c.CustomID != "" || !strings.HasPrefix(c.URL, "http") || len(c.URL) > 512 {
			return invalid("a link labelled %q to %q", c.Label, c.URL)
		}
		return nil
	}
	if c.CustomID == "" || utf8.RuneCountInString(c.CustomID) > 100 || seen[c.CustomID] {
		return invalid("custom_id %q is empty, too long or used twice", c.CustomID)
	}
	seen[c.CustomID] = true
	switch c.Type {
	case 2:
		if n := utf8.RuneCountInString(c.Label); n == 0 || n > 80 || inRow > 5 {
			return invalid("a button labelled %q, in a row of %d", c.Label, inRow)
		}
	case 3:
		if inRow != 1 || len(c.Options) == 0 || len(c.Options) > 25 || c.MaxValues > len(c.Options) || c.MinValues > c.MaxValues {
			return invalid("a menu of %d options, %d to %d of them, in a row of %d", len(c.Options), c.MinValues, c.MaxValues, inRow)
		}
		var values []string
		for _, o := range c.Options {
			if o.Description != nil && *o.Description == "" {
				return invalid("an option %q with an empty description", o.Label)
			}
			if slices.Contains(values, o.Value) || o.Label == "" || utf8.RuneCountInString(o.Label) > 100 {
				return invalid("an option %q with the value %q", o.Label, o.Value)
			}
			values = append(values, o.Value)
		}
	case radioGroup, userSelect, checkboxGroup:
		return invalid("a component of type %d in a row", c.Type)
	case 4:
		if c.Label != "" {
			return invalid("an input that has the label %q itself", c.Label)
		}
	default:
		return invalid("a component of type %d in a row", c.Type)
	}
	return nil
}

var (
	commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]+$`)
	mention     = regexp.MustCompile(`<@!?(\d+)>`)
	inCode      = regexp.MustCompile("(?s)```.*?```|`[^`]*`")
)

// locales lists the locales that Discord supports.
var locales = strings.Fields("id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko")

// each calls fn with the names of a command, its options and their choices, and their
// localizations.
func (c *commandRequest) each(fn func(of localized, name, description *string)) {
	fn(c.localized, &c.Name, &c.Description)
	eachOption(c.Options, fn)
}

func eachOption(options []commandOption, fn func(of localized, name, description *string)) {
	for i := range options {
		o := &options[i]
		fn(o.localized, &o.Name, &o.Description)
		for k := range o.Choices {
			fn(o.Choices[k].localized, &o.Choices[k].Name, new(string))
		}
		eachOption(o.Options, fn)
	}
}

// inOrder caches lists of commands that keep the rules, by request body: bots of many tests
// register the same ones.
var inOrder sync.Map

// readCommands parses a registration and checks it against the rules.
func readCommands(body []byte) ([]commandRequest, error) {
	if all, ok := inOrder.Load(string(body)); ok {
		return all.([]commandRequest), nil
	}
	var all []commandRequest
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Type = cmp.Or(all[i].Type, chatCommand)
	}
	if err := checkCommands(all, body); err != nil {
		return nil, err
	}
	inOrder.Store(string(body), all)
	return all, nil
}

// checkCommands checks commands against the rules in each language. body is the request
// that contained them.
func checkCommands(commands []commandRequest, body []byte) error {
	if err := checkNamed(commands); err != nil {
		return err
	}
	used := map[string]bool{}
	for i := range commands {
		commands[i].each(func(of localized, _, _ *string) {
			for locale := range of.Names {
				used[locale] = true
			}
			for locale := range of.Descriptions {
				used[locale] = true
			}
		})
	}
	for locale := range used {
		if !slices.Contains(locales, locale) {
			return invalid("the locale %q", locale)
		}
		var there []commandRequest
		if err := json.Unmarshal(body, &there); err != nil {
			return err
		}
		for i := range there {
			there[i].each(func(of localized, name, description *string) {
				if own, ok := of.Names[locale]; ok {
					*name = own
				}
				if own, ok := of.Descriptions[locale]; ok {
					*description = own
				}
			})
		}
		if err := checkNamed(there); err != nil {
			return err
		}
	}
	return nil
}

// checkNamed checks commands against the rules, by their current names.
func checkNamed(commands []commandRequest) error {
	counts, names := map[int]int{}, map[string]bool{}
	for _, c := range commands {
		c.Type = cmp.Or(c.Type, chatCommand)
		counts[c.Type]++
		key := itoa(c.Type) + c.Name
		if names[key] {
			return invalid("two commands %q", c.Name)
		}
		names[key] = true
		if c.Type == 4 {
			if counts[4] > 1 || c.Name == "" || len(c.Options) > 0 || c.Handler < 1 || c.Handler > 2 {
				return invalid("entry point %q, %d of them", c.Name, counts[4])
			}
			continue
		}
		if c.Type != 1 {
			if n := utf8.RuneCountInString(c.Name); n < 1 || n > 32 || c.Description != "" || len(c.Options) > 0 {
				return invalid("menu entry %q", c.Name)
			}
			continue
		}
		if err := checkName(c.Name, c.Description); err != nil {
			return err
		}
		total, err := checkOptions(c.Name, c.Options, 0)
		if err != nil {
			return err
		}
		if total += utf8.RuneCountInString(c.Name + c.Description); total > 8000 {
			return invalid("%s has %d characters", c.Name, total)
		}
	}
	if counts[1] > 100 || counts[2] > 15 || counts[3] > 15 {
		return invalid("too many commands: %v", counts)
	}
	return nil
}

// checkOptions checks the options of a command against the rules, or its subcommands and
// groups, which can't be nested deeper. total is their number of characters.
func checkOptions(of string, options []commandOption, depth int) (total int, err error) {
	if len(options) > 25 {
		return 0, invalid("%s has %d options", of, len(options))
	}
	optional, names := false, map[string]bool{}
	for _, o := range options {
		if err := checkName(o.Name, o.Description); err != nil {
			return 0, err
		}
		isBelow := o.Type == subcommand || o.Type == subcommands
		switch {
		case isBelow != (options[0].Type <= subcommands):
			return 0, invalid("%s: %s stands beside commands", of, o.Name)
		case o.Type == subcommands && (depth > 0 || len(o.Options) == 0), o.Type == subcommand && depth > 1, isBelow && (o.Required || o.Autocomplete || len(o.Choices) > 0), !isBelow && len(o.Options) > 0:
			return 0, invalid("%s: %s of the type %d", of, o.Name, o.Type)
		case o.Required && optional:
			return 0, invalid("%s: the required option %s comes after an optional one", of, o.Name)
		case names[o.Name]:
			return 0, invalid("%s: two options %s", of, o.Name)
		case o.Autocomplete && len(o.Choices) > 0:
			return 0, invalid("%s: %s has choices and completes", of, o.Name)
		case len(o.Choices) > 25:
			return 0, invalid("%s: %s has %d choices", of, o.Name, len(o.Choices))
		}
		optional, names[o.Name] = optional || !o.Required && !isBelow, true
		total += utf8.RuneCountInString(o.Name + o.Description)
		for _, choice := range o.Choices {
			if n := utf8.RuneCountInString(choice.Name); n < 1 || n > 100 {
				return 0, invalid("%s: choice %q", of, choice.Name)
			}
			total += utf8.RuneCountInString(choice.Name + choice.Value)
		}
		if isBelow {
			deeper := depth + 1
			if o.Type == subcommand {
				deeper = 2
			}
			more, err := checkOptions(of+" "+o.Name, o.Options, deeper)
			if err != nil {
				return 0, err
			}
			if o.Type == subcommands && slices.ContainsFunc(o.Options, func(in commandOption) bool { return in.Type != subcommand }) {
				return 0, invalid("the group %s has what is no command", o.Name)
			}
			total += more
		}
	}
	return total, nil
}

func checkName(name, description string) error {
	if !commandName.MatchString(name) || utf8.RuneCountInString(name) > 32 || strings.ToLower(name) != name {
		return invalid("the name %q", name)
	}
	if n := utf8.RuneCountInString(description); n < 1 || n > 100 {
		return invalid("%s: a description of %d characters", name, n)
	}
	return nil
}

// findPings returns the ids that a message pings: it must mention them and allow the
// mention.
func findPings(content string, allowed *allowedMentions) []string {
	content = inCode.ReplaceAllString(content, "")
	var all []string
	for _, m := range mention.FindAllStringSubmatch(content, -1) {
		escaped := strings.Contains(content, `\`+m[0])
		if !escaped && (allowed == nil || slices.Contains(allowed.Parse, "users") || slices.Contains(allowed.Users, m[1])) && !slices.Contains(all, m[1]) {
			all = append(all, m[1])
		}
	}
	for _, word := range []string{"@everyone", "@here"} {
		if strings.Contains(content, word) && (allowed == nil || slices.Contains(allowed.Parse, "everyone")) {
			all = append(all, word)
		}
	}
	return all
}

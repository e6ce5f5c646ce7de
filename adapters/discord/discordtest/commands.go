package discordtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// listCommands lists the commands, with localizations only on request.
func (d api) listCommands(_ []string, query []byte, _ []file) (any, error) {
	asked, err := url.ParseQuery(string(query))
	if err != nil {
		return nil, err
	}
	if d.commands == nil {
		return []any{}, nil
	}
	if asked.Get("with_localizations") == "true" {
		return d.commands.listed(), nil
	}
	b, err := json.Marshal(d.commands.listed())
	if err != nil {
		return nil, err
	}
	var plain []any
	if err := json.Unmarshal(b, &plain); err != nil {
		return nil, err
	}
	unlocalize(plain)
	return plain, nil
}

// unlocalize removes the localizations from commands, their options and choices.
func unlocalize(all []any) {
	for _, one := range all {
		of := one.(map[string]any)
		delete(of, "name_localizations")
		delete(of, "description_localizations")
		for _, key := range []string{"options", "choices"} {
			if within, ok := of[key].([]any); ok {
				unlocalize(within)
			}
		}
	}
}

// withoutNull removes null values, which a library sends without meaning, from options.
func withoutNull(options []any) {
	for _, o := range options {
		if o, ok := o.(map[string]any); ok {
			maps.DeleteFunc(o, func(_ string, v any) bool { return v == nil })
		}
	}
}

type commandRequest struct {
	Type        int             `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Handler     int             `json:"handler"`
	Options     []commandOption `json:"options"`
	localized
}

type commandOption struct {
	Type         int             `json:"type"`
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	Required     bool            `json:"required"`
	Autocomplete bool            `json:"autocomplete"`
	Options      []commandOption `json:"options"` // subcommands or options
	Choices      []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
		localized
	} `json:"choices"`
	localized
}

// A localized holds the localized names of a command, an option or a choice.
type localized struct {
	Names        map[string]string `json:"name_localizations"`
	Descriptions map[string]string `json:"description_localizations"`
}

func (d api) registerCommands(_ []string, body []byte, _ []file) (any, error) {
	requested, err := readCommands(body)
	if err != nil {
		return nil, err
	}
	if d.activities.on && !slices.ContainsFunc(requested, func(c commandRequest) bool { return c.Type == 4 }) {
		return nil, errNoEntry
	}
	var rows []map[string]any
	if err := json.Unmarshal(body, &rows); err != nil {
		return nil, err
	}
	all := make(commands, len(rows))
	for i, c := range rows {
		all[i] = registered{c, requested[i]}
		if c["type"] == nil {
			c["type"] = chatCommand
		}
		if options, ok := c["options"].([]any); ok {
			withoutNull(options)
		}
		c["id"], c["version"], c["application_id"] = d.id(), d.id(), ApplicationID
		for _, had := range d.commands { // a command keeps its id as long as it keeps its name
			if had.Name == requested[i].Name && had.Type == requested[i].Type {
				c["id"] = had.listed["id"]
			}
		}
		for _, key := range []string{"name_localizations", "description_localizations", "default_member_permissions"} {
			if _, ok := c[key]; !ok {
				c[key] = nil
			}
		}
		if n, ok := c["default_member_permissions"].(float64); ok {
			c["default_member_permissions"] = strconv.FormatFloat(n, 'f', -1, 64) // as Discord returns it
		}
		if _, ok := c["description"]; !ok {
			c["description"] = ""
		}
		c["nsfw"] = false
	}
	d.commands = all
	d.registered++
	return rows, nil
}

// commands lists the commands that the application has registered.
type commands []registered

// A registered command is stored as Discord lists it.
type registered struct {
	listed map[string]any
	commandRequest
}

func (all commands) listed() []map[string]any {
	rows := make([]map[string]any, len(all))
	for i, r := range all {
		rows[i] = r.listed
	}
	return rows
}

// command returns the command of a kind with a name.
func (all commands) command(kind int, name string) (c commandRequest, id string, err error) {
	for _, r := range all {
		if r.Name == name && r.Type == kind {
			return r.commandRequest, fmt.Sprint(r.listed["id"]), nil
		}
	}
	return c, "", fmt.Errorf("no command %q is registered", strings.TrimSpace(name))
}

// Types of options that are commands.
const (
	subcommand  = 1
	subcommands = 2 // a group of them
)

// below finds a subcommand by the name under which people see it in the command list. way
// leads to it: its groups, and itself.
func below(options []commandOption, name string) (way []commandOption) {
	for _, o := range options {
		switch {
		case o.Type == subcommand && o.Name == name:
			return []commandOption{o}
		case o.Type == subcommands:
			if way := below(o.Options, name); way != nil {
				return append([]commandOption{o}, way...)
			}
		}
	}
	return nil
}

// find finds a chat command by its last name, at the top level or as a subcommand. In the
// latter case way leads from the top-level command to it.
func (all commands) find(name string) (c commandRequest, id string, way []commandOption, err error) {
	if c, id, err = all.command(chatCommand, name); err == nil {
		return c, id, nil, nil
	}
	for _, r := range all {
		if r.Type != chatCommand {
			continue
		}
		if way := below(r.Options, name); way != nil {
			return r.commandRequest, fmt.Sprint(r.listed["id"]), way, nil
		}
	}
	return c, "", nil, err
}

// commandMention matches a clickable command in a text.
var commandMention = regexp.MustCompile(`</([^:<>]+):(\d+)>`)

// checkMentions checks that the clickable commands in a text are registered; Discord shows
// others as plain text.
func (all commands) checkMentions(content string) error {
	for _, m := range commandMention.FindAllStringSubmatch(content, -1) {
		names := strings.Split(m[1], " ")
		c, id, err := all.command(chatCommand, names[0])
		if err != nil || id != m[2] {
			return invalid("the command %s, which isn't registered", m[0])
		}
		options := c.Options
		for _, name := range names[1:] {
			i := slices.IndexFunc(options, func(o commandOption) bool { return o.Name == name && o.Type <= subcommands })
			if i < 0 {
				return invalid("the command %s, which isn't registered", m[0])
			}
			options = options[i].Options
		}
		if len(options) > 0 && options[0].Type <= subcommands {
			return invalid("the command %s, which others stand below", m[0])
		}
	}
	return nil
}

// Describe changes the description of a registered command in Discord's list.
func (d *Discord) Describe(name, description string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.commands {
		if c := &d.commands[i]; c.Name == name {
			c.Description, c.listed["description"] = description, description
		}
	}
}

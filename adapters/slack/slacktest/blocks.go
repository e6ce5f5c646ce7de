package slacktest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// This file contains Block Kit's rules for the features that an app like ours uses:
// https://docs.slack.dev/reference/block-kit. Anything not listed is refused.

// A shape lists the fields of an object: required ones and optional ones.
type shape struct{ must, can []string }

var blockShapes = map[string]shape{
	"section": {[]string{"type"}, []string{"block_id", "text", "fields", "accessory", "expand"}},
	"header":  {[]string{"type", "text"}, []string{"block_id"}},
	"divider": {[]string{"type"}, []string{"block_id"}},
	"context": {[]string{"type", "elements"}, []string{"block_id"}},
	"image":   {[]string{"type", "alt_text"}, []string{"block_id", "slack_file", "image_url", "title"}},
	"actions": {[]string{"type", "elements"}, []string{"block_id"}},
	"table":   {[]string{"type", "rows"}, []string{"block_id", "column_settings"}},
	"input":   {[]string{"type", "label", "element"}, []string{"block_id", "hint", "optional", "dispatch_action"}},
}

var elementShapes = map[string]shape{
	"button":              {[]string{"type", "text"}, []string{"action_id", "value", "style", "accessibility_label", "confirm", "url"}},
	"overflow":            {[]string{"type", "options"}, []string{"action_id", "confirm"}},
	"checkboxes":          {[]string{"type", "options"}, []string{"action_id", "initial_options", "focus_on_load", "confirm"}},
	"static_select":       {[]string{"type", "options"}, []string{"action_id", "placeholder", "initial_option", "focus_on_load", "confirm"}},
	"multi_static_select": {[]string{"type", "options"}, []string{"action_id", "placeholder", "initial_options", "max_selected_items", "focus_on_load", "confirm"}},
	"multi_users_select":  {[]string{"type"}, []string{"action_id", "placeholder", "initial_users", "max_selected_items", "focus_on_load", "confirm"}},
	"plain_text_input":    {[]string{"type"}, []string{"action_id", "placeholder", "initial_value", "multiline", "min_length", "max_length", "focus_on_load", "dispatch_action_config"}},
}

// where lists the elements allowed in each block.
var where = map[string][]string{
	"actions": {"button", "checkboxes", "static_select", "overflow"},
	"section": {"button", "overflow", "checkboxes", "static_select", "multi_static_select", "multi_users_select"},
	"input":   {"checkboxes", "static_select", "multi_static_select", "multi_users_select", "plain_text_input"},
}

// A checker collects the errors in blocks.
type checker struct {
	shows func(fileID string) presence // state of a file
	fetch func(url string) bool        // whether a picture can be fetched
	wrong []string
	early bool // a file is shown before it is ready; not an error, because the app can't know
}

// A presence is the state of a file.
type presence int

const (
	missing presence = iota
	coming           // uploaded but not ready
	there
)

func (c *checker) say(format string, args ...any) {
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

func (c *checker) fields(what string, o map[string]any, s shape) {
	for _, f := range s.must {
		if _, ok := o[f]; !ok {
			c.say("%s lacks %s", what, f)
		}
	}
	for f := range o {
		if !slices.Contains(s.must, f) && !slices.Contains(s.can, f) {
			c.say("%s has the unknown field %s", what, f)
		}
	}
}

func (c *checker) text(what string, v any, most int, kinds ...string) {
	o, ok := v.(map[string]any)
	if !ok {
		c.say("%s is no text object", what)
		return
	}
	can := []string{"emoji"}
	if o["type"] == "mrkdwn" {
		can = []string{"verbatim"}
	}
	c.fields(what, o, shape{[]string{"type", "text"}, can})
	if !slices.Contains(kinds, fmt.Sprint(o["type"])) {
		c.say("%s is %v, not %v", what, o["type"], kinds)
	}
	text, _ := o["text"].(string)
	if n := utf8.RuneCountInString(text); n < 1 || n > most {
		c.say("%s has %d characters, not 1 to %d", what, n, most)
	}
	if o["type"] == "mrkdwn" {
		c.markup(what, text)
	}
}

// markup refuses mentions of groups: the app never notifies everybody.
func (c *checker) markup(what, text string) {
	for _, bad := range []string{"<!channel", "<!here", "<!everyone", "<!subteam"} {
		if strings.Contains(text, bad) {
			c.say("%s calls everybody: %s", what, bad)
		}
	}
}

func (c *checker) str(what string, o map[string]any, field string, most int) {
	if v, ok := o[field]; ok {
		if s, isString := v.(string); !isString || utf8.RuneCountInString(s) > most {
			c.say("%s.%s is longer than %d", what, field, most)
		}
	}
}

// blocks checks a list of blocks for a surface: message, modal or home.
func (c *checker) blocks(surface string, list []map[string]any) {
	most := 100
	if surface == "message" {
		most = 50
	}
	if len(list) > most {
		c.say("%d blocks; a %s has %d at most", len(list), surface, most)
	}
	ids, tables := map[string]bool{}, 0
	for i, b := range list {
		kind, _ := b["type"].(string)
		what := fmt.Sprintf("block %d (%s)", i, kind)
		s, known := blockShapes[kind]
		if !known {
			c.say("%s: no such block", what)
			continue
		}
		c.fields(what, b, s)
		c.str(what, b, "block_id", 255)
		if id, _ := b["block_id"].(string); id != "" {
			if ids[id] {
				c.say("%s: block_id %s is there twice", what, id)
			}
			ids[id] = true
		}
		if kind == "table" {
			if tables++; tables > 1 {
				c.say("%s: a message has one table", what)
			}
		}
		c.block(surface, what, kind, b)
	}
}

func (c *checker) block(surface, what, kind string, b map[string]any) {
	switch kind {
	case "section":
		c.section(what, b)
	case "header":
		c.text(what+".text", b["text"], 150, "plain_text")
	case "context":
		for _, e := range c.elements(what, b, 10) {
			c.text(what+".element", e, 3000, "mrkdwn", "plain_text")
		}
	case "image":
		c.image(what, b)
	case "actions":
		seen := map[string]bool{}
		for _, e := range c.elements(what, b, 25) {
			o, _ := e.(map[string]any)
			c.element(what+".element", kind, o, seen)
		}
	case "table":
		if surface != "message" {
			c.say("%s: a %s takes no table", what, surface)
		}
		c.table(what, b)
	case "input":
		if surface == "home" {
			// Slack allows it, but the app doesn't use it.
			c.say("%s: this app has no forms on its home page", what)
		}
		c.text(what+".label", b["label"], 2000, "plain_text")
		if b["hint"] != nil {
			c.text(what+".hint", b["hint"], 2000, "plain_text")
		}
		e, _ := b["element"].(map[string]any)
		c.element(what+".element", kind, e, map[string]bool{})
	}
}

// elements returns a block's elements, which must be 1 to most.
func (c *checker) elements(what string, b map[string]any, most int) []any {
	list, _ := b["elements"].([]any)
	if len(list) < 1 || len(list) > most {
		c.say("%s has %d elements, not 1 to %d", what, len(list), most)
	}
	return list
}

func (c *checker) section(what string, b map[string]any) {
	if b["text"] == nil && b["fields"] == nil {
		c.say("%s has neither text nor fields", what)
	}
	if b["text"] != nil {
		c.text(what+".text", b["text"], 3000, "mrkdwn", "plain_text")
	}
	if e, ok := b["accessory"].(map[string]any); ok {
		c.element(what+".accessory", "section", e, map[string]bool{})
	}
}

func (c *checker) image(what string, b map[string]any) {
	c.str(what, b, "alt_text", 2000)
	if alt, _ := b["alt_text"].(string); alt == "" {
		c.say("%s has no alt_text", what)
	}
	f, _ := b["slack_file"].(map[string]any)
	if (f == nil) == (b["image_url"] == nil) {
		c.say("%s needs slack_file or image_url", what)
	}
	if url, ok := b["image_url"].(string); ok && !c.fetch(url) {
		c.say("%s: downloading %q failed", what, url)
	}
	if f != nil {
		switch id, _ := f["id"].(string); c.shows(id) {
		case missing:
			c.say("%s: there is no file %q", what, id)
		case coming:
			c.early = true
		}
	}
}

func hasTable(blocks []map[string]any) bool {
	return slices.ContainsFunc(blocks, func(b map[string]any) bool { return b["type"] == "table" })
}

// table checks a table: https://docs.slack.dev/reference/block-kit/blocks/table-block
func (c *checker) table(what string, b map[string]any) {
	rows, _ := b["rows"].([]any)
	if len(rows) < 1 || len(rows) > 100 {
		c.say("%s has %d rows, not 1 to 100", what, len(rows))
	}
	wide, chars := -1, 0
	for _, r := range rows {
		row, _ := r.([]any)
		if wide < 0 {
			wide = len(row)
		}
		if len(row) != wide || len(row) < 1 || len(row) > 20 {
			c.say("%s has a row of %d cells beside one of %d", what, len(row), wide)
		}
		for _, v := range row {
			cell, _ := v.(map[string]any)
			switch cell["type"] {
			case "raw_text":
				c.fields(what+".cell", cell, shape{[]string{"type", "text"}, nil})
			case "rich_text":
				c.fields(what+".cell", cell, shape{[]string{"type", "elements"}, []string{"block_id"}})
			default:
				c.say("%s has a cell %v", what, cell["type"])
			}
			said := strings.TrimSpace(texts(cell))
			if said == "" {
				c.say("%s has an empty cell", what)
			}
			chars += utf8.RuneCountInString(said)
		}
	}
	if chars > 10_000 {
		c.say("%s has %d characters", what, chars)
	}
	settings, _ := b["column_settings"].([]any)
	if len(settings) > wide {
		c.say("%s has settings for %d columns of %d", what, len(settings), wide)
	}
	for _, v := range settings {
		o, _ := v.(map[string]any)
		c.fields(what+".column_settings", o, shape{nil, []string{"align", "is_wrapped"}})
		if a, ok := o["align"]; ok && a != "left" && a != "center" && a != "right" {
			c.say("%s is set %v", what, a)
		}
	}
}

func (c *checker) element(what, block string, e map[string]any, seen map[string]bool) {
	kind, _ := e["type"].(string)
	s, known := elementShapes[kind]
	if !known || !slices.Contains(where[block], kind) {
		c.say("%s: no %q in a block %s", what, kind, block)
		return
	}
	c.fields(what, e, s)
	c.str(what, e, "action_id", 255)
	if id, _ := e["action_id"].(string); id != "" {
		if seen[id] {
			c.say("%s: action_id %s is there twice", what, id)
		}
		seen[id] = true
	}
	if e["placeholder"] != nil {
		c.text(what+".placeholder", e["placeholder"], 150, "plain_text")
	}
	if ask, ok := e["confirm"].(map[string]any); ok {
		c.fields(what+".confirm", ask, shape{[]string{"title", "text", "confirm", "deny"}, []string{"style"}})
		for part, most := range map[string]int{"title": 100, "text": 300, "confirm": 30, "deny": 30} {
			c.text(what+".confirm."+part, ask[part], most, "plain_text", "mrkdwn")
		}
	}
	switch kind {
	case "button":
		c.text(what+".text", e["text"], 75, "plain_text")
		c.str(what, e, "value", 2000)
		c.str(what, e, "accessibility_label", 75)
		if st, ok := e["style"]; ok && st != "primary" && st != "danger" {
			c.say("%s has the style %v", what, st)
		}
	case "checkboxes":
		c.options(what, e, 10)
	case "overflow":
		c.options(what, e, 5)
	case "plain_text_input":
		if d, ok := e["dispatch_action_config"].(map[string]any); ok {
			c.fields(what+".dispatch_action_config", d, shape{nil, []string{"trigger_actions_on"}})
			on, _ := d["trigger_actions_on"].([]any)
			for _, v := range on {
				if v != "on_enter_pressed" && v != "on_character_entered" {
					c.say("%s is dispatched on %v", what, v)
				}
			}
		}
	case "static_select", "multi_static_select":
		c.options(what, e, 100)
	}
}

func (c *checker) options(what string, e map[string]any, most int) {
	list, _ := e["options"].([]any)
	if len(list) < 1 || len(list) > most {
		c.say("%s has %d options, not 1 to %d", what, len(list), most)
	}
	values := map[any]bool{}
	for _, v := range list {
		o, _ := v.(map[string]any)
		c.fields(what+".option", o, shape{[]string{"text", "value"}, []string{"description", "url"}})
		c.text(what+".option.text", o["text"], 75, "plain_text", "mrkdwn")
		if o["description"] != nil {
			c.text(what+".option.description", o["description"], 75, "plain_text", "mrkdwn")
		}
		c.str(what+".option", o, "value", 150)
		if values[o["value"]] {
			c.say("%s has the value %v twice", what, o["value"])
		}
		values[o["value"]] = true
	}
}

// view checks a view.
func (c *checker) view(v map[string]any) []map[string]any {
	kind, _ := v["type"].(string)
	switch kind {
	case "modal":
		c.fields("view", v, shape{[]string{"type", "title", "blocks"}, []string{"close", "submit", "private_metadata", "callback_id", "clear_on_close", "notify_on_close", "external_id"}})
		for _, f := range []string{"title", "close", "submit"} {
			if v[f] != nil {
				c.text("view."+f, v[f], 24, "plain_text")
			}
		}
	case "home":
		c.fields("view", v, shape{[]string{"type", "blocks"}, []string{"private_metadata", "callback_id", "external_id"}})
	default:
		c.say("view: no type %q", kind)
	}
	c.str("view", v, "private_metadata", 3000)
	c.str("view", v, "callback_id", 255)
	list := asBlocks(v["blocks"])
	c.blocks(kind, list)
	hasInput := slices.ContainsFunc(list, func(b map[string]any) bool { return b["type"] == "input" })
	if hasInput && v["submit"] == nil {
		c.say("view: with an input it needs a submit")
	}
	return list
}

func asBlocks(v any) []map[string]any {
	var all []map[string]any
	b, _ := json.Marshal(v)
	_ = json.Unmarshal(b, &all) // anything but a list of objects yields none
	return all
}

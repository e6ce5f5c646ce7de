package discord

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// ephemeral is the flag of a message that only one person sees.
const ephemeral = 1 << 6

// silent is the flag of a message that sounds no bell.
const silent = 1 << 12

// A composer writes messages. What can be pressed in them bears the store's mark.
// Commands in their sentences can be pressed too.
type composer struct {
	mark  bot.Mark
	names *directory
}

// A payload is a message as it is sent: in a channel, as an answer, or as an
// edit of either. discordgo's types for these lack the words for a picture,
// the nonce, and an edit's empty lists.
//
// With blocks it is laid out in them, and has no content; see layOut.
type payload struct {
	Content         string                       `json:"content"`
	Components      []discordgo.MessageComponent `json:"components"`
	Attachments     []attachment                 `json:"attachments"` // an edit drops all others
	AllowedMentions allowedMentions              `json:"allowed_mentions"`
	Flags           int                          `json:"flags,omitempty"`
	// Nonce makes Discord give the message that is there already when it was
	// sent with the same one in the last few minutes.
	Nonce        string `json:"nonce,omitempty"`
	EnforceNonce bool   `json:"enforce_nonce,omitempty"`

	files  []file
	said   text.Text                    // what Content is made of
	blocks []discordgo.MessageComponent // in place of Content and Components, nil where it isn't laid out
	edits  bool                         // something that is there
}

// MarshalJSON writes the message as Discord reads it. Where it is laid out, an edit takes
// away what a message of the other kind may have.
func (p payload) MarshalJSON() ([]byte, error) {
	type plain payload
	if p.blocks == nil {
		return json.Marshal(plain(p))
	}
	shown := struct {
		Content         json.RawMessage              `json:"content,omitempty"`
		Embeds          json.RawMessage              `json:"embeds,omitempty"`
		Components      []discordgo.MessageComponent `json:"components"`
		Attachments     []attachment                 `json:"attachments"`
		AllowedMentions allowedMentions              `json:"allowed_mentions"`
		Flags           int                          `json:"flags"`
	}{Components: p.blocks, Attachments: p.Attachments, AllowedMentions: p.AllowedMentions, Flags: p.Flags | laidOut}
	if p.edits {
		shown.Content, shown.Embeds = json.RawMessage("null"), json.RawMessage("[]")
	}
	return json.Marshal(shown)
}

// allowedMentions lists whom a message may ping. Parse is always empty, and
// not absent: then everything in the text would.
type allowedMentions struct {
	Parse []string    `json:"parse"`
	Users []snowflake `json:"users"`
}

type attachment struct {
	ID          string `json:"id"` // the number of its part: files[0], files[1] ...
	Filename    string `json:"filename"`
	Description string `json:"description,omitempty"` // the picture in words
}

type file struct {
	name, contentType string
	data              []byte
}

// The limits of a message that the host's own don't imply.
const (
	mostInRow      = 5
	mostRows       = 5
	maxLabel       = 80
	maxPlaceholder = 150
	maxOption      = 100
	maxCustomID    = 100
	maxAlt         = 1024
)

// says makes a payload of a text, with whom it calls.
func says(t text.Text) payload {
	content, calls := markup(t)
	p := payload{Content: content, Components: []discordgo.MessageComponent{}, Attachments: []attachment{}}
	p.AllowedMentions = allowedMentions{Parse: []string{}, Users: []snowflake{}}
	seen := map[snowflake]bool{}
	for _, id := range calls {
		if !seen[id] {
			seen[id] = true
			p.AllowedMentions.Users = append(p.AllowedMentions.Users, id)
		}
	}
	return p
}

func (p *payload) attach(name, contentType, alt string, data []byte) {
	p.Attachments = append(p.Attachments, attachment{strconv.Itoa(len(p.files)), name, cut(alt, maxAlt)})
	p.files = append(p.files, file{name, contentType, data})
}

func (p *payload) picture(pic *bot.Picture, name string) {
	if pic != nil && len(pic.PNG) > 0 {
		p.attach(name, "image/png", pic.Alt.String(), pic.PNG)
	}
}

// private is an answer for the asking person's eyes only.
func (c composer) private(r bot.Reply, to func() *text.Tongue) payload {
	said := c.names.pressable(r.Text, to)
	p := says(said)
	p.said, p.Flags = said, ephemeral
	p.picture(r.Picture, "rackmate.png")
	for _, f := range r.Files {
		p.attach(f.Name, f.Type, f.Alt.String(), f.Data)
	}
	p.Components = c.rows(r.Buttons, r.Menus)
	if p.Content == "" && len(p.files) == 0 {
		p.said = text.Plain("Done.")
		p.Content = p.said.String()
	}
	return p
}

// public is a post.
func (c composer) public(m bot.Message) payload {
	p := says(c.names.pressable(m.Text, func() *text.Tongue { return nil }))
	p.picture(m.Picture, fmt.Sprintf("rackmate-%d-%d.png", m.Table, m.Number))
	p.Components = c.rows(m.Buttons, m.Menus)
	p.Nonce, p.EnforceNonce = m.Key, true
	if m.Quiet && len(p.AllowedMentions.Users) == 0 {
		p.Flags |= silent
	}
	return p
}

// withoutFiles is a message without its picture.
func (p payload) withoutFiles() payload {
	p.files, p.Attachments = nil, []attachment{}
	return p
}

// inPlainWords is a message of nothing but words, and whom they call.
func (p payload) inPlainWords(t text.Text) payload {
	var plain text.Text
	for _, s := range t.In(nil) {
		s.Strong, s.Code, s.Link = false, false, ""
		plain = append(plain, s)
	}
	words := says(plain)
	p.Content, p.AllowedMentions, p.Components = words.Content, words.AllowedMentions, words.Components
	return p
}

// folded is a post that a newer one has overtaken: one line, no picture,
// nothing to press, nobody called.
func folded(line text.Text) payload {
	p := says(line)
	p.AllowedMentions.Users = []snowflake{}
	return p
}

// rows lays buttons and menus out: five buttons in a row, a menu in a row of
// its own. What Discord would refuse is left out, for it would refuse the
// whole message.
func (c composer) rows(buttons []bot.Button, menus []bot.Menu) []discordgo.MessageComponent {
	all := []discordgo.MessageComponent{}
	seen := map[string]bool{}
	fits := func(id string) bool {
		ok := id != "" && utf8.RuneCountInString(id) <= maxCustomID && !seen[id]
		seen[id] = true
		return ok
	}
	var row []discordgo.MessageComponent
	for _, b := range buttons {
		b.ID = c.mark.On(b.ID)
		one := discordgo.Button{CustomID: b.ID, Label: cut(b.Label.String(), maxLabel), Style: buttonStyle(b.Style)}
		switch {
		case len(b.Label) == 0:
			continue
		case b.Link != "":
			one.CustomID, one.URL, one.Style = "", b.Link, discordgo.LinkButton
		case !fits(b.ID):
			continue
		}
		row = append(row, one)
		if len(row) == mostInRow {
			all, row = append(all, discordgo.ActionsRow{Components: row}), nil
		}
	}
	if len(row) > 0 {
		all = append(all, discordgo.ActionsRow{Components: row})
	}
	for _, m := range menus {
		m.ID = c.mark.On(m.ID)
		if fits(m.ID) && len(m.Choices) > 0 {
			all = append(all, discordgo.ActionsRow{Components: []discordgo.MessageComponent{selectMenu(m)}})
		}
	}
	return all[:min(len(all), mostRows)]
}

func buttonStyle(s bot.Style) discordgo.ButtonStyle {
	switch s {
	case bot.Primary:
		return discordgo.PrimaryButton
	case bot.Danger:
		return discordgo.DangerButton
	}
	return discordgo.SecondaryButton
}

// A menu is a select menu. discordgo's gives each option an empty description, which
// clients may leave room for.
type menu struct {
	Kind        discordgo.ComponentType `json:"type"`
	CustomID    string                  `json:"custom_id"`
	Placeholder string                  `json:"placeholder,omitempty"`
	MinValues   int                     `json:"min_values"`
	MaxValues   int                     `json:"max_values"`
	Options     []menuOption            `json:"options"`
}

// A menuOption is what can be chosen.
type menuOption struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Type is that of a component; see [discordgo.MessageComponent].
func (m menu) Type() discordgo.ComponentType { return m.Kind }

// MarshalJSON writes the menu as Discord reads it.
func (m menu) MarshalJSON() ([]byte, error) {
	type plain menu
	return json.Marshal(plain(m))
}

func selectMenu(m bot.Menu) menu {
	const most = 25
	choices := m.Choices[:min(len(m.Choices), most)]
	s := menu{
		Kind: discordgo.SelectMenuComponent, CustomID: m.ID, Placeholder: cut(m.Label.String(), maxPlaceholder),
		MinValues: 1, MaxValues: min(max(m.Most, 1), len(choices)),
	}
	for _, c := range choices {
		s.Options = append(s.Options, menuOption{Label: cut(c.Label.String(), maxOption), Value: cut(c.Value, maxOption)})
	}
	return s
}

// A form asks for what a button's command can't do without.
type form struct {
	CustomID   string  `json:"custom_id"`
	Title      string  `json:"title"`
	Components []label `json:"components"`
}

// A label is a field of a form: what it is called, what that means, and an input
// or a menu. discordgo has neither it nor a menu that needs no choice.
type label struct {
	Type        int    `json:"type"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Component   field  `json:"component"`
}

// A field is what is filled in.
type field struct {
	Type      discordgo.ComponentType  `json:"type"`
	CustomID  string                   `json:"custom_id"`
	Required  bool                     `json:"required"`
	Style     discordgo.TextInputStyle `json:"style,omitempty"`      // of an input
	MaxLength int                      `json:"max_length,omitempty"` // of an input
	Options   []menuOption             `json:"options,omitempty"`    // of a menu
	MaxValues int                      `json:"max_values,omitempty"` // of a menu
}

// radioGroup is a menu that shows all it has. discordgo doesn't know it.
const radioGroup discordgo.ComponentType = 21

const maxTitle, maxFieldLabel, maxFieldHelp = 45, 45, 100

// labelType is that of a label among the components.
const labelType = 18

// asking is the form for the options of a command, in a tongue. One that takes a few
// values is a menu; where it takes more, it can be typed.
func asking(to *text.Tongue, buttonID string, c bot.Command, options []bot.Option) form {
	const maxValue, mostChoices = 100, 25
	f := form{CustomID: buttonID, Title: cut(called(c.Name, c.NameIn(to)), maxTitle)}
	for _, o := range options[:min(len(options), mostRows)] {
		in := field{Type: discordgo.TextInputComponent, CustomID: o.Name, Required: o.Required, Style: discordgo.TextInputShort, MaxLength: maxValue}
		if n := len(o.Choices); o.Kind == bot.Pick && n > 0 && n <= mostChoices {
			in = field{Type: discordgo.SelectMenuComponent, CustomID: o.Name, Required: o.Required, Options: menuOptions(to, o.Choices)}
		}
		f.Components = append(f.Components, label{Type: labelType, Label: cut(called(o.Name, o.NameIn(to)), maxFieldLabel), Description: cut(text.Known(o.Help).In(to).String(), maxFieldHelp), Component: in})
	}
	return f
}

// called is the name of a command or an option as a title: the reader's own one, where
// there is one.
func called(english, own string) string {
	name := []rune(strings.ReplaceAll(cmp.Or(own, english), "-", " "))
	return string(unicode.ToUpper(name[0])) + string(name[1:])
}

// cut shortens a text to at most n characters.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

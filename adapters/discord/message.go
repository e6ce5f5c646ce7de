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

// silent is the flag of a message without a notification.
const silent = 1 << 12

// A composer builds messages. Their components carry the store's mark, and commands in
// their text are clickable.
type composer struct {
	mark  bot.Mark
	names *directory
}

// A payload is a message to send: in a channel, as an answer, or as an edit of either.
// discordgo's types for these lack the description of a picture, the nonce, and an edit's
// empty lists.
//
// With blocks it consists of these, and has no content; see layOut.
type payload struct {
	Content         string                       `json:"content"`
	Components      []discordgo.MessageComponent `json:"components"`
	Attachments     []attachment                 `json:"attachments"` // an edit removes all others
	AllowedMentions allowedMentions              `json:"allowed_mentions"`
	Flags           int                          `json:"flags,omitempty"`
	// Nonce makes Discord return an existing message that was sent with the same nonce in
	// the last few minutes.
	Nonce        string `json:"nonce,omitempty"`
	EnforceNonce bool   `json:"enforce_nonce,omitempty"`

	files  []file
	said   text.Text                    // source of Content
	blocks []discordgo.MessageComponent // replace Content and Components if not nil
	edits  bool                         // edits an existing message
}

// MarshalJSON encodes the message for Discord. If it consists of blocks, an edit removes
// the parts of the other form.
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

// allowedMentions lists the users that a message may ping. Parse is always empty rather
// than absent, which would allow everything in the text.
type allowedMentions struct {
	Parse []string    `json:"parse"`
	Users []snowflake `json:"users"`
}

type attachment struct {
	ID          string `json:"id"` // number of its part: files[0], files[1] ...
	Filename    string `json:"filename"`
	Description string `json:"description,omitempty"` // description of the picture
}

type file struct {
	name, contentType string
	data              []byte
}

// Limits of a message that the host's own don't imply.
const (
	mostInRow      = 5
	mostRows       = 5
	maxLabel       = 80
	maxPlaceholder = 150
	maxOption      = 100
	maxCustomID    = 100
	maxAlt         = 1024
)

// textPayload returns a payload with a text and its mentions.
func textPayload(t text.Text) payload {
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

// private returns an answer that only the person sees.
func (c composer) private(r bot.Reply, to func() *text.Locale) payload {
	said := c.names.linkCommands(r.Text, to)
	p := textPayload(said)
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

// public returns a post.
func (c composer) public(m bot.Message) payload {
	p := textPayload(c.names.linkCommands(m.Text, func() *text.Locale { return nil }))
	p.picture(m.Picture, fmt.Sprintf("rackmate-%d-%d.png", m.Table, m.Number))
	p.Components = c.rows(m.Buttons, m.Menus)
	p.Nonce, p.EnforceNonce = m.Key, true
	if m.Quiet && len(p.AllowedMentions.Users) == 0 {
		p.Flags |= silent
	}
	return p
}

// withoutFiles returns the message without its picture.
func (p payload) withoutFiles() payload {
	p.files, p.Attachments = nil, []attachment{}
	return p
}

// inPlainWords returns the message reduced to plain text with its mentions.
func (p payload) inPlainWords(t text.Text) payload {
	var plain text.Text
	for _, s := range t.In(nil) {
		s.Strong, s.Code, s.Link = false, false, ""
		plain = append(plain, s)
	}
	words := textPayload(plain)
	p.Content, p.AllowedMentions, p.Components = words.Content, words.AllowedMentions, words.Components
	return p
}

// onlyContent returns an edit of a message's content that notifies nobody, and leaves the rest.
func onlyContent(content string) any {
	return struct {
		Content         string          `json:"content"`
		AllowedMentions allowedMentions `json:"allowed_mentions"`
	}{content, allowedMentions{Parse: []string{}, Users: []snowflake{}}}
}

// foldPost returns an outdated post reduced to one line, without picture, components or
// mentions.
func foldPost(line text.Text) payload {
	p := textPayload(line)
	p.AllowedMentions.Users = []snowflake{}
	return p
}

// rows arranges buttons and menus: five buttons in a row, each menu in a row of its own. It
// omits components that would make Discord refuse the whole message.
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

// A menu is a select menu. discordgo's gives each option an empty description, for which
// clients may leave space.
type menu struct {
	Kind        discordgo.ComponentType `json:"type"`
	CustomID    string                  `json:"custom_id"`
	Placeholder string                  `json:"placeholder,omitempty"`
	MinValues   int                     `json:"min_values"`
	MaxValues   int                     `json:"max_values"`
	Options     []menuOption            `json:"options"`
}

// A menuOption is a choice in a menu.
type menuOption struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Type returns the type of the component; see [discordgo.MessageComponent].
func (m menu) Type() discordgo.ComponentType { return m.Kind }

// MarshalJSON encodes the menu for Discord.
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

// A form asks for the required options of a button's command.
type form struct {
	CustomID   string  `json:"custom_id"`
	Title      string  `json:"title"`
	Components []label `json:"components"`
}

// A label is a field of a form: its name, an explanation, and an input or a menu. discordgo
// supports neither it nor a menu without a required choice.
type label struct {
	Type        int    `json:"type"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Component   field  `json:"component"`
}

// A field is the input of a label.
type field struct {
	Type      discordgo.ComponentType  `json:"type"`
	CustomID  string                   `json:"custom_id"`
	Required  bool                     `json:"required"`
	Style     discordgo.TextInputStyle `json:"style,omitempty"`      // for an input
	MaxLength int                      `json:"max_length,omitempty"` // for an input
	Options   []menuOption             `json:"options,omitempty"`    // for a menu
	MaxValues int                      `json:"max_values,omitempty"` // for a menu
}

// radioGroup is the type of a menu with all choices visible. discordgo doesn't support it.
const radioGroup discordgo.ComponentType = 21

const maxTitle, maxFieldLabel, maxFieldHelp = 45, 45, 100

// labelType is the component type of a label.
const labelType = 18

// askForm returns the form for a command's options, in a language. An option with few
// possible values becomes a menu; others can be typed.
func askForm(to *text.Locale, buttonID string, c bot.Command, options []bot.Option) form {
	const maxValue, mostChoices = 100, 25
	f := form{CustomID: buttonID, Title: cut(commandTitle(c.Name, c.NameIn(to)), maxTitle)}
	for _, o := range options[:min(len(options), mostRows)] {
		in := field{Type: discordgo.TextInputComponent, CustomID: o.Name, Required: o.Required, Style: discordgo.TextInputShort, MaxLength: maxValue}
		if n := len(o.Choices); o.Kind == bot.Pick && n > 0 && n <= mostChoices {
			in = field{Type: discordgo.SelectMenuComponent, CustomID: o.Name, Required: o.Required, Options: menuOptions(to, o.Choices)}
		}
		f.Components = append(f.Components, label{Type: labelType, Label: cut(commandTitle(o.Name, o.NameIn(to)), maxFieldLabel), Description: cut(text.Known(o.Help).In(to).String(), maxFieldHelp), Component: in})
	}
	return f
}

// commandTitle returns the name of a command or an option as a title, in the reader's language if
// available.
func commandTitle(english, own string) string {
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

package discord

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/rackmate/rackmate/bot"
)

// An interaction is a command, a button press or a form that Discord reports; see
// "Receiving and Responding" in Discord's documentation. Only the relevant fields of its
// message are decoded, because anyone may have written that, with components unknown to
// us.
type interaction struct {
	ID            snowflake       `json:"id"`
	ApplicationID snowflake       `json:"application_id"`
	Type          interactionType `json:"type"`
	Token         string          `json:"token"`
	Locale        string          `json:"locale"`       // of the person
	GuildLocale   string          `json:"guild_locale"` // of the guild
	Guild         snowflake       `json:"guild_id"`
	Channel       snowflake       `json:"channel_id"`
	In            struct {
		Type   channelType `json:"type"`
		Parent snowflake   `json:"parent_id"` // of a thread
		Latest snowflake   `json:"last_message_id"`
		Thread threadState `json:"thread_metadata"`
	} `json:"channel"`
	Place       *place `json:"context"`
	Permissions string `json:"app_permissions"` // the bot's permissions in the channel
	// Installed has the key "0" if the application is a member of the guild, rather than
	// only a tool that the user has brought.
	Installed map[string]json.RawMessage `json:"authorizing_integration_owners"`
	Member    *member                    `json:"member"` // the person, in a guild
	User      *user                      `json:"user"`   // the person, elsewhere
	Message   *message                   `json:"message"`
	Data      struct {
		Name       string        `json:"name"` // of a command
		Type       commandType   `json:"type"`
		Options    []givenOption `json:"options"`
		Target     snowflake     `json:"target_id"`
		CustomID   string        `json:"custom_id"` // of a component or a form
		Values     []string      `json:"values"`    // selected values
		Components components    `json:"components"`
		Resolved   struct {
			Users    map[snowflake]user    `json:"users"`
			Members  map[snowflake]member  `json:"members"`
			Messages map[snowflake]message `json:"messages"`
		} `json:"resolved"`
	} `json:"data"`

	typed    map[string]string // options that the person typed as text
	foreign  bool              // the component belongs to another store; see unmark
	answered bool              // Discord already had the first response, from before a crash
}

type (
	interactionType int
	commandType     int
	channelType     int
	place           int
)

const (
	ping interactionType = iota + 1
	commandGiven
	componentUsed
	completionAsked
	formSubmitted
)

const (
	chatCommand    commandType = 1
	userCommand    commandType = 2
	messageCommand commandType = 3
	entryPoint     commandType = 4 // opens the Activity
)

// Types of channels that matter here. A table can get a thread of its own in the first two,
// or a post of its own in a forum.
const (
	textChannel         channelType = 0
	announcementChannel channelType = 5
	announcementThread  channelType = 10
	publicThread        channelType = 11
	privateThread       channelType = 12
	forum               channelType = 15 // a forum, whose posts are public threads
)

func (t channelType) isThread() bool { return t >= announcementThread && t <= privateThread }

// A threadState is the state of a thread.
type threadState struct {
	Locked bool `json:"locked"` // only people with Manage Threads may post
}

// Places where an interaction comes from or a command can be used.
const (
	inGuild   place = 0
	inBotDM   place = 1
	inPrivate place = 2 // a conversation of people, which the bot can't enter
)

// A snowflake is a Discord id, in decimal.
type snowflake string

func (s snowflake) valid() bool {
	_, err := strconv.ParseUint(string(s), 10, 64)
	return err == nil
}

// isAfter reports whether an id was assigned later than another.
func (s snowflake) isAfter(other snowflake) bool {
	return len(s) > len(other) || len(s) == len(other) && s > other
}

// shard returns the number of the shard that gets a server's events, from 0. of is the
// number of shards.
func (s snowflake) shard(of int) int {
	id, err := strconv.ParseUint(string(s), 10, 64)
	if err != nil || of < 2 {
		return 0
	}
	return int((id >> 22) % uint64(of))
}

type member struct {
	Nick        *string `json:"nick"`
	User        *user   `json:"user"`
	Permissions string  `json:"permissions"` // their permissions in the channel; only set for the author of the interaction
}

// manages reports whether a member may manage the guild.
func (m *member) manages() bool { return m.can(manageGuild) }

// can reports whether a member has a permission or is an administrator.
func (m *member) can(p permission) bool {
	if m == nil {
		return false
	}
	has, err := strconv.ParseUint(m.Permissions, 10, 64)
	return err == nil && has&(1<<p.bit|1<<administrator.bit) != 0
}

type user struct {
	ID         snowflake `json:"id"`
	Username   string    `json:"username"`
	GlobalName *string   `json:"global_name"`
	Bot        bool      `json:"bot"`
	Locale     string    `json:"locale"` // only set if they authorized us to identify them
}

// person returns the host's view of a user, with the name that others in the guild see. It
// skips names that show nothing.
func (u user) person(m *member) bot.User {
	name := u.Username
	if u.GlobalName != nil && isVisible(*u.GlobalName) {
		name = *u.GlobalName
	}
	if m != nil && m.Nick != nil && isVisible(*m.Nick) {
		name = *m.Nick
	}
	return bot.User{ID: playerID(u.ID), Name: name}
}

// isVisible reports whether a name has a character that shows something.
func isVisible(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.In(r, unicode.Mn, unicode.Me, unicode.Other_Default_Ignorable_Code_Point) && r != '\u2800'
	})
}

// A message is the message with the pressed component, or the one on which a menu entry
// was chosen.
type message struct {
	ID         snowflake  `json:"id"`
	Flags      int        `json:"flags"`
	Author     user       `json:"author"`
	Components components `json:"components"`
}

func (m *message) private() bool { return m != nil && m.Flags&ephemeral != 0 }

type givenOption struct {
	Type    optionType    `json:"type"`
	Name    string        `json:"name"`
	Value   any           `json:"value"`
	Focused bool          `json:"focused"`
	Options []givenOption `json:"options"` // of subcommands and groups
}

// unfold replaces the root command with the subcommand that the person used.
func (i *interaction) unfold() {
	if i.Data.Type != chatCommand || i.Data.Name != root {
		return
	}
	for len(i.Data.Options) == 1 && (i.Data.Options[0].Type == subcommand || i.Data.Options[0].Type == subcommands) {
		below := i.Data.Options[0]
		i.Data.Name, i.Data.Options = below.Name, below.Options
	}
}

// components is a tree of components with only their ids and the values typed or chosen.
type components []component

type component struct {
	CustomID   string      `json:"custom_id"`
	Value      looseString `json:"value"`
	Values     []string    `json:"values"`
	Components components  `json:"components"`
	Component  *component  `json:"component"` // in a label
}

// A looseString decodes from a JSON string, or to "" from anything else, because the
// values of some components aren't strings.
type looseString string

func (t *looseString) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = looseString(s)
	}
	return nil
}

// each calls f with the id and the value of each component that has an id.
func (cs components) each(f func(id, value string)) {
	for _, c := range cs {
		if c.CustomID != "" {
			value := string(c.Value)
			if len(c.Values) > 0 {
				value = strings.Join(c.Values, " ")
			}
			f(c.CustomID, value)
		}
		if c.Component != nil {
			components{*c.Component}.each(f)
		}
		c.Components.each(f)
	}
}

// unmark removes the store's mark from the ids of pressed or displayed components. Ids of
// other stores become empty.
func (i *interaction) unmark(m bot.Mark) {
	own := func(id string) string {
		if id, ok := m.Off(id); ok {
			return id
		}
		return ""
	}
	had := i.Data.CustomID
	i.Data.CustomID = own(had)
	i.foreign = i.Data.CustomID == "" && had != ""
	for _, shown := range i.Data.Resolved.Messages {
		shown.Components.rename(own)
	}
}

// rename replaces the ids of all components.
func (cs components) rename(to func(string) string) {
	for n := range cs {
		cs[n].CustomID = to(cs[n].CustomID)
		cs[n].Components.rename(to)
	}
}

// parseInteraction parses an interaction and checks that it can be answered.
func parseInteraction(b []byte) (*interaction, error) {
	var i interaction
	if err := json.Unmarshal(b, &i); err != nil {
		return nil, fmt.Errorf("read interaction: %w", err)
	}
	if i.Type == ping {
		return &i, nil
	}
	i.unfold()
	switch {
	case !i.ID.valid(), i.Token == "", !i.ApplicationID.valid():
		return nil, fmt.Errorf("read interaction: it has no id, token or application")
	case i.author().ID == "", !i.Channel.valid():
		return nil, fmt.Errorf("read interaction %s: it has no author or no channel", i.ID)
	}
	return &i, nil
}

// author returns the author of the interaction, or the zero User if Discord names none.
func (i *interaction) author() bot.User {
	u := i.User
	if i.Member != nil && i.Member.User != nil {
		u = i.Member.User
	}
	if u == nil || !u.ID.valid() {
		return bot.User{}
	}
	return u.person(i.Member)
}

// place returns the place where the interaction was made.
func (i *interaction) place() place {
	switch {
	case i.Place != nil:
		return *i.Place
	case i.Guild != "":
		return inGuild
	}
	return inBotDM
}

// focusedOption returns the name of the option being typed.
func (i *interaction) focusedOption() (name string) {
	for _, o := range i.Data.Options {
		if o.Focused {
			return o.Name
		}
	}
	return ""
}

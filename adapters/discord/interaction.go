package discord

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
)

// An interaction is what Discord sends when somebody gives a command, presses
// a button or fills in a form; see "Receiving and Responding" in Discord's
// documentation. Of the message that it is about only what matters here is
// read: that may be anybody's, with components that we don't know.
type interaction struct {
	ID            snowflake       `json:"id"`
	ApplicationID snowflake       `json:"application_id"`
	Type          interactionType `json:"type"`
	Token         string          `json:"token"`
	Locale        string          `json:"locale"`       // of whoever gave it
	GuildLocale   string          `json:"guild_locale"` // of the guild
	Guild         snowflake       `json:"guild_id"`
	Channel       snowflake       `json:"channel_id"`
	In            struct {
		Type   channelType `json:"type"`
		Parent snowflake   `json:"parent_id"` // of a thread
		Latest snowflake   `json:"last_message_id"`
	} `json:"channel"`
	Place       *place `json:"context"`
	Permissions string `json:"app_permissions"` // the bot's, in the channel
	// Installed has the key "0" where the application is a member of the
	// guild, not only a tool that the user has brought.
	Installed map[string]json.RawMessage `json:"authorizing_integration_owners"`
	Member    *member                    `json:"member"` // who it was, in a guild
	User      *user                      `json:"user"`   // who it was, elsewhere
	Message   *message                   `json:"message"`
	Data      struct {
		Name       string        `json:"name"` // of a command
		Type       commandType   `json:"type"`
		Options    []givenOption `json:"options"`
		Target     snowflake     `json:"target_id"`
		CustomID   string        `json:"custom_id"` // of a component or a form
		Values     []string      `json:"values"`    // what was selected
		Components components    `json:"components"`
		Resolved   struct {
			Users    map[snowflake]user    `json:"users"`
			Members  map[snowflake]member  `json:"members"`
			Messages map[snowflake]message `json:"messages"`
		} `json:"resolved"`
	} `json:"data"`

	strange  bool // what was pressed is of another store; see unmark
	answered bool // Discord had the first response already, from before a kill
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

// The kinds of channel that matter here: a table can get a thread of its own
// in the first two; the others are threads.
const (
	textChannel         channelType = 0
	announcementChannel channelType = 5
	announcementThread  channelType = 10
	publicThread        channelType = 11
	privateThread       channelType = 12
	forum               channelType = 15 // whose posts are public threads
)

func (t channelType) isThread() bool { return t >= announcementThread && t <= privateThread }

// Where an interaction comes from, and where a command can be used.
const (
	inGuild   place = 0
	inBotDM   place = 1
	inPrivate place = 2 // a conversation of people, which the bot can't enter
)

// A snowflake is an id of Discord's, in decimal.
type snowflake string

func (s snowflake) valid() bool {
	_, err := strconv.ParseUint(string(s), 10, 64)
	return err == nil
}

// after reports whether an id was given later than another.
func (s snowflake) after(other snowflake) bool {
	return len(s) > len(other) || len(s) == len(other) && s > other
}

// shard is the number of the shard, from 0, that hears of a server where there are that many.
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
	Permissions string  `json:"permissions"` // theirs, in the channel; only of who made the interaction
}

// manages reports whether somebody may manage the guild.
func (m *member) manages() bool { return m.may(manageGuild) }

// may reports whether somebody has a permission, or all of them.
func (m *member) may(p permission) bool {
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
	Locale     string    `json:"locale"` // only where they let us know who they are
}

// person is a user as the host knows them, by the name that others in the
// guild see.
func (u user) person(m *member) bot.User {
	name := u.Username
	if u.GlobalName != nil && *u.GlobalName != "" {
		name = *u.GlobalName
	}
	if m != nil && m.Nick != nil && *m.Nick != "" {
		name = *m.Nick
	}
	return bot.User{ID: bot.PlayerID(Platform + ":" + string(u.ID)), Name: name}
}

// A message is one that a component sits under, or a menu was opened on.
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
	Options []givenOption `json:"options"` // of what stands below a command
}

// unfold makes of a command below the root, or in a group there, that command.
func (i *interaction) unfold() {
	if i.Data.Type != chatCommand || i.Data.Name != root {
		return
	}
	for len(i.Data.Options) == 1 && (i.Data.Options[0].Type == subcommand || i.Data.Options[0].Type == subcommands) {
		below := i.Data.Options[0]
		i.Data.Name, i.Data.Options = below.Name, below.Options
	}
}

// components are a tree of which only the ids matter, and what was typed or
// chosen.
type components []component

type component struct {
	CustomID   string      `json:"custom_id"`
	Value      looseString `json:"value"`
	Values     []string    `json:"values"`
	Components components  `json:"components"`
	Component  *component  `json:"component"` // in a label
}

// looseString is a string, and empty where something else stands in its place: there
// are components whose value is none.
type looseString string

func (t *looseString) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = looseString(s)
	}
	return nil
}

// each calls f with each component that has an id, and its value.
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

// unmark takes the mark of a store off the ids of all that was pressed or looked
// at. Those of another store become empty.
func (i *interaction) unmark(m bot.Mark) {
	own := func(id string) string {
		if id, ok := m.Off(id); ok {
			return id
		}
		return ""
	}
	had := i.Data.CustomID
	i.Data.CustomID = own(had)
	i.strange = i.Data.CustomID == "" && had != ""
	for _, shown := range i.Data.Resolved.Messages {
		shown.Components.rename(own)
	}
}

// rename gives each component that has an id another.
func (cs components) rename(to func(string) string) {
	for n := range cs {
		cs[n].CustomID = to(cs[n].CustomID)
		cs[n].Components.rename(to)
	}
}

// parseInteraction reads an interaction that can be answered.
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
	case i.who().ID == "", !i.Channel.valid():
		return nil, fmt.Errorf("read interaction %s: nobody made it, or nowhere", i.ID)
	}
	return &i, nil
}

// who made the interaction; the zero User when it doesn't say.
func (i *interaction) who() bot.User {
	u := i.User
	if i.Member != nil && i.Member.User != nil {
		u = i.Member.User
	}
	if u == nil || !u.ID.valid() {
		return bot.User{}
	}
	return u.person(i.Member)
}

// where it was made.
func (i *interaction) where() place {
	switch {
	case i.Place != nil:
		return *i.Place
	case i.Guild != "":
		return inGuild
	}
	return inBotDM
}

// focused is the name of the option that is being typed.
func (i *interaction) focused() (name string) {
	for _, o := range i.Data.Options {
		if o.Focused {
			return o.Name
		}
	}
	return ""
}

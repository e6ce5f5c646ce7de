package slack

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
)

// This file declares Slack's payloads, with the fields that we read. slack-go's types
// reject whole payloads because of fields that we don't use.

// A slashCommand is a typed slash command.
type slashCommand struct {
	App          string `json:"api_app_id"`
	Team         string `json:"team_id"`
	Enterprise   string `json:"enterprise_id"`
	Organisation flag   `json:"is_enterprise_install"`
	Channel      string `json:"channel_id"`
	User         string `json:"user_id"`
	UserName     string `json:"user_name"`
	Command      string `json:"command"`
	Text         string `json:"text"`
	ResponseURL  string `json:"response_url"`
	Trigger      string `json:"trigger_id"`
}

// home returns the home whose app received the command.
func (c *slashCommand) home() home { return homeOf(c.Enterprise, c.Team, bool(c.Organisation)) }

// A flag is a bool that Slack may also send as "true" or "false".
type flag bool

func (f *flag) UnmarshalJSON(b []byte) error {
	*f = string(b) == "true" || string(b) == `"true"`
	return nil
}

// formJSON converts a form to JSON: commands are forms over HTTP and JSON in Socket Mode.
func formJSON(form url.Values) []byte {
	m := map[string]string{}
	for k := range form {
		m[k] = form.Get(k)
	}
	b, _ := json.Marshal(m) // can't fail: a map of strings
	return b
}

// An interaction is a press, a submitted form, or a shortcut.
type interaction struct {
	App          string  `json:"api_app_id"`
	Type         string  `json:"type"` // block_actions, view_submission, message_action ...
	Team         *idOnly `json:"team"` // null in an organisation-wide installation
	Enterprise   *idOnly `json:"enterprise"`
	Organisation flag    `json:"is_enterprise_install"`
	User         struct {
		ID       string `json:"id"`
		UserName string `json:"username"`
		Name     string `json:"name"`
		Team     string `json:"team_id"`
	} `json:"user"`
	Trigger     string  `json:"trigger_id"`
	Callback    string  `json:"callback_id"`
	ResponseURL string  `json:"response_url"`
	Channel     *idOnly `json:"channel"`
	Container   struct {
		Type      string `json:"type"` // message, message_attachment, view
		Channel   string `json:"channel_id"`
		TS        string `json:"message_ts"`
		Thread    string `json:"thread_ts"`
		Ephemeral bool   `json:"is_ephemeral"`
	} `json:"container"`
	MessageTS string `json:"message_ts"` // of a message shortcut
	Message   struct {
		TS     string `json:"ts"`
		Thread string `json:"thread_ts"`
		Team   string `json:"team"` // of the author
		User   string `json:"user"` // the author
		Bot    string `json:"bot_id"`
	} `json:"message"`
	Actions []action `json:"actions"`
	View    *view    `json:"view"`
	State   state    `json:"state"` // of a message's elements; a view has its own

	home home // home of the app that received it; see inbox.installedHome
}

type idOnly struct {
	ID string `json:"id"`
}

// An action is a pressed button or a choice.
type action struct {
	ActionID string `json:"action_id"`
	BlockID  string `json:"block_id"`
	Value    string `json:"value"`
	TS       string `json:"action_ts"`
	Selected option `json:"selected_option"`
}

// A view is an open form or home page.
type view struct {
	ID       string `json:"id"`
	Type     string `json:"type"` // modal, home
	Callback string `json:"callback_id"`
	Metadata string `json:"private_metadata"`
	Home     string `json:"app_installed_team_id"`
	State    state  `json:"state"`
}

// A state holds the input of a form, by block and element.
type state struct {
	Values map[string]map[string]input `json:"values"`
}

type input struct {
	Value    string   `json:"value"`
	Selected *option  `json:"selected_option"`
	Options  []option `json:"selected_options"`
	Users    []string `json:"selected_users"`
}

type option struct {
	Value string `json:"value"`
}

// values returns the input or choices of an element of any kind.
func (i input) values() []string {
	var all []string
	if i.Value != "" {
		all = append(all, i.Value)
	}
	if i.Selected != nil {
		all = append(all, i.Selected.Value)
	}
	for _, o := range i.Options {
		all = append(all, o.Value)
	}
	return all
}

// homes returns the homes whose app may have received an interaction, the likeliest first.
// In a channel shared by several workspaces, its team is the one of the person who pressed.
func (i *interaction) homes() []home {
	var enterprise, team string
	if i.Enterprise != nil {
		enterprise = i.Enterprise.ID
	}
	if i.Team != nil {
		team = i.Team.ID
	}
	if i.Organisation {
		return []home{homeOf(enterprise, cmp.Or(team, i.User.Team), true)}
	}
	var all []home
	if i.View != nil {
		all = append(all, home(i.View.Home))
	}
	all = append(all, home(i.Message.Team), home(team), home(i.User.Team), home(enterprise))
	return slices.DeleteFunc(all, func(h home) bool { return h == "" })
}

// place returns the place of the pressed message, or the empty place for a view. A thread's
// first message isn't in the thread, but a shortcut on it means the thread.
func (i *interaction) place() place {
	p := place{home: i.home, channel: i.Container.Channel, thread: i.Container.Thread}
	if p.channel == "" && i.Channel != nil {
		p.channel = i.Channel.ID
	}
	if p.thread == "" {
		p.thread = i.Message.Thread
	}
	if i.Type == "block_actions" && (p.thread == i.Container.TS || p.thread == i.Message.TS) {
		p.thread = ""
	}
	return p
}

func (i *interaction) userName() string {
	if i.User.UserName != "" {
		return i.User.UserName
	}
	return i.User.Name
}

// An eventCallback is the wrapper of an event.
type eventCallback struct {
	App            string          `json:"api_app_id"`
	Type           string          `json:"type"` // event_callback, url_verification ...
	Challenge      string          `json:"challenge"`
	Team           string          `json:"team_id"`
	Enterprise     string          `json:"enterprise_id"`
	ID             string          `json:"event_id"`
	Time           int64           `json:"event_time"` // in seconds since 1970
	Minute         int64           `json:"minute_rate_limited"`
	Authorizations []authorization `json:"authorizations"`
	Event          struct {
		Type string    `json:"type"`
		User eventUser `json:"user"`
		Tab  string    `json:"tab"`
		// For a mention.
		Bot     string `json:"bot_id"`  // the app that wrote it
		Subtype string `json:"subtype"` // of a message that isn't a plain new one
		// ChannelType is "im" in direct messages.
		ChannelType string `json:"channel_type"`
		Text        string `json:"text"`
		Channel     string `json:"channel"`
		TS          string `json:"ts"`
		Thread      string `json:"thread_ts"`
		Tokens      struct {
			Bot []string `json:"bot"`
		} `json:"tokens"`
		sharedLinks // of link_shared
		arrival     // of message_metadata_posted
		step        // of function_executed
	} `json:"event"`
}

// An eventUser is the person of an event: an id, or an object with it.
type eventUser struct {
	ID string `json:"id"`
}

func (u *eventUser) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &u.ID) == nil {
		return nil
	}
	type object eventUser
	return json.Unmarshal(b, (*object)(u))
}

type authorization struct {
	Enterprise   string `json:"enterprise_id"`
	Team         string `json:"team_id"`
	User         string `json:"user_id"` // the app's own
	Organisation flag   `json:"is_enterprise_install"`
}

func (e *eventCallback) home() home {
	if len(e.Authorizations) > 0 {
		a := e.Authorizations[0]
		return homeOf(a.Enterprise, a.Team, bool(a.Organisation))
	}
	return homeOf(e.Enterprise, e.Team, e.Team == "")
}

var errPayload = errors.New("that isn't a Slack payload")

// parse parses a payload, and rejects one without the fields that every payload has.
func parse[T any](raw []byte, whole func(*T) bool) (*T, error) {
	v := new(T)
	// Fields of an unexpected type stay empty: blank samples have "" for numbers, and
	// fields that we don't read mustn't cost us the payload.
	err := json.Unmarshal(raw, v)
	var shape *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &shape) || !whole(v) {
		return nil, errPayload
	}
	return v, nil
}

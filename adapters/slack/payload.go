package slack

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
)

// This file has what Slack sends us, as far as we read it. slack-go's types
// refuse whole payloads for fields that we have no use for.

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

// home is where the app is installed that a command was given to.
func (c *slashCommand) home() home { return homeOf(c.Enterprise, c.Team, bool(c.Organisation)) }

// A flag is a bool that Slack sends as "true" or "false" too.
type flag bool

func (f *flag) UnmarshalJSON(b []byte) error {
	*f = string(b) == "true" || string(b) == `"true"`
	return nil
}

// formJSON makes JSON of a form, for HTTP sends commands as forms and Socket
// Mode as JSON.
func formJSON(form url.Values) []byte {
	m := map[string]string{}
	for k := range form {
		m[k] = form.Get(k)
	}
	b, _ := json.Marshal(m) // a map of strings has nothing that could fail
	return b
}

// An interaction is a press, a filled-in form, or a shortcut.
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
		Team   string `json:"team"` // of whoever wrote it
		User   string `json:"user"` // who wrote it
		Bot    string `json:"bot_id"`
	} `json:"message"`
	Actions []action `json:"actions"`
	View    *view    `json:"view"`
	State   state    `json:"state"` // of a message's elements; a view has its own

	home home // where the app is installed that it came to; see inbox.installedHome
}

type idOnly struct {
	ID string `json:"id"`
}

// An action is what was pressed or chosen.
type action struct {
	ActionID string `json:"action_id"`
	BlockID  string `json:"block_id"`
	Value    string `json:"value"`
	TS       string `json:"action_ts"`
	Selected option `json:"selected_option"`
}

// A view is a form, or a home page, that somebody has open.
type view struct {
	ID       string `json:"id"`
	Type     string `json:"type"` // modal, home
	Callback string `json:"callback_id"`
	Metadata string `json:"private_metadata"`
	Home     string `json:"app_installed_team_id"`
	State    state  `json:"state"`
}

// A state is what people filled in, by block and by element.
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

// all is what was filled in or chosen, of whatever kind the element is.
func (i input) all() []string {
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

// homes are where the app may be installed that an interaction came to, the
// likeliest first. In a channel that several workspaces share, its team is that
// of whoever pressed.
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

// place is where the message stands that was pressed on; empty for a view. A
// message on which a thread hangs is not in it, but a shortcut there means the
// thread.
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
		// Of a mention.
		Bot     string `json:"bot_id"`  // the app that wrote it
		Subtype string `json:"subtype"` // of a message that isn't just written
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

// An eventUser is the person whom an event is about: an id, or an object with it.
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
	Organisation flag   `json:"is_enterprise_install"`
}

func (e *eventCallback) home() home {
	if len(e.Authorizations) > 0 {
		a := e.Authorizations[0]
		return homeOf(a.Enterprise, a.Team, bool(a.Organisation))
	}
	return homeOf(e.Enterprise, e.Team, e.Team == "")
}

var errPayload = errors.New("that is no payload of Slack's")

// parse reads a payload, and refuses one that lacks what every payload has.
func parse[T any](raw []byte, whole func(*T) bool) (*T, error) {
	v := new(T)
	// What has an unexpected shape stays empty: blank samples have "" for
	// numbers, and a field that we don't read must not cost us the payload.
	err := json.Unmarshal(raw, v)
	var shape *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &shape) || !whole(v) {
		return nil, errPayload
	}
	return v, nil
}

package slack

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/rackmate/rackmate/bot"
)

// ManifestOptions holds the options of an app's manifest.
type ManifestOptions struct {
	// AllCommands registers a slash command for each command, such as /play, besides
	// /rackmate, which reaches them all.
	AllCommands bool
	// Prefix registers them with a prefix, for workspaces where /play is taken: "rm-"
	// gives /rm-play.
	Prefix string
	// URL is the host's public address, such as https://play.example.org. With it, Slack
	// calls the host, and workspaces can install the app there; if it is empty, the host
	// connects to Slack by Socket Mode.
	URL string
	// Minimal leaves out im:history, the one scope to read messages: those in direct messages
	// with the app. It can't see what people type to it then; see Config.Minimal.
	Minimal bool
	// Rotation makes tokens expire and be renewed. Slack can't undo it.
	Rotation bool
}

// scopes returns the scopes that the app requests, with their purposes. The first few are
// newer than the others, and optional.
func scopes(links, minimal bool) []string {
	all := append([]string{
		"app_mentions:read",     // commands after a mention of the app, in threads
		"channels:read",         // events about its own invitation into a channel
		"groups:read",           // the same in private channels
		"metadata.message:read", // events about the arrival of its own posts
		"team:read",             // the workspace's language
		"usergroups:read",       // the members of @team, to invite them
	}, requiredScopes()...)
	if !minimal {
		all = append(all, "im:history") // plain text in direct messages with the app
	}
	if links {
		all = append(all, "links:read", "links:write") // unfurls the pages of games
	}
	return all
}

// requiredScopes returns the required scopes.
func requiredScopes() []string {
	return []string{
		"chat:write",  // posts
		"commands",    // slash commands and the message shortcut
		"files:write", // pictures
		"im:write",    // racks by direct message
		"users:read",  // names of invited people, and who is an admin
	}
}

type manifest struct {
	Metadata struct {
		Major int `json:"major_version"`
		Minor int `json:"minor_version"`
	} `json:"_metadata"`
	Display   display                 `json:"display_information"`
	Features  features                `json:"features"`
	Functions map[string]workflowStep `json:"functions"`
	OAuth     struct {
		Redirects []string `json:"redirect_urls,omitempty"`
		Scopes    struct {
			Bot []string `json:"bot"`
		} `json:"scopes"`
	} `json:"oauth_config"`
	Settings settings `json:"settings"`
}

type display struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Long        string `json:"long_description"`
	Colour      string `json:"background_color"`
}

type features struct {
	Home struct {
		Home     bool `json:"home_tab_enabled"`
		Messages bool `json:"messages_tab_enabled"`
		ReadOnly bool `json:"messages_tab_read_only_enabled"`
	} `json:"app_home"`
	Bot struct {
		Name   string `json:"display_name"`
		Online bool   `json:"always_online"`
	} `json:"bot_user"`
	Shortcuts []shortcut        `json:"shortcuts"`
	Unfurls   []string          `json:"unfurl_domains,omitempty"`
	Commands  []manifestCommand `json:"slash_commands"`
}

type shortcut struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Callback    string `json:"callback_id"`
	Description string `json:"description"`
}

type manifestCommand struct {
	Command     string `json:"command"`
	URL         string `json:"url,omitempty"`
	Description string `json:"description"`
	Hint        string `json:"usage_hint,omitempty"`
	Escape      bool   `json:"should_escape"` // people are sent as <@U...>
}

type settings struct {
	Events struct {
		URL   string       `json:"request_url,omitempty"`
		Bot   []string     `json:"bot_events"`
		Posts []postEvents `json:"metadata_subscriptions"`
	} `json:"event_subscriptions"`
	Interactivity struct {
		Enabled bool   `json:"is_enabled"`
		URL     string `json:"request_url,omitempty"`
	} `json:"interactivity"`
	Org      bool `json:"org_deploy_enabled"`
	Socket   bool `json:"socket_mode_enabled"`
	Rotation bool `json:"token_rotation_enabled"`
	// Runtime is "remote", because the host runs the steps of workflows, not Slack.
	Runtime string `json:"function_runtime"`
}

// postEvents selects the events of posts with metadata of a type.
type postEvents struct {
	App  string `json:"app_id"`
	Type string `json:"event_type"`
}

// A workflowStep is a step for workflows; see workflow.go.
type workflowStep struct {
	Title       string                   `json:"title"`
	Description string                   `json:"description"`
	Inputs      map[string]stepParameter `json:"input_parameters"`
	Outputs     map[string]stepParameter `json:"output_parameters"`
}

type stepParameter struct {
	Type        string `json:"type"`
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"is_required"`
}

// steps returns the steps for workflows.
func steps() map[string]workflowStep {
	channel := stepParameter{Type: "slack#/types/channel_id", Name: channelInput, Title: "Channel", Description: "Where to post; I must be in it", Required: true}
	link := map[string]stepParameter{linkOutput: {Type: "string", Name: linkOutput, Title: "Link to the post"}}
	return map[string]workflowStep{
		openStep: {"Open a table", "Opens a game that people can join", map[string]stepParameter{
			channelInput: channel,
			userInput:    {Type: "slack#/types/user_context", Name: userInput, Title: "Player", Description: "Whoever started the workflow: they open the table, and sit down at it", Required: true},
			rulesInput:   {Type: "string", Name: rulesInput, Title: "Rules", Description: "What you would type after /rackmate new, such as turn:1d seats:4"},
		}, link},
		dailyStep: {"Post the board of the day", "One board for everybody, six tries each, in private", map[string]stepParameter{channelInput: channel}, link},
	}
}

// Manifest returns the app's manifest with a host's commands, in JSON, as Slack accepts it
// under "From a manifest".
func Manifest(commands bot.Commands, o ManifestOptions) ([]byte, error) {
	if !isValidPrefix(o.Prefix) {
		return nil, fmt.Errorf("%q isn't a prefix for slash commands: use up to %d lower-case letters, digits, - and _", o.Prefix, maxPrefix)
	}
	base := strings.TrimSuffix(o.URL, "/")
	if base != "" && !strings.HasPrefix(base, "https://") {
		return nil, fmt.Errorf("%q isn't an https address, and Slack only calls those", o.URL)
	}
	at := func(path string) string {
		if base == "" {
			return ""
		}
		return base + path
	}
	var m manifest
	m.Metadata.Major, m.Metadata.Minor = 1, 1
	m.Display = display{
		Name: "Rackmate", Colour: "#1f4d3a",
		Description: "Crossword-tile games in your channels",
		Long: "Rackmate hosts crossword-tile games in Slack channels, for two to four players, over minutes or days. " +
			"Each move is posted as a picture of the board and in words; only you see your rack. " +
			"/rackmate shows everything that you can do. The draws can be checked when a game is over.",
	}
	f := &m.Features
	f.Home.Home, f.Home.Messages = true, true
	f.Bot.Name = "Rackmate"
	f.Shortcuts = []shortcut{
		{"Rackmate", "message", launcherID, "Play in this channel or thread"},
		{"Report message", "message", reportID, "Tell those who manage the workspace"},
		{"Rackmate: my game", "global", launcherID, "Everything that you can do, from anywhere"},
	}
	n := names{prefix: o.Prefix, all: o.AllCommands, commands: commands}
	for _, name := range []string{umbrella, shortUmbrella} {
		f.Commands = append(f.Commands, manifestCommand{"/" + name, at(commandsPath), "Everything that you can do", "[play horn 8h]", true})
	}
	for _, c := range commands.Elsewhere() {
		if name, ok := n.ownSlash(c.Name); ok {
			f.Commands = append(f.Commands, manifestCommand{name, at(commandsPath), c.Help, hint(c), true})
		}
	}
	m.OAuth.Scopes.Bot = scopes(base != "", o.Minimal)
	s := &m.Settings
	s.Events.URL, s.Events.Bot = at(eventsPath), []string{"app_home_opened", "app_mention", "member_joined_channel", "message_metadata_posted"}
	if f.Home.ReadOnly = o.Minimal; !o.Minimal {
		s.Events.Bot = append(s.Events.Bot, "message.im")
	}
	s.Events.Posts = []postEvents{{"*", postEvent}} // the app doesn't know its own id yet
	s.Interactivity.Enabled, s.Interactivity.URL = true, at(interactivityPath)
	s.Events.Bot = append(s.Events.Bot, "function_executed")
	m.Functions, s.Runtime = steps(), "remote"
	// Workflow steps require an app that an organisation could install.
	s.Socket, s.Org, s.Rotation = base == "", true, o.Rotation
	if base != "" {
		m.OAuth.Redirects = []string{at(oauthPath)}
		s.Events.Bot = append(s.Events.Bot, "app_uninstalled", "tokens_revoked", "link_shared")
		if u, err := url.Parse(base); err == nil {
			f.Unfurls = []string{u.Hostname()}
		}
	}
	return json.MarshalIndent(m, "", "  ")
}

// hint returns the options of a command: "word [at]".
func hint(c bot.Command) string {
	var parts []string
	for _, o := range c.Options {
		if o.Required {
			parts = append(parts, o.Name)
		} else {
			parts = append(parts, "["+o.Name+"]")
		}
	}
	return strings.Join(parts, " ")
}

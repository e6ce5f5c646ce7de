package slack

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// umbrella is the slash command that reaches every other: "/rackmate play ...".
const umbrella = "rackmate"

// shortUmbrella is the same in short.
const shortUmbrella = "rm"

// maxPrefix leaves room for the longest command: Slack takes 32 characters.
const maxPrefix = 16

// names says how the host's commands are called in a workspace.
type names struct {
	prefix   string
	all      bool // each has a slash command of its own, beside the umbrella
	commands bot.Commands
	tongues  *text.Tongues // that commands have names in
	mark     bot.Mark      // the store's, on buttons
	public   bool          // everybody can press the buttons
	tables   bool          // it is for a message, which can have a table
	to       *text.Tongue  // the language of what is added to a post
	home     string        // the address of the reader's page Home, "" for none
	thread   bool          // it is said in a thread, where nobody can type a slash command
	now      func() time.Time
}

// in says what commands are called in a place.
func (n names) in(at place) names {
	n.thread = at.thread != ""
	return n
}

// known reports whether there is a command of a name, in any language.
func (n names) known(command string) bool {
	return slices.ContainsFunc(n.tongues.All(), func(to *text.Tongue) bool {
		_, known := n.commands.FindIn(command, to)
		return known
	})
}

// commandsOf are a host's commands.
func commandsOf(h bot.Host) bot.Commands {
	if h == nil { // it is not there yet
		return nil
	}
	return h.Commands()
}

// reserved are commands of Slack's own, which no app can have:
// https://slack.com/help/articles/201259356-Slash-commands-in-Slack
func reserved(name string) bool {
	return slices.Contains([]string{
		"active", "apps", "archive", "away", "call", "collapse", "dm", "dnd", "expand", "feed", "feedback", "help",
		"huddle", "invite", "join", "keys", "leave", "me", "msg", "mute", "open", "prefs", "remind", "remove", "rename",
		"search", "shortcuts", "shrug", "star", "status", "todo", "topic", "who",
	}, name)
}

// own reports whether a command has a slash command of its own, and which.
// Usually none has: names like /new and /end would take other apps' away.
func (n names) own(command string) (string, bool) {
	name := n.prefix + command
	if !n.all && n.prefix == "" || reserved(name) {
		return "/" + name, false
	}
	room := mostSlashCommands - 2 // without the umbrellas
	for _, c := range n.commands.Elsewhere() {
		if reserved(n.prefix + c.Name) {
			continue
		}
		if room--; c.Name == command {
			return "/" + name, room >= 0
		}
	}
	return "/" + name, false
}

// mostSlashCommands is how many an app can have. Those that there is no room for are
// reached by the umbrella.
const mostSlashCommands = 50

// typed is how a command is typed: "/rackmate play", "/play" or "/rm-play", and in a
// thread "@Rackmate play".
func (n names) typed(command string) string {
	if n.thread {
		return "@Rackmate " + command
	}
	if name, ok := n.own(command); ok {
		return name
	}
	return "/" + umbrella + " " + command
}

// inviteMe is what brings the app into a channel: a command of Slack's own,
// though the host has one of that name.
const inviteMe = "/invite @Rackmate"

// inText puts the names into what the host says can be typed: "/play horn"
// becomes "/rackmate play horn".
func (n names) inText(code string) string {
	rest, slash := strings.CutPrefix(code, "/")
	command, args, more := strings.Cut(rest, " ")
	if !slash || !n.known(command) || code == inviteMe {
		return code
	}
	if more {
		args = " " + args
	}
	return n.typed(command) + args
}

// line is what a slash command says, as the host's commands are typed. With
// nothing behind the umbrella it is empty.
func (n names) line(command, text string) string {
	name := strings.ToLower(strings.TrimPrefix(command, "/"))
	text = strings.TrimSpace(spaced.ReplaceAllString(text, "$1"))
	if name == umbrella || name == shortUmbrella {
		return asOptions(text)
	}
	// Without the prefix that it was registered with, be it another than ours:
	// an app's manifest can be older than its host.
	if short, ok := strings.CutPrefix(name, n.prefix); ok {
		name = short
	}
	return asOptions(strings.TrimSpace(name + " " + text))
}

// Other ways in which people write options.
var (
	flagged = regexp.MustCompile(`\s--?(\pL[\pL-]*)(?:=|\s+)`)
	equated = regexp.MustCompile(`\s(\pL[\pL-]*)=`)
	seats   = regexp.MustCompile(`(?i)\b([2-4]) (?:players|people)\b`)
)

// asOptions writes "--seats 2", "seats=2" and "2 players" as "seats:2", in a line that
// opens a table or sets something.
func asOptions(line string) string {
	command, _, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	switch strings.ToLower(command) {
	case "new":
		line = seats.ReplaceAllString(line, "seats:$1")
		fallthrough
	case "settings":
		line = flagged.ReplaceAllString(line, " $1:")
		line = equated.ReplaceAllString(line, " $1:")
	}
	return line
}

// spaced is the name of an option and a space before its value, as people type
// them: "opponents: @ann".
var spaced = regexp.MustCompile(`([\pL-]+:) +`)

func validPrefix(p string) bool {
	return len(p) <= maxPrefix && strings.Trim(p, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

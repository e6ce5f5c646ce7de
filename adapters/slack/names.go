package slack

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// umbrella is the slash command for all commands: "/rackmate play ...".
const umbrella = "rackmate"

// shortUmbrella is its short form.
const shortUmbrella = "rm"

// maxPrefix leaves room for the longest command: Slack allows 32 characters.
const maxPrefix = 16

// names writes the host's commands as people type them in a workspace.
type names struct {
	prefix   string
	all      bool // each has a slash command of its own, besides the umbrella
	commands bot.Commands
	locales  *text.Locales // languages with command names
	mark     bot.Mark      // of the store, on buttons
	public   bool          // everybody can press the buttons
	tables   bool          // for a message, which can have a table
	to       *text.Locale  // language of additions to a post
	home     string        // address of the reader's home page, "" if none
	thread   bool          // for a thread, where slash commands can't be typed
	unheard  bool          // the app doesn't see direct messages
	direct   bool          // for direct messages with the app, where commands need no slash
	now      func() time.Time
}

// in returns the names for a place. It takes direct messages for those with the app.
func (n names) in(at place) names {
	n.thread, n.direct = at.thread != "", strings.HasPrefix(at.channel, "D") && !n.unheard
	return n
}

// isKnown reports whether a command exists, in any language.
func (n names) isKnown(command string) bool {
	return slices.ContainsFunc(n.locales.All(), func(to *text.Locale) bool {
		_, known := n.commands.FindIn(command, to)
		return known
	})
}

// commandsOf returns a host's commands.
func commandsOf(h bot.Host) bot.Commands {
	if h == nil { // not created yet
		return nil
	}
	return h.Commands()
}

// isReserved reports whether a command is Slack's own, which apps can't have:
// https://slack.com/help/articles/201259356-Slash-commands-in-Slack
func isReserved(name string) bool {
	return slices.Contains([]string{
		"active", "apps", "archive", "away", "call", "collapse", "dm", "dnd", "expand", "feed", "feedback", "help",
		"huddle", "invite", "join", "keys", "leave", "me", "msg", "mute", "open", "prefs", "remind", "remove", "rename",
		"search", "shortcuts", "shrug", "star", "status", "todo", "topic", "who",
	}, name)
}

// ownSlash returns a command's slash command, and reports whether it is registered. By default
// none is: names like /new and /end would collide with other apps' commands.
func (n names) ownSlash(command string) (string, bool) {
	name := n.prefix + command
	if !n.all && n.prefix == "" || isReserved(name) {
		return "/" + name, false
	}
	room := mostSlashCommands - 2 // without the umbrellas
	for _, c := range n.commands.Elsewhere() {
		if isReserved(n.prefix + c.Name) {
			continue
		}
		if room--; c.Name == command {
			return "/" + name, room >= 0
		}
	}
	return "/" + name, false
}

// mostSlashCommands limits the slash commands of an app. The umbrella reaches the others.
const mostSlashCommands = 50

// asTyped returns a command as it is typed: "/rackmate play", "/play" or "/rm-play", in a
// thread "@Rackmate play", and in direct messages with the app "play".
func (n names) asTyped(command string) string {
	if n.direct {
		return command
	}
	if n.thread {
		return "@Rackmate " + command
	}
	if name, ok := n.ownSlash(command); ok {
		return name
	}
	return "/" + umbrella + " " + command
}

// inviteMe adds the app to a channel. It is Slack's own command, although the host has
// one of that name.
const inviteMe = "/invite @Rackmate"

// rewriteCommand rewrites a command in the host's text for the workspace: "/play horn" becomes
// "/rackmate play horn".
func (n names) rewriteCommand(code string) string {
	rest, slash := strings.CutPrefix(code, "/")
	command, args, more := strings.Cut(rest, " ")
	if !slash || !n.isKnown(command) || code == inviteMe {
		return code
	}
	if more {
		args = " " + args
	}
	return n.asTyped(command) + args
}

// line converts a slash command to a line that the host parses. It returns "" for the
// umbrella command alone.
func (n names) line(command, text string) string {
	name := strings.ToLower(strings.TrimPrefix(command, "/"))
	text = strings.TrimSpace(spaced.ReplaceAllString(text, "$1"))
	if name == umbrella || name == shortUmbrella {
		return rewriteOptions(text)
	}
	// Remove the registered prefix, which may not be ours: an app's manifest can be older
	// than its host.
	if short, ok := strings.CutPrefix(name, n.prefix); ok {
		name = short
	}
	return rewriteOptions(strings.TrimSpace(name + " " + text))
}

// Other ways in which people write options.
var (
	flagged = regexp.MustCompile(`\s--?(\pL[\pL-]*)(?:=|\s+)`)
	equated = regexp.MustCompile(`\s(\pL[\pL-]*)=`)
	seats   = regexp.MustCompile(`(?i)\b([2-4]) (?:players|people)\b`)
)

// rewriteOptions rewrites "--seats 2", "seats=2" and "2 players" as "seats:2", in lines that
// start with new or settings.
func rewriteOptions(line string) string {
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

// spaced matches the name of an option and a space before its value, as people type them:
// "opponents: @ann".
var spaced = regexp.MustCompile(`([\pL-]+:) +`)

func isValidPrefix(p string) bool {
	return len(p) <= maxPrefix && strings.Trim(p, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

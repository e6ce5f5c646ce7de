package discord

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A permission is one that a server grants, by its name there.
type permission struct {
	bit  uint
	name string
}

// What the bot needs; see "Permissions" in Discord's documentation.
var (
	viewChannel   = permission{10, "View Channels"}
	sendMessages  = permission{11, "Send Messages"}
	attachFiles   = permission{15, "Attach Files"}
	createThreads = permission{35, "Create Public Threads"}
	sendInThreads = permission{38, "Send Messages in Threads"}
	// What people need to say how the guild plays.
	administrator = permission{3, "Administrator"}
	manageGuild   = permission{5, "Manage Server"}
)

// wanted are the permissions that the invite link asks for: to post boards in
// channels and threads, and to open threads.
func wanted() (bits uint64) {
	for _, p := range []permission{viewChannel, sendMessages, attachFiles, createThreads, sendInThreads} {
		bits |= 1 << p.bit
	}
	return bits
}

// A lack is why the bot can't post where an interaction comes from.
type lack struct {
	place   place
	absent  bool // from the guild
	missing []string
}

// lacking is what keeps the bot from posting, nil for nothing.
func (i *interaction) lacking(args map[string]string) *lack {
	switch i.where() {
	case inPrivate:
		return &lack{place: inPrivate}
	case inBotDM:
		return nil
	}
	if _, member := i.Installed["0"]; i.Installed != nil && !member {
		return &lack{place: inGuild, absent: true}
	}
	has, err := strconv.ParseUint(i.Permissions, 10, 64)
	if err != nil {
		return nil // Discord didn't say
	}
	needed := []permission{viewChannel, sendMessages, attachFiles}
	switch {
	case i.In.Type.isThread():
		needed = []permission{viewChannel, sendInThreads, attachFiles}
	case args["thread"] == "true":
		needed = append(needed, createThreads, sendInThreads)
	}
	l := &lack{place: inGuild}
	for _, p := range needed {
		if has&(1<<p.bit) == 0 {
			l.missing = append(l.missing, p.name)
		}
	}
	if len(l.missing) == 0 || has&(1<<administrator.bit) != 0 {
		return nil
	}
	return l
}

// sentence says what to do about it.
func (l *lack) sentence() string {
	switch {
	case l.place == inPrivate:
		return "I can't post in this conversation, so no game can be played here. Open a table in a server that has me as a member."
	case l.absent:
		return "I'm not a member of this server, so I can't post here. Ask whoever manages it to add me; my profile has the button."
	}
	return fmt.Sprintf("I can't post here. Ask whoever manages this server to grant me %s in this channel, and try again.", list(l.missing))
}

func list(names []string) string {
	if last := len(names) - 1; last > 0 {
		return strings.Join(slices.Clone(names[:last]), ", ") + " and " + names[last]
	}
	return names[0]
}

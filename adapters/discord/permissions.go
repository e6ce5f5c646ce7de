package discord

import (
	"strconv"

	"github.com/rackmate/rackmate/bot/text"
)

// A permission is a permission in a server, with its name there, which Discord localizes.
type permission struct {
	bit  uint
	name text.Text
}

// number returns the permission as a bit set in decimal.
func (p permission) number() string { return strconv.FormatUint(1<<p.bit, 10) }

// Permissions that the bot needs; see "Permissions" in Discord's documentation.
var (
	viewChannel   = permission{10, text.Item("View Channels")}
	sendMessages  = permission{11, text.Item("Send Messages")}
	attachFiles   = permission{15, text.Item("Attach Files")}
	createThreads = permission{35, text.Item("Create Public Threads")}
	sendInThreads = permission{38, text.Item("Send Messages in Threads")}
	manageThreads = permission{34, text.Item("Manage Threads")} // to post in a locked thread
	pinMessages   = permission{51, text.Item("Pin Messages")}   // to pin a list of games
	// Permissions of people who may change the server's settings. No sentence names them.
	administrator = permission{bit: 3}
	manageGuild   = permission{bit: 5}
	// The permission that people need so that others see the answers of their apps.
	useExternalApps = permission{50, text.Item("Use External Apps")}
)

// wantedPermissions returns the permissions that the invite link requests: to post boards in channels
// and threads, and to open threads.
func wantedPermissions() (bits uint64) {
	for _, p := range inviteAsksFor {
		bits |= 1 << p.bit
	}
	return bits
}

// inviteAsksFor lists these permissions.
var inviteAsksFor = []permission{viewChannel, sendMessages, attachFiles, createThreads, sendInThreads}

// A missingRight explains why the bot can't post where an interaction comes from.
type missingRight struct {
	hushed  bool // the bot isn't a member, and only the user sees its answers
	missing []text.Text
}

// isVisit reports whether the bot isn't a member where an interaction comes from, and the
// user has brought it along.
func (i *interaction) isVisit() bool {
	if i.place() == inGuild {
		_, member := i.Installed["0"]
		return i.Installed != nil && !member
	}
	return i.place() == inPrivate
}

// findLack returns what keeps the bot from posting, or nil if nothing does.
func (i *interaction) findLack(args map[string]string) *missingRight {
	switch {
	case i.place() == inBotDM, i.place() == inPrivate:
		return nil
	case i.isVisit():
		if i.Member.can(useExternalApps) {
			return nil
		}
		return &missingRight{hushed: true}
	}
	has, err := strconv.ParseUint(i.Permissions, 10, 64)
	if err != nil {
		return nil // Discord didn't include them
	}
	needed := []permission{viewChannel, sendMessages, attachFiles}
	switch {
	case i.In.Type.isThread():
		needed = []permission{viewChannel, sendInThreads, attachFiles}
	case args["thread"] == "true":
		needed = append(needed, createThreads, sendInThreads)
	}
	if i.In.Thread.Locked {
		needed = append(needed, manageThreads)
	}
	l := &missingRight{missing: findMissing(has, needed)}
	if len(l.missing) == 0 || has&(1<<administrator.bit) != 0 {
		return nil
	}
	return l
}

// findMissing returns the names of the needed permissions that a set lacks.
func findMissing(has uint64, needed []permission) (names []text.Text) {
	for _, p := range needed {
		if has&(1<<p.bit) == 0 {
			names = append(names, p.name)
		}
	}
	return names
}

// sentence explains how to remedy the lack.
func (l *missingRight) sentence() text.Text {
	if l.hushed {
		return text.Say("I'm not a member of this server, so only you can see what I say. Ask whoever manages it to add me, or to grant {permission} in this channel.", useExternalApps.name)
	}
	return text.Say("I can't post here. Ask whoever manages this server to grant me {permissions} in this channel, then try again.", text.List(l.missing))
}

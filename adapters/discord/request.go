package discord

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// request returns the host request of an interaction. ok is false if the interaction
// isn't a command, button, menu or form of ours.
func (i *interaction) request(commands bot.Commands) (req bot.Request, ok bool) {
	req = bot.Request{
		ID:      Platform + ":" + string(i.ID),
		Channel: channelID(i.Channel),
		User:    i.author(),
		Args:    map[string]string{},
		Home:    i.home(),
		Manager: i.Member.manages(),

		Locale: i.Locale, HomeLocale: i.GuildLocale,
	}
	if i.place() == inBotDM {
		req.Readers = 1
	}
	switch i.Type {
	case commandGiven, completionAsked:
		switch i.Data.Type {
		case userCommand:
			return i.aboutUser(req)
		case messageCommand:
			return i.aboutMessage(req)
		}
		return i.command(req, commands)
	case componentUsed:
		if len(i.Data.Values) > 0 {
			return req.Choose(i.Data.CustomID, i.Data.Values)
		}
		return req.Press(i.Data.CustomID)
	case formSubmitted:
		return i.form(req)
	}
	return req, false
}

// command converts a slash command. The host validates the options, since only Discord's
// own clients check them.
func (i *interaction) command(req bot.Request, commands bot.Commands) (bot.Request, bool) {
	c, ok := commands.Find(i.Data.Name)
	if !ok {
		return req, false
	}
	req.Command = c.Name
	for _, given := range i.Data.Options {
		if given.Name == moreOption && hasMore(c.Name) {
			continue // see readTyped
		}
		at := slices.IndexFunc(c.Options, func(o bot.Option) bool { return slices.Contains(optionNames(o), given.Name) })
		if at < 0 {
			return req, false // option of an outdated version
		}
		o := c.Options[at]
		if o.Kind != bot.People {
			req.Args[o.Name] = valueText(given.Value)
			continue
		}
		guest, ok := i.resolveUser(snowflake(valueText(given.Value)))
		if !ok {
			return req, false
		}
		req.People = append(req.People, guest)
	}
	addTyped(req.Args, i.typed)
	return req, true
}

// valueText returns an option's value as people would type it.
func valueText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// resolveUser returns a user named by an option or a menu.
func (i *interaction) resolveUser(id snowflake) (bot.User, bool) {
	u, ok := i.Data.Resolved.Users[id]
	if !ok || !id.valid() || u.ID != id {
		return bot.User{}, false
	}
	var m *member
	if found, ok := i.Data.Resolved.Members[id]; ok {
		m = &found
	}
	return u.person(m), true
}

// cantInvite returns why the people named by a request can't play here, or nil if they can.
func (i *interaction) cantInvite(req bot.Request) text.Text {
	if req.Command != "new" {
		return nil
	}
	for _, u := range i.Data.Resolved.Users {
		if u.Bot {
			return text.Say("{who} is a bot, and bots can't play. {new} starts a game against one of my robots.", u.person(nil).Name, text.Code("/new robots"))
		}
	}
	for _, guest := range req.People {
		if i.place() == inBotDM && guest.ID != req.User.ID {
			return text.Say("{who} can't see this conversation: it's just you and me. Open the table in a channel that you're both in. Here, {new} starts a game against one of my robots.", guest.Name, text.Code("/new robots"))
		}
	}
	return nil
}

// aboutUser converts an entry in a user's menu: a table for the two, or the user's
// statistics.
func (i *interaction) aboutUser(req bot.Request) (bot.Request, bool) {
	other, ok := i.resolveUser(i.Data.Target)
	req.People = []bot.User{other}
	switch i.Data.Name {
	case inviteMenu.String():
		req.Command = "new"
	case statsMenu.String():
		req.Command = "stats"
	}
	return req, ok && req.Command != ""
}

// aboutMessage converts an entry in the menu of one of our messages: a challenge like its
// button, or the board as text. Anyone's message can be reported.
func (i *interaction) aboutMessage(req bot.Request) (bot.Request, bool) {
	m, ok := i.Data.Resolved.Messages[i.Data.Target]
	if ok && i.Data.Name == reportMenu.String() {
		return i.report(req, m)
	}
	if !ok || m.Author.ID != i.ApplicationID {
		return req, false
	}
	pressed, found := req, false
	m.Components.each(func(id, _ string) {
		p, ok := req.Press(id)
		switch {
		case !ok || found:
		case i.Data.Name == challengeMenu.String() && p.Command == "challenge":
			pressed, found = p, true
		case i.Data.Name == boardMenu.String() && p.Table != 0:
			pressed.Table, pressed.Number, found = p.Table, p.Number, true
		}
	})
	if i.Data.Name == boardMenu.String() {
		pressed.Command, pressed.Args = "board", map[string]string{"as": "text"}
		return pressed, true
	}
	return pressed, found
}

// report returns a request to report a message and its author to the managers of the
// server.
func (i *interaction) report(req bot.Request, m message) (bot.Request, bool) {
	where := string(i.Guild)
	if where == "" {
		where = "@me"
	}
	req.Command = "report"
	req.Args["message"] = "https://discord.com/channels/" + where + "/" + string(i.Channel) + "/" + string(i.Data.Target)
	if m.Author.ID.valid() && !m.Author.Bot {
		req.People = []bot.User{m.Author.person(nil)}
	}
	return req, i.Data.Target.valid()
}

// form converts a submitted form to the request of the button that opened it, with the
// form's input.
func (i *interaction) form(req bot.Request) (bot.Request, bool) {
	req, ok := req.Press(i.Data.CustomID)
	if !ok {
		return req, false
	}
	i.Data.Components.each(func(id, value string) {
		if id != opponents {
			if req.Args[id] = value; req.Command == "exchange" {
				req.Args[id] = tickedTiles(value)
			}
			return
		}
		for _, whom := range strings.Fields(value) {
			guest, known := i.resolveUser(snowflake(whom))
			if ok = ok && known; known {
				req.People = append(req.People, guest)
			}
		}
	})
	return req, ok
}

// home returns the guild's home, or "" in direct messages.
func (i *interaction) home() string {
	if i.Guild == "" {
		return ""
	}
	return homeID(i.Guild)
}

func homeID(guild snowflake) string { return Platform + ":" + string(guild) }

// Link returns a URL that opens a channel of a guild, its home, at the latest post.
func (o *poster) Link(ctx context.Context, ch bot.ChannelID, home string) string {
	id, err := ourChannel(ch)
	if err != nil {
		return ""
	}
	guild, ours := strings.CutPrefix(home, Platform+":")
	if !ours || !snowflake(guild).valid() {
		guild = "@me"
	}
	url := "https://discord.com/channels/" + guild + "/"
	e, err := o.box.Entry(ctx, string(id))
	if err != nil || e.Latest.ID == "" {
		return url + string(id)
	}
	return url + cmp.Or(e.Latest.In, string(id)) + "/" + e.Latest.ID
}

func channelID(id snowflake) bot.ChannelID { return bot.ChannelID(Platform + ":" + string(id)) }

// ourChannel returns the Discord id of a channel.
func ourChannel(ch bot.ChannelID) (snowflake, error) {
	id, ours := strings.CutPrefix(string(ch), Platform+":")
	if !ours || !snowflake(id).valid() {
		return "", fmt.Errorf("%q isn't a Discord channel", ch)
	}
	return snowflake(id), nil
}

package discord

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot/text"
)

// Diagnose checks the settings with Discord: the bot's token, its intent, the public key,
// the registered commands, and the bot's permissions in its servers and their channels. It
// calls tell for each check, with the finding or with an error that says what to do.
func (a *Adapter) Diagnose(ctx context.Context, tell func(check, said string, err error)) {
	app, err := a.client.application(ctx)
	if err != nil {
		tell("discord token", "", err)
		return
	}
	tell("discord token", "the application "+app.Name, nil)
	if app.tellsOfMembers() {
		tell("discord intents", "Server Members Intent is on", nil)
	} else {
		tell("discord intents", "enough; with Server Members Intent (developer portal, Bot) games also end for people who leave a server", nil)
	}
	if key := a.endpoint.key; key != nil {
		err := error(nil)
		if app.VerifyKey != "" && app.VerifyKey != hex.EncodeToString(key) {
			err = errors.New("DISCORD_PUBLIC_KEY is another application's: copy it from General Information in the developer portal")
		}
		tell("discord public key", "the application's", err)
	}
	var there []json.RawMessage
	err = a.client.get(ctx, "/applications/"+string(app.ID)+"/commands", &there)
	switch {
	case err != nil:
		tell("discord commands", "", err)
	case len(there) == 0:
		tell("discord commands", "none yet: the host registers them when it starts", nil)
	default:
		tell("discord commands", fmt.Sprintf("%d registered", len(there)), nil)
	}
	a.diagnoseServers(ctx, tell)
}

// mostServers limits how many servers Diagnose checks; Discord's listing has as many.
const mostServers = 200

// mostChannels limits how many servers' channels Diagnose checks, with three requests each.
const mostChannels = 25

// diagnoseServers checks that the bot has the permissions requested by its invitation in
// each server, and in the channels where it may post.
func (a *Adapter) diagnoseServers(ctx context.Context, tell func(check, said string, err error)) {
	var servers []struct {
		ID          snowflake `json:"id"`
		Name        string    `json:"name"`
		Permissions string    `json:"permissions"`
	}
	var bot struct {
		ID snowflake `json:"id"`
	}
	err := a.client.get(ctx, fmt.Sprintf("/users/@me/guilds?limit=%d", mostServers), &servers)
	if err == nil {
		err = a.client.get(ctx, "/users/@me", &bot)
	}
	if err != nil {
		tell("discord servers", "", err)
		return
	}
	bad := false
	for i, s := range servers {
		has, err := strconv.ParseUint(s.Permissions, 10, 64)
		if err != nil || has&(1<<administrator.bit) != 0 {
			continue // an administrator may do everything in all channels
		}
		if missing := listLack(has); missing != "" {
			bad = true
			tell("discord server "+s.Name, "", fmt.Errorf("the bot's role lacks %s: give them to it, or invite it again by \"rackmate discord invite\"", missing))
		} else if i < mostChannels {
			a.diagnoseChannels(ctx, bot.ID, s.ID, s.Name, tell)
		}
	}
	switch {
	case len(servers) == 0:
		tell("discord servers", "none yet: \"rackmate discord invite\" prints the link that adds the bot to one", nil)
	case !bad:
		tell("discord servers", fmt.Sprintf("%d, and the bot may post in each", len(servers)), nil)
	}
}

// diagnoseChannels checks the bot's permissions in a server's channels. A channel in which it may
// write, but not post a board or open a thread, is a fault. One that it may only read, or not even
// see, is a choice of the server; it is a fault if no channel is left.
func (a *Adapter) diagnoseChannels(ctx context.Context, bot, server snowflake, name string, tell func(check, said string, err error)) {
	guild, err := a.client.readServer(ctx, bot, server)
	if err != nil {
		tell("discord server "+name, "", err)
		return
	}
	good, readOnly, bad := 0, []string(nil), false
	for _, c := range guild.channels {
		if c.Type != textChannel && c.Type != announcementChannel && c.Type != forum {
			continue
		}
		missing := listLack(c.has)
		switch {
		case missing == "":
			good++
		case c.has&(1<<viewChannel.bit) == 0: // private
		case c.has&(1<<sendMessages.bit) == 0:
			readOnly = append(readOnly, "#"+c.Name)
		default:
			bad = true
			tell("discord channel #"+c.Name+" in "+name, "", fmt.Errorf("the bot may write there but lacks %s: allow it in the channel's settings, under Permissions", missing))
		}
	}
	said := fmt.Sprintf("the bot may post in %d of %d channels", good, len(guild.channels))
	if len(readOnly) > 0 {
		said += "; it may only read " + strings.Join(readOnly, ", ")
	}
	switch {
	case good == 0 && !bad:
		tell("discord server "+name, "", errors.New("the bot may post in no channel: allow it to view one and to send messages there, in the channel's settings, under Permissions"))
	case !bad:
		tell("discord server "+name, said, nil)
	}
}

// listLack names the permissions that the invitation requests and a set lacks.
func listLack(has uint64) string { return text.Join(findMissing(has, inviteAsksFor), ", ").String() }

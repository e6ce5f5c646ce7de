package discord

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Diagnose checks the settings with Discord: the bot's token, its intent, the public key,
// the registered commands, and the bot's permissions in its servers. It calls tell for each
// check, with the finding or with an error that says what to do.
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
	b, err := a.client.call(ctx, "GET", "/applications/"+string(app.ID)+"/commands", nil)
	if err == nil {
		err = json.Unmarshal(b, &there)
	}
	switch {
	case err != nil:
		tell("discord commands", "", diagnosed(err))
	case len(there) == 0:
		tell("discord commands", "none yet: the host registers them when it starts", nil)
	default:
		tell("discord commands", fmt.Sprintf("%d registered", len(there)), nil)
	}
	a.diagnoseServers(ctx, tell)
}

// diagnoseServers checks that the bot has the permissions requested by its invitation in
// each server. Permissions denied by a channel are noticed when a table is opened there.
func (a *Adapter) diagnoseServers(ctx context.Context, tell func(check, said string, err error)) {
	const most = 200 // limit of Discord's listing
	var servers []struct {
		Name        string `json:"name"`
		Permissions string `json:"permissions"`
	}
	b, err := a.client.call(ctx, "GET", fmt.Sprintf("/users/@me/guilds?limit=%d", most), nil)
	if err == nil {
		err = json.Unmarshal(b, &servers)
	}
	if err != nil {
		tell("discord servers", "", diagnosed(err))
		return
	}
	bad := false
	for _, s := range servers {
		has, err := strconv.ParseUint(s.Permissions, 10, 64)
		if err != nil || has&(1<<administrator.bit) != 0 {
			continue
		}
		var missing []string
		for _, p := range inviteAsksFor {
			if has&(1<<p.bit) == 0 {
				missing = append(missing, p.name.String())
			}
		}
		if len(missing) > 0 {
			bad = true
			tell("discord server "+s.Name, "", fmt.Errorf("the bot's role lacks %s: give them to it, or invite it again by \"rackmate discord invite\"", strings.Join(missing, ", ")))
		}
	}
	switch {
	case len(servers) == 0:
		tell("discord servers", "none yet: \"rackmate discord invite\" prints the link that adds the bot to one", nil)
	case !bad:
		tell("discord servers", fmt.Sprintf("%d, and the bot may post in each", len(servers)), nil)
	}
}

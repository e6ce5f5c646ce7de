package discord

import (
	"context"
	"net/url"
	"strconv"
)

// Invite returns the link for adding the bot to a server or to a user's account. It
// requests the fewest scopes and permissions that games need.
func (a *Adapter) Invite(ctx context.Context) (string, error) {
	app, err := a.client.application(ctx)
	if err != nil {
		return "", err
	}
	q := url.Values{
		"client_id":   {string(app.ID)},
		"scope":       {"bot applications.commands"},
		"permissions": {strconv.FormatUint(wantedPermissions(), 10)},
	}
	return "https://discord.com/oauth2/authorize?" + q.Encode(), nil
}

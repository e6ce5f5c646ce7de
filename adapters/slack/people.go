package slack

import (
	"cmp"
	"context"
	"strconv"

	"github.com/rackmate/rackmate/bot"
)

// user is a person as the host knows them, by the name that Slack shows. When
// Slack can't be asked, it is the one that came with the request.
func (a *Adapter) user(ctx context.Context, m member, known string) bot.User {
	name, _, err := a.profile(ctx, m)
	if err != nil {
		a.Log.Info("can't ask what somebody is called", "user", m.id, "error", err)
	}
	return bot.User{ID: m.player(), Name: cmp.Or(name, known, m.id)}
}

// profile is what a person is called, and whether they are an admin.
func (a *Adapter) profile(ctx context.Context, m member) (name string, admin bool, err error) {
	key := string(m.player())
	if name, ok := a.people.get(key); ok {
		isAdmin, _ := a.people.get("admin " + key)
		return name, isAdmin == "true", nil
	}
	api, err := a.client(ctx, m.home)
	if err != nil {
		return "", false, err
	}
	u, err := api.GetUserInfoContext(ctx, m.id)
	if err != nil {
		return "", false, err
	}
	name = cmp.Or(u.Profile.DisplayName, u.Profile.RealName, u.RealName, u.Name)
	admin = u.IsAdmin || u.IsOwner || u.IsPrimaryOwner
	a.people.add("admin "+key, strconv.FormatBool(admin))
	a.people.add(key, name)
	return name, admin, nil
}

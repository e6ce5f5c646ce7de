package slack

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
)

// A profile is what Slack knows of a person.
type profile struct {
	Name  string
	Admin bool   // of the workspace
	Zone  string // of the IANA database
	// Locale is their language, as "de-DE".
	Locale string
}

func profileOf(u *slack.User) profile {
	return profile{
		Name:   cmp.Or(u.Profile.DisplayName, u.Profile.RealName, u.RealName, u.Name),
		Admin:  u.IsAdmin || u.IsOwner || u.IsPrimaryOwner,
		Zone:   u.TZ,
		Locale: u.Locale,
	}
}

// user is a person as the host knows them, by the name that Slack shows. When
// Slack can't be asked, it is the one that came with the request.
func (a *Adapter) user(ctx context.Context, m member, known string) bot.User {
	p, err := a.profile(ctx, m)
	if err != nil {
		a.Log.Info("can't ask what somebody is called", "user", m.id, "error", err)
	}
	return bot.User{ID: m.player(), Name: cmp.Or(p.Name, known, m.id)}
}

// profile is what Slack says of a person now, or said a little while ago.
func (a *Adapter) profile(ctx context.Context, m member) (p profile, err error) {
	key := string(m.player())
	if known, ok := a.people.get(key); ok {
		return p, json.Unmarshal([]byte(known), &p)
	}
	var u *slack.User
	err = a.call(ctx, m.home, func(api *slack.Client) (err error) {
		u, err = api.GetUserInfoContext(ctx, m.id)
		return err
	})
	if err != nil {
		return p, err
	}
	p = profileOf(u)
	b, err := json.Marshal(p)
	if err == nil {
		a.people.add(key, string(b))
	}
	return p, err
}

package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
)

// A profile is what Slack knows of a person.
type profile struct {
	Name  string
	Admin bool   // of the workspace
	Zone  string // of the IANA database
	Bot   bool   // an app's
	// Locale is their language, as "de-DE".
	Locale string
}

// slackbot is Slack's own, which it says is no bot.
const slackbot = "USLACKBOT"

func profileOf(u *slack.User) profile {
	return profile{
		Name:   cmp.Or(u.Profile.DisplayName, u.Profile.RealName, u.RealName, u.Name),
		Admin:  u.IsAdmin || u.IsOwner || u.IsPrimaryOwner,
		Zone:   u.TZ,
		Bot:    u.IsBot || u.ID == slackbot,
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

// personLocale is the language that somebody has set in Slack, "" where it can't be
// asked.
func (a *Adapter) personLocale(ctx context.Context, who bot.PlayerID) string {
	m, err := memberOf(who)
	if err != nil {
		return ""
	}
	return a.reads(ctx, m)
}

// reads is personLocale of a member.
func (a *Adapter) reads(ctx context.Context, m member) string {
	p, err := a.profile(ctx, m)
	if err != nil {
		a.Log.Info("can't ask which language somebody reads", "user", m.id, "error", err)
	}
	return p.Locale
}

// localeOf is the language of a home, as "de-DE", "" where Slack doesn't say: that
// takes the scope team:read. It is asked once a day.
func (a *Adapter) localeOf(ctx context.Context, h home) string {
	if known, ok := a.locales.get(string(h)); ok {
		return known
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	locale, err := a.askLocale(ctx, h)
	if err != nil {
		a.Log.Info("can't ask which language a workspace speaks", "home", h, "error", err)
	}
	a.locales.add(string(h), locale)
	return locale
}

// askLocale asks Slack for a home's language, which slack-go's type doesn't have.
func (a *Adapter) askLocale(ctx context.Context, h home) (string, error) {
	token, err := a.token(ctx, h)
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.API+"/api/team.info", nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := a.limited(token).Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var answer struct {
		OK    bool   `json:"ok"`
		Error string `json:"error"`
		Team  struct {
			Locale string `json:"locale"`
		} `json:"team"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxBody)).Decode(&answer); err != nil {
		return "", err
	}
	if !answer.OK {
		return "", slack.SlackErrorResponse{Err: answer.Error}
	}
	return answer.Team.Locale, nil
}

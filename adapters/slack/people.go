package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// directShelf stores, by player, the channel of their direct messages.
const directShelf = "direct"

// A directory looks people up: their names, profiles and languages, and the channels of
// their direct messages.
type directory struct {
	*common
	web     *webAPI
	known   cache       // profiles
	asks    tasks.Locks // by person: one query at a time
	locales cache       // languages of homes
}

func newDirectory(c *common, web *webAPI) *directory {
	return &directory{common: c, web: web, known: newCache(c.Now, time.Hour), locales: newCache(c.Now, 24*time.Hour)}
}

// A profile describes a person to the adapter.
type profile struct {
	Name  string
	Admin bool   // of the workspace
	Zone  string // in the IANA database
	Bot   bool   // belongs to an app
	Gone  bool   // deactivated
	// Locale is their language, such as "de-DE".
	Locale string
}

// slackbot is Slack's own bot, which Slack doesn't report as one.
const slackbot = "USLACKBOT"

func profileOf(u *slack.User) profile {
	return profile{
		Name:   cmp.Or(u.Profile.DisplayName, u.Profile.RealName, u.RealName, u.Name),
		Admin:  u.IsAdmin || u.IsOwner || u.IsPrimaryOwner,
		Zone:   u.TZ,
		Bot:    u.IsBot || u.ID == slackbot,
		Gone:   u.Deleted,
		Locale: u.Locale,
	}
}

// user returns the host's view of a person, with the name that Slack shows. If Slack can't
// be queried, it uses the name from the request.
func (d *directory) user(ctx context.Context, m member, known string) bot.User {
	p, err := d.profile(ctx, m)
	if err != nil {
		d.Log.Info("can't look up a person's name", "user", m.id, "error", err)
	}
	return bot.User{ID: m.player(), Name: cmp.Or(p.Name, known, m.id)}
}

// forget drops the cached profile of a person.
func (d *directory) forget(m member) { d.known.drop(string(m.player())) }

// profile returns a person's profile, possibly a recent one from the cache.
func (d *directory) profile(ctx context.Context, m member) (p profile, err error) {
	key := string(m.player())
	defer d.asks.Lock(key)()
	if known, ok := d.known.get(key); ok {
		return p, json.Unmarshal([]byte(known), &p)
	}
	var u *slack.User
	err = d.web.call(ctx, m.home, func(api *slack.Client) (err error) {
		u, err = api.GetUserInfoContext(ctx, m.id)
		return err
	})
	if err != nil {
		return p, err
	}
	p = profileOf(u)
	b, err := json.Marshal(p)
	if err == nil {
		d.known.add(key, string(b))
	}
	if p.Gone {
		d.work(ctx, func(ctx context.Context) { d.memberLeft(ctx, m) })
	} else if err := d.Host.MemberRenamed(ctx, homeID(m.home), bot.User{ID: m.player(), Name: p.Name}); err != nil {
		d.Log.Error("can't give games a player's current name", "user", m.id, "error", err)
	}
	return p, err
}

// memberLeft frees the seats of a person whose account is deactivated. A person who has
// only left a channel can return, and keeps them.
func (d *directory) memberLeft(ctx context.Context, who member) {
	if err := d.Host.MemberLeft(ctx, homeID(who.home), who.player()); err != nil {
		d.Log.Error("can't free the seats of a deactivated person", "user", who.id, "error", err)
	}
}

// checkAccounts checks whether the people mentioned in a post still have accounts: it is their
// turn, and Slack doesn't report deactivated ones. It checks each person at most once an hour.
func (d *directory) checkAccounts(ctx context.Context, m bot.Message) {
	m.Text.CallOnly(func(called bot.PlayerID) bool {
		if who, err := memberOf(called); err == nil {
			d.work(ctx, func(ctx context.Context) {
				if _, err := d.profile(ctx, who); err != nil {
					d.Log.Info("can't check whether a player is still a member", "user", who.id, "error", err)
				}
			})
		}
		return true
	})
}

// personLocale returns the language that a person has set in Slack, or "" if it isn't
// available.
func (d *directory) personLocale(ctx context.Context, who bot.PlayerID) string {
	m, err := memberOf(who)
	if err != nil {
		return ""
	}
	return d.languageOf(ctx, m)
}

// languageOf returns the language that a member has set in Slack.
func (d *directory) languageOf(ctx context.Context, m member) string {
	p, err := d.profile(ctx, m)
	if err != nil {
		d.Log.Info("can't look up a person's language", "user", m.id, "error", err)
	}
	return p.Locale
}

// localeOf returns the language of a home, such as "de-DE", or "" if Slack doesn't return
// it, which requires the scope team:read. It is queried once a day.
func (d *directory) localeOf(ctx context.Context, h home) string {
	if known, ok := d.locales.get(string(h)); ok {
		return known
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	locale, err := d.askLocale(ctx, h)
	if err != nil {
		d.Log.Info("can't look up a workspace's language", "home", h, "error", err)
	}
	d.locales.add(string(h), locale)
	return locale
}

// askLocale queries a home's language, a field missing from slack-go's type.
func (d *directory) askLocale(ctx context.Context, h home) (string, error) {
	token, err := d.web.tokens.token(ctx, h)
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.API+"/api/team.info", nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := d.web.limitedClient(token).Do(req)
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

// direct returns the channel of a person's direct messages.
func (d *directory) direct(ctx context.Context, to member) (string, error) {
	known, err := d.Notes.Get(ctx, directShelf, string(to.player()))
	if err != nil || known != nil {
		return string(known), err
	}
	var c *slack.Channel
	err = d.web.call(ctx, to.home, func(api *slack.Client) (err error) {
		c, _, _, err = api.OpenConversationContext(ctx, &slack.OpenConversationParameters{Users: []string{to.id}})
		return err
	})
	if err != nil {
		return "", err
	}
	return c.ID, d.Notes.Put(ctx, directShelf, string(to.player()), []byte(c.ID))
}

// messageAll sends players a direct message.
func (d *directory) messageAll(ctx context.Context, players []bot.PlayerID, what text.Text) {
	for _, p := range players {
		to, err := memberOf(p)
		if err != nil {
			continue
		}
		channel, err := d.direct(ctx, to)
		if err == nil {
			err = d.web.call(ctx, to.home, func(api *slack.Client) error {
				_, _, err := api.PostMessageContext(ctx, channel, slack.MsgOptionText(d.names.mrkdwn(what.In(d.locale(ctx, to))), false))
				return err
			})
		}
		if err != nil {
			d.Log.Warn("can't notify a player", "user", to.id, "error", err)
		}
	}
}

// isOwnDM reports whether a place is a person's direct messages with the app.
func (d *directory) isOwnDM(ctx context.Context, who member, at place) bool {
	if !strings.HasPrefix(at.channel, "D") {
		return false
	}
	direct, err := d.direct(ctx, who)
	return err == nil && direct == at.channel
}

// locale returns the language for private messages to a person.
func (d *directory) locale(ctx context.Context, m member) *text.Locale {
	return d.Host.LocaleFor(ctx, bot.Request{
		Channel: place{home: m.home, channel: "home"}.id(), User: bot.User{ID: m.player()}, Home: homeID(m.home), Locale: d.languageOf(ctx, m),
	})
}

package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// This file handles conversations where the bot isn't a member: private ones, and servers
// without the bot to which a user has brought the application. Posting there requires the
// token of an interaction, for a short while, and at most five times. So the posts that
// follow a move use the move's token. Posts without an interaction, such as one about a
// deadline, and posts after the fifth or after the token expired, wait until someone
// uses the bot there again. The bot explains the wait in private.

// visitShelf stores, by channel without the bot, the latest visit.
const visitShelf = "visits"

// visits stores the latest interactions of conversations without the bot.
type visits struct{ *common }

// A visit is an interaction in a conversation without the bot.
type visit struct {
	V           int       `json:"v"`
	Application snowflake `json:"application"`
	Token       string    `json:"token"`
	Locale      string    `json:"locale,omitempty"` // of the person
	At          time.Time `json:"at"`
}

func (v visit) path() string { return "/webhooks/" + string(v.Application) + "/" + v.Token }

// isUsable reports whether the visit's token is still valid.
func (v visit) isUsable(now time.Time) bool { return v.Token != "" && now.Sub(v.At) < tokenLife }

// note records an interaction where the bot isn't a member. If it is one, it deletes
// earlier visits.
func (s *visits) note(ctx context.Context, i *interaction) error {
	channel := string(i.Channel)
	if !i.isVisit() {
		return notes.Remove(ctx, s.Notes, visitShelf, channel)
	}
	return notes.Write(ctx, s.Notes, visitShelf, channel, visit{V: 1, Application: i.ApplicationID, Token: i.Token, Locale: i.Locale, At: s.Now()})
}

// latest returns the latest visit in a channel; ok is false if the bot is a member.
func (s *visits) latest(ctx context.Context, channel snowflake) (v visit, ok bool, err error) {
	ok, err = notes.Read(ctx, s.Notes, visitShelf, string(channel), &v)
	return v, ok, err
}

var errNoVisit = errors.New("the bot isn't in that conversation, and nobody has used it there just now")

// createByVisit posts a message with a visit's token.
func (o *poster) createByVisit(ctx context.Context, v visit, p payload) (created, error) {
	if !v.isUsable(o.Now()) {
		return created{}, errNoVisit
	}
	p.Nonce, p.EnforceNonce = "", false // only regular posts have a nonce
	b, err := o.client.sendByToken(ctx, request{method: "POST", path: v.path(), body: p, files: p.files})
	if err != nil {
		return created{}, err
	}
	return parseCreated(b)
}

// showLater adds a note to a person's private answer that others will see its outcome
// later, because there were more messages than the interaction's token allows.
func (o *poster) showLater(ctx context.Context, channel bot.ChannelID, v visit) error {
	path := v.path() + "/messages/@original"
	b, err := o.client.sendByToken(ctx, request{method: "GET", path: path})
	if err != nil {
		return err
	}
	var there struct {
		Content string `json:"content"`
		Flags   int    `json:"flags"`
	}
	if err := json.Unmarshal(b, &there); err != nil {
		return fmt.Errorf("read an answer: %w", err)
	}
	said, _ := markup(text.Say("The others will see the rest the next time somebody uses me here.").In(o.Host.LocaleFor(ctx, bot.Request{Channel: channel, Locale: v.Locale})))
	if there.Flags&ephemeral == 0 || strings.HasSuffix(there.Content, said) || units(there.Content+"\n"+said) > maxContent {
		return nil
	}
	_, err = o.client.sendByToken(ctx, request{method: "PATCH", path: path, body: onlyContent(there.Content + "\n" + said)})
	return err
}

package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// This file is about conversations where the bot isn't: those of people among
// themselves, and servers that haven't got it, to which somebody has brought the
// application along. There nothing can be posted but with the token of an
// interaction, a short while after it. So what a move brings about is posted by
// the move's own token; what nobody's press or command brings about, such as a
// deadline, is not posted, and /board shows the game as it is.

// visitShelf has, by channel where the bot isn't, the latest visit.
const visitShelf = "visits"

// visits are the latest interactions of conversations where the bot isn't.
type visits struct{ *common }

// A visit is an interaction in a conversation where the bot isn't.
type visit struct {
	V           int       `json:"v"`
	Application snowflake `json:"application"`
	Token       string    `json:"token"`
	At          time.Time `json:"at"`
}

func (v visit) path() string { return "/webhooks/" + string(v.Application) + "/" + v.Token }

// lives reports whether the visit's token can be used.
func (v visit) lives(now time.Time) bool { return v.Token != "" && now.Sub(v.At) < tokenLife }

// note notes an interaction where the bot isn't; where it is again it
// forgets the visits before.
func (s *visits) note(ctx context.Context, i *interaction) error {
	channel := string(i.Channel)
	if !i.visits() {
		b, err := s.Notes.Get(ctx, visitShelf, channel)
		if err != nil || b == nil {
			return err
		}
		return s.Notes.Put(ctx, visitShelf, channel, nil)
	}
	b, err := json.Marshal(visit{V: 1, Application: i.ApplicationID, Token: i.Token, At: s.Now()})
	if err != nil {
		return err
	}
	return s.Notes.Put(ctx, visitShelf, channel, b)
}

// at is the latest in a channel; ok is false where the bot is at home.
func (s *visits) at(ctx context.Context, channel snowflake) (v visit, ok bool, err error) {
	b, err := s.Notes.Get(ctx, visitShelf, string(channel))
	if err != nil || b == nil {
		return v, false, err
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return v, false, fmt.Errorf("read the visit in channel %s: %w", channel, err)
	}
	return v, true, nil
}

var errNoVisit = errors.New("the bot isn't in that conversation, and nobody has used it there just now")

// createByVisit posts a message with a visit's token.
func (o *outbox) createByVisit(ctx context.Context, v visit, p payload) (created, error) {
	if !v.lives(o.Now()) {
		return created{}, &bot.PostError{Permanent: true, Err: errNoVisit}
	}
	p.Nonce, p.EnforceNonce = "", false // which only posts have
	b, err := o.client.byToken(ctx, request{method: "POST", path: v.path(), body: p, files: p.files})
	if err != nil {
		return created{}, err
	}
	return parseCreated(b)
}

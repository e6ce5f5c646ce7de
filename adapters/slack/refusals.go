package slack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/adapters/outbox"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// refusals stores the places and homes where the app may not post. Messages for them wait,
// because the permission may be granted.
type refusals struct {
	*common
	outbox.Refusals
	web    *webAPI
	tokens *tokens

	mu    sync.Mutex
	known map[string]blockedPlace // what this process knows about them, by place
}

// A blockedPlace is a place where the app may not post.
type blockedPlace struct {
	why     text.Text
	players []bot.PlayerID // of the game there
}

func newRefusals(c *common, web *webAPI) *refusals {
	return &refusals{common: c, known: map[string]blockedPlace{}, Refusals: outbox.Refusals{Notes: c.Notes, Shelf: blockedShelf, Now: c.Now, First: 10 * time.Second, Most: blockedWait}, web: web, tokens: web.tokens}
}

// blockedShelf stores, by place or home, since when the app can't post there.
const blockedShelf = "blocked"

const (
	// blockedWait is the wait between tries where the app may not post: it may be invited.
	blockedWait = time.Minute
	// blockedFor limits how long to keep trying.
	blockedFor = 24 * time.Hour
)

// settle decides what happens to a message that Slack refuses.
//
//	person gone, or takes no direct messages     dropped; the host gets the reason
//	no token that Slack accepts, not installed   see handleLostToken
//	not in the channel, not allowed to post,
//	archived                                     tried for a day; see poster.callDirectly
//	rate limit, server error, no answer          tried again
//	anything else that is wrong with it          dropped
func (r *refusals) settle(ctx context.Context, at place, m bot.Message, err error) error {
	if _, closed := obstacle(at, err); m.To == nil && closed {
		return r.putOffBlocked(ctx, at, m.Players, err)
	}
	if m.To != nil && isError(err, noDirect...) {
		return &bot.PostError{Permanent: true, Closed: true, Err: fmt.Errorf("refused by Slack: %w", err)}
	}
	if isError(err, lostTokenErrors...) || errors.Is(err, errNoHome) || errors.Is(err, errToken) {
		return r.handleLostToken(ctx, at.home, err)
	}
	return postError(err)
}

// noDirect lists the error codes for people who get no direct messages.
var noDirect = []string{"user_not_found", "user_not_visible", "users_not_found", "user_disabled", "cannot_dm_bot", "messages_tab_disabled", "channel_not_found", "is_archived"}

// putOffBlocked postpones a message where the app isn't in the channel, for up to a day.
// After that it reports the channel to the host as gone. Slack's answer "not found" may
// also mean a private channel without the app.
func (r *refusals) putOffBlocked(ctx context.Context, at place, players []bot.PlayerID, cause error) error {
	why, _ := obstacle(at, cause)
	r.mu.Lock()
	r.known[string(at.id())] = blockedPlace{why, players}
	r.mu.Unlock()
	first, err := r.PutOff(ctx, string(at.id()), blockedFor, fmt.Errorf("%s: %s: %w", at.id(), why.String(), cause))
	var failed *bot.PostError
	if errors.As(err, &failed) {
		failed.Gone, failed.Blocked = failed.Permanent, first
	}
	return err
}

// Lift records that the app may post in a place.
func (r *refusals) Lift(ctx context.Context, where string) error {
	r.mu.Lock()
	delete(r.known, where)
	r.mu.Unlock()
	return r.Refusals.Lift(ctx, where)
}

// obstacle explains what keeps the app from posting in a channel, or returns nil if nothing
// is known to; see [bot.Platform.Obstacle].
func (r *refusals) obstacle(ctx context.Context, ch bot.ChannelID) text.Text {
	at, err := placeOf(ch)
	if err != nil {
		return nil
	}
	r.mu.Lock()
	b, known := r.known[string(at.id())]
	r.mu.Unlock()
	if known {
		return b.why
	}
	if _, refused, err := r.Since(ctx, string(at.id())); err != nil || !refused {
		return nil
	}
	why, _ := obstacle(at, slack.SlackErrorResponse{Err: "not_in_channel"})
	return why
}

// retryPlace retries the messages waiting for a place when the app is used there: it may have
// been invited or allowed to post.
func (r *refusals) retryPlace(ctx context.Context, at place) {
	for _, p := range []place{at, {home: at.home, channel: at.channel}} {
		if _, refused, err := r.Since(ctx, string(p.id())); err != nil || !refused {
			continue
		}
		r.Host.Retry(ctx, func(ch bot.ChannelID) bool { return ch == p.id() })
		return
	}
}

// retryGamesOf retries the messages about the games of a person, who may have moved elsewhere, so
// that the next player is called.
func (r *refusals) retryGamesOf(ctx context.Context, who bot.PlayerID) {
	r.mu.Lock()
	again := map[bot.ChannelID]bool{}
	for id, b := range r.known {
		if slices.Contains(b.players, who) {
			again[bot.ChannelID(id)] = true
		}
	}
	r.mu.Unlock()
	if len(again) > 0 {
		r.Host.Retry(ctx, func(ch bot.ChannelID) bool { return again[ch] })
	}
}

// obstacle explains why the app can't post in a place, and what to do, if people can fix
// that.
func obstacle(at place, err error) (why text.Text, ok bool) {
	link := at.link()
	var answer slack.SlackErrorResponse
	switch {
	case isError(err, "not_in_channel", "channel_not_found"):
		return text.Say("I can't post in {channel} until somebody types {invite} there.", text.Link(text.Item("the channel"), link), text.Code(inviteMe)), true
	case isError(err, "is_archived"):
		return text.Say("{channel} is archived, so I can't post there until somebody unarchives it.", text.Link(text.Say("The channel"), link)), true
	case isError(err, "missing_scope"):
		return text.Say("I don't have permission to post in {channel} until whoever installed me does so again, with the scopes in my latest manifest.", text.Link(text.Item("the channel"), link)), true
	case isError(err, "ekm_access_denied"):
		return text.Say("Your organisation's administrators have suspended posting in {channel}. They can allow it again.", text.Link(text.Item("the channel"), link)), true
	case errors.As(err, &answer) && strings.HasPrefix(answer.Err, "restricted_action"):
		return text.Say("Only some people can post in {channel}. Whoever manages it can let apps post there too, under its posting permissions.", text.Link(text.Item("the channel"), link)), true
	}
	return nil, false
}

// lostFor limits how long messages wait for a home's token to become valid again, or for
// the app to be installed there again.
const lostFor = 7 * 24 * time.Hour

// handleLostToken decides what happens to a message whose home has no token that Slack accepts.
// It waits: the operator can fix the one workspace's token, and a workspace that has
// uninstalled the app may install it again. An installation is only removed if Slack
// confirms that it was revoked, because such an answer can be a temporary problem of
// Slack's.
func (r *refusals) handleLostToken(ctx context.Context, h home, err error) error {
	if r.tokens.isFixed(h) {
		err = explainToken("SLACK_BOT_TOKEN", err)
		r.pulse.Refuse(err.Error())
		return &bot.PostError{RetryAfter: blockedWait, Err: err}
	}
	if isError(err, lostTokenErrors...) {
		test := r.web.call(ctx, h, func(api *slack.Client) error {
			_, err := api.AuthTestContext(ctx)
			return err
		})
		if isError(test, "token_revoked") {
			r.tokens.deleteToken(ctx, h)
		}
	}
	_, err = r.PutOff(ctx, homeID(h), lostFor, err)
	return err
}

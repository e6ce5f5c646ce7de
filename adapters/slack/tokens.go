package slack

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
)

// This file has how a home's token is had, renewed and lost.

// call does something by Slack's Web API for a home. Where Slack says that the
// token has expired, it is renewed and the call made again. The error is
// errNoHome where the app is not installed.
func (a *Adapter) call(ctx context.Context, h home, do func(*slack.Client) error) error {
	token, err := a.token(ctx, h)
	if err != nil {
		return err
	}
	if err = do(a.newClient(token)); a.fixed(h) || !isError(err, "token_expired") {
		return err
	}
	if token, err = a.renew(ctx, h, token); err != nil {
		return err
	}
	return do(a.newClient(token))
}

// fixed reports whether a home's token is the one that the operator has set.
func (a *Adapter) fixed(h home) bool {
	return a.BotToken != "" && (a.one.Load() == any(h) || !a.vault.open())
}

// renewBefore is how long before its end a token is renewed. Slack gives it
// twelve hours.
const renewBefore = 30 * time.Minute

// token is a home's token, renewed when its end is near.
// https://docs.slack.dev/authentication/using-token-rotation
func (a *Adapter) token(ctx context.Context, h home) (string, error) {
	if a.fixed(h) {
		return a.BotToken, nil
	}
	in, err := a.vault.get(ctx, h)
	if err != nil || in.Expires.IsZero() || a.Now().Before(in.Expires.Add(-renewBefore)) {
		return in.Token, err
	}
	next, err := a.renew(ctx, h, in.Token)
	if err != nil && a.Now().Before(in.Expires) {
		a.Log.Warn("can't renew a token yet", "home", h, "error", err)
		return in.Token, nil
	}
	return next, err
}

// errToken says that Slack takes no token that we have of a home.
var errToken = errors.New("the token is no good")

// renew replaces a token that ends or has ended. Where
// Slack has refused that, it is not asked again for a while.
func (a *Adapter) renew(ctx context.Context, h home, old string) (string, error) {
	defer a.locks.lock("token " + string(h))()
	in, err := a.vault.get(ctx, h)
	if err != nil || in.Token != old {
		return in.Token, err // another has done it while we waited
	}
	if code, refused := a.refusals.get(old); refused {
		return "", fmt.Errorf("%w: Slack refused to renew that of %s (%s)", errToken, h, code)
	}
	if in.Refresh == "" {
		return "", fmt.Errorf("%w: that of %s has expired, and can't be renewed", errToken, h)
	}
	got, err := slack.RefreshOAuthV2TokenContext(ctx, a.http, a.OAuth.ClientID, a.OAuth.ClientSecret, in.Refresh, slack.OAuthOptionAPIURL(a.API+"/api/"))
	var answer slack.SlackErrorResponse
	if errors.As(err, &answer) {
		a.refusals.add(old, answer.Err)
		return "", fmt.Errorf("%w: Slack refuses to renew that of %s (%s)", errToken, h, answer.Err)
	}
	if err != nil {
		return "", fmt.Errorf("renew the token of %s: %w", h, err)
	}
	next := a.installed(got)
	next.Home, next.Since = h, in.Since
	// The old refresh token is used up: what came is kept even while the host
	// shuts down.
	return next.Token, a.vault.put(context.WithoutCancel(ctx), next)
}

// install keeps a home that has installed the app, and begins to hope anew for
// what could not be posted there.
func (a *Adapter) install(ctx context.Context, in installation) error {
	if err := errors.Join(a.vault.put(ctx, in), a.Notes.Put(ctx, leftShelf, string(in.Home), nil)); err != nil {
		return err
	}
	if err := a.unblock(ctx, homeID(in.Home)); err != nil {
		return err
	}
	a.unmarked.forget(string(in.Home))
	a.Host.Retry(ctx, func(ch bot.ChannelID) bool { at, err := placeOf(ch); return err == nil && at.home == in.Home })
	return nil
}

// reinstalled reports whether a home was installed after an event there. Slack
// sends an event again for an hour, so that one of an earlier installation can
// come late.
func (a *Adapter) reinstalled(ctx context.Context, h home, e *eventCallback) bool {
	in, err := a.vault.get(ctx, h)
	return err == nil && e.Time > 0 && time.Unix(e.Time, 0).Before(in.Since.Truncate(time.Second))
}

// uninstalled forgets a home's token at once, and after a while all that is kept of
// it; see forgetLeft.
func (a *Adapter) uninstalled(ctx context.Context, h home) {
	if a.fixed(h) {
		a.Log.Warn("the app was uninstalled, or its token revoked: install it again, and set the new SLACK_BOT_TOKEN", "home", h)
		return
	}
	if err := errors.Join(a.leave(ctx, h), a.vault.remove(ctx, h)); err != nil {
		a.Log.Error("can't forget a token", "home", h, "error", err)
		return
	}
	a.Log.Info("uninstalled", "home", h)
}

// lostFor is how long what is to be posted waits for a home's token to be good
// again, or for the app to be installed there again.
const lostFor = 7 * 24 * time.Hour

// lostToken decides what becomes of a message whose home has no token that
// Slack takes. It waits: the one workspace's token is the operator's to mend, a
// workspace that has uninstalled the app may install it again. An installation
// is removed only when Slack says once more that it was revoked: an answer like
// that can be a passing trouble of Slack's.
func (a *Adapter) lostToken(ctx context.Context, h home, err error) error {
	if a.fixed(h) {
		err = setUp("SLACK_BOT_TOKEN", err)
		a.pulse.Refuse(err.Error())
		return &bot.PostError{RetryAfter: blockedWait, Err: err}
	}
	if isError(err, gone...) {
		test := a.call(ctx, h, func(api *slack.Client) error {
			_, err := api.AuthTestContext(ctx)
			return err
		})
		if isError(test, "token_revoked") {
			a.uninstalled(ctx, h)
		}
	}
	_, err = a.putOff(ctx, homeID(h), lostFor, err)
	return err
}

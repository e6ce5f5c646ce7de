package slack

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// tokens are those by which Slack takes us in each home: how they are had, renewed
// and lost.
type tokens struct {
	*common
	vault    vault
	one      atomic.Value // the home of BotToken, once known
	locks    tasks.Locks  // one renewal at a time in a home
	refusals cache        // tokens that Slack refused to renew, and why
}

func newTokens(c *common) (t *tokens, err error) {
	t = &tokens{common: c, refusals: newCache(c.Now, 10*time.Minute)}
	if c.OAuth.ClientID != "" {
		t.vault, err = newVault(c.OAuth.Key, c.Notes, c.random)
	}
	return t, err
}

// many reports whether workspaces can install the app by themselves.
func (t *tokens) many() bool { return t.vault.open() }

// check reads all installations; see vault.check.
func (t *tokens) check(ctx context.Context) error { return t.vault.check(ctx) }

// signedIn notes whose token BotToken is.
func (t *tokens) signedIn(h home) { t.one.Store(h) }

// only is the one workspace whose token the operator has set; ok is false where there is
// none.
func (t *tokens) only() (h home, ok bool) {
	h, ok = t.one.Load().(home)
	return h, ok && t.BotToken != ""
}

// installed reports whether the app is installed in a home.
func (t *tokens) installed(ctx context.Context, h home) bool {
	if t.fixed(h) && t.one.Load() == any(h) {
		return true
	}
	_, err := t.vault.get(ctx, h)
	return err == nil
}

// fixed reports whether a home's token is the one that the operator has set.
func (t *tokens) fixed(h home) bool {
	return t.BotToken != "" && (t.one.Load() == any(h) || !t.vault.open())
}

// renewBefore is how long before its end a token is renewed. Slack gives it
// twelve hours.
const renewBefore = 30 * time.Minute

// token is a home's token, renewed when its end is near.
// https://docs.slack.dev/authentication/using-token-rotation
func (t *tokens) token(ctx context.Context, h home) (string, error) {
	if t.fixed(h) {
		return t.BotToken, nil
	}
	in, err := t.vault.get(ctx, h)
	if err != nil || in.Expires.IsZero() || t.Now().Before(in.Expires.Add(-renewBefore)) {
		return in.Token, err
	}
	next, err := t.renew(ctx, h, in.Token)
	if err != nil && t.Now().Before(in.Expires) {
		t.Log.Warn("can't renew a token yet", "home", h, "error", err)
		return in.Token, nil
	}
	return next, err
}

// errToken says that Slack takes no token that we have of a home.
var errToken = errors.New("the token is no good")

// renew replaces a token that ends or has ended. Where
// Slack has refused that, it is not asked again for a while.
func (t *tokens) renew(ctx context.Context, h home, old string) (string, error) {
	defer t.locks.Lock("token " + string(h))()
	in, err := t.vault.get(ctx, h)
	if err != nil || in.Token != old {
		return in.Token, err // another has done it while we waited
	}
	if code, refused := t.refusals.get(old); refused {
		return "", fmt.Errorf("%w: Slack refused to renew that of %s (%s)", errToken, h, code)
	}
	if in.Refresh == "" {
		return "", fmt.Errorf("%w: that of %s has expired, and can't be renewed", errToken, h)
	}
	got, err := slack.RefreshOAuthV2TokenContext(ctx, t.http, t.OAuth.ClientID, t.OAuth.ClientSecret, in.Refresh, slack.OAuthOptionAPIURL(t.API+"/api/"))
	var answer slack.SlackErrorResponse
	if errors.As(err, &answer) {
		t.refusals.add(old, answer.Err)
		return "", fmt.Errorf("%w: Slack refuses to renew that of %s (%s)", errToken, h, answer.Err)
	}
	if err != nil {
		return "", fmt.Errorf("renew the token of %s: %w", h, err)
	}
	next := t.granted(got)
	next.Home, next.Since, next.was = h, in.Since, in.was
	// The old refresh token is used up: what came is kept even while the host
	// shuts down.
	return next.Token, t.vault.put(context.WithoutCancel(ctx), next)
}

// knows reports whether the app is installed in a home, or was lately.
func (t *tokens) knows(ctx context.Context, h home) bool {
	left, err := t.Notes.Get(ctx, leftShelf, string(h))
	return t.installed(ctx, h) || err == nil && left != nil
}

// install keeps an installation.
func (t *tokens) install(ctx context.Context, in installation) error {
	return errors.Join(t.vault.put(ctx, in), t.Notes.Put(ctx, leftShelf, string(in.Home), nil))
}

// granted is what Slack gave for an installation.
func (t *tokens) granted(got *slack.OAuthV2Response) installation {
	in := installation{Home: homeOf(got.Enterprise.ID, got.Team.ID, got.IsEnterpriseInstall), Since: t.Now(), Token: got.AccessToken, Refresh: got.RefreshToken}
	if got.ExpiresIn > 0 {
		in.Expires = t.Now().Add(time.Duration(got.ExpiresIn) * time.Second)
	}
	return in
}

// reinstalled reports whether a home was installed after an event there. Slack
// sends an event again for an hour, so that one of an earlier installation can
// come late.
func (t *tokens) reinstalled(ctx context.Context, h home, e *eventCallback) bool {
	in, err := t.vault.get(ctx, h)
	return err == nil && e.Time > 0 && time.Unix(e.Time, 0).Before(in.Since.Truncate(time.Second))
}

// uninstalled forgets a home's token at once, and after a while all that is kept of
// it; see forgetLeft.
func (t *tokens) uninstalled(ctx context.Context, h home) {
	if t.fixed(h) {
		t.Log.Warn("the app was uninstalled, or its token revoked: install it again, and set the new SLACK_BOT_TOKEN", "home", h)
		return
	}
	if err := errors.Join(t.leave(ctx, h), t.vault.remove(ctx, h)); err != nil {
		t.Log.Error("can't forget a token", "home", h, "error", err)
		return
	}
	t.Log.Info("uninstalled", "home", h)
}

// leftShelf, of Slack's notes, has by home since when the app isn't installed there
// any more.
const leftShelf = "left"

// keepLeft is how long what is kept of a workspace that has uninstalled the app is
// kept on, for it may install it again.
const keepLeft = 30 * 24 * time.Hour

// leave notes that a home has uninstalled the app.
func (t *tokens) leave(ctx context.Context, h home) error {
	since, err := t.Now().UTC().MarshalText()
	if err != nil {
		return err
	}
	return t.Notes.Put(ctx, leftShelf, string(h), since)
}

// forgetLeft forgets the homes that have uninstalled the app long ago, until ctx is
// done.
func (t *tokens) forgetLeft(ctx context.Context) error {
	for {
		err := notes.ReadEach(ctx, t.Notes, leftShelf, "", func(row bot.Row) error {
			var since time.Time
			if err := since.UnmarshalText(row.Value); err != nil || t.Now().Sub(since) < keepLeft {
				return err
			}
			t.Log.Info("forgetting a workspace that has uninstalled the app", "home", row.Key, "since", since)
			return t.Forgetting(ctx, row.Key)
		})
		if err != nil && ctx.Err() == nil {
			t.Log.Error("can't forget those who have uninstalled the app; trying again in an hour", "error", err)
		}
		if !t.wait(ctx, time.Hour) {
			return nil
		}
	}
}

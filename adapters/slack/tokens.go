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

// tokens provides the token of each home, renews it, and handles its loss.
type tokens struct {
	*common
	vault    vault
	one      atomic.Value // home of BotToken, once known
	locks    tasks.Locks  // one renewal at a time per home
	refusals cache        // tokens that Slack refused to renew, with the reason
}

func newTokens(c *common) (t *tokens, err error) {
	t = &tokens{common: c, refusals: newCache(c.Now, 10*time.Minute)}
	if c.OAuth.ClientID != "" {
		t.vault, err = newVault(c.OAuth.Key, c.Notes, c.random)
	}
	return t, err
}

// canInstall reports whether workspaces can install the app by themselves.
func (t *tokens) canInstall() bool { return t.vault.isOpen() }

// check reads all installations; see vault.check.
func (t *tokens) check(ctx context.Context) error { return t.vault.check(ctx) }

// setOwnHome records the home of BotToken.
func (t *tokens) setOwnHome(h home) { t.one.Store(h) }

// ownHome returns the one workspace whose token the operator has set; ok is false if there is
// none.
func (t *tokens) ownHome() (h home, ok bool) {
	h, ok = t.one.Load().(home)
	return h, ok && t.BotToken != ""
}

// isInstalled reports whether the app is installed in a home.
func (t *tokens) isInstalled(ctx context.Context, h home) bool {
	if t.isFixed(h) && t.one.Load() == any(h) {
		return true
	}
	_, err := t.vault.get(ctx, h)
	return err == nil
}

// isUninstalled reports whether a home has never installed the app, or has uninstalled it. It is
// false if the operator has set the home's token.
func (t *tokens) isUninstalled(ctx context.Context, h home) bool {
	if !t.canInstall() || t.isFixed(h) {
		return false
	}
	_, err := t.vault.get(ctx, h)
	return errors.Is(err, errNoHome)
}

// isFixed reports whether a home's token is the one that the operator has set.
func (t *tokens) isFixed(h home) bool {
	return t.BotToken != "" && (t.one.Load() == any(h) || !t.vault.isOpen())
}

// renewBefore sets how long before its expiry a token is renewed. Tokens last twelve
// hours.
const renewBefore = 30 * time.Minute

// token returns a home's token, renewed if it expires soon.
// https://docs.slack.dev/authentication/using-token-rotation
func (t *tokens) token(ctx context.Context, h home) (string, error) {
	if t.isFixed(h) {
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

// errToken means that Slack accepts none of our tokens for a home.
var errToken = errors.New("the token isn't accepted by Slack")

// renew replaces a token that expires or has expired. If Slack has refused that recently,
// it doesn't try again.
func (t *tokens) renew(ctx context.Context, h home, old string) (string, error) {
	defer t.locks.Lock("token " + string(h))()
	in, err := t.vault.get(ctx, h)
	if err != nil || in.Token != old {
		return in.Token, err // another call has renewed it in the meantime
	}
	if code, refused := t.refusals.get(old); refused {
		return "", fmt.Errorf("%w: it refused to renew the one of %s (%s); install the app there again", errToken, h, code)
	}
	if in.Refresh == "" {
		return "", fmt.Errorf("%w: the one of %s has expired and can't be renewed; install the app there again", errToken, h)
	}
	got, err := slack.RefreshOAuthV2TokenContext(ctx, t.http, t.OAuth.ClientID, t.OAuth.ClientSecret, in.Refresh, slack.OAuthOptionAPIURL(t.API+"/api/"))
	var answer slack.SlackErrorResponse
	if errors.As(err, &answer) {
		t.refusals.add(old, answer.Err)
		return "", fmt.Errorf("%w: it refuses to renew the one of %s (%s); install the app there again", errToken, h, answer.Err)
	}
	if err != nil {
		return "", fmt.Errorf("renew the token of %s: %w", h, err)
	}
	next := t.newInstallation(got)
	next.Home, next.Since, next.was = h, in.Since, in.was
	// The old refresh token is used up, so the new one is stored even while the host shuts
	// down.
	return next.Token, t.vault.put(context.WithoutCancel(ctx), next)
}

// isUsable reports whether the app is installed in a home, or was recently.
func (t *tokens) isUsable(ctx context.Context, h home) bool {
	left, err := t.Notes.Get(ctx, leftShelf, string(h))
	return t.isInstalled(ctx, h) || err == nil && left != nil
}

// install stores an installation.
func (t *tokens) install(ctx context.Context, in installation) error {
	return errors.Join(t.vault.put(ctx, in), t.Notes.Put(ctx, leftShelf, string(in.Home), nil))
}

// newInstallation converts Slack's response to an installation.
func (t *tokens) newInstallation(got *slack.OAuthV2Response) installation {
	in := installation{Home: homeOf(got.Enterprise.ID, got.Team.ID, got.IsEnterpriseInstall), Since: t.Now(), Token: got.AccessToken, Refresh: got.RefreshToken}
	if got.ExpiresIn > 0 {
		in.Expires = t.Now().Add(time.Duration(got.ExpiresIn) * time.Second)
	}
	return in
}

// hasReinstalled reports whether a home was installed after an event there. Slack repeats
// events for up to an hour, so one about an earlier installation can come late.
func (t *tokens) hasReinstalled(ctx context.Context, h home, e *eventCallback) bool {
	in, err := t.vault.get(ctx, h)
	return err == nil && e.Time > 0 && time.Unix(e.Time, 0).Before(in.Since.Truncate(time.Second))
}

// deleteToken deletes a home's token at once, and its other data after a while; see
// forgetLeft.
func (t *tokens) deleteToken(ctx context.Context, h home) {
	if t.isFixed(h) {
		t.Log.Warn("the app was uninstalled, or its token revoked: install it again, and set the new SLACK_BOT_TOKEN", "home", h)
		return
	}
	if err := errors.Join(t.recordLeft(ctx, h), t.vault.remove(ctx, h)); err != nil {
		t.Log.Error("can't forget a token", "home", h, "error", err)
		return
	}
	t.Log.Info("uninstalled", "home", h)
}

// leftShelf stores, by home, since when the app isn't installed there any more.
const leftShelf = "left"

// keepLeft limits how long the data of a workspace that has uninstalled the app is kept,
// in case it installs the app again.
const keepLeft = 30 * 24 * time.Hour

// recordLeft records that a home has uninstalled the app.
func (t *tokens) recordLeft(ctx context.Context, h home) error {
	return notes.WriteTime(ctx, t.Notes, leftShelf, string(h), t.Now())
}

// forgetLeft erases the data of homes that uninstalled the app long ago, until ctx is done.
func (t *tokens) forgetLeft(ctx context.Context) error {
	for {
		err := notes.ReadEach(ctx, t.Notes, leftShelf, "", func(row bot.Row) error {
			var since time.Time
			if err := since.UnmarshalText(row.Value); err != nil || t.Now().Sub(since) < keepLeft {
				return err
			}
			t.Log.Info("erasing a workspace that uninstalled the app", "home", row.Key, "since", since)
			return t.Forgetting(ctx, row.Key)
		})
		if err != nil && ctx.Err() == nil {
			t.Log.Error("can't erase workspaces that uninstalled the app; retrying in an hour", "error", err)
		}
		if t.sleep(ctx, time.Hour) != nil {
			return nil
		}
	}
}

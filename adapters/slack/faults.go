package slack

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
)

// isError reports whether Slack answered with one of the given error codes.
func isError(err error, codes ...string) bool {
	var answer slack.SlackErrorResponse
	return errors.As(err, &answer) && slices.Contains(codes, answer.Err)
}

// isPictureError reports whether Slack refused blocks because of a picture, according to its
// messages: "downloading image failed [json-pointer:/blocks/0/image_url]".
func isPictureError(err error) bool {
	var answer slack.SlackErrorResponse
	if !errors.As(err, &answer) || !isError(err, "invalid_blocks", "invalid_arguments") {
		return false
	}
	said := answer.ResponseMetadata.Messages
	for _, e := range answer.Errors {
		if e.Message != nil {
			said = append(said, *e.Message)
		}
	}
	return slices.ContainsFunc(said, func(s string) bool {
		s = strings.ToLower(s)
		return strings.Contains(s, "image") || strings.Contains(s, "slack_file") || strings.Contains(s, "slack file")
	})
}

// isAnswer reports whether Slack answered at all: if it refused a call, it did nothing.
func isAnswer(err error) bool {
	var answer slack.SlackErrorResponse
	var limited *slack.RateLimitedError
	return errors.As(err, &answer) || errors.As(err, &limited)
}

// retryAfter returns how long Slack asks us to wait, or 0.
func retryAfter(err error) time.Duration {
	var limited *slack.RateLimitedError
	if errors.As(err, &limited) {
		return max(limited.RetryAfter, time.Second)
	}
	return 0
}

// temporaryErrors lists the error codes of temporary problems at Slack.
var temporaryErrors = []string{"internal_error", "fatal_error", "service_unavailable", "request_timeout", "ratelimited", "rate_limited", "team_added_to_org", "org_login_required"}

// isTransient reports whether a failed call may succeed later.
func isTransient(err error) bool {
	return err != nil && (!isAnswer(err) || retryAfter(err) > 0 || isError(err, temporaryErrors...))
}

// lostTokenErrors lists the error codes that mean: the app isn't installed any more, or its token
// was replaced or revoked.
var lostTokenErrors = []string{"account_inactive", "invalid_auth", "not_authed", "token_revoked", "token_expired", "app_uninstalled"}

// postError converts a failure to its meaning for a message.
func postError(err error) error {
	var already *bot.PostError
	var answer slack.SlackErrorResponse
	switch {
	case err == nil || errors.As(err, &already):
		return err
	case errors.Is(err, errNotOurs):
		return &bot.PostError{Permanent: true, Err: err}
	case errors.As(err, &answer) && !slices.Contains(temporaryErrors, answer.Err):
		return &bot.PostError{Permanent: true, Err: fmt.Errorf("refused by Slack: %w", err)}
	}
	return &bot.PostError{RetryAfter: retryAfter(err), Err: err}
}

// A setUpError is a problem that only the operator can fix. A retry is useless.
type setUpError string

func (e setUpError) Error() string { return string(e) }

func needsOperator(err error) bool {
	var e setUpError
	return errors.As(err, &e)
}

// explainToken converts an error of a token to a setUpError that says what to do. It
// returns other errors unchanged.
func explainToken(variable string, err error) error {
	var answer slack.SlackErrorResponse
	switch {
	case isError(err, lostTokenErrors...):
		errors.As(err, &answer)
		return setUpError(fmt.Sprintf("Slack refuses %s (%s): copy it once more from https://api.slack.com/apps, or install the app again", variable, answer.Err))
	case isError(err, "not_allowed_token_type", "missing_scope"):
		return setUpError(variable + " can't be used for this: the app token (xapp-...) needs the scope connections:write; the bot token (xoxb-...) is the Bot User OAuth Token")
	case isError(err, "forbidden_team", "socket_mode_disabled", socketOff, "not_allowed"):
		return setUpError("Socket Mode is off for this app: switch it on under Socket Mode in the app's settings, or paste the manifest of \"rackmate commands slack\" again")
	}
	return err
}

// missingScopes compares a token's scopes with those we need.
func missingScopes(h http.Header) error {
	granted := strings.FieldsFunc(h.Get("X-OAuth-Scopes"), func(r rune) bool { return r == ',' || r == ' ' })
	if len(granted) == 0 {
		return nil // Slack didn't include them
	}
	var missing []string
	for _, s := range requiredScopes() {
		if !slices.Contains(granted, s) {
			missing = append(missing, s)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return setUpError("The app lacks the scopes " + strings.Join(missing, ", ") + ": paste the manifest of \"rackmate commands slack\" under App Manifest, then install the app again")
}

// withoutURL removes the address from an error, because the addresses of answers, uploads
// and connections are secrets.
func withoutURL(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		return fmt.Errorf("%s: %w", strings.ToLower(at.Op), at.Err)
	}
	return err
}

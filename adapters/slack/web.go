package slack

import (
	"context"
	"net/http"
	"time"

	"github.com/slack-go/slack"
)

// webAPI makes the calls of Slack's Web API, and keeps to its limits.
type webAPI struct {
	*common
	tokens *tokens
	limits *limits
}

func newWebAPI(c *common, t *tokens) *webAPI {
	return &webAPI{common: c, tokens: t, limits: &limits{now: c.Now, heldBack: c.heldBack, held: map[string]time.Time{}}}
}

// call does something by Slack's Web API for a home. Where Slack says that the
// token has expired, it is renewed and the call made again. The error is
// errNoHome where the app is not installed.
func (w *webAPI) call(ctx context.Context, h home, do func(*slack.Client) error) error {
	token, err := w.tokens.token(ctx, h)
	if err != nil {
		return err
	}
	if err = do(w.newClient(token)); w.tokens.fixed(h) || !isError(err, "token_expired") {
		return err
	}
	if token, err = w.tokens.renew(ctx, h, token); err != nil {
		return err
	}
	return do(w.newClient(token))
}

// newClient speaks Slack's Web API with a token.
func (w *webAPI) newClient(token string) *slack.Client {
	return slack.New(token, slack.OptionAPIURL(w.API+"/api/"), slack.OptionHTTPClient(w.limited(token)), slack.OptionAppLevelToken(w.AppToken))
}

// limited makes requests with a token, and keeps to Slack's limits.
func (w *webAPI) limited(token string) client {
	return client{&http.Client{Transport: w.limits.of(token), Timeout: requestTime}}
}

// requestTime is how long a request of ours may take.
const requestTime = time.Minute

// A client makes our requests. Its errors don't have the address, so that none
// gets into a log: those of answers and uploads are secrets.
type client struct{ http *http.Client }

func (c client) Do(req *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(req)
	return resp, withoutURL(err)
}

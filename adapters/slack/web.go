package slack

import (
	"context"
	"net/http"
	"time"

	"github.com/slack-go/slack"
)

// A webAPI makes calls of Slack's Web API within its limits.
type webAPI struct {
	*common
	tokens *tokens
	limits *limits
}

func newWebAPI(c *common, t *tokens) *webAPI {
	return &webAPI{common: c, tokens: t, limits: &limits{now: c.Now, heldBack: c.observeHeld, held: map[string]time.Time{}}}
}

// call makes a call of Slack's Web API for a home. If Slack says that the token has
// expired, it renews the token and repeats the call. If the app isn't installed, the error
// is errNoHome.
func (w *webAPI) call(ctx context.Context, h home, do func(*slack.Client) error) error {
	token, err := w.tokens.token(ctx, h)
	if err != nil {
		return err
	}
	if err = do(w.newClient(token)); w.tokens.isFixed(h) || !isError(err, "token_expired") {
		return err
	}
	if token, err = w.tokens.renew(ctx, h, token); err != nil {
		return err
	}
	return do(w.newClient(token))
}

// newClient returns a Web API client with a token.
func (w *webAPI) newClient(token string) *slack.Client {
	return slack.New(token, slack.OptionAPIURL(w.API+"/api/"), slack.OptionHTTPClient(w.limitedClient(token)), slack.OptionAppLevelToken(w.AppToken))
}

// limitedClient returns an HTTP client for a token that obeys Slack's limits.
func (w *webAPI) limitedClient(token string) client {
	return client{&http.Client{Transport: w.limits.transport(token), Timeout: requestTime}}
}

// requestTime is the time limit for a request.
const requestTime = time.Minute

// refuseRedirect returns a redirect as the response: a secret address or an answer mustn't
// reach another host.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// A client sends our requests. It removes the addresses from its errors: the addresses of
// answers and uploads are secrets, which mustn't be logged.
type client struct{ http *http.Client }

func (c client) Do(req *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(req)
	return resp, withoutURL(err)
}

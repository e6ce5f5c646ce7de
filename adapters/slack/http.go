package slack

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/slack-go/slack"
)

// Paths that Slack calls, and for installing the app.
const (
	eventsPath        = "/slack/events"
	commandsPath      = "/slack/commands"
	interactivityPath = "/slack/interactivity"
	installPath       = "/slack/install"
	oauthPath         = "/slack/oauth"
)

const maxBody = 1 << 20 // largest body from Slack, in bytes; real ones have some kilobytes

// An endpoint serves HTTP requests by Slack and by browsers.
type endpoint struct {
	*common
	mux      *http.ServeMux
	tokens   *tokens
	pictures *gallery
	refused  *refusals
	in       *inbox
	states   cache // used states of installations; Slack accepts each code once
}

func newEndpoint(c *common, t *tokens, pictures *gallery, refused *refusals, in *inbox) *endpoint {
	e := &endpoint{common: c, tokens: t, pictures: pictures, refused: refused, in: in, states: newCache(c.Now, stateLife)}
	e.mux = e.routes()
	return e
}

func (e *endpoint) routes() *http.ServeMux {
	mux := http.NewServeMux()
	if e.SigningSecret != "" {
		mux.HandleFunc("POST "+eventsPath, e.requireSignature(e.serveEvent))
		mux.HandleFunc("POST "+commandsPath, e.requireSignature(func(w http.ResponseWriter, r *http.Request, body []byte) {
			form, err := url.ParseQuery(string(body))
			if err != nil {
				e.acknowledge(w, nil, errPayload)
				return
			}
			ack, err := e.in.receive(r.Context(), commandGiven, formJSON(form))
			e.acknowledge(w, ack, err)
		}))
		mux.HandleFunc("POST "+interactivityPath, e.requireSignature(func(w http.ResponseWriter, r *http.Request, body []byte) {
			form, err := url.ParseQuery(string(body))
			if err != nil {
				e.acknowledge(w, nil, errPayload)
				return
			}
			ack, err := e.in.receive(r.Context(), interacted, []byte(form.Get("payload")))
			e.acknowledge(w, ack, err)
		}))
	}
	if e.SigningSecret != "" && e.OAuth.URL != "" {
		mux.HandleFunc("GET "+picturePath+"{ticket}", e.pictures.servePicture)
	}
	if e.tokens.canInstall() {
		mux.HandleFunc("GET "+installPath, e.serveInstall)
		mux.HandleFunc("GET "+oauthPath, e.serveOAuth)
	}
	return mux
}

// ServeHTTP serves everything below /slack/.
func (a *Adapter) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.endpoint.mux.ServeHTTP(w, r) }

// requireSignature serves only requests with Slack's signature.
func (e *endpoint) requireSignature(serve func(http.ResponseWriter, *http.Request, []byte)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			http.Error(w, "too long", http.StatusRequestEntityTooLarge)
			return
		}
		if form, err := url.ParseQuery(string(body)); err == nil && r.URL.Path == commandsPath && form.Get("ssl_check") == "1" {
			return // Slack checks our certificate without signing the request
		}
		if err := verify(e.SigningSecret, r.Header, body); err != nil {
			e.Log.Warn("request refused", "path", r.URL.Path, "error", err)
			http.Error(w, "not signed by Slack", http.StatusUnauthorized)
			return
		}
		serve(w, r, body)
	}
}

// verify checks a request's signature over the unmodified body, and that it is at most five
// minutes old, so that no one can record a request and send it again later.
// https://docs.slack.dev/authentication/verifying-requests-from-slack
func verify(secret string, h http.Header, body []byte) error {
	v, err := slack.NewSecretsVerifier(h, secret)
	if err == nil {
		_, _ = v.Write(body) // a hash has no errors
		err = v.Ensure()
	}
	switch {
	case errors.Is(err, slack.ErrExpiredTimestamp):
		return errors.New("it is too old, or this computer's clock is wrong")
	case errors.Is(err, slack.ErrInvalidSignature):
		return errors.New("the signature is wrong: check SLACK_SIGNING_SECRET")
	}
	return err
}

// serveEvent answers Slack's check of the address, and handles events. Repeated ones
// (X-Slack-Retry-Num) are handled again: see receive.
func (e *endpoint) serveEvent(w http.ResponseWriter, r *http.Request, body []byte) {
	var asked struct {
		Type      string `json:"type"`
		Challenge string `json:"challenge"`
	}
	if json.Unmarshal(body, &asked) == nil && asked.Type == "url_verification" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, asked.Challenge)
		return
	}
	ack, err := e.in.receive(r.Context(), happened, body)
	e.acknowledge(w, ack, err)
}

func (e *endpoint) acknowledge(w http.ResponseWriter, ack any, err error) {
	switch {
	case err != nil:
		e.Log.Warn("payload not understood", "error", err)
		http.Error(w, "not understood", http.StatusBadRequest)
	case ack == nil:
		w.WriteHeader(http.StatusOK)
	default:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(ack)
	}
}

package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"
)

// runSocket is connected to Slack by Socket Mode until ctx is done. slack-go
// connects again when Slack asks for it, or the connection breaks; when it
// gives up we do.
func (a *Adapter) runSocket(ctx context.Context) error {
	return a.persist(ctx, "Socket Mode can't be reached", func() error {
		err := a.socket(ctx)
		if errors.Is(err, slack.ErrInvalidConfiguration) {
			return setUpError("SLACK_APP_TOKEN is missing: make one under Basic Information, App-Level Tokens, with the scope connections:write")
		}
		return setUp("SLACK_APP_TOKEN", err)
	})
}

// socket is one run of slack-go's client.
func (a *Adapter) socket(ctx context.Context) error {
	client := socketmode.New(a.newClient(a.BotToken), socketmode.OptionLog(log.New(io.Discard, "", 0)))
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- client.RunContext(ctx) }()
	var refused error
	for {
		select {
		case err := <-done:
			cancel()
			if refused != nil {
				return refused
			}
			if err == nil {
				err = errors.New("the connection ended")
			}
			return err
		case e := <-client.Events:
			switch e.Type {
			case socketmode.EventTypeInvalidAuth:
				refused = slack.SlackErrorResponse{Err: "invalid_auth"}
				cancel()
			case socketmode.EventTypeConnectionError:
				if err := connectionError(e); err != nil {
					a.Log.Warn("Socket Mode can't connect", "error", withoutURL(err))
					if refused = setUp("SLACK_APP_TOKEN", err); hopeless(refused) {
						cancel()
					} else {
						refused = nil
					}
				}
			case socketmode.EventTypeConnected:
				a.Log.Info("connected by Socket Mode")
			case socketmode.EventTypeErrorBadMessage:
				e.Request = unread(e)
			case socketmode.EventTypeErrorWriteFailed:
				a.Log.Warn("an acknowledgment was lost")
			}
			if e.Request != nil && e.Request.EnvelopeID != "" {
				a.handled.Go(func() { a.envelope(ctx, client, e.Request) })
			}
		}
	}
}

// unread is the envelope of a payload that slack-go can't read. We read what we
// need of it ourselves.
func unread(e socketmode.Event) *socketmode.Request {
	bad, ok := e.Data.(*socketmode.ErrorBadMessage)
	if !ok {
		return nil
	}
	var req socketmode.Request
	if err := json.Unmarshal(bad.Message, &req); err != nil {
		return nil
	}
	return &req
}

func connectionError(e socketmode.Event) error {
	switch d := e.Data.(type) {
	case *slack.ConnectionErrorEvent:
		return d.ErrorObj
	case error:
		return d
	}
	return nil
}

// envelope carries out what came in an envelope, and acknowledges it.
func (a *Adapter) envelope(ctx context.Context, client *socketmode.Client, req *socketmode.Request) {
	ack, err := a.receive(ctx, kind(req.Type), req.Payload)
	if err != nil {
		a.Log.Warn("payload not understood", "type", req.Type, "error", err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if err := client.AckCtx(ctx, req.EnvelopeID, ack); err != nil {
		a.Log.Warn("can't acknowledge", "error", fmt.Sprint(withoutURL(err)))
	}
}

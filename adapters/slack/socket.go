package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
)

// This file implements Socket Mode: connections over which Slack sends the payloads that it
// would otherwise post to us. https://docs.slack.dev/apis/events-api/using-socket-mode
//
// Every few hours Slack announces the end of a connection. We open the next one first, and read
// the old one until Slack closes it, so that nothing is lost in between. slack-go's own client
// closes the old one first. TestSlackGoRunsAgainstStandIn fails once the library has changed
// that; then use its client. We already use its request for a connection and its types of
// envelopes.

const (
	// openTime is the time limit for connecting, until Slack's greeting.
	openTime = 20 * time.Second
	// silence limits how long a connection may be silent, without even answering pings.
	silence   = 45 * time.Second
	pingEvery = 15 * time.Second
	// lingerTime limits how long we read a connection after Slack has announced its end.
	lingerTime = 30 * time.Second
	// steadyAfter is the life of a connection after which the next one is made without a
	// wait.
	steadyAfter = 10 * time.Second
	// maxEnvelope is the largest envelope, in bytes; real ones are much smaller. maxAck is
	// the largest acknowledgment: Slack drops larger ones silently.
	maxEnvelope = 4 << 20
	maxAck      = 20_000
)

// A socket keeps the app connected by Socket Mode.
type socket struct {
	*common
	web    *webAPI
	tokens *tokens
	in     *inbox
	served atomic.Bool  // Slack has accepted our tokens before
	lines  atomic.Int32 // number of connections
}

// Names of connections.
const (
	signingIn  = "sign-in"
	socketName = "socket"
)

// signIn queries the bot token's home, and retries until there is an answer.
func (s *socket) signIn(ctx context.Context) error {
	s.connection(signingIn, bot.Connecting)
	return s.persist(ctx, "Slack can't be reached", func() (err error) {
		defer func() {
			if err != nil {
				s.connection(signingIn, bot.Retrying)
			} else {
				s.connection(signingIn, bot.Closed)
			}
		}()
		t, err := s.web.newClient(s.BotToken).AuthTestContext(ctx)
		if err != nil {
			return explainToken("SLACK_BOT_TOKEN", err)
		}
		if err := missingScopes(t.Header); err != nil {
			return err
		}
		h := homeOf(t.EnterpriseID, t.TeamID, t.TeamID == "" || t.TeamID == t.EnterpriseID)
		s.tokens.setOwnHome(h)
		s.Log.Info("signed in to Slack", "home", h, "bot", t.UserID)
		return nil
	})
}

// longestWait is the longest wait between two tries to connect.
const longestWait = 5 * time.Minute

// persist calls f until it succeeds or ctx is done. Before each retry it informs the
// operator and waits, longer each time. If only the operator can fix an error, persist
// returns it at the start, when they see it. Later it retries, because no one is at the
// terminal then, and the other platforms continue.
func (s *socket) persist(ctx context.Context, what string, f func() error) error {
	for wait := time.Second; ; wait = min(2*wait, longestWait) {
		err := f()
		if err == nil || ctx.Err() != nil || needsOperator(err) && !s.served.Load() {
			return err
		}
		pause := max(wait, retryAfter(err))
		s.pulse.Miss(err.Error())
		if needsOperator(err) {
			s.Log.Error("Slack refuses to connect; retrying, but only the operator can fix it", "error", err, "wait", pause)
		} else {
			s.Log.Warn(what+"; trying again. Check the network and https://slack-status.com", "error", err, "wait", pause)
		}
		if s.sleep(ctx, pause) != nil {
			return ctx.Err()
		}
	}
}

// run keeps a Socket Mode connection until ctx is done. Each process has one of its own:
// Slack allows ten per app, and sends each payload over any of them. It only returns an
// error that the operator must fix, before the first connection.
func (s *socket) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	s.connection(socketName, bot.Connecting)
	defer s.connection(socketName, bot.Closed)
	for wait := time.Second; ctx.Err() == nil; {
		var l *line
		err := s.persist(ctx, "Socket Mode can't be reached", func() (err error) {
			if l, err = s.dial(ctx); err != nil && s.lines.Load() == 0 {
				s.connection(socketName, bot.Retrying)
			}
			return explainToken("SLACK_APP_TOKEN", err)
		})
		if err != nil {
			return err
		}
		s.served.Store(true)
		s.lines.Add(1)
		s.pulse.Beat()
		s.connection(socketName, bot.Connected)
		s.Log.Info("connected by Socket Mode")
		began := s.Now()
		all.Go(func() {
			l.listen(ctx, s.in)
			if s.lines.Add(-1) == 0 {
				s.pulse.Miss("the connection by Socket Mode is gone")
				s.connection(socketName, bot.Retrying)
			}
		})
		select {
		case <-ctx.Done():
			return nil
		case <-l.leaving:
		}
		if wait = min(2*wait, longestWait); s.Now().Sub(began) >= steadyAfter {
			wait = time.Second
		} else if s.sleep(ctx, wait) != nil {
			return nil
		}
	}
	return nil
}

// A line is a Socket Mode connection.
type line struct {
	ws      *websocket.Conn
	leaving chan struct{} // closed when another connection is needed
	left    sync.Once
	mu      sync.Mutex // guards writing
}

// socketOff is Slack's reason for ending a connection after Socket Mode was disabled.
const socketOff = "link_disabled"

// dial opens a connection, and waits for Slack's greeting.
func (s *socket) dial(ctx context.Context) (*line, error) {
	_, address, err := s.web.newClient(s.BotToken).StartSocketModeContext(ctx)
	if errors.Is(err, slack.ErrInvalidConfiguration) {
		return nil, setUpError("SLACK_APP_TOKEN is missing: make one under Basic Information, App-Level Tokens, with the scope connections:write")
	}
	if err != nil {
		return nil, err
	}
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: openTime}
	ws, resp, err := dialer.DialContext(ctx, address, nil)
	if err != nil {
		if resp != nil {
			return nil, fmt.Errorf("open the socket: %s", resp.Status)
		}
		return nil, fmt.Errorf("open the socket: %w", withoutURL(err))
	}
	l := &line{ws: ws, leaving: make(chan struct{})}
	defer context.AfterFunc(ctx, func() { ws.Close() })()
	ws.SetReadLimit(maxEnvelope)
	ws.SetReadDeadline(time.Now().Add(openTime))
	for {
		var e socketmode.Request
		err := ws.ReadJSON(&e)
		switch {
		case err != nil:
			ws.Close()
			return nil, fmt.Errorf("open the socket: %w", err)
		case e.Type == socketmode.RequestTypeHello:
			return l, nil
		case e.Type == socketmode.RequestTypeDisconnect:
			ws.Close()
			return nil, slack.SlackErrorResponse{Err: e.Reason}
		}
	}
}

// leave requests another connection.
func (l *line) leave() { l.left.Do(func() { close(l.leaving) }) }

// listen handles payloads until the connection ends. If we end it, payloads received by
// then are still acknowledged.
func (l *line) listen(ctx context.Context, in *inbox) {
	defer l.leave()
	var working tasks.Tasks
	defer func() {
		working.Wait()
		l.ws.Close()
	}()
	last := time.Time{} // latest end of the connection, once Slack has announced it
	alive := func() {
		until := time.Now().Add(silence)
		if !last.IsZero() && last.Before(until) {
			until = last
		}
		if ctx.Err() != nil {
			until = time.Now()
		}
		l.ws.SetReadDeadline(until)
	}
	alive()
	defer context.AfterFunc(ctx, func() { l.ws.SetReadDeadline(time.Now()) })()
	l.ws.SetPongHandler(func(string) error { alive(); return nil })
	l.ws.SetPingHandler(func(data string) error {
		alive()
		return l.ws.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(time.Second))
	})
	done := make(chan struct{})
	defer close(done)
	go l.sendPings(done)
	for {
		_, b, err := l.ws.ReadMessage()
		if err != nil {
			if last.IsZero() && ctx.Err() == nil {
				in.Log.Warn("the connection by Socket Mode broke; connecting again", "error", err)
			}
			return
		}
		alive()
		var e socketmode.Request
		if err := json.Unmarshal(b, &e); err != nil {
			in.Log.Warn("can't read an envelope", "error", err)
			continue
		}
		switch {
		case e.Type == socketmode.RequestTypeDisconnect && e.Reason == socketOff:
			return // the next try will show the error
		case e.Type == socketmode.RequestTypeDisconnect:
			in.Log.Info("Slack will close a connection soon; opening another", "reason", e.Reason)
			last = time.Now().Add(lingerTime)
			alive()
			l.leave()
		case e.EnvelopeID != "":
			working.Go(func() { l.carryOut(ctx, in, e) })
		}
	}
}

// sendPings sends regular pings.
func (l *line) sendPings(done <-chan struct{}) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			l.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Second))
		}
	}
}

// carryOut handles the payload of an envelope, and acknowledges it.
func (l *line) carryOut(ctx context.Context, in *inbox, e socketmode.Request) {
	payload, err := in.receive(context.WithoutCancel(ctx), kind(e.Type), e.Payload)
	if err != nil {
		in.Log.Warn("payload not understood", "type", e.Type, "error", err)
	}
	if err := l.acknowledge(e.EnvelopeID, payload); err != nil {
		in.Log.Warn("can't acknowledge", "error", err)
	}
}

func (l *line) acknowledge(id string, payload any) error {
	b, err := json.Marshal(socketmode.Response{EnvelopeID: id, Payload: payload})
	if err != nil {
		return err
	}
	if len(b) >= maxAck {
		return fmt.Errorf("an answer of %d bytes is longer than Slack takes", len(b))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ws.SetWriteDeadline(time.Now().Add(3 * time.Second))
	return l.ws.WriteMessage(websocket.TextMessage, b)
}

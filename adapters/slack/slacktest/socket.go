package slacktest

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// A socket is a Socket Mode connection of the app.
type socket struct {
	conn  *websocket.Conn
	write sync.Mutex
	acks  map[string]chan json.RawMessage // by envelope id
	mu    sync.Mutex
	ends  bool // as soon as another connects
}

func (s webMethods) connectionsOpen(params) (map[string]any, string) {
	return map[string]any{"url": "ws" + strings.TrimPrefix(s.URL, "http") + "/socket"}, ""
}

func (s wire) serveSocket(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	k := &socket{conn: conn, acks: map[string]chan json.RawMessage{}}
	k.send(map[string]any{"type": "hello", "num_connections": 1, "connection_info": map[string]any{"app_id": App}, "debug_info": map[string]any{}})
	s.mu.Lock()
	for _, old := range s.sockets {
		if old.ends {
			old.conn.Close()
		}
	}
	s.sockets = append(s.sockets, k)
	s.connected++
	s.next()
	s.mu.Unlock()
	defer s.drop(k)
	for {
		var ack struct {
			Envelope string          `json:"envelope_id"`
			Payload  json.RawMessage `json:"payload"`
		}
		if err := conn.ReadJSON(&ack); err != nil {
			return
		}
		k.mu.Lock()
		if ch := k.acks[ack.Envelope]; ch != nil {
			ch <- ack.Payload
			delete(k.acks, ack.Envelope)
		}
		k.mu.Unlock()
	}
}

func (k *socket) send(v any) error {
	k.write.Lock()
	defer k.write.Unlock()
	return k.conn.WriteJSON(v)
}

func (s wire) drop(k *socket) {
	k.conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, other := range s.sockets {
		if other == k {
			s.sockets = append(s.sockets[:i], s.sockets[i+1:]...)
		}
	}
	if len(s.sockets) == 0 {
		s.gaps++
	}
	s.next()
}

// Connected returns the number of the app's connections.
func (s wire) Connected() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sockets)
}

// Connections returns how many connections the app has made so far.
func (s wire) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connected
}

// Gaps returns how often the app lost its last connection.
func (s wire) Gaps() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gaps
}

// Refresh asks the app to reconnect, as Slack does every few hours, and ends the existing
// connections once the app has reconnected.
func (s wire) Refresh() {
	for _, k := range s.connections() {
		s.mu.Lock()
		k.ends = true
		s.mu.Unlock()
		_ = k.send(map[string]any{"type": "disconnect", "reason": "refresh_requested", "debug_info": map[string]any{}})
	}
}

// Warn announces the end of a connection, as Slack does some seconds before, without ending
// it.
func (s wire) Warn() {
	for _, k := range s.connections() {
		_ = k.send(map[string]any{"type": "disconnect", "reason": "warning", "debug_info": map[string]any{}})
	}
}

// SwitchOff tells the app that Socket Mode was switched off.
func (s wire) SwitchOff() {
	for _, k := range s.connections() {
		_ = k.send(map[string]any{"type": "disconnect", "reason": "link_disabled", "debug_info": map[string]any{}})
	}
}

// Disconnect breaks the connections without notice.
func (s wire) Disconnect() {
	for _, k := range s.connections() {
		k.conn.Close()
	}
}

func (s wire) connections() []*socket {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*socket(nil), s.sockets...)
}

// CallHTTP sends requests to the app at an address instead of a socket; "" means that the
// app goes down, so that pictures can't be fetched.
func (s wire) CallHTTP(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.target, s.down = address, address == ""
}

var errNoApp = errors.New("the app is not connected")

// Send sends the app a payload, and returns its acknowledgment. kind is the type of the
// envelope: slash_commands, interactive or events_api.
func (s wire) Send(kind string, payload any) (ack json.RawMessage, err error) {
	s.mu.Lock()
	target, began := s.target, time.Now()
	s.mu.Unlock()
	if target != "" {
		ack, err = s.sendHTTP(target, kind, payload)
	} else {
		ack, err = s.sendSocket(kind, payload)
	}
	if took := time.Since(began); err == nil && took > s.AckTime {
		s.mu.Lock()
		s.complain("%s was acknowledged after %s", kind, took)
		s.mu.Unlock()
	}
	return ack, err
}

// event sends the app an event.
func (s wire) event(event map[string]any) error {
	s.mu.Lock()
	id := fmt.Sprintf("Ev%d", s.next())
	s.mu.Unlock()
	_, err := s.Send("events_api", map[string]any{
		"token": "legacy", "team_id": Team, "api_app_id": App, "type": "event_callback", "event_id": id, "event_time": 1,
		"authorizations": []any{map[string]any{"enterprise_id": nil, "team_id": Team, "user_id": BotUser, "is_bot": true, "is_enterprise_install": false}},
		"event":          event,
	})
	return err
}

// Arrive notifies the app that a message with metadata has arrived. The stand-in also
// does that without a call, if the app may read the message.
func (s wire) Arrive(app string, m Message) error {
	return s.event(map[string]any{
		"type": "message_metadata_posted", "app_id": app, "bot_id": "B0BOT", "user_id": BotUser, "team_id": Team,
		"channel_id": m.Channel, "metadata": m.Metadata, "message_ts": m.TS, "event_ts": m.TS,
	})
}

func (s wire) sendSocket(kind string, payload any) (json.RawMessage, error) {
	all := s.connections()
	if len(all) == 0 {
		return nil, errNoApp
	}
	k := all[len(all)-1]
	s.mu.Lock()
	id := fmt.Sprintf("envelope-%d", s.next())
	s.mu.Unlock()
	ch := make(chan json.RawMessage, 1)
	k.mu.Lock()
	k.acks[id] = ch
	k.mu.Unlock()
	if err := k.send(map[string]any{"type": kind, "envelope_id": id, "accepts_response_payload": kind != "events_api", "payload": payload}); err != nil {
		return nil, err
	}
	select {
	case ack := <-ch:
		return ack, nil
	case <-time.After(s.AckTime + time.Second):
		s.mu.Lock()
		s.complain("%s was not acknowledged", kind)
		s.mu.Unlock()
		return nil, errNoApp
	}
}

func (s wire) sendHTTP(target, kind string, payload any) (json.RawMessage, error) {
	path, contentType, body := "/slack/events", "application/json", []byte(marshal(payload))
	if kind != "events_api" {
		contentType = "application/x-www-form-urlencoded"
		form := url.Values{}
		path = "/slack/interactivity"
		form.Set("payload", string(body))
		if kind == "slash_commands" {
			path, form = "/slack/commands", url.Values{}
			for k, v := range payload.(map[string]any) {
				form.Set(k, fmt.Sprint(v))
			}
		}
		body = []byte(form.Encode())
	}
	resp, err := s.Signed(target+path, contentType, body, time.Now(), Secret)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, out)
	}
	return out, err
}

// Signed sends the app a request with Slack's signature.
func (s wire) Signed(address, contentType string, body []byte, at time.Time, secret string) (*http.Response, error) {
	req, err := http.NewRequest("POST", address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	stamp := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "v0:%s:%s", stamp, body)
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("X-Slack-Request-Timestamp", stamp)
	req.Header.Set("X-Slack-Signature", "v0="+hex.EncodeToString(mac.Sum(nil)))
	return http.DefaultClient.Do(req)
}

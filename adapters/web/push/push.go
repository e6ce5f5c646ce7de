// Package push sends notifications to browsers whose page isn't open, by RFC 8030, through
// each browser's own push service. The content is encrypted for the browser.
package push

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/SherClockHolmes/webpush-go"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// Shelf is the prefix of the shelf with a person's subscribed browsers.
const Shelf = "push/"

// A storedPush is a subscribed browser, by a hash of its endpoint.
type storedPush struct {
	V        int       `json:"v"` // 1
	Endpoint string    `json:"endpoint"`
	P256dh   string    `json:"p256dh"`
	Auth     string    `json:"auth"`
	At       time.Time `json:"at"`
}

// pushKeys are the room's keys, generated on the first start.
type pushKeys struct {
	Private string `json:"private"`
	Public  string `json:"public"`
}

const (
	mostBrowsers = 8 // per person
	delay        = 5 * time.Second
	lifetime     = 12 * time.Hour
	timeout      = 10 * time.Second // per request
	maxBody      = 240              // in characters
)

// services are the push services of the known browsers. The host calls no other addresses,
// unless the operator adds them.
var services = []string{"fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com"}

var (
	// ErrOff means that the host sends no notifications.
	ErrOff = errors.New("push is off")
	// ErrService means that a subscription names an unknown service.
	ErrService = errors.New("unknown push service")
)

// Config holds the settings and dependencies of a Notifier.
type Config struct {
	Off    bool // whether notifications are off
	Notes  bot.Notes
	Now    func() time.Time
	Log    *slog.Logger
	Client *http.Client // reaches the services; nil means http.DefaultClient
	Hosts  []string     // allowed services besides the browsers' own
	URL    string       // the room's address
	// HasRead reports whether a person has read a message.
	HasRead func(ctx context.Context, person string, m Message) (bool, error)
}

// A Notifier sends notifications to people's browsers.
type Notifier struct {
	Config
	sending tasks.Tasks
	closing chan struct{} // closed when the room closes
	close   func()
}

// New returns a Notifier.
func New(c Config) *Notifier {
	closing := make(chan struct{})
	return &Notifier{Config: c, closing: closing, close: sync.OnceFunc(func() { close(closing) })}
}

// Close cancels waiting notifications. Call Wait to wait for notifications being sent.
func (n *Notifier) Close() { n.close() }

// Wait returns once no notification is being sent.
func (n *Notifier) Wait() { n.sending.Wait() }

func (n *Notifier) keys(ctx context.Context) (keys pushKeys, err error) {
	private, public, err := webpush.GenerateVAPIDKeys()
	if err != nil {
		return keys, err
	}
	err = n.Notes.Change(ctx, func(rows bot.Rows) error {
		b, err := rows.Get("secret", "push")
		if err != nil {
			return err
		}
		if b != nil {
			return json.Unmarshal(b, &keys)
		}
		keys = pushKeys{private, public}
		return notes.Put(rows, "secret", "push", keys)
	})
	return keys, err
}

// Key returns the public key by which a browser identifies the room.
func (n *Notifier) Key(ctx context.Context) (string, error) {
	if n.Off {
		return "", ErrOff
	}
	keys, err := n.keys(ctx)
	return keys.Public, err
}

// A Subscription is the endpoint and the keys that a browser provides.
type Subscription struct {
	Endpoint string `json:"endpoint"`
	Keys     struct {
		P256dh string `json:"p256dh"`
		Auth   string `json:"auth"`
	} `json:"keys"`
}

// isValid reports whether the subscription is well formed and names an allowed service.
func (s Subscription) isValid(hosts []string) bool {
	u, err := url.Parse(s.Endpoint)
	if err != nil || u.Scheme != "https" || u.User != nil || len(s.Endpoint) > 1000 {
		return false
	}
	known := slices.Contains(hosts, u.Host)
	for _, name := range services {
		label, found := strings.CutSuffix(u.Host, name)
		if strings.HasPrefix(name, ".") {
			known = known || found && label != "" && !strings.Contains("."+label+".", "..")
		} else {
			known = known || found && label == ""
		}
	}
	raw := func(text string) []byte {
		b, _ := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "=")) // on error, the length won't match
		return b
	}
	return known && len(raw(s.Keys.P256dh)) == 65 && len(raw(s.Keys.Auth)) == 16
}

func rowKey(endpoint string) string {
	sum := sha256.Sum256([]byte(endpoint))
	return hex.EncodeToString(sum[:16])
}

// Subscribe turns notifications on for a person's browser. If they have too many, one is
// dropped.
func (n *Notifier) Subscribe(ctx context.Context, person string, s Subscription) error {
	if !s.isValid(n.Hosts) {
		return ErrService
	}
	to := storedPush{1, s.Endpoint, s.Keys.P256dh, s.Keys.Auth, n.Now().UTC()}
	return n.Notes.Change(ctx, func(rows bot.Rows) error {
		all, err := rows.Scan(Shelf+person, "", "", mostBrowsers+1)
		if err != nil {
			return err
		}
		if len(all) >= mostBrowsers {
			if err := rows.Put(Shelf+person, all[0].Key, nil); err != nil {
				return err
			}
		}
		return notes.Put(rows, Shelf+person, rowKey(s.Endpoint), to)
	})
}

// Unsubscribe turns notifications off for a person's browser.
func (n *Notifier) Unsubscribe(ctx context.Context, person string, s Subscription) error {
	return n.Notes.Put(ctx, Shelf+person, rowKey(s.Endpoint), nil)
}

// A Message is the content of a notification.
type Message struct {
	Stream string // the stream it is in
	Number uint64 // its number in the stream
	Opens  string // the stream that a press opens
	Text   string
}

// Notify notifies people of a message, unless they read it within a few seconds.
func (n *Notifier) Notify(people []string, m Message) {
	if n.Off || len(people) == 0 {
		return
	}
	m.Text = text.Shorten(m.Text, maxBody)
	n.sending.Go(func() {
		after := time.NewTimer(delay)
		defer after.Stop()
		select {
		case <-after.C:
		case <-n.closing:
			return
		}
		for _, id := range people {
			if err := n.notify(context.Background(), id, m); err != nil {
				n.Log.Warn("can't notify a person", "person", id, "err", err)
			}
		}
	})
}

// notify notifies a person on all their browsers, unless they have read the message.
func (n *Notifier) notify(ctx context.Context, id string, m Message) error {
	rows, err := n.Notes.Scan(ctx, Shelf+id, "", "", mostBrowsers)
	if err != nil || len(rows) == 0 {
		return err
	}
	if read, err := n.HasRead(ctx, id, m); err != nil || read {
		return err
	}
	keys, err := n.keys(ctx)
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]string{"title": "Rackmate", "body": m.Text, "url": "/#" + m.Opens, "tag": m.Opens})
	if err != nil {
		return err
	}
	for _, row := range rows {
		var to storedPush
		if err = json.Unmarshal(row.Value, &to); err == nil {
			err = errors.Join(err, n.send(ctx, id, row.Key, to, keys, body))
		}
	}
	return err
}

// send sends a notification to one browser. It deletes a subscription that the service no
// longer knows.
func (n *Notifier) send(ctx context.Context, id, key string, to storedPush, keys pushKeys, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	client := n.Client
	if client == nil {
		client = http.DefaultClient
	}
	mine := n.URL
	if !strings.HasPrefix(mine, "https:") {
		mine = "rackmate@localhost"
	}
	answer, err := webpush.SendNotificationWithContext(ctx, body, &webpush.Subscription{
		Endpoint: to.Endpoint, Keys: webpush.Keys{P256dh: to.P256dh, Auth: to.Auth},
	}, &webpush.Options{
		HTTPClient: client, Subscriber: mine, TTL: int(lifetime.Seconds()), Urgency: webpush.UrgencyNormal,
		VAPIDPublicKey: keys.Public, VAPIDPrivateKey: keys.Private, VapidExpiration: n.Now().Add(lifetime),
	})
	if err != nil {
		// The error contains the endpoint, which is the browser's secret.
		return errors.New("the push service can't be reached")
	}
	answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusNotFound, http.StatusGone:
		return n.Notes.Put(ctx, Shelf+id, key, nil)
	}
	return nil
}

// Package push notifies people whose page isn't open: by RFC 8030, through the service
// that their browser named. What is said is encrypted for the browser, and says nothing
// that isn't said to everybody in the channel.
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

// Shelf begins the name of the shelf of the browsers on which a person is notified.
const Shelf = "push/"

// A storedPush is such a browser, by a hash of its address.
type storedPush struct {
	V        int       `json:"v"` // 1
	Endpoint string    `json:"endpoint"`
	P256dh   string    `json:"p256dh"`
	Auth     string    `json:"auth"`
	At       time.Time `json:"at"`
}

// pushKeys are the room's, made on the first start.
type pushKeys struct {
	Private string `json:"private"`
	Public  string `json:"public"`
}

const (
	mostBrowsers = 8 // of one person
	delay        = 5 * time.Second
	lifetime     = 12 * time.Hour
	timeout      = 10 * time.Second // of a service
	maxBody      = 240              // characters
)

// services are those of the browsers there are: nobody can have the host call another
// address, except those that the operator names.
var services = []string{"fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com"}

var (
	// ErrOff says that the host sends no notifications.
	ErrOff = errors.New("push is off")
	// ErrService says that a subscription names a service that isn't known.
	ErrService = errors.New("unknown push service")
)

// Config is what a Notifier needs.
type Config struct {
	Off    bool // the host sends no notifications
	Notes  bot.Notes
	Now    func() time.Time
	Log    *slog.Logger
	Client *http.Client // reaches the services; nil is an ordinary one
	Hosts  []string     // services beside those of the browsers there are
	URL    string       // of the room
	// HasRead reports whether a person has read a message.
	HasRead func(ctx context.Context, person string, m Message) (bool, error)
}

// A Notifier notifies people on their browsers.
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

// Close drops the notifications that still wait. Wait returns once none is being sent.
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

// Key returns the public key by which a browser knows the room.
func (n *Notifier) Key(ctx context.Context) (string, error) {
	if n.Off {
		return "", ErrOff
	}
	keys, err := n.keys(ctx)
	return keys.Public, err
}

// A Subscription is what a browser says of where it is notified.
type Subscription struct {
	Endpoint string `json:"endpoint"`
	Keys     struct {
		P256dh string `json:"p256dh"`
		Auth   string `json:"auth"`
	} `json:"keys"`
}

// isValid reports whether it can be one, of a service that is known.
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
		b, _ := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "=")) // nil has no length that fits
		return b
	}
	return known && len(raw(s.Keys.P256dh)) == 65 && len(raw(s.Keys.Auth)) == 16
}

func rowKey(endpoint string) string {
	sum := sha256.Sum256([]byte(endpoint))
	return hex.EncodeToString(sum[:16])
}

// Subscribe notifies a person on a browser from now on.
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

// Unsubscribe ends that.
func (n *Notifier) Unsubscribe(ctx context.Context, person string, s Subscription) error {
	return n.Notes.Put(ctx, Shelf+person, rowKey(s.Endpoint), nil)
}

// A Message is what people are notified of.
type Message struct {
	Stream string // that has it
	Number uint64 // in the stream
	Opens  string // the stream that a press leads to
	Text   string
}

// Notify notifies people of a message, unless they read it within a moment.
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

// notify notifies a person on their browsers, unless they have read the message.
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

// send sends to one browser. One that its service doesn't know any more is forgotten.
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
		// The address in it is the browser's own, and no one else's to know.
		return errors.New("the push service can't be reached")
	}
	answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusNotFound, http.StatusGone:
		return n.Notes.Put(ctx, Shelf+id, key, nil)
	}
	return nil
}

package web

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
	"time"

	"github.com/SherClockHolmes/webpush-go"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// Push calls people back whose page isn't open: by RFC 8030, through the service
// that their browser named. What is said is encrypted for the browser, and says
// nothing that isn't said to everybody in the channel.

// pushShelf begins the shelf of a person's browsers that they are called on.
const pushShelf = "push/"

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
	maxPushes = 8 // browsers of one person
	pushAfter = 5 * time.Second
	pushTTL   = 12 * time.Hour
	pushTime  = 10 * time.Second // that a service may take
	pushBody  = 240              // characters
)

// pushServices are those of the browsers there are: nobody can have the host call
// another address but those that the operator names.
var pushServices = []string{"fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com"}

// push calls people back.
type push struct {
	off     bool // no browser is called
	notes   bot.Notes
	now     func() time.Time
	log     *slog.Logger
	client  *http.Client // nil is an ordinary one
	hosts   []string     // of services beside the usual ones
	url     string       // of the room
	streams *streams
	pushing tasks.Tasks
	closing chan struct{} // closed when the room closes
}

func (pu *push) pushKeys(ctx context.Context) (keys pushKeys, err error) {
	private, public, err := webpush.GenerateVAPIDKeys()
	if err != nil {
		return keys, err
	}
	err = pu.notes.Change(ctx, func(rows bot.Rows) error {
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

// pushKey tells the page the key by which the browser knows the room.
func (pu *push) pushKey(ctx context.Context, _ person, _ struct{}) (any, error) {
	if pu.off {
		return nil, refuse("This host sends no notifications to browsers.")
	}
	keys, err := pu.pushKeys(ctx)
	return map[string]string{"key": keys.Public}, err
}

// A subscription is what a browser says of where it is called.
type subscription struct {
	Endpoint string `json:"endpoint"`
	Keys     struct {
		P256dh string `json:"p256dh"`
		Auth   string `json:"auth"`
	} `json:"keys"`
}

// valid reports whether it can be one, of a service that is known: one of hosts is, too.
func (s subscription) valid(hosts []string) bool {
	u, err := url.Parse(s.Endpoint)
	if err != nil || u.Scheme != "https" || u.User != nil || len(s.Endpoint) > 1000 {
		return false
	}
	known := slices.Contains(hosts, u.Host)
	for _, name := range pushServices {
		known = known || u.Host == name || strings.HasPrefix(name, ".") && strings.HasSuffix(u.Host, name)
	}
	raw := func(text string) []byte {
		b, _ := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "=")) // nil has no length that fits
		return b
	}
	return known && len(raw(s.Keys.P256dh)) == 65 && len(raw(s.Keys.Auth)) == 16
}

func pushRow(endpoint string) string {
	sum := sha256.Sum256([]byte(endpoint))
	return hex.EncodeToString(sum[:16])
}

// subscribe has a person called on a browser.
func (pu *push) subscribe(ctx context.Context, who person, in subscription) (any, error) {
	if !in.valid(pu.hosts) {
		return nil, refuse("This browser's notifications use a service that the room doesn't know.")
	}
	to := storedPush{1, in.Endpoint, in.Keys.P256dh, in.Keys.Auth, pu.now().UTC()}
	return struct{}{}, pu.notes.Change(ctx, func(rows bot.Rows) error {
		all, err := rows.Scan(pushShelf+who.ID, "", "", maxPushes+1)
		if err != nil {
			return err
		}
		if len(all) >= maxPushes {
			if err := rows.Put(pushShelf+who.ID, all[0].Key, nil); err != nil {
				return err
			}
		}
		return notes.Put(rows, pushShelf+who.ID, pushRow(in.Endpoint), to)
	})
}

// unsubscribe ends that.
func (pu *push) unsubscribe(ctx context.Context, who person, in subscription) (any, error) {
	return struct{}{}, pu.notes.Put(ctx, pushShelf+who.ID, pushRow(in.Endpoint), nil)
}

// callBack pushes a post to those whom it calls and who haven't read it after a
// moment. Whom the host calls it has asked: settings and quiet hours are its own.
func (pu *push) callBack(s stream, n uint64, l storedLine, m bot.Message) {
	if pu.off {
		return
	}
	whom := map[string]bool{}
	if m.To != nil && m.Kind != "" { // "" is a rack, and nobody is called to look at one
		whom[strings.TrimPrefix(string(m.To.ID), Platform+":")] = true
	}
	for _, sp := range l.Text {
		if sp.Notify {
			whom[sp.Person] = true
		}
	}
	delete(whom, "")
	if len(whom) == 0 {
		return
	}
	at := s
	if l.About != "" {
		at = l.About
	}
	said := text.Shorten(m.Text.String(), pushBody)
	pu.pushing.Go(func() {
		after := time.NewTimer(pushAfter)
		defer after.Stop()
		select {
		case <-after.C:
		case <-pu.closing:
			return
		}
		for id := range whom {
			if err := pu.push(context.Background(), id, s, n, at, said); err != nil {
				pu.log.Warn("can't call somebody back", "player", Platform+":"+id, "err", err)
			}
		}
	})
}

// push calls a person on their browsers, unless they have read the line.
func (pu *push) push(ctx context.Context, id string, s stream, n uint64, at stream, text string) error {
	rows, err := pu.notes.Scan(ctx, pushShelf+id, "", "", maxPushes)
	if err != nil || len(rows) == 0 {
		return err
	}
	read, err := pu.streams.read(ctx, person{ID: id}, s)
	if err != nil || read >= n {
		return err
	}
	keys, err := pu.pushKeys(ctx)
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]string{"title": "Rackmate", "body": text, "url": "/#" + string(at), "tag": string(at)})
	if err != nil {
		return err
	}
	for _, row := range rows {
		var to storedPush
		if err = json.Unmarshal(row.Value, &to); err == nil {
			err = errors.Join(err, pu.pushTo(ctx, id, row.Key, to, keys, body))
		}
	}
	return err
}

// pushTo sends to one browser. One that its service doesn't know any more is
// forgotten.
func (pu *push) pushTo(ctx context.Context, id, key string, to storedPush, keys pushKeys, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	client := pu.client
	if client == nil {
		client = http.DefaultClient
	}
	mine := pu.url
	if !strings.HasPrefix(mine, "https:") {
		mine = "rackmate@localhost"
	}
	answer, err := webpush.SendNotificationWithContext(ctx, body, &webpush.Subscription{
		Endpoint: to.Endpoint, Keys: webpush.Keys{P256dh: to.P256dh, Auth: to.Auth},
	}, &webpush.Options{
		HTTPClient: client, Subscriber: mine, TTL: int(pushTTL.Seconds()), Urgency: webpush.UrgencyNormal,
		VAPIDPublicKey: keys.Public, VAPIDPrivateKey: keys.Private, VapidExpiration: pu.now().Add(pushTTL),
	})
	if err != nil {
		// The address in it is the browser's own, and no one else's to know.
		return errors.New("the push service can't be reached")
	}
	answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusNotFound, http.StatusGone:
		return pu.notes.Put(ctx, pushShelf+id, key, nil)
	}
	return nil
}

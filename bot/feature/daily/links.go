package daily

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// secretOf names the host's secret that signs keys and passes.
const secretOf = "daily page"

func sign(secret []byte, what ...string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(strings.Join(what, "\x00")))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:12])
}

// page returns the key of a board's page: "329-en".
func (w boardID) page() string { return fmt.Sprintf("%d-%s", w.day, w.list) }

// links makes the addresses of the pages where boards are played.
type links struct {
	desk   feature.Desk
	own    *shelf.Owner
	passes *shelf.Shelf[shelf.Mark, int64]
	url    string // the host's address for browsers, "" if unknown
}

// pageKey returns the key of a board's page, or of a place's day unless place is "".
func (l *links) pageKey(ctx context.Context, place bot.ChannelID, w boardID) (string, error) {
	key := w.page()
	if place == "" {
		return key, nil
	}
	secret, err := l.own.Secret(ctx, secretOf)
	return key + "~" + base64.RawURLEncoding.EncodeToString([]byte(place)) + "~" + sign(secret, "day", key, string(place)), err
}

// keyOf returns the key of the page where a day is played.
func (l *links) keyOf(ctx context.Context, t today) (string, error) {
	if !t.posted {
		return l.pageKey(ctx, "", t.boardID())
	}
	return l.pageKey(ctx, t.place, t.boardID())
}

// A pass signs one person in to a board's page by a link.
type pass struct {
	For   game.PlayerID `json:"p"`
	Name  string        `json:"n"`
	At    bot.ChannelID `json:"c"` // the channel where they asked for it
	Until int64         `json:"u"` // Unix time in seconds
	Nonce string        `json:"o"`
}

// passLife limits how long a pass is valid. It can be used once.
const passLife = 10 * time.Minute

// address returns the address where the requester can play a board, or "" if there is no such page.
// On platforms without accounts of ours it carries a pass, which signs them in.
func (l *links) address(ctx context.Context, req bot.Request, t today) (string, error) {
	key, err := l.keyOf(ctx, t)
	if err != nil {
		return "", err
	}
	if l.desk.Platform(req.Channel).Boards {
		return "/d/" + key, nil
	}
	if l.url == "" {
		return "", nil
	}
	secret, err := l.own.Secret(ctx, secretOf)
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(pass{req.User.ID, req.User.Name, req.Channel, l.desk.Now().Add(passLife).Unix(), sign(secret, "nonce", string(req.User.ID), req.ID)})
	body := base64.RawURLEncoding.EncodeToString(b)
	return l.url + "/d/" + key + "#pass=" + body + "." + sign(secret, "pass", body), err
}

// enter redeems a pass and returns its owner and the channel where they asked for it.
func (l *links) enter(ctx context.Context, said string) (u bot.User, ch bot.ChannelID, err error) {
	secret, err := l.own.Secret(ctx, secretOf)
	if err != nil {
		return u, "", err
	}
	var one pass
	body, mac, _ := strings.Cut(said, ".")
	b, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil || subtle.ConstantTimeCompare([]byte(mac), []byte(sign(secret, "pass", body))) == 0 || json.Unmarshal(b, &one) != nil {
		return u, "", &bot.PageError{Text: text.Say("That link is incomplete. {daily} gives you a new one.", text.Code("/daily"))}
	}
	now := l.desk.Now().Unix()
	if now > one.Until {
		return u, "", &bot.PageError{Text: text.Say("That link is more than ten minutes old. {daily} gives you a new one.", text.Code("/daily"))}
	}
	used := errors.New("used")
	err = l.own.Change(ctx, func(tx shelf.Tx) error {
		passes := l.passes.In(tx)
		if err := passes.Each(func(mark shelf.Mark, until int64) error {
			if until >= now {
				return nil
			}
			return passes.Drop(mark)
		}); err != nil {
			return err
		}
		if _, had, err := passes.Get(shelf.Mark(one.Nonce)); err != nil || had {
			return cmp.Or(err, used)
		}
		return passes.Put(shelf.Mark(one.Nonce), one.Until)
	})
	if errors.Is(err, used) {
		return u, "", &bot.PageError{Text: text.Say("That link has already been used. {daily} gives you a new one.", text.Code("/daily"))}
	}
	return bot.User{ID: one.For, Name: one.Name}, one.At, err
}

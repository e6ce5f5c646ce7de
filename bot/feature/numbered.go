package feature

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
)

// A Numbered stores a feature's numbered items, such as leagues or tournaments, each with a
// number from 1 and a channel where it takes place. Kind is the kind of the timers that
// check an item, and the prefix of the causes of changes to it.
type Numbered[T any] struct {
	Desk  Desk
	Own   *shelf.Owner
	Kind  string
	Rows  *shelf.Shelf[shelf.Mark, T]
	Count *shelf.Shelf[shelf.Mark, int] // number of items so far
	// Is returns an item's number and channel. The number is 0 for a missing row.
	Is func(T) (no int, in bot.ChannelID)
}

func numberKey(no int) shelf.Mark { return shelf.Mark(fmt.Sprintf("%08d", no)) }

// Get returns the item with a number.
func (n Numbered[T]) Get(ctx context.Context, no int) (v T, found bool, err error) {
	return n.Rows.Get(ctx, numberKey(no))
}

// In works like Get, within a transaction.
func (n Numbered[T]) In(tx shelf.Tx, no int) (v T, found bool, err error) {
	return n.Rows.In(tx).Get(numberKey(no))
}

// Put stores an item within a transaction.
func (n Numbered[T]) Put(tx shelf.Tx, v T) error {
	no, _ := n.Is(v)
	return n.Rows.In(tx).Put(numberKey(no), v)
}

// Next returns the number for a new item.
func (n Numbered[T]) Next(tx shelf.Tx) (int, error) {
	const all = shelf.Mark("all")
	last, _, err := n.Count.In(tx).Get(all)
	if err != nil {
		return 0, err
	}
	return last + 1, n.Count.In(tx).Put(all, last+1)
}

// Change changes the item with a number and returns the result. If the item is gone, it
// does nothing.
func (n Numbered[T]) Change(ctx context.Context, no int, fn func(*T) error) (v T, err error) {
	err = n.Rows.Change(ctx, numberKey(no), func(now *T) (bool, error) {
		if is, _ := n.Is(*now); is == 0 {
			return false, nil
		}
		if err := fn(now); err != nil {
			return true, err
		}
		v = *now
		return true, nil
	})
	return v, err
}

// Note changes an item in the store, and updates v to the result.
func (n Numbered[T]) Note(ctx context.Context, v *T, fn func(*T)) error {
	no, _ := n.Is(*v)
	now, err := n.Change(ctx, no, func(now *T) error { fn(now); return nil })
	if is, _ := n.Is(now); err == nil && is != 0 {
		*v = now
	}
	return err
}

// Each calls fn with every item.
func (n Numbered[T]) Each(ctx context.Context, fn func(T) error) error {
	var all []T
	if err := n.Rows.Each(ctx, func(_ shelf.Mark, v T) error {
		all = append(all, v)
		return nil
	}); err != nil {
		return err
	}
	for _, v := range all {
		if err := fn(v); err != nil {
			return err
		}
	}
	return nil
}

// Look sets a timer that checks an item, once for each cause.
func (n Numbered[T]) Look(ctx context.Context, v T, cause string, at time.Time) error {
	no, in := n.Is(v)
	return n.Desk.Update(ctx, in, n.Kind+":"+cause, func(r *Room) error {
		if r.Receipt() == nil {
			r.Timer(bot.Timer{At: at, Kind: n.Kind, Number: no})
		}
		return nil
	})
}

// Seen reports whether Look has set a timer for a cause.
func (n Numbered[T]) Seen(ctx context.Context, v T, cause string) (seen bool, err error) {
	_, in := n.Is(v)
	err = n.Desk.Update(ctx, in, n.Kind+":"+cause, func(r *Room) error {
		seen = r.Receipt() != nil
		return nil
	})
	return seen, err
}

// pageKeySize is the number of secret bytes in a page's key.
const pageKeySize = 10

// PageKey returns the unguessable key of an item's page.
func (n Numbered[T]) PageKey(ctx context.Context, no int) (string, error) {
	secret, err := n.Own.Secret(ctx, n.Kind+"s")
	if err != nil {
		return "", err
	}
	number := strconv.FormatInt(int64(no), 36)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("wall\x00" + number))
	return number + "-" + strings.ToLower(base32.StdEncoding.EncodeToString(mac.Sum(nil)[:pageKeySize])), nil
}

// OfPage returns the item whose page a key names. The error is [bot.ErrNoTable] if there is
// none.
func (n Numbered[T]) OfPage(ctx context.Context, typed string) (v T, err error) {
	number, _, _ := strings.Cut(typed, "-")
	no, err := strconv.ParseInt(number, 36, 32)
	if err != nil {
		return v, bot.ErrNoTable
	}
	key, err := n.PageKey(ctx, int(no))
	if err != nil {
		return v, err
	}
	if subtle.ConstantTimeCompare([]byte(typed), []byte(key)) == 0 {
		return v, bot.ErrNoTable
	}
	v, found, err := n.Get(ctx, int(no))
	if err == nil && !found {
		err = bot.ErrNoTable
	}
	return v, err
}

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

// A Numbered keeps what a feature has many of, each with a number from 1 and a channel
// where it takes place: leagues, tournaments. Kind names the timers by which each is
// looked at, and begins the causes of what is done to it.
type Numbered[T any] struct {
	Desk  Desk
	Own   *shelf.Owner
	Kind  string
	Rows  *shelf.Shelf[shelf.Mark, T]
	Count *shelf.Shelf[shelf.Mark, int] // how many there have been
	// Is says which one a row is, and where; the number is 0 for a row that isn't there.
	Is func(T) (no int, in bot.ChannelID)
}

func numberKey(no int) shelf.Mark { return shelf.Mark(fmt.Sprintf("%08d", no)) }

// Get is the one with a number.
func (n Numbered[T]) Get(ctx context.Context, no int) (v T, found bool, err error) {
	return n.Rows.Get(ctx, numberKey(no))
}

// In is Get in a change of several rows.
func (n Numbered[T]) In(tx shelf.Tx, no int) (v T, found bool, err error) {
	return n.Rows.In(tx).Get(numberKey(no))
}

// Put keeps one in a change of several rows.
func (n Numbered[T]) Put(tx shelf.Tx, v T) error {
	no, _ := n.Is(v)
	return n.Rows.In(tx).Put(numberKey(no), v)
}

// Next counts one more, and is its number.
func (n Numbered[T]) Next(tx shelf.Tx) (int, error) {
	const all = shelf.Mark("all")
	last, _, err := n.Count.In(tx).Get(all)
	if err != nil {
		return 0, err
	}
	return last + 1, n.Count.In(tx).Put(all, last+1)
}

// Change changes the one with a number, and returns it as it is then. One that is gone
// stays so.
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

// Note marks in one what was seen to, and has v be as it is then.
func (n Numbered[T]) Note(ctx context.Context, v *T, fn func(*T)) error {
	no, _ := n.Is(*v)
	now, err := n.Change(ctx, no, func(now *T) error { fn(now); return nil })
	if is, _ := n.Is(now); err == nil && is != 0 {
		*v = now
	}
	return err
}

// Each calls fn with all of them.
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

// Look has one looked at, by a timer at a time, once for a cause.
func (n Numbered[T]) Look(ctx context.Context, v T, cause string, at time.Time) error {
	no, in := n.Is(v)
	return n.Desk.Update(ctx, in, n.Kind+":"+cause, func(r *Room) error {
		if r.Receipt() == nil {
			r.Timer(bot.Timer{At: at, Kind: n.Kind, Number: no})
		}
		return nil
	})
}

// Seen reports whether one was looked at by a cause before.
func (n Numbered[T]) Seen(ctx context.Context, v T, cause string) (seen bool, err error) {
	_, in := n.Is(v)
	err = n.Desk.Update(ctx, in, n.Kind+":"+cause, func(r *Room) error {
		seen = r.Receipt() != nil
		return nil
	})
	return seen, err
}

// pageKeySize is how many bytes of a page's key nobody can guess.
const pageKeySize = 10

// PageKey names the page of the one with a number, so that nobody guesses it.
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

// OfPage is the one whose page a key names. The error is [bot.ErrNoTable] where there is
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

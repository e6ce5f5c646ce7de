package competition

import (
	"context"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
)

// This file stores the competitions of one kind, each under a number from 1.

func numberKey(no int) shelf.Mark { return shelf.Mark(fmt.Sprintf("%08d", no)) }

// get returns the competition with a number.
func (b *book[T, P]) get(ctx context.Context, no int) (v T, found bool, err error) {
	return b.rows.Get(ctx, numberKey(no))
}

// next returns the number for a new competition.
func (b *book[T, P]) next(tx shelf.Tx) (int, error) {
	const all = shelf.Mark("all")
	last, _, err := b.count.In(tx).Get(all)
	if err != nil {
		return 0, err
	}
	return last + 1, b.count.In(tx).Put(all, last+1)
}

// update changes the competition with a number and returns the result. If it is gone,
// update does nothing.
func (b *book[T, P]) update(ctx context.Context, no int, fn func(*T) error) (v T, err error) {
	err = b.rows.Change(ctx, numberKey(no), func(now *T) (bool, error) {
		if P(now).top().No == 0 {
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

// record changes a competition in the store, and updates v to the result.
func (b *book[T, P]) record(ctx context.Context, v *T, fn func(*T)) error {
	now, err := b.update(ctx, P(v).top().No, func(now *T) error { fn(now); return nil })
	if err == nil && P(&now).top().No != 0 {
		*v = now
	}
	return err
}

// each calls fn with every competition.
func (b *book[T, P]) each(ctx context.Context, fn func(T) error) error {
	var all []T
	if err := b.rows.Each(ctx, func(_ shelf.Mark, v T) error {
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

// look sets a timer that checks a competition, once for each cause.
func (b *book[T, P]) look(ctx context.Context, v T, cause string, at time.Time) error {
	h := P(&v).top()
	return feature.Once(ctx, b.desk, h.Channel, b.kind+":"+cause, func(r *feature.Room) {
		r.Timer(bot.Timer{At: at, Kind: b.kind, Number: h.No})
	})
}

// pageKeySize is the number of secret bytes in a page's key.
const pageKeySize = 10

// pageKey returns the unguessable key of a competition's page.
func (b *book[T, P]) pageKey(ctx context.Context, no int) (string, error) {
	secret, err := b.own.Secret(ctx, b.kind+"s")
	if err != nil {
		return "", err
	}
	number := strconv.FormatInt(int64(no), 36)
	return number + "-" + strings.ToLower(base32.StdEncoding.EncodeToString(sign(secret, "wall", number)[:pageKeySize])), nil
}

// ofPage returns the competition whose page a key names. The error is [bot.ErrNoTable] if there is
// none.
func (b *book[T, P]) ofPage(ctx context.Context, typed string) (v T, err error) {
	number, _, _ := strings.Cut(typed, "-")
	no, err := strconv.ParseInt(number, 36, 32)
	if err != nil {
		return v, bot.ErrNoTable
	}
	key, err := b.pageKey(ctx, int(no))
	if err != nil {
		return v, err
	}
	if subtle.ConstantTimeCompare([]byte(typed), []byte(key)) == 0 {
		return v, bot.ErrNoTable
	}
	v, found, err := b.get(ctx, int(no))
	if err == nil && !found {
		err = bot.ErrNoTable
	}
	return v, err
}

// running returns the page key and the name of the competition that runs in a channel. The key is ""
// if none does.
func (b *book[T, P]) running(ctx context.Context, ch bot.ChannelID) (key, name string, err error) {
	row, found, err := b.where.Get(ctx, shelf.Channel(ch))
	if err != nil || !found || row.isGame() {
		return "", "", err
	}
	v, found, err := b.get(ctx, row.No)
	h := P(&v).top()
	if err != nil || !found || h.Phase == ended || h.Phase == off || h.Phase == over {
		return "", "", err
	}
	key, err = b.pageKey(ctx, row.No)
	return key, h.Name, err
}

// findPage reports that a page exists, or returns [bot.ErrNoTable]. Nothing on it is secret, as
// after a game.
func (b *book[T, P]) findPage(ctx context.Context, key string) (bot.Subject, error) {
	_, err := b.ofPage(ctx, key)
	return bot.Subject{Over: true}, err
}

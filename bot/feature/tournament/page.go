package tournament

import (
	"context"
	"crypto/subtle"
	"encoding/base32"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
)

// This file has the page of a tournament, for everybody who has its address.

// keySize is how many bytes of a key nobody can guess.
const keySize = 10

func keyOf(secret []byte, no int) string {
	n := strconv.FormatInt(int64(no), 36)
	return n + "-" + strings.ToLower(base32.StdEncoding.EncodeToString(sign(secret, "wall", n)[:keySize]))
}

// address is where a tournament's page is, "" where nobody said what the host is called
// from outside.
func (f *registry) address(ctx context.Context, no int) (string, error) {
	if f.URL == "" {
		return "", nil
	}
	secret, err := f.own.Secret(ctx, "tournaments")
	return f.URL + "/e/" + keyOf(secret, no), err
}

// numbered is the tournament whose page a key names.
func (f *registry) numbered(ctx context.Context, typed string) (e event, err error) {
	n, _, _ := strings.Cut(typed, "-")
	no, err := strconv.ParseInt(n, 36, 32)
	if err != nil {
		return e, bot.ErrNoTable
	}
	secret, err := f.own.Secret(ctx, "tournaments")
	if err != nil {
		return e, err
	}
	if subtle.ConstantTimeCompare([]byte(typed), []byte(keyOf(secret, int(no)))) == 0 {
		return e, bot.ErrNoTable
	}
	e, found, err := f.events.Get(ctx, key(int(no)))
	if err == nil && !found {
		err = bot.ErrNoTable
	}
	return e, err
}

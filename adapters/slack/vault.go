package slack

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// installsShelf stores the encrypted installations, by home.
const installsShelf = "installations"

// An installation is the app in one home, with its token.
type installation struct {
	V       int       `json:"v"`
	Home    home      `json:"home"`
	Since   time.Time `json:"since,omitzero"` // when it was installed
	Token   string    `json:"token"`
	Refresh string    `json:"refresh,omitempty"` // if tokens are renewed
	Expires time.Time `json:"expires,omitzero"`

	was []byte // as it was read, including fields written by a newer program
}

var errNoHome = errors.New("the app is not installed there")

// A vault stores installations in the notes, encrypted with AES-256-GCM under a key that
// isn't stored there. The zero vault stores none.
type vault struct {
	notes  bot.Notes
	seals  []cipher.AEAD // the first encrypts; the others are former keys
	random io.Reader
}

// newVault opens the vault. A key is 32 bytes in base64; former keys follow it, separated
// by commas.
func newVault(keys string, notes bot.Notes, random io.Reader) (vault, error) {
	v := vault{notes: notes, random: random}
	for key := range strings.SplitSeq(keys, ",") {
		k, err := base64.StdEncoding.DecodeString(strings.TrimSpace(key))
		if err != nil || len(k) != 32 {
			return vault{}, errors.New("SLACK_TOKEN_KEY must be 32 random bytes in base64, with which tokens are encrypted: make one with \"openssl rand -base64 32\", and keep it. To change it, write the new one, a comma and the old one")
		}
		block, err := aes.NewCipher(k)
		if err != nil {
			return vault{}, err
		}
		seal, err := cipher.NewGCM(block)
		if err != nil {
			return vault{}, err
		}
		v.seals = append(v.seals, seal)
	}
	return v, nil
}

// check reads all installations, and encrypts those under a former key with the first one.
func (v vault) check(ctx context.Context) error {
	if !v.isOpen() {
		return nil
	}
	homes, err := v.notes.Keys(ctx, installsShelf)
	if err != nil {
		return err
	}
	for _, h := range homes {
		err := v.notes.Change(ctx, func(rows bot.Rows) error {
			b, err := rows.Get(installsShelf, h)
			if err != nil {
				return err
			}
			in, by, err := v.unseal(home(h), b)
			if err != nil || by == 0 {
				return err
			}
			if b, err = v.seal(in); err != nil {
				return err
			}
			return rows.Put(installsShelf, h, b)
		})
		if err != nil && !errors.Is(err, errNoHome) {
			return err
		}
	}
	return nil
}

func (v vault) isOpen() bool { return len(v.seals) > 0 }

func (v vault) put(ctx context.Context, in installation) error {
	b, err := v.seal(in)
	if err != nil {
		return err
	}
	return v.notes.Put(ctx, installsShelf, string(in.Home), b)
}

func (v vault) seal(in installation) ([]byte, error) {
	in.V = 1
	text, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	if in.was != nil {
		text = notes.KeepUnknown(reflect.TypeFor[installation](), in.was, text)
	}
	seal := v.seals[0]
	nonce := make([]byte, seal.NonceSize())
	if _, err := io.ReadFull(v.random, nonce); err != nil {
		return nil, err
	}
	// The encryption covers the home's name, so that a token can't be moved to another
	// home.
	return seal.Seal(nonce, nonce, text, []byte(in.Home)), nil
}

func (v vault) get(ctx context.Context, h home) (installation, error) {
	if !v.isOpen() {
		return installation{}, errNoHome
	}
	b, err := v.notes.Get(ctx, installsShelf, string(h))
	if err != nil {
		return installation{}, err
	}
	in, _, err := v.unseal(h, b)
	return in, err
}

// unseal decrypts an installation, and returns the index of its key.
func (v vault) unseal(h home, b []byte) (in installation, by int, err error) {
	for by, seal := range v.seals {
		n := seal.NonceSize()
		if len(b) < n {
			return in, 0, errNoHome
		}
		if text, err := seal.Open(nil, b[:n], b[n:], []byte(h)); err == nil {
			in.was = text
			return in, by, json.Unmarshal(text, &in)
		}
	}
	return in, 0, setUpError(fmt.Sprintf("The token of %s can't be read: it was encrypted with another SLACK_TOKEN_KEY. Add the former key after the new one, separated by a comma", h))
}

func (v vault) remove(ctx context.Context, h home) error {
	return v.notes.Put(ctx, installsShelf, string(h), nil)
}

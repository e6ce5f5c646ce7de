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
	"time"

	"github.com/rackmate/rackmate/bot"
)

// installsShelf has the installations, by home, encrypted.
const installsShelf = "installations"

// An installation is the app in one home, with its token.
type installation struct {
	V       int       `json:"v"`
	Home    home      `json:"home"`
	Since   time.Time `json:"since,omitzero"` // when it was installed
	Token   string    `json:"token"`
	Refresh string    `json:"refresh,omitempty"` // where tokens are renewed
	Expires time.Time `json:"expires,omitzero"`
}

var errNoHome = errors.New("the app is not installed there")

// A vault keeps installations in the notes, encrypted with AES-256-GCM under a
// key that is not there. The zero vault keeps none.
type vault struct {
	notes  bot.Notes
	seal   cipher.AEAD
	random io.Reader
}

// newVault opens the vault. key is 32 bytes in base64.
func newVault(key string, notes bot.Notes, random io.Reader) (vault, error) {
	k, err := base64.StdEncoding.DecodeString(key)
	if err != nil || len(k) != 32 {
		return vault{}, errors.New("SLACK_TOKEN_KEY must be 32 random bytes in base64, by which tokens are kept: make one with \"openssl rand -base64 32\", and keep it")
	}
	block, err := aes.NewCipher(k)
	if err != nil {
		return vault{}, err
	}
	seal, err := cipher.NewGCM(block)
	return vault{notes, seal, random}, err
}

func (v vault) open() bool { return v.seal != nil }

func (v vault) put(ctx context.Context, in installation) error {
	in.V = 1
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	nonce := make([]byte, v.seal.NonceSize())
	if _, err := io.ReadFull(v.random, nonce); err != nil {
		return err
	}
	// The home is sealed with it: nobody can put one home's token in another's
	// place.
	return v.notes.Put(ctx, installsShelf, string(in.Home), v.seal.Seal(nonce, nonce, text, []byte(in.Home)))
}

func (v vault) get(ctx context.Context, h home) (in installation, err error) {
	if !v.open() {
		return in, errNoHome
	}
	b, err := v.notes.Get(ctx, installsShelf, string(h))
	if err != nil {
		return in, err
	}
	if len(b) < v.seal.NonceSize() {
		return in, errNoHome
	}
	n := v.seal.NonceSize()
	text, err := v.seal.Open(nil, b[:n], b[n:], []byte(h))
	if err != nil {
		return in, fmt.Errorf("the token of %s can't be read: SLACK_TOKEN_KEY is not the one it was kept with", h)
	}
	return in, json.Unmarshal(text, &in)
}

func (v vault) remove(ctx context.Context, h home) error {
	return v.notes.Put(ctx, installsShelf, string(h), nil)
}

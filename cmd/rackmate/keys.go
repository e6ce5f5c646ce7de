package main

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// This file keeps the host's own keys, which sign cookies, links and calls, out of backups. They
// are stored sealed with AES-256-GCM under a key that isn't in the store.

// keySetting is the environment variable with the key that hosts share. keySuffix ends the name of
// the key file beside the data, which is used without it.
const (
	keySetting = "RACKMATE_KEY"
	keySuffix  = ".key"
)

// sealMark starts a sealed value.
const sealMark = "\x00sealed:1:"

// isKeyShelf reports whether a shelf holds the host's own keys.
func isKeyShelf(shelf string) bool { return shelf == "keys" || shelf == "secret" }

// isPlainKey reports whether a record is an unsealed key.
func isPlainKey(r store.Record) bool {
	n, ok := r.(store.Note)
	return ok && isKeyShelf(n.Shelf) && !strings.HasPrefix(string(n.Value), sealMark)
}

// A keyring seals keys with its first key and opens what any of its keys sealed.
type keyring struct {
	seals []cipher.AEAD
	fresh bool // newly created
}

// openKeyring returns the keyring of a setting (comma-separated keys in base64), or of the key file
// beside a data file, which it creates if missing. It returns nil for a database without a setting.
func openKeyring(setting, data string) (*keyring, error) {
	if setting != "" {
		return parseKeys(setting, keySetting)
	}
	if isURL(data) {
		return nil, nil
	}
	name := data + keySuffix
	written, err := os.ReadFile(name)
	if err == nil {
		return parseKeys(string(written), name)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the key file: %w", err)
	}
	key := make([]byte, 32)
	rand.Read(key)
	text := base64.StdEncoding.EncodeToString(key)
	if err := cli.WriteNew(name, func(f *os.File) error { // created with mode 0600, like all temporary files
		_, err := fmt.Fprintln(f, text)
		return err
	}); err != nil {
		return nil, fmt.Errorf("write the key file: %w", err)
	}
	ring, err := parseKeys(text, name)
	if err == nil {
		ring.fresh = true
	}
	return ring, err
}

func parseKeys(text, from string) (*keyring, error) {
	ring := &keyring{}
	for one := range strings.SplitSeq(text, ",") {
		key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(one))
		if err != nil || len(key) != 32 {
			return nil, fmt.Errorf("%s must hold 32 random bytes in base64: make them with \"openssl rand -base64 32\". To change the key, write the new one, a comma and the old one", from)
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		seal, err := cipher.NewGCM(block)
		if err != nil {
			return nil, err
		}
		ring.seals = append(ring.seals, seal)
	}
	return ring, nil
}

func (k *keyring) seal(value []byte) []byte {
	if value == nil {
		return nil
	}
	nonce := make([]byte, k.seals[0].NonceSize())
	rand.Read(nonce)
	return append([]byte(sealMark), k.seals[0].Seal(nonce, nonce, value, nil)...)
}

// open returns the unsealed value. It returns a value that isn't sealed unchanged.
func (k *keyring) open(value []byte) ([]byte, error) {
	sealed, ok := strings.CutPrefix(string(value), sealMark)
	if !ok {
		return value, nil
	}
	for _, seal := range k.seals {
		if n := seal.NonceSize(); len(sealed) >= n {
			if plain, err := seal.Open([]byte{}, []byte(sealed[:n]), []byte(sealed[n:]), nil); err == nil {
				return plain, nil
			}
		}
	}
	return nil, errSealed
}

var errSealed = errors.New("a key in the store is sealed with another key")

// sealAll seals the unsealed keys in the store, and reports whether there were any. If the ring
// is fresh, it deletes keys sealed by a lost key, and the host makes new ones on demand. If it
// isn't fresh, such keys are an error.
func (k *keyring) sealAll(ctx context.Context, db database, log *slog.Logger) (moved bool, err error) {
	lost := 0
	for _, adapter := range []string{hostNotes, web.Platform, "slack", "discord"} {
		n := db.Notes(adapter)
		for _, shelf := range []string{"keys", "secret"} {
			names, err := n.Keys(ctx, shelf)
			if err != nil {
				return moved, fmt.Errorf("seal keys: %w", err)
			}
			for _, name := range names {
				if err := n.Change(ctx, func(rows bot.Rows) error {
					was, err := rows.Get(shelf, name)
					if err != nil {
						return err
					}
					plain, err := k.open(was)
					switch {
					case err != nil && !k.fresh:
						return err
					case err != nil:
						lost++
						return rows.Put(shelf, name, nil)
					case len(plain) == len(was) && was != nil:
						moved = true
						return rows.Put(shelf, name, k.seal(plain))
					}
					return nil
				}); err != nil {
					return moved, fmt.Errorf("open the keys in the store: %w. Set %s to the key used before, or restore the key file", err, keySetting)
				}
			}
		}
	}
	if lost > 0 {
		log.Warn("the key file of this data is gone, so there are new keys: people sign in again, links to pages are new, and browsers ask again whether they may notify", "keys", lost)
	}
	return moved, nil
}

// sealedOf returns a database that seals its keys, and the raw database, which it may have
// reopened.
func (c *serveConfig) sealedOf(ctx context.Context, raw database, log *slog.Logger) (sealed, again database, err error) {
	ring, err := openKeyring(c.key, c.data)
	if err != nil {
		return nil, raw, err
	}
	if ring == nil {
		if err := (&keyring{}).check(ctx, raw); err != nil {
			return nil, raw, err
		}
		log.Warn("the keys that sign cookies and links are stored unencrypted in the database: set "+keySetting+" on all hosts, from openssl rand -base64 32", "database", shownData(c.data))
		return raw, raw, nil
	}
	moved, err := ring.sealAll(ctx, raw, log)
	if err != nil {
		return nil, raw, err
	}
	if moved && !isURL(c.data) {
		// The file's free pages still hold the unsealed keys.
		if err := raw.Close(); err != nil {
			return nil, nil, err
		}
		if err := bolt.Compact(c.data); err != nil {
			return nil, nil, err
		}
		if raw, err = openDatabase(ctx, c.data, c.connections, c.now); err != nil {
			return nil, nil, err
		}
	}
	return sealedDatabase{raw, ring}, raw, nil
}

// check returns an error if the store has sealed keys.
func (k *keyring) check(ctx context.Context, db database) error {
	for _, at := range [][2]string{{hostNotes, "keys"}, {web.Platform, "secret"}} {
		rows, err := db.Notes(at[0]).Scan(ctx, at[1], "", "", 1)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if _, err := k.open(row.Value); err != nil {
				return fmt.Errorf("%w: set %s to the key that the other hosts have", err, keySetting)
			}
		}
	}
	return nil
}

// A sealedDatabase unseals keys on reading and seals them on writing.
type sealedDatabase struct {
	database
	ring *keyring
}

// Notes returns an adapter's notes.
func (d sealedDatabase) Notes(adapter string) bot.Notes {
	return sealedNotes{d.database.Notes(adapter), d.ring}
}

type sealedNotes struct {
	bot.Notes
	ring *keyring
}

func (n sealedNotes) Get(ctx context.Context, shelf, key string) ([]byte, error) {
	value, err := n.Notes.Get(ctx, shelf, key)
	if err != nil || value == nil || !isKeyShelf(shelf) {
		return value, err
	}
	return n.ring.open(value)
}

func (n sealedNotes) Put(ctx context.Context, shelf, key string, value []byte) error {
	if isKeyShelf(shelf) {
		value = n.ring.seal(value)
	}
	return n.Notes.Put(ctx, shelf, key, value)
}

func (n sealedNotes) Change(ctx context.Context, fn func(bot.Rows) error) error {
	return n.Notes.Change(ctx, func(rows bot.Rows) error { return fn(sealedRows{rows, n.ring}) })
}

type sealedRows struct {
	bot.Rows
	ring *keyring
}

func (r sealedRows) Get(shelf, key string) ([]byte, error) {
	value, err := r.Rows.Get(shelf, key)
	if err != nil || value == nil || !isKeyShelf(shelf) {
		return value, err
	}
	return r.ring.open(value)
}

func (r sealedRows) Put(shelf, key string, value []byte) error {
	if isKeyShelf(shelf) {
		value = r.ring.seal(value)
	}
	return r.Rows.Put(shelf, key, value)
}

// withoutKeys omits keys from a copy that isn't protected.
type withoutKeys struct{ store.Carrier }

func (w withoutKeys) Records(ctx context.Context, fn func(store.Record) error) error {
	return w.Carrier.Records(ctx, func(r store.Record) error {
		if isPlainKey(r) {
			return nil
		}
		return fn(r)
	})
}

// signOutCommand returns the command that ends all sessions of the room.
func signOutCommand() *cobra.Command {
	var data string
	var sure bool
	c := &cobra.Command{
		Use: "sign-out --yes [--data FILE]", Short: "ends all sessions of the room: everybody signs in again",
		Long:    "ends all sessions of the room, as after a theft: everybody signs in again, by the door or a recovery code. Stop the host first; on a database, restart the hosts afterwards.",
		Example: "rackmate sign-out --yes\nrackmate sign-out --yes --data postgres://rackmate@db.example.org/rackmate",
		Args:    cli.Args(0, 0, "sign-out takes no arguments"),
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if !sure {
				return cli.UsageError("everyone in the room will have to sign in again: confirm with --yes")
			}
			if err := refuseServed(c.Context(), data); err != nil {
				return err
			}
			db, err := openData(c.Context(), data)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			n := db.Notes(web.Platform)
			names, err := n.Keys(c.Context(), "secret")
			if err != nil {
				return err
			}
			if slices.Contains(names, "cookie") {
				err = n.Put(c.Context(), "secret", "cookie", nil)
			}
			if err == nil {
				fmt.Fprintln(c.OutOrStdout(), "ok signed-out")
			}
			return err
		},
	}
	dataFlag(c, &data)
	c.Flags().BoolVar(&sure, "yes", false, "do it")
	return c
}

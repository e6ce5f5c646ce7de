package shelf

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/game"
)

// A Shelf stores rows of one type. Its methods are safe for concurrent use.
type Shelf[K Key[K], V any] struct {
	owner *Owner
	name  string
	spec  Spec[K, V]
}

// A Spec describes a shelf's purpose, and to whom the rows belong if their keys don't tell.
// Values are stored as JSON with their version, except for [Raw] ones. A changed row keeps the
// fields that a newer version of the program has added, except after Put outside a transaction,
// which replaces the whole row.
type Spec[K Key[K], V any] struct {
	Why string // what is stored and why, for the privacy page
	// Whose returns the person a row belongs to, if the key doesn't tell.
	Whose func(V) game.PlayerID
	// Rename replaces a person in a shared row. If keep is false, the row is deleted.
	Rename func(v *V, from game.PlayerID, to bot.User) (keep bool)
	// Texts returns what people wrote in a row about others. Erasing a person removes their names
	// there: from the rows that Find lists, or else from the rows with the person's id.
	Texts func(v *V) []*string
	// Shared reports whether a person's export includes a shared row, in the list named
	// Sharing.
	Shared  func(v V, who game.PlayerID) bool
	Sharing string
	// Places returns the channels and homes a row belongs to, if the key doesn't tell.
	Places func(V) []string
	// Stays marks rows that erasing a person doesn't delete, because they concern the
	// erasure itself. Their owner deletes them.
	Stays bool
	// Find lists the keys of the rows that name a person, given the tables that name them.
	// If it is nil and the keys don't tell, all rows are read.
	Find func(tx Tx, who game.PlayerID, tables []bot.TableID) ([]K, error)
}

// Raw is a value that is stored unencoded.
type Raw []byte

// Open opens a shelf of an owner. Its name must be unique, and never change, since its rows
// are stored under it.
func Open[K Key[K], V any](o *Owner, name string, spec Spec[K, V]) *Shelf[K, V] {
	s := &Shelf[K, V]{o, name, spec}
	o.room.add(s)
	return s
}

// Get returns the row of a key. If there is none, found is false and v zero.
func (s *Shelf[K, V]) Get(ctx context.Context, k K) (v V, found bool, err error) {
	b, err := s.owner.room.notes.Get(ctx, s.name, k.text())
	if err != nil || b == nil {
		return v, false, err
	}
	v, err = s.decode(k.text(), b)
	return v, err == nil, err
}

// Put writes a row.
func (s *Shelf[K, V]) Put(ctx context.Context, k K, v V) error {
	b, err := encode(v)
	if err != nil {
		return err
	}
	return s.owner.room.notes.Put(ctx, s.name, k.text(), b)
}

// Drop deletes a row if it exists.
func (s *Shelf[K, V]) Drop(ctx context.Context, k K) error {
	return s.owner.room.notes.Put(ctx, s.name, k.text(), nil)
}

// Each calls fn with all rows in key order.
func (s *Shelf[K, V]) Each(ctx context.Context, fn func(K, V) error) error {
	return s.each(func(after string) ([]bot.Row, error) {
		return s.owner.room.notes.Scan(ctx, s.name, "", after, pageSize)
	}, fn)
}

// EachAfter calls fn with the rows after a key in key order. The key needn't have a row.
func (s *Shelf[K, V]) EachAfter(ctx context.Context, k K, fn func(K, V) error) error {
	return s.each(func(after string) ([]bot.Row, error) {
		return s.owner.room.notes.Scan(ctx, s.name, "", cmp.Or(after, k.text()), pageSize)
	}, fn)
}

// GetAll returns the rows of several keys, in one round trip to a remote store. Keys
// without a row are missing.
func (s *Shelf[K, V]) GetAll(ctx context.Context, keys []K) (map[K]V, error) {
	values, err := s.owner.room.notes.GetAll(ctx, s.name, texts(keys)...)
	all := map[K]V{}
	for i := 0; i < len(values) && err == nil; i++ {
		if values[i] != nil {
			all[keys[i]], err = s.decode(keys[i].text(), values[i])
		}
	}
	return all, err
}

func texts[K Key[K]](keys []K) (all []string) {
	for _, k := range keys {
		all = append(all, k.text())
	}
	return all
}

// Change changes one row in a transaction: fn gets the row, or the zero value, and what it
// leaves is stored if it returns nil. If keep is false, the row is deleted. The store may
// call fn again with a fresh read.
func (s *Shelf[K, V]) Change(ctx context.Context, k K, fn func(v *V) (keep bool, err error)) error {
	return s.owner.room.notes.Change(ctx, func(rows bot.Rows) error {
		was, err := rows.Get(s.name, k.text())
		if err != nil {
			return err
		}
		var v V
		var newer []byte
		if was != nil {
			if v, newer, err = s.decodeToChange(k.text(), was); err != nil {
				return err
			}
		}
		keep, err := fn(&v)
		if err != nil {
			return err
		}
		var now []byte
		if keep {
			if now, err = encode(v); err != nil {
				return err
			}
			now = s.withUnknown(newer, now)
		}
		if bytes.Equal(now, was) && (now == nil) == (was == nil) {
			return nil
		}
		return rows.Put(s.name, k.text(), now)
	})
}

// EachUnder calls fn with the rows whose keys begin with a first part.
func EachUnder[A Key[A], B Key[B], V any](ctx context.Context, s *Shelf[Pair[A, B], V], first A, fn func(B, V) error) error {
	return s.each(func(after string) ([]bot.Row, error) {
		return s.owner.room.notes.Scan(ctx, s.name, first.text()+apart, after, pageSize)
	}, func(k Pair[A, B], v V) error { return fn(k.Second, v) })
}

// A Tx is a transaction on the shelves of one owner.
type Tx struct {
	rows  bot.Rows
	owner *Owner
	read  map[bot.NoteKey][]byte // rows as read, or nil for rows without unknown fields
}

// In returns the rows of a shelf in a transaction of its owner.
func (s *Shelf[K, V]) In(tx Tx) Rows[K, V] {
	if tx.owner != s.owner {
		panic(fmt.Sprintf("the shelf %q is not %s's", s.name, tx.owner.name))
	}
	return Rows[K, V]{s, tx.rows, tx.read}
}

// Rows gives access to a shelf's rows in a transaction.
type Rows[K Key[K], V any] struct {
	s    *Shelf[K, V]
	rows bot.Rows
	read map[bot.NoteKey][]byte // see Tx
}

// Get returns the row of a key. If there is none, found is false and v zero.
func (r Rows[K, V]) Get(k K) (v V, found bool, err error) {
	b, err := r.rows.Get(r.s.name, k.text())
	if err != nil || b == nil {
		return v, false, err
	}
	v, newer, err := r.s.decodeToChange(k.text(), b)
	r.note(k.text(), newer)
	return v, err == nil, err
}

// note remembers a row as it was read.
func (r Rows[K, V]) note(key string, b []byte) {
	if r.read != nil {
		r.read[bot.NoteKey{Shelf: r.s.name, Key: key}] = b
	}
}

// Put writes a row. If the row was read in the transaction, it keeps the fields that a
// newer version has added.
func (r Rows[K, V]) Put(k K, v V) error {
	b, err := encode(v)
	if err != nil {
		return err
	}
	b = r.s.withUnknown(r.read[bot.NoteKey{Shelf: r.s.name, Key: k.text()}], b)
	return r.rows.Put(r.s.name, k.text(), b)
}

// Drop deletes a row if it exists.
func (r Rows[K, V]) Drop(k K) error { return r.rows.Put(r.s.name, k.text(), nil) }

// Each calls fn with all rows in key order.
func (r Rows[K, V]) Each(fn func(K, V) error) error { return r.eachUnder("", fn) }

func (r Rows[K, V]) eachUnder(prefix string, fn func(K, V) error) error {
	return r.s.each(func(after string) ([]bot.Row, error) {
		page, err := r.rows.Scan(r.s.name, prefix, after, pageSize)
		for _, row := range page {
			r.note(row.Key, row.Value)
		}
		return page, err
	}, fn)
}

// GetAll returns the rows of several keys; see [Shelf.GetAll].
func (r Rows[K, V]) GetAll(keys []K) (map[K]V, error) {
	values, err := r.rows.GetAll(r.s.name, texts(keys)...)
	all := map[K]V{}
	for i := 0; i < len(values) && err == nil; i++ {
		if values[i] == nil {
			continue
		}
		var newer []byte
		all[keys[i]], newer, err = r.s.decodeToChange(keys[i].text(), values[i])
		r.note(keys[i].text(), newer)
	}
	return all, err
}

// EachIn calls fn with a transaction's rows whose keys begin with a first part.
func EachIn[A Key[A], B Key[B], V any](r Rows[Pair[A, B], V], first A, fn func(B, V) error) error {
	return r.eachUnder(first.text()+apart, func(k Pair[A, B], v V) error { return fn(k.Second, v) })
}

// pageSize is the number of rows read at once.
const pageSize = 500

func (s *Shelf[K, V]) each(scan func(after string) ([]bot.Row, error), fn func(K, V) error) error {
	for after := ""; ; {
		page, err := scan(after)
		if err != nil {
			return err
		}
		for _, row := range page {
			var zero K
			k, ok := zero.read(row.Key)
			if !ok {
				return fmt.Errorf("read %s: %q isn't one of its keys", s.name, row.Key)
			}
			v, err := s.decode(row.Key, row.Value)
			if err == nil {
				err = fn(k, v)
			}
			if err != nil {
				return err
			}
			after = row.Key
		}
		if len(page) < pageSize {
			return nil
		}
	}
}

func encode(v any) ([]byte, error) {
	if raw, ok := v.(Raw); ok {
		return append([]byte{}, raw...), nil
	}
	return json.Marshal(v)
}

// decodeToChange decodes a row that may be written back. newer is the encoded row if it has
// fields unknown to V, and otherwise nil.
func (s *Shelf[K, V]) decodeToChange(key string, b []byte) (v V, newer []byte, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if _, raw := any(v).(Raw); !raw && d.Decode(&v) == nil && d.InputOffset() == int64(len(b)) {
		return v, nil, nil
	}
	v, err = s.decode(key, b)
	return v, b, err
}

// withUnknown returns a row to write, with the unknown fields of the row it replaces. was
// is nil if that row had no such fields or wasn't read.
func (s *Shelf[K, V]) withUnknown(was, now []byte) []byte {
	if t := reflect.TypeFor[V](); was != nil && t != reflect.TypeFor[Raw]() {
		return notes.KeepUnknown(t, was, now)
	}
	return now
}

// decode decodes a row.
func (s *Shelf[K, V]) decode(key string, b []byte) (v V, err error) {
	if raw, ok := any(&v).(*Raw); ok {
		*raw = b
		return v, nil
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return v, s.owner.room.noteBroken(s.name, key, fmt.Errorf("read %s %q: %w", s.name, key, err))
	}
	return v, nil
}

package shelf

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/game"
)

// A Shelf has rows of one kind. Its methods are safe for concurrent use.
type Shelf[K Key[K], V any] struct {
	owner *Owner
	name  string
	spec  Spec[K, V]
}

// A Spec says what a shelf is for, and what its keys don't say of whose the rows
// are. Values are stored as JSON, and carry their version; [Raw] ones as they are. A row
// that is changed keeps the fields that a newer program has put into it, except by Put
// outside a change, which replaces all of it.
type Spec[K Key[K], V any] struct {
	Why string // what is kept and what for, for those who ask
	// Whose is the person whose a row is, where the key doesn't say.
	Whose func(V) game.PlayerID
	// Rename puts somebody else in a person's place in a row that is of others
	// too; without keep the row goes.
	Rename func(v *V, from game.PlayerID, to bot.User) (keep bool)
	// Shared says which rows of others a person is given with their own, and the
	// list of them is called Sharing.
	Shared  func(v V, who game.PlayerID) bool
	Sharing string
	// Places are the channels and homes that a row is of, where the key doesn't say.
	Places func(V) []string
	// Stays says that the rows aren't removed with the rest of what is somebody's:
	// they are about that itself, and their owner removes them.
	Stays bool
	// Find lists the keys of the rows that name somebody, whom some tables name.
	// Without it, and where the keys don't tell, all rows are looked at.
	Find func(tx Tx, who game.PlayerID, tables []bot.TableID) ([]K, error)
}

// Raw is a value that is stored as it is.
type Raw []byte

// Open has a shelf of an owner's. Its name must be nobody else's, and says for ever
// where its rows are.
func Open[K Key[K], V any](o *Owner, name string, spec Spec[K, V]) *Shelf[K, V] {
	s := &Shelf[K, V]{o, name, spec}
	o.room.add(s)
	return s
}

// Get is a row; found is false, and v zero, where there is none.
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

// Drop removes a row, if it is there.
func (s *Shelf[K, V]) Drop(ctx context.Context, k K) error {
	return s.owner.room.notes.Put(ctx, s.name, k.text(), nil)
}

// Each calls fn with all rows, in the order of their keys.
func (s *Shelf[K, V]) Each(ctx context.Context, fn func(K, V) error) error {
	return s.each(func(after string) ([]bot.Row, error) {
		return s.owner.room.notes.Scan(ctx, s.name, "", after, pageSize)
	}, fn)
}

// GetAll returns the rows of several keys, in one round trip to a store that is far away.
// Keys without a row are missing.
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

// Change changes one row: fn gets it, or the zero value, and what it leaves is put
// in its place when it returns nil. Without keep the row goes. A store may call fn
// again on what it reads afresh.
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

// EachUnder calls fn with the rows of a shelf whose keys begin with a first part.
func EachUnder[A Key[A], B Key[B], V any](ctx context.Context, s *Shelf[Pair[A, B], V], first A, fn func(B, V) error) error {
	return s.each(func(after string) ([]bot.Row, error) {
		return s.owner.room.notes.Scan(ctx, s.name, first.text()+apart, after, pageSize)
	}, func(k Pair[A, B], v V) error { return fn(k.Second, v) })
}

// A Tx is a change of rows that hang together: of one owner's shelves.
type Tx struct {
	rows  bot.Rows
	owner *Owner
	read  map[bot.NoteKey][]byte // rows as they were, or nil where a newer program has put nothing into them
}

// In are the rows of a shelf in a change of its owner's.
func (s *Shelf[K, V]) In(tx Tx) Rows[K, V] {
	if tx.owner != s.owner {
		panic(fmt.Sprintf("the shelf %q is not %s's", s.name, tx.owner.name))
	}
	return Rows[K, V]{s, tx.rows, tx.read}
}

// Rows are those of a shelf in a change.
type Rows[K Key[K], V any] struct {
	s    *Shelf[K, V]
	rows bot.Rows
	read map[bot.NoteKey][]byte // see Tx
}

// Get is a row; found is false, and v zero, where there is none.
func (r Rows[K, V]) Get(k K) (v V, found bool, err error) {
	b, err := r.rows.Get(r.s.name, k.text())
	if err != nil || b == nil {
		return v, false, err
	}
	v, newer, err := r.s.decodeToChange(k.text(), b)
	r.note(k.text(), newer)
	return v, err == nil, err
}

// note keeps a row as it was read.
func (r Rows[K, V]) note(key string, b []byte) {
	if r.read != nil {
		r.read[bot.NoteKey{Shelf: r.s.name, Key: key}] = b
	}
}

// Put writes a row. One that was read in the change keeps what a newer program has put
// into it.
func (r Rows[K, V]) Put(k K, v V) error {
	b, err := encode(v)
	if err != nil {
		return err
	}
	b = r.s.withUnknown(r.read[bot.NoteKey{Shelf: r.s.name, Key: k.text()}], b)
	return r.rows.Put(r.s.name, k.text(), b)
}

// Drop removes a row, if it is there.
func (r Rows[K, V]) Drop(k K) error { return r.rows.Put(r.s.name, k.text(), nil) }

// Each calls fn with all rows, in the order of their keys.
func (r Rows[K, V]) Each(fn func(K, V) error) error { return r.under("", fn) }

func (r Rows[K, V]) under(prefix string, fn func(K, V) error) error {
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

// EachIn calls fn with the rows of a change whose keys begin with a first part.
func EachIn[A Key[A], B Key[B], V any](r Rows[Pair[A, B], V], first A, fn func(B, V) error) error {
	return r.under(first.text()+apart, func(k Pair[A, B], v V) error { return fn(k.Second, v) })
}

// pageSize is how many rows are read at once.
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
				return fmt.Errorf("read %s: %q is no key of it", s.name, row.Key)
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

// decodeToChange is decode for a row that may be put back. newer is the row where it has
// fields that V has no place for: most have none.
func (s *Shelf[K, V]) decodeToChange(key string, b []byte) (v V, newer []byte, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if _, raw := any(v).(Raw); !raw && d.Decode(&v) == nil && d.InputOffset() == int64(len(b)) {
		return v, nil, nil
	}
	v, err = s.decode(key, b)
	return v, b, err
}

// withUnknown is what is to be put in a row's place, with what a newer program has put
// into it; was is nil where that is nothing, or isn't known.
func (s *Shelf[K, V]) withUnknown(was, now []byte) []byte {
	if t := reflect.TypeFor[V](); was != nil && t != reflect.TypeFor[Raw]() {
		return notes.KeepUnknown(t, was, now)
	}
	return now
}

// decode reads a row.
func (s *Shelf[K, V]) decode(key string, b []byte) (v V, err error) {
	if raw, ok := any(&v).(*Raw); ok {
		*raw = b
		return v, nil
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return v, fmt.Errorf("read %s %q: %w", s.name, key, err)
	}
	return v, nil
}

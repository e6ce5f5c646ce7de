package shelf

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// A Room holds all shelves of a host, in its notes.
type Room struct {
	notes  bot.Notes
	random io.Reader

	mu      sync.Mutex
	shelves []shelf           // sorted by name
	secrets map[string][]byte // secrets read so far
	broken  map[string]error  // rows that couldn't be decoded, by shelf and key; at most mostBroken
}

// mostBroken limits how many broken rows a room remembers.
const mostBroken = 20

// Broken lists the rows that couldn't be decoded since the room was made, in order, for an operator.
func (r *Room) Broken() []error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []error
	for _, row := range slices.Sorted(maps.Keys(r.broken)) {
		all = append(all, r.broken[row])
	}
	return all
}

// noteBroken records that a row couldn't be decoded, and returns the error.
func (r *Room) noteBroken(shelf, key string, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken == nil {
		r.broken = map[string]error{}
	}
	if len(r.broken) < mostBroken {
		r.broken[shelf+"\n"+key] = err
	}
	return err
}

// NewRoom returns a room without shelves. random is the source of secrets.
func NewRoom(notes bot.Notes, random io.Reader) *Room { return &Room{notes: notes, random: random} }

// An Owner owns shelves in a room. It is a feature or a part of the engine.
type Owner struct {
	room *Room
	name string
}

// Owner returns a new owner of shelves.
func (r *Room) Owner(name string) *Owner { return &Owner{r, name} }

// Change changes rows in one transaction: if fn returns nil, all its writes take effect,
// and otherwise none. The store may call fn again, so fn must do nothing but read and write
// rows.
func (o *Owner) Change(ctx context.Context, fn func(Tx) error) error {
	return o.room.notes.Change(ctx, func(rows bot.Rows) error { return fn(Tx{rows, o, map[bot.NoteKey][]byte{}}) })
}

// Secret returns a secret of the host, 32 bytes, generated when first needed. All owners
// share the secrets of one name.
func (o *Owner) Secret(ctx context.Context, of string) ([]byte, error) {
	r := o.room
	r.mu.Lock()
	known := r.secrets[of]
	r.mu.Unlock()
	if known != nil {
		return known, nil
	}
	secret, err := notes.Secret(ctx, r.notes, r.random, "keys", of)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.secrets == nil {
		r.secrets = map[string][]byte{}
	}
	r.secrets[of] = secret
	return secret, nil
}

// A shelf is a Shelf without its type parameters.
type shelf interface {
	describe() (name, owner, why, whose string)
	fields() []string
	// find lists the rows that name a person: their own, others' rows about them, and
	// shared rows.
	find(rows bot.Rows, who game.PlayerID, tables []bot.TableID) (named, error)
	export(rows bot.Rows, keys []string, who game.PlayerID) (list string, values []json.RawMessage, err error)
	// findAt lists the rows of one table that name a person.
	findAt(rows bot.Rows, who game.PlayerID, table bot.TableID) (named, error)
	rename(rows bot.Rows, keys []string, from game.PlayerID, names []string, to bot.User) error
	// at calls fn with the keys of the rows that belong to places for which in returns
	// true.
	at(ctx context.Context, in func(place string) bool, fn func(key string) error) error
	// check reads all rows and counts them.
	check(ctx context.Context) (rows int, err error)
}

// named holds the keys of rows that name a person: own rows, rows about them, and shared
// rows.
type named struct{ own, told, of []string }

func (r *Room) add(s shelf) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name, owner, why, _ := s.describe()
	at, taken := slices.BinarySearchFunc(r.shelves, name, func(s shelf, name string) int {
		other, _, _, _ := s.describe()
		return strings.Compare(other, name)
	})
	switch {
	case taken:
		_, other, _, _ := r.shelves[at].describe()
		panic(fmt.Sprintf("%s opens the shelf %q, which is %s's", owner, name, other))
	case name == "" || name == secretsShelf || why == "":
		panic(fmt.Sprintf("%s opens a shelf with the name %q and the purpose %q: both are required", owner, name, why))
	}
	r.shelves = slices.Insert(r.shelves, at, s)
}

// all returns the shelves, sorted by name.
func (r *Room) all() []shelf {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.shelves)
}

// A Listing describes the data on a shelf.
type Listing struct {
	Name, Owner, Why string
	Whose            string   // parts of its keys: "table, person"
	Fields           []string // fields of its rows, each by its path: "spans.from"
}

// Listings describes the data on all shelves, sorted by name.
func (r *Room) Listings() (all []Listing) {
	for _, s := range r.all() {
		name, owner, why, whose := s.describe()
		all = append(all, Listing{name, owner, why, whose, s.fields()})
	}
	return all
}

// Check reads all rows of all shelves and returns their number by shelf. The error
// belongs to the first unreadable row.
func (r *Room) Check(ctx context.Context) (rows map[string]int, err error) {
	rows = map[string]int{}
	for _, s := range r.all() {
		name, _, _, _ := s.describe()
		if rows[name], err = s.check(ctx); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// Export returns the data about a person who is named at the given tables. own holds their
// own rows by shelf and key, and more the lists of shared rows by the lists' names.
func (r *Room) Export(ctx context.Context, who game.PlayerID, tables []bot.TableID) (own map[string]json.RawMessage, more map[string]any, err error) {
	err = r.notes.Change(ctx, func(rows bot.Rows) error {
		own, more = map[string]json.RawMessage{}, map[string]any{}
		for _, s := range r.all() {
			found, err := s.find(rows, who, tables)
			if err != nil {
				return err
			}
			name, _, _, _ := s.describe()
			for _, key := range found.own {
				value, err := rows.Get(name, key)
				if err != nil {
					return err
				}
				if json.Valid(value) {
					own[name+" "+strings.ReplaceAll(key, apart, " ")] = value
				}
			}
			list, values, err := s.export(rows, found.of, who)
			if err != nil {
				return err
			}
			if list != "" {
				more[list] = values
			}
		}
		return nil
	})
	return own, more, err
}

// Forget erases a person who is named at the given tables: it deletes their own rows and
// replaces their id and their names in shared ones.
func (r *Room) Forget(ctx context.Context, who game.PlayerID, names []string, to bot.User, tables []bot.TableID) error {
	return r.forget(ctx, who, names, to, func(s shelf, rows bot.Rows) (named, error) { return s.find(rows, who, tables) })
}

// ForgetAtTable works like Forget for the rows of one table. The person's other data stays.
func (r *Room) ForgetAtTable(ctx context.Context, who game.PlayerID, to bot.User, table bot.TableID) error {
	return r.forget(ctx, who, nil, to, func(s shelf, rows bot.Rows) (named, error) { return s.findAt(rows, who, table) })
}

func (r *Room) forget(ctx context.Context, who game.PlayerID, names []string, to bot.User, find func(shelf, bot.Rows) (named, error)) error {
	return r.notes.Change(ctx, func(rows bot.Rows) error {
		// Find all rows first, since finding can depend on rows that are about to change.
		all := r.all()
		found := make([]named, len(all))
		for i, s := range all {
			var err error
			if found[i], err = find(s, rows); err != nil {
				return err
			}
		}
		for i, s := range all {
			if err := s.rename(rows, found[i].of, who, names, to); err != nil {
				return err
			}
			name, _, _, _ := s.describe()
			for _, key := range slices.Concat(found[i].own, found[i].told) {
				if err := rows.Put(name, key, nil); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Count returns the number of rows that name a person, by shelf.
func (r *Room) Count(ctx context.Context, who game.PlayerID, tables []bot.TableID) (rows map[string]int, err error) {
	err = r.notes.Change(ctx, func(in bot.Rows) error {
		rows = map[string]int{}
		for _, s := range r.all() {
			found, err := s.find(in, who, tables)
			if err != nil {
				return err
			}
			_, shared, err := s.export(in, found.of, who)
			if err != nil {
				return err
			}
			if n := len(found.own) + len(found.told) + len(shared); n > 0 {
				name, _, _, _ := s.describe()
				rows[name] = n
			}
		}
		return nil
	})
	return rows, err
}

// CountAt returns the number of rows that belong to some channels and homes, by shelf.
func (r *Room) CountAt(ctx context.Context, in func(place string) bool) (rows map[string]int, err error) {
	return eachAt(ctx, r.all(), in, func(string, string) error { return nil })
}

// ForgetAt deletes the rows of some channels and homes, and returns their number by shelf.
// It can be repeated to resume after an interruption, since the shelf last, which finds the
// channels of a home, is cleared last.
func (r *Room) ForgetAt(ctx context.Context, in func(place string) bool, last string) (rows map[string]int, err error) {
	all := r.all()
	slices.SortStableFunc(all, func(a, b shelf) int {
		is := func(s shelf) int {
			if name, _, _, _ := s.describe(); name == last {
				return 1
			}
			return 0
		}
		return is(a) - is(b)
	})
	return eachAt(ctx, all, in, func(shelf, key string) error { return r.notes.Put(ctx, shelf, key, nil) })
}

func eachAt(ctx context.Context, all []shelf, in func(place string) bool, fn func(shelf, key string) error) (rows map[string]int, err error) {
	rows = map[string]int{}
	for _, s := range all {
		name, _, _, _ := s.describe()
		if err := s.at(ctx, in, func(key string) error {
			rows[name]++
			return fn(name, key)
		}); err != nil {
			return rows, fmt.Errorf("the shelf %q: %w", name, err)
		}
	}
	return rows, nil
}

func (s *Shelf[K, V]) at(ctx context.Context, in func(place string) bool, fn func(key string) error) error {
	return s.Each(ctx, func(k K, v V) error {
		places := k.places()
		if s.spec.Places != nil {
			places = append(places, s.spec.Places(v)...)
		}
		if slices.ContainsFunc(places, in) {
			return fn(k.text())
		}
		return nil
	})
}

func (s *Shelf[K, V]) describe() (name, owner, why, whose string) {
	var k K
	return s.name, s.owner.name, s.spec.Why, k.whose()
}

func (s *Shelf[K, V]) fields() []string { return notes.Fields(reflect.TypeFor[V]()) }

func (s *Shelf[K, V]) check(ctx context.Context) (rows int, err error) {
	err = s.Each(ctx, func(k K, _ V) error {
		rows++
		return nil
	})
	return rows, err
}

func (s *Shelf[K, V]) find(rows bot.Rows, who game.PlayerID, tables []bot.TableID) (found named, err error) {
	var zero K
	keys, known := zero.of(who, tables)
	switch {
	case s.spec.Find != nil && !s.spec.Stays:
		keys, err = s.spec.Find(Tx{rows, s.owner, nil}, who, tables)
	case s.spec.Stays, s.spec.Rename == nil && s.spec.Shared == nil && s.spec.Whose == nil && !zero.mentions():
		return named{}, nil
	case s.spec.Rename != nil || s.spec.Shared != nil || s.spec.Whose != nil || !known:
		return found, (Rows[K, V]{s, rows, nil}).Each(func(k K, v V) error {
			s.take(&found, who, k, v)
			return nil
		})
	}
	if err != nil {
		return found, err
	}
	return s.findNamed(rows, who, keys)
}

// findAt lists the rows of one table that name a person. It covers only shelves whose keys
// include a table.
func (s *Shelf[K, V]) findAt(rows bot.Rows, who game.PlayerID, table bot.TableID) (named, error) {
	var zero K
	if elsewhere, known := zero.of(who, nil); !known || len(elsewhere) > 0 || s.spec.Stays {
		return named{}, nil
	}
	keys, _ := zero.of(who, []bot.TableID{table})
	return s.findNamed(rows, who, keys)
}

// findNamed returns the keys of given rows that name a person.
func (s *Shelf[K, V]) findNamed(rows bot.Rows, who game.PlayerID, keys []K) (found named, err error) {
	all, err := Rows[K, V]{s, rows, nil}.GetAll(keys)
	for _, k := range keys {
		if v, there := all[k]; there {
			s.take(&found, who, k, v)
			delete(all, k) // a key may be listed twice
		}
	}
	return found, err
}

// take adds a row to the list it belongs to.
func (s *Shelf[K, V]) take(found *named, who game.PlayerID, k K, v V) {
	switch i := slices.Index(k.people(), who); {
	case i == 0 || s.spec.Whose != nil && s.spec.Whose(v) == who:
		found.own = append(found.own, k.text())
	case i > 0:
		found.told = append(found.told, k.text())
	case s.spec.Rename != nil || s.spec.Shared != nil || s.spec.Texts != nil:
		found.of = append(found.of, k.text())
	}
}

func (s *Shelf[K, V]) export(rows bot.Rows, keys []string, who game.PlayerID) (list string, values []json.RawMessage, err error) {
	if s.spec.Shared == nil {
		return "", nil, nil
	}
	for _, key := range keys {
		b, err := rows.Get(s.name, key)
		if err != nil {
			return "", nil, err
		}
		v, err := s.decode(key, b)
		if err != nil {
			return "", nil, err
		}
		if s.spec.Shared(v, who) {
			values = append(values, b)
		}
	}
	return s.spec.Sharing, values, nil
}

func (s *Shelf[K, V]) rename(rows bot.Rows, keys []string, from game.PlayerID, names []string, to bot.User) error {
	if s.spec.Rename == nil && s.spec.Texts == nil {
		return nil
	}
	for _, key := range keys {
		b, err := rows.Get(s.name, key)
		if err != nil {
			return err
		}
		v, err := s.decode(key, b)
		if err != nil {
			return err
		}
		keep := true
		if s.spec.Texts != nil && (s.spec.Find != nil || bytes.Contains(b, []byte(from))) {
			for _, said := range s.spec.Texts(&v) {
				for _, name := range names {
					*said = text.WithoutName(*said, name, to.Name)
				}
			}
		}
		if s.spec.Rename != nil {
			keep = s.spec.Rename(&v, from, to)
		}
		now, err := encode(v)
		if with := s.withUnknown(b, now); !strings.Contains(string(with), string(from)) { // drop unknown fields that still name the person
			now = with
		}
		switch {
		case err != nil:
			return err
		case !keep:
			now = nil
		case string(now) == string(b):
			continue
		}
		if err := rows.Put(s.name, key, now); err != nil {
			return err
		}
	}
	return nil
}

// secretsShelf holds the host's own secrets.
const secretsShelf = "keys"

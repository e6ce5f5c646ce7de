package shelf

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// A Key identifies a row and tells to whom it belongs. All key types of this package implement
// it. Rows whose key has a [Person] belong to that person. If the key has several, they belong
// to the first and are about the others.
type Key[K any] interface {
	comparable
	// text returns the key as it is stored.
	text() string
	// read parses a stored key.
	read(string) (K, bool)
	// people returns the people named in the key, in order. mentions reports whether keys
	// of the type name any.
	people() []game.PlayerID
	mentions() bool
	// of returns all keys that can name a person who is named at the given tables. ok is
	// false if that requires reading the rows.
	of(who game.PlayerID, tables []bot.TableID) (all []K, ok bool)
	// places returns the channels and homes that the key names.
	places() []string
	// whose describes the keys' type for a page.
	whose() string
}

// Keys of one part.
type (
	// Person is the key of a person's row.
	Person game.PlayerID
	// Table is the key of a table's row. Keys of tables sort by number.
	Table bot.TableID
	// Channel is the key of a channel's row, and Home that of a server or workspace.
	Channel bot.ChannelID
	Home    string
	// Place is the key of a scope with its own settings or standings.
	Place string
	// Mark is a key without meaning to people: a hash, or a position in an order.
	Mark string
)

func (k Person) text() string                 { return string(k) }
func (Person) read(s string) (Person, bool)   { return Person(s), true }
func (k Person) people() []game.PlayerID      { return []game.PlayerID{game.PlayerID(k)} }
func (Person) mentions() bool                 { return true }
func (Person) places() []string               { return nil }
func (Person) whose() string                  { return "person" }
func (k Table) text() string                  { return fmt.Sprintf("%016x", uint64(k)) }
func (Table) people() []game.PlayerID         { return nil }
func (Table) mentions() bool                  { return false }
func (Table) places() []string                { return nil }
func (Table) whose() string                   { return "table" }
func (k Channel) text() string                { return string(k) }
func (Channel) read(s string) (Channel, bool) { return Channel(s), true }
func (Channel) people() []game.PlayerID       { return nil }
func (Channel) mentions() bool                { return false }
func (k Channel) places() []string            { return []string{string(k)} }
func (Channel) whose() string                 { return "channel" }
func (k Home) text() string                   { return string(k) }
func (Home) read(s string) (Home, bool)       { return Home(s), true }
func (Home) people() []game.PlayerID          { return nil }
func (Home) mentions() bool                   { return false }
func (k Home) places() []string               { return []string{string(k)} }
func (Home) whose() string                    { return "home" }
func (k Place) text() string                  { return string(k) }
func (Place) read(s string) (Place, bool)     { return Place(s), true }
func (Place) people() []game.PlayerID         { return nil }
func (Place) mentions() bool                  { return false }
func (k Place) places() []string              { return strings.Fields(string(k)) } // "channel C", "month 2026-11 H"
func (Place) whose() string                   { return "place" }
func (k Mark) text() string                   { return string(k) }
func (Mark) read(s string) (Mark, bool)       { return Mark(s), true }
func (Mark) people() []game.PlayerID          { return nil }
func (Mark) mentions() bool                   { return false }
func (Mark) places() []string                 { return nil }
func (Mark) whose() string                    { return "mark" }

func (Table) read(s string) (Table, bool) {
	n, err := strconv.ParseUint(s, 16, 64)
	return Table(n), err == nil && len(s) == 16
}

func (Person) of(who game.PlayerID, _ []bot.TableID) ([]Person, bool) {
	return []Person{Person(who)}, true
}

func (Table) of(_ game.PlayerID, tables []bot.TableID) (all []Table, ok bool) {
	for _, t := range tables {
		all = append(all, Table(t))
	}
	return all, true
}

func (Channel) of(game.PlayerID, []bot.TableID) ([]Channel, bool) { return nil, false }
func (Home) of(game.PlayerID, []bot.TableID) ([]Home, bool)       { return nil, false }
func (Place) of(game.PlayerID, []bot.TableID) ([]Place, bool)     { return nil, false }
func (Mark) of(game.PlayerID, []bot.TableID) ([]Mark, bool)       { return nil, false }

// A Pair is a key of two parts, each of which may be a pair. Rows sort by the first part.
type Pair[A Key[A], B Key[B]] struct {
	First  A
	Second B
}

// Both returns the key of two parts.
func Both[A Key[A], B Key[B]](first A, second B) Pair[A, B] { return Pair[A, B]{first, second} }

// apart separates the parts of a key. No name contains it.
const apart = "\x00"

func (k Pair[A, B]) text() string { return k.First.text() + apart + k.Second.text() }

func (k Pair[A, B]) read(s string) (Pair[A, B], bool) {
	for cut := 0; ; cut += len(apart) { // the first part may be a pair with a separator of its own
		i := strings.Index(s[cut:], apart)
		if i < 0 {
			return Pair[A, B]{}, false
		}
		cut += i
		a, ok1 := k.First.read(s[:cut])
		b, ok2 := k.Second.read(s[cut+len(apart):])
		if ok1 && ok2 {
			return Pair[A, B]{a, b}, true
		}
	}
}

func (k Pair[A, B]) people() []game.PlayerID { return append(k.First.people(), k.Second.people()...) }
func (k Pair[A, B]) mentions() bool          { return k.First.mentions() || k.Second.mentions() }
func (k Pair[A, B]) places() []string        { return append(k.First.places(), k.Second.places()...) }
func (k Pair[A, B]) whose() string           { return k.First.whose() + ", " + k.Second.whose() }

func (k Pair[A, B]) of(who game.PlayerID, tables []bot.TableID) (all []Pair[A, B], ok bool) {
	first, ok1 := k.First.of(who, tables)
	second, ok2 := k.Second.of(who, tables)
	if !ok1 || !ok2 || k.First.mentions() && k.Second.mentions() {
		return nil, false
	}
	for _, a := range first {
		for _, b := range second {
			all = append(all, Pair[A, B]{a, b})
		}
	}
	return all, true
}

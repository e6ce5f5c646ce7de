package shelf

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// A Key is what a row is found by, and says whose the row is: each key type of this
// package is one. Rows whose key has a [Person] are that person's; where it has
// several, they are the first one's, and tell of the others.
type Key[K any] interface {
	comparable
	// text is the key as it is stored.
	text() string
	// read is the key that is stored so.
	read(string) (K, bool)
	// people are those whom the key names, in order; mentions reports whether
	// keys of the type name any.
	people() []game.PlayerID
	mentions() bool
	// of are all keys that can name somebody who is named at some tables; ok is
	// false where that can't be told without looking.
	of(who game.PlayerID, tables []bot.TableID) (all []K, ok bool)
	// places are the channels and homes that the key names.
	places() []string
	// whose is what a page says of rows with such keys.
	whose() string
}

// The keys of one part.
type (
	// Person is somebody's row.
	Person game.PlayerID
	// Table is a table's. The keys of tables sort as their numbers do.
	Table bot.TableID
	// Channel is a channel's, and Home that of a server or a workspace.
	Channel bot.ChannelID
	Home    string
	// Place is what has settings or standings of its own, as a scope names it.
	Place string
	// Mark names nothing that anybody knows: a hash, or a place in an order.
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

// A Pair is a key of two parts, of which either may be a pair. Rows sort by the
// first one.
type Pair[A Key[A], B Key[B]] struct {
	First  A
	Second B
}

// Both is the key of two parts.
func Both[A Key[A], B Key[B]](first A, second B) Pair[A, B] { return Pair[A, B]{first, second} }

// apart is between the parts of a key: no name has it.
const apart = "\x00"

func (k Pair[A, B]) text() string { return k.First.text() + apart + k.Second.text() }

func (k Pair[A, B]) read(s string) (Pair[A, B], bool) {
	for cut := 0; ; cut += len(apart) { // the first part may be a pair, and have a cut of its own
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

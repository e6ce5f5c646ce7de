package moderation

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
)

// mostDeeds is the number of actions kept for a home. New ones replace the oldest.
const mostDeeds = 500

// A logEntry is a moderator's action.
type logEntry struct {
	V     int       `json:"v"` // format version: 1
	At    time.Time `json:"at"`
	By    bot.User  `json:"by"`
	Did   string    `json:"did"`
	To    bot.User  `json:"to"`
	What  string    `json:"what,omitempty"`
	Until time.Time `json:"until,omitzero"`
}

// mark returns a hash of a request's ID for use in a key.
func mark(req bot.Request) shelf.Mark {
	sum := sha256.Sum256([]byte(req.ID))
	return shelf.Mark(hex.EncodeToString(sum[:8]))
}

// logAction adds an action to the log. first is false if the request's action is there already.
func (p moderatedPlace) logAction(f *Feature, tx shelf.Tx, req bot.Request, d logEntry) (first bool, err error) {
	deeds := f.deeds.In(tx)
	if _, had, err := deeds.Get(p.markKey(mark(req))); err != nil || had {
		return false, err
	}
	d.V, d.At, d.By = 1, f.desk.Now().UTC(), req.User
	all, err := rowsOf(deeds, p)
	if err != nil {
		return false, err
	}
	for i := 0; i <= len(all)-mostDeeds; i++ {
		if err := deeds.Drop(p.markKey(all[i].key)); err != nil {
			return false, err
		}
	}
	return true, deeds.Put(p.markKey(mark(req)), d)
}

func (d logEntry) when() time.Time { return d.At }

// Actions of moderators, as stored in the log.
const (
	muted    = "muted"
	unmuted  = "let speak again"
	shownOut = "shown out" // by /kick, which earlier versions had
	keptOut  = "kept out"
	letIn    = "let in again"
	removed  = "removed a message"
)

// Subjects of actions that aren't about one person, as stored in the log.
const (
	aNetwork     = "the network "
	anInvitation = "all who came by the invitation "
)

// line describes an action in one line.
func (d logEntry) line() text.Text {
	at, by := words.Clock(d.At), text.Name(d.By)
	kind, whom := "person", any(text.Name(d.To))
	if d.To.ID == "" {
		if network, ok := strings.CutPrefix(d.What, aNetwork); ok {
			kind, whom = "network", network
		} else {
			kind, whom = "invitation", strings.TrimPrefix(d.What, anInvitation)
		}
	}
	until := words.Clock(d.Until)
	switch {
	case d.Did == muted:
		return text.Say("{time} · {keeper} muted {whom} until {until}", at, by, whom, until)
	case d.Did == unmuted:
		return text.Say("{time} · {keeper} unmuted {whom}", at, by, whom)
	case d.Did == shownOut:
		return text.Say("{time} · {keeper} removed {whom} until {until}", at, by, whom, until)
	case d.Did == letIn:
		return text.Say("{time} · {keeper} unbanned {kind, select, network {the network {whom}} invitation {everybody who used the invitation {whom}} other {{whom}}}", at, by, kind, whom)
	case d.Did == removed:
		return text.Say("{time} · {keeper} removed a message by {whom}: “{message}”", at, by, whom, text.Shorten(d.What, 60))
	case d.Until.IsZero():
		return text.Say("{time} · {keeper} banned {kind, select, network {the network {whom}} invitation {everybody who used the invitation {whom}} other {{whom}}}", at, by, kind, whom)
	}
	return text.Say("{time} · {keeper} banned {kind, select, network {the network {whom}} invitation {everybody who used the invitation {whom}} other {{whom}}} until {until}", at, by, kind, whom, until)
}

// A row is a row of a home, with the second part of its key.
type row[B ~string, V any] struct {
	key   B
	value V
}

// dated is a value that sorts by time.
type dated interface{ when() time.Time }

// An id is the second part of a key.
type id[B any] interface {
	~string
	shelf.Key[B]
}

// rowsOf returns a home's rows of a shelf, oldest first, within a transaction.
func rowsOf[B id[B], V dated](rows shelf.Rows[shelf.Pair[shelf.Home, B], V], p moderatedPlace) (all []row[B, V], err error) {
	err = shelf.EachIn(rows, shelf.Home(p.home), collect(&all))
	return byAge(all), err
}

// readRows works like rowsOf, but outside a transaction.
func readRows[B id[B], V dated](ctx context.Context, s *shelf.Shelf[shelf.Pair[shelf.Home, B], V], p moderatedPlace) (all []row[B, V], err error) {
	err = shelf.EachUnder(ctx, s, shelf.Home(p.home), collect(&all))
	return byAge(all), err
}

func collect[B ~string, V any](all *[]row[B, V]) func(key B, value V) error {
	return func(key B, value V) error {
		*all = append(*all, row[B, V]{key, value})
		return nil
	}
}

func byAge[B ~string, V dated](all []row[B, V]) []row[B, V] {
	slices.SortFunc(all, func(a, b row[B, V]) int {
		return cmp.Or(a.value.when().Compare(b.value.when()), cmp.Compare(a.key, b.key))
	})
	return all
}

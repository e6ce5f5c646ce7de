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
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
)

// deedsShelf is the log of what keepers did, by home and request: deeds.
const deedsShelf = "deeds"

// mostDeeds is how many are kept of a home; the oldest make way.
const mostDeeds = 500

// A deed is something that a keeper did.
type deed struct {
	V     int       `json:"v"` // 1
	At    time.Time `json:"at"`
	By    bot.User  `json:"by"`
	Did   string    `json:"did"`
	To    bot.User  `json:"to"`
	What  string    `json:"what,omitempty"`
	Until time.Time `json:"until,omitzero"`
}

// mark names a request in a key. It can't be turned back.
func mark(req bot.Request) string {
	sum := sha256.Sum256([]byte(req.ID))
	return hex.EncodeToString(sum[:8])
}

// write puts a deed into the log; first says that the request isn't there yet.
func (p grounds) write(rows bot.Rows, now time.Time, req bot.Request, d deed) (first bool, err error) {
	key := p.key(mark(req))
	if had, err := rows.Get(deedsShelf, key); err != nil || had != nil {
		return false, err
	}
	d.V, d.At, d.By = 1, now.UTC(), req.User
	all, err := rowsOf[deed](rows, deedsShelf, p)
	if err != nil {
		return false, err
	}
	for i := 0; i <= len(all)-mostDeeds; i++ {
		if err := rows.Put(deedsShelf, all[i].key, nil); err != nil {
			return false, err
		}
	}
	return true, notes.Put(rows, deedsShelf, key, d)
}

func (d deed) when() time.Time { return d.At }

// What a keeper can do, as it stands in the log.
const (
	muted    = "muted"
	unmuted  = "let speak again"
	shownOut = "shown out"
	keptOut  = "kept out"
	letIn    = "let in again"
	removed  = "removed a message"
)

// What a deed is about that is about nobody in particular, as it stands in the
// log.
const (
	aNetwork     = "the network "
	anInvitation = "all who came by the invitation "
)

// line is a deed in one line.
func (d deed) line() text.Text {
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
		return text.Say("{time} · {keeper} let {whom} speak again", at, by, whom)
	case d.Did == shownOut:
		return text.Say("{time} · {keeper} showed {whom} out until {until}", at, by, whom, until)
	case d.Did == letIn:
		return text.Say("{time} · {keeper} let {kind, select, network {the network {whom}} invitation {all who came by the invitation {whom}} other {{whom}}} in again", at, by, kind, whom)
	case d.Did == removed:
		return text.Say("{time} · {keeper} removed a message of {whom}: “{message}”", at, by, whom, text.Shorten(d.What, 60))
	case d.Until.IsZero():
		return text.Say("{time} · {keeper} kept {kind, select, network {the network {whom}} invitation {all who came by the invitation {whom}} other {{whom}}} out", at, by, kind, whom)
	}
	return text.Say("{time} · {keeper} kept {kind, select, network {the network {whom}} invitation {all who came by the invitation {whom}} other {{whom}}} out until {until}", at, by, kind, whom, until)
}

// A row is one of a home's, and its key.
type row[T any] struct {
	key   string
	value T
}

// rowsOf are the rows of a shelf that are a home's, the oldest first.
func rowsOf[T interface{ when() time.Time }](rows bot.Rows, shelf string, p grounds) (all []row[T], err error) {
	err = notes.EachOf(rows, shelf, p.key(""), collect(&all))
	return byAge(all), err
}

// readRows is rowsOf outside a change.
func readRows[T interface{ when() time.Time }](ctx context.Context, n bot.Notes, shelf string, p grounds) (all []row[T], err error) {
	err = notes.ReadEachOf(ctx, n, shelf, p.key(""), collect(&all))
	return byAge(all), err
}

func collect[T any](all *[]row[T]) func(key string, value T) error {
	return func(key string, value T) error {
		*all = append(*all, row[T]{key, value})
		return nil
	}
}

func byAge[T interface{ when() time.Time }](all []row[T]) []row[T] {
	slices.SortFunc(all, func(a, b row[T]) int {
		return cmp.Or(a.value.when().Compare(b.value.when()), cmp.Compare(a.key, b.key))
	})
	return all
}

// Package store has what all implementations of [bot.Store] share. The stores are the packages
// below it; storetest has the tests that all must pass.
package store

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
)

// Check returns what is wrong with what was added to a room: events that neither continue the table
// nor begin one, posts and timers without a table, names that aren't UTF-8 and would be changed by
// a database. begins reports whether Append begins a new table.
func Check(r *bot.Room) (begins bool, err error) {
	next := len(r.Events)
	if len(r.Append) > 0 && r.Append[0].Number == 0 {
		begins, next = true, 0
	}
	for i, e := range r.Append {
		if e.Number != next+i {
			return false, fmt.Errorf("append to table %d of %s: event %d is out of place, the next is %d", r.Table, r.Channel, e.Number, next+i)
		}
		if e.Fact == nil {
			return false, fmt.Errorf("append to table %d of %s: event %d has no fact", r.Table, r.Channel, e.Number)
		}
	}
	post := func(p bot.Post) bool { return p.Kind == "" }
	timer := func(t bot.Timer) bool { return t.Kind == "" }
	if !begins && r.Table == 0 && (len(r.Append) > 0 || slices.ContainsFunc(r.Timers, timer) || slices.ContainsFunc(r.Posts, post)) {
		return false, fmt.Errorf("add to %s: it has no table, and only event 0 can begin one", r.Channel)
	}
	if !utf8.ValidString(string(r.Channel)) {
		return false, fmt.Errorf("add to %q: the channel's name is not UTF-8", r.Channel)
	}
	for _, p := range r.Posts {
		if !utf8.ValidString(string(p.For)) {
			return false, fmt.Errorf("add to %s: the name of player %q is not UTF-8", r.Channel, p.For)
		}
	}
	for _, p := range r.Seated {
		if !utf8.ValidString(string(p)) {
			return false, fmt.Errorf("add to %s: the name of player %q is not UTF-8", r.Channel, p)
		}
	}
	return begins, nil
}

// Changes reports whether anything was added to a room.
func Changes(r *bot.Room) bool {
	return len(r.Append)+len(r.Posts)+len(r.Timers) > 0 || r.File != nil
}

// Refuses reports whether only the receipt of a refused request was added to a room.
func Refuses(r *bot.Room) bool {
	return r.Refused && r.File != nil && len(r.Append)+len(r.Posts)+len(r.Timers) == 0
}

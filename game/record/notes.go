package record

import (
	"encoding/json"
	"strings"
)

// notesSince says what of rows came with which dialect after the first: a shelf by whose it
// is and its name, such as "host/muted", a field by where it is, "host/settings.board", a
// value of it as "host/settings.board=live". It has what a program that doesn't know it
// does wrong without: whom it would let speak, or call. What it only keeps as it is has
// none. cmd/rackmate/testdata/rows.txt lists all that there is; a test says what to do
// when something is added.
var notesSince = map[string]int{
	// An older program would open tables for an event at real boards, forfeit games that wait
	// for the director, and call off an event whose channel was removed.
	"host/tournaments.real": 3,
	"host/tournaments.held": 3,
	"host/tournaments.gone": 3,
	"discord/last.latest":   3, // without it a program posts another board, and leaves this one
	"slack/last.latest":     3,
}

// DialectOfNote returns the dialect that a reader of a row of notes must know, as [DialectOf]
// is that of an event's.
func DialectOfNote(adapter, shelf string, value []byte) int {
	return dialectOfNote(adapter+"/"+shelf, value, notesSince)
}

func dialectOfNote(at string, value []byte, since map[string]int) int {
	told := false // of the shelf, or of something on it
	for name := range since {
		told = told || name == at || strings.HasPrefix(name, at+".")
	}
	if !told {
		return 1
	}
	var row any
	if json.Unmarshal(value, &row) != nil {
		row = nil // stored as it is: it has no fields
	}
	return max(1, since[at], newest(at, row, since))
}

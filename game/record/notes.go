package record

import (
	"encoding/json"
	"strings"
)

// notesSince maps additions to rows to the dialect that introduced them, if not the first: a shelf
// by its owner and name, such as "host/muted", a field by its path, such as "host/settings.board",
// a value as "host/settings.board=live". It lists only what an unaware program would handle
// wrongly, such as whom to let speak or notify; what it merely preserves isn't listed.
// cmd/rackmate/testdata/rows.txt lists everything; a test says what to do when something is added.
var notesSince = map[string]int{
	// An older program would open tables for an event at real boards, forfeit games that wait for
	// the director, and cancel an event whose channel was removed.
	"host/tournaments.real": 3,
	"host/tournaments.held": 3,
	"host/tournaments.gone": 3,
	"discord/last.latest":   3, // a program unaware of it posts another board and leaves this one
	"slack/last.latest":     3,
	// An older program would count a game that ended early, and forget who gave such games up.
	"host/results.early":  3,
	"host/players.early":  3,
	"host/daily-versions": 3, // an older program would make other boards of the same days
}

// DialectOfNote returns the dialect that a reader of a row of notes must know, as [DialectOf] does
// for events.
func DialectOfNote(adapter, shelf string, value []byte) int {
	return dialectOfNote(adapter+"/"+shelf, value, notesSince)
}

func dialectOfNote(at string, value []byte, since map[string]int) int {
	told := false // the shelf, or something on it, is listed
	for name := range since {
		told = told || name == at || strings.HasPrefix(name, at+".")
	}
	if !told {
		return 1
	}
	var row any
	if json.Unmarshal(value, &row) != nil {
		row = nil // stored as is: it has no fields
	}
	return max(1, since[at], newest(at, row, since))
}

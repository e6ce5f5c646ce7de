// Package files writes competitions in the formats of other programs: TSH's division files
// (".t"), NASPA's text form of them, TOU for WESPA's rating officers, CSV, and games in a
// zip. From the first two it also reads rosters.
//
// TSH, NASPA's form and TOU are ASCII: names are transliterated by the table of ICAO's Doc
// 9303, part 3, section 6 (see transliterate). What a format can't represent is written as
// closely as possible, and returned as a Change beside the file.
package files

import (
	"fmt"
	"time"

	"github.com/rackmate/rackmate/game/contest"
)

// An Event is a tournament or a season to write.
type Event struct {
	Name      string
	Date      time.Time
	Divisions []Division
}

// A Division is a contest with a name.
type Division struct {
	Name    string
	Contest *contest.Contest
}

// A Problem is an error in a file that is read, or something that a format can't represent.
type Problem string

// The kinds of problems.
const (
	Encoding    Problem = "encoding"   // not UTF-8 text
	Tab         Problem = "tab"        // a tab where another separator is expected
	NameMissing Problem = "name"       // no name
	NameLost    Problem = "name lost"  // a name that the format can't represent
	NameTwice   Problem = "name twice" // two people with the same name
	BadRating   Problem = "rating"     // not a number from 0 to 9999
	BadOpponent Problem = "opponent"   // a player who plays two opponents at once
	BadScore    Problem = "score"      // a number that the format can't represent
	Empty       Problem = "empty"      // an empty file
	Uneven      Problem = "uneven"     // matches in which some played more games than others
	VoidGame    Problem = "void"       // a game that doesn't count
)

// A Change is something that is written differently because the format can't represent it.
type Change struct {
	Problem Problem // NameLost, NameTwice, BadScore or VoidGame
	What    string  // the name, the name and the score, or the pairing
	As      string  // what is written instead; nothing for a void game
}

// An Error is a problem and its position.
type Error struct {
	Problem Problem
	Line    int    // from 1; 0 if it concerns no line
	What    string // the name or the cell in question
}

func (e *Error) Error() string {
	s := string(e.Problem)
	if e.Line > 0 {
		s = fmt.Sprintf("line %d: %s", e.Line, s)
	}
	if e.What != "" {
		s += fmt.Sprintf(": %q", e.What)
	}
	return s
}

func fail(p Problem, line int, what string) error { return &Error{p, line, what} }

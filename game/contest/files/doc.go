// Package files writes competitions in the formats of other programs: TSH's division
// files (".t"), the text form of them that NASPA takes, TOU as WESPA's rating officers
// take it, CSV, and games in a zip. From the first two it also reads rosters.
//
// TSH, NASPA's form and TOU are ASCII: names are put into it by the table of ICAO's
// Doc 9303, part 3, section 6 (see Transliterate). What a form has no place for is written
// as well as it can be, and returned as a Change beside the file.
package files

import (
	"fmt"
	"time"

	"github.com/rackmate/rackmate/game/contest"
)

// An Event is what is written: a tournament or a season.
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

// A Problem is what is wrong with something that is read, or what a form has no place
// for.
type Problem string

// The problems.
const (
	Encoding    Problem = "encoding"   // no UTF-8 text
	Tab         Problem = "tab"        // a tab where cells are parted by something else
	NameMissing Problem = "name"       // no name
	NameLost    Problem = "name lost"  // a name that the form can't say
	NameTwice   Problem = "name twice" // two of one name
	BadRating   Problem = "rating"     // no number from 0 to 9999
	BadOpponent Problem = "opponent"   // somebody who plays two at once
	BadScore    Problem = "score"      // a number that the form can't say
	Empty       Problem = "empty"      // nothing in it
	Uneven      Problem = "uneven"     // matches in which some played more games than others
	VoidGame    Problem = "void"       // a game that counts for nothing
)

// A Change is something that is written otherwise than it is, because a form has no place
// for it.
type Change struct {
	Problem Problem // NameLost, NameTwice, BadScore or VoidGame
	What    string  // the name, the name and the score, or the pairing
	As      string  // what is written instead; of a void game nothing
}

// An Error is a problem and where it is.
type Error struct {
	Problem Problem
	Line    int    // from 1; 0 where it is of no line
	What    string // the name or the cell that it is about
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

package host

import "time"

// What the tests of package host_test look at from outside.
var (
	ExplainRule = explainRule
	Backoff     = backoff
	Spelling    = spelling
	ValidSpots  = validSpots
)

// A Table is a table as explainRule sees it.
type Table = table

// QuietEnd is when quiet hours, as they are typed, are over.
func QuietEnd(hours string, at time.Time, zone string) (time.Time, bool) {
	l, ok1 := zoneNamed(zone)
	span, ok2 := parseDaySpan(hours)
	if !ok1 || !ok2 {
		return time.Time{}, false
	}
	return span.end(at, l), true
}

var ParseUntil = parseUntil

// What people are told that a wrong challenge costs.
var (
	WrongChallengeCosts = wrongChallengeCosts
	ChallengeChoices    = challengeChoices
)

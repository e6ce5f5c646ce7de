package features

import (
	"time"

	"github.com/rackmate/rackmate/bot/feature/pace"
	"github.com/rackmate/rackmate/bot/loops"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
)

// What the tests of package host_test look at from outside.
var (
	ExplainRule = words.ExplainRule
	Backoff     = loops.Backoff
	Spelling    = table.Spelling
	ValidSpots  = table.ValidSpots
)

// A Table is a table as explainRule sees it.
type Table = table.Table

// QuietEnd is when quiet hours, as they are typed, are over.
func QuietEnd(hours string, at time.Time, zone string) (time.Time, bool) {
	l, ok1 := settings.ZoneNamed(zone)
	span, ok2 := settings.ParseDaySpan(hours)
	if !ok1 || !ok2 {
		return time.Time{}, false
	}
	return span.End(at, l), true
}

var ParseUntil = pace.ParseUntil

// What people are told that a wrong challenge costs.
var (
	WrongChallengeCosts = words.WrongChallengeCosts
	ChallengeChoices    = words.ChallengeChoices
)

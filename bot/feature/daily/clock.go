package daily

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/game/puzzle"
)

// An hour is the local time at which a place's days begin, in minutes after midnight.
type hour int

// parseHour reads "9", "9:00" or "21:30".
func parseHour(text string) (hour, bool) {
	h, m, has := strings.Cut(text, ":")
	hours, err1 := strconv.Atoi(h)
	minutes, err2 := 0, error(nil)
	if has {
		minutes, err2 = strconv.Atoi(m)
		has = len(m) != 2
	}
	if strings.ContainsAny(text, "+-") || err1 != nil || err2 != nil || has || len(h) > 2 || hours < 0 || hours > 23 || minutes < 0 || minutes > 59 {
		return 0, false
	}
	return hour(hours*60 + minutes), true
}

func (h hour) String() string { return fmt.Sprintf("%d:%02d", h/60, h%60) }

// openingTime returns the time at which a day begins in a zone: the first moment when the local clock
// shows the hour, or the moment of the clock change if it skips the hour.
func openingTime(d puzzle.Day, h hour, zone *time.Location) time.Time {
	date := d.Date()
	wall := time.Date(date.Year(), date.Month(), date.Day(), int(h)/60, int(h)%60, 0, 0, time.UTC)
	var first time.Time
	for _, near := range []time.Time{wall.Add(-26 * time.Hour), wall.Add(26 * time.Hour)} {
		_, offset := near.In(zone).Zone()
		at := wall.Add(-time.Duration(offset) * time.Second)
		if showSameMinute(at.In(zone), wall) && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	if !first.IsZero() {
		return first
	}
	// No clock shows the hour: that night's clock change skips it.
	_, before := wall.Add(-26 * time.Hour).In(zone).Zone()
	at := wall.Add(-time.Duration(before) * time.Second).In(zone)
	if change, _ := at.ZoneBounds(); !change.IsZero() && at.Sub(change) < 26*time.Hour {
		return change.UTC()
	}
	return at.UTC()
}

// showSameMinute reports whether two clocks agree to the minute.
func showSameMinute(local, wall time.Time) bool {
	h1, m1, _ := local.Clock()
	h2, m2, _ := wall.Clock()
	return puzzle.DayOf(local) == puzzle.DayOf(wall) && h1 == h2 && m1 == m2
}

// latestDay returns the latest day that has begun by a time.
func latestDay(at time.Time, h hour, zone *time.Location) puzzle.Day {
	d := puzzle.DayOf(at.In(zone)) + 1
	for openingTime(d, h, zone).After(at) {
		d--
	}
	return d
}

// shortest is the minimum length of a day. A day that a change of hour or zone would make shorter
// lasts until the end of the next. If a place moves far to the west, one day can last two.
const shortest = 12 * time.Hour

// nextDay returns the day that begins at a time after a previous day (0 for none), and when it ends.
func nextDay(at time.Time, after puzzle.Day, h hour, zone *time.Location) (d puzzle.Day, ends time.Time) {
	d = max(latestDay(at, h, zone), after+1)
	if ends = openingTime(d+1, h, zone); ends.Sub(at) < shortest {
		ends = openingTime(d+2, h, zone)
	}
	return d, ends
}

package daily

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/puzzle"
)

func location(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	gametest.Must(t, err)
	return zone
}

func date(t testing.TB, text string) puzzle.Day {
	t.Helper()
	at, err := time.Parse(time.DateOnly, text)
	gametest.Must(t, err)
	return puzzle.DayOf(at)
}

// A day begins when the local clock first shows the hour, or at the clock change that skips it.
func TestDayOpensAtLocalHour(t *testing.T) {
	for _, c := range []struct{ zone, date, hour, want string }{
		{"Europe/Berlin", "2026-06-01", "9:00", "2026-06-01T07:00:00Z"},
		{"Europe/Berlin", "2026-03-29", "2:30", "2026-03-29T01:00:00Z"}, // there is no 2:30 that night
		{"Europe/Berlin", "2026-03-29", "3:00", "2026-03-29T01:00:00Z"},
		{"Europe/Berlin", "2026-10-25", "2:30", "2026-10-25T00:30:00Z"}, // the first of two
		{"Europe/Berlin", "2026-10-25", "3:00", "2026-10-25T02:00:00Z"},
		{"America/New_York", "2026-03-08", "2:00", "2026-03-08T07:00:00Z"},
		{"America/New_York", "2026-11-01", "1:15", "2026-11-01T05:15:00Z"},
		{"Australia/Lord_Howe", "2026-10-04", "2:15", "2026-10-03T15:30:00Z"}, // half an hour is skipped
		{"Asia/Kathmandu", "2028-02-29", "0:00", "2028-02-28T18:15:00Z"},
		{"Pacific/Kiritimati", "2026-12-31", "23:59", "2026-12-31T09:59:00Z"},
		{"Pacific/Pago_Pago", "2026-12-31", "23:59", "2027-01-01T10:59:00Z"},
	} {
		h, ok := parseHour(c.hour)
		if !ok {
			t.Fatalf("%s is no hour", c.hour)
		}
		if got := openingTime(date(t, c.date), h, location(t, c.zone)).UTC().Format(time.RFC3339); got != c.want {
			t.Errorf("%s at %s in %s begins at %s, want %s", c.date, c.hour, c.zone, got, c.want)
		}
	}
}

func TestParseHour(t *testing.T) {
	for text, want := range map[string]string{"9": "9:00", "9:00": "9:00", "09:05": "9:05", "0": "0:00", "23:59": "23:59"} {
		if h, ok := parseHour(text); !ok || h.String() != want {
			t.Errorf("%q is %v, %t; want %s", text, h, ok, want)
		}
	}
	for _, bad := range []string{"", "24", "24:00", "25:00", "9:60", "9:5", "9:", ":30", "-1", "9-10", "x", "9:000", "+9", "1e1"} {
		if h, ok := parseHour(bad); ok {
			t.Errorf("%q is %v", bad, h)
		}
	}
}

// In every zone, at every hour, over two years: days follow each other, and each lasts about a day.
func TestDaysFollowEachOther(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati", "UTC"} {
		zone := location(t, name)
		for h := hour(0); h < 24*60; h += 95 {
			at := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
			d := latestDay(at, h, zone)
			ends := openingTime(d+1, h, zone)
			for range 800 {
				after, then := nextDay(ends, d, h, zone)
				if long := then.Sub(ends); after != d+1 || long < 22*time.Hour || long > 26*time.Hour {
					t.Fatalf("%s at %s: day %d ends at %s, then comes %d until %s", name, h, d, ends, after, then)
				}
				if ahead := latestDay(ends.Add(-time.Second), h, zone); ahead != d {
					t.Fatalf("%s at %s: a second before the end of day %d it is %d", name, h, d, ahead)
				}
				d, ends = after, then
			}
		}
	}
}

// A place that moves keeps the end of its open day. The next begins then, and none is shorter than
// half a day.
func TestMovedPlaceKeepsDayEnd(t *testing.T) {
	h, _ := parseHour("9:00")
	zones := []string{"Europe/Berlin", "America/New_York", "Asia/Tokyo", "Pacific/Kiritimati", "Pacific/Pago_Pago"}
	for _, from := range zones {
		for _, to := range zones {
			d := latestDay(time.Date(2026, 5, 5, 12, 0, 0, 0, time.UTC), h, location(t, from))
			ends := openingTime(d+1, h, location(t, from))
			after, then := nextDay(ends, d, h, location(t, to))
			if long := then.Sub(ends); after <= d || after > d+2 || long < shortest || long > 50*time.Hour {
				t.Errorf("from %s to %s: after day %d, which ends at %s, comes %d until %s", from, to, d, ends, after, then)
			}
			next, _ := nextDay(then, after, h, location(t, to))
			if want := puzzle.DayOf(then.In(location(t, to))); next != want {
				t.Errorf("from %s to %s: then comes %d, by the calendar it is %d", from, to, next, want)
			}
		}
	}
}

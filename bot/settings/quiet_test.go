package settings

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/bottest"
)

// quietEnd returns when quiet hours, as typed, are over.
func quietEnd(hours string, at time.Time, zone string) (time.Time, bool) {
	l, ok := ZoneNamed(zone)
	span, ok2 := parseDaySpan(hours)
	if !ok || !ok2 {
		return time.Time{}, false
	}
	return span.End(at, l), true
}

func TestQuietHours(t *testing.T) {
	for _, c := range []struct{ zone, quiet, at, end string }{
		{"Europe/Berlin", "22-8", "2026-06-01 21:59", ""},
		{"Europe/Berlin", "22-8", "2026-06-01 22:00", "2026-06-02 08:00"},
		{"Europe/Berlin", "22-8", "2026-06-02 07:59", "2026-06-02 08:00"},
		{"Europe/Berlin", "22-8", "2026-06-02 08:00", ""},
		{"Asia/Kathmandu", "13:30-14:15", "2026-06-02 14:00", "2026-06-02 14:15"},
		{"Europe/Berlin", "22-24", "2026-06-01 23:00", "2026-06-02 00:00"},
		{"America/St_Johns", "0-24", "2026-06-02 14:00", "none"},                   // an empty span
		{"Europe/Berlin", "1-2:30", "2026-03-29 01:30", "2026-03-29 03:00"},        // there is no 2:30 that night
		{"Europe/Berlin", "22-8", "2026-10-24 23:00", "2026-10-25 08:00"},          // an hour more
		{"Australia/Lord_Howe", "22-2:15", "2026-10-04 01:59", "2026-10-04 02:30"}, // half an hour less
		{"Pacific/Apia", "22-8", "2011-12-29 23:00", "2011-12-31 08:00"},           // there was no 30 December
	} {
		got, ok := quietEnd(c.quiet, bottest.In(t, c.zone, c.at), c.zone)
		if c.end == "none" {
			if ok {
				t.Errorf("%s are hours", c.quiet)
			}
			continue
		}
		want := bottest.In(t, c.zone, c.at)
		if c.end != "" {
			want = bottest.In(t, c.zone, c.end)
		}
		if !ok || !got.Equal(want) {
			t.Errorf("%s in %s at %s: quiet until %v, want %v", c.quiet, c.zone, c.at, got.In(want.Location()), want)
		}
	}
	for _, bad := range []string{"", "22", "8-8", "25-3", "22-8-9", "x-y", "22:60-8", "-1-8", "22--1", "22-8:-5", "22-24:01"} {
		if _, ok := quietEnd(bad, time.Now(), "UTC"); ok {
			t.Errorf("%q are hours", bad)
		}
	}
}

// A message that must come before quiet hours comes in the last minute before them, even if
// the clocks change in between. Outside quiet hours it keeps its time.
func TestBeforeQuietHours(t *testing.T) {
	for _, c := range []struct{ zone, quiet, at, begin string }{
		{"Europe/Berlin", "22-8", "2026-06-01 12:00", "2026-06-01 12:00"},
		{"Europe/Berlin", "22-8", "2026-06-01 22:00", "2026-06-01 21:59"},
		{"Europe/Berlin", "22-8", "2026-06-02 07:59", "2026-06-01 21:59"},
		{"Europe/Berlin", "22-8", "2026-06-02 08:00", "2026-06-02 08:00"},
		{"Europe/Berlin", "2-7", "2026-03-29 06:00", "2026-03-29 01:59"}, // there is no 2:00 that night
		{"Pacific/Apia", "22-8", "2011-12-31 07:00", "2011-12-29 21:59"}, // there was no 30 December
	} {
		zone, ok := ZoneNamed(c.zone)
		span, ok2 := parseDaySpan(c.quiet)
		if !ok || !ok2 {
			t.Fatalf("%s in %s", c.quiet, c.zone)
		}
		if got, want := span.Begin(bottest.In(t, c.zone, c.at), zone), bottest.In(t, c.zone, c.begin); !got.Equal(want) {
			t.Errorf("%s in %s at %s: before it is %v, want %v", c.quiet, c.zone, c.at, got.In(zone), want)
		}
	}
}

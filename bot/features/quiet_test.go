package features_test

import (
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot/features"
)

func in(t testing.TB, zone, at string) time.Time {
	t.Helper()
	l, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	when, err := time.ParseInLocation("2006-01-02 15:04", at, l)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

func TestQuietHours(t *testing.T) {
	for _, c := range []struct{ zone, quiet, at, end string }{
		{"Europe/Berlin", "22-8", "2026-06-01 21:59", ""},
		{"Europe/Berlin", "22-8", "2026-06-01 22:00", "2026-06-02 08:00"},
		{"Europe/Berlin", "22-8", "2026-06-02 07:59", "2026-06-02 08:00"},
		{"Europe/Berlin", "22-8", "2026-06-02 08:00", ""},
		{"Asia/Kathmandu", "13:30-14:15", "2026-06-02 14:00", "2026-06-02 14:15"},
		{"America/St_Johns", "0-24", "2026-06-02 14:00", "none"},                   // no hours at all
		{"Europe/Berlin", "1-2:30", "2026-03-29 01:30", "2026-03-29 03:00"},        // there is no 2:30 that night
		{"Europe/Berlin", "22-8", "2026-10-24 23:00", "2026-10-25 08:00"},          // an hour more
		{"Australia/Lord_Howe", "22-2:15", "2026-10-04 01:59", "2026-10-04 02:30"}, // half an hour less
		{"Pacific/Apia", "22-8", "2011-12-29 23:00", "2011-12-31 08:00"},           // there was no 30 December
	} {
		got, ok := features.QuietEnd(c.quiet, in(t, c.zone, c.at), c.zone)
		if c.end == "none" {
			if ok {
				t.Errorf("%s are hours", c.quiet)
			}
			continue
		}
		want := in(t, c.zone, c.at)
		if c.end != "" {
			want = in(t, c.zone, c.end)
		}
		if !ok || !got.Equal(want) {
			t.Errorf("%s in %s at %s: quiet until %v, want %v", c.quiet, c.zone, c.at, got.In(want.Location()), want)
		}
	}
	for _, bad := range []string{"", "22", "8-8", "25-3", "22-8-9", "x-y", "22:60-8", "-1-8"} {
		if _, ok := features.QuietEnd(bad, time.Now(), "UTC"); ok {
			t.Errorf("%q are hours", bad)
		}
	}
}

func TestUntil(t *testing.T) {
	now := in(t, "Asia/Tokyo", "2027-12-30 10:00")
	for text, want := range map[string]string{
		"3":                 "2028-01-02 10:00",
		"3 days":            "2028-01-02 10:00",
		"2028-01-05":        "2028-01-05 00:00",
		"5 jan":             "2028-01-05 00:00",
		"jan 5":             "2028-01-05 00:00",
		"until 31 December": "2027-12-31 00:00",
		"29 feb":            "2028-02-29 00:00",
		"30 dec":            "2028-12-30 00:00",
		"tomorrow":          "", "0": "", "-3": "", "31 feb": "", "2028-13-01": "",
	} {
		got, ok := features.ParseUntil(text, now, now.Location())
		if ok != (want != "") || ok && !got.Equal(in(t, "Asia/Tokyo", want)) {
			t.Errorf("%q: %v, %t; want %s", text, got, ok, want)
		}
	}
}

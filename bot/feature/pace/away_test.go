package pace

import (
	"testing"

	"github.com/rackmate/rackmate/bot/bottest"
)

func TestParseUntil(t *testing.T) {
	now := bottest.In(t, "Asia/Tokyo", "2027-12-30 10:00")
	for text, want := range map[string]string{
		"3":                 "2028-01-02 10:00",
		"3 days":            "2028-01-02 10:00",
		"2028-01-05":        "2028-01-05 00:00",
		"5 jan":             "2028-01-05 00:00",
		"jan 5":             "2028-01-05 00:00",
		"until 31 December": "2027-12-31 00:00",
		"29 feb":            "2028-02-29 00:00",
		"30 dec":            "2028-12-30 00:00",
		"367":               "2028-12-31 10:00",
		"999999 days":       "4765-11-25 10:00",
		"1000000":           "", "tomorrow": "", "0": "", "-3": "", "31 feb": "", "2028-13-01": "",
	} {
		got, ok := parseUntil(text, now, now.Location())
		if ok != (want != "") || ok && !got.Equal(bottest.In(t, "Asia/Tokyo", want)) {
			t.Errorf("%q: %v, %t; want %s", text, got, ok, want)
		}
	}
}

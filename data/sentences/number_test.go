package sentences_test

import (
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestNumbers checks the number formats of languages.
func TestNumbers(t *testing.T) {
	locales, err := sentences.Load(data.Sentences())
	gametest.Must(t, err)
	for code, want := range map[string][3]string{
		"en": {"270,654", "-12,345", "-3.5"}, "de": {"270.654", "-12.345", "-3,5"}, "es": {"270.654", "-12.345", "-3,5"},
		"fr": {"270\u00a0654", "-12\u00a0345", "-3,5"}, "nl": {"270.654", "-12.345", "-3,5"},
		"pl": {"270\u00a0654", "-12\u00a0345", "-3,5"}, "pt": {"270.654", "-12.345", "-3,5"},
	} {
		to, ok := locales.ByCode(code)
		if !ok {
			t.Fatalf("no %s", code)
		}
		if got := [3]string{to.Number(270654), to.Number(-12345), to.Tenths(-3.46)}; got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
		if got := to.Number(9999) + to.Number(-9999) + to.Number(0); got != "9999-99990" {
			t.Errorf("%s: short numbers are %s", code, got)
		}
	}
	if got := sentences.Pseudo.Number(1234567) + sentences.Pseudo.Tenths(12); got != "1,234,56712.0" {
		t.Errorf("with an accent: %s", got)
	}
}

package sentences_test

import (
	"testing"

	"github.com/rackmate/rackmate/data/sentences"
)

func TestIsolate(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"Bob 8", "Bob 8"},
		{"דנה 12 · Bob 8", "\u2068דנה\u2069 12 · Bob 8"},
		{"8 משה כהן", "8 \u2068משה כהן\u2069"},
		{"דנה\nמשה\n", "\u2068דנה\u2069\n\u2068משה\u2069\n"},
		// Columns have their own marks, after a letter or its cell.
		{"\u200e 1 ד\u200e ןֹ\u200e נ  \u200e .", "\u200e 1 ד\u200e ןֹ\u200e נ  \u200e ."},
		// A name that contains such a character affects nothing else, and neither do others beside
		// it.
		{"ד\u200eנה 12, משה 7", "ד\u200e\u2068נה\u2069 12, \u2068משה\u2069 7"},
	} {
		if got := sentences.Isolate(c.text); got != c.want {
			t.Errorf("Isolate(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

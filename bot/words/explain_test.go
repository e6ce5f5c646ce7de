package words_test

import (
	"testing"

	"github.com/rackmate/rackmate/bot/words"
)

func TestArticle(t *testing.T) {
	for letter, want := range map[string]string{
		"A": "an A", "B": "a B", "U": "a U", "H": "an H", "X": "an X",
		"İ": "an İ", "I": "an I", "Ñ": "an Ñ", "Ł": "an Ł", "Ż": "a Ż", "Ü": "a Ü", "Å": "an Å", "Ç": "a Ç", "Þ": "a Þ",
		"CH": "a CH", "LL": "an LL", "L·L": "an L·L", "QU": "a QU", "SZ": "an SZ",
		"Ω": "an Ω", "Ξ": "a Ξ", "Ё": "a Ё", "Э": "an Э", "Й": "a Й", "Ї": "a Ї", "Т": "a Т", "א": "an א", "ב": "a ב",
	} {
		if got := words.Article(letter, false).String(); got != want {
			t.Errorf("%s is %q, want %q", letter, got, want)
		}
	}
	if got := words.Article("İ", true).String(); got != "An İ" {
		t.Errorf("at the beginning of a sentence İ is %q", got)
	}
}

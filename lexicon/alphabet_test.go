package lexicon

import (
	"errors"
	"strings"
	"testing"
)

func mustAlphabet(t testing.TB, letters ...string) *Alphabet {
	t.Helper()
	a, err := NewAlphabet(letters)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAlphabetTakesTheLongestLetter(t *testing.T) {
	a := mustAlphabet(t, "A", "L", "LL", "L·L", "M", "Ñ")
	for _, tt := range []struct {
		text string
		want Word
		back string
	}{
		{"ALA", "\x01\x02\x01", "ALA"},
		{"LLAMA", "\x03\x01\x05\x01", "LLAMA"},
		{"llama", "\x03\x01\x05\x01", "LLAMA"},
		{"[L][L]AMA", "\x02\x02\x01\x05\x01", "LLAMA"},
		{"AL·LA", "\x01\x04\x01", "AL·LA"},
		{"[l·l]a", "\x04\x01", "L·LA"},
		{"ñA", "\x06\x01", "ÑA"},
		{"", "", ""},
	} {
		got, err := a.Parse(tt.text)
		if err != nil || got != tt.want || a.String(got) != tt.back {
			t.Errorf("Parse(%q) = %q, %v, printed %q; want %q printed %q", tt.text, got, err, a.String(got), tt.want, tt.back)
		}
		if again, err := a.Parse(a.Spell(got)); err != nil || again != got {
			t.Errorf("%q is spelled %q, which reads %q, %v", tt.text, a.Spell(got), again, err)
		}
	}
	for _, bad := range []string{"AXA", "A A", "[", "[]", "[X]A", "A\xff", "?"} {
		if w, err := a.Parse(bad); !errors.Is(err, ErrNoLetter) {
			t.Errorf("Parse(%q) = %q, %v; want ErrNoLetter", bad, w, err)
		}
	}
}

// TestPlainWordsParseTheSame checks that the fast path for plain characters, which a "|"
// prevents, gives the same words.
func TestPlainWordsParseTheSame(t *testing.T) {
	english := strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "")
	for name, a := range map[string]*Alphabet{
		"English": mustAlphabet(t, english...),
		"folded":  mustAlphabet(t, english...).WithFolding(Folding{Typed: map[string]string{"ij": "Y"}}),
		"Turkish": mustAlphabet(t, "A", "B", "I", "İ"),
		"Spanish": mustAlphabet(t, "A", "B", "L", "LL", "Ñ"),
		"Greek":   mustAlphabet(t, "Α", "Β"),
	} {
		for _, text := range []string{"", "a", "AB", "cAbbAge", "ball", "Ñ", "bi", "BI", "ij", "a1", "é", "a b", "ab\x00", "AΒ"} {
			got, err := a.Parse(text)
			want, wantErr := a.Parse("|" + text)
			if got != want || (err == nil) != (wantErr == nil) {
				t.Errorf("%s: %q reads as %q, %v; letter by letter as %q, %v", name, text, got, err, want, wantErr)
			}
		}
	}
}

func TestAlphabetRejectsUnwritableLetters(t *testing.T) {
	for name, letters := range map[string][]string{
		"none": {}, "empty letter": {"A", ""}, "twice": {"A", "a"}, "blank's sign": {"?"},
		"space": {"A B"}, "digit": {"A1"}, "bracket": {"[A"}, "not UTF-8": {"\xff"}, "too many": make([]string, MaxLetters+1),
	} {
		if _, err := NewAlphabet(letters); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestUpperCaseByLanguage checks that upper case follows the language.
func TestUpperCaseByLanguage(t *testing.T) {
	for _, test := range []struct{ letters, text, want string }{
		{"A B C D E I L M", "bilim", "BILIM"},
		{"A B C D E I İ L M", "bilim", "BİLİM"},
		{"A B C D E I İ L M", "ılım", "ILIM"},
		{"А Е Ё Ж", "ёж", "ЁЖ"},
	} {
		a, err := NewAlphabet(strings.Fields(test.letters))
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Upper(test.text); got != test.want {
			t.Errorf("%s is %s in upper case of %s, want %s", test.text, got, test.letters, test.want)
		}
	}
}

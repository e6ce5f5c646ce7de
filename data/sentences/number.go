package sentences

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	numbers "golang.org/x/text/number"
)

// Tenths is a number written with one decimal.
type Tenths float64

// A signs value holds the separators in a language's numbers: "." and "," of "10.000,5".
type signs struct{ group, decimal string }

// englishSigns holds the separators of English.
var englishSigns = signs{",", "."}

// signsOf returns a function that determines the separators of a language on first use.
func signsOf(tag language.Tag) func() signs {
	return sync.OnceValue(func() signs {
		group, rest, ok := strings.Cut(strings.TrimPrefix(message.NewPrinter(tag).Sprint(numbers.Decimal(10000.5)), "10"), "000")
		decimal := strings.TrimSuffix(rest, "5")
		if !ok || utf8.RuneCountInString(group) != 1 || utf8.RuneCountInString(decimal) != 1 {
			return englishSigns // other digits than 0 to 9
		}
		return signs{group, decimal}
	})
}

func (t *Locale) numberSigns() signs {
	if t == nil || t.signs == nil {
		return englishSigns
	}
	return t.signs()
}

// Number returns a whole number in the locale's notation, with groups of three digits from five
// digits on, so that years and ratings have none.
func (t *Locale) Number(n int) string {
	text := strconv.Itoa(n)
	if -10_000 < n && n < 10_000 {
		return text
	}
	group := t.numberSigns().group
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + group + text[i:]
	}
	return text
}

// Tenths returns a number with one decimal in the locale's notation.
func (t *Locale) Tenths(x Tenths) string {
	return strings.Replace(strconv.FormatFloat(float64(x), 'f', 1, 64), ".", t.numberSigns().decimal, 1)
}

// Written returns a value of a sentence as plain text, with numbers in the locale's notation.
func (t *Locale) Written(v any) string {
	switch v := v.(type) {
	case int:
		return t.Number(v)
	case Tenths:
		return t.Tenths(v)
	}
	return fmt.Sprint(v)
}

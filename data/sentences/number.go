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

// Tenths is a number that is written with one digit behind the decimal sign.
type Tenths float64

// signs are those in a language's numbers: "." and "," of "10.000,5".
type signs struct{ group, decimal string }

// englishSigns are the signs of English.
var englishSigns = signs{",", "."}

// signsOf finds them out when they are first asked for.
func signsOf(tag language.Tag) func() signs {
	return sync.OnceValue(func() signs {
		group, rest, ok := strings.Cut(strings.TrimPrefix(message.NewPrinter(tag).Sprint(numbers.Decimal(10000.5)), "10"), "000")
		decimal := strings.TrimSuffix(rest, "5")
		if !ok || utf8.RuneCountInString(group) != 1 || utf8.RuneCountInString(decimal) != 1 {
			return englishSigns // in other digits than 0 to 9
		}
		return signs{group, decimal}
	})
}

func (t *Tongue) numberSigns() signs {
	if t == nil || t.signs == nil {
		return englishSigns
	}
	return t.signs()
}

// Number returns a whole number as the tongue writes it: from five digits on it is in
// groups of three, so that years and ratings aren't.
func (t *Tongue) Number(n int) string {
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

// Tenths returns a number with one digit behind the decimal sign, as the tongue writes it.
func (t *Tongue) Tenths(x Tenths) string {
	return strings.Replace(strconv.FormatFloat(float64(x), 'f', 1, 64), ".", t.numberSigns().decimal, 1)
}

// Written returns a value of a sentence in plain text: numbers as the tongue writes them.
func (t *Tongue) Written(v any) string {
	switch v := v.(type) {
	case int:
		return t.Number(v)
	case Tenths:
		return t.Tenths(v)
	}
	return fmt.Sprint(v)
}

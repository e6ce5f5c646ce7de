# A sentence: text.Say where it is said, and the catalogues lack it until a release.
# tests: ./data/sentences ./bot/feature/study
# tests: ./bot/features -run Catalogues|Sentences|English
# tests: ./cmd/internal/lists -run Language
change() {
	cat >bot/feature/study/greeting.go <<'GO'
package study

import "github.com/rackmate/rackmate/bot/text"

// Greeting is said to whoever looks a word up at night.
func Greeting() text.Text { return text.Say("You are up late. Good luck with your words.") }
GO
}
noticed() { grep -q "You are up late" "$1"; } # that six languages lack it
taken() { ! go run ./cmd/rackmate language check >/dev/null 2>&1; } # so that no release forgets it

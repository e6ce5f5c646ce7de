# A sentence: text.Say where it is said, and the catalogues lack it until a release.
# tests: ./data/... ./bot/feature/study
# tests: ./bot/features -run Catalogues|Sentences|English
# tests: ./cmd/rackmate -run Language
cat >bot/feature/study/greeting.go <<'GO'
package study

import "github.com/rackmate/rackmate/bot/text"

// Greeting is said to whoever looks a word up at night.
func Greeting() text.Text { return text.Say("You are up late. Good luck with your words.") }
GO
if go test ./bot/features -run TestCatalogues >/dev/null 2>&1; then echo "nobody noticed a sentence that six languages lack"; exit 1; fi
go test ./bot/features -run TestCatalogues -update >/dev/null
! go run ./cmd/rackmate language check >/dev/null 2>&1 # so that no release forgets it

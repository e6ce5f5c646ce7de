# A command: a feature.Command in its feature with the method that carries it out, and its
# name in the order of help and in a group of Discord's menu.
# tests: ./bot/feature/study
# tests: ./bot/features -run Commands|Catalogues|Sentences|Transcripts|Names|Help|Texts
# tests: ./adapters/discord ./adapters/slack ./adapters/terminal -run Command|Manifest
change() {
	cat >bot/feature/study/longest.go <<'GO'
package study

import (
	"context"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// lettersIn counts the letters of a word.
func (f *Feature) lettersIn(_ context.Context, req bot.Request) (bot.Reply, error) {
	word := req.Args["word"]
	return bot.Reply{Text: text.Say("{word} has {n, plural, one {# letter} other {# letters}}.", text.Strong(word), utf8.RuneCountInString(word))}, nil
}
GO
	perl -0pi -e 's/(\t\t\{Command: bot\.Command\{Name: "words")/\t\t{Command: bot.Command{Name: "letterscount", Help: "Count the letters of a word", Example: "\/letterscount horn", Options: []bot.Option{\n\t\t\t{Name: "word", Help: "The word", Kind: bot.Word, Required: true, Question: text.Say("Which word?")},\n\t\t}}, Run: f.lettersIn},\n$1/' bot/feature/study/feature.go
	sed -i 's/^\t\t\t"pattern",$/&\n\t\t\t"letterscount",/' bot/features/features.go
	sed -i 's/"hooks", "pattern",/& "letterscount",/' adapters/discord/menu.go
}
taken() { grep -q /letterscount bot/feature/play/testdata/help.txt; } # /help has it

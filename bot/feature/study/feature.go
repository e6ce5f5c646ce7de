package study

import (
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/text"
)

// Feature searches the word list, and keeps a place's own words.
func Feature() host.Feature {
	return host.Feature{
		Commands: []host.Command{
			{Command: bot.Command{Name: "check", Help: "Look words up in the word list", Example: "/check qi za", Options: []bot.Option{
				{Name: "words", Help: "One word or more", Kind: bot.Words, Required: true, Question: text.Say("Which words?")},
			}}, Run: check, Complete: nil},
			{Command: bot.Command{Name: "anagram", Help: "Find the words that letters make", Example: "/anagram aeinrs?", Options: []bot.Option{
				{Name: "letters", Help: "The letters, ? for a blank", Kind: bot.Letters, Required: true, Question: text.Say("Which letters?")},
				{Name: "shorter", Help: "Whether words of only some of the letters count too", Kind: bot.YesNo},
			}}, Run: anagram, Complete: nil},
			{Command: bot.Command{Name: "hooks", Help: "See which letters make other words before and after a word", Example: "/hooks horn", Options: []bot.Option{
				{Name: "word", Help: "The word", Kind: bot.Word, Required: true, Question: text.Say("Which word?")},
			}}, Run: hooks, Complete: nil},
			{Command: bot.Command{Name: "pattern", Help: "Find the words of a shape", Example: "/pattern q?*z", Options: []bot.Option{
				{Name: "pattern", Help: "Letters, ? for any letter, * for any run of letters", Kind: bot.Word, Required: true, Question: text.Say("Which pattern?")},
			}}, Run: pattern, Complete: nil},
			{Command: bot.Command{Name: "words", Help: "See the words that this server has added to a word list or taken out", Example: "/words add qat zax", Options: ownWordsOptions()}, Run: ownWords, Complete: map[string]host.Completer{"lexicon": offeredLists}},
		},
	}
}

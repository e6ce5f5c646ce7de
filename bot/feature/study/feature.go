package study

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// A Feature answers searches of the word list and edits a place's own words.
type Feature struct {
	desk     feature.Desk
	settings lists
	guard    feature.Guard
}

// lists is the part of the settings that stores which words places have added and removed.
type lists interface {
	OwnPlace(ctx context.Context, req bot.Request) (settings.Place, error)
	OwnID(ctx context.Context, req bot.Request, list *lexicon.Lexicon) (game.LexiconID, error)
	OwnWords(ctx context.Context, at settings.Place) (lexicons.OwnWords, error)
	ChangeWords(ctx context.Context, at settings.Place, change func(*lexicons.OwnWords) error) error
}

// New returns the feature.
func New(d feature.Desk, s lists, g feature.Guard) *Feature { return &Feature{d, s, g} }

// Hooks returns what the feature adds to a host.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{
		Commands: f.commands,
	}
}

// commands returns the feature's commands.
func (f *Feature) commands() []feature.Command {
	return []feature.Command{
		{Command: bot.Command{Name: "check", Help: "Look words up in the word list", Example: "/check qi za", Options: []bot.Option{
			{Name: "words", Help: "One or more words", Kind: bot.Words, Required: true, Question: text.Say("Which words?")},
		}}, Run: f.check},
		{Command: bot.Command{Name: "anagram", Help: "Find the words that letters make", Example: "/anagram aeinrs?", Options: []bot.Option{
			{Name: "letters", Help: "The letters, ? for a blank", Kind: bot.Letters, Required: true, Question: text.Say("Which letters?")},
			{Name: "shorter", Help: "Include words that use only some of the letters", Kind: bot.YesNo},
		}}, Run: f.anagram},
		{Command: bot.Command{Name: "hooks", Help: "See which letters can go before and after a word", Example: "/hooks horn", Options: []bot.Option{
			{Name: "word", Help: "The word", Kind: bot.Word, Required: true, Question: text.Say("Which word?")},
		}}, Run: f.hooks},
		{Command: bot.Command{Name: "pattern", Help: "Find words that match a pattern", Example: "/pattern q?*z", Options: []bot.Option{
			{Name: "pattern", Help: "Letters, ? for any letter, * for any run of letters", Kind: bot.Word, Required: true, Question: text.Say("Which pattern?")},
		}}, Run: f.pattern},
		{Command: bot.Command{Name: "words", Help: "See the words this server has added to a word list or taken out", Example: "/words add qat zax", Options: ownWordsOptions()}, Run: f.ownWords, Complete: map[string]feature.Completer{"lexicon": f.completeLists}},
	}
}

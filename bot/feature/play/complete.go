package play

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// completeLists completes the word list of a new table.
func (f *Feature) completeLists(_ context.Context, req bot.Request) []bot.Choice {
	return listsToSet(f.settings.Has(), req)
}

// listsToSet completes the word list in a place's settings.
func listsToSet(h settings.Has, req bot.Request) (all []bot.Choice) {
	lists := h.Available()
	if in := h.Language(req.Args["language"]); in != nil {
		lists = h.ListsIn(in)
	}
	for _, l := range lists {
		all = append(all, bot.Choice{Value: l.Name(), Label: text.Say("{list}: {n, plural, one {# word} other {# words}}", l.Name(), l.Len())})
	}
	return all
}

// completeLanguages completes the language of a new table.
func (f *Feature) completeLanguages(_ context.Context, _ bot.Request) []bot.Choice {
	return f.desk.Lists().LanguageChoices()
}

// languagesToSet completes the language in a place's settings.
func languagesToSet(h settings.Has, _ bot.Request) []bot.Choice { return h.LanguageChoices() }

// commandNames completes the command for /help.
func (g *guide) commandNames(_ context.Context, _ bot.Request) (all []bot.Choice) {
	for _, c := range g.house.Commands() {
		all = append(all, bot.Choice{Value: c.Name, Label: text.Glue(c.Name, ": ", text.Known(c.Help))})
	}
	return all
}

// completeVotes completes the order to vote for.
func (f *Feature) completeVotes(ctx context.Context, req bot.Request) []bot.Choice {
	t, err := f.desk.Load(ctx, req)
	if err != nil || t.Phase != game.Voting {
		return nil
	}
	return append(t.Votes(), bot.Choice{Value: table.AnyOrder, Label: text.Say("Any order")})
}

// completeWords completes the words that can be challenged.
func (f *Feature) completeWords(ctx context.Context, req bot.Request) (all []bot.Choice) {
	t, err := f.desk.Load(ctx, req)
	if err != nil || t.Latest == nil {
		return nil
	}
	for _, w := range words.FormedWords(t.State) {
		word := words.PlainWord(t.Equipment.Tiles, w)
		all = append(all, bot.Choice{Value: word, Label: text.Plain(word)})
	}
	return all
}

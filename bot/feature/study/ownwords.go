package study

import (
	"context"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// ownWords changes the words that a place has added to a list or removed from it, and shows
// them. Open tables keep the words they were opened with.
func (f *Feature) ownWords(ctx context.Context, req bot.Request) (bot.Reply, error) {
	at, err := f.settings.OwnPlace(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	name := req.Args["lexicon"]
	if name == "" {
		if name, err = f.desk.Rule(ctx, req.Channel, "lexicon"); err != nil {
			return bot.Reply{}, err
		}
	}
	list := f.desk.Lists().Lexicon(game.LexiconID{Name: name}, f.desk.Lists().TilesOf(name))
	if list == nil {
		return bot.Reply{}, words.BadChoice("lexicon", name)
	}
	do := strings.ToLower(req.Args["do"])
	if !slices.Contains([]string{"", "list", "add", "remove"}, do) {
		return bot.Reply{}, words.BadChoice("do", do)
	}
	a := f.desk.Lists().TilesOf(name).Alphabet()
	named, err := wordsNamed(a, req.Args["words"])
	if err != nil {
		return bot.Reply{}, err
	}
	changes := do == "add" || do == "remove"
	switch {
	case changes && !req.Manager:
		return bot.Reply{}, words.Refusing("Only managers of this server can change its words. {list} shows them.", text.Code("/words list"))
	case changes && len(named) == 0:
		return bot.Reply{}, words.Refusing("Say which words: {example}.", text.Code("/words "+do+" qat zax"))
	}
	own, err := f.settings.OwnWords(ctx, at)
	if err == nil && changes {
		err = f.settings.ChangeWords(ctx, at, func(now *lexicons.OwnWords) error {
			c := now.Lists[list.Name()]
			for _, w := range named {
				c = c.With(list, a, w, do == "add")
			}
			if len(c.Added) > bot.LimitWords.Most || len(c.Removed) > bot.LimitWords.Most {
				return words.Refusing("You can add up to {n, plural, one {# word} other {# words}} to a list here, and take out as many. Whoever runs this host can build a list with more.", bot.LimitWords.Most)
			}
			if now.Lists == nil {
				now.Lists = map[string]lexicons.OwnChange{}
			}
			now.V, now.Lists[list.Name()] = 1, c
			own = *now
			return nil
		})
	}
	if err != nil {
		return bot.Reply{}, err
	}
	t := ownText(at.Kind, list.Name(), own.Lists[list.Name()])
	if changes {
		t = text.Sentences(t, text.Say("New tables use these words; tables that are already open keep theirs."))
	}
	r := bot.Reply{Text: t}
	if req.Manager {
		for _, way := range []struct {
			do    string
			label text.Text
		}{{"add", text.Say("Add words")}, {"remove", text.Say("Take words out")}} {
			r.Buttons = append(r.Buttons, bot.Button{ID: bot.ButtonID(0, 0, "words", map[string]string{"do": way.do, "words": "", "lexicon": name}), Label: way.label})
		}
	}
	return r, nil
}

// wordsNamed parses the words that a person typed.
func wordsNamed(a *lexicon.Alphabet, typed string) (all []lexicon.Word, err error) {
	for f := range strings.FieldsSeq(typed) {
		w, err := a.Parse(f)
		if err != nil || len(w) < lexicon.MinWord || len(w) > lexicon.MaxWord {
			return nil, words.Refusing("{typed} can't be a word in this list: a word has {least} to {most} letters, with a tile for each.", text.Code(text.Shorten(f, bot.MaxName)), lexicon.MinWord, lexicon.MaxWord)
		}
		all = append(all, w)
	}
	return all, nil
}

// ownText describes a place's changes to a list.
func ownText(kind, list string, c lexicons.OwnChange) text.Text {
	added, removed := text.Code(strings.Join(c.Added, " ")), text.Code(strings.Join(c.Removed, " "))
	switch {
	case len(c.Added)+len(c.Removed) == 0:
		return text.Say("For {place, select, channel {this channel} other {this server}}, the word list {list} is unchanged.", kind, text.Code(list))
	case len(c.Removed) == 0:
		return text.Say("For {place, select, channel {this channel} other {this server}}, the word list {list} also has {added}.", kind, text.Code(list), added)
	case len(c.Added) == 0:
		return text.Say("For {place, select, channel {this channel} other {this server}}, the word list {list} doesn't have {removed}.", kind, text.Code(list), removed)
	default:
		return text.Say("For {place, select, channel {this channel} other {this server}}, the word list {list} also has {added}, and doesn't have {removed}.", kind, text.Code(list), added, removed)
	}
}

// ownWordsOptions returns the options of /words.
func ownWordsOptions() []bot.Option {
	return []bot.Option{
		{Name: "do", Help: "What to do; only managers of the server can change its words", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "list", Label: text.Say("Show them")}, {Value: "add", Label: text.Say("Add words")}, {Value: "remove", Label: text.Say("Take words out")},
		}},
		{Name: "words", Help: "The words to add or take out", Kind: bot.Words},
		{Name: "lexicon", Help: "The word list. Leave it out for the default here.", Kind: bot.Pick, Completes: true},
	}
}

// completeLists returns the word lists that a place can change.
func (f *Feature) completeLists(_ context.Context, _ bot.Request) (all []bot.Choice) {
	for _, l := range f.desk.Lists().Available() {
		all = append(all, bot.Choice{Value: l.Name(), Label: text.Plain(l.Name())})
	}
	return all
}

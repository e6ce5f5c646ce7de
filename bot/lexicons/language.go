package lexicons

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/lexicon"
)

// Language returns the language with a code or name: its name in English, in itself or in a
// language of the host, in either case, with or without accents. It returns nil if there is
// none.
func (ls *Lists) Language(name string) *language.Language {
	if name == "" {
		return nil
	}
	for _, is := range []func(own, typed string) bool{strings.EqualFold, bot.Alike} {
		for _, l := range ls.languages {
			if slices.ContainsFunc([]string{l.Code, l.Name, l.Native}, func(own string) bool { return is(own, name) }) {
				return l
			}
		}
		for _, to := range ls.locales.All() {
			for _, l := range ls.languages {
				if is(to.Translation(l.Name), name) {
					return l
				}
			}
		}
	}
	return nil
}

// LanguageOf returns the language of a word list, or the first language, English, if the
// list's name begins with no other language's code. It returns nil if the host has no
// languages.
func (ls *Lists) LanguageOf(list string) *language.Language {
	if l := language.Of(strings.ToLower(list), ls.languages); l != nil || len(ls.languages) == 0 {
		return l
	}
	return ls.languages[0]
}

// DisplayName returns a word list's name for people. A language's clean list, or its plain one if
// there is no clean one, bears the language's name. Its other lists add what sets them apart. A list
// without a language keeps its own name.
func (ls *Lists) DisplayName(list string) text.Text {
	l := language.Of(strings.ToLower(list), ls.languages)
	if l == nil {
		return text.Plain(list)
	}
	clean := l.Code + "-clean"
	isClean := func(other *lexicon.Lexicon) bool { return strings.EqualFold(other.Name(), clean) }
	if strings.EqualFold(list, clean) || strings.EqualFold(list, l.Code) && !slices.ContainsFunc(*ls.lexicons.Load(), isClean) {
		return text.Known(l.Name)
	}
	return text.Glue(text.Known(l.Name), " ("+strings.TrimPrefix(list, l.Code+"-")+")")
}

// TilesOf returns the tiles of a word list's language.
func (ls *Lists) TilesOf(list string) *game.TileSet {
	if l := ls.LanguageOf(list); l != nil {
		return l.Tiles
	}
	return ls.equipment.Tiles
}

// ListsIn returns the word lists of a language, the one named after its code first. If l is
// nil, it returns the lists for the host's own tiles.
func (ls *Lists) ListsIn(l *language.Language) []*lexicon.Lexicon {
	var all []*lexicon.Lexicon
	for _, list := range *ls.lexicons.Load() {
		if set := ls.TilesOf(list.Name()); ls.LanguageOf(list.Name()) == l && list.Alphabet().Equal(set.Alphabet()) {
			all = append(all, list)
		}
	}
	slices.SortStableFunc(all, func(a, b *lexicon.Lexicon) int {
		if l == nil {
			return 0
		}
		return cmp.Compare(len(strings.TrimPrefix(a.Name(), l.Code)), len(strings.TrimPrefix(b.Name(), l.Code)))
	})
	return all
}

// UsualList returns the name of the default list for a platform's tables in a language, or
// "" if there is no list.
func (ls *Lists) UsualList(platform string, l *language.Language) string {
	usual := ls.UsualLexicon(platform)
	if l == ls.LanguageOf(usual) {
		return usual
	}
	if lists := ls.ListsIn(l); len(lists) > 0 {
		return lists[0].Name()
	}
	return ""
}

// ListFor returns the word list that the options of /new ask for, and its language, which
// is nil on a host without languages.
func (ls *Lists) ListFor(platform string, args map[string]string) (*lexicon.Lexicon, *language.Language, error) {
	name := args["lexicon"]
	in := ls.LanguageOf(cmp.Or(name, ls.UsualLexicon(platform)))
	if asked := args["language"]; asked != "" {
		l := ls.Language(asked)
		switch {
		case l == nil:
			return nil, nil, words.Refusing("You can't play in {asked} here. {help} lists the languages.", text.Code(text.Shorten(asked, bot.MaxName)), text.Code("/help new"))
		case name != "" && l != in:
			return nil, nil, words.Refusing("The word list {list} isn't {language}. Leave {option} out, or choose one that is.", text.Code(text.Shorten(name, bot.MaxName)), text.Known(l.Name), text.Code("lexicon"))
		}
		in = l
	}
	if name == "" {
		if name = ls.UsualList(platform, in); name == "" {
			return nil, nil, words.Refusing("There's no {language} word list here yet. Whoever runs this host can add one: {rackmate} builds it from a text file.", text.Known(in.Name), text.Code("rackmate lexicon build --language "+in.Code))
		}
	}
	list := ls.Lexicon(game.LexiconID{Name: name}, ls.TilesOf(name))
	if list == nil {
		return nil, nil, words.BadChoice("lexicon", name)
	}
	return list, in, nil
}

// Equip returns the host's equipment with the tiles of a language, and the rules adapted
// to the language.
func (ls *Lists) Equip(rules game.Rules, l *language.Language) (game.Rules, game.Equipment) {
	eq := ls.equipment
	if l != nil {
		eq.Tiles = l.Tiles
		rules.RackSize, rules.Bonus, rules.BonusTiles = l.Rack, l.Bingo, l.Rack
	}
	return rules, eq
}

// LanguageChoices returns the languages in which a table can be opened.
func (ls *Lists) LanguageChoices() []bot.Choice {
	var all []bot.Choice
	for _, l := range ls.languages {
		if len(ls.ListsIn(l)) > 0 {
			all = append(all, bot.Choice{Value: l.Code, Label: text.Glue(text.Known(l.Name), " ("+l.Native+")")})
		}
	}
	return all
}

// DropConflicts deletes a place's settings from args that conflict with the language asked for, or
// with that of the list asked for.
func (ls *Lists) DropConflicts(args, asked map[string]string) {
	list, in := args["lexicon"], ls.Language(args["language"])
	switch {
	case list == "" || in == nil || ls.LanguageOf(list) == in:
	case asked["lexicon"] != "" && asked["language"] == "":
		delete(args, "language")
	case asked["lexicon"] == "":
		delete(args, "lexicon")
	}
}

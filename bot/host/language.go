package host

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/lexicon"
)

// language finds a language by its code, its name in English or in itself, in
// either case; nil where there is none.
func (h *Host) language(name string) *language.Language {
	i := slices.IndexFunc(h.Languages, func(l *language.Language) bool {
		return slices.ContainsFunc([]string{l.Code, l.Name, l.Native}, func(s string) bool { return strings.EqualFold(s, name) })
	})
	if i < 0 {
		return nil
	}
	return h.Languages[i]
}

// languageOf is the language of a word list: the first, English, where its name
// begins with no other's code. It is nil where the host has none at all.
func (h *Host) languageOf(list string) *language.Language {
	if l := language.Of(strings.ToLower(list), h.Languages); l != nil || len(h.Languages) == 0 {
		return l
	}
	return h.Languages[0]
}

// tilesOf are the tiles that a word list's language is played with.
func (h *Host) tilesOf(list string) *game.TileSet {
	if l := h.languageOf(list); l != nil {
		return l.Tiles
	}
	return h.Equipment.Tiles
}

// listsIn are the word lists of a language, that of its code first; of none,
// those of the host's own tiles.
func (h *Host) listsIn(l *language.Language) []*lexicon.Lexicon {
	var all []*lexicon.Lexicon
	for _, list := range h.Lexicons {
		if set := h.tilesOf(list.Name()); h.languageOf(list.Name()) == l && list.Alphabet().Equal(set.Alphabet()) {
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

// usualList names the list that tables of a platform begin with in a language;
// "" where it has none.
func (h *Host) usualList(platform string, l *language.Language) string {
	usual := h.defaultLexicon(platform)
	if l == h.languageOf(usual) {
		return usual
	}
	if lists := h.listsIn(l); len(lists) > 0 {
		return lists[0].Name()
	}
	return ""
}

// listFor is the word list that /new's options ask for, and its language, which
// is nil where the host knows of none.
func (h *Host) listFor(platform string, args map[string]string) (*lexicon.Lexicon, *language.Language, error) {
	name := args["lexicon"]
	in := h.languageOf(cmp.Or(name, h.defaultLexicon(platform)))
	if asked := args["language"]; asked != "" {
		l := h.language(asked)
		switch {
		case l == nil:
			return nil, nil, refusing("The game isn't played in ", bot.Code(bot.Shorten(asked, bot.MaxName)), " here. ", bot.Code("/help new"), " lists the languages.")
		case name != "" && l != in:
			return nil, nil, refusing("The word list ", bot.Code(bot.Shorten(name, bot.MaxName)), " isn't ", l.Name, ". Leave ", bot.Code("lexicon"), " out, or choose one that is.")
		}
		in = l
	}
	if name == "" {
		if name = h.usualList(platform, in); name == "" {
			return nil, nil, refusing("There is no ", in.Name, " word list here yet. Whoever runs this host can bring one: ", bot.Code("rackmate lexicon build --language "+in.Code), " makes it of a text file.")
		}
	}
	list := h.lexicon(game.LexiconID{Name: name}, h.tilesOf(name))
	if list == nil {
		return nil, nil, badChoice("lexicon", name)
	}
	return list, in, nil
}

// equipped is the host's equipment with the tiles of a language, and the rules
// as it has them.
func (h *Host) equipped(rules game.Rules, l *language.Language) (game.Rules, game.Equipment) {
	eq := h.Equipment
	if l != nil {
		eq.Tiles = l.Tiles
		rules.RackSize, rules.Bonus, rules.BonusTiles = l.Rack, l.Bingo, l.Rack
	}
	return rules, eq
}

// languageChoices are the languages that a table can be opened in.
func (h *Host) languageChoices() []bot.Choice {
	var all []bot.Choice
	for _, l := range h.Languages {
		if len(h.listsIn(l)) > 0 {
			all = append(all, bot.Choice{Value: l.Code, Label: l.Name + " (" + l.Native + ")"})
		}
	}
	return all
}

// agree takes out of a place's settings for a new table what doesn't go with the
// language that was asked for, or that the list asked for has.
func (h *Host) agree(args, asked map[string]string) {
	list, in := args["lexicon"], h.language(args["language"])
	switch {
	case list == "" || in == nil || h.languageOf(list) == in:
	case asked["lexicon"] != "" && asked["language"] == "":
		delete(args, "language")
	case asked["lexicon"] == "":
		delete(args, "lexicon")
	}
}

// Package lexicons holds a host's word lists and their languages, and builds the lists that
// places have changed.
package lexicons

import (
	"strings"
	"sync/atomic"

	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/lexicon"
)

// Lists holds the word lists of a host. It is safe for concurrent use.
type Lists struct {
	equipment game.Equipment
	languages []*language.Language
	locales   *text.Locales // languages for the names of languages
	lexicons  atomic.Pointer[[]*lexicon.Lexicon]
	former    []*lexicon.Lexicon // lists that new tables can't name
	usual     func(platform string) string

	own ownLists
}

// New returns the lists and the languages of a host, the default one first. former holds
// lists whose names others have taken over, for tables that opened with them. equipment is
// for a host without languages; usual returns the default list of a platform's tables.
// locales supplies the languages' names.
func New(equipment game.Equipment, languages []*language.Language, locales *text.Locales, lexicons, former []*lexicon.Lexicon, usual func(platform string) string) *Lists {
	ls := &Lists{equipment: equipment, languages: languages, locales: locales, former: former, usual: usual}
	ls.Replace(lexicons)
	return ls
}

// Replace replaces the lists. Tables whose list is missing wait for it.
func (ls *Lists) Replace(lexicons []*lexicon.Lexicon) { ls.lexicons.Store(&lexicons) }

// UsualLexicon returns the name of the default list of a platform's tables.
func (ls *Lists) UsualLexicon(platform string) string { return ls.usual(platform) }

// Dictionary returns the word list of a table. A list with the same name but other words
// serves too, so that a new version of a list doesn't strand running games.
func (ls *Lists) Dictionary(s game.State) (*lexicon.Lexicon, error) {
	l := ls.Lexicon(s.Lexicon, s.Equipment.Tiles)
	if l == nil {
		return nil, words.Refusing("The word list {list} is no longer here, so words can't be looked up. Please ask whoever runs this host to bring it back.", text.Code(s.Lexicon.Name))
	}
	l.Prepare() // robots and hints need more of it than its words
	return l, nil
}

// Lexicon returns a word list spelled with a tile set: the one with the hash, or else the
// one with the name, or else nil.
func (ls *Lists) Lexicon(id game.LexiconID, set *game.TileSet) *lexicon.Lexicon {
	if id.Added+id.Removed != "" {
		base := ls.Lexicon(game.LexiconID{Name: id.Name}, set)
		if base == nil {
			return nil
		}
		changed := ls.own.of(ownList{base, id.Added, id.Removed})
		for _, l := range ls.former { // one of them may be the list that the table began with
			if changed != nil && changed.Hash() != id.Hash && strings.EqualFold(l.Name(), id.Name) {
				if before := ls.own.of(ownList{l, id.Added, id.Removed}); before != nil && before.Hash() == id.Hash {
					return before
				}
			}
		}
		return changed
	}
	var sameName *lexicon.Lexicon
	for _, l := range *ls.lexicons.Load() {
		switch {
		case !l.Alphabet().Equal(set.Alphabet()):
		case l.Hash() == id.Hash:
			return l
		case strings.EqualFold(l.Name(), id.Name):
			sameName = l
		}
	}
	for _, l := range ls.former {
		if l.Hash() == id.Hash && l.Alphabet().Equal(set.Alphabet()) {
			return l
		}
	}
	return sameName
}

// Available returns the word lists that a new table can name, by language.
func (ls *Lists) Available() []*lexicon.Lexicon {
	if len(ls.languages) == 0 {
		return ls.ListsIn(nil)
	}
	var all []*lexicon.Lexicon
	for _, l := range ls.languages {
		all = append(all, ls.ListsIn(l)...)
	}
	return all
}

package lexicons

import (
	"slices"
	"strings"
	"sync"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// OwnWords holds a place's own words by list, as stored.
type OwnWords struct {
	V     int                  `json:"v"`
	Lists map[string]OwnChange `json:"lists"`
}

// An OwnChange holds a place's changes to a list: words as [lexicon.Alphabet.Spell] writes
// them, sorted.
type OwnChange struct {
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
}

// id returns the identifier of the changed list for tables.
func (c OwnChange) id(name string) game.LexiconID {
	return game.LexiconID{Name: name, Added: strings.Join(c.Added, " "), Removed: strings.Join(c.Removed, " ")}
}

// ownLists caches lists with places' own words, since building one takes a second.
type ownLists struct {
	mu   sync.Mutex
	made map[ownList]func() *lexicon.Lexicon
}

type ownList struct {
	base           *lexicon.Lexicon
	added, removed string
}

// mostOwnLists is the number of cached lists.
const mostOwnLists = 16

// of returns a list with a table's own words.
func (l *ownLists) of(key ownList) *lexicon.Lexicon {
	l.mu.Lock()
	made, ok := l.made[key]
	if !ok {
		if l.made == nil || len(l.made) == mostOwnLists {
			l.made = map[ownList]func() *lexicon.Lexicon{}
		}
		made = sync.OnceValue(func() *lexicon.Lexicon { return key.build() })
		l.made[key] = made
	}
	l.mu.Unlock()
	return made()
}

func (l ownList) build() *lexicon.Lexicon {
	read := func(text string) (all []lexicon.Word) {
		for f := range strings.FieldsSeq(text) {
			if w, err := l.base.Alphabet().Parse(f); err == nil {
				all = append(all, w)
			}
		}
		return all
	}
	x, err := l.base.With(read(l.added), read(l.removed))
	if err != nil {
		return nil
	}
	return x
}

// Identity returns a table's identifier for a list with a place's own words.
func (ls *Lists) Identity(list *lexicon.Lexicon, own OwnWords) game.LexiconID {
	id := own.Lists[list.Name()].id(list.Name())
	if id.Added+id.Removed != "" {
		if changed := ls.own.of(ownList{list, id.Added, id.Removed}); changed != nil {
			id.Hash = changed.Hash()
			return id
		}
	}
	return game.LexiconID{Name: list.Name(), Hash: list.Hash()}
}

// With returns the change after adding or removing a word.
func (c OwnChange) With(list *lexicon.Lexicon, a *lexicon.Alphabet, w lexicon.Word, add bool) OwnChange {
	text := a.Spell(w)
	without := func(all []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == text })
	}
	c.Added, c.Removed = without(c.Added), without(c.Removed)
	switch {
	case add && !list.Has(w):
		c.Added = append(c.Added, text)
		slices.Sort(c.Added)
	case !add && list.Has(w):
		c.Removed = append(c.Removed, text)
		slices.Sort(c.Removed)
	}
	return c
}

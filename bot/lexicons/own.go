package lexicons

import (
	"slices"
	"strings"
	"sync"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// OwnWords are a place's own words, as they are stored, by the list that they are for.
type OwnWords struct {
	V     int                  `json:"v"`
	Lists map[string]OwnChange `json:"lists"`
}

// An OwnChange is how a place's list differs from the one that it is made of: words
// as [lexicon.Alphabet.Spell] writes them, sorted.
type OwnChange struct {
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
}

// id is what tables call the list with the change.
func (c OwnChange) id(name string) game.LexiconID {
	return game.LexiconID{Name: name, Added: strings.Join(c.Added, " "), Removed: strings.Join(c.Removed, " ")}
}

// Where a list with a place's words is made, it is kept: making it takes a second.
type ownLists struct {
	mu   sync.Mutex
	made map[ownList]func() *lexicon.Lexicon
}

type ownList struct {
	base           *lexicon.Lexicon
	added, removed string
}

// mostOwnLists is how many are kept.
const mostOwnLists = 16

// of is a list with the words of a table's identity; nil where they can't be read.
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

// Identity is how a table calls a list with a place's own words.
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

// With is the change after a word was added or taken out.
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

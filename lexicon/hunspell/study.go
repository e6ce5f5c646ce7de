package hunspell

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Study holds what a text shows about a dictionary: which words it has, and how they are formed.
// Some languages have more forms than a list can hold, and use only few of them.
type Study struct {
	analyst
	times map[way]int
	used  map[string]bool // stems of the text's words
	known []string
}

// A way is how a word is formed from its stem: a suffix, a second one, and a prefix; nil for none.
type way struct{ ending, second, beginning *ending }

// An ending is a rule for a suffix or prefix, with the flag that allows it.
type ending struct {
	rule
	flag  string
	cross bool
}

// joints holds the flags of first and last parts of compounds.
type joints struct{ first, last []string }

// Study analyses the words of a text.
func (d *Dictionary) Study(text map[string]bool) *Study {
	s := &Study{d.analyst(), map[way]int{}, map[string]bool{}, nil}
	for _, word := range slices.Sorted(maps.Keys(text)) {
		ways := s.ways(word, nil)
		for by, stem := range ways {
			s.times[by]++
			s.used[stem] = true
		}
		if len(ways) > 0 || s.isCompound(word) {
			s.known = append(s.known, word)
		}
	}
	return s
}

// Known returns the words of the text that the dictionary has, in alphabetical order, including
// compounds of two of its words.
func (s *Study) Known() []string { return s.known }

// Words yields words of the text's stems, formed in ways that at least ofText words of the text
// use, and words of other stems, formed in ways that at least ofOthers do; some more than once. Of
// the limits only length and characters apply.
func (s *Study) Words(ofText, ofOthers int, l Limits) iter.Seq[string] {
	often, oftener := s.kinds(ofText), s.kinds(ofOthers)
	return func(yield func(string) bool) {
		for _, stem := range slices.Sorted(maps.Keys(s.stems)) {
			kinds := oftener
			if s.used[stem] {
				kinds = often
			}
			for word := range s.forms(stem, kinds, l) {
				if !yield(word) {
					return
				}
			}
		}
	}
}

// forms yields the words that a stem forms in ways of some kinds, by the flag that it must have.
func (s *Study) forms(stem string, kinds map[string][]*kind, l Limits) iter.Seq[string] {
	flags, size := s.stems[stem], utf8.RuneCountInString(stem)
	return func(yield func(string) bool) {
		seen := map[string]bool{}
		for _, f := range flags {
			for _, k := range kinds[f] {
				if _, ok := s.apply(k.rule, stem, k.prefix); !ok {
					continue
				}
				for _, by := range k.ways {
					if l.Longest > 0 && size+by.grows() > l.Longest {
						continue
					}
					word, ok := s.make(stem, flags, by)
					if !ok || seen[word] || !l.fits(word) {
						continue
					}
					seen[word] = true
					if !yield(word) {
						return
					}
				}
			}
		}
	}
}

// A kind groups ways whose first rule applies to the same stems, so that one check decides for all.
type kind struct {
	rule   rule
	prefix bool
	ways   []way
}

// kinds returns the ways used by at least least words of the text, by the flag that a stem must
// have.
func (s *Study) kinds(least int) map[string][]*kind {
	all, found := map[string][]*kind{}, map[string]*kind{}
	for by, n := range s.times {
		if by == (way{}) || n < least {
			continue
		}
		first := by.first()
		stems := fmt.Sprint(first.flag, " ", by.ending == nil, " ", first.off, " ", first.fit)
		k := found[stems]
		if k == nil {
			k = &kind{rule: first.rule, prefix: by.ending == nil}
			found[stems] = k
			all[first.flag] = append(all[first.flag], k)
		}
		k.ways = append(k.ways, by)
	}
	return all
}

// first returns the affix that a stem itself must allow.
func (w way) first() *ending {
	if w.ending != nil {
		return w.ending
	}
	return w.beginning
}

// grows returns how many characters the way adds to a stem.
func (w way) grows() int {
	n := 0
	for _, e := range []*ending{w.ending, w.second, w.beginning} {
		if e != nil {
			n += e.grows
		}
	}
	return n
}

// make returns the word formed from a stem, which must allow the way's first affix.
func (s *Study) make(stem string, flags []string, by way) (word string, ok bool) {
	word = stem
	for _, e := range []*ending{by.ending, by.second} {
		if e == nil {
			continue
		}
		if word, ok = s.apply(e.rule, word, false); !ok {
			return "", false
		}
	}
	if by.beginning == nil {
		return word, true
	}
	if !by.crosses(flags) {
		return "", false
	}
	return s.apply(by.beginning.rule, word, true)
}

// crosses reports whether a word's prefix combines with its suffixes.
func (w way) crosses(stem []string) bool {
	last := w.second
	if last == nil {
		last = w.ending
	}
	if w.beginning == nil || last == nil {
		return w.beginning == nil || slices.Contains(stem, w.beginning.flag)
	}
	return w.beginning.cross && last.cross && (slices.Contains(stem, w.beginning.flag) || slices.Contains(last.flags, w.beginning.flag))
}

// An analyst analyses words.
type analyst struct {
	*Dictionary
	stems               map[string][]string  // flags of the stems
	endings, beginnings map[string][]*ending // by the text they add
}

// alone is the flag given to a stem that is a word by itself.
const alone = "\x00"

func (d *Dictionary) analyst() analyst {
	a := analyst{d, map[string][]string{}, map[string][]*ending{}, map[string][]*ending{}}
	first := true
	for line := range strings.Lines(d.stems) {
		if first { // how many there are
			first = false
			continue
		}
		stem, text := splitStem(line)
		flags := d.flagsOf(text)
		if stem == "" || d.isNever(flags) {
			continue
		}
		if !slices.Contains(flags, d.needAffix) {
			flags = append(flags, alone)
		}
		a.stems[stem] = append(a.stems[stem], flags...)
	}
	for flag, x := range d.affixes {
		for _, r := range x.rules {
			switch e := (&ending{r, flag, x.cross}); {
			case d.isNever(r.flags):
			case x.prefix:
				a.beginnings[r.on] = append(a.beginnings[r.on], e)
			default:
				a.endings[r.on] = append(a.endings[r.on], e)
			}
		}
	}
	return a
}

// ways returns the ways to form a word with the stem of each. If of isn't nil, stems must have one
// of those flags.
func (a analyst) ways(word string, of []string) map[way]string {
	all := map[way]string{}
	a.undo(word, way{}, of, all)
	for n := range word { // a prefix that adds nothing isn't considered
		for _, b := range a.beginnings[word[:n]] {
			if base, ok := a.stripAffix(b, word[n:], b.off+word[n:], true); ok {
				a.undo(base, way{beginning: b}, of, all)
			}
		}
	}
	return all
}

// undo adds the ways to form a word whose prefix, if any, was removed.
func (a analyst) undo(word string, by way, of []string, all map[way]string) {
	add := func(stem, flag string, by way) {
		flags, ok := a.stems[stem]
		if ok && slices.Contains(flags, flag) && by.crosses(flags) && (of == nil || slices.ContainsFunc(of, func(f string) bool { return slices.Contains(flags, f) })) {
			all[by] = stem
		}
	}
	flag := alone
	if by.beginning != nil {
		flag = by.beginning.flag
	}
	add(word, flag, by)
	for last, base := range a.before(word) {
		if slices.Contains(last.flags, a.needAffix) {
			continue
		}
		add(base, last.flag, way{last, nil, by.beginning})
		for first, base := range a.before(base) {
			if slices.Contains(first.flags, last.flag) {
				add(base, first.flag, way{first, last, by.beginning})
			}
		}
	}
}

// before yields the suffixes that a word may have, each with the text it was added to.
func (a analyst) before(word string) iter.Seq2[*ending, string] {
	return func(yield func(*ending, string) bool) {
		for n := len(word); n >= 0; n-- {
			if n < len(word) && !utf8.RuneStart(word[n]) {
				continue
			}
			for _, e := range a.endings[word[n:]] {
				if base, ok := a.stripAffix(e, word[:n], word[:n]+e.off, false); ok && !yield(e, base) {
					return
				}
			}
		}
	}
}

// stripAffix returns the text that an affix may have been added to.
func (a analyst) stripAffix(e *ending, rest, base string, prefix bool) (string, bool) {
	return base, (rest != "" || e.off == "" || a.wholly) && e.fits(base, prefix)
}

// isCompound reports whether a word consists of one of the dictionary's stems and another of its words,
// if both may occur there.
func (a analyst) isCompound(word string) bool {
	const least = 3 // letters of each part
	letters := []rune(word)
	for n := least; n <= len(letters)-least; n++ {
		flags := a.stems[string(letters[:n])]
		if slices.ContainsFunc(a.joins.first, func(f string) bool { return slices.Contains(flags, f) }) && len(a.ways(string(letters[n:]), a.joins.last)) > 0 {
			return true
		}
	}
	return false
}

package postgres

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// habits remember what readings of each kind ask, with placeholders for the names of their
// subjects, so that the next of that kind asks it in one round trip. A wrong guess costs a read; an
// answer is only ever used for the question that was asked.
type habits struct {
	mu     sync.Mutex
	byKind map[string]*habit
}

// A habit remembers which questions readings of one kind ask.
type habit struct {
	mu   sync.Mutex
	n    int // readings so far
	uses map[question]use
}

// A use holds the last two readings that asked a question; 0 means none.
type use struct{ last, before int }

// mostKinds and mostUses bound what is remembered.
const (
	mostKinds = 2000
	mostUses  = 200
)

// beginReading returns the habit of a kind, and the number of the reading that begins.
func (hs *habits) beginReading(kind string) (h *habit, n int) {
	hs.mu.Lock()
	if h = hs.byKind[kind]; h == nil {
		if hs.byKind == nil || len(hs.byKind) >= mostKinds {
			hs.byKind = map[string]*habit{}
		}
		h = &habit{uses: map[question]use{}}
		hs.byKind[kind] = h
	}
	hs.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.n++
	if len(h.uses) > mostUses {
		for p, u := range h.uses {
			if h.n-u.last > 8 {
				delete(h.uses, p)
			}
		}
	}
	return h, h.n
}

// note records that reading n asked a question.
func (h *habit) note(pattern question, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	u := h.uses[pattern]
	switch {
	case n > u.last:
		u = use{n, u.last}
	case n < u.last:
		u.before = max(u.before, n)
	}
	h.uses[pattern] = u
}

// predict lists what at least two of the last eight readings before n asked.
func (h *habit) predict(n int) (patterns []question) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for p, u := range h.uses {
		if u.before > 0 && n-u.before <= 8 {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

// A forecast predicts what a request reads next, by its habit. The zero value predicts nothing.
type forecast struct {
	kind   string
	habit  *habit
	n      int // number of the reading in its habit
	about  [][]string
	noted  map[question]bool
	wishes []question // expected questions that weren't asked yet
}

// begin predicts what a reading of a kind asks about its subjects. It is called again when either
// changes.
func (f *forecast) begin(hs *habits, kind string, about [][]string) {
	if f.habit == nil || kind != f.kind {
		f.kind, f.noted = kind, map[question]bool{}
		f.habit, f.n = hs.beginReading(kind)
	}
	f.about, f.wishes = about, nil
	for _, p := range f.habit.predict(f.n) {
		f.wishes = append(f.wishes, questions(p, about)...)
	}
}

// note lets later readings expect a question.
func (f *forecast) note(q question) {
	if f.noted[q] {
		return
	}
	f.noted[q] = true
	if p, ok := patternOf(q, f.about); ok {
		f.habit.note(p, f.n)
	}
}

// placeholder returns the placeholder for a name of a group. No name contains it.
func placeholder(group int) string { return "\x01" + string(rune('a'+group)) }

// patternOf returns a question with placeholders for the names that it contains. ok is
// false for questions that aren't worth guessing.
func patternOf(q question, about [][]string) (p question, ok bool) {
	switch q.kind {
	case wholeLog:
		q.c, q.n, ok = fmt.Sprintf("%016x", uint64(q.n)), 0, true
	case oneNote, latest, playing:
		ok = true
	}
	for group, names := range about {
		for _, name := range names {
			for _, s := range []*string{&q.a, &q.b, &q.c} {
				*s = replaceWord(*s, name, placeholder(group))
			}
		}
	}
	return q, ok
}

// replaceWord replaces a name in s where it isn't part of a longer word.
func replaceWord(s, name, by string) string {
	i := strings.Index(s, name)
	if i < 0 || name == "" {
		return s
	}
	end := i + len(name)
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[end:])
	if wordy := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }; wordy(before) || wordy(after) {
		return s[:end] + replaceWord(s[end:], name, by)
	}
	return s[:i] + by + replaceWord(s[end:], name, by)
}

// questions returns a pattern's questions about each of the names, or none while a name is unknown.
func questions(p question, about [][]string) []question {
	all := []question{p}
	for group, names := range about {
		mark := placeholder(group)
		for i := 0; i < len(all); i++ {
			if q := all[i]; strings.Contains(q.a+q.b+q.c, mark) {
				all = slices.Delete(all, i, i+1)
				for _, name := range names {
					if name == "" {
						continue
					}
					one := q // one mark at a time, so that pairs of players are included
					switch {
					case strings.Contains(q.a, mark):
						one.a = strings.Replace(q.a, mark, name, 1)
					case strings.Contains(q.b, mark):
						one.b = strings.Replace(q.b, mark, name, 1)
					default:
						one.c = strings.Replace(q.c, mark, name, 1)
					}
					all = append(all, one)
				}
				i--
			}
		}
	}
	all = slices.DeleteFunc(all, func(q question) bool { return strings.Contains(q.a+q.b+q.c, "\x01") })
	for i, q := range all {
		if q.kind == wholeLog {
			n, _ := strconv.ParseUint(q.c, 16, 64)
			all[i].c, all[i].n = "", int64(n)
		}
	}
	return all
}

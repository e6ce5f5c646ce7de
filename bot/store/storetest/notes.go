package storetest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/rackmate/rackmate/bot"
)

func (s *subject) note(n bot.Notes, shelf, key string, want []byte) {
	s.Helper()
	got, err := n.Get(s.Context(), shelf, key)
	s.must(err)
	if !bytes.Equal(got, want) || (got == nil) != (want == nil) {
		s.Errorf("%q on %q is %q, want %q", key, shelf, got, want)
	}
}

func (s *subject) keys(n bot.Notes, shelf string, want ...string) {
	s.Helper()
	got, err := n.Keys(s.Context(), shelf)
	s.must(err)
	if !slices.Equal(got, want) {
		s.Errorf("keys of %q are %q, want %q", shelf, got, want)
	}
}

func shelves(s *subject) {
	ctx := s.Context()
	web, slack := s.Notes("web"), s.Notes("slack")
	s.note(web, "seen", "ann", nil)
	s.keys(web, "seen")
	s.must(web.Put(ctx, "seen", "ben", []byte("2")))
	s.must(web.Put(ctx, "seen", "ann", []byte("1")))
	s.must(web.Put(ctx, "seen", "Zoe", []byte{}))
	s.must(web.Put(ctx, "names", "ann", []byte("Ann")))
	s.must(slack.Put(ctx, "seen", "ann", []byte("other")))
	s.note(web, "seen", "ann", []byte("1"))
	s.note(web, "seen", "Zoe", []byte{})
	s.note(web, "names", "ann", []byte("Ann"))
	s.note(slack, "seen", "ann", []byte("other"))
	s.note(slack, "names", "ann", nil)
	s.keys(web, "seen", "Zoe", "ann", "ben")

	// Callers may write to a value that they get.
	value, err := web.Get(ctx, "seen", "ann")
	s.must(err)
	value[0] = '9'
	mine := []byte("3")
	s.must(web.Put(ctx, "seen", "ben", mine))
	mine[0] = '9'
	s.note(web, "seen", "ann", []byte("1"))
	s.note(web, "seen", "ben", []byte("3"))

	s.must(web.Put(ctx, "seen", "ann", nil))
	s.must(web.Put(ctx, "seen", "nobody", nil))
	s.note(web, "seen", "ann", nil)
	s.keys(web, "seen", "Zoe", "ben")
	s.restart()
	s.keys(s.Notes("web"), "seen", "Zoe", "ben")
	s.keys(s.Notes("slack"), "seen", "ann")
}

func oddNotes(s *subject) {
	ctx := s.Context()
	notes := s.Notes("web")
	names := []string{"", "a", "a/b", "b", "/b", "a/", "\x00", "a\x00"} // each a shelf, and a key on each shelf
	for _, shelf := range names {
		for _, key := range names {
			s.must(notes.Put(ctx, shelf, key, fmt.Append(nil, shelf, "|", key)))
		}
	}
	sorted := slices.Sorted(slices.Values(names))
	for _, shelf := range names {
		for _, key := range names {
			s.note(notes, shelf, key, fmt.Append(nil, shelf, "|", key))
		}
		s.keys(notes, shelf, sorted...)
	}

	names = append(words(), "\xff", "\xff\xfe")
	for _, w := range names {
		s.appendLine(notes, w, w, "line of "+w, 1, true)
		s.must(s.Notes(w).Put(ctx, "words", w, []byte(w)))
	}
	for _, w := range names {
		s.lines(notes, w, 0, 10, "1 line of "+w)
		s.keys(s.Notes(w), "words", w)
		s.note(s.Notes(w), "words", w, []byte(w))
	}
}

func (s *subject) appendLine(n bot.Notes, journal, key, line string, wantNumber uint64, wantAdded bool) {
	s.Helper()
	number, added, err := n.Append(s.Context(), journal, key, []byte(line))
	s.must(err)
	if number != wantNumber || added != wantAdded {
		s.Errorf("Append of %q gave %d, %v, want %d, %v", line, number, added, wantNumber, wantAdded)
	}
}

func (s *subject) lines(n bot.Notes, journal string, before uint64, limit int, want ...string) {
	s.Helper()
	lines, err := n.Read(s.Context(), journal, before, limit)
	s.must(err)
	var got []string
	for _, l := range lines {
		got = append(got, fmt.Sprintf("%d %s", l.Number, l.Data))
	}
	if !slices.Equal(got, want) {
		s.Errorf("up to %d lines of %q before %d are %q, want %q", limit, journal, before, got, want)
	}
}

func journal(s *subject) {
	web, slack := s.Notes("web"), s.Notes("slack")
	s.lines(web, "den", 0, 10)
	s.appendLine(web, "den", "", "hello", 1, true)
	s.appendLine(web, "den", "", "hello", 2, true)
	s.appendLine(web, "parlour", "", "anybody?", 1, true)
	s.appendLine(slack, "den", "", "elsewhere", 1, true)
	s.must(web.Put(s.Context(), "den", "den", []byte("no line")))
	s.lines(web, "den", 0, 10, "1 hello", "2 hello")
	s.lines(web, "parlour", 0, 10, "1 anybody?")
	s.restart()
	s.appendLine(s.Notes("web"), "den", "", "still here", 3, true)
	s.lines(s.Notes("web"), "den", 0, 10, "1 hello", "2 hello", "3 still here")
	s.lines(s.Notes("slack"), "den", 0, 10, "1 elsewhere")
}

func journalReplaced(s *subject) {
	web := s.Notes("web")
	for i, line := range []string{"one", "two", "three"} {
		s.appendLine(web, "den", line, line, uint64(i+1), true)
	}
	mine := []byte("gone")
	s.must(web.Replace(s.Context(), "den", 2, mine))
	mine[0] = 'G'
	for _, n := range []uint64{0, 4, 1 << 63} {
		s.must(web.Replace(s.Context(), "den", n, []byte("nowhere")))
	}
	s.must(web.Replace(s.Context(), "parlour", 1, []byte("nowhere")))
	s.must(s.Notes("slack").Replace(s.Context(), "den", 1, []byte("nowhere")))
	s.restart()
	web = s.Notes("web")
	s.lines(web, "den", 0, 10, "1 one", "2 gone", "3 three")
	s.lines(web, "parlour", 0, 10)
	s.appendLine(web, "den", "two", "two again", 2, false)
	s.appendLine(web, "den", "", "four", 4, true)

	s.appendLine(web, "den2", "two", "another journal", 1, true)
	s.must(web.Drop(s.Context(), "den"))
	s.must(web.Drop(s.Context(), "nowhere"))
	s.restart()
	web = s.Notes("web")
	s.lines(web, "den", 0, 10)
	s.lines(web, "den2", 0, 10, "1 another journal")
	s.appendLine(web, "den", "two", "begun anew", 1, true)
}

func journalKeys(s *subject) {
	web := s.Notes("web")
	s.appendLine(web, "den", "k1", "one", 1, true)
	s.appendLine(web, "den", "k2", "two", 2, true)
	s.appendLine(web, "den", "k1", "one again", 1, false)
	s.appendLine(web, "parlour", "k1", "another journal", 1, true)
	s.appendLine(s.Notes("slack"), "den", "k1", "another adapter", 1, true)
	s.restart()
	web = s.Notes("web")
	s.appendLine(web, "den", "k2", "two again", 2, false)
	s.appendLine(web, "den", "k", "three", 3, true)
	s.appendLine(web, "den", "", "four", 4, true)
	s.appendLine(web, "den", "", "five", 5, true)
	s.lines(web, "den", 0, 10, "1 one", "2 two", "3 three", "4 four", "5 five")
}

func journalPages(s *subject) {
	web := s.Notes("web")
	for i := range 260 {
		s.appendLine(web, "a", "", fmt.Sprint("a", i+1), uint64(i+1), true)
		if i%100 == 0 {
			s.appendLine(web, "b", "", fmt.Sprint("b", i/100+1), uint64(i/100+1), true)
		}
	}
	s.lines(web, "a", 0, 3, "258 a258", "259 a259", "260 a260")
	s.lines(web, "a", 260, 2, "258 a258", "259 a259")
	s.lines(web, "a", 257, 2, "255 a255", "256 a256")
	s.lines(web, "a", 3, 10, "1 a1", "2 a2")
	s.lines(web, "a", 1, 10)
	s.lines(web, "a", 1<<63, 1, "260 a260")
	s.lines(web, "a", 0, 0)
	s.lines(web, "a", 0, -1)
	s.lines(web, "b", 0, 10, "1 b1", "2 b2", "3 b3")
	s.lines(web, "b", 0, 2, "2 b2", "3 b3")
}

func journalCrowd(s *subject) {
	const n = 60
	web := s.Notes("web")
	together(n, func(i int) {
		if _, _, err := web.Append(s.Context(), "den", fmt.Sprint(i/2), fmt.Append(nil, i/2)); err != nil {
			s.Error(err)
		}
	})
	lines, err := web.Read(s.Context(), "den", 0, n)
	s.must(err)
	seen := map[string]bool{}
	for i, l := range lines {
		if l.Number != uint64(i+1) || seen[string(l.Data)] {
			s.Fatalf("line %d is %d %q", i+1, l.Number, l.Data)
		}
		seen[string(l.Data)] = true
	}
	if len(lines) != n/2 {
		s.Errorf("%d lines, want %d: each key was appended twice", len(lines), n/2)
	}
}

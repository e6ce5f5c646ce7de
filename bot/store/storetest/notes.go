package storetest

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
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

func testShelves(s *subject) {
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

	// Callers may modify a value that they get.
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

func testOddNotes(s *subject) {
	ctx := s.Context()
	web := s.Notes("web")
	names := []string{"", "a", "a/b", "b", "/b", "a/", "\x00", "a\x00"} // each a shelf, and a key on each shelf
	for _, shelf := range names {
		for _, key := range names {
			s.must(web.Put(ctx, shelf, key, fmt.Append(nil, shelf, "|", key)))
		}
	}
	sorted := slices.Sorted(slices.Values(names))
	for _, shelf := range names {
		for _, key := range names {
			s.note(web, shelf, key, fmt.Append(nil, shelf, "|", key))
		}
		s.keys(web, shelf, sorted...)
	}

	names = append(words(), "\xff", "\xff\xfe")
	for _, w := range names {
		s.addEntry(web, notes.Log("said/"+w), w, "entry of "+w, 1, true)
		s.must(s.Notes(w).Put(ctx, "words", w, []byte(w)))
	}
	for _, w := range names {
		s.entries(web, notes.Log("said/"+w), 0, 10, "1 entry of "+w)
		s.keys(s.Notes(w), "words", w)
		s.note(s.Notes(w), "words", w, []byte(w))
	}
}

func (s *subject) addEntry(n bot.Notes, log notes.Log, key, entry string, wantNumber uint64, wantAdded bool) {
	s.Helper()
	number, added, err := add(s.Context(), n, log, key, entry)
	s.must(err)
	if number != wantNumber || added != wantAdded {
		s.Errorf("Add of %q gave %d, %v, want %d, %v", entry, number, added, wantNumber, wantAdded)
	}
}

// add adds an entry to a log in a change of its own.
func add(ctx context.Context, n bot.Notes, log notes.Log, key, entry string) (number uint64, added bool, err error) {
	err = n.Change(ctx, func(rows bot.Rows) (err error) {
		number, added, err = log.Add(rows, key, []byte(entry))
		return err
	})
	return number, added, err
}

func (s *subject) entries(n bot.Notes, log notes.Log, before uint64, limit int, want ...string) {
	s.Helper()
	entries, err := log.Read(s.Context(), n, before, limit)
	s.must(err)
	var got []string
	for _, e := range entries {
		got = append(got, fmt.Sprintf("%d %s", e.Number, e.Data))
	}
	if !slices.Equal(got, want) {
		s.Errorf("up to %d entries of %q before %d are %q, want %q", limit, log, before, got, want)
	}
}

func testLogAdds(s *subject) {
	web, slack := s.Notes("web"), s.Notes("slack")
	s.entries(web, "den", 0, 10)
	s.addEntry(web, "den", "k1", "hello", 1, true)
	s.addEntry(web, "den", "k2", "hello", 2, true)
	s.addEntry(web, "parlour", "k1", "anybody?", 1, true)
	s.addEntry(slack, "den", "k1", "elsewhere", 1, true)
	s.addEntry(web, "den", "k1", "hello again", 1, false)
	s.entries(web, "den", 0, 10, "1 hello", "2 hello")
	s.entries(web, "parlour", 0, 10, "1 anybody?")
	s.restart()
	s.addEntry(s.Notes("web"), "den", "k2", "hello again", 2, false)
	s.addEntry(s.Notes("web"), "den", "k", "still here", 3, true)
	s.entries(s.Notes("web"), "den", 0, 10, "1 hello", "2 hello", "3 still here")
	s.entries(s.Notes("slack"), "den", 0, 10, "1 elsewhere")

	web = s.Notes("web")
	s.must(web.Change(s.Context(), func(rows bot.Rows) error { return notes.Log("den").Replace(rows, 2, "gone") }))
	s.entries(web, "den", 0, 10, "1 hello", `2 "gone"`, "3 still here")
	s.addEntry(web, "den2", "k2", "another log", 1, true)
	s.must(notes.Log("den").Drop(s.Context(), web))
	s.must(notes.Log("nowhere").Drop(s.Context(), web))
	s.restart()
	web = s.Notes("web")
	s.entries(web, "den", 0, 10)
	s.entries(web, "den2", 0, 10, "1 another log")
	s.addEntry(web, "den", "k2", "from the beginning", 1, true)
}

func testLogPages(s *subject) {
	web := s.Notes("web")
	for i := range 260 {
		s.addEntry(web, "a", fmt.Sprint(i), fmt.Sprint("a", i+1), uint64(i+1), true)
	}
	s.entries(web, "a", 0, 3, "258 a258", "259 a259", "260 a260")
	s.entries(web, "a", 260, 2, "258 a258", "259 a259")
	s.entries(web, "a", 257, 2, "255 a255", "256 a256")
	s.entries(web, "a", 3, 10, "1 a1", "2 a2")
	s.entries(web, "a", 1, 10)
	s.entries(web, "a", 1<<63, 1, "260 a260")
	s.entries(web, "a", 0, 0)
	s.entries(web, "a", 0, -1)
}

func testLogCrowd(s *subject) {
	const n = 60
	web := s.Notes("web")
	runTogether(n, func(i int) {
		if _, _, err := add(s.Context(), web, "den", fmt.Sprint(i/2), fmt.Sprint(i/2)); err != nil {
			s.Error(err)
		}
	})
	entries, err := notes.Log("den").Read(s.Context(), web, 0, n)
	s.must(err)
	seen := map[string]bool{}
	for i, e := range entries {
		if e.Number != uint64(i+1) || seen[string(e.Data)] {
			s.Fatalf("entry %d is %d %q", i+1, e.Number, e.Data)
		}
		seen[string(e.Data)] = true
	}
	if len(entries) != n/2 {
		s.Errorf("%d entries, want %d: each key was added twice", len(entries), n/2)
	}
}

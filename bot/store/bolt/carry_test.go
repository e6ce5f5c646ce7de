package bolt_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game/gametest"
)

// A file is copied into another in two parts; until the end the copy knows how far it is.
func TestCopyInTwoParts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	full, copied := filepath.Join(dir, "full.db"), filepath.Join(dir, "copied.db")
	furnishRichly(t, full)
	was, err := sums(full)
	gametest.Must(t, err)
	from, to := open(t, full, atStart), open(t, copied, atStart)
	var all []store.Record
	gametest.Must(t, from.Records(t.Context(), func(r store.Record) error {
		all = append(all, r)
		return nil
	}))
	done := 0
	for part := range slices.Chunk(all, len(all)/2+1) {
		done += len(part)
		gametest.Must(t, to.Carry(t.Context(), part, done))
		if n, unfinished, err := to.CountRecords(t.Context()); n != done || !unfinished || err != nil {
			t.Errorf("of %d records %d are carried, unfinished %t (%v)", done, n, unfinished, err)
		}
	}
	gametest.Must(t, to.Finish(t.Context()))
	if n, unfinished, err := to.CountRecords(t.Context()); n != 0 || unfinished || err != nil {
		t.Errorf("at the end %d are carried, unfinished %t (%v)", n, unfinished, err)
	}
	is := store.Sums{}
	gametest.Must(t, to.Records(t.Context(), is.Add))
	if differ := was.Differ(is); len(was) < 20 || len(differ) > 0 {
		t.Errorf("of %d parts these differ: %v", len(was), differ)
	}
}

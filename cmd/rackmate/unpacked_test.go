package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// A packed list is unpacked once: then it is read from a file, and what the file has in
// place of the list is found out.
func TestAPackedListIsUnpackedOnce(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if lex, err := openLexicon("en-clean"); err != nil || !lex.Packed() {
		t.Fatalf("en-clean isn't packed (%v)", err)
	}
	count := func() string {
		t.Helper()
		status, out, err := command(t, "", "moves", "--lexicon", "en-clean", "--count", emptyBoard+" AEINRST/ 0/0 0")
		if status != 0 {
			t.Fatal(err)
		}
		return out
	}
	first := count()
	lex, err := openLexicon("en-clean")
	if err != nil || lex.Packed() {
		t.Fatalf("en-clean isn't kept (%v)", err)
	}
	if again := count(); again != first {
		t.Errorf("unpacked: %s, kept: %s", first, again)
	}
	name, err := unpackedFile(lex)
	gametest.Must(t, err)
	small, err := lexicon.New("en-other", lex.Alphabet(), nil)
	gametest.Must(t, err)
	var other bytes.Buffer
	if _, err := small.WriteTo(&other); err != nil {
		t.Fatal(err)
	}
	for _, other := range [][]byte{nil, []byte("half of it"), other.Bytes()} {
		part := filepath.Join(t.TempDir(), "part")
		gametest.Must(t, os.WriteFile(part, other, 0o600))
		gametest.Must(t, os.Rename(part, name))
		if again := count(); again != first {
			t.Errorf("with %d other bytes in the file: %s, before: %s", len(other), again, first)
		}
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(name, "none"))
	if again := count(); again != first {
		t.Errorf("without a cache: %s, before: %s", again, first)
	}
}

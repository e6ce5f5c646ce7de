package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// englishIn is the cache folder with the unpacked list en; "" if no test has used it yet.
var englishIn string

// useEnglish sets the test's cache folder to one that holds en unpacked once a test has generated
// moves with it.
func useEnglish(t *testing.T) {
	t.Helper()
	if englishIn != "" {
		t.Setenv("XDG_CACHE_HOME", englishIn)
		return
	}
	cache, err := os.MkdirTemp("", "english") // with the other folders of the tests
	gametest.Must(t, err)
	t.Setenv("XDG_CACHE_HOME", cache)
	if lex, err := OpenLexicon("en"); err != nil || !lex.IsPacked() {
		t.Fatalf("en isn't packed (%v)", err)
	}
	lookInEnglish(t)
	englishIn = cache
}

// lookInEnglish generates moves with en, which stores it unpacked.
func lookInEnglish(t *testing.T) {
	t.Helper()
	mind, _, err := OpenMind("en")
	if err != nil || mind.Words().Len() < 200_000 {
		t.Errorf("en: %v", err)
	}
	if lex, err := OpenLexicon("en"); err != nil || lex.IsPacked() {
		t.Fatalf("en isn't kept (%v)", err)
	}
}

// TestPackedListIsUnpackedOnce checks that a packed list is unpacked once and then read from its
// file.
func TestPackedListIsUnpackedOnce(t *testing.T) {
	useEnglish(t)
	lookInEnglish(t)
}

// TestWrongUnpackedFileIsDetected checks that a wrong file is detected, and that the packed list still
// works if nothing can be stored.
func TestWrongUnpackedFileIsDetected(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	eq, err := StandardEquipment()
	gametest.Must(t, err)
	alphabet := eq.Tiles.Alphabet()
	made := func(words ...string) *lexicon.Lexicon {
		t.Helper()
		var all []lexicon.Word
		for _, text := range words {
			w, err := alphabet.Parse(text)
			gametest.Must(t, err)
			all = append(all, w)
		}
		x, err := lexicon.New("en-few", alphabet, all)
		gametest.Must(t, err)
		return x
	}
	var packed, other bytes.Buffer
	_, err = made("FARM", "HORN").WritePackedTo(&packed)
	gametest.Must(t, err)
	_, err = made().WriteTo(&other)
	gametest.Must(t, err)
	few := func() *lexicon.Lexicon {
		t.Helper()
		x, err := lexicon.OpenSound(packed.Bytes())
		if err != nil || !x.IsPacked() {
			t.Fatalf("the list isn't packed (%v)", err)
		}
		return x
	}
	list := few()
	name, err := unpackedFile(list)
	gametest.Must(t, err)
	for _, instead := range [][]byte{nil, []byte("half of it"), other.Bytes()} {
		if x := keepUnpacked(few()); x.IsPacked() || openUnpacked(list) == nil || x.Hash() != list.Hash() {
			t.Fatal("the list isn't kept")
		}
		part := filepath.Join(t.TempDir(), "part")
		gametest.Must(t, os.WriteFile(part, instead, 0o600))
		gametest.Must(t, os.Rename(part, name))
		if x := openUnpacked(list); x != nil {
			t.Errorf("with %d other bytes in the file a list of %d words is read", len(instead), x.Len())
		}
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(name, "none"))
	if x := keepUnpacked(list); x != list || !x.IsPacked() {
		t.Error("without a cache it is another list")
	}
}

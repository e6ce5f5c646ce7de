package pages

import (
	"bytes"
	"path"
	"regexp"
	"testing"

	"github.com/rackmate/rackmate/adapters/web/static"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestBundles checks that each bundle has everything that its script imports: an asset falls back
// to the script alone.
func TestBundles(t *testing.T) {
	all, err := assets()
	gametest.Must(t, err)
	for _, name := range bundled {
		b, err := bundle(name)
		gametest.Must(t, err)
		if !bytes.Equal(b, all["static/"+name].plain()) {
			t.Errorf("%s isn't sent as a bundle", name)
		}
		if left := regexp.MustCompile(`\bfrom ?"|\bimport ?[("]|/\*\*`).Find(b); left != nil {
			t.Errorf("%s still has %q", name, left)
		}
		alone, err := static.Files.ReadFile(path.Base(name))
		gametest.Must(t, err)
		if len(b) < 2*len(alone) {
			t.Errorf("%s has %d bytes, with everything it imports %d", name, len(alone), len(b))
		}
	}
}

// TestPagesWithoutBoardLoadNone checks that the script of pages without a board, such as leaderboards,
// is small.
func TestPagesWithoutBoardLoadNone(t *testing.T) {
	all, err := assets()
	gametest.Must(t, err)
	if n := len(all["static/page.js"].zipped()); n > 5_000 {
		t.Errorf("it has %d bytes, compressed", n)
	}
}

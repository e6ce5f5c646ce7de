package imaging

import (
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestTileSetsShareSprites checks that parsing a tile set again for each game makes no new sprites, and that no
// number of tile sets fills the memory.
func TestTileSetsShareSprites(t *testing.T) {
	set := func(value int) *game.TileSet {
		s, err := game.NewTileSet("any", []game.Kind{{Text: "A", Count: 9, Value: value}}, game.Kind{Count: 2})
		gametest.Must(t, err)
		return s
	}
	if one, same, other := set(1).Faces(), set(1).Faces(), set(2).Faces(); one != same || one == other {
		t.Errorf("faces %q and %q are of equal sets, %q of another", one, same, other)
	}
	var l lazy[sheetKey, int]
	drawn := 0
	for i := range 10 * lazyLimit {
		for range 3 {
			l.get(sheetKey{set(i).Faces(), 60, gap}, func(sheetKey) int { drawn++; return i })
		}
	}
	if drawn > 11*lazyLimit {
		t.Errorf("%d things drawn for %d", drawn, 10*lazyLimit)
	}
	kept := 0
	l.made.Range(func(any, any) bool { kept++; return true })
	if kept > lazyLimit {
		t.Errorf("%d things kept", kept)
	}
}

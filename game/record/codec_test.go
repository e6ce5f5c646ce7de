package record_test

import (
	"slices"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// TestEveryFactHasACodec checks that every fact of package game, which is a type with the method
// apply, is registered once under its own kind.
func TestEveryFactHasACodec(t *testing.T) {
	kinds, _, registered := record.StoredTypes()
	var names []string
	for i, f := range registered {
		names = append(names, f.Name())
		if slices.Contains(kinds[:i], kinds[i]) {
			t.Errorf("two facts are stored as %q", kinds[i])
		}
	}
	all := gametest.FactNames(t)
	for _, name := range all {
		if n := len(slices.DeleteFunc(slices.Clone(names), func(s string) bool { return s != name })); n != 1 {
			t.Errorf("the fact %s has %d codecs", name, n)
		}
	}
}

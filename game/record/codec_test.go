package record_test

import (
	"slices"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// Every fact of package game is registered, once, under a kind of its own. A
// fact is a type with the method apply.
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

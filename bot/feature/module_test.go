package feature_test

import (
	"testing"

	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
)

// A module needs a unique ID and a constructor. Modules are listed by ID.
func TestRegister(t *testing.T) {
	make := func(feature.Desk, *shelf.Owner) feature.Feature { return feature.Feature{} }
	for _, c := range []struct {
		feature.Module
		fails bool
	}{
		{feature.Module{ID: "marbles", New: make}, false},
		{feature.Module{ID: "marbles", New: make}, true},
		{feature.Module{ID: "", New: make}, true},
		{feature.Module{ID: "jacks"}, true},
		{feature.Module{ID: "hoops", New: make}, false},
	} {
		func() {
			defer func() {
				if failed := recover() != nil; failed != c.fails {
					t.Errorf("registering %q fails: %t", c.ID, failed)
				}
			}()
			feature.Register(c.Module)
		}()
	}
	if all := feature.Modules(); len(all) != 2 || all[0].ID != "hoops" || all[1].ID != "marbles" {
		t.Errorf("the modules are %v", all)
	}
}

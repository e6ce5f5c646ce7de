package features_test

import (
	"testing"

	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
)

// Each variant that the rules know has a feature, and no feature adds another variant.
func TestVariantsAreFeatures(t *testing.T) {
	people := map[string]bool{}
	for _, v := range host.New(host.Config{Features: features.All}).Variants() {
		people[v.Name] = true
	}
	for _, v := range game.Variants() {
		if v.Name != "" && !people[v.Name] {
			t.Errorf("people can't play %s", v.Name)
		}
		delete(people, v.Name)
	}
	for name := range people {
		t.Errorf("the rules know no variant %s", name)
	}
}

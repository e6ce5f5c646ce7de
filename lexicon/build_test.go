package lexicon

import (
	"slices"
	"testing"
)

func TestOversizedListIsRefused(t *testing.T) {
	a := mustAlphabet(t, "A", "B", "C")
	var words []Word
	for i := range byte(3) {
		for k := range byte(3) {
			words = append(words, Word([]byte{1 + i, 1 + k, 3, 1 + k}))
		}
	}
	slices.Sort(words)
	g, ok := buildGraph(a, words, maxCells)
	if !ok {
		t.Fatal("nine words were refused")
	}
	most := 0 // cells that the builder needs; a graph's order doesn't change them
	for limit := len(g.cells) + 10; ok; limit-- {
		most = limit
		_, ok = buildGraph(a, words, limit)
	}
	if most != len(g.cells)-1 && most != len(g.cells) {
		t.Errorf("%d cells are enough for a graph of %d", most, len(g.cells))
	}
}

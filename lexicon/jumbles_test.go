package lexicon_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/lexicon"
)

// TestJumblesHaveExactlyTheWords checks that letters lead to exactly the words that they spell.
func TestJumblesHaveExactlyTheWords(t *testing.T) {
	x := shipped(t)
	j := x.Jumbles()
	sumOf := func(w lexicon.Word) (sum uint64) {
		for i := len(w) - 1; i >= 0; i-- { // in any order
			sum += j.Code(lexicon.Letter(w[i]))
		}
		return sum
	}
	spelt := func(sum uint64, n int) (all []lexicon.Word) {
		words := j.Of(n).Words(sum)
		for word := words.Next(); word != nil; word = words.Next() {
			all = append(all, lexicon.Word(word))
		}
		return all
	}
	words := map[uint64][]lexicon.Word{}
	for w := range x.Words() {
		words[sumOf(w)] = append(words[sumOf(w)], w)
	}
	for sum, want := range words {
		if got := spelt(sum, len(want[0])); !j.Of(len(want[0])).MayContain(sum) || !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Fatalf("the letters of %v spell %v", want, got)
		}
		if got := spelt(sum, len(want[0])-1); got != nil {
			t.Fatalf("too few letters spell %v", got)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	wrong, racks := 0, 100_000
	for range racks {
		sum := uint64(0)
		for range 7 {
			sum += j.Code(lexicon.Letter(1 + rng.IntN(26)))
		}
		if words[sum] != nil {
			continue
		}
		if j.Of(7).MayContain(sum) {
			wrong++
		}
		if got := spelt(sum, 7); got != nil {
			t.Fatalf("no word's letters spell %v", got)
		}
	}
	if wrong > racks/100 {
		t.Errorf("%d of %d racks without a word may have one", wrong, racks)
	}
	if size := j.Size(); size > 5<<20 {
		t.Errorf("they take %d bytes", size)
	}
}

package lexicon_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/lexicon"
)

func TestJumblesKnowEveryWordAndFewOthers(t *testing.T) {
	file, err := data.Lexicon("en")
	if err != nil {
		t.Fatal(err)
	}
	x, err := lexicon.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	j := x.Jumbles()
	words := map[uint64]bool{}
	for w := range x.Words() {
		sum := uint64(0)
		for i := len(w) - 1; i >= 0; i-- { // the order makes no difference
			sum += j.Code(lexicon.Letter(w[i]))
		}
		words[sum] = true
		if !j.May(sum) {
			t.Fatalf("no word has the letters of %s", x.Alphabet().String(w))
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	wrong, racks := 0, 100_000
	for range racks {
		sum := uint64(0)
		for range 7 {
			sum += j.Code(lexicon.Letter(1 + rng.IntN(26)))
		}
		if j.May(sum) && !words[sum] {
			wrong++
		}
	}
	if wrong > racks/100 {
		t.Errorf("%d of %d racks without a word may have one", wrong, racks)
	}
}

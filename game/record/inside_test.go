package record

import (
	"reflect"

	"github.com/rackmate/rackmate/game"
)

// StoredTypes are the stored types of the facts, by kind; FactTypes the facts
// themselves.
func StoredTypes() (kinds []string, types []reflect.Type, facts []reflect.Type) {
	for _, c := range codecs {
		kinds = append(kinds, c.kind)
		types = append(types, reflect.TypeOf(c.empty()).Elem())
		facts = append(facts, c.of)
	}
	return kinds, types, facts
}

// Envelope and ProofFile are what holds them.
var (
	Envelope  = reflect.TypeFor[envelope]()
	ProofFile = reflect.TypeFor[proofV1]()
)

// EndReasons are the names of the ends.
var EndReasons = endReasons[1:]

// GCGWords are what stands in the lines of a GCG: one example of each sort of
// turn, and the pragmas that mean something here.
func GCGWords() []string {
	words := []string{"#player1", "#character-encoding", "#note", "#lexicon", "#" + variantPragma}
	for k := Play; k <= TimePenalty; k++ {
		t := Turn{Kind: k, At: game.Square{Row: 7, Col: 6}, Dir: game.Across, Tiles: "ABC"}
		words = append(words, t.what())
	}
	return words
}

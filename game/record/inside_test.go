package record

import (
	"reflect"

	"github.com/rackmate/rackmate/game"
)

// StoredTypes returns the kinds, stored types and types of the facts.
func StoredTypes() (kinds []string, types []reflect.Type, facts []reflect.Type) {
	for _, c := range codecs {
		kinds = append(kinds, c.kind)
		types = append(types, reflect.TypeOf(c.empty()).Elem())
		facts = append(facts, c.of)
	}
	return kinds, types, facts
}

// Envelope and ProofFile are the types that contain them.
var (
	Envelope  = reflect.TypeFor[envelope]()
	ProofFile = reflect.TypeFor[proofV1]()
)

// Chain is chain for the tests of stored events.
var Chain = chain

// EndReasons are the names of the reasons for an end.
var EndReasons = endReasons[1:]

// GCGWords returns an example of each kind of turn in a GCG, and the pragmas that this package
// knows.
func GCGWords() []string {
	words := []string{"#player1", "#character-encoding", "#note", "#lexicon", "#" + variantPragma}
	for k := Play; k <= TimePenalty; k++ {
		t := Turn{Kind: k, At: game.Square{Row: 7, Col: 6}, Dir: game.Across, Tiles: "ABC"}
		words = append(words, t.playField())
	}
	return words
}

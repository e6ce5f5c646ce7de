package record

import "reflect"

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

package contest

import "testing"

// TestBye checks that an entrant alone in a pairing has a bye, unless they miss the round.
func TestBye(t *testing.T) {
	for _, c := range []struct {
		what    string
		pairing Pairing
		bye     bool
	}{
		{"two who play", Pairing{A: 1, B: 2}, false},
		{"one alone", Pairing{A: 1}, true},
		{"one who misses the round", Pairing{A: 1, Missed: true}, false},
		{"nobody", Pairing{}, false},
		{"no first", Pairing{B: 2}, false},
	} {
		if c.pairing.Bye() != c.bye {
			t.Errorf("%s: a bye is %t", c.what, !c.bye)
		}
	}
}

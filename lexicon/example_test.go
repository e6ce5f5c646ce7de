package lexicon_test

import (
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/lexicon"
)

// This example builds a Spanish list, in which CH is a letter of its own.
func ExampleBuild() {
	alphabet, err := lexicon.NewAlphabet([]string{"A", "C", "CH", "E", "H", "L", "N", "O"})
	if err != nil {
		panic(err)
	}
	_, err = lexicon.Build("pocket", alphabet, strings.NewReader("leche\nnoche\ncoche\ncoches\nocho\n"))
	fmt.Println(err) // the alphabet has no S
	x, err := lexicon.Build("pocket", alphabet, strings.NewReader("leche\nnoche\ncoche\nocho\n"))
	if err != nil {
		panic(err)
	}
	word, err := alphabet.Parse("noche")
	if err != nil {
		panic(err)
	}
	fmt.Println(len(word), x.Has(word))

	pattern, err := lexicon.ParsePattern(alphabet, "?oche")
	if err != nil {
		panic(err)
	}
	for w := range x.Match(pattern) {
		fmt.Println(alphabet.String(w))
	}
	// Output:
	// line 4: "coches": 's' not in the alphabet
	// 4 true
	// COCHE
	// NOCHE
}

package robot

import (
	"slices"
	"strings"

	"github.com/rackmate/rackmate/lexicon"
)

// A Level is how well a robot plays. Levels differ as people do: in the words
// they know, in how much of a rack they can make a word of, in whether they
// think of the tiles they keep, and of what comes next. None of them plays
// badly on purpose. The zero Level is none.
type Level struct {
	Name string // lower case, what commands and player ids call it
	Help string // who plays like that; a line

	// The words it knows: up to a tier of commonness, and all up to a
	// number of letters.
	knowledge
	// The plays it notices: the most tiles and words they have; 0 is any
	// number.
	tiles, words int
	// thrifty says that it keeps a blank unless a play gains enough by it.
	thrifty bool
	// leaves says that it thinks of the tiles it keeps.
	leaves bool
	// ahead says that it thinks of what the others can do next, and plays
	// endings out.
	ahead bool

	// nose is in how many of a hundred cases it smells a phony, a word that
	// it doesn't know and that isn't one; doubts in how many it doubts a good
	// word that it doesn't know.
	nose, doubts int
}

// Levels lists the levels, the weakest first.
func Levels() []Level {
	return []Level{
		{
			Name: "beginner", Help: "everyday words, and short ones",
			knowledge: knowledge{tier: lexicon.Familiar}, tiles: 5, words: 2, nose: 30, doubts: 4,
		},
		{
			Name: "easy", Help: "the words everybody knows",
			knowledge: knowledge{tier: lexicon.Familiar}, nose: 40, doubts: 4,
		},
		{
			Name: "casual", Help: "reads a lot, and plays now and then",
			knowledge: knowledge{tier: 55}, thrifty: true, nose: 50, doubts: 4,
		},
		{
			Name: "medium", Help: "a good dictionary, and all two-letter words",
			knowledge: knowledge{tier: lexicon.Educated, letters: 2}, thrifty: true, nose: 60, doubts: 4,
		},
		{
			Name: "strong", Help: "a large dictionary, and all three-letter words",
			knowledge: knowledge{tier: lexicon.Unusual, letters: 3}, thrifty: true, nose: 75, doubts: 3,
		},
		{
			Name: "advanced", Help: "all six-letter words too, and keeps good tiles",
			knowledge: knowledge{tier: lexicon.Unusual, letters: 6}, leaves: true, nose: 90, doubts: 1,
		},
		{
			Name: "expert", Help: "every word, and thinks ahead to the end",
			knowledge: knowledge{tier: lexicon.Rare}, leaves: true, ahead: true, nose: 100,
		},
	}
}

// Yardsticks lists players that are no levels, to measure levels and leave
// values by: "static" knows every word and plays the highest equity, "greedy"
// the highest score.
func Yardsticks() []Level {
	return []Level{
		{Name: "greedy", Help: "every word, the highest score", knowledge: knowledge{tier: lexicon.Rare}, nose: 100},
		{Name: "static", Help: "every word, the highest equity", knowledge: knowledge{tier: lexicon.Rare}, leaves: true, nose: 100},
	}
}

// ParseLevel finds a level by its name, in either case.
func ParseLevel(name string) (Level, bool) {
	levels := Levels()
	i := slices.IndexFunc(levels, func(l Level) bool { return strings.EqualFold(l.Name, name) })
	if i < 0 {
		return Level{}, false
	}
	return levels[i], true
}

// Thinks reports whether a robot of the level takes its time over a move:
// others answer in milliseconds.
func (l Level) Thinks() bool { return l.ahead }

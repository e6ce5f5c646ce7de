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
//
// Beside people. Against the static robot the levels won 0.0, 0.6, 3.1, 8.0, 18.6 and 35.4 %
// of 1,000 games each ("rackmate match medium static --games 1000"; standard errors up to
// 1.3), the expert 63 %. At Woogles.io people won 3 % of 257 such games with a rating below
// 1400, 7 % with one below 1500, 15, 17, 22, 27, 25, 33 and 38 % with one in each hundred from
// there to 2200, and 43 % above (10,600 games against its HastyBot, of which "Scrabble Player Rating", a
// competition of 2022, published the results).
//
// What they give up was compared in the same 1,700 positions, of 58 tournament games and 28 of
// those published ones, as points and leaves count, by the shipped list, which isn't theirs
// (HastyBot gives up 4.8 points a turn by it). People with a rating of 1470 to 1700 give up
// 18 points a turn (59 turns), up to 1950 12.5 (67), up to 2150 7.6 (87), and in tournaments 5.5
// (1,072); easy gives up 20, casual 15, medium 12, strong 8, advanced 3. Where a whole rack could
// be played, people did so in 40, 44, 67 and 82 % of cases, and easy in 34, casual in 46, medium in
// 53, strong in 69, advanced in 70. In endings those in tournaments gave up 3.6 points a turn, the
// others 7 to 19; casual 18, medium 15, strong 12, advanced 6. Unlike a level, people know short
// words however rare: in 42 to 55 % of their plays the word was one that most dictionaries for
// adults lack, in medium's in 5 %, strong's in 33, advanced's in 53.
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

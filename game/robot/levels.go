package robot

import (
	"slices"
	"strings"

	"github.com/rackmate/rackmate/lexicon"
)

// A Level describes how well a robot plays. Levels differ the way people do: in the words they
// know, in how many of those they spot on a rack, in whether they consider the tiles they keep, and
// in whether they look ahead. No level plays badly on purpose. The zero Level isn't a valid one.
type Level struct {
	Name string // lower case, used in commands and player ids
	Help string // one line that describes such a player

	// The words it knows: all up to a tier of commonness, and all up to a number of letters.
	knowledge
	// Limits on the plays it notices: tiles laid and words formed; 0 means no limit.
	tiles, words int
	// thrifty makes it keep a blank unless a play gains enough by using it.
	thrifty bool
	// leaves makes it value the tiles it keeps.
	leaves bool
	// ahead makes it consider what the opponents can do next and play endings out.
	ahead bool

	// nose is the percentage of phonies (invalid words) that it challenges; doubts is the
	// percentage of valid words it doesn't know that it challenges.
	phonyRate, validRate int
}

// Levels returns the levels, weakest first.
//
// Strength compared with people. Against the static robot the levels won 0.0, 0.6, 3.1, 8.0, 18.6
// and 35.4 % of 1,000 games each ("rackmate match medium static --games 1000"; standard errors up
// to 1.3), the expert 63 %. At Woogles.io people rated below 1400 won 3 % of 257 such games, people
// rated 1400 to 1500 7 %, those in each hundred from there to 2200 15, 17, 22, 27, 25, 33 and 38 %,
// and those above 43 % (10,600 games against its HastyBot, published with the results of "Scrabble
// Player Rating", a competition of 2022).
//
// Their losses were compared in the same 1,700 positions, from 58 tournament games and 28 of the
// published ones, counting points and leaves by the shipped word list, which isn't the one those
// games used (HastyBot loses 4.8 points a turn by it). People rated 1470 to 1700 lose 18 points a
// turn (59 turns), up to 1950 12.5 (67), up to 2150 7.6 (87), and in tournaments 5.5 (1,072); easy
// loses 20, casual 15, medium 12, strong 8, advanced 3. When a bingo was possible, people played
// one in 40, 44, 67 and 82 % of cases; easy does in 34, casual in 46, medium in 53, strong in 69,
// advanced in 70. In endings the tournament players lost 3.6 points a turn, the others 7 to 19;
// casual loses 18, medium 15, strong 12, advanced 6. Unlike a level, people know short words
// however rare: 42 to 55 % of their plays used a word that most dictionaries for adults lack,
// against 5 % for medium, 33 for strong and 53 for advanced.
func Levels() []Level {
	return []Level{
		{
			Name: "beginner", Help: "everyday words, and short ones",
			knowledge: knowledge{tier: lexicon.Familiar}, tiles: 5, words: 2, phonyRate: 30, validRate: 4,
		},
		{
			Name: "easy", Help: "the words everybody knows",
			knowledge: knowledge{tier: lexicon.Familiar}, phonyRate: 40, validRate: 4,
		},
		{
			Name: "casual", Help: "reads a lot, and plays now and then",
			knowledge: knowledge{tier: 55}, thrifty: true, phonyRate: 50, validRate: 4,
		},
		{
			Name: "medium", Help: "a good dictionary, and all two-letter words",
			knowledge: knowledge{tier: lexicon.Educated, letters: 2}, thrifty: true, phonyRate: 60, validRate: 4,
		},
		{
			Name: "strong", Help: "a large dictionary, and all three-letter words",
			knowledge: knowledge{tier: lexicon.Unusual, letters: 3}, thrifty: true, phonyRate: 75, validRate: 3,
		},
		{
			Name: "advanced", Help: "all six-letter words too, and keeps good tiles",
			knowledge: knowledge{tier: lexicon.Unusual, letters: 6}, leaves: true, phonyRate: 90, validRate: 1,
		},
		{
			Name: "expert", Help: "every word, and thinks ahead to the end",
			knowledge: knowledge{tier: lexicon.Rare}, leaves: true, ahead: true, phonyRate: 100,
		},
	}
}

// Yardsticks returns reference players, used to measure levels and leave values: "static" knows
// every word and plays the highest equity, "greedy" plays the highest score.
func Yardsticks() []Level {
	return []Level{
		{Name: "greedy", Help: "every word, the highest score", knowledge: knowledge{tier: lexicon.Rare}, phonyRate: 100},
		{Name: "static", Help: "every word, the highest equity", knowledge: knowledge{tier: lexicon.Rare}, leaves: true, phonyRate: 100},
	}
}

// ParseLevel returns the level with a name, ignoring case.
func ParseLevel(name string) (Level, bool) {
	levels := Levels()
	i := slices.IndexFunc(levels, func(l Level) bool { return strings.EqualFold(l.Name, name) })
	if i < 0 {
		return Level{}, false
	}
	return levels[i], true
}

// Thinks reports whether a robot of the level takes noticeable time over a move. Other levels
// answer in milliseconds.
func (l Level) Thinks() bool { return l.ahead }

package robot

import (
	"math"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// The weights of a guess, in thousandths of a point. See [GuessLeaves].
const (
	guessBlank   = 25_000
	guessUseful  = 8_000 // for a letter that is e times as frequent in words as in the bag
	guessUseless = -8_000
	guessPoint   = 600    // for each point of a tile beyond the first
	guessTwin    = -3_000 // for each duplicate of an earlier tile
	guessUneven  = -1_500 // for each excess vowel or consonant
)

// guessLength is the length of the words that letter frequencies are counted in: words that use a
// whole rack.
const guessLength = 7

// A guess estimates the values of leaves from their tiles.
type guess struct {
	worth [256]Equity // by tile, for the first of its kind
	vowel [256]bool   // by tile
	even  bool        // the vowels of the set are known
}

// value returns the value of a sorted leave.
func (g *guess) value(leave []byte) Equity {
	sum, vowels, consonants := Equity(0), 0, 0
	for i, t := range leave {
		switch blank := game.Tile(t).IsBlank(); {
		case i > 0 && leave[i-1] == t && !blank:
			sum += g.worth[t] + guessTwin
		default:
			sum += g.worth[t]
		}
		switch {
		case game.Tile(t).IsBlank():
		case g.vowel[t]:
			vowels++
		default:
			consonants++
		}
	}
	if more := max(vowels, consonants) - min(vowels, consonants); g.even && more > 1 {
		sum += guessUneven * Equity(more-1)
	}
	return sum
}

// GuessLeaves returns estimated leave values for a tile set and a word list that have no trained
// ones. A tile is worth keeping if its letter is more frequent in seven-letter words than in the
// bag, if it scores, if the leave has no other like it, and if it helps to balance vowels and
// consonants. With the lists es and nl a robot with these values won 61 % of 280 games against the
// greedy robot (standard error 2.9), and one that values all leaves equally 49 % of 120 (4.6).
// Trained values are better still: see TestTrainedLeavesBeatGuesses.
func GuessLeaves(set *game.TileSet, lex *lexicon.Lexicon) *Leaves {
	l := &Leaves{guess: &guess{even: set.HasVowels()}, order: &LeaveOrder{set: set}}
	var letters [lexicon.MaxLetters + 1]float64
	all := 0.0
	for w := range lex.Words() {
		if len(w) == guessLength {
			for i := range len(w) {
				letters[w[i]&lexicon.MaxLetters]++
				all++
			}
		}
	}
	bag := set.All()
	for _, t := range kinds(bag) {
		if t.IsBlank() {
			l.guess.worth[t] = guessBlank
			continue
		}
		l.guess.vowel[t] = set.Vowel(t)
		share := float64(bag.Count(t)) / float64(len(bag)-bag.Count(game.Blank))
		useful := guessUseful * math.Log(max(letters[t.Letter()&lexicon.MaxLetters], 1)/max(all, 1)/share)
		l.guess.worth[t] = Equity(max(useful, guessUseless)) + Equity(set.Value(t)-1)*guessPoint
	}
	return l
}

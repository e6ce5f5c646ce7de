package lexicon

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A Vocabulary says how common words are, whether or not they are valid in a game, which a
// [Lexicon] decides. It is immutable and safe for concurrent use.
type Vocabulary struct {
	words []Word // sorted
	tiers []uint8
	guess bool // no data; see GuessVocabulary
}

// Tiers of commonness; smaller is commoner. They are sizes of SCOWL, Kevin Atkinson's graded word
// lists, which has others in between.
const (
	Everyday = 10 // the few thousand words of most text
	Familiar = 35 // words that everyone knows
	Educated = 60 // words in most dictionaries for adults
	Unusual  = 70 // words in large dictionaries
	Rare     = 99 // all other words
)

// ReadVocabulary parses a word and its tier on each line ("ABACK 35"), in alphabetical order. A
// word that the alphabet can't spell is an error.
func ReadVocabulary(a *Alphabet, r io.Reader) (*Vocabulary, error) {
	v := &Vocabulary{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text, number, _ := strings.Cut(lines.Text(), " ")
		w, fault, reason := readWord(a, text)
		tier, err := strconv.Atoi(number)
		switch {
		case reason != "":
		case err != nil || tier < 1 || tier >= Rare:
			reason = fmt.Sprintf("want a word and its tier, 1 to %d", Rare-1)
		case len(v.words) > 0 && v.words[len(v.words)-1] >= w:
			reason = "not in alphabet order"
		}
		if reason != "" {
			return nil, &LineError{n, lines.Text(), fault, reason}
		}
		v.words, v.tiers = append(v.words, w), append(v.tiers, uint8(tier))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read vocabulary: %w", err)
	}
	return v, nil
}

// Tier returns the tier of a word, or [Rare] if it isn't listed.
func (v *Vocabulary) Tier(w Word) int {
	if i, ok := slices.BinarySearch(v.words, w); ok {
		return int(v.tiers[i])
	}
	return Rare
}

// Sublist returns the part of a list that a player knows: the words up to a tier, and all words up to
// a number of letters, because people who play word games learn the short ones first. It keeps the
// list's name and has its own hash. For tier [Rare] it returns the list itself.
func (v *Vocabulary) Sublist(x *Lexicon, tier, letters int) *Lexicon {
	if tier >= Rare {
		return x
	}
	var words []Word
	if v.guess {
		guessed := newGuesser(x, tier)
		for w := range x.Words() {
			if guessed(w) {
				words = append(words, w)
			}
		}
	}
	for i, w := range v.words {
		if int(v.tiers[i]) <= tier && x.Has(w) {
			words = append(words, w)
		}
	}
	for n := MinWord; n <= min(letters, MaxWord); n++ {
		words = slices.AppendSeq(words, x.Match(Pattern{letters: slices.Repeat([]Set{^SetOf(Turn)}, n)}))
	}
	slices.Sort(words)
	words = slices.Compact(words)
	g, _ := buildGraph(x.alphabet, words, maxCells) // a part of a list that fits isn't larger
	part := &Lexicon{name: x.name, alphabet: x.alphabet, words: len(words), graph: g}
	part.hash = part.sum()
	return part
}

// Knows returns a function that reports whether a word is in the list that [Vocabulary.Sublist]
// returns.
func (v *Vocabulary) Knows(x *Lexicon, tier, letters int) func(Word) bool {
	if tier >= Rare {
		return x.Has
	}
	guessed := func(Word) bool { return false }
	if v.guess {
		guessed = newGuesser(x, tier)
	}
	return func(w Word) bool {
		return x.Has(w) && (len(w) <= letters || v.Tier(w) <= tier || guessed(w))
	}
}

// GuessVocabulary returns a vocabulary for lists without data about their words. Of each length as
// many words are known up to a tier as in English, or all if there are no more. They are chosen
// pseudo-randomly, always the same; words known in one tier are also known in the next.
func GuessVocabulary() *Vocabulary { return &Vocabulary{guess: true} }

// knownInEnglish holds the numbers of words of 2, 3, 4 and more letters in the list en that are
// known up to a tier, by the vocabulary from SCOWL.
var knownInEnglish = []struct {
	tier  int
	words []int
}{
	{Familiar, []int{40, 484, 1913, 3553, 5450, 6888, 6714, 5664, 4297, 2778, 1551, 792, 343, 131}},
	{55, []int{57, 641, 2496, 4877, 7730, 10522, 11263, 10230, 8324, 5835, 3748, 2170, 1031, 507}},
	{Educated, []int{62, 662, 2618, 5195, 8408, 11695, 12751, 11811, 9771, 7066, 4635, 2709, 1385, 695}},
	{Unusual, []int{78, 789, 3208, 6556, 10970, 15640, 17672, 17198, 14535, 10828, 7352, 4555, 2522, 1373}},
}

// newGuesser returns a function that reports whether a player may know a word of a list.
func newGuesser(x *Lexicon, tier int) func(Word) bool {
	known := knownInEnglish[0].words
	for _, k := range knownInEnglish {
		if k.tier <= tier {
			known = k.words
		}
	}
	var all [MaxWord + 1]int // number of words by length
	for w := range x.Spellings() {
		all[len(w)]++
	}
	return func(w Word) bool {
		n := len(w) - MinWord
		if n >= len(known) {
			return false
		}
		h := uint64(14695981039346656037) // FNV-1a
		for i := range len(w) {
			h = (h ^ uint64(w[i])) * 1099511628211
		}
		h = (h ^ h>>32) * 0x9e3779b97f4a7c15
		return int(h>>33%uint64(all[len(w)])) < known[n]
	}
}

// Common returns the words of a list up to a tier, of least to most letters, in alphabetical order.
func (v *Vocabulary) Common(x *Lexicon, tier, least, most int) []Word {
	var words []Word
	for i, w := range v.words {
		if int(v.tiers[i]) <= tier && len(w) >= least && len(w) <= most && x.Has(w) {
			words = append(words, w)
		}
	}
	return words
}

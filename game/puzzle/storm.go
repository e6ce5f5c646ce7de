package puzzle

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// StormLetters is how many letters are shown at a time in a storm.
const StormLetters = 7

// known is the level of robot whose words most people have met.
const known = "medium"

// Storm is the words that a storm asks for, easy ones first: those of [StormLetters] letters
// that are the only word which their letters make, that can be laid without a blank, that
// aren't vulgar, and that a robot of medium level knows, where it is known what robots
// know. They stand in probability order: by how many of all ways to draw that many tiles out
// of a whole bag without blanks give the word's letters, the most first, and then by the
// alphabet.
func (m *Maker) Storm() []lexicon.Word {
	m.stormOnce.Do(func() {
		only := map[string]lexicon.Word{} // by letters; "" where there are several
		for w := range m.words.List.Words() {
			if len(w) != StormLetters {
				continue
			}
			letters := Letters(w)
			if _, had := only[letters]; had {
				w = ""
			}
			only[letters] = w
		}
		level := slices.IndexFunc(m.words.Levels, func(l Level) bool { return l.Name == known })
		ways := map[lexicon.Word]*big.Int{}
		for _, w := range only {
			if w == "" || m.isVulgar(w) || level >= 0 && !m.words.Levels[level].Knows(w) {
				continue
			}
			if n := Ways(m.eq.Tiles, w); n.Sign() > 0 {
				ways[w] = n
				m.storm = append(m.storm, w)
			}
		}
		slices.SortFunc(m.storm, func(a, b lexicon.Word) int {
			return cmp.Or(ways[b].Cmp(ways[a]), cmp.Compare(a, b))
		})
	})
	return m.storm
}

// Letters are a word's letters in the order of the alphabet: its alphagram.
func Letters(w lexicon.Word) string {
	letters := []byte(w)
	slices.Sort(letters)
	return string(letters)
}

// Ways is how many ways there are to draw a word's letters out of a whole bag, without
// blanks.
func Ways(set *game.TileSet, w lexicon.Word) *big.Int {
	n := big.NewInt(1)
	for i, letters := 0, Letters(w); i < len(letters); {
		same := i
		for same < len(letters) && letters[same] == letters[i] {
			same++
		}
		there := set.All().Count(game.LetterTile(lexicon.Letter(letters[i])))
		n.Mul(n, new(big.Int).Binomial(int64(there), int64(same-i)))
		i = same
	}
	return n
}

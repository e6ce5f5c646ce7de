package game

import (
	"crypto/sha256"
	"math/rand/v2"
	"slices"

	"github.com/rackmate/rackmate/lexicon"
)

// This file lays out the crossword that is printed on the board of
// junior-starter, by a seed and a list of words.

// The words of a crossword have this number of letters.
const (
	ShortestPrinted = 3
	LongestPrinted  = 6
)

const (
	// A crossword grows until it has this number of letters. Words that only cross
	// can't fill a board of 13 by 13 further.
	fullCrossword = 66
	// fewestPrinted is the fewest letters that make a game: the racks of four
	// players, and as many again.
	fewestPrinted = 56
	// triesPrinted is how many are begun before the largest is taken. The first is
	// nearly always large enough.
	triesPrinted = 8
	// looksPrinted is how many words are tried for each one that is laid.
	looksPrinted = 160
)

// Crossword lays words out on a board: all of them joined, each once, none
// beside another unless they cross, and no letter more often than the set has
// tiles of it. The same seed and the same words, in order, give the same. ok
// is false where they are too few for a game.
//
// Its random numbers are those of ChaCha8 with SHA-256 over "rackmate
// crossword 1", a line feed and the seed as key, so that they are none of the
// draws'.
func Crossword(eq Equipment, words []lexicon.Word, seed Seed) (b Board, ok bool) {
	key := sha256.Sum256(append([]byte("rackmate crossword 1\n"), seed[:]...))
	rng := rand.New(rand.NewChaCha8(key))
	words = slices.DeleteFunc(slices.Clone(words), func(w lexicon.Word) bool {
		return len(w) < ShortestPrinted || len(w) > min(LongestPrinted, eq.Layout.Size())
	})
	best := 0
	for range triesPrinted {
		c := setter{eq: eq, rng: rng, words: words}
		if c.fill(); c.letters > best {
			b, best = c.board, c.letters
		}
		if best >= fullCrossword {
			break
		}
	}
	return b, best >= fewestPrinted
}

// A setter sets one crossword.
type setter struct {
	eq      Equipment
	rng     *rand.Rand
	words   []lexicon.Word // those not laid yet
	board   Board
	letters int
	used    [256]int // letters, by letter
	laid    [2]int   // words, by direction
}

// fill lays words until the board is full, or nothing fits any more.
func (c *setter) fill() {
	for misses := 0; c.letters < fullCrossword && misses < 4; {
		if !c.add() {
			misses++
		}
	}
}

// A slot is where a word would go, and how well.
type slot struct {
	word int // in words
	at   Square
	dir  Dir
	new  int // letters that it adds
	good int
}

// add lays the best of some words that it looks at.
func (c *setter) add() bool {
	best := slot{word: -1}
	for range min(looksPrinted, len(c.words)) {
		i := c.rng.IntN(len(c.words))
		for _, s := range c.slots(i) {
			if best.word < 0 || s.good > best.good {
				best = s
			}
		}
	}
	if best.word < 0 {
		return false
	}
	w := c.words[best.word]
	for i := range len(w) {
		sq := best.at.Step(best.dir, i)
		if c.board.Tile(sq) == NoTile {
			c.board.Put(sq, LetterTile(lexicon.Letter(w[i])))
			c.used[w[i]]++
			c.letters++
		}
	}
	c.laid[best.dir-Across]++
	c.words = slices.Concat(c.words[:best.word], c.words[best.word+1:])
	return true
}

// slots lists where a word fits: the first through the start, the others
// across a word that lies there.
func (c *setter) slots(i int) (fits []slot) {
	w := c.words[i]
	n := c.eq.Layout.Size()
	if c.letters == 0 {
		start := c.eq.Layout.Start()
		if s, ok := c.slot(i, start.Step(Across, -c.rng.IntN(len(w))), Across); ok {
			fits = append(fits, s)
		}
		return fits
	}
	for k := range len(w) {
		t := LetterTile(lexicon.Letter(w[k]))
		if c.used[w[k]] == 0 {
			continue
		}
		for row := range n {
			for col := range n {
				sq := Square{row, col}
				if c.board.Tile(sq) != t {
					continue
				}
				for _, d := range []Dir{Across, Down} {
					if s, ok := c.slot(i, sq.Step(d, -k), d); ok {
						fits = append(fits, s)
					}
				}
			}
		}
	}
	return fits
}

// slot judges one place. A word may lie on letters of others that read the
// other way, and beside none.
func (c *setter) slot(i int, at Square, d Dir) (s slot, ok bool) {
	w := c.words[i]
	end := at.Step(d, len(w)-1)
	if !c.eq.Layout.On(at) || !c.eq.Layout.On(end) || c.board.Tile(at.Step(d, -1)) != NoTile || c.board.Tile(end.Step(d, 1)) != NoTile {
		return s, false
	}
	crossed, before := 0, false
	var want [256]int
	for k := range len(w) {
		sq := at.Step(d, k)
		there := c.board.Tile(sq)
		if there != NoTile {
			if there != LetterTile(lexicon.Letter(w[k])) || before {
				return s, false // two of its squares in a row would be of a word that reads as it does
			}
			crossed++
			before = true
			continue
		}
		before = false
		if c.board.beside(sq, d) {
			return s, false
		}
		want[w[k]]++
		if c.used[w[k]]+want[w[k]] > c.eq.Tiles.kinds[w[k]-1].Count {
			return s, false
		}
		s.new++
	}
	if s.new == 0 {
		return s, false
	}
	// Words that cross often tie the board together; long ones are worth more
	// than short ones; and neither direction should have it all.
	balance := c.laid[d.Other()-Across] - c.laid[d-Across]
	s.word, s.at, s.dir = i, at, d
	s.good = 12*crossed + 2*len(w) + 3*min(max(balance, -2), 2) + c.rng.IntN(8)
	return s, true
}

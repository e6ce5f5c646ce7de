package game

import (
	"crypto/sha256"
	"math/rand/v2"
	"slices"

	"github.com/rackmate/rackmate/lexicon"
)

// This file generates the crossword printed on the board of junior-starter, from a seed and a word
// list.

// Limits on the letters of a crossword's words.
const (
	ShortestPrinted = 3
	LongestPrinted  = 6
)

const (
	// fullCrossword is the number of letters at which a crossword stops growing. Words that
	// touch only where they cross can't cover much more of a board of 13 by 13.
	fullCrossword = 66
	// fewestLetters is the fewest letters that make a game: twice the racks of four players.
	fewestLetters = 56
	// mostCrosswords limits the crosswords generated before the largest is taken. The first is nearly
	// always large enough.
	mostCrosswords = 8
	// wordsTried is the number of words tried for each one placed.
	wordsTried = 160
)

// Crossword returns a board with a crossword: connected words, each used once, touching only where
// they cross, and with no more of each letter than the set has tiles. The same seed and word list
// give the same crossword. ok is false if the words are too few for a game.
//
// The random numbers come from ChaCha8. Its key is the SHA-256 of "rackmate crossword 1", a
// line feed and the seed, so the numbers are independent of the draws.
func Crossword(eq Equipment, words []lexicon.Word, seed Seed) (b Board, ok bool) {
	key := sha256.Sum256(append([]byte("rackmate crossword 1\n"), seed[:]...))
	rng := rand.New(rand.NewChaCha8(key))
	words = slices.DeleteFunc(slices.Clone(words), func(w lexicon.Word) bool {
		return len(w) < ShortestPrinted || len(w) > min(LongestPrinted, eq.Layout.Size())
	})
	best := 0
	for range mostCrosswords {
		c := setter{eq: eq, rng: rng, words: words}
		if c.fill(); c.letters > best {
			b, best = c.board, c.letters
		}
		if best >= fullCrossword {
			break
		}
	}
	return b, best >= fewestLetters
}

// A setter generates one crossword.
type setter struct {
	eq      Equipment
	rng     *rand.Rand
	words   []lexicon.Word // not placed yet
	board   Board
	letters int
	used    [256]int // times each letter is used
	placed  [2]int   // words placed, by direction
}

// fill places words until the board is full or none fits.
func (c *setter) fill() {
	for misses := 0; c.letters < fullCrossword && misses < 4; {
		if !c.add() {
			misses++
		}
	}
}

// A slot is a possible place of a word, and its quality.
type slot struct {
	word    int // index in words
	at      Square
	dir     Dir
	new     int // letters that it adds
	quality int
}

// add places the best of the words tried.
func (c *setter) add() bool {
	best := slot{word: -1}
	for range min(wordsTried, len(c.words)) {
		i := c.rng.IntN(len(c.words))
		for _, s := range c.slots(i) {
			if best.word < 0 || s.quality > best.quality {
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
	c.placed[best.dir-Across]++
	c.words = slices.Concat(c.words[:best.word], c.words[best.word+1:])
	return true
}

// slots returns the places where a word fits: for the first word through the start, for others
// across a placed word.
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

// slot evaluates one place. A word may cross words of the other direction, but not touch one
// alongside.
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
				return s, false // two adjacent squares would belong to a word in the same direction
			}
			crossed++
			before = true
			continue
		}
		before = false
		if c.board.hasNeighbour(sq, d) {
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
	// Words with many crossings hold the board together, long words are better than short ones, and
	// the directions should be balanced.
	balance := c.placed[d.Other()-Across] - c.placed[d-Across]
	s.word, s.at, s.dir = i, at, d
	s.quality = 12*crossed + 2*len(w) + 3*min(max(balance, -2), 2) + c.rng.IntN(8)
	return s, true
}

// Package movegen finds every legal play of a position, with its exact score.
//
// It follows Gordon ("A faster Scrabble move generation algorithm", 1994). A play along a line of the
// board starts from an anchor, a square or run of tiles that it must cover. It is spelled from there
// to the left and then to the right, in a word graph that can start words at any letter. At each
// step, three masks give the letters that continue in the graph, that are on the rack, and that form
// a valid cross word; only their intersection is tried.
//
// # What counts as one play
//
// Each distinct placement of tiles is listed once. A blank is a different tile from the letter it
// stands for, and for each letter. A single tile that forms words in both directions is listed
// across. On an empty board whose premium squares are symmetric about the diagonal, plays down mirror
// plays across, and only those across are listed.
//
// # Caveats
//
// A [Generator] isn't safe for concurrent use, and the plays it returns are valid until it is used
// again.
package movegen

import (
	"fmt"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// A Play is a way to play tiles. It is comparable.
type Play struct {
	Score int32 // points, including the bonus
	at    struct{ row, col uint8 }
	dir   game.Dir
	n     uint8 // squares in the main word
	// tiles of the main word, as in [game.Move].
	tiles [game.MaxSize]game.Tile
}

// Move returns the play as a move.
func (p *Play) Move() game.Move {
	return game.Move{
		Kind:  game.PlayTiles,
		At:    game.Square{Row: int(p.at.row), Col: int(p.at.col)},
		Dir:   p.dir,
		Tiles: game.TilesOf(p.tiles[:p.n]...),
	}
}

// Uses returns the tiles of a rack that the play lays: bit i is set for rack[i]. Among equal tiles
// it uses the first.
func (p *Play) Uses(rack game.Tiles) (bits uint32) {
	for _, t := range p.tiles[:p.n] {
		if t == game.NoTile {
			continue
		}
		face := byte(t.Face())
		for i := range len(rack) {
			if rack[i] == face && bits>>i&1 == 0 {
				bits |= 1 << i
				break
			}
		}
	}
	return bits
}

// A Generator finds plays for one lexicon, board and set of rules. After its first positions it no
// longer allocates.
type Generator struct {
	eq        game.Equipment
	bonus     bonus
	useLetter bool // the main word must use a letter on the board

	position
	anchors []anchor
	rack
	search
	plays []Play
	bestSearch
	work int // see Work
}

// New returns a generator. From the rules it takes the bonus for a whole rack, and whether a word
// must use a letter on the board. The lexicon must have the letters of the tile set.
func New(lex *lexicon.Lexicon, eq game.Equipment, rules game.Rules) (*Generator, error) {
	alphabet := eq.Tiles.Alphabet()
	if !lex.Alphabet().Equal(alphabet) {
		return nil, fmt.Errorf("the word list %s and the tile set %s have different letters", lex.Name(), eq.Tiles.Name())
	}
	g := &Generator{eq: eq, useLetter: rules.UseLetter, position: position{lex: lex, size: eq.Layout.Size(), mirrored: true}}
	g.bonus = bonusOf(rules)
	g.values[blank] = int32(eq.Tiles.Value(game.Blank))
	for i := range alphabet.Len() {
		l := lexicon.Letter(i + 1)
		g.letters |= lexicon.SetOf(l)
		g.values[l] = int32(eq.Tiles.Value(game.LetterTile(l)))
	}
	for row := range g.size {
		for col := range g.size {
			sq, mirror := game.Square{Row: row, Col: col}, game.Square{Row: col, Col: row}
			p := eq.Layout.Premium(sq)
			g.mirrored = g.mirrored && p == eq.Layout.Premium(mirror)
			for _, s := range g.bothSquares(sq) {
				s.letter, s.word = int32(p.Letter()), int32(p.Word())
			}
		}
	}
	for _, d := range bothWays {
		for i := 1; i <= g.size; i++ {
			g.clearLine(d, i)
			g.fitLine(d, i)
		}
	}
	start := eq.Layout.Start()
	g.mirrored = g.mirrored && start.Row == start.Col
	return g, nil
}

// Fits reports whether the generator suits a table, apart from its words.
func (g *Generator) Fits(eq game.Equipment, rules game.Rules) bool {
	return g.bonus == bonusOf(rules) && g.useLetter == rules.UseLetter && g.eq.Layout == eq.Layout &&
		(g.eq.Tiles == eq.Tiles || g.eq.Tiles.Faces() == eq.Tiles.Faces())
}

// A bonus is a number of points for laying at least some number of tiles.
type bonus struct {
	points int32
	tiles  int
}

// bonusOf returns the bonus of some rules.
func bonusOf(rules game.Rules) bonus {
	if rules.BonusTiles <= 0 {
		return bonus{}
	}
	return bonus{int32(rules.Bonus), rules.BonusTiles}
}

// of returns the points for a number of tiles.
func (b bonus) of(tiles int) int32 {
	if tiles < b.tiles {
		return 0
	}
	return b.points
}

// Plays returns every legal play from a rack, unordered.
func (g *Generator) Plays(b *game.Board, rack game.Tiles) []Play {
	g.plays = g.plays[:0]
	g.setRack(rack)
	g.setBoard(b)
	g.setAnchors()
	if g.tiles > 0 {
		for i := range g.anchors {
			g.searchAnchor(&g.anchors[i])
		}
	}
	return g.plays
}

// Work returns the approximate time of all of the generator's searches, in nanoseconds on a 2.6 GHz
// core. It is counted, not measured: the same searches are the same work on every machine, however
// busy.
func (g *Generator) Work() int { return g.work }

// setAnchors finds the anchors of the position.
func (g *Generator) setAnchors() {
	g.anchors = g.anchors[:0]
	for _, d := range g.directions() {
		for i := 1; i <= g.size; i++ {
			g.findAnchors(d, i)
		}
	}
}

// A rack holds the tiles left during the search. Tiles are counted by face: their letter, or blank.
type rack struct {
	tiles int // number of tiles, or a lower limit on the tiles of the plays searched
	count [lexicon.MaxLetters + 1]uint8
	have  lexicon.Set // faces with a count above 0

	// Each tile of the rack has a bit; the tiles of a face have adjacent bits starting at place.
	// used has the bits of played tiles.
	place [lexicon.MaxLetters + 1]uint8
	used  uint32
}

// blank is the face of a blank.
const blank lexicon.Letter = 0

// setRack sets the rack, ignoring tiles that aren't in the set.
func (g *Generator) setRack(tiles game.Tiles) {
	g.rack = rack{}
	for i := range len(tiles) {
		face := tiles.At(i).Letter()
		if tiles.At(i).IsBlank() {
			face = blank
		} else if !g.letters.Has(face) {
			continue
		}
		if g.count[face] == 0 {
			g.place[face] = uint8(i)
		}
		g.giveBack(face)
		g.tiles++
	}
}

// reach returns the letters that the rack can play now.
func (g *Generator) reach() lexicon.Set {
	if g.count[blank] > 0 {
		return g.letters
	}
	return g.have
}

func (r *rack) take(face lexicon.Letter) {
	i := face & lexicon.MaxLetters
	if r.count[i]--; r.count[i] == 0 {
		r.have &^= 1 << i
	}
	r.used |= 1 << (r.place[i] + r.count[i])
}

func (r *rack) giveBack(face lexicon.Letter) {
	i := face & lexicon.MaxLetters
	r.used &^= 1 << (r.place[i] + r.count[i])
	r.count[i]++
	r.have |= 1 << i
}

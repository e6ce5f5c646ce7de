package puzzle

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/lexicon"
)

const (
	// Lead is by how many points the best play leads the next.
	Lead = 3
	// Shares is how many shares a list is dealt out to: more than a year has days.
	Shares = 371
	// shortest is the fewest letters that the best word has.
	shortest = 3
	// looked is how many of the best plays are looked at for vulgar words.
	looked = 10
)

// Words are the words that positions are made with.
type Words struct {
	List *lexicon.Lexicon
	// Clean is the list without vulgar words, nil where nobody knows which they are.
	Clean *lexicon.Lexicon
	// Levels are what robots know of the list, the level that knows least first. Without
	// them all words are as hard.
	Levels []Level
}

// A Level is a robot's level, and the words that it knows.
type Level struct {
	Name  string
	Words func() *lexicon.Lexicon
	Knows func(lexicon.Word) bool // whether a word is in Words, which isn't made for that
}

// Known returns the words of a robots' list, and what the levels know of it. clean is the
// list without vulgar words, nil where nobody knows which they are.
func Known(m *robot.Mind, clean *lexicon.Lexicon) Words {
	w := Words{List: m.Words(), Clean: clean}
	for _, l := range robot.Levels() {
		w.Levels = append(w.Levels, Level{l.Name, func() *lexicon.Lexicon { return m.Known(l) }, m.Knowing(l)})
	}
	return w
}

// A Difficulty says how hard a position is: by the lowest level of robot that knows all
// words of the best play, then by how many squares its word covers, then by how many
// tiles it takes.
type Difficulty struct {
	Level   int // of Words.Levels, or their number where none knows them all
	Squares int
	Tiles   int
}

// Compare compares difficulties: below 0 where d is easier.
func (d Difficulty) Compare(e Difficulty) int {
	return cmp.Or(cmp.Compare(d.Level, e.Level), cmp.Compare(d.Squares, e.Squares), cmp.Compare(d.Tiles, e.Tiles))
}

// A wanted is what a day of the week asks for.
type wanted struct {
	from, to     string // levels
	least, most  int    // squares
	fewest, many int    // tiles
}

// week is how the week gets harder, from Monday on. "medium" is the highest level whose
// words most people have met.
var week = [7]wanted{
	time.Monday:    {"", "easy", 3, 5, 2, 4},
	time.Tuesday:   {"", "easy", 4, 6, 3, 5},
	time.Wednesday: {"", "casual", 5, 7, 4, 6},
	time.Thursday:  {"", "casual", 6, 15, 5, 7},
	time.Friday:    {"", "medium", 7, 15, 7, 7},
	time.Saturday:  {"strong", "", 4, 6, 3, 6},
	time.Sunday:    {"strong", "", 6, 15, 5, 7},
}

// A Position is a board, a rack, and what is best to play.
type Position struct {
	Day        Day
	Board      game.Board
	Rack       game.Tiles
	Best       game.Move
	Score      int            // of the best play
	Next       int            // points of the next one
	Words      []lexicon.Word // of the best play, its main word first
	Difficulty Difficulty

	tiles *game.TileSet
	size  int
}

// Word returns the main word of the best play.
func (p Position) Word() lexicon.Word { return p.Words[0] }

// String returns the board, row by row with "." for a free square, the rack, and the best
// play with its points.
func (p Position) String() string {
	var b strings.Builder
	for row := range p.size {
		if row > 0 {
			b.WriteByte('/')
		}
		line := p.Board.Row(row)
		for _, t := range line[:p.size] {
			if t == game.NoTile {
				b.WriteByte('.')
			} else {
				b.WriteString(p.tiles.Print(game.TilesOf(t)))
			}
		}
	}
	return b.String() + " " + p.tiles.Print(p.Rack) + " " + p.Best.Text(p.tiles)
}

// A Maker makes the positions of a word list. It is safe for concurrent use.
type Maker struct {
	words Words
	eq    game.Equipment
	rules game.Rules

	mu     sync.Mutex
	dealt  [sha256.Size]byte // what shares was made by
	shares []uint16          // of each word of the list
}

// NewMaker makes the maker of a list's positions. It plays by the classic rules.
func NewMaker(w Words, eq game.Equipment) *Maker {
	return &Maker{words: w, eq: eq, rules: game.Classic()}
}

// Rules returns the rules that positions are made and played by.
func (m *Maker) Rules() game.Rules { return m.rules }

// Equipment returns the board and the tiles.
func (m *Maker) Equipment() game.Equipment { return m.eq }

// List returns the word list.
func (m *Maker) List() *lexicon.Lexicon { return m.words.List }

// fewWords is how long a list is at least whose words are dealt out.
const fewWords = 100 * Shares

// Share returns the words that a day has to itself. deal decides which they are.
func (m *Maker) Share(deal [sha256.Size]byte, d Day) (share []lexicon.Word) {
	if m.words.List.Len() < fewWords {
		return slices.Collect(m.words.List.Words())
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shares == nil || m.dealt != deal {
		m.dealt, m.shares = deal, make([]uint16, 0, m.words.List.Len())
		b := append([]byte(nil), deal[:]...)
		for w := range m.words.List.Spelled() {
			sum := sha256.Sum256(append(b, w...))
			m.shares = append(m.shares, uint16(binary.BigEndian.Uint64(sum[:])%Shares))
		}
	}
	own, i := uint16(((int(d)%Shares)+Shares)%Shares), 0
	for w := range m.words.List.Spelled() {
		if m.shares[i] == own {
			share = append(share, lexicon.Word(w))
		}
		i++
	}
	return share
}

// ErrNone says that a list has no position for a day: it has too few words.
var ErrNone = errors.New("no position can be made of these words")

// mostGames is how many games are looked through for a position.
const mostGames = 1200

// Make makes the position of a day, from its secret and its share of the words. The
// error is [ErrNone], or says that list and tiles don't fit.
func (m *Maker) Make(secret game.Secret, d Day, share []lexicon.Word) (Position, error) {
	w := m.wanted(d.Date().Weekday())
	s, err := m.newSearch(game.NewSeed(secret, nil), d, w)
	if err != nil {
		return Position{}, err
	}
	for _, word := range share {
		if len(word) >= max(shortest, w.least) && len(word) <= min(w.most, m.eq.Layout.Size()) && m.level(word) >= w.from && m.level(word) <= w.to {
			s.words = append(s.words, word)
		}
	}
	for range mostGames {
		if p, ok := s.game(); ok {
			return p, nil
		}
		if s.games == mostGames/2 { // better a day that is too easy than none
			s.words = slices.DeleteFunc(slices.Clone(share), func(w lexicon.Word) bool { return len(w) < shortest || len(w) > m.eq.Layout.Size() })
			s.want = bounds{to: len(m.words.Levels), least: shortest, most: m.eq.Layout.Size(), fewest: 1, many: m.rules.RackSize}
		}
	}
	return Position{}, ErrNone
}

// bounds are a wanted with its levels by their places.
type bounds struct{ from, to, least, most, fewest, many int }

func (m *Maker) wanted(day time.Weekday) bounds {
	w := week[day]
	b := bounds{0, len(m.words.Levels), w.least, w.most, w.fewest, w.many}
	for i, l := range m.words.Levels {
		if l.Name == w.from {
			b.from = i
		}
		if l.Name == w.to {
			b.to = i
		}
	}
	return b
}

// level returns the lowest level that knows some words, or the number of levels.
func (m *Maker) level(words ...lexicon.Word) int {
	return cmp.Or(slices.IndexFunc(m.words.Levels, func(l Level) bool {
		return !slices.ContainsFunc(words, func(w lexicon.Word) bool { return !l.Knows(w) })
	})+1, len(m.words.Levels)+1) - 1
}

// A search looks through games of robots for a position.
type search struct {
	*Maker
	day   Day
	seed  game.Seed
	draws int // so far
	games int
	want  bounds
	words []lexicon.Word // that may be the best

	players [2]*movegen.Generator // of what they know
	all     *movegen.Generator
	keep    []movegen.Equity // the worth of what is kept: nothing
}

func (m *Maker) newSearch(seed game.Seed, d Day, w bounds) (*search, error) {
	s := &search{Maker: m, day: d, seed: seed, want: w, keep: make([]movegen.Equity, 1<<m.rules.RackSize)}
	var err error
	if s.all, err = movegen.New(m.words.List, m.eq, m.rules); err != nil {
		return nil, err
	}
	for i, name := range []string{"casual", "medium"} {
		known := m.words.List
		if l := slices.IndexFunc(m.words.Levels, func(l Level) bool { return l.Name == name }); l >= 0 {
			known = m.words.Levels[l].Words()
		}
		if s.players[i], err = movegen.New(known, m.eq, m.rules); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// firstTurn is the first turn before which a position is taken, lastTurn the last, and
// between is how many turns lie between two that are looked at.
const (
	firstTurn = 4
	lastTurn  = 16
	between   = 2
)

// game plays a game of a casual robot and one of medium strength, and looks for a
// position in it.
func (s *search) game() (Position, bool) {
	s.games++
	var b game.Board
	bag := s.eq.Tiles.All()
	var racks [2]game.Tiles
	fill := func(i int) {
		var drew game.Tiles
		drew, bag = s.seed.Draw(s.draws, bag, s.rules.RackSize-len(racks[i]))
		s.draws++
		racks[i] = (racks[i] + drew).Sorted()
	}
	fill(0)
	fill(1)
	for turn := 0; turn <= lastTurn && len(bag) > s.rules.RackSize; turn++ {
		if turn >= firstTurn && turn%between == 0 {
			if !s.clean(&b) {
				return Position{}, false
			}
			// What a player's opponent holds and the bag are the tiles that they could hold.
			if p, ok := s.position(&b, (bag + racks[0] + racks[1]).Sorted()); ok {
				return p, true
			}
		}
		i := turn % 2
		p, _, ok := s.players[i].Best(&b, racks[i], s.keep[:1<<len(racks[i])])
		if !ok {
			return Position{}, false // a game that has stuck
		}
		m := p.Move()
		b.Lay(m)
		racks[i], _ = racks[i].Minus(m.Tiles.Faces())
		fill(i)
	}
	return Position{}, false
}

// A chance is a play that may be the best of a rack which is still to be filled.
type chance struct {
	play movegen.Play
	move game.Move
	left game.Tiles // unseen, without those that it lays
}

const (
	mostChances = 6  // of a board that are looked at
	leastScore  = 12 // of a best play
)

// position looks for a rack by which one of the day's words is the best play on a board.
// unseen are the tiles that it can be of.
func (s *search) position(b *game.Board, unseen game.Tiles) (Position, bool) {
	plain := unseen
	for range unseen.Count(game.Blank) {
		plain, _ = plain.Minus(game.TilesOf(game.Blank)) // nobody need type a blank
	}
	var found []chance
	for _, w := range s.words {
		letters := make([]game.Tile, len(w))
		for i := range w {
			letters[i] = game.LetterTile(lexicon.Letter(w[i]))
		}
		for _, p := range s.all.PlaysOf(b, game.TilesOf(letters...).Sorted(), w) {
			if p.Score < leastScore {
				continue
			}
			m := p.Move()
			if laid := len(m.Laid()); laid < s.want.fewest || laid > s.want.many {
				continue
			}
			if left, ok := plain.Minus(m.Tiles.Faces()); ok {
				found = append(found, chance{p, m, left})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b chance) int { return cmp.Compare(b.play.Score, a.play.Score) })
	for _, c := range found[:min(len(found), mostChances)] {
		rest, _ := s.seed.Draw(s.draws, c.left, s.rules.RackSize-len(c.move.Laid()))
		s.draws++
		if p, ok := s.judge(b, (c.move.Tiles.Faces() + rest).Sorted(), c); ok {
			return p, true
		}
	}
	return Position{}, false
}

// judge makes a position where a play is the best of a rack and all else is as it should be.
func (s *search) judge(b *game.Board, rack game.Tiles, c chance) (Position, bool) {
	if len(rack) < s.rules.RackSize {
		return Position{}, false
	}
	if best, _, ok := s.all.Best(b, rack, s.keep); !ok || best.Score > c.play.Score {
		return Position{}, false // as of most racks; to list all plays takes longer
	}
	plays := slices.Clone(s.all.Plays(b, rack))
	slices.SortFunc(plays, func(a, b movegen.Play) int { return cmp.Compare(b.Score, a.Score) })
	if len(plays) < 2 || plays[0] != c.play || plays[0].Score < plays[1].Score+Lead {
		return Position{}, false
	}
	p := Position{Day: s.day, Board: *b, Rack: rack, Best: c.move, Score: int(c.play.Score), Next: int(plays[1].Score), tiles: s.eq.Tiles, size: s.eq.Layout.Size()}
	for i, play := range plays[:min(len(plays), looked)] {
		t, err := s.rules.Tally(s.eq, b, play.Move())
		if err != nil {
			return Position{}, false
		}
		for _, w := range t.Words {
			if s.isVulgar(w.Letters()) {
				return Position{}, false
			}
			if i == 0 {
				p.Words = append(p.Words, w.Letters())
			}
		}
	}
	p.Difficulty = Difficulty{s.level(p.Words...), len(p.Words[0]), len(c.move.Laid())}
	d := p.Difficulty
	return p, d.Level >= s.want.from && d.Level <= s.want.to && d.Squares >= s.want.least && d.Squares <= s.want.most
}

// isVulgar reports whether a word of the list is vulgar, as far as is known.
func (m *Maker) isVulgar(w lexicon.Word) bool {
	return m.words.Clean != nil && m.words.List.Has(w) && !m.words.Clean.Has(w)
}

// clean reports whether no word on a board is vulgar.
func (s *search) clean(b *game.Board) bool {
	for w := range wordsOn(b, s.eq.Layout.Size()) {
		if s.isVulgar(w) {
			return false
		}
	}
	return true
}

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
	// Lead is the minimum lead of the best play over the next, in points.
	Lead = 3
	// shares is the number of shares into which a list is divided, more than the days of a year.
	shares = 371
	// shortestWord is the minimum length of the best word.
	shortestWord = 3
	// mostChecked limits how many of the best plays are checked for vulgar words.
	mostChecked = 10
)

// Words are the words from which positions are made.
type Words struct {
	List *lexicon.Lexicon
	// Clean is the list without vulgar words, nil if unknown.
	Clean *lexicon.Lexicon
	// Levels lists what robots know of the list, the weakest level first. Without levels all words
	// count as equally hard.
	Levels []Level
}

// A Level is a robot's level with the words that it knows.
type Level struct {
	Name  string
	Words func() *lexicon.Lexicon
	Knows func(lexicon.Word) bool // reports whether a word is in Words, without computing Words
}

// KnownWords returns the words of a robots' list with their levels. clean is the list without vulgar
// words, nil if unknown.
func KnownWords(m *robot.Mind, clean *lexicon.Lexicon) Words {
	w := Words{List: m.Words(), Clean: clean}
	for _, l := range robot.Levels() {
		w.Levels = append(w.Levels, Level{l.Name, func() *lexicon.Lexicon { return m.KnownWords(l) }, m.Knows(l)})
	}
	return w
}

// A Difficulty ranks positions: by the lowest level of robot that knows all words of the best play,
// then by how many squares the word covers, then by how many tiles it takes.
type Difficulty struct {
	Level   int // index in Words.Levels, or their number if no level knows them all
	Squares int
	Tiles   int
}

// A wanted is the difficulty for a day of the week.
type wanted struct {
	from, to                   string // levels
	fewestSquares, mostSquares int    // squares
	fewestTiles, mostTiles     int    // tiles
}

// week gets harder from Monday on. "medium" is the highest level whose words most people know.
var week = [7]wanted{
	time.Monday:    {"", "easy", 3, 5, 2, 4},
	time.Tuesday:   {"", "easy", 4, 6, 3, 5},
	time.Wednesday: {"", "casual", 5, 7, 4, 6},
	time.Thursday:  {"", "casual", 6, 15, 5, 7},
	time.Friday:    {"", "medium", 7, 15, 7, 7},
	time.Saturday:  {"strong", "", 4, 6, 3, 6},
	time.Sunday:    {"strong", "", 6, 15, 5, 7},
}

// A Version identifies a way of making positions. What a version makes never changes, so a change to
// positions takes another version.
type Version int

// Latest is the latest version. Version 1 doesn't look at bands.
const Latest Version = 2

// bands is the number of bands.
const bands = 5

// BandOf returns the band of a play that scores score if the best scores most: 0 for the best, 1
// for at least 90 % of its points, 2 for 75 %, 3 for half and 4 for less.
func BandOf(score, most int) int {
	switch {
	case score >= most:
		return 0
	case 100*score >= 90*most:
		return 1
	case 100*score >= 75*most:
		return 2
	case 100*score >= 50*most:
		return 3
	}
	return 4
}

// A Position is a board, a rack, and the best play.
type Position struct {
	Day        Day
	Board      game.Board
	Rack       game.Tiles
	Best       game.Move
	Score      int            // of the best play
	Next       int            // of the next-best play
	Words      []lexicon.Word // of the best play, its main word first
	Difficulty Difficulty

	tiles *game.TileSet
	size  int
}

// Word returns the main word of the best play.
func (p Position) Word() lexicon.Word { return p.Words[0] }

// String returns the board row by row, with "." for a free square, the rack, and the best play with
// its points.
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
	dealt  [sha256.Size]byte // the deal that shares was computed for
	shares []uint16          // share of each word of the list
}

// NewMaker returns a maker of a list's positions. It plays by the classic rules.
func NewMaker(w Words, eq game.Equipment) *Maker {
	return &Maker{words: w, eq: eq, rules: game.Classic()}
}

// Rules returns the rules under which positions are made and played.
func (m *Maker) Rules() game.Rules { return m.rules }

// Equipment returns the board and the tiles.
func (m *Maker) Equipment() game.Equipment { return m.eq }

// List returns the word list.
func (m *Maker) List() *lexicon.Lexicon { return m.words.List }

// fewWords is the minimum length of a list that is divided into shares.
const fewWords = 100 * shares

// isDivided reports whether the list has enough words to be divided into shares.
func (m *Maker) isDivided() bool { return m.words.List.Len() >= fewWords }

// Share returns the words reserved for a day. deal decides which they are.
func (m *Maker) Share(deal [sha256.Size]byte, d Day) (share []lexicon.Word) {
	if !m.isDivided() {
		return slices.Collect(m.words.List.Words())
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shares == nil || m.dealt != deal {
		m.dealt, m.shares = deal, make([]uint16, 0, m.words.List.Len())
		b := append([]byte(nil), deal[:]...)
		for w := range m.words.List.Spellings() {
			sum := sha256.Sum256(append(b, w...))
			m.shares = append(m.shares, uint16(binary.BigEndian.Uint64(sum[:])%shares))
		}
	}
	own, i := uint16(((int(d)%shares)+shares)%shares), 0
	for w := range m.words.List.Spellings() {
		if m.shares[i] == own {
			share = append(share, lexicon.Word(w))
		}
		i++
	}
	return share
}

// errNone is returned if a list has too few words for a day's position.
var errNone = errors.New("no position can be made of these words")

// mostGames limits how many games are searched for a position, in version 1. Positions with plays
// in every band take twice as many.
const mostGames = 1200

// Make makes the position of a day from its secret and its share of the words. It returns an
// error if there is none, or if list and tiles don't match.
func (m *Maker) Make(v Version, secret game.Secret, d Day, share []lexicon.Word) (Position, error) {
	w := m.boundsOn(d.Date().Weekday())
	s, err := m.newSearch(v, game.NewSeed(secret, nil), d, w)
	if err != nil {
		return Position{}, err
	}
	for _, word := range share {
		if len(word) >= max(shortestWord, w.fewestSquares) && len(word) <= min(w.mostSquares, m.eq.Layout.Size()) && m.level(word) >= w.from && m.level(word) <= w.to {
			s.words = append(s.words, word)
		}
	}
	most := mostGames
	if s.banded {
		most *= 2
	}
	for range most {
		if p, ok := s.playGame(); ok {
			return p, nil
		}
		switch s.games {
		case most / 2: // a position that is too easy is better than none
			s.words = slices.DeleteFunc(slices.Clone(share), func(w lexicon.Word) bool { return len(w) < shortestWord || len(w) > m.eq.Layout.Size() })
			s.want = bounds{to: len(m.words.Levels), fewestSquares: shortestWord, mostSquares: m.eq.Layout.Size(), fewestTiles: 1, mostTiles: m.rules.RackSize}
		case most * 3 / 4: // so is one without plays in every band
			s.banded = false
		}
	}
	return Position{}, errNone
}

// bounds holds the limits of a weekday, with levels as indexes.
type bounds struct{ from, to, fewestSquares, mostSquares, fewestTiles, mostTiles int }

func (m *Maker) boundsOn(day time.Weekday) bounds {
	w := week[day]
	b := bounds{0, len(m.words.Levels), w.fewestSquares, w.mostSquares, w.fewestTiles, w.mostTiles}
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

// level returns the index of the lowest level that knows all the words, or the number of levels.
func (m *Maker) level(words ...lexicon.Word) int {
	return cmp.Or(slices.IndexFunc(m.words.Levels, func(l Level) bool {
		return !slices.ContainsFunc(words, func(w lexicon.Word) bool { return !l.Knows(w) })
	})+1, len(m.words.Levels)+1) - 1
}

// A search looks for a position in games between robots.
type search struct {
	*Maker
	day   Day
	seed  game.Seed
	draws int // made so far
	games int
	want  bounds
	words []lexicon.Word // candidates for the best play

	banded bool // whether each band must have a play

	players [2]*movegen.Generator // with the words that each player knows
	all     *movegen.Generator
	keep    []movegen.Equity // value of the tiles kept: nothing
}

func (m *Maker) newSearch(v Version, seed game.Seed, d Day, w bounds) (*search, error) {
	s := &search{Maker: m, day: d, seed: seed, want: w, banded: v >= 2 && m.isDivided(), keep: make([]movegen.Equity, 1<<m.rules.RackSize)}
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

// Positions are taken from firstTurn to lastTurn, every between turns.
const (
	firstTurn = 4
	lastTurn  = 16
	between   = 2
)

// playGame plays a casual robot against one of medium strength and looks for a position in the game.
func (s *search) playGame() (Position, bool) {
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
			if !s.isClean(&b) {
				return Position{}, false
			}
			// The rack may be drawn from everything that isn't on the board.
			if p, ok := s.findPosition(&b, (bag + racks[0] + racks[1]).Sorted()); ok {
				return p, true
			}
		}
		i := turn % 2
		p, _, ok := s.players[i].Best(&b, racks[i], s.keep[:1<<len(racks[i])])
		if !ok {
			return Position{}, false // the game is stuck
		}
		m := p.Move()
		b.Lay(m)
		racks[i], _ = racks[i].Minus(m.Tiles.Faces())
		fill(i)
	}
	return Position{}, false
}

// A chance is a candidate for the best play, whose rack isn't filled yet.
type candidate struct {
	play movegen.Play
	move game.Move
	left game.Tiles // unseen tiles, less the tiles that it lays
}

const (
	mostCandidates = 6  // tried for each board
	leastScore     = 12 // of a best play
)

// findPosition looks for a rack with which one of the day's words is the best play on a board. The rack
// comes from the unseen tiles.
func (s *search) findPosition(b *game.Board, unseen game.Tiles) (Position, bool) {
	plain := unseen
	for range unseen.Count(game.Blank) {
		plain, _ = plain.Minus(game.TilesOf(game.Blank)) // so that nobody needs to type a blank
	}
	var found []candidate
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
			if laid := len(m.LaidSquares()); laid < s.want.fewestTiles || laid > s.want.mostTiles {
				continue
			}
			if left, ok := plain.Minus(m.Tiles.Faces()); ok {
				found = append(found, candidate{p, m, left})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.play.Score, a.play.Score) })
	for _, c := range found[:min(len(found), mostCandidates)] {
		rest, _ := s.seed.Draw(s.draws, c.left, s.rules.RackSize-len(c.move.LaidSquares()))
		s.draws++
		if p, ok := s.completePosition(b, (c.move.Tiles.Faces() + rest).Sorted(), c); ok {
			return p, true
		}
	}
	return Position{}, false
}

// completePosition returns a position if the play is the best one for the rack and everything else is as
// required.
func (s *search) completePosition(b *game.Board, rack game.Tiles, c candidate) (Position, bool) {
	if len(rack) < s.rules.RackSize {
		return Position{}, false
	}
	if best, _, ok := s.all.Best(b, rack, s.keep); !ok || best.Score > c.play.Score {
		return Position{}, false // excludes most racks, and is quicker than listing all plays
	}
	plays := slices.Clone(s.all.Plays(b, rack))
	slices.SortFunc(plays, func(a, b movegen.Play) int { return cmp.Compare(b.Score, a.Score) })
	if len(plays) < 2 || plays[0] != c.play || plays[0].Score < plays[1].Score+Lead {
		return Position{}, false
	}
	if s.banded && !s.fillsBands(b, plays) {
		return Position{}, false
	}
	p := Position{Day: s.day, Board: *b, Rack: rack, Best: c.move, Score: int(c.play.Score), Next: int(plays[1].Score), tiles: s.eq.Tiles, size: s.eq.Layout.Size()}
	for i, play := range plays[:min(len(plays), mostChecked)] {
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
	p.Difficulty = Difficulty{s.level(p.Words...), len(p.Words[0]), len(c.move.LaidSquares())}
	d := p.Difficulty
	return p, d.Level >= s.want.from && d.Level <= s.want.to && d.Squares >= s.want.fewestSquares && d.Squares <= s.want.mostSquares
}

// fillsBands reports whether every band below the best has a play whose main word isn't the best
// play's. The plays are sorted by score.
func (s *search) fillsBands(b *game.Board, plays []movegen.Play) bool {
	mainWord := func(p movegen.Play) lexicon.Word {
		t, err := s.rules.Tally(s.eq, b, p.Move())
		if err != nil {
			return ""
		}
		return t.Words[0].Letters()
	}
	best, next := mainWord(plays[0]), 1
	for _, p := range plays[1:] {
		switch band := BandOf(int(p.Score), int(plays[0].Score)); {
		case band > next:
			return false
		case band == next && mainWord(p) != best:
			next++
		}
	}
	return next == bands
}

// isVulgar reports whether a word of the list is known to be vulgar.
func (m *Maker) isVulgar(w lexicon.Word) bool {
	return m.words.Clean != nil && m.words.List.Has(w) && !m.words.Clean.Has(w)
}

// isClean reports whether no word on a board is vulgar.
func (s *search) isClean(b *game.Board) bool {
	for w := range wordsOn(b, s.eq.Layout.Size()) {
		if s.isVulgar(w) {
			return false
		}
	}
	return true
}

package robot

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"sync"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/lexicon"
)

// A Mind holds what robots know about one word list. It is safe for concurrent use.
type Mind struct {
	lex        *lexicon.Lexicon
	vocabulary func() *lexicon.Vocabulary
	leaves     *Leaves

	mu    sync.Mutex
	known map[knowledge]*part
}

// A part holds the words of the list that a level knows.
type part struct {
	words func() *lexicon.Lexicon // built on first use
	idle  sync.Pool               // generators for reuse
}

// A knowledge describes which words of a list a level knows; see [Level].
type knowledge struct{ tier, letters int }

// NewMind returns a mind for a word list. The vocabulary, which says how common the words are, is
// loaded when a level first needs it. If v is nil, every level knows every word. If leaves is nil,
// or was made for tiles with other letters than the table's, all leaves count as equal.
func NewMind(lex *lexicon.Lexicon, v func() *lexicon.Vocabulary, leaves *Leaves) *Mind {
	if leaves == nil {
		leaves = &Leaves{}
	}
	return &Mind{lex: lex, vocabulary: v, leaves: leaves, known: map[knowledge]*part{}}
}

// Words returns the word list.
func (m *Mind) Words() *lexicon.Lexicon { return m.lex }

// KnownWords returns the words that a level knows.
func (m *Mind) KnownWords(l Level) *lexicon.Lexicon { return m.part(l).words() }

// Knows returns a function that reports whether a level knows a word. It doesn't build the list
// that [Mind.KnownWords] returns.
func (m *Mind) Knows(l Level) func(lexicon.Word) bool {
	if m.vocabulary == nil {
		return m.lex.Has
	}
	return m.vocabulary().Knows(m.lex, l.tier, l.letters)
}

// part returns the words that a level knows, and creates the entry on first use.
func (m *Mind) part(l Level) *part {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.known[l.knowledge]
	if !ok {
		p = &part{words: sync.OnceValue(func() *lexicon.Lexicon {
			if m.vocabulary == nil || l.tier >= lexicon.Rare {
				return m.lex
			}
			return m.vocabulary().Sublist(m.lex, l.tier, l.letters)
		})}
		m.known[l.knowledge] = p
	}
	return p
}

// generator returns a move generator over the part's words that fits a table.
func (p *part) generator(eq game.Equipment, rules game.Rules) (*movegen.Generator, error) {
	if g, ok := p.idle.Get().(*movegen.Generator); ok && g.Fits(eq, rules) {
		return g, nil
	}
	return movegen.New(p.words(), eq, rules)
}

// ErrNotToMove reports a view of a player who can't act now.
var ErrNotToMove = errors.New("it isn't this player's turn")

// Choose returns a robot's action at its turn, or its answer when the last play of a game waits for
// a challenge. It stops thinking when ctx is done, or after positions positions ([DefaultPositions]
// if positions is 0). The same arguments give the same action unless ctx ends the search.
//
// It returns [ErrNotToMove], or an error if the word list and the tiles have different letters.
func (m *Mind) Choose(ctx context.Context, l Level, v View, positions int, seed uint64) (game.Action, error) {
	switch {
	case v.Phase == game.Closing:
		if a, ok := m.Challenge(l, v, seed); ok {
			return a, nil
		}
		return game.Pass{}, nil
	case v.Phase != game.Playing || v.Turn != v.Me:
		return nil, ErrNotToMove
	}
	if a, ok := m.Challenge(l, v, seed); ok {
		return a, nil
	}
	t, err := m.think(l, v)
	if err != nil {
		return nil, err
	}
	t.left, t.rng = budgetOf(cmp.Or(max(positions, 0), DefaultPositions)), rand.New(rand.NewPCG(seed, uint64(v.Number)))
	a := t.best(ctx).action()
	t.done()
	if _, ok := a.(game.Pass); ok && v.Rules.Elect && isRuleReached(v.Rules.ScorelessTurns, v.Scoreless) {
		return game.Agree{}, nil // no further points are likely in this game
	}
	return a, nil
}

// think starts a thought about a player's turn. The thought considers only the move itself until it
// has positions and an rng. The caller must call done when it has finished.
func (m *Mind) think(l Level, v View) (*thought, error) {
	part := m.part(l)
	gen, err := part.generator(v.Equipment, v.Rules)
	if err != nil {
		return nil, err
	}
	t := &thought{Level: l, View: v, gen: gen, done: func() { part.idle.Put(gen) }}
	leaves := m.leaves
	if !l.leaves {
		leaves = nil
	}
	t.worth = newAppraiser(gen, &t.Rules, v.Equipment, leaves)
	t.worth.thrifty = l.thrifty
	others := 0
	if v.Bag == 0 {
		others = v.Equipment.Tiles.Sum(v.Unseen)
	}
	t.worth.weigh(&t.Board, v.Rack, v.Bag, others, v.opponents())
	t.worth.stopsExchanging = v.Scoreless >= patience*(v.opponents()+1)
	return t, nil
}

// DefaultPositions is the number of positions that a robot searches by default: about a second's
// worth. Positions are counted by work, so one with many possible plays counts as several. More
// don't make it stronger: against the static robot it won 63.1 % of 574 games with about this many
// (standard error 2.0), and 63.5 % of 664 games with about twice as many (1.9).
const DefaultPositions = 50_000

// cheap limits the points per word that a robot risks on a challenge it isn't sure of.
const cheap = 5

// Challenge returns the words of the latest play that a robot challenges, and reports whether there
// are any. It never challenges words it knows. Of the other words it challenges most phonies, and a
// few valid ones if a wrong challenge costs little. The same seed doubts the same words.
func (m *Mind) Challenge(l Level, v View, seed uint64) (game.Challenge, bool) {
	var a game.Challenge
	if v.Latest == nil || v.Latest.Seat == v.Me || v.Seats[v.Me].Out {
		return a, false
	}
	known := m.part(l).words()
	for _, w := range v.Latest.Words {
		word := w.Letters()
		if known.Has(word) {
			continue
		}
		doubts := l.phonyRate
		if m.lex.Has(word) {
			doubts = 0
			if rule := v.Rules.Challenge; !rule.LosesTurn && !rule.LosesGame && rule.Bonus+rule.Cost <= cheap {
				doubts = l.validRate
			}
		}
		dice := seed
		for i := range len(word) {
			dice = scramble(dice ^ uint64(word[i]))
		}
		if int(dice%100) < doubts {
			a.Words = append(a.Words, w.Tiles)
		}
	}
	return a, len(a.Words) > 0
}

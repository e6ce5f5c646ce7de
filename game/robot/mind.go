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

// A Mind is what robots know of one word list. It is safe for concurrent use.
type Mind struct {
	lex        *lexicon.Lexicon
	vocabulary func() *lexicon.Vocabulary
	leaves     *Leaves

	mu    sync.Mutex
	known map[knowledge]*part
}

// A part is as much of the list as somebody knows.
type part struct {
	words func() *lexicon.Lexicon // made when first asked for
	idle  sync.Pool               // generators to be used again
}

// A knowledge is how much of a list somebody knows; see [Level].
type knowledge struct{ tier, letters int }

// NewMind makes a mind for a word list. The vocabulary says how common the
// words are; it is asked for when a level first needs it, and may be nil: then all
// levels know every word. Without leave
// values, or with those of tiles with other letters than a table's, it thinks
// them all equal.
func NewMind(lex *lexicon.Lexicon, v func() *lexicon.Vocabulary, leaves *Leaves) *Mind {
	if leaves == nil {
		leaves = &Leaves{}
	}
	return &Mind{lex: lex, vocabulary: v, leaves: leaves, known: map[knowledge]*part{}}
}

// Words is the list.
func (m *Mind) Words() *lexicon.Lexicon { return m.lex }

// Known is the part of the list that a level knows.
func (m *Mind) Known(l Level) *lexicon.Lexicon { return m.part(l).words() }

// Knowing tells of each word whether it is in Known, and doesn't make that.
func (m *Mind) Knowing(l Level) func(lexicon.Word) bool {
	if m.vocabulary == nil {
		return m.lex.Has
	}
	return m.vocabulary().Knowing(m.lex, l.tier, l.letters)
}

// part is the part of the list that a level knows.
func (m *Mind) part(l Level) *part {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.known[l.knowledge]
	if !ok {
		p = &part{words: sync.OnceValue(func() *lexicon.Lexicon {
			if m.vocabulary == nil || l.tier >= lexicon.Rare {
				return m.lex
			}
			return m.vocabulary().Known(m.lex, l.tier, l.letters)
		})}
		m.known[l.knowledge] = p
	}
	return p
}

// generator is one of a part's words for a table's plays.
func (p *part) generator(eq game.Equipment, rules game.Rules) (*movegen.Generator, error) {
	if g, ok := p.idle.Get().(*movegen.Generator); ok && g.Fits(eq, rules) {
		return g, nil
	}
	return movegen.New(p.words(), eq, rules)
}

// ErrNotToMove says that a view is of a player who can't do anything now.
var ErrNotToMove = errors.New("it isn't this player's turn")

// Choose is what a robot does at its turn, or when the last play of a game waits for
// a challenge. It thinks no longer than until the context is done, and looks at no
// more than that number of positions ([DefaultPositions] when that is 0). If the
// context isn't done before, the same arguments give the same action.
//
// The error is [ErrNotToMove], or says that the word list and the tiles have
// different letters.
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
	if _, ok := a.(game.Pass); ok && v.Rules.Elect && given(v.Rules.ScorelessTurns, v.Scoreless) {
		return game.Agree{}, nil // nothing more will come of this game
	}
	return a, nil
}

// think begins a thought about a player's turn. It looks no further than the move
// itself until it is given positions and an rng. The caller says when it is done with
// it.
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
	t.worth.tired = v.Scoreless >= patience*(v.opponents()+1)
	return t, nil
}

// DefaultPositions is the most positions that a robot looks at when it isn't said:
// about a second's worth. They are counted by the work that they are, so those in which
// there is much to look for count for several. More don't make it stronger: of games
// against the static robot it won 63.1 % of 574 with about as many (standard error 2.0),
// and 63.5 % of 664 with about twice as many (1.9).
const DefaultPositions = 50_000

// cheap is how many points a word a robot risks for a challenge that it isn't
// sure of.
const cheap = 5

// Challenge says whether a robot challenges the latest play, and which of its
// words. It is sure of the words it knows. Of the others it doubts some: most
// phonies, and where a wrong challenge costs little a few good ones. The same
// seed doubts the same words.
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
		doubts := l.nose
		if m.lex.Has(word) {
			doubts = 0
			if rule := v.Rules.Challenge; !rule.LosesTurn && !rule.LosesGame && rule.Bonus+rule.Cost <= cheap {
				doubts = l.doubts
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

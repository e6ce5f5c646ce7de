package lab

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/game/robot"
)

// A playedGame is a game of a match, with each contestant's result.
type playedGame struct {
	n     int
	order []int    // contestants in the order in which they sat
	did   []result // by contestant
	turns int
	log   []game.Event
}

// A result is a contestant's result in a game.
type result struct {
	score   int
	won     float64 // share of the win
	turns   int
	thought time.Duration // processor time of all turns
	most    time.Duration // processor time of the longest turn
}

// play plays the match's n-th game through the rules, showing players only their views. The same
// seed and number give the same tiles and, without time limits, the same game.
func (m *match) play(ctx context.Context, players []player, n int) (playedGame, error) {
	t, order, err := m.begin(len(players), n)
	p := playedGame{n: n, order: order, did: make([]result, len(players))}
	if err != nil {
		return p, err
	}
	for t.Phase != game.Over {
		seat := t.Turn
		if t.Phase == game.Closing {
			i := slices.IndexFunc(t.Active(), func(i int) bool { return i != t.Latest.Seat && !t.Seats[i].Accepted })
			seat = t.Active()[i]
		}
		who := order[seat]
		a, err := m.think(ctx, players[who], &p.did[who], robot.See(t.State, seat), m.seed+uint64(n))
		if err == nil {
			err = t.do(t.Seats[seat].Person, a)
		}
		if err != nil {
			return p, fmt.Errorf("game %d, event %d, %s: %w", n, t.Number, m.contestants[who].name, err)
		}
	}
	for seat, who := range order {
		p.did[who].score = t.Seats[seat].Score
		if slices.Contains(t.End.Winners, seat) {
			p.did[who].won = 1 / float64(len(t.End.Winners))
		}
	}
	p.order = slices.Concat(order[t.First:], order[:t.First]) // start with the first to move
	p.turns, p.log = t.Turns, t.log
	return p, nil
}

// A matchTable is the table of a game in a match.
type matchTable struct {
	game.State
	env game.Env
	bag *supply
	log []game.Event
}

// do performs an action if the rules allow it.
func (t *matchTable) do(by game.Person, a game.Action) error {
	t.env.Cause = fmt.Sprintf("%d", t.Number)
	events, err := game.Decide(t.State, by, a, t.env)
	t.bag.deal(&t.State, events)
	for _, e := range events {
		t.State = t.State.Apply(e)
	}
	t.log = append(t.log, events...)
	return err
}

// begin starts the n-th game. order is the seating by the rules, which may differ from the order of
// joining.
func (m *match) begin(size, n int) (t *matchTable, order []int, err error) {
	t = &matchTable{env: game.Env{Now: time.Unix(0, 0), Dict: m.mind.Words()}}
	binary.BigEndian.PutUint64(t.env.Secret[:], m.seed)
	binary.BigEndian.PutUint64(t.env.Secret[8:], uint64(n/size))
	var people []game.Person
	joined := make([]int, size)
	for i := range size {
		joined[i] = (n + i) % size
		name := m.contestants[joined[i]].name
		people = append(people, game.Person{ID: game.PlayerID(fmt.Sprintf("robot:%s:%d", name, i+1)), Name: name})
	}
	if m.starts != nil {
		t.State = m.beginAt(m.starts[n/size%len(m.starts)], people, t.env.Secret)
	} else {
		lex := m.mind.Words()
		open := game.Open{Rules: m.rules, Equipment: m.eq, Seats: size, Lexicon: game.LexiconID{Name: lex.Name(), Hash: lex.Hash()}}
		if err := t.do(people[0], open); err != nil {
			return t, nil, err
		}
		for _, by := range people[1:] {
			if err := t.do(by, game.Join{}); err != nil {
				return t, nil, err
			}
		}
	}
	for seat := range t.Seats {
		order = append(order, joined[slices.Index(people, t.Seats[seat].Person)])
	}
	t.bag = newSupply(t.State, t.env.Secret)
	return t, order, nil
}

// think asks a player for a move. A player that saved time gets more for later turns, and one that
// overran gets less, so that all use the same time over a game.
func (m *match) think(ctx context.Context, p player, r *result, v robot.View, seed uint64) (game.Action, error) {
	limit := time.Duration(0)
	if m.limit > 0 {
		limit = min(max(time.Duration(r.turns+1)*m.limit-r.thought, m.limit/mostSaved), m.limit*mostSaved)
	}
	start := p.clock()
	a, err := p.choose(ctx, v, limit, seed)
	took := p.clock() - start
	r.turns++
	r.thought += took
	r.most = max(r.most, took)
	return a, cmp.Or(err, ctx.Err())
}

// mostSaved is the factor by which a turn's limit may differ from the average.
const mostSaved = 2

// beginAt returns a game that starts at a position. It draws racks that the position lacks
// from the unseen tiles.
func (m *match) beginAt(p record.Position, people []game.Person, secret game.Secret) game.State {
	s := game.State{
		Phase: game.Playing, Rules: m.rules, Equipment: m.eq, SeatCount: len(people), Secret: secret,
		Board: p.Board, Scoreless: p.Scoreless,
	}
	bag, _ := m.eq.Tiles.All().Minus(visibleTiles(p))
	unseen := []byte(bag)
	rng := rand.New(rand.NewChaCha8(secret))
	rng.Shuffle(len(unseen), func(i, k int) { unseen[i], unseen[k] = unseen[k], unseen[i] })
	for i, person := range people {
		rack := p.Racks[i]
		if rack == "" {
			n := min(m.rules.RackSize, len(unseen))
			rack, unseen = game.Tiles(unseen[:n]), unseen[n:]
		}
		s.Seats = append(s.Seats, game.Seat{Person: person, Rack: rack, Score: p.Scores[i]})
	}
	s.Bag = game.Tiles(unseen).Sorted()
	return s
}

// A supply is the bag of a two-player game as a sequence: the first seat draws from the front, the
// second from the back. So a seat draws the same tiles in both games of a round, whatever the other
// does, until few are left. A nil supply leaves draws unchanged.
type supply struct {
	tiles []byte
	rng   *rand.Rand
}

// newSupply returns the supply of a new game, or nil unless two play from one bag.
func newSupply(s game.State, secret game.Secret) *supply {
	if len(s.Seats) != 2 || s.TwoBags {
		return nil
	}
	b := &supply{[]byte(s.Bag), rand.New(rand.NewChaCha8(secret))}
	b.rng.Shuffle(len(b.tiles), func(i, k int) { b.tiles[i], b.tiles[k] = b.tiles[k], b.tiles[i] })
	return b
}

// deal replaces the tiles drawn by events with the next ones of the supply. It doesn't change
// the events if one of them ends the game, because the final scores count the tiles on the racks.
func (b *supply) deal(s *game.State, events []game.Event) {
	if b == nil || slices.ContainsFunc(events, func(e game.Event) bool { _, ends := e.Fact.(game.Ended); return ends }) {
		return
	}
	b.returnTiles(s.Bag)
	for i := range events {
		switch f := events[i].Fact.(type) {
		case game.Played:
			f.Drew = b.draw(f.Seat, len(f.Drew))
			events[i].Fact = f
		case game.Exchanged:
			f.Drew = b.draw(f.Seat, len(f.Drew))
			events[i].Fact = f
		}
	}
}

// returnTiles inserts tiles returned to the bag at random places.
func (b *supply) returnTiles(bag game.Tiles) {
	back, _ := bag.Minus(game.Tiles(b.tiles))
	for i := range len(back) {
		b.tiles = slices.Insert(b.tiles, b.rng.IntN(len(b.tiles)+1), back[i])
	}
}

// draw removes the next tiles for a seat.
func (b *supply) draw(seat, n int) game.Tiles {
	var out []byte
	for range n {
		i := 0
		if seat == 1 {
			i = len(b.tiles) - 1
		}
		out = append(out, b.tiles[i])
		b.tiles = slices.Delete(b.tiles, i, i+1)
	}
	return game.Tiles(out)
}

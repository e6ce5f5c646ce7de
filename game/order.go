package game

import (
	"errors"
	"slices"
	"time"
)

// This file decides the order of turns: by drawn tiles, by a random order, or by a vote (document
// 001, before the start).

// voteTime limits how long the players may vote on the order. Later the votes cast decide.
const voteTime = 24 * time.Hour

// Vote votes for an order of the seats: each once. An empty order is an abstention. A later vote
// replaces it.
type Vote struct{ Order []int }

// Polled records that the players vote on the order, until all have voted or the time is over.
type Polled struct{ Until time.Time }

// Balloted records a vote.
type Balloted struct {
	Seat  int
	Order []int // empty for an abstention
}

// Ordered records that the seats change places for the rest of the game: seat Order[0] goes first
// from now on.
type Ordered struct {
	Order []int
	Among int // number of orders it was drawn from; 1 if it won the vote alone
}

func (a Vote) decide(d *decision) error {
	switch d.Phase {
	case NoTable, Lobby:
		return &RuleError{Code: NotStarted}
	case Voting:
	case Over:
		return &RuleError{Code: GameOver}
	default:
		return &RuleError{Code: OrderSettled}
	}
	seat, ok := d.SeatOf(d.by.ID)
	if !ok {
		return &RuleError{Code: NotPlaying}
	}
	if len(a.Order) > 0 && !d.isOrder(a.Order) {
		return &RuleError{Code: NoOrder, N: len(d.Seats)}
	}
	d.emit(Balloted{seat, slices.Clone(a.Order)})
	if !slices.ContainsFunc(d.Seats, func(s Seat) bool { return !s.Voted }) {
		return d.closePoll()
	}
	return nil
}

// closePoll counts the votes. If several orders have the most votes, one of them is drawn.
func (d *decision) closePoll() error {
	votes := make([]int, 0, 24)
	most := 0
	all := d.Orders()
	for _, order := range all {
		n := 0
		for _, seat := range d.Seats {
			if slices.Equal(seat.Vote, order) {
				n++
			}
		}
		votes, most = append(votes, n), max(most, n)
	}
	var best [][]int
	for i, order := range all {
		if votes[i] == most {
			best = append(best, order)
		}
	}
	return d.drawOrder(best)
}

// drawOrder seats the players in one of the orders at random, and deals.
func (d *decision) drawOrder(orders [][]int) error {
	d.emit(Ordered{Order: orders[d.Seed().pick(d.Number, len(orders))], Among: len(orders)})
	return d.deal(0)
}

// Orders returns all orders of the seats in lexical order: 0 1 2, 0 2 1, 1 0 2 and so on.
func (s State) Orders() [][]int {
	var all [][]int
	var grow func(order []int)
	grow = func(order []int) {
		if len(order) == len(s.Seats) {
			all = append(all, slices.Clone(order))
			return
		}
		for i := range s.Seats {
			if !slices.Contains(order, i) {
				grow(append(order, i))
			}
		}
	}
	grow(nil)
	return all
}

// isOrder reports whether an order has each seat once.
func (s State) isOrder(order []int) bool {
	sorted := slices.Sorted(slices.Values(order))
	for i, seat := range sorted {
		if seat != i {
			return false
		}
	}
	return len(sorted) == len(s.Seats)
}

func (f Polled) check(s *State) error {
	if s.isDealt() {
		return errPlace
	}
	return s.requirePhase(Playing)
}

func (f Balloted) check(s *State) error {
	if len(f.Order) > 0 && !s.isOrder(f.Order) {
		return errors.New("not an order of the seats")
	}
	return s.requireSeats(Voting, f.Seat)
}

func (f Ordered) check(s *State) error {
	if !s.isOrder(f.Order) {
		return errors.New("not an order of the seats")
	}
	if s.isDealt() {
		return errPlace
	}
	return s.requirePhase(Playing, Voting)
}

func (f Polled) apply(s *State) { s.Phase, s.Until = Voting, f.Until }

func (f Balloted) apply(s *State) {
	s.Seats[f.Seat].Voted, s.Seats[f.Seat].Vote = true, f.Order
}

func (f Ordered) apply(s *State) {
	seats := make([]Seat, len(s.Seats))
	for i, from := range f.Order {
		seats[i] = s.Seats[from]
		seats[i].Voted, seats[i].Vote = false, nil
	}
	s.Seats, s.Phase = seats, Playing
}

// isDealt reports whether the racks have been dealt.
func (s State) isDealt() bool {
	return s.Turns > 0 || slices.ContainsFunc(s.Seats, func(seat Seat) bool { return seat.Rack != "" })
}

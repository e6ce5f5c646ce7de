package game

import (
	"errors"
	"fmt"
	"slices"
)

// Replay returns the state after all the events. It returns an error if the log is broken: if
// an event can't follow the earlier ones. It checks tiles, seats and the order of events. It
// doesn't check whether moves were legal or what they score; that was judged when they were
// made.
func Replay(events []Event) (State, error) {
	var s State
	if n := countSeats(events); n > 0 {
		s.Seats = make([]Seat, 0, n)
	}
	return s.applyAll(events)
}

// Replay returns the state after more events: what [Replay] returns for all events if s is the
// state after the earlier ones.
func (s State) Replay(events []Event) (State, error) {
	s.Seats, s.Submissions = slices.Clone(s.Seats), slices.Clone(s.Submissions)
	return s.applyAll(events)
}

// applyAll applies events to a state that isn't shared.
func (s State) applyAll(events []Event) (State, error) {
	for _, e := range events {
		if err := s.check(e); err != nil {
			return State{}, fmt.Errorf("event %d: %w", s.Number, err)
		}
		s.apply(e)
	}
	return s, nil
}

// countSeats returns the number of seats that events take.
func countSeats(events []Event) (n int) {
	for _, e := range events {
		if _, ok := e.Fact.(Joined); ok {
			n++
		}
	}
	return n
}

var errPlace = errors.New("this event can't come here")

// check returns why an event can't come here, or nil.
func (s *State) check(e Event) error {
	if e.Number != s.Number {
		return fmt.Errorf("it has the number %d", e.Number)
	}
	if e.Fact == nil {
		return errors.New("it has no fact")
	}
	if err := e.Fact.check(s); err != nil {
		return fmt.Errorf("%T: %w", e.Fact, err)
	}
	return nil
}

// requirePhase returns an error unless the table is in one of the phases.
func (s *State) requirePhase(phases ...Phase) error {
	if slices.Contains(phases, s.Phase) {
		return nil
	}
	return errPlace
}

// requireSeats returns an error unless the table is in the phase and has the seats.
func (s *State) requireSeats(p Phase, seats ...int) error {
	if err := s.requirePhase(p); err != nil {
		return err
	}
	for _, n := range seats {
		if n < 0 || n >= len(s.Seats) {
			return fmt.Errorf("no seat %d", n)
		}
	}
	return nil
}

// checkContains returns an error unless ts contains the tiles.
func (ts Tiles) checkContains(tiles Tiles, where string) error {
	if ts.firstMissing(tiles) >= 0 {
		return fmt.Errorf("those tiles are not %s", where)
	}
	return nil
}

// check returns what is wrong with a board and a tile set, or nil.
func (eq Equipment) check() error {
	l, err := ParseLayout(eq.Layout.Name, eq.Layout.Text)
	if err != nil {
		return err
	}
	if l != eq.Layout || eq.Tiles == nil || len(eq.Tiles.kinds) == 0 {
		return errors.New("no board, or no tiles")
	}
	return nil
}

func (f Opened) check(s *State) error {
	if err := s.requirePhase(NoTable); err != nil {
		return err
	}
	if err := f.Equipment.check(); err != nil {
		return err
	}
	if f.Pace.Turn < 0 || f.Pace.Bank < 0 {
		return errors.New("a negative pace")
	}
	if _, ok := FindVariant(f.Rules.Variant); !ok {
		return fmt.Errorf("there is no variant %q", f.Rules.Variant)
	}
	if n := len(f.Earlier); n != 0 && n != 2 {
		return fmt.Errorf("%d players", n)
	}
	if n := f.Rules.RackSize; n < 1 || n > len(f.Equipment.Tiles.All()) {
		return fmt.Errorf("racks of %d tiles", n)
	}
	return nil
}

func (f Joined) check(s *State) error {
	if s.variant().Shared {
		return s.requirePhase(Lobby, Playing)
	}
	return s.requirePhase(Lobby)
}

func (f Left) check(s *State) error    { return s.requireSeats(Lobby, f.Seat) }
func (f Closed) check(s *State) error  { return s.requirePhase(Lobby) }
func (f Started) check(s *State) error { return s.requirePhase(Lobby) }

func (f OrderDrawn) check(s *State) error {
	if len(f.Tiles) != len(f.Seats) {
		return fmt.Errorf("%d tiles drawn by %d seats", len(f.Tiles), len(f.Seats))
	}
	return s.requireSeats(Playing, f.Seats...)
}

func (f Dealt) check(s *State) error {
	if len(f.Racks) != len(s.Seats) {
		return fmt.Errorf("%d racks for %d seats", len(f.Racks), len(s.Seats))
	}
	if s.Turns > 0 {
		return errPlace
	}
	if len(f.Vowels) > 0 && (!s.TwoBags || len(f.Vowels) != len(f.Racks)) {
		return fmt.Errorf("vowels of %d racks", len(f.Vowels))
	}
	var all, vowels Tiles
	for i, n := range f.Vowels {
		if n < 0 || n > len(f.Racks[i]) {
			return fmt.Errorf("%d vowels of %d tiles", n, len(f.Racks[i]))
		}
		vowels += f.Racks[i][:n]
	}
	if err := s.Vowels.checkContains(vowels, "in the bag of the vowels"); err != nil {
		return err
	}
	for i, rack := range f.Racks {
		if s.Seats[i].Rack != "" {
			return errPlace
		}
		all += rack
	}
	if err := s.Bag.checkContains(all, "in the bag"); err != nil {
		return err
	}
	return s.requireSeats(Playing, f.First)
}

func (f Played) check(s *State) error {
	if err := s.requireSeats(Playing, f.Seat); err != nil {
		return err
	}
	if err := s.checkFree(f.Move); err != nil {
		return err
	}
	if err := s.Seats[f.Seat].Rack.checkContains(f.Move.Tiles.Faces(), "on the rack"); err != nil {
		return err
	}
	return s.checkDrew(f.Drew, f.Vowels)
}

// checkFree returns an error unless a play lies on free squares of the board.
func (s *State) checkFree(m Move) error {
	l := s.Equipment.Layout
	if m.Dir != Across && m.Dir != Down || !l.On(m.At) || !l.On(m.At.Step(m.Dir, len(m.Tiles)-1)) {
		return errors.New("a play off the board")
	}
	for _, sq := range m.LaidSquares() {
		if s.Board.Tile(sq) != NoTile {
			return fmt.Errorf("a tile lies on %s already", sq)
		}
	}
	return nil
}

func (f Exchanged) check(s *State) error {
	if err := s.requireSeats(Playing, f.Seat); err != nil {
		return err
	}
	if err := s.Seats[f.Seat].Rack.checkContains(f.Put, "on the rack"); err != nil {
		return err
	}
	return s.checkDrew(f.Drew, f.Vowels)
}

func (f Passed) check(s *State) error   { return s.requireSeats(Playing, f.Seat) }
func (f TurnLost) check(s *State) error { return s.requireSeats(Playing, f.Seat) }
func (f Resigned) check(s *State) error { return s.requireSeats(Playing, f.Seat) }
func (f Agreed) check(s *State) error   { return s.requireSeats(Playing, f.Seat) }
func (f Accepted) check(s *State) error { return s.requireSeats(Closing, f.Seat) }

func (f Challenged) check(s *State) error {
	if s.Latest == nil || s.Latest.Seat != f.Player {
		return errors.New("a challenge without a play")
	}
	return s.requireSeats(s.Phase, f.By)
}

func (f LastPlay) check(s *State) error {
	if s.Latest == nil {
		return errors.New("there is no play")
	}
	return s.requirePhase(Playing)
}

func (f Ended) check(s *State) error {
	if err := s.requirePhase(Playing, Closing); err != nil {
		return err
	}
	if len(f.Racks) != len(s.Seats) || len(f.Adjust) != len(s.Seats) || len(f.Overtime) > 0 && len(f.Overtime) != len(s.Seats) {
		return fmt.Errorf("an end for %d seats of %d", len(f.Adjust), len(s.Seats))
	}
	return s.requireSeats(s.Phase, f.Winners...)
}

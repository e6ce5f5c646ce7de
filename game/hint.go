package game

// If the rules allow it, a player may ask for a hint at their turn. The hint itself isn't part of
// the game, but asking for it is a fact, because the others learn of it when the game is over.

// Hint asks for a hint.
type Hint struct{}

// Hinted records that a player got a hint, or more of one.
type Hinted struct{ Seat int }

func (Hint) unseen() {}

func (Hint) decide(d *decision) error {
	seat, err := d.movingSeat()
	if err != nil {
		return err
	}
	if !d.Rules.Hints {
		return &RuleError{Code: NoHints}
	}
	d.emit(Hinted{seat})
	return nil
}

func (f Hinted) check(s *State) error { return s.requireSeats(Playing, f.Seat) }

func (f Hinted) apply(s *State) {
	s.Seats[f.Seat].Hints++
	s.Seats[f.Seat].HintsNow++
}

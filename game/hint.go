package game

// Where the rules allow it a player may ask, at their turn, what to play. What
// they are told is none of the game's business; that they asked is a fact, for
// the others are to know when the game is over.

// Hint asks for a hint.
type Hint struct{}

// Hinted says that a player was given a hint, or more of it.
type Hinted struct{ Seat int }

func (Hint) unseen() {}

func (Hint) decide(d *decision) error {
	seat, err := d.mover()
	if err != nil {
		return err
	}
	if !d.Rules.Hints {
		return &RuleError{Code: NoHints}
	}
	d.emit(Hinted{seat})
	return nil
}

func (f Hinted) check(s *State) error { return s.seated(Playing, f.Seat) }

func (f Hinted) apply(s *State) {
	s.Seats[f.Seat].Hints++
	s.Seats[f.Seat].HintsNow++
}

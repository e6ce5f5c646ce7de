package game

// Stop ends a game without a winner, or closes a table that waits for players. The managers of a
// place may do that, and others if a game is abandoned; this package doesn't check who may.
type Stop struct {
	Abandoned bool // the game was abandoned
}

func (a Stop) decide(d *decision) error {
	switch d.Phase {
	case Lobby:
		d.emit(Closed{})
		return nil
	case Playing, Closing:
		if a.Abandoned {
			d.endWithout(AbandonedEnd, d.by)
		} else {
			d.endWithout(StoppedEnd, d.by)
		}
		return nil
	case Over:
		return &RuleError{Code: GameOver}
	}
	return &RuleError{Code: NotStarted}
}

func (f Ended) rename(to func(Person) Person) Fact {
	if f.By.ID != "" {
		f.By = to(f.By)
	}
	return f
}

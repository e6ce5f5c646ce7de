package game

// Stop ends a game without a winner, or closes a table that waits: what whoever
// manages the place can do, and others with a game that lies there. The rules don't
// know who may.
type Stop struct {
	Lying bool // nobody was playing any more
}

func (a Stop) decide(d *decision) error {
	switch d.Phase {
	case Lobby:
		d.emit(Closed{})
		return nil
	case Playing, Closing:
		if a.Lying {
			d.endWithout(ForsakenEnd, d.by)
		} else {
			d.endWithout(StoppedEnd, d.by)
		}
		return nil
	case Over:
		return &RuleError{Code: GameOver}
	}
	return &RuleError{Code: NotStarted}
}

func (f Ended) renamed(to func(Person) Person) Fact {
	if f.By.ID != "" {
		f.By = to(f.By)
	}
	return f
}

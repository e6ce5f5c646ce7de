package game

// Stop ends a game without a winner, or closes a table that waits: what
// whoever manages the place can do. Who that is isn't for the rules to know.
type Stop struct{}

func (Stop) decide(d *decision) error {
	switch d.Phase {
	case Lobby:
		d.emit(Closed{})
		return nil
	case Playing, Closing:
		d.endWithout(StoppedEnd)
		return nil
	case Over:
		return &RuleError{Code: GameOver}
	}
	return &RuleError{Code: NotStarted}
}

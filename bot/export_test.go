package bot

// What the tests of package bot_test look at from outside.
var (
	ButtonID    = buttonID
	ExplainRule = explainRule
	Backoff     = backoff
	Spelling    = spelling
	ValidSpots  = validSpots
)

const (
	MaxLabel    = maxLabel
	MostButtons = mostButtons
)

// A Table is a table as explainRule sees it.
type Table = table

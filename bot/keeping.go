package bot

// A Keeping is something that a host or an adapter keeps, for those whose data it is:
// what their rows of notes are for.
type Keeping struct {
	By    string // who of the host keeps it: "the web room"
	Shelf string // as notes name it; with a slash at its end, all shelves that begin so
	Why   string // what it is and what for
	Whose string // what a row belongs to: "person", "channel", "table"
	Until string // when it goes
}

// A Lister is a [Keeper] that can say what it keeps. All that it stores is among that.
type Lister interface{ Keeps() []Keeping }

// When most things go.
const (
	UntilForgotten = "until that person is forgotten"
	UntilHomeGone  = "as long as I'm there"
	WithTheGame    = "as long as the game is kept"
)

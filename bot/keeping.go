package bot

// A Keeping describes data that a host or an adapter stores, for the people it is about.
type Keeping struct {
	By    string // part of the host: "the web room"
	Shelf string // name of the notes' shelf; with a final slash, of all shelves with that prefix
	Why   string // what it is and what for
	Whose string // owner of a row: "person", "channel", "table"
	Until string // when it is deleted
}

// A Lister is a [Keeper] that lists all the data it stores.
type Lister interface{ Keeps() []Keeping }

// When most data is deleted.
const (
	UntilForgotten = "until that person is forgotten"
	UntilHomeGone  = "as long as I'm there"
	WithTheGame    = "as long as the game is kept"
)

package bot

import "time"

// An Observer is told what a host and its adapters do, in figures for whoever runs
// it. Nothing that it is told names a person, a channel or a table, or was
// written by anybody: its texts are of the few that the program itself has. Its
// methods return at once, and are safe for concurrent use.
type Observer interface {
	// Command says that a command was answered.
	Command(name string, r Result, took time.Duration)
	// Queue says how much heavy work waits and runs from now on.
	Queue(waiting, running int)
	// Post says that a post was tried.
	Post(platform string, r Result, took time.Duration)
	// Timer says that what a timer of a kind asks for was tried.
	Timer(kind string, r Result, took time.Duration)
	// Thought says that a robot of a level chose what to do.
	Thought(level string, took time.Duration)
	// Drew says that a picture was drawn.
	Drew(took time.Duration)
	// Held says that a request to a platform was held back, or refused there, for
	// a limit of the platform's, and for how long.
	Held(platform string, wait time.Duration)
	// Connection says how a connection to a platform is from now on: a shard, by its
	// numbers, a socket, or what HTTP brings. [Reporter] says what is wrong.
	Connection(platform, name string, s State)
	// Listeners says how many windows are open to a platform from now on.
	Listeners(platform string, n int)
}

// A Result is how something went.
type Result string

// How things go.
const (
	Done    Result = "done"
	Refused Result = "refused" // with what to do, or, of a post, for good
	Later   Result = "later"   // it is tried again
	Moot    Result = "moot"    // there was nothing to do any more
	Failed  Result = "failed"  // for a fault of ours
)

// A State is how a connection is.
type State uint8

// The states of connections.
const (
	Connecting State = iota + 1 // for the first time
	Connected
	Retrying // it was there, or could not be made, and is tried again
	Standby  // another process has it
	Closed   // it is not needed any more
)

// String is the state in a word.
func (s State) String() string {
	return [...]string{"unknown", "connecting", "connected", "retrying", "standby", "closed"}[min(int(s), 5)]
}

// Unobserved is the Observer that looks away.
type Unobserved struct{}

// Command does nothing.
func (Unobserved) Command(string, Result, time.Duration) {}

// Queue does nothing.
func (Unobserved) Queue(int, int) {}

// Post does nothing.
func (Unobserved) Post(string, Result, time.Duration) {}

// Timer does nothing.
func (Unobserved) Timer(string, Result, time.Duration) {}

// Thought does nothing.
func (Unobserved) Thought(string, time.Duration) {}

// Drew does nothing.
func (Unobserved) Drew(time.Duration) {}

// Held does nothing.
func (Unobserved) Held(string, time.Duration) {}

// Connection does nothing.
func (Unobserved) Connection(string, string, State) {}

// Listeners does nothing.
func (Unobserved) Listeners(string, int) {}

package bot

import "time"

// An Observer receives figures about a host and its adapters for the operator. They never name a
// person, a channel or a table, and contain no user text: all strings are the program's own. Its
// methods return at once, and are safe for concurrent use.
type Observer interface {
	// Command counts an answered command.
	Command(name string, r Result, took time.Duration)
	// Queue reports how much heavy work now waits and runs.
	Queue(waiting, running int)
	// Post counts an attempt to deliver a post.
	Post(platform string, r Result, took time.Duration)
	// Timer counts an attempt to handle a timer of a kind.
	Timer(kind string, r Result, took time.Duration)
	// Thought counts a robot's decision by its level.
	Thought(level string, took time.Duration)
	// Drew counts a drawn picture.
	Drew(took time.Duration)
	// Held counts a request to a platform that was delayed or refused because of a limit of the
	// platform's, with the wait.
	Held(platform string, wait time.Duration)
	// Connection reports the new state of a connection to a platform: a shard, by its number, a
	// socket, or HTTP. [Reporter] says what is wrong.
	Connection(platform, name string, s State)
	// Listeners reports how many windows are now open on a platform.
	Listeners(platform string, n int)
}

// A Result is the outcome of something.
type Result string

// The results.
const (
	Done    Result = "done"
	Refused Result = "refused" // with an explanation; a post for good
	Later   Result = "later"   // will be retried
	Moot    Result = "moot"    // nothing left to do
	Failed  Result = "failed"  // our fault
)

// A State is the state of a connection.
type State uint8

// The states of connections.
const (
	Connecting State = iota + 1 // for the first time
	Connected
	Retrying // was connected, or failed to connect, and is retrying
	Standby  // another process is connected
	Closed   // no longer needed
)

// String returns the state in a word.
func (s State) String() string {
	return [...]string{"unknown", "connecting", "connected", "retrying", "standby", "closed"}[min(int(s), 5)]
}

// Unobserved is an Observer that ignores everything.
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

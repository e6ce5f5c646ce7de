package bot

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/rackmate/rackmate/game"
)

// ErrNoTable is returned if a store has no such table.
var ErrNoTable = errors.New("no such table")

// ErrUnreadable is returned if a table's stored data can't be read: it is damaged, or a newer
// program wrote it. Other tables remain readable.
var ErrUnreadable = errors.New("the table's stored data can't be read")

// ErrBusy is returned when an operation had to wait too long for others.
var ErrBusy = errors.New("too many requests wait for the same thing")

// ErrLost is returned if another holder has claimed a post or a timer meanwhile.
var ErrLost = errors.New("another process has claimed it meanwhile")

// A Holder is the name of a process, or of a loop in it, that claims work for itself. No name is
// used twice: a restarted process gets a new one.
type Holder string

// A Store stores tables, posts and timers. Every store passes bot/store/storetest. Its methods are
// safe for concurrent use, even by other processes if the store serves more than one.
type Store interface {
	// Update is the only way to change a table. It loads the channel's room, calls fn, and commits
	// what fn added to the room in one transaction, which is on disk when Update returns nil. If fn
	// returns an error, nothing changes and Update returns that error unchanged. Updates of one
	// channel run one after another. A store may call fn again on a fresh room if another Update
	// came between, so fn must only read and fill in the room.
	//
	// request is the id of the request being carried out; the room's receipt is found and filed
	// under it. Requests of different channels may have the same id. The empty id has no receipt.
	Update(ctx context.Context, ch ChannelID, request string, fn func(*Room) error) error

	// Table returns the channel's latest table and its events, or 0 and none if there was no table.
	// The caller must not modify the events: they are shared.
	Table(ctx context.Context, ch ChannelID) (TableID, []game.Event, error)

	// Events returns a table's first n events, or all of them if n < 0, and its channel. The caller
	// must not modify the events: they are shared. It returns ErrNoTable if there is no such table.
	Events(ctx context.Context, t TableID, n int) (ChannelID, []game.Event, error)

	// TablesPlayed lists the tables whose Room.Seated has the player, lowest first. If p is "", it lists
	// every table that seats anyone.
	TablesPlayed(ctx context.Context, p game.PlayerID) ([]TableID, error)

	// TablesNaming lists the tables whose events name a person, lowest first: as opener, guest or player.
	TablesNaming(ctx context.Context, p game.PlayerID) ([]TableID, error)

	// Rename replaces a person with another in everything stored about a table, so that nothing
	// names them: its events, and the players seated. Private posts to them about it are removed.
	// The replacement must not be named there yet. If it is the same player, only the name changes,
	// and their posts stay. It returns ErrNoTable if there is no such table.
	Rename(ctx context.Context, t TableID, from game.PlayerID, to game.Person) error

	// Erase removes what still names a person after Rename, in one transaction: receipts, posts,
	// timers and rows of notes whose key names them. Other rows and the channels of private
	// conversations get the id as in its place.
	Erase(ctx context.Context, who, as game.PlayerID) error

	// PendingPosts lists, oldest first, the next post of each queue of a platform if it may be
	// tried at now, claimed or not. next is when the earliest of the others may be tried, or
	// zero if there are none.
	PendingPosts(ctx context.Context, platform string, now time.Time) (ready []Post, next time.Time, err error)

	// RemovePost removes a post that was delivered or never can be. Only its ID and Fence matter; the
	// Fence of a post that was never claimed is 0. It returns ErrLost if another holder has claimed
	// the post since. A removed post stays removed, except after a crash of the storage: then it
	// may come again, with its key.
	RemovePost(ctx context.Context, p Post) error

	// Defer postpones a post, and with it its queue, until a time, counts the try and releases the
	// post. It returns the same errors as RemovePost.
	Defer(ctx context.Context, p Post, until time.Time) error

	// DueTimers lists up to limit timers whose time has come, earliest first, claimed or not. next is
	// when the next timer falls due, or zero if there is none or the list is full. It takes time
	// proportional to the list, however many timers there are.
	DueTimers(ctx context.Context, now time.Time, limit int) (due []Timer, next time.Time, err error)

	// RemoveTimers removes timers in one transaction. Only their ID and Fence matter. It returns ErrLost
	// if another holder has claimed one of them since; the others are still removed. Like a post, a
	// timer may come again after a crash.
	RemoveTimers(ctx context.Context, timers ...Timer) error

	Claims

	// Watch calls fn with the channel of each Update committed by any process, until ctx is done.
	// This is only a hint: hints come late or twice, and if some may have been lost, fn gets "",
	// which means to look everywhere.
	Watch(ctx context.Context, fn func(ChannelID)) error
}

// Claims manages what holders have exclusively: posts, timers and jobs.
//
// A claim lasts as long as its holder lives, which the holder renews by Stay. After that others may
// take it. Each claim has a fencing number larger than any earlier one for the same thing, so that
// a slow holder can't finish what another has claimed since.
type Claims interface {
	// Stay extends a holder's life until a time.
	Stay(ctx context.Context, h Holder, until time.Time) error

	// Leave releases everything that a holder has claimed, and removes the holder. Watchers should
	// get the hint to look everywhere, or they find what was released at their next look.
	Leave(ctx context.Context, h Holder) error

	// ClaimPosts claims up to limit of the posts that PendingPosts would list, unless a living
	// holder has claimed them, even h itself. Posts of the tables in without are left to others
	// and don't hold up the posts behind them in their queues. next is when the earliest of the
	// others may be claimed, as far as known.
	ClaimPosts(ctx context.Context, h Holder, platform string, without []TableID, now time.Time, limit int) (claimed []Post, next time.Time, err error)

	// ClaimTimers claims up to limit due timers of some kinds that no living holder has claimed,
	// earliest first. next is when the earliest of the others may be claimed, as far as known.
	ClaimTimers(ctx context.Context, h Holder, k Kinds, now time.Time, limit int) (claimed []Timer, next time.Time, err error)

	// Release gives timers back that a holder claimed, so that others can claim them immediately.
	// Only their ID and Fence matter; timers that others have claimed since are left alone.
	Release(ctx context.Context, timers ...Timer) error

	// Elect reports whether h has a job now: it had it already, or no living holder did.
	Elect(ctx context.Context, h Holder, job string, now time.Time) (bool, error)

	// Holders lists the living holders by name, with what they have claimed.
	Holders(ctx context.Context, now time.Time) ([]Holding, error)
}

// Kinds selects kinds of timers: the ones in Only, or, if that is nil, all except the ones in
// Except. Without lists tables whose timers are excluded.
type Kinds struct {
	Only, Except []string
	Without      []TableID
}

// Has reports whether a kind is selected.
func (k Kinds) Has(kind string) bool {
	if k.Only != nil {
		return slices.Contains(k.Only, kind)
	}
	return !slices.Contains(k.Except, kind)
}

// A Holding lists what a living holder has claimed.
type Holding struct {
	Holder Holder
	Until  time.Time
	Jobs   []string // sorted
	Posts  int
	Timers int
}

// A Room is a channel inside Store.Update.
type Room struct {
	// Set by the store.
	Channel ChannelID
	Table   TableID      // the channel's latest table, or 0
	Events  []game.Event // of that table; must not be modified
	Receipt *Receipt     // outcome of the same request before, nil if it is new

	// Set by fn. Append continues Events, or begins a new table if its first event has the
	// number 0. Posts and Timers belong to the channel's table after Append; the store sets
	// their ID, Channel and Table. If the channel has no table, posts and timers with a Kind
	// belong to table 0. Names of channels and players that aren't UTF-8 are refused.
	Append []game.Event
	Posts  []Post
	Timers []Timer
	// Seated lists the players of an unfinished game at that table; with Append it replaces the
	// previous list. Store.TablesPlayed finds the table by it.
	Seated []game.PlayerID
	// File is stored for at least a day as the request's receipt. Before Update returns, the store
	// sets File.Table to the channel's current table.
	File *Receipt
	// Refused, with a File and nothing else, means that the request was refused, so others need no
	// hint.
	Refused bool
}

// A Receipt is the outcome of a request: the events it caused. A refused request caused none, so To
// is From; judged again at that point of the table's history it is refused again in the same words.
type Receipt struct {
	Table    TableID
	From, To int // events From up to, but not including, To
}

// A Post is a message to be delivered. It holds no text and no picture: both are made from the
// table's events at delivery.
type Post struct {
	ID       uint64
	Channel  ChannelID
	Table    TableID
	From, To int           // the events it covers, from From up to, but not including, To
	For      game.PlayerID // "" for everybody in the channel, else the only recipient
	Kind     string        // its subject; "" for what happened, or For's rack
	At       time.Time     // when a post with a Kind was queued; makes its Key unique
	Tries    int           // failed deliveries so far
	Fence    uint64        // of its claim
	Last     bool          // no post waited behind it in its queue when it was claimed, as far as known
}

// queue returns the queue of a post. Posts of a queue are delivered in order; queues don't wait for
// each other.
func (p Post) queue() string { return string(p.Channel) + "\n" + string(p.For) }

// Key returns the same key whenever the post is delivered. It doesn't use the post's ID, which
// another store might assign again.
func (p Post) Key() string {
	hash := fnv.New32a()
	hash.Write([]byte(p.queue() + p.Kind))
	if !p.At.IsZero() {
		fmt.Fprint(hash, p.At.UnixMilli())
	}
	return fmt.Sprintf("%d-%d-%08x", p.Table, p.To, hash.Sum32())
}

// A Timer makes the host check a table at a certain time.
type Timer struct {
	ID      uint64
	At      time.Time
	Channel ChannelID
	Table   TableID
	Number  int    // the table's number of events when it was set, or a number that its Kind defines
	Kind    string // what to look at; "" for whether the last play stands
	Fence   uint64 // of its claim
}

// Notes are an adapter's own rows in the store, for platforms that keep nothing for us or are our
// own. Adapters don't see each other's notes.
type Notes interface {
	// Get returns a value, or nil if there is none.
	Get(ctx context.Context, shelf, key string) ([]byte, error)
	// Put sets a value; nil removes it.
	Put(ctx context.Context, shelf, key string, value []byte) error
	// Keys returns a shelf's keys in order.
	Keys(ctx context.Context, shelf string) ([]string, error)
	// Scan returns up to limit rows of a shelf in the order of their keys: those with the prefix
	// whose keys come after after.
	Scan(ctx context.Context, shelf, prefix, after string, limit int) ([]Row, error)
	// GetAll returns the values of several keys of a shelf, nil for each key without one.
	GetAll(ctx context.Context, shelf string, keys ...string) ([][]byte, error)
	// Change changes related rows: everything that fn puts is committed together if it returns nil,
	// and nothing otherwise. A store may call fn again on fresh data, so fn must only read and put
	// rows, and must not call the store.
	//
	// If ctx comes from Concluding, the post is removed in the same transaction, like Store.RemovePost
	// does. If another process has claimed the post since, Change returns ErrLost and nothing
	// changes.
	Change(ctx context.Context, fn func(Rows) error) error

	// Tell sends a short text to everybody who watches these notes, in every process including this
	// one. It is lost if nobody watches.
	Tell(ctx context.Context, text string) error
	// Watch calls fn with possible news in these notes until ctx is done. This is only a hint:
	// hints come late, twice, or not at all.
	Watch(ctx context.Context, fn func(Hint)) error
}

// A Hint is a text sent by Notes.Tell. The zero Hint means to look everywhere.
type Hint struct{ Text string }

// Rows are notes inside Notes.Change. Reads see earlier puts of the same change.
type Rows interface {
	Get(shelf, key string) ([]byte, error)
	// GetAll returns the values of several keys of a shelf, nil for each key without one.
	GetAll(shelf string, keys ...string) ([][]byte, error)
	Put(shelf, key string, value []byte) error
	Scan(shelf, prefix, after string, limit int) ([]Row, error)
}

// A Row is a value on a shelf with its key.
type Row struct {
	Key   string
	Value []byte
}

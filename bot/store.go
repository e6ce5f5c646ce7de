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

// ErrNoTable says that a store has no such table.
var ErrNoTable = errors.New("no such table")

// ErrUnreadable says that what a store has of a table can't be read: it is damaged, or a
// newer program has written it. Other tables can.
var ErrUnreadable = errors.New("what is stored of the table can't be read")

// ErrBusy is the error of what had to wait for others for too long.
var ErrBusy = errors.New("too many want the same")

// ErrLost says that somebody else has claimed a post or a timer meanwhile.
var ErrLost = errors.New("somebody else has claimed it meanwhile")

// A Holder claims what only one may do at a time: a process, or a loop of it.
// Nobody else has its name, and the next process doesn't either.
type Holder string

// A Store keeps tables, posts and timers. Every store passes
// bot/store/storetest. Its methods are safe for concurrent use, by other
// processes too where the store serves more than one.
type Store interface {
	// Update is the one way to change a table. It loads the channel's room,
	// calls fn, and takes in what fn added to the room in one transaction that
	// is on disk when Update returns nil. When fn returns an error nothing
	// changes, and Update returns that error as it is. Updates of one channel
	// happen one after another; a store may call fn again on a fresh room when
	// another Update came between, so fn must do nothing but read and fill in
	// the room.
	//
	// request is the id of the request being carried out, by which the room's
	// receipt is found and filed. Another channel's request may have the same
	// id; the empty id has no receipt.
	Update(ctx context.Context, ch ChannelID, request string, fn func(*Room) error) error

	// Table is the channel's latest table and its events: 0 and none where
	// there was no table. They are not to be changed: others may have the same.
	Table(ctx context.Context, ch ChannelID) (TableID, []game.Event, error)

	// Events are a table's first n events, all of them with n < 0, and the
	// channel it is in. They are not to be changed: others may have the same. The
	// error is ErrNoTable where there is no such table.
	Events(ctx context.Context, t TableID, n int) (ChannelID, []game.Event, error)

	// Playing lists the tables whose Room.Seated has the player, lowest first.
	Playing(ctx context.Context, p game.PlayerID) ([]TableID, error)

	// Named lists the tables whose events name a person, lowest first: where
	// they opened, were invited or sat.
	Named(ctx context.Context, p game.PlayerID) ([]TableID, error)

	// Rename puts somebody else in a person's place in all that is kept of a
	// table, so that nothing of it names them: its events, and the players seated.
	// Posts about it for that person alone are removed. The other must not be
	// named there yet. The error is ErrNoTable where there is no such table.
	Rename(ctx context.Context, t TableID, from game.PlayerID, to game.Person) error

	// Pending lists, oldest first, the next post of each lane of a platform
	// that may be tried at now, whoever has claimed it, and when the earliest of
	// the others may (the zero time when there are none).
	Pending(ctx context.Context, platform string, now time.Time) (ready []Post, next time.Time, err error)

	// Sent removes a post: it was delivered, or never can be. Of the post only ID and
	// Fence count: 0 is the Fence of one that nobody ever claimed. The error is
	// ErrLost when somebody else has claimed it since. A post that is gone stays
	// gone, except after a crash of what stores it: then it may come again, with its
	// key.
	Sent(ctx context.Context, p Post) error

	// Defer puts a post, and with it its lane, off until a time, counts the try
	// and gives the post back. The errors are those of Sent.
	Defer(ctx context.Context, p Post, until time.Time) error

	// Due lists up to limit timers whose time has come, earliest first, and
	// when the next one's does that hasn't (the zero time when there is none,
	// or the list is full), whoever has claimed them. It takes as long as the
	// list, however many timers there are.
	Due(ctx context.Context, now time.Time, limit int) (due []Timer, next time.Time, err error)

	// Fired removes timers, all in one go. Of a timer only ID and Fence count. The
	// error is ErrLost when somebody else has claimed one of them since; the others
	// are removed all the same. As a post, a timer may come again after a crash.
	Fired(ctx context.Context, timers ...Timer) error

	Claims

	// Watch calls fn with the channel of each Update that anybody's process has
	// committed, until ctx is done. It is a hint, never the truth: hints come
	// late, or twice, and where one may have got lost there comes "", which says
	// to look everywhere.
	Watch(ctx context.Context, fn func(ChannelID)) error
}

// Claims are what holders have to themselves: posts, timers and jobs.
//
// A claim lasts as long as its holder lives, which it says again and again by
// Stay. When that time has passed others may take what it had. A claim has a
// fencing number, larger than any before it of the same thing, so that a holder
// that was slow can't finish what another has taken since.
type Claims interface {
	// Stay says that a holder lives until a time.
	Stay(ctx context.Context, h Holder, until time.Time) error

	// Leave gives everything back that a holder has, and forgets it.
	Leave(ctx context.Context, h Holder) error

	// ClaimPosts takes up to limit of the posts that Pending would list and that
	// no living holder has, the same one included. Posts of the tables in without
	// are left to others, and what waits behind them in their lanes doesn't wait for
	// them. next is when the earliest of the others may be taken, as far as that is
	// known.
	ClaimPosts(ctx context.Context, h Holder, platform string, without []TableID, now time.Time, limit int) (claimed []Post, next time.Time, err error)

	// ClaimTimers takes up to limit of the timers of some kinds whose time has
	// come and that no living holder has, earliest first. next is when the
	// earliest of the others may be taken, as far as that is known.
	ClaimTimers(ctx context.Context, h Holder, k Kinds, now time.Time, limit int) (claimed []Timer, next time.Time, err error)

	// Release gives timers back that a holder claimed, so that others may take them at
	// once. Of a timer only ID and Fence count; those that others have by now are left.
	Release(ctx context.Context, timers ...Timer) error

	// Elect reports whether a living holder has a job now: it had it, or nobody
	// living did.
	Elect(ctx context.Context, h Holder, job string, now time.Time) (bool, error)

	// Holders lists the holders that live, in the order of their names, and what
	// they have.
	Holders(ctx context.Context, now time.Time) ([]Holding, error)
}

// Kinds are kinds of timers: those that Only lists, or where it is nil all that
// Except doesn't list. Without are tables whose timers are not among them.
type Kinds struct {
	Only, Except []string
	Without      []TableID
}

// Has reports whether a kind is among them.
func (k Kinds) Has(kind string) bool {
	if k.Only != nil {
		return slices.Contains(k.Only, kind)
	}
	return !slices.Contains(k.Except, kind)
}

// A Holding is what a living holder has.
type Holding struct {
	Holder Holder
	Until  time.Time
	Jobs   []string // in order
	Posts  int
	Timers int
}

// A Room is a channel inside Store.Update.
type Room struct {
	// What the store has.
	Channel ChannelID
	Table   TableID      // the channel's latest table, 0 when there was none
	Events  []game.Event // of that table; not to be changed
	Receipt *Receipt     // what came of the request before, nil for a new one

	// What fn adds. Append continues Events, or begins a new table when its
	// first event has the number 0. Posts and Timers belong to the table that
	// Append leaves the channel with; the store sets their ID, Channel and
	// Table. Where there is none, posts and timers that have a Kind are of table 0.
	// Channels and players whose names are not UTF-8 are refused.
	Append []game.Event
	Posts  []Post
	Timers []Timer
	// Seated lists the players in the middle of a game at that table; with Append
	// it replaces the list before. Store.Playing finds the table by it.
	Seated []game.PlayerID
	// File is kept for at least a day as the request's receipt. Before Update
	// returns the store sets File.Table, to the table that the channel has then.
	File *Receipt
	// Refused, with a File and nothing else, says that the request was refused: there
	// is nothing for others to see.
	Refused bool
}

// A Receipt is what came of a request: the events it caused. A request that
// was refused caused none, and To is From: judged again at that point of the
// table's history it is refused again, in the same words.
type Receipt struct {
	Table    TableID
	From, To int // events From up to, not including, To
}

// A Post is a message to be delivered. It holds no words and no picture: both
// are made from the table's events at delivery.
type Post struct {
	ID       uint64
	Channel  ChannelID
	Table    TableID
	From, To int           // it tells of the events From up to, not including, To
	For      game.PlayerID // "": everybody in the channel; else this person alone
	Kind     string        // what it tells; "": what happened, or For's rack
	At       time.Time     // of a Kind: when it was queued, so that it is told once
	Tries    int           // failed deliveries so far
	Fence    uint64        // of the claim by which it was had
	Last     bool          // none waited behind it in its lane when it was claimed, as far as is known
}

// lane is the queue that a post waits in. The posts of a lane are delivered in
// their order; lanes don't wait for each other.
func (p Post) lane() string { return string(p.Channel) + "\n" + string(p.For) }

// Key is the same whenever a post is delivered. It doesn't use the post's id, which
// another store might give anew.
func (p Post) Key() string {
	hash := fnv.New32a()
	hash.Write([]byte(p.lane() + p.Kind))
	if !p.At.IsZero() {
		fmt.Fprint(hash, p.At.UnixMilli())
	}
	return fmt.Sprintf("%d-%d-%08x", p.Table, p.To, hash.Sum32())
}

// A Timer asks the host to look at a table at a time.
type Timer struct {
	ID      uint64
	At      time.Time
	Channel ChannelID
	Table   TableID
	Number  int    // of the table's events when it was set, or what else its Kind looks at
	Kind    string // what to look at; "": whether the last play stands
	Fence   uint64 // of the claim by which it was had
}

// Notes are an adapter's own rows in the store: what a platform that keeps
// nothing for us, or is our own, needs kept. Adapters don't see each other's.
type Notes interface {
	// Get is a value, nil where there is none.
	Get(ctx context.Context, shelf, key string) ([]byte, error)
	// Put sets a value; nil removes it.
	Put(ctx context.Context, shelf, key string, value []byte) error
	// Keys lists a shelf's keys in order.
	Keys(ctx context.Context, shelf string) ([]string, error)
	// Scan lists up to limit rows of a shelf in the order of their keys: those
	// whose keys begin with prefix and come after another key.
	Scan(ctx context.Context, shelf, prefix, after string, limit int) ([]Row, error)
	// GetAll returns the values of several keys of a shelf, nil for those that have none.
	GetAll(ctx context.Context, shelf string, keys ...string) ([][]byte, error)
	// Change changes rows that hang together: what fn puts is taken in all at once when
	// it returns nil, and not at all otherwise. A store may call fn again on what it
	// reads afresh, so fn must do nothing but read and put rows, and not call the store.
	//
	// If ctx is one of Concluding, the post is removed in the same transaction, as
	// Store.Sent does it. The error is ErrLost, and nothing changes, if another process
	// has claimed the post since.
	Change(ctx context.Context, fn func(Rows) error) error

	// Tell gives a short text to those who watch these notes, in every process,
	// this one too. It is lost where nobody watches.
	Tell(ctx context.Context, text string) error
	// Watch calls fn with what may be news in these notes, until ctx is done: a
	// hint, never the truth. Hints come late, twice, or not at all.
	Watch(ctx context.Context, fn func(Hint)) error
}

// A Hint is a text by Notes.Tell. The zero Hint says to look everywhere.
type Hint struct{ Text string }

// Rows are notes inside Notes.Change. They see what was put in it before.
type Rows interface {
	Get(shelf, key string) ([]byte, error)
	// GetAll returns the values of several keys of a shelf, nil for those that have none.
	GetAll(shelf string, keys ...string) ([][]byte, error)
	Put(shelf, key string, value []byte) error
	Scan(shelf, prefix, after string, limit int) ([]Row, error)
}

// A Row is a value on a shelf, and its key.
type Row struct {
	Key   string
	Value []byte
}

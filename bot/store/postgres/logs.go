package postgres

import (
	"context"
	"errors"
	"math"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
)

// Only the events of a table that aren't cached are read, and the last cached one: a log only
// grows, unless its edition changes or a database has lost what it had committed.

// logs caches the tables' events. The zero value is ready for use.
type logs struct {
	cache store.Cache
	rooms rooms
}

// A logRows holds the rows read of a table's events, and the events cached before.
type logRows struct {
	known   store.Log
	of      bot.TableID // table of the cached events
	asked   int         // first number to read if the edition is unchanged
	latest  bool        // whether the table is its channel's latest
	table   bot.TableID // 0 if there is none
	channel []byte
	edition int
	linked  bool // whether its links are valid
	chain   chain
	from    int // number of the first row
	data    [][]byte
	damage  error // damage that the rows show
}

// errAnew means that the cached events of a table aren't what it has.
var errAnew = errors.New("a table's events are not those that were read before")

func (k *logs) cachedRows(table bot.TableID, n int64) *logRows {
	known := k.cache.CachedLog(table)
	return &logRows{known: known, of: table, asked: known.Last(int(n))}
}

// askLatest queries the events of a channel's latest table.
func (k *logs) askLatest(b *pgx.Batch, ch bot.ChannelID) *logRows {
	table := k.rooms.table(ch)
	l := k.cachedRows(table, math.MaxInt64)
	l.channel, l.latest = []byte(ch), true
	each(b.Queue(`select t.id, t.edition, t.linked = t.edition, e.number, e.link, e.data from rooms r join tables t on t.id = r.table_id
			join events e on e.table_id = t.id and e.number >= case when t.id = $2 and t.edition = $3 then $4 else 0 end
		where r.channel = $1 order by e.number`, []byte(ch), int64(table), l.known.Version(), l.asked), func(rows pgx.Rows) error {
		return l.scan(rows, &l.table, &l.edition, &l.linked)
	})
	return l
}

// askLog queries the first n events of a table, or all if n < 0.
func (k *logs) askLog(b *pgx.Batch, table bot.TableID, n int64) *logRows {
	if n < 0 {
		n = math.MaxInt64
	}
	return k.askRows(b, k.cachedRows(table, n), table, n)
}

// askRows queries the first n events of a table, except the cached ones.
func (k *logs) askRows(b *pgx.Batch, l *logRows, table bot.TableID, n int64) *logRows {
	each(b.Queue(`select t.id, t.edition, t.linked = t.edition, t.channel, e.number, e.link, e.data from tables t
			left join events e on e.table_id = t.id and e.number < $2 and e.number >= case when t.edition = $3 then $4 else 0 end
		where t.id = $1 order by e.number`, int64(table), n, l.known.Version(), l.asked), func(rows pgx.Rows) error {
		return l.scan(rows, &l.table, &l.edition, &l.linked, &l.channel)
	})
	return l
}

// scan reads a row: its first columns, an event's number and its data.
func (l *logRows) scan(rows pgx.Rows, first ...any) error {
	var number *int
	var link, data []byte
	if err := rows.Scan(append(first, &number, &link, &data)...); err != nil || number == nil {
		return err
	}
	if len(l.data) == 0 {
		l.from = *number
	}
	l.chain.table = l.table
	if err := l.chain.follow(l.linked, *number, link, data); err != nil && l.damage == nil {
		l.damage = err
	}
	l.data = append(l.data, data)
	return nil
}

// read decodes the rows.
func (k *logs) read(l *logRows) (stored, error) {
	log := stored{table: l.table, channel: l.channel}
	if l.damage != nil {
		return log, l.damage
	}
	if len(l.data) == 0 && l.asked > 0 && (l.table == 0 || l.edition == l.known.Version()) {
		k.cache.Forget(l.of)
		return log, errAnew
	}
	if l.table == 0 {
		return log, nil
	}
	if l.table != l.of {
		l.known = k.cache.CachedLog(l.table)
	}
	events, same, err := k.cache.DecodeBehind(l.table, l.edition, l.known, l.from, l.data)
	if err == nil && !same {
		k.cache.Forget(l.table)
		err = errAnew
	}
	if l.latest {
		k.rooms.note(bot.ChannelID(l.channel), l.table)
	}
	log.events = events
	return log, err
}

// cacheAppended caches what was appended to a channel's latest table after its first events.
func (d *DB) cacheAppended(ctx context.Context, was *logRows, events int, added [][]byte) {
	now, same, err := d.logs.cache.DecodeBehind(was.table, was.edition, d.logs.cache.CachedLog(was.table), events, added)
	if err != nil || !same {
		d.memory(ctx).invalidate(ofTables) // so that it is read again
		return
	}
	ch := bot.ChannelID(was.channel)
	d.logs.rooms.note(ch, was.table)
	d.memory(ctx).learn(ch, stored{was.table, was.channel, now})
}

// rooms caches the latest tables of channels, as a guess.
type rooms struct {
	mu     sync.Mutex
	tables map[bot.ChannelID]bot.TableID
}

// mostRooms limits the cached rooms.
const mostRooms = 100_000

func (r *rooms) note(ch bot.ChannelID, table bot.TableID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tables == nil || len(r.tables) > mostRooms {
		r.tables = map[bot.ChannelID]bot.TableID{}
	}
	r.tables[ch] = table
}

func (r *rooms) table(ch bot.ChannelID) bot.TableID {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tables[ch]
}

package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
)

const postColumns = "id, channel, player, table_id, first, past, kind, at, tries, fence"

// scanPost reads the columns of a post, and further columns into behind.
func scanPost(rows pgx.Rows, behind ...any) (bot.Post, error) {
	var (
		p                      bot.Post
		ch, player, kind, when []byte
		id, fence              int64
	)
	err := rows.Scan(append([]any{&id, &ch, &player, &p.Table, &p.From, &p.To, &kind, &when, &p.Tries, &fence}, behind...)...)
	p.ID, p.Fence = uint64(id), uint64(fence)
	p.Channel, p.For, p.Kind, p.At = bot.ChannelID(ch), game.PlayerID(player), string(kind), timeOf(when)
	return p, err
}

// PendingPosts implements [bot.Store].
func (d *DB) PendingPosts(ctx context.Context, platform string, now time.Time) (ready []bot.Post, next time.Time, err error) {
	err = d.conns.ask(ctx, func(b *pgx.Batch) {
		ready = nil
		each(b.Queue("select "+postColumns+" from posts where platform = $1 and head and until <= $2 order by id", []byte(platform), timeBytes(now)), func(rows pgx.Rows) error {
			p, err := scanPost(rows)
			p.Fence = 0
			ready = append(ready, p)
			return err
		})
		queryNextPost(b, "platform = $1 and head", []any{[]byte(platform), timeBytes(now)}, &next)
	})
	return ready, next, err
}

// queryNextPost queries the earliest time from which one of the postponed posts may be tried.
func queryNextPost(b *pgx.Batch, first string, of []any, next *time.Time) {
	*next = time.Time{}
	each(b.Queue("select until from posts where "+first+" and until > $2 order by until limit 1", of...), func(rows pgx.Rows) error {
		var until []byte
		err := rows.Scan(&until)
		*next = timeOf(until)
		return err
	})
}

// ClaimPosts implements [bot.Claims]. It claims only rows that are unchanged since they were
// selected: PostgreSQL checks a row again if another has changed it meanwhile, but doesn't check
// again who is alive, so a holder that has come to life since would count as dead. The fence
// detects that, and "offset 0" keeps the two reads apart.
func (d *DB) ClaimPosts(ctx context.Context, h bot.Holder, platform string, without []bot.TableID, now time.Time, limit int) (claimed []bot.Post, next time.Time, err error) {
	of, first := []any{[]byte(platform), timeBytes(now)}, "platform = $1 and head"
	if len(without) > 0 {
		// If a queue's head is about such a table, take the queue's first post that isn't.
		of = append(of, tableIDs(without))
		first = `platform = $1 and table_id <> all($3) and (head or id in (
					select (select p.id from posts p where p.channel = o.channel and p.player = o.player and p.table_id <> all($3) order by p.id limit 1)
					from posts o where o.platform = $1 and o.head and o.table_id = any($3)))`
	}
	more := func(n int) string { return fmt.Sprint("$", len(of)+n) } // a parameter behind those
	err = d.conns.claim(ctx, func(b *pgx.Batch) {
		claimed = nil
		each(b.Queue(`with free as materialized (
				select now.id from (
					select id, fence from posts
					where `+first+` and until <= $2
						and (holder is null or not exists (select 1 from holders where name = posts.holder and until > $2))
						and exists (select 1 from holders where name = `+more(1)+` and until > $2)
					order by id offset 0) seen
				join posts now on now.id = seen.id and now.fence = seen.fence and now.until <= $2
				order by seen.id limit `+more(2)+` for update of now skip locked)
			update posts set holder = `+more(1)+`, fence = greatest(fence + 1, `+more(3)+`) where id in (select id from free) returning `+postColumns+`,
				not exists (select 1 from posts p where p.channel = posts.channel and p.player = posts.player and p.id > posts.id)`,
			append(slices.Clone(of), []byte(h), limit, now.UnixMicro())...), func(rows pgx.Rows) error {
			var last bool
			p, err := scanPost(rows, &last)
			p.Last = last
			claimed = append(claimed, p)
			return err
		})
		queryNextPost(b, first, of, &next)
		limitToHolders(b, "select h.until from holders h where h.until > $1 and exists (select 1 from posts where holder = h.name and head and platform = $2) order by h.until limit 1", &next, timeBytes(now), []byte(platform))
	})
	slices.SortFunc(claimed, func(a, b bot.Post) int { return int(a.ID) - int(b.ID) })
	return claimed, next, err
}

// tableIDs returns table ids as a statement's parameter.
func tableIDs(tables []bot.TableID) []int64 {
	ids := make([]int64, len(tables))
	for i, table := range tables {
		ids[i] = int64(table)
	}
	return ids
}

// limitToHolders makes next earlier if a holder's life ends before it.
func limitToHolders(b *pgx.Batch, query string, next *time.Time, args ...any) {
	each(b.Queue(query, args...), func(rows pgx.Rows) error {
		var until []byte
		err := rows.Scan(&until)
		*next = store.Earlier(*next, timeOf(until))
		return err
	})
}

// RemovePost implements [bot.Store]. It takes the room's lock, so that no post is queued behind the one
// being removed, and the next in the queue is seen.
func (d *DB) RemovePost(ctx context.Context, p bot.Post) error {
	return d.finish(ctx, p, func(b *pgx.Batch) { lockRoomOf(b, p) }, func(b *pgx.Batch) { unqueue(b, p) })
}

// lockRoomOf locks the room of a post.
func lockRoomOf(b *pgx.Batch, p bot.Post) {
	b.Queue("select 1 from rooms where channel = (select channel from posts where id = $1) for update", int64(p.ID))
}

// unqueue removes a post, unless another holder has claimed it since. The next in its queue becomes
// the head.
func unqueue(b *pgx.Batch, p bot.Post) {
	b.Queue(`with gone as (delete from posts where id = $1 and fence = $2 returning id, channel, player, head)
		update posts set head = true where id in (
			select (select p.id from posts p where p.channel = gone.channel and p.player = gone.player and p.id <> gone.id order by p.id limit 1)
			from gone where gone.head)`, int64(p.ID), int64(p.Fence))
}

// Defer implements [bot.Store].
func (d *DB) Defer(ctx context.Context, p bot.Post, until time.Time) error {
	return d.finish(ctx, p, nil, func(b *pgx.Batch) {
		b.Queue("update posts set tries = tries + 1, until = $3, holder = null where id = $1 and fence = $2", int64(p.ID), int64(p.Fence), timeBytes(until))
	})
}

// finish does something with a post, unless another holder has claimed it since. A crash of the
// database may undo it: then it is done again, and the post's key shows that it was delivered.
func (d *DB) finish(ctx context.Context, p bot.Post, lock, do func(*pgx.Batch)) error {
	var there bool
	var now int64
	if err := d.conns.claim(ctx, func(b *pgx.Batch) {
		if lock != nil {
			lock(b)
		}
		scan(b.Queue("select fence from posts where id = $1 for update", int64(p.ID)), &there, &now)
		do(b)
	}, postsLock(p.Channel)); err != nil {
		return err
	}
	if there && now != int64(p.Fence) {
		return bot.ErrLost
	}
	return nil
}

// DueTimers implements [bot.Store].
func (d *DB) DueTimers(ctx context.Context, now time.Time, limit int) (due []bot.Timer, next time.Time, err error) {
	err = d.conns.ask(ctx, func(b *pgx.Batch) {
		due, next = nil, time.Time{}
		// One more than limit shows whether the list is full.
		each(b.Queue("select "+timerColumns+" from timers where at <= $1 order by at, id limit $2", timeBytes(now), limit+1), func(rows pgx.Rows) error {
			t, err := scanTimer(rows)
			t.Fence = 0
			due = append(due, t)
			return err
		})
		queryNextTimer(b, bot.Kinds{}, now, &next)
	})
	if len(due) > limit {
		due, next = due[:limit], time.Time{}
	}
	return due, next, err
}

const timerColumns = "id, at, channel, table_id, number, kind, fence"

func scanTimer(rows pgx.Rows) (bot.Timer, error) {
	var (
		t            bot.Timer
		at, ch, kind []byte
		id, fence    int64
	)
	err := rows.Scan(&id, &at, &ch, &t.Table, &t.Number, &kind, &fence)
	t.ID, t.Fence, t.At, t.Channel, t.Kind = uint64(id), uint64(fence), timeOf(at), bot.ChannelID(ch), string(kind)
	return t, err
}

// kindsOf returns kinds as a statement's parameters: the list, and whether it has the wanted kinds
// or the unwanted ones.
func kindsOf(k bot.Kinds) (only bool, list [][]byte) {
	names := k.Except
	if k.Only != nil {
		only, names = true, k.Only
	}
	list = [][]byte{}
	for _, name := range names {
		list = append(list, []byte(name))
	}
	return only, list
}

// queryNextTimer finds out when the next timer that isn't due yet is due.
func queryNextTimer(b *pgx.Batch, k bot.Kinds, now time.Time, next *time.Time) {
	only, list := kindsOf(k)
	*next = time.Time{}
	each(b.Queue("select at from timers where at > $1 and (kind = any($2)) = $3 order by at, id limit 1", timeBytes(now), list, only), func(rows pgx.Rows) error {
		var at []byte
		err := rows.Scan(&at)
		*next = timeOf(at)
		return err
	})
}

// Release implements [bot.Claims].
func (d *DB) Release(ctx context.Context, timers ...bot.Timer) error {
	return d.conns.claim(ctx, func(b *pgx.Batch) {
		for _, t := range timers {
			b.Queue("update timers set holder = null where id = $1 and fence = $2", int64(t.ID), int64(t.Fence))
		}
	})
}

// ClaimTimers implements [bot.Claims]. It claims only unchanged rows, like ClaimPosts.
func (d *DB) ClaimTimers(ctx context.Context, h bot.Holder, k bot.Kinds, now time.Time, limit int) (claimed []bot.Timer, next time.Time, err error) {
	only, list := kindsOf(k)
	err = d.conns.claim(ctx, func(b *pgx.Batch) {
		claimed = nil
		each(b.Queue(`with free as materialized (
				select now.id from (
					select id, at, fence from timers
					where at <= $1 and (kind = any($2)) = $3 and table_id <> all($7)
						and (holder is null or not exists (select 1 from holders where name = timers.holder and until > $1))
						and exists (select 1 from holders where name = $4 and until > $1)
					order by at, id offset 0) seen
				join timers now on now.id = seen.id and now.fence = seen.fence
				order by seen.at, seen.id limit $5 for update of now skip locked)
			update timers set holder = $4, fence = greatest(fence + 1, $6) where id in (select id from free) returning `+timerColumns,
			timeBytes(now), list, only, []byte(h), limit, now.UnixMicro(), tableIDs(k.Without)), func(rows pgx.Rows) error {
			t, err := scanTimer(rows)
			claimed = append(claimed, t)
			return err
		})
		queryNextTimer(b, k, now, &next)
		limitToHolders(b, "select h.until from holders h where h.until > $1 and exists (select 1 from timers where holder = h.name and at <= $1 and (kind = any($2)) = $3) order by h.until limit 1", &next, timeBytes(now), list, only)
	})
	slices.SortFunc(claimed, func(a, b bot.Timer) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return int(a.ID) - int(b.ID)
	})
	return claimed, next, err
}

// RemoveTimers implements [bot.Store]. A timer that comes again after a crash of the database looks at its
// table, and sees that it was handled.
func (d *DB) RemoveTimers(ctx context.Context, timers ...bot.Timer) error {
	ids, fences, lost := make([]int64, len(timers)), make([]int64, len(timers)), false
	for i, t := range timers {
		ids[i], fences[i] = int64(t.ID), int64(t.Fence)
	}
	if err := d.conns.claim(ctx, func(b *pgx.Batch) {
		b.Queue("delete from timers where (id, fence) in (select * from unnest($1::bigint[], $2::bigint[]))", ids, fences)
		scan(b.Queue("select 1 from timers where id = any($1) limit 1", ids), &lost, nil)
	}); err != nil {
		return err
	}
	if lost {
		return bot.ErrLost
	}
	return nil
}

// mostAhead is how much later than a life that is renewed now another may end. If one ends later than
// that, the database's clock has been put back since.
const mostAhead = time.Minute

// Stay implements [bot.Claims]. It also reads the database's clock and shortens lives that began before
// that was put back, unless it comes too late itself. Now and then it removes holders that died long
// ago.
func (d *DB) Stay(ctx context.Context, h bot.Holder, until time.Time) error {
	return d.conns.runLease(ctx, func(b *pgx.Batch) {
		d.readClock(b)
		if rand.N(100) == 0 {
			b.Queue("delete from holders where until < $1", timeBytes(until.Add(-24*time.Hour)))
		}
		b.Queue("insert into holders (name, until) values ($1, $2) on conflict (name) do update set until = excluded.until", []byte(h), timeBytes(until))
		b.Queue("update holders set until = $1 where until > $2 and "+clockMicros+" < $3", timeBytes(until), timeBytes(until.Add(mostAhead)), until.UnixMicro())
	})
}

// Leave implements [bot.Claims]. It sends its hint itself, since a process that leaves may close the
// store next.
func (d *DB) Leave(ctx context.Context, h bot.Holder) error {
	err := d.conns.runLease(ctx, func(b *pgx.Batch) {
		b.Queue("delete from holders where name = $1", []byte(h))
		b.Queue("select pg_notify($1, $2)", topic, d.hub.id+"\n"+encodeHint(channelHint, ""))
	})
	if err == nil {
		d.hub.tables.Hint("")
	}
	return err
}

// Elect implements [bot.Claims].
func (d *DB) Elect(ctx context.Context, h bot.Holder, job string, now time.Time) (elected bool, err error) {
	err = d.conns.runLease(ctx, func(b *pgx.Batch) {
		d.conns.begin(b, committed)
		b.Queue("delete from jobs where name = $1 and not exists (select 1 from holders where name = jobs.holder and until > $2)", []byte(job), timeBytes(now))
		b.Queue("insert into jobs (name, holder) select $1, name from holders where name = $2 and until > $3 on conflict do nothing", []byte(job), []byte(h), timeBytes(now))
		scan(b.Queue("select 1 from jobs where name = $1 and holder = $2", []byte(job), []byte(h)), &elected, nil)
		b.Queue("commit")
	})
	return elected, err
}

// Holders implements [bot.Claims].
func (d *DB) Holders(ctx context.Context, now time.Time) (list []bot.Holding, err error) {
	err = d.conns.runLease(ctx, func(b *pgx.Batch) {
		list = nil
		each(b.Queue(`select name, until,
				(select count(*) from posts where holder = h.name), (select count(*) from timers where holder = h.name)
			from holders h where until > $1 order by name`, timeBytes(now)), func(rows pgx.Rows) error {
			var name, until []byte
			var one bot.Holding
			err := rows.Scan(&name, &until, &one.Posts, &one.Timers)
			one.Holder, one.Until = bot.Holder(name), timeOf(until)
			list = append(list, one)
			return err
		})
		each(b.Queue("select name, holder from jobs order by name"), func(rows pgx.Rows) error {
			var job, holder []byte
			if err := rows.Scan(&job, &holder); err != nil {
				return err
			}
			if i := slices.IndexFunc(list, func(o bot.Holding) bool { return o.Holder == bot.Holder(holder) }); i >= 0 {
				list[i].Jobs = append(list[i].Jobs, string(job))
			}
			return nil
		})
	})
	return list, err
}

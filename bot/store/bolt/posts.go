package bolt

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
)

// The outbox has three buckets: posts has the rows, lanes the order of each queue, and heads
// the first post of each queue by the time when it may be tried. So PendingPosts reads only
// posts that are ready, however many wait behind them.

func queueKey(r postRow) []byte { return appendName(name(r.Channel), r.For) }

func headKey(r postRow, id uint64) []byte {
	return appendNumber(appendTime(name(bot.ChannelID(r.Channel).Platform()), r.Until), id)
}

// queue adds a post to the end of its queue.
func queue(tx *txn, r postRow) error {
	id, err := tx.next(bucketPosts)
	if err != nil {
		return err
	}
	return enqueue(tx, r, id)
}

// enqueue adds a post that has a number already to the end of its queue.
func enqueue(tx *txn, r postRow, id uint64) error {
	posts, queues := tx.Bucket(bucketPosts), tx.Bucket(bucketQueues)
	if _, waits := firstNumber(queues, queueKey(r)); !waits {
		if err := tx.Bucket(bucketHeads).Put(headKey(r, id), nil); err != nil {
			return err
		}
	}
	if err := queues.Put(appendNumber(queueKey(r), id), nil); err != nil {
		return err
	}
	return putRow(posts, number(id), &r)
}

// PendingPosts implements [bot.Store].
func (d *DB) PendingPosts(ctx context.Context, platform string, now time.Time) (ready []bot.Post, next time.Time, err error) {
	err = d.read(ctx, func(tx *txn) error {
		var ids []uint64
		prefix := name(platform)
		c := tx.Bucket(bucketHeads).Cursor()
		c.skip = d.troubles.Note
		for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
			until, _ := cutTime(k[len(prefix):])
			if until.After(now) {
				next = until
				break
			}
			ids = append(ids, lastNumber(k))
		}
		slices.Sort(ids)
		for _, id := range ids {
			var r postRow
			if passed, err := d.passOver(func() error { return mustRow(tx.Bucket(bucketPosts), number(id), &r) }); passed {
				continue
			} else if err != nil {
				return err
			}
			ready = append(ready, r.post(id))
		}
		return nil
	})
	return ready, next, err
}

func (r *postRow) post(id uint64) bot.Post {
	return bot.Post{
		ID: id, Channel: bot.ChannelID(r.Channel), Table: bot.TableID(r.Table),
		From: r.From, To: r.To, For: game.PlayerID(r.For), Kind: r.Kind, At: r.At, Tries: r.Tries,
	}
}

// ClaimPosts implements [bot.Claims].
func (d *DB) ClaimPosts(ctx context.Context, h bot.Holder, platform string, without []bot.TableID, now time.Time, limit int) ([]bot.Post, time.Time, error) {
	var later time.Time // when posts behind other hosts' posts may be tried
	claimed, next, err := d.TakePosts(ctx, h, now, limit, func(found func(uint64, time.Time, func() (bot.Post, error)) (bool, error)) error {
		return d.read(ctx, func(tx *txn) error {
			prefix := name(platform)
			c := tx.Bucket(bucketHeads).Cursor()
			c.skip = d.troubles.Note
			for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
				until, _ := cutTime(k[len(prefix):])
				id := lastNumber(k)
				more := true
				if passed, err := d.passOver(func() (err error) {
					if len(without) > 0 && !until.After(now) {
						if id, until, err = firstOf(tx, id, without); err != nil || id == 0 {
							return err
						}
						if until.After(now) {
							later = store.Earlier(later, until)
							return nil
						}
					}
					more, err = found(id, until, func() (bot.Post, error) {
						var r postRow
						err := try(func() error { return mustRow(tx.Bucket(bucketPosts), number(id), &r) })
						return r.post(id), err
					})
					return err
				}); !passed && (err != nil || !more) {
					return err
				}
			}
			return nil
		})
	})
	return claimed, store.Earlier(next, later), err
}

// firstOf returns the first post of a queue that isn't about the tables in without, and when it may
// be tried. id is the queue's head. first is 0 if there is none.
func firstOf(tx *txn, id uint64, without []bot.TableID) (first uint64, until time.Time, err error) {
	posts := tx.Bucket(bucketPosts)
	var r postRow
	if err := mustRow(posts, number(id), &r); err != nil {
		return 0, until, err
	}
	if !slices.Contains(without, bot.TableID(r.Table)) {
		return id, r.Until, nil
	}
	queue := queueKey(r)
	c := tx.Bucket(bucketQueues).Cursor()
	for k, _ := c.Seek(appendNumber(queue, id+1)); len(k) == len(queue)+8 && bytes.HasPrefix(k, queue); k, _ = c.Next() {
		if err := mustRow(posts, number(lastNumber(k)), &r); err != nil {
			return 0, until, err
		}
		if !slices.Contains(without, bot.TableID(r.Table)) {
			return lastNumber(k), r.Until, nil
		}
	}
	return 0, until, nil
}

// RemovePost implements [bot.Store].
func (d *DB) RemovePost(ctx context.Context, p bot.Post) error {
	return d.TakeAway(p, func() error {
		return d.writePatiently(ctx, func(tx *txn) error { return remove(tx, p) })
	})
}

// remove removes a post from its queue, if it is still there.
func remove(tx *txn, p bot.Post) error {
	var r postRow
	if ok, err := getRow(tx.Bucket(bucketPosts), number(p.ID), &r); err != nil {
		return err
	} else if !ok {
		return errUnchanged
	}
	return unqueue(tx, r, p.ID)
}

// unqueue removes a post from its queue; the next one becomes its head.
func unqueue(tx *txn, r postRow, id uint64) error {
	posts, queues, heads := tx.Bucket(bucketPosts), tx.Bucket(bucketQueues), tx.Bucket(bucketHeads)
	head, _ := firstNumber(queues, queueKey(r))
	for _, row := range []struct {
		bucket *bucket
		key    []byte
	}{
		{posts, number(id)},
		{queues, appendNumber(queueKey(r), id)},
		{heads, headKey(r, id)},
	} {
		if err := row.bucket.Delete(row.key); err != nil {
			return err
		}
	}
	next, waits := firstNumber(queues, queueKey(r))
	if !waits || head != id {
		return nil
	}
	var behind postRow
	if err := mustRow(posts, number(next), &behind); err != nil {
		return err
	}
	return heads.Put(headKey(behind, next), nil)
}

// Defer implements [bot.Store].
func (d *DB) Defer(ctx context.Context, p bot.Post, until time.Time) error {
	return d.GiveBack(p, func() error {
		return d.write(ctx, func(tx *txn) error {
			posts, heads := tx.Bucket(bucketPosts), tx.Bucket(bucketHeads)
			var r postRow
			if ok, err := getRow(posts, number(p.ID), &r); err != nil {
				return err
			} else if !ok {
				return errUnchanged
			}
			old := headKey(r, p.ID)
			r.Tries++
			r.Until = until.UTC()
			if head, _ := firstNumber(tx.Bucket(bucketQueues), queueKey(r)); head == p.ID {
				if err := heads.Delete(old); err != nil {
					return err
				}
				if err := heads.Put(headKey(r, p.ID), nil); err != nil {
					return err
				}
			}
			return changeRow(posts, number(p.ID), &r)
		})
	})
}

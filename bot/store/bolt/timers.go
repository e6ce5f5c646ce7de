package bolt

import (
	"context"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rackmate/rackmate/bot"
)

func alarmKey(r timerRow, id uint64) []byte { return appendNumber(appendTime(nil, r.At), id) }

// wind sets a timer.
func wind(tx *bbolt.Tx, r timerRow) error {
	timers := tx.Bucket(bucketTimers)
	id, err := timers.NextSequence()
	if err != nil {
		return err
	}
	if err := tx.Bucket(bucketAlarms).Put(alarmKey(r, id), nil); err != nil {
		return err
	}
	return putRow(timers, number(id), &r)
}

// Due is [bot.Store.Due].
func (d *DB) Due(ctx context.Context, now time.Time, limit int) (due []bot.Timer, next time.Time, err error) {
	err = d.read(ctx, func(tx *bbolt.Tx) error {
		timers := tx.Bucket(bucketTimers)
		c := tx.Bucket(bucketAlarms).Cursor()
		for k, _ := c.First(); k != nil; k, _ = c.Next() {
			at, _ := cutTime(k)
			if at.After(now) {
				next = at
				break
			}
			if len(due) == limit {
				break
			}
			id := lastNumber(k)
			var r timerRow
			if err := mustRow(timers, number(id), &r); err != nil {
				return err
			}
			due = append(due, bot.Timer{ID: id, At: at, Channel: bot.ChannelID(r.Channel), Table: bot.TableID(r.Table), Number: r.Number, Kind: r.Kind})
		}
		return nil
	})
	return due, next, err
}

// Fired is [bot.Store.Fired].
func (d *DB) Fired(ctx context.Context, id uint64) error {
	return d.write(ctx, func(tx *bbolt.Tx) error {
		timers := tx.Bucket(bucketTimers)
		var r timerRow
		if ok, err := getRow(timers, number(id), &r); err != nil {
			return err
		} else if !ok {
			return errUnchanged
		}
		if err := tx.Bucket(bucketAlarms).Delete(alarmKey(r, id)); err != nil {
			return err
		}
		return timers.Delete(number(id))
	})
}

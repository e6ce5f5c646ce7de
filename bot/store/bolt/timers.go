package bolt

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
)

func alarmKey(r timerRow, id uint64) []byte { return appendNumber(appendTime(nil, r.At), id) }

// addTimer sets a timer.
func addTimer(tx *txn, r timerRow) error {
	id, err := tx.next(bucketTimers)
	if err != nil {
		return err
	}
	return putTimer(tx, r, id)
}

// putTimer sets a timer that has a number already.
func putTimer(tx *txn, r timerRow, id uint64) error {
	if err := tx.Bucket(bucketAlarms).Put(alarmKey(r, id), nil); err != nil {
		return err
	}
	return putRow(tx.Bucket(bucketTimers), number(id), &r)
}

// readAlarm returns the timer of a key in the bucket alarms.
func readAlarm(tx *txn, k []byte) (bot.Timer, error) {
	at, _ := cutTime(k)
	id := lastNumber(k)
	var r timerRow
	if err := mustRow(tx.Bucket(bucketTimers), number(id), &r); err != nil {
		return bot.Timer{}, err
	}
	return bot.Timer{ID: id, At: at, Channel: bot.ChannelID(r.Channel), Table: bot.TableID(r.Table), Number: r.Number, Kind: r.Kind}, nil
}

// DueTimers implements [bot.Store].
func (d *DB) DueTimers(ctx context.Context, now time.Time, limit int) (due []bot.Timer, next time.Time, err error) {
	err = d.read(ctx, func(tx *txn) error {
		c := tx.Bucket(bucketAlarms).Cursor()
		c.skip = d.troubles.Note
		for k, _ := c.First(); k != nil; k, _ = c.Next() {
			at, _ := cutTime(k)
			if at.After(now) {
				next = at
				break
			}
			if len(due) == limit {
				break
			}
			var t bot.Timer
			if passed, err := d.passOver(func() (err error) {
				t, err = readAlarm(tx, k)
				return err
			}); passed {
				continue
			} else if err != nil {
				return err
			}
			due = append(due, t)
		}
		return nil
	})
	return due, next, err
}

// ClaimTimers implements [bot.Claims].
func (d *DB) ClaimTimers(ctx context.Context, h bot.Holder, k bot.Kinds, now time.Time, limit int) ([]bot.Timer, time.Time, error) {
	return d.TakeTimers(ctx, h, k, now, limit, func(found func(bot.Timer) bool) error {
		return d.read(ctx, func(tx *txn) error {
			c := tx.Bucket(bucketAlarms).Cursor()
			c.skip = d.troubles.Note
			for k, _ := c.First(); k != nil; k, _ = c.Next() {
				var t bot.Timer
				if passed, err := d.passOver(func() (err error) {
					t, err = readAlarm(tx, k)
					return err
				}); passed {
					continue
				} else if err != nil {
					return err
				}
				if !found(t) {
					break
				}
			}
			return nil
		})
	})
}

// RemoveTimers implements [bot.Store].
func (d *DB) RemoveTimers(ctx context.Context, timers ...bot.Timer) error {
	return d.TurnOff(timers, func(own map[uint64]bool) error {
		return d.writePatiently(ctx, func(tx *txn) error {
			changed := false
			for id := range own {
				there, err := removeTimer(tx, id)
				if err != nil {
					return err
				}
				changed = changed || there
			}
			if !changed {
				return errUnchanged
			}
			return nil
		})
	})
}

// removeTimer removes a timer, if it exists.
func removeTimer(tx *txn, id uint64) (there bool, err error) {
	timers := tx.Bucket(bucketTimers)
	var r timerRow
	if there, err = getRow(timers, number(id), &r); err != nil || !there {
		return false, err
	}
	if err := tx.Bucket(bucketAlarms).Delete(alarmKey(r, id)); err != nil {
		return false, err
	}
	return true, timers.Delete(number(id))
}

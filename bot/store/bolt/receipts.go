package bolt

import (
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// A receipt is kept for two days. Filing one purges a few older ones, so that there are never many
// more than two days' receipts.
const (
	receiptLife = 48 * time.Hour
	purgeAtOnce = 8 // receipts
)

func receiptKey(ch bot.ChannelID, request string) []byte { return appendName(name(ch), request) }

// receipt returns the receipt of a request, or nil if the request is new.
func receipt(tx *txn, ch bot.ChannelID, request string) (*bot.Receipt, error) {
	var row receiptRow
	ok, err := getRow(tx.Bucket(bucketReceipts), receiptKey(ch, request), &row)
	if !ok || err != nil {
		return nil, err
	}
	return &bot.Receipt{Table: bot.TableID(row.Table), From: row.From, To: row.To}, nil
}

// file stores a receipt, unless request is empty, because then it couldn't be found.
func file(tx *txn, ch bot.ChannelID, request string, r bot.Receipt, now time.Time) error {
	if request == "" {
		return nil
	}
	key := receiptKey(ch, request)
	receipts, filed := tx.Bucket(bucketReceipts), tx.Bucket(bucketFiled)
	var before receiptRow
	if ok, err := getRow(receipts, key, &before); err != nil {
		return err
	} else if ok {
		if err := filed.Delete(append(appendTime(nil, before.Filed), key...)); err != nil {
			return err
		}
	}
	row := receiptRow{Table: uint64(r.Table), From: r.From, To: r.To, Filed: now.UTC()}
	if err := putRow(receipts, key, &row); err != nil {
		return err
	}
	if err := filed.Put(append(appendTime(nil, now), key...), nil); err != nil {
		return err
	}
	return purge(tx, now.Add(-receiptLife))
}

// purge removes a few of the receipts that were filed before a time.
func purge(tx *txn, before time.Time) error {
	filed := tx.Bucket(bucketFiled)
	var old [][]byte
	c := filed.Cursor()
	for k, _ := c.First(); k != nil && len(old) < purgeAtOnce; k, _ = c.Next() {
		if at, _ := cutTime(k); !at.Before(before) {
			break
		}
		old = append(old, slices.Clone(k))
	}
	for _, k := range old {
		if err := filed.Delete(k); err != nil {
			return err
		}
		_, key := cutTime(k)
		if err := tx.Bucket(bucketReceipts).Delete(key); err != nil {
			return err
		}
	}
	return nil
}

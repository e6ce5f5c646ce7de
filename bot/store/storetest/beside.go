package storetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/rackmate/rackmate/bot"
)

// BesideNotes are the notes of a process beside another, which runs Then after each read outside a
// change.
type BesideNotes struct {
	bot.Notes
	Then func(shelf, key string)
}

// Get reads a value.
func (n BesideNotes) Get(ctx context.Context, shelf, key string) ([]byte, error) {
	b, err := n.Notes.Get(ctx, shelf, key)
	n.Then(shelf, key)
	return b, err
}

// Scan reads rows; Then gets their prefix as the key.
func (n BesideNotes) Scan(ctx context.Context, shelf, prefix, after string, limit int) ([]bot.Row, error) {
	rows, err := n.Notes.Scan(ctx, shelf, prefix, after, limit)
	n.Then(shelf, prefix)
	return rows, err
}

// AlsoPosting returns the notes of a process beside another. Whenever this process reads a row of
// the latest posts that contains folding, the JSON of posts to fold, the other one starts one more
// post. trying returns that post's key.
func AlsoPosting(t *testing.T, n bot.Notes, folding string) (beside bot.Notes, trying func() string) {
	var posts atomic.Int32
	trying = func() string { return fmt.Sprint("theirs ", posts.Load()) }
	return BesideNotes{Notes: n, Then: func(shelf, key string) {
		if shelf != "last" {
			return
		}
		err := n.Change(t.Context(), func(rows bot.Rows) error { // several read at the same time
			b, err := rows.Get(shelf, key)
			if err != nil || !bytes.Contains(b, []byte(folding)) {
				return err
			}
			var row map[string]any
			if err := json.Unmarshal(b, &row); err != nil {
				return err
			}
			posts.Add(1)
			row["trying"] = trying()
			if b, err = json.Marshal(row); err != nil {
				return err
			}
			return rows.Put(shelf, key, b)
		})
		if err != nil && t.Context().Err() == nil { // it may also read while it ends
			t.Error(err)
		}
	}}, trying
}

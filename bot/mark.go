package bot

import (
	"context"
	"crypto/rand"
	"strings"
)

// A Mark tells the buttons of one store from another's. Each store numbers its tables from 1, so
// without a mark a message of an earlier store, or of another host of the same application, would
// show a person the wrong game. The zero Mark marks nothing.
type Mark string

const (
	// markShelf is the shelf and key of the mark in a platform's notes.
	markShelf = "mark"
	// markLength is the length of a mark: a million marks make a wrong match unlikely.
	markLength = 4
	// MaxButtonID is the longest ID: platforms accept 100 characters including the mark.
	MaxButtonID = 100 - len("~") - markLength
)

// MarkOf returns the mark of the store that holds the notes. The first call creates it.
func MarkOf(ctx context.Context, notes Notes) (m Mark, err error) {
	fresh := strings.ToLower(rand.Text()[:markLength])
	err = notes.Change(ctx, func(rows Rows) error {
		had, err := rows.Get(markShelf, markShelf)
		if m = Mark(had); err != nil || m != "" {
			return err
		}
		m = Mark(fresh)
		return rows.Put(markShelf, markShelf, []byte(fresh))
	})
	return m, err
}

// On adds the mark to the ID of a button or a menu: "1:12:..." becomes "1~abcd:12:...".
func (m Mark) On(id string) string {
	rest, ours := strings.CutPrefix(id, "1:")
	if m == "" || !ours {
		return id
	}
	return "1~" + string(m) + ":" + rest
}

// Off removes the mark from an ID. It reports false if the mark is another store's. An ID
// without a mark is from a version that had none, and is accepted.
func (m Mark) Off(id string) (string, bool) {
	marked, has := strings.CutPrefix(id, "1~")
	if !has {
		return id, true
	}
	mark, rest, _ := strings.Cut(marked, ":")
	return "1:" + rest, Mark(mark) == m
}

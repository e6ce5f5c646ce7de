package bot

import (
	"context"
	"crypto/rand"
	"strings"
)

// A Mark tells the buttons of one store from those of another. Each store numbers
// its tables from 1, so that without it a message of an earlier store, or of
// another host of the same application, would show somebody another game. The zero
// Mark marks nothing.
type Mark string

const (
	// markShelf, of a platform's notes, has the mark, by itself.
	markShelf = "mark"
	// markLength is how long a mark is: a million of them are enough to make a
	// wrong one unlikely.
	markLength = 4
	// MaxButtonID is how long an id may be: a platform takes 100 characters with the
	// mark.
	MaxButtonID = 100 - len("~") - markLength
)

// MarkOf is the mark of the store that notes are in. It is made once.
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

// On puts the mark on the id of a button or a menu: "1:12:..." becomes
// "1~abcd:12:...".
func (m Mark) On(id string) string {
	rest, ours := strings.CutPrefix(id, "1:")
	if m == "" || !ours {
		return id
	}
	return "1~" + string(m) + ":" + rest
}

// Off takes the mark off an id. It reports false where that has another store's.
// One that has none is from before there were marks.
func (m Mark) Off(id string) (string, bool) {
	marked, has := strings.CutPrefix(id, "1~")
	if !has {
		return id, true
	}
	mark, rest, _ := strings.Cut(marked, ":")
	return "1:" + rest, Mark(mark) == m
}

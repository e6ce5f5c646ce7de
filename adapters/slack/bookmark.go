package slack

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/data/sentences"
)

// This file keeps the bookmark under a channel's name that leads to the board of the
// game there: the channel's end, so that it is set once a game. It is set after the post, delays nothing, and is given up where Slack
// refuses it. It needs the scope bookmarks:write.
// https://docs.slack.dev/reference/methods/bookmarks.add

// bookmarksShelf, of Slack's notes, has by place the bookmark there.
const bookmarksShelf = "bookmarks"

// A bookmark is a channel's. One without an ID is given up for the rest of its
// table: Slack has refused it, somebody has removed it, or nobody knows whether it is
// there.
type bookmark struct {
	V     int         `json:"v"`
	Table bot.TableID `json:"table"`
	ID    string      `json:"id,omitempty"`
}

// bookmarks sets them.
type bookmarks struct {
	*common
	web      *webAPI
	out      *outbox
	locks    locks // one at a time in a channel
	unmarked cache // homes where the app may set none
}

func newBookmarks(c *common, web *webAPI, out *outbox) *bookmarks {
	return &bookmarks{common: c, web: web, out: out, unmarked: newCache(c.Now, 24*time.Hour)}
}

// installed notes that a home has installed the app anew, perhaps with more scopes.
func (b *bookmarks) installed(h home) { b.unmarked.forget(string(h)) }

const (
	bookmarkTries = 3
	// mostNamed is how many players the title of a bookmark names.
	mostNamed        = 4
	maxBookmarkTitle = 100 // Slack documents no limit; it shows about thirty
)

// hasBookmark reports whether the posts of a place may have one: a channel, not a
// thread and not direct messages.
func hasBookmark(at place, m bot.Message) bool {
	return m.To == nil && m.Kind == "" && m.Table != 0 && at.thread == "" && at.channel != "" && at.channel[0] != 'D'
}

// mark lets a channel's bookmark lead to a post that has come there, or removes it
// where no game is on any more.
func (b *bookmarks) mark(ctx context.Context, at place, m bot.Message) {
	defer b.locks.lock(string(at.id()))()
	if _, without := b.unmarked.get(string(at.home)); without {
		return
	}
	for try, wait := 1, 2*time.Second; ; try, wait = try+1, wait*4 {
		err := b.markOnce(ctx, at, m)
		if err == nil || ctx.Err() != nil {
			return
		}
		if !passes(err) || try == bookmarkTries {
			b.Log.Info("the bookmark of a board stays as it is", "channel", at.id(), "error", err)
			return
		}
		if !b.wait(ctx, max(wait, retryAfter(err))) {
			return
		}
	}
}

func (b *bookmarks) markOnce(ctx context.Context, at place, m bot.Message) error {
	last, err := b.out.lastPost(ctx, string(at.id()))
	if err != nil || last.Key != m.Key {
		return err // a newer post has come, and sees to it
	}
	had, err := b.bookmarkOf(ctx, at)
	if err != nil {
		return err
	}
	sight, err := b.Host.Sight(ctx, bot.Request{ID: "bookmark", Channel: at.id(), Table: m.Table})
	if err != nil {
		return err
	}
	switch on := sight.Phase == "playing" || sight.Phase == "closing"; {
	case !on && had == bookmark{}:
		return nil
	case !on:
		return b.unmark(ctx, at, had)
	case m.Picture == nil, had.Table == m.Table:
		return nil
	}
	next := bookmark{Table: m.Table, ID: had.ID}
	noted := had
	title, link := b.bookmarkTitle(ctx, at, sight), at.link()
	if next.ID == "" {
		// When the answer is lost, nobody can tell whether the bookmark is there. So
		// it is noted as given up until the answer has come.
		noted = bookmark{Table: m.Table}
		if kept, err := b.keepBookmark(ctx, at, had, noted); err != nil || !kept {
			return err // another process sees to it
		}
		next.ID, err = b.addBookmark(ctx, at, title, link)
	} else {
		err = b.web.call(ctx, at.home, func(api *slack.Client) error {
			_, err := api.EditBookmarkContext(ctx, at.channel, next.ID, slack.EditBookmarkParameters{Title: &title, Link: link})
			return err
		})
	}
	switch {
	case isError(err, "missing_scope"):
		// The app was installed before it asked for the scope, which is no error.
		b.unmarked.add(string(at.home), string(at.home))
		next, err = had, nil
	case passes(err) && (had.ID != "" || answered(err)):
		next = had // it is tried again
	case err != nil:
		next.ID = ""
	}
	_, err1 := b.keepBookmark(ctx, at, noted, next)
	return errors.Join(err, err1)
}

func (b *bookmarks) addBookmark(ctx context.Context, at place, title, link string) (id string, err error) {
	err = b.web.call(ctx, at.home, func(api *slack.Client) error {
		b, err := api.AddBookmarkContext(ctx, at.channel, slack.AddBookmarkParameters{Title: title, Type: "link", Link: link})
		id = b.ID
		return err
	})
	return id, err
}

// unmark removes a bookmark. If Slack can't do it now, the next post there tries again.
func (b *bookmarks) unmark(ctx context.Context, at place, had bookmark) error {
	if had.ID != "" {
		err := b.web.call(ctx, at.home, func(api *slack.Client) error { return api.RemoveBookmarkContext(ctx, at.channel, had.ID) })
		if passes(err) {
			return err
		}
		if err != nil && !isError(err, "not_found") {
			b.Log.Info("can't remove the bookmark of a board", "channel", at.id(), "error", err)
		}
	}
	_, err := b.keepBookmark(ctx, at, had, bookmark{})
	return err
}

// bookmarkTitle is what a bookmark is called, in the channel's language.
func (b *bookmarks) bookmarkTitle(ctx context.Context, at place, sight bot.Sight) string {
	title := text.Say("The board")
	if n := len(sight.Players); n > 0 && n <= mostNamed {
		var names []text.Span
		for _, p := range sight.Players {
			names = append(names, text.Name(bot.User{ID: p.ID, Name: p.Name}))
		}
		title = text.Say("Board: {players}", text.List(names))
	}
	to := b.Host.TongueFor(ctx, bot.Request{Channel: at.id()})
	return cut(sentences.Isolate(title.In(to).String()), maxBookmarkTitle)
}

func (b *bookmarks) bookmarkOf(ctx context.Context, at place) (had bookmark, err error) {
	_, err = notes.Read(ctx, b.Notes, bookmarksShelf, string(at.id()), &had)
	had.V = 0
	return had, err
}

// keepBookmark replaces a channel's bookmark by the next one, even while the host shuts
// down. It changes nothing, and kept is false, where the bookmark isn't the one that was
// read before, because another process has replaced it.
func (b *bookmarks) keepBookmark(ctx context.Context, at place, had, next bookmark) (kept bool, err error) {
	err = b.Notes.Change(context.WithoutCancel(ctx), func(rows bot.Rows) error {
		var now bookmark
		if _, err := notes.Get(rows, bookmarksShelf, string(at.id()), &now); err != nil {
			return err
		}
		now.V = 0
		if kept = now == had; !kept || next == had {
			return nil
		}
		if next == (bookmark{}) {
			return rows.Put(bookmarksShelf, string(at.id()), nil)
		}
		next.V = 1
		return notes.Put(rows, bookmarksShelf, string(at.id()), next)
	})
	return kept, err
}

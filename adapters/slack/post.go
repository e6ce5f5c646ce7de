package slack

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// The shelves of Slack's notes that posts need.
const (
	lastShelf  = "last"  // by place, or direct messages and the place they are about: the lastPost
	asideShelf = "aside" // by place and request: the thread that was opened for it
)

// An outbox posts, and folds what was posted before.
type outbox struct {
	*common
	web      *webAPI
	people   *directory
	pictures *gallery
	refused  *refusals
	process  string        // this one's name for the others
	gap      time.Duration // between two messages in a channel
	paces    paces
	folds    budget   // of what nobody waits for
	locks    locks    // one post at a time in a place
	edits    sync.Map // by the note of a post: the newest *bot.Message that edits it
	boards   sync.Map // by the note of a board that is to be brought up to date: the newest *bot.Message
	links    cache    // of posts
}

func newOutbox(c *common, web *webAPI, people *directory, pictures *gallery) *outbox {
	return &outbox{
		common: c, web: web, people: people, pictures: pictures,
		refused: &refusals{common: c, web: web, tokens: web.tokens, people: people},
		process: rand.Text(), gap: time.Second, links: newCache(c.Now, time.Hour),
		paces: paces{now: c.Now, heldBack: c.heldBack},
		folds: budget{now: c.Now, most: foldsAMinute, times: map[string][]time.Time{}},
	}
}

// A lastPost is the latest post in a place, or to a person about one, and what
// is to become of those before it.
type lastPost struct {
	note string // its key in the notes

	V    int       `json:"v"`
	Key  string    `json:"key"`
	TS   string    `json:"ts"`
	Line text.Text `json:"line,omitempty"` // what it is folded to; none: it stays
	File string    `json:"file,omitempty"` // of its picture
	// Live and Table are the message's; see bot.Message.Live.
	Live  string      `json:"live,omitempty"`
	Table bot.TableID `json:"table,omitempty"`
	// Board says that TS is the one board of the table's game: see board.go. BoardKey is
	// the message's that it shows.
	Board    bool   `json:"board,omitempty"`
	BoardKey string `json:"board_key,omitempty"`
	// Call is the short post beside it, and CallLine what that is folded to; none: it
	// goes away.
	Call     string    `json:"call,omitempty"`
	CallLine text.Text `json:"call_line,omitempty"`
	// Trying is the key of a post that was on its way when this was written.
	Trying string `json:"trying,omitempty"`
	// There is where that post is, if Slack has told of it and not yet answered.
	There *foundPost `json:"there,omitempty"`
	// Old are earlier posts that are yet to be folded, oldest first.
	Old []oldPost `json:"old,omitempty"`
	// Folding is the one of them that version 1 had.
	Folding *oldPost `json:"folding,omitempty"`
}

// A foundPost is a post that was found where it is, and the file of its picture.
type foundPost struct {
	TS   string `json:"ts"`
	File string `json:"file,omitempty"`
}

// An oldPost is a post to be folded to a line.
type oldPost struct {
	TS   string    `json:"ts"`
	Line text.Text `json:"line"`
	File string    `json:"file,omitempty"` // of its picture, which is deleted
	Gone bool      `json:"gone,omitempty"` // it is deleted itself
}

// follow makes a post the latest; the one before it is yet to be folded.
func (l lastPost) follow(m bot.Message, ts, file string) lastPost {
	if byURL(file) {
		file = "" // there is nothing to delete
	}
	next := lastPost{note: l.note, Key: m.Key, TS: ts, Line: m.Line, File: file, Live: m.Live, Table: m.Table, Old: l.Old}
	switch {
	case l.TS == ts: // it has been edited
		if l.File != "" && l.File != file {
			next.Old = append(slices.Clone(l.Old), oldPost{File: l.File})
		}
	case l.precedes(m):
		next.fold(oldPost{TS: l.TS, File: l.File, Gone: true})
	case l.TS != "" && len(l.Line) > 0:
		next.fold(oldPost{TS: l.TS, Line: l.Line, File: l.File})
	}
	next.There = l.There
	next.delivered()
	return next
}

// precedes reports whether a message takes the place of the latest.
func (l lastPost) precedes(m bot.Message) bool {
	return l.TS != "" && m.Live != "" && !m.Anew && l.Live == m.Live && l.Table == m.Table
}

// fold adds what is to be folded; a message that is there already gets the new
// line.
func (l *lastPost) fold(old oldPost) {
	l.Old = append(slices.DeleteFunc(slices.Clone(l.Old), func(o oldPost) bool { return o.TS == old.TS }), old)
}

// post delivers a message.
func (o *outbox) post(ctx context.Context, m bot.Message) error {
	at, err := placeOf(m.Channel)
	if err != nil {
		return &bot.PostError{Permanent: true, Err: err}
	}
	if m.To != nil {
		to, err := memberOf(m.To.ID)
		if err != nil {
			return &bot.PostError{Permanent: true, Err: err}
		}
		channel, err := o.people.direct(ctx, to)
		if err != nil {
			return o.refused.settle(ctx, at, m, err)
		}
		at = place{home: to.home, channel: channel}
	}
	note := string(at.id())
	if m.To != nil {
		note += "\n"
		if m.Table != 0 { // what is about no table folds nobody's rack
			note += string(m.Channel)
		}
	}
	if m.Standing != "" {
		note += "\n" + m.Standing
		m.Live, m.Whole = m.Standing, m.Text
	}
	defer o.locks.lock("post " + note)()
	if err := o.postAt(ctx, at, note, m); err != nil {
		return o.refused.settle(ctx, at, m, err)
	}
	o.pulse.Refuse("")
	for _, where := range []string{string(at.id()), homeID(at.home)} {
		if err := o.refused.unblock(context.WithoutCancel(ctx), where); err != nil {
			o.Log.Error("can't note that the app may post", "channel", at.id(), "error", err)
		}
	}
	return nil
}

func (o *outbox) postAt(ctx context.Context, at place, note string, m bot.Message) error {
	last, err := o.lastPost(ctx, note)
	if err != nil {
		return err
	}
	if m.Edit {
		if now := last.Key; now != m.Key && (!last.Board || last.BoardKey != m.Key) {
			return nil // a newer one has come
		}
		o.edit(ctx, at, last, m)
		return nil
	}
	switch {
	case last.Key == m.Key:
	case m.To == nil && (isBoard(m) || last.Board):
		if last, err = o.postBeside(ctx, at, m, last); err != nil {
			return err
		}
	default:
		found := false
		ts, file, edited, err := o.redo(ctx, at, m, last)
		if !edited && err == nil {
			ts, file, found, err = o.deliver(ctx, at, m, last)
		}
		if err != nil {
			return err
		}
		before := last.Key
		if last, err = o.changeLast(ctx, note, func(now *lastPost) error {
			if now.Key != before {
				// Where another process has posted since, that is the latest.
				if err := bot.Held(ctx); err != nil {
					return err
				}
			}
			*now = now.follow(m, ts, file)
			if found && isLine(m) {
				now.Line = m.Text // it has the board, for its turn was not over then
			}
			if len(m.Ticker) > 0 && m.Beside != "" && at.thread != "" {
				// The message on which the thread hangs says how the game stands there.
				now.fold(oldPost{TS: at.thread, Line: m.Ticker})
			}
			return nil
		}); err != nil {
			return err
		}
	}
	if len(last.Old) > 0 {
		o.tidySoon(at, note)
	}
	return nil
}

// recall makes a message the latest of its place, where it is there; see
// [Adapter.Recall].
func (o *outbox) recall(ctx context.Context, m bot.Message) error {
	at, err := placeOf(m.Channel)
	if err != nil || m.To != nil {
		return err
	}
	note := string(at.id())
	defer o.locks.lock("post " + note)()
	last, err := o.lastPost(ctx, note)
	if err != nil || last.Trying != m.Key {
		return err
	}
	ts, file := o.find(ctx, at, m, last)
	_, err = o.changeLast(ctx, note, func(now *lastPost) error {
		switch {
		case now.Trying != m.Key:
		case ts != "" && now.Board:
			now.call(ts, nil)
			now.Key = m.Key
			now.delivered()
		case ts != "":
			*now = now.follow(m, ts, file)
		default:
			now.Trying, now.There = "", nil
		}
		return nil
	})
	return err
}

// redo edits the latest post of a place to say what a message says, where that
// takes its place and calls nobody: an edit calls nobody. It reports false
// where the message must be posted.
func (o *outbox) redo(ctx context.Context, at place, m bot.Message, last lastPost) (ts, file string, edited bool, err error) {
	if !last.precedes(m) || m.Whole.Calls() && m.Standing == "" {
		return "", "", false, nil
	}
	if err := o.takeTurn(ctx, at); err != nil {
		return "", "", false, err
	}
	m.Text = m.Whole
	file, err = o.illustrated(ctx, at, m, o.pictures.show(ctx, at, m), func(file string) error {
		return o.update(ctx, at, last.TS, m.Text, o.blocks(ctx, m, file))
	})
	if err != nil && !passes(err) && !isError(err, gone...) {
		o.Log.Info("a post can't be changed; posting another", "channel", at.id(), "error", err)
		return "", "", false, nil
	}
	return last.TS, file, true, err
}

// deliver posts a message, or finds it where it was posted already.
func (o *outbox) deliver(ctx context.Context, at place, m bot.Message, last lastPost) (ts, file string, found bool, err error) {
	if last.Trying == m.Key {
		if ts, file := o.find(ctx, at, m, last); ts != "" {
			return ts, file, true, nil
		}
	}
	file = o.pictures.show(ctx, at, m)
	if ctx.Err() != nil {
		return "", "", false, ctx.Err() // the host shuts down: later, with the picture
	}
	if _, err := o.changeLast(ctx, last.note, func(now *lastPost) error {
		if now.Trying != m.Key {
			now.Trying, now.There = m.Key, nil
		}
		return bot.Held(ctx) // or it is another's that is on its way
	}); err != nil {
		return "", "", false, err
	}
	if err := o.takeTurn(ctx, at); err != nil {
		return "", "", false, err
	}
	options := []slack.MsgOption{slack.MsgOptionDisableLinkUnfurl(), slack.MsgOptionDisableMediaUnfurl()}
	if at.thread != "" {
		options = append(options, slack.MsgOptionTS(at.thread))
	}
	post := func(m bot.Message, file string) error {
		all := append(slices.Clip(options), slack.MsgOptionMetadata(metadata(last.note, m, file)), slack.MsgOptionText(o.names.in(at).fallback(m.Text), false), slack.MsgOptionBlocks(o.blocks(ctx, m, file)...))
		return o.web.call(ctx, at.home, func(api *slack.Client) (err error) {
			defer o.paces.noteSent(at.lane(), o.gap)
			_, ts, err = api.PostMessageContext(ctx, at.channel, all...)
			return err
		})
	}
	file, err = o.illustrated(ctx, at, m, file, func(file string) error {
		err := post(m, file)
		if !isError(err, "msg_blocks_too_long", "msg_too_long") {
			return err
		}
		// The beginning of the words, the picture and the buttons.
		short := m
		if short.Menus = nil; len(o.names.pieces(m.Text, maxSection)) > 1 {
			short.Text = text.Text{{Text: cut(m.Text.String(), maxSection/6)}}
		}
		o.Log.Warn("Slack finds a post too long; it is shortened", "channel", at.id())
		return post(short, file)
	})
	if err != nil && answered(err) {
		// It is not there, so nobody needs to look for it.
		_, kept := o.changeLast(ctx, last.note, func(now *lastPost) error {
			if now.Trying == m.Key {
				now.Trying, now.There = "", nil
			}
			return nil
		})
		err = errors.Join(err, kept)
	}
	return ts, file, false, err
}

// illustrated sends a message with its picture as Slack takes it, and returns that; see
// gallery.show.
func (o *outbox) illustrated(ctx context.Context, at place, m bot.Message, first string, send func(file string) error) (file string, err error) {
	for file = first; ; file = o.pictures.showOtherwise(ctx, at, m, file, err) {
		if err = o.pictures.untilThere(ctx, file, func() error { return send(file) }); file == "" || !isError(err, "invalid_blocks") {
			return file, err
		}
	}
}

// postEvent is the type of our messages' metadata.
const postEvent = "rackmate_post"

// metadata names a post by its table and event, and says what finds it again: the key of
// its [lastPost], and the file of its picture.
func metadata(note string, m bot.Message, file string) slack.SlackMetadata {
	return slack.SlackMetadata{EventType: postEvent, EventPayload: map[string]any{
		"key": m.Key, "table": m.Table, "event": m.Number, "note": note, "file": fileAlone(file),
	}}
}

// An arrival is what Slack tells of a post with metadata that has arrived.
type arrival struct {
	App      string `json:"app_id"`
	Where    string `json:"channel_id"`
	Metadata struct {
		Type string `json:"event_type"`
		Post struct {
			Key  string `json:"key"`
			Note string `json:"note"`
			File string `json:"file"`
		} `json:"event_payload"`
	} `json:"metadata"`
}

// arrived sees to a post of ours that has arrived. One whose answer was lost isn't posted
// again; if it has been meanwhile, the other goes. So that needs no leave to read channels.
func (o *outbox) arrived(ctx context.Context, h home, a arrival, ts string) {
	note, key := a.Metadata.Post.Note, a.Metadata.Post.Key
	where, _, _ := strings.Cut(note, "\n")
	at, err := placeOf(bot.ChannelID(where))
	if err != nil || at.home != h || at.channel != a.Where || a.Metadata.Type != postEvent || key == "" {
		return
	}
	defer o.locks.lock("post " + note)() // what is on its way gets its answer first
	last, err := o.lastPost(ctx, note)
	if err == nil && last.takes(key, ts, "") {
		last, err = o.changeLast(ctx, note, func(now *lastPost) error {
			now.takes(key, ts, a.Metadata.Post.File)
			return nil
		})
	}
	if err != nil {
		o.Log.Error("can't note that a post has arrived", "channel", at.id(), "error", err)
		return
	}
	if len(last.Old) > 0 {
		o.tidySoon(at, note)
	}
}

// takes takes in that a post has arrived, and reports whether that changes anything.
func (l *lastPost) takes(key, ts, file string) bool {
	switch {
	case l.knows(ts):
		return false
	case l.Trying == key && l.There == nil:
		l.There = &foundPost{TS: ts, File: file}
	case l.Trying == key, l.Key == key:
		l.fold(oldPost{TS: ts, Gone: true})
	default:
		return false
	}
	return true
}

// delivered ends the try of a post, which is known now; another that Slack has told of goes.
func (l *lastPost) delivered() {
	if there := l.There; there != nil && there.TS != l.TS && there.TS != l.Call {
		l.fold(oldPost{TS: there.TS, Gone: true})
	}
	l.Trying, l.There = "", nil
}

// knows reports whether a post is one of those that are known.
func (l lastPost) knows(ts string) bool {
	return ts == l.TS || ts == l.Call || l.There != nil && ts == l.There.TS ||
		slices.ContainsFunc(l.Old, func(old oldPost) bool { return old.TS == ts })
}

// find looks for a message among the latest of its place, if Slack hasn't told where it
// is, and for the file of its picture. It returns "" when it is not there, or the app may
// not look.
func (o *outbox) find(ctx context.Context, at place, m bot.Message, last lastPost) (ts, file string) {
	if last.There != nil {
		return last.There.TS, last.There.File
	}
	const latest = 50
	var messages []slack.Message
	err := o.web.call(ctx, at.home, func(api *slack.Client) (err error) {
		if at.thread != "" {
			messages, _, _, err = api.GetConversationRepliesContext(ctx, &slack.GetConversationRepliesParameters{ChannelID: at.channel, Timestamp: at.thread, Limit: latest, IncludeAllMetadata: true})
			return err
		}
		page, err := api.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{ChannelID: at.channel, Limit: latest, IncludeAllMetadata: true})
		if err == nil {
			messages = page.Messages
		}
		return err
	})
	if err != nil {
		o.Log.Info("can't look whether a post arrived before the crash; posting it again", "channel", at.id(), "error", err)
		return "", ""
	}
	for _, had := range messages {
		if had.Metadata.EventType == postEvent && had.Metadata.EventPayload["key"] == m.Key {
			return had.Timestamp, fileIn(had.Blocks.BlockSet)
		}
	}
	return "", ""
}

// longestFold is how long to wait at most between two tries to fold a post.
const longestFold = 5 * time.Minute

// tidySoon folds the earlier posts of a place, and deletes their pictures, behind.
func (o *outbox) tidySoon(at place, note string) {
	o.handled.Go(func() {
		ctx, stop := context.WithCancel(context.Background())
		defer context.AfterFunc(o.ended, stop)() // what is left then is tidied at the next start
		o.tidy(ctx, at, note)
	})
}

// tidyAll goes on with what was yet to be folded when the program ended.
func (o *outbox) tidyAll(ctx context.Context) error {
	return notes.ReadEach(ctx, o.Notes, lastShelf, "", func(row bot.Row) error {
		last, err := readLast(row.Key, row.Value)
		id, _, _ := strings.Cut(row.Key, "\n")
		if at, known := placeOf(bot.ChannelID(id)); err == nil && known == nil && len(last.Old) > 0 {
			o.tidySoon(at, row.Key)
		}
		return err
	})
}

// tidy folds the earlier posts of a place, and deletes their pictures, within Slack's
// limits. It is never given up while the app is installed there, for what isn't folded
// keeps buttons that are stale.
func (o *outbox) tidy(ctx context.Context, at place, note string) {
	defer o.locks.lock("tidy " + note)()
	for wait := time.Second; ; {
		last, err := o.lastPost(ctx, note)
		if err != nil || len(last.Old) == 0 {
			return
		}
		old := last.Old[0]
		failed := o.tidied(ctx, at, old)
		if ctx.Err() != nil || errors.Is(failed, errNoHome) {
			return // the next post there goes on with it, when the app is installed again
		}
		if isError(failed, "message_not_found") {
			failed = nil // somebody deleted it
		}
		if failed == nil && old.File != "" && old.File != last.File {
			if !o.folds.take(ctx, o.after, string(at.home)+" files.delete") {
				return
			}
			o.pictures.deletePicture(ctx, at.home, old.File)
		}
		if !passes(failed) {
			if err := o.noteFolded(ctx, note, old, failed); err != nil {
				o.Log.Error("can't note that a post is folded", "channel", at.id(), "error", err)
				return
			}
			wait = time.Second
			continue
		}
		if !o.wait(ctx, max(wait, retryAfter(failed))) {
			return
		}
		wait = min(4*wait, longestFold)
	}
}

// tidied folds or deletes a post, or has nothing to do where the picture alone
// is old.
func (o *outbox) tidied(ctx context.Context, at place, old oldPost) error {
	switch {
	case old.TS == "":
		return nil
	case old.Gone:
		if !o.folds.take(ctx, o.after, string(at.home)+" chat.delete") {
			return ctx.Err()
		}
		return o.web.call(ctx, at.home, func(api *slack.Client) error {
			_, _, err := api.DeleteMessageContext(ctx, at.channel, old.TS)
			return err
		})
	}
	if !o.folds.take(ctx, o.after, string(at.home)+" chat.update") {
		return ctx.Err()
	}
	return o.update(ctx, at, old.TS, old.Line, o.names.sections(old.Line))
}

// noteFolded notes that a post was folded, or can't be.
func (o *outbox) noteFolded(ctx context.Context, note string, old oldPost, failed error) error {
	defer o.locks.lock("post " + note)()
	_, err := o.changeLast(ctx, note, func(now *lastPost) error {
		i := slices.IndexFunc(now.Old, func(o oldPost) bool { return o.TS == old.TS && o.File == old.File })
		if i < 0 {
			return nil
		}
		if failed != nil {
			o.Log.Info("a post stays as it is", "post", old.TS, "error", failed)
		}
		now.Old = slices.Delete(now.Old, i, i+1)
		return nil
	})
	return err
}

// edit puts other words into the latest post of a place. Where Slack doesn't
// take them now it is tried a few times more, behind, until newer ones come.
func (o *outbox) edit(ctx context.Context, at place, last lastPost, m bot.Message) {
	newest := &m
	o.edits.Store(last.note, newest)
	err := o.update(ctx, at, last.TS, m.Text, o.blocks(ctx, m, cmp.Or(last.File, o.pictures.pictureURL(at.home, m))))
	if passes(err) {
		o.work(ctx, func(ctx context.Context) { o.editAgain(ctx, at, last.note, newest, err) })
		return
	}
	o.edits.CompareAndDelete(last.note, newest)
	if err != nil {
		o.Log.Info("a post stays as it is", "channel", at.id(), "error", err)
	}
}

func (o *outbox) editAgain(ctx context.Context, at place, note string, m *bot.Message, err error) {
	defer o.edits.CompareAndDelete(note, m)
	try := func() error {
		defer o.locks.lock("post " + note)()
		last, err := o.lastPost(ctx, note)
		if newest, _ := o.edits.Load(note); err != nil || newest != m || last.Key != m.Key {
			return nil
		}
		return o.update(ctx, at, last.TS, m.Text, o.blocks(ctx, *m, cmp.Or(last.File, o.pictures.pictureURL(at.home, *m))))
	}
	for wait := 2 * time.Second; passes(err) && o.wait(ctx, max(wait, retryAfter(err))); wait *= 3 {
		err = try()
	}
	if err != nil {
		o.Log.Info("a post stays as it is", "channel", at.id(), "error", err)
	}
}

// update puts other words and blocks into a post.
func (o *outbox) update(ctx context.Context, at place, ts string, said text.Text, blocks []slack.Block) error {
	return o.web.call(ctx, at.home, func(api *slack.Client) error {
		_, _, _, err := api.UpdateMessageContext(ctx, at.channel, ts,
			slack.MsgOptionText(o.names.in(at).fallback(said), false), slack.MsgOptionBlocks(blocks...))
		return err
	})
}

func (o *outbox) lastPost(ctx context.Context, note string) (lastPost, error) {
	b, err := o.Notes.Get(ctx, lastShelf, note)
	if err != nil {
		return lastPost{note: note}, err
	}
	return readLast(note, b)
}

func readLast(note string, b []byte) (last lastPost, err error) {
	if b != nil {
		if err = json.Unmarshal(b, &last); err != nil {
			err = fmt.Errorf("read the note about %s: %w", note, err)
		}
	}
	last.note = note
	if last.Folding != nil {
		last.fold(*last.Folding)
		last.Folding = nil
	}
	return last, err
}

// changeLast changes the latest post of a place as it is now, for another process may
// have posted or tidied since it was read. It does so even while the host shuts down.
func (o *outbox) changeLast(ctx context.Context, note string, fn func(*lastPost) error) (last lastPost, err error) {
	err = o.Notes.Change(context.WithoutCancel(ctx), func(rows bot.Rows) error {
		b, err := rows.Get(lastShelf, note)
		if err != nil {
			return err
		}
		if last, err = readLast(note, b); err != nil {
			return err
		}
		if err := fn(&last); err != nil {
			return err
		}
		last.V = 2
		return notes.Put(rows, lastShelf, note, last)
	})
	return last, err
}

// link is a URL that opens a place at the latest post. Slack is asked once for
// each.
func (o *outbox) link(ctx context.Context, ch bot.ChannelID) string {
	at, err := placeOf(ch)
	if err != nil {
		return ""
	}
	last, err := o.lastPost(ctx, string(at.id()))
	if err != nil || last.TS == "" {
		return at.link()
	}
	key := "link " + last.note + " " + last.TS
	defer o.locks.lock("link " + last.note)() // two pages that are made at once ask once
	if url, ok := o.links.get(key); ok {
		return url
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	var url string
	err = o.web.call(ctx, at.home, func(api *slack.Client) (err error) {
		url, err = api.GetPermalinkContext(ctx, &slack.PermalinkParameters{Channel: at.channel, Ts: last.TS})
		return err
	})
	if err != nil {
		o.Log.Info("can't ask where a post is", "channel", at.id(), "error", err)
		return at.link()
	}
	o.links.add(key, url)
	return url
}

// lookTime is how long to wait for what we can do without, such as the address of a
// post.
const lookTime = 2 * time.Second

// aside opens a thread for a request: the message that it hangs on says what
// it is for. The same request gets the same one.
func (o *outbox) aside(at place, req bot.Request) func(context.Context, string) (bot.ChannelID, error) {
	return func(ctx context.Context, title string) (bot.ChannelID, error) {
		return o.thread(ctx, at, req.ID, title)
	}
}

// open opens a thread in a channel; see [bot.Platform.Aside].
func (o *outbox) open(ctx context.Context, beside bot.ChannelID, key, title string, _ []bot.PlayerID) (bot.ChannelID, error) {
	at, err := placeOf(beside)
	if err != nil || at.channel == "" || at.thread != "" {
		return "", &bot.PostError{Permanent: true, Err: errors.Join(errors.New("only channels have threads"), err)}
	}
	return o.thread(ctx, at, key, title)
}

// thread opens a thread, the same for a key.
func (o *outbox) thread(ctx context.Context, at place, of, title string) (bot.ChannelID, error) {
	key := string(at.id()) + "\n" + of
	had, err := o.Notes.Get(ctx, asideShelf, key)
	if err != nil {
		return "", err
	}
	if had == nil {
		var ts string
		if err := o.takeTurn(ctx, at); err != nil {
			return "", err
		}
		err := o.web.call(ctx, at.home, func(api *slack.Client) (err error) {
			defer o.paces.noteSent(at.lane(), o.gap)
			_, ts, err = api.PostMessageContext(ctx, at.channel, slack.MsgOptionText(escape(title), false), slack.MsgOptionBlocks(o.names.sections(text.Text{{Text: title, Strong: true}})...))
			return err
		})
		if err != nil {
			return "", err
		}
		had = []byte(ts)
		if err := o.Notes.Put(ctx, asideShelf, key, had); err != nil {
			return "", err
		}
	}
	at.thread = string(had)
	return at.id(), nil
}

package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// The shelves of Slack's notes that posts need.
const (
	lastShelf    = "last"    // by place, or direct messages and the place they are about: the lastPost
	blockedShelf = "blocked" // by place or home: since when the app can't post there
	directShelf  = "direct"  // by player: the channel of their direct messages
	asideShelf   = "aside"   // by request: the thread that was opened for it
)

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
	// Trying is the key of a post that was on its way when this was written.
	Trying string `json:"trying,omitempty"`
	// Old are earlier posts that are yet to be folded, oldest first.
	Old []oldPost `json:"old,omitempty"`
	// Folding is the one of them that version 1 had.
	Folding *oldPost `json:"folding,omitempty"`
}

// An oldPost is a post to be folded to a line.
type oldPost struct {
	TS    string    `json:"ts"`
	Line  text.Text `json:"line"`
	File  string    `json:"file,omitempty"` // of its picture, which is deleted
	Gone  bool      `json:"gone,omitempty"` // it is deleted itself
	Tries int       `json:"tries,omitempty"`
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
	return next
}

// precedes reports whether a message takes the place of the latest.
func (l lastPost) precedes(m bot.Message) bool {
	return l.TS != "" && m.Live != "" && l.Live == m.Live && l.Table == m.Table
}

// fold adds what is to be folded; a message that is there already gets the new
// line.
func (l *lastPost) fold(old oldPost) {
	l.Old = append(slices.DeleteFunc(slices.Clone(l.Old), func(o oldPost) bool { return o.TS == old.TS }), old)
}

// Post delivers a message to its channel, or to one person's direct messages.
//
// Slack has no key by which it could tell that it has a message already. What
// is about to be posted is noted before, and what was posted after; if the
// program dies between the two, the place is read for a message whose metadata
// names the table and the event. Where the app may not read it, the message is
// posted again: better twice than not at all.
func (a *Adapter) Post(ctx context.Context, m bot.Message) error {
	at, err := placeOf(m.Channel)
	if err != nil {
		return &bot.PostError{Permanent: true, Err: err}
	}
	if m.To != nil {
		to, err := memberOf(m.To.ID)
		if err != nil {
			return &bot.PostError{Permanent: true, Err: err}
		}
		channel, err := a.direct(ctx, to)
		if err != nil {
			return a.settleRefusal(ctx, at, m, err)
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
	defer a.locks.lock("post " + note)()
	if err := a.postAt(ctx, at, note, m); err != nil {
		return a.settleRefusal(ctx, at, m, err)
	}
	a.pulse.Refuse("")
	for _, where := range []string{string(at.id()), homeID(at.home)} {
		if err := a.unblock(context.WithoutCancel(ctx), where); err != nil {
			a.Log.Error("can't note that the app may post", "channel", at.id(), "error", err)
		}
	}
	if m.To == nil && !m.Edit {
		a.work(ctx, func(ctx context.Context) {
			for _, p := range m.Players {
				if who, err := memberOf(p); err == nil {
					a.refreshHome(ctx, who)
				}
			}
		})
	}
	return nil
}

func (a *Adapter) postAt(ctx context.Context, at place, note string, m bot.Message) error {
	last, err := a.lastPost(ctx, note)
	if err != nil {
		return err
	}
	if m.Edit {
		if last.Key != m.Key {
			return nil // a newer one has come
		}
		a.edit(ctx, at, last, m)
		return nil
	}
	if last.Key != m.Key {
		found := false
		ts, file, edited, err := a.redo(ctx, at, m, last)
		if !edited && err == nil {
			ts, file, found, err = a.deliver(ctx, at, m, last)
		}
		if err != nil {
			return err
		}
		before := last.Key
		if last, err = a.changeLast(ctx, note, func(now *lastPost) error {
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
		a.work(ctx, func(ctx context.Context) { a.tidy(ctx, at, note) })
	}
	if hasBookmark(at, m) {
		a.work(ctx, func(ctx context.Context) { a.mark(ctx, at, m) })
	}
	return nil
}

// Recall makes a message that nobody needs any more the latest of its place, where
// it was on its way when the program ended, or its answer was lost, and is there;
// see [bot.Recaller].
func (a *Adapter) Recall(ctx context.Context, m bot.Message) error {
	at, err := placeOf(m.Channel)
	if err != nil || m.To != nil {
		return err
	}
	note := string(at.id())
	defer a.locks.lock("post " + note)()
	last, err := a.lastPost(ctx, note)
	if err != nil || last.Trying != m.Key {
		return err
	}
	ts, file := a.find(ctx, at, m)
	_, err = a.changeLast(ctx, note, func(now *lastPost) error {
		switch {
		case now.Trying != m.Key:
		case ts != "":
			*now = now.follow(m, ts, file)
		default:
			now.Trying = ""
		}
		return nil
	})
	return err
}

// redo edits the latest post of a place to say what a message says, where that
// takes its place and calls nobody: an edit calls nobody. It reports false
// where the message must be posted.
func (a *Adapter) redo(ctx context.Context, at place, m bot.Message, last lastPost) (ts, file string, edited bool, err error) {
	if !last.precedes(m) || m.Whole.Calls() {
		return "", "", false, nil
	}
	if err := a.takeTurn(ctx, at); err != nil {
		return "", "", false, err
	}
	m.Text = m.Whole
	file = a.show(ctx, at.home, m)
	err = a.update(ctx, at, last.TS, m.Text, a.blocks(ctx, m, file))
	if isError(err, "invalid_blocks") && byURL(file) {
		a.notSeen()
		file = a.show(ctx, at.home, m)
		err = a.update(ctx, at, last.TS, m.Text, a.blocks(ctx, m, file))
	}
	if err != nil && !passes(err) && !isError(err, gone...) {
		a.Log.Info("a post can't be changed; posting another", "channel", at.id(), "error", err)
		return "", "", false, nil
	}
	return last.TS, file, true, err
}

// deliver posts a message, or finds it where it was posted already.
func (a *Adapter) deliver(ctx context.Context, at place, m bot.Message, last lastPost) (ts, file string, found bool, err error) {
	if last.Trying == m.Key {
		if ts, file := a.find(ctx, at, m); ts != "" {
			return ts, file, true, nil
		}
	}
	file = a.show(ctx, at.home, m)
	if ctx.Err() != nil {
		return "", "", false, ctx.Err() // the host shuts down: later, with the picture
	}
	if _, err := a.changeLast(ctx, last.note, func(now *lastPost) error {
		now.Trying = m.Key
		return bot.Held(ctx) // or it is another's that is on its way
	}); err != nil {
		return "", "", false, err
	}
	if err := a.takeTurn(ctx, at); err != nil {
		return "", "", false, err
	}
	options := []slack.MsgOption{
		slack.MsgOptionText(a.names.fallback(m.Text), false), slack.MsgOptionBlocks(a.blocks(ctx, m, file)...),
		slack.MsgOptionMetadata(metadata(m)), slack.MsgOptionDisableLinkUnfurl(), slack.MsgOptionDisableMediaUnfurl(),
	}
	if at.thread != "" {
		options = append(options, slack.MsgOptionTS(at.thread))
	}
	post := func(api *slack.Client) (err error) {
		defer a.paces.noteSent(at.lane(), a.gap)
		_, ts, err = api.PostMessageContext(ctx, at.channel, options...)
		return err
	}
	err = a.call(ctx, at.home, post)
	if isError(err, "msg_blocks_too_long", "msg_too_long") {
		// The beginning of the words, the picture and the buttons.
		short := m
		if short.Menus = nil; len(a.names.pieces(m.Text, maxSection)) > 1 {
			short.Text = text.Text{{Text: cut(m.Text.String(), maxSection/6)}}
		}
		a.Log.Warn("Slack finds a post too long; it is shortened", "channel", at.id())
		options[0], options[1] = slack.MsgOptionText(a.names.fallback(short.Text), false), slack.MsgOptionBlocks(a.blocks(ctx, short, file)...)
		err = a.call(ctx, at.home, post)
	}
	if isError(err, "invalid_blocks") && byURL(file) {
		a.notSeen()
		file = a.show(ctx, at.home, m)
		options[1] = slack.MsgOptionBlocks(a.blocks(ctx, m, file)...)
		err = a.call(ctx, at.home, post)
	}
	if isError(err, "invalid_blocks") && file != "" {
		// The picture is not to be shown after all: the words alone.
		a.Log.Warn("Slack doesn't show the picture", "channel", at.id(), "file", file)
		file = ""
		options[1] = slack.MsgOptionBlocks(a.blocks(ctx, m, file)...)
		err = a.call(ctx, at.home, post)
	}
	if err != nil && answered(err) {
		// It is not there, so nobody needs to look for it.
		_, kept := a.changeLast(ctx, last.note, func(now *lastPost) error {
			if now.Trying == m.Key {
				now.Trying = ""
			}
			return nil
		})
		err = errors.Join(err, kept)
	}
	return ts, file, false, err
}

// postEvent is the type of our messages' metadata.
const postEvent = "rackmate_post"

// metadata names a post by its table and event.
func metadata(m bot.Message) slack.SlackMetadata {
	return slack.SlackMetadata{EventType: postEvent, EventPayload: map[string]any{"key": m.Key, "table": m.Table, "event": m.Number}}
}

// find looks for a message among the latest of its place, and for the file of its
// picture. It returns "" when it is not there, or the app may not look.
func (a *Adapter) find(ctx context.Context, at place, m bot.Message) (ts, file string) {
	const latest = 50
	var messages []slack.Message
	err := a.call(ctx, at.home, func(api *slack.Client) (err error) {
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
		a.Log.Info("can't look whether a post arrived before the crash; posting it again", "channel", at.id(), "error", err)
		return "", ""
	}
	for _, had := range messages {
		if had.Metadata.EventType == postEvent && had.Metadata.EventPayload["key"] == m.Key {
			return had.Timestamp, fileIn(had.Blocks.BlockSet)
		}
	}
	return "", ""
}

// foldTries is how often the folding of a post is tried. Then it stays as it
// is: that is nothing that people wait for.
const foldTries = 3

// tidy folds the earlier posts of a place, and deletes their pictures. What it
// can't do now the next post there tries again.
func (a *Adapter) tidy(ctx context.Context, at place, note string) {
	defer a.locks.lock("tidy " + note)()
	for wait := time.Second; ; wait *= 4 {
		last, err := a.lastPost(ctx, note)
		if err != nil || len(last.Old) == 0 {
			return
		}
		old := last.Old[0]
		failed := a.tidied(ctx, at, old)
		if ctx.Err() != nil {
			return
		}
		if isError(failed, "message_not_found") {
			failed = nil // somebody deleted it
		}
		if failed == nil && old.File != "" && old.File != last.File {
			a.deletePicture(ctx, at.home, old.File)
		}
		if err := a.noteFolded(ctx, note, old, failed); err != nil {
			a.Log.Error("can't note that a post is folded", "channel", at.id(), "error", err)
			return
		}
		if failed != nil && !a.wait(ctx, max(wait, retryAfter(failed))) {
			return
		}
	}
}

// tidied folds or deletes a post, or has nothing to do where the picture alone
// is old.
func (a *Adapter) tidied(ctx context.Context, at place, old oldPost) error {
	switch {
	case old.TS == "":
		return nil
	case old.Gone:
		return a.call(ctx, at.home, func(api *slack.Client) error {
			_, _, err := api.DeleteMessageContext(ctx, at.channel, old.TS)
			return err
		})
	}
	return a.update(ctx, at, old.TS, old.Line, a.names.sections(old.Line))
}

// noteFolded notes that a post was folded, or couldn't be.
func (a *Adapter) noteFolded(ctx context.Context, note string, old oldPost, failed error) error {
	defer a.locks.lock("post " + note)()
	_, err := a.changeLast(ctx, note, func(now *lastPost) error {
		i := slices.IndexFunc(now.Old, func(o oldPost) bool { return o.TS == old.TS && o.File == old.File })
		if i < 0 {
			return nil
		}
		if now.Old[i].Tries++; !passes(failed) || now.Old[i].Tries >= foldTries {
			if failed != nil {
				a.Log.Info("a post stays as it is", "post", old.TS, "error", failed)
			}
			now.Old = slices.Delete(now.Old, i, i+1)
		}
		return nil
	})
	return err
}

// edit puts other words into the latest post of a place. Where Slack doesn't
// take them now it is tried a few times more, behind, until newer ones come.
func (a *Adapter) edit(ctx context.Context, at place, last lastPost, m bot.Message) {
	newest := &m
	a.edits.Store(last.note, newest)
	err := a.update(ctx, at, last.TS, m.Text, a.blocks(ctx, m, cmp.Or(last.File, a.pictureURL(m))))
	if passes(err) {
		a.work(ctx, func(ctx context.Context) { a.editAgain(ctx, at, last.note, newest, err) })
		return
	}
	a.edits.CompareAndDelete(last.note, newest)
	if err != nil {
		a.Log.Info("a post stays as it is", "channel", at.id(), "error", err)
	}
}

func (a *Adapter) editAgain(ctx context.Context, at place, note string, m *bot.Message, err error) {
	defer a.edits.CompareAndDelete(note, m)
	try := func() error {
		defer a.locks.lock("post " + note)()
		last, err := a.lastPost(ctx, note)
		if newest, _ := a.edits.Load(note); err != nil || newest != m || last.Key != m.Key {
			return nil
		}
		return a.update(ctx, at, last.TS, m.Text, a.blocks(ctx, *m, cmp.Or(last.File, a.pictureURL(*m))))
	}
	for wait := 2 * time.Second; passes(err) && a.wait(ctx, max(wait, retryAfter(err))); wait *= 3 {
		err = try()
	}
	if err != nil {
		a.Log.Info("a post stays as it is", "channel", at.id(), "error", err)
	}
}

// update puts other words and blocks into a post.
func (a *Adapter) update(ctx context.Context, at place, ts string, said text.Text, blocks []slack.Block) error {
	return a.call(ctx, at.home, func(api *slack.Client) error {
		_, _, _, err := api.UpdateMessageContext(ctx, at.channel, ts,
			slack.MsgOptionText(a.names.fallback(said), false), slack.MsgOptionBlocks(blocks...))
		return err
	})
}

func (a *Adapter) lastPost(ctx context.Context, note string) (lastPost, error) {
	b, err := a.Notes.Get(ctx, lastShelf, note)
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
func (a *Adapter) changeLast(ctx context.Context, note string, fn func(*lastPost) error) (last lastPost, err error) {
	err = a.Notes.Change(context.WithoutCancel(ctx), func(rows bot.Rows) error {
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

// Link is a URL that opens a place at the latest post. Slack is asked once for
// each.
func (a *Adapter) Link(ctx context.Context, ch bot.ChannelID) string {
	at, err := placeOf(ch)
	if err != nil {
		return ""
	}
	last, err := a.lastPost(ctx, string(at.id()))
	if err != nil || last.TS == "" {
		return at.link()
	}
	key := "link " + last.note + " " + last.TS
	defer a.locks.lock("link " + last.note)() // two pages that are made at once ask once
	if url, ok := a.people.get(key); ok {
		return url
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	var url string
	err = a.call(ctx, at.home, func(api *slack.Client) (err error) {
		url, err = api.GetPermalinkContext(ctx, &slack.PermalinkParameters{Channel: at.channel, Ts: last.TS})
		return err
	})
	if err != nil {
		a.Log.Info("can't ask where a post is", "channel", at.id(), "error", err)
		return at.link()
	}
	a.people.add(key, url)
	return url
}

// lookTime is how long to wait for what we can do without, such as the address of a
// post.
const lookTime = 2 * time.Second

// direct is the channel of a person's direct messages.
func (a *Adapter) direct(ctx context.Context, to member) (string, error) {
	known, err := a.Notes.Get(ctx, directShelf, string(to.player()))
	if err != nil || known != nil {
		return string(known), err
	}
	var c *slack.Channel
	err = a.call(ctx, to.home, func(api *slack.Client) (err error) {
		c, _, _, err = api.OpenConversationContext(ctx, &slack.OpenConversationParameters{Users: []string{to.id}})
		return err
	})
	if err != nil {
		return "", err
	}
	return c.ID, a.Notes.Put(ctx, directShelf, string(to.player()), []byte(c.ID))
}

// aside opens a thread for a request: the message that it hangs on says what
// it is for. The same request gets the same one.
func (a *Adapter) aside(at place, req bot.Request) func(context.Context, string) (bot.ChannelID, error) {
	return func(ctx context.Context, title string) (bot.ChannelID, error) {
		had, err := a.Notes.Get(ctx, asideShelf, req.ID)
		if err != nil {
			return "", err
		}
		if had == nil {
			var ts string
			err := a.call(ctx, at.home, func(api *slack.Client) (err error) {
				_, ts, err = api.PostMessageContext(ctx, at.channel, slack.MsgOptionText(escape(title), false), slack.MsgOptionBlocks(a.names.sections(text.Text{{Text: title, Strong: true}})...))
				return err
			})
			if err != nil {
				return "", err
			}
			had = []byte(ts)
			if err := a.Notes.Put(ctx, asideShelf, req.ID, had); err != nil {
				return "", err
			}
		}
		at.thread = string(had)
		return at.id(), nil
	}
}

const (
	// blockedWait is how long to wait where the app may not post: somebody may
	// invite it.
	blockedWait = 2 * time.Minute
	// blockedFor is how long to hope for that.
	blockedFor = 24 * time.Hour
)

// settleRefusal decides what becomes of a message that Slack doesn't take.
//
//	person gone, or takes no direct messages     dropped; the host is told
//	no good token, not installed                 see lostToken
//	not in the channel, not allowed to post,
//	archived                                     tried for a day; the players are told why
//	rate limit, server error, no answer          tried again
//	anything else that is wrong with it          dropped
func (a *Adapter) settleRefusal(ctx context.Context, at place, m bot.Message, err error) error {
	if _, closed := obstacle(at, err); m.To == nil && closed {
		return a.putOffBlocked(ctx, at, m.Players, err)
	}
	if m.To != nil && isError(err, noDirect...) {
		return &bot.PostError{Permanent: true, Closed: true, Err: fmt.Errorf("refused by Slack: %w", err)}
	}
	if isError(err, gone...) || errors.Is(err, errNoHome) || errors.Is(err, errToken) {
		return a.lostToken(ctx, at.home, err)
	}
	return postError(err)
}

// noDirect are why somebody gets no direct messages.
var noDirect = []string{"user_not_found", "user_not_visible", "users_not_found", "user_disabled", "cannot_dm_bot", "messages_tab_disabled", "channel_not_found", "is_archived"}

// putOffBlocked puts a message off where the app is not in the channel, for a day in
// all, after which the host is told that it can't reach it. A private channel
// that it is not in is "not found", and so is one that was deleted.
func (a *Adapter) putOffBlocked(ctx context.Context, at place, players []bot.PlayerID, cause error) error {
	why, _ := obstacle(at, cause)
	first, err := a.putOff(ctx, string(at.id()), blockedFor, fmt.Errorf("%s: %s: %w", at.id(), why.String(), cause))
	if first {
		a.tellAll(ctx, players, text.Sentences(text.Say("Your game waits."), why))
	}
	var failed *bot.PostError
	if errors.As(err, &failed) && failed.Permanent {
		failed.Gone = true
	}
	return err
}

// hope tries at once what waits to be posted in a place where somebody does
// something: they may have invited the app, or let it post.
func (a *Adapter) hope(ctx context.Context, at place) {
	for _, p := range []place{at, {home: at.home, channel: at.channel}} {
		if b, err := a.Notes.Get(ctx, blockedShelf, string(p.id())); err != nil || b == nil {
			continue
		}
		a.Host.Retry(ctx, func(ch bot.ChannelID) bool { return ch == p.id() })
		return
	}
}

// obstacle says why the app can't post in a place, where somebody can mend
// that, and how.
func obstacle(at place, err error) (why text.Text, ok bool) {
	link := at.link()
	var answer slack.SlackErrorResponse
	switch {
	case isError(err, "not_in_channel", "channel_not_found"):
		return text.Say("I can't post in {channel} until somebody types {invite} there.", text.Link(text.Item("the channel"), link), text.Code(inviteMe)), true
	case isError(err, "is_archived"):
		return text.Say("{channel} is archived, and I can't post there until somebody brings it back.", text.Link(text.Say("The channel"), link)), true
	case isError(err, "missing_scope"):
		return text.Say("I lack a permission in this workspace, and can't post in {channel} until whoever installed me does so again, with the scopes of my newest manifest.", text.Link(text.Item("the channel"), link)), true
	case isError(err, "ekm_access_denied"):
		return text.Say("Your organisation's administrators have suspended posting in {channel}. They can allow it again.", text.Link(text.Item("the channel"), link)), true
	case errors.As(err, &answer) && strings.HasPrefix(answer.Err, "restricted_action"):
		return text.Say("Only some people may post in {channel}. Whoever manages it can let apps post there too, under its posting permissions.", text.Link(text.Item("the channel"), link)), true
	}
	return nil, false
}

// putOff puts a message off that can't be posted in a place or a home, until
// it could not for so long. It reports whether this is the first that could
// not.
func (a *Adapter) putOff(ctx context.Context, where string, hope time.Duration, cause error) (first bool, err error) {
	b, err := a.Notes.Get(ctx, blockedShelf, where)
	if err != nil {
		return false, err
	}
	since := a.Now()
	if b == nil || since.UnmarshalText(b) != nil {
		since, first = a.Now(), true
		text, err := since.MarshalText()
		if err != nil {
			return false, err
		}
		if err := a.Notes.Put(ctx, blockedShelf, where, text); err != nil {
			return false, err
		}
	}
	if a.Now().Sub(since) >= hope {
		return first, &bot.PostError{Permanent: true, Err: cause}
	}
	// Soon again at first: somebody mends it at once, or not for long.
	wait := min(max(a.Now().Sub(since)/2, 10*time.Second), blockedWait)
	return first, &bot.PostError{RetryAfter: wait, Err: cause}
}

// unblock forgets that the app could not post in a place or a home.
func (a *Adapter) unblock(ctx context.Context, where string) error {
	b, err := a.Notes.Get(ctx, blockedShelf, where)
	if err != nil || b == nil {
		return err
	}
	return a.Notes.Put(ctx, blockedShelf, where, nil)
}

// uninvited says what to do where no table can be opened, for the app may not
// post there. Where it has never posted it tries with a line to the asker
// alone: asking Slack about the channel would take four more scopes, and could
// be wrong.
func (a *Adapter) uninvited(ctx context.Context, who member, ch bot.ChannelID) text.Text {
	at, err := placeOf(ch)
	if err != nil {
		return nil
	}
	last, err := a.lastPost(ctx, string(at.id()))
	if err != nil {
		return nil // the post will tell
	}
	if a.own(ctx, who, at) {
		return nil
	}
	if blocked, err := a.Notes.Get(ctx, blockedShelf, string(at.id())); err != nil || blocked == nil && last.TS != "" {
		return nil
	}
	err = a.ephemeral(ctx, asker{member: who, place: at}, bot.Reply{Text: text.Say("I'm laying out the table …").In(a.tongue(ctx, who))}, "")
	why, closed := obstacle(at, err)
	switch {
	case isError(err, "is_archived"):
		return text.Say("This channel is archived, so I can't post the board here. Please play in another.")
	case !closed:
		return nil
	case !isError(err, "not_in_channel", "channel_not_found"):
		return why
	case strings.HasPrefix(at.channel, "D"):
		return text.Say("I'm not in this conversation, so I can't post the board here. Please play in a channel: type {invite} there, then {new}.", text.Code(inviteMe), text.Code("/new"))
	}
	return text.Say("I'm not in this channel yet, so I can't post the board here. Type {invite}, then {new} again.", text.Code(inviteMe), text.Code("/new"))
}

// tellAll tells players something by direct message.
func (a *Adapter) tellAll(ctx context.Context, players []bot.PlayerID, what text.Text) {
	for _, p := range players {
		to, err := memberOf(p)
		if err != nil {
			continue
		}
		channel, err := a.direct(ctx, to)
		if err == nil {
			err = a.call(ctx, to.home, func(api *slack.Client) error {
				_, _, err := api.PostMessageContext(ctx, channel, slack.MsgOptionText(a.names.mrkdwn(what.In(a.tongue(ctx, to))), false))
				return err
			})
		}
		if err != nil {
			a.Log.Warn("can't tell a player", "user", to.id, "error", err)
		}
	}
}

package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/adapters/web/push"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// maxText is the maximum length of a message, in characters.
const maxText = 2000

// chat writes and edits messages.
type chat struct {
	host      bot.Host
	notes     bot.Notes
	now       func() time.Time
	commands  *commands
	listeners *listeners
	members   *members
	notifier  *push.Notifier
	streams   *streams
	lines     *pages.Buckets // messages, by author
	// turns makes this process's writers to a stream wait for each other. Otherwise the store would
	// retry all their changes on a busy stream.
	turns tasks.Locks
}

// write appends a line to a stream and shows it to the listeners. If a line with the key
// exists, write leaves it as it is.
func (ch *chat) write(ctx context.Context, s stream, key string, l storedLine) (uint64, error) {
	l.V, l.At = 1, ch.now()
	b, err := json.Marshal(l)
	if err != nil {
		return 0, err
	}
	if err := ch.listeners.markExisting(ctx, s); err != nil {
		return 0, err
	}
	leave, err := ch.turns.LockContext(ctx, string(s))
	if err != nil {
		return 0, err
	}
	var n uint64
	var added bool
	err = ch.notes.Change(ctx, func(rows bot.Rows) (err error) {
		n, added, err = s.log().Add(rows, key, b)
		return err
	})
	leave()
	if err != nil {
		return 0, err
	}
	if !added {
		b = nil
	} else {
		ch.listeners.broadcast(broadcast{Stream: s, Name: addedEvent}, n)
	}
	return n, ch.listeners.show(ctx, s, n, b)
}

// say handles a line sent from the message box: a message, or a command for the host.
func (ch *chat) say(ctx context.Context, who person, in struct {
	Stream string `json:"stream"`
	ID     string `json:"id"`
	Text   string `json:"text"`
	pages.Screen
}) (any, error) {
	s, err := ch.streams.find(ctx, who, in.Stream)
	if err != nil {
		return nil, err
	}
	text, err := cleanText(in.Text)
	if err != nil {
		return nil, err
	}
	if !pages.IsClientID(in.ID) {
		return nil, pages.ErrUnread
	}
	if err := ch.members.noteActive(ctx, who); err != nil {
		return nil, err
	}
	if strings.HasPrefix(text, "/") {
		return ch.commands.command(ctx, who, ch.commands.request(who, s, in.ID, in.Screen), text)
	}
	only := ""
	if len(s.readers()) == 1 {
		return nil, pages.Refuse("Rackmate only understands commands: type / to see them. To talk, choose a channel.")
	}
	if other := s.other(who.ID); other != "" {
		if only, err = ch.openConversation(ctx, who, s, other); err != nil {
			return nil, err
		}
	}
	if err := ch.members.checkMuted(ctx, who); err != nil {
		return nil, err
	}
	if wait := ch.lines.Take(who.ID); wait > 0 {
		return nil, pages.Refuse("You've posted {most} messages today, and that's the limit. Games go on; you can post again in {n, plural, one {a second} other {# seconds}}.", bot.LimitLines.Most, pages.Seconds(wait))
	}
	spans, err := ch.members.splitMentions(ctx, text)
	if err != nil {
		return nil, err
	}
	if err := ch.dropBlockedMentions(ctx, who, spans); err != nil {
		return nil, err
	}
	n, err := ch.write(ctx, s, sayKey(who, in.ID), storedLine{ID: in.ID, From: &who, Text: spans, Only: only})
	if err != nil {
		return nil, err
	}
	return map[string]uint64{"number": n}, ch.streams.setRead(ctx, who, s, n)
}

// openConversation begins or continues a conversation. If the recipient has blocked the sender, only
// is the sender's id, because no one else will see the message; otherwise it is "".
func (ch *chat) openConversation(ctx context.Context, who person, s stream, other string) (only string, err error) {
	p, found, err := ch.members.person(ctx, other)
	if err != nil {
		return "", err
	} else if !found {
		return "", pages.Refuse("They've left the room and won't read this.")
	}
	if mine, err := ch.host.Blocks(ctx, who.player(), p.player()); err != nil {
		return "", err
	} else if mine {
		return "", pages.Refuse("You've blocked {name}. Type /block to unblock them.", p.Name)
	}
	theirs, err := ch.host.Blocks(ctx, p.player(), who.player())
	if err != nil {
		return "", err
	}
	if err := ch.streams.beginConversation(ctx, who, s); err != nil {
		return "", err
	}
	for _, id := range s.readers() {
		if theirs && id == other {
			only = who.ID
			continue
		}
		if err := ch.streams.list(ctx, s, id); err != nil {
			return "", err
		}
	}
	return only, nil
}

// list adds a conversation to a person's list, unless it is there already.
func (ss *streams) list(ctx context.Context, s stream, id string) error {
	on, err := ss.notes.Get(ctx, directsShelf+id, string(s))
	if err != nil || on != nil {
		return err
	}
	return ss.notes.Put(ctx, directsShelf+id, string(s), []byte{1})
}

// sayKey returns the same key when a message is sent again. It is a hash, because the key
// can't be changed when the author is forgotten.
func sayKey(who person, id string) string {
	sum := sha256.Sum256([]byte(who.ID + ":" + id))
	return "say." + hex.EncodeToString(sum[:16])
}

func cleanText(typed string) (string, error) {
	text := strings.TrimSpace(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && c != '\n' {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(strings.ReplaceAll(typed, "\r\n", "\n"), "")))
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return "", pages.Refuse("Please type something first.")
	case n > maxText:
		return "", pages.Refuse("A message can have up to {most} characters; this one has {n}. Please split it into several.", maxText, n)
	}
	return text, nil
}

// splitMentions splits a text into spans, with a mention for each name in it.
func (ms *members) splitMentions(ctx context.Context, text string) ([]span, error) {
	var all []span
	pieces, err := ms.cutNames(ctx, text)
	for _, p := range pieces {
		if p.who == nil {
			all = append(all, span{Text: p.text})
		} else {
			all = append(all, span{Text: "@" + p.who.Name, Person: p.who.ID, Notify: true})
		}
	}
	return all, err
}

// pageSize is the number of messages sent at once.
const pageSize = 50

// messages returns a page of a stream: the messages before a number, or the latest.
func (ss *streams) messages(ctx context.Context, who person, in struct {
	Stream string `json:"stream"`
	Before uint64 `json:"before"`
}) (any, error) {
	s, err := ss.find(ctx, who, in.Stream)
	if err != nil {
		return nil, err
	}
	lines, err := ss.linesFor(ctx, who, s, in.Before, pageSize)
	if err != nil {
		return nil, err
	}
	page := make([]message, len(lines))
	for i, l := range lines {
		page[i] = l.message(s, l.number)
	}
	return map[string]any{"messages": page}, nil
}

// A numberedLine is a line with its number.
type numberedLine struct {
	storedLine
	number uint64
}

// linesFor returns up to limit lines that a person may see, before a number (0 means the
// end), in order.
func (ss *streams) linesFor(ctx context.Context, who person, s stream, before uint64, limit int) (all []numberedLine, err error) {
	for len(all) < limit {
		lines, err := s.log().Read(ctx, ss.notes, before, limit)
		if err != nil || len(lines) == 0 {
			return all, err
		}
		var shown []numberedLine
		for _, l := range lines {
			one := numberedLine{number: l.Number}
			if err := json.Unmarshal(l.Data, &one.storedLine); err != nil {
				return nil, err
			}
			if one.isShownTo(who.ID) {
				shown = append(shown, one)
			}
		}
		all = append(shown, all...)
		if before = lines[0].Number; before == 1 || len(shown) == len(lines) {
			break
		}
	}
	return all[max(0, len(all)-limit):], nil
}

// dropBlockedMentions removes the notifications for people who have blocked the author.
func (ch *chat) dropBlockedMentions(ctx context.Context, who person, said []span) error {
	for i, s := range said {
		if !s.Notify || s.Person == who.ID {
			continue
		}
		blocks, err := ch.host.Blocks(ctx, person{ID: s.Person}.player(), who.player())
		if err != nil {
			return err
		}
		said[i].Notify = !blocks
	}
	return nil
}

// Post delivers a message of the host to its channel or to one person. Posting the same
// message again has no effect.
func (ch *chat) Post(ctx context.Context, m bot.Message) error {
	s, err := ch.streams.streamOf(ctx, m.Channel)
	if err != nil {
		return postError(err)
	}
	line := storedLine{Text: spans(m.Text), Line: spans(m.Line), Buttons: ch.commands.buttons(m.Buttons), Table: m.Table, Events: m.Number, Kind: m.Kind, Standing: m.Standing}
	if m.To != nil {
		id, ours := memberID(m.To.ID)
		p, found, err := ch.members.person(ctx, id)
		if err != nil {
			return err
		}
		if !ours || !found {
			return postError(errNoStream)
		}
		line.About, s = s, hostStream(p)
	}
	if m.Picture != nil {
		line.Picture = storePicture(*m.Picture)
	}
	if m.Over && len(line.Line) == 0 { // for the list; the board and its card show the end
		line.Line = spans(m.Result)
	}
	switch {
	case m.Standing != "":
		return ch.postStanding(ctx, s, m.Standing, m, line)
	case m.Live == liveLobby && m.To == nil && !line.notifies():
		line.Text = spans(m.Whole)
		return ch.postStanding(ctx, s, fmt.Sprintf("%s %d", liveLobby, m.Table), m, line)
	}
	keep := bot.Concluding(ctx)
	if m.Edit {
		keep = ctx // another process may be writing the line, and the edit must follow it
	}
	n, err := ch.write(keep, s, "post."+m.Key, line)
	if err != nil {
		return err
	}
	if !m.Edit {
		ch.notify(s, n, line, m)
		return nil
	}
	return ch.edit(ctx, s, n, func(l *storedLine) { l.Text = line.Text })
}

// liveLobby is the name of a lobby's message, which is edited in place: it isn't posted
// again when people sit down or leave.
const liveLobby = "lobby"

// standingShelf stores a storedStanding by stream and name.
const standingShelf = "standing"

// A storedStanding locates the standing message of a name; see [bot.Message.Standing].
type storedStanding struct {
	V      int    `json:"v"` // 1
	Number uint64 `json:"number"`
	Key    string `json:"key"` // key of the latest post
}

// postStanding replaces the standing message of a name, or writes a new one.
func (ch *chat) postStanding(ctx context.Context, s stream, name string, m bot.Message, line storedLine) error {
	var at storedStanding
	name = string(s) + "\n" + name
	found, err := notes.Read(ctx, ch.notes, standingShelf, name, &at)
	switch {
	case err != nil || found && at.Key == m.Key:
		return err
	case found && !m.Anew:
		err = ch.edit(ctx, s, at.Number, func(l *storedLine) {
			if l.Table != 0 && line.Events < l.Events {
				return // an earlier post that was delivered again
			}
			line.V, line.At, line.From = l.V, l.At, l.From
			*l = line
		})
	default:
		at.Number, err = ch.write(ctx, s, "post."+m.Key, line)
	}
	if err != nil {
		return err
	}
	at.V, at.Key = 1, m.Key
	return ch.notes.Change(ctx, func(rows bot.Rows) error { return notes.Put(rows, standingShelf, name, at) })
}

// edit changes an existing line and shows it to the listeners.
func (ch *chat) edit(ctx context.Context, s stream, n uint64, change func(*storedLine)) error {
	return ch.listeners.betweenLines(func() error {
		var l storedLine
		var found bool
		if err := ch.notes.Change(ctx, func(rows bot.Rows) error {
			l = storedLine{}
			b, err := s.log().Get(rows, n)
			if found = b != nil; err != nil || !found {
				return err
			}
			if err := json.Unmarshal(b, &l); err != nil {
				return err
			}
			change(&l)
			return s.log().Replace(rows, n, l)
		}); err != nil || !found {
			return err
		}
		ch.listeners.publish(s, "edit", l.message(s, n))
		return nil
	})
}

// postError marks errors that a retry won't fix.
func postError(err error) error {
	if errors.Is(err, errNoStream) {
		return &bot.PostError{Permanent: true, Err: errors.New("the channel or the person is gone")}
	}
	return err
}

// eachLine calls fn with every line of a stream, the latest first.
func (ss *streams) eachLine(ctx context.Context, s stream, fn func(notes.Entry, storedLine) error) error {
	for before := uint64(0); ; {
		lines, err := s.log().Read(ctx, ss.notes, before, 500)
		if err != nil || len(lines) == 0 {
			return err
		}
		for _, line := range slices.Backward(lines) {
			var l storedLine
			if err := json.Unmarshal(line.Data, &l); err != nil {
				return err
			}
			if err := fn(line, l); err != nil {
				return err
			}
		}
		if before = lines[0].Number; before == 1 {
			return nil
		}
	}
}

// latestPost returns the number of the latest post of a table in a stream, or 0 if there is
// none.
func (ss *streams) latestPost(ctx context.Context, s stream) (found uint64, err error) {
	err = ss.eachLine(ctx, s, func(line notes.Entry, l storedLine) error {
		if l.Table == 0 {
			return nil
		}
		found = line.Number
		return errFound
	})
	if errors.Is(err, errFound) {
		err = nil
	}
	return found, err
}

// errFound ends a search.
var errFound = errors.New("found")

// notify notifies the people mentioned by a post, or its recipient. The host has already
// checked their settings and quiet hours.
func (ch *chat) notify(s stream, n uint64, l storedLine, m bot.Message) {
	whom := map[string]bool{}
	if m.To != nil && m.Kind != "" { // kind "" is a rack, which needs no notification
		id, _ := memberID(m.To.ID)
		whom[id] = true
	}
	for _, sp := range l.Text {
		if sp.Notify {
			whom[sp.Person] = true
		}
	}
	delete(whom, "")
	opens := s
	if l.About != "" {
		opens = l.About
	}
	ch.notifier.Notify(slices.Collect(maps.Keys(whom)), push.Message{Stream: string(s), Number: n, Opens: string(opens), Text: m.Text.WithoutSmall().String()})
}

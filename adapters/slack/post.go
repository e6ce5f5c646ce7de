package slack

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/adapters/outbox"
	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// The shelves of Slack's notes for posts.
const (
	lastShelf  = "last"  // by place, or direct messages and the place they concern: an outbox.Entry
	asideShelf = "aside" // by place and request: the thread opened for it
	turnsShelf = "turns" // by channel, if there are several processes: when the next message may be posted
)

// A poster sends the messages of its outbox to Slack. It is an [outbox.Platform].
type poster struct {
	*common
	web        *webAPI
	people     *directory
	pictures   *gallery
	refused    *refusals
	box        *outbox.Outbox
	links      cache // of posts
	locks      tasks.Locks
	unreadable cache // by home: kinds of channels that the app may not read
}

func newPoster(c *common, web *webAPI, people *directory, pictures *gallery) *poster {
	p := &poster{
		common: c, web: web, people: people, pictures: pictures,
		refused: newRefusals(c, web), links: newCache(c.Now, time.Hour), unreadable: newCache(c.Now, 24*time.Hour),
	}
	p.box = &outbox.Outbox{
		Platform: p, Notes: c.Notes, Shelf: lastShelf, Within: "\n", Log: c.Log, Tasks: &c.handled, Ended: c.ended,
		Pace: &outbox.Pace{Now: c.Now, Sleep: c.sleep, Held: c.observeHeld},
	}
	if c.Shared {
		p.box.Turns = &notes.Turns{Notes: c.Notes, Shelf: turnsShelf, By: rand.Text(), Now: c.Now, Wait: func(ctx context.Context, d time.Duration) error {
			c.observeHeld(d)
			return c.sleep(ctx, d)
		}}
	}
	p.setGap(time.Second)
	return p
}

// setGap sets the time between two messages in a channel: Slack accepts one a second.
// https://docs.slack.dev/apis/web-api/rate-limits
func (o *poster) setGap(d time.Duration) {
	if o.box.Gap = (outbox.Rate{}); d > 0 {
		o.box.Gap = outbox.Rate{Most: 1, In: d}
	}
	if o.box.Turns != nil {
		o.box.Turns.Gap = d
	}
}

// outboxPlace returns a place as a place of the outbox.
func (o *poster) outboxPlace(at place) outbox.Place {
	id := string(at.id())
	return outbox.Place{ID: id, Note: id, RateKey: at.channelKey()}
}

// PlaceOf returns the place of an entry; see [outbox.Platform].
func (o *poster) PlaceOf(note string) (outbox.Place, bool) {
	id, _, _ := strings.Cut(note, "\n")
	at, err := placeOf(bot.ChannelID(id))
	where := o.outboxPlace(at)
	where.Note = note
	return where, err == nil
}

// threads returns the threads of a channel that have posts of ours, the latest first.
func (o *poster) threads(ctx context.Context, at place) (all []place, err error) {
	err = notes.ReadEach(ctx, o.Notes, lastShelf, string(at.id())+"/", func(row bot.Row) error {
		if p, err := placeOf(bot.ChannelID(row.Key)); err == nil {
			all = append(all, p)
		}
		return nil
	})
	slices.Reverse(all) // their timestamps are the keys
	return all, err
}

// placeFrom converts a place of the outbox back.
func placeFrom(p outbox.Place) place {
	where, _ := placeOf(bot.ChannelID(p.ID)) // Slack refuses the zero place
	return where
}

// post delivers a message.
func (o *poster) post(ctx context.Context, m bot.Message) error {
	at, err := placeOf(m.Channel)
	if err != nil {
		return &bot.PostError{Permanent: true, Err: err}
	}
	if m.To != nil {
		to, err := memberOf(m.To.ID)
		if err != nil {
			return &bot.PostError{Permanent: true, Err: err}
		}
		if known, err := o.Notes.Get(ctx, directShelf, string(to.player())); m.Amends && (err != nil || known == nil) {
			return err // there is nothing to edit
		}
		channel, err := o.people.direct(ctx, to)
		if err != nil {
			return o.refused.settle(ctx, at, m, err)
		}
		at = place{home: to.home, channel: channel}
	}
	where := o.outboxPlace(at)
	if m.To != nil {
		where.Note += "\n"
		if m.Table != 0 { // a message without a table doesn't fold a rack
			where.Note += string(m.Channel)
		}
	}
	if err := o.box.Post(ctx, where, m); err != nil {
		settled := o.refused.settle(ctx, at, m, err)
		if why, closed := obstacle(at, err); closed && m.To == nil {
			o.callDirectly(ctx, m, why, settled)
		}
		return settled
	}
	o.pulse.Refuse("")
	for _, where := range []string{string(at.id()), homeID(at.home)} {
		if err := o.refused.Lift(context.WithoutCancel(ctx), where); err != nil {
			o.Log.Error("can't record permission to post", "channel", at.id(), "error", err)
		}
	}
	return nil
}

// callDirectly sends a message that a place refuses to the people it calls, with the board and
// the reason. The other players get the reason once.
func (o *poster) callDirectly(ctx context.Context, m bot.Message, why text.Text, settled error) {
	called := o.box.CallDirectly(m, func(who bot.User) text.Text {
		return why.In(o.Host.LocaleFor(ctx, bot.Request{User: who, Channel: m.Channel, Locale: o.people.personLocale(ctx, who.ID)}))
	}, func(own bot.Message) error {
		to, err := memberOf(own.To.ID)
		if err != nil {
			return err
		}
		channel, err := o.people.direct(ctx, to)
		if err != nil {
			return err
		}
		where := o.outboxPlace(place{home: to.home, channel: channel})
		where.Note += "\n" + string(m.Channel) + "\ncall"
		own.Picture = nil // see blocks
		return o.box.Post(ctx, where, own)
	})
	var failed *bot.PostError
	if errors.As(settled, &failed) && failed.Blocked {
		others := slices.DeleteFunc(slices.Clone(m.Players), func(p bot.PlayerID) bool { return slices.Contains(called, p) })
		o.people.messageAll(ctx, others, text.Sentences(text.Say("Your game is waiting."), why))
	}
}

// recall makes a message the newest of its place if it has arrived; see [Adapter.Recall].
func (o *poster) recall(ctx context.Context, m bot.Message) error {
	at, err := placeOf(m.Channel)
	if err != nil || m.To != nil {
		return err
	}
	return o.box.Recall(ctx, o.outboxPlace(at), m)
}

// Post posts a message; see [outbox.Platform].
func (o *poster) Post(ctx context.Context, where outbox.Place, m bot.Message, begin func(context.Context) error) (made outbox.Post, again bool, err error) {
	at := placeFrom(where)
	file := o.pictures.pictureFor(ctx, at, m)
	if ctx.Err() != nil {
		return made, false, ctx.Err() // the host shuts down: post it later, with the picture
	}
	if err := begin(ctx); err != nil {
		return made, false, err
	}
	options := []slack.MsgOption{slack.MsgOptionDisableLinkUnfurl(), slack.MsgOptionDisableMediaUnfurl()}
	if at.thread != "" {
		options = append(options, slack.MsgOptionTS(at.thread))
	}
	post := func(m bot.Message, file string) error {
		all := append(slices.Clip(options), slack.MsgOptionMetadata(metadata(where.Note, m, file)), slack.MsgOptionText(o.names.in(at).fallback(m.Text), false), slack.MsgOptionBlocks(o.blocks(ctx, m, file)...))
		return o.web.call(ctx, at.home, func(api *slack.Client) (err error) {
			defer o.box.RecordSent(where)
			_, made.ID, err = api.PostMessageContext(ctx, at.channel, all...)
			return err
		})
	}
	file, err = o.postWithPicture(ctx, at, m, file, func(file string) error {
		err := post(m, file)
		if !isError(err, "msg_blocks_too_long", "msg_too_long") {
			return err
		}
		// The beginning of the text, the picture and the buttons.
		short := m
		if short.Menus = nil; len(o.names.pieces(m.Text, maxSection)) > 1 {
			short.Text = text.Text{{Text: cut(m.Text.String(), maxSection/6)}}
		}
		o.Log.Warn("Slack refuses a post as too long; shortening it", "channel", at.id())
		return post(short, file)
	})
	made.File = fileOnly(file)
	return made, false, err
}

// Edit gives a post the text and picture of a message; see [outbox.Platform]. A private post
// loses its picture, because each would have to be uploaded, in four calls.
func (o *poster) Edit(ctx context.Context, where outbox.Place, p outbox.Post, m bot.Message) (file string, err error) {
	at := placeFrom(where)
	if m.To != nil {
		m.Picture = nil
	}
	file, err = o.postWithPicture(ctx, at, m, o.pictures.pictureFor(ctx, at, m), func(file string) error {
		return o.update(ctx, at, p.ID, m.Text, o.blocks(ctx, m, file))
	})
	return fileOnly(file), err
}

// Reword changes a post's text; see [outbox.Platform].
func (o *poster) Reword(ctx context.Context, where outbox.Place, p outbox.Post, m bot.Message) error {
	at := placeFrom(where)
	return o.update(ctx, at, p.ID, m.Text, o.blocks(ctx, m, cmp.Or(p.File, o.pictures.pictureURL(at.home, m))))
}

// Fold replaces a post's content with its line; see [outbox.Platform].
func (o *poster) Fold(ctx context.Context, where outbox.Place, p outbox.Post) error {
	return o.update(ctx, placeFrom(where), p.ID, p.Line, o.names.sections(p.Line))
}

// Delete deletes a post; see [outbox.Platform].
func (o *poster) Delete(ctx context.Context, where outbox.Place, p outbox.Post) error {
	at := placeFrom(where)
	return o.web.call(ctx, at.home, func(api *slack.Client) error {
		_, _, err := api.DeleteMessageContext(ctx, at.channel, p.ID)
		return err
	})
}

// DeleteFile deletes a picture; see [outbox.Platform].
func (o *poster) DeleteFile(ctx context.Context, where outbox.Place, file string) {
	o.pictures.deletePicture(ctx, placeFrom(where).home, file)
}

// Notifies reports whether a message notifies people; see [outbox.Platform].
func (o *poster) Notifies(m bot.Message) bool { return m.Text.Calls() }

// IsBuried returns false: a board stays in place, however much people write.
func (o *poster) IsBuried(outbox.Place, outbox.Entry) bool { return false }

// CanReplace returns true, because the app can edit all its posts.
func (o *poster) CanReplace(outbox.Post) bool { return true }

// Thread returns the thread of a post, which exists without a call. Threads have none, and in
// direct messages with the app the newest post is in view anyway. See [outbox.Platform].
func (o *poster) Thread(_ context.Context, where outbox.Place, p outbox.Post, _ bot.Message) (string, error) {
	at := placeFrom(where)
	if at.thread != "" || strings.HasPrefix(at.channel, "D") {
		return "", nil
	}
	at.thread = p.ID
	return string(at.id()), nil
}

// gameAt returns the place of the game that a place is about: for the thread of a board its
// channel.
func (o *poster) gameAt(ctx context.Context, at place) place {
	whole := place{home: at.home, channel: at.channel}
	if at.thread != "" && o.box.HasThread(ctx, string(whole.id()), string(at.id())) {
		return whole
	}
	return at
}

// foldsAMinute is the limit of background calls per minute of a method. Slack's Tier 3
// allows fifty, and other calls need some.
const foldsAMinute = 40

// Allowance returns the rate limit of a method for background work; see [outbox.Platform].
func (o *poster) Allowance(where outbox.Place, w outbox.Work) (name string, r outbox.Rate) {
	method := map[outbox.Work]string{outbox.Edits: "chat.update", outbox.Deletes: "chat.delete", outbox.FileDeletes: "files.delete"}[w]
	return string(placeFrom(where).home) + " " + method, outbox.Rate{Most: foldsAMinute, In: time.Minute}
}

// Classify classifies an error of Slack's; see [outbox.Platform].
func (o *poster) Classify(err error) outbox.Fault {
	return outbox.Fault{
		Temporary: isTransient(err), After: retryAfter(err), Answered: isAnswer(err),
		Missing: isError(err, "message_not_found", "thread_not_found"), Uninstalled: isError(err, lostTokenErrors...) || errors.Is(err, errNoHome),
	}
}

// postWithPicture sends a message with its picture in a form that Slack accepts, and returns
// that form; see gallery.pictureFor.
func (o *poster) postWithPicture(ctx context.Context, at place, m bot.Message, first string, send func(file string) error) (file string, err error) {
	for file = first; ; file = o.pictures.otherPicture(ctx, at, m, file, err) {
		if err = o.pictures.retryUntilReady(ctx, file, func() error { return send(file) }); file == "" || !isError(err, "invalid_blocks") {
			return file, err
		}
	}
}

// postEvent is the type of our messages' metadata.
const postEvent = "rackmate_post"

// metadata returns the metadata of a post, by which a later search recognizes it: its
// key, table and event, the note of its place, and the file of its picture.
func metadata(note string, m bot.Message, file string) slack.SlackMetadata {
	return slack.SlackMetadata{EventType: postEvent, EventPayload: map[string]any{
		"key": m.Key, "table": m.Table, "event": m.Number, "note": note, "file": fileOnly(file),
	}}
}

// An arrival is Slack's event about a post with metadata that has arrived.
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

// recordArrival records that a post of ours has arrived.
func (o *poster) recordArrival(ctx context.Context, h home, a arrival, ts string) {
	key, file := a.Metadata.Post.Key, a.Metadata.Post.File
	where, known := o.PlaceOf(a.Metadata.Post.Note)
	if at := placeFrom(where); !known || at.home != h || at.channel != a.Where || a.Metadata.Type != postEvent || key == "" {
		return
	}
	if err := o.box.RecordArrival(ctx, where, key, outbox.Post{ID: ts, File: file}); err != nil {
		o.Log.Error("can't record a delivered post", "channel", where.ID, "error", err)
	}
}

// handlePress handles a press on a game's post: if the post is a copy, it is deleted.
func (o *poster) handlePress(ctx context.Context, at place, ts string, table bot.TableID) {
	if err := o.box.DeletePressedCopy(ctx, o.outboxPlace(at), ts, table); err != nil {
		o.Log.Error("can't record a post's copy for deletion", "channel", at.id(), "error", err)
	}
}

// Find searches for a message among the latest of its place; see [outbox.Platform].
func (o *poster) Find(ctx context.Context, where outbox.Place, m bot.Message) (p outbox.Post, found bool, err error) {
	all, err := o.latest(ctx, placeFrom(where))
	for _, had := range all {
		if isPost(had, m.Key) {
			return outbox.Post{ID: had.Timestamp, File: fileIn(had.Blocks.BlockSet)}, true, nil
		}
	}
	return p, false, err
}

// Copies returns the posts of a message among the latest of its place; see
// [outbox.Platform].
func (o *poster) Copies(ctx context.Context, where outbox.Place, key string) (ids []string) {
	all, _ := o.latest(ctx, placeFrom(where)) // latest reports errors itself
	for _, had := range all {
		if isPost(had, key) {
			ids = append(ids, had.Timestamp)
		}
	}
	return ids
}

// isPost reports whether a message is our post with a key.
func isPost(m slack.Message, key string) bool {
	return m.Metadata.EventType == postEvent && m.Metadata.EventPayload["key"] == key
}

// latest returns the latest messages of a place. The app requests the scope to read its
// direct messages, and can read channels if it was installed with an earlier manifest.
func (o *poster) latest(ctx context.Context, at place) (all []slack.Message, err error) {
	const latest = 50
	kind := string(at.home) + " " + at.channel[:min(1, len(at.channel))]
	if _, refused := o.unreadable.get(kind); refused {
		return nil, nil
	}
	err = o.web.call(ctx, at.home, func(api *slack.Client) (err error) {
		if at.thread != "" {
			all, _, _, err = api.GetConversationRepliesContext(ctx, &slack.GetConversationRepliesParameters{ChannelID: at.channel, Timestamp: at.thread, Limit: latest, IncludeAllMetadata: true})
			return err
		}
		page, err := api.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{ChannelID: at.channel, Limit: latest, IncludeAllMetadata: true})
		if err == nil {
			all = page.Messages
		}
		return err
	})
	if isError(err, "missing_scope") {
		o.unreadable.add(kind, "")
	}
	return all, err
}

// update changes the text and blocks of a post.
func (o *poster) update(ctx context.Context, at place, ts string, said text.Text, blocks []slack.Block) error {
	return o.web.call(ctx, at.home, func(api *slack.Client) error {
		_, _, _, err := api.UpdateMessageContext(ctx, at.channel, ts,
			slack.MsgOptionText(o.names.in(at).fallback(said), false), slack.MsgOptionBlocks(blocks...))
		return err
	})
}

// link returns a URL that opens a place at the latest post. It queries Slack at most once
// an hour for each post.
func (o *poster) link(ctx context.Context, ch bot.ChannelID) string {
	at, err := placeOf(ch)
	if err != nil {
		return ""
	}
	e, err := o.box.Entry(ctx, string(at.id()))
	if err != nil || e.Latest.ID == "" {
		return at.link()
	}
	key := "link " + string(at.id()) + " " + e.Latest.ID
	defer o.locks.Lock("link " + string(at.id()))() // concurrent pages query it once
	if url, ok := o.links.get(key); ok {
		return url
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	var url string
	err = o.web.call(ctx, at.home, func(api *slack.Client) (err error) {
		url, err = api.GetPermalinkContext(ctx, &slack.PermalinkParameters{Channel: at.channel, Ts: e.Latest.ID})
		return err
	})
	if err != nil {
		o.Log.Info("can't look up a post's channel", "channel", at.id(), "error", err)
		return at.link()
	}
	o.links.add(key, url)
	return url
}

// lookTime is the time limit for optional data, such as the address of a post.
const lookTime = 2 * time.Second

// openerFor returns a function that opens a thread for a request, on a message that names its
// purpose. The same request gets the same thread.
func (o *poster) openerFor(at place, req bot.Request) func(context.Context, string) (bot.ChannelID, error) {
	return func(ctx context.Context, title string) (bot.ChannelID, error) {
		return o.threadFor(ctx, at, req.ID, title)
	}
}

// openThread opens a thread in a channel; see [bot.Platform.Aside].
func (o *poster) openThread(ctx context.Context, beside bot.ChannelID, key, title string, _ []bot.PlayerID) (bot.ChannelID, error) {
	at, err := placeOf(beside)
	if err != nil || at.channel == "" || at.thread != "" {
		return "", &bot.PostError{Permanent: true, Err: errors.Join(errors.New("only channels have threads"), err)}
	}
	return o.threadFor(ctx, at, key, title)
}

// postUnfolded waits for its turn in a channel and posts a message there, outside the
// outbox: no later post folds it.
func (o *poster) postUnfolded(ctx context.Context, at place, content ...slack.MsgOption) (ts string, err error) {
	where := o.outboxPlace(at)
	if err := o.box.TakeTurn(ctx, where); err != nil {
		return "", err
	}
	err = o.web.call(ctx, at.home, func(api *slack.Client) (err error) {
		defer o.box.RecordSent(where)
		_, ts, err = api.PostMessageContext(ctx, at.channel, content...)
		return err
	})
	return ts, err
}

// threadFor returns the thread of a key in a channel, and opens it if there is none yet.
func (o *poster) threadFor(ctx context.Context, at place, of, title string) (bot.ChannelID, error) {
	key := string(at.id()) + "\n" + of
	had, err := o.Notes.Get(ctx, asideShelf, key)
	if err != nil {
		return "", err
	}
	if had == nil {
		ts, err := o.postUnfolded(ctx, at, slack.MsgOptionText(escape(title), false), slack.MsgOptionBlocks(o.names.sections(text.Text{{Text: title, Strong: true}})...))
		if err != nil {
			return "", err
		}
		had = []byte(ts)
		if err := o.Notes.Put(ctx, asideShelf, key, had); err != nil {
			return "", err
		}
	}
	at.thread = string(had)
	return at.id(), o.box.Open(ctx, o.outboxPlace(at), outbox.Post{ID: at.thread})
}

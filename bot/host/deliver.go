package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/loops"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// deliveries hands posts to the platforms.
type deliveries struct {
	*desk

	// telling is held for reading while a post is made and delivered, and taken
	// for a moment to wait for those on their way.
	telling *sync.RWMutex

	mu sync.Mutex
	// putOff are the posts that this process has put off, for Retry: a hint.
	putOff map[uint64]bot.Post
	// underWay are the posts that this process is trying.
	underWay map[uint64]*trial

	left left
}

func newDeliveries(d *desk, telling *sync.RWMutex) *deliveries {
	return &deliveries{desk: d, telling: telling, putOff: map[uint64]bot.Post{}, underWay: map[uint64]*trial{}}
}

// mostAtOnce is how many posts of a platform are on their way at once, and
// postTime how long one may take until it is put off.
const (
	mostAtOnce = 32
	postTime   = time.Minute
)

// Deliver delivers the posts of one platform, until ctx is done. It wakes
// after each commit, of this process and as far as is known of others, and by
// itself when a post that was put off may be due. A lane whose post is on its
// way holds up no other.
func (h *deliveries) Deliver(ctx context.Context, platform string, p bot.Poster) error {
	me := h.loops.Hold(ctx, platform)
	defer me.End(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { h.loops.Watch(ctx, platform) })
	var busy atomic.Int64
	var full atomic.Bool // there may be more than were claimed
	return h.loops.Run(ctx, platform, func() (time.Time, error) {
		if err := me.Refresh(ctx); err != nil {
			return time.Time{}, err
		}
		free := mostAtOnce - int(busy.Load())
		if free == 0 {
			return time.Time{}, nil // the end of a post wakes the loop
		}
		name, held := me.Claim()
		queued := h.loops.Posted.Since()
		others, again := h.left.tables(h.Now(), &h.loops.Aside)
		posts, next, err := h.Store.ClaimPosts(ctx, name, platform, others, h.Now(), free)
		if err != nil {
			me.StartOver(ctx)
		}
		next = loops.Earlier(next, again)
		full.Store(len(posts) == free)
		for _, post := range posts {
			busy.Add(1)
			all.Go(func() {
				result := bot.Later
				if err := loops.Guard(func() error {
					result = h.deliver(ctx, held, post, p)
					return nil
				}); err != nil { // it stays claimed, and comes again with the next life of this loop
					h.setAside(ctx, postKey(post), setAsidePost(post, err))
				}
				busy.Add(-1)
				// Otherwise nothing waits, and the next commit wakes the loop.
				if !post.Last || result != bot.Done || full.Load() || queued(post.Channel) {
					h.loops.Rouse(platform)
				}
			})
		}
		return next, err
	})
}

// deliver tries one post, and takes it off the queue or puts it off.
func (h *deliveries) deliver(ctx context.Context, held func() bool, post bot.Post, p bot.Poster) (result bot.Result) {
	ctx = bot.ReadTogether(ctx, "post "+post.Kind, string(post.For), string(post.Channel), "", tableName(post.Table))
	is := &trial{post: post, log: h.Log().With("post", post.ID, "channel", post.Channel, "table", post.Table, "tries", post.Tries)}
	h.mu.Lock()
	delete(h.putOff, post.ID)
	h.underWay[post.ID] = is
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.underWay, post.ID)
		h.mu.Unlock()
	}()
	began, result := h.Now(), bot.Done
	defer func() { h.Observer.Post(post.Channel.Platform(), result, h.Now().Sub(began)) }()
	concluded, err := h.attempt(ctx, held, post, p)
	if !concluded {
		result = h.conclude(ctx, is, err)
		return result
	}
	h.loops.Aside.Done(postKey(post))
	if err != nil {
		is.log.Error("a post has arrived, and not all that goes with it", "error", err)
	}
	return result
}

// conclude takes a post off the queue that was tried, or puts it off.
func (h *deliveries) conclude(ctx context.Context, is *trial, err error) bot.Result {
	post, result := is.post, bot.Done
	var failed *bot.PostError
	switch {
	case err == nil:
	case errors.Is(err, feature.ErrNothingToTell):
		result = bot.Moot
	case ctx.Err() != nil:
		return bot.Later // it stays queued
	case errors.Is(err, bot.ErrUnreadable):
		// It is given back, for a newer host beside this one may be able to read it.
		is.log.Warn("a post is left to other hosts, as this one can't read its table", "error", err, "wait", untilAgain)
		h.loops.Aside.Fail(postKey(post), h.Now(), setAsidePost(post, err))
		h.left.leave(postKey(post), post.Table, h.Now())
		h.loops.Persist(ctx, "give a post back", func(ctx context.Context) error { return h.Store.Defer(ctx, post, h.Now()) })
		return bot.Later
	case errors.As(err, &failed) && failed.Permanent:
		result = bot.Refused
		is.log.Warn("post dropped", "error", err)
		if err := h.afterRefusal(context.WithoutCancel(ctx), post, failed); err != nil {
			is.log.Error("can't see to what was dropped", "error", err)
		}
	default:
		h.deferPost(ctx, is, err, failed)
		return bot.Later
	}
	h.loops.Aside.Done(postKey(post))
	h.loops.Persist(ctx, "mark a post as sent", func(ctx context.Context) error { return h.Store.Sent(ctx, post) })
	return result
}

// deferPost puts off a post that failed. failed is the platform's word of it, nil where
// that isn't what failed.
func (h *deliveries) deferPost(ctx context.Context, is *trial, err error, failed *bot.PostError) {
	post := is.post
	wait := loops.Backoff(post.Tries) // also where it may be another's: else it would stay ours
	if failed != nil {
		wait = max(wait, failed.RetryAfter)
	}
	until, again := h.Now().Add(wait), false
	if h.loops.Persist(ctx, "put a post off", func(ctx context.Context) error { return h.Store.Defer(ctx, post, until) }) {
		h.mu.Lock()
		h.putOff[post.ID] = post
		again = is.again
		h.mu.Unlock()
	}
	is.log.Warn("post put off", "error", err, "wait", wait)
	if failed == nil && !errors.Is(err, errSending) && !errors.Is(err, errLapsed) {
		h.loops.Aside.Fail(postKey(post), h.Now(), setAsidePost(post, err)) // the fault is ours
	}
	if again {
		h.Retry(ctx, func(ch bot.ChannelID) bool { return ch == post.Channel })
	}
}

// A trial is a post that is being tried.
type trial struct {
	post  bot.Post
	log   *slog.Logger
	again bool // Retry has been asked for meanwhile: what has failed may succeed now
}

func postKey(p bot.Post) string { return "post " + strconv.FormatUint(p.ID, 10) }

func setAsidePost(p bot.Post, err error) loops.SetAside {
	return loops.SetAside{What: "post " + p.Kind, Channel: p.Channel, Table: p.Table, Err: err}
}

// Retry tries at once what was put off; see [bot.Host]. What another process has
// put off waits for its time.
func (h *deliveries) Retry(ctx context.Context, there func(bot.ChannelID) bool) {
	var again []bot.Post
	h.mu.Lock()
	for _, is := range h.underWay {
		is.again = is.again || there(is.post.Channel)
	}
	for id, post := range h.putOff {
		if there(post.Channel) {
			again = append(again, post)
			delete(h.putOff, id)
		}
	}
	h.mu.Unlock()
	for _, post := range again {
		if err := h.Store.Defer(ctx, post, h.Now()); err != nil && !errors.Is(err, bot.ErrLost) {
			h.Log().Error("can't try a post at once; it is tried later", "post", post.ID, "channel", post.Channel, "error", err)
		}
		h.loops.Rouse(post.Channel.Platform())
	}
}

// errSending says that a platform didn't take a post.
var errSending = errors.New("it wasn't taken")

// sending is an error of a platform's.
func sending(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", errSending, err)
}

// errLapsed says that a post may be somebody else's by now.
var errLapsed = errors.New("the claim has lapsed")

// afterRefusal does what follows from a post that can never be delivered.
func (h *deliveries) afterRefusal(ctx context.Context, post bot.Post, why *bot.PostError) error {
	switch {
	case why.Closed && post.For != "":
		for _, f := range h.features {
			if f.Refused == nil {
				continue
			}
			if err := f.Refused(ctx, post); err != nil {
				return err
			}
		}
	case why.Gone && post.For == "":
		return h.ChannelGone(ctx, post.Channel)
	}
	return nil
}

// attempt makes a post's message and hands it to the platform, which may conclude
// its delivery itself. The error is feature.ErrNothingToTell where nobody needs the post any
// more.
func (h *deliveries) attempt(ctx context.Context, held func() bool, post bot.Post, p bot.Poster) (concluded bool, err error) {
	err = loops.Guard(func() (err error) {
		concluded, err = h.tryPost(ctx, held, post, p)
		return err
	})
	return concluded, err
}

// tryPost is attempt, but that it may panic.
func (h *deliveries) tryPost(ctx context.Context, held func() bool, post bot.Post, p bot.Poster) (concluded bool, err error) {
	if post.For.IsRobot() {
		return false, feature.ErrNothingToTell
	}
	if err := h.wanted(ctx, post); err != nil {
		return false, err
	}
	h.telling.RLock()
	defer h.telling.RUnlock()
	m, moot := h.message(ctx, post)
	recaller, recalls := p.(bot.Recaller)
	if moot != nil && (!recalls || m.Live == "" || !errors.Is(moot, feature.ErrNothingToTell)) {
		return false, moot
	}
	if !held() {
		return false, errLapsed
	}
	ctx, cancel := context.WithTimeout(ctx, postTime)
	defer cancel()
	m = m.In(h.tongueOf(ctx, m))
	if moot != nil {
		if err := recaller.Recall(ctx, m); err != nil {
			return false, sending(err)
		}
		return false, moot
	}
	clocked, err := h.clocked(ctx, post)
	if err != nil {
		return false, err
	}
	if clocked == nil {
		ctx, delivery := bot.Delivering(ctx, post, held)
		if err = p.Post(ctx, m); err == nil {
			h.sent(ctx, post)
		}
		return delivery.Done(), sending(err)
	}
	if err := p.Post(ctx, m); err != nil {
		return false, sending(err)
	}
	if err := h.shown.Note(context.WithoutCancel(ctx), post, ended(clocked), h.Now()); err != nil {
		h.Log().Error("can't note a post for the clock, which stands till the next", "table", post.Table, "error", err)
	}
	return false, nil
}

// sent tells the feature of a post that it has arrived.
func (h *deliveries) sent(ctx context.Context, post bot.Post) {
	if sent := h.posts[post.Kind].Sent; sent != nil {
		if err := sent(context.WithoutCancel(ctx), post); err != nil {
			h.Log().Error("can't note that a post has arrived", "post", post.ID, "channel", post.Channel, "error", err)
		}
	}
}

// wanted asks the features whether a post is wanted now, and what comes before it.
func (h *deliveries) wanted(ctx context.Context, post bot.Post) error {
	if post.For == "" && post.Kind != "" {
		return nil
	}
	for _, f := range h.features {
		if f.Send == nil {
			continue
		}
		if wanted, err := f.Send(ctx, post); err != nil || !wanted {
			return cmp.Or(err, feature.ErrNothingToTell)
		}
	}
	return nil
}

// message makes what a post says from its table's events. Where the error is
// feature.ErrNothingToTell, as the next post of the lane tells the same, the message has what
// it takes to recall one that was posted already.
func (h *deliveries) message(ctx context.Context, post bot.Post) (bot.Message, error) {
	if own := h.posts[post.Kind]; own.Apart {
		return own.Tell(ctx, post, table.Table{}, table.Table{}, bot.Message{Key: post.Key(), Kind: post.Kind, Channel: post.Channel})
	}
	ch, events, err := h.Store.Events(ctx, post.Table, -1)
	if err != nil {
		return bot.Message{}, fmt.Errorf("load table %d: %w", post.Table, err)
	}
	now, err := h.replay(ch, post.Table, events)
	if err != nil {
		return bot.Message{}, err
	}
	edit := post.Kind == table.CountKind
	if edit {
		var there bool
		if post, there, err = now.LatestPost(post); err != nil {
			return bot.Message{}, err
		}
		if !there {
			return bot.Message{}, feature.ErrNothingToTell
		}
	}
	t, err := now.At(post.To)
	if err != nil {
		return bot.Message{}, err
	}
	m := bot.Message{Key: post.Key(), Edit: edit, Kind: post.Kind, Channel: post.Channel, Table: post.Table, Number: post.To}
	return h.tell(ctx, post, t, now, m)
}

// tell has a message say what a post tells of a table, as it was then and as it is now.
func (h *deliveries) tell(ctx context.Context, post bot.Post, t, now table.Table, m bot.Message) (bot.Message, error) {
	for _, seat := range now.Seats {
		if !seat.Person.ID.IsRobot() {
			m.Players = append(m.Players, seat.Person.ID)
		}
	}
	if own, ok := h.posts[post.Kind]; ok {
		return own.Tell(ctx, post, t, now, m)
	}
	if post.For != "" {
		return h.rackMessage(ctx, t, post, m)
	}
	if t.Overtaken(now, post) {
		m.Live, m.Text = liveLobby, words.LobbyStory(t)
		return m, feature.ErrNothingToTell
	}
	m.Quiet, m.Over = robotic(t, post), t.Phase == game.Over
	if old, err := t.Outdated(now, post); err != nil {
		return bot.Message{}, err
	} else if old {
		return h.inALine(ctx, t, post, m)
	}
	var err error
	if m.Text, err = words.Story(t, post.From, now.State); err != nil {
		return bot.Message{}, err
	}
	if m.Text, err = h.hush(ctx, now, post, m.Text); err != nil {
		return bot.Message{}, err
	}
	if err = h.Board(ctx, t, &m); err != nil {
		return bot.Message{}, err
	}
	m.Menus = table.PollMenus(t)
	if m.Line, err = words.Brief(t, post.From); err != nil {
		return bot.Message{}, err
	}
	if err := h.live(ctx, t, post, &m); err != nil {
		return bot.Message{}, err
	}
	if t.Played() {
		if m.Beside, err = h.settings.Beside(ctx, post.Channel); err != nil {
			return bot.Message{}, err
		}
		if m.Ticker = m.Line; t.Phase == game.Over {
			m.Ticker = text.Say("The game is over. {last}.", words.Caption(t))
		}
	}
	return m, nil
}

// robotic reports whether a robot did what a post tells of, or is to move now.
func robotic(t table.Table, post bot.Post) bool {
	if t.Phase != game.Playing {
		return false
	}
	robot := func(seat int) bool { return seat >= 0 && seat < len(t.Seats) && t.Seats[seat].Person.ID.IsRobot() }
	if robot(t.Turn) {
		return true
	}
	for _, e := range t.Events[min(post.From, len(t.Events)):min(post.To, len(t.Events))] {
		switch f := e.Fact.(type) {
		case game.Played:
			return robot(f.Seat)
		case game.Exchanged:
			return robot(f.Seat)
		case game.Passed:
			return robot(f.Seat)
		}
	}
	return false
}

// The names of messages that are kept as they are now; see bot.Message.Live.
const (
	liveLobby = "lobby"
	liveBoard = "board"
)

// inALine tells of an outdated turn by the line that would be left of its message.
// Where there is one board, kept as it is now, that tells of it.
func (h *deliveries) inALine(ctx context.Context, t table.Table, post bot.Post, m bot.Message) (bot.Message, error) {
	rule, err := h.Rule(ctx, t.Channel, settings.Board)
	if err != nil {
		return bot.Message{}, err
	}
	if m.Text, err = words.Brief(t, post.From); err == nil && rule == settings.LiveBoard {
		m.Live, err = liveBoard, feature.ErrNothingToTell
	}
	return m, err
}

// live says which message a message takes the place of: a lobby's the lobby's,
// and where the place has set it, a board's the board's.
func (h *deliveries) live(ctx context.Context, t table.Table, post bot.Post, m *bot.Message) error {
	switch {
	case t.Phase == game.Lobby:
		opened := 1
		for opened < len(t.Events) && t.Events[opened].Cause == t.Events[0].Cause {
			opened++
		}
		m.Live, m.Whole = liveLobby, m.Text
		if post.From == 0 {
			return nil
		}
		opening, err := t.At(opened)
		if err != nil {
			return err
		}
		if m.Line, err = words.Brief(opening, 0); err != nil {
			return err
		}
		m.Whole = words.LobbyStory(t)
	case t.Played() && t.Phase != game.Over:
		if rule, err := h.Rule(ctx, t.Channel, settings.Board); err != nil || rule != settings.LiveBoard {
			return err
		}
		m.Live, m.Whole = liveBoard, m.Text
	}
	return nil
}

// hush is a text for everybody without the calls that people don't want now.
func (h *deliveries) hush(ctx context.Context, t table.Table, post bot.Post, said text.Text) (text.Text, error) {
	for _, f := range h.features {
		if f.Hush == nil {
			continue
		}
		var err error
		if said, err = f.Hush(ctx, t, post, said); err != nil {
			return nil, err
		}
	}
	return said, nil
}

// rackMessage tells a player in private what they hold now.
func (h *deliveries) rackMessage(ctx context.Context, t table.Table, post bot.Post, m bot.Message) (bot.Message, error) {
	seat, ok := t.SeatOf(post.For)
	if !ok {
		return m, &bot.PostError{Permanent: true, Err: fmt.Errorf("%s has no seat at table %d", post.For, t.ID)}
	}
	m.To = &t.Seats[seat].Person
	r := h.Rack(ctx, t, seat, bot.Request{})
	m.Text, m.Picture, m.Buttons, m.Menus = r.Text, r.Picture, r.Buttons, r.Menus
	m.Line = text.Say("Your earlier rack.")
	return m, nil
}

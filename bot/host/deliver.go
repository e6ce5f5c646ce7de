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
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// deliveries passes posts to the platforms.
type deliveries struct {
	*desk

	// telling is read-locked while a post is made and delivered. Locking it briefly waits for the
	// posts under way.
	telling *sync.RWMutex

	mu sync.Mutex
	// putOff holds the posts that this process has postponed, for Retry. It is only a hint.
	putOff map[uint64]bot.Post
	// underWay holds the posts that this process is trying.
	underWay map[uint64]*trial
	// unknown holds the posts that this process gave back because it doesn't know their kind.
	unknown map[uint64]givenBack

	left leftTables
}

func newDeliveries(d *desk, telling *sync.RWMutex) *deliveries {
	return &deliveries{desk: d, telling: telling, putOff: map[uint64]bot.Post{}, underWay: map[uint64]*trial{}, unknown: map[uint64]givenBack{}}
}

// mostAtOnce limits how many posts of a platform are under way at once. postTime limits how long
// one may take before it is postponed.
const (
	mostAtOnce = 32
	postTime   = time.Minute
)

// Deliver delivers the posts of one platform until ctx is done. It wakes after each commit, of this
// process and, as far as known, of others, and when a postponed post may be due. A queue whose post
// is under way doesn't hold up the others.
func (h *deliveries) Deliver(ctx context.Context, platform string, p bot.Poster) error {
	me := h.loops.Hold(ctx, platform)
	defer me.End(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { h.loops.Watch(ctx, platform) })
	var busy atomic.Int64
	var full atomic.Bool // there may be more than were claimed
	var looked time.Time
	return h.loops.Run(ctx, platform, func() (time.Time, error) {
		if err := me.Refresh(ctx); err != nil {
			return time.Time{}, err
		}
		if h.loops.WasPutBack(&looked) { // what was postponed would wait for the clock
			h.Retry(ctx, func(ch bot.ChannelID) bool { return ch.Platform() == platform })
		}
		free := mostAtOnce - int(busy.Load())
		if free == 0 {
			return time.Time{}, nil // the end of a post wakes the loop
		}
		name, held := me.Claim()
		queued := h.loops.Posted.Since()
		others, again := h.left.tables(h.Now(), &h.loops.Retries)
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
				}); err != nil { // it stays claimed until the loop starts over under a new name
					h.retryLater(ctx, postKey(post), setAsidePost(post, err))
				}
				busy.Add(-1)
				// If none of these is true, nothing waits, and the next commit wakes the loop.
				if !post.Last || result != bot.Done || full.Load() || queued(post.Channel) {
					h.loops.Rouse(platform)
				}
			})
		}
		return h.lateIfUnknown(next), err
	})
}

// deliver tries one post, and removes it from the queue or postpones it.
func (h *deliveries) deliver(ctx context.Context, held func() bool, post bot.Post, p bot.Poster) (result bot.Result) {
	ctx = bot.ReadTogether(ctx, "post "+post.Kind, string(post.For), string(post.Channel), "", tableName(post.Table))
	is := &trial{post: post, log: h.Log().With("post", post.ID, "channel", post.Channel, "table", post.Table, "tries", post.Tries)}
	h.mu.Lock()
	delete(h.putOff, post.ID)
	h.underWay[post.ID] = is
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		if h.underWay[post.ID] == is { // otherwise the next try has begun
			delete(h.underWay, post.ID)
		}
		h.mu.Unlock()
	}()
	began, result := h.Now(), bot.Done
	defer func() { h.Observer.Post(post.Channel.Platform(), result, h.Now().Sub(began)) }()
	concluded, err := h.attempt(ctx, held, post, p)
	if !concluded {
		result = h.conclude(ctx, is, err)
		return result
	}
	h.loops.Retries.Remove(postKey(post))
	if err != nil {
		is.log.Error("a post was delivered, but not all of its follow-ups", "error", err)
	}
	return result
}

// conclude removes a tried post from the queue, or postpones it.
func (h *deliveries) conclude(ctx context.Context, is *trial, err error) bot.Result {
	post, result := is.post, bot.Done
	var failed *bot.PostError
	switch {
	case err == nil:
	case errors.Is(err, feature.ErrNothingToTell):
		result = bot.Moot
	case ctx.Err() != nil:
		return bot.Later // it stays queued
	case errors.Is(err, errUnknownKind) && h.mayBeKnown(post):
		h.loops.Persist(ctx, "give a post back", func(ctx context.Context) error { return h.Store.Defer(ctx, post, h.Now().Add(untilOthers)) })
		return bot.Later
	case errors.Is(err, bot.ErrUnreadable):
		// Give it back: a newer host on the same store may be able to read it.
		is.log.Warn("leaving a post to other hosts, because this one can't read it", "error", err, "wait", untilAgain)
		h.loops.Retries.Fail(postKey(post), h.Now(), setAsidePost(post, err))
		h.left.leave(postKey(post), post.Table, h.Now())
		h.loops.Persist(ctx, "give a post back", func(ctx context.Context) error { return h.Store.Defer(ctx, post, h.Now()) })
		return bot.Later
	case errors.Is(err, errUnknownKind):
		result = bot.Moot
		is.log.Error("post dropped, because no host knows its kind", "kind", post.Kind)
	case errors.As(err, &failed) && failed.Permanent:
		result = bot.Refused
		is.log.Warn("post dropped", "error", err)
		if err := h.handleRefusal(context.WithoutCancel(ctx), post, failed); err != nil {
			is.log.Error("can't clean up after a dropped post", "error", err)
		}
	default:
		if failed != nil && failed.Blocked {
			if err := h.reportBlocked(context.WithoutCancel(ctx), post); err != nil {
				is.log.Error("can't notify a channel's managers of refused posts", "error", err)
			}
		}
		h.deferPost(ctx, is, err, failed)
		return bot.Later
	}
	h.loops.Retries.Remove(postKey(post))
	h.loops.Persist(ctx, "mark a post as sent", func(ctx context.Context) error { return h.Store.RemovePost(ctx, post) })
	return result
}

// errUnknownKind is returned for a post of a kind that this host doesn't know: a newer host queued it,
// or one with a feature that this one lacks.
var errUnknownKind = errors.New("unknown kind of post")

// A host gives back a post of an unknown kind for untilOthers, and then looks lateToUnknown
// later than other hosts, so that one of them can take it. After untilDropped no host knows the
// kind, and the post is dropped.
const (
	untilOthers   = 5 * time.Second
	lateToUnknown = time.Second
	untilDropped  = 30 * time.Minute
)

// mayBeKnown reports whether another host may still take a post of a kind that this one doesn't know.
func (h *deliveries) mayBeKnown(post bot.Post) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.Now()
	first := h.unknown[post.ID].first
	if first.IsZero() {
		first = now
		h.Log().Warn("leaving a post to other hosts, because this one doesn't know its kind", "post", post.ID, "channel", post.Channel, "kind", post.Kind)
	}
	h.unknown[post.ID] = givenBack{first, now}
	return now.Sub(first) < untilDropped
}

// givenBack says when a host first and last gave a post back.
type givenBack struct{ first, last time.Time }

// lateIfUnknown returns when to look for posts that may be tried at next: later than other hosts if
// this one has just given some back.
func (h *deliveries) lateIfUnknown(next time.Time) time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, is := range h.unknown {
		if h.Now().Sub(is.last) > 4*untilOthers {
			delete(h.unknown, id) // another has it, or it was dropped
		}
	}
	if len(h.unknown) == 0 || next.IsZero() {
		return next
	}
	return next.Add(lateToUnknown)
}

// deferPost postpones a post that failed. failed is the platform's error, or nil if the failure
// isn't the platform's.
func (h *deliveries) deferPost(ctx context.Context, is *trial, err error, failed *bot.PostError) {
	post := is.post
	wait := loops.Backoff(post.Tries) // even if the claim may have lapsed; else the post would stay claimed
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
	is.log.Warn("post postponed", "error", err, "wait", wait)
	if failed == nil && !errors.Is(err, errSending) && !errors.Is(err, errLapsed) {
		h.loops.Retries.Fail(postKey(post), h.Now(), setAsidePost(post, err)) // our fault
	}
	if again {
		h.Retry(ctx, func(ch bot.ChannelID) bool { return ch == post.Channel })
	}
}

// A trial is a post being tried.
type trial struct {
	post  bot.Post
	log   *slog.Logger
	again bool // Retry was called meanwhile, so what failed may succeed now
}

func postKey(p bot.Post) string { return "post " + strconv.FormatUint(p.ID, 10) }

func setAsidePost(p bot.Post, err error) loops.FailedTask {
	return loops.FailedTask{What: "post " + p.Kind, Channel: p.Channel, Table: p.Table, Err: err}
}

// Retry retries postponed posts at once; see [bot.Host]. Posts that other processes have postponed
// wait for their time.
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
			h.Log().Error("can't post at once; retrying later", "post", post.ID, "channel", post.Channel, "error", err)
		}
		h.loops.Rouse(post.Channel.Platform())
	}
}

// errSending marks a platform's error.
var errSending = errors.New("the platform didn't take it")

// wrapSendError wraps a platform's error.
func wrapSendError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", errSending, err)
}

// errLapsed is returned if another process may hold the post by now.
var errLapsed = errors.New("the claim has lapsed")

// handleRefusal handles the consequences of a post that can never be delivered.
func (h *deliveries) handleRefusal(ctx context.Context, post bot.Post, why *bot.PostError) error {
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

// reportBlocked tells the features that a platform refuses posts in a channel.
func (h *deliveries) reportBlocked(ctx context.Context, post bot.Post) error {
	for _, f := range h.features {
		if f.Blocked == nil {
			continue
		}
		if err := f.Blocked(ctx, post); err != nil {
			return err
		}
	}
	return nil
}

// attempt makes a post's message and passes it to the platform, which may conclude the delivery
// itself. It returns feature.ErrNothingToTell if the post isn't needed any more.
func (h *deliveries) attempt(ctx context.Context, held func() bool, post bot.Post, p bot.Poster) (concluded bool, err error) {
	err = loops.Guard(func() (err error) {
		concluded, err = h.tryPost(ctx, held, post, p)
		return err
	})
	return concluded, err
}

// tryPost does what attempt does, without the guard against panics.
func (h *deliveries) tryPost(ctx context.Context, held func() bool, post bot.Post, p bot.Poster) (concluded bool, err error) {
	if post.For.IsRobot() {
		return false, feature.ErrNothingToTell
	}
	if err := h.checkWanted(ctx, post); err != nil {
		return false, err
	}
	h.telling.RLock()
	defer h.telling.RUnlock()
	m, moot := h.message(ctx, post)
	recaller, recalls := p.(bot.Recaller)
	if moot != nil && (!recalls || m.Live == "" || !errors.Is(moot, feature.ErrNothingToTell)) {
		return false, moot
	}
	ctx, cancel := context.WithTimeout(ctx, postTime)
	defer cancel()
	m = m.In(h.postLocale(ctx, m))
	var clocked []game.Event
	if moot == nil {
		if clocked, err = h.clockedEvents(ctx, post); err != nil {
			return false, err
		}
	}
	if !held() { // last, since the store may have taken its time
		return false, errLapsed
	}
	if moot != nil {
		if err := recaller.Recall(ctx, m); err != nil {
			return false, wrapSendError(err)
		}
		return false, moot
	}
	if clocked == nil {
		ctx, delivery := bot.Delivering(ctx, post, held)
		if err = p.Post(ctx, m); err == nil {
			h.notifySent(ctx, post)
		}
		return delivery.Done(), wrapSendError(err)
	}
	if err := p.Post(ctx, m); err != nil {
		return false, wrapSendError(err)
	}
	if err := h.shown.Note(context.WithoutCancel(ctx), post, isEnded(clocked), h.Now()); err != nil {
		h.Log().Error("can't record when a post arrived, so its clock starts late", "table", post.Table, "error", err)
	}
	return false, nil
}

// notifySent tells a post's feature that it has arrived.
func (h *deliveries) notifySent(ctx context.Context, post bot.Post) {
	if sent := h.posts[post.Kind].Sent; sent != nil {
		if err := sent(context.WithoutCancel(ctx), post); err != nil {
			h.Log().Error("can't record a delivered post", "post", post.ID, "channel", post.Channel, "error", err)
		}
	}
}

// checkWanted asks the features whether a post is still wanted, and lets them act before it.
func (h *deliveries) checkWanted(ctx context.Context, post bot.Post) error {
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

// message makes a post's message from its table's events. If the next post of its queue says the
// same, it returns feature.ErrNothingToTell with a message that can recall an earlier one.
func (h *deliveries) message(ctx context.Context, post bot.Post) (bot.Message, error) {
	own, known := h.posts[post.Kind]
	switch {
	case !known && post.Kind != "" && post.Kind != table.CountKind:
		return bot.Message{}, errUnknownKind
	case own.Apart:
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

// tell writes a message about a post's events, given the table then and now.
func (h *deliveries) tell(ctx context.Context, post bot.Post, t, now table.Table, m bot.Message) (bot.Message, error) {
	var names []text.Text
	for _, seat := range now.Seats {
		names = append(names, text.Text{text.PlainName(seat.Person)})
		if !seat.Person.ID.IsRobot() {
			m.Players = append(m.Players, seat.Person.ID)
		}
	}
	m.Title = text.Join(names, " · ")
	if own, ok := h.posts[post.Kind]; ok {
		return own.Tell(ctx, post, t, now, m)
	}
	if post.For != "" {
		return h.rackMessage(ctx, t, post, m)
	}
	if t.IsOvertaken(now, post) {
		m.Live, m.Text = liveLobby, words.LobbyStory(t)
		return m, feature.ErrNothingToTell
	}
	m.Quiet, m.Over = involvesRobot(t, post), t.Phase == game.Over
	if old, err := t.IsOutdated(now, post); err != nil {
		return bot.Message{}, err
	} else if old {
		return h.shortenOutdated(ctx, t, post, m)
	}
	var err error
	if m.Text, err = words.Story(t, post.From, now.State); err != nil {
		return bot.Message{}, err
	}
	if m.Text, err = h.removeCalls(ctx, now, post, m.Text); err != nil {
		return bot.Message{}, err
	}
	if post.From == 0 {
		m.Text = text.Lines(m.Text, words.FairDraws(t.State))
	}
	if err = h.Board(ctx, t, &m); err != nil {
		return bot.Message{}, err
	}
	m.Menus = table.PollMenus(t)
	if m.Line, err = words.Brief(t, post.From); err != nil {
		return bot.Message{}, err
	}
	if err := h.chooseReplaced(ctx, t, post, &m); err != nil {
		return bot.Message{}, err
	}
	m.News = t.Phase == game.Playing && table.HasLongTurns(t.Rules)
	if m.Over && t.IsDealt() {
		m.Result = text.Say("The game is over. {last}.", words.Caption(t))
		err = h.endCard(ctx, t, &m)
	}
	return m, err
}

// endCard adds the card of a finished game to its message, where a place has one post for a game:
// the result, what the features add to it, and the buttons for what comes next.
func (h *deliveries) endCard(ctx context.Context, t table.Table, m *bot.Message) error {
	if !h.Platform(t.Channel).OneBoard || t.End == nil {
		return nil
	}
	rule, err := h.Rule(ctx, t.Channel, settings.Board)
	if err != nil || rule != settings.LiveBoard {
		return err
	}
	lines := []text.Text{view.Result(t)}
	for _, f := range h.features {
		if f.Result == nil {
			continue
		}
		line, err := f.Result(ctx, t)
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	m.Whole = text.Lines(lines...)
	m.Buttons, err = h.withMore(ctx, t, table.EndButtons(t))
	return err
}

// involvesRobot reports whether a robot caused a post's events, or is to move now.
func involvesRobot(t table.Table, post bot.Post) bool {
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

// The names of messages that are kept up to date; see bot.Message.Live.
const (
	liveLobby = "lobby"
	liveBoard = "board"
)

// shortenOutdated writes the message of an outdated turn as one line. If the place keeps one
// board up to date, or refuses posts, it returns feature.ErrNothingToTell: the next post is
// enough.
func (h *deliveries) shortenOutdated(ctx context.Context, t table.Table, post bot.Post, m bot.Message) (bot.Message, error) {
	rule, err := h.Rule(ctx, t.Channel, settings.Board)
	if err != nil {
		return bot.Message{}, err
	}
	if m.Text, err = words.Brief(t, post.From); err == nil && (rule == settings.LiveBoard || feature.Obstacle(ctx, h.desk, t.Channel) != nil) {
		m.Live, err = liveBoard, feature.ErrNothingToTell
	}
	return m, err
}

// chooseReplaced decides which message a message replaces: the lobby's replaces the lobby's, and a board's
// replaces the board's if the place has set that.
func (h *deliveries) chooseReplaced(ctx context.Context, t table.Table, post bot.Post, m *bot.Message) error {
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
	case t.IsDealt() && t.Phase != game.Over:
		if rule, err := h.Rule(ctx, t.Channel, settings.Board); err != nil || rule != settings.LiveBoard {
			return err
		}
		m.Live, m.Whole = liveBoard, m.Text
	}
	return nil
}

// removeCalls removes the calls that people don't want now from a public text.
func (h *deliveries) removeCalls(ctx context.Context, t table.Table, post bot.Post, said text.Text) (text.Text, error) {
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

// rackMessage tells a player in private what is on their rack.
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

package competition

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file contains the code that leagues and tournaments share. It stores, finds and
// changes them, and gives their games tables and results.

// A phase is a stage of a tournament or a league.
type phase string

const (
	entering phase = "entering"
	under    phase = "under way"  // a tournament
	ended    phase = "ended"      // a tournament
	off      phase = "called off" // a tournament
	playing  phase = "playing"    // a league's season
	over     phase = "over"       // a league
)

// A head is the part of a stored competition that leagues and tournaments share.
type head struct {
	V       int               `json:"v"` // 1
	No      int               `json:"no"`
	Cause   string            `json:"cause"` // the request that began it
	Name    string            `json:"name"`
	Channel bot.ChannelID     `json:"channel"`
	Home    string            `json:"home,omitempty"`
	At      time.Time         `json:"at"`
	Phase   phase             `json:"phase"`
	Table   map[string]string `json:"table,omitempty"` // options of /new for its tables
}

func (h *head) top() *head { return h }

// A competition is a pointer to a T that has a head.
type competition[T any] interface {
	*T
	top() *head
}

// shared holds what leagues and tournaments need of the host and of other features.
type shared struct {
	desk feature.Desk
	own  *shelf.Owner
	Others
	club *clubs
}

// Others holds what the package needs of the host and of other features.
type Others struct {
	URL      string // see [feature.Resources]
	Settings *settings.Settings
	// Read has all features parse their options of a command that opens a table.
	Read func(o *feature.Opening) error
	// Rating returns a player's rating on this host, 0 if they have none.
	Rating func(ctx context.Context, who game.PlayerID) (int, error)
	// Page returns the path of a table's page.
	Page func(ctx context.Context, id bot.TableID) (string, error)
	// Files returns a finished game as files, its moves first.
	Files func(table.Table) ([]bot.File, error)
}

// A book stores the competitions of one kind, and where their games are played.
type book[T any, P competition[T]] struct {
	shared
	kind  string // of the timers that check one, and the prefix of the causes of changes
	rows  *shelf.Shelf[shelf.Mark, T]
	count *shelf.Shelf[shelf.Mark, int] // how many there have been
	// where maps a channel to its competition, and to the game that is played there.
	where *shelf.Shelf[shelf.Channel, whereRow]
	arg   string // the argument by which a button names one, and the path of their pages
	// none returns the refusal of a request in a channel without one.
	none func(bot.Request) error
}

// A whereRow maps a channel to a competition. Without a round it is the competition's own
// channel, otherwise the place of a game.
type whereRow struct {
	V        int `json:"v"` // 1
	No       int `json:"no"`
	Season   int `json:"season,omitempty"`   // of a league
	Division int `json:"division,omitempty"` // of a league
	spot
	Late bool `json:"late,omitempty"` // the season ended before the game, which no longer counts
}

// isGame reports whether the row names a game, not the channel of a competition.
func (r whereRow) isGame() bool { return r.Round != 0 || r.Season != 0 }

// A spot names a place of play: a pairing of a round, or one of its boards. Tournaments
// count from 1, leagues from 0.
type spot struct {
	Round   int `json:"round"`
	Pairing int `json:"pairing"`
	Board   int `json:"board,omitempty"` // from 1
}

// newBook opens the shelves of one kind of competition.
func newBook[T any, P competition[T]](s shared, noun, arg string, none func(bot.Request) error, rows shelf.Spec[shelf.Mark, T]) book[T, P] {
	rows.Sharing = noun + "s"
	rows.Places = func(v T) []string { return []string{string(P(&v).top().Channel), P(&v).top().Home} }
	return book[T, P]{
		s,
		noun,
		shelf.Open(s.own, noun+"s", rows),
		shelf.Open(s.own, noun+" count", shelf.Spec[shelf.Mark, int]{Why: "how many " + noun + "s there have been"}),
		shelf.Open(s.own, noun+" places", shelf.Spec[shelf.Channel, whereRow]{Why: "which " + noun + " a channel belongs to, and which of its games is played there"}),
		arg, none,
	}
}

// find returns the competition that a request is about: the one that its button names, or
// the one of its channel.
func (b *book[T, P]) find(ctx context.Context, req bot.Request) (v T, found bool, err error) {
	no, err := strconv.Atoi(req.Args[b.arg])
	if err != nil {
		row, ok, err := b.where.Get(ctx, shelf.Channel(req.Channel))
		if err != nil || !ok {
			return v, false, err
		}
		no = row.No
	}
	return b.get(ctx, no)
}

// require returns the competition that a request is about. Without one it refuses the
// request.
func (b *book[T, P]) require(ctx context.Context, req bot.Request) (T, error) {
	v, found, err := b.find(ctx, req)
	if err == nil && !found {
		err = b.none(req)
	}
	return v, err
}

// An asker is the person who makes a request, with all their linked ids.
type asker struct {
	bot.User
	ids     []game.PlayerID
	manages bool
}

func (s shared) asker(ctx context.Context, req bot.Request) (asker, error) {
	ids, err := s.desk.Identities(ctx, req.User.ID)
	return asker{req.User, ids, req.Manager}, err
}

// requireAsker returns the competition that a request is about, and the person who makes it.
func (b *book[T, P]) requireAsker(ctx context.Context, req bot.Request) (v T, a asker, err error) {
	if v, err = b.require(ctx, req); err == nil {
		a, err = b.asker(ctx, req)
	}
	return v, a, err
}

// requireChannel refuses a table's own place beside a channel.
func (s shared) requireChannel(ctx context.Context, ch bot.ChannelID) error {
	of, err := s.Settings.OpenChannel(ctx, ch)
	if err == nil && of != ch {
		err = words.Refusing("This is a table's own place. Do that in a channel.")
	}
	return err
}

// net is the delay after which the consequences of a change are checked again, in case the
// process stopped before it had handled them.
const net = time.Minute

// change changes a competition and schedules a check for the consequences.
func (b *book[T, P]) change(ctx context.Context, no int, cause string, fn func(*T) error) (v T, err error) {
	v, found, err := b.get(ctx, no)
	if err != nil || !found {
		return v, err
	}
	if err := b.look(ctx, v, cause+":net", b.desk.Now().Add(net)); err != nil {
		return v, err
	}
	if v, err = b.update(ctx, no, fn); err != nil || P(&v).top().V == 0 {
		return v, err
	}
	return v, b.look(ctx, v, cause+":look", b.desk.Now())
}

// findDue returns the competition that a timer is about. A timer from before competitions had
// numbers belongs to the competition of its channel.
func (b *book[T, P]) findDue(ctx context.Context, timer bot.Timer) (v T, found bool, err error) {
	if timer.Number == 0 {
		return b.find(ctx, bot.Request{Channel: timer.Channel})
	}
	return b.get(ctx, timer.Number)
}

// isRepeat reports whether a request was carried out before, so that a repeat gets the same
// answer.
func (b *book[T, P]) isRepeat(ctx context.Context, v T, cause string) (done bool, err error) {
	err = b.desk.Update(ctx, P(&v).top().Channel, b.kind+":"+cause+":net", func(r *feature.Room) error {
		done = r.Receipt() != nil
		return nil
	})
	return done, err
}

// begin stores a new competition for its channel; a repeated request returns the same one.
// older is called with the channel's previous competition and returns an error if that is
// still on.
func (b *book[T, P]) begin(ctx context.Context, v T, older func(T) error) (T, error) {
	cause := P(&v).top().Cause
	if err := b.look(ctx, v, cause+":net", b.desk.Now().Add(net)); err != nil {
		return v, err
	}
	err := b.own.Change(ctx, func(tx shelf.Tx) error {
		h := P(&v).top()
		at := shelf.Channel(h.Channel)
		row, found, err := b.where.In(tx).Get(at)
		if err != nil {
			return err
		}
		if found {
			old, there, err := b.rows.In(tx).Get(numberKey(row.No))
			switch {
			case err != nil:
				return err
			case there && P(&old).top().Cause == h.Cause:
				v = old
				return nil
			case there:
				if err := older(old); err != nil {
					return err
				}
			}
		}
		if h.No, err = b.next(tx); err != nil {
			return err
		}
		if err := b.where.In(tx).Put(at, whereRow{V: 1, No: h.No}); err != nil {
			return err
		}
		return b.rows.In(tx).Put(numberKey(h.No), v)
	})
	if err != nil {
		return v, err
	}
	return v, b.look(ctx, v, cause+":look", b.desk.Now())
}

// posting returns the handling of a kind of post. It loads the competition that the post
// is from, and tell fills in the message.
func (b *book[T, P]) posting(tell func(ctx context.Context, v P, post bot.Post, m bot.Message) (bot.Message, error)) feature.Posting {
	return feature.Posting{Apart: true, Tell: func(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
		v, found, err := b.get(ctx, post.From)
		if err != nil || !found {
			return m, nothingIfNil(err)
		}
		return tell(ctx, &v, post, m)
	}}
}

// nothingIfNil returns err, or [feature.ErrNothingToTell] if it is nil.
func nothingIfNil(err error) error {
	return cmp.Or(err, feature.ErrNothingToTell)
}

// withPage adds a button for a competition's page to a message in a channel. Without a public
// address, only the room can open the page.
func (b *book[T, P]) withPage(ctx context.Context, at bot.ChannelID, no int, label text.Text, buttons []bot.Button) ([]bot.Button, error) {
	if b.URL == "" && !b.desk.Platform(at).Boards {
		return buttons, nil
	}
	key, err := b.pageKey(ctx, no)
	return append(buttons, bot.Button{Label: label, Link: b.URL + "/" + b.arg + "/" + key}), err
}

// button returns a button for a command, with arguments as alternating names and values.
func button(command string, label text.Text, style bot.Style, pairs ...string) bot.Button {
	args := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	return bot.Button{ID: bot.ButtonID(0, 0, command, args), Label: label, Style: style}
}

// person returns a contest player as a user.
func person(p contest.Player) bot.User { return bot.User{ID: game.PlayerID(p.ID), Name: p.Name} }

func nameSpans(all []bot.User) (spans []text.Span) {
	for _, u := range all {
		spans = append(spans, text.Name(u))
	}
	return spans
}

// number parses an option that takes a number from least to most; usual is the default.
func number(args map[string]string, option string, usual, least, most int) (int, error) {
	typed := args[option]
	if typed == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < least || n > most {
		return 0, words.Refusing("{option} takes a number from {least} to {most}, not {value}.", text.Code(option), least, most, text.Code(text.Shorten(typed, bot.MaxName)))
	}
	return n, nil
}

// opening parses the options of a competition's tables. The request says who sits down, and
// in which channel.
func (s shared) opening(ctx context.Context, h *head, req bot.Request) (o feature.Opening, err error) {
	req.Args, req.Home = maps.Clone(h.Table), h.Home
	delete(req.Args, "hints")
	at := req.Channel
	req.Channel = h.Channel
	o, err = feature.OpeningOf(ctx, s.desk, s.Settings, s.Read, req)
	o.Request.Channel = at
	return o, err
}

// openPlace opens a thread beside a competition's channel, and records which game is played
// there. The same key opens the same thread. On a platform without threads, the error is a
// permanent [bot.PostError].
func (b *book[T, P]) openPlace(ctx context.Context, h *head, key string, title text.Text, who []bot.PlayerID, row whereRow) (bot.ChannelID, error) {
	aside := b.desk.Platform(h.Channel).Aside
	if aside == nil {
		return "", &bot.PostError{Permanent: true, Err: errors.New("there are no places beside the channel")}
	}
	to, err := b.Settings.ChannelLocale(ctx, h.Channel)
	if err != nil {
		return "", err
	}
	ch, err := aside(ctx, h.Channel, key, title.In(to).String(), who)
	if err != nil {
		return "", err
	}
	if err := b.Settings.KeepBeside(ctx, ch, h.Channel); err != nil {
		return "", err
	}
	if err := b.Settings.KeepHome(ctx, bot.Request{Channel: ch, Home: h.Home}, to.Code); err != nil {
		return "", err
	}
	row.V, row.No = 1, h.No
	return ch, b.where.Put(ctx, shelf.Channel(ch), row)
}

// isLastingRefusal reports whether an error is permanent, so that no thread can be opened beside a
// channel, and logs it.
func (s shared) isLastingRefusal(h *head, err error) bool {
	var no *bot.PostError
	if !errors.As(err, &no) || !no.Permanent {
		return false
	}
	s.desk.Log().Warn("can't open a place for a game", "channel", h.Channel, "error", err)
	return true
}

// linkTo returns the address of a place, or "" if the platform knows no addresses.
func (s shared) linkTo(ctx context.Context, h *head, ch bot.ChannelID) string {
	link := s.desk.Platform(ch).Link
	if link == nil || ch == "" {
		return ""
	}
	return link(ctx, ch, h.Home)
}

// endedGame returns the finished game that a timer is about, and its row, which tells which
// game of which competition it was. If it belongs to none or isn't over, ok is false.
func (b *book[T, P]) endedGame(ctx context.Context, timer bot.Timer) (row whereRow, t table.Table, ok bool, err error) {
	row, found, err := b.where.Get(ctx, shelf.Channel(timer.Channel))
	if err != nil || !found || !row.isGame() {
		return row, t, false, err
	}
	t, err = feature.LoadTable(ctx, b.desk, timer.Table)
	return row, t, err == nil && t.End != nil, err
}

// gameTimer schedules the count of a game that has just ended, even if its row can't be
// read.
func (b *book[T, P]) gameTimer(ctx context.Context, s feature.Step) []bot.Timer {
	if s.After.Phase != game.Over || s.After.End == nil {
		return nil
	}
	if row, found, err := b.where.Get(ctx, shelf.Channel(s.Before.Channel)); err == nil && (!found || !row.isGame()) {
		return nil
	}
	return []bot.Timer{{At: s.Last().At, Kind: b.kind + " game", Number: s.After.Number}}
}

// resultOf returns the result of a finished game between a and b. If nobody won or lost, ok
// is false.
//
// If a player resigned or ran out of time, the scores stand if they lose by more than a
// forfeit costs; otherwise it is a forfeit. So nobody saves spread by resigning.
func resultOf(a, b contest.Player, t table.Table) (r contest.Result, ok bool) {
	seats, seated := seatsOf(t, a, b)
	if !seated || len(t.End.Winners) == 0 {
		return r, false
	}
	won := func(side contest.Side) bool { return slices.Contains(t.End.Winners, seats[side]) }
	r = contest.Result{How: contest.Played, Scores: [2]int{t.Seats[seats[0]].Score, t.Seats[seats[1]].Score}}
	if won(contest.A) && won(contest.B) {
		return r, true
	}
	winner := contest.A
	if won(contest.B) {
		winner = contest.B
	}
	lead := r.Scores[winner] - r.Scores[winner.Other()]
	early := t.End.Reason == game.ResignationEnd || t.End.Reason == game.OvertimeEnd || t.End.Reason == game.TripleEnd
	if lead <= 0 || early && lead < contest.ForfeitSpread {
		return contest.Forfeit(winner.Other()), true
	}
	return r, true
}

// seatsOf returns the seats of two opponents. While a player is being erased, one of them
// may have another name at the table than in the pairing; they have the seat that isn't the
// opponent's.
func seatsOf(t table.Table, a, b contest.Player) (seats [2]int, ok bool) {
	x, here := t.SeatOf(game.PlayerID(a.ID))
	y, there := t.SeatOf(game.PlayerID(b.ID))
	switch {
	case len(t.Seats) != 2 || !here && !there:
		return seats, false
	case !here:
		x = 1 - y
	case !there:
		y = 1 - x
	}
	return [2]int{x, y}, true
}

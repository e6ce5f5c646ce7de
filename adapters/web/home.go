package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"rsc.io/qr"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// This file serves the page's home: a person's games, games to join or watch, and pairing
// with others who want to play now. A game of two people paired this way is in their
// conversation, and fills no channel.

// homes serves the home of the page.
type homes struct {
	host      bot.Host
	notes     bot.Notes
	now       func() time.Time
	commands  *commands
	invites   func(ctx context.Context, by string, to stream, i Invitation) (link string, err error)
	listeners *listeners
	members   *members
	keys      pages.Keys
	streams   *streams
	pages     []bot.Pages
}

// A gameInfo is a game in a list.
type gameInfo struct {
	Page    string           `json:"page"`
	Stream  stream           `json:"stream"`
	Phase   string           `json:"phase"`
	Players []playerInfo     `json:"players"`
	Seats   int              `json:"seats"`
	Mine    bool             `json:"mine,omitempty"`  // whether the asker sits there
	Turn    bool             `json:"turn,omitempty"`  // whether it is their turn
	Until   int64            `json:"until,omitempty"` // as in bot.Scene
	Board   pages.SmallBoard `json:"board"`

	moved    time.Time // as in bot.Scene
	interest int
}

// An eventInfo is a link to the page of a competition under way.
type eventInfo struct {
	Page string `json:"page"`
	Name string `json:"name"`
}

type playerInfo struct {
	Name   string `json:"name"`
	Score  int    `json:"score"`
	ToMove bool   `json:"toMove,omitempty"`
	Robot  bool   `json:"robot,omitempty"`
	Own    bool   `json:"own,omitempty"`
}

// games lists a person's own games, and with All also the games in channels.
func (hs *homes) games(ctx context.Context, who person, in struct {
	All bool `json:"all"`
}) (any, error) {
	var out struct {
		Mine    []gameInfo `json:"mine"`
		Open    []gameInfo `json:"open"`    // games with a free seat, or not yet begun at the asker's seat
		Running []gameInfo `json:"running"` // the most interesting first
		// Finished lists the week's best finished games, if few are running.
		Finished []gameInfo `json:"finished"`
		// Events lists the competitions under way in channels.
		Events  []eventInfo `json:"events"`
		Waiting bool        `json:"waiting"` // whether the asker waits for an opponent
		Seeks   []seek      `json:"seeks"`   // others who wait
	}
	out.Mine, out.Open, out.Running, out.Finished, out.Events, out.Seeks = []gameInfo{}, []gameInfo{}, []gameInfo{}, []gameInfo{}, []eventInfo{}, []seek{}
	mine, err := hs.host.Games(ctx, who.player())
	if err != nil {
		return nil, err
	}
	listed := map[bot.TableID]bool{}
	for _, g := range mine {
		s, ours := streamOf(g.Channel)
		if !ours {
			continue
		}
		listed[g.Table] = true
		one, err := hs.loadGame(ctx, who, s, g.Table)
		if errors.Is(err, bot.ErrNoTable) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out.Mine = append(out.Mine, one)
	}
	if out.Waiting, out.Seeks, err = hs.isWaiting(ctx, who); err != nil || !in.All {
		return out, err
	}
	channels, err := hs.streams.publicStreams(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range channels {
		events, err := hs.events(ctx, s)
		if err != nil {
			return nil, err
		}
		out.Events = append(out.Events, events...)
		one, err := hs.loadGame(ctx, who, s, 0)
		switch {
		case errors.Is(err, bot.ErrNoTable) || err == nil && slices.ContainsFunc(out.Mine, func(g gameInfo) bool { return g.Page == one.Page }):
		case err != nil:
			return nil, err
		case one.Phase == "over":
			if len(one.Players) > 1 && hs.now().Sub(one.moved) < week {
				out.Finished = append(out.Finished, one)
			}
		case one.Phase == "lobby":
			out.Open = append(out.Open, one)
		default:
			out.Running = append(out.Running, one)
		}
	}
	slices.SortStableFunc(out.Running, func(a, b gameInfo) int { return b.interest - a.interest })
	slices.SortStableFunc(out.Finished, func(a, b gameInfo) int { return b.points() - a.points() })
	out.Running = out.Running[:min(len(out.Running), gamesAtHome)]
	out.Finished = out.Finished[:min(len(out.Finished), gamesAtHome-len(out.Running))]
	return out, nil
}

const (
	gamesAtHome = 3 // maximum of others' games on the page
	week        = 7 * 24 * time.Hour
)

// events lists the competitions under way in a stream.
func (hs *homes) events(ctx context.Context, s stream) (all []eventInfo, err error) {
	for _, p := range hs.pages {
		if p.Running == nil {
			continue
		}
		key, title, err := p.Running(ctx, s.channelID())
		if err != nil {
			return nil, err
		}
		if key != "" {
			all = append(all, eventInfo{strings.Replace(p.Path, "{key}", key, 1), title})
		}
	}
	return all, nil
}

// points returns the sum of a game's scores.
func (g gameInfo) points() (sum int) {
	for _, p := range g.Players {
		sum += p.Score
	}
	return sum
}

// isHere reports whether a player of the room is present.
func (hs *homes) isHere(who bot.PlayerID) bool {
	id, ours := memberID(who)
	return ours && hs.listeners.isConnected(id)
}

// loadGame returns a table for a list: the one with id t, or the stream's if t is 0.
func (hs *homes) loadGame(ctx context.Context, who person, s stream, t bot.TableID) (one gameInfo, err error) {
	req := hs.commands.request(who, s, "", pages.Screen{})
	req.Table = t
	sight, err := hs.host.Sight(ctx, req)
	if err != nil {
		return one, err
	}
	if err := hs.members.nameNow(ctx, &sight); err != nil {
		return one, err
	}
	one = gameInfo{Stream: s, Phase: sight.Phase, Seats: sight.Seats, Until: sight.Until, Players: []playerInfo{}, Board: pages.SmallBoardOf(sight.Scene), moved: sight.Moved, interest: interest(sight.Scene, hs.isHere, hs.now())}
	for _, p := range sight.Players {
		own := p.ID == who.player()
		one.Mine = one.Mine || own
		one.Turn = one.Turn || own && p.ToMove
		one.Players = append(one.Players, playerInfo{p.Name, p.Score, p.ToMove, p.Robot, own})
	}
	one.Page, err = hs.keys.Path(ctx, sight.Table)
	return one, err
}

// ---- Pairing of people who want to play now.

// A storedWait is a person who waits for any opponent, in the notes' shelf "waiting", by
// their id.
type storedWait struct {
	V       int               `json:"v"` // 1
	At      time.Time         `json:"at"`
	Options map[string]string `json:"options,omitempty"` // of /new, for the game
}

// A seek is a person who waits, as others see them.
type seek struct {
	ID      string            `json:"id"`
	Name    string            `json:"name"`
	Options map[string]string `json:"options"`
}

const waitingShelf = "waiting"

// mostWaiting limits the number of waiting people considered. longestWait limits how long
// absent people stay on the list.
const (
	mostWaiting = 200
	longestWait = 30 * time.Minute
)

// isWaiting reports whether a person waits, and returns the suitable people who wait.
func (hs *homes) isWaiting(ctx context.Context, who person) (waits bool, others []seek, err error) {
	rows, err := hs.notes.Scan(ctx, waitingShelf, "", "", mostWaiting)
	if err != nil {
		return false, nil, err
	}
	others = []seek{}
	for _, row := range rows {
		if row.Key == who.ID {
			waits = true
			continue
		}
		ok, err := hs.isSuitable(ctx, who, row.Key)
		if err != nil {
			return false, nil, err
		}
		p, found, err := hs.members.person(ctx, row.Key)
		if err != nil {
			return false, nil, err
		}
		if ok && found {
			w, _ := readWait(row.Value) // an unreadable row has the usual options
			others = append(others, seek{p.ID, p.Name, w.options()})
		}
	}
	return waits, others, nil
}

// readWait decodes a row of the shelf.
func readWait(b []byte) (w storedWait, err error) {
	err = json.Unmarshal(b, &w)
	return w, err
}

// options returns the options of the game that a person waits for. Rows of earlier versions
// have none.
func (w storedWait) options() map[string]string {
	if len(w.Options) == 0 {
		return map[string]string{"clock": clockForAny}
	}
	return w.Options
}

// isSuitable reports whether a waiting person is present, and neither has blocked the other.
func (hs *homes) isSuitable(ctx context.Context, who person, id string) (bool, error) {
	if !hs.listeners.isConnected(id) {
		return false, nil
	}
	other := person{ID: id}.player()
	one, err1 := hs.host.Blocks(ctx, who.player(), other)
	two, err2 := hs.host.Blocks(ctx, other, who.player())
	return !one && !two, errors.Join(err1, err2)
}

// clockForAny is the clock for strangers who play now and name no options.
const clockForAny = "15m"

// optionsToWait matches the values of the options that a person can wait with. Other options
// take a table of their own, so that an opponent sees them before sitting down.
var optionsToWait = map[string]*regexp.Regexp{
	"clock": regexp.MustCompile(`^[1-9][0-9]?m(\+[1-9][0-9]?s)?$`), "pace": regexp.MustCompile(`^([1-9]|1[0-9])[hd]$`), "language": regexp.MustCompile(`^[a-z-]{2,12}$`),
}

// checkOptions returns an error if a person can't wait for a game with these options.
func checkOptions(options map[string]string) error {
	for name, value := range options {
		if valid := optionsToWait[name]; valid == nil || !valid.MatchString(value) {
			return pages.ErrUnread
		}
	}
	return nil
}

// wait pairs a person with one who waits for such a game, or puts them on the list. With
// With, it pairs them with that person, whatever game they wait for. With Off, it takes them
// off the list.
func (hs *homes) wait(ctx context.Context, who person, in struct {
	ID      string            `json:"id"`
	Off     bool              `json:"off"`
	With    string            `json:"with"`
	Options map[string]string `json:"options"`
}) (any, error) {
	if !pages.IsClientID(in.ID) {
		return nil, pages.ErrUnread
	}
	if err := checkOptions(in.Options); err != nil {
		return nil, err
	}
	mine := storedWait{V: 1, At: hs.now(), Options: in.Options}
	if in.Off {
		return struct{}{}, hs.notes.Put(ctx, waitingShelf, who.ID, nil)
	}
	rows, err := hs.notes.Scan(ctx, waitingShelf, "", "", mostWaiting)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		theirs, _ := readWait(row.Value) // an unreadable row has the usual options
		wanted := in.With == "" && maps.Equal(theirs.options(), mine.options())
		if row.Key == who.ID || row.Key != in.With && !wanted {
			continue
		}
		fits, err := hs.isSuitable(ctx, who, row.Key)
		if err != nil {
			return nil, err
		}
		if !fits {
			if err := hs.removeStale(ctx, row.Key); err != nil {
				return nil, err
			}
			continue
		}
		if found, err := hs.claim(ctx, who, row.Key); err != nil || !found {
			if err != nil {
				return nil, err
			}
			continue
		}
		other, found, err := hs.members.person(ctx, row.Key)
		if err != nil || !found {
			continue // they left just now
		}
		s, reply := hs.pair(ctx, other, who, in.ID, theirs.options())
		if reply != nil {
			return hs.commands.private(*reply), nil
		}
		return map[string]any{"stream": s}, nil
	}
	if in.With != "" {
		return nil, pages.Refuse("They've just begun another game.")
	}
	return struct{}{}, errors.Join(notes.Write(ctx, hs.notes, waitingShelf, who.ID, mine), hs.members.noteActive(ctx, who))
}

// claim takes a waiting person and the asker off the list. found is false if another
// person has claimed them first.
func (hs *homes) claim(ctx context.Context, who person, id string) (found bool, err error) {
	err = hs.notes.Change(ctx, func(rows bot.Rows) error {
		b, err := rows.Get(waitingShelf, id)
		if found = b != nil; err != nil || !found {
			return err
		}
		return errors.Join(rows.Put(waitingShelf, id, nil), rows.Put(waitingShelf, who.ID, nil))
	})
	return found, err
}

// removeStale takes a person off the list if they started waiting longestWait ago.
func (hs *homes) removeStale(ctx context.Context, id string) error {
	return hs.notes.Change(ctx, func(rows bot.Rows) error {
		var w storedWait
		found, err := notes.Get(rows, waitingShelf, id, &w)
		if err != nil || !found || hs.now().Sub(w.At) < longestWait {
			return err
		}
		return rows.Put(waitingShelf, id, nil)
	})
}

// pair makes two people play in their conversation, at its open table or at a new one with
// the given options of /new, and notifies both. If that fails, it returns the reply with
// the reason.
func (hs *homes) pair(ctx context.Context, first, second person, id string, options map[string]string) (stream, *bot.Reply) {
	s := directStream(first, second)
	sight, err := hs.host.Sight(ctx, hs.commands.request(first, s, "", pages.Screen{}))
	if waits := err == nil && sight.Phase == "lobby"; !waits {
		open := hs.commands.request(first, s, "pair open "+id, pages.Screen{})
		open.Command, open.Args = "new", map[string]string{"opponents": "@" + second.ID}
		maps.Copy(open.Args, options)
		open.People = []bot.User{second.user()}
		reply := hs.host.Handle(ctx, open)
		if reply.Refused {
			return s, &reply
		}
		s = streamOpened(reply, s)
	}
	join := hs.commands.request(second, s, "pair join "+id, pages.Screen{})
	join.Command, join.Args = "join", map[string]string{"sure": "yes"} // they were shown the options
	if reply := hs.host.Handle(ctx, join); reply.Refused {
		return s, &reply
	}
	for _, p := range []person{first, second} {
		hs.listeners.tell(p.ID, "paired", map[string]any{"stream": s})
	}
	return s, nil
}

// streamOpened returns the stream of a table that was opened in s, or in a thread beside it: then
// the reply has a link to the thread.
func streamOpened(reply bot.Reply, s stream) stream {
	for _, span := range reply.Text {
		if _, id, is := strings.Cut(span.Link, "/#"); is && strings.HasPrefix(id, string(s)+".") {
			id, _, _ = strings.Cut(id, "/")
			return stream(id)
		}
	}
	return s
}

// newGameOptions returns the data for the card of a new game: the default options, and the
// languages.
func (hs *homes) newGameOptions(ctx context.Context, who person, _ struct{}) (any, error) {
	req := hs.commands.request(who, general, "", pages.Screen{})
	req.Command = "new"
	usual, err := hs.host.Usual(ctx, req)
	if err != nil {
		return nil, err
	}
	to := hs.host.LocaleFor(ctx, req)
	languages := []choiceInfo{}
	for _, c := range hs.host.Complete(ctx, req, "language") {
		languages = append(languages, choiceInfo{Value: c.Value, Label: c.Label.In(to).String()})
	}
	return map[string]any{"usual": usual, "languages": languages}, nil
}

// newFriendLink creates a link, with its QR code, by which a friend enters whatever the door is,
// and plays with the link's maker.
func (hs *homes) newFriendLink(ctx context.Context, who person, in struct {
	Options map[string]string `json:"options"`
}) (any, error) {
	if err := checkOptions(in.Options); err != nil {
		return nil, err
	}
	link, err := hs.invites(ctx, who.ID, hostStream(who), Invitation{Uses: 3, Life: 7 * 24 * time.Hour, Options: in.Options})
	if err != nil {
		return nil, err
	}
	code, err := qr.Encode(link, qr.M)
	if err != nil {
		return nil, err
	}
	var path strings.Builder // a unit square for each dark module
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x, y)
			}
		}
	}
	return map[string]any{"link": link, "size": code.Size, "path": path.String()}, hs.members.noteActive(ctx, who)
}

// stopWaiting takes a person who left off the list.
func (hs *homes) stopWaiting(ctx context.Context, who person) error {
	return hs.notes.Put(ctx, waitingShelf, who.ID, nil)
}

// interest returns how much there is to see in a running game: it counts moves in the last
// minutes, players who are present, close scores and tiles on the board.
func interest(s bot.Scene, here func(bot.PlayerID) bool, now time.Time) (n int) {
	switch since := now.Sub(s.Moved); {
	case s.Moved.IsZero() || len(s.Turns) == 0:
	case since < 5*time.Minute:
		n += 8
	case since < time.Hour:
		n += 4
	case since < 24*time.Hour:
		n += 2
	}
	low, high := math.MaxInt, 0
	for _, p := range s.Players {
		if here(p.ID) {
			n += 3
		}
		low, high = min(low, p.Score), max(high, p.Score)
	}
	if len(s.Players) > 1 && high > 0 {
		n += 4 * low / high
	}
	return n + min(len(s.Turns), 20)/5
}

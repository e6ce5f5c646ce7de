package ladder

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/rating"
)

// This file counts finished games. With the end of a game its transaction sets
// a timer of the kind "record", due at once; when it falls due the game is
// counted, once, in a transaction of the notes. All that is counted follows
// from the results in their order, so Recount can make it anew.

// The shelves of the host's notes that records are on. Keys of several parts
// have them apart by NUL, which no name has.
const (
	resultsShelf  = "results"  // by end, table: a result
	recordedShelf = "recorded" // by table: the key of its result
	playersShelf  = "players"  // by player: a storedPlayer
	versusShelf   = "versus"   // by player, other player: a storedVersus
	scopesShelf   = "scopes"   // by scope, player: a storedTally
	bestsShelf    = "bests"    // by scope: a storedBests
)

// recordKind is the kind of the timer that has a game counted.
const recordKind = "record"

// A storedPlayer is what somebody did in all their games, and their ratings.
type storedPlayer struct {
	V       int                     `json:"v"`
	Name    string                  `json:"name"`             // as of the last game
	Hidden  bool                    `json:"hidden,omitempty"` // has left the tables
	Total   feats                   `json:"total"`
	Ratings map[string]storedRating `json:"ratings,omitempty"` // by pool
}

type storedRating struct {
	Value      float64   `json:"value"`
	Deviation  float64   `json:"deviation"`
	Volatility float64   `json:"volatility"`
	Games      int       `json:"games"`
	At         time.Time `json:"at"` // of the last game
}

// A storedVersus is how one player did against another.
type storedVersus struct {
	V      int `json:"v"`
	Wins   int `json:"wins,omitempty"`
	Losses int `json:"losses,omitempty"`
	Ties   int `json:"ties,omitempty"`
}

// A storedTally is what somebody did in one place, or one place and time.
type storedTally struct {
	V     int            `json:"v"`
	Total feats          `json:"total"`
	Pools map[string]int `json:"pools,omitempty"` // rated games in each
}

// storedBests are the records of a place.
type storedBests struct {
	V     int     `json:"v"`
	Games int     `json:"games"`
	Play  *byWhom `json:"play,omitempty"`
	Word  *byWhom `json:"word,omitempty"` // the longest
	Game  *byWhom `json:"game,omitempty"` // the most points of one player
}

// byWhom is a record and who holds it.
type byWhom struct {
	ID    game.PlayerID `json:"id"`
	Name  string        `json:"name"`
	Word  string        `json:"word,omitempty"`
	Size  int           `json:"size,omitempty"`
	Score int           `json:"score"`
	Table bot.TableID   `json:"table"`
	At    time.Time     `json:"at"`
}

// ratingPeriod is what Glicko-2 calls a period: for about ten games of people
// who play a turn a day or two.
const ratingPeriod = 30 * 24 * time.Hour

func (s storedRating) rating() rating.Rating {
	return rating.Rating{Value: s.Value, Deviation: s.Deviation, Volatility: s.Volatility}
}

// today is a rating as it is at a time: the longer ago the last game, the less
// certain.
func (s storedRating) today(now time.Time) rating.Rating {
	return s.rating().After(nil, float64(now.Sub(s.At))/float64(ratingPeriod))
}

// certain reports whether a rating says something: after a handful of games.
func certain(r rating.Rating) bool { return r.Deviation < 130 }

// resultKey puts results in the order of their ends.
func resultKey(r result) string {
	return fmt.Sprintf("%013x/%016x", r.Ended.UnixMilli(), uint64(r.Table))
}

// recorded is the timer that has a game counted, when these events ended one.
func recorded(after game.State, done []game.Event) []bot.Timer {
	if after.Phase != game.Over || after.End == nil {
		return nil
	}
	return []bot.Timer{{At: done[len(done)-1].At, Kind: recordKind}}
}

// record counts the game of a table, unless it is counted already.
func record(ctx context.Context, h *host.Host, timer bot.Timer) error {
	t, err := h.Load(ctx, bot.Request{Channel: timer.Channel, Table: timer.Table})
	if err != nil {
		return err
	}
	home, err := h.HomeOf(ctx, timer.Channel)
	if err != nil {
		return err
	}
	r, ok := counted(t, home)
	if !ok {
		return nil
	}
	if r.Channel, err = h.OpenChannel(ctx, r.Channel); err != nil {
		return err
	}
	return h.Notes.Change(t.OnErrand(ctx), func(rows bot.Rows) error {
		done, err := rows.Get(recordedShelf, notes.TableKey(r.Table))
		if err != nil || done != nil {
			return err
		}
		if err := rows.Put(recordedShelf, notes.TableKey(r.Table), []byte(resultKey(r))); err != nil {
			return err
		}
		if err := notes.Put(rows, resultsShelf, resultKey(r), r); err != nil {
			return err
		}
		return tell(remembered{rows}, r)
	})
}

// tell adds a result to all that is counted.
func tell(rows bot.Rows, r result) error {
	players := make([]storedPlayer, len(r.Seats))
	for i, s := range r.Seats {
		if _, err := notes.Get(rows, playersShelf, string(s.ID), &players[i]); err != nil {
			return err
		}
		players[i].V, players[i].Name = 1, s.Name
		players[i].Total.add(s.feats)
	}
	if r.Pool != "" {
		rate(players, r)
	}
	for i, s := range r.Seats {
		if err := notes.Put(rows, playersShelf, string(s.ID), players[i]); err != nil {
			return err
		}
		for _, other := range r.Seats {
			if other.ID == s.ID {
				continue
			}
			var v storedVersus
			key := notes.Key(string(s.ID), string(other.ID))
			if _, err := notes.Get(rows, versusShelf, key, &v); err != nil {
				return err
			}
			v.V = 1
			switch {
			case s.Place < other.Place:
				v.Wins++
			case s.Place > other.Place:
				v.Losses++
			default:
				v.Ties++
			}
			if err := notes.Put(rows, versusShelf, key, v); err != nil {
				return err
			}
		}
	}
	for _, scope := range scopesOf(r) {
		if err := tellScope(rows, scope, r); err != nil {
			return err
		}
	}
	return nil
}

// rate puts a result into the players' ratings. In a game of several everybody
// has played each of the others.
func rate(players []storedPlayer, r result) {
	before := make([]storedRating, len(players))
	for i, p := range players {
		var ok bool
		if before[i], ok = p.Ratings[r.Pool]; !ok {
			n := rating.New()
			before[i] = storedRating{Value: n.Value, Deviation: n.Deviation, Volatility: n.Volatility, At: r.Ended}
		}
	}
	for i := range players {
		var results []rating.Result
		for k, s := range r.Seats {
			if k == i {
				continue
			}
			score := 0.5
			switch {
			case r.Seats[i].Place < s.Place:
				score = 1
			case r.Seats[i].Place > s.Place:
				score = 0
			}
			results = append(results, rating.Result{Opponent: before[k].today(r.Ended), Score: score})
		}
		after := before[i].rating().After(results, float64(r.Ended.Sub(before[i].At))/float64(ratingPeriod))
		if players[i].Ratings == nil {
			players[i].Ratings = map[string]storedRating{}
		}
		players[i].Ratings[r.Pool] = storedRating{Value: after.Value, Deviation: after.Deviation, Volatility: after.Volatility, Games: before[i].Games + 1, At: r.Ended}
	}
}

// The scopes that a result belongs to.
func scopesOf(r result) []string {
	scopes := []string{settings.ChannelScope(r.Channel)}
	if r.Home != "" {
		scopes = append(scopes, settings.HomeScope(r.Home), monthScope(r.Home, r.Ended), seasonScope(r.Home, r.Ended))
	}
	return scopes
}

func monthScope(home string, at time.Time) string {
	return "month " + at.UTC().Format("2006-01") + " " + home
}

// A season is a quarter of a year.
func seasonScope(home string, at time.Time) string {
	at = at.UTC()
	return fmt.Sprintf("season %d-%d %s", at.Year(), (at.Month()+2)/3, home)
}

func tellScope(rows bot.Rows, scope string, r result) error {
	var bests storedBests
	if _, err := notes.Get(rows, bestsShelf, scope, &bests); err != nil {
		return err
	}
	bests.V = 1
	bests.Games++
	for _, s := range r.Seats {
		var tally storedTally
		key := notes.Key(scope, string(s.ID))
		if _, err := notes.Get(rows, scopesShelf, key, &tally); err != nil {
			return err
		}
		tally.V = 1
		tally.Total.add(s.feats)
		if r.Pool != "" {
			if tally.Pools == nil {
				tally.Pools = map[string]int{}
			}
			tally.Pools[r.Pool]++
		}
		if err := notes.Put(rows, scopesShelf, key, tally); err != nil {
			return err
		}
		bests.consider(s, r)
	}
	return notes.Put(rows, bestsShelf, scope, bests)
}

// consider takes a player's game into the records of a place.
func (b *storedBests) consider(s seatResult, r result) {
	holder := byWhom{ID: s.ID, Name: s.Name, Table: r.Table, At: r.Ended}
	take := func(to **byWhom, p *aPlay, by func(byWhom) int) {
		if p == nil {
			return
		}
		now := holder
		now.Word, now.Size, now.Score = p.Word, p.Size, p.Score
		if *to == nil || by(now) > by(**to) {
			*to = &now
		}
	}
	take(&b.Play, s.Best, func(p byWhom) int { return p.Score })
	take(&b.Word, s.Longest, func(p byWhom) int { return p.Size })
	take(&b.Game, &aPlay{Score: s.Points}, func(p byWhom) int { return p.Score })
}

// Recount makes all that is counted anew, from the results in the order of
// their ends, in one transaction of a host's notes: ratings too, by what a rating
// is made of now. It tells how many results there are.
func Recount(ctx context.Context, kept bot.Notes) (games int, err error) {
	err = kept.Change(ctx, func(rows bot.Rows) error {
		games = 0
		fresh := sheet{}
		if err := notes.EachOf(rows, resultsShelf, "", func(_ string, r result) error {
			games++
			return tell(fresh, r)
		}); err != nil {
			return err
		}
		return fresh.replace(rows)
	})
	return games, err
}

// A sheet is rows in memory, by shelf and key.
type sheet map[string]map[string][]byte

func (s sheet) Get(shelf, key string) ([]byte, error) { return s[shelf][key], nil }

func (s sheet) Put(shelf, key string, value []byte) error {
	if s[shelf] == nil {
		s[shelf] = map[string][]byte{}
	}
	s[shelf][key] = value
	return nil
}

func (s sheet) Scan(shelf, prefix, after string, limit int) (rows []bot.Row, err error) {
	for _, key := range slices.Sorted(maps.Keys(s[shelf])) {
		if strings.HasPrefix(key, prefix) && (after == "" || key > after) && len(rows) < limit {
			rows = append(rows, bot.Row{Key: key, Value: s[shelf][key]})
		}
	}
	return rows, nil
}

// replace puts a sheet where the old counts were. What people chose stays, and nothing is kept of those who asked to be forgotten.
func (s sheet) replace(rows bot.Rows) error {
	for _, shelf := range []string{playersShelf, versusShelf, scopesShelf, bestsShelf} {
		if err := notes.Each(rows, shelf, "", func(row bot.Row) error {
			if s[shelf][row.Key] != nil || shelf == playersShelf && isHidden(row.Value) {
				return nil
			}
			return rows.Put(shelf, row.Key, nil)
		}); err != nil {
			return err
		}
		for key, value := range s[shelf] {
			if shelf == playersShelf {
				var before, now storedPlayer
				if _, err := notes.Get(rows, shelf, key, &before); err != nil {
					return err
				}
				if err := json.Unmarshal(value, &now); err != nil {
					return err
				}
				now.Hidden = before.Hidden
				if err := notes.Put(remembered{rows}, shelf, key, now); err != nil {
					return err
				}
			} else if err := (remembered{rows}).Put(shelf, key, value); err != nil {
				return err
			}
		}
	}
	return nil
}

func isHidden(value []byte) bool {
	var p storedPlayer
	return json.Unmarshal(value, &p) == nil && p.Hidden
}

// resultsOf are the results of somebody's games.
func resultsOf(rows bot.Rows, who game.PlayerID, tables []bot.TableID) (results []result, err error) {
	for _, t := range tables {
		key, err := rows.Get(recordedShelf, notes.TableKey(t))
		if err != nil {
			return nil, err
		}
		if key == nil {
			continue
		}
		var r result
		if _, err := notes.Get(rows, resultsShelf, string(key), &r); err != nil {
			return nil, err
		}
		// They may have been invited, and somebody else came.
		if slices.ContainsFunc(r.Seats, func(s seatResult) bool { return s.ID == who }) {
			results = append(results, r)
		}
	}
	return results, nil
}

// exportResults are those for the file of all that is kept of somebody.
func exportResults(rows bot.Rows, who game.PlayerID, tables []bot.TableID) (map[string]any, error) {
	results, err := resultsOf(rows, who, tables)
	return map[string]any{"results": results}, err
}

// ownRecords are the rows of what is counted of somebody.
func ownRecords(rows bot.Rows, who game.PlayerID, tables []bot.TableID) (own []host.NoteKey, err error) {
	results, err := resultsOf(rows, who, tables)
	if err != nil {
		return nil, err
	}
	for _, r := range results {
		for _, scope := range scopesOf(r) {
			own = append(own, host.NoteKey{Shelf: scopesShelf, Key: notes.Key(scope, string(who))})
		}
		for _, s := range r.Seats {
			if s.ID != who {
				own = append(own, host.NoteKey{Shelf: versusShelf, Key: notes.Key(string(who), string(s.ID))})
			}
		}
	}
	return own, nil
}

// forgetResults puts a former player into the results of somebody's games and
// the records that they hold.
func forgetResults(rows bot.Rows, who game.PlayerID, former bot.User, tables []bot.TableID) error {
	results, err := resultsOf(rows, who, tables)
	if err != nil {
		return err
	}
	for _, r := range results {
		for i, s := range r.Seats {
			if s.ID == who {
				r.Seats[i].ID, r.Seats[i].Name = former.ID, former.Name
			} else if err := rows.Put(versusShelf, notes.Key(string(s.ID), string(who)), nil); err != nil {
				return err
			}
		}
		if err := notes.Put(rows, resultsShelf, resultKey(r), r); err != nil {
			return err
		}
		for _, scope := range scopesOf(r) {
			if err := forgetBests(rows, scope, who, former); err != nil {
				return err
			}
		}
	}
	return nil
}

// recordTable counts a table's game before somebody who leaves is forgotten.
func recordTable(ctx context.Context, h *host.Host, ch bot.ChannelID, id bot.TableID) error {
	return record(ctx, h, bot.Timer{Channel: ch, Table: id})
}

// forgetBests lets a former player hold the records that somebody held.
func forgetBests(rows bot.Rows, scope string, who game.PlayerID, former bot.User) error {
	var b storedBests
	if found, err := notes.Get(rows, bestsShelf, scope, &b); err != nil || !found {
		return err
	}
	for _, r := range []*byWhom{b.Play, b.Word, b.Game} {
		if r != nil && r.ID == who {
			r.ID, r.Name = former.ID, former.Name
		}
	}
	return notes.Put(rows, bestsShelf, scope, b)
}

// remembered are rows that keep nothing of former players but the records they
// hold.
type remembered struct{ bot.Rows }

func (r remembered) Put(shelf, key string, value []byte) error {
	if shelf != bestsShelf && slices.ContainsFunc(strings.Split(key, "\x00"), func(part string) bool { return bot.IsFormer(game.PlayerID(part)) }) {
		return nil
	}
	return r.Rows.Put(shelf, key, value)
}

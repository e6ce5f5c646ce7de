package ladder

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/rating"
)

// This file counts finished games. The transaction that ends a game also sets a timer of
// kind "record", due at once; its handler counts the game once, in a transaction of the
// notes. All counts follow from the results in order of their ends, so Recount can rebuild
// them.

// A book stores the results and all counts derived from them.
type book struct {
	own      *shelf.Owner
	results  *shelf.Shelf[shelf.Mark, result] // by end time and table
	recorded *shelf.Shelf[shelf.Table, shelf.Raw]
	players  *shelf.Shelf[shelf.Person, storedPlayer]
	versus   *shelf.Shelf[shelf.Pair[shelf.Person, shelf.Person], storedVersus]
	scopes   *shelf.Shelf[shelf.Pair[shelf.Place, shelf.Person], storedTally]
	bests    *shelf.Shelf[shelf.Place, storedBests]
	shares   *shelf.Shelf[shelf.Pair[shelf.Place, shelf.Person], storedShare]
	shared   *shelf.Shelf[shelf.Table, shelf.Raw]
	weeks    *shelf.Shelf[shelf.Channel, storedWeek]
}

func newBook(own *shelf.Owner) *book {
	b := &book{own: own}
	b.results = shelf.Open(own, "results", shelf.Spec[shelf.Mark, result]{
		Why: "how games that count have ended", Rename: renameResult, Shared: result.names, Sharing: "results",
		Find: func(tx shelf.Tx, who game.PlayerID, tables []bot.TableID) (keys []shelf.Mark, err error) {
			results, err := b.resultsOf(tx, who, tables)
			for _, r := range results {
				keys = append(keys, resultKey(r))
			}
			return keys, err
		},
	})
	b.recorded = shelf.Open(own, "recorded", shelf.Spec[shelf.Table, shelf.Raw]{Why: "which games have been counted, and where their result is"})
	b.players = shelf.Open(own, "players", shelf.Spec[shelf.Person, storedPlayer]{Why: "what somebody did in all their games, and their ratings"})
	b.versus = shelf.Open(own, "versus", shelf.Spec[shelf.Pair[shelf.Person, shelf.Person], storedVersus]{
		Why: "how one player did against another", Find: b.findVersus,
	})
	b.scopes = shelf.Open(own, "scopes", shelf.Spec[shelf.Pair[shelf.Place, shelf.Person], storedTally]{
		Why: "what somebody did in one place, or one place and time", Find: b.findScopes,
	})
	b.bests = shelf.Open(own, "bests", shelf.Spec[shelf.Place, storedBests]{
		Why: "the records of a place, and who holds them", Rename: renameBests,
		Find: func(tx shelf.Tx, who game.PlayerID, tables []bot.TableID) (keys []shelf.Place, err error) {
			results, err := b.resultsOf(tx, who, tables)
			for _, r := range results {
				keys = append(keys, scopesOf(r)...)
			}
			return keys, err
		},
	})
	b.weeks = shelf.Open(own, "weeks", shelf.Spec[shelf.Channel, storedWeek]{Why: "where the best of the week is posted, and when"})
	b.shares = shelf.Open(own, "duplicate", shelf.Spec[shelf.Pair[shelf.Place, shelf.Person], storedShare]{Why: "how much of the best total somebody scored in games of duplicate, in one place, or one place and time"})
	b.shared = shelf.Open(own, "duplicate counted", shelf.Spec[shelf.Table, shelf.Raw]{Why: "which games of duplicate have been counted"})
	return b
}

// recordKind is the kind of the timer that counts a game.
const recordKind = "record"

// A storedPlayer holds a player's totals over all their games, and their ratings.
type storedPlayer struct {
	V       int                     `json:"v"`
	Name    string                  `json:"name"`             // as of the last game
	Hidden  bool                    `json:"hidden,omitempty"` // whether the player left the leaderboards
	Total   feats                   `json:"total"`
	Ratings map[string]storedRating `json:"ratings,omitempty"` // by pool
	// Early holds the ends of the rated games that the player gave up early in the last week.
	Early []time.Time `json:"early,omitempty"`
}

// mostEarly limits how many rated games a week a player can give up early without losing rating.
const mostEarly = 3

const weekSpan = 7 * 24 * time.Hour

type storedRating struct {
	Value      float64   `json:"value"`
	Deviation  float64   `json:"deviation"`
	Volatility float64   `json:"volatility"`
	Games      int       `json:"games"`
	At         time.Time `json:"at"` // end of the last game
}

// A storedVersus holds one player's record against another.
type storedVersus struct {
	V      int `json:"v"`
	Wins   int `json:"wins,omitempty"`
	Losses int `json:"losses,omitempty"`
	Ties   int `json:"ties,omitempty"`
}

// A storedTally holds a player's totals in one scope: a place, or a place and a period.
type storedTally struct {
	V     int            `json:"v"`
	Total feats          `json:"total"`
	Pools map[string]int `json:"pools,omitempty"` // number of rated games by pool
}

// storedBests holds the records of a scope.
type storedBests struct {
	V     int         `json:"v"`
	Games int         `json:"games"`
	Play  *bestHolder `json:"play,omitempty"`
	Word  *bestHolder `json:"word,omitempty"` // the longest word
	Game  *bestHolder `json:"game,omitempty"` // the highest score of one player
}

// bestHolder is a record and the player who holds it.
type bestHolder struct {
	ID    game.PlayerID `json:"id"`
	Name  string        `json:"name"`
	Word  string        `json:"word,omitempty"`
	Size  int           `json:"size,omitempty"`
	Score int           `json:"score"`
	Table bot.TableID   `json:"table"`
	At    time.Time     `json:"at"`
}

// ratingPeriod is the length of a Glicko-2 rating period. It suits people who play a turn
// every day or two, which makes about ten games a period.
const ratingPeriod = 30 * 24 * time.Hour

func (s storedRating) rating() rating.Rating {
	return rating.Rating{Value: s.Value, Deviation: s.Deviation, Volatility: s.Volatility}
}

// today returns the rating at a given time: the longer ago the last game, the higher the
// deviation.
func (s storedRating) today(now time.Time) rating.Rating {
	return s.rating().After(nil, float64(now.Sub(s.At))/float64(ratingPeriod))
}

// isCertain reports whether a rating is reliable, as it is after a handful of games.
func isCertain(r rating.Rating) bool { return r.Deviation < 130 }

// resultKey returns the key of a result, which sorts by the time of its end.
func resultKey(r result) shelf.Mark {
	return shelf.Mark(fmt.Sprintf("%013x/%016x", r.Ended.UnixMilli(), uint64(r.Table)))
}

// recordIn returns the timer that counts a game if these events ended one.
func recordIn(after game.State, done []game.Event) []bot.Timer {
	if after.Phase != game.Over || after.End == nil {
		return nil
	}
	return []bot.Timer{{At: done[len(done)-1].At, Kind: recordKind}}
}

// record counts a table's game unless it has been counted already.
func (f *Feature) record(ctx context.Context, timer bot.Timer) error {
	t, err := f.desk.Load(ctx, bot.Request{Channel: timer.Channel, Table: timer.Table})
	if err != nil {
		return err
	}
	home, err := f.settings.HomeOf(ctx, timer.Channel)
	if err != nil {
		return err
	}
	if unrated, err := f.isUnrated(ctx, t); err != nil || unrated {
		return err
	}
	ch, err := f.settings.OpenChannel(ctx, timer.Channel)
	if err != nil {
		return err
	}
	r, ok := countGame(t, home)
	if !ok {
		return f.countShares(ctx, t, home, ch)
	}
	r.Channel = ch
	if err := f.countElsewhere(ctx, r); err != nil {
		return err
	}
	return f.book.countResult(ctx, r)
}

// countElsewhere notes in an early result how many rated games the linked accounts of the players who
// gave it up have given up early in the week before.
func (f *Feature) countElsewhere(ctx context.Context, r result) error {
	for i, s := range r.Seats {
		if !r.Early || s.Forfeits == 0 {
			continue
		}
		ids, err := f.desk.Identities(ctx, s.ID)
		if err != nil {
			return err
		}
		for _, id := range ids[1:] {
			p, _, err := f.players.Get(ctx, shelf.Person(id))
			if err != nil {
				return err
			}
			r.Seats[i].Elsewhere += len(inWeek(p.Early, r.Ended))
		}
	}
	return nil
}

// inWeek returns the times in the week that ends at a time.
func inWeek(all []time.Time, end time.Time) []time.Time {
	return slices.DeleteFunc(slices.Clone(all), func(at time.Time) bool { return end.Sub(at) >= weekSpan })
}

// countResult stores and counts a result unless its table has been counted already.
func (b *book) countResult(ctx context.Context, r result) error {
	return b.own.Change(ctx, func(tx shelf.Tx) error {
		recorded := b.recorded.In(tx)
		_, done, err := recorded.Get(shelf.Table(r.Table))
		if err != nil || done {
			return err
		}
		if err := recorded.Put(shelf.Table(r.Table), shelf.Raw(resultKey(r))); err != nil {
			return err
		}
		return errors.Join(b.addCounts(tx, r, isNoFormer), b.results.In(tx).Put(resultKey(r), r))
	})
}

// isNoFormer reports whether counts are kept for a player. They aren't for former players,
// whose data has been erased.
func isNoFormer(p game.PlayerID) bool { return !bot.IsFormer(p) }

// addCounts adds a result to the counts of every player for whom kept returns true, and writes
// the rating changes into the result.
func (b *book) addCounts(tx shelf.Tx, r result, kept func(game.PlayerID) bool) error {
	if r.Early {
		return b.addEarly(tx, r, kept)
	}
	of, against := b.players.In(tx), b.versus.In(tx)
	players := make([]storedPlayer, len(r.Seats))
	for i, s := range r.Seats {
		var err error
		if players[i], _, err = of.Get(shelf.Person(s.ID)); err != nil {
			return err
		}
		players[i].V, players[i].Name = 1, s.Name
		players[i].Total.add(s.feats)
	}
	if r.Pool != "" {
		rate(players, r)
	}
	for i, s := range r.Seats {
		if !kept(s.ID) {
			continue
		}
		if err := of.Put(shelf.Person(s.ID), players[i]); err != nil {
			return err
		}
		for _, other := range r.Seats {
			if other.ID == s.ID || !kept(other.ID) {
				continue
			}
			key := shelf.Both(shelf.Person(s.ID), shelf.Person(other.ID))
			v, _, err := against.Get(key)
			if err != nil {
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
			if err := against.Put(key, v); err != nil {
				return err
			}
		}
	}
	for _, scope := range scopesOf(r) {
		if err := b.addToScope(tx, scope, r, kept); err != nil {
			return err
		}
	}
	return nil
}

// addEarly notes who gave a rated game up early. Each one beyond mostEarly in a week costs the
// player the rating of a lost game; the opponents gain nothing.
func (b *book) addEarly(tx shelf.Tx, r result, kept func(game.PlayerID) bool) error {
	if r.Pool == "" {
		return nil
	}
	of := b.players.In(tx)
	players := make([]storedPlayer, len(r.Seats))
	lost := make([]storedPlayer, len(r.Seats)) // the same, rated as if the game counted
	for i, s := range r.Seats {
		var err error
		if players[i], _, err = of.Get(shelf.Person(s.ID)); err != nil {
			return err
		}
		lost[i].Ratings = maps.Clone(players[i].Ratings)
	}
	scored := r
	scored.Seats = slices.Clone(r.Seats)
	rate(lost, scored)
	for i, s := range r.Seats {
		if s.Forfeits == 0 || !kept(s.ID) {
			continue
		}
		p := players[i]
		p.V, p.Name = 1, s.Name
		p.Early = append(inWeek(p.Early, r.Ended), r.Ended)
		if len(p.Early)+s.Elsewhere > mostEarly {
			p.Ratings = lost[i].Ratings
			r.Seats[i].From, r.Seats[i].To = scored.Seats[i].From, scored.Seats[i].To
		}
		if err := of.Put(shelf.Person(s.ID), p); err != nil {
			return err
		}
	}
	return nil
}

// rate updates the players' ratings by a result, and writes the changes into the result's
// seats. A game of several players counts as one game between each two of them.
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
		r.Seats[i].From, r.Seats[i].To = int(math.Round(before[i].Value)), int(math.Round(after.Value))
		players[i].Ratings[r.Pool] = storedRating{Value: after.Value, Deviation: after.Deviation, Volatility: after.Volatility, Games: before[i].Games + 1, At: r.Ended}
	}
}

// scopesOf returns the scopes that a result counts in.
func scopesOf(r result) []shelf.Place {
	scopes := []shelf.Place{shelf.Place(settings.ChannelScope(r.Channel))}
	if r.Home != "" {
		scopes = append(scopes, shelf.Place(settings.HomeScope(r.Home)), monthScope(r.Home, r.Ended), seasonScope(r.Home, r.Ended))
	}
	return scopes
}

func monthScope(home string, at time.Time) shelf.Place {
	return shelf.Place("month " + at.UTC().Format("2006-01") + " " + home)
}

// seasonScope returns the scope of a home's season: the calendar quarter that contains a
// time.
func seasonScope(home string, at time.Time) shelf.Place {
	at = at.UTC()
	return shelf.Place(fmt.Sprintf("season %d-%d %s", at.Year(), (at.Month()+2)/3, home))
}

func (b *book) addToScope(tx shelf.Tx, scope shelf.Place, r result, kept func(game.PlayerID) bool) error {
	bests, _, err := b.bests.In(tx).Get(scope)
	if err != nil {
		return err
	}
	bests.V = 1
	bests.Games++
	scopes := b.scopes.In(tx)
	for _, s := range r.Seats {
		bests.consider(s, r)
		if !kept(s.ID) {
			continue
		}
		key := shelf.Both(scope, shelf.Person(s.ID))
		tally, _, err := scopes.Get(key)
		if err != nil {
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
		if err := scopes.Put(key, tally); err != nil {
			return err
		}
	}
	return b.bests.In(tx).Put(scope, bests)
}

// consider updates the records with a player's game.
func (b *storedBests) consider(s seatResult, r result) {
	b.Play = betterHolder(b.Play, s, r, s.Best, byScore)
	b.Word = betterHolder(b.Word, s, r, s.Longest, bySize)
	b.Game = betterHolder(b.Game, s, r, &namedPlay{Score: s.Points}, byScore)
}

// betterHolder returns the better record by a measure: have, or a player's play in a game. It returns
// have if they are equal.
func betterHolder(have *bestHolder, s seatResult, r result, p *namedPlay, by func(namedPlay) int) *bestHolder {
	if p == nil || have != nil && by(*p) <= by(namedPlay{Size: have.Size, Score: have.Score}) {
		return have
	}
	return &bestHolder{ID: s.ID, Name: s.Name, Word: p.Word, Size: p.Size, Score: p.Score, Table: r.Table, At: r.Ended}
}

// Recount rebuilds all counts, ratings included, from the results in order of their ends,
// in one transaction of a host's notes. It uses today's rating formula, and returns the
// number of results.
func Recount(ctx context.Context, kept bot.Notes) (games int, err error) {
	b := newBook(shelf.NewRoom(kept, nil).Owner("recount"))
	err = b.own.Change(ctx, func(tx shelf.Tx) error {
		games = 0
		fresh := b.own.Draft()
		var rated []result
		everybody := func(game.PlayerID) bool { return true }
		if err := b.results.In(tx).Each(func(_ shelf.Mark, r result) error {
			games++
			if r.Pool != "" {
				rated = append(rated, r)
			}
			return b.addCounts(fresh, r, everybody)
		}); err != nil {
			return err
		}
		for _, r := range rated {
			if err := b.results.In(tx).Put(resultKey(r), r); err != nil {
				return err
			}
		}
		return b.replace(tx, fresh)
	})
	return games, err
}

// replace puts fresh counts in place of the old ones. It keeps players hidden who had
// chosen that, and drops the counts of erased players except for the records they hold.
func (b *book) replace(tx, fresh shelf.Tx) error {
	old, now := b.players.In(tx), b.players.In(fresh)
	if err := old.Each(func(k shelf.Person, was storedPlayer) error {
		if !was.Hidden {
			return nil
		}
		is, _, err := now.Get(k)
		if err == nil {
			if is.V == 0 {
				is = was
			}
			is.Hidden = true
			err = now.Put(k, is)
		}
		return err
	}); err != nil {
		return err
	}
	return errors.Join(
		replaceRows(old, now, func(k shelf.Person) bool { return isNoFormer(game.PlayerID(k)) }),
		replaceRows(b.versus.In(tx), b.versus.In(fresh), func(k shelf.Pair[shelf.Person, shelf.Person]) bool {
			return isNoFormer(game.PlayerID(k.First)) && isNoFormer(game.PlayerID(k.Second))
		}),
		replaceRows(b.scopes.In(tx), b.scopes.In(fresh), func(k shelf.Pair[shelf.Place, shelf.Person]) bool { return isNoFormer(game.PlayerID(k.Second)) }),
		replaceRows(b.bests.In(tx), b.bests.In(fresh), func(shelf.Place) bool { return true }),
	)
}

// replaceRows replaces all old rows with the wanted ones among now.
func replaceRows[K shelf.Key[K], V any](old, now shelf.Rows[K, V], wanted func(K) bool) error {
	if err := old.Each(func(k K, _ V) error {
		if _, is, err := now.Get(k); err != nil || is && wanted(k) {
			return err
		}
		return old.Drop(k)
	}); err != nil {
		return err
	}
	return now.Each(func(k K, v V) error {
		if !wanted(k) {
			return nil
		}
		return old.Put(k, v)
	})
}

// resultsOf returns the counted results of a player's games among tables.
func (b *book) resultsOf(tx shelf.Tx, who game.PlayerID, tables []bot.TableID) (results []result, err error) {
	var keys []shelf.Table
	for _, t := range tables {
		keys = append(keys, shelf.Table(t))
	}
	recorded, err := b.recorded.In(tx).GetAll(keys)
	if err != nil {
		return nil, err
	}
	for _, t := range keys {
		key, counted := recorded[t]
		if !counted {
			continue
		}
		r, _, err := b.results.In(tx).Get(shelf.Mark(key))
		if err != nil {
			return nil, err
		}
		if r.names(who) {
			results = append(results, r)
		}
	}
	return results, nil
}

// names reports whether a person played the game. A table can name a person who was invited
// but whose seat went to another player.
func (r result) names(who game.PlayerID) bool {
	return slices.ContainsFunc(r.Seats, func(s seatResult) bool { return s.ID == who })
}

// findVersus finds the rows of a player against others and of others against them.
func (b *book) findVersus(tx shelf.Tx, who game.PlayerID, tables []bot.TableID) (keys []shelf.Pair[shelf.Person, shelf.Person], err error) {
	results, err := b.resultsOf(tx, who, tables)
	for _, r := range results {
		for _, s := range r.Seats {
			if s.ID != who {
				keys = append(keys, shelf.Both(shelf.Person(who), shelf.Person(s.ID)), shelf.Both(shelf.Person(s.ID), shelf.Person(who)))
			}
		}
	}
	return keys, err
}

// findScopes finds the keys of a player's tallies.
func (b *book) findScopes(tx shelf.Tx, who game.PlayerID, tables []bot.TableID) (keys []shelf.Pair[shelf.Place, shelf.Person], err error) {
	results, err := b.resultsOf(tx, who, tables)
	for _, r := range results {
		for _, scope := range scopesOf(r) {
			keys = append(keys, shelf.Both(scope, shelf.Person(who)))
		}
	}
	return keys, err
}

// renameResult replaces a player in a result with a former player.
func renameResult(r *result, who game.PlayerID, former bot.User) (keep bool) {
	for i, s := range r.Seats {
		if s.ID == who {
			r.Seats[i].ID, r.Seats[i].Name = former.ID, former.Name
		}
	}
	return true
}

// renameBests passes a player's records on to a former player.
func renameBests(b *storedBests, who game.PlayerID, former bot.User) (keep bool) {
	for _, r := range []*bestHolder{b.Play, b.Word, b.Game} {
		if r != nil && r.ID == who {
			r.ID, r.Name = former.ID, former.Name
		}
	}
	return true
}

package ladder

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// A result is a finished game as the records count it. It is stored: fields may be added,
// never renamed.
type result struct {
	V       int           `json:"v"`
	Table   bot.TableID   `json:"table"`
	Channel bot.ChannelID `json:"channel"`
	Home    string        `json:"home,omitempty"` // see Request.Home
	Started time.Time     `json:"started"`
	Ended   time.Time     `json:"ended"`
	Pool    string        `json:"pool,omitempty"` // the rating pool; "" if unrated
	Seats   []seatResult  `json:"seats"`
	// Early marks a game that ended before a third of its tiles were played. It
	// counts for nothing but the penalty of players who do that often; see tellEarly.
	Early bool `json:"early,omitempty"`
}

// A seatResult is one player's part of a result.
type seatResult struct {
	ID    game.PlayerID `json:"id"`
	Name  string        `json:"name"`
	Place int           `json:"place"` // from 1; tied players share a place
	// From and To are the ratings before and after the game, or 0 if the game was unrated
	// or was counted before ratings were stored.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
	// Elsewhere counts the rated games that the player's linked accounts gave up early in the
	// week before this one, if the player gave this one up early.
	Elsewhere int `json:"elsewhere,omitempty"`
	feats
}

// feats sums what a player did in one game or in many.
type feats struct {
	Games   int `json:"games"`
	Wins    int `json:"wins,omitempty"`
	Ties    int `json:"ties,omitempty"`
	Points  int `json:"points,omitempty"`
	Turns   int `json:"turns,omitempty"`
	Bingos  int `json:"bingos,omitempty"`
	Phonies int `json:"phonies,omitempty"` // own plays challenged off
	Caught  int `json:"caught,omitempty"`  // opponents' plays that the player challenged off
	High    int `json:"high,omitempty"`    // highest score of a game
	Triples int `json:"triples,omitempty"` // plays across two triple words
	// Forfeits counts games left or lost on time. Whole counts games played to the end
	// since the last forfeit, and MostWhole is the longest such run.
	Forfeits  int        `json:"forfeits,omitempty"`
	Whole     int        `json:"whole,omitempty"`
	MostWhole int        `json:"most_whole,omitempty"`
	Tiles     []string   `json:"tiles,omitempty"`   // names of the tile sets played with
	Best      *namedPlay `json:"best,omitempty"`    // the highest-scoring play
	Longest   *namedPlay `json:"longest,omitempty"` // the play of the longest word
	Phony     *namedPlay `json:"phony,omitempty"`   // the highest-scoring play that was challenged off
}

// A namedPlay is a play that the records name.
type namedPlay struct {
	Word  string      `json:"word"`
	Size  int         `json:"size"` // length in tiles
	Score int         `json:"score"`
	Table bot.TableID `json:"table"`
}

// add adds the counts of another game, or of many.
func (f *feats) add(g feats) {
	f.Games += g.Games
	f.Wins += g.Wins
	f.Ties += g.Ties
	f.Points += g.Points
	f.Turns += g.Turns
	f.Bingos += g.Bingos
	f.Phonies += g.Phonies
	f.Caught += g.Caught
	f.High = max(f.High, g.High)
	f.Triples += g.Triples
	if g.Forfeits > 0 {
		f.Whole = 0
	}
	f.Forfeits += g.Forfeits
	f.Whole += g.Whole
	f.MostWhole = max(f.MostWhole, g.MostWhole, f.Whole)
	for _, set := range g.Tiles {
		if i, had := slices.BinarySearch(f.Tiles, set); !had {
			f.Tiles = slices.Insert(slices.Clone(f.Tiles), i, set)
		}
	}
	f.Best = betterPlay(f.Best, g.Best, byScore)
	f.Phony = betterPlay(f.Phony, g.Phony, byScore)
	f.Longest = betterPlay(f.Longest, g.Longest, bySize)
}

// byScore returns the measure of the best play.
func byScore(p namedPlay) int { return p.Score }

// bySize returns the measure of the longest word.
func bySize(p namedPlay) int { return p.Size }

// betterPlay returns the better play by a measure. It returns have if they are equal.
func betterPlay(have, other *namedPlay, by func(namedPlay) int) *namedPlay {
	if have == nil || other != nil && by(*other) > by(*have) {
		return other
	}
	return have
}

// isIn reports whether a game was played in a home or, if home isn't its home, in a channel.
func (r result) isIn(home string, ch bot.ChannelID) bool {
	return home != "" && r.Home == home || r.Channel == ch
}

// countGame returns what a finished game counts for, and false if it counts for nothing.
// Games don't count if a robot or fewer than two people played, if all share one rack, if
// they ended before everyone had a turn, if a player took a hint, or if the table offers
// hints and is unrated for it.
func countGame(t table.Table, home string) (result, bool) {
	if t.SharesRack() {
		return result{}, false
	}
	if t.Rules.Hints && t.Rules.Unrated || slices.ContainsFunc(t.Seats, func(s game.Seat) bool { return s.Hints > 0 }) {
		return result{}, false
	}
	if t.Phase != game.Over || t.End == nil || len(t.Seats) < 2 || t.Turns < len(t.Seats) || len(t.End.Winners) == 0 {
		return result{}, false
	}
	if hasRobot(t) {
		return result{}, false
	}
	r := resultOf(t, home)
	if hasEndedEarly(t) {
		r.Early = true
		for i, s := range r.Seats {
			r.Seats[i].feats = feats{Forfeits: s.Forfeits}
		}
		return r, true
	}
	r.addFeats(t)
	return r, true
}

// hasRobot reports whether a robot sits at a table.
func hasRobot(t table.Table) bool {
	return slices.ContainsFunc(t.Seats, func(s game.Seat) bool { return s.Person.ID.IsRobot() })
}

// resultOf returns the result of a finished game, without what happened in its turns.
func resultOf(t table.Table, home string) result {
	r := result{V: 1, Table: t.ID, Channel: t.Channel, Home: home, Started: t.Started, Ended: t.Ended, Pool: poolOf(t)}
	for i, seat := range t.Seats {
		s := seatResult{ID: seat.Person.ID, Name: seat.Person.Name, Place: rank(t, i)}
		s.Games, s.Points, s.High, s.Tiles = 1, seat.Score, seat.Score, []string{t.Equipment.Tiles.Name()}
		if seat.Out || t.End.Reason == game.OvertimeEnd && t.HasLostOnTime(i) {
			s.Forfeits = 1
		} else {
			s.Whole, s.MostWhole = 1, 1
		}
		if slices.Contains(t.End.Winners, i) {
			if len(t.End.Winners) == 1 {
				s.Wins = 1
			} else {
				s.Ties = 1
			}
		}
		r.Seats = append(r.Seats, s)
	}
	return r
}

// hasEndedEarly reports whether a game ended before it was played out and before a third of its
// tiles were on the board. Passing until the end doesn't play a game out.
func hasEndedEarly(t table.Table) bool {
	switch t.End.Reason {
	case game.WentOut, game.StuckEnd:
		return false
	}
	return 3*len(t.Board.Tiles()) < len(t.Equipment.Tiles.All())
}

// addFeats adds what the players did in the game to their seats.
func (r *result) addFeats(t table.Table) {
	// A play counts once the next action is made; until then it can be challenged off.
	var open *game.Played
	play := func() *namedPlay {
		word := open.Words[0].Tiles
		return &namedPlay{Word: words.PlainWord(t.Equipment.Tiles, word), Size: len(word), Score: open.Score, Table: t.ID}
	}
	stands := func() {
		if open == nil {
			return
		}
		p := play()
		did := feats{Turns: 1, Best: p, Longest: p}
		if t.Rules.Bonus > 0 && len(open.Move.LaidSquares()) >= t.Rules.BonusTiles {
			did.Bingos = 1
		}
		if crossesTriples(t.Equipment.Layout, open.Move) {
			did.Triples = 1
		}
		r.Seats[open.Seat].add(did)
		open = nil
	}
	for _, e := range t.Events {
		switch f := e.Fact.(type) {
		case game.Played:
			stands()
			open = &f
		case game.Exchanged:
			stands()
			r.Seats[f.Seat].Turns++
		case game.Passed:
			stands()
			r.Seats[f.Seat].Turns++
		case game.Challenged:
			if len(f.Invalid) > 0 {
				if open != nil {
					r.Seats[f.Player].add(feats{Phony: play()})
				}
				open = nil
				r.Seats[f.Player].Turns++
				r.Seats[f.Player].Phonies++
				r.Seats[f.By].Caught++
			}
		}
	}
	stands()
}

// rank returns a seat's place: winners first, then players who stayed to the end by score,
// then players who left or lost on time.
func rank(t table.Table, seat int) int {
	worth := func(i int) (rank, score int) {
		switch {
		case slices.Contains(t.End.Winners, i):
			return 2, 0
		case t.Seats[i].Out, t.End.Reason == game.OvertimeEnd && t.HasLostOnTime(i):
			return 0, 0
		}
		return 1, t.Seats[i].Score
	}
	rank, score := worth(seat)
	place := 1
	for i := range t.Seats {
		if r, s := worth(i); cmp.Or(cmp.Compare(r, rank), cmp.Compare(s, score)) > 0 {
			place++
		}
	}
	return place
}

// poolOf returns a game's rating pool, named after its pace and word list, or "" if the
// game is unrated. Variants are never rated.
func poolOf(t table.Table) string {
	if t.Rules.Unrated || t.Rules.Variant != "" {
		return ""
	}
	return paceClass(t.Pace) + "/" + t.Lexicon.Name
}

// paceClass returns the pace that pools are split by: "open" without a limit, "daily" with
// up to a day a turn, "slow" with more.
func paceClass(p game.Pace) string {
	switch {
	case p.Turn <= 0:
		return "open"
	case p.Turn <= 24*time.Hour:
		return "daily"
	}
	return "slow"
}

// poolName returns a pool's name for display, like "open games, English".
func (f *Feature) poolName(pool string) text.Text {
	pace, list, _ := strings.Cut(pool, "/")
	return text.Item("{pace, select, open {open games} daily {daily games} other {slow games}}, {list}", pace, f.desk.Lists().DisplayName(list))
}

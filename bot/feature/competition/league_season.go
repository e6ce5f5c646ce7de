package competition

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// A league is a stored league. Fields may be added, never renamed.
type league struct {
	head
	Founder bot.User `json:"founder"`
	Large   bool     `json:"large,omitempty"`
	Up      int      `json:"up"`
	Down    int      `json:"down"`
	AtOnce  int      `json:"at_once"`
	Days    int      `json:"days"`   // length of a season
	Closes  int      `json:"closes"` // days of registration

	Season   int             `json:"season"` // from 1
	OpenedAt time.Time       `json:"opened_at"`
	ClosesAt time.Time       `json:"closes_at"`
	BegunAt  time.Time       `json:"begun_at,omitzero"`
	EndsAt   time.Time       `json:"ends_at,omitzero"`
	Entries  []entry         `json:"entries,omitempty"`
	Remind   []bot.User      `json:"remind,omitempty"`
	Div      []division      `json:"divisions,omitempty"`
	Past     map[string]past `json:"past,omitempty"`    // by player
	Told     []string        `json:"told,omitempty"`    // announcements made in this season
	Stopped  bool            `json:"stopped,omitempty"` // no season follows
	// Lots are the requests to register, in order, from which the lots of the divisions were drawn.
	Lots []string `json:"lots,omitempty"`
}

// An entry is a registration for a season, with the id of its request.
type entry struct {
	bot.User
	Cause string `json:"cause"`
}

// A past records how a player's last season ended.
type past struct {
	Season   int          `json:"season"`
	Division int          `json:"division"`
	Place    int          `json:"place"`
	Move     contest.Move `json:"move,omitempty"`
}

// A division is a division of the current season.
type division struct {
	Contest *contest.Contest `json:"contest"`
	Places  []leaguePlace    `json:"places,omitempty"`
	Stale   bool             `json:"stale,omitempty"` // its message is out of date
	Edits   int              `json:"edits,omitempty"`
	Moved   []contest.Move   `json:"moved,omitempty"` // by number, after the season
}

// A leaguePlace is the thread of a game that has begun.
type leaguePlace struct {
	Round   int           `json:"round"`
	Pairing int           `json:"pairing"`
	Try     int           `json:"try,omitempty"` // raised each time that the game was stopped and opens again
	Channel bot.ChannelID `json:"channel,omitempty"`
	Table   bot.TableID   `json:"table,omitempty"`
	On      bool          `json:"on,omitempty"` // both players have sat down
}

func (p leaguePlace) ref() contest.Ref { return contest.Ref{Round: p.Round, Pairing: p.Pairing} }

// hasBegun reports whether a game of a division has begun.
func (d *division) hasBegun(at contest.Ref) bool { return d.place(at) != nil }

// countEdit counts an edit of a division's message. If after isn't the current number of
// edits, because more have been queued since, it does nothing.
func (d *division) countEdit(after int) {
	if d.Edits == after {
		d.Edits++
		d.Stale = false
	}
}

func (d *division) place(at contest.Ref) *leaguePlace {
	for i := range d.Places {
		if d.Places[i].ref() == at {
			return &d.Places[i]
		}
	}
	return nil
}

// nameOf returns a player's name for use in a sentence.
func (d *division) nameOf(no contest.No) text.Span {
	return text.Name(person(d.Contest.Entrants[no-1].Player))
}

// opens adds a place for each game that begins now.
func (l *league) opens() {
	if l.Phase != playing {
		return
	}
	for i := range l.Div {
		d := &l.Div[i]
		for _, at := range d.Contest.Begin(l.AtOnce, d.hasBegun) {
			d.Places = append(d.Places, leaguePlace{Round: at.Round, Pairing: at.Pairing})
		}
	}
}

// find returns a person's division and number, by any of their ids.
func (l *league) find(ids []game.PlayerID) (div int, no contest.No, ok bool) {
	for i := range l.Div {
		if no, _, ok := findIn(l.Div[i].Contest, ids); ok {
			return i, no, true
		}
	}
	return 0, 0, false
}

// entryOf returns the index of a person's entry, or -1.
func (l *league) entryOf(ids []game.PlayerID) int {
	return slices.IndexFunc(l.Entries, func(e entry) bool { return slices.Contains(ids, e.ID) })
}

// secretOf returns the secret of a season in hexadecimal, derived from the host's. Its digest is
// published when registration opens, and the secret when the season is over.
func (l *league) secretOf(season int, host []byte) string {
	return hex.EncodeToString(sign(host, "season", fmt.Sprint(l.No), fmt.Sprint(season)))
}

// lots returns the requests to register, whose ids were unknown when the digest of the secret was
// published.
func (l *league) lots() (all []string) {
	for _, e := range l.Entries {
		all = append(all, e.Cause)
	}
	return all
}

// begin makes the divisions of a season from its entries. With fewer than three entries it
// extends registration instead and returns false.
func (l *league) begin(seed contest.Seed, known map[game.PlayerID]profile, now time.Time) bool {
	if len(l.Entries) < fewest {
		l.ClosesAt = now.Add(time.Duration(l.Closes) * 24 * time.Hour)
		return false
	}
	sizes := contest.SmallDivisions
	if l.Large {
		sizes = contest.LargeDivisions
	}
	var all []contest.Candidate
	for _, e := range l.Entries {
		m := known[e.ID]
		c := contest.Candidate{Player: contest.Player{ID: string(e.ID), Name: cmp.Or(m.Name, e.Name), Member: m.Number, Rating: m.Rating}}
		for _, id := range m.Avoids {
			c.Avoids = append(c.Avoids, string(id))
		}
		if p, ok := l.Past[string(e.ID)]; ok {
			c.Last = &contest.Past{Ago: l.Season - p.Season, Division: p.Division, Place: p.Place, Move: p.Move}
		}
		all = append(all, c)
	}
	l.Div, l.Lots = nil, l.lots()
	for i, d := range contest.Place(seed, sizes, all) {
		var players []contest.Player
		for _, c := range d {
			players = append(players, c.Player)
		}
		of := seed
		of[0] ^= byte(i + 1)
		l.Div = append(l.Div, division{Contest: contest.NewDivision(of, players), Stale: true})
	}
	l.Phase, l.BegunAt, l.EndsAt = playing, now, now.Add(time.Duration(l.Days)*24*time.Hour)
	l.opens()
	return true
}

// fewest is the least number of players in a season.
const fewest = 3

// settle records a result and begins the next games.
func (l *league) settle(div int, at contest.Ref, r contest.Result) {
	p, ok := l.Div[div].Contest.Game(at)
	if !ok || p.Games[0].Result.Over() {
		return
	}
	p.Games[0].Result = r
	l.Div[div].Stale = true
	l.opens()
}

// withdraw takes a player out of the current season. It reports whether their games became
// void.
func (l *league) withdraw(div int, no contest.No) (void bool) {
	d := &l.Div[div]
	void = d.Contest.Withdraw(no)
	d.Contest.Balance(d.hasBegun)
	d.Stale = true
	l.opens()
	return void
}

// isFinished reports whether all games of all divisions are over.
func (l *league) isFinished() bool {
	return !slices.ContainsFunc(l.Div, func(d division) bool { return !d.Contest.Finished() })
}

// finish ends a season. used is the time that each player took in a running game, in the
// order of its pairing; the player who took more loses it. A game that hasn't begun is lost
// by the player who took more time in all their unfinished games.
func (l *league) finish(used map[leaguePlace][2]time.Duration) {
	for i := range l.Div {
		d := &l.Div[i]
		total := map[contest.No]time.Duration{}
		for _, pl := range d.Places {
			if p, ok := d.Contest.Game(pl.ref()); ok && !p.Games[0].Result.Over() {
				total[p.A] += used[pl][0]
				total[p.B] += used[pl][1]
			}
		}
		for at, p := range d.Contest.Games() {
			if p.Games[0].Result.Over() {
				continue
			}
			a, b := total[p.A], total[p.B]
			if pl := d.place(at); pl != nil {
				a, b = used[*pl][0], used[*pl][1]
			}
			switch {
			case a > b:
				p.Games[0].Result = contest.Forfeit(contest.A)
			case b > a:
				p.Games[0].Result = contest.Forfeit(contest.B)
			default: // both took the same: a draw at 0
				p.Games[0].Result = contest.Result{How: contest.Played}
			}
		}
		moves := d.Contest.Moves(l.Up, l.Down, i == 0, i == len(l.Div)-1)
		d.Moved = make([]contest.Move, len(d.Contest.Entrants))
		if l.Past == nil {
			l.Past = map[string]past{}
		}
		for at, s := range d.Contest.Table() {
			e := d.Contest.Entrants[s.No-1]
			d.Moved[s.No-1] = moves[s.No]
			if !bot.IsFormer(game.PlayerID(e.ID)) {
				l.Past[e.ID] = past{l.Season, i + 1, at + 1, moves[s.No]}
			}
		}
		d.Stale = true
	}
	l.Phase = over
}

// openNext opens registration for the following season. The divisions stay until it begins.
func (l *league) openNext(now time.Time) {
	l.Season++
	l.Phase, l.OpenedAt, l.ClosesAt = entering, now, now.Add(time.Duration(l.Closes)*24*time.Hour)
	l.Entries, l.Told = nil, nil
	for id, p := range l.Past { // players who were away too long start from scratch
		if l.Season-p.Season > contest.ComesBackWithin+1 {
			delete(l.Past, id)
		}
	}
}

// shownSeason returns the season of the divisions in Div.
func (l *league) shownSeason() int {
	if l.Phase == entering {
		return l.Season - 1
	}
	return l.Season
}

// timeUsed returns how much time each seat has taken for its turns, up to a time.
func timeUsed(events []game.Event, now time.Time) (used map[int]time.Duration) {
	used = map[int]time.Duration{}
	var s game.State
	var since time.Time
	spend := func(until time.Time) {
		if s.Phase == game.Playing && !since.IsZero() && s.Turn < len(s.Seats) {
			used[s.Turn] += max(0, s.Pace.Spent(since, until, s.Seats[s.Turn].Away))
		}
	}
	for _, e := range events {
		spend(e.At)
		s = s.Apply(e)
		since = e.At
	}
	if s.Phase != game.Over {
		spend(now)
	}
	return used
}

// rename replaces a person with a former player, and removes them from registration and
// the current season.
func (l *league) rename(from game.PlayerID, to bot.User) (keep bool) {
	if l.Founder.ID == from {
		l.Founder = to
	}
	if i := l.entryOf([]game.PlayerID{from}); i >= 0 {
		if l.Phase == entering {
			l.Entries = slices.Delete(l.Entries, i, i+1)
		} else {
			l.Entries[i].User = to
		}
	}
	l.Remind = slices.DeleteFunc(l.Remind, func(u bot.User) bool { return u.ID == from })
	delete(l.Past, string(from))
	for i := range l.Div {
		for j := range l.Div[i].Contest.Entrants {
			e := &l.Div[i].Contest.Entrants[j]
			if e.ID != string(from) {
				continue
			}
			if l.Phase == playing && e.Out == 0 {
				l.withdraw(i, e.No)
			}
			e.ID, e.Name = string(to.ID), to.Name
			l.Div[i].Stale = true
		}
	}
	return true
}

// mentions reports whether a league mentions a person.
func (l league) mentions(who game.PlayerID) bool {
	ids := []game.PlayerID{who}
	_, _, in := l.find(ids)
	_, was := l.Past[string(who)]
	return in || was || l.Founder.ID == who || l.entryOf(ids) >= 0 || slices.ContainsFunc(l.Remind, func(u bot.User) bool { return u.ID == who })
}

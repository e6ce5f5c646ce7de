package competition

import (
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// An event is a stored tournament.
type event struct {
	head
	Directors []bot.User    `json:"directors"` // the first is the founder
	Kind      contest.Kind  `json:"kind"`
	Planned   int           `json:"planned"`          // rounds
	Wait      time.Duration `json:"wait,omitempty"`   // how long a round waits for a player who hasn't sat down before they forfeit; 0: forever
	Real      bool          `json:"real,omitempty"`   // played at real boards
	Gone      bool          `json:"gone,omitempty"`   // its channel was deleted; it continues on its page and in private messages
	Held      int           `json:"held,omitempty"`   // the round whose wait is over and whose forfeits the directors have to decide
	Delay     time.Duration `json:"delay,omitempty"`  // by which the page lags behind the games
	Secret    string        `json:"secret"`           // in hexadecimal
	Causes    []string      `json:"causes,omitempty"` // request ids of the entries, up to the seeding of the lots
	rounds
	News     []news   `json:"news,omitempty"`
	Told     int      `json:"told,omitempty"` // how many news items have been posted
	Deeds    []change `json:"deeds,omitempty"`
	Reworded int      `json:"reworded,omitempty"` // how many actions the latest message covers
}

// A news is an item to announce in the channel.
type news struct {
	Kind  newsKind `json:"kind"`
	Round int      `json:"round,omitempty"`
}

type newsKind string

const (
	newsOpen      newsKind = "open"      // registration is open
	newsPairings  newsKind = "pairings"  // the pairings of a round
	newsStandings newsKind = "standings" // a round is over
	newsEnd       newsKind = "end"       // the winner, and how to verify the lots
	newsOff       newsKind = "off"
)

// A changeKind says what kind of action a change records.
type changeKind string

const (
	didOpen     changeKind = "open"
	didEnter    changeKind = "enter"
	didWithdraw changeKind = "withdraw"
	didReturn   changeKind = "return"
	didClose    changeKind = "close"
	didReopen   changeKind = "reopen"
	didPair     changeKind = "pair"
	didSwap     changeKind = "swap"
	didBegin    changeKind = "begin"
	didResult   changeKind = "result"
	didSeed     changeKind = "seed"
	didImport   changeKind = "import" // rounds played elsewhere; only older versions record this
	didEnd      changeKind = "end"
	didOff      changeKind = "off"
	didDirector changeKind = "director"
	didUndo     changeKind = "undo"
	didNudge    changeKind = "nudge"
	didMove     changeKind = "move" // to another channel
)

// A change records an action on a tournament and what it takes to undo it.
type change struct {
	Kind   changeKind `json:"kind"`
	By     bot.User   `json:"by,omitzero"` // empty if the host did it
	At     time.Time  `json:"at"`
	Cause  string     `json:"cause"`
	Begun  int        `json:"begun"` // number of rounds begun before it
	Undone bool       `json:"undone,omitempty"`

	No    contest.No      `json:"no,omitempty"`
	Other contest.No      `json:"other,omitempty"`
	Spot  spot            `json:"spot,omitzero"`
	Game  int             `json:"game,omitempty"`
	Was   *contest.Result `json:"was,omitempty"`
	Is    *contest.Result `json:"is,omitempty"`
	Round *contest.Round  `json:"round,omitempty"` // before a swap
	Of    changeKind      `json:"of,omitempty"`    // what was undone, or the phase before
	Seeds []int           `json:"seeds,omitempty"` // before a change of seeds, by number
	Who   bot.User        `json:"who,omitzero"`    // the added director, or the player who joined or left a team that has other players
	// Causes are the request ids of a game that was under way when its result was entered
	// by hand.
	Causes []string `json:"causes,omitempty"`
}

// findCaused returns the action that a request has already caused.
func (e *event) findCaused(cause string) (d change, ok bool) {
	if i := slices.IndexFunc(e.Deeds, func(d change) bool { return d.Cause == cause }); i >= 0 {
		return e.Deeds[i], true
	}
	return d, false
}

// tell adds news for the channel.
func (e *event) tell(k newsKind, round int) { e.News = append(e.News, news{k, round}) }

// hasAnnounced reports whether the news of a kind and round has been queued for the channel.
func (e *event) hasAnnounced(k newsKind, round int) bool {
	return slices.Contains(e.News, news{k, round})
}

// isDirectedBy reports whether one of the ids belongs to a director.
func (e *event) isDirectedBy(ids []game.PlayerID) bool {
	return slices.ContainsFunc(e.Directors, func(d bot.User) bool { return slices.Contains(ids, d.ID) })
}

// isOn reports whether the tournament is neither over nor called off.
func (e *event) isOn() bool { return e.Phase == entering || e.Phase == under }

// isPlaying reports whether a round has begun and isn't over.
func (e *event) isPlaying() bool {
	return e.Phase == under && e.Begun > 0 && !e.isPaired() && !e.round().Over(e.Contest.Format)
}

// user returns a player or director by their name in this tournament, or a nameless user if
// they aren't in it.
func (e *event) user(id game.PlayerID) *bot.User {
	for _, x := range e.Contest.Entrants {
		for _, p := range players(x) {
			if p.ID == string(id) {
				u := person(p)
				return &u
			}
		}
	}
	for _, d := range e.Directors {
		if d.ID == id {
			return &d
		}
	}
	return &bot.User{ID: id}
}

// rename replaces a player's account with another, usually a former player's.
func (e *event) rename(from game.PlayerID, to bot.User) (keep bool) {
	user := func(u *bot.User) {
		if u.ID == from {
			*u = to
		}
	}
	player := func(p *contest.Player) {
		if p.ID == string(from) {
			*p = contest.Player{ID: string(to.ID), Name: to.Name}
		}
	}
	for i := range e.Directors {
		user(&e.Directors[i])
	}
	e.Directors = slices.DeleteFunc(e.Directors, func(u bot.User) bool { return bot.IsFormer(u.ID) })
	for i := range e.Contest.Entrants {
		x := &e.Contest.Entrants[i]
		player(&x.Player)
		for j := range x.Team {
			player(&x.Team[j])
		}
		if e.Phase == entering && bot.IsFormer(game.PlayerID(x.ID)) || e.Phase == under && x.ID == string(to.ID) && x.Out == 0 {
			x.Out = len(e.Contest.Rounds) + 1
		}
	}
	for i := range e.Places {
		for j, id := range e.Places[i].Sat {
			if id == string(from) {
				e.Places[i].Sat[j] = string(to.ID)
			}
		}
	}
	e.Claims = slices.DeleteFunc(e.Claims, func(c claim) bool { return c.By == string(from) })
	for i := range e.Deeds {
		user(&e.Deeds[i].By)
		user(&e.Deeds[i].Who)
	}
	return true
}

// mentions reports whether the tournament mentions a player.
func (e event) mentions(who game.PlayerID) bool {
	_, _, in := e.find([]game.PlayerID{who})
	return in || e.isDirectedBy([]game.PlayerID{who}) || slices.ContainsFunc(e.Deeds, func(d change) bool { return d.By.ID == who || d.Who.ID == who })
}

package competition

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// An event is a tournament as it is stored.
type event struct {
	head
	Directors []bot.User    `json:"directors"` // whoever began it first
	Kind      contest.Kind  `json:"kind"`
	Planned   int           `json:"planned"`          // rounds
	Wait      time.Duration `json:"wait,omitempty"`   // until a player who hasn't sat down forfeits; 0: never
	Real      bool          `json:"real,omitempty"`   // played at real boards
	Gone      bool          `json:"gone,omitempty"`   // its channel was removed; it goes on by its page and in private
	Held      int           `json:"held,omitempty"`   // the round whose wait is over, and of which directors have to decide
	Delay     time.Duration `json:"delay,omitempty"`  // of the page
	Secret    string        `json:"secret"`           // in hexadecimal
	Causes    []string      `json:"causes,omitempty"` // the requests by which people entered, before the lots were settled
	rounds
	News     []news `json:"news,omitempty"`
	Told     int    `json:"told,omitempty"` // of the news
	Deeds    []deed `json:"deeds,omitempty"`
	Reworded int    `json:"reworded,omitempty"` // how many deeds the latest message tells of
}

// A news is something that the channel is told.
type news struct {
	Kind  newsKind `json:"kind"`
	Round int      `json:"round,omitempty"`
}

type newsKind string

const (
	newsOpen      newsKind = "open"      // people can enter
	newsPairings  newsKind = "pairings"  // who meets whom
	newsStandings newsKind = "standings" // the round is over
	newsEnd       newsKind = "end"       // who won, and where the lots came from
	newsOff       newsKind = "off"
)

// A deedKind is what somebody did.
type deedKind string

const (
	didOpen     deedKind = "open"
	didEnter    deedKind = "enter"
	didWithdraw deedKind = "withdraw"
	didReturn   deedKind = "return"
	didClose    deedKind = "close"
	didReopen   deedKind = "reopen"
	didPair     deedKind = "pair"
	didSwap     deedKind = "swap"
	didBegin    deedKind = "begin"
	didResult   deedKind = "result"
	didSeed     deedKind = "seed"
	didImport   deedKind = "import" // rounds played elsewhere, which older versions took
	didEnd      deedKind = "end"
	didOff      deedKind = "off"
	didDirector deedKind = "director"
	didUndo     deedKind = "undo"
	didNudge    deedKind = "nudge"
	didMove     deedKind = "move" // to another channel
)

// A deed is what somebody did to a tournament, with what it takes to undo it.
type deed struct {
	Kind   deedKind  `json:"kind"`
	By     bot.User  `json:"by,omitzero"` // nobody: the host
	At     time.Time `json:"at"`
	Cause  string    `json:"cause"`
	Begun  int       `json:"begun"` // rounds, before it
	Undone bool      `json:"undone,omitempty"`

	No    contest.No      `json:"no,omitempty"`
	Other contest.No      `json:"other,omitempty"`
	Spot  spot            `json:"spot,omitzero"`
	Game  int             `json:"game,omitempty"`
	Was   *contest.Result `json:"was,omitempty"`
	Is    *contest.Result `json:"is,omitempty"`
	Round *contest.Round  `json:"round,omitempty"` // as it was before a swap
	Of    deedKind        `json:"of,omitempty"`    // what was undone, or the phase before
	Seeds []int           `json:"seeds,omitempty"` // as they were before, by number
	Who   bot.User        `json:"who,omitzero"`    // the director who was added, or who joined or left a team of others
	// Causes are those of a game that was on at the table when a result came by hand.
	Causes []string `json:"causes,omitempty"`
}

// did is what a request did, if it was carried out already.
func (e *event) did(cause string) (d deed, ok bool) {
	if i := slices.IndexFunc(e.Deeds, func(d deed) bool { return d.Cause == cause }); i >= 0 {
		return e.Deeds[i], true
	}
	return d, false
}

// tell adds news for the channel.
func (e *event) tell(k newsKind, round int) { e.News = append(e.News, news{k, round}) }

// directs reports whether somebody is one of the directors.
func (e *event) directs(ids []game.PlayerID) bool {
	return slices.ContainsFunc(e.Directors, func(d bot.User) bool { return slices.Contains(ids, d.ID) })
}

// seed mixes the secret with the requests by which people entered, which nobody knew
// when its digest was published.
func (e *event) seed() contest.Seed {
	return sha256.Sum256([]byte(e.Secret + "\n" + strings.Join(e.Causes, "\n")))
}

// digest is published when the tournament opens.
func (e *event) digest() string {
	secret, _ := hex.DecodeString(e.Secret) // it was made by us
	sum := sha256.Sum256(secret)
	return hex.EncodeToString(sum[:])
}

// playing reports whether a round is on and not over.
func (e *event) playing() bool {
	return e.Phase == under && e.Begun > 0 && !e.paired() && !e.round().Over(e.Contest.Format)
}

// user is somebody who plays or directs, as they are named here.
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

// rename puts a former player in somebody's place.
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

// names reports whether somebody is in it.
func (e event) names(who game.PlayerID) bool {
	_, _, in := e.find([]game.PlayerID{who})
	return in || e.directs([]game.PlayerID{who}) || slices.ContainsFunc(e.Deeds, func(d deed) bool { return d.By.ID == who || d.Who.ID == who })
}

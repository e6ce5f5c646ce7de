package tournament

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

// A phase is how far a tournament has come.
type phase string

const (
	entering phase = "entering" // people enter
	under    phase = "under way"
	ended    phase = "ended"
	off      phase = "called off"
)

// An event is a tournament as it is stored.
type event struct {
	V         int               `json:"v"` // 1
	No        int               `json:"no"`
	Cause     string            `json:"cause"` // the request that made it
	Name      string            `json:"name"`
	Channel   bot.ChannelID     `json:"channel"`
	Home      string            `json:"home,omitempty"`
	At        time.Time         `json:"at"`
	Phase     phase             `json:"phase"`
	Directors []bot.User        `json:"directors"` // whoever made it first
	Kind      contest.Kind      `json:"kind"`
	Planned   int               `json:"planned"`          // rounds
	Wait      time.Duration     `json:"wait,omitempty"`   // until who hasn't sat down forfeits; 0: never
	Delay     time.Duration     `json:"delay,omitempty"`  // of the page
	Table     map[string]string `json:"table,omitempty"`  // the options of /new that its tables open with
	Secret    string            `json:"secret"`           // in hexadecimal
	Causes    []string          `json:"causes,omitempty"` // the requests by which people entered, before the lots were settled
	Contest   contest.Contest   `json:"contest"`
	Begun     int               `json:"begun,omitempty"`   // rounds
	BegunAt   time.Time         `json:"begun_at,omitzero"` // the last of them
	Places    []place           `json:"places,omitempty"`
	Claims    []claim           `json:"claims,omitempty"`
	News      []news            `json:"news,omitempty"`
	Told      int               `json:"told,omitempty"` // of the news
	Deeds     []deed            `json:"deeds,omitempty"`
	Reworded  int               `json:"reworded,omitempty"` // how many deeds the latest message tells of
}

// A spot names what is played at one place: a pairing of a round, or one of its boards,
// counted from 1.
type spot struct {
	Round   int `json:"round"`
	Pairing int `json:"pairing"`
	Board   int `json:"board,omitempty"`
}

// A place is where a spot's games are played.
type place struct {
	spot
	Channel bot.ChannelID `json:"channel,omitempty"` // "" where none could be opened
	Game    int           `json:"game"`              // that is played there now, among the pairing's games
	Sat     []string      `json:"sat,omitempty"`     // the ids of those who have sat down to it
	Causes  []string      `json:"causes,omitempty"`  // the requests by which they did; one of them opened the table
	Told    int           `json:"told,omitempty"`    // messages posted there
	Tables  []bot.TableID `json:"tables,omitempty"`  // whose games are over
}

// A claim is a result by hand that the other side is yet to confirm.
type claim struct {
	spot
	Game   int `json:"game"`
	Side   contest.Side
	By     string `json:"by"`
	Scores [2]int `json:"scores"`
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
	didEnd      deedKind = "end"
	didOff      deedKind = "off"
	didDirector deedKind = "director"
	didUndo     deedKind = "undo"
	didNudge    deedKind = "nudge"
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
	Of    deedKind        `json:"of,omitempty"`    // what was undone
}

// did reports whether a request was carried out already.
func (e *event) did(cause string) bool {
	return slices.ContainsFunc(e.Deeds, func(d deed) bool { return d.Cause == cause })
}

// tell adds news for the channel.
func (e *event) tell(k newsKind, round int) { e.News = append(e.News, news{k, round}) }

// directs reports whether somebody is one of the directors.
func (e *event) directs(ids []game.PlayerID) bool {
	return slices.ContainsFunc(e.Directors, func(d bot.User) bool { return slices.Contains(ids, d.ID) })
}

// players are who plays for an entrant, in the order of the boards.
func players(x contest.Entrant) []contest.Player {
	if len(x.Team) > 0 {
		return x.Team
	}
	return []contest.Player{x.Player}
}

// find is the entrant that somebody is, or plays for: the number, and the place among
// its players.
func (e *event) find(ids []game.PlayerID) (no contest.No, board int, ok bool) {
	for _, x := range e.Contest.Entrants {
		for i, p := range players(x) {
			if p.ID != "" && slices.Contains(ids, game.PlayerID(p.ID)) {
				return x.No, i, true
			}
		}
	}
	return 0, 0, false
}

// named finds an entrant by number or name.
func (e *event) named(typed string) (contest.Entrant, bool) {
	for _, x := range e.Contest.Entrants {
		if bot.Alike(x.Name, typed) {
			return x, true
		}
	}
	return contest.Entrant{}, false
}

// in counts who plays on.
func (e *event) in() (n int) {
	for _, x := range e.Contest.Entrants {
		if x.Out == 0 {
			n++
		}
	}
	return n
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

// round is the latest round, begun or not; nil where there is none.
func (e *event) round() *contest.Round {
	if n := len(e.Contest.Rounds); n > 0 {
		return &e.Contest.Rounds[n-1]
	}
	return nil
}

// paired reports whether a round is paired that hasn't begun.
func (e *event) paired() bool { return len(e.Contest.Rounds) > e.Begun }

// playing reports whether a round is on and not over.
func (e *event) playing() bool {
	return e.Phase == under && e.Begun > 0 && !e.paired() && !e.round().Over(e.Contest.Format)
}

// spots are where the games of a pairing are played: one for each board.
func (e *event) spots(round, pairing int) (all []spot) {
	p := e.Contest.Rounds[round-1].Pairings[pairing-1]
	for _, g := range p.Games {
		if s := (spot{round, pairing, g.Board}); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// at is the pairing of a spot, nil where there is none.
func (e *event) at(s spot) *contest.Pairing {
	if s.Round < 1 || s.Round > len(e.Contest.Rounds) || s.Pairing < 1 || s.Pairing > len(e.Contest.Rounds[s.Round-1].Pairings) {
		return nil
	}
	return &e.Contest.Rounds[s.Round-1].Pairings[s.Pairing-1]
}

// place is where a spot is played.
func (e *event) place(s spot) *place {
	i := slices.IndexFunc(e.Places, func(p place) bool { return p.spot == s })
	if i < 0 {
		return nil
	}
	return &e.Places[i]
}

// next is the game to be played at a spot, -1 where all are over.
func (e *event) next(s spot) int {
	p := e.at(s)
	if p == nil || s.Board == 0 && p.Over(e.Contest.Format) {
		return -1
	}
	return slices.IndexFunc(p.Games, func(g contest.Game) bool { return g.Board == s.Board && !g.Result.Over() })
}

// player is who plays on a side at a spot.
func (e *event) player(s spot, side contest.Side) contest.Player {
	p := e.at(s)
	no := p.A
	if side == contest.B {
		no = p.B
	}
	x, ok := e.Contest.Entrant(no)
	if !ok {
		return contest.Player{}
	}
	all := players(x)
	if i := max(s.Board, 1) - 1; i < len(all) {
		return all[i]
	}
	return contest.Player{Name: x.Name}
}

// side is the side that somebody plays on at a spot.
func (e *event) side(s spot, ids []game.PlayerID) (contest.Side, bool) {
	for _, side := range []contest.Side{contest.A, contest.B} {
		if id := e.player(s, side).ID; id != "" && slices.Contains(ids, game.PlayerID(id)) {
			return side, true
		}
	}
	return 0, false
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

// spotOf is where somebody plays in the round that is on.
func (e *event) spotOf(ids []game.PlayerID) (spot, contest.Side, bool) {
	if e.Begun == 0 {
		return spot{}, 0, false
	}
	for i := range e.Contest.Rounds[e.Begun-1].Pairings {
		for _, s := range e.spots(e.Begun, i+1) {
			if side, ok := e.side(s, ids); ok {
				return s, side, true
			}
		}
	}
	return spot{}, 0, false
}

// settle writes how a game ended, and reports whether that ended its round.
func (e *event) settle(s spot, n int, r contest.Result) (over bool) {
	round := &e.Contest.Rounds[s.Round-1]
	was := round.Over(e.Contest.Format)
	e.at(s).Games[n].Result = r
	e.Claims = slices.DeleteFunc(e.Claims, func(c claim) bool { return c.spot == s && c.Game == n })
	if p := e.place(s); p != nil {
		if next := e.next(s); next >= 0 && next != p.Game {
			p.Game, p.Sat = next, nil
		}
	}
	return !was && round.Over(e.Contest.Format)
}

// idle are the spots of the round that is on where nobody has begun, and who hasn't sat
// down there.
func (e *event) idle() (spots []spot, missing []contest.Player) {
	for _, p := range e.Places {
		if p.Round != e.Begun || e.paired() || e.next(p.spot) < 0 || len(p.Sat) >= 2 {
			continue
		}
		spots = append(spots, p.spot)
		for _, side := range []contest.Side{contest.A, contest.B} {
			if who := e.player(p.spot, side); who.ID != "" && !slices.Contains(p.Sat, who.ID) {
				missing = append(missing, who)
			}
		}
	}
	return spots, missing
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
	}
	return true
}

// names reports whether somebody is in it.
func (e event) names(who game.PlayerID) bool {
	_, _, in := e.find([]game.PlayerID{who})
	return in || e.directs([]game.PlayerID{who}) || slices.ContainsFunc(e.Deeds, func(d deed) bool { return d.By.ID == who })
}

package competition

import (
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file is who plays whom, where, and how it came out.

// Rounds are who plays whom, where, and how it came out.
type rounds struct {
	Contest contest.Contest `json:"contest"`
	Begun   int             `json:"begun,omitempty"`   // rounds
	BegunAt time.Time       `json:"begun_at,omitzero"` // the last of them
	Places  []place         `json:"places,omitempty"`
	Claims  []claim         `json:"claims,omitempty"`
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

// players are who plays for an entrant, in the order of the boards.
func players(x contest.Entrant) []contest.Player {
	if len(x.Team) > 0 {
		return x.Team
	}
	return []contest.Player{x.Player}
}

// find is the entrant that somebody is, or plays for: the number, and the place among
// its players.
func (e *rounds) find(ids []game.PlayerID) (no contest.No, board int, ok bool) {
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
func (e *rounds) named(typed string) (contest.Entrant, bool) {
	for _, x := range e.Contest.Entrants {
		if bot.Alike(x.Name, typed) {
			return x, true
		}
	}
	return contest.Entrant{}, false
}

// in counts who plays on.
func (e *rounds) in() (n int) {
	for _, x := range e.Contest.Entrants {
		if x.Out == 0 {
			n++
		}
	}
	return n
}

// round is the latest round, begun or not; nil where there is none.
func (e *rounds) round() *contest.Round {
	if n := len(e.Contest.Rounds); n > 0 {
		return &e.Contest.Rounds[n-1]
	}
	return nil
}

// paired reports whether a round is paired that hasn't begun.
func (e *rounds) paired() bool { return len(e.Contest.Rounds) > e.Begun }

// spots are where the games of a pairing are played: one for each board.
func (e *rounds) spots(round, pairing int) (all []spot) {
	p := e.Contest.Rounds[round-1].Pairings[pairing-1]
	for _, g := range p.Games {
		if s := (spot{round, pairing, g.Board}); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// at is the pairing of a spot, nil where there is none.
func (e *rounds) at(s spot) *contest.Pairing {
	if s.Round < 1 || s.Round > len(e.Contest.Rounds) || s.Pairing < 1 || s.Pairing > len(e.Contest.Rounds[s.Round-1].Pairings) {
		return nil
	}
	return &e.Contest.Rounds[s.Round-1].Pairings[s.Pairing-1]
}

// place is where a spot is played.
func (e *rounds) place(s spot) *place {
	i := slices.IndexFunc(e.Places, func(p place) bool { return p.spot == s })
	if i < 0 {
		return nil
	}
	return &e.Places[i]
}

// sat reports whether somebody has sat down to the game that is next at a spot.
func (e *rounds) sat(s spot, ids []game.PlayerID) bool {
	p := e.place(s)
	return p != nil && p.Game == e.next(s) && slices.ContainsFunc(ids, func(id game.PlayerID) bool { return slices.Contains(p.Sat, string(id)) })
}

// next is the game to be played at a spot, -1 where all are over.
func (e *rounds) next(s spot) int {
	p := e.at(s)
	if p == nil || s.Board == 0 && p.Over(e.Contest.Format) {
		return -1
	}
	return slices.IndexFunc(p.Games, func(g contest.Game) bool { return g.Board == s.Board && !g.Result.Over() })
}

// player is who plays on a side at a spot.
func (e *rounds) player(s spot, side contest.Side) contest.Player {
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
func (e *rounds) side(s spot, ids []game.PlayerID) (contest.Side, bool) {
	for _, side := range []contest.Side{contest.A, contest.B} {
		if id := e.player(s, side).ID; id != "" && slices.Contains(ids, game.PlayerID(id)) {
			return side, true
		}
	}
	return 0, false
}

// spotOf is where somebody plays in the round that is on.
func (e *rounds) spotOf(ids []game.PlayerID) (spot, contest.Side, bool) {
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
func (e *rounds) settle(s spot, n int, r contest.Result) (over bool) {
	round := &e.Contest.Rounds[s.Round-1]
	was := round.Over(e.Contest.Format)
	e.at(s).Games[n].Result = r
	if round.Method.Kind == contest.Knockout {
		e.at(s).PlayOff(e.Contest.Format)
	}
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
func (e *rounds) idle() (spots []spot, missing []contest.Player) {
	for _, p := range e.Places {
		if p.Round != e.Begun || e.paired() || e.next(p.spot) < 0 || len(p.Sat) >= 2 || len(e.claims(p.spot)) > 0 {
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

// last is the latest game of a spot that is over.
func (e *rounds) last(s spot) int {
	n := 0
	for i, g := range e.at(s).Games {
		if g.Board == s.Board && g.Result.Over() {
			n = i
		}
	}
	return n
}

// idsOf are the ids of those who play for an entrant.
func idsOf(e event, no contest.No) (ids []game.PlayerID) {
	x, _ := e.Contest.Entrant(no)
	for _, p := range players(x) {
		if p.ID != "" {
			ids = append(ids, game.PlayerID(p.ID))
		}
	}
	return ids
}

// playersOf are who plays in a round, and has an account here.
func (e *rounds) playersOf(round int) (all []game.PlayerID) {
	for i, p := range e.Contest.Rounds[round-1].Pairings {
		if p.B == 0 && p.A != 0 {
			x, _ := e.Contest.Entrant(p.A)
			for _, p := range players(x) {
				all = append(all, game.PlayerID(p.ID))
			}
		}
		for _, s := range e.spots(round, i+1) {
			all = append(all, game.PlayerID(e.player(s, contest.A).ID), game.PlayerID(e.player(s, contest.B).ID))
		}
	}
	return slices.DeleteFunc(all, func(id game.PlayerID) bool { return id == "" || bot.IsFormer(id) })
}

// out withdraws an entrant from the next round on.
func (e *rounds) out(no contest.No) {
	if x := &e.Contest.Entrants[no-1]; x.Out == 0 {
		x.Out = len(e.Contest.Rounds) + 1
		if e.paired() {
			x.Out++ // they are paired already, and may forfeit
		}
	}
}

// called is an entrant's name in a sentence.
func (e *rounds) called(no contest.No) text.Span {
	x, ok := e.Contest.Entrant(no)
	switch {
	case !ok:
		return text.Span{Text: "?"}
	case len(x.Team) > 0 || x.ID == "":
		return text.Span{Text: x.Name}
	}
	return text.Name(person(x.Player))
}

// teams reports whether teams play.
func (e *rounds) teams() bool { return e.Contest.Format.Boards > 0 }

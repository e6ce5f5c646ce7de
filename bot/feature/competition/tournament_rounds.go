package competition

import (
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file contains the rounds: pairings, their places, and their results.

// A rounds holds the pairings and results of a tournament, and the places of its games.
type rounds struct {
	Contest contest.Contest `json:"contest"`
	Begun   int             `json:"begun,omitempty"`   // number of rounds begun
	BegunAt time.Time       `json:"begun_at,omitzero"` // when the last of them began
	Places  []place         `json:"places,omitempty"`
	Claims  []claim         `json:"claims,omitempty"`
}

// A place is the thread where a spot's games are played.
type place struct {
	spot
	Channel bot.ChannelID `json:"channel,omitempty"` // "" if none could be opened
	Game    int           `json:"game"`              // index of the current game in its pairing
	Sat     []string      `json:"sat,omitempty"`     // ids of the players who have sat down for it
	Causes  []string      `json:"causes,omitempty"`  // ids of the requests to sit down; one of them opened the table
	Told    int           `json:"told,omitempty"`    // messages posted there
	Tables  []bot.TableID `json:"tables,omitempty"`  // tables of finished games
}

// players returns the players of an entrant, in the order of the boards.
func players(x contest.Entrant) []contest.Player {
	if len(x.Team) > 0 {
		return x.Team
	}
	return []contest.Player{x.Player}
}

// find returns a person's entrant, and their board among its players.
func (e *rounds) find(ids []game.PlayerID) (no contest.No, board int, ok bool) {
	return findIn(&e.Contest, ids)
}

// findIn returns a person's entrant in a contest, and their board among its players.
func findIn(c *contest.Contest, ids []game.PlayerID) (no contest.No, board int, ok bool) {
	for _, x := range c.Entrants {
		for i, p := range players(x) {
			if p.ID != "" && slices.Contains(ids, game.PlayerID(p.ID)) {
				return x.No, i, true
			}
		}
	}
	return 0, 0, false
}

// countEntrants counts the entrants who haven't withdrawn.
func (e *rounds) countEntrants() (n int) {
	for _, x := range e.Contest.Entrants {
		if x.Out == 0 {
			n++
		}
	}
	return n
}

// round returns the latest round, begun or not, or nil before the first.
func (e *rounds) round() *contest.Round {
	if n := len(e.Contest.Rounds); n > 0 {
		return &e.Contest.Rounds[n-1]
	}
	return nil
}

// isPaired reports whether the latest round is paired but hasn't begun.
func (e *rounds) isPaired() bool { return len(e.Contest.Rounds) > e.Begun }

// spots returns the spots of a pairing, one for each board.
func (e *rounds) spots(round, pairing int) (all []spot) {
	p := e.Contest.Rounds[round-1].Pairings[pairing-1]
	for _, g := range p.Games {
		if s := (spot{round, pairing, g.Board}); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// pairingAt returns the pairing of a spot, or nil if it doesn't exist.
func (e *rounds) pairingAt(s spot) *contest.Pairing {
	if s.Round < 1 || s.Round > len(e.Contest.Rounds) || s.Pairing < 1 || s.Pairing > len(e.Contest.Rounds[s.Round-1].Pairings) {
		return nil
	}
	return &e.Contest.Rounds[s.Round-1].Pairings[s.Pairing-1]
}

// place returns the place of a spot, or nil.
func (e *rounds) place(s spot) *place {
	i := slices.IndexFunc(e.Places, func(p place) bool { return p.spot == s })
	if i < 0 {
		return nil
	}
	return &e.Places[i]
}

// hasSatDown reports whether a person has sat down for the next game at a spot.
func (e *rounds) hasSatDown(s spot, ids []game.PlayerID) bool {
	p := e.place(s)
	return p != nil && p.Game == e.nextGame(s) && slices.ContainsFunc(ids, func(id game.PlayerID) bool { return slices.Contains(p.Sat, string(id)) })
}

// nextGame returns the index of the next game at a spot, or -1 if all are over.
func (e *rounds) nextGame(s spot) int {
	p := e.pairingAt(s)
	if p == nil || s.Board == 0 && p.Over(e.Contest.Format) {
		return -1
	}
	return slices.IndexFunc(p.Games, func(g contest.Game) bool { return g.Board == s.Board && !g.Result.Over() })
}

// player returns the player of a side at a spot.
func (e *rounds) player(s spot, side contest.Side) contest.Player {
	x, ok := e.Contest.Entrant(e.pairingAt(s).Entrant(side))
	if !ok {
		return contest.Player{}
	}
	all := players(x)
	if i := max(s.Board, 1) - 1; i < len(all) {
		return all[i]
	}
	return contest.Player{Name: x.Name}
}

// side returns a person's side at a spot; it is false if they don't play there.
func (e *rounds) side(s spot, ids []game.PlayerID) (contest.Side, bool) {
	for _, side := range []contest.Side{contest.A, contest.B} {
		if id := e.player(s, side).ID; id != "" && slices.Contains(ids, game.PlayerID(id)) {
			return side, true
		}
	}
	return 0, false
}

// spotOf returns a person's spot and side in the current round.
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

// settle records a game's result, and reports whether it ended the round.
func (e *rounds) settle(s spot, n int, r contest.Result) (over bool) {
	round := &e.Contest.Rounds[s.Round-1]
	was := round.Over(e.Contest.Format)
	e.pairingAt(s).Games[n].Result = r
	if round.Method.Kind == contest.Knockout {
		e.pairingAt(s).PlayOff(e.Contest.Format)
	}
	e.Claims = slices.DeleteFunc(e.Claims, func(c claim) bool { return c.spot == s && c.Game == n })
	if p := e.place(s); p != nil {
		if next := e.nextGame(s); next >= 0 && next != p.Game {
			p.Game, p.Sat = next, nil
		}
	}
	return !was && round.Over(e.Contest.Format)
}

// idleSpots returns the spots of the current round whose games haven't begun, and the players
// who haven't sat down there.
func (e *rounds) idleSpots() (spots []spot, missing []contest.Player) {
	for _, p := range e.Places {
		if p.Round != e.Begun || e.isPaired() || e.nextGame(p.spot) < 0 || len(p.Sat) >= 2 || len(e.claims(p.spot)) > 0 {
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

// lastGame returns the index of the latest finished game at a spot.
func (e *rounds) lastGame(s spot) int {
	n := 0
	for i, g := range e.pairingAt(s).Games {
		if g.Board == s.Board && g.Result.Over() {
			n = i
		}
	}
	return n
}

// idsOf returns the ids of an entrant's players.
func idsOf(e event, no contest.No) (ids []game.PlayerID) {
	x, _ := e.Contest.Entrant(no)
	for _, p := range players(x) {
		if p.ID != "" {
			ids = append(ids, game.PlayerID(p.ID))
		}
	}
	return ids
}

// playersOf returns the players of a round who have accounts here.
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

// withdraw withdraws an entrant, from the next round on.
func (e *rounds) withdraw(no contest.No) {
	if x := &e.Contest.Entrants[no-1]; x.Out == 0 {
		x.Out = len(e.Contest.Rounds) + 1
		if e.isPaired() {
			x.Out++ // already paired for this round, which they may forfeit
		}
	}
}

// nameOf returns an entrant's name for use in a sentence.
func (e *rounds) nameOf(no contest.No) text.Span {
	x, ok := e.Contest.Entrant(no)
	switch {
	case !ok:
		return text.Span{Text: "?"}
	case len(x.Team) > 0 || x.ID == "":
		return text.Span{Text: x.Name}
	}
	return text.Name(person(x.Player))
}

// hasTeams reports whether entrants are teams.
func (e *rounds) hasTeams() bool { return e.Contest.Format.Boards > 0 }

package features_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/simtest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file adds a tournament or a league to some histories: people enter, games open in threads
// and are played, and the competition ends.

// hall is the channel of a history's competition.
const hall = bot.ChannelID("test:hall")

// entrants are the people who play in a competition. The first of them directs it.
var entrants = func() (all []bot.User) {
	for i := range 4 {
		all = append(all, bot.User{ID: game.PlayerID(fmt.Sprint("test:e", i)), Name: fmt.Sprint("E", i)})
	}
	return all
}()

// A competed is a stored competition, as far as the simulation reads it.
type competed struct {
	Phase   string
	Begun   int
	Contest contest.Contest // a tournament's
	Places  []competedAt
	EndsAt  time.Time `json:"ends_at"` // a league's
	Deeds   []struct{ Kind, Cause string }
	News    []struct {
		Kind  string
		Round int
	}
	Div []struct { // a league's
		Contest contest.Contest
		Places  []competedAt
	} `json:"divisions"`
}

// A competedAt is the place of a game: in a tournament rounds and pairings count from 1, in a league
// from 0.
type competedAt struct {
	Round, Pairing int
	Channel        bot.ChannelID
	Table          bot.TableID // a league's
	On             bool        // a league's
}

// competed returns the history's competition as it is stored now.
func (h *history) competed(shelf string) (c competed) {
	b, err := h.truth.Notes("host").Get(context.Background(), shelf, "00000001")
	if err == nil && b != nil {
		err = json.Unmarshal(b, &c)
	}
	if err != nil {
		h.fail("the %s can't be read: %v", shelf, err)
	}
	return c
}

// opensThread is the platform's part in opening a thread: the same key opens the same one.
func (h *history) opensThread(ctx context.Context, p *simtest.Process, key string) (ch bot.ChannelID, err error) {
	err = p.Call(ctx, simtest.PlatformParty, "thread "+key, func() error {
		ch = bot.ChannelID("test:thread " + key)
		return nil
	})
	return ch, err
}

// directs asks for something in the hall, without a table.
func (h *history) directs(who bot.User, command string, args ...string) *asking {
	a := &asking{line: command + " " + strings.Join(args, " "), beside: true}
	a.req = bot.Request{Channel: hall, User: who, Command: command, Args: map[string]string{}}
	for i := 0; i+1 < len(args); i += 2 {
		a.req.Args[args[i]] = args[i+1]
	}
	h.insists(a, string(hall)+" "+string(who.ID)+" asking")
	return a
}

// together runs do for some people at once.
func together(who []bot.User, do func(bot.User)) {
	var all sync.WaitGroup
	for _, u := range who {
		all.Go(func() { do(u) })
	}
	all.Wait()
}

// awaits looks at the competition until it is as wanted, and reports whether it ever was.
func (h *history) awaits(shelf, who string, wanted func(competed) bool) bool {
	for range 400 {
		if wanted(h.competed(shelf)) {
			return true
		}
		time.Sleep(h.world.Between(time.Second, 10*time.Second, "look of "+who))
		if h.ctx.Err() != nil {
			return false
		}
	}
	h.fail("the %s don't go on: %+v", shelf, h.competed(shelf))
	return false
}

// atTournament directs a tournament of some rounds, and plays its games.
func (h *history) atTournament(until time.Time) {
	director := entrants[0]
	h.directs(director, "tournament", "do", "new", "name", "Cup", "method", "round-robin", "pace", "12h", "wait", "never")
	together(entrants, func(u bot.User) { h.directs(u, "tournament", "do", "join") })
	h.directs(director, "tournament", "do", "close")
	for round := 1; round == 1 || round <= 3 && time.Now().Before(until); round++ { // one without a round can't be ended
		h.directs(director, "tournament", "do", "pair")
		h.directs(director, "tournament", "do", "start")
		c := h.competed("tournaments")
		if c.Begun != round {
			h.fail("round %d was started, and %d have begun", round, c.Begun)
			return
		}
		var games sync.WaitGroup
		for i := range c.Contest.Rounds[round-1].Pairings {
			games.Go(func() { h.atBoard(round, i+1) })
		}
		games.Wait()
		if !h.awaits("tournaments", "director", func(c competed) bool { return c.Contest.Rounds[round-1].Over(c.Contest.Format) }) {
			return
		}
	}
	h.directs(director, "tournament", "do", "end")
	h.repeats(h.askedIn(hall)[h.world.Below(len(h.askedIn(hall)), "repeated in the hall")], "repeat in the hall")
}

// atBoard seats two people of a tournament at their board, and plays.
func (h *history) atBoard(round, pairing int) {
	at := func(c competed) competedAt {
		i := slices.IndexFunc(c.Places, func(p competedAt) bool { return p.Round == round && p.Pairing == pairing })
		if i < 0 {
			return competedAt{}
		}
		return c.Places[i]
	}
	if !h.awaits("tournaments", fmt.Sprint("board ", pairing), func(c competed) bool { return at(c).Channel != "" }) {
		return
	}
	c := h.competed("tournaments")
	p := c.Contest.Rounds[round-1].Pairings[pairing-1]
	pair := []bot.User{h.entrant(c.Contest, p.A), h.entrant(c.Contest, p.B)}
	together(pair, func(u bot.User) {
		time.Sleep(h.world.Between(0, time.Minute, "way to the board of "+u.Name))
		h.directs(u, "tournament", "do", "sit", "e", "1", "r", fmt.Sprint(round), "p", fmt.Sprint(pairing), "b", "0")
	})
	h.someMoves(at(c).Channel)
}

func (h *history) entrant(c contest.Contest, no contest.No) bot.User {
	x, _ := c.Entrant(no)
	return bot.User{ID: game.PlayerID(x.ID), Name: x.Name}
}

// someMoves makes a few moves at a table, and resigns one of its players.
func (h *history) someMoves(ch bot.ChannelID) {
	key := string(ch)
	for range h.world.Below(4, "moves in "+key) {
		s, ok := h.look(ch)
		if !ok || s.Phase != game.Playing {
			break
		}
		time.Sleep(h.world.Between(time.Second, time.Minute, "thought in "+key))
		h.asks(ch, s.Seats[s.Turn].Person, h.move(s, key))
	}
	if s, ok := h.look(ch); ok && len(s.Seats) == 2 {
		h.resigns(ch, s.Seats[h.world.Below(2, "who resigns in "+key)].Person)
	}
}

// atLeague plays a season of a league, whose games open by themselves.
func (h *history) atLeague(until time.Time) {
	founder := entrants[0]
	h.directs(founder, "league", "do", "new", "name", "Club", "season", "2", "registration", "1", "games", "2")
	together(entrants, func(u bot.User) { h.directs(u, "league", "do", "join") })
	h.directs(founder, "league", "do", "start")
	if !h.awaits("leagues", "founder", func(c competed) bool { return c.Phase == "playing" }) {
		return
	}
	h.directs(founder, "league", "do", "stop") // no season follows
	played := map[bot.ChannelID]bool{}
	h.awaits("leagues", "founder", func(c competed) bool {
		if c.Phase == "over" {
			return true
		}
		var games sync.WaitGroup
		for _, d := range c.Div {
			for _, p := range d.Places {
				if p.On && !played[p.Channel] {
					played[p.Channel] = true
					games.Go(func() { h.someMoves(p.Channel) })
				}
			}
		}
		games.Wait()
		if time.Now().After(until) && h.world.OneIn(4, "end of the season") {
			h.directs(founder, "league", "do", "end", "sure", "yes")
		}
		return false
	})
}

// checkCompetition checks that a competition did what its messages say, that each of its
// games is counted as it came out, and that it announced everything once.
func (h *history) checkCompetition() {
	_, in, logs := h.tables()
	c := competed{}
	if h.competition != "" {
		c = h.competed(h.competition)
	}
	winner := map[bot.ChannelID]game.PlayerID{}
	for id, ch := range in {
		s, err := game.Replay(logs[id])
		if late := !c.EndsAt.IsZero() && logs[id][len(logs[id])-1].At.After(c.EndsAt.Add(-atLook)); late {
			continue // the season may have ended before
		}
		if err == nil && s.End != nil && len(s.End.Winners) == 1 {
			winner[ch] = s.Seats[s.End.Winners[0]].Person.ID
		}
	}
	count := func(c contest.Contest, p contest.Pairing, ch bot.ChannelID) {
		is := p.Games[0].Result
		if !is.Over() {
			h.fail("the game in %s isn't counted", ch)
			return
		}
		won := p.A
		if halves, _ := is.Worth(contest.B); halves == 2 {
			won = p.B
		}
		if who := h.entrant(c, won).ID; winner[ch] != "" && winner[ch] != who {
			h.fail("%s won in %s, and it is counted as a win of %s", winner[ch], ch, who)
		}
	}
	switch h.competition {
	case "tournaments":
		if c.Phase != "ended" || len(c.Contest.Entrants) != len(entrants) {
			h.fail("the tournament of %d is %q", len(c.Contest.Entrants), c.Phase)
		}
		did := map[string]int{}
		for _, d := range c.Deeds {
			did[d.Cause]++
		}
		for _, a := range h.askedIn(hall) {
			if n := did[a.req.ID]; n > 1 || a.answered && a.req.Args["do"] != "sit" && (n == 0) != a.refused {
				h.fail("%s (%s, refused: %v) was done %d times", a.req.ID, a.line, a.refused, n)
			}
		}
		for _, p := range c.Places {
			count(c.Contest, c.Contest.Rounds[p.Round-1].Pairings[p.Pairing-1], p.Channel)
		}
	case "leagues":
		if c.Phase != "over" || len(c.Div) != 1 || len(c.Div[0].Contest.Entrants) != len(entrants) {
			h.fail("the league is %q: %+v", c.Phase, c.Div)
			return
		}
		d := c.Div[0]
		for _, p := range d.Places {
			if pairing, ok := d.Contest.Game(contest.Ref{Round: p.Round, Pairing: p.Pairing}); !ok {
				h.fail("there is no game for %s", p.Channel)
			} else {
				count(d.Contest, *pairing, p.Channel)
			}
		}
	}
	for p, n := range h.queued {
		if n > 1 && (strings.HasPrefix(p.kind, "tournament") || strings.HasPrefix(p.kind, "league")) {
			h.fail("in %s the post %s of %s was queued %d times", p.ch, p.key, p.kind, n)
		}
	}
}

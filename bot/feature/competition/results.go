package competition

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file is results by hand: for games that are played elsewhere, and in place of others.

// readScore reads "412-377".
func readScore(typed string) (scores [2]int, ok bool) {
	a, b, cut := strings.Cut(strings.NewReplacer(":", "-", "–", "-", " ", "").Replace(typed), "-")
	x, err1 := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	return [2]int{x, y}, cut && err1 == nil && err2 == nil && x >= 0 && y >= 0 && x < 2000 && y < 2000
}

// result takes a result by hand: a player's own, which the opponent confirms, or what a
// director says.
func (f *tournaments) result(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, a, err := f.asked(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	typed := req.Args["score"]
	if _, ok := readScore(req.Args["name"]); ok && typed == "" {
		typed, req.Args["name"] = req.Args["name"], ""
	}
	scores, ok := readScore(typed)
	if !ok {
		return bot.Reply{}, words.Refusing("How did it end? Your points first, then the opponent's: {example}.", text.Code("/tournament result score:412-377"))
	}
	directs := a.may(&e) == nil
	if directs && (len(req.People) > 0 || req.Args["name"] != "" || req.Args["table"] != "") {
		return f.directorsResult(ctx, req, &e, scores)
	}
	s, side, on := e.spotOf(a.ids)
	switch {
	case !on && directs:
		return bot.Reply{}, words.Refusing("Whose game? Name one of the players, whose points come first: {example}.", text.Code("/tournament result who:@Ann score:412-377"))
	case !on || e.Phase != under || e.paired():
		return bot.Reply{}, words.Refusing("You have no game in a round that is open. Results are taken while the round is on.")
	}
	n := e.next(s)
	if n < 0 {
		return bot.Reply{}, words.Refusing("Your games of this round are over. If a result is wrong, tell the director: {who}.", text.List(named(e.Directors)))
	}
	other := e.player(s, side.Other())
	if side == contest.B {
		scores[0], scores[1] = scores[1], scores[0]
	}
	if directs && other.ID == "" {
		return f.directorsResult(ctx, withWho(req, a.User), &e, [2]int{scores[side], scores[side.Other()]})
	}
	if other.ID == "" {
		return bot.Reply{}, words.Refusing("{who} has no account here to confirm that. Ask the director to enter it: {director}.", text.Strong(other.Name), text.List(named(e.Directors)))
	}
	if err := f.claims(ctx, e.No, claim{spot: s, Game: n, Side: side, By: e.player(s, side).ID, Scores: scores}, game.PlayerID(other.ID), req.ID); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("{who} is asked to confirm {mine} to {theirs}. It counts then, or when the director enters it.", text.Name(person(other)), scores[side], scores[side.Other()])}, nil
}

// claims notes a result that one player says, and asks the other to confirm it.
func (f *tournaments) claims(ctx context.Context, no int, said claim, other game.PlayerID, cause string) error {
	e, err := f.Change(ctx, no, func(e *event) error {
		if e.next(said.spot) != said.Game {
			return words.Refusing("That game already has a result.")
		}
		e.Claims = slices.DeleteFunc(e.Claims, func(c claim) bool { return c.spot == said.spot && c.Game == said.Game })
		e.Claims = append(e.Claims, said)
		return nil
	})
	if err != nil {
		return err
	}
	return f.once(ctx, e.Channel, "tournament:"+cause+":claim", func(r *feature.Room) {
		r.Post(bot.Post{From: e.No, To: said.Round*roundNumber + said.Pairing, For: other, Kind: claimPost, At: f.desk.Now().UTC()})
	})
}

func withWho(req bot.Request, u bot.User) bot.Request {
	req.People = []bot.User{u}
	return req
}

// directorsResult is a result that a director enters: of the game that is open, or in
// place of the one that is there.
func (f *tournaments) directorsResult(ctx context.Context, req bot.Request, e *event, scores [2]int) (bot.Reply, error) {
	s, side, err := f.spotMeant(ctx, e, req)
	if err != nil {
		return bot.Reply{}, err
	}
	return f.direct(ctx, req, func(e *event, a asker) (deed, error) {
		p := e.at(s)
		if p == nil || s.Round > e.Begun {
			return deed{}, words.Refusing("That round isn't open: it hasn't started.")
		}
		n := e.next(s)
		if n < 0 {
			n = e.last(s)
		}
		r := contest.Result{How: contest.Played, Scores: scores}
		if side == contest.B {
			r.Scores = [2]int{scores[1], scores[0]}
		}
		return e.overrule(s, n, r), nil
	})
}

// spotMeant is where a director means: by one of the players, or by a table's number, in
// the round that is on.
func (f *tournaments) spotMeant(ctx context.Context, e *event, req bot.Request) (spot, contest.Side, error) {
	if e.Begun == 0 {
		return spot{}, 0, words.Refusing("That round isn't open: it hasn't started.")
	}
	if n := req.Args["table"]; n != "" && len(req.People) == 0 && req.Args["name"] == "" {
		i, err := strconv.Atoi(n)
		if all := e.Contest.Rounds[e.Begun-1].Pairings; err != nil || i < 1 || i > len(all) || all[i-1].B == 0 {
			return spot{}, 0, words.Refusing("There is no table {n} in round {round}.", text.Code(text.Shorten(n, bot.MaxName)), e.Begun)
		}
		return e.spots(e.Begun, i)[0], contest.A, nil
	}
	if e.teams() && len(req.People) > 0 { // the board of a player of the team
		ids, err := f.desk.Identities(ctx, req.People[0].ID)
		if err != nil {
			return spot{}, 0, err
		}
		if s, side, ok := e.spotOf(ids); ok {
			return s, side, nil
		}
	}
	no, err := f.someone(ctx, e, req)
	if err != nil {
		return spot{}, 0, err
	}
	for i, p := range e.Contest.Rounds[e.Begun-1].Pairings {
		if p.Has(no) && p.B != 0 {
			side := contest.A
			if p.B == no {
				side = contest.B
			}
			return e.spots(e.Begun, i+1)[0], side, nil
		}
	}
	return spot{}, 0, words.Refusing("{who} has no game in round {n}.", e.called(no), e.Begun)
}

// agree confirms, or disputes, what the opponent reported.
func (f *tournaments) agree(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, a, err := f.asked(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	s := readSpot(req.Args)
	i := slices.IndexFunc(e.Claims, func(c claim) bool { return c.spot == s })
	side, ok := e.side(s, a.ids)
	_, again := e.did(req.ID)
	switch {
	case again:
		return bot.Reply{Text: text.Say("Confirmed. The result counts.")}, nil
	case i < 0 && ok && req.Args["say"] == "no" && e.next(s) >= 0: // they have said so already
		return e.disputed(), nil
	case i < 0:
		return bot.Reply{}, words.Refusing("There is nothing left to confirm there.")
	case !ok || side == e.Claims[i].Side:
		return bot.Reply{}, words.Refusing("That is for the other player to confirm.")
	}
	c := e.Claims[i]
	if req.Args["say"] == "no" {
		_, err := f.Change(ctx, e.No, func(e *event) error {
			e.Claims = slices.DeleteFunc(e.Claims, func(o claim) bool { return o == c })
			return nil
		})
		return e.disputed(), err
	}
	if got := strconv.Itoa(c.Scores[0]) + "-" + strconv.Itoa(c.Scores[1]); req.Args["score"] != got {
		return bot.Reply{}, words.Refusing("Another result has been reported since. Look at the latest message.")
	}
	if _, err := f.act(ctx, e.No, req.ID, req.User, func(e *event) (deed, error) {
		if e.next(s) != c.Game {
			return deed{}, words.Refusing("That game already has a result.")
		}
		return e.overrule(s, c.Game, contest.Result{How: contest.Played, Scores: c.Scores}), nil
	}); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("Confirmed. The result counts.")}, nil
}

// disputed answers a player who has said that a reported result is wrong.
func (e *event) disputed() bot.Reply {
	return bot.Reply{Text: text.Say("Then it doesn't count. Report what you have, or tell the director: {who}.", text.List(named(e.Directors)))}
}

// forfeit has somebody forfeit the game of the round, or both players.
func (f *tournaments) forfeit(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.there(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	s, side, err := f.spotMeant(ctx, &e, req)
	if err != nil {
		return bot.Reply{}, err
	}
	r := contest.Forfeit(side)
	if len(req.People) > 1 || req.Args["table"] != "" && len(req.People) == 0 && req.Args["name"] == "" {
		r = contest.Result{How: contest.LostByBoth}
	}
	return f.direct(ctx, req, func(e *event, a asker) (deed, error) {
		n := e.next(s)
		if n < 0 {
			return deed{}, words.Refusing("That game has a result. To change it: {result}.", text.Code("/tournament result who:@Ann score:412-377"))
		}
		return e.overrule(s, n, r), nil
	})
}

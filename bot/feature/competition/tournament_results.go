package competition

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game/contest"
)

// This file handles results entered by hand: of games played elsewhere, and corrections.

// readScore parses "412-377".
func readScore(typed string) (scores [2]int, ok bool) {
	a, b, cut := strings.Cut(strings.NewReplacer(":", "-", "–", "-", " ", "").Replace(typed), "-")
	x, err1 := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	return [2]int{x, y}, cut && err1 == nil && err2 == nil && x >= 0 && y >= 0 && x < 2000 && y < 2000
}

// result handles a result entered by hand: a player's own, which the opponent confirms,
// or a director's.
func (f *tournaments) result(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, a, err := f.requireAsker(ctx, req)
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
	directs := a.mayDirect(&e) == nil
	if directs && (len(req.People) > 0 || req.Args["name"] != "" || req.Args["table"] != "" || req.Args["by"] != "") {
		return f.directorsResult(ctx, req, &e, scores)
	}
	s, side, on := e.spotOf(a.ids)
	switch at := readSpot(req.Args); {
	case at.Round > 0 && at != s: // a button from another round
		return bot.Reply{}, words.OutOfDate()
	case !on && directs:
		return bot.Reply{}, words.Refusing("Whose game? Name one of the players, whose points come first: {example}.", text.Code("/tournament result who:@Ann score:412-377"))
	case !on || e.Phase != under || e.isPaired():
		return bot.Reply{}, words.Refusing("You have no game in a round that is open. Results are taken while the round is on.")
	}
	n := e.nextGame(s)
	if n < 0 {
		return bot.Reply{}, words.Refusing("Your games of this round are over. If a result is wrong, tell the director: {who}.", text.List(nameSpans(e.Directors)))
	}
	other := e.player(s, side.Other())
	if directs && other.ID == "" {
		req.People = []bot.User{a.User}
		return f.directorsResult(ctx, req, &e, scores)
	}
	if other.ID == "" {
		return bot.Reply{}, words.Refusing("{who} has no account here to confirm that. Ask the director to enter it: {director}.", text.Strong(other.Name), text.List(nameSpans(e.Directors)))
	}
	return f.report(ctx, req, e, s, side, scores)
}

// directorsResult records a director's result, for the open game or in place of an
// earlier result.
func (f *tournaments) directorsResult(ctx context.Context, req bot.Request, e *event, scores [2]int) (bot.Reply, error) {
	named, err := f.nominees(ctx, e, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if len(named) > 1 {
		return bot.Reply{}, words.Refusing("Name one at a time: {first} or {second}?", e.nameOf(named[0].no), e.nameOf(named[1].no))
	}
	s, side, err := e.findSpot(req.Args, named...)
	if err != nil {
		return bot.Reply{}, err
	}
	return f.direct(ctx, req, func(e *event) (change, error) {
		p := e.pairingAt(s)
		if p == nil || s.Round > e.Begun {
			return change{}, words.Refusing("That round isn't open: it hasn't started.")
		}
		n := e.nextGame(s)
		if n < 0 {
			n = e.lastGame(s)
		}
		r := contest.Result{How: contest.Played, Scores: scores}
		if side == contest.B {
			r.Scores = [2]int{scores[1], scores[0]}
		}
		return e.overrule(s, n, r), nil
	})
}

// findSpot returns the spot that a director means in the current round, and the side of the entrant
// named. If none is named, a button or a table's number gives the spot.
func (e *event) findSpot(args map[string]string, named ...nominee) (spot, contest.Side, error) {
	if e.Begun == 0 {
		return spot{}, 0, words.Refusing("That round isn't open: it hasn't started.")
	}
	all := e.Contest.Rounds[e.Begun-1].Pairings
	if len(named) > 0 {
		who := named[0]
		if s, side, ok := e.spotOf(who.ids); ok { // in a team, the player's board
			return s, side, nil
		}
		for i, p := range all {
			if p.A == who.no && p.B != 0 {
				return e.spots(e.Begun, i+1)[0], contest.A, nil
			}
			if p.B == who.no {
				return e.spots(e.Begun, i+1)[0], contest.B, nil
			}
		}
		return spot{}, 0, words.Refusing("{who} has no game in round {n}.", e.nameOf(who.no), e.Begun)
	}
	if args["by"] != "" {
		s := readSpot(args)
		if s.Round != e.Begun || e.pairingAt(s) == nil || e.nextGame(s) < 0 {
			return spot{}, 0, words.OutOfDate()
		}
		return s, contest.A, nil
	}
	n := args["table"]
	if n == "" {
		return spot{}, 0, errNoneNamed()
	}
	i, err := strconv.Atoi(n)
	if err != nil || i < 1 || i > len(all) || all[i-1].B == 0 {
		return spot{}, 0, words.Refusing("Round {round} has no table {n}.", e.Begun, text.Code(text.Shorten(n, bot.MaxName)))
	}
	return e.spots(e.Begun, i)[0], contest.A, nil
}

// forfeit makes the players whom a director names forfeit, or both players of a table.
func (f *tournaments) forfeit(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.require(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	type loss struct {
		spot
		contest.Result
	}
	var lost []loss
	named, err := f.nominees(ctx, &e, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if len(named) == 0 { // both players of a table, by its number
		s, _, err := e.findSpot(req.Args)
		if err != nil {
			return bot.Reply{}, err
		}
		lost = []loss{{s, contest.Result{How: contest.LostByBoth}}}
	}
	for _, one := range named {
		s, side, err := e.findSpot(req.Args, one)
		if err != nil {
			return bot.Reply{}, err
		}
		r := contest.Forfeit(side)
		i := slices.IndexFunc(lost, func(l loss) bool { return l.spot == s })
		if i >= 0 && lost[i].How != r.How {
			r.How = contest.LostByBoth
		}
		if i >= 0 {
			lost[i].Result = r
		} else {
			lost = append(lost, loss{s, r})
		}
	}
	return f.directs(ctx, req, func(e *event) (all []change, err error) {
		for _, l := range lost {
			n := e.nextGame(l.spot)
			if n < 0 {
				return nil, words.Refusing("That game has a result. To change it: {result}.", text.Code("/tournament result who:@Ann score:412-377"))
			}
			all = append(all, e.overrule(l.spot, n, l.Result))
		}
		return all, nil
	})
}

// write records a result and the news that follows, and returns the log entry.
func (e *event) write(s spot, n int, r contest.Result) change {
	was := e.pairingAt(s).Games[n].Result
	if e.settle(s, n, r) && s.Round == e.Begun && !e.hasAnnounced(newsStandings, s.Round) {
		e.tell(newsStandings, s.Round)
	}
	return change{Kind: didResult, Spot: s, Game: n, Was: &was, Is: &r}
}

// overrule records a result entered by hand and returns the log entry. A game that is under
// way for it no longer counts.
func (e *event) overrule(s spot, n int, r contest.Result) change {
	var on []string
	if p := e.place(s); p != nil && p.Game == n && len(p.Sat) > 1 && !e.pairingAt(s).Games[n].Result.Over() {
		on, p.Causes = p.Causes, nil
	}
	d := e.write(s, n, r)
	d.Causes = on
	return d
}

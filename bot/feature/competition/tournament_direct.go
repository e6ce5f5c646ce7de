package competition

import (
	"cmp"
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file applies and logs a tournament's actions and handles its directors' commands. Most of
// their effects are in tournament_rules.go.

// mayDirect refuses people other than directors. Managers of the place may do the same, so that a
// tournament continues when its director has left.
func (a asker) mayDirect(e *event) error {
	if e.isDirectedBy(a.ids) || a.manages {
		return nil
	}
	return words.Refusing("Only the director can do that: {who}.", text.List(nameSpans(e.Directors)))
}

// loadDirected returns the tournament that a request is about and the person who makes it. It
// refuses people who can't direct the tournament.
func (f *tournaments) loadDirected(ctx context.Context, req bot.Request) (e event, a asker, err error) {
	if e, a, err = f.requireAsker(ctx, req); err == nil {
		err = a.mayDirect(&e)
	}
	return e, a, err
}

// act applies an action to a tournament, once per request. fn returns the entry for the
// log; one without a kind isn't logged.
func (f *tournaments) act(ctx context.Context, no int, cause string, by bot.User, fn func(e *event) (change, error)) (event, error) {
	return f.acts(ctx, no, cause, by, func(e *event) ([]change, error) {
		d, err := fn(e)
		if d.Kind == "" {
			return nil, err
		}
		return []change{d}, err
	})
}

// acts applies an action that makes several log entries.
func (f *tournaments) acts(ctx context.Context, no int, cause string, by bot.User, fn func(e *event) ([]change, error)) (event, error) {
	return f.change(ctx, no, cause, func(e *event) error {
		if _, again := e.findCaused(cause); again {
			return nil
		}
		begun := e.Begun
		all, err := fn(e)
		for _, d := range all {
			d.By, d.At, d.Cause, d.Begun = by, f.desk.Now().UTC(), cause, begun
			e.Deeds = append(e.Deeds, d)
		}
		return err
	})
}

// direct carries out a director's command and then shows the state of the tournament.
func (f *tournaments) direct(ctx context.Context, req bot.Request, fn func(*event) (change, error)) (bot.Reply, error) {
	return f.directs(ctx, req, func(e *event) ([]change, error) {
		d, err := fn(e)
		return []change{d}, err
	})
}

// directs carries out a director's command that consists of several actions.
func (f *tournaments) directs(ctx context.Context, req bot.Request, fn func(*event) ([]change, error)) (bot.Reply, error) {
	e, a, err := f.loadDirected(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	e, err = f.acts(ctx, e.No, req.ID, req.User, func(e *event) ([]change, error) {
		if err := a.mayDirect(e); err != nil {
			return nil, err
		}
		return fn(e)
	})
	if err != nil {
		return bot.Reply{}, err
	}
	var lines []text.Text
	for _, d := range e.Deeds {
		if d.Cause == req.ID {
			lines = append(lines, e.line(d))
		}
	}
	return f.panel(ctx, &e, true, lines...)
}

// directorCommand returns the handler of a director's command that depends on nothing but the
// tournament.
func (f *tournaments) directorCommand(fn func(*event) (change, error)) feature.Run {
	return func(ctx context.Context, req bot.Request) (bot.Reply, error) { return f.direct(ctx, req, fn) }
}

// requireOne refuses a request that names several people although only one is expected.
func requireOne(req bot.Request) error {
	if len(req.People) < 2 {
		return nil
	}
	return words.Refusing("Name one at a time: {first} or {second}?", text.Name(req.People[0]), text.Name(req.People[1]))
}

// show shows the state of a tournament: the next step to a director, and their own
// standing to other people.
func (f *tournaments) show(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, found, err := f.find(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if !found {
		return bot.Reply{Text: text.Say("No tournament here yet. Begin one: people enter with a button, I pair the rounds, open the tables and tell you what to do next. You don't need to set anything."), Buttons: quickStarts()}, nil
	}
	a, err := f.asker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	return f.showOwn(ctx, &e, a, a.mayDirect(&e) == nil)
}

// showOwn shows the state of a tournament to a player, a spectator or a director.
func (f *tournaments) showOwn(ctx context.Context, e *event, a asker, directs bool) (bot.Reply, error) {
	var above []text.Text
	var first, last []bot.Button
	if s, _, on := e.spotOf(a.ids); on && e.isPlaying() && e.nextGame(s) >= 0 {
		above = append(above, e.calls(s, a.ids))
		first = []bot.Button{e.button(text.Say("Sit down"), bot.Primary, "sit", spotArgs(s)...)}
		if e.Real {
			first = []bot.Button{e.reportButton(s)}
		}
		if e.hasSatDown(s, a.ids) {
			if to := f.wayTo(ctx, e, e.place(s).Channel); to != nil {
				first = to
			}
		}
	}
	no, _, in := e.find(a.ids)
	for _, s := range e.Contest.Standings(-1) {
		if in && s.No == no && s.Won+s.Drawn+s.Lost > 0 {
			above = append(above, text.Say("You're in place {place}: {points, select, 1 {1 point} other {{points} points}}, spread {spread}.", s.Place, words.Points(s.Points), words.Spread(s.Spread)))
		}
	}
	switch x, _ := e.Contest.Entrant(no); {
	case directs:
	case !in && e.Phase == entering:
		first = []bot.Button{e.button(text.Say("Enter"), bot.Primary, "join")}
	case in && x.Out == 0 && e.isOn():
		last = []bot.Button{e.button(text.Say("Withdraw"), bot.Ordinary, "leave")}
	}
	r, err := f.panel(ctx, e, directs, above...)
	r.Buttons = slices.Concat(first, r.Buttons, last)
	return r, err
}

// A wishes holds what the club knows about entrants for the pairings: whom they avoid, by
// number, and who is away now. A team is away if it can't replace an absent player.
type wishes struct {
	avoids map[contest.No][]contest.No
	away   map[contest.No]bool
}

func (f *tournaments) wishes(ctx context.Context, e *event) (w wishes, err error) {
	w = wishes{map[contest.No][]contest.No{}, map[contest.No]bool{}}
	for _, x := range e.Contest.Entrants {
		there := 0
		for _, p := range players(x) {
			known := profile{}
			if p.ID != "" && !bot.IsFormer(game.PlayerID(p.ID)) {
				if known, err = f.profile(ctx, e.Home, e.Channel, person(p)); err != nil {
					return w, err
				}
			}
			if !known.Away {
				there++
			}
			for _, id := range known.Avoids {
				ids, err := f.desk.Identities(ctx, id)
				if err != nil {
					return w, err
				}
				if no, _, in := e.find(ids); in && no != x.No && !slices.Contains(w.avoids[x.No], no) {
					w.avoids[x.No] = append(w.avoids[x.No], no)
				}
			}
		}
		w.away[x.No] = there < max(e.Contest.Format.Boards, 1)
	}
	return w, nil
}

// pair lets a director pair the next round.
func (f *tournaments) pair(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.require(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	kind := e.Kind
	if m := contest.Kind(req.Args["method"]); m != "" {
		kind = m
	}
	var byHand [][2]contest.No
	if kind == contest.ByHand {
		if byHand, err = f.parsePairs(ctx, &e, req); err != nil {
			return bot.Reply{}, err
		}
	}
	w, err := f.wishes(ctx, &e)
	if err != nil {
		return bot.Reply{}, err
	}
	return f.direct(ctx, req, func(e *event) (change, error) { return e.pair(kind, byHand, w) })
}

// parsePairs reads pairings from the people of a request, two at a time; a single last one gets
// a bye.
func (f *tournaments) parsePairs(ctx context.Context, e *event, req bot.Request) (pairs [][2]contest.No, err error) {
	all, err := f.nominees(ctx, e, req)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, words.Refusing("Who plays whom? Name everybody in pairs: {example}.", text.Code("/tournament pair method:by-hand who:@Ann @Bob @Cid @Dee"))
	}
	for pair := range slices.Chunk(all, 2) {
		two := [2]contest.No{pair[0].no}
		if len(pair) == 2 {
			two[1] = pair[1].no
		}
		pairs = append(pairs, two)
	}
	return pairs, nil
}

// swap lets a director swap two players.
func (f *tournaments) swap(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.require(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if req.Args["no"] != "" {
		return f.swapChosen(ctx, req, &e)
	}
	two, err := f.nominees(ctx, &e, req)
	if err != nil || len(two) != 2 {
		return bot.Reply{}, cmp.Or(err, error(words.Refusing("Swap whom with whom? Name two: {example}.", text.Code("/tournament swap who:@Ann @Bob"))))
	}
	return f.direct(ctx, req, func(e *event) (change, error) { return e.swap(two[0].no, two[1].no) })
}

// director adds a director.
func (f *tournaments) director(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if len(req.People) == 0 || req.People[0].ID.IsRobot() {
		return bot.Reply{}, words.Refusing("Who? Name somebody: {example}.", text.Code("/tournament director who:@Ann"))
	}
	if err := requireOne(req); err != nil {
		return bot.Reply{}, err
	}
	who := req.People[0]
	return f.direct(ctx, req, func(e *event) (change, error) {
		if slices.ContainsFunc(e.Directors, func(u bot.User) bool { return u.ID == who.ID }) {
			return change{}, words.Refusing("{who} is already a director.", text.Name(who))
		}
		if len(e.Directors) >= 8 {
			return change{}, words.Refusing("There are {n} directors, and that's the limit.", len(e.Directors))
		}
		e.Directors = append(e.Directors, who)
		return change{Kind: didDirector, Who: who}, nil
	})
}

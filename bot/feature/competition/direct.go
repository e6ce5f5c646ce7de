package competition

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file contains the director's commands, and the one message that says what to do
// next.

// direct carries out a director's command and then shows the state of the tournament.
func (f *tournaments) direct(ctx context.Context, req bot.Request, fn func(*event) (deed, error)) (bot.Reply, error) {
	return f.directs(ctx, req, func(e *event) ([]deed, error) {
		d, err := fn(e)
		return []deed{d}, err
	})
}

// directs carries out a director's command that consists of several deeds.
func (f *tournaments) directs(ctx context.Context, req bot.Request, fn func(*event) ([]deed, error)) (bot.Reply, error) {
	e, a, err := f.asked(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if err := a.may(&e); err != nil {
		return bot.Reply{}, err
	}
	e, err = f.acts(ctx, e.No, req.ID, req.User, func(e *event) ([]deed, error) {
		if err := a.may(e); err != nil {
			return nil, err
		}
		return fn(e)
	})
	if err != nil {
		return bot.Reply{}, err
	}
	r, err := f.panel(ctx, &e, true)
	var lines []text.Text
	for _, d := range e.Deeds {
		if d.Cause == req.ID {
			lines = append(lines, e.line(d))
		}
	}
	r.Text = text.Lines(append(lines, r.Text)...)
	return r, err
}

// directing returns the handler of a director's command that depends on nothing but the
// tournament.
func (f *tournaments) directing(fn func(*event) (deed, error)) feature.Run {
	return func(ctx context.Context, req bot.Request) (bot.Reply, error) { return f.direct(ctx, req, fn) }
}

// onlyOne refuses a request that names several people although only one is expected.
func onlyOne(req bot.Request) error {
	if len(req.People) < 2 {
		return nil
	}
	return words.Refusing("Name one at a time: {first} or {second}?", text.Name(req.People[0]), text.Name(req.People[1]))
}

// show shows the state of a tournament: the next step to a director, and their own
// standing to other people.
func (f *tournaments) show(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, found, err := f.meant(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if !found {
		return bot.Reply{Text: text.Say("There is no tournament in this channel. Begin one: people enter with a button, I pair the rounds and open the tables, and you are told what to do next. Nothing needs to be set."), Buttons: ways()}, nil
	}
	a, err := f.asker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	return f.mine(ctx, &e, a, a.may(&e) == nil)
}

// mine shows the state of a tournament to a player, a spectator or a director.
func (f *tournaments) mine(ctx context.Context, e *event, a asker, directs bool) (bot.Reply, error) {
	r, err := f.panel(ctx, e, directs)
	if err != nil {
		return r, err
	}
	no, _, in := e.find(a.ids)
	switch {
	case !in && directs:
		return r, nil
	case !in && e.Phase == entering:
		r.Buttons = append([]bot.Button{e.button(text.Say("Enter"), bot.Primary, "join")}, r.Buttons...)
		return r, nil
	case !in:
		return r, nil
	}
	if e.Begun > 0 {
		for _, s := range e.Contest.Standings(-1) {
			if s.No == no {
				r.Text = text.Lines(text.Say("You are number {place} with {points} and {spread}.", s.Place, words.Points(s.Points), words.Spread(s.Spread)), r.Text)
			}
		}
	}
	if s, _, on := e.spotOf(a.ids); on && e.playing() && e.next(s) >= 0 {
		r.Text = text.Lines(f.calls(ctx, e, s, a.ids), r.Text)
		way := []bot.Button{e.button(text.Say("Sit down"), bot.Primary, "sit", spotArgs(s)...)}
		if e.Real {
			way = []bot.Button{e.reportButton(s)}
		}
		if e.sat(s, a.ids) {
			if to := f.wayTo(ctx, e, e.place(s).Channel); to != nil {
				way = to
			}
		}
		r.Buttons = append(way, r.Buttons...)
	}
	if x, _ := e.Contest.Entrant(no); !directs && x.Out == 0 && e.isOn() {
		r.Buttons = append(r.Buttons, e.button(text.Say("Withdraw"), bot.Ordinary, "leave"))
	}
	return r, nil
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
			known := Member{}
			if p.ID != "" && !bot.IsFormer(game.PlayerID(p.ID)) {
				if known, err = f.Member(ctx, e.Home, e.Channel, person(p)); err != nil {
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

// heed copies the wishes into the entrants before the next round is paired.
func (e *event) heed(w wishes) {
	round := len(e.Contest.Rounds) + 1
	for i := range e.Contest.Entrants {
		x := &e.Contest.Entrants[i]
		x.Avoids = w.avoids[x.No]
		if x.Out == 0 && w.away[x.No] && !slices.Contains(x.Away, round) {
			x.Away = append(x.Away, round)
		}
	}
}

// pair lets a director pair the next round.
func (f *tournaments) pair(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.there(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	kind := e.Kind
	if m := contest.Kind(req.Args["method"]); m != "" {
		kind = m
	}
	var byHand [][2]contest.No
	if kind == contest.ByHand {
		if byHand, err = f.byHand(ctx, &e, req); err != nil {
			return bot.Reply{}, err
		}
	}
	w, err := f.wishes(ctx, &e)
	if err != nil {
		return bot.Reply{}, err
	}
	return f.direct(ctx, req, func(e *event) (deed, error) { return e.pair(kind, byHand, w) })
}

// pair pairs the next round.
func (e *event) pair(kind contest.Kind, byHand [][2]contest.No, w wishes) (deed, error) {
	switch {
	case e.Phase == entering:
		return deed{}, words.Refusing("Close the registration first.")
	case e.Phase != under:
		return deed{}, words.Refusing("{name} is over.", text.Strong(e.Name))
	case e.paired():
		return deed{}, words.Refusing("Round {n} is paired, and hasn't started. Start it, or undo it to pair it anew.", len(e.Contest.Rounds))
	case e.playing() && kind != contest.RoundRobin:
		return deed{}, e.unfinished()
	}
	if len(e.Contest.Rounds) == 0 {
		e.Contest.Seed = e.seed()
	}
	var r contest.Round
	var err error
	e.heed(w)
	if kind == contest.ByHand {
		r, err = e.Contest.Hand(byHand)
	} else {
		r, err = e.Contest.Pair(contest.Method{Kind: kind})
	}
	if err != nil {
		return deed{}, e.explain(err)
	}
	e.Contest.Rounds = append(e.Contest.Rounds, r)
	return deed{Kind: didPair, Spot: spot{Round: len(e.Contest.Rounds)}}, nil
}

// byHand reads pairings from the people of a request, two at a time; a single last one gets
// a bye.
func (f *tournaments) byHand(ctx context.Context, e *event, req bot.Request) (pairs [][2]contest.No, err error) {
	all, err := f.entrantsNamed(ctx, e, req)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, words.Refusing("Who meets whom? Name all, two by two: {example}.", text.Code("/tournament pair method:by-hand who:@Ann @Bob @Cid @Dee"))
	}
	for pair := range slices.Chunk(all, 2) {
		two := [2]contest.No{pair[0]}
		if len(pair) == 2 {
			two[1] = pair[1]
		}
		pairs = append(pairs, two)
	}
	return pairs, nil
}

// entrantsNamed returns the entrants whom a request names, in its order: people, or names
// separated by "/".
func (f *tournaments) entrantsNamed(ctx context.Context, e *event, req bot.Request) (all []contest.No, err error) {
	for _, u := range req.People {
		no, err := f.entrantOf(ctx, e, u)
		if err != nil {
			return nil, err
		}
		all = append(all, no)
	}
	for name := range strings.SplitSeq(req.Args["name"], "/") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		no, err := e.entrantNamed(name)
		if err != nil {
			return nil, err
		}
		all = append(all, no)
	}
	return all, nil
}

// unfinished returns a refusal that lists the games still open in the current round.
func (e *event) unfinished() error {
	var open []text.Text
	for _, p := range e.round().Pairings {
		if !p.Over(e.Contest.Format) {
			open = append(open, text.Glue(e.called(p.A), " – ", e.called(p.B)))
		}
	}
	more := max(0, len(open)-6)
	return words.Refusing("Round {n} isn't over: {games}{more, plural, =0 {} other { and # more}}. You can enter a result, or have somebody forfeit: {forfeit}.", e.Begun, text.Joined(open[:len(open)-more], ", "), more, text.Code("/tournament forfeit who:@…"))
}

// explain turns an error of package contest into a refusal that says why a round can't be
// paired.
func (e *event) explain(err error) error {
	var open *contest.Undecided
	var misfit *contest.Misfit
	switch {
	case errors.As(err, &open):
		return e.unfinished()
	case errors.As(err, &misfit):
		return words.Refusing("{who} {why, select, twice {is named twice} away {doesn't play this round} self {can't play themselves} other {isn't paired}}. Name everybody once, two by two.", e.called(misfit.No), misfit.Why)
	case errors.Is(err, contest.ErrFew):
		return words.Refusing("Fewer than two are left to play. End the tournament, or take people back in: {return}.", text.Code("/tournament return who:@…"))
	case errors.Is(err, contest.ErrMany):
		return words.Refusing("{name} is full: {most} have entered.", text.Strong(e.Name), contest.MaxEntrants)
	case errors.Is(err, contest.ErrNoPairing):
		return words.Refusing("No pairing is left in which nobody meets again. Choose another way for this round: {example}.", text.Code("/tournament pair method:king-of-the-hill"))
	case errors.Is(err, contest.ErrLate):
		return words.Refusing("Somebody entered late, so the rounds can't be laid out any more. Choose another way for this round: {example}.", text.Code("/tournament pair method:swiss"))
	case errors.Is(err, contest.ErrWon):
		return words.Refusing("The knock-out has its winner. End the tournament.")
	}
	return err
}

// swap lets a director swap two players.
func (f *tournaments) swap(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.there(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	pairs, err := f.byHand(ctx, &e, req)
	if err != nil || len(pairs) != 1 || pairs[0][1] == 0 {
		return bot.Reply{}, cmp.Or(err, error(words.Refusing("Swap whom with whom? Name two: {example}.", text.Code("/tournament swap who:@Ann @Bob"))))
	}
	return f.direct(ctx, req, func(e *event) (deed, error) { return e.swap(pairs[0][0], pairs[0][1]) })
}

// swap swaps two players of a round that hasn't started.
func (e *event) swap(x, y contest.No) (deed, error) {
	if !e.paired() {
		return deed{}, words.Refusing("Players can be swapped while a round is paired and hasn't started.")
	}
	n := len(e.Contest.Rounds)
	was := e.Contest.Rounds[n-1]
	e.Contest.Rounds = e.Contest.Rounds[:n-1]
	r, err := e.Contest.Swap(was, x, y)
	if err != nil {
		return deed{}, e.explain(err)
	}
	e.Contest.Rounds = append(e.Contest.Rounds, r)
	return deed{Kind: didSwap, No: x, Other: y, Round: &was, Spot: spot{Round: n}}, nil
}

// startRound starts the round that has been paired.
func (e *event) startRound(at time.Time) (deed, error) {
	switch {
	case e.Phase != under:
		return deed{}, words.Refusing("No round is paired yet.")
	case !e.paired() && e.playing():
		return deed{}, words.Refusing("Round {n} has started already.", e.Begun)
	case !e.paired():
		return deed{}, words.Refusing("No round is paired yet.")
	}
	e.Begun, e.BegunAt = len(e.Contest.Rounds), at
	e.Claims = nil
	for i := range e.round().Pairings {
		for _, s := range e.spots(e.Begun, i+1) {
			e.Places = append(e.Places, place{spot: s, Game: e.next(s)})
		}
	}
	e.tell(newsPairings, e.Begun)
	if e.round().Over(e.Contest.Format) { // only byes
		e.tell(newsStandings, e.Begun)
	}
	return deed{Kind: didBegin, Spot: spot{Round: e.Begun}}, nil
}

// end ends the tournament.
func (e *event) end() (deed, error) {
	switch {
	case e.Phase != under:
		return deed{}, words.Refusing("{name} isn't under way.", text.Strong(e.Name))
	case e.paired():
		return deed{}, words.Refusing("Round {n} is paired. Undo that first, or play it.", len(e.Contest.Rounds))
	case e.Begun == 0:
		return deed{}, words.Refusing("No round was played. You can call it off: {off}.", text.Code("/tournament off"))
	case e.playing():
		return deed{}, e.unfinished()
	}
	e.Phase = ended
	e.tell(newsEnd, e.Begun)
	return deed{Kind: didEnd}, nil
}

// callOff cancels a tournament; its results stay.
func (e *event) callOff() (deed, error) {
	if !e.isOn() {
		return deed{}, words.Refusing("{name} is over.", text.Strong(e.Name))
	}
	d := deed{Kind: didOff, Of: deedKind(e.Phase)}
	e.Phase = off
	e.tell(newsOff, 0)
	return d, nil
}

// nudge reminds the players who haven't sat down.
func (e *event) nudge() (deed, error) {
	if _, missing := e.idle(); !e.playing() || len(missing) == 0 {
		return deed{}, words.Refusing("Everybody has sat down.")
	}
	return deed{Kind: didNudge}, nil
}

// undo undoes the last action, unless a later round has begun.
func (e *event) undo() (deed, error) {
	for i, d := range slices.Backward(e.Deeds) {
		if d.Undone || d.By.ID == "" || d.Kind == didUndo || d.Kind == didNudge || d.Kind == didMove || d.Kind == didDirector && d.Who.ID == "" || d.Kind == didResult && d.Is == nil {
			continue // what the host did stays: a game that was played here counts
		}
		if d.Kind == didBegin && e.Begun == d.Begun+1 {
			if err := e.unbegin(); err != nil {
				return deed{}, err
			}
		} else if e.Begun != d.Begun || d.Kind == didOpen || d.Kind == didImport {
			break
		} else if err := e.takeBack(d); err != nil {
			return deed{}, err
		}
		e.Deeds[i].Undone = true
		return deed{Kind: didUndo, Of: d.Kind, No: d.No, Other: d.Other, Spot: d.Spot, Game: d.Game, Is: d.Is}, nil
	}
	if e.Begun > 0 {
		return deed{}, words.Refusing("There is nothing to take back in round {n}. What was done before stays as it is: a round that has begun is never paired anew. Results can be changed with {result}.", e.Begun, text.Code("/tournament result"))
	}
	return deed{}, words.Refusing("There is nothing to take back.")
}

// unbegin undoes the start of a round, unless a player has sat down in it.
func (e *rounds) unbegin() error {
	for _, p := range e.Places {
		if p.Round == e.Begun && len(p.Sat) > 0 {
			return words.Refusing("Somebody has sat down at table {n} already, so round {round} can't be taken back: their game would be lost.", p.Pairing, e.Begun)
		}
	}
	for _, p := range e.round().Pairings {
		for _, g := range p.Games {
			if g.Result.Over() {
				return words.Refusing("Round {n} has results already. Take those back first.", e.Begun)
			}
		}
	}
	e.Places = slices.DeleteFunc(e.Places, func(p place) bool { return p.Round == e.Begun })
	e.Begun--
	return nil
}

// takeBack undoes an action.
func (e *event) takeBack(d deed) error {
	switch d.Kind {
	case didClose:
		e.Phase = entering
	case didReopen, didEnd:
		e.Phase = under
	case didOff:
		if d.Of == "" {
			return words.Refusing("There is nothing to take back.")
		}
		e.Phase = phase(d.Of)
	case didPair:
		e.Contest.Rounds = e.Contest.Rounds[:len(e.Contest.Rounds)-1]
		for i := range e.Contest.Entrants {
			x := &e.Contest.Entrants[i]
			x.Away = slices.DeleteFunc(x.Away, func(round int) bool { return round == d.Spot.Round })
		}
	case didSwap:
		e.Contest.Rounds[len(e.Contest.Rounds)-1] = *d.Round
	case didWithdraw:
		x := &e.Contest.Entrants[d.No-1]
		x.Out = 0
		if _, _, in := e.find([]game.PlayerID{d.Who.ID}); d.Who.Name != "" && !in {
			x.Team = append(slices.Clone(x.Team), contest.Player{ID: string(d.Who.ID), Name: d.Who.Name})
		}
	case didReturn:
		e.out(d.No)
	case didEnter:
		x := &e.Contest.Entrants[d.No-1]
		if i := slices.IndexFunc(x.Team, func(p contest.Player) bool { return person(p) == d.Who }); i >= 0 && len(x.Team) > 1 {
			x.Team = slices.Delete(slices.Clone(x.Team), i, i+1)
			break
		}
		if int(d.No) == len(e.Contest.Entrants) && len(e.Contest.Rounds) == 0 && len(e.Contest.Entrants[d.No-1].Team) < 2 {
			e.Contest.Entrants = e.Contest.Entrants[:d.No-1]
		} else {
			e.out(d.No)
		}
	case didResult:
		e.settle(d.Spot, d.Game, *d.Was)
		if p := e.place(d.Spot); p != nil && p.Game == d.Game && len(p.Causes) == 0 && len(d.Causes) > 0 {
			p.Causes = d.Causes // the game that was under way counts again
			p.Sat = []string{e.player(d.Spot, contest.A).ID, e.player(d.Spot, contest.B).ID}
		}
	case didSeed:
		e.seedBy(d.Seeds)
	case didDirector:
		e.Directors = slices.DeleteFunc(e.Directors, func(u bot.User) bool { return u.ID == d.Who.ID })
	}
	return nil
}

// log lists who did what, latest first.
func (f *tournaments) log(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.there(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	t := text.Say("What was done in {name}, the latest first:", text.Strong(e.Name))
	for _, d := range slices.Backward(e.Deeds) {
		line := text.Glue(words.Clock(d.At), " · ", e.line(d))
		if t.Len()+line.Len() >= bot.MaxText {
			break
		}
		t = text.Lines(t, line)
	}
	return bot.Reply{Text: t}, nil
}

// line describes an action in a sentence.
func (e *event) line(d deed) text.Text {
	by := any(text.Called(d.By))
	if d.By.ID == "" {
		by = text.Item("Rackmate")
	}
	switch d.Kind {
	case didOpen:
		return text.Say("{who} opened the tournament.", by)
	case didEnter:
		if x, _ := e.Contest.Entrant(d.No); game.PlayerID(x.ID) == d.By.ID {
			return text.Say("{who} entered.", by)
		}
		return text.Say("{who} entered {other}.", by, e.called(d.No))
	case didWithdraw:
		if x, _ := e.Contest.Entrant(d.No); game.PlayerID(x.ID) == d.By.ID {
			return text.Say("{who} withdrew.", by)
		}
		return text.Say("{who} withdrew {other}.", by, e.called(d.No))
	case didReturn:
		return text.Say("{who} let {other} back in.", by, e.called(d.No))
	case didClose:
		return text.Say("{who} closed the registration.", by)
	case didReopen:
		return text.Say("{who} opened the registration again.", by)
	case didPair:
		return text.Say("{who} paired round {n}.", by, d.Spot.Round)
	case didSwap:
		return text.Say("{who} swapped {a} and {b} in round {n}.", by, e.called(d.No), e.called(d.Other), d.Spot.Round)
	case didBegin:
		return text.Say("{who} started round {n}.", by, d.Spot.Round)
	case didResult:
		p := e.at(d.Spot)
		if p == nil || d.Is == nil {
			break
		}
		said := text.Say("{who} entered round {n}, {a} – {b}: {score}.", by, d.Spot.Round, e.called(p.A), e.called(p.B), resultText(*d.Is, contest.A))
		if d.Was != nil && d.Was.Over() {
			said = text.Sentences(said, text.Say("It was {score} before.", resultText(*d.Was, contest.A)))
		}
		return said
	case didSeed:
		return text.Say("{who} set the seeds: {players}.", by, text.List(e.seeded()))
	case didImport:
		return text.Say("{who} took in {n, plural, one {one round that was} other {# rounds that were}} played elsewhere.", by, d.Game)
	case didEnd:
		return text.Say("{who} ended the tournament.", by)
	case didOff:
		return text.Say("{who} called the tournament off.", by)
	case didDirector:
		return text.Say("{who} added a director.", by)
	case didMove:
		return text.Say("{who} moved the tournament to another channel.", by)
	case didNudge:
		return text.Say("{who} reminded those who hadn't begun.", by)
	case didUndo:
		if p := e.at(d.Spot); d.Of == didResult && p != nil && d.Is != nil {
			return text.Say("{who} took back: round {n}, {a} – {b}: {score}.", by, d.Spot.Round, e.called(p.A), e.called(p.B), resultText(*d.Is, contest.A))
		}
		return text.Say("{who} took back: {what, select, enter {an entry} withdraw {a withdrawal} return {a return} close {closing the registration} reopen {opening the registration} pair {the pairing of a round} swap {a swap} begin {the start of a round} result {a result} seed {the seeds} import {taking in rounds} end {the end} off {calling it off} director {adding a director} other {something}}.", by, string(d.Of))
	}
	return text.Say("{who} changed something.", by)
}

// director adds a director.
func (f *tournaments) director(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if len(req.People) == 0 || req.People[0].ID.IsRobot() {
		return bot.Reply{}, words.Refusing("Who? Name somebody: {example}.", text.Code("/tournament director who:@Ann"))
	}
	if err := onlyOne(req); err != nil {
		return bot.Reply{}, err
	}
	who := req.People[0]
	return f.direct(ctx, req, func(e *event) (deed, error) {
		if slices.ContainsFunc(e.Directors, func(u bot.User) bool { return u.ID == who.ID }) {
			return deed{}, words.Refusing("{who} is a director already.", text.Name(who))
		}
		if len(e.Directors) >= 8 {
			return deed{}, words.Refusing("There are {n} directors, and that's the limit.", len(e.Directors))
		}
		e.Directors = append(e.Directors, who)
		return deed{Kind: didDirector, Who: who}, nil
	})
}

package tournament

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file is what the director does, by one message that says what to do next.

// direct carries out what a director does, and shows how things stand then.
func (f *Feature) direct(ctx context.Context, req bot.Request, fn func(e *event, a asker) (deed, error)) (bot.Reply, error) {
	e, err := f.there(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	a, err := f.asker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if err := a.may(&e); err != nil {
		return bot.Reply{}, err
	}
	e, err = f.change(ctx, e.No, req.ID, req.User, func(e *event) (deed, error) {
		if err := a.may(e); err != nil {
			return deed{}, err
		}
		return fn(e, a)
	})
	if err != nil {
		return bot.Reply{}, err
	}
	r, err := f.panel(ctx, &e, true)
	for _, d := range slices.Backward(e.Deeds) {
		if d.Cause == req.ID {
			r.Text = text.Lines(e.line(d), r.Text)
			break
		}
	}
	return r, err
}

// show tells how a tournament stands: the director what to do next, others how they do.
func (f *Feature) show(ctx context.Context, req bot.Request) (bot.Reply, error) {
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

// mine is how a tournament stands for somebody who plays in it, looks on, or directs.
func (f *Feature) mine(ctx context.Context, e *event, a asker, directs bool) (bot.Reply, error) {
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
				r.Text = text.Lines(text.Say("You are number {place} with {points} and {spread}.", s.Place, points(s.Points), spread(s.Spread)), r.Text)
			}
		}
	}
	if s, _, on := e.spotOf(a.ids); on && e.playing() && e.next(s) >= 0 {
		r.Text = text.Lines(f.calls(ctx, e, s, a.ids), r.Text)
		r.Buttons = append([]bot.Button{e.button(text.Say("Sit down"), bot.Primary, "sit", spotArgs(s)...)}, r.Buttons...)
	}
	if x, _ := e.Contest.Entrant(no); !directs && x.Out == 0 && (e.Phase == entering || e.Phase == under) {
		r.Buttons = append(r.Buttons, e.button(text.Say("Withdraw"), bot.Ordinary, "leave"))
	}
	return r, nil
}

// mostListed is how many lines of a list a message has.
const mostListed = 24

// panel is the one message of the director: how things stand, and what to do next.
// Others get it without what only directors can do.
func (f *Feature) panel(ctx context.Context, e *event, directs bool) (bot.Reply, error) {
	var r bot.Reply
	add := func(label text.Text, style bot.Style, do string) {
		if directs {
			r.Buttons = append(r.Buttons, e.button(label, style, do))
		}
	}
	next := text.Text(nil)
	switch {
	case e.Phase == entering:
		r.Text = text.Lines(
			text.Say("{name}: {n, plural, =0 {nobody has entered yet} one {one has entered} other {# have entered}}.", text.Strong(e.Name), e.in()),
			e.entrants(),
		)
		next = text.Say("Next: wait until all have entered, then close the registration.")
		add(text.Say("Close registration"), bot.Primary, "close")
		add(text.Say("Call it off"), bot.Danger, "off")
	case e.Phase == off:
		r.Text = text.Say("{name} was called off.", text.Strong(e.Name))
		add(text.Say("Undo"), bot.Ordinary, "undo")
	case e.Phase == ended:
		r.Text = text.Lines(text.Say("{name} is over.", text.Strong(e.Name)), e.standings(-1))
		add(text.Say("Undo"), bot.Ordinary, "undo")
	case e.paired():
		n := len(e.Contest.Rounds)
		r.Text = text.Lines(text.Say("{name}, round {n} of {all}, as it is paired:", text.Strong(e.Name), n, max(e.Planned, n)), e.pairings(n))
		next = text.Say("Next: start it. Before that {swap} swaps two players.", text.Code("/tournament swap who:@Ann @Bob"))
		add(text.Say("Start round {n}", n), bot.Primary, "start")
		add(text.Say("Undo"), bot.Ordinary, "undo")
	case e.Begun == 0:
		r.Text = text.Lines(text.Say("{name}: {n, plural, one {one plays} other {# play}}, in {rounds, plural, one {one round} other {# rounds}}.", text.Strong(e.Name), e.in(), e.Planned), e.entrants())
		next = text.Say("Next: pair the first round. You see it before it starts.")
		add(text.Say("Pair round {n}", 1), bot.Primary, "pair")
		add(text.Say("Undo"), bot.Ordinary, "undo")
	case e.playing():
		r.Text = text.Lines(text.Say("{name}, round {n} of {all}:", text.Strong(e.Name), e.Begun, max(e.Planned, e.Begun)), e.pairings(e.Begun))
		next = text.Say("Next: wait for the games. You are told when the round is over.")
		if idle, missing := e.idle(); len(idle) > 0 {
			next = text.Say("Next: {n, plural, one {one player hasn't} other {# players haven't}} sat down yet. Nudge them, or wait for the games.", len(missing))
			add(text.Say("{n, plural, one {Nudge who hasn't begun} other {Nudge # who haven't begun}}", len(missing)), bot.Primary, "nudge")
		}
		add(text.Say("Undo"), bot.Ordinary, "undo")
	default:
		n := e.Begun + 1
		r.Text = text.Lines(text.Say("{name}: round {n} of {all} is over.", text.Strong(e.Name), e.Begun, max(e.Planned, e.Begun)), e.standings(-1))
		if e.done() {
			next = text.Say("Next: all rounds are played. End the tournament, or pair one more.")
			add(text.Say("End"), bot.Primary, "end")
			add(text.Say("Pair round {n}", n), bot.Ordinary, "pair")
		} else {
			next = text.Say("Next: pair round {n}. You see it before it starts.", n)
			add(text.Say("Pair round {n}", n), bot.Primary, "pair")
			add(text.Say("End"), bot.Ordinary, "end")
		}
		add(text.Say("Undo"), bot.Ordinary, "undo")
	}
	if directs {
		r.Text = text.Lines(r.Text, next)
	}
	url, err := f.address(ctx, e.No)
	if url != "" && e.Phase != off {
		r.Buttons = append(r.Buttons, bot.Button{Label: text.Say("The tournament's page"), Link: url})
	}
	return r, err
}

// done reports whether all planned rounds are over, or the knock-out has its winner.
func (e *event) done() bool {
	if e.Kind == contest.Knockout {
		_, err := e.Contest.Pair(contest.Method{Kind: contest.Knockout})
		return errors.Is(err, contest.ErrWon)
	}
	return e.Begun >= e.Planned
}

// entrants lists who is in.
func (e *event) entrants() text.Text {
	var lines []text.Text
	for _, x := range e.Contest.Entrants {
		if x.Out > 0 {
			continue
		}
		if len(lines) == mostListed {
			lines = append(lines, text.Item("and {n} more.", e.in()-mostListed))
			break
		}
		var line text.Text
		switch {
		case len(x.Team) > 0:
			var names []text.Span
			for _, p := range x.Team {
				names = append(names, text.Name(person(p)))
			}
			line = text.Glue(len(lines)+1, ". ", text.Strong(x.Name), ": ", text.List(names))
		case x.Rating > 0:
			line = text.Glue(len(lines)+1, ". ", e.called(x.No), " (", x.Rating, ")")
		default:
			line = text.Glue(len(lines)+1, ". ", e.called(x.No))
		}
		lines = append(lines, line)
	}
	return text.Lines(lines...)
}

// pairings list who meets whom in a round, and how that came out so far.
func (e *event) pairings(round int) text.Text {
	var lines []text.Text
	for i, p := range e.Contest.Rounds[round-1].Pairings {
		if len(lines) == mostListed {
			lines = append(lines, text.Item("and {n} more.", len(e.Contest.Rounds[round-1].Pairings)-mostListed))
			break
		}
		switch {
		case p.B == 0 && p.Missed:
			lines = append(lines, text.Say("{who} misses the round.", e.called(p.A)))
		case p.B == 0 && p.A != 0:
			lines = append(lines, text.Say("{who} has a bye.", e.called(p.A)))
		case p.B != 0:
			a, b := e.called(p.A), e.called(p.B)
			if len(p.Games) > 0 && p.Games[0].First == contest.B {
				a, b = b, a
			}
			lines = append(lines, text.Glue(i+1, ". ", a, " – ", b, e.outcome(p)))
		}
	}
	return text.Lines(lines...)
}

// outcome is how a pairing came out so far, in the order in which it is listed.
func (e *event) outcome(p contest.Pairing) any {
	flip := p.Games[0].First == contest.B
	var all []string
	for _, g := range p.Games {
		x, y := g.Result.Scores[contest.A], g.Result.Scores[contest.B]
		how := g.Result.How
		if flip {
			x, y = y, x
			switch how {
			case contest.LostByA:
				how = contest.LostByB
			case contest.LostByB:
				how = contest.LostByA
			}
		}
		switch how {
		case contest.Played:
			all = append(all, strconv.Itoa(x)+":"+strconv.Itoa(y))
		case contest.LostByA:
			all = append(all, "–:+")
		case contest.LostByB:
			all = append(all, "+:–")
		case contest.LostByBoth:
			all = append(all, "–:–")
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "  " + strings.Join(all, ", ")
}

func trimmed(outcome any) string { return strings.TrimSpace(fmt.Sprint(outcome)) }

// points are halves as people write them.
func points(halves int) string {
	switch {
	case halves == 1:
		return "½"
	case halves%2 != 0:
		return strconv.Itoa(halves/2) + "½"
	}
	return strconv.Itoa(halves / 2)
}

// spread is a spread as people write it.
func spread(n int) string {
	if n > 0 {
		return "+" + strconv.Itoa(n)
	}
	return strings.Replace(strconv.Itoa(n), "-", "−", 1)
}

// standings list the first of those after a number of rounds, all of them with -1.
func (e *event) standings(rounds int) text.Text {
	var lines []text.Text
	all := e.Contest.Standings(rounds)
	for i, s := range all {
		if i == mostListed {
			lines = append(lines, text.Item("and {n} more.", len(all)-mostListed))
			break
		}
		lines = append(lines, text.Glue(s.Place, ". ", e.called(s.No), "  ", points(s.Points), "  ", spread(s.Spread)))
	}
	return text.Lines(lines...)
}

// pair pairs the next round.
func (f *Feature) pair(ctx context.Context, req bot.Request) (bot.Reply, error) {
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
	return f.direct(ctx, req, func(e *event, a asker) (deed, error) {
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
	})
}

// byHand reads pairs of people: two after one another, and a last one for a bye. Whom
// the names don't tell are those that were entered without an account, by "/".
func (f *Feature) byHand(ctx context.Context, e *event, req bot.Request) (pairs [][2]contest.No, err error) {
	var all []contest.No
	for _, u := range req.People {
		ids, err := f.desk.Identities(ctx, u.ID)
		if err != nil {
			return nil, err
		}
		no, _, ok := e.find(ids)
		if !ok {
			return nil, words.Refusing("{who} isn't in {name}.", text.Name(u), text.Strong(e.Name))
		}
		all = append(all, no)
	}
	for _, name := range strings.Split(req.Args["name"], "/") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		x, ok := e.named(name)
		if !ok {
			return nil, words.Refusing("{who} isn't in {name}.", text.Strong(text.Shorten(name, bot.MaxName)), text.Strong(e.Name))
		}
		all = append(all, x.No)
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

// unfinished refuses what has to wait for the round that is on.
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

// explain says why a round can't be paired.
func (e *event) explain(err error) error {
	var open *contest.Undecided
	var misfit *contest.Misfit
	switch {
	case errors.As(err, &open):
		if open.Pairing.Over(e.Contest.Format) {
			return words.Refusing("{a} and {b} drew in round {n}, and one of them has to go on. Let them play another game, and enter its result: {result}.", e.called(open.A), e.called(open.B), open.Round, text.Code("/tournament result who:@… score:400-380"))
		}
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

// swap swaps two players of a round that hasn't started.
func (f *Feature) swap(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.there(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	pairs, err := f.byHand(ctx, &e, req)
	if err != nil || len(pairs) != 1 || pairs[0][1] == 0 {
		return bot.Reply{}, errOr(err, words.Refusing("Swap whom with whom? Name two: {example}.", text.Code("/tournament swap who:@Ann @Bob")))
	}
	x, y := pairs[0][0], pairs[0][1]
	return f.direct(ctx, req, func(e *event, a asker) (deed, error) {
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
	})
}

func errOr(err error, other error) error {
	if err != nil {
		return err
	}
	return other
}

// begin starts the round that is paired.
func (f *Feature) begin(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.direct(ctx, req, func(e *event, a asker) (deed, error) {
		switch {
		case e.Phase != under:
			return deed{}, words.Refusing("No round is paired yet.")
		case !e.paired() && e.playing():
			return deed{}, words.Refusing("Round {n} has started already.", e.Begun)
		case !e.paired():
			return deed{}, words.Refusing("No round is paired yet.")
		}
		e.Begun, e.BegunAt = len(e.Contest.Rounds), f.desk.Now().UTC()
		e.Claims = nil
		for i := range e.round().Pairings {
			for _, s := range e.spots(e.Begun, i+1) {
				e.Places = append(e.Places, place{spot: s, Game: e.next(s)})
			}
		}
		e.tell(newsPairings, e.Begun)
		if e.round().Over(e.Contest.Format) { // byes alone
			e.tell(newsStandings, e.Begun)
		}
		return deed{Kind: didBegin, Spot: spot{Round: e.Begun}}, nil
	})
}

// end ends the tournament.
func (f *Feature) end(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.direct(ctx, req, func(e *event, a asker) (deed, error) {
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
		return deed{Kind: didEnd}, nil
	})
}

// callOff calls a tournament off; its results stay.
func (f *Feature) callOff(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.direct(ctx, req, func(e *event, a asker) (deed, error) {
		if e.Phase != entering && e.Phase != under {
			return deed{}, words.Refusing("{name} is over.", text.Strong(e.Name))
		}
		d := deed{Kind: didOff, Of: deedKind(e.Phase)}
		e.Phase = off
		e.tell(newsOff, 0)
		return d, nil
	})
}

// nudge reminds those who haven't sat down.
func (f *Feature) nudge(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.direct(ctx, req, func(e *event, a asker) (deed, error) {
		if _, missing := e.idle(); !e.playing() || len(missing) == 0 {
			return deed{}, words.Refusing("Everybody has sat down.")
		}
		return deed{Kind: didNudge}, nil
	})
}

// undo takes the last act back, as long as no other round has begun.
func (f *Feature) undo(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.direct(ctx, req, func(e *event, a asker) (deed, error) {
		for i, d := range slices.Backward(e.Deeds) {
			if d.Undone || d.By.ID == "" || d.Kind == didUndo || d.Kind == didNudge || d.Kind == didDirector || d.Kind == didResult && d.Is == nil {
				continue // what the host did stays: a game that was played here counts
			}
			if d.Kind == didBegin && e.Begun == d.Begun+1 {
				if err := e.unbegin(); err != nil {
					return deed{}, err
				}
			} else if e.Begun != d.Begun || d.Kind == didOpen {
				break
			} else if err := e.takeBack(d); err != nil {
				return deed{}, err
			}
			e.Deeds[i].Undone = true
			return deed{Kind: didUndo, Of: d.Kind, No: d.No, Other: d.Other, Spot: d.Spot, Game: d.Game}, nil
		}
		if e.Begun > 0 {
			return deed{}, words.Refusing("There is nothing to take back in round {n}. What was done before stays as it is: a round that has begun is never paired anew. Results can be changed with {result}.", e.Begun, text.Code("/tournament result"))
		}
		return deed{}, words.Refusing("There is nothing to take back.")
	})
}

// unbegin takes back that a round has begun, where nobody has sat down in it.
func (e *event) unbegin() error {
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

// takeBack undoes what was done.
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
	case didSwap:
		e.Contest.Rounds[len(e.Contest.Rounds)-1] = *d.Round
	case didWithdraw:
		e.Contest.Entrants[d.No-1].Out = 0
	case didReturn:
		e.out(d.No)
	case didEnter:
		if int(d.No) == len(e.Contest.Entrants) && len(e.Contest.Rounds) == 0 && len(e.Contest.Entrants[d.No-1].Team) < 2 {
			e.Contest.Entrants = e.Contest.Entrants[:d.No-1]
		} else {
			e.out(d.No)
		}
	case didResult:
		e.settle(d.Spot, d.Game, *d.Was)
	}
	return nil
}

// log lists who did what, the latest first.
func (f *Feature) log(ctx context.Context, req bot.Request) (bot.Reply, error) {
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

// line is a deed in a sentence.
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
		return text.Say("{who} took {other} back in.", by, e.called(d.No))
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
		r := contest.Pairing{Games: []contest.Game{{Result: *d.Is}}}
		said := text.Say("{who} entered round {n}, {a} – {b}: {score}.", by, d.Spot.Round, e.called(p.A), e.called(p.B), trimmed(e.outcome(r)))
		if d.Was != nil && d.Was.Over() {
			r.Games[0].Result = *d.Was
			said = text.Sentences(said, text.Say("It was {score} before.", trimmed(e.outcome(r))))
		}
		return said
	case didEnd:
		return text.Say("{who} ended the tournament.", by)
	case didOff:
		return text.Say("{who} called the tournament off.", by)
	case didDirector:
		return text.Say("{who} added a director.", by)
	case didNudge:
		return text.Say("{who} reminded those who hadn't begun.", by)
	case didUndo:
		return text.Say("{who} took back: {what, select, enter {an entry} withdraw {a withdrawal} return {a return} close {closing the registration} reopen {opening the registration} pair {the pairing of a round} swap {a swap} begin {the start of a round} result {a result} end {the end} off {calling it off} other {something}}.", by, string(d.Of))
	}
	return text.Say("{who} changed something.", by)
}

package competition

import (
	"errors"
	"math/bits"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file contains what the commands of directors do to a tournament, and what undoes it.

// closeEntries closes the registration.
func (e *event) closeEntries() (change, error) {
	if e.Phase != entering {
		return change{}, words.Refusing("Registration is closed already.")
	}
	n := e.countEntrants()
	if n < 2 {
		return change{}, words.Refusing("It takes at least two, and {n, plural, =0 {nobody has} one {one has} other {# have}} entered.", n)
	}
	for _, x := range e.Contest.Entrants {
		if e.hasTeams() && x.Out == 0 && len(x.Team) < e.Contest.Format.Boards {
			return change{}, words.Refusing("{team} has {n, plural, one {# player} other {# players}}, and needs {boards}. Others can enter for it with {join}, or withdraw it.", text.Strong(x.Name), len(x.Team), e.Contest.Format.Boards, text.Code("/tournament join team:…"))
		}
	}
	if e.Planned == 0 {
		e.Planned = usualRounds(e.Kind, n)
	}
	e.Phase = under
	return change{Kind: didClose}, nil
}

// usualRounds returns the default number of rounds for n players.
func usualRounds(k contest.Kind, n int) int {
	switch k {
	case contest.RoundRobin:
		return n - 1 + n%2
	case contest.Knockout:
		return bits.Len(uint(n - 1))
	}
	return min(max(bits.Len(uint(n-1))+1, 3), 9)
}

// reopen opens registration again, unless a round has been paired.
func (e *event) reopen() (change, error) {
	switch {
	case e.Phase == entering:
		return change{}, words.Refusing("Registration is open already.")
	case e.Phase != under || len(e.Contest.Rounds) > 0:
		return change{}, words.Refusing("The round is already paired. You can still enter people yourself: {enter}.", text.Code("/tournament enter who:@…"))
	}
	e.Phase = entering
	return change{Kind: didReopen}, nil
}

// applyWishes copies the wishes into the entrants before the next round is paired.
func (e *event) applyWishes(w wishes) {
	round := len(e.Contest.Rounds) + 1
	for i := range e.Contest.Entrants {
		x := &e.Contest.Entrants[i]
		x.Avoids = w.avoids[x.No]
		if x.Out == 0 && w.away[x.No] && !slices.Contains(x.Away, round) {
			x.Away = append(x.Away, round)
		}
	}
}

// pair pairs the next round.
func (e *event) pair(kind contest.Kind, byHand [][2]contest.No, w wishes) (change, error) {
	switch {
	case e.Phase == entering:
		return change{}, words.Refusing("Close the registration first.")
	case e.Phase != under:
		return change{}, words.Refusing("{name} is over.", text.Strong(e.Name))
	case e.isPaired():
		return change{}, words.Refusing("Round {n} is paired, but hasn't started. Start it, or undo it to pair it again.", len(e.Contest.Rounds))
	case e.isPlaying() && kind != contest.RoundRobin:
		return change{}, e.refuseUnfinished()
	}
	if len(e.Contest.Rounds) == 0 {
		e.Contest.Seed = seedOf(e.Secret, e.Causes)
	}
	var r contest.Round
	var err error
	e.applyWishes(w)
	if kind == contest.ByHand {
		r, err = e.Contest.Hand(byHand)
	} else {
		r, err = e.Contest.Pair(contest.Method{Kind: kind})
	}
	if err != nil {
		return change{}, e.explain(err)
	}
	e.Contest.Rounds = append(e.Contest.Rounds, r)
	return change{Kind: didPair, Spot: spot{Round: len(e.Contest.Rounds)}}, nil
}

// refuseUnfinished returns a refusal that lists the games still open in the current round.
func (e *event) refuseUnfinished() error {
	var open []text.Text
	for _, p := range e.round().Pairings {
		if !p.Over(e.Contest.Format) {
			open = append(open, text.Glue(e.nameOf(p.A), " – ", e.nameOf(p.B)))
		}
	}
	more := max(0, len(open)-6)
	return words.Refusing("Round {n} isn't over: {games}{more, plural, =0 {} other { and # more}}. You can enter a result, or have somebody forfeit: {forfeit}.", e.Begun, text.Join(open[:len(open)-more], ", "), more, text.Code("/tournament forfeit who:@…"))
}

// explain turns an error of package contest into a refusal that says why a round can't be
// paired.
func (e *event) explain(err error) error {
	var open *contest.Undecided
	var misfit *contest.Misfit
	switch {
	case errors.As(err, &open):
		return e.refuseUnfinished()
	case errors.As(err, &misfit):
		return words.Refusing("{who} {why, select, twice {is named twice} away {doesn't play this round} self {can't play themselves} other {isn't paired}}. Name everybody once, in pairs.", e.nameOf(misfit.No), misfit.Why)
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
func (e *event) swap(x, y contest.No) (change, error) {
	if !e.isPaired() {
		return change{}, words.Refusing("Players can be swapped while a round is paired and hasn't started.")
	}
	n := len(e.Contest.Rounds)
	was := e.Contest.Rounds[n-1]
	e.Contest.Rounds = e.Contest.Rounds[:n-1]
	r, err := e.Contest.Swap(was, x, y)
	if err != nil {
		return change{}, e.explain(err)
	}
	e.Contest.Rounds = append(e.Contest.Rounds, r)
	return change{Kind: didSwap, No: x, Other: y, Round: &was, Spot: spot{Round: n}}, nil
}

// startRound starts the round that has been paired.
func (e *event) startRound(at time.Time) (change, error) {
	switch {
	case e.Phase != under:
		return change{}, words.Refusing("No round is paired yet.")
	case !e.isPaired() && e.isPlaying():
		return change{}, words.Refusing("Round {n} has started already.", e.Begun)
	case !e.isPaired():
		return change{}, words.Refusing("No round is paired yet.")
	}
	e.Begun, e.BegunAt = len(e.Contest.Rounds), at
	e.Claims = nil
	for i := range e.round().Pairings {
		for _, s := range e.spots(e.Begun, i+1) {
			e.Places = append(e.Places, place{spot: s, Game: e.nextGame(s)})
		}
	}
	e.tell(newsPairings, e.Begun)
	if e.round().Over(e.Contest.Format) { // only byes
		e.tell(newsStandings, e.Begun)
	}
	return change{Kind: didBegin, Spot: spot{Round: e.Begun}}, nil
}

// end ends the tournament.
func (e *event) end() (change, error) {
	switch {
	case e.Phase != under:
		return change{}, words.Refusing("{name} isn't under way.", text.Strong(e.Name))
	case e.isPaired():
		return change{}, words.Refusing("Round {n} is paired. Undo that first, or play it.", len(e.Contest.Rounds))
	case e.Begun == 0:
		return change{}, words.Refusing("No round was played. You can call it off: {off}.", text.Code("/tournament off"))
	case e.isPlaying():
		return change{}, e.refuseUnfinished()
	}
	e.Phase = ended
	e.tell(newsEnd, e.Begun)
	return change{Kind: didEnd}, nil
}

// callOff cancels a tournament; its results stay.
func (e *event) callOff() (change, error) {
	if !e.isOn() {
		return change{}, words.Refusing("{name} is over.", text.Strong(e.Name))
	}
	d := change{Kind: didOff, Of: changeKind(e.Phase)}
	e.Phase = off
	e.tell(newsOff, 0)
	return d, nil
}

// nudge reminds the players who haven't sat down.
func (e *event) nudge() (change, error) {
	if _, missing := e.idleSpots(); !e.isPlaying() || len(missing) == 0 {
		return change{}, words.Refusing("Everybody has sat down.")
	}
	return change{Kind: didNudge}, nil
}

// undo undoes the last action, unless a later round has begun.
func (e *event) undo() (change, error) {
	for i, d := range slices.Backward(e.Deeds) {
		if d.Undone || d.By.ID == "" || d.Kind == didUndo || d.Kind == didNudge || d.Kind == didMove || d.Kind == didDirector && d.Who.ID == "" || d.Kind == didResult && d.Is == nil {
			continue // what the host did stays: a game that was played here counts
		}
		if d.Kind == didBegin && e.Begun == d.Begun+1 {
			if err := e.unbegin(); err != nil {
				return change{}, err
			}
		} else if e.Begun != d.Begun || d.Kind == didOpen || d.Kind == didImport {
			break
		} else if err := e.takeBack(d); err != nil {
			return change{}, err
		}
		e.Deeds[i].Undone = true
		return change{Kind: didUndo, Of: d.Kind, No: d.No, Other: d.Other, Spot: d.Spot, Game: d.Game, Is: d.Is}, nil
	}
	if e.Begun > 0 {
		return change{}, words.Refusing("There's nothing to undo in round {n}. A round that has begun can't be paired again, but {result} changes results.", e.Begun, text.Code("/tournament result"))
	}
	return change{}, words.Refusing("There's nothing to undo.")
}

// unbegin undoes the start of a round, unless a player has sat down in it.
func (e *rounds) unbegin() error {
	for _, p := range e.Places {
		if p.Round == e.Begun && len(p.Sat) > 0 {
			return words.Refusing("Somebody has sat down at table {n} already, so round {round} can't be undone: their game would be lost.", p.Pairing, e.Begun)
		}
	}
	for _, p := range e.round().Pairings {
		for _, g := range p.Games {
			if g.Result.Over() {
				return words.Refusing("Round {n} has results already. Undo those first.", e.Begun)
			}
		}
	}
	e.Places = slices.DeleteFunc(e.Places, func(p place) bool { return p.Round == e.Begun })
	e.Begun--
	return nil
}

// takeBack undoes an action.
func (e *event) takeBack(d change) error {
	switch d.Kind {
	case didClose:
		e.Phase = entering
	case didReopen, didEnd:
		e.Phase = under
	case didOff:
		if d.Of == "" {
			return words.Refusing("There's nothing to undo.")
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
		e.withdraw(d.No)
	case didEnter:
		x := &e.Contest.Entrants[d.No-1]
		if i := slices.IndexFunc(x.Team, func(p contest.Player) bool { return person(p) == d.Who }); i >= 0 && len(x.Team) > 1 {
			x.Team = slices.Delete(slices.Clone(x.Team), i, i+1)
			break
		}
		if int(d.No) == len(e.Contest.Entrants) && len(e.Contest.Rounds) == 0 && len(e.Contest.Entrants[d.No-1].Team) < 2 {
			e.Contest.Entrants = e.Contest.Entrants[:d.No-1]
		} else {
			e.withdraw(d.No)
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

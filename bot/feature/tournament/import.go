package tournament

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game/contest"
	"github.com/rackmate/rackmate/game/contest/files"
)

// This file takes in rounds that were played elsewhere, so that a tournament goes on here.

// takeIn takes rounds in from TSH's lines or NASPA's, before any is paired here.
func (f *registration) takeIn(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, a, err := f.asked(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if err := a.may(&e); err != nil {
		return bot.Reply{}, err
	}
	all, err := files.ReadTSH([]byte(strings.ReplaceAll(req.Args["people"], " | ", "\n")))
	switch {
	case err != nil:
		return bot.Reply{}, unread(err)
	case len(all) > 1:
		return bot.Reply{}, words.Refusing("That is {n} divisions, and a tournament here is one. Take each in where its tournament is.", len(all))
	}
	other := all[0].Contest
	people, err := f.known(ctx, e, other.Entrants)
	if err != nil {
		return bot.Reply{}, err
	}
	return f.direct(ctx, req, func(e *event, a asker) (deed, error) {
		d := deed{Kind: didImport, Of: deedKind(e.Phase), No: contest.No(len(e.Contest.Entrants))}
		if err := e.takesIn(other); err != nil {
			return d, err
		}
		numbers, err := e.takePeople(people, req.ID)
		if err != nil {
			return d, err
		}
		e.Phase, e.Contest.Seed = under, e.seed()
		if err := e.takeRounds(other, numbers); err != nil {
			return d, err
		}
		d.Game = e.goOn(f.desk.Now().UTC())
		return d, nil
	})
}

// goOn begins a tournament with the rounds that were taken in, and gives how many have begun.
func (e *event) goOn(now time.Time) (begun int) {
	if e.Planned == 0 {
		e.Planned = max(usualRounds(e.Kind, e.in()), len(e.Contest.Rounds))
	}
	e.Begun, e.BegunAt = len(e.Contest.Rounds), now
	if last := *e.round(); !slices.ContainsFunc(last.Pairings, func(p contest.Pairing) bool { return p.B != 0 && p.Over(e.Contest.Format) }) {
		e.Begun-- // it is paired, and hasn't begun
	}
	switch {
	case e.Begun == 0:
	case e.paired() || e.round().Over(e.Contest.Format):
		e.tell(newsStandings, e.Begun)
	default:
		for i := range e.round().Pairings { // what is left of the round is played here
			for _, s := range e.spots(e.Begun, i+1) {
				e.Places = append(e.Places, place{spot: s, Game: max(e.next(s), 0)})
			}
		}
		e.tell(newsPairings, e.Begun)
	}
	return e.Begun
}

// known are those who played elsewhere, as far as they are known here.
func (f *registration) known(ctx context.Context, e event, entrants []contest.Entrant) (all []contest.Player, err error) {
	for _, x := range entrants {
		name := files.GivenFirst(x.Name)
		if err := goodName(name); err != nil {
			return nil, err
		}
		p, err := f.playerOf(ctx, e, bot.User{}, name)
		if err != nil {
			return nil, err
		}
		if p.Member = x.Member; x.Rating > 0 {
			p.Rating = x.Rating
		}
		all = append(all, p)
	}
	return all, nil
}

// unread says what is wrong with lines that were to be taken in.
func unread(err error) error {
	var e *files.Error
	if !errors.As(err, &e) {
		return err
	}
	line, what := max(e.Line, 1), text.Strong(text.Shorten(e.What, bot.MaxName))
	switch e.Problem {
	case files.Tab:
		return words.Refusing("Line {n} has a tab. Put single spaces in its place.", line)
	case files.BadOpponent:
		return words.Refusing("Line {n}: the opponent {what} isn't there, or that line says otherwise. Nothing was taken in.", line, what)
	case files.BadScore:
		return words.Refusing("Line {n}: a score is missing, or isn't a number: {what}. Nothing was taken in.", line, what)
	case files.BadRating:
		return words.Refusing("Line {n}: {what} isn't a rating. Nothing was taken in.", line, what)
	case files.NameTwice:
		return words.Refusing("Line {n}: {name} is in the list twice. Give two people of one name something that tells them apart.", line, what)
	case files.TooMany:
		return words.Refusing("A tournament has at most {most} players.", contest.MaxEntrants)
	}
	return words.Refusing("Line {n}: I can't read it as TSH writes players: {example}.", line, text.Code("Alder, Ann 1500 3 0 2; 350 50 401"))
}

// takesIn refuses rounds that a tournament can't take in.
func (e *event) takesIn(other *contest.Contest) error {
	switch {
	case e.Phase != entering && e.Phase != under:
		return words.Refusing("{name} is over.", text.Strong(e.Name))
	case len(e.Contest.Rounds) > 0:
		return words.Refusing("You can only add earlier rounds before the first one is paired here.")
	case len(other.Rounds) == 0:
		return words.Refusing("I found no rounds in those lines. To add players, use {roster}.", text.Code("/roster"))
	case len(other.Rounds) > maxRounds:
		return words.Refusing("A tournament has at most {most} rounds.", maxRounds)
	case e.teams() || e.Contest.Format.Games > 1:
		return words.Refusing("Only a tournament of single games takes rounds in, not one of teams or longer matches.")
	}
	return nil
}

// takePeople enters those who aren't in it yet, and gives the number of each.
func (e *event) takePeople(people []contest.Player, cause string) (numbers []contest.No, err error) {
	for _, p := range people {
		if x, in := e.named(p.Name); in {
			if slices.Contains(numbers, x.No) {
				return nil, words.Refusing("{name} is in the list twice. Give two people of one name something that tells them apart.", text.Strong(p.Name))
			}
			numbers = append(numbers, x.No)
			mine := &e.Contest.Entrants[x.No-1]
			mine.Rating, mine.Member = cmp.Or(mine.Rating, p.Rating), cmp.Or(mine.Member, p.Member)
			continue
		}
		if len(e.Contest.Entrants) >= contest.MaxEntrants {
			return nil, words.Refusing("{name} is full: {most} have entered.", text.Strong(e.Name), contest.MaxEntrants)
		}
		numbers = append(numbers, e.Contest.Enter(contest.Entrant{Player: p}))
	}
	e.Causes = append(e.Causes, cause)
	return numbers, nil
}

// takeRounds takes rounds in, of people who have these numbers here.
func (e *event) takeRounds(other *contest.Contest, numbers []contest.No) error {
	here := func(no contest.No) contest.No {
		if no == 0 {
			return 0
		}
		return numbers[no-1]
	}
	var rounds []contest.Round
	for _, r := range other.Rounds {
		r.Pairings = slices.Clone(r.Pairings)
		for i := range r.Pairings {
			p := &r.Pairings[i]
			p.A, p.B = here(p.A), here(p.B)
		}
		rounds = append(rounds, r)
	}
	err := e.Contest.Take(e.Kind, rounds)
	var u *contest.Unfit
	if errors.As(err, &u) {
		return e.unfit(u)
	}
	return err
}

// unfit says what about rounds keeps them from being taken in.
func (e *event) unfit(u *contest.Unfit) error {
	const most = 6 // names
	var names []text.Span
	for _, no := range u.Who[:min(len(u.Who), most)] {
		names = append(names, e.called(no))
	}
	who, more := text.List(names), len(u.Who)-len(names)
	switch u.Why {
	case contest.UnfitLate:
		return words.Refusing("I don't find {who}{more, plural, =0 {} other { and # more}} in those lines. Nobody can enter late where {kind, select, knockout {losers are out} other {everybody meets everybody}}. Nothing was taken in.", who, more, string(e.Kind))
	case contest.UnfitAgain:
		return words.Refusing("Round {n}: {who} meet again before everybody has met everybody. Nothing was taken in.", u.Round, who)
	case contest.UnfitBye:
		return words.Refusing("Round {n}: {who} has a second bye before everybody has had one. Nothing was taken in.", u.Round, who)
	case contest.UnfitIdle:
		return words.Refusing("Round {n}: I can't tell who should have played {who}{more, plural, =0 {} other { and # more}}. Nothing was taken in.", u.Round, who, more)
	case contest.UnfitRest:
		return words.Refusing("After those {n, plural, one {# round} other {# rounds}} I find no way for everybody to meet everybody else. Nothing was taken in.", u.Round)
	case contest.UnfitOut:
		return words.Refusing("Round {n}: {who} plays on after losing. Nothing was taken in.", u.Round, who)
	case contest.UnfitDrawn:
		return words.Refusing("Round {n}: {who} drew, and a knock-out needs a winner. Nothing was taken in.", u.Round, who)
	case contest.UnfitSize:
		if u.Round == 1 {
			return words.Refusing("Round 1 has {n, plural, one {# pairing} other {# pairings}}, byes included. A knock-out needs 2, 4, 8, 16 or another power of two. Nothing was taken in.", u.Count)
		}
		return words.Refusing("Round {round} has {n, plural, one {# pairing} other {# pairings}}, byes included, where a knock-out has {want, plural, =0 {none, as it is over} other {#}}. Nothing was taken in.", u.Round, u.Count, u.Want)
	}
	return u
}

// giveBack undoes that rounds were taken in.
func (e *event) giveBack(d deed) error {
	if err := e.nobodySits(); err != nil {
		return err
	}
	e.Contest.Entrants, e.Contest.Rounds, e.Places, e.Begun = e.Contest.Entrants[:d.No], nil, nil, 0
	for i := range e.Contest.Entrants {
		x := &e.Contest.Entrants[i]
		if x.From = 0; x.Out > 1 {
			x.Out = 0
		}
	}
	e.Phase = phase(d.Of)
	return nil
}

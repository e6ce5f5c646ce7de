package competition

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game/contest"
)

// This file lets directors seed by hand. Seeds set the order of entrants in the first
// round, and so their place in the bracket of a knock-out. Unseeded entrants follow, by
// rating.

// seed sets the seeds from the people whom a director names, the best first.
func (f *tournaments) seed(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.require(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	all, err := f.nominees(ctx, &e, req)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case len(all) == 0:
		return bot.Reply{}, words.Refusing("Who is seeded? Name them, the best first: {people}, or {names}.", text.Code("/tournament seed who:@Ann @Bob"), text.Code("/tournament seed name:Ann / Bob"))
	}
	return f.direct(ctx, req, func(e *event) (change, error) { return e.setSeeds(all) })
}

// setSeeds seeds entrants, the best first, and nobody else.
func (e *event) setSeeds(all []nominee) (change, error) {
	switch {
	case !e.isOn():
		return change{}, words.Refusing("{name} is over.", text.Strong(e.Name))
	case len(e.Contest.Rounds) > 0:
		return change{}, words.Refusing("Seeds are set before the first round is paired.")
	}
	was, now := e.seeds(), make([]int, len(e.Contest.Entrants))
	for i, one := range all {
		if now[one.no-1] != 0 {
			return change{}, words.Refusing("{who} is named twice.", e.nameOf(one.no))
		}
		now[one.no-1] = i + 1
	}
	e.seedBy(now)
	return change{Kind: didSeed, Seeds: was}, nil
}

// seeds returns the entrants' seeds by number, 0 for unseeded ones.
func (e *rounds) seeds() []int {
	var all []int
	for _, x := range e.Contest.Entrants {
		all = append(all, x.Seed)
	}
	return all
}

// seedBy restores seeds by number; later entrants stay unseeded.
func (e *rounds) seedBy(all []int) {
	for i := range e.Contest.Entrants {
		e.Contest.Entrants[i].Seed = 0
		if i < len(all) {
			e.Contest.Entrants[i].Seed = all[i]
		}
	}
}

// seededNames returns the names of the seeded entrants, the best first.
func (e *rounds) seededNames() (all []text.Span) {
	order := slices.Clone(e.Contest.Entrants)
	slices.SortStableFunc(order, func(a, b contest.Entrant) int { return a.Seed - b.Seed })
	for _, x := range order {
		if x.Seed > 0 {
			all = append(all, e.nameOf(x.No))
		}
	}
	return all
}

package ladder

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// This file is what pages show of players; see [bot.Standings].

// Ranks are the standings of players.
func (f *Feature) Ranks() bot.Standings { return f }

// Standings are the players of a home by their rating in the pool that is played most there.
func (f *Feature) Standings(ctx context.Context, home string) (text.Text, []bot.Standing, error) {
	all, pool, err := f.ranked(ctx, shelf.Place(settings.HomeScope(home)))
	if err != nil || len(all) == 0 {
		return nil, nil, err
	}
	now := f.desk.Now()
	var list []bot.Standing
	for _, s := range all {
		list = append(list, bot.Standing{
			ID: s.id, Name: s.Name, Rating: int(math.Round(s.Ratings[pool].Value)), Sure: certain(s.Ratings[pool].today(now)),
			Games: s.tally.Total.Games, Won: s.tally.Total.Wins,
		})
	}
	return poolName(pool), list, nil
}

// What a profile shows at most.
const (
	mostResults = 200 // that it is made from
	mostRivals  = 20
	mostBests   = 5
)

// Profile is what somebody did.
func (f *Feature) Profile(ctx context.Context, who game.PlayerID) (p bot.Profile, ok bool, err error) {
	player, _, err := f.players.Get(ctx, shelf.Person(who))
	if err != nil || player.Hidden || player.Total.Games == 0 {
		return p, false, err
	}
	t := player.Total
	p = bot.Profile{Games: t.Games, Won: t.Wins, Tied: t.Ties, Bingos: t.Bingos, High: t.High, Average: float64(t.Points) / float64(t.Games)}
	if p.Badges, err = f.badgesOf(ctx, t, who); err != nil {
		return p, false, err
	}
	results, err := f.latest(ctx, who)
	if err != nil {
		return p, false, err
	}
	names := f.names(ctx)
	over := map[string][]bot.RatingAt{}
	for _, r := range results {
		mine := slices.IndexFunc(r.Seats, func(s seatResult) bool { return s.ID == who })
		if mine < 0 {
			continue
		}
		s := r.Seats[mine]
		one := bot.PlayerResult{Table: r.Table, Channel: r.Channel, Ended: r.Ended, Score: s.Points, Place: s.Place, From: s.From, To: s.To}
		for i, o := range r.Seats {
			if i == mine {
				continue
			}
			id, name, err := names(o.ID)
			if err != nil {
				return p, false, err
			}
			one.Others = append(one.Others, bot.Opponent{ID: id, Name: name, Score: o.Points})
		}
		p.Results = append(p.Results, one)
		if s.To != 0 {
			over[r.Pool] = append(over[r.Pool], bot.RatingAt{At: r.Ended, Value: s.To})
		}
		if s.Best != nil {
			p.Best = append(p.Best, bot.TopPlay{Word: s.Best.Word, Score: s.Best.Score, Table: r.Table, Channel: r.Channel})
		}
	}
	slices.SortStableFunc(p.Best, func(a, b bot.TopPlay) int { return b.Score - a.Score })
	p.Best = p.Best[:min(len(p.Best), mostBests)]
	for _, pool := range pools(player.Ratings) {
		r := player.Ratings[pool].today(f.desk.Now())
		one := bot.ProfileRating{Pool: poolName(pool), Value: int(math.Round(r.Value)), Error: int(math.Round(2 * r.Deviation)), Games: player.Ratings[pool].Games, Over: over[pool]}
		slices.Reverse(one.Over)
		p.Ratings = append(p.Ratings, one)
	}
	p.Rivals, err = f.rivals(ctx, who, names)
	return p, err == nil, err
}

// rivals are those whom somebody has played most.
func (f *Feature) rivals(ctx context.Context, who game.PlayerID, names func(game.PlayerID) (game.PlayerID, string, error)) (all []bot.Rival, err error) {
	err = shelf.EachUnder(ctx, f.versus, shelf.Person(who), func(other shelf.Person, v storedVersus) error {
		id, name, err := names(game.PlayerID(other))
		if err == nil && name != "" {
			all = append(all, bot.Rival{ID: id, Name: name, Won: v.Wins, Lost: v.Losses, Tied: v.Ties})
		}
		return err
	})
	slices.SortStableFunc(all, func(a, b bot.Rival) int {
		return cmp.Or(b.Won+b.Lost+b.Tied-a.Won-a.Lost-a.Tied, strings.Compare(a.Name, b.Name))
	})
	return all[:min(len(all), mostRivals)], err
}

// latest are the results of somebody's latest games, the latest first.
func (f *Feature) latest(ctx context.Context, who game.PlayerID) (all []result, err error) {
	tables, err := f.Named(ctx, who)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(tables, func(a, b bot.TableID) int { return cmp.Compare(b, a) })
	tables = tables[:min(len(tables), mostResults)]
	err = f.own.Change(ctx, func(tx shelf.Tx) error {
		all, err = f.resultsOf(tx, who, tables)
		return err
	})
	slices.SortStableFunc(all, func(a, b result) int { return b.Ended.Compare(a.Ended) })
	return all, err
}

// names finds what players are called; those who aren't to be seen have neither id nor name.
func (f *Feature) names(ctx context.Context) func(game.PlayerID) (game.PlayerID, string, error) {
	known := map[game.PlayerID]storedPlayer{}
	return func(who game.PlayerID) (game.PlayerID, string, error) {
		p, had := known[who]
		if !had {
			var err error
			if p, _, err = f.players.Get(ctx, shelf.Person(who)); err != nil {
				return "", "", err
			}
			known[who] = p
		}
		if p.Hidden || p.Name == "" {
			return "", "", nil
		}
		return who, p.Name, nil
	}
}

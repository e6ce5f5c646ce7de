package competition

import (
	"context"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game/contest"
)

// This file has the page of a league, for everybody who has its address.

// pages has the pages of leagues.
type pages struct{ *leagues }

// League is a league as everybody may see it.
func (p pages) League(ctx context.Context, typed string) (bot.League, error) {
	l, err := p.OfPage(ctx, typed)
	if err != nil {
		return bot.League{}, err
	}
	out := bot.League{Name: l.Name, Phase: string(l.Phase), Season: l.Season, Until: l.ClosesAt, Shown: l.shown()}
	if l.Phase == playing {
		out.Until = l.EndsAt
	}
	if l.Phase == entering {
		for _, e := range l.Entries {
			out.Entered = append(out.Entered, e.Name)
		}
	}
	for i := range l.Div {
		d, err := p.division(ctx, &l, i)
		if err != nil {
			return out, err
		}
		out.Divisions = append(out.Divisions, d)
	}
	return out, nil
}

func (p pages) division(ctx context.Context, l *league, div int) (out bot.LeagueDivision, err error) {
	d := &l.Div[div]
	for _, e := range d.Contest.Entrants {
		out.Players = append(out.Players, e.Name)
	}
	left := map[contest.No]int{}
	for r := range d.Contest.Rounds {
		for i, pair := range d.Contest.Rounds[r].Pairings {
			if len(pair.Games) != 1 {
				continue
			}
			one, err := p.game(ctx, d, contest.Ref{Round: r, Pairing: i}, pair)
			if err != nil {
				return out, err
			}
			out.Games = append(out.Games, one)
			if !pair.Games[0].Result.Over() {
				left[pair.A]++
				left[pair.B]++
			}
		}
	}
	possible := d.Contest.Possible()
	for _, s := range d.Contest.Table() {
		one := bot.LeagueStanding{
			WallStanding: bot.WallStanding{Entrant: int(s.No) - 1, Place: s.Place, Points: words.Points(s.Points), Spread: words.Spread(s.Spread), Won: s.Won, Drawn: s.Drawn, Lost: s.Lost, Out: s.Out},
			Left:         left[s.No],
		}
		if d.Moved != nil {
			one.Move = string(d.Moved[s.No-1])
		} else if r, ok := possible[s.No]; ok && s.Place > 0 {
			one.Best, one.Worst = r.Best, r.Worst
		}
		out.Standings = append(out.Standings, one)
	}
	return out, nil
}

// game is a game of a division, whoever moves first first.
func (p pages) game(ctx context.Context, d *division, at contest.Ref, pair contest.Pairing) (out bot.LeagueGame, err error) {
	g := pair.Games[0]
	first := g.First
	no := [2]contest.No{pair.A, pair.B}
	out.A, out.B = int(no[first])-1, int(no[first.Other()])-1
	switch g.Result.How {
	case contest.Open:
	case contest.Void:
		out.Void = true
	case contest.Played:
		out.Result = fmt.Sprintf("%d:%d", g.Result.Scores[first], g.Result.Scores[first.Other()])
	case contest.LostByBoth:
		out.Result = "–:–"
	default:
		out.Result = "+:–"
		if halves, _ := g.Result.Worth(first); halves == 0 {
			out.Result = "–:+"
		}
	}
	if halves, _ := g.Result.Worth(first); g.Result.Over() && !out.Void {
		out.Worth = words.Points(halves)
	}
	pl := d.place(at)
	if pl == nil || pl.Table == 0 {
		return out, nil
	}
	out.On = pl.On && !g.Result.Over()
	if p.Page != nil {
		out.Link, err = p.Page(ctx, pl.Table)
	}
	return out, err
}

package ladder

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file counts duplicate games, which have leaderboards of their own. All players share
// one rack, so a player's result is their share of the best total, as in duplicate clubs.
// The best total sums the plays that went on the board.

// A storedShare sums a player's duplicate games in one scope: a place, or a place and a
// period.
type storedShare struct {
	V     int    `json:"v"` // format version: 1
	Name  string `json:"name"`
	Games int    `json:"games"`
	Score int    `json:"score"`
	Best  int    `json:"best"` // sum of those games' best totals
}

// permille returns the share of the best total in thousandths, rounded.
func (s storedShare) permille() int {
	if s.Best == 0 {
		return 0
	}
	return (1000*s.Score + s.Best/2) / s.Best
}

// sharesIn returns a duplicate game's best total and the seats that played it to the end
// without hints. ok is false if the game doesn't count.
func sharesIn(t table.Table) (best int, seats []int, ok bool) {
	if !t.SharesRack() || t.End == nil || t.Rules.Unrated || t.End.Reason == game.AbandonedEnd || t.End.Reason == game.StoppedEnd {
		return 0, nil, false
	}
	for _, e := range t.Events {
		if f, scored := e.Fact.(game.TurnScored); scored {
			best += f.Score
		}
	}
	for i, s := range t.Seats {
		if !s.Out && !s.Person.ID.IsRobot() && !bot.IsFormer(s.Person.ID) && s.Hints == 0 {
			seats = append(seats, i)
		}
	}
	return best, seats, best > 0 && len(t.Seats) > 1 && len(seats) > 0
}

// countShares counts a duplicate game unless it has been counted already.
func (b *book) countShares(ctx context.Context, t table.Table, home string, ch bot.ChannelID) error {
	best, seats, ok := sharesIn(t)
	if !ok {
		return nil
	}
	scopes := scopesOf(result{Channel: ch, Home: home, Ended: t.Ended})
	return b.own.Change(ctx, func(tx shelf.Tx) error {
		done, shares := b.shared.In(tx), b.shares.In(tx)
		if _, had, err := done.Get(shelf.Table(t.ID)); err != nil || had {
			return err
		}
		if err := done.Put(shelf.Table(t.ID), shelf.Raw("1")); err != nil {
			return err
		}
		for _, i := range seats {
			who := t.Seats[i]
			for _, scope := range scopes {
				k := shelf.Both(scope, shelf.Person(who.Person.ID))
				s, _, err := shares.Get(k)
				if err != nil {
					return err
				}
				s.V, s.Name = 1, who.Person.Name
				s.Games++
				s.Score += who.Score
				s.Best += best
				if err := shares.Put(k, s); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// topShares answers with a server's duplicate leaderboards: this quarter's and the all-time
// one.
func (f *Feature) topShares(ctx context.Context, home string) (bot.Reply, error) {
	var parts []text.Text
	for _, one := range []struct {
		head  text.Text
		scope shelf.Place
	}{
		{text.Say("Duplicate, this quarter of the year: how much of the best total each has scored"), seasonScope(home, f.desk.Now())},
		{text.Say("And ever:"), shelf.Place(settings.HomeScope(home))},
	} {
		var all []storedShare
		hidden := f.hiddenPlayers(ctx)
		if err := shelf.EachUnder(ctx, f.shares, one.scope, func(who shelf.Person, s storedShare) error {
			if !hidden(game.PlayerID(who)) {
				all = append(all, s)
			}
			return nil
		}); err != nil {
			return bot.Reply{}, err
		}
		if len(all) == 0 {
			continue
		}
		slices.SortFunc(all, func(a, b storedShare) int {
			return cmp.Or(b.permille()-a.permille(), b.Games-a.Games, strings.Compare(a.Name, b.Name))
		})
		var lines []string
		list := &text.Table{Columns: []text.Column{{Head: text.Plain("#"), Right: true}, {Head: text.Item("Player")}, {Head: text.Plain("%"), Right: true}, {Head: text.Item("Games"), Right: true}}}
		for i, s := range all[:min(len(all), words.MostRanked)] {
			list.Rows = append(list.Rows, []text.Text{number(i + 1), text.Plain(text.Shorten(s.Name, bot.MaxName)), text.Plain(fmt.Sprintf("%.1f", float64(s.permille())/10)), number(s.Games)})
			lines = append(lines, fmt.Sprintf("%2d. %5.1f %%  %s (%d)", i+1, float64(s.permille())/10, text.Shorten(s.Name, bot.MaxName), s.Games))
		}
		parts = append(parts, one.head, text.InTable(text.Text{text.Code(strings.Join(lines, "\n"))}, list))
	}
	if len(parts) == 0 {
		return bot.Reply{Text: text.Sentences(text.Say("No duplicate results yet. A game counts if two people played it to the end."), text.Say("{new} opens one.", text.Code("/new variant:duplicate")))}, nil
	}
	return bot.Reply{Text: text.Lines(parts...)}, nil
}

package daily

import (
	"cmp"
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/puzzle"
)

// This file handles what earlier versions stored: games of a day or a week, storms, the streaks of
// places, and the hosts' heartbeats. The release after this one drops it.

// A form is the kind of a day's post in earlier versions: "" for a board, "game" or "week" for a
// whole game.
type form string

const weekGame form = "week" // "game" is a day's

// openFormer opens retired shelves, so that their rows are still exported and erased.
func openFormer(own *shelf.Owner) {
	shelf.Open(own, "daily-members", shelf.Spec[callKey, shelf.Raw]{Why: "who has ever played a place's daily board, as an earlier version noted"})
	shelf.Open(own, "daily-storms", shelf.Spec[shelf.Person, shelf.Raw]{Why: "somebody's latest storm, which an earlier version had"})
	shelf.Open(own, "daily-storm-bests", shelf.Spec[callKey, shelf.Raw]{Why: "the best that somebody did in the storms of an earlier version"})
	shelf.Open(own, "daily-beats", shelf.Spec[shelf.Mark, shelf.Raw]{Why: "when a host was last there, as an earlier version noted"})
	shelf.Open(own, "daily-outages", shelf.Spec[shelf.Mark, shelf.Raw]{Why: "when no host was there, as an earlier version noted"})
}

// endGames ends the open games of earlier versions. Their place posts the results and a board at
// its next hour.
func (c *calendar) endGames(ctx context.Context) error {
	var games []bot.ChannelID
	if err := c.places.Each(ctx, func(ch shelf.Channel, p placeRow) error {
		if p.Form != "" {
			games = append(games, bot.ChannelID(ch))
		}
		return nil
	}); err != nil {
		return err
	}
	for _, ch := range games {
		if err := c.endGame(ctx, ch); err != nil {
			return err
		}
	}
	return nil
}

func (c *calendar) endGame(ctx context.Context, ch bot.ChannelID) error {
	now := c.desk.Now().UTC()
	p, _, err := c.places.Get(ctx, shelf.Channel(ch))
	if err != nil {
		return err
	}
	zone, err := c.zoneOf(ctx, ch, p)
	if err != nil {
		return err
	}
	if err := c.own.Change(ctx, func(tx shelf.Tx) (err error) {
		places, days := c.places.In(tx), c.days.In(tx)
		if p, _, err = places.Get(shelf.Channel(ch)); err != nil || p.Form == "" {
			return err
		}
		p.Form = ""
		if next := openingTime(latestDay(now, p.Hour, zone)+1, p.Hour, zone); p.Day > 0 && next.Before(p.Ends) {
			day, _, err := days.Get(keyOfDay(ch, p.Day))
			if err != nil {
				return err
			}
			p.Ends, day.Ends = next, next
			if err := days.Put(keyOfDay(ch, p.Day), day); err != nil {
				return err
			}
		}
		return places.Put(shelf.Channel(ch), p)
	}); err != nil {
		return err
	}
	if p.Day > 0 && p.On && !p.Asleep && now.Before(p.Ends) {
		return wake(ctx, c.desk, ch, dayKind, int(p.Day), p.Ends)
	}
	return c.turn(ctx, ch)
}

// name returns a game's title.
func (f form) name(d puzzle.Day) text.Text {
	if f == weekGame {
		return text.Say("Game of the week {number}", int(d))
	}
	return text.Say("Daily game {number}", int(d))
}

// gameOutcome describes how a game ended, and lists its players with their points.
func gameOutcome(t today, all []entry) (about, players []text.Text) {
	if len(all) == 0 {
		return []text.Text{text.Say("{game} is over. Nobody played.", t.Form.name(t.day))}, nil
	}
	total := func(e entry) (points int) {
		for _, round := range e.Tries {
			points += round.Score
		}
		return points
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(total(b)-total(a), a.Tries[len(a.Tries)-1].At.Compare(b.Tries[len(b.Tries)-1].At), cmp.Compare(a.who, b.who))
	})
	for i, e := range all {
		players = append(players, text.Item("{place}. {who}: {score}", i+1, text.Name(bot.User{ID: e.who, Name: e.Name}), text.Strong(total(e))))
	}
	return []text.Text{text.Say("{game} is over, and it was the last. From now on there is a board each day.", t.Form.name(t.day))}, players
}

package competition

import (
	"context"
	"errors"
	"maps"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
)

// A Feature runs clubs, leagues and tournaments.
type Feature struct {
	clubs       *clubs
	leagues     *leagues
	tournaments *tournaments
}

// New returns the feature.
func New(d feature.Desk, own *shelf.Owner, o Others) *Feature {
	c := newClub(d, own, o.Settings)
	s := shared{d, own, o, c}
	return &Feature{c, newLeagues(s), newTournaments(s)}
}

// Member returns what the club of a place knows about a player. If the club knows no
// rating, the player's rating on this host is used.
func (s shared) Member(ctx context.Context, home string, ch bot.ChannelID, who bot.User) (Member, error) {
	m, err := s.club.Member(ctx, home, ch, who)
	if err == nil && m.Rating == 0 && who.ID != "" {
		m.Rating, err = s.Rating(ctx, who.ID)
	}
	return m, err
}

// Hooks returns what the feature adds to a host.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{
		Commands: func() []feature.Command {
			return append(append(f.leagues.Commands(), f.tournaments.Commands()...), f.clubs.Commands()...)
		},
		Due:   joined(f.leagues.Due(), f.tournaments.Due()),
		Posts: joined(f.leagues.Posts(), f.tournaments.Posts(), f.clubs.Posts()),
		Pages: f.pages(),
		Timers: func(ctx context.Context, s feature.Step) []bot.Timer {
			return append(f.leagues.Timers(ctx, s), f.tournaments.Timers(ctx, s)...)
		},
		Leave: f.leave,
	}
}

func joined[V any](all ...map[string]V) map[string]V {
	out := map[string]V{}
	for _, m := range all {
		maps.Copy(out, m)
	}
	return out
}

// leave closes the competitions of a deleted channel. It also removes a player who has left
// a home, or is about to be forgotten, from its club, leagues and tournaments.
func (f *Feature) leave(ctx context.Context, l feature.Leaving) error {
	switch l.What {
	case feature.ChannelGone:
		return errors.Join(f.leagues.ChannelGone(ctx, l.Channel), f.tournaments.ChannelGone(ctx, l.Channel))
	case feature.MemberLeft:
		return errors.Join(f.clubs.MemberLeft(ctx, l.Home, l.Person), f.leagues.MemberLeft(ctx, l.Home, l.Person), f.tournaments.MemberLeft(ctx, l.Home, l.Person))
	case feature.Forgetting:
		return f.leagues.Withdraw(ctx, l.Person)
	}
	return nil
}

// PlayedOn reports whether a game continues although its season has ended.
func (f *Feature) PlayedOn(ctx context.Context, t table.Table) (bool, error) {
	return f.leagues.PlayedOn(ctx, t)
}

// values returns a completer that offers the given values.
func values(all ...string) feature.Completer {
	return func(context.Context, bot.Request) (cs []bot.Choice) {
		for _, v := range all {
			cs = append(cs, bot.Choice{Value: v, Label: text.Plain(v)})
		}
		return cs
	}
}

// numbersTo returns a completer that offers the numbers from 1 to most.
func numbersTo(most int) feature.Completer {
	var all []string
	for n := range most {
		all = append(all, strconv.Itoa(n+1))
	}
	return values(all...)
}

// offeredLists returns a completer that offers the host's word lists.
func offeredLists(d feature.Desk) feature.Completer {
	return func(context.Context, bot.Request) (cs []bot.Choice) {
		for _, l := range d.Lists().Offered() {
			cs = append(cs, bot.Choice{Value: l.Name(), Label: text.Plain(l.Name())})
		}
		return cs
	}
}

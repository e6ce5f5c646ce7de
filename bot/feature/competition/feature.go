package competition

import (
	"context"
	"maps"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
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

// Member returns what the club of a place knows about a player, with their rating on this
// host if the club has none.
func (s shared) Member(ctx context.Context, home string, ch bot.ChannelID, who bot.User) (Member, error) {
	m, err := s.club.Member(ctx, home, ch, who)
	if err == nil && m.Rating == 0 && who.ID != "" {
		m.Rating, err = s.Rating(ctx, who.ID)
	}
	return m, err
}

// Commands returns the feature's commands.
func (f *Feature) Commands() []feature.Command {
	return append(append(f.leagues.Commands(), f.tournaments.Commands()...), f.clubs.Commands()...)
}

// Timers schedules the count of a finished game.
func (f *Feature) Timers(ctx context.Context, s feature.Step) []bot.Timer {
	return append(f.leagues.Timers(ctx, s), f.tournaments.Timers(ctx, s)...)
}

// Due returns what each kind of timer does.
func (f *Feature) Due() map[string]feature.Due {
	return joined(f.leagues.Due(), f.tournaments.Due())
}

// Posts returns the feature's kinds of posts.
func (f *Feature) Posts() map[string]feature.Posting {
	return joined(f.leagues.Posts(), f.tournaments.Posts(), f.clubs.Posts())
}

func joined[V any](all ...map[string]V) map[string]V {
	out := map[string]V{}
	for _, m := range all {
		maps.Copy(out, m)
	}
	return out
}

// MemberLeft takes a player who has left the home out of its club, leagues and tournaments.
func (f *Feature) MemberLeft(ctx context.Context, home string, who game.PlayerID) error {
	for _, left := range []func(context.Context, string, game.PlayerID) error{f.clubs.MemberLeft, f.leagues.MemberLeft, f.tournaments.MemberLeft} {
		if err := left(ctx, home, who); err != nil {
			return err
		}
	}
	return nil
}

// ChannelGone tells the league and the tournament of a channel that it is gone.
func (f *Feature) ChannelGone(ctx context.Context, ch bot.ChannelID) error {
	if err := f.leagues.ChannelGone(ctx, ch); err != nil {
		return err
	}
	return f.tournaments.ChannelGone(ctx, ch)
}

// Withdraw withdraws a player who is to be forgotten from their leagues; see
// [leagues.Withdraw].
func (f *Feature) Withdraw(ctx context.Context, who game.PlayerID) error {
	return f.leagues.Withdraw(ctx, who)
}

// PlayedOn reports whether a game goes on although its season has ended.
func (f *Feature) PlayedOn(ctx context.Context, t table.Table) (bool, error) {
	return f.leagues.PlayedOn(ctx, t)
}

// Walls returns the pages of tournaments.
func (f *Feature) Walls() bot.Walls { return walls{f.tournaments} }

// Leagues returns the pages of leagues.
func (f *Feature) Leagues() bot.Leagues { return pages{f.leagues} }

// values completes an option with some values.
func values(all ...string) feature.Completer {
	return func(context.Context, bot.Request) (cs []bot.Choice) {
		for _, v := range all {
			cs = append(cs, bot.Choice{Value: v, Label: text.Plain(v)})
		}
		return cs
	}
}

// numbersTo completes an option with the numbers from 1.
func numbersTo(most int) feature.Completer {
	var all []string
	for n := range most {
		all = append(all, strconv.Itoa(n+1))
	}
	return values(all...)
}

// offeredLists completes an option with the word lists that the host offers.
func offeredLists(d feature.Desk) feature.Completer {
	return func(context.Context, bot.Request) (cs []bot.Choice) {
		for _, l := range d.Lists().Offered() {
			cs = append(cs, bot.Choice{Value: l.Name(), Label: text.Plain(l.Name())})
		}
		return cs
	}
}

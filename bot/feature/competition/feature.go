package competition

import (
	"context"
	"errors"
	"maps"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
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

// profile returns what the club of a place knows about a player. If the club knows no
// rating, the player's rating on this host is used.
func (s shared) profile(ctx context.Context, home string, ch bot.ChannelID, who bot.User) (profile, error) {
	m, err := s.club.profile(ctx, home, ch, who)
	if err == nil && m.Rating == 0 && who.ID != "" {
		m.Rating, err = s.Rating(ctx, who.ID)
	}
	return m, err
}

// Hooks returns what the feature adds to a host.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{
		Commands: func() []feature.Command {
			return append(append(f.leagues.commands(), f.tournaments.commands()...), f.clubs.commands()...)
		},
		Due: map[string]feature.Due{
			"league": {Do: f.leagues.seeTo, Workers: 2}, "league game": {Do: f.leagues.gameOver},
			"tournament": {Do: f.tournaments.seeTo, Workers: 2}, "tournament game": {Do: f.tournaments.gameOver},
			waitKind: {Do: f.tournaments.endWait}, waitAgainKind: {Do: f.tournaments.endWait},
		},
		Posts: f.posts(),
		Pages: f.pages(),
		Timers: func(ctx context.Context, s feature.Step) []bot.Timer {
			return append(f.leagues.gameTimer(ctx, s), f.tournaments.gameTimer(ctx, s)...)
		},
		Leave: f.leave,
	}
}

// posts returns the kinds of posts that the feature sends.
func (f *Feature) posts() map[string]feature.Posting {
	all := f.leagues.posts()
	maps.Copy(all, f.tournaments.posts())
	all[askKind] = feature.Posting{Tell: f.clubs.tellAsked, Apart: true}
	return all
}

// leave closes the competitions of a deleted channel. It also removes a player who has left
// a home, or is about to be forgotten, from its club, leagues and tournaments.
func (f *Feature) leave(ctx context.Context, l feature.Leaving) error {
	switch l.What {
	case feature.ChannelGone:
		return errors.Join(f.leagues.channelGone(ctx, l.Channel), f.tournaments.channelGone(ctx, l.Channel))
	case feature.MemberLeft:
		return errors.Join(
			f.clubs.members.Drop(ctx, shelf.Both(shelf.Home(l.Home), shelf.Person(l.Person))),
			f.leagues.withdraw(ctx, l.Person, func(in league) bool { return in.Home == l.Home }),
			f.tournaments.memberLeft(ctx, l.Home, l.Person),
		)
	case feature.Forgetting:
		// Before their games are resigned, so that those count as after any withdrawal: they
		// are void if less than half are over.
		return f.leagues.withdraw(ctx, l.Person, func(league) bool { return true })
	}
	return nil
}

// PlayedOn reports whether a game continues although its season has ended; it no longer
// counts.
func (f *Feature) PlayedOn(ctx context.Context, t table.Table) (bool, error) {
	row, found, err := f.leagues.where.Get(ctx, shelf.Channel(t.Channel))
	return found && row.Late, err
}

// Lists reports whether the message of a season or a tournament lists the game played in a channel.
func (f *Feature) Lists(ctx context.Context, ch bot.ChannelID) (bool, error) {
	for _, where := range []*shelf.Shelf[shelf.Channel, whereRow]{f.leagues.where, f.tournaments.where} {
		row, found, err := where.Get(ctx, shelf.Channel(ch))
		if err != nil || found && row.isGame() {
			return err == nil && !row.Late, err
		}
	}
	return false, nil
}

// paceOption returns the option for how long a turn takes.
func paceOption(help string) bot.Option {
	o := bot.Option{Name: "pace", Help: help, Kind: bot.Pick}
	for _, d := range []struct {
		value   string
		lasting time.Duration
	}{{"12h", 12 * time.Hour}, {"1d", 24 * time.Hour}, {"3d", 72 * time.Hour}, {"5d", 120 * time.Hour}} {
		o.Choices = append(o.Choices, bot.Choice{Value: d.value, Label: words.FormatDuration(d.lasting)})
	}
	return o
}

// filesOption returns the option for the format of an export.
func filesOption() bot.Option {
	return bot.Option{Name: "as", Help: "Which files", Kind: bot.Pick, Choices: []bot.Choice{
		{Value: "csv", Label: text.Say("Tables: standings, pairings, games")}, {Value: "tsh", Label: text.Say("TSH")}, {Value: "naspa", Label: text.Say("NASPA's text")}, {Value: "tou", Label: text.Say("TOU, for WESPA")}, {Value: "gcg", Label: text.Say("The games as GCG")},
		{Value: "proof", Label: text.Say("The proof of the lots")},
	}}
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
		for _, l := range d.Lists().Available() {
			cs = append(cs, bot.Choice{Value: l.Name(), Label: text.Plain(l.Name())})
		}
		return cs
	}
}

package daily

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/puzzle"
)

// A Feature provides the daily boards.
type Feature struct {
	shelves
	Guard    *Guard
	calendar *calendar
	schedule *schedule
	solo     *solo
	messages *messages
	pages    pages
}

// New returns the feature.
func New(d feature.Desk, own *shelf.Owner, m feature.Resources, s preferences) *Feature {
	kept := newShelves(own)
	boards := &boards{
		desk: d, lists: d.Lists(), mind: m.Mind, makers: map[string]func() *puzzle.Maker{}, made: map[madeKey]func() (board, error){},
		secret: func(ctx context.Context) ([]byte, error) { return own.Secret(ctx, "daily") },
		days:   kept.days, versions: kept.versions,
	}
	pictures := &pictures{desk: d}
	links := &links{desk: d, own: own, passes: kept.passes, url: m.URL}
	players := &players{d, kept.players}
	calendar := &calendar{desk: d, own: own, settings: s, places: kept.places, days: kept.days, answers: kept.answers, boards: boards}
	schedule := &schedule{d, s, kept.places, kept.calls, calendar}
	ledger := &ledger{d, own, kept.days, kept.answers, kept.players, calendar}
	results := &results{d, m.URL, kept.days, kept.answers, calendar, boards, pictures}
	return &Feature{
		shelves:  kept,
		Guard:    &Guard{d, calendar, boards, players},
		calendar: calendar,
		schedule: schedule,
		solo:     &solo{d, players, calendar, schedule, boards, ledger, results, links, pictures},
		messages: &messages{d, kept.days, kept.answers, kept.players, kept.calls, calendar, boards, results, links, pictures},
		pages:    pages{d, m.URL, kept.places, kept.days, kept.answers, calendar, boards, players, links},
	}
}

// Hooks returns what the feature adds to a host.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{
		Commands:   f.commands,
		Extensions: f.extensions(),
		Due:        f.dueHandlers(),
		Posts:      f.posts(),
		Pages:      f.pages.all(),
		Follow:     f.follow,
		Leave:      f.leave,
	}
}

// commands returns the feature's commands.
func (f *Feature) commands() []feature.Command {
	word := input.Word
	word.Required, word.Question, word.Without = false, nil, nil
	complete := map[string]feature.Completer{"at": f.solo.squares}
	return []feature.Command{
		{Command: bot.Command{Name: "daily", Help: "Play the board of the day: one for everybody, six tries, in private", Example: "/daily horn 8h", Options: []bot.Option{
			word, input.Square,
			{Name: "do", Help: "What else to do", Kind: bot.Pick, Choices: []bot.Choice{
				{Value: "results", Label: text.Say("See how everybody did yesterday")}, {Value: "share", Label: text.Say("Get your result to show others")},
				{Value: "proof", Label: text.Say("Get what proves yesterday's board")}, {Value: "again", Label: text.Say("Have boards posted here again")},
			}},
		}}, Run: f.solo.run, Complete: complete},
	}
}

// extensions adds the settings of daily boards to /settings.
func (f *Feature) extensions() map[string]feature.Extension {
	return map[string]feature.Extension{"settings": {
		Options: []bot.Option{{Name: "daily", Help: "For a channel: the hour of its board, 9:00, or off. For you: call or off", Kind: bot.Word, Rare: true}},
		Run:     f.schedule.set,
	}}
}

// dueHandlers returns the handlers of the feature's timers.
func (f *Feature) dueHandlers() map[string]feature.Due {
	return map[string]feature.Due{
		dayKind:   {Do: func(ctx context.Context, t bot.Timer) error { return f.calendar.turn(ctx, t.Channel) }, Workers: 2},
		countKind: {Do: f.calendar.refresh},
	}
}

// posts returns the feature's messages.
func (f *Feature) posts() map[string]feature.Posting {
	return map[string]feature.Posting{
		dayKind:   {Tell: f.messages.day, Apart: true, Drawn: f.messages.picture, Sent: f.calendar.recordPosted},
		countKind: {Tell: f.messages.count, Apart: true},
	}
}

// follow makes the open boards when a host starts, and ends the games that an earlier version of the
// program left open.
func (f *Feature) follow(ctx context.Context, ch bot.ChannelID) error {
	if ch != "" {
		return nil
	}
	return errors.Join(f.calendar.endGames(ctx), f.warm(ctx))
}

// warm makes the boards that are open, so that nobody waits for one after a restart.
func (f *Feature) warm(ctx context.Context) error {
	all, err := f.calendar.openBoards(ctx)
	if err != nil {
		return err
	}
	for _, w := range all {
		if _, err := f.calendar.boards.board(ctx, w); err != nil {
			f.calendar.desk.Log().Warn("can't make a daily board", "day", int(w.day), "list", w.list, "err", err)
		}
	}
	return nil
}

// leave turns off the daily board of a channel that is gone.
func (f *Feature) leave(ctx context.Context, l feature.Leaving) error {
	if l.What != feature.ChannelGone {
		return nil
	}
	if p, had, err := f.places.Get(ctx, shelf.Channel(l.Channel)); err != nil || !had || !p.On {
		return err
	}
	return f.places.Change(ctx, shelf.Channel(l.Channel), func(p *placeRow) (keep bool, err error) {
		p.On = false
		return p.V > 0, nil
	})
}

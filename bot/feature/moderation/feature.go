package moderation

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// A Feature moderates places.
type Feature struct {
	desk     feature.Desk
	own      *shelf.Owner
	settings places
	shelves
}

// places is the part of the settings that knows the homes of channels and their values.
type places interface {
	HomeOf(ctx context.Context, ch bot.ChannelID) (string, error)
	Places(ctx context.Context, ch bot.ChannelID, home string) ([]settings.Place, error)
	RuleIn(ctx context.Context, ch bot.ChannelID, places []settings.Place, name string) (string, error)
}

// New returns the feature.
func New(d feature.Desk, own *shelf.Owner, s places) *Feature {
	return &Feature{d, own, s, openShelves(own)}
}

// Hooks returns what the feature adds to a host.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{
		Commands:   f.commands,
		Settings:   []settings.Setting{invitesSetting()},
		Posts:      f.posts(),
		Moderation: f,
		Hear:       func(ctx context.Context, req bot.Request) (text.Text, error) { return nil, f.hear(ctx, req) },
		Answer:     f.answer,
		Hush:       f.dropBlockedMentions,
		Blocked:    f.tellBlocked,
		Leave: func(ctx context.Context, l feature.Leaving) error {
			if l.What != feature.MemberLeft {
				return nil
			}
			return f.managers.Drop(ctx, moderatedPlace{home: l.Home}.personKey(l.Person))
		},
	}
}

// commands returns the feature's commands.
func (f *Feature) commands() []feature.Command {
	return []feature.Command{
		{Command: bot.Command{Name: "report", Help: "Report a message or a person to the moderators", Example: "/report @bob rude", Options: reportOptions()}, Run: f.report},
		{Command: bot.Command{Name: "block", Help: "Block somebody: no messages, no invitations", Example: "/block @bob", Options: blockOptions()}, Run: f.block},
		{Command: bot.Command{Name: "reports", Help: "For moderators: reports, who is muted or banned, and what keepers have done", Example: "/reports log", Options: deskOptions(), Manages: true, Former: []string{"order"}}, Run: f.showReports},
		{Command: bot.Command{Name: "mute", Help: "Mute somebody for a while; they can still play", Example: "/mute @bob 1h", Options: sanctionOptions("Who to mute", "10m", "1h", "1d", "7d"), Ours: true, Manages: true}, Run: f.mute},
		{Command: bot.Command{Name: "ban", Help: "Ban a person, and for a week newcomers from where they came", Example: "/ban @bob 30d", Options: sanctionOptions("Who to ban", "1d", "7d", "30d"), Ours: true, Manages: true}, Run: f.ban},
		{Command: bot.Command{Name: "unsay", Help: "Remove your own message (keepers: anybody's)", Example: "/unsay 12", Options: []bot.Option{{Name: "message", Help: "The message's number in this channel", Kind: bot.Word, Required: true, Question: text.Say("Which message?")}}, Ours: true}, Run: f.removeMessage},
		{Command: bot.Command{Name: "invite", Help: "Make an invitation link", Example: "/invite 5 2d", Options: inviteOptions(), Ours: true}, Run: f.invite},
	}
}

// posts returns the posts that the feature makes.
func (f *Feature) posts() map[string]feature.Posting {
	return map[string]feature.Posting{reportedKind: {Tell: f.reportedMessage, Apart: true}, blockedKind: {Tell: f.blockedMessage, Apart: true}}
}

// moderatedPlace is a moderated place, as seen by the person who asks.
type moderatedPlace struct {
	home    string
	keeper  bool
	steward bot.Steward // nil if the platform has its own moderators
}

// placeOf returns the place that a request is made in. In our own room that is the
// whole room.
func (f *Feature) placeOf(ctx context.Context, req bot.Request) (p moderatedPlace, err error) {
	if s := f.desk.Platform(req.Channel).Steward; s != nil {
		home, keeper, err := s.Keeps(ctx, req.User.ID)
		return moderatedPlace{home, keeper, s}, err
	}
	if req.Home == "" {
		return moderatedPlace{}, words.Refusing("Nobody moderates this conversation. Use that in one of the server's channels.")
	}
	return moderatedPlace{req.Home, req.Manager, nil}, nil
}

// requireModerator returns placeOf for a moderator of the place, and refuses anyone else. If ours is
// set, it also refuses platforms that aren't our own.
func (f *Feature) requireModerator(ctx context.Context, req bot.Request, ours bool) (moderatedPlace, error) {
	if ours && f.desk.Platform(req.Channel).Steward == nil {
		return moderatedPlace{}, words.Refusing("That's for rooms that I moderate. Here, moderators have their own tools for it; {block} and {report} do work.", text.Code("/block"), text.Code("/report"))
	}
	p, err := f.placeOf(ctx, req)
	if err == nil && !p.keeper {
		err = errNotModerator()
	}
	return p, err
}

// errNotModerator returns the refusal of what only moderators can do.
func errNotModerator() error {
	return words.Refusing("Only moderators can do that. {report} tells them about a problem, and {block} works for you alone.", text.Code("/report"), text.Code("/block"))
}

// personKey returns the key of a person's row in the place.
func (p moderatedPlace) personKey(who game.PlayerID) ofPerson {
	return shelf.Both(shelf.Home(p.home), shelf.Person(who))
}

func (p moderatedPlace) markKey(m shelf.Mark) ofMark { return shelf.Both(shelf.Home(p.home), m) }

// hear rejects a request before it is carried out if it calls other people and its sender
// is muted or has blocked them, or if it exceeds a limit.
func (f *Feature) hear(ctx context.Context, req bot.Request) error {
	if err := f.checkLimits(ctx, req); err != nil {
		return err
	}
	if err := f.recordManager(ctx, req); err != nil {
		return err
	}
	if req.Command == "join" && req.Args["robot"] == "" {
		if err := f.checkSeat(ctx, req); err != nil {
			return err
		}
	}
	calls := req.Command == "nudge" || len(req.People) > 0 && req.Command == "new"
	if !calls {
		return nil
	}
	if f.desk.Platform(req.Channel).Steward != nil {
		p, err := f.placeOf(ctx, req)
		if err == nil {
			err = p.checkMuted(ctx, f, req.User.ID)
		}
		if err != nil {
			return err
		}
	}
	for _, u := range req.People {
		if err := f.rejectBlocked(ctx, req.User.ID, u); err != nil {
			return err
		}
	}
	return nil
}

// rejectBlocked rejects a request to a person whom its sender has blocked.
func (f *Feature) rejectBlocked(ctx context.Context, sender game.PlayerID, whom bot.User) error {
	has, err := f.Blocks(ctx, sender, whom.ID)
	if has {
		err = words.Refusing("You've blocked {who}. {block} shows who you've blocked and lets you unblock them.", text.Name(whom), text.Code("/block"))
	}
	return err
}

// checkSeat rejects a seat at the table of a person who has blocked the sender or was
// blocked by them. It doesn't reveal the former.
func (f *Feature) checkSeat(ctx context.Context, req bot.Request) error {
	t, err := f.desk.Load(ctx, req)
	if err != nil || t.Phase != game.Lobby {
		return nil // the command reports its own errors
	}
	if err := f.rejectBlocked(ctx, req.User.ID, t.Host); err != nil {
		return err
	}
	has, err := f.Blocks(ctx, t.Host.ID, req.User.ID)
	if has {
		err = words.Refusing("You can't sit down at this table. {new} opens one of your own.", text.Code("/new"))
	}
	return err
}

// dropBlockedMentions removes mentions of people who have blocked the host of a lobby or were blocked by
// them. Once they play together, each is notified of their turns.
func (f *Feature) dropBlockedMentions(ctx context.Context, t table.Table, _ bot.Post, said text.Text) (text.Text, error) {
	if t.Phase != game.Lobby || len(t.Events) == 0 {
		return said, nil
	}
	opened, _ := t.Events[0].Fact.(game.Opened)
	var failed error
	said = said.CallOnly(func(who game.PlayerID) bool {
		if who == opened.Host.ID {
			return true
		}
		apart, err := f.areBlocked(ctx, who, opened.Host.ID)
		failed = errors.Join(failed, err)
		return !apart
	})
	return said, failed
}

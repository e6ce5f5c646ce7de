package moderation

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Feature is keeping order.
func Feature() host.Feature {
	return host.Feature{
		Commands: []host.Command{
			{Command: bot.Command{Name: "report", Help: "Tell those who keep order here of a message or a person", Example: "/report @bob rude", Options: reportOptions()}, Run: report},
			{Command: bot.Command{Name: "block", Help: "Hear no more from somebody: no messages, no invitations", Example: "/block @bob", Options: blockOptions()}, Run: block},
			{Command: bot.Command{Name: "order", Help: "What was reported, who is muted or kept out, and what keepers did; for those who keep order", Example: "/order log", Options: deskOptions()}, Run: desk},
			{Command: bot.Command{Name: "mute", Help: "Keep somebody from saying anything here for a while; they can play on", Example: "/mute @bob 1h", Options: sanctionOptions("Who is to be quiet", "10m", "1h", "1d", "7d"), Ours: true}, Run: mute},
			{Command: bot.Command{Name: "kick", Help: "Show somebody out for a short while", Example: "/kick @bob", Options: sanctionOptions("Who is to go", "10m", "1h", "1d"), Ours: true}, Run: kick},
			{Command: bot.Command{Name: "ban", Help: "Keep somebody out, or a network, or all who came by an invitation", Example: "/ban @bob 30d", Options: banOptions(), Ours: true}, Run: ban},
			{Command: bot.Command{Name: "unsay", Help: "Remove a message of yours, or as a keeper anybody's", Example: "/unsay 12", Options: []bot.Option{{Name: "message", Help: "The message's number in this channel", Kind: bot.Word, Required: true, Question: text.Say("Which message?")}}, Ours: true}, Run: unsay},
			{Command: bot.Command{Name: "invite", Help: "Make a link by which others can come in", Example: "/invite 5 2d", Options: inviteOptions(), Ours: true}, Run: invite},
		},
		Settings: roomSettings(),
		Heard:    heard,
		Answer:   countOpened,
		Hush:     hush,
		MaySay:   maySay,
		Blocks:   blocks,
		Posts:    map[string]host.Posting{reportedKind: {Tell: reportedMessage, Apart: true}},

		MemberLeft: managerLeft,
		Kept:       &host.Keeping{Shelves: []string{blocksShelf, openedShelf}, Parted: []string{mutedShelf, saidShelf, managersShelf}, Export: exportRows, Forget: forget},
	}
}

// Grounds are where order is kept, as somebody who asks for something is there.
type grounds struct {
	home    string
	keeper  bool
	steward bot.Steward // nil where others keep order
}

// groundsOf is the place that a request is made in. In our own room that is the
// room wherever in it they are.
func groundsOf(ctx context.Context, h *host.Host, req bot.Request) (p grounds, err error) {
	if s := h.Platform(req.Channel).Steward; s != nil {
		home, keeper, err := s.Keeps(ctx, req.User.ID)
		return grounds{home, keeper, s}, err
	}
	if req.Home == "" {
		return grounds{}, words.Refusing("There is nobody here who keeps order. Ask for that in the server's channels.")
	}
	return grounds{req.Home, req.Manager, nil}, nil
}

// kept is groundsOf for those who keep order there, on a platform of our own where
// ours is set.
func kept(ctx context.Context, h *host.Host, req bot.Request, ours bool) (grounds, error) {
	if ours && h.Platform(req.Channel).Steward == nil {
		return grounds{}, words.Refusing("That is for rooms where I keep order. Here moderators have tools of their own for it; {block} and {report} work here.", text.Code("/block"), text.Code("/report"))
	}
	p, err := groundsOf(ctx, h, req)
	if err == nil && !p.keeper {
		err = words.Refusing("Only those who keep order here can do that. {report} tells them of something, and {block} is for you alone.", text.Code("/report"), text.Code("/block"))
	}
	return p, err
}

// key is a row's key: what belongs to one home can't be had from another.
func (p grounds) key(parts ...string) string { return notes.Key(append([]string{p.home}, parts...)...) }

// heard refuses, before it is carried out, what calls others: by somebody who is
// muted, or to somebody whom the asker has blocked.
func heard(ctx context.Context, h *host.Host, req bot.Request) error {
	if err := limited(ctx, h, req); err != nil {
		return err
	}
	if err := meet(ctx, h, req); err != nil {
		return err
	}
	calls := req.Command == "nudge" || len(req.People) > 0 && req.Command == "new"
	if !calls {
		return nil
	}
	if h.Platform(req.Channel).Steward != nil {
		p, err := groundsOf(ctx, h, req)
		if err == nil {
			err = p.mayCall(ctx, h, req.User.ID)
		}
		if err != nil {
			return err
		}
	}
	for _, u := range req.People {
		if has, err := blocks(ctx, h, req.User.ID, u.ID); err != nil {
			return err
		} else if has {
			return words.Refusing("You have blocked {who}. {block} shows whom you have blocked, and takes it back.", text.Name(u), text.Code("/block"))
		}
	}
	return nil
}

// hush calls nobody to a table whose host they have blocked, or who has blocked
// them. Once they play together each is called to their turns.
func hush(ctx context.Context, h *host.Host, t table.Table, _ bot.Post, said text.Text) (text.Text, error) {
	if t.Phase != game.Lobby || len(t.Events) == 0 {
		return said, nil
	}
	opened, _ := t.Events[0].Fact.(game.Opened)
	var failed error
	said = said.CallOnly(func(who game.PlayerID) bool {
		if who == opened.Host.ID {
			return true
		}
		apart, err := apart(ctx, h, who, opened.Host.ID)
		failed = errors.Join(failed, err)
		return !apart
	})
	return said, failed
}

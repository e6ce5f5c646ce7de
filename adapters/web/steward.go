package web

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A steward moderates the room for the host; see [bot.Steward]. Its bans are in bans.go.
type steward struct {
	host        bot.Host
	notes       bot.Notes
	now         func() time.Time
	url         string // the room's address
	invites     func(ctx context.Context, by string, to stream, i Invitation) (link string, err error)
	invitesOnly bool // whether newcomers may need an invitation
	answers     *pages.Answers
	chat        *chat
	commands    *commands
	invitations *invitations
	listeners   *listeners
	members     *members
	streams     *streams
}

// Keeps returns a person's place, and reports whether they are a keeper.
func (st *steward) Keeps(ctx context.Context, who bot.PlayerID) (place string, keeper bool, err error) {
	id, ours := memberID(who)
	if !ours {
		return pages.Home, false, nil
	}
	p, _, err := st.members.person(ctx, id)
	return pages.Home, p.Keeper, err
}

// Said returns a message and those before it, if the person may read them.
func (st *steward) Said(ctx context.Context, who bot.PlayerID, ch bot.ChannelID, number uint64, before int) ([]bot.ChatMessage, error) {
	s, err := st.streams.streamOf(ctx, ch)
	if errors.Is(err, errNoStream) {
		return nil, nil
	}
	id, _ := memberID(who)
	if err != nil || number == 0 || !s.mayRead(id) {
		return nil, err
	}
	lines, err := s.log().Read(ctx, st.notes, number+1, before+1)
	if err != nil || len(lines) == 0 || lines[len(lines)-1].Number != number {
		return nil, err
	}
	var all []bot.ChatMessage
	for _, line := range lines {
		var l storedLine
		if err := json.Unmarshal(line.Data, &l); err != nil {
			return nil, err
		}
		if !l.isShownTo(id) {
			continue
		}
		said := bot.ChatMessage{Number: line.Number, At: l.At, Text: l.plainText()}
		if l.From != nil {
			said.By = l.From.user()
		}
		all = append(all, said)
	}
	if n := len(all); n == 0 || all[n-1].Number != number {
		return nil, nil
	}
	return all, nil
}

// Unsay replaces a message with a note that it was removed.
func (st *steward) Unsay(ctx context.Context, ch bot.ChannelID, number uint64) error {
	s, err := st.streams.streamOf(ctx, ch)
	if err != nil {
		return err
	}
	return st.chat.edit(ctx, s, number, func(l *storedLine) {
		l.Text = spans(text.Say("This message was removed.").In(st.answers.ChannelLocale(ctx, s.channelID())))
	})
}

// Invite creates an invitation by a person. It never leads into a private conversation.
func (st *steward) Invite(ctx context.Context, by bot.PlayerID, to bot.ChannelID, uses int, life time.Duration) (link string, no text.Text, err error) {
	if !st.invitesOnly {
		return "", text.Say("Nobody needs an invitation here: the room is open at {url}.", text.Code(st.url)), nil
	}
	id, _ := memberID(by)
	s, err := st.streams.streamOf(ctx, to)
	if err != nil || len(s.readers()) > 0 {
		s = ""
	}
	link, err = st.invites(ctx, id, s, Invitation{Uses: uses, Life: life})
	var said *pages.Refusal
	if errors.As(err, &said) {
		return "", said.Text, nil
	}
	return link, nil, err
}

// TellKeepers writes to each keeper's conversation with the host, except to one of them.
func (st *steward) TellKeepers(ctx context.Context, but bot.PlayerID, key string, words text.Text, buttons []bot.Button) error {
	all, err := st.members.people(ctx)
	if err != nil {
		return err
	}
	for _, p := range all {
		if !p.Keeper || p.player() == but {
			continue
		}
		to := st.host.LocaleFor(ctx, bot.Request{Channel: hostStream(p).channelID(), User: p.user()})
		said := bot.Reply{Text: words, Buttons: buttons}.In(to)
		if _, err := st.chat.write(ctx, hostStream(p), key, storedLine{Text: spans(said.Text), Buttons: st.commands.buttons(said.Buttons)}); err != nil {
			return err
		}
	}
	return nil
}

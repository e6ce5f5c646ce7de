package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file is what the host needs to keep order here; see [bot.Steward]. Who is
// kept out is in bars.go.

// Keeps says where somebody is, and whether they keep the room.
func (r *Room) Keeps(ctx context.Context, who bot.PlayerID) (place string, keeper bool, err error) {
	id, ours := strings.CutPrefix(string(who), Platform+":")
	if !ours {
		return home, false, nil
	}
	p, _, err := r.person(ctx, id)
	return home, p.Keeper, err
}

// Said gives a message and those before it, to somebody who may read them.
func (r *Room) Said(ctx context.Context, who bot.PlayerID, ch bot.ChannelID, number uint64, before int) ([]bot.Said, error) {
	s, err := r.streamOf(ctx, ch)
	if errors.Is(err, errNoStream) {
		return nil, nil
	}
	id, _ := strings.CutPrefix(string(who), Platform+":")
	if err != nil || number == 0 || !s.mayRead(id) {
		return nil, err
	}
	lines, err := r.Notes.Read(ctx, s.journal(), number+1, before+1)
	if err != nil || len(lines) == 0 || lines[len(lines)-1].Number != number {
		return nil, err
	}
	var all []bot.Said
	for _, line := range lines {
		var l storedLine
		if err := json.Unmarshal(line.Data, &l); err != nil {
			return nil, err
		}
		if !l.shownTo(id) {
			continue
		}
		said := bot.Said{Number: line.Number, At: l.At, Text: l.plain()}
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

// Unsay removes a message that somebody said.
func (r *Room) Unsay(ctx context.Context, ch bot.ChannelID, number uint64) error {
	s, err := r.streamOf(ctx, ch)
	if err != nil {
		return err
	}
	return r.edit(ctx, s, number, spans(text.Say("This message was removed.").In(r.tongueOf(ctx, s))))
}

// Invite makes an invitation for somebody.
func (r *Room) Invite(ctx context.Context, by bot.PlayerID, uses int, life time.Duration) (link string, no text.Text, err error) {
	if r.Door != DoorInvite {
		return "", text.Say("Nobody needs an invitation here: the room is at {url}.", text.Code(r.URL)), nil
	}
	id, _ := strings.CutPrefix(string(by), Platform+":")
	link, err = invite(ctx, r.Notes, r.Random, r.Now(), id, Invitation{uses, life})
	var said *refusal
	if errors.As(err, &said) {
		return "", said.text, nil
	}
	return link, nil, err
}

// TellKeepers writes something into the place of each keeper's where the host
// tells them what is for them alone.
func (r *Room) TellKeepers(ctx context.Context, but bot.PlayerID, key string, words text.Text, buttons []bot.Button) error {
	all, err := r.people(ctx)
	if err != nil {
		return err
	}
	for _, p := range all {
		if !p.Keeper || p.player() == but {
			continue
		}
		to := r.Host.TongueFor(ctx, bot.Request{Channel: hostStream(p).channelID(), User: p.user()})
		said := bot.Reply{Text: words, Buttons: buttons}.In(to)
		if _, err := r.write(ctx, hostStream(p), key, storedLine{Text: spans(said.Text), Buttons: r.buttons(said.Buttons)}); err != nil {
			return err
		}
	}
	return nil
}

// shownTo reports whether a person gets to see a line.
func (l storedLine) shownTo(id string) bool { return l.Only == "" || l.Only == id }

// plain is what a line says.
func (l storedLine) plain() string {
	var b strings.Builder
	for _, s := range l.Text {
		b.WriteString(s.Text)
	}
	return b.String()
}

// mayName refuses a name that those who keep the room don't want, or one that
// somebody takes who may say nothing.
func (r *Room) mayName(ctx context.Context, who person, name string) error {
	s := bot.Saying{Home: home, Channel: stream(general).channelID(), Manager: who.Keeper, Text: name}
	if who.ID != "" {
		s.User = who.user()
	}
	return r.maySay(ctx, s)
}

// maySay asks the host whether something may be said here.
func (r *Room) maySay(ctx context.Context, s bot.Saying) error {
	no, err := r.Host.MaySay(ctx, s)
	if err == nil && no != nil {
		return &refusal{http.StatusUnprocessableEntity, no}
	}
	return err
}

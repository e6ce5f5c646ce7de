package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file lets several games run in a channel at once: a table that is opened during a game gets
// a place of its own, such as a thread.

// A placement says where a table is opened.
type placement uint8

const (
	here    placement = iota // in the channel
	aside                    // in a place of its own, on request
	another                  // in a place of its own, because the channel has a game
)

// storedAside stores a person's latest request that was carried out in a place beside its channel.
// If the request is repeated, it is answered there.
type storedAside struct {
	V       int           `json:"v"` // 1
	Request string        `json:"request"`
	Channel bot.ChannelID `json:"channel"`
}

// storedListed marks a place that was opened by a person for a table. Earlier versions listed only
// the tables in such places.
type storedListed struct {
	V int `json:"v"` // 1
}

// threads opens places beside channels.
type threads struct {
	desk     feature.Desk
	settings *settings.Settings
	aside    *shelf.Shelf[shelf.Person, storedAside]
}

func newAsides(d feature.Desk, own *shelf.Owner, s *settings.Settings) *threads {
	// Retired: its rows are still erased with their channel.
	shelf.Open(own, "listed", shelf.Spec[shelf.Channel, storedListed]{Why: "which threads were opened for a table by whoever asked, for the list of the channel's games"})
	return &threads{
		d, s,
		shelf.Open(own, "aside", shelf.Spec[shelf.Person, storedAside]{Why: "where somebody's latest request was carried out beside its channel, so that the same one goes there again"}),
	}
}

// choosePlace decides where a request opens its table. A repeated request is answered where it was first
// carried out, whatever has begun or ended there since.
func (a *threads) choosePlace(ctx context.Context, req bot.Request) (placement, error) {
	if req.Args["thread"] != "" {
		asked, err := words.YesNo(req.Args, "thread", false)
		if asked {
			return aside, err
		}
		return here, err
	}
	last, _, err := a.aside.Get(ctx, shelf.Person(req.User.ID))
	if err != nil {
		return here, err
	}
	if last.Request == req.ID && req.ID != "" {
		return another, nil
	}
	taken := false
	if err := a.desk.Update(ctx, req.Channel, req.ID, func(r *feature.Room) error {
		taken = r.Receipt() == nil && keepsOut(r.Table, req, r.Env.Now)
		return nil
	}); err != nil || !taken || req.Aside == nil && a.desk.Platform(req.Channel).Aside == nil {
		return here, err
	}
	rule, err := a.desk.Rule(ctx, req.Channel, "games")
	if err != nil || rule == settings.OneGame {
		return here, err
	}
	return another, nil
}

// keepsOut reports whether a channel's table makes the requester open theirs elsewhere. A table
// that waits for players does so if the requester can't sit down at it or brings others.
func keepsOut(t table.Table, req bot.Request, now time.Time) bool {
	switch {
	case !t.IsOpen(now):
		return false
	case t.Phase == game.Lobby:
		_, seated := t.SeatOf(req.User.ID)
		return !seated && (len(req.People) > 0 || req.Args["robots"] != "" || !hasSeatFor(t, req.User.ID))
	}
	return true
}

// hasSeatFor reports whether a player can sit down at a table that waits for players.
func hasSeatFor(t table.Table, who game.PlayerID) bool {
	return len(t.Seats) < t.SeatCount && (len(t.Invited) == 0 || t.Host.ID == who || invites(t, who))
}

// invites reports whether a seat of a table is reserved for a player.
func invites(t table.Table, who game.PlayerID) bool {
	return slices.ContainsFunc(t.Invited, func(p bot.User) bool { return p.ID == who })
}

// inviteKind is the kind of posts that tell players of a seat reserved for them at a table beside
// the channel, which they may not see.
const inviteKind = "invitation"

// invite tells the people invited to a table beside a channel.
func (a *threads) invite(ctx context.Context, t table.Table, cause string) error {
	if t.Phase != game.Lobby || len(t.Invited) == 0 {
		return nil
	}
	return feature.Once(ctx, a.desk, t.Channel, cause+":invited", func(r *feature.Room) {
		for _, guest := range t.Invited {
			if _, seated := t.SeatOf(guest.ID); !seated && !guest.ID.IsRobot() {
				r.Post(bot.Post{For: guest.ID, Kind: inviteKind, At: a.desk.Now()})
			}
		}
	})
}

// tellInvited tells a player that a seat is reserved for them.
func (a *threads) tellInvited(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	t, err := a.desk.Load(ctx, bot.Request{Channel: post.Channel})
	if err != nil && !words.IsMistake(err) {
		return m, err
	}
	if _, seated := t.SeatOf(post.For); err != nil || t.Phase != game.Lobby || seated || !invites(t, post.For) {
		return m, feature.ErrNothingToTell
	}
	guest := t.Invited[slices.IndexFunc(t.Invited, func(p bot.User) bool { return p.ID == post.For })]
	m.To = &guest
	m.Text = words.Invitation(t)
	m.Buttons = []bot.Button{words.JoinButton(t)}
	url, err := feature.Linker{Home: a.settings.HomeOf}.URL(ctx, a.desk, t)
	if url != "" {
		m.Buttons = append(m.Buttons, bot.Button{Label: text.Say("To the table"), Link: url})
	}
	return m, err
}

// newAside opens a table in a place of its own beside the channel. If the table would be refused,
// no place is opened.
func (a *threads) newAside(ctx context.Context, req bot.Request, want feature.Intent, why placement) (bot.Reply, error) {
	open := req.Aside
	if own := a.desk.Platform(req.Channel).Aside; open == nil && own != nil {
		open = func(ctx context.Context, title string) (bot.ChannelID, error) {
			beside, err := a.settings.OpenChannel(ctx, req.Channel)
			if err != nil {
				return "", err
			}
			return own(ctx, beside, "request "+req.ID, title, []bot.PlayerID{req.User.ID})
		}
	}
	if open == nil {
		return bot.Reply{}, words.Refusing("I can't open a thread here. Leave {thread} out to open the table in this channel.", text.Code("thread"))
	}
	nowhere := table.Table{Channel: req.Channel}
	if err := a.desk.Judge(nowhere, req, want); err != nil {
		return feature.OrExplain(nowhere, req, err)
	}
	ch, beside, err := a.openAside(ctx, req, open, why)
	if err != nil {
		return bot.Reply{}, err
	}
	home := req.Home
	req.Channel = ch
	reply, err := a.desk.Change(ctx, req, want)
	if err != nil || reply.Refused {
		return reply, err
	}
	t, err := a.desk.Load(ctx, bot.Request{Channel: ch})
	if err == nil {
		err = a.invite(ctx, t, req.ID)
	}
	if err != nil || why != another {
		return reply, err
	}
	if t.Phase != game.Over {
		// People can join from the channel at once.
		if err := a.settings.KeepRunning(ctx, beside, t.ID, true); err != nil {
			return bot.Reply{}, err
		}
	}
	reply.Text = text.Lines(text.Say("This channel has a table already, so yours has a place of its own."), reply.Text)
	if link := a.desk.Platform(ch).Link; link != nil {
		if url := link(ctx, ch, home); url != "" {
			reply.Text = text.Lines(reply.Text, text.Glue(text.Link(text.Say("Go to your table"), url)))
		}
	}
	return reply, nil
}

// openAside opens a place beside a channel and stores what it belongs to.
func (a *threads) openAside(ctx context.Context, req bot.Request, open func(context.Context, string) (bot.ChannelID, error), why placement) (ch, beside bot.ChannelID, err error) {
	to, err := a.settings.ChannelLocale(ctx, req.Channel)
	if err != nil {
		return "", "", err
	}
	ch, err = open(ctx, text.Say("{host}'s table", req.User.Name).In(to).String())
	var no *bot.PostError
	switch {
	case errors.As(err, &no) && no.Permanent:
		return "", "", words.Refusing("A game is on here, and I can't open a thread for another. Wait for it to end, or open a table in another channel.")
	case err != nil:
		return "", "", fmt.Errorf("open a thread: %w", err)
	}
	if beside, err = a.settings.OpenChannel(ctx, req.Channel); err != nil {
		return "", "", err
	}
	if err := a.settings.KeepBeside(ctx, ch, beside); err != nil {
		return "", "", fmt.Errorf("keep where the thread is: %w", err)
	}
	if why == another {
		if err := a.aside.Put(ctx, shelf.Person(req.User.ID), storedAside{V: 1, Request: req.ID, Channel: ch}); err != nil {
			return "", "", err
		}
	}
	return ch, beside, a.settings.KeepHome(ctx, bot.Request{Channel: ch, Home: req.Home, HomeLocale: req.HomeLocale}, to.Code)
}

// players returns the names of the people and robots at a table.
func players(t table.Table) text.Text {
	var names []text.Span
	for _, seat := range t.Seats {
		names = append(names, text.Name(seat.Person))
	}
	return text.List(names)
}

// runningTables returns the unfinished tables beside a channel.
func (a *threads) runningTables(ctx context.Context, ch bot.ChannelID) (all []table.Table, err error) {
	ids, err := a.settings.RunningInThreads(ctx, ch)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		t, err := feature.LoadTable(ctx, a.desk, id)
		switch {
		case errors.Is(err, bot.ErrUnreadable) || errors.Is(err, bot.ErrNoTable):
			continue
		case err != nil:
			return nil, err
		}
		if t.IsOpen(a.desk.Now()) {
			all = append(all, t)
		}
	}
	return all, nil
}

// onlyInLobby wraps a command about a table that hasn't begun. If the channel has no such table, the
// command is carried out at the only table beside the channel that can be meant; if there are
// several, the person is asked which.
func (a *threads) onlyInLobby(run feature.Run) feature.Run {
	return func(ctx context.Context, req bot.Request) (bot.Reply, error) {
		if req.Table != 0 {
			return run(ctx, req)
		}
		who := shelf.Person(req.User.ID)
		last, _, err := a.aside.Get(ctx, who)
		if err != nil {
			return bot.Reply{}, err
		}
		if last.Request == req.ID && req.ID != "" {
			req.Channel = last.Channel
			return run(ctx, req)
		}
		t, err := a.desk.Load(ctx, req)
		if err != nil && !words.IsMistake(err) {
			return bot.Reply{}, err
		}
		waits := err == nil && t.Phase == game.Lobby
		if joins := req.Command == "join" && req.Args["robot"] == ""; !joins && (err != nil || waits) {
			return run(ctx, req)
		}
		all, err := a.runningTables(ctx, req.Channel)
		if err != nil {
			return bot.Reply{}, err
		}
		all = slices.DeleteFunc(all, func(t table.Table) bool {
			_, seated := t.SeatOf(req.User.ID)
			if req.Command == "join" {
				return t.Phase != game.Lobby || seated || !hasSeatFor(t, req.User.ID)
			}
			return t.Phase != game.Lobby || !seated
		})
		// A seat reserved for the requester comes before any other, and the channel's own table
		// before those beside it.
		mine := slices.DeleteFunc(slices.Clone(all), func(t table.Table) bool { return !invites(t, req.User.ID) })
		if waits && (invites(t, req.User.ID) || len(mine) == 0 && hasSeatFor(t, req.User.ID)) {
			return run(ctx, req)
		}
		if len(mine) > 0 {
			all = mine
		}
		switch len(all) {
		case 0:
			return run(ctx, req)
		case 1:
			req.Channel = all[0].Channel
			if err := a.aside.Put(ctx, who, storedAside{V: 1, Request: req.ID, Channel: req.Channel}); err != nil {
				return bot.Reply{}, err
			}
			return run(ctx, req)
		}
		var lines []text.Text
		for _, t := range all {
			lines = append(lines, text.Say("Waiting for players: {names}", players(t)))
		}
		return bot.Reply{}, feature.AskWhich(req, text.Say("Which table do you mean?"), all, lines)
	}
}

// canChallenge reports whether a player can challenge the latest play of their game.
func canChallenge(g feature.OwnGame) bool {
	return g.Contestable() && g.Latest.Seat != g.Seat
}

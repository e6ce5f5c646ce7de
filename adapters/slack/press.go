package slack

import (
	"context"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// pressID is the same whenever the same press is delivered.
func (i *interaction) pressID() string {
	if i.Trigger != "" || len(i.Actions) == 0 {
		return i.Trigger
	}
	return i.User.ID + i.Actions[0].TS
}

// asker is who pressed, and where the answer goes.
func (i *interaction) asker() asker {
	q := asker{
		member: member{i.home, i.User.ID}, place: i.place(), trigger: i.Trigger,
		responseURL: i.ResponseURL, replaces: i.Container.Ephemeral,
	}
	if i.View != nil && i.View.ID != "" {
		q.view = i.View
		if at, err := placeOf(bot.ChannelID(metaOf(i.View).Channel)); err == nil && at.home == q.member.home {
			q.place = at
		}
	}
	return q
}

// pressed carries out what was pressed or chosen, which has been acknowledged.
func (in *inbox) pressed(ctx context.Context, i *interaction) {
	if len(i.Actions) == 0 {
		return
	}
	act := i.Actions[0]
	name, _, _ := strings.Cut(act.ActionID, ":")
	q := i.asker()
	base := bot.Request{ID: requestID(i.pressID()), Channel: q.place.id()}
	switch name {
	case pressAction:
		in.press(ctx, i, q, base, act)
	case chooseAction:
		in.choose(ctx, i, q, base, act)
	case menuAction:
		table, _ := strconv.ParseUint(act.Value, 10, 64)
		in.answers.openView(ctx, q, in.launcher(ctx, q, meta{Channel: string(q.place.id()), Table: bot.TableID(table)}))
	case soloAction:
		in.pages.seenHome(ctx, q.member)
		in.solo(ctx, i, q, act.Value)
	case doAction:
		in.do(ctx, i, q, act.Value)
	case setAction:
		if r := in.pages.set(ctx, q.member, act, i); r.Refused {
			in.answer(ctx, q, r)
		}
	}
}

// press carries out a button of the host's. One that needs to know more opens a
// form.
func (in *inbox) press(ctx context.Context, i *interaction, q asker, base bot.Request, act action) {
	id, own := in.names.mark.Off(act.Value)
	req, ok := base.Press(id)
	if !own || !ok || !in.Host.Commands().Knows(req) {
		in.answer(ctx, q, unread(own))
		return
	}
	if ask := in.Host.Commands().Asks(req); len(ask) > 0 {
		in.answers.openView(ctx, q, in.form(ctx, q.member, meta{Channel: string(base.Channel), Button: act.Value}, req, ask))
		return
	}
	req.User = in.people.user(ctx, q.member, i.userName())
	in.answer(ctx, q, in.carryOut(ctx, q.member, req))
}

// choose carries out a menu: what is ticked stands in the state of the message
// or view.
func (in *inbox) choose(ctx context.Context, i *interaction, q asker, base bot.Request, act action) {
	state := i.State
	if i.View != nil && len(i.View.State.Values) > 0 {
		state = i.View.State
	}
	var values []string
	for _, in := range state.Values[menuBlock+act.Value] {
		values = append(values, in.all()...)
	}
	id, own := in.names.mark.Off(act.Value)
	req, ok := base.Choose(id, values)
	switch {
	case !own || !ok || !in.Host.Commands().Knows(req):
		in.answer(ctx, q, unread(own))
		return
	case len(values) == 0:
		q.replaces = false
		in.answer(ctx, q, bot.Reply{Text: text.Say("Tick something first, then press the button."), Refused: true})
		return
	}
	req.User = in.people.user(ctx, q.member, i.userName())
	in.answer(ctx, q, in.carryOut(ctx, q.member, req))
}

// solo begins a game against a robot in somebody's direct messages.
func (in *inbox) solo(ctx context.Context, i *interaction, q asker, robot string) {
	direct, err := in.people.direct(ctx, q.member)
	if err != nil {
		in.Log.Warn("can't open somebody's direct messages", "user", q.member.id, "error", err)
		in.answer(ctx, q, bot.Reply{Text: text.Say("I can't write to you. Allow direct messages from apps, and try again."), Refused: true})
		return
	}
	at := place{home: q.member.home, channel: direct}
	in.answer(ctx, q, in.carryOut(ctx, q.member, bot.Request{
		ID: requestID(i.pressID()), Channel: at.id(), User: in.people.user(ctx, q.member, i.userName()), Command: "new", Args: map[string]string{"robots": robot},
	}))
	in.work(ctx, func(ctx context.Context) { in.pages.refreshHome(ctx, q.member) })
}

// unread says why a button means nothing to us: whether it is our store's.
func unread(own bool) bot.Reply {
	if own {
		return stale()
	}
	return bot.Reply{Refused: true, Text: text.Say("That button is of a Rackmate that kept its games somewhere else, and I don't have them. {games} shows those that I have of yours.", text.Code("/games"))}
}

func stale() bot.Reply {
	return bot.Reply{Refused: true, Text: text.Say("That button is from an earlier version, and I can't read it. {board} shows the game as it is now.", text.Code("/board"))}
}

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
func (a *Adapter) pressed(ctx context.Context, i *interaction) {
	if len(i.Actions) == 0 {
		return
	}
	act := i.Actions[0]
	name, _, _ := strings.Cut(act.ActionID, ":")
	q := i.asker()
	base := bot.Request{ID: requestID(i.pressID()), Channel: q.place.id()}
	switch name {
	case pressAction:
		a.press(ctx, i, q, base, act)
	case chooseAction:
		a.choose(ctx, i, q, base, act)
	case menuAction:
		table, _ := strconv.ParseUint(act.Value, 10, 64)
		a.openView(ctx, q, a.launcher(ctx, q, meta{Channel: string(q.place.id()), Table: bot.TableID(table)}))
	case soloAction:
		a.seenHome(ctx, q.member)
		a.solo(ctx, i, q, act.Value)
	case doAction:
		a.do(ctx, i, q, act.Value)
	case setAction:
		a.set(ctx, q.member, act, i)
	}
}

// press carries out a button of the host's. One that needs to know more opens a
// form.
func (a *Adapter) press(ctx context.Context, i *interaction, q asker, base bot.Request, act action) {
	id, own := a.names.mark.Off(act.Value)
	req, ok := base.Press(id)
	if !own || !ok || !a.Host.Commands().Knows(req) {
		a.answer(ctx, q, unread(own))
		return
	}
	if ask := a.Host.Commands().Asks(req); len(ask) > 0 {
		a.openView(ctx, q, a.form(ctx, q.member, meta{Channel: string(base.Channel), Button: act.Value}, req, ask))
		return
	}
	req.User = a.user(ctx, q.member, i.userName())
	a.answer(ctx, q, a.carryOut(ctx, q.member, req))
}

// choose carries out a menu: what is ticked stands in the state of the message
// or view.
func (a *Adapter) choose(ctx context.Context, i *interaction, q asker, base bot.Request, act action) {
	state := i.State
	if i.View != nil && len(i.View.State.Values) > 0 {
		state = i.View.State
	}
	var values []string
	for _, in := range state.Values[menuBlock+act.Value] {
		values = append(values, in.all()...)
	}
	id, own := a.names.mark.Off(act.Value)
	req, ok := base.Choose(id, values)
	switch {
	case !own || !ok || !a.Host.Commands().Knows(req):
		a.answer(ctx, q, unread(own))
		return
	case len(values) == 0:
		q.replaces = false
		a.answer(ctx, q, bot.Reply{Text: text.Say("Tick something first, then press the button."), Refused: true})
		return
	}
	req.User = a.user(ctx, q.member, i.userName())
	a.answer(ctx, q, a.carryOut(ctx, q.member, req))
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

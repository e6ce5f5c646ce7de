package slack

import (
	"context"
	"fmt"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
)

// launcherID names the launcher, and the message shortcut that opens it where
// slash commands don't run: in threads.
const launcherID = "rackmate"

// launcher is a view from which every command can be given without typing
// one.
func (a *Adapter) launcher(m meta) slack.ModalViewRequest {
	const inRow = 5
	v := modal("Rackmate", m, launcherID)
	v.Blocks.BlockSet = []slack.Block{slack.NewSectionBlock(plainText("What would you like to do?", maxSection), nil, nil)}
	var row []slack.BlockElement
	flush := func() {
		if len(row) > 0 {
			v.Blocks.BlockSet = append(v.Blocks.BlockSet, slack.NewActionBlock("", row...))
		}
		row = nil
	}
	for i, c := range a.Host.Commands().Elsewhere() {
		b := button(fmt.Sprintf("%s:%d", doAction, i), c.Name, capital(c.Name), bot.Ordinary)
		b.AccessibilityLabel = cut(c.Help, maxButtonText)
		if row = append(row, b); len(row) == inRow {
			flush()
		}
	}
	flush()
	return v
}

// launchFrom opens the launcher from the shortcut of a message: it is about
// that message's thread, if it is in one.
func (a *Adapter) launchFrom(ctx context.Context, i *interaction) {
	q := i.asker()
	a.openView(ctx, q, a.launcher(meta{Channel: string(q.place.id())}))
}

// do carries out a command that was chosen in the launcher. What can be told
// more is asked for, in a form.
func (a *Adapter) do(ctx context.Context, i *interaction, q asker, command string) {
	m := metaOf(i.View)
	c, known := a.Host.Commands().Find(command)
	if !known {
		a.answer(ctx, q, stale())
		return
	}
	req := bot.Request{
		ID: requestID(i.pressID()), Channel: q.place.id(), Table: m.Table, Command: command, Args: map[string]string{},
	}
	switch command {
	case "new":
		req.Table = 0
	case "board":
		req.Args["as"] = "picture" // it is shown in the form, not to everybody
	}
	switch {
	case command == "exchange":
		// The rack has boxes to tick, when tiles can be exchanged now.
		look := req
		look.Command = "rack"
		look.User = a.user(ctx, q.member, i.userName())
		if r := a.carryOut(ctx, q.member, look); len(r.Menus) > 0 {
			a.answer(ctx, q, r)
			return
		}
	case !asksInForm(c):
		req.User = a.user(ctx, q.member, i.userName())
		a.answer(ctx, q, a.carryOut(ctx, q.member, req))
		return
	}
	m.Command, m.Table = command, req.Table
	a.openView(ctx, q, a.form(ctx, m, req, c.Options))
}

// asksInForm reports whether a command from the launcher begins with a form: it
// can't do without an option, or is made by choosing.
func asksInForm(c bot.Command) bool {
	for _, o := range c.Options {
		if o.Required {
			return true
		}
	}
	return c.Name == "new" || c.Name == "challenge" || c.Name == "settings" || c.Name == "help"
}

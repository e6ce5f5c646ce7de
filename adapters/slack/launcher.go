package slack

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// launcherID names the launcher, and the shortcuts that open it: of a message,
// for slash commands don't run in threads, and from anywhere.
const launcherID = "rackmate"

// reportID names the shortcut of a message that reports it.
const reportID = "report"

// What one is likely to want, by how the table stands: the launcher begins with
// it. Everything else follows.
var likely = map[string][]string{
	"":        {"new", "games", "help", "stats", "settings"},
	"lobby":   {"join", "leave", "start", "help", "games"},
	"voting":  {"vote", "board", "help"},
	"turn":    {"play", "try", "rack", "exchange", "pass", "board", "challenge", "hint"},
	"waiting": {"rack", "board", "try", "plan", "history", "challenge", "unseen"},
	"closing": {"challenge", "pass", "rack", "board", "history"},
	"looking": {"board", "history", "unseen", "new"},
	"over":    {"rematch", "new", "history", "review", "export", "replay"},
}

// standing is how a table stands for somebody, by the names of likely, and that
// in words.
func (in *inbox) standing(ctx context.Context, q asker, m meta) (phase string, words text.Text) {
	sight, err := in.Host.Sight(ctx, bot.Request{Channel: q.place.id(), Table: m.Table, User: bot.User{ID: q.member.player()}})
	if err != nil && !errors.Is(err, bot.ErrNoTable) {
		in.Log.Error("can't look how a table stands", "channel", q.place.id(), "error", err)
	}
	switch {
	case err != nil:
		return "", text.Say("There is no game here.")
	case sight.Phase == "over":
		return "over", text.Say("The game here is over.")
	case sight.Phase == "lobby" || sight.Phase == "voting":
		return sight.Phase, text.Say("A game is about to begin here.")
	case sight.Own == nil:
		return "looking", text.Say("A game of others is on here.")
	case sight.Phase == "closing":
		return "closing", text.Say("The last play can be challenged.")
	case sight.Own.Turn:
		return "turn", text.Say("It's your turn.")
	}
	return "waiting", text.Say("It isn't your turn yet.")
}

// launcher is a view from which every command can be given without typing one:
// first what one can do now, then all the others.
func (in *inbox) launcher(ctx context.Context, q asker, m meta) slack.ModalViewRequest {
	const inRow = 5
	to := in.people.tongue(ctx, q.member)
	v := modal(to, "Rackmate", m, launcherID)
	phase, words := in.standing(ctx, q, m)
	v.Blocks.BlockSet = []slack.Block{slack.NewSectionBlock(plainText(text.Sentences(words, text.Say("What would you like to do?")).In(to).String(), maxSection), nil, nil)}
	var row []slack.BlockElement
	flush := func() {
		if len(row) > 0 {
			v.Blocks.BlockSet = append(v.Blocks.BlockSet, slack.NewActionBlock("", row...))
		}
		row = nil
	}
	add := func(i int, c bot.Command, style bot.Style) {
		b := button(fmt.Sprintf("%s:%d", doAction, i), c.Name, label(c.Name, c.NameIn(to)), style)
		b.AccessibilityLabel = cut(text.Known(c.Help).In(to).String(), maxButtonText)
		if c.Name == "pass" {
			b.Confirm = confirm(to, text.Say("Pass my turn"))
		}
		if row = append(row, b); len(row) == inRow {
			flush()
		}
	}
	all := in.Host.Commands()
	for n, name := range likely[phase] {
		i := slices.IndexFunc(all, func(c bot.Command) bool { return c.Name == name })
		if i >= 0 {
			add(i, all[i], map[bool]bot.Style{true: bot.Primary, false: bot.Ordinary}[n == 0])
		}
	}
	flush()
	v.Blocks.BlockSet = append(v.Blocks.BlockSet, slack.NewDividerBlock(), slack.NewContextBlock("", markdown(escape(text.Say("Everything else").In(to).String()))))
	for i, c := range all {
		if !slices.Contains(likely[phase], c.Name) {
			add(i, c, bot.Ordinary)
		}
	}
	flush()
	return v
}

// launchFrom opens the launcher from the shortcut of a message: it is about
// that message's thread, if it is in one.
func (in *inbox) launchFrom(ctx context.Context, i *interaction) {
	q := i.asker()
	if q.place.channel == "" { // from anywhere in Slack: it is about no channel
		direct, err := in.people.direct(ctx, q.member)
		if err != nil {
			in.Log.Warn("can't open somebody's direct messages", "user", q.member.id, "error", err)
			return
		}
		q.place = place{home: q.member.home, channel: direct}
	}
	in.answers.openView(ctx, q, in.launcher(ctx, q, meta{Channel: string(q.place.id())}))
}

// report tells those who manage the workspace of a message, and of the person who
// wrote it.
func (in *inbox) report(ctx context.Context, i *interaction) {
	q := i.asker()
	ts := i.Message.TS
	if ts == "" {
		ts = i.MessageTS
	}
	hangs := place{home: q.place.home, channel: q.place.channel, thread: ts}
	req := bot.Request{
		ID: requestID(i.pressID()), Channel: q.place.id(), User: in.people.user(ctx, q.member, i.userName()),
		Command: "report", Args: map[string]string{"message": hangs.link()},
	}
	if who := i.Message.User; who != "" && i.Message.Bot == "" {
		req.People = []bot.User{in.people.user(ctx, member{q.member.home, who}, "")}
	}
	in.answer(ctx, q, in.carryOut(ctx, q.member, req))
}

// do carries out a command that was chosen in the launcher. What can be told
// more is asked for, in a form.
func (in *inbox) do(ctx context.Context, i *interaction, q asker, command string) {
	m := metaOf(i.View)
	c, known := in.Host.Commands().Find(command)
	if !known {
		in.answer(ctx, q, stale())
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
		look.User = in.people.user(ctx, q.member, i.userName())
		if r := in.carryOut(ctx, q.member, look); len(r.Menus) > 0 {
			in.answer(ctx, q, r)
			return
		}
	case !asksInForm(c):
		req.User = in.people.user(ctx, q.member, i.userName())
		in.answer(ctx, q, in.carryOut(ctx, q.member, req))
		return
	}
	m.Command, m.Table = command, req.Table
	in.answers.openView(ctx, q, in.form(ctx, q.member, m, req, c.Options))
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

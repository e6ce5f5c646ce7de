package slack

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// pressID returns an id that is the same whenever the same press is delivered.
func (i *interaction) pressID() string {
	if i.Trigger != "" || len(i.Actions) == 0 {
		return i.Trigger
	}
	return i.User.ID + i.Actions[0].TS
}

// asker returns the person who pressed, and the ways to answer them.
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

// askerOf returns the person who pressed. In the thread of a board they mean its channel's game.
func (in *inbox) askerOf(ctx context.Context, i *interaction) asker {
	q := i.asker()
	if at := in.out.gameAt(ctx, q.place); at != q.place {
		q.below, q.place = q.place.thread, at
	}
	return q
}

// handlePressed handles a press or a choice that has been acknowledged.
func (in *inbox) handlePressed(ctx context.Context, i *interaction) {
	if len(i.Actions) == 0 {
		return
	}
	act := i.Actions[0]
	name, _, _ := strings.Cut(act.ActionID, ":")
	q := in.askerOf(ctx, i)
	base := bot.Request{ID: requestID(i.pressID()), Channel: q.place.id()}
	if i.View != nil && i.View.Callback == playID && (name == wordField || name == squareField) {
		in.updateForm(ctx, i, q)
		return
	}
	switch name {
	case overflowAction:
		act.Value = act.Selected.Value
		if table, menu := strings.CutPrefix(act.Value, menuAction+":"); menu {
			in.openLauncher(ctx, q, table)
			return
		}
		in.press(ctx, i, q, base, act)
	case pressAction:
		in.press(ctx, i, q, base, act)
	case chooseAction:
		in.choose(ctx, i, q, base, act)
	case menuAction:
		in.openLauncher(ctx, q, act.Value)
	case moreAction:
		in.showMore(ctx, i, q)
	case soloAction:
		in.playRobot(ctx, i, q, act.Value)
	case settingsAction:
		_, _ = in.answers.openView(ctx, q, in.pages.settings(ctx, q.member, act.Value))
	case doAction:
		in.handleLauncher(ctx, i, q, cmp.Or(act.Value, act.Selected.Value))
	case setAction:
		if r := in.pages.set(ctx, q.member, act, i); r.Refused {
			in.answer(ctx, q, r)
		}
	}
}

// openLauncher opens the launcher for a table.
func (in *inbox) openLauncher(ctx context.Context, q asker, table string) {
	if q.place.channel == "" { // on the home page
		direct, ok := in.direct(ctx, q)
		if !ok {
			return
		}
		q.place = place{home: q.member.home, channel: direct}
	}
	id, _ := strconv.ParseUint(table, 10, 64) // none means the channel's
	_, _ = in.answers.openView(ctx, q, in.forms.launcher(ctx, q, meta{Channel: string(q.place.id()), Table: bot.TableID(id)}))
}

// press handles one of the host's buttons. If its command needs more input, it opens a
// form.
func (in *inbox) press(ctx context.Context, i *interaction, q asker, base bot.Request, act action) {
	id, own := in.names.mark.Off(act.Value)
	req, ok := base.Press(id)
	if !own || !ok || !in.Host.Commands().Knows(req) {
		in.answer(ctx, q, explainButton(own))
		return
	}
	if i.Container.Type == "message" && !i.Container.Ephemeral { // excludes unfurled links in other people's messages
		in.work(ctx, func(ctx context.Context) { in.out.handlePress(ctx, q.answerPlace(), i.Container.TS, req.Table) })
	}
	switch {
	case req.Command == "new" && len(req.Args) == 1 && req.Args["robots"] != "" && in.people.isOwnDM(ctx, q.member, q.place):
		in.playRobot(ctx, i, q, req.Args["robots"])
		return
	case req.Command == "play" && req.Args[wordField] == "":
		if !in.openPlay(ctx, q, req.Table) {
			req.User = in.people.user(ctx, q.member, i.userName())
			in.answer(ctx, q, in.explainNoPlay(ctx, q.member, req))
		}
		return
	case req.Command == "exchange" && len(req.Args) == 0:
		if v, ok := in.forms.exchangeForm(ctx, q.member, meta{Channel: string(base.Channel), Table: req.Table}); ok {
			in.answers.openView(ctx, q, v)
			return
		}
	}
	if ask := in.Host.Commands().Asks(req); len(ask) > 0 {
		v := in.forms.form(ctx, q.member, meta{Channel: string(base.Channel), Button: act.Value}, req, ask)
		if id, err := in.answers.openView(ctx, q, v); err == nil && req.Command == "daily" {
			in.showDaily(ctx, q, id, v, req)
		}
		return
	}
	req.User = in.people.user(ctx, q.member, i.userName())
	in.answer(ctx, q, in.carryOut(ctx, q.member, req))
}

// showDaily adds the board of the day and its rack to an open form. Slack only accepts a form
// within 3 seconds, and a board may take that long, so the form opens without it.
func (in *inbox) showDaily(ctx context.Context, q asker, id string, v slack.ModalViewRequest, req bot.Request) {
	req.User = in.people.user(ctx, q.member, "")
	r := in.carryOut(ctx, q.member, withCommand(req, "daily", map[string]string{})).In(in.people.locale(ctx, q.member))
	said, fields := r.Text, v.Blocks.BlockSet
	if lines := said.Lines(); !r.Refused && len(lines) > 0 {
		said = lines[0] // the others are about typing, and tomorrow
	}
	show := func(board []slack.Block) error {
		v.Blocks.BlockSet = slices.Concat(in.names.sections(said), board, fields)
		return in.answers.updateView(ctx, q.member.home, id, v)
	}
	err := show(nil)
	if p := r.Picture; p != nil {
		file := in.answers.pictures.answerPicture(ctx, q.member, p)
		board := image(file, p.Alt.String())
		if file == "" {
			board = in.names.sections(p.Alt)
		}
		err = in.answers.pictures.retryUntilReady(ctx, file, func() error { return show(board) })
	}
	if err != nil {
		in.Log.Warn("can't show the board of the day in a form", "user", q.member.id, "error", err)
	}
}

// choose handles a menu: the ticked choices are in the state of the message or view.
func (in *inbox) choose(ctx context.Context, i *interaction, q asker, base bot.Request, act action) {
	state := i.State
	if i.View != nil && len(i.View.State.Values) > 0 {
		state = i.View.State
	}
	var values []string
	if act.Selected.Value != "" { // the only one, without a button
		act.Value, values = strings.TrimPrefix(act.BlockID, menuBlock), []string{act.Selected.Value}
	} else {
		for _, in := range state.Values[menuBlock+act.Value] {
			values = append(values, in.values()...)
		}
	}
	id, own := in.names.mark.Off(act.Value)
	req, ok := base.Choose(id, values)
	switch {
	case !own || !ok || !in.Host.Commands().Knows(req):
		in.answer(ctx, q, explainButton(own))
		return
	case len(values) == 0:
		q.replaces = false
		in.answer(ctx, q, bot.Reply{Text: text.Say("Tick something first, then press the button."), Refused: true})
		return
	}
	req.User = in.people.user(ctx, q.member, i.userName())
	in.answer(ctx, q, in.carryOut(ctx, q.member, req))
}

// playRobot begins a game against a robot: from the home page or a message in the person's direct
// messages, from the launcher in its place. It then opens the Play form.
func (in *inbox) playRobot(ctx context.Context, i *interaction, q asker, robot string) {
	at := q.place
	if i.View == nil || i.View.Type != string(slack.VTModal) {
		if i.View != nil {
			in.pages.recordVisit(ctx, q.member)
		}
		direct, ok := in.direct(ctx, q)
		if !ok {
			return
		}
		at = place{home: q.member.home, channel: direct}
	}
	q.place = at
	r := in.carryOut(ctx, q.member, bot.Request{
		ID: requestID(i.pressID()), Channel: at.id(), User: in.people.user(ctx, q.member, i.userName()), Command: "new", Args: map[string]string{"robots": robot},
	})
	if r.Refused || !in.openPlay(ctx, q, 0) {
		in.answer(ctx, q, r)
	}
	in.work(ctx, func(ctx context.Context) { in.pages.refreshHome(ctx, q.member) })
}

// direct returns the channel of a person's direct messages. If it can't be opened, it
// informs the person.
func (in *inbox) direct(ctx context.Context, q asker) (channel string, ok bool) {
	direct, err := in.people.direct(ctx, q.member)
	if err != nil {
		in.Log.Warn("can't open a person's direct messages", "user", q.member.id, "error", err)
		in.answer(ctx, q, bot.Reply{Text: text.Say("I can't message you. Allow direct messages from apps, then try again."), Refused: true})
		return "", false
	}
	return direct, true
}

// explainButton explains why a button is unknown; own means that it belongs to our store.
func explainButton(own bool) bot.Reply {
	if own {
		return outOfDate()
	}
	return bot.Reply{Refused: true, Text: text.Say("That button is for a game that isn't stored here. {games} shows the games I have for you.", text.Code("/games"))}
}

func outOfDate() bot.Reply {
	return bot.Reply{Refused: true, Text: text.Say("That button is from an older version and no longer works. {board} shows the game as it is now.", text.Code("/board"))}
}

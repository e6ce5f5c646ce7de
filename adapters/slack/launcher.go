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

// launcherID names the launcher and the shortcuts that open it: the global one, and a
// message's, because slash commands don't work in threads.
const launcherID = "rackmate"

// reportID names the message shortcut for reports.
const reportID = "report"

// likely lists the most useful commands by state of the table, which the launcher shows;
// More has all others.
var likely = map[string][]string{
	"":        {"new", soloAction, "games", "stats", "settings"},
	"lobby":   {"join", "start", "leave", "games", "help"},
	"voting":  {"vote", "board", "games", "settings", "help"},
	"turn":    {"play", "exchange", "pass", "rack", "board"},
	"waiting": {"play", "rack", "board", "history", "nudge"},
	"closing": {"challenge", "pass", "rack", "board", "history"},
	"looking": {"board", "history", "unseen", "new", "games"},
	"over":    {"rematch", "new", "history", "review", "export"},
	// No game here, but the person plays elsewhere.
	"elsewhere": {"play", "rack", "games", "new", "settings"},
}

// A grouping is a set of related commands.
type grouping struct {
	title    text.Text
	commands []string
}

// groupings returns the groups of commands behind More. Ungrouped commands are in the last.
func groupings() []grouping {
	return []grouping{
		{text.Say("Your turn"), []string{"play", "try", "exchange", "pass", "challenge", "hint", "submit", "draw", "remove", "cover"}},
		{text.Say("This game"), []string{"rack", "board", "unseen", "history", "plan", "note", "nudge", "resign", "end", "claim", "wait"}},
		{text.Say("Tables and games"), []string{"new", "join", "leave", "start", "vote", "adopt", "games", "rematch", "replay", "review", "export"}},
		{text.Say("Words"), []string{"check", "anagram", "pattern", "hooks", "words"}},
		{text.Say("People and settings"), nil},
	}
}

// A tableState is the state of a table for a person, and of their games elsewhere.
type tableState struct {
	bot.Sight
	phase string // key of likely
	words text.Text
}

// atPhases lists the commands that are only possible in some states, by keys of likely.
var atPhases = map[string][]string{
	"join": {"lobby", "voting"}, "start": {"lobby"}, "leave": {"lobby", "voting"}, "vote": {"voting"}, "adopt": {"looking"},
	"rematch": {"over"}, "review": {"over"}, "export": {"over"}, "replay": {"turn", "waiting", "closing", "looking", "over"},
	"exchange": {"turn"}, "pass": {"turn", "closing"}, "nudge": {"waiting"}, "wait": {"waiting"}, "claim": {"waiting"},
}

// isPossible reports whether a command is possible now, as far as the state of the table shows.
func (s tableState) isPossible(command string) bool {
	phases, some := atPhases[command]
	switch {
	case some && !slices.Contains(phases, s.phase):
		return false
	case s.phase == "elsewhere" && slices.Contains(gameCommands, command):
		return slices.Contains(likely["elsewhere"], command)
	case s.Own == nil:
		return !slices.Contains(gameCommands, command) || slices.Contains(likely[s.phase], command)
	}
	switch command {
	case "play", "submit", "remove", "cover":
		return command == s.Own.Lays
	case "draw":
		return s.Variant == "double-bag"
	case "challenge":
		return !s.Words
	case "hint":
		return s.Own.Hints
	}
	return true
}

// likely returns the most useful commands for the person.
func (s tableState) likely() []string {
	names := slices.Clone(likely[s.phase])
	if i := slices.Index(names, "play"); i >= 0 && s.Own != nil && s.Own.Lays != "submit" { // uses the Play form too
		names[i] = s.Own.Lays
	}
	return names
}

// loadState loads the state of a table for a person.
func (f *forms) loadState(ctx context.Context, q asker, m meta) tableState {
	sight, err := f.Host.Sight(ctx, bot.Request{Channel: q.place.id(), Table: m.Table, User: bot.User{ID: q.member.player()}})
	if err != nil && !errors.Is(err, bot.ErrNoTable) {
		f.Log.Error("can't load a table", "channel", q.place.id(), "error", err)
	}
	at := func(phase string, words text.Text) tableState { return tableState{sight, phase, words} }
	switch {
	case err != nil:
		if games, err := f.Host.Games(ctx, q.member.player()); err == nil && len(games) > 0 && !games[0].Invited {
			return at("elsewhere", text.Say("No game here. Yours are in other places."))
		}
		return at("", text.Say("No game here."))
	case sight.Phase == "over":
		return at("over", text.Say("The game here is over."))
	case sight.Phase == "lobby" || sight.Phase == "voting":
		return at(sight.Phase, text.Say("A game is about to start here."))
	case sight.Own == nil:
		return at("looking", text.Say("Other people are playing here."))
	case sight.Phase == "closing":
		return at("closing", text.Say("The last play can be challenged."))
	case sight.Own.Turn:
		return at("turn", text.Say("It's your turn."))
	}
	return at("waiting", text.Say("It isn't your turn yet."))
}

// launcher returns a view with all commands, for use without typing: the most useful ones
// now, and the others behind More.
func (f *forms) launcher(ctx context.Context, q asker, m meta) slack.ModalViewRequest {
	to := f.people.locale(ctx, q.member)
	v := modal(to, "Rackmate", m, launcherID)
	here := f.loadState(ctx, q, m)
	v.Blocks.BlockSet = []slack.Block{slack.NewSectionBlock(plainText(text.Sentences(here.words, text.Say("What would you like to do?")).In(to).String(), maxSection), nil, nil)}
	var row []slack.BlockElement
	for n, name := range here.likely() {
		style := map[bool]bot.Style{true: bot.Primary, false: bot.Ordinary}[n == 0]
		c, known := f.Host.Commands().Find(name)
		switch {
		case name == soloAction:
			row = append(row, button(fmt.Sprintf("%s:%d", soloAction, n), firstRobot(f.Host.Commands()), text.Say("Play a robot").In(to).String(), style))
		case known:
			b := button(fmt.Sprintf("%s:%d", doAction, n), c.Name, label(c.Name, c.NameIn(to)), style)
			b.AccessibilityLabel = cut(text.Known(c.Help).In(to).String(), maxButtonText)
			row = append(row, b)
		}
	}
	v.Blocks.BlockSet = append(v.Blocks.BlockSet, slack.NewActionBlock("", row...),
		slack.NewActionBlock("", button(moreAction, here.phase, text.Say("More…").In(to).String(), bot.Ordinary)))
	return v
}

// shortcuts returns the launcher's buttons for an answer, if no view can be opened.
func (f *forms) shortcuts(ctx context.Context, q asker) []bot.Button {
	here := f.loadState(ctx, q, meta{})
	return f.shortcutsTo(ctx, q, here, here.likely())
}

// firstButtons returns two buttons for a person who may not know what to do: the most useful
// action in their direct messages, and help.
func (f *forms) firstButtons(ctx context.Context, q asker, here tableState) []bot.Button {
	first := soloAction
	if here.phase != "" && here.phase != "elsewhere" {
		first = here.likely()[0]
	}
	return f.shortcutsTo(ctx, q, here, []string{first, "help"})
}

// shortcutsTo returns buttons for commands, by name, and soloAction.
func (f *forms) shortcutsTo(ctx context.Context, q asker, here tableState, names []string) (all []bot.Button) {
	to := f.people.locale(ctx, q.member)
	for n, name := range names {
		b := bot.Button{Style: map[bool]bot.Style{true: bot.Primary, false: bot.Ordinary}[n == 0]}
		c, known := f.Host.Commands().Find(name)
		switch {
		case name == soloAction:
			b.Label, b.ID = text.Say("Play a robot").In(to), bot.ButtonID(0, 0, "new", map[string]string{"robots": firstRobot(f.Host.Commands())})
		case name == "board":
			b.Label, b.ID = text.Plain(label(c.Name, c.NameIn(to))), bot.ButtonID(here.Table, 0, c.Name, map[string]string{"as": "picture"})
		case known:
			b.Label, b.ID = text.Plain(label(c.Name, c.NameIn(to))), bot.ButtonID(here.Table, 0, c.Name, nil)
		}
		all = append(all, b)
	}
	return all
}

// allCommands returns the rest of the launcher: the possible commands, in groups.
func (f *forms) allCommands(ctx context.Context, q asker, m meta) slack.ModalViewRequest {
	to := f.people.locale(ctx, q.member)
	v := modal(to, "Rackmate", m, launcherID)
	here := f.loadState(ctx, q, m)
	v.Blocks.BlockSet = []slack.Block{slack.NewSectionBlock(plainText(here.words.In(to).String(), maxSection), nil, nil)}
	p, err := f.people.profile(ctx, q.member)
	if err != nil {
		f.Log.Info("can't look up the admins", "user", q.member.id, "error", err)
	}
	all := groupings()
	left := slices.DeleteFunc(f.Host.Commands().Elsewhere(), func(c bot.Command) bool { return c.Manages && !p.Admin || !here.isPossible(c.Name) })
	for n, g := range all {
		var options []*slack.OptionBlockObject
		add := func(c bot.Command) {
			o := slack.NewOptionBlockObject(c.Name, plainText(label(c.Name, c.NameIn(to)), maxOptionText), plainText(text.Known(c.Help).In(to).String(), maxOptionText))
			options = append(options, o)
		}
		for _, name := range g.commands {
			if c, known := left.Find(name); known {
				add(c)
			}
			left = slices.DeleteFunc(left, func(c bot.Command) bool { return c.Name == name })
		}
		if n == len(all)-1 {
			for _, c := range left {
				add(c)
			}
		}
		if len(options) == 0 {
			continue
		}
		choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText(text.Say("Choose").In(to).String(), maxPlaceholder), fmt.Sprintf("%s:%d", doAction, n), options...)
		v.Blocks.BlockSet = append(v.Blocks.BlockSet, slack.NewSectionBlock(markdown("*"+escape(g.title.In(to).String())+"*"), nil, slack.NewAccessory(choose)))
	}
	return v
}

// showMore replaces a launcher or a form with the full version.
func (in *inbox) showMore(ctx context.Context, i *interaction, q asker) {
	if i.View == nil {
		return
	}
	m := metaOf(i.View)
	v := in.forms.allCommands(ctx, q, m)
	if i.View.Callback == formID {
		req := bot.Request{Channel: q.place.id(), Table: m.Table, Command: m.Command, Args: map[string]string{}}
		c, known := in.Host.Commands().Find(m.Command)
		if !known {
			return
		}
		m.Whole = true
		v = in.forms.form(ctx, q.member, m, req, c.Options)
	}
	if err := in.answers.updateView(ctx, q.member.home, i.View.ID, v); err != nil {
		in.Log.Warn("can't show the rest of a form", "user", q.member.id, "error", err)
	}
}

// firstRobot returns the level of robots to offer to a new person.
func firstRobot(all bot.Commands) string {
	c, _ := all.Find("new")
	if o, ok := c.Option("robots", nil); ok && len(o.Choices) > 0 {
		return o.Choices[0].Value
	}
	return ""
}

// launchFrom opens the launcher from a message's shortcut: for that message's thread, if it
// is in one.
func (in *inbox) launchFrom(ctx context.Context, i *interaction) {
	q := in.askerOf(ctx, i)
	if q.place.channel == "" { // a global shortcut has no channel
		direct, err := in.people.direct(ctx, q.member)
		if err != nil {
			in.Log.Warn("can't open a person's direct messages", "user", q.member.id, "error", err)
			return
		}
		q.place = place{home: q.member.home, channel: direct}
	}
	in.answers.openView(ctx, q, in.forms.launcher(ctx, q, meta{Channel: string(q.place.id())}))
}

// report reports a message and its author to the managers of the workspace.
func (in *inbox) report(ctx context.Context, i *interaction) {
	q := in.askerOf(ctx, i)
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

// handleLauncher handles a command chosen in the launcher. A form asks for its options.
func (in *inbox) handleLauncher(ctx context.Context, i *interaction, q asker, command string) {
	m := metaOf(i.View)
	c, known := in.Host.Commands().Find(command)
	if !known {
		in.answer(ctx, q, outOfDate())
		return
	}
	req := bot.Request{
		ID: requestID(i.pressID()), Channel: q.place.id(), Table: m.Table, Command: command, Args: map[string]string{},
	}
	switch command {
	case "play":
		if !in.openPlay(ctx, q, m.Table) {
			req.User = in.people.user(ctx, q.member, i.userName())
			in.answer(ctx, q, in.explainNoPlay(ctx, q.member, req))
		}
		return
	case "new":
		req.Table = 0
	case "board":
		req.Args["as"] = "picture" // shown in the form rather than to everybody
	}
	switch {
	case command == "exchange":
		// A form with the rack's tiles to tick, if they can be exchanged now.
		if v, ok := in.forms.exchangeForm(ctx, q.member, meta{Channel: m.Channel, Table: req.Table}); ok {
			_, _ = in.answers.openView(ctx, q, v)
			return
		}
		req.User = in.people.user(ctx, q.member, i.userName())
		in.answer(ctx, q, in.carryOut(ctx, q.member, req))
		return
	case !asksInForm(c):
		req.User = in.people.user(ctx, q.member, i.userName())
		in.answer(ctx, q, in.carryOut(ctx, q.member, req))
		return
	}
	m.Command, m.Table = command, req.Table
	in.answers.openView(ctx, q, in.forms.form(ctx, q.member, m, req, c.Options))
}

// asksInForm reports whether a command from the launcher starts with a form, because it has
// a required option or consists of choices.
func asksInForm(c bot.Command) bool {
	for _, o := range c.Options {
		if o.Required {
			return true
		}
	}
	return c.Name == "new" || c.Name == "challenge" || c.Name == "settings" || c.Name == "help"
}

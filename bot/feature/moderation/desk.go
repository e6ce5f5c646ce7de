package moderation

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

func deskOptions() []bot.Option {
	return []bot.Option{{Name: "what", Help: "What to see", Kind: bot.Pick, Choices: []bot.Choice{
		{Value: "reports", Label: text.Say("What has been reported")}, {Value: "people", Label: text.Say("Who is muted or banned")}, {Value: "log", Label: text.Say("What keepers have done")},
	}}}
}

// deskButton returns a button of /reports. All its arguments but "what" come only from
// buttons: "report" is the key of one of the home's reports, and "do" the action to take on
// it.
func deskButton(label text.Text, style bot.Style, args ...string) bot.Button {
	all := map[string]string{}
	for i := 0; i < len(args); i += 2 {
		all[args[i]] = args[i+1]
	}
	return bot.Button{ID: bot.ButtonID(0, 0, "reports", all), Label: label, Style: style}
}

// showReports shows moderators the open reports, or carries out the action of its buttons.
func (f *Feature) showReports(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if req.Args["tell"] != "" {
		return f.tellMe(ctx, req)
	}
	p, err := f.requireModerator(ctx, req, false)
	if err != nil {
		return bot.Reply{}, err
	}
	if p.steward == nil {
		if _, err := p.changeIfManager(ctx, f, req.User.ID, func(m *storedManager) { m.Looked = f.desk.Now().UTC() }); err != nil {
			return bot.Reply{}, err
		}
	}
	switch what := req.Args["what"]; {
	case req.Args["report"] != "":
		return p.handleReport(ctx, f, req, req.Args["report"])
	case what == "" || what == "reports":
		return p.listReports(ctx, f, req.User.ID)
	case what == "people":
		return p.listPeople(ctx, f)
	case what == "log":
		return p.listActions(ctx, f)
	default:
		return bot.Reply{}, words.NoChoice("what", what, "reports", "people", "log")
	}
}

// listReports lists the open reports. It hides reports about the moderator who asks, to
// protect their authors.
func (p moderatedPlace) listReports(ctx context.Context, f *Feature, who game.PlayerID) (bot.Reply, error) {
	open, err := p.openReports(ctx, f, who)
	if err != nil {
		return bot.Reply{}, err
	}
	others := []bot.Button{deskButton(text.Say("Who is banned"), bot.Ordinary, "what", "people"), deskButton(text.Say("What keepers have done"), bot.Ordinary, "what", "log")}
	if len(open) == 0 {
		return bot.Reply{Text: text.Say("All reports have been handled."), Buttons: others}, nil
	}
	const most = bot.MostButtons - 2
	r := bot.Reply{Text: text.Say("Reports, oldest first:")}
	for i, c := range open[:min(most, len(open))] {
		r.Text = text.Lines(r.Text, text.Glue(i+1, ". ", c.value.line(), " · ", words.Clock(c.value.At)))
		style := bot.Ordinary
		if i == 0 {
			style = bot.Primary
		}
		r.Buttons = append(r.Buttons, deskButton(text.Say("Open {n}", i+1), style, "report", string(c.key)))
	}
	if n := len(open) - most; n > 0 {
		r.Text = text.Lines(r.Text, text.Item("and {n} more.", n))
	}
	r.Buttons = append(r.Buttons, others...)
	return r, nil
}

// openReports returns the unhandled reports, oldest first, except those about who.
func (p moderatedPlace) openReports(ctx context.Context, f *Feature, who game.PlayerID) ([]row[shelf.Mark, storedReport], error) {
	all, err := readRows(ctx, f.reports, p)
	return slices.DeleteFunc(all, func(r row[shelf.Mark, storedReport]) bool { return r.value.Done || r.value.About.ID == who }), err
}

// handleReport shows a report, or carries out a moderator's action on it.
func (p moderatedPlace) handleReport(ctx context.Context, f *Feature, req bot.Request, id string) (bot.Reply, error) {
	key := p.markKey(shelf.Mark(id))
	c, found, err := f.reports.Get(ctx, key)
	if err != nil {
		return bot.Reply{}, err
	}
	if !found || c.About.ID == req.User.ID {
		return bot.Reply{}, words.Refusing("That report is no longer here. {reports} shows the open ones.", text.Code("/reports"))
	}
	s := sanction{who: c.About}
	var done bot.Reply
	switch do := req.Args["do"]; do {
	case "":
		return p.showReport(c, id), nil
	case "done":
		done.Text = text.Say("Handled.")
	case "remove":
		if p.steward == nil || c.Number == 0 {
			return bot.Reply{}, words.Refusing("That message can't be removed from here.")
		}
		done, err = p.removeMessage(ctx, f, req, c.Channel, c.Number)
	case "mute", "ban":
		if p.steward == nil || c.About.ID == "" || bot.IsFormer(c.About.ID) {
			return bot.Reply{}, words.Refusing("Nobody by that name is here.")
		}
		if err := p.setDuration(ctx, f, req, &s, map[string]string{"mute": "1d"}[do]); err != nil {
			return bot.Reply{}, err
		}
		if do == "mute" {
			done, err = p.mute(ctx, f, req, s)
		} else {
			done, err = p.ban(ctx, f, req, s)
		}
	default:
		return bot.Reply{}, errOldButton()
	}
	if err != nil {
		return bot.Reply{}, err
	}
	err = f.reports.Change(ctx, key, func(c *storedReport) (keep bool, err error) {
		c.Done = c.V > 0
		return c.Done, nil
	})
	done.Buttons = append(done.Buttons, deskButton(text.Say("Next report"), bot.Ordinary, "what", "reports"))
	return done, err
}

// showReport shows a report with the actions that are possible.
func (p moderatedPlace) showReport(c storedReport, id string) bot.Reply {
	r := bot.Reply{Text: c.describe()}
	do := func(label text.Text, what string, style bot.Style) {
		r.Buttons = append(r.Buttons, deskButton(label, style, "report", id, "do", what))
	}
	if p.steward != nil && c.Number > 0 {
		do(text.Say("Remove the message"), "remove", bot.Ordinary)
	}
	if p.steward != nil && c.About.ID != "" && !bot.IsFormer(c.About.ID) {
		do(text.Say("Mute for a day"), "mute", bot.Ordinary)
		do(text.Say("Ban"), "ban", bot.Danger)
	}
	do(text.Say("Dismiss the report"), "done", bot.Ordinary)
	return r
}

// listPeople lists the muted and banned people, with buttons that undo this for the first
// of them.
func (p moderatedPlace) listPeople(ctx context.Context, f *Feature) (bot.Reply, error) {
	r := bot.Reply{}
	line := func(said text.Text, undo bot.Button) {
		r.Text = text.Lines(r.Text, said)
		if len(r.Buttons) < bot.MostButtons {
			r.Buttons = append(r.Buttons, undo)
		}
	}
	if err := shelf.EachUnder(ctx, f.muted, shelf.Home(p.home), func(who shelf.Person, m storedMute) error {
		if f.desk.Now().Before(m.Until) {
			line(text.Say("{who} is muted until {time}", m.Name, words.Clock(m.Until)), undoButton("mute", bot.User{ID: game.PlayerID(who), Name: m.Name}))
		}
		return nil
	}); err != nil {
		return r, err
	}
	if p.steward != nil {
		bans, err := p.steward.Bans(ctx)
		if err != nil {
			return r, err
		}
		for _, b := range bans[:min(len(bans), 20)] {
			said := text.Say("{who} is banned", b.Who.Name)
			if !b.Until.IsZero() {
				said = text.Say("{who} is banned until {time}", b.Who.Name, words.Clock(b.Until))
			}
			line(said, undoButton("ban", b.Who))
		}
	}
	if r.Text == nil {
		return bot.Reply{Text: text.Say("Nobody is muted or banned.")}, nil
	}
	r.Text = text.Lines(text.Say("Muted or banned:"), r.Text)
	return r, nil
}

// undoButton returns the button that undoes a command about a person.
func undoButton(command string, who bot.User) bot.Button {
	label := text.Say("Unban: {who}", who.Name)
	if command == "mute" {
		label = text.Say("Unmute: {who}", who.Name)
	}
	return bot.Button{ID: personButton(command, who, "for", lift), Label: label}
}

// listActions lists the moderators' actions, latest first.
func (p moderatedPlace) listActions(ctx context.Context, f *Feature) (bot.Reply, error) {
	all, err := readRows(ctx, f.deeds, p)
	if err != nil {
		return bot.Reply{}, err
	}
	if len(all) == 0 {
		return bot.Reply{Text: text.Say("Keepers haven't done anything yet.")}, nil
	}
	var lines []text.Text
	for _, r := range slices.Backward(all) {
		lines = append(lines, r.value.line())
	}
	return bot.Reply{Text: feature.Fit(text.Say("What keepers have done, latest first:"), lines)}, nil
}

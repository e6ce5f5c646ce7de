package people

import (
	"cmp"
	"context"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
)

// quietHours returns the suggested values of quiet.
func quietHours(context.Context, bot.Request) (all []bot.Choice) {
	for _, hours := range []string{"22-8", "22-7", "23-7", "21-9", "18-9", "off"} {
		all = append(all, bot.Choice{Value: hours, Label: text.Plain(hours)})
	}
	return all
}

func pingChoices() []bot.Choice {
	return []bot.Choice{
		{Value: settings.PingHere, Label: text.Say("In the game's channel")}, {Value: settings.PingDM, Label: text.Say("By direct message")}, {Value: settings.PingSilent, Label: text.Say("Never")},
		{Value: settings.PingOnce, Label: text.Say("All my games once a day")}, {Value: settings.PingTwice, Label: text.Say("All my games twice a day")},
	}
}

// houseSettings changes what the request names, then shows the settings that apply in a
// channel or a home and where each comes from.
func (f *Feature) houseSettings(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if where := req.Args[whereOption]; where != "" {
		return f.setWhere(ctx, req, where)
	}
	if req.Args[showOption] == setupShown {
		return f.showSetup(ctx, req)
	}
	places, err := f.placesToSet(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if req.Args["for"] == "channel" && req.Args[settings.Overview] == settings.PinOverview {
		return f.PinOverview(ctx, req)
	}
	if err := f.Others.Settings.CheckLocked(ctx, places, req); err != nil {
		return bot.Reply{}, err
	}
	if err := f.Others.Settings.Set(ctx, places[0], req, func() error {
		return words.Refusing("Only managers of this server can set that. {settings} shows what is set.", text.Code("/settings for:"+req.Args["for"]))
	}); err != nil {
		return bot.Reply{}, err
	}
	if req.Args[settings.Overview] != "" {
		if err := f.RefreshOverviews(ctx, req); err != nil {
			return bot.Reply{}, err
		}
	}
	rules, err := f.Others.Settings.HouseRules(ctx, req.Channel, places)
	if err != nil {
		return bot.Reply{}, err
	}
	t := text.Say("In this channel, unless a table says otherwise:")
	if req.Args["for"] == "server" {
		t = text.Say("On this server, unless a channel or a table says otherwise:")
	}
	for _, o := range f.Others.Settings.All() {
		if o.Ours && f.desk.Platform(req.Channel).Steward == nil {
			continue
		}
		rule, from := rules[o.Name], o.DefaultNote
		switch {
		case rule.From != "":
			from = text.Item("set for {place, select, channel {this channel} other {this server}}", rule.From)
		case from == nil:
			from = text.Item("the default")
		}
		t = text.Lines(t, text.Glue(o.Name, " ", text.Strong(rule.Value), " · ", from))
	}
	if req.Args["for"] == "channel" {
		for _, schedule := range f.Schedules {
			option, value, err := schedule(ctx, req.Channel)
			if err != nil {
				return bot.Reply{}, err
			}
			from := text.Item("the default")
			if value != "" {
				from = text.Item("set for {place, select, channel {this channel} other {this server}}", "channel")
			}
			t = text.Lines(t, text.Glue(option, " ", text.Strong(cmp.Or(value, "off")), " · ", from))
		}
	}
	if req.Manager {
		t = text.Lines(t, text.Say("For example, {set} sets one and {unset} clears it.", text.Code(fmt.Sprintf("/settings for:%s pace:3d", req.Args["for"])), text.Code("pace:"+settings.Unset)))
	}
	r := bot.Reply{Text: t}
	if req.Manager {
		r.Menus = f.houseMenus(req, rules)
		if req.Args["for"] == "channel" && f.desk.Platform(req.Channel).Steward == nil {
			r.Buttons = []bot.Button{setupButton()}
		}
	}
	return r, nil
}

// placesToSet returns the places whose settings a request is about, nearest first.
func (f *Feature) placesToSet(ctx context.Context, req bot.Request) ([]settings.Place, error) {
	places, err := f.Others.Settings.Places(ctx, req.Channel, req.Home)
	if err != nil {
		return nil, err
	}
	switch scope := req.Args["for"]; {
	case scope == "channel":
	case scope != "server":
		return nil, words.NoChoice("for", scope, "me", "channel", "server")
	case len(places) < 2:
		return nil, words.Refusing("There's no server here. {settings} is for this conversation.", text.Code("/settings for:channel"))
	default:
		places = places[1:]
	}
	var own []text.Span
	for _, o := range settingsOptions() {
		if req.Args[o.Name] != "" {
			own = append(own, text.Code(o.Name))
		}
	}
	if len(own) > 0 {
		return nil, words.Refusing("Everybody sets {option} for themselves. Leave {scope} out to set your own.", text.List(own), text.Code("for:"+req.Args["for"]))
	}
	return places, nil
}

func settingsOptions() []bot.Option {
	onOff := []bot.Choice{{Value: "on", Label: text.Say("On")}, {Value: "off", Label: text.Say("Off")}}
	return []bot.Option{
		{Name: "ping", Help: "How to tell you that it's your turn", Kind: bot.Pick, Choices: pingChoices()},
		{Name: "quiet", Help: "Hours when you aren't told anything, like 22-8, or off", Kind: bot.Pick, Completes: true},
		{Name: "dm", Help: "Whether each game sends you your rack in a direct message", Kind: bot.Pick, Choices: onOff},
		{Name: settings.Passing, Help: "Whether /pass asks you to confirm", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: settings.PassAsks, Label: text.Say("Ask me to confirm")}, {Value: settings.PassAtOnce, Label: text.Say("Pass at once")},
		}},
		{Name: "game", Help: "Whether ping is only for the game in this channel", Kind: bot.YesNo},
	}
}

// showSettings changes the settings that a person names, then shows all of theirs.
func (f *Feature) showSettings(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if scope := req.Args["for"]; scope != "" && scope != "me" {
		return f.houseSettings(ctx, req)
	}
	for _, o := range f.Others.Settings.All() {
		if !o.Own && req.Args[o.Name] != "" {
			return bot.Reply{}, words.Refusing("{option} is for a whole place, and its managers set it: {settings}.", text.Code(o.Name), text.Code("/settings for:channel "+o.Name+":"+req.Args[o.Name]))
		}
	}
	here, err := f.desk.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	s, err := f.Others.Settings.ChangeOf(ctx, req, here.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	if req.Args["dm"]+req.Args["ping"] != "" {
		if err := f.RefreshCards(ctx, req.User.ID, req.ID); err != nil {
			return bot.Reply{}, err
		}
	}
	refused, err := f.ClearRefusal(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	atOnce, err := f.Others.Settings.PassesAtOnce(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	said := s.Words(here.ID, atOnce, f.desk.Platform(req.Channel).Cards)
	if refused {
		said = text.Lines(said, text.Say("My last direct message to you was refused, so I told you in the channel. I'll try again: please allow direct messages from me, or choose {settings}.", text.Code("/settings ping:here")))
	}
	return bot.Reply{Text: said, Menus: f.ownMenus(ctx, req), Buttons: placeButtons(req)}, nil
}

// placeButtons returns buttons by which managers see and change the settings of a place.
func placeButtons(req bot.Request) (all []bot.Button) {
	place := func(scope string, label text.Text) {
		all = append(all, bot.Button{ID: bot.ButtonID(0, 0, "settings", map[string]string{"for": scope}), Label: label})
	}
	if req.Manager {
		place("channel", text.Say("This channel"))
		if req.Home != "" {
			place("server", text.Say("This server"))
		}
	}
	return all
}

// ownMenus returns menus for the settings that people change most for themselves.
func (f *Feature) ownMenus(ctx context.Context, req bot.Request) (all []bot.Menu) {
	for _, o := range settingsOptions() {
		choices := o.Choices
		if o.Name == "quiet" {
			choices = quietHours(ctx, req)
		}
		if len(choices) == 0 {
			continue
		}
		all = append(all, bot.Menu{ID: bot.ButtonID(0, 0, "settings", map[string]string{o.Name: ""}), Label: menuLabels[o.Name], Choices: choices, Most: 1})
	}
	return all
}

// menuLabels holds the labels of these menus by option.
var menuLabels = map[string]text.Text{
	"ping":           text.Say("How you are called to your turn"),
	"quiet":          text.Say("Quiet hours"),
	"dm":             text.Say("Your rack by direct message"),
	settings.Passing: text.Say("When you pass"),
}

// showOption is the argument in which a menu passes the setting to show.
const showOption = "show"

// houseMenus returns menus for managers: one chooses a setting, another its value.
func (f *Feature) houseMenus(req bot.Request, rules map[string]settings.Rule) []bot.Menu {
	scope := req.Args["for"]
	which := bot.Menu{ID: bot.ButtonID(0, 0, "settings", map[string]string{"for": scope, showOption: ""}), Label: text.Say("What to set"), Most: 1}
	var all []bot.Menu
	for _, o := range f.Others.Settings.All() {
		choices := o.OrUnset(f.Others.Settings.Has(), req)
		if o.Ours && f.desk.Platform(req.Channel).Steward == nil || len(choices) < 2 {
			continue
		}
		which.Choices = append(which.Choices, bot.Choice{Value: o.Name, Label: text.Glue(o.Name, " · ", rules[o.Name].Value)})
		if o.Name == req.Args[showOption] {
			const most = 25
			all = append(all, bot.Menu{
				ID:    bot.ButtonID(0, 0, "settings", map[string]string{"for": scope, o.Name: ""}),
				Label: text.Glue(o.Name), Choices: choices[max(0, len(choices)-most):], Most: 1,
			})
		}
	}
	return append(all, which)
}

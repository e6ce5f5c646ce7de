package slack

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file has the home page: a person's games, whose turn it is, their racks,
// their settings, and for admins what tables begin with. It is the one private
// place that Slack keeps.

// homesShelf, of Slack's notes, has by player when they opened their page or
// pressed something on it: for a while after that it is kept up to date. Slack
// tells when it is opened again.
const homesShelf = "homes"

const (
	// homeLife is how long a page is kept up to date, and homeNoted how exactly
	// that is noted.
	homeLife  = 30 * time.Minute
	homeNoted = 5 * time.Minute
)

const setAction = "set" // followed by the option: "dm", or an option of a place

// mostGames is how many games a page shows: a view takes 100 blocks.
const mostGames = 10

// mostBoards is how many of them with their boards: those where it is one's turn come
// first.
const mostBoards = 3

// homeAge is how long ago somebody was seen on their page; ok is false for those
// who never were.
func (a *Adapter) homeAge(ctx context.Context, m member) (age time.Duration, ok bool, err error) {
	b, err := a.Notes.Get(ctx, homesShelf, string(m.player()))
	if err != nil || b == nil {
		return 0, false, err
	}
	var at time.Time
	if at.UnmarshalText(b) != nil {
		return homeLife, true, nil // a former version noted no time
	}
	return a.Now().Sub(at), true, nil
}

// seenHome notes that somebody is on their page.
func (a *Adapter) seenHome(ctx context.Context, m member) {
	age, known, err := a.homeAge(ctx, m)
	if err == nil && (!known || age >= homeNoted) {
		var b []byte
		if b, err = a.Now().UTC().MarshalText(); err == nil {
			err = a.Notes.Put(ctx, homesShelf, string(m.player()), b)
		}
	}
	if err != nil {
		a.Log.Error("can't note an open home page", "error", err)
	}
}

func (a *Adapter) homeOpened(ctx context.Context, m member) {
	a.seenHome(ctx, m)
	if err := a.publishHome(ctx, m); err != nil {
		a.Log.Warn("can't show a home page", "user", m.id, "error", err)
	}
}

// refreshHome brings a person's page up to date, if they may be looking at it.
func (a *Adapter) refreshHome(ctx context.Context, m member) {
	age, known, err := a.homeAge(ctx, m)
	if err == nil && known && age < homeLife {
		err = a.publishHome(ctx, m)
	}
	if err != nil {
		a.Log.Warn("can't bring a home page up to date", "user", m.id, "error", err)
	}
}

// publishHome shows somebody their page.
func (a *Adapter) publishHome(ctx context.Context, m member) error {
	err := a.publish(ctx, m)
	if isError(err, "invalid_blocks", "invalid_arguments") && a.reached() {
		a.notSeen()
		err = a.publish(ctx, m)
	}
	return err
}

func (a *Adapter) publish(ctx context.Context, m member) error {
	games, err := a.Host.Games(ctx, m.player())
	if err != nil {
		return err
	}
	to := a.tongue(ctx, m)
	blocks := []slack.Block{slack.NewHeaderBlock(plainText(text.Say("Your games").In(to).String(), 150))}
	if len(games) == 0 {
		blocks = append(blocks, a.names.sections(text.Say("You are in no game. In a channel, {new} opens a table, and {all} shows everything that you can do. Or play against a robot, in your direct messages with me:",
			text.Code("/new"), text.Code("/"+umbrella)).In(to))...)
		if robots := a.robots(to); len(robots) > 0 {
			blocks = append(blocks, slack.NewActionBlock("", robots...))
		}
	}
	for i, g := range games[:min(len(games), mostGames)] {
		blocks = append(blocks, a.gameBlocks(ctx, m, g, i < mostBoards, to)...)
	}
	if more := len(games) - mostGames; more > 0 {
		blocks = append(blocks, a.names.sections(text.Say("And {n} more.", more).In(to))...)
	}
	blocks = append(blocks, slack.NewDividerBlock())
	blocks = append(blocks, a.settingBlocks(ctx, m, to)...)
	return a.call(ctx, m.home, func(api *slack.Client) error {
		_, err := api.PublishViewContext(ctx, slack.PublishViewContextRequest{
			UserID: m.id, View: slack.HomeTabViewRequest{Type: slack.VTHomeTab, CallbackID: "home", Blocks: slack.Blocks{BlockSet: blocks}},
		})
		return err
	})
}

// robots are buttons that begin a game against one.
func (a *Adapter) robots(to *text.Tongue) (all []slack.BlockElement) {
	const most = 3
	c, _ := a.Host.Commands().Find("new")
	for _, o := range c.Options {
		if o.Name != "robots" {
			continue
		}
		for i, level := range o.Choices[:min(len(o.Choices), most)] {
			style := bot.Ordinary
			if i == 0 {
				style = bot.Primary
			}
			robot := bot.User{ID: bot.PlayerID(bot.RobotPrefix + level.Value)}
			all = append(all, button(fmt.Sprintf("%s:%d", soloAction, i), level.Value, text.Say("Play {robot}", text.Called(robot)).In(to).String(), style))
		}
	}
	return all
}

// solo begins a game against a robot in somebody's direct messages.
func (a *Adapter) solo(ctx context.Context, i *interaction, q asker, robot string) {
	direct, err := a.direct(ctx, q.member)
	if err != nil {
		a.Log.Warn("can't open somebody's direct messages", "user", q.member.id, "error", err)
		a.answer(ctx, q, bot.Reply{Text: text.Say("I can't write to you. Allow direct messages from apps, and try again."), Refused: true})
		return
	}
	at := place{home: q.member.home, channel: direct}
	a.answer(ctx, q, a.carryOut(ctx, q.member, bot.Request{
		ID: requestID(i.pressID()), Channel: at.id(), User: a.user(ctx, q.member, i.userName()), Command: "new", Args: map[string]string{"robots": robot},
	}))
	a.refreshHome(ctx, q.member)
}

// gameBlocks are at most seven, and the board.
func (a *Adapter) gameBlocks(ctx context.Context, m member, g bot.Game, board bool, to *text.Tongue) []slack.Block {
	where := ""
	if at, err := placeOf(g.Channel); err == nil {
		where = "<#" + escape(at.channel) + ">"
		if strings.HasPrefix(at.channel, "D") {
			where = escape(text.Say("Direct messages").In(to).String())
		}
		where += " · <" + a.Link(ctx, g.Channel) + "|" + escape(text.Item("open the board").In(to).String()) + ">"
	}
	if g.Turn {
		where += " · *" + escape(text.Item("your turn").In(to).String()) + "*"
	}
	blocks := []slack.Block{slack.NewDividerBlock(), slack.NewSectionBlock(markdown(where+"\n"+a.names.mrkdwn(g.Text.In(to))), nil, nil)}
	if board {
		own := a.look(ctx, m, g.Channel, g.Table, to)
		blocks = append(blocks, own.board...)
		g.Rack.Buttons = append(own.moves, g.Rack.Buttons...)
	}
	return append(blocks, a.names.reply(g.Rack.In(to), "")...)
}

// settingBlocks are a person's settings, and for an admin the workspace's.
func (a *Adapter) settingBlocks(ctx context.Context, m member, to *text.Tongue) []slack.Block {
	say := func(t text.Text) string { return t.In(to).String() }
	p, err := a.profile(ctx, m)
	if err != nil {
		a.Log.Info("can't ask who is an admin", "user", m.id, "error", err)
	}
	now := a.Host.Handle(ctx, a.homeRequest(m, p, "home"))
	blocks := append([]slack.Block{slack.NewHeaderBlock(plainText(say(text.Say("Settings")), 150))}, a.names.sections(now.Text)...)
	blocks = append(blocks, slack.NewActionBlock("",
		button(setAction+":dm:on", "on", say(text.Say("Send me my rack")), bot.Ordinary),
		button(setAction+":dm:off", "off", say(text.Say("Don't send it")), bot.Ordinary),
	))
	if !p.Admin {
		return blocks
	}
	here := a.homeRequest(m, p, "home")
	here.Args["for"] = "server"
	blocks = append(blocks, slack.NewHeaderBlock(plainText(say(text.Say("What tables here begin with")), 150)))
	blocks = append(blocks, a.names.sections(a.Host.Handle(ctx, here).Text)...)
	settings, _ := a.Host.Commands().Find("settings")
	for _, o := range settings.Options {
		if !o.Place {
			continue
		}
		choices := o.Choices
		if len(choices) == 0 {
			choices = a.Host.Complete(ctx, here, o.Name)
		}
		if list := options(bot.ChoicesIn(to, choices)); len(list) > 0 {
			s := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText(say(text.Say("Choose")), maxPlaceholder), setAction+":"+o.Name, list...)
			blocks = append(blocks, slack.NewSectionBlock(plainText(label(o.Name, o.NameIn(to))+": "+say(text.Known(o.Help)), maxSection), nil, slack.NewAccessory(s)))
		}
	}
	return blocks
}

// tongue is the language of somebody in private.
func (a *Adapter) tongue(ctx context.Context, m member) *text.Tongue {
	return a.Host.TongueFor(ctx, bot.Request{
		Channel: place{home: m.home, channel: "home"}.id(), User: bot.User{ID: m.player()}, Home: homeID(m.home), Locale: a.reads(ctx, m),
	})
}

// homeRequest is a request of somebody's about their settings or, with the
// option "for", about the workspace's.
func (a *Adapter) homeRequest(m member, p profile, id string) bot.Request {
	return bot.Request{
		ID: id, Channel: place{home: m.home, channel: "home"}.id(), User: bot.User{ID: m.player(), Name: cmp.Or(p.Name, m.id)}, Home: homeID(m.home),
		Command: "settings", Args: map[string]string{}, Manager: p.Admin, Zone: p.Zone, Locale: p.Locale,
	}
}

// set carries out what was chosen on the home page: for oneself, or for the
// workspace, which the host lets admins do.
func (a *Adapter) set(ctx context.Context, m member, act action, i *interaction) {
	_, what, _ := strings.Cut(act.ActionID, ":")
	what, _, _ = strings.Cut(what, ":")
	p, err := a.profile(ctx, m)
	if err != nil {
		a.Log.Warn("can't ask who is an admin", "user", m.id, "error", err)
	}
	req := a.homeRequest(m, p, requestID(i.pressID()))
	if what == "dm" {
		req.Args["dm"] = act.Value
	} else {
		req.Args["for"], req.Args[what] = "server", act.Selected.Value
	}
	if r := a.Host.Handle(ctx, req); r.Refused {
		a.Log.Warn("a setting of the home page was refused", "home", m.home, "setting", what)
	}
	if err := a.publishHome(ctx, m); err != nil {
		a.Log.Warn("can't show a home page", "user", m.id, "error", err)
	}
}

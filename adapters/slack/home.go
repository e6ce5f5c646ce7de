package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
)

// This file has the home page: a person's games, whose turn it is, their racks,
// their settings, and for admins what tables begin with. It is the one private
// place that Slack keeps.

// The shelves of Slack's notes that pages need.
const (
	homesShelf    = "homes"    // by player: has opened their page, so it is kept up to date
	defaultsShelf = "defaults" // by home: a map from options of /new to values, in JSON
)

const setAction = "set" // followed by the option; of "dm", and of /new's

// mostGames is how many games a page shows: a view takes 100 blocks.
const mostGames = 10

func (a *Adapter) homeOpened(ctx context.Context, m member) {
	if err := a.Notes.Put(ctx, homesShelf, string(m.player()), []byte{1}); err != nil {
		a.Log.Error("can't note an open home page", "error", err)
	}
	if err := a.publishHome(ctx, m); err != nil {
		a.Log.Warn("can't show a home page", "user", m.id, "error", err)
	}
}

// refreshHome brings a person's page up to date, if they ever opened it.
func (a *Adapter) refreshHome(ctx context.Context, m member) {
	opened, err := a.Notes.Get(ctx, homesShelf, string(m.player()))
	if err == nil && opened != nil {
		err = a.publishHome(ctx, m)
	}
	if err != nil {
		a.Log.Warn("can't bring a home page up to date", "user", m.id, "error", err)
	}
}

func (a *Adapter) publishHome(ctx context.Context, m member) error {
	api, err := a.client(ctx, m.home)
	if err != nil {
		return err
	}
	games, err := a.Host.Games(ctx, m.player())
	if err != nil {
		return err
	}
	blocks := []slack.Block{slack.NewHeaderBlock(plainText("Your games", 150))}
	if len(games) == 0 {
		blocks = append(blocks, a.names.sections(bot.Text{
			{Text: "You are in no game. In a channel, "}, {Text: "/new", Code: true}, {Text: " opens a table, and "},
			{Text: "/" + umbrella, Code: true}, {Text: " shows everything that you can do."},
		})...)
	}
	for _, g := range games[:min(len(games), mostGames)] {
		blocks = append(blocks, a.gameBlocks(ctx, m, g)...)
	}
	if more := len(games) - mostGames; more > 0 {
		blocks = append(blocks, a.names.sections(bot.Text{{Text: fmt.Sprintf("And %d more.", more)}})...)
	}
	blocks = append(blocks, slack.NewDividerBlock())
	blocks = append(blocks, a.settingBlocks(ctx, m)...)
	_, err = api.PublishViewContext(ctx, slack.PublishViewContextRequest{
		UserID: m.id, View: slack.HomeTabViewRequest{Type: slack.VTHomeTab, CallbackID: "home", Blocks: slack.Blocks{BlockSet: blocks}},
	})
	return err
}

// gameBlocks are at most seven.
func (a *Adapter) gameBlocks(ctx context.Context, m member, g bot.Game) []slack.Block {
	where := ""
	if at, err := placeOf(g.Channel); err == nil {
		where = "<#" + escape(at.channel) + ">"
	}
	if g.Turn {
		where += " · *your turn*"
	}
	blocks := []slack.Block{slack.NewDividerBlock(), slack.NewSectionBlock(markdown(where+"\n"+a.names.mrkdwn(g.Text)), nil, nil)}
	return append(blocks, a.names.reply(g.Rack, a.picture(ctx, m.home, g.Rack.Picture))...)
}

// settingBlocks are a person's settings, and for an admin the workspace's.
func (a *Adapter) settingBlocks(ctx context.Context, m member) []slack.Block {
	now := a.Host.Handle(ctx, bot.Request{ID: "home", Channel: place{home: m.home, channel: "home"}.id(), User: bot.User{ID: m.player()}, Command: "settings"})
	blocks := append([]slack.Block{slack.NewHeaderBlock(plainText("Settings", 150))}, a.names.sections(now.Text)...)
	blocks = append(blocks, slack.NewActionBlock("",
		button(setAction+":dm:on", "on", "Send me my rack", bot.Ordinary),
		button(setAction+":dm:off", "off", "Don't send it", bot.Ordinary),
	))
	if _, admin, err := a.profile(ctx, m); err != nil || !admin {
		return blocks
	}
	blocks = append(blocks, slack.NewHeaderBlock(plainText("What tables here begin with", 150)))
	set := a.defaults(ctx, m.home)
	for _, o := range presets() {
		choices := o.Choices
		if len(choices) == 0 {
			choices = a.Host.Complete(ctx, bot.Request{Channel: place{home: m.home, channel: "home"}.id(), Command: "new", Args: map[string]string{}}, o.Name)
		}
		list := options(choices)
		if len(list) == 0 {
			continue
		}
		s := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText("As the host has it", maxPlaceholder), setAction+":"+o.Name, list...)
		for _, choice := range list {
			if choice.Value == set[o.Name] {
				s.InitialOption = choice
			}
		}
		blocks = append(blocks, slack.NewSectionBlock(plainText(capital(o.Name)+": "+o.Help, maxSection), nil, slack.NewAccessory(s)))
	}
	return blocks
}

// presets are the options of /new that an admin can set for a workspace.
func presets() []bot.Option {
	c, _ := bot.FindCommand("new")
	var all []bot.Option
	for _, o := range c.Options {
		if o.Kind == bot.Pick && o.Name != "seats" {
			all = append(all, o)
		}
	}
	return all
}

// set carries out what was chosen on the home page.
func (a *Adapter) set(ctx context.Context, m member, act action, i *interaction) {
	_, what, _ := strings.Cut(act.ActionID, ":")
	what, _, _ = strings.Cut(what, ":")
	if what == "dm" {
		a.Host.Handle(ctx, bot.Request{
			ID: requestID(i.pressID()), Channel: place{home: m.home, channel: "home"}.id(), User: a.user(ctx, m, i.userName()),
			Command: "settings", Args: map[string]string{"dm": act.Value},
		})
	} else if err := a.setDefault(ctx, m, what, act.Selected.Value); err != nil {
		a.Log.Warn("can't set what tables begin with", "home", m.home, "error", err)
	}
	if err := a.publishHome(ctx, m); err != nil {
		a.Log.Warn("can't show a home page", "user", m.id, "error", err)
	}
}

// setDefault sets what tables of a workspace begin with, if an admin asks.
func (a *Adapter) setDefault(ctx context.Context, m member, name, value string) error {
	if _, admin, err := a.profile(ctx, m); err != nil || !admin {
		return fmt.Errorf("%s is no admin (%v)", m.id, err)
	}
	defer a.locks.lock("defaults " + string(m.home))()
	set := a.defaults(ctx, m.home)
	for _, o := range presets() {
		if o.Name == name && value != "" {
			set[name] = value
		}
	}
	b, err := json.Marshal(set)
	if err != nil {
		return err
	}
	return a.Notes.Put(ctx, defaultsShelf, string(m.home), b)
}

// defaults are what the admins of a home have set.
func (a *Adapter) defaults(ctx context.Context, h home) map[string]string {
	set := map[string]string{}
	b, err := a.Notes.Get(ctx, defaultsShelf, string(h))
	if err == nil && b != nil {
		err = json.Unmarshal(b, &set)
	}
	if err != nil {
		a.Log.Error("can't read what tables begin with", "home", h, "error", err)
	}
	return set
}

// withDefaults fills in what a request for a table leaves open.
func (a *Adapter) withDefaults(ctx context.Context, h home, args map[string]string) {
	for name, value := range a.defaults(ctx, h) {
		if args[name] == "" {
			args[name] = value
		}
	}
}

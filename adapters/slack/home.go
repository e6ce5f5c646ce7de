package slack

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// This file implements the home page: a person's games, whose turn it is, their racks,
// their settings, and for admins the defaults of tables. It is the one private place that
// Slack keeps.

// homesShelf stores, by player, when they opened their page or pressed something on it, or
// toldOfHome. The page is kept up to date for a while after that; Slack reports when it is
// opened again.
const homesShelf = "homes"

// toldOfHome marks a person who got the link to their page but hasn't opened it.
const toldOfHome = "told"

const (
	// homeLife limits how long a page is kept up to date after a person used it, and
	// homeNoted sets the precision of that time.
	homeLife  = 30 * time.Minute
	homeNoted = 5 * time.Minute
)

const setAction = "set" // followed by the name of the setting: "dm", or one of a workspace

// mostGames limits the games on a page: a view can have 100 blocks.
const mostGames = 10

// mostBoards limits how many games on a page show their boards; games in which it is the
// person's turn come first.
const mostBoards = 3

// homePages shows people their pages.
type homePages struct {
	*common
	web      *webAPI
	people   *directory
	pictures *gallery
	out      *poster
	coming   sync.Map    // by member: an update of their page is scheduled
	shows    tasks.Locks // by player: no page replaces a newer one
}

// homeAge returns how long ago a person was seen on their page; ok is false if they never
// were.
func (hp *homePages) homeAge(ctx context.Context, m member) (age time.Duration, ok bool, err error) {
	b, err := hp.Notes.Get(ctx, homesShelf, string(m.player()))
	if err != nil || b == nil {
		return 0, false, err
	}
	var at time.Time
	if at.UnmarshalText(b) != nil {
		return homeLife, true, nil // never opened, or by an earlier release, which stored no time
	}
	return hp.Now().Sub(at), true, nil
}

// recordVisit records that a person is on their page.
func (hp *homePages) recordVisit(ctx context.Context, m member) {
	age, known, err := hp.homeAge(ctx, m)
	if err == nil && (!known || age >= homeNoted) {
		err = notes.WriteTime(ctx, hp.Notes, homesShelf, string(m.player()), hp.Now())
	}
	if err != nil {
		hp.Log.Error("can't record an open Home tab", "error", err)
	}
}

func (hp *homePages) handleVisit(ctx context.Context, m member) {
	hp.recordVisit(ctx, m)
	if err := hp.publishHome(ctx, m); err != nil {
		hp.Log.Warn("can't show a home page", "user", m.id, "error", err)
	}
}

// homeGap sets how long changes are collected before pages are updated.
const homeGap = 3 * time.Second

// refreshSoon updates a person's page soon, including other changes until then.
func (hp *homePages) refreshSoon(ctx context.Context, m member) {
	if _, coming := hp.coming.LoadOrStore(m, true); coming {
		return
	}
	hp.work(ctx, func(ctx context.Context) {
		stopped := hp.sleep(ctx, homeGap)
		hp.coming.Delete(m)
		if stopped == nil { // otherwise Slack reports when the page is opened again
			hp.refreshHome(ctx, m)
		}
	})
}

// refreshHome updates a person's page if they may be looking at it.
func (hp *homePages) refreshHome(ctx context.Context, m member) {
	age, known, err := hp.homeAge(ctx, m)
	if err == nil && known && age < homeLife {
		err = hp.publishHome(ctx, m)
	}
	if err != nil {
		hp.Log.Warn("can't bring a home page up to date", "user", m.id, "error", err)
	}
}

// publishHome shows a person their page.
func (hp *homePages) publishHome(ctx context.Context, m member) error {
	defer hp.shows.Lock(string(m.player()))()
	err := hp.publish(ctx, m)
	if isPictureError(err) && hp.pictures.accepts(m.home, byAddress) {
		hp.pictures.refuse(m.home, byAddress, err)
		err = hp.publish(ctx, m)
	}
	return err
}

func (hp *homePages) publish(ctx context.Context, m member) error {
	games, err := hp.Host.Games(ctx, m.player())
	if err != nil {
		return err
	}
	to := hp.people.locale(ctx, m)
	blocks := hp.heading(to, len(games))
	for i, g := range games[:min(len(games), mostGames)] {
		blocks = append(blocks, hp.gameBlocks(ctx, m, g, i < mostBoards && !g.Invited, to)...)
	}
	if more := len(games) - mostGames; more > 0 {
		blocks = append(blocks, hp.names.sections(text.Say("And {n} more.", more).In(to))...)
	}
	return hp.put(ctx, m, append(blocks, slack.NewDividerBlock(), slack.NewActionBlock("", hp.otherButtons(ctx, m, to)...)))
}

// otherButtons returns the page's buttons for things other than games.
func (hp *homePages) otherButtons(ctx context.Context, m member, to *text.Locale) []slack.BlockElement {
	say := func(t text.Text) string { return t.In(to).String() }
	all := []slack.BlockElement{
		button(menuAction, "0", say(text.Say("Games and commands…")), bot.Ordinary),
		button(settingsAction+":me", forMe, say(text.Say("Settings…")), bot.Ordinary),
	}
	p, err := hp.people.profile(ctx, m)
	if err != nil {
		hp.Log.Info("can't look up the admins", "user", m.id, "error", err)
	}
	if p.Admin {
		all = append(all, button(settingsAction+":here", forPlace, say(text.Say("What tables here begin with…")), bot.Ordinary))
	}
	return all
}

// settingsAction opens the settings form, for the person or the workspace.
const (
	settingsAction = "settings"
	settingsID     = "settings"
	forMe          = "me"
	forPlace       = "server"
)

// settings returns the form with a person's settings, or the workspace's. Each choice takes
// effect at once.
func (hp *homePages) settings(ctx context.Context, m member, whose string) slack.ModalViewRequest {
	to := hp.people.locale(ctx, m)
	v := modal(to, text.Say("Settings").In(to).String(), meta{Command: whose}, settingsID)
	if whose == forPlace {
		v.Blocks.BlockSet = hp.placeBlocks(ctx, m, to)
	} else {
		v.Blocks.BlockSet = hp.settingBlocks(ctx, m, to)
	}
	return v
}

// heading returns the top of a page with the given number of games.
func (hp *homePages) heading(to *text.Locale, games int) []slack.Block {
	blocks := []slack.Block{slack.NewHeaderBlock(plainText(text.Say("Your games").In(to).String(), 150))}
	if games > 0 {
		return blocks
	}
	blocks = append(blocks, hp.names.sections(text.Say("You have no games running. In a channel, {new} opens a table, and {all} shows everything you can do. Or play a robot in your direct messages with me:",
		text.Code("/new"), text.Code("/"+umbrella)).In(to))...)
	if robots := hp.robots(to); len(robots) > 0 {
		blocks = append(blocks, slack.NewActionBlock("", robots...))
	}
	return blocks
}

// put shows a person a page.
func (hp *homePages) put(ctx context.Context, m member, blocks []slack.Block) error {
	return hp.web.call(ctx, m.home, func(api *slack.Client) error {
		_, err := api.PublishViewContext(ctx, slack.PublishViewContextRequest{
			UserID: m.id, View: slack.HomeTabViewRequest{Type: slack.VTHomeTab, CallbackID: "home", Blocks: slack.Blocks{BlockSet: blocks}},
		})
		return err
	})
}

// forget empties a forgotten person's page, so that it shows none of their games or
// settings.
func (hp *homePages) forget(ctx context.Context, m member) error {
	seen, err := hp.Notes.Get(ctx, homesShelf, string(m.player()))
	if err != nil || seen == nil {
		return err
	}
	if err := hp.Notes.Put(ctx, homesShelf, string(m.player()), nil); err != nil {
		return err
	}
	defer hp.shows.Lock(string(m.player()))()
	if err := hp.put(ctx, m, hp.heading(hp.Host.LocaleFor(ctx, bot.Request{Home: homeID(m.home)}), 0)); err != nil {
		hp.Log.Warn("can't empty the home page of an erased person", "error", err)
	}
	return nil
}

// robots returns buttons that begin a game against a robot.
func (hp *homePages) robots(to *text.Locale) (all []slack.BlockElement) {
	const most = 3
	c, _ := hp.Host.Commands().Find("new")
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
			all = append(all, button(fmt.Sprintf("%s:%d", soloAction, i), level.Value, text.Say("Play {robot}", text.PlainName(robot)).In(to).String(), style))
		}
	}
	return all
}

// gameBlocks returns at most seven blocks for a game, and its board.
func (hp *homePages) gameBlocks(ctx context.Context, m member, g bot.Game, board bool, to *text.Locale) []slack.Block {
	where := ""
	if at, err := placeOf(g.Channel); err == nil {
		where = "<#" + escape(at.channel) + ">"
		if strings.HasPrefix(at.channel, "D") {
			where = escape(text.Say("Direct messages").In(to).String())
		}
		where += " · <" + hp.out.link(ctx, g.Channel) + "|" + escape(text.Item("open the board").In(to).String()) + ">"
	}
	blocks := []slack.Block{slack.NewDividerBlock(), slack.NewSectionBlock(markdown(where+"\n"+hp.names.mrkdwn(g.Text.In(to))), nil, nil)}
	if board {
		own := hp.out.loadGame(ctx, m, g.Channel, g.Table, to)
		blocks = append(blocks, own.board...)
		g.Rack.Buttons = append(own.moves, g.Rack.Buttons...)
	}
	n := hp.names
	n.to = to
	return append(blocks, n.parts(g.Rack.In(to), "")...)
}

// settingBlocks returns a person's settings.
func (hp *homePages) settingBlocks(ctx context.Context, m member, to *text.Locale) []slack.Block {
	say := func(t text.Text) string { return t.In(to).String() }
	p, err := hp.people.profile(ctx, m)
	if err != nil {
		hp.Log.Info("can't look up the admins", "user", m.id, "error", err)
	}
	now := hp.Host.Handle(ctx, hp.homeRequest(m, p, "home"))
	return append(hp.names.sections(now.Text), slack.NewActionBlock("",
		button(setAction+":dm:on", "on", say(text.Say("Send me my rack")), bot.Ordinary),
		button(setAction+":dm:off", "off", say(text.Say("Don't send it")), bot.Ordinary),
	))
}

// placeBlocks returns the workspace's settings, for an admin.
func (hp *homePages) placeBlocks(ctx context.Context, m member, to *text.Locale) []slack.Block {
	say := func(t text.Text) string { return t.In(to).String() }
	p, err := hp.people.profile(ctx, m)
	if err != nil {
		hp.Log.Info("can't look up the admins", "user", m.id, "error", err)
	}
	here := hp.homeRequest(m, p, "home")
	here.Args["for"] = forPlace
	blocks := []slack.Block{slack.NewHeaderBlock(plainText(say(text.Say("Defaults for tables here")), 150))}
	blocks = append(blocks, hp.names.sections(hp.Host.Handle(ctx, here).Text)...)
	settings, _ := hp.Host.Commands().Find("settings")
	for _, o := range settings.Options {
		if !o.Place || o.Ours {
			continue
		}
		choices := o.Choices
		if len(choices) == 0 {
			choices = hp.Host.Complete(ctx, here, o.Name)
		}
		if list := options(bot.ChoicesIn(to, choices)); len(list) > 0 {
			s := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText(say(text.Say("Choose")), maxPlaceholder), setAction+":"+o.Name, list...)
			blocks = append(blocks, slack.NewSectionBlock(plainText(label(o.Name, o.NameIn(to))+": "+say(text.Known(o.Help)), maxSection), nil, slack.NewAccessory(s)))
		}
	}
	return blocks
}

// homeRequest returns a request about a person's settings, or with the option "for" about
// the workspace's.
func (hp *homePages) homeRequest(m member, p profile, id string) bot.Request {
	return bot.Request{
		ID: id, Channel: place{home: m.home, channel: "home"}.id(), User: bot.User{ID: m.player(), Name: cmp.Or(p.Name, m.id)}, Home: homeID(m.home),
		Command: "settings", Args: map[string]string{}, Manager: p.Admin, Zone: p.Zone, Locale: p.Locale,
	}
}

// set handles a choice on the home page: for the person, or for the workspace, which the
// host only allows admins. The page then shows the new state.
func (hp *homePages) set(ctx context.Context, m member, act action, i *interaction) bot.Reply {
	_, what, _ := strings.Cut(act.ActionID, ":")
	what, _, _ = strings.Cut(what, ":")
	p, err := hp.people.profile(ctx, m)
	if err != nil {
		hp.Log.Warn("can't look up the admins", "user", m.id, "error", err)
	}
	req := hp.homeRequest(m, p, requestID(i.pressID()))
	if what == "dm" {
		req.Args["dm"] = act.Value
	} else {
		req.Args["for"], req.Args[what] = forPlace, act.Selected.Value
	}
	r := hp.Host.Handle(ctx, req)
	if i.View != nil && i.View.Callback == settingsID {
		if r.Refused {
			return r
		}
		v := hp.settings(ctx, m, metaOf(i.View).Command)
		if err := hp.web.call(ctx, m.home, func(api *slack.Client) error {
			_, err := api.UpdateViewContext(ctx, v, "", "", i.View.ID)
			return err
		}); err != nil && !isError(err, "not_found", "view_not_found") {
			hp.Log.Warn("can't show settings", "user", m.id, "error", err)
		}
		return r
	}
	if err := hp.publishHome(ctx, m); err != nil {
		hp.Log.Warn("can't show a home page", "user", m.id, "error", err)
	}
	return r
}

package slack

import (
	"context"
	"runtime/debug"
	"time"
)

// A kind is what sort of thing Slack sends.
type kind string

const (
	commandGiven kind = "slash_commands"
	interacted   kind = "interactive"
	happened     kind = "events_api"
)

// Slack takes an acknowledgment for 3 seconds, and drops a form without one
// ("We had some trouble connecting").
const (
	ackTime  = 2200 * time.Millisecond
	workTime = 2 * time.Minute // for the rest
)

// rateLimited is the type of what Slack sends in an event's place when there
// were too many. https://docs.slack.dev/reference/events/app_rate_limited
const rateLimited = "app_rate_limited"

// receive carries out what Slack sent, and returns what to acknowledge it
// with, at once or within ackTime: nil, or for a filled-in form what becomes of
// the form. The error says that it was no payload. What remains to be done is
// done behind.
func (a *Adapter) receive(ctx context.Context, k kind, raw []byte) (ack any, err error) {
	defer func() {
		if r := recover(); r != nil {
			a.Log.Error("request panicked", "kind", k, "panic", r, "stack", string(debug.Stack()))
			ack, err = nil, nil
		}
	}()
	switch k {
	case commandGiven:
		c, err := parse(raw, func(c *slashCommand) bool { return c.Command != "" && c.User != "" && c.Channel != "" })
		if err != nil {
			return nil, err
		}
		if !a.again(c.Trigger) {
			a.work(ctx, func(ctx context.Context) { a.command(ctx, c) })
		}
	case interacted:
		i, err := parse(raw, func(i *interaction) bool { return i.Type != "" && i.User.ID != "" })
		if err != nil {
			return nil, err
		}
		i.home = a.installedHome(ctx, i)
		switch {
		case i.Type == "view_submission":
			return a.submitted(ctx, i), nil
		case i.Type == "block_actions" && !a.again(i.pressID()):
			a.work(ctx, func(ctx context.Context) { a.pressed(ctx, i) })
		case i.Type == "message_action" && i.Callback == reportID && !a.again(i.Trigger):
			a.work(ctx, func(ctx context.Context) { a.report(ctx, i) })
		case (i.Type == "message_action" || i.Type == "shortcut") && i.Callback == launcherID && !a.again(i.Trigger):
			a.work(ctx, func(ctx context.Context) { a.launchFrom(ctx, i) })
		}
	case happened:
		e, err := parse(raw, func(e *eventCallback) bool { return e.Event.Type != "" || e.Type == rateLimited })
		if err != nil {
			return nil, err
		}
		if e.Type == rateLimited {
			a.Log.Warn("Slack holds back events of a workspace: it has sent too many in an hour", "home", e.home(), "since", time.Unix(e.Minute, 0).UTC())
			return nil, nil
		}
		// One that comes twice, or late, does no harm: it says where to look, or
		// what installation has ended.
		a.work(ctx, func(ctx context.Context) { a.event(ctx, e) })
	}
	return nil, nil
}

// sharedShelf, of Slack's notes, has by channel that several workspaces share
// the home where the app is installed.
const sharedShelf = "shared"

// installedHome is where the app is installed that an interaction came to. A
// press on an answer that only one person sees names their own workspace alone.
func (a *Adapter) installedHome(ctx context.Context, i *interaction) home {
	all := i.homes()
	for n, h := range all {
		installed := a.fixed(h) && a.one.Load() == any(h)
		if !installed {
			_, err := a.vault.get(ctx, h)
			installed = err == nil
		}
		if !installed {
			continue
		}
		if channel := i.place().channel; n < len(all)-1 && channel != "" && i.Team != nil && i.Team.ID != string(h) {
			if err := a.Notes.Put(ctx, sharedShelf, channel, []byte(h)); err != nil {
				a.Log.Error("can't note whose a shared channel is", "channel", channel, "error", err)
			}
		}
		return h
	}
	if b, err := a.Notes.Get(ctx, sharedShelf, i.place().channel); err == nil && b != nil {
		return home(b)
	}
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

// work does something behind the acknowledgment. It is finished while the host
// shuts down.
func (a *Adapter) work(ctx context.Context, do func(context.Context)) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), workTime)
	a.handled.Go(func() {
		defer cancel()
		defer func() {
			if r := recover(); r != nil {
				a.Log.Error("request panicked", "panic", r, "stack", string(debug.Stack()))
			}
		}()
		do(ctx)
	})
}

// again reports whether a request was seen lately: Slack sends one again when
// an acknowledgment got lost. After a restart the host knows it by its id.
func (a *Adapter) again(id string) bool {
	return id != "" && !a.seen.add(id, "")
}

func (a *Adapter) event(ctx context.Context, e *eventCallback) {
	h := e.home()
	if h == "" {
		return
	}
	switch e.Event.Type {
	case "app_home_opened":
		if e.Event.User.ID != "" && (e.Event.Tab == "" || e.Event.Tab == "home") {
			a.homeOpened(ctx, member{h, e.Event.User.ID})
		}
	case "app_mention":
		if e.Event.User.ID != "" && e.Event.Channel != "" && !a.again("mention:"+e.Event.Channel+"/"+e.Event.TS) {
			a.mentioned(ctx, h, e)
		}
	case "user_change":
		// It comes for every change of anybody's profile. Who was deactivated
		// has left; who only left a channel can come back by themselves.
		if e.Event.User.Deleted && e.Event.User.ID != "" {
			a.memberLeft(ctx, member{h, e.Event.User.ID})
		}
	case "app_uninstalled", "tokens_revoked":
		if e.Event.Type == "tokens_revoked" && len(e.Event.Tokens.Bot) == 0 || a.reinstalled(ctx, h, e) {
			return
		}
		a.uninstalled(ctx, h)
	}
}

// memberLeft frees the seats of somebody who left the workspace.
func (a *Adapter) memberLeft(ctx context.Context, who member) {
	if err := a.Host.MemberLeft(ctx, homeID(who.home), who.player()); err != nil {
		a.Log.Error("can't free the seats of who left", "user", who.id, "error", err)
	}
}

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

// An inbox carries out what people do.
type inbox struct {
	*common
	tokens  *tokens
	web     *webAPI
	people  *directory
	out     *outbox
	pages   *homePages
	answers *answers
	seen    cache // requests taken lately
}

func newInbox(c *common, t *tokens, web *webAPI, people *directory, out *outbox, pages *homePages, answers *answers) *inbox {
	return &inbox{common: c, tokens: t, web: web, people: people, out: out, pages: pages, answers: answers, seen: newCache(c.Now, 10*time.Minute)}
}

// receive carries out what Slack sent, and returns what to acknowledge it
// with, at once or within ackTime: nil, or for a filled-in form what becomes of
// the form. The error says that it was no payload. What remains to be done is
// done behind.
func (in *inbox) receive(ctx context.Context, k kind, raw []byte) (ack any, err error) {
	defer func() {
		if r := recover(); r != nil {
			in.Log.Error("request panicked", "kind", k, "panic", r, "stack", string(debug.Stack()))
			ack, err = nil, nil
		}
	}()
	switch k {
	case commandGiven:
		c, err := parse(raw, func(c *slashCommand) bool { return c.Command != "" && c.User != "" && c.Channel != "" })
		if err != nil {
			return nil, err
		}
		if !in.again(c.Trigger) {
			in.work(ctx, func(ctx context.Context) { in.command(ctx, c) })
		}
	case interacted:
		i, err := parse(raw, func(i *interaction) bool { return i.Type != "" && i.User.ID != "" })
		if err != nil {
			return nil, err
		}
		i.home = in.installedHome(ctx, i)
		switch {
		case i.Type == "view_submission":
			return in.submitted(ctx, i), nil
		case i.Type == "block_actions" && !in.again(i.pressID()):
			in.work(ctx, func(ctx context.Context) { in.pressed(ctx, i) })
		case i.Type == "message_action" && i.Callback == reportID && !in.again(i.Trigger):
			in.work(ctx, func(ctx context.Context) { in.report(ctx, i) })
		case (i.Type == "message_action" || i.Type == "shortcut") && i.Callback == launcherID && !in.again(i.Trigger):
			in.work(ctx, func(ctx context.Context) { in.launchFrom(ctx, i) })
		}
	case happened:
		e, err := parse(raw, func(e *eventCallback) bool { return e.Event.Type != "" || e.Type == rateLimited })
		if err != nil {
			return nil, err
		}
		if e.Type == rateLimited {
			in.Log.Warn("Slack holds back events of a workspace: it has sent too many in an hour", "home", e.home(), "since", time.Unix(e.Minute, 0).UTC())
			return nil, nil
		}
		// One that comes twice, or late, does no harm: it says where to look, or
		// what installation has ended.
		in.work(ctx, func(ctx context.Context) { in.event(ctx, e) })
	}
	return nil, nil
}

// sharedShelf, of Slack's notes, has by channel that several workspaces share
// the home where the app is installed.
const sharedShelf = "shared"

// installedHome is where the app is installed that an interaction came to. A
// press on an answer that only one person sees names their own workspace alone.
func (in *inbox) installedHome(ctx context.Context, i *interaction) home {
	all := i.homes()
	for n, h := range all {
		if !in.tokens.installed(ctx, h) {
			continue
		}
		if channel := i.place().channel; n < len(all)-1 && channel != "" && i.Team != nil && i.Team.ID != string(h) {
			if err := in.Notes.Put(ctx, sharedShelf, channel, []byte(h)); err != nil {
				in.Log.Error("can't note whose a shared channel is", "channel", channel, "error", err)
			}
		}
		return h
	}
	if b, err := in.Notes.Get(ctx, sharedShelf, i.place().channel); err == nil && b != nil {
		return home(b)
	}
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

// again reports whether a request was seen lately: Slack sends one again when
// an acknowledgment got lost. After a restart the host knows it by its id.
func (in *inbox) again(id string) bool {
	return id != "" && !in.seen.add(id, "")
}

func (in *inbox) event(ctx context.Context, e *eventCallback) {
	h := e.home()
	if h == "" {
		return
	}
	switch e.Event.Type {
	case "app_home_opened":
		if e.Event.User.ID != "" && (e.Event.Tab == "" || e.Event.Tab == "home") {
			in.pages.homeOpened(ctx, member{h, e.Event.User.ID})
		}
	case "app_mention":
		if e.Event.User.ID != "" && e.Event.Channel != "" && !in.again("mention:"+e.Event.Channel+"/"+e.Event.TS) {
			in.mentioned(ctx, h, e)
		}
	case "user_change":
		// It comes for every change of anybody's profile. Who was deactivated
		// has left; who only left a channel can come back by themselves.
		if e.Event.User.Deleted && e.Event.User.ID != "" {
			in.memberLeft(ctx, member{h, e.Event.User.ID})
		}
	case "app_uninstalled", "tokens_revoked":
		if e.Event.Type == "tokens_revoked" && len(e.Event.Tokens.Bot) == 0 || in.tokens.reinstalled(ctx, h, e) {
			return
		}
		in.tokens.uninstalled(ctx, h)
	}
}

// memberLeft frees the seats of somebody who left the workspace.
func (in *inbox) memberLeft(ctx context.Context, who member) {
	if err := in.Host.MemberLeft(ctx, homeID(who.home), who.player()); err != nil {
		in.Log.Error("can't free the seats of who left", "user", who.id, "error", err)
	}
}

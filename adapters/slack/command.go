package slack

import (
	"context"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// command carries out a slash command, which has been acknowledged.
func (a *Adapter) command(ctx context.Context, c *slashCommand) {
	h := homeOf(c.Enterprise, c.Team, bool(c.Organisation))
	at := place{home: h, channel: c.Channel}
	who := asker{
		member: member{h, c.User}, place: at, trigger: c.Trigger, responseURL: c.ResponseURL, typed: true,
	}
	line := a.names.line(c.Command, withoutNames(unescape(c.Text)))
	if line == "" {
		a.openView(ctx, who, a.launcher(ctx, who, meta{Channel: string(at.id())}))
		return
	}
	a.typed(ctx, who, line, bot.Request{ID: requestID(c.Trigger), Channel: at.id(), User: a.user(ctx, who.member, c.UserName)})
}

// mentioned carries out what somebody typed behind the app's name. It works in
// threads, where slash commands don't.
func (a *Adapter) mentioned(ctx context.Context, h home, e *eventCallback) {
	at := place{home: h, channel: e.Event.Channel, thread: e.Event.Thread}
	who := asker{member: member{h, e.Event.User.ID}, place: at}
	if last, err := a.lastPost(ctx, string(at.id())); err == nil && last.TS == "" {
		at.thread = "" // the thread hangs on a post, or on anything: it is about the channel
	}
	_, line, _ := strings.Cut(withoutNames(unescape(e.Event.Text)), ">")
	if line = a.names.line(umbrella, line); line == "" {
		line = "help"
	}
	a.typed(ctx, who, line, bot.Request{ID: requestID("mention:" + e.Event.Channel + "/" + e.Event.TS), Channel: at.id(), User: a.user(ctx, who.member, "")})
}

// typed carries out a request that has the command and options of a typed line.
func (a *Adapter) typed(ctx context.Context, who asker, line string, req bot.Request) {
	var refusal text.Text
	req.Locale = a.reads(ctx, who.member)
	if req.Command, req.Args, refusal = a.Host.Commands().ParseLine(line, a.Host.TongueFor(ctx, req)); refusal != nil {
		a.answer(ctx, who, bot.Reply{Text: refusal, Refused: true})
		return
	}
	readable(a.Host.Commands(), req)
	a.answer(ctx, who, a.carryOut(ctx, who.member, req))
}

// carryOut hands a request to the host, with the people it names.
func (a *Adapter) carryOut(ctx context.Context, who member, req bot.Request) bot.Reply {
	people, refusal := a.named(ctx, who, req)
	if refusal != nil {
		return bot.Reply{Text: refusal, Refused: true}
	}
	req.People = append(req.People, people...)
	if at, err := placeOf(req.Channel); err == nil {
		a.hope(ctx, at)
	}
	req.Home, req.HomeLocale = homeID(who.home), a.localeOf(ctx, who.home)
	if p, err := a.profile(ctx, who); err == nil {
		req.Manager, req.Zone, req.Locale = p.Admin, p.Zone, p.Locale
	}
	if req.Command == "new" {
		if refused := a.cantInvite(ctx, who, req); refused != nil {
			return bot.Reply{Text: refused, Refused: true}
		}
		if refused := a.uninvited(ctx, who, req.Channel); refused != nil {
			return bot.Reply{Text: refused, Refused: true}
		}
	}
	if req.Aside == nil {
		if at, err := placeOf(req.Channel); err == nil && at.channel != "" && at.thread == "" {
			req.Aside = a.aside(at, req)
		}
	}
	return a.Host.Handle(ctx, req)
}

func requestID(trigger string) string { return Platform + ":" + trigger }

package slack

import (
	"context"
	"regexp"
	"strings"

	"github.com/rackmate/rackmate/bot"
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
	req := bot.Request{ID: requestID(c.Trigger), Channel: at.id(), User: a.user(ctx, who.member, c.UserName)}
	var refused bot.Text
	if req.Command, req.Args, refused = a.Host.Commands().ParseLine(line); refused != nil {
		a.answer(ctx, who, bot.Reply{Text: refused, Refused: true})
		return
	}
	a.answer(ctx, who, a.carryOut(ctx, who.member, req))
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
	req := bot.Request{ID: requestID("mention:" + e.Event.Channel + "/" + e.Event.TS), Channel: at.id(), User: a.user(ctx, who.member, "")}
	var refused bot.Text
	if req.Command, req.Args, refused = a.Host.Commands().ParseLine(line); refused != nil {
		a.answer(ctx, who, bot.Reply{Text: refused, Refused: true})
		return
	}
	a.answer(ctx, who, a.carryOut(ctx, who.member, req))
}

// carryOut hands a request to the host, with the people it names.
func (a *Adapter) carryOut(ctx context.Context, who member, req bot.Request) bot.Reply {
	ids, unknown := named(a.Host.Commands(), req)
	if unknown != "" {
		return bot.Reply{Refused: true, Text: bot.Text{
			{Text: "I can't tell who "}, {Text: unknown, Code: true},
			{Text: " is. Type @ and choose people, one by one, from Slack's list, or use the form: "}, {Text: "/" + umbrella, Code: true}, {Text: "."},
		}}
	}
	for _, id := range ids {
		req.People = append(req.People, a.user(ctx, member{who.home, id}, ""))
	}
	if at, err := placeOf(req.Channel); err == nil {
		a.hope(ctx, at)
	}
	req.Home = homeID(who.home)
	if p, err := a.profile(ctx, who); err == nil {
		req.Manager, req.Zone, req.Locale = p.Admin, p.Zone, p.Locale
	}
	if req.Command == "new" {
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

// withoutNames leaves the id alone of each person in what Slack escaped:
// "<@U1|ann>" becomes "<@U1>". Of a group it leaves the name.
func withoutNames(text string) string {
	return mention.ReplaceAllString(group.ReplaceAllString(text, "$1"), "<@$1>")
}

var group = regexp.MustCompile(`<!subteam\^[A-Z0-9]+(?:\|(@[^>]*))?>`)

var mention = regexp.MustCompile(`<@([UW][A-Z0-9]+)(?:\|[^>]*)?>`)

// named are the people whom a request's options of the kind People name, and
// the first word there that names nobody.
func named(commands bot.Commands, req bot.Request) (ids []string, unknown string) {
	c, _ := commands.Find(req.Command)
	for _, o := range c.Options {
		if o.Kind != bot.People {
			continue
		}
		for _, word := range strings.Fields(req.Args[o.Name]) {
			m := mention.FindStringSubmatch(word)
			if m == nil || m[0] != word {
				return nil, word
			}
			ids = append(ids, m[1])
		}
	}
	return ids, ""
}

package slack

import (
	"context"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// command carries out a slash command, which has been acknowledged.
func (in *inbox) command(ctx context.Context, c *slashCommand) {
	h := c.home()
	at := place{home: h, channel: c.Channel}
	who := asker{
		member: member{h, c.User}, place: at, trigger: c.Trigger, responseURL: c.ResponseURL, typed: true,
	}
	line := in.names.line(c.Command, withoutNames(unescape(c.Text)))
	if line == "" {
		in.answers.openView(ctx, who, in.launcher(ctx, who, meta{Channel: string(at.id())}))
		return
	}
	in.typed(ctx, who, line, bot.Request{ID: requestID(c.Trigger), Channel: at.id(), User: in.people.user(ctx, who.member, c.UserName)})
}

// mentioned carries out what somebody typed behind the app's name. It works in
// threads, where slash commands don't.
func (in *inbox) mentioned(ctx context.Context, h home, e *eventCallback) {
	at := place{home: h, channel: e.Event.Channel, thread: e.Event.Thread}
	who := asker{member: member{h, e.Event.User.ID}, place: at}
	if last, err := in.out.lastPost(ctx, string(at.id())); err == nil && last.TS == "" {
		at.thread = "" // the thread hangs on a post, or on anything: it is about the channel
	}
	_, line, _ := strings.Cut(withoutNames(unescape(e.Event.Text)), ">")
	if line = in.names.line(umbrella, line); line == "" {
		line = "help"
	}
	in.typed(ctx, who, line, bot.Request{ID: requestID("mention:" + e.Event.Channel + "/" + e.Event.TS), Channel: at.id(), User: in.people.user(ctx, who.member, "")})
}

// typed carries out a request that has the command and options of a typed line.
func (in *inbox) typed(ctx context.Context, who asker, line string, req bot.Request) {
	var refusal text.Text
	req.Locale = in.people.reads(ctx, who.member)
	if req.Command, req.Args, refusal = in.Host.Commands().ParseLine(line, in.Host.TongueFor(ctx, req)); refusal != nil {
		in.answer(ctx, who, bot.Reply{Text: refusal, Refused: true})
		return
	}
	readable(in.Host.Commands(), req)
	in.answer(ctx, who, in.carryOut(ctx, who.member, req))
}

// carryOut hands a request to the host, with the people it names.
func (in *inbox) carryOut(ctx context.Context, who member, req bot.Request) bot.Reply {
	people, refusal := in.people.named(ctx, who, req)
	if refusal != nil {
		return bot.Reply{Text: refusal, Refused: true}
	}
	req.People = append(req.People, people...)
	if at, err := placeOf(req.Channel); err == nil {
		in.out.refused.hope(ctx, at)
	}
	req.Home, req.HomeLocale = homeID(who.home), in.people.localeOf(ctx, who.home)
	if p, err := in.people.profile(ctx, who); err == nil {
		req.Manager, req.Zone, req.Locale = p.Admin, p.Zone, p.Locale
	}
	if req.Command == "new" {
		if refused := in.people.cantInvite(ctx, who, req); refused != nil {
			return bot.Reply{Text: refused, Refused: true}
		}
		if refused := in.uninvited(ctx, who, req.Channel); refused != nil {
			return bot.Reply{Text: refused, Refused: true}
		}
	}
	if req.Aside == nil {
		if at, err := placeOf(req.Channel); err == nil && at.channel != "" && at.thread == "" {
			req.Aside = in.out.aside(at, req)
		}
	}
	return in.Host.Handle(ctx, req)
}

func requestID(trigger string) string { return Platform + ":" + trigger }

// uninvited says what to do where no table can be opened, for the app may not
// post there. Where it has never posted it tries with a line to the asker
// alone: asking Slack about the channel would take four more scopes, and could
// be wrong.
func (in *inbox) uninvited(ctx context.Context, who member, ch bot.ChannelID) text.Text {
	at, err := placeOf(ch)
	if err != nil {
		return nil
	}
	last, err := in.out.lastPost(ctx, string(at.id()))
	if err != nil {
		return nil // the post will tell
	}
	if in.people.own(ctx, who, at) {
		return nil
	}
	if blocked, err := in.Notes.Get(ctx, blockedShelf, string(at.id())); err != nil || blocked == nil && last.TS != "" {
		return nil
	}
	err = in.answers.ephemeral(ctx, asker{member: who, place: at}, bot.Reply{Text: text.Say("I'm laying out the table …").In(in.people.tongue(ctx, who))}, "")
	why, closed := obstacle(at, err)
	switch {
	case isError(err, "is_archived"):
		return text.Say("This channel is archived, so I can't post the board here. Please play in another.")
	case !closed:
		return nil
	case !isError(err, "not_in_channel", "channel_not_found"):
		return why
	case strings.HasPrefix(at.channel, "D"):
		return text.Say("I'm not in this conversation, so I can't post the board here. Please play in a channel: type {invite} there, then {new}.", text.Code(inviteMe), text.Code("/new"))
	}
	return text.Say("I'm not in this channel yet, so I can't post the board here. Type {invite}, then {new} again.", text.Code(inviteMe), text.Code("/new"))
}

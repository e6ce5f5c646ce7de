package slack

import (
	"context"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file handles plain text in direct messages with the app, without a slash command or
// a mention.

// said handles a direct message to the app.
func (in *inbox) said(ctx context.Context, h home, e *eventCallback) {
	m := &e.Event
	if m.Bot != "" || m.User.ID == "" || m.Subtype != "" && m.Subtype != "thread_broadcast" {
		return
	}
	if m.ChannelType != "im" && !strings.HasPrefix(m.Channel, "D") {
		return // chat, which is still reported to apps installed with an earlier manifest
	}
	who := asker{member: member{h, m.User.ID}, place: place{home: h, channel: m.Channel, thread: m.Thread}}
	in.saidDirectly(ctx, who, in.names.line(umbrella, withoutNames(unescape(m.Text))), "mention:"+m.Channel+"/"+m.TS)
}

// saidRequest returns a request for a message.
func (in *inbox) saidRequest(ctx context.Context, who asker, id string) bot.Request {
	return bot.Request{ID: requestID(id), Channel: who.place.id(), User: in.people.user(ctx, who.member, "")}
}

// saidDirectly handles a direct message to the app. A single word is played unless it is
// the name of a command; with a square it is played even then.
func (in *inbox) saidDirectly(ctx context.Context, who asker, line, id string) {
	if e, err := in.out.box.Entry(ctx, string(who.place.id())); err == nil && e.Latest.ID == "" {
		who.place.thread = ""
	}
	line = withoutUmbrella(line)
	word, _, _ := strings.Cut(line, " ")
	switch {
	case line == "":
		line = "help"
	case strings.HasPrefix(word, "/"), in.names.known(strings.ToLower(word)) && !(playsCommand(line) && in.plays(ctx, who)):
	case isPlay(line), !strings.Contains(line, " ") && in.plays(ctx, who):
		line = "play " + line
	default:
		r := in.greeter.greeting()
		r.Buttons = in.forms.shortcuts(ctx, who)
		in.answer(ctx, who, r)
		return
	}
	in.typed(ctx, who, line, in.saidRequest(ctx, who, id))
}

// playsCommand reports whether a line that starts with a command's name is a play of that
// word, such as "join 8h". Commands that take squares or times are excluded.
func playsCommand(line string) bool {
	word, _, _ := strings.Cut(strings.ToLower(line), " ")
	return isPlay(line) && word != "remove" && word != "away"
}

// plays reports whether a person has a running game in their direct messages with the app.
func (in *inbox) plays(ctx context.Context, who asker) bool {
	sight, err := in.Host.Sight(ctx, bot.Request{ID: "look", Channel: who.place.id(), User: bot.User{ID: who.member.player()}})
	return err == nil && sight.Own != nil && sight.Phase != "over"
}

// greeting explains what people can do in direct messages.
func (g *greeter) greeting() bot.Reply {
	return bot.Reply{
		Text: text.Lines(
			text.Say("Hi! Here we can play a game, you against one of my robots: type {new}.", text.Code("new robots:"+firstRobot(g.Host.Commands()))),
			text.Say("Then type a word and its square, like {play}, or {rack}, {pass} or {help}. No slash is needed here.", text.Code("horn 8h"), text.Code("rack"), text.Code("pass"), text.Code("help")),
		),
	}
}

package slack

import (
	"context"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file reads what people type to the app itself, without a slash command and without
// the app's name: in their direct messages with it.

// said carries out a direct message to the app.
func (in *inbox) said(ctx context.Context, h home, e *eventCallback) {
	m := &e.Event
	if m.Bot != "" || m.User.ID == "" || m.Subtype != "" && m.Subtype != "thread_broadcast" {
		return
	}
	if m.ChannelType != "im" && !strings.HasPrefix(m.Channel, "D") {
		return // talk among people, which an app installed by an earlier manifest is told of
	}
	who := asker{member: member{h, m.User.ID}, place: place{home: h, channel: m.Channel, thread: m.Thread}}
	in.saidDirectly(ctx, who, in.names.line(umbrella, withoutNames(unescape(m.Text))), "mention:"+m.Channel+"/"+m.TS)
}

// saidRequest is the request of a message.
func (in *inbox) saidRequest(ctx context.Context, who asker, id string) bot.Request {
	return bot.Request{ID: requestID(id), Channel: who.place.id(), User: in.people.user(ctx, who.member, "")}
}

// saidDirectly carries out what somebody writes to the app itself. A word alone is to be
// played, where it isn't the name of a command, and one with a square also where it is.
func (in *inbox) saidDirectly(ctx context.Context, who asker, line, id string) {
	if e, err := in.out.box.Entry(ctx, string(who.place.id())); err == nil && e.Latest.ID == "" {
		who.place.thread = ""
	}
	word, rest, _ := strings.Cut(line, " ")
	if own := strings.ToLower(strings.TrimPrefix(word, "/")); own == umbrella || own == shortUmbrella {
		line = strings.TrimSpace(rest)
		word, _, _ = strings.Cut(line, " ")
	}
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

// playsCommand reports whether a line that begins with a command's name is rather a play of
// that word: "join 8h", which no command reads but those that take squares or times.
func playsCommand(line string) bool {
	word, _, _ := strings.Cut(strings.ToLower(line), " ")
	return isPlay(line) && word != "remove" && word != "away"
}

// plays reports whether somebody plays in their direct messages with the app.
func (in *inbox) plays(ctx context.Context, who asker) bool {
	sight, err := in.Host.Sight(ctx, bot.Request{ID: "look", Channel: who.place.id(), User: bot.User{ID: who.member.player()}})
	return err == nil && sight.Own != nil && sight.Phase != "over"
}

// greeting says what can be done in direct messages.
func (g *greeter) greeting() bot.Reply {
	return bot.Reply{
		Text: text.Lines(
			text.Say("Hi! Here we can play a game, you against one of my robots: type {new}.", text.Code("new robots:"+firstRobot(g.Host.Commands()))),
			text.Say("Then type a word and its square, like {play}, or {rack}, {pass} or {help}. No slash is needed here.", text.Code("horn 8h"), text.Code("rack"), text.Code("pass"), text.Code("help")),
		),
	}
}

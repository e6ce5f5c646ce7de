package slack

import (
	"context"
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file has what people type plainly, without a command of Slack's and without the
// app's name: in their direct messages with the app, where all is meant for it, and in the
// thread of a game, where only what can be nothing else is.

// said carries out a message that names nobody.
func (in *inbox) said(ctx context.Context, h home, e *eventCallback) {
	m := &e.Event
	if m.Bot != "" || m.User.ID == "" || m.Subtype != "" && m.Subtype != "thread_broadcast" {
		return
	}
	who := asker{member: member{h, m.User.ID}, place: place{home: h, channel: m.Channel, thread: m.Thread}}
	line := in.names.line(umbrella, withoutNames(unescape(m.Text)))
	if m.ChannelType == "im" || strings.HasPrefix(m.Channel, "D") {
		in.saidDirectly(ctx, who, line, "mention:"+m.Channel+"/"+m.TS)
		return
	}
	if line = plainly(line); line == "" || m.Thread == "" {
		return
	}
	sight, err := in.Host.Sight(ctx, bot.Request{ID: "look", Channel: who.place.id(), User: bot.User{ID: who.member.player()}})
	if err == nil && sight.Own != nil && sight.Phase != "over" {
		in.typed(ctx, who, line, in.saidRequest(ctx, who, "mention:"+m.Channel+"/"+m.TS))
	}
}

// saidRequest is the request of a message.
func (in *inbox) saidRequest(ctx context.Context, who asker, id string) bot.Request {
	return bot.Request{ID: requestID(id), Channel: who.place.id(), User: in.people.user(ctx, who.member, "")}
}

// saidDirectly carries out what somebody writes to the app itself. A word alone is to be
// played, where it isn't the name of a command.
func (in *inbox) saidDirectly(ctx context.Context, who asker, line, id string) {
	if last, err := in.out.lastPost(ctx, string(who.place.id())); err == nil && last.TS == "" {
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
	case strings.HasPrefix(word, "/"), in.names.known(strings.ToLower(word)):
	case isPlay(line), !strings.Contains(line, " ") && in.plays(ctx, who):
		line = "play " + line
	default:
		in.answer(ctx, who, in.greeting())
		return
	}
	in.typed(ctx, who, line, in.saidRequest(ctx, who, id))
}

// plays reports whether somebody plays in their direct messages with the app.
func (in *inbox) plays(ctx context.Context, who asker) bool {
	sight, err := in.Host.Sight(ctx, bot.Request{ID: "look", Channel: who.place.id(), User: bot.User{ID: who.member.player()}})
	return err == nil && sight.Own != nil && sight.Phase != "over"
}

// plainly is a line of a thread's talk as a command, "" where it may be meant for people.
func plainly(line string) string {
	if isPlay(line) {
		return "play " + line
	}
	words := strings.Fields(strings.ToLower(line))
	switch {
	case len(words) == 1 && slices.Contains([]string{"rack", "board", "unseen", "pass", "challenge"}, words[0]):
		return line
	case len(words) == 2 && words[0] == "exchange" && len(words[1]) <= 7:
		return line
	}
	return ""
}

// greeting says what can be done in direct messages.
func (in *inbox) greeting() bot.Reply {
	return bot.Reply{
		Text: text.Lines(
			text.Say("Hi! Here we can play a game, you against one of my robots: type {new}.", text.Code("new robots:"+firstRobot(in.Host.Commands()))),
			text.Say("Then type a word and its square, like {play}, or {rack}, {pass} or {help}. No slash is needed here.", text.Code("horn 8h"), text.Code("rack"), text.Code("pass"), text.Code("help")),
		),
	}
}

// greetedShelf, of Slack's notes, has by player that they were greeted in their direct
// messages.
const greetedShelf = "greeted"

// greet greets somebody who looks at their direct messages with the app for the first
// time.
func (in *inbox) greet(ctx context.Context, who member) {
	had, err := in.Notes.Get(ctx, greetedShelf, string(who.player()))
	if err != nil || had != nil {
		return
	}
	channel, err := in.people.direct(ctx, who)
	if err == nil {
		err = in.Notes.Put(ctx, greetedShelf, string(who.player()), []byte{1})
	}
	if err == nil {
		n := in.names
		n.to = in.people.tongue(ctx, who)
		r := in.greeting().In(n.to)
		blocks := append(n.reply(r, ""), slack.NewActionBlock("", in.pages.robots(n.to)...))
		err = in.web.call(ctx, who.home, func(api *slack.Client) error {
			_, _, err := api.PostMessageContext(ctx, channel, slack.MsgOptionText(n.fallback(r.Text), false), slack.MsgOptionBlocks(blocks...))
			return err
		})
	}
	if err != nil {
		in.Log.Info("can't greet somebody", "user", who.id, "error", err)
	}
}

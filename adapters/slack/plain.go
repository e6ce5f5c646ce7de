package slack

import (
	"context"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file handles plain text in direct messages with the app, without a slash command or
// a mention.

// handleDirect handles a direct message to the app.
func (in *inbox) handleDirect(ctx context.Context, h home, e *eventCallback) {
	m := &e.Event
	if m.Bot != "" || m.User.ID == "" || m.Subtype != "" && m.Subtype != "thread_broadcast" {
		return
	}
	if m.ChannelType != "im" && !strings.HasPrefix(m.Channel, "D") {
		return // chat, which is still reported to apps installed with an earlier manifest
	}
	who := asker{member: member{h, m.User.ID}, place: place{home: h, channel: m.Channel, thread: m.Thread}}
	in.answerDirect(ctx, who, in.names.line(umbrella, withoutNames(unescape(m.Text))), "mention:"+m.Channel+"/"+m.TS)
}

// directRequest returns a request for a message.
func (in *inbox) directRequest(ctx context.Context, who asker, id string) bot.Request {
	return bot.Request{ID: requestID(id), Channel: who.place.id(), User: in.people.user(ctx, who.member, "")}
}

// answerDirect handles a direct message to the app. A single word is played unless it is
// the name of a command or means something else; with a square it is played even then.
func (in *inbox) answerDirect(ctx context.Context, who asker, line, id string) {
	if e, err := in.out.box.Entry(ctx, string(who.place.id())); err == nil && e.Latest.ID == "" {
		who.place.thread = ""
	}
	line = withoutUmbrella(line)
	word, _, _ := strings.Cut(line, " ")
	plays := in.isPlaying(ctx, who)
	of, means := in.phrases().match(line)
	switch {
	case line == "":
		line = "help"
	case strings.HasPrefix(word, "/"):
	case playsCommand(line) && plays:
		line = "play " + line
	case of == greets, of == thanks, of == wantsGame:
		in.answer(ctx, who, in.chat(ctx, who, of, plays))
		return
	case of.needsGame() && in.isIdle(ctx, who):
		in.answer(ctx, who, bot.Reply{Text: text.Say("We aren't playing here yet."), Buttons: in.forms.firstButtons(ctx, who, tableState{})})
		return
	case of != "":
		line = means
	case in.names.isKnown(strings.ToLower(word)):
	case isPlay(line), !strings.Contains(line, " ") && plays:
		line = "play " + line
	default:
		in.answer(ctx, who, bot.Reply{Text: text.Say("Sorry, I don't understand that. {help} shows what I do.", text.Code("/help")), Buttons: in.forms.firstButtons(ctx, who, in.forms.loadState(ctx, who, meta{}))})
		return
	}
	in.handleTyped(ctx, who, line, in.directRequest(ctx, who, id))
}

// isIdle reports whether a person has no game, here or elsewhere.
func (in *inbox) isIdle(ctx context.Context, who asker) bool {
	return in.forms.loadState(ctx, who, meta{}).phase == ""
}

// chat answers an intent that isn't a command.
func (in *inbox) chat(ctx context.Context, who asker, of intent, plays bool) bot.Reply {
	if of == thanks {
		return bot.Reply{Text: text.Say("You're welcome!")}
	}
	here, r := in.forms.loadState(ctx, who, meta{}), bot.Reply{}
	switch {
	case plays:
		r.Text = text.Sentences(text.Say("We're playing a game here."), here.words)
	case of == greets:
		r = in.greeter.greeting()
	default:
		r.Text = text.Say("Play me here, or other people in a channel: invite me there with {invite}, then type {new}.", text.Code(inviteMe), text.Code("/"+umbrella+" new"))
	}
	r.Buttons = in.forms.firstButtons(ctx, who, here)
	return r
}

// playsCommand reports whether a line that starts with a command's name is a play of that
// word, such as "join 8h". Commands that take squares or times are excluded.
func playsCommand(line string) bool {
	word, _, _ := strings.Cut(strings.ToLower(line), " ")
	return isPlay(line) && word != "remove" && word != "away"
}

// isPlaying reports whether a person has a running game in their direct messages with the app.
func (in *inbox) isPlaying(ctx context.Context, who asker) bool {
	sight, err := in.Host.Sight(ctx, bot.Request{ID: "look", Channel: who.place.id(), User: bot.User{ID: who.member.player()}})
	return err == nil && sight.Own != nil && sight.Phase != "over"
}

// greeting explains what people can do in direct messages.
func (g *greeter) greeting() bot.Reply {
	hi := text.Say("Hi! Here you can play against one of my robots.")
	if g.Minimal {
		return bot.Reply{Text: hi}
	}
	return bot.Reply{Text: text.Lines(
		hi,
		text.Say("Type a word and its square, like {play}, or {rack}, {pass} or {help}.", text.Code("horn 8h"), text.Code("rack"), text.Code("pass"), text.Code("help")),
	)}
}

package slack

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// handleCommand handles a slash command that has been acknowledged.
func (in *inbox) handleCommand(ctx context.Context, c *slashCommand) {
	h := c.home()
	at := place{home: h, channel: c.Channel}
	who := asker{
		member: member{h, c.User}, place: at, trigger: c.Trigger, responseURL: c.ResponseURL, typed: true,
	}
	if in.tokens.isUninstalled(ctx, h) {
		in.answer(ctx, who, in.refuseUninstalled())
		return
	}
	line := in.names.line(c.Command, withoutNames(unescape(c.Text)))
	if strings.HasPrefix(line, "<@") { // a challenge to the person it names
		line = "new " + line
	}
	if line == "" {
		in.answers.openView(ctx, who, in.forms.launcher(ctx, who, meta{Channel: string(at.id())}))
		return
	}
	in.handleTyped(ctx, who, line, bot.Request{ID: requestID(c.Trigger), Channel: at.id(), User: in.people.user(ctx, who.member, c.UserName)})
}

// handleMention handles a message with a mention of the app. It works in threads, where slash
// commands don't.
func (in *inbox) handleMention(ctx context.Context, h home, e *eventCallback) {
	if e.Event.User.ID == "" || e.Event.Channel == "" {
		return
	}
	at := place{home: h, channel: e.Event.Channel, thread: e.Event.Thread}
	who := asker{member: member{h, e.Event.User.ID}, place: at}
	if e, err := in.out.box.Entry(ctx, string(at.id())); err == nil && e.Latest.ID == "" {
		at.thread = "" // the thread doesn't hang on a post of ours, so the command is about the channel
	}
	line, meant := in.commandIn(e.Event.Text)
	if !meant || e.Event.Bot != "" {
		return
	}
	in.handleTyped(ctx, who, line, bot.Request{ID: requestID("mention:" + e.Event.Channel + "/" + e.Event.TS), Channel: at.id(), User: in.people.user(ctx, who.member, "")})
}

// commandIn returns the command in a message that mentions the app, as the host's commands
// are typed: "@Rackmate: /rackmate play horn 8h" returns "play horn 8h", and the mention
// alone "help". If the message only talks about the app, meant is false.
func (in *inbox) commandIn(message string) (line string, meant bool) {
	name, line, _ := strings.Cut(withoutNames(unescape(message)), ">")
	if !strings.HasPrefix(strings.TrimSpace(name), "<@") {
		return "", false
	}
	line = strings.TrimLeft(in.names.line(umbrella, line), ":,.;!? ")
	line = withoutUmbrella(line)
	word, _, _ := strings.Cut(line, " ")
	switch {
	case line == "":
		return "help", true
	case strings.HasPrefix(line, "<@"):
		return "new " + line, true
	case isPlay(line):
		return "play " + line, true
	}
	return line, strings.HasPrefix(word, "/") || in.names.isKnown(strings.ToLower(word))
}

// withoutUmbrella returns a line without the umbrella command that it may start with.
func withoutUmbrella(line string) string {
	word, rest, _ := strings.Cut(line, " ")
	if own := strings.ToLower(strings.TrimPrefix(word, "/")); own == umbrella || own == shortUmbrella {
		return strings.TrimSpace(rest)
	}
	return line
}

// isPlay reports whether a line is a word and a square, as people type a play in plain
// text.
func isPlay(line string) bool {
	word, square := wordAndSquare(line, "")
	return square != "" && strings.Trim(strings.ToLower(word), "?|·()") != "" && !strings.ContainsAny(word, "0123456789:<>/@") && len(strings.Fields(line)) == 2
}

// gameCommands lists the commands about a running game of the person, endedGameCommands those about
// an ended one.
var (
	gameCommands      = slices.Concat(groupings()[0].commands, groupings()[1].commands)
	endedGameCommands = []string{"rematch", "review", "replay", "export"}
)

// placeOfCommand returns the place of a command typed in a channel: the channel, or the thread
// of the person's game, because slash commands can't be typed there.
func (in *inbox) placeOfCommand(ctx context.Context, who member, at place, command string) place {
	switch {
	case at.thread != "":
	case slices.Contains(gameCommands, command):
		return in.threadOfGame(ctx, who, at)
	case slices.Contains(endedGameCommands, command):
		return in.threadOfEnded(ctx, who, at)
	}
	return at
}

// threadOfGame returns the only thread of a channel in which a person plays. If they play in
// the channel itself or in several threads, it returns the channel.
func (in *inbox) threadOfGame(ctx context.Context, who member, at place) place {
	games, err := in.Host.Games(ctx, who.player())
	if err != nil {
		return at
	}
	var threads []place
	for _, g := range games {
		switch p, err := placeOf(g.Channel); {
		case err != nil || g.Invited || p.channelKey() != at.channelKey():
		case p.thread == "":
			return at
		default:
			threads = append(threads, p)
		}
	}
	if len(threads) != 1 {
		return at
	}
	return threads[0]
}

// mostThreads limits how many of a channel's threads are searched for an ended game.
const mostThreads = 20

// threadOfEnded returns the latest thread of a channel in which a game of the person has
// ended. If the channel has a table itself, it returns the channel.
func (in *inbox) threadOfEnded(ctx context.Context, who member, at place) place {
	sight := func(p place) (bot.Sight, error) {
		return in.Host.Sight(ctx, bot.Request{Channel: p.id(), User: bot.User{ID: who.player()}})
	}
	if _, err := sight(at); !errors.Is(err, bot.ErrNoTable) {
		return at
	}
	threads, err := in.out.threads(ctx, at)
	if err != nil {
		in.Log.Error("can't list a channel's threads", "channel", at.id(), "error", err)
	}
	for _, p := range threads[:min(len(threads), mostThreads)] {
		seen, err := sight(p)
		if err == nil && seen.Phase == "over" && slices.ContainsFunc(seen.Players, func(o bot.Player) bool { return o.ID == who.player() }) {
			return p
		}
	}
	return at
}

// handleTyped handles a request with the command and options of a typed line.
func (in *inbox) handleTyped(ctx context.Context, who asker, line string, req bot.Request) {
	var refusal text.Text
	req.Locale = in.people.languageOf(ctx, who.member)
	if req.Command, req.Args, refusal = in.Host.Commands().ParseLine(line, in.Host.LocaleFor(ctx, req)); refusal != nil {
		in.answer(ctx, who, bot.Reply{Text: refusal, Refused: true})
		return
	}
	replaceGroups(in.Host.Commands(), req)
	if at, err := placeOf(req.Channel); err == nil {
		req.Channel = in.placeOfCommand(ctx, who.member, at, req.Command).id()
	}
	r := in.carryOut(ctx, who.member, req)
	if req.Command == "help" && len(req.Args) == 0 {
		r.Buttons = append(r.Buttons, in.forms.shortcuts(ctx, who)...)
	}
	in.answer(ctx, who, r)
}

// carryOut sends a request to the host, with the people it names.
func (in *inbox) carryOut(ctx context.Context, who member, req bot.Request) bot.Reply {
	people, refusal := in.people.resolveNames(ctx, who, req)
	if refusal != nil {
		return bot.Reply{Text: refusal, Refused: true}
	}
	req.People = append(req.People, people...)
	if at, err := placeOf(req.Channel); err == nil {
		in.out.refused.retryPlace(ctx, at)
		if strings.HasPrefix(at.channel, "D") {
			req.Readers = 1
		}
	}
	req.Home, req.HomeLocale = homeID(who.home), in.people.localeOf(ctx, who.home)
	if p, err := in.people.profile(ctx, who); err == nil {
		req.Manager, req.Zone, req.Locale = p.Admin, p.Zone, p.Locale
	}
	if req.Command == "new" {
		if refused := in.people.cantInvite(ctx, who, req); refused != nil {
			return bot.Reply{Text: refused, Refused: true}
		}
		if refused := in.explainUninvited(ctx, who, req.Channel); refused != nil {
			return bot.Reply{Text: refused, Refused: true}
		}
	}
	if req.Aside == nil {
		if at, err := placeOf(req.Channel); err == nil && at.channel != "" && at.thread == "" {
			req.Aside = in.out.openerFor(at, req)
		}
	}
	reply := in.Host.Handle(ctx, req)
	in.out.refused.retryGamesOf(ctx, req.User.ID)
	return reply
}

func requestID(trigger string) string { return Platform + ":" + trigger }

// explainUninvited explains what to do if no table can be opened because the app may not post.
// Where the app has never posted, it tries with a line that only the person sees: querying
// the channel would need four more scopes, and could be wrong.
func (in *inbox) explainUninvited(ctx context.Context, who member, ch bot.ChannelID) text.Text {
	at, err := placeOf(ch)
	if err != nil {
		return nil
	}
	e, err := in.out.box.Entry(ctx, string(at.id()))
	if err != nil {
		return nil // the post will show it
	}
	if in.people.isOwnDM(ctx, who, at) {
		return nil
	}
	if _, blocked, err := in.out.refused.Since(ctx, string(at.id())); err != nil || !blocked && e.Latest.ID != "" {
		return nil
	}
	n := in.names.in(at)
	err = in.answers.ephemeral(ctx, asker{member: who, place: at}, n, bot.Reply{Text: text.Say("Everybody here sees the board, and only you see your rack.").In(in.people.locale(ctx, who))}, "")
	why, closed := obstacle(at, err)
	switch {
	case isError(err, "is_archived"):
		return text.Say("This channel is archived, so I can't post the board here. Please play in another one.")
	case !closed:
		return nil
	case !isError(err, "not_in_channel", "channel_not_found"):
		return why
	case strings.HasPrefix(at.channel, "D"):
		return text.Say("I'm not in this conversation, so I can't post the board here. Please play in a channel: type {invite} there, then {new}.", text.Code(inviteMe), text.Code("/new"))
	}
	return text.Say("I'm not in this channel yet, so I can't post the board here. Type {invite}, then {new} again.", text.Code(inviteMe), text.Code("/new"))
}

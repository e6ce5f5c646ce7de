package discord

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/adapters/outbox"
	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// An inbox handles interactions: commands, buttons, forms.
type inbox struct {
	*common
	composer composer
	directs  *dmChannels
	visits   *visits
	refusals *refusals
	threads  threads
	chats    *chats
	servers  *servers
	launches launches
	box      *outbox.Outbox
	handled  tasks.Tasks // running interactions and other events
}

// handle handles an interaction. It recovers from panics, which would end the program or
// the connection.
func (in *inbox) handle(ctx context.Context, i *interaction, first responder) {
	log := in.Log.With("interaction", i.ID, "channel", i.Channel)
	defer func() {
		if r := recover(); r != nil {
			log.Error("interaction panicked", "panic", r, "stack", string(debug.Stack()))
		}
	}()
	// Running interactions are finished while the host shuts down.
	working := context.WithoutCancel(ctx)
	if id, ok := userID(i.author().ID); ok && i.Type != completionAsked {
		in.directs.reopen(working, id)
	}
	switch err := in.dispatch(ctx, i, first); {
	case isBanned(err):
		log.Debug("can't answer", "error", err) // reported once
	case err != nil:
		log.Warn("can't answer", "error", err)
	}
}

func (in *inbox) dispatch(ctx context.Context, i *interaction, first responder) error {
	if i.Type == ping {
		return first(ctx, response{Type: pong})
	}
	i.unmark(in.mark)
	if i.In.Type.isThread() && in.box.HasThread(ctx, string(i.In.Parent), string(i.Channel)) {
		// The thread of a board is about its channel's game.
		i.Channel, i.In.Type, i.In.Parent, i.In.Latest = i.In.Parent, textChannel, "", ""
	}
	if i.Type == commandGiven && i.Data.Type == entryPoint {
		return in.launch(ctx, i, first)
	}
	if why := in.readTyped(context.WithoutCancel(ctx), i); why != nil {
		return first(ctx, in.immediate(ctx, i, in.refusal(ctx, i, why), false))
	}
	req, ok := i.request(in.Host.Commands())
	switch {
	case i.Type == completionAsked:
		return first(ctx, response{Type: completions, Data: map[string][]Choice{"choices": in.complete(ctx, i, req)}})
	case !ok || !in.Host.Commands().Knows(req):
		return first(ctx, in.immediate(ctx, i, in.refusal(ctx, i, i.explainUnknown()), false))
	}
	if ticksTiles(req.Command, req.Args) && (i.Type == commandGiven || i.Type == componentUsed) {
		if f, ok := in.exchangeForm(context.WithoutCancel(ctx), i, req); ok {
			return first(ctx, response{Type: openForm, Data: f})
		}
	}
	if i.Type == componentUsed && in.isBystander(context.WithoutCancel(ctx), req) {
		req.Command, req.Args = "rack", nil // its answer explains that they have no seat
	}
	if ask := in.Host.Commands().Asks(req); i.Type == componentUsed && len(ask) > 0 {
		c, _ := in.Host.Commands().Find(req.Command)
		return first(ctx, response{Type: openForm, Data: askForm(in.locale(ctx, i), in.mark.On(i.Data.CustomID), c, ask)})
	}
	in.recordUse(context.WithoutCancel(ctx), i)
	if why := i.cantInvite(req); why != nil {
		return first(ctx, in.immediate(ctx, i, in.refusal(ctx, i, why), false))
	}
	lacking := i.findLack(req.Args)
	if lacking != nil && req.Command == "new" {
		return first(ctx, in.immediate(ctx, i, in.refusal(ctx, i, lacking.sentence()), false))
	}
	switch {
	case i.opensForm(req):
		return first(ctx, response{Type: openForm, Data: in.openingForm(ctx, i, req)})
	case in.hasActivity() && i.playsOnBoard(req):
		err := in.openFrame(ctx, i, req.Table, first)
		if !isLastingRefusal(err) {
			return err
		}
		in.Log.Info("Discord doesn't open the Activity here; answering with a link", "channel", i.Channel, "error", err)
	case i.Type == formSubmitted && wantsMore(req):
		return first(ctx, in.immediate(ctx, i, in.answerFirstForm(ctx, i, req), false))
	}
	return in.answer(ctx, i, first, func(ctx context.Context) bot.Reply { return in.carryOut(ctx, i, req, lacking) })
}

// isBystander reports whether a request is for playing a word at a table where the person has
// no seat, so that they get an answer instead of a form.
func (in *inbox) isBystander(ctx context.Context, req bot.Request) bool {
	if req.Command != "play" && req.Command != "try" {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	sight, err := in.Host.Sight(ctx, bot.Request{ID: "look", Channel: req.Channel, Table: req.Table, User: req.User})
	return err == nil && sight.Own == nil && sight.Phase == "playing"
}

// carryOut lets the host handle a request, and explains why its thread couldn't be opened, or
// which permissions the bot lacks there.
func (in *inbox) carryOut(ctx context.Context, i *interaction, req bot.Request, lacking *missingRight) bot.Reply {
	var unopened *noThread
	if open := in.threads.openerFor(i); open != nil {
		req.Aside = func(ctx context.Context, title string) (ch bot.ChannelID, err error) {
			ch, err = open(ctx, title)
			errors.As(err, &unopened)
			return ch, err
		}
	}
	if i.place() == inGuild && !i.isVisit() {
		in.refusals.note(i, i.findLack(nil))
	}
	reply := in.Host.Handle(context.WithoutCancel(ctx), req)
	in.refusals.retryGamesOf(context.WithoutCancel(ctx), req.User.ID)
	if unopened != nil { // the host can't explain it, but Discord's error can
		return in.refusal(ctx, i, unopened.sentence())
	}
	if lacking != nil && !reply.Refused && req.Command != "help" && (req.Command != "board" || lacking.hushed) {
		reply.Text = text.Lines(reply.Text, lacking.sentence().In(in.locale(ctx, i)))
	}
	return reply
}

// playsOnBoard reports whether the interaction is a press of the button that opens a game's board,
// which the Activity shows.
func (i *interaction) playsOnBoard(req bot.Request) bool {
	return i.Type == componentUsed && req.Command == "board" && req.Args["page"] != ""
}

// recordUse records that a person uses the bot in a channel, and retries the posts waiting
// there: the bot's permissions may have changed.
func (in *inbox) recordUse(ctx context.Context, i *interaction) {
	if err := in.visits.note(ctx, i); err != nil {
		in.Log.Error("can't record a visit; its posts may not arrive", "channel", i.Channel, "error", err)
	}
	if err := in.servers.recordUse(ctx, i); err != nil {
		in.Log.Error("can't record a server of the bot", "guild", i.Guild, "error", err)
	}
	in.refusals.retryChannel(ctx, i.Channel)
	in.chats.note(i.Channel, i.In.Latest)
}

// explainUnknown explains why an interaction is unknown.
func (i *interaction) explainUnknown() text.Text {
	switch {
	case i.Type == commandGiven && i.Data.Type == messageCommand:
		return text.Say("That message has no play to challenge now. Choose my latest message about the game.")
	case i.Type == commandGiven:
		return text.Say("That command no longer exists. Type / to see the current ones.")
	case i.foreign:
		return text.Say("That button is for a game that isn't stored here. {games} shows the games I have for you.", text.Code("/games"))
	}
	return text.Say("That button is from an older version and no longer works. {board} shows the game as it is now.", text.Code("/board"))
}

// refusal returns a refusal in the person's language.
func (in *inbox) refusal(ctx context.Context, i *interaction, why text.Text) bot.Reply {
	return bot.Reply{Text: why.In(in.locale(ctx, i)), Refused: true}
}

// locale returns the language of the person who caused an interaction.
func (in *inbox) locale(ctx context.Context, i *interaction) *text.Locale {
	req, _ := i.request(in.Host.Commands())
	return in.Host.LocaleFor(ctx, req)
}

// completionTime is the host's time limit for completions. Discord's client waits for 3
// seconds, and by then the person has typed on.
const completionTime = 2 * time.Second

// mostSuggestions limits the suggestions for an option.
const mostSuggestions = 25

// complete returns suggestions for the option being typed, as many as Discord takes.
func (in *inbox) complete(ctx context.Context, i *interaction, req bot.Request) []Choice {
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	var all []bot.Choice
	if option := i.focusedOption(); option == moreOption || i.Data.Name == typeCommand {
		all = in.completeTyped(ctx, i, req)
	} else {
		all = in.completeOption(ctx, req, option)
	}
	choices := []Choice{}
	for _, c := range all {
		if c.Value != "" && len([]rune(c.Value)) <= maxOption && len(choices) < mostSuggestions {
			choices = append(choices, Choice{Name: cut(c.Label.String(), maxOption), Value: c.Value})
		}
	}
	return choices
}

// completeOption suggests values of an option.
func (in *inbox) completeOption(ctx context.Context, req bot.Request, option string) (all []bot.Choice) {
	if req.Command == "" || option == "" {
		return nil
	}
	c, _ := in.Host.Commands().Find(req.Command)
	k := slices.IndexFunc(c.Options, func(o bot.Option) bool { return slices.Contains(optionNames(o), option) })
	if k < 0 {
		return nil
	}
	typed := req.Args[option]
	if takesWordAndSquare(c, c.Options[k]) {
		square := nameOf(c, bot.Square)
		word, at, _ := strings.Cut(strings.TrimSpace(typed), " ")
		req.Args = maps.Clone(req.Args)
		req.Args[option], req.Args[square] = word, strings.TrimSpace(at)
		for _, spot := range in.Host.Complete(ctx, req, square) {
			all = append(all, bot.Choice{Value: word + " " + spot.Value, Label: text.Glue(strings.ToUpper(word), " ", spot.Label)})
		}
	} else {
		all = in.Host.Complete(ctx, req, option)
	}
	word := req.Args[nameOf(c, bot.Word)]
	if square := nameOf(c, bot.Square); len(all) == 0 && square != "" && len([]rune(word)) > 1 && ctx.Err() == nil {
		nowhere := text.Say("{word} has no place there now, with your tiles", strings.ToUpper(text.Shorten(word, bot.MaxName)))
		all = []bot.Choice{{Value: cmp.Or(typed, word), Label: nowhere.In(in.Host.LocaleFor(ctx, req))}}
	}
	return all
}

// nameOf returns the name of a command's first option of a kind, or "" if there is none.
func nameOf(c bot.Command, k bot.Kind) string {
	if i := slices.IndexFunc(c.Options, func(o bot.Option) bool { return o.Kind == k }); i >= 0 {
		return c.Options[i].Name
	}
	return ""
}

// receive handles an interaction from the gateway.
func (in *inbox) receive(ctx context.Context, raw []byte) {
	i, err := parseInteraction(raw)
	if err != nil {
		in.Log.Warn("interaction not understood", "error", err)
		return
	}
	in.handle(ctx, i, in.callback(i))
}

package discord

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// handle carries out an interaction. It never panics, for that would take the
// whole program, or the connection, down with it.
func (a *Adapter) handle(ctx context.Context, i *interaction, first responder) {
	log := a.Log.With("interaction", i.ID, "channel", i.Channel)
	defer func() {
		if r := recover(); r != nil {
			log.Error("interaction panicked", "panic", r, "stack", string(debug.Stack()))
		}
	}()
	// What is under way is finished while the host shuts down.
	working := context.WithoutCancel(ctx)
	if id, ok := userID(i.who().ID); ok && i.Type != completionAsked {
		a.directIsOpen(working, id)
	}
	if err := a.dispatch(ctx, i, first); err != nil {
		log.Warn("can't answer", "error", err)
	}
}

func (a *Adapter) dispatch(ctx context.Context, i *interaction, first responder) error {
	if i.Type == ping {
		return first(ctx, response{Type: pong})
	}
	i.unmark(a.mark)
	if i.Type == commandGiven && i.Data.Type == entryPoint {
		return a.launch(ctx, i, first)
	}
	req, ok := i.request(a.Host.Commands())
	switch {
	case i.Type == completionAsked:
		return first(ctx, response{Type: completions, Data: map[string][]Choice{"choices": a.complete(ctx, req, i.focused())}})
	case !ok || !a.Host.Commands().Knows(req):
		return first(ctx, a.immediate(a.refusal(ctx, i, i.unknown()), false))
	}
	if ask := a.Host.Commands().Asks(req); i.Type == componentUsed && len(ask) > 0 {
		c, _ := a.Host.Commands().Find(req.Command)
		return first(ctx, response{Type: openForm, Data: asking(a.tongue(ctx, i), a.mark.On(i.Data.CustomID), c, ask)})
	}
	a.arrive(context.WithoutCancel(ctx), i)
	if why := i.cantInvite(req); why != nil {
		return first(ctx, a.immediate(a.refusal(ctx, i, why), false))
	}
	lacking := i.lacking(req.Args)
	if lacking != nil && req.Command == "new" {
		return first(ctx, a.immediate(a.refusal(ctx, i, lacking.sentence()), false))
	}
	return a.answer(ctx, i, first, func(ctx context.Context) bot.Reply {
		var unopened *noThread
		if open := a.aside(i); open != nil {
			req.Aside = func(ctx context.Context, title string) (ch bot.ChannelID, err error) {
				ch, err = open(ctx, title)
				errors.As(err, &unopened)
				return ch, err
			}
		}
		reply := a.Host.Handle(context.WithoutCancel(ctx), req)
		if unopened != nil { // for the host that is any failure; here it has a remedy
			return a.refusal(ctx, i, unopened.sentence())
		}
		if lacking != nil && !reply.Refused && req.Command != "help" {
			reply.Text = text.Lines(reply.Text, lacking.sentence().In(a.tongue(ctx, i)))
		}
		return reply
	})
}

// arrive notes where somebody does something, and tries again what couldn't be posted
// there: the bot's permissions may have changed.
func (a *Adapter) arrive(ctx context.Context, i *interaction) {
	if err := a.noteVisit(ctx, i); err != nil {
		a.Log.Error("can't note a visit; what it brings about may not be posted", "channel", i.Channel, "error", err)
	}
	a.hope(ctx, i.Channel)
}

// unknown says why an interaction means nothing to us.
func (i *interaction) unknown() text.Text {
	switch {
	case i.Type == commandGiven && i.Data.Type == messageCommand:
		return text.Say("That message shows no play that can be challenged now. Choose my latest message about the game.")
	case i.Type == commandGiven:
		return text.Say("I don't know that command any more. Type / to see what there is now.")
	case i.strange:
		return text.Say("That button is of a Rackmate that kept its games somewhere else, and I don't have them. {games} shows those that I have of yours.", text.Code("/games"))
	}
	return text.Say("That button is from an earlier version, and I can't read it. {board} shows the game as it is now.", text.Code("/board"))
}

// refusal refuses something in the language of whoever asked.
func (a *Adapter) refusal(ctx context.Context, i *interaction, why text.Text) bot.Reply {
	return bot.Reply{Text: why.In(a.tongue(ctx, i)), Refused: true}
}

// tongue is the language of whoever an interaction comes from.
func (a *Adapter) tongue(ctx context.Context, i *interaction) *text.Tongue {
	req, _ := i.request(a.Host.Commands())
	return a.Host.TongueFor(ctx, req)
}

// completionTime is how long the host may think about what could be meant.
// Discord's client waits for 3 seconds, and the person has typed on by then.
const completionTime = 2 * time.Second

// complete is what could be meant by the option being typed.
func (a *Adapter) complete(ctx context.Context, req bot.Request, option string) []Choice {
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	choices := []Choice{}
	if req.Command == "" || option == "" {
		return choices
	}
	const most = 25
	for _, c := range a.Host.Complete(ctx, req, option) {
		if c.Value != "" && len([]rune(c.Value)) <= maxOption && len(choices) < most {
			choices = append(choices, Choice{Name: cut(c.Label.String(), maxOption), Value: c.Value})
		}
	}
	return choices
}

// receive carries out an interaction that came by the gateway.
func (a *Adapter) receive(ctx context.Context, raw []byte) {
	i, err := parseInteraction(raw)
	if err != nil {
		a.Log.Warn("interaction not understood", "error", err)
		return
	}
	a.handle(ctx, i, a.callback(i))
}

package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/limit"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
)

// commands carries out commands.
type commands struct{ *desk }

// command finds a command by its name or a former one.
func (h *commands) command(name string) (feature.Command, bool) {
	i := slices.IndexFunc(h.handlers, func(c feature.Command) bool { return c.Called(name) })
	if i < 0 {
		return feature.Command{}, false
	}
	return h.handlers[i], true
}

// A trace logs the caller's stack, which it takes only when the log line is written.
type trace struct{}

func (trace) LogValue() slog.Value { return slog.StringValue(string(debug.Stack())) }

// Handle carries out a request. It always answers: errors become a message for the person, and a
// log line for the operator.
func (h *commands) Handle(ctx context.Context, req bot.Request) (reply bot.Reply) {
	began, name, result := h.Now(), "unknown", bot.Done
	log := h.Log().With("request", req.Reference(), "channel", req.Channel, "user", req.User.ID, "command", req.Command)
	c, known := h.command(req.Command)
	if known {
		name, req.Command = c.Name, c.Name
	}
	busy := h.count(ctx, askerOf(req), func(ctx context.Context) {
		defer func() {
			if r := recover(); r != nil {
				log.Error("command panicked", "panic", r, "stack", trace{})
				reply, result = words.Sorry(req).In(h.LocaleFor(ctx, req)), bot.Failed
			}
		}()
		if known {
			reply, result = h.carryOut(ctx, c, req, log)
		} else {
			reply = words.Refuse(bot.UnknownCommand(req.Command))
		}
		reply = reply.In(h.LocaleFor(ctx, req)) // translating draws the picture
	})
	if busy != nil {
		reply = words.Refuse(sayBusy(busy)).In(h.LocaleFor(ctx, req))
	}
	if result == bot.Done && reply.Refused {
		result = bot.Refused
	}
	took := h.Now().Sub(began)
	log.Info("command", "result", result, "took", took)
	h.Observer.Command(name, result, took)
	return reply
}

// askerOf returns the requester, who is charged for the request.
func askerOf(req bot.Request) bot.Asker {
	return bot.Asker{Person: req.User.ID}
}

// carryOut carries out a command.
func (h *commands) carryOut(ctx context.Context, c feature.Command, req bot.Request, log *slog.Logger) (bot.Reply, bot.Result) {
	req = input.Tidy(req)
	req.Args = c.Parted(req.Args)
	if i := slices.IndexFunc(c.Options, func(o bot.Option) bool { return o.Required && req.Args[o.Name] == "" }); i >= 0 {
		return words.Refuse(bot.Missing(c.Command, c.Options[i])), bot.Done
	}
	ctx = bot.ReadTogether(ctx, "/"+c.Name, string(req.User.ID), string(req.Channel), req.Home, tableName(req.Table))
	req, note, err := h.prepare(ctx, c, req)
	var reply bot.Reply
	if err == nil {
		reply, err = c.Run(ctx, req)
	}
	var own *words.Refusal
	if errors.As(err, &own) {
		reply, err = own.Reply, nil
	}
	switch {
	case err == nil:
		if len(note) > 0 {
			reply.Text = text.Lines(reply.Text, note)
		}
		return reply, bot.Done
	case ctx.Err() != nil:
		// The person left, or the host stops. If the request is repeated, it gets the answer to
		// whatever was done.
		log.Info("command abandoned", "error", context.Cause(ctx))
		return words.Refuse(text.Say("That was interrupted before I could answer. Please try again.")), bot.Later
	}
	if errors.Is(err, bot.ErrBusy) {
		log.Warn("command waited too long", "error", err)
		return words.Refuse(sayBusy(&limit.Busy{Owner: limit.Host, Wait: 10 * time.Second})), bot.Later
	}
	log.Error("command failed", "error", err)
	return words.Sorry(req), bot.Failed
}

// prepare shows a request to the features, and returns it moved to the channel of its game and
// made by the identity that sits there. note is what the features add to the reply. The error
// may be a *words.Refusal.
func (h *commands) prepare(ctx context.Context, c feature.Command, req bot.Request) (_ bot.Request, note text.Text, err error) {
	came := req.Channel
	if req.Table != 0 {
		if req, err = h.moveToTable(ctx, req); err != nil {
			return req, nil, err
		}
	}
	if req.Channel == came || req.Home != "" { // a direct message doesn't tell the home of the game's channel
		if err := h.settings.KeepHome(ctx, req, func() string { return h.LocaleFor(ctx, req).Code() }); err != nil {
			return req, nil, err
		}
	}
	for _, f := range h.features {
		if f.Hear == nil {
			continue
		}
		said, err := f.Hear(ctx, req)
		if len(said) > 0 {
			note = text.Sentences(note, said)
		}
		if err != nil {
			return req, note, err
		}
	}
	if c.OfGame && req.Table == 0 {
		for _, f := range h.features {
			if f.Elsewhere == nil {
				continue
			}
			if req, err = f.Elsewhere(ctx, req, c.Fits); err != nil {
				return req, note, err
			}
		}
	}
	if c.OfGame || req.Table != 0 {
		h.followName(ctx, req)
		req, err = h.seatRequest(ctx, req)
	}
	return req, note, err
}

// tableName returns a table's name in keys, or "" if t is 0.
func tableName(t bot.TableID) string {
	if t == 0 {
		return ""
	}
	return t.Name()
}

// number returns a table's number for a key.
func number(t bot.TableID) string { return strconv.FormatUint(uint64(t), 10) }

// moveToTable moves a button's request to the channel of the button's table, since it may have been
// pressed under a direct message. Outside that channel and its parent, only people at the table may
// use it.
func (h *commands) moveToTable(ctx context.Context, req bot.Request) (bot.Request, error) {
	ch, _, err := h.Store.Events(ctx, req.Table, 0)
	if errors.Is(err, bot.ErrNoTable) {
		return req, words.Refusing("That button belongs to a table that is gone. {new} opens another.", text.Code("/new"))
	}
	if err != nil {
		return req, fmt.Errorf("load table %d: %w", req.Table, err)
	}
	if ch != req.Channel {
		t, err := h.Load(ctx, req)
		if err != nil {
			return req, err
		}
		if _, seated := t.SeatOf(req.User.ID); !seated {
			beside, err := h.isBeside(ctx, ch, req.Channel)
			if err != nil {
				return req, err
			}
			if !beside {
				return req, words.Refusing("That button belongs to a table in another channel. Press it there.")
			}
		}
	}
	req.Channel = ch
	return req, nil
}

// isBeside reports whether a place is beside a channel, or both are beside the same one.
func (h *commands) isBeside(ctx context.Context, place, ch bot.ChannelID) (bool, error) {
	beside, err := h.settings.Parent(ctx, place)
	if err != nil || beside == "" {
		return false, err
	}
	open, err := h.settings.OpenChannel(ctx, ch)
	return beside == open, err
}

// Usual asks the settings; see [bot.Host].
func (h *commands) Usual(ctx context.Context, req bot.Request) (map[string]string, error) {
	return h.settings.Usual(ctx, req)
}

// Complete lists possible values for the option being typed, best first, at most 25. req.Args has
// the options typed so far, including that one.
func (h *commands) Complete(ctx context.Context, req bot.Request, option string) (offers []bot.Choice) {
	defer func() {
		if r := recover(); r != nil {
			h.Log().Error("completion panicked", "channel", req.Channel, "command", req.Command, "panic", r, "stack", trace{})
			offers = nil
		}
	}()
	const most = 25
	_ = h.count(ctx, askerOf(req), func(ctx context.Context) {
		to := h.LocaleFor(ctx, req)
		begun := bot.Unaccented(req.Args[option])
		byLabel := h.isCompletedByLabel(req.Command, option)
		for _, c := range h.choices(ctx, req, option) {
			label := byLabel && strings.HasPrefix(bot.Unaccented(c.Label.In(to).String()), begun)
			if (label || strings.HasPrefix(bot.Unaccented(c.Value), begun)) && len(offers) < most {
				offers = append(offers, c)
			}
		}
		offers = bot.ChoicesIn(to, offers)
	})
	return offers // none for people who have used up their share of the host
}

// isCompletedByLabel reports whether an option can be completed from the beginning of a label.
func (h *commands) isCompletedByLabel(command, option string) bool {
	c, _ := h.command(command)
	return slices.ContainsFunc(c.Options, func(o bot.Option) bool { return o.Name == option && (o.ByLabel || len(o.Choices) > 0) })
}

// choices returns all values of an option that can be completed.
func (h *commands) choices(ctx context.Context, req bot.Request, option string) []bot.Choice {
	c, ok := h.command(req.Command)
	switch i := slices.IndexFunc(c.Options, func(o bot.Option) bool { return o.Name == option }); {
	case !ok || i < 0:
		return nil
	case c.Complete[option] != nil:
		return c.Complete[option](ctx, req)
	default:
		return c.Options[i].Choices
	}
}

package play

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// help explains the commands, or one of them. The button More asks for it too,
// and gets what else can be pressed.
func help(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	if strings.EqualFold(req.Args["command"], table.FairDraws) {
		return fairDraws(ctx, h, req)
	}
	if req.Table != 0 {
		return more(ctx, h, req)
	}
	if name := strings.TrimPrefix(strings.ToLower(req.Args["command"]), "/"); name != "" {
		c, ok := h.Commands().Find(name)
		if v := h.Variants.Named(name); !ok && v.Name != "" {
			t := bot.Lines(bot.Say("{variant}.", v.Label), v.Help)
			for _, f := range h.Parts {
				for _, c := range f.Commands {
					if f.Variant != nil && f.Variant.Name == v.Name {
						t = bot.Lines(t, commandLine(c.Command))
					}
				}
			}
			return bot.Reply{Text: t}, nil
		}
		if !ok {
			return words.Refuse(bot.UnknownCommand(name)), nil
		}
		t := bot.Lines(bot.Say("{help}.", bot.Known(c.Help)), bot.Usage(c))
		if c.Example != "/"+c.Name {
			t = bot.Sentences(t, bot.Say("For instance {example}.", bot.Code(c.Example)))
		}
		for _, o := range c.Options {
			t = bot.Glue(t, "\n", bot.Code(o.Name), ": ", bot.Known(o.Help))
			var values []string
			for _, choice := range o.Choices {
				values = append(values, choice.Value)
			}
			if o.Name == "language" {
				for _, l := range h.LanguageChoices() {
					values = append(values, l.Value)
				}
			}
			if o.Name == "lexicon" {
				for _, l := range h.Offered() {
					values = append(values, l.Name())
				}
			}
			if len(values) > 0 {
				t = bot.Glue(t, " (", strings.Join(values, ", "), ")")
			}
		}
		return bot.Reply{Text: t}, nil
	}
	t := bot.Say("What you can do:")
	var ofVariants []string
	for _, f := range h.Parts {
		for _, c := range f.Commands {
			if f.Variant != nil {
				ofVariants = append(ofVariants, c.Name)
			}
		}
	}
	// What there is no room for is named at least.
	const room = bot.MaxText - 300
	var more []bot.Span
	long := t.Len()
	for _, c := range h.Handlers {
		if slices.Contains(ofVariants, c.Name) || c.Ours && h.Platform(req.Channel).Steward == nil {
			continue
		}
		line := commandLine(c.Command)
		if long += 1 + line.Len(); len(more) == 0 && long < room {
			t = bot.Lines(t, line)
		} else {
			more = append(more, bot.Code("/"+c.Name))
		}
	}
	if len(more) > 0 {
		t = bot.Lines(t, bot.Say("And {more}.", bot.List(more)))
	}
	return bot.Reply{Text: bot.Lines(t, bot.Say("{help} tells more of one.", bot.Code("/help play")))}, nil
}

// commandLine is a command and what it does.
func commandLine(c bot.Command) bot.Text {
	return bot.Glue(bot.Code("/"+c.Name), " ", bot.Known(c.Help))
}

// fairDraws explains why nobody can choose the tiles, and shows the digest that a
// table's proof is compared with.
func fairDraws(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	t, err := h.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	text := bot.Say("Fair draws: when a table opens, before anybody sits down, the host makes a secret and keeps a digest of it. All tiles are drawn by that secret and by how the players join, so nobody can choose them, the host neither. When the game is over {export} has the secret and every draw, and {rackmate} draws them all again.", bot.Code("/export"), bot.Code("rackmate verify"))
	alone := !slices.ContainsFunc(t.Seats, func(s game.Seat) bool { return s.Joined != t.Seats[0].Joined })
	if alone && t.Phase > game.Lobby {
		text = bot.Sentences(text, bot.Say("At this table nobody sat down after the secret was made, so the proof shows that no draw was changed, not that none was chosen."))
	}
	if t.Phase == game.Over {
		text = bot.Lines(text, bot.Say("The secret was:"), bot.Glue(bot.Code(fmt.Sprintf("%x", t.Secret))))
	}
	if t.Phase != game.NoTable {
		text = bot.Lines(text, bot.Say("The digest of this table's secret, as SHA-256, for those who compare it:"), bot.Glue(bot.Code(t.Secret.Commitment())))
	}
	return bot.Reply{Text: text}, nil
}

// more is what there was no room for under a public message.
func more(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	t, err := h.LoadDealt(ctx, req)
	if err != nil {
		return h.OrExplain(t, req, err)
	}
	r := bot.Reply{Text: bot.Say("What else there is. {help} lists all commands, and {draws} tells why the draws are fair.", bot.Code("/help"), bot.Code("/help draws"))}
	if t.Phase != game.Over {
		r.Buttons = append(r.Buttons, t.Button(bot.Say("Unseen tiles"), "unseen", bot.Ordinary, nil))
	}
	r.Buttons = append(r.Buttons,
		t.Button(bot.Say("Moves"), "history", bot.Ordinary, nil),
		t.Button(bot.Say("Board as text"), "board", bot.Ordinary, map[string]string{"as": "text"}),
		t.Button(bot.Say("Replay"), "replay", bot.Ordinary, nil))
	if seat, err := t.Seat(req); err == nil && t.Phase == game.Playing && t.Turn == seat {
		r.Buttons = append(r.Buttons, t.Button(bot.Say("Pass my turn"), "pass", bot.Danger, nil))
	}
	return r, nil
}

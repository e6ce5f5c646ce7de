package bot

import (
	"context"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// help explains the commands, or one of them. The button More asks for it too,
// and gets what else can be pressed.
func (h *Host) help(ctx context.Context, req Request) (Reply, error) {
	if req.Table != 0 {
		return h.more(ctx, req)
	}
	if name := strings.TrimPrefix(strings.ToLower(req.Args["command"]), "/"); name != "" {
		c, ok := h.Commands().Find(name)
		if v := variantNamed(name); !ok && v.name != "" {
			t := say(v.label, ".\n", v.help)
			for _, c := range v.commands {
				t = say(t, "\n", code("/"+c.Name), " ", c.Help)
			}
			return Reply{Text: t}, nil
		}
		if !ok {
			return refuse(unknownCommand(name)), nil
		}
		t := say(c.Help, ".\n", usage(c))
		if c.Example != "/"+c.Name {
			t = say(t, " For instance ", code(c.Example), ".")
		}
		for _, o := range c.Options {
			t = say(t, "\n", code(o.Name), ": ", o.Help)
			var values []string
			for _, choice := range o.Choices {
				values = append(values, choice.Value)
			}
			if o.Name == "lexicon" {
				for _, l := range h.offered() {
					values = append(values, l.Name())
				}
			}
			if len(values) > 0 {
				t = say(t, " (", strings.Join(values, ", "), ")")
			}
		}
		return Reply{Text: t}, nil
	}
	t := say("What you can do:")
	ofVariants := variantCommands()
	// What there is no room for is named at least.
	const room = maxText - 300
	var more []Text
	for _, c := range h.commands {
		if slices.ContainsFunc(ofVariants, func(v command) bool { return v.Name == c.Name }) {
			continue
		}
		if line := say("\n", code("/"+c.Name), " ", c.Help); len(more) == 0 && t.len()+line.len() < room {
			t = say(t, line)
		} else {
			more = append(more, say(code("/"+c.Name)))
		}
	}
	if len(more) > 0 {
		t = say(t, "\nAnd ", listingOf(more), ".")
	}
	return Reply{Text: say(t, "\n", code("/help play"), " tells more of one.")}, nil
}

// more is what there was no room for under a public message.
func (h *Host) more(ctx context.Context, req Request) (Reply, error) {
	t, err := h.begun(ctx, req)
	if err != nil {
		return h.orExplain(t, req, err)
	}
	r := Reply{Text: say("What else there is. ", code("/help"), " lists all commands.")}
	if t.Phase != game.Over {
		r.Buttons = append(r.Buttons, t.button("Unseen tiles", "unseen", Ordinary, nil))
	}
	r.Buttons = append(r.Buttons,
		t.button("Moves", "history", Ordinary, nil),
		t.button("Board as text", "board", Ordinary, map[string]string{"as": "text"}),
		t.button("Replay", "replay", Ordinary, nil))
	if seat, err := t.seat(req); err == nil && t.Phase == game.Playing && t.Turn == seat {
		r.Buttons = append(r.Buttons, t.button("Pass my turn", "pass", Danger, nil))
	}
	return r, nil
}

// offered are the word lists that a new table can name.
func (h *Host) offered() []*lexicon.Lexicon {
	return slices.DeleteFunc(slices.Clone(h.Lexicons), func(l *lexicon.Lexicon) bool { return !l.Alphabet().Equal(h.Equipment.Tiles.Alphabet()) })
}

package host

import (
	"context"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// Complete lists what could be meant by the option being typed, best first, at
// most 25. req.Args has the options typed so far, that one included.
func (h *Host) Complete(ctx context.Context, req bot.Request, option string) (offers []bot.Choice) {
	defer func() {
		if r := recover(); r != nil {
			h.Log.Error("completion panicked", "channel", req.Channel, "command", req.Command, "panic", r, "stack", string(debug.Stack()))
			offers = nil
		}
	}()
	const most = 25
	begun := strings.ToLower(req.Args[option])
	for _, c := range h.choices(ctx, req, option) {
		label := option == "language" && strings.HasPrefix(strings.ToLower(c.Label), begun) // its name
		if (label || strings.HasPrefix(strings.ToLower(c.Value), begun)) && len(offers) < most {
			c.Label = bot.Shorten(c.Label, 100)
			offers = append(offers, c)
		}
	}
	return offers
}

// choices are all values that an option which completes can have.
func (h *Host) choices(ctx context.Context, req bot.Request, option string) (all []bot.Choice) {
	switch option {
	case "zone":
		for _, z := range someZones() {
			all = append(all, bot.Choice{Value: z, Label: z})
		}
	case "quiet":
		for _, hours := range []string{"22-8", "22-7", "23-7", "21-9", "18-9", "off"} {
			all = append(all, bot.Choice{Value: hours, Label: hours})
		}
	case "language":
		all = h.languageChoices()
		if req.Command == "settings" {
			all = append(all, bot.Choice{Value: unset, Label: "As it is where nothing is set"})
		}
	case "lexicon":
		lists := h.offered()
		if in := h.language(req.Args["language"]); in != nil {
			lists = h.listsIn(in)
		}
		for _, l := range lists {
			all = append(all, bot.Choice{Value: l.Name(), Label: fmt.Sprintf("%s: %s", l.Name(), count(l.Len(), "word"))})
		}
		if req.Command == "settings" {
			all = append(all, bot.Choice{Value: unset, Label: "As it is where nothing is set"})
		}
	case "away":
		for _, n := range []int{0, 7, 14, 21, 30, 45, 60, 90, 366} {
			all = append(all, bot.Choice{Value: strconv.Itoa(n), Label: count(n, "day") + " a year"})
		}
		all = append(all, bot.Choice{Value: unset, Label: "As it is where nothing is set"})
	case "command":
		for _, c := range h.commands {
			all = append(all, bot.Choice{Value: c.Name, Label: c.Name + ": " + c.Help})
		}
	case "least":
		for n := 20; n <= 80; n += 10 {
			all = append(all, bot.Choice{Value: strconv.Itoa(n), Label: count(n, "point")})
		}
	case "order":
		if t, err := h.table(ctx, req); err == nil && t.Phase == game.Voting {
			all = append(t.votes(), bot.Choice{Value: anyOrder, Label: "Any order"})
		}
	case "word":
		all = h.coverable(ctx, req)
	case "at":
		all = h.squares(ctx, req)
	case "squares":
		all = h.completedSquares(ctx, req)
	case "words":
		if t, err := h.table(ctx, req); err == nil && t.Latest != nil && req.Command == "challenge" {
			for _, w := range formed(t.State) {
				word := plainWord(t.Equipment.Tiles, w)
				all = append(all, bot.Choice{Value: word, Label: word})
			}
		}
	}
	return all
}

// squares are the places that the typed word can go to, best score first:
// "8D across · 74 · also EX, AT".
func (h *Host) squares(ctx context.Context, req bot.Request) []bot.Choice {
	t, err := h.table(ctx, req)
	if err != nil {
		return nil
	}
	seat, err := t.seat(req)
	if err != nil {
		return nil
	}
	if variantOf(t.Rules).place != nil {
		return nil // it says the word alone
	}
	word, err := game.ParseSpelling(t.Equipment.Tiles, req.Args["word"])
	if err != nil {
		return nil
	}
	spots, _, err := h.spots(t, t.RackOf(seat), word)
	if err != nil {
		return nil
	}
	var all []bot.Choice
	for _, s := range spots {
		at := s.Move.At.At(s.Move.Dir)
		label := fmt.Sprintf("%s %s · %d", at, s.Move.Dir, s.Tally.Total)
		if others := s.Tally.Words[1:]; len(others) > 0 {
			var also []string
			for _, w := range others {
				also = append(also, plainWord(t.Equipment.Tiles, w.Tiles))
			}
			label += " · also " + strings.Join(also, ", ")
		}
		all = append(all, bot.Choice{Value: at, Label: label})
	}
	return all
}

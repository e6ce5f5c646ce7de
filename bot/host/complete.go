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
func (h *Host) choices(ctx context.Context, req bot.Request, option string) []bot.Choice {
	c, ok := h.command(req.Command)
	if !ok || c.complete[option] == nil {
		return nil
	}
	return c.complete[option](h, ctx, req)
}

// offeredLists are the word lists for a new table.
func (h *Host) offeredLists(_ context.Context, req bot.Request) (all []bot.Choice) {
	lists := h.offered()
	if in := h.language(req.Args["language"]); in != nil {
		lists = h.listsIn(in)
	}
	for _, l := range lists {
		all = append(all, bot.Choice{Value: l.Name(), Label: fmt.Sprintf("%s: %s", l.Name(), count(l.Len(), "word"))})
	}
	return all
}

// offeredLanguages are the languages for a new table.
func (h *Host) offeredLanguages(context.Context, bot.Request) []bot.Choice {
	return h.languageChoices()
}

// zones and quietHours are for /settings.
func (h *Host) zones(context.Context, bot.Request) (all []bot.Choice) {
	for _, z := range someZones() {
		all = append(all, bot.Choice{Value: z, Label: z})
	}
	return all
}

func (h *Host) quietHours(context.Context, bot.Request) (all []bot.Choice) {
	for _, hours := range []string{"22-8", "22-7", "23-7", "21-9", "18-9", "off"} {
		all = append(all, bot.Choice{Value: hours, Label: hours})
	}
	return all
}

// awayDaysToSet are for the setting "away".
func (h *Host) awayDaysToSet(context.Context, bot.Request) (all []bot.Choice) {
	for _, n := range []int{0, 7, 14, 21, 30, 45, 60, 90, 366} {
		all = append(all, bot.Choice{Value: strconv.Itoa(n), Label: count(n, "day") + " a year"})
	}
	return all
}

// commandNames are for /help.
func (h *Host) commandNames(context.Context, bot.Request) (all []bot.Choice) {
	for _, c := range h.commands {
		all = append(all, bot.Choice{Value: c.Name, Label: c.Name + ": " + c.Help})
	}
	return all
}

// leastPoints are for /plan.
func (h *Host) leastPoints(context.Context, bot.Request) (all []bot.Choice) {
	for n := 20; n <= 80; n += 10 {
		all = append(all, bot.Choice{Value: strconv.Itoa(n), Label: count(n, "point")})
	}
	return all
}

// openVotes are the orders that can be voted for.
func (h *Host) openVotes(ctx context.Context, req bot.Request) []bot.Choice {
	t, err := h.table(ctx, req)
	if err != nil || t.Phase != game.Voting {
		return nil
	}
	return append(t.votes(), bot.Choice{Value: anyOrder, Label: "Any order"})
}

// latestWords are those that can be challenged.
func (h *Host) latestWords(ctx context.Context, req bot.Request) (all []bot.Choice) {
	t, err := h.table(ctx, req)
	if err != nil || t.Latest == nil {
		return nil
	}
	for _, w := range formed(t.State) {
		word := plainWord(t.Equipment.Tiles, w)
		all = append(all, bot.Choice{Value: word, Label: word})
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
	if t.Variant.place != nil {
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

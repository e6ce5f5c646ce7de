package table

import (
	"slices"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// PublicButtons returns the buttons of a public message about a table.
func PublicButtons(t Table) []bot.Button {
	switch t.Phase {
	case game.Lobby:
		b := []bot.Button{t.Button(text.Say("Join"), "join", bot.Primary, nil), t.Button(text.Say("Leave"), "leave", bot.Ordinary, nil)}
		if variant, _ := game.FindVariant(t.Rules.Variant); variant.Robots && len(t.Invited) == 0 {
			b = append(b, t.Button(text.Say("Add a robot"), "join", bot.Ordinary, map[string]string{"robot": AskFirst}))
		}
		if len(t.Seats) >= t.Rules.MinPlayers {
			b = append(b, t.Button(text.Say("Start"), "start", bot.Ordinary, nil))
		}
		return append(b, t.Button(text.Say("Fair draws"), "help", bot.Ordinary, map[string]string{"command": FairDraws}))
	case game.Voting:
		return pollButtons(t)
	case game.Playing, game.Closing:
		if buttons := t.Variant.Buttons; buttons != nil && t.Phase == game.Playing {
			return buttons(t)
		}
		b := []bot.Button{t.Button(text.Say("My rack"), "rack", bot.Primary, nil)}
		if late := LateButtons(t); len(late) > 0 {
			return append(b, late...)
		}
		if t.Phase == game.Playing {
			b = append(b, t.Button(text.Say("Try"), "try", bot.Ordinary, nil))
		}
		if t.Rules.Challenge != game.Void && t.Latest != nil {
			b = append(b, t.Button(text.Say("Challenge"), "challenge", bot.Ordinary, map[string]string{"words": AskFirst}))
		}
		if t.Phase == game.Closing {
			b = append(b, t.Button(text.Say("Accept it"), "pass", bot.Ordinary, nil))
		}
		return append(b, t.Button(text.Say("More"), "help", bot.Ordinary, nil))
	}
	if !t.IsDealt() {
		return nil
	}
	b := endButtons(t, t.Button(text.Say("Moves"), "history", bot.Ordinary, nil))
	return append(b, t.Button(text.Say("Export"), "export", bot.Ordinary, nil))
}

// EndButtons returns the buttons under the card of a finished game.
func EndButtons(t Table) []bot.Button { return append(endButtons(t), JoinNext()) }

// endButtons returns the buttons of a finished game, with more after the first.
func endButtons(t Table, more ...bot.Button) (b []bot.Button) {
	if !t.MatchGoesOn() {
		b = append(b, rematchButton(t))
	}
	b = append(append(b, more...), t.Button(text.Say("Replay"), "replay", bot.Ordinary, nil))
	if RobotsKnow(t.Rules) {
		b = append(b, t.Button(text.Say("Review"), "review", bot.Ordinary, nil))
	}
	return b
}

// SightButtons returns the public buttons that are useful next to an interactive board, for
// a seat, or for a watcher if seat is -1.
func SightButtons(t Table, seat int) (all []bot.Button) {
	needless := slices.Clone(onBoard)
	if seat >= 0 {
		needless = append(needless, "join")
		if t.Latest != nil && t.Latest.Seat == seat {
			needless = append(needless, "challenge")
		}
	} else if t.Phase != game.Lobby {
		needless = append(needless, forPlayers...)
	}
	if t.Phase == game.Playing {
		needless = append(needless, "pass")
	}
	for _, b := range PublicButtons(t) {
		if press, ok := (bot.Request{}).Press(b.ID); ok && !slices.Contains(needless, press.Command) {
			all = append(all, b)
		}
	}
	return all
}

// onBoard lists the commands that an interactive board replaces.
var onBoard = []string{"rack", "try", "play", "submit", "cover", "remove", "help", "history"}

// forPlayers lists the commands that watchers can't give.
var forPlayers = []string{"challenge", "pass", "claim", "wait"}

// FairDraws is the topic of /help that explains why the draws are fair.
const FairDraws = "draws"

// Button returns a button for a command at the table as it stands.
func (t Table) Button(label text.Text, command string, style bot.Style, args map[string]string) bot.Button {
	return bot.Button{ID: bot.ButtonID(t.ID, t.Number, command, args), Label: label, Style: style}
}

// ExchangeMenus returns the menu of tiles to put back, if the player can exchange. Its
// values are places in the sorted rack, since a rack can hold equal tiles.
func ExchangeMenus(t Table, seat int) []bot.Menu {
	rack := t.Seats[seat].Rack.Sorted()
	if t.Phase != game.Playing || t.Turn != seat || rack == "" || len(t.Bag) < max(t.Rules.ExchangeMin, 1) {
		return nil
	}
	m := bot.Menu{ID: bot.ButtonID(t.ID, t.Number, "exchange", map[string]string{"tiles": ""}), Label: text.Say("Exchange tiles"), Most: min(len(rack), len(t.Bag))}
	for i := range len(rack) {
		label := text.Plain(t.Equipment.Tiles.Text(rack.At(i)))
		if rack.At(i).IsBlank() {
			label = text.Say("? (blank)")
		}
		m.Choices = append(m.Choices, bot.Choice{Value: strconv.Itoa(i + 1), Label: label})
	}
	return []bot.Menu{m}
}

// RackButtons returns the buttons that reorder a player's rack.
func RackButtons(t Table) []bot.Button {
	return []bot.Button{
		{ID: bot.ButtonID(t.ID, t.Number, "rack", map[string]string{"order": "shuffle"}), Label: text.Say("Shuffle")},
		{ID: bot.ButtonID(t.ID, t.Number, "rack", map[string]string{"order": "sort"}), Label: text.Say("Sort")},
	}
}

// AnyOrder is the vote that leaves the order to the others.
const AnyOrder = "any"

// Votes returns the possible orders as choices.
func (t Table) Votes() []bot.Choice {
	var all []bot.Choice
	for _, order := range t.Orders() {
		value, names := "", []text.Text{}
		for _, seat := range order {
			value += string(rune('1' + seat))
			names = append(names, text.Text{text.PlainName(t.Seats[seat].Person)})
		}
		label := text.Join(names, ", ")
		if len(order) == 2 {
			label = text.Say("{who} first", names[0])
		}
		all = append(all, bot.Choice{Value: value, Label: label})
	}
	return all
}

// pollButtons returns the buttons of a poll: one for each order if there is room for all,
// and one for AnyOrder.
func pollButtons(t Table) []bot.Button {
	var all []bot.Button
	if votes := t.Votes(); len(votes) < bot.MostButtons {
		for _, v := range votes {
			all = append(all, t.Button(v.Label, "vote", bot.Primary, map[string]string{"order": v.Value}))
		}
	}
	return append(all, t.Button(text.Say("Any order"), "vote", bot.Ordinary, map[string]string{"order": AnyOrder}))
}

// PollMenus returns the menu of a poll on the order of play, if there are too many orders
// for buttons.
func PollMenus(t Table) []bot.Menu {
	if t.Phase != game.Voting {
		return nil // there may be a hundred players, with countless orders
	}
	votes := t.Votes()
	if len(votes) < bot.MostButtons {
		return nil
	}
	return []bot.Menu{{ID: bot.ButtonID(t.ID, t.Number, "vote", map[string]string{"order": ""}), Label: text.Say("Order to vote for"), Choices: votes, Most: 1}}
}

// LateButtons returns the buttons added to a message when a player has gone.
func LateButtons(t Table) []bot.Button {
	var b []bot.Button
	if slices.ContainsFunc(t.Seats, func(s game.Seat) bool { return s.Vacant }) {
		b = append(b, t.Button(text.Say("Take the free seat"), "adopt", bot.Primary, nil))
		if RobotsKnow(t.Rules) {
			b = append(b, t.Button(text.Say("Let a robot play on"), "adopt", bot.Ordinary, map[string]string{"robot": AskFirst}))
		}
	}
	if t.Claimable() {
		b = append(b, t.Button(text.Say("Claim the game"), "claim", bot.Danger, nil))
	}
	if t.Late {
		b = append(b, t.Button(text.Say("Keep waiting"), "wait", bot.Ordinary, nil))
	}
	return b
}

// rematchButton returns the button that asks for a rematch of a table's game.
func rematchButton(t Table) bot.Button {
	return bot.Button{ID: bot.ButtonID(0, 0, "rematch", map[string]string{"of": strconv.FormatUint(uint64(t.ID), 10)}), Label: text.Say("Rematch"), Style: bot.Primary}
}

// NextOption is the argument of "join" that means the next table in the place, whichever that is.
const NextOption = "next"

// JoinNext returns the button for people who want to play the next game in a place.
func JoinNext() bot.Button {
	return bot.Button{ID: bot.ButtonID(0, 0, "join", map[string]string{NextOption: "yes"}), Label: text.Say("Join the next")}
}

// AskFirst is the value of a button's argument that the person has yet to choose.
const AskFirst = "?"

package host

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

func (h *Host) play(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return h.change(ctx, req, func(t table) (game.Action, error) {
		// Whose turn it is comes first: what is wrong with a word is no news to
		// somebody who can't play it now.
		seat, err := t.seat(req)
		switch {
		case err != nil:
			return nil, err
		case t.Phase == game.Closing:
			return nil, &game.RuleError{Code: game.OnlyChallenge, Seat: t.Latest.Seat}
		case t.Turn != seat && t.Variant.lay == nil:
			return nil, &game.RuleError{Code: game.NotYourTurn, Seat: t.Turn}
		case t.changedSince(req):
			return nil, refusing("The table has changed since then. Look at it again: ", bot.Code(typed("try", req.Args)), ".")
		}
		m, err := h.placed(t, req)
		if err != nil {
			return nil, err
		}
		if ask := t.asksForBlank(req, m); ask != nil {
			return nil, ask
		}
		if lay := t.Variant.lay; lay != nil {
			return lay(m), nil
		}
		play := game.Play{Move: m}
		if wish := t.Variant.wish; wish != nil {
			play.Draw, err = wish(req.Args)
		}
		return play, err
	})
}

// asksForBlank asks before a blank is spent that nobody asked for with "?": a
// word is easily mistyped. It is nil where there is nothing to ask.
func (t table) asksForBlank(req bot.Request, m game.Move) error {
	if req.Number != 0 || strings.Contains(req.Args["word"], "?") || t.Variant.place != nil {
		return nil
	}
	set := t.Equipment.Tiles
	var as []string
	for i := range len(m.Tiles) {
		if m.Tiles.At(i).IsBlank() {
			as = append(as, set.Alphabet().Text(m.Tiles.At(i).Letter()))
		}
	}
	tally, err := t.Tally(m)
	if len(as) == 0 || err != nil {
		return nil // what is wrong with the play comes first
	}
	args := map[string]string{"word": spelling(set, m), "at": m.At.At(m.Dir)}
	if draw := req.Args["draw"]; draw != "" {
		args["draw"] = draw
	}
	return &refusal{bot.Reply{
		Text:    bot.Say("That plays ", verb(len(as), "your blank", "your blanks"), " as ", bot.Strong(listing(as)), ", for ", count(tally.Total, "point"), ". Is it what you want? ", bot.Code("?"), " before a letter says so at once."),
		Buttons: []bot.Button{t.button(fmt.Sprintf("Play it for %d", tally.Total), req.Command, bot.Primary, args)},
	}}
}

// typed is how a play or a try is typed.
func typed(command string, args map[string]string) string {
	return strings.TrimSpace("/" + command + " " + args["word"] + " " + args["at"])
}

// seat is the asking person's seat in a running game.
func (t table) seat(req bot.Request) (int, error) {
	switch t.Phase {
	case game.NoTable, game.Lobby:
		return 0, &game.RuleError{Code: game.NotStarted}
	case game.Voting:
		return 0, &game.RuleError{Code: game.OrderOpen}
	case game.Over:
		return 0, &game.RuleError{Code: game.GameOver}
	}
	seat, ok := t.SeatOf(req.User.ID)
	if !ok || t.Seats[seat].Out {
		return 0, &game.RuleError{Code: game.NotPlaying}
	}
	return seat, nil
}

// placed is the play that a person typed: a word, and where unless only one
// place will do.
func (h *Host) placed(t table, req bot.Request) (game.Move, error) {
	seat, err := t.seat(req)
	if err != nil {
		return game.Move{}, err
	}
	if place := t.Variant.place; place != nil {
		return place(t, seat, req.Args)
	}
	word, err := game.ParseSpelling(t.Equipment.Tiles, req.Args["word"])
	if err != nil {
		return game.Move{}, err
	}
	rack := t.RackOf(seat)
	if at := req.Args["at"]; at != "" {
		sq, dir, err := game.ParseAt(at)
		if err != nil {
			return game.Move{}, refusing(bot.Code(bot.Shorten(at, bot.MaxName)), " is not a square. Write ", bot.Code("8H"), " for row 8, column H, across, and ", bot.Code("H8"), " for the same square, down.")
		}
		return game.Place(t.Equipment, &t.Board, rack, sq, dir, word)
	}
	spots, phonies, err := h.spots(t, rack, word)
	switch {
	case err != nil:
		return game.Move{}, err
	case len(spots) == 1:
		return spots[0].Move, nil
	case len(spots) > 1:
		return game.Move{}, &game.RuleError{Code: game.ManyPlacements, Spots: spots, Text: req.Args["word"]}
	case len(phonies) > 0:
		return game.Move{}, &game.RuleError{Code: game.NotAWord, Words: phonies}
	}
	return game.Move{}, &game.RuleError{Code: game.NoPlacement, Text: req.Args["word"], Rack: rack}
}

func (h *Host) exchange(ctx context.Context, req bot.Request) (bot.Reply, error) {
	want := func(t table) (game.Action, error) {
		if t.changedSince(req) {
			return nil, outOfDate()
		}
		tiles, err := chosenTiles(t, req)
		if err != nil {
			return nil, err
		}
		return game.Exchange{Tiles: tiles}, nil
	}
	if !strings.ContainsAny(req.Args["tiles"], digits) {
		return h.change(ctx, req, want)
	}
	// What was chosen from a menu is easily chosen by mistake.
	return h.ask(ctx, req, want, func(t table) bot.Reply {
		tiles, _ := chosenTiles(t, req)
		typed := t.Equipment.Tiles.Print(tiles)
		return bot.Reply{
			Text:    bot.Say("Put back ", bot.Strong(spaced(t.Equipment.Tiles, tiles)), " and draw ", count(len(tiles), "new tile"), "? That takes your turn."),
			Buttons: []bot.Button{{ID: bot.ButtonID(t.ID, t.Number, "exchange", map[string]string{"tiles": typed}), Label: bot.Shorten("Exchange "+typed, bot.MaxLabel), Style: bot.Primary}},
		}
	})
}

const digits = "0123456789"

// chosenTiles reads what to put back: letters, or numbers of places in the
// sorted rack, as exchangeMenus has them.
func chosenTiles(t table, req bot.Request) (game.Tiles, error) {
	text := strings.ReplaceAll(req.Args["tiles"], ",", " ")
	seat, seated := t.SeatOf(req.User.ID)
	if !seated || !strings.ContainsAny(text, digits) {
		return typedTiles(t.Equipment.Tiles, text)
	}
	rack := t.Seats[seat].Rack.Sorted()
	var chosen []byte
	taken := map[int]bool{}
	for _, f := range strings.Fields(text) {
		n, err := strconv.Atoi(f)
		if err != nil || n < 1 || n > len(rack) || taken[n] {
			return "", &game.RuleError{Code: game.BadWord, Text: req.Args["tiles"]}
		}
		taken[n] = true
		chosen = append(chosen, rack[n-1])
	}
	return game.Tiles(chosen), nil
}

// typedTiles reads tiles in any case, "?" for a blank.
func typedTiles(set *game.TileSet, text string) (game.Tiles, error) {
	tiles, err := set.Parse(set.Alphabet().Fold(strings.ReplaceAll(text, " ", "")))
	if err != nil || tiles.Count(game.NoTile) > 0 {
		return "", &game.RuleError{Code: game.BadWord, Text: text}
	}
	b := []byte(tiles)
	for i := range b {
		if t := tiles.At(i); t != game.Blank {
			b[i] = byte(t.Letter()) // lower case is no blank here: phones write it
		}
	}
	return game.Tiles(b), nil
}

func (h *Host) pass(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return h.change(ctx, req, func(t table) (game.Action, error) {
		// A button is for the turn, or for the last play, that the person saw.
		if t.changedSince(req) && (t.Phase != game.Closing || !t.showsLatest(req.Number)) {
			return nil, outOfDate()
		}
		if lay := t.Variant.lay; lay != nil {
			return lay(game.Move{Kind: game.PassTurn}), nil
		}
		return game.Pass{}, nil
	})
}

// showsLatest reports whether the latest play, still open to a challenge, is
// what a person saw when the table had n events.
func (t table) showsLatest(n int) bool {
	return t.Latest != nil && t.Latest.Number < n
}

// changedSince reports whether a button is out of date, because something has
// happened since it was made. A hint is nothing that happened at the table.
func (t table) changedSince(req bot.Request) bool {
	return req.Number != 0 && (req.Number > t.Number || !private(t, t.Events[req.Number:]))
}

func outOfDate() error {
	return refusing("That button is out of date: the game has moved on. ", bot.Code("/board"), " shows it as it is now.")
}

// askFirst is what a button's "words" are when the person is still to choose.
const askFirst = "?"

func (h *Host) challenge(ctx context.Context, req bot.Request) (bot.Reply, error) {
	want := func(t table) (game.Action, error) {
		if req.Number != 0 && t.Phase != game.Over && !t.showsLatest(req.Number) {
			return nil, outOfDate()
		}
		if req.Args["words"] == askFirst {
			return game.Challenge{}, nil
		}
		named, err := challenged(t, req.Args["words"])
		return game.Challenge{Words: named}, err
	}
	if req.Args["words"] == askFirst {
		return h.ask(ctx, req, want, askChallenge)
	}
	return h.change(ctx, req, want)
}

// challenged reads the words that a challenge names. A number is the word that
// the latest play formed as its first, second and so on: what buttons say, for
// there is no room in one for every word.
func challenged(t table, text string) ([]game.Tiles, error) {
	var named []game.Tiles
	for _, w := range bot.Listed(text) {
		if n, err := strconv.Atoi(w); err == nil && t.Latest != nil && n >= 1 && n <= len(t.Latest.Words) {
			named = append(named, t.Latest.Words[n-1].Tiles)
			continue
		}
		tiles, err := typedTiles(t.Equipment.Tiles, w)
		if err != nil {
			return nil, err
		}
		named = append(named, tiles)
	}
	return named, nil
}

// askChallenge asks which words to challenge, and says what it may cost.
func askChallenge(t table) bot.Reply {
	r := bot.Reply{Text: bot.Say("Challenge ", bot.Name(t.Seats[t.Latest.Seat].Person), "'s play? ", wrongChallengeCosts(t.Rules.Challenge))}
	button := func(label string, args map[string]string) {
		r.Buttons = append(r.Buttons, t.button(label, "challenge", bot.Danger, args))
	}
	open := 0
	for i, w := range t.Latest.Words {
		if slices.Contains(t.Latest.Judged, w.Tiles) {
			continue
		}
		if open++; open <= bot.MostButtons-1 {
			button(bot.Shorten(plainWord(t.Equipment.Tiles, w.Tiles), bot.MaxLabel), map[string]string{"words": strconv.Itoa(i + 1)})
		}
	}
	if open > 1 {
		button("All the words", nil)
		r.Menus = []bot.Menu{challengeMenu(t)}
	}
	if open > bot.MostButtons-1 {
		r.Text = bot.Say(r.Text, " To name others, type them: ", bot.Code("/challenge qi za"), ".")
	}
	return r
}

// challengeMenu lets several of the words be chosen, by their numbers.
func challengeMenu(t table) bot.Menu {
	m := bot.Menu{ID: bot.ButtonID(t.ID, t.Number, "challenge", map[string]string{"words": ""}), Label: "Or choose the words to challenge"}
	for i, w := range t.Latest.Words {
		if !slices.Contains(t.Latest.Judged, w.Tiles) {
			m.Choices = append(m.Choices, bot.Choice{Value: strconv.Itoa(i + 1), Label: plainWord(t.Equipment.Tiles, w.Tiles)})
		}
	}
	m.Most = len(m.Choices)
	return m
}

func (h *Host) resign(ctx context.Context, req bot.Request) (bot.Reply, error) {
	want := always(game.Resign{})
	if req.Table != 0 {
		return h.change(ctx, req, want)
	}
	return h.ask(ctx, req, want, func(t table) bot.Reply {
		text := bot.Say("Give up this game? The others play on, and your tiles leave play.")
		switch {
		case t.shared():
			text = bot.Say("Leave this game? The others play on, and you can't come back to it.")
		case len(t.Active()) == 1:
			text = bot.Say("Give up this game? That ends it, and it has no result. ", bot.Code("/end"), " ends it with your total.")
		case len(t.Active()) == 2:
			text = bot.Say("Give up this game? That ends it, and your opponent wins.")
		}
		return bot.Reply{Text: text, Buttons: []bot.Button{{ID: bot.ButtonID(t.ID, t.Number, "resign", nil), Label: "Yes, resign", Style: bot.Danger}}}
	})
}

// lastPlayStands ends the game when the time to challenge its last play is
// over.
func (h *Host) lastPlayStands(ctx context.Context, timer bot.Timer) error {
	return h.atTable(ctx, timer, func(r *bot.Room, t table, env game.Env) error {
		if t.Phase != game.Closing || t.Until.After(env.Now) {
			return nil
		}
		done, err := game.Decide(t.State, game.Person{}, game.TimeUp{}, env)
		if err != nil {
			return err
		}
		h.fill(r, t, "", done)
		return nil
	})
}

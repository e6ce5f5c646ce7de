package play

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Play handles /play.
func (f *Feature) Play(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.desk.Change(ctx, req, func(t table.Table) (game.Action, error) {
		// Check the turn first: a player who can't play now needn't hear what is wrong with the
		// word.
		seat, err := t.Seat(req)
		switch {
		case err != nil:
			return nil, err
		case t.Phase == game.Closing:
			return nil, &game.RuleError{Code: game.OnlyChallenge, Seat: t.Latest.Seat}
		case t.Turn != seat && t.Variant.Lay == nil:
			return nil, &game.RuleError{Code: game.NotYourTurn, Seat: t.Turn}
		case t.ChangedSince(req):
			return nil, words.Refusing("The game has moved on since then. Look again: {typed}.", text.Code(words.CommandLine("try", req.Args)))
		}
		m, err := input.Play(f.desk.Lists(), t, req)
		if err != nil {
			return nil, err
		}
		if ask := asksForBlank(t, req, m); ask != nil {
			return nil, ask
		}
		if lay := t.Variant.Lay; lay != nil {
			return lay(m), nil
		}
		play := game.Play{Move: m}
		if wish := t.Variant.Wish; wish != nil {
			play.Draw, err = wish(req.Args)
		}
		return play, err
	})
}

// asksForBlank returns a refusal that asks for confirmation before a play spends a blank that
// wasn't typed as "?", since a word is easily mistyped. It returns nil if there is nothing to
// ask.
func asksForBlank(t table.Table, req bot.Request, m game.Move) error {
	if req.Number != 0 || strings.Contains(req.Args["word"], "?") || t.Variant.Place != nil {
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
		return nil // the play's own error comes first
	}
	args := map[string]string{"word": table.Spelling(set, m), "at": m.At.At(m.Dir)}
	if draw := req.Args["draw"]; draw != "" {
		args["draw"] = draw
	}
	return &words.Refusal{Reply: bot.Reply{
		Text:    text.Say("That plays {n, plural, one {your blank} other {your blanks}} as {letters}, for {score, plural, one {# point} other {# points}}. Is that what you want? Type {sign} before the letter to skip this question.", len(as), text.Strong(text.List(as)), tally.Total, text.Code("?")),
		Buttons: []bot.Button{t.Button(text.Say("Play it for {score}", tally.Total), req.Command, bot.Primary, args)},
	}}
}

func (f *Feature) exchange(ctx context.Context, req bot.Request) (bot.Reply, error) {
	want := func(t table.Table) (game.Action, error) {
		if t.ChangedSince(req) {
			return nil, words.OutOfDate()
		}
		tiles, err := chosenTiles(t, req)
		if err != nil {
			return nil, err
		}
		return game.Exchange{Tiles: tiles}, nil
	}
	if !strings.ContainsAny(req.Args["tiles"], digits) && !strings.EqualFold(req.Args["tiles"], allTiles) {
		return f.desk.Change(ctx, req, want)
	}
	// Menu choices are easily made by mistake, so ask first.
	return feature.Ask(ctx, f.desk, req, want, func(t table.Table) bot.Reply {
		tiles, _ := chosenTiles(t, req)
		typed := t.Equipment.Tiles.Print(tiles)
		return bot.Reply{
			Text:    text.Say("Put back {tiles} and draw {n, plural, one {# new tile} other {# new tiles}}? That uses up your turn.", text.Strong(words.SpacedTiles(t.Equipment.Tiles, tiles)), len(tiles)),
			Buttons: []bot.Button{t.Button(text.Say("Exchange {tiles}", typed), "exchange", bot.Primary, map[string]string{"tiles": typed})},
		}
	})
}

const digits = "0123456789"

// allTiles puts all tiles back, unless the rack has an A and two Ls: then it means those letters.
// In both cases the player is asked first.
const allTiles = "all"

// chosenTiles parses the tiles to put back: letters, or positions in the sorted rack as
// table.ExchangeMenus numbers them.
func chosenTiles(t table.Table, req bot.Request) (game.Tiles, error) {
	text := strings.ReplaceAll(req.Args["tiles"], ",", " ")
	seat, seated := t.SeatOf(req.User.ID)
	if seated && strings.EqualFold(strings.TrimSpace(text), allTiles) {
		letters, err := table.TypedTiles(t.Equipment.Tiles, text, func(game.Tiles) bool { return true })
		if _, there := t.RackOf(seat).Minus(letters); err != nil || !there {
			return t.RackOf(seat), nil
		}
	}
	if !seated || !strings.ContainsAny(text, digits) {
		return table.TypedTiles(t.Equipment.Tiles, text, func(tiles game.Tiles) bool {
			if !seated {
				return true
			}
			_, there := t.RackOf(seat).Minus(tiles)
			return there
		})
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

// pass passes the turn, or accepts the last play. It asks first, so that one slip doesn't cost a
// turn, unless the player is sure or has turned the question off.
func (f *Feature) pass(ctx context.Context, req bot.Request) (bot.Reply, error) {
	want := func(t table.Table) (game.Action, error) {
		// A button is valid only for the turn or the last play that the person saw.
		if t.ChangedSince(req) && (t.Phase != game.Closing || !t.ShowsLatest(req.Number)) {
			return nil, words.OutOfDate()
		}
		if lay := t.Variant.Lay; lay != nil {
			return lay(game.Move{Kind: game.PassTurn}), nil
		}
		return game.Pass{}, nil
	}
	sure, err := words.YesNo(req.Args, "sure", false)
	if err != nil {
		return bot.Reply{}, err
	}
	atOnce, err := f.settings.PassesAtOnce(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	if sure || atOnce || req.Number != 0 {
		return f.desk.Change(ctx, req, want)
	}
	t, err := f.desk.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if t.Phase != game.Playing || t.Variant.Lay != nil {
		return f.desk.Change(ctx, req, want)
	}
	return feature.Ask(ctx, f.desk, req, want, func(t table.Table) bot.Reply {
		return bot.Reply{
			Text:    text.Say("Pass your turn? You keep your tiles and score nothing."),
			Buttons: []bot.Button{t.Button(text.Say("Yes, pass"), "pass", bot.Primary, nil)},
		}
	})
}

func (f *Feature) challenge(ctx context.Context, req bot.Request) (bot.Reply, error) {
	want := func(t table.Table) (game.Action, error) {
		if req.Number != 0 && t.Phase != game.Over && !t.ShowsLatest(req.Number) {
			return nil, words.OutOfDate()
		}
		if req.Args["words"] == table.AskFirst {
			return game.Challenge{}, nil
		}
		named, err := challengedWords(t, req.Args["words"])
		return game.Challenge{Words: named}, err
	}
	if req.Args["words"] == table.AskFirst {
		return feature.Ask(ctx, f.desk, req, want, askChallenge)
	}
	return f.desk.Change(ctx, req, want)
}

// challengedWords parses the words that a challenge names. A number n stands for the nth word that the
// latest play formed; buttons use numbers because they have no room for every word.
func challengedWords(t table.Table, text string) ([]game.Tiles, error) {
	var named []game.Tiles
	for _, w := range bot.SplitList(text) {
		if n, err := strconv.Atoi(w); err == nil && t.Latest != nil && n >= 1 && n <= len(t.Latest.Words) {
			named = append(named, t.Latest.Words[n-1].Tiles)
			continue
		}
		tiles, err := table.TypedTiles(t.Equipment.Tiles, w, func(tiles game.Tiles) bool {
			return t.Latest == nil || forms(t, tiles)
		})
		if err != nil {
			return nil, err
		}
		named = append(named, tiles)
	}
	return named, nil
}

// wordsNotFormed returns the words of a challenge that the latest play didn't form.
func wordsNotFormed(t table.Table, text string) []game.Tiles {
	named, err := challengedWords(t, text)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(named, func(w game.Tiles) bool { return forms(t, w) })
}

// forms reports whether the latest play formed a word, counting blanks as their letters.
func forms(t table.Table, w game.Tiles) bool {
	return slices.ContainsFunc(t.Latest.Words, func(formed game.ScoredWord) bool { return formed.Letters() == game.ScoredWord{Tiles: w}.Letters() })
}

// askChallenge asks which words to challenge, and says what a wrong challenge costs.
func askChallenge(t table.Table) bot.Reply {
	r := bot.Reply{Text: text.Say("Challenge {who}'s play? {costs}", text.Name(t.Seats[t.Latest.Seat].Person), words.WrongChallengeCosts(t.Rules.Challenge))}
	button := func(label text.Text, args map[string]string) {
		r.Buttons = append(r.Buttons, t.Button(label, "challenge", bot.Ordinary, args))
	}
	open := 0
	for i, w := range t.Latest.Words {
		if slices.Contains(t.Latest.Judged, w.Tiles) {
			continue
		}
		if open++; open <= bot.MostButtons-1 {
			button(text.Say("Challenge {word}", words.PlainWord(t.Equipment.Tiles, w.Tiles)), map[string]string{"words": strconv.Itoa(i + 1)})
		}
	}
	if open > 1 {
		button(text.Say("All the words"), nil)
		r.Menus = []bot.Menu{challengeMenu(t)}
	}
	if open > bot.MostButtons-1 {
		r.Text = text.Sentences(r.Text, text.Say("To challenge other words, type them: {challenge}.", text.Code("/challenge qi za")))
	}
	return r
}

// challengeMenu offers the words by their numbers, several at once.
func challengeMenu(t table.Table) bot.Menu {
	m := bot.Menu{ID: bot.ButtonID(t.ID, t.Number, "challenge", map[string]string{"words": ""}), Label: text.Say("Or choose the words to challenge")}
	for i, w := range t.Latest.Words {
		if !slices.Contains(t.Latest.Judged, w.Tiles) {
			m.Choices = append(m.Choices, bot.Choice{Value: strconv.Itoa(i + 1), Label: text.Plain(words.PlainWord(t.Equipment.Tiles, w.Tiles))})
		}
	}
	m.Most = len(m.Choices)
	return m
}

func (f *Feature) resign(ctx context.Context, req bot.Request) (bot.Reply, error) {
	want := feature.Always(game.Resign{})
	if req.Table != 0 {
		return f.desk.Change(ctx, req, want)
	}
	return feature.Ask(ctx, f.desk, req, want, func(t table.Table) bot.Reply {
		said := text.Say("Give up this game? The others play on, and your tiles go out of play.")
		switch {
		case t.SharesRack():
			said = text.Say("Leave this game? The others play on, and you can't come back.")
		case len(t.Active()) == 1:
			said = text.Say("Give up this game? It ends without a result. {end} ends it with your total.", text.Code("/end"))
		case len(t.Active()) == 2:
			said = text.Say("Give up this game? That ends it, and your opponent wins.")
		}
		return bot.Reply{Text: said, Buttons: []bot.Button{t.Button(text.Say("Yes, resign"), "resign", bot.Danger, nil)}}
	})
}

// timeUp ends a vote, or the time to challenge the last play of a game.
func (f *Feature) timeUp(ctx context.Context, timer bot.Timer) error {
	return feature.AtTable(ctx, f.desk, timer, func(r *feature.Room) error {
		t := r.Table
		if t.Phase != game.Closing && t.Phase != game.Voting || t.Until.After(r.Env.Now) {
			return nil
		}
		done, err := r.Judge(bot.Request{}, feature.Always(game.TimeUp{}))
		if err != nil {
			return err
		}
		r.Fill("", done)
		return nil
	})
}

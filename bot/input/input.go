// Package input parses what people type: it tidies requests and reads plays.
package input

import (
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Options that describe a play.
var (
	Word   = bot.Option{Name: "word", Help: "The whole word, with the letters on the board. ? before a letter plays a blank.", Kind: bot.Word, Required: true, Question: text.Say("Which word?")}
	Square = bot.Option{Name: "at", Help: "Where it starts: 8H reads across, H8 down. Leave out if only one place fits.", Kind: bot.Square}
)

// Squares returns the places where the typed word can go, best score first: "8D across · 74
// · also EX, AT".
func Squares(all *lexicons.Lists, t table.Table, req bot.Request) (offers []bot.Choice) {
	seat, err := t.Seat(req)
	if err != nil {
		return nil
	}
	if t.Variant.Place != nil {
		return nil // the word alone is enough there
	}
	word, err := readWord(all, t, seat, req)
	if err != nil {
		return nil
	}
	spots, _, err := findSpots(all, t, t.RackOf(seat), word)
	if err != nil {
		return nil
	}
	for _, s := range spots {
		at := s.Move.At.At(s.Move.Dir)
		label := words.SpotLabel(s.Move, s.Tally.Total)
		if others := s.Tally.Words[1:]; len(others) > 0 {
			var also []string
			for _, w := range others {
				also = append(also, words.PlainWord(t.Equipment.Tiles, w.Tiles))
			}
			label = text.Say("{spot} · also {words}", label, strings.Join(also, ", "))
		}
		offers = append(offers, bot.Choice{Value: at, Label: label})
	}
	return offers
}

// findSpots lists where a word can go, best score first. If words are judged as they are
// played, it lists only valid plays, and phonies holds the invalid words of the best other
// play if there is no valid one. If plays can be challenged, it doesn't check words.
func findSpots(all *lexicons.Lists, t table.Table, rack game.Tiles, word game.Spelling) (spots []game.Spot, phonies []game.Tiles, err error) {
	anywhere := func() []game.Spot { return t.Rules.Spots(t.Equipment, &t.Board, rack, word, nil) }
	if t.Rules.Challenge != game.Void {
		return anywhere(), nil, nil
	}
	dict, err := all.Dictionary(t.State)
	if err != nil {
		return nil, nil, err
	}
	if spots, err = table.ValidSpots(t, rack, word, dict); err != nil || len(spots) > 0 {
		return spots, nil, err
	}
	if found := anywhere(); len(found) > 0 {
		phonies = found[0].Tally.Phonies(dict)
	}
	return nil, phonies, nil
}

// readWord parses the word that a person typed. If it can be spelled with a tile of several
// letters or with single ones, such as Welsh NG, it chooses the first spelling that the
// rack can lay and the list has, tiles of several letters first. If there is none, it uses
// those tiles, unless the language allows both.
func readWord(all *lexicons.Lists, t table.Table, seat int, req bot.Request) (game.Spelling, error) {
	set, text := t.Equipment.Tiles, req.Args["word"]
	word, err := game.ParseSpelling(set, text)
	others := set.Alphabet().OtherReadings(text)
	if err != nil || len(others) == 0 {
		return word, err
	}
	dict, err := all.Dictionary(t.State)
	if err != nil {
		return nil, err
	}
	fits := func(sp game.Spelling, dict game.Dictionary) bool {
		rack := t.RackOf(seat)
		if req.Args["at"] == "" {
			return len(t.Rules.Spots(t.Equipment, &t.Board, rack, sp, dict)) > 0
		}
		sq, dir, err := game.ParseAt(req.Args["at"])
		if err != nil {
			return false
		}
		m, err := game.Place(t.Equipment, &t.Board, rack, sq, dir, sp)
		if err != nil {
			return false
		}
		tally, err := t.Rules.Tally(t.Equipment, &t.Board, m)
		return err == nil && (dict == nil || len(tally.Phonies(dict)) == 0)
	}
	readings := []game.Spelling{word}
	for _, text := range others {
		if sp, err := game.ParseSpelling(set, text); err == nil {
			readings = append(readings, sp)
		}
	}
	for _, sp := range readings {
		if fits(sp, dict) {
			return sp, nil
		}
	}
	if len(set.Alphabet().Folding().Both) > 0 {
		for _, sp := range readings {
			if fits(sp, nil) {
				return sp, nil
			}
		}
	}
	return word, nil
}

// Play returns the play that a person typed: a word, and its place unless only one is
// possible.
func Play(all *lexicons.Lists, t table.Table, req bot.Request) (game.Move, error) {
	seat, err := t.Seat(req)
	if err != nil {
		return game.Move{}, err
	}
	if place := t.Variant.Place; place != nil {
		return place(t, seat, req.Args)
	}
	word, err := readWord(all, t, seat, req)
	if err != nil {
		return game.Move{}, err
	}
	rack := t.RackOf(seat)
	if at := req.Args["at"]; at != "" {
		sq, dir, err := game.ParseAt(at)
		if err != nil {
			return game.Move{}, words.Refusing("{at} isn't a square. Type {across} for row 8, column H, reading across, or {down} for the same square, reading down.", text.Code(text.Shorten(at, bot.MaxName)), text.Code("8H"), text.Code("H8"))
		}
		return game.Place(t.Equipment, &t.Board, rack, sq, dir, word)
	}
	spots, phonies, err := findSpots(all, t, rack, word)
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

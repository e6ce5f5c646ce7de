package bot

import (
	"context"
	"strings"

	"github.com/rackmate/rackmate/game"
)

func (h *Host) play(ctx context.Context, req Request) (Reply, error) {
	return h.change(ctx, req, func(t table) (game.Action, error) {
		if req.Number != 0 && req.Number != t.Number {
			return nil, &refusal{refuse(say("The table has moved on since then. Look at the board and try again: ", code("/try "+req.Args["word"]), "."))}
		}
		m, err := h.placed(t, req)
		if err != nil {
			return nil, err
		}
		return game.Play{Move: m}, nil
	})
}

// seat is the asking person's seat in a running game.
func (t table) seat(req Request) (int, error) {
	switch t.Phase {
	case game.NoTable, game.Lobby:
		return 0, &game.RuleError{Code: game.NotStarted}
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
func (h *Host) placed(t table, req Request) (game.Move, error) {
	seat, err := t.seat(req)
	if err != nil {
		return game.Move{}, err
	}
	word, err := game.ParseSpelling(t.Equipment.Tiles, req.Args["word"])
	if err != nil {
		return game.Move{}, err
	}
	rack := t.Seats[seat].Rack
	if at := req.Args["at"]; at != "" {
		sq, dir, err := game.ParseAt(at)
		if err != nil {
			return game.Move{}, &refusal{refuse(say(code(at), " is not a square. Write ", code("8H"), " for row 8, column H, across, and ", code("H8"), " for the same square, down."))}
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

// spots lists where a word can go. Where words are judged as they are played
// only valid plays count, and phonies says what is wrong with the best of the
// others; where challenges are on nothing is said of validity.
func (h *Host) spots(t table, rack game.Tiles, word game.Spelling) (spots []game.Spot, phonies []game.Tiles, err error) {
	spots = t.Rules.Spots(t.Equipment, &t.Board, rack, word, nil)
	if t.Rules.Challenge != game.Void {
		return spots, nil, nil
	}
	dict, err := h.lexicon(t.Lexicon)
	if err != nil {
		return nil, nil, err
	}
	var valid []game.Spot
	for _, s := range spots {
		bad := s.Tally.Phonies(dict)
		if len(bad) == 0 {
			valid = append(valid, s)
		} else if phonies == nil {
			phonies = bad
		}
	}
	return valid, phonies, nil
}

func (h *Host) exchange(ctx context.Context, req Request) (Reply, error) {
	return h.change(ctx, req, func(t table) (game.Action, error) {
		tiles, err := typedTiles(t.Equipment.Tiles, strings.ReplaceAll(req.Args["tiles"], ",", " "))
		if err != nil {
			return nil, err
		}
		return game.Exchange{Tiles: tiles}, nil
	})
}

// typedTiles reads tiles in any case, "?" for a blank.
func typedTiles(set *game.TileSet, text string) (game.Tiles, error) {
	tiles, err := set.Parse(strings.ToUpper(strings.ReplaceAll(text, " ", "")))
	if err != nil || tiles.Count(game.NoTile) > 0 {
		return "", &game.RuleError{Code: game.BadWord, Text: text}
	}
	return tiles, nil
}

func (h *Host) pass(ctx context.Context, req Request) (Reply, error) {
	return h.change(ctx, req, func(t table) (game.Action, error) {
		if req.Number != 0 && !t.showsLatest(req.Number) {
			return nil, staleButton()
		}
		return game.Pass{}, nil
	})
}

// showsLatest reports whether the latest play, still open to a challenge, is
// what a person saw when the table had n events.
func (t table) showsLatest(n int) bool {
	return t.Latest != nil && t.Latest.Number < n
}

func staleButton() error {
	return &refusal{refuse(say("That button is out of date: the game has moved on. ", code("/board"), " shows it as it is."))}
}

// askFirst is what a button's "words" are when the person is still to choose.
const askFirst = "?"

func (h *Host) challenge(ctx context.Context, req Request) (Reply, error) {
	return h.change(ctx, req, func(t table) (game.Action, error) {
		if req.Number != 0 && t.Phase != game.Over && !t.showsLatest(req.Number) {
			return nil, staleButton()
		}
		var named []game.Tiles
		text := req.Args["words"]
		if text == askFirst && t.Latest != nil && t.Rules.Challenge != game.Void {
			return nil, h.askChallenge(t, req)
		}
		if text != askFirst {
			for _, w := range listed(text) {
				tiles, err := typedTiles(t.Equipment.Tiles, w)
				if err != nil {
					return nil, err
				}
				named = append(named, tiles)
			}
		}
		return game.Challenge{Words: named}, nil
	})
}

// listed are the words of a list that spaces or commas separate.
func listed(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\n' || r == '\t' })
}

// askChallenge asks which words to challenge, and says what it may cost.
func (h *Host) askChallenge(t table, req Request) error {
	r := Reply{Text: say("Challenge ", name(t.Seats[t.Latest.Seat].Person), "'s play? ", wrongChallengeCosts(t.Rules.Challenge))}
	button := func(label, words string) {
		r.Buttons = append(r.Buttons, Button{ID: buttonID(t.ID, t.Number, "challenge", map[string]string{"words": words}), Label: label, Style: Danger})
	}
	if len(t.Latest.Words) > 1 {
		button("All the words", "")
	}
	for _, w := range t.Latest.Words[:min(len(t.Latest.Words), 4)] {
		text := plainWord(t.Equipment.Tiles, w.Tiles)
		button(text, text)
	}
	return &refusal{r}
}

func (h *Host) resign(ctx context.Context, req Request) (Reply, error) {
	return h.change(ctx, req, func(t table) (game.Action, error) {
		if _, err := t.seat(req); err != nil {
			return nil, err
		}
		if req.Table == 0 {
			return nil, &refusal{Reply{
				Text:    say("Give up this game?"),
				Buttons: []Button{{ID: buttonID(t.ID, t.Number, "resign", nil), Label: "Yes, resign", Style: Danger}},
			}}
		}
		return game.Resign{}, nil
	})
}

func (h *Host) end(ctx context.Context, req Request) (Reply, error) {
	return h.change(ctx, req, always(game.Agree{}))
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/imaging"
)

// recordedBy are the rules and the equipment of a recorded game: those of clubs
// and tournaments, where GCG comes from, as the variant changes them that the
// record names; and the tiles of the language that it names, by its tiles or its
// word list.
func recordedBy(g record.GCG) (game.Rules, game.Equipment, error) {
	eq, err := standard()
	if err != nil {
		return game.Rules{}, eq, err
	}
	languages, err := openLanguages(nil)
	if err != nil {
		return game.Rules{}, eq, err
	}
	if l := recordedIn(g, languages); l != nil {
		eq.Tiles = l.Tiles
	}
	boards, err := layouts()
	if err != nil {
		return game.Rules{}, eq, err
	}
	v, known := game.FindVariant(g.Variant())
	if !known {
		return game.Rules{}, eq, fmt.Errorf("this program knows no variant %q", g.Variant())
	}
	return v.Vary(game.Club(), eq, boards)
}

// recordedIn is the language that a record names, nil where it names none.
func recordedIn(g record.GCG, languages []*language.Language) *language.Language {
	if name, ok := g.Pragma("tile-distribution"); ok {
		name, _, _ = strings.Cut(strings.ToLower(name), " ")
		if i := slices.IndexFunc(languages, func(l *language.Language) bool { return l.Tiles.Name() == name || l.Code == name }); i >= 0 {
			return languages[i]
		}
	}
	list, _ := g.Pragma("lexicon")
	if l := language.Of(list, languages); l != nil {
		return l
	}
	name, _, _ := strings.Cut(strings.ToUpper(list), " ")
	return language.Of(federationLists[strings.TrimRight(name, "0123456789")], languages)
}

// federationLists are the languages of the lists that games are recorded by, by
// their names without a year or an edition.
var federationLists = map[string]string{
	"FISE": "es", "FILE": "es", "DISC": "ca", "FRA": "fr", "ODS": "fr", "RD": "de", "NSF": "nb", "OSPS": "pl",
}

// recordedViews are the positions of a recorded game, from the empty board
// on, and its final card. The record is played through the rules; the error
// is a *record.Mismatch where they part.
func recordedViews(rules game.Rules, eq game.Equipment, g record.GCG) ([]imaging.View, imaging.FinalCard, error) {
	result, err := record.Replay(rules, eq, g)
	if err != nil {
		return nil, imaging.FinalCard{}, err
	}
	players := make([]imaging.Player, len(g.Players))
	card := imaging.FinalCard{Players: make([]imaging.Finalist, len(g.Players))}
	best := make([]int, len(g.Players))
	for i, p := range g.Players {
		players[i].Name = p.Name
		if p.Name == "" {
			players[i].Name = p.Nick
		}
	}
	v := imaging.View{Equipment: eq, Players: slices.Clone(players)}
	v.Bag = bag(rules, eq, &v.Board, len(players))
	views := []imaging.View{v}
	for i, t := range g.Turns {
		before := v.Board
		v.Board, v.New = result.Boards[i], nil
		for at := range game.MaxSize * game.MaxSize {
			sq := game.Square{Row: at / game.MaxSize, Col: at % game.MaxSize}
			if v.Board.Tile(sq) != before.Tile(sq) && v.Board.Tile(sq) != game.NoTile {
				v.New = append(v.New, sq)
			}
		}
		players[t.Player].Score = t.Total
		v.Players = slices.Clone(players)
		if i+1 < len(g.Turns) {
			v.Players[g.Turns[i+1].Player].ToMove = true
		}
		v.Bag = bag(rules, eq, &v.Board, len(players))
		what, play := told(eq, &v.Board, t)
		v.Caption = players[t.Player].Name + " " + what
		v.Over = t.Kind == record.EndRack
		views = append(views, v)

		p := &card.Players[t.Player]
		if t.Kind != record.EndRack && t.Kind != record.TimePenalty {
			p.Totals = append(p.Totals, t.Total)
		}
		if play != "" && t.Score > best[t.Player] {
			best[t.Player], p.Best = t.Score, play
		}
		if play != "" && rules.BonusTiles > 0 && len(v.New) >= rules.BonusTiles {
			p.Bingos++
		}
	}
	var winners []string
	for i, p := range players {
		if p.Score == slices.Max(result.Scores) {
			winners = append(winners, p.Name)
			p.Note = "won"
		}
		card.Players[i].Player = p
	}
	card.Caption = strings.Join(winners, " and ") + " won"
	return views, card, nil
}

// told is what happened in a turn, without who did it, and the play if it was
// one.
func told(eq game.Equipment, b *game.Board, t record.Turn) (what, play string) {
	switch t.Kind {
	case record.Play:
		play = fmt.Sprintf("%s at %s for %d", wordAt(eq, b, t.At, t.Dir), t.At.At(t.Dir), t.Score)
		return "played " + play, play
	case record.Exchange:
		return "exchanged tiles", ""
	case record.Pass:
		return "passed", ""
	case record.Withdrawn:
		return "took the play back", ""
	case record.ChallengeBonus:
		return fmt.Sprintf("was challenged wrongly and gets %d", t.Score), ""
	case record.TimePenalty:
		return fmt.Sprintf("loses %d for time", -t.Score), ""
	}
	if t.Score < 0 {
		return fmt.Sprintf("loses %d for the tiles left", -t.Score), ""
	}
	return fmt.Sprintf("gets %d for the tiles left", t.Score), ""
}

// wordAt is the word that begins on a square.
func wordAt(eq game.Equipment, b *game.Board, sq game.Square, d game.Dir) string {
	word := ""
	for ; b.Tile(sq) != game.NoTile; sq = sq.Step(d, 1) {
		word += eq.Tiles.Letter(b.Tile(sq))
	}
	return word
}

// bag is how many tiles the bag has when every rack is full or the bag empty.
func bag(rules game.Rules, eq game.Equipment, b *game.Board, players int) int {
	return max(0, len(eq.Tiles.All())-len(b.Tiles())-players*rules.RackSize)
}

package lab

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/imaging"
)

// A recording is a recorded game with its rules and equipment.
type recording struct {
	record.GCG
	rules game.Rules
	eq    game.Equipment
	named bool // the language is known, not assumed to be English
}

// openRecording reads a recorded game, in the language with the code unless that is empty.
func openRecording(file, code string) (recording, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return recording{}, err
	}
	return readRecording(data, code)
}

func readRecording(data []byte, code string) (recording, error) {
	languages, err := cli.OpenLanguages(nil)
	if err != nil {
		return recording{}, err
	}
	g, err := record.Read(data, func(name string) *game.TileSet {
		if l := languageByTiles(name, languages); l != nil {
			return l.Tiles
		}
		return nil
	})
	if err != nil {
		return recording{}, err
	}
	l := recordedLanguage(g, languages)
	if code != "" {
		if l = language.Of(code, languages); l == nil {
			return recording{}, fmt.Errorf("unknown language %q: \"rackmate language list\" names them", code)
		}
	}
	if l == nil {
		if letter, line := findForeignLetter(g, languages[0].Tiles); letter != "" {
			return recording{}, &record.LineError{Line: line, Err: fmt.Errorf("these letters aren't English (%s): name the language, %s", letter, fittingPhrase(g, languages[1:], "as in --language %s, by whose tiles every score is right", "with --language and its code"))}
		}
		r, err := recordedBy(g, languages[0])
		return r, err
	}
	r, err := recordedBy(g, l)
	r.named = true
	return r, err
}

// nameOf returns a player's full name, or the nick if the record has no other.
func nameOf(p record.Player) string { return cmp.Or(p.Name, p.Nick) }

// recordedBy returns a recorded game with its rules and equipment: the club and tournament
// rules, changed by the variant that the record names, and the tiles of a language.
func recordedBy(g record.GCG, l *language.Language) (recording, error) {
	eq, err := cli.StandardEquipment()
	if err != nil {
		return recording{}, err
	}
	eq.Tiles = l.Tiles
	boards, err := cli.OpenLayouts()
	if err != nil {
		return recording{}, err
	}
	v, known := game.FindVariant(g.Variant())
	if !known {
		return recording{}, fmt.Errorf("unknown variant %q", g.Variant())
	}
	r := recording{GCG: g}
	r.rules, r.eq, err = v.Vary(game.Club(), eq, boards)
	return r, err
}

// replay plays the recording through the rules. If that fails and no language is named, the error
// suggests others that fit.
func (r recording) replay() (record.Result, error) {
	result, err := record.Replay(r.rules, r.eq, r.GCG)
	var bad *record.Mismatch
	if !errors.As(err, &bad) || r.named {
		return result, err
	}
	languages, openErr := cli.OpenLanguages(nil)
	if openErr != nil {
		return result, err
	}
	if hint := fittingPhrase(r.GCG, languages[1:], "no language is named, and with --language %s every score is right", ""); hint != "" {
		bad.Reason += "; " + hint
	}
	return result, err
}

// findForeignLetter returns a letter that a tile set lacks, and its line.
func findForeignLetter(g record.GCG, set *game.TileSet) (letter string, line int) {
	for _, t := range g.Turns {
		for _, r := range t.Rack + t.Tiles {
			if r > unicode.MaxASCII && unicode.IsLetter(r) && !strings.ContainsRune(set.Faces(), unicode.ToUpper(r)) {
				return string(r), t.Line
			}
		}
	}
	return "", 0
}

// fittingPhrase searches for the languages with which every score of a record is right. It
// returns phrase with their codes, or otherwise if there are none or many.
func fittingPhrase(g record.GCG, languages []*language.Language, phrase, otherwise string) string {
	var codes []string
	for _, l := range languages {
		if r, err := recordedBy(g, l); err == nil {
			if _, err := record.Replay(r.rules, r.eq, g); err == nil {
				codes = append(codes, l.Code)
			}
		}
	}
	if len(codes) == 0 || len(codes) > 3 {
		return otherwise
	}
	return fmt.Sprintf(phrase, strings.Join(codes, " or "))
}

// recordedLanguage returns the language that a record names, or nil.
func recordedLanguage(g record.GCG, languages []*language.Language) *language.Language {
	name, _ := g.Pragma("tile-distribution")
	if l := languageByTiles(name, languages); l != nil {
		return l
	}
	list, _ := g.Pragma("lexicon")
	if l := language.Of(list, languages); l != nil {
		return l
	}
	if l := languageByTiles(list, languages); l != nil {
		return l
	}
	name, _, _ = strings.Cut(strings.ToUpper(list), " ")
	return language.Of(federationLists[strings.TrimRight(name, "0123456789")], languages)
}

// languageByTiles returns the language whose tiles have a name, such as "spanish", or nil.
func languageByTiles(name string, languages []*language.Language) *language.Language {
	name, _, _ = strings.Cut(strings.ToLower(name), " ")
	i := slices.IndexFunc(languages, func(l *language.Language) bool { return name != "" && (l.Tiles.Name() == name || l.Code == name) })
	if i < 0 {
		return nil
	}
	return languages[i]
}

// federationLists maps federations' word lists, by their names without a year or an edition, to
// languages.
var federationLists = map[string]string{
	"FISE": "es", "FILE": "es", "DISC": "ca", "FRA": "fr", "ODS": "fr", "RD": "de", "DSW": "nl", "NSF": "nb", "OSPS": "pl",
	"CSW": "en", "NWL": "en", "TWL": "en", "OWL": "en", "OSW": "en", "OSPD": "en", "ECWL": "en",
}

// recordedViews returns the positions of a recorded game, starting with the empty board, and its
// final card. It plays the record through the rules, and returns a *record.Mismatch if they
// disagree.
func recordedViews(g recording) ([]imaging.View, imaging.FinalCard, error) {
	rules, eq := g.rules, g.eq
	result, err := g.replay()
	if err != nil {
		return nil, imaging.FinalCard{}, err
	}
	players := make([]imaging.Player, len(g.Players))
	card := imaging.FinalCard{Players: make([]imaging.Finalist, len(g.Players))}
	best := make([]int, len(g.Players))
	for i, p := range g.Players {
		players[i].Name = nameOf(p)
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
		what, play := describe(eq, &v.Board, t)
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

// describe returns what happened in a turn, without the player's name, and the play if it was one.
func describe(eq game.Equipment, b *game.Board, t record.Turn) (what, play string) {
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

// wordAt returns the word that starts on a square.
func wordAt(eq game.Equipment, b *game.Board, sq game.Square, d game.Dir) string {
	word := ""
	for ; b.Tile(sq) != game.NoTile; sq = sq.Step(d, 1) {
		word += eq.Tiles.Letter(b.Tile(sq))
	}
	return word
}

// bag returns the number of tiles in the bag, assuming full racks unless it is empty.
func bag(rules game.Rules, eq game.Equipment, b *game.Board, players int) int {
	return max(0, len(eq.Tiles.All())-len(b.Tiles())-players*rules.RackSize)
}

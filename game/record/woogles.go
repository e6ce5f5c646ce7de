package record

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// Read parses a recorded game: GCG or the JSON of Woogles. tiles returns the tile set that the file
// names ("english" if none), or nil if it is unknown. Errors are *[LineError].
func Read(data []byte, tiles func(distribution string) *game.TileSet) (GCG, error) {
	if text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n"); bytes.HasPrefix(text, []byte("{")) {
		g, err := parseWoogles(text, tiles)
		if err != nil {
			return GCG{}, &LineError{1, err}
		}
		return g, nil
	}
	return ParseGCG(data)
}

// A wooglesGame is a game in Woogles' formats: the older history, in which tiles are text, or the
// newer document, in which they are letter numbers. Field names have one of two spellings; see
// oneSpelling.
type wooglesGame struct {
	Players []struct {
		Nickname string `json:"nickname"`
		RealName string `json:"realName"`
	} `json:"players"`
	Events             []wooglesEvent `json:"events"`
	Lexicon            string         `json:"lexicon"`
	Title              string         `json:"title"`
	LetterDistribution string         `json:"letterDistribution"`
	Variant            string         `json:"variant"`
	BoardLayout        string         `json:"boardLayout"`

	// Only documents have these fields.
	Board   json.RawMessage `json:"board"`
	Version int             `json:"version"`
}

type wooglesEvent struct {
	Nickname      string      `json:"nickname"`
	PlayerIndex   int         `json:"playerIndex"`
	Type          wooglesKind `json:"type"`
	Rack          string      `json:"rack"`
	Position      string      `json:"position"`
	PlayedTiles   string      `json:"playedTiles"`
	Exchanged     string      `json:"exchanged"`
	NumTiles      int         `json:"numTilesFromRack"`
	Score         int         `json:"score"`
	Bonus         int         `json:"bonus"`
	EndRackPoints int         `json:"endRackPoints"`
	LostScore     int         `json:"lostScore"`
	Cumulative    int         `json:"cumulative"`
	Note          string      `json:"note"`
}

// A wooglesKind is the name of a kind of event; files may have its number instead.
type wooglesKind string

var wooglesKinds = []wooglesKind{
	"TILE_PLACEMENT_MOVE", "PHONY_TILES_RETURNED", "PASS", "CHALLENGE_BONUS", "EXCHANGE", "END_RACK_PTS", "TIME_PENALTY", "END_RACK_PENALTY", "UNSUCCESSFUL_CHALLENGE_TURN_LOSS", "CHALLENGE",
}

// UnmarshalJSON accepts the name or the number.
func (k *wooglesKind) UnmarshalJSON(b []byte) error {
	var name string
	if json.Unmarshal(b, &name) == nil {
		*k = wooglesKind(name)
		return nil
	}
	var n int
	if err := json.Unmarshal(b, &n); err != nil || n < 0 || n >= len(wooglesKinds) {
		return fmt.Errorf("unknown kind of event %s", b)
	}
	*k = wooglesKinds[n]
	return nil
}

var errNotWoogles = errors.New("JSON, but not a Woogles game, which has players and events")

func parseWoogles(data []byte, tiles func(string) *game.TileSet) (GCG, error) {
	var file map[string]any
	if err := json.Unmarshal(data, &file); err != nil {
		return GCG{}, fmt.Errorf("unreadable JSON: %w", err)
	}
	for _, within := range []string{"history", "document", "gameHistory", "game_history"} { // wrappers used in the service's responses
		if inner, ok := file[within].(map[string]any); ok {
			file = inner
		}
	}
	plain, err := json.Marshal(oneSpelling(file))
	if err != nil {
		return GCG{}, err
	}
	var w wooglesGame
	if err := json.Unmarshal(plain, &w); err != nil {
		return GCG{}, fmt.Errorf("%w: %w", errNotWoogles, err)
	}
	if len(w.Players) == 0 || len(w.Players) > maxPlayers || len(w.Events) == 0 {
		return GCG{}, errNotWoogles
	}
	if w.Variant != "" && w.Variant != "classic" {
		return GCG{}, fmt.Errorf("a game of the variant %.40q, which is played by other rules", w.Variant)
	}
	if w.BoardLayout != "" && w.BoardLayout != "CrosswordGame" {
		return GCG{}, fmt.Errorf("a game on the board %.40q, which is not the usual one", w.BoardLayout)
	}
	text := func(tiles string) (string, error) { return tiles, nil }
	if w.Board != nil {
		set := tiles(orElse(w.LetterDistribution, "english"))
		if set == nil {
			return GCG{}, fmt.Errorf("unknown tiles %.40q", w.LetterDistribution)
		}
		text = func(tiles string) (string, error) { return decodeTiles(set, w.Version, tiles) }
	}
	return w.gcg(text)
}

// gcg returns the game as GCG; text converts tiles.
func (w wooglesGame) gcg(text func(string) (string, error)) (GCG, error) {
	var g GCG
	for _, p := range w.Players {
		g.Players = append(g.Players, Player{Nick: oneWord(p.Nickname), Name: p.RealName})
	}
	for _, p := range []Pragma{{"title", w.Title}, {"lexicon", w.Lexicon}, {"tile-distribution", w.LetterDistribution}} {
		if p.Text != "" {
			g.Pragmas = append(g.Pragmas, p)
		}
	}
	for i, e := range w.Events {
		t, err := w.turn(e, text)
		if err != nil {
			return GCG{}, fmt.Errorf("event %d: %w", i+1, err)
		}
		t.Line = i + 1
		g.Turns = append(g.Turns, t)
	}
	return g, nil
}

func (w wooglesGame) turn(e wooglesEvent, text func(string) (string, error)) (Turn, error) {
	t := Turn{Player: e.PlayerIndex, Total: e.Cumulative}
	if e.Nickname != "" { // older files have the player's name instead of the index
		for i, p := range w.Players {
			if p.Nickname == e.Nickname {
				t.Player = i
			}
		}
	}
	if t.Player < 0 || t.Player >= len(w.Players) {
		return t, fmt.Errorf("there is no player %d", t.Player)
	}
	if e.Note != "" {
		t.Pragmas = []Pragma{{"note", e.Note}}
	}
	var errs [3]error
	var played, exchanged string
	t.Rack, errs[0] = text(e.Rack)
	played, errs[1] = text(e.PlayedTiles)
	played = strings.ReplaceAll(played, "?", ".") // both are 0 in numbers
	exchanged, errs[2] = text(e.Exchanged)
	if err := errors.Join(errs[:]...); err != nil {
		return t, err
	}
	switch e.Type {
	case "", "TILE_PLACEMENT_MOVE":
		t.Kind, t.Tiles, t.Score = Play, played, e.Score
		var err error
		if t.At, t.Dir, err = game.ParseAt(e.Position); err != nil {
			return t, fmt.Errorf("%q is %w", e.Position, err)
		}
	case "PHONY_TILES_RETURNED":
		t.Kind, t.Score = Withdrawn, -e.LostScore
	case "PASS", "UNSUCCESSFUL_CHALLENGE_TURN_LOSS", "CHALLENGE":
		t.Kind = Pass
	case "CHALLENGE_BONUS":
		t.Kind, t.Score = ChallengeBonus, e.Bonus
	case "EXCHANGE":
		t.Kind, t.Tiles = Exchange, exchanged
		if exchanged == "" {
			t.Count = e.NumTiles
		}
	case "END_RACK_PTS":
		t.Kind, t.Tiles, t.Score, t.Rack = EndRack, t.Rack, e.EndRackPoints, ""
	case "END_RACK_PENALTY":
		t.Kind, t.Tiles, t.Score = EndRack, t.Rack, -e.LostScore
	case "TIME_PENALTY":
		t.Kind, t.Score = TimePenalty, -e.LostScore
	default:
		return t, fmt.Errorf("%.40q is no kind of event", e.Type)
	}
	return t, nil
}

// decodeTiles returns tiles given as letter numbers, one byte each, in base64. 0 is a blank on a rack
// and a tile played through in a play. A blank with a letter has its negative number in version 1,
// and the number plus 128 later.
func decodeTiles(set *game.TileSet, version int, encoded string) (string, error) {
	numbers, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return "", fmt.Errorf("tiles: %w", err)
	}
	var b strings.Builder
	for _, n := range numbers {
		letter := n & 0x7f
		if n >= 0x80 && version < 2 {
			letter = -n
		}
		t := game.LetterTile(lexicon.Letter(letter))
		switch {
		case n == 0:
			t = game.Blank
		case n >= 0x80:
			t = game.BlankAs(lexicon.Letter(letter))
		}
		if letter >= 0x80 || !set.Has(t) {
			return "", fmt.Errorf("the %s tiles have no letter %d", set.Name(), letter)
		}
		b.WriteString(set.Print(game.TilesOf(t)))
	}
	return b.String(), nil
}

// oneSpelling converts field names such as played_tiles to playedTiles, because files have both.
func oneSpelling(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, value := range v {
			var b strings.Builder
			up := false
			for _, r := range name {
				switch {
				case r == '_':
					up = true
				case up:
					b.WriteRune(unicode.ToUpper(r))
					up = false
				default:
					b.WriteRune(r)
				}
			}
			out[b.String()] = oneSpelling(value)
		}
		return out
	case []any:
		for i := range v {
			v[i] = oneSpelling(v[i])
		}
	}
	return v
}

func oneWord(s string) string { return strings.Join(strings.Fields(s), "_") }

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

package record_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// english returns a function that only knows the English tiles.
func english(t testing.TB) func(string) *game.TileSet {
	return func(name string) *game.TileSet {
		if name != "english" {
			return nil
		}
		return gametest.Equipment(t).Tiles
	}
}

// shortGame is a short game from Woogles' files: a play, a phony taken back, an exchange, a play
// with a blank through a tile, a pass, and the end.
const shortGame = "#player1 ann Ann_A\n#player2 bob\n#lexicon NWL20\n" +
	">ann: ADHNORS 8G HORN +14 14\n>bob: AEIOTUX H7 X.U +18 18\n>bob: AEIOTUX -- -18 0\n>ann: ADEFGST -FG +0 14\n" +
	">bob: ?EIOTUX J8 .Ix +2 2\n#note oops\n>ann: ADEST - +0 14\n>bob: (ADEST) +12 14\n"

func TestReadWoogles(t *testing.T) {
	const players = `"players":[{"nickname":"ann","real_name":"Ann_A"},{"nickname":"bob"}],"lexicon":"NWL20"`
	history := `{` + players + `,"events":[
		{"rack":"ADHNORS","cumulative":14,"row":7,"column":6,"position":"8G","played_tiles":"HORN","score":14},
		{"player_index":1,"rack":"AEIOTUX","cumulative":18,"position":"H7","direction":1,"played_tiles":"X.U","score":18},
		{"player_index":1,"rack":"AEIOTUX","type":1,"cumulative":0,"played_tiles":"X.U","lost_score":18},
		{"rack":"ADEFGST","type":4,"cumulative":14,"exchanged":"FG","num_tiles_from_rack":2},
		{"player_index":1,"rack":"?EIOTUX","cumulative":2,"position":"J8","played_tiles":".Ix","score":2,"note":"oops"},
		{"rack":"ADEST","type":2,"cumulative":14},
		{"player_index":1,"rack":"ADEST","type":5,"cumulative":14,"end_rack_points":12}]}`
	// The same with the field names of the service's responses, and nicknames instead of indexes.
	camel := strings.NewReplacer("played_tiles", "playedTiles", "player_index", "playerIndex", "real_name", "realName", "lost_score", "lostScore", "end_rack_points", "endRackPoints",
		"num_tiles_from_rack", "numTilesFromRack", `"type":1`, `"type":"PHONY_TILES_RETURNED"`, `"type":4`, `"type":"EXCHANGE"`, `"type":2`, `"type":"PASS"`, `"type":5`, `"type":"END_RACK_PTS"`)
	named := strings.ReplaceAll(history, `"player_index":1`, `"nickname":"bob"`)
	for name, text := range map[string]string{
		"history": history, "history, in the other spelling": camel.Replace(history), "history with nicknames": named,
		"an answer of the service": `{"history":` + camel.Replace(history) + `}`, "marked": "\ufeff\n " + history,
		"GCG": shortGame,
	} {
		g, err := record.Read([]byte(text), english(t))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.TrimPrefix(g.String(), "#character-encoding UTF-8\n"); got != shortGame {
			t.Errorf("%s is read as\n%s", name, got)
		}
	}
	// A document has letter numbers: QI, and then a blank I, in either version.
	for version, blank := range map[string]string{"1": "APc=", "2": "AIk="} {
		text := `{` + players + `,"version":` + version + `,"letterDistribution":"english","board":{},"events":[
			{"rack":"EQkA","cumulative":22,"position":"8G","playedTiles":"EQk=","score":22},
			{"rack":"AA==","playerIndex":1,"cumulative":1,"position":"H8","playedTiles":"` + blank + `","score":1}]}`
		g, err := record.Read([]byte(text), english(t))
		if err != nil {
			t.Errorf("version %s: %v", version, err)
			continue
		}
		if a, b := g.Turns[0], g.Turns[1]; a.Rack != "QI?" || a.Tiles != "QI" || b.Rack != "?" || b.Tiles != ".i" {
			t.Errorf("version %s: %+v %+v", version, a, b)
		}
	}
	for text, want := range map[string]string{
		`{`:            "unreadable JSON",
		`{"format":1}`: "not a Woogles game",
		`{` + players + `,"events":[{"position":"Z9"}]}`:                                    `event 1: "Z9" is not a square`,
		`{` + players + `,"events":[{"type":77}]}`:                                          "unknown kind of event 77",
		`{` + players + `,"events":[{"type":"DANCE"}]}`:                                     `"DANCE" is no kind of event`,
		`{` + players + `,"events":[{"type":2,"player_index":2}]}`:                          "there is no player 2",
		`{` + players + `,"variant":"wordsmog","events":[{"type":2}]}`:                      `a game of the variant "wordsmog"`,
		`{` + players + `,"boardLayout":"SuperCrosswordGame","events":[{"type":2}]}`:        `a game on the board "SuperCrosswordGame"`,
		`{` + players + `,"letterDistribution":"klingon","board":{},"events":[{"type":2}]}`: `unknown tiles "klingon"`,
		`{` + players + `,"board":{},"version":2,"events":[{"type":2,"rack":"fw=="}]}`:      "the english tiles have no letter 127",
	} {
		_, err := record.Read([]byte(text), english(t))
		var at *record.LineError
		if !errors.As(err, &at) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

func FuzzReadWoogles(f *testing.F) {
	f.Add([]byte(`{"players":[{"nickname":"a"}],"events":[{"rack":"?AB","position":"8H","played_tiles":"a.","score":3,"cumulative":3},{"type":"END_RACK_PTS","rack":"AB"}]}`))
	f.Add([]byte(`{"players":[{"nickname":"a"}],"version":1,"board":{},"events":[{"rack":"EQkA","position":"8H","playedTiles":"AOU=","score":3,"cumulative":3}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := record.Read(data, english(t))
		if err == nil {
			record.Replay(game.Club(), gametest.Equipment(t), g) // only checks that it doesn't panic
		}
	})
}

package features_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// Rows that were stored before shelves had types can be read on every shelf, and the people named
// in them can export and erase them.
func TestOldRowsCanBeRead(t *testing.T) {
	b, err := os.ReadFile("testdata/shelves.json")
	gametest.Must(t, err)
	var stored map[string]map[string]string
	gametest.Must(t, json.Unmarshal(b, &stored))
	w := newWorld(t)
	for shelf, rows := range stored {
		for key, value := range rows {
			gametest.Must(t, w.Config.Notes.Put(t.Context(), shelf, key, []byte(value)))
		}
	}
	found, err := w.Host.CheckKept(t.Context())
	gametest.Must(t, err)
	for _, l := range w.Host.Shelves() {
		if found[l.Name] == 0 || found[l.Name] != len(stored[l.Name]) {
			t.Errorf("%s's shelf %q has %d rows, and %d were stored", l.Owner, l.Name, found[l.Name], len(stored[l.Name]))
		}
		delete(stored, l.Name)
	}
	for shelf := range stored {
		t.Errorf("nobody has the shelf %q any more", shelf)
	}
	gametest.Must(t, w.Host.Forget(t.Context(), bot.User{ID: "test:ann", Name: "Ann"}))
	for _, shelf := range []string{"settings", "blocks", "away", "links", "reports", "club", "club guests", "tournaments", "duplicate"} {
		rows, err := w.Config.Notes.Scan(t.Context(), shelf, "", "", 100)
		gametest.Must(t, err)
		for _, row := range rows {
			var is any
			gametest.Must(t, json.Unmarshal(row.Value, &is))
			if row.Key == "test:ann" || names(is, "test:ann") {
				t.Errorf("Ann is forgotten, and in %q stands %q %s", shelf, row.Key, row.Value)
			}
		}
	}
}

// When a workspace's people and places are erased, no shelf's rows contain their ids any more. The
// program's TestForgetWorkspace does the same with games that were played.
func TestForgottenWorkspaceIsOnNoShelf(t *testing.T) {
	b, err := os.ReadFile("testdata/shelves.json")
	gametest.Must(t, err)
	const workspace = "slack:T1/"
	var stored map[string]map[string]string
	gametest.Must(t, json.Unmarshal(bytes.ReplaceAll(b, []byte("test:"), []byte(workspace)), &stored))
	w := newWorld(t)
	had := 0
	for shelf, rows := range stored {
		switch shelf {
		case "results", "table-notes", "versus":
			continue // these rows are found through the tables of games, which don't exist here
		}
		for key, value := range rows {
			gametest.Must(t, w.Config.Notes.Put(t.Context(), shelf, key, []byte(value)))
			had += strings.Count(key+value, workspace)
		}
	}
	if had < 100 {
		t.Fatalf("only %d ids are stored", had)
	}
	for _, who := range []string{"ann", "bob", "cat", "dan", "den", "eve", "mod", "x"} {
		gametest.Must(t, w.Host.Forget(t.Context(), bot.User{ID: game.PlayerID(workspace + who), Name: who}))
	}
	if _, err := w.Host.ForgetPlaces(t.Context(), func(place string) bool { return strings.HasPrefix(place, workspace) }); err != nil {
		t.Fatal(err)
	}
	for _, l := range w.Host.Shelves() {
		rows, err := w.Config.Notes.Scan(t.Context(), l.Name, "", "", 1000)
		gametest.Must(t, err)
		for _, row := range rows {
			if strings.Contains(row.Key+string(row.Value), workspace) {
				t.Errorf("%q has %q %s", l.Name, row.Key, row.Value)
			}
		}
	}
}

// names reports whether a JSON value contains a text anywhere.
func names(v any, text string) bool {
	switch v := v.(type) {
	case string:
		return v == text
	case []any:
		for _, each := range v {
			if names(each, text) {
				return true
			}
		}
	case map[string]any:
		for key, each := range v {
			if key == text || names(each, text) {
				return true
			}
		}
	}
	return false
}

package web_test

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/web/static"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestBoardIsSmall limits the board's files to 30 kB, which a phone loads quickly.
func TestBoardIsSmall(t *testing.T) {
	s, total := open(t), 0
	for _, name := range []string{"play", "board", "squares", "hand", "controls", "players", "story", "keys", "drag", "motion"} {
		total += get(s, "/static/"+name+".js", "gzip").Body.Len()
	}
	total += get(s, "/static/board.css", "gzip").Body.Len()
	if total > 30_000 {
		t.Errorf("%d bytes of script and styles are sent for the board", total)
	}
	t.Logf("%d bytes", total)
}

// TestServiceWorkerKeepsPageFiles checks that the service worker keeps exactly the page's files for offline
// use.
func TestServiceWorkerKeepsPageFiles(t *testing.T) {
	worker, err := os.ReadFile("static/sw.js")
	gametest.Must(t, err)
	all, err := static.Files.ReadDir(".")
	gametest.Must(t, err)
	elsewhere := []string{"page.css", "analyse.css", "daily.css", "blocks.css", "aleo-accents.woff2", "aleo-ext.woff2", "activity.css", "icon-512.png", "icon-maskable.png", "apple-touch-icon.png"} // files of other pages, accents of the font, and icons for systems
	for _, f := range all {
		if path.Ext(f.Name()) == ".js" && f.Name() != "door.js" { // which has all scripts of the page in it
			elsewhere = append(elsewhere, f.Name())
		}
		if strings.Contains(string(worker), `"/static/`+f.Name()+`"`) == slices.Contains(elsewhere, f.Name()) {
			t.Errorf("static/%s is kept for the page although another has it, or is not although the page has it", f.Name())
		}
	}
}

package play_test

import (
	"bytes"
	"image/gif"
	"image/png"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
)

// The pictures of a game, while it runs and when it is over.
func TestPicturesOfGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, featuretest.Pictures(t))
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:" + strings.Repeat("ERS", 20), "ann:HORNSA?", "bob:FARMQI?"}))
		frames := func() int {
			t.Helper()
			r := w.Does(bottest.People["eve"], "/replay")
			if r.Refused || len(r.Files) != 1 || r.Files[0].Type != "image/gif" || r.Files[0].Name != "rackmate-1.gif" {
				t.Fatalf("/replay: %s, %d files", r.Text, len(r.Files))
			}
			g, err := gif.DecodeAll(bytes.NewReader(r.Files[0].Data))
			gametest.Must(t, err)
			return len(g.Image)
		}
		if n := frames(); n != 1 {
			t.Errorf("%d pictures before the first move", n)
		}
		w.Does(bottest.People["ann"], "/play horn 8g")
		w.Does(bottest.People["bob"], "/pass")
		if n := frames(); n != 3 {
			t.Errorf("%d pictures after two moves", n)
		}

		widths := map[string]int{}
		for _, as := range []string{"", "picture", "zoom", "print"} {
			r := w.Does(bottest.People["eve"], "/board "+as)
			c, err := png.DecodeConfig(bytes.NewReader(r.Picture.PNG))
			if err != nil || !strings.Contains(r.Picture.Alt.String(), "HORN") {
				t.Errorf("/board %s: %v, %s", as, err, r.Picture.Alt)
			}
			widths[as] = c.Width
		}
		if widths["zoom"] != widths[""] || widths["print"] != 2*widths["picture"] {
			t.Errorf("the pictures are wide: %v", widths)
		}

		if r := w.Does(bottest.People["eve"], "/history"); r.Picture != nil {
			t.Error("a summary of a game that isn't over")
		}
		resign, ok := bot.Request{ID: "press", Channel: featuretest.Parlour, User: bottest.People["bob"]}.Press(w.Does(bottest.People["bob"], "/resign").Buttons[0].ID)
		if r := w.Host.Handle(t.Context(), resign); !ok || r.Refused {
			t.Fatalf("the button: %s", r.Text)
		}
		r := w.Does(bottest.People["eve"], "/history")
		if r.Picture == nil || !strings.Contains(r.Picture.Alt.String(), "Best play HORN at 8G for 14") {
			t.Fatalf("the summary: %+v", r.Picture)
		}
		if _, err := png.DecodeConfig(bytes.NewReader(r.Picture.PNG)); err != nil {
			t.Error(err)
		}
		if n := frames(); n != 5 { // resigned, ended
			t.Errorf("%d pictures of the whole game", n)
		}
	})
}

// A player's /board brings the board down for everybody; a watcher's shows it in private. It comes
// once for each request, and not at all if a move has been posted since.
func TestBoardCommandBringsBoardDown(t *testing.T) {
	posted := func(t *testing.T, lines ...string) []bot.Message {
		w := featuretest.New(t)
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:" + strings.Repeat("ERS", 20), "ann:HORNSA?", "bob:FARMQI?"}))
		w.Does(bottest.People["ann"], "/play horn 8g")
		for _, line := range lines {
			req := w.Request(bottest.People["bob"], line)
			for range 2 { // delivered twice
				if r := w.Host.Handle(t.Context(), req); r.Refused || line == "/board" && r.Picture != nil {
					t.Fatalf("Bob is told %s", r.Text)
				}
			}
		}
		if r := w.Does(bottest.People["eve"], "/board"); r.Picture == nil || !strings.Contains(r.Picture.Alt.String(), "HORN") {
			t.Errorf("who watches is shown %v", r.Picture)
		}
		w.Run()
		synctest.Wait()
		return slices.DeleteFunc(w.Posts.Take(), func(m bot.Message) bool { return m.To != nil })
	}
	synctest.Test(t, func(t *testing.T) {
		posts := posted(t, "/board")
		if len(posts) != 2 || !strings.Contains(posts[1].Text.String(), "It's Bob's turn") ||
			posts[1].Picture.Alt.String() != posts[0].Picture.Alt.String() || len(posts[1].Line) == 0 || len(posts[1].Buttons) != len(posts[0].Buttons) {
			t.Errorf("posted %+v", posts)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		if posts := posted(t, "/board", "/pass"); len(posts) != 2 || !strings.Contains(posts[1].Text.String(), "Bob passes") {
			t.Errorf("an overtaken board was posted: %+v", posts)
		}
	})
}

func TestReplayWithoutPictures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		ask := func() bot.Reply { return w.Does(bottest.People["eve"], "/replay") }
		if r := ask(); !r.Refused {
			t.Errorf("without a game: %s", r.Text)
		}
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"bag:" + strings.Repeat("ERS", 20), "ann:HORNSA?", "bob:FARMQI?"}))
		if r := ask(); !r.Refused || !strings.Contains(r.Text.String(), "/history") {
			t.Errorf("without a renderer: %s", r.Text)
		}
	})
}

// A finished game is exported as its moves, its proof, and what its variant adds.
func TestExportOfFinishedGame(t *testing.T) {
	for options, want := range map[string]string{
		"":                  "rackmate-1.gcg rackmate-1-proof.json",
		"variant:duplicate": "rackmate-1.gcg rackmate-1-proof.json rackmate-1-scores.csv",
	} {
		w := featuretest.New(t)
		w.Must("ann", "/new "+options)
		w.Must("bob", "/join")
		w.Must("ann", "/start")
		end := w.Request(bottest.People["mod"], "/end")
		end.Manager, end.Table = true, 1
		if r := w.Host.Handle(t.Context(), end); r.Refused {
			t.Fatalf("%q: %s", options, r.Text)
		}
		var names []string
		for _, f := range w.Does(bottest.People["eve"], "/export").Files {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: exported are %q, want %q", options, got, want)
		}
	}
}

// A wish for a draw survives the question whether to spend a blank.
func TestWishSurvivesBlankQuestion(t *testing.T) {
	for line, draws := range map[string]string{"/play horn 8h draw:4": "4", "/play horn 8h": ""} {
		w := featuretest.New(t)
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "single", []string{"variant:double-bag", "bag:EEEEEEEEHHHHHHHH", "ann:HORSAI?", "bob:FARMQI?"}))
		asked := w.Does(bottest.People["ann"], line)
		if len(asked.Buttons) != 1 {
			t.Fatalf("%s: %s", line, asked.Text)
		}
		req, _ := w.Request(bottest.People["ann"], "/help").Press(asked.Buttons[0].ID)
		if draw, said := req.Args["draw"]; draw != draws || said != (draws != "") {
			t.Errorf("%s: the button draws %q", line, draw)
		}
		if r := w.Host.Handle(t.Context(), req); r.Refused {
			t.Errorf("%s: %s", line, r.Text)
		}
	}
}

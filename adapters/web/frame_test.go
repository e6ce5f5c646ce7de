package web_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

// A frame is the board inside another platform's client, with its bearer.
type frame struct {
	h      *house
	bearer string
}

const kitchen = bot.ChannelID("discord:kitchen")

// framed starts a house with a frame opened by Cora. She plays with Dora in the frame's
// channel, and with Eve in another.
func framed(t *testing.T) *frame {
	t.Helper()
	h := newHouse(t)
	h.says(cora, salon, "/new seats:2")
	h.says(dora, salon, "/join")
	h.says(cora, kitchen, "/new seats:2")
	h.says(bot.User{ID: "discord:3", Name: "Eve"}, kitchen, "/join")
	h.room.SetActivity(&frameOf{who: cora})
	f := &frame{h: h}
	f.bearer = f.asks(t, "enter", obj{"instance": "i-1", "code": "a-code"}, 200)["bearer"].(string)
	return f
}

func (f *frame) request(method, path string, in any) *httptest.ResponseRecorder {
	b, err := json.Marshal(in)
	gametest.Must(f.h.t, err)
	req := httptest.NewRequest(method, "http://localhost:8080/activity/"+path, bytes.NewReader(b))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Origin", frameOrigin)
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if f.bearer != "" {
		req.Header.Set("Authorization", "Bearer "+f.bearer)
	}
	return newRecorder(f.h, req)
}

// asks sends a request from the frame, and fails the test unless the answer has the status.
func (f *frame) asks(t *testing.T, path string, in any, status int) (out map[string]any) {
	t.Helper()
	w := f.request("POST", path, in)
	if w.Code != status {
		t.Fatalf("%s %v: %d %s, want %d", path, in, w.Code, w.Body, status)
	}
	decode(t, w, &out)
	return out
}

// shown returns the private answer to a command or a press.
func (f *frame) shown(t *testing.T, path string, in any) message {
	t.Helper()
	var out struct{ Reply message }
	decode(t, f.request("POST", path, in), &out)
	return out.Reply
}

// players returns the names at the table that the frame shows.
func (f *frame) players(t *testing.T) (names string) {
	t.Helper()
	var out struct{ Sight bot.Sight }
	decode(t, f.request("POST", "table", obj{}), &out)
	for _, p := range out.Sight.Players {
		names += p.Name + " "
	}
	return names
}

// A player with several games switches the frame between them, and plays in each as in its
// own channel. At another channel's table, only players' commands work.
func TestFrameSwitchesGames(t *testing.T) {
	f := framed(t)
	var games struct{ Games []struct{ Table bot.TableID } }
	decode(t, f.request("POST", "lobby", obj{}), &games)
	if len(games.Games) != 2 {
		t.Fatalf("Cora's games are %+v", games)
	}
	here := f.players(t)
	if !strings.Contains(here, "Dora") {
		t.Fatalf("the frame shows a table of %s", here)
	}
	first, there := f.bearer, ""
	for _, g := range games.Games {
		f.bearer = f.asks(t, "turn", obj{"table": g.Table}, 200)["bearer"].(string)
		if there = f.players(t); strings.Contains(there, "Eve") {
			break
		}
	}
	if !strings.Contains(there, "Eve") {
		t.Fatal("the frame can't be turned to the kitchen")
	}
	if !f.shown(t, "act", obj{"id": newID(), "command": "rack"}).Rack {
		t.Error("Cora isn't shown her rack in the kitchen")
	}
	f.asks(t, "act", obj{"id": newID(), "command": "rematch"}, 403)
	f.bearer = f.asks(t, "turn", obj{"table": 0}, 200)["bearer"].(string)
	if back := f.players(t); back != here {
		t.Errorf("turned back, the frame shows %s", back)
	}
	f.bearer = first
	f.asks(t, "turn", obj{"table": 99}, 404)
	f.bearer = ""
	f.asks(t, "turn", obj{"table": 0}, 401)
}

// The frame accepts the commands and buttons of a table, and no others.
func TestFrameAcceptsTableCommands(t *testing.T) {
	f := framed(t)
	f.asks(t, "act", obj{"id": newID(), "command": "data"}, 422)
	f.asks(t, "act", obj{"id": "?", "command": "rack"}, 422)
	f.asks(t, "press", obj{"id": newID(), "button": "nothing"}, 422)
	s := f.h.stateIn(salon)
	if !f.shown(t, "press", obj{"id": newID(), "button": bot.ButtonID(1, s.Number, "rack", nil)}).Rack {
		t.Error("the rack's button doesn't show Cora's rack")
	}
}

// A shared link leads back to the table: to the running game, or to one of its turns. A
// finished game is shared with its final board.
func TestSharedLinkLeadsToTable(t *testing.T) {
	f := framed(t)
	now := f.asks(t, "share", obj{"access": "an-access"}, 200)
	key := now["custom"].(string)
	if key == "" || !strings.HasPrefix(now["message"].(string), "Watch the game of ") || now["link"] != nil {
		t.Errorf("a game that runs is shared as %v", now)
	}
	if far := f.asks(t, "share", obj{"turn": 40}, 200); far["custom"] != key {
		t.Errorf("a turn that nobody made is shared as %v", far)
	}
	f.h.resigns(cora, salon)
	over := f.asks(t, "share", obj{"access": "an-access", "turn": 1}, 200)
	if over["custom"] != key+".1" || over["link"] != "0-1" || !strings.Contains(over["message"].(string), "Dora") {
		t.Errorf("a game that is over is shared as %v", over)
	}

	// A link works wherever the frame is open.
	f.h.says(cora, salon, "/new seats:3")
	f.h.room.SetActivity(&frameOf{who: cora})
	f.bearer = ""
	f.bearer = f.asks(t, "enter", obj{"instance": "i-1", "code": "a-code", "custom": key + ".1"}, 200)["bearer"].(string)
	if there := f.players(t); !strings.Contains(there, "Dora") {
		t.Errorf("the link leads to a table of %s", there)
	}
	f.h.room.SetActivity(&frameOf{who: cora})
	f.bearer = ""
	f.bearer = f.asks(t, "enter", obj{"instance": "i-1", "code": "a-code", "custom": "nowhere"}, 200)["bearer"].(string)
	if there := f.players(t); strings.Contains(there, "Dora") {
		t.Errorf("a link that leads nowhere leads to a table of %s", there)
	}
}

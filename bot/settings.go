package bot

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rackmate/rackmate/game"
)

// The shelf of the host's notes that has people's settings, by player.
const settingsShelf = "settings"

// storedSettings are what one person wants, on one platform. The zero value is what
// everybody begins with.
type storedSettings struct {
	V    int  `json:"v"`
	NoDM bool `json:"no_dm,omitempty"` // no racks by direct message
}

func (h *Host) settingsOf(ctx context.Context, p game.PlayerID) (s storedSettings, err error) {
	b, err := h.Notes.Get(ctx, settingsShelf, string(p))
	if err != nil || b == nil {
		return s, err
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, fmt.Errorf("read the settings of %s: %w", p, err)
	}
	return s, nil
}

// settings shows what a person has set, after changing what they name.
func (h *Host) settings(ctx context.Context, req Request) (Reply, error) {
	if scope := req.Args["for"]; scope != "" && scope != "me" {
		return h.houseSettings(ctx, req)
	}
	s, err := h.settingsOf(ctx, req.User.ID)
	if err != nil {
		return Reply{}, err
	}
	switch dm := req.Args["dm"]; dm {
	case "":
	case "on", "off":
		s.V, s.NoDM = 1, dm == "off"
		b, err := json.Marshal(s)
		if err != nil {
			return Reply{}, err
		}
		if err := h.Notes.Put(ctx, settingsShelf, string(req.User.ID), b); err != nil {
			return Reply{}, fmt.Errorf("keep settings: %w", err)
		}
	default:
		return refuse(say(code(dm), " is no choice for ", code("dm"), ": it is ", code("on"), " or ", code("off"), ".")), nil
	}
	if s.NoDM {
		return Reply{Text: say("Your rack is not sent to you by direct message; ", code("/rack"), " shows it. ", code("/settings dm:on"), " changes that.")}, nil
	}
	return Reply{Text: say("Your rack is sent to you by direct message when a game begins and when your turn comes. ", code("/settings dm:off"), " changes that.")}, nil
}

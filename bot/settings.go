package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/rackmate/rackmate/game"
)

// The shelf of the host's notes that has people's settings, by player.
const settingsShelf = "settings"

// storedSettings are what one person wants, on one platform. The zero value is what
// everybody begins with.
type storedSettings struct {
	V     int                `json:"v"`
	NoDM  bool               `json:"no_dm,omitempty"` // no racks by direct message
	Ping  string             `json:"ping,omitempty"`  // how to be told of a turn; see pings.go
	Games map[TableID]string `json:"games,omitempty"` // the same, for single games
	Quiet string             `json:"quiet,omitempty"` // a daySpan
	Zone  string             `json:"zone,omitempty"`  // of the IANA database
}

// location is the person's time zone, UTC where it isn't known.
func (s storedSettings) location() *time.Location {
	if zone, ok := zoneNamed(s.Zone); ok {
		return zone
	}
	return time.UTC
}

// zone is the time zone of a person who asks for something: the one that they
// have set, or the one that the platform knows.
func (s storedSettings) zone(req Request) *time.Location {
	if s.Zone == "" {
		s.Zone = req.Zone
	}
	return s.location()
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

func settingsOptions() []Option {
	onOff := []Choice{{"on", "On"}, {"off", "Off"}}
	return []Option{
		{Name: "ping", Help: "How you are told that it is your turn", Kind: Pick, Choices: pingChoices()},
		{Name: "quiet", Help: "Hours when you are told nothing, such as 22-8, or off", Kind: Pick, Completes: true},
		{Name: "zone", Help: "Your time zone, such as Europe/Berlin", Kind: Pick, Completes: true},
		{Name: "dm", Help: "Whether your rack is sent to you when a game begins and when your turn comes", Kind: Pick, Choices: onOff},
		{Name: "game", Help: "Whether ping is for the game in this channel alone", Kind: YesNo},
	}
}

// mostOwnPings is how many games somebody can have a ping of their own for; the
// oldest make way.
const mostOwnPings = 50

// settings shows what a person has set, after changing what they name.
func (h *Host) settings(ctx context.Context, req Request) (Reply, error) {
	if scope := req.Args["for"]; scope != "" && scope != "me" {
		return h.houseSettings(ctx, req)
	}
	here, err := h.table(ctx, req)
	if err != nil {
		return Reply{}, err
	}
	s, err := h.settingsOf(ctx, req.User.ID)
	if err != nil {
		return Reply{}, err
	}
	before := s
	if err := s.change(req, here.ID); err != nil {
		return Reply{}, err
	}
	if s.Zone == "" && (s.Quiet != "" && s.Quiet != before.Quiet || (wishes{ping: s.Ping}).digests() && s.Ping != before.Ping) {
		if _, ok := zoneNamed(req.Zone); !ok {
			return refuse(say("Which time zone are you in? Say it once, together with that: for instance ", code("/settings zone:Europe/Berlin"), ".")), nil
		}
		s.Zone = req.Zone
	}
	b, err := json.Marshal(s)
	if err != nil {
		return Reply{}, err
	}
	if old, err := json.Marshal(before); err != nil {
		return Reply{}, err
	} else if string(old) != string(b) {
		if err := h.Notes.Put(ctx, settingsShelf, string(req.User.ID), b); err != nil {
			return Reply{}, fmt.Errorf("keep settings: %w", err)
		}
	}
	return Reply{Text: s.words(here.ID)}, nil
}

// change takes in what a request names. The table is the one in its channel.
func (s *storedSettings) change(req Request, here TableID) error {
	if req.Args["ping"]+req.Args["quiet"]+req.Args["zone"]+req.Args["dm"] != "" {
		s.V = 1
	}
	alone := false
	switch v := req.Args["game"]; strings.ToLower(v) {
	case "", "false", "no":
	case "true", "yes":
		alone = true
	default:
		return badSetting("game", v)
	}
	switch ping := req.Args["ping"]; ping {
	case "":
		if alone {
			return refusing("Say how you want to be told of your turns in this game: ", code("/settings ping:dm game:true"), ".")
		}
	case pingHere, pingDM, pingSilent, pingOnce, pingTwice:
		switch {
		case !alone:
			s.Ping = ping
		case here == 0:
			return &refusal{refuse(noTable())}
		default:
			s.own(here, ping)
		}
	default:
		return badSetting("ping", ping)
	}
	switch quiet := req.Args["quiet"]; quiet {
	case "":
	case "off", "none":
		s.Quiet = ""
	default:
		span, ok := parseDaySpan(quiet)
		if !ok {
			return refusing(code(shorten(quiet, maxName)), " are no hours. Write from when to when: ", code("/settings quiet:22-8"), ", or ", code("/settings quiet:off"), ".")
		}
		s.Quiet = span.String()
	}
	if name := req.Args["zone"]; name != "" {
		zone, ok := zoneNamed(name)
		if !ok {
			return refusing(code(shorten(name, maxName)), " is no time zone that I know. Write one like ", code("/settings zone:Europe/Berlin"), " or ", code("/settings zone:America/New_York"), ".")
		}
		s.Zone = zone.String()
	}
	switch dm := req.Args["dm"]; dm {
	case "":
	case "on", "off":
		s.NoDM = dm == "off"
	default:
		return refusing(code(dm), " is no choice for ", code("dm"), ": it is ", code("on"), " or ", code("off"), ".")
	}
	return nil
}

// own sets how to be told of the turns of one game.
func (s *storedSettings) own(t TableID, ping string) {
	games := map[TableID]string{t: ping}
	oldest := TableID(0)
	for id, p := range s.Games {
		if id != t {
			games[id] = p
			if oldest == 0 || id < oldest {
				oldest = id
			}
		}
	}
	if len(games) > mostOwnPings {
		delete(games, oldest)
	}
	s.Games = games
}

func badSetting(option, value string) error {
	return refusing(code(shorten(value, maxName)), " is no choice for ", code(option), ". ", code("/help settings"), " lists what there is.")
}

// words say all that a person has set.
func (s storedSettings) words(here TableID) Text {
	ping := map[string]string{
		"": "in the channel", pingHere: "in the channel", pingDM: "by direct message", pingSilent: "not at all",
		pingOnce: "once a day, at 8, with all your games", pingTwice: "twice a day, at 8 and 18, with all your games",
	}
	t := say("You are told of your turns ", ping[s.Ping])
	if own, ok := s.Games[here]; ok && here != 0 {
		t = say(t, ", and of those in this game ", ping[own])
	}
	if s.Quiet != "" {
		t = say(t, ", and never from ", s.Quiet)
	}
	t = say(t, ". ")
	if s.Zone != "" {
		t = say(t, "Your time zone is ", s.Zone, ". ")
	}
	if s.NoDM {
		t = say(t, "Your rack is not sent to you by direct message; ", code("/rack"), " shows it. ")
	} else {
		t = say(t, "Your rack is sent to you by direct message when a game begins and when your turn comes. ")
	}
	return say(t, code("/help settings"), " lists what you can change.")
}

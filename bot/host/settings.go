package host

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// The shelf of the host's notes that has people's settings, by player.
const settingsShelf = "settings"

// storedSettings are what one person wants, on one platform. The zero value is what
// everybody begins with.
type storedSettings struct {
	V     int                    `json:"v"`
	NoDM  bool                   `json:"no_dm,omitempty"` // no racks by direct message
	DM    bool                   `json:"dm,omitempty"`    // always racks by direct message
	Ping  string                 `json:"ping,omitempty"`  // how to be told of a turn; see pings.go
	Games map[bot.TableID]string `json:"games,omitempty"` // the same, for single games
	Quiet string                 `json:"quiet,omitempty"` // a daySpan
	Zone  string                 `json:"zone,omitempty"`  // of the IANA database
}

// dm is the setting of the name.
func (s storedSettings) dm() string {
	switch {
	case s.NoDM:
		return "off"
	case s.DM:
		return "on"
	}
	return ""
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
func (s storedSettings) zone(req bot.Request) *time.Location {
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

func settingsOptions() []bot.Option {
	onOff := []bot.Choice{{Value: "on", Label: "On"}, {Value: "off", Label: "Off"}}
	return []bot.Option{
		{Name: "ping", Help: "How you are told that it is your turn", Kind: bot.Pick, Choices: pingChoices()},
		{Name: "quiet", Help: "Hours when you are told nothing, such as 22-8, or off", Kind: bot.Pick, Completes: true},
		{Name: "zone", Help: "Your time zone, such as Europe/Berlin", Kind: bot.Pick, Completes: true},
		{Name: "dm", Help: "Whether your rack is sent to you when a game begins and when your turn comes", Kind: bot.Pick, Choices: onOff},
		{Name: "game", Help: "Whether ping is for the game in this channel alone", Kind: bot.YesNo},
	}
}

// mostOwnPings is how many games somebody can have a ping of their own for; the
// oldest make way.
const mostOwnPings = 50

// settings shows what a person has set, after changing what they name.
func (h *Host) settings(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if scope := req.Args["for"]; scope != "" && scope != "me" {
		return h.houseSettings(ctx, req)
	}
	here, err := h.table(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	s, err := h.settingsOf(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	before := s
	if err := s.change(req, here.ID); err != nil {
		return bot.Reply{}, err
	}
	if s.Zone == "" && (s.Quiet != "" && s.Quiet != before.Quiet || (wishes{ping: s.Ping}).digests() && s.Ping != before.Ping) {
		if _, ok := zoneNamed(req.Zone); !ok {
			return refuse(bot.Say("Which time zone are you in? Say it once, together with that: for instance ", bot.Code("/settings zone:Europe/Berlin"), ".")), nil
		}
		s.Zone = req.Zone
	}
	b, err := json.Marshal(s)
	if err != nil {
		return bot.Reply{}, err
	}
	if old, err := json.Marshal(before); err != nil {
		return bot.Reply{}, err
	} else if string(old) != string(b) {
		if err := h.Notes.Put(ctx, settingsShelf, string(req.User.ID), b); err != nil {
			return bot.Reply{}, fmt.Errorf("keep settings: %w", err)
		}
	}
	refused, err := h.takesAgain(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	text := s.words(here.ID)
	if refused {
		text = bot.Say(text, "\nMy last direct message to you was refused, so you were told in the channel. I will try again: please allow direct messages from me, or choose ", bot.Code("/settings ping:here"), ".")
	}
	return bot.Reply{Text: text}, nil
}

// change takes in what a request names. The table is the one in its channel.
func (s *storedSettings) change(req bot.Request, here bot.TableID) error {
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
			return refusing("Say how you want to be told of your turns in this game: ", bot.Code("/settings ping:dm game:true"), ".")
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
			return refusing(bot.Code(bot.Shorten(quiet, bot.MaxName)), " are no hours. Write from when to when: ", bot.Code("/settings quiet:22-8"), ", or ", bot.Code("/settings quiet:off"), ".")
		}
		s.Quiet = span.String()
	}
	if name := req.Args["zone"]; name != "" {
		zone, ok := zoneNamed(name)
		if !ok {
			return refusing(bot.Code(bot.Shorten(name, bot.MaxName)), " is no time zone that I know. Write one like ", bot.Code("/settings zone:Europe/Berlin"), " or ", bot.Code("/settings zone:America/New_York"), ".")
		}
		s.Zone = zone.String()
	}
	switch dm := req.Args["dm"]; dm {
	case "":
	case "on", "off":
		s.NoDM, s.DM = dm == "off", dm == "on"
	default:
		return refusing(bot.Code(dm), " is no choice for ", bot.Code("dm"), ": it is ", bot.Code("on"), " or ", bot.Code("off"), ".")
	}
	return nil
}

// own sets how to be told of the turns of one game.
func (s *storedSettings) own(t bot.TableID, ping string) {
	games := map[bot.TableID]string{t: ping}
	oldest := bot.TableID(0)
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
	return refusing(bot.Code(bot.Shorten(value, bot.MaxName)), " is no choice for ", bot.Code(option), ". ", bot.Code("/help settings"), " lists what there is.")
}

// words say all that a person has set.
func (s storedSettings) words(here bot.TableID) bot.Text {
	ping := map[string]string{
		"": "in the channel", pingHere: "in the channel", pingDM: "by direct message", pingSilent: "not at all",
		pingOnce: "once a day, at 8, with all your games", pingTwice: "twice a day, at 8 and 18, with all your games",
	}
	t := bot.Say("You are told of your turns ", ping[s.Ping])
	if own, ok := s.Games[here]; ok && here != 0 {
		t = bot.Say(t, ", and of those in this game ", ping[own])
	}
	if s.Quiet != "" {
		t = bot.Say(t, ", and never from ", s.Quiet)
	}
	t = bot.Say(t, ". ")
	if s.Zone != "" {
		t = bot.Say(t, "Your time zone is ", s.Zone, ". ")
	}
	if (wishes{ping: s.Ping, dm: s.dm()}).racks() {
		t = bot.Say(t, "Your rack is sent to you by direct message when a game begins and when your turn comes. ")
	} else {
		t = bot.Say(t, "Your rack is not sent to you by direct message; ", bot.Code("/rack"), " shows it. ")
	}
	return bot.Say(t, bot.Code("/help settings"), " lists what you can change.")
}

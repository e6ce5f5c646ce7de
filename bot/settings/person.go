package settings

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// A Person holds a person's own settings on one platform, as stored. The zero value holds
// the defaults.
type Person struct {
	V     int                    `json:"v"`
	NoDM  bool                   `json:"no_dm,omitempty"` // never send racks by direct message
	DM    bool                   `json:"dm,omitempty"`    // always send racks by direct message
	Ping  string                 `json:"ping,omitempty"`  // how to announce turns; see wishes.go
	Games map[bot.TableID]string `json:"games,omitempty"` // the same for single games
	Quiet string                 `json:"quiet,omitempty"` // a daySpan
	Zone  string                 `json:"zone,omitempty"`  // name in the IANA database
	Speak string                 `json:"speak,omitempty"` // language code
}

// dm returns the value of the setting dm.
func (s Person) dm() string {
	switch {
	case s.NoDM:
		return "off"
	case s.DM:
		return "on"
	}
	return ""
}

// Location returns the person's time zone, or UTC if it isn't known.
func (s Person) Location() *time.Location {
	if zone, ok := ZoneNamed(s.Zone); ok {
		return zone
	}
	return time.UTC
}

// ZoneFor returns the time zone of a request's sender: the one they have set, or the one
// that the platform knows.
func (s Person) ZoneFor(req bot.Request) *time.Location {
	if s.Zone == "" {
		s.Zone = req.Zone
	}
	return s.Location()
}

// Of returns a person's own settings. Those they never set are zero.
func (s *Settings) Of(ctx context.Context, who game.PlayerID) (Person, error) {
	p, _, err := s.people.Get(ctx, shelf.Person(who))
	return p, err
}

// ChangeOf changes the sender's own settings as the request says.
func (s *Settings) ChangeOf(ctx context.Context, req bot.Request, here bot.TableID) (now Person, err error) {
	err = s.own.Change(ctx, func(tx shelf.Tx) error {
		k, people := shelf.Person(req.User.ID), s.people.In(tx)
		before, _, err := people.Get(k)
		if err != nil {
			return err
		}
		now = before
		if err := now.change(s.has, req, here); err != nil {
			return err
		}
		if now.Zone == "" && (now.Quiet != "" && now.Quiet != before.Quiet || (Wishes{Ping: now.Ping}).Digests() && now.Ping != before.Ping) {
			if _, ok := ZoneNamed(req.Zone); !ok {
				return words.Refusing("Which time zone are you in? Add it to that setting once, like {settings}.", text.Code("/settings zone:Europe/Berlin"))
			}
			now.Zone = req.Zone
		}
		switch pass := req.Args[Passing]; pass {
		case "":
		case PassAsks:
			err = s.passing.In(tx).Drop(k)
		case PassAtOnce:
			err = s.passing.In(tx).Put(k, pass)
		default:
			err = words.NoChoice(Passing, pass, PassAsks, PassAtOnce)
		}
		switch {
		case err != nil || reflect.DeepEqual(now, before):
			return err
		case reflect.DeepEqual(now, Person{V: now.V}): // nothing is left that differs from the defaults
			return people.Drop(k)
		}
		return people.Put(k, now)
	})
	return now, err
}

// StopRacks sets that a person gets no racks by direct message.
func (s *Settings) StopRacks(ctx context.Context, who game.PlayerID) error {
	return s.people.Change(ctx, shelf.Person(who), func(is *Person) (keep bool, err error) {
		is.V, is.NoDM, is.DM = 1, true, false
		return true, nil
	})
}

// PassesAtOnce reports whether a person passes without confirming. It has a row of its own,
// because earlier hosts would drop a field that they don't know.
func (s *Settings) PassesAtOnce(ctx context.Context, who game.PlayerID) (bool, error) {
	_, found, err := s.passing.Get(ctx, shelf.Person(who))
	return found, err
}

// Passing is the setting of whether /pass asks for confirmation or passes at once.
const (
	Passing    = "pass"
	PassAsks   = "asks"
	PassAtOnce = "now"
)

// mostOwnPings is the number of games for which a person can set a ping of its own. New
// ones replace the oldest.
const mostOwnPings = 50

// change applies a request's settings. here is the table in its channel.
func (s *Person) change(has Has, req bot.Request, here bot.TableID) error {
	if req.Args["ping"]+req.Args["quiet"]+req.Args["zone"]+req.Args["dm"]+req.Args[speak] != "" {
		s.V = 1
	}
	if err := s.changePing(req, here); err != nil {
		return err
	}
	switch quiet := req.Args["quiet"]; quiet {
	case "":
	case "off", "none":
		s.Quiet = ""
	default:
		span, ok := parseDaySpan(quiet)
		if !ok {
			return words.Refusing("I can't read {typed} as hours. Try {hours}, or {off}.", text.Code(text.Shorten(quiet, bot.MaxName)), text.Code("/settings quiet:22-8"), text.Code("/settings quiet:off"))
		}
		s.Quiet = span.String()
	}
	switch name := req.Args[Zone]; name {
	case "":
	case Unset:
		s.Zone = ""
	default:
		if err := checkZone(name); err != nil {
			return err
		}
		zone, _ := ZoneNamed(name)
		s.Zone = zone.String()
	}
	switch code := req.Args[speak]; code {
	case "":
	case Auto:
		s.Speak = ""
	default:
		if err := has.checkLocale(code); err != nil {
			return err
		}
		s.Speak = code
	}
	switch dm := req.Args["dm"]; dm {
	case "":
	case "on", "off":
		s.NoDM, s.DM = dm == "off", dm == "on"
	default:
		return words.NoChoice("dm", dm, "on", "off")
	}
	return nil
}

// changePing sets how turns are announced, in all games or only in this one.
func (s *Person) changePing(req bot.Request, here bot.TableID) error {
	alone, err := words.YesNo(req.Args, "game", false)
	if err != nil {
		return err
	}
	switch ping := req.Args["ping"]; ping {
	case "":
		if alone {
			return words.Refusing("Choose how you hear about your turns in this game: {settings}.", text.Code("/settings ping:dm game:true"))
		}
	case PingHere, PingDM, PingSilent, PingOnce, PingTwice:
		switch {
		case !alone:
			s.Ping = ping
		case here == 0:
			return &words.Refusal{Reply: words.Refuse(words.NoTable())}
		default:
			s.setOwnPing(here, ping)
		}
	default:
		return words.BadSetting("ping", ping)
	}
	return nil
}

// setOwnPing sets how the turns of one game are announced.
func (s *Person) setOwnPing(t bot.TableID, ping string) {
	games := map[bot.TableID]string{}
	maps.Copy(games, s.Games)
	delete(games, t)
	if len(games) >= mostOwnPings {
		delete(games, slices.Min(slices.Collect(maps.Keys(games))))
	}
	games[t] = ping
	s.Games = games
}

// Words describes a person's settings, and whether they pass at once. cards is whether their
// platform has rack cards; see [bot.Platform.Cards].
func (s Person) Words(here bot.TableID, passesAtOnce, cards bool) text.Text {
	own, has := s.Games[here]
	if !has || here == 0 {
		own = "none"
	}
	t := text.Say("You're told about your turns {ping, select, dm {by direct message} silent {not at all} digest {once a day, at 8, with all your games} digest2 {twice a day, at 8 and 18, with all your games} other {in the channel}}{own, select, none {} dm {, and about those in this game by direct message} silent {, and about those in this game not at all} digest {, and about those in this game once a day, at 8, with all your games} digest2 {, and about those in this game twice a day, at 8 and 18, with all your games} other {, and about those in this game in the channel}}{quiet, select, none {} other {, but never during {quiet}}}.",
		s.Ping, own, cmp.Or(s.Quiet, "none"))
	if s.Zone != "" {
		t = text.Sentences(t, text.Say("Your time zone is {zone}.", s.Zone))
	}
	rack := text.Say("Your rack isn't sent to you by direct message; {rack} shows it.", text.Code("/rack"))
	switch w := (Wishes{Ping: s.Ping, Dm: s.dm()}); {
	case cards && w.Racks():
		rack = text.Say("Each game sends you your rack in a direct message, and keeps it up to date.")
	case !cards && w.Dm != "off" && w.Ping != PingSilent && !w.Digests():
		rack = text.Say("Your rack is sent to you by direct message when a game starts.")
	}
	if passesAtOnce {
		rack = text.Sentences(rack, text.Say("{pass} passes your turn at once.", text.Code("/pass")))
	}
	return text.Sentences(t, rack, text.Say("{help} lists what you can change.", text.Code("/help settings")))
}

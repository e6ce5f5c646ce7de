package daily

import (
	"context"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
)

// A schedule stores the settings of daily boards: where and when they are posted, and who is
// called.
type schedule struct {
	desk     feature.Desk
	settings preferences
	places   *shelf.Shelf[shelf.Channel, placeRow]
	calls    *shelf.Shelf[callKey, call]
	calendar *calendar
}

// resume resumes daily boards in a place that stopped because nobody played.
func (s *schedule) resume(ctx context.Context, req bot.Request) (bot.Reply, error) {
	ch, err := s.settings.OpenChannel(ctx, req.Channel)
	if err != nil {
		return bot.Reply{}, err
	}
	var was, now placeRow
	err = s.places.Change(ctx, shelf.Channel(ch), func(p *placeRow) (keep bool, err error) {
		was = *p
		p.Asleep, p.Quiet = false, 0
		now = *p
		return p.V > 0, nil
	})
	switch {
	case err != nil:
		return bot.Reply{}, err
	case !was.On:
		return words.Refuse(text.Say("No daily board is posted here. Those who manage the channel turn it on with {settings}.", text.Code("/settings for:channel daily:9:00"))), nil
	case was.Asleep:
		if s.desk.Now().Before(now.Ends) {
			err = wake(ctx, s.desk, ch, dayKind, int(now.Day), now.Ends)
		} else {
			err = s.calendar.turn(ctx, ch)
		}
		if err != nil {
			return bot.Reply{}, err
		}
	}
	return bot.Reply{Text: text.Say("The daily board is back. {daily} plays it.", text.Code("/daily"))}, nil
}

// set handles the settings: a channel's daily board, or whether a person is called to it.
func (s *schedule) set(ctx context.Context, req bot.Request) (bot.Reply, error) {
	for name, value := range req.Args {
		if value != "" && name != "for" && name != "daily" && name != settings.Zone {
			return bot.Reply{}, words.Refusing("Set {daily} by itself: {example}.", text.Code("daily"), text.Code("/settings for:channel daily:9:00"))
		}
	}
	ch, err := s.settings.OpenChannel(ctx, req.Channel)
	if err != nil {
		return bot.Reply{}, err
	}
	value := strings.ToLower(req.Args["daily"])
	switch scope := req.Args["for"]; scope {
	case "", "me":
		return s.setCall(ctx, req, ch, value)
	case "channel":
	case "server":
		return bot.Reply{}, words.Refusing("A daily board is posted in one channel. Say in which, there: {settings}.", text.Code("/settings for:channel daily:9:00"))
	default:
		return bot.Reply{}, words.NoChoice("for", scope, "me", "channel", "server")
	}
	if !req.Manager {
		return bot.Reply{}, words.Refusing("Only managers of this channel can set its daily board.")
	}
	if value == "off" || value == settings.Unset {
		return s.turnOff(ctx, ch)
	}
	at, ok := parseHour(value)
	if !ok {
		return bot.Reply{}, words.Refusing("{typed} isn't a time of day. Write one like {example}, or {off}.", text.Code(text.Shorten(value, bot.MaxName)), text.Code("daily:9:00"), text.Code("daily:off"))
	}
	zone, err := s.chooseZone(ctx, ch, req)
	if err != nil {
		return bot.Reply{}, err
	}
	var now placeRow
	if err := s.places.Change(ctx, shelf.Channel(ch), func(p *placeRow) (keep bool, err error) {
		if p.V, p.On, p.Hour, p.Zone = 1, true, at, zone; p.Asleep {
			p.Asleep, p.Quiet = false, 0
		}
		now = *p
		return true, nil
	}); err != nil {
		return bot.Reply{}, err
	}
	if err := s.calendar.turn(ctx, ch); err != nil {
		return bot.Reply{}, err
	}
	if now.Day > 0 && s.desk.Now().Before(now.Ends) {
		return bot.Reply{Text: text.Sentences(now.plan(zone), text.Say("Today's stays open until {time}.", words.Clock(now.Ends)))}, nil
	}
	if now, _, err = s.places.Get(ctx, shelf.Channel(ch)); err != nil {
		return bot.Reply{}, err
	}
	if now.Day == 0 {
		in, _ := settings.ZoneNamed(zone)
		first := openingTime(latestDay(s.desk.Now(), now.Hour, in)+1, now.Hour, in)
		return bot.Reply{Text: text.Sentences(now.plan(zone), text.Say("The first comes at {time}.", words.Clock(first)))}, nil
	}
	return bot.Reply{Text: text.Sentences(now.plan(zone), text.Say("The first is open until {time}.", words.Clock(now.Ends)))}, nil
}

// Schedule returns the option of /settings for the daily board, and its value in a channel with the
// time zone. The value is "" if no board is posted there.
func (f *Feature) Schedule(ctx context.Context, ch bot.ChannelID) (option, value string, err error) {
	option = "daily"
	if ch, err = f.schedule.settings.OpenChannel(ctx, ch); err != nil {
		return option, "", err
	}
	p, _, err := f.places.Get(ctx, shelf.Channel(ch))
	if err != nil || !p.On {
		return option, "", err
	}
	zone, err := f.calendar.zoneOf(ctx, ch, p)
	if err != nil {
		return option, "", err
	}
	return option, p.Hour.String() + " " + zone.String(), nil
}

// IsPosted reports whether a board is posted in a channel each day.
func (f *Feature) IsPosted(ctx context.Context, ch bot.ChannelID) (bool, error) {
	p, _, err := f.places.Get(ctx, shelf.Channel(ch))
	return p.On && !p.Asleep, err
}

// ZoneOf returns the time zone of a channel's daily board, or nil if none is posted there.
func (f *Feature) ZoneOf(ctx context.Context, ch bot.ChannelID) (*time.Location, error) {
	p, _, err := f.places.Get(ctx, shelf.Channel(ch))
	if err != nil || !p.On {
		return nil, err
	}
	return f.calendar.zoneOf(ctx, ch, p)
}

// ChooseZone returns the zone in which the hour of a request for a channel's daily board is meant. It
// refuses if there is no way to tell.
func (f *Feature) ChooseZone(ctx context.Context, req bot.Request) (string, error) {
	ch, err := f.schedule.settings.OpenChannel(ctx, req.Channel)
	if err != nil {
		return "", err
	}
	return f.schedule.chooseZone(ctx, ch, req)
}

// plan describes when a board is posted in a place.
func (p placeRow) plan(zone string) text.Text {
	return text.Say("A board is posted here each day at {hour}, {zone}.", p.Hour.String(), zone)
}

// chooseZone returns the zone for a channel's days: the one set there, else the one its days have
// used so far, else the requester's, else the most likely one for their language.
func (s *schedule) chooseZone(ctx context.Context, ch bot.ChannelID, req bot.Request) (string, error) {
	set, err := s.desk.Rule(ctx, ch, settings.Zone)
	if err != nil {
		return "", err
	}
	own, err := s.settings.Of(ctx, req.User.ID)
	if err != nil {
		return "", err
	}
	p, _, err := s.places.Get(ctx, shelf.Channel(ch))
	if err != nil {
		return "", err
	}
	names := []string{set, p.Zone, own.Zone, req.Zone, settings.GuessZone(req.Locale, req.HomeLocale)}
	if asked := req.Args[settings.Zone]; asked != "" {
		names = []string{asked}
	}
	for _, name := range names {
		if zone, ok := settings.ZoneNamed(name); ok && name != "" {
			return zone.String(), nil
		}
	}
	if asked := req.Args[settings.Zone]; asked != "" {
		return "", words.Refusing("I don't know the time zone {typed}. Try one like {settings} or {other}.", text.Code(text.Shorten(asked, bot.MaxName)), text.Code("/settings zone:Europe/Berlin"), text.Code("/settings zone:America/New_York"))
	}
	return "", words.Refusing("Which time zone is this channel in? Say it together with the hour: {settings}.", text.Code("/settings for:channel daily:9:00 zone:Europe/Berlin"))
}

// turnOff ends the daily board of a channel. The open day lasts until its end.
func (s *schedule) turnOff(ctx context.Context, ch bot.ChannelID) (bot.Reply, error) {
	was := false
	if err := s.places.Change(ctx, shelf.Channel(ch), func(p *placeRow) (keep bool, err error) {
		was = p.On
		p.On = false
		return p.V > 0, nil
	}); err != nil {
		return bot.Reply{}, err
	}
	if !was {
		return bot.Reply{Text: text.Say("No daily board is posted here.")}, nil
	}
	return bot.Reply{Text: text.Say("No daily board is posted here any more. That ends nobody's streak.")}, nil
}

// setCall sets whether a person is called when a board is posted.
func (s *schedule) setCall(ctx context.Context, req bot.Request, ch bot.ChannelID, value string) (bot.Reply, error) {
	key := shelf.Both(shelf.Channel(ch), shelf.Person(req.User.ID))
	switch value {
	case "call":
		if err := s.calls.Put(ctx, key, call{1, req.User.Name}); err != nil {
			return bot.Reply{}, err
		}
		return bot.Reply{Text: text.Say("You are called here when a daily board is posted. {off} ends that.", text.Code("/settings daily:off"))}, nil
	case "off", settings.Unset:
		if err := s.calls.Drop(ctx, key); err != nil {
			return bot.Reply{}, err
		}
		return bot.Reply{Text: text.Say("You aren't called to daily boards here.")}, nil
	}
	return bot.Reply{}, words.Refusing("For yourself, {option} can be {call} or {off}. For a channel, its managers set the hour: {settings}.", text.Code("daily"), text.Code("call"), text.Code("off"), text.Code("/settings for:channel daily:9:00"))
}

// A call stores a person's wish to be called.
type call struct {
	V    int    `json:"v"`
	Name string `json:"name"`
}

package moderation

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file carries out moderators' actions against people.

// A storedMute mutes a person in a place.
type storedMute struct {
	V     int       `json:"v"`
	Name  string    `json:"name"`
	Until time.Time `json:"until"`
}

// lift is the duration that undoes an action.
const lift = "off"

// durations returns the choices of some durations.
func durations(times ...string) (all []bot.Choice) {
	for _, t := range times {
		lasts, _ := span(t)
		all = append(all, bot.Choice{Value: t, Label: words.FormatDuration(lasts)})
	}
	return all
}

func sanctionOptions(who string, times ...string) []bot.Option {
	return []bot.Option{
		{Name: "who", Help: who, Kind: bot.People},
		{Name: "for", Help: "For how long, or off to undo it", Kind: bot.Pick, Choices: append(durations(times...), bot.Choice{Value: lift, Label: text.Say("Lift it")})},
	}
}

// span parses a duration such as 10m, 2h or 7d.
func span(t string) (time.Duration, bool) {
	if t == "" {
		return 0, false
	}
	unit := map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour}[t[len(t)-1]]
	n, err := strconv.Atoi(t[:len(t)-1])
	return time.Duration(n) * unit, err == nil && unit > 0 && n > 0 && n <= 366
}

// A sanction is an action against a person.
type sanction struct {
	who   bot.User
	until time.Time // end of the sanction; zero means it is permanent
	lift  bool
}

// sanctionOf parses a request's action. Without a duration it lasts for usual.
func (p moderatedPlace) sanctionOf(ctx context.Context, f *Feature, req bot.Request, usual string) (s sanction, err error) {
	who := peopleIn(req)
	if len(who) != 1 {
		return s, words.Refusing("Say who: {command}.", text.Code("/"+req.Command+" @bob"))
	}
	s.who = who[0]
	return s, p.setDuration(ctx, f, req, &s, usual)
}

// setDuration sets the duration of an action, and rejects actions that aren't allowed.
func (p moderatedPlace) setDuration(ctx context.Context, f *Feature, req bot.Request, s *sanction, usual string) error {
	t := strings.ToLower(req.Args["for"])
	if t == "" {
		t = usual
	}
	if s.lift = t == lift; !s.lift && t != "" {
		d, ok := span(t)
		if !ok {
			return words.Refusing("I can't read {typed} as a time. Try {minutes}, {hours} or {days}, or {off} to undo it.", text.Code(text.Shorten(t, bot.MaxName)), text.Code("10m"), text.Code("2h"), text.Code("7d"), text.Code("off"))
		}
		s.until = f.desk.Now().Add(d).UTC()
	}
	if s.who.ID == req.User.ID {
		return words.Refusing("You can't do that to yourself. {command} does it to Bob.", text.Code("/"+req.Command+" @bob"))
	}
	if s.lift || p.steward == nil {
		return nil
	}
	_, keeper, err := p.steward.Keeps(ctx, s.who.ID)
	if err == nil && keeper {
		err = words.Refusing("{who} is a keeper too. Whoever runs the host can change that: {command}.", text.Name(s.who), text.Code("rackmate keeper remove"))
	}
	return err
}

func (f *Feature) mute(ctx context.Context, req bot.Request) (bot.Reply, error) {
	p, err := f.requireModerator(ctx, req, true)
	if err != nil {
		return bot.Reply{}, err
	}
	s, err := p.sanctionOf(ctx, f, req, "1h")
	if err != nil {
		return bot.Reply{}, err
	}
	return p.mute(ctx, f, req, s)
}

// mute mutes a person, or unmutes them.
func (p moderatedPlace) mute(ctx context.Context, f *Feature, req bot.Request, s sanction) (bot.Reply, error) {
	err := f.own.Change(ctx, func(tx shelf.Tx) error {
		first, err := p.logAction(f, tx, req, logEntry{Did: eitherAction(muted, unmuted, s.lift), To: s.who, Until: s.until})
		if err != nil || !first {
			return err
		}
		if s.lift {
			return f.muted.In(tx).Drop(p.personKey(s.who.ID))
		}
		return f.muted.In(tx).Put(p.personKey(s.who.ID), storedMute{1, s.who.Name, s.until})
	})
	if err != nil {
		return bot.Reply{}, err
	}
	if s.lift {
		return bot.Reply{Text: text.Say("{who} is no longer muted.", text.Name(s.who))}, nil
	}
	return bot.Reply{Text: text.Say("{who} is muted here until {time}. They can still read and play. {command} with their name unmutes them.", text.Name(s.who), words.Clock(s.until), text.Code("/mute for:off"))}, nil
}

// eitherAction returns undone if the action is being lifted, and done otherwise.
func eitherAction(done, undone string, lift bool) string {
	if lift {
		return undone
	}
	return done
}

// checkMuted rejects muted people.
func (p moderatedPlace) checkMuted(ctx context.Context, f *Feature, who game.PlayerID) error {
	m, _, err := f.muted.Get(ctx, p.personKey(who))
	if err != nil || !f.desk.Now().Before(m.Until) {
		return err
	}
	return words.Refusing("A keeper has muted you until {time}. You can still read and play.", words.Clock(m.Until))
}

func (f *Feature) ban(ctx context.Context, req bot.Request) (bot.Reply, error) {
	p, err := f.requireModerator(ctx, req, true)
	if err != nil {
		return bot.Reply{}, err
	}
	if req.Args["address"] != "" || req.Args["invitation"] != "" { // a button of an earlier version
		return bot.Reply{}, errOldButton()
	}
	s, err := p.sanctionOf(ctx, f, req, "")
	if err != nil {
		return bot.Reply{}, err
	}
	return p.ban(ctx, f, req, s)
}

// errOldButton returns the refusal of buttons that earlier versions posted.
func errOldButton() error {
	return words.Refusing("That button is out of date. {reports} shows what you can do now.", text.Code("/reports"))
}

// ban bans a person, or lets them in again.
func (p moderatedPlace) ban(ctx context.Context, f *Feature, req bot.Request, s sanction) (bot.Reply, error) {
	first := false
	if err := f.own.Change(ctx, func(tx shelf.Tx) (err error) {
		first, err = p.logAction(f, tx, req, logEntry{Did: eitherAction(keptOut, letIn, s.lift), To: s.who, Until: s.until})
		return err
	}); err != nil {
		return bot.Reply{}, err
	}
	var more text.Text
	if first {
		var err error
		if more, err = p.steward.Ban(ctx, bot.Ban{Who: s.who, Until: s.until, Lift: s.lift}); err != nil {
			return bot.Reply{}, err
		}
	}
	if s.lift {
		return bot.Reply{Text: text.Say("{who} can come in again.", text.Name(s.who))}, nil
	}
	t := text.Say("{who} is banned until further notice.", text.Name(s.who))
	if !s.until.IsZero() {
		t = text.Say("{who} is banned until {time}.", text.Name(s.who), words.Clock(s.until))
	}
	return bot.Reply{Text: text.Sentences(t, more, text.Say("{reports} lists bans and lifts them.", text.Code("/reports people")))}, nil
}

// removeMessage removes a message: the sender's own or, for moderators, anyone's.
func (f *Feature) removeMessage(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if f.desk.Platform(req.Channel).Steward == nil {
		_, err := f.requireModerator(ctx, req, true)
		return bot.Reply{}, err
	}
	p, err := f.placeOf(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(req.Args["message"], "#"), 10, 64)
	if err != nil {
		return bot.Reply{}, words.Refusing("Say which message: the menu beside it has {remove}.", text.Strong("Remove"))
	}
	return p.removeMessage(ctx, f, req, req.Channel, n)
}

func (p moderatedPlace) removeMessage(ctx context.Context, f *Feature, req bot.Request, ch bot.ChannelID, n uint64) (bot.Reply, error) {
	said, err := p.steward.Said(ctx, req.User.ID, ch, n, 0)
	if err != nil {
		return bot.Reply{}, err
	}
	switch {
	case len(said) == 0:
		return bot.Reply{}, words.Refusing("That message is already gone.")
	case said[0].By.ID == "":
		return bot.Reply{}, words.Refusing("That's how the host told everybody about a game, so it stays as long as the game does.")
	case said[0].By.ID != req.User.ID && !p.keeper:
		return bot.Reply{}, words.Refusing("Only moderators can remove other people's messages. {report} tells them about one.", text.Code("/report"))
	}
	if said[0].By.ID != req.User.ID {
		if err := f.own.Change(ctx, func(tx shelf.Tx) error {
			_, err := p.logAction(f, tx, req, logEntry{Did: removed, To: said[0].By, What: text.Shorten(said[0].Text, 200)})
			return err
		}); err != nil {
			return bot.Reply{}, err
		}
	}
	return bot.Reply{Text: text.Say("The message has been removed.")}, p.steward.Unsay(ctx, ch, n)
}

func inviteOptions() []bot.Option {
	return []bot.Option{
		{Name: "uses", Help: "How many people can use it, 1 to 100: one, unless you say otherwise", Kind: bot.Word},
		{Name: "for", Help: "How long it's valid: seven days, unless you say otherwise", Kind: bot.Pick, Choices: durations("1h", "1d", "2d", "7d", "30d")},
	}
}

// invite creates an invitation link to our room.
func (f *Feature) invite(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if f.desk.Platform(req.Channel).Steward == nil {
		return bot.Reply{}, words.Refusing("To invite people here, use the platform's own invitations. {new} invites Bob to a game.", text.Code("/new @bob"))
	}
	p, err := f.placeOf(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	places, err := f.settings.Places(ctx, req.Channel, p.home)
	if err != nil {
		return bot.Reply{}, err
	}
	who, err := f.settings.RuleIn(ctx, req.Channel, places, "invites")
	if err != nil {
		return bot.Reply{}, err
	}
	if !p.keeper && who != "everybody" {
		return bot.Reply{}, words.Refusing("Only the room's keepers can make invitations. Ask one of them.")
	}
	if err := p.checkMuted(ctx, f, req.User.ID); err != nil {
		return bot.Reply{}, err
	}
	uses, life := 1, 7*24*time.Hour
	if v := req.Args["uses"]; v != "" {
		if uses, err = strconv.Atoi(v); err != nil {
			return bot.Reply{}, words.Refusing("I can't read {typed} as a number of people. Try {number}.", text.Code(text.Shorten(v, bot.MaxName)), text.Code("5"))
		}
	}
	if v := req.Args["for"]; v != "" {
		var ok bool
		if life, ok = span(v); !ok {
			return bot.Reply{}, words.Refusing("I can't read {typed} as a time. Try {hours} or {days}.", text.Code(text.Shorten(v, bot.MaxName)), text.Code("2h"), text.Code("7d"))
		}
	}
	link, refusal, err := p.steward.Invite(ctx, req.User.ID, req.Channel, uses, life)
	if err != nil || refusal != nil {
		return words.Refuse(refusal), err
	}
	return bot.Reply{Text: text.Say("This link lets {n, plural, one {# person} other {# people}} in until {time}: {link}\nAnybody who has it can use it, so only share it with the people you mean.", uses, words.Clock(f.desk.Now().Add(life)), text.Code(link))}, nil
}

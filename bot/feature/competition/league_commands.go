package competition

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// maxLeagueName is the longest name of a league, in characters.
const maxLeagueName = 60

// create begins a league in a channel, and opens registration for its first season.
func (f *leagues) create(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if f.desk.Platform(req.Channel).Aside == nil {
		return bot.Reply{}, words.Refusing("A league plays several games at once, each in a thread, and there are none here.")
	}
	if err := f.requireChannel(ctx, req.Channel); err != nil {
		return bot.Reply{}, err
	}
	if !mayBeginLeague(req) {
		return bot.Reply{}, errManagersBeginLeagues
	}
	l, err := foundLeague(req, f.desk.Now().UTC())
	if err != nil {
		return bot.Reply{}, err
	}
	if _, err := f.opening(ctx, &l.head, bot.Request{Channel: req.Channel, User: req.User, Command: "new"}); err != nil {
		return bot.Reply{}, err // report bad table options now, while the founder can change them
	}
	if err := f.Settings.KeepHome(ctx, bot.Request{Channel: req.Channel, Home: req.Home, HomeLocale: req.HomeLocale}, func() string { return "" }); err != nil {
		return bot.Reply{}, err
	}
	l.OpenedAt, l.ClosesAt = l.At, l.At.AddDate(0, 0, l.Closes)
	if l, err = f.begin(ctx, l, func(old league) error {
		if old.Stopped && old.Phase == over {
			return nil
		}
		return words.Refusing("This channel has a league already: {name}. {stop} ends it after its season.", text.Strong(old.Name), text.Code("/league stop"))
	}); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("Registration for {name} is open until {time}. Then I make the divisions and open the games. {start} starts earlier.", text.Strong(l.Name), words.Clock(l.ClosesAt), text.Code("/league start"))}, nil
}

// foundLeague returns a new league as a request describes it.
func foundLeague(req bot.Request, at time.Time) (l league, err error) {
	l = league{head: head{V: 1, Channel: req.Channel, Home: req.Home, At: at, Cause: req.ID, Phase: entering}, Founder: req.User, Season: 1}
	if l.Name, err = cleanName(req.Args["name"], maxLeagueName); err != nil {
		return l, err
	}
	l.Name = cmp.Or(l.Name, "League")
	l.Large = req.Args["sizes"] == "large"
	for _, o := range []struct {
		to                 *int
		option             string
		usual, least, most int
	}{{&l.Up, "promoted", 2, 0, 5}, {&l.Down, "relegated", 2, 0, 5}, {&l.AtOnce, "games", 3, 1, 10}, {&l.Days, "season", 28, 1, 180}, {&l.Closes, "registration", 7, 1, 60}} {
		if *o.to, err = number(req.Args, o.option, o.usual, o.least, o.most); err != nil {
			return l, err
		}
	}
	l.Table = map[string]string{"pace": cmp.Or(req.Args["pace"], "1d"), "late": "forfeit"}
	if list := req.Args["lexicon"]; list != "" {
		l.Table["lexicon"] = list
	}
	return l, nil
}

func (f *leagues) join(ctx context.Context, req bot.Request) (bot.Reply, error) {
	l, a, err := f.requireAsker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	l, err = f.change(ctx, l.No, req.ID, func(l *league) error {
		switch {
		case slices.ContainsFunc(l.Entries, func(e entry) bool { return e.Cause == req.ID }):
			return nil
		case l.Phase == playing:
			return words.Refusing("Season {n} is on until {time}. Registration for the next one opens when it ends.", l.Season, words.Clock(l.EndsAt))
		case l.Phase == over:
			return words.Refusing("{name} is over.", text.Strong(l.Name))
		case l.entryOf(a.ids) >= 0:
			return nil
		case len(l.Entries) >= contest.MaxEntrants:
			return words.Refusing("{name} is full.", text.Strong(l.Name))
		}
		l.Entries = append(l.Entries, entry{req.User, req.ID})
		return nil
	})
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{
		Text:    text.Say("You're in for season {n} of {name}. Registration closes {time}; then your games open by themselves, {games, plural, one {one} other {at most #}} at once.", l.Season, text.Strong(l.Name), words.Clock(l.ClosesAt), l.AtOnce),
		Buttons: []bot.Button{l.button(text.Say("Cancel registration"), bot.Ordinary, "leave")},
	}, nil
}

// leave cancels a registration, or withdraws from the season after a confirmation.
func (f *leagues) leave(ctx context.Context, req bot.Request) (bot.Reply, error) {
	l, a, err := f.requireAsker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	again, err := f.isRepeat(ctx, l, req.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	div, no, in := l.find(a.ids)
	in = in && l.Phase == playing
	gone := in && l.Div[div].Contest.Entrants[no-1].Out != 0
	switch {
	case !again && !in && (l.Phase != entering || l.entryOf(a.ids) < 0):
		return bot.Reply{}, words.Refusing("You aren't in {name}.", text.Strong(l.Name))
	case !again && gone:
		return bot.Reply{}, words.Refusing("You have withdrawn from this season.")
	case in && !gone && req.Args["sure"] == "":
		t := text.Say("Withdraw from season {n}? More than half of your games are over: you lose the rest by forfeit.", l.Season)
		if l.Div[div].Contest.CanVoid(no) {
			t = text.Say("Withdraw from season {n}? Fewer than half of your games are over: your results will count for nobody.", l.Season)
		}
		return bot.Reply{Text: t, Buttons: []bot.Button{l.button(text.Say("Withdraw"), bot.Danger, "leave", "sure", "yes")}}, nil
	}
	was := l.Phase
	if l, err = f.change(ctx, l.No, req.ID, func(l *league) error {
		if l.Phase == was {
			l.remove(a.ids)
		}
		return nil
	}); err != nil {
		return bot.Reply{}, err
	}
	if !in {
		return bot.Reply{Text: text.Say("Your registration is withdrawn.")}, nil
	}
	return bot.Reply{Text: text.Say("You have withdrawn from season {n}. You can register again for the next one.", l.Season)}, nil
}

func (f *leagues) remind(ctx context.Context, req bot.Request) (bot.Reply, error) {
	l, err := f.require(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	same := func(u bot.User) bool { return u.ID == req.User.ID }
	reminds := slices.ContainsFunc(l.Remind, same)
	cause := map[bool]string{true: req.ID + ":on", false: req.ID + ":off"}
	again, err := f.isRepeat(ctx, l, cause[reminds]) // the request was carried out before
	if err != nil {
		return bot.Reply{}, err
	}
	wants := reminds == again
	_, err = f.change(ctx, l.No, cause[wants], func(l *league) error {
		l.Remind = slices.DeleteFunc(l.Remind, same)
		if wants {
			l.Remind = append(l.Remind, req.User)
		}
		return nil
	})
	switch {
	case err != nil:
		return bot.Reply{}, err
	case wants:
		return bot.Reply{Text: text.Say("I'll write to you a day before registration closes, each season. The same button stops that.")}, nil
	}
	return bot.Reply{Text: text.Say("You won't be reminded any more.")}, nil
}

// manage dispatches the commands for managing a league.
func (f *leagues) manage(ctx context.Context, req bot.Request) (bot.Reply, error) {
	l, a, err := f.requireAsker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if !req.Manager && !slices.Contains(a.ids, l.Founder.ID) {
		return bot.Reply{}, words.Refusing("Only {who} and the managers of this place can do that.", text.Name(l.Founder))
	}
	again, err := f.isRepeat(ctx, l, req.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	switch req.Args["do"] {
	case "start":
		return f.start(ctx, req, l, again)
	case "end":
		return f.end(ctx, req, l, again)
	case "stop":
		return f.stop(ctx, req, l)
	}
	return f.remove(ctx, req, l, again)
}

// start begins the season before registration closes.
func (f *leagues) start(ctx context.Context, req bot.Request, l league, again bool) (bot.Reply, error) {
	switch {
	case again:
	case l.Phase != entering:
		return bot.Reply{}, words.Refusing("Registration isn't open.")
	case len(l.Entries) < fewest:
		return bot.Reply{}, words.Refusing("A season needs {n} players, and {have, plural, =0 {nobody has} one {one has} other {# have}} registered.", fewest, len(l.Entries))
	}
	now := f.desk.Now().UTC()
	l, err := f.change(ctx, l.No, req.ID, func(l *league) error {
		if l.Phase == entering && l.ClosesAt.After(now) {
			l.ClosesAt = now
		}
		return nil
	})
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("Season {n} of {name} starts with {players, plural, one {# player} other {# players}}. The games open by themselves.", l.Season, text.Strong(l.Name), len(l.Entries))}, nil
}

// end ends the current season, after a confirmation.
func (f *leagues) end(ctx context.Context, req bot.Request, l league, again bool) (bot.Reply, error) {
	if l.Phase != playing && !again {
		return bot.Reply{}, words.Refusing("No season is on.")
	}
	if req.Args["sure"] == "" {
		return bot.Reply{
			Text:    text.Say("End season {n} now? Games that aren't over are lost by the player who used more time.", l.Season),
			Buttons: []bot.Button{l.button(text.Say("End the season"), bot.Danger, "end", "sure", "yes")},
		}, nil
	}
	now := f.desk.Now().UTC()
	l, err := f.change(ctx, l.No, req.ID, func(l *league) error {
		if l.Phase == playing && l.EndsAt.After(now) {
			l.EndsAt = now
		}
		return nil
	})
	if err != nil {
		return bot.Reply{}, err
	}
	season := l.Season
	if l.Phase == entering { // registration for the next season has opened already
		season--
	}
	return bot.Reply{Text: text.Say("Season {n} ends now. The final standings follow in the channel.", season)}, nil
}

// stop ends the league after the current season.
func (f *leagues) stop(ctx context.Context, req bot.Request, l league) (bot.Reply, error) {
	l, err := f.change(ctx, l.No, req.ID, func(l *league) error {
		l.Stopped = true
		if l.Phase == entering {
			l.Phase = over
		}
		return nil
	})
	if err != nil {
		return bot.Reply{}, err
	}
	if l.Phase == playing {
		return bot.Reply{Text: text.Say("{name} ends with this season.", text.Strong(l.Name))}, nil
	}
	return bot.Reply{Text: text.Say("{name} is over.", text.Strong(l.Name))}, nil
}

// remove withdraws people.
func (f *leagues) remove(ctx context.Context, req bot.Request, l league, again bool) (bot.Reply, error) {
	if len(req.People) == 0 {
		return bot.Reply{}, words.Refusing("Remove whom? {remove}.", text.Code("/league remove who:@name"))
	}
	var all []game.PlayerID
	for _, who := range req.People {
		ids, err := f.desk.Identities(ctx, who.ID)
		if err != nil {
			return bot.Reply{}, err
		}
		if _, _, in := l.find(ids); !in && l.entryOf(ids) < 0 && !again {
			return bot.Reply{}, words.Refusing("{who} isn't in {name}.", text.Name(who), text.Strong(l.Name))
		}
		all = append(all, ids...)
	}
	if _, err := f.change(ctx, l.No, req.ID, func(l *league) error {
		for _, id := range all {
			l.remove([]game.PlayerID{id})
		}
		return nil
	}); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("{who} {n, plural, one {is} other {are}} withdrawn from {name}.", text.List(nameSpans(req.People)), len(req.People), text.Strong(l.Name))}, nil
}

// show shows the state of a league to the person who asks.
func (f *leagues) show(ctx context.Context, req bot.Request) (bot.Reply, error) {
	l, a, err := f.requireAsker(ctx, req)
	if errors.Is(err, errNoLeague) {
		return bot.Reply{
			Text:    text.Say("There's no league in this channel."),
			Buttons: []bot.Button{button("league", text.Say("Begin a league"), bot.Primary, "do", "new", "name", "", "pace", "")},
		}, nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	runs := req.Manager || slices.Contains(a.ids, l.Founder.ID)
	var r bot.Reply
	switch l.Phase {
	case entering:
		r.Text = text.Say("{name}: registration for season {n} is open until {time}. {players, plural, =0 {Nobody has} one {# player has} other {# players have}} registered.", text.Strong(l.Name), l.Season, words.Clock(l.ClosesAt), len(l.Entries))
		if l.entryOf(a.ids) >= 0 {
			r.Text = text.Sentences(r.Text, text.Say("You're one of them."))
			r.Buttons = append(r.Buttons, l.button(text.Say("Cancel registration"), bot.Ordinary, "leave"))
		} else {
			r.Buttons = append(r.Buttons, l.button(text.Say("Register"), bot.Primary, "join"))
		}
		r.Buttons = append(r.Buttons, l.button(text.Say("Remind me"), bot.Ordinary, "remind"))
		if runs {
			r.Buttons = append(r.Buttons, l.button(text.Say("Start the season"), bot.Ordinary, "start"))
		}
	case over:
		r.Text = text.Say("{name} is over.", text.Strong(l.Name))
	default:
		div, no, in := l.find(a.ids)
		if !in {
			r.Text = text.Lines(text.Say("{name}, season {n}, until {time}. You aren't in it.", text.Strong(l.Name), l.Season, words.Clock(l.EndsAt)), l.lines(0))
			r.Buttons = []bot.Button{l.button(text.Say("Standings"), bot.Primary, "table")}
			break
		}
		r.Text = text.Lines(text.Say("{name}, season {n}, division {division}, until {time}.", text.Strong(l.Name), l.Season, div+1, words.Clock(l.EndsAt)), l.yourPlace(div, no), l.yourGames(ctx, f, div, no))
		r.Buttons = []bot.Button{l.button(text.Say("Standings"), bot.Primary, "table", "division", strconv.Itoa(div+1)), l.button(text.Say("Withdraw"), bot.Danger, "leave")}
	}
	r.Buttons, err = f.withPage(ctx, req.Channel, l.No, text.Say("The league's page"), r.Buttons)
	return r, err
}

// yourPlace describes a player's place, and the places in which they can still finish.
func (l *league) yourPlace(div int, no contest.No) text.Text {
	c := l.Div[div].Contest
	for _, s := range c.Table() {
		if s.No != no {
			continue
		}
		r, ok := c.Possible()[no]
		switch {
		case s.Place == 0:
			return text.Say("You have withdrawn.")
		case !ok || r.Best == r.Worst:
			return text.Say("You're {place, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}, whatever happens.", s.Place)
		}
		return text.Say("You're {place, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} now; {best, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} to {worst, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} is possible.", s.Place, r.Best, r.Worst)
	}
	return nil
}

// yourGames lists a player's running games with links, and counts the games to come.
func (l *league) yourGames(ctx context.Context, f *leagues, div int, no contest.No) text.Text {
	d := &l.Div[div]
	var lines []text.Text
	waiting := 0
	for at, p := range d.Contest.Games() {
		if !p.Has(no) || p.Games[0].Result.Over() {
			continue
		}
		pl := d.place(at)
		if pl == nil || pl.Channel == "" {
			waiting++
			continue
		}
		lines = append(lines, feature.LinkBoard(text.Say("Against {who}", d.nameOf(p.Opponent(no))), f.linkTo(ctx, &l.head, pl.Channel)))
	}
	if waiting > 0 {
		lines = append(lines, text.Say("{n, plural, one {# game is} other {# games are}} still to come: the next begins when one ends.", waiting))
	}
	return text.Lines(lines...)
}

// table shows a division's standings, with a picture.
func (f *leagues) table(ctx context.Context, req bot.Request) (bot.Reply, error) {
	l, a, err := f.requireAsker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if len(l.Div) == 0 {
		return bot.Reply{}, words.Refusing("There are no divisions yet: registration is open until {time}.", words.Clock(l.ClosesAt))
	}
	div, _, _ := l.find(a.ids)
	n, err := number(req.Args, "division", div+1, 1, len(l.Div))
	if err != nil {
		return bot.Reply{}, err
	}
	r := bot.Reply{Text: text.Lines(l.title(n-1), l.lines(n-1)), Picture: l.picture(f.desk.Painter(ctx, req.Channel, req.Dark), n-1)}
	if n < len(l.Div) {
		r.Buttons = append(r.Buttons, l.button(text.Say("Division {n}", n+1), bot.Ordinary, "table", "division", fmt.Sprint(n+1)))
	}
	if n > 1 {
		r.Buttons = append(r.Buttons, l.button(text.Say("Division {n}", n-1), bot.Ordinary, "table", "division", fmt.Sprint(n-1)))
	}
	r.Buttons, err = f.withPage(ctx, req.Channel, l.No, text.Say("The league's page"), r.Buttons)
	return r, err
}

package competition

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file sets up tournaments, and lets people enter and leave them.

// tableOptions lists the options of /new that apply to a tournament's tables.
var tableOptions = []string{"clock", "pace", "late", "lexicon"}

// Limits.
const (
	maxName     = 40
	maxRounds   = 60
	maxBoards   = 12
	maxReserves = 4 // of a team
	maxDelay    = 2 * time.Hour
	maxWait     = 14 * 24 * time.Hour
)

// quickStarts returns buttons that begin the usual kinds of tournament with one press.
func quickStarts() []bot.Button {
	way := func(label text.Text, style bot.Style, args ...string) bot.Button {
		return button("tournament", label, style, append([]string{"do", "new"}, args...)...)
	}
	return []bot.Button{
		way(text.Say("An evening, 5 rounds"), bot.Primary, "method", string(contest.Swiss), "rounds", "5", "clock", "15m"),
		way(text.Say("Everybody meets everybody"), bot.Ordinary, "method", string(contest.RoundRobin), "clock", "15m"),
		way(text.Say("Knock-out"), bot.Ordinary, "method", string(contest.Knockout), "clock", "15m"),
		way(text.Say("At real boards, 5 rounds"), bot.Ordinary, "method", string(contest.Swiss), "rounds", "5", "at", "real"),
		way(text.Say("Weeks by correspondence"), bot.Ordinary, "method", string(contest.Swiss), "rounds", "5", "pace", "3d"),
	}
}

// create opens a tournament for people to enter.
func (f *tournaments) create(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if len(req.Args) == 1 {
		return bot.Reply{Text: text.Say("What kind of tournament? You can set everything yourself too: {example}.", text.Code("/tournament new name:Spring method:swiss rounds:6 clock:25m")), Buttons: quickStarts()}, nil
	}
	if err := f.requireChannel(ctx, req.Channel); err != nil {
		return bot.Reply{}, err
	}
	e, err := f.loadPlanned(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	e.Deeds = []change{{Kind: didOpen, By: req.User, At: e.At, Cause: req.ID}}
	e.tell(newsOpen, 0)
	if e, err = f.begin(ctx, e, func(old event) error {
		if old.isOn() {
			return words.Refusing("There is a tournament in this channel already: {name}. It has to end first, or begin yours in another channel.", text.Strong(old.Name))
		}
		return nil
	}); err != nil {
		return bot.Reply{}, err
	}
	return f.panel(ctx, &e, true, text.Say("{name} is open: people can enter with the button in the channel.", text.Strong(e.Name)))
}

// loadPlanned returns a new tournament as a request describes it.
func (f *tournaments) loadPlanned(ctx context.Context, req bot.Request) (e event, err error) {
	to, err := f.Settings.ChannelLocale(ctx, req.Channel)
	if err != nil {
		return e, err
	}
	now := f.desk.Now().UTC()
	e = event{
		head:      head{V: 1, Cause: req.ID, Channel: req.Channel, Home: req.Home, At: now, Phase: entering, Table: map[string]string{"hints": "no"}},
		Directors: []bot.User{req.User},
		Kind:      contest.Kind(cmp.Or(req.Args["method"], string(contest.Swiss))),
	}
	if e.Name, err = cleanName(req.Args["name"], maxName); err != nil {
		return e, err
	}
	if e.Name == "" {
		zone, err := f.desk.Rule(ctx, req.Channel, settings.Zone)
		if err != nil {
			return e, err
		}
		today := now
		if in, ok := settings.ZoneNamed(cmp.Or(zone, req.Zone)); ok {
			today = now.In(in)
		}
		e.Name = usualName(today).In(to).String()
	}
	if !slices.Contains(append(contest.Kinds(), contest.ByHand), e.Kind) {
		return e, words.NoChoice("method", string(e.Kind), "swiss", "round-robin", "knockout", "king-of-the-hill", "australian", "by-hand")
	}
	for _, o := range []struct {
		to          *int
		option      string
		least, most int
	}{{&e.Planned, "rounds", 1, maxRounds}, {&e.Contest.Format.Games, "games", 1, 9}, {&e.Contest.Format.Boards, "boards", 2, maxBoards}} {
		if *o.to, err = number(req.Args, o.option, 0, o.least, o.most); err != nil {
			return e, err
		}
	}
	if err := e.setTime(req.Args); err != nil {
		return e, err
	}
	if _, err := f.opening(ctx, &e.head, req); err != nil { // report options that can't be played now, not when tables open
		return e, err
	}
	own, err := f.secret(ctx, int(now.UnixMilli()), req.ID)
	e.Secret = own
	return e, err
}

// usualName returns the name of a tournament without one.
func usualName(day time.Time) text.Text {
	return text.Say("{day, select, 0 {Sunday's tournament} 1 {Monday's tournament} 2 {Tuesday's tournament} 3 {Wednesday's tournament} 4 {Thursday's tournament} 5 {Friday's tournament} other {Saturday's tournament}}", int(day.Weekday()))
}

// setTime sets the options of the tables, the wait for missing players and the page's
// delay.
func (e *event) setTime(args map[string]string) (err error) {
	for _, o := range tableOptions {
		if v := args[o]; v != "" {
			e.Table[o] = v
		}
	}
	switch args["at"] {
	case "", "here":
	case "real":
		e.Real = true
	default:
		return words.NoChoice("at", args["at"], "here", "real")
	}
	if e.Table["clock"] == "" && e.Table["pace"] == "" && !e.Real {
		e.Table["clock"] = "15m"
	}
	usual := 15 * time.Minute
	if e.Table["pace"] != "" {
		usual, e.Table["late"] = 3*24*time.Hour, cmp.Or(e.Table["late"], "forfeit")
	}
	if e.Wait, err = duration(args["wait"], usual, maxWait); err != nil {
		return err
	}
	if e.Real {
		e.Wait = 0
	}
	e.Delay, err = duration(args["delay"], 0, maxDelay)
	return err
}

// duration parses "15m", "2h" or "3d"; "never" returns 0.
func duration(typed string, usual, most time.Duration) (time.Duration, error) {
	switch typed {
	case "":
		return usual, nil
	case "never", "none", "off", "0":
		return 0, nil
	}
	days, isDays := strings.CutSuffix(typed, "d")
	d, err := time.ParseDuration(typed)
	if n, notDays := strconv.Atoi(days); isDays && notDays == nil {
		d, err = time.Duration(n)*24*time.Hour, nil
	}
	if n, minutes := strconv.Atoi(typed); minutes == nil {
		d, err = time.Duration(n)*time.Minute, nil
	}
	if err != nil || d < time.Minute || d > most {
		return 0, words.Refusing("I can't read {typed} as a time. Try {minutes} or {days}.", text.Code(text.Shorten(typed, bot.MaxName)), text.Code("15m"), text.Code("3d"))
	}
	return d, nil
}

// mayEnter refuses a player who can't enter the tournament.
func (e *event) mayEnter(a asker, name string) error {
	if no, _, in := e.find(a.ids); in {
		x, _ := e.Contest.Entrant(no)
		switch {
		case x.Out > 0:
			return words.Refusing("{who} has withdrawn. The director can take them back: {return}.", text.Name(a.User), text.Code("/tournament return"))
		case len(x.Team) == 0 && x.ID != string(a.ID):
			return words.Refusing("{who} is already in {name}, under another name: {other}.", text.Name(a.User), text.Strong(e.Name), text.Strong(x.Name))
		}
		return words.Refusing("{who} has already entered {name}.", text.Name(a.User), text.Strong(e.Name))
	}
	for _, x := range e.Contest.Entrants {
		for _, p := range players(x) {
			if bot.Alike(p.Name, name) {
				return words.Refusing("There is another {name} in this tournament. The director can enter one of you under another name: {example}.", text.Strong(name), text.Code("/tournament enter who:@"+name+" name:…"))
			}
		}
	}
	if len(e.Contest.Entrants) >= contest.MaxEntrants {
		return words.Refusing("{name} is full: {most} have entered.", text.Strong(e.Name), contest.MaxEntrants)
	}
	return nil
}

// enterPlayer adds a player to a tournament.
func (e *event) enterPlayer(p contest.Player, team, cause string) (change, error) {
	if len(e.Contest.Rounds) == 0 {
		e.Causes = append(e.Causes, cause)
	}
	if !e.hasTeams() {
		return change{Kind: didEnter, No: e.Contest.Enter(contest.Entrant{Player: p})}, nil
	}
	team, err := cleanName(team, maxName)
	if err != nil {
		return change{}, err
	}
	if team == "" {
		return change{}, words.Refusing("Teams play here. Say which one you play for: {join}. Its players sit at the boards in the order in which they enter.", text.Code("/tournament join team:Lions"))
	}
	for i, x := range e.Contest.Entrants {
		if !bot.Alike(x.Name, team) {
			continue
		}
		if x.Out > 0 {
			return change{}, words.Refusing("{who} has withdrawn. The director can take them back: {return}.", text.Strong(x.Name), text.Code("/tournament return"))
		}
		if len(x.Team) >= e.Contest.Format.Boards+maxReserves {
			return change{}, words.Refusing("{team} has {n} players, and that's the limit.", text.Strong(x.Name), len(x.Team))
		}
		e.Contest.Entrants[i].Team = append(x.Team, p)
		return change{Kind: didEnter, No: x.No, Who: person(p)}, nil
	}
	return change{Kind: didEnter, No: e.Contest.Enter(contest.Entrant{Player: contest.Player{Name: team}, Team: []contest.Player{p}})}, nil
}

// join enters the person who makes the request.
func (f *tournaments) join(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, a, err := f.requireAsker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	p, err := f.playerOf(ctx, e, req.User, "")
	if err != nil {
		return bot.Reply{}, err
	}
	e, err = f.act(ctx, e.No, req.ID, req.User, func(e *event) (change, error) {
		if e.Phase != entering {
			return change{}, words.Refusing("Registration for {name} is closed. The director can still enter you: {who}.", text.Strong(e.Name), text.List(nameSpans(e.Directors)))
		}
		if err := e.mayEnter(a, p.Name); err != nil {
			return change{}, err
		}
		return e.enterPlayer(p, req.Args["team"], req.ID)
	})
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{
		Text:    text.Say("You're in {name}. When a round begins, I'll tell you whom you play, and where. You can withdraw at any time.", text.Strong(e.Name)),
		Buttons: []bot.Button{e.button(text.Say("Withdraw"), bot.Ordinary, "leave")},
	}, nil
}

// leave withdraws the person who makes the request.
func (f *tournaments) leave(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, a, err := f.requireAsker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	e, err = f.act(ctx, e.No, req.ID, req.User, func(e *event) (change, error) {
		if _, _, in := e.find(a.ids); in && !e.isOn() {
			return change{}, words.Refusing("{name} is over.", text.Strong(e.Name))
		}
		return e.leave(a.ids)
	})
	if err != nil {
		return bot.Reply{}, err
	}
	d, _ := e.findCaused(req.ID)
	if d.Who.Name != "" { // their team plays on without them
		return bot.Reply{Text: text.Say("{who} has withdrawn from {name}, and won't be paired any more.", text.Name(req.User), text.Strong(e.Name))}, nil
	}
	s := text.Say("{who} has withdrawn from {name}, and won't be paired any more.", e.nameOf(d.No), text.Strong(e.Name))
	if _, _, on := e.spotOf(idsOf(e, d.No)); on && e.isPlaying() {
		s = text.Sentences(s, text.Say("The game of this round still counts: play it, or resign it."))
	}
	return bot.Reply{Text: s}, nil
}

// leave withdraws a player. If they are in a team that has other players, the team stays.
func (e *event) leave(ids []game.PlayerID) (change, error) {
	no, board, in := e.find(ids)
	if !in {
		return change{}, words.Refusing("You aren't in {name}.", text.Strong(e.Name))
	}
	x := &e.Contest.Entrants[no-1]
	d := change{Kind: didWithdraw, No: no}
	switch {
	case x.Out > 0:
		return change{}, words.Refusing("{who} has already withdrawn.", e.nameOf(no))
	case len(x.Team) > 1:
		d.Who = person(x.Team[board])
		x.Team = slices.Delete(slices.Clone(x.Team), board, board+1) // the players behind move up a board
	default:
		e.withdraw(no)
	}
	return d, nil
}

// enter lets a director enter a player: late, under another name, or without an account
// here.
func (f *tournaments) enter(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.require(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	name, err := cleanName(req.Args["name"], maxName)
	if err != nil {
		return bot.Reply{}, err
	}
	var who bot.User
	switch known := req.Args["known"]; {
	case known != "":
		if _, done := e.findCaused(req.ID); done {
			break // they are in, and the answer is the same
		}
		if who, err = f.outsider(ctx, e, known); err != nil {
			return bot.Reply{}, err
		}
		name = who.Name
	case len(req.People) == 0 && name == "":
		return bot.Reply{}, words.Refusing("Who? For example {account}, or {name} for somebody who has no account here.", text.Code("/tournament enter who:@Ann"), text.Code("/tournament enter name:Ann"))
	}
	if err := requireOne(req); err != nil {
		return bot.Reply{}, err
	}
	if len(req.People) > 0 {
		who = req.People[0]
	}
	if who.ID.IsRobot() {
		return bot.Reply{}, words.Refusing("Robots don't play in tournaments.")
	}
	p, err := f.playerOf(ctx, e, who, name)
	if err != nil {
		return bot.Reply{}, err
	}
	them := asker{User: bot.User{ID: who.ID, Name: p.Name}}
	if who.ID != "" {
		if them.ids, err = f.desk.Identities(ctx, who.ID); err != nil {
			return bot.Reply{}, err
		}
	}
	return f.direct(ctx, req, func(e *event) (change, error) {
		if !e.isOn() {
			return change{}, words.Refusing("{name} is over.", text.Strong(e.Name))
		}
		if err := e.refuseLate(); err != nil {
			return change{}, err
		}
		if err := e.mayEnter(them, p.Name); err != nil {
			return change{}, err
		}
		return e.enterPlayer(p, req.Args["team"], req.ID)
	})
}

// refuseLate refuses another player if the method of pairing doesn't allow late entries and rounds are
// paired.
func (e *event) refuseLate() error {
	if len(e.Contest.Rounds) > 0 && (e.Kind == contest.RoundRobin || e.Kind == contest.Knockout) {
		return words.Refusing("Nobody can enter late where {kind, select, knockout {losers are out} other {everybody meets everybody}}: the rounds are laid out from the start.", string(e.Kind))
	}
	return nil
}

// A nominee is an entrant whom a director names, with the ids of the player if an account was named.
type nominee struct {
	no  contest.No
	ids []game.PlayerID
}

// nominees returns the entrants whom a request names, in its order: the one chosen from a menu, or
// accounts and then names separated by "/".
func (f *tournaments) nominees(ctx context.Context, e *event, req bot.Request) (all []nominee, err error) {
	if chosen := req.Args["no"]; chosen != "" {
		no, err := e.chosenEntrant(chosen)
		return []nominee{{no: no}}, err
	}
	for _, u := range req.People {
		ids, err := f.desk.Identities(ctx, u.ID)
		if err != nil {
			return nil, err
		}
		no, _, in := e.find(ids)
		if !in {
			return nil, words.Refusing("{who} isn't in {name}.", text.Name(u), text.Strong(e.Name))
		}
		all = append(all, nominee{no, ids})
	}
	for name := range strings.SplitSeq(req.Args["name"], "/") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		i := slices.IndexFunc(e.Contest.Entrants, func(x contest.Entrant) bool { return bot.Alike(x.Name, name) })
		if i < 0 {
			return nil, words.Refusing("{who} isn't in {name}.", text.Strong(text.Shorten(name, bot.MaxName)), text.Strong(e.Name))
		}
		all = append(all, nominee{no: e.Contest.Entrants[i].No})
	}
	return all, nil
}

// requireNominees returns the entrants whom a director names, at least one.
func (f *tournaments) requireNominees(ctx context.Context, req bot.Request) (all []nominee, err error) {
	e, err := f.require(ctx, req)
	if err != nil {
		return nil, err
	}
	if all, err = f.nominees(ctx, &e, req); err == nil && len(all) == 0 {
		err = errNoneNamed()
	}
	return all, err
}

func errNoneNamed() error {
	return words.Refusing("Who? Name somebody: {example}.", text.Code("/tournament withdraw who:@Ann"))
}

// withdraw lets a director withdraw entrants.
func (f *tournaments) withdraw(ctx context.Context, req bot.Request) (bot.Reply, error) {
	who, err := f.requireNominees(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	return f.directs(ctx, req, func(e *event) (all []change, err error) {
		for _, one := range who {
			if e.Contest.Entrants[one.no-1].Out > 0 {
				return nil, words.Refusing("{who} has already withdrawn.", e.nameOf(one.no))
			}
			e.withdraw(one.no)
			all = append(all, change{Kind: didWithdraw, No: one.no})
		}
		return all, nil
	})
}

// reinstate reinstates entrants who have withdrawn.
func (f *tournaments) reinstate(ctx context.Context, req bot.Request) (bot.Reply, error) {
	who, err := f.requireNominees(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	return f.directs(ctx, req, func(e *event) (all []change, err error) {
		for _, one := range who {
			x := &e.Contest.Entrants[one.no-1]
			if x.Out == 0 {
				return nil, words.Refusing("{who} hasn't withdrawn.", e.nameOf(x.No))
			}
			x.Out = 0
			for r := range e.Contest.Rounds { // rounds that they missed
				if !slices.ContainsFunc(e.Contest.Rounds[r].Pairings, func(p contest.Pairing) bool { return p.Has(x.No) }) {
					e.Contest.Rounds[r].Pairings = append(e.Contest.Rounds[r].Pairings, contest.Pairing{A: x.No, Missed: true})
				}
			}
			all = append(all, change{Kind: didReturn, No: x.No})
		}
		return all, nil
	})
}

// secret derives the secret of a tournament's lots. A repeated request gets the same
// secret.
func (f *tournaments) secret(ctx context.Context, no int, cause string) (string, error) {
	own, err := f.own.Secret(ctx, "tournaments")
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(sign(own, strconv.Itoa(no), cause)), nil
}

// playerOf returns a person as a player of a tournament. Their name is the one typed, else
// the one in the club, else their own.
func (f *tournaments) playerOf(ctx context.Context, e event, u bot.User, typed string) (contest.Player, error) {
	known, err := f.profile(ctx, e.Home, e.Channel, bot.User{ID: u.ID, Name: cmp.Or(typed, u.Name)})
	return contest.Player{ID: string(u.ID), Name: cmp.Or(typed, known.Name, u.Name), Member: known.Number, Rating: known.Rating}, err
}

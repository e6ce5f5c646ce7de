package competition

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game/contest"
)

// This file lets a director choose players and games from menus, so that nothing but a score
// needs to be typed.

// mostInMenu limits the choices of a menu to what every platform shows.
const mostInMenu = 25

// choose offers a director the menus that fit the state of the tournament.
func (f *tournaments) choose(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, _, err := f.loadDirected(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	var in, out []contest.No
	for _, x := range e.Contest.Entrants {
		if x.Out > 0 {
			out = append(out, x.No)
		} else {
			in = append(in, x.No)
		}
	}
	r := bot.Reply{Text: text.Say("{name}: choose a game or a player.", text.Strong(e.Name))}
	switch {
	case e.isPlaying():
		r.Menus = append(r.Menus, e.gamesMenu())
	case e.isPaired():
		r.Menus = append(r.Menus, e.playersMenus("swap", "no", nil, in, text.Say("Swap a player"))...)
	}
	r.Menus = append(r.Menus, e.playersMenus("withdraw", "no", nil, in, text.Say("Withdraw a player"))...)
	r.Menus = append(r.Menus, e.playersMenus("return", "no", nil, out, text.Say("Bring a player back"))...)
	if e.refuseLate() == nil {
		r.Buttons = append(r.Buttons, e.button(text.Say("Enter a player"), bot.Ordinary, "late"))
	}
	r.Buttons = append(r.Buttons, e.button(text.Say("Back"), bot.Ordinary, ""))
	return r, nil
}

// late offers a director the people known here who can enter, and a form for anyone else.
func (f *tournaments) late(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, _, err := f.loadDirected(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	known, err := f.outsiders(ctx, e)
	if err != nil {
		return bot.Reply{}, err
	}
	r := bot.Reply{Text: text.Say("Who enters {name}?", text.Strong(e.Name))}
	var choices []bot.Choice
	for _, u := range known[:min(len(known), mostInMenu*mostOutsiderMenus)] {
		choices = append(choices, bot.Choice{Value: outsiderValue(u), Label: text.Plain(u.Name)})
	}
	r.Menus = menus(e.button(nil, bot.Ordinary, "enter", "known", ""), text.Say("Enter a player"), choices)
	r.Buttons = []bot.Button{e.button(text.Say("Another name"), bot.Ordinary, "enter", "name", ""), e.button(text.Say("Back"), bot.Ordinary, "choose")}
	return r, nil
}

// mostOutsiderMenus limits the menus of people who can enter, so that a message has room for them
// and for buttons.
const mostOutsiderMenus = 4

// outsiders lists the people, by name, who are in the club of a tournament's place or played in
// another tournament there, and aren't in this one. Those without an account have no ID.
func (f *tournaments) outsiders(ctx context.Context, e event) (all []bot.User, err error) {
	add := func(u bot.User) {
		in := u.Name == "" || u.ID.IsRobot() || bot.IsFormer(u.ID) || len(outsiderValue(u)) > bot.MaxButtonID || slices.ContainsFunc(all, func(o bot.User) bool { return u.ID != "" && o.ID == u.ID || bot.Alike(o.Name, u.Name) })
		for _, x := range e.Contest.Entrants {
			in = in || slices.ContainsFunc(players(x), func(p contest.Player) bool {
				return u.ID != "" && p.ID == string(u.ID) || bot.Alike(p.Name, u.Name)
			})
		}
		if !in {
			all = append(all, u)
		}
	}
	home, err := f.club.homeOf(ctx, bot.Request{Home: e.Home, Channel: e.Channel})
	if err != nil {
		return nil, err
	}
	members, err := f.club.load(ctx, home)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		add(bot.User{ID: m.id, Name: m.Name})
	}
	err = f.each(ctx, func(other event) error {
		if other.No == e.No || other.Channel != e.Channel && (e.Home == "" || other.Home != e.Home) {
			return nil
		}
		for _, x := range other.Contest.Entrants {
			for _, p := range players(x) {
				add(person(p))
			}
		}
		return nil
	})
	slices.SortFunc(all, func(a, b bot.User) int { return strings.Compare(bot.Unaccented(a.Name), bot.Unaccented(b.Name)) })
	return all, err
}

// outsiderValue identifies a person in a menu: by account, or by name.
func outsiderValue(u bot.User) string {
	if u.ID == "" {
		return "=" + u.Name
	}
	return string(u.ID)
}

// outsider returns the person whom a menu's value names.
func (f *tournaments) outsider(ctx context.Context, e event, value string) (bot.User, error) {
	all, err := f.outsiders(ctx, e)
	if err != nil {
		return bot.User{}, err
	}
	i := slices.IndexFunc(all, func(u bot.User) bool { return outsiderValue(u) == value })
	if i < 0 {
		return bot.User{}, words.OutOfDate()
	}
	return all[i], nil
}

// gamesMenu returns the menu of the round's games, the open ones first.
func (e *event) gamesMenu() bot.Menu {
	m := bot.Menu{ID: e.button(nil, bot.Ordinary, "game", "g", "").ID, Label: text.Say("Enter a result or a forfeit"), Most: 1}
	var over []bot.Choice
	for i := range e.Contest.Rounds[e.Begun-1].Pairings {
		for _, s := range e.spots(e.Begun, i+1) {
			c := bot.Choice{Value: fmt.Sprintf("%d.%d", s.Pairing, s.Board), Label: text.Say("{n}. {a} – {b}", s.Pairing, text.PlainName(person(e.player(s, contest.A))), text.PlainName(person(e.player(s, contest.B))))}
			switch {
			case e.pairingAt(s).B == 0:
			case e.nextGame(s) < 0:
				over = append(over, c)
			default:
				m.Choices = append(m.Choices, c)
			}
		}
	}
	m.Choices = append(m.Choices, over...)
	m.Choices = m.Choices[:min(len(m.Choices), mostInMenu)]
	return m
}

// playersMenus returns menus of players by name for an action, as many as it takes. arg is the
// action's argument for the player, and more its other arguments.
func (e *event) playersMenus(do, arg string, more []string, who []contest.No, label text.Text) []bot.Menu {
	name := func(no contest.No) string { return e.Contest.Entrants[no-1].Name }
	who = slices.Clone(who)
	slices.SortFunc(who, func(a, b contest.No) int { return strings.Compare(strings.ToLower(name(a)), strings.ToLower(name(b))) })
	var choices []bot.Choice
	for _, no := range who {
		choices = append(choices, bot.Choice{Value: strconv.Itoa(int(no)), Label: text.Plain(name(no))})
	}
	return menus(e.button(nil, bot.Ordinary, do, append([]string{arg, ""}, more...)...), label, choices)
}

// menus returns menus that do what a button does with one of the choices, as many as it takes.
func menus(does bot.Button, label text.Text, choices []bot.Choice) (all []bot.Menu) {
	for part := range slices.Chunk(choices, mostInMenu) {
		m := bot.Menu{ID: does.ID, Label: label, Most: 1, Choices: part}
		if len(part) < len(choices) {
			m.Label = text.Say("{do}: {from} to {to}", label, part[0].Label, part[len(part)-1].Label)
		}
		all = append(all, m)
	}
	return all
}

// chosenEntrant returns the entrant that a menu's value names.
func (e *event) chosenEntrant(value string) (contest.No, error) {
	no, err := strconv.Atoi(value)
	if err != nil || no < 1 || no > len(e.Contest.Entrants) {
		return 0, words.OutOfDate()
	}
	return contest.No(no), nil
}

// game shows a director what to do about a game of the round.
func (f *tournaments) game(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, _, err := f.loadDirected(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	s := spot{Round: e.Begun}
	if _, err := fmt.Sscanf(req.Args["g"], "%d.%d", &s.Pairing, &s.Board); err != nil || !e.isPlaying() || e.pairingAt(s) == nil {
		return bot.Reply{}, words.OutOfDate()
	}
	p, first, second := e.pairingAt(s), e.player(s, contest.A), e.player(s, contest.B)
	r := bot.Reply{
		Text:    text.Say("Table {n}: {a} – {b}.", s.Pairing, text.PlainName(person(first)), text.PlainName(person(second))),
		Buttons: []bot.Button{e.button(text.Say("Enter the score"), bot.Primary, "result", append(spotArgs(s), "by", "director", "score", "")...)},
	}
	if so := pairingText(*p); so != "" {
		r.Text = text.Lines(r.Text, text.Say("So far: {result}.", so))
	}
	r.Text = text.Lines(r.Text, text.Say("In the score, {who}'s points come first.", text.PlainName(person(first))))
	if e.nextGame(s) >= 0 {
		for _, no := range []contest.No{p.A, p.B} {
			r.Buttons = append(r.Buttons, e.button(text.Say("{who} forfeits", text.Plain(e.Contest.Entrants[no-1].Name)), bot.Danger, "forfeit", "no", strconv.Itoa(int(no))))
		}
		r.Buttons = append(r.Buttons, e.button(text.Say("Both forfeit"), bot.Danger, "forfeit", "table", strconv.Itoa(s.Pairing)))
	}
	r.Buttons = append(r.Buttons, e.button(text.Say("Back"), bot.Ordinary, "choose"))
	return r, nil
}

// swapChosen swaps two players chosen from menus, or asks for the second one.
func (f *tournaments) swapChosen(ctx context.Context, req bot.Request, e *event) (bot.Reply, error) {
	first, err := e.chosenEntrant(req.Args["no"])
	if err != nil {
		return bot.Reply{}, err
	}
	if req.Args["with"] == "" {
		return e.swapWith(first), nil
	}
	second, err := e.chosenEntrant(req.Args["with"])
	if err != nil {
		return bot.Reply{}, err
	}
	return f.direct(ctx, req, func(e *event) (change, error) { return e.swap(first, second) })
}

// swapWith asks with whom to swap a player.
func (e *event) swapWith(first contest.No) bot.Reply {
	var others []contest.No
	for _, x := range e.Contest.Entrants {
		if x.Out == 0 && x.No != first {
			others = append(others, x.No)
		}
	}
	return bot.Reply{
		Text:  text.Say("Swap {who} with whom?", e.nameOf(first)),
		Menus: e.playersMenus("swap", "with", []string{"no", strconv.Itoa(int(first))}, others, text.Say("Swap with")),
	}
}

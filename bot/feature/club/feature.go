package club

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

type (
	ofPerson = shelf.Pair[shelf.Home, shelf.Person]
	ofMark   = shelf.Pair[shelf.Home, shelf.Mark]
)

// A Feature keeps rosters.
type Feature struct {
	desk     feature.Desk
	own      *shelf.Owner
	settings *settings.Settings
	members  *shelf.Shelf[ofPerson, member]
	guests   *shelf.Shelf[ofMark, member] // who has no account, by name
}

// New makes the feature.
func New(d feature.Desk, own *shelf.Owner, s *settings.Settings) *Feature {
	return &Feature{
		d, own, s,
		shelf.Open(own, "club", shelf.Spec[ofPerson, member]{Why: "who is in the club of a place, with rating, groups, times away and whom they don't want to meet", Rename: (*member).rename}),
		shelf.Open(own, "club guests", shelf.Spec[ofMark, member]{Why: "who is in the club of a place without an account there, as its managers wrote them down", Rename: (*member).rename}),
	}
}

// askKind is the kind of the posts that ask a member whether they still play.
const askKind = "club"

// Posts are those of the feature.
func (f *Feature) Posts() map[string]feature.Posting {
	return map[string]feature.Posting{askKind: {Tell: f.tellAsked, Apart: true}}
}

// Commands are those of the feature.
func (f *Feature) Commands() []feature.Command {
	return []feature.Command{
		{Command: bot.Command{Name: "club", Help: "Join the club of this place, see who is in it, or manage it", Example: "/club join", Options: options()}, Run: f.run},
		{Command: bot.Command{Name: "roster", Help: "Take people into the club from a list, for those who manage this place", Example: "/roster Ann Alder,1500", Options: []bot.Option{
			{Name: "people", Help: "A line for each: name,rating,groups,number", Kind: bot.Sentence, Required: true, Question: text.Say("Who? Write a line for each, or put {bar} between them: name, rating, groups, number.", text.Code(" | ")), Without: text.Say("{club} shows who is in it.", text.Code("/club"))},
		}}, Run: f.takeIn},
	}
}

func options() []bot.Option {
	return []bot.Option{
		{Name: "do", Help: "What to do; leave out to see who is in it", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "join", Label: text.Say("Join the club, or change what it has about you")},
			{Value: "leave", Label: text.Say("Leave the club")},
			{Value: "away", Label: text.Say("Say when you are away")},
			{Value: "avoid", Label: text.Say("Say whom you don't want to be paired with, in private")},
			{Value: "meet", Label: text.Say("Take that back")},
			{Value: "add", Label: text.Say("Add somebody, or change them (managers)")},
			{Value: "remove", Label: text.Say("Remove somebody (managers)")},
			{Value: "ask", Label: text.Say("Ask all whether they still play (managers)")},
			{Value: "waiting", Label: text.Say("See who hasn't answered (managers)")},
			{Value: "file", Label: text.Say("Get the roster as a file (managers)")},
		}},
		{Name: "who", Help: "Whom it is about", Kind: bot.People},
		{Name: "name", Help: "The name to play under", Kind: bot.Words},
		{Name: "rating", Help: "The rating, such as 1500", Kind: bot.Word},
		{Name: "group", Help: "The groups, with semicolons between them", Kind: bot.Words},
		{Name: "until", Help: "Until when you are away, such as 14d or 2026-08-24; back ends it", Kind: bot.Word},
	}
}

// homeOf is whose club is meant: that of the server, or of the channel where there is none.
func (f *Feature) homeOf(ctx context.Context, req bot.Request) (string, error) {
	home, err := f.settings.HomeFor(ctx, req)
	if home == "" {
		home = string(req.Channel)
	}
	return home, err
}

func (f *Feature) run(ctx context.Context, req bot.Request) (bot.Reply, error) {
	home, err := f.homeOf(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	do := req.Args["do"]
	if slices.Contains([]string{"add", "remove", "ask", "waiting", "file"}, do) && !req.Manager {
		return bot.Reply{}, words.Refusing("Those who manage this place do that. You can {join} and {leave} yourself.", text.Code("/club join"), text.Code("/club leave"))
	}
	switch do {
	case "":
		return f.list(ctx, home, req)
	case "join":
		return f.join(ctx, home, req)
	case "leave":
		return f.leave(ctx, home, req)
	case "away":
		return f.away(ctx, home, req)
	case "avoid", "meet":
		return f.avoid(ctx, home, req)
	case "add":
		return f.add(ctx, home, req)
	case "remove":
		return f.remove(ctx, home, req)
	case "ask":
		return f.ask(ctx, home, req)
	case "yes":
		return f.answer(ctx, cmp.Or(req.Args["in"], home), req)
	case "waiting":
		return f.waiting(ctx, home)
	case "file":
		all, err := f.all(ctx, home)
		var rows []member
		for _, p := range all {
			rows = append(rows, p.member)
		}
		return bot.Reply{Text: text.Say("The roster, {n, plural, one {one person} other {# people}}.", len(rows)), Files: []bot.File{{Name: "club.csv", Type: "text/csv; charset=utf-8", Data: file(rows)}}}, err
	}
	return bot.Reply{}, words.NoChoice("do", do, "join", "leave", "away", "avoid", "add", "remove", "ask", "waiting", "file")
}

func button(label text.Text, style bot.Style, args ...string) bot.Button {
	all := map[string]string{}
	for i := 0; i+1 < len(args); i += 2 {
		all[args[i]] = args[i+1]
	}
	return bot.Button{ID: bot.ButtonID(0, 0, "club", all), Label: label, Style: style}
}

// A person is somebody on a roster: by their account, or by name alone.
type person struct {
	id   game.PlayerID // "" for a guest
	mark shelf.Mark
	member
}

// span is their name.
func (p person) span() text.Span {
	if p.id == "" {
		return text.Span{Text: p.Name}
	}
	return text.Name(bot.User{ID: p.id, Name: p.Name})
}

// all is who is on a roster, by name.
func (f *Feature) all(ctx context.Context, home string) (all []person, err error) {
	if err := shelf.EachUnder(ctx, f.members, shelf.Home(home), func(id shelf.Person, m member) error {
		all = append(all, person{id: game.PlayerID(id), member: m})
		return nil
	}); err != nil {
		return nil, err
	}
	if err := shelf.EachUnder(ctx, f.guests, shelf.Home(home), func(k shelf.Mark, m member) error {
		all = append(all, person{mark: k, member: m})
		return nil
	}); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b person) int { return strings.Compare(bot.Unaccented(a.Name), bot.Unaccented(b.Name)) })
	return all, nil
}

// mine is who somebody is on a roster, under any of their names.
func (f *Feature) mine(ctx context.Context, home string, who game.PlayerID) (id game.PlayerID, m member, found bool, err error) {
	ids, err := f.desk.Identities(ctx, who)
	if err != nil {
		return who, m, false, err
	}
	for _, id := range ids {
		if m, found, err = f.members.Get(ctx, shelf.Both(shelf.Home(home), shelf.Person(id))); err != nil || found {
			return id, m, found, err
		}
	}
	return who, m, false, nil
}

// Member is what the club of a place knows of somebody; see [feature.Members].
func (f *Feature) Member(ctx context.Context, home string, ch bot.ChannelID, who bot.User) (of feature.Member, err error) {
	if home, err = f.homeOf(ctx, bot.Request{Home: home, Channel: ch}); err != nil {
		return of, err
	}
	var m member
	if who.ID == "" {
		m, _, err = f.guests.Get(ctx, shelf.Both(shelf.Home(home), shelf.Mark(bot.Unaccented(who.Name))))
	} else {
		_, m, _, err = f.mine(ctx, home, who.ID)
	}
	of = feature.Member{Name: m.Name, Rating: m.Rating, Number: m.Number, Away: m.awayAt(f.desk.Now())}
	for _, u := range m.Avoids {
		of.Avoids = append(of.Avoids, u.ID)
	}
	return of, err
}

// list shows who is in the club.
func (f *Feature) list(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	all, err := f.all(ctx, home)
	if err != nil {
		return bot.Reply{}, err
	}
	_, _, in, err := f.mine(ctx, home, req.User.ID)
	r := bot.Reply{Text: text.Say("The club of this place has {n, plural, =0 {no members yet} one {one member} other {# members}}.", len(all))}
	now := f.desk.Now()
	for i, p := range all {
		line := text.Glue(i+1, ". ", p.span())
		if p.Rating > 0 {
			line = text.Glue(line, " · ", p.Rating)
		}
		if len(p.Groups) > 0 {
			line = text.Glue(line, " · ", strings.Join(p.Groups, ", "))
		}
		if p.awayAt(now) {
			line = text.Glue(line, " · ", text.Item("away until {day}", p.Until.UTC().Format(time.DateOnly)))
		}
		if r.Text.Len()+line.Len() > bot.MaxText-60 {
			r.Text = text.Lines(r.Text, text.Item("and {n} more.", len(all)-i))
			break
		}
		r.Text = text.Lines(r.Text, line)
	}
	if in {
		r.Buttons = append(r.Buttons, button(text.Say("Leave the club"), bot.Ordinary, "do", "leave"))
	} else {
		r.Buttons = append(r.Buttons, button(text.Say("Join the club"), bot.Primary, "do", "join"))
	}
	if req.Manager && len(all) > 0 {
		r.Buttons = append(r.Buttons, button(text.Say("Who hasn't answered"), bot.Ordinary, "do", "waiting"))
	}
	return r, err
}

// nameIsFree refuses a name that somebody else has. A guest's is taken over by whoever
// joins under it and says that it is theirs.
func nameIsFree(all []person, name string, but game.PlayerID) (guest *person, err error) {
	for i, p := range all {
		switch {
		case !bot.Alike(p.Name, name) || p.id != "" && p.id == but:
		case p.id == "":
			guest = &all[i]
		default:
			return nil, words.Refusing("Somebody in the club is called {name} already. Choose another name to play under: {example}.", text.Strong(p.Name), text.Code("/club join name:"+name+" B"))
		}
	}
	return guest, nil
}

// join puts whoever asks on the roster, or changes what it has about them.
func (f *Feature) join(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	all, err := f.all(ctx, home)
	if err != nil {
		return bot.Reply{}, err
	}
	id, was, in, err := f.mine(ctx, home, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	if in && id != req.User.ID && len(req.Args) == 1 {
		return bot.Reply{}, words.Refusing("You are in this club already, as {name}, under another of your accounts.", text.Strong(was.Name))
	}
	name, err := cleanName(cmp.Or(req.Args["name"], was.Name, req.User.Name))
	if err != nil {
		return bot.Reply{}, err
	}
	rating, err := readRating(req.Args["rating"])
	if err != nil {
		return bot.Reply{}, err
	}
	guest, err := nameIsFree(all, name, id)
	if err != nil {
		return bot.Reply{}, err
	}
	if guest != nil && !in && req.Args["me"] == "" {
		return bot.Reply{
			Text:    text.Say("{name} is on the list already, without an account. Are you that person?", text.Strong(guest.Name)),
			Buttons: []bot.Button{button(text.Say("Yes, I am"), bot.Primary, "do", "join", "name", name, "me", "yes"), button(text.Say("No"), bot.Ordinary, "do", "join", "name", text.Shorten(name+" B", maxName))},
		}, nil
	}
	if !in && len(all) >= maxMembers {
		return bot.Reply{}, words.Refusing("The club has {n} members, and that's the limit.", len(all))
	}
	if req.Args["rating"] != "" && was.Set {
		return bot.Reply{}, words.Refusing("Your rating was set by those who manage this place. Ask them to change it.")
	}
	now := f.desk.Now().UTC()
	if err := f.own.Change(ctx, func(tx shelf.Tx) error {
		rows, k := f.members.In(tx), shelf.Both(shelf.Home(home), shelf.Person(id))
		m, _, err := rows.Get(k)
		if err != nil {
			return err
		}
		if guest != nil && m.V == 0 {
			m = guest.member
			if err := f.guests.In(tx).Drop(shelf.Both(shelf.Home(home), guest.mark)); err != nil {
				return err
			}
		}
		if m.V == 0 {
			m.Joined = now
		}
		m.V, m.Name, m.Rating, m.Answered = 1, name, cmp.Or(rating, m.Rating), now
		if g := req.Args["group"]; g != "" {
			m.Groups = groups(g)
		}
		return rows.Put(k, m)
	}); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{
		Text:    text.Say("You are in the club, as {name}. Those who manage this place see that, and so do its members. {leave} takes you out at any time.", text.Strong(name), text.Code("/club leave")),
		Buttons: []bot.Button{button(text.Say("Leave the club"), bot.Ordinary, "do", "leave")},
	}, nil
}

func (f *Feature) leave(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	home = cmp.Or(req.Args["in"], home)
	id, _, in, err := f.mine(ctx, home, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	if !in {
		id = req.User.ID
	}
	return bot.Reply{Text: text.Say("You aren't in the club any more. What it kept about you is gone.")}, f.members.Drop(ctx, shelf.Both(shelf.Home(home), shelf.Person(id)))
}

// change changes the member that whoever asks is.
func (f *Feature) change(ctx context.Context, home string, req bot.Request, fn func(*member)) error {
	id, _, in, err := f.mine(ctx, home, req.User.ID)
	if err == nil && !in {
		err = words.Refusing("You aren't in the club of this place yet: {join}.", text.Code("/club join"))
	}
	if err != nil {
		return err
	}
	return f.members.Change(ctx, shelf.Both(shelf.Home(home), shelf.Person(id)), func(m *member) (bool, error) {
		if m.V > 0 {
			fn(m)
		}
		return m.V > 0, nil
	})
}

// away notes until when somebody is away.
func (f *Feature) away(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	now := f.desk.Now().UTC()
	typed := req.Args["until"]
	if typed == "back" || typed == "0" {
		return bot.Reply{Text: text.Say("Welcome back.")}, f.change(ctx, home, req, func(m *member) { m.From, m.Until = time.Time{}, time.Time{} })
	}
	until, err := time.Parse(time.DateOnly, typed)
	if days, isDays := strings.CutSuffix(typed, "d"); isDays {
		var n int
		if _, err = fmt.Sscanf(days, "%d", &n); err == nil {
			until = now.AddDate(0, 0, n)
		}
	}
	if err != nil || !until.After(now) || until.After(now.AddDate(1, 0, 0)) {
		return bot.Reply{}, words.Refusing("Until when? Within a year: {days}, {date} or {back}.", text.Code("/club away until:14d"), text.Code("/club away until:2026-08-24"), text.Code("/club away until:back"))
	}
	if err := f.change(ctx, home, req, func(m *member) { m.From, m.Until = now, until }); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("Noted: you're away until {day}. {back} ends it. For games under way there is {away}.", until.Format(time.DateOnly), text.Code("/club away until:back"), text.Code("/away"))}, nil
}

// avoid notes whom somebody doesn't want to be paired with, or takes that back.
func (f *Feature) avoid(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	var now []bot.User
	full := false
	if err := f.change(ctx, home, req, func(m *member) {
		for _, u := range req.People {
			i := slices.IndexFunc(m.Avoids, func(a bot.User) bool { return a.ID == u.ID })
			switch {
			case i >= 0 && req.Args["do"] == "meet":
				m.Avoids = slices.Delete(slices.Clone(m.Avoids), i, i+1)
			case i >= 0 || req.Args["do"] == "meet" || u.ID == req.User.ID:
			case len(m.Avoids) >= maxAvoids:
				full = true
			default:
				m.Avoids = append(m.Avoids, u)
			}
		}
		now = m.Avoids
	}); err != nil {
		return bot.Reply{}, err
	}
	var names []text.Span
	for _, u := range now {
		names = append(names, text.Name(u))
	}
	switch {
	case full:
		return bot.Reply{}, words.Refusing("You avoid {n} people, and that's the limit.", len(now))
	case len(now) == 0:
		return bot.Reply{Text: text.Say("You aren't avoiding anybody. {example} keeps you from being paired with somebody, as far as possible. Nobody else sees it.", text.Code("/club avoid who:@Bob"))}, nil
	}
	return bot.Reply{Text: text.Say("You won't be paired with {who} where that can be helped. Nobody else sees this. {meet} takes it back.", text.List(names), text.Code("/club meet who:@…"))}, nil
}

// add has a manager add somebody, or change them.
func (f *Feature) add(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	if len(req.People) == 0 && req.Args["name"] == "" {
		return bot.Reply{}, words.Refusing("Whom? {account}, or {name} for somebody who has no account here. {roster} takes a whole list.", text.Code("/club add who:@Ann"), text.Code("/club add name:Ann"), text.Code("/roster"))
	}
	rating, err := readRating(req.Args["rating"])
	if err != nil {
		return bot.Reply{}, err
	}
	all, err := f.all(ctx, home)
	if err != nil {
		return bot.Reply{}, err
	}
	now := f.desk.Now().UTC()
	fill := func(m *member, name string) {
		if m.V == 0 {
			m.Joined, m.By = now, req.User
		}
		m.V, m.Name = 1, name
		if rating > 0 {
			m.Rating, m.Set = rating, true
		}
		if g := req.Args["group"]; g != "" {
			m.Groups = groups(g)
		}
	}
	if len(req.People) == 0 {
		name, err := cleanName(req.Args["name"])
		if err != nil {
			return bot.Reply{}, err
		}
		i := slices.IndexFunc(all, func(p person) bool { return bot.Alike(p.Name, name) })
		switch {
		case i >= 0 && all[i].id != "":
			err = f.members.Change(ctx, shelf.Both(shelf.Home(home), shelf.Person(all[i].id)), func(m *member) (bool, error) { fill(m, m.Name); return true, nil })
		case i >= 0:
			err = f.guests.Change(ctx, shelf.Both(shelf.Home(home), all[i].mark), func(m *member) (bool, error) { fill(m, m.Name); return true, nil })
		default:
			err = f.guests.Change(ctx, shelf.Both(shelf.Home(home), shelf.Mark(bot.Unaccented(name))), func(m *member) (bool, error) { fill(m, name); return true, nil })
		}
		return bot.Reply{Text: text.Say("{name} is in the club.", text.Strong(name))}, err
	}
	who := req.People[0]
	if who.ID.IsRobot() {
		return bot.Reply{}, words.Refusing("Robots don't join clubs.")
	}
	id, was, _, err := f.mine(ctx, home, who.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	name, err := cleanName(cmp.Or(req.Args["name"], was.Name, who.Name))
	if err != nil {
		return bot.Reply{}, err
	}
	if _, err := nameIsFree(all, name, id); err != nil {
		return bot.Reply{}, err
	}
	err = f.members.Change(ctx, shelf.Both(shelf.Home(home), shelf.Person(id)), func(m *member) (bool, error) { fill(m, name); return true, nil })
	return bot.Reply{Text: text.Say("{name} is in the club.", text.Name(who))}, err
}

// remove has a manager remove somebody.
func (f *Feature) remove(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	all, err := f.all(ctx, home)
	if err != nil {
		return bot.Reply{}, err
	}
	for _, p := range all {
		meant := len(req.People) == 0 && bot.Alike(p.Name, req.Args["name"])
		if len(req.People) > 0 && p.id != "" {
			id, _, in, err := f.mine(ctx, home, req.People[0].ID)
			if err != nil {
				return bot.Reply{}, err
			}
			meant = in && id == p.id
		}
		if !meant {
			continue
		}
		if p.id == "" {
			err = f.guests.Drop(ctx, shelf.Both(shelf.Home(home), p.mark))
		} else {
			err = f.members.Drop(ctx, shelf.Both(shelf.Home(home), shelf.Person(p.id)))
		}
		return bot.Reply{Text: text.Say("Nobody by that name is in the club any more. {club} shows who is.", text.Code("/club"))}, err
	}
	return bot.Reply{Text: text.Say("Nobody by that name is in the club any more. {club} shows who is.", text.Code("/club"))}, nil
}

// takeIn takes people in from a list: all of them, or with a mistake none.
func (f *Feature) takeIn(ctx context.Context, req bot.Request) (bot.Reply, error) {
	home, err := f.homeOf(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if !req.Manager {
		return bot.Reply{}, words.Refusing("Those who manage this place do that. You can {join} and {leave} yourself.", text.Code("/club join"), text.Code("/club leave"))
	}
	people, mistakes := readRoster(req.Args["people"])
	all, err := f.all(ctx, home)
	if err != nil {
		return bot.Reply{}, err
	}
	const most = 8
	switch {
	case len(mistakes) > 0:
		t := text.Say("Nothing was taken in: {n, plural, one {one line needs} other {# lines need}} mending.", len(mistakes))
		t = text.Lines(append([]text.Text{t}, mistakes[:min(most, len(mistakes))]...)...)
		return words.Refuse(t), nil
	case len(people) == 0:
		return bot.Reply{}, words.Refusing("There is nobody in that list. Write a line for each: {example}.", text.Code("/roster Ann Alder,1500"))
	case len(all)+len(people) > maxMembers:
		return bot.Reply{}, words.Refusing("That would be {n} members, and the limit is {most}.", len(all)+len(people), maxMembers)
	}
	now := f.desk.Now().UTC()
	if err := f.own.Change(ctx, func(tx shelf.Tx) error {
		for _, m := range people {
			m.Joined, m.By = now, req.User
			if err := f.enroll(tx, home, all, m); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("{n, plural, one {One person is} other {# people are}} in the club as the list says. Whoever has an account here and joins under a name of the list is asked whether they are that person.", len(people))}, nil
}

// enroll takes somebody in from a list, or what it says of a member or a guest who is there.
func (f *Feature) enroll(tx shelf.Tx, home string, all []person, m member) error {
	if i := slices.IndexFunc(all, func(p person) bool { return bot.Alike(p.Name, m.Name) }); i >= 0 && all[i].id != "" {
		members, k := f.members.In(tx), shelf.Both(shelf.Home(home), shelf.Person(all[i].id))
		old, _, err := members.Get(k)
		if err != nil {
			return err
		}
		return members.Put(k, old.listed(m))
	}
	guests, k := f.guests.In(tx), shelf.Both(shelf.Home(home), shelf.Mark(bot.Unaccented(m.Name)))
	old, _, err := guests.Get(k)
	if err != nil {
		return err
	}
	return guests.Put(k, old.listed(m))
}

// listed is a member with what a list says of them.
func (m member) listed(now member) member {
	if m.V == 0 {
		return now
	}
	m.Rating, m.Set = cmp.Or(now.Rating, m.Rating), now.Set || m.Set
	m.Number = cmp.Or(now.Number, m.Number)
	if len(now.Groups) > 0 {
		m.Groups = now.Groups
	}
	return m
}

// ask asks all who have accounts whether they still play.
func (f *Feature) ask(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	all, err := f.all(ctx, home)
	if err != nil {
		return bot.Reply{}, err
	}
	now := f.desk.Now().UTC()
	var asked []game.PlayerID
	some := false
	for _, p := range all {
		some = some || p.id != ""
		if p.id == "" || p.awayAt(now) {
			continue
		}
		asked = append(asked, p.id)
		if err := f.members.Change(ctx, shelf.Both(shelf.Home(home), shelf.Person(p.id)), func(m *member) (bool, error) {
			if _, waits := m.waits(now); !waits && m.Answered.Before(now) {
				m.Asked = now // who hasn't answered has been waiting since they were asked first
			}
			return m.V > 0, nil
		}); err != nil {
			return bot.Reply{}, err
		}
	}
	if !some {
		return bot.Reply{}, words.Refusing("Nobody in the club has an account here, so there is nobody to ask.")
	}
	if err := f.desk.Update(ctx, req.Channel, "club:"+req.ID, func(r *feature.Room) error {
		if r.Receipt() != nil {
			return nil
		}
		for _, id := range asked {
			r.Post(bot.Post{For: id, Kind: askKind, At: now})
		}
		return nil
	}); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("Everybody who has an account here and isn't away is asked in private whether they still play. {waiting} shows who hasn't answered.", text.Code("/club waiting"))}, nil
}

// tellAsked asks a member.
func (f *Feature) tellAsked(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	home, err := f.homeOf(ctx, bot.Request{Channel: post.Channel})
	if err != nil {
		return m, err
	}
	one, found, err := f.members.Get(ctx, shelf.Both(shelf.Home(home), shelf.Person(post.For)))
	if err != nil {
		return m, err
	}
	if _, waits := one.waits(f.desk.Now()); !found || !waits {
		return m, feature.ErrNothingToTell
	}
	m.To = &bot.User{ID: post.For}
	m.Text = text.Say("Those who manage your club ask whether you still play.")
	m.Buttons = []bot.Button{button(text.Say("I still play"), bot.Primary, "do", "yes", "in", home), button(text.Say("Leave the club"), bot.Ordinary, "do", "leave", "in", home)}
	return m, nil
}

func (f *Feature) answer(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	now := f.desk.Now().UTC()
	return bot.Reply{Text: text.Say("Good. You stay in the club.")}, f.change(ctx, home, req, func(m *member) { m.Answered = now })
}

// waiting lists who hasn't answered, those first who have kept the club waiting longest.
func (f *Feature) waiting(ctx context.Context, home string) (bot.Reply, error) {
	all, err := f.all(ctx, home)
	if err != nil {
		return bot.Reply{}, err
	}
	now := f.desk.Now()
	all = slices.DeleteFunc(all, func(p person) bool { _, waits := p.waits(now); return !waits })
	slices.SortStableFunc(all, func(a, b person) int { return a.Asked.Compare(b.Asked) })
	ask := button(text.Say("Ask all"), bot.Ordinary, "do", "ask")
	if len(all) == 0 {
		return bot.Reply{Text: text.Say("Everybody who was asked has answered."), Buttons: []bot.Button{ask}}, nil
	}
	t := text.Say("Not answered yet:")
	for i, p := range all {
		d, _ := p.waits(now)
		line := text.Say("{who}, for {n, plural, =0 {less than a day} one {# day} other {# days}}", p.span(), int(d.Hours()/24))
		if t.Len()+line.Len() > bot.MaxText-40 {
			t = text.Lines(t, text.Item("and {n} more.", len(all)-i))
			break
		}
		t = text.Lines(t, line)
	}
	return bot.Reply{Text: t, Buttons: []bot.Button{ask}}, nil
}

// MemberLeft takes somebody off the roster who has left the home.
func (f *Feature) MemberLeft(ctx context.Context, home string, who game.PlayerID) error {
	return f.members.Drop(ctx, shelf.Both(shelf.Home(home), shelf.Person(who)))
}

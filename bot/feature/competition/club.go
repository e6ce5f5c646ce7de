package competition

import (
	"cmp"
	"context"
	"slices"
	"strconv"
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

// A clubs stores the rosters of clubs.
type clubs struct {
	desk     feature.Desk
	own      *shelf.Owner
	settings *settings.Settings
	members  *shelf.Shelf[ofPerson, member]
	guests   *shelf.Shelf[ofMark, member] // people without an account, by name
}

func newClub(d feature.Desk, own *shelf.Owner, s *settings.Settings) *clubs {
	return &clubs{
		d, own, s,
		shelf.Open(own, "club", shelf.Spec[ofPerson, member]{Why: "who is in the club of a place, with rating, groups, times away and whom they don't want to meet", Rename: (*member).rename}),
		shelf.Open(own, "club guests", shelf.Spec[ofMark, member]{Why: "who is in the club of a place without an account there, as its managers wrote them down", Rename: (*member).rename}),
	}
}

// askKind is the kind of the posts that ask a member whether they still play.
const askKind = "club"

// commands returns the club and roster commands.
func (f *clubs) commands() []feature.Command {
	return []feature.Command{
		{Command: bot.Command{Name: "club", Help: "Join the club of this place, see who is in it, or manage it", Example: "/club join", Options: clubOptions()}, Run: f.run},
		{Command: bot.Command{Name: "roster", Help: "Add people to the club from a list, for managers of this place", Example: "/roster Ann Alder,1500", Options: []bot.Option{
			{Name: "people", Help: "A line for each: name,rating,groups,number", Kind: bot.Sentence, Required: true, Question: text.Say("Who? Write a line for each, or put {bar} between them: name, rating, groups, number.", text.Code(" | ")), Without: text.Say("{club} shows who is in it.", text.Code("/club"))},
		}}, Run: f.takeIn},
	}
}

func clubOptions() []bot.Option {
	return []bot.Option{
		{Name: "do", Help: "What to do; leave out to see who is in it", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "join", Label: text.Say("Join the club, or change what it has about you")},
			{Value: "leave", Label: text.Say("Leave the club")},
			{Value: "away", Label: text.Say("Say when you are away")},
			{Value: "avoid", Label: text.Say("Avoid being paired with somebody, in private")},
			{Value: "meet", Label: text.Say("Take that back")},
			{Value: "add", Label: text.Say("Add somebody, or change them (managers)")},
			{Value: "remove", Label: text.Say("Remove somebody (managers)")},
			{Value: "ask", Label: text.Say("Ask all whether they still play (managers)")},
			{Value: "waiting", Label: text.Say("See who hasn't answered (managers)")},
			{Value: "file", Label: text.Say("Get the roster as a file (managers)")},
		}},
		{Name: "who", Help: "Which player", Kind: bot.People},
		{Name: "name", Help: "The name to play under", Kind: bot.Words},
		{Name: "rating", Help: "The rating, such as 1500", Kind: bot.Word},
		{Name: "group", Help: "The groups, with semicolons between them", Kind: bot.Words},
		{Name: "until", Help: "How long you're away, such as 14d, or until 2026-08-24; back ends it", Kind: bot.Word},
	}
}

var errManagersOnly = words.Refusing("Only the managers of this place can do that. You can {join} and {leave} yourself.", text.Code("/club join"), text.Code("/club leave"))

// homeOf returns the home of a request's club: the server, or the channel if it has no
// server.
func (f *clubs) homeOf(ctx context.Context, req bot.Request) (string, error) {
	home, err := f.settings.HomeFor(ctx, req)
	if home == "" {
		home = string(req.Channel)
	}
	return home, err
}

func (f *clubs) run(ctx context.Context, req bot.Request) (bot.Reply, error) {
	home, err := f.homeOf(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	do := req.Args["do"]
	if slices.Contains([]string{"add", "remove", "ask", "waiting", "file"}, do) && !req.Manager {
		return bot.Reply{}, errManagersOnly
	}
	does := map[string]func(ctx context.Context, home string, req bot.Request) (bot.Reply, error){
		"": f.list, "join": f.join, "leave": f.leave, "away": f.setAway, "avoid": f.avoid, "meet": f.avoid, "yes": f.answer,
		"add": f.add, "remove": f.remove, "ask": f.ask, "waiting": f.listWaiting, "file": f.file,
	}
	carry, known := does[do]
	if !known {
		return bot.Reply{}, words.NoChoice("do", do, "join", "leave", "away", "avoid", "add", "remove", "ask", "waiting", "file")
	}
	return carry(ctx, home, req)
}

// file returns the roster as a CSV file.
func (f *clubs) file(ctx context.Context, home string, _ bot.Request) (bot.Reply, error) {
	all, err := f.load(ctx, home)
	var rows []member
	for _, p := range all {
		rows = append(rows, p.member)
	}
	return bot.Reply{
		Text:  text.Say("The roster, {n, plural, one {one person} other {# people}}.", len(rows)),
		Files: []bot.File{{Name: "club.csv", Type: "text/csv; charset=utf-8", Data: rosterFile(rows)}},
	}, err
}

func clubButton(label text.Text, style bot.Style, do string, more ...string) bot.Button {
	return button("club", label, style, append([]string{"do", do}, more...)...)
}

// A rosterEntry is a person on a roster, by account or by name only.
type rosterEntry struct {
	id   game.PlayerID // "" for a guest
	mark shelf.Mark
	member
}

// span returns the entry's name, with the account if there is one.
func (p rosterEntry) span() text.Span {
	if p.id == "" {
		return text.Span{Text: p.Name}
	}
	return text.Name(bot.User{ID: p.id, Name: p.Name})
}

// A roster lists the people of a club, sorted by name.
type roster []rosterEntry

// load returns the roster of a home.
func (f *clubs) load(ctx context.Context, home string) (all roster, err error) {
	return all.read(
		func(fn func(shelf.Person, member) error) error {
			return shelf.EachUnder(ctx, f.members, shelf.Home(home), fn)
		},
		func(fn func(shelf.Mark, member) error) error {
			return shelf.EachUnder(ctx, f.guests, shelf.Home(home), fn)
		})
}

// loadIn returns the roster of a home within a transaction.
func (f *clubs) loadIn(tx shelf.Tx, home string) (all roster, err error) {
	return all.read(
		func(fn func(shelf.Person, member) error) error {
			return shelf.EachIn(f.members.In(tx), shelf.Home(home), fn)
		},
		func(fn func(shelf.Mark, member) error) error {
			return shelf.EachIn(f.guests.In(tx), shelf.Home(home), fn)
		})
}

// read builds a roster from the rows of members and guests.
func (all roster) read(members func(func(shelf.Person, member) error) error, guests func(func(shelf.Mark, member) error) error) (roster, error) {
	if err := members(func(id shelf.Person, m member) error {
		all = append(all, rosterEntry{id: game.PlayerID(id), member: m})
		return nil
	}); err != nil {
		return nil, err
	}
	if err := guests(func(k shelf.Mark, m member) error {
		all = append(all, rosterEntry{mark: k, member: m})
		return nil
	}); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b rosterEntry) int { return strings.Compare(bot.Unaccented(a.Name), bot.Unaccented(b.Name)) })
	return all, nil
}

// find returns the entry of a person, by any of their ids.
func (all roster) find(ids []game.PlayerID) (p rosterEntry, in bool) {
	for _, id := range ids {
		if i := slices.IndexFunc(all, func(p rosterEntry) bool { return p.id == id }); i >= 0 {
			return all[i], true
		}
	}
	return p, false
}

// findNamed returns the entry with a name.
func (all roster) findNamed(name string) (p rosterEntry, in bool) {
	if i := slices.IndexFunc(all, func(p rosterEntry) bool { return bot.Alike(p.Name, name) }); i >= 0 {
		return all[i], true
	}
	return p, false
}

// refuseIfFull refuses another member if the club has reached its limit.
func (all roster) refuseIfFull() error {
	if len(all) < maxMembers {
		return nil
	}
	return words.Refusing("The club has {n} members, and that's the limit.", len(all))
}

// put stores an entry.
func (f *clubs) put(tx shelf.Tx, home string, p rosterEntry) error {
	if p.id == "" {
		return f.guests.In(tx).Put(shelf.Both(shelf.Home(home), p.mark), p.member)
	}
	return f.members.In(tx).Put(shelf.Both(shelf.Home(home), shelf.Person(p.id)), p.member)
}

// erase deletes an entry.
func (f *clubs) erase(tx shelf.Tx, home string, p rosterEntry) error {
	if p.id == "" {
		return f.guests.In(tx).Drop(shelf.Both(shelf.Home(home), p.mark))
	}
	return f.members.In(tx).Drop(shelf.Both(shelf.Home(home), shelf.Person(p.id)))
}

// findMember returns the row of a person in a club, by any of their ids.
func (f *clubs) findMember(ctx context.Context, home string, who game.PlayerID) (id game.PlayerID, m member, found bool, err error) {
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

// A profile describes a player to leagues and tournaments: with the club's data, or only
// with a rating if they aren't in the club.
type profile struct {
	Name   string          // to play under
	Rating int             // 0 for none
	Number string          // in their association
	Avoids []game.PlayerID // opponents they don't want to be paired with
	Away   bool            // now
}

// profile returns what the club knows about a person, by their account, or by name if they
// have none.
func (f *clubs) profile(ctx context.Context, home string, ch bot.ChannelID, who bot.User) (of profile, err error) {
	if home, err = f.homeOf(ctx, bot.Request{Home: home, Channel: ch}); err != nil {
		return of, err
	}
	var m member
	if who.ID == "" {
		m, _, err = f.guests.Get(ctx, shelf.Both(shelf.Home(home), shelf.Mark(bot.Unaccented(who.Name))))
	} else {
		_, m, _, err = f.findMember(ctx, home, who.ID)
	}
	of = profile{Name: m.Name, Rating: m.Rating, Number: m.Number, Away: m.isAway(f.desk.Now())}
	for _, u := range m.Avoids {
		of.Avoids = append(of.Avoids, u.ID)
	}
	return of, err
}

// list shows the members of the club.
func (f *clubs) list(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	all, err := f.load(ctx, home)
	if err != nil {
		return bot.Reply{}, err
	}
	_, _, in, err := f.findMember(ctx, home, req.User.ID)
	now := f.desk.Now()
	var lines []text.Text
	for i, p := range all {
		line := text.Glue(i+1, ". ", p.span())
		if p.Rating > 0 {
			line = text.Glue(line, " · ", p.Rating)
		}
		if len(p.Groups) > 0 {
			line = text.Glue(line, " · ", strings.Join(p.Groups, ", "))
		}
		if p.isAway(now) {
			line = text.Glue(line, " · ", text.Item("away until {day}", p.Until.UTC().Format(time.DateOnly)))
		}
		lines = append(lines, line)
	}
	r := bot.Reply{Text: feature.Fit(text.Say("The club of this place has {n, plural, =0 {no members yet} one {one member} other {# members}}.", len(all)), lines)}
	if in {
		r.Buttons = append(r.Buttons, clubButton(text.Say("Leave the club"), bot.Ordinary, "leave"))
	} else {
		r.Buttons = append(r.Buttons, clubButton(text.Say("Join the club"), bot.Primary, "join"))
	}
	if req.Manager && len(all) > 0 {
		r.Buttons = append(r.Buttons, clubButton(text.Say("Who hasn't answered"), bot.Ordinary, "waiting"))
	}
	return r, err
}

// guest returns the entry without an account that has a name. It refuses the request if
// an account has the name that isn't in but; example shows how to choose another.
func (all roster) guest(name string, but []game.PlayerID, example text.Span) (guest rosterEntry, found bool, err error) {
	for _, p := range all {
		switch {
		case !bot.Alike(p.Name, name) || slices.Contains(but, p.id):
		case p.id == "":
			guest, found = p, true
		default:
			return guest, false, words.Refusing("Somebody in the club is called {name} already. Choose another name to play under: {example}.", text.Strong(p.Name), example)
		}
	}
	return guest, found, nil
}

// join adds the person to the roster, or updates their entry.
func (f *clubs) join(ctx context.Context, home string, req bot.Request) (r bot.Reply, err error) {
	rating, err := readRating(req.Args["rating"])
	if err != nil {
		return r, err
	}
	ids, err := f.desk.Identities(ctx, req.User.ID)
	if err != nil {
		return r, err
	}
	err = f.own.Change(ctx, func(tx shelf.Tx) error {
		r, err = f.enter(tx, home, req, ids, rating)
		return err
	})
	return r, err
}

// enter carries out join within a transaction. A person who confirms that a guest's entry
// is theirs takes it over, and their other accounts are merged into the one they join with.
func (f *clubs) enter(tx shelf.Tx, home string, req bot.Request, ids []game.PlayerID, rating int) (bot.Reply, error) {
	all, err := f.loadIn(tx, home)
	if err != nil {
		return bot.Reply{}, err
	}
	me, in := all.find(ids)
	if !in {
		me.id = req.User.ID
	}
	if me.id != req.User.ID && len(req.Args) == 1 {
		return bot.Reply{}, words.Refusing("You're already in this club, as {name}, under another of your accounts.", text.Strong(me.Name))
	}
	name, err := requireName(cmp.Or(req.Args["name"], me.Name, req.User.Name))
	if err != nil {
		return bot.Reply{}, err
	}
	guest, taken, err := all.guest(name, ids, text.Code("/club join name:"+name+" B"))
	switch {
	case err != nil:
		return bot.Reply{}, err
	case taken && req.Args["me"] == "":
		return bot.Reply{
			Text:    text.Say("{name} is already on the list, without an account. Are you that person?", text.Strong(guest.Name)),
			Buttons: []bot.Button{clubButton(text.Say("Yes, I am"), bot.Primary, "join", "name", name, "me", "yes"), clubButton(text.Say("No"), bot.Ordinary, "join", "name", text.Shorten(name+" B", maxName))},
		}, nil
	case taken:
		me.member = me.updateFrom(guest.member)
	case !in:
		if err := all.refuseIfFull(); err != nil {
			return bot.Reply{}, err
		}
	}
	if req.Args["rating"] != "" && me.Set {
		return bot.Reply{}, words.Refusing("The managers of this place set your rating. Ask them to change it.")
	}
	for _, p := range all { // entries to be merged
		if taken && p.mark == guest.mark || p.id != me.id && slices.Contains(ids, p.id) {
			if err := f.erase(tx, home, p); err != nil {
				return bot.Reply{}, err
			}
		}
	}
	now := f.desk.Now().UTC()
	if me.V == 0 {
		me.Joined = now
	}
	me.V, me.Name, me.Rating, me.Answered = 1, name, cmp.Or(rating, me.Rating), now
	if g := req.Args["group"]; g != "" {
		me.Groups = groups(g)
	}
	return bot.Reply{
		Text:    text.Say("You're in the club, as {name}. Its managers and members see that. {leave} takes you out at any time.", text.Strong(name), text.Code("/club leave")),
		Buttons: []bot.Button{clubButton(text.Say("Leave the club"), bot.Ordinary, "leave")},
	}, f.put(tx, home, me)
}

func (f *clubs) leave(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	return bot.Reply{Text: text.Say("You've left the club, and your entry is deleted.")}, f.drop(ctx, cmp.Or(req.Args["in"], home), req.User.ID)
}

// drop removes a person from a roster, with all their accounts.
func (f *clubs) drop(ctx context.Context, home string, who game.PlayerID) error {
	ids, err := f.desk.Identities(ctx, who)
	if err != nil {
		return err
	}
	return f.own.Change(ctx, func(tx shelf.Tx) error {
		for _, id := range ids {
			if err := f.erase(tx, home, rosterEntry{id: id}); err != nil {
				return err
			}
		}
		return nil
	})
}

// change updates the entry of the person who makes a request.
func (f *clubs) change(ctx context.Context, home string, req bot.Request, fn func(*member)) error {
	id, _, in, err := f.findMember(ctx, home, req.User.ID)
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

// setAway records until when a member is away.
func (f *clubs) setAway(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	now := f.desk.Now().UTC()
	typed := req.Args["until"]
	if typed == "back" || typed == "0" {
		return bot.Reply{Text: text.Say("Welcome back.")}, f.change(ctx, home, req, func(m *member) { m.From, m.Until = time.Time{}, time.Time{} })
	}
	until, err := time.Parse(time.DateOnly, typed)
	if days, isDays := strings.CutSuffix(typed, "d"); isDays {
		var n int
		if n, err = strconv.Atoi(days); err == nil {
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

// avoid records opponents whom a member doesn't want to meet, or removes them again.
func (f *clubs) avoid(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
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
	switch {
	case full:
		return bot.Reply{}, words.Refusing("You avoid {n} people, and that's the limit.", len(now))
	case len(now) == 0:
		return bot.Reply{Text: text.Say("You aren't avoiding anybody. {example} keeps you from being paired with somebody, as far as possible. Nobody else sees it.", text.Code("/club avoid who:@Bob"))}, nil
	}
	return bot.Reply{Text: text.Say("You won't be paired with {who} if it can be avoided. Nobody else sees this. {meet} undoes it.", text.List(nameSpans(now)), text.Code("/club meet who:@…"))}, nil
}

// add lets a manager add a member, or change one.
func (f *clubs) add(ctx context.Context, home string, req bot.Request) (r bot.Reply, err error) {
	if len(req.People) == 0 && req.Args["name"] == "" {
		return r, words.Refusing("Whom? {account}, or {name} for somebody who has no account here. {roster} takes a whole list.", text.Code("/club add who:@Ann"), text.Code("/club add name:Ann"), text.Code("/roster"))
	}
	rating, err := readRating(req.Args["rating"])
	if err != nil {
		return r, err
	}
	m := member{V: 1, Rating: rating, Set: rating > 0, Joined: f.desk.Now().UTC(), By: req.User, Groups: groups(req.Args["group"])}
	if len(req.People) == 0 {
		if m.Name, err = requireName(req.Args["name"]); err != nil {
			return r, err
		}
		r.Text = text.Say("{name} is in the club.", text.Strong(m.Name))
		return r, f.enroll(ctx, home, m)
	}
	if err := requireOne(req); err != nil {
		return r, err
	}
	who := req.People[0]
	if who.ID.IsRobot() {
		return r, words.Refusing("Robots don't join clubs.")
	}
	ids, err := f.desk.Identities(ctx, who.ID)
	if err != nil {
		return r, err
	}
	r.Text = text.Say("{name} is in the club.", text.Name(who))
	return r, f.own.Change(ctx, func(tx shelf.Tx) error {
		all, err := f.loadIn(tx, home)
		if err != nil {
			return err
		}
		old, in := all.find(ids)
		if m.Name, err = requireName(cmp.Or(req.Args["name"], old.Name, who.Name)); err != nil {
			return err
		}
		if !in {
			old.id = who.ID
		}
		example := text.Code("/club add who:@" + who.Name + " name:" + m.Name + " B")
		guest, taken, err := all.guest(m.Name, ids, example)
		switch {
		case err != nil:
			return err
		case taken:
			return words.Refusing("{name} is on the list already, without an account. If that's {who}, they can take the entry over: {join}. If not, choose another name: {example}.", text.Strong(guest.Name), text.Name(who), text.Code("/club join name:"+m.Name), example)
		case !in:
			if err := all.refuseIfFull(); err != nil {
				return err
			}
		}
		old.member = old.updateFrom(m)
		old.Name = m.Name
		return f.put(tx, home, old)
	})
}

// remove lets a manager remove members.
func (f *clubs) remove(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	r := bot.Reply{Text: text.Say("Nobody by that name is in the club any more. {club} shows who is.", text.Code("/club"))}
	for _, u := range req.People {
		if err := f.drop(ctx, home, u.ID); err != nil {
			return bot.Reply{}, err
		}
	}
	if len(req.People) > 0 {
		return r, nil
	}
	return r, f.own.Change(ctx, func(tx shelf.Tx) error {
		all, err := f.loadIn(tx, home)
		if err != nil {
			return err
		}
		p, found := all.findNamed(req.Args["name"])
		if !found {
			return nil
		}
		return f.erase(tx, home, p)
	})
}

// takeIn adds all people of a list, or none if a line has a mistake.
func (f *clubs) takeIn(ctx context.Context, req bot.Request) (bot.Reply, error) {
	home, err := f.homeOf(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if !req.Manager {
		return bot.Reply{}, errManagersOnly
	}
	people, mistakes := readRoster(req.Args["people"])
	switch {
	case len(mistakes) > 0:
		return words.Refuse(feature.Fit(text.Say("Nobody was added: {n, plural, one {one line has} other {# lines have}} a mistake.", len(mistakes)), mistakes)), nil
	case len(people) == 0:
		return bot.Reply{}, words.Refusing("That list is empty. Write one line for each person: {example}.", text.Code("/roster Ann Alder,1500"))
	}
	for i := range people {
		people[i].Joined, people[i].By = f.desk.Now().UTC(), req.User
	}
	if err := f.enroll(ctx, home, people...); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("{n, plural, one {# person} other {# people}} added or updated. If somebody joins under a name on the list, I ask whether they are that person.", len(people))}, nil
}

// enroll adds people by name, or updates their entries if they are there already.
func (f *clubs) enroll(ctx context.Context, home string, people ...member) error {
	return f.own.Change(ctx, func(tx shelf.Tx) error {
		all, err := f.loadIn(tx, home)
		if err != nil {
			return err
		}
		n := len(all)
		for _, m := range people {
			p, in := all.findNamed(m.Name)
			if !in {
				p.mark = shelf.Mark(bot.Unaccented(m.Name))
				n++
			}
			p.member = p.updateFrom(m)
			if err := f.put(tx, home, p); err != nil {
				return err
			}
		}
		switch {
		case n == len(all) || n <= maxMembers:
			return nil
		case len(people) == 1:
			return all.refuseIfFull()
		default:
			return words.Refusing("That would be {n} members, and the limit is {most}.", n, maxMembers)
		}
	})
}

// updateFrom returns the member, updated from a list.
func (m member) updateFrom(now member) member {
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

// ask asks all members with accounts whether they still play.
func (f *clubs) ask(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	all, err := f.load(ctx, home)
	if err != nil {
		return bot.Reply{}, err
	}
	now := f.desk.Now().UTC()
	var asked []game.PlayerID
	some := false
	for _, p := range all {
		some = some || p.id != ""
		if p.id == "" || p.isAway(now) {
			continue
		}
		asked = append(asked, p.id)
		if err := f.members.Change(ctx, shelf.Both(shelf.Home(home), shelf.Person(p.id)), func(m *member) (bool, error) {
			if _, waits := m.waitsSince(now); !waits && m.Answered.Before(now) {
				m.Asked = now // a member who hasn't answered has been waiting since they were first asked
			}
			return m.V > 0, nil
		}); err != nil {
			return bot.Reply{}, err
		}
	}
	if !some {
		return bot.Reply{}, words.Refusing("Nobody in the club has an account here, so there's nobody to ask.")
	}
	if err := feature.Once(ctx, f.desk, req.Channel, "club:"+req.ID, func(r *feature.Room) {
		for _, id := range asked {
			r.Post(bot.Post{For: id, Kind: askKind, At: now})
		}
	}); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("Everybody who has an account here and isn't away is asked in private whether they still play. {waiting} shows who hasn't answered.", text.Code("/club waiting"))}, nil
}

// tellAsked asks a member whether they still play.
func (f *clubs) tellAsked(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	home, err := f.homeOf(ctx, bot.Request{Channel: post.Channel})
	if err != nil {
		return m, err
	}
	one, found, err := f.members.Get(ctx, shelf.Both(shelf.Home(home), shelf.Person(post.For)))
	if err != nil {
		return m, err
	}
	if _, waits := one.waitsSince(f.desk.Now()); !found || !waits {
		return m, feature.ErrNothingToTell
	}
	m.To = &bot.User{ID: post.For}
	m.Text = text.Say("The managers of your club ask: do you still play?")
	m.Buttons = []bot.Button{clubButton(text.Say("I still play"), bot.Primary, "yes", "in", home), clubButton(text.Say("Leave the club"), bot.Ordinary, "leave", "in", home)}
	return m, nil
}

func (f *clubs) answer(ctx context.Context, home string, req bot.Request) (bot.Reply, error) {
	now := f.desk.Now().UTC()
	home = cmp.Or(req.Args["in"], home)
	return bot.Reply{Text: text.Say("Good. You stay in the club.")}, f.change(ctx, home, req, func(m *member) { m.Answered = now })
}

// listWaiting lists members who haven't answered, longest wait first.
func (f *clubs) listWaiting(ctx context.Context, home string, _ bot.Request) (bot.Reply, error) {
	all, err := f.load(ctx, home)
	if err != nil {
		return bot.Reply{}, err
	}
	now := f.desk.Now()
	all = slices.DeleteFunc(all, func(p rosterEntry) bool { _, waits := p.waitsSince(now); return !waits })
	slices.SortStableFunc(all, func(a, b rosterEntry) int { return a.Asked.Compare(b.Asked) })
	ask := clubButton(text.Say("Ask all"), bot.Ordinary, "ask")
	if len(all) == 0 {
		return bot.Reply{Text: text.Say("Everybody who was asked has answered."), Buttons: []bot.Button{ask}}, nil
	}
	var lines []text.Text
	for _, p := range all {
		d, _ := p.waitsSince(now)
		lines = append(lines, text.Say("{who}, for {n, plural, =0 {less than a day} one {# day} other {# days}}", p.span(), int(d.Hours()/24)))
	}
	return bot.Reply{Text: feature.Fit(text.Say("Not answered yet:"), lines), Buttons: []bot.Button{ask}}, nil
}

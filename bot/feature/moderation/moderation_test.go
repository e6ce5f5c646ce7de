package moderation_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// A room is a room of our own, kept by Mod and Kim, together with a server on another
// platform that Mod manages.
type room struct {
	t       *testing.T
	host    *host.Host
	steward *steward
	channel bot.ChannelID
	people  map[string]bot.User
	manages map[string]bool // managers of the server
	n       int
	stop    func()               // stops the host's loops
	answers map[string]bot.Reply // each person's latest reply

	mu    sync.Mutex
	posts []bot.Message
}

// A steward is the room's steward, with its messages and bans.
type steward struct {
	now  func() time.Time
	said []bot.ChatMessage
	bans []bot.Ban
	told []text.Text
}

func (s *steward) Keeps(_ context.Context, who bot.PlayerID) (string, bool, error) {
	return "room:all", who == "room:mod" || who == "room:kim", nil
}

func (s *steward) Said(_ context.Context, _ bot.PlayerID, _ bot.ChannelID, number uint64, before int) ([]bot.ChatMessage, error) {
	i := slices.IndexFunc(s.said, func(s bot.ChatMessage) bool { return s.Number == number })
	if i < 0 {
		return nil, nil
	}
	return s.said[max(0, i-before) : i+1], nil
}

func (s *steward) Unsay(_ context.Context, _ bot.ChannelID, number uint64) error {
	s.said = slices.DeleteFunc(s.said, func(s bot.ChatMessage) bool { return s.Number == number })
	return nil
}

func (s *steward) Ban(_ context.Context, b bot.Ban) (text.Text, error) {
	s.bans = slices.DeleteFunc(s.bans, func(had bot.Ban) bool { return had.Who.ID == b.Who.ID })
	if !b.Lift {
		s.bans = slices.Insert(s.bans, 0, b)
	}
	return nil, nil
}

func (s *steward) Bans(context.Context) ([]bot.Ban, error) {
	return slices.DeleteFunc(slices.Clone(s.bans), func(b bot.Ban) bool { return !b.Until.IsZero() && !s.now().Before(b.Until) }), nil
}

func (s *steward) Invite(_ context.Context, _ bot.PlayerID, _ bot.ChannelID, uses int, life time.Duration) (string, text.Text, error) {
	if uses < 1 || uses > 100 {
		return "", text.Plain("An invitation is for 1 to 100 people."), nil
	}
	return fmt.Sprintf("https://room.example/in/%d/%s", uses, life), nil, nil
}

func (s *steward) TellKeepers(_ context.Context, _ bot.PlayerID, _ string, said text.Text, _ []bot.Button) error {
	s.told = append(s.told, said)
	return nil
}

func (r *room) Post(_ context.Context, m bot.Message) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.posts = append(r.posts, m)
	return nil
}

// inRoom plays a scene. Each line is a person's action and the start of the reply: "bob:
// /new => Your table is open", or "=> !" for a refusal. "bob presses Unblock => ..."
// presses a button of the last reply, "bob presses an old ID" one of an earlier version;
// "bob sees => ..." lists the last reply's buttons; "bob says ..." speaks in the room.
// "promote kim" and "demote kim" change the server's managers, "wait 1h" waits, "posts" and
// "told" show what others received, and "no X" requires that X is missing.
func inRoom(t *testing.T, scene string) {
	synctest.Test(t, func(t *testing.T) {
		store, steward := memory.New(), &steward{now: time.Now}
		r := &room{t: t, steward: steward, channel: "room:hall", people: map[string]bot.User{}, manages: map[string]bool{"mod": true}, answers: map[string]bot.Reply{}}
		for _, name := range []string{"Ann", "Bob", "Cat", "Mod", "Kim"} {
			r.people[strings.ToLower(name)] = bot.User{ID: bot.PlayerID("room:" + strings.ToLower(name)), Name: name}
		}
		r.host = host.New(host.Config{
			Features: features.All, Order: features.Order(), Store: store, Notes: store.Notes("host"),
			Platforms: func() []bot.Platform {
				return []bot.Platform{{Name: "room", Title: "the room", Steward: steward}, {Name: "server", Title: "the server"}}
			},
			Equipment: gametest.Equipment(t), Layouts: gametest.Layouts(t), Lexicons: []*lexicon.Lexicon{bottest.Small(t)}, DefaultLexicon: "small",
			Now: time.Now, Life: time.Hour, Random: rand.Reader, Log: slog.New(slog.DiscardHandler),
		})
		ctx, stop := context.WithCancel(t.Context())
		r.stop = stop
		var running sync.WaitGroup
		running.Go(func() { r.host.RunTimers(ctx) })
		for _, platform := range []string{"room", "server"} {
			running.Go(func() { r.host.Deliver(ctx, platform, r) })
		}
		for i, who := range []string{"bob", "ann", "bob", "", "bob"} {
			steward.said = append(steward.said, bot.ChatMessage{Number: uint64(i + 1), By: r.people[who], Text: fmt.Sprint("message ", i+1)})
		}
		for line := range strings.Lines(scene) {
			if line = strings.TrimSpace(line); line != "" {
				r.plays(line)
			}
		}
		stop()
		running.Wait()
	})
}

func (r *room) plays(line string) {
	r.t.Helper()
	does, want, _ := strings.Cut(line, " =>")
	want, refused := strings.CutPrefix(strings.TrimSpace(want), "!")
	got := ""
	switch who, what, _ := strings.Cut(does, " "); {
	case who == "wait":
		d, err := time.ParseDuration(what)
		if err != nil {
			r.t.Fatal(line)
		}
		time.Sleep(d)
		synctest.Wait()
		return
	case what == "" && who == "alone":
		r.stop() // no timers run, so months pass quickly
		return
	case who == "forget":
		gametest.Must(r.t, r.host.Forget(r.t.Context(), r.people[what]))
		return
	case who == "left":
		gametest.Must(r.t, r.host.MemberLeft(r.t.Context(), "server:1", r.people[what].ID))
		return
	case who == "promote", who == "demote":
		r.manages[what] = who == "promote"
		return
	case who == "in":
		r.channel = bot.ChannelID(what)
		return
	case who == "posts":
		r.mu.Lock()
		for _, m := range r.posts {
			if m.To != nil {
				got += "to " + string(m.To.ID) + ": "
				name := strings.TrimPrefix(string(m.To.ID), "room:")
				r.answers[name] = bot.Reply{Text: m.Text, Buttons: m.Buttons}
			}
			got += m.Text.String() + "\n"
		}
		r.posts = nil
		r.mu.Unlock()
	case who == "told":
		for _, said := range r.steward.told {
			got += said.String() + "\n"
		}
	case who == "bans":
		for _, b := range r.steward.bans {
			got += fmt.Sprintf("%s for:%v\n", b.Who.Name, time.Until(b.Until))
		}
	case strings.HasPrefix(what, "presses an old "):
		_, old, _ := strings.Cut(what, "presses an old ")
		req, ok := bot.Request{ID: "old " + old, Channel: r.channel, User: r.people[who]}.Press(old)
		if !ok {
			r.t.Fatal(line)
		}
		answer := r.host.Handle(r.t.Context(), req)
		if answer.Refused != refused {
			r.t.Errorf("%s: %s (refused: %t)", line, answer.Text, answer.Refused)
		}
		got = answer.Text.String()
	case what == "sees":
		got = featuretest.ButtonsShown(r.answers[who].Buttons) + "."
	case strings.HasPrefix(what, "says "):
		no, err := r.host.MaySay(r.t.Context(), "room:all", r.people[who].ID)
		if err != nil || (no != nil) != refused {
			r.t.Errorf("%s: %s (%v)", line, no, err)
		}
		got = no.String()
	default:
		answer := r.asks(who, what)
		if answer.Refused != refused {
			r.t.Errorf("%s: %s (refused: %t)", line, answer.Text, answer.Refused)
		}
		got = answer.Text.String()
	}
	if without, no := strings.CutPrefix(want, "no "); no && strings.Contains(got, without) || !no && !strings.Contains(got, want) {
		r.t.Errorf("%s: %s", line, got)
	}
}

// asks sends what a person types, or presses a button of their last reply.
func (r *room) asks(who, what string) bot.Reply {
	r.t.Helper()
	r.n++
	name := strings.TrimSuffix(who, ":")
	id := fmt.Sprint("request ", r.n)
	if again, ok := strings.CutPrefix(what, "again "); ok {
		r.n, what = r.n-1, again
		id = fmt.Sprint("request ", r.n)
	}
	req := bot.Request{ID: id, Channel: r.channel, User: r.people[name]}
	req.Home, req.Manager, _ = r.steward.Keeps(r.t.Context(), req.User.ID)
	if r.channel.Platform() == "server" {
		req.Home, req.Manager = "server:1", r.manages[name]
	}
	if label, ok := strings.CutPrefix(what, "presses "); ok {
		i := slices.IndexFunc(r.answers[name].Buttons, func(b bot.Button) bool { return b.Label.String() == label })
		if i < 0 {
			r.t.Fatalf("%s has no button %q in %q", name, label, r.answers[name].Text)
		}
		req, _ = req.Press(r.answers[name].Buttons[i].ID)
	} else {
		var refused text.Text
		if req.Command, req.Args, refused = r.host.Commands().ParseLine(what, nil); refused != nil {
			return bot.Reply{Text: refused, Refused: true}
		}
		for _, at := range strings.Fields(req.Args["opponents"] + " " + req.Args["who"]) {
			req.People = append(req.People, r.people[strings.TrimPrefix(at, "@")])
		}
	}
	r.answers[name] = r.host.Handle(r.t.Context(), req)
	return r.answers[name]
}

// Moderators' actions against people last until their time is over or they are undone.
func TestModeratorsActionsEnd(t *testing.T) {
	for name, scene := range map[string]string{
		"who is muted calls nobody, and speaks again when the time is over": `
			mod: /mute @bob 10m => Bob is muted here until
			bob says hello => !A keeper has muted you until
			bob: /new @ann => !A keeper has muted you
			bob: /new => Your table is open
			ann says hello =>
			wait 9m59s
			bob says hello => !A keeper has muted you
			wait 1s
			bob says hello =>
			bob: /new @ann => !A table is already open`,
		"a mute is taken back": `
			mod: /mute @bob => Bob is muted here
			mod: /reports people => Bob is muted until
			mod: presses Unmute: Bob => Bob is no longer muted
			bob says hello =>
			mod: /reports people => Nobody is muted or banned
			mod: /reports log => Mod unmuted Bob`,
		"an hour is usual": `
			mod: /mute @bob => muted
			wait 59m
			bob says hello => !muted
			wait 1m
			bob says hello =>`,
		"only keepers keep order": `
			bob: /mute @ann => !Only moderators can do that
			bob: /ban @ann => !Only moderators
			bob: /reports => !Only moderators
			bans => no Ann`,
		"nothing is done to oneself, to a keeper, or to nobody": `
			mod: /mute @mod => !You can't do that to yourself
			mod: /ban @kim => !Kim is a keeper too
			mod: /mute => !Say who: /mute @bob
			mod: /mute @bob for:off => Bob is no longer muted
			mod: /mute @bob for:soon => !I can't read soon as a time
			mod: /mute @bob for:0m => !as a time
			mod: /mute @bob for:366d => muted
			mod: /mute @bob for:367d => !as a time`,
		"a ban is for good, or for a time, and is lifted": `
			mod: /ban @bob => Bob is banned until further notice
			bans => Bob
			mod: /reports people => Bob is banned
			mod: presses Unban: Bob => Bob can come in again
			bans => no Bob
			mod: /ban @bob for:30d => Bob is banned until
			bans => for:720h0m0s
			mod: /reports log => Mod unbanned Bob
			mod: /ban @bob for:off => Bob can come in again`,
		"what comes twice is done once": `
			mod: /ban @bob 1d => banned
			wait 1m
			mod: again /ban @bob 1d => banned
			bans => for:23h59m0s`,
		"buttons and words of earlier versions": `
			mod: /order log => Keepers haven't done anything yet
			mod presses an old 1:0:0:order:what=log => Keepers haven't done anything yet
			mod presses an old 1:0:0:ban:address=203.0.113.0/24&for=off => !That button is out of date
			mod: /kick @bob => !
			bans => no Bob`,
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); inRoom(t, scene) })
	}
}

// A message in the room can be removed by its author and by moderators.
func TestRemoveMessage(t *testing.T) {
	for name, scene := range map[string]string{
		"one's own": `
			bob: /unsay 3 => The message has been removed
			bob: /unsay 3 => !That message is already gone
			mod: /reports log => Keepers haven't done anything yet`,
		"another's": `
			ann: /unsay 3 => !Only moderators can remove other people's messages
			mod: /unsay #3 => The message has been removed
			mod: /reports log => Mod removed a message by Bob: “message 3”`,
		"the host's": `
			mod: /unsay 4 => !so it stays as long as the game does`,
		"none": `
			bob: /unsay it => !Say which message`,
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); inRoom(t, scene) })
	}
}

// Moderators can create invitations, and others if the room allows it.
func TestCreateInvitations(t *testing.T) {
	for name, scene := range map[string]string{
		"one person for a week": `
			mod: /invite => lets 1 person in until
			mod: /invite => https://room.example/in/1/168h0m0s
			mod: /invite 5 2d => https://room.example/in/5/48h0m0s`,
		"what can't be": `
			mod: /invite some => !I can't read some as a number of people
			mod: /invite 5 for:ever => !I can't read ever as a time
			mod: /invite 0 => !An invitation is for 1 to 100 people`,
		"everybody, where it is so set, but who is muted": `
			bob: /invite => !Only the room's keepers can make invitations
			mod: /settings invites:everybody for:server =>
			bob: /invite => lets 1 person in
			mod: /mute @bob 1h => muted
			bob: /invite => !A keeper has muted you`,
		"elsewhere the platform has its own": `
			in server:hall
			mod: /invite => !use the platform's own invitations
			mod: /mute @bob => !That's for rooms that I moderate
			mod: /unsay 3 => !That's for rooms that I moderate`,
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); inRoom(t, scene) })
	}
}

// Reports reach moderators, except the person they are about.
func TestReportsReachModerators(t *testing.T) {
	for name, scene := range map[string]string{
		"a message, with what was said before": `
			ann: /report message:3 why:rude note:again => The room's keepers have your report
			told => New report: Bob · Rude or hateful · “message 3”
			mod: /reports => 1. Bob · Rude or hateful
			mod: presses Open 1 => Reported by Ann
			mod: presses Remove the message => The message has been removed
			mod: presses Next report => All reports have been handled`,
		"a message among others, the host's too": `
			ann: /report message:5 => Thank you
			wait 1s
			ann: /report message:4 => Thank you
			mod: /reports => Reports, oldest first
			mod sees => [Open 1*] [Open 2] [Who is banned] [What keepers have done].
			mod: presses Open 1 => Ann: message 2
			mod sees => [Remove the message] [Mute for a day] [Ban!] [Dismiss the report].
			mod: /reports => Reports
			mod: presses Open 1 => Rackmate: message 4
			mod: /reports => Reports
			mod: presses Open 1 => » Bob: message 5
			mod: /reports => Reports
			mod: presses Open 1 => no » Rackmate
			mod: /reports => Reports
			mod: presses Open 2 => » Rackmate: message 4
			mod sees => no Mute`,
		"what follows for a person": `
			ann: /report @bob spam => Thank you
			ann: presses Block Bob => You won't hear from Bob any more
			mod: /reports reports => Bob · Spam
			mod: presses Open 1 => Bob · Spam
			mod: presses Mute for a day => Bob is muted here until
			bob says hello => !muted
			wait 24h
			bob says hello =>
			ann: /report @bob cheating => Thank you
			mod: /reports => Bob · Cheating
			mod: presses Open 1 => Cheating
			mod: presses Dismiss the report => Handled
			ann: /report @bob name => Thank you
			mod: /reports => Their name
			mod: presses Open 1 => Their name
			mod: presses Ban => Bob is banned until further notice
			ann: /report @bob other => Thank you
			mod: /reports => Something else
			mod: presses Open 1 => Something else
			mod: presses Dismiss the report => Handled
			mod: /reports => All reports have been handled`,
		"a keeper doesn't see what is about them": `
			ann: /report @kim rude => Thank you
			kim: /reports => All reports have been handled
			mod: /reports => Kim · Rude`,
		"what can't be reported": `
			ann: /report @ann rude => !You can't report yourself
			ann: /report => !Say who or what it's about
			ann: /report message:99 => !That message isn't here
			ann: /report message:it => !That message isn't here
			ann: /report @bob why:nothing => !
			mod: /reports what:all => !`,
		"ten a day": strings.Repeat(`
			ann: /report @bob rude => Thank you`, bot.LimitReports.Most) + `
			ann: /report @bob rude => !You've reported 10 things today, and that's the limit
			cat: /report @bob rude => Thank you
			mod: /reports => and
			wait 23h59m
			ann: /report @bob rude => !limit
			wait 1m
			ann: /report @bob rude => Thank you`,
		"twice is once": `
			ann: /report @bob rude => Thank you
			ann: again /report @bob rude => Thank you
			mod: /reports => no 2. Bob`,
		"in a server its managers are told, once a day until they have looked": `
			in server:hall
			ann: /report @bob rude => I don't know who manages this server yet
			mod: /help => 
			wait 1s
			posts => to room:mod: Something was reported to the people who manage the server
			ann: /report @bob spam => have been told
			wait 1s
			posts => no Something was reported
			wait 24h
			ann: /report @bob spam => have been told
			wait 1s
			posts => Something was reported
			mod: /reports => 3. Bob
			ann: /report @bob spam => have been told
			wait 1s
			posts => Something was reported
			mod: /reports => Reports, oldest first
			mod: presses Open 1 => Reported by Ann
			mod: presses Dismiss the report => Handled`,
		"a manager who wants to hear no more of it": `
			in server:hall
			mod: /help =>
			ann: /report @bob rude => have been told
			wait 1s
			posts => Something was reported
			mod: presses Stop telling me => You won't be told about reports any more
			wait 24h
			ann: /report @bob rude => I don't know who manages this server
			wait 1s
			posts => no Something was reported
			mod: presses Tell me again => You'll be told about reports again
			ann: /report @bob rude => have been told
			wait 1s
			posts => Something was reported
			bob: /reports => !Only moderators
			left mod
			ann: /report @bob rude => I don't know who manages this server`,
		"each manager is told once": `
			in server:hall
			promote kim
			mod: /help =>
			kim: /help =>
			wait 1s
			posts => no Something
			ann: /report @bob rude => have been told
			wait 1s
			posts => to room:mod
			ann: /report @bob spam => have been told
			wait 1s
			posts => no Something`,
		"who looks first isn't told as well": `
			in server:hall
			ann: /report @bob rude => I don't know who manages this server
			mod: /reports => Bob · Rude
			wait 1s
			posts => no Something
			mod: presses Open 1 => Reported by Ann
			mod sees => [Dismiss the report].`,
		"who no longer manages a server is found out when they look": `
			in server:hall
			mod: /help =>
			demote mod
			mod: /reports => !Only moderators
			ann: /report @bob rude => I don't know who manages this server`,
		"or when they set something": `
			in server:hall
			mod: /help =>
			demote mod
			mod: /settings =>
			ann: /report @bob rude => I don't know who manages this server`,
		"who manages a server is told of what was reported before": `
			in server:hall
			ann: /report @bob rude => I don't know who manages this server
			mod: /help =>
			wait 1s
			posts => to room:mod: Something was reported`,
		"whoever is forgotten is a former player in them, and what they wrote is gone": `
			ann: /report message:3 why:rude note:really => Thank you
			bob: /report message:2 why:other => Thank you
			mod: /mute @bob => muted
			mod: /unsay 3 => removed
			forget bob
			mod: /reports => no Bob
			mod: presses Open 1 => “really”
			mod: /reports => Reports
			mod: presses Open 1 => no Bob
			mod: /reports => Reports
			mod: presses Open 1 => no message 3
			mod: /reports log => no Bob
			mod: /reports log => no message 3
			mod: /reports people => Nobody is muted or banned
			forget ann
			mod: /reports => Reports
			mod: presses Open 1 => no really
			mod: /reports => Reports
			mod: presses Open 1 => no Ann`,
		"a manager who isn't seen for a quarter isn't told": `
			alone
			in server:hall
			mod: /help =>
			wait 2159h
			ann: /report @bob rude => have been told
			wait 1h
			ann: /report @bob rude => I don't know who manages this server yet`,
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); inRoom(t, scene) })
	}
}

// A blocked person can't reach the person who has blocked them.
func TestBlockedPersonCantReachBlocker(t *testing.T) {
	for name, scene := range map[string]string{
		"no invitations, until it is taken back": `
			ann: /block => You haven't blocked anybody
			ann: /block @bob => You won't hear from Bob any more
			ann: /new @bob => !You've blocked Bob
			ann: /block => Bob
			ann: presses Unblock Bob => You'll hear from Bob again
			ann: /block => You haven't blocked anybody
			ann: /new @bob => table is open`,
		"twice is once": `
			ann: /block @bob => You won't hear
			ann: /block @bob => You won't hear
			ann: presses Unblock => You'll hear from Bob again
			ann: /block => You haven't blocked anybody`,
		"no seat at each other's tables; who has blocked isn't said": `
			ann: /block @bob => You won't hear
			ann: /new seats:3 => Your table is open
			bob: /join => !You can't sit down at this table
			cat: /join => You have a seat
			in room:attic
			bob: /new seats:3 => Your table is open
			ann: /join => !You've blocked Bob
			cat: /join => You have a seat`,
		"a table that has begun says no more than that": `
			ann: /block @bob => You won't hear
			ann: /new seats:2 => Your table is open
			cat: /join => Your rack
			bob: /join => !no can't sit down at this table`,
		"whoever is forgotten is blocked by nobody": `
			ann: /block @bob => You won't hear
			ann: /block @cat => You won't hear
			forget bob
			ann: /block => no Bob
			ann: /block => Cat
			forget cat
			ann: /block => You haven't blocked anybody`,
		"what can't be blocked": `
			ann: /block @ann => !You can't block yourself
			ann: /block @bob undo:perhaps => !`,
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); inRoom(t, scene) })
	}
}

// A person can open a limited number of tables a day and play a limited number of games.
func TestTablesADayAreLimited(t *testing.T) {
	var scene strings.Builder
	for range bot.LimitTables.Most {
		scene.WriteString("ann: /new => Your table is open\nann: /leave =>\n")
	}
	scene.WriteString(`
		ann: /new => !You've opened 300 tables today, and that's the limit
		bob: /new => Your table is open
		bob: /leave =>
		wait 24h
		ann: /new => Your table is open`)
	inRoom(t, scene.String())
}

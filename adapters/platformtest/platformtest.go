// Package platformtest tests what every [bot.Adapter] must do. An adapter's own tests call
// [Run] with a stand-in for its platform, on which people can type, press and read:
//
//	func TestPlatform(t *testing.T) {
//		platformtest.Run(t, func(t *testing.T, h bot.Host, n bot.Notes) *platformtest.Place {
//			...
//		})
//	}
//
// The host belongs to the suite: it plays no game, records its requests, and answers as
// each test needs. So a failure is the adapter's fault, never a rule's.
package platformtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
)

// A Place is a platform with an adapter running on it, and two people.
type Place struct {
	Adapter  bot.Adapter
	Channel  bot.ChannelID // where both Ann and Bob read
	Ann, Bob bot.User      // as the host knows them
	// Type types a command in the channel, such as "/play horn 8h".
	Type func(who bot.User, line string)
	// Press presses the latest visible button with a label.
	Press func(who bot.User, label string)
	// Again makes the platform deliver the last typed or pressed request once more. It is
	// nil if that never happens on the platform.
	Again func()
	// Sees returns what a person sees anywhere, oldest first. It is nil if all people share
	// one screen without separate messages; then posts aren't tested.
	Sees func(who bot.User) []Seen
	// Shows reports whether the shared screen shows a text, if Sees is nil.
	Shows func(words string) bool
	// Await waits until holds returns true, and reports whether it did.
	Await func(holds func() bool) bool
	// Registered means that people can only type registered commands.
	Registered bool
	// Restart ends the adapter and starts another on the same notes, as Adapter. It is nil
	// if the adapter keeps nothing.
	Restart func()
}

// A Seen is a message as a person sees it.
type Seen struct {
	Words   string         // in any markup
	Buttons []string       // labels
	Picture bool           // it shows a picture
	Calls   []bot.PlayerID // people it notifies; "" stands for a group
}

// An Open starts an adapter over a host and notes. The adapter ends with the test, which
// fails if Run returns an error.
type Open func(t *testing.T, h bot.Host, n bot.Notes) *Place

// Run tests an adapter.
func Run(t *testing.T, open Open) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.run(t, t, open) })
	}
}

// A subject is an adapter under test.
type subject struct {
	*Place
	reporter
	host  *host
	notes bot.Notes
}

// A reporter receives the errors of a test: a *testing.T, or a counter.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Skip(args ...any)
}

type testCase struct {
	name string
	test func(*subject)
}

func (c testCase) run(t *testing.T, to reporter, open Open) {
	s := &subject{reporter: to, host: new(host), notes: memory.New().Notes("platformtest")}
	s.Place = open(t, s.host, s.notes)
	c.test(s)
}

var cases = []testCase{
	{"it says who it is", identity},
	{"its line is up", health},
	{"a command reaches the host", command},
	{"what is no command is explained", noCommand},
	{"an answer is the asker's alone", answer},
	{"a button of an answer", buttonOfAnswer},
	{"a request that comes twice", twice},
	{"many requests", many},
	{"a post is there once", postOnce},
	{"a post for one person", postTo},
	{"a post's words change", postEdit},
	{"a message that stands", postStanding},
	{"a post's buttons after a restart", postRestart},
	{"names call nobody, and calls do", calls},
	{"a post to another platform", elsewhere},
	{"what is kept of a person is forgotten", forgotten},
}

func identity(s *subject) {
	p := s.Adapter.Platform()
	if p.Name == "" || p.Title == "" {
		s.Errorf("it is called %q, and %q by people", p.Name, p.Title)
	}
	for _, id := range []string{string(s.Channel), string(s.Ann.ID), string(s.Bob.ID)} {
		if !strings.HasPrefix(id, p.Name+":") {
			s.Errorf("the id %q doesn't begin with %s:", id, p.Name)
		}
	}
	if again := s.Adapter.Platform(); again.Name != p.Name || again.Path != p.Path {
		s.Errorf("it is %q at one time and %q at another", p.Name, again.Name)
	}
}

func health(s *subject) {
	r, ok := s.Adapter.(bot.Reporter)
	if !ok {
		s.Skip("it doesn't tell")
	}
	s.await("a line that is up", func() bool { return r.Health().Up })
	if h := r.Health(); h.Trouble != "" {
		s.Errorf("there is trouble: %s", h.Trouble)
	}
}

func command(s *subject) {
	s.Type(s.Ann, "/play horn 8h")
	req := s.asked(1)[0]
	want := map[string]string{"word": "horn", "at": "8h"}
	if req.Command != "play" || !reflect.DeepEqual(req.Args, want) {
		s.Errorf("the host is asked for %s %v", req.Command, req.Args)
	}
	if req.Channel != s.Channel || req.User.ID != s.Ann.ID || req.User.Name == "" || req.ID == "" {
		s.Errorf("the host is asked by %+v in %s, with the id %q", req.User, req.Channel, req.ID)
	}
	s.Type(s.Ann, "/rack")
	if next := s.asked(2)[1]; next.ID == req.ID {
		s.Errorf("two requests have the id %q", req.ID)
	}
}

func noCommand(s *subject) {
	if s.Registered {
		s.Skip("nobody can type what is no command")
	}
	s.Type(s.Ann, "/nonsense 8h")
	s.await("word of what is no command", func() bool { return s.reads(s.Ann, "nonsense") })
	if n := len(s.host.requests()); n != 0 {
		s.Errorf("the host is asked %d times for what can't be", n)
	}
}

func answer(s *subject) {
	s.host.answer(func(req bot.Request) bot.Reply {
		return bot.Reply{Text: text.Plain("Only for " + req.User.Name)}
	})
	s.Type(s.Ann, "/rack")
	s.await("the answer", func() bool { return s.reads(s.Ann, "Only for") })
	if s.Sees == nil {
		return
	}
	s.Type(s.Bob, "/rack") // if Bob could see the answer to Ann, it would be there by now
	s.await("Bob's answer", func() bool { return s.reads(s.Bob, "Only for "+s.Bob.Name) })
	if s.reads(s.Bob, "Only for "+s.Ann.Name) {
		s.Errorf("Bob sees Ann's answer")
	}
}

func buttonOfAnswer(s *subject) {
	s.host.answer(func(req bot.Request) bot.Reply {
		return bot.Reply{Text: text.Plain("Your rack"), Buttons: []bot.Button{{Label: text.Plain("Shuffle"), ID: bot.ButtonID(3, 4, "rack", map[string]string{"order": "by chance & 8=h"})}}}
	})
	s.Type(s.Ann, "/rack")
	s.await("the answer", func() bool { return s.reads(s.Ann, "Your rack") })
	s.Press(s.Ann, "Shuffle")
	req := s.asked(2)[1]
	if req.Command != "rack" || req.Args["order"] != "by chance & 8=h" || req.Table != 3 || req.Number != 4 {
		s.Errorf("the press asks for %+v", req)
	}
	if req.User.ID != s.Ann.ID || req.Channel != s.Channel || req.ID == s.host.requests()[0].ID {
		s.Errorf("the press is of %s in %s, with the id %q", req.User.ID, req.Channel, req.ID)
	}
}

func twice(s *subject) {
	if s.Again == nil {
		s.Skip("what is typed there comes once")
	}
	s.Type(s.Ann, "/rack")
	first := s.asked(1)[0]
	s.Again()
	s.Type(s.Bob, "/play horn")
	s.await("what came behind", func() bool {
		return slices.ContainsFunc(s.host.requests(), func(req bot.Request) bool { return req.Command == "play" })
	})
	for _, req := range s.host.requests() {
		if req.Command == first.Command && req.ID != first.ID {
			s.Errorf("the same request has the ids %q and %q", first.ID, req.ID)
		}
	}
}

func many(s *subject) {
	const most = 20
	s.host.answer(func(req bot.Request) bot.Reply { return bot.Reply{Text: text.Plain("done " + req.Args["word"] + ".")} })
	var words []string
	for i := range most {
		who := []bot.User{s.Ann, s.Bob}[i%2]
		words = append(words, "w"+string(rune('a'+i)))
		s.Type(who, "/play "+words[i])
	}
	ids := map[string]bool{}
	for _, req := range s.asked(most) {
		ids[req.ID] = true
	}
	if len(ids) != most {
		s.Errorf("%d requests have %d ids", most, len(ids))
	}
	for i, word := range words {
		who := []bot.User{s.Ann, s.Bob}[i%2]
		s.await("the answer to "+word, func() bool { return s.reads(who, "done "+word+".") })
	}
}

func postOnce(s *subject) {
	m := s.message("first", "Ann opens a table.")
	m.Buttons = []bot.Button{{Label: text.Plain("Join"), ID: bot.ButtonID(1, 1, "rack", nil)}}
	for range 2 {
		s.post(m)
	}
	s.posts()
	for _, who := range []bot.User{s.Ann, s.Bob} {
		seen := s.seen(who, "Ann opens a table.")
		if len(seen) != 1 {
			s.Fatalf("%s sees the post %d times", who.Name, len(seen))
		}
		if !slices.Contains(seen[0].Buttons, "Join") {
			s.Errorf("its buttons are %q", seen[0].Buttons)
		}
	}
	s.post(s.message("second", "Bob joins."))
	if n := len(s.seen(s.Bob, "Bob joins.")); n != 1 {
		s.Errorf("the next post is there %d times", n)
	}
}

func postTo(s *subject) {
	s.posts()
	m := s.message("rack", "Your tiles, Ann.")
	m.To = &s.Ann
	s.post(m)
	if n := len(s.seen(s.Ann, "Your tiles, Ann.")); n != 1 {
		s.Errorf("Ann sees what is for her %d times", n)
	}
	if n := len(s.seen(s.Bob, "Your tiles, Ann.")); n != 0 {
		s.Errorf("Bob sees what is for Ann")
	}
}

func postEdit(s *subject) {
	s.posts()
	m := s.message("vote", "One has voted.")
	s.post(m)
	m.Text, m.Edit = text.Plain("Two have voted."), true
	s.post(m)
	s.await("the new words", func() bool { return s.reads(s.Bob, "Two have voted.") })
	if s.reads(s.Bob, "One has voted.") {
		s.Errorf("the former words are still there")
	}
}

// postStanding checks that a standing message is edited in place, until a new one is
// requested.
func postStanding(s *subject) {
	s.posts()
	list := func(key, words string) {
		m := s.message(key, words)
		m.Table, m.Standing, m.Anew = 0, "games", key == "list3"
		for range 2 {
			s.post(m)
		}
	}
	count := func(want int, words string) {
		s.Helper()
		s.await(words, func() bool { return len(s.seen(s.Bob, words)) == want })
	}
	list("list1", "One game is on.")
	s.post(s.message("turn", "It is Bob's turn."))
	list("list2", "Two games are on.")
	count(1, "Two games are on.")
	count(0, "One game is on.")
	if s.Restart != nil {
		s.Restart()
	}
	list("list3", "Three games are on.")
	count(1, "Two games are on.")
	count(1, "Three games are on.")
	list("list4", "Four games are on.")
	count(1, "Two games are on.")
	count(0, "Three games are on.")
	count(1, "Four games are on.")
}

func postRestart(s *subject) {
	s.posts()
	if s.Restart == nil {
		s.Skip("there is nothing to come back to")
	}
	m := s.message("turn", "It is Bob's turn.")
	m.Buttons = []bot.Button{{Label: text.Plain("My rack"), ID: bot.ButtonID(7, 12, "rack", map[string]string{"order": "asc"})}}
	s.post(m)
	s.Restart()
	s.Press(s.Bob, "My rack")
	req := s.asked(1)[0]
	if req.Command != "rack" || req.Table != 7 || req.Number != 12 || req.Args["order"] != "asc" || req.User.ID != s.Bob.ID {
		s.Errorf("the press asks for %+v", req)
	}
}

// rude is a name that would notify people if written as markup.
const rude = "*Eve* <!channel> @everyone <@U0BOB> `x`"

func calls(s *subject) {
	s.posts()
	m := s.message("rude", "")
	m.Text = text.Glue(text.Name(bot.User{ID: s.Bob.ID, Name: rude}), " joins the game.")
	s.post(m)
	for _, seen := range s.seen(s.Ann, "joins the game.") {
		if len(seen.Calls) > 0 {
			s.Errorf("somebody's name calls %q: %s", seen.Calls, seen.Words)
		}
	}
	m = s.message("call", "")
	m.Text = text.Say("{who}, it's your turn.", text.Mention(s.Bob))
	s.post(m)
	called := s.seen(s.Ann, "it's your turn.")
	if len(called) != 1 || !slices.Equal(called[0].Calls, []bot.PlayerID{s.Bob.ID}) {
		s.Errorf("the call of Bob is %+v", called)
	}
}

func elsewhere(s *subject) {
	s.posts()
	m := s.message("lost", "Hello?")
	m.Channel = "elsewhere:nowhere"
	var failed *bot.PostError
	if err := s.Adapter.Post(background(), m); !errors.As(err, &failed) || !failed.Permanent {
		s.Errorf("the error is %v, which isn't for good", err)
	}
}

func forgotten(s *subject) {
	keeper := s.Adapter.Platform().Keeper
	if keeper == nil {
		s.Skip("nothing is kept")
	}
	m := s.message("rack", "Your tiles, Ann.")
	m.To = &s.Ann
	s.post(m)
	if _, err := keeper.Kept(background(), s.Ann.ID); err != nil {
		s.Fatalf("what is kept: %v", err)
	}
	former := bot.User{ID: bot.FormerPrefix + "1", Name: "somebody"}
	for range 2 { // forgetting twice does no harm
		if err := keeper.Forget(background(), s.Ann, former); err != nil {
			s.Fatalf("forget: %v", err)
		}
	}
	kept, err := keeper.Kept(background(), s.Ann.ID)
	if err != nil {
		s.Fatalf("what is kept: %v", err)
	}
	for what, value := range kept {
		if v := reflect.ValueOf(value); v.IsValid() && !v.IsZero() && !(v.Kind() == reflect.Slice && v.Len() == 0) {
			b, _ := json.Marshal(value)
			s.Errorf("still kept: %s: %s", what, b)
		}
	}
}

func background() context.Context { return context.Background() }

// posts skips a test if posts can't be seen.
func (s *subject) posts() {
	if s.Sees == nil {
		s.Skip("posts aren't shown for themselves")
	}
}

// message returns a post to everybody in the channel.
func (s *subject) message(key, words string) bot.Message {
	return bot.Message{Key: key, Channel: s.Channel, Table: 1, Number: 1, Players: []bot.PlayerID{s.Ann.ID, s.Bob.ID}, Text: text.Plain(words)}
}

func (s *subject) post(m bot.Message) {
	s.Helper()
	if err := s.Adapter.Post(background(), m); err != nil {
		s.Fatalf("post %s: %v", m.Key, err)
	}
}

// seen returns the messages that a person sees with some words.
func (s *subject) seen(who bot.User, words string) (all []Seen) {
	for _, m := range s.Sees(who) {
		if strings.Contains(m.Words, words) {
			all = append(all, m)
		}
	}
	return all
}

// reads reports whether a person can read some words.
func (s *subject) reads(who bot.User, words string) bool {
	if s.Sees == nil {
		return s.Shows(words)
	}
	return len(s.seen(who, words)) > 0
}

// await waits until holds returns true, or fails the test.
func (s *subject) await(what string, holds func() bool) {
	s.Helper()
	if !s.Await(holds) {
		s.Fatalf("waited in vain for %s", what)
	}
}

// asked waits for n requests to the host, and returns all of them.
func (s *subject) asked(n int) []bot.Request {
	s.Helper()
	s.await(fmt.Sprintf("%d requests", n), func() bool { return len(s.host.requests()) >= n })
	return s.host.requests()
}

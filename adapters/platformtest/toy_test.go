package platformtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A chat is a tiny platform for tests: one channel, messages whose only markup is @names,
// and buttons. It outlives the adapter.
type chat struct {
	mu       sync.Mutex
	numbers  int
	messages []line
}

type line struct {
	key     string
	stands  string       // see bot.Message.Standing
	whose   bot.PlayerID // "": everybody
	words   string
	buttons []bot.Button
}

// A toy is an adapter for a chat, with at most one fault.
type toy struct {
	*chat
	host  bot.Host
	fault string
}

var ann, bob = bot.User{ID: "toy:ann", Name: "ann"}, bot.User{ID: "toy:bob", Name: "bob"}

const room = bot.ChannelID("toy:room")

func (t *toy) Platform() bot.Platform {
	if t.fault == "it has no name" {
		return bot.Platform{}
	}
	return bot.Platform{Name: "toy", Title: "the toy", Keeper: t}
}

func (t *toy) Health() bot.Health { return bot.Health{Up: t.fault != "its line is down"} }

// Kept reports whether there are messages for a person.
func (t *toy) Kept(_ context.Context, who bot.PlayerID) (map[string]any, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return map[string]any{"messages": slices.ContainsFunc(t.messages, func(l line) bool { return l.whose == who })}, nil
}

func (t *toy) Forget(_ context.Context, who, _ bot.User) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.fault != "it forgets nobody" {
		t.messages = slices.DeleteFunc(t.messages, func(l line) bool { return l.whose == who.ID })
	}
	return nil
}

func (t *toy) Run(ctx context.Context) error { <-ctx.Done(); return nil }
func (t *toy) Wait()                         {}

func (t *toy) Post(_ context.Context, m bot.Message) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m.Channel.Platform() != "toy" && t.fault != "it posts anywhere" {
		return &bot.PostError{Permanent: true, Err: fmt.Errorf("there is no channel %s", m.Channel)}
	}
	l := line{key: m.Key, words: t.written(m.Text), buttons: m.Buttons}
	if m.To != nil && t.fault != "a rack is for everybody" {
		l.whose = m.To.ID
	}
	i := slices.IndexFunc(t.messages, func(had line) bool { return had.key == m.Key })
	if l.stands = m.Standing; m.Standing != "" && i < 0 {
		at := slices.IndexFunc(t.messages, func(had line) bool { return had.stands == m.Standing })
		switch {
		case at >= 0 && m.Anew:
			t.messages[at].stands = ""
		case at >= 0 && t.fault != "nothing stands":
			t.messages[at] = l
			return nil
		}
	}
	switch {
	case i < 0 || t.fault == "a post comes twice":
		t.messages = append(t.messages, l)
	case m.Edit && t.fault != "an edit is lost":
		t.messages[i].words = l.words
	}
	return nil
}

// written returns a text in the chat's markup: an @ notifies the person after it.
func (t *toy) written(all text.Text) string {
	var b strings.Builder
	for _, s := range all.In(nil) {
		switch {
		case s.Notify:
			b.WriteString("@" + strings.TrimPrefix(string(s.Person), "toy:"))
		case t.fault == "a name calls":
			b.WriteString(s.Text)
		default:
			b.WriteString(strings.NewReplacer("@", "(at)", "U0BOB", "somebody").Replace(s.Text))
		}
	}
	return b.String()
}

// request returns a new request of a person.
func (t *toy) request(who bot.User) bot.Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.numbers++; t.fault == "requests have no ids" {
		t.numbers = 1
	}
	return bot.Request{ID: fmt.Sprint("toy:", t.numbers), Channel: room, User: who}
}

// typed carries out a command, and shows the answer.
func (t *toy) typed(who bot.User, typed string) {
	req := t.request(who)
	var refused text.Text
	req.Command, req.Args, refused = t.host.Commands().ParseLine(typed, nil)
	if refused != nil && t.fault != "a mistake is asked too" {
		t.show(who, bot.Reply{Text: refused})
		return
	}
	t.carryOut(req)
}

func (t *toy) carryOut(req bot.Request) {
	if t.fault == "answers are lost" {
		t.host.Handle(context.Background(), req)
		return
	}
	t.show(req.User, t.host.Handle(context.Background(), req))
}

func (t *toy) show(who bot.User, r bot.Reply) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := line{whose: who.ID, words: t.written(r.Text), buttons: r.Buttons}
	if t.fault == "answers are for everybody" {
		l.whose = ""
	}
	t.messages = append(t.messages, l)
}

// pressed carries out the latest button with a name.
func (t *toy) pressed(who bot.User, name string) {
	t.mu.Lock()
	var id string
	for _, m := range t.messages {
		for _, b := range m.buttons {
			if b.Label.String() == name && (m.whose == "" || m.whose == who.ID) {
				id = b.ID
			}
		}
	}
	t.mu.Unlock()
	if t.fault == "buttons lose their table" {
		id = bot.ButtonID(0, 0, "rack", nil)
	}
	req, _ := t.request(who).Press(id)
	t.carryOut(req)
}

// openToy returns an Open for a toy with a fault.
func openToy(fault string) Open {
	return func(_ *testing.T, h bot.Host, _ bot.Notes) *Place {
		t := &toy{chat: new(chat), host: h, fault: fault}
		last := func() {}
		p := &Place{Adapter: t, Channel: room, Ann: ann, Bob: bob, Await: func(holds func() bool) bool { return holds() }}
		p.Type = func(who bot.User, typed string) {
			t.typed(who, typed)
			last = func() {
				if t.fault != "what comes twice is new" {
					t.numbers--
				}
				t.typed(who, typed)
			}
		}
		p.Press = func(who bot.User, label string) { t.pressed(who, label) }
		p.Again = func() { last() }
		p.Sees = func(who bot.User) (all []Seen) {
			t.mu.Lock()
			defer t.mu.Unlock()
			for _, m := range t.messages {
				if m.whose != "" && m.whose != who.ID {
					continue
				}
				s := Seen{Words: m.words}
				for _, b := range m.buttons {
					s.Buttons = append(s.Buttons, b.Label.String())
				}
				for _, somebody := range []bot.User{ann, bob} {
					if strings.Contains(m.words, "@"+somebody.Name) {
						s.Calls = append(s.Calls, somebody.ID)
					}
				}
				if strings.Contains(m.words, "@everyone") {
					s.Calls = append(s.Calls, "")
				}
				all = append(all, s)
			}
			return all
		}
		p.Restart = func() {
			t = &toy{chat: t.chat, host: h, fault: fault}
			p.Adapter = t
			if fault == "a restart forgets buttons" {
				t.messages = nil
			}
		}
		return p
	}
}

func TestToy(t *testing.T) { Run(t, openToy("")) }

// A counter counts errors. A fatal one panics with the counter.
type counter struct{ wrong int }

func (c *counter) Helper()               {}
func (c *counter) Errorf(string, ...any) { c.wrong++ }
func (c *counter) Fatalf(string, ...any) { c.wrong++; panic(c) }
func (c *counter) Skip(...any)           { panic(c) }

// TestFaultsAreFound checks that the suite finds each fault of an adapter.
func TestFaultsAreFound(t *testing.T) {
	for fault, found := range map[string]string{
		"it has no name":            "it says who it is",
		"its line is down":          "its line is up",
		"it forgets nobody":         "what is kept of a person is forgotten",
		"it posts anywhere":         "a post to another platform",
		"a rack is for everybody":   "a post for one person",
		"a post comes twice":        "a post is there once",
		"an edit is lost":           "a post's words change",
		"nothing stands":            "a message that stands",
		"a name calls":              "names call nobody, and calls do",
		"requests have no ids":      "a command reaches the host",
		"a mistake is asked too":    "what is no command is explained",
		"answers are lost":          "many requests",
		"answers are for everybody": "an answer is the asker's alone",
		"buttons lose their table":  "a button of an answer",
		"a restart forgets buttons": "a post's buttons after a restart",
		"what comes twice is new":   "a request that comes twice",
	} {
		t.Run(fault, func(t *testing.T) {
			i := slices.IndexFunc(cases, func(c testCase) bool { return c.name == found })
			if i < 0 {
				t.Fatalf("there is no test %q", found)
			}
			c := new(counter)
			func() {
				defer func() {
					if r := recover(); r != nil && r != c {
						panic(r)
					}
				}()
				cases[i].run(t, c, openToy(fault))
			}()
			if c.wrong == 0 {
				t.Errorf("%q finds nothing", found)
			}
		})
	}
}

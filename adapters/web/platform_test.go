package web_test

import (
	"testing"

	"github.com/rackmate/rackmate/adapters/platformtest"
	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
)

// The room does what every adapter must do, as two people see it in their browsers.
func TestPlatform(t *testing.T) {
	platformtest.Run(t, func(t *testing.T, h bot.Host, n bot.Notes) *platformtest.Place {
		s := openWith(t, func(c *web.Config) { c.Host, c.Notes = h, n })
		ann, bob := s.enter("Ann"), s.enter("Bob")
		browsers := map[bot.PlayerID]*visitor{ann.user().ID: ann, bob.user().ID: bob}
		answers := map[bot.PlayerID][]message{}
		var again func()
		ask := func(who bot.User, path string, in obj) {
			again = func() {
				reply := call[struct{ Reply *message }](browsers[who.ID], path, in).Reply
				if reply != nil {
					answers[who.ID] = append(answers[who.ID], *reply)
				}
			}
			again()
		}
		reads := func(who bot.User) (all []message) {
			v := browsers[who.ID]
			for _, stream := range []string{"general", "dm." + v.ID} {
				all = append(all, v.messages(stream, 0)...)
			}
			return append(all, answers[who.ID]...)
		}
		p := &platformtest.Place{
			Adapter: s.current(), Channel: "web:general", Ann: *ann.user(), Bob: *bob.user(),
			Type: func(who bot.User, line string) {
				ask(who, "say", obj{"stream": "general", "id": newID(), "text": line})
			},
			Press: func(who bot.User, label string) {
				all := reads(who)
				for i := len(all) - 1; i >= 0; i-- {
					for _, b := range all[i].Buttons {
						if b.Label == label {
							ask(who, "press", obj{"stream": "general", "id": newID(), "button": b.ID})
							return
						}
					}
				}
				t.Errorf("%s sees no button %q", who.Name, label)
			},
			Again: func() { again() },
			Sees: func(who bot.User) (all []platformtest.Seen) {
				for _, m := range reads(who) {
					one := platformtest.Seen{Words: m.text(), Picture: m.Picture != nil}
					for _, b := range m.Buttons {
						one.Buttons = append(one.Buttons, b.Label)
					}
					for _, span := range m.Text {
						if span.Notify {
							one.Calls = append(one.Calls, bot.PlayerID("web:"+span.Person))
						}
					}
					all = append(all, one)
				}
				return all
			},
			Await: func(holds func() bool) bool { return holds() }, // requests are answered synchronously
		}
		p.Restart = func() {
			s.restart()
			p.Adapter = s.current()
		}
		return p
	})
}

package competition_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
)

// A clubhouse is a world whose people use the club; mod manages it.
type clubhouse struct {
	*featuretest.World
	t *testing.T
}

func (c clubhouse) request(who, line string, about ...string) bot.Request {
	c.t.Helper()
	req := c.Request(bottest.People[who], line)
	req.Manager = who == "mod"
	for _, name := range about {
		req.People = append(req.People, bottest.People[name])
	}
	return req
}

// asks returns the answer to a command.
func (c clubhouse) asks(who, line string, about ...string) bot.Reply {
	c.t.Helper()
	return c.Host.Handle(c.t.Context(), c.request(who, line, about...))
}

// lists checks the names on the club's list.
func (c clubhouse) lists(want ...string) {
	c.t.Helper()
	_, list, _ := strings.Cut(featuretest.Shown(c.asks("mod", "/club").Text), "\n")
	var names []string
	for line := range strings.Lines(list) {
		_, name, _ := strings.Cut(strings.TrimSpace(line), ". ")
		names = append(names, name)
	}
	if got := strings.Join(names, ", "); got != strings.Join(want, ", ") {
		c.t.Errorf("the club lists %s, want %s", got, strings.Join(want, ", "))
	}
}

func inClub(t *testing.T, fn func(clubhouse), changes ...func(*host.Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { fn(clubhouse{featuretest.New(t, changes...), t}) })
}

// TestAccountUnderGuestsName checks that a manager who adds an account under a
// guest's name learns how to merge the two, or keep them apart.
func TestAccountUnderGuestsName(t *testing.T) {
	inClub(t, func(c clubhouse) {
		c.asks("mod", "/club add name:Hal rating:1300")
		c.asks("mod", "/club add name:Dan")
		featuretest.Wants(t, c.asks("mod", "/club add name:Hal", "dan"), true, "Hal is on the list already, without an account. If that's Dan, they can take the entry over: /club join name:Hal. If not, choose another name: /club add who:@Dan name:Hal B.")
		featuretest.Wants(t, c.asks("mod", "/club add", "dan"), true, "Dan is on the list already")
		c.lists("Dan", "Hal · 1300")
		featuretest.Wants(t, c.asks("mod", "/club add name:Hal B", "dan"), false, "Dan is in the club.")
		c.lists("Dan", "Hal · 1300", "Hal B")
		featuretest.Wants(t, c.asks("mod", "/club add name:Hal B", "eve"), true, "Choose another name to play under: /club add who:@Eve name:Hal B B.")
	})
}

// TestMemberTakesOverGuest checks that a member who takes a guest's name is asked whether
// they are that person, and then is listed once, with what the managers wrote.
func TestMemberTakesOverGuest(t *testing.T) {
	inClub(t, func(c clubhouse) {
		c.asks("mod", "/club add name:Hal rating:1300")
		c.asks("ann", "/club join rating:1800")
		r := c.asks("ann", "/club join name:Hal")
		featuretest.Wants(t, r, false, "Hal is already on the list, without an account. Are you that person?")
		c.lists("Ann · 1800", "Hal · 1300")
		for range 2 { // the answer was lost, and Ann presses again
			req, _ := c.request("ann", "/club").Press(r.Buttons[0].ID)
			req.ID = "yes"
			featuretest.Wants(t, c.Host.Handle(t.Context(), req), false, "You're in the club, as Hal.")
			c.lists("Hal · 1300")
		}
		featuretest.Wants(t, c.asks("ann", "/club join rating:1900"), true, "The managers of this place set your rating.")
	})
}

// TestRosterMatchesGuestWithoutAccent checks that a name without its accent matches the
// guest.
func TestRosterMatchesGuestWithoutAccent(t *testing.T) {
	inClub(t, func(c clubhouse) {
		c.asks("mod", "/club add name:Müller")
		c.asks("mod", "/roster Mueller,1500")
		c.asks("mod", "/club add name:muller rating:1600")
		c.lists("Müller · 1600")
	})
}

// TestLinkedAccountsAreOneMember checks that a person whose two accounts are in the club
// leaves with both, is removed with both, and becomes one member when they join again.
func TestLinkedAccountsAreOneMember(t *testing.T) {
	for _, c := range []struct {
		who, line string
		about     []string
		left      string
	}{
		{"ann", "/club leave", nil, ""},
		{"mod", "/club remove", []string{"ann"}, ""},
		{"ann", "/club join", nil, "Ann"},
	} {
		inClub(t, func(w clubhouse) {
			w.asks("ann", "/club join")
			w.asks("bob", "/club join name:Annie")
			w.lists("Ann", "Annie")
			featuretest.Wants(t, w.asks("bob", "/link "+featuretest.LinkCode(t, w.asks("ann", "/link"))), false)
			w.asks(c.who, c.line, c.about...)
			w.lists(strings.Fields(c.left)...)
		})
	}
}

// TestFullClub checks that a full club accepts the same list again, and rejects every new
// member.
func TestFullClub(t *testing.T) {
	inClub(t, func(c clubhouse) {
		var all []string
		for n := range 1000 {
			all = append(all, fmt.Sprintf("Guest-%d", n))
		}
		list := "/roster " + strings.Join(all, " | ")
		featuretest.Wants(t, c.asks("mod", list), false, "1000 people added or updated.")
		featuretest.Wants(t, c.asks("mod", list), false, "1000 people added or updated.")
		featuretest.Wants(t, c.asks("mod", "/roster Guest-7 | Hal | Ida"), true, "That would be 1002 members, and the limit is 1000.")
		for _, full := range []bot.Reply{c.asks("mod", "/club add name:Hal"), c.asks("mod", "/club add", "dan"), c.asks("eve", "/club join")} {
			featuretest.Wants(t, full, true, "The club has 1000 members, and that's the limit.")
		}
		featuretest.Wants(t, c.asks("mod", "/club add name:Guest-7 rating:1500"), false, "Guest-7 is in the club.")
		r := c.asks("eve", "/club join name:Guest-8")
		req, _ := c.request("eve", "/club").Press(r.Buttons[0].ID)
		featuretest.Wants(t, c.Host.Handle(t.Context(), req), false, "You're in the club, as Guest-8.")
	})
}

// meanwhile runs a function just before the next change of rows.
type meanwhile struct {
	bot.Notes
	do *func()
}

func (n meanwhile) Change(ctx context.Context, fn func(bot.Rows) error) error {
	if do := *n.do; do != nil {
		*n.do = nil
		do()
	}
	return n.Notes.Change(ctx, fn)
}

// TestOneOfTwoTakesName checks that two people who take a name at the same time
// don't both get it.
func TestOneOfTwoTakesName(t *testing.T) {
	for _, c := range []struct {
		who, line string
		about     []string
	}{{"bob", "/club join name:Robin", nil}, {"mod", "/club add name:Robin", []string{"bob"}}, {"mod", "/club add name:Robin", nil}, {"mod", "/roster Robin", nil}} {
		var do func()
		inClub(t, func(w clubhouse) {
			do = func() {
				featuretest.Wants(t, w.asks("cat", "/club join name:Robin"), false, "You're in the club, as Robin.")
			}
			w.asks(c.who, c.line, c.about...)
			w.lists("Robin")
		}, func(hc *host.Config) { hc.Notes = meanwhile{hc.Notes, &do} })
	}
}

// TestClubAtEachFault lets each operation fail once while people join, leave and are
// added; a repeated request gets the same answer.
func TestClubAtEachFault(t *testing.T) {
	some := func(w *featuretest.World) {
		w.Must("ann", "/club join")
		featuretest.Wants(t, clubhouse{w, t}.asks("mod", "/club add name:Hal"), false)
	}
	for who, lines := range map[string][]string{
		"ann": {"/club", "/club join name:Annie rating:1500", "/club leave", "/club away until:14d", "/club away until:back", "/club avoid"},
		"eve": {"/club join", "/club join name:Hal", "/club leave"},
		"mod": {"/club add name:Hal rating:1400", "/club add name:Ida", "/club remove name:Ann", "/club remove name:Hal", "/club ask", "/club waiting", "/club file", "/roster Hal,1400 | Ida"},
	} {
		for _, line := range lines {
			t.Run(who+" "+line, func(t *testing.T) {
				featuretest.AtEachFault(t, some, func(w *featuretest.World) (string, error) {
					req := clubhouse{w, t}.request(who, line)
					req.ID = "the same"
					return featuretest.Answered(w.Host.Handle(t.Context(), req))
				})
			})
		}
	}
}

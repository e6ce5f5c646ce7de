package competition_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
)

// TestDirectWithoutTyping checks that a director of 32 people enters a result and forfeits, withdraws
// a player and takes one back, and enters late players whom the club knows, with buttons and menus;
// only the score is typed.
func TestDirectWithoutTyping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		director := bot.User{ID: "test:director", Name: "Director"}
		l, panel := reported(t, 32, "wait:never")
		l.Does(bottest.People["fay"], "club join")
		guest := l.Request(director, "club add name:Gus")
		guest.Manager, guest.Args["name"] = true, "Gus Guest"
		featuretest.Wants(t, l.Asks(guest), false, "")
		chooses := func(r bot.Reply, label, choice string) bot.Reply {
			t.Helper()
			for _, m := range r.Menus {
				for _, c := range m.Choices {
					if strings.HasPrefix(m.Label.String(), label) && strings.Contains(c.Label.String(), choice) {
						if len(m.Choices) > 25 {
							t.Errorf("the menu %q has %d choices", m.Label, len(m.Choices))
						}
						req, ok := bot.Request{ID: "chosen " + m.ID + c.Value, Channel: featuretest.Parlour, User: director}.Choose(m.ID, []string{c.Value})
						if !ok {
							t.Fatalf("the menu %q can't be used: %s", m.Label, m.ID)
						}
						return l.Asks(req)
					}
				}
			}
			t.Fatalf("no menu %q with %q in %s: %v", label, choice, r.Text, r.Menus)
			return r
		}
		all := func() bot.Reply { return l.Presses(director, panel(), "Players and results") }
		two, three := pairs(l)[0], pairs(l)[1]

		game := chooses(all(), "Enter a result", two[0].Name)
		ask := button(t, game, "Enter the score")
		if asks := l.Host.Commands().Asks(ask); len(asks) != 1 || asks[0].Name != "score" {
			t.Errorf("the button asks for %v", asks)
		}
		ask.ID, ask.Channel, ask.User = "score", featuretest.Parlour, director
		ask.Args["score"] = "412-377"
		featuretest.Wants(t, l.Asks(ask), false, two[0].Name+" – "+two[1].Name+": 412:377")
		featuretest.Wants(t, l.Presses(director, chooses(all(), "Enter a result", three[0].Name), three[1].Name+" forfeits"), false, three[1].Name, "+:–")
		featuretest.Wants(t, chooses(all(), "Withdraw a player", two[1].Name), false, two[1].Name)
		featuretest.Wants(t, chooses(all(), "Bring a player back", two[1].Name), false, two[1].Name)
		// People of the club can enter late.
		late := func() bot.Reply { return l.Presses(director, all(), "Enter a player") }
		ask = button(t, late(), "Another name")
		if asks := l.Host.Commands().Asks(ask); len(asks) != 1 || asks[0].Name != "name" {
			t.Errorf("the button asks for %v", asks)
		}
		for _, m := range late().Menus {
			for _, c := range m.Choices {
				if strings.Contains(c.Label.String(), two[0].Name) {
					t.Errorf("%s, who plays, can enter again", two[0].Name)
				}
			}
		}
		for _, name := range []string{"Fay", "Gus Guest"} {
			featuretest.Wants(t, chooses(late(), "Enter a player", name), false, name)
			for _, m := range late().Menus {
				if strings.Contains(fmt.Sprint(m.Choices), name) {
					t.Errorf("%s has entered, and can enter again", name)
				}
			}
		}
		for _, do := range []string{"forfeits", "end"} { // the round ends
			l.Does(director, "tournament "+do)
		}
		time.Sleep(time.Minute)
		l.Settle()
	})
}

// button returns the request of a reply's button.
func button(t *testing.T, r bot.Reply, label string) bot.Request {
	t.Helper()
	for _, b := range r.Buttons {
		if b.Label.String() == label {
			req, _ := (bot.Request{}).Press(b.ID)
			return req
		}
	}
	t.Fatalf("no button %q: %s", label, r.Text)
	return bot.Request{}
}

// TestSwapFromMenus checks that a director swaps two players of a paired round from two menus.
func TestSwapFromMenus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		director := bot.User{ID: "test:director", Name: "Director"}
		l, does := directed(t, 8, "tournament new name:Cup wait:never")
		for _, do := range []string{"close", "pair"} {
			does("tournament " + do)
		}
		r := l.Presses(director, l.Does(director, "tournament"), "Players and results")
		for range 2 {
			if len(r.Menus) == 0 {
				t.Fatalf("no menus: %s", r.Text)
			}
			m := r.Menus[0]
			req, _ := bot.Request{ID: "swap " + m.ID, Channel: featuretest.Parlour, User: director}.Choose(m.ID, []string{m.Choices[len(m.Choices)-1].Value})
			r = l.Asks(req)
		}
		featuretest.Wants(t, r, false, "swapped P07 and P06", "pairings of round 1")
	})
}

// TestAllTablesAtRealBoards checks that a round of 15 tables at real boards, reported by both sides,
// has 15 results and no forfeit without anything by the director, however long it takes.
func TestAllTablesAtRealBoards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, panel := reported(t, 30, "at:real")
		for i, p := range pairs(l) {
			time.Sleep(time.Duration(i) * 10 * time.Minute)
			l.Does(p[0], "tournament result score:412-377")
			time.Sleep(25 * time.Minute)
			featuretest.Wants(t, l.Does(p[1], "tournament result score:377-412"), false, "so it counts")
		}
		time.Sleep(24 * time.Hour)
		if said := featuretest.Shown(panel().Text); strings.Contains(said, "forfeit") || !strings.Contains(said, "round 1 of") || !strings.Contains(said, "is over") {
			t.Errorf("the director reads\n%s", said)
		}
		if all := strings.Join(played(l), "\n"); strings.Count(all, "412,377") != 15 {
			t.Errorf("the games are\n%s", all)
		}
	})
}

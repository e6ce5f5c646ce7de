package competition_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features/featuretest"
)

// reported returns a tournament with a round under way, and a function that returns the
// director's panel.
func reported(t *testing.T, people int, options string) (l *featuretest.Mortal, panel func() bot.Reply) {
	l, does := directed(t, people, "tournament new name:Cup "+options)
	for _, do := range []string{"close", "pair", "start"} {
		if said := does("tournament " + do); strings.HasPrefix(said, "refused") {
			t.Fatal(said)
		}
	}
	return l, func() bot.Reply {
		l.Settle()
		return l.Does(bot.User{ID: "test:director", Name: "Director"}, "tournament")
	}
}

// pairs returns the opponents of the current round, in the order of the pairings.
func pairs(l *featuretest.Mortal) (all [][2]bot.User) {
	byName := map[string]bot.User{}
	for _, u := range l.People {
		byName[u.Name] = u
	}
	for _, row := range featuretest.CSV(l.T, l.Does(l.People[0], "tournament export as:csv"), "-games.csv") {
		all = append(all, [2]bot.User{byName[row[3]], byName[row[4]]})
	}
	return all
}

// TestEqualReportsMakeResult checks that two equal reports make the result whatever the
// wait, without a forfeit.
func TestEqualReportsMakeResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, panel := reported(t, 8, "wait:10m")
		for _, p := range pairs(l) {
			featuretest.Wants(t, l.Does(p[0], "tournament result score:412-377"), false, "is asked to confirm")
			featuretest.Wants(t, l.Does(p[1], "tournament result score:377-412"), false, "You both say 377 to 412, so it counts.")
		}
		time.Sleep(time.Hour)
		if said := featuretest.Shown(panel().Text); strings.Contains(said, "forfeit") || !strings.Contains(said, "round 1 of") || !strings.Contains(said, "is over") {
			t.Errorf("the director reads\n%s", said)
		}
		if all := strings.Join(played(l), "\n"); strings.Count(all, "412,377") != 4 {
			t.Errorf("the games are\n%s", all)
		}
	})
}

// TestContradictingReports checks that an opponent reads whose points are whose, and that
// the director decides between contradicting reports with a button.
func TestContradictingReports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, panel := reported(t, 8, "wait:10m")
		two := pairs(l)[0]
		l.Posts.Take()
		l.Does(two[0], "tournament result score:412-377")
		l.Settle()
		want := fmt.Sprintf("%s says: %s 412, you 377. Correct?", two[0].Name, two[0].Name)
		if said := strings.Join(featuretest.Private(l.Posts.Take(), two[1].Name), "\n"); !strings.Contains(said, want) {
			t.Errorf("the opponent reads %q, want %q", said, want)
		}
		featuretest.Wants(t, l.Does(two[1], "tournament result score:412-377"), false, two[0].Name+" 412, you 377. The director decides: Director.")
		l.Settle()
		if said := strings.Join(featuretest.Private(l.Posts.Take(), "Director"), "\n"); strings.Count(said, " says ") != 2 {
			t.Errorf("the director is called with %q", said)
		}
		time.Sleep(time.Hour) // others may forfeit; these two don't
		l.Presses(bot.User{ID: "test:director", Name: "Director"}, panel(), "Table 1: 377-412")
		l.Settle()
		if all := strings.Join(played(l), "\n"); strings.Count(all, "412") != 1 || strings.Count(all, "377") != 1 {
			t.Errorf("the games are\n%s", all)
		}
	})
}

// TestUnconfirmedReport checks that an unconfirmed report gives its pair one more
// wait, and then goes to the director.
func TestUnconfirmedReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, panel := reported(t, 8, "wait:10m")
		all := pairs(l)
		for _, p := range all[1:] {
			l.Does(p[0], "tournament result score:400-300")
			l.Does(p[1], "tournament result score:300-400")
		}
		l.Does(all[0][1], "tournament result score:350-340")
		time.Sleep(12 * time.Minute)
		if said := featuretest.Shown(panel().Text); strings.Contains(said, "says") || strings.Contains(said, "–:") {
			t.Errorf("after one wait:\n%s", said)
		}
		time.Sleep(10 * time.Minute)
		r := panel()
		if said := featuretest.Shown(r.Text); !strings.Contains(said, all[0][1].Name+" says ") || strings.Contains(said, "–:") {
			t.Fatalf("after two waits:\n%s", said)
		}
		l.Presses(bot.User{ID: "test:director", Name: "Director"}, r, r.Buttons[0].Label.String())
		l.Settle()
		if said := featuretest.Shown(panel().Text); !strings.Contains(said, "is over") {
			t.Errorf("after the director's word:\n%s", said)
		}
	})
}

// TestRoundAtRealBoards plays a round at fifteen real boards whose players report by
// themselves: fifteen results, no forfeit, and no work for the director.
func TestRoundAtRealBoards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, panel := reported(t, 30, "at:real")
		for _, m := range l.Posts.Take() {
			if strings.Contains(featuretest.Shown(m.Text), "Sit down") || m.Channel != featuretest.Parlour && m.To == nil {
				t.Errorf("there is posted in %s: %s", m.Channel, featuretest.Shown(m.Text))
			}
		}
		for i, p := range pairs(l) {
			time.Sleep(time.Minute)
			x, y := 400+i, 300+i
			l.Does(p[i%2], fmt.Sprintf("tournament result score:%d-%d", x, y))
			l.Does(p[1-i%2], fmt.Sprintf("tournament result score:%d-%d", y, x))
		}
		if said := featuretest.Shown(panel().Text); !strings.Contains(said, "is over") {
			t.Errorf("the director reads\n%s", said)
		}
		if all := strings.Join(played(l), "\n"); strings.Contains(all, "forfeit") || strings.Contains(all, "open") {
			t.Errorf("the games are\n%s", all)
		}
	})
}

// TestManyForfeitsWaitForTheDirector checks that up to a quarter of a round forfeits by
// itself, and that more waits for the director.
func TestManyForfeitsWaitForTheDirector(t *testing.T) {
	for _, absent := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			l, panel := reported(t, 8, "wait:10m")
			for _, p := range pairs(l)[absent:] {
				l.Does(p[0], "tournament result score:400-300")
				l.Does(p[1], "tournament result score:300-400")
			}
			time.Sleep(15 * time.Minute)
			r := panel()
			if absent == 1 {
				if said := featuretest.Shown(r.Text); !strings.Contains(said, "is over") {
					t.Errorf("one of four: %s", said)
				}
				return
			}
			if said := featuretest.Shown(r.Text); strings.Contains(said, "–:") || !strings.Contains(said, "more than a quarter of the round") {
				t.Errorf("two of four: %s", said)
			}
			l.Presses(bot.User{ID: "test:director", Name: "Director"}, r, "Forfeit 2 games")
			if said := featuretest.Shown(panel().Text); !strings.Contains(said, "is over") {
				t.Errorf("after the director's word: %s", said)
			}
		})
	}
}

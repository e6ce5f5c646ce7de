package ladder

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// A long leaderboard turns page by page, and every player can jump to their own page.
func TestLeaderboardPages(t *testing.T) {
	var all []leaderboardEntry
	for i := range 23 {
		all = append(all, leaderboardEntry{id: game.PlayerID(fmt.Sprint("p", i+1)), storedPlayer: storedPlayer{Name: fmt.Sprint("P", i+1)}})
	}
	for _, c := range []struct {
		mine, page string
		some       int // number of players listed; 0 means all
		first      string
		lines      int
		buttons    string
	}{
		{"p15", "", 0, "  1. P1   ", 10, "Next (2 of 3); Where am I?"},
		{"p15", "2", 0, " 11. P11  ", 10, "Next (3 of 3); From the top"},
		{"p15", "me", 0, " 11. P11  ", 10, "Next (3 of 3); From the top"},
		{"p23", "me", 0, " 21. P21  ", 3, "From the top"},
		{"p1", "9", 0, " 21. P21  ", 3, "From the top; Where am I?"},
		{"p1", "0", 0, "> 1. P1   ", 10, "Next (2 of 3)"},
		{"p1", "", 7, " 1. P1  ", 7, ""},
		{"p1", "", 10, " 1. P1   ", 10, ""},
		{"p1", "", 11, "> 1. P1   ", 10, "Next (2 of 2)"},
		{"other", "me", 0, "", 0, ""},
		{"p1", "last", 0, "", 0, ""},
	} {
		rows := all
		if c.some > 0 {
			rows = all[:c.some]
		}
		req := bot.Request{User: bot.User{ID: game.PlayerID(c.mine)}, Args: map[string]string{"page": c.page, "of": "month"}}
		p, err := pageFor(req, rows)
		if (err != nil) != (c.lines == 0) {
			t.Errorf("%s, page %q: %v", c.mine, c.page, err)
		}
		if err != nil {
			continue
		}
		lines := strings.Split(p.lines(func(int, leaderboardEntry) text.Text { return text.Plain(".") }).String(), "\n")
		if len(lines) != c.lines || lines[0] != c.first+"." {
			t.Errorf("%s, page %q: %d lines, the first %q", c.mine, c.page, len(lines), lines[0])
		}
		for _, line := range lines {
			if strings.HasPrefix(line, ">") && !strings.Contains(line, strings.ToUpper(c.mine)+" ") {
				t.Errorf("%s, page %q: the arrow is at %q", c.mine, c.page, line)
			}
		}
		var labels []string
		for _, b := range p.buttons(req) {
			labels = append(labels, b.Label.String())
			if !strings.Contains(b.ID, "top:of=month&page=") {
				t.Errorf("the button %s is %s", b.Label, b.ID)
			}
		}
		if got := strings.Join(labels, "; "); got != c.buttons {
			t.Errorf("%s, page %q has %s", c.mine, c.page, got)
		}
	}
}

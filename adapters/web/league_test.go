package web_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
)

// A fakeLeague is a league that a test shows.
type fakeLeague struct{ is bot.League }

func (f *fakeLeague) League(_ context.Context, key string) (bot.League, error) {
	if key != "abc" {
		return bot.League{}, bot.ErrNoTable
	}
	return f.is, nil
}

// The page of a league has each division's standings with the places that are possible,
// the games that are on, a cross table and results; between seasons who has registered.
func TestLeaguePage(t *testing.T) {
	f := &fakeLeague{is: bot.League{
		Name: "Club <league>", Phase: "playing", Season: 2, Shown: 2, Until: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC),
		Divisions: []bot.LeagueDivision{{
			Players: []string{"Ann", "Zoë & Co", "Dan"},
			Standings: []bot.LeagueStanding{
				{WallStanding: bot.WallStanding{Entrant: 1, Place: 1, Points: "1½", Spread: "+35", Won: 1, Drawn: 1}, Left: 1, Best: 1, Worst: 2},
				{WallStanding: bot.WallStanding{Entrant: 0, Place: 2, Points: "½", Spread: "0", Drawn: 1}, Left: 2, Best: 1, Worst: 3},
				{WallStanding: bot.WallStanding{Entrant: 2, Out: true}},
			},
			Games: []bot.LeagueGame{{A: 1, B: 2, Result: "412:377", Worth: "1", Link: "/g/over"}, {A: 0, B: 1, On: true, Link: "/g/on"}, {A: 2, B: 0, Void: true}},
		}, {Players: []string{"Eve"}, Standings: []bot.LeagueStanding{{WallStanding: bot.WallStanding{Place: 1, Points: "0", Spread: "0"}}}}},
	}}
	s := openWith(t, func(c *web.Config) { c.Leagues = f })
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost:8080/l/"+path, nil))
		return w
	}
	page := get("abc").Body.String()
	for _, want := range []string{
		"Club &lt;league&gt;", "Season 2, until 1 May 12:00 UTC", "Season 2, division 1", "Season 2, division 2", "Zoë &amp; Co", "1–2", "1–3", "withdrew", `href="/g/on"`, "Watch this game", "Cross table", "412:377", "counts for nothing",
		`data-base="/l/abc"`, "/static/page.js",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	part := get("abc?part")
	tag := part.Header().Get("ETag")
	if tag == "" || strings.Contains(part.Body.String(), "<html") {
		t.Errorf("the parts alone are %q with tag %q", part.Body.String(), tag)
	}
	f.is.Divisions[0].Games[1].Result = "300:300"
	if get("abc?part").Header().Get("ETag") == tag {
		t.Error("a result changes nothing")
	}
	f.is.Phase, f.is.Season, f.is.Entered = "entering", 3, []string{"Ann", "Bob"}
	f.is.Divisions[0].Standings[0].Move, f.is.Divisions[0].Standings[0].Left, f.is.Divisions[0].Standings[1].Left = "up", 0, 0
	page = get("abc").Body.String()
	for _, want := range []string{"Registration for season 3", "2 players have registered", "Bob", "promoted", "Season 2, division 1"} {
		if !strings.Contains(page, want) {
			t.Errorf("between seasons the page lacks %q", want)
		}
	}
	for path, want := range map[string]int{"abd": 404, "abd/live": 404, "abc/rack": 404} {
		if got := get(path).Code; got != want {
			t.Errorf("/l/%s is %d, want %d", path, got, want)
		}
	}
}

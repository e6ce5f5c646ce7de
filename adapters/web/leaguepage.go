package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file has the page of a league, at /l/ and its key, for everybody who has the
// address: its divisions with their standings, the games that are on, and how the others
// came out. It follows the league as a tournament's page does.

// leaguePages are those of leagues.
type leaguePages struct {
	leagues  bot.Leagues // nil where there are none
	answers  *answers
	clients  *clients
	watching *watching
}

func (pg *leaguePages) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /l/{key}", pg.serve)
	mux.HandleFunc("GET /l/{key}/live", pg.serveLive)
}

func (pg *leaguePages) open(req *http.Request) (v leagueView, err error) {
	if pg.leagues == nil {
		return v, errNoPage
	}
	v = leagueView{to: pg.answers.tongue(req), base: "/l/" + req.PathValue("key")}
	v.League, err = pg.leagues.League(req.Context(), req.PathValue("key"))
	if errors.Is(err, bot.ErrNoTable) {
		err = errNoPage
	}
	return v, err
}

func (pg *leaguePages) serve(w http.ResponseWriter, req *http.Request) {
	v, err := pg.open(req)
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	parts := v.parts()
	pg.answers.serveParts(w, req, eventPage(v.to, v.Name, v.state().In(v.to).String(), v.base, "", true, parts), parts)
}

// serveLive tells a page that something may have changed.
func (pg *leaguePages) serveLive(w http.ResponseWriter, req *http.Request) {
	if _, err := pg.open(req); err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	pg.watching.tell(w, req, anywhere, pg.clients.address(req))
}

// A leagueView is a league as its page shows it.
type leagueView struct {
	bot.League
	to   *text.Tongue
	base string
}

// state says how far the league has come.
func (v leagueView) state() text.Text {
	until := v.Until.UTC().Format("2 Jan 15:04 UTC")
	switch v.Phase {
	case "entering":
		return text.Say("Registration for season {n} is open until {time}: {players, plural, =0 {nobody has registered yet} one {one player has registered} other {# players have registered}}.", v.Season, until, len(v.Entered))
	case "over":
		return text.Say("Season {n} is over.", v.Season)
	}
	return text.Say("Season {n}, until {time}", v.Season, until)
}

// parts are what changes as the league goes on.
func (v leagueView) parts() g.Group {
	all := g.Group{html.Div(html.Class("event-title"), html.H1(g.Text(v.Name)), html.P(html.Class("event-state"), textIn(v.to, v.state())))}
	if len(v.Entered) > 0 {
		all = append(all, html.Section(html.Class("event-part"), html.H2(textIn(v.to, text.Say("Who plays"))),
			html.Ol(html.Class("entrants"), g.Map(v.Entered, func(name string) g.Node { return html.Li(g.El("bdi", g.Text(name))) }))))
	}
	for n, d := range v.Divisions {
		all = append(all, leagueDivision{d, v.to, n + 1, v.Shown}.parts())
	}
	return all
}

// A leagueDivision is a division as the page shows it.
type leagueDivision struct {
	bot.LeagueDivision
	to        *text.Tongue
	n, season int
}

func (d leagueDivision) name(i int) string { return d.Players[i] }

func (d leagueDivision) parts() g.Node {
	title := text.Say("Season {n}, division {division}", d.season, d.n)
	return html.Section(html.Class("event-part"), html.ID("division-"+strconv.Itoa(d.n)), html.H2(textIn(d.to, title)), d.standings(), d.running(), d.cross(), d.results())
}

func (d leagueDivision) standings() g.Node {
	var rows g.Group
	over := true
	for _, s := range d.Standings {
		over = over && s.Left == 0
	}
	for _, s := range d.Standings {
		class, place, last := "", strconv.Itoa(s.Place), ""
		switch {
		case s.Place == 0:
			class, place, last = "quiet", "", text.Item("withdrew").In(d.to).String()
		case s.Move == "up":
			last = text.Item("promoted").In(d.to).String()
		case s.Move == "down":
			last = text.Item("relegated").In(d.to).String()
		case s.Best < s.Worst:
			last = fmt.Sprintf("%d–%d", s.Best, s.Worst)
		}
		rows = append(rows, html.Tr(html.Class(class),
			html.Td(html.Class("number"), g.Text(place)), html.Td(g.El("bdi", g.Text(d.name(s.Entrant)))),
			html.Td(html.Class("number"), g.Text(s.Points)), html.Td(html.Class("number"), g.Text(fmt.Sprintf("%d–%d–%d", s.Won, s.Drawn, s.Lost))), html.Td(html.Class("number"), g.Text(s.Spread)),
			g.If(!over, html.Td(html.Class("number"), g.Text(strconv.Itoa(s.Left)))), html.Td(html.Class("number"), g.Text(last)),
		))
	}
	heads := []text.Text{text.Say("Place"), text.Say("Player"), text.Say("Points"), text.Say("Won, drawn, lost"), text.Say("Spread")}
	if over {
		return listing(d.to, rows, append(heads, text.Say("Next season"))...)
	}
	return listing(d.to, rows, append(heads, text.Say("To play"), text.Say("Possible places"))...)
}

// running are the games that are on, with the way to each.
func (d leagueDivision) running() g.Node {
	var all g.Group
	for _, x := range d.Games {
		if !x.On {
			continue
		}
		line := g.Group{d.between(x)}
		if x.Link != "" {
			line = append(line, g.Text(" · "), html.A(html.Href(x.Link), textIn(d.to, text.Say("Watch this game"))))
		}
		all = append(all, html.Li(line))
	}
	if len(all) == 0 {
		return nil
	}
	return g.Group{html.H3(textIn(d.to, text.Say("Games being played"))), html.Ul(all)}
}

func (d leagueDivision) between(x bot.LeagueGame) g.Node {
	return g.Group{g.El("bdi", g.Text(d.name(x.A))), g.Text(" – "), g.El("bdi", g.Text(d.name(x.B)))}
}

// cross is what everybody got of everybody else.
func (d leagueDivision) cross() g.Node {
	var order []int
	for _, s := range d.Standings {
		order = append(order, s.Entrant)
	}
	return crossTable(d.to, fmt.Sprintf("cross-%d", d.n), order, d.name, func(a, b int) string {
		all := ""
		for _, x := range d.Games {
			worth := x.Worth
			if x.A == b && x.B == a {
				worth = map[string]string{"1": "0", "0": "1", "½": "½"}[worth]
			} else if x.A != a || x.B != b {
				continue
			}
			if all += worth; worth != "" {
				all += " "
			}
		}
		return all
	})
}

// results are the games that are over.
func (d leagueDivision) results() g.Node {
	var rows g.Group
	for _, x := range d.Games {
		if x.Result == "" && !x.Void {
			continue
		}
		how := g.Node(g.Text(x.Result))
		if x.Void {
			how = html.Span(html.Class("quiet"), textIn(d.to, text.Item("counts for nothing")))
		}
		rows = append(rows, html.Tr(html.Td(g.El("bdi", g.Text(d.name(x.A)))), html.Td(g.El("bdi", g.Text(d.name(x.B)))), html.Td(html.Class("number"), how),
			html.Td(g.If(x.Link != "", html.A(html.Href(x.Link), textIn(d.to, text.Say("See the game")))))))
	}
	if len(rows) == 0 {
		return nil
	}
	return html.Details(html.Class("event-part"), html.ID(fmt.Sprintf("results-%d", d.n)), html.Summary(textIn(d.to, text.Say("Results"))),
		listing(d.to, rows, text.Say("First"), text.Say("Second"), text.Say("Result"), text.Say("Game")))
}

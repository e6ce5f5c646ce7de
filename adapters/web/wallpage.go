package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"
)

// This file has the page of a tournament, at /e/ and its key, for everybody who has the
// address. With ?wall it is for a television or a stream: large, and it follows by
// itself; with ?wall&clear its ground is transparent. Below that address stand fields in
// plain text for programs that put pictures together, each at the same address from the
// first round to the last.

// wallFields are those fields, of the board that a wall features.
var wallFields = map[string]func(v wallView) string{
	"score":     wallView.score,
	"last-play": func(v wallView) string { return v.featured().Last.In(v.to).String() },
	"unseen":    func(v wallView) string { return v.featured().Unseen },
	"p1":        func(v wallView) string { return v.featured().Names[0] },
	"p2":        func(v wallView) string { return v.featured().Names[1] },
	"record":    wallView.record,
	"standings": wallView.list,
}

// wallPages are those of tournaments.
type wallPages struct {
	walls    bot.Walls // nil where there are none
	answers  *answers
	clients  *clients
	watching *watching
}

func (pg *wallPages) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /e/{key}", pg.serve)
	mux.HandleFunc("GET /e/{key}/live", pg.serveLive)
	mux.HandleFunc("GET /e/{key}/board/{n}", pg.serveBoard)
	mux.HandleFunc("GET /e/{key}/{field}", pg.serveField)
}

// open is the tournament that a request is for.
func (pg *wallPages) open(req *http.Request) (v wallView, err error) {
	if pg.walls == nil {
		return v, errNoPage
	}
	v = wallView{to: pg.answers.tongue(req), base: "/e/" + req.PathValue("key"), table: req.FormValue("table"), wall: req.Form.Has("wall"), clear: req.Form.Has("clear")}
	v.Wall, err = pg.walls.Wall(req.Context(), req.PathValue("key"))
	if errors.Is(err, bot.ErrNoTable) {
		err = errNoPage
	}
	return v, err
}

// serve serves the page. Its parts have a digest, by which the page sees whether
// they have changed.
func (pg *wallPages) serve(w http.ResponseWriter, req *http.Request) {
	v, err := pg.open(req)
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	parts := v.parts()
	pg.answers.serveParts(w, req, v.page(parts), parts)
}

// serveLive tells a page that something may have changed.
func (pg *wallPages) serveLive(w http.ResponseWriter, req *http.Request) {
	if _, err := pg.open(req); err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	pg.watching.tell(w, req, anywhere, pg.clients.address(req))
}

// serveBoard serves the picture of a board.
func (pg *wallPages) serveBoard(w http.ResponseWriter, req *http.Request) {
	n, err := strconv.Atoi(strings.TrimSuffix(req.PathValue("n"), ".png"))
	if err != nil || pg.walls == nil {
		pg.answers.fail(w, req, errNoPicture)
		return
	}
	picture, err := pg.walls.WallPicture(req.Context(), req.PathValue("key"), n, pg.answers.tongue(req))
	if errors.Is(err, bot.ErrNoTable) {
		err = errNoPicture
	}
	pg.answers.servePicture(w, req, picture, err)
}

// fieldAgain is after how many seconds a program asks for a field again by itself.
const fieldAgain = "5"

// serveField serves a field in plain text.
func (pg *wallPages) serveField(w http.ResponseWriter, req *http.Request) {
	field, known := wallFields[req.PathValue("field")]
	if !known {
		pg.answers.fail(w, req, errNoPage)
		return
	}
	v, err := pg.open(req)
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Refresh", fieldAgain)
	w.Header().Set("X-Robots-Tag", "noindex")
	fmt.Fprintln(w, field(v)) // the program may be gone; it will ask again
}

// A wallView is a tournament as its page shows it.
type wallView struct {
	bot.Wall
	to          *text.Tongue
	base, table string
	wall, clear bool
}

// featured is the board whose fields are shown: the one that was asked for by its number,
// else the first where a game is on, else the first.
func (v wallView) featured() bot.WallBoard {
	if i := v.feature(); i >= 0 {
		return v.Boards[i]
	}
	return bot.WallBoard{ToMove: -1}
}

func (v wallView) feature() int {
	first := -1
	for i, b := range v.Boards {
		switch {
		case v.table == b.Title:
			return i
		case v.table == "" && b.On && !b.Over:
			return i
		case first < 0 && b.On:
			first = i
		}
	}
	if first < 0 && len(v.Boards) > 0 {
		first = 0
	}
	return first
}

func (v wallView) score() string {
	b := v.featured()
	if b.Names[0] == "" {
		return ""
	}
	return fmt.Sprintf("%s %d – %d %s", b.Names[0], b.Scores[0], b.Scores[1], b.Names[1])
}

func (v wallView) record() string {
	b := v.featured()
	if b.Names[0] == "" {
		return ""
	}
	return fmt.Sprintf("%s %s · %s %s", b.Names[0], b.Record[0], b.Names[1], b.Record[1])
}

// latest are the standings as they are now.
func (v wallView) latest() []bot.WallStanding {
	if n := len(v.Rounds); n > 0 {
		return v.Rounds[n-1].Standings
	}
	return nil
}

func (v wallView) list() string {
	var lines []string
	for _, s := range v.latest() {
		lines = append(lines, fmt.Sprintf("%d. %s  %s  %s", s.Place, v.name(s.Entrant), s.Points, s.Spread))
	}
	return strings.Join(lines, "\n")
}

func (v wallView) name(i int) string {
	if i < 0 || i >= len(v.Entrants) {
		return ""
	}
	return v.Entrants[i].Name
}

func (v wallView) say(template text.Text) string { return template.In(v.to).String() }

// state says how far the tournament has come.
func (v wallView) state() text.Text {
	switch n := len(v.Rounds); {
	case v.Phase == "entering":
		return text.Say("Registration is open: {n, plural, =0 {nobody has entered yet} one {one has entered} other {# have entered}}.", len(v.Entrants))
	case v.Phase == "off":
		return text.Say("The tournament was called off.")
	case v.Phase == "ended":
		return text.Say("The tournament is over.")
	case v.Phase == "playing":
		return text.Say("Round {n} of {all}", n, max(v.Planned, n))
	case n == 0:
		return text.Say("The first round begins soon.")
	}
	return text.Say("After round {n} of {all}", len(v.Rounds), max(v.Planned, len(v.Rounds)))
}

func (v wallView) page(parts g.Node) document {
	class := ""
	if v.wall {
		class += " wall"
	}
	if v.clear {
		class += " clear"
	}
	return eventPage(v.to, v.Name, v.say(v.state()), v.base, class, !v.wall, parts)
}

// eventPage is the page of a tournament or a league, whose parts change as it goes on. A
// television shows it without the head.
func eventPage(to *text.Tongue, title, description, base, class string, head bool, parts g.Node) document {
	return document{
		tongue: to, title: title, description: description, hidden: true, styles: []string{"page.css", "wall.css"}, script: "page.js",
		body: html.Body(html.Class("page event"+class), html.Data("base", base), html.Data("live", ""),
			g.If(head, html.Header(html.Class("page-head"),
				html.A(html.Class("page-home"), html.Href("/"), html.Span(html.Class("brand"), html.Aria("hidden", "true")), g.Text("Rackmate")),
			)),
			html.Main(html.ID("blocks"), html.Class("event-main"), parts),
		),
	}
}

// parts are what changes as the tournament goes on.
func (v wallView) parts() g.Group {
	all := g.Group{
		html.Div(html.Class("event-title"),
			html.H1(g.Text(v.Name)),
			html.P(html.Class("event-state"), textIn(v.to, v.state())),
			g.If(v.Delay > 0, html.P(html.Class("quiet"), textIn(v.to, text.Say("This page is {n, plural, one {# minute} other {# minutes}} behind.", v.Delay)))),
		),
	}
	if v.Phase == "ended" {
		all = append(all, v.prizes())
	}
	if v.wall {
		return append(all, v.wallParts()...)
	}
	if v.Phase == "entering" || len(v.Rounds) == 0 {
		all = append(all, v.entrants())
	}
	if boards := v.running(); boards != nil {
		all = append(all, boards)
	}
	if len(v.Rounds) > 0 {
		all = append(all, v.pairings(len(v.Rounds)), v.standings(len(v.Rounds)))
	}
	for n := len(v.Rounds) - 1; n > 0; n-- {
		all = append(all, html.Details(html.Class("event-part"), html.ID("round-"+strconv.Itoa(n)), html.Summary(textIn(v.to, text.Say("Round {n}", n))), v.pairings(n), v.standings(n)))
	}
	if len(v.Rounds) > 0 {
		all = append(all, v.cross(), v.cards())
	}
	return append(all, v.fair())
}

// wallParts are what a television shows: the games while a round is on, else how
// everybody stands.
func (v wallView) wallParts() (all g.Group) {
	switch {
	case v.Phase == "entering" || len(v.Rounds) == 0:
		return g.Group{v.entrants()}
	case v.Phase == "playing":
		all = g.Group{v.stage(), v.pairings(len(v.Rounds))}
	}
	return append(all, v.standings(len(v.Rounds)))
}

// stage is the board that a wall features, large.
func (v wallView) stage() g.Node {
	i := v.feature()
	if i < 0 || !v.Boards[i].On {
		return nil
	}
	return html.Section(html.Class("stage"), html.Aria("label", v.say(text.Say("The game"))), v.board(i))
}

func (v wallView) board(i int) g.Node {
	b := v.Boards[i]
	last := b.Last.In(v.to).String()
	return html.Div(html.Class("wall-board"),
		html.H3(textIn(v.to, text.Say("Table {n}", b.Title))),
		html.P(html.Class("quiet"), g.El("bdi", g.Text(b.Names[0])), g.Text(" "+b.Record[0]+" · "), g.El("bdi", g.Text(b.Names[1])), g.Text(" "+b.Record[1])),
		html.Img(html.Src(fmt.Sprintf("%s/board/%d.png?%d", v.base, i, b.Number)), html.Alt(last), g.Attr("loading", "lazy")),
		html.P(html.Class("wall-last"), g.Text(last)),
		g.If(!v.wall && b.Link != "", html.P(html.A(html.Href(b.Link), textIn(v.to, text.Say("Watch this game"))))),
	)
}

// running are the boards of the round that is on.
func (v wallView) running() g.Node {
	var all g.Group
	for i, b := range v.Boards {
		if b.On && !b.Over {
			all = append(all, v.board(i))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return html.Section(html.Class("event-part"), html.H2(textIn(v.to, text.Say("Games being played"))), html.Div(html.Class("wall-boards"), all))
}

func (v wallView) entrants() g.Node {
	var all g.Group
	for _, e := range v.Entrants {
		if e.Out {
			continue
		}
		all = append(all, html.Li(g.El("bdi", g.Text(e.Name)), g.If(e.Rating > 0, html.Span(html.Class("quiet"), g.Text(" "+strconv.Itoa(e.Rating)))), g.If(len(e.Players) > 0, html.Span(html.Class("quiet"), g.Text(" "+strings.Join(e.Players, ", "))))))
	}
	return html.Section(html.Class("event-part"), html.H2(textIn(v.to, text.Say("Who plays"))), html.Ol(html.Class("entrants"), all))
}

// prizes are the first three.
func (v wallView) prizes() g.Node {
	var all g.Group
	for _, s := range v.latest() {
		if s.Place <= 3 {
			all = append(all, html.Li(html.Class("prize"), html.Value(strconv.Itoa(s.Place)), html.B(g.El("bdi", g.Text(v.name(s.Entrant)))), html.Span(html.Class("quiet"), g.Text(" "+s.Points+" "+s.Spread))))
		}
	}
	return html.Section(html.Class("event-part prizes"), html.H2(textIn(v.to, text.Say("The winners"))), html.Ol(all))
}

func (v wallView) pairings(n int) g.Node {
	var rows g.Group
	for i, p := range v.Rounds[n-1].Pairings {
		other, result := g.Node(g.El("bdi", g.Text(v.name(p.B)))), strings.TrimSpace(p.Result)
		switch {
		case p.B < 0 && p.Missed:
			other = html.Span(html.Class("quiet"), textIn(v.to, text.Item("misses the round")))
		case p.B < 0:
			other = html.Span(html.Class("quiet"), textIn(v.to, text.Item("bye")))
		}
		rows = append(rows, html.Tr(html.Td(html.Class("number"), g.Text(strconv.Itoa(i+1))), html.Td(g.El("bdi", g.Text(v.name(p.A)))), html.Td(other), html.Td(html.Class("number"), g.Text(result))))
	}
	return html.Section(html.Class("event-part"), html.H2(textIn(v.to, text.Say("Pairings of round {n}", n))),
		listing(v.to, rows, text.Say("Table"), text.Say("First"), text.Say("Second"), text.Say("Result")))
}

// maxOnWall is how many lines of the standings a television has room for.
const maxOnWall = 14

func (v wallView) standings(n int) g.Node {
	title := text.Say("Standings after round {n}", n)
	if v.Phase == "playing" && n == len(v.Rounds) {
		title = text.Say("Standings so far")
	}
	var rows g.Group
	for i, s := range v.Rounds[n-1].Standings {
		if v.wall && i == maxOnWall {
			break
		}
		class := ""
		if s.Out {
			class = "quiet"
		}
		rows = append(rows, html.Tr(html.Class(class),
			html.Td(html.Class("number"), g.Text(strconv.Itoa(s.Place))), html.Td(html.A(html.Href("#player-"+strconv.Itoa(s.Entrant+1)), g.El("bdi", g.Text(v.name(s.Entrant))))),
			html.Td(html.Class("number"), g.Text(s.Points)), html.Td(html.Class("number"), g.Text(fmt.Sprintf("%d–%d–%d", s.Won, s.Drawn, s.Lost))), html.Td(html.Class("number"), g.Text(s.Spread)),
		))
	}
	return html.Section(html.Class("event-part"), html.H2(textIn(v.to, title)),
		listing(v.to, rows, text.Say("Place"), text.Say("Player"), text.Say("Points"), text.Say("Won, drawn, lost"), text.Say("Spread")))
}

// listing is a table with the heads of its columns.
func listing(to *text.Tongue, rows g.Group, heads ...text.Text) g.Node {
	return html.Div(html.Class("event-scroll"), html.Table(
		html.THead(html.Tr(g.Map(heads, func(t text.Text) g.Node { return html.Th(html.Scope("col"), textIn(to, t)) }))),
		html.TBody(rows),
	))
}

// met is what somebody got of somebody else in all rounds, in the cross table.
func (v wallView) met(a, b int) string {
	var all []string
	for _, r := range v.Rounds {
		for _, p := range r.Pairings {
			if p.Worth == "" || p.B < 0 {
				continue
			}
			switch {
			case p.A == a && p.B == b:
				all = append(all, p.Worth)
			case p.A == b && p.B == a:
				all = append(all, map[string]string{"1": "0", "0": "1", "½": "½"}[p.Worth])
			}
		}
	}
	return strings.Join(all, " ")
}

// maxCross is how many a cross table has room for.
const maxCross = 40

func (v wallView) cross() g.Node {
	var order []int
	for _, s := range v.latest() {
		order = append(order, s.Entrant)
	}
	return crossTable(v.to, "cross", order, v.name, v.met)
}

// crossTable is what everybody got of everybody else, in an order.
func crossTable(to *text.Tongue, id string, order []int, name func(int) string, met func(a, b int) string) g.Node {
	if len(order) > maxCross || len(order) < 2 {
		return nil
	}
	heads := g.Group{html.Th(), html.Th()}
	var rows g.Group
	for i, a := range order {
		heads = append(heads, html.Th(html.Scope("col"), g.Text(strconv.Itoa(i+1))))
		row := g.Group{html.Td(html.Class("number"), g.Text(strconv.Itoa(i+1))), html.Th(html.Scope("row"), g.El("bdi", g.Text(name(a))))}
		for j, b := range order {
			if i == j {
				row = append(row, html.Td(html.Class("self"), g.Text("·")))
				continue
			}
			row = append(row, html.Td(html.Class("number"), g.Text(met(a, b))))
		}
		rows = append(rows, html.Tr(row))
	}
	return html.Details(html.Class("event-part"), html.ID(id), html.Summary(textIn(to, text.Say("Cross table"))), html.Div(html.Class("event-scroll"), html.Table(html.Class("cross"), html.THead(html.Tr(heads)), html.TBody(rows))))
}

// cards are each player's rounds.
func (v wallView) cards() g.Node {
	var all g.Group
	for i, e := range v.Entrants {
		var rows g.Group
		for n, r := range v.Rounds {
			for _, p := range r.Pairings {
				if p.A != i && p.B != i {
					continue
				}
				other, first := p.B, p.A == i
				if !first {
					other = p.A
				}
				said := text.Say("Round {n}: second against {who}.", n+1, v.name(other))
				switch {
				case p.B < 0 && p.Missed:
					said = text.Say("Round {n}: missed.", n+1)
				case p.B < 0:
					said = text.Say("Round {n}: a bye.", n+1)
				case first:
					said = text.Say("Round {n}: first against {who}.", n+1, v.name(other))
				}
				rows = append(rows, html.Li(textIn(v.to, said), g.Text(" "), html.Span(html.Class("number"), g.Text(strings.TrimSpace(p.Result)))))
			}
		}
		all = append(all, html.Details(html.Class("card"), html.ID("player-"+strconv.Itoa(i+1)), html.Summary(g.El("bdi", g.Text(e.Name))), html.Ul(rows)))
	}
	return html.Section(html.Class("event-part"), html.H2(textIn(v.to, text.Say("Each player's rounds"))), all)
}

// fair says where the lots come from.
func (v wallView) fair() g.Node {
	return html.Details(html.Class("event-part"), html.ID("fair"), html.Summary(textIn(v.to, text.Say("Fair lots"))),
		html.P(textIn(v.to, text.Say("Who moves first, where nothing else says, and other lots come from a secret whose digest was published when the tournament opened, and from how people entered. When it is over the secret is published."))),
		html.P(html.Class("quiet"), textIn(v.to, text.Say("SHA-256 of the secret"))), html.P(html.Code(html.Class("digest"), g.Text(v.Digest))),
		g.If(v.Secret != "", g.Group{html.P(html.Class("quiet"), textIn(v.to, text.Say("The secret"))), html.P(html.Code(html.Class("digest"), g.Text(v.Secret)))}),
	)
}

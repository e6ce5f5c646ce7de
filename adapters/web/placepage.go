package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"
)

// This file has the pages of the room's players: all of them, at /top, and each, at /@ and
// their name. Where the door is open they are for everybody, else for those who are in.

const topPath = "/top"

// playerPages are those of players.
type playerPages struct {
	standings bot.Standings // nil where there are none
	answers   *answers
	guests    *guests
	keys      pageKeys
	members   *members
}

func (pg *playerPages) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET "+topPath, pg.serveTop)
	mux.HandleFunc("GET /{player}", pg.serve)
}

// servePlace answers with one of these pages.
func (as *answers) servePlace(w http.ResponseWriter, req *http.Request, title text.Text, script string, main ...g.Node) {
	to := as.tongue(req)
	w.Header().Set("Cache-Control", "no-cache")
	as.serve(w, req, http.StatusOK, document{
		tongue: to, title: title.In(to).String(), description: about.In(to).String(), hidden: true,
		styles: []string{"board.css", "page.css", "place.css"}, script: script,
		body: html.Body(html.Class("page place"),
			pageHead(to),
			html.Main(html.ID("place"), html.Class("place-main"), g.Group(main)),
			html.Div(html.ID("announce"), html.Class("unseen"), html.Role("status"), html.Aria("live", "polite")),
			html.Div(html.ID("offline"), hidden),
		),
	})
}

// pageHead leads from a page to the others that are for everybody.
func pageHead(to *text.Tongue) g.Node {
	link := func(path string, label text.Text) g.Node { return html.A(html.Href(path), textIn(to, label)) }
	return html.Header(html.Class("page-head"),
		html.A(html.Class("page-home"), html.Href("/"), html.Span(html.Class("brand"), html.Aria("hidden", "true")), g.Text("Rackmate")),
		html.Nav(html.Class("page-nav"), html.Aria("label", text.Say("Pages").In(to).String()),
			link(livePath, text.Say("Live")), link(topPath, text.Say("Players")), link(analysePath, text.Say("Analyse")),
		),
	)
}

// playerPath is where a player's page is.
func playerPath(name string) string { return "/@" + url.PathEscape(name) }

// nameOf is what a player is called now, and whether they have a page here.
func (pg *playerPages) nameOf(ctx context.Context, who bot.PlayerID, name string) (now string, here bool, err error) {
	id, ours := strings.CutPrefix(string(who), Platform+":")
	if !ours {
		return name, false, nil
	}
	p, found, err := pg.members.person(ctx, id)
	if !found {
		return name, false, err
	}
	return p.Name, true, err
}

// player is a player's name, and a link to their page where they have one.
func (pg *playerPages) player(ctx context.Context, to *text.Tongue, who bot.PlayerID, name string) (g.Node, error) {
	if name == "" {
		return textIn(to, text.Item("somebody")), nil
	}
	name, here, err := pg.nameOf(ctx, who, name)
	if !here {
		return g.El("bdi", g.Text(name)), err
	}
	return html.A(html.Href(playerPath(name)), g.El("bdi", g.Text(name))), err
}

// mostListed is how many players /top has.
const mostListed = 100

func (pg *playerPages) serveTop(w http.ResponseWriter, req *http.Request) {
	_, err := pg.guests.mayLook(req)
	var pool text.Text
	var all []bot.Standing
	if err == nil && pg.standings != nil {
		pool, all, err = pg.standings.Standings(req.Context(), home)
	}
	to := pg.answers.tongue(req)
	var rows g.Group
	for i, s := range all[:min(len(all), mostListed)] {
		if err != nil {
			break
		}
		var name g.Node
		name, err = pg.player(req.Context(), to, s.ID, s.Name)
		rating := strconv.Itoa(s.Rating)
		if !s.Sure {
			rating += "?"
		}
		rows = append(rows, html.Tr(number(i+1), html.Td(name), html.Td(html.Class("number"), g.Text(rating)), number(s.Won), number(s.Games)))
	}
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	title := text.Say("Players")
	if len(rows) == 0 {
		pg.answers.servePlace(w, req, title, "settings.js", html.H1(textIn(to, title)), html.P(textIn(to, text.Say("Nobody is on the leaderboard yet. Finish a rated game to be the first."))))
		return
	}
	pg.answers.servePlace(w, req, title, "settings.js",
		html.H1(textIn(to, title)), html.P(html.Class("quiet"), textIn(to, text.Say("By rating: {pool}", pool))),
		tableOf(to, []text.Text{text.Say("Place"), text.Say("Player"), text.Say("Rating"), text.Say("Won"), text.Say("Games")}, rows),
		g.If(slices.ContainsFunc(all, func(s bot.Standing) bool { return !s.Sure }), html.P(html.Class("quiet"), textIn(to, text.Say("A {mark} marks ratings based on only a few games.", "?")))),
	)
}

func number(n int) g.Node { return html.Td(html.Class("number"), g.Text(strconv.Itoa(n))) }

// tableOf is a table with heads, that is scrolled where it is wider than the screen.
func tableOf(to *text.Tongue, heads []text.Text, rows g.Group) g.Node {
	return html.Div(html.Class("event-scroll"), html.Table(
		html.THead(html.Tr(g.Map(heads, func(t text.Text) g.Node { return html.Th(html.Scope("col"), textIn(to, t)) }))), html.TBody(rows)))
}

var errNoPlayerPage = &refusal{http.StatusNotFound, text.Say("There's nothing to see of anybody by that name.")}

// serve serves the page of a player. Who left the leaderboards has none, and nothing
// says that they are here.
func (pg *playerPages) serve(w http.ResponseWriter, req *http.Request) {
	name, ok := strings.CutPrefix(req.PathValue("player"), "@")
	if !ok || pg.standings == nil {
		pg.answers.serveNothing(w, req)
		return
	}
	_, err := pg.guests.mayLook(req)
	var who person
	if err == nil {
		who, ok, err = pg.members.personNamed(req.Context(), name)
	}
	var p bot.Profile
	if err == nil && ok {
		p, ok, err = pg.standings.Profile(req.Context(), who.player())
	}
	if err == nil && !ok {
		err = errNoPlayerPage
	}
	var parts g.Group
	if err == nil {
		parts, err = pg.profile(req.Context(), pg.answers.tongue(req), who, p)
	}
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	pg.answers.servePlace(w, req, text.Plain(who.Name), "settings.js", parts)
}

// profile are the parts of a player's page. Games of conversations are counted, and not shown.
func (pg *playerPages) profile(ctx context.Context, to *text.Tongue, who person, p bot.Profile) (parts g.Group, err error) {
	fact := func(label text.Text, value string) g.Node {
		return html.Div(html.Class("fact"), html.Dt(textIn(to, label)), html.Dd(g.Text(value)))
	}
	section := func(title text.Text, under ...g.Node) {
		parts = append(parts, html.Section(html.Class("event-part"), html.H2(textIn(to, title)), g.Group(under)))
	}
	parts = g.Group{
		html.H1(g.El("bdi", g.Text(who.Name))),
		html.Dl(html.Class("facts"),
			fact(text.Say("Games"), strconv.Itoa(p.Games)), fact(text.Say("Won"), fmt.Sprintf("%d (%d %%)", p.Won, (100*p.Won+p.Games/2)/p.Games)),
			fact(text.Say("Points a game"), text.Glue(text.Tenths(p.Average)).In(to).String()), fact(text.Say("Best game"), strconv.Itoa(max(p.High, 0))), fact(text.Say("Bingos"), strconv.Itoa(p.Bingos)),
		),
	}
	if len(p.Badges) > 0 {
		var list g.Group
		for _, b := range p.Badges {
			list = append(list, html.Li(textIn(to, b)))
		}
		section(text.Say("Badges"), html.Ul(html.Class("badges"), list))
	}
	for _, r := range p.Ratings {
		section(text.Say("Rating, {pool}", r.Pool),
			html.P(html.B(html.Class("rated"), g.Text(strconv.Itoa(r.Value))), g.Text(" "), html.Span(html.Class("quiet"), textIn(to, text.Say("± {n} after {games, plural, one {# game} other {# games}}", r.Error, r.Games)))),
			chart(to, r.Over))
	}
	plays, err := pg.bestPlays(ctx, p)
	if err != nil {
		return nil, err
	}
	if len(plays) > 0 {
		section(text.Say("Best plays"), html.Ol(html.Class("plays"), plays))
	}
	if len(p.Rivals) > 0 {
		var rows g.Group
		for _, r := range p.Rivals {
			name, err := pg.player(ctx, to, r.ID, r.Name)
			if err != nil {
				return nil, err
			}
			rows = append(rows, html.Tr(html.Td(name), number(r.Won), number(r.Lost), number(r.Tied)))
		}
		section(text.Say("Against whom"), tableOf(to, []text.Text{text.Say("Player"), text.Say("Won"), text.Say("Lost"), text.Say("Tied")}, rows))
	}
	games, err := pg.results(ctx, to, p)
	if games != nil {
		section(text.Say("Games"), games)
	}
	return parts, err
}

// isOpen reports whether a channel is a room that everybody can read.
func isOpen(ch bot.ChannelID) bool {
	s, ours := streamOf(ch)
	return ours && len(s.readers()) == 0
}

// bestPlays are a player's best plays in open rooms, with the ways to their games.
func (pg *playerPages) bestPlays(ctx context.Context, p bot.Profile) (plays g.Group, err error) {
	for _, b := range p.Best {
		if !isOpen(b.Channel) {
			continue
		}
		path, err := pg.keys.path(ctx, b.Table)
		if err != nil {
			return nil, err
		}
		plays = append(plays, html.Li(html.A(html.Href(path), html.B(g.Text(b.Word)), g.Text(" "+strconv.Itoa(b.Score)))))
	}
	return plays, nil
}

// mostGames is how many games a player's page lists.
const mostGames = 40

func (pg *playerPages) results(ctx context.Context, to *text.Tongue, p bot.Profile) (g.Node, error) {
	var rows g.Group
	for _, r := range p.Results {
		if !isOpen(r.Channel) || len(rows) == mostGames {
			continue
		}
		path, err := pg.keys.path(ctx, r.Table)
		if err != nil {
			return nil, err
		}
		var others g.Group
		for i, o := range r.Others {
			name, err := pg.player(ctx, to, o.ID, o.Name)
			if err != nil {
				return nil, err
			}
			others = append(others, g.If(i > 0, g.Text(", ")), name, g.Text(" "+strconv.Itoa(o.Score)))
		}
		change := ""
		if r.To != 0 {
			change = fmt.Sprintf("%d (%+d)", r.To, r.To-r.From)
		}
		day := r.Ended.UTC().Format("2006-01-02")
		rows = append(rows, html.Tr(html.Td(html.A(html.Href(path), html.Time(html.DateTime(day), g.Text(day)))), number(r.Score), html.Td(others), number(r.Place), html.Td(html.Class("number"), g.Text(change))))
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return tableOf(to, []text.Text{text.Say("Day"), text.Say("Points"), text.Say("Against"), text.Say("Place"), text.Say("Rating")}, rows), nil
}

// chart draws a rating over time; there is nothing to draw of a single game.
func chart(to *text.Tongue, over []bot.RatingAt) g.Node {
	if len(over) < 2 {
		return nil
	}
	const wide, high = 600, 120
	low, top := over[0].Value, over[0].Value
	for _, r := range over {
		low, top = min(low, r.Value), max(top, r.Value)
	}
	var line strings.Builder
	for i, r := range over {
		fmt.Fprintf(&line, "%.1f,%.1f ", float64(i)*wide/float64(len(over)-1), high-float64(r.Value-low)*high/float64(max(top-low, 1)))
	}
	first, last := over[0].Value, over[len(over)-1].Value
	label := text.Say("Rating over the last {n, plural, one {# game} other {# games}}: from {first} to {last}, lowest {low}, highest {top}.", len(over), first, last, low, top)
	return html.Figure(html.Class("chart"),
		g.El("svg", g.Attr("viewBox", fmt.Sprintf("-6 -6 %d %d", wide+12, high+12)), html.Aria("hidden", "true"), g.Attr("preserveAspectRatio", "none"),
			g.El("polyline", g.Attr("points", strings.TrimSpace(line.String())), g.Attr("vector-effect", "non-scaling-stroke")),
		),
		g.El("figcaption", html.Class("quiet"), textIn(to, label)),
	)
}

// liveList lists games, each with what changes when something happens there.
func liveList(to *text.Tongue, all []liveGame) g.Node {
	if len(all) == 0 {
		return html.P(textIn(to, text.Say("No game is being played just now.")), g.Text(" "), html.A(html.Href("/"), textIn(to, text.Say("Play one"))))
	}
	return html.Ul(html.Class("live-games"), g.Map(all, func(one liveGame) g.Node {
		return html.Li(html.Data("path", one.path), html.Data("number", strconv.Itoa(one.sight.Number)),
			html.A(html.Href(one.path), g.Map(one.sight.Players, func(p bot.Player) g.Node {
				return html.Span(html.Class("live-player"), g.If(p.ToMove, g.Text("▸ ")), g.El("bdi", g.Text(p.Name)), g.Text(" "), html.B(g.Text(strconv.Itoa(p.Score))))
			})),
			html.P(html.Class("quiet"), g.Text(one.sight.Caption)),
		)
	}))
}

package web

import (
	"net/http"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"github.com/rackmate/rackmate/bot/text"
)

// fairPath is the path of the page on which people check the draws of a finished game in
// their browser. ?game= is the key of the game's page, and ?posted= is the digest that was
// posted when the table opened.
const fairPath = "/draws"

func (as *answers) serveFair(w http.ResponseWriter, req *http.Request) {
	as.serve(w, req, http.StatusOK, document{
		tongue: as.tongue(req), title: as.inTheirs(req, text.Say("Check the draws yourself")), description: about.In(as.tongue(req)).String(), hidden: true,
		styles: []string{"page.css"}, script: "fair.js", body: html.Body(html.Class("page"), fairBody()),
	})
}

// fairBody returns the body that the page's script fills.
func fairBody() g.Group {
	return g.Group{
		html.Header(html.Class("page-head"),
			html.A(html.Class("page-home"), html.Href("/"), html.Span(html.Class("brand"), html.Aria("hidden", "true")), g.Text("Rackmate")),
		),
		html.Main(html.Class("fair checks"),
			html.H1(g.Text("Check the draws yourself")),
			html.P(g.Text("This page draws every tile of a finished game again, in your browser, and tells you whether the host drew the same ones. Its script was written from the description of the proof alone and shares nothing with the program that runs the games.")),
			html.P(html.A(html.Href("/static/draws.js"), g.Text("Read the script"))),
			html.P(html.Label(g.Text("The digest that was posted when the table opened"), html.Input(html.ID("posted"), html.AutoComplete("off"), g.Attr("spellcheck", "false")))),
			html.P(html.Label(g.Text("The proof of the game"), html.Input(html.ID("proof"), html.Type("file"), html.Accept(".json,application/json")))),
			html.P(html.ID("page-said"), html.Class("page-said"), html.Role("status")),
			html.Ol(html.ID("drawn"), html.Class("drawn"), html.Aria("label", "What was drawn, by the numbers of the events")),
		),
		html.Div(html.ID("announce"), html.Class("unseen"), html.Role("status"), html.Aria("live", "polite")),
	}
}

package pages

import (
	"net/http"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"github.com/rackmate/rackmate/bot/text"
)

// fairPath is the path of the page on which people check the draws of a finished game in
// their browser. ?game= is the key of the game's page. The digest that was posted when the table
// opened is theirs to enter: from the host it would prove nothing.
const fairPath = "/draws"

func (as *Answers) serveFair(w http.ResponseWriter, req *http.Request) {
	as.Serve(w, req, http.StatusOK, Document{
		locale: as.Locale(req), title: as.Translate(req, text.Say("Check the draws yourself")), description: About.In(as.Locale(req)).String(), hidden: true,
		styles: []string{"page.css"}, script: "fair.js", body: html.Body(html.Class("page"), fairBody()),
	})
}

// fairBody returns the body that the page's script fills.
func fairBody() g.Group {
	return g.Group{
		html.Header(html.Class("page-head"), pageHome()),
		html.Main(html.Class("fair checks"),
			html.H1(g.Text("Check the draws yourself")),
			html.P(g.Text("This page checks a finished game in your browser: every draw, turn and score, the end and the winners. Its scripts were written from the description of the proof alone and share nothing with the program that runs the games.")),
			html.P(html.A(html.Href("/static/draws.js"), g.Text("Read the script")), g.Text(" · "), html.A(html.Href("/static/rules.js"), g.Text("Read the rules"))),
			html.P(html.Label(g.Text("The line in small type under the message that opened the table"), html.Input(html.ID("posted"), html.AutoComplete("off"), g.Attr("spellcheck", "false")))),
			html.P(html.Label(g.Text("The proof of the game"), html.Input(html.ID("proof"), html.Type("file"), html.Accept(".json,application/json")))),
			html.P(html.ID("page-said"), html.Class("page-said"), html.Role("status")),
			html.Ol(html.ID("drawn"), html.Class("drawn"), html.Aria("label", "What was drawn, by the numbers of the events")),
		),
		html.Div(html.ID("announce"), html.Class("unseen"), html.Role("status"), html.Aria("live", "polite")),
	}
}

package pages

import (
	"net/http"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// privacyPath is the path of the page that lists the stored data about people. It is
// public, since people may want to read it before they enter.
const privacyPath = "/privacy"

func (room Room) servePrivacy(answers *Answers, w http.ResponseWriter, req *http.Request) {
	to := answers.Locale(req)
	title := text.Say("What is kept here")
	var all []bot.Keeping
	if room.Keeps != nil {
		all = room.Keeps()
	}
	contact := text.Say("Whoever runs this host hasn't said how to reach them.")
	if room.Contact != "" {
		contact = text.Say("Who runs this host: {contact}", room.Contact)
	}
	var rows []g.Node
	for _, k := range all {
		rows = append(rows, html.Tr(html.Td(g.Text(k.Why)), html.Td(g.Text(k.Whose)), html.Td(g.Text(k.Until)), html.Td(g.Text(k.By))))
	}
	heads := []text.Text{text.Say("What, and what for"), text.Say("Whose"), text.Say("How long"), text.Say("Kept by")}
	answers.Serve(w, req, http.StatusOK, Document{
		locale: to, title: title.In(to).String(), description: About.In(to).String(), hidden: true, styles: []string{"page.css"}, script: "settings.js",
		body: html.Body(html.Class("page"),
			html.Header(html.Class("page-head"), pageHome()),
			html.Main(html.Class("fair"),
				html.H1(TextIn(to, title)),
				html.P(TextIn(to, text.Say("This is all that the host keeps. It gives nothing to anybody else, and erasure works from the same table."))),
				html.P(TextIn(to, text.Say("{export} gives you what is yours, and {delete} removes it; games that are over go on with a \"{former}\".", text.Code("/data export"), text.Code("/data delete"), "former player"))),
				html.P(TextIn(to, contact)),
				html.Table(
					html.THead(html.Tr(g.Map(heads, func(t text.Text) g.Node { return html.Th(g.Attr("scope", "col"), TextIn(to, t)) }))),
					html.TBody(rows...),
				),
			),
		),
	})
}

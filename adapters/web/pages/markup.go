package pages

import (
	_ "embed"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"github.com/rackmate/rackmate/bot/text"
)

// This file renders pages on the server. The package gomponents escapes everything that
// people wrote.

// About describes the room to people who see only a link.
var About = text.Say("A chat room for crossword-tile games.")

// A Document holds what differs from page to page.
type Document struct {
	locale             *text.Locale // nil means English
	title, description string
	hidden             bool     // from search engines
	styles             []string // besides style.css; files of static, like script
	script             string
	kept               bool   // browsers keep the files of this release
	early              bool   // the script doesn't wait for the styles
	Head               g.Node // additional elements of the head
	body               g.Node
}

// markup renders the document as HTML. codes lists the languages into which its scripts can
// translate it; in a demo, the page says that it is one.
func (d Document) markup(codes []string, demo bool) g.Node {
	at := staticPath(d.kept)
	return html.Doctype(html.HTML(html.Lang(d.locale.Code()), html.Data("languages", strings.Join(codes, " ")),
		g.If(demo, html.Data("demo", text.Say("Demo: robots play here, and nothing is kept.").In(d.locale).String())),
		html.Head(
			html.Meta(html.Charset("utf-8")),
			meta("viewport", "width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"),
			meta("color-scheme", "light dark"),
			meta("theme-color", "#143a31", g.Attr("media", "(prefers-color-scheme: light)")),
			meta("theme-color", "#101714", g.Attr("media", "(prefers-color-scheme: dark)")),
			g.If(d.hidden, meta("robots", "noindex")),
			meta("description", d.description),
			html.TitleEl(g.Text(d.title)),
			html.Link(html.Rel("icon"), html.Href(at+"icon.svg"), html.Type("image/svg+xml")),
			html.Link(html.Rel("apple-touch-icon"), html.Href(at+"apple-touch-icon.png")),
			d.Head,
			g.Map(append([]string{"style.css"}, d.styles...), func(file string) g.Node {
				return html.Link(html.Rel("stylesheet"), html.Href(at+file))
			}),
			html.Script(html.Type("module"), g.If(d.early, html.Async()), html.Src(at+d.script)),
		),
		d.body,
	))
}

// LinkPreview returns the tags that other sites read for a link's preview. card is the address of
// a picture of 1200 by 630 pixels, described by alt; if it is "", they show the room's icon.
func LinkPreview(room, title, description, card, alt string) g.Node {
	property := func(name, content string) g.Node {
		return html.Meta(g.Attr("property", "og:"+name), html.Content(content))
	}
	all := g.Group{property("type", "website"), property("site_name", "Rackmate"), property("title", title), property("description", description)}
	if card != "" {
		return append(all, property("image", card), property("image:width", "1200"), property("image:height", "630"), property("image:alt", alt), meta("twitter:card", "summary_large_image"))
	}
	return append(all,
		property("image", room+"/static/icon-512.png"), property("image:width", "512"), property("image:height", "512"), property("image:alt", "Rackmate"),
		meta("twitter:card", "summary"))
}

func meta(name, content string, more ...g.Node) g.Node {
	return html.Meta(html.Name(name), html.Content(content), g.Group(more))
}

// TextIn renders a text in a language.
func TextIn(to *text.Locale, t text.Text) g.Node { return g.Text(t.In(to).String()) }

var hidden = g.Attr("hidden")

// Card returns a page with only a card, like the door's. It works without scripts.
func Card(to *text.Locale, title string, card g.Node) Document {
	return Document{
		title: title, locale: to, description: About.In(to).String(), hidden: true, script: "settings.js",
		body: html.Body(html.Main(html.Class("entry"), card)),
	}
}

// refusalPage returns a page with a refusal's text, and a link to the room unless it is elsewhere.
func refusalPage(to *text.Locale, no text.Text, elsewhere bool) Document {
	return Card(to, "Rackmate", html.Div(html.Class("entry-card"),
		Logo(),
		html.P(html.Class("entry-lead"), TextIn(to, no)),
		g.If(!elsewhere,
			html.Div(html.Class("entry-services"), html.A(html.Class("button primary"), html.Href("/"), TextIn(to, text.Say("Go to the room"))))),
	))
}

// Logo draws the name in tiles, for the head of a card.
func Logo() g.Node {
	return html.H1(html.Class("logo"), html.Aria("label", "Rackmate"), g.Map(logoTiles, logoTile.markup))
}

// A logoTile is a letter of the name, drawn as a tile.
type logoTile struct {
	Letter       string
	Value, Shade int
}

var logoTiles = []logoTile{{"R", 1, 0}, {"A", 1, 1}, {"C", 3, 2}, {"K", 5, 3}, {"M", 3, 4}, {"A", 1, 5}, {"T", 1, 0}, {"E", 1, 1}}

func (t logoTile) markup() g.Node {
	return html.Span(html.Class("tile shade-"+strconv.Itoa(t.Shade)), html.Aria("hidden", "true"),
		g.Text(t.Letter), html.I(g.Text(strconv.Itoa(t.Value))))
}

// roomBody is the body of the room's page, which its scripts fill.
//
//go:embed room.html
var roomBody string

// roomPage returns the room's page, which its scripts fill.
func roomPage(to *text.Locale, room string) Document {
	return Document{
		locale: to, title: "Rackmate", description: About.In(to).String(),
		styles: []string{"board.css", "order.css", "home.css"}, script: "door.js", early: true,
		Head: g.Group{html.Link(html.Rel("manifest"), html.Href("/static/room.webmanifest")), LinkPreview(room, "Rackmate", About.In(to).String(), "", "")},
		body: html.Body(html.NoScript(html.P(html.Class("noscript"), TextIn(to, text.Say("The room needs JavaScript.")))), g.Raw(roomBody)),
	}
}

package pages

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"
)

// This file renders pages on the server. The package gomponents escapes everything that
// people wrote.

// About describes the room to people who see only a link.
var About = text.Say("A chat room for crossword-tile games.")

// A Document holds what differs from page to page.
type Document struct {
	tongue             *text.Tongue // nil means English
	title, description string
	hidden             bool     // from search engines
	styles             []string // besides style.css; files of static, like script
	script             string
	kept               bool   // browsers keep the files of this release
	Head               g.Node // additional elements of the head
	body               g.Node
}

// markup renders the document as HTML for a room.
func (d Document) markup(as *Answers) g.Node {
	at := staticPath(d.kept)
	return html.Doctype(html.HTML(html.Lang(d.tongue.Code()), html.Data("tongues", strings.Join(as.texts.codes(), " ")),
		g.If(as.demo, html.Data("demo", text.Say("Demo: robots play here, and nothing is kept.").In(d.tongue).String())),
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
			html.Script(html.Type("module"), html.Src(at+d.script)),
		),
		d.body,
	))
}

// staticPath returns the path of the embedded files, without or with the release in it.
func staticPath(kept bool) string {
	if kept {
		return "/static/" + release() + "/"
	}
	return "/static/"
}

// LinkPreview returns the preview tags of a page without a picture of its own: they show
// the room's icon.
func LinkPreview(room, title, description string) g.Node {
	property := func(name, content string) g.Node {
		return html.Meta(g.Attr("property", "og:"+name), html.Content(content))
	}
	return g.Group{
		property("type", "website"), property("site_name", "Rackmate"), property("title", title), property("description", description),
		property("image", room+"/static/icon-512.png"), property("image:width", "512"), property("image:height", "512"), property("image:alt", "Rackmate"),
		meta("twitter:card", "summary"),
	}
}

func meta(name, content string, more ...g.Node) g.Node {
	return html.Meta(html.Name(name), html.Content(content), g.Group(more))
}

// TextIn renders a text in a language.
func TextIn(to *text.Tongue, t text.Text) g.Node { return g.Text(t.In(to).String()) }

var hidden = g.Attr("hidden")

// servePicture responds with a preview picture, or with the error.
func (as *Answers) servePicture(w http.ResponseWriter, req *http.Request, picture *bot.Picture, err error) {
	if errors.Is(err, bot.ErrNoPicture) {
		err = ErrNoPicture
	}
	if err != nil {
		as.Fail(w, req, err)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "public, max-age=60")
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	http.ServeContent(w, req, "", time.Time{}, bytes.NewReader(picture.PNG))
}

// Serve responds with a document.
func (as *Answers) Serve(w http.ResponseWriter, req *http.Request, status int, d Document) {
	var page bytes.Buffer
	if err := d.markup(as).Render(&page); err != nil {
		as.Fail(w, req, err)
		return
	}
	w.Header().Set("Content-Type", types["html"])
	w.Header().Add("Vary", "Accept-Encoding")
	body := page.Bytes()
	if takesGzip(req) {
		w.Header().Set("Content-Encoding", "gzip")
		body = zip(body)
	}
	w.WriteHeader(status)
	w.Write(body) // the browser may have closed the connection; it will ask again
}

// Card returns a page with only a card, like the door's. It works without scripts.
func Card(to *text.Tongue, title string, card g.Node) Document {
	return Document{
		title: title, tongue: to, description: About.In(to).String(), hidden: true, script: "settings.js",
		body: html.Body(html.Main(html.Class("entry"), card)),
	}
}

// page returns a page with the refusal's text, and a link to the room unless the room is at
// another address.
func (no *Refusal) page(to *text.Tongue) Document {
	return Card(to, "Rackmate", html.Div(html.Class("entry-card"),
		Logo(),
		html.P(html.Class("entry-lead"), TextIn(to, no.Text)),
		g.If(no.Status != http.StatusMisdirectedRequest,
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

// roomPreloads returns the preload links of the room's page, which never change. The door's
// modules come first.
var roomPreloads = sync.OnceValue(func() g.Node {
	door := modules("door.js")
	room := slices.DeleteFunc(modules("app.js"), func(file string) bool { return slices.Contains(door, file) })
	return g.Group{preload(door, false), preload(room, false, g.Attr("fetchpriority", "low"))}
})

// roomPage returns the room's page, which its scripts fill.
func roomPage(to *text.Tongue, room string) Document {
	return Document{
		tongue: to, title: "Rackmate", description: About.In(to).String(),
		styles: []string{"board.css", "order.css", "home.css"}, script: "door.js",
		Head: g.Group{html.Link(html.Rel("manifest"), html.Href("/static/room.webmanifest")), LinkPreview(room, "Rackmate", About.In(to).String()), roomPreloads()},
		body: html.Body(html.NoScript(html.P(html.Class("noscript"), TextIn(to, text.Say("The room needs JavaScript.")))), g.Raw(roomBody)),
	}
}

// serveParts serves a page, or its changing parts alone if the query has "part".
func (as *Answers) serveParts(w http.ResponseWriter, req *http.Request, page Document, parts g.Node) {
	w.Header().Set("X-Robots-Tag", "noindex")
	w.Header().Set("Cache-Control", "no-cache")
	if _ = req.FormValue("part"); req.Form.Has("part") {
		var part bytes.Buffer
		if err := parts.Render(&part); err != nil {
			as.Fail(w, req, err)
			return
		}
		sum := sha256.Sum256(part.Bytes())
		w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:12])+`"`)
		w.Header().Set("Content-Type", types["html"])
		http.ServeContent(w, req, "", time.Time{}, bytes.NewReader(part.Bytes()))
		return
	}
	as.Serve(w, req, http.StatusOK, page)
}

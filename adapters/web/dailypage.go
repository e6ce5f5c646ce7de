package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file has the pages of daily boards, at /d/ and a key; /d alone leads to today's.
// What is asked for stands below a page's address, as it does at a game's.

// dailyPages are those of daily boards.
type dailyPages struct {
	host      bot.Host
	dailies   bot.Dailies // nil where there are none
	url       string
	answers   *answers
	clients   *clients
	commands  *commands
	cookies   *cookies
	entries   *buckets // new people who had to show nothing
	guests    *guests
	listeners *listeners
	visitors  *visitors
}

// A dailySession makes a browser somebody's on daily boards, for as long as their pass
// was for: it is what the cookie of the page says.
type dailySession struct {
	Player  bot.PlayerID  `json:"p"`
	Name    string        `json:"n"`
	Channel bot.ChannelID `json:"c"`
	Day     int           `json:"d"` // since 1970
}

// dailyCookie is the name of that cookie, and dailyDays how long it serves: a board may
// be open on three dates.
const (
	dailyCookie = "rackmate-daily"
	dailyDays   = 3
)

// A dailyVisit is a request for a daily board's page, with who sends it.
type dailyVisit struct {
	key     string
	who     guest
	channel bot.ChannelID // where they are
}

// visit says who looks at a page: somebody who came by a link of their own, or
// somebody of the room. The zero guest only looks.
func (pg *dailyPages) visit(req *http.Request) (v dailyVisit, err error) {
	if pg.dailies == nil {
		return v, errNoPage
	}
	v.key = req.PathValue("key")
	p, err := pg.visitors.visitor(req)
	switch {
	case err == nil:
		v.who, v.channel = guest{user: p.user(), counted: p.ID}, stream(direct+p.ID).channelID()
	case errors.Is(err, errNoName):
		v.who, v.channel = guest{counted: pg.clients.address(req)}, stream(general).channelID()
		for _, c := range req.CookiesNamed(dailyCookie) {
			var s dailySession
			if pg.cookies.unseal("daily", c.Value, &s) && pg.cookies.today()-s.Day <= dailyDays {
				v.who, v.channel = guest{user: bot.User{ID: s.Player, Name: s.Name}, counted: string(s.Player)}, s.Channel
			}
		}
	default:
		return v, err
	}
	v.who.locale = req.Header.Get("Accept-Language")
	if v.key == "" {
		return v, nil
	}
	place, err := pg.dailies.DailyPlace(req.Context(), v.key)
	if err == nil && place != "" && !pg.guests.mayWatch(bot.Subject{Channel: place}, v.who) {
		err = bot.ErrNoTable
	}
	if errors.Is(err, bot.ErrNoTable) {
		err = errNoDaily
	}
	return v, err
}

var errNoDaily = &refusal{http.StatusNotFound, text.Say("There's no such board, or it isn't open yet.")}

func (v dailyVisit) request(id string, at screen) bot.Request {
	sum := sha256.Sum256([]byte(string(v.who.user.ID) + ":daily:" + id))
	return bot.Request{ID: Platform + ":" + hex.EncodeToString(sum[:16]), Channel: v.channel, User: v.who.user, Dark: at.Dark, Zone: at.Zone, Locale: v.who.locale}
}

func (pg *dailyPages) routes(mux *http.ServeMux) {
	act, ask := pg.listeners.limit(2, 20), pg.listeners.limit(20, 60)
	mux.HandleFunc("GET /d", pg.serveToday)
	mux.HandleFunc("GET /d/{key}", pg.serve)
	mux.HandleFunc("GET /d/{key}/picture.png", pg.servePicture)
	mux.HandleFunc("GET /d/{key}/proof", pg.serveProof)
	mux.HandleFunc("POST /d/{key}/enter", pg.serveEnter)
	mux.HandleFunc("POST /d/{key}/table", onDaily(pg, ask, pg.table))
	mux.HandleFunc("POST /d/{key}/draft", onDaily(pg, ask, pg.draft))
	mux.HandleFunc("POST /d/{key}/act", onDaily(pg, act, pg.act))
}

// onDaily makes a handler of what a page asks for, as onPage does.
func onDaily[In any](pg *dailyPages, rate *buckets, do func(context.Context, dailyVisit, In) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		v, err := pg.visit(req)
		if err == nil {
			if wait := rate.Take(v.who.counted); wait > 0 {
				err = tooFast(wait)
			}
		}
		var in In
		if err == nil {
			err = readJSON(req, &in)
		}
		var out any
		if err == nil {
			out, err = do(req.Context(), v, in)
		}
		if errors.Is(err, bot.ErrNoTable) {
			err = errNoDaily
		}
		if err != nil {
			pg.answers.fail(w, req, err)
			return
		}
		pg.answers.answer(w, http.StatusOK, out)
	}
}

// serveToday leads to today's board.
func (pg *dailyPages) serveToday(w http.ResponseWriter, req *http.Request) {
	v, err := pg.visit(req)
	var key string
	if err == nil {
		key, err = pg.dailies.DailyToday(req.Context(), v.request("", screen{}))
	}
	if err == nil && pg.readsNothing(req.Context(), v, key) { // a place that isn't open to them
		key, _, _ = strings.Cut(key, "~")
	}
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	http.Redirect(w, req, "/d/"+key, http.StatusSeeOther)
}

func (pg *dailyPages) readsNothing(ctx context.Context, v dailyVisit, key string) bool {
	place, err := pg.dailies.DailyPlace(ctx, key)
	return err == nil && place != "" && !pg.guests.mayWatch(bot.Subject{Channel: place}, v.who)
}

// page is a page as its visitor sees it.
func (pg *dailyPages) page(ctx context.Context, v dailyVisit, at screen) (bot.Daily, error) {
	d, err := pg.dailies.Daily(ctx, v.key, v.request("", at))
	if errors.Is(err, bot.ErrNoTable) {
		err = errNoDaily
	}
	return d, err
}

func (pg *dailyPages) table(ctx context.Context, v dailyVisit, at screen) (any, error) {
	d, err := pg.page(ctx, v, at)
	out := struct {
		bot.Daily
		State []span   `json:"state"`
		Facts [][]span `json:"facts,omitempty"`
	}{d, spans(d.State), nil}
	for _, f := range d.Facts {
		out.Facts = append(out.Facts, spans(f))
	}
	return out, err
}

func (pg *dailyPages) draft(ctx context.Context, v dailyVisit, in struct {
	Word string `json:"word"`
	At   string `json:"at"`
}) (any, error) {
	req := v.request("", screen{})
	req.Command, req.Args = "daily", map[string]string{"word": in.Word, "at": in.At}
	return pg.dailies.DailyDraft(ctx, v.key, req)
}

func (pg *dailyPages) act(ctx context.Context, v dailyVisit, in struct {
	ID      string            `json:"id"`
	Command string            `json:"command"`
	Args    map[string]string `json:"args"`
	screen
}) (any, error) {
	args := map[string]string{"word": in.Args["word"], "at": in.Args["at"]}
	switch {
	case v.who.user.ID == "":
		return nil, &refusal{http.StatusForbidden, text.Say("Come into the room first, then try.")}
	case !isClientID(in.ID) || in.Command != "daily" || args["word"] == "" || args["at"] == "":
		return nil, errUnread
	}
	d, err := pg.page(ctx, v, in.screen)
	if err != nil {
		return nil, err
	}
	req := v.request(in.ID, in.screen)
	if req.Channel, err = pg.dailies.DailyPlace(ctx, v.key); err != nil {
		return nil, err
	}
	if req.Channel == "" {
		req.Channel = v.channel
	}
	req.Command, req.Number, req.Args = "daily", d.Number, args
	reply := pg.host.Handle(ctx, req)
	reply.Picture, reply.Buttons = nil, nil // the page has both
	return pg.commands.private(reply), nil
}

// serveEnter takes the pass of a link; see featurePages.serveEnter.
func (pg *dailyPages) serveEnter(w http.ResponseWriter, req *http.Request) {
	v, err := pg.visit(req)
	var in struct {
		Pass string `json:"pass"`
	}
	if err == nil {
		if wait := pg.entries.Take(pg.clients.address(req)); wait > 0 {
			err = tooFast(wait)
		}
	}
	if err == nil {
		err = readJSON(req, &in)
	}
	s := dailySession{Day: pg.cookies.today()}
	if err == nil {
		var u bot.User
		u, s.Channel, err = pg.dailies.EnterDaily(req.Context(), v.key, in.Pass)
		s.Player, s.Name = u.ID, u.Name
	}
	var no *bot.PageError
	if errors.As(err, &no) {
		err = &refusal{http.StatusUnauthorized, no.Text}
	}
	value := ""
	if err == nil {
		value, err = pg.cookies.seal("daily", s)
	}
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: dailyCookie, Value: value, Path: "/d", MaxAge: dailyDays * 24 * 60 * 60, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: overTLS(req),
	})
	pg.answers.answer(w, http.StatusOK, struct{}{})
}

// serve serves the page itself.
func (pg *dailyPages) serve(w http.ResponseWriter, req *http.Request) {
	v, err := pg.visit(req)
	var d bot.Daily
	if err == nil {
		d, err = pg.page(req.Context(), v, screen{})
	}
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	w.Header().Set("X-Robots-Tag", "noindex")
	pg.answers.serve(w, req, http.StatusOK, dailyView{
		to: pg.answers.tongue(req), title: d.Title, base: "/d/" + v.key, description: pg.answers.inTheirs(req, text.Say("Which play scores most? Everybody has six tries.")),
		picture: pg.url + "/d/" + v.key + "/picture.png?" + strconv.Itoa(d.Number), stranger: v.who.user.ID == "",
	}.page())
}

// servePicture serves what sites show beside a link to the page.
func (pg *dailyPages) servePicture(w http.ResponseWriter, req *http.Request) {
	v, err := pg.visit(req)
	var picture *bot.Picture
	if err == nil {
		picture, err = pg.dailies.DailyPicture(req.Context(), v.key, pg.answers.tongue(req))
	}
	if errors.Is(err, bot.ErrNoTable) {
		err = errNoPicture
	}
	pg.answers.servePicture(w, req, picture, err)
}

// serveProof serves what proves a board that is over.
func (pg *dailyPages) serveProof(w http.ResponseWriter, req *http.Request) {
	v, err := pg.visit(req)
	var f bot.File
	if err == nil {
		f, err = pg.dailies.DailyProof(req.Context(), v.key)
	}
	if errors.Is(err, bot.ErrNoTable) {
		err = refuse("The proof gives the best play away, so you get it once the board is over.")
	}
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	w.Header().Set("Content-Type", f.Type)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
	w.Write(f.Data) // the browser may be gone; it will ask again
}

// A dailyView is what the page of a daily board says before its script runs.
type dailyView struct {
	to                                *text.Tongue
	title, description, base, picture string
	stranger                          bool
}

func (v dailyView) page() document {
	property := func(name, content string) g.Node {
		return html.Meta(g.Attr("property", "og:"+name), html.Content(content))
	}
	return document{
		tongue: v.to, title: v.title, description: v.description, hidden: true, styles: []string{"board.css", "page.css", "daily.css"}, script: "daily.js",
		head: g.Group{
			property("type", "website"), property("site_name", "Rackmate"), property("title", v.title), property("description", v.description),
			property("image", v.picture), property("image:width", "1200"), property("image:height", "630"), property("image:alt", v.title), meta("twitter:card", "summary_large_image"),
		},
		body: html.Body(html.Class("page daily"), html.Data("base", v.base),
			html.NoScript(html.P(html.Class("noscript"), g.Text(v.description), g.Text(" "), textIn(v.to, text.Say("The board itself needs JavaScript.")))),
			v.parts(),
		),
	}
}

// parts are what the page's script works on.
func (v dailyView) parts() g.Group {
	return g.Group{
		html.Header(html.Class("page-head"),
			html.A(html.Class("page-home"), html.Href("/"), html.Span(html.Class("brand"), html.Aria("hidden", "true")), g.Text("Rackmate")),
			g.If(v.stranger, html.A(html.Class("button small primary"), html.Href("/"), g.Text("Come in"))),
		),
		html.Main(html.Class("page-main with-board"),
			html.Div(html.Class("page-news"),
				html.H1(html.ID("daily-title"), html.Class("daily-title"), g.Text(v.title)),
				html.P(html.ID("daily-state"), html.Class("daily-state")),
				html.P(html.ID("page-said"), html.Class("page-said"), html.Role("status")),
				html.Div(html.ID("offline"), html.Class("offline"), html.Role("status"), hidden, g.Text("Reconnecting…")),
			),
			html.Section(html.Class("game page-game"), html.Aria("label", "The board"), html.Div(html.ID("board"), html.Class("board-box"))),
			html.Div(html.Class("page-aside daily-aside"),
				html.Section(html.ID("daily-tries"), hidden),
				html.Section(html.ID("daily-facts"), hidden),
				html.Section(html.ID("daily-results"), hidden),
				html.Section(html.ID("daily-plays"), hidden),
				html.Nav(html.ID("daily-ways"), html.Class("after-buttons"), html.Aria("label", "Other boards")),
				html.Details(html.ID("fair"), html.Class("fair"),
					html.Summary(g.Text("Fair boards")),
					html.P(g.Text("The next board is fixed already: this is the SHA-256 of what it will be made from. When a board is over anybody can make it again from its proof.")),
					html.P(html.Code(html.ID("daily-digest"), html.Class("digest"))),
				),
			),
		),
		html.Div(html.ID("announce"), html.Class("unseen"), html.Role("status"), html.Aria("live", "polite"), html.Aria("atomic", "false")),
	}
}

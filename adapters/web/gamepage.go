package web

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file has the page of a game, at /g/ and the key of its table: those who
// sit there play on it, others watch. What is asked for stands below that
// address.

// A gameSession makes a browser somebody's at one table: it is what the cookie
// of the page says.
type gameSession struct {
	Player bot.PlayerID `json:"p"`
	Table  bot.TableID  `json:"t"`
	Day    int          `json:"d"` // since 1970
}

// gameCookie is the name of the page's cookie, and gameDays how long it serves;
// it ends with the game.
const (
	gameCookie = "rackmate-game"
	gameDays   = 60
)

// seal writes what a browser keeps for us, so that nobody can make it up.
func (cs *cookies) seal(kind string, v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	body := base64.RawURLEncoding.EncodeToString(b)
	return body + "." + base64.RawURLEncoding.EncodeToString(cs.mac(kind+" "+body)), nil
}

// unseal reads what seal wrote.
func (cs *cookies) unseal(kind, sealed string, v any) bool {
	body, mac, _ := strings.Cut(sealed, ".")
	m, err1 := base64.RawURLEncoding.DecodeString(mac)
	b, err2 := base64.RawURLEncoding.DecodeString(body)
	return errors.Join(err1, err2) == nil && hmac.Equal(m, cs.mac(kind+" "+body)) && json.Unmarshal(b, v) == nil
}

// gamePages are those of games.
type gamePages struct {
	host      bot.Host
	log       *slog.Logger
	games     bot.TablePages // nil where there are none
	url       string
	answers   *answers
	clients   *clients
	commands  *commands
	cookies   *cookies
	entries   *buckets // new people who had to show nothing
	guests    *guests
	keys      pageKeys
	listeners *listeners
	members   *members
	room      *page // the page of the room
	watching  *watching
}

var errNoPage = &refusal{http.StatusNotFound, text.Say("There's no such game, or it isn't open to you.")}

// open is the page that a request is for, and who asks. While a game of the
// room runs it is for those alone who may read its channel.
func (pg *gamePages) open(req *http.Request) (bot.Subject, guest, error) {
	page, err := pg.keys.find(req.Context(), req.PathValue("key"))
	if err != nil {
		return page, guest{}, err
	}
	who, err := pg.guests.guest(req, page)
	if err != nil {
		return page, who, err
	}
	if !page.Over && !pg.guests.mayWatch(page, who) {
		return page, who, errNoPage
	}
	return page, who, nil
}

// streamOf is the stream that a channel is, where it is one of the room.
func streamOf(ch bot.ChannelID) (s stream, ours bool) {
	id, ours := strings.CutPrefix(string(ch), Platform+":")
	return stream(id), ours
}

// routes adds what stands at /g/.
func (pg *gamePages) routes(mux *http.ServeMux) {
	act, ask := pg.listeners.limit(2, 20), pg.listeners.limit(20, 60)
	mux.HandleFunc("GET /g/{key}", pg.serve)
	mux.HandleFunc("GET /g/{key}/picture.png", pg.servePicture)
	mux.HandleFunc("GET /g/{key}/files/{name}", pg.serveFile)
	mux.HandleFunc("GET /g/{key}/live", pg.serveLive)
	mux.HandleFunc("POST /g/{key}/enter", pg.serveEnter)
	mux.HandleFunc("POST /g/{key}/table", onPage(pg.answers, pg.open, ask, pg.table))
	mux.HandleFunc("POST /g/{key}/draft", onPage(pg.answers, pg.open, ask, pg.draft))
	mux.HandleFunc("POST /g/{key}/act", onPage(pg.answers, pg.open, act, pg.act))
	mux.HandleFunc("POST /g/{key}/press", onPage(pg.answers, pg.open, act, pg.press))
	mux.HandleFunc("POST /g/{key}/try", onPage(pg.answers, pg.open, ask, pg.try))
	mux.HandleFunc("POST /g/{key}/review", onPage(pg.answers, pg.open, act, pg.review))
}

// onPage makes a handler of what a page asks for: open says which page that is and
// who asks, In is read from the request's JSON, and the answer is written as JSON.
func onPage[In any](as *answers, open opener, rate *buckets, do func(context.Context, bot.Subject, guest, In) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		page, who, err := open(req)
		who.locale = req.Header.Get("Accept-Language")
		if err == nil {
			if wait := rate.Take(who.counted); wait > 0 {
				err = tooFast(wait)
			}
		}
		var in In
		if err == nil {
			err = readJSON(req, &in)
		}
		var out any
		if err == nil {
			out, err = do(req.Context(), page, who, in)
		}
		if err != nil {
			as.fail(w, req, err)
			return
		}
		as.answer(w, http.StatusOK, out)
	}
}

// An opener finds the page that a request is for, and who sends it.
type opener func(*http.Request) (bot.Subject, guest, error)

// pageRequest is a request to the host about the table of a page.
func pageRequest(page bot.Subject, who guest, id string, at screen) bot.Request {
	sum := sha256.Sum256([]byte(string(who.user.ID) + ":" + id))
	return bot.Request{
		ID: Platform + ":" + hex.EncodeToString(sum[:16]), Channel: page.Channel, Home: who.home, Table: page.Table, User: who.user, Dark: at.Dark, Zone: at.Zone, Locale: who.locale,
	}
}

// sightOf is the table of a page as its guest sees it. While the game runs it has
// those buttons that are of the table; those of a game that is over are on the
// page itself.
func (pg *gamePages) sightOf(ctx context.Context, page bot.Subject, who guest) (bot.Sight, error) {
	sight, err := pg.host.Sight(ctx, pageRequest(page, who, "", screen{}))
	if errors.Is(err, bot.ErrNoTable) {
		return sight, errNoPage
	}
	sight.Buttons = slices.DeleteFunc(sight.Buttons, func(b bot.SightButton) bool {
		req, ok := (bot.Request{}).Press(b.ID)
		return !ok || sight.Own == nil || !slices.Contains(onPages, req.Command)
	})
	return sight, err
}

func (pg *gamePages) table(ctx context.Context, page bot.Subject, who guest, _ struct{}) (any, error) {
	sight, err := pg.sightOf(ctx, page, who)
	if err == nil {
		err = pg.members.nameNow(ctx, &sight)
	}
	return map[string]bot.Sight{"sight": sight}, err
}

func (pg *gamePages) draft(ctx context.Context, page bot.Subject, who guest, in drafted) (any, error) {
	return pg.host.Draft(ctx, in.tried(pageRequest(page, who, "", screen{})))
}

// onPages are the commands that can be given on the page of a game: those of its
// players at its table.
var onPages = []string{
	"play", "try", "submit", "cover", "remove", "draw", "exchange", "pass", "challenge", "rack", "hint", "vote", "end", "claim", "wait", "unseen", "start",
}

var errNoPlayer = &refusal{http.StatusForbidden, text.Say("Only the players at this table can do that. You're watching.")}

func (pg *gamePages) act(ctx context.Context, page bot.Subject, who guest, in struct {
	ID      string            `json:"id"`
	Command string            `json:"command"`
	Args    map[string]string `json:"args"`
	Number  int               `json:"number"`
	screen
}) (any, error) {
	req := pageRequest(page, who, in.ID, in.screen)
	req.Command, req.Args, req.Number = in.Command, in.Args, in.Number
	return pg.command(ctx, page, who, in.ID, req)
}

func (pg *gamePages) press(ctx context.Context, page bot.Subject, who guest, in struct {
	ID     string `json:"id"`
	Button string `json:"button"`
	screen
}) (any, error) {
	req, ok := pageRequest(page, who, in.ID, in.screen).Press(in.Button)
	if !ok || req.Table != page.Table {
		return nil, refuse("That button doesn't work any more. Please reload the page.")
	}
	return pg.command(ctx, page, who, in.ID, req)
}

func (pg *gamePages) command(ctx context.Context, page bot.Subject, who guest, id string, req bot.Request) (any, error) {
	sight, err := pg.sightOf(ctx, page, who)
	switch {
	case err != nil:
		return nil, err
	case sight.Own == nil:
		return nil, errNoPlayer
	case !isClientID(id) || req.Number < 0:
		return nil, errUnread
	case !slices.Contains(onPages, req.Command) || !pg.host.Commands().Knows(req):
		return nil, refuse("That can't be done on this page.")
	}
	for _, p := range sight.Players {
		if p.Seat == sight.Own.Seat && p.ID == req.User.ID {
			req.User.Name = p.Name
		}
	}
	return pg.commands.private(pg.host.Handle(ctx, req)), nil
}

func (pg *gamePages) review(ctx context.Context, page bot.Subject, who guest, _ struct{}) (any, error) {
	review, err := pg.games.Review(ctx, pageRequest(page, who, "", screen{}))
	return review, pageErr(err)
}

// try says what another play would have been at a turn of a game that is over.
func (pg *gamePages) try(ctx context.Context, page bot.Subject, who guest, in bot.Attempt) (any, error) {
	tried, err := pg.games.Try(ctx, pageRequest(page, who, "", screen{}), in)
	return tried, pageErr(err)
}

// pageErr is an error of a page's review as a refusal.
func pageErr(err error) error {
	if errors.Is(err, bot.ErrNoTable) {
		return refuse("You can review the game once it's over: the review shows every rack.")
	}
	var no *bot.PageError
	if errors.As(err, &no) {
		return &refusal{http.StatusUnprocessableEntity, no.Text}
	}
	return err
}

// serveEnter takes the pass of a link, and makes the browser its owner's at
// this table. It is asked by the page, and not by opening the link: sites that
// look at links for a preview would use it up.
func (pg *gamePages) serveEnter(w http.ResponseWriter, req *http.Request) {
	page, who, err := pg.open(req)
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
	if err == nil {
		who.user, err = pg.games.Enter(req.Context(), req.PathValue("key"), in.Pass)
	}
	var no *bot.PageError
	if errors.As(err, &no) {
		err = &refusal{http.StatusUnauthorized, no.Text}
	}
	value := ""
	if err == nil {
		value, err = pg.cookies.seal("game", gameSession{who.user.ID, page.Table, pg.cookies.today()})
	}
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: gameCookie, Value: value, Path: "/g/" + req.PathValue("key"), MaxAge: gameDays * 24 * 60 * 60,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: overTLS(req),
	})
	pg.log.Info("web game session", "player", who.user.ID, "table", page.Table)
	pg.answers.answer(w, http.StatusOK, struct{}{})
}

// serve serves the page itself. What it says of the game in its head is for
// those who may watch: a site that looks for a preview is somebody who watches.
func (pg *gamePages) serve(w http.ResponseWriter, req *http.Request) {
	page, who, err := pg.open(req)
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	// Whoever is in the room and may read where it is played has it there.
	if s, ours := streamOf(page.Channel); ours && who.user.ID != "" {
		id, _ := strings.CutPrefix(string(who.user.ID), Platform+":")
		if s.mayRead(id) {
			pg.room.serveRoom(w, req)
			return
		}
	}
	who.locale = req.Header.Get("Accept-Language")
	sight, err := pg.sightOf(req.Context(), page, who)
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	view := gameView{tongue: pg.answers.tongue(req), title: pg.answers.inTheirs(req, text.Say("A game")), description: sight.Caption, base: "/g/" + req.PathValue("key"), draws: page.Draws}
	var names, scores []string
	for _, p := range sight.Players {
		names = append(names, p.Name)
		scores = append(scores, fmt.Sprintf("%s %d", p.Name, p.Score))
	}
	if len(names) > 0 {
		view.title = strings.Join(names, " – ")
	}
	if sight.Phase != "lobby" {
		view.picture = pg.url + view.base + "/picture.png?" + strconv.Itoa(sight.Number)
		if onDark(req) {
			view.picture += "&" + darkAddress
		}
		view.alt = pg.answers.inTheirs(req, text.Say("The board. {scores}.", strings.Join(scores, ", ")))
	}
	if view.description == "" {
		view.description = pg.answers.inTheirs(req, text.Say("A crossword-tile game."))
	}
	w.Header().Set("X-Robots-Tag", "noindex")
	pg.answers.serve(w, req, http.StatusOK, view.page())
}

// darkAddress is the parameter by which whoever gives an address from a dark screen has
// sites show a dark picture beside it.
const darkAddress = "dark"

func onDark(req *http.Request) bool { return req.URL.Query().Has(darkAddress) }

// A gameView is what the page of a game says before its script runs.
type gameView struct {
	tongue             *text.Tongue
	title, description string
	picture, alt       string // for sites that show a preview; "" before the game has begun
	base, draws        string
}

func (v gameView) page() document {
	property := func(name, content string) g.Node {
		return html.Meta(g.Attr("property", "og:"+name), html.Content(content))
	}
	preview := g.Group{
		property("type", "website"),
		property("site_name", "Rackmate"),
		property("title", v.title),
		property("description", v.description),
	}
	if v.picture != "" {
		preview = append(preview,
			property("image", v.picture),
			property("image:width", "1200"),
			property("image:height", "630"),
			property("image:alt", v.alt),
			meta("twitter:card", "summary_large_image"),
		)
	}
	return document{
		tongue: v.tongue, title: v.title, description: v.description, hidden: true,
		styles: []string{"board.css", "page.css"}, script: "page.js", head: preview, body: v.body(),
	}
}

// checker is the address at which the game's draws are checked.
func (v gameView) checker() string {
	return fairPath + "?" + url.Values{"game": {path.Base(v.base)}, "posted": {v.draws}}.Encode()
}

// fairly tells of the draws; the page puts the command where it belongs.
const fairly = "Before anybody sat down, the host wrote down a secret and published a digest of it, the line below. All draws follow from that secret and from how the players joined, so nobody could choose tiles, not even the host. When the game is over, the secret is published with the proof, and {command} makes every draw again."

func (v gameView) body() g.Node {
	return html.Body(html.Class("page"), html.Data("base", v.base), html.Data("draws", v.draws),
		html.NoScript(html.P(html.Class("noscript"), g.Text(v.description), g.Text(" "), textIn(v.tongue, text.Say("The board itself needs JavaScript.")))),
		v.parts(),
	)
}

// parts are what the page's script works on.
func (v gameView) parts() g.Group {
	return g.Group{
		html.Header(html.Class("page-head"),
			html.A(html.Class("page-home"), html.Href("/"), html.Span(html.Class("brand"), html.Aria("hidden", "true")), g.Text("Rackmate")),
			html.Button(html.ID("share"), html.Class("button small"), html.Type("button"), g.Text("Copy link")),
		),
		html.Main(html.Class("page-main"),
			html.H1(html.ID("page-title"), html.Class("unseen"), g.Text(v.title)),
			html.Div(html.Class("page-news"),
				html.P(html.ID("page-said"), html.Class("page-said"), html.Role("status")),
				html.Div(html.ID("offline"), html.Class("offline"), html.Role("status"), hidden, g.Text("Reconnecting…")),
			),
			html.Section(html.Class("game page-game"), html.Aria("label", "The game"), html.Div(html.ID("board"), html.Class("board-box"))),
			html.Div(html.Class("page-aside"),
				html.Div(html.ID("page-moves"), html.Class("page-moves")),
				html.Section(html.ID("after"), html.Class("after"), html.Aria("label", "After the game"), hidden,
					html.Div(html.Class("after-buttons"),
						html.Button(html.ID("review"), html.Class("button primary"), html.Type("button"), g.Text("Review the game")),
						html.A(html.Class("button"), html.Href(v.base+"/files/moves"), g.Attr("download"), g.Text("Moves as a file")),
						html.A(html.Class("button"), html.Href(v.base+"/files/proof"), g.Attr("download"), g.Text("Proof of the draws")),
						html.A(html.Class("button"), html.Href(v.checker()), g.Text("Check the draws yourself")),
					),
					html.Div(html.ID("judged"), hidden),
				),
				html.Details(html.ID("fair"), html.Class("fair"),
					html.Summary(g.Text("Fair draws")),
					html.P(html.Data("say", fairly), html.Code(g.Text("rackmate verify"))),
					html.P(html.Class("quiet"), g.Text("SHA-256 of the secret")),
					html.P(html.Code(html.Class("digest"), g.Text(v.draws))),
				),
			),
		),
		html.Div(html.ID("announce"), html.Class("unseen"), html.Role("status"), html.Aria("live", "polite"), html.Aria("atomic", "false")),
	}
}

// servePicture serves what sites show beside a link to the page.
func (pg *gamePages) servePicture(w http.ResponseWriter, req *http.Request) {
	page, _, err := pg.open(req)
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	picture, err := pg.games.Picture(req.Context(), page.Table, onDark(req))
	pg.answers.servePicture(w, req, picture, err)
}

// serveFile serves a finished game to keep: its moves, or the proof of its
// draws.
func (pg *gamePages) serveFile(w http.ResponseWriter, req *http.Request) {
	page, _, err := pg.open(req)
	var files []bot.File
	if err == nil {
		files, err = pg.games.Files(req.Context(), page.Table)
	}
	if errors.Is(err, bot.ErrNoTable) {
		err = refuse("The record shows every rack, so you can have it once the game is over.")
	}
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	i := map[string]int{"moves": 0, "proof": 1}
	n, known := i[req.PathValue("name")]
	if !known || n >= len(files) {
		pg.answers.fail(w, req, errNoPage)
		return
	}
	f := files[n]
	w.Header().Set("Content-Type", f.Type)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
	w.Write(f.Data) // the browser may be gone; it will ask again
}

// serveLive is a connection on which a page hears that there is news. What
// the news is it asks for itself, as who it is.
func (pg *gamePages) serveLive(w http.ResponseWriter, req *http.Request) {
	page, who, err := pg.open(req)
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	pg.watching.tell(w, req, page.Channel, who.counted)
}

// watch tells pages of news until ctx is done.
func (pg *gamePages) watch(ctx context.Context) {
	if pg.games == nil {
		return
	}
	if err := pg.games.Watch(ctx, pg.watching.hint); err != nil && ctx.Err() == nil {
		pg.log.Error("can't watch the tables of pages", "err", err)
	}
}

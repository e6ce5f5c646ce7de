package pages

import (
	"cmp"
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"strings"

	"github.com/rackmate/rackmate/bot"
)

// This file serves the pages of features and of the room itself. Their requests go to paths
// below the pages' own.

// featurePages serves pages made of blocks.
type featurePages struct {
	log       *slog.Logger
	answers   *Answers
	boards    *boards
	guests    *guests
	room      Room
	serveRoom http.HandlerFunc
	watching  *watching
}

// routes adds a page and the routes below it.
func (pg *featurePages) routes(mux *http.ServeMux, p bot.Pages) {
	act, ask := pg.room.Limit(2, 20), pg.room.Limit(20, 60)
	pattern := strings.Replace(p.Path, "/@{", "/{", 1)
	handle := func(method, below string, serve func(http.ResponseWriter, *http.Request, bot.Pages)) {
		mux.HandleFunc(method+" "+pattern+below, func(w http.ResponseWriter, req *http.Request) { serve(w, req, p) })
	}
	handle("GET", "", pg.serve)
	if p.Live {
		handle("GET", "/live", pg.serveLive)
	}
	if p.File != nil {
		handle("GET", "/{file...}", pg.serveFile)
	}
	if p.Pass != nil {
		handle("POST", "/enter", pg.serveEnter)
	}
	open := func(req *http.Request) (bot.Subject, guest, error) {
		s, who, err := pg.open(req, p)
		if err == nil && s.Table == 0 {
			err = bot.ErrNoTable
		}
		return s, who, refuseMissing(p, err)
	}
	if p.Find != nil && p.Ask["table"] == nil {
		mux.HandleFunc("POST "+pattern+"/table", onPage(pg.answers, open, ask, pg.boards.table))
		mux.HandleFunc("POST "+pattern+"/draft", onPage(pg.answers, open, ask, pg.boards.draft))
		mux.HandleFunc("POST "+pattern+"/act", onPage(pg.answers, open, act, pg.boards.act))
		mux.HandleFunc("POST "+pattern+"/press", onPage(pg.answers, open, act, pg.boards.press))
	}
	asks := pg.room.Limit(4, 40)
	for name, answer := range p.Ask {
		mux.HandleFunc("POST "+pattern+"/"+name, func(w http.ResponseWriter, req *http.Request) { pg.serveAsk(w, req, p, asks, answer) })
	}
}

// open returns the subject of a page's request and its sender. During a game of the room,
// only people who may read its channel can see its page.
func (pg *featurePages) open(req *http.Request, p bot.Pages) (s bot.Subject, who guest, err error) {
	if name := req.PathValue("player"); name != "" && !strings.HasPrefix(name, "@") {
		return s, who, errNothing
	}
	s = bot.Subject{Channel: pg.room.Channel, Over: true}
	if p.Find != nil {
		if s, err = p.Find(req.Context(), req.PathValue("key")); err != nil {
			return s, who, err
		}
		s.Channel = cmp.Or(s.Channel, pg.room.Channel)
	}
	if p.Members {
		who, err = pg.guests.memberOrOpen(req)
	} else {
		who, err = pg.guests.guest(req, s, p.Pass)
	}
	if err == nil && !s.Over && !pg.guests.mayWatch(s, who) {
		err = bot.ErrNoTable
	}
	who.locale = req.Header.Get("Accept-Language")
	return s, who, err
}

// visit returns a request as the feature sees it, with its subject and sender.
func (pg *featurePages) visit(req *http.Request, p bot.Pages) (v bot.Visit, s bot.Subject, who guest, err error) {
	s, who, err = pg.open(req, p)
	v = bot.Visit{Request: pageRequest(s, who, "", Screen{}), Key: req.PathValue("key"), Query: req.URL.Query(), Open: pg.guests.isOpen}
	v.Home, v.MayEnter = Home, who.user.ID == "" && pg.room.Open
	v.Reads = func(ch bot.ChannelID) bool { return pg.guests.mayWatch(bot.Subject{Channel: ch}, who) }
	if p.Pass != nil && p.Pass.Everywhere {
		v.Channel, v.Home = who.channel, ""
	}
	if name, ok := strings.CutPrefix(req.PathValue("player"), "@"); ok && err == nil {
		player, found, failed := pg.room.Find(req.Context(), name)
		if err = failed; err == nil && !found {
			err = bot.ErrNoTable
		}
		v.People = []bot.User{player}
	}
	return v, s, who, err
}

// refuseMissing turns a feature's errors into refusals.
func refuseMissing(p bot.Pages, err error) error {
	var no *bot.PageError
	switch {
	case errors.Is(err, bot.ErrNoTable) && p.Missing != nil:
		return &Refusal{http.StatusNotFound, p.Missing}
	case errors.Is(err, bot.ErrNoTable):
		return errNothing
	case errors.Is(err, bot.ErrNoPicture):
		return ErrNoPicture
	case errors.As(err, &no):
		return &Refusal{http.StatusUnprocessableEntity, no.Text}
	}
	return err
}

// serve serves a page or its changed parts. People in the room who may read the table's
// channel get the room instead.
func (pg *featurePages) serve(w http.ResponseWriter, req *http.Request, p bot.Pages) {
	v, s, who, err := pg.visit(req, p)
	if err == nil && s.Table != 0 && isRooms(s.Channel) && who.user.ID != "" && !v.Query.Has("part") && pg.room.MayRead(s.Channel, who.user.ID) {
		pg.serveRoom(w, req)
		return
	}
	var page bot.Page
	if err == nil {
		page, err = p.Show(req.Context(), v)
	}
	if page.Go != "" && err == nil {
		http.Redirect(w, req, page.Go, http.StatusSeeOther)
		return
	}
	if err != nil {
		pg.answers.Fail(w, req, refuseMissing(p, err))
		return
	}
	d := drawing{ctx: req.Context(), to: pg.answers.Locale(req), room: pg.room, base: req.URL.Path, of: req.PathValue("player")}
	doc, parts := d.page(page, p.Live)
	if d.err != nil {
		pg.answers.Fail(w, req, d.err)
		return
	}
	pg.answers.serveParts(w, req, doc, parts)
}

// serveLive notifies a page that its subject, or without a subject any table, may have
// news. The page then fetches the news itself.
func (pg *featurePages) serveLive(w http.ResponseWriter, req *http.Request, p bot.Pages) {
	s, who, err := pg.open(req, p)
	if err != nil {
		pg.answers.Fail(w, req, refuseMissing(p, err))
		return
	}
	at := s.Channel
	if s.Table == 0 {
		at = anywhere
	}
	pg.watching.serveEvents(w, req, at, who.counted, func() string {
		if s.Table == 0 {
			return ""
		}
		return stateOf(pg.boards.sightOf(req.Context(), s, who))
	})
}

// serveAsk answers a request of the page's script.
func (pg *featurePages) serveAsk(w http.ResponseWriter, req *http.Request, p bot.Pages, rate *Buckets, answer bot.Ask) {
	v, s, who, err := pg.visit(req, p)
	if err == nil {
		err = TakeToken(rate, who.counted)
	}
	var out any
	if err == nil {
		out, err = pg.boards.ask(req, v, s, who, answer)
	}
	if err != nil {
		pg.answers.Fail(w, req, refuseMissing(p, err))
		return
	}
	pg.answers.Answer(w, http.StatusOK, out)
}

// reloadEvery is the Refresh header of text files for programs that show a value, in
// seconds.
const reloadEvery = "5"

// serveFile serves a file below a page's path: a picture, or a download.
func (pg *featurePages) serveFile(w http.ResponseWriter, req *http.Request, p bot.Pages) {
	v, _, _, err := pg.visit(req, p)
	var f bot.File
	if err == nil {
		f, err = p.File(req.Context(), v, req.PathValue("file"))
	}
	if err != nil {
		pg.answers.Fail(w, req, refuseMissing(p, err))
		return
	}
	if f.Type == "image/png" {
		pg.answers.ServePicture(w, req, &bot.Picture{PNG: f.Data}, nil)
		return
	}
	w.Header().Set("Content-Type", f.Type)
	if strings.HasPrefix(f.Type, "text/plain") && f.Name == "" { // for a program that polls
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("Refresh", reloadEvery)
		w.Header().Set("X-Robots-Tag", "noindex")
		w.Write(f.Data) // the program may have closed the connection; it will ask again
		return
	}
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
	w.Write(f.Data) // the browser may have closed the connection; it will ask again
}

// serveEnter redeems the pass of a link, and sets its owner's cookie. The page requests it,
// not the link itself, since sites that fetch links for a preview would use it up.
func (pg *featurePages) serveEnter(w http.ResponseWriter, req *http.Request, p bot.Pages) {
	v, s, _, err := pg.visit(req, p)
	var in struct {
		Pass string `json:"pass"`
	}
	if err == nil {
		err = TakeToken(pg.room.Entries, pg.guests.clients.Address(req))
	}
	if err == nil {
		err = ReadJSON(req, &in)
	}
	var who bot.User
	var from bot.ChannelID
	if err == nil {
		who, from, err = p.Pass.Enter(req.Context(), v, in.Pass)
	}
	var no *bot.PageError
	if errors.As(err, &no) {
		err = &Refusal{http.StatusUnauthorized, no.Text}
	}
	if err == nil {
		err = pg.guests.admit(w, req, p, pageSession{Player: who.ID, Name: who.Name, Table: s.Table, Channel: from})
	}
	if err != nil {
		pg.answers.Fail(w, req, refuseMissing(p, err))
		return
	}
	pg.log.Info("web game session", "player", who.ID, "table", s.Table)
	pg.answers.Answer(w, http.StatusOK, struct{}{})
}

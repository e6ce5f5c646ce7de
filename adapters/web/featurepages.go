package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/rackmate/rackmate/bot"
	g "maragu.dev/gomponents"
)

// This file serves the pages of features, and of the room itself, that are made of blocks.

// featurePages serves pages that are made of blocks.
type featurePages struct {
	answers  *answers
	guests   *guests
	members  *members
	watching *watching
}

// routes adds pages and what stands below their addresses.
func (pg *featurePages) routes(mux *http.ServeMux, p bot.Pages) {
	pattern := strings.Replace(p.Path, "/@{", "/{", 1)
	mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, req *http.Request) { pg.serve(w, req, p) })
	if p.Live {
		mux.HandleFunc("GET "+pattern+"/live", func(w http.ResponseWriter, req *http.Request) { pg.serveLive(w, req, p) })
	}
}

// visit returns a request for a page as the feature sees it, and whom it is counted for.
func (pg *featurePages) visit(req *http.Request, p bot.Pages) (bot.Visit, guest, error) {
	look := pg.guests.guest
	if p.Members {
		look = func(req *http.Request, _ bot.Subject) (guest, error) { return pg.guests.mayLook(req) }
	}
	who, err := look(req, bot.Subject{Over: true})
	if err != nil {
		return bot.Visit{}, who, err
	}
	who.locale = req.Header.Get("Accept-Language")
	v := bot.Visit{Request: pageRequest(bot.Subject{Channel: stream(general).channelID()}, who, "", screen{}), Key: req.PathValue("key"), Query: req.URL.Query(), Open: isOpen}
	v.Home = home
	if name := req.PathValue("player"); name != "" {
		player, found, err := pg.members.personNamed(req.Context(), strings.TrimPrefix(name, "@"))
		if err == nil && !found {
			err = bot.ErrNoTable
		}
		if err != nil {
			return v, who, err
		}
		v.People = []bot.User{player.user()}
	}
	return v, who, nil
}

// isOpen reports whether a channel is a room that everybody can read.
func isOpen(ch bot.ChannelID) bool {
	s, ours := streamOf(ch)
	return ours && len(s.readers()) == 0
}

// missing says that there is no page, if that is what an error says.
func missing(p bot.Pages, err error) error {
	if errors.Is(err, bot.ErrNoTable) && p.Missing != nil {
		return &refusal{http.StatusNotFound, p.Missing}
	}
	return pageErr(err)
}

func (pg *featurePages) serve(w http.ResponseWriter, req *http.Request, p bot.Pages) {
	if name := req.PathValue("player"); name != "" && !strings.HasPrefix(name, "@") {
		pg.answers.serveNothing(w, req)
		return
	}
	v, _, err := pg.visit(req, p)
	var page bot.Page
	if err == nil {
		page, err = p.Show(req.Context(), v)
	}
	var d document
	var parts g.Node
	if err == nil {
		d, parts, err = pg.draw(req, p, page)
	}
	if err != nil {
		pg.answers.fail(w, req, missing(p, err))
		return
	}
	pg.answers.serveParts(w, req, d, parts)
}

// serveLive tells a page that something may have changed.
func (pg *featurePages) serveLive(w http.ResponseWriter, req *http.Request, p bot.Pages) {
	_, who, err := pg.visit(req, p)
	if err != nil {
		pg.answers.fail(w, req, missing(p, err))
		return
	}
	pg.watching.tell(w, req, anywhere, who.counted)
}

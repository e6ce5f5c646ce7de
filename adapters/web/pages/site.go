// Package pages serves the web pages around a room: documents and embedded files, the pages of
// features with the boards on them, and the frame that another platform's client shows. It
// reaches the room only through the functions of [Room].
package pages

import (
	"context"
	"io/fs"
	"net/http"
	"sync"

	g "maragu.dev/gomponents"

	"github.com/rackmate/rackmate/bot"
)

// Sentences lists the English texts of the scripts and their pages, which are the keys in a
// catalogue.
var Sentences = sync.OnceValues(func() ([]string, error) {
	return sentencesOf(g.Raw(roomBody), activityBody(""), fairBody())
})

// ReadTexts finds the catalogues of all languages.
func ReadTexts(catalogues fs.FS) (texts, error) { return readTexts(catalogues, Sentences) }

// A Site serves the pages around a room.
type Site struct {
	room     Room
	answers  *Answers
	clients  *Clients
	cookies  *Cookies
	files    *files
	watching *watching
	activity *activityPages
	features *featurePages
}

// NewSite makes the pages of a room.
func NewSite(room Room, answers *Answers, clients *Clients, cookies *Cookies) (*Site, error) {
	files, err := newFiles(answers)
	watching := &watching{answers: answers}
	boards := &boards{room.Host, room}
	guests := &guests{clients, cookies, room}
	return &Site{
		room, answers, clients, cookies, files, watching,
		&activityPages{nil, room.Host, room.Log, room.Now, room.Tables, answers, boards, clients, cookies, room, watching},
		&featurePages{room.Log, answers, boards, guests, room, files.serveRoom, watching},
	}, err
}

// Routes adds the routes of the features' pages, of a platform's frame, and of the embedded
// files.
func (st *Site) Routes(mux *http.ServeMux, all []bot.Pages) {
	mux.HandleFunc("/", st.answers.serveNothing)
	mux.Handle("GET /static/", st.files)
	mux.Handle("GET /texts/", st.files)
	mux.Handle("GET /sw.js", st.files)
	mux.HandleFunc("GET "+fairPath, st.answers.serveFair)
	mux.HandleFunc("GET "+privacyPath, func(w http.ResponseWriter, req *http.Request) { st.room.servePrivacy(st.answers, w, req) })
	for _, p := range all {
		st.features.routes(mux, p)
	}
	st.activity.routes(mux, st.files, all)
}

// Guard checks and limits every request before the handler gets it.
func (st *Site) Guard(next http.Handler) http.Handler {
	return guard{st.answers, st.clients, st.cookies, st.room.Limit, st.activity.isFrom, st.activity.player}.wrap(next)
}

// ServeRoom serves the page of the room itself, whatever the path.
func (st *Site) ServeRoom(w http.ResponseWriter, req *http.Request) { st.files.serveRoom(w, req) }

// SetActivity sets the platform whose own client shows boards in a frame. It must be called before
// the site serves requests.
func (st *Site) SetActivity(a bot.Activity) { st.activity.platform = a }

// Watch notifies pages of news about their tables until ctx is done.
func (st *Site) Watch(ctx context.Context) {
	(Keys{st.room.Tables, st.room.Log}).watch(ctx, st.watching)
}

// Close closes the connections of pages. Browsers reconnect by themselves.
func (st *Site) Close() { st.watching.close() }

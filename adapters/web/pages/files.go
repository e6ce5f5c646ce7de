package pages

import (
	"bytes"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot/text"
)

// files serves the embedded front end. Browsers revalidate on every load, so a new version
// takes effect at once, unless they load a file by a path that names its release.
type files struct {
	assets  map[string]asset // by path
	answers *Answers
	rooms   sync.Map // rooms' pages as assets, by language code
}

func newFiles(answers *Answers) (*files, error) {
	all, err := assets()
	return &files{assets: all, answers: answers}, err
}

// roomIn returns the room's page in a language.
func (f *files) roomIn(to *text.Locale) asset {
	made, ok := f.rooms.Load(to.Code())
	if !ok {
		var b bytes.Buffer
		f.answers.render(roomPage(to, f.answers.url)).Render(&b) // writing to a buffer can't fail
		made, _ = f.rooms.LoadOrStore(to.Code(), newAsset(b.Bytes()))
	}
	return made.(asset)
}

// isSubresource reports whether a file is a script, style, font or picture of a document. There are
// fifty of them, and without HTTP/2 the headers of documents are as long as a small script.
func isSubresource(file string) bool {
	return slices.Contains([]string{".js", ".css", ".woff2", ".png"}, path.Ext(file)) && file != "static/sw.js"
}

func (f *files) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	f.serve(w, req, strings.TrimPrefix(req.URL.Path, "/"))
}

// serveRoom serves the room's page, whatever the path.
func (f *files) serveRoom(w http.ResponseWriter, req *http.Request) { f.serve(w, req, "") }

func (f *files) serve(w http.ResponseWriter, req *http.Request, path string) {
	if path == "sw.js" { // a service worker's scope is its own directory
		path = "static/sw.js"
	}
	a, ok := f.assets[path]
	ofRelease := false
	if of := strings.Split(path, "/"); !ok && len(of) == 3 && of[0] == "static" {
		// Pages of other releases may load our files while hosts are replaced.
		ofRelease, path = of[1] == release(), "static/"+of[2]
		a, ok = f.assets[path]
	}
	if path == "" {
		path, a, ok = "room.html", f.roomIn(f.answers.Locale(req)), true
	}
	if dir, file, _ := strings.Cut(path, "/"); dir == "texts" {
		if made := f.answers.texts[strings.TrimSuffix(file, ".json")]; made != nil {
			a, ok = made(), true
		}
	}
	if !ok {
		f.answers.serveNothing(w, req)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	if isSubresource(path) {
		for name := range ofDocuments {
			h.Del(name)
		}
	}
	if ofRelease {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	h.Add("Vary", "Accept-Encoding")
	if !acceptsGzip(req) {
		h.Set("ETag", `"`+a.tag+`"`)
		http.ServeContent(w, req, path, time.Time{}, bytes.NewReader(a.plain()))
		return
	}
	h.Set("ETag", `"`+a.tag+`-gz"`)
	if strings.Contains(req.Header.Get("If-None-Match"), h.Get("ETag")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", types[path[strings.LastIndexByte(path, '.')+1:]])
	h.Set("Content-Encoding", "gzip")
	w.Write(a.zipped()) // the browser may have closed the connection; it will ask again
}

package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot/text"
)

//go:embed static
var static embed.FS

// A page serves the embedded front end. Browsers ask each time whether it has
// changed, so that a new version is taken up at once.
type page struct {
	assets  map[string]asset // by path
	answers *answers
	rooms   sync.Map // the page of the room, an asset, by the code of its language
}

// An asset is an embedded file, or the page of the room.
type asset struct {
	tag    string // changes with the file
	plain  []byte
	zipped func() []byte // by gzip, when it is first asked for
}

func newPage(answers *answers) (*page, error) {
	all, err := assets()
	return &page{assets: all, answers: answers}, err
}

// assets reads the embedded files, once for all rooms of a process.
var assets = sync.OnceValues(func() (map[string]asset, error) {
	all := map[string]asset{}
	return all, fs.WalkDir(static, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(static, path)
		if err != nil {
			return err
		}
		if path != "static/draws.js" { // which people are asked to read
			b = uncommented(path, b)
		}
		all[path] = newAsset(b)
		return nil
	})
})

// uncommented is a script or a style without the comments that have lines of their own,
// which are a sixth of what browsers would load. Lines keep their numbers.
func uncommented(path string, b []byte) []byte {
	if !strings.HasSuffix(path, ".js") && !strings.HasSuffix(path, ".css") {
		return b
	}
	kept := make([]byte, 0, len(b))
	for len(b) > 0 {
		comment := commentedOut(b)
		kept = append(kept, bytes.Repeat([]byte("\n"), bytes.Count(b[:comment], []byte("\n")))...)
		b = b[comment:]
		line := min(lineOf(b)+1, len(b))
		kept, b = append(kept, b[:line]...), b[line:]
	}
	return kept
}

// lineOf is how long a text's first line is.
func lineOf(b []byte) int {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return len(line)
}

// commentedOut is how much of a text's beginning is a comment that has its lines to itself,
// up to the last one's end. With a regular expression this took a fifth of the host's start.
func commentedOut(b []byte) int {
	const blank = " \t"
	begins := bytes.TrimLeft(b, blank)
	if bytes.HasPrefix(begins, []byte("//")) {
		return lineOf(b)
	}
	if !bytes.HasPrefix(begins, []byte("/*")) {
		return 0
	}
	_, behind, closed := bytes.Cut(begins[len("/*"):], []byte("*/"))
	end := lineOf(behind)
	if !closed || len(bytes.Trim(behind[:end], blank)) > 0 {
		return 0
	}
	return len(b) - len(behind) + end
}

// roomIn is the page of the room in a tongue.
func (p *page) roomIn(to *text.Tongue) asset {
	made, ok := p.rooms.Load(to.Code())
	if !ok {
		var b bytes.Buffer
		roomPage(to, p.answers.url).markup(p.answers.texts).Render(&b) // a buffer takes everything
		made, _ = p.rooms.LoadOrStore(to.Code(), newAsset(b.Bytes()))
	}
	return made.(asset)
}

func newAsset(b []byte) asset {
	sum := sha256.Sum256(b)
	return asset{base64.RawURLEncoding.EncodeToString(sum[:9]), b, sync.OnceValue(func() []byte { return zip(b) })}
}

// zip never fails: its level is one of gzip's, and a buffer takes everything.
func zip(b []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func (p *page) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	p.serve(w, req, strings.TrimPrefix(req.URL.Path, "/"))
}

// serveRoom serves the page of the room, whatever the address.
func (p *page) serveRoom(w http.ResponseWriter, req *http.Request) { p.serve(w, req, "") }

func (p *page) serve(w http.ResponseWriter, req *http.Request, path string) {
	if path == "sw.js" { // it is for all that is below where it stands
		path = "static/sw.js"
	}
	a, ok := p.assets[path]
	if path == "" {
		path, a, ok = "room.html", p.roomIn(p.answers.tongue(req)), true
	}
	if dir, file, _ := strings.Cut(path, "/"); dir == "texts" {
		if made := p.answers.texts[strings.TrimSuffix(file, ".json")]; made != nil {
			a, ok = made(), true
		}
	}
	if !ok {
		p.answers.serveNothing(w, req)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Add("Vary", "Accept-Encoding")
	if !takesGzip(req) {
		h.Set("ETag", `"`+a.tag+`"`)
		http.ServeContent(w, req, path, time.Time{}, bytes.NewReader(a.plain))
		return
	}
	h.Set("ETag", `"`+a.tag+`-gz"`)
	if strings.Contains(req.Header.Get("If-None-Match"), h.Get("ETag")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", types[path[strings.LastIndexByte(path, '.')+1:]])
	h.Set("Content-Encoding", "gzip")
	w.Write(a.zipped()) // the browser may be gone; it will ask again
}

var errNothing = &refusal{http.StatusNotFound, text.Say("There's nothing at this address.")}

// serveNothing answers at all addresses where nothing is.
func (as *answers) serveNothing(w http.ResponseWriter, req *http.Request) {
	as.fail(w, req, errNothing)
}

// types are the kinds of files there are, by their endings.
var types = map[string]string{
	"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "webmanifest": "application/manifest+json", "json": "application/json",
}

func takesGzip(req *http.Request) bool {
	for _, coding := range strings.Split(req.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if name == "gzip" && strings.TrimSpace(quality) != "q=0" {
			return true
		}
	}
	return false
}

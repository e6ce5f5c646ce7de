package pages

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/adapters/web/static"
	"github.com/rackmate/rackmate/bot/text"
)

// files serves the embedded front end. Browsers revalidate on every load, so a new version
// takes effect at once, unless they load a file by a path that names its release.
type files struct {
	assets  map[string]asset // by path
	answers *Answers
	rooms   sync.Map // rooms' pages as assets, by language code
}

// An asset is an embedded file, or the page of the room.
type asset struct {
	tag    string // ETag; changes with the content
	plain  []byte
	zipped func() []byte // compressed on first use
}

func newFiles(answers *Answers) (*files, error) {
	all, err := assets()
	return &files{assets: all, answers: answers}, err
}

// assets reads the embedded files, once per process.
var assets = sync.OnceValues(func() (map[string]asset, error) {
	all := map[string]asset{}
	return all, fs.WalkDir(static.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(static.Files, name)
		if err != nil {
			return err
		}
		path := "static/" + name
		if path != "static/draws.js" { // people are invited to read it
			b = uncommented(path, b)
		}
		all[path] = newAsset(b)
		return nil
	})
})

// release returns a name for the contents of all embedded files. Files below
// /static/RELEASE/ never change, so browsers keep them.
var release = sync.OnceValue(func() string {
	all, err := assets()
	if err != nil {
		return "" // newFiles has failed
	}
	sum := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(all)) {
		io.WriteString(sum, path+" "+all[path].tag+"\n")
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:9])
})

// uncommented removes comments on lines of their own from a script or style, a sixth of
// what browsers would load. Line numbers stay the same.
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

// lineOf returns the length of a text's first line.
func lineOf(b []byte) int {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return len(line)
}

// commentedOut returns the length of the comment at a text's beginning, to the end of its
// last line. It returns 0 unless the comment has its lines to itself. A regular expression
// here took a fifth of the host's start.
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

// roomIn returns the room's page in a language.
func (f *files) roomIn(to *text.Tongue) asset {
	made, ok := f.rooms.Load(to.Code())
	if !ok {
		var b bytes.Buffer
		roomPage(to, f.answers.url).markup(f.answers).Render(&b) // writing to a buffer can't fail
		made, _ = f.rooms.LoadOrStore(to.Code(), newAsset(b.Bytes()))
	}
	return made.(asset)
}

func newAsset(b []byte) asset {
	sum := sha256.Sum256(b)
	return asset{base64.RawURLEncoding.EncodeToString(sum[:9]), b, sync.OnceValue(func() []byte { return zip(b) })}
}

// zip compresses by gzip. It can't fail, since the level is valid and it writes to a
// buffer.
func zip(b []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	w.Write(b)
	w.Close()
	return out.Bytes()
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
		path, a, ok = "room.html", f.roomIn(f.answers.Tongue(req)), true
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
	if ofRelease {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
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
	w.Write(a.zipped()) // the browser may have closed the connection; it will ask again
}

var errNothing = &Refusal{http.StatusNotFound, text.Say("There's nothing at this address.")}

// serveNothing answers requests for unknown paths.
func (as *Answers) serveNothing(w http.ResponseWriter, req *http.Request) {
	as.Fail(w, req, errNothing)
}

// types are the content types, by file extension.
var types = map[string]string{
	"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "webmanifest": "application/manifest+json", "json": "application/json", "woff2": "font/woff2",
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

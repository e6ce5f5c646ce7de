package web

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed static
var static embed.FS

// A page serves the embedded front end. Browsers ask each time whether it has
// changed, so that a new version is taken up at once.
type page struct {
	tags map[string]string // by path: what changes with the file
}

func newPage() (*page, error) {
	p := &page{tags: map[string]string{}}
	err := fs.WalkDir(static, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(static, path)
		sum := sha256.Sum256(b)
		p.tags[path] = `"` + base64.RawURLEncoding.EncodeToString(sum[:9]) + `"`
		return err
	})
	return p, err
}

func (p *page) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	path := strings.TrimPrefix(req.URL.Path, "/")
	if path == "" {
		path = "static/room.html"
	}
	tag, ok := p.tags[path]
	if !ok {
		http.NotFound(w, req)
		return
	}
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeFileFS(w, req, static, path)
}

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

	"github.com/rackmate/rackmate/adapters/web/static"
)

// This file prepares the embedded files for browsers.

// An asset is an embedded file, a bundle of scripts, or a page made once.
type asset struct {
	tag    string // ETag; changes with the content
	plain  func() []byte
	zipped func() []byte // compressed on first use
}

// assets reads the embedded files, once per process.
var assets = sync.OnceValues(func() (map[string]asset, error) {
	all := map[string]asset{}
	scripts := sha256.New()
	err := fs.WalkDir(static.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(static.Files, name)
		if err != nil {
			return err
		}
		path := "static/" + name
		if path != "static/draws.js" { // people are invited to read it
			b = stripComments(path, b)
		}
		all[path] = newAsset(b)
		if strings.HasSuffix(name, ".js") {
			scripts.Write(b)
		}
		return nil
	})
	tag := base64.RawURLEncoding.EncodeToString(scripts.Sum(nil)[:9])
	for _, name := range bundled {
		module := all["static/"+name]
		all["static/"+name] = lazyAsset(tag, func() []byte {
			b, err := bundle(name)
			if err != nil { // a test makes sure that there is none
				return module.plain()
			}
			return b
		})
	}
	return all, err
})

// bundled lists the scripts that come with everything they import, as one file. The room has
// forty modules and a daily board twenty, for which a phone on slow 4G would wait a second longer.
var bundled = []string{"door.js", "activity.js", "page.js", "boardpage.js"}

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

// stripComments removes comments on lines of their own, types and indentation from a script or style,
// a fifth of what browsers would load. Line numbers stay the same. A test makes sure that no string
// of ours goes over several lines.
func stripComments(path string, b []byte) []byte {
	if !strings.HasSuffix(path, ".js") && !strings.HasSuffix(path, ".css") {
		return b
	}
	kept := make([]byte, 0, len(b))
	for len(b) > 0 {
		comment := commentLength(b)
		kept = append(kept, bytes.Repeat([]byte("\n"), bytes.Count(b[:comment], []byte("\n")))...)
		b = b[comment:]
		line := min(lineOf(b)+1, len(b))
		kept, b = append(kept, stripTypes(bytes.TrimLeft(b[:line], " \t"))...), b[line:]
	}
	return kept
}

// stripTypes removes the comments with types from a script's line.
func stripTypes(line []byte) []byte {
	const begin, end = "/** @", "*/"
	for {
		before, rest, found := bytes.Cut(line, []byte(begin))
		_, after, closed := bytes.Cut(rest, []byte(end))
		if !found || !closed {
			return line
		}
		line = slices.Concat(before, bytes.TrimLeft(after, " "))
	}
}

// lineOf returns the length of a text's first line.
func lineOf(b []byte) int {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return len(line)
}

// commentLength returns the length of the comment at a text's beginning, to the end of its
// last line. It returns 0 unless the comment has its lines to itself. A regular expression
// here took a fifth of the host's start.
func commentLength(b []byte) int {
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

func newAsset(b []byte) asset {
	sum := sha256.Sum256(b)
	return lazyAsset(base64.RawURLEncoding.EncodeToString(sum[:9]), func() []byte { return b })
}

// lazyAsset returns an asset whose content is made on first use.
func lazyAsset(tag string, content func() []byte) asset {
	plain := sync.OnceValue(content)
	return asset{tag, plain, sync.OnceValue(func() []byte { return zip(plain()) })}
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

// staticPath returns the path of the embedded files, without or with the release in it.
func staticPath(kept bool) string {
	if kept {
		return "/static/" + release() + "/"
	}
	return "/static/"
}

// types are the content types, by file extension.
var types = map[string]string{
	"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "webmanifest": "application/manifest+json", "json": "application/json", "woff2": "font/woff2",
}

func acceptsGzip(req *http.Request) bool {
	for _, coding := range strings.Split(req.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if name == "gzip" && strings.TrimSpace(quality) != "q=0" {
			return true
		}
	}
	return false
}

package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// needs matches the files that a document, style or script loads.
var needs = regexp.MustCompile(`(?:src|href)="(/static/[^"]+)"|(?m:^import\b[^"\n]*|^\} from )"(\./[^"]+)"|url\("?([^")]+)"?\)`)

// TestFilesAreCompressed requests the page's files as a browser that accepts gzip, and as a
// client that doesn't.
func TestFilesAreCompressed(t *testing.T) {
	s := open(t)
	for _, file := range filesOf(t, s) {
		packed, whole := get(s, file, "gzip, deflate, br"), get(s, file, "")
		if packed.Header().Get("Content-Encoding") != "gzip" || whole.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s comes as %q to a browser, as %q to others", file, packed.Header().Get("Content-Encoding"), whole.Header().Get("Content-Encoding"))
			continue
		}
		if !strings.Contains(packed.Header().Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s may be kept for those who can't unpack it", file)
		}
		if !bytes.Equal(unpacked(t, packed), whole.Body.Bytes()) {
			t.Errorf("%s is another one when it is unpacked", file)
		}
	}
}

// TestRoomIsLight counts all bytes sent to a browser until the board and the rack of its
// game are in view: at most 110 kB.
func TestRoomIsLight(t *testing.T) {
	h := newHouse(t)
	server := h.serves()
	ann, bob := h.enters("Ann"), h.enters("Bob")
	for i, r := range []*reader{ann, bob} {
		line := []string{"/new seats:2", "/join"}[i]
		r.says(line)
	}

	total := 0
	count := func(what string, header http.Header, body int) {
		var sent bytes.Buffer
		header.Write(&sent)
		total += sent.Len() + body
		t.Logf("%7d %s", sent.Len()+body, what)
	}
	files := append(filesOf(t, h), "/sw.js")
	if len(files) > 12 { // on slow 4G, each six of them cost a round trip
		t.Errorf("the room loads %d files", len(files))
	}
	for _, file := range files {
		w := get(h, file, "gzip")
		count(file, w.Header(), w.Body.Len())
	}
	for question, in := range map[string]any{"messages": obj{"stream": "general"}, "table": obj{"stream": "general"}, "people": obj{}, "games": obj{"all": true}} {
		w := ann.do("POST", "/api/"+question, in)
		if w.Code != 200 {
			t.Fatalf("%s: %d %s", question, w.Code, w.Body)
		}
		if question == "table" && strings.Count(w.Body.String(), `"rack":[`) != 1 {
			t.Fatalf("the table is told without a rack: %s", w.Body)
		}
		count(question, w.Header(), w.Body.Len())
	}
	who := httptest.NewRequest("GET", "http://localhost:8080/api/me", nil)
	who.Header.Set("Accept-Encoding", "gzip")
	who.AddCookie(&http.Cookie{Name: "rackmate", Value: ann.cookies["rackmate"]})
	me := newRecorder(h, who)
	sent := me.Body.Len()
	if !strings.Contains(string(unpacked(t, me)), `"commands"`) {
		t.Error("the room isn't told the commands")
	}
	count("me", me.Header(), sent)
	req, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+"/api/live", nil)
	gametest.Must(t, err)
	req.AddCookie(&http.Cookie{Name: "rackmate", Value: ann.cookies["rackmate"]})
	live, err := http.DefaultClient.Do(req)
	gametest.Must(t, err)
	defer live.Body.Close()
	var heard []byte
	for some := make([]byte, 4096); !regexp.MustCompile(`(?s)event: hello\n.*\n\n`).Match(heard); {
		n, err := live.Body.Read(some)
		gametest.Must(t, err)
		heard = append(heard, some[:n]...)
	}
	count("live", live.Header, len(heard))
	if total > 110_000 {
		t.Errorf("the room takes %d bytes, more than 110 kB", total)
	}
	t.Logf("%7d in all", total)
}

// filesOf lists the files that the room needs before it is in view: its document, and all
// files that it loads.
func filesOf(t *testing.T, h http.Handler) []string {
	t.Helper()
	files := []string{"/"}
	for i := 0; i < len(files); i++ {
		w := get(h, files[i], "")
		if w.Code != 200 {
			t.Fatalf("%s: %d", files[i], w.Code)
		}
		for _, m := range needs.FindAllStringSubmatch(w.Body.String(), -1) {
			file := m[1]
			if other := m[2] + m[3]; other != "" && !strings.HasPrefix(other, "data:") {
				file = path.Join(path.Dir(files[i]), other)
			}
			if file != "" && !slices.Contains(files, file) && !strings.HasPrefix(path.Base(file), "aleo-") { // a browser loads accents where there are some
				files = append(files, file)
			}
		}
	}
	if len(files) < 7 {
		t.Fatalf("the room has only the files %q: this looks in the wrong place", files)
	}
	return files
}

func get(h http.Handler, path, encodings string) *httptest.ResponseRecorder {
	req := httptest.NewRequest("GET", "http://localhost:8080"+path, nil)
	if encodings != "" {
		req.Header.Set("Accept-Encoding", encodings)
	}
	return newRecorder(h, req)
}

func unpacked(t *testing.T, w *httptest.ResponseRecorder) []byte {
	t.Helper()
	r, err := gzip.NewReader(w.Body)
	gametest.Must(t, err)
	all, err := io.ReadAll(r)
	gametest.Must(t, err)
	return all
}

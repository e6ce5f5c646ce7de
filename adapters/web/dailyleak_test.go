package web_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
)

// linked are the addresses that something served names.
var linked = regexp.MustCompile(`(?:href|src|content|link|"before|"after)"?[=:]\s*"(?:https://play\.example\.org)?(/[^"\s]*)"`)

// A hunter goes through all that a host serves, and looks for what nobody may know yet.
type hunter struct {
	forms []string // in which it could be written
	word  string   // looked for by itself where it is long enough to be there by no chance
	seen  map[string]bool
	found []string
}

func (h *hunter) reads(where string, body []byte) {
	for _, form := range h.forms {
		if bytes.Contains(body, []byte(form)) {
			h.found = append(h.found, fmt.Sprintf("%s has %q", where, form))
		}
	}
	if len(h.word) >= 6 && regexp.MustCompile(`\b`+h.word+`\b`).Match(body) {
		h.found = append(h.found, fmt.Sprintf("%s has %q", where, h.word))
	}
}

// crawls reads a page and all that it leads to.
func (h *hunter) crawls(name string, r *reader, path string) {
	if key := name + path; h.seen[key] || strings.HasSuffix(path, "/news") || strings.HasSuffix(path, "/live") && path != "/live" { // streams, which end never
		return
	} else {
		h.seen[key] = true
	}
	w := r.do(http.MethodGet, path, nil)
	h.reads(fmt.Sprintf("%s for %s", path, name), w.Body.Bytes())
	for key, values := range w.Header() {
		h.reads("a header of "+path, []byte(key+": "+strings.Join(values, " ")))
	}
	if to := w.Header().Get("Location"); strings.HasPrefix(to, "/") {
		h.crawls(name, r, to)
	}
	if strings.HasPrefix(path, "/static/") || len(h.seen) > 400 {
		return
	}
	for _, link := range linked.FindAllStringSubmatch(w.Body.String(), -1) {
		h.crawls(name, r, strings.ReplaceAll(strings.SplitN(link[1], "#", 2)[0], "&amp;", "&"))
	}
}

// While a day is open its best play is in nothing that leaves the host over HTTP, whoever
// asks and whatever they ask for: in no page, answer, picture, or header; nor in the log or
// in what is stored, of which others may have a backup.
func TestDailyAnswerIsNowhere(t *testing.T) {
	h := newHouse(t)
	ann := &reader{h: h}
	ann.do(http.MethodPost, "/api/enter", obj{"name": "Ann"})
	set := fmt.Sprintf("/settings for:channel daily:%d:00 zone:UTC", time.Now().UTC().Hour()) // a board is posted at once
	if w := ann.do(http.MethodPost, "/api/say", obj{"stream": "general", "id": "daily-is-set-on", "text": set}); !strings.Contains(w.Body.String(), "A board is posted here") {
		t.Fatalf("%s: %d %s", set, w.Code, w.Body)
	}
	stranger := &reader{h: h}
	page := ann.do(http.MethodGet, "/d", nil).Header().Get("Location")
	if !strings.HasPrefix(page, "/d/") {
		t.Fatalf("/d leads to %q", page)
	}
	board, _, _ := strings.Cut(page, "~")
	s := ann.sight(page)
	word, at := h.bestOf(s)
	hunt := &hunter{word: word, forms: []string{at + " " + word, word + " " + at, word + " at " + at, strings.ToLower(word + " " + at)}, seen: map[string]bool{}}

	// Ann tries something that isn't the best, so that there are answers and a text to share.
	tried := false
	for _, w := range []string{"AT", "IT", "IS", "AS", "ON", "TO", "RE", "EN", "NE", "ED", "OE", "AE", "UN", "IN", "LA", "DA", "TA", "AR", "ER", "OR"} {
		for i := range s.Size * s.Size {
			place := fmt.Sprintf("%d%c", i/s.Size+1, 'A'+i%s.Size)
			d := ann.do(http.MethodPost, page+"/draft", map[string]string{"word": w, "at": place})
			hunt.reads("a draft", d.Body.Bytes())
			if d.Code != http.StatusOK || strings.Contains(d.Body.String(), `"problem"`) {
				if d.Code == http.StatusTooManyRequests {
					break
				}
				continue
			}
			a := ann.gives(page, "daily", map[string]string{"word": w, "at": place})
			hunt.reads("an answer", a.Body.Bytes())
			tried = tried || !strings.Contains(a.Body.String(), `"refused":true`)
			break
		}
		if tried {
			break
		}
	}
	for name, r := range map[string]*reader{"nobody": stranger, "Ann": ann} {
		for _, path := range []string{"/", "/d", page, board, page + "/picture.png", board + "/picture.png", page + "/proof", board + "/proof", "/analyse", "/top", "/live", "/live/games", "/@Ann", "/draws", "/privacy", "/healthz", "/metrics", "/manifest.webmanifest", "/api/me"} {
			hunt.crawls(name, r, path)
		}
		for _, at := range []string{page, board} {
			hunt.reads("the table for "+name, r.do(http.MethodPost, at+"/table", struct{}{}).Body.Bytes())
		}
		for path, in := range map[string]any{
			"messages": obj{"stream": "general"}, "table": obj{"stream": "general"}, "games": obj{}, "running": obj{}, "people": obj{}, "rack": obj{"stream": "general"}, "look": obj{"stream": "general"},
			"complete": obj{"stream": "general", "line": "/daily "},
		} {
			hunt.reads(path+" for "+name, r.do(http.MethodPost, "/api/"+path, in).Body.Bytes())
		}
		for i, line := range []string{"/daily", "/daily do:share", "/daily do:results", "/daily do:proof", "/hint", "/review", "/stats", "/data", "/data do:export", "/help all"} {
			hunt.reads(line+" for "+name, r.do(http.MethodPost, "/api/say", obj{"stream": "general", "id": fmt.Sprintf("hunting-%d-%d", i, len(name)), "text": line}).Body.Bytes())
		}
	}
	if len(hunt.seen) < 40 || !hunt.seen["nobody"+page] {
		t.Errorf("only %d addresses were read", len(hunt.seen))
	}
	hunt.reads("the log", []byte(h.log.String()))
	kept, err := os.ReadFile(h.path)
	if err != nil {
		t.Fatal(err)
	}
	hunt.reads("what is stored", kept)
	// Whoever finds it is told, and by that the hunter would have found it.
	found := &hunter{word: word, forms: hunt.forms, seen: map[string]bool{}}
	answer := ann.gives(page, "daily", map[string]string{"word": word, "at": at})
	again := ann.do(http.MethodPost, page+"/table", struct{}{})
	found.reads("the page", again.Body.Bytes())
	if len(found.found) == 0 {
		t.Errorf("the best play %s %s isn't on the page of who found it: %s %s", at, word, answer.Body, again.Body)
	}
	for _, path := range []string{page, board} {
		hunt.reads("the table for nobody, once Ann has found it", stranger.do(http.MethodPost, path+"/table", struct{}{}).Body.Bytes())
	}
	for _, found := range hunt.found {
		t.Error(found)
	}
}

// bestOf is the play that scores most on a page's board.
func (h *house) bestOf(s bot.Sight) (word, at string) {
	h.t.Helper()
	tiles := h.equipment.Tiles
	read := func(letters string) game.Tiles {
		ts, err := tiles.Parse(letters)
		if err != nil {
			h.t.Fatal(err)
		}
		return ts
	}
	var b game.Board
	for i, letter := range s.Board {
		if letter != "" {
			b.Lay(game.Move{Kind: game.PlayTiles, At: game.Square{Row: i / s.Size, Col: i % s.Size}, Tiles: read(letter)})
		}
	}
	g, err := movegen.New(h.lexicon, h.equipment, game.Classic())
	if err != nil {
		h.t.Fatal(err)
	}
	play := slices.MaxFunc(g.Plays(&b, read(strings.Join(s.Own.Rack, ""))), func(x, y movegen.Play) int { return int(x.Score - y.Score) })
	best := play.Move()
	tally, err := game.Classic().Tally(h.equipment, &b, best)
	if err != nil {
		h.t.Fatal(err)
	}
	return strings.ToUpper(tiles.Alphabet().String(tally.Words[0].Letters())), best.At.At(best.Dir)
}

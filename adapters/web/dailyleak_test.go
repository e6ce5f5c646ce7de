package web_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/lexicon"
)

// linked matches the addresses in a response.
var linked = regexp.MustCompile(`(?:href|src|content|link|"before|"after)"?[=:]\s*"(?:https://play\.example\.org)?(/[^"\s]*)"`)

// A hunter crawls everything a host serves, and searches it for secrets.
type hunter struct {
	forms []string // spellings of the secret
	words []string // searched alone, if too long to occur by chance
	seen  map[string]bool
	found []string
}

// seeks adds a play to the secrets.
func (h *hunter) seeks(word, at string) {
	h.words = append(h.words, word)
	h.forms = append(h.forms, at+" "+word, word+" "+at, word+" at "+at, strings.ToLower(word+" "+at))
}

func (h *hunter) reads(where string, body []byte) {
	for _, form := range h.forms {
		if bytes.Contains(body, []byte(form)) {
			h.found = append(h.found, fmt.Sprintf("%s has %q", where, form))
		}
	}
	for _, word := range h.words {
		if len(word) >= 6 && bytes.Contains(body, []byte(word)) && regexp.MustCompile(`\b`+word+`\b`).Match(body) {
			h.found = append(h.found, fmt.Sprintf("%s has %q", where, word))
		}
	}
}

// crawls reads a page and everything it links to.
func (h *hunter) crawls(name string, r *reader, path string) {
	if key := name + path; h.seen[key] || strings.HasSuffix(path, "/news") || strings.HasSuffix(path, "/live") && path != "/live" { // endless streams
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

// While a daily board is open, its best play appears in nothing that leaves the host over
// HTTP, for any visitor: no page, answer, picture or header. Nor does it appear in the log or
// the store, of which others may have a backup.
func TestDailyAnswerDoesntLeak(t *testing.T) {
	t.Parallel()
	h := newHouseOf(t, listOfSecrets(t))
	ann := &reader{h: h}
	ann.do(http.MethodPost, "/api/enter", obj{"name": "Ann"})
	line := fmt.Sprintf("/settings for:channel daily:%d:00 zone:UTC", time.Now().UTC().Hour()) // posted at once
	if w := ann.do(http.MethodPost, "/api/say", obj{"stream": "general", "id": "daily-is-set-on", "text": line}); !strings.Contains(w.Body.String(), "is posted here") {
		t.Fatalf("%s: %d %s", line, w.Code, w.Body)
	}
	stranger := &reader{h: h}
	page := ann.do(http.MethodGet, "/d", nil).Header().Get("Location")
	if !strings.HasPrefix(page, "/d/") {
		t.Fatalf("/d leads to %q", page)
	}
	board, _, _ := strings.Cut(page, "~")
	s := ann.sight(page)
	hunt := &hunter{seen: map[string]bool{}}
	firsts := h.bestsOf(s)
	for _, one := range firsts {
		hunt.seeks(one.word, one.at)
	}
	// Ann tries a play that isn't the best, so that there are results and a text to share.
	tried := false
	for _, w := range []string{"AT", "IT", "IS", "AS", "ON", "TO", "RE", "EN", "NE", "ED", "OE", "AE", "UN", "IN", "LA", "DA", "TA", "AR", "ER", "OR"} {
		if tried {
			break
		}
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
	}
	for name, r := range map[string]*reader{"nobody": stranger, "Ann": ann} {
		for _, path := range []string{"/", "/d", page, board, page + "/picture.png", board + "/picture.png", page + "/proof", board + "/proof", "/analyse", "/top", "/live", "/live?part", "/@Ann", "/draws", "/privacy", "/healthz", "/metrics", "/manifest.webmanifest", "/api/me"} {
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
	gametest.Must(t, err)
	hunt.reads("what is stored", kept)
	// A player who finds the play reads it, which shows that the hunter would have found
	// it.
	found := &hunter{words: hunt.words, forms: hunt.forms, seen: map[string]bool{}}
	h.ahead.Add(int64(10 * time.Second)) // refills the request limits
	best := firsts[0]                    // a daily board has only one
	answer := ann.gives(page, "daily", map[string]string{"word": best.word, "at": best.at})
	again := ann.do(http.MethodPost, page+"/table", struct{}{})
	found.reads("the page", again.Body.Bytes())
	if len(found.found) == 0 {
		t.Errorf("the best play %s %s isn't on the page of who found it: %s %s", best.at, best.word, answer.Body, again.Body)
	}
	for _, path := range []string{page, board} {
		hunt.reads("the table for nobody, once Ann has found it", stranger.do(http.MethodPost, path+"/table", struct{}{}).Body.Bytes())
	}
	for _, found := range hunt.found {
		t.Error(found)
	}
}

// quoted matches the words that a script quotes.
var quoted = regexp.MustCompile(`"([a-z]+)"`)

// listOfSecrets returns the words of a list, an eighth of them in a short run, without
// public ones: words quoted in scripts, and HORN, which at 8H is the example in all help.
func listOfSecrets(t *testing.T) *lexicon.Lexicon {
	t.Helper()
	list := gametest.ShippedList(t, "en")
	open := map[string]bool{"horn": true}
	for _, name := range scripts(t) {
		script, err := os.ReadFile(filepath.Join("static", name))
		gametest.Must(t, err)
		for _, m := range quoted.FindAllStringSubmatch(string(script), -1) {
			open[m[1]] = true
		}
	}
	var words []lexicon.Word
	n := 0
	for w := range list.Words() {
		if n++; (gametest.Long() || n%8 == 0 || len(w) == 2) && !open[strings.ToLower(list.Alphabet().String(w))] {
			words = append(words, w)
		}
	}
	list, err := lexicon.New(list.Name(), list.Alphabet(), words)
	gametest.Must(t, err)
	return list
}

// position returns a page's board and rack as a position to move in.
func (h *house) position(s bot.Sight) game.State {
	h.t.Helper()
	tiles := h.equipment.Tiles
	read := func(letters string) game.Tiles {
		ts, err := tiles.Parse(letters)
		gametest.Must(h.t, err)
		return ts
	}
	at := game.State{Phase: game.Playing, Rules: game.Classic(), Equipment: h.equipment, Seats: []game.Seat{{Rack: read(strings.Join(s.Own.Rack, ""))}}}
	for i, letter := range s.Board {
		if letter == "" {
			continue
		}
		plain, isBlank := strings.CutPrefix(letter, "?")
		tile := read(plain).At(0)
		if isBlank {
			tile = game.BlankAs(tile.Letter())
		}
		at.Board.Put(game.Square{Row: i / s.Size, Col: i % s.Size}, tile)
	}
	return at
}

// A bestPlay is a play with the highest score: its word in capitals, and its square.
type bestPlay struct{ word, at string }

// bestsOf returns the plays with the highest score on a page's board. A round of a game may
// have several.
func (h *house) bestsOf(s bot.Sight) (all []bestPlay) {
	h.t.Helper()
	position := h.position(s)
	g, err := movegen.New(h.lexicon, h.equipment, position.Rules)
	gametest.Must(h.t, err)
	plays := g.Plays(&position.Board, position.Seats[0].Rack)
	most := slices.MaxFunc(plays, func(x, y movegen.Play) int { return int(x.Score - y.Score) }).Score
	for _, play := range plays {
		if play.Score < most {
			continue
		}
		m := play.Move()
		tally, err := position.Rules.Tally(h.equipment, &position.Board, m)
		gametest.Must(h.t, err)
		all = append(all, bestPlay{strings.ToUpper(h.equipment.Tiles.Alphabet().String(tally.Words[0].Letters())), m.At.At(m.Dir)})
	}
	return all
}

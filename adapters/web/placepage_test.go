package web_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
)

// A finished game in a channel is on its players' pages and on the list of players, which
// are public if the door is open. People who have left the leaderboards have no page, and
// running games are on the live page.
func TestPublicPages(t *testing.T) {
	h := newHouse(t)
	ann, bob, nobody := h.enters("Ann"), h.enters("Bob"), &reader{h: h}
	page := func(r *reader, path string) (int, string) {
		w := r.do("GET", path, nil)
		return w.Code, w.Body.String()
	}
	wants := func(r *reader, path string, code int, parts ...string) {
		t.Helper()
		got, body := page(r, path)
		for _, part := range parts {
			if !strings.Contains(body, part) {
				t.Errorf("%s lacks %q:\n%s", path, part, body)
			}
		}
		if got != code {
			t.Errorf("%s: %d, want %d", path, got, code)
		}
	}
	wants(nobody, "/top", 200, "Nobody is on the leaderboard yet")
	wants(nobody, "/@Ann", 404)
	wants(nobody, "/nothing", 404)
	wants(nobody, "/live", 200, "No game is being played just now")
	ann.says("/new seats:2")
	bob.says("/join")
	wants(nobody, "/live", 200, "Ann", "Bob", `href="/g/`)
	for _, path := range []string{"/live", "/live?part"} {
		german := httptest.NewRequest("GET", "http://localhost:8080"+path, nil)
		german.Header.Set("Accept-Language", "de")
		if got := newRecorder(h, german).Body.String(); !strings.Contains(got, " beginnt") {
			t.Errorf("%s tells a German reader the last move in another language:\n%s", path, got)
		}
	}
	// Whole racks lie that nobody challenges, the first across and four down through it, and six
	// scoreless turns end the game.
	var across []string
	for n := 0; h.state().End == nil; n++ {
		s := h.state()
		seat := s.Seats[s.Turn]
		who := ann
		if strings.HasPrefix(seat.Person.Name, "Bob") {
			who = bob
		}
		rack := strings.Split(s.Equipment.Tiles.Print(seat.Rack), "")
		for i, tile := range rack {
			rack[i] = strings.Replace(tile, "?", "?A", 1)
		}
		switch {
		case n == 0:
			across = rack
			who.says("/play " + strings.Join(rack, "") + " 8h")
		case n <= 4:
			begins := strings.TrimPrefix(across[2*(n-1)], "?")
			who.says("/play " + begins + strings.Join(rack, "") + " " + "HJLN"[n-1:n] + "8")
		default:
			who.says("/pass sure:yes")
		}
	}
	s := h.state()
	anns, bobs := "1500", "1500"
	for i, seat := range s.Seats {
		if other := s.Seats[1-i]; seat.Score != other.Score {
			rating := map[bool]string{true: "1662", false: "1338"}[seat.Score > other.Score]
			if strings.HasPrefix(seat.Person.Name, "Ann") {
				anns = rating
			} else {
				bobs = rating
			}
		}
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if code, _ := page(nobody, "/@Ann"); code == 200 || time.Now().After(deadline) {
			break
		}
	}
	wants(nobody, "/@Ann", 200, `href="/@Bob"`, "Opponents", anns, `href="/g/`)
	wants(nobody, "/@ann", 200)
	wants(nobody, "/top", 200, `href="/@Ann"`, anns+"?", bobs+"?")
	wants(nobody, "/live", 200, "No game is being played just now")
	bob.says("/top me:out")
	wants(nobody, "/@Bob", 404)
	_, body := page(nobody, "/@Ann")
	_, top := page(nobody, "/top")
	if strings.Contains(body+top, "Bob") || !strings.Contains(body, "somebody") {
		t.Errorf("Bob, who left the leaderboards, is on Ann's page or on the list:\n%s\n%s", body, top)
	}

	h.stop()
	h.door = web.DoorInvite
	h.start()
	for _, path := range []string{"/top", "/@Ann", "/live", "/live?part"} {
		wants(nobody, path, 403)
		wants(ann, path, 200)
	}
}

// Each public page loads at most 100 kB in total.
func TestPagesAreLight(t *testing.T) {
	h := newHouse(t)
	for _, path := range []string{"/top", "/live", "/analyse"} {
		seen, total := map[string]bool{}, 0
		var load func(path string)
		load = func(file string) {
			if seen[file] {
				return
			}
			seen[file] = true
			plain, packed := get(h, file, ""), get(h, file, "gzip")
			if plain.Code != 200 {
				t.Fatal(file, plain.Code)
			}
			total += packed.Body.Len()
			for _, m := range needs.FindAllStringSubmatch(plain.Body.String(), -1) {
				for _, next := range m[1:] {
					if name, ok := strings.CutPrefix(next, "./"); ok {
						next = "/static/" + name
					}
					if strings.HasPrefix(next, "/static/") {
						load(next)
					}
				}
			}
		}
		load(path)
		if total > 100_000 || len(seen) < 5 {
			t.Errorf("%s comes to %d bytes in %d files", path, total, len(seen))
		}
	}
}

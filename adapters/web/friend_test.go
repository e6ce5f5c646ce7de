package web_test

import (
	crand "crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// A person who is alone presses the button for an invitation and sends the link. The friend opens it, gives a
// name and presses one button, and they play, on every kind of door.
func TestInvitedFriendPlays(t *testing.T) {
	for _, door := range []web.Door{web.DoorOpen, web.DoorInvite} {
		t.Run(string(door), func(t *testing.T) {
			browser := chromium(t)
			h := newHouse(t)
			h.stop()
			h.door = door
			h.start()
			server := h.serves()
			here := func(link string) string { return strings.Replace(link, "https://play.example.org", server.URL, 1) }
			first, err := web.Invite(t.Context(), h.db.Notes("web"), crand.Reader, time.Now(), web.Invitation{Uses: 1, Life: time.Hour})
			gametest.Must(t, err)
			to := map[web.Door]string{web.DoorOpen: server.URL, web.DoorInvite: here(first)}[door]
			ann := newWindow(t, browser, "Ann", to, 1280, 800)
			if door == web.DoorOpen {
				ann.enters()
			} else {
				ann.sits()
				ann.shows("#home", "Play now")
				ann.click(`#channels a[href="/#general"]`)
				ann.ready()
			}
			ann.tap(`[...document.querySelectorAll("button")].find((b) => b.innerText === "Invite somebody")`)
			ann.wait(`document.querySelector(".door [role=status]").innerText.includes("http")`)
			link := eval[string](ann, `document.querySelector(".door [role=status]").innerText.match(/http\S+/)[0]`)
			ann.shows("#messages", "wants to play")

			bob := newWindow(t, browser, "Bob", here(link), 390, 844)
			if door == web.DoorOpen {
				bob.enters()
				bob.tap(`[...document.querySelectorAll("button")].findLast((b) => b.innerText === "Join" && b.checkVisibility())`)
			} else {
				bob.shows(".entry-lead", "Ann invites you to a game.")
				bob.sits()
			}
			for _, w := range []*window{ann, bob} {
				w.shows("#board .caption", "goes first")
				w.wait(`document.querySelectorAll(".rack button").length === 7`)
			}
			if s := h.state(); s.Phase != game.Playing || len(s.Seats) != 2 {
				t.Errorf("the game is in phase %v with %d seats", s.Phase, len(s.Seats))
			}
			ann.quiet("")
			bob.quiet("")
		})
	}
}

// sits fills in the door of an invitation.
func (w *window) sits() {
	w.t.Helper()
	w.wait(`document.getElementById("name")`)
	w.click("#name")
	w.types(w.name)
	w.key("Enter")
}

// While one person plays a robot, the next newcomer has a button to play too.
func TestSecondNewcomerCanPlay(t *testing.T) {
	browser := chromium(t)
	h := newHouse(t)
	server := h.serves()
	ann := newWindow(t, browser, "Ann", server.URL, 1280, 800)
	ann.enters()
	ann.sends("/new robots:casual")
	ann.wait(`document.querySelectorAll(".rack button").length === 7`)
	for _, size := range [][2]int64{{1280, 800}, {390, 844}, {844, 390}} {
		name := map[int64]string{1280: "Bob", 390: "Carl", 844: "Dora"}[size[0]]
		w := newWindow(t, browser, name, server.URL, size[0], size[1])
		w.enters()
		w.shows("#board .players", "Ann")
		w.shows("#watching", "Play a robot")
		w.inView("#watching .button")
		w.click("#watching .button.primary")
		w.wait(`location.pathname.startsWith("/g/") && document.querySelectorAll(".rack button").length === 7`)
		w.quiet("")
	}
}

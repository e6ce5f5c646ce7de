package people_test

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
)

// /privacy explains what is kept, by whom, and how to delete it. The table lists every
// shelf of the host.
func TestPrivacyListsEveryShelf(t *testing.T) {
	w := newWorld(t, func(c *host.Config) { c.URL, c.Contact = "https://play.example.org", "keeper@example.org" })
	r := w.Does(bot.User{ID: "test:ann", Name: "Ann"}, "/privacy")
	if said := r.Text.String(); r.Refused || !strings.Contains(said, "keeper@example.org") || !strings.Contains(said, "/data delete") {
		t.Errorf("Ann is told %q", said)
	}
	if len(r.Buttons) != 2 || r.Buttons[0].Link != "https://play.example.org/privacy" {
		t.Errorf("the buttons are %+v", r.Buttons)
	}
	listed := map[string]bool{}
	for _, k := range w.Host.Keeps() {
		if k.By == "" || k.Why == "" || k.Whose == "" || k.Until == "" {
			t.Errorf("%+v leaves something out", k)
		}
		listed[k.Shelf] = true
	}
	for _, l := range w.Host.Shelves() {
		if !listed[l.Name] {
			t.Errorf("the shelf %q is kept, and not listed", l.Name)
		}
	}
}

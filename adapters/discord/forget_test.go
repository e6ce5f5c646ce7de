package discord_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestForgetErasesPersonsRows checks that a forgotten person's rows are erased, and their name in the
// lines to which posts will fold, and that other people's data stays.
func TestForgetErasesPersonsRows(t *testing.T) {
	w := newDiscord(t)
	w.build(discord.Config{}, w.store)
	ann, former := bot.User{ID: "discord:41", Name: "Ann"}, bot.User{ID: "former:1", Name: "former player"}
	for row, value := range map[string]string{
		"direct/41": "77", "direct/42": "78", "closed/41": "\x01", "closed/42": "\x01", "left/user/41": "2026-08-24T10:00:00Z",
		"last/77/5": `{"v":1,"key":"k","message":"9","line":[{"Text":"An earlier rack of yours."}]}`,
		"last/5":    `{"v":1,"key":"k","message":"9","line":[{"Text":"Ann","Person":"discord:41"},{"Text":" played (Ann 12, Anna 7)"}],"folding":{"v":1,"key":"j","message":"8","line":[{"Text":"Ann passed"}]}}`,
		"last/6":    `{"v":1,"key":"k","message":"9","line":[{"Text":"Anna passed"}]}`,
	} {
		shelf, key, _ := strings.Cut(row, "/")
		gametest.Must(t, w.notes.Put(t.Context(), shelf, key, []byte(value)))
	}
	if kept, err := w.adapter.Platform().Keeper.Kept(t.Context(), ann.ID); err != nil || len(kept) != 3 {
		t.Errorf("kept: %v, %v", kept, err)
	}
	for range 2 {
		gametest.Must(t, w.adapter.Platform().Keeper.Forget(t.Context(), ann, former))
	}
	for row, want := range map[string]string{
		"direct/41": "", "direct/42": "78", "closed/41": "", "closed/42": "\x01", "last/77/5": "", "left/user/41": "",
	} {
		shelf, key, _ := strings.Cut(row, "/")
		if got, err := w.notes.Get(t.Context(), shelf, key); err != nil || string(got) != want {
			t.Errorf("%s is %q, want %q (%v)", row, got, want, err)
		}
	}
	line, _ := w.notes.Get(t.Context(), "last", "5")
	if s := string(line); strings.Contains(s, "discord:41") || strings.Contains(s, `"Ann`) || strings.Contains(s, "Ann ") ||
		!strings.Contains(s, "former player 12, Anna 7") || !strings.Contains(s, "former player passed") {
		t.Errorf("the line is %s", s)
	}
	if other, _ := w.notes.Get(t.Context(), "last", "6"); !strings.Contains(string(other), "Anna passed") {
		t.Errorf("another's line is %s", other)
	}
	if err := w.adapter.Platform().Keeper.Forget(context.Background(), bot.User{ID: "web:x", Name: "Anna"}, former); err != nil {
		t.Errorf("somebody of another platform: %v", err)
	}
}

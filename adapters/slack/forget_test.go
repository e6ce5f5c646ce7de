package slack_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestForgetErasesPersonsRows checks that a forgotten person's rows are erased, and their name in the
// lines to which posts will fold, and that other people's data stays.
func TestForgetErasesPersonsRows(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	notes := w.db.Notes(slack.Platform)
	gone, former := bot.User{ID: "slack:T9/U41", Name: "Quixotina"}, bot.User{ID: "former:1", Name: "former player"}
	for _, row := range [][3]string{
		{"direct", "slack:T9/U41", "D77"}, {"direct", "slack:T9/U42", "D78"}, {"homes", "slack:T9/U41", "\x01"},
		{"last", "slack:T9/D77\nslack:T9/C5", `{"v":1,"key":"k","ts":"9","line":[{"Text":"An earlier rack of yours."}]}`},
		{"last", "slack:T9/C5", `{"v":1,"key":"k","ts":"9","line":[{"Text":"Quixotina","Person":"slack:T9/U41"},{"Text":" (Quixotina 12)"}],"folding":{"v":1,"key":"j","ts":"8","line":[{"Text":"Quixotina passed"}]}}`},
		{"last", "slack:T9/C6", `{"v":1,"key":"k","ts":"9","line":[{"Text":"Bob passed"}]}`},
	} {
		gametest.Must(t, notes.Put(t.Context(), row[0], row[1], []byte(row[2])))
	}
	if kept, err := w.adapter.Kept(t.Context(), gone.ID); err != nil || len(kept) != 3 {
		t.Errorf("kept: %v, %v", kept, err)
	}
	for range 2 {
		gametest.Must(t, w.adapter.Forget(t.Context(), gone, former))
	}
	for _, shelf := range []string{"direct", "homes", "last"} {
		rows, err := notes.Scan(t.Context(), shelf, "", "", 1000)
		gametest.Must(t, err)
		for _, r := range rows {
			if s := r.Key + string(r.Value); strings.Contains(s, "U41") || strings.Contains(s, "D77") || strings.Contains(s, "Quixotina") {
				t.Errorf("still there, on %s: %s", shelf, s)
			}
		}
	}
	if line, _ := notes.Get(t.Context(), "last", "slack:T9/C5"); strings.Count(string(line), "former player") != 3 {
		t.Errorf("the line is %s", line)
	}
	if d, _ := notes.Get(t.Context(), "direct", "slack:T9/U42"); string(d) != "D78" {
		t.Errorf("another's direct messages: %q", d)
	}
	if other, _ := notes.Get(t.Context(), "last", "slack:T9/C6"); !strings.Contains(string(other), "Bob passed") {
		t.Errorf("another's line is %s", other)
	}
}

// TestForgetClearsSlack checks that nothing of a forgotten person stays on Slack: their home
// page is empty, and the latest rack in their direct messages is deleted.
func TestForgetClearsSlack(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	gametest.Must(t, w.s.OpenHome(ann))
	w.slash(ann, "/rackmate", "settings dm:on")
	w.deal("")
	w.await("Ann's rack, in private and on her page", func() bool {
		v, _ := w.s.Home(ann)
		return len(w.s.Direct(ann)) > 0 && slices.Contains(slacktest.Labels(v.Blocks), "Shuffle")
	})
	w.adapter.Wait()
	id := bot.PlayerID("slack:" + slacktest.Team + "/" + ann)
	gametest.Must(t, w.adapter.Forget(t.Context(), bot.User{ID: id, Name: "Ann"}, bot.User{ID: "former:1", Name: "former player"}))
	if v, _ := w.s.Home(ann); slices.Contains(slacktest.Labels(v.Blocks), "Shuffle") || strings.Contains(v.Text(), "Settings") {
		t.Errorf("the page still says %s", v.Text())
	}
	for _, m := range w.s.Direct(ann) {
		if len(slacktest.Labels(m.Blocks)) > 0 || m.File != "" {
			t.Errorf("among the direct messages is still %s", m.Said())
		}
	}
}

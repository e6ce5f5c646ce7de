package notify_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/storetest"
)

// beside returns a world next to another process, which calls then after each read of the
// notes.
func beside(t *testing.T, then func(notes bot.Notes, shelf, key string)) *world {
	return newWorld(t, func(c *host.Config) {
		plain := c.Notes
		c.Notes = storetest.BesideNotes{Notes: plain, Then: func(shelf, key string) { then(plain, shelf, key) }}
	})
}

// Two settings that a player changes at two processes at once are both saved.
func TestConcurrentSettingsAreSaved(t *testing.T) {
	theirs := 0
	w := beside(t, func(notes bot.Notes, shelf, key string) {
		if shelf != "settings" {
			return
		}
		theirs++
		if err := notes.Put(t.Context(), shelf, key, fmt.Appendf(nil, `{"v":1,"games":{"%d":"dm"}}`, theirs)); err != nil {
			t.Error(err)
		}
	})
	if r := w.Does(bottest.People["ann"], "/settings ping:silent"); r.Refused {
		t.Fatal(r.Text)
	}
	last := theirs
	for _, got := range featuretest.StoredRows(t, w.Config.Notes, "settings") {
		if !strings.Contains(got, `"ping":"silent"`) || last > 0 && !strings.Contains(got, fmt.Sprintf(`"%d":"dm"`, last)) {
			t.Errorf("there is %s after theirs of game %d", got, last)
		}
	}
}

// A new plan survives if it is made while the previous one is being played.
func TestNewPlanSurvivesOldOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		armed := false
		w := beside(t, func(notes bot.Notes, shelf, prefix string) {
			if shelf != "plans" || !armed || !strings.Contains(prefix, "\x00") {
				return
			}
			armed = false
			keys, err := notes.Keys(t.Context(), "plans")
			if err != nil || len(keys) != 1 {
				t.Errorf("plans %q, %v", keys, err)
				return
			}
			if err := notes.Put(t.Context(), "plans", keys[0], []byte(`{"v":1,"id":"another","name":"Cat","word":"QI","at":"1A"}`)); err != nil {
				t.Error(err)
			}
		})
		defer w.Run()()
		featuretest.Put(t, w.Config.Store, featuretest.Parlour, planTable(t))
		does := func(who, line string) {
			if r := w.Does(bottest.People[who], line); r.Refused {
				t.Fatalf("%s: %s", line, r.Text)
			}
			synctest.Wait()
		}
		does("ann", "/play horn 8h")
		does("cat", "/plan re j8 do:play")
		armed = true
		does("bob", "/pass")
		if armed {
			t.Error("nobody looked at the plans")
		}
		if plans := fmt.Sprint(featuretest.StoredRows(t, w.Config.Notes, "plans")); !strings.Contains(plans, `"id":"another"`) {
			t.Errorf("the plans are %s", plans)
		}
	})
}

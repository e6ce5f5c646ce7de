package slack_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestAcknowledgmentComesEarly checks that an acknowledgment leaves Slack's 3 seconds room for a
// slow network.
func TestAcknowledgmentComesEarly(t *testing.T) {
	if slack.AckTime > 1200*time.Millisecond {
		t.Errorf("Slack waits up to %s", slack.AckTime)
	}
}

// TestAcknowledgedRequestsSurviveCrash checks that acknowledged requests are handled even if the
// power fails right afterwards, because Slack doesn't repeat them.
func TestAcknowledgedRequestsSurviveCrash(t *testing.T) {
	w := &mortal{world: &world{t: t, s: slacktest.New(slacktest.Options{}), file: filepath.Join(t.TempDir(), "rackmate.db"), lexicon: bottest.Small(t)}}
	w.log = &bottest.Log{Told: w.s.Nudge}
	t.Cleanup(w.s.Close)
	w.start()
	w.slash(ann, "/rackmate", "new variant:duplicate")
	lobby := w.post("wants to play")
	const most = 24
	var acknowledged sync.WaitGroup
	for n := range most {
		who := fmt.Sprintf("U9%03d", n)
		w.s.Invent(who, games)
		acknowledged.Go(func() {
			var err error
			switch n % 3 {
			case 0:
				err = w.s.Slash(who, games, "/rackmate", "join")
			case 1:
				err = w.s.Press(who, lobby, "Join", nil)
			case 2:
				err = w.s.Mention(who, games, "", "join")
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	acknowledged.Wait()
	w.kill()
	db, err := bolt.Open(w.file, time.Now)
	gametest.Must(t, err)
	defer db.Close()
	w.db = db
	if n := len(w.state().Seats); n != 1+most {
		t.Errorf("%d people sit at the table, of whom %d were told that they do", n, 1+most)
	}
}

// TestAcknowledgedRequestRunsAfterRestart checks that a slow request, acknowledged before it was handled, is
// handled once after a restart.
func TestAcknowledgedRequestRunsAfterRestart(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.stop()
	payload, err := json.Marshal(w.s.Type(ann, games, "/rackmate", "new seats:2"))
	gametest.Must(t, err)
	row := fmt.Sprintf(`{"v":1,"kind":"slash_commands","payload":%s}`, payload)
	gametest.Must(t, w.memory.Notes(slack.Platform).Put(t.Context(), "taken", slacktest.Team+"/trigger", []byte(row)))
	for range 2 {
		w.start()
		w.post("wants to play")
		w.adapter.Wait()
		if n := len(w.s.Private(ann)); n != 2 { // a notice that the table is being opened, and the answer
			t.Errorf("Ann has been told %d times, want 2", n)
		}
		if rows, err := w.db.Notes(slack.Platform).Keys(t.Context(), "taken"); err != nil || len(rows) > 0 {
			t.Errorf("still noted: %q (%v)", rows, err)
		}
		w.stop()
	}
	w.start()
}

// TestSlowRequestIsRecorded checks that a request that takes longer than Slack waits is
// recorded until it is done.
func TestSlowRequestIsRecorded(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.restartWith(func(d time.Duration) <-chan time.Time {
		if d == slack.AckTime {
			return over()
		}
		return soon(d)
	})
	noted := func() int {
		rows, err := w.db.Notes(slack.Platform).Keys(t.Context(), "taken")
		if err != nil {
			t.Error(err)
		}
		return len(rows)
	}
	w.slow.Lock()
	if err := w.s.Slash(ann, games, "/rackmate", "new seats:2"); err != nil { // it is acknowledged
		t.Fatal(err)
	}
	if n := noted(); n != 1 {
		t.Errorf("%d requests are noted, want 1", n)
	}
	w.slow.Unlock()
	w.post("wants to play")
	w.adapter.Wait()
	if n := noted(); n != 0 {
		t.Errorf("%d requests are still noted", n)
	}
}

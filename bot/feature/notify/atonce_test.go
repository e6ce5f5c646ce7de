package notify_test

import (
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/bottest"
)

// A long turn of duplicate calls each player once who has set how: in the message of the turn, or
// by direct message. Nobody else is called, whichever seat they have, and a short turn calls nobody.
func TestLongTurnsCallPlayersWhoAskedForIt(t *testing.T) {
	cat := bottest.People["cat"]
	for turn, want := range map[string]map[string]int{"10m": {"direct message to Cat": 1, "Bob": 1}, "3m": {}} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.Run()
			w.Does(cat, "/settings ping:dm dm:off")
			w.Does(cat, "/new variant:duplicate turn:"+turn)
			for who, wish := range map[string]string{"ann": "", "bob": "/settings ping:here game:true", "dan": "/settings ping:silent", "eve": "/settings ping:here quiet:0-12 zone:UTC"} {
				w.Does(bottest.People[who], "/join")
				if wish != "" {
					w.Does(bottest.People[who], wish)
				}
			}
			synctest.Wait()
			w.Posts.Take()
			w.Does(cat, "/start")
			long, err := time.ParseDuration(turn)
			if err != nil {
				t.Fatal(err)
			}
			for n := range 3 {
				time.Sleep(30 * time.Second)
				synctest.Wait()
				calls := map[string]int{}
				for _, m := range w.Posts.Take() {
					switch {
					case m.Edit:
					case m.To != nil && strings.Contains(m.Text.String(), "it's your turn"):
						calls["direct message to "+m.To.Name]++
					case m.To == nil:
						for _, s := range m.Text.In(nil) {
							if s.Notify {
								calls[s.Text]++
							}
						}
					}
				}
				if !maps.Equal(calls, want) {
					t.Errorf("turns of %s: turn %d calls %v, want %v", turn, n+1, calls, want)
				}
				time.Sleep(long - 30*time.Second)
			}
		})
	}
}

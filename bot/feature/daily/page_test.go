package daily_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/daily"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/puzzle"
)

// opens returns the page of a daily board as a person sees it.
func (w *world) opens(key string, who bot.User) (daily.Page, error) {
	req := w.Request(who, "daily")
	return boardPages{w.World}.page(w.T.Context(), key, req)
}

// told returns everything that a page says, as it leaves the host.
func told(t *testing.T, d daily.Page) string {
	t.Helper()
	b, err := json.Marshal(d)
	gametest.Must(t, err)
	said := string(b) + d.State.String()
	for _, f := range d.Facts {
		said += f.String()
	}
	return said
}

// A place's day has a page for playing the board and, once it is over, for everybody's results.
// Until then the page doesn't reveal the best play.
func TestDailyPageHidesBestPlay(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		w.Manages(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
		synctest.Wait()
		ann, bob := bottest.People["ann"], bottest.People["bob"]
		pages := boardPages{w.World}
		key, err := pages.todayKey(t.Context(), w.Request(ann, "daily"))
		if err != nil || !strings.HasPrefix(key, "68-") || !strings.Contains(key, "~") {
			t.Fatalf("today's page is %q (%v)", key, err)
		}
		for _, forged := range []string{"", "68", "68-nothing", "069-en", "69-" + featuretest.TextBetween(key, "-", "~"), "-1-en", key + "x", strings.Replace(key, "68", "67", 1), key[:len(key)-4] + "AAAA"} {
			if _, err := w.opens(forged, ann); !errors.Is(err, bot.ErrNoTable) {
				t.Errorf("%q opens something (%v)", forged, err)
			}
		}
		open, err := w.opens(key, ann)
		if err != nil || open.Over || open.Left != 6 || open.Sight.Own == nil || !open.Sight.Own.Turn {
			t.Fatalf("the page is %+v (%v)", open, err)
		}
		w.Tries(ann, 0)
		after, err := w.opens(key, ann)
		if err != nil || after.Left > 5 || len(after.Tries) != 1 || after.Share == "" {
			t.Errorf("after a try it is %+v (%v)", after, err)
		}
		stranger, err := w.opens(key, bot.User{})
		if err != nil || stranger.Left != 0 || len(stranger.Tries) != 0 || stranger.Sight.Own.Turn {
			t.Errorf("a stranger sees %+v (%v)", stranger, err)
		}
		// Where a name is enough to come in, strangers' tries are judged before they give one, and
		// nothing is kept.
		comes := bot.Visit{Key: key, Request: w.Request(bot.User{}, "daily"), MayEnter: true}
		if taste, err := featuretest.AskAt[daily.Page](w.World, "/d/{key}/table", comes, struct{}{}); err != nil || !taste.Stranger || taste.Left != 6 || !taste.Sight.Own.Turn {
			t.Errorf("whoever may come in sees %+v (%v)", taste, err)
		}
		judged := slices.ContainsFunc(w.Plays(ann), func(play string) bool {
			word, at, _ := strings.Cut(play, " ")
			reply, err := featuretest.AskAt[bot.Reply](w.World, "/d/{key}/act", comes, map[string]any{"id": "t1", "command": "daily", "args": map[string]string{"word": word, "at": at}})
			gametest.Must(t, err)
			return !reply.Refused && strings.Contains(reply.Text.String(), " scores ")
		})
		if !judged {
			t.Error("no try without a name is judged")
		}
		if reply, err := featuretest.AskAt[bot.Reply](w.World, "/d/{key}/act", comes, map[string]any{"id": "t2", "command": "daily", "args": map[string]string{"word": "qqq", "at": "8h"}}); err != nil || !reply.Refused {
			t.Errorf("nonsense is answered %+v (%v)", reply, err)
		}
		all, err := w.opens(featuretest.TextBetween("\x00"+key, "\x00", "~"), bottest.People["dan"])
		if err != nil || all.Over {
			t.Errorf("the board's own page is %+v (%v)", all, err)
		}
		var no *bot.PageError
		if _, err := pages.file(t.Context(), key, "proof"); !errors.As(err, &no) {
			t.Errorf("there is a proof while the board is open (%v)", err)
		}
		said := []string{told(t, open), told(t, after), told(t, stranger), told(t, all)}

		time.Sleep(24 * time.Hour)
		synctest.Wait()
		w.Tries(bob, 1) // on the next board
		over, err := w.opens(key, bob)
		if err != nil || !over.Over || len(over.Plays) < 2 || len(over.Facts) == 0 || over.After == "" || !over.Proof {
			t.Fatalf("once it is over it is %+v (%v)", over, err)
		}
		if len(over.Results) != 1 || over.Results[0].Name != ann.Name || over.Results[0].Own {
			t.Errorf("those who played: %+v", over.Results)
		}
		if mine, _ := w.opens(key, ann); len(mine.Tries) != 1 || !mine.Results[0].Own {
			t.Errorf("Ann sees %+v", mine.Results)
		}
		for _, s := range said {
			if strings.Contains(s, over.Plays[0].Play) && after.Tries[0].Level != 0 {
				t.Errorf("%s is in %s", over.Plays[0].Play, s)
			}
		}
		if over.Plays[0].Score < over.Plays[1].Score+puzzle.Lead {
			t.Errorf("the best plays are %v", over.Plays)
		}
		for _, square := range over.Plays[0].Squares {
			if over.Sight.Board[square] == "" || !slices.Contains(over.Sight.Fresh, square) {
				t.Errorf("the best play isn't on the board")
			}
		}
		file, err := pages.file(t.Context(), key, "proof")
		gametest.Must(t, err)
		if proof, err := puzzle.ParseProof(file.Data); err != nil || !strings.Contains(proof.Position, over.Plays[0].Play) {
			t.Errorf("the proof is %s (%v)", file.Data, err)
		}
		// The page of the board for all places counts the players but names nobody.
		if all, err := w.opens(featuretest.TextBetween("\x00"+key, "\x00", "~"), bottest.People["dan"]); err != nil || !all.Over || len(all.Results) != 0 || len(all.Facts) == 0 || len(all.Plays) < 2 {
			t.Errorf("the board's own page, once it is over, is %+v (%v)", all, err)
		}
		// It doesn't reveal the answer either to a person with tries left for the same board in
		// another place.
		if d, err := w.opens(over.After, ann); err != nil || d.Over || d.Before != key {
			t.Errorf("the day after is %+v (%v)", d, err)
		}
	})
}

// TestTodayHidesPlaceAtEachFault checks that /d never leads visitors to the day of a place that they
// can't read, whichever call of the store fails.
func TestTodayHidesPlaceAtEachFault(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		f := &featuretest.Fault{}
		w := newWorld(t, f.Befalls)
		w.Run()
		w.Manages(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
		synctest.Wait()
		visit := bot.Visit{Request: w.Request(bottest.People["ann"], "daily"), Reads: func(bot.ChannelID) bool { return false }}
		failed := 0
		for call := 1; ; call++ {
			f.Arm(call)
			page, err := w.Page("/d", visit)
			hit := f.Hit()
			f.Arm(0)
			if strings.Contains(page.Go, "~") {
				t.Errorf("when call %d fails (%s), /d leads to %s (%v)", call, hit, page.Go, err)
			}
			if err != nil {
				failed++
			}
			if hit == "" {
				if err != nil || !strings.HasPrefix(page.Go, "/d/68-") || failed == 0 {
					t.Errorf("without a fault /d leads to %s (%v), after %d errors", page.Go, err, failed)
				}
				return
			}
		}
	})
}

// A draft of a play shows its score, but not whether its words are valid.
func TestDailyDraftHidesValidity(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		ann := bottest.People["ann"]
		pages := boardPages{w.World}
		key, err := pages.todayKey(t.Context(), w.Request(ann, "daily"))
		gametest.Must(t, err)
		for _, play := range w.Plays(ann) {
			d, err := pages.draft(t.Context(), key, w.Request(ann, "daily "+play))
			if err != nil || d.Problem != "" || d.Score == 0 || slices.ContainsFunc(d.Words, func(w bot.DraftWord) bool { return w.Invalid }) {
				t.Errorf("%s is %+v (%v)", play, d, err)
			}
		}
		if d, err := pages.draft(t.Context(), key, w.Request(ann, "daily qqqqqq 8h")); err != nil || d.Problem == "" {
			t.Errorf("what can't be laid is %+v (%v)", d, err)
		}
	})
}

// Sites show the board beside a link to its page if the host draws. The picture has a description,
// and unknown pages cause no error.
func TestDailyLinkHasPicture(t *testing.T) {
	for name, draws := range map[string]bool{"a host that draws": true, "a host without a renderer": false} {
		t.Run(name, func(t *testing.T) {
			featuretest.InSpring(t, func(t *testing.T) {
				w := newWorld(t, func(c *host.Config) {
					if draws {
						featuretest.Pictures(t)(c)
					}
				})
				w.Run()
				pages := boardPages{w.World}
				key, err := pages.todayKey(t.Context(), w.Request(bottest.People["ann"], "daily"))
				gametest.Must(t, err)
				p, err := pages.file(t.Context(), key, "picture.png")
				switch {
				case !draws && !errors.Is(err, bot.ErrNoPicture):
					t.Errorf("it has the picture %v (%v)", p, err)
				case draws && (err != nil || len(p.Data) == 0 || p.Alt.String() == ""):
					t.Errorf("the picture is %+v (%v)", p, err)
				}
				if _, err := pages.file(t.Context(), "68-nothing", "picture.png"); !errors.Is(err, bot.ErrNoTable) {
					t.Errorf("a page that is none: %v", err)
				}
			})
		})
	}
}

// On platforms without accounts of ours a link signs the page's owner in, once and for ten minutes.
func TestDailyPassSignsInOnce(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t, func(c *host.Config) { c.URL = "https://play.example.org" })
		w.Run()
		ann := bottest.People["ann"]
		link := func() (key, pass string) {
			for _, b := range w.Does(ann, "daily").Buttons {
				if u, err := url.Parse(b.Link); err == nil && b.Link != "" {
					if !strings.HasPrefix(b.Link, "https://play.example.org/d/") {
						t.Errorf("the link is %s", b.Link)
					}
					return strings.TrimPrefix(u.Path, "/d/"), strings.TrimPrefix(u.Fragment, "pass=")
				}
			}
			t.Fatal("there is no link")
			return "", ""
		}
		enter := func(key, pass, want string) {
			t.Helper()
			_, err := w.Enter("/d/{key}", key, pass)
			var no *bot.PageError
			if !errors.As(err, &no) || !strings.Contains(no.Text.String(), want) {
				t.Errorf("entering gives %v, want %q", err, want)
			}
		}
		key, pass := link()
		enter(key, pass+"x", "incomplete")
		enter(key, "", "incomplete")
		if who, err := w.Enter("/d/{key}", key, pass); err != nil || who.ID != ann.ID {
			t.Errorf("the pass is that of %v (%v)", who, err)
		}
		enter(key, pass, "already been used")
		key, pass = link()
		time.Sleep(11 * time.Minute)
		enter(key, pass, "more than ten minutes old")
	})
}

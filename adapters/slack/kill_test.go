package slack_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// These variables make the test program run as a host, in a process that can be killed.
const hostFile, hostSlack = "RACKMATE_TEST_FILE", "RACKMATE_TEST_SLACK"

func TestMain(m *testing.M) {
	if file := os.Getenv(hostFile); file != "" {
		if err := runHost(file, os.Getenv(hostSlack)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	gametest.TempInMemory()
	os.Exit(m.Run())
}

// runHost runs a host on a file, and its adapter, until it is interrupted.
func runHost(file, url string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	db, err := bolt.Open(file, time.Now)
	if err != nil {
		return err
	}
	defer db.Close()
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	var t testing.T // for helpers that can't fail here
	host := newHost(&t, db, bottest.Small(&t), time.Now, log, "", func() bot.Platform { return bot.Platform{Name: slack.Platform, Cards: true, Colleagues: true} })
	a, err := slack.New(slack.Config{
		Host: host, Notes: db.Notes(slack.Platform), AppToken: slacktest.AppToken, BotToken: slacktest.BotToken, API: url, Now: time.Now, Log: log,
	})
	if err != nil {
		return err
	}
	a.SetGap(0)
	a.SetAfter(soon)
	var running sync.WaitGroup
	running.Go(func() { host.Deliver(ctx, slack.Platform, a) })
	running.Go(func() { host.RunTimers(ctx) })
	err = a.Run(ctx)
	running.Wait()
	a.Wait()
	return err
}

// A mortal is a world whose host is another process.
type mortal struct {
	*world
	host *exec.Cmd
}

// start runs the host until kill.
func (m *mortal) start() {
	m.t.Helper()
	program, err := os.Executable()
	gametest.Must(m.t, err)
	m.host = exec.Command(program)
	m.host.Env = append(os.Environ(), hostFile+"="+m.file, hostSlack+"="+m.s.URL)
	m.host.Stderr = m.log
	gametest.Must(m.t, m.host.Start())
	m.await("a connection", func() bool { return m.s.Connected() == 1 })
}

// kill ends the host like a power cut.
func (m *mortal) kill() {
	m.t.Helper()
	if err := m.host.Process.Kill(); err != nil {
		m.t.Error(err)
	}
	_ = m.host.Wait() // returns the error that it was killed
	m.await("the connection to end", func() bool { return m.s.Connected() == 0 })
}

// TestWholeGameWithKills plays a whole game during which the host is killed three times:
// when Slack has a post that the host doesn't know about, while an earlier post is folded,
// and after a command, carried out or not. No post may be lost. If the app may not read the
// channel, posts that Slack had at a kill appear twice, all others once.
func TestWholeGameWithKills(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		scopes []string
		first  int // how often the first post appears
	}{
		{"may read its posts", append(slack.AllScopes(), "channels:history"), 1},
		{"may not read its posts", slack.Scopes(), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			wholeGameWithKills(t, slacktest.Options{Scopes: c.scopes}, c.first)
		})
	}
}

func wholeGameWithKills(t *testing.T, o slacktest.Options, first int) {
	w := &mortal{world: &world{t: t, s: slacktest.New(o), file: filepath.Join(t.TempDir(), "rackmate.db")}}
	w.log = &bottest.Log{Told: w.s.Nudge}
	db := w.data()
	deal(t, db, "HORNSA?", "FARMQI?", "EE")
	gametest.Must(t, db.Close())
	w.start()
	t.Cleanup(func() {
		w.kill()
		w.s.Close()
		for _, c := range w.s.Complaints() {
			t.Errorf("Slack complains: %s", c)
		}
		if t.Failed() {
			t.Logf("the log:\n%s", w.log)
		}
	})
	plays := func(who, play string) {
		t.Helper()
		if got := w.slash(who, "/play", play); !strings.Contains(got.Said(), "Your rack") && !strings.Contains(got.Said(), "You play") {
			t.Fatalf("%s: %s", play, got.Said())
		}
	}

	w.noCards() // the faults are for the boards
	w.s.Fail("chat.postMessage", slacktest.Fault{Hangs: true})
	plays(ann, "horn 8h")
	w.post("plays *HORN*")
	w.kill()
	w.start()

	w.post("plays *HORN*")
	w.await("the first post to be settled", func() bool { return len(w.s.Messages(games)) == first && w.s.Calls("conversations.history") > 0 })
	w.s.Fail("chat.update", slacktest.Fault{Hangs: true})
	plays(bob, "farm 9g")
	w.post("plays *FARM*")
	w.await("the first post being folded", func() bool { return w.s.Calls("chat.update") > 0 })
	w.kill()
	w.start()

	plays(ann, "sea 10h")
	w.await("the post before it to be folded", func() bool {
		return slices.ContainsFunc(w.s.Messages(games), func(m slacktest.Message) bool { return strings.Contains(m.Said(), "Bob played FARM") })
	})
	gametest.Must(t, w.s.Slash(bob, games, "/play", "qi 11g"))
	w.kill()
	w.start()
	if got := w.slash(bob, "/board", "picture"); strings.Contains(got.Said(), "It's Bob's turn") {
		plays(bob, "qi 11g")
	}

	plays(ann, "farme 9g")
	plays(bob, "horn?s 8h")
	last := w.post("last tile")
	w.press(ann, last, "Accept it", nil)
	w.post("Bob wins")
	w.await("all boards but the last to be folded", func() bool {
		open, keys := 0, map[any]bool{}
		all := w.s.Messages(games)
		for _, m := range all {
			keys[keyOf(m)] = true
			if len(slacktest.Labels(m.Blocks)) > 0 {
				open++
			}
		}
		return open == 1+len(all)-len(keys) // of a duplicated post, the host knows one
	})

	var posts []slacktest.Message // the first of each
	times := map[any]int{}
	for _, m := range w.s.Messages(games) {
		if times[keyOf(m)]++; times[keyOf(m)] == 1 {
			posts = append(posts, m)
		}
	}
	words := []string{"HORN", "FARM", "SEA", "QI", "FARME", "HORNS", "Bob wins"}
	if len(posts) != len(words) {
		t.Fatalf("%d different posts, want %d:\n%s", len(posts), len(words), said(w.s.Messages(games)))
	}
	for i, word := range words {
		if !strings.Contains(posts[i].Said(), word) {
			t.Errorf("post %d is %q, want %s", i, posts[i].Said(), word)
		}
		n, ok := times[keyOf(posts[i])], false
		switch word {
		case "HORN":
			ok = n == first
		case "QI": // the host may have been killed between the post and its record
			ok = n <= first
		default:
			ok = n == 1
		}
		if !ok {
			t.Errorf("the post of %s is there %d times", word, n)
		}
	}
}

// keyOf returns the key in a post's metadata.
func keyOf(m slacktest.Message) any {
	payload, _ := m.Metadata["event_payload"].(map[string]any)
	return payload["key"]
}

// deal stores a game of Ann and Bob in which Ann is to move. It contains only the tiles of
// the racks and the bag.
func deal(t *testing.T, db bot.Store, rackAnn, rackBob, bag string) {
	t.Helper()
	var err error
	eq := gametest.Equipment(t)
	var racks []game.Tiles
	for _, text := range []string{rackAnn, rackBob} {
		tiles, err := eq.Tiles.Parse(text)
		gametest.Must(t, err)
		racks = append(racks, tiles)
	}
	kinds := eq.Tiles.Kinds()
	for i := range kinds {
		kinds[i].Count = strings.Count(rackAnn+rackBob+bag, kinds[i].Text)
	}
	if eq.Tiles, err = game.NewTileSet("english", kinds[:len(kinds)-1], kinds[len(kinds)-1]); err != nil {
		t.Fatal(err)
	}
	people := []game.Person{{ID: slack.Platform + ":" + slacktest.Team + "/" + ann, Name: "Ann"}, {ID: slack.Platform + ":" + slacktest.Team + "/" + bob, Name: "Bob"}}
	rules := game.RuleSets()[0]
	rules.Challenge = game.Single
	facts := []game.Fact{
		game.Opened{Rules: rules, Equipment: eq, Lexicon: game.LexiconID{Name: "small", Hash: bottest.Small(t).Hash()}, Host: people[0], Seats: 2},
		game.Joined{Person: people[0]}, game.Joined{Person: people[1]}, game.Started{}, game.Dealt{First: 0, Racks: racks},
	}
	err = db.Update(t.Context(), slack.Platform+":"+slacktest.Team+"/"+games, "deal", func(r *bot.Room) error {
		for i, f := range facts {
			r.Append = append(r.Append, game.Event{Number: i, At: time.Now().UTC(), Cause: fmt.Sprintf("deal-%d", i), Fact: f})
		}
		r.Seated = []game.PlayerID{people[0].ID, people[1].ID}
		return nil
	})
	gametest.Must(t, err)
}

// TestListOfGamesSurvivesKills ends the host when Slack has carried out the request that posts a
// channel's list of games, or the one that edits it, and the host doesn't know yet. The next host must
// leave one list, which is right.
func TestListOfGamesSurvivesKills(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"chat.postMessage", "chat.update"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, slacktest.Options{Scopes: append(slack.AllScopes(), "channels:history")})
			var dead atomic.Bool
			w.among = func(n bot.Notes) bot.Notes { return bottest.MortalNotes{Notes: n, Dead: dead.Load} }
			w.restart(0)
			lists := func() (all []string) {
				for _, m := range w.s.Messages(games) {
					if strings.Contains(m.Said(), "Games here") || strings.Contains(m.Said(), "No game is on here") {
						all = append(all, m.Said())
					}
				}
				return all
			}
			later := func() { // beyond the least time between two edits; a clock that runs while the host works lapses its claims
				w.later(2 * time.Minute)
				w.host.Rouse("")
			}
			had := w.s.Calls(method)
			if method == "chat.postMessage" {
				w.s.Fail(method, slacktest.Fault{Hangs: true})
			}
			w.slash(ann, "/settings", "for:channel overview:on")
			w.await("the list", func() bool { return len(lists()) == 1 })
			if method == "chat.update" {
				w.settled()
				w.s.Fail(method, slacktest.Fault{Hangs: true})
				w.slash(ann, "/new", "seats:2")
				w.settled()
				later()
				w.await("the edit", func() bool { return w.s.Calls(method) > had })
			}
			dead.Store(true)
			w.stop()
			dead.Store(false)
			w.start()
			w.slash(bob, "/new", "seats:2 thread:true")
			for range 2 {
				later()
				w.settled()
			}
			if all := lists(); len(all) != 1 || !strings.Contains(all[0], "Waiting for players: Bob") {
				t.Errorf("there are %d lists: %q", len(all), all)
			}
		})
	}
}

package discord_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// These variables make the test program run as a host, in a process that can be killed.
const hostFile, hostDiscord = "RACKMATE_TEST_FILE", "RACKMATE_TEST_DISCORD"

func TestMain(m *testing.M) {
	if file := os.Getenv(hostFile); file != "" {
		if err := runHost(file, os.Getenv(hostDiscord)); err != nil {
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
	host := host.New(host.Config{
		Features: features.All, Order: features.Order(),
		Store: db, Notes: db.Notes("host"), Equipment: gametest.Equipment(&t), Lexicons: []*lexicon.Lexicon{bottest.Small(&t)},
		DefaultLexicon: "small",
		Renderer:       func(imaging.Theme) *imaging.Renderer { return darkRenderer() },
		Platforms:      func() []bot.Platform { return []bot.Platform{{Name: discord.Platform, Cards: true}} },
		Now:            time.Now, Random: rand.Reader, Log: log,
	})
	a, err := discord.New(discord.Config{Host: host, Notes: db.Notes(discord.Platform), Token: discordtest.Token, API: url, Now: time.Now, Log: log})
	if err != nil {
		return err
	}
	var running sync.WaitGroup
	running.Go(func() { host.Deliver(ctx, discord.Platform, a) })
	running.Go(func() { host.RunTimers(ctx) })
	err = a.Run(ctx)
	running.Wait()
	return err
}

// TestWholeGameWithKills plays a whole game during which the host is killed three times:
// after an answer, before its post; after a command, carried out or not; and between two
// moves. Everything must be posted once.
func TestWholeGameWithKills(t *testing.T) {
	t.Parallel()
	w := newDiscord(t)
	file := filepath.Join(t.TempDir(), "rackmate.db")
	db, err := bolt.Open(file, time.Now)
	gametest.Must(t, err)
	deal(t, db, bot.ChannelID("discord:"+w.channel.ID), game.Single, "EE",
		game.Person{ID: player(w.ann), Name: "Ann"}, "HORNSA?", game.Person{ID: player(w.bob), Name: "Bob"}, "FARMQI?")
	gametest.Must(t, db.Close())
	program, err := os.Executable()
	gametest.Must(t, err)
	var log bottest.Log
	starts := 0
	var host *exec.Cmd
	start := func() {
		host = exec.Command(program)
		host.Env = append(os.Environ(), hostFile+"="+file, hostDiscord+"="+w.d.URL)
		host.Stderr = &log
		gametest.Must(t, host.Start())
		starts++
		w.d.Gateway.Connected(1, 1, starts-1) // the session continues
	}
	kill := func() {
		if err := host.Process.Kill(); err != nil {
			t.Error(err)
		}
		host.Wait()
		w.d.Wait("the gateway notices", func() bool { return len(w.d.Gateway.Shards()) == 0 })
	}
	t.Cleanup(func() {
		kill()
		if t.Failed() {
			t.Logf("the host's log:\n%s", log.String())
		}
	})
	plays := func(u *discordtest.User, word, at string) {
		t.Helper()
		if got := u.Gives(w.channel, "play", "word", word, "at", at).Answer(); !got.Says("Your rack") && !got.Says("You play") {
			t.Fatalf("%s %s: %q", word, at, got.Content)
		}
	}

	start()
	plays(w.ann, "horn", "8h")
	kill()
	start()
	plays(w.bob, "farm", "9g")
	w.channel.Posts(2)
	kill()
	start()
	plays(w.ann, "sea", "10h")
	w.bob.Gives(w.channel, "play", "word", "qi", "at", "11g").Response()
	kill()
	start()
	if got := w.bob.Gives(w.channel, "board", "as", "picture").Answer(); got.Says("It's Bob's turn") {
		plays(w.bob, "qi", "11g")
	}
	plays(w.ann, "farme", "9g")
	plays(w.bob, "horn?s", "8h")
	last := w.channel.Posts(6)[5]
	if !last.Says("last tile") {
		t.Errorf("the last play: %q", last.Content)
	}
	if got := w.ann.Presses(last, "Accept it").Answer(); !got.Says("The game is over") {
		t.Errorf("told %q", got.Content)
	}
	posts := w.channel.Posts(7)
	end := posts[len(posts)-1]
	if !end.Says(" wins") || len(end.Files) != 1 || !slices.Contains(end.Labels(), "Export") {
		t.Errorf("the end: %q %q", end.Content, end.Labels())
	}
	var played []string
	for _, p := range w.channel.Posts(7)[:6] {
		played = append(played, w.folded(p).Content)
	}
	for n, word := range []string{"HORN", "FARM", "SEA", "QI", "FARME", "HORNS"} {
		if !strings.Contains(played[n], "played "+word+" at") {
			t.Errorf("post %d is %q, want %s", n, played[n], word)
		}
	}
	if got := w.eve.Presses(end, "Export").Answer(); len(got.Files) == 0 {
		t.Errorf("exported: %q", got.Content)
	}
}

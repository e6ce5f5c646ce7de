package main

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/bot/store/postgres/pgtest"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

var publicServers = flag.Int("servers", 0, "of TestPublicBot: how many servers have the bot, on 100 shards, such as 250000; without it a few, on 8")

// A publicBot runs four processes on one PostgreSQL, with a Discord of many servers.
type publicBot struct {
	t         *testing.T
	d         *discordtest.Discord
	crew      *crew
	pg        *pgtest.Server
	guilds    []*discordtest.Guild
	games     []publicGame
	shards    int
	ended     time.Duration // processor time of ended processes
	again     atomic.Int64  // moves sent again for lack of an answer
	unwilling sync.Map      // by channel: the latest answer that didn't confirm a move
}

// A publicGame is a game in progress in a channel.
type publicGame struct {
	channel *discordtest.Channel
	mover   *discordtest.User
}

// TestPublicBot runs a day of a public bot, compressed into minutes: many servers on shards over four
// processes, a game with one move in each fiftieth server, 5 % of the servers failing and recovering,
// and processes that stop, are killed and return, so that shards move while people play. Each move
// must be made once and notify the next player once. The test logs the resources of the processes,
// without the stand-in's share:
//
//	go test ./cmd/rackmate -run TestPublicBot -v -timeout 60m -servers 250000
func TestPublicBot(t *testing.T) {
	servers, shards := 400, 8
	switch {
	case *publicServers > 0:
		servers, shards = *publicServers, 100
	case !gametest.Long():
		t.Skip("four processes and a PostgreSQL")
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	b := &publicBot{t: t, d: discordtest.New(excusing{t}), pg: pgtest.Shared(t), shards: shards}
	b.crew = &crew{t: t, url: b.pg.Database(t), hosts: make([]*server, 4), rng: rng, env: onDiscord}
	b.crew.flags = func(string) []string { return []string{"--discord-api", b.d.URL} }
	b.d.Gateway.Recommend(shards)
	b.d.Gateway.RecommendAtOnce(16)
	b.d.Gateway.Greet()
	for range servers {
		b.guilds = append(b.guilds, b.d.Guild("server"))
	}
	db, err := postgres.Open(t.Context(), postgres.Config{URL: b.crew.url, Now: time.Now})
	gametest.Must(t, err)
	defer db.Close()
	b.deal(db)

	b.launch(0, 1, 2, 3)
	t.Cleanup(func() {
		for i := range b.crew.hosts {
			if s := b.crew.take(i); s != nil {
				s.kill()
			}
		}
	})
	memory := b.memory()
	b.connected("in the morning")
	eventually(t, "the commands are registered", func() bool { times, _ := b.d.Registered(); return times > 0 })
	t.Logf("starting and connecting: %v of processors, %.3f ms a server; %s", b.cpu().Round(time.Millisecond), perServer(b.cpu(), servers), b.memoryNow(memory))
	if *publicServers > 0 {
		b.rest(time.Minute)
	}

	spent, database, began := b.cpu(), databaseCPU(b.pg), time.Now()
	for hour := range 24 {
		var moving sync.WaitGroup
		moving.Go(func() { b.move(hour) })
		for range servers / 20 / 24 {
			g := b.guilds[rng.IntN(servers)]
			g.BreaksDown()
			g.ComesBack()
		}
		switch hour {
		case 6:
			b.end(1, (*server).stop)
			b.connected("one process has ended")
		case 12:
			b.launch(1)
			b.connected("it is back")
		case 15:
			if *publicServers > 0 { // its leases expire after ten seconds
				b.end(2, (*server).kill)
				b.connected("one was killed")
				b.launch(2)
			}
		case 18:
			b.end(3, (*server).stop)
			b.connected("another has ended")
			b.launch(3)
		}
		moving.Wait()
	}
	awaitPosts(t, db, "discord")
	t.Logf("the day: %d servers, %d games, in %v; %.3f ms of a processor a server, and %.3f of the database's; %s; %d moves were said again; %d shards resumed",
		servers, len(b.games), time.Since(began).Round(time.Second), perServer(b.cpu()-spent, servers), perServer(databaseCPU(b.pg)-database, servers), b.memoryNow(memory), b.again.Load(), b.d.Gateway.Resumptions())
	b.check(db)
}

// perServer returns a duration divided by the servers, in milliseconds.
func perServer(d time.Duration, servers int) float64 { return d.Seconds() * 1000 / float64(servers) }

// deal starts a game in each fiftieth server.
func (b *publicBot) deal(db *postgres.DB) {
	b.t.Helper()
	eq, err := cli.StandardEquipment()
	gametest.Must(b.t, err)
	lexicon, err := cli.OpenLexicon(cli.DefaultLexicon)
	gametest.Must(b.t, err)
	var racks []game.Tiles
	for _, letters := range []string{"HORNSA?", "FARMQIE"} {
		rack, err := eq.Tiles.Parse(letters)
		gametest.Must(b.t, err)
		racks = append(racks, rack)
	}
	for n := 0; n < len(b.guilds); n += 50 {
		b.games = append(b.games, publicGame{b.guilds[n].Channel("games"), b.d.User(fmt.Sprint("A", n))})
	}
	each(b.games, func(g publicGame) {
		var people []game.Person
		for _, u := range []*discordtest.User{g.mover, b.d.User("B")} {
			people = append(people, game.Person{ID: game.PlayerID("discord:" + u.ID), Name: u.Name})
		}
		facts := []game.Fact{
			game.Opened{Rules: game.RuleSets()[0], Equipment: eq, Lexicon: game.LexiconID{Name: lexicon.Name(), Hash: lexicon.Hash()}, Secret: game.Secret{1, 2, 3}, Host: people[0], Seats: 2},
			game.Joined{Person: people[0]}, game.Joined{Person: people[1]}, game.Started{}, game.Dealt{First: 0, Racks: racks},
		}
		if err := db.Update(b.t.Context(), bot.ChannelID("discord:"+g.channel.ID), "deal-"+g.channel.ID, func(r *bot.Room) error {
			for i, f := range facts {
				r.Append = append(r.Append, game.Event{Number: i, At: time.Now().UTC(), Cause: fmt.Sprintf("deal-%s-%d", g.channel.ID, i), Fact: f})
			}
			r.Seated = []game.PlayerID{people[0].ID, people[1].ID}
			return nil
		}); err != nil {
			b.t.Error(err)
		}
	})
	if b.t.Failed() {
		b.t.FailNow()
	}
}

// each calls do for each game, a few at a time.
func each(games []publicGame, do func(publicGame)) {
	todo := make(chan publicGame)
	var doing sync.WaitGroup
	for range 8 {
		doing.Go(func() {
			for g := range todo {
				do(g)
			}
		})
	}
	for _, g := range games {
		todo <- g
	}
	close(todo)
	doing.Wait()
}

// launch starts processes in their slots.
func (b *publicBot) launch(places ...int) {
	var starting sync.WaitGroup
	for _, i := range places {
		starting.Go(func() { b.crew.launch(i) })
	}
	starting.Wait()
}

// end ends the process in a slot.
func (b *publicBot) end(i int, how func(*server)) {
	s := b.crew.take(i)
	how(s)
	b.crew.mu.Lock()
	defer b.crew.mu.Unlock()
	b.ended += s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()
}

// cpu returns the processor time that the processes have used.
func (b *publicBot) cpu() time.Duration {
	b.crew.mu.Lock()
	defer b.crew.mu.Unlock()
	all := b.ended
	for _, s := range b.crew.hosts {
		if s != nil {
			all += cpu(s.cmd.Process.Pid)
		}
	}
	return all
}

// memory returns the memory of each process in bytes, including the program's text.
func (b *publicBot) memory() (each []int64) {
	b.crew.mu.Lock()
	defer b.crew.mu.Unlock()
	for _, s := range b.crew.hosts {
		if s != nil {
			each = append(each, inMemory(s.cmd.Process.Pid, "VmRSS:"))
		}
	}
	return each
}

// inMemory returns one of Linux's figures about a process's memory.
func inMemory(pid int, what string) int64 {
	status, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	_, rest, _ := bytes.Cut(status, []byte(what))
	fields := strings.Fields(string(rest[:min(len(rest), 40)]))
	if len(fields) == 0 {
		return 0
	}
	kB, _ := strconv.ParseInt(fields[0], 10, 64)
	return kB << 10
}

// memoryNow describes the processes' memory compared with the start.
func (b *publicBot) memoryNow(before []int64) string {
	var out []string
	now := int64(0)
	for _, n := range b.memory() {
		out = append(out, strconv.FormatInt(n>>20, 10))
		now += n
	}
	for _, n := range before {
		now -= n
	}
	return fmt.Sprintf("processes of %s MB, %.2f kB a server more than at their start", strings.Join(out, ", "), float64(now)/1000/float64(len(b.guilds)))
}

// connected waits until all shards are connected.
func (b *publicBot) connected(when string) {
	b.t.Helper()
	began := time.Now()
	eventuallyIn(b.t, 20*time.Minute, when+": all shards are connected", func() bool {
		there := map[int]bool{}
		for _, id := range b.d.Gateway.Shards() {
			there[id] = true
		}
		return len(there) == b.shards
	})
	b.t.Logf("%s: %d shards are connected after %v", when, b.shards, time.Since(began).Round(100*time.Millisecond))
}

// rest logs what the processes use while idle.
func (b *publicBot) rest(how time.Duration) {
	spent, database := b.cpu(), databaseCPU(b.pg)
	time.Sleep(how)
	b.t.Logf("at rest: %.1f %% of a processor, and %.1f %% for the database", 100*float64(b.cpu()-spent)/float64(how), 100*float64(databaseCPU(b.pg)-database)/float64(how))
}

// move makes the moves of an hour, and repeats those without an answer.
func (b *publicBot) move(hour int) {
	var now []publicGame
	for n := hour; n < len(b.games); n += 24 {
		now = append(now, b.games[n])
	}
	each(now, func(g publicGame) {
		for began := time.Now(); ; b.again.Add(1) {
			text, answered := g.mover.Gives(g.channel, "pass", "sure", "true").Within(impatient)
			if answered && !strings.Contains(text, "You pass.") {
				b.unwilling.Store(g.channel.ID, text)
			}
			if answered && !strings.Contains(text, "try again") {
				return
			}
			if time.Since(began) > 5*time.Minute {
				b.t.Errorf("a move was never answered")
				return
			}
		}
	})
}

// check compares the stored events and the posts with the moves of the day: each move was made once
// and notifies the next player once.
func (b *publicBot) check(db *postgres.DB) {
	rung := b.d.MentionCounts()
	passes := map[bot.ChannelID]int{}
	for _, id := range tablesIn(b.t, db, func(bot.ChannelID) bool { return true }) {
		channel, events, err := db.Events(context.Background(), id, -1)
		gametest.Must(b.t, err)
		for _, e := range events {
			switch e.Fact.(type) {
			case game.Passed:
				passes[channel]++
			case game.Ended:
				b.t.Errorf("the game in %s is over", channel)
			}
		}
	}
	lost, twice, moves := 0, 0, 0
	for _, g := range b.games {
		made, calls := passes[bot.ChannelID("discord:"+g.channel.ID)], rung[g.channel.ID]
		moves += made
		if made != 1 {
			said, _ := b.unwilling.Load(g.channel.ID)
			b.t.Errorf("%d moves in %s; the latest answer was %v", made, g.channel.ID, cmp.Or(said, any("that one passes")))
		}
		switch {
		case calls == 0:
			lost++
		case calls > 1:
			twice++
		}
	}
	b.t.Logf("%d moves in %d games: %d calls are lost, %d came twice", moves, len(b.games), lost, twice)
	if lost > 0 || twice > 0 {
		b.t.Error("each move calls once")
	}
}

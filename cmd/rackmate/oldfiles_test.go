package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// testdata/old has data files with everything in them, written by earlier builds and named for their
// commits. a0711184 has no club, competitions or daily boards, because that build didn't either.
// Never rewrite one. To add one of the current build:
//
//	go test ./cmd/rackmate -run TestOldFiles -write-old $(git rev-parse --short=8 HEAD)
//
// writeOldFile creates the contents of a file: add new commands there and delete removed ones. Files
// with data of removed commands must still open.
var writeOld = flag.String("write-old", "", "write a data file of this build, with everything in it, to testdata/old/`NAME`.db.gz")

// fileBegins is the time when people enter the room of a file, and fileEnds the time when its host
// stops.
var (
	fileBegins = time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)
	fileEnds   = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
)

func TestOldFiles(t *testing.T) {
	network := http.DefaultTransport
	http.DefaultTransport = pushService{}
	defer func() { http.DefaultTransport = network }()
	if *writeOld != "" {
		path := filepath.Join(t.TempDir(), "fresh.db")
		synctest.Test(t, func(t *testing.T) { writeOldFile(t, path) })
		b, err := os.ReadFile(path)
		gametest.Must(t, err)
		var packed bytes.Buffer
		z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		_, err = z.Write(b)
		gametest.Must(t, err)
		gametest.Must(t, z.Close())
		gametest.Must(t, os.WriteFile(filepath.Join("testdata/old", *writeOld+".db.gz"), packed.Bytes(), 0o666))
	}
	files, err := filepath.Glob("testdata/old/*.db.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no old files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".db.gz"), func(t *testing.T) {
			f, err := os.Open(file)
			gametest.Must(t, err)
			defer f.Close()
			z, err := gzip.NewReader(f)
			gametest.Must(t, err)
			b, err := io.ReadAll(z)
			gametest.Must(t, err)
			path := filepath.Join(t.TempDir(), "rackmate.db")
			gametest.Must(t, os.WriteFile(path, b, 0o600))
			if status, out, _ := command(t, "", "check", path); status != 0 {
				t.Errorf("check: %s", out)
			}
			synctest.Test(t, func(t *testing.T) { readOldFile(t, path) })
		})
	}
}

// An oldRoom is a host that serves a room from a data file.
type oldRoom struct {
	t      *testing.T
	db     *bolt.DB
	host   *host.Host
	room   *web.Room
	log    bottest.Log
	people map[string]*oldPerson
	asked  int
	pause  func() // stops the host's background work
	stop   func()
}

// An oldPerson is a person's browser in an oldRoom.
type oldPerson struct {
	ID, Cookie, Address string
	in                  *oldRoom
	name                string
}

// openOldRoom serves a data file from a given time on.
func openOldRoom(t *testing.T, path string, from time.Time) *oldRoom {
	t.Helper()
	time.Sleep(time.Until(from))
	r := &oldRoom{t: t, people: map[string]*oldPerson{}}
	db, err := bolt.Open(path, time.Now)
	gametest.Must(t, err)
	log := slog.New(slog.NewTextHandler(&r.log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	c := &serveConfig{url: "https://play.example.org"}
	config, err := c.hostConfig(log)
	gametest.Must(t, err)
	kept := watched{db, newFigures()}
	config.Store, config.Notes, config.Random = kept, kept.Notes(hostNotes), &bottest.Reader{R: rand.NewChaCha8([32]byte{byte(from.Day())})}
	config.Name = "old"
	config.Platforms = func() []bot.Platform { return []bot.Platform{r.room.Platform(), {Name: "elsewhere"}} }
	r.db, r.host = db, host.New(config)
	_, err = c.web.open(c.adapterEnv(r.host, config, kept, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, log))
	gametest.Must(t, err)
	r.room = c.web.room
	ctx, cancel := context.WithCancel(context.Background())
	var loops sync.WaitGroup
	for _, loop := range []func(context.Context) error{
		r.room.Run, r.host.RunTimers,
		func(ctx context.Context) error { return r.host.Deliver(ctx, web.Platform, r.room) },
	} {
		loops.Go(func() {
			if err := loop(ctx); err != nil && ctx.Err() == nil {
				t.Errorf("a loop ended: %v", err)
			}
		})
	}
	r.pause = func() { cancel(); loops.Wait() }
	r.stop = sync.OnceFunc(func() {
		t.Helper()
		r.room.Close()
		r.pause()
		gametest.Must(t, db.Close())
		if strings.Contains(r.log.String(), "level=ERROR") {
			t.Errorf("the log says: %s", &r.log)
		}
	})
	t.Cleanup(r.stop)
	return r
}

// A pushService stands in for browsers' push services.
type pushService struct{}

// RoundTrip accepts a push message.
func (pushService) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusCreated, Body: http.NoBody, Request: req}, nil
}

// settle waits until the host has said everything, and a little longer.
func (r *oldRoom) settle() {
	synctest.Wait()
	time.Sleep(10 * time.Second)
	synctest.Wait()
}

// do sends a request to the room, and reads the answer into out if there is one.
func (p *oldPerson) do(method, path string, in, out any) (status int, text string) {
	p.in.t.Helper()
	b, err := json.Marshal(in)
	gametest.Must(p.in.t, err)
	req := httptest.NewRequest(method, p.in.room.URL+path, bytes.NewReader(b))
	req.RemoteAddr = p.Address + ":4000"
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Cookie", p.Cookie)
	w := httptest.NewRecorder()
	p.in.room.ServeHTTP(w, req)
	for _, c := range w.Result().Cookies() {
		p.Cookie = c.Name + "=" + c.Value
	}
	if w.Code == http.StatusOK && out != nil {
		gametest.Must(p.in.t, json.Unmarshal(w.Body.Bytes(), out))
	}
	return w.Code, w.Body.String()
}

// call sends a request to the room's API that must succeed.
func (p *oldPerson) call(path string, in, out any) {
	p.in.t.Helper()
	if status, text := p.do("POST", "/api/"+path, in, out); status != http.StatusOK {
		p.in.t.Fatalf("%s: %s %v: %d %s", p.name, path, in, status, text)
	}
	p.in.settle()
}

// subscribes lets the person's browser ask for push messages at an endpoint with a name.
func (p *oldPerson) subscribes(name string) {
	p.in.t.Helper()
	key, err := ecdh.P256().NewPrivateKey(bytes.Repeat([]byte{1}, 32))
	gametest.Must(p.in.t, err)
	p.call("push", map[string]any{"endpoint": "https://fcm.googleapis.com/fcm/send/" + name, "keys": map[string]string{
		"p256dh": base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()), "auth": base64.RawURLEncoding.EncodeToString(make([]byte, 16)),
	}}, nil)
}

// links lets the person link who they are in the room with ann elsewhere.
func (p *oldPerson) links() {
	p.in.t.Helper()
	_, code, _ := strings.Cut(p.says("general", "/link").String(), "/link ")
	p.in.elsewhere("ann", "link", map[string]string{"code": strings.Fields(code)[0]})
}

func (r *oldRoom) nextID() string {
	r.asked++
	return fmt.Sprintf("old-%d-%08d", time.Now().Unix(), r.asked)
}

// tries sends a line in a channel and returns the answer.
func (p *oldPerson) tries(stream, line string) said {
	p.in.t.Helper()
	var out struct{ Reply said }
	p.call("say", map[string]string{"stream": stream, "id": p.in.nextID(), "text": line}, &out)
	if testing.Verbose() {
		p.in.t.Logf("%s in %s: %s\n%s", p.name, stream, line, out.Reply)
	}
	return out.Reply
}

// says sends a line in a channel that must be accepted, and returns the answer.
func (p *oldPerson) says(stream, line string) said {
	p.in.t.Helper()
	r := p.tries(stream, line)
	if r.Refused {
		p.in.t.Fatalf("%s in %s: %s: refused: %s\n%s", p.name, stream, line, r, &p.in.log)
	}
	return r
}

// presses presses the button of an answer whose label starts with a text.
func (p *oldPerson) presses(stream string, r said, label string) said {
	p.in.t.Helper()
	for _, b := range r.Buttons {
		if strings.HasPrefix(b.Label, label) {
			var out struct{ Reply said }
			p.call("press", map[string]string{"stream": stream, "id": p.in.nextID(), "button": b.ID}, &out)
			return out.Reply
		}
	}
	p.in.t.Fatalf("%s has no button %q under %s: %+v", p.name, label, r, r.Buttons)
	return said{}
}

// resigns resigns a channel's game.
func (p *oldPerson) resigns(stream string) {
	p.in.t.Helper()
	if r := p.says(stream, "/resign"); len(r.Buttons) > 0 {
		p.presses(stream, r, "Yes")
	}
}

// state returns the current state of a channel's table.
func (r *oldRoom) state(stream string) game.State {
	r.t.Helper()
	_, log, err := r.db.Table(r.t.Context(), bot.ChannelID(web.Platform+":"+stream))
	gametest.Must(r.t, err)
	s, err := game.Replay(log)
	gametest.Must(r.t, err)
	return s
}

// plays makes the best play, or passes, for the player to move in a channel.
func (r *oldRoom) plays(stream string) {
	r.t.Helper()
	s := r.state(stream)
	if s.Phase != game.Playing {
		r.t.Fatalf("nobody is to move in %s: phase %v", stream, s.Phase)
	}
	who := r.who(s.Seats[s.Turn].Person.ID)
	who.says(stream, r.best(s, "/play", s.Seats[s.Turn].Rack))
}

// best returns the command for the best play of a rack.
func (r *oldRoom) best(s game.State, command string, rack game.Tiles) string {
	r.t.Helper()
	list := r.host.Lists().Lexicon(s.Lexicon, s.Equipment.Tiles)
	if list == nil || list.Hash() != s.Lexicon.Hash {
		r.t.Fatalf("the host has lost the word list %v", s.Lexicon)
	}
	g, err := movegen.New(list, s.Equipment, s.Rules)
	gametest.Must(r.t, err)
	all := g.Plays(&s.Board, rack)
	if len(all) == 0 {
		return "/pass sure:yes"
	}
	play := slices.MaxFunc(all, func(a, b movegen.Play) int { return int(a.Score) - int(b.Score) })
	m := play.Move()
	return fmt.Sprintf("%s %s %s", command, table.Spelling(s.Equipment.Tiles, m), m.At.At(m.Dir))
}

// who returns the person with an id of the host.
func (r *oldRoom) who(id game.PlayerID) *oldPerson {
	r.t.Helper()
	for _, p := range r.people {
		if string(id) == web.Platform+":"+p.ID {
			return p
		}
	}
	r.t.Fatalf("nobody is %s", id)
	return nil
}

// games returns the channels of a person's games below another channel.
func (r *oldRoom) games(name, below string) (streams []string) {
	r.t.Helper()
	all, err := r.db.TablesPlayed(r.t.Context(), game.PlayerID(web.Platform+":"+r.people[name].ID))
	gametest.Must(r.t, err)
	for _, id := range all {
		ch, _, err := r.db.Events(r.t.Context(), id, 0)
		gametest.Must(r.t, err)
		if stream := strings.TrimPrefix(string(ch), web.Platform+":"); strings.HasPrefix(stream, below) {
			streams = append(streams, stream)
		}
	}
	return streams
}

// enters brings a person into the room, each from their own address.
func (r *oldRoom) enters(name string) *oldPerson {
	r.t.Helper()
	p := &oldPerson{in: r, name: name, Address: fmt.Sprintf("203.0.113.%d", len(r.people)+1)}
	r.people[name] = p
	var me struct{ ID string }
	link, err := r.room.FirstInvitation(r.t.Context())
	gametest.Must(r.t, err)
	p.call("enter", map[string]string{"name": name, "code": link[strings.LastIndex(link, "/")+1:]}, &me)
	p.ID = me.ID
	return p
}

// writeOldFile lets people use every feature, in a room on a new data file.
func writeOldFile(t *testing.T, path string) {
	r := openOldRoom(t, path, fileBegins)
	ann := r.enters("Ann")
	gametest.Must(t, web.SetKeeper(t.Context(), r.db.Notes(web.Platform), "Ann", true))
	bob, cat, dan := r.enters("Bob"), r.enters("Cat"), r.enters("Dan")
	eve, fay, gus := r.enters("Eve"), r.enters("Fay"), r.enters("Gus")
	r.enters("Hal")
	for _, name := range []string{
		"classic", "over", "clean", "spanish", "robots", "double", "same", "alone", "off", "starter", "waiting",
		"league", "cup", "daily", "game", "week", "quiet",
	} {
		ann.call("channels", map[string]string{"name": name}, nil)
	}

	// Games in progress in all forms, and a finished one.
	two := func(stream, options string) {
		ann.says(stream, "/new seats:2 "+options)
		if r := bob.says(stream, "/join"); strings.Contains(r.String(), "before") && len(r.Buttons) > 0 {
			bob.presses(stream, r, r.Buttons[0].Label)
		}
	}
	two("over", "lexicon:en")
	for range 6 {
		r.plays("over")
	}
	bob.resigns("over")
	two("classic", "lexicon:en challenge:double")
	two("clean", "lexicon:en-clean pace:3d")
	two("spanish", "language:es")
	two("double", "variant:double-bag lexicon:en")
	for _, stream := range []string{"classic", "clean", "spanish", "double"} {
		for range 4 {
			r.plays(stream)
		}
	}
	ann.says("classic", "/note they hold the Q")
	ann.says("over", "/review")
	waits := r.state("classic")
	seat := waits.Seats[1-waits.Turn]
	r.who(seat.Person.ID).says("classic", r.best(waits, "/plan", seat.Rack))
	ann.says("robots", "/new robots:beginner lexicon:en")
	r.settle()
	r.plays("robots")
	ann.says("same", "/new variant:duplicate turn:3d lexicon:en")
	bob.says("same", "/join")
	ann.says("same", "/start")
	r.submits("same", ann)
	ann.says("alone", "/new variant:solitaire lexicon:en")
	r.plays("alone")
	two("off", "variant:unscrabble lexicon:en")
	two("starter", "variant:junior-starter lexicon:en")
	ann.says("waiting", "/new seats:4")
	bob.says("waiting", "/join")

	// A club, and a season of its league with a result and games.
	ann.says("league", "/club join rating:1500 group:school")
	bob.says("league", "/club join")
	bob.says("league", "/club avoid @Cat")
	cat.says("league", "/club join")
	cat.says("league", "/club away until:14d")
	ann.says("league", "/roster Dan,1400 | Hilda Guest,1200")
	ann.says("league", "/league new name:Club pace:1d games:1 lexicon:en")
	for _, p := range []*oldPerson{ann, bob, cat, dan} {
		p.says("league", "/league join")
	}
	eve.says("league", "/league remind")
	ann.says("league", "/league start")
	r.settle()
	stream := r.games("Ann", "league")[0]
	r.plays(stream)
	ann.resigns(stream)
	r.plays(r.games("Bob", "league")[0])
	// Settings of people and places, blocked people, and messages.
	ann.says("general", "/settings for:server challenge:double slow:10s")
	ann.says("quiet", "/settings for:channel rules:club filter:on slow:1h")
	ann.says("general", "/settings ping:silent zone:Europe/London")
	bob.says("general", "/settings dm:off")
	ann.says("general", "/away 3")
	ann.says("general", "/words add rackmate")
	ann.says("general", "/invite 5 7d")
	bob.says("general", "/report @Gus rude")
	bob.says("general", "/block @Fay")
	ann.says("general", "/mute @Gus 7d")
	ann.says("general", "/ban @Hal 30d")
	for _, p := range []*oldPerson{ann, bob, cat} {
		p.says("general", "good morning from "+p.name)
		p.says("general", "@Dan how are you?")
	}
	var direct struct{ ID string }
	ann.call("direct", map[string]string{"person": bob.ID}, &direct)
	ann.says(direct.ID, "good night")
	fay.call("rename", map[string]string{"name": "Faye"}, nil)
	ann.call("read", map[string]any{"stream": "general", "number": 2}, nil)
	ann.call("recovery", struct{}{}, nil)
	ann.subscribes("ann")
	dan.call("wait", map[string]any{"id": r.nextID(), "on": true}, nil)
	ann.links()

	// Daily boards with tries, daily and weekly games, and storms.
	ann.says("daily", "/settings for:channel daily:9:00 zone:Europe/London")
	ann.says("game", "/settings for:channel daily:game zone:Europe/London")
	ann.says("week", "/settings for:channel daily:week zone:Europe/London")
	r.settle()
	for _, p := range []*oldPerson{ann, bob} {
		p.triesDay("daily")
		p.triesDay("game")
		p.triesDay("week")
	}
	cat.says("daily", "/settings daily:call")
	for _, do := range []string{"play", "skip", "end"} {
		r.elsewhere("zoe", "storm", map[string]string{"do": do})
	}
	time.Sleep(time.Until(fileEnds.Add(-10 * time.Minute)))
	for _, p := range []*oldPerson{ann, bob} {
		p.triesDay("daily")
	}

	// A half-played round of a tournament, and a storm in progress.
	time.Sleep(time.Until(fileEnds.Add(-6 * time.Minute)))
	var playing *oldPerson
	ann.says("cup", "/tournament new name:Cup method:swiss rounds:2 clock:15m wait:never lexicon:en")
	for _, p := range []*oldPerson{ann, bob, cat, dan, eve, fay, gus} {
		p.says("cup", "/tournament join")
	}
	ann.says("cup", "/tournament close")
	ann.says("cup", "/tournament pair")
	ann.says("cup", "/tournament start")
	r.settle()
	ann.says("cup", "/tournament result table:1 score:412-377")
	for _, p := range []*oldPerson{ann, bob, dan, eve, fay, gus} {
		answer := p.says("cup", "/tournament")
		if slices.ContainsFunc(answer.Buttons, func(b struct{ ID, Label string }) bool { return b.Label == "Sit down" }) {
			p.presses("cup", answer, "Sit down")
			playing = p
		}
	}
	r.plays(r.games(playing.name, "cup")[0])
	time.Sleep(time.Until(fileEnds.Add(-time.Minute)))
	r.elsewhere("zoe", "storm", nil)
	for platform, shelves := range adapterRows {
		for shelf, rows := range shelves {
			for key, value := range rows {
				gametest.Must(t, r.db.Notes(platform).Put(t.Context(), shelf, key, []byte(value)))
			}
		}
	}
	who, err := json.Marshal(r.people)
	gametest.Must(t, err)
	gametest.Must(t, r.db.Notes("old").Put(t.Context(), "browsers", "all", who))
	r.stop()
}

// submits submits a player's play for a duplicate turn.
func (r *oldRoom) submits(stream string, p *oldPerson) {
	r.t.Helper()
	s := r.state(stream)
	_, rack, _ := strings.Cut(p.says(stream, "/rack").String(), ": ")
	rack, _, _ = strings.Cut(rack, "\n")
	p.says(stream, r.best(s, "/submit", gametest.Tiles(r.t, s.Equipment, strings.ReplaceAll(rack, " ", ""))))
}

// triesDay submits the first play that a daily board accepts.
func (p *oldPerson) triesDay(stream string) {
	p.in.t.Helper()
	for _, word := range strings.Fields("ne no na re or er at an it is es en et ta te as us un in on os ai ae aa el la li to so ho he ha ad ed od de do id be by my am em me mu up op pe go") {
		for _, c := range p.in.host.Complete(p.in.t.Context(), bot.Request{
			Channel: bot.ChannelID(web.Platform + ":" + stream), User: bot.User{ID: game.PlayerID(web.Platform + ":" + p.ID), Name: p.name},
			Command: "daily", Args: map[string]string{"word": word},
		}, "at") {
			if r := p.tries(stream, "/daily "+word+" "+c.Value); !r.Refused {
				return
			}
		}
	}
	p.in.t.Fatalf("%s finds no play in %s: %s", p.name, stream, p.tries(stream, "/daily"))
}

// readOldFile lets people continue everything they left in a data file, and then erases them.
func readOldFile(t *testing.T, path string) {
	r := openOldRoom(t, path, fileEnds)
	_, err := r.host.CheckKept(t.Context())
	gametest.Must(t, err)
	who, err := r.db.Notes("old").Get(t.Context(), "browsers", "all")
	gametest.Must(t, err)
	gametest.Must(t, json.Unmarshal(who, &r.people))
	for name, p := range r.people {
		p.in, p.name = r, name
	}
	lacks, err := r.db.Notes("old").Get(t.Context(), "browsers", "lacks")
	gametest.Must(t, err)
	has := func(part string) bool { return !strings.Contains(string(lacks), part) }
	ann, bob, cat, gus := r.people["Ann"], r.people["Bob"], r.people["Cat"], r.people["Gus"]
	r.settle()

	// Browsers are recognized and see earlier messages; people who were banned or muted still are.
	var me struct{ Me struct{ Name string } }
	if status, text := ann.do("GET", "/api/me", nil, &me); status != http.StatusOK || me.Me.Name != "Ann" {
		t.Errorf("Ann's browser is nobody's: %d %s", status, text)
	}
	r.hears(ann, "general", "good morning from Cat")
	r.hears(ann, "over", "resign")
	if status, _ := r.people["Hal"].do("GET", "/api/me", nil, nil); status == http.StatusOK {
		t.Error("Hal's ban is forgotten")
	}
	var muted struct{ Reply said }
	if status, text := gus.do("POST", "/api/say", map[string]string{"stream": "general", "id": r.nextID(), "text": "hello"}, &muted); status == http.StatusOK && !muted.Reply.Refused {
		t.Errorf("Gus may talk again: %s", text)
	}
	r.wants(ann.says("general", "/settings"), "Europe/London")
	r.wants(ann.says("quiet", "/settings for:channel"), "rules club", "challenge double")
	r.wants(ann.says("classic", "/note"), "they hold the Q")
	if has("club") {
		r.wants(ann.says("league", "/club"), "Ann", "Bob", "Hilda Guest")
	}
	r.wants(bob.says("general", "/stats"), "1")

	// Games continue, and finished ones are still there.
	if files := bob.says("over", "/export").Files; len(files) != 2 {
		t.Errorf("the game that is over is %d files", len(files))
	}
	for _, stream := range []string{"classic", "clean", "spanish", "robots", "double", "alone"} {
		before := r.state(stream).Number
		r.plays(stream)
		if after := r.state(stream).Number; after <= before {
			t.Errorf("in %s nothing is played: %d events", stream, after)
		}
	}
	r.submits("same", bob)
	r.hears(bob, "same", "The rack for turn 2")
	r.takesOff("off")
	r.covers("starter")
	cat.says("waiting", "/join")
	ann.says("waiting", "/start")
	if s := r.state("waiting"); s.Phase != game.Playing || len(s.Seats) != 3 {
		t.Errorf("the table that waited has %d seats in phase %v", len(s.Seats), s.Phase)
	}

	if has("cup") {
		r.endsCup()
	}
	if has("daily") {
		r.endsDays()
	}
	if has("club") {
		r.endsSeason()
	}

	// Everyone's rows are exported, and erased with them. Deliveries are paused meanwhile: a
	// delivery would make the erasure wait until it has slept, and a bubble's clock stands still
	// while something waits for a lock.
	r.pause()
	for _, name := range []string{"Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Ann"} {
		p := r.people[name]
		files := p.says("general", "/data export").Files
		if len(files) != 1 || !strings.Contains(r.unzipped(files[0].Data, "data.json"), name) {
			t.Errorf("%s is given %d files, without what is kept of them", name, len(files))
		}
		p.presses("general", p.says("general", "/data delete"), "Yes")
		r.settle()
	}
	gametest.Must(t, r.db.Notes("old").Put(t.Context(), "browsers", "all", nil))
	gametest.Must(t, r.db.Records(t.Context(), func(record store.Record) error {
		for name, p := range r.people {
			if n, ok := record.(store.Note); ok && name != "Hal" && strings.Contains(n.Key+string(n.Value), p.ID) {
				t.Errorf("%s is forgotten, and %s has a row of %q with %q: %.200s", name, n.Adapter, n.Shelf, n.Key, n.Value)
			}
		}
		return nil
	}))
	r.stop()
	r = openOldRoom(t, path, time.Now())
	r.settle()
	r.stop()
}

// endsCup finishes the tournament in progress.
func (r *oldRoom) endsCup() {
	r.t.Helper()
	ann := r.people["Ann"]
	for name, p := range r.people {
		for _, stream := range r.games(name, "cup") {
			if s := r.state(stream); s.Phase == game.Playing {
				r.plays(stream)
				p.resigns(stream)
			}
		}
	}
	r.hears(ann, "cup", "round 1 of 2 is over")
	ann.says("cup", "/tournament pair")
	ann.says("cup", "/tournament start")
	for table := 1; table <= 3; table++ {
		ann.says("cup", fmt.Sprintf("/tournament result table:%d score:400-300", table))
	}
	ann.says("cup", "/tournament end")
	r.wants(ann.says("cup", "/tournament"), "Cup", "1.")
}

// endsDays tries the day's board, reads its results a day later, and stops the boards.
func (r *oldRoom) endsDays() {
	r.t.Helper()
	ann := r.people["Ann"]
	r.people["Dan"].triesDay("daily")
	time.Sleep(24 * time.Hour)
	r.settle()
	r.wants(ann.says("daily", "/daily do:results"), "Ann", "Bob", "Dan")

	for _, stream := range []string{"daily", "game", "week"} {
		ann.says(stream, "/settings for:channel daily:off")
	}
}

// endsSeason finishes the league's current season and opens the next.
func (r *oldRoom) endsSeason() {
	r.t.Helper()
	ann := r.people["Ann"]
	for _, name := range []string{"Ann", "Bob", "Cat", "Dan"} {
		for _, stream := range r.games(name, "league") {
			r.people[name].resigns(stream)
		}
	}
	r.settle()
	ann.presses("league", ann.says("league", "/league end"), "")
	r.settle()
	r.wants(ann.says("league", "/league"), "season 2")
	r.people["Cat"].says("league", "/league join")
}

// unzipped returns a file of an archive.
func (r *oldRoom) unzipped(archive []byte, name string) string {
	r.t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	gametest.Must(r.t, err)
	f, err := z.Open(name)
	gametest.Must(r.t, err)
	b, err := io.ReadAll(f)
	gametest.Must(r.t, err)
	return string(b)
}

// takesOff removes a tile for the player to move in a game of unscrabble.
func (r *oldRoom) takesOff(stream string) {
	r.t.Helper()
	s := r.state(stream)
	p := r.who(s.Seats[s.Turn].Person.ID)
	for row := range s.Equipment.Layout.Size() {
		for col := range s.Equipment.Layout.Size() {
			sq := game.Square{Row: row, Col: col}
			if s.Board.Tile(sq) != game.NoTile && !p.tries(stream, "/remove "+sq.At(game.Across)).Refused {
				return
			}
		}
	}
	p.says(stream, "/pass sure:yes")
}

// covers covers part of a word for the player to move in a game of junior-starter.
func (r *oldRoom) covers(stream string) {
	r.t.Helper()
	s := r.state(stream)
	p := r.who(s.Seats[s.Turn].Person.ID)
	for _, b := range p.says(stream, "/rack").Buttons {
		if word, _, ok := strings.Cut(b.Label, ": "); ok {
			p.says(stream, "/cover "+strings.ToLower(word))
			return
		}
	}
	p.says(stream, "/pass sure:yes")
}

// wants checks that an answer contains some texts.
func (r *oldRoom) wants(answer said, parts ...string) {
	r.t.Helper()
	for _, part := range parts {
		if !strings.Contains(answer.String(), part) {
			r.t.Errorf("the answer lacks %q: %s", part, answer)
		}
	}
}

// hears checks that a person can read a text in a channel.
func (r *oldRoom) hears(p *oldPerson, stream, part string) {
	r.t.Helper()
	var out struct{ Messages []said }
	p.call("messages", map[string]any{"stream": stream}, &out)
	var all []string
	for _, m := range out.Messages {
		all = append(all, m.String())
	}
	if !strings.Contains(strings.Join(all, "\n"), part) {
		r.t.Errorf("%s doesn't read %q in %s: %s", p.name, part, stream, strings.Join(all, "\n"))
	}
}

// elsewhere sends a command from a person on another platform, where the host can't post.
func (r *oldRoom) elsewhere(who, command string, args map[string]string) {
	r.t.Helper()
	reply := r.host.Handle(r.t.Context(), bot.Request{
		ID: r.nextID(), Channel: "elsewhere:1", Home: "elsewhere:home", User: bot.User{ID: game.PlayerID("elsewhere:" + who), Name: who}, Command: command, Args: args,
	})
	if reply.Refused {
		r.t.Fatalf("elsewhere %s: %s %v: %s", who, command, args, reply.Text)
	}
	r.settle()
}

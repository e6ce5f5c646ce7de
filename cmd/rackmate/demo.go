package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/lexicon"
)

// A demo is a room of robots. They use it as browsers do, over HTTP, and choose their plays
// with the robots' search. Before the room opens, they play for some days on the demo's own
// clock; then they play at a human pace. The same seed gives the same games.
type demo struct {
	seed  uint64
	still bool      // once the room is open, nobody plays and the clock is stopped
	at    time.Time // when it opens; zero means now

	clock demoClock
	mu    sync.Mutex
	bytes *rand.ChaCha8

	host     *host.Host
	config   host.Config
	base     string // the room's address
	random   *rand.Rand
	people   []*demoPerson
	requests int
}

// A demoPerson is a robot who uses the room as a person does.
type demoPerson struct {
	name, level string
	id, cookie  string
}

// player returns the person's id as a player.
func (p *demoPerson) player() bot.PlayerID { return bot.PlayerID(web.Platform + ":" + p.id) }

// demoPeople lists the people of a demo and the levels at which they play. The first is the
// keeper of the room; the first six play in its league.
var demoPeople = []demoPerson{
	{name: "Grace", level: "strong"}, {name: "Ben", level: "medium"}, {name: "Cleo", level: "advanced"}, {name: "Dmitri", level: "casual"},
	{name: "Esme", level: "strong"}, {name: "Farid", level: "medium"}, {name: "Hana", level: "advanced"}, {name: "Ivo", level: "casual"},
}

const (
	demoLeague  = 6                    // people in the league
	demoDays    = 6                    // days before the demo opens
	demoLife    = 365 * 24 * time.Hour // lease of its loops: its clock jumps, and it is alone
	demoTurn    = 40 * time.Second     // between two turns of the past
	demoPace    = 3 * time.Second      // shortest time between two turns, once the room is open
	demoChannel = "league"             // where the league is
	demoThought = 60                   // positions that a person looks at
)

// demoTables lists the channels with games.
var demoTables = []string{"general", "tea-room", "late-night"}

// demoCommand returns the command that serves a demo.
func demoCommand() *cobra.Command {
	d := &demo{}
	var listen string
	c := &cobra.Command{
		Use: "demo [--listen ADDR] [--seed N] [--still]", Short: "a room where robots play, to look at and to try",
		Long:    "serves a room whose people are robots: games under way and over, a league, a daily board. They play on while it runs, and against you if you sit down. Only this computer reaches it, and nothing is kept.",
		Example: "rackmate demo\nrackmate demo --seed 7 --still",
		Args:    cli.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error { return d.run(c.Context(), cli.StdOf(c), listen) },
	}
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:8080", "the `ADDR`ess that the room listens on, of this computer alone")
	c.Flags().Uint64Var(&d.seed, "seed", 1, "the past: the same `N` gives the same games")
	c.Flags().BoolVar(&d.still, "still", false, "let nobody play on, for pictures: the same seed gives the same games")
	return c
}

// run serves the demo until ctx is done.
func (d *demo) run(ctx context.Context, std cli.Std, listen string) error {
	if addr, err := net.ResolveTCPAddr("tcp", listen); err != nil || !onlyHere(addr) {
		return cli.UsageError(fmt.Sprintf("--listen can't be %q: write an address of this computer alone, such as 127.0.0.1:8081", listen))
	}
	dir, err := os.MkdirTemp("", "rackmate-demo")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c := serveConfig{demo: d}
	s := c.settings("demo")
	if err := s.parse([]string{"--listen", listen, "--data", filepath.Join(dir, "demo.db"), "--door", string(web.DoorOpen), "--push", "off"}, nil); err != nil {
		return err
	}
	c.read, c.latest, c.again = s, s, func() (*serveConfig, *settings, error) { return &c, s, nil }
	d.seedChance()
	end := d.at
	if end.IsZero() {
		end = time.Now()
	}
	d.clock.set(end.Add(-demoDays * 24 * time.Hour))
	asked := ctx // done when the demo is asked to stop
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var failed error
	var playing sync.WaitGroup
	defer playing.Wait()
	err = serve(ctx, &c, c.logger(std.Err), func(address string) {
		fmt.Fprintln(std.Err, "The robots play the days before you came; this takes some seconds.")
		if err := d.stage(ctx, end); err != nil {
			failed = fmt.Errorf("prepare the demo: %w", err)
			stop()
			return
		}
		fmt.Fprintf(std.Err, "A demo of Rackmate is at http://%s\nThe people there are robots; sit down with them. Stop with Ctrl-C; nothing is kept.\n", address)
		playing.Go(func() { d.live(ctx, c.logger(std.Err)) })
	})
	if err == nil && asked.Err() == nil {
		return failed
	}
	return err
}

// seedChance makes all chance follow from the seed.
func (d *demo) seedChance() {
	d.bytes = rand.NewChaCha8([32]byte{byte(d.seed), byte(d.seed >> 8), byte(d.seed >> 16), byte(d.seed >> 24), 'd', 'e', 'm', 'o'})
	d.random = rand.New(rand.NewPCG(d.seed, 0))
}

// setHost gives the demo its host, after the host was made.
func (d *demo) setHost(h *host.Host, config host.Config, address string) {
	d.host, d.config, d.base = h, config, "http://"+address
}

// now returns the time of the demo's clock.
func (d *demo) now() time.Time { return d.clock.now() }

// Read reads bytes that follow from the seed.
func (d *demo) Read(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.bytes.Read(p)
}

// A demoClock is stopped at first, and can be set, until it is started.
type demoClock struct {
	mu   sync.Mutex
	at   time.Time
	from time.Time // when it was started; zero while it is stopped
}

func (c *demoClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.from.IsZero() {
		return c.at
	}
	return c.at.Add(time.Since(c.from))
}

// set sets a stopped clock, forward only.
func (c *demoClock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.After(c.at) {
		c.at = at
	}
}

// start starts the clock.
func (c *demoClock) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.from = time.Now()
}

// stage plays the days before end.
func (d *demo) stage(ctx context.Context, end time.Time) error {
	for _, p := range demoPeople {
		if err := d.enter(ctx, p); err != nil {
			return err
		}
	}
	keeper := d.people[0]
	for _, name := range append([]string{demoChannel}, demoTables[1:]...) {
		if err := d.ask(ctx, keeper, "/api/channels", map[string]string{"name": name}, nil); err != nil {
			return err
		}
	}
	for _, line := range []struct{ where, text string }{
		{"general", "/settings for:channel daily:9:00 zone:UTC"},
		{demoChannel, "/league new name:Spring pace:1d"},
	} {
		if err := d.say(ctx, keeper, line.where, line.text); err != nil {
			return err
		}
	}
	for _, p := range d.people[:demoLeague] {
		if err := d.say(ctx, p, demoChannel, "/league join"); err != nil {
			return err
		}
	}
	if err := d.say(ctx, keeper, demoChannel, "/league start"); err != nil {
		return err
	}
	begin := d.now()
	for day := range demoDays {
		d.clock.set(begin.Add(time.Duration(day)*24*time.Hour + 12*time.Hour))
		if err := d.day(ctx, day); err != nil {
			return err
		}
	}
	d.clock.set(end)
	return d.settle(ctx)
}

// day plays a day of the past. Everybody tries the daily board, and the league plays some
// moves. In the first channel a game is played to its end; on the last day a game is left
// unfinished in each channel.
func (d *demo) day(ctx context.Context, day int) error {
	for _, p := range d.people {
		if err := d.tryDaily(ctx, p); err != nil {
			return err
		}
	}
	for i, where := range demoTables {
		a, b := d.people[(day+i)%len(d.people)], d.people[(day+3*i+3)%len(d.people)]
		turns := 60
		if day == demoDays-1 {
			turns = 9 + 4*i
		} else if i > 0 {
			continue
		}
		if err := d.play(ctx, where, a, b, turns); err != nil {
			return err
		}
	}
	for range 5 {
		for _, p := range d.people[:demoLeague] {
			games, err := d.host.Games(ctx, p.player())
			if err != nil {
				return err
			}
			for _, g := range games {
				if g.Turn && !slices.Contains(demoTables, streamName(g.Channel)) {
					if err := d.turn(ctx, p, g); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// streamName returns a channel's name in the room.
func streamName(ch bot.ChannelID) string { return strings.TrimPrefix(string(ch), web.Platform+":") }

// play opens a game between two people in a channel and plays some turns, or to its end.
func (d *demo) play(ctx context.Context, where string, a, b *demoPerson, turns int) error {
	if err := d.say(ctx, a, where, "/new seats:2 opponents:@"+b.name); err != nil {
		return err
	}
	if err := d.join(ctx, b, where); err != nil {
		return err
	}
	for range turns {
		went := false
		for _, p := range []*demoPerson{a, b} {
			games, err := d.host.Games(ctx, p.player())
			if err != nil {
				return err
			}
			at := slices.IndexFunc(games, func(g bot.Game) bool { return g.Turn && streamName(g.Channel) == where })
			if at < 0 {
				continue
			}
			if err := d.turn(ctx, p, games[at]); err != nil {
				return err
			}
			went = true
			break
		}
		if !went {
			return nil
		}
	}
	return nil
}

// remarks lists the comments that robots make on a good play.
var remarks = []string{"Lovely!", "Ouch.", "I had that too...", "How do you find these?", "Well played.", "I didn't see that coming."}

// turn makes a person's move in a game, and sometimes the other's remark.
func (d *demo) turn(ctx context.Context, p *demoPerson, g bot.Game) error {
	line, err := d.move(ctx, p.player(), p.level, g.Table)
	if err != nil || line == "" {
		return err
	}
	where := streamName(g.Channel)
	if err := d.say(ctx, p, where, line); err != nil {
		return err
	}
	after, err := d.replay(ctx, g.Table)
	if err != nil || after.Latest == nil || after.Seats[after.Latest.Seat].Person.ID != p.player() || after.Latest.Score < 60 || d.random.IntN(2) > 0 {
		return err
	}
	for _, other := range d.people {
		if other != p && slices.ContainsFunc(after.Seats, func(seat game.Seat) bool { return seat.Person.ID == other.player() }) {
			return d.say(ctx, other, where, remarks[d.random.IntN(len(remarks))])
		}
	}
	return nil
}

// move returns the command for the move that a player of a level makes at a table; "" if it isn't
// their turn.
func (d *demo) move(ctx context.Context, who bot.PlayerID, level string, t bot.TableID) (string, error) {
	s, err := d.replay(ctx, t)
	if err != nil {
		return "", err
	}
	seat := slices.IndexFunc(s.Seats, func(seat game.Seat) bool { return seat.Person.ID == who })
	list := d.listOf(s.Lexicon.Name)
	if seat < 0 || list == nil {
		return "", nil
	}
	l, _ := robot.ParseLevel(level)
	do, err := d.config.Mind(list).Choose(ctx, l, robot.See(s, seat), demoThought, d.random.Uint64())
	if errors.Is(err, robot.ErrNotToMove) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return demoLine(s, do), nil
}

// replay returns the state of a table.
func (d *demo) replay(ctx context.Context, t bot.TableID) (s game.State, err error) {
	_, events, err := d.config.Store.Events(ctx, t, -1)
	if err != nil {
		return s, err
	}
	return game.Replay(events)
}

// listOf returns the word list of a name, or nil.
func (d *demo) listOf(name string) *lexicon.Lexicon {
	for _, x := range d.config.Lexicons {
		if x.Name() == name {
			return x
		}
	}
	return nil
}

// demoLine returns the command for an action.
func demoLine(s game.State, do game.Action) string {
	set := s.Equipment.Tiles
	switch do := do.(type) {
	case game.Play:
		return "/play " + table.Spelling(set, do.Move) + " " + do.Move.At.At(do.Move.Dir)
	case game.Exchange:
		return "/exchange " + set.Print(do.Tiles)
	case game.Challenge:
		return "/challenge"
	}
	return "/pass sure:yes"
}

// tryDaily tries one or two of the better plays of the daily board.
func (d *demo) tryDaily(ctx context.Context, p *demoPerson) error {
	var at struct{ Path string }
	if err := d.ask(ctx, p, "/d/today", struct{}{}, &at); err != nil {
		return err
	}
	var page struct{ Sight bot.Sight }
	if err := d.ask(ctx, p, at.Path+"/table", struct{}{}, &page); err != nil {
		return err
	}
	if page.Sight.Own == nil {
		return nil
	}
	position, err := record.ParseCGP(d.config.Equipment, demoCGP(page.Sight))
	if err != nil {
		return err
	}
	gen, err := movegen.New(d.listOf(cli.HostLexicon), d.config.Equipment, game.Classic())
	if err != nil {
		return err
	}
	plays := slices.Clone(gen.Plays(&position.Board, position.Racks[0]))
	slices.SortStableFunc(plays, func(a, b movegen.Play) int { return int(b.Score - a.Score) })
	for range 1 + d.random.IntN(2) {
		m := plays[d.random.IntN(min(len(plays), 12))].Move()
		err := d.say(ctx, p, "general", "/daily "+table.Spelling(d.config.Equipment.Tiles, m)+" "+m.At.At(m.Dir))
		if errors.Is(err, errDemoRefused) {
			return nil // they have found the best
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// demoCGP returns a board and its rack in CGP.
func demoCGP(s bot.Sight) string {
	var rows []string
	for row := range s.Size {
		line, free := "", 0
		for _, tile := range append(s.Board[row*s.Size:(row+1)*s.Size:(row+1)*s.Size], "|") {
			if tile == "" {
				free++
				continue
			}
			if free > 0 {
				line, free = line+strconv.Itoa(free), 0
			}
			if blank, ok := strings.CutPrefix(tile, "?"); ok {
				tile = strings.ToLower(blank)
			}
			line += tile
		}
		rows = append(rows, strings.TrimSuffix(line, "|"))
	}
	return strings.Join(rows, "/") + " " + strings.Join(s.Own.Rack, "") + "/ 0/0 0"
}

// live makes moves at a human pace until ctx is done.
func (d *demo) live(ctx context.Context, log *slog.Logger) {
	var here sync.WaitGroup
	defer here.Wait()
	for _, p := range d.people {
		here.Go(func() { d.stay(ctx, p) })
	}
	if d.still {
		<-ctx.Done()
		return
	}
	d.clock.start()
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(demoPace + time.Duration(d.random.Int64N(int64(demoPace)))):
		}
		if err := d.act(ctx); err != nil && ctx.Err() == nil {
			log.Warn("a demo robot couldn't act", "error", err)
		}
	}
}

// stay keeps a person's window open, so that others see them as present.
func (d *demo) stay(ctx context.Context, p *demoPerson) {
	req, err := p.request(ctx, http.MethodGet, d.base+"/api/live", nil)
	if err != nil {
		return
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body) // until the room or the demo closes it
}

// act takes the next action: it joins a visitor's game, opens a game in a channel without
// one, or makes a move.
func (d *demo) act(ctx context.Context) error {
	all := slices.Clone(d.people)
	d.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if did, err := d.welcome(ctx, all[0]); did || err != nil {
		return err
	}
	playing := map[string]bool{}
	var moves []func() error
	for _, p := range all {
		games, err := d.host.Games(ctx, p.player())
		if err != nil {
			return err
		}
		for _, g := range games {
			playing[streamName(g.Channel)] = true
			if !g.Turn {
				continue
			}
			s, err := d.replay(ctx, g.Table)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(s.Seats, func(seat game.Seat) bool { return !d.isOurs(seat.Person.ID) }) {
				return d.turn(ctx, p, g) // visitors wait for nobody else
			}
			moves = append(moves, func() error { return d.turn(ctx, p, g) })
		}
	}
	for _, where := range demoTables {
		if !playing[where] {
			return d.play(ctx, where, all[0], all[1], 0)
		}
	}
	if len(moves) == 0 {
		return nil
	}
	return moves[d.random.IntN(len(moves))]()
}

// isOurs reports whether a player is one of the demo's people.
func (d *demo) isOurs(id bot.PlayerID) bool {
	return slices.ContainsFunc(d.people, func(p *demoPerson) bool { return p.player() == id })
}

// welcome seats a person with a visitor who waits for an opponent, or at an open table.
func (d *demo) welcome(ctx context.Context, p *demoPerson) (did bool, err error) {
	var games struct {
		Open []struct {
			Stream string
			Mine   bool
		}
		Seeks []struct{ ID string }
	}
	if err := d.ask(ctx, p, "/api/games", map[string]bool{"all": true}, &games); err != nil {
		return false, err
	}
	for _, seek := range games.Seeks {
		return true, d.ask(ctx, p, "/api/wait", map[string]any{"id": d.requestID(), "with": seek.ID}, nil)
	}
	for _, g := range games.Open {
		if !g.Mine {
			return true, d.join(ctx, p, g.Stream)
		}
	}
	return false, nil
}

// enter brings a person into the room.
func (d *demo) enter(ctx context.Context, p demoPerson) error {
	var me struct{ ID string }
	if err := d.ask(ctx, &p, "/api/enter", map[string]string{"name": p.name}, &me); err != nil {
		return err
	}
	p.id = me.ID
	d.people = append(d.people, &p)
	return nil
}

// say writes a person's line in a stream, and waits until what it causes has been posted.
func (d *demo) say(ctx context.Context, p *demoPerson, where, line string) error {
	if err := d.ask(ctx, p, "/api/say", map[string]string{"stream": where, "id": d.requestID(), "text": line}, nil); err != nil {
		return fmt.Errorf("%s in %s, %s: %w", p.name, where, line, err)
	}
	d.clock.set(d.now().Add(demoTurn))
	return d.settle(ctx)
}

// join seats a person at a channel's table, whatever its rules.
func (d *demo) join(ctx context.Context, p *demoPerson, where string) error {
	var asked struct {
		Reply struct{ Buttons []struct{ ID, Label string } }
	}
	if err := d.ask(ctx, p, "/api/say", map[string]string{"stream": where, "id": d.requestID(), "text": "/join"}, &asked); err != nil {
		return err
	}
	for _, b := range asked.Reply.Buttons {
		if b.Label == "Sit down" {
			return d.ask(ctx, p, "/api/press", map[string]string{"stream": where, "id": d.requestID(), "button": b.ID}, nil)
		}
	}
	return d.settle(ctx)
}

// requestID returns a new id for a request.
func (d *demo) requestID() string {
	d.requests++
	return fmt.Sprintf("demo-%07d", d.requests)
}

// settle waits until no post is pending, no timer is due and no feature has anything to check.
func (d *demo) settle(ctx context.Context) error {
	for ctx.Err() == nil {
		posts, _, err := d.config.Store.PendingPosts(ctx, web.Platform, d.now())
		if err != nil {
			return err
		}
		due, _, err := d.config.Store.DueTimers(ctx, d.now(), 1)
		if err != nil || len(posts)+len(due) == 0 && d.host.HasFollowed() {
			return err
		}
		// The loops sleep by the time of day, which this clock doesn't follow.
		d.host.Rouse("")
		d.host.Rouse(web.Platform)
		time.Sleep(time.Millisecond)
	}
	return ctx.Err()
}

// errDemoRefused reports that the room refused what a person did.
var errDemoRefused = errors.New("refused")

// ask sends a request to the room as a person's browser does, and decodes the answer into out.
func (d *demo) ask(ctx context.Context, p *demoPerson, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := p.request(ctx, http.MethodPost, d.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var said struct{ Reply struct{ Refused bool } }
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", resp.Status, answer)
	}
	if json.Unmarshal(answer, &said) == nil && said.Reply.Refused {
		return fmt.Errorf("%w: %s", errDemoRefused, answer)
	}
	for _, c := range resp.Cookies() {
		p.cookie = c.Name + "=" + c.Value
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer, out)
}

// request returns a request of the person's browser.
func (p *demoPerson) request(ctx context.Context, method, url string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Cookie", p.cookie)
	return req, nil
}

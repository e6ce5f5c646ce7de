package features_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// The transcripts in testdata are scripts with what came of them. These lines
// are the script; all others are what the host said, and -update writes them:
//
//	# a comment
//	= deal RULES CHALLENGE [variant:NAME] [printed:7D-HORN,F7-RED] bag:TILES NAME:TILES...  a game with these tiles; the first begins
//	= wait DURATION
//	= channel NAME         where people type from now on
//	= no list              the host loses its word list; "= list" brings it back
//	> ann: /play horn 8h   a typed command; mod is who manages the server
//	> ann presses LABEL    the newest button with that label that Ann can see
//	> ann presses old LABEL     the oldest
//	> ann presses bob's LABEL   the newest that only Bob can see
//	> ann presses LABEL in a DM
//	> ann chooses VALUES from LABEL   the newest menu with that label that Ann can see
//
// "<" begins a private reply ("<!" a refusal), "!" a post to the channel, "@" a
// post to one person, "~" the channel's latest post with another text; "later"
// is the line that a post is folded to.
func TestTranscripts(t *testing.T) {
	for _, file := range transcripts(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			script := readFile(t, file)
			var got string
			synctest.Test(t, func(t *testing.T) { got = newScene(t).play(script) })
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got != script {
				t.Errorf("not as in %s (look at it, then -update):\n%s", file, firstDifference(got, script))
			}
		})
	}
}

func transcripts(t testing.TB) []string {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	return files
}

func readFile(t testing.TB, name string) string {
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d\n got %s\nwant %s", i+1, strings.Join(g[i:min(i+4, len(g))], "\n     "), strings.Join(w[min(i, len(w)):min(i+4, len(w))], "\n     "))
		}
	}
	return fmt.Sprintf("line %d is missing: %s", len(g)+1, w[len(g)])
}

// A scene is a world in which a script is played.
type scene struct {
	*world
	channel bot.ChannelID
	buttons []seen
	menus   []seenMenu
	out     strings.Builder
	// handle is Host.Handle, or what a test puts in its place.
	handle func(bot.Request) bot.Reply
}

type seen struct {
	by game.PlayerID // "": everybody
	bot.Button
}

type seenMenu struct {
	by game.PlayerID
	bot.Menu
}

// A patient store lets timers wait until what was said has been posted, so that
// a script always comes out the same.
type patient struct{ bot.Store }

func (s patient) ClaimTimers(ctx context.Context, h bot.Holder, k bot.Kinds, now time.Time, limit int) ([]bot.Timer, time.Time, error) {
	time.Sleep(time.Microsecond) // of a bubble's clock
	return s.Store.ClaimTimers(ctx, h, k, now, limit)
}

func newScene(t *testing.T, changes ...func(*host.Config)) *scene {
	changes = append(changes, func(c *host.Config) {
		c.Store = patient{c.Store}
		platforms := c.Platforms()
		c.Platforms = func() []bot.Platform { return append([]bot.Platform{{Name: "test", Aside: besideThere}}, platforms...) }
	})
	sc := &scene{world: newWorld(t, changes...), channel: parlour}
	for name, who := range people {
		if known := []byte(`{"v":1,"kinds":["challenge:double","challenge:5-point","challenge:10-point","challenge:triple","clock","pace"]}`); name != "fay" {
			if err := sc.config.Notes.Put(t.Context(), "known", string(who.ID), known); err != nil {
				t.Fatal(err)
			}
		}
	}
	sc.handle = func(req bot.Request) bot.Reply { return sc.host.Handle(t.Context(), req) }
	sc.run()
	return sc
}

// besideThere is where a table goes that opens by itself, by the end of its key.
func besideThere(_ context.Context, beside bot.ChannelID, key, _ string, _ []bot.PlayerID) (bot.ChannelID, error) {
	f := strings.Split(key, "/")
	return bot.ChannelID(fmt.Sprintf("%s-%s", beside, strings.Join(f[2:], "-"))), nil
}

func (sc *scene) play(script string) string {
	sc.t.Helper()
	var last string
	for n, line := range strings.Split(strings.TrimRight(script, "\n"), "\n") {
		where := fmt.Sprintf("line %d", n+1)
		switch {
		case strings.HasPrefix(line, "#") || line == "" && (strings.HasPrefix(last, "#") || strings.HasPrefix(last, "=") && !strings.HasPrefix(last, "= wait")):
			fmt.Fprintln(&sc.out, line)
		case strings.HasPrefix(line, "="):
			fmt.Fprintln(&sc.out, line)
			sc.direct(where, strings.Fields(line)[1:])
		case strings.HasPrefix(line, "> "):
			fmt.Fprintln(&sc.out, line)
			if req, ok := sc.requested(where, line[2:]); ok {
				sc.reply(req.User, sc.handle(req))
			}
			sc.delivered()
			fmt.Fprintln(&sc.out)
		}
		last = line
	}
	return strings.TrimRight(sc.out.String(), "\n") + "\n"
}

// direct does a line that begins with "=".
func (sc *scene) direct(where string, f []string) {
	sc.t.Helper()
	switch {
	case f[0] == "wait":
		d, err := time.ParseDuration(f[1])
		if err != nil {
			sc.t.Fatalf("%s: %v", where, err)
		}
		time.Sleep(d)
		sc.delivered()
		fmt.Fprintln(&sc.out)
	case f[0] == "channel":
		sc.channel = bot.ChannelID("test:" + f[1])
	case f[0] == "no":
		sc.host.Lists().Replace(nil)
	case f[0] == "list":
		sc.host.Lists().Replace(sc.config.Lexicons)
	case f[0] == "deal":
		put(sc.t, sc.config.Store, sc.channel, dealt(sc.t, bottest.Small(sc.t).Hash(), f[1], f[2], f[3:]))
	default:
		sc.t.Fatalf("%s: what is %q?", where, f[0])
	}
}

// requested reads what somebody types or presses.
func (sc *scene) requested(where, line string) (req bot.Request, ok bool) {
	sc.t.Helper()
	sc.ids++
	req = bot.Request{ID: fmt.Sprintf("r%d", sc.ids), Channel: sc.channel, Home: "test:house"}
	thread := bot.ChannelID("test:thread-" + req.ID)
	req.Aside = func(_ context.Context, title string) (bot.ChannelID, error) {
		fmt.Fprintf(&sc.out, "(a thread: %s)\n", title)
		sc.channel = thread
		return thread, nil
	}
	if who, typed, ok := strings.Cut(line, ": "); ok {
		req.User = people[who]
		req.Manager = who == "mod"
		var refused text.Text
		if req.Command, req.Args, refused = features.Commands().ParseLine(typed, nil); refused != nil {
			sc.say("<!", refused, nil, nil, nil)
			return req, false
		}
		if req.Command == "pass" && who != "fay" {
			req.Args["sure"] = "true" // Fay alone is asked
		}
		for _, name := range strings.Fields(req.Args["opponents"] + " " + req.Args["player"] + " " + req.Args["who"]) {
			req.People = append(req.People, people[strings.TrimPrefix(name, "@")])
		}
		return req, true
	}
	if who, choice, ok := strings.Cut(line, " chooses "); ok {
		req.User = people[who]
		values, label, _ := strings.Cut(choice, " from ")
		for _, m := range slices.Backward(sc.menus) {
			if plainly(m.Label) == label && (m.by == "" || m.by == req.User.ID) {
				return req.Choose(m.ID, strings.Fields(values))
			}
		}
		sc.t.Fatalf("%s: %s sees no menu %q", where, who, label)
	}
	who, label, ok := strings.Cut(line, " presses ")
	if !ok {
		sc.t.Fatalf("%s: %q", where, line)
	}
	req.User = people[who]
	label, inDM := strings.CutSuffix(label, " in a DM")
	if inDM {
		req.Channel = bot.ChannelID("test:dm-" + who)
	}
	label, old := strings.CutPrefix(label, "old ")
	can := func(b seen) bool { return b.by == "" || b.by == req.User.ID }
	if whose, rest, ok := strings.Cut(label, "'s "); ok {
		label = rest
		can = func(b seen) bool { return b.by == people[whose].ID }
	}
	all := slices.Clone(sc.buttons)
	if !old {
		slices.Reverse(all)
	}
	i := slices.IndexFunc(all, func(b seen) bool { return plainly(b.Label) == label && can(b) })
	if i < 0 {
		sc.t.Fatalf("%s: %s sees no button %q after\n%s", where, who, label, sc.out.String())
	}
	req.Manager = who == "mod"
	req, ok = req.Press(all[i].ID)
	if !ok {
		sc.t.Fatalf("%s: %q can't be pressed", where, all[i].ID)
	}
	return req, true
}

func (sc *scene) reply(who bot.User, r bot.Reply) {
	mark := "<"
	if r.Refused {
		mark = "<!"
	}
	sc.say(mark, r.Text, r.Picture, r.Buttons, r.Menus)
	for _, f := range r.Files {
		fmt.Fprintf(&sc.out, "  (file %s, %s)\n", f.Name, f.Type)
	}
	for _, b := range r.Buttons {
		sc.buttons = append(sc.buttons, seen{who.ID, b})
	}
	for _, m := range r.Menus {
		sc.menus = append(sc.menus, seenMenu{who.ID, m})
	}
}

// delivered waits for the posts and shows them.
func (sc *scene) delivered() {
	for range 3 { // a robot, and another after it
		synctest.Wait()
		time.Sleep(2 * time.Microsecond)
	}
	synctest.Wait()
	for _, m := range sc.posts.take() {
		mark := "!"
		if m.To != nil {
			mark = "@ to " + m.To.Name + ":"
		}
		if m.Edit {
			sc.say("~", m.Text, nil, nil, nil)
			continue
		}
		sc.say(mark, m.Text, m.Picture, m.Buttons, m.Menus)
		if m.To == nil && m.Line != nil {
			fmt.Fprintf(&sc.out, "  (later: %s)\n", m.Line)
		}
		for _, b := range m.Buttons {
			sc.buttons = append(sc.buttons, seen{game.PlayerID(to(m)), b})
		}
		for _, menu := range m.Menus {
			sc.menus = append(sc.menus, seenMenu{game.PlayerID(to(m)), menu})
		}
	}
}

// say writes what the host said.
func (sc *scene) say(mark string, words text.Text, p *bot.Picture, buttons []bot.Button, menus []bot.Menu) {
	for i, line := range strings.Split(shown(words), "\n") {
		if i > 0 {
			mark = strings.Repeat(" ", len(mark))
		}
		fmt.Fprintln(&sc.out, strings.TrimRight(mark+" "+line, " "))
	}
	if p != nil {
		fmt.Fprintf(&sc.out, "  (picture: %s)\n", p.Alt)
	}
	if len(buttons) > 0 {
		fmt.Fprintln(&sc.out, "  "+buttonsShown(buttons))
	}
	if len(menus) > 0 {
		fmt.Fprintln(&sc.out, "  "+menusShown(menus))
	}
	if n := len([]rune(words.String())); n > 2000 || n == 0 {
		sc.t.Errorf("a text of %d characters: %s", n, words)
	}
}

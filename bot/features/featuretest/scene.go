package featuretest

import (
	"context"
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
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// Transcripts plays the transcripts in the package's testdata: scripts with their results. The
// lines below are the script; all others are what the host said, and "go test ./bot/features -run
// TestTranscripts -update" writes them, in all packages:
//
//	# a comment
//	= deal RULES CHALLENGE [variant:NAME] [printed:7D-HORN,F7-RED] bag:TILES NAME:TILES...  a game with these tiles; the first begins
//	= wait DURATION
//	= channel NAME         where people type from now on
//	= no list              the host loses its word list; "= list" brings it back
//	> ann: /play horn 8h   a typed command; mod manages the server
//	> ann presses LABEL    the newest button with that label that Ann can see
//	> ann presses old LABEL     the oldest
//	> ann presses bob's LABEL   the newest that only Bob can see
//	> ann presses LABEL in a DM
//	> ann chooses VALUES from LABEL   the newest menu with that label that Ann can see
//
// "<" begins a private reply ("<!" a refusal), "!" a post to the channel, "@" a post to one person,
// "~" the channel's latest post with new text; "later" is the line to which a post folds.
func Transcripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			script := Script(t, file)
			if got := Played(t, script); got != script {
				t.Errorf("not as in %s (take it by go test ./bot/features -run TestTranscripts -update):\n%s", file, firstDifference(got, script))
			}
		})
	}
}

// Played plays a script and returns it with its current results.
func Played(t *testing.T, script string) (got string) {
	synctest.Test(t, func(t *testing.T) { got = NewScene(t).Play(script) })
	return got
}

// Script reads a transcript from a file.
func Script(t testing.TB, file string) string {
	b, err := os.ReadFile(file)
	gametest.Must(t, err)
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

// A Scene is a world in which a script is played.
type Scene struct {
	*World
	Channel bot.ChannelID
	buttons []seen
	menus   []seenMenu
	out     strings.Builder
	// Handle is Host.Handle, or a test's replacement.
	Handle func(bot.Request) bot.Reply
}

type seen struct {
	by game.PlayerID // "" for everybody
	bot.Button
}

type seenMenu struct {
	by game.PlayerID
	bot.Menu
}

// A patient store delays timers until everything said has been posted, so that a script always has
// the same results.
type patient struct{ bot.Store }

func (s patient) ClaimTimers(ctx context.Context, h bot.Holder, k bot.Kinds, now time.Time, limit int) ([]bot.Timer, time.Time, error) {
	time.Sleep(time.Microsecond) // on the bubble's clock
	return s.Store.ClaimTimers(ctx, h, k, now, limit)
}

// NewScene returns a scene with running loops.
func NewScene(t *testing.T, changes ...func(*host.Config)) *Scene {
	changes = append(changes, func(c *host.Config) {
		c.Store = patient{c.Store}
		platforms := c.Platforms()
		c.Platforms = func() []bot.Platform { return append([]bot.Platform{{Name: "test", Aside: BesideThere}}, platforms...) }
	})
	sc := &Scene{World: New(t, changes...), Channel: Parlour}
	for name, who := range bottest.People {
		if known := []byte(`{"v":1,"kinds":["challenge:double","challenge:5-point","challenge:10-point","challenge:triple","clock","pace"]}`); name != "fay" {
			gametest.Must(t, sc.Config.Notes.Put(t.Context(), "known", string(who.ID), known))
		}
	}
	sc.Handle = func(req bot.Request) bot.Reply { return sc.Host.Handle(t.Context(), req) }
	sc.Run()
	return sc
}

// BesideThere returns the place of a table that opens by itself, from the end of its key.
func BesideThere(_ context.Context, beside bot.ChannelID, key, _ string, _ []bot.PlayerID) (bot.ChannelID, error) {
	f := strings.Split(key, "/")
	return bot.ChannelID(fmt.Sprintf("%s-%s", beside, strings.Join(f[2:], "-"))), nil
}

// Play plays a script and returns it with its results.
func (sc *Scene) Play(script string) string {
	sc.T.Helper()
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
			if req, ok := sc.parseRequest(where, line[2:]); ok {
				sc.reply(req.User, sc.Handle(req))
			}
			sc.awaitPosts()
			fmt.Fprintln(&sc.out)
		}
		last = line
	}
	return strings.TrimRight(sc.out.String(), "\n") + "\n"
}

// direct carries out a line that begins with "=".
func (sc *Scene) direct(where string, f []string) {
	sc.T.Helper()
	switch {
	case f[0] == "wait":
		d, err := time.ParseDuration(f[1])
		if err != nil {
			sc.T.Fatalf("%s: %v", where, err)
		}
		time.Sleep(d)
		sc.awaitPosts()
		fmt.Fprintln(&sc.out)
	case f[0] == "channel":
		sc.Channel = bot.ChannelID("test:" + f[1])
	case f[0] == "no":
		sc.Host.Lists().Replace(nil)
	case f[0] == "list":
		sc.Host.Lists().Replace(sc.Config.Lexicons)
	case f[0] == "deal":
		Put(sc.T, sc.Config.Store, sc.Channel, bottest.Dealt(sc.T, bottest.Small(sc.T).Hash(), f[1], f[2], f[3:]))
	default:
		sc.T.Fatalf("%s: what is %q?", where, f[0])
	}
}

// parseRequest parses what a person types or presses.
func (sc *Scene) parseRequest(where, line string) (req bot.Request, ok bool) {
	sc.T.Helper()
	sc.IDs++
	req = bot.Request{ID: fmt.Sprintf("r%d", sc.IDs), Channel: sc.Channel, Home: "test:house"}
	thread := bot.ChannelID("test:thread-" + req.ID)
	req.Aside = func(_ context.Context, title string) (bot.ChannelID, error) {
		fmt.Fprintf(&sc.out, "(a thread: %s)\n", title)
		sc.Channel = thread
		return thread, nil
	}
	if who, typed, ok := strings.Cut(line, ": "); ok {
		req.User, req.Manager = bottest.People[who], who == "mod"
		return sc.parseTyped(req, typed)
	}
	if who, choice, ok := strings.Cut(line, " chooses "); ok {
		req.User, req.Manager = bottest.People[who], who == "mod"
		values, label, _ := strings.Cut(choice, " from ")
		for _, m := range slices.Backward(sc.menus) {
			if Plainly(m.Label) == label && (m.by == "" || m.by == req.User.ID) {
				return req.Choose(m.ID, strings.Fields(values))
			}
		}
		sc.T.Fatalf("%s: %s sees no menu %q", where, who, label)
	}
	who, label, ok := strings.Cut(line, " presses ")
	if !ok {
		sc.T.Fatalf("%s: %q", where, line)
	}
	req.User, req.Manager = bottest.People[who], who == "mod"
	label, inDM := strings.CutSuffix(label, " in a DM")
	if inDM {
		req.Channel = bot.ChannelID("test:dm-" + who)
	}
	return sc.findPressed(where, who, label, req)
}

// parseTyped parses a command. ok is false if it isn't one.
func (sc *Scene) parseTyped(req bot.Request, line string) (_ bot.Request, ok bool) {
	var refused text.Text
	if req.Command, req.Args, refused = features.Commands().ParseLine(line, nil); refused != nil {
		sc.say("<!", refused, nil, nil, nil)
		return req, false
	}
	if req.Command == "pass" && req.User.ID != bottest.People["fay"].ID {
		req.Args["sure"] = "true" // only Fay is asked
	}
	for _, name := range strings.Fields(req.Args["opponents"] + " " + req.Args["player"] + " " + req.Args["who"]) {
		req.People = append(req.People, bottest.People[strings.TrimPrefix(name, "@")])
	}
	return req, true
}

// findPressed finds the button that a person presses: the latest with a label, or the oldest if the
// label begins with "old".
func (sc *Scene) findPressed(where, who, label string, req bot.Request) (bot.Request, bool) {
	sc.T.Helper()
	label, old := strings.CutPrefix(label, "old ")
	can := func(b seen) bool { return b.by == "" || b.by == req.User.ID }
	if whose, rest, ok := strings.Cut(label, "'s "); ok {
		label = rest
		can = func(b seen) bool { return b.by == bottest.People[whose].ID }
	}
	all := slices.Clone(sc.buttons)
	if !old {
		slices.Reverse(all)
	}
	i := slices.IndexFunc(all, func(b seen) bool { return Plainly(b.Label) == label && can(b) })
	if i < 0 {
		sc.T.Fatalf("%s: %s sees no button %q after\n%s", where, who, label, sc.out.String())
	}
	req, ok := req.Press(all[i].ID)
	if !ok {
		sc.T.Fatalf("%s: %q can't be pressed", where, all[i].ID)
	}
	return req, true
}

func (sc *Scene) reply(who bot.User, r bot.Reply) {
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

// awaitPosts waits for the posts and writes them.
func (sc *Scene) awaitPosts() {
	for range 3 { // a robot, and another after it
		synctest.Wait()
		time.Sleep(2 * time.Microsecond)
	}
	synctest.Wait()
	for _, m := range sc.Posts.Take() {
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
			sc.buttons = append(sc.buttons, seen{game.PlayerID(To(m)), b})
		}
		for _, menu := range m.Menus {
			sc.menus = append(sc.menus, seenMenu{game.PlayerID(To(m)), menu})
		}
	}
}

// say writes what the host said.
func (sc *Scene) say(mark string, words text.Text, p *bot.Picture, buttons []bot.Button, menus []bot.Menu) {
	for i, line := range strings.Split(Shown(words), "\n") {
		if i > 0 {
			mark = strings.Repeat(" ", len(mark))
		}
		fmt.Fprintln(&sc.out, strings.TrimRight(mark+" "+line, " "))
	}
	if p != nil {
		fmt.Fprintf(&sc.out, "  (picture: %s)\n", p.Alt)
	}
	if len(buttons) > 0 {
		fmt.Fprintln(&sc.out, "  "+ButtonsShown(buttons))
	}
	if len(menus) > 0 {
		fmt.Fprintln(&sc.out, "  "+MenusShown(menus))
	}
	if n := len([]rune(words.String())); n > 2000 || n == 0 {
		sc.T.Errorf("a text of %d characters: %s", n, words)
	}
}

// Plainly returns a text without its pseudo-accents.
func Plainly(words text.Text) string { return withoutAccents.Replace(words.String()) }

var withoutAccents = func() *strings.Replacer {
	var pairs []string
	for r := 'A'; r <= 'z'; r++ {
		if accented := sentences.Pseudo.Literal(string(r)); accented != string(r) {
			pairs = append(pairs, accented, string(r))
		}
	}
	return strings.NewReplacer(pairs...)
}()

package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"html/template"
	"image/png"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

// pictureFolder has the pictures of the README.
const pictureFolder = "../../.github/pictures"

// seeded serves a host whose chance follows from a seed, with flags and an environment, until the
// test ends.
func seeded(t *testing.T, environ []string, flags ...string) *demo {
	t.Helper()
	d := &demo{seed: 11}
	d.seedChance()
	d.clock.set(time.Now())
	d.clock.start() // platforms compare it with theirs
	c := serveConfig{demo: d}
	s := c.settings("serve")
	gametest.Must(t, s.parse(append([]string{"--listen", "127.0.0.1:0", "--data", filepath.Join(t.TempDir(), "rackmate.db"), "--push", "off"}, flags...), environ))
	c.read, c.latest, c.again = s, s, func() (*serveConfig, *settings, error) { return &c, s, nil }
	ctx, stop := context.WithCancel(t.Context())
	opened, over := make(chan bool), make(chan error, 1)
	go func() { over <- serve(ctx, &c, slog.New(slog.DiscardHandler), func(string) { close(opened) }) }()
	select {
	case <-opened:
	case err := <-over:
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		if err := <-over; err != nil {
			t.Error(err)
		}
	})
	return d
}

// posted waits until all posts of a platform have been sent.
func (d *demo) posted(t *testing.T, platform string) {
	t.Helper()
	for {
		posts, _, err := d.config.Store.PendingPosts(t.Context(), platform, d.now())
		gametest.Must(t, err)
		if len(posts) == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// turns makes at least n moves in the only game of some players of a platform. give types a player's
// command.
func (d *demo) turns(t *testing.T, n int, platform string, players []bot.PlayerID, give func(player int, line string)) {
	t.Helper()
	d.posted(t, platform)
	games, err := d.host.Games(t.Context(), players[0])
	if err != nil || len(games) != 1 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	for line := ""; n > 0 || !strings.HasPrefix(line, "/play"); n-- { // a play is last
		went := false
		for i, p := range players {
			line, err = d.move(t.Context(), p, "advanced", games[0].Table)
			gametest.Must(t, err)
			if line != "" {
				give(i, line)
				went = true
				break
			}
		}
		if !went {
			t.Fatal("nobody is to move")
		}
		d.posted(t, platform)
	}
}

// A chatPost is a message as a chat platform shows it.
type chatPost struct {
	Text    string
	Picture []byte
	Alt     string
	Buttons []string
}

// chance matches what differs from game to game in a post, and fixed what stands for it in a golden
// file.
var chance = []struct {
	found *regexp.Regexp
	fixed string
}{
	{regexp.MustCompile(`\*+Bingo!\*+ `), ""}, {regexp.MustCompile(` \([^)]*\)`), ""}, {regexp.MustCompile("`[^`]+`"), "`DIGEST`"},
	{regexp.MustCompile(`\b(Ada|Ben|Ann|Bob)\b`), "NAME"}, {regexp.MustCompile(`\b([A-O]\d{1,2}|\d{1,2}[A-O])\b`), "SQUARE"}, {regexp.MustCompile(`\b\d+\b`), "N"},
	{regexp.MustCompile(`\*[A-Za-z]{2,}\*`), "*WORD*"},
}

// String returns the post for a golden file, without what chance brings.
func (p chatPost) String() string {
	said := p.Text
	for _, c := range chance {
		said = c.found.ReplaceAllString(said, c.fixed)
	}
	shown := ""
	if p.Picture != nil {
		in, err := png.DecodeConfig(bytes.NewReader(p.Picture))
		if err != nil {
			return err.Error()
		}
		shown = fmt.Sprintf("picture %dx%d\n", in.Width, in.Height)
	}
	return said + "\n" + shown + strings.Join(p.Buttons, " | ") + "\n\n"
}

// TestReadmeDiscord checks that the README's picture of a game on Discord shows messages as
// the product posts them; see checkPicture.
func TestReadmeDiscord(t *testing.T) {
	api := discordtest.New(t)
	games := api.Guild("Book club").Channel("games")
	d := seeded(t, []string{"DISCORD_TOKEN=" + discordtest.Token}, "--discord-api", api.URL)
	api.Gateway.Connected(1, 1, 0)
	ada, ben := api.User("Ada"), api.User("Ben")
	ada.Gives(games, "new", "opponent", ben.ID).Answer()
	ben.Presses(games.Posts(1)[0], "Join").Answer()
	d.turns(t, 7, "discord", []bot.PlayerID{bot.PlayerID("discord:" + ada.ID), bot.PlayerID("discord:" + ben.ID)}, func(i int, line string) {
		f := strings.Fields(line[1:])
		options := map[string][]string{"play": {"word", "at"}, "exchange": {"tiles"}}[f[0]]
		var given []string
		for i, name := range options {
			given = append(given, name, f[i+1])
		}
		[]*discordtest.User{ada, ben}[i].Gives(games, f[0], given...).Answer()
	})
	var posts []chatPost
	for _, m := range ada.Sees(games) {
		if m.For == "" {
			p := chatPost{Text: m.Content, Buttons: m.Labels()}
			for _, u := range []*discordtest.User{ada, ben} {
				p.Text = strings.ReplaceAll(p.Text, "<@"+u.ID+">", "@"+u.Name)
			}
			for _, f := range m.Files {
				p.Picture, p.Alt = f.Data, f.Alt
			}
			posts = append(posts, p)
		}
	}
	checkPicture(t, "discord", posts[len(posts)-1:])
}

// TestReadmeSlack checks the README's picture of a game on Slack likewise.
func TestReadmeSlack(t *testing.T) {
	api := slacktest.New(slacktest.Options{})
	t.Cleanup(api.Close)
	d := seeded(t, []string{"SLACK_BOT_TOKEN=" + slacktest.BotToken, "SLACK_APP_TOKEN=" + slacktest.AppToken}, "--slack-api", api.URL)
	if !api.Await(func() bool { return api.Connected() > 0 }) {
		t.Fatal("the host doesn't connect")
	}
	gametest.Must(t, api.Slash("U0ANN", "C0GAMES", "/rackmate", "new seats:2"))
	if !api.Await(func() bool { return len(api.Messages("C0GAMES")) > 0 }) {
		t.Fatal("no table is posted")
	}
	gametest.Must(t, api.Slash("U0BOB", "C0GAMES", "/rackmate", "join"))
	d.turns(t, 7, "slack", []bot.PlayerID{"slack:" + slacktest.Team + "/U0ANN", "slack:" + slacktest.Team + "/U0BOB"}, func(i int, line string) {
		gametest.Must(t, api.Slash([]string{"U0ANN", "U0BOB"}[i], "C0GAMES", "/rackmate", line[1:]))
	})
	names := strings.NewReplacer("<@U0ANN>", "@Ann", "<@U0BOB>", "@Bob")
	var posts []chatPost
	for _, m := range api.Messages("C0GAMES") {
		if m.User != "" {
			continue
		}
		p := chatPost{Text: names.Replace(m.Text)}
		for _, b := range m.Blocks {
			if f, ok := b["slack_file"].(map[string]any); ok {
				p.Picture, p.Alt = api.File(fmt.Sprint(f["id"])), fmt.Sprint(b["alt_text"])
			}
			elements, _ := b["elements"].([]any)
			for _, e := range elements {
				e, _ := e.(map[string]any)
				if text, ok := e["text"].(map[string]any); ok && e["type"] == "button" {
					p.Buttons = append(p.Buttons, fmt.Sprint(text["text"]))
				}
			}
		}
		posts = append(posts, p)
	}
	i := slices.IndexFunc(posts, func(p chatPost) bool { return p.Picture != nil })
	if i < 0 {
		t.Fatalf("no board among %v", posts)
	}
	checkPicture(t, "slack", posts[i:i+1])
}

// checkPicture compares posts with the golden file of a platform. With -update it writes that, and
// draws the README's picture in Chromium.
func checkPicture(t *testing.T, platform string, posts []chatPost) {
	t.Helper()
	var all strings.Builder
	for _, p := range posts {
		all.WriteString(p.String())
	}
	checkReadme(t, platform, all.String(), func() {
		file := filepath.Join(t.TempDir(), "page.html")
		f, err := os.Create(file)
		gametest.Must(t, err)
		gametest.Must(t, chatPage.Execute(f, map[string]any{"Platform": platform, "Posts": posts}))
		gametest.Must(t, f.Close())
		shoot(t, "file://"+file, "", platform, 510, 660, "document.images[0].complete")
	})
}

// checkReadme compares what a picture of the README shows with its golden file. With -update it
// writes the file and draws the picture.
func checkReadme(t *testing.T, name, got string, draw func()) {
	t.Helper()
	golden := filepath.Join("testdata", "readme-"+name+".txt")
	want, err := os.ReadFile(golden)
	switch {
	case *updateReference:
		gametest.Must(t, os.WriteFile(golden, []byte(got), 0o644))
		draw()
	case err != nil || string(want) != got:
		t.Errorf("the README's picture of %s shows something else than the product now: go test ./cmd/rackmate -run TestReadme -update draws it. %v\n%s", name, err, got)
	}
	checkShown(t, name)
}

// checkShown checks that the README shows a picture.
func checkShown(t *testing.T, name string) {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	gametest.Must(t, err)
	if !bytes.Contains(readme, []byte(".github/pictures/"+name+".png")) {
		t.Errorf("the README doesn't show %s.png", name)
	}
	if _, err := os.Stat(filepath.Join(pictureFolder, name+".png")); err != nil {
		t.Error(err)
	}
}

// shoot draws a page in Chromium, with a cookie, as a picture of the README, once ready is true there.
func shoot(t *testing.T, address, cookie, name string, width, height int64, ready string) {
	t.Helper()
	ctx, stop := chromedp.NewExecAllocator(t.Context(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("lang", "en-GB"))...)
	defer stop()
	ctx, shut := chromedp.NewContext(ctx)
	defer shut()
	gametest.Must(t, chromedp.Do(ctx))
	if name, value, found := strings.Cut(cookie, "="); found {
		_, err := chromedp.Call(ctx, network.SetCookie, network.SetCookieParams{Name: name, Value: value, URL: address})
		gametest.Must(t, err)
	}
	// The page's time is the demo's.
	_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf(
		"{ const real = Date, shift = %d - real.now(); Date = class extends real { constructor(...at) { at.length ? super(...at) : super(real.now() + shift); } static now() { return real.now() + shift; } }; }", demoTime.UnixMilli())})
	gametest.Must(t, err)
	gametest.Must(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, height), chromedp.Navigate(address)))
	if err := chromedp.Do(ctx, chromedp.Poll[chromedp.Void]("document.fonts.status === 'loaded' && ("+ready+")", chromedp.WithPollingTimeout(30*time.Second))); err != nil {
		t.Errorf("the page isn't ready: %v", err)
	}
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	gametest.Must(t, err)
	gametest.Must(t, os.WriteFile(filepath.Join(pictureFolder, name+".png"), picture, 0o644))
}

// TestReadmeRoom checks that a demo has what the README's picture of the room shows: a game that is
// well under way, with Grace to move. With -update it draws the picture.
func TestReadmeRoom(t *testing.T) {
	d := openDemo(t, 1, true)
	grace := d.people[0]
	var games struct {
		Mine []struct {
			Stream string
			Turn   bool
			Board  struct{ Board map[int]string }
		}
	}
	gametest.Must(t, d.ask(t.Context(), grace, "/api/games", map[string]bool{"all": true}, &games))
	open, most := "", 0
	for _, g := range games.Mine {
		if n := len(g.Board.Board); g.Turn && n > most {
			open, most = g.Stream, n
		}
	}
	if most < 20 {
		t.Errorf("Grace is to move in no game that is well under way: %+v", games.Mine)
	}
	checkShown(t, "room")
	if *updateReference {
		shoot(t, d.base+"/#"+open, grace.cookie, "room", 1200, 760, "/in the bag/.test(document.body.innerText) && (document.querySelector('#offer .icon-button')?.click(), document.querySelector('.line.unread'))")
	}
}

// chatPage draws posts as Discord and Slack show them.
var chatPage = template.Must(template.New("").Funcs(template.FuncMap{
	"data": func(b []byte) template.URL {
		return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b))
	},
	"lines": func(text string) template.HTML {
		said := template.HTMLEscapeString(text)
		said = strongText.ReplaceAllString(said, "<b>$1</b>")
		said = code.ReplaceAllString(said, "<small>$1</small>")
		said = small.ReplaceAllString(said, "<small>$1</small>")
		said = mentioned.ReplaceAllString(said, `<span class="at">$0</span>`)
		return template.HTML(strings.ReplaceAll(said, "\n", "<br>"))
	},
}).Parse(`<!doctype html><meta charset="utf-8"><style>
body { margin: 0; padding: 14px 18px; font: 15px/1.4 "Helvetica Neue", Arial, sans-serif; }
.post { display: grid; grid-template-columns: 40px 1fr; gap: 0 14px; margin-bottom: 14px; }
.face { width: 40px; height: 40px; border-radius: 50%; background: #1d5c4d; color: #f3d598; font: 700 22px/40px Georgia, serif; text-align: center; }
.who { font-weight: 600; } .app { padding: 1px 4px; border-radius: 4px; font-size: 10px; font-weight: 600; vertical-align: 2px; } .when { font-size: 12px; opacity: .6; }
img { display: block; width: 420px; margin: 8px 0; border-radius: 8px; }
.buttons { display: flex; gap: 8px; margin-top: 4px; } .buttons span { padding: 5px 12px; font-size: 14px; font-weight: 600; }
.discord { background: #1a1a1e; color: #dfe0e2; } .discord .app { background: #5865f2; color: #fff; } .discord .at { background: #5865f24d; color: #c9cdfb; border-radius: 3px; padding: 0 2px; }
.discord .buttons span { background: #3a3a42; color: #fff; border-radius: 8px; } .discord .buttons span:first-child { background: #5865f2; }
.slack { background: #fff; color: #1d1c1d; font-family: Lato, Arial, sans-serif; } .slack .face { border-radius: 8px; } .slack .app { background: #ddd; color: #616061; } .slack .at { background: #e8f5fa; color: #1264a3; border-radius: 3px; padding: 0 2px; }
.slack .buttons span { border: 1px solid #bbb; border-radius: 8px; } .slack .buttons span:first-child { background: #007a5a; border-color: #007a5a; color: #fff; }
</style><body class="{{.Platform}}">{{range .Posts}}<div class="post"><div class="face">R</div><div>
<span class="who">Rackmate</span> <span class="app">APP</span> <span class="when">12:04</span>
<div>{{lines .Text}}</div>{{if .Picture}}<img src="{{data .Picture}}" alt="{{.Alt}}">{{end}}
<div class="buttons">{{range .Buttons}}<span>{{.}}</span>{{end}}</div></div></div>{{end}}`))

// strongText matches text between stars, small a line in small type, code text between backticks, and
// mentioned the name of a player who is called.
var (
	small      = regexp.MustCompile(`(?m)^-# (.*)$`)
	code       = regexp.MustCompile("`([^`]+)`")
	strongText = regexp.MustCompile(`\*{1,2}([^*\n]+)\*{1,2}`)
	mentioned  = regexp.MustCompile(`@[A-Z]\w+`)
)

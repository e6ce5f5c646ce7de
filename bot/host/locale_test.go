package host_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// allLocales returns all languages of the product.
func allLocales(t *testing.T) *sentences.Locales {
	t.Helper()
	all, err := sentences.Load(data.Sentences())
	gametest.Must(t, err)
	return all
}

// People are answered in the language that they chose, else in the one that their platform knows,
// else in the place's; posts are in the place's.
func TestLanguageOfAnswersAndPosts(t *testing.T) { synctest.Test(t, testWhoReadsWhat) }

func testWhoReadsWhat(t *testing.T) {
	locales := allLocales(t)
	w := newWorld(t, func(c *host.Config) { c.Locales = locales })
	ann, bob, mod := bot.User{ID: "test:ann", Name: "Ann"}, bot.User{ID: "test:bob", Name: "Bob"}, bot.User{ID: "test:mod", Name: "Mod"}
	ask := func(who bot.User, line, locale, home string) string {
		t.Helper()
		req := w.Request(who, line)
		req.Locale, req.Home, req.HomeLocale, req.Manager = locale, "test:home", home, who == mod
		return w.Host.Handle(t.Context(), req).Text.String()
	}
	in := func(code string, words text.Text) string {
		t.Helper()
		to, ok := locales.ByCode(code)
		if !ok {
			t.Fatalf("no %s", code)
		}
		return words.In(to).String()
	}
	none := text.Say("No table in this channel. {new} opens one.", text.Code("/new"))
	for _, step := range []struct {
		who                bot.User
		line, locale, home string
		want               string // the language of the answer
	}{
		{ann, "/board", "", "", "en"},
		{ann, "/board", "en-US", "de", "en"},
		{ann, "/board", "de-AT", "", "de"},
		{ann, "/board", "pt-PT", "", "pt"},
		{ann, "/board", "xx", "", "de"}, // the home's, as given before
		{ann, "/board", "", "fr", "fr"},
		{ann, "/settings speak:nl", "", "", ""},
		{ann, "/board", "de-DE", "fr", "nl"},
		{ann, "/settings speak:auto", "", "", ""},
		{ann, "/board", "de-DE", "", "de"},
		{mod, "/settings for:channel speak:es", "", "", ""},
		{bob, "/board", "", "fr", "es"},
		{mod, "/settings for:channel speak:default", "", "", ""},
		{bob, "/board", "", "fr", "fr"},
	} {
		got := ask(step.who, step.line, step.locale, step.home)
		if step.want != "" && got != in(step.want, none) {
			t.Errorf("%s asks %s (locale %q, home %q), and reads %q, want %s", step.who.Name, step.line, step.locale, step.home, got, step.want)
		}
	}
	if got := ask(ann, "/settings speak:tlh", "", ""); !strings.Contains(got, "tlh") {
		t.Errorf("a language that there isn't: %q", got)
	}

	ask(mod, "/settings for:channel speak:de", "", "")
	stop := w.Run()
	ask(ann, "/new seats:2", "fr", "")
	synctest.Wait()
	stop()
	post := w.Posts.Take()[0].Text.String()
	if begin, _, _ := strings.Cut(in("de", text.Say("{host} wants to play: {settings}.", "Ann", "§")), "§"); !strings.HasPrefix(post, begin) {
		t.Errorf("the channel's language is German, and this was posted: %q", post)
	}
}

// A private message is in the language that the platform knows for its recipient, or rather in the
// one they chose; so is its picture, whenever it is drawn.
func TestPrivateMessagesUseRecipientsLanguage(t *testing.T) {
	synctest.Test(t, testPrivateMessagesSpeakTheirs)
}

func testPrivateMessagesSpeakTheirs(t *testing.T) {
	locales := allLocales(t)
	w := newWorld(t, featuretest.Pictures(t), func(c *host.Config) {
		c.Locales = locales
		c.Platforms = func() []bot.Platform {
			return []bot.Platform{{Name: "test", Locale: func(_ context.Context, who game.PlayerID) string {
				return map[game.PlayerID]string{"test:ann": "de-DE", "test:bob": "fr"}[who]
			}}}
		}
	})
	ann, bob := bottest.People["ann"], bottest.People["bob"]
	for _, line := range []string{"/settings dm:on", "/new seats:2"} {
		w.Does(ann, line)
	}
	for _, line := range []string{"/settings dm:on speak:pl", "/join"} {
		w.Does(bob, line)
	}
	stop := w.Run()
	synctest.Wait()
	stop()
	private := map[game.PlayerID]string{}
	for _, m := range w.Posts.Take() {
		if m.To != nil {
			private[m.To.ID] += m.Text.String()
			picture, err := w.Host.Picture(t.Context(), posted(m), false)
			if err != nil || picture.Alt.String() != m.Picture.Alt.String() {
				t.Errorf("%s was sent %q, and is shown %v later, %v", m.To.Name, m.Picture.Alt, picture, err)
			}
		}
	}
	for who, text := range private {
		if want := map[game.PlayerID]string{ann.ID: "Deine Bank", bob.ID: "Twój stojak"}[who]; !strings.Contains(text, want) {
			t.Errorf("%s reads %q in private, without %q", who, text, want)
		}
	}
	if len(private) == 0 {
		t.Error("nobody is sent a rack")
	}
}

// If a platform knows people's languages only from their requests, unrequested messages use that of
// the last request.
func TestPrivateMessagesUseLastLanguage(t *testing.T) {
	synctest.Test(t, testPrivateMessagesSpeakTheLanguageLastSeen)
}

func testPrivateMessagesSpeakTheLanguageLastSeen(t *testing.T) {
	locales := allLocales(t)
	w := newWorld(t, func(c *host.Config) {
		c.Locales = locales
		c.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "test", Cards: true}} }
	})
	ask := func(who bot.User, line, locale string) {
		t.Helper()
		req := w.Request(who, line)
		req.Locale, req.Home, req.HomeLocale = locale, "test:home", "es"
		if r := w.Host.Handle(t.Context(), req); r.Refused {
			t.Fatal(r.Text)
		}
	}
	ann, bob, cat := bottest.People["ann"], bottest.People["bob"], bottest.People["cat"]
	ask(ann, "/settings dm:on", "fr")
	ask(ann, "/new seats:4", "de-DE")
	ask(bob, "/settings dm:on", "pl")
	ask(bob, "/join", "ko") // which the host doesn't speak
	ask(cat, "/settings dm:on", "pl")
	ask(cat, "/join", "")
	ask(bottest.People["dan"], "/join", "")
	stop := w.Run()
	synctest.Wait()
	stop()
	private := map[game.PlayerID]string{}
	for _, m := range w.Posts.Take() {
		if m.To != nil {
			private[m.To.ID] += m.Text.String()
		}
	}
	for who, want := range map[game.PlayerID]string{ann.ID: "Deine Bank", bob.ID: "Tu atril", cat.ID: "Twój stojak"} {
		if !strings.Contains(private[who], want) {
			t.Errorf("%s reads %q in private, without %q", who, private[who], want)
		}
	}
}

// Pictures and text files are in the language of their readers: the place's in posts, the person's
// in private replies.
func TestPicturesUseReadersLanguage(t *testing.T) { synctest.Test(t, testPicturesSpeak) }

func testPicturesSpeak(t *testing.T) {
	locales := allLocales(t)
	w := newWorld(t, func(c *host.Config) { c.Locales = locales })
	ann, bob, mod := bot.User{ID: "test:ann", Name: "Ann"}, bot.User{ID: "test:bob", Name: "Bob"}, bot.User{ID: "test:mod", Name: "Mod"}
	ask := func(who bot.User, line, locale string) bot.Reply {
		t.Helper()
		req := w.Request(who, line)
		req.Locale, req.Home, req.Manager = locale, "test:home", who == mod
		reply := w.Host.Handle(t.Context(), req)
		if reply.Refused {
			t.Fatalf("%s: %s", line, reply.Text)
		}
		return reply
	}
	ask(mod, "/settings for:channel speak:de", "")
	ask(ann, "/new seats:2", "fr")
	ask(bob, "/join", "pl")
	french, polish := ann, bob // the player who begins is French
	if sight, err := w.Host.Sight(t.Context(), bot.Request{Channel: featuretest.Parlour, User: ann}); err != nil {
		t.Fatal(err)
	} else if !sight.Own.Turn {
		french, polish = bob, ann
	}
	ask(french, "/exchange "+strings.ReplaceAll(ask(french, "/rack", "fr").Text.String()[len("Ton chevalet : "):], " ", "")[:2], "fr")
	stop := w.Run()
	synctest.Wait()
	stop()
	posts := w.Posts.Take()
	want := func(what, text string, has ...string) {
		t.Helper()
		for _, one := range has {
			if !strings.Contains(text, one) {
				t.Errorf("%s lacks %q: %q", what, one, text)
			}
		}
	}
	posts = slices.DeleteFunc(posts, func(m bot.Message) bool { return m.To != nil || m.Picture == nil })
	want("the posted board", posts[len(posts)-1].Picture.Alt.String(), french.Name+" tauschte 2 Steine.", polish.Name+" 0, am Zug", "Steine im Beutel.", "Das Brett ist leer.")
	want("the Polish rack", ask(polish, "/rack", "pl").Picture.Alt.String(), "Twój stojak:", "Twój wynik: 0", "niewidoczne: ")
	want("the French board", ask(french, "/board picture", "fr").Picture.Alt.String(), french.Name+" a échangé 2 jetons.", "doit jouer", "jetons dans le sac.")
	want("the French list", ask(french, "/history", "fr").Text.String(), "1. "+french.Name+"  échange 2 jetons +0 = 0")
}

// Without a home, as in direct messages, posts are in the language of the person who gives the
// commands.
func TestConversationUsesSendersLanguage(t *testing.T) { synctest.Test(t, testOwnConversationSpeaks) }

func testOwnConversationSpeaks(t *testing.T) {
	locales := allLocales(t)
	w := newWorld(t, func(c *host.Config) { c.Locales = locales })
	ann := bot.User{ID: "test:ann", Name: "Ann"}
	req := w.Request(ann, "/new")
	req.Locale = "es-MX"
	if r := w.Host.Handle(t.Context(), req); r.Refused {
		t.Fatal(r.Text)
	}
	stop := w.Run()
	synctest.Wait()
	stop()
	if post := w.Posts.Take()[0].Text.String(); !strings.HasPrefix(post, "Ann quiere jugar") {
		t.Errorf("in Ann's own conversation, in Spanish: %q", post)
	}
}

// If the language of a place is unknown, as in the room, its posts are in the language of the first
// person who requested something there.
func TestPlaceUsesFirstSendersLanguage(t *testing.T) {
	synctest.Test(t, testPlaceSpeaksAsTheFirstWhoCame)
}

func testPlaceSpeaksAsTheFirstWhoCame(t *testing.T) {
	locales := allLocales(t)
	w := newWorld(t, func(c *host.Config) { c.Locales = locales })
	for _, step := range []struct{ name, line, locale, home, post string }{
		{"Ann", "/new", "es-MX", "", "Ann quiere jugar"},
		{"Bob", "/leave", "en-GB", "", ""},
		{"Ann", "/leave", "es-MX", "", ""},
		{"Bob", "/new", "en-GB", "", "Bob quiere jugar"},
		{"Bob", "/leave", "en-GB", "", ""},
		{"Bob", "/new", "en-GB", "de", "Bob will spielen"}, // the platform reports it now
	} {
		req := w.Request(bot.User{ID: game.PlayerID("test:" + step.name), Name: step.name}, step.line)
		req.Locale, req.Home, req.HomeLocale = step.locale, "test:home", step.home
		w.Host.Handle(t.Context(), req)
		stop := w.Run()
		synctest.Wait()
		stop()
		if posts := w.Posts.Take(); step.post != "" && (len(posts) == 0 || !strings.HasPrefix(posts[0].Text.String(), step.post)) {
			t.Errorf("%s %s: posted %v, want %q", step.name, step.line, posts, step.post)
		}
	}
}

// A request whose sender has left causes no error of the host.
func TestLanguageOfDepartedSender(t *testing.T) {
	locales := allLocales(t)
	var log strings.Builder
	w := newWorld(t, func(c *host.Config) {
		c.Locales, c.Log, c.Notes = locales, slog.New(slog.NewTextHandler(&log, nil)), leftTables{c.Notes}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.Host.LocaleFor(ctx, bot.Request{Channel: featuretest.Parlour, User: bot.User{ID: "test:ann"}})
	if log.Len() > 0 {
		t.Errorf("the log has %s", log.String())
	}
}

// leftTables has notes that can't be read once nobody waits for the answer.
type leftTables struct{ bot.Notes }

func (n leftTables) Get(ctx context.Context, shelf, key string) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return n.Notes.Get(ctx, shelf, key)
}

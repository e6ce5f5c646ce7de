package features_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/tongue"
	"github.com/rackmate/rackmate/data"
)

// People are answered in the language that they chose, else in the one that their
// platform knows of them, else in the place's; what is posted is in the place's.
func TestWhoReadsWhat(t *testing.T) { synctest.Test(t, testWhoReadsWhat) }

func testWhoReadsWhat(t *testing.T) {
	tongues, err := tongue.Load(data.Sentences())
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, func(c *host.Config) { c.Tongues = tongues })
	ann, bob, mod := bot.User{ID: "test:ann", Name: "Ann"}, bot.User{ID: "test:bob", Name: "Bob"}, bot.User{ID: "test:mod", Name: "Mod"}
	ask := func(who bot.User, line, locale, home string) string {
		t.Helper()
		req := w.request(who, line)
		req.Locale, req.Home, req.HomeLocale, req.Manager = locale, "test:home", home, who == mod
		return w.host.Handle(t.Context(), req).Text.String()
	}
	in := func(code string, text bot.Text) string {
		t.Helper()
		to, ok := tongues.Called(code)
		if !ok {
			t.Fatalf("no %s", code)
		}
		return text.In(to).String()
	}
	none := bot.Say("There is no table in this channel. {new} opens one.", bot.Code("/new"))
	for _, step := range []struct {
		who                bot.User
		line, locale, home string
		want               string // the language of the answer
	}{
		{ann, "/board", "", "", "en"},
		{ann, "/board", "en-US", "de", "en"},
		{ann, "/board", "de-AT", "", "de"},
		{ann, "/board", "pt-PT", "", "pt"},
		{ann, "/board", "xx", "", "de"}, // the home's, as it was said before
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
	stop := w.run()
	ask(ann, "/new seats:2", "fr", "")
	synctest.Wait()
	stop()
	post := w.posts.take()[0].Text.String()
	if begin, _, _ := strings.Cut(in("de", bot.Say("{host} opens a table: {settings}.", "Ann", "§")), "§"); !strings.HasPrefix(post, begin) {
		t.Errorf("the channel's language is German, and this was posted: %q", post)
	}
}

package web_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

func TestSayFindsMentions(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann Lee"), s.enter("Bob")
	s.enter("Ann")
	n := bob.say("general", "  <b>hi</b> @ann lee and @Ann, not bob@Ann.example or @Annabel\r\nsecond line\x00 ")
	got := ann.messages("general", 0)
	if len(got) != 1 || got[0].Number != n || n != 1 || got[0].From.ID != bob.ID || got[0].From.Name != "Bob" {
		t.Fatalf("got %+v", got)
	}
	if want := "<b>hi</b> @Ann Lee and @Ann, not bob@Ann.example or @Annabel\nsecond line"; got[0].text() != want {
		t.Errorf("text is %q, want %q", got[0].text(), want)
	}
	var named []string
	for _, span := range got[0].Text {
		if span.Notify {
			named = append(named, span.Text)
		}
	}
	if fmt.Sprint(named) != "[@Ann Lee @Ann]" {
		t.Errorf("it names %q, want @Ann Lee and @Ann", named)
	}
}

// A mention ends at the end of a word: "@Ann Leeds" mentions Ann, although there is an Ann
// Lee.
func TestMentionEndsWithWord(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann Lee"), s.enter("Bob")
	s.enter("Ann")
	bob.say("general", "@Ann Leeds and @Ann Lee, too")
	var named []string
	for _, span := range ann.messages("general", 0)[0].Text {
		if span.Notify {
			named = append(named, span.Text)
		}
	}
	if fmt.Sprint(named) != "[@Ann @Ann Lee]" {
		t.Errorf("it names %q, want @Ann and @Ann Lee", named)
	}
}

// A name of the maximum length is found, at the end of the text or before more text.
func TestLongestNameIsMentioned(t *testing.T) {
	s := open(t)
	name := strings.Repeat("Éva ", 7) + "Éa"
	s.enter(name)
	bob := s.enter("Bob")
	for _, said := range []string{"@" + name, "Hello @" + name + ", how are you?"} {
		bob.say("general", said)
		all := bob.messages("general", 0)
		named := ""
		for _, span := range all[len(all)-1].Text {
			if span.Notify {
				named += span.Text
			}
		}
		if named != "@"+name {
			t.Errorf("%q names %q", said, named)
		}
	}
}

// A browser that got no answer retries with the same id.
func TestRepeatedMessageIsSaidOnce(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	in := obj{"stream": "general", "id": "same-id-1", "text": "hello"}
	first := call[struct{ Number uint64 }](ann, "say", in)
	bob.say("general", "hi")
	s.restart()
	again := call[struct{ Number uint64 }](ann, "say", in)
	if first != again {
		t.Errorf("said as %v and again as %v", first, again)
	}
	// The same id from another person is another message.
	call[obj](bob, "say", in)
	if got := ann.messages("general", 0); len(got) != 3 {
		t.Errorf("%d messages, want 3", len(got))
	}
	for _, id := range []string{"", "short", strings.Repeat("x", 41), "with space", "dot.dot.dot"} {
		ann.refused("say", obj{"stream": "general", "id": id, "text": "hello"}, 422)
	}
}

func TestMessagesComeInPages(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	for i := range 120 {
		ann.say("general", fmt.Sprint(i+1))
		s.clock.pass(time.Second)
	}
	want, before := uint64(120), uint64(0)
	for _, size := range []int{50, 50, 20, 0} {
		page := ann.messages("general", before)
		if len(page) != size {
			t.Fatalf("page before %d has %d messages, want %d", before, len(page), size)
		}
		for i := len(page) - 1; i >= 0; i-- {
			if page[i].Number != want || page[i].text() != fmt.Sprint(want) {
				t.Fatalf("message %d says %q, want %d", page[i].Number, page[i].text(), want)
			}
			want--
		}
		if size > 0 {
			before = page[0].Number
		}
	}
}

func TestChannelNamesAreTidied(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	type info struct{ ID string }
	for _, test := range []struct{ name, id string }{
		{"late-night", "late-night"},
		{"# Late  Night", "late-night"},
		{"Club2", "club2"},
		{"größe", "größe"},
	} {
		if got := call[info](ann, "channels", obj{"name": test.name}); got.ID != test.id {
			t.Errorf("channel %q is made as %q, want %q", test.name, got.ID, test.id)
		}
	}
	for _, name := range []string{"", "#", "a.b", "dm." + bob.ID, "a/b", "a--b", "-a", "a_b", strings.Repeat("x", 31), "<b>"} {
		ann.refused("channels", obj{"name": name}, 422)
		s.clock.pass(time.Second)
	}
	bob.say("late-night", "hi")
	if got := ann.messages("late-night", 0); len(got) != 1 {
		t.Errorf("late-night has %d messages, want 1", len(got))
	}
	ann.refused("say", obj{"stream": "nowhere", "id": newID(), "text": "hi"}, 404)
}

func TestDirectMessages(t *testing.T) {
	s := open(t)
	ann, bob, eve := s.enter("Ann"), s.enter("Bob"), s.enter("Eve")
	type info struct{ ID, Kind, With string }
	direct := call[info](ann, "direct", obj{"person": bob.ID})
	if back := call[info](bob, "direct", obj{"person": ann.ID}); back.ID != direct.ID || back.With != ann.ID || direct.With != bob.ID || back.Kind != "direct" {
		t.Errorf("Ann has %+v, Bob %+v", direct, back)
	}
	ann.say(direct.ID, "psst")
	if got := bob.messages(direct.ID, 0); len(got) != 1 || got[0].text() != "psst" {
		t.Errorf("Bob reads %+v", got)
	}
	for _, stream := range []string{direct.ID, "dm." + ann.ID, "dm." + ann.ID + "." + eve.ID + "x", "dm." + eve.ID + "." + eve.ID, "dm.", "dm." + ann.ID + "." + bob.ID + "." + eve.ID,
		"x." + eve.ID, "x." + min(ann.ID, eve.ID) + "." + max(ann.ID, eve.ID), "general." + eve.ID} {
		eve.refused("messages", obj{"stream": stream}, 404)
		eve.refused("say", obj{"stream": stream, "id": newID(), "text": "hi"}, 404)
		eve.refused("press", obj{"stream": stream, "id": newID(), "button": "1:1:1:pass:"}, 404)
		eve.refused("complete", obj{"stream": stream, "line": "/rack "}, 404)
		eve.refused("read", obj{"stream": stream, "number": 1}, 404)
	}
	// The conversation with the host accepts commands, but no messages.
	eve.refused("say", obj{"stream": "dm." + eve.ID, "id": newID(), "text": "hi"}, 422)
	if got := eve.command("dm."+eve.ID, "/help"); got.text() != "Done." {
		t.Errorf("a command to the host alone is answered %q", got.text())
	}
	eve.refused("direct", obj{"person": eve.ID}, 422)
	eve.refused("direct", obj{"person": "nobody"}, 422)

	call[obj](bob, "leave", obj{})
	if got := ann.messages(direct.ID, 0); len(got) != 1 {
		t.Errorf("after Bob left Ann reads %+v", got)
	}
	ann.refused("say", obj{"stream": direct.ID, "id": newID(), "text": "come back"}, 422)
}

func TestRepeatedPostIsOneMessage(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	m := bot.Message{
		Key: "12-3", Channel: "web:general", Table: 12, Number: 7,
		Text: text.Text{
			{Text: "Bob", Person: bob.user().ID}, {Text: " plays "}, {Text: "HORN", Strong: true}, {Text: " at "}, {Text: "8H", Code: true},
			{Text: ". Your turn, "}, {Text: "Ann", Person: ann.user().ID, Notify: true},
		},
		Picture: &bot.Picture{Alt: text.Say("The board after HORN."), PNG: somePNG(t, 40, 50)},
		Buttons: []bot.Button{{ID: "1:12:7:rack:", Label: text.Say("My rack")}, {ID: "1:12:7:challenge:", Label: text.Say("Challenge"), Style: bot.Danger}, {ID: "1:12:7:join:", Label: text.Say("Join"), Style: bot.Primary}},
	}
	s.post(m)
	s.post(m)
	s.restart()
	s.post(m)
	all := ann.messages("general", 0)
	if len(all) != 1 {
		t.Fatalf("posting three times makes %d messages, want 1", len(all))
	}
	got := all[0]
	if got.From != nil || got.text() != "Bob plays HORN at 8H. Your turn, Ann" || got.Text[0].Person != bob.ID || !got.Text[2].Strong || !got.Text[4].Code || !got.Text[6].Notify {
		t.Errorf("got %+v", got)
	}
	if p := got.Picture; p == nil || p.Alt != m.Picture.Alt.String() || p.Width != 40 || p.Height != 50 {
		t.Fatalf("got picture %+v", p)
	}
	var styles []string
	for _, b := range got.Buttons {
		styles = append(styles, b.Label+" "+b.Style)
	}
	if fmt.Sprint(styles) != "[My rack  Challenge danger Join primary]" {
		t.Errorf("got buttons %q", styles)
	}

	w := bob.do("GET", got.Picture.Dark, nil)
	if w.Code != 200 || w.Body.String() != string(m.Picture.PNG)+"dark" {
		t.Errorf("the picture for a dark screen is answered %d, %d bytes", w.Code, w.Body.Len())
	}
	darkTag := w.Header().Get("ETag")
	w = bob.do("GET", got.Picture.Src, nil)
	if w.Code != 200 || w.Header().Get("Content-Type") != "image/png" || !bytes.Equal(w.Body.Bytes(), m.Picture.PNG) {
		t.Errorf("the picture is answered %d, %s, %d bytes", w.Code, w.Header().Get("Content-Type"), w.Body.Len())
	}
	if c := w.Header().Get("Cache-Control"); !strings.Contains(c, "private") || !strings.Contains(c, "immutable") {
		t.Errorf("the picture's Cache-Control is %q", c)
	}
	if tag := w.Header().Get("ETag"); tag == "" || tag == darkTag {
		t.Errorf("the picture's ETag is %q, for a dark screen %q", tag, darkTag)
	} else {
		again := bob.request("GET", got.Picture.Src, nil)
		again.Header.Set("If-None-Match", tag)
		if code := newRecorder(s, again).Code; code != 304 {
			t.Errorf("the picture that the browser has is answered %d, want 304", code)
		}
	}
	if code := newRecorder(s, httptest.NewRequest("GET", "http://localhost"+got.Picture.Src, nil)).Code; code != 401 {
		t.Errorf("without a name the picture is answered %d, want 401", code)
	}
}

// An edit changes a post in place: listeners receive it, and later readers see it. It
// creates no new message, and mentions notify no one again.
func TestEditChangesPostInPlace(t *testing.T) {
	s := open(t)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	m := bot.Message{
		Key: "1-2", Channel: "web:general", Table: 1, Number: 2, Text: plain("0 of 2"), Picture: &bot.Picture{Alt: text.Say("The board"), PNG: somePNG(t, 40, 50)},
		Buttons: []bot.Button{{ID: "1:1:2:submit:", Label: text.Say("Submit")}, {ID: "1:1:2:rack:", Label: text.Say("My rack")}},
	}
	s.post(m)
	ann.say("general", "hurry")
	e := ann.listen(server)
	m.Edit, m.Text = true, plain("1 of 2")
	s.post(m)
	heard := next[message](e, "edit")
	for _, got := range []message{heard, bob.messages("general", 0)[0]} {
		if got.text() != "1 of 2" || got.Number != 1 || got.Picture == nil || len(got.Buttons) != 2 {
			t.Errorf("it is %+v", got)
		}
	}
	// A button that needs an argument begins a command in the message box.
	if b := heard.Buttons; b[0].Type != "/submit " || b[1].Type != "" {
		t.Errorf("the buttons are %+v", b)
	}
	if n := len(bob.messages("general", 0)); n != 2 {
		t.Errorf("%d messages", n)
	}
}

// A standing message remains one line, whatever follows it, until a new one is requested.
// Its buttons change with its text.
func TestStandingMessageIsOneLine(t *testing.T) {
	s := open(t)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	ann := s.enter("Ann")
	list := func(key, words, button string) {
		t.Helper()
		m := bot.Message{Key: key, Channel: "web:general", Standing: "games", Anew: key == "4", Text: plain(words), Buttons: []bot.Button{{ID: "1:1:2:rack:", Label: text.Plain(button)}}}
		for range 2 {
			s.post(m)
		}
	}
	list("1", "One game", "A")
	ann.say("general", "hurry")
	e := ann.listen(server)
	list("2", "Two games", "B")
	list("3", "Three games", "C")
	for _, want := range []string{"Two games", "Three games"} {
		if got := next[message](e, "edit"); got.text() != want || got.Number != 1 {
			t.Errorf("the page hears %+v, want %q in line 1", got, want)
		}
	}
	list("4", "Four games", "D")
	var said []string
	for _, m := range ann.messages("general", 0) {
		line := m.text()
		for _, b := range m.Buttons {
			line += " " + b.Label
		}
		said = append(said, line)
	}
	if want := []string{"Three games C", "hurry", "Four games D"}; !slices.Equal(said, want) {
		t.Errorf("the channel has %q, want %q", said, want)
	}
}

// No other person can see the host's private messages.
func TestPrivatePostsAreHidden(t *testing.T) {
	s := open(t)
	ann, bob := s.enter("Ann"), s.enter("Bob")
	s.post(bot.Message{
		Key: "1-2", Channel: "web:general", To: ann.user(), Table: 1, Number: 2,
		Text: plain("Your rack: AEINRS?"), Picture: &bot.Picture{Alt: text.Say("Your rack: AEINRS?"), PNG: somePNG(t, 70, 10)},
	})
	got := ann.messages("dm."+ann.ID, 0)
	if len(got) != 1 || got[0].About != "general" || got[0].text() != "Your rack: AEINRS?" {
		t.Fatalf("Ann reads %+v", got)
	}
	src := got[0].Picture.Src
	if code := ann.do("GET", src, nil).Code; code != 200 {
		t.Errorf("Ann gets her picture with %d", code)
	}
	file := src[strings.LastIndex(src, "/")+1:]
	for _, path := range []string{src, got[0].Picture.Dark, "/pictures/general/" + file, "/pictures/dm." + bob.ID + "/" + file} {
		if code := bob.do("GET", path, nil).Code; code != 404 {
			t.Errorf("Bob gets %s with %d, want 404", path, code)
		}
	}
	bob.refused("messages", obj{"stream": "dm." + ann.ID}, 404)
	if got := bob.messages("general", 0); len(got) != 0 {
		t.Errorf("the channel has %+v", got)
	}
}

// A picture has only one address.
func TestPictureHasOneAddress(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	call[obj](ann, "channels", obj{"name": "attic"})
	board := &bot.Picture{Alt: text.Say("The board"), PNG: somePNG(t, 40, 50)}
	ann.say("general", "a line without a picture")
	s.post(bot.Message{Key: "1-1", Channel: "web:general", Table: 1, Number: 1, Text: plain("A board"), Picture: board})
	s.post(bot.Message{Key: "1-2", Channel: "web:general", Table: 1, Number: 2, Text: plain("Words only"), Picture: &bot.Picture{Alt: text.Say("In words")}})
	s.post(bot.Message{Key: "1-3", Channel: "web:general", Table: 1, Number: 3, Text: plain("One that the host can't draw any more"), Picture: board})
	delete(s.host.pictures, bot.Posted{Channel: "web:general", Table: 1, Number: 3})
	all := ann.messages("general", 0)
	src := all[1].Picture.Src
	if p := all[2].Picture; p.Src != "" || p.Dark != "" || p.Alt != "In words" {
		t.Errorf("words only are %+v", p)
	}
	if code := ann.do("GET", src, nil).Code; code != 200 {
		t.Fatalf("%s is answered %d", src, code)
	}
	stamp := src[strings.Index(src, "-"):]
	for what, path := range map[string]string{
		"another channel's":                  "/pictures/attic/2" + stamp,
		"no channel's":                       "/pictures/cellar/2" + stamp,
		"of a line without":                  "/pictures/general/1" + stamp,
		"of words only":                      "/pictures/general/3" + stamp,
		"of what can't be drawn":             all[3].Picture.Src,
		"of a line to come":                  "/pictures/general/5" + stamp,
		"of line 0":                          "/pictures/general/0" + stamp,
		"of the largest number":              "/pictures/general/18446744073709551615" + stamp,
		"of a larger one":                    "/pictures/general/18446744073709551616" + stamp,
		"of another room that was here once": "/pictures/general/2-1.png",
		"of a hash, as there once were":      "/pictures/general/" + strings.Repeat("ab", 32) + ".png",
	} {
		if w := ann.do("GET", path, nil); w.Code != 404 || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("a picture %s is answered %d, %q", what, w.Code, w.Header().Get("Cache-Control"))
		}
	}
	if log := s.log.String(); strings.Contains(log, "level=ERROR") {
		t.Errorf("the log has errors:\n%s", log)
	}
}

// A line written when pictures were still stored is drawn like others, or shown as text.
func TestOldLinesPictureStillShows(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	old := `{"v":1,"at":"2026-02-01T10:00:00Z","text":[{"text":"A move"}],"picture":{"hash":"` + strings.Repeat("ab", 32) + `","alt":"The board","width":40,"height":50},"table":7,"events":3}`
	s.write("general", "post.7-3", []byte(old))
	p := ann.messages("general", 0)[0].Picture
	if p.Alt != "The board" {
		t.Errorf("it reads %+v", p)
	}
	if code := ann.do("GET", p.Src, nil).Code; code != 404 {
		t.Errorf("a table that is gone is drawn: %d", code)
	}
	s.host.draws(bot.Message{Channel: "web:general", Table: 7, Number: 3, Picture: &bot.Picture{PNG: somePNG(t, 40, 50)}})
	if code := ann.do("GET", p.Src, nil).Code; code != 200 {
		t.Errorf("the picture is answered %d", code)
	}
}

// Pictures are drawn again for each browser, and never stored.
func TestPicturesArentStored(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	png := somePNG(t, 400, 500)
	s.post(bot.Message{Key: "1-1", Channel: "web:general", Table: 1, Number: 1, Text: plain("A board"), Picture: &bot.Picture{Alt: text.Say("The board"), PNG: png}})
	s.post(bot.Message{Key: "1-2", Channel: "web:general", To: ann.user(), Table: 1, Number: 1, Text: plain("Rack"), Picture: &bot.Picture{Alt: text.Say("Your rack"), PNG: png}})
	for _, stream := range []string{"general", "dm." + ann.ID} {
		lines, err := notes.Log("said/"+stream).Read(t.Context(), s.notes, 0, 1)
		if err != nil || len(lines) != 1 || len(lines[0].Data) > 300 {
			t.Errorf("%s: %v, %d lines: a line is larger than its words", stream, err, len(lines))
		}
		if keys, err := s.notes.Keys(t.Context(), "pictures/"+stream); err != nil || len(keys) > 0 {
			t.Errorf("%s: %v, %d pictures are kept", stream, err, len(keys))
		}
	}
}

func TestUndeliverablePosts(t *testing.T) {
	s := open(t)
	gone := s.enter("Ann")
	call[obj](gone, "leave", obj{})
	for what, m := range map[string]bot.Message{
		"no such channel":  {Key: "1-1", Channel: "web:nowhere"},
		"who left":         {Key: "1-2", Channel: "web:general", To: gone.user()},
		"another platform": {Key: "1-3", Channel: "web:general", To: &bot.User{ID: "discord:1"}},
	} {
		err := s.current().Post(t.Context(), m)
		var failed *bot.PostError
		if !errors.As(err, &failed) || !failed.Permanent {
			t.Errorf("%s: error %q, want a permanent one", what, errText(err))
		}
	}
	if err := s.current().Post(t.Context(), bot.Message{Key: "1-4", Channel: "discord:1"}); err == nil {
		t.Error("a post for another platform is taken")
	}
}

func TestUnreadCounts(t *testing.T) {
	s := open(t)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	t.Cleanup(func() { s.current().Close() })
	ann := s.enter("Ann")
	ann.say("general", "before Bob came")
	bob := s.enter("Bob")
	type greeting struct {
		Streams []struct {
			ID, Kind           string
			Last, Read, Unread uint64
			Mentions           int
		}
		People []struct {
			ID, Name string
			Here     bool
		}
	}
	unread := func(v *visitor) string {
		t.Helper()
		e := v.listen(server)
		defer e.close()
		var b strings.Builder
		for _, s := range next[greeting](e, "hello").Streams {
			if s.Kind == "host" {
				s.ID = "host"
			} else if s.Kind == "direct" {
				s.ID = "direct"
			}
			fmt.Fprintf(&b, "%s %d/%d ", s.ID, s.Unread, s.Mentions)
		}
		return strings.TrimSpace(b.String())
	}
	check := func(what string, v *visitor, want string) {
		t.Helper()
		if got := unread(v); got != want {
			t.Errorf("%s: unread/mentions of %s: %s, want %s", what, v.Name, got, want)
		}
	}
	check("new here", bob, "general 0/0 host 0/0")
	ann.say("general", "hello @Bob")
	ann.say("general", "hello all")
	check("two messages", bob, "general 2/1 host 0/0")
	check("own messages", ann, "general 0/0 host 0/0")
	s.post(bot.Message{Key: "1-1", Channel: "web:general", To: bob.user(), Text: plain("Your rack")})
	direct := call[struct{ ID string }](ann, "direct", obj{"person": bob.ID}).ID
	ann.say(direct, "psst")
	call[obj](ann, "channels", obj{"name": "late"})
	ann.say("late", "anybody?")
	check("everywhere", bob, "general 2/1 late 1/0 host 1/0 direct 1/0")
	call[obj](bob, "read", obj{"stream": "general", "number": 2})
	check("read one", bob, "general 1/0 late 1/0 host 1/0 direct 1/0")
	call[obj](bob, "read", obj{"stream": "general", "number": 1})
	call[obj](bob, "read", obj{"stream": "late", "number": 99})
	s.restart()
	check("marks don't go back, or beyond the end", bob, "general 1/0 late 0/0 host 1/0 direct 1/0")
	ann.say("late", "hm")
	check("after the end", bob, "general 1/0 late 1/0 host 1/0 direct 1/0")
	bob.say("late", "yes")
	check("who answers has read", bob, "general 1/0 late 0/0 host 1/0 direct 1/0")
}

// The page reserves space for a picture that isn't drawn yet.
func TestUndrawnPictureHasSpace(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	s.post(bot.Message{Key: "1-1", Channel: "web:general", Table: 1, Number: 1, Text: text.Say("A board."), Picture: &bot.Picture{Alt: text.Say("The board."), Size: image.Pt(30, 20)}})
	if p := ann.messages("general", 0)[0].Picture; p == nil || p.Width != 30 || p.Height != 20 || p.Src == "" {
		t.Errorf("got picture %+v", p)
	}
}

// A lobby's message is edited when people sit down or leave, unless the news calls a player. An
// earlier one that is delivered again changes nothing. The end has a line to fold to.
func TestLobbyIsOneMessage(t *testing.T) {
	s := open(t)
	ann := s.enter("Ann")
	lobby := func(key string, number int, whole text.Text, news text.Text) {
		s.post(bot.Message{Key: key, Channel: "web:general", Table: 7, Number: number, Live: "lobby", Whole: whole, Text: news})
	}
	lobby("1", 1, plain("Ann's table: Ann"), plain("Ann wants to play"))
	ann.say("general", "come!")
	lobby("2", 2, plain("Ann's table: Ann, Bob"), plain("Bob sits down"))
	lobby("3", 3, plain("Ann's table: Ann, Bob, Cat"), plain("Cat sits down"))
	lobby("2", 2, plain("Ann's table: Ann, Bob"), plain("Bob sits down"))
	lobby("4", 4, plain("Ann's table: full"), text.Text{{Text: "Ann", Person: "web:" + bot.PlayerID(ann.ID), Notify: true}})
	s.post(bot.Message{Key: "5", Channel: "web:general", Table: 7, Number: 9, Over: true, Text: plain("Ann wins\nThank you"), Result: plain("Ann wins")})
	var said []string
	all := ann.messages("general", 0)
	for _, m := range all {
		said = append(said, m.text())
	}
	if want := []string{"Ann's table: Ann, Bob, Cat", "come!", "Ann", "Ann wins\nThank you"}; !slices.Equal(said, want) {
		t.Fatalf("the room says %q, want %q", said, want)
	}
	if line := all[3].Line; len(line) != 1 || line[0].Text != "Ann wins" {
		t.Errorf("the end folds to %+v", line)
	}
}

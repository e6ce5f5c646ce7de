package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// Everything that one person can make grow has a limit, and the refusal says what to do
// instead.
func TestGrowthIsLimited(t *testing.T) {
	t.Parallel()
	s, h := ordered(t, web.DoorOpen)
	behind, _ := ordered(t, web.DoorInvite)
	ann := s.enter("Ann")
	s.enter("Bob")
	ask := func(user bot.User, channel, line string) string {
		t.Helper()
		req := bot.Request{ID: newID(), Channel: bot.ChannelID("web:" + channel), User: user, Home: "web:room", Manager: true}
		var refused text.Text
		if req.Command, req.Args, refused = h.Commands().ParseLine(line, nil); refused != nil {
			t.Fatalf("%s: %s", line, refused)
		}
		r := h.Handle(t.Context(), req)
		if !r.Refused {
			return ""
		}
		return r.Text.String()
	}
	post := func(path string, in obj) string {
		t.Helper()
		s.clock.pass(time.Second)
		w := ann.do("POST", "/api/"+path, in)
		var out struct {
			Error string
			Reply message
		}
		decode(t, w, &out)
		if out.Reply.Refused {
			return out.Reply.text()
		}
		return out.Error
	}
	user := func(name string) bot.User { return bot.User{ID: bot.PlayerID("web:" + name), Name: name} }
	ask(user("noter"), "noting", "/new variant:solitaire")
	var codes []string
	// Each function does the i-th thing of its kind, and returns the refusal.
	grows := map[bot.Limit]struct {
		do    func(i int) string
		tells string // what the refusal advises
	}{
		bot.LimitTables:   {func(i int) string { return ask(user("opener"), fmt.Sprint("o", i), "/new") }, "tomorrow"},
		bot.LimitGames:    {func(i int) string { return ask(user("player"), fmt.Sprint("g", i), "/new variant:solitaire") }, "/resign"},
		bot.LimitLines:    {func(i int) string { return post("say", obj{"stream": "general", "id": newID(), "text": "hello"}) }, "can post again"},
		bot.LimitChannels: {func(i int) string { return post("channels", obj{"name": fmt.Sprint("c", i)}) }, "use an existing one"},
		bot.LimitNames:    {func(i int) string { return post("rename", obj{"name": fmt.Sprint("Ann ", i)}) }, "until tomorrow"},
		bot.LimitTalks: {func(i int) string {
			s.clock.pass(time.Minute)
			other := s.enter(fmt.Sprint("Guest ", i))
			return post("say", obj{"stream": dm(ann, other), "id": newID(), "text": "hello"})
		}, "Please wait"},
		bot.LimitInvitations: {func(i int) string {
			steward := behind.current().Platform().Steward
			if i < 5 { // another person's don't count
				if _, no, err := steward.Invite(t.Context(), user("another").ID, "web:general", 1, time.Hour); err != nil || no != nil {
					t.Fatal(no, err)
				}
			}
			_, no, err := steward.Invite(t.Context(), user("inviter").ID, "web:general", 1, time.Hour)
			gametest.Must(t, err)
			return no.String()
		}, "wait until one expires"},
		bot.LimitReports: {func(i int) string {
			return post("say", obj{"stream": "general", "id": newID(), "text": "/report @Bob"})
		}, "tomorrow"},
		bot.LimitBlocks: {func(i int) string {
			return post("press", obj{"stream": "general", "id": newID(), "button": fmt.Sprintf("1:0:0:block:id=web:x%d&name=X", i)})
		}, "lets you unblock one"},
		bot.LimitNotes: {func(i int) string { return ask(user("noter"), "noting", fmt.Sprint("/note line ", i)) }, "/note drop:1"},
		bot.LimitWords: {func(i int) string {
			return ask(user("keeper"), "general", "/words add ZQ"+string(rune('A'+i/26%26))+string(rune('A'+i%26))+"QQ")
		}, "build a list"},
		bot.LimitIdentities: {func(i int) string {
			r := h.Handle(t.Context(), bot.Request{ID: newID(), Channel: "web:general", User: user("me"), Command: "link"})
			for _, span := range r.Text {
				if code, ok := strings.CutPrefix(span.Text, "/link "); ok && span.Code && len(code) == 9 {
					codes = append(codes, code)
				}
			}
			return ask(user(fmt.Sprint("me", i)), "general", "/link "+codes[len(codes)-1])
		}, "/link undo"},
	}
	for _, l := range bot.Limits() {
		g, ok := grows[l]
		if !ok {
			t.Errorf("nothing tries the limit of %s", l.Of)
			continue
		}
		n, refused := 0, ""
		for ; n <= l.Most+l.Most/10+5 && refused == ""; n++ {
			refused = g.do(n)
		}
		if done := n - 1; refused == "" || done < l.Most-1 || !strings.Contains(refused, g.tells) {
			t.Errorf("%s: %d were done, the limit is %d, and then %q, want %q in it", l.Of, done, l.Most, refused, g.tells)
		}
	}
}

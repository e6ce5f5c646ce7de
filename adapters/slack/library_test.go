package slack_test

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"testing"

	library "github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
)

// TestSlackGoRunsAgainstStandIn runs slack-go's own Socket Mode client against the stand-in: it
// connects, receives typed commands and acknowledges them. When asked to reconnect, it
// first ends its connection, so presses in between are lost; therefore we don't use it (see
// TestSocketRefreshHasNoGap). Once this test finds no gap any more, use the
// library's.
func TestSlackGoRunsAgainstStandIn(t *testing.T) {
	s := slacktest.New(slacktest.Options{})
	defer s.Close()
	client := socketmode.New(library.New(slacktest.BotToken, library.OptionAPIURL(s.URL+"/api/"), library.OptionAppLevelToken(slacktest.AppToken)),
		socketmode.OptionLog(log.New(io.Discard, "", 0)))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- client.RunContext(ctx) }()
	typed := make(chan string, 1)
	go func() {
		for e := range client.Events {
			if c, ok := e.Data.(library.SlashCommand); ok {
				typed <- c.Command + " " + c.Text
				if err := client.Ack(*e.Request, map[string]string{"text": "All right."}); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	if !s.Await(func() bool { return s.Connected() == 1 }) {
		t.Fatal("it doesn't connect")
	}
	ack, err := s.Send("slash_commands", map[string]any(s.Type(ann, games, "/rackmate", "rack")))
	var said struct{ Text string }
	if err != nil || json.Unmarshal(ack, &said) != nil || said.Text != "All right." {
		t.Errorf("the acknowledgment is %s (%v)", ack, err)
	}
	if got := <-typed; got != "/rackmate rack" {
		t.Errorf("it hears %q", got)
	}
	// On a busy machine the end of the old connection may be seen after the start of the
	// new one.
	for n := 2; n < 30 && s.Gaps() == 0; n++ {
		s.Refresh()
		if !s.Await(func() bool { return s.Connections() == n && s.Connected() == 1 }) {
			t.Fatal("it doesn't connect anew")
		}
	}
	if s.Gaps() == 0 {
		t.Error("it keeps the old connection until there is another: it would do for us now")
	}
	cancel()
	<-ended
	for _, c := range s.Complaints() {
		t.Errorf("Slack complains: %s", c)
	}
}

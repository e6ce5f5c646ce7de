package discord_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/discord/internal/standin"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// BenchmarkCompletion is "/play at:" from the request to the answer, over
// HTTP. Discord's client shows it while the person types.
func BenchmarkCompletion(b *testing.B) {
	w, feed := newFeeder(b)
	deal(b, w.store, "discord:3", game.Single, strings.Repeat("E", 40), game.Person{ID: "discord:4", Name: "Ann"}, "HORNSA?", game.Person{ID: "discord:5", Name: "Bob"}, "FARMQI?")
	w.host.Handle(b.Context(), bot.Request{ID: "1", Channel: "discord:3", User: game.Person{ID: "discord:4", Name: "Ann"}, Command: "play", Args: map[string]string{"word": "horn", "at": "8h"}})
	body := fmt.Appendf(nil, `{"id":"1","application_id":%q,"type":4,"token":"t","channel_id":"3","user":{"id":"5","username":"Bob"},"data":{"name":"play","type":1,"options":[{"name":"word","value":"farm"},{"name":"at","value":"","focused":true}]}}`, standin.ApplicationID)
	for b.Loop() {
		status, answer := feed(body)
		if status != 200 || !strings.Contains(answer, "across") || !json.Valid([]byte(answer)) {
			b.Fatalf("%d %s", status, answer)
		}
	}
}

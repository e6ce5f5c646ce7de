package features_test

import (
	"fmt"
	"testing"

	"github.com/rackmate/rackmate/bot"
)

// BenchmarkTournament measures commands in a tournament of 32 people at real boards, in a store in
// memory: the director's message, and a result entered and taken back.
func BenchmarkTournament(b *testing.B) {
	w, n := newWorld(b), 0
	does := func(who string, args map[string]string) {
		b.Helper()
		n++
		user := bot.User{ID: bot.PlayerID("test:" + who), Name: who}
		if r := w.Host.Handle(b.Context(), bot.Request{ID: fmt.Sprint("r", n), Channel: parlour, User: user, Command: "tournament", Args: args}); r.Refused {
			b.Fatal(args, r.Text)
		}
	}
	do := func(name string) map[string]string { return map[string]string{"do": name} }
	does("director", map[string]string{"do": "new", "name": "Cup", "rounds": "5", "wait": "never"})
	for i := range 32 {
		does(fmt.Sprintf("p%02d", i), do("join"))
	}
	for _, name := range []string{"close", "pair", "start"} {
		does("director", do(name))
	}
	b.Run("message", func(b *testing.B) {
		for b.Loop() {
			does("director", nil)
		}
	})
	b.Run("result", func(b *testing.B) {
		for b.Loop() {
			does("director", map[string]string{"do": "result", "table": "3", "score": "412-377"})
			does("director", do("undo"))
		}
	})
}

package main

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game/gametest"
)

// BenchmarkMeter is what it costs that the host measures each command and keeps a budget
// for whoever asks: how long a processor works for a command with it and without it, in
// turn in one run, at tables of the program's own lists, and the difference in percent.
// The five commands are those of a game's beginning, on the store that takes least.
func BenchmarkMeter(b *testing.B) {
	runtime.LockOSThread() // whose time is taken: others' work is none of it
	defer runtime.UnlockOSThread()
	newHost := func(metered bool) *host.Host {
		c := &serveConfig{personShare: usualShare}
		config, err := c.hostConfig(slog.New(slog.DiscardHandler))
		gametest.Must(b, err)
		store := memory.New()
		config.Store, config.Notes = store, store.Notes(hostNotes)
		config.Platforms = func() []bot.Platform { return []bot.Platform{{Name: "web"}} }
		if !metered {
			config.CPU, config.PersonShare = nil, 0
		}
		return host.New(config)
	}
	arms := []struct {
		name string
		host *host.Host
		took []time.Duration
	}{{name: "metered-ns/command", host: newHost(true)}, {name: "bare-ns/command", host: newHost(false)}}
	commands := []struct {
		who, command string
		args         map[string]string
	}{
		{"ann", "new", map[string]string{"seats": "2"}},
		{"bob", "join", map[string]string{"sure": "true"}},
		{"ann", "pass", map[string]string{"sure": "true"}},
		{"bob", "pass", map[string]string{"sure": "true"}},
		{"ann", "rack", nil},
	}
	round := 0
	play := func(h *host.Host) (took time.Duration) {
		ctx := bot.AskedBy(context.Background(), bot.Asker{Address: netip.AddrFrom4([4]byte{203, 0, byte(round >> 8), byte(round)})})
		began := cli.ThreadTime()
		for i, c := range commands {
			r := h.Handle(ctx, bot.Request{
				ID: fmt.Sprint(round, " ", i), Channel: bot.ChannelID(fmt.Sprint("web:", round)), Home: "web:room",
				User:    bot.User{ID: bot.PlayerID(fmt.Sprint("web:", c.who, round)), Name: c.who},
				Command: c.command, Args: c.args,
			})
			if r.Refused && c.command != "pass" { // it is the other's turn
				b.Fatalf("/%s: %s", c.command, r.Text)
			}
		}
		return cli.ThreadTime() - began
	}
	for ; round < 20; round++ { // what is made when it is first needed
		for _, arm := range arms {
			play(arm.host)
		}
	}
	for b.Loop() {
		for i := range arms {
			arm := &arms[(i+round)%2] // neither always comes first
			arm.took = append(arm.took, play(arm.host))
		}
		round++
	}
	// Of all rounds the one in the middle, which the collector of garbage didn't meet.
	middle := func(took []time.Duration) float64 {
		slices.Sort(took)
		return float64(took[len(took)/2]) / float64(len(commands))
	}
	metered, bare := middle(arms[0].took), middle(arms[1].took)
	b.ReportMetric(metered, arms[0].name)
	b.ReportMetric(bare, arms[1].name)
	b.ReportMetric(100*(metered/bare-1), "%dearer")
}

package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// BenchmarkDraft measures the tentative score of a play, from the page's request to the
// answer, over HTTP on loopback, while 20 games are being played. It reports the 99th
// percentile in milliseconds as p99-ms, which should be below 20.
func BenchmarkDraft(b *testing.B) {
	h := newHouse(b)
	server := httptest.NewServer(h)
	b.Cleanup(server.Close)
	const games = 20
	g, err := movegen.New(h.lexicon, h.equipment, game.RuleSets()[0])
	gametest.Must(b, err)
	state := func(ch bot.ChannelID) game.State {
		_, events, err := h.db.Table(b.Context(), ch)
		gametest.Must(b, err)
		s, err := game.Replay(events)
		gametest.Must(b, err)
		return s
	}
	type player struct {
		page, cookie string
		play         map[string]string // their best play
	}
	requests := 0
	give := func(ch bot.ChannelID, who bot.User, line string) bot.Reply {
		requests++
		req := bot.Request{ID: fmt.Sprint("draft-", requests), Channel: ch, User: who}
		req.Command, req.Args, _ = h.host.Commands().ParseLine(line, nil)
		return h.host.Handle(b.Context(), req)
	}
	open := func(n int) {
		ch := bot.ChannelID(fmt.Sprint("discord:", n))
		give(ch, cora, "/new seats:2")
		give(ch, dora, "/join")
	}
	ask := func(p *player, path string, in any) (status int, body []byte) {
		out, err := json.Marshal(in)
		gametest.Must(b, err)
		req, err := http.NewRequest(http.MethodPost, server.URL+p.page+path, bytes.NewReader(out))
		gametest.Must(b, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Cookie", p.cookie)
		resp, err := http.DefaultClient.Do(req)
		gametest.Must(b, err)
		defer resp.Body.Close()
		for _, c := range resp.Cookies() {
			p.cookie = c.Name + "=" + c.Value
		}
		var answer bytes.Buffer
		if _, err := answer.ReadFrom(resp.Body); err != nil {
			b.Fatal(err)
		}
		return resp.StatusCode, answer.Bytes()
	}

	// Each request comes from another player at their own game, to stay below the limit per
	// person.
	var all []*player
	for n := range 30 {
		who := bot.User{ID: bot.PlayerID(fmt.Sprint("discord:10", n)), Name: fmt.Sprint("Player ", n)}
		ch := bot.ChannelID(fmt.Sprint("discord:20", n))
		give(ch, who, "/new seats:2")
		give(ch, dora, "/join")
		link := give(ch, who, "/board page:yes").Buttons[0].Link
		page, pass, _ := strings.Cut(strings.TrimPrefix(link, "https://play.example.org"), "#pass=")
		s := state(ch)
		s.Turn = slices.IndexFunc(s.Seats, func(seat game.Seat) bool { return seat.Person.ID == who.ID })
		_, play, _ := h.host.Commands().ParseLine(h.move(g, s).line, nil)
		if play["word"] == "" {
			continue // no play is possible with that rack
		}
		p := &player{page: page, play: play}
		if status, body := ask(p, "/enter", map[string]string{"pass": pass}); status != 200 {
			b.Fatalf("the pass: %d %s", status, body)
		}
		all = append(all, p)
	}
	for n := range games {
		open(n)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for n := 0; ; n = (n + 1) % games {
			select {
			case <-stop:
				return
			default:
			}
			ch := bot.ChannelID(fmt.Sprint("discord:", n))
			s := state(ch)
			if s.Phase != game.Playing {
				for _, who := range []bot.User{cora, dora} {
					give(ch, who, "/pass sure:yes")
				}
				open(n)
				continue
			}
			give(ch, s.Seats[s.Turn].Person, h.move(g, s).line)
		}
	}()

	var times []time.Duration
	for n := 0; b.Loop(); n++ {
		p := all[n%len(all)]
		began := time.Now()
		status, body := ask(p, "/draft", p.play)
		took := time.Since(began)
		if status == http.StatusTooManyRequests {
			b.StopTimer()
			time.Sleep(time.Second)
			b.StartTimer()
			continue
		}
		var draft bot.Draft
		if err := json.Unmarshal(body, &draft); status != 200 || err != nil || draft.Score == 0 {
			b.Fatalf("%v: %d %s", p.play, status, body)
		}
		times = append(times, took)
	}
	close(stop)
	<-stopped
	slices.Sort(times)
	b.ReportMetric(times[len(times)*99/100].Seconds()*1000, "p99-ms")
}

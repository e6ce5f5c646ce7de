package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestPagesReconnect measures, if a flag asks for it, how long pages take to reconnect after the host
// was killed and restarted:
//
//	go test ./cmd/rackmate -run TestPagesReconnect -v -pages 10000
var pagesOpen = flag.Int("pages", 0, "how many pages TestPagesReconnect has open; the process and the host need a file each")

// A lastingPage listens, and reconnects when and as often as the room tells it to.
type lastingPage struct {
	client  *http.Client
	url     string
	cookie  string
	address string
	greeted *atomic.Int64 // number of pages, over all rounds
}

// listen keeps a page connected until ctx is done.
func (p *lastingPage) listen(ctx context.Context) {
	retry := time.Second
	for ctx.Err() == nil {
		p.once(ctx, &retry)
		select {
		case <-ctx.Done():
		case <-time.After(retry):
		}
	}
}

// once keeps a page connected until its connection ends.
func (p *lastingPage) once(ctx context.Context, retry *time.Duration) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url, nil)
	if err != nil {
		panic(err)
	}
	req.Header.Set("Cookie", p.cookie)
	req.Header.Set("X-Forwarded-For", p.address)
	resp, err := p.client.Do(req)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		switch name, value, _ := strings.Cut(strings.TrimSpace(line), ": "); name {
		case "retry":
			if ms, err := strconv.Atoi(value); err == nil {
				*retry = time.Duration(ms) * time.Millisecond
			}
		case "event":
			if value == "hello" {
				p.greeted.Add(1)
			}
		}
	}
}

func TestPagesReconnect(t *testing.T) {
	if *pagesOpen == 0 {
		t.Skip("it measures with -pages 10000")
	}
	const each = 10 // pages open for each person
	s := newProcess(t, "--listen", freePort(t), "--trust-proxy", "127.0.0.1", "--door", "open")
	l := &load{t: t, hosts: []*server{s}, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}, Timeout: time.Minute}}
	people := make([]*loadPlayer, (*pagesOpen+each-1)/each)
	var entering sync.WaitGroup
	for part := range 8 {
		entering.Go(func() {
			for i := part; i < len(people); i += 8 {
				people[i] = &loadPlayer{name: loadName(i), address: fmt.Sprintf("10.1.%d.%d", i/250, i%250)}
				if status := l.post(people[i], "/api/enter", map[string]string{"name": people[i].name}, nil); status != http.StatusOK {
					t.Errorf("%s can't come in: %d", people[i].name, status)
				}
			}
		})
	}
	entering.Wait()
	ctx, stop := context.WithCancel(t.Context())
	var open sync.WaitGroup
	defer open.Wait()
	defer stop()
	var greeted atomic.Int64
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	came := func(what string, began time.Time, before time.Duration) {
		t.Helper()
		for shown := time.Now(); greeted.Load() < int64(*pagesOpen); time.Sleep(50 * time.Millisecond) {
			if time.Since(shown) > 5*time.Second {
				shown = time.Now()
				t.Logf("%s: %d of %d after %.1f s", what, greeted.Load(), *pagesOpen, time.Since(began).Seconds())
			}
			if time.Since(began) > 3*time.Minute {
				t.Fatalf("%s: only %d of %d pages", what, greeted.Load(), *pagesOpen)
			}
		}
		t.Logf("%s: %d pages in %.1f s, %.2f ms of processors each", what, *pagesOpen, time.Since(began).Seconds(), (cpu(s.cmd.Process.Pid)-before).Seconds()*1000/float64(*pagesOpen))
	}
	began := time.Now()
	for i := range *pagesOpen {
		who := people[i/each]
		p := &lastingPage{client, s.base + "/api/live", who.cookie, who.address, &greeted}
		open.Go(func() { p.listen(ctx) })
		if i%20 == 0 {
			time.Sleep(5 * time.Millisecond)
		}
	}
	came("the first time", began, 0)
	// The next heartbeat tells them how many will reconnect.
	time.Sleep(20 * time.Second)
	s.kill()
	greeted.Store(0)
	began = time.Now()
	s.start()
	t.Logf("the host is there after %.1f s", time.Since(began).Seconds())
	came("after a restart", began, 0)
}

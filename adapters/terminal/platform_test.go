package terminal_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rackmate/rackmate/adapters/platformtest"
	"github.com/rackmate/rackmate/adapters/terminal"
	"github.com/rackmate/rackmate/bot"
)

// A screen collects the terminal's output, for tests that wait for it.
type screen struct {
	mu    sync.Mutex
	wrote *sync.Cond
	text  strings.Builder
	ended bool
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.wrote.Broadcast()
	return s.text.Write(b)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// await waits until holds returns true, or until the output ends.
func (s *screen) await(holds func() bool) bool {
	for {
		s.mu.Lock()
		length, ended := s.text.Len(), s.ended
		s.mu.Unlock()
		if holds() || ended {
			return holds()
		}
		s.mu.Lock()
		for s.text.Len() == length && !s.ended {
			s.wrote.Wait()
		}
		s.mu.Unlock()
	}
}

var choice = regexp.MustCompile(`\[(\d+)\] (.*?)  `)

func TestPlatform(t *testing.T) {
	platformtest.Run(t, func(t *testing.T, h bot.Host, _ bot.Notes) *platformtest.Place {
		out := new(screen)
		out.wrote = sync.NewCond(&out.mu)
		in, typed := io.Pipe()
		a := terminal.New(terminal.Config{Host: h, People: []string{"Ann", "Bob"}, Open: "/new", In: in, Out: out, Random: rand.NewChaCha8([32]byte{9})})
		var running sync.WaitGroup
		running.Go(func() {
			if err := a.Run(context.Background()); err != nil {
				t.Errorf("Run: %v", err)
			}
			out.mu.Lock()
			out.ended = true
			out.wrote.Broadcast()
			out.mu.Unlock()
		})
		t.Cleanup(func() { typed.Close(); running.Wait(); a.Wait() })
		say := func(who bot.User, line string) { fmt.Fprintf(typed, "%s: %s\n", who.Name, line) }
		return &platformtest.Place{
			Adapter: a, Channel: "terminal:table", Ann: bot.User{ID: "terminal:1", Name: "Ann"}, Bob: bot.User{ID: "terminal:2", Name: "Bob"},
			Type: say,
			Press: func(who bot.User, label string) {
				// The available choices are listed after the answer.
				out.await(func() bool { return strings.Contains(out.String(), "] "+label+"  ") })
				for _, c := range choice.FindAllStringSubmatch(out.String(), -1) {
					if c[2] == label {
						say(who, c[1])
						return
					}
				}
				t.Errorf("there is no choice %q", label)
			},
			Shows: func(words string) bool { return strings.Contains(out.String(), words) },
			Await: out.await,
		}
	})
}

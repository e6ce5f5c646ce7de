package discord_test

import (
	"context"
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// A slowStore is a store that can be blocked.
type slowStore struct {
	bot.Store
	mu   sync.Mutex
	held chan struct{}
}

func newSlowStore(s bot.Store) *slowStore { return &slowStore{Store: s} }

// hold blocks reads of tables until release is called.
func (s *slowStore) hold() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := make(chan struct{})
	s.held = held
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.held = nil
		close(held)
	}
}

func (s *slowStore) Table(ctx context.Context, ch bot.ChannelID) (bot.TableID, []game.Event, error) {
	s.mu.Lock()
	held := s.held
	s.mu.Unlock()
	if held != nil {
		<-held
	}
	return s.Store.Table(ctx, ch)
}

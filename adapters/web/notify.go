package web

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/adapters/web/push"
	"github.com/rackmate/rackmate/bot"
)

// notifying handles the page's requests about notifications.
type notifying struct{ notifier *push.Notifier }

// key returns the key by which a browser identifies the room.
func (nt notifying) key(ctx context.Context, _ person, _ struct{}) (any, error) {
	key, err := nt.notifier.Key(ctx)
	if errors.Is(err, push.ErrOff) {
		return nil, pages.Refuse("This host sends no notifications to browsers.")
	}
	return map[string]string{"key": key}, err
}

// subscribe turns notifications on for a person's browser.
func (nt notifying) subscribe(ctx context.Context, who person, in push.Subscription) (any, error) {
	err := nt.notifier.Subscribe(ctx, who.ID, in)
	if errors.Is(err, push.ErrService) {
		return nil, pages.Refuse("This browser's notifications use a service that the room doesn't know.")
	}
	return struct{}{}, err
}

// unsubscribe turns notifications off for a person's browser.
func (nt notifying) unsubscribe(ctx context.Context, who person, in push.Subscription) (any, error) {
	return struct{}{}, nt.notifier.Unsubscribe(ctx, who.ID, in)
}

// notify notifies the people mentioned by a post, or its recipient. The host has already
// checked their settings and quiet hours.
func (ch *chat) notify(s stream, n uint64, l storedLine, m bot.Message) {
	whom := map[string]bool{}
	if m.To != nil && m.Kind != "" { // kind "" is a rack, which needs no notification
		whom[strings.TrimPrefix(string(m.To.ID), pages.Platform+":")] = true
	}
	for _, sp := range l.Text {
		if sp.Notify {
			whom[sp.Person] = true
		}
	}
	delete(whom, "")
	opens := s
	if l.About != "" {
		opens = l.About
	}
	ch.notifier.Notify(slices.Collect(maps.Keys(whom)), push.Message{Stream: string(s), Number: n, Opens: string(opens), Text: m.Text.WithoutSmall().String()})
}

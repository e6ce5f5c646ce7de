package web

import (
	"context"
	"errors"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/adapters/web/push"
)

// notificationAPI handles the page's requests about notifications.
type notificationAPI struct{ notifier *push.Notifier }

// key returns the key by which a browser identifies the room.
func (nt notificationAPI) key(ctx context.Context, _ person, _ struct{}) (any, error) {
	key, err := nt.notifier.Key(ctx)
	if errors.Is(err, push.ErrOff) {
		return nil, pages.Refuse("This host sends no notifications to browsers.")
	}
	return map[string]string{"key": key}, err
}

// subscribe turns notifications on for a person's browser.
func (nt notificationAPI) subscribe(ctx context.Context, who person, in push.Subscription) (any, error) {
	err := nt.notifier.Subscribe(ctx, who.ID, in)
	if errors.Is(err, push.ErrService) {
		return nil, pages.Refuse("This browser's notifications use a service that the room doesn't know.")
	}
	return struct{}{}, err
}

// unsubscribe turns notifications off for a person's browser.
func (nt notificationAPI) unsubscribe(ctx context.Context, who person, in push.Subscription) (any, error) {
	return struct{}{}, nt.notifier.Unsubscribe(ctx, who.ID, in)
}

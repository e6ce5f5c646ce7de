package web

import (
	"context"
	"fmt"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
)

// The operator of the host names the room's keepers, at any time. The room reads a person's
// row on each of their requests, so a change takes effect at once, in every process.

// SetKeeper makes the person with a name a keeper of the room stored in the notes, or ends
// that.
func SetKeeper(ctx context.Context, notes bot.Notes, name string, keeper bool) error {
	id, err := notes.Get(ctx, namesShelf, foldName(name))
	if err == nil && id != nil {
		err = changePerson(ctx, notes, string(id), func(p *storedPerson) { p.Keeper = keeper })
	}
	if err == pages.ErrNoName || err == nil && id == nil {
		return fmt.Errorf("nobody in the room is called %q: they come in first, and then you name them", name)
	}
	return err
}

// Keepers lists the names of the keepers of the room stored in the notes.
func Keepers(ctx context.Context, notes bot.Notes) ([]string, error) {
	all, err := (&members{notes: notes}).people(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range all {
		if p.Keeper {
			names = append(names, p.Name)
		}
	}
	return names, nil
}

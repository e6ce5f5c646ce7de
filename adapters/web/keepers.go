package web

import (
	"context"
	"fmt"

	"github.com/rackmate/rackmate/bot"
)

// This file says who keeps the room: whoever runs the host names them, at any
// time. The room looks at what is kept of a person with each of their requests, so
// that counts at once, in every process.

// SetKeeper makes somebody a keeper of the room that is kept in the notes, or
// makes them one no more. They are called by their name there.
func SetKeeper(ctx context.Context, notes bot.Notes, name string, keeper bool) error {
	id, err := notes.Get(ctx, "names", foldName(name))
	if err == nil && id != nil {
		err = changePerson(ctx, notes, string(id), func(p *storedPerson) { p.Keeper = keeper })
	}
	if err == errNoName || err == nil && id == nil {
		return fmt.Errorf("nobody in the room is called %q: they come in first, and then you name them", name)
	}
	return err
}

// Keepers lists the names of those who keep the room that is kept in the notes.
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

package slack

import (
	"context"
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// Kept returns the adapter's data about a person; see [bot.Keeper].
func (a *Adapter) Kept(ctx context.Context, who bot.PlayerID) (map[string]any, error) {
	if _, err := memberOf(who); err != nil {
		return nil, nil
	}
	direct, err := a.Notes.Get(ctx, directShelf, string(who))
	if err != nil {
		return nil, err
	}
	opened, err := a.Notes.Get(ctx, homesShelf, string(who))
	if err != nil {
		return nil, err
	}
	greeted, err := a.Notes.Get(ctx, greetedShelf, string(who))
	if err != nil {
		return nil, err
	}
	return map[string]any{"Slack: was greeted in direct messages": greeted != nil, "Slack: channel of direct messages": string(direct), "Slack: has opened the home page": opened != nil && string(opened) != toldOfHome}, nil
}

// Forget erases a person's data, and their name from the lines to which posts will fold;
// see [bot.Keeper].
func (a *Adapter) Forget(ctx context.Context, who, former bot.User) error {
	m, err := memberOf(who.ID)
	if err != nil {
		return nil
	}
	direct, err := a.Notes.Get(ctx, directShelf, string(who.ID))
	if err != nil {
		return err
	}
	files, err := a.pictures.answersOf(ctx, m)
	if err != nil {
		return err
	}
	for _, file := range files {
		a.pictures.deletePicture(ctx, m.home, file)
	}
	if err := a.pages.forget(ctx, m); err != nil {
		return err
	}
	theirs := place{home: m.home, channel: string(direct)}
	if err := notes.ReadEach(ctx, a.Notes, lastShelf, "", func(row bot.Row) error {
		switch {
		case direct != nil && strings.HasPrefix(row.Key, string(theirs.id())+"\n"):
			where := a.out.outboxPlace(theirs)
			where.Note = row.Key
			return a.out.box.Withdraw(ctx, where)
		case bot.Names(row.Value, who):
			return a.out.box.Forget(ctx, row.Key, who, former)
		}
		return nil
	}); err != nil {
		return err
	}
	for _, shelf := range []string{directShelf, answersShelf, greetedShelf} {
		if err := a.Notes.Put(ctx, shelf, string(who.ID), nil); err != nil {
			return err
		}
	}
	a.people.forget(m)
	return nil
}

// HomeID returns the host's id of a workspace or an organisation such as T0123ABCD.
func HomeID(workspace string) (id string, ok bool) {
	ok = len(workspace) > 1 && (workspace[0] == 'T' || workspace[0] == 'E') && strings.Trim(workspace[1:], "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	return homeID(home(workspace)), ok
}

// ForgetHome removes all data about a home from Slack's notes: its token, and what is known
// about its channels and people. Its people must have been forgotten before.
func ForgetHome(ctx context.Context, n bot.Notes, workspace string) error {
	h := home(workspace)
	ours := func(key string) bool {
		return key == string(h) || strings.HasPrefix(key, string(h)+"/") || key == homeID(h) || strings.HasPrefix(key, homeID(h)+"/")
	}
	// The record of its departure goes last.
	for _, shelf := range []string{lastShelf, asideShelf, bookmarksShelf, blockedShelf, directShelf, homesShelf, answersShelf, greetedShelf, turnsShelf, sharedShelf, takenShelf, installsShelf, leftShelf} {
		if err := notes.ReadEach(ctx, n, shelf, "", func(row bot.Row) error {
			if ours(row.Key) || shelf == sharedShelf && string(row.Value) == string(h) {
				return n.Put(ctx, shelf, row.Key, nil)
			}
			return nil
		}); err != nil {
			return fmt.Errorf("erase Slack's notes about %s: %w", h, err)
		}
	}
	return nil
}

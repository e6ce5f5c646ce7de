package slack

import (
	"context"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// Kept is what the adapter keeps of a person; see [bot.Keeper].
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
	return map[string]any{"Slack: channel of direct messages": string(direct), "Slack: has opened the home page": opened != nil}, nil
}

// Forget removes it, and their name from the lines that posts are to be folded
// to; see [bot.Keeper].
func (a *Adapter) Forget(ctx context.Context, who, former bot.User) error {
	m, err := memberOf(who.ID)
	if err != nil {
		return nil
	}
	direct, err := a.Notes.Get(ctx, directShelf, string(who.ID))
	if err != nil {
		return err
	}
	files, err := a.answersOf(ctx, m)
	if err != nil {
		return err
	}
	for _, file := range files {
		a.deletePicture(ctx, m.home, file)
	}
	for _, shelf := range []string{directShelf, homesShelf, answersShelf} {
		if err := a.Notes.Put(ctx, shelf, string(who.ID), nil); err != nil {
			return err
		}
	}
	theirs := string(place{home: m.home, channel: string(direct)}.id()) + "\n"
	return notes.ReadEach(ctx, a.Notes, lastShelf, "", func(row bot.Row) error {
		switch {
		case direct != nil && strings.HasPrefix(row.Key, theirs):
			a.forgetPictures(ctx, m.home, row.Key)
			return a.Notes.Put(ctx, lastShelf, row.Key, nil)
		case bot.Names(row.Value, who):
			return a.forgetIn(ctx, row.Key, who, former)
		}
		return nil
	})
}

func (a *Adapter) forgetIn(ctx context.Context, note string, who, former bot.User) error {
	defer a.locks.lock("tidy " + note)()
	defer a.locks.lock("post " + note)()
	last, err := a.lastPost(ctx, note)
	if err != nil {
		return err
	}
	last.Line = last.Line.Without(who, former)
	for i := range last.Old {
		last.Old[i].Line = last.Old[i].Line.Without(who, former)
	}
	return a.keep(ctx, last)
}

// forgetPictures deletes the pictures of somebody's direct messages.
func (a *Adapter) forgetPictures(ctx context.Context, h home, note string) {
	last, err := a.lastPost(ctx, note)
	if err != nil {
		return
	}
	for _, file := range append([]string{last.File}, filesOf(last.Old)...) {
		if file != "" {
			a.deletePicture(ctx, h, file)
		}
	}
}

func filesOf(old []oldPost) (files []string) {
	for _, o := range old {
		files = append(files, o.File)
	}
	return files
}

package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// An eraser exports and erases what the room stores about people.
type eraser struct {
	notes       bot.Notes
	answers     *pages.Answers
	arrivals    *arrivals
	invitations *invitations
	members     *members
	streams     *streams
}

// Kept returns what the room stores about a person: their row and all their messages; see
// [bot.Keeper].
func (er *eraser) Kept(ctx context.Context, who bot.PlayerID) (map[string]any, error) {
	id, ours := memberID(who)
	if !ours {
		return nil, nil
	}
	p, _, err := er.members.storedPerson(ctx, id)
	if err != nil {
		return nil, err
	}
	streams, err := er.streams.listStreams(ctx)
	if err != nil {
		return nil, err
	}
	said := map[stream][]storedLine{}
	for _, s := range streams {
		if err := er.streams.eachLine(ctx, s, func(_ notes.Entry, l storedLine) error {
			if l.From != nil && l.From.ID == id {
				said[s] = append(said[s], l)
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	kept := map[string]any{"web room: person": p}
	if len(said) > 0 {
		kept["web room: said"] = said
	}
	return kept, nil
}

// Forget removes a person and their messages from the room for good; see [bot.Keeper].
func (er *eraser) Forget(ctx context.Context, who, former bot.User) error {
	id, ours := memberID(who.ID)
	if !ours {
		return nil
	}
	streams, err := er.streams.listStreams(ctx)
	if err != nil {
		return err
	}
	for _, s := range streams {
		if slices.Contains(s.readers(), id) {
			err = er.streams.dropStream(ctx, s)
		} else {
			err = er.forgetIn(ctx, s, id, who, former)
		}
		if err != nil {
			return fmt.Errorf("erase a person from %s: %w", s, err)
		}
	}
	for _, shelf := range []string{readShelf + id, directsShelf + id} {
		if err := clearShelf(ctx, er.notes, shelf); err != nil {
			return err
		}
	}
	if err := errors.Join(er.forgetMaker(ctx, id), er.renameThreads(ctx, who, former), er.invitations.forgetInvitations(ctx, id)); err != nil {
		return err
	}
	p, found, err := er.members.person(ctx, id)
	if err != nil || !found {
		return err
	}
	return errors.Join(er.arrivals.leave(ctx, p), er.notes.Put(ctx, addressShelf, id, nil))
}

// listStreams lists all streams that may have lines.
func (ss *streams) listStreams(ctx context.Context) ([]stream, error) {
	names, err := ss.notes.Keys(ctx, channelsShelf) // archived ones too
	if err != nil {
		return nil, err
	}
	all := []stream{general}
	asides, err := ss.notes.Keys(ctx, asidesShelf)
	if err != nil {
		return nil, err
	}
	for _, name := range append(names, asides...) {
		all = append(all, stream(name))
	}
	ids, err := ss.notes.Keys(ctx, peopleShelf)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		all = append(all, hostStream(person{ID: id}))
		directs, err := ss.notes.Keys(ctx, directsShelf+id)
		if err != nil {
			return nil, err
		}
		for _, s := range directs {
			all = append(all, stream(s))
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// forgetIn erases a person's messages from a stream, and their name from the messages of
// others.
func (er *eraser) forgetIn(ctx context.Context, s stream, id string, who, former bot.User) error {
	return er.streams.eachLine(ctx, s, func(line notes.Entry, l storedLine) error {
		was, err := json.Marshal(l)
		if err != nil {
			return err
		}
		theirs := l.From != nil && l.From.ID == id
		if theirs {
			l.From = &person{ID: string(former.ID), Name: former.Name}
			l.ID, l.Text = "", spans(text.Say("(removed)").In(er.answers.ChannelLocale(ctx, s.channelID())))
		}
		for _, said := range [][]span{l.Text, l.Line} {
			for i, sp := range said {
				switch sp.Person {
				case id: // whatever their name was then
					said[i].Person, said[i].Notify, said[i].Text = string(former.ID), false, former.Name
				case "":
					said[i].Text = text.WithoutName(sp.Text, who.Name, former.Name)
				}
			}
		}
		if l.Picture != nil {
			l.Picture.Alt = text.WithoutName(l.Picture.Alt, who.Name, former.Name)
		}
		is, err := json.Marshal(l)
		if err != nil || bytes.Equal(is, was) && !bytes.Contains(line.Data, []byte(id)) {
			return err
		}
		// Fields added by a newer program stay, unless they name the person too.
		if with := notes.KeepUnknown(reflect.TypeFor[storedLine](), line.Data, is); !theirs && !bytes.Contains(with, []byte(id)) {
			is = with
		}
		return er.notes.Put(ctx, string(s.log()), notes.EntryKey(line.Number), is)
	})
}

// dropStream removes a stream that has only one or two readers.
func (ss *streams) dropStream(ctx context.Context, s stream) error {
	for _, id := range s.readers() {
		for _, shelf := range []string{readShelf + id, directsShelf + id} {
			if err := ss.notes.Put(ctx, shelf, string(s), nil); err != nil {
				return err
			}
		}
	}
	if s.isAside() {
		if err := ss.notes.Put(ctx, asidesShelf, string(s), nil); err != nil {
			return err
		}
	}
	return dropLines(ctx, ss.notes, s)
}

// forgetMaker removes a person as the maker of channels.
func (er *eraser) forgetMaker(ctx context.Context, id string) error {
	return notes.ReadEachOf(ctx, er.notes, channelsShelf, "", func(name string, c storedChannel) error {
		if c.By != id {
			return nil
		}
		return er.notes.Change(ctx, func(rows bot.Rows) error {
			return notes.Edit(rows, channelsShelf, name, nil, func(c *storedChannel) error { c.By = ""; return nil })
		})
	})
}

// renameThreads removes a person's name from the titles of threads.
func (er *eraser) renameThreads(ctx context.Context, who, former bot.User) error {
	return notes.ReadEachOf(ctx, er.notes, asidesShelf, "", func(id string, c storedChannel) error {
		name := text.WithoutName(c.Name, who.Name, former.Name)
		if name == c.Name {
			return nil
		}
		return er.notes.Change(ctx, func(rows bot.Rows) error {
			return notes.Edit(rows, asidesShelf, id, nil, func(c *storedChannel) error { c.Name = name; return nil })
		})
	})
}

// Named returns the person with a name in the room stored in the notes.
func Named(ctx context.Context, notes bot.Notes, name string) (who bot.User, found bool, err error) {
	return (&members{notes: notes}).find(ctx, name)
}

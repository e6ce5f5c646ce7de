package moderation

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Where others keep order, the platform says of each request whether the asker
// manages the home. Those who do are noted when they ask for anything, and are
// told by direct message that something was reported. The message doesn't say what:
// /order does, where the platform says again who they are.

// managersShelf has, by home and player, those who manage a home elsewhere: a
// storedManager.
const managersShelf = "managers"

// mostManagers is how many are kept of a home. When there are more, the one who was
// seen longest ago is forgotten.
const mostManagers = 20

// managing is how long somebody counts as a manager after they were last seen.
const managing = 90 * 24 * time.Hour

// tellAgain is how long after a message about a report a manager who hasn't looked
// gets the next.
const tellAgain = 24 * time.Hour

type storedManager struct {
	V      int       `json:"v"`
	At     time.Time `json:"at"`              // when they were seen, to the week
	Told   time.Time `json:"told,omitzero"`   // of a report, the last time
	Looked time.Time `json:"looked,omitzero"` // at the reports, the last time
	Off    bool      `json:"off,omitempty"`   // they don't want to be told
}

// meet notes that somebody manages a home elsewhere, or no longer does. Somebody new
// is told of the reports that are open.
func meet(ctx context.Context, h *host.Host, req bot.Request) error {
	asks := req.Manager || req.Command == "order" || req.Command == "settings"
	if !asks || req.Home == "" || h.Platform(req.Channel).Steward != nil {
		return nil
	}
	p := grounds{home: req.Home}
	key := p.key(string(req.User.ID))
	var m storedManager
	had, err := notes.Read(ctx, h.Notes, managersShelf, key, &m)
	switch {
	case err != nil || !req.Manager && !had:
		return err
	case !req.Manager:
		return h.Notes.Put(ctx, managersShelf, key, nil)
	case had && h.Now().Sub(m.At) < 7*24*time.Hour:
		return nil
	}
	if err := h.Notes.Change(ctx, func(rows bot.Rows) error {
		if err := p.makeRoom(rows, key); err != nil {
			return err
		}
		return changeManager(rows, key, func(m *storedManager) { m.At = h.Now().UTC() })
	}); err != nil || had {
		return err
	}
	open, err := p.open(ctx, h, req.User.ID)
	if err != nil || len(open) == 0 || req.Command == "order" {
		return err
	}
	_, err = p.tellManagers(ctx, h, req.Channel, "met:"+mark(req))
	return err
}

// makeRoom removes the manager who was seen longest ago, where there are too many
// for another.
func (p grounds) makeRoom(rows bot.Rows, but string) error {
	all, err := rowsOf[storedManager](rows, managersShelf, p)
	if err != nil || len(all) < mostManagers || slices.ContainsFunc(all, func(r row[storedManager]) bool { return r.key == but }) {
		return err
	}
	return rows.Put(managersShelf, all[0].key, nil)
}

func (m storedManager) when() time.Time { return m.At }

func changeManager(rows bot.Rows, key string, fn func(*storedManager)) error {
	m := storedManager{V: 1}
	if _, err := notes.Get(rows, managersShelf, key, &m); err != nil {
		return err
	}
	fn(&m)
	return notes.Put(rows, managersShelf, key, m)
}

// changeIfManager is changeManager for somebody who is noted; found says whether
// they are.
func (p grounds) changeIfManager(ctx context.Context, h *host.Host, who game.PlayerID, fn func(*storedManager)) (found bool, err error) {
	err = h.Notes.Change(ctx, func(rows bot.Rows) error {
		had, err := rows.Get(managersShelf, p.key(string(who)))
		if found = had != nil; err != nil || !found {
			return err
		}
		return changeManager(rows, p.key(string(who)), fn)
	})
	return found, err
}

// reportedKind are the posts that tell a manager that something was reported.
const reportedKind = "reported"

// tellManagers tells those who manage a home that something was reported there:
// each once a day until they have looked. It is done once for a cause. n is how many
// know of it then.
func (p grounds) tellManagers(ctx context.Context, h *host.Host, ch bot.ChannelID, cause string, but ...game.PlayerID) (n int, err error) {
	all, err := readRows[storedManager](ctx, h.Notes, managersShelf, p)
	if err != nil {
		return 0, err
	}
	now := h.Now().UTC()
	var posts []bot.Post
	for _, r := range all {
		who := game.PlayerID(strings.TrimPrefix(r.key, p.key("")))
		if m := r.value; m.Off || now.Sub(m.At) >= managing || slices.Contains(but, who) {
			continue
		}
		n++
		if m := r.value; now.Sub(m.Told) >= tellAgain || m.Looked.After(m.Told) {
			posts = append(posts, bot.Post{Channel: ch, For: who, Kind: reportedKind, At: now})
		}
	}
	if len(posts) == 0 {
		return n, nil
	}
	if err := h.Store.Update(ctx, ch, cause, func(r *bot.Room) error {
		if r.Receipt == nil {
			at := len(r.Events)
			r.Posts, r.File = posts, &bot.Receipt{From: at, To: at}
		}
		return nil
	}); err != nil {
		return n, err
	}
	h.Committed(ch)
	for _, post := range posts {
		if _, err := p.changeIfManager(ctx, h, post.For, func(m *storedManager) { m.Told = now }); err != nil {
			return n, err
		}
	}
	return n, nil
}

// reportedMessage tells a manager, by direct message, that something was reported.
func reportedMessage(ctx context.Context, h *host.Host, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	home, err := h.HomeOf(ctx, post.Channel)
	if err != nil {
		return m, err
	}
	var s storedManager
	found, err := notes.Read(ctx, h.Notes, managersShelf, grounds{home: home}.key(string(post.For)), &s)
	switch {
	case err != nil:
		return m, err
	case !found || s.Off || s.Looked.After(post.At):
		return m, host.ErrNothingToTell // they don't manage it any more, or have looked meanwhile
	}
	m.To = &bot.User{ID: post.For}
	m.Text = text.Say("Something was reported to those who manage the server. {order} shows it there. You are told once, until you have looked.", text.Code("/order"))
	m.Buttons = []bot.Button{deskButton(text.Say("Tell me no more"), bot.Ordinary, "tell", "no", "in", home)}
	return m, nil
}

// tellMe ends or begins that somebody is told of reports; the button says of which
// home.
func tellMe(ctx context.Context, h *host.Host, req bot.Request) (bot.Reply, error) {
	home := cmp.Or(req.Args["in"], req.Home)
	off := req.Args["tell"] == "no"
	found, err := grounds{home: home}.changeIfManager(ctx, h, req.User.ID, func(m *storedManager) { m.Off = off })
	switch {
	case err != nil:
		return bot.Reply{}, err
	case !found:
		return bot.Reply{}, words.Refusing("Only those who keep order here can do that. {report} tells them of something, and {block} is for you alone.", text.Code("/report"), text.Code("/block"))
	case off:
		return bot.Reply{
			Text:    text.Say("You are told of reports no more. {order} shows them as ever.", text.Code("/order")),
			Buttons: []bot.Button{deskButton(text.Say("Tell me again"), bot.Ordinary, "tell", "yes", "in", home)},
		}, nil
	}
	return bot.Reply{Text: text.Say("You are told of reports again.")}, nil
}

// managerLeft forgets a manager who has left the home.
func managerLeft(ctx context.Context, h *host.Host, home string, who game.PlayerID) error {
	return h.Notes.Put(ctx, managersShelf, grounds{home: home}.key(string(who)), nil)
}

package moderation

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// On other platforms, each request says whether its sender manages the home. Managers are
// recorded when they send a request, and notified by direct message when something is
// reported. The message doesn't quote the report: /reports shows it, and the platform
// confirms there again who they are.

// mostManagers is the number of managers recorded for a home. New ones replace the one seen
// longest ago.
const mostManagers = 20

// managing limits how long a person counts as a manager after they were last seen.
const managing = 90 * 24 * time.Hour

// tellAgain is the time until a manager who hasn't looked at the reports is notified again.
const tellAgain = 24 * time.Hour

// A storedManager is a manager of a home on another platform.
type storedManager struct {
	V      int       `json:"v"`
	At     time.Time `json:"at"`              // last seen, accurate to a week
	Told   time.Time `json:"told,omitzero"`   // last notified of a report
	Looked time.Time `json:"looked,omitzero"` // last looked at the reports
	Off    bool      `json:"off,omitempty"`   // whether they declined notifications
}

// recordManager records that a person manages a home on another platform, or deletes the record if
// they don't any more. A new manager is notified of open reports.
func (f *Feature) recordManager(ctx context.Context, req bot.Request) error {
	asks := req.Manager || req.Command == "reports" || req.Command == "settings"
	if !asks || req.Home == "" || f.desk.Platform(req.Channel).Steward != nil {
		return nil
	}
	p := moderatedPlace{home: req.Home}
	key := p.personKey(req.User.ID)
	m, had, err := f.managers.Get(ctx, key)
	if err != nil {
		return err
	}
	switch {
	case !req.Manager && had:
		return f.managers.Drop(ctx, key)
	case !req.Manager, had && f.desk.Now().Sub(m.At) < 7*24*time.Hour:
		return nil
	}
	if err := f.own.Change(ctx, func(tx shelf.Tx) error {
		rows := f.managers.In(tx)
		if err := p.makeRoom(rows, req.User.ID); err != nil {
			return err
		}
		return changeManager(rows, key, func(m *storedManager) { m.At = f.desk.Now().UTC() })
	}); err != nil || had {
		return err
	}
	open, err := p.openReports(ctx, f, req.User.ID)
	if err != nil || len(open) == 0 || req.Command == "reports" {
		return err
	}
	_, err = p.tellManagers(ctx, f, req.Channel, "met:"+string(mark(req)))
	return err
}

// makeRoom deletes the manager seen longest ago if there is no room for another.
func (p moderatedPlace) makeRoom(rows shelf.Rows[ofPerson, storedManager], but game.PlayerID) error {
	all, err := rowsOf(rows, p)
	if err != nil || len(all) < mostManagers || slices.ContainsFunc(all, func(r row[shelf.Person, storedManager]) bool { return game.PlayerID(r.key) == but }) {
		return err
	}
	return rows.Drop(p.personKey(game.PlayerID(all[0].key)))
}

func (m storedManager) when() time.Time { return m.At }

func changeManager(rows shelf.Rows[ofPerson, storedManager], key ofPerson, fn func(*storedManager)) error {
	m, _, err := rows.Get(key)
	if err != nil {
		return err
	}
	m.V = 1
	fn(&m)
	return rows.Put(key, m)
}

// changeIfManager changes a manager's record. found is false if they have none.
func (p moderatedPlace) changeIfManager(ctx context.Context, f *Feature, who game.PlayerID, fn func(*storedManager)) (found bool, err error) {
	err = f.managers.Change(ctx, p.personKey(who), func(m *storedManager) (keep bool, err error) {
		if found = m.V > 0; found {
			fn(m)
		}
		return found, nil
	})
	return found, err
}

// activeManagers returns the managers of a home who can be notified. If none has ever used
// the bot, or not for long, the owner of the home is recorded and returned.
func (p moderatedPlace) activeManagers(ctx context.Context, f *Feature, ch bot.ChannelID) (active []row[shelf.Person, storedManager], err error) {
	all, err := readRows(ctx, f.managers, p)
	if err != nil {
		return nil, err
	}
	now, declined := f.desk.Now().UTC(), false
	for _, r := range all {
		switch m := r.value; {
		case m.Off:
			declined = true
		case now.Sub(m.At) < managing:
			active = append(active, r)
		}
	}
	ask := f.desk.Platform(ch).Owner
	if len(active) > 0 || declined || ask == nil {
		return active, nil
	}
	owner, err := ask(ctx, p.home)
	if err != nil {
		f.desk.Log().Warn("can't find out who owns a server", "home", p.home, "error", err)
		return nil, nil
	}
	if owner == "" {
		return nil, nil
	}
	var m storedManager
	err = f.own.Change(ctx, func(tx shelf.Tx) error {
		rows := f.managers.In(tx)
		if err := p.makeRoom(rows, owner); err != nil {
			return err
		}
		return changeManager(rows, p.personKey(owner), func(now *storedManager) { now.At = f.desk.Now().UTC(); m = *now })
	})
	return []row[shelf.Person, storedManager]{{shelf.Person(owner), m}}, err
}

// reportedKind is the kind of the posts that notify managers of reports.
const reportedKind = "reported"

// tellManagers notifies the managers of a home that something was reported, each at most
// once a day until they look. It does so once for each cause. n counts the managers who
// know of it.
func (p moderatedPlace) tellManagers(ctx context.Context, f *Feature, ch bot.ChannelID, cause string, but ...game.PlayerID) (n int, err error) {
	all, err := p.activeManagers(ctx, f, ch)
	if err != nil {
		return 0, err
	}
	now := f.desk.Now().UTC()
	var posts []bot.Post
	for _, r := range all {
		who := game.PlayerID(r.key)
		if slices.Contains(but, who) {
			continue
		}
		n++
		if m := r.value; now.Sub(m.Told) >= tellAgain || m.Looked.After(m.Told) {
			posts = append(posts, bot.Post{For: who, Kind: reportedKind, At: now})
		}
	}
	if len(posts) == 0 {
		return n, nil
	}
	if err := feature.Once(ctx, f.desk, ch, cause, func(r *feature.Room) { r.Post(posts...) }); err != nil {
		return n, err
	}
	for _, post := range posts {
		if _, err := p.changeIfManager(ctx, f, post.For, func(m *storedManager) { m.Told = now }); err != nil {
			return n, err
		}
	}
	return n, nil
}

// reportedMessage writes the direct message that notifies a manager of reports.
func (f *Feature) reportedMessage(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	home, err := f.settings.HomeOf(ctx, post.Channel)
	if err != nil {
		return m, err
	}
	s, found, err := f.managers.Get(ctx, moderatedPlace{home: home}.personKey(post.For))
	switch {
	case err != nil:
		return m, err
	case !found || s.Off || s.Looked.After(post.At):
		return m, feature.ErrNothingToTell // they no longer manage the home, or have looked since
	}
	m.To = &bot.User{ID: post.For}
	m.Text = text.Say("Something was reported to the people who manage the server. {reports} shows it there. You won't be told again until you've looked.", text.Code("/reports"))
	m.Buttons = []bot.Button{deskButton(text.Say("Stop telling me"), bot.Ordinary, "tell", "no", "in", home)}
	return m, nil
}

// tellMe turns a manager's notifications off or on. The button names the home.
func (f *Feature) tellMe(ctx context.Context, req bot.Request) (bot.Reply, error) {
	home := cmp.Or(req.Args["in"], req.Home)
	off := req.Args["tell"] == "no"
	found, err := moderatedPlace{home: home}.changeIfManager(ctx, f, req.User.ID, func(m *storedManager) { m.Off = off })
	switch {
	case err != nil:
		return bot.Reply{}, err
	case !found:
		return bot.Reply{}, errNotModerator()
	case off:
		return bot.Reply{
			Text:    text.Say("You won't be told about reports any more. {reports} still shows them.", text.Code("/reports")),
			Buttons: []bot.Button{deskButton(text.Say("Tell me again"), bot.Ordinary, "tell", "yes", "in", home)},
		}, nil
	}
	return bot.Reply{Text: text.Say("You'll be told about reports again.")}, nil
}

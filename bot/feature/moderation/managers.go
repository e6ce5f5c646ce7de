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
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// Where others keep order, the platform says of each request whether the asker
// manages the home. Those who do are noted when they ask for anything, and are
// told by direct message that something was reported. The message doesn't say what:
// /reports does, where the platform says again who they are.

// mostManagers is how many are kept of a home. When there are more, the one who was
// seen longest ago is forgotten.
const mostManagers = 20

// managing is how long somebody counts as a manager after they were last seen.
const managing = 90 * 24 * time.Hour

// tellAgain is how long after a message about a report a manager who hasn't looked
// gets the next.
const tellAgain = 24 * time.Hour

// A storedManager is somebody who manages a home elsewhere.
type storedManager struct {
	V      int       `json:"v"`
	At     time.Time `json:"at"`              // when they were seen, to the week
	Told   time.Time `json:"told,omitzero"`   // of a report, the last time
	Looked time.Time `json:"looked,omitzero"` // at the reports, the last time
	Off    bool      `json:"off,omitempty"`   // they don't want to be told
}

// meet notes that somebody manages a home elsewhere, or no longer does. Somebody new
// is told of the reports that are open.
func (f *Feature) meet(ctx context.Context, req bot.Request) error {
	asks := req.Manager || req.Command == "reports" || req.Command == "settings"
	if !asks || req.Home == "" || f.desk.Platform(req.Channel).Steward != nil {
		return nil
	}
	p := grounds{home: req.Home}
	key := p.of(req.User.ID)
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
	open, err := p.open(ctx, f, req.User.ID)
	if err != nil || len(open) == 0 || req.Command == "reports" {
		return err
	}
	_, err = p.tellManagers(ctx, f, req.Channel, "met:"+string(mark(req)))
	return err
}

// makeRoom removes the manager who was seen longest ago, where there are too many
// for another.
func (p grounds) makeRoom(rows shelf.Rows[ofPerson, storedManager], but game.PlayerID) error {
	all, err := rowsOf(rows, p)
	if err != nil || len(all) < mostManagers || slices.ContainsFunc(all, func(r row[shelf.Person, storedManager]) bool { return game.PlayerID(r.key) == but }) {
		return err
	}
	return rows.Drop(p.of(game.PlayerID(all[0].key)))
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

// changeIfManager changes what is kept of a manager; found says whether they are one.
func (p grounds) changeIfManager(ctx context.Context, f *Feature, who game.PlayerID, fn func(*storedManager)) (found bool, err error) {
	err = f.managers.Change(ctx, p.of(who), func(m *storedManager) (keep bool, err error) {
		if found = m.V > 0; found {
			fn(m)
		}
		return found, nil
	})
	return found, err
}

// reportedKind are the posts that tell a manager that something was reported.
const reportedKind = "reported"

// tellManagers tells those who manage a home that something was reported there:
// each once a day until they have looked. It is done once for a cause. n is how many
// know of it then.
func (p grounds) tellManagers(ctx context.Context, f *Feature, ch bot.ChannelID, cause string, but ...game.PlayerID) (n int, err error) {
	all, err := readRows(ctx, f.managers, p)
	if err != nil {
		return 0, err
	}
	now := f.desk.Now().UTC()
	var posts []bot.Post
	for _, r := range all {
		who := game.PlayerID(r.key)
		if m := r.value; m.Off || now.Sub(m.At) >= managing || slices.Contains(but, who) {
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
	if err := f.desk.Update(ctx, ch, cause, func(r *feature.Room) error {
		if r.Receipt() == nil {
			r.Post(posts...)
		}
		return nil
	}); err != nil {
		return n, err
	}
	for _, post := range posts {
		if _, err := p.changeIfManager(ctx, f, post.For, func(m *storedManager) { m.Told = now }); err != nil {
			return n, err
		}
	}
	return n, nil
}

// reportedMessage tells a manager, by direct message, that something was reported.
func (f *Feature) reportedMessage(ctx context.Context, post bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	home, err := f.settings.HomeOf(ctx, post.Channel)
	if err != nil {
		return m, err
	}
	s, found, err := f.managers.Get(ctx, grounds{home: home}.of(post.For))
	switch {
	case err != nil:
		return m, err
	case !found || s.Off || s.Looked.After(post.At):
		return m, feature.ErrNothingToTell // they don't manage it any more, or have looked meanwhile
	}
	m.To = &bot.User{ID: post.For}
	m.Text = text.Say("Something was reported to the people who manage the server. {reports} shows it there. You won't be told again until you've looked.", text.Code("/reports"))
	m.Buttons = []bot.Button{deskButton(text.Say("Stop telling me"), bot.Ordinary, "tell", "no", "in", home)}
	return m, nil
}

// tellMe ends or begins that somebody is told of reports; the button says of which
// home.
func (f *Feature) tellMe(ctx context.Context, req bot.Request) (bot.Reply, error) {
	home := cmp.Or(req.Args["in"], req.Home)
	off := req.Args["tell"] == "no"
	found, err := grounds{home: home}.changeIfManager(ctx, f, req.User.ID, func(m *storedManager) { m.Off = off })
	switch {
	case err != nil:
		return bot.Reply{}, err
	case !found:
		return bot.Reply{}, words.Refusing("Only those who moderate here can do that. {report} tells them about a problem, and {block} is for you alone.", text.Code("/report"), text.Code("/block"))
	case off:
		return bot.Reply{
			Text:    text.Say("You won't be told about reports any more. {reports} still shows them.", text.Code("/reports")),
			Buttons: []bot.Button{deskButton(text.Say("Tell me again"), bot.Ordinary, "tell", "yes", "in", home)},
		}, nil
	}
	return bot.Reply{Text: text.Say("You'll be told about reports again.")}, nil
}

// memberLeft forgets a manager who has left the home.
func (f *Feature) memberLeft(ctx context.Context, home string, who game.PlayerID) error {
	return f.managers.Drop(ctx, grounds{home: home}.of(who))
}

package web

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/adapters/web/push"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// A person is a member who has chosen a name.
type person struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Keeper bool   `json:"-"` // whether they are a keeper of the room
	epoch  int    // epoch of the valid cookies
	silent bool   // whether they have done nothing yet
	played bool   // whether they have made a move here
	invite string // the handle of the invitation they came by
	since  time.Time
	out    time.Time // end of their ban
	// subject is the key of their account at a sign-in service.
	subject string
	locale  string // Accept-Language header of the request
}

// A storedPerson is a person in the notes' shelf "people", by id.
type storedPerson struct {
	V      int       `json:"v"` // 1
	Name   string    `json:"name"`
	Since  time.Time `json:"since"`
	Keeper bool      `json:"keeper,omitempty"`
	Epoch  int       `json:"epoch,omitempty"`
	Silent bool      `json:"silent,omitempty"`
	Played bool      `json:"played,omitempty"`
	Invite string    `json:"invite,omitempty"`
	Out    time.Time `json:"out,omitzero"`
	// Subject is a key in the shelf "subjects".
	Subject string `json:"subject,omitempty"`
}

func (p person) player() bot.PlayerID { return bot.PlayerID(pages.Platform + ":" + p.ID) }
func (p person) user() bot.User       { return bot.User{ID: p.player(), Name: p.Name} }

// maxName is the maximum length of a name, in characters.
const maxName = 30

// cleanName normalizes a typed name, or returns an error if it isn't allowed.
func cleanName(typed string) (string, error) {
	name := strings.Join(strings.Fields(strings.ToValidUTF8(typed, "")), " ")
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", pages.Refuse("Please type a name.")
	case n > maxName:
		return "", pages.Refuse("A name can have up to {most} characters; this one has {n}.", maxName, n)
	}
	if c, bad := notInName(name); bad {
		return "", pages.Refuse("A name can have letters, digits, emoji, spaces and - _ . ' but not {sign}.", strconv.QuoteRune(c))
	}
	if !strings.ContainsFunc(name, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
		return "", pages.Refuse("A name needs a letter or a digit.")
	}
	return name, nil
}

// foldName returns the same key for names that differ only in case or apostrophes.
func foldName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "’", "'")) }

// comings lets people enter, rename themselves and leave.
type comings struct {
	host        bot.Host
	notes       bot.Notes
	now         func() time.Time
	firstKeeps  bool
	answers     *pages.Answers
	cookies     *pages.Cookies
	invitations *invitations
	listeners   *listeners
	members     *members
	presences   *presences
	streams     *streams
	visitors    *visitors
	renames     *pages.Buckets // new names, by person
}

// enter creates a person who has been let in.
func (co *comings) enter(ctx context.Context, typed string, let pass) (person, error) {
	name, err := cleanName(typed)
	if err != nil {
		return person{}, err
	}
	id, err := co.cookies.NewID()
	if err != nil {
		return person{}, err
	}
	if co.members.looks().taken(name) {
		return person{}, errReserved(name)
	}
	// Messages from before they came don't count as unread.
	said := map[stream]uint64{}
	channels, err := co.streams.channels(ctx)
	if err != nil {
		return person{}, err
	}
	for _, s := range channels {
		if said[s], err = co.listeners.last(ctx, s); err != nil {
			return person{}, err
		}
	}
	p := person{ID: id, Name: name, silent: let.subject == "", invite: let.invite, subject: let.subject, since: co.now()}
	var gone []person
	if err := co.members.changePeople(ctx, func(d *directory) (err error) {
		if gone, err = d.removeSilent(co.listeners.here); err != nil {
			return err
		}
		p.Keeper = co.firstKeeps && d.count == 0
		return co.admit(d, p, said)
	}); err != nil {
		return person{}, err
	}
	for _, old := range gone {
		if err := errors.Join(co.clear(ctx, readShelf+old.ID), co.afterLeaving(ctx, old)); err != nil {
			return person{}, err
		}
	}
	co.presences.showPerson(p, false)
	return p, nil
}

// admit adds a person to the directory, uses up their invitation, and marks the earlier
// messages as read.
func (co *comings) admit(d *directory, p person, said map[stream]uint64) (err error) {
	if d.count >= maxPeople {
		return pages.Refuse("The room is full: {n} people have a name here. Please try again tomorrow.", d.count)
	}
	if err := d.free(p.ID, p.Name); err != nil {
		return err
	}
	if p.invite != "" {
		if err := co.invitations.useInvitation(d.rows, p.invite); err != nil {
			return err
		}
	}
	if p.subject != "" {
		if err := d.rows.Put(subjectsShelf, p.subject, []byte(p.ID)); err != nil {
			return err
		}
	}
	for s, n := range said {
		if n > 0 {
			err = errors.Join(err, d.rows.Put(readShelf+p.ID, string(s), strconv.AppendUint(nil, n, 10)))
		}
	}
	return errors.Join(err, d.add(p))
}

func errReserved(name string) error {
	return pages.Refuse("{name} would look like the host or somebody with a role here. Please choose another name.", name)
}

func (co *comings) rename(ctx context.Context, who person, in struct {
	Name string `json:"name"`
}) (any, error) {
	name, err := cleanName(in.Name)
	if err != nil {
		return nil, err
	}
	if co.members.looks().taken(name) {
		return nil, errReserved(name)
	}
	if err := co.members.maySay(ctx, who); err != nil {
		return nil, err
	}
	if wait := co.renames.Take(who.ID); wait > 0 {
		return nil, pages.Refuse("You've had {n} names today, and that's the limit. Keep this one until tomorrow.", bot.LimitNames.Most)
	}
	var now person
	if err := co.members.changePeople(ctx, func(d *directory) error {
		if err := d.free(who.ID, name); err != nil {
			return err
		}
		var found bool
		if now, found, err = d.person(who.ID); err != nil {
			return err
		}
		if !found {
			return pages.ErrNoName
		}
		old := now.Name
		if now, err = d.rename(now, name); err != nil || foldName(name) == foldName(old) {
			return err
		}
		return d.rest(old, now.ID)
	}); err != nil {
		return nil, err
	}
	co.presences.showPerson(now, false)
	return now, nil
}

func (co *comings) leave(ctx context.Context, who person) error {
	if err := co.members.changePeople(ctx, func(d *directory) error {
		p, found, err := d.person(who.ID)
		if err != nil {
			return err
		}
		if found {
			if err := d.remove(p); err != nil {
				return err
			}
		}
		return d.rest(who.Name, "")
	}); err != nil {
		return err
	}
	err := errors.Join(co.afterLeaving(ctx, who), co.host.MemberLeft(ctx, pages.Home, who.player()))
	if who.Keeper && co.firstKeeps {
		err = errors.Join(err, co.members.newKeeper(ctx))
	}
	return err
}

// afterLeaving cleans up after a person who has left for good.
func (co *comings) afterLeaving(ctx context.Context, who person) error {
	err := errors.Join(
		co.members.forgetRests(ctx, who.ID),
		co.markLeft(ctx, who),
		co.clear(ctx, push.Shelf+who.ID),
		co.notes.Put(ctx, waitingShelf, who.ID, nil),
		co.notes.Change(ctx, func(rows bot.Rows) error { return dropRecovery(rows, who.ID) }),
	)
	if who.subject != "" {
		err = errors.Join(err, co.notes.Put(ctx, subjectsShelf, who.subject, nil))
	}
	co.listeners.live.drop(who.ID)
	co.presences.showPerson(who, true)
	return err
}

// markLeft records that a person left, in the row with their network, which is kept for
// some more days. For people who did nothing here, it deletes the row.
func (co *comings) markLeft(ctx context.Context, who person) error {
	return co.notes.Change(ctx, func(rows bot.Rows) error {
		var at storedAddress
		found, err := notes.Get(rows, addressShelf, who.ID, &at)
		if err != nil || !found {
			return err
		}
		if who.silent {
			return rows.Put(addressShelf, who.ID, nil)
		}
		at.Left, at.Name, at.Invite = co.now(), who.Name, who.invite
		return notes.Put(rows, addressShelf, who.ID, at)
	})
}

// newKeeper makes the longest-standing member a keeper if no keeper is left.
func (ms *members) newKeeper(ctx context.Context) error {
	all, err := ms.people(ctx)
	if err != nil || len(all) == 0 || slices.ContainsFunc(all, func(p person) bool { return p.Keeper }) {
		return err // in an empty room, the next person to come becomes a keeper
	}
	eldest := slices.MinFunc(all, func(a, b person) int { return a.since.Compare(b.since) })
	_, err = ms.changePerson(ctx, eldest.ID, func(p *storedPerson) { p.Keeper = true })
	return err
}

// endSessions invalidates all of a person's cookies.
func (co *comings) endSessions(ctx context.Context, who person) (person, error) {
	p, err := co.members.changePerson(ctx, who.ID, func(p *storedPerson) { p.Epoch++ })
	if err != nil {
		return p, err
	}
	co.listeners.live.drop(p.ID)
	return p, nil
}

// People who came in and did nothing are removed after silentFor, so that names and the
// list of people don't fill up with passers-by.
const (
	silentFor = 24 * time.Hour
	maxPeople = 20_000
)

// noteActive records that a person has done something, which keeps them beyond their first
// day.
func (ms *members) noteActive(ctx context.Context, who person) error {
	if !who.silent {
		return nil
	}
	_, err := ms.changePerson(ctx, who.ID, func(p *storedPerson) { p.Silent = false })
	return err
}

// moves lists the commands that count as having played.
var moves = []string{"play", "exchange", "submit", "cover", "remove"}

// notePlayed records that a person has played here.
func (ms *members) notePlayed(ctx context.Context, who person, req bot.Request, reply bot.Reply) error {
	if who.played || reply.Refused || !slices.Contains(moves, req.Command) {
		return nil
	}
	_, err := ms.changePerson(ctx, who.ID, func(p *storedPerson) { p.Played = true })
	return err
}

// changePerson changes a person's row. It returns errNoName if they have left.
func (ms *members) changePerson(ctx context.Context, id string, change func(*storedPerson)) (p person, err error) {
	err = changePerson(ctx, ms.notes, id, func(s *storedPerson) {
		change(s)
		p = s.person(id)
	})
	return p, err
}

func changePerson(ctx context.Context, kept bot.Notes, id string, change func(*storedPerson)) error {
	return kept.Change(ctx, func(rows bot.Rows) error {
		var s storedPerson
		found, err := notes.Get(rows, peopleShelf, id, &s)
		if err == nil && !found {
			err = pages.ErrNoName
		}
		if err != nil {
			return err
		}
		change(&s)
		return notes.Put(rows, peopleShelf, id, s)
	})
}

func (s storedPerson) person(id string) person {
	return person{ID: id, Name: s.Name, Keeper: s.Keeper, epoch: s.Epoch, silent: s.Silent, played: s.Played, invite: s.Invite, since: s.Since, out: s.Out, subject: s.Subject}
}

func (ms *members) storedPerson(ctx context.Context, id string) (p storedPerson, found bool, err error) {
	found, err = notes.Read(ctx, ms.notes, peopleShelf, id, &p)
	return p, found, err
}

func (ms *members) person(ctx context.Context, id string) (p person, found bool, err error) {
	stored, found, err := ms.storedPerson(ctx, id)
	return stored.person(id), found, err
}

// left returns a person who left lately and can still be banned.
func (ms *members) left(ctx context.Context, id string) (person, bool, error) {
	var at storedAddress
	found, err := notes.Read(ctx, ms.notes, addressShelf, id, &at)
	return person{ID: id, Name: at.Name}, found && !at.Left.IsZero(), err
}

// people returns all people, sorted by name.
func (ms *members) people(ctx context.Context) ([]person, error) {
	var all []person
	if err := notes.ReadEachOf(ctx, ms.notes, peopleShelf, "", func(id string, s storedPerson) error {
		all = append(all, s.person(id))
		return nil
	}); err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b person) int {
		return cmp.Or(strings.Compare(foldName(a.Name), foldName(b.Name)), strings.Compare(a.ID, b.ID))
	})
	return all, nil
}

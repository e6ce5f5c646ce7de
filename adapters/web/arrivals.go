package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/adapters/web/push"
	"github.com/rackmate/rackmate/bot"
)

// arrivals handles people who enter, rename themselves and leave.
type arrivals struct {
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
	// forgets deletes or marks the rows that other parts hold about a person who left.
	forgets []func(context.Context, person) error
}

// enter creates a person who has been let in.
func (ar *arrivals) enter(ctx context.Context, typed string, let pass) (person, error) {
	name, err := cleanName(typed)
	if err != nil {
		return person{}, err
	}
	id, err := ar.cookies.NewID()
	if err != nil {
		return person{}, err
	}
	if ar.members.looks().isReserved(name) {
		return person{}, errReserved(name)
	}
	// Messages from before they came don't count as unread.
	said := map[stream]uint64{}
	channels, err := ar.streams.channels(ctx)
	if err != nil {
		return person{}, err
	}
	for _, s := range channels {
		if said[s], err = ar.listeners.last(ctx, s); err != nil {
			return person{}, err
		}
	}
	p := person{ID: id, Name: name, silent: let.subject == "", invite: let.invite, subject: let.subject, since: ar.now()}
	var gone []person
	if err := ar.members.changePeople(ctx, func(d *directory) (err error) {
		if gone, err = d.removeSilent(ar.listeners.isConnected); err != nil {
			return err
		}
		p.Keeper = ar.firstKeeps && d.count == 0
		return ar.admit(d, p, said)
	}); err != nil {
		return person{}, err
	}
	for _, old := range gone {
		if err := errors.Join(clearShelf(ctx, ar.notes, readShelf+old.ID), ar.cleanUp(ctx, old)); err != nil {
			return person{}, err
		}
	}
	ar.presences.announcePerson(p, false)
	return p, nil
}

// admit adds a person to the directory, uses up their invitation, and marks the earlier
// messages as read.
func (ar *arrivals) admit(d *directory, p person, said map[stream]uint64) (err error) {
	if d.count >= maxPeople {
		return pages.Refuse("The room is full: {n} people have a name here. Please try again tomorrow.", d.count)
	}
	if err := d.checkFree(p.ID, p.Name); err != nil {
		return err
	}
	if p.invite != "" {
		if err := ar.invitations.useInvitation(d.rows, p.invite); err != nil {
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

func (ar *arrivals) rename(ctx context.Context, who person, in struct {
	Name string `json:"name"`
}) (any, error) {
	name, err := cleanName(in.Name)
	if err != nil {
		return nil, err
	}
	if ar.members.looks().isReserved(name) {
		return nil, errReserved(name)
	}
	if err := ar.members.checkMuted(ctx, who); err != nil {
		return nil, err
	}
	if wait := ar.renames.Take(who.ID); wait > 0 {
		return nil, pages.Refuse("You've had {n} names today, and that's the limit. Keep this one until tomorrow.", bot.LimitNames.Most)
	}
	var now person
	if err := ar.members.changePeople(ctx, func(d *directory) error {
		if err := d.checkFree(who.ID, name); err != nil {
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
		return d.reserve(old, now.ID)
	}); err != nil {
		return nil, err
	}
	ar.presences.announcePerson(now, false)
	return now, ar.host.MemberRenamed(ctx, pages.Home, now.user())
}

func (ar *arrivals) leave(ctx context.Context, who person) error {
	if err := ar.members.changePeople(ctx, func(d *directory) error {
		p, found, err := d.person(who.ID)
		if err != nil {
			return err
		}
		if found {
			if err := d.remove(p); err != nil {
				return err
			}
		}
		return d.reserve(who.Name, "")
	}); err != nil {
		return err
	}
	err := errors.Join(ar.cleanUp(ctx, who), ar.host.MemberLeft(ctx, pages.Home, who.player()))
	if who.Keeper && ar.firstKeeps {
		err = errors.Join(err, ar.members.newKeeper(ctx))
	}
	return err
}

// cleanUp cleans up after a person who has left for good.
func (ar *arrivals) cleanUp(ctx context.Context, who person) error {
	err := errors.Join(ar.members.forgetReservations(ctx, who.ID), clearShelf(ctx, ar.notes, push.Shelf+who.ID))
	for _, forget := range ar.forgets {
		err = errors.Join(err, forget(ctx, who))
	}
	ar.listeners.drop(who.ID)
	ar.presences.announcePerson(who, true)
	return err
}

// endSessions invalidates all of a person's cookies.
func (ar *arrivals) endSessions(ctx context.Context, who person) (person, error) {
	p, err := ar.members.changePerson(ctx, who.ID, func(p *storedPerson) { p.Epoch++ })
	if err != nil {
		return p, err
	}
	ar.listeners.drop(p.ID)
	return p, nil
}

// serveEndOthers ends a person's sessions in all browsers but this one.
func (ar *arrivals) serveEndOthers(w http.ResponseWriter, req *http.Request) {
	p, err := ar.visitors.visitor(req)
	if err == nil {
		p, err = ar.endSessions(req.Context(), p)
	}
	if err != nil {
		ar.answers.Fail(w, req, err)
		return
	}
	ar.cookies.GiveCookie(w, req, p.ID, p.epoch)
	ar.answers.Answer(w, http.StatusOK, struct{}{})
}

// serveLeave removes the person from the room, frees the name, and deletes the cookie.
func (ar *arrivals) serveLeave(w http.ResponseWriter, req *http.Request) {
	p, err := ar.visitors.visitor(req)
	if err == nil {
		err = ar.leave(req.Context(), p)
	}
	if err != nil && err != pages.ErrNoName {
		ar.answers.Fail(w, req, err)
		return
	}
	ar.cookies.SetCookie(w, req, "", -1)
	ar.answers.Answer(w, http.StatusOK, struct{}{})
}

// A pass admits one person, and names their invitation or sign-in.
type pass struct {
	invite  string
	by      string            // the maker of the invitation; "" if not a member
	to      stream            // the channel it leads to, or ""
	subject string            // the key of their account at a sign-in service
	options map[string]string // of /new, for the game with the invitation's maker
}

// subjectsShelf stores people's ids by a hash of their account at a service.
const subjectsShelf = "subjects"

package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// An invitation lets people in by a code, some times and for a while. A store
// knows the code by its hash alone, so nobody can read codes there.

// A storedInvitation is one in the notes' shelf "invitations", by its handle.
type storedInvitation struct {
	V     int       `json:"v"`            // 1
	By    string    `json:"by,omitempty"` // whose it is; "": the operator's
	To    stream    `json:"to,omitempty"` // the channel whose table they come for; "": none
	Until time.Time `json:"until"`
	Uses  int       `json:"uses"` // that are left
	// Closed is until when a ban of somebody who came by it closes it.
	Closed time.Time `json:"closed,omitzero"`
}

const invitationsShelf = "invitations"

// A code has 60 bits. Its letters are those that nobody mistakes for another.
const (
	codeSize    = 12
	mostCode    = 40 // characters of one that is typed
	codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
)

// What an invitation can allow.
const (
	maxInvitationUses = 100
	maxInvitationLife = 30 * 24 * time.Hour
)

// codeOf makes a code of random bytes.
func codeOf(random []byte) string {
	var b strings.Builder
	for i := range codeSize {
		if i > 0 && i%4 == 0 {
			b.WriteByte('-')
		}
		b.WriteByte(codeLetters[int(random[i])%len(codeLetters)])
	}
	return b.String()
}

// handle names an invitation by its code, as it was typed.
func handle(code string) string {
	plain := strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(code))
	sum := sha256.Sum256([]byte("rackmate invitation " + plain))
	return hex.EncodeToString(sum[:12])
}

// An Invitation is what its maker asks for.
type Invitation struct {
	Uses int           // how many can come by it
	Life time.Duration // how long it lasts
}

// check finds what is wrong with it.
func (i Invitation) check() error {
	switch {
	case i.Uses < 1 || i.Uses > maxInvitationUses:
		return refuse("An invitation can be for 1 to {most} people.", maxInvitationUses)
	case i.Life < time.Minute || i.Life > maxInvitationLife:
		return refuse("An invitation can last from a minute to {n, plural, one {# day} other {# days}}.", int(maxInvitationLife.Hours()/24))
	}
	return nil
}

// Invite makes an invitation to the room that is kept in the notes, and gives
// its link.
func Invite(ctx context.Context, kept bot.Notes, random io.Reader, now time.Time, i Invitation) (link string, err error) {
	return invite(ctx, kept, random, now, "", "", i)
}

// invite is Invite for a person of the room, to the table of a channel.
func invite(ctx context.Context, kept bot.Notes, random io.Reader, now time.Time, by string, to stream, i Invitation) (link string, err error) {
	var b [codeSize]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", err
	}
	return putInvitation(ctx, kept, codeOf(b[:]), now, storedInvitation{V: 1, By: by, To: to, Until: now.Add(i.Life), Uses: i.Uses}, i.check())
}

// errUsed says that an invitation is there already, and not what it was.
var errUsed = errors.New("the invitation is used")

// putInvitation keeps an invitation under a code, and gives its link.
func putInvitation(ctx context.Context, kept bot.Notes, code string, now time.Time, made storedInvitation, wrong error) (link string, err error) {
	if wrong != nil {
		return "", wrong
	}
	at, err := kept.Get(ctx, roomShelf, "url")
	if err != nil {
		return "", err
	}
	if at == nil {
		return "", errors.New("the room was never opened: start the host first, so that it is known where the room is")
	}
	err = kept.Change(ctx, func(rows bot.Rows) error {
		n := 0
		if err := notes.EachOf(rows, invitationsShelf, "", func(key string, old storedInvitation) error {
			switch {
			case now.After(old.Until):
				return rows.Put(invitationsShelf, key, nil)
			case old.By == made.By && made.By != "" && old.Uses > 0:
				n++
			}
			return nil
		}); err != nil {
			return err
		}
		if n >= bot.LimitInvitations.Most {
			return refuse("You have {n} open invitations, and that's the limit. Ask a keeper to end one, or wait until one expires.", n)
		}
		var old storedInvitation
		switch had, err := notes.Get(rows, invitationsShelf, handle(code), &old); {
		case err != nil:
			return err
		case had && old.Uses == 0:
			return errUsed
		case had:
			return nil
		}
		return notes.Put(rows, invitationsShelf, handle(code), made)
	})
	return string(at) + doorPath + "/" + code, err
}

// firstInvitation is the link that a start prints: the same all day, for ten
// people, and "" once they have come.
func (d *door) firstInvitation(ctx context.Context) (link string, err error) {
	if d.Door != DoorInvite {
		return "", nil
	}
	day := d.Now().UTC().Format(time.DateOnly)
	sum := d.cookies.mac("first invitation " + day)
	link, err = putInvitation(ctx, d.Notes, codeOf(sum), d.Now(), storedInvitation{V: 1, Until: d.Now().Add(24 * time.Hour), Uses: 10}, nil)
	if errors.Is(err, errUsed) {
		return "", nil
	}
	return link, err
}

var errInvitation = refuse("That invitation is no longer valid: it has been used or has expired. Ask whoever sent it for another one.")

// invitations are those that are open.
type invitations struct {
	notes bot.Notes
	now   func() time.Time
}

// isOpen reports whether somebody can come in by an invitation now.
func (iv *invitations) isOpen(i storedInvitation) bool {
	return i.Uses > 0 && !iv.now().After(i.Until) && !iv.now().Before(i.Closed)
}

// invitation returns the invitation that a code is for, and its handle.
func (iv *invitations) invitation(ctx context.Context, code string) (key string, i storedInvitation, err error) {
	key = handle(code)
	if _, err := notes.Read(ctx, iv.notes, invitationsShelf, key, &i); err != nil {
		return "", i, err
	}
	if !iv.isOpen(i) {
		return "", storedInvitation{}, errInvitation
	}
	return key, i, nil
}

// useInvitation lets one person in by an invitation.
func (iv *invitations) useInvitation(rows bot.Rows, key string) error {
	return changeInvitation(rows, key, func(i *storedInvitation) error {
		if !iv.isOpen(*i) {
			return errInvitation
		}
		i.Uses--
		return nil
	})
}

// closeInvitation lets nobody in by an invitation until a time.
func (iv *invitations) closeInvitation(ctx context.Context, key string, until time.Time) error {
	err := iv.notes.Change(ctx, func(rows bot.Rows) error {
		return changeInvitation(rows, key, func(i *storedInvitation) error { i.Closed = until; return nil })
	})
	if errors.Is(err, errInvitation) {
		return nil // it is over
	}
	return err
}

func changeInvitation(rows bot.Rows, key string, change func(*storedInvitation) error) error {
	var i storedInvitation
	found, err := notes.Get(rows, invitationsShelf, key, &i)
	if err == nil && !found {
		err = errInvitation
	}
	if err == nil {
		err = change(&i)
	}
	if err != nil {
		return err
	}
	return notes.Put(rows, invitationsShelf, key, i)
}

// forgetInvitations ends a person's invitations.
func (iv *invitations) forgetInvitations(ctx context.Context, id string) error {
	return iv.notes.Change(ctx, func(rows bot.Rows) error {
		return notes.EachOf(rows, invitationsShelf, "", func(key string, i storedInvitation) error {
			if i.By != id {
				return nil
			}
			return rows.Put(invitationsShelf, key, nil)
		})
	})
}

// roomShelf has what the room knows of itself: "url" is where it is.
const roomShelf = "room"

// keepURL keeps where the room is, for those who make invitations without it.
func (d *door) keepURL(ctx context.Context) error {
	old, err := d.Notes.Get(ctx, roomShelf, "url")
	if err != nil || string(old) == d.URL || d.URL == "" {
		return err
	}
	if err := d.Notes.Put(ctx, roomShelf, "url", []byte(d.URL)); err != nil {
		return fmt.Errorf("keep where the room is: %w", err)
	}
	return nil
}

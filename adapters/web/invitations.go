package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// An invitation lets a limited number of people in by a code, for a limited time. The store
// holds only the code's hash, so no one can read codes there.

// A storedInvitation is a row of the notes' shelf "invitations", by its handle.
type storedInvitation struct {
	V     int       `json:"v"`            // 1
	By    string    `json:"by,omitempty"` // its maker's id; "" means the operator
	To    stream    `json:"to,omitempty"` // the channel whose table it leads to, or ""
	Until time.Time `json:"until"`
	Uses  int       `json:"uses"` // uses left
	// Options of /new for the game that it leads to.
	Options map[string]string `json:"options,omitempty"`
	// Closed is the time until which a ban keeps it closed.
	Closed time.Time `json:"closed,omitzero"`
}

const invitationsShelf = "invitations"

// A code has 60 bits. Its letters can't be mistaken for each other.
const (
	codeSize    = 12
	mostCode    = 40 // longest typed code, in characters
	codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
)

// Limits of an invitation.
const (
	maxInvitationUses = 100
	maxInvitationLife = 30 * 24 * time.Hour
)

// codeOf returns a code made from random bytes.
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

// handleOf returns the key of an invitation's row for a typed code.
func handleOf(code string) string {
	plain := strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(code))
	sum := sha256.Sum256([]byte("rackmate invitation " + plain))
	return hex.EncodeToString(sum[:12])
}

// doorPath is the path of the door. An invitation's code may follow it.
const doorPath = "/in"

// An Invitation holds the settings of a new invitation.
type Invitation struct {
	Uses int           // number of people it can admit
	Life time.Duration // how long it is valid
	// Options of /new, if it leads to a game with its maker.
	Options map[string]string
}

// check returns an error if a setting is out of range.
func (i Invitation) check() error {
	switch {
	case i.Uses < 1 || i.Uses > maxInvitationUses:
		return pages.Refuse("An invitation can be for 1 to {most} people.", maxInvitationUses)
	case i.Life < time.Minute || i.Life > maxInvitationLife:
		return pages.Refuse("An invitation can last from a minute to {n, plural, one {# day} other {# days}}.", int(maxInvitationLife.Hours()/24))
	}
	return nil
}

// Invite creates an invitation to the room stored in the notes, and returns its link.
func Invite(ctx context.Context, kept bot.Notes, random io.Reader, now time.Time, i Invitation) (link string, err error) {
	return invite(ctx, kept, random, now, "", "", i)
}

// invite creates an invitation by a person, to a channel's table, and returns its link.
func invite(ctx context.Context, kept bot.Notes, random io.Reader, now time.Time, by string, to stream, i Invitation) (link string, err error) {
	if err := i.check(); err != nil {
		return "", err
	}
	var b [codeSize]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", err
	}
	return putInvitation(ctx, kept, codeOf(b[:]), now, storedInvitation{V: 1, By: by, To: to, Until: now.Add(i.Life), Uses: i.Uses, Options: i.Options})
}

// errUsed means that the invitation exists and is used up.
var errUsed = errors.New("the invitation is used")

// putInvitation stores an invitation under a code, and returns its link. An existing one
// with the same code stays as it is.
func putInvitation(ctx context.Context, kept bot.Notes, code string, now time.Time, made storedInvitation) (link string, err error) {
	at, err := kept.Get(ctx, roomShelf, "url")
	if err != nil {
		return "", err
	}
	if at == nil {
		return "", errors.New("the room's address isn't known yet: start the host once, then make the invitation")
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
			return pages.Refuse("You have {n} open invitations, and that's the limit. Ask a keeper to end one, or wait until one expires.", n)
		}
		var old storedInvitation
		switch had, err := notes.Get(rows, invitationsShelf, handleOf(code), &old); {
		case err != nil:
			return err
		case had && old.Uses == 0:
			return errUsed
		case had:
			return nil
		}
		return notes.Put(rows, invitationsShelf, handleOf(code), made)
	})
	return string(at) + doorPath + "/" + code, err
}

var errInvitation = pages.Refuse("That invitation is no longer valid: it has been used or has expired. Ask whoever sent it for another one.")

// invitations reads and changes the stored invitations.
type invitations struct {
	notes bot.Notes
	now   func() time.Time
}

// isOpen reports whether an invitation can be used now.
func (iv *invitations) isOpen(i storedInvitation) bool {
	return i.Uses > 0 && !iv.now().After(i.Until) && !iv.now().Before(i.Closed)
}

// invitation returns the open invitation with a code, and its handle.
func (iv *invitations) invitation(ctx context.Context, code string) (key string, i storedInvitation, err error) {
	key = handleOf(code)
	if _, err := notes.Read(ctx, iv.notes, invitationsShelf, key, &i); err != nil {
		return "", i, err
	}
	if !iv.isOpen(i) {
		return "", storedInvitation{}, errInvitation
	}
	return key, i, nil
}

// useInvitation uses up one admission of an invitation.
func (iv *invitations) useInvitation(rows bot.Rows, key string) error {
	return notes.Edit(rows, invitationsShelf, key, errInvitation, func(i *storedInvitation) error {
		if !iv.isOpen(*i) {
			return errInvitation
		}
		i.Uses--
		return nil
	})
}

// closeInvitation closes an invitation until a time, if it still exists.
func (iv *invitations) closeInvitation(ctx context.Context, key string, until time.Time) error {
	return iv.notes.Change(ctx, func(rows bot.Rows) error {
		return notes.Edit(rows, invitationsShelf, key, nil, func(i *storedInvitation) error { i.Closed = until; return nil })
	})
}

// forgetInvitations deletes a person's invitations.
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

// roomShelf stores the room's own data: "url" is its address.
const roomShelf = "room"

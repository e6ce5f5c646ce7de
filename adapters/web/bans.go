package web

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// The room recognizes a banned person who comes back under another name. Their browser's
// cookie still names the banned person, and for a week their network and the invitation
// they came by are closed to newcomers. People already in the room stay, since they may
// share the network.

// forGood is the end of a permanent ban.
var forGood = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// bans keeps banned people out.
type bans struct {
	notes   bot.Notes
	now     func() time.Time
	clients *pages.Clients
	cookies *pages.Cookies
	members *members

	mu      sync.Mutex
	sweptAt time.Time // when old addresses and bans were last removed
}

// isBanned reports whether a person is banned now.
func (bs *bans) isBanned(p person) bool { return bs.now().Before(p.out) }

// errBanned refuses a banned person. The page treats it like a missing name, and goes to
// the door.
func errBanned(until time.Time) error {
	if until.Equal(forGood) {
		return &pages.Refusal{Status: http.StatusUnauthorized, Text: text.Say("You've been banned from this room.")}
	}
	return &pages.Refusal{Status: http.StatusUnauthorized, Text: text.Say("You've been removed from this room until {time}.", text.Span{Text: until.UTC().Format("2 January 15:04 MST"), Time: until})}
}

// A storedBar refuses newcomers from a network, in the notes' shelf "bars", by the
// network. Rows of earlier versions may be of wider networks than a newcomer's; they
// expire unused.
type storedBar struct {
	V     int       `json:"v"` // 1
	At    time.Time `json:"at"`
	Until time.Time `json:"until"`
}

const barsShelf = "bars"

// barFor limits how long a ban refuses newcomers from the same network, because addresses
// change hands.
const barFor = 7 * 24 * time.Hour

// networkOf returns an address's network: an IPv4 address itself, or the /64 of a household
// for IPv6. ok is false for private addresses, such as a local proxy's.
func networkOf(ip netip.Addr) (net netip.Prefix, ok bool) {
	if !ip.IsValid() || ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() {
		return net, false
	}
	bits := ip.BitLen()
	if ip.Is6() {
		bits = 64
	}
	net, err := ip.Prefix(bits)
	return net, err == nil
}

// checkNewcomer refuses a banned person who enters again, recognized by a cookie with their
// former identity, or by their network.
func (bs *bans) checkNewcomer(req *http.Request) error {
	for _, s := range bs.cookies.Sessions(req) {
		p, found, err := bs.members.person(req.Context(), s.ID)
		if err != nil {
			return err
		}
		if found && bs.isBanned(p) {
			return errBanned(p.out)
		}
	}
	net, ok := networkOf(bs.clients.ClientOf(req))
	if !ok {
		return nil
	}
	var b storedBar
	if _, err := notes.Read(req.Context(), bs.notes, barsShelf, net.String(), &b); err != nil {
		return err
	}
	if bs.now().Before(b.Until) {
		return errBanned(b.Until)
	}
	return nil
}

// A storedAddress is the network that a person last came from, in the notes' shelf
// "addresses".
type storedAddress struct {
	V   int       `json:"v"` // 1
	At  time.Time `json:"at"`
	Net string    `json:"net"`
	// When they left the room for good, their name then, the invitation they had come by,
	// and the end of a ban imposed since.
	Left   time.Time `json:"left,omitzero"`
	Name   string    `json:"name,omitempty"`
	Invite string    `json:"invite,omitempty"`
	Out    time.Time `json:"out,omitzero"`
}

const addressShelf = "addresses"

// How long an address is kept, and how often old ones are removed.
const (
	addressFor   = 30 * 24 * time.Hour // after its person last came from it
	leftFor      = 7 * 24 * time.Hour  // after they left
	sweepAddress = 24 * time.Hour
)

// sweep removes old addresses and expired bans of networks, once a day.
func (bs *bans) sweep(ctx context.Context) error {
	bs.mu.Lock()
	due := bs.now().Sub(bs.sweptAt) >= sweepAddress
	if due {
		bs.sweptAt = bs.now()
	}
	bs.mu.Unlock()
	if !due {
		return nil
	}
	if err := dropRows(ctx, bs.notes, addressShelf, func(a storedAddress) bool {
		return bs.now().Sub(a.At) >= addressFor || !a.Left.IsZero() && bs.now().Sub(a.Left) >= leftFor
	}); err != nil {
		return err
	}
	return dropRows(ctx, bs.notes, barsShelf, func(b storedBar) bool { return !bs.now().Before(b.Until) })
}

// dropRows removes a shelf's old rows, unless they change meanwhile.
func dropRows[V any](ctx context.Context, kept bot.Notes, shelf string, old func(V) bool) error {
	for after := ""; ; {
		rows, err := kept.Scan(ctx, shelf, "", after, 500)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			after = row.Key
			var v V
			if err := json.Unmarshal(row.Value, &v); err != nil {
				return err
			}
			if !old(v) {
				continue
			}
			if err := kept.Change(ctx, func(rows bot.Rows) error {
				now, err := rows.Get(shelf, row.Key)
				if err != nil || !bytes.Equal(now, row.Value) {
					return err
				}
				return rows.Put(shelf, row.Key, nil)
			}); err != nil {
				return err
			}
		}
	}
}

// keepAddress stores a person's network, so that a ban can bar it.
func (bs *bans) keepAddress(req *http.Request, who person) error {
	if err := bs.sweep(req.Context()); err != nil {
		return err
	}
	net, ok := networkOf(bs.clients.ClientOf(req))
	if !ok {
		return nil
	}
	var old storedAddress
	_, err := notes.Read(req.Context(), bs.notes, addressShelf, who.ID, &old)
	if err != nil || old.Net == net.String() && bs.now().Sub(old.At) < 24*time.Hour {
		return err
	}
	return bs.notes.Change(req.Context(), func(rows bot.Rows) error {
		return notes.Put(rows, addressShelf, who.ID, storedAddress{V: 1, At: bs.now(), Net: net.String()})
	})
}

// Ban bans a person, or lifts their ban; see [bot.Steward].
func (st *steward) Ban(ctx context.Context, b bot.Ban) (text.Text, error) {
	until := b.Until
	switch {
	case b.Lift:
		until = time.Time{}
	case until.IsZero():
		until = forGood
	}
	id, _ := memberID(b.Who.ID)
	p, err := st.members.changePerson(ctx, id, func(p *storedPerson) { p.Out = until })
	in := err == nil
	if err != nil && err != pages.ErrNoName {
		return nil, err
	}
	var at storedAddress
	var known bool
	if err := st.notes.Change(ctx, func(rows bot.Rows) (err error) {
		at = storedAddress{}
		if known, err = notes.Get(rows, addressShelf, id, &at); err != nil || !known || in {
			return err
		}
		at.Out = until
		return notes.Put(rows, addressShelf, id, at)
	}); err != nil {
		return nil, err
	}
	switch {
	case in:
		st.listeners.drop(id)
		at.Invite = p.invite
	case !known:
		return text.Say("They left the room a while ago, so I no longer know where they connected from."), nil
	}
	return st.barOrigin(ctx, at, until)
}

// barOrigin bars newcomers from a banned person's network and invitation, or admits them
// again.
func (st *steward) barOrigin(ctx context.Context, at storedAddress, until time.Time) (said text.Text, err error) {
	if !until.IsZero() {
		if week := st.now().Add(barFor); week.Before(until) {
			until = week
		}
	}
	if at.Net != "" {
		said = text.Say("Newcomers from the same network are banned too, for a week at most.")
		if err := st.notes.Change(ctx, func(rows bot.Rows) error {
			if until.IsZero() {
				return rows.Put(barsShelf, at.Net, nil)
			}
			return notes.Put(rows, barsShelf, at.Net, storedBar{1, st.now(), until})
		}); err != nil {
			return nil, err
		}
	}
	if at.Invite != "" {
		said = text.Sentences(said, text.Say("The invitation they used is closed for a week at most."))
		if err := st.invitations.closeInvitation(ctx, at.Invite, until); err != nil {
			return nil, err
		}
	}
	if until.IsZero() {
		return nil, nil
	}
	return said, nil
}

// Bans lists the bans in force, even of people who have left; see [bot.Steward].
func (st *steward) Bans(ctx context.Context) (all []bot.Ban, err error) {
	people, err := st.members.people(ctx)
	if err != nil {
		return nil, err
	}
	add := func(who person, until time.Time) {
		if !st.now().Before(until) {
			return
		}
		b := bot.Ban{Who: who.user()}
		if !until.Equal(forGood) {
			b.Until = until
		}
		all = append(all, b)
	}
	for _, p := range people {
		add(p, p.out)
	}
	err = notes.ReadEachOf(ctx, st.notes, addressShelf, "", func(id string, a storedAddress) error {
		add(person{ID: id, Name: a.Name}, a.Out)
		return nil
	})
	return all, err
}

// markLeft records that a person left, in the row with their network, which is kept for
// some more days. For people who did nothing here, it deletes the row.
func (bs *bans) markLeft(ctx context.Context, who person) error {
	return bs.notes.Change(ctx, func(rows bot.Rows) error {
		var at storedAddress
		found, err := notes.Get(rows, addressShelf, who.ID, &at)
		if err != nil || !found {
			return err
		}
		if who.silent {
			return rows.Put(addressShelf, who.ID, nil)
		}
		at.Left, at.Name, at.Invite = bs.now(), who.Name, who.invite
		return notes.Put(rows, addressShelf, who.ID, at)
	})
}

// findLeft returns a person who left lately and can still be banned.
func (ms *members) findLeft(ctx context.Context, id string) (person, bool, error) {
	var at storedAddress
	found, err := notes.Read(ctx, ms.notes, addressShelf, id, &at)
	return person{ID: id, Name: at.Name}, found && !at.Left.IsZero(), err
}

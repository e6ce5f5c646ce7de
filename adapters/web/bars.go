package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// This file keeps people out: a person, by what is kept of them, and networks of
// addresses. Somebody who is kept out and comes back under another name is met by
// what they can't leave behind so easily: the browser's cookie, which still says
// who they were, the network that they came from, and the invitation that they
// came by, which is over.

// forGood is until when somebody without a set end is kept out.
var forGood = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// bars keep people and networks out.
type bars struct {
	notes   bot.Notes
	now     func() time.Time
	clients *clients
	cookies *cookies
	members *members

	// barring is held while the networks that are kept out are looked up.
	barring     sync.Mutex
	barred      map[netip.Prefix]storedBar // nil: to be read
	barredAt    time.Time
	addressesAt time.Time // when the addresses of people were looked through
}

// isOut reports whether a person is kept out.
func (bs *bars) isOut(p person) bool { return bs.now().Before(p.out) }

// errOut refuses somebody who is kept out. The page takes it for having no name
// here, and goes to the door.
func errOut(until time.Time) error {
	if until.Equal(forGood) {
		return &refusal{http.StatusUnauthorized, text.Say("You've been banned from this room.")}
	}
	return &refusal{http.StatusUnauthorized, text.Say("You've been removed from this room until {time}.", text.Span{Text: until.UTC().Format("2 January 15:04 MST"), Time: until})}
}

// A storedBar is a network that is kept out, in the notes' shelf "bars", by the
// network.
type storedBar struct {
	V     int       `json:"v"` // 1
	At    time.Time `json:"at"`
	Until time.Time `json:"until"`
	// Newcomers says that those who are in may stay: it came with a person who was
	// kept out, and others may share their network.
	Newcomers bool `json:"newcomers,omitempty"`
}

const barsShelf = "bars"

// barFor is how long newcomers are refused from the network of a person who was
// kept out. It isn't for good, because addresses change hands.
const barFor = 7 * 24 * time.Hour

// barredNetworks are the networks that are kept out now. They are read anew every
// few seconds, for each request looks at them.
func (bs *bars) barredNetworks(ctx context.Context) (map[netip.Prefix]storedBar, error) {
	bs.barring.Lock()
	defer bs.barring.Unlock()
	if bs.barred != nil && bs.now().Sub(bs.barredAt) < 5*time.Second {
		return bs.barred, nil
	}
	rows, err := bs.notes.Scan(ctx, barsShelf, "", "", maxBars)
	if err != nil {
		return nil, err
	}
	all := map[netip.Prefix]storedBar{}
	for _, row := range rows {
		net, err := netip.ParsePrefix(row.Key)
		var b storedBar
		if err = errors.Join(err, json.Unmarshal(row.Value, &b)); err != nil {
			return nil, err
		}
		if bs.now().Before(b.Until) {
			all[net] = b
		} else if err := bs.dropRow(ctx, barsShelf, row); err != nil {
			return nil, err
		}
	}
	bs.barred, bs.barredAt = all, bs.now()
	return all, nil
}

// dropRow removes a row whose time is over, unless it was written anew since it was
// read.
func (bs *bars) dropRow(ctx context.Context, shelf string, row bot.Row) error {
	return bs.notes.Change(ctx, func(rows bot.Rows) error {
		now, err := rows.Get(shelf, row.Key)
		if err != nil || !bytes.Equal(now, row.Value) {
			return err
		}
		return rows.Put(shelf, row.Key, nil)
	})
}

// maxBars is the most networks that are kept out.
const maxBars = 1000

// checkNetwork refuses a request from a network that is kept out.
func (bs *bars) checkNetwork(req *http.Request, newcomer bool) error {
	bars, err := bs.barredNetworks(req.Context())
	if err != nil || len(bars) == 0 {
		return err
	}
	ip := bs.clients.clientOf(req)
	for net, b := range bars {
		if net.Contains(ip) && (newcomer || !b.Newcomers) {
			return errOut(b.Until)
		}
	}
	return nil
}

// checkNewcomer refuses somebody who was kept out and comes in anew: by their
// network, or by a cookie that says who they were.
func (bs *bars) checkNewcomer(req *http.Request) error {
	for _, s := range bs.cookies.sessions(req) {
		p, found, err := bs.members.person(req.Context(), s.id)
		if err != nil {
			return err
		}
		if found && bs.isOut(p) {
			return errOut(p.out)
		}
	}
	return bs.checkNetwork(req, true)
}

// A storedAddress is the network that a person came from last, in the notes' shelf
// "addresses".
type storedAddress struct {
	V   int       `json:"v"` // 1
	At  time.Time `json:"at"`
	Net string    `json:"net"`
	// Left is when they left the room for good, what they were called then, and the
	// invitation that they had come by: somebody who was rude and left can be kept out
	// still.
	Left   time.Time `json:"left,omitzero"`
	Name   string    `json:"name,omitempty"`
	Invite string    `json:"invite,omitempty"`
}

const addressShelf = "addresses"

// An address is kept for addressFor after somebody came from it; the notes are looked
// through for older ones when somebody comes, once in addressLook.
const (
	addressFor  = 30 * 24 * time.Hour
	leftFor     = 7 * 24 * time.Hour // after they left
	addressLook = 24 * time.Hour
)

// forgetAddresses lets go of the addresses that nobody came from for long.
func (bs *bars) forgetAddresses(ctx context.Context) error {
	bs.barring.Lock()
	due := bs.now().Sub(bs.addressesAt) >= addressLook
	if due {
		bs.addressesAt = bs.now()
	}
	bs.barring.Unlock()
	if !due {
		return nil
	}
	for after := ""; ; {
		rows, err := bs.notes.Scan(ctx, addressShelf, "", after, 500)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			after = row.Key
			var a storedAddress
			if err := json.Unmarshal(row.Value, &a); err != nil {
				return err
			}
			if bs.now().Sub(a.At) < addressFor && (a.Left.IsZero() || bs.now().Sub(a.Left) < leftFor) {
				continue
			}
			if err := bs.dropRow(ctx, addressShelf, row); err != nil {
				return err
			}
		}
	}
}

// keepAddress keeps the network that somebody comes from, so that it can be closed
// should they have to be kept out.
func (bs *bars) keepAddress(req *http.Request, who person) error {
	if err := bs.forgetAddresses(req.Context()); err != nil {
		return err
	}
	ip := bs.clients.clientOf(req)
	if !ip.IsValid() || ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() {
		return nil // a proxy's, or everybody's here
	}
	bits := ip.BitLen()
	if ip.Is6() {
		bits = 64
	}
	net, err := ip.Prefix(bits)
	if err != nil {
		return err
	}
	var old storedAddress
	_, err = notes.Read(req.Context(), bs.notes, addressShelf, who.ID, &old)
	if err != nil || old.Net == net.String() && bs.now().Sub(old.At) < 24*time.Hour {
		return err
	}
	return bs.notes.Change(req.Context(), func(rows bot.Rows) error {
		return notes.Put(rows, addressShelf, who.ID, storedAddress{V: 1, At: bs.now(), Net: net.String()})
	})
}

// Bar keeps somebody out, or lets them in again; see [bot.Steward].
func (st *steward) Bar(ctx context.Context, b bot.Bar) (text.Text, error) {
	until := b.Until
	switch {
	case b.Lift:
		until = time.Time{}
	case until.IsZero():
		until = forGood
	}
	switch {
	case b.Network != "":
		net, err := netip.ParsePrefix(b.Network)
		if err != nil {
			return nil, err
		}
		return nil, st.bars.barNetwork(ctx, net, until, false)
	case b.Invitation != "":
		return st.barInvitation(ctx, b.Invitation, until)
	}
	id, _ := strings.CutPrefix(string(b.Who.ID), Platform+":")
	return st.barPerson(ctx, id, until, !b.Lightly)
}

func (bs *bars) barNetwork(ctx context.Context, net netip.Prefix, until time.Time, newcomers bool) error {
	defer func() {
		bs.barring.Lock()
		defer bs.barring.Unlock()
		bs.barred = nil
	}()
	if until.IsZero() {
		return bs.notes.Put(ctx, barsShelf, net.String(), nil)
	}
	return notes.Write(ctx, bs.notes, barsShelf, net.String(), storedBar{1, bs.now(), until, newcomers})
}

// barPerson keeps one person out; with hard, newcomers from their network and by
// their invitation too.
func (st *steward) barPerson(ctx context.Context, id string, until time.Time, hard bool) (text.Text, error) {
	p, err := st.members.changePerson(ctx, id, func(p *storedPerson) { p.Out = until })
	if err == errNoName {
		return st.barLeft(ctx, id, until)
	}
	if err != nil {
		return nil, err
	}
	st.listeners.live.drop(id)
	st.listeners.broadcast(broadcast{Person: id, Name: dropped}, nil)
	if !hard {
		return nil, nil
	}
	var at storedAddress
	if _, err := notes.Read(ctx, st.Notes, addressShelf, id, &at); err != nil {
		return nil, err
	}
	return st.barOrigin(ctx, at.Net, p.invite, until)
}

// barLeft keeps somebody out who has left the room, as long as it is known where they
// came from.
func (st *steward) barLeft(ctx context.Context, id string, until time.Time) (text.Text, error) {
	var at storedAddress
	found, err := notes.Read(ctx, st.Notes, addressShelf, id, &at)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return text.Say("They left the room a while ago, so I no longer know where they connected from."), nil
	}
	return st.barOrigin(ctx, at.Net, at.Invite, until)
}

// barOrigin closes the network and the invitation that somebody came by.
func (st *steward) barOrigin(ctx context.Context, network, invite string, until time.Time) (said text.Text, err error) {
	if net, err := netip.ParsePrefix(network); err == nil {
		closed := time.Time{}
		if !until.IsZero() {
			closed = st.Now().Add(barFor)
			if until.Before(closed) {
				closed = until
			}
			said = text.Say("Newcomers from the same network are banned too, for a week at most.")
		}
		if err := st.bars.barNetwork(ctx, net, closed, true); err != nil {
			return nil, err
		}
	}
	if invite != "" && !until.IsZero() {
		if err := st.invitations.endInvitation(ctx, invite); err != nil {
			return nil, err
		}
		said = text.Sentences(said, text.Say("The invitation they used has been ended."))
	}
	return said, nil
}

// barInvitation ends an invitation, and keeps all out who came by it.
func (st *steward) barInvitation(ctx context.Context, begins string, until time.Time) (text.Text, error) {
	all, err := st.members.people(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := st.Notes.Keys(ctx, invitationsShelf)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, key := range keys {
		if len(begins) >= 4 && strings.HasPrefix(key, strings.ToLower(begins)) {
			n++
			if err := st.invitations.endInvitation(ctx, key); err != nil {
				return nil, err
			}
		}
	}
	came := 0
	for _, p := range all {
		if len(begins) < 4 || p.Keeper || !strings.HasPrefix(p.invite, strings.ToLower(begins)) {
			continue
		}
		came++
		if _, err := st.barPerson(ctx, p.ID, until, false); err != nil {
			return nil, err
		}
	}
	return text.Say("That ended {invitations, plural, one {# invitation} other {# invitations}} and banned {people, plural, one {# person} other {# people}}.", n, came), nil
}

// Bars are the people and networks that are kept out; see [bot.Steward].
func (st *steward) Bars(ctx context.Context) (all []bot.Bar, err error) {
	people, err := st.members.people(ctx)
	if err != nil {
		return nil, err
	}
	end := func(t time.Time) time.Time {
		if t.Equal(forGood) {
			return time.Time{}
		}
		return t
	}
	for _, p := range people {
		if st.bars.isOut(p) {
			u := p.user()
			all = append(all, bot.Bar{Who: &u, Until: end(p.out)})
		}
	}
	nets, err := st.bars.barredNetworks(ctx)
	for net, b := range nets {
		all = append(all, bot.Bar{Network: net.String(), Until: end(b.Until)})
	}
	slices.SortStableFunc(all, func(a, b bot.Bar) int { return cmp.Compare(a.Network, b.Network) })
	return all, err
}

package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rackmate/rackmate/adapters/web/pages"
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

// The shelves of people: storedPerson, by id; and ids, by foldName.
const (
	peopleShelf = "people"
	namesShelf  = "names"
)

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

// members reads and changes the people of the room.
type members struct {
	host  bot.Host
	notes bot.Notes
	now   func() time.Time
	looks func() looks // lookalike characters and reserved names; loaded on first use
	// turn is held while the directory changes. Every change writes the count of people, so
	// on PostgreSQL many simultaneous arrivals made each other fail until they gave up.
	turn chan struct{}
}

func (p person) player() bot.PlayerID { return bot.PlayerID(pages.Platform + ":" + p.ID) }
func (p person) user() bot.User       { return bot.User{ID: p.player(), Name: p.Name} }

// memberID returns the id within the room of a player. ours is false if they are of another platform.
func memberID(player bot.PlayerID) (id string, ours bool) {
	return strings.CutPrefix(string(player), pages.Platform+":")
}

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

// changePerson changes a person's row. It returns [pages.ErrNoName] if they have left.
func (ms *members) changePerson(ctx context.Context, id string, change func(*storedPerson)) (p person, err error) {
	err = changePerson(ctx, ms.notes, id, func(s *storedPerson) {
		change(s)
		p = s.person(id)
	})
	return p, err
}

func changePerson(ctx context.Context, kept bot.Notes, id string, change func(*storedPerson)) error {
	return kept.Change(ctx, func(rows bot.Rows) error {
		return notes.Edit(rows, peopleShelf, id, pages.ErrNoName, func(s *storedPerson) error { change(s); return nil })
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

// personNamed returns the person with a name.
func (ms *members) personNamed(ctx context.Context, name string) (person, bool, error) {
	id, err := ms.notes.Get(ctx, namesShelf, foldName(name))
	if err != nil || id == nil {
		return person{}, false, err
	}
	p, found, err := ms.person(ctx, string(id))
	return p, found && foldName(p.Name) == foldName(name), err
}

// find returns the user with a name.
func (ms *members) find(ctx context.Context, name string) (bot.User, bool, error) {
	p, found, err := ms.personNamed(ctx, name)
	return p.user(), found, err
}

// nameOf returns the current name of a player. found is false unless they are a member.
func (ms *members) nameOf(ctx context.Context, player bot.PlayerID) (name string, found bool, err error) {
	id, ours := memberID(player)
	if !ours {
		return "", false, nil
	}
	p, found, err := ms.person(ctx, id)
	return p.Name, found, err
}

// nameNow replaces the names of the room's people with their current ones.
func (ms *members) nameNow(ctx context.Context, sight *bot.Sight) error {
	for i, p := range sight.Players {
		name, found, err := ms.nameOf(ctx, p.ID)
		if err != nil {
			return err
		}
		if found {
			sight.Players[i].Name = name
		}
	}
	return nil
}

// checkMuted returns an error if a person is muted.
func (ms *members) checkMuted(ctx context.Context, who person) error {
	no, err := ms.host.MaySay(ctx, pages.Home, who.player())
	if err == nil && no != nil {
		return &pages.Refusal{Status: http.StatusUnprocessableEntity, Text: no}
	}
	return err
}

// SetKeeper makes the person with a name a keeper of the room stored in the notes. If
// keeper is false, they are one no longer.
func SetKeeper(ctx context.Context, notes bot.Notes, name string, keeper bool) error {
	id, err := notes.Get(ctx, namesShelf, foldName(name))
	if err == nil && id != nil {
		err = changePerson(ctx, notes, string(id), func(p *storedPerson) { p.Keeper = keeper })
	}
	if err == pages.ErrNoName || err == nil && id == nil {
		return fmt.Errorf("nobody in the room is called %q: let them come in first, then name them again", name)
	}
	return err
}

// Keepers lists the names of the keepers of the room stored in the notes.
func Keepers(ctx context.Context, notes bot.Notes) ([]string, error) {
	all, err := (&members{notes: notes}).people(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range all {
		if p.Keeper {
			names = append(names, p.Name)
		}
	}
	return names, nil
}

package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
)

// A person is somebody who chose a name.
type person struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Keeper bool   `json:"-"` // they keep the room
	epoch  int    // of the cookies that count
	silent bool   // they have done nothing yet but come in
	invite string // the handle of the invitation they came by
	since  time.Time
}

// A storedPerson is a person in the notes' shelf "people", by id.
type storedPerson struct {
	V      int       `json:"v"` // 1
	Name   string    `json:"name"`
	Since  time.Time `json:"since"`
	Keeper bool      `json:"keeper,omitempty"`
	Epoch  int       `json:"epoch,omitempty"`
	Silent bool      `json:"silent,omitempty"`
	Invite string    `json:"invite,omitempty"`
}

func (p person) player() bot.PlayerID { return bot.PlayerID(Platform + ":" + p.ID) }
func (p person) user() bot.User       { return bot.User{ID: p.player(), Name: p.Name} }

// maxName is the most characters of a name.
const maxName = 30

// cleanName makes a name of what somebody typed.
func cleanName(typed string) (string, error) {
	name := strings.Join(strings.Fields(strings.ToValidUTF8(typed, "")), " ")
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", refuse("Please type a name.")
	case n > maxName:
		return "", refuse("A name has at most %d characters; this one has %d.", maxName, n)
	}
	letter := false
	for _, c := range name {
		letter = letter || unicode.IsLetter(c) || unicode.IsDigit(c)
		if !inName(c) {
			return "", refuse("A name can have letters, digits, emoji, spaces and - _ . ' but not %q.", c)
		}
	}
	if !letter {
		return "", refuse("A name needs a letter or a digit.")
	}
	return name, nil
}

// foldName is equal for names that look alike to people who don't look
// closely.
func foldName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "’", "'")) }

// taken are the names that nobody can have: the host's, and what would read as
// everybody.
var taken = []string{"rackmate", "everyone", "everybody", "here", "all", "channel"}

// claim takes a name for a person. Callers hold r.names.
func (r *Room) claim(ctx context.Context, id, name string) error {
	owner, err := r.Notes.Get(ctx, "names", foldName(name))
	if err != nil {
		return err
	}
	_, owned, err := r.storedPerson(ctx, string(owner))
	if err != nil {
		return err
	}
	if slices.Contains(taken, foldName(name)) || (owned && string(owner) != id) {
		return refuse("Somebody else goes by %s here. Please choose another name, or add a letter to this one.", name)
	}
	if err := r.free(ctx, id, name); err != nil {
		return err
	}
	return r.Notes.Put(ctx, "names", foldName(name), []byte(id))
}

// enter makes a person of somebody who was let in.
func (r *Room) enter(ctx context.Context, typed string, let pass) (person, error) {
	name, err := cleanName(typed)
	if err != nil {
		return person{}, err
	}
	id, err := r.newID()
	if err != nil {
		return person{}, err
	}
	r.names.Lock()
	defer r.names.Unlock()
	others, err := r.people(ctx)
	if err != nil {
		return person{}, err
	}
	if others, err = r.forgetSilent(ctx, others); err != nil {
		return person{}, err
	}
	if len(others) >= maxPeople {
		return person{}, refuse("The room is full: %d people have a name here. Please try again tomorrow.", len(others))
	}
	if err := r.claim(ctx, id, name); err != nil {
		return person{}, err
	}
	if let.invite != "" {
		if err := r.useInvitation(ctx, let.invite); err != nil {
			return person{}, errors.Join(err, r.Notes.Put(ctx, "names", foldName(name), nil))
		}
	}
	p := person{ID: id, Name: name, Keeper: r.FirstKeeps && len(others) == 0, silent: true, invite: let.invite, since: r.Now()}
	if err := r.savePerson(ctx, p); err != nil {
		return person{}, err
	}
	// What was said before they came is not news to them.
	channels, err := r.channels(ctx)
	if err != nil {
		return person{}, err
	}
	for _, s := range channels {
		if n, err := r.last(ctx, s); err != nil {
			return person{}, err
		} else if err := r.setRead(ctx, p, s, n); err != nil {
			return person{}, err
		}
	}
	r.showPerson(p, false)
	return p, nil
}

func (r *Room) rename(ctx context.Context, who person, in struct {
	Name string `json:"name"`
}) (any, error) {
	name, err := cleanName(in.Name)
	if err != nil {
		return nil, err
	}
	r.names.Lock()
	defer r.names.Unlock()
	if err := r.claim(ctx, who.ID, name); err != nil {
		return nil, err
	}
	var old string
	now, err := r.changePerson(ctx, who.ID, func(p *storedPerson) { old, p.Name = p.Name, name })
	if err != nil {
		return nil, err
	}
	if foldName(name) != foldName(old) {
		if err := errors.Join(r.Notes.Put(ctx, "names", foldName(old), nil), r.rest(ctx, old, now.ID)); err != nil {
			return nil, err
		}
	}
	r.showPerson(now, false)
	return now, nil
}

func (r *Room) leave(ctx context.Context, who person) error {
	r.names.Lock()
	defer r.names.Unlock()
	if err := r.forgetPerson(ctx, who); err != nil {
		return err
	}
	err := errors.Join(r.rest(ctx, who.Name, ""), r.Host.MemberLeft(ctx, home, who.player()))
	if who.Keeper && r.FirstKeeps {
		err = errors.Join(err, r.newKeeper(ctx))
	}
	return err
}

// forgetPerson takes a person out of the room. Callers hold r.names.
func (r *Room) forgetPerson(ctx context.Context, who person) error {
	if err := r.Notes.Put(ctx, "people", who.ID, nil); err != nil {
		return err
	}
	if err := r.Notes.Put(ctx, "names", foldName(who.Name), nil); err != nil {
		return err
	}
	if err := r.forgetRests(ctx, who.ID); err != nil {
		return err
	}
	r.live.drop(who.ID)
	r.showPerson(who, true)
	return nil
}

// newKeeper lets the one who has been in the room longest keep it, where nobody
// does any more.
func (r *Room) newKeeper(ctx context.Context) error {
	all, err := r.people(ctx)
	if err != nil || len(all) == 0 || slices.ContainsFunc(all, func(p person) bool { return p.Keeper }) {
		return err // where nobody is left, it is the next who comes
	}
	eldest := slices.MinFunc(all, func(a, b person) int { return a.since.Compare(b.since) })
	_, err = r.changePerson(ctx, eldest.ID, func(p *storedPerson) { p.Keeper = true })
	return err
}

// endSessions makes all of a person's cookies worthless.
func (r *Room) endSessions(ctx context.Context, who person) (person, error) {
	p, err := r.changePerson(ctx, who.ID, func(p *storedPerson) { p.Epoch++ })
	if err != nil {
		return p, err
	}
	r.live.drop(p.ID)
	return p, nil
}

// People who came in and did nothing are forgotten after silentFor, so that
// names and the list of people don't fill up with passers-by.
const (
	silentFor = 24 * time.Hour
	maxPeople = 20_000
)

// forgetSilent lets go of all who have done nothing for a day, and gives those
// who stay. Callers hold r.names.
func (r *Room) forgetSilent(ctx context.Context, all []person) (stay []person, err error) {
	for _, p := range all {
		if !p.silent || p.Keeper || r.Now().Sub(p.since) < silentFor || r.live.here(p.ID) {
			stay = append(stay, p)
			continue
		}
		err := errors.Join(r.clear(ctx, "read/"+p.ID), r.forgetPerson(ctx, p))
		if err != nil {
			return nil, err
		}
	}
	return stay, nil
}

// noteActive keeps a person beyond their first day, as they have now done
// something here.
func (r *Room) noteActive(ctx context.Context, who person) error {
	if !who.silent {
		return nil
	}
	_, err := r.changePerson(ctx, who.ID, func(p *storedPerson) { p.Silent = false })
	return err
}

func (r *Room) savePerson(ctx context.Context, p person) error {
	b, err := json.Marshal(storedPerson{1, p.Name, p.since, p.Keeper, p.epoch, p.silent, p.invite})
	if err != nil {
		return err
	}
	return r.Notes.Put(ctx, "people", p.ID, b)
}

// changePerson changes what is kept of a person. The error is errNoName where
// they are gone.
func (r *Room) changePerson(ctx context.Context, id string, change func(*storedPerson)) (p person, err error) {
	err = changePerson(ctx, r.Notes, id, func(s *storedPerson) {
		change(s)
		p = s.person(id)
	})
	return p, err
}

func changePerson(ctx context.Context, notes bot.Notes, id string, change func(*storedPerson)) error {
	return notes.Change(ctx, func(rows bot.Rows) error {
		b, err := rows.Get("people", id)
		if err != nil {
			return err
		}
		if b == nil {
			return errNoName
		}
		var s storedPerson
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		change(&s)
		if b, err = json.Marshal(s); err != nil {
			return err
		}
		return rows.Put("people", id, b)
	})
}

func (s storedPerson) person(id string) person {
	return person{id, s.Name, s.Keeper, s.Epoch, s.Silent, s.Invite, s.Since}
}

func (r *Room) storedPerson(ctx context.Context, id string) (p storedPerson, found bool, err error) {
	b, err := r.Notes.Get(ctx, "people", id)
	if err != nil || b == nil {
		return p, false, err
	}
	return p, true, json.Unmarshal(b, &p)
}

func (r *Room) person(ctx context.Context, id string) (p person, found bool, err error) {
	stored, found, err := r.storedPerson(ctx, id)
	return stored.person(id), found, err
}

// people lists everybody by name.
func (r *Room) people(ctx context.Context) ([]person, error) {
	ids, err := r.Notes.Keys(ctx, "people")
	if err != nil {
		return nil, err
	}
	var all []person
	for _, id := range ids {
		p, found, err := r.person(ctx, id)
		if err != nil {
			return nil, err
		}
		if found {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b person) int {
		return cmp.Or(strings.Compare(foldName(a.Name), foldName(b.Name)), strings.Compare(a.ID, b.ID))
	})
	return all, nil
}

// A piece is a part of what somebody wrote: plain, or "@" and somebody's name.
type piece struct {
	text string
	who  *person
}

// cutNames cuts a text at the names of people in it: of "@Ann Lee" it is
// Ann Lee's, even where there is an Ann.
func cutNames(text string, people []person) []piece {
	longest := slices.Clone(people)
	slices.SortStableFunc(longest, func(a, b person) int { return len(b.Name) - len(a.Name) })
	var pieces []piece
	from := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '@' || wordEnds(text[:i]) {
			continue
		}
		for _, p := range longest {
			end := i + 1 + len(p.Name)
			if end <= len(text) && strings.EqualFold(text[i+1:end], p.Name) && !wordStarts(text[end:]) {
				if from < i {
					pieces = append(pieces, piece{text: text[from:i]})
				}
				pieces = append(pieces, piece{text[i:end], &p})
				from, i = end, end-1
				break
			}
		}
	}
	if from < len(text) {
		pieces = append(pieces, piece{text: text[from:]})
	}
	return pieces
}

func wordEnds(s string) bool {
	c, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(c) || unicode.IsDigit(c)
}

func wordStarts(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(c) || unicode.IsDigit(c)
}

package web

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// A room may have many people, so they are never all read. These shelves of the notes index
// them.
const (
	looksShelf  = "looks2" // a person's id, by skeleton
	silentShelf = "silent" // a person's id, by arrival time, for people who have done nothing yet
	countShelf  = "count"  // storedCount of the shelf people
)

// oldLooksShelf is the looksShelf of rooms whose storedCount has version 1. It knew fewer
// lookalike letters.
const oldLooksShelf = "looks"

// A storedCount is the number of rows on a shelf. If it is missing or of version 1, the
// room is from an earlier version and lacks the shelves looks2 and silent.
type storedCount struct {
	V int `json:"v"` // 2
	N int `json:"n"`
}

// A directory holds the room's people during a change of the notes, which keeps their names
// unique in all processes.
type directory struct {
	rows  bot.Rows
	now   time.Time
	looks func() looks
	count int
}

// changePeople changes the people in the room. It may call fn again.
func (ms *members) changePeople(ctx context.Context, fn func(*directory) error) error {
	select {
	case ms.turn <- struct{}{}:
		defer func() { <-ms.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return ms.notes.Change(ctx, func(rows bot.Rows) error {
		d := directory{rows: rows, now: ms.now(), looks: ms.looks}
		made, err := d.open()
		if err != nil {
			return err
		}
		was := d.count
		if err := fn(&d); err != nil {
			return err
		}
		if !made && d.count == was {
			return nil
		}
		return notes.Put(rows, countShelf, peopleShelf, storedCount{2, d.count})
	})
}

// open reads the count of people, and creates missing shelves.
func (d *directory) open() (made bool, err error) {
	var stored storedCount
	found, err := notes.Get(d.rows, countShelf, peopleShelf, &stored)
	if err != nil || found && stored.V >= 2 {
		d.count = stored.N
		return false, err
	}
	if err := notes.Each(d.rows, oldLooksShelf, "", func(row bot.Row) error { return d.rows.Put(oldLooksShelf, row.Key, nil) }); err != nil {
		return false, err
	}
	return true, notes.EachOf(d.rows, peopleShelf, "", func(id string, s storedPerson) error {
		d.count++
		return d.list(s.person(id))
	})
}

func (d *directory) person(id string) (p person, found bool, err error) {
	if id == "" {
		return p, false, nil
	}
	var s storedPerson
	found, err = notes.Get(d.rows, peopleShelf, id, &s)
	return s.person(id), found, err
}

// list adds a person to the indexes by the look of their name and, if they have done
// nothing yet, by arrival time.
func (d *directory) list(p person) error {
	if err := d.rows.Put(looksShelf, d.looks().skeleton(p.Name), []byte(p.ID)); err != nil || !p.silent {
		return err
	}
	return d.rows.Put(silentShelf, silentKey(p.since)+p.ID, []byte(p.ID))
}

// silentKey returns a key that sorts by time.
func silentKey(since time.Time) string { return fmt.Sprintf("%020d.", since.Unix()) }

// add adds a person whose name is free.
func (d *directory) add(p person) error {
	d.count++
	if err := d.rows.Put(namesShelf, foldName(p.Name), []byte(p.ID)); err != nil {
		return err
	}
	if err := d.list(p); err != nil {
		return err
	}
	return notes.Put(d.rows, peopleShelf, p.ID, storedPerson{V: 1, Name: p.Name, Since: p.since, Keeper: p.Keeper, Epoch: p.epoch, Silent: p.silent, Played: p.played, Invite: p.invite, Out: p.out, Subject: p.subject})
}

// remove removes a person.
func (d *directory) remove(p person) error {
	if err := d.unlist(p); err != nil {
		return err
	}
	return d.rows.Put(peopleShelf, p.ID, nil)
}

// rename gives a person a new name, which must be free.
func (d *directory) rename(p person, name string) (person, error) {
	if err := d.unlist(p); err != nil {
		return p, err
	}
	p.Name = name
	return p, d.add(p)
}

// unlist undoes [directory.add], except for the person's own row.
func (d *directory) unlist(p person) error {
	d.count--
	if err := d.freeName(p.ID, p.Name); err != nil {
		return err
	}
	return d.rows.Put(silentShelf, silentKey(p.since)+p.ID, nil)
}

// freeName frees a person's name.
func (d *directory) freeName(id, name string) error {
	for shelf, key := range map[string]string{namesShelf: foldName(name), looksShelf: d.looks().skeleton(name)} {
		owner, err := d.rows.Get(shelf, key)
		if err != nil {
			return err
		}
		if string(owner) != id {
			continue
		}
		if err := d.rows.Put(shelf, key, nil); err != nil {
			return err
		}
	}
	return nil
}

// checkFree returns an error if a name belongs to another person, looks like another's, or is
// still reserved for one who gave it up.
func (d *directory) checkFree(id, name string) error {
	for shelf, key := range map[string]string{namesShelf: foldName(name), looksShelf: d.looks().skeleton(name)} {
		owner, err := d.rows.Get(shelf, key)
		if err != nil {
			return err
		}
		other, owned, err := d.person(string(owner))
		switch {
		case err != nil:
			return err
		case !owned || other.ID == id:
		case foldName(other.Name) == foldName(name):
			return pages.Refuse("Somebody else goes by {name} here. Please choose another name, or add a letter to this one.", name)
		default:
			return pages.Refuse("Somebody else goes by {other} here, which looks too much like {name}. Please choose another name.", other.Name, name)
		}
	}
	old, err := d.reservation(d.looks().reservationKey(name))
	if err != nil {
		return err
	}
	if old != nil && old.By != id {
		return pages.Refuse("Somebody used the name {name} here until recently. Please choose another one, so that nobody takes you for them.", name)
	}
	return nil
}

// mostCleaned limits how many outdated rows a request removes on the way.
const mostCleaned = 50

// nearlyFull is the number of people above which newcomers who do nothing are removed after
// a minute.
const nearlyFull = maxPeople * 9 / 10

// removeSilent removes some of the people who have done nothing for a day, and returns
// them. In a nearly full room, a minute is enough.
func (d *directory) removeSilent(here func(id string) bool) (gone []person, err error) {
	rows, err := d.rows.Scan(silentShelf, "", "", mostCleaned)
	if err != nil {
		return nil, err
	}
	after := silentFor
	if d.count >= nearlyFull {
		after = time.Minute
	}
	for _, row := range rows {
		p, found, err := d.person(string(row.Value))
		switch {
		case err != nil:
			return nil, err
		case found && d.now.Sub(p.since) < after:
			return gone, nil
		case found && p.silent && (here(p.ID) || d.now.Before(p.out)):
		case found && p.silent && !p.Keeper:
			gone = append(gone, p)
			err = d.remove(p)
		default:
			err = d.rows.Put(silentShelf, row.Key, nil)
		}
		if err != nil {
			return nil, err
		}
	}
	return gone, nil
}

// reserve reserves a name for a while, and releases some expired reservations.
func (d *directory) reserve(name, by string) error {
	key := d.looks().reservationKey(name)
	rows, err := d.rows.Scan(reservedShelf, "", key, mostCleaned) // the rows after the key: hashes, so nearly random
	if err != nil {
		return err
	}
	for _, row := range rows {
		old, err := d.reservation(row.Key)
		if err != nil {
			return err
		}
		if old != nil {
			continue
		}
		if err := d.rows.Put(reservedShelf, row.Key, nil); err != nil {
			return err
		}
	}
	return notes.Put(d.rows, reservedShelf, key, storedReservation{1, d.now, by})
}

// reservation returns the reservation of a name that was given up lately, or nil.
func (d *directory) reservation(key string) (*storedReservation, error) {
	var s storedReservation
	if found, err := notes.Get(d.rows, reservedShelf, key, &s); err != nil || !found {
		return nil, err
	}
	if d.now.Sub(s.At) >= reservedFor {
		return nil, nil
	}
	return &s, nil
}

// mostChoices is the number of people offered.
const mostChoices = 25

// findByPrefix lists up to mostChoices people whose names begin with the given text, by name.
func (ms *members) findByPrefix(ctx context.Context, begin string) ([]person, error) {
	rows, err := ms.notes.Scan(ctx, namesShelf, foldName(begin), "", mostChoices)
	if err != nil {
		return nil, err
	}
	var all []person
	for _, row := range rows {
		p, found, err := ms.person(ctx, string(row.Value))
		if err != nil {
			return nil, err
		}
		if found && foldName(p.Name) == row.Key {
			all = append(all, p)
		}
	}
	return all, nil
}

// A piece is a part of a message: plain text, or "@" and a person's name.
type piece struct {
	text string
	who  *person
}

// cutNames splits a text at the names of people in it. The longest name wins: "@Ann Lee"
// mentions Ann Lee, even if there is an Ann.
func (ms *members) cutNames(ctx context.Context, text string) ([]piece, error) {
	var pieces []piece
	from := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '@' || endsInWord(text[:i]) {
			continue
		}
		p, end, err := ms.nameAt(ctx, text[i+1:])
		if err != nil {
			return nil, err
		}
		if p == nil {
			continue
		}
		if from < i {
			pieces = append(pieces, piece{text: text[from:i]})
		}
		end += i + 1
		pieces = append(pieces, piece{text[i:end], p})
		from, i = end, end-1
	}
	if from < len(text) {
		pieces = append(pieces, piece{text: text[from:]})
	}
	return pieces, nil
}

// mostAlike is the number of names with the same beginning that are read at once.
const mostAlike = 50

// nameAt finds the longest name at the beginning of a text, and where it ends. If there is
// none, who is nil.
func (ms *members) nameAt(ctx context.Context, text string) (who *person, end int, err error) {
	var ends []int // ends of possible names, the longest last
	n := 0
	for i, c := range text {
		if n++; n > maxName || !inName(c) {
			break
		}
		_, size := utf8.DecodeRuneInString(text[i:]) // 1 if the text isn't UTF-8
		if end := i + size; c != ' ' && !startsWithWord(text[end:]) {
			ends = append(ends, end)
		}
	}
	if len(ends) == 0 || text[0] == ' ' {
		return nil, 0, nil
	}
	alike, err := ms.notes.Scan(ctx, namesShelf, foldName(commonStart(text)), "", mostAlike)
	if err != nil || len(alike) == 0 {
		return nil, 0, err
	}
	known := map[string]bool{}
	for _, row := range alike {
		known[row.Key] = true
	}
	for n := len(ends) - 1; n >= 0; n-- {
		name := text[:ends[n]]
		if len(alike) < mostAlike && !known[foldName(name)] {
			continue
		}
		if p, found, err := ms.personNamed(ctx, name); err != nil || found {
			return &p, ends[n], err
		}
	}
	return nil, 0, nil
}

// commonStart returns the common beginning of all names that the text can begin with.
func commonStart(text string) string {
	if i := strings.IndexFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }); i > 0 {
		return text[:i]
	} else if i == 0 {
		_, size := utf8.DecodeRuneInString(text)
		return text[:size]
	}
	return text
}

func endsInWord(s string) bool {
	c, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(c) || unicode.IsDigit(c)
}

func startsWithWord(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(c) || unicode.IsDigit(c)
}

// forgetReservations removes a person's id from the names that they gave up.
func (ms *members) forgetReservations(ctx context.Context, id string) error {
	return ms.notes.Change(ctx, func(rows bot.Rows) error {
		return notes.EachOf(rows, reservedShelf, "", func(key string, old storedReservation) error {
			if old.By != id {
				return nil
			}
			old.By = ""
			return notes.Put(rows, reservedShelf, key, old)
		})
	})
}

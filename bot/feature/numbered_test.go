package feature_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/game/gametest"
)

// A cup is an item of a Numbered.
type cup struct {
	No    int           `json:"no"`
	In    bot.ChannelID `json:"in"`
	Games int           `json:"games,omitempty"`
}

// cups returns a Numbered without items.
func cups(d *desk) feature.Numbered[cup] {
	own := d.shelves.Owner("cups")
	return feature.Numbered[cup]{
		Desk: d, Own: own, Kind: "cup",
		Rows:  shelf.Open(own, "cups", shelf.Spec[shelf.Mark, cup]{Why: "for the test"}),
		Count: shelf.Open(own, "cup count", shelf.Spec[shelf.Mark, int]{Why: "for the test"}),
		Is:    func(c cup) (int, bot.ChannelID) { return c.No, c.In },
	}
}

// begin adds a cup in the den.
func begin(t *testing.T, all feature.Numbered[cup]) (c cup) {
	t.Helper()
	gametest.Must(t, all.Own.Change(t.Context(), func(tx shelf.Tx) error {
		no, err := all.Next(tx)
		if err != nil {
			return err
		}
		c = cup{No: no, In: den}
		return all.Put(tx, c)
	}))
	return c
}

// Each item gets the next number and is changed by it. An item that is gone isn't restored
// by changing an old copy.
func TestNumbersAndChanges(t *testing.T) {
	all := cups(newDesk(t))
	first, second := begin(t, all), begin(t, all)
	if first.No != 1 || second.No != 2 {
		t.Fatalf("the first two have the numbers %d and %d", first.No, second.No)
	}
	played := func(c *cup) { c.Games++ }
	hand := second
	for range 2 {
		gametest.Must(t, all.Note(t.Context(), &hand, played))
	}
	if now, found, err := all.Get(t.Context(), 2); err != nil || !found || now != hand || hand.Games != 2 {
		t.Errorf("after two games the second is %+v, %t, %v, and in the hand %+v", now, found, err, hand)
	}
	unwilling := errors.New("not now")
	if now, err := all.Change(t.Context(), 2, func(c *cup) error { c.Games = 9; return unwilling }); !errors.Is(err, unwilling) || now != (cup{}) {
		t.Errorf("a change that is given up leaves %+v, %v", now, err)
	}
	gametest.Must(t, all.Own.Change(t.Context(), func(tx shelf.Tx) error {
		if now, found, err := all.In(tx, 2); err != nil || !found || now.Games != 2 {
			t.Errorf("in a change of several rows the second is %+v, %t, %v", now, found, err)
		}
		return all.Rows.In(tx).Drop("00000001")
	}))
	gone := first
	if err := all.Note(t.Context(), &gone, played); err != nil || gone != first {
		t.Errorf("one that is gone is noted to be %+v, %v", gone, err)
	}
	if now, err := all.Change(t.Context(), 1, func(*cup) error { return nil }); err != nil || now != (cup{}) {
		t.Errorf("one that is gone is changed to %+v, %v", now, err)
	}
	var there []int
	enough := errors.New("enough")
	if err := all.Each(t.Context(), func(c cup) error { there = append(there, c.No); return enough }); !errors.Is(err, enough) || len(there) != 1 || there[0] != 2 {
		t.Errorf("there are %v, %v", there, err)
	}
	if third := begin(t, all); third.No != 3 {
		t.Errorf("a number is given again: %d", third.No)
	}
}

// An item is checked once for each cause, and the causes that have been used are known.
func TestLooksOnce(t *testing.T) {
	d := newDesk(t)
	all := cups(d)
	c := begin(t, all)
	at := now.Add(time.Hour)
	for range 2 {
		gametest.Must(t, all.Look(t.Context(), c, "close", at))
	}
	gametest.Must(t, all.Look(t.Context(), c, "end", at))
	due := d.timers(t)
	if len(due) != 2 || due[0].Kind != "cup" || due[0].Number != c.No || due[0].Channel != den || !due[0].At.Equal(at) {
		t.Errorf("two causes have it looked at by %+v", due)
	}
	for cause, want := range map[string]bool{"close": true, "begin": false} {
		if seen, err := all.Seen(t.Context(), c, cause); err != nil || seen != want {
			t.Errorf("whether it was looked at to %s: %t, %v", cause, seen, err)
		}
	}
}

// A page is found by its key and by no other.
func TestKeysOfPages(t *testing.T) {
	all := cups(newDesk(t))
	c := begin(t, all)
	key, err := all.PageKey(t.Context(), c.No)
	gametest.Must(t, err)
	if now, err := all.OfPage(t.Context(), key); err != nil || now != c {
		t.Errorf("the page %s is of %+v, %v", key, now, err)
	}
	other, err := all.PageKey(t.Context(), 2)
	gametest.Must(t, err)
	_, secret, _ := strings.Cut(key, "-")
	for what, typed := range map[string]string{
		"one that isn't there":      other,
		"another's by its key":      "2-" + secret,
		"a key that was guessed":    "1-" + strings.Repeat("a", len(secret)),
		"a key that was cut off":    key[:len(key)-1],
		"a number without a secret": "1",
		"a word":                    "Ünsinn",
		"nothing":                   "",
	} {
		if now, err := all.OfPage(t.Context(), typed); !errors.Is(err, bot.ErrNoTable) {
			t.Errorf("%s, %q: %+v, %v", what, typed, now, err)
		}
	}
}

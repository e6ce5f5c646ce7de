package competition

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

const den bot.ChannelID = "test:den"

var errDown = errors.New("the store is down")

// A cup is the simplest competition.
type cup struct {
	head
	Games int `json:"games,omitempty"`
}

// A desk has a store, tables that a test puts there, and a platform.
type desk struct {
	feature.Desk
	store    bot.Store
	tables   map[bot.TableID]table.Table
	platform bot.Platform
}

func (d *desk) Load(_ context.Context, req bot.Request) (t table.Table, err error) {
	t, ok := d.tables[req.Table]
	switch {
	case req.Table == 3:
		err = errDown
	case !ok:
		err = bot.ErrNoTable
	}
	return t, err
}

func (d *desk) Update(ctx context.Context, ch bot.ChannelID, cause string, fn func(*feature.Room) error) error {
	return d.store.Update(ctx, ch, cause, func(r *bot.Room) error {
		return fn(feature.NewRoom(ctx, r, table.Table{}, game.Env{Now: start, Cause: cause}, nil))
	})
}

func (d *desk) Platform(bot.ChannelID) bot.Platform { return d.platform }

// cups returns a book without cups.
func cups(t *testing.T) (*book[cup, *cup], *desk) {
	t.Helper()
	store := memory.New()
	d := &desk{store: store}
	shelves := shelf.NewRoom(store.Notes("host"), strings.NewReader(strings.Repeat("?", 256)))
	lists := lexicons.New(gametest.Equipment(t), nil, nil, []*lexicon.Lexicon{bottest.Small(t)}, nil, func(string) string { return "small" })
	s := settings.New(shelves.Owner("settings"), settings.Has{Lists: lists})
	all := newBook[cup, *cup](shared{desk: d, own: shelves.Owner("cups"), Others: Others{Settings: s}}, "cup", "c", nil, shelf.Spec[shelf.Mark, cup]{Why: "for the test"})
	return &all, d
}

// begin adds a cup in the den.
func begin(t *testing.T, all *book[cup, *cup]) (c cup) {
	t.Helper()
	gametest.Must(t, all.own.Change(t.Context(), func(tx shelf.Tx) error {
		no, err := all.next(tx)
		if err != nil {
			return err
		}
		c.No, c.Channel = no, den
		return all.rows.In(tx).Put(numberKey(no), c)
	}))
	return c
}

// two returns a game between Ann and Bob.
func two(t *testing.T) *bottest.Game {
	return bottest.Deal(t, "classic", "single", []string{"bag:EEEEEEEEEE", "ann:HORNSAT", "bob:FARMQIS"}, nil)
}

func replayed(t *testing.T, id bot.TableID, g *bottest.Game) table.Table {
	t.Helper()
	at, err := table.Variants(nil).Replay(den, id, g.Events)
	gametest.Must(t, err)
	return at
}

// Each competition gets the next number and is changed by it. One that is gone isn't restored
// by changing an old copy.
func TestCompetitionsAreNumbered(t *testing.T) {
	all, _ := cups(t)
	first, second := begin(t, all), begin(t, all)
	if first.No != 1 || second.No != 2 {
		t.Fatalf("the first two have the numbers %d and %d", first.No, second.No)
	}
	played := func(c *cup) { c.Games++ }
	hand := second
	for range 2 {
		gametest.Must(t, all.record(t.Context(), &hand, played))
	}
	if now, found, err := all.get(t.Context(), 2); err != nil || !found || !reflect.DeepEqual(now, hand) || hand.Games != 2 {
		t.Errorf("after two games the second is %+v, %t, %v, and in the hand %+v", now, found, err, hand)
	}
	unwilling := errors.New("not now")
	if now, err := all.update(t.Context(), 2, func(c *cup) error { c.Games = 9; return unwilling }); !errors.Is(err, unwilling) || now.No != 0 {
		t.Errorf("a change that is given up leaves %+v, %v", now, err)
	}
	gametest.Must(t, all.own.Change(t.Context(), func(tx shelf.Tx) error {
		if now, found, err := all.rows.In(tx).Get(numberKey(2)); err != nil || !found || now.Games != 2 {
			t.Errorf("in a change of several rows the second is %+v, %t, %v", now, found, err)
		}
		return all.rows.In(tx).Drop("00000001")
	}))
	gone := first
	if err := all.record(t.Context(), &gone, played); err != nil || !reflect.DeepEqual(gone, first) {
		t.Errorf("one that is gone is noted to be %+v, %v", gone, err)
	}
	if now, err := all.update(t.Context(), 1, func(*cup) error { return nil }); err != nil || now.No != 0 {
		t.Errorf("one that is gone is changed to %+v, %v", now, err)
	}
	var there []int
	enough := errors.New("enough")
	if err := all.each(t.Context(), func(c cup) error { there = append(there, c.No); return enough }); !errors.Is(err, enough) || len(there) != 1 || there[0] != 2 {
		t.Errorf("there are %v, %v", there, err)
	}
	if third := begin(t, all); third.No != 3 {
		t.Errorf("a number is given again: %d", third.No)
	}
}

// A competition is checked once for each cause, and a request that was carried out is known.
func TestEachCauseIsCheckedOnce(t *testing.T) {
	all, d := cups(t)
	c := begin(t, all)
	at := start.Add(time.Hour)
	for range 2 {
		gametest.Must(t, all.look(t.Context(), c, "close:net", at))
	}
	gametest.Must(t, all.look(t.Context(), c, "end", at))
	due, _, err := d.store.DueTimers(t.Context(), start.Add(24*time.Hour), 100)
	gametest.Must(t, err)
	if len(due) != 2 || due[0].Kind != "cup" || due[0].Number != c.No || due[0].Channel != den || !due[0].At.Equal(at) {
		t.Errorf("two causes have it looked at by %+v", due)
	}
	for cause, want := range map[string]bool{"close": true, "begin": false} {
		if done, err := all.isRepeat(t.Context(), c, cause); err != nil || done != want {
			t.Errorf("whether it was carried out to %s: %t, %v", cause, done, err)
		}
	}
}

// A page is found by its key and by no other.
func TestPageIsFoundByKey(t *testing.T) {
	all, _ := cups(t)
	c := begin(t, all)
	key, err := all.pageKey(t.Context(), c.No)
	gametest.Must(t, err)
	if now, err := all.ofPage(t.Context(), key); err != nil || !reflect.DeepEqual(now, c) {
		t.Errorf("the page %s is of %+v, %v", key, now, err)
	}
	other, err := all.pageKey(t.Context(), 2)
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
		if now, err := all.ofPage(t.Context(), typed); !errors.Is(err, bot.ErrNoTable) {
			t.Errorf("%s, %q: %+v, %v", what, typed, now, err)
		}
	}
}

// Only the first file of a finished game, its moves, is recorded.
func TestRecordHasFirstFile(t *testing.T) {
	all, d := cups(t)
	over := two(t)
	over.Do("ann", game.Resign{})
	d.tables = map[bot.TableID]table.Table{1: replayed(t, 1, over), 2: replayed(t, 2, two(t))}
	all.Files = func(at table.Table) ([]bot.File, error) {
		if at.ID != 1 {
			t.Errorf("table %d is written down before its end", at.ID)
		}
		return []bot.File{{Text: text.Say("{n, plural, one {# move} other {# moves}}", 2)}, {Data: []byte("a picture")}}, nil
	}
	for id, want := range map[bot.TableID]string{1: "2 moves", 2: "", 9: ""} {
		if got, err := all.recordOf(t.Context(), id); err != nil || string(got) != want {
			t.Errorf("of table %d there is written %q, %v", id, got, err)
		}
	}
	if _, err := all.recordOf(t.Context(), 3); !errors.Is(err, errDown) {
		t.Errorf("a table that can't be loaded: %v", err)
	}
	all.Files = func(table.Table) ([]bot.File, error) { return nil, errDown }
	if _, err := all.recordOf(t.Context(), 1); !errors.Is(err, errDown) {
		t.Errorf("a game that can't be written: %v", err)
	}
	all.Files = func(table.Table) ([]bot.File, error) { return nil, nil }
	if got, err := all.recordOf(t.Context(), 1); err != nil || got != nil {
		t.Errorf("a game of which nothing is written: %q, %v", got, err)
	}
}

// Two paired players are found at their table, even if one of them has another name there.
func TestSeatsOfPair(t *testing.T) {
	two := replayed(t, 1, two(t))
	three := replayed(t, 2, bottest.Deal(t, "classic", "single", []string{"bag:EEEEEEEEEE", "ann:HORNSAT", "bob:FARMQIS", "cat:TIESEAR"}, nil))
	for _, c := range []struct {
		at   table.Table
		a, b string
		want [2]int
		ok   bool
	}{
		{two, "test:ann", "test:bob", [2]int{0, 1}, true},
		{two, "test:bob", "test:ann", [2]int{1, 0}, true},
		{two, "former:1", "test:bob", [2]int{0, 1}, true},
		{two, "test:bob", "former:1", [2]int{1, 0}, true},
		{two, "former:1", "former:2", [2]int{}, false},
		{three, "test:ann", "test:bob", [2]int{}, false},
	} {
		if seats, ok := seatsOf(c.at, contest.Player{ID: c.a}, contest.Player{ID: c.b}); seats != c.want || ok != c.ok {
			t.Errorf("%s and %s sit at %v, %t, want %v", c.a, c.b, seats, ok, c.want)
		}
	}
}

// A thread is opened by its key, and its parent, home and game are stored.
func TestThreadsBesideChannel(t *testing.T) {
	all, d := cups(t)
	open := func() (bot.ChannelID, error) {
		return all.openPlace(t.Context(), &head{No: 1, Channel: den, Home: "test:club"}, "cup/1", text.Say("{a} and {b}", "Ann", "Bob"), []game.PlayerID{"test:ann", "test:bob"}, whereRow{spot: spot{Round: 2}})
	}
	var no *bot.PostError
	if ch, err := open(); !errors.As(err, &no) || !no.Permanent {
		t.Errorf("a platform without places beside a channel opened %q, %v", ch, err)
	}
	d.platform.Aside = func(_ context.Context, beside bot.ChannelID, key, title string, who []game.PlayerID) (bot.ChannelID, error) {
		if title != "Ann and Bob" || len(who) != 2 {
			t.Errorf("there is opened %q for %v", title, who)
		}
		return beside + "/" + bot.ChannelID(key), nil
	}
	ch, err := open()
	if err != nil || ch != "test:den/cup/1" {
		t.Fatalf("there is opened %s, %v", ch, err)
	}
	beside, err := all.Settings.Parent(t.Context(), ch)
	gametest.Must(t, err)
	home, err := all.Settings.HomeOf(t.Context(), ch)
	if err != nil || beside != den || home != "test:club" {
		t.Errorf("it is beside %s, in %s, %v", beside, home, err)
	}
	if row, found, err := all.where.Get(t.Context(), shelf.Channel(ch)); err != nil || !found || row.No != 1 || row.Round != 2 {
		t.Errorf("the game there is %+v, %t, %v", row, found, err)
	}
	d.platform.Aside = func(context.Context, bot.ChannelID, string, string, []game.PlayerID) (bot.ChannelID, error) {
		return "", errDown
	}
	if ch, err := open(); !errors.Is(err, errDown) {
		t.Errorf("what can't be opened now is %q, %v", ch, err)
	}
}

package feature_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging"
)

// A player whose tiles have changed is shown them. A player who only reordered them isn't,
// nor is anyone once the game is over.
func TestChangedRacksAreShown(t *testing.T) {
	replayed := func(events []game.Event) table.Table {
		all, err := table.Variants(nil).Replay(den, 1, events)
		gametest.Must(t, err)
		return all
	}
	g := dealt(t)
	before := replayed(g.Events)
	g.Play("ann", "8H HORN")
	after := replayed(g.Events)
	turned := after
	turned.Seats = append([]game.Seat(nil), after.Seats...)
	turned.Seats[0].Rack = turned.Seats[0].Rack[1:] + turned.Seats[0].Rack[:1]
	g.Do("bob", game.Resign{})
	end := replayed(g.Events)
	for name, c := range map[string]struct {
		who           string
		seat          int
		before, after table.Table
		want          bool
	}{
		"who played":               {"ann", 0, before, after, true},
		"who waits":                {"bob", 1, before, after, false},
		"who sits down":            {"ann", 0, table.Table{}, after, true},
		"who watches":              {"eve", -1, before, after, false},
		"whose tiles are in order": {"ann", 0, after, turned, false},
		"whose game is over":       {"ann", 0, before, end, false},
	} {
		o := feature.Outcome{Request: bot.Request{User: bottest.People[c.who]}, Before: c.before, Table: c.after, Seat: c.seat}
		if got := o.NewRack(); got != c.want {
			t.Errorf("%s has a new rack: %t", name, got)
		}
	}
}

// A card is the picture that these tests draw.
type card string

func (c card) Alt() string { return "a card: " + string(c) }

// Drawing returns a description, and the picture too if the painter can draw it. The time taken
// is reported.
func TestPainterDescribesAndDraws(t *testing.T) {
	look := func(*text.Locale) card { return "Ann's" }
	var began time.Time
	var failed error
	took := time.Duration(-1)
	painter := feature.Painter{
		Renderer: new(imaging.Renderer),
		Drew:     func(d time.Duration, err error) { took, failed = d, err },
		Now:      func() time.Time { began = began.Add(time.Second); return began },
	}
	drawn := func(*imaging.Renderer, card) ([]byte, error) { return []byte("png"), nil }
	p := feature.Draw(painter, look, drawn).In(nil)
	if string(p.PNG) != "png" || p.Alt.String() != "a card: Ann's" || took != time.Second || failed != nil {
		t.Errorf("drawn in %v (%v): %q, %s", took, failed, p.PNG, p.Alt)
	}
	p = feature.Draw(painter, look, func(*imaging.Renderer, card) ([]byte, error) { return nil, errDown }).In(nil)
	if p.PNG != nil || p.Alt.String() != "a card: Ann's" || !errors.Is(failed, errDown) {
		t.Errorf("what can't be drawn (%v): %q, %s", failed, p.PNG, p.Alt)
	}
	p = feature.Draw(feature.Painter{}, look, func(*imaging.Renderer, card) ([]byte, error) {
		t.Error("it is drawn without a painter")
		return nil, nil
	}).In(nil)
	if p.PNG != nil || p.Alt.String() != "a card: Ann's" {
		t.Errorf("without a painter: %q, %s", p.PNG, p.Alt)
	}
}

// Heavy work returns its result, or the reason why there is none.
func TestHeavyWorkReturnsResult(t *testing.T) {
	d := newDesk(t)
	if n, err := feature.Heavy(t.Context(), d, "count", func(context.Context) (int, error) { return 7, nil }); n != 7 || err != nil {
		t.Errorf("counted %d, %v", n, err)
	}
	if n, err := feature.Heavy(t.Context(), d, "fails", func(context.Context) (int, error) { return 7, errDown }); n != 0 || !errors.Is(err, errDown) {
		t.Errorf("what fails gives %d, %v", n, err)
	}
	if n, err := feature.Heavy(t.Context(), d, "too much", func(context.Context) (int, error) { return 7, nil }); n != 0 || !words.IsMistake(err) {
		t.Errorf("what nobody may ask for gives %d, %v", n, err)
	}
}

// Adapters see commands without their implementation, and a variant's commands name it.
func TestVariantCommandsNameVariant(t *testing.T) {
	pass := feature.Command{Command: bot.Command{Name: "pass", Help: "Pass"}}
	if v := pass.Variant(); v != "" {
		t.Errorf("passing is of the variant %q", v)
	}
	if v := pass.Of("duplicate").Variant(); v != "duplicate" || pass.Variant() != "" {
		t.Errorf("passing in duplicate is of %q, and elsewhere of %q", v, pass.Variant())
	}
	if all := feature.Contract([]feature.Command{pass, {Command: bot.Command{Name: "play"}}}); len(all) != 2 || all[0].Name != "pass" || all[0].Help != "Pass" || all[1].Name != "play" {
		t.Errorf("adapters see %+v", all)
	}
}

// A table that a feature opens has its channel's settings, the requested options, and the
// channel's own words. If games aren't allowed or the list is missing, opening fails.
func TestFeatureOpensTable(t *testing.T) {
	d := newDesk(t)
	s := d.settings()
	set := func(args map[string]string) {
		t.Helper()
		req := bot.Request{Channel: den, Manager: true, User: bottest.People["mod"], Args: args}
		places, err := s.Places(t.Context(), den, "")
		gametest.Must(t, err)
		gametest.Must(t, s.Set(t.Context(), places[0], req, func() error { return words.Refusing("No.") }))
	}
	set(map[string]string{"pace": "3d"})
	var read bot.Request
	reads := func(o *feature.Opening) error { read = o.Request; return nil }
	ask := func(args map[string]string) (feature.Opening, error) {
		return feature.OpeningOf(t.Context(), d, s, reads, asks("ann", "new", args))
	}
	o, err := ask(map[string]string{})
	if gametest.Must(t, err); o.Lexicon.Name != "small" || o.Lexicon.Hash != bottest.Small(t).Hash() || read.Args["pace"] != "3d" || read.Zone != "UTC" {
		t.Errorf("of %+v there opens %+v", read, o.Lexicon)
	}
	if _, err := ask(map[string]string{"pace": "1d"}); err != nil || read.Args["pace"] != "1d" {
		t.Errorf("of %+v there opens something, %v", read.Args, err)
	}
	if _, err := ask(map[string]string{"lexicon": "imaginary"}); !words.IsMistake(err) {
		t.Errorf("by a list that isn't there: %v", err)
	}
	if _, err := feature.OpeningOf(t.Context(), d, s, func(*feature.Opening) error { return errDown }, asks("ann", "new", nil)); !errors.Is(err, errDown) {
		t.Errorf("what can't be read: %v", err)
	}
	set(map[string]string{"games": "refused"})
	if _, err := ask(nil); !words.IsMistake(err) {
		t.Errorf("where no games are played: %v", err)
	}
}

package feature_test

import (
	"context"
	"errors"
	"log/slog"
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
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

const den bot.ChannelID = "test:den"

// now is the desk's time.
var now = time.Date(2026, 3, 2, 18, 0, 0, 0, time.UTC)

// errDown is the error of a store that can't be reached.
var errDown = errors.New("the store is down")

// A desk is a Desk with tables that a test puts there, and a store for what is done in
// channels. The tests here need none of the other methods.
type desk struct {
	feature.Desk
	store    bot.Store
	shelves  *shelf.Room
	lists    *lexicons.Lists
	tables   map[bot.TableID]table.Table
	broken   map[bot.TableID]error // errors of tables that can't be loaded
	seated   map[game.PlayerID][]bot.TableID
	platform bot.Platform
	posts    []bot.Post // queued posts
	log      bottest.Log
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	store := memory.New()
	return &desk{
		store:   store,
		shelves: shelf.NewRoom(store.Notes("host"), strings.NewReader(strings.Repeat("?", 256))),
		lists:   lexicons.New(gametest.Equipment(t), nil, nil, []*lexicon.Lexicon{bottest.Small(t)}, nil, func(string) string { return "small" }),
		tables:  map[bot.TableID]table.Table{}, broken: map[bot.TableID]error{}, seated: map[game.PlayerID][]bot.TableID{},
	}
}

// lay puts a game on the desk as the den's latest, and seats its players.
func (d *desk) lay(t *testing.T, id bot.TableID, g *bottest.Game) table.Table {
	t.Helper()
	all, err := table.Variants(nil).Replay(den, id, g.Events)
	gametest.Must(t, err)
	d.tables[id] = all
	for _, seat := range all.Seats {
		d.seated[seat.Person.ID] = append(d.seated[seat.Person.ID], id)
	}
	return all
}

// latest returns the latest table of a channel.
func (d *desk) latest(ch bot.ChannelID) (t table.Table) {
	for id, at := range d.tables {
		if at.Channel == ch && id > t.ID {
			t = at
		}
	}
	return t
}

func (d *desk) Load(_ context.Context, req bot.Request) (table.Table, error) {
	if err := d.broken[req.Table]; err != nil {
		return table.Table{}, err
	}
	t, ok := d.tables[req.Table]
	if req.Table == 0 {
		t = d.latest(req.Channel)
		ok = t.ID != 0
	}
	if !ok {
		return t, bot.ErrNoTable
	}
	return t, nil
}

func (d *desk) TablesOf(_ context.Context, who game.PlayerID) ([]bot.TableID, error) {
	if who == "test:down" {
		return nil, errDown
	}
	return d.seated[who], nil
}

// Judge applies the rules, as the host does.
func (d *desk) Judge(t table.Table, req bot.Request, want feature.Intent) error {
	_, err := judge{}.Decide(t, req, want, game.Env{Now: now})
	return err
}

func (d *desk) Update(ctx context.Context, ch bot.ChannelID, cause string, fn func(*feature.Room) error) error {
	var posts []bot.Post
	err := d.store.Update(ctx, ch, cause, func(r *bot.Room) error {
		err := fn(feature.NewRoom(ctx, r, d.latest(ch), game.Env{Now: now, Cause: cause}, judge{}))
		posts = r.Posts
		return err
	})
	if err == nil {
		d.posts = append(d.posts, posts...)
	}
	return err
}

func (d *desk) Platform(bot.ChannelID) bot.Platform { return d.platform }
func (d *desk) Lists() *lexicons.Lists              { return d.lists }
func (d *desk) Now() time.Time                      { return now }
func (d *desk) Log() *slog.Logger                   { return slog.New(slog.NewTextHandler(&d.log, nil)) }

// Heavy does the work at once, except for a key that stands for too much work.
func (d *desk) Heavy(ctx context.Context, key any, do func(context.Context) (any, error)) (any, error) {
	if key == "too much" {
		return nil, words.Refusing("Later.")
	}
	return do(ctx)
}

// A judge is the part of the engine that rooms need. It queues posts of what happened and
// nothing else.
type judge struct{}

func (judge) Decide(t table.Table, req bot.Request, want feature.Intent, env game.Env) ([]game.Event, error) {
	action, err := want(t)
	if err != nil {
		return nil, err
	}
	return game.Decide(t.State, req.User, action, env)
}

func (judge) Fill(_ context.Context, r *bot.Room, before table.Table, by game.PlayerID, done []game.Event) {
	r.Append = append(r.Append, done...)
	r.Posts = append(r.Posts, bot.Post{From: before.Number, To: before.Number + len(done), For: by})
	r.File = &bot.Receipt{From: before.Number, To: before.Number + len(done)}
}

func (judge) Secret() (game.Secret, error) { return game.Secret{1, 2, 3}, nil }

// timers returns the timers that are due within a day.
func (d *desk) timers(t *testing.T) []bot.Timer {
	t.Helper()
	all, _, err := d.store.DueTimers(t.Context(), now.Add(24*time.Hour), 100)
	gametest.Must(t, err)
	return all
}

// settings returns settings that can refuse games and set a pace.
func (d *desk) settings() *settings.Settings {
	s := settings.New(d.shelves.Owner("settings"), settings.Has{Lists: d.lists})
	choices := func(values ...string) (all []bot.Choice) {
		for _, v := range values {
			all = append(all, bot.Choice{Value: v, Label: text.Plain(v)})
		}
		return all
	}
	s.Define([]settings.Setting{
		{Option: settings.Pick("games", "Whether games are played here", choices("allowed", "refused")), Default: settings.ConstantDefault("allowed")},
		{Option: settings.Pick("pace", "How long a turn can take", choices("none", "1d", "3d")), NewTable: true, Default: settings.ConstantDefault("none")},
		{Option: settings.Pick("lexicon", "The word list", choices("small")), NewTable: true, Default: settings.ConstantDefault("small")},
		settings.ZoneSetting(),
	})
	return s
}

// lobby returns a table that Ann opened, with no one else there yet.
func lobby(t *testing.T) *bottest.Game {
	eq := gametest.Equipment(t)
	return bottest.Open(t, "ann", game.Open{Rules: game.Classic(), Equipment: eq, Lexicon: game.LexiconID{Name: "small"}, Seats: 2})
}

// dealt returns a game between Ann and Bob in which Ann is to move.
func dealt(t *testing.T) *bottest.Game {
	return bottest.Deal(t, "classic", "single", []string{"bag:EEEEEEEEEE", "ann:HORNSAT", "bob:FARMQIS"}, nil)
}

// over returns a game that Ann has resigned.
func over(t *testing.T) *bottest.Game {
	g := dealt(t)
	g.Play("ann", "8H HORN")
	g.Do("ann", game.Resign{})
	return g
}

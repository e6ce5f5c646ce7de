package host

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
)

// An archive manages all stored data about people: at tables, on shelves, on platforms.
type archive struct {
	desk    *desk
	room    *shelf.Room
	telling *sync.RWMutex // see deliveries
	leaving *shelf.Shelf[shelf.Person, storedLeaving]
	aging   *shelf.Shelf[shelf.Mark, aging]
}

// A storedLeaving is stored while a person is being erased, so that an interrupted erasure is
// completed.
type storedLeaving struct {
	V    int           `json:"v"`
	Name string        `json:"name"`
	As   game.PlayerID `json:"as"` // the id that replaces theirs
	// Earlier lists their other names.
	Earlier []string `json:"earlier,omitempty"`
}

func newArchive(d *desk, room *shelf.Room, own *shelf.Owner, telling *sync.RWMutex) *archive {
	return &archive{
		desk: d, room: room, telling: telling,
		leaving: shelf.Open(own, "leaving", shelf.Spec[shelf.Person, storedLeaving]{Why: "who has asked to be forgotten, until that is done", Stays: true}),
		aging:   shelf.Open(own, "aging", shelf.Spec[shelf.Mark, aging]{Why: "how far the names in old games have been forgotten"}),
	}
}

// formerName is the name that replaces an erased person's.
const formerName = "former player"

// exported is the content of "data.json".
type exported struct {
	Person   bot.User                   `json:"person"`
	At       time.Time                  `json:"at"`
	Host     map[string]json.RawMessage `json:"host"` // rows on shelves, by title
	Games    []exportedGame             `json:"games"`
	Platform map[string]any             `json:"platform,omitempty"`
}

// with returns the file as JSON, with more members added.
func (e exported) with(more map[string]any) ([]byte, error) {
	b, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, err
	}
	for name, v := range more {
		if all[name], err = json.Marshal(v); err != nil {
			return nil, err
		}
	}
	return json.MarshalIndent(all, "", "  ")
}

type exportedGame struct {
	Table   bot.TableID   `json:"table"`
	Channel bot.ChannelID `json:"channel"`
	Opened  time.Time     `json:"opened"`
	Seat    string        `json:"seat"`           // "invited", "playing", "played", or "ended" if they ended others' game
	File    string        `json:"file,omitempty"` // of a finished game
}

// Export returns everything stored about a person as an archive: a JSON file, and a file for each
// of their finished games.
func (a *archive) Export(ctx context.Context, who bot.User) ([]bot.File, error) {
	tables, err := a.desk.Store.TablesNaming(ctx, who.ID)
	if err != nil {
		return nil, err
	}
	out := exported{Person: who, At: a.desk.Now().UTC()}
	var more map[string]any
	if out.Host, more, err = a.room.Export(ctx, who.ID, tables); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, data []byte) error {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: out.At})
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	for _, id := range tables {
		g, moves, err := a.exportGame(ctx, id, who.ID)
		if err == nil && moves != nil {
			err = add(g.File, moves)
		}
		if err != nil {
			return nil, err
		}
		out.Games = append(out.Games, g)
	}
	for _, k := range a.desk.keepers() {
		kept, err := k.Kept(ctx, who.ID)
		if err != nil {
			return nil, err
		}
		if out.Platform == nil && len(kept) > 0 {
			out.Platform = map[string]any{}
		}
		maps.Copy(out.Platform, kept)
	}
	said, err := out.with(more)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(add("data.json", said), z.Close()); err != nil {
		return nil, err
	}
	return []bot.File{{Name: "rackmate-data.zip", Type: "application/zip", Data: b.Bytes()}}, nil
}

// exportGame describes a table that names a person. If they played there and the game is
// over, moves is the game as GCG, or as a list of moves if GCG can't express its variant.
func (a *archive) exportGame(ctx context.Context, id bot.TableID, who game.PlayerID) (g exportedGame, moves []byte, err error) {
	t, err := feature.LoadTable(ctx, a.desk, id)
	if err != nil {
		return g, nil, err
	}
	g = exportedGame{Table: id, Channel: t.Channel, Opened: t.Events[0].At, Seat: "invited"}
	if _, seated := t.SeatOf(who); !seated {
		if t.End != nil && t.End.By.ID == who {
			g.Seat = "ended"
		}
		return g, nil, nil
	}
	if g.Seat = "playing"; t.End == nil {
		return g, nil, nil
	}
	file := bot.File{Name: fmt.Sprintf("rackmate-%d.gcg", id)}
	switch gcg, err := record.FromEvents(t.Events); {
	case errors.Is(err, record.ErrNoGCG):
		file = bot.FilesIn(nil, []bot.File{view.MovesFile(t, nil)})[0]
	case err != nil:
		return g, nil, fmt.Errorf("export table %d: %w", id, err)
	default:
		file.Data = []byte(gcg.String())
	}
	g.Seat, g.File = "played", "games/"+file.Name
	return g, file.Data, nil
}

// Forget erases a person. who has their current name, if known. Each step can be repeated, and an
// interrupted erasure is completed, by the next host if this one stops.
func (a *archive) Forget(ctx context.Context, who bot.User) error {
	leaving, err := a.note(ctx, who)
	if err != nil {
		return err
	}
	return a.forgetAs(ctx, who, leaving)
}

// note records that a person is being erased, unless that is recorded already.
func (a *archive) note(ctx context.Context, who bot.User) (leaving storedLeaving, err error) {
	former, err := a.newFormer()
	if err != nil {
		return leaving, err
	}
	now := storedLeaving{V: 1, Name: who.Name, As: former.ID}
	if now.Earlier, err = a.earlierNames(ctx, who); err != nil {
		return leaving, err
	}
	err = a.leaving.Change(ctx, shelf.Person(who.ID), func(is *storedLeaving) (keep bool, err error) {
		if is.V == 0 {
			*is = now
		}
		leaving = *is
		return true, nil
	})
	return leaving, err
}

// forgetLeavers resumes the erasures that another host left unfinished.
func (a *archive) forgetLeavers(ctx context.Context) error {
	all := map[game.PlayerID]storedLeaving{}
	failed := []error{a.leaving.Each(ctx, func(who shelf.Person, l storedLeaving) error {
		all[game.PlayerID(who)] = l
		return nil
	})}
	for _, who := range slices.Sorted(maps.Keys(all)) {
		failed = append(failed, a.forgetAs(ctx, bot.User{ID: who, Name: all[who].Name}, all[who]))
	}
	return errors.Join(failed...)
}

// earlierNames returns a person's other names, in their games of today and before.
func (a *archive) earlierNames(ctx context.Context, who bot.User) ([]string, error) {
	tables, err := a.desk.Store.TablesNaming(ctx, who.ID)
	if err != nil {
		return nil, err
	}
	before, _, err := a.desk.names.Get(ctx, shelf.Person(who.ID))
	if err != nil {
		return nil, err
	}
	names := slices.DeleteFunc(before.Names, func(name string) bool { return name == who.Name })
	for _, id := range tables {
		_, events, err := a.desk.Store.Events(ctx, id, -1)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			for _, p := range e.People() {
				if p.ID == who.ID && p.Name != who.Name {
					names = append(names, p.Name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func (a *archive) forgetAs(ctx context.Context, who bot.User, leaving storedLeaving) error {
	former := bot.User{ID: leaving.As, Name: formerName}
	names := append(slices.Clip(leaving.Earlier), who.Name)
	tables, err := a.desk.Store.TablesNaming(ctx, who.ID)
	if err != nil {
		return err
	}
	if err := a.desk.leave(ctx, feature.Leaving{What: feature.Forgetting, Person: who.ID}); err != nil {
		return fmt.Errorf("withdraw: %w", err)
	}
	for _, id := range tables {
		if err := a.leaveTable(ctx, id, who, former); err != nil {
			return fmt.Errorf("leave table %d: %w", id, err)
		}
	}
	// The shelves first: their rows are found through the tables that still name the person.
	if err := a.room.Forget(ctx, who.ID, names, former, tables); err != nil {
		return fmt.Errorf("remove what is kept: %w", err)
	}
	for _, id := range tables {
		if err := a.desk.Store.Rename(ctx, id, who.ID, former); err != nil {
			return fmt.Errorf("rename at table %d: %w", id, err)
		}
	}
	// Wait until posts made before are delivered; posts made from now on don't name the person.
	a.telling.Lock()
	//lint:ignore SA2001 it is only to wait
	a.telling.Unlock()
	for _, k := range a.desk.keepers() {
		for _, name := range names {
			if err := k.Forget(ctx, bot.User{ID: who.ID, Name: name}, former); err != nil {
				return err
			}
		}
	}
	a.desk.cache.Clear() // pictures and answers that name them
	// Last, the data that none of these parts knows, and the record of the erasure itself.
	return a.desk.Store.Erase(ctx, who.ID, former.ID)
}

// leaveTable makes a person leave a table, or resign the game.
func (a *archive) leaveTable(ctx context.Context, id bot.TableID, who, former bot.User) error {
	t, err := feature.LoadTable(ctx, a.desk, id)
	if err != nil {
		return err
	}
	seat, seated := t.SeatOf(who.ID)
	var do game.Action
	switch {
	case !seated || t.Seats[seat].Out:
	case t.Phase == game.Lobby:
		do = game.Leave{}
	case t.Phase == game.Playing:
		do = game.Resign{}
	}
	if do != nil {
		// The request's id stays in the events, so it has the former player's id.
		req := bot.Request{ID: fmt.Sprintf("forget:%s:%d", former.ID, id), Channel: t.Channel, Table: id, User: who}
		if _, err := a.desk.Change(ctx, req, feature.Always(do)); err != nil {
			return err
		}
	}
	return a.desk.leave(ctx, feature.Leaving{What: feature.SeatLeft, Channel: t.Channel, Table: id})
}
